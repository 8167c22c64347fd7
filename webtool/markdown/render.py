"""Tree in, GFM markdown out: one walk in document order over an explicit stack.

The walk collects inline tokens and hands each block's run to inline.render and the result to blocks.Writer. What a tag
means is in the table of handlers that it is given. Where blocks must become one line (table cells, headings), block
edges turn into tokens of the run instead: `flat` says so.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.markdown import blocks, callouts, escape, footnotes, formulas, inline, tables
from webtool.markdown.invisible import clean_code
from webtool.markdown.layout import BREAK, GAP, TASKS, Code, Preserved, Span, collapsed
from webtool.markdown.links import Links
from webtool.running.budget import Spent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Any, Callable, Optional

    from webtool.html.node import Element, Node
    from webtool.running.budget import Budget

    Close = Optional[Callable[[Any], None]]
    Opened = Optional[tuple[Close, Any]]
    Handler = Callable[["Renderer", Element], Opened]
    Linked = tuple[Element, str, str]  # a heading in a link around it, URL, title

ASCII_SPACE = " \t\n\r\f"
MAX_FORMATS = 8  # open spans: more than any author means
_MAX_OF_KIND = {"link": 1, "del": 1, "em": 3, "strong": 3}  # GFM has no links in links


class Renderer:
    """The state of one conversion."""

    def __init__(
        self, links: Links, hidden: Container[Any], rules: dict[str, Handler], budget: Budget, images: str = "keep"
    ) -> None:
        self.writer = blocks.Writer(budget)
        self.budget = budget
        self.links = links
        self.images = images  # "keep", "alt" or "none"
        self.hidden = hidden
        self.run: list[Any] = []
        self.formats: list[Span] = []
        self.lists: list[blocks.ListState | None] = []
        self.flat = False
        self.linked: Linked | None = None
        self.heading = ""  # "## " while a heading that holds blocks waits for its first text
        self.grid: tables.Grid | None = None
        self.preserve = 0  # open elements in which white space counts
        self.code = 0  # open code elements that hold links
        self.boxes = 0  # open boxes of formulas in which no formula was found
        self.notes: dict[str, str] | None = None  # labels of footnotes, once one was referred to
        self.class_kinds: dict[str, str] = {}  # class names: "" where they mean nothing here
        self.inside = 0  # documents and shadow trees that are open inside this one
        self.slots: dict[str, list[Node]] = {}  # children of the open shadow tree's host
        self._rests: list[Iterator[Node]] = []
        self.rules = rules
        self.fills = [tables.FILLED]

    def render(self, root: Element) -> str:
        """The markdown of the tree below `root`; where the budget ends, the text so far and a note."""
        try:
            self.walk(root.children if root.tag[0] == "#" else (root,))
            self.flush()
        except Spent:
            self._end_early()
        for url, number in self.links.numbered().items():
            self.writer.block(blocks.DEFINITION, f"[{number}]: {escape.destination(url)}")
        return self.writer.text()

    def _end_early(self) -> None:
        """Write what was collected, and why there is no more."""
        note = self.budget.note()
        self.writer.budget = None
        self.flat = False
        self.flush()
        if self.grid is not None:
            self.writer.block(blocks.TABLE, self.grid.markdown())
        while self.writer.depth:
            self.writer.close()
        self.writer.block(blocks.PARAGRAPH, f"[{note}]")

    def walk(self, nodes: Iterable[Node]) -> None:
        """Visit the nodes and what is in them, in document order."""
        rules, hidden, run_of = self.rules, self.hidden, self
        outer, rests = self._rests, [iter(nodes)]
        self._rests = rests
        closes: list[tuple[Close, Any]] = [(None, None)]
        while rests:
            for node in rests[-1]:
                tag = node.tag
                if tag is None:
                    if self.preserve or self.code:
                        self.special_text(node.text)
                    elif run_of.run or node.text.strip(ASCII_SPACE):
                        run_of.run.append(node.text)
                    continue
                if node in hidden:
                    continue
                rule = rules.get(tag)
                if rule is None:
                    opened: Opened = self.by_attributes(node) if node.attrs else PLAIN  # type: ignore[arg-type]
                else:
                    opened = rule(self, node)  # type: ignore[arg-type]
                if opened is not None:
                    rests.append(iter(node.children))
                    closes.append(opened)
                    break
            else:
                rests.pop()
                close, argument = closes.pop()
                if close is not None:
                    close(argument)
        self._rests = outer

    def skip_siblings(self) -> None:
        """Pass over what stands behind the element that is being opened."""
        for _ in self._rests[-1]:
            pass

    # Runs and blocks

    def flush(self, _: Any = None) -> None:
        """The edge of a block: write what was collected as a paragraph."""
        run = self.run
        if not run:
            return
        if self.flat:
            run.append(GAP)
            return
        formats = self.formats
        if not formats:
            self.run = []
            self.paragraph(run)
            return
        self.reopen(self.paragraph(self.closed_run()))

    def paragraph(self, run: list[Any]) -> bool:
        """Write one run as a paragraph, or as the heading that waits for its text; says whether there was anything."""
        text = inline.render(run, inline.LINE if self.heading else inline.PARAGRAPH)
        if not text:
            return False
        if self.heading:
            self.writer.block(blocks.HEADING, self.heading + escape.heading(text))
            self.heading = ""
        else:
            is_task = run[0] is TASKS[0] or run[0] is TASKS[1]
            self.writer.block(blocks.PARAGRAPH, text if is_task else escape.paragraph(text))
        return True

    def closed_run(self) -> list[Any]:
        """What was collected, which is emptied, with the open formats closed at its end."""
        run = self.run
        run.extend([(False, span) for span in reversed(self.formats)])
        self.run = []
        for span in self.formats:  # an empty link is written where it ends, and only if nothing was in it
            span.keep = None if span.keep else span.keep
        return run

    def reopen(self, has_written: bool) -> None:
        """Open the open formats again, links only if nothing was written: of blocks in a link the first is linked."""
        if has_written:
            self.formats = [span for span in self.formats if span.kind != "link"]
        else:
            for span in self.formats:
                span.keep = span.keep is None
        self.run = [(True, span) for span in self.formats]

    def one_line(self, line_break: str = inline.LINE) -> str:
        """What was collected since the run was emptied, as one line; open formats are closed and opened again."""
        if not self.formats:
            run, self.run = self.run, []
            return inline.render(run, line_break)
        text = inline.render(self.closed_run(), line_break)
        self.reopen(bool(text))
        return text

    def special_text(self, text: str) -> None:
        """Text of code with links, or text where white space counts: line ends are line breaks there."""
        if self.code:
            text = clean_code(collapsed(text))
            self.run.append(Code(text) if text.strip() else " ")
            return
        first, *others = text.split("\n")
        if first:
            self.run.append(Preserved(first))
        for line in others:
            self.run.append(BREAK)
            if line:
                self.run.append(Preserved(line))

    def by_attributes(self, element: Element) -> Opened:
        """An element whose tag says nothing; its class, role and style may."""
        attrs = element.attrs
        names = attrs.get("class")
        if (names and self.class_kinds.get(names, names)) or "role" in attrs:
            opened = self.by_meaning(element)
            if opened is not PLAIN:
                return opened
        return self.by_style(element) if "style" in attrs else PLAIN

    def by_meaning(self, element: Element) -> Opened:
        """What an element's class or role makes of it: a formula, a callout, a part of a table; PLAIN for nothing."""
        attrs = element.attrs
        names = attrs.get("class")
        if names:
            kind = self.class_kinds.get(names)
            if kind is None:
                kind = self.class_kinds[names] = (
                    "#formula" if formulas.is_formula(names) else callouts.meaning_of(names)
                )
            if kind:
                return self.rules[kind](self, element)
        rule = self.rules.get("@" + attrs["role"]) if "role" in attrs else None
        return PLAIN if rule is None else rule(self, element)

    def by_style(self, element: Element) -> Opened:
        """An inline element whose style may make it a block or keep its white space."""
        style = element.attrs["style"]
        is_block = is_block_style(style)
        preserve = "white-space" in style and keeps_white_space(style) is not None
        if not is_block and not preserve:
            return PLAIN
        return self.box(is_block, preserve)

    def box(self, is_block: bool, preserve: bool) -> Opened:
        """Open a box; its end is undone by end_box."""
        if is_block:
            self.flush()
        self.preserve += preserve
        return Renderer.end_box, (self, is_block, preserve)

    @staticmethod
    def end_box(state: tuple[Renderer, bool, bool]) -> None:
        """Close what box opened."""
        self, is_block, preserve = state
        self.preserve -= preserve
        if is_block:
            self.flush()

    def note_label(self, element: Element, name: str) -> str | None:
        """The label of the footnote with this id, None when there is no such note."""
        if self.notes is None:
            top = element
            while top.parent is not None:
                top = top.parent
            self.notes = footnotes.labels_of(top)
        return self.notes.get(name)

    def open_format(
        self, kind: str, url: str = "", title: str = "", *, element: Element | None = None, tag: str = ""
    ) -> Opened:
        """Begin a span; spans too deep, links in links and strikethrough in strikethrough are left out."""
        if len(self.formats) >= MAX_FORMATS:
            return PLAIN
        if self.formats and [span.kind for span in self.formats].count(kind) >= _MAX_OF_KIND[kind]:
            return PLAIN
        if kind == "link" and not self.links.are_written:
            return PLAIN
        span = Span(kind, url, title, element, tag)
        if kind == "link":
            span.number = self.links.number(url)
        self.formats.append(span)
        self.run.append((True, span))
        return self.close_format, span

    def close_format(self, span: Span) -> None:
        """End a span."""
        formats = self.formats
        if formats and formats[-1] is span:
            formats.pop()
        elif span in formats:
            formats.remove(span)
        else:  # a link of which a block has been written
            return
        self.run.append((False, span))


PLAIN: Opened = (None, None)
display_of = patterns.compile(r"(?i)(?:^|[;\s])display\s*:\s*([a-z-]+)").search
keeps_white_space = patterns.compile(
    r"(?i)white-space(?:-collapse)?\s*:\s*(?:pre\b|pre-wrap|pre-line|break-spaces|preserve)"
).search
_BLOCK_DISPLAYS = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "table-row"))


def is_block_style(style: str) -> bool:
    """Whether a style attribute makes an inline element a block."""
    if "display" not in style:
        return False
    display = display_of(style)
    return display is not None and display[1].lower() in _BLOCK_DISPLAYS
