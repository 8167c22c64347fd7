# ruff: noqa: E501 (cases read best on one line)
"""Bounds on the text that a document makes: eight times its bytes, then a note that the text was cut.

Documents refer to a string, a link or a slide many times and so ask for hundreds of times their size. The budget of
these tests is small, so that the documents can be small.
"""

import json
import time
import tracemalloc

import pytest
from documents import writers as w
from growing import growth

from webtool.documents import convert, xlsx
from webtool.errors import FetchTooLarge

MAX_BYTES = 100_000
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def table(rows):
    return f"<table:table table:name='T'>{rows}</table:table>"


def row(cells, times=1):
    return f"<table:table-row table:number-rows-repeated='{times}'>{cells}</table:table-row>"


def cell(text, times=1):
    return f"<table:table-cell table:number-columns-repeated='{times}'><text:p>{text}</text:p></table:table-cell>"


def sheet(cells):
    rows = "".join(f"<row r='{number}'>{text}</row>" for number, text in enumerate(cells, 1))
    return {"S": f"<sheetData>{rows}</sheetData>"}


def format_of(code):
    return f"<numFmts><numFmt numFmtId='200' formatCode='{code}'/></numFmts><cellXfs><xf numFmtId='200'/></cellXfs>"


FAR = "hyperlink http://e.example/" + "a" * 20_000 + " external"
TEXT = "x" * 20_000
SLIDE = "<p:sp><p:txBody>" + "<a:p><a:r><a:t>said again</a:t></a:r></a:p>" * 50 + "</p:txBody></p:sp>"
SLIDES = w.with_members(
    w.pptx(SLIDE),
    {
        "ppt/presentation.xml": f"<p:presentation xmlns:p='{w.P}' xmlns:r='{OFFICE}'><p:sldIdLst>"
        + "<p:sldId r:id='s0'/>" * 3000
        + "</p:sldIdLst></p:presentation>"
    },
)
CHART = (
    f"<c:chartSpace xmlns:c='{w.C}'><c:ser><c:val>"
    + "".join(f"<c:pt idx='{at}'><c:v>7</c:v></c:pt>" for at in range(500))
    + "</c:val></c:ser></c:chartSpace>"
)

CUT = {
    "a cell repeated": ("ods", w.odf("spreadsheet", table(row(cell("a")) + row(cell(TEXT, 900))))),
    "a row repeated": ("ods", w.odf("spreadsheet", table(row(cell(TEXT), 900)))),
    "cells of a table repeated": ("odt", w.odf("text", "<text:p>a</text:p>" + table(row(cell("x", 1000)) * 50))),
    "spaces counted": ("odt", w.odf("text", "<text:p>a</text:p><text:p>" + "<text:s text:c='200'/>" * 9000 + "</text:p>")),
    "a shared string": ("xlsx", w.xlsx(sheet(["<c t='s'><v>0</v></c>"] * 900), strings=[TEXT])),
    "a number format": ("xlsx", w.xlsx(sheet(["<c s='0'><v>1</v></c>"] * 3000), styles=format_of('0"' + "x" * 900 + '"'))),
    "spans of cells": (
        "docx",
        w.docx(w.p("a") + "<w:tbl>" + ("<w:tr>" + ("<w:tc><w:tcPr><w:gridSpan w:val='64'/></w:tcPr>" + w.p("x")
                                           + "</w:tc>") * 9 + "</w:tr>") * 90 + "</w:tbl>"),
    ),
    "a link's target": (
        "docx",
        w.docx("<w:p><w:hyperlink r:id='l'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>" * 900, l=FAR),
    ),
    "a slide": ("pptx", SLIDES),
    "a chart": (
        "pptx",
        w.pptx("<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>" * 90, parts={"c.xml": CHART}, c="chart c.xml"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CUT)
def test_text_is_cut_with_a_note(name):
    kind, body = CUT[name]
    tracemalloc.start()
    made = convert(body, kind, max_bytes=MAX_BYTES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "The text was cut" in made.note
    assert 0 < len(made.markdown) <= 8 * MAX_BYTES * 1.01  # and the frames of tables
    assert peak < 30 * 8 * MAX_BYTES


def test_a_sheet_of_nearly_empty_rows_is_a_list_of_cells():
    def name(at):
        return chr(65 + at // 26 % 26) + chr(65 + at % 26)

    diagonal = [f"<c r='{name(at)}{at + 1}'><v>{at}</v></c>" for at in range(26, 676)]
    rows = "".join(f"<row r='{at + 27}'>{text}</row>" for at, text in enumerate(diagonal))
    made = convert(w.xlsx({"S": f"<sheetData>{rows}</sheetData>"}), "xlsx")
    assert (len(made.markdown) < 12_000, "- ZZ676: 675" in made.markdown, made.note) == (True, True, "")


@pytest.mark.parametrize("ref", ["A1:A9999999", "B1:A9999999", "A1:XFD9999999", "A1:A290000"])
def test_links_of_huge_ranges_cost_little(ref, monkeypatch):
    monkeypatch.setattr(xlsx, "MAX_CELLS", 3000)
    cells = "<sheetData><row r='1'><c r='A1'><v>7</v></c></row></sheetData>"
    links = f"<hyperlink ref='{ref}' r:id='h'/>" * 9
    body = w.xlsx({"S": f"{cells}<hyperlinks>{links}</hyperlinks>"}, h="hyperlink https://e.example/ external")
    tracemalloc.start()
    made = convert(body, "xlsx")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ("[7](https://e.example/)" in made.markdown) is (ref[0] == "A")
    assert peak < 4_000_000


def test_a_chapter_listed_many_times_is_read_once():
    body = w.epub({"a.xhtml": "<html><body><p>once</p></body></html>"})
    item = "<itemref idref='i'/>"
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf'><manifest><item id='i' href='a.xhtml' media-type='application/xhtml+xml'/>"
        f"</manifest><spine>{item * 9000}</spine></package>"
    )
    assert convert(w.with_members(body, {"OPS/book.opf": package}), "epub").markdown == "once\n"


def test_a_book_of_many_chapters_ends_within_the_budget():
    chapter = "<html><body>" + "<p>words of a chapter</p>" * 4000 + "</body></html>"
    made = convert(w.epub({f"{at}.xhtml": chapter for at in range(20)}), "epub", max_bytes=MAX_BYTES)
    assert "The text was cut" in made.note
    assert 80_000 < len(made.markdown) <= 8 * MAX_BYTES


def test_only_the_beginning_of_a_member_larger_than_the_budget_is_read():
    made = convert(w.docx(w.p("first") + w.p("x" * 99) * 20_000), "docx", max_bytes=MAX_BYTES)
    assert made.markdown.startswith("first\n\n")
    assert "what is here is its beginning" in made.note


@pytest.mark.parametrize("kind", ["feed", "sitemap", "opml"])
def test_a_long_base_url_is_not_written_out_with_every_link(kind):
    texts = {
        "feed": "<rss><channel>" + "<item><title>t</title><link>x</link></item>" * 900 + "</channel></rss>",
        "sitemap": "<urlset>" + "<url><loc>x</loc></url>" * 900 + "</urlset>",
        "opml": "<opml><body>" + "<outline text='x' htmlUrl='y'/>" * 900 + "</body></opml>",
    }
    made = convert(texts[kind].encode(), kind, url="https://e.example/" + "a" * 20_000 + "/f")
    assert len(made.markdown) < 40_000


def test_a_document_without_any_text_within_the_budget_is_too_large():
    import gzip

    with pytest.raises(FetchTooLarge, match="would make more than 800,000 characters"):
        convert(gzip.compress(b"a" * 900_000), "gzip", max_bytes=MAX_BYTES)


def test_a_note_says_how_many_sheets_or_links_are_left_out():
    sheets = xlsx_of_many_sheets(600)
    assert convert(sheets, "xlsx").note == "Only the first 500 of 600 sheets are read."
    many = w.odf("spreadsheet", "".join(table(row(cell(str(at)))) for at in range(600)))
    assert convert(many, "ods").note == "Only the first 500 of 600 sheets are read."
    outline = "<opml><body>" + "<outline text='x'/>" * 20_001 + "</body></opml>"
    assert convert(outline.encode(), "opml").note == "Only the first 20,000 links are shown."


def xlsx_of_many_sheets(count):
    """Return a workbook that names its one sheet many times."""
    names = "".join(f"<sheet name='n{at}' sheetId='{at}' r:id='s0'/>" for at in range(count))
    book = f"<workbook xmlns='{w.X}' xmlns:r='{OFFICE}'><sheets>{names}</sheets></workbook>"
    return w.with_members(w.xlsx(sheet(["<c><v>1</v></c>"])), {"xl/workbook.xml": book})


def notebook(text):
    output = {"output_type": "stream", "text": text}
    return json.dumps({"cells": [{"cell_type": "code", "source": "x", "outputs": [output]}]}).encode()


def in_format(code):
    return w.xlsx(sheet(["<c s='0'><v>1</v></c>"]), styles=format_of(code))


def shared_formula(formula):
    cells = [f"<c><f t='shared' si='0'>{formula}</f></c>", "<c><f t='shared' si='0'/></c>"]
    return w.xlsx(sheet(cells))


def lists_of_one_style(count):
    levels = "".join(f"<w:lvl w:ilvl='{level}'/>" for level in range(count))
    style = f"<w:abstractNum w:abstractNumId='s'><w:styleLink w:val='S'/>{levels}</w:abstractNum>"
    link = "<w:abstractNum w:abstractNumId='{}'><w:numStyleLink w:val='S'/></w:abstractNum>"
    lists = "".join(link.format(number) for number in range(count))
    numbering = f"<w:numbering xmlns:w='{w.W}'>{style}{lists}</w:numbering>"
    return w.docx(w.p("text"), {"numbering.xml": numbering}, n="numbering numbering.xml")


def groups_of_shapes(count):
    shape = "<p:sp><p:spPr><a:xfrm><a:off x='0' y='0'/><a:ext cx='9' cy='9'/></a:xfrm></p:spPr></p:sp>"
    return w.pptx(f"<p:grpSp>{shape * 20}</p:grpSp>" * (count // 20))


ATTACHED = (
    "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: image/png\n"
    "Content-Disposition: attachment{}\n\nx\n--b\n\nhello\n--b--"
)
GROWING = {
    "brackets of a number format": ("xlsx", lambda count: in_format("[" * count), 4000),
    "brackets of a formula": ("xlsx", lambda count: shared_formula("[" * count), 4000),
    "a line before a carriage return": ("notebook", lambda count: notebook("a" * count + "\rb"), 20_000),
    "parameters of an attachment": ("mail", lambda count: ATTACHED.format(";a" * count).encode(), 5000),
    "lists of one style": ("docx", lists_of_one_style, 2000),
    "groups of shapes": ("pptx", groups_of_shapes, 4000),
    "imported files": ("docx", lambda count: w.docx("<w:altChunk r:id='x'/>" * count), 1000),
}


@pytest.mark.parametrize("name", GROWING)
def test_time_grows_linearly(name):
    kind, made, size = GROWING[name]

    def cost(count):
        body = made(count)
        start = time.process_time()
        convert(body, kind)
        return time.process_time() - start

    assert not growth(cost, size)


def test_tables_in_tables_of_slides_are_read_once():
    row = "<a:tr><a:tc><a:p><a:r><a:t>x</a:t></a:r></a:p></a:tc></a:tr>"
    frame = f"<p:graphicFrame>{'<a:tbl>' * 9}{row}{'</a:tbl>' * 9}</p:graphicFrame>"
    assert convert(w.pptx(frame), "pptx").markdown.count("x") <= 1


def test_a_shared_formula_is_not_moved_without_bound():
    cells = [f"<c><f t='shared' si='0'>{'A1+' * 3000}1</f></c>", *["<c><f t='shared' si='0'/></c>"] * 999]
    made = convert(w.xlsx(sheet(cells)), "xlsx", max_bytes=MAX_BYTES)
    assert "The text was cut" in made.note
    assert made.markdown.count("=A") < 30


def test_an_imported_file_that_is_missing_leaves_no_mark():
    made = convert(w.docx(w.p("a") + "<w:altChunk r:id='x'/>" * 2), "docx")
    assert (made.markdown, made.note) == ("a\n", "Left out: 1 embedded document.")
