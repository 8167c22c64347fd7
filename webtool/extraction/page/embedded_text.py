"""Text that a page holds only as data, for scripts to show. In: the head. Out: a tree of that text, or None.

JSON-LD has the body of an article or a description; single-page applications carry their whole state in a script.
From the state come the strings that read like prose or are HTML paragraphs, in order, each once.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool import html
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.html.charrefs import decode_text
from webtool.html.node import Document, Element, Text
from webtool.lean import patterns

LEAST_CHARACTERS = 250
MAX_CHARACTERS = 400_000
MAX_VALUES = 100_000  # values of one script that are looked at
_BODIES = ("articleBody", "text", "reviewBody", "description", "abstract")
MOST_TIMES = 3
"""A body that is longer than the kept text so many times is not what that page shows."""
_TAG = patterns.compile(r"<[^<>]*>")
_NO_TEXT = patterns.compile(r"<[^<>]*>|&#?\w{1,10};")
_MARKUP = patterns.compile(r"(?i)<(?:p|li|h[1-6]|br|div|ul|pre|td)\b")
_PROSE = patterns.compile(r"[^\W\d_]{2,}[,;]?(?: [^\s]+){11}")
_NO_PROSE = patterns.compile(r"[{};]\s*\n|function\s*\(|=>|^\s*[\[{<]?(?:svg|style|script)|data:image|^https?://\S+$")


def tree(head: Head) -> Document | None:
    """The text that the page's data holds, None where it is less than LEAST_CHARACTERS."""
    for texts in (_bodies(head), _prose(head)):
        if sum(map(len, texts)) >= LEAST_CHARACTERS:
            return _document(texts)
    return None


def is_cut_short(page: Page, keep: list[bool], head: Head) -> bool:
    """Whether the page holds the body of an article that is far longer than what is kept."""
    body = len(_NO_TEXT.sub("", longest(head, "articleBody")))
    return body >= LEAST_CHARACTERS and body > MOST_TIMES * sum(
        [len(block.text) for block, is_kept in zip(page.blocks, keep) if is_kept]
    )


def description(head: Head) -> str:
    """What meta elements say of the page, the longest of it: the others are cut short."""
    values = (head.meta.get(name, "") for name in ("description", "og:description", "twitter:description"))
    return " ".join(max(values, key=len).split())


def _bodies(head: Head) -> list[str]:
    """The longest of each kind of text that the JSON-LD has; the first kind wins."""
    return next(([body] for name in _BODIES if len(body := longest(head, name)) >= LEAST_CHARACTERS), [])


def longest(head: Head, name: str) -> str:
    """The longest text that the JSON-LD has under a name."""
    return max([value for entry in head.objects if isinstance(value := entry.get(name), str)], key=len, default="")


def plain(text: str) -> str:
    """A text of the data with its character references decoded, which some write twice, and a line end for each tag."""
    return _TAG.sub("\n", decode_text(decode_text(text)))


def _prose(head: Head) -> list[str]:
    found: dict[str, None] = {}
    size = 0
    for _, script in head.data:
        for value in _strings(json_ld.load(script)):
            if len(value) > 80 and value not in found and _is_prose(value):
                found[value] = None
                size += len(value)
                if size > MAX_CHARACTERS:
                    return list(found)
    return list(found)


def _is_prose(value: str) -> bool:
    start = value[:2000]
    return bool(_MARKUP.search(start) or _PROSE.search(start)) and not _NO_PROSE.search(start)


def _strings(value: object) -> Iterator[str]:
    """All strings of a JSON value, in order."""
    stack = [value]
    seen = 0
    while stack and seen < MAX_VALUES:
        value = stack.pop()
        seen += 1
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _document(texts: list[str]) -> Document:
    root = Document()
    for value in texts:
        if _MARKUP.search(value[:5000]):
            for node in html.parse_fragment(value[:MAX_CHARACTERS], "body").children:
                root.append(node)
        else:
            for line in value[:MAX_CHARACTERS].split("\n"):
                if line.strip():
                    paragraph = Element("p")
                    paragraph.append(Text(line.strip()))
                    root.append(paragraph)
    return root
