"""A deck of slides for each lesson: the question, pictures, kernels and key points of its page, nothing else."""

import html
import re
from pathlib import Path

from docutils import nodes


def admonition(doctree, kind):
    return next(node for node in doctree.findall(nodes.admonition) if kind in node["classes"])


def deck(doctree):
    """The slides, each a title and a node: at most twelve."""
    page_title = next(doctree.findall(nodes.title)).astext()
    yield page_title, admonition(doctree, "questions")
    yield "After this lesson you can", admonition(doctree, "objectives")
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        for node in section.children:
            # A kernel is an excerpt of the program: a comment with its name is in front of it.
            if isinstance(node, nodes.literal_block) and node["language"] == "cpp" and isinstance(before, nodes.raw):
                yield title, node
            yield from ((title, image) for image in node.findall(nodes.image) if isinstance(node, nodes.paragraph))
            before = node
    yield "Key points", admonition(doctree, "keypoints")


def content(builder, node):
    if isinstance(node, nodes.admonition):  # without its title
        node = nodes.container("", *node.deepcopy().children[1:])
        for term in [link for link in node.findall(nodes.reference) if "term" in link["classes"]]:
            term.parent.replace(term, term.children)
    fragment = builder.render_partial(node)["fragment"]
    if isinstance(node, nodes.literal_block):  # as large as fits
        lines = node.astext().split("\n")
        fragment = f'<div style="--columns: {max(map(len, lines))}; --lines: {len(lines)}">{fragment}</div>'
    return fragment


def write(app, error):
    """Beside each lesson's page, so that the links in it hold."""
    if error or app.builder.name != "html":
        return
    builder = app.builder
    template = Path(__file__).with_name("slides.html").read_text()
    for page in sorted(app.env.found_docs):
        if not re.fullmatch(r"lessons/\d\d-[^/]+/README", page):
            continue
        doctree = app.env.get_and_resolve_doctree(page, builder)
        builder.current_docname, builder.imgpath = page, "../../_images"
        found = list(deck(doctree))
        assert len(found) <= 12, f"{page}: {len(found)} slides"
        titles, sections = [title for title, _ in found], ""
        for i, (title, node) in enumerate(found):
            number = f" ({titles[:i].count(title) + 1})" if titles.count(title) > 1 else ""
            sections += f"<section><h1>{html.escape(title)}{number}</h1>\n{content(builder, node)}</section>\n"
        text = template.replace("TITLE", html.escape(titles[0])).replace("SECTIONS", sections)
        Path(builder.outdir, page).with_name("slides.html").write_text(text)
