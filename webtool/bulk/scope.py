"""Decide which URLs belong to the crawl of a site (Scope), and which of them is opened next (Frontier). Pure.

In: the URL at which the crawl starts, filters, references found on pages. Out: keys. A key is the one form of a page's
URL: no fragment, no session id, no parameters that only count visitors.

Plain pages come first, in the order in which they were found. Indexes, and addresses with a query or a date, come last:
a calendar or a list with filters may have more pages than the rest of the site. With a limit of depth, all pages of one
depth come before those of the next, so that a page's depth is the least number of links that lead to it.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from webtool import robots, urls
from webtool.errors import InvalidArgument, WebtoolError
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

MAX_URL = 2000  # characters; a longer address is not followed
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
# Names of session ids that urls.redact_for_archive() does not know. _is_token() accepts the names that either knows, if
# the value may be an id, with a digit and 16 characters or more: sid=3f9a6c0123456789, and not s=tides.
_SESSION = patterns.compile(r"(?i)(?:s|\w*sid|sess)=")
_LONG_VALUE = patterns.compile(r"[^=]*=(?=[^&]*[0-9])[0-9A-Za-z_.%+/=-]{16,}\Z")
# Session ids in paths: /a;jsessionid=1A2B, and /(S(24 letters and digits))/ of ASP.NET.
_PATH_SESSION = patterns.compile(r"(?i);(?:jsessionid|phpsessid|sid)=[^/;?]*|/\(S\([0-9a-z]{24}\)\)(?=/)")
_FILE = patterns.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\Z")  # the end of a file's name (a.html), not of a version (v1.2)
_DATE = patterns.compile(r"(?<![0-9])(?:19|2[0-9])[0-9]{2}(?:[-/_][01]?[0-9]|[01][0-9])(?![0-9])")  # 2026/05, 202605
_DIGITS = patterns.compile(r"[0-9]+")
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
    filter (`include`, `exclude`) is a pattern as in robots.txt: it matches the beginning of a path, * is any text, $ is
    the end. A filter without a slash at its beginning is relative to the folder.
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

    def key(self, reference: str) -> str:
        """Return the key of a page in the crawl's folder; "" for other addresses, and for endless ones: /a/a/a/."""
        if len(reference) > MAX_URL:
            return ""
        try:
            url = urls.parse(reference)
        except WebtoolError:
            return ""
        if url.host != self.start.host or url.username or url.password or len(url.href) > MAX_URL:
            return ""
        if url.port is None and self.start.port is None and url.scheme in ("http", "https"):
            url = url._replace(scheme=self.start.scheme)  # many sites link to http and https pages alike
        path = _PATH_SESSION.sub("", url.path)
        is_below = path.startswith(self.folder) or path in (self.folder[:-1], self.start.path)
        if url.origin != self.start.origin or not is_below or _is_endless(path, url.query or ""):
            return ""
        return url._replace(path=path, query=_without_visit(url.query), fragment=None).href

    def folder_around(self, links: Iterable[str]) -> str:
        """Return the nearest folder above that of the crawl with links that are not in it, or ""."""
        folder, beside = self.prefix, [link for link in links if not self.key(link)]
        while folder != f"{self.start.origin}/":
            folder = folder[:-1].rpartition("/")[0] + "/"
            if any(link.startswith(folder) for link in beside):
                return folder
        return ""

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
    """Return whether name=value is a session id or another token."""
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
    """The keys of one crawl, those that wait to be opened and those that are known.

    `endless` counts those that are given up: of a series after MAX_STEPS, or beyond _MAX_KNOWN characters in all.
    """

    def __init__(self, scope: Scope, max_depth: int | None) -> None:
        self.scope = scope
        self._max_depth = max_depth
        self._known: dict[str, _Known] = {}  # keys that were queued (and perhaps opened since) or skipped
        self._listed: set[str] = set()  # keys that new_links() has returned
        self._queue: deque[str] = deque()  # opened first
        self._late: deque[str] = deque()  # without a limit of depth: pages of is_late(), opened after all others
        self._deeper: deque[str] = deque()  # with a limit: pages of the next depth, opened after all of this depth
        self._characters = 0  # of all links in _known and _listed; skipped and revisited pages are not counted
        self.endless = 0

    def depth_of(self, key: str) -> int:
        """Return how many links lead from the start page to a known page."""
        return self._known[key].depth

    def waiting(self) -> list[str]:
        """Return the pages that are still to be opened."""
        return [*self._queue, *self._late, *self._deeper]

    def skip(self, key: str, depth: int = 0) -> None:
        """Remember a page that need not be queued: it is being opened already, or this run has its answer."""
        self._known.setdefault(key, _Known(depth, 0))

    def revisit(self, depths: dict[str, int]) -> None:
        """Queue pages that an earlier run saved, with their depths, unless they are known."""
        for key, depth in depths.items():
            if key not in self._known and self.scope.key(key) == key and self.scope.follows(key):
                self._known[key] = _Known(depth, 0)
                self._queue.append(key)

    def redirect(self, key: str, target: str) -> bool:
        """Let a page be known under the address that it redirects to; return False if that one is known already."""
        if target in self._known:
            return False
        self._known[target] = self._known[key]
        return True

    def new_links(self, key: str, links: Iterable[str]) -> list[str]:
        """Return the links of a page that no page before it has listed; [] at the limit of depth."""
        if self._is_deepest(self._known[key].depth):
            return []
        new = []
        for link in dict.fromkeys(links):
            if link and link != key and link not in self._listed and self.scope.follows(link) and self._has_room(link):
                self._listed.add(link)
                new.append(link)
        return new

    def follow(self, key: str, links: Sequence[str]) -> list[str]:
        """Queue the links of a page, or of a sitemap (then `key` is ""). Return those that are new."""
        depth, steps_before = self._known.get(key, _Known(0, 0))
        if key:  # links that a resumed run has from its manifest are not in _listed yet
            links = [link for link in links if self._has_room(link)]
            self._listed.update(links)
        if self._is_deepest(depth):
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
                if self._max_depth is not None:
                    self._deeper.append(link)
                elif is_late(link):
                    self._late.append(link)
                else:
                    self._queue.append(link)
                queued.append(link)
        return queued

    def next(self, *, is_idle: bool) -> str:
        """Return the next page to open, "" if none waits now. `is_idle` says that no page is being opened."""
        if not self._queue and is_idle:
            self._queue, self._deeper = self._deeper, self._queue
        waiting = self._queue or self._late
        return waiting.popleft() if waiting else ""

    def _is_deepest(self, depth: int) -> bool:
        return self._max_depth is not None and depth >= self._max_depth

    def _has_room(self, key: str) -> bool:
        """Count an address that is to be remembered; return False if there are too many."""
        if key in self._known or key in self._listed:
            return True
        if self._characters > _MAX_KNOWN:
            self.endless += 1
            return False
        self._characters += len(key)
        return True
