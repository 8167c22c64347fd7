"""XML as a tree, safely. In: bytes or text. Out: ElementTree elements whose names have well-known prefixes.

Expat reads; declared entities are refused, external ones never fetched, depth and number of elements bounded. A name in
a known namespace gets the prefix of the table below, whatever prefix the document chose; an unknown one gets "?".
Specification: XML 1.0, Namespaces in XML 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from xml.etree.ElementTree import TreeBuilder
from xml.parsers import expat

from webtool.lean import patterns
from webtool.lean.typing import XmlElement as Element

MAX_DEPTH = 250
MAX_WEIGHT = 2_000_000  # of one tree: about as many hundreds of bytes
_ATTRIBUTES_WEIGH = 2  # as much as two elements more

TOO_MUCH = "The document holds more than can be read; what is here is its beginning."

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_OOXML = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
# OOXML has two sets of names, transitional and strict; both get the same prefix. Vocabularies that are not mixed with
# others keep their local names.
_BOTH = {
    "wordprocessingml": "w", "spreadsheetml": "x", "presentationml": "p", "drawingml": "a", "officeDocument/math": "m",
    "officeDocument/relationships": "r",
}  # fmt: skip
PREFIXES = {
    **{f"{_STRICT}{name if '/' in name else f'{name}/main'}": prefix for name, prefix in _BOTH.items()},
    **{f"{_OOXML}{'/2006/'.join((*name.split('/'), 'main')[:2])}": prefix for name, prefix in _BOTH.items()},
    f"{_OOXML}markup-compatibility/2006": "mc", f"{_OOXML}drawingml/2006/wordprocessingDrawing": "wp",
    f"{_OOXML}drawingml/2006/chart": "c", f"{_OOXML}drawingml/2006/diagram": "dgm",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps", "urn:schemas-microsoft-com:vml": "v",
    f"{_ODF}office:1.0": "office", f"{_ODF}text:1.0": "text", f"{_ODF}table:1.0": "table", f"{_ODF}style:1.0": "style",
    f"{_ODF}drawing:1.0": "draw", f"{_ODF}presentation:1.0": "presentation", f"{_ODF}chart:1.0": "chart",
    f"{_ODF}meta:1.0": "meta", f"{_ODF}xsl-fo-compatible:1.0": "fo", f"{_ODF}svg-compatible:1.0": "svg",
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
    """Not well-formed, or more than the bounds allow; says what and where."""


class _TooLarge(Exception):  # a signal from the handlers
    """There are more elements than can be held."""


class _Reader:
    """Expat's handlers: they check, shorten names and pass on. `open` are the names of the elements that are open."""

    def __init__(self, start: Callable[[str, dict[str, str]], object], end: Callable[[str], object], most: int) -> None:
        self.left = most
        self._start = start
        self._end = end
        self._names: dict[str, str] = {}
        self._attributes: dict[str, str] = {}
        self.open: list[str] = []

    def start(self, name: str, attrs: dict[str, str]) -> None:
        self.left -= _ATTRIBUTES_WEIGH + 1 if attrs else 1
        if len(self.open) >= MAX_DEPTH:
            raise XmlError(f"elements nest more than {MAX_DEPTH} deep")
        if self.left < 0:
            raise _TooLarge
        if attrs:
            known = self._attributes
            attrs = {
                short: value
                for key, value in attrs.items()
                if (short := known[key] if key in known else self._attribute(key))
            }
        short = self._names.get(name) or self._short(name)
        self.open.append(short)
        self._start(short, attrs)

    def end(self, _name: str) -> None:
        self._end(self.open.pop())

    def _attribute(self, name: str) -> str:
        """An attribute's name; "" for what nobody asks for: foreign ones, and Word's marks of editing sessions."""
        short = self._short(name)
        self._attributes[name] = "" if short.startswith(("?:", "w:rsid")) else short
        return self._attributes[name]

    def _short(self, name: str) -> str:
        uri, _, local = name.rpartition(" ")
        prefix = PREFIXES.get(uri, "?")
        short = f"{prefix}:{local}" if prefix else local
        self._names[name] = short
        return short


def _refuse_entity(name: str, *_details: object) -> None:
    raise XmlError(f"the entity {name[:40]} is declared, which is refused: declared entities can grow without bound")


def read(
    data: bytes | str,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    text: Callable[[str], object],
    is_cut: bool = False,
    most: int = MAX_WEIGHT,
) -> int:
    """Call the handlers for a document; returns what is left of the weight that it may have. Raises XmlError.

    What is cut, or weighs more than `most`, ends early: the handlers see all elements close, and -1 is returned.
    References to undeclared entities are passed over.
    """
    # Text has been decoded already: its encoding declaration is no longer true.
    parser = expat.ParserCreate("utf-8" if isinstance(data, str) else None, " ")
    reader = _Reader(start, end, most)
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
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
    while reader.open:
        end(reader.open.pop())
    return -1 if is_cut else reader.left


_NAMED = patterns.compile(r"&([A-Za-z][A-Za-z0-9]{1,31});")
_PREDEFINED = frozenset(("amp", "lt", "gt", "quot", "apos"))


def with_characters(text: str) -> str:
    """Text with HTML's named character references resolved, which XML knows only five of."""
    if "&" not in text:
        return text
    from html.entities import html5

    def resolve(match: re.Match[str]) -> str:
        name = match.group(1)
        return match.group() if name in _PREDEFINED else html5.get(f"{name};", match.group())

    return _NAMED.sub(resolve, text)


def parse(data: bytes | str, is_cut: bool = False, most: int = MAX_WEIGHT) -> tuple[Element, int]:
    """The root element, and what is left of the weight, as read() says. Raises XmlError."""
    builder = TreeBuilder()
    left = read(data, builder.start, builder.end, builder.data, is_cut, most)
    root: Element | None = builder.close()
    if root is None:
        raise XmlError("it ends before its first element can be read")
    return root, left


# Element.find() and the like read a colon as a prefix of their own, so names like w:p need these instead.


def child(node: Element, *path: str) -> Element | None:
    """The first child with a name; with several names, its first child with the next one, and so on."""
    for name in path:
        found = next((item for item in node if item.tag == name), None)
        if found is None:
            return None
        node = found
    return node


def children(node: Element, *path: str) -> list[Element]:
    """All children with a name, in order; with several names, below the first child with each but the last."""
    parent = child(node, *path[:-1])
    return [item for item in parent if item.tag == path[-1]] if parent is not None else []


def outermost(
    root: Element,
    wanted: Container[str],
    entered: Container[str] | None = None,
    skipped: Container[str] = (),
    nested: bool = False,
) -> Iterator[Element]:
    """The elements below a root whose tags are wanted, in document order; of those in each other the outer one.

    Looked into are the elements in `entered`, where that is given, else all but those in `skipped`. With `nested`, each
    comes before those that are wanted in it. Nothing recurses.
    """
    stack = [iter(root)]
    while stack:
        for node in stack[-1]:
            is_wanted = node.tag in wanted
            if is_wanted:
                yield node
            if (nested or not is_wanted) and (node.tag in entered if entered else node.tag not in skipped):
                stack.append(iter(node))
                break
        else:
            stack.pop()


def integer(text: str | None, default: int = 0) -> int:
    """The number that an attribute holds; the default where it holds none, or one of more than nine digits."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else default


def child_text(node: Element, name: str) -> str:
    """The text that the first child with a name begins with; "" where there is none."""
    found = child(node, name)
    return (found.text or "") if found is not None else ""
