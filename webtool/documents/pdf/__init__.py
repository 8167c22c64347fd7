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
from webtool.documents.tree import element, markdown
from webtool.errors import UnsupportedContent
from webtool.html.node import Element
from webtool.lean import patterns

# The number of pages in the first object of a file that is written for streaming.
_LINEARIZED = patterns.compile(rb"/Linearized\b[^>]{0,400}?/N\s{1,9}(\d{1,6})")  # annex F.2
_READING_SHARE = 0.6  # of the time before the deadline; the rest is for layout and writing
_MAX_FOOTNOTES = 12  # blocks of footnotes at the end of a column or page
_MAX_FOOTNOTE_SIZE = 0.93  # times the size of the text
_MAX_LISTED_PAGES = 10  # numbers of cut pages in a note; of further ones the note has the count
_ITEM_TYPES = ("LI", "LBody")  # structure types of list items
_MAX_TITLE_BLOCKS = 40  # at the start, which are searched for a heading that is the title
_CIPHER_HINT = "Decrypt the file first, with the program that it was made for."
_PASSWORD_HINT = "Open it with its password and save a copy without one."

# The text of a file: texts[page][direction] is a list of segments. A direction is an angle by which text is turned; the
# first direction of a page is the one with most text.
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
    """Return "; it has 7 pages" for a file that cannot be decrypted; "" if the number is encrypted too."""
    try:
        count = len(pages.pages(PdfFile(body, decrypts=False)))
    except (PdfError, RecursionError, OverflowError):
        count = 0
    match = None if count else _LINEARIZED.search(body[:2048])
    count = int(match.group(1)) if match else count
    return f"; it has {counted(count, 'page')}" if count else ""


def _convert(source: Source) -> Document:
    """Run all steps. Raises PdfError and ExtractFailed."""
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
    pages_and_heads = running_heads.take_out([directions[0] if directions else [] for directions in texts])
    source.leave_out(pages_and_heads.left_out, "word", " of page numbers and running heads that repeat")
    blocks = _blocks(tags.elements, [page.number for page in listed], texts, pages_and_heads)
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
    """Return the segments of each page by direction, up to the deadline and the bounds; notes say what is missing."""
    budget, deadline = source.budget, source.deadline
    interpreter = Interpreter(file, budget)
    if deadline is not None:
        now = time.monotonic()
        deadline = now + _READING_SHARE * (deadline - now)
    texts: Texts = []
    cut_pages: list[int] = []
    unknown = images = 0
    for number, page in enumerate(listed, 1):
        if texts and deadline is not None and time.monotonic() > deadline:
            source.add_note(f"Only {number - 1} of {len(listed)} pages were read before the deadline.")
            break
        directions = pages.text_of_page(file, interpreter, page, deadline, tags)
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
    if cut_pages:
        source.add_note(_note_on_cut(cut_pages))
    source.leave_out(unknown, "character", " whose fonts do not map them to text")
    source.leave_out(images, "page", f" of {len(listed):,} that hold images only: text in pictures is not read")
    return texts


def _note_on_cut(numbers: list[int]) -> str:
    """Return the note on pages that were not read to their end."""
    if len(numbers) == 1:
        return f"Page {numbers[0]} was not read to its end: it holds very much, or time was up."
    more = len(numbers) - _MAX_LISTED_PAGES
    listed = ", ".join(map(str, numbers[:_MAX_LISTED_PAGES])) + (f" and {more} more" if more > 0 else "")
    return f"Pages {listed} were not read to their end: they hold very much, or time was up."


def _blocks(
    elements: dict[tuple[int, int], tuple[str, int]],
    numbers: list[int],
    texts: Texts,
    pages_and_heads: running_heads.TakenOut,
) -> list[Block]:
    """Return all blocks in reading order; paragraphs and tables over page breaks are joined.

    `elements` has the structure type and the number of an element by page and MCID. `numbers` are the object numbers of
    the pages. Of the first direction of each page, the text without running heads is taken.
    """
    blocks: list[Block] = []
    started: set[int] = set()  # elements that have a block
    for number, main, heads, directions in zip(numbers, pages_and_heads.pages, pages_and_heads.heads, texts):
        if blocks and blocks[-1].rows:
            blocks[-1], main = _with_last_rows(blocks[-1], main)
        for direction in [main, *directions[1:]]:
            by_tag = {s.tag: elements[number, s.tag] for s in direction if (number, s.tag) in elements}
            roles = {element_number: role for role, element_number in by_tag.values()}
            for index, region in enumerate(columns.regions(_with_element_numbers(direction, by_tag))):
                new = paragraphs.blocks(region)
                if direction is main and index == 0:
                    new = _after_table(blocks, new)
                new = _after_text(blocks, [_with_role(block, roles, started) for block in new])
                # Only here, so that the heads of this page are not inside of a table or text that continues.
                blocks.extend(_of_lines(heads))
                heads = []
                blocks.extend(new)
        blocks.extend(_of_lines(heads))  # of a page without blocks
    # At the end, so that no footer is inside of a paragraph that continues on the next page.
    return line_ends.with_whole_words(blocks + _of_lines(pages_and_heads.feet))


def _with_last_rows(above: Block, main: list[Segment]) -> tuple[Block, list[Segment]]:
    """Move the end of a table from the top of a page to the table above, unless it is a table by itself."""
    regions = columns.regions(main)
    below = paragraphs.blocks(regions[0]) if regions else []
    if below and paragraphs.is_same_table(above, below[0]):
        return above, main
    return paragraphs.last_rows(above, main)


def _with_element_numbers(group: list[Segment], by_tag: dict[int, tuple[str, int]]) -> list[Segment]:
    """Return segments whose tag is the number of their element instead of the MCID; below 0 without an element.

    A paragraph over two lines has two MCIDs, and one element. `by_tag`: MCID -> structure type and element.
    """
    numbers = {tag: number for tag, (_, number) in by_tag.items()}
    return [segment._replace(tag=numbers.get(segment.tag, min(segment.tag, -1))) for segment in group]


def _of_lines(lines: list[Segment]) -> list[Block]:
    """Return running heads as paragraphs, one for each line."""
    return [block for line in lines for block in paragraphs.blocks([line])]


def _with_role(block: Block, roles: dict[int, str], started: set[int]) -> Block:
    """Return a block with its structure type. The first text of a list item gets a bullet, which may be drawn.

    `roles`: number of an element -> structure type. The element of the block is added to `started`.
    """
    role = roles.get(block.tag, "")
    is_item = role in _ITEM_TYPES and block.kind == "text" and block.tag not in started
    started.add(block.tag)
    return block._replace(kind="item", marker="•") if is_item else block._replace(role=role)


def _after_table(blocks: list[Block], new: list[Block]) -> list[Block]:
    """Join a table at the start of a page to the same table before; return the new blocks that are left."""
    if not blocks or not new or not paragraphs.is_same_table(blocks[-1], new[0]):
        return new
    blocks[-1] = paragraphs.join_tables(blocks[-1], new[0])
    return new[1:]


def _after_text(blocks: list[Block], new: list[Block]) -> list[Block]:
    """Join the first new block to the text before that it continues; return the new blocks that are left."""
    if not blocks or not new:
        return new
    index = _last_before_footnotes(blocks, new[0].size)
    runs = _joined(blocks[index], new[0])
    if not runs:
        return new
    blocks[index] = blocks[index]._replace(runs=runs, lines=blocks[index].lines + new[0].lines)
    return new[1:]


def _last_before_footnotes(blocks: list[Block], size: float) -> int:
    """Return the index of the last block above the footnotes below text of a size: it goes on after them.

        text, as large as `size`    this one
        footnote, in small type
        the next column or page

    If all of the last _MAX_FOOTNOTES blocks are small, they are the text itself: the index of the last one.
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
