"""Follow a page to the address that it names as its own text: a refresh, or its markdown. Out: another Page, or None.

Readable mode takes the markdown alternate that a page names in its head or in a Link header field: the author wrote it,
so nothing has to be guessed. A caller who asks for markdown (`accept`) also gets the addresses tried where
documentation sites put it: `/guide` -> `/guide.md`, and `/` -> `/llms.txt`. An answer that turns out to be HTML, such
as a "not found" page, is not used. Notes say which address was used, or why one was not.

Refresh (the header field or its meta element) and Link are read without I/O. Of a link only the first rel and type
count, and a link with an anchor is skipped, as it is about another resource.
Spec: HTML Standard section 4.2.5.3 ("shared declarative refresh steps"); RFC 8288 section 3.
Tests: tests/pages/test_opening.py, tests/pages/test_alternates.py
"""

from __future__ import annotations

from webtool import urls
from webtool.cache import freshness
from webtool.context import Context
from webtool.errors import Cancelled, InvalidUrl, WebtoolError
from webtool.lean import media_types, patterns
from webtool.lean.typing import Any, Callable
from webtool.net.messages import Response
from webtool.pages.request import Page, PageRequest, Source, chosen_headers, key_of
from webtool.pages.stored_copies import is_html, with_notes

OpenLinked = Callable[[Context, PageRequest, int], Page]  # the number: how many more addresses to follow

_MARKDOWN = "text/markdown"
_MAX_HEAD_BYTES = 262144  # of a body in which the name of an alternate is looked for
_HTML_ENDINGS = (".html", ".htm", ".xhtml")


def follow(
    ctx: Context,
    request: PageRequest,
    response: Response,
    open_linked: OpenLinked,
    may_follow: int,
    *,
    is_stored: bool = False,
) -> Page | None:
    """Return the page that this response points to, or its markdown alternate; None to convert the response itself.

    At most `may_follow` addresses are followed, one after the other. A stored response (`is_stored`) needs no request
    if it has the page's text: of it, only a refresh is followed.
    """
    if not may_follow:
        return None
    header_alternate = alternate(response, _MARKDOWN)
    looks_for_markdown = not is_stored and _looks_for_markdown(request, response, header_alternate is not None)
    refresh = refresh_target(response)
    if not looks_for_markdown and refresh is None:
        return None
    if header_alternate and looks_for_markdown:
        return _own_markdown(ctx, request, response, header_alternate, open_linked)
    arguments = (response.body, response.content_type, response.url, looks_for_markdown, refresh)
    signpost: Any = ctx.compute("webtool.pages.in_worker:signpost", *arguments)
    target, is_alternate = signpost
    if is_alternate:
        return _own_markdown(ctx, request, response, target, open_linked)
    if target:
        return open_linked(ctx, _linked(request, target), may_follow - 1)
    if looks_for_markdown and _accepts_markdown(request):
        for address in twins(response.url):
            page, _ = _markdown_at(ctx, request, address, open_linked)
            if page is not None:
                return _as_requested(ctx, request, response, page, address)
    return None


def _own_markdown(
    ctx: Context, request: PageRequest, response: Response, address: str, open_linked: OpenLinked
) -> Page:
    """Return the markdown that a page names; the page itself, with a note, if that cannot be used."""
    markdown_page, problem = _markdown_at(ctx, request, address, open_linked)
    if markdown_page is not None:
        return _as_requested(ctx, request, response, markdown_page, address)
    page = open_linked(ctx, request, 0)
    return page._replace(notes=(*page.notes, f"the markdown alternate {urls.redact(address)} {problem}"))


def _accepts_markdown(request: PageRequest) -> bool:
    return _MARKDOWN in request.accept.lower()


def _looks_for_markdown(request: PageRequest, response: Response, is_in_header: bool) -> bool:
    """Return whether to look for a page's markdown: not if HTML is needed for elements, rules or groups."""
    if "html" not in (response.content_type or "html"):
        return False
    if _accepts_markdown(request):
        return True
    needs_html = request.select or request.drop or request.with_groups or request.thresholds or request.siteconfig_id
    if request.mode != "readable" or needs_html:
        return False
    return b"text/markdown" in response.body[:_MAX_HEAD_BYTES] or is_in_header


def twins(url: str) -> list[str]:
    """Return the addresses at which a site may have the page in markdown: `/a/b.html` -> `/a/b.md`."""
    address = url.partition("#")[0].partition("?")[0]
    path = "/" + address.partition("://")[2].partition("/")[2]
    if path == "/":
        return [f"{address.rstrip('/')}/index.md", f"{address.rstrip('/')}/llms.txt"]
    if path.endswith("/"):
        return [f"{address}index.md", f"{address.rstrip('/')}.md"]
    for ending in _HTML_ENDINGS:
        if path.lower().endswith(ending):
            return [f"{address[: -len(ending)]}.md"]
    file_name = path.rpartition("/")[2]
    return [] if "." in file_name else [f"{address}.md"]


def _linked(request: PageRequest, address: str) -> PageRequest:
    """Return the request for an address that the page names: the caller's header fields stay at the page's origin."""
    is_own = request.sends_headers and urls.parse(address).origin == urls.parse(request.url).origin
    return request._replace(url=address, sends_headers=is_own)


def _markdown_at(ctx: Context, request: PageRequest, address: str, open_linked: OpenLinked) -> tuple[Page | None, str]:
    """Return the markdown page at an address, or None and a phrase that says what was wrong with it."""
    try:
        page = open_linked(ctx, _linked(request, address), 0)
    except Cancelled:
        raise
    except WebtoolError as error:
        return None, f"could not be had ({error.code}: {error.message})"
    if is_html(page.snapshot):
        return None, "turned out to be HTML and was not used"
    if not (page.snapshot.markdown or "").strip():
        return None, "turned out to be empty and was not used"
    return page, ""


def _as_requested(ctx: Context, request: PageRequest, response: Response, page: Page, address: str) -> Page:
    """Return the markdown found at `address` under the URL that was asked for, and store it under that URL's key.

    It is stored only if HTTP allows it for the original response.
    """
    source = Source(response.body, response.content_type, response.url)
    note = f"this is the page's own markdown, {urls.redact(address)}"
    # Validators belong to the other address: sent to this one, they might bring a wrong 304.
    snapshot = page.snapshot._replace(
        hash=key_of(request), url=urls.redact(request.url), etag=None, last_modified=None, raw_bytes=None
    )
    is_storable = freshness.is_storable(response.status, response.headers, chosen_headers(request))
    if is_storable and ctx.cache is not None:
        ctx.cache.put(with_notes(snapshot, (note,)))
    return page._replace(snapshot=snapshot, notes=(note, *page.notes), source=source)


MAX_REFRESH_DELAY = 30  # seconds; a page that refreshes later than this is meant to be read
_MAX_SEARCHED = 16384  # bytes of the document searched for a meta element
_MAX_REFRESH_VALUE = 4096  # characters of a refresh value
_MAX_LINK_VALUE = 16384  # characters of all Link fields together
_META = patterns.compile(rb"(?i)<meta\s[^<>]{0,2000}>")
_IS_REFRESH = patterns.compile(rb"(?i)\shttp-equiv\s*=\s*[\"']?refresh[\"'\s/>]")
_CONTENT = patterns.compile(rb"(?i)\scontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_COMMENT = patterns.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_DELAY = patterns.compile(r"([0-9]{1,9})[.0-9]*")  # "5" of "5.5; url=/next"; fractions do not count
_URL_NAME = patterns.compile(r"(?i)url\s*=\s*")
# </guide.md>; rel="alternate"; type=text/markdown -> the target, and all parameters as one text
_LINK = patterns.compile(r"<([^<>]*)>((?:\s*;\s*[^\s;=,\"<>]+(?:\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"<>]*))?)*)")
# ; rel="alternate" -> name and quoted value; ; type=text/markdown -> name and bare value
_PARAMETER = patterns.compile(r";\s*([^\s;=,\"<>]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"<>]*))")


def refresh_target(response: Response) -> str | None:
    """Return the absolute URL that the page refreshes to within MAX_REFRESH_DELAY, or None."""
    value = response.headers.get("refresh") or ""
    if not value and response.media_type in ("text/html", "application/xhtml+xml", ""):
        value = _meta_refresh(response.body[:_MAX_SEARCHED])
    return parse_refresh(value, response.url)


def parse_refresh(value: str, base: str) -> str | None:
    """Return the URL of a Refresh: "0; url=/next" -> https://a.example/next; None for bad, slow or own ones."""
    value = value[:_MAX_REFRESH_VALUE].strip()
    delay = _DELAY.match(value)
    if delay is None or int(delay[1]) > MAX_REFRESH_DELAY:
        return None
    if value[delay.end() : delay.end() + 1] not in (";", ",", " "):
        return None
    reference = value[delay.end() + 1 :].lstrip(" \t;,")
    name = _URL_NAME.match(reference)
    reference = reference[name.end() :] if name else reference
    if reference[:1] in ('"', "'"):
        reference = reference[1:].partition(reference[0])[0]
    try:
        url = urls.parse(reference, base)
    except InvalidUrl:
        return None
    target = url.without_fragment
    return target if url.scheme in ("http", "https") and target != base else None


def _meta_refresh(start: bytes) -> str:
    """Return the content of the first <meta http-equiv=refresh> with a content attribute, else ""."""
    for element in _META.findall(_COMMENT.sub(b"", start)):
        content = _CONTENT.search(element) if _IS_REFRESH.search(element) else None
        if content is not None:
            from webtool.html.charrefs import decode_attribute

            value: bytes = next(part for part in content.groups() if part is not None)
            return decode_attribute(value.decode("utf-8", "replace"))
    return ""


def alternate(response: Response, media_type: str) -> str | None:
    """Return the URL of the first Link with rel=alternate and this type, or None."""
    value = ", ".join(response.headers.get_all("link"))[:_MAX_LINK_VALUE]
    for target, parameter_text in _LINK.findall(value):
        parameters: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(parameter_text):
            parameters.setdefault(name.lower(), quoted or token)
        link_type = media_types.extract(parameters.get("type"))[0]
        is_alternate = "alternate" in parameters.get("rel", "").lower().split()
        if link_type != media_type or not is_alternate or "anchor" in parameters:
            continue
        try:
            return urls.parse(target.strip(), response.url).without_fragment
        except InvalidUrl:
            continue
    return None
