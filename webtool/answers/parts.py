"""The part of a page that a call asks for. In: markdown, the members that say which part. Out: a Given.

Every tool that gives a page's text takes the same members (PROPERTIES) and answers with
the same ones, whatever the page was: HTML, a PDF, a feed. Lines are those that `offset` counts. The modules that do it
are imported when they are asked for: most calls want a page, and importing these costs 10 ms.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.answers import budget
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple

QUESTIONS: dict[str, dict[str, object]] = {
    "outline": {"type": "boolean", "description": "Headings with lines and tokens"},
    "section": {"type": "string", "description": "Heading, A > B, or line"},
    "find": {"type": "string", "description": "Words or /regex/i"},
    "query": {"type": "string", "description": "Best passages for a question (max_tokens 800)"},
    "verify": {"type": "string", "description": "A quote to check"},
}
"""Members of a request, at most one of them in a call."""
PROPERTIES: dict[str, dict[str, object]] = {
    **QUESTIONS,
    "links": {"type": "string", "enum": ["inline", "refs", "none"]},
    "images": {"type": "string", "enum": ["keep", "alt", "none"]},
}
"""Those, and how the text is written."""


def without_descriptions(schemas: Mapping[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """The same for tools that web_open's descriptions stand beside: the list of tools is read at every start."""
    return {
        name: {member: value for member, value in schema.items() if member != "description"}
        for name, schema in schemas.items()
    }


TYPES = without_descriptions(PROPERTIES)
FLAG_HELP = {
    "outline": "Show the headings, with their lines and the tokens below them",
    "section": "Show what is below this heading; a path (A > B) or a line tells apart what has the same name",
    "find": "Show the lines that hold these words, or match /a regular expression/i",
    "query": "Show the passages that answer this, in at most --max-tokens (800)",
    "verify": "Say whether the page has this quote: verbatim, normalised or absent",
    "links": "Links as inline (default), refs (numbered, their addresses once at the end) or none (text only)",
    "max_tokens": "Cut the answer after about this many tokens (four bytes each; query: 800)",
    "images": "Pictures as keep (default), alt (their description) or none",
}
_MAX_HEADINGS = 300
_MAX_TITLE = 120  # characters of a heading in an outline
_LINE_TOKENS = 8  # of a heading in an outline, beside its title


class Given(NamedTuple):
    """A part of a page."""

    text: str
    """What a person reads; for section and query the part's markdown."""
    members: dict[str, object]
    """What the answer has of it."""
    is_text: bool = False
    """Whether the text is the page's own."""
    notes: tuple[str, ...] = ()
    is_missed: bool = False
    """Whether the page has nothing of what was asked for."""


def is_asked(members: Mapping[str, object]) -> bool:
    """Whether any part is asked for. Raises InvalidArgument for two of them."""
    asked = [name for name in QUESTIONS if members.get(name)]
    if len(asked) > 1:
        raise InvalidArgument(f"{asked[0]} and {asked[1]} are two questions", hint="Ask for one part in a call.")
    return bool(asked)


def viewed(text: str | None, members: Mapping[str, object]) -> str:
    """The markdown with links and pictures as the members want them."""
    links, images = members.get("links") or "inline", members.get("images") or "keep"
    if not text or (links, images) == ("inline", "keep"):
        return text or ""
    from webtool.answers import views

    return views.view(text, str(links), str(images))


def give(text: str, members: Mapping[str, object], offset: int = 1, max_tokens: int = 0) -> Given:
    """The part of the text that the one member asks for. `max_tokens` 0 is unlimited, but 800 for query.

    Raises InvalidArgument where the page has no such part.
    """
    name = next(name for name in QUESTIONS if members.get(name))
    if name == "outline":
        return _outline(text, max_tokens)
    if name == "section":
        return _section(text, str(members[name]), offset, max_tokens)
    if name == "find":
        return _find(text, str(members[name]), max_tokens)
    if name == "query":
        return _query(text, str(members[name]), max_tokens)
    from webtool.answers.question import quotes

    found = quotes.verify(text, str(members[name]))
    is_there = found["verdict"] != quotes.ABSENT
    shown = [f"{found['verdict']}"]
    lines = found.get("lines")
    if isinstance(lines, list):
        first, last = lines
        shown.append(f"lines {first} to {last}" if last > first else f"line {first}")
    return Given(
        ": ".join(shown) + (f"\n{found['nearest']}" if "nearest" in found else ""), found, is_missed=not is_there
    )


def _outline(text: str, max_tokens: int) -> Given:
    """The headings; of too many the deepest levels are left out first."""
    from webtool.answers import outline

    entries = [{**entry, "title": budget.shortened(str(entry["title"]), _MAX_TITLE)} for entry in outline.outline(text)]
    notes: tuple[str, ...] = ()
    shown = entries
    while len(fitting := _fitting(shown, max_tokens)) < len(shown) and len({entry["level"] for entry in shown}) > 1:
        deepest = max(int(str(entry["level"])) for entry in shown)
        shown = [entry for entry in shown if entry["level"] != deepest]
    shown = fitting
    if len(shown) < len(entries):
        notes = (f"{len(shown)} of {len(entries)} headings are shown: find and section reach the others",)
    top = min((int(str(entry["level"])) for entry in shown), default=1)
    lines = [
        f"{'  ' * (int(str(entry['level'])) - top)}- {entry['title']} (line {entry['line']}, {entry['tokens']} tokens)"
        for entry in shown
    ]
    return Given("\n".join(lines), {"outline": shown}, notes=notes)


def _fitting(entries: list[dict[str, object]], max_tokens: int) -> list[dict[str, object]]:
    """As many of the first as an outline has, and as the tokens allow; at least one."""
    sizes = (budget.estimate_tokens(str(entry["title"])) + _LINE_TOKENS for entry in entries[:_MAX_HEADINGS])
    return entries[: max(budget.count_fitting(sizes, max_tokens or _MAX_HEADINGS * _MAX_TITLE), 1)]


def _section(text: str, wanted: str, offset: int, max_tokens: int) -> Given:
    from webtool.answers import outline

    found = outline.find_section(text, wanted)
    if offset > found.last_line:
        raise InvalidArgument(
            f"offset {offset} is behind the section", hint=f"It ends with line {found.last_line}; leave out section."
        )
    first = max(offset, found.first_line)
    part = budget.take_lines("\n".join(text.split("\n")[: found.last_line]), first, max_tokens)
    members: dict[str, object] = {
        "section": {
            "title": found.title, "path": found.path, "first_line": found.first_line, "last_line": found.last_line,
        }
    }  # fmt: skip
    notes: tuple[str, ...] = ()
    if part.next_offset is not None:
        members["next_offset"] = part.next_offset
        notes = (f"the section goes on to line {found.last_line}: go on with offset {part.next_offset}",)
    return Given(part.text, members, is_text=True, notes=notes)


def _find(text: str, pattern: str, max_tokens: int) -> Given:
    from webtool.answers import finding

    found = finding.search(text, pattern)
    matches = found.matches
    if max_tokens:
        sizes = (budget.estimate_tokens(f"{match['text']}{match['heading']}") + 12 for match in matches)
        matches = matches[: max(budget.count_fitting(sizes, max_tokens), 1)]
    notes = (f"{len(matches)} of {found.total} matches are shown",) if len(matches) < found.total else ()
    shown = [f"{match['heading']}, line {match['line']}:\n{match['text']}".lstrip(", ") for match in matches]
    members: dict[str, object] = {"matches": matches, "total_matches": found.total}
    return Given("\n\n".join(shown) or "no line matches", members, notes=notes, is_missed=not matches)


def _query(text: str, query: str, max_tokens: int) -> Given:
    from webtool.answers import blocks
    from webtool.answers.question import excerpt

    found = excerpt.select(blocks.parse(text), query, max_tokens or excerpt.MAX_TOKENS)
    last = text.rstrip("\n").count("\n") + 1
    passages: list[dict[str, object]] = []
    for passage in found.passages:
        passages.append(dict(passage._asdict()))
        if passage.last_line < last:
            passages[-1]["next_offset"] = passage.last_line + 1
    notes = () if found.is_found else ("no word of the query is on the page: this is its beginning",)
    return Given(found.text, {"passages": passages}, True, notes, is_missed=not found.is_found)
