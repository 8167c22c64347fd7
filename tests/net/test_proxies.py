"""The choice of a proxy: variables, exclusions, credentials."""

import pytest

from webtool import urls
from webtool.errors import NetworkError
from webtool.net import proxies

SITE, SECURE = "http://site.example/", "https://site.example:8443/"

# (environment, URL, proxy as host:port)
CHOSEN = [
    ({}, SITE, None),
    ({"http_proxy": "http://p.example:3128"}, SITE, "p.example:3128"),
    ({"http_proxy": "http://p.example:3128"}, SECURE, None),
    ({"https_proxy": "http://p.example:3128"}, SECURE, "p.example:3128"),
    ({"HTTPS_PROXY": "p.example:3128"}, SECURE, "p.example:3128"),
    ({"HTTP_PROXY": "p.example:3128"}, SITE, "p.example:3128"),
    ({"HTTP_PROXY": "p.example:3128", "REQUEST_METHOD": "GET"}, SITE, None),
    ({"http_proxy": "p.example:3128", "REQUEST_METHOD": "GET"}, SITE, "p.example:3128"),
    ({"HTTPS_PROXY": "p.example:3128", "REQUEST_METHOD": "GET"}, SECURE, "p.example:3128"),
    ({"HTTP_PROXY": "upper.example", "http_proxy": "lower.example"}, SITE, "lower.example:80"),
    ({"all_proxy": "https://p.example"}, SITE, "p.example:443"),
    ({"ALL_PROXY": "10.0.0.1:8080"}, SECURE, "10.0.0.1:8080"),
    ({"http_proxy": "", "all_proxy": "p.example"}, SITE, None),
    ({"http_proxy": "p.example"}, "http://127.0.0.1/", None),
    ({"http_proxy": "p.example"}, "http://localhost:3000/", None),
    ({"http_proxy": "p.example"}, "http://[::1]/", None),
]


@pytest.mark.parametrize(("environ", "url", "expected"), CHOSEN)
def test_the_variables_choose_the_proxy(environ, url, expected):
    proxy = proxies.choose(urls.parse(url), environ)
    assert (None if proxy is None else f"{proxy.host}:{proxy.port}") == expected


# (no_proxy, host, port, excluded)
EXCLUDED = [
    ("*", "a.example", 80, True),
    ("site.example", "site.example", 80, True),
    ("site.example", "www.site.example", 80, True),
    (".site.example", "www.site.example", 80, True),
    ("*.site.example", "www.site.example", 80, True),
    ("site.example", "mysite.example", 80, False),
    ("SITE.example", "site.example", 80, True),
    ("site.example:8080", "site.example", 8080, True),
    ("site.example:8080", "site.example", 80, False),
    ("a.example, b.example c.example", "c.example", 80, True),
    ("10.0.0.0/8", "10.1.2.3", 80, True),
    ("10.0.0.0/8", "11.1.2.3", 80, False),
    ("10.1.2.3", "10.1.2.3", 80, True),
    ("10.1.2.3:80", "10.1.2.3", 81, False),
    ("fd00::/8", "[fd00::1]", 80, True),
    ("[fd00::1]:443", "[fd00::1]", 443, True),
    ("10.0.0.0/8", "ten.example", 80, False),
    ("", "a.example", 80, False),
    (" , ,", "a.example", 80, False),
]


@pytest.mark.parametrize(("no_proxy", "host", "port", "excluded"), EXCLUDED)
def test_no_proxy_excludes_hosts(no_proxy, host, port, excluded):
    assert proxies.is_excluded(host, port, no_proxy) is excluded
    chosen = proxies.choose(urls.parse(f"http://{host}:{port}/"), {"http_proxy": "p.example", "NO_PROXY": no_proxy})
    assert (chosen is None) is excluded


def test_credentials_are_sent_and_never_shown():
    proxy = proxies.parse("http://us%40er:hunter2@p.example:3128", "http_proxy")
    assert proxy.authorization == "Basic dXNAZXI6aHVudGVyMg=="
    assert "hunter2" not in repr(proxy)
    assert proxy.authorization not in repr(proxy)


@pytest.mark.parametrize("value", ["socks5://u:hunter2@p.example", "http://u:hunter2@[", "http://u:hunter2@p:x/"])
def test_an_invalid_proxy_value_is_an_error(value):
    with pytest.raises(NetworkError, match="http_proxy") as caught:
        proxies.choose(urls.parse(SITE), {"http_proxy": value})
    assert "hunter2" not in str(caught.value.to_dict())
    assert caught.value.hint


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_the_systems_settings_apply_if_no_variable_is_set(monkeypatch, platform):
    import urllib.request

    monkeypatch.setattr(proxies.sys, "platform", platform)
    monkeypatch.setattr(urllib.request, "getproxies", lambda: {"http": "http://system.example:8080"})
    monkeypatch.setattr(urllib.request, "proxy_bypass", lambda host: host == "inside.example")
    assert proxies.choose(urls.parse(SITE), {}).host == "system.example"
    assert proxies.choose(urls.parse("http://inside.example/"), {}) is None
    assert proxies.choose(urls.parse(SECURE), {}) is None
    assert proxies.choose(urls.parse(SITE), {"http_proxy": ""}) is None
