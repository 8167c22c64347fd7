"""The types of what library functions return, for type checkers. Nothing imports this module at run time.

A member that is always there has a type of its own class; the others are in a class with total=False, and absent if
there is nothing to say. `content` and `markdown` are absent if a call asks for a part, such as find or outline.

    webtool.fetch(url)["content"]   # str

Tests: tests/test_library.py
"""

from __future__ import annotations

from typing import TypedDict


class OutlineRow(TypedDict):
    """A heading of outline()."""

    level: int
    title: str
    line: int
    tokens: int


class Match(TypedDict):
    """A match of find(), with the lines around it."""

    line: int
    text: str
    heading: str


class _Verdict(TypedDict):
    verdict: str
    """verbatim, normalised or absent"""


class Verdict(_Verdict, total=False):
    """What verify() says of a quote. `nearest` is there if the quote is absent and the page has a similar passage."""

    lines: list[int]
    nearest: str


class _Part(TypedDict, total=False):
    note: str
    next_offset: int
    status_code: int
    author: str
    published: str
    site_name: str
    language: str
    kept_ratio: float
    confidence: float
    outline: list[OutlineRow]
    section: dict[str, object]
    matches: list[Match]
    total_matches: int
    passages: list[dict[str, object]]
    verdict: str
    lines: list[int]
    nearest: str
    left_out: list[dict[str, object]]


class _Fetch(TypedDict):
    success: bool
    url: str
    title: str
    content: str
    lines_read: int
    total_lines: int


class FetchAnswer(_Fetch, _Part, total=False):
    """What fetch() returns, and run("web_fetch", ...)."""

    truncated: bool
    hash: str
    fetched_at: str


class _Open(TypedDict):
    url: str
    final_url: str
    content_type: str
    fetched_at: str
    mode: str
    markdown: str
    hash: str


class OpenAnswer(_Open, _Part, total=False):
    """What open() returns, and run("web_open", ...). Mode raw has `raw` instead of `markdown`."""

    raw: str
    title: str
    links: list[dict[str, str]]
    stale: bool


class _Result(TypedDict):
    title: str
    url: str
    description: str
    snippet: str


class SearchResult(_Result, total=False):
    """A result of search()."""

    published_date: str
    extra_snippets: list[str]


class _Search(TypedDict):
    success: bool
    count: int
    results: list[SearchResult]
    provider: str
    more_results_available: bool


class SearchAnswer(_Search, total=False):
    """What search() returns."""

    answers: list[dict[str, str]]
    note: str
