"""Define what an insertion mode is, and keep the register of all modes.

A mode has tables from tag names to rules, a rule for all other names, and rules for characters, comments and the end of
the file. A rule is a function of the tree builder (`tb`) and the token's parts; the modules of this folder have the
rules. The insertion mode decides what a token does: "in body", "in table", "in cell" and so on.
Spec: the HTML Standard, 13.2.4.1 (the insertion mode) and 13.2.6.4 (the rules of the modes).
Tests: tests/html/test_treebuilder.py
"""

from __future__ import annotations

from webtool.lean.typing import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder as TreeBuilder
else:
    TreeBuilder = object  # for annotations only: treebuilder.py imports the modules of this folder

StartRule = Callable[[TreeBuilder, str, dict[str, str]], None]
EndRule = Callable[[TreeBuilder, str], None]
DataRule = Callable[[TreeBuilder, str], None]
EofRule = Callable[[TreeBuilder], bool]

SPACE_CR = "\t\n\f\r "  # U+000D comes from character references only
HEAD_TAGS = "base basefont bgsound link meta noframes script style template title"  # start tags that belong into a head
MODES: dict[str, Mode] = {}


class Mode:
    """Hold the rules of one insertion mode; `name` is the standard's."""

    __slots__ = ("characters", "comment", "end", "eof", "name", "other_end", "other_start", "plain_end", "start")

    def __init__(
        self, name: str, characters: DataRule, other_start: StartRule, other_end: EndRule, eof: EofRule
    ) -> None:
        self.name = name
        self.characters = characters
        self.other_start = other_start
        self.other_end = other_end
        self.eof = eof
        self.comment: DataRule = insert_comment
        # A shortcut of the tree builder: these end tags only pop the current node, if it has the same name.
        self.plain_end: frozenset[str] = frozenset()
        self.start: dict[str, StartRule] = {}
        self.end: dict[str, EndRule] = {}


def register(mode: Mode, start: dict[str, StartRule], end: dict[str, EndRule], others: Mode | None = None) -> Mode:
    """Register a mode with its tables. Their keys are tag names, several separated by spaces.

    Tag names that are not in the tables have the rules of the mode `others`.
    """
    MODES[mode.name] = mode
    if others is not None:
        mode.start, mode.end = others.start.copy(), others.end.copy()
    for names, start_rule in start.items():
        mode.start.update(dict.fromkeys(names.split(), start_rule))
    for names, end_rule in end.items():
        mode.end.update(dict.fromkeys(names.split(), end_rule))
    return mode


def start_in(tb: TreeBuilder, mode: str, name: str, attrs: dict[str, str]) -> None:
    """Process a start tag using the rules for another mode, without leaving the current one."""
    other = MODES[mode]
    other.start.get(name, other.other_start)(tb, name, attrs)


def end_in(tb: TreeBuilder, mode: str, name: str) -> None:
    """Process an end tag using the rules for another mode, without leaving the current one."""
    other = MODES[mode]
    other.end.get(name, other.other_end)(tb, name)


def start_by(mode: str) -> StartRule:
    """Return a rule for start tags that uses the rules of another mode."""
    return lambda tb, name, attrs: start_in(tb, mode, name, attrs)


def end_by(mode: str) -> EndRule:
    """Return a rule for end tags that uses the rules of another mode."""
    return lambda tb, name: end_in(tb, mode, name)


class Leaving:
    """Make the rules by which a token ends a mode and is then processed again by the next mode.

    `leave` switches to the next mode. If it returns False, the token is ignored. White space at the beginning of
    characters does not end the mode: it is inserted if `keeps_space` is set, else dropped.
    """

    def __init__(self, leave: Callable[[TreeBuilder], bool | None], keeps_space: bool = False) -> None:
        self.leave = leave
        self._keeps_space = keeps_space

    def characters(self, tb: TreeBuilder, data: str) -> None:
        """Leave the mode at the first character that is not white space."""
        space = len(data) - len(data.lstrip(SPACE_CR))
        if space and self._keeps_space:
            tb.insert_text(data[:space])
        if space < len(data):
            rest = data[space:] if space else data
            if self.leave(tb) is not False:
                tb.handle_data(rest)
            elif self._keeps_space:
                space_only(tb, rest)

    def start(self, tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
        """Leave the mode for a start tag."""
        if self.leave(tb) is not False:
            tb.handle_starttag(name, attrs)

    def end(self, tb: TreeBuilder, name: str) -> None:
        """Leave the mode for an end tag."""
        if self.leave(tb) is not False:
            tb.handle_endtag(name)

    def own_end(self, tb: TreeBuilder, _name: str) -> None:
        """Leave the mode at the end tag of its own element, which is not processed again."""
        self.leave(tb)

    def eof(self, tb: TreeBuilder) -> bool:
        """Leave the mode at the end of the file, which the next mode processes."""
        self.leave(tb)
        return False


def insert_comment(tb: TreeBuilder, data: str) -> None:
    """Insert a comment at the appropriate place."""
    tb.insert_comment(data)


def comment_on_document(tb: TreeBuilder, data: str) -> None:
    """Append a comment to the document."""
    tb.insert_comment(data, tb.document)


def ignore_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Ignore a start tag (a parse error)."""


def ignore(tb: TreeBuilder, name: str) -> None:
    """Ignore an end tag (a parse error)."""


def insert_element(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an HTML element for the token."""
    tb.insert_element(name, attrs)


def insert_void(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an HTML element that ends at once."""
    tb.insert_void(name, attrs)


def start_text(content_model: str) -> StartRule:
    """Return a rule for elements whose content is text: the generic raw text and RCDATA element parsing algorithms."""
    return lambda tb, name, attrs: tb.start_text(name, attrs, content_model)


def stop_parsing(_tb: TreeBuilder) -> bool:
    """Stop at the end of the file: nothing is left to do."""
    return True


def start_html(tb: TreeBuilder, _name: str, attrs: dict[str, str]) -> None:
    """Process a start tag "html" after the first: the root element gets the attributes that it lacks."""
    if not tb.open_templates:
        tb.merge_attributes(tb.stack[1], attrs)


def space_only(tb: TreeBuilder, data: str) -> None:
    """Insert the white space of the data and ignore other characters."""
    space = "".join(character for character in data if character in SPACE_CR)
    if space:
        tb.insert_text(space)
