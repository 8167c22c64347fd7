"""Where a page sends its reader: a refresh, its markdown. In: what is wanted, a response. Out: another Page, or None.

Readable mode takes the markdown alternate that a page names in its head or in a Link header field: what the author
wrote is the main content, and nothing has to be guessed. A caller who asks for markdown (`accept`) has also the
addresses tried where documentation sites keep it: beside the page with the ending .md, and llms.txt for the start of a
site. What turns out to be HTML, as the "not found" of many sites does, is not taken; either way the notes tell.
"""

from __future__ import annotations

from webtool import urls
from webtool.cache import freshness
from webtool.cache.snapshot import Snapshot
from webtool.context import Context
from webtool.errors import Cancelled, WebtoolError
from webtool.lean.typing import Callable
from webtool.net import links
from webtool.net.messages import Response
from webtool.pages.request import Page, Wanted, chosen_headers, key_of
from webtool.pages.stored_notes import with_notes

Open = Callable[[Context, Wanted], Page]

_MARKDOWN = "text/markdown"
_HEAD_BYTES = 262144  # in which an alternate is looked for
_PAGES = (".html", ".htm", ".xhtml")


def is_asked_for(wanted: Wanted) -> bool:
    """Whether the caller asks for markdown in this many words."""
    return _MARKDOWN in wanted.accept.lower()


def _is_wanted(wanted: Wanted, response: Response, named: str | None) -> bool:
    """Whether the markdown of this page is to be looked for; `named` is what a header field says of it.

    Elements are chosen from HTML, and so are groups.
    """
    if "html" not in (response.headers.get("content-type") or "html"):
        return False
    if is_asked_for(wanted):
        return True
    is_plain = not (wanted.select or wanted.drop or wanted.with_groups or wanted.thresholds or wanted.siteconfig_id)
    if wanted.mode != "readable" or not is_plain:
        return False
    return b"text/markdown" in response.body[:_HEAD_BYTES] or named is not None


def twins(url: str) -> list[str]:
    """Where a site may have the page in markdown."""
    address = url.partition("#")[0].partition("?")[0]
    path = "/" + address.partition("://")[2].partition("/")[2]
    if path == "/":
        return [f"{address.rstrip('/')}/index.md", f"{address.rstrip('/')}/llms.txt"]
    if path.endswith("/"):
        return [f"{address}index.md", f"{address.rstrip('/')}.md"]
    for ending in _PAGES:
        if path.lower().endswith(ending):
            return [f"{address[: -len(ending)]}.md"]
    last = path.rpartition("/")[2]
    return [] if "." in last else [f"{address}.md"]


def page_of(ctx: Context, wanted: Wanted, url: str, response: Response, open_page: Open) -> Page | None:
    """The page that this answer only points to, or that says the same in markdown; None to go on with the answer."""
    named = links.alternate(response, _MARKDOWN)
    wants_markdown = _is_wanted(wanted, response, named)
    refreshed = links.target(response)
    if not wants_markdown and refreshed is None:
        return None
    about = (response.body, response.headers.get("content-type"), response.url, wants_markdown, refreshed)
    found: tuple[str | None, bool]
    found = (named, True) if named and wants_markdown else ctx.compute("webtool.pages.in_worker:signpost", *about)  # type: ignore[assignment]
    target, is_alternate = found
    if target and not is_alternate:
        return open_page(ctx, wanted._replace(url=target, follow=False))
    tried = [target] if target else twins(response.url) if is_asked_for(wanted) else []
    for address in tried:
        page, problem = _markdown_at(ctx, wanted._replace(url=address, follow=False), open_page)
        if page is not None:
            storable = freshness.is_storable(response.status, response.headers, chosen_headers(wanted))
            return _as_asked(ctx if storable else None, page, key_of(url, wanted), url, address)
        if target:
            page = open_page(ctx, wanted._replace(follow=False))
            return page._replace(notes=(*page.notes, f"the markdown alternate {urls.redact(address)} {problem}"))
    return None


def _markdown_at(ctx: Context, wanted: Wanted, open_page: Open) -> tuple[Page | None, str]:
    """The markdown that an address gives, or None and what was wrong with it."""
    try:
        page = open_page(ctx, wanted)
    except Cancelled:
        raise
    except WebtoolError as error:
        return None, f"could not be had ({error.code}: {error.message})"
    if is_html(page.snapshot):
        return None, "turned out to be HTML and was not used"
    if not (page.snapshot.markdown or "").strip():
        return None, "turned out to be empty and was not used"
    return page, ""


def _as_asked(ctx: Context | None, page: Page, key: str, url: str, address: str) -> Page:
    """The markdown as the page that was asked for; its later parts come from this copy, where a context may keep it."""
    note = f"this is the page's own markdown, {urls.redact(address)}"
    # The validators are the other address's: asked with them, this one might say that nothing has changed.
    snapshot = page.snapshot._replace(hash=key, url=urls.redact(url), etag=None, last_modified=None, raw_bytes=None)
    if ctx is not None and ctx.cache is not None:
        ctx.cache.put(with_notes(snapshot, (note,)))
    return page._replace(snapshot=snapshot, notes=(note, *page.notes))


def is_html(snapshot: Snapshot) -> bool:
    """Whether the page was HTML, whatever its server called it."""
    return (
        snapshot.extract_cfg_json is None
        or '"html"' in snapshot.extract_cfg_json
        or "strategy_used" in snapshot.extract_cfg_json
    )
