# ruff: noqa: E501 (cases read best on one line)
"""Office documents written by hand: one construct each."""

import pytest
from documents import writers
from documents.writers import docx, epub, odf, outcome, pptx, xlsx, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from webtool.documents import convert, kind_of
from webtool.errors import ExtractFailed

STYLES = f"""<w:styles xmlns:w='{writers.W}'>
<w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>
<w:style w:type='paragraph' w:styleId='H1'><w:name w:val='heading 1'/></w:style>
<w:style w:type='paragraph' w:styleId='Mine'><w:name w:val='Mine'/><w:basedOn w:val='H1'/></w:style>
<w:style w:type='paragraph' w:styleId='Q'><w:name w:val='Quote'/></w:style>
<w:style w:type='paragraph' w:styleId='C'><w:name w:val='HTML Preformatted'/></w:style>
<w:style w:type='paragraph' w:styleId='Loop'><w:name w:val='a'/><w:basedOn w:val='Loop'/></w:style>
<w:style w:type='character' w:styleId='S'><w:name w:val='Strong'/><w:rPr><w:b/></w:rPr></w:style>
</w:styles>"""
NUMBERING = f"""<w:numbering xmlns:w='{writers.W}'>
<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl>
<w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/></w:lvl></w:abstractNum>
<w:num w:numId='5'><w:abstractNumId w:val='0'/></w:num></w:numbering>"""
NOTES = f"""<w:footnotes xmlns:w='{writers.W}'><w:footnote w:id='0' w:type='separator'><w:p/></w:footnote>
<w:footnote w:id='2'><w:p><w:r><w:t>The note.</w:t></w:r></w:p><w:p><w:r><w:t>More.</w:t></w:r></w:p></w:footnote>
</w:footnotes>"""
PARTS = {"styles.xml": STYLES, "numbering.xml": NUMBERING, "footnotes.xml": NOTES}
LINKS = {
    "s": "styles styles.xml",
    "n": "numbering numbering.xml",
    "f": "footnotes footnotes.xml",
    "l": "hyperlink https://e.example/x external",
}


def p(text, style="", numbering="", properties=""):
    """A paragraph of one run."""
    own = f"<w:pStyle w:val='{style}'/>" if style else ""
    if numbering:
        number, depth = numbering
        own += f"<w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{number}'/></w:numPr>"
    return (
        f"<w:p><w:pPr>{own}</w:pPr><w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
    )


def field(kind):
    return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"


WORD = [
    (p("Plain text, 1 &lt; 2"), "Plain text, 1 < 2"),
    (p("A", "T") + p("B", "H1") + p("C", "Mine"), "# A\n\n# B\n\n# C"),
    ("<w:p><w:pPr><w:outlineLvl w:val='2'/></w:pPr><w:r><w:t>Deep</w:t></w:r></w:p>", "### Deep"),
    (p("x", "Loop"), "x"),
    (p("b", properties="<w:b/>") + p("i", properties="<w:i/>"), "**b**\n\n*i*"),
    (p("not", properties="<w:b w:val='0'/>"), "not"),
    (p("strong", properties="<w:rStyle w:val='S'/>"), "**strong**"),
    (p("gone", properties="<w:vanish/>") + p("here"), "here"),
    ("<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>", "new"),
    (p("a", numbering=(5, 0)) + p("b", numbering=(5, 1)) + p("c", numbering=(5, 0)), "- a\n  1. b\n- c"),
    (p("no item", numbering=(0, 0)), "no item"),
    (p("said", "Q"), "> said"),
    (p("if x:", "C") + p("    y", "C"), "```\nif x:\n    y\n```"),
    ("<w:p><w:hyperlink r:id='l'><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>", "[there](https://e.example/x)"),
    (
        f'<w:p>{field("begin")}<w:r><w:instrText>HYPERLINK "https://f.example/"</w:instrText></w:r>{field("separate")}'
        f"<w:r><w:t>field</w:t></w:r>{field('end')}<w:r><w:t> after</w:t></w:r></w:p>",
        "[field](https://f.example/) after",
    ),
    ("<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></w:p>", "one\\\ntwo"),
    ("<w:p><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r></w:p>", "co-op"),
    (
        "<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id='2'/></w:r></w:p>",
        "Text[^1]\n\n[^1]: The note.\n\n    More.",
    ),
    (
        "<w:tbl><w:tr><w:tc>" + p("a|b") + "</w:tc><w:tc>" + p("c") + p("d") + "</w:tc></w:tr>"
        "<w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>" + p("e") + "</w:tc></w:tr></w:tbl>",
        "| a\\|b | c<br>d |\n| --- | --- |\n| e |  |",
    ),
    ("<w:sdt><w:sdtContent>" + p("inside") + "</w:sdtContent></w:sdt>", "inside"),
    (
        "<w:p><w:r><w:drawing><w:txbxContent>" + p("boxed") + "</w:txbxContent></w:drawing></w:r></w:p>",
        "boxed",
    ),
]


@pytest.mark.parametrize(("body", "markdown"), WORD)
def test_word(body, markdown):
    document = convert(docx(body, PARTS, **LINKS), "docx")
    assert document.markdown == f"{markdown}\n"


def test_word_title_is_the_title_paragraph():
    assert convert(docx(p("H", "H1") + p("T", "T"), PARTS, **LINKS), "docx").title == "T"


def test_strict_namespaces_and_other_prefixes_read_the_same():
    body = docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>")
    source = "<z:document xmlns:z='http://purl.oclc.org/ooxml/wordprocessingml/main'><z:body><z:p><z:r><z:t>x</z:t></z:r></z:p></z:body></z:document>"
    members = {"[Content_Types].xml": "<Types/>", "word/document.xml": source}
    assert convert(zipped(members), "docx").markdown == convert(body, "docx").markdown == "x\n"


CELL_STYLES = """<numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd hh:mm'/><numFmt numFmtId='165' formatCode='0.0%'/>
<numFmt numFmtId='166' formatCode='"days" 0'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/>
<xf numFmtId='165'/><xf numFmtId='21'/><xf numFmtId='166'/></cellXfs>"""

CELLS = [
    ("<c><v>3</v></c>", "3"),
    ("<c><v>0.30000000000000004</v></c>", "0.3"),
    ("<c><v>1E+20</v></c>", "1e+20"),
    ("<c s='1'><v>45418</v></c>", "2024-05-06"),
    ("<c s='2'><v>45418.5625</v></c>", "2024-05-06 13:30:00"),
    ("<c s='3'><v>0.125</v></c>", "12.5%"),
    ("<c s='4'><v>0.5</v></c>", "12:00:00"),
    ("<c s='5'><v>7</v></c>", "7"),
    ("<c t='s'><v>1</v></c>", "shared"),
    ("<c t='s'><v>99</v></c>", ""),
    ("<c t='b'><v>1</v></c>", "TRUE"),
    ("<c t='e'><v>#N/A</v></c>", "#N/A"),
    ("<c t='inlineStr'><is><t>in</t><r><t>line</t></r><rPh><t>kana</t></rPh></is></c>", "inline"),
    ("<c t='str'><f>A1</f><v>a|b</v></c>", "a\\|b"),
    ("<c t='str'><v>two\nlines</v></c>", "two<br>lines"),
]


@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_cell(cell, text):
    data = f"<sheetData><row><c t='str'><v>k</v></c></row><row><c t='str'><v>x</v></c>{cell}</row></sheetData>"
    markdown = convert(xlsx({"S": data}, ["zero", "shared"], CELL_STYLES), "xlsx").markdown
    head = "| k |  |\n| --- | --- |\n| x | " if text else "| k |\n| --- |\n| x |"
    assert markdown == f"## S\n\n{head}{text}{' |' if text else ''}\n"


def test_sheet_is_parted_at_empty_rows_and_without_what_is_hidden():
    row = "<row r='{}'{}><c r='B{}' t='str'><v>{}</v></c><c r='D{}'><v>1</v></c></row>"
    data = (
        "<cols><col min='5' max='5' hidden='1'/></cols><sheetData><row r='1'><c r='A1' t='str'><v>Note</v></c></row>"
        + row.format(3, "", 3, "a", 3)
        + row.format(4, " hidden='1'", 4, "secret", 4)
        + row.format(5, "", 5, "c", 5)
        + "<row r='6'><c r='E6'><v>9</v></c></row></sheetData>"
    )
    markdown = convert(xlsx({"S": data, "Hidden": data, "Empty": ""}), "xlsx").markdown
    assert markdown == "## S\n\nNote\n\n| a | 1 |\n| --- | --- |\n| c | 1 |\n"


def test_sheet_links():
    data = (
        "<sheetData><row r='1'><c r='A1' t='str'><v>x[y]</v></c></row><row r='2'><c r='A2'><v>1</v></c></row></sheetData>"
        "<hyperlinks><hyperlink ref='A1' r:id='h'/></hyperlinks>"
    )
    markdown = convert(xlsx({"S": data}, h="hyperlink https://e.example/ external"), "xlsx").markdown
    assert "[x\\[y\\]](https://e.example/)" in markdown


def shape(kind, *paragraphs):
    placeholder = f"<p:ph type='{kind}'/>" if kind else ""
    return (
        f"<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody>"
        + "".join(f"<a:p>{text}</a:p>" for text in paragraphs)
        + "</p:txBody></p:sp>"
    )


def r(text, properties=""):
    return f"<a:r><a:rPr {properties}/><a:t>{text}</a:t></a:r>"


SLIDES = [
    (shape("body", r("one"), "<a:pPr lvl='1'/>" + r("two")) + shape("title", r("T")), "## T\n\n- one\n  - two"),
    (shape("", r("free ", "b='1'") + r("text")), "## Slide 1\n\n**free** text"),
    (shape("title", r("T")) + shape("sldNum", r("7")) + shape("ftr", r("foot")), "## T"),
    (shape("body", "<a:pPr><a:buNone/></a:pPr>" + r("plain")), "## Slide 1\n\nplain"),
    (shape("body", "<a:pPr><a:buAutoNum/></a:pPr>" + r("first")), "## Slide 1\n\n1. first"),
    (f"<p:grpSp>{shape('', r('grouped'))}</p:grpSp>", "## Slide 1\n\ngrouped"),
    (
        "<p:graphicFrame><a:graphic><a:tbl><a:tr><a:tc><a:txBody><a:p>" + r("a") + "</a:p></a:txBody></a:tc></a:tr>"
        "<a:tr><a:tc><a:txBody><a:p>" + r("b") + "</a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphic></p:graphicFrame>",
        "## Slide 1\n\n| a |\n| --- |\n| b |",
    ),
    (
        shape("", "<a:r><a:rPr><a:hlinkClick r:id='h'/></a:rPr><a:t>go</a:t></a:r>"),
        "## Slide 1\n\n[go](https://e.example/)",
    ),
]


@pytest.mark.parametrize(("slide", "markdown"), SLIDES)
def test_slide(slide, markdown):
    assert convert(pptx(slide, h="hyperlink https://e.example/ external"), "pptx").markdown == f"{markdown}\n"


OPEN_STYLES = """<style:style style:name='B' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>
<style:style style:name='N' style:parent-style-name='B'><style:text-properties fo:font-weight='normal'/></style:style>
<text:list-style style:name='L'><text:list-level-style-number style:num-format='1' text:start-value='4'/></text:list-style>"""
OPEN = [
    ("<text:h text:outline-level='2'>Head</text:h><text:p>Body</text:p>", "## Head\n\nBody"),
    ("<text:p>a <text:span text:style-name='B'>b</text:span>c</text:p>", "a **b**c"),
    ("<text:p><text:span text:style-name='N'>n</text:span></text:p>", "n"),
    ("<text:p>a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d</text:p>", "a b c\\\nd"),
    ("<text:p>  white\n  space  </text:p>", "white space"),
    ("<text:p><text:a xlink:href='https://e.example/'>x</text:a></text:p>", "[x](https://e.example/)"),
    (
        "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item>"
        "</text:list></text:list-item></text:list>",
        "- a\n  - b",
    ),
    ("<text:list text:style-name='L'><text:list-item><text:p>a</text:p></text:list-item></text:list>", "4. a"),
    (
        "<text:p>x<text:note text:id='n1'><text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p>"
        "</text:note-body></text:note>y</text:p>",
        "x[^1]y\n\n[^1]: Note",
    ),
    (
        "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>h</text:p></table:table-cell>"
        "<table:table-cell><text:p>i</text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row>"
        "<table:table-cell><text:p>1</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>",
        "| h | i |\n| --- | --- |\n| 1 |  |",
    ),
    (
        "<text:tracked-changes><text:deletion><text:p>old</text:p></text:deletion></text:tracked-changes><text:p>new</text:p>",
        "new",
    ),
    ("<text:p>t<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>", "t\n\nboxed"),
    ("<text:section><text:p>in section</text:p></text:section>", "in section"),
]


@pytest.mark.parametrize(("body", "markdown"), OPEN)
def test_open_document_text(body, markdown):
    assert convert(odf("text", body, OPEN_STYLES), "odt").markdown == f"{markdown}\n"


def test_open_document_sheet():
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    body = (
        "<table:table table:name='S'><table:table-row>"
        + cell.format("", "a")
        + "<table:table-cell table:number-columns-repeated='16000'/>"
        "</table:table-row><table:table-row>"
        + cell.format(" table:number-columns-repeated='2'", "x")
        + "</table:table-row>"
        "<table:table-row table:number-rows-repeated='1048570'><table:table-cell/></table:table-row></table:table>"
    )
    assert convert(odf("spreadsheet", body), "ods").markdown == "## S\n\n| a |  |\n| --- | --- |\n| x | x |\n"


def test_open_document_presentation():
    body = (
        "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame>"
        "<draw:frame><draw:text-box><text:list><text:list-item><text:p>a</text:p></text:list-item></text:list></draw:text-box>"
        "</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say</text:p></draw:text-box></draw:frame>"
        "</presentation:notes></draw:page>"
    )
    document = convert(odf("presentation", body), "odp")
    assert (document.title, document.markdown) == ("T", "## T\n\n- a\n\n**Notes:**\n\nsay\n")


XHTML = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title/></head><body>{}</body></html>"


def test_book_chapters_come_in_spine_order():
    chapters = {
        "one.xhtml": XHTML.format(
            "<h1>One</h1><p><a id='x'/>Text&nbsp;<a href='two.xhtml'>on</a> <img src='a.png' alt='pic'/></p>"
        ),
        "sub/two.xhtml": XHTML.format("<h1>Two</h1><p><a href='https://e.example/'>out</a></p>"),
        "broken.xhtml": "<html><body><p>not <b>closed<p>well",
    }
    document = convert(epub(chapters), "epub")
    assert document.title == "A Book"
    assert document.markdown.replace("\xa0", " ") == (
        "# One\n\nText on pic\n\n# Two\n\n[out](https://e.example/)\n\nnot **closed**\n\n**well**\n"
    )


def test_protected_book_says_so():
    encryption = (
        "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container' xmlns:e='http://www.w3.org/2001/04/xmlenc#'>"
        "<e:EncryptedData><e:CipherData><e:CipherReference URI='OPS/a.xhtml'/></e:CipherData></e:EncryptedData></encryption>"
    )
    with pytest.raises(ExtractFailed, match="protected"):
        convert(epub({"a.xhtml": "x"}, extra={"META-INF/encryption.xml": encryption}), "epub")


BOMB = f"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaaaaaaaa'>]><w:document xmlns:w='{writers.W}'>&a;</w:document>"
REFUSED = [
    (zipped({"[Content_Types].xml": "", "word/document.xml": BOMB}), "the entity a is declared"),
    (zipped({"word/document.xml": "<a>" * 300 + "</a>" * 300}), "more than 250 deep"),
    (zipped({"word/document.xml": "<a><b></a>"}), "line 1, column"),
    (zipped({"word/document.xml": "<a/>"}), "has no body"),
    (zipped({"word/document.xml": b" " * (65 * 1024 * 1024)}), "inflates to more than"),
    (zipped({"a": ""}), "has no word/document.xml"),
    (b"PK\x03\x04" + bytes(100), "is damaged"),
    (b"", "is damaged"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_damaged_and_hostile_documents_are_refused(body, message):
    with pytest.raises(ExtractFailed, match=message):
        convert(body, "docx")


def test_many_files_are_refused():
    with pytest.raises(ExtractFailed, match="holds 20,001 files"):
        convert(zipped({str(number): "" for number in range(20_001)}), "docx")


DOCUMENTS = {
    "docx": docx("".join(body for body, _ in WORD), PARTS, **LINKS),
    "xlsx": xlsx({"S": f"<sheetData><row>{''.join(cell for cell, _ in CELLS)}</row></sheetData>"}, ["a"], CELL_STYLES),
    "pptx": pptx(*[slide for slide, _ in SLIDES]),
    "odt": odf("text", "".join(body for body, _ in OPEN), OPEN_STYLES),
    "epub": epub({"a.xhtml": XHTML.format("<p>x</p>")}),
}


@settings(max_examples=60)
@given(st.data())
def test_mutated_documents_only_fail_with_a_code(data):
    """Bytes of the file change, or bytes of one member, so that both the zip and the XML readers meet damage."""
    import io
    import zipfile

    kind = data.draw(st.sampled_from(sorted(DOCUMENTS)))
    body = DOCUMENTS[kind]
    if data.draw(st.booleans()):
        body = _mutated(data, body)
    else:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        name = data.draw(st.sampled_from(sorted(members)))
        members[name] = _mutated(data, members[name])
        body = zipped(members)
    code, document = outcome(body, kind)
    assert code in ("", "EXTRACT_FAILED")
    assert document is None or document.kind == kind


def _mutated(data, body):
    changed = bytearray(body)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(changed) - 1)))
        changed[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    return bytes(changed)


def test_kinds_are_recognised():
    assert {kind: kind_of(body) for kind, body in DOCUMENTS.items()} == {kind: kind for kind in DOCUMENTS}
