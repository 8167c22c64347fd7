"""hosts.json and netrc: which entry applies to which URL, and the errors for a broken file."""

import json
import os

import pytest

from webtool import urls
from webtool.errors import InvalidArgument
from webtool.net.request_headers import HostHeaders
from webtool.settings import Settings

HERE = urls.parse("http://a.example/")


def headers_for(tmp_path, text, url="https://docs.example.com/"):
    path = tmp_path / "hosts.json"
    path.write_text(text)
    return HostHeaders(Settings(hosts_file=str(path)), {}).for_url(urls.parse(url))


ENTRIES = [
    ("docs.example.com", "https://docs.example.com/", True),
    ("DOCS.example.com.", "https://docs.example.com/", True),
    ("docs.example.com:8443", "https://docs.example.com:8443/", True),
    ("docs.example.com:8443", "https://docs.example.com/", False),
    ("docs.example.com", "https://docs.example.com:8443/", True),
    ("docs.example.com", "http://docs.example.com/", False),
    ("docs.example.com:80", "http://docs.example.com/", False),
    ("https://docs.example.com", "http://docs.example.com/", False),
    ("http://docs.example.com", "http://docs.example.com/", True),
    ("http://docs.example.com", "http://docs.example.com/robots.txt", False),
    ("docs.example.com", "https://docs.example.com/robots.txt", True),
    ("http://docs.example.com", "https://docs.example.com/", False),
    ("http://docs.example.com:8080/", "http://docs.example.com:8080/", True),
    ("http://docs.example.com:8080", "http://docs.example.com/", False),
    ("http://*.example.com:8080", "http://docs.example.com:8080/a", True),
    ("*.example.com", "http://docs.example.com/", False),
    ("[::1]:8443", "https://[::1]:8443/", True),
    ("[2001:db8::1]", "https://[2001:db8::1]/", True),
    ("*.example.com", "https://docs.example.com/", True),
    ("*.example.com", "https://example.com/", False),
    ("example.com", "https://docs.example.com/", False),
]


@pytest.mark.parametrize(("name", "url", "applies"), ENTRIES)
def test_an_entry_applies_to_its_host(tmp_path, name, url, applies):
    headers = headers_for(tmp_path, json.dumps({name: {"headers": {"X": "1"}}}), url)
    assert headers == ([("X", "1")] if applies else [])


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', "\x00", "[" * 200000])
def test_a_broken_hosts_file_is_an_error_that_names_it(tmp_path, text):
    with pytest.raises(InvalidArgument, match=r"hosts\.json"):
        headers_for(tmp_path, text)


@pytest.mark.parametrize("name", ["exa mple", "*.", "", "exa mple:80", "["])
def test_an_invalid_host_in_the_hosts_file_is_an_error(tmp_path, name):
    with pytest.raises(InvalidArgument, match="is not a host name"):
        headers_for(tmp_path, json.dumps({"docs.example.com": {}, name: {"headers": {"X": "1"}}}))


def test_a_missing_hosts_file_is_an_error_only_if_a_setting_names_it(tmp_path):
    assert HostHeaders(Settings(), {"XDG_CONFIG_HOME": str(tmp_path)}).for_url(HERE) == []
    with pytest.raises(InvalidArgument):
        HostHeaders(Settings(hosts_file=str(tmp_path / "none.json")), {}).for_url(HERE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX'")
def test_a_pipe_as_hosts_file_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "hosts.json")
    with pytest.raises(InvalidArgument, match=r"hosts\.json"):
        HostHeaders(Settings(hosts_file=str(tmp_path / "hosts.json")), {}).for_url(HERE)


@pytest.mark.parametrize("data", [b"nonsense x y\n", b"machine \xff\xfe login \xff password x\n"])
def test_a_broken_netrc_is_an_error_that_names_it(tmp_path, data):
    (tmp_path / "netrc").write_bytes(data)
    (tmp_path / "netrc").chmod(0o600)
    (tmp_path / "hosts.json").write_text('{"docs.example.com": {"netrc": true}}')
    settings = Settings(hosts_file=str(tmp_path / "hosts.json"))
    headers = HostHeaders(settings, {"NETRC": str(tmp_path / "netrc")})
    with pytest.raises(InvalidArgument, match="netrc"):
        headers.for_url(urls.parse("https://docs.example.com/"))


def test_a_missing_netrc_is_an_error_that_names_it(tmp_path):
    with pytest.raises(InvalidArgument, match="netrc"):
        headers_for(tmp_path, '{"docs.example.com": {"netrc": true}}')


@pytest.mark.parametrize("name", ["Content-Length", "HOST", "Transfer-Encoding", "connection", "Accept-Encoding"])
def test_a_field_that_frames_the_message_is_refused(tmp_path, name):
    with pytest.raises(InvalidArgument, match=r"hosts\.json: .*webtool sets it itself"):
        headers_for(tmp_path, json.dumps({"docs.example.com": {"headers": {name: "5"}}}))
