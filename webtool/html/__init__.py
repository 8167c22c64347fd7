"""Parse HTML as browsers do: text or bytes in, a tree out (node.py). Pure.

- encoding.py finds the encoding of bytes and decoding.py decodes them; tokenizer.py makes tokens of the text;
  treebuilder.py makes a tree of the tokens, by the insertion modes in modes/.
- parse_html() gives the tree of the standard. parse_page() also moves content to where the page's own scripts show it.

What a reader sees of the tree is decided by webtool.visibility, what of it is worth reading by webtool.extraction.
Spec: the HTML Standard, section 13.2, and the Encoding Standard.
Tests: tests/html/test_page.py
"""

from __future__ import annotations

import gc

from webtool.html.encoding import decode, read, sniff_encoding
from webtool.html.node import Document, Element, listed, release
from webtool.html.placing import place_content
from webtool.html.treebuilder import TreeBuilder
from webtool.lean import patterns

__all__ = ["Reading", "decode", "parse_fragment", "parse_html", "parse_page", "read", "sniff_encoding"]

_MAX_NOSCRIPT = 5000  # characters of a noscript element that are looked at
# Groups: "/" or "", and the first letter of "iframe" or None.
_frame_or_noscript_in = patterns.compile(r"(?ai)<(/?)(?:(i)frame|noscript)").finditer


def parse_html(source: str | bytes, content_type: str | None = None, *, scripting: bool = False) -> Document:
    """Parse a document. Never raises: every input has a tree.

    Bytes are decoded as sniff_encoding says; `content_type` is the response's header. `scripting` is the standard's
    scripting flag: with it, the content of noscript is text.
    """
    builder = TreeBuilder(scripting=scripting)
    _build(builder, source if isinstance(source, str) else decode(source, content_type)[0])
    return builder.document


def parse_page(source: str | bytes, content_type: str | None = None, *, scripting: bool | None = None) -> Document:
    """Parse a page for its text, with content that scripts would move already moved (placing.py).

    `scripting` None means off, except if a noscript element would swallow what follows: `<noscript><iframe></noscript>`
    is written for browsers with scripts; without them the iframe has no end.
    """
    text = source if isinstance(source, str) else decode(source, content_type)[0]
    builder = TreeBuilder(scripting=bool(scripting))
    _build(builder, text)
    if scripting is None and "noscript" in builder.seen and "iframe" in builder.seen and _has_open_frame(text):
        builder = TreeBuilder(scripting=True)
        _build(builder, text)
    has_shadows = "template" in builder.seen and "shadowrootmode" in text.lower()
    document = builder.document
    if place_content(document, builder.ids, has_shadows=has_shadows) or not builder.is_in_order:
        document.elements = listed(document)
    else:
        document.elements = builder.inserted
    return document


def _has_open_frame(text: str) -> bool:
    """Whether an iframe begins in a noscript element and does not end in it."""
    begun: list[tuple[int, int]] = []  # for each noscript element without an end so far: its place, frames open there
    open_frames = 0
    for tag in _frame_or_noscript_in(text):
        is_end = tag[1] == "/"
        if tag[2]:
            open_frames += -1 if is_end else 1
        elif is_end:
            if any(open_frames > frames and tag.end() <= place + _MAX_NOSCRIPT for place, frames in begun):
                return True
            begun.clear()
        else:
            begun.append((tag.start(), open_frames))
    return False


def parse_fragment(source: str, context: str | Element = "div", *, scripting: bool = False) -> Document:
    """Parse as innerHTML of the context element does; return a "#document-fragment" with the nodes.

    `context` is an element or a tag name; foreign ones are written "svg path" or "math mi".
    """
    if isinstance(context, str):
        namespace, _, tag = context.rpartition(" ")
        context = Element(tag, None, namespace or "html")
    builder = TreeBuilder(context, scripting)
    _build(builder, source)
    fragment = builder.document
    fragment.children = builder.stack[1].children
    for node in fragment.children:
        node.parent = fragment
    return fragment


class Reading:
    """Keep trees for the time of a with block, and take them apart at its end.

    `with Reading() as reading: root = reading.keep(parse_html(source))`. The cyclic garbage collector pauses meanwhile:
    it would go through the trees again and again. This saves a twentieth of the time of extract, and frees the memory
    at once. If the process has switched the collector off, because it ends soon, the trees are left as they are.
    """

    def __init__(self) -> None:
        self._trees: list[Document] = []
        self._was_enabled = False

    def keep(self, root: Document) -> Document:
        """Register a tree to take apart at the end, and return it. Nothing of it may be used afterwards."""
        self._trees.append(root)
        return root

    def __enter__(self) -> Reading:
        self._was_enabled = gc.isenabled()
        gc.disable()
        return self

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            for root in self._trees:
                release(root)
            gc.enable()


def _build(builder: TreeBuilder, text: str) -> None:
    """Run the parser with the cyclic garbage collector paused: in a growing tree it finds nothing, slowly."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        builder.build(text)
    finally:
        if was_enabled:
            gc.enable()
