"""One archive file on cluster engines: each starts for real, and gives the rows that one process gives."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from bulk.warcs import members, page

import webtool

EXAMPLES = pathlib.Path(__file__).parent / "examples"
ENGINES = ("pyspark", "distributed", "ray")
ARCHIVES = 4
PAGES = 500 if any(map(importlib.util.find_spec, ENGINES)) else 100  # of each; engines take longer to start
# Each way to begin, to go on and to end, so that no two pages are alike.
WORDS = "tides currents storms harbours lighthouses charts sailors islands whales gulls".split()


def body(n):
    """A small page with a menu, an article of some paragraphs and a footer."""
    word, other = WORDS[n % 10], WORDS[n // 10 % 10]
    article = "".join(
        f"<p>Paragraph {k} of page {n} tells of {word} and {other}, which everybody by the sea knows well enough.</p>"
        for k in range(n % 7 + 1)
    )
    menu = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in WORDS)
    return (
        f"<title>{word} {n}</title><nav><ul>{menu}</ul></nav><h1>{word}</h1>{article}<footer>No {n}</footer>".encode()
    )


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """(paths of archives, the rows that one process makes of them, by URL)."""
    folder = tmp_path_factory.mktemp("crawl")
    rows = {}
    paths = []
    for number in range(ARCHIVES):
        paths.append(folder / f"crawl-{number}.warc.gz")
        numbers = range(number * PAGES, (number + 1) * PAGES)
        paths[-1].write_bytes(members(*(page(n, body(n)) for n in numbers)))
        with paths[-1].open("rb") as stream:
            rows.update((row["url"], row) for row in webtool.extract_many(webtool.archives.pages(stream), workers=0))
    assert len(rows) == ARCHIVES * PAGES
    return [str(path) for path in paths], rows


@pytest.fixture(scope="module")
def library(archive, tmp_path_factory):
    """webtool.zip of this checkout, which the fixture before has built."""
    built = pathlib.Path(__file__).resolve().parents[1] / "dist" / "webtool.zip"
    return shutil.copy(built, tmp_path_factory.mktemp("library"))


def run(command, tmp_path, **environ):
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=280, cwd=tmp_path, env={**os.environ, **environ}
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def read_lines(folder):
    rows_by_url = {}
    for path in folder.glob("*.ndjson"):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        rows_by_url.update((row["url"], row) for row in rows)
    return rows_by_url


@pytest.mark.peers("pyspark", "java")
def test_spark_gives_the_same(crawl, library, tmp_path):
    paths, rows = crawl
    # A cluster of two workers with a core each, every worker a process of its own.
    script = [str(EXAMPLES / "on_spark.py"), str(library), str(tmp_path / "out"), *paths]
    options = "--master local-cluster[2,1,1024] --conf spark.ui.enabled=false pyspark-shell"
    home = os.path.dirname(importlib.util.find_spec("pyspark").origin)
    environ = {"PYSPARK_SUBMIT_ARGS": options, "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": home}
    run([sys.executable, *script], tmp_path, SPARK_LOCAL_IP="127.0.0.1", **environ)
    reader = (
        "import json, sys; from pyspark.sql import SparkSession as S\n"
        "s = S.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()\n"
        "print(json.dumps([json.loads(line) for line in s.read.parquet(sys.argv[1]).toJSON().collect()]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", reader, str(tmp_path / "out")], capture_output=True, text=True, timeout=200
    )
    result = {row["url"]: row for row in json.loads(done.stdout)}
    assert {url: row["markdown"] for url, row in result.items()} == {url: row["markdown"] for url, row in rows.items()}
    assert result["https://a.example/7"]["links"] == rows["https://a.example/7"]["links"]


@pytest.mark.peers("distributed")
def test_dask_gives_the_same(crawl, library, tmp_path):
    paths, rows = crawl
    script = [str(EXAMPLES / "on_dask.py"), str(library), str(tmp_path / "out"), *paths]
    run([sys.executable, *script], tmp_path)
    assert read_lines(tmp_path / "out") == rows


@pytest.mark.peers("ray")
def test_ray_gives_the_same(crawl, library, tmp_path):
    paths, rows = crawl
    script = [str(EXAMPLES / "on_ray.py"), str(library), str(tmp_path / "out"), *paths]
    run([sys.executable, *script], tmp_path, RAY_USAGE_STATS_ENABLED="0")
    assert read_lines(tmp_path / "out") == rows


@pytest.mark.skipif(not shutil.which("xargs"), reason="needs xargs")
def test_xargs_gives_the_same(crawl, archive, tmp_path):
    paths, rows = crawl
    command = [str(EXAMPLES / "on_xargs.sh"), str(archive), "out", *paths]
    run(command, tmp_path)
    result = read_lines(tmp_path / "out")
    assert [row.pop("input") for row in result.values()]
    assert result == rows
