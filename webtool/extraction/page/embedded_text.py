"""Find text that a page holds only as data, for scripts to show. In: the head. Out: a tree of that text, or None.

JSON-LD may have the body of an article; single-page applications carry their state in a script of JSON. From a state,
the strings that read like prose or are HTML paragraphs are taken, in order, each once.
"""

from __future__ import annotations

from itertools import islice

from webtool import html
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.html.charrefs import decode_text
from webtool.html.node import Document, Element, Text
from webtool.lean import patterns

MIN_CHARACTERS = 250  # data with less text is not used
MAX_CHARACTERS = 400_000  # text after that many characters is left out
MAX_VALUES = 100_000  # of one script; later values are not read
MIN_PROSE = 80  # characters; shorter strings of a state are labels
MIN_TIMES_LONGER = 3  # an article body that is longer by more than this factor shows that the kept text is cut short
_BODIES = ("articleBody", "text", "reviewBody", "description", "abstract")  # members of JSON-LD that hold a text
_TAG = patterns.compile(r"<[^<>]*>")
_NO_TEXT = patterns.compile(r"<[^<>]*>|&#?\w{1,10};")
_MARKUP = patterns.compile(r"(?i)<(?:p|li|h[1-6]|br|div|ul|pre|td)\b")
_PROSE = patterns.compile(r"[^\W\d_]{2,}[,;]?(?: [^\s]+){11}")
_NO_PROSE = patterns.compile(r"[{};]\s*\n|function\s*\(|=>|^\s*[\[{<]?(?:svg|style|script)|data:image|^https?://\S+$")


def tree(head: Head) -> Document | None:
    """Return the text in the page's data as a document, or None if it has fewer than MIN_CHARACTERS.

    That is the first text of the JSON-LD that is long enough, by the order of _BODIES, else the prose of the scripts.
    """
    bodies = (longest(head, name) for name in _BODIES)
    body = next((body for body in bodies if len(body) >= MIN_CHARACTERS), "")
    texts = [body] if body else _prose(head)
    return _document(texts) if sum(map(len, texts)) >= MIN_CHARACTERS else None


def is_cut_short(page: Page, keep: list[bool], head: Head) -> bool:
    """Return whether the JSON-LD has an article body that is far longer than the kept text."""
    body = len(_NO_TEXT.sub("", longest(head, "articleBody")))
    kept = sum([len(block.text) for block, is_kept in zip(page.blocks, keep) if is_kept])
    return body >= MIN_CHARACTERS and body > MIN_TIMES_LONGER * kept


def description(head: Head) -> str:
    """Return the longest description in the meta elements; the shorter ones are often cut off."""
    values = (head.meta.get(name, "") for name in ("description", "og:description", "twitter:description"))
    return " ".join(max(values, key=len).split())


def longest(head: Head, name: str) -> str:
    """Return the longest string that an object of the JSON-LD has under a name, "" without one."""
    return max([value for entry in head.objects if isinstance(value := entry.get(name), str)], key=len, default="")


def plain(text: str) -> str:
    """Return a text of the data with a line end for each tag and character references decoded.

    They are decoded twice, because some pages encode them twice: "&amp;quot;".
    """
    return _TAG.sub("\n", decode_text(decode_text(text)))


def _prose(head: Head) -> list[str]:
    """Return the strings in scripts of JSON that read like prose, each once."""
    texts: dict[str, None] = {}
    size = 0
    for _, script in head.data:
        for value in islice(json_ld.walk(json_ld.load(script)), MAX_VALUES):
            if isinstance(value, str) and len(value) > MIN_PROSE and value not in texts and _is_prose(value):
                texts[value] = None
                size += len(value)
                if size > MAX_CHARACTERS:
                    return list(texts)
    return list(texts)


def _is_prose(value: str) -> bool:
    """Return whether a string is a dozen words in a row or HTML paragraphs, and not code, an address or an image."""
    start = value[:2000]
    return bool(_MARKUP.search(start) or _PROSE.search(start)) and not _NO_PROSE.search(start)


def _document(texts: list[str]) -> Document:
    """Return a document of these texts: HTML is parsed, each line of plain text becomes a paragraph."""
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
