"""The key of a snapshot. In: normalised URL, selecting request headers, mode. Out: 64 hexadecimal digits.

hash = sha256(normalized_url + "\\n" + vary_headers + "\\n" + mode); the same three values always name the same row,
so any other program can compute where a page lies.
"""

from __future__ import annotations

from collections.abc import Iterable

try:  # hashlib costs 3.5 ms, this 0.2; the module's name depends on the Python version
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _sha256


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8, in hexadecimal; lone surrogates are kept apart, not refused."""
    hexadecimal: str = _sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return hexadecimal


def vary_headers(chosen: Iterable[tuple[str, str]]) -> str:
    """The header fields a caller chose in place of webtool's own, one line each, sorted; "" when none was."""
    return "\n".join(sorted(f"{name.strip().lower()}: {value.strip()}" for name, value in chosen))


def snapshot_hash(normalized_url: str, vary_headers: str, mode: str) -> str:
    """The primary key of `snapshots`."""
    return digest(f"{normalized_url}\n{vary_headers}\n{mode}")
