"""How inline elements are written: emphasis, links, images, embedded media, code spans, line breaks, formulas,
exponents. In: the renderer and an element that opens. Out: what to call when it closes, or None.

Specification: CommonMark 0.31 section 6; HTML sections 4.5 and 4.8.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from webtool.html.node import Element, Node, around, nodes_below, short_text
from webtool.lean.typing import Any
from webtool.markdown import blocks, code, footnotes, formulas, scripts
from webtool.markdown.invisible import clean_code
from webtool.markdown.layout import BREAK, Code, Preserved, Raw, collapsed
from webtool.markdown.meanings import BLOCKS, FORMATS
from webtool.markdown.render import ASCII_SPACE, PLAIN, Opened, Renderer

_MAX_NODES = 200  # of an element that are looked at
_MAX_SIBLINGS = 2000  # among which the place of a formula is looked for


def open_format(r: Renderer, element: Element) -> Opened:
    kind, tag = FORMATS[element.tag], element.tag
    if tag == "cite":
        if r.run:
            r.keep_apart(element)
        if holds(element, lambda node: node.tag in ("i", "em")):
            return PLAIN  # the title in it is marked already
        if not r.run and _begins_quote(element):
            return end_each, (r.open_format(kind, tag=tag), (r.flush, None))
    if "class" in element.attrs:
        if not _UNMARKED.isdisjoint(element.attrs["class"].split()):
            return PLAIN
        if r.page.class_kind(element.attrs["class"]) == "#icon":
            return r.page.handlers["#icon"](r, element)
    if "aria-label" in element.attrs and r.page.handlers["@icon"](r, element) is None:
        return None
    # Strong in b, or b in b, looks like b. Strong in strong may be meant: renderers of Markdown write it.
    if any(span.kind == kind and (span.tag != tag or tag in ("b", "i")) for span in r.run.spans):
        return PLAIN
    return r.open_format(kind, tag=tag)


def _begins_quote(cite: Element) -> bool:
    """Whether the text behind a cite is what it is the source of: forums give it a line of its own."""
    boxes = [box.tag for box in around(cite, 2)]
    return boxes[:1] == ["blockquote"] or boxes == ["div", "blockquote"]


# Citations that Wikipedia and LaTeXML mark, and parts of Sphinx's signatures, which would be full of asterisks.
_UNMARKED = frozenset(("citation", "ltx_cite", "sig-param", "property"))


def open_icon_name(_: Renderer, element: Element) -> Opened:
    """The name of an icon, which nobody sees: it is kept where there is nothing else, as in a cell of a table."""
    parent = element.parent
    is_all = parent is not None and short_text(parent).strip() == short_text(element).strip()
    return PLAIN if is_all else None


def holds(element: Element, is_wanted: Callable[[Node], bool]) -> bool:
    """Whether there is such a node among the first 200 in the element."""
    return any(map(is_wanted, islice(nodes_below(element), _MAX_NODES)))


def end_each(opened: tuple[Opened, ...]) -> None:
    """Close what several rules opened, the innermost first."""
    for close, argument in filter(None, opened):
        if close is not None:
            close(argument)


def open_break(r: Renderer, _: Element) -> Opened:
    run = r.run
    # Two line breaks in a row separate paragraphs.
    if run and not r.flat and _ends_in_break(run):
        r.flush()
    else:
        run.append(BREAK)
    return None


def _ends_in_break(run: list[Any]) -> bool:
    last = run[-1]
    return last is BREAK or (type(last) is str and len(run) > 1 and run[-2] is BREAK and not last.strip(ASCII_SPACE))


def open_code_span(r: Renderer, element: Element) -> Opened:
    if r.code:
        return PLAIN
    if formulas.is_code(element):
        write_formula(r, " ".join(element.text.split()), False)
        return None
    if holds(element, lambda node: node.tag == "img" or (node.tag == "a" and "href" in node.attrs)):
        r.code += 1
        return _end_code_with_links, r
    if any(node.tag is not None for node in element.children):
        text = code.text_of(element)
    else:
        text = clean_code("".join([node.text for node in element.children]))
    if "\n" in text:
        text = collapsed(text).strip(" ")
    if text:
        r.run.append(Code(text))
    return None


def _end_code_with_links(r: Renderer) -> None:
    r.code -= 1


def open_formula(r: Renderer, element: Element) -> Opened:
    tex, is_display = formulas.tex_of(element)
    if tex:
        write_formula(r, tex, is_display)
    return None


def write_formula(r: Renderer, tex: str, is_display: bool) -> None:
    if not is_display or r.flat:
        r.run.append(Raw(formulas.inline(tex)))
        return
    r.flush()
    text = formulas.block(tex)
    r.writer.block(blocks.CODE if text[0] == "`" else blocks.PARAGRAPH, text)


def open_formula_box(r: Renderer, element: Element) -> Opened:
    """A typesetter's box: its TeX, or nothing where a script element beside it has the TeX, or what is in it."""
    if r.boxes:
        return PLAIN
    if _script_follows(element):
        return None
    tex, is_display = formulas.tex_of(element)
    if tex:
        around = element.parent.attrs.get("class", "") if element.parent is not None else ""
        write_formula(r, tex, is_display or "katex-display" in around)
        return None
    if "MathJax" in element.attrs["class"]:
        return None
    r.boxes += 1
    is_block = element.tag in BLOCKS
    if is_block:
        r.flush()
    return _end_formula_box, (r, is_block)


def _script_follows(box: Element) -> bool:
    """Whether MathJax 2 left the author's TeX in a script element behind its box, or behind the one around it."""
    if not any(word in box.attrs["class"] for word in ("MathJax", "mjx-chtml")) or box.parent is None:
        return False
    element = box.parent if "isplay" in box.parent.attrs.get("class", "") and box.parent.parent else box
    siblings = element.parent.children if element.parent is not None else []
    if len(siblings) > _MAX_SIBLINGS:
        return False
    behind = siblings[siblings.index(element) + 1 :][:1]
    return bool(behind) and behind[0].tag == "script" and behind[0].attrs.get("type", "").startswith("math/tex")


def _end_formula_box(state: tuple[Renderer, bool]) -> None:
    r, is_block = state
    r.boxes -= 1
    if is_block:
        r.flush()


def open_script(r: Renderer, element: Element) -> Opened:
    kind = element.attrs.get("type", "")
    if kind.startswith("math/tex"):
        write_formula(r, " ".join(element.text.split()), "display" in kind)
    return None


def open_raised(r: Renderer, element: Element) -> Opened:
    """An exponent, or a span whose class or style raises it; of a reference in brackets the reference."""
    link = next((node for node in element.children if node.tag == "a"), None)
    if link is not None and len(element.children) > 1 and _is_note(r, link):  # type: ignore[arg-type]
        r.walk([link])
        return None
    return _open_script(r, element, "^")


def _is_note(r: Renderer, link: Element) -> bool:
    """Whether a link, alone in brackets, refers to a footnote."""
    href = link.attrs.get("href", "")
    is_alone = short_text(link.parent).strip(" []()") == short_text(link).strip(" []()")  # type: ignore[arg-type]
    if not (is_alone and "#" in href and footnotes.may_refer(link, href)):
        return False
    return r.note_label(link, href) is not None


def open_lowered(r: Renderer, element: Element) -> Opened:
    """An index, or a span whose class or style lowers it."""
    return _open_script(r, element, "_")


def _open_script(r: Renderer, element: Element, sign: str) -> Opened:
    kind = scripts.holds(element) if element.tag not in BLOCKS else ""
    if kind == "scripts" and _follows_base(r):
        r.run.append(f"{sign}(")
        return r.run.append, ")"
    if kind != "text" or r.code:
        return PLAIN
    text = scripts.written(sign, short_text(element), has_base=_follows_base(r))
    if text is None:
        return PLAIN
    r.run.append(Preserved(text) if r.preserve else text)
    return None


def _follows_base(r: Renderer) -> bool:
    """Whether a number, a letter or a bracket stands just before."""
    return scripts.is_base(next((token for token in reversed(r.run[-6:]) if isinstance(token, str)), ""))


def open_ruby_text(r: Renderer, element: Element) -> Opened:
    """The reading beside a character: in brackets, the page's own where it has them (rp)."""
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
    """What stands around a reading; a word there is none that anybody sees."""
    return PLAIN if not any(map(str.isalnum, short_text(element))) else None


def open_quotation(r: Renderer, _: Element) -> Opened:
    r.run.append('"')
    return r.run.append, '"'
