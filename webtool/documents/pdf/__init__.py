"""Convert PDF files to markdown. In: a Source. Out: a Document.

A PDF shows glyphs at positions; words, lines and paragraphs must be found again. objects/ reads the file, pages.py its
pages, interpreter.py and fonts/ turn their content into text with positions, layout/ puts the text in reading order.
outline.py reads the structure that the file itself has: title, outline, tags. This module runs these steps in order.
Specification: ISO 32000-1 (PDF 1.7), which ISO 32000-2 extends.
Tests: tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

import time

from webtool.documents import NODE_COST, Document, Source
from webtool.documents.pdf import annots, outline, pages
from webtool.documents.pdf.fonts import UNKNOWN
from webtool.documents.pdf.interpreter import Interpreter
from webtool.documents.pdf.layout import Segment, headings, line_ends, page_breaks, running_heads
from webtool.documents.pdf.layout.paragraphs import Block
from webtool.documents.pdf.objects import PdfError, crypt
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.tree import element, markdown
from webtool.errors import UnsupportedContent, abridged, counted
from webtool.html.node import Element

# Shares of the time until the deadline, after which reading and layout stop; the rest is for writing.
_READING_SHARE, _LAYOUT_SHARE = 0.6, 0.9
_MAX_LISTED_PAGES = 10  # of cut pages in a note: it counts further ones
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
        raise UnsupportedContent(message, hint=_CIPHER_HINT, url=source.url or None) from exc
    except crypt.NeedsPassword as exc:
        raise source.failed(str(exc), _PASSWORD_HINT) from exc
    except PdfError as exc:
        raise source.failed(str(exc)) from exc
    except (RecursionError, OverflowError) as exc:
        raise source.failed(f"holds numbers or structures out of range ({exc})") from exc


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
    body = page_breaks.Body(tags.elements)
    for index, directions in enumerate(texts):
        if index and time.monotonic() > layout_end:
            source.add_note(f"Only {index} of {len(texts)} pages were put in order before the deadline.")
            break
        body.add_page(listed[index].number, taken_out.heads[index], [taken_out.pages[index], *directions[1:]])
    # At the end, so that no footer is inside of a paragraph that continues on the next page.
    blocks = line_ends.with_whole_words(body.blocks() + page_breaks.blocks_of_lines(taken_out.feet))
    levels = headings.levels(blocks, outline.headings(file))
    title = outline.title(file) or _first_heading(blocks, levels)
    elements = [*headings.tree(blocks, levels), *comments]
    return Document(title, markdown(elements, source.url), source.kind)


def _comments(file: PdfFile, listed: list[pages.Page], source: Source) -> list[Element]:
    """Return the readers' comments on the pages as a list, each with the number of its page."""
    items: list[Element] = []
    for number, page in enumerate(listed, 1):
        for comment in annots.comments(file, page.attrs):
            source.budget.left -= NODE_COST + len(comment)
            items.append(element("li", [f"Page {number}, {comment}"]))
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


def _first_heading(blocks: list[Block], levels: list[int]) -> str:
    """Return the text of the highest heading near the start, or ""."""
    candidates = [(level, index) for index, level in enumerate(levels[:_MAX_TITLE_BLOCKS]) if level]
    if not candidates:
        return ""
    best = blocks[min(candidates)[1]]
    return f"{best.marker} {best.text}".strip() if best.kind == "item" else best.text
