"""Read hosts: the host part of a URL to its canonical form, IP addresses to whole numbers and back.

In: text. Out: the serialised host, or an address as an int with its width (32 or 128). Nothing is looked up.
Spec: WHATWG URL Standard section 3.5 (host parsing and serialising). Names beyond ASCII go to
webtool.urls.domain_names, which is imported for them only.
Tests: tests/urls/test_hosts.py
"""

from __future__ import annotations

from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.lean.records import NamedTuple


class Address(NamedTuple):
    """An IP address: its value and its width in bits, 32 or 128."""

    value: int
    width: int

    def __str__(self) -> str:
        return format_ipv4(self.value) if self.width == 32 else format_ipv6(self.value)


MAX_NAME = 253  # characters of a host name in DNS (RFC 1035 section 3.1)
_HEX = "0123456789abcdefABCDEF"
# "Forbidden host code points", and with C0 controls, % and DEL "forbidden domain code points".
_FORBIDDEN_OPAQUE = frozenset("\0\t\n\r #/:<>?@[\\]^|")
_FORBIDDEN = _FORBIDDEN_OPAQUE | frozenset("%\x7f") | frozenset(map(chr, range(0x20)))
_PERCENT = patterns.compile(rb"%([0-9A-Fa-f]{2})")


def parse_host(text: str, is_special: bool = True) -> str:
    """Return the serialised host: a name, dotted IPv4 or [IPv6]. Raises InvalidUrl."""
    if _is_plain_name(text):
        return text
    if text.startswith("["):
        if not text.endswith("]"):
            raise InvalidUrl("the host has an opening bracket without a closing one")
        return f"[{format_ipv6(parse_ipv6(text[1:-1]))}]"
    if not is_special:
        if not _FORBIDDEN_OPAQUE.isdisjoint(text):
            raise InvalidUrl("the host has a character that no host may have")
        return text
    name = percent_decode(text)
    if name.isascii():
        name = name.lower()
    else:
        from webtool.urls import domain_names  # Unicode tables: only few URLs need them

        name = domain_names.to_ascii(name)
    if not name:
        raise InvalidUrl("the host is empty")
    forbidden = _FORBIDDEN.intersection(name)
    if forbidden:
        raise InvalidUrl(f"the host has a character that no host may have: {min(forbidden)!r}")
    return format_ipv4(parse_ipv4(name)) if ends_in_number(name) else name


def _is_plain_name(text: str) -> bool:
    """Return whether a host is serialised already: ASCII, lower case, and its last label begins with a letter."""
    if not text.isascii() or not text.replace("-", "a").replace(".", "a").replace("_", "a").isalnum():
        return False
    return text[text.rfind(".") + 1 :][:1].isalpha() and text == text.lower()


def percent_decode(text: str) -> str:
    """Percent-decode a text as UTF-8; what is not UTF-8 becomes U+FFFD (which no host may have)."""
    if "%" not in text:
        return text
    data = _PERCENT.sub(lambda match: bytes((int(match[1], 16),)), text.encode("utf-8", "replace"))
    return data.decode("utf-8", "replace")


def ends_in_number(name: str) -> bool:
    """Return whether the last label makes the host an IPv4 address or an error ("ends in a number checker")."""
    labels = name.split(".")
    if labels[-1] == "" and len(labels) > 1:
        labels.pop()
    last = labels[-1]
    return last.isascii() and (last.isdigit() or (last[:2] in ("0x", "0X") and not last[2:].strip(_HEX)))


def parse_ipv4(name: str) -> int:
    """Read an IPv4 address in any form that a browser takes: 1 to 4 parts, decimal, octal or hex. Raises InvalidUrl."""
    parts = name.split(".")
    if parts[-1] == "" and len(parts) > 1:
        parts.pop()
    if len(parts) > 4:
        raise InvalidUrl("the IPv4 address has more than four parts")
    numbers = [_ipv4_number(part) for part in parts]
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise InvalidUrl("a part of the IPv4 address is too large")
    value = numbers[-1]
    for position, number in enumerate(numbers[:-1]):
        value += number << (8 * (3 - position))
    return value


def _ipv4_number(part: str) -> int:
    digits, base = part, 10
    if part[:2] in ("0x", "0X"):
        digits, base = part[2:], 16
    elif len(part) > 1 and part[0] == "0":
        digits, base = part[1:], 8
    digits = digits.lstrip("0")
    allowed = _HEX if base == 16 else _HEX[:base]
    # The width check comes first: int() of a long run of digits is slow, and refused by newer Pythons.
    if not part or digits.strip(allowed) or len(digits) > 11:
        raise InvalidUrl("a part of the IPv4 address is not a number of 32 bits")
    return int(digits, base) if digits else 0


def parse_ipv6(text: str) -> int:
    """Read an IPv6 address without brackets: no zone, a dotted tail without leading zeros. Raises InvalidUrl."""
    head, gap, tail = text.partition("::")
    if (text.startswith(":") and not text.startswith("::")) or "::" in tail or tail.startswith(":"):
        raise InvalidUrl("the IPv6 address has colons where none may be")
    if not gap:
        pieces = _pieces(head, may_end_dotted=True)
        if len(pieces) != 8:
            raise InvalidUrl("the IPv6 address does not have eight pieces")
        return _join(pieces)
    first = _pieces(head, may_end_dotted=False) if head else []
    last = _pieces(tail, may_end_dotted=True) if tail else []
    if len(first) + len(last) > 7:
        raise InvalidUrl("the IPv6 address has too many pieces")
    return _join(first + [0] * (8 - len(first) - len(last)) + last)


def _pieces(text: str, may_end_dotted: bool) -> list[int]:
    words = text.split(":")
    if len(words) > 8:
        raise InvalidUrl("the IPv6 address has too many pieces")
    pieces: list[int] = []
    if may_end_dotted and "." in words[-1]:
        value = parse_dotted(words.pop())
        if value is None:
            raise InvalidUrl("the dotted end of the IPv6 address is wrong")
        pieces = [value >> 16, value & 0xFFFF]
    if not all(0 < len(word) < 5 and not word.strip(_HEX) for word in words):
        raise InvalidUrl("a piece of the IPv6 address is not 1 to 4 hex digits")
    return [int(word, 16) for word in words] + pieces


def _join(pieces: list[int]) -> int:
    value = 0
    for piece in pieces:
        value = value << 16 | piece
    return value


def parse_dotted(text: str) -> int | None:
    """Read four decimal parts without leading zeros, as resolvers print them; None for anything else."""
    parts = text.split(".")
    if len(parts) != 4 or not text.isascii():
        return None
    value = 0
    for part in parts:
        if not part.isdigit() or len(part) > 3 or int(part) > 255 or (len(part) > 1 and part[0] == "0"):
            return None
        value = value << 8 | int(part)
    return value


def parse_address(text: str) -> Address | None:
    """Read the address that a resolver, a socket or a URL's host names; None for a name. A zone id is cut off."""
    if ":" not in text:
        value = parse_dotted(text)
        return None if value is None else Address(value, 32)
    try:
        return Address(parse_ipv6(text.strip("[]").partition("%")[0]), 128)
    except InvalidUrl:
        return None


def format_ipv4(value: int) -> str:
    """Write an address in dotted decimal."""
    return f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}"


def format_ipv6(value: int) -> str:
    """Write an address in lower-case hex, the first longest run of two or more zero pieces compressed."""
    pieces = [value >> shift & 0xFFFF for shift in range(112, -16, -16)]
    start, length = _longest_zeros(pieces)
    words = [f"{piece:x}" for piece in pieces]
    if length < 2:
        return ":".join(words)
    return f"{':'.join(words[:start])}::{':'.join(words[start + length :])}"


def _longest_zeros(pieces: list[int]) -> tuple[int, int]:
    """Return the index and the length of the first longest run of zero pieces."""
    start, max_length, length = 0, 0, 0
    for position, piece in enumerate(pieces):
        length = 0 if piece else length + 1
        if length > max_length:
            start, max_length = position - length + 1, length
    return start, max_length
