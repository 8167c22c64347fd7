"""Texts at the side of a column of a PDF page: page numbers, notes, labels. In: columns. Out: columns, joined.

with_margins() joins numbers of pages or formulas, or short notes at the right such as the years of a CV, to the column
beside them. hanging() joins labels to the text beside them, as in a list of options: "-c" at the left, at the right
what it does.

A column is a list of segments, from the top. Distances are multiples of the font size unless they say points; y grows
upwards.
Tests: tests/documents/pdf/test_layout.py
"""

from __future__ import annotations

from webtool.documents.pdf.layout.groups import MAX_PARAGRAPH_STEP, MIN_BANDS
from webtool.documents.pdf.layout.moved_lines import MIN_HEADING_SIZE
from webtool.documents.pdf.layout.segments import Segment
from webtool.lean import patterns

_MAX_LABEL_WIDTH = 4.0  # a label with text hanging beside it is narrower than this, if labels are close to each other
_MAX_LABELS_PER_LINE = 0.7  # labels for each line of text beside them; with more, the two are ordinary columns
_MIN_LABELS_BESIDE = 0.7  # share of labels that must have a line of text at their height
_MIN_HANGING_TEXT = 30  # characters; if no line beside the labels is longer, they are not labels of a text
_MAX_NOTE_WIDTH = 11.0  # a note or label with space below it is narrower than this: "Jan 2019 - Mar 2024"
_MAX_BESIDE = 2.0  # points; a label and text whose baselines differ by less are one line
_MAX_FLUSH_STEP = 1.0  # points; notes whose right ends differ by less are flush right
_MIN_ITEM_STEP = 1.2  # times the smallest distance between lines of text; items are further from each other
_FORMULA_NUMBER = patterns.compile(r"\((?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?\)\Z")
_PAGE_NUMBER = patterns.compile(r"(?:\d{1,4}|[ivxlc]{1,6})\Z")


def with_margins(columns: list[list[Segment]]) -> list[list[Segment]]:
    """Join a column of numbers of pages or formulas, or of short notes at the right, to the column beside it."""
    joined = columns[:1]
    for column in columns[1:]:
        # Lines of the column at the left from the first to the last one of this column.
        beside = [line for line in joined[-1] if column[0].y + 1 > line.y > column[-1].y - 1]
        if all(_PAGE_NUMBER.match(line.text) for line in column):
            # Numbers beside most lines are page numbers of a table of contents. Fewer are line numbers: a column.
            is_margin = 2 * len(column) > len(beside)
        elif all(_FORMULA_NUMBER.match(line.text) for line in column):
            is_margin = True
        else:
            is_margin = column is columns[-1] and _are_margin_notes(column, beside)
        if is_margin:
            joined[-1] = joined[-1] + column
        else:
            joined.append(column)
    return joined


def _are_margin_notes(column: list[Segment], beside: list[Segment]) -> bool:
    """Return whether lines are notes on the lines beside them, e.g. the years of a CV.

    Such notes are short, flush right, each at the height of a line, and mostly not below each other.
    """
    ends = [line.end for line in column]
    if len(column) < MIN_BANDS or max(ends) - min(ends) >= _MAX_FLUSH_STEP:
        return False
    if _are_lines(column):
        return False
    heights = _heights(beside)
    return all(round(line.y) in heights and line.end - line.x < _MAX_NOTE_WIDTH * line.size for line in column)


def _heights(lines: list[Segment]) -> set[int]:
    """Return the heights of lines in points, and those next to them."""
    return {round(line.y) + step for line in lines for step in (-1, 0, 1)}


def hanging(columns: list[list[Segment]]) -> list[list[Segment]]:
    """Return each label with the text beside it, if the first of two columns consists of labels; else []."""
    if len(columns) != 2:
        return []
    labels, text = columns
    if not _are_labels(labels, text):
        return []
    # (height to sort by, line, is it a label): a label comes before text that is up to a point higher.
    lines = [(label.y + 1, label, True) for label in labels] + [(line.y, line, False) for line in text]
    items: list[list[Segment]] = [[]]
    label: Segment | None = None  # the label of the last item, until a line of text comes
    for _, line, is_label in sorted(lines, key=lambda entry: (-round(entry[0]), entry[1].x)):
        if is_label:
            items.append([line])
        elif label is not None and abs(label.y - line.y) < _MAX_BESIDE:
            items[-1] = [_joined(label, line)]
        else:
            items[-1].append(line)
        label = line if is_label else None
    return items


def _are_labels(labels: list[Segment], text: list[Segment]) -> bool:
    """Return whether a column consists of labels, most of them beside a line of a column of longer text.

    Headings between the labels do not count: "Education" above the years of a CV has no text beside it.
    """
    heights = _heights(text)
    usual = sorted(line.size for line in text)[len(text) // 2]
    labels = [s for s in labels if round(s.y) in heights or not (s.is_bold or s.size > MIN_HEADING_SIZE * usual)]
    if not labels or len(labels) > _MAX_LABELS_PER_LINE * len(text):
        return False
    beside = sum(round(label.y) in heights for label in labels)
    width = max((label.end - label.x) / label.size if label.table is None else float("inf") for label in labels)
    is_narrow = width < _MAX_LABEL_WIDTH and beside >= _MIN_LABELS_BESIDE * len(labels)
    is_wide = width < _MAX_NOTE_WIDTH and beside == len(labels) and not _are_lines(labels)
    is_long = any(len(line.text) > _MIN_HANGING_TEXT for line in text)
    return is_long and (is_narrow or (is_wide and _start_items(labels, text)))


def _start_items(labels: list[Segment], text: list[Segment]) -> bool:
    """Return whether each label is beside a line with space above it, or below the line of another label.

    Else the labels may be cells that are centred beside cells of several lines.
    """
    heights = _heights(labels)
    pairs = list(zip(text, text[1:]))
    min_step = _MIN_ITEM_STEP * min((above.y - line.y for above, line in pairs), default=0.0)
    return all(
        above.y - line.y > min_step or round(above.y) in heights for above, line in pairs if round(line.y) in heights
    )


def _are_lines(column: list[Segment]) -> bool:
    """Return whether many segments are as close below each other as the lines of a text."""
    close = sum(above.y - line.y < MAX_PARAGRAPH_STEP * line.size for above, line in zip(column, column[1:]))
    return 2 * close > len(column)


def _joined(label: Segment, line: Segment) -> Segment:
    """Return a label and the text after it as one segment with the position and the font size of the text."""
    runs = [*label.runs, (" ", ""), *line.runs]
    is_fixed_pitch = label.is_fixed_pitch and line.is_fixed_pitch
    return line._replace(runs=runs, text=f"{label.text} {line.text}", is_fixed_pitch=is_fixed_pitch)
