"""The pages of a PDF file. In: a PdfFile. Out: page dictionaries with what they inherit, their text as segments.

Specification: ISO 32000-1 sections 7.7.3 (page tree), 14.11.2 (page boundaries).
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.documents.pdf import annots
from webtool.documents.pdf.interpreter import Interpreter
from webtool.documents.pdf.layout import drawn_tables, tagged_tables
from webtool.documents.pdf.layout.lines import CJK, Segment, segments
from webtool.documents.pdf.objects import Name, PdfError, Ref, Stream
from webtool.documents.pdf.objects.file import PdfFile
from webtool.documents.pdf.outline import Tags
from webtool.documents.pdf.state import Span
from webtool.lean.typing import Any

MAX_PAGES = 5000
_MAX_NODES = 50_000
_INHERITED = ("Resources", "MediaBox", "CropBox")  # table 30
_LEAST_LETTERS = 12  # of vertical text
_MAX_CONTENT = 32 * 1024 * 1024


def pages(file: PdfFile) -> list[tuple[int, dict[str, Any]]]:
    """Object number and attributes of each page, in order; found by scanning where the page tree is damaged."""
    found = list(_from_tree(file))
    if not found:
        file.repair()
        found = list(_from_tree(file))
    if not found:
        objects = ((number, file.readable(number)) for number in sorted(file.entries))
        found = [page for page in objects if page[1].get("Type") == "Page"]
    return found[:MAX_PAGES]


def _from_tree(file: PdfFile) -> Iterator[tuple[int, dict[str, Any]]]:
    waiting: list[tuple[Any, dict[str, Any]]] = [(file.root.get("Pages"), {})]
    seen: set[int] = set()
    count = 0
    while waiting and count < MAX_PAGES and len(seen) < _MAX_NODES:
        reference, inherited = waiting.pop()
        number = reference.number if type(reference) is Ref else -1
        if number in seen:
            continue
        if number >= 0:
            seen.add(number)
        attrs = file.dict_of(reference)
        inherited = {**inherited, **{key: attrs[key] for key in _INHERITED if key in attrs}}
        kids, kind = file.list_of(attrs.get("Kids")), attrs.get("Type")
        if kids and kind != "Page":
            waiting.extend((kid, inherited) for kid in reversed(kids[:_MAX_NODES]) if type(kid) is Ref)
        # Some producers leave the type out.
        elif kind == "Page" or (type(kind) is not Name and "Contents" in attrs and "Kids" not in attrs):
            count += 1
            yield number, {**attrs, **inherited}


def content(file: PdfFile, attrs: dict[str, Any]) -> bytes:
    """A page's content streams, joined; a damaged one is left out (section 7.8.2)."""
    value = file.resolve(attrs.get("Contents"))
    parts: list[bytes] = []
    size = 0
    for item in value if type(value) is list else [value]:
        stream = file.resolve(item)
        if type(stream) is not Stream:
            continue
        try:
            parts.append(file.decode(stream))
        except PdfError:
            continue
        size += len(parts[-1])
        if size > _MAX_CONTENT:
            break
    return b"\n".join(parts)


def text_of_page(
    file: PdfFile, interpreter: Interpreter, page: tuple[int, dict[str, Any]], deadline: float | None, tags: Tags
) -> list[list[Segment]]:
    """A page's segments by the direction of their text, the direction of most text first."""
    number, attrs = page
    resources = file.dict_of(attrs.get("Resources"))
    shows = annots.appearances(file, attrs, interpreter.layers)
    spans = interpreter.run(content(file, attrs), resources, deadline, shows)
    shown = _inside(file, attrs, spans)
    if len(shown) < len(spans):
        kept = set(map(id, shown))
        interpreter.unseen += sum(len(span.text.split()) for span in spans if id(span) not in kept)
    spans = _with_downward_lines(shown)
    directions: dict[int, list[Span]] = {}
    for span in spans:
        directions.setdefault(span.angle, []).append(span)
    links = annots.links(file, attrs)
    ordered = sorted(directions.items(), key=lambda item: -sum(len(span.text) for span in item[1]))
    result: list[list[Segment]] = []
    for angle, group in ordered:
        drawn: list[Segment] = []
        marked: list[Segment] = []
        if angle == 0 and tags.cells:
            cells = {tag: tags.cells[number, tag] for tag in {s.tag for s in group} if (number, tag) in tags.cells}
            marked, group = tagged_tables.tables(group, cells, tags.rows, links)
        if angle == 0 and interpreter.rulings:
            drawn, group = drawn_tables.tables(interpreter.rulings, group, links)
        result.append([*marked, *drawn, *segments(group, links if angle == 0 else [])])
    return result


def _inside(file: PdfFile, attrs: dict[str, Any], spans: list[Span]) -> list[Span]:
    """Spans that begin on the visible page; only upright ones have page coordinates."""
    box = annots.rectangle(file, attrs.get("CropBox")) or annots.rectangle(file, attrs.get("MediaBox"))
    if not box or box[2] - box[0] < 10 or box[3] - box[1] < 10:
        return spans
    left, bottom, right, top = box
    return [
        span
        for span in spans
        if span.angle != 0 or (left - 2 <= span.end and span.x <= right + 2 and bottom - 2 <= span.y <= top + 2)
    ]


def _with_downward_lines(spans: list[Span]) -> list[Span]:
    """Spans, those of one Chinese or Japanese letter turned where each stands below the one before.

    Browsers print vertical text this way, with the letters of horizontal fonts: it is read as if the line were turned.
    """
    letters = {at for at, span in enumerate(spans) if len(span.text) == 1 and not span.angle and CJK.match(span.text)}
    if len(letters) < _LEAST_LETTERS or 2 * len(letters) < len(spans):
        return spans
    downwards: set[int] = set()
    for at in letters:
        before, span = spans[at - 1], spans[at]
        if at - 1 in letters and abs(before.x - span.x) < 0.3 * span.size < 0.6 * (before.y - span.y) < span.size:
            downwards.update((at - 1, at))
    if 2 * len(downwards) < len(letters):
        return spans
    return [
        # From the top of the letter to its bottom, through the middle of its line.
        s._replace(x=-s.y - 0.88 * s.size, y=s.x, end=-s.y + 0.12 * s.size, angle=270) if at in letters else s
        for at, s in enumerate(spans)
    ]
