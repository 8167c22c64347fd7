"""Remove code points that a page carries but nobody sees.

In: text. Out: the text without them. Kept is what a script or an emoji needs: joiners between Arabic or Indic letters
and inside emoji, variation selectors after the characters that take them, tag characters inside a flag, directional
marks in right-to-left text. Everything else that is invisible can only carry hidden messages.

clean() is for prose; clean_code() and without_deception() remove only what makes a text look like another one. Sources:
Unicode 16 chapters 9, 12 and 23; UTS #51 for emoji; CVE-2021-42574 for bidirectional controls.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.lean import patterns
from webtool.lean.patterns import Match

# Removed everywhere: controls, soft hyphen, zero width space, bidirectional controls, fillers, tags.
_ALWAYS = (
    "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u034f\u17b4\u17b5\u180b-\u180f\u200b\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\ufffc\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff\U0001d173-\U0001d17a"
)
# Kept only where a script or an emoji needs them: joiners, directional marks, variation selectors, tags of flags.
_IN_CONTEXT = "\u061c\u115f\u1160\u200c-\u200f\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef"
# Combining marks, of which at most _MAX_MARKS may follow each other.
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MAX_MARKS = 4
# Spaces that do not collapse, of which at most _MAX_WIDE may follow each other.
_WIDE = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
_MAX_WIDE = 16
# Finds whether clean() has anything to do. It begins with one set of all characters in question, since the engine skips
# quickly to the next character of a set, and then looks back at which of them it was.
_suspicious = patterns.compile(
    f"[{_ALWAYS}{_IN_CONTEXT}{_MARKS}{_WIDE}]"
    f"(?:(?<=[{_ALWAYS}{_IN_CONTEXT}])"
    f"|(?<=[{_MARKS}])[{_MARKS}]{{{_MAX_MARKS}}}"  # after one mark, four more are too many
    f"|(?<=[{_WIDE}])[{_WIDE}]{{{_MAX_WIDE}}})"
).search

# Letters whose shape a joiner changes: Arabic to Syriac, N'Ko, the Indic and South-East Asian scripts, Mongolian.
_JOINED = "\u0600-\u08ff\u0900-\u109f\u1700-\u18af\u1900-\u1cff\ua800-\uabff\U00010a00-\U00011fff"
# Characters that take a variation selector, without the invisible ones and the spaces among them.
_EMOJI = "\u00a9\u00ae\u2010-\u2027\u2030-\u205e\u2070-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_KEPT_IN_CONTEXT = (
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"  # flags of regions
    "|[0-9#*]\ufe0f\u20e3"  # keycaps
    f"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"  # joiners between letters
    f"|(?<=[{_JOINED}])[\u200c\u200d](?![\u200c\u200d])(?=[\\s.,;:!?)])"  # one at the end of a word
    f"|(?<=[{_EMOJI}])[\ufe0e\ufe0f](?:\u200d(?=[{_EMOJI}]))?"  # text or emoji form, and a joiner after it
    f"|(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])"  # joiners between emoji: families
    f"|(?<=[{patterns.IDEOGRAPHS}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"  # forms of Chinese characters
    "|(?<=[\u1000-\u109f\u2200-\u22ff\uaa60-\uaa7f])\ufe00"  # forms of Myanmar letters and of operators
    "|(?<=[\u1100-\u11ff])[\u115f\u1160]|[\u115f\u1160](?=[\u1160-\u11ff])"  # fillers in Hangul syllables
)
# What group 1 matches is kept, all else is removed.
_JUDGE = patterns.compile(f"({_KEPT_IN_CONTEXT})|[{_ALWAYS}{_IN_CONTEXT}]")
_JUDGE_RIGHT_TO_LEFT = patterns.compile(f"([\u061c\u200e\u200f]|{_KEPT_IN_CONTEXT})|[{_ALWAYS}{_IN_CONTEXT}]")
_RIGHT_TO_LEFT = patterns.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff]")
_TOO_MANY_MARKS = patterns.compile(f"([{_MARKS}]{{{_MAX_MARKS}}})[{_MARKS}]+")
_TOO_MANY_SPACES = patterns.compile(f"([{_WIDE}]{{{_MAX_WIDE}}})[{_WIDE}]+")
# A text of private use characters only is icons of an icon font.
_is_icon = patterns.compile("[ \t\n\f\r]*[\ue000-\uf8ff][ \t\n\f\r\ue000-\uf8ff]*").fullmatch
# Terminal sequences (ECMA-48: CSI, OSC, other ESC sequences), bidirectional overrides, tag characters outside flags,
# and control characters.
_DECEPTIVE = patterns.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)"
    "|\x1b\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\\][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\\\)|\x1b[@-_]?"
    "|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_MAY_DECEIVE = patterns.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def clean(text: str) -> str:
    """Return `text` without invisible code points.

    Towers of combining marks are cut to four, runs of wide spaces to 16. Icons of an icon font become a space.
    """
    if text.isascii() and text.isprintable():  # takes a tenth of the time of the search
        return text
    if _suspicious(text):
        judge = _JUDGE_RIGHT_TO_LEFT.sub if _RIGHT_TO_LEFT.search(text) else _JUDGE.sub
        text = judge(_kept, text.replace("\u2028", "\n").replace("\u2029", "\n"))
        text = _TOO_MANY_SPACES.sub(_kept, _TOO_MANY_MARKS.sub(_kept, text))
    return " " if _is_icon(text) else text


def _kept(match: Match[str]) -> str:
    """Return group 1 of the match, "" if it did not take part."""
    return match[1] or ""


def clean_code(text: str) -> str:
    """Return code without the characters that make it look like other code; every other byte stays."""
    return without_deception(text)[0]


def without_deception(text: str) -> tuple[str, bool]:
    """Return `text` without what makes a reader or a terminal see another text, and whether it had any."""
    if not _MAY_DECEIVE.search(text):
        return text, False
    cleaned, _ = _DECEPTIVE.subn(_kept, text)
    return cleaned, cleaned != text
