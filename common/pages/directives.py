"""The Markdown that Sphinx reads instead of a page. The files in the repository stay as they are.

The parts of a lesson become the admonitions of sphinx-lesson (questions, objectives, prerequisites, exercise, keypoints,
instructor-note), the commands of a centre become a tab, and hidden tables of contents make the navigation.
"""

import configparser
import re
from pathlib import Path

from markdown import HEAD, ROOT, files, glossary_anchor

FACTS = configparser.ConfigParser(inline_comment_prefixes="#", delimiters="=", interpolation=None)
FACTS.read(ROOT / "jobs/centres.conf")


def admonition(title, kind, text):
    return f":::{{admonition}} {title}\n:class: {kind}\n\n{text.strip()}\n:::\n\n"


def tabs(contents):
    """A tab for each (name, title, Markdown). The reader's choice holds for all pages."""
    items = "".join(f":::{{tab-item}} {title}\n:sync: {name}\n\n{text.strip()}\n:::\n" for name, title, text in contents)
    return f"::::{{tab-set}}\n:sync-group: centre\n\n{items}::::\n\n"


def run_tabs(slug, laptop):
    """The command of a lesson's section "Run it", and the job that runs the same program at each centre."""
    contents = [("laptop", "Your laptop", laptop)]
    for name, centre in FACTS.items():
        if (ROOT / f"jobs/{name}/{slug}.sh").is_file():
            contents.append((name, centre["title"], f"""On {centre["system"]}, {centre["gpu"]} GPUs:

```
export SBATCH_ACCOUNT={centre["account"]}   # your project
./course submit {name} {slug} --wait
```

The job: [{slug}.sh](../../jobs/{name}/{slug}.sh). Or work [in a GPU shell](../gpu-shell.md).
"""))
    return tabs(contents) if len(contents) > 1 else laptop


def centre_tabs(text):
    """Bold names of centres, each followed by a block of commands, become tabs."""
    names = {FACTS[name]["title"]: name for name in FACTS.sections()}
    block = rf"\*\*({'|'.join(names)})\*\*\n\n(```\n(?:.*\n)*?```\n)\n?"
    return re.sub(f"^(?:{block})+", lambda run: tabs((names[title], title, commands) for title, commands in re.findall(block, run[0])),
                  text, flags=re.M)


def lesson(slug, text):
    text = HEAD.sub(lambda m: admonition("Question", "questions", m["question"]) +
                    admonition("After this lesson you can", "objectives", re.sub("^|; (?:and )?", "\n- ", m["skills"])) +
                    admonition("Builds on", "prerequisites", m["builds_on"]) + m["time"] + "\n", text)
    for title, kind, body in [("Key points", "keypoints", r"(?:[-*] .*\n)+"), ("For teachers", "instructor-note", r"(?s:.*)")]:
        text = re.sub(rf"^## {title}\n\n({body})", lambda m: admonition(title, kind, m[1]), text, flags=re.M)
    return re.sub(r"(?<=^## Run it\n)((?s:.*?))^(```\n\./course (?s:.*?)^```\n)", lambda m: m[1] + run_tabs(slug, m[2]), text,
                  count=1, flags=re.M)


def exercises(text):
    return re.sub(r"^> \*\*Exercise (\[.+?\]\(.+?\))\*\* \((.*?\))\)\. (.*)\n",
                  lambda m: admonition(f"Exercise {m[1]}", "exercise", m[2].replace(", ", " · ") + "\n\n" + m[3]), text, flags=re.M)


def contents(pages, caption=""):
    """A hidden table of contents, which makes the navigation. Pages are named from the root."""
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return f"\n\n```{{toctree}}\n{options}\n" + "".join(f"/{page}\n" for page in pages) + "```\n"


def names(pattern):
    return [str(page.with_suffix("")) for page in files(pattern)]


def read(app, docname, source):
    text = source[0]
    folder = Path(docname).parent
    if docname.startswith("lessons/"):
        text = exercises(text)
    if match := re.fullmatch(r"lessons/(\d\d-([^/]+))/README", docname):
        text = lesson(match[2], text)
        further = [page for page in names(f"{folder}/*.md") if page != docname]
        text += contents(names(f"exercises/{match[1]}/README.md") + further)
    elif docname == "README":
        text += contents(names("lessons/[0-9]*/README.md"), "Lessons")
        text += contents(["lessons/before-the-course", "lessons/gpu-shell", "lessons/wrong-or-slow", "lessons/porting",
                          "lessons/which-model", "lessons/hip", "exercises/README", "jobs/README", "lessons/glossary",
                          "lessons/figures/README"], "Learners")
        text += contents(["lessons/README", "lessons/timetables", "common/grader/README", "common/grader/export/README"], "Teachers")
        text += contents(["CONTRIBUTING", "CHANGELOG", "tests/README", "common/cpu/README", "common/cpu/CHANGELOG"], "Maintainers")
    elif docname == "jobs/README":
        text += contents(names("jobs/*/README.md") + ["jobs/verify"])
    elif docname == "lessons/glossary":
        text = re.sub(r"^- \*\*(.+?)\*\*:", lambda m: f"- [**{m[1]}**]{{#{glossary_anchor(m[1])}}}:", text, flags=re.M)
    elif docname.endswith("/answers"):
        [solution] = [path.relative_to(ROOT) for path in ROOT.glob(f"solutions/{folder.relative_to('tests')}.*")]
        text = f"---\norphan: true\n---\n{text}\n\n# The solution\n\n[{solution}]({'../' * len(folder.parts)}{solution})\n"
    if not app.tags.has("teacher"):  # the site has no such pages
        text = re.sub(r"\[((?:`[^`]*`|[^][`])+)\]\([^)]*/answers\.md[^)]*\)", r"\1", text)
    source[0] = centre_tabs(text)
