"""Define the insertion modes "in template", "after body" and those of framesets.
Spec: the HTML Standard, 13.2.6.4.16 to 13.2.6.4.22.
"""

from __future__ import annotations

from webtool.html import modes
from webtool.html.modes import Leaving, Mode, TreeBuilder
from webtool.html.modes.body import IN_BODY
from webtool.html.modes.head import close_template

# Start tag -> the mode in which a template's content goes on; other tags: "in body".
_TEMPLATE_MODES = {
    **dict.fromkeys(("caption", "colgroup", "tbody", "tfoot", "thead"), "in table"),
    "col": "in column group",
    "tr": "in table body",
    "td": "in row",
    "th": "in row",
}


def _template_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Switch to the mode of the template's content by its first tag."""
    mode = _TEMPLATE_MODES.get(name, "in body")
    tb.template_modes[-1] = mode
    tb.switch(mode)
    tb.handle_starttag(name, attrs)


def _template_eof(tb: TreeBuilder) -> bool:
    """Close all open templates, one by one."""
    if not tb.open_templates:
        return True
    close_template(tb)
    return False


def _after_body_characters(tb: TreeBuilder, data: str) -> None:
    """Insert white space; other characters lead back to "in body"."""
    if data.strip(modes.SPACE_CR):
        tb.switch("in body")
        tb.handle_data(data)
    else:
        IN_BODY.characters(tb, data)


def _after_body_html_end(tb: TreeBuilder, _name: str) -> None:
    """Switch to "after after body"."""
    if tb.context is None:
        tb.switch("after after body")


def _frameset_frameset_end(tb: TreeBuilder, _name: str) -> None:
    """Close a frameset; after the outermost one switch to "after frameset"."""
    if len(tb.stack) <= 2:  # only the root of a fragment is open
        return
    tb.stack.pop()
    if tb.context is None and tb.stack[-1].tag != "frameset":
        tb.switch("after frameset")


def _after_after_frameset_characters(tb: TreeBuilder, data: str) -> None:
    """Insert white space and ignore other characters."""
    space = "".join(character for character in data if character in modes.SPACE_CR)
    if space:
        IN_BODY.characters(tb, space)


modes.register(
    Mode("in template", IN_BODY.characters, _template_start, modes.ignore, _template_eof),
    {"base basefont bgsound link meta noframes script style template title": modes.start_by("in head")},
    {"template": modes.end_by("in head")},
)
_BACK_TO_BODY = Leaving(lambda tb: tb.switch("in body"))
_AFTER_BODY = modes.register(
    Mode("after body", _after_body_characters, _BACK_TO_BODY.start, _BACK_TO_BODY.end, modes.stop_parsing),
    {"html": modes.start_html},
    {"html": _after_body_html_end},
)
_AFTER_BODY.comment = lambda tb, data: tb.insert_comment(data, tb.stack[1])
modes.register(
    Mode("in frameset", modes.space_only, modes.ignore_start, modes.ignore, modes.stop_parsing),
    {
        "html": modes.start_html,
        "frameset": modes.insert_element,
        "frame": modes.insert_void,
        "noframes": modes.start_by("in head"),
    },
    {"frameset": _frameset_frameset_end},
)
modes.register(
    Mode("after frameset", modes.space_only, modes.ignore_start, modes.ignore, modes.stop_parsing),
    {"html": modes.start_html, "noframes": modes.start_by("in head")},
    {"html": lambda tb, _: tb.switch("after after frameset")},
)
_AFTER_AFTER_BODY = modes.register(
    Mode("after after body", _after_body_characters, _BACK_TO_BODY.start, _BACK_TO_BODY.end, modes.stop_parsing),
    {"html": modes.start_html},
    {},
)
_AFTER_AFTER_BODY.comment = modes.comment_on_document
_AFTER_AFTER_FRAMESET = modes.register(
    Mode(
        "after after frameset", _after_after_frameset_characters, modes.ignore_start, modes.ignore, modes.stop_parsing
    ),
    {"html": modes.start_html, "noframes": modes.start_by("in head")},
    {},
)
_AFTER_AFTER_FRAMESET.comment = modes.comment_on_document
