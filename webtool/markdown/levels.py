"""Items that stand behind one another and are meant to stand in one another. In: an element. Out: its level, and what
Word writes before its text.

Word writes lists as paragraphs (`mso-list:l0 level2 lfo1`, and only their margin once filtered), Google Docs a list for
each level (`lst-kix_abc-1`), editors one list whose items have a level: Quill, Draft, Word Online, Slack.
"""

from __future__ import annotations

from webtool.css.boxes import pixels
from webtool.html.node import Element, Node, short_text
from webtool.lean import patterns

_in_class = patterns.compile(
    r"(?:^|\s)(?:lst-kix_\w+-|ql-indent-|listindent|public-DraftStyleDefault-depth)([0-9]{1,2})(?!\S)"
).search
_FIRST = {"aria-level": 1, "data-aria-level": 1, "data-indent": 0}  # the level of what is in nothing


def level_of(element: Element) -> float | None:
    """What a list or an item says of its level; None for nothing."""
    attrs = element.attrs
    if not attrs:
        return None
    match = _in_class(attrs["class"]) if "class" in attrs else None
    if match:
        return float(match[1])
    name = next((name for name in _FIRST if name in attrs), "")
    is_meant = name != "aria-level" or attrs.get("role") == "listitem"  # others mean a heading, or are nested already
    value = attrs[name] if name and is_meant else ""
    return float(value) - _FIRST[name] if value.isascii() and value.isdecimal() and len(value) < 3 else None


class Sign:
    """What a paragraph of Word begins with: its text, "" for none, and the nodes behind it."""

    def __init__(self, text: str = "", rest: list[Node] | None = None) -> None:
        self.text = text
        self.rest = rest or []

    @property
    def number(self) -> int | None:
        """The number that it is; None for letters, several numbers or a bullet."""
        match = _number(self.text)
        return int(match[1]) if match else None

    @property
    def is_bullet(self) -> bool:
        """Whether it says nothing: symbol fonts have their bullets in the places of letters."""
        is_letter = len(self.text) == 1 and not self.text.isnumeric()
        return is_letter or not any(map(str.isalnum, self.text))


_number = patterns.compile(r"([0-9]{1,9})[.)]?\Z").match
_MAX_SIGN = 16  # characters
_wide_space = patterns.compile("\xa0\\s*\\Z").search


def sign_of(paragraph: Element) -> Sign:
    """The sign that a paragraph begins with, which wide spaces hold apart from its text."""
    nodes = paragraph.children
    first = next((at for at, node in enumerate(nodes) if _text(node).strip()), None)
    if first is None:
        return Sign()
    text, behind = _text(nodes[first]), first + 1
    if behind < len(nodes) and not _text(nodes[behind]).strip():
        text, behind = text + _text(nodes[behind]), behind + 1
    word = text.strip()
    is_sign = len(word) <= _MAX_SIGN and len(word.split()) == 1 and _wide_space(text)
    return Sign(word, nodes[behind:]) if is_sign else Sign()


def _text(node: Node) -> str:
    if node.tag == "#comment":
        return ""
    return node.text if node.tag is None else short_text(node)  # type: ignore[arg-type]


_level = patterns.compile(r"(?i)mso-list\s*:[^;]*\blevel([0-9])").search
_margin = patterns.compile(r"(?i)margin-left\s*:\s*([0-9.]+[a-z]+)").search
_MARGIN = 48.0  # pixels: the class's own


def level_in_word(style: str) -> float:
    """The level of a paragraph of Word: its list's, else the pixels of its margin."""
    match = _level(style)
    if match:
        return float(match[1])
    match = _margin(style)
    return (pixels(match[1].lower()) or _MARGIN) if match else _MARGIN
