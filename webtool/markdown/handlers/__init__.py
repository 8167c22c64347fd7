"""The table that the renderer follows: tag to the function that is called when an element with it opens.

A tag that is not in it is an inline box without markup. "#formula" is for boxes that a typesetter of formulas left.
"""

from __future__ import annotations

from webtool.html.elements import HEADINGS
from webtool.markdown.handlers.arranged import BY_CLASS, open_arranged
from webtool.markdown.handlers.blocks import (
    open_block,
    open_bold_line,
    open_code_block,
    open_dialog,
    open_heading,
    open_rule,
    open_skip,
)
from webtool.markdown.handlers.embedded import (
    open_area,
    open_frame,
    open_graphic,
    open_graphic_text,
    open_iframe,
    open_noframes,
)
from webtool.markdown.handlers.inline import (
    open_break,
    open_code_span,
    open_embedded,
    open_format,
    open_formula,
    open_formula_box,
    open_image,
    open_link,
    open_lowered,
    open_quotation,
    open_raised,
    open_ruby_bracket,
    open_ruby_text,
    open_script,
    open_script_position,
)
from webtool.markdown.handlers.lists import open_control, open_input, open_item, open_list, open_select, open_time
from webtool.markdown.handlers.roles import MEANINGS, open_details, open_quote_or_callout
from webtool.markdown.handlers.tables import open_cell, open_columns, open_row, open_table
from webtool.markdown.render import Handler
from webtool.markdown.rules import BLOCKS, CODE_BLOCKS, CODE_SPANS, FORMATS, LISTS, SKIPPED

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(BLOCKS, open_block),
    **dict.fromkeys(SKIPPED, open_skip),
    **dict.fromkeys(HEADINGS, open_heading),
    **dict.fromkeys(FORMATS, open_format),
    **dict.fromkeys(CODE_SPANS, open_code_span),
    **dict.fromkeys(CODE_BLOCKS, open_code_block),
    **dict.fromkeys(LISTS, open_list),
    **dict.fromkeys(("audio", "video", "embed", "object", "amp-video", "amp-youtube", "amp-iframe"), open_embedded),
    **dict.fromkeys(("dt", "summary"), open_bold_line),
    **dict.fromkeys(("td", "th"), open_cell),
    **dict.fromkeys(("button", "textarea", "meter", "progress"), open_control),
    **dict.fromkeys(("math", "mjx-container"), open_formula),
    "#formula": open_formula_box,
    "#lines": open_code_block,
    "#skip": open_skip,
    "a": open_link,
    "blockquote": open_quote_or_callout,
    "details": open_details,
    "br": open_break,
    "dialog": open_dialog,
    "hr": open_rule,
    "img": open_image,
    "input": open_input,
    "li": open_item,
    "nav": open_skip,
    "q": open_quotation,
    "script": open_script,
    "select": open_select,
    "sup": open_script_position,
    "sub": open_script_position,
    "#raised": open_raised,
    "#lowered": open_lowered,
    "rt": open_ruby_text,
    "rp": open_ruby_bracket,
    "amp-img": open_image,
    "amp-anim": open_image,
    "area": open_area,
    "frame": open_frame,
    "noframes": open_noframes,
    "iframe": open_iframe,
    "svg": open_graphic,
    "time": open_time,
    "text": open_graphic_text,
    "#arranged": open_arranged,
    **MEANINGS,
    **BY_CLASS,
    "table": open_table,
    "tr": open_row,
    "#columns": open_columns,
}
WITH_NAV = {**HANDLERS, "nav": open_block}


def with_noscript(handlers: dict[str, Handler]) -> dict[str, Handler]:
    """The same table for a browser without scripts."""
    return {**handlers, "noscript": open_block}
