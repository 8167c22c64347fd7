"""List the handlers: which function opens which element.

Keys are tags; "#name" for the meaning of a class (meanings.py) and "@role" for an ARIA role; "#attributes" for tags
without a handler. A handler gets the renderer and the element. It returns a pair (close, argument) to be called at the
element's end, PLAIN if there is nothing to close, or None if the walk shall skip the element's content.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.elements import HEADINGS
from webtool.markdown.handlers import attributes, blocks, embedded, forms, inline, links, lists, roles, tables
from webtool.markdown.meanings import BLOCKS, CODE_BLOCKS, CODE_SPANS, FORMATS, LISTS, SKIPPED
from webtool.markdown.render import Handler

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(BLOCKS, blocks.open_block),
    **dict.fromkeys(SKIPPED, blocks.open_skip),
    **dict.fromkeys(HEADINGS, blocks.open_heading),
    **dict.fromkeys(FORMATS, inline.open_format),
    **dict.fromkeys(CODE_SPANS, inline.open_code_span),
    **dict.fromkeys(CODE_BLOCKS, blocks.open_code_block),
    **dict.fromkeys(LISTS, lists.open_list),
    **dict.fromkeys(
        "audio video embed object amp-video amp-youtube amp-iframe lite-youtube".split(), embedded.open_embedded
    ),
    **dict.fromkeys(("dt", "summary"), blocks.open_bold_line),
    **dict.fromkeys(("td", "th"), tables.open_cell),
    **dict.fromkeys(("button", "textarea", "meter", "progress"), forms.open_control),
    **dict.fromkeys(("math", "mjx-container"), inline.open_formula),
    "#attributes": attributes.open_by_attributes,
    "#tex": inline.open_tex_attribute,
    "#formula": inline.open_formula_box,
    "#levelled": lists.open_paragraph_item,
    "#lines": blocks.open_code_block,
    "#editor": blocks.open_editor,
    "#icon": inline.open_icon_name,
    "#listing": blocks.open_listing,
    "#skip": blocks.open_skip,
    "#protected": links.open_protected_text,
    "a": links.open_link,
    "blockquote": blocks.open_quote_or_callout,
    "details": blocks.open_details,
    "br": inline.open_break,
    "dialog": blocks.open_dialog,
    "hr": blocks.open_rule,
    "img": embedded.open_image,
    "input": forms.open_input,
    "li": lists.open_item,
    "nav": blocks.open_skip,
    "q": inline.open_quotation,
    "script": inline.open_script,
    "select": forms.open_select,
    **dict.fromkeys(("sup", "#raised"), inline.open_raised),
    **dict.fromkeys(("sub", "#lowered"), inline.open_lowered),
    "rt": inline.open_ruby_text,
    "rp": inline.open_ruby_bracket,
    "amp-img": embedded.open_image,
    "amp-anim": embedded.open_image,
    "area": embedded.open_area,
    "frame": embedded.open_frame,
    "noframes": embedded.open_noframes,
    "iframe": embedded.open_iframe,
    "svg": embedded.open_graphic,
    "time": forms.open_time,
    "text": embedded.open_graphic_text,
    **dict.fromkeys(("tspan", "foreignObject"), embedded.open_graphic_part),
    **roles.MEANINGS,
    "table": tables.open_table,
    "tr": tables.open_row,
    "#columns": tables.open_columns,
}
WITH_NAV = {**HANDLERS, "nav": blocks.open_block}


def with_noscript(handlers: dict[str, Handler]) -> dict[str, Handler]:
    """Return the handlers for a browser without scripts: noscript elements are blocks."""
    return {**handlers, "noscript": blocks.open_block}
