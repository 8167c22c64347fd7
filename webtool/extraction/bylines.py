"""Who wrote a page. In: what a page says of itself. Out: names as a reader would write them, "" where there are none.

A name comes from the data of the page's main work, from meta elements, from an element that calls itself a byline or
leads to an author's page, or from a line that begins with "By". An organisation that is the site itself is named only
where nobody else is. On a forum it is who wrote the first post.
"""

from __future__ import annotations

from webtool.extraction import json_ld
from webtool.extraction.evidence import DATED
from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from webtool.extraction.evidence import Sources
    from webtool.html.node import Element

MAX_NAME = 80
MAX_NAMES = 200
MAX_LINES = 1000
_NEAR = 60
"""Blocks after the headline in which a byline without a name of its own is looked for."""
_BY = patterns.compile(
    r"(?i)^\W{0,3}(?:(?:written|posted|published|words|story|article|text|recipe|report|reviewed|photos?"
    r"|authored|submitted"
    r"|created|started|edited|geschrieben|escrito|publicado|\u00e9crit)\s+)?(?:by|von|par|por|di|door|av)\b\s*:?\s*"
    r"|^\W{0,3}(?:authors?|autor(?:e|in)?|auteur|about the author|about|view all posts by|more (?:from|by)|writer"
    r"|thread starter|op|by-?line|\u0430\u0432\u0442\u043e\u0440|\u4f5c\u8005|\u6587)\s*[:\uff1a]?\s+"
)
_WRITTEN = patterns.compile(
    r"(?:.{0,40}\d.{0,12}\s)?((?:[Ww]ritten|[Pp]osted|[Aa]rticle|[Ww]ords|[Aa]uthored|[Ss]tarted|[Ss]ubmitted"
    r"|[Aa]uthors?)\b"
    r".{0,25}?)?(?:\b[Bb]y\b:?|(?<=[Aa]uthor):|(?<=[Aa]uthors):|\b(?:Von|Par|Por|Autor):?)\s"
)
_INSIDE = patterns.compile(
    r"\b(?:[Ww]ritten |[Pp]osted |[Ss]tarted |[Ss]ubmitted .{0,30}?)?[Bb]y:?\s+(?=[A-Z\u00c0-\u024f]|\w+$)"
)
_END = patterns.compile(
    r"\s*[|\u2022\u00b7\u22c5\u2013\u2014\n\t\u2192(\[]\s*|\s-\s|,? on (?=\w+)|\s+(?=\d)"
    r"|[.,;]?\s+(?:[Uu]pdated|[Pp]ublished"
    r"|[Ll]ast|[Pp]osted|[Rr]eviewed|[Mm]edically|[Ii]n|[Aa]t|[Ff]or|[Ff]ounder|[Ee]ditor|[Ss]enior|[Ss]taff [Ww]riter"
    r"|[Cc]ontribut\w+|[Rr]eporter|[Cc]orrespondent|[Dd]irector|[Mm]in)\b|,\s+(?:[a-z]|[A-Z][a-z]{3,}(?:\s|$)(?!and\b))"
    r"|\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.? \d"
)
_NO_NAME = patterns.compile(
    r"(?i)https?://|www\.|@\w+\.|\d{4}|[{}<>=*?!]|"
    r"^(?:(?:the |site |web)?admin(?:istrator)?|(?:the )?(?:editors?|staff|team|author|writer|publisher)s?"
    r"|editorial(?: team| staff)?"
    r"|unknown|null|none|undefined|guest|anonymous|name|by|authors?|contributors?|written by|posted by|about"
    r"|share|follow|comments?"
    r"|read more|see more|more|subscribe|login|user|member|view all posts.*|all posts|article by|published"
    r"|updated|date|index"
    r"|home|news|blog|press release|post author|article author|meet the author|about the authors?)\W*$"
)
_ROLE = patterns.compile(
    r"(?i)\b(?:university|institute|editor|founder|officer|manager|director|writer|journalist|specialist"
    r"|expert|m\.?a\.?"
    r"|posts?|articles?|minutes?|read|ago|about|photo|image|credit|copyright)\b"
)
_NAME = patterns.compile(
    r"[^\W\d_][\w.'\u2019\u00b7-]*(?: (?:[^\W\d_a-z][\w.'\u2019-]*|\([^\W\d_][\w.-]*\)|de|del|della|da|das|di"
    r"|do|dos|du|van|von|der|den|la|le|"
    r"al|bin|ibn|el|y|e|ter|ten|zu|the|and|&|und|et|of)){0,8}"
)
_NAMES = patterns.compile(
    r"(?i)(?:^|[\s_-]|__)(?:byline|by-?line|p?-?author|dateline-?author|writer|autor|auteur)s?(?:$|[\s_-]|name)"
)
_NOT_NAMES = patterns.compile(
    r"(?i)bio\b|avatar|image|photo|social|description|desc\b|share|date|follow|title|role|posts|related|more"
)
_POSTERS = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:user-?name|poster|post-?author|message-?name|creator|post-?username|nick(?:name)?)(?:$|[\s_-])"
)
_AUTHOR_PAGE = patterns.compile(
    r"(?i)/(?:authors?|contributors?|writers?|autor(?:es)?|auteurs?|profile/author|by|team|people|staff)/[^/?#]+/?$"
)
_META = """
    author article:author parsely-author sailthru.author dc.creator dcterms.creator citation_author byl
    article:author_name cxenseparse:author shareaholic:article_author_name og:article:author dc.contributor vr:author
""".split()


def name_of(text: str) -> str:
    """The name, or the names, in a byline; "" where it is none."""
    text = " ".join(text[:400].split())
    inside = _INSIDE.search(text)
    if inside and inside.start() < 60:
        text = text[inside.end() :]
    for _ in range(2):
        text = _BY.sub("", text, count=1)
    text = _END.split(text, maxsplit=1)[0] if text else ""
    text = text.strip(" ,.:;|-\u2013\u2014\u00b7\u2022/\"'\u200b")
    return "" if not text or len(text) > MAX_NAMES or _NO_NAME.search(text) else text


def _is_name(text: str) -> bool:
    """Whether a text from an element that says nothing of authors has the shape of a name."""
    return (
        len(text) <= MAX_NAME
        and not _ROLE.search(text)
        and all(_NAME.fullmatch(part.strip()) for part in text.split(","))
    )


def of_work(sources: Sources) -> str:
    """From JSON-LD; persons before organisations."""
    by_id = {entry["@id"]: entry for entry in sources.objects if isinstance(entry.get("@id"), str) and "name" in entry}
    for value in sources.work("author", "creator", among=DATED):
        values = value if isinstance(value, list) else [value]
        names = [_known(entry, by_id) for entry in values[:10]]
        found = ", ".join(dict.fromkeys(name for name in names if name and not _NO_NAME.search(name)))
        if found and len(found) <= MAX_NAMES:
            return found
    return ""


def _known(value: object, by_id: dict[object, dict[str, object]]) -> str:
    if isinstance(value, dict) and "name" not in value:
        value = by_id.get(value.get("@id"), value)
    name = " ".join(json_ld.name_of(value).split())
    return _BY.sub("", name, count=1) if len(name) <= MAX_NAMES else ""


def of_meta(sources: Sources) -> str:
    """From meta elements, and from the labelled pair that Twitter cards have."""
    for key in _META:
        name = name_of(sources.meta(key))
        if name and not name.startswith("/"):
            return name
    for i in ("1", "2"):
        if "ritten" in sources.meta(f"twitter:label{i}") or "uthor" in sources.meta(f"twitter:label{i}"):
            return name_of(sources.meta(f"twitter:data{i}"))
    return ""


def of_element(sources: Sources) -> str:
    """From an element that calls itself a byline, or a link to an author's page beside the headline."""
    seen: dict[str, bool] = {}
    for element in sources.elements(lambda element: _is_byline(element, seen)):
        for text in _texts(element):
            name = name_of(text)
            if name and len(name) <= MAX_NAME and (len(text) > MAX_NAME or not _ROLE.search(name)):
                return name
    return _of_link(sources)


def _is_byline(element: Element, seen: dict[str, bool]) -> bool:
    """Whether an element calls itself a byline; `seen` belongs to one page: pages repeat their class attributes."""
    attrs = element.attrs
    if not attrs:
        return False
    if attrs.get("itemprop") == "author" or "author" in attrs.get("rel", "").split():
        return True
    names = f"{attrs.get('class', '')} {attrs.get('id', '')} {attrs.get('data-testid', '')}"[:200]
    found = seen.get(names)
    if found is None:
        found = seen[names] = bool(_NAMES.search(names)) and not _NOT_NAMES.search(names)
    return found


def _texts(element: Element) -> Iterator[str]:
    """The text of links to authors in an element, of its first part, and of all of it."""
    links = []
    stack: list[Element] = [element]
    first = ""
    count = 0
    while stack and count < 200:
        node = stack.pop()
        count += 1
        if node.tag is None:
            first = first or node.text.strip()
        elif node.tag == "a" and (
            _AUTHOR_PAGE.search(node.attrs.get("href", "")) or "author" in node.attrs.get("rel", "")
        ):
            links.append(" ".join(node.text[:MAX_NAME].split()))
        else:
            stack.extend(reversed(node.children))  # type: ignore[arg-type]
    named = [link for link in dict.fromkeys(links) if link and not _NO_NAME.search(link)]
    if named:
        yield ", ".join(named[:5])
    whole = element.text[:400]
    if name_of(whole) and _is_name(name_of(whole)):
        yield whole
    if first and _is_name(name_of(first)):
        yield first
    yield whole


def _of_link(sources: Sources) -> str:
    page = sources.page
    start = sources.headline
    for block in page.blocks[max(0, start - 5) : start + _NEAR]:
        link = block.inline
        if link is not None and link.tag == "a" and _AUTHOR_PAGE.search(link.attrs.get("href", "")):
            name = name_of(block.text)
            if name and _is_name(name) and " " in name:
                return name
    return ""


def of_text(sources: Sources) -> str:
    """From a line beside the headline that says "By" and a name, or further on, that says who wrote it."""
    blocks = sources.page.blocks
    start = max(0, sources.headline - 5)
    near = sources.headline + _NEAR
    for i in range(start, min(len(blocks), MAX_LINES)):
        text = blocks[i].text
        begins = _WRITTEN.match(text) if len(text) <= 120 else None
        if begins is None or (i > near and not begins[1]):
            continue
        name = name_of(text)
        if name and name[0].isupper() and _is_name(name) and (" " in name or begins[1]):
            return name
    return ""


def of_first_post(sources: Sources) -> str:
    """On a forum, from the element that names who posted."""
    if not sources.is_forum:
        return ""

    def matches(element: Element) -> bool:
        return bool(_POSTERS.search(f"{element.attrs.get('class', '')} {element.attrs.get('itemprop', '')}"[:200]))

    for element in sources.elements(matches):
        name = " ".join(element.text[:100].split())
        if name and len(name) <= 40 and name.count(" ") <= 2 and not _NO_NAME.search(name):
            return name
    return ""
