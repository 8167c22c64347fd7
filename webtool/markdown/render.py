"""Tree in, GFM markdown out: one walk in document order over an explicit stack.

The walk collects inline tokens and hands each block's run to inline.render and the result to blocks.Writer. What a tag
means is in the table of handlers that it is given. Where blocks must become one line (table cells, headings), block
edges turn into tokens of the run instead: `flat` says so.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from webtool.html.node import NOTE, Element, Node, short_text, top_of
from webtool.lean import patterns
from webtool.lean.typing import Any, Callable, Optional
from webtool.markdown import blocks, escape, footnotes, inline, meanings, tables
from webtool.markdown.inline import Run
from webtool.markdown.invisible import clean_code
from webtool.markdown.layout import GAP, SEAM, TASKS, Code, Preserved, Raw, collapsed
from webtool.markdown.links import Links
from webtool.markdown.naming import Labels
from webtool.running.budget import Budget, Spent

Close = Optional[Callable[[Any], None]]
Opened = Optional[tuple[Close, Any]]
Handler = Callable[["Renderer", Element], Opened]
Linked = tuple[Element, str, str]  # a heading in a link around it, URL, title

ASCII_SPACE = " \t\n\r\f"
_SIGNS = frozenset("/.,:\u2044")
_LAST = 6  # tokens of a run that say what stands before an element
_DRAWN = frozenset(("span", "i", "em", "b"))  # without text: icons, stars, lines between


class Conversion:
    """Options, targets of links, the table of rules, and what was found out about the whole page on the way."""

    def __init__(self, links: Links, rules: dict[str, Handler], budget: Budget, images: str = "keep") -> None:
        self.links = links
        self.rules = rules
        self.budget = budget
        self.images = images  # "keep", "alt" or "none"
        self.notes: footnotes.Notes | None = None  # once one may have been referred to
        self.class_kinds: dict[str, str] = {}  # class names: "" where they mean nothing here
        self.fills = [tables.FILLED]

    def class_kind(self, names: str) -> str:
        """The rule for an element with these class names; "" where they mean nothing here."""
        kind = self.class_kinds.get(names)
        if kind is None:
            kind = self.class_kinds[names] = meanings.class_kind(names)
        return kind

    def note_label(self, element: Element, name: str) -> str | None:
        """The label of the footnote with this id; None where the page has no such footnote."""
        if self.notes is None:
            self.notes = footnotes.Notes(top_of(element))
        return self.notes.labels.get(name)


class Renderer:
    """One walk: where it is, and what has been collected for the block at hand."""

    def __init__(self, page: Conversion, hidden: Container[Any], boxes: dict[Element, str]) -> None:
        self.page = page
        self.hidden = hidden
        self.arranged = dict(boxes)  # elements that a style sheet makes boxes of, and notes that only links tell
        self.writer = blocks.Writer(page.budget)
        self.labels = Labels(hidden)
        self.run = Run(page.links, self.labels)
        self.lists: list[blocks.ListState | None] = []
        self.flat = False
        self.linked: Linked | None = None
        self.heading = ""  # "## " while a heading that holds blocks waits for its first text
        self.grid: tables.Grid | None = None
        self.head_above: tuple[int, int] | None = None  # where a table of headers only was written, and its width
        self.preserve = 0  # open elements in which white space counts
        self.code = 0  # open code elements that hold links
        self.boxes = 0  # open boxes of formulas in which no formula was found
        self.inside = 0  # documents that are open inside this one
        self.bracketed: dict[Element, bool] = {}  # parents of ruby texts: whether brackets stand around these

    def render(self, root: Element) -> str:
        """The markdown of the tree below `root`; where the budget ends, the text so far and a note."""
        try:
            self.walk(root.children if root.tag[0] == "#" else (root,))
            self.flush()
        except Spent:
            self._end_early()
        for url, number in self.page.links.numbered().items():
            self.writer.block(blocks.DEFINITION, f"[{number}]: {escape.destination(url)}")
        return self.writer.text()

    def _end_early(self) -> None:
        """Write what was collected, and why there is no more."""
        note = self.page.budget.note()
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
        rules, hidden, run, arranged = self.page.rules, self.hidden, self.run, self.arranged
        rests = [iter(nodes)]
        closes: list[tuple[Close, Any]] = [(None, None)]
        while rests:
            for node in rests[-1]:
                tag = node.tag
                if tag is None:
                    if self.preserve or self.code:
                        self.special_text(node.text)
                    elif run or node.text.strip(ASCII_SPACE):
                        run.append(node.text)
                    continue
                if node in hidden:
                    if run and node.children:
                        self._keep_sign(node)  # type: ignore[arg-type]
                    continue
                rule = rules.get(tag)
                if arranged and node in arranged:
                    opened: Opened = self.page.rules["#arranged"](self, node)
                elif rule is None:
                    opened = self.by_attributes(node) if node.attrs else PLAIN  # type: ignore[arg-type]
                else:
                    opened = rule(self, node)  # type: ignore[arg-type]
                if opened is None:
                    continue
                children = node.children
                if len(children) > 1 or (children and (children[0].tag is not None or self.preserve or self.code)):
                    rests.append(iter(children))
                    closes.append(opened)
                    break
                if children and (run or children[0].text.strip(ASCII_SPACE)):
                    run.append(children[0].text)
                elif run and tag in _DRAWN and not children and "class" in node.attrs:
                    run.add_seam()
                if opened[0] is not None:
                    opened[0](opened[1])
            else:
                rests.pop()
                close, argument = closes.pop()
                if close is not None:
                    close(argument)

    def _keep_sign(self, hidden: Element) -> None:
        """The sign between two numbers, which a fraction shows by their places and has in a hidden box."""
        sign, last = hidden.children[0], self.run[-1]
        if sign.tag is None and sign.text in _SIGNS and type(last) is str and last[-1:].isdecimal():
            self.run.append(sign.text)

    # Runs and blocks

    def flush(self, _: Any = None) -> None:
        """The edge of a block: write what was collected as a paragraph."""
        run = self.run
        if not run:
            return
        if self.flat:
            run.append(GAP)
            return
        has_written = self.paragraph(run.take())
        if run.spans:
            run.reopen(has_written)

    def paragraph(self, run: list[Any]) -> bool:
        """Write one run as a paragraph, or as the heading that waits for its text; says whether there was anything."""
        text = inline.render(run, inline.LINE if self.heading else inline.PARAGRAPH)
        if not text:
            return False
        if self.heading:
            self.writer.block(blocks.HEADING, self.heading + escape.heading(text))
            self.heading = ""
        else:
            is_task = type(run[0]) is Raw and run[0] in TASKS
            if is_task and not text[3:].strip() and any(run[0] is box for box in TASKS):
                return False  # a box of which nothing says what it is for
            if is_task and text[3:4] == "\\":  # a box is one before a space only
                text = f"{text[:3]} {text[3:]}"
            self.writer.block(blocks.PARAGRAPH, escape.paragraph(text, is_task=is_task))
        return True

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
            self.page.rules["br"](self, _BR)
            if line:
                self.run.append(Preserved(line))

    def note_label(self, link: Element, href: str) -> str | None:
        """The label of the footnote that a link refers to, if the page has it."""
        is_first = self.page.notes is None
        label = self.page.note_label(link, href.partition("#")[2])
        if is_first and self.page.notes is not None:
            self.arranged.update(dict.fromkeys(self.page.notes.blocks, NOTE))
        return label

    def by_attributes(self, element: Element) -> Opened:
        """An element whose tag says nothing; its class, role and style may."""
        attrs = element.attrs
        names = attrs.get("class")
        if self.run:
            self.keep_apart(element)
        if (names and self.page.class_kinds.get(names, names)) or "role" in attrs or "aria-label" in attrs:
            opened = self.by_meaning(element)
            if opened is not PLAIN:
                return opened
        return self.by_style(element) if "style" in attrs else PLAIN

    def keep_apart(self, element: Element) -> None:
        """Write the space before an inline element that only a style sheet makes."""
        run = [token for token in self.run[-_LAST:] if token is not SEAM] or [""]
        last: Any = run[-1]
        if type(last) is tuple and not last[0] and len(run) > 1:  # behind a link or emphasis
            link, last = last[1], run[-2]
            if type(last) is tuple and last[1] is link and link.kind == "link" and short_text(element)[:1].isalnum():
                self.run.append(" ")  # which will be named after what it does not show
        if type(last) is str and not (self.preserve or self.boxes) and inline.are_apart(last, element, self.hidden):
            self.run.append(" ")

    def by_meaning(self, element: Element) -> Opened:
        """What an element's class or role makes of it: a formula, a callout, a part of a table; PLAIN for nothing."""
        attrs = element.attrs
        names = attrs.get("class")
        if names:
            kind = self.page.class_kind(names)
            if kind:
                return self.page.rules[kind](self, element)
        rule = self.page.rules.get("@" + attrs["role"]) if "role" in attrs else None
        if rule is None and "aria-label" in attrs:
            rule = self.page.rules["@img"]
        return PLAIN if rule is None else rule(self, element)

    def by_style(self, element: Element) -> Opened:
        """An inline element whose style may make it a block or keep its white space."""
        style = element.attrs["style"]
        if "mso-list" in style:  # Word's sign of an item, held apart from its text by a dozen spaces
            if not self.lists or self.lists[-1] is None:
                self.run.append(f"{short_text(element).strip()} ")
            return None
        is_block = is_block_style(style)
        preserve = "white-space" in style and keeps_white_space(style) is not None
        if not is_block and not preserve:
            if "line-through" in style and not self.code:
                return self.open_format("del", tag="s")
            aligned = vertical_align(style) if "vertical-align" in style else None
            return PLAIN if aligned is None else self.page.rules[_ALIGNED[aligned[1].lower()]](self, element)
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

    def open_format(
        self, kind: str, url: str = "", title: str = "", *, element: Element | None = None, tag: str = ""
    ) -> Opened:
        """Begin a span that ends with the element; PLAIN where Run.open begins none."""
        span = self.run.open(kind, url, title, element=element, tag=tag)
        return PLAIN if span is None else (self.run.close, span)

    def write_span(self, kind: str, text: str, url: str = "") -> None:
        """Write a span with this text in it."""
        span = self.run.open(kind, url)
        self.run.append(text)
        if span is not None:
            self.run.close(span)


PLAIN: Opened = (None, None)
_BR = Element("br", {})
display_of = patterns.compile(r"(?i)(?:^|[;\s])display\s*:\s*([a-z-]+)").search
keeps_white_space = patterns.compile(
    r"(?i)white-space(?:-collapse)?\s*:\s*(?:pre\b|pre-wrap|pre-line|break-spaces|preserve)"
).search
vertical_align = patterns.compile(r"(?i)vertical-align\s*:\s*(super|sub)\b").search
_ALIGNED = {"super": "#raised", "sub": "#lowered"}
_BLOCK_DISPLAYS = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "table-row"))


def is_block_style(style: str) -> bool:
    """Whether a style attribute makes an inline element a block."""
    if "display" not in style:
        return False
    display = display_of(style)
    return display is not None and display[1].lower() in _BLOCK_DISPLAYS
