"""Elements of a page that a reader wants, or does not. In: a tree and CSS selectors. Out: the tree without the others.

`select` keeps the elements it finds with what is in them, and of their ancestors only what holds them, so that a list
item stays in its list; `drop` takes elements out. The head stays: it has the title, the base and the style rules.
"""

from __future__ import annotations

from webtool.errors import ExtractFailed, InvalidArgument
from webtool.html.node import Element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.node import Document
    from webtool.xpath import Expression

PROPERTIES: dict[str, dict[str, object]] = {"select": {"type": "string"}, "drop": {"type": "string"}}
"""Members of a request."""
FLAG_HELP = {
    "select": "Only the elements that this CSS selector finds: 'main > p, .note'",
    "drop": "Without the elements that this CSS selector finds",
}


def check(select: str, drop: str) -> None:
    """Raises InvalidArgument for what is not a selector, before anything is fetched."""
    for name, selectors in (("select", select), ("drop", drop)):
        if selectors:
            _compiled(name, selectors)


def choose(root: Document, select: str, drop: str) -> None:
    """Change the tree. Raises ExtractFailed where `select` finds nothing. Cost: bounded by XPath's budget."""
    if drop:
        for element in _found(root, "drop", drop):
            if element.parent is not None and element.tag not in ("html", "body"):
                element.parent.children.remove(element)
                element.parent = None
    if select:
        found = _found(root, "select", select)
        if not found:
            raise ExtractFailed(f"select finds nothing: {select[:80]}", hint="Open the page without it and look.")
        _keep_only(root, found)


def _found(root: Document, name: str, selectors: str) -> list[Element]:
    from webtool import xpath

    try:
        return [node for node in _compiled(name, selectors).select(root) if isinstance(node, Element)]
    except xpath.XPathError as exc:
        raise ExtractFailed(f"{name} takes too long on this page", hint="Use a simpler selector.") from exc


def _compiled(name: str, selectors: str) -> Expression:
    from webtool import xpath  # here, since few requests choose: 22 modules that a fetch does without
    from webtool.xpath.css import to_xpath

    try:
        return xpath.compile(to_xpath(selectors))
    except xpath.XPathError as exc:
        raise InvalidArgument(f"{name}: {exc}", hint="Give CSS selectors, such as 'main > p, .note'.") from exc


def _keep_only(root: Document, found: list[Element]) -> None:
    """Take out what is neither in a found element, nor around one, nor the head. Cost: linear."""
    kept = set(map(id, found))
    around: set[int] = set()
    for element in found:
        above = element.parent
        while above is not None and id(above) not in around:
            around.add(id(above))
            above = above.parent
    stack: list[Element] = [root]
    while stack:
        element = stack.pop()
        if id(element) in kept or element.tag == "head":
            continue
        element.children = [
            child for child in element.children if id(child) in kept or id(child) in around or child.tag == "head"
        ]
        stack += [child for child in element.children if isinstance(child, Element)]
