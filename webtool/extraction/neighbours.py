"""What stands beside the one text of a page: other texts, and what a site says around each. In: a cut page, which blocks
are chosen. Out: the choice, changed in place.

Readers know these parts by what they are headed with ("Read also", "About the author", "12 comments"), by the box for
an address that they hold, and by being texts with a headline of their own below the one that the page is named after.
Each is dropped only below or in a text: a page that lists has no text that outweighs its teasers, and a page where
people discuss is its posts.
"""

from __future__ import annotations

from itertools import accumulate

from webtool.lean import patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from webtool.extraction.blocks import Block, Page
    from webtool.html.node import Element
else:
    from webtool.lean.records import NamedTuple

LEAST_STORY = 120
"""Words in sentences that a page has at least that is one text."""
SENTENCE = 15
"""Words of a block that is a sentence or more, and has few links."""
MOST_SHARE = 0.4
"""The share of the kept words that such a part has at most."""
MOST_LABEL = 8
"""Words of what such a part is headed with."""
MOST_INLINE = 40
"""Words of a line that leads to another text."""
MOST_BOX = 60
"""Words of a box with a form."""
MOST_IN_FORM = 200
LEAST_NEXT = 60
"""Words in sentences of another text."""
_LINKED = 0.5

_TEASER = patterns.compile(
    r"(?i)\W*(?:(?:more |other )?related (?:articles?|stories|posts?|reading|news|coverage|reads?)"
    r"|read (?:also|next|more|this next)|(?:what to )?read next|also read|up next|next (?:article|story|post|up)"
    r"|(?:more|other) (?:stories|articles|news|posts|from|like this|to read|in this section|on this topic)(?:\b.{0,40})?"
    r"|recommended (?:for you|by\b.{0,30}|articles|stories|reading|posts|reads)|recommended|suggested (?:articles|reading|posts)"
    r"|you (?:may|might|could) (?:also )?(?:like|enjoy|be interested in).{0,20}|people also (?:read|viewed)"
    r"|most (?:read|popular|viewed|shared)|trending(?: now| stories)?|popular (?:posts|articles|stories|now)"
    r"|latest (?:news|articles|posts|stories|from\b.{0,30})|editor'?\u2019?s'?\u2019? (?:picks?|choice)|don['\u2019]t miss"
    r"|keep reading|similar (?:articles|posts|stories)|sponsored(?: content)?|from around the web|promoted (?:stories|content)"
    r"|(?:lesen sie|lies|mehr) (?:auch|dazu|zum thema)|das k\u00f6nnte (?:sie|dich) auch interessieren|\u00e4hnliche artikel"
    r"|weitere (?:artikel|themen|beitr\u00e4ge|nachrichten)|meistgelesen(?:e artikel)?|auch interessant|empfehlungen der redaktion"
    r"|(?:\u00e0|a) lire (?:aussi|\u00e9galement)|lire aussi|articles (?:li\u00e9s|similaires|recommand\u00e9s)|sur le m\u00eame (?:sujet|th\u00e8me)"
    r"|vous aimerez aussi|les plus lus"
    r"|(?:lea|lee|leer) tambi\u00e9n|(?:art\u00edculos|noticias|entradas) (?:relacionad[oa]s|recomendad[oa]s)|te puede interesar"
    r"|tambi\u00e9n te puede interesar|m\u00e1s (?:le\u00eddas|noticias|le\u00eddo)|le recomendamos"
    r"|leggi anche|articoli (?:correlati|simili)|potrebbe interessarti|ti potrebbe interessare|i pi\u00f9 letti"
    r"|leia (?:tamb\u00e9m|mais)|veja tamb\u00e9m|(?:artigos|not\u00edcias|posts) relacionad[oa]s|mais lidas|voc\u00ea pode gostar"
    r"|lees ook|lees verder|gerelateerde (?:artikelen|berichten)|meest gelezen"
    r"|\u0447\u0438\u0442\u0430\u0439\u0442\u0435 \u0442\u0430\u043a\u0436\u0435|\u0447\u0438\u0442\u0430\u0439 \u0442\u0430\u043a\u0436\u0435|\u043f\u043e\u0445\u043e\u0436\u0438\u0435 (?:\u0441\u0442\u0430\u0442\u044c\u0438|\u043d\u043e\u0432\u043e\u0441\u0442\u0438|\u043c\u0430\u0442\u0435\u0440\u0438\u0430\u043b\u044b)|\u043f\u043e \u0442\u0435\u043c\u0435|\u043c\u0430\u0442\u0435\u0440\u0438\u0430\u043b\u044b \u043f\u043e \u0442\u0435\u043c\u0435"
    r"|\u76f8\u5173(?:\u9605\u8bfb|\u6587\u7ae0|\u65b0\u95fb|\u63a8\u8350)|\u63a8\u8350\u9605\u8bfb|\u5ef6\u4f38\u95b1\u8b80|\u5ef6\u4f38\u9605\u8bfb|\u76f8\u95dc\u65b0\u805e"
    r"|\u95a2\u9023\u8a18\u4e8b|\u3042\u308f\u305b\u3066\u8aad\u307f\u305f\u3044|\u304a\u3059\u3059\u3081(?:\u8a18\u4e8b)?|\u5173\u8fde"
    r"|\uad00\ub828 ?\uae30\uc0ac|\ucd94\ucc9c ?\uae30\uc0ac|\uc778\uae30 ?\uae30\uc0ac"
    r"|\u0627\u0642\u0631\u0623 \u0623\u064a\u0636\u0627|\u0645\u0648\u0636\u0648\u0639\u0627\u062a \u0630\u0627\u062a \u0635\u0644\u0629|\u05e7\u05e8\u05d0\u05d5 \u05d2\u05dd)\W*"
)
_AUTHOR = patterns.compile(
    r"(?i)\W*(?:about the (?:authors?|writers?|contributors?)|meet the (?:author|writer)s?|author bio(?:graphy)?"
    r"|(?:\u00fcber|zu) (?:den autor|die autorin|die autoren)|zur person"
    r"|[\u00e0a] propos (?:de l['\u2019]auteure?|des auteurs)|l['\u2019]auteure?|sobre (?:el autor|la autora|los autores|o autor|a autora|os autores)"
    r"|acerca del autor|(?:l['\u2019]|informazioni sull['\u2019])autore|over de auteur|\u043e\u0431 \u0430\u0432\u0442\u043e\u0440(?:\u0435|\u0430\u0445)"
    r"|\u4f5c\u8005\u7b80\u4ecb|\u4f5c\u8005\u7d39\u4ecb|\u95dc\u65bc\u4f5c\u8005|\u5173\u4e8e\u4f5c\u8005|\u3053\u306e\u8a18\u4e8b\u3092\u66f8\u3044\u305f\u4eba|\u8457\u8005\u7d39\u4ecb|\uae00\uc4f4\uc774 ?\uc18c\uac1c)\W*"
)
_COMMENTS = patterns.compile(
    r"(?i)\W*(?:(?:\d[\d.,]*|no|one|view|show|join|read)?\s*(?:all |the )?(?:\d[\d.,]*\s*)?(?:reader )?(?:comments?|replies|responses)(?:\s*\(?\d[\d.,]*\)?)?"
    r"|(?:\d+|one) (?:thoughts?|comments?|responses?|replies) (?:on|to)\b.{0,200}|leave a (?:comment|reply)|post a comment|join the (?:conversation|discussion)"
    r"|(?:\d+\s*)?(?:kommentare?|commentaires?|comentarios?|coment\u00e1rios?|commenti|reacties)(?:\s*\(?\d+\)?)?|schreibe? einen kommentar|kommentar schreiben"
    r"|laisser un commentaire|deja (?:un comentario|una respuesta)|deixe um coment\u00e1rio|lascia un commento"
    r"|(?:\d+\s*)?\u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440(?:\u0438\u0438|\u0438\u0435\u0432|\u0438\u0439)(?:\s*\(?\d+\)?)?|\u8bc4\u8bba|\u8a55\u8ad6|\u7559\u8a00|\u30b3\u30e1\u30f3\u30c8|\ub313\uae00)\W*"
)
_INLINE = patterns.compile(r"(?s)(.{3,45}?)\s*[:\uff1a\u00bb\u203a|>\u2192]\s*\S")
_TIME = r"(?:\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{4})[T ]+\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_ZONE = r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+"
_CALENDAR = patterns.compile(rf"(?i:^\W*{_TIME}.{{0,40}}{_TIME}.{{0,40}}){_ZONE}|^\W*{_ZONE}\W*$")
"""What scripts turn into an entry of a calendar: when it begins, when it ends, and the zone of both."""
_SERVICE = patterns.compile(
    r"(?i)\W*(?:\d[\d.,]*\s?[km]?\s+(?:shares?|likes?|views?|retweets?|tweets?)|share(?: this| on \w+| via \w+)"
    r"|share this (?:article|story|post|page)|tweet(?: this)?|pin it|copy link|(?:add|save) to (?:my |your )?(?:google |apple |outlook )?calendar"
    r"|teilen|partager(?: sur \w+)?|compartir(?: en \w+)?|condividi|compartilhar|\u043f\u043e\u0434\u0435\u043b\u0438\u0442\u044c\u0441\u044f|\u5206\u4eab|\u5206\u4eab\u5230)\W*"
)
_WORD = patterns.compile(r"\w+")


class _Sums(NamedTuple):
    """Running totals over the blocks."""

    kept: list[int]
    links: list[int]
    story: list[int]
    """Of words in sentences."""


def settle(page: Page, keep: list[bool], title: str, is_forum: bool) -> None:
    """All of it, linear in the size of the page but for the way up from a label."""
    blocks = page.blocks
    kept = [0, *accumulate([block.words if is_kept else 0 for block, is_kept in zip(blocks, keep)])]
    links = [0, *accumulate([block.link_words if is_kept else 0 for block, is_kept in zip(blocks, keep)])]
    story = [0, *accumulate([block.words if is_kept and _is_sentence(block) else 0 for block, is_kept in zip(blocks, keep)])]
    sums = _Sums(kept, links, story)
    if story[-1] < LEAST_STORY:
        return
    if not is_forum:
        _drop_next_texts(page, keep, sums, title)
    _drop_boxes(page, keep, sums)
    for i, block in enumerate(blocks):
        if not keep[i]:
            continue
        if _SERVICE.fullmatch(block.text[:200]) or _CALENDAR.search(block.text[:300]):
            keep[i] = False
        elif block.link_words >= _LINKED * block.words and block.words <= MOST_INLINE and _is_inline(block.text):
            keep[i] = False
        elif block.words <= MOST_LABEL:
            _drop_labelled(page, keep, sums, i, is_forum)


def _drop_next_texts(page: Page, keep: list[bool], sums: _Sums, title: str) -> None:
    """Below the text that the page is named after: texts with a headline of the same rank in an element of its kind."""
    headline = _headline(page, title)
    if headline < 0:
        return
    tag = page.element[page.blocks[headline].container].tag
    kinds: dict[object, int] = {}
    at = page.blocks[headline].container
    while at > 0:
        if sums.story[page.last[at]] - sums.story[page.first[at]] >= LEAST_STORY:
            kinds.setdefault(_kind_of(page.element[at]), at)
        at = page.parent[at]
    kinds.pop("", None)
    heads = [0, *accumulate([page.element[block.container].tag == tag for block in page.blocks])]
    for i, element in enumerate(page.element):
        first, last = page.first[i], page.last[i]
        ours = kinds.get(_kind_of(element)) if first > headline and heads[last] > heads[first] else None
        if ours is None or first < page.last[ours] or sums.story[last] - sums.story[first] < LEAST_NEXT:
            continue
        keep[first:last] = [False] * (last - first)


def _headline(page: Page, title: str) -> int:
    """The first heading of the first rank, where it has half of its words in the title; else -1."""
    for i, block in enumerate(page.blocks):
        if page.element[block.container].tag == "h1":
            words = set(_WORD.findall(block.text.casefold()))
            if len(words) > 1 and 2 * len(words.intersection(_WORD.findall(title.casefold()))) >= len(words):
                return i
    return -1


def _kind_of(element: Element) -> str:
    """What an element calls itself that holds a whole text; "" where it does not say so."""
    attrs = element.attrs
    if element.tag == "article" or attrs.get("role") == "article":
        return "article"
    return attrs.get("itemtype", "").rpartition("/")[2] if "itemtype" in attrs else ""


def _drop_boxes(page: Page, keep: list[bool], sums: _Sums) -> None:
    """Forms in a text that take an address, with the few words around that ask for it."""
    for i, element in enumerate(page.element):
        if element.tag != "form" or page.last[i] - page.first[i] > MOST_BOX or not _takes_address(element):
            continue
        at = i
        while at >= 0 and sums.kept[page.last[at]] - sums.kept[page.first[at]] <= MOST_BOX:
            i, at = at, page.parent[at]
        first, last = page.first[i], page.last[i]
        if sums.kept[last] - sums.kept[first] <= MOST_BOX:
            keep[first:last] = [False] * (last - first)


def _takes_address(form: Element) -> bool:
    """Whether a field for an e-mail address is in a form, one of the first elements."""
    stack: list[Element] = [form]
    for _ in range(MOST_IN_FORM):
        if not stack:
            break
        element = stack.pop()
        if element.tag == "input":
            attrs = element.attrs
            if attrs.get("type", "").lower() == "email" or "mail" in attrs.get("name", "").lower():
                return True
        stack.extend(child for child in reversed(element.children) if child.tag is not None)  # type: ignore[misc]
    return False


def _is_sentence(block: Block) -> bool:
    return block.words >= SENTENCE and 4 * block.link_words < block.words


def _is_inline(text: str) -> bool:
    match = _INLINE.match(text)
    return bool(match and _TEASER.fullmatch(match[1]))


def _drop_labelled(page: Page, keep: list[bool], sums: _Sums, i: int, is_forum: bool) -> None:
    text = page.blocks[i].text
    if len(text) > 250:
        return
    if _TEASER.fullmatch(text):
        end = _end(page, sums, i)
        if not _is_linked(sums, i + 1, end):
            end = i + 1
            while end < len(keep) and (not keep[end] or page.blocks[end].link_words >= _LINKED * page.blocks[end].words):
                end += 1
        if end > i + 1 or page.blocks[i].links:
            keep[i:end] = [False] * (end - i)
    elif _AUTHOR.fullmatch(text) or (not is_forum and _COMMENTS.fullmatch(text)):
        end = _end(page, sums, i)
        if sums.story[i] >= LEAST_STORY and sums.kept[end] - sums.kept[i] <= MOST_SHARE * sums.kept[-1]:
            keep[i:end] = [False] * (end - i)


def _end(page: Page, sums: _Sums, i: int) -> int:
    """Where the part ends that a block is the label of: with the widest container that begins with it and is a part
    of the page, with the next heading where it is a heading among the text it heads."""
    at = page.blocks[i].container
    end = i + 1
    while at >= 0 and page.first[at] == i:
        if sums.kept[page.last[at]] - sums.kept[i] > MOST_SHARE * sums.kept[-1]:
            break
        end = max(end, page.last[at])
        at = page.parent[at]
    return end


def _is_linked(sums: _Sums, first: int, last: int) -> bool:
    """Whether a part is mostly links, or its sentences are short."""
    words = sums.kept[last] - sums.kept[first]
    return words > 0 and (
        sums.links[last] - sums.links[first] >= 0.3 * words and sums.story[last] - sums.story[first] <= 0.7 * words
    )
