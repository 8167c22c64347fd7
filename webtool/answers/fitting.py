"""An answer's members in a number of tokens. In: the members. Out: what fits, with a note on what was cut.

Pages are cut by lines, so that one can read on (answers.tokens); this is for lists, and for whatever else is too long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from webtool.answers import tokens

_SHORTEST = 200  # characters that a text keeps when an answer is cut


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
    results = members.get("results")
    if "count" in members and isinstance(results, list):
        members["count"] = len(results)
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
