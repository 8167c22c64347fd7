"""Decide which URLs belong to the crawl of a site, and read addresses from its pages and sitemaps. Pure.

In: the URL at which the crawl starts, filters, references found on pages, bodies. Out: keys and lists of URLs. A key is
the one form of a page's URL: no fragment, no session id, no parameters that only count visitors. key() gives "" for
what lies outside of the start's folder or looks endless, such as /a/a/a/ or ?x=1&x=1&x=1.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool import documents, html, urls
from webtool.errors import InvalidArgument, WebtoolError
from webtool.html.head_links import base_of
from webtool.html.node import elements
from webtool.lean import patterns
from webtool.robots import rules

MAX_LINKS = 10_000  # addresses read from one page
_MAX_CHARACTERS = 2 << 20  # of all addresses of one page
MAX_LISTED = 50_000  # addresses read from one sitemap, the limit of the protocol (sitemaps.org)
_MAX_URL = 2000  # characters; a longer address is not followed
_MAX_SEGMENTS = 40  # of a path
_MAX_REPEATS = 2  # times that a part of a path, or a parameter, may be repeated: /a/b/a/b/ is followed, /a/a/a/ is not
# Parameters that identify a visit, not a page: session ids of PHP, Java, ASP and ColdFusion, and marks of advertising.
_VISIT = patterns.compile(
    r"(?i)(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|utm_\w+|gclid|fbclid|msclkid)=|"
    r"(?:\w*sess(?:ion)?_?(?:id)?|sid|s)=(?=[^&]*[0-9])[0-9A-Za-z_-]{16,}\Z"
)
_PATH_SESSION = patterns.compile(r"(?i);(?:jsessionid|phpsessid|sid)=[^/;?]*")
_FILE = patterns.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")  # the end of a file's name, not of a version's: v1.2
_DATE = patterns.compile(r"(?<![0-9])(?:19|2[0-9])[0-9]{2}(?:[-/_][01]?[0-9]|[01][0-9])(?![0-9])")
_DIGITS = patterns.compile(r"[0-9]+")
_TEXT_LINK = patterns.compile(r"\]\(<?([^\s<>()]+(?:\([^\s<>()]*\))?)|<(https?://[^\s<>]+)>")
_ROOT = patterns.compile(r"<(?:(\w+):)?(urlset|sitemapindex)\b")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&#38;", "&"), ("&amp;", "&"))
# Indexes that generators of documentation make (Sphinx, javadoc): they link to all pages, in the order of the alphabet.
_BACK_MATTER = patterns.compile(
    r"/(?:genindex(?:-\w+)?|py-modindex|search|index-all|all(?:classes|packages)(?:-\w+)?|(?:overview|package)-tree|package-use"
    r"|deprecated-list|help-doc)\.html\Z|/(?:class-use|_modules|index-files)/"
)
# Endings of files that are not pages, so that a crawl does not download them to find out.
_NO_PAGES = frozenset(
    "7z apk avi avif bin bmp bz2 css deb dmg eot exe flac gif gz ico inv iso jar jpeg jpg js m4a map mjs mov mp3 mp4"
    " mpeg ogg otf png rar rpm svg tar tgz tif tiff ttf wasm wav webm webp whl woff woff2 xz zip zst".split()
)


class Scope:
    """The pages of one crawl: those in the folder of `start` on its site that the filters let through.

    https://h.example/docs and https://h.example/docs/ have the folder /docs/, https://h.example/docs/a.html too. A
    filter is a path as in robots.txt: it matches from its beginning, * is any text, $ is the end. Without a slash at
    its beginning it is relative to the folder.
    """

    def __init__(self, start: str, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self.start = urls.parse(start)
        path = self.start.path
        folder, _, last = path.rpartition("/")
        self.folder = f"{folder}/" if not last or _FILE.search(last) else f"{path}/"
        self.prefix = f"{self.start.origin}{self.folder}"
        self._include = [self._filter("include", text) for text in include]
        self._exclude = [self._filter("exclude", text) for text in exclude]

    def _filter(self, name: str, text: str) -> rules.Rule:
        """Return a filter as a rule of robots.txt. Raises InvalidArgument."""
        path = text[len(self.start.origin) :] if text.startswith(f"{self.start.origin}/") else text
        rule = rules.rule_of(path if path.startswith("/") else self.folder + path, True)
        if "://" in path or rule is None:
            raise InvalidArgument(f"{name}: {text} is outside of {self.prefix}", hint="Give a path: api/ or *.html$")
        return rule

    def key(self, reference: str, base: str | None = None) -> str:
        """Return the key of a page that belongs to the crawl's folder, "" for any other address."""
        if len(reference) > _MAX_URL:
            return ""
        try:
            url = urls.parse(reference, base)
        except WebtoolError:
            return ""
        if url.host != self.start.host or url.username or url.password or len(url.href) > _MAX_URL:
            return ""
        if url.port is None and self.start.port is None and url.scheme in ("http", "https"):
            url = url._replace(scheme=self.start.scheme)  # many sites link to http and https pages alike
        path = _PATH_SESSION.sub("", url.path)
        is_below = path.startswith(self.folder) or path in (self.folder[:-1], self.start.path)
        if url.origin != self.start.origin or not is_below or _is_endless(path, url.query or ""):
            return ""
        return url._replace(path=path, query=_without_visit(url.query), fragment=None).href

    def follows(self, key: str) -> bool:
        """Return whether a key is to be opened: the filters match, and it does not end like an image or an archive."""
        url = urls.parse(key)
        if not url.query and url.path.rpartition(".")[2].lower() in _NO_PAGES:
            return False
        path = rules.normalise_path(url.target)
        is_included = not self._include or any(rule.matches(path) for rule in self._include)
        return is_included and not any(rule.matches(path) for rule in self._exclude)


def _without_visit(query: str | None) -> str | None:
    """Return a query string without parameters that identify a visit; None for an empty one."""
    return "&".join(pair for pair in (query or "").split("&") if pair and not _VISIT.match(pair)) or None


def _is_endless(path: str, query: str) -> bool:
    """Return whether an address looks as if a wrong relative link had made it, which makes longer ones for ever."""
    parts = path.split("/")[1:]
    pairs = query.split("&") if query else []
    if len(parts) > _MAX_SEGMENTS or any(pairs.count(pair) > _MAX_REPEATS for pair in pairs[: 2 * _MAX_SEGMENTS]):
        return True
    for size in range(1, len(parts) // (_MAX_REPEATS + 1) + 1):
        same = 0  # parts in a row that equal the part `size` places before
        for index in range(size, len(parts)):
            same = same + 1 if parts[index] == parts[index - size] else 0
            if same >= size * _MAX_REPEATS:
                return True
    return False


def series_of(key: str) -> str:
    """Return what the pages of a calendar, or of one address with queries, have in common; "" for other pages.

    /cal/2026/05 and /cal/2026/06 are one series, /list?page=1 and /list?page=2 too.
    """
    path, mark, _ = key.partition("?")
    if mark:
        return path
    return _DIGITS.sub("0", path) if _DATE.search(path) else ""


def is_late(key: str) -> bool:
    """Return whether a page is opened, and listed, after others: it is an index, or has a query or a date."""
    return bool(series_of(key) or _BACK_MATTER.search(key))


def links_of(body: bytes, content_type: str | None, url: str, markdown: str) -> list[str]:
    """Return the absolute addresses that a page links to, in its order, without fragments and repetitions.

    Navigation counts too. Links with rel=nofollow, which sites set on editing, voting and calendars, do not.
    `markdown` is what the body was converted to, which is read for documents other than HTML.
    """
    links: dict[str, None] = {}
    room = _MAX_CHARACTERS
    for reference, base in _references(body, content_type, url, markdown):
        if len(reference) + len(base) > 2 * _MAX_URL:
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
    """Return (reference, base URL) of each link of a page."""
    if not body or documents.kind_of(body, content_type, url) != "html":
        return [(match[1] or match[2], url) for match in _TEXT_LINK.finditer(markdown)]
    with html.Reading() as trees:
        root = trees.keep(html.parse_html(body, content_type))
        base = base_of(root, url)
        return [
            (node.attrs[name], base)
            for node in elements(root)
            for name in _ATTRIBUTES.get(node.tag or "", ())
            if name in node.attrs and "nofollow" not in node.attrs.get("rel", "").lower().split()
        ]


_ATTRIBUTES = {"a": ("href",), "area": ("href",), "frame": ("src",), "iframe": ("src",)}


def addresses_in(sitemap: bytes) -> tuple[list[str], bool]:
    """Return the addresses that a sitemap lists, and whether it is an index of sitemaps.

    A sitemap is XML or lines of addresses. Only <loc> in the root's own namespace counts, not <image:loc>.
    """
    text = sitemap.decode("utf-8-sig", "replace")
    root = _ROOT.search(text[:4096])
    if root is None:
        lines = text.split("\n", MAX_LISTED)[:MAX_LISTED]
        addresses = [line.strip() for line in lines if len(line) <= 2 * _MAX_URL]
        return [line for line in addresses if line.startswith(("http://", "https://")) and len(line) <= _MAX_URL], False
    tag = f"{root[1]}:loc" if root[1] else "loc"
    addresses = []
    for piece in text.split(f"<{tag}>", MAX_LISTED)[1:]:
        address = piece.partition("</")[0].strip().removeprefix("<![CDATA[").removesuffix("]]>").strip()
        for entity, character in _ENTITIES:
            address = address.replace(entity, character)
        if address and len(address) <= _MAX_URL:
            addresses.append(address)
    return addresses, root[2] == "sitemapindex"
