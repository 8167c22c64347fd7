"""Documents as HTML trees, so that one renderer writes all markdown. In: tags and texts. Out: Elements, markdown.

Converters build the elements that HTML has for what they find (h1, p, ul, table, a, strong) and leave escaping,
nesting and tables to webtool.markdown. Footnotes, which HTML has not, go through Notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from webtool.html.node import Document, Element, Text
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any, Union
from webtool.running.budget import Spent

Child = Union[Element, Text, str]

MAX_BASE = 4096  # characters of a URL that others are joined to, each with all of it
MAX_PLACES = 200_000  # of a table
MAX_INDENT = 8  # levels of lists in each other
_URL = patterns.compile(r"\bhttps?://[^\s<>\"“”‘’{}|\\^`\[\]]{3,2000}")
_SPACES = patterns.compile(r"[ \t\n\r]+")

# A footnote's mark inside a text, until the markdown is written: private-use characters around its number.
_MARK = "\ue0f0{}\ue0f1"
_MARKS = patterns.compile("\ue0f0(\\d+)\ue0f1")


class Run(NamedTuple):
    """Text in one format; `url` is what it links to, or "". A picture or a formula is `node`, `text` what it says."""

    text: str
    formats: frozenset[str] = frozenset()
    url: str = ""
    node: Element | None = None


ALT_TEXT = frozenset(("alt",))  # the formats of a run that says what a picture shows
FORMATS = ("a", "strong", "em", "del", "sup", "sub", "code")  # outermost first


def element(tag: str, children: Iterable[Child] = (), **attrs: str) -> Element:
    """An element with its children; strings become text nodes."""
    made = Element(tag, attrs)
    add(made, children)
    return made


def add(parent: Element, children: Iterable[Child]) -> None:
    """Append children; strings become text nodes."""
    for child in children:
        parent.append(Text(child) if isinstance(child, str) else child)


def link(children: Iterable[Child], url: str) -> Element:
    """A link."""
    return element("a", children, href=url)


def web_url(url: str) -> str:
    """A URL, "" where it leads to a place in the document or on somebody's disk."""
    return url if "://" in url or url.lower().startswith("mailto:") else ""


def inlines(runs: Iterable[Run], without: Iterable[str] = ()) -> list[Child]:
    """Runs as elements; neighbours share the elements that both have. A line feed is a line break.

    `without` names formats to leave out, e.g. strong in a heading.
    """
    root = Element("span")
    stack: list[tuple[str, str, Element]] = []  # format, URL, element
    for run in runs:
        if not run.text:
            continue
        wanted = [(name, run.url if name == "a" else "") for name in FORMATS if _has(run, name) and name not in without]
        keep = 0
        while keep < min(len(stack), len(wanted)) and stack[keep][:2] == wanted[keep]:
            keep += 1
        del stack[keep:]
        for name, url in wanted[keep:]:
            made = Element(name, {"href": url} if url else None)
            (stack[-1][2] if stack else root).append(made)
            stack.append((name, url, made))
        parent = stack[-1][2] if stack else root
        if run.node is not None:
            parent.append(run.node)
            continue
        for number, line in enumerate(run.text.split("\n")):
            add(parent, [*([Element("br")] if number else []), *([line] if line else [])])
    children: list[Child] = [node for node in root.children if isinstance(node, (Element, Text))]
    return children


def _has(run: Run, name: str) -> bool:
    if name == "sup" and run.text[:1] == _MARK[0]:
        return False  # a footnote's mark is one already
    return bool(run.url) if name == "a" else name in run.formats


def linked(runs: list[Run]) -> list[Child]:
    """Runs as elements, the URLs in plain ones made links."""
    if not any("://" in run.text and not run.url for run in runs) or any(run.formats for run in runs):
        return inlines(runs)
    children: list[Child] = []
    for run in runs:
        is_plain = not run.url and run.node is None and "\n" not in run.text
        children.extend(linkified(run.text) if is_plain else inlines([run]))
    return children


def paragraph(runs: list[Run]) -> Element:
    """A paragraph; a formula that is all of it is displayed."""
    shown = [run for run in runs if run.text.strip()]
    if len(shown) == 1 and shown[0].node is not None and shown[0].node.tag == "math":
        shown[0].node.attrs["display"] = "block"
    return element("p", linked(runs))


_MADE_UP = patterns.compile(
    r"(?i)(?:picture|image|graphic|grafik|bild|shape|object|\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|svg|tiff?|webp))[ \d]*\Z"
)
_BY_MACHINE = patterns.compile(r"(?i)\.?\s*(?:description|beschreibung) automati\S+ \w+\s*\Z")


def alt_text(text: str) -> str:
    """What a picture's author says it shows; "" for names that programs make up and for file names."""
    text = _BY_MACHINE.sub("", collapse(text))
    return "" if _MADE_UP.match(text) else text


def comment(author: str, blocks: list[Element]) -> list[Element]:
    """What somebody said of the text, under who it was."""
    name = collapse(author)[:100]
    opening = f"Comment ({name}): " if name else "Comment: "
    if blocks and blocks[0].tag == "p":
        return [element("p", [opening, *blocks[0].children]), *blocks[1:]]  # type: ignore[list-item]
    return [element("p", [opening]), *blocks]


def linkified(text: str) -> list[Child]:
    """Text with the URLs in it made links."""
    if "://" not in text:
        return [text]
    children: list[Child] = []
    at = 0
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?'\"")
        if url.endswith(")") and "(" not in url:
            url = url[:-1]
        children.extend((text[at : match.start()], link([url], url)))
        at = match.start() + len(url)
    children.append(text[at:])
    return [child for child in children if child != ""]


def picture(alt: str, source: str, url: str = "") -> list[Run]:
    """A picture on the web as an image; one inside the file, which nobody can fetch, as its alternative text."""
    if source.startswith(("http://", "https://")):
        return [Run(alt or source, ALT_TEXT, url, element("img", src=source, alt=alt))]
    return [Run(alt, ALT_TEXT, url)] if alt else []


def text_of(runs: Iterable[Run]) -> str:
    """The text of runs alone, on one line."""
    return collapse("".join(run.text for run in runs))


def cell(paragraphs: Iterable[list[Run]]) -> list[Child]:
    """What a cell of a table holds: a line for each paragraph that has text."""
    children: list[Child] = []
    for runs in paragraphs:
        if text_of(runs):
            children.extend([element("br")] if children else [])
            children.extend(linked(runs))
    return children


def table(rows: Iterable[Iterable[list[Child]]]) -> Element:
    """A table whose first row is its head; rows are filled up to the same length.

    Where the budget ends while rows are made, it has those so far: the note says so.
    """
    found: list[list[list[Child]]] = []
    try:
        for row in rows:
            found.append([])
            found[-1].extend(row)
    except Spent:
        pass
    width = max((len(row) for row in found), default=0)
    width = width if width * len(found) <= MAX_PLACES else 0  # what is that ragged stays so: markdown allows it
    made = element("table")
    for number, row in enumerate(found):
        tag = "td" if number else "th"
        cells = [element(tag, content) for content in row]
        cells.extend(element(tag) for _ in range(width - len(row)))
        made.append(element("tr", cells))
    return made


_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def numeral(number: int, digits: str) -> str:
    """A number as a list shows it: `digits` are 1, a (z is followed by aa, then bb), i, A or I."""
    made = ""
    if digits in "aA" and 0 < number <= 260:
        made = chr(97 + (number - 1) % 26) * ((number + 25) // 26)
    elif digits in "iI" and 0 < number < 4000:
        left = number
        for value, letters in _ROMAN:
            made += letters * (left // value)
            left %= value
    return (made.upper() if digits.isupper() else made) or str(number)


class ListBuilder:
    """Nested lists from items that come one after the other, each with its depth from 0; the outermost go to `top`."""

    def __init__(self, top: list[Element]) -> None:
        self._top = top
        self._open: list[tuple[int, Element]] = []
        self._kinds: dict[int, str] = {}

    def add(
        self, children: Iterable[Child], depth: int, ordered: bool = False, start: int = 1, name: str = ""
    ) -> Element:
        """Append an item and return it, for further blocks. A numbered list ends where an item has another `name`."""
        depth = min(depth, MAX_INDENT)
        while self._open and self._open[-1][0] > depth:
            self._open.pop()
        tag = "ol" if ordered else "ul"
        kind = f"{tag} {name}" if ordered else tag
        if not self._open or self._open[-1][0] < depth or self._kinds[depth] != kind:
            if self._open and self._open[-1][0] == depth:
                self._open.pop()
            self._kinds[depth] = kind
            made = element(tag, start=str(start)) if ordered and start != 1 else element(tag)
            if self._open:
                items = self._open[-1][1].children
                items[-1].append(made)  # type: ignore[union-attr]
            else:
                self._top.append(made)
            self._open.append((depth, made))
        item = element("li", children)
        self._open[-1][1].append(item)
        return item

    def add_block(self, block: Element) -> None:
        """Append a block that is not an item; it ends the lists that are open."""
        self._open.clear()
        self._top.append(block)

    def last_item(self, depth: int) -> Element | None:
        """The item that a block at a depth belongs to; None where no list is open."""
        while len(self._open) > 1 and self._open[-1][0] > depth:
            self._open.pop()
        return self._open[-1][1].children[-1] if self._open else None  # type: ignore[return-value]


def add_code(parent: list[Any], line: str) -> bool:
    """Go on with the block of code that these nodes end with; False where they end with something else."""
    is_code = bool(parent) and parent[-1].tag == "pre"
    if is_code:
        add(parent[-1].children[0], [f"\n{line}"])
    return is_code


def code(line: str) -> Element:
    """A block of code with its first line."""
    return element("pre", [element("code", [line])])


class Notes:
    """Footnotes: numbered as they are first referred to, written as GFM footnotes after the document."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._keys: list[str] = []

    def __len__(self) -> int:
        return len(self._keys)

    def mark(self, key: str) -> str:
        """What to put into the text for a reference to the note with this key."""
        if key not in self._numbers:
            self._keys.append(key)
            self._numbers[key] = len(self._keys)
        return _MARK.format(self._numbers[key])

    def markdown(self, text: str, blocks_of: Callable[[str], list[Element]], url: str) -> str:
        """The document's markdown with marks made references, and behind it the notes, whose blocks are asked for."""
        parts = [_MARKS.sub(r"[^\1]", text).rstrip("\n")]
        for number, key in enumerate(self._keys, 1):  # there may be more by then: a note may refer to another
            lines = _MARKS.sub(r"[^\1]", markdown(blocks_of(key), url)).strip("\n").split("\n")
            rest = [f"    {line}" if line else "" for line in lines[1:]]
            parts.append("\n".join([f"[^{number}]: {lines[0]}", *rest]))
        return "\n\n".join(parts) + "\n" if any(parts) else ""


_NOTE = patterns.compile(r"(?<!\\)\[\^(\d{1,6})\]")


def renumbered(text: str, before: int) -> tuple[str, int]:
    """Markdown with its notes numbered on from those before it, and how many there are then."""
    numbers = [int(number) for number in _NOTE.findall(text)] if "\n[^" in text else []
    if not before or not numbers:
        return text, before + max(numbers, default=0)
    return _NOTE.sub(lambda match: f"[^{int(match.group(1)) + before}]", text), before + max(numbers)


def collapse(text: str) -> str:
    """Text with each run of white space made one space, none at its ends."""
    return _SPACES.sub(" ", text).strip(" ")


def markdown(children: Iterable[Element], url: str = "") -> str:
    """Markdown of blocks; references are resolved against `url`."""
    from webtool.markdown import to_markdown

    root = Document("#document-fragment")
    for child in children:
        root.append(child)
    base = url if url and len(url) <= MAX_BASE else None
    return to_markdown(root, base, keep_nav=True, hidden=())
