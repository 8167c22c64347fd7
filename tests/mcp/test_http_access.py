"""Foreign pages, other names and wrong tokens are refused; headers must repeat what the message says."""

import base64
import json

import pytest
from mcp_peer import STATELESS

from webtool.errors import InvalidArgument
from webtool.mcp import messages
from webtool.mcp.http_request import Access, HttpError, host_of, is_stateless, parse_address

ACCESS = Access("", frozenset(["mcp.example", "10.0.0.5", "https://chat.example"]))
OWN_HOSTS = [
    "localhost", "localhost:8000", "LOCALHOST", "localhost.", "127.0.0.1", "127.0.0.1:1", "127.9.9.9", "[::1]",
    "[::1]:80",
    "mcp.example", "MCP.Example:443", "10.0.0.5:8000", "192.168.1.7:8000",
]  # fmt: skip
FOREIGN_HOSTS = [
    "", "evil.example", "localhost.evil.example", "evil-localhost", "mcp.example.evil", "a@localhost", "localhost:x",
    "localhost, localhost", "localhost:80:80", "127.0.0.1.evil.example", "0x7f000001", "2130706433", "127.1",
    "0177.0.0.1", "::1", "[::1", "[::2]", "127.0.0.1.1", "127.0.0", "[::ffff:127.0.0.1]", "10.0.0.6", "0.0.0.0",
    "localhost/", "localhost\t", "chat.example", "\u2460localhost", "sub.localhost",
]  # fmt: skip


def status_of(check, *arguments):
    try:
        check(*arguments)
    except HttpError as error:
        return error.status
    return 200


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_own_names(host):
    assert ACCESS.check_names({"host": host}, "192.168.1.7") == {}
    for scheme in ("http", "https"):
        origin = f"{scheme}://{host}"
        answer = ACCESS.check_names({"host": "localhost", "origin": origin}, "192.168.1.7")
        assert answer["Access-Control-Allow-Origin"] == origin
        assert answer["Vary"] == "Origin"


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_foreign_names(host):
    assert status_of(ACCESS.check_names, {"host": host}, "192.168.1.7") == 403
    assert status_of(ACCESS.check_names, {"host": "localhost", "origin": f"https://{host}x"}, "192.168.1.7") == 403


# (origin, whether it is allowed)
ORIGINS = [
    ("https://chat.example", True), ("http://chat.example", False), ("https://chat.example:444", False),
    ("null", False), ("", False), ("http://", False), ("file://", False), ("chrome-extension://abc", False),
    ("http://localhost:6274", True), ("http://localhost, http://evil.example", False), ("HTTP://localhost", False),
    ("http://localhost/x", False), ("http://evil.example@localhost", False), ("javascript://localhost", False),
    ("localhost", False),
]  # fmt: skip


@pytest.mark.parametrize(("origin", "is_allowed"), ORIGINS)
def test_origins(origin, is_allowed):
    headers = {"host": "localhost", "origin": origin}
    assert status_of(ACCESS.check_names, headers, "127.0.0.1") == (200 if is_allowed else 403)


def test_the_message_names_the_setting():
    with pytest.raises(HttpError, match="WEBTOOL_MCP_HOSTS"):
        ACCESS.check_names({"host": "evil.example"}, "127.0.0.1")


def test_a_program_of_http_1_0_may_leave_out_host():
    assert ACCESS.check_names({}, "::1") == {}


# (Authorization, status, whether the challenge names the token as wrong)
TOKENS = [
    ("Bearer s3cret", 200, None), ("bearer s3cret", 200, None), ("Bearer  s3cret ", 200, None), (None, 401, False),
    ("", 401, False), ("Bearer", 401, True), ("Bearer wrong", 401, True), ("Bearer s3cre", 401, True),
    ("Bearer s3crett", 401, True), ("Bearer S3CRET", 401, True), ("Basic s3cret", 401, False), ("s3cret", 401, False),
    ("Bearer s3cret, Bearer s3cret", 401, True), ("Bearer \xe9", 401, True), ("Bearer,s3cret", 401, False),
]  # fmt: skip


@pytest.mark.parametrize(("field", "status", "is_wrong"), TOKENS)
def test_tokens(field, status, is_wrong):
    access = Access("s3cret", frozenset())
    headers = {} if field is None else {"authorization": field}
    assert status_of(access.check_token, headers) == status
    if status == 401:
        with pytest.raises(HttpError) as caught:
            access.check_token(headers)
        challenge = caught.value.headers["WWW-Authenticate"]
        assert challenge.startswith("Bearer ")
        assert ("invalid_token" in challenge) == is_wrong
        assert "s3cret" not in caught.value.message


def test_without_a_token_none_is_asked_for():
    assert status_of(Access("", frozenset()).check_token, {}) == 200


def line(method="tools/call", number=1, version="2026-07-28", **params):
    if version:
        params["_meta"] = {**STATELESS, "io.modelcontextprotocol/protocolVersion": version}
    members = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})}
    return messages.decode(json.dumps(members).encode())


def encoded(text):
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


MODERN = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "web_open"}
READ = {**MODERN, "mcp-method": "resources/read"}
LIST = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"}
# (headers, message, True, False, or the code of the error)
FAMILIES = [
    ({}, line(version=""), False),
    ({"mcp-protocol-version": "2025-06-18"}, line(version=""), False),
    ({"mcp-protocol-version": "1999-01-01"}, line(version=""), -32022),
    ({"mcp-protocol-version": "2025-06-18, 2025-06-18"}, line(version=""), -32022),
    (MODERN, line(version="", name="web_open"), -32602),
    (MODERN, line("notifications/x", 0, ""), True),
    (MODERN, line(name="web_open"), True),
    (LIST, line("tools/list"), True),
    ({**LIST, "mcp-name": "extra"}, line("tools/list", name="other"), True),
    ({**MODERN, "mcp-param-x": "ignored"}, line(name="web_open"), True),
    ({}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-protocol-version": "2025-11-25"}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-protocol-version": "2030-01-01"}, line(name="web_open", version="2030-01-01"), -32022),
    ({**MODERN, "mcp-protocol-version": "2025-11-25"}, line(name="web_open", version="2025-11-25"), -32022),
    ({**MODERN, "mcp-method": "tools/list"}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-method": "Tools/Call"}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-method": "tools/call, tools/call"}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-method": encoded("tools/call")}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-name": "web_search"}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-name": ""}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-name": ""}, line(name=""), -32020),
    ({name: MODERN[name] for name in ("mcp-protocol-version", "mcp-method")}, line(name="web_open"), -32020),
    (MODERN, line(name=5), -32020),
    (MODERN, line(name=["web_open"]), -32020),
    (MODERN, line(), True),  # the tool layer says that a name is missing
    ({**READ, "mcp-name": "resource://cache/1"}, line("resources/read", uri="resource://cache/1"), True),
    ({**READ, "mcp-name": "resource://cache/1"}, line("resources/read", uri="resource://cache/2", name="x"), -32020),
    ({**MODERN, "mcp-name": encoded("web_open")}, line(name="web_open"), True),
    ({**MODERN, "mcp-name": encoded("Werkzeug \u00fc")}, line(name="Werkzeug \u00fc"), True),
    ({**MODERN, "mcp-name": encoded(encoded("a"))}, line(name=encoded("a")), True),
    ({**MODERN, "mcp-name": encoded("a")}, line(name=encoded("a")), -32020),
    ({**MODERN, "mcp-name": "caf\xe9"}, line(name="caf\xe9"), -32020),
    ({**MODERN, "mcp-name": "=?base64?!!!?="}, line(name="web_open"), -32020),
    ({**MODERN, "mcp-name": "=?base64?/w==?="}, line(name="\xff"), -32020),
    ({**MODERN, "mcp-name": "=?base64?="}, line(name="=?base64?="), True),
]


@pytest.mark.parametrize(("headers", "message", "outcome"), FAMILIES)
def test_family_and_repeated_members(headers, message, outcome):
    if isinstance(outcome, bool):
        assert is_stateless(headers, message) is outcome
        return
    with pytest.raises(HttpError) as caught:
        is_stateless(headers, message)
    assert (caught.value.status, caught.value.code, caught.value.id) == (400, outcome, 1)


# (text, host and port, or None)
ADDRESSES = [
    ("8000", ("127.0.0.1", 8000)), ("0", ("127.0.0.1", 0)), ("0.0.0.0:8000", ("0.0.0.0", 8000)),
    ("localhost:1", ("localhost", 1)), ("[::1]:8000", ("::1", 8000)), ("[::]:65535", ("::", 65535)), ("65536", None),
    ("", None), (":8000", None), ("8000x", None), ("host", None), ("a b:80", None), ("::1:8000", None), ("-1", None),
    ("http://h:80", None), ("\u0661", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "outcome"), ADDRESSES)
def test_addresses(text, outcome):
    if outcome is None:
        with pytest.raises(InvalidArgument):
            parse_address(text)
    else:
        assert parse_address(text) == outcome


def test_hosts_of_odd_authorities():
    assert [host_of(text) for text in ("A.b:1", "[::1]:1", "a b", "a:b", "[x]", "")] == ["a.b", "::1", "", "", "", ""]
