"""Quotes that were cited on one Python have the same verdicts on every other one that is found.

The plain run takes a few pages. WEBTOOL_TEST_PROFILE=nightly takes 1,000 quotes of 100 pages, and 10,000 of them for
the time; WEBTOOL_TEST_DOCUMENTS names a folder whose pages and documents join these.
"""

import json
import os
import pathlib
import random
import resource
import shutil
import subprocess

import pytest
from documents import writers
from everywhere import place_of, pythons
from fakes import FakeClient

from webtool import pages
from webtool.bulk import evidence
from webtool.bulk.warc import records, writer
from webtool.cache.store import open_cache
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.pages import citation
from webtool.pages.request import PageRequest
from webtool.settings import Settings

TESTS = pathlib.Path(__file__).resolve().parents[1]
PYTHONS = pythons([])  # before a test gets a home of its own
IS_NIGHTLY = os.environ.get("WEBTOOL_TEST_PROFILE") == "nightly"
PAGES, QUOTES = (100, 11) if IS_NIGHTLY else (24, 5)
ENDINGS = (".html", ".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".rtf", ".txt", ".csv", ".xml")
TOWNS = ("Skagen", "Brest", "Zürich", "Łódź", "東京", "القاهرة", "Αθήνα", "Hafnarfjörður")
LATER = "\u0870\u9ffd\ua7f2\U0001e030\U00031350"  # letters of Unicode 14 and 15


def sentences(number, count=12):
    rest = (f"The harbour of {TOWNS[n % 8]} \u2013 no. {number}.{n} \u2013 has {n * 7} berths." for n in range(count))
    return [f"Page {number} has \u201ccurly\u201d quotes, soft\u00adhyphens and {LATER}letters{LATER}.", *rest]


def made(number):
    """A page of each kind in turn, (ending, body)."""
    texts = sentences(number)
    marked = f"a<b>{LATER[number % 5]}</b>b_{LATER[0]}_ "  # each Python has to write this alike
    paragraphs = "".join(f"<p>{marked}{text.replace('berths', '<b>ber</b>ths')}" for text in texts)
    latin = [text.encode("cp1252", "ignore").decode("cp1252") for text in texts]
    kinds = [
        (".html", f"<meta charset=utf-8><title>T {number}</title><h1>Ports</h1>{paragraphs}".encode()),
        (".docx", writers.docx("".join(map(writers.p, texts)))),
        (".pdf", writers.pdf(writers.lines(*latin), writers.lines(*reversed(latin)))),
        (".odt", writers.odf("text", "".join(f"<text:p>{text}</text:p>" for text in texts))),
        (".txt", "\n".join(texts).encode()),
    ]
    return kinds[number % len(kinds)]


def bodies():
    """The files of the tests and of the folder in the environment, then made ones: {URL: body}."""
    files = sorted((TESTS / "fixtures" / "documents").iterdir()) + sorted((TESTS / "cases" / "extraction").glob("*/*"))
    folder = os.environ.get("WEBTOOL_TEST_DOCUMENTS")
    files = sorted(pathlib.Path(folder).rglob("*")) + files if folder else files
    files = [path for path in files if path.suffix in ENDINGS and path.stat().st_size < 3_000_000]
    kept = random.Random(7).sample(files, min(len(files), PAGES * 2 // 3))
    result = {f"https://a.example/{n}{path.suffix}": path.read_bytes() for n, path in enumerate(kept)}
    for number in range(PAGES * 2):
        ending, body = made(number)
        result[f"https://b.example/{number}{ending}"] = body
    return result


def quotes_of(text, chance):
    """Quotes from a page: parts of its lines as they are, with other typography, and forged."""
    lines = [line.split() for line in text.split("\n") if len(line.split()) > 3]
    for number in range(QUOTES if lines else 0):
        words = chance.choice(lines)
        start = chance.randrange(len(words) - 2)
        quote = " ".join(words[start : start + chance.randint(2, 15)])
        yield [quote, quote.replace("\u2013", "-").replace(" ", "  ").replace("\u201c", '"'), f"{quote} forged"][
            number % 3
        ]


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """(path of an archive, its citations), packed on this Python."""
    folder, chance, citations = tmp_path_factory.mktemp("pack"), random.Random(11), []
    answers = bodies()
    client = FakeClient({url: (200, {}, body) for url, body in answers.items()})
    cache = open_cache(str(folder / "c.sqlite3"), Settings(), print)
    ctx = Context(Settings(respect_robots=False), client, cache, deadline=float("inf"))
    cited_pages = set()
    for url in answers:
        try:
            snapshot = pages.open_page(ctx, PageRequest(url)).snapshot
        except WebtoolError:
            continue  # a document with a password
        for quote in quotes_of(snapshot.markdown, chance):
            try:
                made_citation = citation.cite(ctx, snapshot, quote)
            except WebtoolError:  # no words
                continue
            made_citation.pop("nearest", None)
            citations.append({**made_citation, "verdict": made_citation["verdict"].replace("absent", "verbatim")})
            cited_pages.add(url)
        if len(cited_pages) == PAGES:
            break
    path = folder / "evidence.warc.gz"
    path.write_bytes(b"".join(evidence.pack(ctx, citations, is_compressed=True)))
    ctx.close()
    return path, citations


def test_every_python_gives_the_same_verdicts(pack, archive):
    path, citations = pack
    places = {}
    for command in PYTHONS:
        place = place_of(command, archive)
        if place is not None and places.setdefault(place.name, place) is not place:
            shutil.rmtree(place.folder)
    reports = {}
    for name, place in places.items():
        command = [*place.command, f"{place.inside}/webtool.pyz", "verify", str(path), "--json"]
        done = subprocess.run(command, capture_output=True, timeout=600, env={"HOME": place.inside})
        assert done.returncode == 1, (name, done.stderr)  # there are forged quotes
        reports[name] = json.loads(done.stdout)
        shutil.rmtree(place.folder)
    first, *others = reports.values()
    assert first["verdicts"].keys() == {"verbatim", "normalised", "absent"}
    assert min(first["verdicts"].values()) > len(citations) / 10
    assert (first["pages"], first["problems"]) == (PAGES, [])
    for name, report in reports.items():
        different = [(row, other) for row, other in zip(first["citations"], report["citations"]) if row != other]
        assert report == first, (name, different[:3])
    if not others:
        pytest.skip("no other Python is installed, so only this one was tested")


@pytest.mark.alone
@pytest.mark.skipif(not IS_NIGHTLY, reason="10,000 quotes: with WEBTOOL_TEST_PROFILE=nightly")
def test_ten_thousand_quotes_take_less_than_a_minute_of_processor_time(pack, archive, tmp_path):
    path, citations = pack
    many = tmp_path / "many.warc"
    with open(path, "rb") as file, open(many, "wb") as copy:
        for record in records(file):
            copies = -(-10_000 // len(citations)) if record.type == "metadata" else 1
            arguments = (record.date, [("WARC-Target-URI", record.url)], record.content_type, record.content, False)
            copy.write(writer.record(record.type, *arguments)[1] * copies)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([archive, "verify", many, "--json"], capture_output=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert len(json.loads(done.stdout)["citations"]) >= 10_000
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 60
