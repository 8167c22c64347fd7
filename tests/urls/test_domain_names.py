"""Domain to ASCII for names beyond ASCII: UTS 46 as URLs use it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import InvalidUrl
from webtool.urls import domain_names

# (name, ASCII form)
ENCODED = [
    ("b\u00fccher.example", "xn--bcher-kva.example"),
    ("B\u00dcCHER.Example", "xn--bcher-kva.example"),
    ("bu\u0308cher.example", "xn--bcher-kva.example"),
    ("stra\u00dfe.example", "xn--strae-oqa.example"),  # IDNA 2003 would give strasse
    ("\u65e5\u672c\u3002example", "xn--wgv71a.example"),
    ("\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.example", "example.example"),
    ("ex\u00adample.example", "example.example"),
    ("\u2460\u2461.example", "12.example"),
    ("\u05d0\u05d1.example", "xn--4dbc.example"),
]


@pytest.mark.parametrize(("name", "encoded"), ENCODED)
def test_name_is_encoded(name, encoded):
    assert domain_names.to_ascii(name) == encoded


REFUSED = [
    "a\u200bb\u202e.example",  # bidi control
    "\u0301a.example",  # begins with a combining mark
    "a\u200db.example",  # joiner out of context
    "\u05d0a.example",  # right-to-left and left-to-right
    "\ufffd.example",
    "\ue000.example",  # private use
    "xn--\u00e4",
    "xn--a.\u00e4",
    "a\u2024b",  # one dot leader is not a dot
    "\u00e4" * 3000,
]


@pytest.mark.parametrize("name", REFUSED)
def test_name_that_no_host_may_have_is_refused(name):
    with pytest.raises(InvalidUrl):
        domain_names.to_ascii(name)


def test_a_name_may_have_500_characters():
    """Punycode takes the square of the length: with longer names, the links of a page would take minutes."""
    assert domain_names.to_ascii("\u00fc." * 250) == "xn--tda." * 250
    with pytest.raises(InvalidUrl, match="too long"):
        domain_names.to_ascii("\u00fc" * 501)


@given(st.text(max_size=40))
def test_any_text_gives_ascii_that_stays_or_is_refused(name):
    try:
        encoded = domain_names.to_ascii(name)
    except InvalidUrl:
        return
    assert encoded.isascii()
    assert domain_names.to_ascii(encoded) == encoded
