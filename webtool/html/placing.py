"""Move content to where a page shows it, if the page's source has it elsewhere. In: a page's tree, which is changed.

Frameworks stream a page in parts. A part that is not ready leaves an element as its place. The part arrives later, in a
hidden element at the end of the page, and a short script moves it. Places and parts find each other by their ids:

    framework  id of the place      id of the part
    React      B:0, P:0             S:0
    Marko      afph7                af7
    Solid      pl-0                 0 (a template element)

After a place of React (B:0) or Solid comes what is shown meanwhile; a comment ends it. A declarative shadow tree
(template shadowrootmode) is shown instead of its host's children, and these children in its slots.
Spec for shadow trees: DOM section 4.8, HTML section 4.12.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.html.node import Element, Node, elements, walk
from webtool.lean import patterns

# Expressions for ids of places: in the joined ids of a page, and for one id.
_has_place = patterns.compile(r" (?:[BP]:|pl-|af\w{0,40}?ph[0-9])").search
_place = patterns.compile(r"(?P<react>[BP]):(\w+)|pl-(.+)|(af\w{0,40}?)ph([0-9]{1,6})").fullmatch
_BOUNDARIES = frozenset(("$", "$?", "$!", "$~"))  # React's comments at the start of a part; "/$" ends it
# Elements that may have a shadow tree, besides custom elements.
_HOSTS = frozenset((
    "article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main",
    "nav", "p", "section", "span",
))  # fmt: skip


def place_content(root: Element, ids: list[str], *, has_shadows: bool) -> bool:
    """Move parts to their places and shadow trees into their hosts; return whether the page may have either.

    `ids` are those of the page's elements. Cost: linear.
    """
    has_places = _has_place(" " + " ".join(ids)) is not None
    if has_places:
        _place_parts(root)
    if has_shadows:
        for element in elements(root):
            _place_shadow_tree(element)
    return has_places or has_shadows


class _Parts:
    """Collect the places of a page, the parts that belong there, and which part contains which place or part."""

    def __init__(self, root: Element) -> None:
        self.places: dict[str, Element] = {}  # id of a part -> its place
        self.parts: dict[str, Element] = {}  # id -> part
        self.around: dict[Element, Element | None] = {}  # place or part -> the part that contains it
        inside: list[Element | None] = [None]
        for event, node in walk(root):
            name = node.attrs.get("id")
            if not name:
                continue
            if event == "close":
                if node is inside[-1]:
                    inside.pop()
                continue
            element: Element = node  # type: ignore[assignment]
            part = _part_of(name)
            if part:
                self.places.setdefault(part, element)
                self.around[element] = inside[-1]
            elif name not in self.parts and (name[:2] in ("S:", "af") or element.tag == "template"):
                self.parts[name] = element
                self.around[element] = inside[-1]
                inside.append(element)

    def pairs(self) -> dict[Element, Element]:
        """Return places with their parts, without parts that would end up inside themselves.

        The way up from a part goes to its place, to the part around that place, to the place of that part, and so on.
        """
        place_of = {part: self.places[name] for name, part in self.parts.items() if name in self.places}
        leads_out: dict[Element, bool] = {}  # part -> whether the way up from it ends, and is not a circle
        for part in place_of:
            way: list[Element] = []
            up: Element | None = part
            while up is not None and up not in leads_out:
                leads_out[up] = False  # for now: coming here again means a circle
                way.append(up)
                up = self.around[place_of.get(up, up)]
            leads_out.update(dict.fromkeys(way, up is None or leads_out[up]))
        return {place: part for part, place in place_of.items() if leads_out[part]}


def _part_of(place: str) -> str:
    """Return the id of the part that belongs in the place with this id; "" if the id is not that of a place."""
    match = _place(place)
    if match is None:
        return ""
    return f"S:{match[2]}" if match["react"] else match[3] or match[4] + match[5]


def _place_parts(root: Element) -> None:
    pairs = _Parts(root).pairs()
    if not pairs:
        return
    changed = {place.parent for place in pairs}.union([part.parent for part in pairs.values()])
    moved = set(pairs.values())
    for element in elements(root):
        if element in changed or element in moved:
            _adopt(element, list(_placed(element, pairs, moved)))


def _placed(parent: Element, pairs: dict[Element, Element], moved: set[Element]) -> Iterator[Node]:
    """Yield the children of an element, with parts at their places and without parts that move elsewhere."""
    iterators = [(iter(parent.children), _comments(parent))]
    while iterators:
        children, comments = iterators[-1]
        for node in children:
            part = pairs.get(node) if isinstance(node, Element) else None
            if part is not None:
                _skip_meanwhile(node.attrs["id"], children, comments)
                iterators.append((iter(part.children), _comments(part)))
                break
            if node not in moved:
                yield node
        else:
            iterators.pop()


def _comments(element: Element) -> set[str]:
    return {node.text for node in element.children if node.tag == "#comment"}


def _skip_meanwhile(place: str, rest: Iterator[Node], comments: set[str]) -> None:
    """Skip the nodes that are shown until the part arrives, if a comment marks their end."""
    end = "/$" if place[:2] == "B:" else place
    if end not in comments:
        return
    depth = 1
    for node in rest:
        if node.tag == "#comment":
            depth += (end == "/$" and node.text in _BOUNDARIES) - (node.text == end)
            if not depth:
                return


def _place_shadow_tree(host: Element) -> None:
    """Replace the children of a host by its shadow tree, and put them into the slots of that tree."""
    modes = ((node, node.attrs.get("shadowrootmode", "")) for node in host.children if node.tag == "template")
    tree = next((node for node, mode in modes if mode.lower() in ("open", "closed")), None)
    if tree is None or not ("-" in host.tag or host.tag in _HOSTS):
        return
    slots: dict[str, list[Node]] = {}
    for node in host.children:
        if node is not tree and node.tag != "#comment":
            slots.setdefault(node.attrs.get("slot", ""), []).append(node)
    _adopt(host, list(tree.children))
    stack = [node for node in reversed(host.children) if isinstance(node, Element)]
    while stack:
        element = stack.pop()
        if element.tag == "slot":
            nodes = slots.pop(element.attrs.get("name", ""), [])
            if any(node.tag is not None or not node.text.isspace() for node in nodes):
                _adopt(element, nodes)
                continue
        if element.tag != "template":
            stack += [node for node in reversed(element.children) if isinstance(node, Element)]


def _adopt(parent: Element, nodes: list[Node]) -> None:
    parent.children = nodes
    for node in nodes:
        node.parent = parent
