"""Provide two independent GFM renderers, and the outline of an HTML document by which two documents are compared.

markdown-it-py and cmarkgfm are peers. If one is not installed, its half of the round trips is skipped.
"""

import re
from urllib.parse import unquote

import pytest

from webtool.html import parse_html

_BLOCKS = frozenset((
    "html", "body", "div", "p", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li",
    "blockquote", "pre", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "hr",
))  # fmt: skip
_SAME = {"b": "strong", "i": "em", "s": "del", "strike": "del", "tt": "code"}
_PASSED_OVER = frozenset((
    "html", "body", "div", "section", "article", "thead", "tbody", "tfoot", "span", "em", "strong", "b", "i",
))  # fmt: skip


def _with_markdown_it():
    import markdown_it

    renderer = markdown_it.MarkdownIt("gfm-like", {"html": True})
    renderer.linkify.set({"fuzzy_link": False})  # "example.com" is a link for linkify-it, but not in GFM
    renderer.linkify.add("//", None)  # neither is "//host"
    return renderer.render


def _with_cmark_gfm():
    import cmarkgfm
    from cmarkgfm.cmark import Options

    return lambda text: cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)


RENDERERS = [
    pytest.param(_with_markdown_it, id="markdown-it", marks=pytest.mark.peers("markdown_it", "linkify_it")),
    pytest.param(_with_cmark_gfm, id="cmark-gfm", marks=pytest.mark.peers("cmarkgfm")),
]


@pytest.fixture(scope="session", params=RENDERERS)
def to_html(request):
    """Return a function from markdown to HTML, by one of the two renderers."""
    return request.param()


@pytest.fixture(scope="session")
def outline():
    """Return a function from HTML to its outline and its marked letters (see _outline and _marked_letters)."""
    return lambda html: (_outline(html), _marked_letters(html))


def _outline(html):
    """Return the structure and text of a document as nested lists, so that equal looking documents compare equal.

    White space collapses and vanishes at block edges. Tags with the same meaning have one name. Boxes without meaning
    are left out. Code keeps every character.
    """
    root = parse_html(html)
    if _holds_struck(root, False):  # the renderer may have added a space beside it: see _apart
        _without_wide_spaces(root)
    body = next(node for node in root.children[-1].children if node.tag == "body")
    return _children(body, False)


def _holds_struck(element, is_struck):
    """Whether a visible text or image in the element is struck through."""
    is_struck = is_struck or element.tag in ("del", "s")
    return any(
        (is_struck and bool(node.text.strip())) if node.tag is None
        else (is_struck and node.tag == "img") or _holds_struck(node, is_struck)
        for node in element.children
    )  # fmt: skip


def _without_wide_spaces(element):
    """Replace wide spaces in the texts of the element, except in code."""
    for node in element.children:
        if node.tag is None:
            node.text = re.sub(f"[{_SPACES}]+", " ", node.text)
        elif node.tag not in ("code", "pre"):
            _without_wide_spaces(node)


_MARKS = frozenset(("del",))
_SPACES = " \t\n\r\f\u00a0\u3000\u2003"


def _children(element, exact):
    """Return the outline of an element's children; with `exact` white space at the edges is kept."""
    out = []
    for node in element.children:
        if node.tag is None:
            _add(out, node.text)
        elif node.tag in _PASSED_OVER:
            if node.tag in _BLOCKS:
                _add(out, "\n")
            for item in _children(node, True):
                _add(out, item)
            if node.tag in _BLOCKS:
                _add(out, "\n")
        elif node.tag[0] != "#":
            for item in _element(node):
                _add(out, item)
    out = _apart(out)
    return out if exact else _trimmed(out)


def _apart(items):
    """Put a space around each strikethrough: the writer adds one if the marks would not work without it."""
    out = []
    for item in items:
        is_struck = item[0] == "del"
        if isinstance(item, str) and out and out[-1][0] == "del":
            item = item.lstrip(_SPACES)
        if is_struck and out and isinstance(out[-1], str):
            out[-1] = out[-1].rstrip(_SPACES)
        for part in [" ", item, " "] if is_struck else [item]:
            _add(out, part)
    return out


def _add(out, item):
    """Append an item; join texts, and code spans and strikethroughs that touch, which GFM cannot tell apart."""
    if out and isinstance(item, str) and isinstance(out[-1], str):
        out[-1] += item
    elif out and isinstance(item, list) and item[0] in ("code", "del") and out[-1][:1] == [item[0]]:
        last = out[-1]
        if item[0] == "code":
            out[-1] = ["code", last[1] + item[1]]
        else:
            for inner in item[1:]:
                _add(last, inner)
    elif item != "":
        out.append(item)


def _trimmed(items):
    """Return the items with white space laid out: collapsed, and removed beside blocks and line breaks."""
    items = _collapsed(items)
    for index in range(len(items) - 1, -1, -1):  # a line break at the end of a line box shows nothing
        after = [item for item in items[index + 1 : index + 3] if not isinstance(item, str) or item.strip(_SPACES)]
        at_end = index + 1 == len(items) or (not after and index + 2 == len(items))
        if items[index] == ["br"] and (at_end or (after and after[0][0] in _BLOCKS)):
            del items[index]
    items = _joined(items)
    out = []
    for index, item in enumerate(items):
        if isinstance(item, str):
            if index == 0 or _is_edge(items[index - 1]):
                item = item.lstrip(_SPACES)
            if index == len(items) - 1 or _is_edge(items[index + 1]):
                item = item.rstrip(_SPACES)
            if not item:
                continue
        if item == ["p"]:
            continue
        out.append(item)
    while out and out[-1] == ["br"]:
        out.pop()
    while out and out[0] == ["br"]:
        out.pop(0)
    return out


def _joined(items):
    out = []
    for item in items:
        _add(out, item)
    return out


def _collapsed(items):
    return [re.sub(r"[ \t\n\r\f]+", " ", item) if isinstance(item, str) else item for item in items]


def _without_spaces_at_breaks(items):
    out = []
    for index, item in enumerate(items):
        if isinstance(item, str):
            item = item.lstrip(_SPACES) if index and items[index - 1] == ["br"] else item
            item = item.rstrip(_SPACES) if items[index + 1 : index + 2] == [["br"]] else item
        if item != "":
            out.append(item)
    return out


def _is_edge(item):
    return not isinstance(item, str) and (item[0] in _BLOCKS or item[0] in ("br", "cell"))


def _element(node):
    """Return the items of an element: itself, with spaces and line breaks at the edges of a span put beside it."""
    tag = _SAME.get(node.tag, node.tag)
    attrs = node.attrs
    if tag == "pre":
        code = [child for child in node.children if child.tag == "code"]
        named = re.search(r"language-(\S+)", code[0].attrs.get("class", "")) if code else None
        language = named[1] if named else attrs.get("lang", "")
        text = node.text
        return [["pre", language, text if not text or text.endswith("\n") else text + "\n"]]
    if tag == "code":
        return [["code", node.text.replace("\n", " ")]] if node.text else []
    if tag == "a" and _is_autolink(node):
        return [node.text]
    if tag == "a":
        return _span(["a", unquote(attrs.get("href", "")), attrs.get("title", "")], node)
    if tag in _MARKS:
        return _span([tag], node)
    if tag == "img":
        return [["img", unquote(attrs.get("src", "")), attrs.get("alt", ""), attrs.get("title", "")]]
    if tag == "ol":
        return [["ol", attrs.get("start", "1"), *_children(node, False)]]
    if tag == "input":
        return [["input", "checked" in attrs]]
    if tag in ("th", "td"):
        style = re.search(r"text-align:\s*(\w+)", attrs.get("style", ""))
        return [["cell", attrs.get("align", style[1] if style else ""), *_children(node, False)]]
    return [[tag, *_children(node, False)]]


def _marked_letters(html):
    """Return the letters and digits of a document with their marks. Punctuation may be inside or outside the marks."""
    letters = []
    stack = [(parse_html(html), frozenset())]
    while stack:
        node, marks = stack.pop()
        if node.tag is None:
            letters += [(char, marks) for char in node.text if char.isalnum()]
        inner = _SAME.get(node.tag, node.tag)
        marks = marks | {inner} if inner in ("em", "strong", "del") else marks
        stack += [(child, marks) for child in reversed(node.children)]
    return letters


def _is_autolink(node):
    """Whether a renderer may have made the link from an address in a text."""
    schemes = ("http://", "https://", "ftp://", "www.")
    places = (node.text.strip(), node.attrs.get("href", ""))
    return not node.attrs.get("title") and all(place.lower().startswith(schemes) for place in places)


def _span(head, node):
    """Return the items of a span: what moves out before it, the span itself, what moves out after it."""
    items = _without_spaces_at_breaks(_collapsed(_children(node, True)))
    before, after = [], []
    while items and (items[0] == ["br"] or isinstance(items[0], str)):
        if items[0] == ["br"]:
            before.append(items.pop(0))
            continue
        core = items[0].lstrip(_SPACES)
        before.append(items[0][: len(items[0]) - len(core)])
        items[0] = core
        if core:
            break
        items.pop(0)
    while items and (items[-1] == ["br"] or isinstance(items[-1], str)):
        if items[-1] == ["br"]:
            after.insert(0, items.pop())
            continue
        core = items[-1].rstrip(_SPACES)
        after.insert(0, items[-1][len(core) :])
        items[-1] = core
        if core:
            break
        items.pop()
    if head[0] == "del":  # GFM has no strikethrough inside a strikethrough
        joined = []
        for item in items:
            for inner in item[1:] if item[0] == head[0] else [item]:
                _add(joined, inner)
        items = _collapsed(joined)
    middle = [[*head, *items]] if items else []  # an empty span shows nothing, an empty link neither
    return before + middle + after
