"""Walk an HTML tree in document order and write GFM markdown.

In: a tree, the handlers (tag -> function), and the elements that the page hides. Out: markdown text.

For each element the walk calls its handler. The handler may write something and returns a pair (close, argument):
`close(argument)` is called at the end of the element. PLAIN means that nothing is to be closed; None means that the
walk skips the element's content. Text and inline markup are collected as tokens in `run`; layout.py has their types. At
the edge of a block, flush() lets inline.render turn the run into one line of markdown and hands that line to
blocks.Writer. An example:

    <p>A <b>dog</b> runs.</p><p>It stops.    the page
    "A ", (True, strong), "dog", (False, strong), " runs."    the run when </p> calls flush()
    A **dog** runs.    the line that is written, before the next run begins with "It stops."

While `flat` is set, blocks have to become one line (table cells, headings, links around several lines). flush() then
adds the token GAP to the run and writes nothing. The walk keeps its own stack: pages nest deeper than Python recurses.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from webtool.html.elements import ASCII_SPACE
from webtool.html.node import NOTE, Element, Node, short_text, top_of
from webtool.lean.typing import Any, Callable, Optional
from webtool.markdown import blocks, escape, footnotes, inline, tables
from webtool.markdown.inline import Run
from webtool.markdown.invisible import clean_code
from webtool.markdown.layout import GAP, Code, EmptyTaskBox, Preserved, TaskBox, collapsed
from webtool.markdown.links import Links
from webtool.markdown.naming import Labels
from webtool.running.budget import Budget, Spent

Close = Optional[Callable[[Any], None]]
Opened = Optional[tuple[Close, Any]]
Handler = Callable[["Renderer", Element], Opened]
Linked = tuple[Element, str, str]  # a heading, and the URL and title of the link around it

_NUMBER_SEPARATORS = frozenset("/.,:\u2044")  # "1<span hidden>/</span>2" is written 1/2
_MAX_SIBLINGS = 300  # siblings of a hidden separator; with more, what follows it is not looked at
_DRAWN = frozenset(("span", "i", "em", "b"))  # if empty, a style sheet draws them as icons, stars or separators
PLAIN: Opened = (None, None)  # nothing to close: the walk goes on with the element's children
_BR = Element("br", {})


def _text_after(element: Element) -> str:
    """Return the text of the node after an element, "" without one, or if the element has too many siblings."""
    siblings = element.parent.children if element.parent is not None else []
    index = siblings.index(element) + 1 if 0 < len(siblings) <= _MAX_SIBLINGS else 0
    nodes = siblings[index : index + 1] if index else []
    return "".join(node.text if node.tag is None else short_text(node) for node in nodes)


class Conversion:
    """Hold what stays the same for one call of to_markdown: options, link resolver, handlers, budget."""

    def __init__(self, links: Links, handlers: dict[str, Handler], budget: Budget, images: str = "keep") -> None:
        self.links = links
        self.handlers = handlers
        self.budget = budget
        self.images = images  # "keep", "alt" or "none"
        self.allowance = tables.Allowance()  # which all tables share


class Renderer:
    """Walk one tree. The attributes are the state of the walk; handlers read and change them."""

    def __init__(self, page: Conversion, hidden: Container[Any], boxes: dict[Element, str]) -> None:
        self.page = page
        self.hidden = hidden
        self.notes: footnotes.Notes | None = None  # None until something may be a footnote or refer to one
        # Elements that a style sheet arranges (BLOCK, ITEM, TABLE ...), and NOTE for footnotes found by their links.
        self.arranged = dict(boxes)
        self.writer = blocks.Writer(page.budget)
        self.labels = Labels(hidden)
        self.run = Run(page.links, self.labels)
        # Open lists, innermost last; None marks a quote, callout or note.
        self.lists: list[blocks.ListState | None] = []
        self.flat = False  # block edges become GAP tokens of the run
        # In a link around blocks (a card): its heading, which becomes the link instead.
        # `<a href=/x><h3>Title</h3><p>Teaser</p></a>` gives `### [Title](/x)` and `Teaser`.
        self.linked: Linked | None = None
        self.heading = ""  # "## " while a heading that holds blocks waits for its first text
        self.grid: tables.Grid | None = None  # the data table that is open
        # The last table, if it was only a header: (len(writer.out) right after it, number of columns). A table of rows
        # that comes next belongs to it: pages keep a header above a scrolling body in place this way.
        self.head_above: tuple[int, int] | None = None
        self.preserve = 0  # open elements whose white space is preserved
        self.code = 0  # open code elements that hold links
        self.formula_boxes = 0  # open KaTeX or MathJax boxes without TeX; boxes inside them are not searched for TeX
        self.inside = 0  # open inner documents (srcdoc, noframes)
        self.bracketed: dict[Element, bool] = {}  # ruby element -> whether the page has rp brackets in it

    def render(self, root: Element) -> str:
        """Return the markdown of the tree below `root`. If the budget ends, return the text so far and a note."""
        try:
            self.walk(root.children if root.tag[0] == "#" else (root,))
            self.flush()
        except Spent:
            self._end_early()
        self.writer.budget = None  # the addresses of the list were charged when they were resolved
        for url, number in self.page.links.numbered().items():
            self.writer.block(blocks.DEFINITION, f"[{number}]: {escape.destination(url)}")
        return self.writer.text()

    def _end_early(self) -> None:
        """Write what was collected so far and the budget's note after it."""
        note = self.page.budget.note()
        self.writer.budget = None
        if self.flat and self.grid is not None:
            self.grid.add(self.run.take_line(inline.CELL), {}, is_header=False)
        self.flat = False
        self.flush()
        if self.grid is not None:
            self.writer.block(blocks.TABLE, self.grid.markdown())
        while self.writer.depth:
            self.writer.close()
        self.writer.block(blocks.PARAGRAPH, f"[{note}]")

    def walk(self, nodes: Iterable[Node]) -> None:
        """Visit the nodes and their descendants in document order."""
        handlers, hidden, run, arranged = self.page.handlers, self.hidden, self.run, self.arranged
        without_handler = handlers["#attributes"]
        iterators = [iter(nodes)]
        closes: list[tuple[Close, Any]] = [(None, None)]
        while iterators:
            for node in iterators[-1]:
                tag = node.tag
                if tag is None:
                    if self.preserve or self.code:
                        self.special_text(node.text)
                    elif run or node.text.strip(ASCII_SPACE):
                        run.append(node.text)
                    continue
                if node in hidden:
                    if run and node.children:
                        self._keep_number_separator(node)  # type: ignore[arg-type]
                    continue
                handler = handlers.get(tag)
                if arranged and node in arranged:
                    opened: Opened = handlers["#arranged"](self, node)
                elif handler is None:
                    opened = without_handler(self, node) if node.attrs else PLAIN  # type: ignore[arg-type]
                else:
                    opened = handler(self, node)  # type: ignore[arg-type]
                if opened is None:
                    continue
                children = node.children
                # Most elements have no child or one text: those are read here, without an iterator on the stack.
                if len(children) > 1 or (children and (children[0].tag is not None or self.preserve or self.code)):
                    iterators.append(iter(children))
                    closes.append(opened)
                    break
                if children and (run or children[0].text.strip(ASCII_SPACE)):
                    run.append(children[0].text)
                elif run and tag in _DRAWN and not children and "class" in node.attrs:
                    run.add_seam()
                if opened[0] is not None:
                    opened[0](opened[1])
            else:
                iterators.pop()
                close, argument = closes.pop()
                if close is not None:
                    close(argument)

    def _keep_number_separator(self, element: Element) -> None:
        """Keep a hidden separator between two numbers: a fraction drawn by its style sheet hides its slash.

        The second number may be in another box, so only other text right after the separator speaks against it.
        """
        separator, last = element.children[0], self.run[-1]
        is_separator = separator.tag is None and separator.text in _NUMBER_SEPARATORS
        if is_separator and type(last) is str and last[-1:].isdecimal():
            after = _text_after(element).lstrip()
            if not after or after[0].isdecimal():
                self.run.append(separator.text)

    # Runs and blocks

    def flush(self, _: Any = None) -> None:
        """End a block: write the run as a paragraph, or add GAP to it while `flat` is set. The argument is not used."""
        run = self.run
        if not run:
            return
        if self.flat:
            run.append(GAP)
            return
        was_written = self.paragraph(run.take())
        if run.spans:  # the block's edge is inside emphasis or a link, which go on in the next block
            run.reopen(was_written)

    def paragraph(self, run: list[Any]) -> bool:
        """Write the tokens as a paragraph, or as the heading that waits for its text.

        Returns False if nothing was visible, so that nothing was written.
        """
        text = inline.render(run, inline.LINE if self.heading else inline.PARAGRAPH)
        if not text:
            return False
        if self.heading:
            self.writer.block(blocks.HEADING, self.heading + escape.heading(text))
            self.heading = ""
        else:
            is_task = isinstance(run[0], TaskBox)  # the text begins with "[ ]" or "[x]"
            is_box_alone = is_task and not text[3:].strip()
            if is_box_alone and type(run[0]) is not EmptyTaskBox:
                return False
            if is_task and text[3:4] == "\\":  # GFM reads a task box only before a space
                text = f"{text[:3]} {text[3:]}"
            self.writer.block(blocks.PARAGRAPH, escape.paragraph(text, is_task=is_task))
        return True

    def special_text(self, text: str) -> None:
        """Add a text that is inside code with links, or whose white space is preserved.

        Line ends in preserved white space become line breaks.
        """
        if self.code:
            text = clean_code(collapsed(text))
            self.run.append(Code(text) if text.strip() else " ")
            return
        first, *further_lines = text.split("\n")
        if first:
            self.run.append(Preserved(first))
        for line in further_lines:
            self.page.handlers["br"](self, _BR)
            if line:
                self.run.append(Preserved(line))

    def note_label(self, element: Element, name: str) -> str | None:
        """Return the label of the footnote that has the id `name`, or None if the page has no such footnote.

        The first call searches the page of `element` for footnotes and marks those found by their links in `arranged`.
        """
        if self.notes is None:
            self.notes = footnotes.Notes(top_of(element))
            self.arranged.update(dict.fromkeys(self.notes.blocks, NOTE))
        return self.notes.labels.get(name)

    def open_format(
        self, kind: str, url: str = "", title: str = "", *, element: Element | None = None, tag: str = ""
    ) -> Opened:
        """Open a span that ends with the element: `kind` is "em", "strong", "del" or "link".

        Returns PLAIN if the span is refused: nested too deeply, or a link in a link.
        """
        span = self.run.open(kind, url, title, element=element, tag=tag)
        return PLAIN if span is None else (self.run.close, span)

    def write_span(self, kind: str, text: str, url: str = "") -> None:
        """Write a span that contains only this text."""
        span = self.run.open(kind, url)
        self.run.append(text)
        if span is not None:
            self.run.close(span)
