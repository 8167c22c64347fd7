"""Read text that a page shows as pictures: small pictures in a sentence, labels of charts and diagrams drawn as SVG.

In: an img with the texts around it; an svg element. Out: the text it is read as, "" for decoration; text nodes.

    Press the <img alt="gear icon" width=18> button.  ->  Press the gear icon button.

A label is a text or foreignObject element. A logo is not a chart: it has one or two labels in a link or a header,
or single letters.

    <svg width=300><text>2025</text><text>4.1 M EUR</text></svg>  ->  2025 / 4.1 M EUR
    <a href=/><svg><text>Acme</text></svg></a>                    ->  no labels

Spec: SVG 2 section 11.
Tests: tests/extraction/page/test_charts.py, tests/extraction/output/test_signs.py
"""

from __future__ import annotations

from collections.abc import Collection

from webtool.html.elements import role_of
from webtool.html.node import Element, Node, Text, around
from webtool.lean import patterns
from webtool.markdown.layout import is_letter

MIN_LETTERS = 5  # characters of all labels; with fewer the text is a decoration
MIN_LABELS = 3  # labels that make a chart wherever the picture is; with fewer it must lie outside of links and headers
MAX_SIGN_CHARACTERS = 200  # of the text alternative of a small picture; a longer one is left out
MAX_COMPARED = 400  # characters of the text after a small picture that are looked at
MIN_SPACED_SIGN = 3  # characters; a shorter sign is part of a word, as the 2 of H2O
MAX_SIGN_SIDE = 47  # pixels; a picture whose smaller side is at most this is a sign in a sentence: an icon, a formula
_SIGN_CLASS = patterns.compile(r"(?i)(?:^|[\s_-])(?:emojis?|smil(?:ey|ies)|latex|tex|math)(?:$|[\s_-])")
_MAX_NODES = 4000  # nodes of one svg that are looked at
_MAX_STEPS_TO_HEADER = 12  # elements from a picture up to the header that it may be in
_HEADERS = frozenset(("a", "button", "h1", "h2", "h3", "header", "nav", "summary"))
_SKIPPED = frozenset(("title", "desc", "style", "script", "defs", "symbol", "metadata", "clipPath", "mask", "pattern"))

_LINE_END = Text("\n")


def is_sign(image: Node) -> bool:
    """Return whether an img is so small that it is read as a word: `Press <img alt="gear icon" width=18> twice`."""
    attrs = image.attrs
    alternative = attrs.get("alt", "").strip()
    if not 0 < len(alternative) <= MAX_SIGN_CHARACTERS or attrs.get("aria-hidden") == "true":
        return False
    names = attrs.get("class", "")
    if names.startswith("mwe-math") or alternative[0] == "@" or "avatar" in names:  # MathML beside it; a member
        return False
    sides = [attrs.get(side, "").removesuffix("px").strip() for side in ("width", "height")]
    return any(side.isdecimal() and len(side) < 3 and 2 < int(side) <= MAX_SIGN_SIDE for side in sides) or bool(
        _SIGN_CLASS.search(names[:300])
    )


def read_sign(image: Node, before: str, after: str, ends_link: bool) -> str:
    """Return how a small picture reads between two texts of its run, "" if it is decoration.

    Amid a sentence it reads as its text alternative. That is not so at the end of the run (`after` is blank) or of a
    link, nor before a first word with a capital or a digit: `<img alt=Phone> 0123`. There only an alternative without
    letters is read, such as an emoji. A picture that is all of its run is decoration.
    """
    text = image.attrs["alt"].strip()
    follower = after.lstrip()
    if follower.startswith(text) or before.rstrip().endswith(text):
        return ""
    begins_sentence = not before and (follower[:1].isupper() or follower[:1].isdigit())
    is_amid = bool(follower) and not ends_link and not begins_sentence
    if not is_amid and (any(map(is_letter, text)) or not before + after):
        return ""
    if len(text) < MIN_SPACED_SIGN:
        return text
    space_before = " " if not before or is_letter(before[-1]) else ""
    space_after = " " if not after or is_letter(after[0]) else ""
    return f"{space_before}{text}{space_after}"


def labels(svg: Element, hidden: Collection[Element]) -> list[Node]:
    """Return the text nodes of a chart's labels, with a line end after each label. [] for other pictures."""
    if not svg.children:
        return []
    texts = _labels_of(svg, hidden)
    words = [" ".join("".join(node.text for node in nodes).split()) for nodes in texts]
    if sum(map(len, words)) < MIN_LETTERS or all(len(word) == 1 and not word.isdigit() for word in words):
        return []
    if len(texts) < MIN_LABELS and (_is_in_header(svg) or (len(texts) < 2 and len(words[0].split()) < MIN_LABELS)):
        return []
    return [node for nodes in texts for node in (*nodes, _LINE_END)]


def _labels_of(svg: Element, hidden: Collection[Element]) -> list[list[Text]]:
    """Return the text nodes of each label, in document order."""
    labels: list[list[Text]] = []
    stack: list[tuple[Node, list[Text] | None]] = [(child, None) for child in reversed(svg.children)]
    seen = 0
    while stack and seen < _MAX_NODES:
        node, label = stack.pop()
        seen += 1
        if isinstance(node, Text):
            if node.tag is None and label is not None and node.text.strip():
                label.append(node)
            continue
        if not isinstance(node, Element) or node.tag in _SKIPPED or node in hidden:
            continue
        if label is None and node.tag in ("text", "foreignObject"):
            label = []
            labels.append(label)
        stack += [(child, label) for child in reversed(node.children)]
    return [nodes for nodes in labels if nodes]


def _is_in_header(svg: Element) -> bool:
    """Return whether a picture is in a link, a button, a heading or a header, as logos are."""
    outer = around(svg, _MAX_STEPS_TO_HEADER)
    return any(element.tag in _HEADERS or role_of(element.attrs) == "banner" for element in outer)
