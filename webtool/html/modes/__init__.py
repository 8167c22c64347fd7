"""The insertion modes' form and register.

A mode is tables from tag names to rules, with a rule for all other names, and rules for characters, comments and the
end of the file. A rule is a function of the tree builder and the token's parts; the modules of this room have them.
Spec: the HTML Standard, 13.2.4.1 (the insertion mode) and 13.2.6.4.
"""

from __future__ import annotations

from webtool.lean.typing import Callable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.html.treebuilder import TreeBuilder as TreeBuilder
else:
    TreeBuilder = object  # the modules of this room annotate with it; it imports them

StartRule = Callable[[TreeBuilder, str, dict[str, str]], None]
EndRule = Callable[[TreeBuilder, str], None]
DataRule = Callable[[TreeBuilder, str], None]
EofRule = Callable[[TreeBuilder], bool]

SPACE_CR = "\t\n\f\r "  # only a character reference brings U+000D


class Mode:
    """One insertion mode; `name` is the standard's."""

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
        # Names whose end tag does no more than pop a current node of that name: the tree builder's short cut.
        self.plain_end: frozenset[str] = frozenset()
        self.start: dict[str, StartRule] = {}
        self.end: dict[str, EndRule] = {}


MODES: dict[str, Mode] = {}


def register(mode: Mode, start: dict[str, StartRule], end: dict[str, EndRule]) -> Mode:
    """Enter a mode; keys of the tables are tag names, several separated by spaces."""
    MODES[mode.name] = mode
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
    """The rule for start tags that says no more than to use those of another mode."""
    return lambda tb, name, attrs: start_in(tb, mode, name, attrs)


def end_by(mode: str) -> EndRule:
    """The same for end tags."""
    return lambda tb, name: end_in(tb, mode, name)


class Leaving:
    """The rules by which tokens end a mode: `leave` goes on to another mode, which gets the token again.

    Where `leave` returns False, the token is ignored. White space at the beginning of characters does not end a mode:
    it is inserted with `keeps_space`, else dropped.
    """

    def __init__(self, leave: Callable[[TreeBuilder], bool | None], keeps_space: bool = False) -> None:
        self.leave = leave
        self._keeps_space = keeps_space

    def characters(self, tb: TreeBuilder, data: str) -> None:
        """Characters: white space stays, all else leaves."""
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
        """A start tag that leaves."""
        if self.leave(tb) is not False:
            tb.handle_starttag(name, attrs)

    def end(self, tb: TreeBuilder, name: str) -> None:
        """An end tag that leaves."""
        if self.leave(tb) is not False:
            tb.handle_endtag(name)

    def own_end(self, tb: TreeBuilder, _name: str) -> None:
        """The end tag of the mode's own element: nothing is left to process."""
        self.leave(tb)

    def eof(self, tb: TreeBuilder) -> bool:
        """The end of the file leaves, and is asked for again."""
        self.leave(tb)
        return False


def insert_comment(tb: TreeBuilder, data: str) -> None:
    """Insert a comment at the appropriate place."""
    tb.insert_comment(data)


def comment_on_document(tb: TreeBuilder, data: str) -> None:
    """Append a comment to the document."""
    tb.insert_comment(data, tb.document)


def ignore_start(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Parse error: ignore the token."""


def ignore(tb: TreeBuilder, name: str) -> None:
    """Parse error: ignore the token."""


def insert_element(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert an HTML element for the token."""
    tb.insert_element(name, attrs)


def insert_void(tb: TreeBuilder, name: str, attrs: dict[str, str]) -> None:
    """Insert one that ends at once."""
    tb.insert_void(name, attrs)


def start_text(content_model: str) -> StartRule:
    """The rule for elements whose content is text of this model: the generic raw text and RCDATA parsing algorithms."""
    return lambda tb, name, attrs: tb.start_text(name, attrs, content_model)


def stop_parsing(_tb: TreeBuilder) -> bool:
    """The end of the file needs nothing more."""
    return True


def start_html(tb: TreeBuilder, _name: str, attrs: dict[str, str]) -> None:
    """A start tag "html" anywhere but at the beginning: the root gets the attributes that it has not."""
    if not tb.open_templates:
        tb.merge_attributes(tb.stack[1], attrs)


def space_only(tb: TreeBuilder, data: str) -> None:
    """Insert the white space of the data and ignore all else."""
    space = "".join(character for character in data if character in SPACE_CR)
    if space:
        tb.insert_text(space)
