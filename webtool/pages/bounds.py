"""Bounds of what a page may write beside its text. In: the columns that a conversion made. Out: the same, bounded.

The text has a budget of its own where it is made; here is what else grows with a page: its title, its links, and the
address that a script gave it. README section "Limits" states these.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.answers.tokens import count_fitting, shortened
from webtool.lean import jsontext

MAX_TITLE = 1000
"""Characters of a title."""
MAX_LINKS = 2_000_000
"""Characters of all links together, as JSON."""
MAX_TYPE = 200
"""Characters of a media type as the server wrote it."""
MAX_ADDRESS = 8192
"""Characters of an address that a page gave itself, and of a link."""


def columns(made: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """The columns within their bounds, and notes on what is missing."""
    bounded, notes = dict(made), []
    title, links = bounded.get("title"), bounded.get("links_json")
    if isinstance(title, str):
        bounded["title"] = shortened(title, MAX_TITLE)
    if isinstance(links, str) and len(links) > MAX_LINKS:
        bounded["links_json"], total, kept = _fewer(links)
        notes.append(f"only the first {kept} of {total} links are listed")
    return bounded, tuple(notes)


def address(written: str, asked: str) -> str:
    """The address that a page gave itself, without what makes it endless; the one asked for where that is its path."""
    if len(written) <= MAX_ADDRESS:
        return written
    bare = written[: MAX_ADDRESS + 1].partition("#")[0].partition("?")[0]
    return bare if len(bare) <= MAX_ADDRESS else asked


def _fewer(text: str) -> tuple[str, int, int]:
    """The first links that fit: their JSON, how many there were, how many are left."""
    links: list[object] = jsontext.loads(text)  # type: ignore[assignment]
    kept = count_fitting((len(jsontext.dumps(link)) + 2 for link in links), MAX_LINKS - 2)
    return jsontext.dumps(links[:kept]), len(links), kept
