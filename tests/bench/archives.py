"""Reading WARC files beside FastWARC and warcio, in pairs: CPU of each over the same file, in turn.

    python3 tests/bench/archives.py [--pages N] [--size BYTES] [--rounds N] [FILE...]

Without a FILE it makes two: pages as crawls have them (request, response and metadata for each), plain and in gzip
members. The peers fastwarc and warcio are optional. All records are read with their content; "http" reads the
responses alone, as HTTP.
"""

import argparse
import gzip
import io
import pathlib
import random
import tempfile
import time

from costs import in_turn, medians

from webtool.bulk.warc import records


def make(folder, count, size):
    """Two files of the same records."""
    source = random.Random(4)
    words = [bytes(source.choices(b"abcdefghijklmnopqrstuvwxyz", k=source.randrange(2, 12))) for _ in range(4000)]
    plain, packed = io.BytesIO(), io.BytesIO()
    for n in range(count):
        body = b"<p>" + b" ".join(source.choices(words, k=size // 8)) + b"</p>"
        request = b"GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n"
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\nContent-Length: %d\r\n\r\n" % len(body)
        for kind, content in (
            (b"request", request),
            (b"response", answer + body),
            (b"metadata", b"fetchTimeMs: 9\r\n"),
        ):
            record = (
                b"WARC/1.0\r\nWARC-Type: %b\r\nWARC-Target-URI: https://a.example/%d\r\n"
                b"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:%032d>\r\n"
                b"Content-Type: application/http; msgtype=%b\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
            ) % (kind, n, n, kind, len(content), content)
            plain.write(record)
            packed.write(gzip.compress(record, 6))
    paths = [folder / "bench.warc", folder / "bench.warc.gz"]
    for path, stream in zip(paths, (plain, packed)):
        path.write_bytes(stream.getvalue())
    return paths


def ours(path):
    with open(path, "rb") as stream:
        return sum(len(record.content) for record in records(stream))


def ours_http(path):
    with open(path, "rb") as stream:
        return sum(len(record.response().body) for record in records(stream) if record.type == "response")


def contestants():
    """Name to (reads all, reads HTTP)."""
    readers = {"webtool": (ours, ours_http)}
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType

        def fast(path):
            with open(path, "rb") as stream:
                return sum(len(record.reader.read()) for record in ArchiveIterator(stream, parse_http=False))

        def fast_http(path):
            kind = WarcRecordType.response
            with open(path, "rb") as stream:
                return sum(len(record.reader.read()) for record in ArchiveIterator(stream, record_types=kind))

        readers["FastWARC"] = (fast, fast_http)
    except ImportError:
        pass
    try:
        from warcio.archiveiterator import ArchiveIterator as Iterator

        def slow(path):
            with open(path, "rb") as stream:
                return sum(len(record.raw_stream.read()) for record in Iterator(stream, no_record_parse=True))

        def slow_http(path):
            with open(path, "rb") as stream:
                chosen = (record for record in Iterator(stream) if record.rec_type == "response")
                return sum(len(record.content_stream().read()) for record in chosen)

        readers["warcio"] = (slow, slow_http)
    except ImportError:
        pass
    return readers


def measure(path, rounds):
    """Print seconds of CPU and how many times as long the others take."""

    def timed(read):
        begun = time.process_time()
        read(path)
        return time.process_time() - begun

    names = contestants()
    runs = {(name, what): lambda name=name, what=what: timed(names[name][what]) for name in names for what in (0, 1)}
    times = medians(in_turn(runs, rounds))
    for what, label in enumerate(("all records", "responses as HTTP")):
        line = ", ".join(
            f"{name} {times[name, what]:.3f} s ({times[name, what] / times['webtool', what]:.2f})" for name in names
        )
        print(f"{pathlib.Path(path).name}, {label}: {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--size", type=int, default=30000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files or make(pathlib.Path(folder), options.pages, options.size):
            measure(path, options.rounds)


if __name__ == "__main__":
    main()
