"""The pages of a PDF file. In: a PdfFile. Out: page dictionaries with what they inherit, their text as segments.

Specification: ISO 32000-1 sections 7.7.3 (page tree), 12.5.6.5 (link annotations), 14.11.2 (page boundaries).
"""

from __future__ import annotations

from collections import Counter

from webtool import patterns
from webtool.documents.pdf import rulings
from webtool.documents.pdf.file import is_page
from webtool.documents.pdf.lines import Segment, segments
from webtool.documents.pdf.objects import PdfError, Ref, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from webtool.documents.pdf.file import PdfFile
    from webtool.documents.pdf.interpreter import Interpreter
    from webtool.documents.pdf.lines import Rect
    from webtool.documents.pdf.state import Span

MAX_PAGES = 5000
MAX_LINKS = 2000  # of one page
_MAX_NODES = 50_000
_INHERITED = ("Resources", "MediaBox", "CropBox")  # table 30
_MAX_CONTENT = 32 * 1024 * 1024
_HEAD_ROWS = 2  # so many lines at the top and the bottom of a page may be running heads
_TITLE_SIZE = 1.25  # of the usual size
_DIGITS = patterns.compile(r"\d+|\b[ivxlc]{1,7}\b")


def pages(file: PdfFile) -> list[tuple[int, dict[str, Any]]]:
    """Object number and attributes of each page, in order; found by scanning where the page tree is damaged."""
    found = list(_from_tree(file))
    if not found:
        file.repair()
        found = list(_from_tree(file)) or list(_from_objects(file))
    return found


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
        kids = file.list_of(attrs.get("Kids"))
        if kids and attrs.get("Type") != "Page":
            waiting.extend((kid, inherited) for kid in reversed(kids[:_MAX_NODES]) if type(kid) is Ref)
        elif attrs and is_page(attrs):
            count += 1
            yield number, {**attrs, **inherited}


def _from_objects(file: PdfFile) -> Iterator[tuple[int, dict[str, Any]]]:
    count = 0
    for number in sorted(file.entries):
        try:
            attrs = file.get(number)
        except PdfError:
            continue
        if type(attrs) is dict and attrs.get("Type") == "Page" and count < MAX_PAGES:
            count += 1
            yield number, attrs


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
    file: PdfFile, interpreter: Interpreter, attrs: dict[str, Any], deadline: float | None
) -> list[list[Segment]]:
    """A page's segments by the direction of their text, the direction of most text first."""
    spans = interpreter.run(content(file, attrs), file.dict_of(attrs.get("Resources")), deadline)
    spans = _inside(file, attrs, spans)
    directions: dict[int, list[Span]] = {}
    for span in spans:
        directions.setdefault(span.angle, []).append(span)
    links = _links(file, attrs)
    ordered = sorted(directions.items(), key=lambda item: -sum(len(span.text) for span in item[1]))
    result: list[list[Segment]] = []
    for angle, group in ordered:
        drawn: list[Segment] = []
        if angle == 0 and interpreter.rulings:
            drawn, group = rulings.tables(interpreter.rulings, group, links)
        result.append([*drawn, *segments(group, links if angle == 0 else [])])
    return result


def _inside(file: PdfFile, attrs: dict[str, Any], spans: list[Span]) -> list[Span]:
    """Spans that begin on the visible page; only upright ones have page coordinates."""
    box = file.numbers_of(attrs.get("CropBox")) or file.numbers_of(attrs.get("MediaBox"))
    if len(box) != 4:
        return spans
    left, right = sorted((box[0], box[2]))
    bottom, top = sorted((box[1], box[3]))
    if right - left < 10 or top - bottom < 10:
        return spans
    return [
        span
        for span in spans
        if span.angle != 0 or (left - 2 <= span.end and span.x <= right + 2 and bottom - 2 <= span.y <= top + 2)
    ]


def _links(file: PdfFile, attrs: dict[str, Any]) -> list[tuple[Rect, str]]:
    links: list[tuple[Rect, str]] = []
    for reference in file.list_of(attrs.get("Annots"))[:MAX_LINKS]:
        annotation = file.dict_of(reference)
        action = file.dict_of(annotation.get("A"))
        if file.resolve(annotation.get("Subtype")) != "Link" or "URI" not in action:
            continue
        box = file.numbers_of(annotation.get("Rect"))
        url = file.text_of(action["URI"])
        if len(box) == 4 and url.lower().startswith(("http://", "https://", "mailto:")):
            left, right = sorted((box[0], box[2]))
            bottom, top = sorted((box[1], box[3]))
            links.append(((left, bottom, right, top), url))
    return links


def without_running_heads(all_pages: list[list[Segment]]) -> list[list[Segment]]:
    """Pages without the lines that stand at the same height on many pages and differ at most in numbers.

    Large type on the first page stays: it is the title, which later pages repeat.
    """
    counts: Counter[tuple[str, int]] = Counter()
    candidates = [_edge_lines(page) for page in all_pages]
    for lines in candidates:
        counts.update({_head_key(line) for line in lines})
    heads = _heads(candidates, counts)
    result: list[list[Segment]] = []
    for page, lines in zip(all_pages, candidates):
        dropped = {id(line) for line in lines if _head_key(line) in heads}
        if not result:
            usual = sorted(line.size for line in page)[len(page) // 2] if page else 0.0
            dropped -= {id(line) for line in lines if line.size > _TITLE_SIZE * usual}
        result.append([line for line in page if id(line) not in dropped])
    return result


def _heads(candidates: list[list[Segment]], counts: Counter[tuple[str, int]]) -> set[tuple[str, int]]:
    """Keys of the running heads. One that names the chapter is on few pages, but where most pages repeat a line."""
    heights: Counter[int] = Counter()
    for lines in candidates:
        heights.update({_head_key(line)[1] for line in lines if counts[_head_key(line)] > 1})
    usual = {height for height, count in heights.items() if count >= max(3, 0.5 * len(candidates))}
    least = max(3, 0.3 * len(candidates))
    return {key for key, count in counts.items() if count >= (2 if key[1] in usual else least)}


def _edge_lines(page: list[Segment]) -> list[Segment]:
    heights = sorted({round(segment.y) for segment in page})
    edges = {*heights[:_HEAD_ROWS], *heights[-_HEAD_ROWS:]}
    return [segment for segment in page if round(segment.y) in edges]


def _head_key(line: Segment) -> tuple[str, int]:
    return _DIGITS.sub("#", line.text.lower()), round(line.y / 4)
