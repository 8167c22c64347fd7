"""Write the block structure: the prefix of each line and the separation between blocks.

In: blocks as text, and containers (block quotes, list items, footnotes) as they open and close, in document order. Out:
markdown. A container has a marker ("- ", "> ") before its first line and an indent before each further line.
Specification: CommonMark 0.31 section 5 (container blocks), and section 4 for what may interrupt a paragraph.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Optional
from webtool.running.budget import Budget

MAX_DEPTH = 24  # nested containers that get a prefix; in deeper ones each line would grow with the depth
_MAX_MARKERS = 60  # characters of container markers before a paragraph; replace_word ignores one with more

# Kinds of blocks. LIST is a list that can follow anything; LATE_LIST cannot interrupt a paragraph (section 5.2).
PARAGRAPH, HEADING, CODE, QUOTE, LIST, LATE_LIST, TABLE, RULE, NOTE, DEFINITION, ALERT = (
    "paragraph", "heading", "code", "quote", "list", "late list", "table", "rule", "note", "definition",
    "alert",
)  # fmt: skip
_NONE = ""  # the kind of block before the first one
# In a tight list item blocks follow each other without a blank line, except these pairs.
_NEEDS_BLANK = frozenset(
    [(before, after) for before in (PARAGRAPH, QUOTE, LIST, TABLE) for after in (PARAGRAPH, LATE_LIST)]
    + [(before, TABLE) for before in (QUOTE, LIST, TABLE)]
    + [(QUOTE, QUOTE)]
    + [(TABLE, after) for after in (HEADING, CODE, QUOTE, LIST, RULE)]
)


class _Outside(NamedTuple):
    """The Writer's state outside of an open container, for the time after it. The fields are those of Writer."""

    prefix: str
    kind: str  # of the container itself
    before: str
    tight: bool
    lead: Optional[str]


class ListState:
    """Hold the state of an open list: its markers and its items."""

    __slots__ = (
        "before", "delimiter", "goes_on", "has_item", "inner", "is_first", "is_open", "keep_empty", "level", "loose",
        "number", "ordered", "step", "width",
    )  # fmt: skip

    def __init__(self, ordered: bool, number: int, delimiter: str, loose: bool) -> None:
        self.ordered = ordered
        self.number = number  # of the next item
        self.step = 1  # -1 in a list that counts down
        self.delimiter = delimiter  # "-", "*", "." or ")"
        self.loose = loose  # blank lines between the items
        self.has_item = False  # an item has been written
        self.is_open = False  # an item is open
        self.is_first = False  # the open item is the first one
        self.keep_empty = True  # write the open item even if it has no content
        self.level = 0.0  # indent level of a list that an editor wrote beside its parent list, not inside it
        self.goes_on = False  # a list that follows directly continues this one
        self.width = 0  # characters of the last item's marker
        self.before = PARAGRAPH  # kind of the last block in the last item
        self.inner: ListState | None = None  # the list at the end of the last item

    def marker(self) -> str:
        """Return the marker of the next item and count it."""
        if not self.ordered:
            return self.delimiter + " "
        number = self.number
        self.number = max(0, min(number + self.step, 999999999))
        return f"{number}{self.delimiter} "


class Writer:
    """Collect the output.

    `out` is a list of text pieces. A "lead" is the text that waits to be written before the next block: separators and
    the markers of containers that have no content yet.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget
        self.out: list[str] = []
        self._prefix = ""  # begins each further line in the open containers
        self._lead: str | None = None  # None: the next block gets a separator that fits its kind
        self._before = _NONE  # kind of the previous block in the open container
        self._tight = False  # the open container is an item of a tight list
        self._states: list[_Outside] = []  # of the open containers, outermost first
        self._last_list: ListState | None = None  # the list just closed, until another block follows
        self.depth = 0  # open containers
        self.has_text = False  # something other than a heading was written

    def text(self) -> str:
        """Return the document, with one line end at its end."""
        return "".join(self.out) + "\n" if self.out else ""

    def _separator(self, kind: str, tight: bool) -> str:
        """Return the line ends and prefixes between the previous block and one of this kind."""
        if not self._before:
            return ""
        if self._before == ALERT or (kind == DEFINITION and self._before == DEFINITION):
            return "\n" + self._prefix
        if tight and (self._before, kind) not in _NEEDS_BLANK:
            return "\n" + self._prefix
        return "\n" + self._prefix.rstrip(" ") + "\n" + self._prefix

    def block(self, kind: str, text: str) -> None:
        r"""Write a leaf block. The lines of `text` are separated by "\n".

        Raises Spent if the text exceeds the budget.
        """
        prefix = self._prefix
        if self.budget is not None:
            self.budget.take(len(text) + (text.count("\n") * len(prefix) if prefix else 0))
        if self._lead is not None:
            head, self._lead = self._lead, None
        else:
            head = self._separator(kind, self._tight)
        if prefix and "\n" in text:
            blank_prefix = prefix.rstrip(" ") if kind == CODE else prefix  # blank code has no trailing spaces
            first, *further_lines = text.split("\n")
            text = "\n".join([first, *[(prefix if line else blank_prefix) + line for line in further_lines]])
        self.out.append(head + text)
        self._before = kind
        if kind != HEADING:
            self.has_text = True
        self._last_list = None

    def add_rows(self, text: str) -> None:
        """Append rows to the table that was written last."""
        if self.budget is not None:
            self.budget.take(len(text) + text.count("\n") * len(self._prefix))
        self.out.append("\n" + self._prefix + text.replace("\n", "\n" + self._prefix))

    def replace_word(self, word: str) -> None:
        """Remove the previous block if it is a paragraph of only this word.

        Many sites show a code block's language above it; the info string has it already.
        """
        last = self.out[-1] if self.out and self._before is PARAGRAPH and self._lead is None else ""
        markers, text = last[: -len(word)], last[-len(word) :]
        has_word_only = len(markers) < _MAX_MARKERS and not any(map(str.isalpha, markers))
        if text.lower() == word.lower() and has_word_only:
            self.out.pop()
            self._lead, self._before = markers, _NONE

    def open(self, kind: str, marker: str, indent: str, *, tight: bool = False, separator: str | None = None) -> None:
        """Open a container; `marker` comes before its first line, `indent` before each further line."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            return
        self._states.append(_Outside(self._prefix, kind, self._before, self._tight, self._lead))
        if self._lead is None:
            lead = self._separator(kind, self._tight) if separator is None else separator
            self._lead = lead + marker
        else:
            self._lead += marker
        self._prefix += indent
        self._before = _NONE
        self._tight = tight
        self._last_list = None

    def close(self, *, keep_empty: bool = True) -> bool:
        """Close the container opened last; return whether it was written.

        An empty container is written as its marker only if `keep_empty` is set.
        """
        self.depth -= 1
        if self.depth >= MAX_DEPTH:
            return True
        is_empty = self._lead is not None
        self._prefix, kind, before, self._tight, lead = self._states.pop()
        if is_empty and not keep_empty:
            self._before, self._lead = before, lead
            return False
        if self._lead is not None:
            self.out.append(self._lead.rstrip(" "))
            self._lead = None
            kind = RULE if kind in (LIST, LATE_LIST) else kind  # a following line cannot continue an empty item
        self._before = kind
        self._last_list = None
        return True

    def begin_list(self, *, ordered: bool, number: int | None, loose: bool, goes_on: bool = False) -> ListState:
        """Return a new list, or the list that was just closed if the new one continues it (`goes_on`).

        Its marker differs from that of a list directly before it. `number` None: the list continues, or begins with 1.
        """
        delimiter = "." if ordered else "-"
        last = self._last_list
        if last is not None and last.ordered is ordered and (goes_on or last.goes_on):
            is_next_number = number is None or number == last.number
            if is_next_number or not ordered:
                return last
        if last is not None and last.delimiter == delimiter:
            delimiter = ")" if ordered else "*"
        # "- - -" is a thematic break: a list that begins in the line of another list's marker gets "*".
        elif not ordered and self._lead is not None and self._lead.endswith("- "):
            delimiter = "*"
        return ListState(ordered, 1 if number is None else number, delimiter, loose)

    def open_item(self, state: ListState, *, late: bool = False) -> None:
        """Open an item of the list. `late`: the list cannot follow a paragraph without a blank line."""
        marker = state.marker()
        separator = None
        if state.has_item and self._lead is None:
            blank = "\n" + self._prefix.rstrip(" ") if state.loose else ""
            separator = f"{blank}\n{self._prefix}"
        state.is_first = not state.has_item
        state.has_item = state.is_open = state.keep_empty = True
        state.width = len(marker)
        kind = LATE_LIST if late else LIST
        self.open(kind, marker, " " * len(marker), tight=not state.loose, separator=separator)

    def close_item(self, state: ListState) -> None:
        """Close the open item."""
        state.is_open = False
        was_first, before, inner = state.is_first, self._before, self._last_list
        if self.close(keep_empty=state.keep_empty):
            state.before, state.inner = before or PARAGRAPH, inner
            self._before = LIST if self._before == LATE_LIST else self._before
        else:
            state.has_item = not was_first
            if state.ordered:
                state.number -= state.step

    def reopen(self, level: float) -> list[ListState]:
        """Reopen the last item of the list just closed, and of the list at its end, while their level is below `level`.

        Editors write nested lists side by side with levels; this puts the next list inside. Returns the reopened lists,
        the outermost first.
        """
        reopened = []
        state = self._last_list
        while state is not None and state.level < level:
            reopened.append(state)
            state.is_open = state.goes_on = True
            self.depth += 1
            if self.depth <= MAX_DEPTH:
                self._states.append(_Outside(self._prefix, LIST, LIST, self._tight, None))
                self._prefix += " " * state.width
                self._tight = not state.loose
            self._before = state.before
            state = self._last_list = state.inner
        return reopened

    def end_list(self, state: ListState) -> None:
        """Mark the list as complete."""
        if state.has_item:
            self._last_list = state

    @property
    def needs_underscores(self) -> bool:
        """Whether a thematic break must be written with underscores.

        Hyphens would underline the text of a tight item (a setext heading), or read as a list marker after another one.
        """
        return self._tight or (self._lead is not None and self._lead.endswith("- "))
