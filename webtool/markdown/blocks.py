"""The block structure of the output: what stands before each line and what between two blocks.

In: blocks as text, and containers (block quotes, list items) as they open and close, in document order. Out: markdown.
Specification: CommonMark 0.31 section 5 (container blocks) and what may interrupt a paragraph in section 4.
"""

from __future__ import annotations

from webtool.lean.typing import Optional
from webtool.running.budget import Budget

_State = tuple[str, str, str, bool, Optional[str]]  # prefix, kind, and before, tight, lead of the container around

# Nesting that is still printed. Deeper containers add no prefix: every line of output would grow with the depth.
MAX_DEPTH = 24
_SHORT = 60  # characters before the text of a block: the markers of its containers

# Kinds of blocks. LIST is a list that can follow anything; LATE_LIST cannot interrupt a paragraph (section 5.2).
PARAGRAPH, HEADING, SETEXT, CODE, QUOTE, LIST, LATE_LIST, TABLE, RULE, NOTE, DEFINITION, ALERT = (
    "paragraph", "heading", "setext", "code", "quote", "list", "late list", "table", "rule", "note", "definition",
    "alert",
)  # fmt: skip
_NONE = ""
# In a tight list item blocks follow each other without a blank line, but for these pairs.
_NEEDS_BLANK = frozenset(
    [(before, after) for before in (PARAGRAPH, QUOTE, LIST, TABLE) for after in (PARAGRAPH, SETEXT, LATE_LIST)]
    + [(before, TABLE) for before in (QUOTE, LIST, TABLE)]
    + [(QUOTE, QUOTE)]
    + [(TABLE, after) for after in (HEADING, CODE, QUOTE, LIST, RULE)]
)


class ListState:
    """An open list: its markers, and whether an item is open."""

    __slots__ = (
        "before", "delimiter", "goes_on", "has_item", "inner", "is_first", "is_open", "keep_empty", "level", "loose",
        "number", "ordered", "step", "width",
    )  # fmt: skip

    def __init__(self, ordered: bool, number: int, delimiter: str, loose: bool) -> None:
        self.ordered = ordered
        self.number = number  # of the next item
        self.step = 1  # -1 in a list that counts down
        self.delimiter = delimiter  # "-", "*", "." or ")"
        self.loose = loose
        self.has_item = False  # one has been written
        self.is_open = False  # one is open
        self.is_first = False  # the open one is the first
        self.keep_empty = True  # the open item stays when nothing is in it
        self.level = 0.0  # where lists stand behind one another that are meant to stand in one another
        self.goes_on = False  # the list behind it is its own other part
        self.width = 0  # of the last item's marker
        self.before = PARAGRAPH  # kind of the last block in the last item
        self.inner: ListState | None = None  # the list at the end of the last item

    def marker(self) -> str:
        """The next item's marker; counts on."""
        if not self.ordered:
            return self.delimiter + " "
        number = self.number
        self.number = max(0, min(number + self.step, 999999999))
        return f"{number}{self.delimiter} "


class Writer:
    """Collects the output."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget
        self.out: list[str] = []
        self._prefix = ""  # of every further line in the open containers
        self._lead: str | None = None  # markers of containers that have nothing in them yet
        self._before = _NONE  # kind of the block before, in the open container
        self._tight = False
        self._states: list[_State] = []
        self._last_list: ListState | None = None  # the list just closed, while nothing followed it
        self.depth = 0
        self.has_text = False  # more than headings

    def text(self) -> str:
        """The document, with one line end at its end."""
        return "".join(self.out) + "\n" if self.out else ""

    def _separator(self, kind: str, tight: bool) -> str:
        if not self._before:
            return ""
        if self._before == ALERT or (kind == DEFINITION and self._before == DEFINITION):
            return "\n" + self._prefix
        if tight and (self._before, kind) not in _NEEDS_BLANK:
            return "\n" + self._prefix
        return "\n" + self._prefix.rstrip(" ") + "\n" + self._prefix

    def block(self, kind: str, text: str) -> None:
        """Write a leaf block. Lines of `text` end in "\\n", the last one in nothing. Raises Spent."""
        prefix = self._prefix
        if self.budget is not None:
            self.budget.take(len(text) + (text.count("\n") * len(prefix) if prefix else 0))
        if self._lead is not None:
            head, self._lead = self._lead, None
        else:
            head = self._separator(kind, self._tight)
        if prefix and "\n" in text:
            text = text.replace("\n", "\n" + prefix)
            if kind == CODE:  # blank lines of code: no spaces at their ends but their own
                text = text.replace("\n" + prefix + "\n", "\n" + prefix.rstrip(" ") + "\n")
                text = text.replace("\n" + prefix + "\n", "\n" + prefix.rstrip(" ") + "\n")
        self.out.append(head + text)
        self._before = kind
        if kind != HEADING:
            self.has_text = True
        self._last_list = None

    def add_rows(self, text: str) -> None:
        """Write rows of the table that was written last."""
        if self.budget is not None:
            self.budget.take(len(text))
        self.out.append("\n" + self._prefix + text.replace("\n", "\n" + self._prefix))

    def replace_word(self, word: str) -> None:
        """Let the next block stand in the place of the one before, where that is a paragraph of this word only."""
        last = self.out[-1] if self.out and self._before is PARAGRAPH and self._lead is None else ""
        head = last[: -len(word)]
        if (
            last
            and last[-len(word) :].lower() == word.lower()
            and len(head) < _SHORT
            and not any(map(str.isalpha, head))
        ):
            self._lead = self.out.pop()[: -len(word)]
            self._before = _NONE

    def open(self, kind: str, marker: str, indent: str, *, tight: bool = False, separator: str | None = None) -> None:
        """Open a container; `marker` stands before its first line, `indent` before the others."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            return
        self._states.append((self._prefix, kind, self._before, self._tight, self._lead))
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
        """Close the container opened last; says whether it was written. An empty one is its marker, or nothing."""
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
            kind = RULE if kind in (LIST, LATE_LIST) else kind  # no line behind an empty item can go on with it
        self._before = kind
        self._last_list = None
        return True

    def begin_list(self, *, ordered: bool, number: int | None, loose: bool, goes_on: bool = False) -> ListState:
        """A list at this place, its markers other than those of a list just before it; or that list (`goes_on`).

        A list without a number is one that goes on, or begins with 1.
        """
        delimiter = "." if ordered else "-"
        last = self._last_list
        if (
            last is not None
            and (goes_on or last.goes_on)
            and last.ordered is ordered
            and number in (None, last.number if ordered else 1)
        ):
            return last
        if last is not None and last.delimiter == delimiter:
            delimiter = ")" if ordered else "*"
        # "- - -" is a thematic break: a list that begins on the line of another's marker takes the other marker.
        elif not ordered and self._lead is not None and self._lead.endswith("- "):
            delimiter = "*"
        return ListState(ordered, 1 if number is None else number, delimiter, loose)

    def open_item(self, state: ListState, *, late: bool = False, task: str = "") -> None:
        """Open an item of the list; `late` says that the list cannot follow a paragraph without a blank line."""
        marker = state.marker()
        separator = None
        if state.has_item and self._lead is None:
            blank = "\n" + self._prefix.rstrip(" ") if state.loose else ""
            separator = f"{blank}\n{self._prefix}"
        state.is_first = not state.has_item
        state.has_item = state.is_open = state.keep_empty = True
        state.width = len(marker)
        self.open(
            LATE_LIST if late else LIST, marker + task, " " * len(marker), tight=not state.loose, separator=separator
        )

    def close_item(self, state: ListState) -> None:
        """Close the open item."""
        state.is_open = False
        was_first, before, inner = state.is_first, self._before, self._last_list
        if self.close(keep_empty=state.keep_empty):
            state.before, state.inner = before or PARAGRAPH, inner
            self._before = LIST if self._before == LATE_LIST else self._before
        else:
            state.has_item = not was_first
            state.number -= state.step * state.ordered

    def reopen(self, level: float) -> list[ListState]:
        """Go on in the last item of the list just closed, of the list at the end of that item, and so on, while their
        levels are lower than this one. Out: these lists, the outermost first."""
        found = []
        state = self._last_list
        while state is not None and state.level < level:
            found.append(state)
            state.is_open = state.goes_on = True
            self.depth += 1
            if self.depth <= MAX_DEPTH:
                self._states.append((self._prefix, LIST, LIST, self._tight, None))
                self._prefix += " " * state.width
                self._tight = not state.loose
            self._before = state.before
            state = self._last_list = state.inner
        return found

    def end_list(self, state: ListState) -> None:
        """The list is complete."""
        if state.has_item:
            self._last_list = state

    @property
    def wants_underscores(self) -> bool:
        """Whether hyphens would not be a rule here: under the text of a tight item, or behind the marker of one."""
        return self._tight or (self._lead is not None and self._lead.endswith("- "))
