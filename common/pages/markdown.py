"""A reader of the course's Markdown: pages, their parts, exercises and excerpts. It needs Python 3.6 and its standard library."""

import json
import re
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class PageError(Exception):
    """A mistake that the author of a page must correct."""


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def files(pattern):
    """Their paths from the root."""
    return sorted(path.relative_to(ROOT) for path in ROOT.glob(pattern))


def registry():
    """The entries of the registry by name: libraries, lessons, programs and exercises."""
    entries = json.loads(read("common/cmake/registry.json"))
    return {next(iter(entry.values())): entry for entry in entries}


def pages():
    """The paths of all pages from the root."""
    folders = [folder.name for folder in ROOT.iterdir() if folder.is_dir() and folder.name != "build" and folder.name[0] != "."]
    return files("*.md") + [page for folder in sorted(folders) for page in files(folder + "/**/*.md")]


def title(page):
    return read(page).partition("\n")[0].lstrip("# ")


def prose(text):
    """The text without its code."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`|<code>[^<]*</code>", "", text)


def links(text):
    return re.findall(r"\]\(([^)]+)\)", prose(text))


LESSONS = [page.parent.name for page in files("lessons/[0-9]*/README.md")]

# The lines between a lesson's title and its first section.
HEAD = re.compile(r"^\*\*(?P<question>.+)\*\*\n\n- \*\*After this lesson you can\*\* (?P<skills>.*)\n"
                  r"- \*\*Builds on\*\* (?P<builds_on>.*)\n"
                  r"- (?P<time>\*\*Time\*\* (?P<minutes>\d+) minutes(?P<parts>.*?)(?:, plus (?P<core>\d+) for the core.*)?)\n", re.M)


def head(lesson):
    found = HEAD.search(read("lessons/" + lesson + "/README.md"))
    if not found:
        raise PageError(f"lessons/{lesson}/README.md: the lines between the title and the first section must have the form of "
                        "those in lesson 05")
    return found


def page_minutes(lesson):
    """The minutes of its page, or of its two pages or parts."""
    minutes, parts = head(lesson).group("minutes", "parts")
    return re.findall(r"part \d: (\d+)", parts) or [minutes] + re.findall(r" (\d+) (?:minutes )?for the second", parts)


# A generated part of a page: a comment, and the block of code, quote or table that follows it.
GENERATED = re.compile(r"^<!-- (?P<source>.+) -->\n(?P<old>```\w*\n(?:.*\n)*?```\n|(?:[>|].*\n)*)", re.M)

Exercise = namedtuple("Exercise", "size minutes check task")


def exercises(lesson):
    """The exercises of a lesson by name, as its exercise page describes them."""
    found = re.findall(r"^## (\S+)\n\n.* · (\d+ lines?) · (\d+) minutes · (`\./course check \S+`)\n\n((?:.+\n)+)",
                       read("exercises/" + lesson + "/README.md"), re.M)
    return {name: Exercise(size, int(minutes), check, task.strip().replace("\n", " "))
            for name, size, minutes, check, task in found}


def exercise(lesson, name):
    try:
        return exercises(lesson)[name]
    except KeyError:
        raise PageError(f"exercises/{lesson}/README.md does not describe {name} in the usual form")


def core_exercises(lesson):
    """The names of its core exercises in the order of the registry."""
    return [name[len(lesson) + 1:] for name, entry in registry().items() if name.startswith(lesson + "/") and entry.get("core")]


def excerpts(path):
    """The marked lines of a program by name, without the indentation of the marker."""
    text = read(path)
    markers = re.findall(r"^ *(?://|#) \[([a-z0-9-]+)\]$", text, re.M)
    if markers != [marker for name in dict.fromkeys(markers[::2]) for marker in (name, "end")]:
        raise PageError(f"{path}: each excerpt needs a name of its own and one [end]")
    found = re.findall(r"^( *)(?://|#) \[([a-z0-9-]+)\]\n(.*?)^ *(?://|#) \[end\]$", text, re.M | re.S)
    return {name: re.sub("^" + indent, "", lines, flags=re.M).strip("\n") for indent, name, lines in found}


def glossary():
    """The definition of each term, in Markdown."""
    return dict(re.findall(r"^- \*\*(.+?)\*\*: (.+)", read("lessons/glossary.md"), re.M))


def glossary_anchor(term):
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")
