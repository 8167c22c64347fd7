"""Parse, join, normalise, compare and redact URLs. In: text as people, pages and servers write it. Out: Url, or text.

parser.py has the parser of the WHATWG URL Standard, hosts.py and domain_names.py read hosts.
Tests: tests/urls/test_urls.py
"""

from __future__ import annotations

from webtool.errors import InvalidUrl, cut
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.lean.records import NamedTuple
from webtool.urls.parser import STRIPPED, Url, cleaned, parse_cleaned, scheme_of

__all__ = [
    "Url", "hostname", "join", "join_or_empty", "matches_domain", "normalise", "parse", "redact", "redact_for_archive",
    "require_http", "shortened",
]  # fmt: skip

# A URL that is serialised already: nothing to encode, no dot segment, no port, a host that cannot be an IPv4 address.
_PLAIN = patterns.compile(
    r"https?://(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*/(?![.%])(?:[A-Za-z0-9\-_~!$&()*+,;=:@%]|/(?![.%])|(?<!/)\.)*"
    r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?(?:#[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?"
)
# References that are joined by prefixing a part of their base: "a/b", "?q", "#x". Without a colon they have no scheme.
_PLAIN_REFERENCE = patterns.compile(
    r"/?(?![/.%])(?:[A-Za-z0-9\-_~!$&()*+,;=@%]|/(?![.%])|(?<!/)\.)*"
    r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?(?:#[A-Za-z0-9\-._~!$&()*+,;=:@%/?]*)?"
)


def parse(text: str, base: str | Url | None = None) -> Url:
    """Parse a URL, relative to `base` if one is given. Raises InvalidUrl, whose message shows no user information."""
    if isinstance(base, str):
        base = _bases[base].url
    try:
        return parse_cleaned(cleaned(text), base)
    except InvalidUrl as exc:
        raise InvalidUrl(
            f"{shortened(text)!r} is not a usable URL: {exc.message}",
            hint="Give an absolute http or https URL, such as https://example.com/page.",
        ) from None


def join(base: str | Url, reference: str) -> str:
    """Return the absolute URL of a reference in a document at `base`. Raises InvalidUrl."""
    if _PLAIN.fullmatch(reference):
        return reference
    if isinstance(base, str) and _PLAIN_REFERENCE.fullmatch(reference):
        prefixes = _bases[base].prefixes
        if prefixes is not None:
            return prefixes[reference[:1] if reference[:1] in ("", "/", "?", "#") else "."] + reference
    return parse(reference, base).href


def join_or_empty(base: str | Url, reference: str) -> str:
    """Return the absolute URL of a reference, "" if it cannot be joined: `<base href="http://[">`."""
    try:
        return join(base, reference)
    except InvalidUrl:
        return ""


class _Base(NamedTuple):
    """A base URL. `prefixes`: what to put before a plain reference, by its first character ("." stands for a name).

    It is None if the scheme is not http or https.
    """

    url: Url
    prefixes: dict[str, str] | None


def _base(text: str) -> _Base:
    url = parse(text)
    if url.scheme not in ("http", "https"):
        return _Base(url, None)
    whole = url.without_fragment
    document = url._replace(query=None).without_fragment
    folder = document[: document.rfind("/") + 1]
    root = document[: len(document) - len(url.path)]
    return _Base(url, {"": whole, "#": whole, "?": document, ".": folder, "/": root})


_bases = Remembered(_base, 16)  # the last 16: a page joins all its links to one base


_HOST_AND_PORT = patterns.compile(r"[^/?#@\\]+:[0-9]+(?=[/?#\\]|$)")
_SCHEME_AND_SLASHES = patterns.compile(r"[^/?#\\]*://")  # in front: example.com/?u=https://x.example has no scheme


def normalise(text: str) -> str:
    """Return the http(s) URL that a person or an agent means, in one form: absolute, serialised, without fragment.

    A missing scheme means https (`example.com/a`, `localhost:8080`, `//example.com`). Raises InvalidUrl for other
    schemes and for user information (credentials belong into the hosts file). Twice is the same as once.
    """
    address = cleaned(text)
    if _QUOTED.match(address):
        raise _not_alone(address)
    if address.startswith(("//", "\\\\")):
        address = f"https:{address}"
    elif _is_without_scheme(address):
        if address[:1] in ("", "/", "\\", "?", "#", "."):
            raise InvalidUrl(f"{shortened(text)!r} names no host" if address else "the URL is empty")
        address = f"https://{address}"
    url = parse(address)
    require_http(url)
    if url.host in ("http", "https") and url.path.startswith("//"):  # https//a.example, https://https://a.example
        hint = f"Give the address with one scheme: {shortened(f'{url.host}:{url.target}')}"
        raise InvalidUrl(f"{shortened(text)!r} has its scheme twice, or without the colon", hint=hint)
    return url.without_fragment


def _is_without_scheme(address: str) -> bool:
    """Return whether https:// is missing, as in localhost:8080, whose host scheme_of() takes for a scheme."""
    scheme = scheme_of(address)
    return not scheme or (scheme not in ("http", "https") and bool(_HOST_AND_PORT.match(address)))


# Marks in which models write an address: quotes, <https://...>, [title](https://...). An IPv6 host has brackets too.
_QUOTED = patterns.compile(r"[\"'`<(\u201c\u2018\u00ab\u300c]|!?\[[^\]]*\]\(")
_ADDRESS = patterns.compile(r"(?i)https?://[^\s\"'`<>()\[\]\u201d\u2019\u00bb\u300d]+")


def _not_alone(text: str) -> InvalidUrl:
    """Return the error for an address in quotes, brackets or a markdown link."""
    address = _ADDRESS.search(text[:2000])
    alone = shortened(address[0]) if address else "https://example.com/page"
    return InvalidUrl(f"{shortened(text)!r} has marks around the URL", hint=f"Give the address alone: {alone}")


def require_http(url: Url) -> None:
    """Raise InvalidUrl unless the URL is http or https and carries no user information."""
    if url.scheme not in ("http", "https"):
        raise InvalidUrl(
            f"{shortened(url.href)!r} has the scheme {cut(url.scheme, 20)}; only http and https are fetched",
            hint="Give an http or https URL; addresses of other kinds name no page.",
        )
    if url.username or url.password:
        raise InvalidUrl(
            f"the URL of {cut(url.host or '', 100)} carries user information, which is never sent",
            hint="Remove the part before the @; credentials of a host belong into the hosts file.",
        )


def hostname(text: str) -> str:
    """Return the canonical host of a URL, a host with or without port, or a domain; "" without one."""
    text = cleaned(text)
    if not _SCHEME_AND_SLASHES.match(text):
        text = f"https://{text.lstrip('/')}"
    try:
        return (parse_cleaned(text, None).host or "").rstrip(".")
    except InvalidUrl:
        return ""


def matches_domain(host_or_url: str, domain: str) -> bool:
    """Return whether a host is a domain or below it. Case, port, user info, final dot and IDNA form do not matter."""
    domain_host = hostname(domain.strip().removeprefix("*.").lstrip("."))
    host = hostname(host_or_url)
    return bool(domain_host) and (host == domain_host or host.endswith(f".{domain_host}"))


# Slashes, and what follows them up to the next one: where an authority may be. Each may be empty, so that the matches
# cover the text and none is tried twice at a place.
_PART = patterns.compile(r"([/\\]*)([^/\\?#\s]*)")
_BEFORE_SLASHES = frozenset("<\"'=(,")  # marks after which // begins an address
_HTTP = patterns.compile(r"(?i)\bhttps?:")
# access_token, X-Amz-Signature, PHPSESSID; then key, apikey, private_key, key_id, sig, pwd.
_SECRET_NAMES = (
    r"[^=&;#?]*(?:token|secret|signature|passw(?:or)?d|credentials?|session|sess(?:ion)?_?id|auth|authorization|jwt)"
    r"|(?:[^=&;#?]*(?:[-_]|api|access|app|auth|private|license|service))?key(?:_?id)?|sig|pwd"
)
_SECRET = patterns.compile(rf"(?i)([?&;#](?:{_SECRET_NAMES})=)[^&;#\s]+")
# An OAuth server sends a browser back with ?code=SECRET. Elsewhere `code` is a country or a product: ?code=US.
_SECRET_IN_ARCHIVE = patterns.compile(rf"(?i)([?&;#](?:{_SECRET_NAMES}|code|sid)=)[^&;#\s]+")
_PARAMETER = patterns.compile(r"([?&;#])([^=&;#?\s]*)=([^&;#\s]+)")
_CODED = patterns.compile(r"%([0-7][0-9A-Fa-f])")


def redact(text: str) -> str:
    """Return a URL for messages and logs: without user information and the values of secret-looking parameters."""
    if "@" in text:
        text = _PART.sub(_without_user, text)
    return _without_secrets(text, _SECRET) if "=" in text else text


def _without_user(part: patterns.Match[str]) -> str:
    """Return a match of _PART without user information: //u:p@h, ftp:\\\\u:p@h, see (//u:p@h), http:u:p@h.

    An @ elsewhere is of a path: /npm/react@18/.
    """
    slashes, rest = part.groups()
    user, at, host = rest.rpartition("@")
    if not at:
        return part[0]
    before = part.string[part.start() - 1 : part.start()]  # "" at the beginning of the text
    if slashes and (before in ("", ":") or (len(slashes) > 1 and (before in _BEFORE_SLASHES or before.isspace()))):
        return slashes + host
    http = _HTTP.search(user)
    return f"{slashes}{user[: http.end()]}{host}" if http else part[0]


def redact_for_archive(text: str) -> str:
    """Redact a URL for a WARC file, which may be handed to others: `code` parameters are secrets there too."""
    return _without_secrets(redact(text), _SECRET_IN_ARCHIVE)


def _without_secrets(text: str, secret: patterns.Pattern[str]) -> str:
    """Blank parameters that a pattern finds, also in percent-encoding or brackets.

    All of these have secrets: `?token=a`, `?%74oken=a`, `?user[token]=a`, `?next=%2Fpage%3Ftoken%3Da`, and
    `?next=https%3A%2F%2Fuser%3Apassword%40host`.
    """

    def blank(match: patterns.Match[str]) -> str:
        name = _decoded(match[2]).strip("[]+ ")
        is_secret = bool(secret.match(f"?{name}=a"))
        if not is_secret and "%" in match[3]:
            value = f"={_decoded(match[3])}"
            is_secret = bool(secret.search(value)) or ("@" in value and _PART.sub(_without_user, value) != value)
        return f"{match[1]}{match[2]}=***" if is_secret else match[0]

    text = secret.sub(lambda match: f"{match[1]}***", text)
    return _PARAMETER.sub(blank, text) if "%" in text or "[" in text or "+=" in text else text


def _decoded(text: str) -> str:
    """Decode ASCII characters in percent-encoding, twice: "%2574oken" -> "token"."""
    for _ in range(2):
        text = _CODED.sub(lambda match: chr(int(match[1], 16)), text)
    return text


# A user name and a password of any characters: no port follows the colon.
_PASSWORD = patterns.compile(r"([A-Za-z][A-Za-z0-9+.-]*:[/\\]+)?[^/\\?#@:\[]*:(?![0-9]*(?:[/\\?#]|$))")
# Schemes whose addresses have an @ without a password before it.
_WITH_AT = ("mailto:", "sip:", "sips:", "xmpp:", "acct:", "mid:", "cid:", "news:", "im:", "tel:", "urn:", "data:")


def shortened(text: str) -> str:
    """Return a URL for an error message: as it was given, but redacted and cut."""
    head = text[:2000].strip(STRIPPED)
    if "@" in head and not head[:16].lower().startswith(_WITH_AT):
        match = _PASSWORD.match(head)
        if match:
            head = f"{match[1] or ''}***@{head.rpartition('@')[2]}"
    return cut(redact(head), 200)
