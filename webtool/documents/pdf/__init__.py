"""Convert PDF files to markdown. In: a Source. Out: a Document.

A PDF shows glyphs at positions; words, lines and paragraphs must be found again. objects/ reads the file, pages.py its
pages, interpreter.py and fonts/ turn their content into text with positions, layout/ puts the text in reading order.
outline.py reads the structure that the file itself has: title, outline, tags. This module runs these steps in order.
Specification: ISO 32000-1 (PDF 1.7), which ISO 32000-2 extends.
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import time

from webtool.documents import NODE_COST, Document, Source, counted
from webtool.documents.pdf import annots, outline, pages
from webtool.documents.pdf.fonts import UNKNOWN
from webtool.documents.pdf.interpreter import Interpreter
from webtool.documents.pdf.layout import Segment, columns, headings, line_ends, paragraphs, running_heads
from webtool.documents.pdf.layout.bidi import Run
from webtool.documents.pdf.layout.paragraphs import Block
from webtool.documents.pdf.objects import PdfError, crypt
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.state import UNTAGGED
from webtool.documents.tree import element, markdown
from webtool.errors import UnsupportedContent, abridged
from webtool.html.node import Element
from webtool.lean import patterns

# The number of pages in the first object of a file that is written for streaming.
_LINEARIZED = patterns.compile(rb"/Linearized\b[^>]{0,400}?/N\s{1,9}(\d{1,6})")  # annex F.2
# Shares of the time until the deadline, after which reading and layout stop; the rest is for writing.
_READING_SHARE, _LAYOUT_SHARE = 0.6, 0.9
_MAX_FOOTNOTES = 12  # blocks of footnotes at the end of a column or page
_MAX_FOOTNOTE_SIZE = 0.93  # times the size of the text
_MAX_LISTED_PAGES = 10  # of cut pages in a note: it counts further ones
_ITEM_TYPES = ("LI", "LBody")  # structure types of list items
_MAX_TITLE_BLOCKS = 40  # only this many blocks at the start are searched for a heading that is the title
_CIPHER_HINT = "Decrypt the file first, with the program that it was made for."
_PASSWORD_HINT = "Open it with its password and save a copy without one."

# The text of a file: the segments of each direction of each page. A direction is an angle by which text is turned; the
# first direction of a page is that of most of its text.
Texts = list[list[list[Segment]]]


def convert(source: Source) -> Document:
    """Convert a PDF file.

    Raises UnsupportedContent for an unknown encryption. Raises ExtractFailed for a file that needs a password, is
    damaged beyond repair, or has no text.
    """
    try:
        return _convert(source)
    except crypt.UnknownCipher as exc:
        message = f"The PDF document is encrypted with {exc}: application/pdf, {len(source.body):,} bytes"
        raise UnsupportedContent(message + _size(source.body), hint=_CIPHER_HINT, url=source.url or None) from exc
    except crypt.NeedsPassword as exc:
        raise source.failed(str(exc) + _size(source.body), _PASSWORD_HINT) from exc
    except PdfError as exc:
        raise source.failed(str(exc)) from exc
    except (RecursionError, OverflowError) as exc:
        raise source.failed(f"holds numbers or structures out of range ({exc})") from exc


def _size(body: bytes) -> str:
    """Return "; it has 7 pages" for a file that cannot be decrypted; "" if the number of pages is encrypted too."""
    try:
        count = len(pages.pages(PdfFile(body, decrypts=False)))
    except (PdfError, RecursionError, OverflowError):
        count = 0
    if not count:
        match = _LINEARIZED.search(body[:2048])
        count = int(match.group(1)) if match else 0
    return f"; it has {counted(count, 'page')}" if count else ""


def _moment(deadline: float | None, share: float) -> float:
    """Return when a share of the time from now to the deadline will be over; infinity without a deadline."""
    now = time.monotonic()
    return float("inf") if deadline is None else now + share * (deadline - now)


def _convert(source: Source) -> Document:
    """Run all steps. Raises PdfError and ExtractFailed."""
    layout_end = _moment(source.deadline, _LAYOUT_SHARE)
    file = PdfFile(source.body)
    listed = pages.pages(file)
    if not listed:
        raise PdfError("has no pages")
    if len(listed) > pages.MAX_PAGES:
        source.add_note(f"Only the first {pages.MAX_PAGES:,} pages are read.")
        del listed[pages.MAX_PAGES :]
    tags = outline.tags(file)
    texts = _read_pages(file, listed, source, tags)
    comments = _comments(file, listed[: len(texts)], source)
    if not comments and not any(any(directions) for directions in texts):
        source.budget.take(0)  # raises Spent if the budget ended before the first text
        why = " ".join(source.notes) or ("All of it is hidden." if source.hidden else "Nothing is written there.")
        what = f"has no text on its {counted(len(texts), 'page')}. {why}"
        raise source.failed(what.rstrip("."), "It needs text recognition (OCR), which webtool does not do.")
    taken_out = running_heads.take_out([directions[0] if directions else [] for directions in texts])
    source.leave_out(taken_out.left_out, "word", " of page numbers and running heads that repeat")
    body = _Body(tags.elements)
    for index, directions in enumerate(texts):
        if index and time.monotonic() > layout_end:
            source.add_note(f"Only {index} of {len(texts)} pages were put in order before the deadline.")
            break
        body.add_page(listed[index].number, taken_out.heads[index], [taken_out.pages[index], *directions[1:]])
    # At the end, so that no footer is inside of a paragraph that continues on the next page.
    blocks = line_ends.with_whole_words(body.blocks + _of_lines(taken_out.feet))
    levels = headings.levels(blocks, outline.headings(file))
    title = outline.title(file) or _first_heading(blocks, levels)
    elements = [*headings.tree(blocks, levels), *comments]
    return Document(title, markdown(elements, source.url), source.kind)


def _comments(file: PdfFile, listed: list[pages.Page], source: Source) -> list[Element]:
    """Return the readers' comments on the pages as a list, each with the label of its page."""
    items: list[Element] = []
    for label, page in zip(outline.labels(file, len(listed)), listed):
        for comment in annots.comments(file, page.attrs):
            source.budget.left -= NODE_COST + len(comment)
            items.append(element("li", [f"Page {label}, {comment}"]))
        if source.budget.is_spent:
            break
    return [element("p", ["Comments:"]), element("ul", items)] if items else []


def _read_pages(file: PdfFile, listed: list[pages.Page], source: Source, tags: outline.Tags) -> Texts:
    """Return the text of the pages, up to the bounds and a share of the time; notes say what is missing."""
    budget = source.budget
    interpreter = Interpreter(file, budget)
    reading_end = _moment(source.deadline, _READING_SHARE)
    texts: Texts = []
    cut_pages: list[int] = []
    unknown = images = 0
    for number, page in enumerate(listed, 1):
        if texts and time.monotonic() > reading_end:
            source.add_note(f"Only {number - 1} of {len(listed)} pages were read before the deadline.")
            break
        directions = pages.text_of_page(file, interpreter, page, reading_end, tags)
        unknown += sum(span.text.count(UNKNOWN) for span in interpreter.spans)
        for reason, count in interpreter.hidden.items():
            source.hide(count, reason)
        images += interpreter.has_images and not any(directions)
        segments = [segment for direction in directions for segment in direction]
        budget.left -= sum(NODE_COST + sum(len(text) + len(url) for text, url in segment.runs) for segment in segments)
        texts.append(directions)
        if interpreter.is_cut:
            cut_pages.append(number)
        if budget.is_spent and number < len(listed):
            source.add_note(f"Only {number} of {len(listed)} pages were read: they hold very much text.")
            break
    if len(cut_pages) == 1:
        source.add_note(f"Page {cut_pages[0]} was not read to its end: it holds very much, or time was up.")
    elif cut_pages:
        numbers = abridged(list(map(str, cut_pages)), _MAX_LISTED_PAGES)
        source.add_note(f"Pages {numbers} were not read to their end: they hold very much, or time was up.")
    source.leave_out(unknown, "character", " whose fonts do not map them to text")
    source.leave_out(images, "page", f" of {len(listed):,} that hold images only: text in pictures is not read")
    return texts


class _Body:
    """The blocks of all pages so far, in reading order. The first ones of a page may continue the last of these."""

    def __init__(self, elements: dict[tuple[int, int], tuple[str, int]]) -> None:
        """`elements`: object number of a page and MCID -> structure type and number of the element."""
        self.blocks: list[Block] = []
        self._elements = elements
        self._started: set[int] = set()  # elements that have a block

    def add_page(self, number: int, heads: list[Segment], directions: list[list[Segment]]) -> None:
        """Add a page with this object number: the running heads that are new on it, and its other text."""
        if self.blocks and self.blocks[-1].rows:
            directions[0] = self._without_last_rows(directions[0])
        regions = [region for direction in directions for region in self._regions(number, direction)]
        first = regions[0] if regions else []
        if first and self.blocks and paragraphs.is_same_table(self.blocks[-1], first[0]):
            self.blocks[-1] = paragraphs.join_tables(self.blocks[-1], first.pop(0))
        first = self._without_continuation(first)
        # Only here, so that the heads of this page are not inside of a table or text that continues.
        self.blocks += [*_of_lines(heads), *first]
        for region in regions[1:]:
            self.blocks += self._without_continuation(region)

    def _without_last_rows(self, segments: list[Segment]) -> list[Segment]:
        """Move the last rows of a table from the top of a page to the table; return the other segments.

        If the page begins with a whole table, its rows stay: add_page() joins them.
        """
        table = self.blocks[-1]
        regions = columns.regions(segments)
        below = paragraphs.blocks(regions[0]) if regions else []
        if below and paragraphs.is_same_table(table, below[0]):
            return segments
        self.blocks[-1], others = paragraphs.last_rows(table, segments)
        return others

    def _regions(self, number: int, direction: list[Segment]) -> list[list[Block]]:
        """Return the blocks of each region, with structure types."""
        by_tag = {s.tag: self._elements[number, s.tag] for s in direction if (number, s.tag) in self._elements}
        roles = {element_number: role for role, element_number in by_tag.values()}
        regions = columns.regions(_with_element_numbers(direction, by_tag))
        return [[self._with_role(block, roles) for block in paragraphs.blocks(region)] for region in regions]

    def _with_role(self, block: Block, roles: dict[int, str]) -> Block:
        """Return a block with its structure type. The first text of a list item gets a bullet, which may be drawn.

        `roles`: number of an element -> structure type.
        """
        role = roles.get(block.tag, "")
        is_item = role in _ITEM_TYPES and block.kind == "text" and block.tag not in self._started
        self._started.add(block.tag)
        return block._replace(kind="item", marker="•") if is_item else block._replace(role=role)

    def _without_continuation(self, new: list[Block]) -> list[Block]:
        """Join the first new block to the text before that it continues; return the new blocks that are left."""
        if not self.blocks or not new:
            return new
        index = _last_before_footnotes(self.blocks, new[0].size)
        last = self.blocks[index]
        runs = _joined(last, new[0])
        if not runs:
            return new
        self.blocks[index] = last._replace(runs=runs, lines=last.lines + new[0].lines)
        return new[1:]


def _with_element_numbers(direction: list[Segment], by_tag: dict[int, tuple[str, int]]) -> list[Segment]:
    """Return segments whose tag is the number of their element instead of the MCID; below 0 without an element.

    A paragraph over two lines has two MCIDs, and one element. `by_tag`: MCID -> structure type and element.
    """
    numbers = {tag: number for tag, (_, number) in by_tag.items()}
    return [segment._replace(tag=numbers.get(segment.tag, min(segment.tag, UNTAGGED))) for segment in direction]


def _of_lines(lines: list[Segment]) -> list[Block]:
    """Return running heads as paragraphs, one for each line."""
    return [block for line in lines for block in paragraphs.blocks([line])]


def _last_before_footnotes(blocks: list[Block], size: float) -> int:
    """Return the index of the block that text of this size may continue, in the next column or on the next page.

    It is the last block above the footnotes. If all of the last _MAX_FOOTNOTES blocks are in small type, they are not
    footnotes, and it is the last block.
    """
    last = len(blocks) - 1
    for index in range(last, max(last - _MAX_FOOTNOTES, -1), -1):
        block = blocks[index]
        if block.kind not in ("text", "item") or block.size >= _MAX_FOOTNOTE_SIZE * size:
            return index
    return last


def _joined(last: Block, first: Block) -> list[Run]:
    """Return the runs of a paragraph or listing that continues in the next column or on the next page; else [].

    Listings are joined whenever nothing is between them; a listing has no links. A paragraph continues if its sentence
    does: with a small letter, or in the same paragraph or list item of the structure tree.
    """
    if abs(first.size - last.size) > 0.5:
        return []
    if first.kind == last.kind == "pre":
        return [(f"{last.text}\n{first.text}", "")]
    if first.kind != "text" or last.kind not in ("text", "item") or last.text.endswith((".", "!", "?", ":")):
        return []
    is_same_element = first.tag == last.tag >= 0 and first.role in ("P", *_ITEM_TYPES)
    is_open = last.lines > 1 and first.text[:1].islower()
    return line_ends.joined([last.runs, first.runs]) if is_same_element or is_open else []


def _first_heading(blocks: list[Block], levels: list[int]) -> str:
    """Return the text of the highest heading near the start, or ""."""
    candidates = [(level, index) for index, level in enumerate(levels[:_MAX_TITLE_BLOCKS]) if level]
    if not candidates:
        return ""
    best = blocks[min(candidates)[1]]
    return f"{best.marker} {best.text}".strip() if best.kind == "item" else best.text
