"""Pages of whole frameworks, built by their own tools: Next.js and Nuxt with servers, Angular with deferred parts.

Each takes minutes and hundreds of megabytes of packages, so they are built only where WEBTOOL_TEST_FRAMEWORKS names a
folder to build them in, which is kept for the next run.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import time

import pytest

from webtool.extraction import extract
from webtool.html import parse_html
from webtool.visibility.hidden import take_marks

SOURCES = pathlib.Path(__file__).parent / "frameworks"
ENVIRON = {**os.environ, "NEXT_TELEMETRY_DISABLED": "1", "NUXT_TELEMETRY_DISABLED": "1"}
FOLDER = os.environ.get("WEBTOOL_TEST_FRAMEWORKS", "")
BUILD = {
    "next": [["npx", "next", "build", "--webpack"]],
    "nuxt": [["npx", "nuxt", "build"]],
    "angular": [
        ["npx", "ngc", "-p", "tsconfig.json"],
        ["npx", "esbuild", "js/main.js", "--bundle", "--splitting", "--format=esm", "--outdir=out", "--minify"],
    ],
}
SERVE = {
    "next": "npx next start -H 127.0.0.1 -p {}",
    "nuxt": "env HOST=127.0.0.1 PORT={} node .output/server/index.mjs",
    "angular": "python3 -m http.server --bind 127.0.0.1 {}",
}


@pytest.fixture(scope="module", params=BUILD)
def served(request):
    """The name of a framework, and the address of its server."""
    name = request.param
    if not FOLDER or shutil.which("npx") is None:
        pytest.skip("needs npx, and a folder named by WEBTOOL_TEST_FRAMEWORKS")
    folder = pathlib.Path(FOLDER, name)
    shutil.copytree(SOURCES / name, folder, dirs_exist_ok=True)
    if not (folder / "node_modules").exists():
        install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(install, cwd=folder, env=ENVIRON, check=True, timeout=600)
    for command in BUILD[name]:
        subprocess.run(command, cwd=folder, env=ENVIRON, check=True, timeout=900)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = SERVE[name].format(port).split()
    with subprocess.Popen(command, cwd=folder, env=ENVIRON, start_new_session=True) as server:
        try:
            wait_for(port)
            yield name, f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, 15)


def wait_for(port):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), 1.0).close()
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not start")


PAGES = {
    ("next", "/stream"): ["The tide table has come", "The weather report has come", "The forecast has come"],
    ("next", "/client"): ["- Cedar, 21 m\n- Elm, 9 m", "The part without server rendering has come."],
    ("nuxt", "/"): ["- Cedar, 21 m\n- Elm, 9 m", "The browser's part has come.", "The part below is awake in view."],
    ("nuxt", "/alone"): ["- Cedar, 21 m\n- Elm, 9 m"],
    ("angular", "/"): ["Cedar is in port.", "after a timer has come", "idle part has come", "part in view has come"],
}


def test_late_parts_are_read_and_fallbacks_are_not(served, render):
    framework, origin = served
    for (name, path), texts in PAGES.items():
        if name == framework:
            page = render(origin + path)
            root = parse_html(page.html)
            take_marks(root, page.mark)
            markdown = extract(root).markdown
            assert [text for text in texts if text not in markdown] == []
            assert "Fallback" not in markdown
            assert "Planted" not in markdown
