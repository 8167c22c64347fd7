"""Who wrote a page. In: what a page says of itself. Out: names as a reader would write them, "" where there are none.

A name comes from the data of the page's main work, from meta elements, from an element that calls itself a byline or
leads to an author's page, or from a line that begins with "By" or another label. On a forum it is who wrote the first
post.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction import labels
from webtool.extraction.metadata import dates, posters
from webtool.extraction.metadata.evidence import DATED, Sources, host_of
from webtool.extraction.metadata.names import (
    KOREAN_ROLE,
    LOGIN,
    MAX_NAME,
    MAX_NAMES,
    NO_NAME,
    ROLE,
    at_start,
    is_name,
    name_of,
    person,
)
from webtool.extraction.page import json_ld
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.memory import Remembered

MAX_LINES = 1000
_NEXT = 1
"""Blocks between the names in one byline."""
_MOST_TOGETHER = 10
_OF_LIST = 4
_NEAR_HEADLINE = 4
"""Names in bylines of one kind, and blocks before the first: further from the headline they are a list's."""
_NEAR = 60
"""Blocks after the headline in which a byline without a name of its own is looked for."""
_WRITTEN = patterns.compile(
    r"(?:.{0,40}\d.{0,12}\s)?((?:[Ww]ritten|[Pp]osted|[Aa]rticle|[Ww]ords|[Aa]uthored|[Ss]tarted|[Ss]ubmitted"
    r"|[Aa]uthors?)\b"
    r".{0,25}?)?(?:\b[Bb]y\b:?\s|\bBy(?=[A-Z][a-z])|(?:(?<=[Aa]uthor):|(?<=[Aa]uthors):|\b(?:Von|Par|Por|Autor):?|^Contributors?:)\s)"
)
_LABELLED = patterns.compile(
    rf"(?i)\W{{0,3}}(?:(?:{labels.any_of('author_label')})\s*[:\uff1a/\uff0f|]\s*"
    rf"|(?:{labels.any_of('by_label')})\s*:?\s+)(\S.{{0,60}})$"
)
"""Who wrote it, after a label, in the languages that have another word than By."""
_BY_IN = {language: word for language, [word] in labels.words("by_in_language").items()}
"""By, where it is a word that other languages, or the same, begin lines with for other reasons."""
_IN_LINE = patterns.compile(
    r"(?:\u4f5c\u8005|(?:^|[\s|])(?:\u8bb0\u8005|\u8a18\u8005|\u64b0\u6587|\u6587))\s?[:\uff1a]\s?([^\W\d_]{2,12})(?=[\s|/\uff0f]|$)"
    r"|[|\uff5c]\s?\u4f5c\u8005\s?([^\W\d_]{2,4})$"
    r"|^[\u4e00-\u9fff]{2,8}\u8bb0\u8005\s+([\u4e00-\u9fff]{2,4}(?: [\u4e00-\u9fff]{2,4}){0,3})$"
    rf"|(?:^|[\s=|\]])([\uac00-\ud7a3]{{2,4}}(?:\u00b7[\uac00-\ud7a3]{{2,4}})*)\s{KOREAN_ROLE}(?=\s*(?:[=(|\]]|\S+@|$))"
    r"|^\uae30\uc790 ([\uac00-\ud7a3]{2,4})$"
)
"""Chinese newspapers have the label in a line with the day and the source, Korean ones put it behind the name."""
_NAMES = patterns.Worded(
    "by|writer|aut",
    r"(?i)(?:^|[\s_-]|__)(?:byline|by-?line|p?-?author|dateline-?author|writer|autor|auteur)s?(?:$|[\s_-]|name)",
)
_NOT_NAMES = patterns.compile(
    r"(?i)bio\b|avatar|image|photo|social|description|desc\b|share|date|follow|title|role|posts|related|more"
)
_MOST_GIVEN = 3
"""Given names and initials: what has more words behind a comma is a second name, or a role."""
_BESIDE = 6
"""Blocks from the headline on in which a line with nothing but a name is looked for."""
MAX_LINE = 90
_WORDS = patterns.compile(r"[^\W\d_]+")
_PARTS = patterns.compile(r"\s*[|\u2022\u00b7\u2013\u2014/,]\s*|\s-\s|(?<=\d{4})(?=[^\W\d_])")
_VOICES = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:comments?(?:list|-?body)?|reviews?|testimonials?|quotes?|customers?)(?:$|[\s_-])"
)
_MOST_AROUND = 8
_WHOLE = frozenset(("body", "main", "article"))
_AUTHOR_PAGE = patterns.compile(
    r"(?i)/(?:authors?|contributors?|writers?|autor(?:es)?|auteurs?|profile/author|by|team|people|staff)/[^/?#]+/?$"
)
_META = """
    author article:author parsely-author sailthru.author dc.creator dcterms.creator citation_author byl
    article:author_name cxenseparse:author shareaholic:article_author_name og:article:author dc.contributor vr:author
""".split()


def find(sources: Sources) -> tuple[str, str]:
    """Who wrote a page, and what that was read from.

    Nobody is named of what is sold or kept up to date, and of the page that a site begins with: who is named there
    speaks of it. A name that programs call somebody by gives way to one that readers know him by.
    """
    if not sources.is_forum and (sources.is_shop or sources.is_standing or sources.is_home):
        return "", ""
    found = next(((name, label) for label, rule in RULES if (name := rule(sources))), ("", ""))
    if found[1] in ("json-ld", "meta") and not sources.is_forum:
        is_site = _folded(found[0]) in map(_folded, sources.site_names)
        may_be_site = sources.head.title.endswith(found[0])
        is_doubted = LOGIN.fullmatch(found[0]) or is_site or may_be_site
        for label, rule in (("element", of_element), ("text", of_text)) if is_doubted else ():
            shown = rule(sources)
            is_whole = " " in shown or not shown.isascii()
            if may_be_site and not is_site and shown.isascii():
                continue
            if is_whole and is_name(shown) and not LOGIN.fullmatch(shown) and not _is_common(sources, shown):
                found = shown, label
                break
    return _without_employer(sources, found[0]), found[1]


def _without_employer(sources: Sources, names: str) -> str:
    """Names without the site's own behind the last comma: Ann Lee, The Paper."""
    first, _, last = names.rpartition(", ")
    host = host_of(sources.address or sources.head.address).rpartition(".")[0].rpartition(".")[2]
    return first if first and "".join(last.split()).casefold() == host else names


def _folded(name: str) -> str:
    return " ".join(name.casefold().removeprefix("the ").split())


def of_work(sources: Sources) -> str:
    """From JSON-LD; persons before organisations."""
    by_id = {entry["@id"]: entry for entry in sources.objects if isinstance(entry.get("@id"), str) and "name" in entry}
    for value in sources.work("author", "creator", among=DATED):
        values = value if isinstance(value, list) else [value]
        names = [_known(entry, by_id) for entry in values[:10]]
        found = ", ".join(dict.fromkeys(name for name in names if name and not NO_NAME.search(name)))
        if found and len(found) <= MAX_NAMES:
            return found
    return ""


def _known(value: object, by_id: dict[object, dict[str, object]]) -> str:
    if isinstance(value, dict) and "name" not in value:
        value = by_id.get(value.get("@id"), value)
    return person(json_ld.name_of(value))


def of_meta(sources: Sources) -> str:
    """From meta elements, all of a name, and from the labelled pair that Twitter cards have."""
    for key in _META:
        values = sources.head.authors.get(key, [sources.meta(key)])[:10]
        names = [_meta_name(value, key) for value in values if value]
        found = ", ".join(dict.fromkeys(name for name in names if name and not name.startswith("/")))
        if found and len(found) <= MAX_NAMES:
            return found
    for i in ("1", "2"):
        if "ritten" in sources.meta(f"twitter:label{i}") or "uthor" in sources.meta(f"twitter:label{i}"):
            return name_of(sources.meta(f"twitter:data{i}"))
    return ""


def _meta_name(value: str, key: str) -> str:
    """The name in a meta element; libraries write the family's name first."""
    text = name_of(value) if value[:3].casefold() == "by " else " ".join(value.split())
    family, comma, given = text.partition(", ")
    if (
        comma
        and key.startswith(("citation_", "dc.", "dcterms."))
        and "," not in given
        and given.count(" ") < _MOST_GIVEN
    ):
        return f"{given} {family}"
    return text if is_name(text) and not NO_NAME.search(text) else name_of(text)


def of_element(sources: Sources) -> str:
    """From an element that calls itself a byline, or a link to an author's page beside the headline."""
    names: dict[str, int] = {}  # those of one byline, and of others like it, each with its block
    of_first: tuple[str, str, str] | None = None
    first = 0
    for at, element in sources.elements_at(_is_byline):
        if names and (sources.is_forum or len(names) > _MOST_TOGETHER or (sources.is_article and at > first + _NEXT)):
            break
        is_like = of_first in (None, _kind(element))
        if is_like and (sources.is_forum or not _is_voice(element)) and (name := _name_in(element)):
            of_first = _kind(element)
            if not any(name in one or one in name for one in names):
                names[name] = at
                first = min(names.values())
    if len(names) >= _OF_LIST and first - sources.headline > _NEAR_HEADLINE and not sources.is_article:
        return ""
    return ", ".join(name for name, at in names.items() if at <= first + _NEXT) or _of_link(sources)


def _kind(element: Element) -> tuple[str, str, str]:
    """What the elements of one byline have in common."""
    attrs = element.attrs
    return element.tag, attrs.get("itemprop", ""), attrs.get("rel", "") or attrs.get("class", "")


def _name_in(element: Element) -> str:
    for text in _texts(element):
        name = at_start(name_of(text))
        if name and len(name) <= MAX_NAME and (len(text) > MAX_NAME or not ROLE.search(name)):
            return name
    return ""


def _is_byline(element: Element) -> bool:
    """Whether an element calls itself a byline."""
    attrs = element.attrs
    if not attrs:
        return False
    if attrs.get("itemprop") == "author" or ("rel" in attrs and "author" in attrs["rel"].split()):
        return True
    names = attrs.get("class", "")
    if "id" in attrs or "data-testid" in attrs:
        names = f"{names} {attrs.get('id', '')} {attrs.get('data-testid', '')}"
    return _names_byline[names[:200]]


# Pages repeat their class attributes.
_names_byline = Remembered(lambda names: bool(_NAMES.search(names)) and not _NOT_NAMES.search(names))


def _is_voice(element: Element) -> bool:
    """Whether an element is in what readers or customers said about a page."""
    for _ in range(_MOST_AROUND):
        if element.parent is None:
            break
        if element.tag in _WHOLE:
            return False
        if _VOICES.search(f"{element.attrs.get('class', '')} {element.attrs.get('id', '')}"[:200]):
            return True
        element = element.parent
    return False


def _texts(element: Element) -> Iterator[str]:
    """The text of links to authors in an element, of its first part, and of all of it."""
    links = []
    stack: list[Element] = [element]
    pieces: list[str] = []
    count = 0
    while stack and count < 200:
        node = stack.pop()
        count += 1
        if node.tag is None:
            pieces.append(node.text)
        elif node.tag == "a" and (
            _AUTHOR_PAGE.search(node.attrs.get("href", "")) or "author" in node.attrs.get("rel", "")
        ):
            links.append(" ".join(node.text[:MAX_NAME].split()))
            pieces.append(node.text)
        else:
            stack.extend(reversed(node.children))  # type: ignore[arg-type]
    named = [link for link in dict.fromkeys(links) if link and not NO_NAME.search(link)]
    if named:
        yield ", ".join(named[:5])
    first = next((piece.strip() for piece in pieces if piece.strip()), "")
    whole = _joined(pieces)[:400]
    if name_of(whole) and is_name(name_of(whole)):
        yield whole
    if first and is_name(name_of(first)):
        yield first
    yield whole


def _joined(pieces: list[str]) -> str:
    """The text of an element, with a bar where two letters of different parts would touch: Ann LeeMay 4."""
    text = ""
    for piece in pieces:
        text += "|" + piece if text[-1:].isalnum() and piece[:1].isalnum() else piece
    return text


def _of_link(sources: Sources) -> str:
    page = sources.page
    start = sources.headline
    for block in page.blocks[max(0, start - 5) : start + _NEAR]:
        link = block.inline
        if link is not None and link.tag == "a" and _AUTHOR_PAGE.search(link.attrs.get("href", "")):
            name = name_of(block.text)
            if name and is_name(name) and " " in name:
                return name
    return ""


def of_text(sources: Sources) -> str:
    """From a line beside the headline that says "By" and a name, or further on, that says who wrote it."""
    blocks = sources.page.blocks
    start = max(0, sources.headline - 5)
    near = sources.headline + _NEAR
    language = sources.head.language[:2].lower()
    for i in range(start, min(len(blocks), MAX_LINES)):
        text = blocks[i].text
        if len(text) > 120:
            continue
        labelled = (_LABELLED.match(text) or (None if text.isascii() else _IN_LINE.search(text))) if i <= near else None
        if labelled and (name := name_of(labelled[labelled.lastindex or 0])) and is_name(name):
            return name
        first, _, rest = text.partition(" ")
        if i <= near and _BY_IN.get(language) == first.casefold() and " " in rest and is_name(rest):
            return rest
        begins = _WRITTEN.match(text)
        if begins is None or (i > near and not begins[1]):
            continue
        name = name_of(text)
        if name and name[0].isupper() and is_name(name) and (" " in name or begins[1]):
            return name
    return ""


def of_line(sources: Sources) -> str:
    """From a short line between the headline and the text that is nothing but a name, or a name and a day, where the
    day stands beside it. Sections and subjects are written in capitals, too, but not everywhere on a page."""
    blocks = sources.page.blocks
    start = sources.headline
    is_one = sources.has_headline and not sources.is_forum
    lines = [block.text for block in blocks[start : start + _BESIDE]] if is_one else []
    days = [bool(len(text) <= MAX_LINE and dates.in_text(text, sources.day_first)) for text in lines]
    for i, text in enumerate(lines[1:], 1):
        if len(text) <= MAX_LINE and any(days[max(1, i - 2) : i + 3]):
            for part in _PARTS.split(text):
                if (
                    0 < part.count(" ") <= 3
                    and part != part.casefold()  # a script without capitals writes anything as it writes names
                    and is_name(part)
                    and not NO_NAME.search(part)
                    and not _is_common(sources, part)
                ):
                    return part
    return ""


def _is_common(sources: Sources, name: str) -> bool:
    """Whether the page has a word of a name in small letters, too, or the name joins two things."""
    words = _WORDS.findall(name)
    return any(word.islower() or word.lower() in sources.small_words for word in words)


RULES = (
    ("json-ld", of_work), ("meta", of_meta), ("first post", posters.of_first_post), ("element", of_element),
    ("text", of_text), ("text", of_line),
)  # fmt: skip
