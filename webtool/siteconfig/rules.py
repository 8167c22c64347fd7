"""A file of site rules. In: its text. Out: Rules; a line that cannot be used is left out and named with file and line.

Format: `name: value` a line, `name(argument): value` for http_header and replace_string, # or // begins a comment
line. A name may stand several times; for title, body, date and the links the first one that finds something counts.
What other readers of the format know and this one does not (logins, native ads ...) is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webtool import xpath
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.xpath import Expression

MAX_LINES = 2000
MAX_LINE = 4096  # characters
_LINE = patterns.compile(r"([A-Za-z_]+)[ \t]*(?:\((.*?)\)[ \t]*)?:(.*)")
_COMMENTS = ("#", "// ", "//\t")  # an expression has no space there
_EXPRESSIONS = ("title", "body", "author", "date", "strip", "dissolve")
_LINKS = ("single_page_link", "next_page_link")
_TEXTS = ("strip_id_or_class", "strip_image_src", "test_url", "test_contains")
_ALIASES = {"strip_attr": "strip"}
_PASSED_OVER = frozenset((
    "convert_double_br_tags", "footnotes", "insert_detected_image", "login_extra_fields",
    "login_password_field", "login_uri", "login_username_field", "native_ad_clue", "not_logged_in_xpath",
    "parser", "requires_login", "single_page_link_in_feed", "skip_id_or_class_sanitization", "skip_json_ld",
    "src_lazy_load_attr", "strip_comments",
))  # fmt: skip
_YES_NO = {"yes": True, "no": False}
# Header fields that a rule may set: those that change which page comes. A cookie says that a notice was seen; it goes
# to the site itself only, as all that a request sets of its own.
_HEADERS = frozenset(("user-agent", "referer", "accept", "accept-language", "cookie"))
_TAG = patterns.compile(r"[a-z][a-z0-9]{0,15}")


class Link(NamedTuple):
    """An expression for a link, and the one that must find something for it to count (if_page_contains)."""

    expression: Expression
    condition: Expression | None = None


class Rules(NamedTuple):
    """The rules of one file."""

    id: str
    title: tuple[Expression, ...] = ()
    body: tuple[Expression, ...] = ()
    author: tuple[Expression, ...] = ()
    date: tuple[Expression, ...] = ()
    strip: tuple[Expression, ...] = ()
    dissolve: tuple[Expression, ...] = ()
    """Elements that go, while what is in them stays."""
    wrap_in: tuple[tuple[str, Expression], ...] = ()
    """A tag, and the elements that are put into one of their own."""
    move_into: tuple[tuple[Expression, Expression], ...] = ()
    """Where to, and the elements that are moved there."""
    strip_id_or_class: tuple[str, ...] = ()
    strip_image_src: tuple[str, ...] = ()
    single_page_link: tuple[Link, ...] = ()
    next_page_link: tuple[Link, ...] = ()
    replacements: tuple[tuple[str, str], ...] = ()
    http_headers: tuple[tuple[str, str], ...] = ()
    prune: bool = True
    tidy: bool = True
    autodetect_on_failure: bool = True
    test_url: tuple[str, ...] = ()
    test_contains: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """Lines that could not be used: file, line number and why."""


def merged(found: Sequence[Rules]) -> Rules:
    """The first rules, with what the others have where it finds nothing; one that wants no guess stands alone."""
    rules = found[0]
    for other in found[1:]:
        if not rules.autodetect_on_failure:
            break
        known = {name for name, _ in rules.http_headers}
        more = other._replace(http_headers=tuple(pair for pair in other.http_headers if pair[0] not in known))
        lists = {name: (*getattr(rules, name), *getattr(more, name)) for name in _MERGED}
        rules = rules._replace(**lists)  # type: ignore[arg-type]
    return rules


def parse(text: str, name: str) -> Rules:
    """The rules of a file called `name` (without .txt, its id)."""
    reader = _Reader(name)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if number > MAX_LINES:
            reader.problem(number, f"and those behind it were not read; {MAX_LINES} lines are allowed")
            break
        line = line.strip()
        if line and not line.startswith(_COMMENTS):
            reader.read(line, number)
    return reader.rules()


class _Reader:
    """Collects the lines of one file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lists: dict[str, list[object]] = {}
        self._flags: dict[str, bool] = {}
        self._finds: list[str] = []
        self._problems: list[str] = []
        self._last_link = ""

    def read(self, line: str, number: int) -> None:
        """One line."""
        match = _LINE.fullmatch(line) if len(line) <= MAX_LINE else None
        if match is None:
            self.problem(number, "is not `name: value`" if len(line) <= MAX_LINE else f"is longer than {MAX_LINE}")
            return
        name = match[1].lower()
        try:
            self._take(_ALIASES.get(name, name), match[2], match[3].strip())
        except ValueError as exc:  # XPathError is one
            self.problem(number, str(exc))

    def problem(self, number: int, what: str) -> None:
        """Name a line that cannot be used."""
        self._problems.append(f"{self._name}.txt, line {number}: {what}")

    def rules(self) -> Rules:
        """What was read. A find_string without its replace_string is named too."""
        if self._finds:
            self._problems.append(f"{self._name}.txt: find_string {self._finds[0]!r} has no replace_string")
        lists = {name: tuple(values) for name, values in self._lists.items()}
        return Rules(self._name, problems=tuple(self._problems), **self._flags, **lists)  # type: ignore[arg-type]

    def _take(self, name: str, argument: str | None, value: str) -> None:
        """One line's members. Raises ValueError saying what is wrong with them."""
        if name in _EXPRESSIONS:
            self._add(name, _compiled(name, value))
        elif name in _LINKS:
            self._add(name, Link(_compiled(name, value)))
            self._last_link = name
        elif name in _TEXTS:
            if not value.strip("'\""):
                raise ValueError(f"{name} has no value")
            self._add(name, value.strip("'\""))
        elif name in _FLAGS:
            if value.lower() not in _YES_NO:
                raise ValueError(f"{name} is {value[:60]!r}, not yes or no")
            self._flags[name] = _YES_NO[value.lower()]
        elif name in _HANDLERS:
            _HANDLERS[name](self, argument, value)
        elif name not in _PASSED_OVER:
            raise ValueError(f"there is no directive {name}")

    def _add(self, name: str, value: object) -> None:
        self._lists.setdefault(name, []).append(value)

    def condition(self, _argument: str | None, value: str) -> None:
        """if_page_contains belongs to the link before it."""
        if not self._last_link:
            raise ValueError("if_page_contains stands behind no single_page_link or next_page_link")
        links = self._lists[self._last_link]
        links[-1] = Link(links[-1].expression, _compiled("if_page_contains", value))  # type: ignore[attr-defined]

    def find_string(self, _argument: str | None, value: str) -> None:
        """The first half of a replacement."""
        if not value:
            raise ValueError("find_string has no value")
        self._finds.append(value)

    def replace_string(self, argument: str | None, value: str) -> None:
        """The second half, or both: replace_string(find): replacement."""
        if argument is None and not self._finds:
            raise ValueError("replace_string has no find_string before it")
        if argument == "":
            raise ValueError("replace_string() does not say what to find")
        self._add("replacements", (self._finds.pop(0) if argument is None else argument, value))

    def http_header(self, argument: str | None, value: str) -> None:
        """http_header(user-agent): value."""
        name = (argument or "").strip().lower()
        if name not in _HEADERS:
            raise ValueError(f"rules may not set the header field {name!r}, only {', '.join(sorted(_HEADERS))}")
        if not value or not value.isascii() or not value.isprintable():
            raise ValueError(f"{name} has no value that can be sent")
        self._add("http_headers", (name, value))

    def wrap_in(self, argument: str | None, value: str) -> None:
        """wrap_in(tag): expression."""
        tag = (argument or "").strip().lower()
        if not _TAG.fullmatch(tag) or tag in ("script", "style", "template"):
            raise ValueError(f"wrap_in({tag[:20]}) does not name an element")
        self._add("wrap_in", (tag, _compiled("wrap_in", value)))

    def move_into(self, argument: str | None, value: str) -> None:
        """move_into(expression of the place): expression of what is moved."""
        self._add("move_into", (_compiled("move_into()", (argument or "").strip()), _compiled("move_into", value)))


def _compiled(name: str, value: str) -> Expression:
    if not value:
        raise ValueError(f"{name} has no value")
    return xpath.compile(value)


_MERGED = (
    "title", "body", "author", "date", "strip", "dissolve", "wrap_in", "move_into", "strip_id_or_class",
    "strip_image_src", "single_page_link", "next_page_link", "replacements", "http_headers", "problems",
)  # fmt: skip
_FLAGS = ("prune", "tidy", "autodetect_on_failure")
_HANDLERS: dict[str, Callable[[_Reader, str | None, str], None]] = {
    "if_page_contains": _Reader.condition, "find_string": _Reader.find_string,
    "replace_string": _Reader.replace_string, "http_header": _Reader.http_header, "wrap_in": _Reader.wrap_in,
    "move_into": _Reader.move_into,
}  # fmt: skip
