"""Answer a call with a page, or with a part of it. In: a Page and the call's arguments. Out: the members of an answer.

web_fetch, web_open, web_extract and cache_get take the same arguments (PARAMETERS) for what to give of a page, read by
read_choice(). An Answer collects the members and notes in the order in which each tool gives them:

    text member    "content" (web_fetch), "raw" (mode raw) or "markdown", which gets the header block
    a part         what outline, section, find, query or verify give (webtool.answers.parts)
    facts          author, date, kept_ratio, left-out groups: what stored_copies keeps of the extraction
    paging         next_offset, and a note with the lines that are there
Tests: tests/tools/test_parts.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webtool.answers import budget, parts
from webtool.cache import freshness
from webtool.cache.tables import Snapshot
from webtool.context import Context, Result, add_notes
from webtool.documents import sniff
from webtool.errors import WebtoolError, counted
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages import in_worker, opening
from webtool.pages.conversion import hidden_words_notes
from webtool.pages.request import Page, PageRequest
from webtool.pages.stored_copies import PAGE_FACTS, source_of, stored_facts

_ANY_AGE = 1e9  # seconds: a stored copy is used whatever its age, if it was fetched together with this page
_MIN_KEPT_RATIO = 0.5  # of the page's words; if readable mode keeps less, a note says that there is more

PARAMETERS: dict[str, dict[str, object]] = {
    "left_out": {"type": "boolean", "description": "List what readable left out, in groups"},
    "with": {"type": "array", "items": {"type": "integer"}, "description": "Groups of left_out to add back"},
    "select": {"type": "string", "description": "CSS: only these elements"},
    "drop": {"type": "string", "description": "CSS: without these"},
    **parts.PROPERTIES,
}  # arguments that say what to give of a page, as properties of a JSON schema
PARAMETER_TYPES = parts.without_descriptions(PARAMETERS)
"""PARAMETERS for tools that are listed after web_open, whose descriptions a model has read already."""
FLAG_HELP = {
    "left_out": "List what was left out, in groups",
    "with": "Add these groups back: 2 or 2,5",
    "select": "Only the elements that match this CSS selector: 'main > p, .note'",
    "drop": "Without the elements that match this CSS selector",
    **parts.FLAG_HELP,
}
FACT_PROPERTIES: dict[str, object] = {
    **{name: {"type": "string"} for name in PAGE_FACTS.values()},
    "read_from": {"type": "object"},
    "kept_ratio": {"type": "number"},
    "confidence": {"type": "number"},
    "left_out": {"type": "array", "items": {"type": "object"}},
}  # members that add_facts() may give, for output schemas


class Choice(NamedTuple):
    """The parts of a page that a call asks for."""

    part: Mapping[str, Any]  # the call's arguments, of which answers.parts reads its own
    is_part: bool  # one of outline, section, find, query, verify, sql is given
    left_out: bool
    groups: tuple[int, ...]
    select: str
    drop: str

    def request_fields(self, offset: int) -> dict[str, Any]:
        """Return fields of PageRequest. A later part of a page comes from the copy that its first part came from."""
        is_later = offset > 1 or self.is_part or self.groups
        accept_age = freshness.TTL_PARTS if is_later else 0.0
        return {"accept_age": accept_age, "with_groups": self.groups, "select": self.select, "drop": self.drop}


def read_choice(arguments: Mapping[str, Any]) -> Choice:
    """Read the arguments of PARAMETERS and check them before anything is fetched. Raises InvalidArgument."""
    is_part = parts.is_asked(arguments)
    select, drop = arguments.get("select", ""), arguments.get("drop", "")
    for name, selectors in (("select", select), ("drop", drop)):
        if selectors:
            from webtool.pages import elements

            elements.check(name, selectors)
    groups = tuple(arguments.get("with", ()))
    return Choice(arguments, is_part, arguments.get("left_out", False), groups, select, drop)


def text_of(page: Page, choice: Choice) -> str:
    """Return decoded text in mode raw, else markdown as the call wants it, without the last line end for paging."""
    if page.snapshot.mode == "raw":
        return page.snapshot.text or ""
    return parts.viewed(page.snapshot.markdown, choice.part).rstrip("\n")


class Answer:
    """The members and notes of one answer, in the order in which they are added.

    `data` begins with the members that say which page it is. `text_member` is the name of the member with the page's
    text; "" is "raw" in mode raw, else "markdown".
    """

    def __init__(self, page: Page, choice: Choice, data: dict[str, object], text_member: str = "") -> None:
        self.data = data
        self.notes = list(page.notes)
        self._page = page
        self._choice = choice
        self._text_member = text_member or ("raw" if page.snapshot.mode == "raw" else "markdown")

    def add_lines(self, text: str, offset: int, max_tokens: int, limit: int | None = None) -> budget.Lines:
        """Add the lines of the text from `offset` on, as many as fit; return them."""
        lines = budget.take_lines(text, offset, max_tokens, limit)
        text_lines, snapshot = lines.text, self._page.snapshot
        if self._text_member == "markdown":
            from webtool.cache.front_matter import with_header  # web_fetch does not need it

            has_last_line = lines.next_offset is None and lines.length > 0
            if has_last_line and (snapshot.markdown or "").endswith("\n"):  # text_of() took it away
                text_lines += "\n"
            text_lines = with_header(snapshot, text_lines)
        self.data[self._text_member] = text_lines
        return lines

    def add_paging(self, lines: budget.Lines) -> None:
        """Add where to go on after these lines."""
        self.notes += budget.paging_notes(lines)
        if lines.next_offset is not None:
            self.data["next_offset"] = lines.next_offset

    def add_facts(self) -> None:
        """Add what extraction says about the page, with the list of left-out groups if the call asks for it."""
        snapshot, choice = self._page.snapshot, self._choice
        has_full = snapshot.mode != "rendered"  # in mode full, a page that scripts fill is nearly empty
        facts, notes = facts_members(stored_facts(snapshot), choice.left_out, choice.groups, has_full)
        self.data.update(facts)
        self.notes += notes

    def add_part(self, ctx: Context, text: str, offset: int, max_tokens: int, **about: object) -> parts.PagePart:
        """Add the part that the call asks for; `about` comes between its text and its other members."""
        snapshot, asked = self._page.snapshot, self._choice.part
        whole = whole_text(ctx, snapshot, self._choice)
        if not asked.get("section") and not asked.get("verify"):
            asked = {**asked, "is_csv": sniff.kind_of(b"", snapshot.content_type, snapshot.final_url) == "csv"}
        part = in_worker.give_part(ctx, text, asked, offset, max_tokens, whole)
        if part.is_text:
            self.data[self._text_member] = part.text
        self.data.update(about)
        self.data.update(part.members)
        self.notes += part.notes
        if self._choice.part.get("verify") and not part.is_missed:
            from webtool.pages import citation

            cited, notes = citation.members(ctx, self._page.snapshot, str(self._choice.part["verify"]))
            self.data.update(cited)
            self.notes += notes
        return part

    def part_result(self, ctx: Context, text: str, offset: int, max_tokens: int) -> Result:
        """Return the part that the call asks for, with title, hash and whether the copy is stale."""
        snapshot = self._page.snapshot
        title = {"title": budget.shortened(snapshot.title)} if snapshot.title else {}
        part = self.add_part(ctx, text, offset, max_tokens, **title)
        self.data["hash"] = snapshot.hash
        if self._page.stale:
            self.data["stale"] = True
        return self.result(part.text, part.about)

    def result(self, text: str = "", about: str = "") -> Result:
        """Return the answer; a reader gets the page's text, or `text` if the answer has no page text."""
        add_notes(self.data, self.notes)
        return Result(str(self.data.get(self._text_member, text)) + left_out_list(self.data), self.data, about)


def whole_text(ctx: Context, snapshot: Snapshot, choice: Choice) -> str:
    """Return the whole page's markdown for questions beside the main content, from the stored body; else ""."""
    asks = any(choice.part.get(name) for name in parts.LOOKS_BESIDE)
    if snapshot.mode not in ("readable", "rendered") or not asks or choice.select:
        return ""
    request = PageRequest(snapshot.url, "full", accept_age=_ANY_AGE, drop=choice.drop)
    markdown = None
    if ctx.local is not None and snapshot.raw_bytes is None:
        markdown = opening.open_page(ctx, request).snapshot.markdown
    elif ctx.cache is not None and snapshot.hash and snapshot.mode != "rendered":
        try:
            offline = ctx.derive(settings=ctx.settings._replace(offline=True))
            stored = opening.open_page(offline, request).snapshot
            markdown = stored.markdown if stored.fetched_at == snapshot.fetched_at else None
        except WebtoolError:
            markdown = None
    if markdown is None and snapshot.raw_bytes is not None:
        markdown = str(in_worker.convert(ctx, request, source_of(snapshot)).columns.get("markdown") or "")
    return parts.viewed(markdown, choice.part)


def facts_members(
    facts: dict[str, object], lists_left_out: bool, groups: Sequence[int] = (), has_full: bool = True
) -> tuple[dict[str, object], list[str]]:
    """Return the members that an answer has of an extraction's facts, and notes.

    `lists_left_out`: the call asks for the list of left-out groups. `groups` are those that it adds back. `has_full`:
    mode full has the whole text.
    """
    data = {name: value for name, value in facts.items() if name in FACT_PROPERTIES and name != "left_out"}
    notes = []
    ratio = facts.get("kept_ratio")
    if isinstance(ratio, (int, float)) and ratio < _MIN_KEPT_RATIO:
        all_text = "mode full gives all, " if has_full else ""
        notes.append(f"kept {ratio:.0%} of the page's text: {all_text}left_out lists the rest")
    notes += hidden_words_notes(facts.get("hidden_words"), facts.get("doubtful_words"))
    if lists_left_out:
        data["left_out"] = facts.get("left_out", [])
    if (lists_left_out or groups) and "left_out" not in facts:
        notes.append("left_out and with are for the main content of HTML (mode readable): nothing is listed here")
    return data, notes


def left_out_list(data: dict[str, object]) -> str:
    """Return the list of left-out groups for a reader; "" if the answer has no such member."""
    rows = data.get("left_out")
    if not isinstance(rows, list):
        return ""
    lines = [f"{row['n']}. {row['kind']}, {counted(row['words'], 'word')}: {row['begins']}" for row in rows]
    if not lines and "kept_ratio" not in data:
        return ""  # this page was not extracted, so there is nothing to say
    title = "Left out (with adds a group back):" if lines else "Nothing was left out."
    return "\n".join(["", "---", title, *lines, ""])
