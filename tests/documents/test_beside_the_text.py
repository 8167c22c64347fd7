# ruff: noqa: E501 (cases read best on one line)
"""Comments, page headers and footers, text boxes, hidden text and list numbers of office documents."""

import io

import pytest
from documents import writers
from documents.writers import docx, odf, p, pptx, relationships, xlsx

from webtool.documents import convert

GROUPS = (
    "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    " xmlns:wps='http://schemas.microsoft.com/office/word/2010/wordprocessingShape'"
    " xmlns:wpg='http://schemas.microsoft.com/office/word/2010/wordprocessingGroup'"
)
WORD = f"xmlns:w='{writers.W}'"


def box(text):
    return f"<wps:wsp><wps:txbx><w:txbxContent>{p(text)}</w:txbxContent></wps:txbx></wps:wsp>"


GROUP = (
    f"<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent {GROUPS}><mc:Choice><w:drawing><wp:inline><wpg:wgp>"
    f"{box('one')}{box('two')}<wpg:grpSp>{box('three')}</wpg:grpSp>{box('four')}</wpg:wgp></wp:inline></w:drawing></mc:Choice>"
    f"<mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>{p('one')}</w:txbxContent></v:textbox></v:shape></w:pict>"
    "</mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>after</w:t></w:r></w:p>"
)


def test_word_text_boxes_in_a_group_keep_their_order_and_separate_words():
    assert convert(docx(GROUP), "docx").markdown == "before after\n\none\n\ntwo\n\nthree\n\nfour\n"
    table = f"<w:tbl><w:tr><w:tc>{GROUP}</w:tc><w:tc>{p('x')}</w:tc></w:tr></w:tbl>"
    assert "| before after<br>one<br>two<br>three<br>four | x |" in convert(docx(table), "docx").markdown


def test_word_comments_become_notes_with_their_author():
    comments = f"<w:comments {WORD}><w:comment w:id='3' w:author='A. Reader'>{p('Is it so?')}{p('I doubt it.')}</w:comment></w:comments>"
    body = "<w:p><w:commentRangeStart w:id='3'/><w:r><w:t>It is.</w:t></w:r><w:r><w:commentReference w:id='3'/></w:r></w:p>"
    made = convert(docx(body, {"comments.xml": comments}, c="comments comments.xml"), "docx")
    assert made.markdown == "It is.[^1]\n\n[^1]: Comment (A. Reader): Is it so?\n\n    I doubt it.\n"


def head(kind, text):
    tag = {"header": "hdr", "footer": "ftr"}[kind]
    return f"<w:{tag} {WORD}>{text}</w:{tag}>"


def test_word_headers_are_shown_once_without_page_numbers():
    parts = {
        "h1.xml": head("header", p("Invoice 4711")),
        "h2.xml": head("header", p("Invoice 4711")),
        "f1.xml": head("footer", p("IBAN DE02")),
        "f2.xml": head("footer", "<w:p><w:r><w:t>Page </w:t></w:r><w:r><w:t>1</w:t></w:r></w:p>"),
    }
    made = docx(p("Dear reader"), parts, h="header h1.xml", i="header h2.xml", f="footer f1.xml", g="footer f2.xml")
    assert convert(made, "docx").markdown == "Invoice 4711\n\nDear reader\n\nIBAN DE02\n"


def test_hidden_text_is_left_out_and_counted():
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>not for you</w:t></w:r><w:del><w:r><w:delText>old words</w:delText></w:r></w:del></w:p>"
    assert (
        convert(docx(p("shown") + hidden), "docx").note == "Left out: 5 hidden words (3 marked as hidden, 2 deleted)."
    )
    tracked = "<text:tracked-changes><text:changed-region><text:deletion><text:p>old words</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    made = convert(odf("text", f"{tracked}<text:p>shown</text:p>"), "odt")
    assert (made.markdown, made.note) == ("shown\n", "Left out: 2 hidden words (2 deleted).")
    sheet = "<cols><col min='2' max='2' hidden='1'/></cols><sheetData><row r='1'><c r='A1'><v>1</v></c><c r='B1'><v>2</v></c></row><row r='2' hidden='1'><c r='A2'><v>3</v></c></row></sheetData>"
    made = convert(xlsx({"One": sheet, "Hidden": sheet}), "xlsx")
    assert made.note == "Left out: 1 hidden sheet. Left out: 2 cells in hidden rows or columns."
    assert (
        convert(pptx("", parts={"slide0.xml": f"<p:sld show='0' xmlns:p='{writers.P}'/>"}), "pptx").note
        == "Left out: 1 hidden slide."
    )


def test_hidden_rows_and_columns_of_opendocument_sheets_are_counted():
    cell = "<table:table-cell><text:p>1</text:p></table:table-cell>"
    rows = f"<table:table-row>{cell}</table:table-row><table:table-row table:visibility='collapse'>{cell}{cell}</table:table-row>"
    columns = "<table:table-column/><table:table-column table:visibility='collapse' table:number-columns-repeated='2'/>"
    rows += f"<table:table-row>{cell * 3}</table:table-row>"
    made = convert(odf("spreadsheet", f"<table:table table:name='S'>{columns}{rows}</table:table>"), "ods")
    assert made.markdown == "## S\n\n| 1 |\n| --- |\n| 1 |\n"
    assert made.note == "Left out: 4 cells in hidden rows or columns."


ANNOTATION = "<office:annotation><dc:creator xmlns:dc='http://purl.org/dc/elements/1.1/'>A. Reader</dc:creator><text:p>Is it so?</text:p></office:annotation>"
SHAPES = (
    "<text:p>before<draw:g><draw:custom-shape><text:p>one</text:p></draw:custom-shape><draw:g><draw:rect><text:p>two</text:p></draw:rect></draw:g>"
    "<draw:frame><draw:text-box><text:p>three</text:p></draw:text-box></draw:frame></draw:g></text:p>"
)
ODF = [
    ("text", f"<text:p>It is.{ANNOTATION}</text:p>", "It is.[^1]\n\n[^1]: Comment (A. Reader): Is it so?\n"),
    ("text", SHAPES, "before\n\none\n\ntwo\n\nthree\n"),
    (
        "text",
        f"<table:table><table:table-row><table:table-cell><text:p>a{ANNOTATION}</text:p></table:table-cell></table:table-row></table:table>",
        "| a[^1] |\n| --- |\n\n[^1]: Comment (A. Reader): Is it so?\n",
    ),
    (
        "spreadsheet",
        f"<table:table table:name='S'><table:table-row><table:table-cell table:number-columns-repeated='2'/><table:table-cell>{ANNOTATION}<text:p>7</text:p></table:table-cell></table:table-row></table:table>",
        "## S\n\n7\n\nComments:\n\n- C1 (A. Reader): Is it so?\n",
    ),
]


@pytest.mark.parametrize(("kind", "body", "markdown"), ODF)
def test_opendocument_comments_and_shapes_follow_the_text(kind, body, markdown):
    made = odf(kind, body)
    assert convert(made, {"text": "odt", "spreadsheet": "ods"}[kind]).markdown == markdown


def test_opendocument_headers_are_shown_once_without_page_numbers():
    pages = "".join(
        f"<style:master-page><style:header><text:p>Invoice 4711</text:p></style:header><style:footer><text:p>{foot}</text:p></style:footer></style:master-page>"
        for foot in ("Page 1", "IBAN DE02")
    )
    styles = f"<office:document-styles {writers.ODF_SPACES}><office:master-styles>{pages}</office:master-styles></office:document-styles>"
    made = odf("text", "<text:p>Dear reader</text:p>", members={"styles.xml": styles})
    assert convert(made, "odt").markdown == "Invoice 4711\n\nDear reader\n\nIBAN DE02\n"


def test_slide_comments_follow_their_slide():
    comments = f"<p:cmLst xmlns:p='{writers.P}'><p:cm authorId='7'><p:text>Larger type!</p:text></p:cm></p:cmLst>"
    slide = f"<p:sp><p:txBody><a:p><a:r><a:t>{'Text'}</a:t></a:r></a:p></p:txBody></p:sp>"
    made = pptx(slide, parts={"comment1.xml": comments}, c="comments comment1.xml")
    assert convert(made, "pptx").markdown == "## Slide 1\n\nText\n\n**Comments:**\n\n- Larger type!\n"


def test_newer_slide_comments_have_their_authors_and_replies():
    text = "<p188:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p><a:p><a:r><a:t>{}</a:t></a:r></a:p></p188:txBody>"
    spaces = f"xmlns:p188='http://schemas.microsoft.com/office/powerpoint/2018/8/main' xmlns:a='{writers.A}'"
    reply = f"<p188:reply authorId='{{B}}'>{text.format('It is.', 'Look.')}</p188:reply>"
    comment = f"<p188:cm authorId='{{A}}'><p188:replyLst>{reply}</p188:replyLst>{text.format('Is it', 'so?')}</p188:cm>"
    authors = "<p188:author id='{A}' name='Ada'/><p188:author id='{B}' name='Bob'/>"
    slide = "<p:sp><p:txBody><a:p><a:r><a:t>Text</a:t></a:r></a:p></p:txBody></p:sp>"
    made = pptx(slide, parts={"c.xml": f"<p188:cmLst {spaces}>{comment}</p188:cmLst>"}, c="comments c.xml")
    members = {
        "ppt/authors.xml": f"<p188:authorLst {spaces}>{authors}</p188:authorLst>",
        "ppt/_rels/presentation.xml.rels": relationships(s0="slide slides/slide0.xml", a="authors authors.xml"),
    }
    markdown = convert(writers.with_members(made, members), "pptx").markdown
    assert markdown.endswith("**Comments:**\n\n- Ada: Is it so?\n  - Bob: It is. Look.\n")


def test_sheet_comments_and_text_boxes_follow_the_cells():
    drawing = (
        f"<d:wsDr xmlns:d='http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing' xmlns:a='{writers.A}'>"
        "<d:sp><d:txBody><a:p><a:r><a:t>Beside</a:t></a:r></a:p></d:txBody></d:sp><mc:AlternateContent"
        " xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'><mc:Fallback><d:sp><d:txBody><a:p><a:r>"
        "<a:t>This chart isn't available.</a:t></a:r></a:p></d:txBody></d:sp></mc:Fallback></mc:AlternateContent></d:wsDr>"
    )
    comments = (
        f"<comments xmlns='{writers.X}'><authors><author>Ada</author></authors><commentList>"
        "<comment ref='B2' authorId='0'><text><r><t>Ada:</t></r><r><t> a guess</t></r></text></comment></commentList></comments>"
    )
    own = relationships(d="drawing drawing.xml", c="comments comments.xml")
    body = xlsx({"S": "<sheetData><row r='1'><c r='A1'><v>1</v></c></row></sheetData>"})
    made = writers.with_members(
        body, {"xl/_rels/sheet0.xml.rels": own, "xl/drawing.xml": drawing, "xl/comments.xml": comments}
    )
    assert convert(made, "xlsx").markdown == "## S\n\n1\n\nBeside\n\nComments:\n\n- B2 (Ada): a guess\n"


NOTICE = "[{}]\n\nYour version allows: more at https://go.example/?id=1\n\n{}:\n    Check: is it 7?\nReply:\n    Yes"
SHEET_COMMENTS = [  # author, text, and the line of the list
    ("Ada", "Ada: see B7: it differs", "(Ada): see B7: it differs"),
    ("Ada", "Note: a guess", "(Ada): Note: a guess"),
    ("", ": and so on", ": : and so on"),
    ("tc={0A-1}", NOTICE.format("Threaded comment", "Comment"), ": Check: is it 7? Reply: Yes"),
    ("tc={0A-1}", NOTICE.format("Kommentarthread", "Kommentar"), ": Check: is it 7? Reply: Yes"),
]


@pytest.mark.parametrize(("author", "text", "line"), SHEET_COMMENTS)
def test_sheet_comments_keep_their_colons(author, text, line):
    comments = (
        f"<comments xmlns='{writers.X}'><authors><author>{author}</author></authors><commentList>"
        f"<comment ref='B2' authorId='0'><text><t>{text}</t></text></comment></commentList></comments>"
    )
    members = {"xl/_rels/sheet0.xml.rels": relationships(c="comments comments.xml"), "xl/comments.xml": comments}
    made = convert(writers.with_members(xlsx({"S": ""}), members), "xlsx").markdown
    assert made.rpartition("- B2")[2].strip() == line.strip()


@pytest.mark.peers("docx")
def test_comments_written_by_python_docx_are_read():
    import docx

    document = docx.Document()
    paragraph = document.add_paragraph("It is so.")
    document.sections[0].header.paragraphs[0].text = "A letterhead"
    document.add_comment(paragraph.runs, text="Is it?", author="A. Reader")
    out = io.BytesIO()
    document.save(out)
    assert (
        convert(out.getvalue(), "docx").markdown
        == "A letterhead\n\nIt is so.[^1]\n\n[^1]: Comment (A. Reader): Is it?\n"
    )


@pytest.mark.peers("openpyxl")
def test_comments_written_by_openpyxl_are_read():
    import openpyxl

    book = openpyxl.Workbook()
    book.active["B2"] = 7
    book.active["B2"].comment = openpyxl.comments.Comment("A guess", "Ada")
    out = io.BytesIO()
    book.save(out)
    assert convert(out.getvalue(), "xlsx").markdown == "## Sheet\n\n7\n\nComments:\n\n- B2 (Ada): A guess\n"


HIDING = (
    "<style:style style:name='H' style:family='text'><style:text-properties text:display='none'/></style:style>"
    "<style:style style:name='S' style:family='text' style:parent-style-name='H'>"
    "<style:text-properties text:display='true'/></style:style>"
)
HIDDEN_TEXT = [
    ("<text:p>seen <text:span text:style-name='H'>not this</text:span>at all</text:p>", "seen at all", 2),
    ("<text:p text:style-name='H'>not this one</text:p><text:p>seen</text:p>", "seen", 3),
    ("<text:p>seen <text:span text:style-name='S'>again</text:span></text:p>", "seen again", 0),
    ("<text:section text:display='none'><text:p>not this</text:p></text:section><text:p>seen</text:p>", "seen", 2),
]


@pytest.mark.parametrize(("body", "seen", "words"), HIDDEN_TEXT)
def test_hidden_text_of_opendocument_is_left_out_and_counted(body, seen, words):
    made = convert(odf("text", body, HIDING), "odt")
    assert made.markdown.strip() == seen
    assert made.note == (f"Left out: {words} hidden words ({words} marked as hidden)." if words else "")


def test_hidden_slides_of_opendocument_are_counted():
    style = (
        "<style:style style:name='H' style:family='drawing-page'>"
        "<style:drawing-page-properties presentation:visibility='hidden'/></style:style>"
    )
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    pages = [f"<draw:page draw:style-name='{name}'>{box.format(name * 3)}</draw:page>" for name in "AH"]
    made = convert(odf("presentation", "".join(pages), style), "odp")
    assert "AAA" in made.markdown
    assert "HHH" not in made.markdown
    assert made.note == "Left out: 1 hidden slide."


NUMBERED = (
    "<text:list-style style:name='N'><text:list-level-style-number text:level='1' style:num-format='1'/>"
    "</text:list-style>"
)
ITEM = "<text:list-item><text:p>item</text:p></text:list-item>"
CONTINUED = [
    ("xml:id='a'", "text:continue-list='a'", "3. item"),
    ("", "text:continue-numbering='true'", "3. item"),
    ("", "", "1. item"),
    ("", "text:continue-list='gone'", "1. item"),
]


@pytest.mark.parametrize(("first", "second", "line"), CONTINUED)
def test_a_list_continues_the_numbers_of_another_one(first, second, line):
    lists = [f"<text:list {attrs} text:style-name='N'>{ITEM * 2}</text:list>" for attrs in (first, second)]
    made = convert(odf("text", "<text:p>between</text:p>".join(lists), NUMBERED), "odt").markdown
    assert made.partition("between")[2].strip().startswith(line)


def test_a_space_element_with_a_count_of_zero_is_no_text():
    assert convert(odf("text", "<text:p>a<text:s text:c='0'/>b</text:p>"), "odt").markdown == "ab\n"


def test_a_comments_mark_follows_the_words_it_is_about():
    comment = "<office:annotation office:name='1'><text:p>Why?</text:p></office:annotation>"
    body = f"<text:p>{comment}These words<office:annotation-end office:name='1'/> and more</text:p>"
    assert convert(odf("text", body), "odt").markdown.startswith("These words[^1] and more")
