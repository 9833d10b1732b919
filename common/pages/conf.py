"""The web site of the course, which ./course site builds with Sphinx from the Markdown of the repository."""

import os
import re
import sys
from pathlib import Path

from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent))
import code_pages
import directives
import glossary
import slides
from markdown import ROOT, files

citation = (ROOT / "CITATION.cff").read_text()

project = re.search("^title: (.*)", citation, re.M)[1]
author = re.search("^  - name: (.*)", citation, re.M)[1]
copyright = f"2026 {author}. Text: CC BY 4.0; code: MIT"
version = release = re.search("^version: (.*)", citation, re.M)[1]
language = "en"

extensions = ["myst_parser", "sphinx_design", "sphinx_copybutton"]
root_doc = "README"
source_suffix = {".md": "markdown"}
include_patterns = [
    "*.md", "lessons/**.md", "exercises/**.md", "jobs/**.md", "common/**.md", "tests/README.md"
]
if tags.has("teacher"):  # ./course site --teacher
    include_patterns.append("tests/**/answers.md")
exclude_patterns = ["build", ".*", "common/cpu/tests"]
highlight_language = "none"  # commands and what they print
myst_heading_anchors = 4
myst_enable_extensions = ["tasklist", "attrs_inline", "colon_fence"]

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["course.css"]
html_copy_source = False
html_use_index = False
html_permalinks = False
address = re.search("^repository-code: *(.+)", citation, re.M)
if address:
    html_theme_options = {"source_repository": address[1], "source_branch": "main", "source_directory": ""}


def add_links(app, doctree):
    """To what the Markdown does not lead: the program and the slides of a lesson, and the page to print."""
    page = app.env.current_document.docname
    if match := re.fullmatch(r"lessons/(\d\d-[^/]+)/README", page):
        time = next(node for node in doctree.findall(nodes.paragraph) if node.astext().startswith("Time "))
        program = next(path for path in files(f"lessons/{match[1]}/{match[1][3:]}.*") if path.suffix in (".cu", ".cpp", ".py"))
        for name, file in [(program.name, f"lessons/{match[1]}/{program.name}.html"), ("Slides", f"lessons/{match[1]}/slides.html")]:
            time += [nodes.Text(" · "), nodes.reference("", name, file=file, refuri="", internal=True)]
    elif page == "README":
        section = next(node for node in doctree.findall(nodes.section) if "lessons" in node["ids"])
        section += nodes.paragraph("", "", nodes.reference("", "All pages in one, to print", file="print.html", refuri="", internal=True))


def resolve(app, doctree, page):
    """Links to a file of the site: relative to this page, or to the one page that has all."""
    for node in doctree.findall(nodes.reference):
        if "file" in node:
            node["refuri"] = os.path.relpath(node["file"], os.path.dirname(page) or ".")


def setup(app):
    app.connect("source-read", directives.read)
    app.connect("doctree-read", code_pages.link, priority=100)  # before Sphinx collects the files to download
    app.connect("env-merge-info", code_pages.merge)
    app.connect("doctree-read", glossary.link)
    app.connect("doctree-read", add_links)
    app.connect("doctree-resolved", resolve)
    app.connect("html-collect-pages", code_pages.write)
    app.connect("build-finished", slides.write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
