"""Look a page up in the cache before it is opened. In: a Context and a PageRequest. Out: an Attempt.

A copy is a Snapshot in the cache. look_up() looks for two of them, and asks freshness.plan() what may be done with each
("use", "validate" by asking the server whether it still holds, or "fetch" a new one):

    stored   the copy of the mode that is asked for, made with the choices of the request
    other    a copy in another mode, or made with other choices, whose body can be converted again

Tests: tests/pages/test_opening.py, tests/pages/test_sharing.py
"""

from __future__ import annotations

from webtool.cache import freshness
from webtool.cache.snapshot import Snapshot
from webtool.context import Context
from webtool.lean.records import NamedTuple
from webtool.pages import policy, url_rule
from webtool.pages.request import PageRequest, chosen_headers, key_of
from webtool.pages.stored_metadata import fits, is_error, stored_error

_MODES_WITH_BODY = ("full", "readable", "raw")
_FETCH = freshness.Plan("fetch")


class Attempt(NamedTuple):
    """A request, and what the cache knows about its page before the first step."""

    request: PageRequest  # its URL is normalised
    key: str  # the cache key of the request
    stored: Snapshot | None  # it may be stale
    plan: freshness.Plan  # what may be done with `stored`
    is_linked: bool  # another page named this address as its own text: no rule for URLs, and no further address
    other: Snapshot | None = None
    other_plan: freshness.Plan = _FETCH  # what may be done with `other`

    def max_bytes(self, ctx: Context) -> int:
        """Return the largest body to accept, in bytes."""
        return self.request.max_bytes or ctx.settings.max_bytes


def look_up(ctx: Context, request: PageRequest, is_linked: bool) -> Attempt:
    """Look into the cache. Raises SsrfBlocked (url_rule), and HttpError if a fresh error status is stored."""
    if not is_linked:
        url_rule.require(ctx, request.url)
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
    attempt = Attempt(request, key, stored, plan, is_linked)
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
    """Return a copy of this page whose body may be used, else one that may be validated, each with its plan.

    `is_needed`: this mode has no copy at all, so one to validate is of use, too.
    """
    to_validate: tuple[Snapshot | None, freshness.Plan] = (None, _FETCH)
    modes = ("rendered",) if request.mode == "rendered" else _MODES_WITH_BODY
    if ctx.cache is None or ctx.settings.warc or request.force or request.mode not in modes:
        return to_validate
    whole = request._replace(select="", drop="")
    for mode in modes:
        is_own = mode == request.mode and whole == request  # the copy that look_up() has found already
        if is_own and not is_needed:
            continue
        copy = ctx.cache.get(key_of(whole._replace(mode=mode), ctx.settings.render_clicks))
        if copy is None or not _has_whole_body(copy, request.max_bytes or ctx.settings.max_bytes):
            continue
        # A copy made with other site rules may have been fetched with other header fields. One to which other groups
        # of elements were added back (PageRequest.with_groups) has the same body.
        if is_own and not fits(copy, request, any_groups=True):
            continue
        plan = _plan(ctx, request, copy)
        can_be_validated = plan.action == "validate" and mode != "rendered"
        is_first = is_needed and to_validate[0] is None
        if plan.action != "use" and not (can_be_validated and is_first):
            continue
        if mode != request.mode and rule_headers(ctx, request):
            break  # the site rules ask this site for a different page
        if plan.action == "use":
            return copy, plan
        to_validate = copy, plan
    return to_validate


def _has_whole_body(copy: Snapshot, max_bytes: int) -> bool:
    """Return whether a copy has the body of the page, all of it, and not more than may be read."""
    return copy.raw_bytes is not None and not copy.raw_truncated and len(copy.raw_bytes) <= max_bytes


def rule_headers(ctx: Context, request: PageRequest) -> tuple[tuple[str, str], ...]:
    """Return the header fields that site rules set for this page; () in modes that do not apply rules."""
    return () if request.mode in ("full", "raw") else policy.rule_headers(ctx, request)
