"""Links the first use of each glossary term on a page to the glossary. The definition appears when the mouse is on it."""

import functools
import re

from docutils import nodes
from markdown import glossary, glossary_anchor
from sphinx import addnodes

NO_TERMS = (nodes.title, nodes.literal, nodes.literal_block, nodes.reference, nodes.raw, addnodes.pending_xref)
# Words that have an ordinary sense, too: linked only in the lessons that define the term.
ORDINARY = set("block chunk event gradient grid host range reference register release request view".split())


@functools.cache
def terms():
    """The definition of each term, and the numbers of its lessons."""
    return {term.lower(): (re.sub(r"( \[\d\d\]\(\S+\),?)+$|[*`]", "", text), re.findall(r"\[(\d\d)\]", text))
            for term, text in glossary().items()}


@functools.cache
def any_term():
    names = "|".join(re.escape(term) for term in sorted(terms(), key=len, reverse=True))
    return re.compile(rf"\b({names})(?:e?s)?\b", re.I)


def link(app, doctree):
    page = app.env.current_document.docname
    if not re.match(r"lessons/\d\d-|exercises/", page):
        return
    number = re.search(r"/(\d\d)-", page)
    used = {term for term in ORDINARY if not number or number[1] not in terms()[term][1]}
    for text in list(doctree.findall(nodes.Text)):
        parent = text.parent
        while parent and not isinstance(parent, NO_TERMS):
            parent = parent.parent
        if parent:
            continue
        parts, end = [], 0
        for match in any_term().finditer(text):
            term = match[1].lower()
            if term not in used:
                used.add(term)
                parts += [nodes.Text(text[end:match.start()]),
                          nodes.reference("", match[0], file=f"lessons/glossary.html#{glossary_anchor(term)}", refuri="",
                                          reftitle=terms()[term][0], internal=True, classes=["term"])]
                end = match.end()
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(text[end:])])
