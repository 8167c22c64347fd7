"""A search's Answer for readers and for programs. In: an Answer. Out: text, and members of the JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from webtool.answers import fitting, tokens
from webtool.context import Result
from webtool.providers.driver import Answer
from webtool.providers.results import SearchResult

MAX_TOKENS = {"type": "integer", "description": "Cut the answer after about this many tokens", "minimum": 1}
"""The member of every search tool that says how long its answer may be."""


def result(answer: Answer, data: Mapping[str, object], max_tokens: int) -> Result:
    """The answer as a tool gives it, in about that many tokens; 0 is unlimited."""
    if not max_tokens:
        return Result(text(answer), dict(data))
    return Result(tokens.part_of(text(answer), 1, max_tokens).text, fitting.fit(data, max_tokens))


def members(answer: Answer, *, has_extra_snippets: bool = False) -> dict[str, object]:
    """success, count and results. `description` and `snippet` carry the same text, under the names of two hosts."""
    found = []
    for result in answer.results:
        one: dict[str, object] = {"title": result.title, "url": result.url}
        one["description"] = one["snippet"] = result.description
        if result.published_date:
            one["published_date"] = result.published_date
        if has_extra_snippets and result.extra_snippets:
            one["extra_snippets"] = list(result.extra_snippets)
        found.append(one)
    data = {"success": True, "count": len(found), "results": found}
    return {**data, "note": "; ".join(answer.notes)} if answer.notes else data


def text(answer: Answer) -> str:
    """A numbered list: title, URL, then date and description; what was really searched for where it was corrected."""
    lines = [f"Searched for: {answer.altered}", ""] if answer.altered else []
    if not answer.results:
        return "\n".join([*lines, f"No results for: {answer.query}"])  # notes say what was asked
    width = len(str(len(answer.results)))
    for number, result in enumerate(answer.results, 1):
        indent = " " * (width + 2)
        lines += [f"{number:>{width}}. {result.title}", *[f"{indent}{line}" for line in _below(result)], ""]
    return "\n".join(lines[:-1])


def _below(result: SearchResult) -> Iterator[str]:
    yield result.url
    day = (result.published_date or "")[:10]
    listed = " - ".join(part for part in (day, result.description) if part)
    if listed:
        yield listed
    for snippet in result.extra_snippets:
        yield f"... {snippet}"
