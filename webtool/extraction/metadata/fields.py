"""Title, byline, date, language, site name and excerpt of a page. In: head, cut page, address. Out: Metadata.

Each field has a table of sources in order; the first that gives something usable wins. Nothing is guessed: a field
without a source stays empty. Specs: Open Graph, schema.org, Dublin Core and WHATWG's standard metadata names.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.extraction.metadata import bylines, published, titles
from webtool.extraction.metadata.evidence import Sources
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.html.charrefs import decode_text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_TITLE = 500
MAX_BYLINE = 200
MAX_EXCERPT = 500
_TAG = patterns.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")


class Metadata(NamedTuple):
    """What a page says about itself; "" where it says nothing."""

    title: str = ""
    byline: str = ""
    published: str = ""
    """ISO 8601 date, with time and zone where the page gives them."""
    language: str = ""
    """BCP 47 tag."""
    site_name: str = ""
    excerpt: str = ""
    read_from: tuple[tuple[str, str], ...] = ()
    """(field, json-ld, meta, element, time, address, text, update or first post) of byline and date where known."""


def read(head: Head, page: Page, address: str = "") -> Metadata:
    """All fields; `address` is where the page came from."""
    sources = Sources(head, page, address)
    site_name = _first(sources, _SITE_NAMES)
    byline, of_byline = bylines.find(sources)
    date, of_date = published.find(sources)
    found = (("author", of_byline), ("published", of_date))
    return Metadata(
        title=_clip(titles.title(sources, site_name), MAX_TITLE),
        byline=_clip(byline, MAX_BYLINE),
        published=date,
        language=_first(sources, _LANGUAGES),
        site_name=_clip(site_name, MAX_BYLINE),
        excerpt=_clip(_first(sources, _EXCERPTS), MAX_EXCERPT),
        read_from=tuple(entry for entry in found if entry[1]),
    )


def _first(sources: Sources, rules: tuple[Callable[[Sources], str], ...]) -> str:
    for rule in rules:
        value = rule(sources)
        if value:
            return value
    return ""


def _clip(text: str, most: int) -> str:
    """The text without the character references that pages leave in attributes and data, cut to a length."""
    if "&" in text:
        text = " ".join(decode_text(text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "\u2026"


def _language(tag: str) -> str:
    tag = tag.strip().replace("_", "-")
    return tag if _TAG.fullmatch(tag) else ""


def _lead(sources: Sources) -> str:
    for block in sources.page.blocks:
        if block.words >= 20 and 4 * block.link_words < block.words:
            return block.text
    return ""


_LANGUAGES = (
    lambda sources: _language(sources.head.language),
    lambda sources: _language(sources.meta("content-language", "dc.language", "language")),
    lambda sources: _language(sources.meta("og:locale")),
    lambda sources: next((_language(value) for value in sources.work("inLanguage") if isinstance(value, str)), ""),
)
_SITE_NAMES = (
    lambda sources: next(iter(sources.site_names), ""),
    lambda sources: sources.meta("twitter:app:name:iphone", "al:ios:app_name", "dc.publisher", "copyright"),
)
_EXCERPTS = (
    lambda sources: sources.meta("description", "og:description", "twitter:description", "dc.description"),
    lambda sources: next((" ".join(v.split()) for v in sources.work("description") if isinstance(v, str)), ""),
    _lead,
)
