"""Programs, exercises, headers and job scripts as highlighted pages, with an anchor for each line."""

import html
import os
import re
from pathlib import Path

from docutils import nodes
from markdown import ROOT, title
from pygments.lexers import guess_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes

SHOWN = ["lessons/*/*.*", "lessons/*/decks/*.in", "exercises/*/*.*", "common/*.hpp", "jobs/*/*.sh"]
CODE = {"", ".cpp", ".cu", ".h", ".hpp", ".in", ".py", ".sh", ".yml"}


def linked(env):
    """The files that pages link to; also those that another process has read."""
    if not hasattr(env, "linked_code"):
        env.linked_code = set()
    return env.linked_code


def merge(app, env, pages, other):
    linked(env).update(linked(other))


def link(app, doctree):
    """Links to files of code lead to their pages."""
    env = app.env
    page = env.current_document.docname
    for node in list(doctree.findall(addnodes.download_reference)):
        path, _ = env.relfn2path(node["reftarget"], page)
        if Path(path).suffix not in CODE:
            continue
        linked(env).add(path)
        node.replace_self(nodes.reference("", "", *node.children, file=path + ".html", refuri="", internal=True))


def lexer_of(path, text):
    if path.suffix in (".cu", ".hpp"):
        return "cuda"
    try:
        return guess_lexer_for_filename(path.name, text).aliases[0]
    except ClassNotFound:
        return "text"


def write(app):
    files = {path for pattern in SHOWN for path in ROOT.glob(pattern) if path.suffix in CODE}
    files |= {ROOT / path for path in linked(app.env)}
    for path in sorted(files):
        name = str(path.relative_to(ROOT))
        text = path.read_text()
        code = app.builder.highlighter.highlight_block(text, lexer_of(path, text), linenos="inline", lineanchors="L", anchorlinenos=True)
        code = re.sub('<span class="[wpn]">([^<]*)</span>', r"\1", code)  # half of the page, in the colour of plain text
        code = re.sub(r'(?<=<span class="cpf">&quot;)[^&]+', lambda m: included(path, files, m[0]), code)
        readme = path.parent / "README.md"
        back = readme if readme.is_file() else ROOT / "README.md"
        of = html.escape(title(back))
        back = os.path.relpath(back.with_suffix(".html"), path.parent)
        body = f'<h1>{html.escape(path.name)}</h1>\n<p>{html.escape(name)}, of <a href="{back}">{of}</a></p>\n{code}'
        yield name, {"title": path.name, "body": body}, "page.html"


def included(path, files, name):
    """A quoted include leads to the header's page."""
    header = (path.parent / name).resolve()
    return f'<a href="{os.path.relpath(header, path.parent)}.html">{name}</a>' if header in files else name
