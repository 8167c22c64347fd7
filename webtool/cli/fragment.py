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
# With one of these arguments the fragment is ignored. One of QUESTIONS is "section": --section wins over the fragment.
_PART_ARGUMENTS = ("offset", "left_out", *parts.QUESTIONS)


def open_at(ctx: Context, members: dict[str, object]) -> Result:
    """Return the section of the fragment. Raises WebtoolError if the page cannot be opened."""
    result = registry.call("open", ctx, members)
    name = web_open.section_in(str(members["url"]))
    if not name or members.get("mode") == "raw" or any(members.get(part) for part in _PART_ARGUMENTS):
        return result
    heading = _heading_of(*_body(ctx, result), name)
    try:
        return registry.call("open", ctx, {**members, "section": heading or name})
    except InvalidArgument:
        add_notes(result.data, [f"the page has no section {name[:80]!r}: this is all of it"])
        return result


def _body(ctx: Context, result: Result) -> tuple[bytes, str]:
    """Return the body from which the page was converted, and its type; b"" if it is not stored or is not HTML."""
    try:
        snapshot = ctx.require_cache().get(str(result.data.get("hash", "")))
    except CacheError:
        return b"", ""
    content_type = "" if snapshot is None else snapshot.content_type or ""
    if snapshot is None or "html" not in content_type:
        return b"", ""
    return snapshot.raw_bytes or b"", content_type


def _heading_of(body: bytes, content_type: str, name: str) -> str:
    """Return the heading that belongs to the element of this id or `<a name>`, "" without one.

    It is the element itself, a heading around it, the first heading inside, or the next one after an element without
    text. An element with text, such as a footnote, belongs to the heading before it; without one, to the next one.
    """
    if not body:
        return ""
    from webtool.html import parse_page

    before: Any = None  # the heading before the element
    target: Any = None  # the element, once it is reached
    stack: list[tuple[Any, Any]] = [(parse_page(body, content_type or None), None)]  # (node, the heading that it is in)
    while stack:
        node, heading = stack.pop()
        if node is None:  # the mark: the end of the element
            if before is not None and target.text.strip():
                return " ".join(before.text.split())
            continue
        if node.tag in _HEADINGS:
            heading = node
        if target is None and node.tag is not None and name in _names_of(node):
            target = node
            stack.append((None, None))  # a mark: what is in the element comes before it
        if target is not None and heading is not None:
            return " ".join(heading.text.split())
        before = heading or before
        stack += [(child, heading) for child in reversed(node.children or ())]
    return ""


def _names_of(element: Any) -> tuple[str | None, ...]:
    """Return the fragments that name an element: its id, and the name of an `a`."""
    return element.attrs.get("id"), element.attrs.get("name") if element.tag == "a" else None
