"""One page from URL to snapshot: cache, robots.txt, client, conversion, cache. Every tool that opens pages goes here.

In: a Context and what to open. Out: a Page. The decisions are made elsewhere: freshness.py (may the kept copy be used),
robots_gate.py, the client's guard, documents.kind_of (what the body is). This module only puts them in order.
"""

from __future__ import annotations

import time

from webtool import __version__, documents, html, markdown, patterns, urls
from webtool.cache import freshness, keys
from webtool.cache.snapshot import Snapshot
from webtool.errors import CacheMiss, ExtractFailed, FetchTimeout, NetworkError, UnsupportedContent
from webtool.html.node import walk
from webtool.net.messages import Request
from webtool.net.statuses import error_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NamedTuple

    from webtool.context import Context
    from webtool.extraction import Extraction
    from webtool.html.node import Document
    from webtool.net.messages import Response
else:
    from webtool.records import NamedTuple

EXTRACTOR = "webtool"
MODES = ("full", "readable", "raw", "rendered")
# Failures that a kept copy may stand in for: the server could not be asked.
_UNREACHABLE = (NetworkError, FetchTimeout)


class Wanted(NamedTuple):
    """What to open, and how."""

    url: str
    mode: str = "full"
    """full (whole document), readable (main content), raw (decoded body) or rendered (through a browser)."""
    max_bytes: int | None = None
    accept: str = ""
    """An Accept header field of the caller's; "" is webtool's own."""
    force: bool = False
    """Ask the server even where the kept copy is fresh."""
    accept_age: float = 0.0
    """Seconds of age up to which the kept copy is used as it is."""
    ttl: float = freshness.TTL_OPEN
    """Seconds that a page without any word about freshness counts as fresh."""
    knobs: Mapping[str, object] = {}
    """char_threshold and max_top_candidates of the classical strategy."""
    use_siteconfig: bool = True
    siteconfig_id: str = ""
    follow: bool = True
    """Go where the page's head says its text is: its markdown alternate (if `accept` asks for markdown), a refresh."""


class Page(NamedTuple):
    """A snapshot and how it came about. The snapshot's markdown has no header block."""

    snapshot: Snapshot
    cache_hit: bool = False
    stale: bool = False
    notes: tuple[str, ...] = ()
    """Sentences for the reader: what was left out, why a copy is old, what else could be tried."""


def open_page(ctx: Context, wanted: Wanted) -> Page:
    """Open a page. Raises WebtoolError."""
    url = urls.normalise(wanted.url)
    sent = chosen_headers(wanted)
    key = key_of(url, wanted)
    kept = ctx.cache.get(key) if ctx.cache is not None else None
    if kept is not None and not fits(kept, wanted):
        kept = None
    offline = ctx.settings.offline
    plan = freshness.plan(kept, sent, ctx.now(), force=wanted.force, accept_age=wanted.accept_age, offline=offline)
    if kept is not None and plan.action == "use":
        notes = (f"offline: this copy is {plan.age} s old",) if offline and plan.stale else ()
        return Page(kept, cache_hit=True, stale=plan.stale, notes=notes)
    if offline:
        raise CacheMiss(
            f"{urls.redact(url)} is not in the cache", hint="Call again without --offline.", url=urls.redact(url)
        )
    if wanted.mode == "rendered":
        from webtool import rendering

        return rendering.open_rendered(ctx, wanted, url, key)
    return _Opening(ctx, wanted, url, key, sent).open(kept, plan)


class Converted(NamedTuple):
    """What conversion gives: columns of the snapshot (title, markdown, text, links_json, ...) and notes."""

    columns: dict[str, object]
    notes: tuple[str, ...] = ()
    shell: str = ""
    """Why the page looks as if it needed a browser; "" when it does not."""


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
        if response.status == 304 and kept is not None and plan.action == "validate":
            newer = freshness.refreshed(
                kept, response.headers, self.sent, ctx.now(), response.elapsed_ms, ttl=self.wanted.ttl
            )
            if newer is not None:
                if ctx.cache is not None:
                    ctx.cache.touch(newer)
                return Page(newer, cache_hit=True)
            response = self.get(())
        if response.status >= 400 or response.status == 304:
            if kept is not None and freshness.may_serve_stale(kept, str(response.status), ctx.now()):
                return self.stale(kept, f"the server answered {response.status}")
            raise error_for(response)
        return self.keep(response)

    def get(self, conditions: tuple[tuple[str, str], ...]) -> Response:
        """Send the request; robots.txt is asked before each hop."""
        ctx = self.ctx
        request = Request(self.url, "GET", (*self.sent, *self.rule_headers(), *conditions), b"")
        return ctx.client.fetch(
            request,
            deadline=ctx.deadline,
            max_bytes=self.max_bytes,
            check_hop=robots_check(ctx),
            is_cancelled=ctx.is_cancelled,
            cut=self.wanted.mode == "raw",
        )

    def rule_headers(self) -> tuple[tuple[str, str], ...]:
        """Request fields that the rules of this site set."""
        if self.wanted.mode in ("full", "raw") or not self.wanted.use_siteconfig:
            return ()
        from webtool import site_pages

        rules = site_pages.rules_for(self.ctx, self.url, self.wanted.siteconfig_id)
        return rules.http_headers if rules is not None else ()

    def stale(self, kept: Snapshot, reason: str) -> Page:
        """The kept copy, saying why."""
        note = f"this is the copy of {kept.fetched_at}: {reason}"
        return Page(kept, cache_hit=True, stale=True, notes=(note,))

    def keep(self, response: Response) -> Page:
        """Convert the answer and store it where it may be stored."""
        ctx = self.ctx
        if self.wanted.follow and self.wanted.mode != "raw":
            page = self.elsewhere(response)
            if page is not None:
                return page
        started = time.perf_counter()
        converted = convert(ctx, self.wanted, response.body, response.headers.get("content-type"), response.url)
        if converted.shell and ctx.settings.render == "auto":
            from webtool import rendering

            wanted = self.wanted._replace(mode="rendered")
            return rendering.open_rendered(ctx, wanted, self.url, key_of(self.url, wanted))
        extract_ms = int((time.perf_counter() - started) * 1000)
        arrived = freshness.columns(
            response.status, response.headers, self.sent, ctx.now(), response.elapsed_ms, ttl=self.wanted.ttl
        )
        snapshot = Snapshot(
            hash=self.key,
            url=urls.redact(self.url),
            final_url=urls.redact(response.url),
            mode=self.wanted.mode,
            content_type=response.headers.get("content-type"),
            raw_truncated=int(response.truncated),
            extract_ms=extract_ms,
            **arrived,  # type: ignore[arg-type]
        )._replace(**converted.columns)  # type: ignore[arg-type]
        if ctx.cache is not None:
            if freshness.is_storable(response.status, response.headers, self.sent) and not response.truncated:
                ctx.cache.put(snapshot)
            else:
                ctx.cache.delete(self.key)
        incomplete = response.truncated and self.wanted.mode != "raw"
        notes = ("warning: the page may be truncated; the server sent only a part of it",) if incomplete else ()
        return Page(snapshot, notes=(*converted.notes, *notes, *robots_note(ctx)))

    def elsewhere(self, response: Response) -> Page | None:
        """The page that this one only points to, or None."""
        asks_for_markdown = "text/markdown" in self.wanted.accept.lower()
        if not asks_for_markdown and not _has_refresh(response.body[:_HEAD_BYTES]):
            return None
        content_type = response.headers.get("content-type")
        if documents.kind_of(response.body, content_type, response.url) != "html":
            return None
        from webtool.html import head_links

        root = html.parse_html(response.body, content_type)
        alternate = head_links.markdown_alternate(root, response.url) if asks_for_markdown else None
        target = alternate or head_links.refresh_target(root, response.url)
        if target is None:
            return None
        page = open_page(self.ctx, self.wanted._replace(url=target, follow=False))
        if alternate is None:
            return page
        if is_html(page.snapshot):
            page = open_page(self.ctx, self.wanted._replace(follow=False))
            note = f"the markdown alternate {urls.redact(target)} turned out to be HTML and was not used"
            return page._replace(notes=(*page.notes, note))
        return page


_HEAD_BYTES = 65536
_has_refresh = patterns.compile(rb"(?i)http-equiv\s*=\s*[\"']?\s*refresh").search


def is_html(snapshot: Snapshot) -> bool:
    """Whether the page was HTML, whatever its server called it."""
    return (
        snapshot.extract_cfg_json is None
        or '"html"' in snapshot.extract_cfg_json
        or "strategy_used" in snapshot.extract_cfg_json
    )


def robots_check(ctx: Context) -> Callable[[str], None] | None:
    """The check before each hop, or None where robots.txt is not asked."""
    if not ctx.settings.respect_robots:
        return None
    return lambda url: ctx.robots.check(url, ctx.deadline, ctx.is_cancelled)


def robots_note(ctx: Context) -> tuple[str, ...]:
    """What an answer says where robots.txt was passed over."""
    return () if ctx.settings.respect_robots else ("robots.txt was not asked (respect_robots is off)",)


def chosen_headers(wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Request fields of the caller's choice; they are part of the cache key."""
    return (("Accept", wanted.accept),) if wanted.accept else ()


def key_of(url: str, wanted: Wanted) -> str:
    """The cache key of a normalised URL opened this way."""
    return keys.snapshot_hash(url, keys.vary_headers(chosen_headers(wanted)), wanted.mode)


def convert(ctx: Context, wanted: Wanted, body: bytes, content_type: str | None, url: str) -> Converted:
    """A body as markdown or text. Raises UnsupportedContent or ExtractFailed."""
    kind = documents.kind_of(body, content_type, url)
    if wanted.mode == "raw":
        return Converted(_raw(body, kind, content_type, url))
    if kind == "html" and url.partition("?")[0].endswith(_TEXT_NAMES):
        raise UnsupportedContent(
            f"{urls.redact(url)} is not the text file that its name says but an HTML page",
            hint="The site has no such file; open its start page instead.",
            url=urls.redact(url),
        )
    if kind == "html":
        return convert_html(ctx, wanted, body, content_type, url)
    document = documents.convert(body, kind, content_type, url, deadline=ctx.deadline)
    columns = {"title": document.title or None, "markdown": document.markdown, **_extractor(document.kind)}
    return Converted(columns, (document.note,) if document.note else ())


_TEXT_NAMES = ("/llms.txt", "/llms-full.txt")
_TEXT_KINDS = frozenset(("html", "markdown", "text", "json", "csv", "xml", "feed"))


def _raw(body: bytes, kind: str, content_type: str | None, url: str) -> dict[str, object]:
    if kind not in _TEXT_KINDS:
        raise documents.unsupported(body, content_type, url)
    return {"raw_bytes": body, "text": html.decode(body, content_type)[0], **_extractor("raw")}


def convert_html(ctx: Context, wanted: Wanted, body: str | bytes, content_type: str | None, url: str) -> Converted:
    """An HTML page: the whole document, or its main content by site rules or by the learned model."""
    if wanted.mode == "full":
        root = html.parse_html(body, content_type)
        columns = {"title": title_of(root) or None, "markdown": markdown.to_markdown(root, url), **_extractor("html")}
        return Converted(columns)
    from webtool import extraction, site_pages, siteconfig
    from webtool.html.shell import looks_like_js_shell

    rules = site_pages.rules_for(ctx, url, wanted.siteconfig_id) if wanted.use_siteconfig else None
    text = body if isinstance(body, str) else html.decode(body, content_type)[0]
    root = html.parse_html(siteconfig.replaced(rules, text) if rules else text)
    shell = looks_like_js_shell(root) or "" if wanted.mode == "readable" else ""
    if rules is None and wanted.use_siteconfig:
        rules = site_pages.rules_of_generator(ctx, root)
    notes: tuple[str, ...] = ()
    if rules is not None:
        kept = site_pages.keep(ctx, rules, root, url, robots_check(ctx))
        if kept is not None:
            return Converted(
                {**_extractor("site rules"), **_configuration("site rules", wanted), **kept.columns}, kept.notes
            )
        if not rules.autodetect_on_failure:
            raise ExtractFailed(f"the site rules {rules.id} find no text", hint="Call again with use_siteconfig false.")
    found = extraction.extract(root, url, **wanted.knobs)  # type: ignore[arg-type]
    if shell and ctx.settings.render != "auto":
        notes = (f"this page seems to need a browser ({shell}): mode rendered would show it, if WEBTOOL_RENDER is on",)
    return Converted(extraction_columns(found, wanted), notes, shell)


def title_of(root: Document) -> str:
    """The document's title as the DOM has it: the first <title> of HTML, white space collapsed."""
    for event, node in walk(root):
        if event == "open" and node.tag == "title" and node.namespace == "html":
            return " ".join(node.text.split())
        if event == "open" and node.tag == "body":
            break
    return ""


def extraction_columns(found: Extraction, wanted: Wanted) -> dict[str, object]:
    """The columns of a page whose main content was extracted."""
    import json

    return {
        "title": found.title or None,
        "markdown": found.markdown,
        "text": found.text,
        "links_json": json.dumps(found.links, ensure_ascii=False),
        **_extractor(found.strategy_used),
        **_configuration(found.strategy_used, wanted),
    }


def _configuration(strategy: str, wanted: Wanted) -> dict[str, object]:
    import json

    return {"extract_cfg_json": json.dumps({**wanted.knobs, "strategy_used": strategy}, sort_keys=True)}


def fits(kept: Snapshot, wanted: Wanted) -> bool:
    """Whether a kept copy was made as it is wanted now; the key does not tell site rules and knobs apart."""
    if wanted.mode in ("full", "raw"):
        return True
    if kept.siteconfig_id and not wanted.use_siteconfig:
        return False
    if wanted.siteconfig_id and kept.siteconfig_id != wanted.siteconfig_id:
        return False
    import json

    try:
        made = json.loads(kept.extract_cfg_json or "{}")
    except ValueError:
        return False
    made.pop("strategy_used", None)
    return bool(made == dict(wanted.knobs))


def _extractor(configuration: str) -> dict[str, object]:
    """Who made the text, for reproducing it. Letters only, so that no fetch needs a JSON writer for it."""
    return {
        "extractor_name": EXTRACTOR,
        "extractor_version": __version__,
        "extract_cfg_json": f'{{"configuration": "{configuration}"}}',
    }
