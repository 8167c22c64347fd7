"""Use site rules on a page. In: Rules and the page's tree, which is changed. Out: Applied.

The elements that `body` selects are moved into a document of their own, after what is to be stripped has been removed,
so that tables, lists and code come out as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.html.head_links import base_of
from webtool.html.node import Document, Element, Node, elements, walk
from webtool.lean.records import NamedTuple
from webtool.siteconfig.rules import Link, Rules
from webtool.xpath import Attribute, Budget, Expression, XPathError
from webtool.xpath.conversions import Value, text_of
from webtool.xpath.data import AnyNode

MAX_REPLACEMENTS_LENGTH = 4  # times the page's own length
NODES = 5_000_000  # to be looked at by all expressions together, one page
MAX_AUTHORS = 20
_SIGNS = "¶§ "  # of links from a heading to itself
MAX_NAME = 500  # characters of a title, author or date


class Applied(NamedTuple):
    """What the rules found; `body` is None where they found no text."""

    body: Document | None
    title: str = ""
    author: str = ""
    date: str = ""
    single_page: str = ""
    next_page: str = ""
    is_stripped: bool = False
    """Whether something was removed from the tree."""
    problems: tuple[str, ...] = ()


def replaced(rules: Rules, text: str) -> str:
    """The page's source after find_string and replace_string; growth is bounded."""
    longest = len(text) * MAX_REPLACEMENTS_LENGTH + 65536
    for old, new in rules.replacements:
        if old and len(text) + text.count(old) * (len(new) - len(old)) <= longest:
            text = text.replace(old, new)
    return text


def apply(rules: Rules, root: Document, url: str) -> Applied:
    """Apply the rules to a page; `url` is where it comes from, and makes the links to further parts absolute."""
    work = _Work(rules, root)
    single_page = work.link(rules.single_page_link, url)
    next_page = work.link(rules.next_page_link, url)
    title, date = work.text(rules.title).rstrip(_SIGNS), work.text(rules.date)
    author = ", ".join(dict.fromkeys(text for one in rules.author for text in work.texts([one], MAX_AUTHORS)))
    is_stripped = work.strip()
    work.rearrange()
    body = work.body()
    return Applied(body, title, author, date, single_page, next_page, is_stripped, tuple(work.problems))


class _Work:
    """One page under its rules; an expression that cannot be evaluated is named and passed over."""

    def __init__(self, rules: Rules, root: Document) -> None:
        self._rules = rules
        self._root = root
        self._budget = Budget(NODES)
        self.problems: list[str] = []

    def select(self, expression: Expression) -> list[AnyNode]:
        """The nodes that an expression finds."""
        value = self._value(expression)
        return value if isinstance(value, list) else []

    def texts(self, expressions: Iterable[Expression], at_most: int = 1) -> list[str]:
        """What the first expression that finds something finds, as texts."""
        for expression in expressions:
            value = self._value(expression)
            found = value if isinstance(value, list) else [text_of(value)]
            texts: list[str] = []
            for one in found[:MAX_AUTHORS]:
                text = " ".join((one if isinstance(one, str) else one.text).split())[:MAX_NAME]
                texts += [text] if text and len(texts) < at_most else []
            if texts:
                return texts
        return []

    def text(self, expressions: Iterable[Expression]) -> str:
        """The first text that is found."""
        return "".join(self.texts(expressions))

    def link(self, links: Iterable[Link], url: str) -> str:
        """The absolute URL of the first link whose condition holds; a link to the page itself is none."""
        base = base_of(self._root, url) if self._rules.single_page_link or self._rules.next_page_link else url
        for link in links:
            if link.condition is not None and not self._value(link.condition):
                continue
            for reference in self._references(link.expression):
                try:
                    target = urls.join(base, reference) if reference else ""
                except InvalidUrl:
                    continue
                if target.startswith(("http://", "https://")) and target.partition("#")[0] != url.partition("#")[0]:
                    return target
        return ""

    def _references(self, expression: Expression) -> list[str]:
        """What the nodes found refer to; an expression may also put a reference together, e.g. with concat()."""
        value = self._value(expression)
        if not isinstance(value, list):
            return [value.strip()] if isinstance(value, str) else []
        found = (node.text if isinstance(node, Attribute) else node.attrs.get("href", "") for node in value)
        return [reference.strip() for reference in found]

    def _value(self, expression: Expression) -> Value:
        """What an expression says: nodes, a text, a number, or whether something holds."""
        try:
            return expression.evaluate(self._root, budget=self._budget)
        except XPathError as exc:
            self.problems.append(f"{self._rules.id}.txt: {exc}")
            return []

    def strip(self) -> bool:
        """Remove what strip, strip_id_or_class and strip_image_src name; whether there was something."""
        is_stripped = False
        for expression in self._rules.strip:
            nodes = self.select(expression)
            is_stripped |= bool(nodes)
            _remove([node for node in nodes if not isinstance(node, Attribute)])
            for node in nodes:
                if isinstance(node, Attribute):
                    node.parent.attrs.pop(node.name, None)
        if self._rules.strip_id_or_class or self._rules.strip_image_src:
            named = [element for element in elements(self._root) if self._is_named(element)]
            is_stripped |= bool(named)
            _remove(named)
        return is_stripped

    def rearrange(self) -> None:
        """dissolve, wrap_in and move_into, in this order."""
        for expression in self._rules.dissolve:
            _dissolve(self._elements(expression))
        for tag, expression in self._rules.wrap_in:
            for element in self._elements(expression):
                if element.parent is not None:
                    _wrap(element, tag)
        for place, expression in self._rules.move_into:
            places = self._elements(place)
            above = _with_ancestors(places[0]) if places else set()
            for element in self._elements(expression) if places else ():
                if id(element) not in above:  # nothing can be moved into itself
                    _remove([element])
                    places[0].append(element)

    def _elements(self, expression: Expression) -> list[Element]:
        return [node for node in self.select(expression) if type(node) is Element]

    def _is_named(self, node: Node) -> bool:
        names = f"{node.attrs.get('id', '')} {node.attrs.get('class', '')}"
        if any(word in names for word in self._rules.strip_id_or_class):
            return True
        source = node.attrs.get("src", "") if node.tag == "img" else ""
        return any(part in source for part in self._rules.strip_image_src)

    def body(self) -> Document | None:
        """The elements that the first fruitful body expression selects, in a document of their own."""
        for expression in self._rules.body:
            chosen = {id(node) for node in self.select(expression) if type(node) is Element}
            outermost = _outermost(self._root, chosen)
            if not any(node.text.strip() or any(one.tag == "img" for one in elements(node)) for node in outermost):
                continue
            _remove(outermost)
            body = Document()
            for node in outermost:
                part = Element("div")  # a block of its own, be it a span
                part.append(node)
                body.append(part)
            return body
        return None


def _dissolve(elements: list[Element]) -> None:
    """What is in the elements takes their place; each parent's children are gone through once."""
    gone = {id(element) for element in elements if element.parent is not None}
    for parent in _parents_outside(elements, gone):
        children, rest = [], list(reversed(parent.children))
        while rest:
            child = rest.pop()
            if id(child) in gone:
                rest.extend(reversed(child.children))
            else:
                child.parent = parent
                children.append(child)
        parent.children = children


def _parents_outside(elements: list[Element], gone: set[int]) -> list[Element]:
    """The parents of dissolved elements that stay themselves."""
    parents = {id(one.parent): one.parent for one in elements if one.parent is not None and id(one.parent) not in gone}
    return list(parents.values())


def _wrap(element: Element, tag: str) -> None:
    parent = element.parent
    assert parent is not None
    around = Element(tag)
    around.parent = parent
    parent.children = [around if child is element else child for child in parent.children]
    around.append(element)


def _with_ancestors(element: Element) -> set[int]:
    found, at = set(), element
    while at is not None:
        found.add(id(at))
        at = at.parent  # type: ignore[assignment]
    return found


def _outermost(root: Document, chosen: set[int]) -> list[Element]:
    """The chosen elements that lie in no other chosen one, in document order."""
    found, inside = [], 0
    for event, node in walk(root):
        if id(node) not in chosen:
            continue
        if event == "open":
            if not inside:
                found.append(node)
            inside += 1
        elif event == "close":
            inside -= 1
    return found  # type: ignore[return-value]


def _remove(nodes: Sequence[AnyNode]) -> None:
    """Take the nodes out of the tree; each parent's children are gone through once."""
    gone = {id(node) for node in nodes}
    for parent in {id(node.parent): node.parent for node in nodes if node.parent is not None}.values():
        parent.children = [child for child in parent.children if id(child) not in gone]
    for node in nodes:
        node.parent = None
