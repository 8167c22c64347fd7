"""Save the pages of a site in a folder. In: a context, a Folder, Options. Out: rows, as pages are done.

SiteCrawl opens the start page, reads the sitemaps, then opens their pages and whatever these link to. Each part of the
work has a module: scope decides what belongs to the site, frontier what is opened next, crawl runs the threads and
waits as the host asks, folder writes files and the manifest, contents writes index.md.

A folder's runs are numbered. A run asks for every page once, from the second run on with conditional requests. If the
last run was killed or left pages, a call with the same options takes over its number. What a row of the manifest with
this number answers is not asked for again.
A page is written with absolute links. finish() makes the links between saved pages relative, in all files.
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from webtool import urls
from webtool.answers.views import retargeted
from webtool.bulk import contents
from webtool.bulk import scope as scopes
from webtool.bulk.crawl import Crawl, Manners
from webtool.bulk.files import unpacked
from webtool.bulk.folder import INDEX, Folder, Row, relative
from webtool.bulk.frontier import Frontier
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
)
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.net.messages import Request
from webtool.pages import PageRequest, open_page, policy
from webtool.pages.request import Source
from webtool.pages.stored_metadata import is_html

MAX_PAGES = 200  # default of Options.max_pages
_WINDOW = 32  # pages that are being opened, or are open and not read yet
_MAX_SITEMAPS = 100  # files of a site
_MAX_SITEMAP = 50 << 20  # bytes, the limit of the protocol
_MAX_ASKED = 10  # addresses that are opened for each page that may be saved; a trap answers with errors or copies
_MAX_TITLE = 500  # characters
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

    def choice(self) -> dict[str, Any]:
        """Return the options that two commands must share if one is to resume the run of the other."""
        choice = {"mode": self.mode, "depth": self.depth, "include": [*self.include], "exclude": [*self.exclude]}
        return {**choice, **self.members}


class _Item(NamedTuple):
    """A task for a thread: the page or sitemap to fetch."""

    kind: str  # "start", "page" or "sitemap"
    url: str


class _Opened(NamedTuple):
    """A page, read and converted."""

    final_url: str
    title: str
    text: str  # with front matter and absolute links
    sha256: str  # of title and markdown
    body_sha256: str  # "" if the body is unknown
    links: list[str]
    sitemaps: tuple[str, ...] = ()  # that robots.txt lists; of the start page only


class SiteCrawl:
    """One run. Read rows() to its end, then call finish(). `stopped_by` says why pages are left, "" if no page is."""

    def __init__(
        self, ctx: Context, folder: Folder, options: Options, manners: Manners, on_wait: Callable[[Any, float], None]
    ) -> None:
        self._ctx, self._folder, self._options, self._manners, self._on_wait = ctx, folder, options, manners, on_wait
        self._scope = Scope(folder.head.get("base") or options.url, options.include, options.exclude)
        self._frontier = Frontier(self._scope, options.depth)
        self._run = 1
        self._start_links: tuple[str, list[str]] = ("", [])  # queued after what the sitemaps list
        self._sitemaps: deque[str] = deque()  # waiting
        self._known_sitemaps: set[str] = set()
        self._earlier: dict[str, int] = {}  # pages of earlier runs that have a file: their depths
        self._copies: dict[tuple[str, str], str] = {}  # what _traits() gives for a saved page: its key
        self._saved: set[str] = set()
        self._items: list[_Item] = []  # all that were given to the threads
        self._open = {"start": 0, "page": 0, "sitemap": 0}  # how many are under way
        self._asked = 0  # pages
        self.stopped_by = ""

    # Deciding what to open.

    def rows(self) -> Iterator[Row]:
        """Yield a row for each address, when it is done. Raises WebtoolError if the start page cannot be opened."""
        self._begin()
        delay_of = policy.crawl_delay(self._ctx)
        self._threads = Crawl(
            [], [], self._work, self._manners, lambda item: delay_of(item.url), on_wait=self._on_wait, grows=True
        )
        self._give("start", self._options.url)
        for number, outcome in self._threads.outcomes():
            item = self._items[number]
            self._open[item.kind] -= 1
            for row in self._taken(item, outcome):
                self._folder.record(row)
                yield row
            self._feed()
        self._frontier.revisit(self._earlier)  # those that were not reached are left, too
        if self._frontier.waiting() and not self.stopped_by:
            self.stopped_by = f"--max-pages is {self._options.max_pages}"

    @property
    def endless(self) -> int:
        """How many addresses are given up: of a series without end, or too many in all."""
        return self._frontier.endless

    @property
    def share(self) -> float:
        """The share of the known pages that were asked for, 0 to 1."""
        return self._asked / (self._asked + len(self._frontier.waiting()) + 1)

    def _begin(self) -> None:
        """Begin a new run, or go on with the last one and take over what it found."""
        folder, head, choice = self._folder, self._folder.head, self._options.choice()
        if folder.rows and head.get("start") != self._options.url:
            problem = f"{folder.path} has the pages of {head.get('start')}"
            raise InvalidArgument(problem, hint="Give another folder to -o.")
        last = head.get("run", 0)
        saved = sum(row["status"] == "saved" and row.get("run") == last for row in folder.rows.values())
        has_left_pages = any(row["status"] == "left" for row in folder.rows.values())
        is_unfinished = not head.get("is_whole") or (has_left_pages and saved < self._options.max_pages)
        is_resumed = last and is_unfinished and head.get("options") == choice
        self._run = last if is_resumed else last + 1
        folder.begin(start=self._options.url, base=head.get("base"), options=choice, run=self._run, is_whole=False)
        rows = list(folder.rows.values())
        self._earlier = {row["url"]: row.get("depth", 1) for row in rows if row.get("file") and row.get("depth") != 0}
        done = [row for row in rows if self._has_answer(row["url"])]
        for row in done:
            self._frontier.skip(row["url"], row.get("depth", 0))
            if row["status"] == "saved":
                self._saved.add(row["url"])
                self._copies[_place(row["url"]), row["sha256"]] = row["url"]
        for row in done:
            links = row.get("links", ())
            if row["status"] == "sitemap":
                self._queue_sitemaps(row.get("sitemaps", ()))
                self._frontier.follow("", links)
            elif row.get("depth"):  # not the start page, which is opened again
                self._frontier.follow(row["url"], self._frontier.new_links(row["url"], links))
        if self._options.depth is None:
            # A refresh asks for the pages that it has before it asks for others, since --max-pages may end it.
            self._frontier.revisit(self._earlier)

    def _has_answer(self, url: str) -> bool:
        """Return whether the manifest has an answer of this run for an address. A sitemap with an error has none."""
        row = self._folder.rows.get(url, {})
        has_failed = row.get("status") in ("failed", "left") or (row.get("status") == "sitemap" and "error" in row)
        return row.get("run") == self._run and not has_failed

    def _feed(self) -> None:
        """Give work to the threads: first all sitemaps, then pages, no more of these than may be saved."""
        while self._sitemaps and self._open["sitemap"] < _WINDOW:
            self._give("sitemap", self._sitemaps.popleft())
        if self._open["sitemap"] or self.stopped_by:
            return
        self._frontier.follow(*self._start_links)
        self._start_links = ("", [])
        while self._open["page"] < min(_WINDOW, self._options.max_pages - len(self._saved)):
            if self._asked > _MAX_ASKED * self._options.max_pages:
                self.stopped_by = "nearly all addresses lead to errors or copies"
                return
            key = self._next_page()
            if not key:
                return
            self._asked += 1
            self._give("page", key)

    def _next_page(self) -> str:
        """Return the next page to open; with --depth, at the end those that no page links to any more."""
        is_idle = not self._open["page"]
        key = self._frontier.next(is_idle=is_idle)
        if not key and is_idle and self._earlier:
            self._frontier.revisit(self._earlier)
            self._earlier = {}
            key = self._frontier.next(is_idle=is_idle)
        return key

    def _give(self, kind: str, url: str) -> None:
        """Give an item to the threads."""
        self._items.append(_Item(kind, url))
        self._open[kind] += 1
        self._threads.add(self._items[-1], urls.hostname(url))

    # What the threads do.

    def _work(self, item: _Item) -> object:
        """Fetch one item. Raises WebtoolError."""
        ctx = self._ctx.derive()
        if item.kind == "sitemap":
            return self._fetch_sitemap(ctx, item.url)
        if item.kind == "page":
            ctx.check_hop = self._require_inside
        opened = self._open_page(ctx, item.url)
        return opened._replace(sitemaps=ctx.robots.sitemaps(item.url)) if item.kind == "start" else opened

    def _require_inside(self, url: str) -> None:
        """Raise InvalidUrl if a redirect leads out of the crawl's folder."""
        if not self._scope.key(url):
            raise InvalidUrl(f"it leads to {urls.shortened(url)}, outside of {self._scope.prefix}")

    def _open_page(self, ctx: Context, url: str) -> _Opened:
        """Open and convert a page, and read its links in a worker."""
        is_refresh = self._run > 1
        request = PageRequest(url, self._options.mode, force=is_refresh, ttl=TTL_PARTS, **self._options.members)
        page = open_page(ctx, request)
        snapshot = page.snapshot
        if page.stale and is_refresh:
            raise NetworkError(f"the page could not be asked for again: {page.notes[-1]}")
        policy.require_input(ctx, policy.signals(snapshot), snapshot.final_url)  # raises where ai-input=no
        markdown, title = snapshot.markdown or "", (snapshot.title or "")[:_MAX_TITLE]
        source = page.source or Source(snapshot.raw_bytes or b"", snapshot.content_type, snapshot.final_url)
        arguments = (source.body, source.content_type, source.url, markdown)
        links: list[str] = ctx.compute("webtool.bulk.scope:links_of", *arguments)  # type: ignore[assignment]
        if is_html(snapshot) or "markdown" in (snapshot.content_type or ""):
            markdown = retargeted(markdown, lambda target: self._absolute(target, snapshot.final_url))
        text = front_matter.with_header(snapshot, markdown)
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

    def _fetch_sitemap(self, ctx: Context, url: str) -> tuple[list[str], bool]:
        """Return the addresses of a sitemap, which may be compressed, and whether they are of further sitemaps."""
        response = policy.fetch(ctx, Request(url), max_bytes=_MAX_SITEMAP)
        if response.status >= 400:
            raise UnsupportedContent(f"HTTP {response.status}")
        return scopes.addresses_in(unpacked(url, response.body, _MAX_SITEMAP))

    # What becomes of an outcome.

    def _taken(self, item: _Item, outcome: Any) -> Iterator[Row]:
        """Yield the rows that an outcome makes: one, or two if a redirect led to another page of the site."""
        if item.kind == "sitemap":
            yield self._sitemap_row(item.url, outcome)
        elif not isinstance(outcome, WebtoolError):
            yield from self._page_rows(item, outcome)
        elif item.kind == "start":
            raise outcome
        else:
            yield self._error_row(item.url, outcome)

    def _page_rows(self, item: _Item, opened: _Opened) -> Iterator[Row]:
        """Yield the row of a page that was opened, after one for the address that redirected to it."""
        is_start = item.kind == "start"
        if is_start:
            self._adopt(opened.final_url)
            self._find_sitemaps(opened.sitemaps)
        target = self._scope.key(opened.final_url)
        url = self._scope.key(item.url) or target
        self._frontier.skip(url)
        if target != url:
            if not target or not (is_start or self._scope.follows(target)):
                yield self._error_row(url, InvalidUrl(f"it leads to {opened.final_url}, which is not to be saved"))
                return
            yield {"url": url, "status": "duplicate", "run": self._run, "same_as": target}
            if not self._frontier.redirect(url, target):
                return
        row = self._page_row(target, opened)
        yield row
        if is_start:
            self._start_links = target, row.get("links", [])
        else:
            self._frontier.follow(target, row.get("links", ()))

    def _adopt(self, final_url: str) -> None:
        """Let the crawl's site be the one that the start page redirected to, if only scheme or www. differ.

        Raises InvalidUrl if it redirected elsewhere.
        """
        start, final = urls.parse(self._options.url), urls.parse(final_url)
        is_same_host = (start.host or "").removeprefix("www.") == (final.host or "").removeprefix("www.")
        if is_same_host and start.origin != final.origin and start.port is None and final.port is None:
            base = start._replace(scheme=final.scheme, host=final.host).href
            self._scope = Scope(base, self._options.include, self._options.exclude)
            self._frontier.scope = self._scope
            self._folder.begin(**{**self._folder.head, "base": base})
        if not self._scope.key(final_url):
            shown = urls.shortened(final_url)
            hint = f"Crawl that address: webtool crawl {shown} -o DIR"
            raise InvalidUrl(f"{self._options.url} leads to {shown}, outside of its folder", hint=hint)

    def _page_row(self, url: str, opened: _Opened) -> Row:
        """Write a page, unless it is a copy of another or has not changed. Return its row, which has its new links."""
        row: Row = {"url": url, "status": "saved", "run": self._run}
        traits = _traits(url, opened)
        original = next((self._copies[trait] for trait in traits if trait in self._copies), url)
        if original != url:
            return {**row, "status": "duplicate", "same_as": original}
        self._copies.update(dict.fromkeys(traits, url))
        before = self._folder.rows.get(url, {})
        name = self._folder.file_for(url, self._scope.folder)
        row.update(file=name, title=opened.title, sha256=opened.sha256, depth=self._frontier.depth_of(url))
        row["is_changed"] = before.get("sha256") != opened.sha256 or self._folder.read(name) is None
        if row["is_changed"]:
            # If the process is killed before the final row is written, the next one asks for the page again, and
            # gives the file's name to no other address.
            self._folder.record({**row, "status": "failed", "run": 0, "sha256": ""})
            self._folder.write(name, opened.text.encode("utf-8", "replace"))
        self._saved.add(url)
        return {**row, "links": self._frontier.new_links(url, map(self._scope.key, opened.links))}

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

    def _find_sitemaps(self, listed: Iterable[str]) -> None:
        """Queue the sitemaps that robots.txt lists, and the usual ones."""
        if self._options.depth is not None:
            return
        start = self._scope.start
        usual = (f"{self._scope.prefix}sitemap.xml", *(() if listed else (f"{start.origin}/sitemap.xml",)))
        self._queue_sitemaps(urls.join(start, address) for address in (*listed, *usual))

    def _queue_sitemaps(self, addresses: Iterable[str]) -> list[str]:
        """Queue sitemaps that were not asked for in this run. Return their addresses."""
        queued: list[str] = []
        for url in map(policy.address, addresses):
            if len(self._known_sitemaps) >= _MAX_SITEMAPS:
                break
            if url and url not in self._known_sitemaps and not self._has_answer(url):
                self._known_sitemaps.add(url)
                queued.append(url)
        self._sitemaps.extend(queued)
        return queued

    def _sitemap_row(self, url: str, outcome: Any) -> Row:
        """Queue what a sitemap lists; return its row."""
        row: Row = {"url": url, "status": "sitemap", "run": self._run}
        if isinstance(outcome, WebtoolError):
            return {**row, "error_code": outcome.code, "error": outcome.message}
        addresses, is_index = outcome
        if is_index:
            return {**row, "sitemaps": self._queue_sitemaps(addresses)}
        links = self._frontier.follow("", filter(None, map(self._scope.key, addresses)))
        return {**row, "links": links}

    # The end of a run.

    def finish(self) -> dict[str, int]:
        """Make links relative, write the list of pages and the manifest. Returns numbers of addresses by status."""
        rows = {url: row for url, row in self._folder.rows.items() if row.get("file") or row.get("run") == self._run}
        for key in self._frontier.waiting():
            rows[key] = {**rows.get(key, {"url": key}), "status": "left"}
        pages = [row for row in contents.in_order(rows, self._scope.key(self._scope.start.href)) if row.get("file")]
        files = {row["url"]: row["file"] for row in pages}
        for _ in range(2):  # a copy may be one of a page that redirects
            files.update((url, files[row["same_as"]]) for url, row in rows.items() if row.get("same_as") in files)
        for row in pages:
            self._make_relative(row["file"], files)
        counts: dict[str, int] = {"changed": sum(bool(row.get("is_changed")) for row in pages)}
        for row in rows.values():
            counts[row["status"]] = counts.get(row["status"], 0) + 1
        unsaved = sum(row["status"] == "left" and "file" not in row for row in rows.values())
        text = contents.index_text(pages, self._scope.start.host or "", self._scope.prefix, unsaved)
        self._folder.write(INDEX, text.encode("utf-8", "replace"))
        kept = ({name: value for name, value in row.items() if name != "is_changed"} for row in rows.values())
        self._folder.finish(kept, is_whole=True)
        return counts

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
            return relative(other, name) + mark + fragment if other else url

        self._folder.write(name, (head + line + retargeted(text, target)).encode("utf-8", "replace"))


def _traits(url: str, opened: _Opened) -> list[tuple[str, str]]:
    """Return what tells copies of a page; two pages that share one of these are one page.

    Path and text: /list?view=a and /list?view=b. Or name, names of the folders above, and body: /a/b/page and
    /a/b/a/page, as a link back to /a/ makes without end (a symbolic link on the server, or a wrong relative link).
    """
    place = _place(url)
    traits = [(place, opened.sha256)]
    if opened.body_sha256 and opened.links:
        *folders, name = place.split("/")
        traits.append((f"{'/'.join(sorted(set(folders)))}:{name}", opened.body_sha256))
    return traits


def _place(url: str) -> str:
    """Return a URL's path without the name of a folder's index: /docs/index.html -> /docs/."""
    folder, slash, last = urls.parse(url).path.rpartition("/")
    return folder + slash + ("" if last.lower().startswith(_INDEX_NAMES) else last)
