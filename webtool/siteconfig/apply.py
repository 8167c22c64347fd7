"""Apply site rules to a page. In: Rules and the page's tree, which is changed. Out: Applied.

First title, author, date and links are read, then elements are stripped and rearranged. At last the elements that
`body` selects are moved into a document of their own, so that their tables, lists and code stay as they are. An
expression that cannot be evaluated is reported and skipped.
Tests: tests/siteconfig/test_apply.py
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from webtool import urls
from webtool.html.head_links import base_of
from webtool.html.node import Document, Element, Node, around, elements, walk
from webtool.lean.records import NamedTuple
from webtool.siteconfig.rules import Link, Rules
from webtool.xpath import Attribute, Budget, Expression, XPathError
from webtool.xpath.data import AnyNode
from webtool.xpath.functions import Value, text_of

MAX_GROWTH = 4  # times the length of a page; a replacement that would make it longer is skipped
MAX_NODES = 5_000_000  # visited by all expressions of one page together; then they find nothing more
MAX_AUTHORS = 20  # further ones are dropped
MAX_NAME = 500  # characters of a title, author or date; the rest is cut
_HEADING_SIGNS = "¶§ "  # texts of links from a heading to itself


class Applied(NamedTuple):
    """The result of applying rules to a page; "" for a text that they did not find."""

    body: Document | None  # the main content, or None without any
    title: str = ""
    author: str = ""
    date: str = ""
    single_page: str = ""  # absolute URL of a version with all parts
    next_page: str = ""  # absolute URL of the next part
    is_stripped: bool = False  # whether elements or attributes were removed from the tree
    problems: tuple[str, ...] = ()  # expressions that could not be evaluated, each with the file and why


def replaced(rules: Rules, text: str) -> str:
    """Return the page's source after find_string and replace_string. Replacements that make it too long are skipped."""
    max_length = len(text) * MAX_GROWTH + 65536
    for old, new in rules.replacements:
        if old and len(text) + text.count(old) * (len(new) - len(old)) <= max_length:
            text = text.replace(old, new)
    return text


def apply(rules: Rules, root: Document, url: str) -> Applied:
    """Apply the rules to a page. `url` is its address, against which links to further parts become absolute."""
    work = _Work(rules, root)
    single_page = work.link(rules.single_page_link, url)
    next_page = work.link(rules.next_page_link, url)
    title, date = work.text(rules.title).rstrip(_HEADING_SIGNS), work.text(rules.date)
    names = [name for expression in rules.author for name in work.texts([expression])]
    author = ", ".join(dict.fromkeys(names))
    is_stripped = work.strip()
    work.rearrange()
    body = work.body()
    return Applied(body, title, author, date, single_page, next_page, is_stripped, tuple(work.problems))


class _Work:
    """One page and its rules."""

    def __init__(self, rules: Rules, root: Document) -> None:
        self._rules = rules
        self._root = root
        self._budget = Budget(MAX_NODES)
        self.problems: list[str] = []

    def select(self, expression: Expression) -> list[AnyNode]:
        """Return the nodes that an expression finds."""
        value = self._value(expression)
        return value if isinstance(value, list) else []

    def texts(self, expressions: Iterable[Expression]) -> list[str]:
        """Return the texts of the first expression that finds any, at most MAX_AUTHORS."""
        for expression in expressions:
            value = self._value(expression)
            nodes = value if isinstance(value, list) else [text_of(value)]
            texts = [(node if isinstance(node, str) else node.text) for node in nodes[:MAX_AUTHORS]]
            lines = [line for line in (" ".join(text.split())[:MAX_NAME] for text in texts) if line]
            if lines:
                return lines
        return []

    def text(self, expressions: Iterable[Expression]) -> str:
        """Return the first text of the first expression that finds any."""
        return next(iter(self.texts(expressions)), "")

    def link(self, links: Sequence[Link], url: str) -> str:
        """Return the absolute URL of the first link whose condition holds, "" without one.

        Links to the page itself do not count.
        """
        if not links:
            return ""
        base = base_of(self._root, url)
        for link in links:
            if link.condition is not None and not self._finds_something(link.condition):
                continue
            for reference in self._references(link.expression):
                target = urls.join_or_empty(base, reference) if reference else ""
                if target.startswith(("http://", "https://")) and target.partition("#")[0] != url.partition("#")[0]:
                    return target
        return ""

    def _finds_something(self, condition: Expression) -> bool:
        """Return the value as boolean() does: nothing is found by [], "", 0 and NaN, which is true in Python."""
        value = self._value(condition)
        return bool(value) and not (isinstance(value, float) and math.isnan(value))

    def _references(self, expression: Expression) -> list[str]:
        """Return the addresses that an expression finds: attributes, hrefs of elements, or a text made by concat()."""
        value = self._value(expression)
        if not isinstance(value, list):
            return [value.strip()] if isinstance(value, str) else []
        references = [node.text if isinstance(node, Attribute) else node.attrs.get("href", "") for node in value]
        return [reference.strip() for reference in references]

    def _value(self, expression: Expression) -> Value:
        """Evaluate an expression: nodes, a text, a number or a truth value; [] if that fails."""
        try:
            return expression.evaluate(self._root, budget=self._budget)
        except XPathError as exc:
            self.problems.append(f"{self._rules.id}.txt: {exc}")
            return []

    def strip(self) -> bool:
        """Remove what strip, strip_id_or_class and strip_image_src select; return whether that was anything."""
        is_stripped = False
        for expression in self._rules.strip:
            nodes = self.select(expression)
            is_stripped |= bool(nodes)
            _remove([node for node in nodes if not isinstance(node, Attribute)])
            for node in nodes:
                if isinstance(node, Attribute):
                    node.parent.attrs.pop(node.name, None)
        if self._rules.strip_id_or_class or self._rules.strip_image_src:
            matching = [element for element in elements(self._root) if self._has_stripped_name(element)]
            is_stripped |= bool(matching)
            _remove(matching)
        return is_stripped

    def rearrange(self) -> None:
        """Apply dissolve, wrap_in and move_into, in this order."""
        for expression in self._rules.dissolve:
            _dissolve(self._elements(expression))
        for tag, expression in self._rules.wrap_in:
            _wrap(self._elements(expression), tag)
        for target_expression, expression in self._rules.move_into:
            targets = self._elements(target_expression)
            if targets:
                self._move(self._elements(expression), targets[0])

    def _move(self, moved: list[Element], target: Element) -> None:
        """Move the elements to the end of the target, except those that contain it."""
        containing = {id(target), *map(id, around(target, -1))}
        moved = [element for element in moved if id(element) not in containing]
        _remove(moved)
        for element in moved:
            target.append(element)

    def _elements(self, expression: Expression) -> list[Element]:
        return [node for node in self.select(expression) if type(node) is Element]

    def _has_stripped_name(self, node: Node) -> bool:
        """Whether strip_id_or_class or strip_image_src fits the element."""
        names = f"{node.attrs.get('id', '')} {node.attrs.get('class', '')}"
        if any(word in names for word in self._rules.strip_id_or_class):
            return True
        source = node.attrs.get("src", "") if node.tag == "img" else ""
        return any(part in source for part in self._rules.strip_image_src)

    def body(self) -> Document | None:
        """Return the elements of the first body expression that finds text or images, or None if none does.

        They are moved into a document of their own, each in a div: the rules may select inline elements.
        """
        for expression in self._rules.body:
            chosen = {id(element) for element in self._elements(expression)}
            outermost = _outermost(self._root, chosen) if chosen else []
            has_text = any(element.text.strip() for element in outermost)
            if not has_text and not any(inner.tag == "img" for element in outermost for inner in elements(element)):
                continue
            _remove(outermost)
            body = Document()
            for element in outermost:
                block = Element("div")
                block.append(element)
                body.append(block)
            return body
        return None


def _dissolve(elements: list[Element]) -> None:
    """Replace each element by its children: `<div><b>x</b></div>` without div is `<b>x</b>`.

    Each parent's children are visited once, so the cost stays linear when many siblings dissolve.
    """
    dissolved = {id(element) for element in elements if element.parent is not None}
    for parent in _parents(elements):
        if id(parent) in dissolved:
            continue
        children, pending = [], list(reversed(parent.children))
        while pending:
            child = pending.pop()
            if id(child) in dissolved:
                pending.extend(reversed(child.children))
            else:
                child.parent = parent
                children.append(child)
        parent.children = children


def _parents(nodes: Sequence[AnyNode]) -> list[Element]:
    """Return each element that is the parent of one of the nodes, once."""
    return list({id(node.parent): node.parent for node in nodes if node.parent is not None}.values())


def _wrap(elements: list[Element], tag: str) -> None:
    """Put each element into a new element of its own. Each parent's children are visited once."""
    wrapped = {id(element) for element in elements}
    for parent in _parents(elements):
        children, parent.children = parent.children, []
        for child in children:
            if id(child) in wrapped:
                wrapper = Element(tag)
                wrapper.append(child)
                parent.append(wrapper)
            else:
                parent.children.append(child)


def _outermost(root: Document, chosen: set[int]) -> list[Element]:
    """Return the chosen elements outside of all other chosen ones, in document order."""
    outermost, depth = [], 0
    for event, node in walk(root):
        if id(node) not in chosen:
            continue
        if event == "open":
            if not depth:
                outermost.append(node)
            depth += 1
        elif event == "close":
            depth -= 1
    return outermost  # type: ignore[return-value]


def _remove(nodes: Sequence[AnyNode]) -> None:
    """Remove the nodes from the tree. Each parent's children are visited once."""
    removed = {id(node) for node in nodes}
    for parent in _parents(nodes):
        parent.children = [child for child in parent.children if id(child) not in removed]
    for node in nodes:
        node.parent = None
