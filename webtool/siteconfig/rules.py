"""A file of site rules. In: its text. Out: Rules; a line that cannot be used is left out and named with file and line.

Format: `name: value` a line, `name(argument): value` for http_header and replace_string, # begins a comment line. A
name may stand several times; for title, body, date and the links the first one that finds something counts.
"""

from __future__ import annotations

from webtool import patterns, xpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from webtool.xpath import Expression
else:
    from webtool.records import NamedTuple

MAX_FILE = 262144  # bytes
MAX_LINES = 2000
_LINE = patterns.compile(r"\s*([A-Za-z_]+)\s*(?:\((.*?)\))?\s*:[ \t]*(.*?)\s*")
_EXPRESSIONS = ("title", "body", "author", "date", "strip")
_LINKS = ("single_page_link", "next_page_link")
_TEXTS = ("strip_id_or_class", "strip_image_src", "test_url", "test_contains")
# Header fields that a rule may set: those that change which page comes, none that says who asks with what right.
_HEADERS = frozenset(("user-agent", "referer", "accept", "accept-language"))


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


def parse(text: str, name: str) -> Rules:
    """The rules of a file called `name` (without .txt, its id)."""
    reader = _Reader(name)
    for number, line in enumerate(text.lstrip("\ufeff").splitlines()[:MAX_LINES], 1):
        if line.strip() and not line.lstrip().startswith("#"):
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
        match = _LINE.fullmatch(line)
        if match is None:
            self._problem(number, "is no `name: value`")
            return
        name, argument, value = match[1].lower(), match[2], match[3]
        try:
            self._take(name, argument, value)
        except xpath.XPathError as exc:
            self._problem(number, str(exc))

    def rules(self) -> Rules:
        """What was read. A find_string without its replace_string is named too."""
        if self._finds:
            self._problems.append(f"{self._name}.txt: find_string {self._finds[0]!r} has no replace_string")
        lists = {name: tuple(values) for name, values in self._lists.items()}
        return Rules(self._name, problems=tuple(self._problems), **self._flags, **lists)  # type: ignore[arg-type]

    def _take(self, name: str, argument: str | None, value: str) -> None:
        if name in _EXPRESSIONS:
            self._add(name, xpath.compile(value))
        elif name in _LINKS:
            self._add(name, Link(xpath.compile(value)))
            self._last_link = name
        elif name in _TEXTS and value:
            self._add(name, value.strip("'\""))
        elif name in _HANDLERS:
            _HANDLERS[name](self, argument, value)
        # Other names belong to features of other programs (login, wrap_in, ...).

    def _add(self, name: str, value: object) -> None:
        self._lists.setdefault(name, []).append(value)

    def _problem(self, number: int, what: str) -> None:
        self._problems.append(f"{self._name}.txt, line {number}: {what}")

    def condition(self, _argument: str | None, value: str) -> None:
        """if_page_contains belongs to the link before it."""
        if self._last_link:
            links = self._lists[self._last_link]
            links[-1] = Link(links[-1].expression, xpath.compile(value))  # type: ignore[attr-defined]

    def find_string(self, _argument: str | None, value: str) -> None:
        """The first half of a replacement."""
        self._finds.append(value)

    def replace_string(self, argument: str | None, value: str) -> None:
        """The second half, or both: replace_string(find): replacement."""
        if argument is not None:
            self._add("replacements", (argument, value))
        elif self._finds:
            self._add("replacements", (self._finds.pop(0), value))

    def http_header(self, argument: str | None, value: str) -> None:
        """http_header(user-agent): value."""
        name = (argument or "").strip().lower()
        if name in _HEADERS and value.isascii() and value.isprintable():
            self._add("http_headers", (name, value))

    def flag(self, name: str) -> Callable[[str | None, str], None]:
        """prune, tidy and autodetect_on_failure: yes or no."""

        def take(_argument: str | None, value: str) -> None:
            self._flags[name] = value.lower() != "no"

        return take


_HANDLERS: dict[str, Callable[[_Reader, str | None, str], None]] = {
    "if_page_contains": _Reader.condition,
    "find_string": _Reader.find_string,
    "replace_string": _Reader.replace_string,
    "http_header": _Reader.http_header,
    "prune": lambda reader, argument, value: reader.flag("prune")(argument, value),
    "tidy": lambda reader, argument, value: reader.flag("tidy")(argument, value),
    "autodetect_on_failure": lambda reader, argument, value: reader.flag("autodetect_on_failure")(argument, value),
}
