"""Turn Chromium's net errors into the project's errors. In: a name ("net::ERR_...") and a URL. Out: a WebtoolError.

The names are those of Chromium's net/base/net_error_list.h, as the DevTools protocol reports them.

Tests: tests/browser/test_traffic.py
"""

from __future__ import annotations

from copy import copy

from webtool.errors import FetchTimeout, InvalidUrl, NetworkError, RenderFailed, SsrfBlocked, TlsError, WebtoolError

# (prefixes of net error names, error class, message); the first row with a matching prefix is used.
_BY_PREFIX: tuple[tuple[tuple[str, ...], type[WebtoolError], str], ...] = (
    (("ERR_CERT_",), TlsError, "The server's certificate was refused: {}"),
    (("ERR_SSL_", "ERR_BAD_SSL_", "ERR_TLS_"), TlsError, "The TLS handshake failed: {}"),
    (("ERR_TIMED_OUT", "ERR_CONNECTION_TIMED_OUT"), FetchTimeout, "The server did not answer in time: {}"),
    (("ERR_UNSAFE_PORT",), SsrfBlocked, "The port is not one for web pages: {}"),
    (("ERR_INVALID_URL",), InvalidUrl, "The browser takes this for no URL: {}"),
    (("ERR_UNKNOWN_URL_SCHEME", "ERR_DISALLOWED_URL_SCHEME"), InvalidUrl, "The page led to no http(s) address: {}"),
    (("ERR_BLOCKED_BY_",), RenderFailed, "The browser refused the page: {}"),
    (("ERR_INSUFFICIENT_RESOURCES",), RenderFailed, "The browser ran out of memory or descriptors: {}"),
    (("ERR_OUT_OF_MEMORY",), RenderFailed, "The browser ran out of memory: {}"),
    (("ERR_TOO_MANY_REDIRECTS",), NetworkError, "Too many redirects: {}"),
    (("",), NetworkError, "The browser could not load the page: {}"),
)
_PERMANENT = ("ERR_TOO_MANY_REDIRECTS", "ERR_INVALID_RESPONSE", "ERR_INVALID_HTTP_RESPONSE")


class ClickNavigatedAway(RenderFailed):
    """A click of ours made the page navigate. The page is then opened again without clicks."""


def from_net_error(text: str, url: str) -> WebtoolError:
    """Return the error for a net error name: a NetworkError for "net::ERR_CONNECTION_REFUSED"."""
    name = text.rpartition("::")[2] or "ERR_FAILED"
    _, kind, message = next(row for row in _BY_PREFIX if name.startswith(row[0]))
    return kind(message.format(name), url=url, retryable=False if name in _PERMANENT else None)


def with_url(error: WebtoolError, url: str) -> WebtoolError:
    """Return a copy of an error that names this URL. A copy, so that no error object is raised in two threads."""
    fresh = copy(error)
    fresh.url = url
    return fresh
