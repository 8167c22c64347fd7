"""Header fields as the cache keeps them. In: header pairs. Out: one mapping with lower-case names, what of it may be
written down, and a fingerprint of the request fields that Vary names. Spec: RFC 9111 sections 3.1, 3.2 and 4.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webtool import urls
from webtool.cache.keys import digest

# RFC 9111 section 3.1, and what must not be written down: cookies and credentials.
_HOP_BY_HOP = ("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade")
_PROXY = ("proxy-authenticate", "proxy-authentication-info", "proxy-authorization")
_NEVER_STORED = frozenset(_HOP_BY_HOP + _PROXY)
# A field with one of these words in its name, as Set-Cookie, X-Api-Key, X-Auth-Token or CSRF-Token have them.
_SECRET_WORDS = frozenset(
    "apikey auth authenticate authentication authorization cookie cookie2 credential credentials csrf csrftoken jwt key"
    " passwd password secret session sessionid sid signature sso token xsrf".split()
)
# These name addresses, which may have secrets among their parameters.
_WITH_ADDRESS = frozenset(("content-location", "link", "location", "refresh"))
# RFC 9111 section 3.2: these belong to the stored body, not to the 304.
KEPT_ON_304 = frozenset(("content-length", "content-encoding", "content-range", "content-type"))
_SINGLE = frozenset(("age", "date", "expires", "last-modified", "etag", "content-type", "content-length", "location"))
_MAX_FIELD = 4096
SELECTED = ":selected"  # no field name holds a colon, so this cannot collide with one


def combined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Header pairs as one mapping with lower-case names: lists are joined, of a single value the first counts."""
    headers: dict[str, str] = {}
    for name, value in pairs:
        name, value = name.lower(), value.strip()
        if name not in headers:
            headers[name] = value
        elif name not in _SINGLE:
            headers[name] += ", " + value
    return headers


def is_kept(name: str, headers: Mapping[str, str]) -> bool:
    """May this field be written down? Cookies, credentials and what belongs to the connection may not."""
    listed = {field.strip().lower() for field in headers.get("connection", "").split(",")}
    return name not in _NEVER_STORED and name not in listed and len(headers[name]) <= _MAX_FIELD and not is_secret(name)


def is_secret(name: str) -> bool:
    """Whether a field of this name, in lower case, may hold a credential."""
    return not _SECRET_WORDS.isdisjoint(name.replace("_", "-").split("-"))


def without_secrets(name: str, value: str) -> str:
    """The value as it may be written down."""
    return urls.redact(value) if name in _WITH_ADDRESS else value


def selected(vary: str, sent: Mapping[str, str]) -> str:
    """Fingerprint of the request fields that Vary names (RFC 9111 section 4.1); values may be secret, so a digest."""
    names = sorted({name.strip().lower() for name in vary.split(",") if name.strip()})
    if not names:
        return ""
    if "*" in names:
        return "*"
    return digest("\n".join(f"{name}: {sent.get(name, '')}" for name in names))[:32]
