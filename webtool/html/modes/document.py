"""Define the insertion modes of a document around its body and tables, and "text".

Before the body come "initial" to "after head", after it "after body" and "after after body". The modes of templates and
framesets are here too. A function that modes.Leaving() gets ends a mode when a token comes that does not belong to it:
it inserts the element that the page has left out and switches to the next mode.
Spec: the HTML Standard, 13.2.6.4.1 to 13.2.6.4.6, 13.2.6.4.8 ("text") and 13.2.6.4.16 to 13.2.6.4.22.
Tests: tests/html/modes/test_head.py, tests/html/modes/test_end.py
"""

from __future__ import annotations

from webtool.html import formatting, modes
from webtool.html.doctype import DoctypeToken, quirks_mode
from webtool.html.modes import Leaving, Mode, TreeBuilder
from webtool.html.modes.body import IN_BODY
from webtool.html.node import Doctype
from webtool.html.tokenizer import RAWTEXT, RCDATA, SCRIPT_DATA

# Start tag -> the mode in which a template's content goes on; other tags: "in body".
_TEMPLATE_MODES = {
    **dict.fromkeys(("caption", "colgroup", "tbody", "tfoot", "thead"), "in table"),
    "col": "in column group",
    "tr": "in table body",
    "td": "in row",
    "th": "in row",
}


def initial_doctype(tb: TreeBuilder, token: DoctypeToken) -> None:
    """Append the document type and choose the document's mode."""
    tb.document.append(Doctype(token.name, token.public_id, token.system_id))
    tb.document.quirks = quirks_mode(token) == "quirks"
    tb.switch("before html")


def _leave_initial(tb: TreeBuilder) -> None:
    """Without a DOCTYPE the document is in quirks mode; go to "before html"."""
    tb.document.quirks = True
    tb.switch("before html")


def _html(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.switch("before head")


def _head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.head = tb.insert_element(name, attrs)
    tb.switch("in head")


def _in_head_noscript(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a noscript; its content is raw text if scripting is on."""
    if tb.scripting:
        tb.start_text(name, attrs, RAWTEXT)
    else:
        tb.insert_element(name, attrs)
        tb.switch("in head noscript")


def _in_head_template(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a template and begin its contents."""
    tb.insert_element(name, attrs)
    formatting.insert_marker(tb)
    tb.open_templates += 1
    tb.frameset_ok = False
    tb.switch("in template")
    tb.template_modes.append("in template")


def _in_head_template_end(tb: TreeBuilder, _name: str) -> None:
    if tb.open_templates:
        tb.generate_all_implied_end_tags_thoroughly()
        _close_template(tb)


def _close_template(tb: TreeBuilder) -> None:
    """Pop elements until a template has been popped, and go back to the mode around it."""
    tb.pop_until("template")
    tb.open_templates -= 1
    formatting.clear_to_last_marker(tb)
    tb.template_modes.pop()
    tb.reset_insertion_mode()


def _leave_head(tb: TreeBuilder) -> None:
    tb.stack.pop()
    tb.switch("after head")


def _leave_noscript(tb: TreeBuilder) -> None:
    tb.stack.pop()
    tb.switch("in head")


def _after_head_body(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.frameset_ok = False
    tb.switch("in body")


def _after_head_frameset(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.switch("in frameset")


def _after_head_in_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an element that comes after the head and belongs into it: it is put into the head all the same."""
    head = tb.head
    assert head is not None  # the mode "in head" was before
    index = len(tb.stack)
    tb.stack.append(head)
    modes.start_in(tb, "in head", name, attrs)
    del tb.stack[index]


def _make_body(tb: TreeBuilder) -> None:
    tb.insert_element("body", {})
    tb.switch("in body")


def _leave_text(tb: TreeBuilder) -> None:
    """Close the element with text and return to the mode before it."""
    tb.stack.pop()
    tb.mode = tb.original_mode


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
    _close_template(tb)
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


_initial = Leaving(_leave_initial)
_INITIAL = modes.register(Mode("initial", _initial.characters, _initial.start, _initial.end, _initial.eof), {}, {})
_INITIAL.comment = modes.comment_on_document
_before_html = Leaving(lambda tb: _html(tb, "html", {}))
_BEFORE_HTML = modes.register(
    Mode("before html", _before_html.characters, _before_html.start, modes.ignore, _before_html.eof),
    {"html": _html},
    {"head body html br": _before_html.end},
)
_BEFORE_HTML.comment = modes.comment_on_document
_before_head = Leaving(lambda tb: _head(tb, "head", {}))
modes.register(
    Mode("before head", _before_head.characters, _before_head.start, modes.ignore, _before_head.eof),
    {"html": modes.start_html, "head": _head},
    {"head body html br": _before_head.end},
)
_in_head = Leaving(_leave_head, keeps_space=True)
modes.register(
    Mode("in head", _in_head.characters, _in_head.start, modes.ignore, _in_head.eof),
    {
        "html": modes.start_html,
        "base basefont bgsound link meta": modes.insert_void,
        "title": modes.start_text(RCDATA),
        "noframes style": modes.start_text(RAWTEXT),
        "noscript": _in_head_noscript,
        "script": modes.start_text(SCRIPT_DATA),
        "template": _in_head_template,
        "head": modes.ignore_start,
    },
    {"head": _in_head.own_end, "body html br": _in_head.end, "template": _in_head_template_end},
)
_noscript = Leaving(_leave_noscript, keeps_space=True)
modes.register(
    Mode("in head noscript", _noscript.characters, _noscript.start, modes.ignore, _noscript.eof),
    {
        "html": modes.start_html,
        "basefont bgsound link meta noframes style": modes.start_by("in head"),
        "head noscript": modes.ignore_start,
    },
    {"noscript": _noscript.own_end, "br": _noscript.end},
)
_after_head = Leaving(_make_body, keeps_space=True)
modes.register(
    Mode("after head", _after_head.characters, _after_head.start, modes.ignore, _after_head.eof),
    {
        "html": modes.start_html,
        "body": _after_head_body,
        "frameset": _after_head_frameset,
        modes.HEAD_TAGS: _after_head_in_head,
        "head": modes.ignore_start,
    },
    {"template": modes.end_by("in head"), "body html br": _after_head.end},
)
_text = Leaving(_leave_text)
# The tokenizer delivers no start tag inside raw text, but another caller of the handlers may.
modes.register(Mode("text", lambda tb, data: tb.insert_text(data), _text.start, _text.own_end, _text.eof), {}, {})
modes.register(
    Mode("in template", IN_BODY.characters, _template_start, modes.ignore, _template_eof),
    {modes.HEAD_TAGS: modes.start_by("in head")},
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
