"""HTTP messages as values: Request, Response, Headers, and the errors for those that break HTTP's rules. Spec: RFC 9110
sections 5 and 6. No I/O, no decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.errors import NetworkError
from webtool.lean import patterns
from webtool.lean.records import NamedTuple


class Headers:
    """Header fields in the order they came; names compare without regard to case."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple(pairs)

    def get(self, name: str) -> str | None:
        """The first field's value."""
        return next(iter(self.get_all(name)), None)

    def get_all(self, name: str) -> list[str]:
        """The values of all fields of that name, in order."""
        name = name.lower()
        return [value for key, value in self._pairs if key.lower() == name]

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._pairs)

    def __repr__(self) -> str:
        return f"Headers({[name for name, _ in self._pairs]})"  # values may be secrets


class Request(NamedTuple):
    """What to send. `headers` are added to, and win over, the client's own; they are dropped on other origins."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""


class Response(NamedTuple):
    """What came back, decoded from its content codings.

    `url` is the final URL without fragment and user information, `redirects` the URLs that led there (the first asked
    for first), `hops` their statuses and fields, `truncated` whether the body is less than what the server has,
    `elapsed_ms` the whole fetch.
    """

    url: str
    status: int
    reason: str
    headers: Headers
    body: bytes
    redirects: tuple[str, ...] = ()
    truncated: bool = False
    elapsed_ms: int = 0
    hops: tuple[tuple[int, Headers], ...] = ()
    proxy: str = ""
    """The proxy that answered in plain HTTP, in words; it may have answered in the server's place."""
    mark: str = ""
    """Of a body that a browser wrote: the attribute by which it says what of the page cannot be seen."""

    @property
    def media_type(self) -> str:
        """The essence of Content-Type in lower case, such as text/html; "" where none is usable."""
        return content_type(self.headers)[0]

    @property
    def charset(self) -> str | None:
        """The charset parameter of Content-Type as sent, None where there is none."""
        return content_type(self.headers)[1]


_ESSENCE = patterns.compile(r"[!#$%&'*+\-.^_`|~0-9a-z]+/[!#$%&'*+\-.^_`|~0-9a-z]+")
_PARAMETER = patterns.compile(r'(?i);\s*charset\s*=\s*(?:"([^"]*)"|([^;,\s"]*))')
_LONGEST_TYPE = 1000  # characters; longer values are no media type


def content_type(headers: Headers) -> tuple[str, str | None]:
    """Essence and charset; of several values the last usable one, which keeps an earlier charset of the same essence.

    After "extract a MIME type" of the Fetch Standard.
    """
    essence, charset = "", None
    for value in ",".join(headers.get_all("content-type"))[:_LONGEST_TYPE].split(","):
        found = value.partition(";")[0].strip().lower()
        if not _ESSENCE.fullmatch(found) or found == "*/*":
            continue
        match = _PARAMETER.search(value)
        label = (match[1] or match[2]) if match else None
        if found != essence:
            essence, charset = found, None
        charset = label or charset
    return essence, charset


class Malformed(NetworkError):
    """The server, or something on the way, does not keep to HTTP: the same request would bring the same answer."""

    retryable = False
    default_hint = (
        "The server's answer breaks the rules of HTTP, so asking again will hardly help. Look for the same text "
        "elsewhere (a search, an archive)."
    )


class CutShort(NetworkError):
    """The connection ended before the answer did; what came is not handed on as if it were the page."""

    default_hint = (
        "The server, or something on the way, ended the connection early. Try again; if it happens each time, look "
        "for the same text elsewhere."
    )
