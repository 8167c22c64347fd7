"""Decide which URLs belong to the crawl of a site and which is opened next, and read addresses from its pages. Pure.

In: the URL at which the crawl starts, filters, references found on pages, bodies. Out: keys and lists of URLs. A key is
the one form of a page's URL: no fragment, no session id, no parameters that only count visitors. key() gives "" for
what lies outside of the start's folder or looks endless, such as /a/a/a/ or ?x=1&x=1&x=1.

Plain pages come first, in the order in which they were found. Indexes, and addresses with a query or a date, come last:
a calendar or a list with filters may have more pages than the rest of the site. With a limit of depth, all pages of one
depth come before those of the next, so that a page's depth is the least number of links that lead to it.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from webtool import documents, html, robots, urls
from webtool.errors import InvalidArgument, WebtoolError
from webtool.html.head_links import base_of
from webtool.html.node import elements
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_LINKS = 10_000  # addresses read from one page
_MAX_CHARACTERS = 2 << 20  # of all addresses of one page
MAX_LISTED = 50_000  # addresses read from one sitemap, the limit of the protocol (sitemaps.org)
_MAX_URL = 2000  # characters; a longer address is not followed
_MAX_SEGMENTS = 40  # of a path
_MAX_REPEATS = 2  # times that a part of a path, or a parameter, may be repeated: /a/b/a/b/ is followed, /a/a/a/ is not
# Steps within a series (a calendar, one list with other queries), each found on the page before it: /cal/2026/05 ->
# /cal/2026/06 -> ... ends after this many. Pages of a series that the rest of the site links to have no limit.
MAX_STEPS = 20
_MAX_KNOWN = 20 << 20  # characters of all addresses that a crawl remembers; further ones are not followed
# Parameters that identify a visit, not a page: session ids of PHP, Java, ASP and ColdFusion, and marks of advertising.
_VISIT = patterns.compile(
    r"(?i)(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|utm_\w+|_g[al]|gclid|fbclid|msclkid)="
)
# Values that may be session ids or tokens, and names of sessions that urls.redact_for_archive() does not know.
_LONG_VALUE = patterns.compile(r"[^=]*=(?=[^&]*[0-9])[0-9A-Za-z_.%+/=-]{16,}\Z")
_SESSION = patterns.compile(r"(?i)(?:s|\w*sid|sess)=")
_PATH_SESSION = patterns.compile(r"(?i);(?:jsessionid|phpsessid|sid)=[^/;?]*|/\(S\([0-9a-z]{24}\)\)(?=/)")
_FILE = patterns.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")  # the end of a file's name, not of a version's: v1.2
_DATE = patterns.compile(r"(?<![0-9])(?:19|2[0-9])[0-9]{2}(?:[-/_][01]?[0-9]|[01][0-9])(?![0-9])")
_DIGITS = patterns.compile(r"[0-9]+")
_TEXT_LINK = patterns.compile(r"\]\(<?([^\s<>()]+(?:\([^\s<>()]*\))?)|<(https?://[^\s<>]+)>")
_ROOT = patterns.compile(r"<(\w+:)?(urlset|sitemapindex)\b")
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

    def _filter(self, name: str, text: str) -> robots.Rule:
        """Return a filter as a rule of robots.txt. Raises InvalidArgument."""
        path = text[len(self.start.origin) :] if text.startswith(f"{self.start.origin}/") else text
        rule = robots.rule_of(path if path.startswith("/") else self.folder + path, True)
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
        path = robots.normalise_path(url.target)
        is_included = not self._include or any(rule.matches(path) for rule in self._include)
        return is_included and not any(rule.matches(path) for rule in self._exclude)


def _without_visit(query: str | None) -> str | None:
    """Return a query without `utm_source=x`, `PHPSESSID=1` or a long `token=` or `sid=`; None if nothing stays."""
    pairs = (query or "").split("&")
    return "&".join(pair for pair in pairs if pair and not _VISIT.match(pair) and not _is_token(pair)) or None


def _is_token(pair: str) -> bool:
    is_secret = bool(_SESSION.match(pair)) or urls.redact_for_archive(f"?{pair}") != f"?{pair}"
    return is_secret and bool(_LONG_VALUE.match(pair))


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
    """Return what /cal/2026/05 and /cal/2026/06, or /list?page=1 and ?page=2, have in common; "" for other pages."""
    path, mark, _ = key.partition("?")
    if mark:
        return path
    return _DIGITS.sub("0", path) if _DATE.search(path) else ""


def is_late(key: str) -> bool:
    """Return whether a page is opened, and listed, after others: it is an index, or has a query or a date."""
    return bool(series_of(key) or _BACK_MATTER.search(key))


class _Known(NamedTuple):
    """How an address was found."""

    depth: int  # links from the start page
    steps: int  # pages of series that lead to it, one after the other: /cal/2026/05 -> /cal/2026/06 is one step


class Frontier:
    """The addresses of one crawl. `endless` counts those that are given up: MAX_STEPS, or too many in all."""

    def __init__(self, scope: Scope, max_depth: int | None) -> None:
        self.scope = scope
        self._max_depth = max_depth
        self._known: dict[str, _Known] = {}  # keys that are open, queued or skipped
        self._listed: set[str] = set()  # keys that new_links() has returned
        # Two queues. Without a limit of depth: plain pages, and those of is_late(). With one: this depth, and the next.
        self._plain: deque[str] = deque()
        self._late: deque[str] = deque()
        self._characters = 0  # of all keys in _known and _listed
        self.endless = 0

    def depth_of(self, key: str) -> int:
        """Return how many links lead from the start page to a known page."""
        return self._known[key].depth

    def waiting(self) -> list[str]:
        """Return the pages that are still to be opened."""
        return [*self._plain, *self._late]

    def skip(self, key: str, depth: int = 0) -> None:
        """Remember a page that need not be opened: it is open, or an earlier run has it."""
        self._known.setdefault(key, _Known(depth, 0))

    def revisit(self, depths: dict[str, int]) -> None:
        """Queue pages that an earlier run saved, with their depths, unless they are known."""
        for key, depth in depths.items():
            if key not in self._known and self.scope.key(key) == key and self.scope.follows(key):
                self._known[key] = _Known(depth, 0)
                self._plain.append(key)

    def redirect(self, key: str, target: str) -> bool:
        """Let a page be known under the address that it redirects to; return False if that one is known already."""
        if target in self._known:
            return False
        self._known[target] = self._known[key]
        return True

    def new_links(self, key: str, links: Iterable[str]) -> list[str]:
        """Return the links of a page that no page before it has listed; [] at the limit of depth."""
        if self._max_depth is not None and self._known[key].depth >= self._max_depth:
            return []
        new = []
        for link in dict.fromkeys(links):
            if link and link != key and link not in self._listed and self.scope.follows(link) and self._has_room(link):
                self._listed.add(link)
                new.append(link)
        return new

    def follow(self, key: str, links: Sequence[str]) -> list[str]:
        """Queue the links of a page, or of a sitemap, whose key is "". Return those that are new."""
        depth, steps_before = self._known.get(key, _Known(0, 0))
        if key:
            self._listed.update(links)
        if self._max_depth is not None and depth >= self._max_depth:
            return []
        queued = []
        series = series_of(key)
        for link in links:
            if link in self._known or not self.scope.follows(link):
                continue
            steps = 0
            if series and (link_series := series_of(link)):
                # A calendar that links to a list keeps its count: one endless series must not begin the next.
                steps = steps_before + (link_series == series)
            if steps > MAX_STEPS:
                self.endless += 1
            elif self._has_room(link):
                self._known[link] = _Known(depth + 1, steps)
                waits = self._max_depth is not None or is_late(link)
                (self._late if waits else self._plain).append(link)
                queued.append(link)
        return queued

    def next(self, *, is_idle: bool) -> str:
        """Return the next page to open, "" if none waits now. `is_idle` says that no page is being opened."""
        if not self._plain and self._max_depth is not None and is_idle:
            self._plain, self._late = self._late, self._plain
        if self._plain:
            return self._plain.popleft()
        return self._late.popleft() if self._late and self._max_depth is None else ""

    def _has_room(self, key: str) -> bool:
        """Count an address that is to be remembered; return False if there are too many."""
        if key in self._known or key in self._listed:
            return True
        if self._characters > _MAX_KNOWN:
            self.endless += 1
            return False
        self._characters += len(key)
        return True


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
    """Return each reference with its base URL: of elements in HTML, of the markdown's links in other documents."""
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
    """Return the addresses in a sitemap (XML's own <loc>, not <image:loc>, or lines), and whether it is an index."""
    is_utf16 = sitemap.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = sitemap.decode("utf-16" if is_utf16 else "utf-8-sig", "replace")
    root = _ROOT.search(text[:4096])
    if root is None:
        addresses = [line.strip() for line in text.split("\n", MAX_LISTED)[:MAX_LISTED] if len(line) <= 2 * _MAX_URL]
        addresses = [line for line in addresses if line.startswith(("http://", "https://"))]
    else:
        # Pieces begin with the attributes of a <loc>: `>https://h.example/`, or ` changed="1">https://h.example/`.
        pieces = (piece.partition("</")[0] for piece in text.split(f"<{root[1] or ''}loc", MAX_LISTED)[1:])
        contents = (
            piece.partition(">")[2].strip() for piece in pieces if piece[:1] in ("", ">") or piece[:1].isspace()
        )
        addresses = [content.removeprefix("<![CDATA[").removesuffix("]]>").strip() for content in contents]
        for entity, character in _ENTITIES:
            addresses = [address.replace(entity, character) for address in addresses]
    return [address for address in addresses if 0 < len(address) <= _MAX_URL], bool(root and root[2] == "sitemapindex")
