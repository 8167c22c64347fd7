"""Fit an answer into this many bytes of JSON. In: the answer's members and the cap. Out: members that fit, saying so.

Content is cut at a line end, lists of results at a result's end; `truncated` is true then. A host that reads at most
65,535 bytes would otherwise get JSON that ends in the middle.
"""

from __future__ import annotations

from webtool.answers.tokens import count_fitting
from webtool.lean import jsontext

_LINE_END_BYTES = 2  # bytes of \\n in JSON
# Members whose length is somebody else's choice: a page's title, a query that an error repeats. A URL is of no use cut,
# so it is the last to be.
_ENDLESS = ("title", "query", "error", "hint", "path", "note")
_LISTS = ("results", "outline", "matches", "passages")
_ADDRESSES = ("url", "robots_url")


def encode(data: dict[str, object]) -> bytes:
    """One line of JSON in UTF-8. Lone surrogates, which UTF-8 cannot say, become question marks."""
    return jsontext.dumps(data).encode("utf-8", "replace") + b"\n"


def fit(data: dict[str, object], cap: int) -> bytes:
    """The encoded answer in at most `cap` bytes (0: no cap) as far as cutting texts or results can reach that."""
    encoded = encode(data)
    if cap <= 0 or len(encoded) <= cap:
        return encoded
    for names in (_ENDLESS, _ENDLESS + _ADDRESSES):
        encoded = encode(_cut(_shortened(data, names, cap // 4), cap))
        if len(encoded) <= cap:
            break
    return encoded


def _shortened(data: dict[str, object], names: tuple[str, ...], room: int) -> dict[str, object]:
    short = {name: _short(value, room) if name in names else value for name, value in data.items()}
    if data.get("success") and short != data:
        short["truncated"] = True
    return short


def _cut(data: dict[str, object], cap: int) -> dict[str, object]:
    if len(encode(data)) <= cap:
        return data
    if isinstance(data.get("content"), str):
        return _cut_content(data, cap)
    long = next((name for name in _LISTS if data.get(name)), "")
    return _cut_list(data, long, cap) if long else data


def _cut_content(data: dict[str, object], cap: int) -> dict[str, object]:
    lines = str(data["content"]).split("\n")
    behind: int = data["next_offset"] if "next_offset" in data else data["total_lines"] + 1  # type: ignore[assignment,operator]
    first = behind - int(str(data["lines_read"]))
    cut = dict(data, content="", lines_read=len(lines), next_offset=first + len(lines), truncated=True)
    cut["note"] = f"The answer was cut to fit {cap} bytes; call again with offset set to next_offset."
    sizes = [_encoded_length(line) + _LINE_END_BYTES for line in lines]
    kept = count_fitting(sizes, cap - len(encode(cut)) + _LINE_END_BYTES)
    if not kept:  # under a tiny cap a line is worth more than the note
        del cut["note"]
        kept = count_fitting(sizes, cap - len(encode(cut)) + _LINE_END_BYTES)
    if kept:
        return dict(cut, content="\n".join(lines[:kept]), lines_read=kept, next_offset=first + kept)
    return _cut_one_line(cut, lines[0], first, cap)


def _cut_one_line(cut: dict[str, object], line: str, first: int, cap: int) -> dict[str, object]:
    """A line longer than all the room: its beginning is all that can be given, and the note says so."""
    cut.update(lines_read=1, next_offset=first + 1)
    if first >= int(str(cut["total_lines"])):
        del cut["next_offset"]
    note = f"Line {first} does not fit into {cap} bytes: only its beginning is here, the rest cannot be paged."
    noted = dict(cut, note=note)
    room = cap - len(encode(noted))
    if room <= 0:
        return dict(cut, content=_beginning(line, cap - len(encode(cut))))
    return dict(noted, content=_beginning(line, room))


def _short(value: object, room: int) -> object:
    """A text in this many bytes of JSON, with an ellipsis where it was cut; anything else as it is."""
    if not isinstance(value, str) or _encoded_length(value) <= room:
        return value
    return _beginning(value, room - _encoded_length("…")) + "…"


def _beginning(text: str, room: int) -> str:
    """The longest beginning that takes at most `room` bytes of JSON."""
    low, high = 0, min(len(text), max(0, room))
    while low < high:
        middle = (low + high + 1) // 2
        if _encoded_length(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _cut_list(data: dict[str, object], name: str, cap: int) -> dict[str, object]:
    results: list[object] = data[name]  # type: ignore[assignment]
    cut = {**data, name: [], "truncated": True}
    kept = count_fitting((_encoded_length(result) + 4 for result in results), cap - len(encode(cut)))
    cut[name] = results[:kept]
    if "count" in cut:
        cut["count"] = kept
    return cut


def _encoded_length(value: object) -> int:
    """Bytes of a value's JSON, without what stands around it."""
    return len(jsontext.dumps(value).encode("utf-8", "replace")) - 2
