"""Lines of a region to blocks: paragraphs, list items, preformatted text, tables. In: lines. Out: Blocks.

A line goes on the paragraph above unless something says otherwise: distance, size, weight, an indent, a bullet, a tag,
or that its first word would have fitted above.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby

from webtool.documents.pdf.layout.lines import (
    CJK,
    MIN_LINE_STEP,
    WORD,
    Run,
    Segment,
    extent,
    is_contents_entry,
    joined_by_url,
    joined_on_line,
)
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

# How lines open list items.
_BULLET = patterns.compile(r"\s*([•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙·]|[-–—*](?= ))\s*")
_SURE_BULLET = patterns.compile(r"\s*[•◦▪▫‣●○■□➢➤✓✔❖◆⁃∙]")
_NUMBER = patterns.compile(r"\s*\(?(\d{1,3})[.)]\s+(?=\S)")
_LETTERED = patterns.compile(r"\s*(?:\(?([a-z]|[ivx]{1,4})\)|[a-z]\.|[☐☑☒◯◉])\s+(?=\S)")
_SECTION = patterns.compile(r"(?:\d{1,3}|[A-Z]\.\d+)(?:\.\d+)* ")  # the number of a heading
_BREAK = "\ue0f4"  # stands where a line of Hangul ends until it is known whether a word does, too
_HYPHEN = "\ue0f5"  # stands for the hyphen at a line's end until it is known whether the word has it elsewhere
_HANGUL = patterns.compile("[가-힣]")
_WORD = patterns.compile(r"[가-힣]+|[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = patterns.compile(f"([가-힣]+){_BREAK}(?=([가-힣]+))")
_HYPHENATED = patterns.compile(
    rf"(?<![^\W\d_])((?:[^\W\d_]{{1,40}}-){{0,4}}[^\W\d_]+){_HYPHEN}(?=([^\W\d_]+(?:-[^\W\d_]{{1,40}}){{0,4}}))"
)
# Particles and endings, which never stand by themselves.
_ENDINGS = frozenset(
    "는 을 를 의 에 에서 에서는 에게 에는 에도 와 과 으로 으로는 까지 부터 며 으며 이며 었다 였다 았다 했다 니다 습니다"
    " 라고 이라고 라는 이라는 들은 들을 들의 들이 들에게 이다 하여 되어 이나 이라".split()
)
_SENTENCE_END = (".", "!", "?", ":", ";", "。", "”", '"', ")", "…")
_TIGHT = 1.35  # of the usual distance between lines; more is a gap between paragraphs
_BLANK_LINES = 3.5  # usual distances that preformatted text may leave blank
_SAME_COLUMN = 4.0  # points
_FEW_LINES = 3  # may end at one place by chance
_JUSTIFIED = 0.3  # of the lines end at one place
_OVERFULL = 0.2  # of them may end beyond it
_INDENT = 0.8  # of the font size


class Block(NamedTuple):
    """A paragraph ("text"), a list item ("item"), preformatted text ("pre") or a table ("table").

    `marker` is an item's bullet or number; `rows` a table's cells, `columns` from where to where each column reaches;
    `lines` how many lines the block had on the page, `role` its structure type, "" where it is not tagged.
    """

    kind: str
    runs: list[Run]
    size: float = 0.0
    is_bold: bool = False
    x: float = 0.0
    marker: str = ""
    lines: int = 1
    tag: int = -1
    rows: list[list[list[Run]]] | None = None
    columns: tuple[tuple[float, float], ...] = ()
    role: str = ""

    @property
    def text(self) -> str:
        """The block's text without its links."""
        return "".join([text for text, _ in self.runs])


def blocks(region: list[Segment]) -> list[Block]:
    """The blocks of one region, from the top."""
    result: list[Block] = []
    for is_text, group in groupby(_lines(region), key=lambda line: line.table is None):
        lines = list(group)
        result.extend(_paragraphs(lines) if is_text else [_table(line.table) for line in lines if line.table])
    return result


def _table(rows: list[list[list[Segment]]]) -> Block:
    width = max(map(len, rows))
    columns = [extent(segment for row in rows for cell in row[at : at + 1] for segment in cell) for at in range(width)]
    cells = [[joined([segment.runs for segment in cell]) for cell in row] for row in rows]
    return Block("table", [], rows=cells, columns=tuple(columns))


def _paragraphs(lines: list[Segment]) -> list[Block]:
    steps = sorted(
        (a.y - b.y) / a.size for a, b in zip(lines, lines[1:]) if MIN_LINE_STEP * a.size <= a.y - b.y < 3 * a.size
    )
    leading = min(steps[len(steps) // 3], 2.2) if steps else 1.2  # the usual distance between lines, in font sizes
    right = _right(lines)
    result: list[Block] = []
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or _begins_paragraph(lines, at, start, leading, right):
            result.append(_block(lines[start:at]))
            start = at
    return result


def _right(lines: list[Segment]) -> float:
    """The right edge of the text: where the lines of justified text end, though single ones be overfull."""
    edge, count = Counter(round(line.end) for line in lines).most_common(1)[0]
    overfull = sum(line.end > edge + 1 for line in lines)
    is_justified = count > max(_FEW_LINES, _JUSTIFIED * len(lines)) and overfull < _OVERFULL * len(lines)
    return edge if is_justified else max(line.end for line in lines)


def table_goes_on(above: Block, below: Block) -> bool:
    """Whether a table goes on with that at the top of the next page: its columns begin or end at the same places."""
    if not above.rows or not below.rows or len(above.columns) != len(below.columns):
        return False
    pairs = [(a, b) for a, b in zip(above.columns, below.columns) if a[0] + b[0] < float("inf")]
    return all(min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)) / 2) < _SAME_COLUMN for a, b in pairs)


def join_tables(above: Block, below: Block) -> Block:
    """One table of two, the head once where both have it, and a row that the page's end parted one row."""
    rows, more = list(above.rows or []), list(below.rows or [])
    more = more[more[:1] == rows[:1] :]
    if rows and more and not more[0][0] and 2 * sum(map(bool, more[0])) < sum(map(bool, rows[-1])):
        rows[-1] = [joined([cell, rest]) for cell, rest in zip(rows[-1], more.pop(0))]
    return above._replace(rows=rows + more)


def _lines(segments: list[Segment]) -> list[Segment]:
    """Whole lines: what stands on one baseline side by side is one."""
    result: list[Segment] = []
    for segment in sorted(segments, key=lambda segment: (-round(segment.y), segment.x)):
        last = result[-1] if result else None
        if (
            last
            and last.table is None
            and segment.table is None
            and abs(last.y - segment.y) < 0.3 * min(last.size, segment.size)
            and segment.x >= last.end - 1
        ):
            result[-1] = joined_on_line(last, segment)
        else:
            result.append(segment)
    return result


def _begins_paragraph(lines: list[Segment], at: int, start: int, leading: float, right: float) -> bool:
    line, above = lines[at], lines[at - 1]
    step = (above.y - line.y) / above.size
    if line.is_fixed_pitch and above.is_fixed_pitch:
        return not 0 <= step <= _BLANK_LINES * max(leading, 1.0)
    if 0 <= above.y - line.y < MIN_LINE_STEP * min(line.size, above.size) and not WORD.search(
        f"{above.text} {line.text}"
    ):
        return line.is_fixed_pitch or above.is_fixed_pitch  # else they are parts of a formula
    if step < 0 or step > _TIGHT * leading:
        return True
    if is_contents_entry(above.text) or (is_contents_entry(line.text) and above.text[-1:].isdigit()):
        return True
    if line.tag != above.tag and line.tag >= 0 and above.tag >= 0:
        return True
    if abs(line.size - above.size) > 0.08 * above.size or line.is_fixed_pitch != above.is_fixed_pitch:
        return True
    if line.is_bold != above.is_bold and _is_short(above, right):
        return True
    # A dash or a number may happen to come first on a line of running text.
    is_apart = _is_short(above, right) or abs(line.x - above.x) > 0.5 * line.size or _is_item(above.text)
    if _is_item(line.text) and (is_apart or _SURE_BULLET.match(line.text)):
        return True
    return _is_indented(lines, at, start) or _was_broken_early(above, line, right)


def _is_short(line: Segment, right: float) -> bool:
    return line.end < right - 2 * line.size


def _is_indented(lines: list[Segment], at: int, start: int) -> bool:
    """A first-line indent: further in than the line above, which was at the left edge itself."""
    line, above = lines[at], lines[at - 1]
    inset = line.x - above.x
    if not _INDENT * line.size < inset < 5 * line.size:
        return False
    # The second line of a list item or of a hanging indent stands further in, too.
    is_hanging = at - 1 == start and (
        _is_item(above.text)
        or _SECTION.match(above.text)
        or (at + 1 < len(lines) and abs(lines[at + 1].x - line.x) < 2)
    )
    return not is_hanging


def _was_broken_early(above: Segment, line: Segment, right: float) -> bool:
    """Whether the first word would have fitted on the line above, so that somebody ended that line on purpose."""
    word = line.text.split(" ", 1)[0]
    width = (line.end - line.x) / max(1, len(line.text)) * (len(word) + 2)
    if above.end + width > right - 0.5 * line.size:
        return False
    return above.text.endswith(_SENTENCE_END) or not line.text[:1].islower()


def _block(lines: list[Segment]) -> Block:
    first = lines[0]
    bold = all(line.is_bold for line in lines)
    tag = first.tag
    if all(line.is_fixed_pitch for line in lines):
        return Block("pre", [(_preformatted(lines), "")], first.size, bold, first.x, lines=len(lines), tag=tag)
    runs = joined([line.runs for line in lines])
    marker, length = _opening(runs[0][0])
    if marker:
        runs[0] = (runs[0][0][length:], runs[0][1])
        return Block("item", runs, first.size, bold, first.x, marker, len(lines), tag)
    return Block("text", runs, first.size, bold, first.x, lines=len(lines), tag=tag)


def _preformatted(lines: list[Segment]) -> str:
    """Lines with their indents, in characters of the fixed pitch; blank lines where there was room for some."""
    left = min(line.x for line in lines)
    parts = []
    above = None
    for line in lines:
        pitch = max((line.end - line.x) / max(1, len(line.text)), 1.0)
        if above is not None:
            parts.extend([""] * min(3, max(0, round((above.y - line.y) / (1.25 * line.size)) - 1)))
        parts.append(" " * min(80, round((line.x - left) / pitch)) + line.text)
        above = line
    return "\n".join(parts)


def joined(lines: list[list[Run]]) -> list[Run]:
    """Lines as one paragraph: with spaces, without them in CJK text, hyphens at the lines' ends undone."""
    result: list[Run] = []
    for runs in lines:
        if not runs:
            continue
        if not result:
            result = list(runs)
            continue
        last, target = result[-1]
        first = runs[0][0]
        is_hyphen = last[-1:] in ("-", "‐") and last[-2:-1].isalpha() and not last[-4:].startswith("--")
        if last.endswith("\u00ad") or (is_hyphen and first[:1].islower()):
            result[-1] = (last[:-1] + _HYPHEN * is_hyphen, target)
        elif not (CJK.match(last[-1:]) and CJK.match(first[:1])):
            space = _BREAK if _HANGUL.match(last[-1:]) and _HANGUL.match(first[:1]) else " "
            if target in ("", runs[0][1]):  # a link that goes on in the next line is one link
                result[-1] = (f"{last}{space}", target)
            else:
                result.append((space, ""))
        result.extend(runs)
    return [(text.replace("\u00ad", ""), url) for text, url in joined_by_url(result)]


def with_whole_words(blocks: list[Block]) -> list[Block]:
    """Blocks with the words that lines end in: with their hyphens, or with spaces for the ends of lines of Hangul.

    Of Hangul, a word is what the document has as one elsewhere, and what only an ending would be left of. A hyphen
    stays where the document does not have the word without it, but with it, or both of its parts.
    """
    found = (runs for block in blocks for runs in (block.runs, *chain.from_iterable(block.rows or ())))
    texts = [text for runs in found for text, _ in runs]
    if not any(_BREAK in text or _HYPHEN in text for text in texts):
        return blocks
    whole = (part for text in texts for part in text.lower().split() if _BREAK not in part and _HYPHEN not in part)
    words = {word for part in whole for word in _WORD.findall(part)}
    words.update([part for word in words if "-" in word for part in word.split("-")])

    def space(match: Match[str]) -> str:
        before, after = match.groups()
        return before if before + after in words or after in _ENDINGS else f"{before} "

    def hyphen(match: Match[str]) -> str:
        before, after = match.groups()
        parts = {before.lower().rpartition("-")[2], after.lower().partition("-")[0]}
        is_long = min(map(len, parts)) > 2 or "-" in before + after
        is_compound = f"{before}-{after}".lower() in words or (is_long and parts <= words)
        return f"{before}-" if is_compound and (before + after).lower() not in words else before

    def mended(runs: list[Run]) -> list[Run]:
        texts = ((_HYPHENATED.sub(hyphen, _BROKEN.sub(space, text)), url) for text, url in runs)
        return [(text.replace(_BREAK, " ").replace(_HYPHEN, ""), url) for text, url in texts]

    made = []
    for block in blocks:
        rows = [[mended(cell) for cell in row] for row in block.rows] if block.rows else block.rows
        made.append(block._replace(runs=mended(block.runs), rows=rows))
    return made


def _is_item(text: str) -> bool:
    """Whether a line opens a list item."""
    return bool(_BULLET.match(text) or _NUMBER.match(text) or _LETTERED.match(text))


def _opening(text: str) -> tuple[str, int]:
    """An item's bullet or number, and how much of the text that is; "" where it is not an item.

    Markdown has no lettered lists: a letter, or a box that is ticked, stays in the text, and the item gets a dash.
    """
    match = _BULLET.match(text)
    if match:
        return match.group(1), match.end()
    match = _NUMBER.match(text)
    if match:
        return f"{match.group(1)}.", match.end()
    return ("-", 0) if _LETTERED.match(text) else ("", 0)
