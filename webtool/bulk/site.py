"""Save the pages of a site in a folder. In: a context, a Folder, Options. Out: rows, as pages are done.

SiteCrawl fetches on the threads of webtool.bulk.crawl, which wait as the host asks. It opens the start page, reads the
sitemaps, then opens their pages and whatever these link to, nearest first. Indexes and addresses with queries or dates
come last, because a calendar or a list with filters may have more pages than the rest of the site.
webtool.bulk.scope decides what belongs to the site, webtool.bulk.folder where it is written.

A page is written with absolute links. finish() makes the links between saved pages relative, in all files.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from webtool import urls
from webtool.answers.views import retargeted
from webtool.bulk import folder as folders
from webtool.bulk import scope as scopes
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.folder import Folder, Row
from webtool.bulk.scope import Scope
from webtool.cache import front_matter
from webtool.cache.freshness import TTL_PARTS
from webtool.cache.snapshot import digest
from webtool.context import Context
from webtool.errors import (
    InvalidArgument,
    InvalidUrl,
    NetworkError,
    RobotsDisallowed,
    UnsupportedContent,
    WebtoolError,
    counted,
)
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.net.messages import Request
from webtool.pages import PageRequest, open_page, policy
from webtool.pages.request import Source
from webtool.pages.stored_metadata import is_html

MAX_PAGES = 200  # default of Options.max_pages
_WINDOW = 32  # pages that are under way or finished and not read yet
_MAX_KNOWN = 20 << 20  # characters of all addresses that are remembered; further ones are not followed
_MAX_SITEMAPS = 100  # files of a site
_MAX_SITEMAP = 50 << 20  # bytes, the limit of the protocol
_MAX_ASKED = 10  # addresses that are opened for each page that may be saved; a trap answers with errors or copies
_MAX_SERIES = 20  # pages of a series (a calendar, filters of a list) that are found by going on from one to the next
_GONE = (404, 410)
_INDEX_NAMES = ("index.", "default.", "home.")


class Options(NamedTuple):
    """Choices of the caller."""

    url: str  # normalised
    mode: str = "readable"
    max_pages: int = MAX_PAGES
    depth: int | None = None  # links from the start page; with a limit no sitemap is read
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    members: dict[str, Any] = {}  # noqa: RUF012 -- further fields of PageRequest


class _Item(NamedTuple):
    """A page to be fetched."""

    kind: str  # "start", "page" or "sitemap"
    url: str


class _Opened(NamedTuple):
    """A page, read and converted."""

    final_url: str
    title: str
    text: str  # with front matter and absolute links
    sha256: str  # of title and markdown
    body: str  # digest of the body, "" if unknown
    links: list[str]
    sitemaps: tuple[str, ...] = ()  # that robots.txt lists; of the start page only


class SiteCrawl:
    """One run. After rows(), `stopped_by` says why pages are left, "" if none is; finish() must be called."""

    def __init__(
        self, ctx: Context, folder: Folder, options: Options, manners: Manners, on_wait: Callable[[Any, float], None]
    ) -> None:
        self._ctx, self._folder, self._options, self._manners, self._on_wait = ctx, folder, options, manners, on_wait
        self._scope = Scope(folder.head.get("base") or options.url, options.include, options.exclude)
        self._plain: deque[str] = deque()  # pages to open
        self._later: deque[str] = deque()  # pages to open after those: they have a query or a date
        self._sitemaps: deque[str] = deque()
        self._held: list[Row] = []  # rows whose links are queued after those of the sitemaps
        self._sitemaps_open = 0  # under way
        self._sitemaps_known = 0
        self._known: dict[str, tuple[int, int]] = {}  # key: links from the start, pages of its series before it
        self._known_length = 0
        self._linked: set[str] = set()  # keys that a page of this run links to
        self._twins: dict[tuple[str, str], str] = {}  # (name, digest): key of a saved page
        self._items: list[_Item] = []
        self._open = 0  # items under way
        self._asked = 0
        self._saved: set[str] = set()
        self.endless = 0  # addresses not followed because they are of a series without end, or too many
        self.stopped_by = ""
        self.is_refresh = bool(folder.head.get("is_whole"))
        self._run = folder.head.get("run", 0) + 1

    # The run.

    def rows(self) -> Iterator[Row]:
        """Yield a row for each address, when it is done. Raises WebtoolError if the start page cannot be opened."""
        self._begin()
        delay_of = policy.crawl_delay(self._ctx)
        self._jobs = Crawl(
            [], [], self._work, self._manners, lambda item: delay_of(item.url), on_wait=self._on_wait, grows=True
        )
        self._add(_Item("start", self._options.url))
        for number, outcome in self._jobs.outcomes():
            self._open -= 1
            item = self._items[number]
            for row in self._taken(item, outcome):
                self._folder.record(row)
                yield row
            self._feed()
        if (self._plain or self._later) and not self.stopped_by:
            self.stopped_by = f"--max-pages is {self._options.max_pages}"

    @property
    def share(self) -> float:
        """The share of the known pages that were asked for, 0 to 1."""
        return self._asked / (self._asked + len(self._plain) + len(self._later) + 1)

    def _begin(self) -> None:
        """Decide whether this run resumes the last one, and take what that found."""
        folder, options = self._folder, self._options
        if folder.rows and folder.head.get("start") != options.url:
            start = folder.head.get("start")
            raise InvalidArgument(f"{folder.path} has the pages of {start}", hint="Give another folder to -o.")
        saved = sum(row["status"] == "saved" and row.get("run") == self._run - 1 for row in folder.rows.values())
        has_more = any(row["status"] == "left" for row in folder.rows.values()) and saved < options.max_pages
        if folder.head and (not self.is_refresh or has_more):
            self._run -= 1
            self.is_refresh = folder.head.get("is_refresh", False)
        about = {"run": self._run, "is_refresh": self.is_refresh, "base": folder.head.get("base")}
        folder.begin(start=options.url, is_whole=False, **about)
        for row in list(folder.rows.values()):
            if self._is_done(row["url"]):
                self._known.setdefault(row["url"], (row.get("depth", 0), 0))
                if row["status"] == "saved":
                    self._saved.add(row["url"])
                    self._twins[_place(row["url"]), row["sha256"]] = row["url"]
                self._follow(row)

    def _is_done(self, url: str) -> bool:
        """Return whether this run has an answer for an address that it need not ask for again."""
        row = self._folder.rows.get(url, {})
        return row.get("run") == self._run and row["status"] not in ("failed", "left")

    def _add(self, item: _Item) -> None:
        """Give an item to the threads."""
        self._items.append(item)
        self._open += 1
        self._jobs.add(item, urls.hostname(item.url))

    def _feed(self) -> None:
        """Give the next items to the threads: sitemaps first, then pages, as many as may be saved."""
        options = self._options
        while self._sitemaps and self._open < _WINDOW:
            self._sitemaps_open += 1
            self._add(_Item("sitemap", self._sitemaps.popleft()))
        if self._sitemaps_open or self.stopped_by:
            return
        while self._held:
            self._follow(self._held.pop())
        while self._open < _WINDOW and len(self._saved) + self._open < options.max_pages:
            if self._asked > _MAX_ASKED * options.max_pages:
                self.stopped_by = "nearly all addresses lead to errors or copies"
                return
            key = self._next()
            if not key:
                return
            self._asked += 1
            self._add(_Item("page", key))

    def _next(self) -> str:
        """Return the next page to open; at the end, those of earlier runs that nothing links to any more."""
        for waiting in (self._plain, self._later):
            if waiting:
                return waiting.popleft()
        for row in self._folder.rows.values():
            url = str(row["url"])
            if row.get("file") and url not in self._known and self._scope.key(url) == url and self._scope.follows(url):
                self._known[url] = (row.get("depth", 0), 0)
                return url
        return ""

    # What the threads do.

    def _work(self, item: _Item) -> object:
        """Fetch one item. Raises WebtoolError."""
        ctx = self._ctx.derive()
        if item.kind == "sitemap":
            return self._sitemap(ctx, item.url)
        if item.kind == "page":
            ctx.check_hop = self._require_inside
        opened = self._page(ctx, item.url)
        return opened._replace(sitemaps=ctx.robots.sitemaps(item.url)) if item.kind == "start" else opened

    def _require_inside(self, url: str) -> None:
        """Raise InvalidUrl if a redirect leads out of the crawl's folder."""
        if not self._scope.key(url):
            raise InvalidUrl(f"it leads to {urls.shortened(url)}, outside of {self._scope.prefix}")

    def _page(self, ctx: Context, url: str) -> _Opened:
        """Open and convert a page, and read its links in a worker."""
        options = self._options
        request = PageRequest(url, options.mode, force=self.is_refresh, ttl=TTL_PARTS, **options.members)
        page = open_page(ctx, request)
        snapshot = page.snapshot
        if page.stale and self.is_refresh:
            raise NetworkError(f"the page could not be asked for again: {page.notes[-1]}")
        policy.require_input(ctx, policy.signals(snapshot), snapshot.final_url)
        markdown = snapshot.markdown or ""
        source = page.source or Source(snapshot.raw_bytes or b"", snapshot.content_type, snapshot.final_url)
        arguments = (source.body, source.content_type, source.url, markdown)
        links: list[str] = ctx.compute("webtool.bulk.scope:links_of", *arguments)  # type: ignore[assignment]
        if is_html(snapshot) or "markdown" in (snapshot.content_type or ""):
            markdown = retargeted(markdown, lambda target: self._absolute(target, snapshot.final_url))
        text = front_matter.with_header(snapshot, markdown)
        title = snapshot.title or ""
        body = digest(source.body.decode("latin-1")) if isinstance(source.body, bytes) and source.body else ""
        return _Opened(source.url, title, text, digest(f"{title}\n{markdown}"), body, links)

    def _absolute(self, target: str, base: str) -> str:
        """Return a link's target in absolute form, that of a page of the site as its key."""
        if target.startswith("#"):
            return target
        try:
            url = urls.join(base, target)
        except WebtoolError:
            return target
        key, mark, fragment = self._scope.key(url), *url.partition("#")[1:]
        return key + mark + fragment if key else url

    def _sitemap(self, ctx: Context, url: str) -> tuple[list[str], bool]:
        """Fetch a sitemap, which may be compressed, and return its addresses."""
        from webtool.bulk.files import unpacked

        response = policy.fetch(ctx, Request(url), max_bytes=_MAX_SITEMAP)
        if response.status >= 400:
            raise UnsupportedContent(f"HTTP {response.status}")
        body = response.body
        if body.startswith(b"\x1f\x8b"):
            body = unpacked(url, body, _MAX_SITEMAP)
        return scopes.addresses_in(body)

    # What becomes of an outcome.

    def _taken(self, item: _Item, outcome: Any) -> Iterator[Row]:
        """Yield the rows that an outcome makes: one, or two if a redirect led to another page of the site."""
        if item.kind == "sitemap":
            self._sitemaps_open -= 1
            yield self._sitemap_row(item.url, outcome)
            return
        if isinstance(outcome, WebtoolError):
            if item.kind == "start":
                raise outcome
            yield self._error_row(item.url, outcome)
            return
        if item.kind == "start":
            self._adopt(outcome.final_url)
            self._find_sitemaps(outcome.sitemaps)
        target = self._scope.key(outcome.final_url)
        url = self._scope.key(item.url) or target
        depth, series = self._known.setdefault(url, (0, 0))
        if not target or (item.kind == "page" and target != url and not self._scope.follows(target)):
            yield self._error_row(url, InvalidUrl(f"it leads to {outcome.final_url}, which is not to be saved"))
            return
        if target != url:
            yield {"url": url, "status": "duplicate", "run": self._run, "same_as": target}
            if target in self._known:
                return  # it is opened, or will be
            self._known[target] = (depth, series)
        yield self._page_row(target, outcome, depth)

    def _adopt(self, final_url: str) -> None:
        """Let the crawl's site be the one that the start page redirected to, if only scheme or www. differ.

        Raises InvalidUrl if it redirected elsewhere.
        """
        start, final = urls.parse(self._options.url), urls.parse(final_url)
        is_same_host = (start.host or "").removeprefix("www.") == (final.host or "").removeprefix("www.")
        if is_same_host and start.origin != final.origin and start.port is None and final.port is None:
            base = start._replace(scheme=final.scheme, host=final.host).href
            self._scope = Scope(base, self._options.include, self._options.exclude)
            self._folder.begin(**{**self._folder.head, "base": base})
        if not self._scope.key(final_url):
            hint = f"Crawl that address: webtool crawl {urls.shortened(final_url)} -o DIR"
            raise InvalidUrl(
                f"{self._options.url} leads to {urls.shortened(final_url)}, outside of its folder", hint=hint
            )

    def _page_row(self, url: str, opened: _Opened, depth: int) -> Row:
        """Write a page, unless it is a copy of another or has not changed. Return its row, which has its new links.

        A copy has the text of another page at the same place, with another query. Or it has the body of a page of its
        name in folders with the same names: /a/b/page and /a/b/a/page, as a link back to /a/ makes without end.
        """
        row: Row = {"url": url, "status": "saved", "run": self._run}
        names = [(_place(url), opened.sha256)]
        if opened.body and opened.links:
            parts, _, last = _place(url).rpartition("/")
            names.append((f"{'/'.join(sorted(set(parts.split('/'))))}:{last}", opened.body))
        twin = next((self._twins[name] for name in names if name in self._twins), url)
        if twin != url:
            return {**row, "status": "duplicate", "same_as": twin}
        self._twins.update(dict.fromkeys(names, url))
        before = self._folder.rows.get(url, {})
        name = self._folder.file_for(url, self._scope.folder)
        row.update(file=name, title=opened.title, sha256=opened.sha256, depth=depth)
        row["is_changed"] = before.get("sha256") != opened.sha256 or not self._folder.has(name)
        if row["is_changed"]:
            self._folder.record({**row, "status": "failed", "run": 0, "sha256": ""})  # from here on the name is taken
            self._folder.write(name, opened.text.encode("utf-8", "replace"))
        self._saved.add(url)
        row["links"] = list(dict.fromkeys(filter(None, map(self._scope.key, opened.links))))
        row["links"] = [key for key in row["links"] if key not in self._linked and key != url]
        self._linked.update(row["links"])
        if self._sitemaps:
            self._held.append(row)
        else:
            self._follow(row)
        return row

    def _error_row(self, url: str, error: WebtoolError) -> Row:
        """Return the row of a page that could not be opened; the file of an earlier run stays."""
        before = self._folder.rows.get(url, {})
        kept: Row = {name: before[name] for name in ("file", "title", "sha256", "depth") if name in before}
        status = "failed"
        if error.status_code in _GONE:
            status = "gone" if kept.get("file") else "missing"
        elif isinstance(error, (UnsupportedContent, InvalidUrl, RobotsDisallowed)) and not error.retryable:
            status = "skipped"
        if (error.retry_after or 0.0) > self._manners.max_wait:
            self.stopped_by = error.message
        facts = {"error_code": error.code, "error": error.message}
        return {"url": url, "status": status, "run": self._run, **kept, **facts}

    # Where addresses come from.

    def _find_sitemaps(self, listed: Iterable[str]) -> None:
        """Queue the sitemaps that robots.txt lists, else those at the usual addresses."""
        if self._options.depth is not None:
            return
        start = self._scope.start
        usual = (f"{self._scope.prefix}sitemap.xml", *(() if listed else (f"{start.origin}/sitemap.xml",)))
        for address in dict.fromkeys((*listed, *usual)):
            self._queue_sitemap(urls.join(start, address))

    def _queue_sitemap(self, address: str) -> None:
        url = policy.address(address)
        if url and url not in self._known and not self._is_done(url) and self._sitemaps_known < _MAX_SITEMAPS:
            self._sitemaps_known += 1
            self._known[url] = (0, 0)
            self._sitemaps.append(url)

    def _sitemap_row(self, url: str, outcome: Any) -> Row:
        """Queue what a sitemap lists; return its row."""
        row: Row = {"url": url, "status": "sitemap", "run": self._run}
        if isinstance(outcome, WebtoolError):
            return {**row, "error_code": outcome.code, "error": outcome.message}
        addresses, is_index = outcome
        if is_index:
            for address in addresses:
                self._queue_sitemap(address)
            return row
        row["links"] = list(dict.fromkeys(filter(None, map(self._scope.key, addresses))))
        self._follow(row)
        return row

    def _follow(self, row: Row) -> None:
        """Queue the links of a row."""
        depth, series = self._known.get(row["url"], (0, 0))
        limit = self._options.depth
        if limit is not None and depth >= limit:
            return
        name = scopes.series_of(row["url"])
        for key in row.get("links", ()):
            self._linked.add(key)
            its_name = scopes.series_of(key)
            before = series + 1 if its_name and its_name == name else series if its_name and name else 0
            self._enqueue(key, depth + 1, before)

    def _enqueue(self, key: str, depth: int, series: int) -> None:
        """Queue a page unless it is known, filtered out or of a series without end."""
        if key in self._known or not self._scope.follows(key):
            return
        if series > _MAX_SERIES or self._known_length > _MAX_KNOWN:
            self.endless += 1
            return
        self._known[key] = (depth, series)
        self._known_length += len(key)
        if not self._is_done(key):
            (self._later if scopes.is_late(key) else self._plain).append(key)

    # The end of a run.

    def finish(self) -> dict[str, int]:
        """Make links relative, write the list of pages and the manifest. Returns numbers of addresses by status."""
        rows = {url: row for url, row in self._folder.rows.items() if row.get("file") or row.get("run") == self._run}
        for key in (*self._plain, *self._later):
            rows.setdefault(key, {"url": key, "status": "left"})
        pages = [row for row in self._in_order(rows) if row.get("file")]
        files = {row["url"]: row["file"] for row in pages}
        for _ in range(2):  # a copy may be one of a page that redirects
            files.update((url, files[row["same_as"]]) for url, row in rows.items() if row.get("same_as") in files)
        for row in pages:
            self._make_relative(row["file"], files)
        counts: dict[str, int] = {"changed": sum(bool(row.get("is_changed")) for row in pages)}
        for row in rows.values():
            counts[row["status"]] = counts.get(row["status"], 0) + 1
        self._write_index(pages, counts.get("left", 0))
        kept = ({name: value for name, value in row.items() if name != "is_changed"} for row in rows.values())
        self._folder.finish(kept, is_whole=True)
        return counts

    def _in_order(self, rows: dict[str, Row]) -> list[Row]:
        """Return the rows in the site's order: each page is followed by those that it was the first to link to."""
        stack = [*reversed(list(rows)), self._scope.key(self._scope.start.href)]
        ordered: dict[str, Row] = {}
        while stack:
            url = stack.pop()
            if url in rows and url not in ordered:
                ordered[url] = rows[url]
                if rows[url]["status"] != "sitemap":
                    links = sorted(rows[url].get("links", ()), key=scopes.is_late)
                    stack += [*reversed(links), rows[url].get("same_as", "")]
        return sorted(ordered.values(), key=lambda row: scopes.is_late(row["url"]))

    def _make_relative(self, name: str, files: dict[str, str]) -> None:
        """Make the links of a file to other saved pages relative."""
        head, line, text = (self._folder.read(name) or b"").decode("utf-8", "replace").partition("\n---\n")
        if self._scope.prefix not in text:
            return

        def target(url: str) -> str:
            address, mark, fragment = url.partition("#")
            other = files.get(address) or (files.get(self._scope.key(address)) if "://" in address else None)
            if other == name and mark:
                return mark + fragment
            return folders.relative(other, name) + mark + fragment if other else url

        self._folder.write(name, (head + line + retargeted(text, target)).encode("utf-8", "replace"))

    def _write_index(self, pages: list[Row], left: int) -> None:
        """Write the list of pages."""
        titles = folders.without_site_name([row.get("title", "") for row in pages])
        listed = []
        for row, title in zip(pages, titles):
            shown = folders.title_as_markdown(title, posixpath.basename(row["file"])[:-3])
            listed.append((row["file"], shown + " (gone from the site)" * (row["status"] == "gone")))
        heading = folders.title_as_markdown(pages[0].get("title", "") if pages else "", self._scope.start.host or "")
        about = f"{counted(len(pages), 'page')} of <{self._scope.prefix}>, saved by webtool."
        if left:
            about += f" {left:,} more were found and not saved; {folders.MANIFEST} lists them."
        text = folders.list_of_pages(listed, heading, about)
        self._folder.write(folders.INDEX, text.encode("utf-8", "replace"))


def _place(url: str) -> str:
    """Return a URL's path without the name of a folder's index: /docs/index.html -> /docs/."""
    folder, slash, last = urls.parse(url).path.rpartition("/")
    return folder + slash + ("" if last.lower().startswith(_INDEX_NAMES) else last)
