"""Words that only a style sheet holds apart. In: the text so far and the inline element that opens. Out: whether a
space belongs between.

`<span class="brand">Kelty</span><span class="name">Wayback</span>` shows two words, as its style sheet says, which is
not here. On real pages two such boxes are parts of one word only where a letter of it is decorated or an editor left
spans in its middle: then one is a single letter, or the word goes on in lower case in a box of the same form.
"""

from __future__ import annotations

from collections.abc import Container

from webtool.html.node import Element, short_text

_MAX_SIBLINGS = 300  # among which the one before is looked for
_CURRENCIES = frozenset("$€£¥")
_PASSED = frozenset(("#comment", "input", "meta", "link", "script", "style", "template"))
_SPACELESS = "\u2e80"  # from here on are scripts that put no spaces between words


def are_apart(before: str, element: Element, hidden: Container[Element]) -> bool:
    """Whether the last word of the text before and the first of the element are two."""
    last = before[-1:]
    if not (_is_letter(last) or last in ":)") or element.parent is None or len(element.parent.children) > _MAX_SIBLINGS:
        return False
    after = short_text(element)
    if not (_is_letter(after[:1]) or after[:1] in _CURRENCIES) or (_is_part(after, last) and element.tag != "label"):
        return False
    siblings = element.parent.children
    at = siblings.index(element) - 1
    while at >= 0 and (siblings[at].tag in _PASSED or siblings[at] in hidden):
        at -= 1
    previous = siblings[at] if at >= 0 else None
    if previous is None or previous.tag is None:
        return False
    if element.tag == "label" or previous.tag == "label":
        return True
    if _is_part(short_text(previous), after[0]):  # type: ignore[arg-type]
        return False
    classes = previous.attrs.get("class", ""), element.attrs.get("class", "")
    if classes[0] and classes[1] and classes[0] != classes[1]:
        return True
    return any(classes) and not after[0].islower()


def _is_part(text: str, beside: str) -> bool:
    """Whether a text is too short to be a word, as one character is; a figure beside a letter is one."""
    text = text.strip()
    return len(text) < 2 and not (text.isdecimal() and beside.isalpha())


def _is_letter(char: str) -> bool:
    return char.isalnum() and char < _SPACELESS
