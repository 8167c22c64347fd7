"""Which addresses are public. In: an address, or text that may name a block of them. Out: what kind of special address
it is, or None for a globally reachable unicast one.

What clouds serve to their guests alone, at addresses that look public, is not public either. IPv4 inside IPv6 (mapped,
NAT64) is judged as IPv4. Spec: IANA special-purpose address registries (RFC 6890 and its updates), RFC 9637. The
ipaddress module is not used: importing it costs as much as a whole fetch's decisions.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.lean.records import NamedTuple
from webtool.urls import hosts

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
