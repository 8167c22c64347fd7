# ruff: noqa: E501 (cases read best on one line)
"""PDF files written by hand: structure of the file, fonts, layout, hostile shapes."""

import time
import tracemalloc

import pytest
from documents import writers
from documents.writers import lines, mutated, outcome, page_objects, pdf, stream, text, with_stream, with_table
from hypothesis import given, settings
from hypothesis import strategies as st

from webtool.documents import Source, convert, convert_source
from webtool.documents import pdf as pdf_room
from webtool.documents.pdf.fonts import Font
from webtool.documents.pdf.layout.lines import segments
from webtool.documents.pdf.objects import file
from webtool.documents.pdf.state import Span
from webtool.errors import ExtractFailed, UnsupportedContent
from webtool.running.budget import Budget

CODES = ("", "EXTRACT_FAILED", "UNSUPPORTED_CONTENT")
HELLO = text(12, 72, 700, "Hello, world.")


def markdown(body):
    return convert(body, "pdf", "application/pdf", "https://x.example/a.pdf").markdown


# The file: tables, streams, updates, damage.

OBJECTS = page_objects([HELLO])
IN_STREAM = {number: OBJECTS[number] for number in (1, 2, 3)}
IN_FILE = {4: OBJECTS[4]}
PLAIN = with_table(OBJECTS)


def updated():
    """Return a file with a second section that changes the content and refers to the first one."""
    out = PLAIN + b"4 0 obj\n" + stream(text(12, 72, 700, "Changed.")) + b"\nendobj\n"
    at = PLAIN.rfind(b"startxref\n")
    first = int(PLAIN[at + 10 :].split()[0])
    start = len(out)
    out += f"xref\n4 1\n{len(PLAIN):010} 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R /Prev {first} >>\n".encode()
    return out + f"startxref\n{start}\n%%EOF".encode()


def hybrid():
    """Return a file whose object 3, the page, is free in the table and in an object stream named by XRefStm."""
    objects = {number: value for number, value in OBJECTS.items() if number != 3}
    head = b"3 0\n"
    objects[5] = stream(head + OBJECTS[3].encode(), f"/Type /ObjStm /N 1 /First {len(head)}")
    body, _ = writers.body_of(objects)
    at = body.tell()
    rows = stream(b"\x02\x05\x00", "/Type /XRef /Size 7 /W [1 1 1] /Index [3 1]")
    objects[6] = rows
    made = with_table(objects, f"/XRefStm {at}")
    assert made[at:].startswith(b"6 0 obj")
    return made


def with_offsets_swapped(first, second):
    """Return a file whose table has the offsets of two objects in the wrong order; object 5 is the information."""
    rows = with_table({**OBJECTS, 5: "<< /Title (A title) >>"}, "/Info 5 0 R").split(b"\n")
    start = rows.index(b"xref") + 2  # the row of object 0
    rows[start + first], rows[start + second] = rows[start + second], rows[start + first]
    return b"\n".join(rows)


FILES = {
    "table": PLAIN,
    "xref stream": with_stream(IN_FILE, IN_STREAM),
    "xref stream with predictor": with_stream(IN_FILE, IN_STREAM, predictor=True),
    "compressed content": with_table(page_objects([stream(HELLO, compress=True)])),
    "no xref": PLAIN.partition(b"xref\n")[0],
    "wrong startxref": PLAIN.replace(b"startxref\n", b"startxref\n9"),
    "wrong offsets": PLAIN.replace(b"%PDF-1.7\n", b"%PDF-1.7\n%moved\n"),
    "offsets of two objects swapped": with_offsets_swapped(4, 5),
    "junk before the header": b"HTTP/1.1 200 OK\r\n\r\n" + PLAIN,
    "cut off in the table": PLAIN[: PLAIN.find(b"xref\n") + 30],
    "xref stream cut off": with_stream(IN_FILE, IN_STREAM).rpartition(b"startxref")[0][:-60],
    "wrong length": PLAIN.replace(b"/Length 4", b"/Length 1"),
    "length after the stream": with_table({**OBJECTS, 4: OBJECTS[4].replace(b"/Length 43", b"/Length 5 0 R"), 5: "43"}),
    "encrypted with RC4": writers.encrypted(OBJECTS),
    "hybrid": hybrid(),
    "page tree without types": PLAIN.replace(b"/Type /Pages", b"").replace(b"/Type /Page ", b""),
    "kids in a circle": with_table({**OBJECTS, 2: "<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 1 >>"}),
}


@pytest.mark.parametrize("name", FILES)
def test_variants_of_the_file_structure_are_read(name):
    assert markdown(FILES[name]) == "Hello, world.\n"


def test_an_update_replaces_the_earlier_object():
    assert markdown(updated()) == "Changed.\n"


def test_the_catalog_is_found_without_a_trailer():
    damaged = PLAIN.partition(b"xref\n")[0].replace(b"/Pages 2 0 R", b"/Pages 2 0 R /Lang (en)")
    assert markdown(damaged) == "Hello, world.\n"


def test_unknown_encryption_is_a_coded_error():
    objects = {**OBJECTS, 5: "<< /Filter /Mine /V 5 /R 6 >>"}
    message = r"the security handler Mine: application/pdf, [0-9,]+ bytes"
    with pytest.raises(UnsupportedContent, match=message):
        markdown(with_table(objects, "/Encrypt 5 0 R"))
    objects[5] = f"<< /Filter /Standard /V 1 /R 2 /O <{'00' * 32}> /U <{'00' * 32}> /P -4 >>"
    with pytest.raises(ExtractFailed, match="needs a password"):
        markdown(with_table(objects, "/Encrypt 5 0 R"))


NOTHING = [
    (b"%PDF-1.4\nrubbish", "has no catalog"),
    (b"", "has no catalog"),
    (pdf(b""), "has no text on its 1 page. Nothing is written there"),
    (with_table({1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [] >>"}), "has no pages"),
]


@pytest.mark.parametrize(("body", "message"), NOTHING)
def test_a_file_without_text_is_an_error_that_says_why(body, message):
    with pytest.raises(ExtractFailed, match=message):
        markdown(body)


# Fonts.

MAP = b"""/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
2 beginbfchar <0001> <0048> <0002> <00660066> endbfchar
2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<D83DDE00> <2260>] endbfrange endcmap"""


# Most codes are mapped to themselves, as mPDF writes it.
IDENTITY_MAP = b"""1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange
1 beginbfrange <0050> <0051> <0061> endbfrange"""


# From A and b to glyphs 1 and 2.
GLYPHS = bytes(2 * 32) + b"\0\x03" + bytes(2 * 32) + b"\0\x01" + bytes(2 * 32) + b"\0\x02"


def composite(content, to_unicode=MAP, encoding="/Identity-H", descendant="", is_map=True):
    font = "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding {} /DescendantFonts [<< /Subtype /CIDFontType2 {} >>] {} >>"
    objects = page_objects(
        [content], {"F1": font.format(encoding, descendant, "/ToUnicode 9 0 R" if to_unicode and is_map else "")}
    )
    objects[9] = stream(to_unicode or b"")
    return with_table(objects)


def simple(content, font):
    return pdf(content, fonts={"F1": font})


DIFFERENCES = (
    "<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /Differences [65 /alpha /uni0416 /f_f /Euro /g12] >> >>"
)
SYMBOL = "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"
MAC = "<< /Type /Font /Subtype /TrueType /BaseFont /X /Encoding /MacRomanEncoding >>"


def show(codes):
    return b"BT /F1 12 Tf 72 700 Td <" + codes.hex().encode() + b"> Tj ET"


def ordering(name):
    return f"/CIDSystemInfo << /Registry (Adobe) /Ordering ({name}) /Supplement 2 >>"


FONTS = [
    (composite(show(b"\x04\x65\x03\x4b\x00\x22\x01\x47"), False, descendant=ordering("Japan1")), "亜あA｡"),
    (composite(show(b"\x03\xac\x12\x57"), False, descendant=ordering("GB1")), "啊亍"),
    (composite(show(b"\x04\x3e"), False, descendant=ordering("Korea1")), "가"),
    (composite(show(b"\x02\x53"), False, descendant=ordering("CNS1")), "一"),
    # Forms for vertical lines.
    (composite(show(b"\x1e\xdb\x1e\xf3\x1e\xdc"), False, descendant=ordering("Japan1")), "（っ）"),
    (composite(show(b"\x1f\x85"), False, descendant=ordering("Korea1")), "「"),
    # Codes that are Unicode: by the name of the map, or because there is a map from them to glyphs.
    (composite(show("Vě–".encode("utf-16-be")), False, "/Identity-H /ToUnicode /Identity-H"), "Vě–"),
    (composite(show("Ab".encode("utf-16-be")), GLYPHS, descendant="/CIDToGIDMap 9 0 R", is_map=False), "Ab"),
    # Glyphs in the usual order.
    (composite(show(b"\x006\0X\0P\0P\0D\0\x03\0\xfe"), False), "Summa ć"),
    (composite(show(b"\x006\0D"), b"1 begincodespacerange <0000> <FFFF> endcodespacerange"), "Sa"),
    (simple(show(b"a b"), DIFFERENCES.replace("65 /alpha", "32 /.notdef")), "a b"),
    (composite(show(b"\x00\x01\x00\x02\x00\x10\x00\x12\x00\x20\x00\x21")), "Hffac😀≠"),
    (composite(show("Rè日Qz\0".encode("utf-16-be")), IDENTITY_MAP), "Rè日bz"),
    (composite(show("日本".encode("utf-16-be")), False, "/UniJIS-UCS2-H"), "日本"),
    (composite(show("日本a".encode("cp932")), False, "/90ms-RKSJ-H"), "日本a"),
    (composite(show("中文".encode("gbk")), False, "/GBK-EUC-H"), "中文"),
    (composite(show("한국".encode("euc_kr")), False, "/KSC-EUC-H"), "한국"),
    (composite(show("漢字".encode("big5")), False, "/ETen-B5-H"), "漢字"),
    (composite(show(b"\x46\x7c\x4b\x5c"), False, "/H"), "日本"),
    (simple(show(b"ABCDEz"), DIFFERENCES), "αЖff€Ez"),
    (simple(show(b"abc\xa3"), SYMBOL), "αβχ≤"),
    (simple(show(b"\x8e\xd2x\xd3"), MAC), "é“x”"),
    (
        simple(show(b"\xf1\xf9"), "<< /Type /Font /Subtype /TrueType /BaseFont /X /FontDescriptor << /Flags 32 >> >>"),
        "æø",
    ),
    (simple(show(b"\x93x\x94\x80"), writers.HELVETICA), "“x”€"),
]


@pytest.mark.parametrize(("body", "words"), FONTS, ids=[words for _, words in FONTS])
def test_fonts_give_text(body, words):
    assert markdown(body).strip() == words


def test_unknown_glyphs_are_counted():
    document = convert(composite(show(b"\x00\x01\x00\x99")), "pdf")
    assert document.markdown == "H\n"
    assert document.note == "Left out: 1 character whose fonts do not map them to text."


# Text with positions.

SHOWN = [
    (b"BT /F1 12 Tf 72 700 Td [(Wo) -20 (rd) -300 (next) 30 (s)] TJ ET", "Word nexts"),
    (b"BT /F1 12 Tf 72 700 Td (a) Tj 30 0 Td (b) Tj ET", "a b"),
    (b"BT /F1 12 Tf 14 TL 72 700 Td (one) Tj (two) ' 1 0 (three) \" ET", "one two three"),
    (b"BT /F1 12 Tf 1 0 0 1 72 700 Tm (a) Tj T* (b) Tj 0 -14 TD (c) Tj ET", "ab c"),
    (b"q 0.5 0 0 0.5 0 0 cm BT /F1 24 Tf 144 1400 Td (scaled) Tj ET Q", "scaled"),
    (b"BT /F1 12 Tf 72 700 Td (x) Tj ET q BI /W 1 /H 1 ID (EI\x00x) Tj EI Q BT /F1 12 Tf 72 680 Td (y) Tj ET", "x y"),
    (b"/Artifact << /Type /Pagination >> BDC " + text(12, 72, 700, "1") + b" EMC " + text(12, 72, 600, "kept"), "kept"),
    (b"/Span << /ActualText <FEFF00480069> >> BDC " + HELLO + b" EMC", "Hi"),
    (b"/Span << /ActualText <FEFF06440627> >> BDC " + HELLO + b" EMC", "\u0644\u0627"),
    (b"BT /F1 12 Tf 72 700 Td /Span << /ActualText (Do) >> BDC [-10 (ab)] TJ EMC (cd) Tj ET", "Docd"),
    (b"BT /F1 12 Tf 72 700 Td /Span << /ActualText (Do) >> BDC (a) Tj (b) Tj EMC (cd) Tj ET", "Docd"),
    (
        b"BT /F1 12 Tf 72 700 Td (in) Tj /Span << /ActualText (Do) >> BDC q 9 9 0 0 re W n (ab) Tj Q (cd) Tj EMC (out) Tj ET",
        "in out",
    ),
    (b"0 1 -1 0 792 0 cm " + HELLO, "Hello, world."),
    (text(12, 72, 700, "twice") + text(12, 72.3, 700, "twice"), "twice"),
    (HELLO + text(12, 72, 5000, "off the page"), "Hello, world."),
    (HELLO + b" BT /F1 12 Tf 0 1 -1 0 -300 100 Tm (turned off the page) Tj ET", "Hello, world."),
    (HELLO + b" BT /F1 12 Tf 0 -1 1 0 300 100 Tm (turned) Tj ET", "Hello, world. turned"),
    (b"BT /F1 -12 Tf 1 0 0 1 300 700 Tm (turned ) Tj (around) Tj ET", "turned around"),
    (b"3 Tr " + HELLO, "Hello, world."),
    (b"] >> ) } EMC Q ET Tj 5 Tf " + HELLO, "Hello, world."),
    (b"BT /F9 12 Tf 72 700 Td (no font) Tj ET " + HELLO, "Hello, world."),
]


@pytest.mark.parametrize(("content", "words"), SHOWN)
def test_operators_show_text(content, words):
    assert " ".join(markdown(pdf(content)).split()) == words


def test_forms_are_run_a_limited_number_of_times():
    objects = page_objects([b"/X Do /X Do"], resources="/XObject << /X 8 0 R >>")
    attrs = "/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 -50] /Resources << /Font << /F1 9 0 R >> /XObject << /X 8 0 R >> >>"
    objects[8] = stream(HELLO + b" /X Do", attrs)
    objects[9] = writers.HELVETICA
    assert markdown(with_table(objects)) == "Hello, world.\n"


LAYOUTS = [
    # Lines of a paragraph with a hyphen, and a new paragraph after a gap.
    (
        lines("The first line of it goes on and is hyphen-", "ated at its end, then goes on for a while.")
        + lines("Another paragraph begins here and is as long", "as the other one was.", y=650),
        "The first line of it goes on and is hyphenated at its end, then goes on for a while.\n\n"
        "Another paragraph begins here and is as long as the other one was.",
    ),
    # Headings by size and by weight.
    (
        text(24, 72, 740, "Great Title")
        + text(16, 72, 700, "Section")
        + lines("Body text that is long enough to be the body of it all,", "with a second line.", y=670)
        + text(12, 72, 620, "Bold heading", "F2")
        + lines("More body text of the same size as it was before, and", "one more.", y=600),
        "# Great Title\n\n## Section\n\nBody text that is long enough to be the body of it all, with a second line.\n\n"
        "### Bold heading\n\nMore body text of the same size as it was before, and one more.",
    ),
    # Lists.
    (lines("\u2022 one", "\u2022 two") + lines("\u2022 inner", x=100, y=672), "- one\n- two\n  - inner"),
    (lines("1. one", "2. two", "3. three"), "1. one\n2. two\n3. three"),
    (lines("- one", "- two"), "- one\n- two"),
    # A dash at the start of a line of running text.
    (lines("The line before is as long as lines get in here and", "- as it happens - goes on with a dash, which is no list"),
     "The line before is as long as lines get in here and - as it happens - goes on with a dash, which is no list"),
    # Preformatted text keeps its indents.
    (lines("def f(x):", font="F3") + lines("return x", x=100.8, y=686, font="F3"), "```\ndef f(x):\n    return x\n```"),
    (
        lines("struct {", font="F3")
        + lines("int number;", "int other;", x=100.8, y=686, font="F3")
        + lines("}", "", "end", y=658, font="F3"),
        "```\nstruct {\n    int number;\n    int other;\n}\n\nend\n```",
    ),
    # Two columns, read one after the other, under a title that spans both.
    (
        text(20, 150, 740, "Title over both of the columns")
        + lines(*["left side line which is filled up"] * 5, x=72, step=14)
        + lines(*["right side line which is filled too"] * 5, x=320, step=14),
        "# Title over both of the columns\n\n"
        + " ".join(["left side line which is filled up"] * 5)
        + " "
        + " ".join(["right side line which is filled too"] * 5),
    ),
    # A table without lines: short cells side by side.
    (
        lines("Name", "Anna", "Ole") + lines("Age", "31", "45", x=200) + lines("Town", "Bergen", "Oslo", x=300),
        "| Name | Age | Town |\n| --- | --- | --- |\n| Anna | 31 | Bergen |\n| Ole | 45 | Oslo |",
    ),
    # A table without lines whose columns are as far apart as words.
    (
        b"90 Tw " + lines("aa bb cc", "dd ee ff", "gg hh ii"),
        "| aa | bb | cc |\n| --- | --- | --- |\n| dd | ee | ff |\n| gg | hh | ii |",
    ),
    # A table drawn with lines, with a cell of two lines.
    (
        b"1 w 70 640 400 80 re S 70 680 m 470 680 l S 150 640 m 150 720 l S "
        + lines("Key", y=700)
        + lines("Value that is long enough to be no cell of short", y=700, x=160)
        + lines("a", y=660)
        + lines("first line of a long cell, which goes on to a", "second one", y=665, x=160),
        "| Key | Value that is long enough to be no cell of short |\n| --- | --- |\n"
        "| a | first line of a long cell, which goes on to a second one |",
    ),
    (lines("See https://e.example/a_b for more."), "See [https://e.example/a_b](https://e.example/a_b) for more."),
    (lines("1. Contents ........ 7", "2. More ......... 12"), "1. Contents … 7\n2. More … 12"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), LAYOUTS)
def test_the_layout_becomes_markdown(content, expected):
    assert markdown(pdf(content)) == f"{expected}\n"


def test_two_small_lines_beside_a_taller_one_stay_separate():
    shown = text(24, 72, 700, "Tall") + text(9, 300, 708, "first of two") + text(9, 300, 698, "lines")
    assert {"Tall", "two", "lines"} < set(markdown(pdf(shown)).split())


def test_link_annotations_become_links():
    annotation = "<< /Type /Annot /Subtype /Link /Rect [{} 695 {} 715] /A << /S /URI /URI ({}) >> >>"
    annots = annotation.format(70, 130, "https://e.example/x") + annotation.format(200, 300, "javascript:x")
    body = pdf(HELLO + text(12, 205, 700, "other"), extra=f"/Annots [{annots}]")
    assert markdown(body) == "[Hello, world.](https://e.example/x) other\n"
    assert "javascript" not in markdown(body)


def test_a_link_over_two_lines_is_one_link():
    annotation = "<< /Type /Annot /Subtype /Link /Rect [70 {} 400 {}] /A << /S /URI /URI (https://e.example/x) >> >>"
    annots = annotation.format(696, 710) + annotation.format(682, 695)
    body = pdf(lines("a link that begins on this line and", "ends on the next one"), extra=f"/Annots [{annots}]")
    assert markdown(body) == "[a link that begins on this line and ends on the next one](https://e.example/x)\n"


def test_paragraphs_continue_over_page_breaks():
    first = lines(
        "A paragraph that begins here on the first page and", "goes on for some lines until the page ends with-"
    )
    assert "ends without notice." in markdown(pdf(first, lines("out notice.")))


def test_an_option_keeps_the_hyphen_that_a_line_end_divides():
    body = pdf(lines("The command only says what it would do with the option --dry-", "run before its other options."))
    assert "--dry-run before" in markdown(body)


def test_a_hyphen_at_the_end_of_a_line_stays_in_an_address():
    address = lines("The tides are listed at https://x.example/a-long-", "path/to/it for every day of this year.")
    assert "(https://x.example/a-long-path/to/it) for every day" in markdown(pdf(address))


@pytest.mark.parametrize(
    ("first", "second", "joined"), [("한국어 문장은", "띄어쓰기를 한다", " "), ("日本語の文は", "続きます", "")]
)
def test_lines_are_joined_as_their_script_requires(first, second, joined):
    codes = [
        f"BT /F1 12 Tf 72 {y} Td <{line.encode('utf-16-be').hex()}> Tj ET " for y, line in ((700, first), (686, second))
    ]
    assert markdown(composite("".join(codes).encode(), IDENTITY_MAP)) == f"{first}{joined}{second}\n"


def test_the_title_and_headings_come_from_the_outline():
    objects = page_objects([text(12, 72, 700, "Background") + lines("Some body text follows it here.", y=660)])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>"
    objects[7] = "<< /First 8 0 R >>"
    objects[8] = "<< /Title (1 Background) /Next 8 0 R /First 9 0 R >>"
    objects[9] = "<< /Title <FEFF00DC> >>"
    objects[10] = "<< /Title (Microsoft Word - Report on tests.docx) >>"
    document = convert(with_table(objects, "/Info 10 0 R"), "pdf")
    assert document.title == "Report on tests"
    assert document.markdown == "# Background\n\nSome body text follows it here.\n"


def test_tags_decide_what_is_a_heading():
    content = b"/H1 << /MCID 0 >> BDC " + text(12, 72, 700, "Tagged") + b" EMC /P << /MCID 1 >> BDC "
    objects = page_objects([content + text(24, 72, 660, "large but no heading") + b" EMC"])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>"
    objects[7] = "<< /K [8 0 R 9 0 R 7 0 R] /RoleMap << /Kopf /H2 >> >>"
    objects[8] = "<< /S /Kopf /Pg 3 0 R /K 0 >>"
    objects[9] = "<< /S /P /Pg 3 0 R /K [<< /Type /MCR /MCID 1 >>] >>"
    assert markdown(with_table(objects)) == "## Tagged\n\nlarge but no heading\n"


def test_tagged_items_with_drawn_bullets_are_items():
    parts = [b"/P << /MCID %d >> BDC " % at + text(12, 90, 700 - 40 * at, word) + b" EMC "
             for at, word in enumerate(("first", "more of it", "second"))]  # fmt: skip
    objects = page_objects([b"".join(parts)])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>"
    objects[7] = "<< /K << /S /L /K [8 0 R 9 0 R] >> >>"
    paragraph = "<< /S /P /Pg 3 0 R /K {} >>"
    objects[8] = f"<< /S /LI /K << /S /LBody /K [{paragraph.format(0)} {paragraph.format(1)}] >> >>"
    objects[9] = f"<< /S /LI /K [<< /S /Lbl >> {paragraph.format(2)}] >>"
    assert markdown(with_table(objects)) == "- first\n\nmore of it\n\n- second\n"


def test_the_label_and_the_lines_of_a_tagged_item_are_one_item():
    parts = [(74, 700, "1."), (90, 700, "The first item is so long that it needs"), (90, 686, "a second line."),
             (74, 672, "2."), (90, 672, "Next")]  # fmt: skip
    marked = [b"/P << /MCID %d >> BDC " % at + text(12, *part) + b" EMC " for at, part in enumerate(parts)]
    objects = page_objects([b"".join(marked)])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>"
    objects[7] = "<< /K << /S /L /K [8 0 R 9 0 R] >> >>"
    objects[8] = "<< /S /LI /K [<< /S /Lbl /Pg 3 0 R /K 0 >> << /S /LBody /Pg 3 0 R /K [1 2] >>] >>"
    objects[9] = "<< /S /LI /K [<< /S /Lbl /Pg 3 0 R /K 3 >> << /S /LBody /Pg 3 0 R /K 4 >>] >>"
    assert markdown(with_table(objects)) == "1. The first item is so long that it needs a second line.\n2. Next\n"


@pytest.mark.parametrize(("size", "shown"), [(24, "# Report"), (18, "Report")])
def test_a_title_that_is_tagged_as_a_paragraph_is_above_the_headings_in_larger_type(size, shown):
    content = text(size, 72, 740, "Report"), text(18, 72, 700, "Tagged"), text(12, 72, 660, "body")
    marked = [b"/P << /MCID %d >> BDC " % number + part + b" EMC " for number, part in enumerate(content)]
    objects = page_objects([b"".join(marked)])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>"
    objects[7] = "<< /K [8 0 R 9 0 R 10 0 R] >>"
    objects.update({8 + at: f"<< /S /{kind} /Pg 3 0 R /K {at} >>" for at, kind in enumerate(("P", "H2", "P"))})
    assert markdown(with_table(objects)) == f"{shown}\n\n## Tagged\n\nbody\n"


def tagged_pages(contents, item):
    """Return a file whose pages have one marked content each, all of it in one list item."""
    marked = [b"/LBody << /MCID 0 >> BDC " + content + b" EMC" for content in contents]
    objects = page_objects(marked)
    parts = " ".join(f"<< /Type /MCR /MCID 0 /Pg {3 + 2 * number} 0 R >>" for number in range(len(contents)))
    root = max(objects) + 1
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R /StructTreeRoot {root} 0 R >>"
    objects[root] = f"<< /K << /S /L /K << /S /LI /K {item.format(parts)} >> >> >>"
    return with_table(objects)


@pytest.mark.parametrize("item", ["<< /S /LBody /K [{}] >>", "[<< /S /Lbl >> << /S /P /K [{}] >>]"])
def test_a_tagged_item_that_continues_on_the_next_page_is_one_item(item):
    first = lines("Neap tides are named", "after the town of")
    assert markdown(tagged_pages([first, lines("Neap, as some say.")], item)) == (
        "- Neap tides are named after the town of Neap, as some say.\n"
    )
    ended = lines("Neap tides are low.")
    assert markdown(tagged_pages([ended, lines("Spring tides are high.")], item)) == (
        "- Neap tides are low.\n\nSpring tides are high.\n"
    )


def test_one_note_names_all_pages_that_are_cut(monkeypatch):
    monkeypatch.setattr("webtool.documents.pdf.interpreter.MAX_SPANS", 1)
    monkeypatch.setattr("webtool.documents.pdf.interpreter._CLOCK_CHECK_MASK", 0)
    notes = []
    source = Source(pdf(*[lines("one", "two", "three", "four")] * 12), "pdf", Budget(10_000), notes, {})
    convert_source(source)
    assert notes[:1] == [
        "Pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more were not read to their end: they hold very much, or time was up."
    ]


def test_a_long_chain_of_lengths_does_not_cost_the_document():
    objects = page_objects([text(12, 72, 700, "The text stays")])
    for number in range(100, 2100):
        objects[number] = f"<< /Length {number + 1} 0 R >>\nstream\nq\nendstream"
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /Outlines 100 0 R >>"
    assert markdown(with_table(objects)) == "The text stays\n"


def test_half_of_a_surrogate_pair_is_no_text():
    font = "<< /Type /Font /Subtype /Type0 /Encoding /UniJIS-UTF32-H /DescendantFonts [<< /DW 1000 >>] >>"
    data = pdf(b"BT /F1 12 Tf 72 700 Td <000000610000D80000000062> Tj ET", fonts={"F1": font})
    assert markdown(data) == "ab\n"


@pytest.mark.parametrize("default", ["500", "500.0"])
def test_the_default_width_of_a_composite_font_may_be_a_real_number(default):
    font = f"<< /Type /Font /Subtype /Type0 /Encoding /UniJIS-UCS2-H /DescendantFonts [<< /DW {default} >>] >>"
    shown = b"BT /F1 12 Tf 72 700 Td <00610062> Tj 10 0 Td <00630064> Tj ET"
    assert markdown(pdf(shown, fonts={"F1": font})) == "ab cd\n"


@pytest.mark.parametrize("key", ["StructTreeRoot", "Outlines", "OCProperties", "Metadata"])
def test_an_object_that_cannot_be_read_counts_as_missing(key):
    objects = page_objects([text(12, 72, 700, "The text stays")])
    objects[9] = "[" * 300
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R /{key} 9 0 R >>"
    assert markdown(with_table(objects)) == "The text stays\n"


def test_the_links_of_a_page_are_bounded_by_its_spans(monkeypatch):
    link = "<< /Subtype /Link /Rect [70 {} 90 {}] /A << /URI (http://a.example/{}) >> >>"
    annotations = " ".join(link.format(695 - 40 * at, 715 - 40 * at, at) for at in range(3))
    data = pdf(lines("one", "two", "three", step=40), extra=f"/Annots [{annotations}]")
    assert markdown(data).count("](http") == 3
    monkeypatch.setattr("webtool.documents.pdf.pages._MAX_LINK_CHECKS", 6)
    assert markdown(data).count("](http") == 2


LONG = "what it does said at length in", "two lines that come close to the next"
# Rows of cells: words, left end, attributes of the cell. Only the tags separate the columns.
TAGGED = {
    "cells of many lines": (
        [[("Name", 72), ("Meaning", 110)], [("open", 72), (LONG, 110)], [("shut", 72), ("closes", 110)]],
        f"| Name | Meaning |\n| --- | --- |\n| open | {' '.join(LONG)} |\n| shut | closes |",
    ),
    "cells over rows and columns": (
        [[("Name", 72, "/RowSpan 2"), ("Sizes", 150, "/ColSpan 2")], [("small", 110), ("large", 190)], [("hat", 72), ("1", 110), ("2", 190)]],
        "| Name | Sizes |  |\n| --- | --- | --- |\n|  | small | large |\n| hat | 1 | 2 |",
    ),
    "an empty cell that is left out": (
        [[("Name", 72), ("Count", 130), ("Price", 190)], [("fox", 72), ("5.00", 190)], [("hare", 72), ("3", 130), ("7.00", 190)]],
        "| Name | Count | Price |\n| --- | --- | --- |\n| fox |  | 5.00 |\n| hare | 3 | 7.00 |",
    ),
    "an empty cell": (
        [[("Name", 72), ("Count", 110), ("Price", 150)], [("fox", 72), ("", 110), ("5.00", 150)]],
        "| Name | Count | Price |\n| --- | --- | --- |\n| fox |  | 5.00 |",
    ),
}  # fmt: skip


def tagged(rows):
    """Return a page with a tagged table and a sentence after it."""
    content, elements, count = b"", [], 0
    for at, row in enumerate(rows):
        cells = []
        for words, x, *attrs in row:
            lines = [words] if isinstance(words, str) else words
            content += b"/P << /MCID %d >> BDC " % count
            content += b"".join(text(12, x, 700 - 30 * at - 14 * n, line) for n, line in enumerate(lines)) + b" EMC "
            kid = f"/K {count}" if words else ""
            cells.append(f"<< /S /TD /Pg 3 0 R {kid} /A << /O /Table {' '.join(attrs)} >> >>")
            count += 1
        elements.append(f"<< /S /TR /K [{' '.join(cells)}] >>")
    objects = page_objects([content + text(12, 72, 500, "Behind the table.")])
    objects[1] = "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 7 0 R >>"
    objects[7] = f"<< /K << /S /Table /K [<< /S /TBody /K [{' '.join(elements)}] >>] >> >>"
    return with_table(objects)


@pytest.mark.parametrize("name", TAGGED)
def test_tagged_tables_keep_their_cells(name):
    rows, expected = TAGGED[name]
    assert markdown(tagged(rows)) == f"{expected}\n\nBehind the table.\n"


def test_tagged_tables_that_are_nearly_empty_are_text():
    """Each row would have 192 places for two texts."""
    wide = "/ColSpan 64"
    rows = [[(f"a{n}", 72, wide), (f"b{n}", 300, wide), ("", 400, wide)] for n in range(20)]
    made = markdown(tagged(rows))
    assert all(f"a{n}" in made for n in range(20))
    assert made.count("|") < 500


RTL = [
    ("םלוע םולש", "שלום עולם"),
    (".םלוע 42 םולש", "שלום 42 עולם."),
    ("Hebrew: םולש.", "Hebrew: שלום."),
    ("١٤٣٤/٠٢ ליפא ١٤", "١٤ אפיל ١٤٣٤/٠٢"),
    ("m² םולש", "שלום m²"),
    ("$25 וא 40% ,10-20 חווט", "טווח 10-20, 40% או $25"),
    ("1234567 03 ןופלט", "טלפון 03 1234567"),
    (".)השדח( Python 3.11-ו ++C", "C++ ו-Python 3.11 (חדשה)."),  # brackets by their meaning
    (".(השדח) f(x) ןכ", "כן f(x) (חדשה)."),  # brackets as they look
    ("%40 ةبسن", "نسبة 40%"),
    ("20-10 نيب", "بين 10-20"),
    ("⽂⽇ a", "文日 a"),  # radicals, which fonts show as the ideographs
]


@pytest.mark.parametrize(("shown", "logical"), RTL)
def test_right_to_left_text_is_put_in_reading_order(shown, logical):
    body = composite(show(shown.encode("utf-16-be")), False, "/UniXX-UCS2-H")
    assert markdown(body).strip() == logical


def test_a_link_in_right_to_left_text_keeps_its_words():
    def span(x, words):
        return Span(x, 700.0, x + 6.0 * len(words), 10.0, words, Font("Times"), 0, -1)

    links = [((70.0, 690.0, 101.0, 710.0), "https://e.example/")]
    (line,) = segments([span(72, "םלוע"), span(100, "ראת"), span(122, "םולש")], links)
    assert (line.text, line.runs) == ("שלום תאר עולם", [("שלום תאר ", ""), ("עולם", "https://e.example/")])
    (line,) = segments([span(72, "ab"), span(90, "םולש")], [((88.0, 690.0, 130.0, 710.0), "https://e.example/")])
    assert [url for _, url in line.runs] == ["https://e.example/", ""]


# Hostile files: bounded work, and only a Document or a coded error.

HOSTILE = {
    "filters on filters": lambda: with_table({**OBJECTS, 4: stream(b"x", "/Filter [" + "/FlateDecode " * 5000 + "]")}),
    "streams without an end": lambda: (
        b"%PDF-1.4\n" + b"".join(b"%d 0 obj <</Length 9>> stream\n" % n for n in range(1, 3000))
    ),
    "objects that need each other": lambda: with_table(
        {**OBJECTS, 4: b"<< /Length 5 0 R >>\nstream\n" + HELLO + b"\nendstream", 5: "6 0 R", 6: "5 0 R"}
    ),
    "nested arrays": lambda: with_table({**OBJECTS, 4: b"[" * 50_000}),
    "page tree of a million": lambda: with_table({**OBJECTS, 2: "<< /Kids [" + "3 0 R " * 300_000 + "] >>"}),
    "prev in a circle": lambda: PLAIN.replace(b"/Root 1 0 R", b"/Prev 9 /Root 1 0 R"),
    "huge table": lambda: PLAIN.replace(b"xref\n0 5", b"xref\n0 999999999"),
    "deep forms": lambda: with_table(page_objects([b"/X Do " * 5000], resources="/XObject << /X 4 0 R >>")),
    "many saves": lambda: pdf(b"q " * 200_000 + HELLO),
    "unclosed string": lambda: pdf(b"BT /F1 12 Tf (" + b"(" * 200_000),
    "wide ranges": lambda: composite(show(b"\x00\x01")).replace(b"<0010> <0012> <0061>", b"<0000> <FFFFFFFF> <0061>"),
}


def test_a_decompression_bomb_is_cut(monkeypatch):
    monkeypatch.setattr(file, "MAX_STREAM", 1 << 20)
    bomb = stream(b"BT /F1 1 Tf (x) Tj ET " * 1_000_000, compress=True)
    began = time.process_time()
    assert outcome(with_table(page_objects([bomb])), "pdf")[0] == "EXTRACT_FAILED"
    assert time.process_time() - began < 6  # the whole stream takes 14 seconds


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_read_in_bounded_time(name):
    body = HOSTILE[name]()
    began = time.process_time()
    code, _ = outcome(body, "pdf", deadline=time.monotonic() + 10)
    assert code in CODES
    assert time.process_time() - began < 30


def test_a_deadline_cuts_the_text_with_a_note():
    body = pdf(*[HELLO] * 5)
    document = convert(body, "pdf", deadline=time.monotonic() - 1)
    assert document.note == "Only 1 of 5 pages were read before the deadline."


def test_layout_stops_at_its_own_share_of_the_time(monkeypatch):
    monkeypatch.setattr(pdf_room, "_LAYOUT_SHARE", -1)  # reading still has its share
    body = pdf(*[text(12, 72, 700, word) for word in ("Kelp", "Dunes", "Reeds")])
    document = convert(body, "pdf", deadline=time.monotonic() + 60)
    assert document.note == "Only 1 of 3 pages were put in order before the deadline."
    assert document.markdown == "Kelp\n"


SEEDS = [PLAIN, FILES["xref stream"], FILES["encrypted with RC4"], composite(show(b"\x00\x01")), pdf(LAYOUTS[9][0])]


@settings(max_examples=150)
@given(st.data())
def test_mutated_files_only_fail_with_a_code(data):
    pieces = st.one_of(st.binary(max_size=5), st.sampled_from([b"<<", b"[", b"999999999", b"R", b">>"]))
    body = mutated(data, data.draw(st.sampled_from(SEEDS)), 6, pieces)
    code, document = outcome(body, "pdf", deadline=time.monotonic() + 20)
    assert code in CODES
    assert document is None or document.markdown


@settings(max_examples=100)
@given(st.lists(st.sampled_from([b"BT", b"ET", b"q", b"Q", b"(a) Tj", b"/F1 12 Tf", b"1 0 0 1 72 700 Tm", b"[(a) -900 (b)] TJ",
    b"<< /MCID 0 >>", b"/P", b"BDC", b"EMC", b"-5 Tc", b"0 Tz", b"1e9 0 Td", b"99999999999 Ts", b"0 0 0 0 0 0 cm", b"/X Do", b"BI",
    b"ID", b"EI", b"10 10 100 100 re S", b"T*", b"'", b"nan", b"()"]), max_size=40))  # fmt: skip
def test_any_sequence_of_operators_is_read(operators):
    code, _ = outcome(pdf(b" ".join([HELLO, *operators])), "pdf")
    assert code in ("", "EXTRACT_FAILED")


# Units of a long content stream: a repeated group of a pattern must not keep a state for each of them.
LONG_CONTENTS = [
    b"0 0 m ",
    b"%\n",
    b"%x\r",
    b"1 ",
    b"0 0 9 1 re f ",
    b"BI ID x EI ",
    b"[",
    b"q ",
    b"/A BMC ",
    b"/A ",
    b"[1] ",
]


@pytest.mark.parametrize("unit", LONG_CONTENTS)
def test_long_contents_take_little_memory(unit):
    body = pdf(stream(unit * (110_000 // len(unit)), compress=True))
    tracemalloc.start()
    try:
        outcome(body, "pdf")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3_600_000


def test_operators_after_many_path_operators_and_comments_are_carried_out():
    page = b"0 0 m " * 5000 + b"S\n" + b"%\n" * 5000 + text(12, 72, 700, "the words")
    assert convert(pdf(page), "pdf").markdown == "the words\n"


def test_notes_on_missing_pages_are_added_only_if_some_are_missing(monkeypatch):
    monkeypatch.setattr("webtool.documents.pdf.pages.MAX_PAGES", 3)
    contents = [text(12, 72, 700, word) for word in ("one", "two", "three", "four")]
    assert convert(pdf(*contents[:3]), "pdf").note == ""
    assert convert(pdf(*contents), "pdf").note == "Only the first 3 pages are read."


@pytest.mark.parametrize(("characters", "is_note"), [(50, True), (150, False)])
def test_a_budget_that_ends_with_the_last_page_misses_none(characters, is_note):
    notes = []
    convert_source(
        Source(pdf(text(12, 72, 700, "one"), text(12, 72, 700, "two")), "pdf", Budget(characters), notes, {})
    )
    assert ("Only 1 of 2 pages were read: they hold very much text." in notes) is is_note
    assert not any("2 of 2" in note for note in notes)


def test_the_title_in_encrypted_metadata_is_read():
    xmp = b"<x:xmpmeta><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Tides</rdf:li></rdf:Alt></dc:title></x:xmpmeta>"
    catalog = OBJECTS[1].replace("/Pages", "/Metadata 9 0 R /Pages")
    objects = {**OBJECTS, 1: catalog, 9: stream(xmp, "/Type /Metadata /Subtype /XML")}
    assert convert(with_table(objects), "pdf").title == "Tides"
    assert convert(writers.encrypted(objects), "pdf").title == "Tides"


def test_streams_without_an_end_do_not_lose_a_file_without_a_table():
    junk = b"".join(b"%d 0 obj\n<< /Type /XRef >>\nstream\n%d\n" % (number, number) for number in range(100, 160))
    head, mark, rest = PLAIN.partition(b"xref\n")[0].partition(b"1 0 obj")
    assert markdown(head + mark + rest + junk) == "Hello, world.\n"
