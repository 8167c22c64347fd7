"""Join the lines of a paragraph, and the words that a line end divides. In: runs of lines. Out: runs, Blocks.

joined() cannot know whether "docu-ment" is one word or two. It marks these places with _BREAK or _HYPHEN.
with_whole_words() decides on them last, when all words of the document are known.
Tests: tests/documents/pdf/test_layout.py, tests/documents/pdf/test_convert.py
"""

from __future__ import annotations

from itertools import chain

from webtool.documents.pdf.layout.bidi import Run, joined_by_url
from webtool.lean import patterns
from webtool.lean.patterns import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.documents.pdf.layout.paragraphs import Block

# Scripts without spaces between words, so without Hangul.
CJK = patterns.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
# Until all words are known, these private-use characters replace the end of a line of Hangul, which may be inside a
# word, and the hyphen at the end of a line, which may belong to the word.
_BREAK = "\ue0f4"
_HYPHEN = "\ue0f5"
_HANGUL = patterns.compile("[가-힣]")
_WORD = patterns.compile(r"[가-힣]+|[^\W\d_]+(?:-[^\W\d_]+)*")
# Both match the part of a word before the mark; the part after it is read ahead, as it may end with a mark again.
_BROKEN_WORD = patterns.compile(f"([가-힣]+){_BREAK}(?=([가-힣]+))")
_HYPHENATED = patterns.compile(
    rf"(?<![^\W\d_])((?:[^\W\d_]{{1,40}}-){{0,4}}[^\W\d_]+){_HYPHEN}(?=([^\W\d_]+(?:-[^\W\d_]{{1,40}}){{0,4}}))"
)
# Korean particles and endings, which are never words of their own.
_ENDINGS = frozenset(
    "는 을 를 의 에 에서 에서는 에게 에는 에도 와 과 으로 으로는 까지 부터 며 으며 이며 었다 였다 았다 했다 니다 습니다"
    " 라고 이라고 라는 이라는 들은 들을 들의 들이 들에게 이다 하여 되어 이나 이라".split()
)


def joined(lines: list[list[Run]]) -> list[Run]:
    """Join lines to one paragraph. What is put between two lines depends on the letters beside the line end:

    "docu-", "ment"         _HYPHEN instead of the hyphen
    "docu\u00ad", "ment"    nothing: this soft hyphen is never seen within a line
    "--dry-", "run"         nothing: the hyphen belongs to the option of a command
    "http://x.org/a-", "b"  nothing: it belongs to the address
    Hangul, Hangul          _BREAK
    Chinese or Japanese     nothing
    others                  a space
    """
    result: list[Run] = []
    for runs in lines:
        if not runs:
            continue
        if not result:
            result = list(runs)
            continue
        last, target = result[-1]
        first = runs[0][0]
        is_hyphen = last[-1:] in ("-", "‐") and last[-2:-1].isalpha() and first[:1].islower()
        if last.endswith("\u00ad"):
            result[-1] = (last[:-1], target)
        elif is_hyphen:
            word = last.rpartition(" ")[2]
            is_own = word.startswith(("--", "www.")) or "://" in word
            result[-1] = (last if is_own else last[:-1] + _HYPHEN, target)
        elif not (CJK.match(last[-1:]) and CJK.match(first[:1])):
            space = _BREAK if _HANGUL.match(last[-1:]) and _HANGUL.match(first[:1]) else " "
            if target in ("", runs[0][1]):  # a link over two lines is one link
                result[-1] = (f"{last}{space}", target)
            else:
                result.append((space, ""))
        result.extend(runs)
    return [(text.replace("\u00ad", ""), url) for text, url in joined_by_url(result)]


def with_whole_words(blocks: list[Block]) -> list[Block]:
    """Replace _BREAK and _HYPHEN according to the words that the document has elsewhere.

    _BREAK is removed if the document has the joined word, or if its second part is an ending; else it becomes a space.
    _HYPHEN becomes a hyphen if the document has the word with a hyphen, or has both parts as words, and never has the
    word without a hyphen; else it is removed: "docu-ment" becomes "document".
    """
    lists_of_runs = [runs for block in blocks for runs in (block.runs, *chain.from_iterable(block.rows or ()))]
    texts = [text for runs in lists_of_runs for text, _ in runs]
    if not any(_BREAK in text or _HYPHEN in text for text in texts):
        return blocks
    words = _whole_words(texts)

    def without_break(match: Match[str]) -> str:
        before, after = match.groups()
        return before if before + after in words or after in _ENDINGS else f"{before} "

    def without_hyphen(match: Match[str]) -> str:
        before, after = match.groups()
        parts = {before.lower().rpartition("-")[2], after.lower().partition("-")[0]}
        is_long = min(map(len, parts)) > 2 or "-" in before + after
        is_compound = f"{before}-{after}".lower() in words or (is_long and parts <= words)
        return f"{before}-" if is_compound and (before + after).lower() not in words else before

    def repaired(runs: list[Run]) -> list[Run]:
        texts = ((_HYPHENATED.sub(without_hyphen, _BROKEN_WORD.sub(without_break, text)), url) for text, url in runs)
        return [(text.replace(_BREAK, " ").replace(_HYPHEN, ""), url) for text, url in texts]

    result = []
    for block in blocks:
        rows = [[repaired(cell) for cell in row] for row in block.rows] if block.rows else block.rows
        result.append(block._replace(runs=repaired(block.runs), rows=rows))
    return result


def _whole_words(texts: list[str]) -> set[str]:
    """Return the words of texts in lower case that no line end divides, and the parts of compounds among them."""
    pieces = [piece for text in texts for piece in text.lower().split()]
    whole = [piece for piece in pieces if _BREAK not in piece and _HYPHEN not in piece]
    words = {word for piece in whole for word in _WORD.findall(piece)}
    words.update([part for word in words if "-" in word for part in word.split("-")])
    return words
