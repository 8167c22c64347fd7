"""Many pages in one call: extract_many and to_markdown_many. In: (url, html) of each page. Out: rows, in that order.

A row is a plain dict that json, Arrow and pandas take. Pages are converted in worker processes, one for each core, with
a bound on time and memory for each page: one that breaks a bound, or its process, is a row with error_code, and costs
nobody else. Pages are taken from their iterator as they are needed, so that there may be any number of them; at most
AHEAD for each worker are held.

What 2.5 billion pages take, as Common Crawl gathers them in a month (90,000 WARC files of 1 GB, 28,000 pages each),
from what tests/bench/many.py and archives.py measure: a core extracts 30 pages of 200 KB in a second and reads 2,000 of
them out of gzip in the same time, so reading is 2 % of the work. 2.5e9 / 30 are 8.3e7 core-seconds or 23,000
core-hours: a day on 1,000 cores, some 1,200 dollars at 5 cents a core-hour. One WARC file, 16 minutes of a core, is a
good unit of work; with workers=0 where the engine has a process for each core. Nothing is shared, so there is no
shuffle, and a lost unit is simply done again. Each writes rows to a file of its own, named after its WARC file and
renamed when it is whole: 32 KB a page, 7 KB in gzip, 18 TB in all. What fails first is not the processor. Reading 90 TB
in a day is 1 GB/s: stay where the files are. Then the last units keep a thousand cores waiting, unless there are many
more units than cores: here there are 90 for each. Then pages that take all memory or all time, which cost themselves
alone with workers=1, and a process with workers=0: give each core 700 MB, or use workers=1 there too (3 % more CPU). A
shuffle comes only with what comes after, such as leaving out copies: group by a hash of `text`, not by the text.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from webtool.errors import InvalidArgument, WebtoolError, of_bug
from webtool.lean.typing import Any
from webtool.running.workers import MEMORY, Workers

Row = dict[str, object]

AHEAD = 8
"""Pages held for each worker: enough that none waits while one page takes its time."""
SECONDS = 30.0
"""Time that one page may take, unless the caller says otherwise."""


def extract_many(
    pages: Iterable[object],
    workers: int | None = None,
    *,
    strategy: str = "readability",
    seconds: float = SECONDS,
    memory: int = MEMORY,
) -> Iterator[Row]:
    """The main content of each page: a row with `url`, `success` and what Extraction.to_dict() gives.

    `pages` gives (url, html) or (url, html, content_type); html is str or bytes, and documents of other kinds (PDF,
    Office, feeds) are read too. `workers` processes (default: one for each core; 0: this process, without bounds) take
    at most `seconds` and `memory` bytes for a page. Errors are rows with `error` and `error_code`. Raises
    InvalidArgument for an unknown strategy.
    """
    from webtool.extraction.article import check_strategy

    check_strategy(strategy)
    return _rows(pages, workers, ("extracted", (strategy,)), seconds, memory)


def to_markdown_many(
    pages: Iterable[object], workers: int | None = None, *, seconds: float = SECONDS, memory: int = MEMORY
) -> Iterator[Row]:
    """Each page whole as markdown: a row with `url`, `success`, `title` and `markdown`. As extract_many otherwise."""
    return _rows(pages, workers, ("converted", ()), seconds, memory)


def extracted(url: str, body: str | bytes, content_type: str | None, strategy: str) -> Row:
    """The members of one row of extract_many, made in a worker. Raises WebtoolError."""
    document = _document(url, body, content_type)
    if document is not None:
        return document
    from webtool import extraction, html

    with html.Reading() as reading:
        root = reading.keep(html.parse_page(body, content_type, scripting=True))
        return extraction.extract(root, url or None, strategy).to_dict()


def converted(url: str, body: str | bytes, content_type: str | None) -> Row:
    """The members of one row of to_markdown_many, made in a worker. Raises WebtoolError."""
    document = _document(url, body, content_type)
    if document is not None:
        return {"title": document["title"], "markdown": document["markdown"]}
    from webtool import html, markdown
    from webtool.pages.conversion import title_of

    with html.Reading() as reading:
        root = reading.keep(html.parse_page(body, content_type))
        return {"title": title_of(root), "markdown": markdown.to_markdown(root, url or None)}


def _document(url: str, body: str | bytes, content_type: str | None) -> Row | None:
    """A page that is not HTML, by its bytes; by its type only where one was given, as any text may be a bit of HTML."""
    from webtool import documents

    if isinstance(body, str):
        return None
    kind = documents.kind_of(body, content_type, url)
    if kind == "html" or (documents.is_text(kind) and not content_type):
        return None
    found = documents.convert(body, kind, content_type, url)
    return {"title": found.title, "markdown": found.markdown, "text": found.markdown, "strategy_used": found.kind}


def _rows(
    pages: Iterable[object], workers: int | None, job: tuple[str, tuple[object, ...]], seconds: float, memory: int
) -> Iterator[Row]:
    if workers is not None and (type(workers) is not int or workers < 0):
        raise InvalidArgument(f"workers is {workers!r}", hint="Give a number of processes, 0 for none, None for all.")
    name, extra = job
    if workers == 0:
        return (_row(page, lambda *arguments: globals()[name](*arguments, *extra)) for page in pages)
    pool = Workers(workers or 0)

    def call(*arguments: object) -> Any:
        deadline = time.monotonic() + seconds
        return pool.call("webtool.bulk.many:" + name, *arguments, *extra, deadline=deadline, memory=memory)

    return _in_order(pages, pool, call)


def _in_order(pages: Iterable[object], pool: Workers, call: Any) -> Iterator[Row]:
    """Rows through the pool; one thread for each worker waits for it."""
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: deque[Future[Row]] = deque()
    threads = ThreadPoolExecutor(pool.count)
    try:
        for page in pages:
            waiting.append(threads.submit(_row, page, call))
            while len(waiting) > AHEAD * pool.count or (waiting and waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()


def _row(page: Any, call: Any) -> Row:
    url = ""
    try:
        url, body, content_type = _parts(page)
        return {"url": url, "success": True, **call(url, body, content_type)}
    except Exception as exc:
        error = exc if isinstance(exc, WebtoolError) else of_bug(exc)
        return {"url": "", **error.to_dict(), **({"url": url} if url else {})}


def _parts(page: Any) -> tuple[str, str | bytes, str | None]:
    """(url, html, content type) of what the caller gave for a page. Raises InvalidArgument."""
    if isinstance(page, WebtoolError):  # found out where the pages were gathered
        raise page
    if not isinstance(page, (tuple, list)) or not 2 <= len(page) <= 3:
        raise InvalidArgument(f"a page is {type(page).__name__}", hint="Give (url, html) for each page.")
    url, body, content_type = (*page, None)[:3]
    if isinstance(body, (bytearray, memoryview)):
        body = bytes(body)
    if not isinstance(body, (str, bytes)):
        raise InvalidArgument(f"html is {type(body).__name__}", hint="Give text or bytes.", url=str(url or "") or None)
    return str(url or ""), body, content_type
