"""Read the pages and sitemaps of a site on threads. In: an address. Out: a page, or the addresses that a sitemap lists.

SiteReader.read() is what a thread of a crawl does; site.py decides what to read. A page is converted here, its links
made absolute, and a link to a page of the site becomes that page's key (scope.py). Copies finds pages that are one page
at several addresses, by one of these traits:
- path and text: /list?view=a and /list?view=b, a_(b) and a_%28b%29, /a and /a/ and /a.html and /a/index.html
- name, set of the folders' names, and body: /a/b/page and /a/b/a/page. A relative link a/ on the pages of /a/b/, or a
  symbolic link on the server, makes ever longer paths to the same pages.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from webtool import documents, html, urls
from webtool.answers.reading import retargeted
from webtool.bulk.files import unpacked
from webtool.bulk.scope import MAX_URL, Scope
from webtool.cache import front_matter
from webtool.cache.freshness import TTL_PARTS
from webtool.cache.tables import digest
from webtool.context import Context
from webtool.errors import InvalidUrl, NetworkError, WebtoolError
from webtool.html.head_links import base_of
from webtool.html.node import elements
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.net import statuses
from webtool.net.messages import Request
from webtool.pages import PageRequest, open_page, policy
from webtool.pages.stored_copies import is_html, source_of
from webtool.urls.hosts import percent_decode

_MAX_SITEMAP = 50 << 20  # bytes, the limit of the protocol
_MAX_TITLE = 500  # characters
START, PAGE, SITEMAP = "start", "page", "sitemap"  # kinds of addresses that are read


class OpenedPage(NamedTuple):
    """A page, read and converted."""

    final_url: str
    title: str
    text: str  # with front matter and absolute links
    sha256: str  # of title and markdown
    body_sha256: str  # "" if the body is unknown
    links: list[str]
    sitemaps: tuple[str, ...]  # that robots.txt lists


class SiteReader:
    """Reads what belongs to one site. `scope` is replaced if the start page redirects to another host of the site."""

    def __init__(self, ctx: Context, scope: Scope, mode: str) -> None:
        self.scope = scope
        self.is_refresh = False  # whether pages are asked for again, as in the second run of a folder
        self._ctx, self._mode = ctx, mode

    def read(self, item: tuple[str, str]) -> object:
        """Return the page of (kind, URL), or (a sitemap's addresses, is it an index). Raises WebtoolError."""
        kind, url = item
        ctx = self._ctx.derive()
        if kind == SITEMAP:
            response = policy.fetch(ctx, Request(url), max_bytes=_MAX_SITEMAP)
            if response.status >= 400:
                raise statuses.error_for(response)
            return addresses_in(unpacked(url, response.body, _MAX_SITEMAP))
        if kind == PAGE:
            ctx.check_hop = self._require_inside
        return self._open_page(ctx, url)

    def _require_inside(self, url: str) -> None:
        """Raise InvalidUrl if a redirect leads out of the crawl's folder."""
        if not self.scope.key(url):
            raise InvalidUrl(f"it leads to {urls.shortened(url)}, outside of {self.scope.prefix}")

    def _open_page(self, ctx: Context, url: str) -> OpenedPage:
        """Open and convert a page, and read its links in a worker."""
        page = open_page(ctx, PageRequest(url, self._mode, force=self.is_refresh, ttl=TTL_PARTS))
        snapshot = page.snapshot
        if page.stale and self.is_refresh:
            raise NetworkError(f"the page could not be asked for again: {page.notes[-1]}")
        policy.check_ai_input(ctx, policy.signals(snapshot), snapshot.final_url)  # raises where ai-input=no
        markdown, title = snapshot.markdown or "", (snapshot.title or "")[:_MAX_TITLE]
        source = page.source or source_of(snapshot)
        arguments = (source.body, source.content_type, source.url, markdown)
        links: list[str] = ctx.compute("webtool.bulk.site_pages:links_of", *arguments)  # type: ignore[assignment]
        if is_html(snapshot) or "markdown" in (snapshot.content_type or ""):
            markdown = retargeted(markdown, lambda target: self._absolute(target, snapshot.final_url))
        text = front_matter.with_header(snapshot, markdown)
        # digest() takes text; latin-1 gives every byte a character.
        body = digest(source.body.decode("latin-1")) if isinstance(source.body, bytes) and source.body else ""
        # source.url is redacted. A page that did not redirect keeps its whole address, and so does one that leads to a
        # blanked secret (?key=***), which cannot be asked for.
        is_same = urls.redact(url) == source.url
        final_url = url if is_same or "=***" in source.url else source.url
        sha256 = digest(f"{title}\n{markdown}")
        return OpenedPage(final_url, title, text, sha256, body, links, ctx.robots.sitemaps(url))

    def _absolute(self, target: str, base: str) -> str:
        """Return a link's target in absolute form, that of a page of the site as its key."""
        if target.startswith("#"):
            return target
        try:
            url = urls.join(base, target)
        except WebtoolError:
            return target
        key = self.scope.key(url)
        _, mark, fragment = url.partition("#")
        return key + mark + fragment if key else url


# Addresses on pages and in sitemaps.

MAX_LINKS = 10_000  # addresses read from one page
_MAX_LINK_CHARACTERS = 2 << 20  # of all addresses of one page
MAX_LISTED = 50_000  # addresses read from one sitemap, the limit of the protocol (sitemaps.org)
_TEXT_LINK = patterns.compile(r"\]\(<?([^\s<>()]+(?:\([^\s<>()]*\))?)|<(https?://[^\s<>]+)>")  # [a](/b), <https://h/>
_ROOT = patterns.compile(r"<(\w+:)?(urlset|sitemapindex)\b")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&#38;", "&"), ("&amp;", "&"))


def links_of(body: bytes, content_type: str | None, url: str, markdown: str) -> list[str]:
    """Return the absolute addresses that a page links to, in its order, without fragments and repetitions.

    Navigation counts too. Links with rel=nofollow, which sites set on editing, voting and calendars, do not.
    `markdown` is what the body was converted to, which is read for documents other than HTML.
    """
    links: dict[str, None] = {}
    room = _MAX_LINK_CHARACTERS
    for reference, base in _references(body, content_type, url, markdown):
        if len(reference) + len(base) > 2 * MAX_URL:
            continue
        try:
            link = urls.join(base, reference.strip()).partition("#")[0]
        except WebtoolError:
            continue
        if link not in links and link.startswith(("http://", "https://")):
            room -= len(link)
            if room < 0 or len(links) >= MAX_LINKS:
                break
            links[link] = None
    return list(links)


def _references(body: bytes, content_type: str | None, url: str, markdown: str) -> list[tuple[str, str]]:
    """Return each reference with its base URL: of elements in HTML, of the markdown's links in other documents."""
    if not body or documents.kind_of(body, content_type, url) != "html":
        return [(match[1] or match[2], url) for match in _TEXT_LINK.finditer(markdown)]
    with html.Reading() as trees:
        root = trees.keep(html.parse_html(body, content_type))
        base = base_of(root, url)
        return [
            (node.attrs[name], base)
            for node in elements(root)
            if (name := _ATTRIBUTES.get(node.tag or "", "")) in node.attrs
            and "nofollow" not in node.attrs.get("rel", "").lower().split()
        ]


_ATTRIBUTES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}


def addresses_in(sitemap: bytes) -> tuple[list[str], bool]:
    """Return the addresses in a sitemap (XML's own <loc>, not <image:loc>, or lines), and whether it is an index."""
    is_utf16 = sitemap.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = sitemap.decode("utf-16" if is_utf16 else "utf-8-sig", "replace")
    root = _ROOT.search(text[:4096])
    if root is None:
        addresses = [line.strip() for line in text.split("\n", MAX_LISTED)[:MAX_LISTED] if len(line) <= 2 * MAX_URL]
        addresses = [line for line in addresses if line.startswith(("http://", "https://"))]
    else:
        # Pieces begin with the attributes of a <loc>: `>https://h.example/`, or ` changed="1">https://h.example/`.
        # A piece that begins with a letter is of another element, as `ation>` is of <location>.
        pieces = (piece.partition("</")[0] for piece in text.split(f"<{root[1] or ''}loc", MAX_LISTED)[1:])
        contents = (
            piece.partition(">")[2].strip() for piece in pieces if piece[:1] in ("", ">") or piece[:1].isspace()
        )
        addresses = [content.removeprefix("<![CDATA[").removesuffix("]]>").strip() for content in contents]
        for entity, character in _ENTITIES:
            addresses = [address.replace(entity, character) for address in addresses]
    return [address for address in addresses if 0 < len(address) <= MAX_URL], bool(root and root[2] == "sitemapindex")


# Copies.

_INDEX_NAMES = ("index.", "default.", "home.")


class Copies:
    """The traits of the pages that were saved."""

    def __init__(self) -> None:
        self._urls: dict[tuple[str, str], str] = {}  # trait -> address of the first page with it

    def add(self, url: str, sha256: str, body_sha256: str) -> str:
        """Add a page; return the address of the page that it is a copy of, or its own."""
        traits = _traits(url, sha256, body_sha256)
        original = next((self._urls[trait] for trait in traits if trait in self._urls), url)
        if original == url:
            self._urls.update(dict.fromkeys(traits, url))
        return original


def _traits(url: str, sha256: str, body_sha256: str) -> list[tuple[str, str]]:
    """Return the traits of a page: see the top of the module. `body_sha256` is "" if the body is unknown."""
    folder, slash, last = urls.parse(url).path.rpartition("/")
    is_index = last.lower().startswith(_INDEX_NAMES)
    place = folder + slash + ("" if is_index else last)  # /docs/index.html -> /docs/
    traits = [(percent_decode(place).rstrip("/").removesuffix(".html"), sha256)]
    if body_sha256:
        *folders, name = place.split("/")
        traits.append((f"{'/'.join(sorted(set(folders)))}:{name}", body_sha256))
    return traits
