"""Find who wrote a page. In: Sources. Out: names as a reader would write them, or "".

RULES lists where names are read from, best first: JSON-LD, meta elements, elements that are called bylines or link to
an author's page, and lines (byline_lines.py). On a forum it is the author of the first post.
Tests: tests/extraction/metadata/test_fields.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool.extraction import labels
from webtool.extraction.metadata.byline_lines import (
    BEFORE,
    LABELLED_WITHIN,
    is_common,
    is_topic,
    of_first_post,
    of_line,
    of_text,
)
from webtool.extraction.metadata.evidence import Sources, first_read
from webtool.extraction.metadata.names import (
    FAMILY_NAMES,
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
from webtool.extraction.page.blocks import BLOCK, KINDS
from webtool.extraction.page.head import is_of_reader
from webtool.html.node import Element, around
from webtool.lean import patterns
from webtool.lean.memory import Remembered

_MAX_GAP = 1  # blocks from the first name to the others of one byline; a name further on belongs to another text
_MAX_TOGETHER = 10  # elements of one byline; later ones are not read
_MIN_LISTED = 4  # this many bylines far from the headline belong to a list of articles, and none is read
_LIST_BEGINS_AFTER = 4  # blocks after the headline; a byline further down is far from it
_MAX_VALUES = 10  # names of a page's data that are read
_MAX_LINKS = 5  # links of a byline that are read
_BAR = "|"  # between the parts of a byline
_AFTER_BY = patterns.compile(rf"(?i)\b(?:{labels.any_of('by')}):?\s*$")
_MAX_TEXT = 400  # characters of a byline
# Class names, ids and the like of bylines.
_BYLINE_CLASS = patterns.GuardedPattern(
    "by|writer|aut",
    r"(?i)(?:^|[\s_-]|__)(?:byline|by-?line|p?-?author|writer|autor|auteur)s?(?:$|[\s_-]|name)",
)
# Among them the summary of a product on Amazon: <a id=pqv-byline>From Apple</a>.
_NO_BYLINE_CLASS = patterns.compile(
    r"(?i)bio\b|avatar|image|photo|social|description|desc\b|share|date|follow|title|role|posts|related|more|\bpqv"
)
_MAX_GIVEN = 3  # given names after the comma of "Lee, Ann"; more words there are a second author or a role
# Class names around what readers or customers say.
_VOICES = patterns.compile(
    r"(?i)(?:^|[\s_-])(?:comments?(?:list|-?body)?|reviews?|testimonials?|quotes?|customers?)(?:$|[\s_-])"
)
_MAX_AROUND = 8  # elements from a byline outwards, itself among them, that are looked at
_MAX_NODES = 200  # nodes of a byline that are read
_WHOLE = frozenset(("body", "main", "article"))  # the search for a comment or review around a byline stops here
_AUTHOR_PAGE = patterns.compile(
    r"(?i)/(?:authors?|contributors?|writers?|reporters?|journalists?|autor(?:es|en|in)?|auteurs?|signataires?|profile/author|by|team|people|staff)/[^/?#]+/?$"
)
_TEAM = patterns.compile(r"(?i)/(?:team|people|staff)/")  # such addresses are also of firms: "\u5173\u4e8e\u6211\u4eec"
_META = """
    author article:author parsely-author sailthru.author dc.creator dc.creator.personalname dcterms.creator
    citation_author byl article:author_name cxenseparse:author shareaholic:article_author_name og:article:author
    dc.contributor vr:author itemprop
""".split()


def find(sources: Sources) -> tuple[str, str]:
    """Return the byline and the name of the rule that read it.

    Return ("", "") for shops, for pages that are updated all the time (is_standing) and for a site's first page
    (is_home).
    A login or the site's own name in the data gives way to a person's name that the page shows.
    """
    if not sources.is_forum and (sources.is_shop or sources.is_standing or sources.is_home):
        return "", ""
    names, source = first_read(sources, RULES)
    if source in ("json-ld", "meta") and not sources.is_forum:  # on a forum people are known by their logins
        names, source = _shown_instead(sources, names) or (names, source)
    return _without_employer(sources, names, source), source


def _shown_instead(sources: Sources, names: str) -> tuple[str, str] | None:
    """Return the name that the page shows, and its source, if the data have a login or the site's name.

    A title may end with the login ("Tea by annlee") or with the full name in the data ("Tea by Bo Orr"). A full name
    gives way only to a name that has letters beyond ASCII: as a rule the same name, written in its own script.
    """
    is_no_person = bool(LOGIN.fullmatch(names)) or _folded(names) in map(_folded, sources.site_names)
    if not is_no_person and not sources.head.title.endswith(names):
        return None
    for label, rule in (("element", of_element), ("text", of_text)):
        shown = rule(sources)
        if not is_no_person and shown.isascii():
            continue
        is_full_name = " " in shown or not shown.isascii()
        if is_full_name and is_name(shown) and not LOGIN.fullmatch(shown) and not is_common(sources, shown):
            return shown, label
    return None


def _without_employer(sources: Sources, names: str, source: str) -> str:
    """Cut the site's name off: "Ann Lee, The Paper" on www.thepaper.co.uk, the-paper.com or paper.com is "Ann Lee".

    Outside the JSON-LD the name that the page gives counts too: "Ann Lee, Morgen Echo" if og:site_name is
    "Morgen Echo", and its office does: "Ann Lee, Morgen Echo Kiel". Authors in the JSON-LD stay, because the publisher
    of a blog may be one of them.
    """
    first, _, last = names.rpartition(", ")
    last = _folded(last)
    domain = sources.host_name.rpartition(".")[2]
    is_domain = last.replace(" ", "") in (domain, domain.removeprefix("the"))
    is_named = any(f"{last} ".startswith(f"{_folded(name)} ") for name in sources.site_names)
    is_site = is_domain or (source != "json-ld" and is_named)
    return first if first and is_site else names


def _folded(name: str) -> str:
    """Return a name in lower case without a leading "the"."""
    return " ".join(name.casefold().removeprefix("the ").split())


def of_work(sources: Sources) -> str:
    """Read the authors of the page's works in the JSON-LD; "author" comes before "creator"."""
    by_id = {entry["@id"]: entry for entry in sources.objects if isinstance(entry.get("@id"), str) and "name" in entry}
    for value in sources.work("author", "creator", among=sources.dated_types):
        values = value if isinstance(value, list) else [value]
        names = [_known(entry, by_id) for entry in values[:_MAX_VALUES]]
        joined = ", ".join(dict.fromkeys(name for name in names if name and not NO_NAME.search(name)))
        if joined and len(joined) <= MAX_NAMES:
            return joined
    return ""


def _known(value: object, by_id: dict[object, dict[str, object]]) -> str:
    """Return the name in a value of JSON-LD, or in the object that its @id refers to."""
    if isinstance(value, dict) and "name" not in value and isinstance(identifier := value.get("@id"), str):
        value = by_id.get(identifier, value)
    return person(json_ld.name_of(value))


def of_meta(sources: Sources) -> str:
    """Read the authors in meta elements, or in a Twitter card: twitter:label1 "Written by", twitter:data1 the name."""
    for key in _META:
        values = sources.head.authors.get(key, [sources.meta(key)])[:_MAX_VALUES]
        names = [_meta_name(value, key) for value in values if value]
        joined = ", ".join(dict.fromkeys(name for name in names if name and not name.startswith("/")))
        if joined and len(joined) <= MAX_NAMES:
            return joined
    for i in ("1", "2"):
        if "ritten" in sources.meta(f"twitter:label{i}") or "uthor" in sources.meta(f"twitter:label{i}"):
            return name_of(sources.meta(f"twitter:data{i}"))
    return ""


def _meta_name(value: str, key: str) -> str:
    """Return the name in a meta element; libraries (citation_author, dc.creator) write "Lee, Ann" for "Ann Lee"."""
    text = name_of(value) if value[:3].casefold() == "by " else " ".join(value.split())
    family, comma, given = text.partition(", ")
    is_of_library = key.startswith(("citation_", "dc.", "dcterms."))
    if comma and is_of_library and "," not in given and given.count(" ") < _MAX_GIVEN:
        return f"{given} {family}"
    return text if is_name(text) and not NO_NAME.search(text) else name_of(text)


def of_element(sources: Sources) -> str:
    """Read the names in elements called bylines, or in a link to an author's page beside the headline.

    Reads all elements of the kind of the first byline. Names at most _MAX_GAP blocks from the first name are one
    byline. Many bylines far from the headline belong to a list of articles: then no name is returned.
    """
    block_of: dict[str, int] = {}  # name -> block
    kind: tuple[str, str, str] | None = None  # of the first byline
    first = 0  # the block of the first name
    for i, element in sources.elements_at(_is_byline):
        # In an article bylines further on are of other texts. On other pages their number tells whether it is a list.
        is_of_other_text = sources.is_article and i > first + _MAX_GAP
        if block_of and (sources.is_forum or len(block_of) > _MAX_TOGETHER or is_of_other_text):
            break
        is_of_other_kind = kind is not None and kind != _kind(element)
        if is_of_other_kind or (_is_voice(element) and not sources.is_forum):
            continue
        if name := _name_in(element):
            kind = _kind(element)
            if any(_has_name(other, name) for other in block_of):
                continue
            # "Ann Lee" takes the place of "Ann", and the earlier block of the two.
            shorter = [other for other in block_of if _has_name(name, other)]
            block_of[name] = min([i, *map(block_of.pop, shorter)])
            first = min(block_of.values())
    if len(block_of) >= _MIN_LISTED and first - sources.headline > _LIST_BEGINS_AFTER and not sources.is_article:
        return ""
    return ", ".join(name for name, i in block_of.items() if i <= first + _MAX_GAP) or _of_link(sources)


def _has_name(names: str, name: str) -> bool:
    """Return whether a byline has a name as whole words: "Ann Lee" has "Ann", "Joanne Lee" has not."""
    return f" {name} " in f" {names.replace(',', ' ')} "


def _kind(element: Element) -> tuple[str, str, str]:
    """Return what the elements of one byline have in common: tag, itemprop, and rel or class."""
    attrs = element.attrs
    return element.tag, attrs.get("itemprop", ""), attrs.get("rel", "") or attrs.get("class", "")


def _name_in(element: Element) -> str:
    """Return the name in an element called a byline, else ""."""
    for text in _texts(element):
        name = at_start(name_of(text))
        # "Senior Editor" is only a role. A long text may name the author and then a role, which is part of `name`.
        is_role = len(text) <= MAX_NAME and ROLE.search(name) is not None
        if name and len(name) <= MAX_NAME and not is_role:
            return name
    return ""


def _is_byline(element: Element) -> bool:
    """Return whether an element is called a byline by its itemprop, rel, class, id or data-testid."""
    attrs = element.attrs
    if not attrs:
        return False
    if attrs.get("itemprop") == "author" or ("rel" in attrs and _has_rel_author(attrs)):
        return True
    names = attrs.get("class", "")
    if "id" in attrs or "data-testid" in attrs:
        names = f"{names} {attrs.get('id', '')} {attrs.get('data-testid', '')}"
    return _is_byline_class[names[:200]]


def _has_rel_author(attrs: dict[str, str]) -> bool:
    return "author" in attrs.get("rel", "").lower().split()


# Whether class, id and the like name a byline. Pages repeat them.
_is_byline_class = Remembered(lambda names: bool(_BYLINE_CLASS.search(names)) and not _NO_BYLINE_CLASS.search(names))


def _is_voice(element: Element) -> bool:
    """Return whether an element is inside a reader's comment or a customer's review."""
    for outer in (element, *around(element, _MAX_AROUND - 1)):
        if outer.tag in _WHOLE:
            return False
        if _VOICES.search(f"{outer.attrs.get('class', '')} {outer.attrs.get('id', '')}"[:200]):
            return True
        if is_of_reader(outer.attrs.get("itemtype", "")):
            return True
    return False


def _texts(element: Element) -> Iterator[str]:
    """Yield texts of a byline that may be the name, best first.

    These are the links to authors' pages, the whole text if it is a name, the first piece if it is a name, and the
    whole text even if it is not.
    """
    pieces, author_links = _pieces(element)
    links = [_joined(_pieces(link)[0])[:MAX_NAME].partition(_BAR)[0].strip() for link in author_links[:_MAX_TOGETHER]]
    named = [link for link in dict.fromkeys(links) if link and not NO_NAME.search(link)]
    if named:
        yield ", ".join(named[:_MAX_LINKS])
    first = next((piece.strip() for piece in pieces if piece != _BAR and piece.strip()), "")
    whole = _joined(pieces)[:_MAX_TEXT]
    if name_of(whole) and is_name(name_of(whole)):
        yield whole
    if first and is_name(name_of(first)):
        yield first
    yield whole


def _pieces(element: Element) -> tuple[list[str], list[Element]]:
    """Return the texts in an element, with a bar before each block and for a link to a topic; and links to authors."""
    pieces: list[str] = []
    links = []
    stack: list[Element] = [element]
    count = 0
    is_author = False  # whether a link to a topic followed "by"
    while stack and count < _MAX_NODES:
        node = stack.pop()
        count += 1
        if node.tag is None:
            pieces.append(node.text)
            continue
        is_to_topic = node.tag == "a" and is_topic(node)
        if is_to_topic and pieces and (_AFTER_BY.search(pieces[-1]) or (is_author and pieces[-1].strip(" |"))):
            is_author, is_to_topic = True, False  # "By <a href=/tag/ann-lee>Ann Lee</a> and <a href=/tag/bo-orr>..."
        if is_to_topic or KINDS.get(node.tag) == BLOCK:
            pieces.append(_BAR)
        if is_to_topic:
            continue
        if node.tag == "a" and (_AUTHOR_PAGE.search(node.attrs.get("href", "")) or _has_rel_author(node.attrs)):
            links.append(node)
        stack.extend(reversed(node.children))  # type: ignore[arg-type]
    return pieces, links


def _joined(pieces: list[str]) -> str:
    """Join the pieces of an element's text, with a bar where two words would touch: "Ann Lee|May 4".

    A bar that is a piece (before a block, for a link to a topic) stays after a word: not in "Author: Ann Lee".
    """
    text = ""
    for piece in pieces:
        is_bar = piece == _BAR
        needs_bar = (text.rstrip() if is_bar else text)[-1:].isalnum() and (is_bar or piece[:1].isalnum())
        text += (_BAR if needs_bar else "") + ("" if is_bar else piece)
    return text


def _of_link(sources: Sources) -> str:
    """Read the name in a link to an author's page near the headline."""
    start = sources.headline
    for block in sources.page.blocks[max(0, start - BEFORE) : start + LABELLED_WITHIN]:
        link = block.inline
        if link is not None and link.tag == "a" and _AUTHOR_PAGE.search(link.attrs.get("href", "")):
            name = name_of(block.text)
            is_full = " " in name or (name[:1] in FAMILY_NAMES and not _TEAM.search(link.attrs["href"]))
            if name and is_name(name) and is_full:
                return name
    return ""


# (name, rule), best first; the name says what a byline was read from.
RULES = (
    ("json-ld", of_work), ("meta", of_meta), ("first post", of_first_post), ("element", of_element),
    ("text", of_text), ("text", of_line),
)  # fmt: skip
