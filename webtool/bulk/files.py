"""Read a file that the command line names instead of a URL. In: a word of the command line. Out: its LocalFile.

is_file() decides whether a word is a file or a URL; read() reads and decompresses it.
Tests: tests/bulk/test_files.py
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from webtool.answers.budget import shortened
from webtool.context import LocalFile
from webtool.errors import FetchTooLarge, InvalidArgument
from webtool.lean.typing import BinaryIO

MAX_FILE_BYTES = 64 * 1024 * 1024  # bytes, decompressed; a larger file raises FetchTooLarge
MAX_LIST = 256 << 20  # bytes of a list of URLs or files
_PIECE = 1 << 20  # bytes read at a time
_MAX_SHOWN = 200  # characters of a word in a message
_GZIP = b"\x1f\x8b\x08"
_DOMAIN_SUFFIXES = ("md",)  # file suffixes that are top-level domains too: "example.md" is a host
_PATH_BEGINS = ("/", "./", "../", "~/", ".\\", "..\\", "\\\\", "~\\")


def is_file(word: str) -> bool:
    """Return whether a word names a file, not a URL: by its form, or because the file exists. "-" is standard input."""
    if word == "-" or word.startswith(_PATH_BEGINS):
        return True
    if word[1:2] == ":" and word[2:3] in ("\\", "/") and word[0].isalpha() and word[0].isascii():
        return True  # a Windows drive (C:\page.html); no URL scheme has one letter
    if "://" in word:
        return False
    if "/" not in word and _has_document_suffix(word):
        return True
    return os.path.isfile(word) or ("." not in word and os.path.isdir(word))


def _has_document_suffix(word: str) -> bool:
    from webtool.documents import formats

    _, dot, suffix = word.lower().rpartition(".")
    return bool(dot) and suffix not in _DOMAIN_SUFFIXES and formats.find("suffixes", suffix) is not None


def read(word: str, limit: int = MAX_FILE_BYTES, hint: str = "") -> LocalFile:
    """Read a file, decompressing gzip. Raises InvalidArgument if it is unreadable, FetchTooLarge past `limit` bytes."""
    try:
        if word == "-":
            body = read_at_most(sys.stdin.buffer, limit + 1)
        else:
            with open(os.path.expanduser(word), "rb") as file:
                body = read_at_most(file, limit + 1)
    except (OSError, ValueError) as exc:
        raise unusable(word, "read", exc, hint or _instead(word)) from exc
    if len(body) <= limit:  # else gzip is cut here, and would seem damaged
        body = unpacked(word, body, limit)
    if len(body) > limit:
        hint = hint or "Give a smaller file or raise max_bytes."
        raise FetchTooLarge(f"{word} is larger than {limit:,} bytes", hint=hint)
    return LocalFile(word, body)


def unusable(path: str, verb: str, reason: BaseException | str, hint: str) -> InvalidArgument:
    """Return the error for a file that cannot be read or written.

    The reason is a text or an exception: an OSError, or the ValueError for a name with NUL.
    """
    shown = getattr(reason, "strerror", None) or reason
    return InvalidArgument(f"{shortened(path, _MAX_SHOWN)} cannot be {verb}: {shown}", hint=hint)


def unpacked(word: str, body: bytes, limit: int, *, is_part: bool = False) -> bytes:
    """Decompress gzip up to a byte more than the limit; other bytes stay. Raises InvalidArgument if damaged or cut.

    `is_part` says that the body is only the beginning of a file, so that gzip may be cut.
    """
    if not body.startswith(_GZIP):
        return body
    from webtool.documents.archive import inflated

    try:
        content, is_whole = inflated(body, limit + 1)
    except ValueError as exc:
        raise InvalidArgument(f"{word} is damaged: {exc}", hint="Try another copy.") from exc
    if not is_whole and not is_part and len(content) <= limit:
        raise InvalidArgument(f"{word} is damaged: it ends too early", hint="Try another copy.")
    return content


def _instead(word: str) -> str:
    """Return the hint for a word that is not a readable file."""
    if "://" in word:
        return f"webtool open {shortened(word, _MAX_SHOWN)} opens the page."
    if "<" in word:
        return "HTML itself is the value of --html, or comes through standard input: webtool extract -"
    if os.path.isdir(word):
        return f"webtool extract {word} reads all pages in a folder, webtool open one file."
    return "Give a file, or - for standard input."


def list_lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a list, without empty ones and comments (lines that begin with #)."""
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # PowerShell 5 writes `> urls.txt` so
    lines = map(str.strip, data.decode("utf-16" if is_utf16 else "utf-8-sig", "replace").splitlines())
    return (line for line in lines if line and not line.startswith("#"))


def read_at_most(file: BinaryIO, limit: int) -> bytes:
    """Read at most `limit` bytes, piece by piece: read(limit) would allocate `limit` bytes even for a small file."""
    pieces, left = [], limit
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
