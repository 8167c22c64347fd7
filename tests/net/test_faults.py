"""Every fault of the table over real sockets, through the whole tool: the outcome, its time and its words."""

import contextlib
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from net import faults
from net.fault_rows import FAULTS
from net.fault_server import FaultServer
from servers import closed_port
from shared_cases import rows

from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.settings import Settings
from webtool.tools import web_fetch

AT_ONCE = 12
SLACK = 4.0  # seconds over the deadline that a loaded machine may take; the client itself takes one at most


@contextlib.contextmanager
def serving(fault, certificates):
    """Start the fault's server and its second one."""
    with contextlib.ExitStack() as stack:
        servers = []
        for one in (fault, fault.other):
            if one is None:
                continue
            servers.append(
                stack.enter_context(
                    FaultServer(
                        one.serve,
                        one.robots,
                        certificates[one.certificate] if one.certificate else None,
                        one.host,
                        one.accepts,
                        one.ragged,
                    )
                )
            )
        servers[0].other_port = servers[-1].port
        yield servers[0]


def address(fault, port):
    """Return the URL to fetch."""
    url = fault.url if "://" in fault.url else f"{fault.scheme or 'http'}://127.0.0.1:{{port}}{fault.url}"
    return url.replace("{port}", str(port)).replace("{closed}", str(closed_port()))


def run(fault, certificates):
    """Fetch; return (error code or "ok", the answer as text, seconds)."""
    with serving(fault, certificates) as server:
        settings = Settings(allow_private_hosts=fault.allow, deadline=fault.deadline, cache=False)
        begun = time.monotonic()
        ctx = Context(settings, environ={"SSL_CERT_FILE": str(certificates["ca"])})
        try:
            result = web_fetch.run(ctx, url=address(fault, server.port))
            code, answer = "ok", {"text": result.text, **result.data}
        except WebtoolError as exc:
            code, answer = exc.code, exc.to_dict()
        finally:
            ctx.close()
        return code, answer, time.monotonic() - begun


@pytest.fixture(scope="session")
def outcomes(certificates):
    """Run all faults, several at a time, the slow ones first."""
    names = sorted(FAULTS, key=lambda name: FAULTS[name].expect != faults.TIMEOUT)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        all_outcomes = pool.map(lambda name: run(FAULTS[name], certificates), names)
        return dict(zip(names, all_outcomes))


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_ends_in_its_expected_outcome(name, outcomes):
    fault, (code, answer, seconds) = FAULTS[name], outcomes[name]
    shown = json.dumps(answer, ensure_ascii=False)
    assert seconds < fault.deadline + SLACK
    if fault.expect == "ok":
        assert code == "ok", shown[:500]
        if fault.url != "/robots.txt":
            assert faults.FIRST in answer["content"]
            assert faults.LAST in answer["content"]
        assert not [part for part in fault.want if part not in shown]
    elif fault.expect != "any":
        assert code in fault.expect, shown[:500]
    if code != "ok":
        # Whoever reads it knows what happened and what to do next, and is not drowned in what a server made up.
        assert 20 < len(answer["error"]) < 800
        assert answer["error"].isprintable()
        assert answer["hint"].endswith(".")
        assert len(answer["hint"]) < 300
    plain = "".join(str(value) for value in answer.values())
    assert not [part for part in fault.avoid if part in plain]


@pytest.mark.parametrize("row", rows("http_faults.json", "rows"))
def test_each_shared_case_ends_in_its_expected_outcome(row, outcomes):
    code, answer, seconds = outcomes[row["id"]]
    plain = "".join(str(value) for value in answer.values())
    assert seconds < row["max_s"]
    if row["level"] == "info":
        return
    if row["expect"] == "error":
        assert code != "ok"
        codes = {*row["codes"], *(["EXTRACT_FAILED"] if "UNSUPPORTED_CONTENT" in row["codes"] else [])}
        assert code in codes or "*" in codes
    elif row["expect"] == "ok":
        assert code == "ok", answer
    elif row["expect"] == "flagged":
        assert code != "ok" or "truncated" in str(answer.get("note"))
    assert not [part for part in row.get("avoid", ()) if part in plain]
    if code == "ok" and row["expect"] == "ok":
        missing = [part for part in row.get("want", ()) if part not in plain]
        # Texts of our own table may be other ones in the same encoding.
        assert not missing or FAULTS[row["id"]].want


MEMORY = (
    "bomb-gzip", "bomb-twice", "bomb-chunked", "big-unknown", "chunked-long-size-line", "headers-flood",
    "header-line-flood",
)  # fmt: skip
MEASURE = """
import resource, sys, time
from webtool.net.client import Client
from webtool.net.messages import Request
from webtool.settings import Settings
client = Client(Settings(allow_private_hosts=("127.0.0.1",)), {})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
code = "ok"
try:
    client.fetch(Request(sys.argv[1]), deadline=time.monotonic() + 20)
except Exception as exc:
    code = exc.code
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("name", MEMORY)
def test_memory_use_stays_limited(name, certificates):
    pytest.importorskip("resource", reason="peak memory is read with the resource module")
    fault = FAULTS[name]
    with serving(fault, certificates) as server:
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, address(fault, server.port)], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 0, done.stderr
    code, kilobytes = done.stdout.split()
    assert code in fault.expect
    assert int(kilobytes) < (3 * Settings().max_bytes + 40 * 1024 * 1024) / 1024
