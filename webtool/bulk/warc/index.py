"""Indexes of archives: where a capture lies. In: lines of a CDX or CDXJ file. Out: Entries.

CDXJ is a sort key, a timestamp and a JSON object on each line, as Common Crawl's index server and pywb write it (bare
JSON objects, as the server's `output=json` gives them, too). CDX names its columns with letters in its first line;
without one, the usual eleven or nine are taken. Spec: the CDX legend of the Internet Archive.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from webtool.lean.records import NamedTuple

_LETTERS = {"a": "url", "m": "media_type", "s": "status", "V": "offset", "S": "length", "g": "filename"}
_USUAL = {11: "N b a m s k r M S V g", 9: "N b a m s k r V g"}
_LONGEST_LINE = 1 << 20


class Entry(NamedTuple):
    """One capture: the file that holds it, and where its record begins. `length` is None where it is not known."""

    filename: str
    offset: int
    length: int | None = None
    url: str = ""
    status: int | None = None
    media_type: str = ""


class Index:
    """The entries of an index, in its order. `damaged` counts lines that say no place; comments are passed over."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self._letters: list[str] = []
        self.damaged = 0

    def __iter__(self) -> Iterator[Entry]:
        for raw in self._lines:
            line = raw[:_LONGEST_LINE].decode("utf-8", "replace").strip()
            if line.startswith("CDX "):
                self._letters = line.split()[1:]
            elif line and not line.startswith(("#", "!meta", "!")):
                entry = _entry(self._values(line))
                if entry is None:
                    self.damaged += 1
                else:
                    yield entry

    def _values(self, line: str) -> dict[str, object]:
        start = line.find("{")
        if start >= 0 and line.endswith("}") and (start == 0 or line[start - 1] == " "):
            try:
                found = json.loads(line[start:])
            except (ValueError, RecursionError):
                return {}
            names = {"mime-detected": "media_type", "mime": "media_type"}
            return {names.get(name, name): value for name, value in found.items()}
        words = line.split(" ")
        letters = self._letters or _USUAL.get(len(words), "").split()
        return {_LETTERS[letter]: word for letter, word in zip(letters, words) if letter in _LETTERS and word != "-"}


def looks_like_index(start: bytes) -> bool:
    """Whether a file that begins so is an index: CDX's legend, or a line that says where a capture lies."""
    if start.startswith((b" CDX ", b"CDX ")):
        return True
    line = start.partition(b"\n")[0]
    if start.startswith(b"WARC/") or b"\0" in line:
        return False
    return next(iter(Index([line])), None) is not None


def _entry(values: dict[str, object]) -> Entry | None:
    filename, offset = values.get("filename"), _number(values.get("offset"))
    if not filename or offset is None:
        return None
    return Entry(
        str(filename),
        offset,
        _number(values.get("length")),
        str(values.get("url") or ""),
        _number(values.get("status")),
        str(values.get("media_type") or "").lower(),
    )


def _number(value: object) -> int | None:
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
