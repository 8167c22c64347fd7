"""What main-content extraction says about its choice, kept beside the page. In: an Extraction, later a snapshot.
Out: members of an answer, and notes. The table has no columns for it: it is a member of extract_cfg_json.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webtool.answers.parts import without_descriptions
from webtool.lean import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.cache.snapshot import Snapshot
    from webtool.extraction import Extraction
    from webtool.extraction.output.receipt import Group

READING = "reading"
"""The member of extract_cfg_json."""
_FIELDS = {"byline": "author", "published": "published", "site_name": "site_name", "language": "language"}
_LITTLE = 0.5  # share of the page's words below which a note says that more is there

PROPERTIES: dict[str, object] = {
    **{name: {"type": "string"} for name in _FIELDS.values()},
    "read_from": {"type": "object"},
    "kept_ratio": {"type": "number"},
    "confidence": {"type": "number"},
    "left_out": {"type": "array", "items": {"type": "object"}},
}
"""For the output schemas of tools."""
PARAMETERS: dict[str, dict[str, object]] = {
    "left_out": {"type": "boolean", "description": "List what readable left out, in groups"},
    "with": {"type": "array", "items": {"type": "integer"}, "description": "Groups of left_out to add back"},
}
"""Members of a request."""
TYPES = without_descriptions(PARAMETERS)
FLAG_HELP = {"left_out": "List what was left out, in groups", "with": "Add these groups back: 2 or 2,5"}


def of_page(found: Extraction) -> dict[str, object]:
    """What the page says of itself: plain JSON values, without what is empty."""
    said: dict[str, object] = {name: value for field, name in _FIELDS.items() if (value := getattr(found, field))}
    return {**said, "read_from": dict(found.read_from)} if found.read_from else said


def of(found: Extraction) -> dict[str, object]:
    """That, and what was chosen of it."""
    said = {**of_page(found), "confidence": found.confidence}
    said.update(hidden_words=found.hidden_words, doubtful_words=found.doubtful_words)
    said = {name: value for name, value in said.items() if value}
    return {**said, "kept_ratio": found.kept_ratio, "left_out": rows(found.left_out)}


def rows(groups: Iterable[Group]) -> list[dict[str, object]]:
    """Groups as the answers list them."""
    return [{"n": group.n, "kind": group.kind, "words": group.words, "begins": group.begins} for group in groups]


def kept(snapshot: Snapshot) -> dict[str, object]:
    """What was kept with a stored page; {} where there is nothing, or it cannot be read."""
    text = snapshot.extract_cfg_json or ""
    if f'"{READING}"' not in text:
        return {}
    said = (jsontext.members(text) or {}).get(READING)
    return said if isinstance(said, dict) else {}


def members(
    said: dict[str, object], wants_left_out: bool, groups: Sequence[int] | None = None
) -> tuple[dict[str, object], list[str]]:
    """The members of an answer, and notes. `groups` are those that were to be added."""
    data = {name: value for name, value in said.items() if name in PROPERTIES and name != "left_out"}
    notes = []
    ratio = said.get("kept_ratio")
    if isinstance(ratio, (int, float)) and ratio < _LITTLE:
        notes.append(f"kept {ratio:.0%} of the page's text: mode full gives all, left_out lists the rest")
    notes += of_hidden(said.get("hidden_words"), said.get("doubtful_words"))
    if wants_left_out:
        data["left_out"] = said.get("left_out", [])
    if (wants_left_out or groups) and "left_out" not in said:
        notes.append("left_out and with are for the main content of HTML (mode readable): nothing is listed here")
    return data, notes


def of_hidden(hidden: object, doubtful: object) -> list[str]:
    """Notes on the numbers of words that the page hides, and that it may hide."""
    what = "word" if hidden == 1 else "words"
    notes = [f"not shown: {hidden} {what} that the page hides"] if hidden else []
    return [*notes, f"{doubtful} words may be hidden on the page: its styles do not decide it"] if doubtful else notes


def listed(data: dict[str, object]) -> str:
    """The list of left-out groups for readers, "" where it was not asked for."""
    rows = data.get("left_out")
    if not isinstance(rows, list):
        return ""
    lines = [f"{row['n']}. {row['kind']}, {row['words']} words: {row['begins']}" for row in rows]
    if not lines and "kept_ratio" not in data:
        return ""  # nobody looked
    return "\n".join(
        ["", "---", "Left out (with adds a group back):" if lines else "Nothing was left out.", *lines, ""]
    )
