"""What the cache keeps of a page besides its text: notes for its reader, and that it is not there at all.

In: snapshots. Out: snapshots, notes, errors. The table has no columns of its own for these: notes are a member of
extract_cfg_json, and an error status is a row without text.
"""

from __future__ import annotations

from webtool.cache.freshness import stored_headers
from webtool.cache.snapshot import Snapshot
from webtool.errors import HttpError
from webtool.lean import jsontext
from webtool.net.messages import Headers, Response
from webtool.net.statuses import error_for

NOTES = "notes"
"""The member of extract_cfg_json."""


def with_notes(snapshot: Snapshot, notes: tuple[str, ...]) -> Snapshot:
    """The snapshot with the notes that later readers of the cache are to see too."""
    if not notes:
        return snapshot
    members: dict[str, object] = jsontext.loads(snapshot.extract_cfg_json or "{}")  # type: ignore[assignment]
    return snapshot._replace(extract_cfg_json=jsontext.dumps({**members, NOTES: notes}, is_plain=True))


def notes_of(kept: Snapshot) -> tuple[str, ...]:
    """The notes of a kept page; () where there are none, or they cannot be read."""
    text = kept.extract_cfg_json or ""
    if f'"{NOTES}"' not in text:
        return ()
    notes = (jsontext.members(text) or {}).get(NOTES)
    return tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()


def is_error(kept: Snapshot) -> bool:
    """Whether the row says that there is no page."""
    return (kept.status_code or 200) >= 400 and kept.markdown is None and kept.raw_bytes is None


def known_error(kept: Snapshot) -> HttpError:
    """The error that a kept error status is, and since when it is known."""
    status = kept.status_code or 0
    reason = (kept.title or "").removeprefix(f"HTTP {status}").strip()
    error = error_for(Response(kept.final_url, status, reason, Headers(stored_headers(kept).items()), b""))
    hint = f"{error.hint} Opening it with force_refresh asks the server again."
    error.rephrase(f"{error.message} (the server's answer of {kept.fetched_at}, which it lets us keep)", hint)
    return error
