"""A deck of slides for each lesson: what its page shows to a class, in the order of the page. The teacher explains it."""

import html
import re
from pathlib import Path

from docutils import nodes

LINES = 26  # of code and output on one slide; a longer block has a slide of its own


def admonitions(doctree, kind):
    return [node for node in doctree.findall(nodes.admonition) if kind in node["classes"]]


def section_slides(section):
    """Its exercises, pictures, tables, code and output; blocks of code that follow each other share a slide."""
    title, slides, room, before = section.next_node(nodes.title).astext(), [], 0, None
    for node in section.children:
        if isinstance(node, nodes.container):  # tabs, of which the first is for a laptop, or the frame of a table
            node = node.next_node(nodes.literal_block) if "sd-tab-set" in node["classes"] else node.children[0]
        # A line such as "On one NVIDIA H200:"
        lead = [before] if isinstance(before, nodes.paragraph) and re.fullmatch(r".{1,160}:", before.astext()) else []
        before = node
        if isinstance(node, (nodes.literal_block, nodes.block_quote)):
            lines = node.astext().strip("\n").count("\n") + 3
            if lines <= room:
                slides[-1][1].extend([*lead, node])
            else:
                slides.append((title, [*lead, node]))
                room = LINES
            room -= lines
            continue
        if isinstance(node, nodes.admonition) and "exercise" in node["classes"]:
            slides.append((node.next_node(nodes.title).astext(), [node]))
        elif isinstance(node, nodes.paragraph) and node.next_node(nodes.image):
            slides.append((title, [node]))
        elif isinstance(node, nodes.table):
            slides.append((title, [*lead, node]))
        else:
            continue
        room = 0
    return slides


def deck(doctrees):
    """The slides of a lesson, each a title and nodes. Further pages of the lesson come before the key points."""
    first = doctrees[0]
    yield next(first.findall(nodes.title)).astext(), admonitions(first, "questions")
    yield "After this lesson you can", admonitions(first, "objectives")
    for doctree in doctrees:
        for section in doctree.findall(nodes.section):
            yield from section_slides(section)
    yield "Key points", admonitions(first, "keypoints")


def content(builder, node):
    node = node.deepcopy()
    if isinstance(node, nodes.admonition):  # without its title
        node = nodes.container("", *node.children[1:])
    for term in [link for link in node.findall(nodes.reference) if "term" in link["classes"]]:
        term.parent.replace(term, term.children)
    return builder.render_partial(node)["fragment"]


def write(app, error):
    """Beside each lesson's page, so that the links in it hold."""
    if error or app.builder.name != "html":
        return
    builder = app.builder
    template = Path(__file__).with_name("slides.html").read_text()
    for page in sorted(app.env.found_docs):
        if not re.fullmatch(r"lessons/\d\d-[^/]+/README", page):
            continue
        pages = sorted(other for other in app.env.found_docs if other.startswith(page[:-6]))  # README comes first
        doctrees = [app.env.get_and_resolve_doctree(other, builder) for other in pages]
        doctrees = [doctree for doctree in doctrees if admonitions(doctree, "questions") or admonitions(doctree, "exercise")]
        builder.current_docname, builder.imgpath = page, "../../_images"
        found = list(deck(doctrees))
        titles, sections = [title for title, _ in found], ""
        for i, (title, shown) in enumerate(found):
            number = f" ({titles[:i].count(title) + 1})" if titles.count(title) > 1 else ""
            body = "".join(content(builder, node) for node in shown)
            sections += f"<section><h1>{html.escape(title)}{number}</h1>\n<div>{body}</div></section>\n"
        text = template.replace("TITLE", html.escape(titles[0])).replace("SECTIONS", sections)
        [notes] = admonitions(doctrees[0], "instructor-note")
        text = text.replace("NOTES", content(builder, notes))
        Path(builder.outdir, page).with_name("slides.html").write_text(text)
