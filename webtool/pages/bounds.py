"""Limit what a page may write besides its text: title, links, media type, its own address.

In: the snapshot columns that a conversion made. Out: the same columns within limits, and notes about what was cut. The
text itself is limited where it is made (webtool.running.budget). README section "Limits" lists these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.answers.budget import count_fitting, shortened
from webtool.lean import jsontext

MAX_TITLE = 1000  # characters; a longer title is cut and ends in an ellipsis
MAX_LINKS = 2_000_000  # characters of all links as JSON; the last links are dropped
MAX_TYPE = 200  # characters of a media type as the server wrote it; the rest is cut
MAX_ADDRESS = 8192  # characters of an address that a page gives itself; address() shortens or replaces a longer one


def columns(converted: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the columns within their limits, and notes about what is missing."""
    bounded, notes = dict(converted), []
    title, links = bounded.get("title"), bounded.get("links_json")
    if isinstance(title, str):
        bounded["title"] = shortened(title, MAX_TITLE)
    if isinstance(links, str) and len(links) > MAX_LINKS:
        bounded["links_json"], total, listed = _first_links(links)
        notes.append(f"only the first {listed} of {total} links are listed")
    return bounded, tuple(notes)


def address(own_url: str, requested_url: str) -> str:
    """Return the address that a page gave itself by script; without query and fragment if it is too long.

    Returns the requested URL if even the path is too long.
    """
    if len(own_url) <= MAX_ADDRESS:
        return own_url
    bare = own_url[: MAX_ADDRESS + 1].partition("#")[0].partition("?")[0]
    return bare if len(bare) <= MAX_ADDRESS else requested_url


def _first_links(links_json: str) -> tuple[str, int, int]:
    """Return the JSON of the first links that fit into MAX_LINKS, the number of all links, and of those listed."""
    links: list[object] = jsontext.loads(links_json)  # type: ignore[assignment]
    listed = count_fitting((len(jsontext.dumps(link)) + 2 for link in links), MAX_LINKS - 2)
    return jsontext.dumps(links[:listed]), len(links), listed
