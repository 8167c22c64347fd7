"""Characters that only some Pythons know are never letters; all others are what Python says."""

import sys
import unicodedata

import pytest

from webtool.lean.characters import is_alnum, is_new

# Letters, digits and pictures that came with Unicode 14, 15, 15.1, 16 and 17.
LATER = (
    "\u0870\u0897\u0c5d\u1c8a\u9ffd\ua7c0\ua7cb\ua7f2\U00010d40\U00010f74\U0001df00\U0001e4d0\U0001fae0"
    "\U0001fae8\U0002ebf0\U00031350\U000323b0"
)
KNOWN = "a9é\u0416\u05d0\u0e01\u3042\u6f22\uac00\ufb01\U0001f600\U00020000\U0001fad6\ue000\ufffd\ud800\U000e0100\u0378"


@pytest.mark.parametrize("character", LATER)
def test_later_characters_are_new_and_no_letters(character):
    assert (is_new(character), is_alnum(character)) == (True, False)


@pytest.mark.parametrize("character", KNOWN)
def test_other_characters_are_what_python_says(character):
    assert (is_new(character), is_alnum(character)) == (False, character.isalnum())


def test_no_character_of_an_old_unicode_is_new():
    old = unicodedata.ucd_3_2_0
    for number in range(sys.maxunicode + 1):
        character = chr(number)
        if old.category(character) != "Cn":
            assert not is_new(character), hex(number)
