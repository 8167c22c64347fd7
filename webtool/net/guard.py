"""Decide which URLs, host names, ports and addresses may be fetched. Pure.

In: values. Out: the parsed URL or checked addresses; or SsrfBlocked, InvalidUrl. An address passes if it is a globally
reachable unicast address: the tables of special address blocks list the others. Addresses that clouds serve to their
guests only are in these tables too, although they look public. An IPv4 address inside an IPv6 one (mapped, NAT64) is
judged as IPv4. The setting allow_private_hosts (host names, addresses, CIDR blocks) lets private ones pass. Of the
domain lists, deny wins over allow.

Spec: IANA special-purpose address registries (RFC 6890 and its updates), RFC 9637, RFC 6761 (special-use names), the
Fetch Standard's bad ports. The ipaddress module is not used: importing it takes as long as all decisions of a fetch.
Tests: tests/net/test_guard.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.errors import InvalidArgument, InvalidUrl, SsrfBlocked, abridged, cut
from webtool.lean.records import NamedTuple
from webtool.settings import Settings
from webtool.urls import hosts

# --- Addresses ---

_IPV4_SPECIAL = (
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "shared address space"),
    ("127.0.0.0/8", "loopback"),
    ("161.26.0.0/16", "a cloud's services for its guests (IBM)"),
    ("166.8.0.0/14", "a cloud's services for its guests (IBM)"),
    ("168.63.129.16/32", "a cloud's metadata service (Azure)"),
    ("169.254.0.0/16", "link-local, where cloud metadata services are"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "reserved for protocols"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "deprecated relay anycast"),
    ("192.168.0.0/16", "a private network"),
    ("192.80.8.124/32", "a cloud's metadata service (Equinix)"),
    ("199.36.153.4/30", "a cloud's services for its guests (Google)"),
    ("199.36.153.8/30", "a cloud's services for its guests (Google)"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
)
_IPV6_SPECIAL = (
    ("::/128", "the unspecified address"),
    ("::1/128", "loopback"),
    ("fc00::/7", "unique local"),
    ("fe80::/10", "link-local"),
    ("ff00::/8", "multicast"),
    ("2001::/23", "reserved for protocols, Teredo among them"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("2600:2d00:2:1000::/56", "a cloud's services for its guests (Google)"),
    ("2600:2d00:2:2000::/56", "a cloud's services for its guests (Google)"),
    ("3fff::/20", "documentation"),
)


class Block(NamedTuple):
    """A CIDR block: all addresses of `width` bits (32 or 128) whose upper `bits` are those of `prefix`."""

    prefix: int
    bits: int
    width: int

    def contains(self, address: hosts.Address) -> bool:
        shift = self.width - self.bits
        return address.width == self.width and address.value >> shift == self.prefix >> shift


def parse_block(text: str) -> Block | None:
    """Parse an address (a block of one) or a block in CIDR form; None for anything else, such as a host name."""
    host, slash, digits = text.strip().partition("/")
    address = hosts.parse_address(host.strip("[]"))
    if address is None or (slash and not (digits.isascii() and digits.isdigit() and len(digits) < 4)):
        return None
    bits = int(digits) if slash else address.width
    return Block(address.value, bits, address.width) if bits <= address.width else None


_special: dict[int, list[tuple[Block, str]]] = {}  # width of an address -> blocks, parsed when first needed
# 2000::/3, the only block of global unicast addresses; rows of _IPV6_SPECIAL inside it are its exceptions.
_GLOBAL_UNICAST = Block(0x2 << 124, 3, 128)
# The lower 32 bits are an IPv4 address: mapped (RFC 4291), NAT64's well-known prefix (RFC 6052).
_EMBEDDING = (Block(0xFFFF << 32, 96, 128), Block(0x64FF9B << 96, 96, 128))


def unwrapped(address: hosts.Address) -> hosts.Address:
    """Return the IPv4 address that a connection to this IPv6 address reaches; any other address unchanged."""
    if any(block.contains(address) for block in _EMBEDDING):
        return hosts.Address(address.value & 0xFFFFFFFF, 32)
    return address


def why_not_public(address: hosts.Address) -> str | None:
    """Return the kind of special address, such as "loopback"; None for a globally reachable unicast address."""
    address = unwrapped(address)
    if address.width not in _special:
        rows = _IPV4_SPECIAL if address.width == 32 else _IPV6_SPECIAL
        _special[address.width] = [(block, reason) for text, reason in rows if (block := parse_block(text))]
    for block, reason in _special[address.width]:
        if block.contains(address):
            return reason
    if address.width == 128 and not _GLOBAL_UNICAST.contains(address):
        return "not global unicast"
    return None


# --- Ports, host names and domains ---

MAX_URL = 65536  # characters; a longer URL is refused, and servers accept far less
_MAX_SHOWN_NAME = 100  # characters of a host name in a message
_MAX_SHOWN_DOMAINS = 8  # domains of allow_domains in a message

# Fetch Standard section 2.9, "bad port".
BAD_PORTS = frozenset((
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))  # fmt: skip

# Names of this machine or its network (RFC 6761, cloud metadata); refused without asking a resolver.
_LOCAL_NAMES = frozenset(
    ("localhost", "localhost6", "ip6-localhost", "ip6-loopback", "local", "internal", "metadata", "instance-data")
)
_LOCAL_SUFFIXES = (".localhost", ".localdomain", ".localdomain6", ".local", ".internal", ".home.arpa")


def _allowed_name(text: str) -> str:
    """Return a name of allow_private_hosts in canonical form: host -> host, *.host -> .host. Raises InvalidArgument."""
    is_suffix = text.startswith((".", "*."))
    name = urls.hostname(text.lstrip("*.") if is_suffix else text)
    if not name or "/" in text:
        raise InvalidArgument(
            f"allow_private_hosts names {shown(text)!r}, which is not a host name, address or CIDR block",
            hint="Write for example localhost,10.0.0.0/8,::1.",
        )
    return f".{name}" if is_suffix else name


def _domains(setting: str, texts: tuple[str, ...]) -> frozenset[str]:
    """Return the domains of a list in canonical form. Raises InvalidArgument for an entry that could never match."""
    names = set()
    for text in texts:
        name = _comparable(text.removeprefix("*.").lstrip("."))
        without_scheme = text.partition("://")[2] or text
        if not name or "*" in name or "/" in without_scheme.rstrip("/"):  # paths and CIDR blocks are not domains
            hint = "Write for example example.com,docs.example.org; their subdomains are included."
            raise InvalidArgument(f"{setting} names {shown(text)!r}, which is not a domain", hint=hint)
        names.add(name)
    return frozenset(names)


def _comparable(text: str) -> str:
    """Return a host as domain lists have it: [::1] -> ::1, and [::ffff:10.0.0.1] -> 10.0.0.1; "" without a host."""
    name = urls.hostname(text)
    address = hosts.parse_address(text) or hosts.parse_address(name)
    return name if address is None else str(unwrapped(address))


def _is_below(host: str, domains: frozenset[str]) -> bool:
    """Return whether the host or one of its parent domains is in the list: a.b.example, b.example, example."""
    if len(host) > hosts.MAX_NAME:  # no server has such a name: only its end may be in the list
        host = host[-hosts.MAX_NAME :].partition(".")[2]
    parent = host
    while parent and parent not in domains:
        parent = parent.partition(".")[2]
    return bool(parent)


class Guard:
    """Decides under one set of settings; stateless. Raises InvalidArgument for an unreadable domain list."""

    def __init__(self, settings: Settings) -> None:
        self._allow_domains = _domains("allow_domains", settings.allow_domains)
        self._deny_domains = _domains("deny_domains", settings.deny_domains)
        blocks = [(text, parse_block(text)) for text in settings.allow_private_hosts]
        self._allowed_blocks = tuple(block for _, block in blocks if block is not None)
        names = [_allowed_name(text) for text, block in blocks if block is None]
        self._allowed_names = frozenset(name for name in names if not name.startswith("."))
        self._allowed_suffixes = tuple(name for name in names if name.startswith("."))

    def check_url(self, text: str) -> urls.Url:
        """Parse a URL and check its form, port, domain and host name. Raises InvalidUrl, SsrfBlocked."""
        if len(text) > MAX_URL:
            hint = "No server takes a URL this long. Leave out what the page does not need, or search for the page."
            raise InvalidUrl(f"the URL has {len(text)} characters; at most {MAX_URL} are sent", hint=hint)
        url = urls.parse(text)
        urls.require_http(url)
        host = url.host or ""
        self._check_domain(host)
        if url.effective_port in BAD_PORTS:
            raise SsrfBlocked(
                f"port {url.effective_port} of {shown(host)} belongs to another protocol than HTTP",
                hint="No browser asks for pages there. Check the port of the URL; leave it out for the usual one.",
            )
        if not self._is_allowed_name(host):
            self._check_name(host)
        address = hosts.parse_address(host)
        if address is not None:
            self.check_address(address, host)
        return url

    def check_answers(self, host: str, answers: Iterable[str]) -> list[hosts.Address]:
        """Parse and check the addresses that a name resolved to. One forbidden address refuses the whole name."""
        checked = []
        for text in answers:
            address = hosts.parse_address(text)
            if address is None:
                hint = "Check this machine's resolver; another host may work."
                raise SsrfBlocked(f"{host} resolves to {text[:50]!r}, which is not an address", hint=hint)
            self.check_address(address, host)
            checked.append(address)
        return checked

    def check_address(self, address: hosts.Address, host: str) -> None:
        """Raise SsrfBlocked unless the address is public, or the settings allow it or its host name."""
        reason = why_not_public(address)
        if reason is None or self._is_allowed_name(host):
            return
        inner = unwrapped(address)
        if any(block.contains(address) or block.contains(inner) for block in self._allowed_blocks):
            return
        literal = str(address)
        subject = f"{host} is" if host.strip("[]") == literal else f"{shown(host)} resolves to {literal},"
        raise _blocked(f"{subject} not a public address ({reason})", host)

    def check_proxied_name(self, host: str) -> None:
        """Raise SsrfBlocked for a name that a proxy would resolve in its own network: one without a dot."""
        if not self._is_allowed_name(host) and hosts.parse_address(host) is None and "." not in host.rstrip("."):
            raise _blocked(f"{shown(host)} is a name of the proxy's own network", host)

    def _is_allowed_name(self, host: str) -> bool:
        name = host.rstrip(".")
        return name in self._allowed_names or name.endswith(self._allowed_suffixes)

    def _check_domain(self, host: str) -> None:
        """Raise SsrfBlocked for a host that deny_domains names, or that allow_domains does not."""
        if not (self._deny_domains or self._allow_domains):
            return
        name = _comparable(host)
        if _is_below(name, self._deny_domains):
            hint = "The operator of webtool blocks it with the setting deny_domains. Look for another source."
            raise SsrfBlocked(f"{shown(host)} is on the list of denied domains", hint=hint)
        allowed = self._allow_domains
        if allowed and not _is_below(name, allowed):
            listed = abridged([shown(domain) for domain in sorted(allowed)], _MAX_SHOWN_DOMAINS)
            hint = f"The setting allow_domains allows only these: {listed}."
            raise SsrfBlocked(f"{shown(host)} is not on the list of allowed domains", hint=hint)

    def _check_name(self, host: str) -> None:
        """Raise InvalidUrl for a malformed host name, SsrfBlocked for a name of this machine or its network."""
        name = host.rstrip(".")
        if not name or ".." in host or name.startswith("."):
            hint = "Check the spelling of the host name."
            raise InvalidUrl(f"the host name {shown(host)!r} has nothing before or between its dots", hint=hint)
        if name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES):
            raise _blocked(f"{shown(host)} is a name of this machine or its network", host)
        if max(map(len, name.split("."))) > 63 or len(name) > hosts.MAX_NAME:
            raise InvalidUrl(
                f"the host name {shown(host)!r} is longer than DNS allows ({hosts.MAX_NAME} characters, 63 a label)",
                hint="Check the spelling of the host name.",
            )


def shown(host: str) -> str:
    """Shorten a host name for a message; a page may contain a very long one."""
    return cut(host, _MAX_SHOWN_NAME)


class EndpointGuard(Guard):
    """Guard for an endpoint named in the user's own settings, such as a SearXNG instance: private addresses pass."""

    def check_address(self, address: hosts.Address, host: str) -> None:
        """Accept every address."""

    def check_proxied_name(self, host: str) -> None:
        """Accept every name."""


def _blocked(message: str, host: str) -> SsrfBlocked:
    """Return the error for a private host, with the hint how to allow it."""
    variable = f"WEBTOOL_ALLOW_PRIVATE_HOSTS={shown(host.strip('[]'))}"
    hint = f"Only public addresses are fetched. To allow it, the operator sets {variable} (webtool help hosts)."
    return SsrfBlocked(message, hint=hint)
