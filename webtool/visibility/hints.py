"""Read signs that an element is hidden from its attributes and class names. In: elements. Out: reasons.

reason_of_attributes() returns one of these reasons (webtool.visibility.reasons), or None:

    "hidden"       the hidden attribute
    "popover"      the popover attribute: shown once it is opened
    "display"      a dialog that is not open
    "aria-hidden"  only screen readers skip it
    "class"        a class name that hides by convention, in any framework
    "size"         a graphic of no width and height

is_exempt() makes exceptions: a hidden space still separates words. find_suspects() names the elements that are worth
judging at all, by their attributes, styles and class names.
Specification: HTML sections 6.1 (hidden), 6.12 (popover) and 15.3.1, WAI-ARIA 1.2 (aria-hidden, aria-label).
Tests: tests/visibility/test_hidden.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.css.declarations import MAX_STYLE, read_attribute, style_of
from webtool.css.elements import PageElements
from webtool.html.node import Element, around, nodes_below
from webtool.lean import patterns
from webtool.lean.memory import Remembered
from webtool.visibility import reasons

_HIDING_CLASSES = frozenset((
    "assistive-text", "element-invisible", "element-hidden", "d-none", "invisible", "hidden", "is-hidden", "u-hidden",
    "a11y-hidden", "hidden-visually", "offscreen", "off-screen", "show-for-sr", "aok-hidden", "clipped", "sr-clipped",
    "mw-jump-link", "gform_validation_container", "gfield_visibility_hidden", "gform_hidden",
    "wpforms-field-hp", "honeypot",
))  # fmt: skip
# Class names for text that only screen readers say, with any framework's prefix or suffix ("wt-cli-sr-only"), and for
# links that skip the navigation. XenForo's "u-srOnly" is not matched: it marks the name of a thread's author.
_for_screen_readers = patterns.GuardedPattern(
    "sr-only|sr_only|screenreader|screen-reader|visually|skip",
    r"^(?:[\w-]*[_-]|is|u)?(?<!not-)(?:sr[_-]only|screen-?readers?(?:-?only)?(?:-?text)?|visually-?hidden)"
    r"(?:-(?:text|focusable))?(?:_[\w-]+)?$|^(?:[\w-]*[_-])?skip[_-]?(?:links?|to|nav)(?:[_-][\w-]*)?$",
)
# Class attributes that show the element on large screens ("hidden md:block", "d-none d-lg-flex"), or say that a script
# has shown it ("hidden active").
_SHOWS_AGAIN = patterns.compile(
    r"(?i)(?:^|\s)(?:(?:sm|md|lg|xl|2xl|group-[a-z]+)\\?:(?:block|flex|grid|inline|table|contents|visible|not-sr-only)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?:block|flex|grid|inline|table)|(?:show|active|in)(?![\w-]))"
)
_HIDING_ATTRIBUTES = frozenset(("hidden", "aria-hidden", "popover", "bgcolor", "background", "color"))
# Keys of a Style that make an element a suspect.
_SUSPECT_KEYS = frozenset(("hides", "place", "animation-end", "colour", "background", "font-size", "visibility"))
_GRAPHICS = ("svg", "foreignObject")
_TINY_LENGTHS = frozenset(("0", "0px", "1", "1px"))
_SIGNS = frozenset(", . ; : / | \\ · • – — - > › » → & + ×".split())  # between texts, seen though not read aloud
_MAX_LABELLED = 3  # ancestors whose aria-label is compared with an element's text
_MAX_LABEL = 300  # characters of an aria-label that are compared
_MAX_LABEL_NODES = 1000  # nodes of an element whose text is compared with an aria-label

styles = Remembered(style_of)  # Styles by style attribute: pages repeat them
# By style attribute: whether a value has var(), in any case and with any escapes.
uses_variables = Remembered(
    lambda text: "(" in text and any("var(" in value for value in read_attribute(text)[0].values())
)
_class_hides = Remembered(
    lambda names: any(map(_name_hides, names.lower().split())) and _SHOWS_AGAIN.search(names) is None
)


# --- Which elements to judge ---


def find_suspects(page: PageElements) -> Iterator[Element]:
    """Yield the elements whose attributes, style attribute or class names may hide them. Some come twice."""
    for element in page.notable:
        style = element.attrs.get("style", "")[:MAX_STYLE]
        is_style_notable = uses_variables[style] or not _SUSPECT_KEYS.isdisjoint(styles[style])
        if is_style_notable or not _HIDING_ATTRIBUTES.isdisjoint(element.attrs):
            yield element
    yield from _named_as_hidden(page)
    yield from page.by_type.get("dialog", ())
    for tag in _GRAPHICS:
        for element in page.by_type.get(tag, ()):
            if _has_no_size(element.attrs):
                yield element


def _named_as_hidden(page: PageElements) -> Iterator[Element]:
    """Yield the elements with a class name that hides by convention."""
    if _for_screen_readers.might_match(" ".join(page.names_in).lower()):
        hiding = {name for name in page.class_names if _name_hides(name.lower())}
    else:
        hiding = {name for name in page.class_names if name.lower() in _HIDING_CLASSES}
    if not hiding:
        return
    for classes, elements in page.by_classes.items():
        if not hiding.isdisjoint(page.names_in[classes]):
            yield from elements


def _name_hides(name: str) -> bool:
    """Return whether a class name, in lower case, hides by convention."""
    return name in _HIDING_CLASSES or _for_screen_readers.search(name) is not None


def _has_no_size(attrs: dict[str, str]) -> bool:
    return attrs.get("width", "").strip() in _TINY_LENGTHS and attrs.get("height", "").strip() in _TINY_LENGTHS


# --- Reasons, and exceptions to them ---


def reason_of_attributes(element: Element, *, is_displayed: bool) -> str | None:
    """Return the reason that the element's attributes give, or None.

    `is_displayed` says that the page's own style sets `display`: that wins over the first three reasons.
    """
    attrs = element.attrs
    if not is_displayed:
        if "hidden" in attrs and attrs["hidden"].strip().lower() != "until-found":
            return "hidden"
        if "popover" in attrs:
            return "popover"
        if element.tag == "dialog" and "open" not in attrs:
            return "display"
    is_silent = "aria-hidden" in attrs and attrs["aria-hidden"].strip().lower() == "true"
    if is_silent and not _is_said_by_label(element):
        return "aria-hidden"
    if "class" in attrs and _class_hides[attrs["class"]]:
        return "class"
    return "size" if element.tag in _GRAPHICS and _has_no_size(attrs) else None


def _is_said_by_label(element: Element) -> bool:
    """Return whether the aria-label of an ancestor has the same letters as its text.

    `<h2 aria-label="Now"><span aria-hidden="true">N</span>...`: scripts that move each letter into place write this.
    """
    for box in around(element, _MAX_LABELLED):
        label = box.attrs.get("aria-label", "")
        if label:
            letters = "".join(filter(str.isalnum, label[:_MAX_LABEL].lower()))
            text = "".join([node.text for node in islice(nodes_below(box), _MAX_LABEL_NODES) if node.tag is None])
            return bool(letters) and letters == "".join(filter(str.isalnum, text[: 2 * _MAX_LABEL].lower()))
    return False


def is_exempt(element: Element, reason: str) -> bool:
    """Return whether a reason does not hide this element: it shows no text, or it only separates words."""
    if reason in reasons.OF_TEXT and element.tag in reasons.REPLACED:
        return True  # Next.js writes color: transparent at every picture
    return reason in reasons.KEEPING_SPACE and _separates_words(element, reason)


def _separates_words(element: Element, reason: str) -> bool:
    """Return whether an element holds a space alone, or a sign ("|") between two texts that only speech skips."""
    if len(element.children) != 1 or element.children[0].tag is not None:
        return False
    text = element.children[0].text.strip()
    if not text:
        return True
    return reason == "aria-hidden" and text in _SIGNS and _is_between_inline_texts(element)


def _is_between_inline_texts(element: Element) -> bool:
    """Return whether an inline element has something before and after it: `<a>x</a><span>|</span><a>y</a>`."""
    siblings = element.parent.children if element.parent is not None else []
    if element.tag not in reasons.INLINE or len(siblings) > reasons.MAX_CHILDREN:
        return False
    written = [node for node in siblings if isinstance(node, Element) or (node.tag is None and not node.text.isspace())]
    return element not in (written[0], written[-1])
