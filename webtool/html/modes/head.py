"""Insertion modes from "in head" to "after head", and "text". Spec: the HTML Standard, 13.2.6.4.4 to 13.2.6.4.6, .8."""

from __future__ import annotations

from webtool.html import formatting
from webtool.html.modes import (
    Mode,
    end_in,
    ignore,
    ignore_start,
    leading_space,
    register,
    start_html,
    start_in,
)
from webtool.html.tokenizer import RAWTEXT, RCDATA, SCRIPT_DATA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder

# "in head"


def _in_head_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space:
        tb.insert_text(data[:space])
    if space < len(data):
        _leave_head(tb)
        tb.handle_data(data[space:] if space else data)


def _in_head_void(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_void(name, attrs)


def _in_head_title(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.start_text(name, attrs, RCDATA)


def raw_text(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """style, noframes, and others in "in body": the generic raw text element parsing algorithm."""
    tb.start_text(name, attrs, RAWTEXT)


def _in_head_script(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.start_text(name, attrs, SCRIPT_DATA)


def _in_head_noscript(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if tb.scripting:
        tb.start_text(name, attrs, RAWTEXT)
    else:
        tb.insert_element(name, attrs)
        tb.switch("in head noscript")


def _in_head_template(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    formatting.insert_marker(tb)
    tb.open_templates += 1
    tb.frameset_ok = False
    tb.switch("in template")
    tb.template_modes.append("in template")


def _in_head_template_end(tb: TreeBuilder, _name: str) -> None:
    if tb.open_templates:
        tb.generate_all_implied_end_tags_thoroughly()
        close_template(tb)


def close_template(tb: TreeBuilder) -> None:
    """Pop until a template has been popped, and go back to the mode around it."""
    tb.pop_until("template")
    tb.open_templates -= 1
    formatting.clear_to_last_marker(tb)
    tb.template_modes.pop()
    tb.reset_insertion_mode()


def _in_head_head_end(tb: TreeBuilder, _name: str) -> None:
    _leave_head(tb)


def _in_head_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _leave_head(tb)
    tb.handle_starttag(name, attrs)


def _in_head_end(tb: TreeBuilder, name: str) -> None:
    _leave_head(tb)
    tb.handle_endtag(name)


def _in_head_eof(tb: TreeBuilder) -> bool:
    _leave_head(tb)
    return False


def _leave_head(tb: TreeBuilder) -> None:
    tb.stack.pop()
    tb.switch("after head")


# "in head noscript"


def _noscript_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space:
        tb.insert_text(data[:space])
    if space < len(data):
        _leave_noscript(tb)
        tb.handle_data(data[space:] if space else data)


def _noscript_in_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    start_in(tb, "in head", name, attrs)


def _noscript_noscript_end(tb: TreeBuilder, _name: str) -> None:
    _leave_noscript(tb)


def _noscript_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _leave_noscript(tb)
    tb.handle_starttag(name, attrs)


def _noscript_end(tb: TreeBuilder, name: str) -> None:
    _leave_noscript(tb)
    tb.handle_endtag(name)


def _noscript_eof(tb: TreeBuilder) -> bool:
    _leave_noscript(tb)
    return False


def _leave_noscript(tb: TreeBuilder) -> None:
    tb.stack.pop()
    tb.switch("in head")


# "after head"


def _after_head_characters(tb: TreeBuilder, data: str) -> None:
    space = leading_space(data)
    if space:
        tb.insert_text(data[:space])
    if space < len(data):
        _make_body(tb)
        tb.handle_data(data[space:] if space else data)


def _after_head_body(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.frameset_ok = False
    tb.switch("in body")


def _after_head_frameset(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.insert_element(name, attrs)
    tb.switch("in frameset")


def _after_head_in_head(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """An element of the head after its end tag goes into the head all the same."""
    head = tb.head
    assert head is not None  # this mode follows on "in head"
    index = len(tb.stack)
    tb.stack.append(head)
    start_in(tb, "in head", name, attrs)
    del tb.stack[index]


def _after_head_template_end(tb: TreeBuilder, name: str) -> None:
    end_in(tb, "in head", name)


def _after_head_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    _make_body(tb)
    tb.handle_starttag(name, attrs)


def _after_head_end(tb: TreeBuilder, name: str) -> None:
    _make_body(tb)
    tb.handle_endtag(name)


def _after_head_eof(tb: TreeBuilder) -> bool:
    _make_body(tb)
    return False


def _make_body(tb: TreeBuilder) -> None:
    tb.insert_element("body", {})
    tb.switch("in body")


# "text"


def _text_characters(tb: TreeBuilder, data: str) -> None:
    tb.insert_text(data)


def _text_end(tb: TreeBuilder, _name: str) -> None:
    tb.stack.pop()
    tb.mode = tb.original_mode


def _text_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """The tokenizer delivers no start tag inside raw text; another caller of the handlers may."""
    _text_end(tb, name)
    tb.handle_starttag(name, attrs)


def _text_eof(tb: TreeBuilder) -> bool:
    tb.stack.pop()
    tb.mode = tb.original_mode
    return False


register(
    Mode("in head", _in_head_characters, _in_head_start, ignore, _in_head_eof),
    {
        "html": start_html,
        "base basefont bgsound link meta": _in_head_void,
        "title": _in_head_title,
        "noframes style": raw_text,
        "noscript": _in_head_noscript,
        "script": _in_head_script,
        "template": _in_head_template,
        "head": ignore_start,
    },
    {"head": _in_head_head_end, "body html br": _in_head_end, "template": _in_head_template_end},
)
register(
    Mode("in head noscript", _noscript_characters, _noscript_start, ignore, _noscript_eof),
    {
        "html": start_html,
        "basefont bgsound link meta noframes style": _noscript_in_head,
        "head noscript": ignore_start,
    },
    {"noscript": _noscript_noscript_end, "br": _noscript_end},
)
register(
    Mode("after head", _after_head_characters, _after_head_start, ignore, _after_head_eof),
    {
        "html": start_html,
        "body": _after_head_body,
        "frameset": _after_head_frameset,
        "base basefont bgsound link meta noframes script style template title": _after_head_in_head,
        "head": ignore_start,
    },
    {"template": _after_head_template_end, "body html br": _after_head_end},
)
register(Mode("text", _text_characters, _text_start, _text_end, _text_eof), {}, {})
