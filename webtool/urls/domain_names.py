"""Convert domain names beyond ASCII by UTS 46. In: a name with a non-ASCII character. Out: its A-label form.

Spec: UTS 46 (non-transitional; CheckHyphens, VerifyDnsLength and UseSTD3ASCIIRules false; CheckBidi and CheckJoiners
true), RFC 3492 (Punycode), RFC 5893 (Bidi rule), RFC 5892 appendix A (joiners). The standard library's idna codec is
IDNA 2003 with Unicode 3.2: it maps sharp s to ss, final sigma to sigma, drops joiners and refuses newer characters, so
it is not used. The mapping table is derived from unicodedata: NFKC and case folding, plus the lists below. It differs
from the published table where this Python's Unicode version does, and in a few historic characters of no living script.
Tests: tests/urls/test_domain_names.py
"""

from __future__ import annotations

import unicodedata

from webtool.errors import InvalidUrl
from webtool.lean import patterns

# Default ignorable code points that the mapping removes. Bidi controls and tags are not among them: they are refused.
_IGNORED = patterns.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]+"
)
_DOTS = patterns.compile("[\u3002\uff0e\uff61]")
_KEPT = frozenset("\u00df\u03c2\u200c\u200d")  # sharp s, final sigma, joiners: UTS 46 calls them deviation characters
_DISALLOWED_CATEGORIES = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
# Ideographic description signs, interlinear marks, the replacement characters U+FFFC and U+FFFD, and the ogham space.
_DISALLOWED = patterns.compile("[\u2ff0-\u2fff\u31ef\ufff9-\uffff\u1680]")
_VIRAMA = 9  # canonical combining class
_MAX_NAME = 500  # characters; DNS ends at 253, and Punycode takes the square of the length


def to_ascii(name: str) -> str:
    """Return the name with each label mapped, checked and, if it is not ASCII, in Punycode. Raises InvalidUrl."""
    if len(name) > _MAX_NAME:
        raise InvalidUrl("the host name is too long")
    mapped = unicodedata.normalize("NFC", "".join(map(_map, _IGNORED.sub("", _DOTS.sub(".", name)))))
    labels = [_decoded(label) for label in mapped.split(".")]
    is_bidi = any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for label in labels for char in label)
    for label in labels:
        _check_label(label, is_bidi)
    return ".".join(_encode(label) for label in labels)


def _map(char: str) -> str:
    if char < "\x80":
        return char.lower()
    if char in _KEPT:
        return char
    if char == "\u1e9e":  # capital sharp s folds to sharp s here, not to ss
        return "\u00df"
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", char).casefold())
    if unicodedata.category(char) in _DISALLOWED_CATEGORIES or _DISALLOWED.match(char) or "." in folded:
        raise InvalidUrl(f"the host name has the character U+{ord(char):04X}, which no name may have")
    return _IGNORED.sub("", folded)


def _decoded(label: str) -> str:
    """Return the Unicode form of a label. Raises InvalidUrl for an A-label (xn--) that encoding would not give."""
    if not label.startswith("xn--"):
        return label
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        decoded = ""
    if not decoded or decoded.isascii() or unicodedata.normalize("NFC", "".join(map(_map, decoded))) != decoded:
        raise InvalidUrl("the host name has a label with xn-- that is not Punycode")
    return decoded


def _encode(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _check_label(label: str, is_bidi: bool) -> None:
    if not label or (label.isascii() and not is_bidi):
        return
    if unicodedata.category(label[0])[0] == "M":
        raise InvalidUrl("a label of the host name begins with a combining mark")
    if not _has_allowed_joiners(label):
        raise InvalidUrl("the host name has a zero-width joiner where none may be")
    if is_bidi and not _is_within_bidi_rule(label):
        raise InvalidUrl("the host name mixes right-to-left and left-to-right letters in one label")


def _has_allowed_joiners(label: str) -> bool:
    """Apply RFC 5892 A.1 and A.2: a joiner follows a virama; one that separates may also be between Arabic letters.

    unicodedata has no joining types of letters, so their direction is used instead.
    """
    for position, char in enumerate(label):
        if char not in "\u200c\u200d":
            continue
        before = label[position - 1] if position else "a"  # a letter beside which no joiner may be
        if unicodedata.combining(before) == _VIRAMA:
            continue
        after = label[position + 1 : position + 2] or "a"
        if char == "\u200d" or unicodedata.bidirectional(before) != "AL" or unicodedata.bidirectional(after) != "AL":
            return False
    return True


_RTL_ALLOWED = frozenset(("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))
_LTR_ALLOWED = frozenset(("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))


def _is_within_bidi_rule(label: str) -> bool:
    """Apply the Bidi rule of RFC 5893 section 2."""
    classes = [unicodedata.bidirectional(char) for char in label]
    last = next((name for name in reversed(classes) if name != "NSM"), "")
    if classes[0] in ("R", "AL"):
        is_within = _RTL_ALLOWED.issuperset(classes) and not {"EN", "AN"}.issubset(classes)
        return is_within and last in ("R", "AL", "EN", "AN")
    if classes[0] == "L":
        return _LTR_ALLOWED.issuperset(classes) and last in ("L", "EN")
    return False
