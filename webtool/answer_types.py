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


class _Beside(TypedDict, total=False):
    """Where something is that a call asks for."""

    outside_main: bool
    """True if only the whole page has it; then the lines are those of mode full."""


class _Match(TypedDict):
    line: int
    text: str
    heading: str


class Match(_Match, _Beside, total=False):
    """A match of find(), with the lines around it."""


class _Passage(TypedDict):
    first_line: int
    last_line: int
    heading: str


class Passage(_Passage, _Beside, total=False):
    """A passage of a query. `next_offset` is the line after it, if there is one."""

    next_offset: int


class _Verdict(TypedDict):
    verdict: str
    """verbatim, normalised or absent"""


class Verdict(_Verdict, _Beside, total=False):
    """The verdict on a quote. `nearest` is there if the quote is absent and the page has a similar passage."""

    lines: list[int]
    nearest: str


class _Part(_Beside, total=False):
    """Facts on the page, and the part that a call asks for; the help topic `parts` explains each."""

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
    passages: list[Passage]
    absent_words: list[str]
    tables: list[dict[str, object]]
    columns: list[str]
    rows: list[list[object]]
    total_rows: int
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
    """The answer of fetch() and of run("web_fetch", ...)."""

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
    """The answer of open() and of run("web_open", ...). Mode raw has `raw` instead of `markdown`."""

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
    """The answer of search()."""

    answers: list[dict[str, str]]
    note: str
