"""Open one page: from URL to snapshot. Every tool that opens pages comes here.

In: a Context and a PageRequest. Out: a Page, or WebtoolError. STEPS lists where a page is looked for, in order. Each
step is `(ctx, attempt) -> Page | None`, and the first Page is the answer:

    from the stored copy       the cache has this URL in this mode, and freshness.plan() allows using it
    from another mode's body   the cache has the body in another mode: it is converted again
    offline                    raises CacheMiss, as all further steps ask the network
    rendered                   mode "rendered": a browser opens the page
    from the server            a request; a 304 renews the stored copy, and after a failure it may be used

Decisions are made elsewhere: cache.freshness (may a copy be used), pages.policy (may the address be opened), robots
and the client's guard, documents.kind_of (what the body is), pages.conversion.
Tests: tests/pages/test_opening.py
"""

from __future__ import annotations

import time

from webtool import errors, urls
from webtool.answers.budget import shortened
from webtool.cache import freshness
from webtool.cache.freshness import stored_headers
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.lean.typing import Callable
from webtool.net.messages import Headers, Request, Response
from webtool.net.statuses import challenge_error, error_for
from webtool.pages import alternates, policy, stored_copies
from webtool.pages.in_worker import MAX_TYPE, convert
from webtool.pages.request import Page, PageRequest, Source, chosen_headers, key_of
from webtool.pages.stored_copies import Attempt, notes_of, with_notes

# Snapshot columns that describe the HTTP answer, whatever its body is converted to.
_HTTP_COLUMNS = (
    "hash", "url", "final_url", "mode", "content_type", "status_code", "fetched_at", "expires_at", "etag",
    "last_modified", "raw_truncated", "headers_json", "fetch_ms",
)  # fmt: skip
_UNREACHABLE = (errors.NetworkError, errors.FetchTimeout)  # failures after which a stored copy may be used
# Failures of a browser after which the page as the server sent it is used. Refusals by a policy are not among them.
_BROWSER_FAILURES = (errors.RenderFailed, *_UNREACHABLE, errors.FetchTooLarge, errors.InvalidUrl)


def open_page(ctx: Context, request: PageRequest) -> Page:
    """Open a page, or the local file of the context. Raises WebtoolError."""
    if ctx.local is not None:
        from webtool.pages import local_file

        return local_file.open_local(ctx, ctx.local, request)
    return _open(ctx, request, stored_copies.MAX_FOLLOWED)


def _open(ctx: Context, request: PageRequest, may_follow: int) -> Page:
    """Open a page, and follow at most `may_follow` addresses that it names as its own text. Raises WebtoolError."""
    attempt = stored_copies.look_up(ctx, request._replace(url=urls.normalise(request.url)), may_follow)
    for step in STEPS:
        page = step(ctx, attempt)
        if page is not None:
            return page
    raise AssertionError("the last step gives a page or raises")


def _from_stored_copy(ctx: Context, attempt: Attempt) -> Page | None:
    stored, plan = attempt.stored, attempt.plan
    if stored is None or plan.action != "use":
        return None
    return _cached(ctx, attempt, stored, plan, notes_of(stored))


def _cached(ctx: Context, attempt: Attempt, snapshot: Snapshot, plan: freshness.Plan, notes: tuple[str, ...]) -> Page:
    """Return a page for which the server was not asked."""
    # For a caller that asks for a later part of a page (accept_age), the copy that the first part came from is fresh.
    is_stale = plan.stale and plan.age >= attempt.request.accept_age
    if ctx.settings.offline and is_stale:
        notes = (*notes, f"offline: this copy is {plan.age} s old")
    return Page(snapshot, cache_hit=True, stale=is_stale, notes=notes)


def _from_other_mode(ctx: Context, attempt: Attempt) -> Page | None:
    """Convert the body that was stored with this page in another mode: `open` serves `fetch`, and vice versa."""
    if attempt.other is None or attempt.other_plan.action != "use":
        return None
    return _converted_again(ctx, attempt, attempt.other, attempt.other_plan)


def _converted_again(ctx: Context, attempt: Attempt, stored: Snapshot, plan: freshness.Plan) -> Page | None:
    """Convert a stored body and store the result; None if a browser would show more, and may be asked."""
    if stored.mode == "raw" and attempt.request.mode != "raw":
        response = Response(stored.final_url, 200, "", Headers(stored_headers(stored).items()), stored.raw_bytes or b"")
        page = alternates.follow(ctx, attempt.request, response, _open, attempt.may_follow, is_stored=True)
        if page is not None:
            return page
    started = time.perf_counter()
    source = stored_copies.source_of(stored)
    converted = convert(ctx, attempt.request, source)
    if converted.shell and ctx.settings.render == "auto" and not ctx.settings.offline:
        return None
    # Only the row of the mode that was fetched keeps the body.
    own_body = source.body if stored.hash == attempt.key else None
    snapshot = Snapshot(**{name: getattr(stored, name) for name in _HTTP_COLUMNS})._replace(
        hash=attempt.key,
        mode=attempt.request.mode,
        extract_ms=_milliseconds_since(started),
        **{"raw_bytes": own_body, **converted.columns},  # type: ignore[arg-type]  # mode raw has a column raw_bytes
    )
    snapshot = with_notes(snapshot, converted.notes)
    if stored_copies.is_of_browser(stored):
        snapshot = stored_copies.with_rendered_body(snapshot, snapshot.raw_bytes, source.mark)
    if ctx.cache is not None:
        ctx.cache.put(snapshot)
    return _cached(ctx, attempt, snapshot, plan, converted.notes)


def _offline(ctx: Context, attempt: Attempt) -> None:
    """Raise CacheMiss if the setting offline is on."""
    if ctx.settings.offline:
        url = attempt.request.url
        raise errors.CacheMiss(
            f"{urls.shortened(url)} is not in the cache, and the setting offline lets nothing be asked",
            hint="Call again without --offline (WEBTOOL_OFFLINE).",
            url=urls.redact(url),
        )


def _rendered(ctx: Context, attempt: Attempt) -> Page | None:
    """Open the page in a browser if the mode is "rendered"; what is not HTML is fetched without the browser."""
    if attempt.request.mode != "rendered":
        return None
    if ctx.settings.warc:
        raise errors.InvalidArgument(
            "what a browser loads is not kept in a WARC file", hint="Leave out --warc (WEBTOOL_WARC), or mode rendered."
        )
    from webtool.pages import rendering

    rendered = rendering.open_rendered(ctx, attempt.request, attempt.key)
    if isinstance(rendered, Page):
        return rendered
    page = _open(ctx, attempt.request._replace(mode="readable"), attempt.may_follow)
    return page._replace(notes=(f"no HTML ({rendered}), so it was fetched without the browser", *page.notes))


def _from_server(ctx: Context, attempt: Attempt) -> Page:
    """Ask the server. A stored copy is renewed by a 304, and used after a failure if freshness rules allow it."""
    stored, other = attempt.stored, attempt.other
    try:
        response = _get(ctx, attempt, attempt.plan.conditions or attempt.other_plan.conditions)
    except _UNREACHABLE as error:
        if stored is not None and freshness.may_serve_stale(stored, None, ctx.now()):
            return _stale(stored, f"{error.code}: {error.message}")
        raise
    except errors.RobotsDisallowed as error:
        # Retryable means that robots.txt itself failed: the same as a 503 of the page.
        if stored is not None and error.retryable and freshness.may_serve_stale(stored, 503, ctx.now()):
            return _stale(stored, error.message)
        raise
    if response.status == 304 and stored is not None and attempt.plan.action == "validate":
        renewed = _renewed(ctx, attempt, stored, response)
        if renewed is not None:
            return Page(renewed, cache_hit=True, notes=notes_of(renewed))
        response = _get(ctx, attempt, ())
    if response.status == 304 and other is not None and not attempt.plan.conditions:
        renewed = _renewed(ctx, attempt, other, response)
        page = _converted_again(ctx, attempt, renewed, freshness.Plan("use")) if renewed is not None else None
        if page is not None:
            return page
        response = _get(ctx, attempt, ())
    if response.status >= 400 or response.status == 304:
        if stored is not None and freshness.may_serve_stale(stored, response.status, ctx.now()):
            return _stale(stored, f"the server answered {response.status}")
        raise _failure(ctx, attempt, response)
    bot_wall = challenge_error(response)
    if bot_wall is not None:
        raise bot_wall
    return _converted(ctx, attempt, response)


Step = Callable[[Context, Attempt], "Page | None"]
STEPS: tuple[Step, ...] = (_from_stored_copy, _from_other_mode, _offline, _rendered, _from_server)


def _get(ctx: Context, attempt: Attempt, conditions: tuple[tuple[str, str], ...]) -> Response:
    """Send the request; robots.txt is checked before each hop."""
    request = attempt.request
    own = (*policy.rule_headers(ctx, request), *policy.own_headers(ctx, request))
    headers = (*chosen_headers(request), *own, *conditions)
    http_request = Request(request.url, "GET", headers)
    return policy.fetch(ctx, http_request, max_bytes=attempt.max_bytes(ctx), cut=request.mode == "raw")


def _renewed(ctx: Context, attempt: Attempt, stored: Snapshot, response: Response) -> Snapshot | None:
    """Return the stored copy with the freshness that a 304 gives it; None if the 304 is about another version."""
    now = ctx.now()
    renewed = freshness.refreshed(
        stored,
        response.headers,
        chosen_headers(attempt.request),
        now,
        response.elapsed_ms,
        ttl=attempt.request.ttl,
        cap=freshness.cap_of(response.hops, now),
    )
    if renewed is not None and ctx.cache is not None:
        ctx.cache.touch(renewed)
    return renewed


def _stale(stored: Snapshot, reason: str) -> Page:
    note = f"this is the copy of {stored.fetched_at}: {reason}"
    return Page(stored, cache_hit=True, stale=True, notes=(*notes_of(stored), note))


def _failure(ctx: Context, attempt: Attempt, response: Response) -> errors.HttpError:
    """Return the error for a response. Its status is stored, unless that would replace a copy that --offline shows."""
    error = error_for(response)
    headers = chosen_headers(attempt.request)
    is_storable = freshness.is_storable_error(response.status, response.headers, headers)
    if ctx.cache is not None and is_storable and "bot_wall" not in error.members and attempt.stored is None:
        cap = min(freshness.error_cap(response.status), freshness.cap_of(response.hops, ctx.now()))
        snapshot = _snapshot(ctx, attempt, response, cap, cap)
        ctx.cache.put(snapshot._replace(title=f"HTTP {response.status} {response.reason[:80]}".rstrip()))
    return error


def _snapshot(ctx: Context, attempt: Attempt, response: Response, ttl: float, cap: float) -> Snapshot:
    """Return a snapshot of what HTTP says about a response, without its text."""
    headers = chosen_headers(attempt.request)
    columns = freshness.columns(
        response.status, response.headers, headers, ctx.now(), response.elapsed_ms, ttl=ttl, cap=cap
    )
    content_type = response.content_type
    return Snapshot(
        hash=attempt.key,
        url=urls.redact(attempt.request.url),
        final_url=urls.redact(response.url),
        mode=attempt.request.mode,
        content_type=content_type and shortened(content_type, MAX_TYPE),
        raw_truncated=int(response.truncated),
        **columns,
    )


def _converted(ctx: Context, attempt: Attempt, response: Response) -> Page:
    """Convert the response and store the page if HTTP allows it. Refreshes and markdown alternates are followed."""
    request = attempt.request
    if request.mode != "raw":
        page = alternates.follow(ctx, request, response, _open, attempt.may_follow)
        if page is not None:
            if page.source is None and page.snapshot.url != urls.redact(request.url):  # it is that of a refresh
                _store_signpost(ctx, attempt, response)
            return page
    started = time.perf_counter()
    converted = convert(ctx, request, Source(response.body, response.content_type, response.url))
    if converted.shell and ctx.settings.render == "auto":
        try:
            if ctx.settings.warc:
                raise errors.RenderFailed("what a browser loads is not kept in a WARC file")
            return _in_browser(ctx, attempt, converted.shell)
        except _BROWSER_FAILURES as error:  # the page as the server sent it is at hand
            note = f"this page seems to need a browser ({converted.shell}), and that failed: {error.message}"
            converted = converted._replace(notes=(*converted.notes, note))
    extract_ms = _milliseconds_since(started)
    snapshot = _snapshot(ctx, attempt, response, request.ttl, freshness.cap_of(response.hops, ctx.now()))
    snapshot = snapshot._replace(extract_ms=extract_ms, **converted.columns)  # type: ignore[arg-type]
    snapshot = with_notes(snapshot, converted.notes)
    if not response.truncated:
        snapshot = snapshot._replace(raw_bytes=response.body)  # other modes can be made from it
    if ctx.cache is not None:
        if not freshness.is_storable(response.status, response.headers, chosen_headers(request)):
            ctx.cache.delete(attempt.key)
        elif not response.truncated:  # an older whole copy is better than a part
            ctx.cache.put(snapshot)
    notes = converted.notes
    if response.truncated and request.mode != "raw":
        notes = (*notes, "warning: the page may be truncated; the server sent only a part of it")
    return Page(snapshot, notes=(*notes, *policy.robots_note(ctx)))


def _store_signpost(ctx: Context, attempt: Attempt, response: Response) -> None:
    """Store a page that only refreshes to another one in mode raw, so that every mode finds its way offline."""
    request = attempt.request._replace(mode="raw", select="", drop="")
    is_storable = freshness.is_storable(response.status, response.headers, chosen_headers(request))
    if ctx.cache is None or response.truncated or not is_storable:
        return
    columns = convert(ctx, request, Source(response.body, response.content_type, response.url)).columns
    snapshot = _snapshot(ctx, attempt, response, request.ttl, freshness.cap_of(response.hops, ctx.now()))
    ctx.cache.put(snapshot._replace(hash=key_of(request), mode="raw", **columns))  # type: ignore[arg-type]


def _in_browser(ctx: Context, attempt: Attempt, shell: str) -> Page:
    """Open a shell in a browser: as mode rendered, or in mode full with all that it shows. Raises WebtoolError."""
    from webtool.pages import rendering

    request, key = attempt.request, attempt.key
    if request.mode == "readable":
        request = request._replace(mode="rendered")
        key = key_of(request, ctx.settings.render_clicks)
    page_or_type = rendering.open_rendered(ctx, request, key)
    if isinstance(page_or_type, str):
        raise errors.RenderFailed(f"the browser was given {page_or_type}, not HTML", url=urls.redact(request.url))
    if request.mode == "rendered":
        return page_or_type
    note = f"opened in a browser, because {shell}"
    return page_or_type._replace(notes=(*page_or_type.notes, note))


def _milliseconds_since(started: float) -> int:
    return int((time.perf_counter() - started) * 1000)
