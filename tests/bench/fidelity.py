"""Count what a reader would miss: python3 tests/bench/fidelity.py [--every N] [--only fetch|extract] [--pages FOLDER].

Converts every page of ../shared/corpus (or of a folder with the same layout) as `fetch` and as `extract` do, and prints
which share of the source is in the answer. It counts what round trips through a renderer do not show:

- words and numbers of the page's wanted text (the ground truth);
- rows of tables, and rows whose cells are in the columns of the source;
- lines that the page has twice;
- formulas, headings, list items, code, cells, links and pictures;
- markup that no reader needs, such as links without a name.

page_source.py reads the source's side. Words that only scripts bring, so that the source lacks them, are not expected.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import pathlib
import re
import sys
import time
import urllib.parse

from costs import ROOT, leave
from page_source import (
    BEGINNING,
    MIN_LONG,
    WORD,
    Source,
    elements,
    file_name,
    is_aside,
    is_data,
    is_in_other_card,
    is_in_truth,
    is_link_list,
    is_picture,
    squeeze,
    table_of,
)

CORPUS = ROOT.parent / "shared/corpus/wcxb-dev"

# Invisible characters inside words, such as soft hyphens.
UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufeff]")
NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
LINK_TARGET = re.compile(r"\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\)")
FORMULA = re.compile(r"(?s)\$\$.+?\$\$|```math\n.+?```|\$`[^\n]+?`\$|\$[^$\n]+\$")
ROW_PREFIX = re.compile(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*")
CELL_END = re.compile(r"(?<!\\)\|")
FENCED = re.compile(r"(?ms)^[ >]*(`{3,})[^\n]*\n.*?^[ >]*\1")
IMAGE_MARK = re.compile(r"!\[[^\]\n]*\]\([^()\s]*\)")
LIST_ITEM = re.compile(r"(?m)^[\s>]*(?:[-*+]|\d+[.)])\s+(.*)")
HEADING = re.compile(r"(?m)^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?#{1,6}\s+(.*)")
IMAGE = re.compile(r"!\[(?:\\.|[^\]\\])*\]\((?:<([^>\n]*)>|((?:[^()\s]|\([^()\s]*\))*))")
LINK = re.compile(
    r"(?<!!)\[((?:\\.|[^\[\]\\]|!?\[[^\[\]]*\](?:\([^()\s]*\))?)+)\]\((?:<([^>\n]*)>|((?:[^()\s]|\([^()\s]*\))*))"
)
LINK_ENDING = 20  # letters of an address by which it is found again: the answer has it in full, the source may not
LINES = frozenset("p li td th dd dt h1 h2 h3 h4 h5 h6 figcaption blockquote div".split())
HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
STRUCTURE = HEADINGS | {"li", "pre", "td", "th"}
# Markup that no reader needs.
MARKS = {
    "links without a name": re.compile(r"(?<!!)\[\]\("),
    "broken addresses": re.compile(r":\\/+|(?i:www)\\\."),
    "character references": re.compile(r"&#x?[0-9a-fA-F]+;"),
    "lone backslashes": re.compile(r"(?m)^[ >]*\\$"),
    "empty headings": re.compile(r"(?m)^[ >]*#{1,6}[ ]*$"),
}


class Sums:
    """Hold one converter's sums over the pages."""

    def __init__(self) -> None:
        self.pairs: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])  # measure -> [kept, expected]
        self.marks: collections.Counter[str] = collections.Counter()
        self.pages_with: collections.Counter[str] = collections.Counter()
        self.recalls: list[tuple[float, str]] = []
        self.seconds = 0.0

    def add(self, name: str, kept: int, expected: int) -> None:
        """Add the counts of one page."""
        self.pairs[name][0] += kept
        self.pairs[name][1] += expected


def plain(markdown: str) -> str:
    """Return markdown without the targets of its links."""
    return LINK_TARGET.sub("]", markdown).replace("\\", "")


def table_rows(markdown: str) -> list[list[str]]:
    """Return the cells of every line that is a table row, without the descriptions of images.

    The source's cells are only their text, so descriptions would not match.
    """
    rows = []
    for line in markdown.split("\n"):
        line = line[ROW_PREFIX.match(line).end() :]
        if line.startswith("|") and line.endswith("|"):
            cells = CELL_END.split(LINK_TARGET.sub("]", IMAGE_MARK.sub("", line))[1:-1])
            rows.append([squeeze(re.sub(r"<br>|&[#\w]+;", " ", cell)) for cell in cells])
    return rows


def words_kept(sums: Sums, page: str, truth: str, source: Source, text: str) -> None:
    """Count the words and numbers of the ground truth that are in the source, and how many of them are in the
    answer.
    """
    truth, source_text = (UNSEEN.sub("", whole).lower() for whole in (truth, source.text))
    for name, pattern in (("wanted words", WORD), ("numbers", NUMBER)):
        expected = collections.Counter(pattern.findall(truth))
        expected &= collections.Counter(pattern.findall(source_text))
        got = expected & collections.Counter(pattern.findall(text.lower()))
        total = sum(expected.values())
        sums.add(name, sum(got.values()), total)
        if name == "wanted words" and total:
            sums.recalls.append((sum(got.values()) / total, page))


def rows_kept(sums: Sums, source: Source, markdown: str) -> None:
    """Count the rows of the source that are in the answer, and those among them with all cells in their columns."""
    rows = table_rows(markdown)
    by_cells = collections.defaultdict(list)
    for row in rows:
        by_cells[tuple(filter(None, row))].append(row)
    kept = in_columns = 0
    for row in source.rows:
        equal_rows = by_cells.get(tuple(filter(None, row)), [])
        # A first row with spans repeats their cells, so that each column has its header.
        equal_rows = equal_rows or [other for other in rows if len(other) == len(row) and has_same_columns(row, other)]
        kept += bool(equal_rows)
        in_columns += any(has_same_columns(row, other) for other in equal_rows)
    sums.add("rows", kept, len(source.rows))
    sums.add("rows in their columns", in_columns, kept)


def has_same_columns(row: list[str | None], answer_row: list[str]) -> bool:
    """Whether every cell of the source's row is in its column in the answer."""
    answer_row = answer_row + [""] * (len(row) - len(answer_row))
    are_equal = all(cell is None or cell == answer_cell for cell, answer_cell in zip(row, answer_row))
    return are_equal and not any(answer_row[len(row) :])


def repeats_kept(sums: Sums, truth: str, source: Source, squeezed: str) -> None:
    """Count lines of five words or more that both the ground truth and the source have twice or more."""
    lines = collections.Counter(squeeze(line) for line in truth.split("\n") if len(WORD.findall(line)) >= 5)
    whole = squeeze(source.text) if any(count > 1 for count in lines.values()) else ""
    for line, count in lines.items():
        count = min(count, whole.count(line)) if count > 1 else 0
        if count > 1:
            sums.add("repeats", min(squeezed.count(line), count), count)


def formulas_kept(sums: Sums, source: Source, markdown: str, squeezed: str) -> None:
    """Count formulas whose letters are in the answer: TeX as it is, MathML in the order of its letters."""
    answer_formulas = [formula_letters for match in FORMULA.findall(markdown) if (formula_letters := squeeze(match))]
    for kind, letters in source.formulas:
        ascii_letters = "".join(char for char in letters if char.isascii())
        if kind == "tex":
            kept = letters in squeezed
        else:
            kept = any(is_subsequence(ascii_letters, formula) for formula in answer_formulas)
        sums.add("formulas", kept, 1)


def is_subsequence(letters: str, text: str) -> bool:
    """Whether the letters occur in the text in this order."""
    rest = iter(text)
    return all(letter in rest for letter in letters)


def structure_kept(sums: Sums, truth: str, source: Source, markdown: str) -> None:
    """Count the headings, list items, code, cells and pictures of the source in the ground truth, and those in the
    answer.
    """
    whole = squeeze(truth)
    lines = {squeeze(line) for line in truth.split("\n")}
    answer = LINK_TARGET.sub("]", markdown)
    headings = {squeeze(line) for line in HEADING.findall(answer)}
    items = {squeeze(line)[:BEGINNING] for line in LIST_ITEM.findall(answer)}
    fenced = squeeze("\n".join(match.group(0) for match in FENCED.finditer(markdown)))
    cells = {cell for row in table_rows(markdown) for cell in row}
    tables: dict[object, bool] = {}
    for node in elements(source.root):
        text = squeeze(node.text) if node.tag in STRUCTURE else ""
        if not text or not (text in lines or (len(text) > MIN_LONG and text in whole)):
            continue
        if node.tag == "pre":
            sums.add("code", text in fenced, 1)
        elif node.tag == "li":
            if is_link_list(node):
                continue
            sums.add("list items", text[:BEGINNING] in items or any(text.startswith(item) for item in items if item), 1)
        elif node.tag in ("td", "th") and not any(inner.tag == "pre" for inner in elements(node)):
            table = table_of(node)
            if table is not None and table not in tables:
                tables[table] = is_data(table) and is_in_truth(table, lines, whole)
            if table is not None and tables[table]:
                sums.add("cells", text in cells, 1)
        elif node.tag in HEADINGS:
            sums.add("headings", text in headings, 1)
    links_kept(sums, whole, lines, source, markdown)
    pictures_kept(sums, whole, lines, source, markdown)


def links_kept(sums: Sums, whole: str, lines: set[str], source: Source, markdown: str) -> None:
    """Count the links with text to other addresses, in lines of the ground truth, and those in the answer.

    A link is found by its letters and the end of its address. Links inside menus, forms and page headers do not count,
    nor short ones that are a line of their own.
    """
    targets = collections.defaultdict(list)
    for label, bracketed, bare in LINK.findall(markdown):
        targets[squeeze(IMAGE_MARK.sub("", label))].append(address_letters(bracketed or bare))
    for node in elements(source.root):
        href = node.attrs.get("href", "").strip() if node.tag == "a" else ""
        label = squeeze(node.text) if href and not href.startswith(("#", "javascript:")) else ""
        if not label or is_aside(node):
            continue
        line = node
        while line.parent is not None and line.tag not in LINES:
            line = line.parent
        text = squeeze(line.text)
        is_alone = 10 * len(label) > 8 * len(
            text
        )  # a tag or an entry of a menu, whose word the truth may have by chance
        if (text in lines and not is_alone) or (len(text) > MIN_LONG and text in whole):
            ending, fragment = (address_letters(part)[-LINK_ENDING:] for part in (href, href.partition("#")[2]))
            is_kept = any(target.endswith(ending) or target == fragment for target in targets[label])
            sums.add("links", is_kept, 1)  # to a place of the page itself, the answer's link is "#place"


def address_letters(address: str) -> str:
    """Return the letters and digits of an address: "../a/b%20c" -> "abc"."""
    return squeeze(urllib.parse.unquote(address.replace("\\", "")))


def pictures_kept(sums: Sums, whole: str, lines: set[str], source: Source, markdown: str) -> None:
    """Count the pictures between the first and the last paragraph of the ground truth, and those in the answer.

    Pictures of cards are left out if no word of the card is in the ground truth.
    """
    from webtool.markdown import media

    pictures: list[tuple[int, str]] = []  # (paragraphs of the ground truth before the picture, file name)
    paragraphs = 0
    for node in elements(source.root):
        if node.tag == "p":
            text = squeeze(node.text)
            paragraphs += len(text) > MIN_LONG and text in whole
        elif node.tag == "img" and is_picture(node):
            name = file_name(media.image_source(node))
            if name and not name.startswith("data:") and not is_in_other_card(node, lines, whole):
                pictures.append((paragraphs, name))
    expected = {name for before, name in pictures if 0 < before < paragraphs}
    names = {file_name(bracketed or bare) for bracketed, bare in IMAGE.findall(markdown)}
    sums.add("pictures", sum(name in names for name in expected), len(expected))


def count_marks(sums: Sums, markdown: str) -> None:
    """Count the markup that no reader needs."""
    text = FENCED.sub("", markdown)
    for name, pattern in MARKS.items():
        count = len(pattern.findall(text))
        sums.marks[name] += count
        sums.pages_with[name] += bool(count)


def measure(sums: Sums, page: str, truth: str, source: Source, markdown: str) -> None:
    """Add all measures of one answer."""
    text = plain(markdown)
    squeezed = squeeze(text)
    words_kept(sums, page, truth, source, text)
    rows_kept(sums, source, markdown)
    repeats_kept(sums, truth, source, squeezed)
    formulas_kept(sums, source, markdown, squeezed)
    structure_kept(sums, truth, source, markdown)
    count_marks(sums, markdown)


def converters() -> dict[str, object]:
    """Return the converters by name: functions from a page's bytes to markdown."""
    import webtool

    return {"fetch": webtool.to_markdown, "extract": lambda html, url: webtool.extract(html, url).markdown}


def print_table(all_sums: dict[str, Sums], pages: int, worst: int) -> None:
    """Print one column for each converter."""
    print(f"{pages} pages\n\n| measure | " + " | ".join(all_sums) + " |\n|---|" + "---:|" * len(all_sums))
    names = list(dict.fromkeys(name for sums in all_sums.values() for name in sums.pairs))
    for name in names:
        cells = [
            f"{kept / max(expected, 1):.4f} of {expected}"
            for kept, expected in (s.pairs[name] for s in all_sums.values())
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")
    means = [sum(recall for recall, _ in s.recalls) / max(len(s.recalls), 1) for s in all_sums.values()]
    print("| wanted words, mean of pages | " + " | ".join(f"{mean:.4f}" for mean in means) + " |")
    for minimum in (0.95, 0.8):
        cells = [str(sum(recall < minimum for recall, _ in s.recalls)) for s in all_sums.values()]
        print(f"| pages that lose over {100 - minimum * 100:.0f} % of the wanted words | " + " | ".join(cells) + " |")
    for name in MARKS:
        cells = [f"{s.marks[name]} on {s.pages_with[name]} pages" for s in all_sums.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("| CPU seconds | " + " | ".join(f"{s.seconds:.1f}" for s in all_sums.values()) + " |")
    for name, sums in all_sums.items():
        if worst:
            print(f"\n{name}, least recall: " + ", ".join(f"{p} {r:.3f}" for r, p in sorted(sums.recalls)[:worst]))


def main() -> int:
    """Read the pages, convert, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth page")
    parser.add_argument("--only", choices=("fetch", "extract"))
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="pages to name that lose most words")
    parser.add_argument("--pages", type=pathlib.Path, default=CORPUS, help="folder with ground-truth.jsonl.gz and html")
    options = parser.parse_args()
    truth = options.pages / "ground-truth.jsonl.gz"
    if not truth.exists():
        leave(f"no ground-truth.jsonl.gz in {options.pages}; tests/bench/README.md says how to get the corpus")
    with gzip.open(truth, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:: options.every]
    chosen = {name: convert for name, convert in converters().items() if options.only in (None, name)}
    all_sums = {name: Sums() for name in chosen}
    for row in rows:
        html = gzip.decompress((options.pages / "html" / f"{row['id']}.html.gz").read_bytes())
        source = Source(html)
        for name, convert in chosen.items():
            start = time.process_time()
            markdown = convert(html, row["url"])  # type: ignore[operator]
            all_sums[name].seconds += time.process_time() - start
            measure(all_sums[name], row["id"], row["main_content"], source, markdown)
    print_table(all_sums, len(rows), options.worst)
    return 0


if __name__ == "__main__":
    sys.exit(main())
