"""Read for fidelity.py what a page says, from webtool's tree: text, rows of tables, formulas, and which parts count.

Hidden text is read too: a text wrongly taken for hidden counts as lost. `lines` and `whole` are the ground truth of a
page, as squeeze() writes it: the set of its lines, and all of it.
"""

from __future__ import annotations

import re
import urllib.parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SILENT = frozenset("script style head template #comment !doctype noembed noframes".split())
WORD = re.compile(r"[^\W_]+")
INLINE = frozenset("a abbr b bdi bdo cite code em font i kbd mark q s samp small span strong sub sup u var wbr".split())
ASIDE = frozenset("nav aside footer header form button dialog".split())
MIN_LONG = 40  # letters; a text with more is found by its letters alone, a shorter one must be a line of its own
MIN_CARD_TEXT = 12  # letters beside a picture; with fewer, the element around it is looked at
MIN_PICTURE = 48  # pixels of a picture's width and height, if given; a smaller one is an icon
BEGINNING = 24  # letters of a list item's beginning by which it is found again


class Source:
    """Hold what a page says, read from its tree."""

    def __init__(self, html: bytes) -> None:
        from webtool.html import parse_html

        self.root = parse_html(html)
        self.rows: list[list[str | None]] = []  # cells by column; None at the places that a span covers
        self.formulas: list[tuple[str, str]] = []  # kind ("tex" or "mathml") and letters
        self.text = text_below(self.root)
        for node in elements(self.root):
            if node.tag == "table" and is_data(node):
                self.rows += rows_of(node)
            elif is_tex(node):
                self.formulas.append(("tex", squeeze(node.text)))
            elif node.tag == "math" and not any(inner.tag == "annotation" for inner in elements(node)):
                tex = node.attrs.get("alttext", "")
                letters = "".join(inner.text for inner in elements(node) if inner.tag in ("mi", "mn"))
                self.formulas.append(("tex", squeeze(tex)) if tex else ("mathml", squeeze(letters)))
        self.formulas = [formula for formula in dict.fromkeys(self.formulas) if len(formula[1]) > 2]


def is_tex(node) -> bool:
    """Whether an element has a formula as its author wrote it."""
    if node.tag == "annotation":
        return "tex" in node.attrs.get("encoding", "").lower()
    return node.tag == "script" and node.attrs.get("type", "").startswith("math/tex")


def elements(root) -> Iterator:
    """Yield every element below the root in document order."""
    from webtool.html.node import walk

    for event, node in walk(root):
        if event == "open" and node is not root:
            yield node


def text_below(root) -> str:
    """Return the text of a tree, hidden or not, with a space at every edge of a block element."""
    pieces, stack = [], [iter(root.children)]
    while stack:
        for node in stack[-1]:
            if node.tag is None:
                pieces.append(node.text)
            elif node.tag not in SILENT:
                if node.tag not in INLINE:
                    pieces.append(" ")
                stack.append(iter(node.children))
                break
        else:
            stack.pop()
    return "".join(pieces)


def squeeze(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(WORD.findall(text)).lower()


def is_data(table) -> bool:
    """Whether a table has data: no table inside, and half of its rows have two cells or more."""
    if table.attrs.get("role") in ("presentation", "none"):
        return False
    inner = list(elements(table))
    if any(node.tag in ("table", "pre", "form", "h1", "h2", "article") for node in inner):
        return False
    widths = [sum(cell.tag in ("td", "th") for cell in row.children) for row in inner if row.tag == "tr"]
    return len(widths) > 1 and sum(width > 1 for width in widths) > len(widths) / 2


def rows_of(table) -> list[list[str | None]]:
    """Return the rows of a table that have two cells with text, with cells put at their columns."""
    covered: dict[int, int] = {}
    rows = []
    for row in elements(table):
        if row.tag != "tr":
            continue
        cells: dict[int, str | None] = {}
        column = 0
        for column_above in list(covered):
            cells[column_above] = None
            covered[column_above] -= 1
            if not covered[column_above]:
                del covered[column_above]
        for cell in row.children:
            if cell.tag not in ("td", "th"):
                continue
            while column in cells:
                column += 1
            colspan, rowspan = number(cell.attrs.get("colspan")), number(cell.attrs.get("rowspan"))
            for place in range(column, column + colspan):
                cells[place] = None
                if rowspan > 1:
                    covered[place] = rowspan - 1
            cells[column] = squeeze(text_below(cell))
            column += colspan
        filled = [cells.get(place, "") for place in range(max(cells, default=-1) + 1)]
        if sum(bool(cell) for cell in filled) > 1:
            rows.append(filled)
    return rows


def number(value: str | None) -> int:
    """Return a colspan or rowspan."""
    return min(int(value), 1000) if value and value.isdecimal() and int(value) else 1


def table_of(cell):
    """Return the table that a cell is in, or None."""
    while cell is not None and cell.tag != "table":
        cell = cell.parent
    return cell


def is_aside(element) -> bool:
    """Whether an element is in a menu, a margin, a form, a header or a footer."""
    while element is not None and element.tag not in ASIDE:
        element = element.parent
    return element is not None


def is_link_list(item) -> bool:
    """Whether an item is only a link, as in menus and tables of contents, or is inside such a part of the page."""
    links = "".join(node.text for node in elements(item) if node.tag == "a")
    return 10 * len(squeeze(links)) > 8 * len(squeeze(item.text)) or is_aside(item)


def is_in_truth(table, lines: set[str], whole: str) -> bool:
    """Whether half of a table's rows are in the ground truth, as one line or with most of their cells as lines.

    One cell is not enough: "Good" or a product's name can be a line of the ground truth without the table being in it.
    """
    rows = [row for row in elements(table) if row.tag == "tr"]
    texts = [[squeeze(text_below(cell)) for cell in row.children if cell.tag in ("td", "th")] for row in rows]
    texts = [[text for text in row if text] for row in texts if any(row)]
    return 2 * sum(is_row_in_truth(row, lines, whole) for row in texts) >= len(texts)


def is_row_in_truth(cells: list[str], lines: set[str], whole: str) -> bool:
    """Whether the letters of a row, or of most of its cells, are in the ground truth."""
    row = "".join(cells)
    cells_found = sum(cell in lines or (len(cell) > MIN_LONG and cell in whole) for cell in cells)
    return row in lines or (len(row) > MIN_LONG and row in whole) or 2 * cells_found >= len(cells)


def is_in_other_card(image, lines: set[str], whole: str) -> bool:
    """Whether a picture belongs to a product, post or offer that is not in the ground truth.

    Then the text beside it links elsewhere, and none of it is in the ground truth. Captions are exempt: few ground
    truths have them.
    """
    card = image.parent
    while card is not None and len(squeeze(text_below(card))) < MIN_CARD_TEXT:
        if card.tag == "figure" or "caption" in card.attrs.get("class", ""):
            return False
        card = card.parent
    if card is None or card.tag in ("figure", "body", "html"):
        return False
    links = card.tag == "a" or any(node.tag == "a" and squeeze(text_below(node)) for node in elements(card))
    holders = [node for node in (card, *elements(card)) if node.tag not in SILENT]
    texts = [squeeze(child.text) for node in holders for child in node.children if child.tag is None]
    return links and not any(text in lines or (len(text) > BEGINNING and text in whole) for text in texts if text)


def is_picture(image) -> bool:
    """Whether an img is not in a menu, a margin or a form, and not as small as an icon."""
    for side in ("width", "height"):
        size = image.attrs.get(side, "").removesuffix("px")
        if size.isdecimal() and int(size) < MIN_PICTURE:
            return False
    element = image.parent
    while element is not None:
        if element.tag in ASIDE or element.attrs.get("hidden") is not None:
            return False
        element = element.parent
    return True


def file_name(address: str) -> str:
    """Return the last part of an address's path."""
    return urllib.parse.unquote(address.replace("\\", "").split("?")[0].rsplit("/", 1)[-1]).strip()
