"""Measure full-text search over many stored pages: python3 tests/bench/recall.py [PAGES].

Makes a cache file of PAGES pages (100,000) in a temporary folder. Their text is paragraphs of ../shared/corpus,
drawn at random. Prints the milliseconds of CPU for storing a page, and two for each query: for finding the pages, and
for `webtool recall` with its passages.
"""

from __future__ import annotations

import gzip
import os
import random
import sys
import tempfile
import time

from costs import CORPUS

QUERIES = (
    "unique777",
    "water",
    "battery life headphones",
    "how to cancel an order",
    "the water page number",
    "zzz water",
)


def main() -> int:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cache.sqlite3")
        stored = fill(path, count)
        print(f"{count} pages, {os.path.getsize(path) / 1e6:.0f} MB; {stored:.2f} ms to store and index one")
        search(path)
    return 0


def paragraphs() -> list[str]:
    """Return paragraphs of some pages of the corpus."""
    import webtool

    files = sorted(CORPUS.glob("*.html.gz"))[::30]
    if not files:
        sys.exit(f"No pages in {CORPUS}.")
    texts = [webtool.to_markdown(gzip.decompress(page.read_bytes()), "https://a.example/") for page in files]
    return [part for text in texts for part in text.split("\n\n") if 80 < len(part) < 2000]


def fill(path: str, count: int) -> float:
    """Store the pages; return the milliseconds of CPU for one."""
    from webtool.cache.store import open_cache
    from webtool.cache.tables import Snapshot
    from webtool.settings import Settings

    cache = open_cache(path, Settings(cache_max_bytes=0), print)
    assert cache is not None
    draw, parts = random.Random(2), paragraphs()
    spent = 0.0
    for number in range(count):
        text = "\n\n".join(draw.sample(parts, 8)) + f"\n\nunique{number} is page number {number}, about water"
        fetched_at = f"2026-01-{1 + number * 28 // count:02d}T00:00:00Z"
        url = f"https://s{number % 500}.example/{number}"
        row = Snapshot(
            f"{number:064x}", url, url, "readable", "text/html", 200, fetched_at, title=f"T{number}", markdown=text
        )
        begin = time.process_time()
        cache.put(row)
        spent += time.process_time() - begin
    cache.close()
    return spent / count * 1000


def search(path: str) -> None:
    """Print the best of three times for each query."""
    from webtool import registry
    from webtool.context import Context
    from webtool.settings import Settings

    ctx = Context(Settings(cache_path=path, cache_max_bytes=0), environ={})
    assert ctx.cache is not None
    for query in QUERIES:
        cache = ctx.cache
        alone = min(timed(lambda: cache.recall(query, 10, "", time.monotonic() + 5)) for _ in range(3))  # noqa: B023
        whole = min(timed(lambda: registry.call("recall", ctx, {"query": query})) for _ in range(3))  # noqa: B023
        print(f"{query:28}{alone:8.1f}{whole:8.1f}")
    ctx.close()


def timed(work: object) -> float:
    """Return the milliseconds of CPU that `work` takes."""
    begin = time.process_time()
    work()  # type: ignore[operator]
    return (time.process_time() - begin) * 1000


if __name__ == "__main__":
    sys.exit(main())
