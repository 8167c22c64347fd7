# ruff: noqa: E501 (cases read best on one line)
"""Glyph names and encodings, by hand and against the lists of other programs."""

import io
import pathlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents.pdf.fonts import cmaps, encodings, fontfiles
from webtool.documents.pdf.objects import Name

FONTS = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "fonts"
NAMES = """A=A eacute=é Ccaron=Č uhorndotbelow=ự f_f_i=ffi fi=fi uni20AC=€ uni00410042=AB u1F600=😀 uniD800= alpha.alt=α
Asmall=A oneoldstyle=1 afii10017=А afii10097=я arrowright=→ .notdef= g123= nonsensename="""


@pytest.mark.parametrize("name", NAMES.split())
def test_a_glyph_name_has_its_text(name):
    assert encodings.text_of_glyph(name.partition("=")[0]) == name.partition("=")[2]


@given(st.text(max_size=80))
def test_any_name_has_a_text(name):
    assert isinstance(encodings.text_of_glyph(name), str)


@pytest.mark.peers("fontTools")
def test_the_glyph_list_for_new_fonts_is_covered():
    from fontTools import agl

    wrong = {}
    for name, code in agl.AGL2UV.items():
        ours = unicodedata.normalize("NFKC", encodings.text_of_glyph(name))
        if ours and ours != unicodedata.normalize("NFKC", chr(code)):
            wrong[name] = ours
    missing = {name for name in agl.AGL2UV if not encodings.text_of_glyph(name) and not name.startswith(("SF", "H18"))}
    assert wrong == {}
    assert missing == set()


@pytest.mark.peers("reportlab")
@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("StandardEncoding", encodings.STANDARD),
        ("WinAnsiEncoding", encodings.WIN_ANSI),
        ("PDFDocEncoding", encodings.PDF_DOC),
        ("SymbolEncoding", encodings.SYMBOL),
    ],
)
def test_encodings_agree_with_reportlab(name, table):
    from reportlab.pdfbase import _fontdata as data

    for code, glyph in enumerate(data.encodings[name]):
        if glyph and encodings.text_of_glyph(glyph):
            ours, theirs = (
                unicodedata.normalize("NFKC", text) for text in (table[code], encodings.text_of_glyph(glyph))
            )
            assert ours == theirs, (hex(code), glyph)


@pytest.mark.peers("fontTools")
def test_cff_standard_strings_agree_with_fonttools():
    from fontTools.cffLib import cffStandardStrings

    for sid, name in enumerate(cffStandardStrings[:229]):
        assert unicodedata.normalize("NFKC", fontfiles._STANDARD_STRINGS[sid]) == unicodedata.normalize(
            "NFKC", encodings.text_of_glyph(name)
        )


TEXT_STRINGS = [
    (b"plain", "plain"),
    (b"\x80\x8a\xa0", "•−€"),
    (b"\xfe\xff\x00H\x00i", "Hi"),
    (b"\xff\xfeH\x00", "H"),
    (b"\xef\xbb\xbf\xc3\xa9", "é"),
    (b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00H", "H"),
]


@pytest.mark.parametrize(("data", "text"), TEXT_STRINGS)
def test_text_strings_are_decoded(data, text):
    assert encodings.text_string(data) == text


TYPE_1 = b"%!PS-AdobeFont-1.0\n/Encoding 256 array\ndup 65 /alpha put\ndup 66/eacute put\nreadonly def\ncurrentfile eexec\ndup 67 /x put"


def test_the_encoding_of_a_type_1_font_is_read():
    assert fontfiles.type1_encoding(TYPE_1) == {65: "α", 66: "é"}


CMAPS = [  # format of the table, its platform and encoding, codes
    (0, 1, 0, {65: "A", 0x8E: "eacute"}),
    (4, 3, 1, {65: "A", 0xE9: "eacute"}),
    (6, 1, 0, {65: "A", 0x8E: "eacute"}),
    (12, 3, 10, {65: "A", 0xE9: "eacute", 0x1F600: "x"}),
]


@pytest.mark.peers("fontTools")
@pytest.mark.parametrize(("kind", "platform", "encoding", "codes"), CMAPS)
def test_the_characters_of_a_truetype_font_are_read(kind, platform, encoding, codes):
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables import _c_m_a_p as tables

    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "A", "eacute", "x"])
    made.setupCharacterMap({})
    table = tables.CmapSubtable.newSubtable(kind)
    table.platformID, table.platEncID, table.language, table.cmap = platform, encoding, 0, codes
    made.font["cmap"].tables = [table]
    file = io.BytesIO()
    made.font.save(file)
    assert fontfiles.truetype_texts(file.getvalue()) == dict(zip((1, 2, 3), "Aé😀"[: len(codes)]))


@pytest.mark.parametrize(("kind", "platform", "encoding", "codes"), CMAPS)
def test_the_characters_of_a_font_that_fonttools_wrote_once_are_read(kind, platform, encoding, codes):
    font = (FONTS / f"cmap_{kind}.ttf").read_bytes()
    assert fontfiles.truetype_texts(font) == dict(zip((1, 2, 3), "Aé😀"[: len(codes)]))


# The same encoding as a list of codes and as ranges.
CFF_CODES = {"codes": {1: "alpha", 7: "eacute", 9: "A"}, "ranges": {1: "alpha", 2: "eacute", 3: "A"}}


@pytest.mark.parametrize("name", CFF_CODES)
def test_the_encoding_of_a_cff_font_that_fonttools_wrote_once_is_read(name):
    expected = {code: encodings.text_of_glyph(glyph) for code, glyph in CFF_CODES[name].items()}
    assert fontfiles.cff_encoding((FONTS / f"{name}.cff").read_bytes()) == expected


@pytest.mark.peers("fontTools")
@pytest.mark.parametrize("codes", CFF_CODES.values(), ids=CFF_CODES)
def test_the_encoding_of_a_cff_font_is_read(codes):
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    names = [".notdef", *codes.values()]
    made = FontBuilder(1000, isTTF=False)
    made.setupGlyphOrder(names)
    empty = T2CharStringPen(500, None).getCharString()
    made.setupCFF("F", {}, dict.fromkeys(names, empty), {})
    made.font["CFF "].cff.topDictIndex[0].Encoding = [codes.get(code, ".notdef") for code in range(256)]
    data = made.font["CFF "].compile(made.font)
    assert fontfiles.cff_encoding(data) == {code: encodings.text_of_glyph(name) for code, name in codes.items()}


@given(st.binary(max_size=300))
def test_damaged_fonts_never_raise(data):
    for reader in (
        fontfiles.type1_encoding,
        fontfiles.cff_encoding,
        fontfiles.truetype_texts,
        fontfiles.truetype_codes,
    ):
        assert isinstance(reader(data), dict)
        assert isinstance(reader(b"\x01\x00\x04\x01" + data), dict)
    assert fontfiles.count_of_glyphs(data) >= 0


def test_a_font_without_glyphs_has_no_texts():
    """The top dictionary has an encoding, but no character strings."""
    assert fontfiles.cff_encoding(b"\x01\0\x04\x01" + b"\0\0" + b"\0\x01\x01\x01\x03\x95\x10" + b"\0\0") == {}


@given(st.text(alphabet="beginendbfchar range <0041>[]\n1", max_size=200), st.binary(max_size=20))
def test_any_cmap_is_read(text, shown):
    cmap = cmaps.read(text.encode())
    for code in cmap.split(shown):
        cmap.text(code)
        cmap.cid(code)


def test_strings_are_split_into_codes_of_different_lengths():
    cmap = cmaps.read(
        b"2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange 1 begincidrange <8001> <8003> 7 endcidrange"
    )
    assert cmap.split(b"\x41\x80\x02\x7f") == [0x41, 0x8002, 0x7F]
    assert [cmap.cid(code) for code in (0x8000, 0x8001, 0x8003)] == [0, 7, 9]


def test_a_cmap_can_be_vertical():
    assert cmaps.predefined(Name("Identity-V")).is_vertical


def test_a_font_without_a_maxp_table_has_no_glyphs():
    header = b"OTTO\x00\x01\x00\x10\x00\x00\x00\x00"
    assert fontfiles.count_of_glyphs(header + b"glyf" + bytes(12)) == 0
