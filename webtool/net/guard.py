"""What may be dialled: URL forms, host names, addresses and ports. In: values. Out: nothing, or SsrfBlocked/InvalidUrl.

Only globally reachable unicast addresses pass (the tables at the end list the others), and whatever is on the allow
list of private hosts: host names, addresses, CIDR blocks. Domain lists: deny wins over allow. Spec: RFC 6761 (special-use
names), the Fetch Standard's bad ports.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.errors import InvalidArgument, InvalidUrl, SsrfBlocked, cut
from webtool.lean.records import NamedTuple
from webtool.settings import Settings
from webtool.urls import hosts

MAX_URL = 65536  # characters; servers end far below
_SHOWN = 100  # characters of a name in a message
_LISTED = 8  # domains of a list in a message

# Fetch Standard section 2.9, "bad port".
BAD_PORTS = frozenset((
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))  # fmt: skip

# Names that mean this machine or network by their form alone; refused without asking any resolver.
_LOCAL_NAMES = frozenset(
    ("localhost", "localhost6", "ip6-localhost", "ip6-loopback", "local", "internal", "metadata", "instance-data")
)
_LOCAL_SUFFIXES = (".localhost", ".localdomain", ".localdomain6", ".local", ".internal", ".home.arpa")


def _allowed_name(text: str) -> str:
    """A host name in canonical form, `.name` for all that lies below it. Raises InvalidArgument."""
    is_suffix = text.startswith((".", "*."))
    name = "" if "/" in text else urls.hostname(text.lstrip("*.") if is_suffix else text)
    if not name:
        raise InvalidArgument(
            f"allow_private_hosts names {shown(text)!r}, which is not a host name, address or CIDR block",
            hint="Write for example localhost,10.0.0.0/8,::1.",
        )
    return f".{name}" if is_suffix else name


def _domains(setting: str, texts: tuple[str, ...]) -> frozenset[str]:
    """The domains of a list in canonical form. Raises InvalidArgument: one that is passed over would let pass."""
    names = set()
    for text in texts:
        address = hosts.parse_address(text)
        name = str(address) if address is not None else urls.hostname(text.removeprefix("*.").lstrip("."))
        behind = text.partition("://")[2] or text
        if not name or "*" in name or "/" in behind.rstrip("/"):  # neither paths nor blocks can be listed
            raise InvalidArgument(
                f"{setting} names {shown(text)!r}, which is not a domain",
                hint="Write for example example.com,docs.example.org; their sub-domains are taken in.",
            )
        names.add(f"[{name}]" if ":" in name and not name.startswith("[") else name)
    return frozenset(names)


def _is_below(host: str, domains: frozenset[str]) -> bool:
    """Whether the host or one of its parents is in the list."""
    dot = "."
    while dot:
        if host in domains:
            return True
        _, dot, host = host.partition(".")
    return False


class Guard:
    """The decisions under one set of settings; holds no state. Raises InvalidArgument for settings it cannot read."""

    def __init__(self, settings: Settings) -> None:
        self._allow_domains = _domains("allow_domains", settings.allow_domains)
        self._deny_domains = _domains("deny_domains", settings.deny_domains)
        blocks = [(text, parse_block(text)) for text in settings.allow_private_hosts]
        self._allowed_blocks = tuple(block for _, block in blocks if block is not None)
        names = [_allowed_name(text) for text, block in blocks if block is None]
        self._allowed_names = frozenset(name for name in names if not name.startswith("."))
        self._allowed_suffixes = tuple(name for name in names if name.startswith("."))

    def check_url(self, text: str) -> urls.Url:
        """The parsed URL, if its form, port, domain and name may be fetched at all. Raises InvalidUrl, SsrfBlocked."""
        if len(text) > MAX_URL:
            raise InvalidUrl(
                f"the URL has {len(text)} characters; at most {MAX_URL} are sent",
                hint="No server takes a URL this long. Leave out what the page does not need, or search for the page.",
            )
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
        """The addresses that a name resolved to, all of them checked: one that may not be dialled refuses the name."""
        checked = []
        for text in answers:
            address = hosts.parse_address(text)
            if address is None:
                raise SsrfBlocked(
                    f"{host} resolves to {text[:50]!r}, which is not an address",
                    hint="Check this machine's resolver; another host may work.",
                )
            self.check_address(address, host)
            checked.append(address)
        return checked

    def check_address(self, address: hosts.Address, host: str) -> None:
        """Raises SsrfBlocked unless the address is public, allowed, or belongs to a host that is."""
        reason = why_not_public(address)
        if reason is None or self._is_allowed_name(host):
            return
        inner = unwrapped(address)
        if any(block.contains(address) or block.contains(inner) for block in self._allowed_blocks):
            return
        found = str(address)
        what = f"{host} is" if host.strip("[]") == found else f"{shown(host)} resolves to {found},"
        raise _blocked(f"{what} not a public address ({reason})")

    def check_proxied_name(self, host: str) -> None:
        """For a name that a proxy will resolve: a name without a dot is one of its own network."""
        if not self._is_allowed_name(host) and hosts.parse_address(host) is None and "." not in host.rstrip("."):
            raise _blocked(f"{shown(host)} is a name of the proxy's own network")

    def _is_allowed_name(self, host: str) -> bool:
        name = host.rstrip(".")
        return name in self._allowed_names or name.endswith(self._allowed_suffixes or ("\0",))

    def _check_domain(self, host: str) -> None:
        name = host.rstrip(".")
        if _is_below(name, self._deny_domains):
            raise SsrfBlocked(
                f"{shown(host)} is on the list of denied domains",
                hint="The operator of webtool keeps it out with the setting deny_domains. Look for another source.",
            )
        allowed = self._allow_domains
        if allowed and not _is_below(name, allowed):
            more = f" and {len(allowed) - _LISTED} more" if len(allowed) > _LISTED else ""
            listed = ", ".join(map(shown, sorted(allowed)[:_LISTED])) + more
            raise SsrfBlocked(
                f"{shown(host)} is not on the list of allowed domains",
                hint=f"Only these are fetched, by the setting allow_domains: {listed}.",
            )

    def _check_name(self, host: str) -> None:
        name = host.rstrip(".")
        if not name or ".." in host or name.startswith("."):
            raise InvalidUrl(
                f"the host name {shown(host)!r} has nothing before or between its dots",
                hint="Check the spelling of the host name.",
            )
        if name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES):
            raise _blocked(f"{shown(host)} is a name of this machine or its network")
        if max(map(len, name.split("."))) > 63 or len(name) > 253:
            raise InvalidUrl(
                f"the host name {shown(host)!r} is longer than DNS allows (63 characters a label, 253 in all)",
                hint="Check the spelling of the host name.",
            )


def shown(host: str) -> str:
    """A host name for a message: a page may have made it endless."""
    return cut(host, _SHOWN)


class EndpointGuard(Guard):
    """For an endpoint that the user's own settings name. It may be on loopback or in a private network (a proxy, a
    SearXNG instance): the user who sets it means it."""

    def check_address(self, address: hosts.Address, host: str) -> None:
        """Any address is the endpoint's own business."""

    def check_proxied_name(self, host: str) -> None:
        """Any name too."""


def _blocked(message: str) -> SsrfBlocked:
    return SsrfBlocked(
        message,
        hint="Only public addresses are fetched. If this host is meant, the operator of webtool can name it in the "
        "setting allow_private_hosts (WEBTOOL_ALLOW_PRIVATE_HOSTS).",
    )


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
# Within 2000::/3, the only block from which global unicast addresses are given out.
_IPV6_SPECIAL = (
    ("2001::/23", "reserved for protocols, Teredo among them"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("2600:2d00:2:1000::/56", "a cloud's services for its guests (Google)"),
    ("2600:2d00:2:2000::/56", "a cloud's services for its guests (Google)"),
    ("3fff::/20", "documentation"),
)
_IPV6_LOCAL = (
    ("::/128", "the unspecified address"),
    ("::1/128", "loopback"),
    ("fc00::/7", "unique local"),
    ("fe80::/10", "link-local"),
    ("ff00::/8", "multicast"),
)


class Block(NamedTuple):
    """A CIDR block: the upper `bits` of `prefix`, an address of `width` bits."""

    prefix: int
    bits: int
    width: int

    def contains(self, address: hosts.Address) -> bool:
        """Whether the address lies in the block."""
        shift = self.width - self.bits
        return address.width == self.width and address.value >> shift == self.prefix >> shift


def parse_block(text: str) -> Block | None:
    """An address, or a block in CIDR form; None for a name."""
    host, slash, digits = text.strip().partition("/")
    address = hosts.parse_address(host.strip("[]"))
    if address is None or (slash and not (digits.isascii() and digits.isdigit() and len(digits) < 4)):
        return None
    bits = int(digits) if slash else address.width
    return Block(address.value, bits, address.width) if bits <= address.width else None


def _table(rows: Iterable[tuple[str, str]]) -> tuple[tuple[Block, str], ...]:
    parsed = ((parse_block(text), reason) for text, reason in rows)
    return tuple((block, reason) for block, reason in parsed if block is not None)


_SPECIAL = {32: _table(_IPV4_SPECIAL), 128: _table(_IPV6_LOCAL + _IPV6_SPECIAL)}
_GLOBAL_UNICAST = Block(0x2 << 124, 3, 128)
# The lower 32 bits are an IPv4 address: mapped (RFC 4291), NAT64's well-known prefix (RFC 6052).
_EMBEDDING = (Block(0xFFFF << 32, 96, 128), Block(0x64FF9B << 96, 96, 128))


def unwrapped(address: hosts.Address) -> hosts.Address:
    """The IPv4 address inside an IPv6 one, where it is that one which is reached; else the address itself."""
    if any(block.contains(address) for block in _EMBEDDING):
        return hosts.Address(address.value & 0xFFFFFFFF, 32)
    return address


def why_not_public(address: hosts.Address) -> str | None:
    """What kind of special address this is; None for a globally reachable unicast address."""
    address = unwrapped(address)
    for block, reason in _SPECIAL[address.width]:
        if block.contains(address):
            return reason
    if address.width == 128 and not _GLOBAL_UNICAST.contains(address):
        return "not global unicast"
    return None
