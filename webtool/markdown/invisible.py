"""Code points that a page carries but nobody sees. Text in, the same text without them out.

Kept is what a script or an emoji needs: joiners between Arabic or Indic letters and inside emoji, variation selectors
after the characters that take them, tag characters inside a flag, directional marks in right-to-left text. Everything
else that is invisible can only carry hidden messages. Sources: Unicode 16 chapters 9, 12 and 23; UTS #51 for emoji;
CVE-2021-42574 for bidirectional controls.
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match

_ALWAYS = (
    "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u034f\u17b4\u17b5\u180b-\u180f\u200b\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\ufffc\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff\U0001d173-\U0001d17a"
)
_IN_CONTEXT = "\u061c\u115f\u1160\u200c-\u200f\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef"
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_WIDE = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
# It begins with a set of characters, so that the engine skips to the next of them.
_suspicious = patterns.compile(
    f"[{_ALWAYS}{_IN_CONTEXT}{_MARKS}{_WIDE}](?:(?<=[{_ALWAYS}{_IN_CONTEXT}])|(?<=[{_MARKS}])[{_MARKS}]{{4}}"
    f"|(?<=[{_WIDE}])[{_WIDE}]{{16}})"
).search

# Letters whose shape a joiner changes: Arabic to Syriac, N'Ko, the Indic and South-East Asian scripts, Mongolian.
_JOINED = "\u0600-\u08ff\u0900-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uabff\U00010a00-\U00011fff"
_EMOJI = "\u00a9\u00ae\u2010-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
# Group 1 is kept; what matches without it goes.
_JUDGED = (
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # flags of regions
    "|[0-9#*]\ufe0f\u20e3"  # keycaps
    f"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    f"|(?<=[{_JOINED}])[\u200c\u200d](?![\u200c\u200d])(?=[\\s.,;:!?)])"
    f"|(?<=[{_EMOJI}])[\ufe0e\ufe0f](?:\u200d(?=[{_EMOJI}]))?"
    f"|(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{patterns.IDEOGRAPHS}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|(?<=[\u1000-\u109f\u2200-\u22ff\uaa60-\uaa7f])\ufe00"
    "|(?<=[\u1100-\u11ff])[\u115f\u1160]|[\u115f\u1160](?=[\u1160-\u11ff])"
    f")|[{_ALWAYS}{_IN_CONTEXT}]"
)
_judge = patterns.compile("(" + _JUDGED).sub
_judge_right_to_left = patterns.compile("([\u061c\u200e\u200f]|" + _JUDGED).sub
_has_right_to_left = patterns.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff]").search
_too_many_marks = patterns.compile(f"([{_MARKS}]{{4}})[{_MARKS}]+").sub
# A text of private characters only is the pictures of an icon font.
_is_icon = patterns.compile("[ \t\n\f\r]*[\ue000-\uf8ff][ \t\n\f\r\ue000-\uf8ff]*").fullmatch
_too_many_spaces = patterns.compile(f"([{_WIDE}]{{16}})[{_WIDE}]+").sub


def clean(text: str) -> str:
    """`text` without invisible code points, without towers of combining marks and without floods of wide spaces.

    Pictures of an icon font become a space.
    """
    if text.isascii() and text.isprintable():  # a tenth of the time of the expression
        return text
    if not _suspicious(text):
        return " " if _is_icon(text) else text
    judge = _judge_right_to_left if _has_right_to_left(text) else _judge
    text = judge(_kept, text.replace("\u2028", "\n").replace("\u2029", "\n"))
    return _too_many_spaces(_kept, _too_many_marks(_kept, text))


def _kept(match: Match[str]) -> str:
    return match[1] or ""


# Sequences for terminals (ECMA-48: CSI, OSC, and what begins with ESC), directions that turn text around, tags that
# nobody sees but in flags, and the controls that no text has.
_deceptive = patterns.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)"
    "|\x1b\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\\\)|\x1b[@-_]?"
    "|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
).subn
_may_deceive = patterns.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
).search


def clean_code(text: str) -> str:
    """Code without the characters that make it look like other code; every other byte stays."""
    return without_deception(text)[0]


def without_deception(text: str) -> tuple[str, bool]:
    """`text` without what makes a reader or a terminal see other text than is there, and whether it had any."""
    if not _may_deceive(text):
        return text, False
    cleaned, _ = _deceptive(_kept, text)
    return cleaned, cleaned != text
