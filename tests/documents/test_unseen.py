# ruff: noqa: E501 (cases read best on one line)
"""Text that no reader of a document sees is left out and counted, by one rule for all kinds."""

import pytest
from documents import writers
from documents.writers import ODF_SPACES, A, P, docx, epub, members_of, odf, p, pptx, with_members, xlsx

from webtool.documents import convert

W14 = "xmlns:w14='http://schemas.microsoft.com/office/word/2010/wordml'"
STYLES = (
    f"<w:styles xmlns:w='{writers.W}'>"
    "<w:style w:type='paragraph' w:styleId='V'><w:name w:val='v'/><w:rPr><w:vanish/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='V2'><w:name w:val='v2'/><w:basedOn w:val='V'/></w:style>"
    "<w:style w:type='paragraph' w:styleId='White'><w:name w:val='w'/><w:rPr><w:color w:val='FEFEFE'/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='Dark'><w:name w:val='d'/><w:pPr><w:shd w:fill='1F3864'/></w:pPr><w:rPr><w:shd w:val='clear' w:fill='1F3864'/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='Banner'><w:name w:val='n'/><w:pPr><w:shd w:fill='1F3864'/></w:pPr><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='Banner2'><w:name w:val='n2'/><w:basedOn w:val='Banner'/></w:style>"
    "<w:style w:type='paragraph' w:styleId='Banner3'><w:name w:val='n3'/><w:pPr><w:shd w:fill='1F3864'/></w:pPr><w:rPr><w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='auto'/></w:rPr></w:style>"
    "<w:style w:type='character' w:styleId='S'><w:name w:val='s'/><w:rPr><w:vanish w:val='0'/></w:rPr></w:style>"
    "<w:style w:type='table' w:styleId='Grid'><w:name w:val='g'/></w:style>"
    "<w:style w:type='table' w:styleId='Bands'><w:name w:val='b'/><w:tblStylePr w:type='firstRow'><w:tcPr><w:shd w:val='clear' w:fill='1F3864'/></w:tcPr></w:tblStylePr></w:style>"
    "</w:styles>"
)
WHITE = "<w:color w:val='FFFFFF'/>"


def cell(content, style, shading=""):
    return f"<w:tbl><w:tblPr><w:tblStyle w:val='{style}'/></w:tblPr><w:tr><w:tc><w:tcPr>{shading}</w:tcPr>{content}</w:tc></w:tr></w:tbl>"


def shaded(fill):
    return f"<w:shd w:val='clear' w:fill='{fill}'/>"


def table(fill, colour):
    text = p("secret", properties=f"<w:color w:val='{colour}'/>")
    return f"<w:tbl><w:tblPr>{shaded(fill)}</w:tblPr><w:tr><w:tc>{text}</w:tc></w:tr></w:tbl>"


WORD = {
    "white on the dark shading of its style": (p("secret", "Banner"), False),
    "white on the dark shading of the style that its style is based on": (p("secret", "Banner2"), False),
    "white without a highlight on the dark shading of its style": (
        p("secret", "Banner", properties=f"<w:highlight w:val='none'/>{WHITE}"),
        False,
    ),
    "white, with the dark shading of its style switched off": (
        p("secret", "Banner").replace("</w:pPr>", f"{shaded('auto')}</w:pPr>"),
        True,
    ),
    "white on a dark table": (table("1F3864", "FFFFFF"), False),
    "dark on a dark table": (table("1F3864", "1F3864"), True),
    "white on a table without a fill": (table("auto", "FFFFFF"), True),
    "white on a table with a pattern": (table("auto", "FFFFFF").replace("'clear'", "'pct90'"), False),
    "white on a dark table, in a cell without a fill": (
        table("1F3864", "FFFFFF").replace("<w:tc>", f"<w:tc><w:tcPr>{shaded('auto')}</w:tcPr>"),
        False,
    ),
    "white without a fill of its own on a dark table": (
        table("1F3864", "FFFFFF").replace("<w:color", f"{shaded('auto')}<w:color"),
        False,
    ),
    "hidden by a paragraph style": (p("secret", "V"), True),
    "hidden by the style that a style is based on": (p("secret", "V2"), True),
    "shown again by a character style": (p("secret", "V", properties="<w:rStyle w:val='S'/>"), False),
    "shown again directly": (p("secret", "V", properties="<w:vanish w:val='0'/>"), False),
    "white": (p("secret", properties=WHITE), True),
    "nearly white by a style": (p("secret", "White"), True),
    "white on white shading": (p("secret", properties=WHITE + shaded("FFFFFF")), True),
    "white on dark shading": (p("secret", properties=WHITE + shaded("1F3864")), False),
    "white on the dark background of a style": (p("secret", "Dark", properties=WHITE), False),
    "white marked with a colour": (p("secret", properties=WHITE + "<w:highlight w:val='darkBlue'/>"), False),
    "white marked with a colour, without a shading": (
        p("secret", properties=f"{WHITE}<w:highlight w:val='black'/>{shaded('auto')}"),
        False,
    ),
    "white marked with a colour on a white shading": (
        p("secret", properties=f"{WHITE}<w:highlight w:val='black'/>{shaded('FFFFFF')}"),
        False,
    ),
    "white marked in white on a dark shading": (
        p("secret", properties=f"{WHITE}<w:highlight w:val='white'/>{shaded('000000')}"),
        True,
    ),
    "white on a style whose letters have no shading but its paragraphs": (p("secret", "Banner3"), False),
    "dark on the same dark": (p("secret", properties="<w:color w:val='1F3864'/>" + shaded("1F3864")), True),
    "white in a plain table": (cell(p("secret", properties=WHITE), "Grid"), True),
    "white in a dark cell": (cell(p("secret", properties=WHITE), "Grid", shaded("1F3864")), False),
    "white in a table with bands": (cell(p("secret", properties=WHITE), "Bands"), False),
    "white in a text box": (f"<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>{p('secret', properties=WHITE)}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>", False),
    "white on a picture": ("<w:p><w:r><w:drawing><wp:anchor behindDoc='1'/></w:drawing></w:r></w:p>" + p("secret", properties=WHITE), False),
    "white on a colour of the theme": (p("secret", properties=f"{WHITE}<w:shd w:val='clear' w:fill='auto' w:themeFill='accent1'/>"), False),
    "grey": (p("secret", properties="<w:color w:val='CCCCCC'/>"), False),
    "automatic": (p("secret", properties="<w:color w:val='auto'/>"), False),
    "half a point": (p("secret", properties="<w:sz w:val='1'/>"), True),
    "small print": (p("secret", properties="<w:sz w:val='8'/>"), False),
    "squeezed": (p("secret", properties="<w:w w:val='1'/>"), True),
    "narrow": (p("secret", properties="<w:w w:val='80'/>"), False),
    "without a fill": (p("secret", properties=f"<w14:textFill {W14}><w14:noFill/></w14:textFill>"), True),
    "transparent": (p("secret", properties=f"<w14:textFill {W14}><w14:solidFill><w14:srgbClr w14:val='000000'><w14:alpha w14:val='100000'/></w14:srgbClr></w14:solidFill></w14:textFill>"), True),
}  # fmt: skip


def judge(body, kind, is_hidden):
    document = convert(body, kind)
    assert "seen words" in document.markdown
    assert ("secret" not in document.markdown) is is_hidden
    assert document.hidden_words == (1 if is_hidden else 0)
    assert ("1 hidden word (1 " in document.note) is is_hidden


@pytest.mark.parametrize("name", WORD)
def test_unseen_text_of_word_documents(name):
    body, is_hidden = WORD[name]
    judge(docx(p("seen words") + body, {"styles.xml": STYLES}, s="styles styles.xml"), "docx", is_hidden)


def test_white_text_on_an_unknown_background_has_a_note():
    body, _ = WORD["white on a picture"]
    assert convert(docx(body), "docx").note == "Perhaps hidden: 1 word in white, on a background that is not known."


TABLE = r"{\colortbl;\red255\green255\blue255;\red10\green20\blue30;}"
RICH_TEXT = {
    "white": (rf"{TABLE}{{\cf1 secret}}", True),
    "a colour": (rf"{TABLE}{{\cf2 secret}}", False),
    "the reader's own colour": (rf"{TABLE}{{\cf0 secret}}", False),
    "white again black": (rf"{TABLE}{{\cf1\cf2 secret}}", False),
    "white until plain": (rf"{TABLE}{{\cf1\plain secret}}", False),
    "white on a colour": (rf"{TABLE}{{\chcbpat2\cf1 secret}}", False),
    "white marked with a colour": (rf"{TABLE}{{\highlight2\cf1 secret}}", False),
    "white in a coloured paragraph": (rf"{TABLE}\pard\cbpat2{{\cf1 secret}}", False),
    "white in a coloured cell": (rf"{TABLE}\trowd\clcbpat2\cellx900\pard\intbl{{\cf1 secret}}\cell\row\pard ", False),
    "half a point": (r"{\fs1 secret}", True),
    "small print": (r"{\fs8 secret}", False),
    "squeezed": (r"{\charscalex1 secret}", True),
    "hidden": (r"{\v secret}", True),
    "a number that no colour has": (r"{\cf9 secret}", False),
}


@pytest.mark.parametrize("name", RICH_TEXT)
def test_unseen_text_of_rich_text(name):
    body, is_hidden = RICH_TEXT[name]
    judge(rf"{{\rtf1 seen words {body}\par}}".encode(), "rtf", is_hidden)


def styled(text_properties, paragraph_properties=""):
    return f"<style:style style:name='X' style:family='paragraph'><style:paragraph-properties {paragraph_properties}/><style:text-properties {text_properties}/></style:style>"


OPEN = {
    "white": (styled("fo:color='#ffffff'"), "<text:p text:style-name='X'>secret</text:p>", True),
    "white on a colour": (styled("fo:color='#ffffff' fo:background-color='#102030'"), "<text:p text:style-name='X'>secret</text:p>", False),
    "white in a coloured paragraph": (styled("fo:color='#ffffff'", "fo:background-color='#102030'"), "<text:p text:style-name='X'>secret</text:p>", False),
    "black in white": (styled("fo:color='#ffffff'") + "<style:style style:name='B'><style:text-properties fo:color='#000000'/></style:style>", "<text:p text:style-name='X'><text:span text:style-name='B'>secret</text:span></text:p>", False),
    "white in a span": (styled("fo:color='#ffffff'"), "<text:p><text:span text:style-name='X'>secret</text:span></text:p>", True),
    "white in a cell": (styled("fo:color='#ffffff'"), "<table:table><table:table-row><table:table-cell><text:p text:style-name='X'>secret</text:p></table:table-cell></table:table-row></table:table>", False),
    "white in a coloured section": (
        styled("fo:color='#ffffff'") + "<style:section-properties fo:background-color='#102030'/>",
        "<text:section><text:p text:style-name='X'>secret</text:p></text:section>",
        False,
    ),
    "white on a coloured page": (styled("fo:color='#ffffff'") + "<style:page-layout-properties fo:background-color='#102030'/>", "<text:p text:style-name='X'>secret</text:p>", False),
    "white on a page with a picture": (styled("fo:color='#ffffff'") + "<style:page-layout-properties><style:background-image xlink:href='Pictures/1.png'/></style:page-layout-properties>", "<text:p text:style-name='X'>secret</text:p>", False),
    "white on a page with a gradient": (styled("fo:color='#ffffff'") + "<style:page-layout-properties draw:fill='gradient'/>", "<text:p text:style-name='X'>secret</text:p>", False),
    "white on a page without a picture": (styled("fo:color='#ffffff'") + "<style:page-layout-properties draw:fill='none'><style:background-image/></style:page-layout-properties>", "<text:p text:style-name='X'>secret</text:p>", True),
    "white without a highlight on a coloured paragraph": (
        styled("fo:color='#ffffff' fo:background-color='transparent'", "fo:background-color='#102030'"),
        "<text:p text:style-name='X'><text:span text:style-name='X'>secret</text:span></text:p>",
        False,
    ),
    "white on a white highlight in a coloured paragraph": (
        styled("fo:color='#ffffff' fo:background-color='#ffffff'", "fo:background-color='#102030'"),
        "<text:p text:style-name='X'>secret</text:p>",
        True,
    ),
    "black on a white highlight": (styled("fo:color='#000000' fo:background-color='#ffffff'"), "<text:p text:style-name='X'>secret</text:p>", False),
    "white on a paragraph without the colour of its parent": (
        styled("fo:color='#ffffff'", "fo:background-color='#102030'") + "<style:style style:name='Y' style:parent-style-name='X'><style:paragraph-properties fo:background-color='transparent'/></style:style>",
        "<text:p text:style-name='Y'>secret</text:p>",
        True,
    ),
    "white on a paragraph with a picture": (styled("fo:color='#ffffff'").replace("<style:paragraph-properties />", "<style:paragraph-properties><style:background-image><office:binary-data/></style:background-image></style:paragraph-properties>"), "<text:p text:style-name='X'>secret</text:p>", False),
    "half a point": (styled("fo:font-size='0.5pt'"), "<text:p text:style-name='X'>secret</text:p>", True),
    "squeezed": (styled("style:text-scale='1%'"), "<text:p text:style-name='X'>secret</text:p>", True),
    "transparent": (styled("loext:opacity='0%'"), "<text:p text:style-name='X'>secret</text:p>", True),
    # LibreOffice writes both for the automatic colour, in which text is seen.
    "in the automatic colour": (
        styled("style:use-window-font-color='true' loext:opacity='0%'"),
        "<text:p text:style-name='X'>secret</text:p>",
        False,
    ),
    "in the automatic colour on a white style": (
        styled("fo:color='#ffffff'")
        + "<style:style style:name='Y' style:parent-style-name='X'><style:text-properties"
        " style:use-window-font-color='true' fo:color='#ffffff' loext:opacity='0%'/></style:style>",
        "<text:p text:style-name='Y'>secret</text:p>",
        False,
    ),
    "in no automatic colour": (
        styled("style:use-window-font-color='false' loext:opacity='0%'"),
        "<text:p text:style-name='X'>secret</text:p>",
        True,
    ),
    "hidden by a field": ("", "<text:p>secret<text:hidden-paragraph text:condition='ooow:1' text:is-hidden='true'/></text:p>", True),
    "not hidden by one of two fields": ("", "<text:p>secret<text:hidden-paragraph text:is-hidden='true'/><text:hidden-paragraph text:is-hidden='false'/></text:p>", False),
    "beside a paragraph that a field hides": ("", "<text:p>secret<draw:frame><draw:text-box><text:p><text:hidden-paragraph text:is-hidden='true'/></text:p></draw:text-box></draw:frame></text:p>", False),
    "in a footnote of a hidden paragraph": ("", "<text:p>a<text:note><text:note-body><text:p>secret</text:p></text:note-body></text:note><text:hidden-paragraph text:is-hidden='true'/></text:p>", True),
    "not hidden by a field": ("", "<text:p>secret<text:hidden-paragraph text:condition='ooow:0' text:is-hidden='false'/></text:p>", False),
    "hidden": (styled("text:display='none'"), "<text:p text:style-name='X'>secret</text:p>", True),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_unseen_text_of_open_documents(name):
    styles, body, is_hidden = OPEN[name]
    spaces = "xmlns:loext='urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0'"
    made = odf(
        "text",
        f"<text:section {spaces}><text:p>seen words</text:p>{body}</text:section>",
        styles.replace("<style:text-properties", f"<style:text-properties {spaces}"),
    )
    judge(made, "odt", is_hidden)


def shape(text, run="", fill="", properties=""):
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='1' name='x' {properties}/></p:nvSpPr><p:spPr>{fill}</p:spPr><p:txBody><a:p><a:r>"
        f"<a:rPr {run}</a:rPr><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def placed(kind, text, properties=""):
    return shape(text, ">", properties=properties).replace(
        "</p:nvSpPr>", f"<p:nvPr><p:ph type='{kind}'/></p:nvPr></p:nvSpPr>"
    )


def group(properties, shapes):
    return f"<p:grpSp><p:nvGrpSpPr><p:cNvPr id='9' name='g' {properties}/></p:nvGrpSpPr>{shapes}</p:grpSp>"


FILL = "<a:solidFill><a:srgbClr val='{}'>{}</a:srgbClr></a:solidFill>"
MATH = "xmlns:m='http://schemas.openxmlformats.org/officeDocument/2006/math'"
SLIDES = {
    "half a point": (shape("secret", "sz='50'>"), True),
    "small print": (shape("secret", "sz='400'>"), False),
    "transparent": (shape("secret", ">" + FILL.format("000000", "<a:alpha val='0'/>")), True),
    "half transparent": (shape("secret", ">" + FILL.format("000000", "<a:alpha val='50000'/>")), False),
    "with a transparent shadow": (
        shape("secret", ">" + FILL.format("000000", "") + "<a:effectLst><a:alpha val='0'/></a:effectLst>"),
        False,
    ),
    "without a fill": (shape("secret", "><a:noFill/>"), True),
    "an outline": (shape("secret", "><a:ln/><a:noFill/>"), False),
    "white on a white shape": (shape("secret", ">" + FILL.format("FFFFFF", ""), FILL.format("FFFFFF", "")), True),
    "white on a dark shape": (shape("secret", ">" + FILL.format("FFFFFF", ""), FILL.format("102030", "")), False),
    "white on the slide": (shape("secret", ">" + FILL.format("FFFFFF", "")), False),
    "a hidden shape": (shape("secret", ">", properties="hidden='1'"), True),
    "a small formula": (
        f"<p:sp><p:txBody><a:p><m:oMath {MATH}><m:r><a:rPr sz='100'/><m:t>secret</m:t></m:r></m:oMath></a:p>"
        "</p:txBody></p:sp>",
        True,
    ),
    "a hidden title": (placed("title", "secret", "hidden='1'"), True),
    "a hidden footer": (placed("ftr", "secret", "hidden='1'"), True),
    "a hidden group": (group("hidden='1'", shape("secret", ">")), True),
    "a group in a hidden group": (group("hidden='true'", group("", shape("secret", ">"))), True),
    "a title in a hidden group": (group("hidden='1'", placed("title", "secret")), True),
    "a shown group": (group("hidden='0'", shape("secret", ">")), False),
}


@pytest.mark.parametrize("name", SLIDES)
def test_unseen_text_of_slides(name):
    body, is_hidden = SLIDES[name]
    judge(pptx(shape("seen words", ">") + body), "pptx", is_hidden)


def at(left, top, right, bottom, kind="body", turn=""):
    """Return a shape with the word "secret" at a place."""
    place = f"<a:off x='{left}' y='{top}'/><a:ext cx='{right - left}' cy='{bottom - top}'/>"
    return (
        f"<p:sp><p:nvSpPr><p:nvPr><p:ph type='{kind}'/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm {turn}>{place}</a:xfrm>"
        "</p:spPr><p:txBody><a:p><a:r><a:t>secret</a:t></a:r></a:p></p:txBody></p:sp>"
    )


PLACES = {
    "left of the slide": (at(-90, 0, 0, 10), True),
    "right of the slide": (at(100, 0, 190, 10), True),
    "far right of the slide": (at(99_999_999_999, 0, 99_999_999_999, 10), True),
    "above the slide": (at(0, -20, 90, -10), True),
    "below the slide": (at(0, 50, 90, 60), True),
    "across the edge": (at(-90, 0, 1, 10), False),
    "without a size at the edge": (at(0, 0, 0, 0), False),
    "turned onto the slide": (at(0, -20, 90, -10, turn="rot='5400000'"), False),
    "turned far off the slide": (at(0, -920, 90, -910, turn="rot='5400000'"), True),
    "a title for screen readers": (at(0, -20, 90, -10, "title"), False),
    "a footer": (at(0, 50, 90, 60, "ftr"), True),
    "moved by an animation": (at(0, 50, 90, 60) + "<p:animMotion/>", False),
}


@pytest.mark.parametrize("name", PLACES)
def test_text_beside_a_slide(name):
    body, is_hidden = PLACES[name]
    made = pptx(shape("seen words", ">") + body)
    name = "ppt/presentation.xml"
    root = members_of(made)[name].replace(b"</p:sldIdLst>", b"</p:sldIdLst><p:sldSz cx='100' cy='50'/>")
    judge(with_members(made, {name: root}), "pptx", is_hidden)


def frame(left, top, kind="", content="secret", place="svg:x='{}mm' svg:y='{}cm'"):
    """Return a box of 50 x 20 mm on an OpenDocument slide."""
    return (
        f"<draw:frame {place.format(left, top / 10)} svg:width='50mm' svg:height='20mm' presentation:class='{kind}'>"
        f"<draw:text-box><text:p>{content}</text:p></draw:text-box></draw:frame>"
    )


FRAMES = {
    "left of the slide": (frame(-50, 0), True),
    "right of the slide": (frame(281, 0), True),
    "below the slide": (frame(0, 158), True),
    "across the edge": (frame(-49, -19), False),
    "without a place": (frame(0, 0, place="draw:transform='rotate(1)'"), False),
    "moved onto the slide": (
        frame(-50, 0).replace("<draw:frame", "<draw:frame draw:transform='translate(9cm 0cm)'"),
        False,
    ),
    "a link": (f"<draw:a>{frame(-90, 0)}</draw:a>", True),
    "a link across the edge": (f"<draw:a>{frame(-49, 0)}</draw:a>", False),
    "a title for screen readers": (frame(0, -90, "title"), False),
    "a group": (f"<draw:g>{frame(-90, 0)}{frame(-90, 0, content='')}</draw:g>", True),
    "a group across the edge": (f"<draw:g>{frame(-90, 0)}{frame(0, 0, content='')}</draw:g>", False),
    "moved by an animation": (frame(-50, 0) + "<anim:par><anim:animateMotion/></anim:par>", False),
    "of an unknown layout": (frame(-50, 0), False),
}


@pytest.mark.parametrize("name", FRAMES)
def test_text_beside_a_slide_of_opendocument(name):
    body, is_hidden = FRAMES[name]
    styles = (
        f"<office:document-styles {writers.ODF_SPACES}><style:page-layout style:name='L'>"
        "<style:page-layout-properties fo:page-width='28cm' fo:page-height='157.5mm'/></style:page-layout>"
        "<style:master-page style:name='M' style:page-layout-name='L'/></office:document-styles>"
    )
    anim = "xmlns:anim='urn:oasis:names:tc:opendocument:xmlns:animation:1.0'"
    master = "N" if name == "of an unknown layout" else "M"
    page = f"<draw:page draw:master-page-name='{master}' {anim}>{frame(0, 0, content='seen words')}{body}</draw:page>"
    judge(odf("presentation", page, members={"styles.xml": styles}), "odp", is_hidden)


@pytest.mark.parametrize("size", ["0cm", "0.000mm", "-1cm"])
def test_no_text_is_beside_a_slide_without_a_size(size):
    styles = (
        f"<office:document-styles {writers.ODF_SPACES}><style:page-layout style:name='L'>"
        f"<style:page-layout-properties fo:page-width='{size}' fo:page-height='{size}'/></style:page-layout>"
        "<style:master-page style:name='M' style:page-layout-name='L'/></office:document-styles>"
    )
    page = f"<draw:page draw:master-page-name='M'>{frame(9, 9, content='seen words')}{frame(9, 90)}</draw:page>"
    judge(odf("presentation", page, members={"styles.xml": styles}), "odp", False)


def test_hidden_notes_of_slides():
    space = f"xmlns:p='{P}' xmlns:a='{A}'"
    notes = f"<p:notes {space}><p:cSld><p:spTree>{{}}</p:spTree></p:cSld></p:notes>"
    hidden = notes.format(placed("body", "secret", "hidden='1'") + placed("body", "aside"))
    document = convert(pptx(shape("seen", ">"), parts={"notes.xml": hidden}, n="notesSlide notes.xml"), "pptx")
    assert document.markdown == "## Slide 1\n\nseen\n\n**Notes:**\n\naside\n"
    assert document.hidden_words == 1


CHAPTER = (
    "<html xmlns='http://www.w3.org/1999/xhtml'><head><link rel='stylesheet' href='../css/a%20b.css'/>{}</head><body>"
    "<p>seen words, and many more of them, so that one word is a small part</p>{}</body></html>"
)
CHAPTERS = {
    "by a style attribute": ("", "<p style='display:none'>secret</p>", True),
    "by a style element": ("<style>.x{color:#fff;background:#fff}</style>", "<p class='x'>secret</p>", True),
    "by a linked style sheet": ("", "<p class='gone'>secret</p>", True),
    "by an attribute": ("", "<p hidden='hidden'>secret</p>", True),
    "not at all": ("", "<p class='kept'>secret</p>", False),
}


@pytest.mark.parametrize("name", CHAPTERS)
def test_unseen_text_of_books(name):
    head, body, is_hidden = CHAPTERS[name]
    book = epub({"text/a.xhtml": CHAPTER.format(head, body)})
    judge(with_members(book, {"OPS/css/a b.css": ".gone { display: none } .kept { color: red }"}), "epub", is_hidden)


FONTS = (
    "<fonts><font><sz val='11'/></font><font><color rgb='FFFFFFFF'/></font><font><color theme='0'/></font>"
    "<font><sz val='0.5'/></font></fonts><fills><fill><patternFill patternType='none'/></fill><fill><patternFill"
    " patternType='solid'><fgColor rgb='FF102030'/></patternFill></fill></fills><cellXfs>{}</cellXfs>"
)
CELLS = {
    "white": (1, 0, "", True),
    "white by the theme": (2, 0, "", True),
    "white on a dark fill": (1, 1, "", False),
    "white where rules colour cells": (1, 0, "<conditionalFormatting sqref='A1'/>", False),
    "half a point": (3, 0, "", True),
    "usual": (0, 0, "", False),
}


@pytest.mark.parametrize("name", CELLS)
def test_unseen_text_of_cells(name):
    font, fill, extra, is_hidden = CELLS[name]
    styles = FONTS.format(f"<xf fontId='0' fillId='0'/><xf fontId='{font}' fillId='{fill}'/>")
    data = "<sheetData><row r='1'><c t='str'><v>seen words</v></c><c t='str' s='1'><v>secret</v></c></row></sheetData>"
    judge(xlsx({"S": data + extra}, styles=styles), "xlsx", is_hidden)


@pytest.mark.parametrize(("code", "is_hidden"), [(";;;", True), ("; ; ;", True), (";;;@", False), ("General;", False)])
def test_a_number_format_without_text_hides_a_cell(code, is_hidden):
    styles = (
        f"<numFmts><numFmt numFmtId='164' formatCode='{code}'/></numFmts><cellXfs><xf/><xf numFmtId='164'/></cellXfs>"
    )
    data = "<sheetData><row r='1'><c t='str'><v>seen words</v></c><c t='str' s='1'><v>secret</v></c></row></sheetData>"
    judge(xlsx({"S": data}, styles=styles), "xlsx", is_hidden)


# Styles of an ods file, attributes of a column, of a row and of a cell in it, further parts of the sheet.
ODS_STYLES = (
    "<style:style style:name='white'><style:text-properties fo:color='#ffffff'/></style:style>"
    "<style:style style:name='dark' style:parent-style-name='white'><style:table-cell-properties fo:background-color='#000080'/></style:style>"
    "<style:style style:name='pale' style:parent-style-name='white'><style:table-cell-properties fo:background-color='#ffffff'/></style:style>"
    "<style:style style:name='tiny'><style:text-properties fo:font-size='0.5pt'/></style:style>"
    "<style:style style:name='accent' style:parent-style-name='Accent'><style:text-properties fo:color='#ffffff'/></style:style>"
    "<style:style style:name='usual'><style:text-properties fo:color='#000000'/></style:style>"
)
ACCENT = (
    f"<office:document-styles {ODF_SPACES}><style:style style:name='Accent'>"
    "<style:table-cell-properties fo:background-color='#104020'/></style:style></office:document-styles>"
)
RULES = "<calcext:conditional-formats xmlns:calcext='urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'/>"
ODS_CELLS = {
    "white": ("", "", "white", "", True),
    "white on a dark cell": ("", "", "dark", "", False),
    "white on a white cell": ("", "", "pale", "", True),
    "white on a colour of styles.xml": ("", "", "accent", "", False),
    "white where rules colour cells": ("", "", "white", RULES, False),
    "half a point": ("", "", "tiny", RULES, True),
    "white by the column": ("white", "", "", "", True),
    "white by the row": ("", "white", "", "", True),
    "the cell counts before its column": ("white", "white", "usual", "", False),
    "the row counts before its column": ("white", "usual", "", "", False),
}


@pytest.mark.parametrize("name", ODS_CELLS)
def test_unseen_text_of_cells_in_ods(name):
    column, row, cell, extra, is_hidden = ODS_CELLS[name]
    default, style = (f"table:{kind}style-name='{{}}'".format for kind in ("default-cell-", ""))
    sheet = (
        f"<table:table table:name='S'><table:table-column/><table:table-column {default(column) if column else ''}/>"
        f"<table:table-row {default(row) if row else ''}><table:table-cell {style('usual')}><text:p>seen words</text:p></table:table-cell>"
        f"<table:table-cell {style(cell) if cell else ''}><text:p>secret</text:p></table:table-cell></table:table-row>{extra}</table:table>"
    )
    judge(odf("spreadsheet", sheet, ODS_STYLES, {"styles.xml": ACCENT}), "ods", is_hidden)


def test_hidden_parts_of_formulas_in_word():
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    one, secret = "<m:r><m:t>a</m:t></m:r>", f"<m:r>{hidden}<m:t>secret</m:t></m:r>"
    run = f"<w:r>{hidden}<w:t>before</w:t></w:r>"
    body = f"<w:p>{run}<m:oMath>{one}{secret}</m:oMath></w:p><w:p><m:oMath>{secret}</m:oMath></w:p>"
    document = convert(docx(body), "docx")
    assert (document.markdown, document.hidden_words) == ("$a$\n", 3)
