"""What the site changes in the Markdown of a page before Sphinx reads it. The files in the repository stay as they are.

The parts of a lesson become the admonitions of sphinx-lesson (questions, objectives, prerequisites, exercise, keypoints,
instructor-note), the commands of a centre become a tab, and hidden tables of contents make the navigation.
"""

import configparser
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CENTRES = {"hpc2n": "HPC2N", "uppmax": "UPPMAX", "lunarc": "LUNARC", "nsc": "NSC"}


def admonition(title, kind, text):
    return f":::{{admonition}} {title}\n:class: {kind}\n\n{text.strip()}\n:::\n"


def tabs(contents):
    """A tab for each (name, title, Markdown). The reader's choice holds for all pages."""
    items = "".join(f":::{{tab-item}} {title}\n:sync: {name}\n\n{text.strip()}\n:::\n" for name, title, text in contents)
    return f"::::{{tab-set}}\n:sync-group: centre\n\n{items}::::\n"


def centres():
    facts = configparser.ConfigParser(inline_comment_prefixes="#", delimiters="=", interpolation=None)
    facts.read(ROOT / "jobs/centres.conf")
    return facts


def run_tabs(slug, laptop):
    """The command of a lesson's section "Run it", and the job that runs the same program at each centre."""
    facts = centres()
    if not (ROOT / f"jobs/hpc2n/{slug}.sh").is_file():
        return laptop
    contents = [("laptop", "Your laptop", laptop)]
    for name, title in CENTRES.items():
        centre = facts[name]
        contents.append((name, title, f"""On {centre["system"]}, {centre["gpu"]} GPUs:

```
export SBATCH_ACCOUNT={centre["account"]}   # your project
./course submit {name} {slug} --wait
```

The job: [{slug}.sh](../../jobs/{name}/{slug}.sh). Or work [in a GPU shell](../gpu-shell.md).
"""))
    return tabs(contents)


def lesson(slug, text):
    text = re.sub(r"\n\n\*\*(.+?)\*\*\n", lambda m: "\n\n" + admonition("Question", "questions", m[1]), text, count=1)
    text = re.sub(
        r"^- \*\*After this lesson you can\*\* (.*)\n- \*\*Builds on\*\* (.*)\n- (\*\*Time\*\*.*)\n",
        lambda m: admonition("After this lesson you can", "objectives", re.sub("^|; (?:and )?", "\n- ", m[1])) + "\n" +
        admonition("Builds on", "prerequisites", m[2]) + f"\n{m[3]}\n", text, count=1, flags=re.M)
    text = re.sub(r"^> \*\*Exercise (\[.+?\]\(.+?\))\*\* \((.*?\))\)\. (.*)\n",
                  lambda m: admonition(f"Exercise {m[1]}", "exercise", m[2].replace(", ", " · ") + "\n\n" + m[3]), text, flags=re.M)
    text = re.sub(r"^## Key points\n\n((?:[-* ].*\n)+)", lambda m: admonition("Key points", "keypoints", m[1]), text, flags=re.M)
    text = re.sub(r"^## For teachers\n(.*)", lambda m: admonition("For teachers", "instructor-note", m[1]), text,
                  flags=re.M | re.S)
    return re.sub(r"(?<=^## Run it\n)(.*?)^(```\n\./course .*?^```\n)", lambda m: m[1] + run_tabs(slug, m[2]), text, count=1,
                  flags=re.M | re.S)


def centre_tabs(text):
    """Bold names of centres, each followed by a block of commands, become tabs."""
    block = r"\*\*(HPC2N|UPPMAX|LUNARC|NSC)\*\*\n\n(```\n.*?^```\n)\n?"
    return re.sub(f"^(?:{block})+", lambda m: tabs((title.lower(), title, commands) for title, commands in
                                                  re.findall(block, m[0], re.M | re.S)) + "\n", text, flags=re.M | re.S)


def contents(pages, caption=""):
    """A hidden table of contents, which makes the navigation. Pages are named from the root."""
    caption = f":caption: {caption}\n" if caption else ""
    return f"\n\n```{{toctree}}\n:hidden:\n{caption}\n" + "".join(f"/{page}\n" for page in pages) + "```\n"


def pages(pattern):
    return sorted(str(path.relative_to(ROOT).with_suffix("")) for path in ROOT.glob(pattern))


def read(app, docname, source):
    text = source[0]
    folder = Path(docname).parent
    if match := re.fullmatch(r"lessons/(\d\d-([^/]+))/README", docname):
        text = lesson(match[2], text)
        further = [page for page in pages(f"{folder}/*.md") if page != docname]
        text += contents(pages(f"exercises/{match[1]}/README.md") + further)
    elif docname == "README":
        text += contents(pages("lessons/[0-9]*/README.md"), "Lessons")
        text += contents(["lessons/gpu-shell", "lessons/wrong-or-slow", "lessons/porting", "lessons/hip", "exercises/README", "jobs/README",
                          "lessons/glossary", "lessons/figures/README"], "Learners")
        text += contents(["lessons/README", "lessons/timetables", "common/grader/README", "common/grader/export/README"], "Teachers")
        text += contents(["CONTRIBUTING", "CHANGELOG", "tests/README", "common/cpu/README", "common/cpu/CHANGELOG"], "Maintainers")
    elif docname == "jobs/README":
        text += contents(pages("jobs/*/README.md"))
    elif docname == "lessons/glossary":
        text = re.sub(r"^- \*\*(.+?)\*\*:", lambda m: f"- [**{m[1]}**]{{#{anchor(m[1])}}}:", text, flags=re.M)
    elif docname.endswith("/answers"):
        [solution] = [path.relative_to(ROOT) for path in ROOT.glob(f"solutions/{folder.relative_to('tests')}.*")]
        text = f"---\norphan: true\n---\n{text}\n\n# The solution\n\n[{solution}]({'../' * len(folder.parts)}{solution})\n"
    if not app.tags.has("teacher"):  # the site has no such pages
        text = re.sub(r"\[((?:`[^`]*`|[^][`])+)\]\([^)]*/answers\.md[^)]*\)", r"\1", text)
    source[0] = centre_tabs(text)


def anchor(term):
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")
