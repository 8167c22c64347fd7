"""Parse a URL, and serialise it: WHATWG URL Standard sections 4.1, 4.4 and 4.5.

In: text, and the base it is relative to. Out: Url, or InvalidUrl saying in a few words what is wrong. The standard's
parser reads one character at a time; this one splits. The special schemes (http, https, ws, wss, ftp, file) are parsed
as browsers do, others well enough to list links.

Tests: tests/urls/test_urls.py
"""

from __future__ import annotations

from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.lean.patterns import Match, Pattern
from webtool.lean.records import NamedTuple
from webtool.urls import hosts

# The special schemes and their default ports.
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": None}


class Url(NamedTuple):
    """A parsed URL. `host` is serialised (IPv6 in brackets), or None; `port` is None for the default."""

    scheme: str
    username: str
    password: str
    host: str | None
    port: int | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def href(self) -> str:
        """The URL serialised."""
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{self.scheme}:{self._authority()}{self.path}{self._search()}{fragment}"

    @property
    def without_fragment(self) -> str:
        """The URL serialised without its fragment."""
        return f"{self.scheme}:{self._authority()}{self.path}{self._search()}"

    @property
    def origin(self) -> str:
        """Scheme, host and port, the last only when not the scheme's default: `https://example.com:8443`."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def netloc(self) -> str:
        """Host with the port if it is not the default one, as the Host header wants it."""
        return f"{self.host or ''}" if self.port is None else f"{self.host or ''}:{self.port}"

    @property
    def effective_port(self) -> int:
        """The port to dial; 0 for schemes without a port."""
        return (DEFAULT_PORTS.get(self.scheme) or 0) if self.port is None else self.port

    @property
    def target(self) -> str:
        """Path and query: the request target in origin form."""
        return f"{self.path}{self._search()}"

    def _search(self) -> str:
        return "" if self.query is None else f"?{self.query}"

    def _authority(self) -> str:
        if self.host is None:
            return "/." if self.path.startswith("//") else ""
        password = f":{self.password}" if self.password else ""
        userinfo = f"{self.username}{password}@" if self.username or password else ""
        return f"//{userinfo}{self.netloc}"


# Percent-encode sets (section 1.3), written as all but the characters that stay: the sets themselves compile slowly.
_FRAGMENT_SET = patterns.compile(r"[^!#-;=?-_a-~]")
_QUERY_SET = patterns.compile(r"[^!$-;=?-~]")
_SPECIAL_QUERY_SET = patterns.compile(r"[^!$-&(-;=?-~]")
_PATH_SET = patterns.compile(r"[^!$-;=@-\]_a-z|~]")
_USERINFO_SET = patterns.compile(r"[^!$-.0-9A-Z_a-z~]")
_OPAQUE_SET = patterns.compile(r"[^ -~]")

STRIPPED = "".join(map(chr, range(0x21)))  # control characters and the space, which are removed at both ends
_REMOVED = patterns.compile("[\t\n\r]+")
_SURROGATES = patterns.compile("[\ud800-\udfff]")
_SINGLE_DOTS = frozenset((".", "%2e"))
_DOUBLE_DOTS = frozenset(("..", ".%2e", "%2e.", "%2e%2e"))
_DRIVE = patterns.compile(r"[A-Za-z][:|](?=[/\\?#]|$)")


def cleaned(text: str) -> str:
    """Return the text without blanks around the URL, and without line ends, tabs and lone surrogates inside."""
    text = text.strip(STRIPPED)
    if "\n" in text or "\t" in text or "\r" in text:
        text = _REMOVED.sub("", text)
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def parse_cleaned(text: str, base: Url | None) -> Url:
    """Parse a cleaned text, relative to `base` if one is given. Raises InvalidUrl."""
    rest, mark, fragment = text.partition("#")
    encoded = _encode(fragment, _FRAGMENT_SET) if mark else None
    scheme = scheme_of(rest)
    if not scheme:
        return _relative(rest, base)._replace(fragment=encoded)
    rest = rest[len(scheme) + 1 :]
    if scheme == "file":
        url = _file(rest)
    elif scheme not in DEFAULT_PORTS:
        url = _other(scheme, rest)
    elif base is not None and base.scheme == scheme and not rest.startswith("//"):
        url = _relative(rest, base)
    else:
        url = _with_authority(scheme, rest, _slashes(rest))
    return url._replace(fragment=encoded)


def scheme_of(text: str) -> str:
    """Return the scheme that a URL begins with, in lower case; "" for a relative reference."""
    head, colon, _ = text.partition(":")
    if not colon or not head.isascii() or not head[:1].isalpha():
        return ""
    return head.lower() if head.replace("+", "").replace("-", "").replace(".", "").isalnum() else ""


def _slashes(text: str) -> int:
    return len(text) - len(text.lstrip("/\\"))


def _relative(rest: str, base: Url | None) -> Url:
    """Parse a reference without a scheme ("relative state"); the fragment is already cut off."""
    if base is None:
        raise InvalidUrl("it has no scheme")
    if base.host is None and not base.path.startswith("/") and base.scheme not in DEFAULT_PORTS:
        if rest:
            raise InvalidUrl("it is relative, and the base has an opaque path")
        return base
    is_special = base.scheme in DEFAULT_PORTS
    slashes = "/\\" if is_special else "/"
    if rest[:1] and rest[0] in slashes:
        if rest[1:2] and rest[1] in slashes:
            if base.scheme == "file":
                return _file(rest)
            return _with_authority(base.scheme, rest, _slashes(rest) if is_special else 2)
        path, query = _path_and_query(rest, base.scheme)
        return base._replace(path=path, query=query)
    if not rest:
        return base
    if rest[0] == "?":
        return base._replace(query=_query(rest[1:], base.scheme))
    folder = base.path[: base.path.rfind("/") + 1] or "/"  # the path of foo://host is empty
    path, query = _path_and_query(rest, base.scheme, folder)
    return base._replace(path=path, query=query)


def _with_authority(scheme: str, rest: str, start: int) -> Url:
    """Read the part after the slashes: [userinfo@]host[:port][path][?query]."""
    is_special = scheme in DEFAULT_PORTS
    end = len(rest)
    for mark in "/\\?" if is_special else "/?":
        position = rest.find(mark, start, end)
        end = position if position >= 0 else end
    userinfo, at, netloc = rest[start:end].rpartition("@")
    host_text, port = _split_port(netloc, scheme)
    if not host_text and (is_special or at or netloc):
        raise InvalidUrl("the host is empty")
    username, _, password = userinfo.partition(":")
    host = hosts.parse_host(host_text, is_special) if host_text else ""
    path, query = _path_and_query(rest[end:], scheme)
    if not is_special:
        host = _encode(host, _OPAQUE_SET)
    username, password = _encode(username, _USERINFO_SET), _encode(password, _USERINFO_SET)
    return Url(scheme, username, password, host, port, path, query, None)


def _split_port(netloc: str, scheme: str) -> tuple[str, int | None]:
    """Return the host's text, and the port or None if it is missing or the scheme's default."""
    is_ipv6 = netloc.startswith("[")
    if is_ipv6 and "]" not in netloc:
        raise InvalidUrl("the host has an opening bracket without a closing one")
    colon = netloc.find(":", netloc.find("]") + 1 if is_ipv6 else 0)
    if colon < 0:
        return netloc, None
    digits = netloc[colon + 1 :]
    if not digits:
        return netloc[:colon], None
    if not digits.isascii() or not digits.isdigit():
        raise InvalidUrl("the port is not a number")
    digits = digits.lstrip("0") or "0"
    if len(digits) > 5 or int(digits) > 65535:
        raise InvalidUrl("the port is above 65535")
    port = int(digits)
    return netloc[:colon], None if DEFAULT_PORTS.get(scheme) == port else port


def _path_and_query(rest: str, scheme: str, folder: str = "") -> tuple[str, str | None]:
    text, mark, query = rest.partition("?")
    is_special = scheme in DEFAULT_PORTS
    if is_special and "\\" in text:
        text = text.replace("\\", "/")
    path = _without_dots(folder + _encode(text, _PATH_SET))
    if is_special and not path:
        path = "/"
    return path, _query(query, scheme) if mark else None


def _query(text: str, scheme: str) -> str:
    return _encode(text, _SPECIAL_QUERY_SET if scheme in DEFAULT_PORTS else _QUERY_SET)


def _without_dots(path: str) -> str:
    """Remove dot segments; `path` is empty or begins with a slash."""
    if "/." not in path and "%2" not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for position, segment in enumerate(segments):
        word = segment.lower()
        is_last = position == len(segments) - 1
        if word in _DOUBLE_DOTS:
            if kept:
                kept.pop()
        elif word not in _SINGLE_DOTS:
            kept.append(segment)
            continue
        if is_last:
            kept.append("")
    return "/" + "/".join(kept)


def _file(rest: str) -> Url:
    """Parse a file URL. Its base is ignored: file URLs are listed among links, and not opened."""
    text, mark, query = rest.partition("?")
    text = text.replace("\\", "/")
    host = ""
    if text.startswith("//") and not _DRIVE.match(text[2:]):
        name, slash, tail = text[2:].partition("/")
        host = "" if name.lower() == "localhost" or not name else hosts.parse_host(name)
        text = slash + tail
    text = text.lstrip("/") if text.startswith("//") else text.removeprefix("/")
    path = _without_dots("/" + _encode(text, _PATH_SET))
    return Url("file", "", "", host, None, path, _query(query, "file") if mark else None, None)


def _other(scheme: str, rest: str) -> Url:
    """Parse a URL whose scheme is not special; without a slash its path is opaque: "mailto:a@e.example"."""
    if rest.startswith("//"):
        return _with_authority(scheme, rest, 2)
    if rest.startswith("/"):
        path, query = _path_and_query(rest, scheme)
        return Url(scheme, "", "", None, None, path, query, None)
    text, mark, query = rest.partition("?")
    return Url(scheme, "", "", None, None, _encode(text, _OPAQUE_SET), _query(query, scheme) if mark else None, None)


def _encode(text: str, pattern: Pattern[str]) -> str:
    return pattern.sub(_percent, text) if pattern.search(text) else text


def _percent(match: Match[str]) -> str:
    char = match[0]
    if char < "\x80":
        return f"%{ord(char):02X}"
    return "".join([f"%{byte:02X}" for byte in char.encode("utf-8", "replace")])
