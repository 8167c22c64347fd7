"""CPython on WebAssembly gives the same bytes: pages, documents, extraction. Runs where node and Pyodide are.

`npm install pyodide` somewhere, and WEBTOOL_TEST_PYODIDE=.../node_modules/pyodide for the tests.
"""

import base64
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

TESTS = pathlib.Path(__file__).parent
PACKAGE = os.environ.get("WEBTOOL_TEST_PYODIDE", "")
FEED = b'<rss version="2.0"><channel><title>N</title><item><title>One</title><link>https://e.example/</link></item>'


def notebook():
    cells = [
        {"cell_type": "markdown", "source": ["# T\n", "text"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": []},
    ]
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}).encode()


def epub():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/epub+zip")
        file.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        file.writestr(
            "c.opf",
            '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        file.writestr(
            "a.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>One</h1><p>Words.</p></body></html>'
        )
    return stream.getvalue()


def test_webassembly_gives_the_same_bytes(archive, tmp_path):
    if not shutil.which("node") or not PACKAGE:
        pytest.skip("no node, or no Pyodide named by WEBTOOL_TEST_PYODIDE")
    own = [path.read_text(encoding="utf-8") for path in sorted((TESTS / "cases" / "extraction").glob("*.html"))]
    made = [
        f"<title>{n}</title><h1>Page {n}</h1>" + f"<p>Words <b>{n}</b>, <a href=/{n}>more</a>.</p>" * n
        for n in range(20)
    ]
    pages = (own + made)[:20]
    kinds = [
        ("feed", FEED),
        ("notebook", notebook()),
        ("epub", epub()),
        ("gzip", gzip.compress(b"# T\n\ntext\n", mtime=0)),
    ]
    given = {"pages": pages, "documents": [(kind, base64.b64encode(data).decode()) for kind, data in kinds]}
    (tmp_path / "input.json").write_text(json.dumps(given))
    script, data = str(TESTS / "pyodide_pages.py"), str(tmp_path / "input.json")
    here = subprocess.run([sys.executable, "-I", script, str(archive), data], capture_output=True, timeout=120)
    assert here.returncode == 0, here.stderr
    command = ["node", str(TESTS / "pyodide.mjs"), PACKAGE, str(archive), script, data]
    there = subprocess.run(command, capture_output=True, timeout=300)
    assert there.returncode == 0, there.stderr
    assert len(pages) == 20
    assert there.stdout == here.stdout
