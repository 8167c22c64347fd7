"""Bring an answer into a budget of tokens or bytes. In: a text, or the members of an answer. Out: what fits. Pure.

    take_lines     lines of a text from one line on, as many as the tokens hold, and where to go on
    fit_tokens     members of an answer: lists lose their ends, then texts theirs, and a note names what was cut
    fit_bytes      one line of JSON of a limited size: content is cut at a line end, `truncated` is true

Tokens are estimated, not counted: four bytes each, as the text appears in a JSON string, which clients pass on. A host
that reads at most 65,535 bytes would get JSON that ends in the middle without fit_bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webtool.lean import jsontext
from webtool.lean.records import NamedTuple

BYTES_PER_TOKEN = 4
MAX_TITLE = 500  # characters of a title in an answer with a budget; pages choose their titles' lengths
_MIN_TEXT = 200  # characters; fit_tokens cuts no text below this length
_NOTE_TOKENS = 20  # what the note of fit_tokens may take for one member


class Lines(NamedTuple):
    """Some lines of a text. Lines are numbered from 1."""

    text: str
    first: int
    total: int  # the number of lines of the whole text
    next_offset: int | None = None  # the first line after these; None at the end of the text
    cut_line: int | None = None
    """The number of the only line here, if it is longer than the budget: its beginning is here. None else."""

    @property
    def length(self) -> int:
        """The number of lines that are here."""
        return 0 if self.first > self.total else self.text.count("\n") + 1


def estimate_tokens(text: str) -> int:
    """Return the tokens of a text: a quarter of its bytes; line ends, quotes and backslashes take two bytes in JSON."""
    size = len(text.encode("utf-8", "replace")) + text.count("\n") + text.count('"') + text.count("\\")
    return -(-size // BYTES_PER_TOKEN)


def count_fitting(sizes: Iterable[int], room: int) -> int:
    """Return how many of the first sizes add up to at most `room`: [3, 4, 5] in 8 -> 2."""
    count = 0
    for size in sizes:
        room -= size
        if room < 0:
            break
        count += 1
    return count


def shortened(text: str, limit: int = MAX_TITLE) -> str:
    """Return the text in at most `limit` characters; one that was cut ends in an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cut_to_tokens(text: str, max_tokens: int) -> str:
    """Return a beginning of the text of at most `max_tokens` tokens."""
    beginning = text.encode("utf-8", "replace")[: max_tokens * BYTES_PER_TOKEN].decode("utf-8", "ignore")
    while estimate_tokens(beginning) > max_tokens and beginning:
        beginning = beginning[: -max(1, len(beginning) // 16)]
    return beginning


# Lines of a text, in tokens.


def take_lines(text: str, offset: int = 1, max_tokens: int = 0, limit: int | None = None) -> Lines:
    """Return the lines from line `offset` on: at most `limit` lines, and as many as `max_tokens` hold.

    `max_tokens` 0 is unlimited. An offset past the end gives no lines. A line that does not fit is cut if it is the
    first of those asked for; else the lines before it are given.
    """
    lines = text.split("\n") if text else []
    if offset > len(lines):
        return Lines("", offset, len(lines))
    shown = lines[offset - 1 :][:limit]
    cut_line = None
    if shown and max_tokens and estimate_tokens(text) > max_tokens:
        fitting = count_fitting((estimate_tokens(line + "\n") for line in shown), max_tokens)
        cut_line = None if fitting else offset
        shown = shown[:fitting] or [cut_to_tokens(shown[0], max_tokens)]
    next_line = offset + len(shown)
    return Lines("\n".join(shown), offset, len(lines), next_line if next_line <= len(lines) else None, cut_line)


def paging_notes(lines: Lines) -> list[str]:
    """Return notes that say what is missing around these lines, and where to go on."""
    notes = []
    if lines.next_offset is not None:
        last = lines.next_offset - 1
        notes.append(f"lines {lines.first} to {last} of {lines.total}: go on with offset {lines.next_offset}")
    notes += cut_notes(lines)
    if lines.first > max(lines.total, 1):
        notes.append(f"offset {lines.first} is past the end; there are {lines.total} lines")
    return notes


def cut_notes(lines: Lines) -> list[str]:
    """Return the note on a line of which only the beginning is given; [] if all lines are whole."""
    if lines.cut_line is None:
        return []
    return [f"line {lines.cut_line} is longer than max_tokens and ends early: give more max_tokens"]


# Members of an answer, in tokens.


def fit_tokens(data: Mapping[str, object], max_tokens: int) -> dict[str, object]:
    """Return the members in about `max_tokens` tokens, with a note that names the members that were cut.

    Extra snippets of search results go first, then links, then the end of the longest list or text, again and again.
    """
    members = dict(data)
    if _tokens_of(members) <= max_tokens:
        return members
    cut = []
    if _drop_extra_snippets(members, max_tokens):
        cut.append("extra_snippets")
    while _tokens_of(members) > max_tokens:
        name = _next_to_cut(members)
        value = members.get(name)
        excess = max(_tokens_of(members) - max_tokens, 1)
        if isinstance(value, list) and value:
            rows = list(value)
            while rows and excess > 0:
                excess -= _tokens_of(rows.pop())
            members[name] = rows
        elif isinstance(value, str) and len(value) > _MIN_TEXT:
            room = estimate_tokens(value) - excess - _NOTE_TOKENS
            members[name] = cut_to_tokens(value, max(room, _MIN_TEXT // BYTES_PER_TOKEN))
        else:
            break
        cut.append(name)
    results = members.get("results")
    if "count" in members and isinstance(results, list):
        members["count"] = len(results)
    if cut:
        notes = [str(members["note"])] if members.get("note") else []
        notes.append(f"cut to fit {max_tokens} tokens: {', '.join(dict.fromkeys(cut))}")
        members["note"] = "; ".join(notes)
    return members


def _tokens_of(value: object) -> int:
    return estimate_tokens(jsontext.dumps(value))


def _next_to_cut(members: Mapping[str, object]) -> str:
    """Return the name of the member to cut next: links, then the largest list or text; "" if there is neither.

    A cut URL is of no use, so addresses stay.
    """
    members = {name: value for name, value in members.items() if name not in _ADDRESSES}
    sizes = {name: _tokens_of(value) for name, value in members.items() if isinstance(value, (list, str))}
    if members.get("links") and "links" in sizes:
        return "links"
    return max(sizes, key=lambda name: sizes[name], default="")


def _drop_extra_snippets(members: dict[str, object], max_tokens: int) -> bool:
    """Remove extra_snippets of search results, from the last result on, until the answer fits; was any removed?"""
    results = members.get("results")
    if not isinstance(results, list):
        return False
    rows = [dict(row) if isinstance(row, dict) else row for row in results]
    excess = _tokens_of(members) - max_tokens
    is_removed = False
    for row in reversed(rows):
        if excess > 0 and isinstance(row, dict) and "extra_snippets" in row:
            excess -= _tokens_of(row.pop("extra_snippets"))
            is_removed = True
    members["results"] = rows
    return is_removed


# An answer as JSON, in bytes.

_LINE_END_BYTES = 2  # of \\n in JSON
_ROW_BYTES = 4  # of the braces around a list's row in JSON, and of ", " after it
# Members whose length pages or callers choose. fit_bytes() cuts addresses only if cutting the others is not enough.
_TEXTS = ("title", "query", "error", "hint", "path", "note")
_ADDRESSES = ("url", "robots_url")
_LISTS = ("results", "outline", "matches", "passages")


def encode(data: dict[str, object]) -> bytes:
    """Return one line of JSON in UTF-8. Lone surrogates, which UTF-8 cannot encode, become question marks."""
    return jsontext.dumps(data).encode("utf-8", "replace") + b"\n"


def fit_bytes(data: dict[str, object], max_bytes: int) -> bytes:
    """Return the answer as JSON of at most `max_bytes` bytes, as far as cutting texts and lists can reach that.

    0 is unlimited. Short texts are cut to a quarter of the bytes, then the content or a list at its end.
    """
    encoded = encode(data)
    if max_bytes <= 0 or len(encoded) <= max_bytes:
        return encoded
    for names in (_TEXTS, _TEXTS + _ADDRESSES):  # each time from the whole answer
        short = {name: _short(value, max_bytes // 4) if name in names else value for name, value in data.items()}
        if data.get("success") and short != data:  # errors have no member `truncated`
            short["truncated"] = True
        encoded = encode(_cut(short, max_bytes))
        if len(encoded) <= max_bytes:
            break
    return encoded


def _cut(data: dict[str, object], max_bytes: int) -> dict[str, object]:
    """Return the members with their content or their list cut to fit, if they are too long."""
    if len(encode(data)) <= max_bytes:
        return data
    if isinstance(data.get("content"), str):
        return _cut_content(data, max_bytes)
    list_name = next((name for name in _LISTS if data.get(name)), "")
    return _cut_list(data, list_name, max_bytes) if list_name else data


def _cut_content(data: dict[str, object], max_bytes: int) -> dict[str, object]:
    """Return the members with as many lines of `content` as fit, and next_offset for the others."""
    lines = str(data["content"]).split("\n")
    # Numbers of lines in the document: the one after the content, then the content's first one.
    line_after: int = data["next_offset"] if "next_offset" in data else data["total_lines"] + 1  # type: ignore[assignment,operator]
    first = line_after - int(str(data["lines_read"]))
    cut = dict(data, content="", lines_read=len(lines), next_offset=first + len(lines), truncated=True)
    cut["note"] = f"The answer was cut to fit {max_bytes} bytes; call again with offset set to next_offset."
    sizes = [_encoded_length(line) + _LINE_END_BYTES for line in lines]
    fitting = count_fitting(sizes, max_bytes - len(encode(cut)) + _LINE_END_BYTES)  # the last line has no line end
    if not fitting:  # with so few bytes, a line is worth more than the note
        del cut["note"]
        fitting = count_fitting(sizes, max_bytes - len(encode(cut)) + _LINE_END_BYTES)
    if fitting == len(lines):  # only the note that `data` has was too much
        return {**{name: value for name, value in data.items() if name != "note"}, "truncated": True}
    if fitting:
        return dict(cut, content="\n".join(lines[:fitting]), lines_read=fitting, next_offset=first + fitting)
    return _cut_one_line(cut, lines[0], first, max_bytes)


def _cut_one_line(cut: dict[str, object], line: str, first: int, max_bytes: int) -> dict[str, object]:
    """Return the members with the beginning of a line that does not fit; a note says that its rest cannot be paged."""
    cut.update(lines_read=1, next_offset=first + 1)
    if first >= int(str(cut["total_lines"])):
        del cut["next_offset"]
    note = f"Line {first} does not fit into {max_bytes} bytes: only its beginning is here, the rest cannot be paged."
    with_note = dict(cut, note=note)
    room = max_bytes - len(encode(with_note))
    if room <= 0:
        return dict(cut, content=_beginning(line, max_bytes - len(encode(cut))))
    return dict(with_note, content=_beginning(line, room))


def _cut_list(data: dict[str, object], name: str, max_bytes: int) -> dict[str, object]:
    """Return the members with as many rows of the named list as fit."""
    rows: list[object] = data[name]  # type: ignore[assignment]
    cut = {**data, name: [], "truncated": True}
    sizes = (_encoded_length(row) + _ROW_BYTES for row in rows)
    fitting = count_fitting(sizes, max_bytes - len(encode(cut)))
    cut[name] = rows[:fitting]
    if "count" in cut:
        cut["count"] = fitting
    return cut


def _short(value: object, max_bytes: int) -> object:
    """Return a text in at most `max_bytes` bytes of JSON, with an ellipsis if it was cut; anything else as it is."""
    if not isinstance(value, str) or _encoded_length(value) <= max_bytes:
        return value
    return _beginning(value, max_bytes - _encoded_length("…")) + "…"


def _beginning(text: str, max_bytes: int) -> str:
    """Return the longest beginning of the text that takes at most `max_bytes` bytes of JSON."""
    low, high = 0, min(len(text), max(0, max_bytes))
    while low < high:
        middle = (low + high + 1) // 2
        if _encoded_length(text[:middle]) <= max_bytes:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _encoded_length(value: object) -> int:
    """Return the bytes of a value's JSON without its first and last character (quotes, brackets)."""
    return len(jsontext.dumps(value).encode("utf-8", "replace")) - 2
