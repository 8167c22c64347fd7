"""Text of PDF pages that no reader sees: white on white, tiny, squeezed, transparent, clipped away, invisible."""

import pytest
from documents.writers import pdf, text

from webtool.documents import convert

SEEN = text(12, 72, 700, "seen words")
SECRET = text(12, 72, 600, "secret")
DARK = b"0.1 0.2 0.3 rg 50 580 300 50 re f "
STATES = (
    "/ExtGState << /Clear << /ca 0 >> /Half << /ca 0.5 >> >>"
    " /ColorSpace << /Ink [/Separation /X /DeviceGray 9 0 R] /Icc [/ICCBased 9 0 R] >>"
)
PAGES = {
    "white in gray": (b"1 g " + SECRET, True),
    "white in RGB": (b"1 1 1 rg " + SECRET, True),
    "nearly white": (b".99 1 .98 rg " + SECRET, True),
    "white in CMYK": (b"0 0 0 0 k " + SECRET, True),
    "white in a colour space": (b"/DeviceRGB cs 1 1 1 scn " + SECRET, True),
    "white in an ICC space": (b"/Icc cs 1 scn " + SECRET, True),
    "full ink of a separation": (b"/Ink cs 1 scn " + SECRET, False),
    "a pattern": (b"/Pattern cs /P1 scn " + SECRET, False),
    "more than white": (b"9" * 5000 + b" g " + SECRET, False),
    "transparent before more states than are kept": (b"q /Clear gs " + b"q " * 600 + b"Q " * 600 + SECRET + b"Q", True),
    "white, then black": (b"1 g 0 g " + SECRET, False),
    "white until the state is restored": (b"q 1 g Q " + SECRET, False),
    "grey": (b"0.8 g " + SECRET, False),
    "white on a dark area": (DARK + b"1 g " + SECRET, False),
    "white on a dark curve": (b"0 g 50 500 m 60 700 300 700 400 500 c f 1 g " + SECRET, False),
    "white beside a dark area": (b"0 g 50 100 300 50 re f 1 g " + SECRET, True),
    "white on a white area": (b"1 g 50 580 300 50 re f " + SECRET, True),
    "white on a stroked frame": (b"0 g 50 580 300 50 re S 1 g " + SECRET, True),
    "white under a dark area": (b"1 g " + SECRET + DARK, True),
    "white on a dark area of an outer state": (b"q " + DARK + b"Q q 1 g " + SECRET + b"Q", False),
    "white on a scaled dark area": (b"q 10 0 0 10 0 0 cm 0 g 5 58 30 5 re f Q 1 g " + SECRET, False),
    "white on an inline image": (b"q 300 0 0 50 50 580 cm BI /W 1 /H 1 ID x EI Q 1 g " + SECRET, False),
    "white on a shading": (b"/S1 sh 1 g " + SECRET, False),
    "transparent": (b"/Clear gs " + SECRET, True),
    "half transparent": (b"/Half gs " + SECRET, False),
    "tiny": (text(0.5, 72, 600, "secret"), True),
    "tiny by its matrix": (b"q .01 0 0 .01 0 0 cm " + text(12, 7200, 60000, "secret") + b"Q", True),
    "small print": (text(4, 72, 600, "secret"), False),
    "squeezed": (b"1 Tz " + SECRET + b"100 Tz", True),
    "narrow": (b"70 Tz " + SECRET + b"100 Tz", False),
    "clipped to nothing": (b"q 0 0 0 0 re W n " + SECRET + b"Q", True),
    "clipped beside its place": (b"q 300 100 50 50 re W n " + SECRET + b"Q", True),
    "clipped around its place": (b"q 50 580 300 50 re W* n " + SECRET + b"Q", False),
    "clipped by two rectangles": (b"q 50 580 300 50 re 300 100 9 9 re W n " + SECRET + b"Q", False),
    "clipped twice": (b"q 50 580 300 50 re W n 300 100 50 50 re W n " + SECRET + b"Q", True),
    "clipped by a malformed number": (b"q 0 0 9-9 9 re W n " + SECRET + b"Q", False),
    "invisible": (b"3 Tr " + SECRET + b"0 Tr", True),
    "a clip": (b"q 7 Tr " + SECRET + b"Q", True),
    "invisible on a page with a picture": (b"BI /W 1 /H 1 ID x EI 3 Tr " + SECRET, False),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_unseen_text_is_left_out_and_counted(name):
    content, is_hidden = PAGES[name]
    document = convert(pdf(SEEN + content, resources=STATES), "pdf")
    assert "seen words" in document.markdown
    assert ("secret" not in document.markdown) is is_hidden
    assert document.hidden_words == (1 if is_hidden else 0)
    assert ("1 hidden word (1 " in document.note) is is_hidden


def test_a_page_with_invisible_text_only_is_read():
    assert convert(pdf(b"3 Tr " + SECRET), "pdf").markdown == "secret\n"


def test_many_white_words_among_many_areas_take_no_long_time():
    page = SEEN + b"1 g " + b"0 0 9 9 re f BT ET " * 3000 + SECRET * 3000
    assert "seen words" in convert(pdf(page), "pdf").markdown
