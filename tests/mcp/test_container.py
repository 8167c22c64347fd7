"""The container recipe of `webtool help mcp`, built and run with its very lines.

WEBTOOL_TEST_CONTAINER is the command, docker or podman, and may have arguments: "podman --runtime runc".
WEBTOOL_TEST_CONTAINER_RUN has further arguments of `run`, such as "--ulimit nofile=9999" inside of another container.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import time
import urllib.request

import pytest
from mcp_http_peer import stateless

COMMAND = shlex.split(os.environ.get("WEBTOOL_TEST_CONTAINER", ""))
RECIPE = pathlib.Path(__file__).resolve().parents[2] / "webtool" / "help" / "mcp.md"
TOKEN = "correct-horse-battery-staple"
pytestmark = pytest.mark.skipif(not COMMAND, reason="WEBTOOL_TEST_CONTAINER names no docker or podman")


def container(*words, **environ):
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=300, env={**os.environ, **environ}, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def run_words(archive, tmp_path):
    """Build the image; the words of the recipe's `docker run`, with a free port and no volume of this machine."""
    text = RECIPE.read_text(encoding="utf-8")
    lines = re.search(r"(?m)^  FROM (?:.*\n)+?(?=\n)", text)[0]
    (tmp_path / "Dockerfile").write_text("".join(line[2:] for line in lines.splitlines(True)))
    shutil.copy(archive, tmp_path / "webtool.pyz")
    container("build", "-t", "webtool-test", str(tmp_path))
    words = shlex.split(re.search(r"docker run ((?:.*\\\n)*.*)", text)[1].replace("\\\n", " "))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    changed = {"127.0.0.1:8000:8000": f"127.0.0.1:{port}:8000", "webtool-cache:/cache": "/cache"}
    yield port, [changed.get(word, word) for word in words[:-1]]
    container("rmi", "webtool-test")


def test_the_recipe_serves_without_privileges(run_words):
    port, words = run_words
    more = shlex.split(os.environ.get("WEBTOOL_TEST_CONTAINER_RUN", ""))
    name = container("run", *words, *more, "webtool-test", WEBTOOL_MCP_TOKEN=TOKEN).strip()
    try:
        end = time.monotonic() + 30
        while "http://" not in subprocess.run([*COMMAND, "logs", name], capture_output=True, text=True).stderr:
            assert time.monotonic() < end
            time.sleep(0.2)
        message, headers = stateless(1, "tools/call", name="web_extract", arguments={"html": "<p>Some words."})
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/mcp",
            json.dumps(message).encode(),
            {**headers, "Authorization": f"Bearer {TOKEN}", "Accept": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert b"Some words." in answer.read()
        script = "import os; print(os.getuid(), os.access('/', os.W_OK), os.access('/cache', os.W_OK))"
        assert container("exec", name, "python3", "-c", script).split() == ["65534", "False", "True"]
        check = re.search(r"HEALTHCHECK CMD (\[.*\])", RECIPE.read_text(encoding="utf-8"))[1]
        container("exec", name, *json.loads(check))
    finally:
        container("rm", "-f", name)
