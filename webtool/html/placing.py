"""Content that a page brings in another place than where it shows, put where it shows. In: the tree of a page; out: the
same tree, changed.

Frameworks stream a page in parts: what is not ready leaves a place, arrives hidden at the end and is moved by a script
of a line. React has templates B:n and P:n for its parts S:n, Marko elements with an id like afph7 for af7, Solid
templates pl-n for templates n. Behind React's B:n and Solid's places stands, up to a comment, what is shown meanwhile.
A declarative shadow tree shows in the place of its host's children, which show in its slots (DOM section 4.8, HTML
section 4.12.3). The tree that a browser's parser makes is parse_html()'s; this is what its reader sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.html.node import Element, Node, elements, walk
from webtool.lean import patterns

_has_place = patterns.compile(r" (?:[BP]:|pl-|af\w{0,40}?ph[0-9])").search
_place = patterns.compile(r"(?P<react>[BP]):(\w+)|pl-(.+)|(af\w{0,40}?)ph([0-9]{1,6})").fullmatch
_BOUNDARIES = frozenset(("$", "$?", "$!", "$~"))  # React's comments where something begins that ends with "/$"
_HOSTS = frozenset((
    "article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main",
    "nav", "p", "section", "span",
))  # fmt: skip


def place_content(root: Element, ids: list[str], *, has_shadows: bool) -> bool:
    """Move what the page's own scripts, or its shadow trees, show in another place, and say whether there may be such.
    `ids` are those of its elements. Linear."""
    has_places = _has_place(" " + " ".join(ids)) is not None
    if has_places:
        _place_parts(root)
    if has_shadows:
        for element in elements(root):
            _place_shadow_tree(element)
    return has_places or has_shadows


class _Parts:
    """The places of a page and the parts that belong there, and which of these hold which."""

    def __init__(self, root: Element) -> None:
        self.places: dict[str, Element] = {}  # by the id of the part
        self.parts: dict[str, Element] = {}
        self.around: dict[Element, Element | None] = {}  # of a place or part: the part that it is in
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
        """Places with their parts, without those that would stand in themselves."""
        place_of = {part: self.places[name] for name, part in self.parts.items() if name in self.places}
        ends: dict[Element, bool] = {}  # whether the way from a part up through the places of others ends
        for part in place_of:
            way: list[Element] = []
            up: Element | None = part
            while up is not None and up not in ends:
                ends[up] = False  # until the end is reached: who comes by again goes in a circle
                way.append(up)
                up = self.around[place_of.get(up, up)]
            ends.update(dict.fromkeys(way, up is None or ends[up]))
        return {place: part for part, place in place_of.items() if ends[part]}


def _part_of(place: str) -> str:
    """The id of the part that belongs in the place with this id; "" for another id."""
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
    """The children of an element with the parts in their places."""
    rests = [(iter(parent.children), _comments(parent))]
    while rests:
        rest, comments = rests[-1]
        for node in rest:
            part = pairs.get(node) if isinstance(node, Element) else None
            if part is not None:
                _pass_over_meanwhile(node.attrs["id"], rest, comments)
                rests.append((iter(part.children), _comments(part)))
                break
            if node not in moved:
                yield node
        else:
            rests.pop()


def _comments(element: Element) -> set[str]:
    return {node.text for node in element.children if node.tag == "#comment"}


def _pass_over_meanwhile(place: str, rest: Iterator[Node], comments: set[str]) -> None:
    """Pass over what is shown until the part is there, where comments say how far it goes."""
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
    """Let a shadow tree stand in the place of the children of its host, with these in its slots."""
    tree = next((node for node in host.children if node.tag == "template" and "shadowrootmode" in node.attrs), None)
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
