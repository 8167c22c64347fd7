"""OpenDocument texts, presentations and spreadsheets (odt, odp, ods) as markdown. In: a Source. Out: a Document.

Headings carry their level, lists and tables are elements; formats come from automatic styles. Tracked deletions and
hidden text are left out. Specification: OASIS OpenDocument 1.2 part 1, sections 4 to 9 and 16.
"""

from __future__ import annotations

from webtool.documents import Document, Source
from webtool.documents.archive import Archive
from webtool.documents.odf_styles import Styles
from webtool.documents.tree import Notes, Run, add, collapse, element, inlines, linkified, markdown, table
from webtool.documents.xmltree import child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from xml.etree.ElementTree import Element as XmlElement

    from webtool.documents.tree import Child
    from webtool.html.node import Element

MAX_REPEATED = 1000  # cells or rows that say they are repeated; the rest is padding up to the sheet's edge
_SKIPPED = frozenset(
    (
        "text:tracked-changes",
        "office:annotation",
        "office:annotation-end",
        "text:sequence-decls",
        "office:forms",
        "text:soft-page-break",
        "presentation:notes",
        "svg:title",
        "svg:desc",
        "text:hidden-text",
        "text:hidden-paragraph",
    )
)
_BODIES = ("office:text", "office:presentation", "office:spreadsheet")


def convert(source: Source) -> Document:
    """The document's text with its structure. Raises ExtractFailed for a damaged one."""
    archive = Archive(source)
    content = archive.xml("content.xml")
    body = next((found for name in _BODIES for found in content.iter(name)), None)
    if body is None:
        raise source.failed("has no text body (it may be encrypted)")
    title = _title(archive)
    if body.tag == "office:spreadsheet":
        from webtool.documents import ods

        text, note = ods.sheets(body)
        return Document(title, text, source.kind, note)
    reader = _Reader(Styles(content, archive.optional_xml("styles.xml")))
    if body.tag == "office:presentation":
        blocks = reader.slides(body)
    else:
        blocks = reader.blocks(body)
    text = markdown(blocks, source.url)
    bodies = [markdown(reader.note(key), source.url) for key in reader.notes.keys()]  # noqa: SIM118
    return Document(title or reader.title, reader.notes.markdown(text, bodies), source.kind)


def _title(archive: Archive) -> str:
    meta = archive.optional_xml("meta.xml")
    found = next(meta.iter("dc:title"), None) if meta is not None else None
    return collapse(found.text or "") if found is not None else ""


class _Reader:
    """Blocks of one document. `title` is the first paragraph in the style Title, else the first heading."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._bodies: dict[str, XmlElement] = {}
        self.notes = Notes()
        self.title = ""
        self._is_titled = False

    def note(self, key: str) -> list[Element]:
        """The blocks of a note that was referred to."""
        return self.blocks(self._bodies[key])

    def blocks(self, container: XmlElement) -> list[Element]:
        """The blocks in a body, section, cell, note or frame. Lists are opened and closed, not recursed."""
        root = element("div")
        stack: list[tuple[Element, Iterator[XmlElement]]] = [(root, iter(container))]
        code: list[str] = []
        while stack:
            parent, rest = stack[-1]
            for node in rest:
                tag = str(node.tag)
                if tag in ("text:p", "text:h") and self._styles.is_code(node):
                    code.append("".join(run.text for run in self._runs(node)))
                    continue
                if code:
                    parent.append(element("pre", [element("code", ["\n".join(code)])]))
                    code = []
                if tag in _PARAGRAPHS:
                    self._add_paragraph(parent, node)
                elif tag == "table:table":
                    parent.append(self._table(node))
                elif tag not in _SKIPPED:
                    stack.append((self._opened(parent, node, tag), iter(node)))
                    break
            else:
                if code:
                    parent.append(element("pre", [element("code", ["\n".join(code)])]))
                    code = []
                stack.pop()
        return [node for node in root.children if node.tag is not None]  # type: ignore[misc]

    def _opened(self, parent: Element, node: XmlElement, tag: str) -> Element:
        """The element that a container's content goes into: its own for lists, else its parent's."""
        if tag == "text:list":
            depth = sum(1 for _ in _lists_above(parent))
            ordered, start = self._styles.list_level(node, depth)
            made = element("ol" if ordered else "ul")
            if ordered and start != 1:
                made.attrs["start"] = str(start)
        elif tag in ("text:list-item", "text:list-header"):
            made = element("li")
        else:
            return parent
        parent.append(made)
        return made

    def _add_paragraph(self, parent: Element, node: XmlElement) -> None:
        runs = list(self._runs(node))
        if "".join(run.text for run in runs).strip():
            level = self._heading_level(node, runs)
            if level:
                parent.append(element(f"h{level}", inlines(runs, ("strong",))))
            elif self._styles.is_quotation(node):
                parent.append(element("blockquote", [element("p", _linked(runs))]))
            else:
                made = _linked(runs)
                if parent.tag == "li" and not parent.children:
                    add(parent, made)  # an item of one paragraph belongs to a tight list
                else:
                    parent.append(element("p", made))
        for frame in _frames(node):
            for block in self.blocks(frame):
                parent.append(block)

    def _heading_level(self, node: XmlElement, runs: list[Run]) -> int:
        is_title = self._styles.is_title(node)
        level = 1 if is_title else 0
        if node.tag == "text:h":
            text = node.get("text:outline-level", "1")
            level = min(int(text), 6) if text.isdigit() and int(text) else 1
        if level and (not self.title or (is_title and not self._is_titled)):
            self.title = collapse("".join(run.text for run in runs))
            self._is_titled = is_title
        return level

    def _table(self, node: XmlElement) -> Element:
        rows: list[list[list[Child]]] = []
        for row in _rows(node):
            cells: list[list[Child]] = []
            for cell in row:
                if cell.tag not in ("table:table-cell", "table:covered-table-cell"):
                    continue
                children: list[Child] = []
                for paragraph in _paragraphs(cell):
                    runs = list(self._runs(paragraph))
                    if "".join(run.text for run in runs).strip():
                        children.extend([element("br")] if children else [])
                        children.extend(_linked(runs))
                cells.extend([children, *([] for _ in range(_repeated(cell, "table:number-columns-repeated") - 1))])
            rows.append(cells)
        return table(rows)

    def slides(self, body: XmlElement) -> list[Element]:
        """Each page of a presentation under its title."""
        result: list[Element] = []
        for number, page in enumerate(body.iter("draw:page"), 1):
            title = ""
            blocks: list[Element] = []
            for frame in page:
                if frame.tag == "presentation:notes":
                    notes = [block for box in frame.iter("draw:text-box") for block in self.blocks(box)]
                    blocks.extend([element("p", [element("strong", ["Notes:"])]), *notes] if notes else [])
                elif frame.get("presentation:class") == "title" and not title:
                    title = collapse(" ".join("".join(run.text for run in self._runs(p)) for p in frame.iter("text:p")))
                elif frame.tag not in _SKIPPED:
                    blocks.extend(self.blocks(frame))
            self.title = self.title or title
            result.extend([element("h2", [title or f"Slide {number}"]), *blocks])
        return result

    def _runs(self, paragraph: XmlElement) -> Iterator[Run]:
        """The text of a paragraph with its formats (section 6.1); white space is collapsed as section 6.1.2 says."""
        formats: list[frozenset[str]] = [frozenset()]
        urls = [""]
        was_space = True
        for event, node in _inline_walk(paragraph):
            if event == "text":
                text, was_space = _collapsed(node, was_space)  # type: ignore[arg-type]
                yield Run(text, formats[-1], urls[-1])
            elif event == "close":
                formats.pop()
                urls.pop()
            else:
                assert not isinstance(node, str)
                tag = str(node.tag)
                formats.append(formats[-1] | self._styles.formats(node) if tag == "text:span" else formats[-1])
                urls.append(_target(node) if tag == "text:a" else urls[-1])
                made = self._special(node, tag)
                if made:
                    was_space = made[-1] in "\n\t"
                    yield Run(made, formats[-1], urls[-1])

    def _special(self, node: XmlElement, tag: str) -> str:
        if tag == "text:note":
            return self._mark(node)
        make = _CHARACTERS.get(tag)
        return make(node) if make else ""

    def _mark(self, node: XmlElement) -> str:
        body = child(node, "text:note-body")
        if body is None:
            return ""
        key = node.get("text:id") or f"note {len(self._bodies)}"
        self._bodies[key] = body
        return self.notes.mark(key)


_PARAGRAPHS = ("text:p", "text:h")


def _spaces(node: XmlElement) -> str:
    count = node.get("text:c", "1")
    return " " * (min(int(count), 200) if count.isdigit() else 1)


_CHARACTERS: dict[str, Callable[[XmlElement], str]] = {
    "text:s": _spaces,
    "text:tab": lambda _node: "\t",
    "text:line-break": lambda _node: "\n",
}


def _inline_walk(paragraph: XmlElement) -> Iterator[tuple[str, XmlElement | str]]:
    """Text as ("text", str), and open and close events of the elements around it; notes and frames are not entered."""
    if paragraph.text:
        yield "text", paragraph.text
    stack: list[tuple[XmlElement, Iterator[XmlElement]]] = [(paragraph, iter(paragraph))]
    while stack:
        parent, rest = stack[-1]
        for node in rest:
            if node.tag in _SKIPPED or node.tag in ("draw:frame", "draw:custom-shape", "text:ruby-text"):
                if node.tail:
                    yield "text", node.tail
                continue
            yield "open", node
            if node.tag == "text:note":
                yield "close", node
                if node.tail:
                    yield "text", node.tail
                continue
            if node.text:
                yield "text", node.text
            stack.append((node, iter(node)))
            break
        else:
            stack.pop()
            if stack:
                yield "close", parent
                if parent.tail:
                    yield "text", parent.tail


def _collapsed(text: str, was_space: bool) -> tuple[str, bool]:
    """Text with white space collapsed, and whether it ends in some."""
    made = " ".join(text.split())
    if text[:1].isspace() and made and not was_space:
        made = f" {made}"
    if made and text[-1:].isspace():
        made += " "
    if not made:
        made = "" if was_space or not text else " "
    return made, made.endswith(" ") if made else was_space


def _target(node: XmlElement) -> str:
    url = node.get("xlink:href", "")
    return url if "://" in url or url.lower().startswith("mailto:") else ""


def _frames(paragraph: XmlElement) -> list[XmlElement]:
    """The outermost text boxes anchored in a paragraph."""
    found: list[XmlElement] = []
    stack = [paragraph]
    while stack:
        for node in stack.pop():
            if node.tag == "draw:text-box":
                found.append(node)
            elif node.tag not in _SKIPPED and node.tag != "text:note" and len(node):
                stack.append(node)
    return found


def _rows(node: XmlElement) -> Iterator[XmlElement]:
    """Rows of a table, in and outside of header rows and row groups (section 9.1)."""
    stack = [iter(node)]
    while stack:
        for found in stack[-1]:
            if found.tag == "table:table-row":
                yield found
            elif found.tag in ("table:table-header-rows", "table:table-rows", "table:table-row-group"):
                stack.append(iter(found))
                break
        else:
            stack.pop()


def _paragraphs(cell: XmlElement) -> Iterator[XmlElement]:
    for node in cell.iter():
        if node.tag in _PARAGRAPHS:
            yield node


def _repeated(node: XmlElement, name: str) -> int:
    text = node.get(name, "1")
    return min(int(text), MAX_REPEATED) if text.isdigit() and len(text) < 10 and int(text) else 1


def _lists_above(parent: Element) -> Iterator[Element]:
    node: Element | None = parent
    while node is not None:
        if node.tag in ("ol", "ul"):
            yield node
        node = node.parent


def _linked(runs: list[Run]) -> list[Child]:
    if any("://" in run.text and not run.url for run in runs) and not any(run.formats for run in runs):
        return [
            item for run in runs for item in (inlines([run]) if run.url or "\n" in run.text else linkified(run.text))
        ]
    return inlines(runs)
