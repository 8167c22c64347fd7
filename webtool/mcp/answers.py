"""What a tool found, as a client gets it: plain text for the model, the same as an object for programs, both framed
and within the answer's budget. In: a tool's Result. Out: a result of tools/call.

All that a page or a provider wrote stands between two markers that it cannot know: around the text, and as the first
and last member of the object. A page's markdown has a frame of its own too, for clients that show that member alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from webtool.answers import tokens
from webtool.answers.fitting import fit
from webtool.context import Result
from webtool.mcp.framing import BEGIN, END, framed, marker_for

_FRAME_TOKENS = 120  # both frames and the lines before them
_OURS = {"deleted", "note"}  # an answer of these has nobody else's words
# Members that say how the call went: they stand before the frame, one a line. None holds words of others; a note may.
_ABOUT = ("next_offset", "next_item", "hash", "fetched_at", "mode", "source", "stale", "total_matches", "deleted")


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
    about += [f"lines: {_lines(data['passages'])}"] if data.get("passages") else []
    note = f"note: {data['note']}\n\n" if data.get("note") else ""
    room = max(budget - tokens.estimate(note), 1)
    shown = tokens.part_of(text, 1, room).text if tokens.estimate(text) > room else text
    return "\n".join([*about, BEGIN.format(marker), f"{note}{shown}", END.format(marker)])


def _lines(passages: object) -> str:
    """Where the passages stand: what offset takes, to read on."""
    spans = [(one["first_line"], one["last_line"]) for one in passages]  # type: ignore[attr-defined]
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in spans)


def _inside(data: Mapping[str, object]) -> dict[str, object]:
    """The members, markdown in a frame of its own."""
    members = dict(data)
    if isinstance(members.get("markdown"), str) and members["markdown"]:
        members["markdown"] = framed(str(members["markdown"]))
    if isinstance(members.get("items"), list):
        members["items"] = [_inside(item) if isinstance(item, dict) else item for item in members["items"]]  # type: ignore[attr-defined]
    return members
