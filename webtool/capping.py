"""Fit an answer into so many bytes of JSON. In: the answer's members and the cap. Out: members that fit, saying so.

Content is cut at a line end, lists of results at a result's end; `truncated` is true then. A host that reads at most
65,535 bytes would otherwise get JSON that ends in the middle.
"""

from __future__ import annotations

from webtool import jsontext

_LINE_END_BYTES = 2  # bytes of \\n in JSON


def encode(data: dict[str, object]) -> bytes:
    """One line of JSON in UTF-8. Lone surrogates, which UTF-8 cannot say, become question marks."""
    return jsontext.dumps(data).encode("utf-8", "replace") + b"\n"


def fit(data: dict[str, object], cap: int) -> bytes:
    """The encoded answer in at most `cap` bytes (0: no cap) as far as cutting content or results can reach that."""
    encoded = encode(data)
    if cap <= 0 or len(encoded) <= cap:
        return encoded
    if isinstance(data.get("content"), str):
        return encode(_cut_content(data, cap))
    if data.get("results"):
        return encode(_cut_results(data, cap))
    return encoded


def _cut_content(data: dict[str, object], cap: int) -> dict[str, object]:
    lines = str(data["content"]).split("\n")
    first: int = data["next_offset"] - data["lines_read"] if "next_offset" in data else _first_line(data)  # type: ignore[operator]
    cut = dict(data, content="", lines_read=len(lines), next_offset=first + len(lines), truncated=True)
    cut["note"] = f"The answer was cut to fit {cap} bytes; call again with offset set to next_offset."
    room = cap - len(encode(cut))
    kept = 0
    for line in lines:
        room -= _encoded_length(line) + (_LINE_END_BYTES if kept else 0)
        if room < 0:
            break
        kept += 1
    if kept:
        return dict(cut, content="\n".join(lines[:kept]), lines_read=kept, next_offset=first + kept)
    return _cut_one_line(cut, lines[0], first, cap)


def _cut_one_line(cut: dict[str, object], line: str, first: int, cap: int) -> dict[str, object]:
    """A line longer than the whole cap: its beginning is all that can be given, and the note says so."""
    cut.update(lines_read=1, next_offset=first + 1)
    cut["note"] = (
        f"Line {first} alone is longer than {cap} bytes; only its beginning is here, the rest cannot be paged."
    )
    if first >= int(str(cut["total_lines"])):
        del cut["next_offset"]
    room = max(0, cap - len(encode(cut)))
    encoded = jsontext.dumps(line[:room]).encode("utf-8", "replace")
    low, high = 0, min(len(line), room)
    while low < high and len(encoded) - 2 > room:
        middle = (low + high + 1) // 2
        if _encoded_length(line[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return dict(cut, content=line[: low if len(encoded) - 2 > room else high])


def _cut_results(data: dict[str, object], cap: int) -> dict[str, object]:
    results: list[object] = data["results"]  # type: ignore[assignment]
    cut = dict(data, results=[], truncated=True)
    room = cap - len(encode(cut))
    kept = 0
    for result in results:
        room -= len(jsontext.dumps(result).encode("utf-8", "replace")) + 2
        if room < 0:
            break
        kept += 1
    cut["results"] = results[:kept]
    if "count" in cut:
        cut["count"] = kept
    return cut


def _first_line(data: dict[str, object]) -> int:
    return int(str(data["total_lines"])) - int(str(data["lines_read"])) + 1


def _encoded_length(text: str) -> int:
    return len(jsontext.dumps(text).encode("utf-8", "replace")) - 2
