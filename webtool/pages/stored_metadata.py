"""Read and write what the cache stores with a page besides its text, all in the JSON object of `extract_cfg_json`.

Members: "notes" (sentences for every later reader), "mark" (of a rendered page, see Rendered.mark), "reading" (what
main-content extraction says: author, left-out groups, kept_ratio ...), "with", "use_siteconfig", "siteconfig_id",
thresholds (the caller's choices), "strategy_used" or "configuration" (how the text was made). An error status is a row
without text. In: snapshots and an Extraction. Out: snapshots, dicts, errors. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.cache.freshness import stored_headers
from webtool.cache.snapshot import Snapshot
from webtool.errors import HttpError
from webtool.lean import jsontext
from webtool.net.messages import Headers, Response
from webtool.net.statuses import error_for
from webtool.pages.request import PageRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction import Extraction
    from webtool.extraction.output.receipt import Group

NOTES, READING, GROUPS, MARK = "notes", "reading", "with", "mark"  # member names
_NO_CHOICES = ("strategy_used", "configuration", NOTES, READING, GROUPS, MARK)  # members that fits() compares elsewhere

PAGE_FACTS = {"byline": "author", "published": "published", "site_name": "site_name", "language": "language"}
"""Field of an Extraction: member of an answer."""


# Notes.


def with_notes(snapshot: Snapshot, notes: tuple[str, ...]) -> Snapshot:
    """Return the snapshot with notes that later readers of the cache see too."""
    return _with_member(snapshot, NOTES, notes) if notes else snapshot


def with_rendered_body(snapshot: Snapshot, body: bytes, mark: str) -> Snapshot:
    """Return the snapshot of a rendered page with the HTML that the browser made, so that it can be converted again."""
    return _with_member(snapshot._replace(raw_bytes=body), MARK, mark)


def mark_of(snapshot: Snapshot) -> str:
    """Return the attribute by which the stored HTML of a rendered page marks hidden elements; "" for other pages."""
    mark = _members(snapshot).get(MARK)
    return mark if isinstance(mark, str) else ""


def _with_member(snapshot: Snapshot, name: str, value: object) -> Snapshot:
    members: dict[str, object] = jsontext.loads(snapshot.extract_cfg_json or "{}")  # type: ignore[assignment]
    return snapshot._replace(extract_cfg_json=jsontext.dumps({**members, name: value}, is_plain=True))


def notes_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the notes stored with a page, or () if nothing is stored or it cannot be read."""
    text = snapshot.extract_cfg_json or ""
    if f'"{NOTES}"' not in text:
        return ()
    notes = (jsontext.members(text) or {}).get(NOTES)
    if not isinstance(notes, list):
        return ()
    return tuple(note for note in notes if isinstance(note, str))


# What extraction says about the page and about its choice of text.


def page_facts(extraction: Extraction) -> dict[str, object]:
    """Return what the page says about itself (author, date, site, language), without empty values."""
    facts: dict[str, object] = {}
    for field, name in PAGE_FACTS.items():
        value = getattr(extraction, field)
        if value:
            facts[name] = value
    if extraction.read_from:
        facts["read_from"] = dict(extraction.read_from)
    return facts


def extraction_facts(extraction: Extraction) -> dict[str, object]:
    """Return page_facts() and what extraction says about its choice: confidence, hidden words, left-out groups."""
    facts = {**page_facts(extraction), "confidence": extraction.confidence}
    facts.update(hidden_words=extraction.hidden_words, doubtful_words=extraction.doubtful_words)
    facts = {name: value for name, value in facts.items() if value}
    return {**facts, "kept_ratio": extraction.kept_ratio, "left_out": group_rows(extraction.left_out)}


def group_rows(groups: Iterable[Group]) -> list[dict[str, object]]:
    """Return left-out groups as answers list them: n, kind, words, begins."""
    return [{"n": group.n, "kind": group.kind, "words": group.words, "begins": group.begins} for group in groups]


def stored_facts(snapshot: Snapshot) -> dict[str, object]:
    """Return the facts stored with a page, or {} if nothing is stored or it cannot be read."""
    text = snapshot.extract_cfg_json or ""
    if f'"{READING}"' not in text:
        return {}
    facts = (jsontext.members(text) or {}).get(READING)
    return facts if isinstance(facts, dict) else {}


# The caller's choices.


def choices_json(strategy: str, request: PageRequest, facts: dict[str, object]) -> str:
    """Return extract_cfg_json of a page whose main content was made by `strategy` as the request says."""
    members = {**request.thresholds, **_rule_choices(request), "strategy_used": strategy, READING: facts}
    if request.with_groups:
        members[GROUPS] = list(request.with_groups)
    return jsontext.dumps(members, is_plain=True)


def fits(snapshot: Snapshot, request: PageRequest, *, any_groups: bool = False) -> bool:
    """Return whether a stored copy was made with the request's choices that the cache key does not cover.

    `any_groups` ignores the groups that were added back.
    """
    if request.mode in ("full", "raw"):
        return True
    if snapshot.siteconfig_id and not request.use_siteconfig:
        return False
    choices = choices_of(snapshot)
    if _groups_of(snapshot) != list(request.with_groups) and not any_groups:
        return False
    if not snapshot.siteconfig_id and not request.use_siteconfig:
        choices.pop("use_siteconfig", None)  # no rules were used, so it makes no difference
        return choices == dict(request.thresholds)
    return choices == {**request.thresholds, **_rule_choices(request)}


def choices_of(snapshot: Snapshot) -> dict[str, object]:
    """Return the thresholds, use_siteconfig and siteconfig_id that this copy was made with."""
    return {name: value for name, value in _members(snapshot).items() if name not in _NO_CHOICES}


def _groups_of(snapshot: Snapshot) -> list[object]:
    groups = _members(snapshot).get(GROUPS)
    return groups if isinstance(groups, list) else []


def _members(snapshot: Snapshot) -> dict[str, object]:
    """Return all members of extract_cfg_json; damaged JSON gives a member that equals no choice."""
    members = jsontext.members(snapshot.extract_cfg_json)
    return {"": "damaged"} if members is None else members


def _rule_choices(request: PageRequest) -> dict[str, object]:
    """Return what the caller chose about site rules, without default values."""
    if not request.use_siteconfig:
        return {"use_siteconfig": False}
    return {"siteconfig_id": request.siteconfig_id} if request.siteconfig_id else {}


# Errors.


def is_error(snapshot: Snapshot) -> bool:
    """Return whether the row stores an error status instead of a page."""
    return (snapshot.status_code or 200) >= 400 and snapshot.markdown is None and snapshot.raw_bytes is None


def stored_error(snapshot: Snapshot) -> HttpError:
    """Return the error for a stored error status; its message says when the server sent it."""
    status = snapshot.status_code or 0
    reason = (snapshot.title or "").removeprefix(f"HTTP {status}").strip()
    headers = Headers(stored_headers(snapshot).items())
    error = error_for(Response(snapshot.final_url, status, reason, headers, b""))
    hint = f"{error.hint} Opening it with force_refresh asks the server again."
    error.rephrase(f"{error.message} (the server's answer of {snapshot.fetched_at}, which it lets us keep)", hint)
    return error


def is_html(snapshot: Snapshot) -> bool:
    """Return whether the page was converted from HTML, whatever media type its server named."""
    config = snapshot.extract_cfg_json
    return config is None or '"html"' in config or "strategy_used" in config
