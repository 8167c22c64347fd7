"""Open inline elements: emphasis, code spans, line breaks, formulas, exponents, ruby, quotations.

In: the renderer and an element. Out: (close, argument): the children follow, then close(argument) is called; PLAIN: the
children follow, and nothing is closed; None: the children are skipped.
Specification: CommonMark 0.31 section 6; HTML section 4.5.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from webtool.html.elements import ASCII_SPACE
from webtool.html.node import Element, Node, around, nodes_below, short_text
from webtool.lean.characters import is_alnum
from webtool.markdown import blocks, code, footnotes, formulas
from webtool.markdown.handlers import attributes
from webtool.markdown.handlers.attributes import is_block_style, keeps_white_space
from webtool.markdown.invisible import clean_code
from webtool.markdown.layout import BREAK, Code, Preserved, Raw, collapsed
from webtool.markdown.meanings import BLOCKS, FORMATS, class_kinds
from webtool.markdown.render import PLAIN, Opened, Renderer

_MAX_NODES = 200  # nodes of an element that holds() looks at
_MAX_SIBLINGS = 2000  # siblings of a formula or of code; with more they are not looked at
# Classes without emphasis: citations of Wikipedia and LaTeXML; parts of Sphinx's signatures would be full of asterisks.
_UNMARKED = frozenset(("citation", "ltx_cite", "sig-param", "property"))
_MAX_CODE_NODES = 400  # nodes of a code element that are looked at


def open_format(r: Renderer, element: Element) -> Opened:
    """Open emphasis, strong emphasis or strikethrough, unless it would show nothing or only clutter the text."""
    kind, tag = FORMATS[element.tag], element.tag
    if tag == "cite":
        if r.run:
            attributes.keep_apart(r, element)
        if holds(element, lambda node: node.tag in ("i", "em")):
            return PLAIN  # the work's title in it has emphasis already
        boxes = [box.tag for box in around(element, 2)]
        begins_quote = boxes[:1] == ["blockquote"] or boxes == ["div", "blockquote"]
        if begins_quote and not r.run:  # it names the quote's source: forums give it a line of its own
            closers = r.open_format(kind, tag=tag), (r.flush, None)  # the emphasis ends, then its line
            return end_each, closers
    if kind == "strong" and "font-weight:normal" in element.attrs.get("style", "").replace(" ", ""):
        return PLAIN  # a pasted Google document is in such a b
    if "class" in element.attrs:
        if not _UNMARKED.isdisjoint(element.attrs["class"].split()):
            return PLAIN
        if class_kinds[element.attrs["class"]] == "#icon":
            return r.page.handlers["#icon"](r, element)
    if "aria-label" in element.attrs and r.page.handlers["@icon"](r, element) is None:
        return None
    # Nested b, or strong in b, looks like b. Strong in strong may be intended: Markdown renderers write it.
    may_nest = tag not in ("b", "i")
    if any(span.kind == kind and not (may_nest and span.tag == tag) for span in r.run.spans):
        return PLAIN
    return r.open_format(kind, tag=tag)


def open_icon_name(_: Renderer, element: Element) -> Opened:
    """Skip the name of an icon, `<i class=material-icons>home</i>`, which nobody sees.

    It is kept if its parent has no other text, as in a table cell of ticks.
    """
    parent = element.parent
    is_all = parent is not None and short_text(parent).strip() == short_text(element).strip()
    return PLAIN if is_all else None


def holds(element: Element, condition: Callable[[Node], bool]) -> bool:
    """Whether one of the first 200 nodes below the element fulfils the condition."""
    return any(map(condition, islice(nodes_below(element), _MAX_NODES)))


def end_each(opened: tuple[Opened, ...]) -> None:
    """Close what several handlers opened, in the order given: the innermost first."""
    for close, argument in filter(None, opened):
        if close is not None:
            close(argument)


def open_break(r: Renderer, _: Element) -> Opened:
    """Add a line break; two in a row end the paragraph."""
    run = r.run
    last = run[-1] if run else None
    is_after_break = type(last) is str and len(run) > 1 and run[-2] is BREAK and not last.strip(ASCII_SPACE)
    if (last is BREAK or is_after_break) and not r.flat:
        r.flush()
    else:
        run.append(BREAK)
    return None


def open_code_span(r: Renderer, element: Element) -> Opened:
    """Open inline code. Code with links or images becomes several code spans between these."""
    if r.code:
        return PLAIN
    if not r.flat and element.children and _has_lines(element):
        return r.page.handlers["pre"](r, element)
    if formulas.is_code(element):
        write_formula(r, " ".join(element.text.split()), False)
        return None
    if holds(element, lambda node: node.tag == "img" or (node.tag == "a" and "href" in node.attrs)):
        r.code += 1
        return _end_code_with_links, r
    if any(node.tag is not None for node in element.children):
        text = code.text_of(element, r.hidden)
    else:
        text = clean_code("".join([node.text for node in element.children]))
    if "\n" in text:
        text = collapsed(text).strip(" ")
    if text:
        r.run.append(Code(text))
    return None


def _has_lines(element: Element) -> bool:
    """Whether a code element has lines that must stay apart: it holds a pre, table rows or breaks, or is styled so.

    `<code><pre>a</pre></code>`, `<code>a<br>b</code>` with nothing beside it (old wikis and forums). A break at its
    beginning or end divides no lines.
    """
    style = element.attrs.get("style", "")
    if "white-space" in style and is_block_style(style) and keeps_white_space(style) and "\n" in element.text.strip():
        return True
    tags = {node.tag for node in islice(nodes_below(element), _MAX_CODE_NODES)}
    if "pre" in tags or "tr" in tags:
        return True
    parent = element.parent
    if "br" not in tags or parent is None or len(parent.children) > _MAX_SIBLINGS:
        return False
    if "br" in (element.children[0].tag, element.children[-1].tag):
        return False
    return all(node is element or node.tag == "#comment" or not node.text.strip() for node in parent.children)


def _end_code_with_links(r: Renderer) -> None:
    r.code -= 1


def open_formula(r: Renderer, element: Element) -> Opened:
    """Write a math element or MathJax's box as TeX."""
    tex, is_display = formulas.tex_of(element)
    if tex:
        write_formula(r, tex, is_display)
    elif element.tag == "mjx-container" and element.children and not _script_follows(element):
        r.run.append(" [formula] ")  # it draws a formula that cannot be read
    return None


def open_tex_attribute(r: Renderer, element: Element) -> Opened:
    """Write the TeX that an attribute of an element holds for a script: `<span data-math="x^2"></span>`."""
    is_display = element.tag == "div" or "isplay" in element.attrs.get("class", "")  # "display" or "mathDisplay"
    write_formula(r, formulas.of_attributes(element), is_display)
    return None


def write_formula(r: Renderer, tex: str, is_display: bool) -> None:
    """Write TeX, if there is any: inline, or as a block if it is a display formula."""
    if not tex:
        return
    if not is_display or r.flat:
        r.run.append(Raw(formulas.inline(tex)))
        return
    r.flush()
    text = formulas.block(tex)
    r.writer.block(blocks.CODE if text[0] == "`" else blocks.PARAGRAPH, text)


def open_formula_box(r: Renderer, element: Element) -> Opened:
    """Open a typesetter's box (KaTeX, MathJax): write its TeX.

    It is skipped if a script element after it has the TeX. Without TeX its content is written as text.
    """
    if r.formula_boxes:
        return PLAIN
    if _script_follows(element):
        return None
    tex, is_display = formulas.tex_of(element)
    if tex:
        parent_classes = element.parent.attrs.get("class", "") if element.parent is not None else ""
        write_formula(r, tex, is_display or "katex-display" in parent_classes)
        return None
    if "MathJax" in element.attrs["class"]:
        return None
    r.formula_boxes += 1
    is_block = element.tag in BLOCKS
    if is_block:
        r.flush()
    return _end_formula_box, (r, is_block)


def _script_follows(box: Element) -> bool:
    """Whether MathJax 2 left the author's TeX in a script element after the box or after the box around it."""
    if not any(word in box.attrs.get("class", "") for word in ("MathJax", "mjx-chtml")) or box.parent is None:
        return False
    element = box.parent if "isplay" in box.parent.attrs.get("class", "") and box.parent.parent else box
    siblings = element.parent.children if element.parent is not None else []
    if len(siblings) > _MAX_SIBLINGS:
        return False
    following = siblings[siblings.index(element) + 1 :][:1]
    return any(node.tag == "script" and node.attrs.get("type", "").startswith("math/tex") for node in following)


def _end_formula_box(state: tuple[Renderer, bool]) -> None:
    r, is_block = state
    r.formula_boxes -= 1
    if is_block:
        r.flush()


def open_script(r: Renderer, element: Element) -> Opened:
    """Write the TeX of MathJax 2's scripts; skip other scripts."""
    kind = element.attrs.get("type", "")
    if kind.startswith("math/tex"):
        write_formula(r, " ".join(element.text.split()), "display" in kind)
    return None


def open_raised(r: Renderer, element: Element) -> Opened:
    """Open an exponent, or a span whose class or style raises it.

    Of a footnote reference in brackets, `<sup>[<a href="#n1">1</a>]</sup>`, only the reference is written.
    """
    link = next((node for node in element.children if node.tag == "a"), None)
    if link is not None and len(element.children) > 1 and _is_note(r, link):  # type: ignore[arg-type]
        r.walk([link])
        return None
    return _open_script(r, element, "^")


def _is_note(r: Renderer, link: Element) -> bool:
    """Whether a link, alone in its element except for brackets, refers to a footnote."""
    href = link.attrs.get("href", "")
    is_alone = short_text(link.parent).strip(" []()") == short_text(link).strip(" []()")  # type: ignore[arg-type]
    if not (is_alone and "#" in href and footnotes.may_refer(link, href)):
        return False
    return r.note_label(link, href.partition("#")[2]) is not None


def open_lowered(r: Renderer, element: Element) -> Opened:
    """Open an index, or a span whose class or style lowers it."""
    return _open_script(r, element, "_")


def _open_script(r: Renderer, element: Element, sign: str) -> Opened:
    """Write an exponent or index after `sign`, in Unicode if possible (see formulas.py)."""
    kind = formulas.script_content(element) if element.tag not in BLOCKS else ""
    if kind == "scripts" and _follows_base(r):
        r.run.append(f"{sign}(")
        return r.run.append, ")"
    if kind != "text" or r.code:
        return PLAIN
    text = formulas.script_text(sign, short_text(element), has_base=_follows_base(r))
    if text is None:
        return PLAIN
    r.run.append(Preserved(text) if r.preserve else text)
    return None


def _follows_base(r: Renderer) -> bool:
    """Whether a number, letter or bracket comes just before."""
    return formulas.is_base(next((token for token in reversed(r.run[-6:]) if isinstance(token, str)), ""))


def open_ruby_text(r: Renderer, element: Element) -> Opened:
    """Open the reading beside a character, in brackets: the page's own (rp) if it has them."""
    if not short_text(element).strip():
        return None
    parent = element.parent
    if parent is not None and parent not in r.bracketed:
        r.bracketed[parent] = any(node.tag == "rp" for node in parent.children)
    if parent is not None and r.bracketed[parent]:
        return PLAIN
    r.run.append("(")
    return r.run.append, ")"


def open_ruby_bracket(_: Renderer, element: Element) -> Opened:
    """Open a bracket around a reading. A word there is not seen in browsers with ruby, so it is skipped."""
    return PLAIN if not any(map(is_alnum, short_text(element))) else None


def open_quotation(r: Renderer, _: Element) -> Opened:
    """Open a q element: write quotation marks."""
    r.run.append('"')
    return r.run.append, '"'
