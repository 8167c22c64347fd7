"""How inline elements are written: emphasis, links, images, embedded media, code spans, line breaks, formulas,
exponents. In: the renderer and an element that opens. Out: what to call when it closes, or None.

Specification: CommonMark 0.31 section 6; HTML sections 4.5 and 4.8.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.markdown import blocks, code, escape, footnotes, formulas, linked, media
from webtool.markdown.invisible import clean, clean_code
from webtool.markdown.layout import BREAK, Code, Raw, collapsed
from webtool.markdown.naming import is_permalink, short_text
from webtool.markdown.render import ASCII_SPACE, PLAIN
from webtool.markdown.rules import BLOCKS, FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from webtool.html.node import Element
    from webtool.markdown.render import Opened, Renderer

# What is raised but no exponent: ordinals and abbreviations.
_is_ordinal = patterns.compile(r"(?i)st|nd|rd|th|er|ers|re|e|es|ème|ère|o|os|a|mme|me|lle|gr").fullmatch
_SIGNS = {"TM": "\u2122", "SM": "\u2120"}
_RAISED = str.maketrans(
    "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyz",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207b\u207c\u207d\u207e"
    "\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0\u1d4d\u02b0\u2071\u02b2\u1d4f\u02e1\u1d50\u207f\u1d52\u1d56\u02b3"
    "\u02e2\u1d57\u1d58\u1d5b\u02b7\u02e3\u02b8\u1dbb",
)
_LOWERED = str.maketrans(
    "0123456789+-\u2212\u2013=()aehijklmnoprstuvx",
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208b\u208c\u208d\u208e"
    "\u2090\u2091\u2095\u1d62\u2c7c\u2096\u2097\u2098\u2099\u2092\u209a\u1d63\u209b\u209c\u1d64\u1d65\u2093",
)
_MAX_SCRIPT = 40  # characters of an exponent or index
_BOXES = frozenset(("i", "em", "b", "strong", "var", "span", "font", "small", "cite", "u", "bdi"))
_SHORT_TITLE = 40  # a link's tooltip is not on the page: a label may stay, a sentence may not


def open_format(r: Renderer, element: Element) -> Opened:
    kind, tag = FORMATS[element.tag], element.tag
    if tag == "cite" and any(node.tag in ("i", "em") for node in element.children):
        return PLAIN  # the title in it is marked already
    # Strong in b looks like b. The same tag twice may be meant: it is what Markdown writes for emphasis in emphasis.
    if any(span.kind == kind and span.tag != tag for span in r.run.spans):
        return PLAIN
    return r.open_format(kind, tag=tag)


def open_link(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    href = attrs.get("href")
    if href and len(attrs) > 1 and "#" in href:
        if footnotes.is_reference(element):
            label = r.page.note_label(element, href.partition("#")[2])
            if label:
                r.run.append(Raw(f"[^{label}]"))
                return None
        elif footnotes.is_back_link(element) and r.page.notes:
            return None
    if href and is_permalink(element, href):
        return None
    url = r.page.links.resolve(href) if href is not None else None
    if url is None:
        return PLAIN
    title = element.attrs.get("title", "")
    if len(title) > _SHORT_TITLE or (len(title) > 3 and url.endswith("/" + title.replace(" ", "_"))):
        title = ""  # the second is what the pages of a wiki say twice
    children = element.children
    if r.flat or (len(children) == 1 and children[0].tag is None):
        return r.open_format("link", url, title, element=element)
    content = linked.content_of(element, r.hidden)
    if content is linked.FIRST:
        return r.open_format("link", url, title, element=element)
    if content is linked.LINES:
        return _open_lines(r, element, url, title)
    r.linked = content, url, title  # type: ignore[assignment]
    return PLAIN


def _open_lines(r: Renderer, element: Element, url: str, title: str) -> Opened:
    r.flush()
    r.flat = True
    return _end_lines, (r, r.open_format("link", url, title, element=element))


def _end_lines(state: tuple[Renderer, Opened]) -> None:
    r, opened = state
    r.flat = False
    if opened is not None and opened[0] is not None:
        opened[0](opened[1])
    r.flush()


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


def open_image(r: Renderer, element: Element) -> Opened:
    attrs = element.attrs
    alt = escape.alternative(clean(collapsed(attrs.get("alt", "")).strip(" ")))
    if r.page.images != "keep":
        if alt and r.page.images == "alt":
            r.run.append(f" {attrs['alt']} ")
        return None
    source = media.image_source(element)
    url = r.page.links.resolve(source) if source or attrs.get("src") == "" else None
    if url is None:
        if alt:
            r.run.append(attrs["alt"])
        return None
    if media.is_pixel(element):
        return None
    r.run.append(Raw(f"![{alt}]({escape.destination(url)}{escape.title(attrs.get('title', ''))})"))
    return None


def open_embedded(r: Renderer, element: Element) -> Opened:
    source = media.embedded_source(element)
    url = r.page.links.resolve(source) if source else None
    if url is None:
        return None
    title = element.attrs.get("title", "")
    label = title if title and len(title) <= _SHORT_TITLE else str(element.tag)
    opened = r.open_format("link", url)
    r.run.append(label)
    if opened is not None and opened[0] is not None:
        opened[0](opened[1])
    return None


def open_code_span(r: Renderer, element: Element) -> Opened:
    if r.code:
        return PLAIN
    if _holds_links(element):
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


def _holds_links(element: Element) -> bool:
    stack, seen = [element], 0
    while stack and seen < 200:
        for node in stack.pop().children:
            seen += 1
            if (node.tag == "a" and "href" in node.attrs) or node.tag == "img":
                return True
            if node.children:
                stack.append(node)  # type: ignore[arg-type]
    return False


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
    """An exponent: GFM has none, and without a sign 2 and n-1 would read as 2n-1. Notes and ordinals are plain text."""
    return _open_script(r, element, "^", _RAISED)


def open_lowered(r: Renderer, element: Element) -> Opened:
    """An index."""
    return _open_script(r, element, "_", _LOWERED)


def _open_script(r: Renderer, element: Element, sign: str, table: dict[int, int]) -> Opened:
    if any(node.tag is not None and node.tag not in _BOXES for node in element.children):
        holds_scripts = all(
            node.tag is None or node.tag in ("sup", "sub") or node.tag in _BOXES for node in element.children
        )
        if not (holds_scripts and _follows_base(r)):
            return PLAIN
        r.run.append(f"{sign}(")
        return _end_script, r
    whole = short_text(element).strip()
    text = "".join(whole.split())
    if not text or len(text) > _MAX_SCRIPT or " " in whole or r.code or r.preserve:
        return PLAIN
    if sign == "^" and (text in _SIGNS or _is_ordinal(text)):
        written = _SIGNS.get(text, text)
        if len(text) > 1 or not _follows_base(r):
            r.run.append(written)
            return None
    if sum(char.isalpha() for char in text) <= 1 and all(ord(char) in table for char in text):
        r.run.append(text.translate(table))
    elif not _follows_base(r) or (sign == "^" and text.isalpha() and len(text) > 3):
        return PLAIN
    else:
        r.run.append(f"{sign}{text}" if text.isalnum() else f"{sign}({text})")
    return None


def _end_script(r: Renderer) -> None:
    r.run.append(")")


def _follows_base(r: Renderer) -> bool:
    """Whether a number, a letter or a bracket stands just before."""
    for token in reversed(r.run[-6:]):
        if isinstance(token, str):
            return bool(token) and (token[-1].isalnum() or token[-1] in ")]}|'\u2032")
    return False


def open_ruby_text(r: Renderer, element: Element) -> Opened:
    """The reading beside a character: in brackets, the page's own where it has them (rp)."""
    if not short_text(element).strip():
        return None
    if element.parent is not None and any(node.tag == "rp" for node in element.parent.children):
        return PLAIN
    r.run.append("(")
    return _end_script, r


def open_quotation(r: Renderer, _: Element) -> Opened:
    r.run.append('"')
    return _end_quotation, r


def _end_quotation(r: Renderer) -> None:
    r.run.append('"')
