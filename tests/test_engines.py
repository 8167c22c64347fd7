"""One archive file on cluster engines: each starts for real, and gives the rows that one process gives."""

import importlib.util
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

import pytest
from bulk.warcs import members, page

import webtool
from webtool.bulk import columns

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


@pytest.fixture
def master(tmp_path):
    """The address of a standalone master of Spark with one worker of two cores; both end with the test."""
    home = pathlib.Path(importlib.util.find_spec("pyspark").origin).parent
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environ = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    start = [str(home / "bin" / "spark-class"), "org.apache.spark.deploy."]
    host = ["--host", "127.0.0.1", "--webui-port", "0"]
    commands = [
        [start[0], start[1] + "master.Master", "--port", str(port), *host],
        [start[0], start[1] + "worker.Worker", f"spark://127.0.0.1:{port}", "--cores", "2", "--memory", "2g", *host],
    ]
    processes = [
        subprocess.Popen(command, env=environ, cwd=tmp_path, stderr=subprocess.DEVNULL) for command in commands
    ]
    yield f"spark://127.0.0.1:{port}"
    for process in processes:
        process.terminate()
        process.wait(60)


def spark(master, script, tmp_path):
    """Run the example on the master and return its rows by URL."""
    home = os.path.dirname(importlib.util.find_spec("pyspark").origin)
    options = f"--master {master} --conf spark.ui.enabled=false --conf spark.executor.memory=1g pyspark-shell"
    environ = {"PYSPARK_SUBMIT_ARGS": options, "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": home}
    run([sys.executable, str(EXAMPLES / "on_spark.py"), *script], tmp_path, SPARK_LOCAL_IP="127.0.0.1", **environ)
    rows = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "out").to_pylist()
    return {row["url"]: row for row in rows}


@pytest.mark.peers("pyspark", "pyarrow", "pandas", "java")
def test_a_standalone_master_of_spark_gives_the_same(crawl, library, master, tmp_path):
    paths, rows = crawl
    result = spark(master, [str(library), str(tmp_path / "out"), *paths], tmp_path)
    assert result == fitted(rows)


@pytest.mark.peers("pyspark", "pyarrow", "pandas", "java")
def test_a_table_of_pages_on_spark_gives_the_same(library, tmp_path):
    import pyarrow
    from pyarrow import parquet

    pages = {f"https://a.example/{n}": body(n).decode() for n in range(200)}
    table = pyarrow.table({"id": list(range(200)), "url": list(pages), "html": list(pages.values())})
    parquet.write_table(table, tmp_path / "pages.parquet")
    result = spark("local[2]", [str(library), str(tmp_path / "out"), str(tmp_path / "pages.parquet")], tmp_path)
    assert result == fitted({row["url"]: row for row in webtool.extract_many(pages.items(), workers=0)})


def fitted(rows):
    """Rows with all columns, as Parquet gives them back: a row without sources has a structure without values."""
    return {
        url: {**columns.fit(row), "read_from": {"author": None, "published": None, **row["read_from"]}}
        for url, row in rows.items()
    }


@pytest.mark.peers("airflow")
def test_airflow_gives_the_same(crawl, archive, tmp_path):
    paths, rows = crawl
    for folder in ("dags", "out", "airflow"):
        (tmp_path / folder).mkdir()
    shutil.copy(EXAMPLES / "on_airflow.py", tmp_path / "dags")
    environ = {
        "AIRFLOW_HOME": str(tmp_path / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(tmp_path / "dags"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "WEBTOOL_FILE": str(archive),
        "ARCHIVES": os.path.dirname(paths[0]),
        "OUT": str(tmp_path / "out"),
    }
    command = [sys.executable, "-m", "airflow"]
    run([*command, "db", "migrate"], tmp_path, **environ)
    run([*command, "dags", "test", "extract_archives", "2026-01-02"], tmp_path, **environ)
    result = read_lines(tmp_path / "out")
    assert [row.pop("input") for row in result.values()]
    assert result == rows


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
