"""Tree in, GFM markdown out: one walk in document order over an explicit stack.

The walk collects inline tokens and hands each block's run to inline.render and the result to blocks.Writer. What a tag
means is in rules.RULES and in the handlers below. Where blocks must become one line (table cells, headings), block edges
turn into tokens of the run instead: `flat` says so.
"""

from __future__ import annotations

import re

from webtool.markdown import blocks, code, escape, footnotes, formulas, inline, media, tables
from webtool.markdown.inline import BREAK, GAP, Code, Preserved, Raw, Span
from webtool.markdown.links import Links
from webtool.markdown.rules import (
    BLOCKS,
    CODE_BLOCKS,
    CODE_SPANS,
    FORMATS,
    HEADINGS,
    LISTS,
    NOT_IN_HEADING,
    SKIPPED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any, Callable, Optional

    from webtool.html.node import Element

    Close = Optional[Callable[[Any], None]]
    Opened = Optional[tuple[Close, Any]]
    Handler = Callable[["Renderer", Element], Opened]

_ASCII_SPACE = " \t\n\r\f"
_MAX_FORMATS = 8  # open spans: more than any author means
_MAX_OF_KIND = {"link": 1, "del": 1, "em": 2, "strong": 2}  # GFM has no links in links; em in em is as far as it goes
_SHORT_TITLE = 40  # a link's tooltip is not on the page: a label may stay, a sentence may not


class Renderer:
    """The state of one conversion."""

    def __init__(self, links: Links, hidden: Container[Any], more_rules: dict[str, Handler]) -> None:
        self.writer = blocks.Writer()
        self.links = links
        self.hidden = hidden
        self.run: list[Any] = []
        self.formats: list[Span] = []
        self.lists: list[blocks.ListState | None] = []
        self.flat = False
        self.heading = ""  # "## " while a heading that holds blocks waits for its first text
        self.grid: tables.Grid | None = None
        self.preserve = 0  # open elements in which white space counts
        self.code = 0  # open code elements that hold links
        self.boxes = 0  # open boxes of formulas in which no formula was found
        self.notes: dict[str, str] | None = None  # labels of footnotes, once one was referred to
        self.class_kinds: dict[str, bool] = {}
        self.rules = {**RULES, **more_rules} if more_rules else RULES
        self.fills = [tables.FILLED]

    def render(self, root: Element) -> str:
        """Walk the tree below `root`."""
        rules, hidden, run_of = self.rules, self.hidden, self
        rests = [iter(root.children if root.tag[0] == "#" else (root,))]
        closes: list[tuple[Close, Any]] = [(None, None)]
        while rests:
            for node in rests[-1]:
                tag = node.tag
                if tag is None:
                    if self.preserve or self.code:
                        self.special_text(node.text)
                    elif run_of.run or node.text.strip(_ASCII_SPACE):
                        run_of.run.append(node.text)
                    continue
                if node in hidden:
                    continue
                rule = rules.get(tag)
                if rule is None:
                    opened: Opened = self.by_attributes(node) if node.attrs else _PLAIN
                else:
                    opened = rule(self, node)
                if opened is not None:
                    rests.append(iter(node.children))
                    closes.append(opened)
                    break
            else:
                rests.pop()
                close, argument = closes.pop()
                if close is not None:
                    close(argument)
        self.flush()
        return self.writer.text()

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
        if formats:
            run.extend([(False, span) for span in reversed(formats)])
            self.run = [(True, span) for span in formats]
            for span in formats:
                span.keep = False
        else:
            self.run = []
        self.paragraph(run)

    def paragraph(self, run: list[Any]) -> None:
        """Write one run as a paragraph, or as the heading that waits for its text."""
        if self.heading:
            text = inline.render(run, inline.LINE)
            if text:
                self.writer.block(blocks.HEADING, self.heading + escape.heading(text))
                self.heading = ""
            return
        text = inline.render(run)
        if text:
            self.writer.block(blocks.PARAGRAPH, text if run[0] is _TASKS[0] or run[0] is _TASKS[1] else escape.paragraph(text))

    def one_line(self, line_break: str = inline.LINE) -> str:
        """What was collected since the run was emptied, as one line; open formats are closed and opened again."""
        run = self.run
        run.extend([(False, span) for span in reversed(self.formats)])
        self.run = [(True, span) for span in self.formats]
        return inline.render(run, line_break)

    def special_text(self, text: str) -> None:
        """Text of code with links, or text where white space counts: line ends are line breaks there."""
        if self.code:
            text = code.clean_code(_one_space(" ", text))
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
        """An element whose tag says nothing; its class and style may."""
        attrs = element.attrs
        names = attrs.get("class")
        if names:
            is_formula = self.class_kinds.get(names)
            if is_formula is None:
                is_formula = self.class_kinds[names] = formulas.is_formula(names)
            if is_formula:
                return _formula_box(self, element)
        return self.by_style(element) if "style" in attrs else _PLAIN

    def by_style(self, element: Element) -> Opened:
        """An inline element whose style may make it a block or keep its white space."""
        style = element.attrs["style"]
        is_block = False
        if "display" in style:
            display = _display(style)
            is_block = display is not None and display[1].lower() in _BLOCK_DISPLAYS
        preserve = "white-space" in style and _white_space(style) is not None
        if not is_block and not preserve:
            return _PLAIN
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

    def open_format(self, kind: str, url: str = "", title: str = "", keep: bool = False) -> Opened:
        """Begin a span; spans too deep, links in links and strikethrough in strikethrough are left out."""
        if len(self.formats) >= _MAX_FORMATS:
            return _PLAIN
        if self.formats and [span.kind for span in self.formats].count(kind) >= _MAX_OF_KIND[kind]:
            return _PLAIN
        span = Span(kind, url, title, keep)
        self.formats.append(span)
        self.run.append((True, span))
        return self.close_format, span

    def close_format(self, span: Span) -> None:
        """End a span."""
        self.formats.remove(span)
        self.run.append((False, span))


_PLAIN: Opened = (None, None)
_TASKS = (Raw("[ ]"), Raw("[x]"))
_display = re.compile(r"(?:^|[;\s])display\s*:\s*([a-z-]+)", re.I).search
_BLOCK_DISPLAYS = frozenset(("block", "flex", "grid", "table", "list-item", "flow-root", "table-row"))
_white_space = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre\b|pre-wrap|pre-line|break-spaces|preserve)", re.I).search


def _skip(_: Renderer, __: Element) -> Opened:
    return None


def _block(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    if attrs and "style" in attrs:
        style = attrs["style"]
        if "white-space" in style or "display" in style:
            display = _display(style)
            inline_box = display is not None and display[1].lower() in ("inline", "contents")
            return r.box(not inline_box, _white_space(style) is not None)
    if r.run:
        r.flush()
    return r.flush, None


def _heading(r: Renderer, element: Element) -> Opened:
    if r.flat:
        r.flush()
        return r.flush, None
    r.flush()
    level = HEADINGS[element.tag]
    if _holds_blocks(element):
        r.heading = "#" * level + " "
        return _end_heading_with_blocks, r
    r.flat = True
    return _end_heading, (r, level, element)


def _holds_blocks(heading: Element) -> bool:
    """Whether a heading holds what no heading can; looks at its first nodes only."""
    stack, seen = [heading], 0
    while stack and seen < 60:
        for node in stack.pop().children:
            seen += 1
            if node.tag in NOT_IN_HEADING and node.namespace == "html":
                return True
            if node.children:
                stack.append(node)  # type: ignore[arg-type]
    return False


def _end_heading_with_blocks(r: Renderer) -> None:
    r.flush()
    r.heading = ""


def _end_heading(state: tuple[Renderer, int, Element]) -> None:
    r, level, element = state
    r.flat = False
    if level <= 2 and BREAK in r.run:
        text = r.one_line(inline.PARAGRAPH)
        if "\n" in text:
            r.writer.block(blocks.SETEXT, f"{escape.paragraph(text)}\n{'=-'[level - 1] * 3}")
            return
    else:
        text = r.one_line()
    if text:
        r.writer.block(blocks.HEADING, f"{'#' * level} {escape.heading(text)}")
    elif all(node.tag is None for node in element.children):
        r.writer.block(blocks.HEADING, "#" * level)


def _format(r: Renderer, element: Element) -> Opened:
    return r.open_format(FORMATS[element.tag])


def _link(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    href = attrs.get("href")
    if href and len(attrs) > 1 and "#" in href:
        if footnotes.is_reference(element):
            label = r.note_label(element, href.partition("#")[2])
            if label:
                r.run.append(Raw(f"[^{label}]"))
                return None
        elif footnotes.is_back_link(element) and r.notes:
            return None
    url = r.links.resolve(href) if href is not None else None
    if url is None:
        return _PLAIN
    title = element.attrs.get("title", "")
    if len(title) > _SHORT_TITLE:
        title = ""
    return r.open_format("link", url, title, keep=True)


def _break(r: Renderer, element: Element) -> Opened:
    run = r.run
    if run and not r.flat and (run[-1] is BREAK or (len(run) > 1 and run[-2] is BREAK and _is_blank(run[-1]))):
        # Two line breaks in a row separate paragraphs wherever the author made none.
        if not _is_in_paragraph(element):
            r.flush()
            return None
    run.append(BREAK)
    return None


def _is_blank(token: Any) -> bool:
    return type(token) is str and not token.strip(_ASCII_SPACE)


def _is_in_paragraph(element: Element) -> bool:
    parent = element.parent
    for _ in range(_MAX_FORMATS):
        if parent is None or parent.tag in BLOCKS or parent.tag == "li":
            break
        parent = parent.parent
    return parent is not None and parent.tag in ("p", "li")


def _rule(r: Renderer, _: Element) -> Opened:
    r.flush()
    if not r.flat:
        r.writer.block(blocks.RULE, "___" if r.writer.is_tight else "---")
    return None


def _image(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    alt = escape.alternative(inline.clean(_one_space(" ", attrs.get("alt", "")).strip(" ")))
    source = media.image_source(element)
    url = r.links.resolve(source) if source or attrs.get("src") == "" else None
    if url is None:
        if alt:
            r.run.append(attrs["alt"])
        return None
    if media.is_pixel(element):
        return None
    r.run.append(Raw(f"![{alt}]({escape.destination(url)}{escape.title(attrs.get('title', ''))})"))
    return None


_one_space = re.compile(r"[ \t\n\r\f]+").sub


def _embedded(r: Renderer, element: Element) -> Opened:
    source = media.embedded_source(element)
    url = r.links.resolve(source) if source else None
    if url is None:
        return None
    title = element.attrs.get("title", "")
    label = title if title and len(title) <= _SHORT_TITLE else str(element.tag)
    opened = r.open_format("link", url)
    r.run.append(label)
    if opened is not None and opened[0] is not None:
        opened[0](opened[1])
    return None


def _code_span(r: Renderer, element: Element) -> Opened:
    if r.code:
        return _PLAIN
    if _holds_links(element):
        r.code += 1
        return _end_code_with_links, r
    if any(node.tag is not None for node in element.children):
        text = code.text_of(element)
    else:
        text = code.clean_code("".join([node.text for node in element.children]))
    if "\n" in text:
        text = _one_space(" ", text).strip(" ")
    if text:
        r.run.append(Code(text))
    return None


def _holds_links(element: Element) -> bool:
    stack, seen = [element], 0
    while stack and seen < 200:
        for node in stack.pop().children:
            seen += 1
            if (node.tag == "a" and "href" in node.attrs) or node.tag == "img":
                return True
            if node.children:
                stack.append(node)  # type: ignore[arg-type]
    return False


def _end_code_with_links(r: Renderer) -> None:
    r.code -= 1


def _formula(r: Renderer, element: Element) -> Opened:
    tex, is_display = formulas.tex_of(element)
    if tex:
        _write_formula(r, tex, is_display)
    return None


def _write_formula(r: Renderer, tex: str, is_display: bool) -> None:
    if not is_display or r.flat:
        r.run.append(Raw(formulas.inline(tex)))
        return
    r.flush()
    text = formulas.block(tex)
    r.writer.block(blocks.CODE if text[0] == "`" else blocks.PARAGRAPH, text)


def _formula_box(r: Renderer, element: Element) -> Opened:
    """A typesetter's box: its TeX, or nothing where a script element beside it has the TeX, or what is in it."""
    if r.boxes:
        return _PLAIN
    tex, is_display = formulas.tex_of(element)
    if tex:
        around = element.parent.attrs.get("class", "") if element.parent is not None else ""
        _write_formula(r, tex, is_display or "katex-display" in around)
        return None
    if "MathJax" in element.attrs["class"]:
        return None
    r.boxes += 1
    return _end_formula_box, r


def _end_formula_box(r: Renderer) -> None:
    r.boxes -= 1


def _script(r: Renderer, element: Element) -> Opened:
    kind = element.attrs.get("type", "")
    if kind.startswith("math/tex"):
        _write_formula(r, " ".join(element.text.split()), "display" in kind)
    return None


_exponent = re.compile(r"[+\-\u2212\u2013]?\w{1,3}").fullmatch
_takes_exponent = re.compile(r"(?:[0-9)\]]|(?<![^\W_])[^\W\d_])\Z").search


def _superscript(r: Renderer, element: Element) -> Opened:
    """GFM has no superscript: an exponent gets "^", because 10 and 6 would read as 106; all else is plain text."""
    last = r.run[-1] if r.run else None
    if type(last) is str and _takes_exponent(last[-3:]) and all(node.tag is None for node in element.children):
        text = element.text.strip()
        if _exponent(text) and not _ordinal(text):
            r.run.append("^" + text)
            return None
    return _PLAIN


_ordinal = re.compile(r"st|nd|rd|th|er|e|[a-z]{2,3}|TM|SM|ère|ème", re.I).fullmatch


def _code_block(r: Renderer, element: Element) -> Opened:
    if r.flat:
        r.flush()
        for line in code.text_of(element).split("\n"):
            if line.strip():
                r.run += (Code(line), GAP)
        return None
    r.flush()
    _write_code(r, code.text_of(element), code.language_of(element))
    return None


def _write_code(r: Renderer, text: str, language: str) -> None:
    r.writer.block(blocks.CODE, code.fenced(text, language))


def _quote(r: Renderer, _: Element) -> Opened:
    r.flush()
    if r.flat:
        return r.flush, None
    r.writer.open(blocks.QUOTE, "> ", "> ")
    r.lists.append(None)
    return _end_quote, r


def _end_quote(r: Renderer) -> None:
    r.flush()
    r.lists.pop()
    r.writer.close()


def _list(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat:
        return r.flush, None
    outer = r.lists[-1] if r.lists else None
    parent = element.parent
    if outer is not None and not outer.is_open and parent is not None and parent.tag in LISTS:
        r.writer.open_item(outer)  # ul > ul without an li before it
    ordered = element.tag == "ol"
    number = _number(element.attrs.get("start", "1"), 1) if ordered else 1
    items = [node for node in element.children if node.tag == "li"]
    if ordered and items and "value" in items[0].attrs:
        number = _number(items[0].attrs["value"], number)
    loose = any(child.tag == "p" for item in items for child in item.children)
    state = r.writer.begin_list(ordered=ordered, number=number, loose=loose)
    r.lists.append(state)
    return _end_list, r


def _end_list(r: Renderer) -> None:
    r.flush()
    state = r.lists.pop()
    if state is not None:
        if state.is_open:
            r.writer.close_item(state)
        r.writer.end_list(state)


_digits = re.compile(r"\s*([0-9]{1,9})(?![0-9])").match


def _number(text: str, default: int) -> int:
    """A list number that CommonMark can write: 0 to 999999999."""
    match = _digits(text[:40])
    return int(match[1]) if match else default


def _item(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat:
        return r.flush, None
    if r.notes and element.attrs.get("id") in r.notes:
        return _note(r, r.notes[element.attrs["id"]])
    state = r.lists[-1] if r.lists else None
    if state is None:  # an li outside a list: a list of its own
        state = r.writer.begin_list(ordered=False, number=1, loose=False)
        r.lists.append(state)
        r.writer.open_item(state)
        return _end_list, r
    if state.is_open:
        r.writer.close_item(state)
    if state.has_item:
        if state.ordered and "value" in element.attrs:
            state.number = _number(element.attrs["value"], state.number)
        r.writer.open_item(state)
    else:
        late = (state.ordered and state.number != 1) or not _has_content(element)
        r.writer.open_item(state, late=late)
    # An item whose elements turn out to show nothing goes; one that its author left empty stays.
    state.keep_empty = all(node.tag is None for node in element.children)
    return r.flush, None


def _note(r: Renderer, label: str) -> Opened:
    """A footnote's text, in the place where the page has it."""
    state = r.lists[-1] if r.lists else None
    if state is not None and state.is_open:
        r.writer.close_item(state)
    r.writer.open(blocks.NOTE, f"[^{label}]: ", "    ")
    r.lists.append(None)
    return _end_quote, r


def _has_content(element: Element) -> bool:
    return any(node.tag is not None or node.text.strip() for node in element.children)


def _input(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    kind = attrs.get("type", "text").strip().lower()
    if kind == "checkbox" and _is_task(element):
        r.run += (_TASKS["checked" in attrs], " ")
    elif kind in ("submit", "button", "reset") and attrs.get("value"):
        r.run.append(f" {attrs['value']} ")
    elif kind == "image" and attrs.get("alt"):
        r.run.append(f" {attrs['alt']} ")
    return None


def _is_task(box: Element) -> bool:
    """Whether a check box is the first thing of a list item."""
    node: Any = box
    for _ in range(4):
        parent = node.parent
        if parent is None:
            return False
        for sibling in parent.children:
            if sibling is node:
                break
            if sibling.tag not in (None, "#comment") or sibling.text.strip():
                return False
        if parent.tag == "li":
            return True
        if parent.tag not in ("p", "label", "span"):
            return False
        node = parent
    return False


def _select(r: Renderer, element: Element) -> Opened:
    """A closed select shows its selected option, else the first one."""
    first = None
    for node in element.children:
        for option in node.children if node.tag == "optgroup" else (node,):
            if option.tag == "option":
                first = first or option
                if "selected" in option.attrs:
                    r.run.append(f" {option.text} ")
                    return None
    if first is not None:
        r.run.append(f" {first.text} ")
    return None


def _control(r: Renderer, _: Element) -> Opened:
    """A button or a text area is a box of its own on the line."""
    r.run.append(" ")
    return _end_control, r


def _end_control(r: Renderer) -> None:
    r.run.append(" ")


def _dialog(r: Renderer, element: Element) -> Opened:
    return _block(r, element) if "open" in element.attrs else None


def _bold_line(r: Renderer, element: Element) -> Opened:
    """A summary or a term: a line of its own in bold."""
    r.flush()
    if r.flat:
        return r.flush, None
    is_bold = any(node.tag in ("b", "strong") for node in element.children)
    return _end_bold_line, (r, None if is_bold else r.open_format("strong"))


def _end_bold_line(state: tuple[Renderer, Opened]) -> None:
    r, opened = state
    if opened is not None and opened[0] is not None:
        opened[0](opened[1])
    r.flush()


def _quotation(r: Renderer, _: Element) -> Opened:
    r.run.append('"')
    return _end_quotation, r


def _end_quotation(r: Renderer) -> None:
    r.run.append('"')


def _table(r: Renderer, element: Element) -> Opened:
    r.flush()
    if r.flat or r.grid is not None:
        return r.flush, None
    kind = tables.kind_of(element)
    if kind == tables.CODE:
        return _code_table(r, element)
    if kind == tables.LAYOUT:
        return r.flush, None
    r.grid = tables.Grid(r.fills)
    return _end_table, r


def _code_table(r: Renderer, element: Element) -> Opened:
    text, language = code.code_table(element)
    if text.strip():
        _write_code(r, text, language)
    return None


def _end_table(r: Renderer) -> None:
    r.flush()
    grid, r.grid = r.grid, None
    if grid is not None:
        for caption in grid.captions:
            r.writer.block(blocks.PARAGRAPH, escape.paragraph(caption))
        text = grid.markdown()
        if text:
            r.writer.block(blocks.TABLE, text)


def _row(r: Renderer, element: Element) -> Opened:
    if r.grid is not None and not r.flat:
        r.grid.begin_row()
        return _end_row, r
    r.flush()
    return r.flush, None


def _end_row(r: Renderer) -> None:
    if r.grid is not None and not r.flat:
        r.grid.end_row()


def _cell(r: Renderer, element: Element) -> Opened:
    if r.grid is None or r.flat:
        if r.flat or not any(node.tag in BLOCKS or node.tag in HEADINGS or node.tag in LISTS for node in element.children):
            r.run.append(" ")
            return _end_control, r
        r.flush()
        return r.flush, None
    r.flat = True
    return _end_cell, (r, element)


def _end_cell(state: tuple[Renderer, Element]) -> None:
    r, element = state
    r.flat = False
    text = r.one_line(inline.CELL)
    if r.grid is not None:
        r.grid.add(text, element.attrs)


def _caption(r: Renderer, element: Element) -> Opened:
    if r.grid is None or r.flat:
        return _block(r, element)
    r.flat = True
    return _end_caption, r


def _end_caption(r: Renderer) -> None:
    r.flat = False
    text = r.one_line()
    if text and r.grid is not None:
        r.grid.captions.append(text)


RULES: dict[str, Handler] = {}
for _tags, _handler in (
    (BLOCKS, _block),
    (SKIPPED, _skip),
    (HEADINGS, _heading),
    (FORMATS, _format),
    (CODE_SPANS, _code_span),
    (CODE_BLOCKS, _code_block),
    (LISTS, _list),
    (("audio", "video", "iframe", "embed", "object"), _embedded),
    (("dt", "summary"), _bold_line),
    (("td", "th"), _cell),
    (("button", "textarea"), _control),
    (("nav", "svg"), _skip),
):
    RULES.update(dict.fromkeys(_tags, _handler))
RULES.update(
    a=_link, br=_break, hr=_rule, img=_image, blockquote=_quote, li=_item, input=_input, select=_select, dialog=_dialog,
    q=_quotation, table=_table, tr=_row, caption=_caption, math=_formula, script=_script, sup=_superscript,
)  # fmt: skip
RULES["mjx-container"] = _formula
WITH_NAV = {"nav": _block}
WITH_NOSCRIPT = {"noscript": _block}
