"""Read a file of site rules. In: its text. Out: Rules; a line that cannot be used is reported with file and line.

A line is `name: value`, or `name(argument): value` for some names. A line that begins with # or with // and a blank is
a comment. Names may occur several times. For title, body, date and links the first value that finds something on the
page is used.
DIRECTIVES has one row for each name; `webtool help rules` lists it. Directives that only other readers of the format
support (logins, native advertisements ...) are ignored.
Format: the site configuration files of Five Filters' Full-Text RSS.
Tests: tests/siteconfig/test_rules.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webtool import xpath
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.xpath import Expression

MAX_LINES = 2000  # of a file; further lines are not read
MAX_LINE = 4096  # characters; a longer line is not used
_LINE = patterns.compile(r"([A-Za-z_]+)[ \t]*(?:\((.*?)\)[ \t]*)?:(.*)")
_COMMENTS = ("#", "// ", "//\t")  # an XPath expression has no space after //
_IGNORED = frozenset((
    "convert_double_br_tags", "footnotes", "insert_detected_image", "login_extra_fields",
    "login_password_field", "login_uri", "login_username_field", "native_ad_clue", "not_logged_in_xpath",
    "parser", "post_strip_attr", "requires_login", "single_page_link_in_feed", "skip_id_or_class",
    "skip_id_or_class_sanitization", "skip_json_ld", "src_lazy_load_attr", "strip_comments", "test_contains",
    "test_url", "tidy",
))  # fmt: skip
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}
# Header fields that rules may set: those that change which page is sent. A cookie may say that a notice was accepted;
# all these fields go to the site itself only.
_HEADERS = frozenset(("user-agent", "referer", "accept", "accept-language", "cookie"))
_TAG = patterns.compile(r"[a-z][a-z0-9]{0,15}")
_UNSAFE_TAGS = ("script", "style", "template")


class Link(NamedTuple):
    """An expression for a link. If there is a condition, the link counts only on pages where that finds something."""

    expression: Expression
    condition: Expression | None = None


class Rules(NamedTuple):
    """The rules of one file, or of several merged ones. DIRECTIVES says what each field does."""

    id: str
    title: tuple[Expression, ...] = ()
    body: tuple[Expression, ...] = ()
    author: tuple[Expression, ...] = ()
    date: tuple[Expression, ...] = ()
    strip: tuple[Expression, ...] = ()
    dissolve: tuple[Expression, ...] = ()
    wrap_in: tuple[tuple[str, Expression], ...] = ()  # pairs of a tag and the elements to wrap
    move_into: tuple[tuple[Expression, Expression], ...] = ()  # pairs of the target and the elements to move there
    strip_id_or_class: tuple[str, ...] = ()
    strip_image_src: tuple[str, ...] = ()
    single_page_link: tuple[Link, ...] = ()
    next_page_link: tuple[Link, ...] = ()
    replacements: tuple[tuple[str, str], ...] = ()  # pairs of text to find in the page's source and what replaces it
    http_headers: tuple[tuple[str, str], ...] = ()
    prune: bool = True
    autodetect_on_failure: bool = True
    problems: tuple[str, ...] = ()  # sentences about lines that cannot be used, each with file and line


def merge(files: Sequence[Rules]) -> Rules:
    """Return the first file's rules with those of the others after them. Flags are those of the first file.

    A file with `autodetect_on_failure: no` is the last one that counts. Of a header field, the first value counts.
    """
    rules = files[0]
    fields = {directive.field for directive in DIRECTIVES if directive.read is not _read_flag} | {"problems"}
    for other in files[1:]:
        if not rules.autodetect_on_failure:
            break
        known = {name for name, _ in rules.http_headers}
        other = other._replace(http_headers=tuple(pair for pair in other.http_headers if pair[0] not in known))
        combined = {field: (*getattr(rules, field), *getattr(other, field)) for field in fields}
        rules = rules._replace(**combined)  # type: ignore[arg-type]
    return rules


def parse(text: str, name: str) -> Rules:
    """Return the rules in the text of a file; `name` is its name without .txt, which becomes the rules' id."""
    reader = _Reader(name)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if number > MAX_LINES:
            reader.report(number, f"this and further lines were not read; {MAX_LINES} lines are allowed")
            break
        line = line.strip()
        if line and not line.startswith(_COMMENTS):
            reader.read(line, number)
    return reader.rules()


class _Reader:
    """Collects the lines of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.values: dict[str, list[object]] = {}  # by field of Rules
        self.flags: dict[str, bool] = {}  # by field of Rules
        self.unpaired_finds: list[str] = []  # of find_string, until their replace_string comes
        self.last_link = ""  # field of the last link, for if_page_contains
        self._problems: list[str] = []

    def read(self, line: str, number: int) -> None:
        """Read one line that is not a comment."""
        match = _LINE.fullmatch(line) if len(line) <= MAX_LINE else None
        if match is None:
            self.report(number, "is not `name: value`" if len(line) <= MAX_LINE else f"is longer than {MAX_LINE}")
            return
        name, argument, value = match[1].lower(), match[2], match[3].strip()
        directive = _BY_NAME.get(name)
        try:
            if directive is not None:
                directive.read(self, directive, argument, value)
            elif name not in _IGNORED:
                raise ValueError(f"unknown directive {name}")
        except ValueError as exc:  # XPathError is one
            self.report(number, str(exc))

    def add(self, field: str, value: object) -> None:
        """Append a value to a field."""
        self.values.setdefault(field, []).append(value)

    def report(self, number: int, problem: str) -> None:
        """Report a line that cannot be used."""
        self._problems.append(f"{self._name}.txt, line {number}: {problem}")

    def rules(self) -> Rules:
        """Return what was read. A find_string without its replace_string is reported too."""
        lost = next(filter(None, self.unpaired_finds), "")
        if lost:
            self._problems.append(f"{self._name}.txt: find_string {lost!r} has no replace_string")
        lists = {field: tuple(values) for field, values in self.values.items()}
        return Rules(self._name, problems=tuple(self._problems), **self.flags, **lists)  # type: ignore[arg-type]


class Directive(NamedTuple):
    """One row of DIRECTIVES."""

    name: str
    read: Callable[[_Reader, Directive, str | None, str], None]
    """Called with the reader, the row, the argument (None without brackets) and the value. Raises ValueError."""
    form: str  # how the line looks, for help
    help: str
    field: str  # field of Rules that the line fills


def _read_expression(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `body: //article`."""
    reader.add(row.field, _compiled(row.name, value))


def _read_link(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `next_page_link: //a[@rel='next']`."""
    reader.last_link = ""  # the condition of a link that cannot be read belongs to no other link
    reader.add(row.field, Link(_compiled(row.name, value)))
    reader.last_link = row.field


def _read_condition(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `if_page_contains: //nav`, which belongs to the link before it, whatever that link's field is.

    A link whose condition cannot be read is dropped.
    """
    field, reader.last_link = reader.last_link, ""
    if not field:
        raise ValueError(f"{row.name} follows no single_page_link or next_page_link that can be read")
    link = reader.values[field].pop()
    reader.add(field, Link(link.expression, _compiled(row.name, value)))  # type: ignore[attr-defined]
    reader.last_link = field


def _read_text(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `strip_id_or_class: promo`; quotes around the text are removed."""
    text = value.strip("'\"")
    if not text:
        raise ValueError(f"{row.name} has no value")
    reader.add(row.field, text)


def _read_flag(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `prune: no`."""
    if value.lower() not in _YES_NO:
        raise ValueError(f"{row.name} is {value[:60]!r}, not yes or no")
    reader.flags[row.field] = _YES_NO[value.lower()]


def _read_find(reader: _Reader, row: Directive, _argument: str | None, value: str) -> None:
    """Read `find_string: <x>`, the first half of a replacement."""
    reader.unpaired_finds.append(value)
    if not value:  # its replace_string belongs to no other one
        raise ValueError(f"{row.name} has no value")


def _read_replacement(reader: _Reader, row: Directive, argument: str | None, value: str) -> None:
    """Read `replace_string: <y>`, the second half of a replacement, or both halves: `replace_string(<x>): <y>`."""
    if argument is None and not reader.unpaired_finds:
        raise ValueError(f"{row.name} has no find_string before it")
    if argument == "":
        raise ValueError(f"{row.name}() does not say what to find")
    find = reader.unpaired_finds.pop(0) if argument is None else argument
    if find:
        reader.add(row.field, (find, value))


def _read_header(reader: _Reader, row: Directive, argument: str | None, value: str) -> None:
    """Read `http_header(user-agent): Reader/1.0`."""
    name = (argument or "").strip().lower()
    if name not in _HEADERS:
        raise ValueError(f"rules may not set the header field {name!r}, only {', '.join(sorted(_HEADERS))}")
    if not value or not value.isascii() or not value.isprintable():
        raise ValueError(f"{name} has no value that can be sent")
    reader.add(row.field, (name, value))


def _read_wrapping(reader: _Reader, row: Directive, argument: str | None, value: str) -> None:
    """Read `wrap_in(h2): //b`."""
    tag = (argument or "").strip().lower()
    if not _TAG.fullmatch(tag) or tag in _UNSAFE_TAGS:
        raise ValueError(f"{row.name}({tag[:20]}) does not name an element")
    reader.add(row.field, (tag, _compiled(row.name, value)))


def _read_move(reader: _Reader, row: Directive, argument: str | None, value: str) -> None:
    """Read `move_into(//main): //aside`."""
    target = _compiled(f"{row.name}()", (argument or "").strip())
    reader.add(row.field, (target, _compiled(row.name, value)))


def _compiled(name: str, value: str) -> Expression:
    """Return the XPath expression. Raises ValueError."""
    if not value:
        raise ValueError(f"{name} has no value")
    return xpath.compile(value)


DIRECTIVES = (
    Directive("title", _read_expression, "title: XPATH", "Title of the page", "title"),
    Directive("body", _read_expression, "body: XPATH", "Elements with the main content", "body"),
    Directive("author", _read_expression, "author: XPATH", "Names of the authors", "author"),
    Directive("date", _read_expression, "date: XPATH", "Date of publication", "date"),
    Directive("strip", _read_expression, "strip: XPATH", "Remove these elements or attributes", "strip"),
    Directive("strip_attr", _read_expression, "strip_attr: XPATH", "The same as strip", "strip"),
    Directive("strip_id_or_class", _read_text, "strip_id_or_class: TEXT",
              "Remove elements whose id or class contains TEXT", "strip_id_or_class"),
    Directive("strip_image_src", _read_text, "strip_image_src: TEXT", "Remove images whose src contains TEXT",
              "strip_image_src"),
    Directive("dissolve", _read_expression, "dissolve: XPATH", "Remove these elements, keep what they contain",
              "dissolve"),
    Directive("wrap_in", _read_wrapping, "wrap_in(TAG): XPATH", "Put each of these elements into a new TAG", "wrap_in"),
    Directive("move_into", _read_move, "move_into(XPATH): XPATH", "Move elements to the end of the one in brackets",
              "move_into"),
    Directive("single_page_link", _read_link, "single_page_link: XPATH", "Link to a version with all parts",
              "single_page_link"),
    Directive("next_page_link", _read_link, "next_page_link: XPATH", "Link to the next part", "next_page_link"),
    Directive("if_page_contains", _read_condition, "if_page_contains: XPATH",
              "The link above counts only if this finds something", "next_page_link"),
    Directive("find_string", _read_find, "find_string: TEXT", "Text of the page's source to replace", "replacements"),
    Directive("replace_string", _read_replacement, "replace_string: TEXT",
              "What replaces it, or replace_string(OLD): NEW", "replacements"),
    Directive("http_header", _read_header, "http_header(NAME): VALUE", f"Send {', '.join(sorted(_HEADERS))}",
              "http_headers"),
    Directive("prune", _read_flag, "prune: no", "Keep navigation inside the main content", "prune"),
    Directive("autodetect_on_failure", _read_flag, "autodetect_on_failure: no",
              "Do without other rules and the learned model", "autodetect_on_failure"),
)  # fmt: skip
_BY_NAME = {directive.name: directive for directive in DIRECTIVES}
