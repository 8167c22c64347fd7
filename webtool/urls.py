"""URLs: parse, join, serialise, compare. In: text as people, pages and servers write it. Out: Url, or it serialised.

Follows the parser of the WHATWG URL Standard section 4.4, told by splitting instead of by one character at a time; the
special schemes (http, https, ws, wss, ftp, file) as browsers take them, others enough to list links.
Host names beyond ASCII: see webtool.domain_names for what differs from the standard library's IDNA 2003.
"""

from __future__ import annotations

from webtool import hosts, patterns
from webtool.errors import InvalidUrl

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import NamedTuple
else:
    from webtool.records import NamedTuple

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "file": None}


class Url(NamedTuple):
    """A parsed URL. `host` is serialised (IPv6 in brackets), None where there is none; `port` None when default."""

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
        """The port to dial; 0 for schemes that have none."""
        return self.port or DEFAULT_PORTS.get(self.scheme) or 0

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


# Percent-encode sets, section 1.3, by what is left as it is (the opposite class takes far longer to compile).
_FRAGMENT_SET = patterns.compile(r"[^!#-;=?-_a-~]")
_QUERY_SET = patterns.compile(r"[^!$-;=?-~]")
_SPECIAL_QUERY_SET = patterns.compile(r"[^!$-&(-;=?-~]")
_PATH_SET = patterns.compile(r"[^!$-;=@-\]_a-z|~]")
_USERINFO_SET = patterns.compile(r"[^!$-.0-9A-Z_a-z~]")
_OPAQUE_SET = patterns.compile(r"[^ -~]")

_STRIPPED = "".join(map(chr, range(0x21)))
_REMOVED = patterns.compile("[\t\n\r]+")
_SURROGATES = patterns.compile("[\ud800-\udfff]")
_SINGLE_DOTS = frozenset((".", "%2e"))
_DOUBLE_DOTS = frozenset(("..", ".%2e", "%2e.", "%2e%2e"))
_DRIVE = patterns.compile(r"[A-Za-z][:|](?=[/\\?#]|$)")
# Already in the serialised form: nothing to encode, no dot segment, no port, a name that cannot be a number.
_PLAIN = patterns.compile(
    r"https?://(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*/(?![.%])(?:[A-Za-z0-9\-_~!$&()*+,;=:@%]|/(?![.%])|(?<!/)\.)*"
    r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?(?:#[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?"
)
# The same for references that only have to be put behind a part of their base; no colon, so no scheme either.
_PLAIN_REFERENCE = patterns.compile(
    r"/?(?![/.%])(?:[A-Za-z0-9\-_~!$&()*+,;=@%]|/(?![.%])|(?<!/)\.)*"
    r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?(?:#[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?"
)


def parse(text: str, base: str | Url | None = None) -> Url:
    """Parse a URL, relative to `base` if one is given. Raises InvalidUrl, whose message shows no user information."""
    if isinstance(base, str):
        base = _base(base).url
    try:
        return _parse(_cleaned(text), base)
    except InvalidUrl as exc:
        raise InvalidUrl(
            f"{shortened(text)!r} is not a usable URL: {exc.message}",
            hint="Give an absolute http or https URL, such as https://example.com/page.",
        ) from None


def join(base: str | Url, reference: str) -> str:
    """The absolute form of a reference found in a document at `base`. Raises InvalidUrl."""
    if _PLAIN.fullmatch(reference):
        return reference
    if isinstance(base, str) and _PLAIN_REFERENCE.fullmatch(reference):
        prefixes = _base(base).prefixes
        if prefixes is not None:
            return prefixes[reference[:1] if reference[:1] in ("", "/", "?", "#") else "."] + reference
    return parse(reference, base).href


class _Base(NamedTuple):
    """A base URL; `prefixes` is what plain references of each kind are put behind, None where it is no http(s) URL."""

    url: Url
    prefixes: dict[str, str] | None


_bases: dict[str, _Base] = {}  # the last few: a page joins all its links to one


def _base(text: str) -> _Base:
    found = _bases.get(text)
    if found is None:
        if len(_bases) >= 16:
            _bases.clear()
        url = parse(text)
        found = _bases[text] = _Base(url, _prefixes(url) if url.scheme in ("http", "https") else None)
    return found


def _prefixes(url: Url) -> dict[str, str]:
    whole = url.without_fragment
    document = url._replace(query=None).without_fragment
    folder = document[: document.rfind("/") + 1]
    root = document[: len(document) - len(url.path)]
    return {"": whole, "#": whole, "?": document, ".": folder, "/": root}


def _cleaned(text: str) -> str:
    text = text.strip(_STRIPPED)
    if "\n" in text or "\t" in text or "\r" in text:
        text = _REMOVED.sub("", text)
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def _parse(text: str, base: Url | None) -> Url:
    rest, mark, fragment = text.partition("#")
    encoded = _encode(fragment, _FRAGMENT_SET) if mark else None
    scheme = _scheme_of(rest)
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


def _scheme_of(text: str) -> str:
    """The scheme that a URL begins with, in lower case; "" for a relative reference."""
    head, colon, _ = text.partition(":")
    if not colon or not head.isascii() or not head[:1].isalpha():
        return ""
    return head.lower() if head.replace("+", "").replace("-", "").replace(".", "").isalnum() else ""


def _slashes(text: str) -> int:
    """How many slashes and backslashes a text begins with."""
    return len(text) - len(text.lstrip("/\\"))


def _relative(rest: str, base: Url | None) -> Url:
    """A reference without a scheme ("relative state"); the fragment is already cut off."""
    if base is None:
        raise InvalidUrl("it has no scheme")
    if _is_opaque(base):
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
    folder = base.path[: base.path.rfind("/") + 1]
    path, query = _path_and_query(rest, base.scheme, folder)
    return base._replace(path=path, query=query)


def _is_opaque(url: Url) -> bool:
    return url.host is None and not url.path.startswith("/") and url.scheme not in DEFAULT_PORTS


def _with_authority(scheme: str, rest: str, start: int) -> Url:
    """What follows the slashes: [userinfo@]host[:port][path][?query]."""
    is_special = scheme in DEFAULT_PORTS
    end = len(rest)
    for mark in "/\\?" if is_special else "/?":
        found = rest.find(mark, start, end)
        if found >= 0:
            end = found
    userinfo, at, netloc = rest[start:end].rpartition("@")
    host_text, port = _split_port(netloc, scheme)
    if not host_text and (is_special or at or port is not None):
        raise InvalidUrl("the host is empty")
    username, _, password = userinfo.partition(":")
    host = hosts.parse_host(host_text, is_special) if host_text else ""
    path, query = _path_and_query(rest[end:], scheme)
    if not is_special:
        host = _encode(host, _OPAQUE_SET)
    username, password = _encode(username, _USERINFO_SET), _encode(password, _USERINFO_SET)
    return Url(scheme, username, password, host, port, path, query, None)


def _split_port(netloc: str, scheme: str) -> tuple[str, int | None]:
    colon = netloc.find(":", netloc.find("]") + 1 if netloc.startswith("[") else 0)
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
    """A file URL, taken without its base: enough to name it in a list of links."""
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
    if rest.startswith("//"):
        return _with_authority(scheme, rest, 2)
    if rest.startswith("/"):
        path, query = _path_and_query(rest, scheme)
        return Url(scheme, "", "", None, None, path, query, None)
    text, mark, query = rest.partition("?")
    return Url(scheme, "", "", None, None, _encode(text, _OPAQUE_SET), _query(query, scheme) if mark else None, None)


def _encode(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(_percent, text) if text and pattern.search(text) else text


def _percent(match: re.Match[str]) -> str:
    char = match[0]
    if char < "\x80":
        return f"%{ord(char):02X}"
    return "".join([f"%{byte:02X}" for byte in char.encode("utf-8", "replace")])


_HOST_AND_PORT = patterns.compile(r"[^/?#@\\]+:[0-9]+(?=[/?#\\]|$)")


def normalise(text: str) -> str:
    """The one form of an http(s) URL that a person or an agent gave: absolute, serialised, without fragment.

    A missing scheme means https (`example.com/a`, `localhost:8080`, `//example.com`). Raises InvalidUrl for other
    schemes and for user information (credentials belong into the hosts file). Twice is the same as once.
    """
    cleaned = _cleaned(text)
    if cleaned.startswith(("//", "\\\\")):
        cleaned = f"https:{cleaned}"
    elif _scheme_of(cleaned) not in ("http", "https") and (not _scheme_of(cleaned) or _HOST_AND_PORT.match(cleaned)):
        if cleaned[:1] in ("", "/", "\\", "?", "#", "."):
            raise InvalidUrl(f"{shortened(text)!r} names no host", hint="Give an absolute http or https URL.")
        cleaned = f"https://{cleaned}"
    url = parse(cleaned)
    require_http(url)
    return url.without_fragment


def require_http(url: Url) -> None:
    """Raise InvalidUrl unless the URL is http or https and carries no user information."""
    if url.scheme not in ("http", "https"):
        raise InvalidUrl(
            f"{shortened(url.href)!r} has the scheme {url.scheme}; only http and https are fetched",
            hint="Give an http or https URL.",
        )
    if url.username or url.password:
        raise InvalidUrl(
            f"the URL of {url.host} carries user information, which is never sent",
            hint="Remove the part before the @; credentials of a host belong into the hosts file.",
        )


def hostname(text: str) -> str:
    """The canonical host of a URL, a host with or without port, or a domain; "" where there is none."""
    text = _cleaned(text)
    if "://" not in text:
        text = f"https://{text.lstrip('/')}"
    try:
        return (_parse(text, None).host or "").rstrip(".")
    except InvalidUrl:
        return ""


def matches_domain(host_or_url: str, domain: str) -> bool:
    """Whether a host equals a domain or lies below it; case, port, user info, final dot and IDNA form are ignored."""
    wanted = hostname(domain.strip().removeprefix("*.").lstrip("."))
    host = hostname(host_or_url)
    return bool(wanted) and (host == wanted or host.endswith(f".{wanted}"))


_USERINFO = patterns.compile(r"(?<=[/\\])[^/\\?#@\s][^/\\?#\s]*@")
_SECRET = patterns.compile(
    r"(?i)([?&;#](?:[^=&;#?]*(?:token|secret|signature|passw(?:or)?d|credentials?|session|session_?id|auth|authorization|jwt)"
    r"|(?:[^=&;#?]*(?:[-_]|api|access|app|auth|private|license|service))?key(?:_?id)?|sig|pwd)=)[^&;#\s]+",
)


def redact(text: str) -> str:
    """A URL fit for messages and logs: user information and the values of secret-looking parameters are cut out."""
    if "@" in text:
        text = _USERINFO.sub("", text)
    return _SECRET.sub(r"\1***", text) if "=" in text else text


def shortened(text: str) -> str:
    """A URL as given, redacted and cut for an error message."""
    head = text[:2000].strip(_STRIPPED)
    if "@" in head and "//" not in head:
        head = head.rpartition("@")[2]
    head = redact(head)
    return head if len(head) <= 200 else f"{head[:200]}..."
