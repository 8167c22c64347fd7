"""Save the pages of a site in a folder. In: a context, a Folder, Options. Out: rows, as pages are done.

SiteCrawl opens the start page, reads the sitemaps, then opens their pages and whatever these link to. scope.py decides
what belongs to the site and what is opened next, crawl.py runs the threads and waits as the host asks, site_pages.py
reads a page and finds copies, folder.py writes files and the manifest, finishing.py ends a run.

Each address gets a row in the manifest: `url`, `status` (folder.STATUSES lists them), and `run`. A folder's runs are
numbered. A run asks for every page once, from the second run on with conditional requests. If the last run was killed
or left pages, and had the same options, the next command resumes it: it keeps the number of that run, and does not ask
again for addresses that have an answer with this number.
Tests: tests/bulk/test_site.py, tests/bulk/test_documentation.py
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from webtool import urls
from webtool.bulk import finishing
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.folder import ABOUT_FILE, Folder, Row
from webtool.bulk.scope import Frontier, Scope
from webtool.bulk.site_pages import PAGE, SITEMAP, START, Copies, OpenedPage, SiteReader
from webtool.context import Context
from webtool.errors import InvalidArgument, InvalidUrl, RobotsDisallowed, UnsupportedContent, WebtoolError
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages import policy

_WINDOW = 32  # pages that are being opened, or are open and not read yet
_MAX_SITEMAPS = 100  # files of a site
_MAX_ASKED = 10  # addresses opened for each page of max_pages; more means a trap that answers with errors or copies


class Options(NamedTuple):
    """Choices of the caller. Two commands that share all but max_pages resume each other's runs."""

    url: str  # normalised
    mode: str = "readable"
    max_pages: int = 200
    depth: int | None = None  # links from the start page; with a limit no sitemap is read
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()


class SiteCrawl:
    """One run. Read rows() to its end, then call finish(). `stopped_by` says why pages are left, "" if no page is."""

    def __init__(
        self, ctx: Context, folder: Folder, options: Options, manners: Manners, on_wait: Callable[[Any, float], None]
    ) -> None:
        self._ctx, self._folder, self._options, self._manners, self._on_wait = ctx, folder, options, manners, on_wait
        self._scope = Scope(folder.head.get("base") or options.url, options.include, options.exclude)
        self._frontier = Frontier(self._scope, options.depth)
        self._reader = SiteReader(ctx, self._scope, options.mode)
        self._run = 1
        self._start_links: tuple[str, Sequence[str]] = ("", ())  # start page, its links; queued after those of sitemaps
        self._start_page_links: Sequence[str] = ()  # all links of the start page, also those that lead out of the site
        self._sitemaps: deque[str] = deque()  # addresses of sitemaps that are still to be read
        self._known_sitemaps: set[str] = set()
        # Depths of the pages that have a file of an earlier run. Without a limit of depth they are opened first, with
        # one after all pages that links lead to.
        self._earlier: dict[str, int] = {}
        self._copies = Copies()
        self._saved: set[str] = set()  # pages that this run saved
        self._items: list[tuple[str, str]] = []  # (kind, URL) of all that were given to the threads
        self._open = {START: 0, PAGE: 0, SITEMAP: 0}  # how many are under way
        self.stopped_by = ""

    # Deciding what to open.

    def rows(self) -> Iterator[Row]:
        """Yield a row for each address, when it is done. Raises WebtoolError if the start page cannot be opened."""
        self._begin()
        delay_of = policy.crawl_delay(self._ctx)
        self._threads = Crawl(
            [], [], self._reader.read, self._manners, lambda item: delay_of(item[1]), on_wait=self._on_wait, grows=True
        )
        self._give(START, self._options.url)
        for number, outcome in self._threads.outcomes():
            kind, url = self._items[number]
            self._open[kind] -= 1
            for row in self._rows_of(kind, url, outcome):
                self._folder.record(row)
                self._learn(row)
                yield row
            self._feed()
        self._frontier.revisit(self._earlier)  # the pages of earlier runs that were not reached count as left
        if self._frontier.waiting() and not self.stopped_by:
            self.stopped_by = f"--max-pages is {self._options.max_pages}"

    @property
    def endless(self) -> int:
        """How many addresses are given up: of a series without end, or too many in all."""
        return self._frontier.endless

    @property
    def note(self) -> str:
        """Say why the run found the start page only; "" if it found other pages, or was not to look for any."""
        options, links = self._options, self._start_page_links
        is_limited = options.max_pages < 2 or options.include or options.exclude or options.depth == 0
        has_others = self._frontier.waiting() or any(kind == PAGE for kind, _ in self._items) or len(self._saved) > 1
        if is_limited or has_others:
            return ""
        if not links:
            hint = "" if options.mode == "rendered" else "; --mode rendered runs its scripts first"
            return f"the start page has no links to follow{hint}"
        around = self._scope.folder_around(links)
        hint = f"; to save what is beside it, crawl {around}" if around else ""
        return f"no link of the start page leads to another page below {self._scope.prefix}{hint}"

    @property
    def share(self) -> float:
        """The share of the known addresses that were asked for, 0 to 1."""
        return len(self._items) / (len(self._items) + len(self._frontier.waiting()) + 1)

    def _begin(self) -> None:
        """Begin a new run, or go on with the last one and take over its answers. Raises InvalidArgument."""
        folder, options = self._folder, self._options
        rows = list(folder.rows.values())
        start = urls.redact(options.url)
        if rows and folder.head.get("start") != start:
            problem = f"{folder.path} has the pages of {folder.head.get('start')}"
            raise InvalidArgument(problem, hint="Give another folder to -o.")
        self._run = self._number_of_run(rows)
        self._reader.is_refresh = self._run > 1
        choice = _comparable(options)
        folder.begin(start=start, base=folder.head.get("base"), options=choice, run=self._run, is_whole=False)
        self._earlier = {row["url"]: row.get("depth", 1) for row in rows if row.get("file") and row.get("depth") != 0}
        done = [row for row in rows if self._has_answer(row["url"]) and self._is_usable(row)]
        for row in done:  # all, before the links of the first one are queued
            self._frontier.skip(row["url"], row.get("depth", 0))
        for row in done:
            self._learn(row)
        if options.depth is None:
            # A refresh asks for the pages that it has before it asks for others, since --max-pages may end it.
            self._frontier.revisit(self._earlier)

    def _is_usable(self, row: Row) -> bool:
        """Return whether a row is about a sitemap or a page of the site. Another version may have had other keys."""
        status, url = str(row["status"]), str(row["url"])
        return status == SITEMAP or self._scope.key(url) == url

    def _number_of_run(self, rows: list[Row]) -> int:
        """Return the number of the last run if it is to be resumed, else the next number."""
        head = self._folder.head
        last: int = head.get("run", 0)
        saved = sum(row["status"] == "saved" and row.get("run") == last for row in rows)
        has_left_pages = any(row["status"] == "left" for row in rows)
        # Pages that are left because of --max-pages do not make a run unfinished, unless more are allowed now.
        is_unfinished = not head.get("is_whole") or (has_left_pages and saved < self._options.max_pages)
        is_resumed = last and is_unfinished and head.get("options") == _comparable(self._options)
        return last if is_resumed else last + 1

    def _has_answer(self, url: str) -> bool:
        """Return whether the manifest has this run's answer for an address. A sitemap with an error is read again."""
        row = self._folder.rows.get(url, {})
        has_failed = row.get("status") in ("failed", "left") or (row.get("status") == SITEMAP and "error" in row)
        return row.get("run") == self._run and not has_failed

    def _learn(self, row: Row) -> None:
        """Queue what a row of this run leads to, and remember that its page is saved.

        _sitemap_row() has queued what a sitemap of this process lists, and queueing it again changes nothing. A resumed
        run has only the rows.
        """
        url = row["url"]
        links = [link for link in row.get("links", ()) if self._scope.key(link) == link]
        if row["status"] == SITEMAP:
            self._queue_sitemaps(row.get("sitemaps", ()))
            self._frontier.follow("", links)
        elif row["status"] == "saved":
            self._saved.add(url)
            self._copies.add(url, row["sha256"], row.get("body_sha256", ""))
            if row.get("depth") == 0:
                self._start_links = url, links
            else:
                self._frontier.follow(url, links)

    def _feed(self) -> None:
        """Give work to the threads: first all sitemaps, then pages, no more of these than may be saved."""
        if self.stopped_by:
            return
        while self._sitemaps and self._open[SITEMAP] < _WINDOW:
            self._give(SITEMAP, self._sitemaps.popleft())
        if self._open[SITEMAP]:
            return
        self._frontier.follow(*self._start_links)
        self._start_links = ("", ())
        while self._open[PAGE] < min(_WINDOW, self._options.max_pages - len(self._saved)):
            key = self._next_page()
            if not key:
                return
            self._give(PAGE, key)
            if len(self._items) > _MAX_ASKED * self._options.max_pages + _MAX_SITEMAPS:
                self.stopped_by = "nearly all addresses lead to errors or copies"
                return

    def _next_page(self) -> str:
        """Return the next page to open, "" if none waits now; after all others, those of earlier runs."""
        is_idle = not self._open[PAGE]
        key = self._frontier.next(is_idle=is_idle)
        if not key and is_idle and self._earlier:
            self._frontier.revisit(self._earlier)
            self._earlier = {}
            key = self._frontier.next(is_idle=is_idle)
        return key

    def _give(self, kind: str, url: str) -> None:
        self._items.append((kind, url))
        self._open[kind] += 1
        self._threads.add(self._items[-1], urls.hostname(url))

    # What becomes of an outcome.

    def _rows_of(self, kind: str, url: str, outcome: Any) -> list[Row]:
        """Return the rows that an outcome makes: one, or two if a redirect led to another page of the site."""
        if isinstance(outcome, WebtoolError):
            if kind == START:
                raise outcome
            return [self._error_row(kind, url, outcome)]
        if kind == SITEMAP:
            return [self._sitemap_row(url, *outcome)]
        if kind == START:
            self._adopt(outcome.final_url)
            self._start_page_links = outcome.links
            self._find_sitemaps(outcome.sitemaps)
        target = self._scope.key(outcome.final_url)
        url = self._scope.key(url) or target  # the start page may have led to another host of the site
        self._frontier.skip(url)
        if target == url:  # no redirect
            return [self._page_row(url, outcome)]
        if not target or not (kind == START or self._scope.follows(target)):  # it leads out of what is saved
            error = InvalidUrl(f"it leads to {outcome.final_url}, which is not to be saved")
            return [self._error_row(kind, url, error)]
        row = self._copy_row(url, target)
        if not self._frontier.redirect(url, target):  # to a page that has its own turn
            return [row]
        return [row, self._page_row(target, outcome)]

    def _adopt(self, final_url: str) -> None:
        """Adopt the scheme or www. to which the start page redirected. Raises InvalidUrl for another place."""
        start, final = urls.parse(self._options.url), urls.parse(final_url)
        is_same_host = (start.host or "").removeprefix("www.") == (final.host or "").removeprefix("www.")
        if is_same_host and start.origin != final.origin and start.port is None and final.port is None:
            base = start._replace(scheme=final.scheme, host=final.host).href
            scope = Scope(base, self._options.include, self._options.exclude)
            self._scope = self._frontier.scope = self._reader.scope = scope
            self._folder.begin(**{**self._folder.head, "base": self._scope.key(base) or base})
        if not self._scope.key(final_url):
            shown = urls.shortened(final_url)
            hint = f"Crawl that address: webtool crawl {shown} -o DIR"
            raise InvalidUrl(f"{urls.shortened(self._options.url)} leads to {shown}, outside of its folder", hint=hint)

    def _page_row(self, url: str, opened: OpenedPage) -> Row:
        """Write a page, unless it is a copy of another or has not changed. Return its row, which has its new links."""
        row: Row = {"url": url, "status": "saved", "run": self._run}
        # The body finds copies at ever longer paths, which a wrong link on each of them makes. A page without links
        # makes no such path, so its text alone says whether it is a copy.
        body_sha256 = opened.body_sha256 if opened.links else ""
        original = self._copies.add(url, opened.sha256, body_sha256)
        if original != url:
            return self._copy_row(url, original)
        before = self._folder.rows.get(url, {})
        name = self._folder.file_for(url, self._scope.folder)
        row.update(file=name, title=opened.title, sha256=opened.sha256, depth=self._frontier.depth_of(url))
        if body_sha256:
            row["body_sha256"] = body_sha256
        row["is_changed"] = before.get("sha256") != opened.sha256 or self._folder.read(name) is None
        if row["is_changed"]:
            # If the process is killed before the final row is written, the next one asks for the page again, and
            # gives the file's name to no other address.
            self._folder.record({**row, "status": "failed", "run": 0, "sha256": ""})
            self._folder.write(name, opened.text.encode("utf-8", "replace"))
        return {**row, "links": self._frontier.new_links(url, map(self._scope.key, opened.links))}

    def _copy_row(self, url: str, original: str) -> Row:
        """Return the row of a copy of another page. finish() decides about the file that an earlier run wrote."""
        row: Row = {"url": url, "status": "duplicate", "run": self._run, "same_as": original}
        before = self._folder.rows.get(url, {})
        return {**row, **{name: before[name] for name in ABOUT_FILE if name in before}}

    def _error_row(self, kind: str, url: str, error: WebtoolError) -> Row:
        """Return the row of an address that could not be opened; the file of an earlier run stays."""
        row: Row = {"url": url, "status": "failed", "run": self._run, "error_code": error.code, "error": error.message}
        if (error.retry_after or 0.0) > self._manners.max_wait:
            self.stopped_by = error.message
        if kind == SITEMAP:
            return {**row, "status": SITEMAP}
        before = self._folder.rows.get(url, {})
        if error.status_code in (404, 410):
            row["status"] = "gone" if before.get("file") else "missing"
        elif isinstance(error, (UnsupportedContent, InvalidUrl, RobotsDisallowed)) and not error.retryable:
            row["status"] = "skipped"
        return {**row, **{name: before[name] for name in ABOUT_FILE if name in before}}

    def _find_sitemaps(self, listed: Iterable[str]) -> None:
        """Queue the sitemaps that robots.txt lists, and the usual ones."""
        if self._options.depth is None:
            start = self._scope.start
            usual = (f"{self._scope.prefix}sitemap.xml", *(() if listed else (f"{start.origin}/sitemap.xml",)))
            self._queue_sitemaps(urls.join_or_empty(start, address) for address in (*listed, *usual))

    def _queue_sitemaps(self, addresses: Iterable[str]) -> list[str]:
        """Queue sitemaps that were not asked for in this run. Return their addresses."""
        queued: list[str] = []
        for url in map(policy.normalised, addresses):
            if len(self._known_sitemaps) >= _MAX_SITEMAPS:
                break
            if url and url not in self._known_sitemaps and not self._has_answer(url):
                self._known_sitemaps.add(url)
                queued.append(url)
        self._sitemaps.extend(queued)
        return queued

    def _sitemap_row(self, url: str, addresses: list[str], is_index: bool) -> Row:
        """Queue what a sitemap lists; return its row."""
        row: Row = {"url": url, "status": SITEMAP, "run": self._run}
        if is_index:
            return {**row, "sitemaps": self._queue_sitemaps(addresses)}
        return {**row, "links": self._frontier.follow("", [*filter(None, map(self._scope.key, addresses))])}

    def finish(self) -> dict[str, int]:
        """Finish the folder. Returns numbers of addresses by status."""
        return finishing.finish(self._folder, self._scope, self._run, self._frontier.waiting())


def _comparable(options: Options) -> list[object]:
    """Return the options that two calls must share to be one run, as JSON has them: all but URL and max_pages."""
    return [options.mode, options.depth, list(options.include), list(options.exclude)]
