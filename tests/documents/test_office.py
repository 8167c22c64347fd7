# ruff: noqa: E501 (cases read best on one line)
"""Office documents written by hand: one construct each."""

import pytest
from documents import writers
from documents.writers import docx, epub, mutated, odf, outcome, p, pptx, xlsx, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from webtool.documents import Source, convert
from webtool.documents.archive import Archive
from webtool.documents.sheets import Book, Sheet, cell_markdown, cell_position, moved_formula
from webtool.errors import ExtractFailed
from webtool.running.budget import Budget

STYLES = f"""<w:styles xmlns:w='{writers.W}'>
<w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>
<w:style w:type='paragraph' w:styleId='H1'><w:name w:val='heading 1'/></w:style>
<w:style w:type='paragraph' w:styleId='Mine'><w:name w:val='Mine'/><w:basedOn w:val='H1'/></w:style>
<w:style w:type='paragraph' w:styleId='Q'><w:name w:val='Quote'/></w:style>
<w:style w:type='paragraph' w:styleId='C'><w:name w:val='HTML Preformatted'/></w:style>
<w:style w:type='paragraph' w:styleId='N2'><w:name w:val='List Number 2'/><w:pPr><w:numPr><w:numId w:val='7'/></w:numPr></w:pPr></w:style>
<w:style w:type='paragraph' w:styleId='NH'><w:name w:val='heading 2'/><w:pPr><w:numPr><w:ilvl w:val='1'/>
<w:numId w:val='11'/></w:numPr></w:pPr></w:style>
<w:style w:type='paragraph' w:styleId='LC'><w:name w:val='List Continue'/></w:style>
<w:style w:type='paragraph' w:styleId='Loop'><w:name w:val='a'/><w:basedOn w:val='Loop'/></w:style>
<w:style w:type='character' w:styleId='S'><w:name w:val='Strong'/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type='character' w:styleId='Old'><w:name w:val='Old'/><w:rPr><w:strike/><w:vertAlign w:val='superscript'/></w:rPr></w:style>
</w:styles>"""
NUMBERING = f"""<w:numbering xmlns:w='{writers.W}'>
<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl>
<w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val=' '/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId='2'><w:lvl w:ilvl='0'><w:numFmt w:val='decimal'/></w:lvl></w:abstractNum>
<w:num w:numId='5'><w:abstractNumId w:val='0'/></w:num><w:num w:numId='6'><w:abstractNumId w:val='1'/></w:num>
<w:num w:numId='7'><w:abstractNumId w:val='2'/></w:num><w:num w:numId='8'><w:abstractNumId w:val='2'/></w:num>
<w:num w:numId='9'><w:abstractNumId w:val='2'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='3'/></w:lvlOverride></w:num>
<w:num w:numId='10'><w:abstractNumId w:val='2'/><w:lvlOverride w:ilvl='0'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl>
</w:lvlOverride></w:num>
<w:num w:numId='12'><w:abstractNumId w:val='2'/><w:lvlOverride w:ilvl='0'><w:lvl w:ilvl='0'><w:start w:val='1'/>
<w:numFmt w:val='lowerLetter'/><w:lvlText w:val='(%1)'/></w:lvl></w:lvlOverride></w:num>
<w:abstractNum w:abstractNumId='3'>
<w:lvl w:ilvl='0'><w:start w:val='2'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>
<w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%2'/></w:lvl>
<w:lvl w:ilvl='2'><w:start w:val='27'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='(%3)'/></w:lvl>
<w:lvl w:ilvl='3'><w:start w:val='1994'/><w:numFmt w:val='upperRoman'/><w:lvlText w:val='%4.'/></w:lvl></w:abstractNum>
<w:num w:numId='11'><w:abstractNumId w:val='3'/></w:num></w:numbering>"""
NOTES = f"""<w:footnotes xmlns:w='{writers.W}'><w:footnote w:id='0' w:type='separator'><w:p/></w:footnote>
<w:footnote w:id='2'><w:p><w:r><w:t>The note.</w:t></w:r></w:p><w:p><w:r><w:t>More.</w:t></w:r></w:p></w:footnote>
</w:footnotes>"""
PARTS = {"styles.xml": STYLES, "numbering.xml": NUMBERING, "footnotes.xml": NOTES}
LINKS = {
    "s": "styles styles.xml",
    "n": "numbering numbering.xml",
    "f": "footnotes footnotes.xml",
    "l": "hyperlink https://e.example/x external",
    "i": "image https://e.example/p.png external",
}


def m(*parts):
    """A formula."""
    return f"<w:p><m:oMath>{''.join(parts)}</m:oMath></w:p>"


def mr(text, properties=""):
    return f"<m:r>{properties}<m:t>{text}</m:t></m:r>"


def picture(alt, blip=""):
    return f"<w:r><w:drawing><wp:inline><wp:docPr descr='{alt}' name='Picture 1'/>{blip}</wp:inline></w:drawing></w:r>"


def field(kind):
    return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"


def form(data):
    return f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{data}</w:ffData></w:fldChar></w:r>{field('end')}"


def entries(chosen=""):
    return f"<w:ddList>{chosen}<w:listEntry w:val='first'/><w:listEntry w:val='second'/></w:ddList>"


NOTED = "<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id='2'/></w:r></w:p>"
BOX = "<w:checkBox><w:default w:val='0'/>{}</w:checkBox>"
WORD = [
    (p("Plain text, 1 &lt; 2"), "Plain text, 1 < 2"),
    (p("A", "T") + p("B", "H1") + p("C", "Mine"), "# A\n\n# B\n\n# C"),
    ("<w:p><w:pPr><w:outlineLvl w:val='2'/></w:pPr><w:r><w:t>Deep</w:t></w:r></w:p>", "### Deep"),
    (p("x", "Loop"), "x"),
    (p("b", properties="<w:b/>") + p("i", properties="<w:i/>"), "**b**\n\n*i*"),
    (p("not", properties="<w:b w:val='0'/>"), "not"),
    (p("strong", properties="<w:rStyle w:val='S'/>"), "**strong**"),
    (p("x", properties="<w:strike/><w:dstrike w:val='0'/>"), "~~x~~"),
    (p("x", properties="<w:strike w:val='0'/><w:dstrike/>"), "~~x~~"),
    (p("x", properties="<w:strike w:val='0'/><w:dstrike w:val='0'/>"), "x"),
    (p("x", properties="<w:rStyle w:val='Old'/><w:dstrike w:val='0'/><w:vertAlign w:val='baseline'/>"), "~~x~~"),
    (p("x", properties="<w:rStyle w:val='Old'/><w:strike w:val='0'/>"), "ˣ"),
    (p("x", properties="<w:rStyle w:val='Old'/><w:strike w:val='0'/><w:vertAlign w:val='subscript'/>"), "ₓ"),
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
    ("<w:p><w:r><w:t>one</w:t><w:br w:type='page'/><w:t>two</w:t></w:r></w:p>", "one\\\ntwo"),
    ("<w:p><w:r><w:br w:type='page'/><w:t>one</w:t><w:br w:type='page'/></w:r></w:p>", "one"),
    ("<w:p><w:r><w:t>left</w:t><w:ptab w:alignment='center'/><w:t>middle</w:t></w:r></w:p>", "left middle"),
    ("<w:p><w:r><w:t>co</w:t><w:noBreakHyphen/><w:t>op</w:t></w:r></w:p>", "co-op"),
    (NOTED, "Text[^1]\n\n[^1]: The note.\n\n    More."),
    (
        "<w:tbl><w:tr><w:tc>" + p("a|b") + "</w:tc><w:tc>" + p("c") + p("d") + "</w:tc></w:tr>"
        "<w:tr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr>" + p("e") + "</w:tc></w:tr></w:tbl>",
        "| a\\|b | c<br>d |\n| --- | --- |\n| e |  |",
    ),
    (
        "<w:tbl><w:tr><w:tc>" + p("a") + "</w:tc><w:tc>" + p("b") + "</w:tc></w:tr>"
        "<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr><w:tc>" + p("under b") + "</w:tc></w:tr></w:tbl>",
        "| a | b |\n| --- | --- |\n|  | under b |",
    ),
    ("<w:sdt><w:sdtContent>" + p("inside") + "</w:sdtContent></w:sdt>", "inside"),
    ("<w:p><w:r><w:drawing><w:txbxContent>" + p("boxed") + "</w:txbxContent></w:drawing></w:r></w:p>", "boxed"),
    # Paragraphs that continue an item: an empty number format, the style "List Continue", code.
    (
        p("a", numbering=(5, 0)) + p("more", numbering=(6, 0)) + p("x = 1", "C", (6, 0)) + p("b", numbering=(5, 0)),
        "- a\n\n  more\n\n  ```\n  x = 1\n  ```\n\n- b",
    ),
    (p("a", numbering=(5, 0)) + p("more", "LC"), "- a\n\n  more"),
    (p("alone", numbering=(6, 0)), "alone"),
    # Lists of one abstract numbering continue counting, unless one has a start of its own.
    (p("a", numbering=(7, 0)) + p("b", numbering=(8, 0)), "1. a\n2. b"),
    (p("a", numbering=(7, 0)) + p("c", numbering=(9, 0)) + p("d", numbering=(9, 0)), "1. a\n\n3) c\n4) d"),
    (p("a", numbering=(10, 0)), "- a"),
    # A list that continues another one has the number format of its own.
    (p("a", numbering=(7, 0)) + p("b", numbering=(12, 0)) + p("c", numbering=(7, 0)), "1. a\n\n- (b) b\n\n3. c"),
    (p("a", numbering=(7, 0)) + p("b", "N2"), "1. a\n\n   2. b"),
    # Headings keep the numbers that Word shows before them.
    (p("A", "H1", (11, 0)) + p("B", "NH") + p("C", "NH"), "# 2. A\n\n## 2.1 B\n\n## 2.2 C"),
    (p("A", "H1", (5, 0)) + p("B", "NH", (0, 0)), "# A\n\n## B"),
    # Form fields: check boxes and drop-down lists.
    (f"<w:p>{form(BOX.format(''))}<w:r><w:t> no</w:t></w:r></w:p>", "☐ no"),
    (f"<w:p>{form(BOX.format('<w:checked/>'))}<w:r><w:t> yes</w:t></w:r></w:p>", "☑ yes"),
    (f"<w:p>{form(entries())}</w:p>", "first"),
    ("<w:p>" + form(entries("<w:result w:val='1'/>")) + "</w:p>", "second"),
    ("<w:p>" + form(entries("<w:result w:val='7'/>")) + "</w:p>" + p("x"), "x"),
    # Pictures: on the web, inside the file, with generated names, with a caption that repeats the text.
    ("<w:p>" + picture("A fox", "<a:blip r:link='i'/>") + "</w:p>", "![A fox](https://e.example/p.png)"),
    (f"<w:p><w:r><w:t>See </w:t></w:r>{picture('A fox. Description automatically generated')}</w:p>", "See A fox"),
    (f"<w:p>{picture('A fox')}<w:r><w:t>Head</w:t></w:r></w:p>", "A fox Head"),
    (f"<w:p>{picture('Picture 12')}{picture('IMG_1.jpeg')}</w:p>" + p("x"), "x"),
    (f"<w:p>{picture('A fox')}</w:p>" + p("A fox"), "A fox"),
    ("<w:p><w:r><w:pict><v:shape alt='Old fox'/></w:pict></w:r></w:p>", "Old fox"),
    (
        "<w:p><w:fldSimple w:instr='HYPERLINK \"https://g.example/\"'><w:r><w:t>g</w:t></w:r></w:fldSimple></w:p>",
        "[g](https://g.example/)",
    ),
    (
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>kana</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>kanji</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
        "kanji",
    ),
    # Formulas.
    (m(f"<m:f><m:num>{mr('a+1')}</m:num><m:den>{mr('2b')}</m:den></m:f>"), r"$\frac{a + 1}{2b}$"),
    (m(f"<m:sSubSup><m:e>{mr('x')}</m:e><m:sub>{mr('i')}</m:sub><m:sup>{mr('2')}</m:sup></m:sSubSup>"), "$x_i^2$"),
    (m(f"<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>{mr('y')}</m:e></m:rad>"), r"$\sqrt{y}$"),
    (m(f"<m:rad><m:deg>{mr('3')}</m:deg><m:e>{mr('y')}</m:e></m:rad>"), r"$\sqrt[3]{y}$"),
    (
        m(
            f"<m:nary><m:naryPr><m:chr m:val='\u2211'/></m:naryPr><m:sub>{mr('i=1')}</m:sub><m:sup>{mr('n')}</m:sup><m:e>{mr('i')}</m:e></m:nary>"
        ),
        r"$\sum_{i = 1}^ni$",
    ),
    (m(mr("R", "<m:rPr><m:scr m:val='double-struck'/></m:rPr>")), "$\\mathbb{R}$"),
    (
        m("<m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num>", mr("n"), "</m:num><m:den>", mr("k"), "</m:den></m:f>"),
        "${{n} \\atop {k}}$",
    ),
    (m(f"<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr><m:e>{mr('a')}</m:e></m:d>"), "$[a]$"),
    (m(f"<m:func><m:fName>{mr('sin')}</m:fName><m:e>{mr('x')}</m:e></m:func>"), r"$\sin x$"),
    (m(mr("if", "<m:rPr><m:nor/></m:rPr>")), r"$\text{if}$"),
    (
        m(
            f"<m:m><m:mr><m:e>{mr('a')}</m:e><m:e>{mr('b')}</m:e></m:mr><m:mr><m:e>{mr('c')}</m:e><m:e>{mr('d')}</m:e></m:mr></m:m>"
        ),
        r"$`\begin{matrix} a & b \\ c & d \end{matrix}`$",
    ),
    ("<w:p>" + m(f"<m:acc><m:e>{mr('x')}</m:e></m:acc>")[5:], r"$\hat{x}$"),
]


@pytest.mark.parametrize(("body", "markdown"), WORD)
def test_word_constructs_become_markdown(body, markdown):
    document = convert(docx(body, PARTS, **LINKS), "docx")
    assert document.markdown == f"{markdown}\n"


IMPORTED = {
    "a.htm": (b"<h2>From a page</h2><p>and <b>more</b>", "## From a page\n\nand **more**", ""),
    "a.mht": (b"Content-Type: text/html\n\n<p>saved", "saved", ""),
    "a.rtf": (b"{\\rtf1 rich}", "rich", ""),
    "a.docx": (docx(p("inner")), "inner", ""),
    "noted.docx": (docx(f"{NOTED}", PARTS, **LINKS), "Text[^1]\n\n[^1]: The note.\n\n    More.", ""),
    "damaged.docx": (docx(p("inner"))[:-30], "", "Left out: 1 embedded document."),
    "gone.htm": (None, "", "Left out: 1 embedded document."),
}


@pytest.mark.parametrize("name", IMPORTED)
def test_files_that_word_imports_are_inserted_in_place(name):
    data, markdown, note = IMPORTED[name]
    body = p("before") + "<w:altChunk r:id='c'/>" + p("after")
    document = convert(docx(body, {name: data} if data else {}, c=f"aFChunk {name}"), "docx")
    assert document.markdown == "\n\n".join(filter(None, ("before", markdown, "after"))) + "\n"
    assert document.note == note


def test_an_imported_typewritten_text_keeps_the_count_of_hidden_words():
    typed = b"{\\rtf1{\\fonttbl{\\f0\\fmodern Courier;}}\\f0 typed {\\v unseen}}"
    body = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>two words</w:t></w:r></w:p><w:altChunk r:id='c'/>"
    document = convert(docx(body, {"a.rtf": typed}, c="aFChunk a.rtf"), "docx")
    assert (document.markdown, document.hidden_words) == ("typed\n", 3)


def test_an_imported_file_is_inserted_once_however_often_the_text_has_its_mark():
    body = p("\ue0f20\ue0f3" * 3) + "<w:altChunk r:id='c'/>"
    document = convert(docx(body, {"a.htm": b"<p>once"}, c="aFChunk a.htm"), "docx")
    assert document.markdown.count("once") == 1


def test_notes_of_imported_documents_continue_the_numbers():
    """The document imports itself, which ends after a few levels."""
    inner = docx(p("deep") + NOTED + "<w:altChunk r:id='gone'/>", PARTS, **LINKS)
    for _ in range(9):
        inner = docx(NOTED + "<w:altChunk r:id='c'/>", {**PARTS, "a.docx": inner}, **LINKS, c="aFChunk a.docx")
    made = convert(inner, "docx")
    assert made.markdown.count("Text[^") == made.markdown.count("]: The note.") == 4
    assert [f"Text[^{n}]" in made.markdown for n in (1, 2, 3, 4)] == [True] * 4
    assert made.note == "Left out: 1 embedded document."


def test_a_second_body_is_read_too():
    assert convert(docx(p("one") + "</w:body><w:body>" + p("two")), "docx").markdown == "one\n\ntwo\n"


def test_the_title_of_a_word_document_is_its_title_paragraph():
    assert convert(docx(p("H", "H1") + p("T", "T"), PARTS, **LINKS), "docx").title == "T"


def test_strict_namespaces_and_other_prefixes_read_the_same():
    body = docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>")
    source = "<z:document xmlns:z='http://purl.oclc.org/ooxml/wordprocessingml/main'><z:body><z:p><z:r><z:t>x</z:t></z:r></z:p></z:body></z:document>"
    members = {"[Content_Types].xml": "<Types/>", "word/document.xml": source}
    assert convert(zipped(members), "docx").markdown == convert(body, "docx").markdown == "x\n"


CELL_STYLES = """<numFmts><numFmt numFmtId='164' formatCode='yyyy\\-mm\\-dd hh:mm'/><numFmt numFmtId='165' formatCode='0.0%'/>
<numFmt numFmtId='166' formatCode='"days" 0'/><numFmt numFmtId='167' formatCode='[h]:mm:ss'/></numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/>
<xf numFmtId='165'/><xf numFmtId='21'/><xf numFmtId='166'/><xf numFmtId='46'/><xf numFmtId='167'/></cellXfs>"""

CELLS = [
    ("<c><v>3</v></c>", "3"),
    ("<c><v>0.30000000000000004</v></c>", "0.3"),
    ("<c><v>1E+20</v></c>", "1e+20"),
    ("<c s='1'><v>45418</v></c>", "2024-05-06"),
    ("<c s='2'><v>45418.5625</v></c>", "2024-05-06 13:30:00"),
    ("<c s='3'><v>0.125</v></c>", "12.5%"),
    ("<c s='4'><v>0.5</v></c>", "12:00:00"),
    ("<c s='6'><v>1.25</v></c>", "30:00:00"),
    ("<c s='7'><v>1.2537</v></c>", "30:05:20"),
    ("<c><f>SUM(B1:B2)</f></c>", "=SUM(B1:B2)"),
    ("<c><f>SUM(B1:B2)</f><v>3</v></c>", "3"),
    ("<c s='5'><v>7</v></c>", "days 7"),
    ("<c t='s'><v>1</v></c>", "shared"),
    ("<c t='s'><v>99</v></c>", ""),
    ("<c t='b'><v>1</v></c>", "TRUE"),
    ("<c t='e'><v>#N/A</v></c>", "#N/A"),
    ("<c t='inlineStr'><is><t>in</t><r><t>line</t></r><rPh><t>kana</t></rPh></is></c>", "inline"),
    ("<c t='str'><f>A1</f><v>a|b</v></c>", "a\\|b"),
    ("<c t='str'><v>two\nlines</v></c>", "two<br>lines"),
    # Characters that XML lacks, or that a program named by their codes.
    ("<c t='s'><v>2</v></c>", "two<br>lines"),
    ("<c t='str'><v>two_x000D_\nlines</v></c>", "two<br>lines"),
    ("<c t='str'><v>two_x000D_lines_x0007_ here</v></c>", "two<br>lines here"),
    ("<c t='inlineStr'><is><t>a_x005F_x0041_</t></is></c>", "a_x0041_"),
    ("<c t='str'><v>a_x00A0_b_x0009_c_x200B_</v></c>", "a b c"),
    ("<c t='str'><v>_xyz_</v></c>", "_xyz\\_"),
    # Links that are formulas, with and without a stored result.
    ('<c t=\'str\'><f>HYPERLINK("https://e.example/","go")</f><v>go</v></c>', "[go](https://e.example/)"),
    ('<c><f>HYPERLINK("https://e.example/", "go")</f></c>', "[go](https://e.example/)"),
    ('<c><f>HYPERLINK("https://e.example/")</f></c>', "[https://e.example/](https://e.example/)"),
    ("<c t='str'><f>HYPERLINK(\"https://e.example/\",B1)</f><v>go</v></c>", "[go](https://e.example/)"),
    ('<c t=\'str\'><f>HYPERLINK("#S!A1","go")</f><v>go</v></c>', "go"),
    ('<c><f>HYPERLINK("https://e.example/","a")&amp;"b"</f></c>', '=HYPERLINK("https://e.example/","a")&"b"'),
]


@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_a_cell_is_shown_in_its_format(cell, text):
    data = f"<sheetData><row><c t='str'><v>k</v></c></row><row><c t='str'><v>x</v></c>{cell}</row></sheetData>"
    markdown = convert(xlsx({"S": data}, ["zero", "shared", "two_x000D_\nlines"], CELL_STYLES), "xlsx").markdown
    head = "| k |  |\n| --- | --- |\n| x | " if text else "| k |\n| --- |\n| x |"
    assert markdown == f"## S\n\n{head}{text}{' |' if text else ''}\n"


def test_empty_rows_divide_a_sheet_and_hidden_cells_are_left_out():
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


def grid(*rows):
    """Return sheetData of rows of values; None for an empty row."""
    cells = [
        "".join(
            f"<c r='{chr(65 + at)}{number}' t='{'n' if isinstance(v, int) else 'str'}'><v>{v}</v></c>"
            for at, v in enumerate(row or ())
        )
        for number, row in enumerate(rows, 1)
    ]
    return (
        "<sheetData>"
        + "".join(f"<row r='{number}'>{text}</row>" for number, text in enumerate(cells, 1))
        + "</sheetData>"
    )


HEAD, BOLT, NUT = ("Item", "Qty"), ("Bolt", 5), ("Nut", 7)
TABLES = {
    "an empty row inside of a table": ((HEAD, BOLT, None, NUT), 1),
    "two empty rows": ((HEAD, BOLT, None, None, NUT), 1),
    "many empty rows": ((HEAD, BOLT, None, None, None, None, NUT), 2),
    "a head of its own": ((HEAD, BOLT, None, HEAD, NUT), 2),
    "another width": ((HEAD, BOLT, None, (*NUT, 9)), 2),
    "words only": ((HEAD, ("a", "b"), None, ("c", "d")), 2),
    "numbers in the head": (((2024, 2025), (1, 2), None, (3, 4)), 2),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_goes_on_below_empty_rows(name):
    rows, count = TABLES[name]
    assert convert(xlsx({"S": grid(*rows)}), "xlsx").markdown.count("\n| --- |") == count


def test_rows_that_a_filter_hides_are_shown_with_a_note():
    data = "<sheetData><row r='1'><c><v>1</v></c></row><row r='2' hidden='1'><c><v>2</v></c></row><row r='9' hidden='1'><c><v>9</v></c></row></sheetData>"
    made = convert(xlsx({"S": data + '<autoFilter ref="A1:B5"><filterColumn/></autoFilter>'}), "xlsx")
    assert ("| 2 |" in made.markdown, "9" in made.markdown) == (True, False)
    assert made.note == "Left out: 1 cell in hidden rows or columns. Shown though a filter hides them: 1 row."
    row = "<table:table-row table:visibility='filter'><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row>"
    made = convert(odf("spreadsheet", f"<table:table>{row}</table:table>"), "ods")
    assert (made.markdown.strip(), made.note) == ("## \n\n2", "Shown though a filter hides them: 1 row.")


def test_a_cell_count_that_ends_with_a_row_adds_no_empty_row(monkeypatch):
    monkeypatch.setattr("webtool.documents.sheets.MAX_CELLS", 2)
    added = []
    monkeypatch.setattr("webtool.documents.sheets.Sheet.add_row", lambda _sheet, *row: added.append(row))
    rows = "".join(f"<row r='{row}'><c r='A{row}'><v>{row}</v></c></row>" for row in (1, 2, 3))
    convert(xlsx({"S": f"<sheetData>{rows}</sheetData>"}), "xlsx")
    assert added == [(0, {0: "1"}), (1, {0: "2"})]


def test_linked_cells_become_links():
    data = (
        "<sheetData><row r='1'><c r='A1' t='str'><v>x[y]</v></c></row><row r='2'><c r='A2'><v>1</v></c></row></sheetData>"
        "<hyperlinks><hyperlink ref='A1' r:id='h'/></hyperlinks>"
    )
    markdown = convert(xlsx({"S": data}, h="hyperlink https://e.example/ external"), "xlsx").markdown
    assert "[x\\[y\\]](https://e.example/)" in markdown
    block = data.replace("ref='A1'", "ref='A1:B2'").replace("<v>1</v>", "<v>1</v></c><c r='B2' t='str'><v>z</v>")
    markdown = convert(xlsx({"S": block}, h="hyperlink https://e.example/ external"), "xlsx").markdown
    assert ["](https://e.example/)" in line for line in markdown.splitlines()[-2:]] == [False, True]
    assert "[z](https://e.example/)" in markdown
    whole = data.replace("ref='A1'", "ref='A1:XFD1048576'")
    assert "[x\\[y" in convert(xlsx({"S": whole}, h="hyperlink https://e.example/ external"), "xlsx").markdown


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
    (shape("title", r("T")) + shape("sldNum", r("7")) + shape("ftr", r("foot")), "## T\n\nfoot"),
    (shape("body", "<a:pPr><a:buNone/></a:pPr>" + r("plain")), "## Slide 1\n\nplain"),
    (shape("body", "<a:pPr><a:buAutoNum/></a:pPr>" + r("first")), "## Slide 1\n\n1. first"),
    (
        shape(
            "body",
            "<a:pPr><a:buAutoNum type='arabicPeriod' startAt='3'/></a:pPr>" + r("third"),
            "<a:pPr lvl='1'><a:buNone/></a:pPr>" + r("goes on"),
            "<a:pPr><a:buAutoNum type='arabicPeriod' startAt='3'/></a:pPr>" + r("fourth"),
            "<a:pPr><a:buAutoNum type='alphaLcParenBoth'/></a:pPr>" + r("other list"),
        ),
        "## Slide 1\n\n3. third\n\n   goes on\n\n4. fourth\n\n- (a) other list",
    ),
    (
        shape(
            "body",
            "<a:pPr><a:buAutoNum type='romanLcPeriod' startAt='4'/></a:pPr>" + r("see v"),
            "<a:pPr lvl='1'><a:buAutoNum type='alphaUcParenR'/></a:pPr>" + r("A"),
            "<a:pPr lvl='1'><a:buAutoNum type='alphaUcParenR'/></a:pPr>" + r("B"),
            "<a:pPr><a:buAutoNum type='romanLcPeriod' startAt='4'/></a:pPr>" + r("next"),
            "<a:pPr lvl='1'><a:buAutoNum type='alphaUcParenR'/></a:pPr>" + r("A again"),
        ),
        "## Slide 1\n\n- iv. see v\n  - A) A\n  - B) B\n- v. next\n  - A) A again",
    ),
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
def test_slide_constructs_become_markdown(slide, markdown):
    assert convert(pptx(slide, h="hyperlink https://e.example/ external"), "pptx").markdown == f"{markdown}\n"


def body_shape(index, text, style="", depth=0):
    return (
        f"<p:sp><p:nvSpPr><p:nvPr><p:ph type='body' idx='{index}'/></p:nvPr></p:nvSpPr><p:txBody>"
        f"<a:lstStyle>{style}</a:lstStyle><a:p><a:pPr lvl='{depth}'/>{r(text)}</a:p></p:txBody></p:sp>"
    )


NO_BULLET, BULLET = "<a:buNone/>", "<a:buChar char='-'/>"
BULLETS = [  # of the first level in the master, in the layout, in the shape; the depth; what is shown
    ("", "", "", 0, "- x"),
    (NO_BULLET, "", "", 0, "x"),
    (NO_BULLET, BULLET, "", 0, "- x"),
    (BULLET, NO_BULLET, "", 0, "x"),
    (BULLET, NO_BULLET, BULLET, 0, "- x"),
    ("", "", NO_BULLET, 0, "x"),
    (NO_BULLET, "", "", 1, "- x"),
]


@pytest.mark.parametrize(("master", "layout", "own", "depth", "shown"), BULLETS)
def test_the_layout_and_the_master_of_a_slide_decide_on_bullets(master, layout, own, depth, shown):
    spaces = f"xmlns:p='{writers.P}' xmlns:a='{writers.A}'"
    level = "<a:lvl1pPr>{}</a:lvl1pPr>".format
    parts = {
        "layout.xml": f"<p:sldLayout {spaces}><p:cSld><p:spTree>{body_shape(3, '', level(layout))}</p:spTree></p:cSld></p:sldLayout>",
        "_rels/layout.xml.rels": writers.relationships(m="slideMaster master.xml"),
        "master.xml": f"<p:sldMaster {spaces}><p:txStyles><p:bodyStyle>{level(master)}</p:bodyStyle></p:txStyles></p:sldMaster>",
    }
    slide = body_shape(3, "x", level(own), depth)
    assert convert(pptx(slide, parts=parts, l="slideLayout layout.xml"), "pptx").markdown == f"## Slide 1\n\n{shown}\n"


def test_characters_that_xml_lacks_are_read_from_their_codes():
    assert convert(pptx(shape("", r("one_x000B_two_x0001_"))), "pptx").markdown == "## Slide 1\n\none\\\ntwo\n"


CHART = f"""<c:chartSpace xmlns:c='{writers.C}' xmlns:a='{writers.A}'><c:chart><c:title><a:t>Foxes</a:t></c:title><c:ser>
<c:tx><c:v>Seen</c:v></c:tx><c:cat><c:pt idx='0'><c:v>East</c:v></c:pt><c:pt idx='1'><c:v>West</c:v></c:pt></c:cat>
<c:val><c:pt idx='0'><c:v>1.50</c:v></c:pt><c:pt idx='1'><c:v>2</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>"""
_POINT = "<dgm:pt modelId='{0}' type='{1}'><dgm:t><a:p><a:r><a:t>{2}</a:t></a:r></a:p></dgm:t></dgm:pt>"
_JOIN = "<dgm:cxn modelId='c{0}{1}' srcId='{0}' destId='{1}' srcOrd='{2}' {3}/>"
DIAGRAM = (
    f"<dgm:dataModel xmlns:dgm='{writers.DIAGRAM}' xmlns:a='{writers.A}'><dgm:ptLst>"
    + _POINT.format("2", "node", "Second") + _POINT.format("0", "doc", "") + _POINT.format("3", "node", "inner")
    + _POINT.format("1", "node", "First step") + _POINT.format("9", "sibTrans", "arrow")
    + "</dgm:ptLst><dgm:cxnLst>" + _JOIN.format("0", "2", "1", "") + _JOIN.format("0", "1", "0", "type='parOf'")
    + _JOIN.format("1", "3", "0", "") + _JOIN.format("3", "1", "0", "") + _JOIN.format("2", "1", "0", "type='presOf'")
    + "</dgm:cxnLst></dgm:dataModel>"
)  # fmt: skip


def placed(text, left, top, right, bottom):
    place = f"<a:off x='{left}' y='{top}'/><a:ext cx='{right - left}' cy='{bottom - top}'/>"
    lines = f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>"
    return f"<p:sp><p:nvSpPr/><p:spPr><a:xfrm>{place}</a:xfrm></p:spPr>{lines}</p:sp>"


PLACES = {
    "above": [("below", 0, 50, 90, 90), ("above", 10, 10, 60, 40)],
    "above though they touch": [("below", 0, 38, 90, 90), ("above", 10, 10, 60, 40)],
    "left": [("right", 50, 0, 90, 40), ("left", 0, 5, 40, 40)],
    "columns": [("a", 0, 0, 40, 10), ("b", 0, 20, 40, 30), ("c", 50, 0, 90, 10), ("d", 50, 20, 90, 30)],
    "rows": [("a", 0, 0, 40, 10), ("b", 50, 0, 90, 10), ("c", 0, 20, 40, 30), ("d", 50, 20, 90, 30)],
    "inside": [("frame", 0, 0, 90, 90), ("inside", 10, 10, 60, 40)],
    "apart": [("later", 0, 50, 40, 60), ("first", 50, 0, 90, 10)],
    "below first": [("d", 0, 60, 9, 70), ("c", 0, 40, 9, 50), ("b", 0, 20, 9, 30), ("a", 0, 0, 9, 10)],
}
ORDERED = {"above": "above below", "above though they touch": "above below", "left": "left right"}
ORDERED.update({"columns": "a b c d", "rows": "a b c d", "inside": "frame inside", "apart": "later first"})
ORDERED["below first"] = "a b c d"


@pytest.mark.parametrize("name", PLACES)
def test_shapes_of_a_slide_are_read_from_top_to_bottom(name):
    shapes = "".join(placed(*shape) for shape in PLACES[name])
    assert convert(pptx(shapes), "pptx").markdown.split() == ["##", "Slide", "1", *ORDERED[name].split()]


@pytest.mark.parametrize("name", PLACES)
def test_shapes_in_a_group_are_read_from_top_to_bottom(name):
    group = f"<p:grpSp>{''.join(placed(*shape) for shape in PLACES[name])}</p:grpSp>"
    assert convert(pptx(f"<p:grpSp>{group}</p:grpSp>"), "pptx").markdown.split() == [
        "##",
        "Slide",
        "1",
        *ORDERED[name].split(),
    ]


@pytest.mark.parametrize("name", PLACES)
def test_shapes_in_an_opendocument_group_are_read_from_top_to_bottom(name):
    shapes = "".join(
        f"<draw:rect svg:x='{x}mm' svg:y='{y}mm' svg:width='{right - x}mm' svg:height='{bottom - y}mm'><text:p>{text}"
        "</text:p></draw:rect>"
        for text, x, y, right, bottom in PLACES[name]
    )
    made = convert(odf("presentation", f"<draw:page><draw:g>{shapes}</draw:g></draw:page>"), "odp").markdown
    assert made.split() == ["##", "Slide", "1", *ORDERED[name].split()]


def test_of_alternative_shapes_only_the_first_is_read():
    choices = "".join(f"<mc:Choice Requires='a'>{placed(text, 0, 0, 9, 9)}</mc:Choice>" for text in ("new", "newer"))
    fallback = f"<mc:Fallback>{placed('old', 0, 0, 9, 9)}</mc:Fallback>"
    namespace = "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    slide = f"<mc:AlternateContent {namespace}>{choices}{fallback}</mc:AlternateContent>"
    assert convert(pptx(slide), "pptx").markdown == "## Slide 1\n\nnew\n"


@pytest.mark.parametrize("name", PLACES)
def test_shapes_of_an_opendocument_slide_are_read_from_top_to_bottom(name):
    frames = "".join(
        f"<draw:frame svg:x='{x}mm' svg:y='{y / 10}cm' svg:width='{right - x}mm' svg:height='{(bottom - y) / 10}cm'>"
        f"<draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
        for text, x, y, right, bottom in PLACES[name]
    )
    made = convert(odf("presentation", f"<draw:page>{frames}</draw:page>"), "odp").markdown
    assert made.split() == ["##", "Slide", "1", *ORDERED[name].split()]


def test_charts_become_tables_with_axis_titles_dates_and_percentages():
    points = "<{0}><c:numCache><c:formatCode>{1}</c:formatCode><c:pt idx='0'><c:v>{2}</c:v></c:pt></c:numCache></{0}>"
    axes = "".join(
        f"<c:{name}><c:title><a:t>{title}</a:t></c:title></c:{name}>"
        for name, title in (("dateAx", "Month"), ("valAx", "Share of votes"))
    )
    series = points.format("c:cat", "mmm\\ yy", 45292) + points.format("c:val", "0.0%", 0.256)
    chart = f"""<c:chartSpace xmlns:c='{writers.C}' xmlns:a='{writers.A}'><c:chart><c:title><a:t>Votes</a:t></c:title>
<c:plotArea><c:ser><c:tx><c:v>Ann</c:v></c:tx>{series}</c:ser>{axes}</c:plotArea></c:chart></c:chartSpace>"""
    slide = "<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>"
    assert convert(pptx(slide, parts={"chart.xml": chart}, c="chart chart.xml"), "pptx").markdown == (
        "## Slide 1\n\nVotes (Share of votes)\n\n| Month | Ann |\n| --- | --- |\n| 2024-01-01 | 25.6% |\n"
    )


def test_the_categories_of_a_chart_are_named_with_their_groups():
    def level(**points):
        return "".join(f"<c:pt idx='{key[1:]}'><c:v>{name}</c:v></c:pt>" for key, name in points.items())

    inner, outer = level(_0="Q1", _1="Q2", _2="Q1", _3="Q2"), level(_0="2023", _2="2024")
    chart = f"""<c:chartSpace xmlns:c='{writers.C}'><c:chart><c:ser><c:tx><c:v>Sold</c:v></c:tx><c:cat><c:multiLvlStrRef>
<c:multiLvlStrCache><c:ptCount val='4'/><c:lvl>{inner}</c:lvl><c:lvl>{outer}</c:lvl></c:multiLvlStrCache>
</c:multiLvlStrRef></c:cat><c:val>{level(_0=5, _1=6, _2=7, _3=8)}</c:val></c:ser></c:chart></c:chartSpace>"""
    slide = "<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>"
    made = convert(pptx(slide, parts={"chart.xml": chart}, c="chart chart.xml"), "pptx").markdown
    assert made.split("\n")[4:-1] == ["| 2023, Q1 | 5 |", "| 2023, Q2 | 6 |", "| 2024, Q1 | 7 |", "| 2024, Q2 | 8 |"]


def test_a_shared_formula_without_a_result_is_written_for_each_cell():
    cells = [
        "<c r='C1'><f t='shared' ref='C1:C3' si='0'>A1*$B$1+A$1+Sheet2!A1+LOG10(A1)+T[A1]&amp;\"A1\"</f></c>",
        "<c r='C2'><f t='shared' si='0'/></c>",
        "<c r='C3'><f t='shared' si='0'/><v>9</v></c><c r='D3'><f t='shared' si='0'/></c>",
        "<c r='C4'><f t='shared' ref='C4:C5' si='1'>A4-C2</f><v>2</v></c><c r='D4'><f t='shared' si='1'/></c>",
        "<c r='C5'><f>_xlfn.XLOOKUP(A1,B1:B9,C1:C9)</f></c><c r='D5'><f t='shared' si='7'/></c>",
    ]
    rows = "".join(f"<row r='{number}'>{row}</row>" for number, row in enumerate(cells, 1))
    made = convert(xlsx({"S": f"<sheetData>{rows}</sheetData>"}), "xlsx").markdown.replace("\\", "")
    assert [line.strip("| ").split(" | ") for line in made.split("\n") if "---" not in line][2:-1] == [
        ['=A1*$B$1+A$1+Sheet2!A1+LOG10(A1)+T[A1]&"A1"'],
        ['=A2*$B$1+A$1+Sheet2!A2+LOG10(A2)+T[A1]&"A1"'],
        ["9", '=B3*$B$1+B$1+Sheet2!B3+LOG10(B3)+T[A1]&"A1"'],
        ["2", "=B4-D2"],
        ["=XLOOKUP(A1,B1:B9,C1:C9)"],
    ]


def test_charts_diagrams_and_pictures_of_slides_become_text():
    slide = (
        "<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm='d'/></p:graphicFrame>"
        "<p:pic><p:nvPicPr><p:cNvPr descr='A fox'/></p:nvPicPr></p:pic>"
        "<p:pic><p:nvPicPr><p:cNvPr descr='b.png'/></p:nvPicPr><a:blip r:link='p'/></p:pic>"
    )
    parts = {"chart.xml": CHART, "diagram.xml": DIAGRAM}
    links = {"c": "chart chart.xml", "d": "diagramData diagram.xml", "p": "image https://e.example/p.png external"}
    assert convert(pptx(slide, parts=parts, **links), "pptx").markdown == (
        "## Slide 1\n\nFoxes\n\n|  | Seen |\n| --- | --- |\n| East | 1.5 |\n| West | 2 |\n\n- First step\n  - inner\n- Second\n- arrow\n\n"
        "A fox\n\n![](https://e.example/p.png)\n"
    )


OPEN_STYLES = """<style:style style:name='B' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>
<style:style style:name='P1' style:parent-style-name='Heading_20_2'/><style:style style:name='N' style:parent-style-name='B'><style:text-properties fo:font-weight='normal'/></style:style>
<text:list-style style:name='L'><text:list-level-style-number style:num-format='1' text:start-value='4'/></text:list-style>"""
ROWS = (
    "<table:table><table:table-row><table:table-cell/><table:table-cell><text:p>Seen</text:p></table:table-cell></table:table-row>"
    "<table:table-row><table:table-cell><text:p>East</text:p></table:table-cell><table:table-cell><text:p>2</text:p>"
    "</table:table-cell></table:table-row></table:table>"
)
OPEN_OBJECTS = {
    "F/content.xml": "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac>"
    "<annotation encoding='StarMath 5.0'>a over 2</annotation></semantics></math>",
    "G/content.xml": f"<office:document-content {writers.ODF_SPACES}><office:chart><chart:chart><chart:title><text:p>Foxes</text:p>"
    f"</chart:title>{ROWS}</chart:chart></office:chart></office:document-content>",
}
ITEM, BULLETS, NUMBERS = (
    f"<text:{tag}>{{}}</text:{name}>"
    for tag, name in (("list-item", "list-item"), ("list", "list"), ("list text:style-name='L'", "list"))
)
LINE, CODE = "<text:p>{}</text:p>", "<text:p text:style-name='Preformatted_20_Text'>{}</text:p>"
A, B, C = (ITEM.format(LINE.format(letter)) for letter in "abc")
OPEN_LISTS = [
    (NUMBERS.format(A + ITEM.format("<text:p/>") + C), "4. a\n5.\n6. c"),  # an empty item counts
    (BULLETS.format(A) + BULLETS.format(ITEM.format(BULLETS.format(B))) + BULLETS.format(C), "- a\n  - b\n- c"),
    (
        BULLETS.format(ITEM.format(LINE.format("a") + CODE.format("x") + CODE.format("y")) + B),
        "- a\n  ```\n  x\n  y\n  ```\n- b",
    ),
    (
        BULLETS.format(
            ITEM.format(LINE.format("a") + LINE.format("more") + BULLETS.format(B) + LINE.format("end")) + C
        ),
        "- a\n\n  more\n\n  - b\n\n  end\n\n- c",
    ),
    (
        CODE.format("")
        + LINE.format("a")
        + CODE.format(" ")
        + BULLETS.format(B + ITEM.format(CODE.format("") + CODE.format("x"))),
        "a\n\n- b\n- ```\n  x\n  ```",
    ),
    (NUMBERS.format(A) + NUMBERS.format(B), "4. a\n\n4) b"),  # two lists, unless one continues the other
    (BULLETS.format(A) + NUMBERS.format(B) + BULLETS.format(C), "- a\n\n4. b\n\n- c"),
]
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
    *OPEN_LISTS,
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
    ("<text:p text:style-name='P1'>Head by style</text:p>", "## Head by style"),
    (
        "<text:p>See <draw:frame><draw:image xlink:href='Pictures/a.png'/><svg:title>A fox</svg:title></draw:frame>.</text:p>",
        "See A fox.",
    ),
    (
        "<text:p><draw:frame><draw:image xlink:href='https://e.example/p.png'/><svg:desc>A fox</svg:desc></draw:frame></text:p>",
        "![A fox](https://e.example/p.png)",
    ),
    (
        "<text:p>where <draw:frame><draw:object xlink:href='./F'/></draw:frame> holds</text:p>",
        r"where $\frac{a}{2}$ holds",
    ),
    (
        "<text:p><draw:frame><draw:object xlink:href='./G/'/></draw:frame></text:p>",
        "Foxes\n\n|  | Seen |\n| --- | --- |\n| East | 2 |",
    ),
]


@pytest.mark.parametrize(("body", "markdown"), OPEN)
def test_opendocument_constructs_become_markdown(body, markdown):
    assert convert(odf("text", body, OPEN_STYLES, OPEN_OBJECTS), "odt").markdown == f"{markdown}\n"


def test_opendocument_drawings_are_read_as_slides():
    page = "<draw:page><draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame></draw:page>"
    assert "drawn" in convert(odf("graphics", page), "odp").markdown


def test_an_opendocument_sheet_becomes_a_table():
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


def test_hidden_sheets_are_left_out():
    styles = "<style:style style:name='ta2'><style:table-properties table:display='false'/></style:style>"
    row = "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>"
    body = f"<table:table table:name='A'>{row}</table:table><table:table table:name='B' table:style-name='ta2'>{row}</table:table>"
    assert convert(odf("spreadsheet", body, styles), "ods").markdown == "## A\n\nx\n"


# The attributes of a cell that shows "5/2/2024", and what is written. Another program may not store the value.
ODS_DATES = [
    ("office:date-value='2024-05-02'", "2024-05-02"),
    ("office:date-value='2024-05-02T13:45:00'", "2024-05-02 13:45:00"),
    ("office:date-value='2024-05-02T13:45:00.5'", "2024-05-02 13:45:00"),
    ("office:date-value='2024-05-02T00:00:00'", "2024-05-02"),
    ("office:date-value='2024'", "5/2/2024"),
    ("office:value='45414'", "5/2/2024"),
    ("", "5/2/2024"),
]


@pytest.mark.parametrize(("attributes", "text"), ODS_DATES)
def test_dates_of_an_ods_sheet_are_in_iso_8601(attributes, text):
    cells = f"<table:table-cell {attributes}><text:p>5/2/2024</text:p></table:table-cell>"
    body = f"<table:table table:name='S'><table:table-row>{cells}<table:table-cell office:date-value='2024-05-02'/></table:table-row></table:table>"
    assert convert(odf("spreadsheet", body), "ods").markdown == f"## S\n\n{text}\n"


def test_an_opendocument_presentation_becomes_sections():
    body = (
        "<draw:page><draw:frame presentation:class='title'><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame>"
        "<draw:frame><draw:text-box><text:list><text:list-item><text:p>a</text:p></text:list-item></text:list></draw:text-box>"
        "</draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>say</text:p></draw:text-box></draw:frame>"
        "</presentation:notes></draw:page>"
    )
    document = convert(odf("presentation", body), "odp")
    assert (document.title, document.markdown) == ("T", "## T\n\n- a\n\n**Notes:**\n\nsay\n")


def test_lists_of_presentations_are_joined_and_nested():
    item = "<text:list><text:list-item>{}</text:list-item></text:list>"
    lists = (
        item.format("<text:p>a</text:p>")
        + item.format(item.format("<text:p>b</text:p>"))
        + item.format("<text:p>c</text:p>")
    )
    body = f"<draw:page><draw:frame><draw:text-box>{lists}</draw:text-box></draw:frame></draw:page>"
    assert convert(odf("presentation", body), "odp").markdown == "## Slide 1\n\n- a\n  - b\n- c\n"


def test_both_axes_of_a_chart_are_named():
    axes = "".join(f"<chart:axis><chart:title><text:p>{name}</text:p></chart:title></chart:axis>" for name in "xy")
    members = {"G/content.xml": OPEN_OBJECTS["G/content.xml"].replace("</chart:chart>", f"{axes}</chart:chart>")}
    drawn = "<text:p><draw:frame><draw:object xlink:href='./G'/></draw:frame></text:p>"
    assert convert(odf("text", drawn, members=members), "odt").markdown.startswith("Foxes (x, y)\n")


def test_a_heading_in_a_note_is_not_the_title_of_the_document():
    note = "<text:note><text:note-body><text:h text:outline-level='1'>Aside</text:h></text:note-body></text:note>"
    assert convert(odf("text", f"<text:p>Text{note}</text:p>"), "odt").title == ""


def test_charts_and_text_boxes_of_opendocument_sheets_follow_the_cells():
    axis = "<chart:axis><chart:title><text:p>Animals</text:p></chart:title></chart:axis>"
    members = {"G/content.xml": OPEN_OBJECTS["G/content.xml"].replace("</chart:chart>", f"{axis}</chart:chart>")}
    drawn = "<draw:frame><draw:object xlink:href='./G'/></draw:frame><draw:rect><text:p>Beside</text:p></draw:rect>"
    rows = "<table:table-row><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row>"
    sheet = f"<table:table table:name='S'><table:shapes>{drawn}</table:shapes>{rows}</table:table>"
    assert convert(odf("spreadsheet", sheet, members=members), "ods").markdown == (
        "## S\n\ncell\n\nFoxes (Animals)\n\n|  | Seen |\n| --- | --- |\n| East | 2 |\n\nBeside\n"
    )


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


BOOK_NOTES = {
    "a.xhtml": "<p>One<a epub:type='noteref' href='#n1'>1</a>, two<a epub:type='noteref' href='a.xhtml#n2'>2</a>.</p>"
    "<aside epub:type='footnote' id='n1'><p>First.</p></aside><p>More.</p><aside epub:type='footnote' id='n2'>Second.</aside>",
    "old.xhtml": "<p>Old<a class='footnote-ref' href='#f'>1</a>.</p><div class='footnotes'><ol><li id='f'><p>As EPUB 2"
    " has them.<a class='footnote-back' href='#r'>back</a></p></li></ol></div>",
    "b.xhtml": "<p>Far<a epub:type='noteref' href='notes.xhtml#x'>3</a>. Near<a epub:type='noteref' href='#y'>*</a></p>"
    "<section epub:type='footnotes'><ol><li id='y'><p>Here. <a epub:type='backlink' href='#q'>back</a></p></li></ol></section>",
}


def test_notes_of_books_become_footnotes_with_continuous_numbers():
    xhtml = XHTML.replace("<html ", "<html xmlns:epub='http://www.idpf.org/2007/ops' ")
    book = epub({name: xhtml.format(text) for name, text in BOOK_NOTES.items()})
    assert convert(book, "epub").markdown == (
        "One[^1], two[^2].\n\nMore.\n\n[^1]: First.\n\n[^2]: Second.\n\nOld[^3].\n\n[^3]: As EPUB 2 has them.\n\n"
        "Far[3]. Near[^4]\n\n[^4]: Here.\n"
    )


def test_a_note_in_a_chapter_of_the_same_name_in_another_folder_is_no_footnote():
    xhtml = XHTML.replace("<html ", "<html xmlns:epub='http://www.idpf.org/2007/ops' ")
    links = (
        "<a epub:type='noteref' href='../notes/c.xhtml#n'>1</a>",
        "<a epub:type='noteref' href='../text/c.xhtml#n'>2</a>",
    )
    body = f"<p>Far{links[0]}. Near{links[1]}.</p><aside epub:type='footnote' id='n'>Here.</aside>"
    book = epub({"text/c.xhtml": xhtml.format(body), "notes/c.xhtml": xhtml.format("<p id='n'>There.</p>")})
    assert convert(book, "epub").markdown == "Far[1]. Near[^1].\n\n[^1]: Here.\n\nThere.\n"


# The text of a chapter, its markdown.
REF = "<p>Text<a id='r' epub:type='noteref' href='#n'>1</a>.</p>"
CHAPTER_NOTES = {
    "a number that leads back": (
        f"{REF}<aside epub:type='footnote' id='n'><p><a href='#r'>1</a>. The note.</p></aside><p>More.</p>",
        "Text[^1].\n\nMore.\n\n[^1]: The note.\n",
    ),
    "LibreOffice: the id is around the reference": (
        "<p>Text<sup id='r'><a epub:type='noteref' href='#n'>1</a></sup>.</p>"
        "<aside epub:type='footnote' id='n'><p><sup><a href='#r'>1</a></sup>The note.</p></aside>",
        "Text[^1].\n\n[^1]: The note.\n",
    ),
    "InDesign": (
        "<p>Text<span><a class='_idFootnoteLink' href='a.xhtml#n' id='n-backlink'>1</a></span>.</p>"
        "<section class='_idFootnotes' epub:type='footnotes'><aside id='n' epub:type='footnote'><p>"
        "<a class='_idFootnoteAnchor' href='a.xhtml#n-backlink'>1</a>\tThe note.</p></aside></section>",
        "Text[^1].\n\n[^1]: The note.\n",
    ),
    "Project Gutenberg: only links": (
        "<p>Text<a id='A1'/><a href='a.xhtml#F1' class='fnanchor'>[1]</a>.</p><div class='footnote'>"
        "<p><a id='F1'/><a href='a.xhtml#A1'><span class='label'>[1]</span></a> The note.</p></div>",
        "Text[^1].\n\n[^1]: The note.\n",
    ),
    "a link in a note to another note": (
        f"{REF}<aside epub:type='footnote' id='n'>See <a href='#n'>1</a> and <a href='#p'>page 3</a>.</aside>",
        "Text[^1].\n\n[^1]: See [^1] and page 3.\n",
    ),
    "words that lead back": (
        f"{REF}<aside epub:type='footnote' id='n'><p><a href='#r'>Back</a> to it</p></aside>",
        "Text[^1].\n\n[^1]: Back to it\n",
    ),
    "numbers that lead to no note": (
        "<p>See <a href='#s'>2</a>, <a href='#zz' epub:type='noteref'>3</a>, <a href=''>4</a>, <a>5</a>.</p><h2 id='s'>S</h2>",
        "See 2, [3], 4, 5.\n\n## S\n",
    ),
    "an arrow back to another chapter": (
        "<ol><li id='n'><p>The note. <a href='b.xhtml#r' role='doc-backlink'>\u21a9</a></p></li></ol>",
        "1. The note.\n",
    ),
    "a number back to another chapter": ("<p id='n'><a href='b.xhtml#r'>1</a>. The note.</p>", "1\\. The note.\n"),
    "pages of the printed book": (
        "<p>One <span epub:type='pagebreak' id='p3'>3</span>two <a id='p4' role='doc-pagebreak'>4</a>three.</p>"
        "<div epub:type='pagebreak'>5</div><nav epub:type='page-list'><ol><li><a href='#p3'>3</a></li></ol></nav>",
        "One two three.\n",
    ),
    "a section that begins a page": (
        "<section epub:type='chapter pagebreak'><p>The words of the chapter.</p></section>",
        "The words of the chapter.\n",
    ),
    "a chapter on landmarks": ("<section epub:type='landmarks'><p>Towers.</p></section>", "Towers.\n"),
}


@pytest.mark.parametrize("name", CHAPTER_NOTES)
def test_links_of_a_chapter_become_footnotes_or_text(name):
    text, markdown = CHAPTER_NOTES[name]
    xhtml = XHTML.replace("<html ", "<html xmlns:epub='http://www.idpf.org/2007/ops' ")
    assert convert(epub({"a.xhtml": xhtml.format(text)}), "epub").markdown == markdown


@pytest.mark.parametrize(("uri", "name"), [("OPS/a.xhtml", "a.xhtml"), ("OPS/a%20b.xhtml", "a%20b.xhtml")])
def test_a_protected_book_is_an_error_that_says_why(uri, name):
    encryption = (
        "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:container' xmlns:e='http://www.w3.org/2001/04/xmlenc#'>"
        f"<e:EncryptedData><e:CipherData><e:CipherReference URI='{uri}'/></e:CipherData></e:EncryptedData></encryption>"
    )
    with pytest.raises(ExtractFailed, match="protected"):
        convert(epub({name: "x"}, extra={"META-INF/encryption.xml": encryption}), "epub")


BOMB = f"<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaaaaaaaa'>]><w:document xmlns:w='{writers.W}'>&a;</w:document>"
REFUSED = [
    (zipped({"[Content_Types].xml": "", "word/document.xml": BOMB}), "the entity a is declared"),
    (zipped({"word/document.xml": "<a>" * 300 + "</a>" * 300}), "more than 250 deep"),
    (zipped({"word/document.xml": "<a><b></a>"}), "line 1, column"),
    (zipped({"word/document.xml": "<a/>"}), "has no body"),
    (zipped({"word/document.xml": b" " * (65 * 1024 * 1024)}), "ends before its first element"),
    (zipped({"a": ""}), "has no word/document.xml"),
    (b"PK\x03\x04" + bytes(100), "is damaged"),
    (b"", "is damaged"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_damaged_and_hostile_documents_are_refused(body, message):
    with pytest.raises(ExtractFailed, match=message):
        convert(body, "docx")


def test_a_member_named_many_times_is_read_a_limited_number_of_times(monkeypatch):
    monkeypatch.setattr("webtool.documents.archive.MAX_READS", 20)
    slide = "<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>"
    made = convert(pptx(slide * 30, parts={"chart.xml": CHART}, c="chart chart.xml"), "pptx")
    assert (made.note.startswith("The document holds more"), 10 < made.markdown.count("---") < 90) == (True, True)


def test_an_embedded_object_is_read_once(monkeypatch):
    monkeypatch.setattr("webtool.documents.archive.MAX_READS", 20)
    frame = "<draw:frame><draw:object xlink:href='./F'/></draw:frame>"
    body = odf("text", f"<text:p>{frame * 30}</text:p>", members=OPEN_OBJECTS)
    assert convert(body, "odt").markdown.count("frac") == 30


# Digits that int() rejects, and more digits than it accepts.
ODD_NUMBERS = ("²", "9" * 5000, "-1", "", "1.5")


@pytest.mark.parametrize("number", ODD_NUMBERS, ids=("letter", "long", "negative", "empty", "part"))
def test_attributes_that_are_not_numbers_are_ignored(number):
    span = f"<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val='{number}'/></w:tcPr>{p('fox')}</w:tc></w:tr></w:tbl>"
    slide = shape("body", f"<a:pPr lvl='{number}'><a:buAutoNum startAt='{number}'/></a:pPr>{r('fox')}")
    cells = (
        f"<table:table><table:table-row><table:table-cell table:number-columns-repeated='{number}'><text:p>a</text:p>"
    )
    text = f"<text:h text:outline-level='{number}'>a<text:s text:c='{number}'/>fox</text:h>"
    row = f"<sheetData><row r='{number}'><c s='{number}' t='str'><v>fox</v></c></row></sheetData>"
    documents = {
        "docx": docx(p("x", "", (number, number)) + span),
        "pptx": pptx(slide),
        "odt": odf("text", f"{text}{cells}</table:table-cell></table:table-row></table:table>"),
        "xlsx": xlsx({"A": row}),
    }
    for kind, body in documents.items():
        assert "fox" in convert(body, kind).markdown


def test_a_formula_with_too_many_parts_is_shown_as_text():
    nested = "<m:rad><m:deg>" * 100 + mr("x") * 25_000 + "</m:deg></m:rad>" * 100
    assert "xxx" in convert(docx(m(nested)), "docx").markdown


@pytest.mark.parametrize("target", ["top%20part.xml", "top%20part.xml#x"])
@pytest.mark.parametrize("name", ["top part.xml", "top%20part.xml"])
def test_the_target_of_a_relationship_is_a_uri(target, name):
    header = f"<w:hdr xmlns:w='{writers.W}'>{p('The head')}</w:hdr>"
    assert convert(docx(p("text"), {name: header}, h=f"header {target}"), "docx").markdown == "The head\n\ntext\n"


def test_small_trees_give_no_weight_back(monkeypatch):
    monkeypatch.setattr("webtool.documents.archive.MAX_WEIGHT", 10)
    monkeypatch.setattr("webtool.documents.archive._MIN_WEIGHT", 5)
    source = Source(
        zipped({"a": "<a/>", "b": "<b><c/><c/></b>", "large": f"<d>{'<e/>' * 9}</d>"}), "docx", Budget(99), [], {}
    )
    archive = Archive(source)
    assert len(archive.xml("large")) == 9
    assert len(archive.xml("b")) == 2
    archive.xml("a")
    assert len(archive.xml("large")) < 9


def test_an_archive_with_too_many_members_is_refused():
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
    """Damage bytes of the file or of one member, so that both the zip reader and the XML readers meet it."""
    kind = data.draw(st.sampled_from(sorted(DOCUMENTS)))
    body = DOCUMENTS[kind]
    if data.draw(st.booleans()):
        body = mutated(data, body)
    else:
        members = writers.members_of(body)
        name = data.draw(st.sampled_from(sorted(members)))
        body = zipped({**members, name: mutated(data, members[name])})
    code, document = outcome(body, kind)
    assert code in ("", "EXTRACT_FAILED")
    assert document is None or document.kind == kind


def test_labels_that_markdown_lacks_stay_in_the_text():
    """A text can refer to "2.1 (aa)", so labels such as (aa) must stay."""
    made = convert(
        docx("".join(p(f"at {depth}", numbering=("11", depth)) for depth in (0, 1, 2, 3, 1)), PARTS, **LINKS), "docx"
    )
    assert made.markdown == ("2. at 0\n   - 2.1 at 1\n     - (aa) at 2\n       - MCMXCIV. at 3\n   - 2.2 at 1\n")


LABELS = [  # number format, pattern of the level, markdown
    ("decimal", "%1.", "1. a\n2. b\n"),
    ("decimal", "(%1)", "1. a\n2. b\n"),
    ("decimal", "第%1条", "- 第1条 a\n- 第2条 b\n"),
    ("decimal", "Article %1:", "- Article 1: a\n- Article 2: b\n"),
    ("decimal", "0.%1", "- 0.1 a\n- 0.2 b\n"),
    ("decimal", "0.", "- 0\\. a\n- 0\\. b\n"),
    ("lowerRoman", "%1)", "- i) a\n- ii) b\n"),
    ("decimal", "", "1. a\n2. b\n"),
]


@pytest.mark.parametrize(("digits", "pattern", "markdown"), LABELS)
def test_words_and_numbers_of_a_list_label_stay(digits, pattern, markdown):
    level = f"<w:lvl w:ilvl='0'><w:numFmt w:val='{digits}'/><w:lvlText w:val='{pattern}'/></w:lvl>"
    numbering = (
        f"<w:numbering xmlns:w='{writers.W}'><w:abstractNum w:abstractNumId='1'>{level}</w:abstractNum>"
        "<w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num></w:numbering>"
    )
    items = p("a", numbering=("1", 0)) + p("b", numbering=("1", 0))
    made = convert(docx(items, {"numbering.xml": numbering}, n="numbering numbering.xml"), "docx")
    assert made.markdown == markdown


@pytest.mark.parametrize("in_style", [False, True])
def test_a_list_level_that_word_does_not_have_counts_as_the_deepest(in_style):
    number = "<w:numPr><w:ilvl w:val='99999999'/><w:numId w:val='1'/></w:numPr>"
    style = f"<w:style w:styleId='s'><w:pPr>{number}</w:pPr></w:style>"
    body = p("item", "s") if in_style else p("item", numbering=("1", 99999999))
    made = convert(
        docx(body, {"styles.xml": f"<w:styles xmlns:w='{writers.W}'>{style}</w:styles>"}, s="styles styles.xml"), "docx"
    )
    assert made.markdown == "- item\n"


MARK_GONE = "<w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr>"
MARK_MOVED = "<w:pPr><w:rPr><w:moveFrom w:id='1'/></w:rPr></w:pPr>"
DELETIONS = {
    "mark": (f"<w:p>{MARK_GONE}<w:r><w:t>half and </w:t></w:r></w:p>" + p("half") + p("next"), "half and half\n\nnext"),
    "moved": (f"<w:p>{MARK_MOVED}<w:r><w:t>a </w:t></w:r></w:p>" * 2 + p("b"), "a a b"),
    "mark of a heading": (f"<w:p>{MARK_GONE}<w:r><w:t>Old </w:t></w:r></w:p>" + p("head", "H1"), "# Old head"),
    "mark above code": (
        f"<w:p>{MARK_GONE}<w:r><w:t>above</w:t></w:r></w:p>{p('code', 'C')}{p('below')}",
        "above\n\n```\ncode\n```\n\nbelow",
    ),
    "last mark": (f"<w:p>{MARK_GONE}<w:r><w:t>end</w:t></w:r></w:p>", "end"),
    "mark above a table": (
        f"<w:p>{MARK_GONE}<w:r><w:t>above</w:t></w:r></w:p><w:tbl><w:tr><w:tc>{p('a')}</w:tc></w:tr></w:tbl>{p('below')}",
        "above\n\n| a |\n| --- |\n\nbelow",
    ),
    "mark beside a box": (
        f"<w:p>{MARK_GONE}<w:r><w:t>out </w:t><w:drawing><w:txbxContent>{p('in')}</w:txbxContent></w:drawing></w:r></w:p>"
        + p("side"),
        "in\n\nout side",
    ),
    "mark above code beside a box": (
        f"<w:p>{MARK_GONE}<w:r><w:t>a</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val='C'/></w:pPr><w:r><w:t>b</w:t><w:drawing>"
        f"<w:txbxContent>{p('in')}</w:txbxContent></w:drawing></w:r></w:p>",
        "a\n\n```\nb\n```\n\nin",
    ),
    "row": (
        f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc></w:tr><w:tr><w:trPr><w:del w:id='1'/></w:trPr><w:tc><w:p><w:del><w:r><w:delText>"
        f"two words</w:delText></w:r></w:del></w:p></w:tc></w:tr><w:tr><w:tc>{p('b')}</w:tc></w:tr></w:tbl>",
        "| a |\n| --- |\n| b |",
    ),
}


@pytest.mark.parametrize("name", DELETIONS)
def test_a_tracked_deletion_joins_paragraphs_and_removes_rows(name):
    body, markdown = DELETIONS[name]
    made = convert(docx(body, PARTS, **LINKS), "docx")
    assert (made.markdown, made.hidden_words) == (f"{markdown}\n", 2 if name == "row" else 0)


def test_of_alternative_forms_of_a_text_box_only_the_first_is_read():
    boxes = [f"<w:drawing><w:txbxContent>{p(text)}</w:txbxContent></w:drawing>" for text in ("new", "newer", "old")]
    choices = f"<mc:Choice>{boxes[0]}</mc:Choice><mc:Choice>{boxes[1]}</mc:Choice><mc:Fallback>{boxes[2]}</mc:Fallback>"
    namespace = "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    body = f"<w:p><w:r><mc:AlternateContent {namespace}>{choices}</mc:AlternateContent></w:r></w:p>"
    assert convert(docx(body), "docx").markdown == "new\n"


def test_emoji_of_word_are_read():
    namespaces = (
        "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
        " xmlns:w16se='http://schemas.microsoft.com/office/word/2015/wordml/symex'"
    )
    body = (
        f"<w:p><w:r {namespaces}><w:t>a </w:t><mc:AlternateContent><mc:Choice Requires='w16se'><w16se:symEx"
        " w16se:font='Segoe UI Emoji' w16se:char='1F60A'/></mc:Choice><mc:Fallback><w:t>😊</w:t></mc:Fallback>"
        "</mc:AlternateContent><w:t> b</w:t></w:r></w:p>"
    )
    assert convert(docx(body), "docx").markdown == "a 😊 b\n"


def test_a_drop_cap_is_joined_to_its_word():
    frame = "<w:p><w:pPr><w:framePr w:dropCap='drop'/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>"
    assert convert(docx(frame + p("nce upon a time.")), "docx").markdown == "Once upon a time.\n"
    assert convert(docx(p("Above.") + frame), "docx").markdown == "Above.\n\nO\n"
    assert convert(docx(frame + p(" long time ago.")), "docx").markdown == "O long time ago.\n"


@pytest.mark.parametrize("colour", ["#ffffff", "#ff0000", "transparent"])
def test_a_url_on_a_colour_becomes_a_link(colour):
    styles = f"<style:style style:name='S'><style:text-properties fo:background-color='{colour}'/></style:style>"
    made = convert(odf("text", "<text:p text:style-name='S'>see https://x.example/a</text:p>", styles), "odt")
    assert made.markdown == "see [https://x.example/a](https://x.example/a)\n"


BULLETS = "<text:list-level-style-bullet text:level='1' text:bullet-char='{}'/>"
NUMBERED = "<text:list-level-style-number text:level='1' style:num-format='{}' style:num-suffix='{}'/>"
LIST_STYLES = "".join(
    f"<text:list-style style:name='{name}'>{levels}</text:list-style>"
    for name, levels in {
        "One": NUMBERED.format("1", "."),
        "Deep": NUMBERED.format("1", ".") + NUMBERED.format("1", ".").replace("level='1'", "level='2'"),
        "Letters": NUMBERED.format("a", ")"),
        "Blank": BULLETS.format(" "),
        "Unnumbered": NUMBERED.format("", ""),
        "Dots": BULLETS.format("•") * 2,
    }.items()
)


def odf_list(style, *items, attributes=""):
    inner = "".join(
        item if item.startswith("<") else f"<text:list-item><text:p>{item}</text:p></text:list-item>" for item in items
    )
    return f"<text:list text:style-name='{style}' {attributes}>{inner}</text:list>"


FIRST = odf_list("One", "a", "b", attributes="xml:id='one'")
RESTARTED = "<text:list-item text:start-value='{}'><text:p>c</text:p></text:list-item>"
DEEPER = f"<text:list-item>{odf_list('Dots', 'deep')}</text:list-item>"
CONTINUED = "text:continue-numbering='true'"
INNER = (
    "<text:list-item><text:p>a</text:p><text:list {}><text:list-item><text:p>deep</text:p></text:list-item>"
    "<text:list-item><text:p>deeper</text:p></text:list-item></text:list></text:list-item>"
)
ODF_LISTS = {
    "continued at once": (FIRST + odf_list("One", "c", attributes="text:continue-list='one'"), "1. a\n2. b\n3. c"),
    "continued below deeper items": (
        FIRST + odf_list("Dots", DEEPER) + odf_list("One", "c", attributes="text:continue-list='one'"),
        "1. a\n2. b\n   - deep\n3. c",
    ),
    "continued below a text": (
        FIRST + "<text:p>x</text:p>" + odf_list("One", "c", attributes="text:continue-numbering='true'"),
        "1. a\n2. b\n\nx\n\n3. c",
    ),
    "continued below its own deeper items": (
        odf_list("Deep", INNER.format("")) + "<text:p>x</text:p>" + odf_list("Deep", "b", attributes=CONTINUED),
        "1. a\n   1. deep\n   2. deeper\n\nx\n\n2. b",
    ),
    "first of its depth": (odf_list("Deep", INNER.format(CONTINUED)), "1. a\n   1. deep\n   2. deeper"),
    "of its own": (FIRST + odf_list("One", "c"), "1. a\n2. b\n\n1) c"),
    "started anew": (odf_list("One", "a", RESTARTED.format(7), "d"), "1. a\n\n7) c\n8) d"),
    "started anew twice": (odf_list("One", "a", RESTARTED.format(7), RESTARTED.format(7)), "1. a\n\n7) c\n\n7. c"),
    "started anew and continued": (
        odf_list("One", "a", RESTARTED.format(7), attributes="xml:id='one'")
        + odf_list("One", "d", attributes="text:continue-list='one'"),
        "1. a\n\n7) c\n8) d",
    ),
    "started where it is": (odf_list("One", "a", RESTARTED.format(2)), "1. a\n2. c"),
    "letters started anew": (odf_list("Letters", "a", RESTARTED.format(5), "d"), "- a) a\n- e) c\n- f) d"),
    "with a blank bullet": (FIRST + odf_list("Blank", "more"), "1. a\n\n2. b\n\n   more"),
    "without a number": (FIRST + odf_list("Unnumbered", "more"), "1. a\n\n2. b\n\n   more"),
    "blank alone": (odf_list("Blank", "a", "b"), "a\n\nb"),
}


@pytest.mark.parametrize("name", ODF_LISTS)
def test_opendocument_lists_are_numbered_as_shown(name):
    text, markdown = ODF_LISTS[name]
    assert convert(odf("text", text, LIST_STYLES), "odt").markdown == f"{markdown}\n"


@pytest.mark.parametrize("gap", ["<text:s text:c='4'/>", " <text:s text:c='3'/>"])
def test_an_indent_of_opendocument_code_is_kept_after_a_line_break(gap):
    text = f"<text:p text:style-name='Preformatted_20_Text'>if a:<text:line-break/>{gap}b</text:p>"
    assert convert(odf("text", text), "odt").markdown == "```\nif a:\n    b\n```\n"


def test_a_span_switches_off_the_formats_around_it():
    style = "<style:style style:name='{}'><style:text-properties {}/></style:style>"
    styles = style.format("up", "style:text-position='super 58%' style:text-line-through-style='solid'")
    styles += style.format("down", "style:text-position='sub 58%'")
    styles += style.format("plain", "style:text-position='0% 100%' style:text-line-through-style='none'")
    inner = "".join(f"<text:span text:style-name='{name}'>{name[0]}</text:span>" for name in ("down", "plain"))
    text = f"<text:p>x<text:span text:style-name='up'>2{inner}</text:span></text:p>"
    assert convert(odf("text", text, styles), "odt").markdown == "x~~²_d~~p\n"


def test_letters_of_opendocument_lists_stay_in_the_text():
    level = "<text:list-level-style-number {} style:num-format='a' style:num-prefix='(' style:num-suffix=')'/>"
    style = f"<text:list-style style:name='L'>{level.format('')}</text:list-style>"
    items = "".join(f"<text:list-item><text:p>{word}</text:p></text:list-item>" for word in ("one", "two"))
    made = convert(writers.odf("text", f"<text:list text:style-name='L'>{items}</text:list>", style), "odt")
    assert made.markdown == "- (a) one\n- (b) two\n"


def test_opendocument_headings_have_their_chapter_numbers():
    level = "<text:outline-level-style text:level='{}' style:num-format='{}' text:display-levels='{}' {}/>"
    levels = level.format(1, "1", 1, "style:num-suffix='.'") + level.format(2, "a", 2, "") + level.format(3, "", 1, "")
    styles = f"<office:document-styles {writers.ODF_SPACES}><text:outline-style>{levels}</text:outline-style></office:document-styles>"
    text = "".join(f"<text:h text:outline-level='{depth}'>at {depth}</text:h>" for depth in (1, 2, 2, 3, 1, 2, 4))
    made = convert(writers.odf("text", text, members={"styles.xml": styles}), "odt").markdown
    numbers = ("# 1. at 1", "## 1.a at 2", "## 1.b at 2", "### at 3", "# 2. at 1", "## 2.a at 2", "#### at 4")
    assert made == "\n\n".join(numbers) + "\n"


def test_the_header_of_an_opendocument_list_is_no_item():
    level = "<text:list-level-style-number style:num-format='a' style:num-suffix=')'/>"
    style = f"<text:list-style style:name='L'>{level}</text:list-style>"
    header, item = (
        "<text:list-header><text:p>{}</text:p></text:list-header>",
        "<text:list-item><text:p>{}</text:p>{}</text:list-item>",
    )
    inner = f"<text:list>{header.format('Inner')}{item.format('two', '')}</text:list>"
    items = header.format("Head") + item.format("one", inner) + item.format("three", "")
    made = convert(odf("text", f"<text:list text:style-name='L'>{items}</text:list>", style), "odt")
    assert made.markdown == "Head\n\n- a) one\n\n  Inner\n\n  - two\n\n- b) three\n"


def test_headings_in_lists_become_numbered_headings():
    heading = "<text:list-item><text:h text:outline-level='{}'>{}</text:h></text:list-item>"
    lists = f"<text:list text:style-name='L'>{heading.format(1, 'four')}{heading.format(1, 'five')}</text:list>"
    body = f"<text:list>{heading.format(2, 'plain')}</text:list>{lists}<text:p>text</text:p>"
    assert convert(odf("text", body, OPEN_STYLES), "odt").markdown == "## plain\n\n# 4. four\n\n# 5. five\n\ntext\n"
    mixed = f"<text:list>{heading.format(2, 'head')}<text:list-item><text:p>item</text:p></text:list-item></text:list>"
    assert convert(odf("text", mixed), "odt").markdown.endswith("- item\n")


def styled(body, style):
    """Return the markdown of a Word document with one style and the lists of NUMBERING."""
    parts = {"styles.xml": f"<w:styles xmlns:w='{writers.W}'>{style}</w:styles>", "numbering.xml": NUMBERING}
    return convert(docx(body, parts, s="styles styles.xml", n="numbering numbering.xml"), "docx").markdown


@pytest.mark.parametrize("named", ["", "unknown"])
def test_a_paragraph_without_a_known_style_has_the_default_style(named):
    properties = "<w:pPr><w:outlineLvl w:val='1'/></w:pPr>"
    style = f"<w:style w:type='paragraph' w:default='1' w:styleId='N'><w:name w:val='Normal'/>{properties}</w:style>"
    assert styled(p("text", named), style) == "## text\n"


def test_the_name_of_a_list_style_deepens_a_paragraph_with_a_list_of_its_own():
    """Word writes the level and the list when somebody changes the list of a "List Number 2"."""
    style = "<w:style w:type='paragraph' w:styleId='L'><w:name w:val='List Number 2'/></w:style>"
    assert styled(p("a", numbering=("7", 0)) + p("b", "L", ("5", 0)), style) == "1. a\n   - b\n"


def test_a_style_may_change_only_the_level_of_the_list_of_the_style_that_it_is_based_on():
    style = "<w:style w:type='paragraph' w:styleId='{}'><w:basedOn w:val='{}'/><w:pPr><w:numPr>{}</w:numPr></w:pPr></w:style>"
    number = "<w:numId w:val='7'/>"
    styles = style.format("A", "", number) + style.format("B", "A", "<w:ilvl w:val='1'/>")
    styles += style.format("C", "B", number)  # another list, or the same one again: at its first level
    assert styled(p("a", "A") + p("b", "B") + p("c", "C"), styles) == "1. a\n   - b\n2. c\n"


def test_the_levels_of_a_list_may_be_in_its_style():
    level = "<w:lvl w:ilvl='0'><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>"
    numbering = (
        f"<w:numbering xmlns:w='{writers.W}'><w:abstractNum w:abstractNumId='1'><w:styleLink w:val='S'/>{level}"
        "</w:abstractNum><w:abstractNum w:abstractNumId='2'><w:numStyleLink w:val='S'/></w:abstractNum>"
        "<w:num w:numId='3'><w:abstractNumId w:val='2'/></w:num></w:numbering>"
    )
    items = p("a", numbering=("3", 0)) + p("b", numbering=("3", 0))
    made = convert(docx(items, {"numbering.xml": numbering}, n="numbering numbering.xml"), "docx")
    assert made.markdown == "1. a\n2. b\n"


def test_a_note_about_the_deadline_names_the_last_row_of_the_sheet():
    source = Source(b"", "xlsx", Budget(99), [], {}, deadline=0.0)
    book = Book(source, 2)
    assert book.is_full()
    book.sheets.append(Sheet("S"))
    book.sheets[-1].add_row(0, {0: "a"})
    book.sheets[-1].add_row(8, {0: "b"})
    assert book.is_full()
    assert source.notes == [
        "Only 0 of 2 sheets were read before the deadline.",
        "Only 1 of 2 sheets were read before the deadline, the last up to row 9.",
    ]


@pytest.mark.parametrize(
    ("text", "label"), [("[a](b)", "\\[a\\](b)"), ("x[y]", "x\\[y\\]"), ("\\]", "\\\\\\]"), ("a|b\nc", "a\\|b<br>c")]
)
def test_a_linked_cell_cannot_end_its_link_text(text, label):
    assert cell_markdown(text, "https://e.example/") == f"[{label}](https://e.example/)"


def test_the_name_of_a_cell_has_nothing_after_its_row():
    assert (cell_position("B7"), cell_position("B7x")) == ((6, 1), None)


@pytest.mark.parametrize(
    ("rows", "columns", "moved"),
    [(0, -1, "A1+$B$1"), (0, -2, "#REF!+$B$1"), (0, -30, "#REF!+$B$1"), (-2, 0, "#REF!+$B$1"), (1, 25, "AA2+$B$1")],
)
def test_a_formula_moved_off_the_sheet_refers_to_nothing(rows, columns, moved):
    assert moved_formula("B1+$B$1", rows, columns) == moved


@pytest.mark.parametrize(
    ("code", "shown"), [("F0B7", "•"), ("41", "A"), ("D800", ""), ("110000", ""), ("-1", ""), ("x", "")]
)
def test_symbols_of_word_are_shown_if_they_are_known(code, shown):
    body = f"<w:p><w:r><w:t>a</w:t><w:sym w:char='{code}'/><w:t>b</w:t></w:r></w:p>"
    assert convert(docx(body), "docx").markdown == f"a{shown}b\n"
