"""Parse XML safely. In: bytes or text. Out: ElementTree elements whose names have well-known prefixes.

Expat reads. Declared entities are refused, external ones never fetched; depth and number of elements are bounded. A
name in a namespace of PREFIXES gets the prefix there ("w:p"), whatever prefix the document chose; other names get "?:".
parse_lenient() reads what is not well-formed, as feeds often are. child(), attribute(), children() and outermost()
search trees: Element.find() cannot, since it reads "w:p" as a prefix of its own.
Specification: XML 1.0, Namespaces in XML 1.0.
Tests: tests/documents/test_xmltree.py
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from webtool.lean import patterns
from webtool.lean.typing import XmlElement as Element

MAX_DEPTH = 250  # of nested elements; deeper XML is an error
MAX_WEIGHT = 2_000_000  # of one tree; an element weighs 1, about 100 bytes of memory
_ATTRIBUTES_WEIGHT = 2  # added for an element that has attributes
_MAX_LENIENT_DEPTH = 100  # of parse_lenient(); deeper elements are dropped, their text stays
_MAX_LENIENT_ELEMENTS = 600_000  # of parse_lenient(); further elements are dropped, their text stays

# A note for the reader.
TOO_MUCH = "The document holds more than can be read; what is here is its beginning."

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_OOXML = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
# OOXML has two sets of namespaces, strict and transitional, which has "2006/" in each name; both get the same prefix.
_BOTH = {
    "wordprocessingml/{}main": "w", "spreadsheetml/{}main": "x", "presentationml/{}main": "p", "drawingml/{}main": "a",
    "officeDocument/{}math": "m", "officeDocument/{}relationships": "r",
}  # fmt: skip
# Feeds, sitemaps and packages use names of one vocabulary, so these get no prefix.
PREFIXES = {
    **{_STRICT + name.format(""): prefix for name, prefix in _BOTH.items()},
    **{_OOXML + name.format("2006/"): prefix for name, prefix in _BOTH.items()},
    f"{_OOXML}markup-compatibility/2006": "mc", f"{_OOXML}drawingml/2006/wordprocessingDrawing": "wp",
    f"{_OOXML}drawingml/2006/chart": "c", f"{_OOXML}drawingml/2006/diagram": "dgm",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2015/wordml/symex": "w16se",
    "http://schemas.microsoft.com/office/powerpoint/2018/8/main": "p188",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps", "urn:schemas-microsoft-com:vml": "v",
    f"{_ODF}office:1.0": "office", f"{_ODF}text:1.0": "text", f"{_ODF}table:1.0": "table", f"{_ODF}style:1.0": "style",
    f"{_ODF}drawing:1.0": "draw", f"{_ODF}presentation:1.0": "presentation", f"{_ODF}chart:1.0": "chart",
    f"{_ODF}meta:1.0": "meta", f"{_ODF}xsl-fo-compatible:1.0": "fo", f"{_ODF}svg-compatible:1.0": "svg",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext", f"{_ODF}animation:1.0": "anim",
    "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
    "http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/terms/": "dcterms",
    "http://www.w3.org/1999/xlink": "xlink", "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/1999/xhtml": "html", "http://www.idpf.org/2007/opf": "opf",
    "http://www.daisy.org/z3986/2005/ncx/": "ncx", "http://www.idpf.org/2007/ops": "epub",
    "http://www.w3.org/2005/Atom": "", "http://purl.org/atom/ns#": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf", "http://www.w3.org/1998/Math/MathML": "math",
    "http://www.w3.org/2000/svg": "svg2", "": "", "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "", "http://backend.userland.com/rss2": "",
    "http://www.sitemaps.org/schemas/sitemap/0.9": "", "https://www.sitemaps.org/schemas/sitemap/0.9": "",
    "http://www.google.com/schemas/sitemap/0.84": "", "http://www.google.com/schemas/sitemap/0.9": "",
    "http://www.google.com/schemas/sitemap-news/0.9": "news", "urn:oasis:names:tc:opendocument:xmlns:container": "",
    f"{_OOXML}package/2006/relationships": "", "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://purl.org/rss/1.0/modules/content/": "content", "http://search.yahoo.com/mrss/": "media",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
}  # fmt: skip


class XmlError(Exception):
    """XML that is not well-formed, too deep or refused; the message says what and where."""


class _TooLarge(Exception):  # a signal from the handlers to read()
    """The tree would weigh more than it may."""


class _ShortNames(dict[str, str]):
    """Short names of elements by expat's "namespace local": "w:p"."""

    def __missing__(self, name: str) -> str:
        uri, _, local = name.rpartition(" ")
        prefix = PREFIXES.get(uri, "?")
        self[name] = f"{prefix}:{local}" if prefix else local
        return self[name]


class _AttributeNames(_ShortNames):
    """Short names of attributes; "" for those to drop: unknown ones, and Word's marks of editing sessions."""

    def __missing__(self, name: str) -> str:
        if super().__missing__(name).startswith(("?:", "w:rsid", "w14:paraId", "w14:textId")):
            self[name] = ""
        return self[name]


def _refuse_entity(name: str, *_details: object) -> None:
    raise XmlError(f"the entity {name[:40]} is declared, which is refused: declared entities can grow without bound")


def read(
    data: bytes | str,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    is_cut: bool = False,
    max_weight: int = MAX_WEIGHT,
) -> int:
    """Call the handlers for each element and text; return what is left of `max_weight`. Raises XmlError.

    If the document was cut (`is_cut`) or weighs more, reading ends early: `end` is called for all open elements, and -1
    is returned. References to undeclared entities are skipped.
    """
    names, attribute_names = _ShortNames(), _AttributeNames()
    open_names: list[str] = []
    left = max_weight

    def handle_start(name: str, attrs: dict[str, str]) -> None:
        nonlocal left
        left -= _ATTRIBUTES_WEIGHT + 1 if attrs else 1
        if len(open_names) >= MAX_DEPTH:
            raise XmlError(f"elements nest more than {MAX_DEPTH} deep")
        if left < 0:
            raise _TooLarge
        if attrs:
            attrs = {short: value for key, value in attrs.items() if (short := attribute_names[key])}
        short = names[name]
        open_names.append(short)
        start(short, attrs)

    # Text has been decoded already: its encoding declaration is no longer true.
    parser = expat.ParserCreate("utf-8" if isinstance(data, str) else None, " ")
    parser.buffer_text = True
    parser.StartElementHandler = handle_start
    parser.EndElementHandler = lambda _name: end(open_names.pop())
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = _refuse_entity
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(data.encode("utf-8", "replace") if isinstance(data, str) else data, not is_cut)
    except expat.ExpatError as exc:
        raise XmlError(f"line {exc.lineno}, column {exc.offset}: {expat.ErrorString(exc.code)}") from exc
    except _TooLarge:
        is_cut = True
    except (LookupError, ValueError) as exc:  # an encoding that Python does not know, or cannot use here
        raise XmlError(str(exc)) from exc
    while open_names:
        end(open_names.pop())
    return -1 if is_cut else left


_NAMED_REFERENCE = patterns.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_PREDEFINED = frozenset(("amp", "lt", "gt", "quot", "apos"))  # the only names that XML knows


def with_characters(text: str) -> str:
    """Resolve HTML's named character references, e.g. `&nbsp;`, which XML does not know."""
    if "&" not in text:
        return text
    from html.entities import html5

    def resolve(match: re.Match[str]) -> str:
        name = match.group(1)
        return match.group() if name in _PREDEFINED else html5.get(f"{name};", match.group())

    return _NAMED_REFERENCE.sub(resolve, text)


def parse(data: bytes | str, is_cut: bool = False, max_weight: int = MAX_WEIGHT) -> tuple[Element, int]:
    """Return the root element, and what is left of `max_weight`, or -1, as read() does. Raises XmlError."""
    builder = TreeBuilder()
    left = read(data, builder.start, builder.end, builder.data, is_cut, max_weight)
    root: Element | None = builder.close()
    if root is None:
        raise XmlError("it ends before its first element can be read")
    return root, left


# Groups: text of a CDATA section, slash of an end tag, name, attributes, slash of an empty element. Without groups:
# comment, processing instruction, declaration.
_MARKUP = patterns.compile(
    r"(?s)<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!.*?(?:>|\Z)"
    r"|<(/?)(?:atom:)?([A-Za-z_][\w:.-]{0,100})([^<>]{0,5000}?)(/?)>"
)
_ATTRIBUTE = patterns.compile(r"""([A-Za-z_][\w:.-]{0,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')""")


def parse_lenient(text: str) -> Element | None:
    """Return the root of something like XML: bare ampersands, wrong nesting, truncated; None if it has no tag.

    An end tag closes the nearest open element of its name, with all elements in it. Without such an element it is
    ignored. Names keep the document's prefixes, except "atom:".
    """
    import html

    builder = TreeBuilder()
    open_names: list[str] = []
    count = end = 0

    def close(name: str) -> None:
        while name in open_names:
            builder.end(open_names[-1])
            if open_names.pop() == name:
                break

    for match in _MARKUP.finditer(text):
        cdata, slash, name, attributes, is_empty = match.groups()
        if open_names:
            builder.data(html.unescape(text[end : match.start()]) + (cdata or ""))
        end = match.end()
        if slash:
            close(name)
            continue
        is_root = not count
        if name and len(open_names) < _MAX_LENIENT_DEPTH and count < _MAX_LENIENT_ELEMENTS and (open_names or is_root):
            count += 1
            values = _ATTRIBUTE.findall(attributes)
            builder.start(name, {key: html.unescape(double or single) for key, double, single in values})
            open_names.append(name)
            if is_empty:
                close(name)
    if open_names:
        builder.data(html.unescape(text[end:]))
        close(open_names[0])
    return builder.close() if count else None


def child(node: Element | None, *path: str) -> Element | None:
    """Return the first child of a name, or None; several names lead down: child(p, "w:pPr", "w:numPr")."""
    for name in path:
        if node is None:
            return None
        node = next((item for item in node if item.tag == name), None)
    return node


def attribute(node: Element | None, *path: str, default: str = "") -> str:
    """Return an attribute of an element below, e.g. attribute(p, "w:pPr", "w:pStyle", "w:val"), or the default."""
    target = child(node, *path[:-1])
    return target.get(path[-1], default) if target is not None else default


def children(node: Element | None, *path: str) -> list[Element]:
    """Return all children with the last name of a path, in order; the names before it are followed as in child()."""
    parent = child(node, *path[:-1])
    return [item for item in parent if item.tag == path[-1]] if parent is not None else []


def outermost(
    root: Element,
    tags: Container[str],
    entered: Container[str] | None = None,
    skipped: Container[str] = (),
    nested: bool = False,
) -> Iterator[Element]:
    """Yield the elements below a root that have one of the tags, in document order.

    Elements inside a yielded one are yielded after it if `nested` is True, else not. Other elements are searched if
    their tag is in `entered`; if that is None, unless it is in `skipped`. Nothing recurses.
    """
    stack = [iter(root)]
    while stack:
        for node in stack[-1]:
            is_match = node.tag in tags
            if is_match:
                yield node
            if is_match and not nested:
                continue
            if node.tag in entered if entered is not None else node.tag not in skipped:
                stack.append(iter(node))
                break
        else:
            stack.pop()


TRUE = ("1", "true")  # the values of an attribute that mean "yes" (XML Schema part 2, boolean)


def integer(text: str | None, default: int = 0) -> int:
    """Return the number in an attribute; the default if it has another form or more than nine digits."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else default


_CHARACTER = patterns.compile(r"_x([0-9A-Fa-f]{4})_")


def decoded(text: str) -> str:
    """Return a text of Office with the characters that it names since XML lacks them: "one_x000D_two" has two lines.

    Specification: ECMA-376 part 1, clause 22.9.2.19 (ST_Xstring).
    """
    return _CHARACTER.sub(_character, text) if "_x" in text else text


def _character(match: re.Match[str]) -> str:
    """Return a character by its code; any line break as "\\n", other white space as " ", other controls as ""."""
    character = chr(int(match[1], 16))
    if character.isprintable():
        return character
    return "\n" if character in "\n\v\r" else " " * character.isspace()


def child_text(node: Element | None, name: str) -> str:
    """Return the text at the start of the first child with a name; "" without such a child."""
    first = child(node, name)
    return (first.text or "") if first is not None else ""
