"""Read title, byline, date, language, site name and excerpt of a page. In: head, cut page, address. Out: Metadata.

Each field has a table of rules, best first; the first that gives something usable wins. Nothing is guessed: a field
without a source stays empty. Specs: Open Graph, schema.org, Dublin Core and WHATWG's standard metadata names.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.extraction.metadata import bylines, published, titles
from webtool.extraction.metadata.evidence import Sources
from webtool.extraction.page import json_ld
from webtool.extraction.page.blocks import Page, is_sentence
from webtool.extraction.page.head import Head
from webtool.html.charrefs import decode_text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_TITLE = 500  # characters, as the other limits; longer values are cut off
MAX_BYLINE = 200
MAX_EXCERPT = 500
MIN_LEAD_WORDS = 20  # a shorter block is not taken for the excerpt
_TAG = patterns.compile(r"(?!und\b)[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")


class Metadata(NamedTuple):
    """A page's metadata; a field without a source is "".

    published is an ISO 8601 date, with time and zone if the page gives them; language is a BCP 47 tag.
    read_from has (field, source) of author and published, if known. Sources are json-ld, meta, element, time, address,
    text, update and first post.
    """

    title: str = ""
    byline: str = ""
    published: str = ""
    language: str = ""
    site_name: str = ""
    excerpt: str = ""
    read_from: tuple[tuple[str, str], ...] = ()


def read(head: Head, page: Page, address: str = "") -> Metadata:
    """Return all fields; `address` is where the page came from."""
    sources = Sources(head, page, address)
    site_name = _first(sources, _SITE_NAMES)
    byline, byline_source = bylines.find(sources)
    date, date_source = published.find(sources)
    read_from = (("author", byline_source), ("published", date_source))
    return Metadata(
        title=_clip(titles.title(sources, site_name), MAX_TITLE),
        byline=_clip(byline, MAX_BYLINE),
        published=date,
        language=_language(sources),
        site_name=_clip(site_name, MAX_BYLINE),
        excerpt=_clip(_first(sources, _EXCERPTS), MAX_EXCERPT),
        read_from=tuple(entry for entry in read_from if entry[1]),
    )


def _first(sources: Sources, rules: tuple[Callable[[Sources], str], ...]) -> str:
    """Return the first value that a rule gives, else ""."""
    return next(filter(None, (rule(sources) for rule in rules)), "")


def _clip(text: str, most: int) -> str:
    """Return a text with its character references decoded, cut off after `most` characters."""
    if "&" in text:
        text = " ".join(decode_text(text).split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "\u2026"


def _language(sources: Sources) -> str:
    """Return the first language tag, with hyphens: of the html element, of a meta element, of the JSON-LD; else ""."""
    values = [sources.head.language, *map(sources.meta, ("content-language", "dc.language", "language", "og:locale"))]
    values += [value for value in map(json_ld.scalar, sources.work("inLanguage")) if isinstance(value, str)]
    tags = (value.strip().replace("_", "-") for value in values)
    return next(filter(_TAG.fullmatch, tags), "")


def _lead(sources: Sources) -> str:
    """Return the first block of running text."""
    blocks = sources.page.blocks
    return next((block.text for block in blocks if is_sentence(block, MIN_LEAD_WORDS)), "")


_SITE_NAMES = (
    lambda sources: next(iter(sources.site_names), ""),
    lambda sources: sources.meta(
        "twitter:app:name:iphone", "al:ios:app_name", "dc.publisher", "citation_journal_title", "copyright"
    ),
)
_EXCERPTS = (
    lambda sources: sources.meta("description", "og:description", "twitter:description", "dc.description"),
    lambda sources: next(
        (" ".join(v.split()) for v in map(json_ld.scalar, sources.work("description")) if isinstance(v, str)), ""
    ),
    _lead,
)
