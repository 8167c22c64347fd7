"""Elements of a page that a reader wants, or does not. In: a tree and CSS selectors. Out: the tree without the others.

`select` keeps the elements it finds with what is in them, and of their ancestors only what holds them, so that a list
item stays in its list; `drop` takes elements out. The head stays: it has the title, the base and the style rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.answers import parts
from webtool.cache import freshness
from webtool.css.pseudo import Places
from webtool.css.selectors import Selector, selectors_of, split_list
from webtool.errors import ExtractFailed, InvalidArgument, quoted
from webtool.html.node import Document, Element, elements
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages import reading

_LONGEST = 1000  # characters of a list of selectors
_MOST_TESTS = 5_000_000  # elements by selectors of one page
_SELECTORS: dict[str, dict[str, object]] = {"select": {"type": "string"}, "drop": {"type": "string"}}
PROPERTIES = {**reading.PARAMETERS, **_SELECTORS, **parts.PROPERTIES}
"""Members of a request that say what of a page is wanted: of this module, of reading and of answers.parts."""
TYPES = {**reading.TYPES, **_SELECTORS, **parts.TYPES}
FLAG_HELP = {
    **reading.FLAG_HELP,
    "select": "Only the elements that this CSS selector finds: 'main > p, .note'",
    "drop": "Without the elements that this CSS selector finds",
    **parts.FLAG_HELP,
}


class Choice(NamedTuple):
    """What a call wants of a page."""

    part: Mapping[str, Any]
    """The members of answers.parts; `is_part` says whether one of them asks for a part."""
    is_part: bool
    left_out: bool
    groups: tuple[int, ...]
    select: str
    drop: str

    def of_page(self, offset: int) -> dict[str, Any]:
        """What Wanted has of it. Parts of a page come from the copy that its first part came from."""
        age = freshness.TTL_PARTS if offset > 1 or self.is_part or self.groups else 0.0
        return {"accept_age": age, "with_groups": self.groups, "select": self.select, "drop": self.drop}


def choice(members: Mapping[str, Any]) -> Choice:
    """The members of PROPERTIES in a call, checked before anything is fetched. Raises InvalidArgument."""
    is_part = parts.is_asked(members)
    select, drop = members.get("select", ""), members.get("drop", "")
    for name, selectors in (("select", select), ("drop", drop)):
        if selectors:
            _compiled(name, selectors, Places())
    return Choice(members, is_part, members.get("left_out", False), tuple(members.get("with", ())), select, drop)


def choose(root: Document, select: str, drop: str) -> None:
    """Change the tree. Raises ExtractFailed where `select` finds nothing. Cost: elements by selectors, bounded."""
    if drop:
        found = {element for element in _found(root, "drop", drop) if element.tag not in ("html", "body")}
        for parent in {element.parent for element in found if element.parent is not None}:
            parent.children[:] = [child for child in parent.children if child not in found]
    if select:
        kept = _found(root, "select", select)
        if not kept:
            raise ExtractFailed(f"select finds nothing: {select[:80]}", hint="Open the page without it and look.")
        _keep_only(root, kept)


def _found(root: Document, name: str, selectors: str) -> list[Element]:
    places = Places()
    compiled = _compiled(name, selectors, places)
    found, left = [], _MOST_TESTS
    for node in elements(root):
        if node.tag[0] != "#":
            left -= len(compiled)
            if left < 0 or places.left < 0:
                raise ExtractFailed(f"{name} takes too long on this page", hint="Use a simpler selector.")
            if any(one.matches(node) for one in compiled):
                found.append(node)
    return found


def _compiled(name: str, selectors: str, places: Places) -> list[Selector]:
    """Raises InvalidArgument."""
    if len(selectors) > _LONGEST:
        raise InvalidArgument(f"{name} is longer than {_LONGEST} characters", hint="Use a simpler selector.")
    compiled: list[Selector] = []
    for part in split_list(selectors):
        understood = selectors_of(part, places)
        if not understood:
            raise InvalidArgument(
                f"{name}: the selector {quoted(part.strip())} is not understood",
                hint="Give CSS selectors, such as 'main > p, .note'.",
            )
        compiled += understood
    return compiled


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
