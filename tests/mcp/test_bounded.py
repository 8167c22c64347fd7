"""Calls for pages that keep a parser busy end in time, stop when cancelled, and do not delay other calls."""

import os
import time

import pytest
from mcp_peer import Peer
from processes import HAS_PROC, running
from servers import Server, page

CELL = "<td><b><a href='/x?q=1&amp;r=2'>link <i>text</i></a></b> words and <code>code</code> &amp; more</td>"
HEAVY = "<title>Heavy</title><table>" + ("<tr>" + CELL * 8 + "</tr>") * 6000 + "</table>"  # takes about ten seconds
LIGHT = "<title>Light</title><p>Some words to read here.</p>"
pytestmark = pytest.mark.alone
ROOMY = 1.5  # seconds that a busy machine may take longer than promised


@pytest.fixture
def site():
    with Server({"/heavy": page(HEAVY), "/light": page(LIGHT)}) as server:
        yield server


@pytest.fixture
def start(archive, environ):
    peers = []

    def begin(deadline):
        peer = Peer(archive, WEBTOOL_DEADLINE=str(deadline), **environ)
        peer.__enter__()
        peers.append(peer)
        peer.shake_hands()
        return peer

    yield begin
    for peer in peers:
        peer.__exit__(None, None, None)


def call(peer, number, **arguments):
    peer.request(number, "tools/call", name="web_open", arguments=arguments)


def wait_for(peer, *numbers):
    """Return the responses to these requests, each with the time at which it came."""
    responses = {}
    while not set(numbers) <= set(responses):
        answer = peer.hear(30)
        responses[answer.get("id")] = (time.monotonic(), answer)
    return [responses[number] for number in numbers]


def test_calls_end_by_their_deadline_and_pings_are_answered_meanwhile(start, site):
    peer = start(1.5)
    call(peer, 1, url=f"{site.url}/light")
    wait_for(peer, 1)
    began = time.monotonic()
    for number in range(10, 14):
        call(peer, number, url=f"{site.url}/heavy?{number}")
    waits = []
    for number in range(100, 110):
        asked = time.monotonic()
        peer.request(number, "ping")
        while (answer := peer.hear(30)).get("id") != number:
            assert "result" in answer
        waits.append(time.monotonic() - asked)
        time.sleep(0.05)
    for came, answer in wait_for(peer, 10, 11, 12, 13):
        assert answer["result"]["structuredContent"]["error_code"] == "FETCH_TIMEOUT"
        assert came - began < 1.5 + 1 + ROOMY
    assert sorted(waits)[5] < 0.25, waits
    assert max(waits) < 0.25 + ROOMY, waits
    call(peer, 2, url=f"{site.url}/light", force_refresh=True)
    assert "Some words" in wait_for(peer, 2)[0][1]["result"]["structuredContent"]["markdown"]


def cpu_of_tree(pid):
    """Return the seconds of CPU time that a process, its children and its ended children have used."""
    tree = [process for process in running() if pid in (process.pid, process.parent)]
    ticks = sum(process.own_ticks + (process.waited_ticks if process.pid == pid else 0) for process in tree)
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see other processes")
def test_a_cancelled_call_stops_using_the_processor(start, site):
    peer = start(25)
    call(peer, 1, url=f"{site.url}/light")
    wait_for(peer, 1)
    call(peer, 2, url=f"{site.url}/heavy")
    time.sleep(0.8)
    peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
    time.sleep(1.0)
    before = cpu_of_tree(peer.process.pid)
    time.sleep(1.0)
    assert cpu_of_tree(peer.process.pid) - before < 0.2
    call(peer, 3, url=f"{site.url}/light", force_refresh=True)
    assert "Some words" in wait_for(peer, 3)[0][1]["result"]["structuredContent"]["markdown"]
