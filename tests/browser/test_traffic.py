"""Quiet and main documents from Network events, without a browser; errors from its error names; its command line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.browser.launch import command_line, environment
from webtool.browser.traffic import MAX_DOCUMENTS, MAX_IN_FLIGHT, Traffic, from_net_error, with_url
from webtool.errors import FetchTimeout, InvalidUrl, NetworkError, RenderFailed, SsrfBlocked, TlsError
from webtool.settings import Settings


def asked(request, kind="Script", frame="main", url="http://x.example/", session="s", loader=""):
    params = {"requestId": request, "type": kind, "frameId": frame, "loaderId": loader, "request": {"url": url}}
    return session, "Network.requestWillBeSent", params


def ended(request, session="s"):
    return session, "Network.loadingFinished", {"requestId": request}


def answered(request, status=200, mime="text/html", headers=None):
    response = {"url": "http://x.example/", "status": status, "mimeType": mime, "headers": headers or {}}
    params = {"requestId": request, "loaderId": request, "type": "Document", "frameId": "main", "response": response}
    return "s", "Network.responseReceived", params


def traffic(*events):
    record = Traffic("main", 0.0)
    for number, event in enumerate(events, 1):
        record.take(*event, float(number))
    return record


QUIET = [
    ((), True),
    ((asked("1"),), False),
    ((asked("1"), ended("1")), True),
    ((asked("1"), ended("2")), False),
    ((asked("1"), ("s", "Network.loadingFailed", {"requestId": "1"})), True),
    ((asked("1"), ended("1", "worker")), True),  # a worker's script begins in the page's session
    ((asked("1"), asked("1"), ended("1")), True),  # a redirect keeps its id
    ((asked("1", "EventSource"),), True),
    ((asked("1", "Ping"),), True),
    ((asked("1"), ("s", "Network.dataReceived", {"requestId": "1"})), False),
]


@pytest.mark.parametrize(("events", "expected"), QUIET)
def test_quiet_is_no_request_under_way(events, expected):
    assert traffic(*events).is_quiet(100.0, 0.5) is expected


def test_quiet_begins_with_the_last_change():
    record = traffic(asked("1"), ended("1"))
    assert not record.is_quiet(2.4, 0.5)
    assert record.is_quiet(2.5, 0.5)


def test_requests_of_a_frame_that_is_gone_are_forgotten():
    record = traffic(asked("1", session="frame"), asked("2"), ended("2"))
    assert not record.is_quiet(100.0, 0.5)
    record.forget_session("frame", 50.0)
    assert record.is_quiet(100.0, 0.5)


def test_requests_of_a_document_that_was_left_or_of_a_frame_that_is_gone_are_not_waited_for():
    record = traffic(asked("1", loader="old"), asked("2", loader="new"), asked("3", frame="part", loader="x"))
    record.forget_frame("main", 50.0, "new")
    assert set(record._in_flight) == {"2", "3"}
    record.forget_frame("part", 60.0)
    assert set(record._in_flight) == {"2"}
    assert record.last_change == 60.0


def test_main_document_is_that_of_the_main_frame():
    record = traffic(asked("a", "Document"), answered("a", headers={"content-TYPE": "text/html; charset=x"}))
    record.take(*asked("b", "Document", frame="child"), 3.0)
    document = record.document("a")
    assert (document.status, document.content_type, document.media_type) == (200, "text/html; charset=x", "text/html")
    assert record.document("b") is None
    assert record.latest() == document


def test_failure_of_a_main_document_is_kept():
    failed = ("s", "Network.loadingFailed", {"requestId": "a", "errorText": "net::ERR_X"})
    record = traffic(asked("a", "Document"), failed, asked("b"), ("s", "Network.loadingFailed", {"requestId": "b"}))
    assert (record.failure("a"), record.failure("b")) == ("net::ERR_X", "")


def test_what_is_kept_has_a_bound():
    record = traffic(*(asked(str(n)) for n in range(MAX_IN_FLIGHT + 100)))
    assert len(record._in_flight) == MAX_IN_FLIGHT
    record = traffic(*(event for n in range(200) for event in (asked(str(n), "Document"), answered(str(n)))))
    assert len(record._documents) == len(record._main_requests) == MAX_DOCUMENTS
    assert record.document("199")


names = st.sampled_from(["Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFailed", "Other.x"])
keys = st.sampled_from(["requestId", "type", "frameId", "loaderId", "errorText"])


@given(st.lists(st.tuples(st.just("s"), names, st.dictionaries(keys, st.sampled_from(["main", "Document", "1"])))))
def test_events_with_anything_missing_do_no_harm(events):
    record = traffic(*events)
    assert record.is_quiet(1e9, 0.5) in (True, False)


NET_ERRORS = [
    ("net::ERR_CONNECTION_REFUSED", NetworkError, True),
    ("net::ERR_NAME_NOT_RESOLVED", NetworkError, True),
    ("net::ERR_CERT_AUTHORITY_INVALID", TlsError, False),
    ("net::ERR_SSL_PROTOCOL_ERROR", TlsError, False),
    ("net::ERR_TIMED_OUT", FetchTimeout, True),
    ("net::ERR_TOO_MANY_REDIRECTS", NetworkError, False),
    ("net::ERR_UNSAFE_PORT", SsrfBlocked, False),
    ("net::ERR_UNKNOWN_URL_SCHEME", InvalidUrl, False),
    ("net::ERR_BLOCKED_BY_RESPONSE", RenderFailed, False),
    ("something else", NetworkError, True),
    ("", NetworkError, True),
]


@pytest.mark.parametrize(("text", "kind", "retryable"), NET_ERRORS)
def test_net_error_becomes_an_error_of_ours(text, kind, retryable):
    error = from_net_error(text, "http://x.example/")
    assert type(error) is kind
    assert error.retryable is retryable
    assert error.url == "http://x.example/"


def test_error_about_another_url_keeps_the_rest():
    error = with_url(SsrfBlocked("no", hint="h", url="http://a.example/"), "http://b.example/")
    assert (type(error), error.message, error.hint, error.url) == (SsrfBlocked, "no", "h", "http://b.example/")


def test_command_line_leaves_no_way_around_the_proxy():
    argv = command_line("/b", "/profile", 4711, Settings())
    assert argv[0] == "/b"
    for flag in (
        "--proxy-server=http://127.0.0.1:4711",
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--disable-quic",
        "--user-data-dir=/profile",
        "--remote-debugging-pipe",
    ):
        assert flag in argv
    assert not any(part.startswith("--remote-debugging-port") for part in argv)
    assert "--no-sandbox" not in argv
    assert "--no-sandbox" in command_line("/b", "/p", 1, Settings(browser_no_sandbox=True))


def test_environment_keeps_what_runs_a_program_and_no_secrets():
    given_ = {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C", "BRAVE_API_KEY": "k", "HTTPS_PROXY": "p", "LD_PRELOAD": "x"}
    assert environment(given_, "/p", "darwin") == {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C"}
    assert environment(given_, "/p", "linux")["TMPDIR"] == "/p"
