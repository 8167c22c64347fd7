"""What a tool found, as a client gets it: plain text for the model, the same as an object for programs, both framed
and within the answer's budget. In: a tool's Result. Out: a result of tools/call.

All that a page or a provider wrote stands between two markers that it cannot know: around the text, and as the first
and last member of the object. A page's markdown has a frame of its own too, for clients that show that member alone.
"""

from __future__ import annotations

import json

from webtool.answers import tokens
from webtool.mcp.framing import BEGIN, END, framed, marker_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from webtool.context import Result

_FRAME_TOKENS = 120  # both frames and the lines before them
_SHORTEST = 200  # characters that a text keeps when an answer is cut
_OURS = {"deleted", "note"}  # an answer of these has nobody else's words
# Members that say how the call went: they stand before the frame, one a line. None holds words of others; a note may.
_ABOUT = (
    "next_offset",
    "next_item",
    "hash",
    "fetched_at",
    "mode",
    "source",
    "stale",
    "total_matches",
    "deleted",
)


def as_result(result: Result, budget: int) -> dict[str, object]:
    """The members of a successful tools/call; `budget` is in tokens."""
    data = fit(result.data, budget - _FRAME_TOKENS)
    if set(data) <= _OURS:
        return {"content": [{"type": "text", "text": result.text}], "structuredContent": data}
    marker = marker_for(json.dumps(data, ensure_ascii=False) + result.text)
    text = _text(data, result.text, budget - _FRAME_TOKENS, marker)
    whole = {"frame": BEGIN.format(marker), **_inside(data), "frame_end": END.format(marker)}
    return {"content": [{"type": "text", "text": text}], "structuredContent": whole}


def as_error(data: Mapping[str, object]) -> dict[str, object]:
    """The members of a failed one: the error object, as text and as an object. Its texts are webtool's, and short."""
    text = json.dumps(data, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], "structuredContent": dict(data)}


def _text(data: Mapping[str, object], text: str, budget: int, marker: str) -> str:
    """The answer for a reader."""
    about = [f"{name}: {data[name]}" for name in _ABOUT if data.get(name) not in (None, "", False)]
    note = f"note: {data['note']}\n\n" if data.get("note") else ""
    room = max(budget - tokens.estimate(note), 1)
    shown = tokens.part_of(text, 1, room).text if tokens.estimate(text) > room else text
    return "\n".join([*about, BEGIN.format(marker), f"{note}{shown}", END.format(marker)])


def _inside(data: Mapping[str, object]) -> dict[str, object]:
    """The members, markdown in a frame of its own."""
    members = dict(data)
    if isinstance(members.get("markdown"), str) and members["markdown"]:
        members["markdown"] = framed(str(members["markdown"]))
    if isinstance(members.get("items"), list):
        members["items"] = [_inside(item) if isinstance(item, dict) else item for item in members["items"]]  # type: ignore[attr-defined]
    return members


def fit(data: Mapping[str, object], budget: int) -> dict[str, object]:
    """The members in about `budget` tokens: lists lose their ends, longest first, then texts theirs; a note says so."""
    members = dict(data)
    if _size(members) <= budget:
        return members
    cut = []
    if _drop_excerpts(members, budget):
        cut.append("extra_snippets")
    while _size(members) > budget:
        name = _largest(members)
        value = members.get(name)
        spare = max(_size(members) - budget, 1)
        if isinstance(value, list) and value:
            members[name] = _shorter(value, spare)
        elif isinstance(value, str) and len(value) > _SHORTEST:
            keep = max(tokens.estimate(value) - spare - 20, _SHORTEST // tokens.BYTES_PER_TOKEN)
            members[name] = tokens.cut(value, keep)
        else:
            break
        cut.append(name)
    notes = [str(members["note"])] if members.get("note") and "note" not in cut else []
    if cut:
        members["note"] = "; ".join([*notes, f"cut to fit {budget} tokens: {', '.join(dict.fromkeys(cut))}"])
    return members


def _size(value: object) -> int:
    return tokens.estimate(json.dumps(value, ensure_ascii=False))


def _largest(members: Mapping[str, object]) -> str:
    """The member to cut next: lists of links before all, then whatever is longest."""
    sizes = {name: _size(value) for name, value in members.items() if isinstance(value, (list, str))}
    if sizes.get("links", 0) > 2:
        return "links"
    return max(sizes, key=lambda name: sizes[name], default="")


def _shorter(rows: list[object], spare: int) -> list[object]:
    """The list without as many of its last rows as free this many tokens."""
    kept = list(rows)
    while kept and spare > 0:
        spare -= _size(kept.pop())
    return kept


def _drop_excerpts(members: dict[str, object], budget: int) -> bool:
    """Take the further excerpts of search results out, from the last result on, until the answer fits."""
    results = members.get("results")
    if not isinstance(results, list):
        return False
    rows = [dict(row) if isinstance(row, dict) else row for row in results]
    excess = _size(members) - budget
    begun = excess
    for row in reversed(rows):
        if excess <= 0 or not isinstance(row, dict):
            break
        excess -= _size(row.pop("extra_snippets", ""))
    members["results"] = rows
    return excess < begun
