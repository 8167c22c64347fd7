"""Who listens is told when stored pages change, and nobody else."""

import time

import pytest
from mcp_peer import Peer

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
NOWHERE = "resource://cache/" + "0" * 64


def listen(peer, number, **notifications):
    """Open a stream; what it was promised."""
    peer.request(number, "subscriptions/listen", stateless=True, notifications=notifications)
    promised = peer.hear()
    assert promised["method"] == "notifications/subscriptions/acknowledged"
    assert promised["params"]["_meta"] == {SUBSCRIPTION: number}
    return promised["params"]["notifications"]


def opened(peer, number, url):
    """Open a page; its hash, and the messages that came before the answer."""
    arguments = {"url": url, "mode": "raw", "force_refresh": True}
    peer.request(number, "tools/call", stateless=True, name="web_open", arguments=arguments)
    return answered(peer, number)["structuredContent"]["hash"]


def answered(peer, number):
    """The result of a request; notifications of other streams may come before it."""
    while True:
        message = peer.hear()
        if message.get("id") == number:
            return message["result"]


def told(peer, method):
    """The next message, which is this notification."""
    message = peer.hear()
    assert message["method"] == f"notifications/resources/{method}", message
    return message["params"]


def test_a_stream_carries_what_it_was_promised(peer, site):
    key = opened(peer, 1, f"{site.url}/data.json")
    uris = [f"resource://cache/{key}", f"resource://meta/{key}", NOWHERE]
    assert listen(
        peer,
        "s",
        resourceSubscriptions=[*uris, "file:///etc/passwd", uris[0]],
        resourcesListChanged=True,
        toolsListChanged=True,
        promptsListChanged=True,
    ) == {"resourceSubscriptions": uris, "resourcesListChanged": True}
    peer.request(2, "tools/call", stateless=True, name="cache_purge", arguments={"max_entries": 0})
    messages = [peer.hear() for _ in range(4)]
    assert [message["result"]["structuredContent"] for message in messages if "result" in message] == [{"deleted": 1}]
    notes = [message for message in messages if "method" in message]
    assert all(note["params"]["_meta"] == {SUBSCRIPTION: "s"} for note in notes)
    assert {note["params"].get("uri") for note in notes} == {*uris[:2], None}
    assert {note["method"].rpartition("/")[2] for note in notes} == {"updated", "list_changed"}


def test_each_stream_is_told_only_what_it_asked_for(peer, site):
    assert listen(peer, 1, resourcesListChanged=True) == {"resourcesListChanged": True}
    assert listen(peer, 2, resourceSubscriptions=[NOWHERE]) == {"resourceSubscriptions": [NOWHERE]}
    assert (
        listen(peer, 3) == listen(peer, 4, toolsListChanged=True) == listen(peer, 5, resourcesListChanged=False) == {}
    )
    opened(peer, 6, f"{site.url}/data.json")
    assert told(peer, "list_changed") == {"_meta": {SUBSCRIPTION: 1}}
    assert peer.ask(7, "server/discover", stateless=True)["id"] == 7


def test_another_process_may_make_the_change(archive, environ, site, peer):
    listen(peer, 1, resourcesListChanged=True)
    with Peer(archive, **environ) as other:
        opened(other, 1, f"{site.url}/data.json")
    assert told(peer, "list_changed")["_meta"] == {SUBSCRIPTION: 1}


def test_a_cancelled_stream_is_silent_and_its_id_is_free_again(peer, site):
    listen(peer, 1, resourcesListChanged=True)
    peer.request(1, "subscriptions/listen", stateless=True, notifications={})
    assert peer.hear()["error"]["code"] == -32600
    peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    listen(peer, 1)
    opened(peer, 2, f"{site.url}/data.json")
    time.sleep(1)  # two looks at the file
    assert peer.ask(3, "server/discover", stateless=True)["id"] == 3


def test_the_end_of_the_server_answers_open_streams(peer):
    listen(peer, 1, resourcesListChanged=True)
    listen(peer, "two")
    assert peer.end() == 0
    ends = [peer.hear(), peer.hear()]
    assert [end["id"] for end in ends] == [1, "two"]
    for end in ends:
        assert end["result"]["resultType"] == "complete"
        assert end["result"]["_meta"][SUBSCRIPTION] == end["id"]
    assert peer.hear() is None


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"notifications": []},
        {"notifications": {"resourceSubscriptions": "x"}},
        {"notifications": {"resourceSubscriptions": [1]}},
        {"notifications": {"resourceSubscriptions": [NOWHERE] * 1001}},
    ],
)
def test_a_malformed_wish_is_refused(peer, params):
    assert peer.ask(1, "subscriptions/listen", stateless=True, **params)["error"]["code"] == -32602


def test_streams_are_bounded(peer):
    for number in range(200):
        listen(peer, number)
    assert peer.ask(200, "subscriptions/listen", stateless=True, notifications={})["error"]["code"] == -32603
    peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    listen(peer, 201)


def test_without_a_cache_nothing_is_promised(archive, environ):
    with Peer(archive, **environ, WEBTOOL_CACHE="off") as peer:
        assert listen(peer, 1, resourcesListChanged=True, resourceSubscriptions=[NOWHERE]) == {}


def test_a_stream_in_a_batch_is_refused(peer):
    peer.shake_hands("2025-03-26")
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    params = {"_meta": meta, "notifications": {}}
    peer.say([{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}])
    assert peer.hear()[0]["error"]["code"] == -32600


def test_the_handshake_family_subscribes_to_single_pages(legacy, site):
    key = legacy.call(1, "web_open", url=f"{site.url}/data.json", mode="raw")["structuredContent"]["hash"]
    uri = f"resource://cache/{key}"
    assert legacy.ask(2, "resources/subscribe", uri=uri)["result"] == {}
    assert legacy.ask(3, "resources/subscribe", uri=uri)["result"] == {}
    legacy.call(4, "web_open", url=f"{site.url}/data.json", mode="raw", force_refresh=True)
    assert told(legacy, "updated") == {"uri": uri}
    assert legacy.ask(5, "resources/unsubscribe", uri=uri)["result"] == {}
    legacy.call(6, "cache_purge", max_entries=0)
    time.sleep(1)  # two looks at the file
    assert legacy.ask(7, "ping")["result"] == {}
    assert legacy.ask(8, "resources/subscribe", uri="file:///etc/passwd")["error"]["code"] == -32002
    assert legacy.ask(9, "resources/unsubscribe", uri=5)["error"]["code"] == -32602
    assert legacy.ask(10, "subscriptions/listen", notifications={})["error"]["code"] == -32601
