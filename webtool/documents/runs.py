"""Make the inline content of a block. In: runs of text, each with its formats and link. Out: HTML elements.

A Run is what office formats store: a piece of text with formats. inlines() nests neighbouring runs in shared elements:
"a" in bold and "b" in bold italics become `<strong>a<em>b</em></strong>`. Links are outermost. A URL in plain text
becomes a link. A picture becomes its text alternative.
Tests: tests/documents/test_tree.py
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool.documents.tree import NOTE_MARK, Child, add, collapse, element, link
from webtool.html.node import Element, Text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_URL = patterns.compile(r"\bhttps?://[^\s<>\"“”‘’{}|\\^`\[\]]{3,2000}")


class Run(NamedTuple):
    """A piece of text with the same formats. `url` is its link target, or "".

    A picture or formula is `node`, and `text` is its text alternative. A line feed in `text` is a line break.
    """

    text: str
    formats: frozenset[str] = frozenset()
    url: str = ""
    node: Element | None = None


# `formats` of a run that is the text alternative of a picture. Compared by identity; inlines() writes no "alt".
ALT_TEXT = frozenset(("alt",))
FORMATS = ("strong", "em", "del", "sup", "sub", "code")  # outermost first; a link is around all of them


def inlines(runs: Iterable[Run], without: Iterable[str] = ()) -> list[Child]:
    """Return runs as elements, shared by neighbours of equal format. `without` are formats to ignore, e.g. strong."""
    root = Element("span")
    open_formats: list[tuple[str, str]] = []  # (format, URL), outermost first
    open_elements = [root]  # the root, and an element for each open format
    for run in runs:
        if not run.text:
            continue
        formats = run.formats.difference(without)
        if run.text[:1] == NOTE_MARK[0]:
            formats -= {"sup"}  # the reference of a footnote is raised already
        needed = [("a", run.url)] if run.url else []
        needed += [(name, "") for name in FORMATS if name in formats]
        shared = 0
        while shared < min(len(open_formats), len(needed)) and open_formats[shared] == needed[shared]:
            shared += 1
        del open_formats[shared:], open_elements[shared + 1 :]
        for name, url in needed[shared:]:
            node = Element(name, {"href": url} if url else None)
            open_elements[-1].append(node)
            open_formats.append((name, url))
            open_elements.append(node)
        _add_run(open_elements[-1], run)
    children: list[Child] = [node for node in root.children if isinstance(node, (Element, Text))]
    return children


def _add_run(parent: Element, run: Run) -> None:
    """Append a run's node, or its lines with line breaks between them."""
    if run.node is not None:
        parent.append(run.node)
        return
    for number, line in enumerate(run.text.split("\n")):
        if number:
            parent.append(Element("br"))
        if line:
            add(parent, [line])


def linked(runs: list[Run]) -> list[Child]:
    """Return runs as elements; in a paragraph without formats, URLs become links.

    Pieces of a URL may have formats of their own, so a paragraph with formats is left alone.
    """
    has_url = any("://" in run.text and not run.url for run in runs)
    has_formats = any(run.formats for run in runs)
    if has_formats or not has_url:
        return inlines(runs)
    children: list[Child] = []
    for run in runs:
        is_plain = not run.url and run.node is None and "\n" not in run.text
        children.extend(linkified(run.text) if is_plain else inlines([run]))
    return children


def linkified(text: str) -> list[Child]:
    """Return a text with its URLs as links; punctuation at their ends is not part of them."""
    if "://" not in text:
        return [text]
    children: list[Child] = []
    end = 0
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?'\"")
        if url.endswith(")") and "(" not in url:
            url = url[:-1]
        children.extend((text[end : match.start()], link([url], url)))
        end = match.start() + len(url)
    children.append(text[end:])
    return [child for child in children if child != ""]


def paragraph(runs: list[Run]) -> Element:
    """Return a paragraph; a formula that is its whole content becomes a display formula."""
    visible = [run for run in runs if run.text.strip()]
    if len(visible) == 1 and visible[0].node is not None and visible[0].node.tag == "math":
        visible[0].node.attrs["display"] = "block"
    return element("p", linked(runs))


def heading(level: int, number: str, runs: list[Run]) -> Element:
    """Return a heading; `number` is the text before it, e.g. "2.1 ", or "".

    Bold is ignored: headings are bold. So are italics of a whole heading, as Word 2003 shows "Heading 2".
    """
    is_italic = all("em" in run.formats or not run.text.strip() for run in runs)
    return element(f"h{level}", [number, *inlines(runs, ("strong", "em") if is_italic else ("strong",))])


def cell(paragraphs: Iterable[list[Run]]) -> list[Child]:
    """Return the content of a table cell: one line for each paragraph that has text."""
    children: list[Child] = []
    for runs in paragraphs:
        if text_of(runs):
            if children:
                children.append(element("br"))
            children.extend(linked(runs))
    return children


def text_of(runs: Iterable[Run]) -> str:
    """Return the text of runs on one line."""
    return collapse("".join(run.text for run in runs))


def trimmed(runs: list[Run]) -> list[Run]:
    """Strip white space at both ends of a paragraph's runs; the list is changed, and empty if no text is left."""
    while runs and not runs[0].text.strip():
        del runs[0]
    while runs and not runs[-1].text.strip():
        del runs[-1]
    if runs:
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
        runs[-1] = runs[-1]._replace(text=runs[-1].text.rstrip())
    return runs


def web_url(url: str) -> str:
    """Return a link target if it is a URL; "" if it leads into the document or to a file on somebody's disk."""
    scheme = url.partition(":")[0].lower()
    return url if scheme == "mailto" or ("://" in url and scheme != "file") else ""


def picture(alt: str, source: str, url: str = "") -> list[Run]:
    """Return a picture on the web as an image; one inside the file, which nobody can fetch, as its alternative text."""
    if source.startswith(("http://", "https://")):
        return [Run(alt or source, ALT_TEXT, url, element("img", src=source, alt=alt))]
    return [Run(alt, ALT_TEXT, url)] if alt else []


def is_picture(runs: list[Run]) -> bool:
    """Return whether runs consist of the text alternatives of pictures."""
    return all(run.formats is ALT_TEXT or not run.text.strip() for run in runs)


# Names that programs give to pictures ("Picture 3", "Grafik 12") and file names.
_GENERATED_NAME = patterns.compile(
    r"(?i)(?:picture|image|graphic|grafik|bild|shape|object|\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|svg|tiff?|webp))[ \d]*\Z"
)
# Word appends "Description automatically generated with low confidence" to texts of its image recognition; the part
# from "with" on is only there if the recognition was unsure.
_GENERATED_TAIL = patterns.compile(
    r"(?i)\.?\s{0,9}(?:description|beschreibung) automati\S+ \w+(?: with \w+ confidence)?\s*\Z"
)


def alt_text(text: str) -> str:
    """Return the text alternative that an author wrote; "" for generated names and file names."""
    text = _GENERATED_TAIL.sub("", collapse(text))
    return "" if _GENERATED_NAME.match(text) else text
