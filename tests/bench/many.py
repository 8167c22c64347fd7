"""Many pages: pages in a second of CPU, whether the cost of a page stays flat, and what more workers give.

    python3 tests/bench/many.py [--pages N] [--rounds N]

Pages are those of the corpus beside the checkout, over and over. Measured in pairs, in turn, by CPU of all processes:
extract_many with no, one and two workers, and, where they are installed, trafilatura in a multiprocessing
pool of two, and resiliparse. "flat" is the CPU of a page in the last tenth over that in the second tenth, in one
process; "start" is the time from a call to the first row with one worker, less the page itself.
"""

import argparse
import gzip
import resource
import statistics
import time

from costs import corpus_pages, cpu, in_turn, medians

MAX_BYTES = 600_000  # longer pages are left out: they are rare, and one of them would decide the result


def load(count):
    """(url, bytes) of that many pages."""
    paths = corpus_pages()[:400]
    bodies = [body for body in (gzip.decompress(path.read_bytes()) for path in paths) if len(body) < MAX_BYTES]
    return [(f"https://a.example/{n}", bodies[n % len(bodies)]) for n in range(count)]


BOTH = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def timed(run, pages):
    """(wall, CPU) seconds, with those of the processes that were waited for."""
    begun, at = cpu(*BOTH), time.monotonic()
    run(pages)
    return time.monotonic() - at, cpu(*BOTH) - begun


def ours(workers):
    def run(pages):
        import webtool

        return sum(row["success"] for row in webtool.extract_many(pages, workers))

    return run


def _trafilatura(page):
    import trafilatura

    return bool(trafilatura.extract(page[1], url=page[0], output_format="markdown", include_links=True))


def pooled(pages):
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(2) as pool:
        count = sum(pool.imap(_trafilatura, pages, chunksize=4))
        pool.close()
        pool.join()
    return count


def resili(pages):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    return sum(
        bool(extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True)) for _, body in pages
    )


def contestants():
    runs = {"webtool, this process": ours(0), "webtool, 1 worker": ours(1), "webtool, 2 workers": ours(2)}
    for name, module, run in (
        ("trafilatura, pool of 2", "trafilatura", pooled),
        ("resiliparse, text", "resiliparse", resili),
    ):
        try:
            __import__(module)
        except ImportError:
            continue
        runs[name] = run
    return runs


def flatness(pages):
    """CPU of the last tenth over that of the second, and how much more memory it took (MB)."""
    from webtool.bulk import many

    tenth = len(pages) // 10
    costs, peaks = [], []
    same = pages[:tenth]
    for _ in range(10):
        begun = time.process_time()
        for url, body in same:
            many.extracted(url, body, None, "readability")
        costs.append(time.process_time() - begun)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return costs[-1] / costs[1], peaks[-1] - peaks[1]


def start():
    """Seconds of a worker's start and its first small page, the median of five."""
    import webtool

    times = []
    for _ in range(5):
        begun = time.monotonic()
        next(webtool.extract_many([("", b"<p>x")], 1))
        times.append(time.monotonic() - begun)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    pages = load(options.pages)
    size = sum(len(body) for _, body in pages) / len(pages)
    runs = {name: lambda run=run: timed(run, pages) for name, run in contestants().items()}
    times = medians(in_turn(runs, options.rounds))
    base = times["webtool, 1 worker"][1]
    print(f"{len(pages)} pages of {size / 1000:.0f} KB on average")
    for name, (wall, seconds) in times.items():
        print(
            f"{name:24}{len(pages) / seconds:8.1f} pages a second of CPU {seconds / base:7.2f} x the CPU of 1 worker"
            f"{wall:8.1f} s"
        )
    ratio, growth = flatness(pages)
    print(f"flat: {ratio:.3f} x the CPU a page, {growth:.0f} MB more, after {len(pages)} pages")
    print(f"start of a worker: {start():.2f} s")


if __name__ == "__main__":
    main()
