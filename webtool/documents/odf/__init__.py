"""OpenDocument texts, presentations and spreadsheets (odt, odp, ods) as markdown. In: a Source. Out: a Document.

Headings carry their level, lists and tables are elements; formats come from automatic styles. Tracked deletions and
hidden text are left out. Specification: OASIS OpenDocument 1.2 part 1, sections 4 to 9 and 16.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from webtool.documents import NODE, Document, Source, heads, tree
from webtool.documents.archive import Archive
from webtool.documents.odf import ods
from webtool.documents.odf.inline import NOTES, SHAPES, SKIPPED, Inlines
from webtool.documents.odf.styles import CODE, QUOTATIONS, TITLES, ListLevel, Styles
from webtool.documents.placed import Box, from_the_top
from webtool.documents.xmltree import child, child_text, children, integer, outermost
from webtool.html.node import Element
from webtool.lean import patterns
from webtool.lean.typing import XmlElement
from webtool.running.budget import Budget, Spent

_BODIES = ("office:text", "office:presentation", "office:drawing", "office:spreadsheet")


def convert(source: Source) -> Document:
    """The document's text with its structure. Raises ExtractFailed for a damaged one."""
    archive = Archive(source)
    content = archive.xml("content.xml")
    body = next((found for name in _BODIES for found in content.iter(name)), None)
    if body is None:
        raise source.failed("has no text body (it may be encrypted)")
    meta = archive.optional_xml("meta.xml")
    title = tree.collapse(next((node.text or "" for node in meta.iter("dc:title")), "")) if meta is not None else ""
    if body.tag == "office:spreadsheet":
        reader = _Reader(archive, Styles(content, None), source.budget)
        return Document(title, ods.sheets(source, content, body, reader.blocks), source.kind)
    styles = archive.optional_xml("styles.xml")
    reader = _Reader(archive, Styles(content, styles), source.budget)
    if body.tag in ("office:presentation", "office:drawing"):
        blocks = reader.slides(body)
    else:
        blocks = [*reader.heads(styles, "header"), *reader.blocks(body), *reader.heads(styles, "footer")]
    text = tree.markdown(blocks, source.url)
    text = reader.notes.markdown(text, reader.note, source.url)
    source.leave_out(reader.unseen + reader.inlines.hidden_words, "deleted or hidden word")
    source.leave_out(reader.hidden_slides, "hidden slide")
    return Document(title or reader.title, text, source.kind)


class _Reader:
    """Blocks of one document. `title` is the first paragraph in the style Title, else the first heading."""

    def __init__(self, archive: Archive, styles: Styles, budget: Budget) -> None:
        self._archive = archive
        self._budget = budget
        self._object_name = ""
        self._object_root: XmlElement | None = None
        self._styles = styles
        self.notes = tree.Notes()
        self.unseen = 0  # words that are deleted or hidden
        self.inlines = Inlines(styles, self.notes, self._object, budget)
        self.title = ""
        self._is_titled = False
        self.hidden_slides = 0
        self._labels: dict[int, ListLevel] = {}  # by id() of the lists whose numbers stand in the text
        self._chapters = [0] * len(styles.outline)  # how many headings of each level there were below the one above
        self._next: dict[str, int] = {}  # the id of a list, "" for the last one: the number that goes on with it

    def _object(self, link: str) -> XmlElement | None:
        name = f"{link.removeprefix('./').strip('/')}/content.xml"
        if name != self._object_name:  # asked for as a formula, then as a chart
            self._object_root = self._archive.optional_xml(name, is_kept=False)
            self._object_name = name
        return self._object_root

    def _chart(self, node: XmlElement) -> list[Element]:
        """The title and the numbers of the chart that a draw:object stands for; empty for other objects."""
        root = self._object(node.get("xlink:href", ""))
        found = next(root.iter("office:chart"), None) if root is not None else None
        if found is None:
            return []
        titles = {str(node.tag): item for node in found.iter() for item in node if item.tag == "chart:title"}
        named = [titles[tag] for tag in ("chart:chart", "chart:axis") if tag in titles]
        texts = [tree.collapse("".join(item.itertext())) for item in named]
        title = f"{texts[0]} ({texts[1]})" if len(texts) > 1 else "".join(texts)
        numbers = [ods.table_of(item, self.inlines, self._budget) for item in found.iter("table:table")]
        return [*([tree.element("p", [title])] if title else []), *numbers]

    def _frame(self, node: XmlElement) -> list[Element]:
        """A frame without text in it: a chart, a formula, or what is said of a picture."""
        link = child(node, "draw:object")
        runs = list(self.inlines.object_runs(node))
        chart = self._chart(link) if link is not None else []
        return chart or ([tree.element("p", tree.inlines(runs))] if runs else [])

    def note(self, key: str) -> list[Element]:
        """The blocks of a note that was referred to; a comment opens with its author."""
        body = self.inlines.note_bodies[key]
        made = self.blocks(body)
        return tree.comment(child_text(body, "dc:creator"), made) if body.tag == "office:annotation" else made

    def heads(self, styles: XmlElement | None, kind: str) -> list[Element]:
        """What stands at the top ("header") or the bottom ("footer") of the pages (section 16.9), each text once."""
        title = self.title, self._is_titled
        names = [f"style:{kind}{which}" for which in ("", "-left", "-first")]
        found = [item for page in styles.iter("style:master-page") for item in page] if styles is not None else []
        made = heads.once(self.blocks(item) for item in found if item.tag in names)
        self.title, self._is_titled = title  # no head is the document's title
        return made

    def blocks(self, container: Iterable[XmlElement]) -> list[Element]:
        """The blocks in a body, section, cell, note or frame. Lists are opened and closed, not recursed."""
        root = tree.element("div")
        try:
            self._add_blocks(root, container)
        except Spent:
            pass  # the blocks so far; the note says so
        _join_lists(root)
        # Lists of nothing but headings, which are numbered this way, become headings; a number stays in the text.
        made = [item for node in root.children if isinstance(node, Element) for item in _headings_of(node) or [node]]
        return [node for node in made if node.tag is not None]

    def _add_blocks(self, root: Element, container: Iterable[XmlElement]) -> None:
        stack: list[tuple[Element, Iterator[XmlElement]]] = [(root, iter(container))]
        code: list[Element] = []  # the block that the line before belongs to
        while stack:
            parent, rest = stack[-1]
            for node in rest:
                self._budget.take(NODE)
                tag = str(node.tag)
                if tag in ("text:p", "text:h") and self._styles.is_one_of(node, CODE):
                    line = "".join(run.text for run in self.inlines.runs(node))
                    if not tree.add_code(code, line):
                        code = [tree.code(line)]
                        parent.append(code[0])
                    continue
                code = []
                if tag in _PARAGRAPHS:
                    self._add_paragraph(parent, node)
                elif tag == "table:table":
                    parent.append(ods.table_of(node, self.inlines, self._budget))
                elif tag == "draw:frame" and not {"draw:text-box", "table:table"} & {item.tag for item in node}:
                    tree.add(parent, self._frame(node))
                elif tag in SKIPPED or node.get("text:display") == "none":
                    self.unseen += sum(len("".join(text.itertext()).split()) for text in node.iter("text:p"))
                else:
                    stack.append((self._opened(parent, node, tag), iter(node)))
                    break
            else:
                code = []
                stack.pop()

    def _opened(self, parent: Element, node: XmlElement, tag: str) -> Element:
        """The element that a container's content goes into: its own for lists, else its parent's."""
        if tag == "text:list":
            depth, above = 0, parent
            while above.parent is not None:
                depth += above.tag in ("ol", "ul")
                above = above.parent
            level = self._styles.list_level(node, depth)
            made = tree.element("ol" if level.digits == "1" else "ul")
            self._labels.pop(id(made), None)  # of a list that is no more
            if level.digits:
                start = level.start
                # Sections 19.780 and 19.781: it may go on with the numbers of an earlier one.
                if "text:continue-list" in node.attrib or node.get("text:continue-numbering") == "true":
                    start = self._next.get(node.get("text:continue-list", ""), start)
                self._next[""] = self._next[node.get("xml:id", "")] = start + len(children(node, "text:list-item"))
                if level.digits != "1":
                    self._labels[id(made)] = level._replace(start=start)
                elif start != 1:
                    made.attrs["start"] = str(start)
        elif tag in ("text:list-item", "text:list-header"):
            made = tree.element("li")
        else:
            return parent
        parent.append(made)
        return made

    def _add_paragraph(self, parent: Element, node: XmlElement) -> None:
        runs = list(self.inlines.runs(node))
        if tree.text_of(runs):
            level = self._heading_level(node, runs)
            if level:
                number = self._label(parent.parent) if parent.tag == "li" else self._outline_number(node)
                parent.append(tree.element(f"h{level}", [number, *tree.inlines(runs, ("strong",))]))
            elif self._styles.is_one_of(node, QUOTATIONS):
                parent.append(tree.element("blockquote", [tree.paragraph(runs)]))
            elif parent.tag == "li" and not parent.children:
                # An item of one paragraph belongs to a tight list.
                tree.add(parent, [self._label(parent.parent), *tree.linked(runs)])
            else:
                parent.append(tree.paragraph(runs))
        # The outermost text boxes and shapes anchored here, and the objects, which may be charts.
        for frame in outermost(node, _FRAMES, skipped=SKIPPED | set(NOTES)):
            tree.add(parent, self._chart(frame) if frame.tag == "draw:object" else self.blocks(frame))

    def _outline_number(self, node: XmlElement) -> str:
        """What stands before a heading by the numbers of its document's chapters (section 16.34); "" for none."""
        levels, at = self._styles.outline, (integer(node.get("text:outline-level")) or 1) - 1
        if (
            node.tag != "text:h"
            or at >= len(levels)
            or not levels[at].digits
            or node.get("text:is-list-header") == "true"
        ):
            return ""
        self._chapters[at:] = [self._chapters[at] + 1] + [0] * (len(self._chapters) - at - 1)
        shown = [place for place in range(max(0, at + 1 - levels[at].shown), at + 1) if levels[place].digits]
        numbers = (tree.numeral(levels[i].start + max(0, self._chapters[i] - 1), levels[i].digits) for i in shown)
        return f"{levels[at].prefix}{'.'.join(numbers)}{levels[at].suffix} "

    def _label(self, parent: Element | None) -> str:
        """What stands before the last item of a list that markdown has not, e.g. of one with letters."""
        level = self._labels.get(id(parent))
        if level is None or parent is None:
            return ""
        return f"{level.prefix}{tree.numeral(level.start + len(parent.children) - 1, level.digits)}{level.suffix} "

    def _heading_level(self, node: XmlElement, runs: list[tree.Run]) -> int:
        is_title = self._styles.is_one_of(node, TITLES)
        level = 1 if is_title else self._styles.heading_level(node)
        if node.tag == "text:h":
            level = min(integer(node.get("text:outline-level")) or 1, 6)
        if level and (not self.title or (is_title and not self._is_titled)):
            self.title = tree.text_of(runs)
            self._is_titled = is_title
        return level

    def slides(self, body: XmlElement) -> list[Element]:
        """Each page of a presentation under its title."""
        result: list[Element] = []
        for number, page in enumerate(body.iter("draw:page"), 1):
            if page.get("draw:style-name") in self._styles.hidden_pages:
                self.hidden_slides += 1
                continue
            title = ""
            blocks: list[Element] = []
            for frame in from_the_top(list(page), _box):
                if frame.tag == "presentation:notes":
                    notes = [block for box in frame.iter("draw:text-box") for block in self.blocks(box)]
                    blocks.extend([tree.element("p", [tree.element("strong", ["Notes:"])]), *notes] if notes else [])
                elif frame.get("presentation:class") == "title" and not title:
                    title = " ".join(tree.text_of(self.inlines.runs(line)) for line in frame.iter("text:p")).strip()
                elif frame.tag not in SKIPPED:
                    blocks.extend(self.blocks([frame]))
            self.title = self.title or title
            result.extend([tree.element("h2", [title or f"Slide {number}"]), *blocks])
        return result


_LENGTH = patterns.compile(r"(-?\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px)")
_POINTS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}


def _box(frame: XmlElement) -> Box | None:
    """Where a frame or a shape stands on its slide, in points; None where it does not say."""
    found = [_LENGTH.fullmatch(frame.get(f"svg:{name}", "")) for name in ("x", "y", "width", "height")]
    sizes = [float(match.group(1)) * _POINTS[match.group(2)] for match in found if match]
    if len(sizes) < len(found):
        return None
    return sizes[0], sizes[1], sizes[0] + sizes[2], sizes[1] + sizes[3]


_PARAGRAPHS = ("text:p", "text:h")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_FRAMES = SHAPES | {"draw:text-box", "draw:object"}


def _join_lists(root: Element) -> None:
    """Lists that follow one another are one, and a list without a text above it belongs to the item before.

    Presentations have a list for each run of items of one level.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        kept: list[Element] = []
        for item in node.children:
            last = kept[-1] if kept else None
            is_deeper = item.tag == "li" and item.children and all(one.tag in ("ul", "ol") for one in item.children)
            if last is not None and (is_deeper or (item.tag == "ul" == last.tag)):
                tree.add(last, item.children)  # type: ignore[arg-type]
            else:
                kept.append(item)  # type: ignore[arg-type]
        node.children = kept  # type: ignore[assignment]
        stack.extend(item for item in kept if item.tag in ("ul", "ol", "li"))


def _headings_of(block: Element) -> list[Element]:
    """The headings of a list, with their numbers; none where there is anything else in it."""
    found: list[Element] = []
    stack = [(block, "")] if block.tag in ("ul", "ol") else []
    while stack:
        node, number = stack.pop()
        items = [item for item in node.children if isinstance(item, Element)]
        if node.tag in _HEADINGS:
            found.append(tree.element(node.tag, [number, *node.children]))  # type: ignore[list-item]
        elif len(items) < len(node.children):  # text of an item
            return []
        elif node.tag == "li":
            stack.extend((item, "" if at else number) for at, item in reversed(list(enumerate(items))))
        elif node.tag in ("ul", "ol"):
            start = integer(node.attrs.get("start"), 1)
            numbers = [f"{at}. " if node.tag == "ol" else "" for at in range(start, start + len(items))]
            stack.extend(reversed(list(zip(items, numbers))))
        else:
            return []
    return found
