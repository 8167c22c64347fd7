"""One page from URL to snapshot: cache, robots.txt, client, conversion, cache. Every tool that opens pages goes here.

In: a Context and what to open. Out: a Page. The decisions are made elsewhere: freshness.py (may the kept copy be used),
robots_gate.py, the client's guard, documents.kind_of (what the body is). This module only puts them in order.
"""

from __future__ import annotations

import time

from webtool import urls
from webtool.answers.tokens import shortened
from webtool.cache import freshness
from webtool.cache.snapshot import Snapshot
from webtool.context import Context
from webtool.errors import CacheMiss, FetchTimeout, HttpError, InvalidArgument, NetworkError, RobotsDisallowed
from webtool.net.messages import Request, Response
from webtool.net.statuses import challenge_error, error_for
from webtool.pages import alternates, bounds, policy, url_rule
from webtool.pages.in_worker import convert
from webtool.pages.request import Page, Wanted, chosen_headers, fits, key_of
from webtool.pages.stored_notes import is_error, known_error, notes_of, with_notes

_WITH_BODY = ("full", "readable", "raw")
# The columns that say what HTTP said of a body, whatever was made of it.
_OF_HTTP = (
    "hash", "url", "final_url", "mode", "content_type", "status_code", "fetched_at", "expires_at", "etag",
    "last_modified", "raw_truncated", "headers_json", "fetch_ms",
)  # fmt: skip
# Failures that a kept copy may stand in for: the server could not be asked.
_UNREACHABLE = (NetworkError, FetchTimeout)


def open_page(ctx: Context, wanted: Wanted) -> Page:
    """Open a page. Raises WebtoolError."""
    if ctx.local is not None:
        from webtool.pages import local_file

        return local_file.open_local(ctx, ctx.local, wanted)
    url = urls.normalise(wanted.url)
    wanted = wanted._replace(clicks=ctx.settings.render_clicks)
    if wanted.follow:  # where a page itself sends its reader is a link of it
        url_rule.require(ctx, url)
    sent = chosen_headers(wanted)
    key = key_of(url, wanted)
    # An archive wants the page itself, not word that it has not changed.
    kept = ctx.cache.get(key) if ctx.cache is not None and not ctx.settings.warc else None
    if kept is not None and not fits(kept, wanted):
        kept = None
    offline = ctx.settings.offline
    plan = freshness.plan(kept, sent, ctx.now(), force=wanted.force, accept_age=wanted.accept_age, offline=offline)
    if kept is not None and is_error(kept):
        if plan.action == "use" and not plan.stale:
            raise known_error(kept)
        kept, plan = None, freshness.Plan("fetch")  # neither a page to show nor one to ask about
    if kept is not None and plan.action == "use":
        # Who reads the second part of a page wants it to fit to the first: a copy so young is not called stale.
        stale = plan.stale and plan.age >= wanted.accept_age
        notes = (f"offline: this copy is {plan.age} s old",) if offline and stale else ()
        return Page(kept, cache_hit=True, stale=stale, notes=(*notes_of(kept), *notes))
    if kept is None and ctx.cache is not None and not ctx.settings.warc and not wanted.force:
        page = _from_other_mode(ctx, wanted, url)
        if page is not None:
            return page
    if offline:
        raise CacheMiss(
            f"{urls.shortened(url)} is not in the cache, and the setting offline lets nothing be asked",
            hint="Call again without --offline (WEBTOOL_OFFLINE=0).",
            url=urls.redact(url),
        )
    if wanted.mode == "rendered":
        return _rendered(ctx, wanted, url, key)
    return _Opening(ctx, wanted, url, key, sent).open(kept, plan)


def _from_other_mode(ctx: Context, wanted: Wanted, url: str) -> Page | None:
    """The page, made from the body that came with it in another mode: what open stored serves fetch, and back."""
    sent, limit = chosen_headers(wanted), wanted.max_bytes or ctx.settings.max_bytes
    offline = ctx.settings.offline
    whole = wanted._replace(select="", drop="")
    for mode in _WITH_BODY if wanted.mode in _WITH_BODY else ():
        kept = ctx.cache.get(key_of(url, whole._replace(mode=mode))) if ctx.cache is not None else None
        # What was made otherwise, with other rules say, may have come with other header fields; groups change nothing.
        if kept is not None and mode == wanted.mode and whole == wanted and not fits(kept, wanted, any_groups=True):
            continue
        if kept is None or kept.raw_bytes is None or kept.raw_truncated or len(kept.raw_bytes) > limit:
            continue
        plan = freshness.plan(kept, sent, ctx.now(), accept_age=wanted.accept_age, offline=offline)
        # Each tool has its own idea of how old a page may be that says nothing of it.
        if plan.action != "use" or (plan.age >= max(wanted.ttl, wanted.accept_age) and not offline):
            continue
        opening = _Opening(ctx, wanted, url, key_of(url, wanted), sent)
        if mode != wanted.mode and opening.rule_headers():  # this site is asked for another page than others get
            return None
        return opening.made_from(kept, plan)
    return None


def _rendered(ctx: Context, wanted: Wanted, url: str, key: str) -> Page:
    """The page as a browser shows it; what the browser has no text of is fetched without it."""
    if ctx.settings.warc:
        raise InvalidArgument(
            "what a browser loads is not kept in a WARC file", hint="Leave out --warc (WEBTOOL_WARC), or mode rendered."
        )
    from webtool.pages import rendering

    rendered = rendering.open_rendered(ctx, wanted, url, key)
    if isinstance(rendered, Page):
        return rendered
    page = open_page(ctx, wanted._replace(mode="readable"))
    return page._replace(notes=(f"no HTML ({rendered}), so it was fetched without the browser", *page.notes))


class _Opening:
    """One page on its way; holds what every step needs."""

    def __init__(self, ctx: Context, wanted: Wanted, url: str, key: str, sent: tuple[tuple[str, str], ...]) -> None:
        self.ctx = ctx
        self.wanted = wanted
        self.url = url
        self.key = key
        self.sent = sent
        self.max_bytes = wanted.max_bytes or ctx.settings.max_bytes

    def open(self, kept: Snapshot | None, plan: freshness.Plan) -> Page:
        """Ask the server; a kept copy stands in where the rules allow it."""
        ctx = self.ctx
        try:
            response = self.get(plan.conditions)
        except _UNREACHABLE as error:
            if kept is not None and freshness.may_serve_stale(kept, "", ctx.now()):
                return self.stale(kept, f"{error.code}: {error.message}")
            raise
        except RobotsDisallowed as error:
            # The server failed, and said so where it was asked first: what a 503 of the page would be.
            if kept is not None and error.retryable and freshness.may_serve_stale(kept, "503", ctx.now()):
                return self.stale(kept, error.message)
            raise
        if response.status == 304 and kept is not None and plan.action == "validate":
            newer = self.refreshed(kept, response)
            if newer is not None:
                return Page(newer, cache_hit=True, notes=notes_of(newer))
            response = self.get(())
        if response.status >= 400 or response.status == 304:
            if kept is not None and freshness.may_serve_stale(kept, str(response.status), ctx.now()):
                return self.stale(kept, f"the server answered {response.status}")
            raise self.failure(response, has_copy=kept is not None)
        wall = challenge_error(response)
        if wall is not None:
            raise wall
        return self.keep(response)

    def get(self, conditions: tuple[tuple[str, str], ...]) -> Response:
        """Send the request; robots.txt is asked before each hop."""
        request = Request(self.url, "GET", (*self.sent, *self.rule_headers(), *self.ctx.headers, *conditions))
        return policy.fetch(self.ctx, request, max_bytes=self.max_bytes, cut=self.wanted.mode == "raw")

    def rule_headers(self) -> tuple[tuple[str, str], ...]:
        """Request fields that the rules of this site set."""
        if self.wanted.mode in ("full", "raw") or not self.wanted.use_siteconfig:
            return ()
        from webtool.pages import site_rules

        return site_rules.headers_for(self.ctx, self.url, self.wanted)

    def refreshed(self, kept: Snapshot, response: Response) -> Snapshot | None:
        """The kept copy as a 304 renews it; None where the 304 speaks of another one."""
        ctx, now = self.ctx, self.ctx.now()
        cap = freshness.cap_of(response.hops, now)
        pairs, elapsed, ttl = response.headers, response.elapsed_ms, self.wanted.ttl
        newer = freshness.refreshed(kept, pairs, self.sent, now, elapsed, ttl=ttl, cap=cap)
        if newer is not None and ctx.cache is not None:
            ctx.cache.touch(newer)
        return newer

    def made_from(self, kept: Snapshot, plan: freshness.Plan) -> Page | None:
        """The page out of a kept body, stored beside it; None where only a browser would show it."""
        body = kept.raw_bytes or b""
        started = time.perf_counter()
        converted = convert(self.ctx, self.wanted, body, kept.content_type, kept.final_url)
        if converted.shell and self.ctx.settings.render == "auto":
            return None
        snapshot = Snapshot(**{name: getattr(kept, name) for name in _OF_HTTP})._replace(
            hash=self.key,
            mode=self.wanted.mode,
            extract_ms=int((time.perf_counter() - started) * 1000),
            **{"raw_bytes": body if kept.hash == self.key else None, **converted.columns},  # type: ignore[arg-type]
        )
        snapshot = with_notes(snapshot, converted.notes)
        if self.ctx.cache is not None:
            self.ctx.cache.put(snapshot)
        old = (f"offline: this copy is {plan.age} s old",) if plan.stale else ()
        return Page(snapshot, cache_hit=True, stale=plan.stale, notes=(*converted.notes, *old))

    def stale(self, kept: Snapshot, reason: str) -> Page:
        """The kept copy, saying why."""
        note = f"this is the copy of {kept.fetched_at}: {reason}"
        return Page(kept, cache_hit=True, stale=True, notes=(*notes_of(kept), note))

    def failure(self, response: Response, has_copy: bool) -> HttpError:
        """The error that an answer is; kept where it may be, unless that would cost a copy that --offline can show."""
        error = error_for(response)
        keeps = freshness.keeps_error(response.status, response.headers, self.sent) and "bot_wall" not in error.members
        if self.ctx.cache is not None and keeps and not has_copy:
            cap = min(freshness.error_cap(response.status), freshness.cap_of(response.hops, self.ctx.now()))
            snapshot = self.snapshot(response, cap, cap)
            self.ctx.cache.put(snapshot._replace(title=f"HTTP {response.status} {response.reason[:80]}".rstrip()))
        return error

    def snapshot(self, response: Response, ttl: float, cap: float) -> Snapshot:
        """What HTTP says about an answer, without its text."""
        arrived = freshness.columns(
            response.status, response.headers, self.sent, self.ctx.now(), response.elapsed_ms, ttl=ttl, cap=cap
        )
        content_type = response.headers.get("content-type")
        return Snapshot(
            hash=self.key,
            url=urls.redact(self.url),
            final_url=urls.redact(response.url),
            mode=self.wanted.mode,
            content_type=content_type and shortened(content_type, bounds.MAX_TYPE),
            raw_truncated=int(response.truncated),
            **arrived,
        )

    def keep(self, response: Response) -> Page:
        """Convert the answer and store it where it may be stored."""
        ctx = self.ctx
        if self.wanted.follow and self.wanted.mode != "raw":
            page = alternates.page_of(ctx, self.wanted, self.url, response, open_page)
            if page is not None:
                return page
        started = time.perf_counter()
        converted = convert(ctx, self.wanted, response.body, response.headers.get("content-type"), response.url)
        if converted.shell and ctx.settings.render == "auto":
            wanted = self.wanted._replace(mode="rendered")
            return _rendered(ctx, wanted, self.url, key_of(self.url, wanted))
        extract_ms = int((time.perf_counter() - started) * 1000)
        snapshot = self.snapshot(response, self.wanted.ttl, freshness.cap_of(response.hops, ctx.now()))
        snapshot = snapshot._replace(extract_ms=extract_ms, **converted.columns)  # type: ignore[arg-type]
        snapshot = with_notes(snapshot, converted.notes)
        if not response.truncated:
            snapshot = snapshot._replace(raw_bytes=response.body)  # what other modes can be made from
        if ctx.cache is not None:
            if freshness.is_storable(response.status, response.headers, self.sent) and not response.truncated:
                ctx.cache.put(snapshot)
            else:
                ctx.cache.delete(self.key)
        incomplete = response.truncated and self.wanted.mode != "raw"
        notes = ("warning: the page may be truncated; the server sent only a part of it",) if incomplete else ()
        return Page(snapshot, notes=(*converted.notes, *notes, *policy.robots_note(ctx)))
