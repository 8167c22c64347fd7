"""Open the section that an address names: `webtool open https://example.com/guide#install`.

In: the arguments of web_open. Out: the section, or the whole page with a note if it has no such section.

The fragment is the id of an element, so the element is looked for in the stored body: its heading is the section's.
Without a body the fragment itself is taken for the heading, as most sites make ids from headings (`getting-started`).
Tests: tests/cli/test_people.py
"""

from __future__ import annotations

from webtool import registry
from webtool.answers import parts
from webtool.context import Context, Result, add_notes
from webtool.errors import CacheError, InvalidArgument
from webtool.lean.typing import Any
from webtool.tools import web_open

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# With one of these the fragment is ignored. QUESTIONS has section, too: a section that is asked for comes first.
_PART_ARGUMENTS = ("offset", "left_out", *parts.QUESTIONS)


def open_at(ctx: Context, members: dict[str, object]) -> Result:
    """Return the section of the fragment. Raises WebtoolError if the page cannot be opened."""
    result = registry.call("open", ctx, members)
    name = web_open.section_in(str(members["url"]))
    if not name or members.get("mode") == "raw" or any(members.get(part) for part in _PART_ARGUMENTS):
        return result
    heading = _heading_of(_body(ctx, result), name)
    try:
        return registry.call("open", ctx, {**members, "section": heading or name})
    except InvalidArgument:
        add_notes(result.data, [f"the page has no section {name[:80]!r}: this is all of it"])
        return result


def _body(ctx: Context, result: Result) -> bytes:
    """Return the body from which the page was converted, b"" if it is not stored or is not HTML."""
    try:
        snapshot = ctx.require_cache().get(str(result.data.get("hash", "")))
    except CacheError:
        return b""
    is_html = snapshot is not None and "html" in (snapshot.content_type or "")
    return snapshot.raw_bytes or b"" if snapshot is not None and is_html else b""


def _heading_of(body: bytes, name: str) -> str:
    """Return the heading that belongs to the element of this id or `<a name>`, "" without one.

    It is the element itself, a heading around it, or the next heading inside or after it.
    """
    if not body:
        return ""
    from webtool.html import parse_page

    is_reached = False  # whether the element was passed
    stack: list[tuple[Any, Any]] = [(parse_page(body), None)]  # (node, the heading that it is in)
    while stack:
        node, heading = stack.pop()
        if node.tag in _HEADINGS:
            heading = node
        if node.tag is not None and not is_reached:
            is_reached = node.attrs.get("id") == name or (node.tag == "a" and node.attrs.get("name") == name)
        if is_reached and heading is not None:
            return " ".join(heading.text.split())
        stack += [(child, heading) for child in reversed(node.children or ())]
    return ""
