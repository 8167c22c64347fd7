"""Read tags, the quick way and the standard's; find the end tags of elements whose content is not markup.

In: the source of a tag, or the text and a position. Out: a Tag, or a position. All functions take linear time.
quoted_tag() is quick, and refuses all tags that the standard treats in a special way. read_tag() reads any tag.
Spec: the HTML Standard, 13.2.5.2 to 13.2.5.31 (raw text), 13.2.5.8 (tag name state), 13.2.5.32 to 13.2.5.40 (attribute
states).
Tests: tests/html/test_tokenizer.py
"""

from __future__ import annotations

from sys import intern

from webtool.html.charrefs import REFERENCE, ascii_lower, decode_attribute, decode_text, without_null
from webtool.lean import patterns
from webtool.lean.typing import Optional

# (name, whether it is an end tag, attributes or None, the self-closing flag).
Tag = tuple[str, bool, Optional[dict[str, str]], bool]

MAX_REMEMBERED = 200  # characters of a tag's source; longer tags are not remembered
MAX_TABLE = 5000  # remembered tags or shapes; when a table is full, it is emptied

# --- Start tags whose values are all in double quotes ---

# The inside of a start tag with the values taken out: `a class="" href=""`. Groups: name, attributes, "/" if
# self-closing.
_SHAPE = patterns.compile('([a-zA-Z][^\0\t\n\f "\'/<=>]*)((?:[\t\n\f ]+[^\0\t\n\f "\'<>/=]+="")+) ?(/?)')
# Cache of _shape_of(): parts of a tag outside its quotes, such as ('a class=', ' href=', ''), -> the shape: (name,
# attribute names, self-closing flag), or None if the tag has another form.
_shapes: dict[tuple[str, ...], tuple[str, tuple[str, ...], bool] | None] = {}


def quoted_tag(source: str) -> Tag | None:
    """Read a start tag whose attributes all have values in double quotes; return None if it may be another tag.

    `source` is what is between "<" and the next ">", without NUL characters. Nine tags in ten are like this. Splitting
    at the quotes takes a third of the time of the regular expressions.
    """
    pieces = source.split('"')
    has_odd_quotes = len(pieces) % 2 == 0
    if has_odd_quotes or len(pieces) == 1:
        return None
    leads = tuple(pieces[::2])
    try:
        shape = _shapes[leads]
    except KeyError:
        shape = _shape_of(leads)
    if shape is None:
        return None
    name, names, self_closing = shape
    values = pieces[1::2]
    if "&" in source:
        values = [decode_attribute(value) if "&" in value else value for value in values]
    return name, False, dict(zip(names, values)), self_closing


def _shape_of(leads: tuple[str, ...]) -> tuple[str, tuple[str, ...], bool] | None:
    """Return (name, attribute names, self-closing flag) of a start tag by its parts outside the quotes.

    Returns None if the tag has another form, or two attributes of one name. Puts the answer into `_shapes`.
    """
    text = '""'.join(leads)
    match = _SHAPE.fullmatch(text)
    shape = None
    if match:
        *written_names, _ = match[2].split('=""')  # after the last value comes nothing
        names = tuple([intern(ascii_lower(name.strip("\t\n\f "))) for name in written_names])
        if len(set(names)) == len(names):
            shape = intern(ascii_lower(match[1])), names, bool(match[3])
    if len(text) < MAX_REMEMBERED:
        if len(_shapes) >= MAX_TABLE:
            _shapes.clear()
        _shapes[leads] = shape
    return shape


# --- Tags of any form ---

_TAG_NAME = patterns.compile("/?[^\t\n\f />]*")
# One attribute, with what is before it. All parts may be empty. Groups of ` title='y z'`: "title", None, "y z", None.
_ATTRIBUTE = patterns.compile(
    r"""(?x)
    [\t\n\f\ /]*
    (=?[^\t\n\f\ />=]*)  # its name
    (?:[\t\n\f\ ]*=[\t\n\f\ ]*  # its value: in double quotes, in single quotes, without quotes
        (?:"([^"]*)"|'([^']*)'|(?![\t\n\f\ "'])([^\t\n\f\ >]*))
    )?
    """
)
_EQUALS = patterns.compile("[\t\n\f ]*=")


def read_tag(text: str, position: int) -> tuple[Tag | None, int]:
    """Read the tag whose name (or "/") is at `position`; return it and the position after its ">".

    A letter must come there, or "/" and a letter. Returns (None, -1) if the input ends inside the tag.
    """
    match = _TAG_NAME.match(text, position)
    assert match is not None
    name, position = match.group(), match.end()
    is_end = name[0] == "/"
    name = intern(ascii_lower(without_null(name[1:] if is_end else name)))
    attrs: dict[str, str] = {}
    while True:
        begin = position
        match = _ATTRIBUTE.match(text, position)
        assert match is not None
        attribute, double, single, bare = match.groups()
        position = match.end()
        if not attribute:  # ">" comes, or the end of the text
            break
        if match.lastindex == 1 and _EQUALS.match(text, position):  # its value is in quotes that do not end
            return None, -1
        attribute = ascii_lower(without_null(attribute))
        if attribute not in attrs:
            value = without_null(double or single or bare or "")
            attrs[attribute] = decode_attribute(value) if "&" in value else value
    if position == len(text):
        return None, -1
    self_closing = position > begin and text[position - 1] == "/"
    return (name, is_end, attrs or None, self_closing), position + 1


# --- The end of raw text ---

_SCRIPT_PART = patterns.compile("(?ai)<!--|-->|<(/?)script[\\t\\n\\f />]")
_AFTER_NAME = frozenset("\t\n\f />")


def after_newline(text: str, position: int) -> int:
    """Return the position, or that after a line feed there, written literally or as a character reference."""
    if text.startswith("\n", position):
        return position + 1
    match = REFERENCE.match(text, position)
    return match.end() if match and decode_text(match.group()) == "\n" else position


def end_tag_at(text: str, name: str, position: int) -> int:
    """Return the position of the appropriate end tag, or the length of the text."""
    length = len(name) + 2
    while True:
        position = text.find("</", position)
        if position < 0:
            return len(text)
        after = position + length
        if text[after : after + 1] in _AFTER_NAME and ascii_lower(text[position + 2 : after]) == name:
            return position
        position += 2


def script_end(text: str, position: int) -> int:
    """Return the position of a script's end tag, by the script data states with their escaped forms.

    `<!--` begins the escaped state, `-->` ends it. In the escaped state, `<script` begins the double escaped state, in
    which the next end tag is text: `<script><!--<script></script>--></script>` is one script.
    """
    end = end_tag_at(text, "script", position)
    position = text.find("<!--", position, end)
    if position < 0:
        return end
    state = 0  # 0 plain, 1 escaped, 2 double escaped
    while True:
        match = _SCRIPT_PART.search(text, position)
        if not match:
            return len(text)
        position = match.end()
        if match.group() == "<!--":
            state = state or 1
            position -= 2  # the dashes may be those of "-->"
        elif match.group() == "-->":
            state = 0
        elif match.group(1):
            if state < 2:
                return match.start()
            state = 1
        elif state == 1:
            state = 2
