"""PDF text as markdown. In: a Source. Out: a Document.

objects/ reads the file, interpreter.py and fonts/ give text with positions, layout/ its reading order, outline.py what
the file says of its structure; here they follow one another.
Specification: ISO 32000-1 (PDF 1.7), which ISO 32000-2 extends.
"""

from __future__ import annotations

import time

from webtool.documents import NODE, Document, Source, counted
from webtool.documents.pdf import annots, outline, pages
from webtool.documents.pdf.fonts import UNKNOWN
from webtool.documents.pdf.interpreter import Interpreter
from webtool.documents.pdf.layout import columns, headings, paragraphs, running_heads
from webtool.documents.pdf.layout.lines import Segment
from webtool.documents.pdf.layout.paragraphs import Block
from webtool.documents.pdf.objects import PdfError, crypt
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.tree import element, markdown
from webtool.errors import UnsupportedContent
from webtool.html.node import Element
from webtool.lean import patterns

_LINEARIZED = patterns.compile(rb"/Linearized\b[^>]{0,400}?/N\s{1,9}(\d{1,6})")  # annex F.2
_SHARE_OF_READING = 0.6
_CIPHER = "Decrypt the file first, with the program that it was made for."
_PASSWORD = "Open it with its password and save a copy without one."


def convert(source: Source) -> Document:
    """The text of a PDF file, in reading order.

    Raises UnsupportedContent for foreign encryption and ExtractFailed for a password, damage beyond repair, and files
    without text.
    """
    try:
        return _convert(source)
    except crypt.UnknownCipher as exc:
        message = f"The PDF document is encrypted with {exc}: application/pdf, {len(source.body):,} bytes"
        raise UnsupportedContent(message + _size(source.body), hint=_CIPHER, url=source.url or None) from exc
    except crypt.NeedsPassword as exc:
        raise source.failed(str(exc) + _size(source.body), _PASSWORD) from exc
    except PdfError as exc:
        raise source.failed(str(exc)) from exc
    except (RecursionError, OverflowError) as exc:
        raise source.failed(f"holds numbers or structures out of range ({exc})") from exc


def _size(body: bytes) -> str:
    """How many pages a file has that cannot be decrypted; "" where that is encrypted too."""
    try:
        count = len(pages.pages(PdfFile(body, decrypts=False)))
    except PdfError:
        count = 0
    match = None if count else _LINEARIZED.search(body[:2048])
    count = int(match.group(1)) if match else count
    return f"; it has {counted(count, 'page')}" if count else ""


def _convert(source: Source) -> Document:
    file = PdfFile(source.body)
    found = pages.pages(file)
    if not found:
        raise PdfError("has no pages")
    if len(found) >= pages.MAX_PAGES:
        source.add_note(f"Only the first {pages.MAX_PAGES:,} pages are read.")
    tags = outline.tags(file)
    texts = _read_pages(file, found, source, tags)
    comments = _comments(file, found[: len(texts)], source)
    if not comments and not any(any(groups) for groups in texts):
        source.budget.take(0)  # where that is spent, there may be text
        why = " ".join(source.notes) or "Nothing is written there."
        what = f"has no text on its {counted(len(texts), 'page')}. {why}"
        raise source.failed(what.rstrip("."), "It needs text recognition (OCR), which webtool does not do.")
    read = running_heads.parted([groups[0] if groups else [] for groups in texts])
    source.leave_out(read.left_out, "word", " of page numbers and running heads that repeat")
    blocks = _blocks(tags.elements, [number for number, _ in found], texts, read)
    levels = headings.levels(blocks, outline.headings(file))
    title = outline.title(file) or _first_heading(blocks, levels)
    elements = [*headings.tree(blocks, levels), *comments]
    return Document(title, markdown(elements, source.url), source.kind)


def _comments(file: PdfFile, found: list[tuple[int, dict[str, object]]], source: Source) -> list[Element]:
    """The notes that readers left on the pages, as a list with what the pages are called."""
    items: list[Element] = []
    for number, (_, attrs) in zip(outline.labels(file, len(found)), found):
        for words in annots.comments(file, attrs):
            source.budget.left -= NODE + len(words)
            items.append(element("li", [f"Page {number}, {words}"]))
        if source.budget.is_spent:
            break
    return [element("p", ["Comments:"]), element("ul", items)] if items else []


def _read_pages(
    file: PdfFile, found: list[tuple[int, dict[str, object]]], source: Source, tags: outline.Tags
) -> list[list[list[Segment]]]:
    """Segments by page and direction, as far as the deadline and the bounds allow; notes say where they did not."""
    budget, deadline = source.budget, source.deadline
    interpreter = Interpreter(file, budget)
    if deadline is not None:  # what is left is for putting the text in order and writing it
        now = time.monotonic()
        deadline = now + _SHARE_OF_READING * (deadline - now)
    texts: list[list[list[Segment]]] = []
    unknown = unseen = images = 0
    for number, page in enumerate(found, 1):
        if texts and deadline is not None and time.monotonic() > deadline:
            source.add_note(f"Only {number - 1} of {len(found)} pages were read before the deadline.")
            break
        groups = pages.text_of_page(file, interpreter, page, deadline, tags)
        unknown += sum(span.text.count(UNKNOWN) for span in interpreter.spans)
        unseen += interpreter.unseen
        images += interpreter.has_images and not any(groups)
        runs = [segment.runs for group in groups for segment in group]
        budget.left -= sum(NODE + sum(len(text) + len(url) for text, url in line) for line in runs)
        texts.append(groups)
        if interpreter.is_cut:
            source.add_note(f"Page {number} was not read to its end: it holds very much, or time was up.")
        if budget.is_spent:
            source.add_note(f"Only {number} of {len(found)} pages were read: they hold very much text.")
            break
    source.leave_out(unknown, "character", " whose fonts do not say what they stand for")
    source.leave_out(unseen, "word", " outside of the page or on a layer that is off")
    source.leave_out(images, "page", f" of {len(found):,} that hold images only: text in pictures is not read")
    return texts


def _blocks(
    tags: dict[tuple[int, int], tuple[str, int]],
    numbers: list[int],
    texts: list[list[list[Segment]]],
    read: running_heads.Parted,
) -> list[Block]:
    """All blocks in reading order, paragraphs over page breaks joined."""
    blocks: list[Block] = []
    for number, main, heads, groups in zip(numbers, read.pages, read.heads, texts):
        for group in [main, *groups[1:]]:
            tagged = [segment._replace(tag=tags.get((number, segment.tag), ("", -1))[1]) for segment in group]
            names = {tags[number, s.tag][1]: tags[number, s.tag][0] for s in group if (number, s.tag) in tags}
            for number_of_region, region in enumerate(columns.regions(tagged)):
                made = paragraphs.blocks(region)
                is_first = group is main and not number_of_region
                if is_first and made and blocks and paragraphs.is_same_table(blocks[-1], made[0]):
                    blocks[-1] = paragraphs.join_tables(blocks[-1], made.pop(0))
                made = [_with_role(block, names.get(block.tag, "")) for block in made]
                if made and blocks and _goes_on(blocks[-1], made[0]):
                    runs = paragraphs.joined([blocks[-1].runs, made[0].runs])
                    blocks[-1] = blocks[-1]._replace(runs=runs, lines=blocks[-1].lines + made.pop(0).lines)
                blocks.extend(_of_lines(heads))  # behind a paragraph that goes on from the page before
                heads = []
                blocks.extend(made)
        blocks.extend(_of_lines(heads))
    return paragraphs.with_whole_words(blocks + _of_lines(read.feet))


def _of_lines(lines: list[Segment]) -> list[Block]:
    """Running heads, each line a paragraph of its own."""
    return [block for line in lines for block in paragraphs.blocks([line])]


def _with_role(block: Block, role: str) -> Block:
    """A block with its structure type; text that is tagged as a list item is one: its bullet may be a drawing."""
    if role in ("LI", "LBody") and block.kind == "text":
        return block._replace(kind="item", marker="•")
    return block._replace(role=role)


def _goes_on(last: Block, first: Block) -> bool:
    """Whether a paragraph goes on in the next column or on the next page."""
    if first.kind != "text" or last.kind not in ("text", "item") or abs(first.size - last.size) > 0.5:
        return False
    return first.text[:1].islower() and last.lines > 1 and not last.text.endswith((".", "!", "?", ":"))


def _first_heading(blocks: list[Block], levels: list[int]) -> str:
    """The highest heading near the top."""
    candidates = [(level, at) for at, level in enumerate(levels[:40]) if level]
    if not candidates:
        return ""
    best = blocks[min(candidates)[1]]
    return f"{best.marker} {best.text}".strip() if best.kind == "item" else best.text
