"""Define the insertion mode "in body": characters and start tags.

body_end.py has the end tags. Each rule is a function of the tree builder and a tag; the table at the end of the module
says which tags it is for. Words of the standard used here: `frameset_ok` is the flag that a frameset element may still
replace the body; to reconstruct the formatting is to open <b>, <i> ... again that a block's end tag closed.

The stack of open elements begins with the document (0) and html (1); the body, if there is one, is at 2. The most
frequent rules ask `open_p` and `formatting` themselves before they call a function that would find nothing to do.
Spec: the HTML Standard, 13.2.6.4.7.
"""

from __future__ import annotations

from itertools import islice

from webtool.html import foreign, formatting, modes
from webtool.html.elements import HEADINGS, PLAIN_END, SPECIAL
from webtool.html.insertion import MAX_SEARCH, detach
from webtool.html.modes import Mode, TreeBuilder
from webtool.html.modes.body_end import END_RULES, ordinary_end
from webtool.html.node import Text
from webtool.html.tokenizer import DATA_AFTER_NEWLINE, PLAINTEXT, RAWTEXT, RCDATA_AFTER_NEWLINE

_new = Text.__new__


def characters(tb: TreeBuilder, data: str) -> None:
    """Insert characters; nulls are dropped."""
    if tb.has_null:
        data = data.replace("\0", "")
        if not data:
            return
    parent = tb.stack[-1]
    if tb.formatting and tb.formatting[-1] is not parent:
        formatting.reconstruct(tb)
        parent = tb.stack[-1]
    children = parent.children
    if tb.fostering or (children and children[-1].tag is None):
        tb.insert_text(data)
    else:
        text = _new(Text)  # without calling __init__: a page makes thousands
        text.text, text.parent = data, parent
        children.append(text)
    if tb.frameset_ok and data.strip(modes.SPACE_CR):
        tb.frameset_ok = False


def eof(tb: TreeBuilder) -> bool:
    """Process the end of the file; return True if nothing is left to do. Open templates are closed first."""
    return modes.MODES["in template"].eof(tb) if tb.template_modes else True


def _body(tb: TreeBuilder, _name: str, attrs: dict[str, str]) -> None:
    """Merge a second body's attributes into the first."""
    if len(tb.stack) > 2 and tb.stack[2].tag == "body" and not tb.open_templates:
        tb.frameset_ok = False
        tb.merge_attributes(tb.stack[2], attrs)


def _frameset(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Replace the body by a frameset, if the body has no content yet."""
    if len(tb.stack) > 2 and tb.stack[2].tag == "body" and tb.frameset_ok:
        detach(tb.stack[2])
        tb.is_in_order = False  # the tree builder's list of all elements still has the body's, the tree has not
        tb.pop_to(2)
        tb.insert_element(name, attrs)
        tb.switch("in frameset")


def _block(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a block element; an open p is closed first."""
    if tb.open_p:
        tb.close_p()
    tb.insert_element(name, attrs)


def _p(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a p; an open p is closed first."""
    _block(tb, name, attrs)
    tb.open_p += 1


def _heading(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a heading; an open p, and a heading that is the current node, are closed first."""
    tb.close_p()
    if tb.stack[-1].tag in HEADINGS and tb.stack[-1].namespace == "html":
        tb.pop()
    tb.insert_element(name, attrs)


def _pre(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a pre or listing; a line feed directly after the tag is ignored."""
    tb.close_p()
    tb.insert_element(name, attrs)
    tb.content_model = DATA_AFTER_NEWLINE
    tb.frameset_ok = False


def _list_item(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an li, dd or dt: an open one of the kind is closed first."""
    tb.frameset_ok = False
    closed = ("li",) if name == "li" else ("dd", "dt")
    for node in islice(reversed(tb.stack), MAX_SEARCH):
        tag = node.tag
        if node.namespace != "html":
            if tb.is_special(node):
                break
        elif tag in closed:
            tb.generate_implied_end_tags(tag)
            tb.pop_until(tag)
            break
        elif tag in SPECIAL and tag not in ("div", "p", "address"):
            break
    tb.close_p()
    tb.insert_element(name, attrs)


def _plaintext(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert plaintext: all that follows is text."""
    tb.close_p()
    tb.insert_element(name, attrs)
    tb.content_model = PLAINTEXT


def _a(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a link; an open link is closed first."""
    if tb.formatting:
        open_a = formatting.find_after_marker(tb, "a")
        if open_a is not None:
            formatting.adoption_agency(tb, "a")
            if formatting.index_of(tb, open_a) >= 0:
                formatting.remove(tb, open_a)
                if tb.is_open(open_a):
                    del tb.stack[tb.stack_index(open_a)]
        formatting.reconstruct(tb)
    formatting.push(tb, tb.insert_element(name, attrs))


def _formatting(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    formatting.reconstruct(tb)
    formatting.push(tb, tb.insert_element(name, attrs))


def _nobr(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a nobr; an open nobr is closed first."""
    formatting.reconstruct(tb)
    if tb.has_in_scope("nobr"):
        if not formatting.adoption_agency(tb, "nobr"):  # it is open, but before a marker
            ordinary_end(tb, "nobr")
        formatting.reconstruct(tb)
    formatting.push(tb, tb.insert_element(name, attrs))


def _marked(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an applet, marquee or object; a marker keeps formatting outside of it."""
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)
    formatting.insert_marker(tb)
    tb.frameset_ok = False


def _table(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a table and switch to "in table"; an open p is closed first, except in quirks mode."""
    if not tb.document.quirks:
        tb.close_p()
    tb.insert_element(name, attrs)
    tb.frameset_ok = False
    tb.switch("in table")


def _void(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    if tb.formatting:
        formatting.reconstruct(tb)
    tb.insert_void(name, attrs)
    tb.frameset_ok = False


def _hr(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an hr; an open p is closed first."""
    tb.close_p()
    if tb.has_in_scope("select"):
        tb.generate_implied_end_tags()
    tb.insert_void(name, attrs)
    tb.frameset_ok = False


def _xmp(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.close_p()
    formatting.reconstruct(tb)
    tb.frameset_ok = False
    tb.start_text(name, attrs, RAWTEXT)


def _iframe(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    tb.frameset_ok = False
    tb.start_text(name, attrs, RAWTEXT)


def _noscript(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a noscript; its content is raw text if scripting is on."""
    if tb.scripting:
        tb.start_text(name, attrs, RAWTEXT)
    else:
        _ordinary(tb, name, attrs)


def _ruby_base(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an rb or rtc; open ruby parts are closed first."""
    if tb.has_in_scope("ruby"):
        tb.generate_implied_end_tags()
    tb.insert_element(name, attrs)


def _ruby_text(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an rp or rt; open ruby parts except rtc are closed first."""
    if tb.has_in_scope("ruby"):
        tb.generate_implied_end_tags("rtc")
    tb.insert_element(name, attrs)


def _foreign(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert math or svg, which are also the names of their namespaces. The caller handles the self-closing flag."""
    formatting.reconstruct(tb)
    foreign.insert(tb, name, attrs, namespace=name)


def _ordinary(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an element that has no rule of its own, such as a span."""
    if tb.formatting:
        formatting.reconstruct(tb)
    tb.insert_element(name, attrs)


def _form(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a form, unless one is open; it becomes the form element pointer."""
    is_in_template = tb.is_template_content()  # also in a template's fragment, where no template is on the stack
    if tb.form is not None and not is_in_template:
        return
    tb.close_p()
    form = tb.insert_element(name, attrs)
    if not is_in_template:
        tb.form = form


def _button(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a button; an open button is closed first."""
    if tb.has_in_scope("button"):
        tb.generate_implied_end_tags()
        tb.pop_until("button")
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)
    tb.frameset_ok = False


def _input(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an input; an open select is closed first."""
    if _is_fragment_of_select(tb):
        return
    if tb.has_in_scope("select"):
        tb.pop_until("select")
    formatting.reconstruct(tb)
    tb.insert_void(name, attrs)
    if attrs.get("type", "").lower() != "hidden":
        tb.frameset_ok = False


def _is_fragment_of_select(tb: TreeBuilder) -> bool:
    return tb.context is not None and tb.context.tag == "select" and tb.context.namespace == "html"


def _textarea(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a textarea, whose content is RCDATA; a line feed directly after the tag is ignored."""
    tb.start_text(name, attrs, RCDATA_AFTER_NEWLINE)
    tb.frameset_ok = False


def _select(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert a select; an open select is closed instead."""
    if _is_fragment_of_select(tb):
        return
    if tb.has_in_scope("select"):
        tb.pop_until("select")
        return
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)
    tb.frameset_ok = False


def _option(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an option or optgroup; an open option is closed first. An optgroup closes an optgroup."""
    if tb.has_in_scope("select"):
        tb.generate_implied_end_tags(but="optgroup" if name == "option" else "")
    elif tb.stack[-1].tag == "option":
        tb.pop()
    formatting.reconstruct(tb)
    tb.insert_element(name, attrs)


def _selectedcontent(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    formatting.reconstruct(tb)
    tb.selectedcontents.append(tb.insert_element(name, attrs))


IN_BODY = modes.register(
    Mode("in body", characters, _ordinary, ordinary_end, eof),
    {
        "html": modes.start_html,
        modes.HEAD_TAGS: modes.start_by("in head"),
        "body": _body,
        "frameset": _frameset,
        "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header "
        "hgroup main menu nav ol search section summary ul": _block,
        "p": _p,
        "h1 h2 h3 h4 h5 h6": _heading,
        "pre listing": _pre,
        "li dd dt": _list_item,
        "plaintext": _plaintext,
        "a": _a,
        "b big code em font i s small strike strong tt u": _formatting,
        "nobr": _nobr,
        "applet marquee object": _marked,
        "table": _table,
        "area br embed img keygen wbr": _void,
        "param source track": modes.insert_void,
        "hr": _hr,
        "image": lambda tb, _, attrs: tb.handle_starttag("img", attrs),
        "xmp": _xmp,
        "iframe": _iframe,
        "noembed": modes.start_text(RAWTEXT),
        "noscript": _noscript,
        "rb rtc": _ruby_base,
        "rp rt": _ruby_text,
        "math svg": _foreign,
        "form": _form,
        "button": _button,
        "input": _input,
        "textarea": _textarea,
        "select": _select,
        "option optgroup": _option,
        "selectedcontent": _selectedcontent,
        "caption col colgroup frame head tbody td tfoot th thead tr": modes.ignore_start,
    },
    END_RULES,
)
IN_BODY.plain_end = PLAIN_END  # the tree builder pops these elements itself, without asking for their rules
