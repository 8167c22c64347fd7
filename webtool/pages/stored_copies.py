"""Look a page up in the cache before it is opened, and read and write what the cache stores besides its text.

A copy is a Snapshot in the cache. look_up() looks for two of them, and asks freshness.plan() what may be done with each
("use", "validate" by asking the server whether it still holds, or "fetch" a new one):

    stored   the copy of the mode that is asked for, made with the choices of the request
    other    a copy in another mode, or made with other choices, whose body can be converted again

Besides columns a copy has members, in the JSON object of `extract_cfg_json`:

    notes                             sentences for every later reader
    reading                           what main-content extraction says: author, left-out groups, kept_ratio ...
    mark                              of a page that a browser made, see Rendered.mark
    with                              groups that were added back
    use_siteconfig, siteconfig_id,    the caller's choices; char_threshold and max_top_candidates are thresholds
    char_threshold, ...
    strategy_used or configuration    how the text was made

A row without text stores an error status.
Tests: tests/pages/test_stored_copies.py, tests/pages/test_opening.py, tests/pages/test_sharing.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.cache import freshness
from webtool.cache.freshness import stored_headers
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import HttpError
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.net.messages import Headers, Response
from webtool.net.statuses import error_for
from webtool.pages import policy
from webtool.pages.request import PageRequest, Source, chosen_headers, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.extraction import Extraction
    from webtool.extraction.output.receipt import Group

NOTES, READING, GROUPS, MARK = "notes", "reading", "with", "mark"  # member names
# Members that are not choices of the caller, and the groups, which fits() compares on their own.
_NO_CHOICES = ("strategy_used", "configuration", NOTES, READING, GROUPS, MARK)

PAGE_FACTS = {"byline": "author", "published": "published", "site_name": "site_name", "language": "language"}
"""Field of an Extraction: member of an answer."""


# Notes.


def with_notes(snapshot: Snapshot, notes: tuple[str, ...]) -> Snapshot:
    """Return the snapshot with notes that later readers of the cache see too."""
    return _with_member(snapshot, NOTES, notes) if notes else snapshot


def with_rendered_body(snapshot: Snapshot, body: bytes | None, mark: str) -> Snapshot:
    """Return the snapshot of a page that was made from HTML of a browser, which marks hidden elements by `mark`.

    `body` is that HTML, None if another row keeps it.
    """
    return _with_member(snapshot._replace(raw_bytes=body), MARK, mark)


def is_of_browser(snapshot: Snapshot) -> bool:
    """Return whether a page was made from what a browser showed, not from what the server sent. Its mode may be any."""
    return snapshot.mode == "rendered" or isinstance(_member(snapshot, MARK), str)


def source_of(snapshot: Snapshot) -> Source:
    """Return the stored body with what is needed to convert it: that of a browser is UTF-8 and has marks."""
    body = snapshot.raw_bytes or b""
    if not is_of_browser(snapshot):
        return Source(body, snapshot.content_type, snapshot.final_url)
    mark = _member(snapshot, MARK)
    return Source(body, "text/html; charset=utf-8", snapshot.final_url, mark if isinstance(mark, str) else "")


def _with_member(snapshot: Snapshot, name: str, value: object) -> Snapshot:
    members: dict[str, object] = jsontext.loads(snapshot.extract_cfg_json or "{}")  # type: ignore[assignment]
    return snapshot._replace(extract_cfg_json=jsontext.dumps({**members, name: value}, is_plain=True))


def notes_of(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the notes stored with a page, or () if nothing is stored or it cannot be read."""
    notes = _member(snapshot, NOTES)
    return tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()


def _member(snapshot: Snapshot, name: str) -> object:
    """Return a member of extract_cfg_json, None if it is absent or unreadable. What lacks the name is not parsed."""
    text = snapshot.extract_cfg_json or ""
    return (jsontext.members(text) or {}).get(name) if f'"{name}"' in text else None


# What extraction says about the page and about its choice of text.


def page_facts(extraction: Extraction) -> dict[str, object]:
    """Return what the page says about itself (author, date, site, language), without empty values."""
    facts = {name: value for field, name in PAGE_FACTS.items() if (value := getattr(extraction, field))}
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
    facts = _member(snapshot, READING)
    return facts if isinstance(facts, dict) else {}


# The caller's choices.


def choices_json(strategy: str, request: PageRequest, facts: dict[str, object]) -> str:
    """Return extract_cfg_json of a page whose main content was made by `strategy` as the request says."""
    members = {**request.thresholds, **_rule_choices(request), "strategy_used": strategy, READING: facts}
    if request.with_groups:
        members[GROUPS] = list(request.with_groups)
    return jsontext.dumps(members, is_plain=True)


def fits(snapshot: Snapshot, request: PageRequest, *, any_groups: bool = False) -> bool:
    """Return whether a copy was made with the choices that the cache key lacks; `any_groups` ignores added groups."""
    if request.mode in ("full", "raw"):
        return True
    if snapshot.siteconfig_id and not request.use_siteconfig:
        return False
    choices = choices_of(snapshot)
    groups = _member(snapshot, GROUPS)
    if not any_groups and (groups if isinstance(groups, list) else []) != list(request.with_groups):
        return False
    if not snapshot.siteconfig_id and not request.use_siteconfig:
        choices.pop("use_siteconfig", None)  # no rules were used, so it makes no difference
        return choices == dict(request.thresholds)
    return choices == {**request.thresholds, **_rule_choices(request)}


def choices_of(snapshot: Snapshot) -> dict[str, object]:
    """Return the thresholds, use_siteconfig and siteconfig_id that this copy was made with."""
    members = jsontext.members(snapshot.extract_cfg_json)
    if members is None:
        return {"": "damaged"}  # equals no choice
    return {name: value for name, value in members.items() if name not in _NO_CHOICES}


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


_MODES_WITH_BODY = ("full", "readable", "raw")
_FETCH = freshness.Plan("fetch")


def rows_of(ctx: Context, url: str) -> list[Snapshot]:
    """Return the stored copies of an address that may hold its body."""
    if ctx.cache is None:
        return []
    copies = (ctx.cache.get(key_of(PageRequest(url, mode))) for mode in _MODES_WITH_BODY)
    return [copy for copy in copies if copy is not None]


# Addresses that pages name as their own text and that are followed, one after the other: of the refreshes
# /docs/ -> /docs/latest/ -> /docs/1.2/ and of a markdown alternate.
MAX_FOLLOWED = 5


class Attempt(NamedTuple):
    """A request, and what the cache knows about its page before the first step."""

    request: PageRequest  # its URL is normalised
    key: str  # the cache key of the request
    stored: Snapshot | None  # it may be stale
    plan: freshness.Plan  # what may be done with `stored`
    may_follow: int  # how many more of MAX_FOLLOWED addresses may be followed
    other: Snapshot | None = None
    other_plan: freshness.Plan = _FETCH  # what may be done with `other`

    def max_bytes(self, ctx: Context) -> int:
        """Return the largest body to accept, in bytes."""
        return self.request.max_bytes or ctx.settings.max_bytes


def look_up(ctx: Context, request: PageRequest, may_follow: int) -> Attempt:
    """Look into the cache. Raises SsrfBlocked (url_rule), and HttpError if a fresh error status is stored."""
    is_linked = may_follow < MAX_FOLLOWED  # another page named this address as its own text
    if ctx.settings.url_rule == "seen" and not ctx.is_person and not is_linked:
        from webtool.pages import url_rule

        url_rule.require_seen(ctx, request.url)
    key = key_of(request, ctx.settings.render_clicks)
    # A WARC file needs the whole answer, so the cache is not used while one is written.
    stored = ctx.cache.get(key) if ctx.cache is not None and not ctx.settings.warc else None
    if stored is not None and not fits(stored, request):
        stored = None
    plan = _plan(ctx, request, stored)
    if stored is not None and is_error(stored):
        if plan.action == "use" and not plan.stale:
            raise stored_error(stored)
        stored, plan = None, _FETCH
    attempt = Attempt(request, key, stored, plan, may_follow)
    if plan.action == "use":
        return attempt
    other, other_plan = _other_copy(ctx, request, is_needed=stored is None)
    return attempt._replace(other=other, other_plan=other_plan)


def _plan(ctx: Context, request: PageRequest, copy: Snapshot | None) -> freshness.Plan:
    """Return what may be done with a stored copy for this request: use, validate, or fetch a new one."""
    return freshness.plan(
        copy,
        chosen_headers(request),
        ctx.now(),
        force=request.force,
        accept_age=request.accept_age,
        offline=ctx.settings.offline,
        ttl=request.ttl,
    )


def _other_copy(ctx: Context, request: PageRequest, is_needed: bool) -> tuple[Snapshot | None, freshness.Plan]:
    """Return a copy with the page's body that may be used, else the first that may be validated, and its plan.

    `is_needed`: the cache has no copy of the request's own mode. If it has one, that is validated, and not another.
    """
    to_validate: tuple[Snapshot | None, freshness.Plan] = (None, _FETCH)
    for copy in _copies_with_body(ctx, request, is_needed):
        plan = _plan(ctx, request, copy)
        can_be_validated = plan.action == "validate" and not is_of_browser(copy)
        is_chosen = can_be_validated and is_needed and to_validate[0] is None
        if plan.action != "use" and not is_chosen:
            continue
        if copy.mode != request.mode and policy.rule_headers(ctx, request):
            break  # the site rules ask this site for a different page
        if plan.action == "use":
            return copy, plan
        to_validate = copy, plan
    return to_validate


def _copies_with_body(ctx: Context, request: PageRequest, is_needed: bool) -> Iterator[Snapshot]:
    """Yield the copies whose whole body can be converted for this request."""
    modes = ("rendered",) if request.mode == "rendered" else _MODES_WITH_BODY
    if ctx.cache is None or ctx.settings.warc or request.force or request.mode not in modes:
        return
    whole = request._replace(select="", drop="")
    for mode in modes:
        is_own = mode == request.mode and whole == request  # the copy that look_up() has found already
        if is_own and not is_needed:
            continue
        copy = ctx.cache.get(key_of(whole._replace(mode=mode), ctx.settings.render_clicks))
        if copy is None or not _has_whole_body(copy, request.max_bytes or ctx.settings.max_bytes):
            continue
        if request.mode == "raw" and is_of_browser(copy):
            continue  # mode raw is what the server sent
        # A copy made with other site rules may have been fetched with other header fields. One to which other groups
        # of elements were added back (PageRequest.with_groups) has the same body.
        if not is_own or fits(copy, request, any_groups=True):
            yield copy


def _has_whole_body(copy: Snapshot, max_bytes: int) -> bool:
    """Return whether a copy has the body of the page, all of it, and not more than may be read."""
    return copy.raw_bytes is not None and not copy.raw_truncated and len(copy.raw_bytes) <= max_bytes
