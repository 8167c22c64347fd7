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
_ENDS = frozenset(":).")
_QUOTES = '"\u201c\u2018'
_PASSED = frozenset(("#comment", "input", "meta", "link", "script", "style", "template"))
_SPACELESS = "\u2e80"  # from here on are scripts that put no spaces between words


def are_apart(before: str, element: Element, hidden: Container[Element]) -> bool:
    """Whether the last word of the text before and the first of the element are two."""
    last = before[-1:]
    if not (is_letter(last) or last in _ENDS) or element.parent is None:
        return False
    after = short_text(element)
    after = after.lstrip(_QUOTES) if last == "." else after
    siblings = element.parent.children
    if not (is_letter(after[:1]) or after[:1] in _CURRENCIES) or len(siblings) > _MAX_SIBLINGS:
        return False
    at = siblings.index(element) - 1
    while at >= 0 and (
        siblings[at].tag in _PASSED
        or siblings[at] in hidden
        or (siblings[at].tag == "span" and not siblings[at].children)
    ):
        at -= 1
    previous = siblings[at] if at >= 0 else None
    if previous is None or previous.tag is None:
        return element.tag == "a" and "class" in element.attrs and last.islower() and after[0].isupper()
    if "-" in element.tag or "-" in previous.tag:  # boxes of their own, made by a script
        return True
    said = short_text(previous).strip()  # type: ignore[arg-type]
    classes = previous.attrs.get("class", ""), element.attrs.get("class", "")
    if last == ".":  # of a sentence, not of a name in code
        return any(classes) and (" " in said or said[:-1].isdecimal()) and after[0].isupper()
    if "label" in (element.tag, previous.tag) or (element.tag == previous.tag == "a" and any(classes)):
        return True
    differ = classes[0] != classes[1] and all(classes)
    if len(said) < 2 or len(after.strip()) < 2:
        is_number = said.isdecimal() or after.strip().isdecimal()
        return differ and is_number and (last.isdigit() != after[0].isdigit() or len(said) > 2)
    return differ or (any(classes) and not after[0].islower())


def is_letter(char: str) -> bool:
    """Whether it is a letter or digit of a script that puts spaces between words."""
    return char.isalnum() and char < _SPACELESS
