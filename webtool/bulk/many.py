"""Convert many pages in one call: extract_many and to_markdown_many. In: (url, html) of each page. Out: rows, in order.

A row is a plain dict that json, Arrow and pandas accept. Pages are converted in worker processes, one per core, with a
limit of time and memory for each page. A page that exceeds a limit or crashes its process becomes a row with error_code
and does not affect the others. Pages are read from their iterator as needed, at most AHEAD for each worker, so there
may be any number of them.
Advice for clusters is in help/clusters.md.
Tests: tests/bulk/test_many.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from webtool.errors import InvalidArgument, WebtoolError, of_bug
from webtool.lean.typing import Any
from webtool.running.workers import MEMORY, Workers

Row = dict[str, object]

AHEAD = 8  # pages read ahead for each worker, so that the others have work while one page is slow
SECONDS = 30.0  # default time limit of one page


def extract_many(
    pages: Iterable[object],
    workers: int | None = None,
    *,
    strategy: str = "readability",
    seconds: float | None = None,
    memory: int | None = None,
) -> Iterator[Row]:
    """Yield the main content of each page: a row with `url`, `success` and the fields of Extraction.to_dict().

    `pages` are (url, html) or (url, html, content_type); html is str or bytes, and may be a document of another kind
    (PDF, Office, feed). `workers` is the number of processes (default: one per core; 0: this process, without limits).
    `seconds` (default 30) and `memory` (bytes, default 700 MB) limit each page. Errors are rows with `error` and
    `error_code`. Pages of webtool.archives also get the columns of their capture. webtool.bulk.columns lists all
    columns. Raises InvalidArgument for an unknown strategy, and for limits without workers.
    """
    from webtool.extraction.article import check_strategy

    check_strategy(strategy)
    return _rows(pages, workers, extracted, (strategy,), seconds, memory)


def to_markdown_many(
    pages: Iterable[object], workers: int | None = None, *, seconds: float | None = None, memory: int | None = None
) -> Iterator[Row]:
    """Yield whole pages as markdown: rows with `url`, `success`, `title` and `markdown`. Arguments as extract_many."""
    return _rows(pages, workers, converted, (), seconds, memory)


def extracted(url: str, body: str | bytes, content_type: str | None, strategy: str) -> Row:
    """Return the fields of one row of extract_many. Runs in a worker. Raises WebtoolError."""
    document = _document(url, body, content_type)
    if document is not None:
        return document
    from webtool import extraction, html

    with html.Reading() as reading:
        root = reading.keep(html.parse_page(body, content_type, scripting=True))
        return extraction.extract(root, url or None, strategy).to_dict()


def converted(url: str, body: str | bytes, content_type: str | None) -> Row:
    """Return the fields of one row of to_markdown_many. Runs in a worker. Raises WebtoolError."""
    document = _document(url, body, content_type)
    if document is not None:
        return {"title": document["title"], "markdown": document["markdown"]}
    from webtool import html, markdown
    from webtool.pages.conversion import title_of

    with html.Reading() as reading:
        root = reading.keep(html.parse_page(body, content_type))
        return {"title": title_of(root), "markdown": markdown.to_markdown(root, url or None)}


def _document(url: str, body: str | bytes, content_type: str | None) -> Row | None:
    """Convert a page that is not HTML; None for HTML, and for text that may be HTML as it has no content type."""
    from webtool import documents

    if isinstance(body, str):
        return None
    kind = documents.kind_of(body, content_type, url)
    if kind == "html" or (documents.is_text(kind) and not content_type):
        return None
    document = documents.convert(body, kind, content_type, url)
    markdown = document.markdown
    return {"title": document.title, "markdown": markdown, "text": markdown, "strategy_used": document.kind}


def _rows(
    pages: Iterable[object],
    workers: int | None,
    function: Callable[..., Row],
    extra: tuple[object, ...],
    seconds: float | None,
    memory: int | None,
) -> Iterator[Row]:
    """Convert each page by function(url, body, content type, *extra), in workers or here. Raises InvalidArgument."""
    if workers is not None and (type(workers) is not int or workers < 0):
        raise InvalidArgument(f"workers is {workers!r}", hint="Give a number of processes, 0 for none, None for all.")
    if workers == 0:
        if seconds is not None or memory is not None:
            raise InvalidArgument("workers=0 limits neither time nor memory", hint="Use workers=1, or give no limits.")
        return (_row(page, lambda *arguments: function(*arguments, *extra)) for page in pages)
    pool = Workers(workers or 0)

    def call(*arguments: object) -> Row:
        deadline = time.monotonic() + (SECONDS if seconds is None else seconds)
        target = f"webtool.bulk.many:{function.__name__}"
        row: Row = pool.call(target, *arguments, *extra, deadline=deadline, memory=memory or MEMORY)  # type: ignore[assignment]
        return row

    return _in_order(pages, pool, call)


def _in_order(pages: Iterable[object], pool: Workers, call: Callable[..., Row]) -> Iterator[Row]:
    """Yield rows from the pool in the order of the pages; one thread waits for each worker."""
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


def _row(page: Any, call: Callable[..., Row]) -> Row:
    """Return the row of a page: what call(url, body, content type) returns, or the error."""
    url = ""
    capture: dict[str, object] = getattr(page, "capture", {})
    try:
        url, body, content_type = _parts(page)
        return {"url": url, "success": True, **call(url, body, content_type), **capture}
    except Exception as exc:
        error = exc if isinstance(exc, WebtoolError) else of_bug(exc)
        row = {"url": "", **error.to_dict(), **capture}
        return {**row, "url": url} if url else row


def _parts(page: Any) -> tuple[str, str | bytes, str | None]:
    """Return (url, html, content type) of a page as the caller gave it. Raises InvalidArgument."""
    if isinstance(page, WebtoolError):  # the page could not be read from its source
        raise page
    if not isinstance(page, (tuple, list)) or not 2 <= len(page) <= 3:
        raise InvalidArgument(f"a page is {type(page).__name__}", hint="Give (url, html) for each page.")
    url, body, content_type = (*page, None)[:3]
    if isinstance(body, (bytearray, memoryview)):
        body = bytes(body)
    if not isinstance(body, (str, bytes)):
        problem = "the page has no html" if body is None else f"html is {type(body).__name__}"
        raise InvalidArgument(problem, hint="Give text or bytes.", url=str(url or "") or None)
    return str(url or ""), body, content_type
