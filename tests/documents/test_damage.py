"""Documents with a damaged side part, an unusual package, or no time left: the text comes, or an error says why."""

import io
import time
import zipfile

import pytest
from documents import writers
from documents.writers import docx, epub, odf, p, pdf, pptx, text, xlsx

from webtool.documents import convert, kind_of
from webtool.errors import ExtractFailed

ODT = odf("text", "<text:p>the words</text:p>")
BOOK = epub({"a.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>the words</p></body></html>"})
MANIFEST = (
    "<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>"
    "<manifest:file-entry manifest:media-type='application/vnd.oasis.opendocument.{}' manifest:full-path='/'/>"
    "<manifest:file-entry manifest:full-path='content.xml' manifest:media-type='text/xml'>{}</manifest:file-entry>"
    "</manifest:manifest>"
)


def deflated(body):
    """Return a zip file whose first member, `mimetype`, is compressed, as Python's zipfile writes it."""
    return writers.zipped(writers.members_of(body))


class _Stream(io.BytesIO):
    """A file that cannot seek: zipfile then writes sizes after the data, as Java's ZipOutputStream does."""

    def seekable(self):
        return False

    def seek(self, *_args):
        raise OSError


def streamed(body):
    out = _Stream()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in writers.members_of(body).items():
            archive.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else None)
    return out.getvalue()


def without_type(body, kind):
    members = writers.members_of(body)
    del members["mimetype"]
    return writers.zipped({**members, "META-INF/manifest.xml": MANIFEST.format(kind, "")})


PACKAGES = {
    "deflated odt": (deflated(ODT), "odt"),
    "deflated epub": (deflated(BOOK), "epub"),
    "streamed odt": (streamed(ODT), "odt"),
    "streamed epub": (streamed(BOOK), "epub"),
    "odt without a type": (without_type(ODT, "text"), "odt"),
    "ods without a type": (without_type(odf("spreadsheet", ""), "spreadsheet"), "ods"),
    "odt with the type further back": (
        writers.zipped({"a": "", **writers.members_of(ODT)}),
        "odt",
    ),
}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_known_however_its_type_is_stored(name):
    body, kind = PACKAGES[name]
    assert kind_of(body) == kind


BAD = "<a><b></a>"
ENTITY = "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"
TYPES = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
SIDE_PARTS = {
    "odt meta.xml": (writers.with_members(ODT, {"meta.xml": BAD}), "odt"),
    "odt entity": (writers.with_members(ODT, {"meta.xml": ENTITY}), "odt"),
    "odt styles.xml": (writers.with_members(ODT, {"styles.xml": BAD}), "odt"),
    "docx core.xml": (writers.with_members(docx(p("the words")), {"docProps/core.xml": BAD}), "docx"),
    "docx styles": (docx(p("the words"), {"styles.xml": BAD}, s="styles styles.xml"), "docx"),
    "docx numbering": (docx(p("the words"), {"numbering.xml": BAD}, s="numbering numbering.xml"), "docx"),
    "docx footnotes": (docx(p("the words"), {"footnotes.xml": BAD}, s="footnotes footnotes.xml"), "docx"),
    "docx header": (docx(p("the words"), {"h.xml": ENTITY}, s="header h.xml"), "docx"),
    "pptx notes": (
        pptx(
            "<p:sp><p:txBody><a:p><a:r><a:t>the words</a:t></a:r></a:p></p:txBody></p:sp>",
            parts={"n.xml": BAD},
            n="notesSlide n.xml",
        ),
        "pptx",
    ),
    "xlsx core.xml": (
        writers.with_members(
            xlsx({"S": "<sheetData><row><c t='str'><v>the words</v></c></row></sheetData>"}),
            {"docProps/core.xml": BAD},
        ),
        "xlsx",
    ),
}


@pytest.mark.parametrize("name", SIDE_PARTS)
def test_a_damaged_side_part_costs_a_note_only(name):
    body, kind = SIDE_PARTS[name]
    document = convert(body, kind)
    assert "the words" in document.markdown
    assert "is damaged and was not read." in document.note


@pytest.mark.parametrize("kind", ["text", "spreadsheet", "presentation"])
def test_an_encrypted_open_document_is_an_error_that_says_so(kind):
    manifest = MANIFEST.format(kind, "<manifest:encryption-data/>")
    body = writers.with_members(odf(kind, ""), {"content.xml": b"\x8f\x01", "META-INF/manifest.xml": manifest})
    with pytest.raises(ExtractFailed, match="is encrypted with a password"):
        convert(body, kind_of(body))


SVG = "<svg xmlns='http://www.w3.org/2000/svg'>{}</svg>"
PICTURES = [
    ("<title>T</title><text>one<title>tip</title></text><g><text>two</text></g>", "one\n\ntwo\n"),
    ("<text><tspan x='0' y='1'>one</tspan><tspan x='0' dy='9'>line</tspan></text>", "one line\n"),
    ("<text>Ro<tspan fill='red'>tt</tspan>erdam</text>", "Rotterdam\n"),
    ("<title>A ship</title><path d='M0 0'/>", "A ship\n"),
    ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>in <b>HTML</b></p></foreignObject>", "in **HTML**\n"),
]


@pytest.mark.parametrize(("content", "markdown"), PICTURES)
def test_pictures_with_text_are_chapters_of_a_book(content, markdown):
    members = writers.members_of(epub({"a.svg": SVG.format(content)}))
    package = members["OPS/book.opf"].replace(b"application/xhtml+xml", b"image/svg+xml")
    body = writers.zipped({**members, "OPS/book.opf": package})
    assert convert(body, "epub").markdown == markdown


ROWS = "".join(f"<row r='{n}'><c><v>{n}</v></c></row>" for n in range(1, 3000))
ODF_ROWS = "<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>" * 3000


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (xlsx({"S": f"<sheetData>{ROWS}</sheetData>"}), "xlsx"),
        (odf("spreadsheet", f"<table:table table:name='S'>{ODF_ROWS}</table:table>"), "ods"),
    ],
)
def test_a_workbook_at_the_deadline_gives_the_rows_so_far(body, kind):
    document = convert(body, kind, deadline=time.monotonic())
    assert document.markdown.startswith("## S\n\n| 1 |")
    assert document.markdown.count("\n") < 300
    assert "before the deadline" in document.note


@pytest.mark.parametrize("line_end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("content_type", [None, "application/octet-stream", "application/pdf"])
def test_a_pdf_after_some_html_is_a_pdf(line_end, content_type):
    body = pdf(text(12, 72, 700, "the words")).replace(b"\n", line_end)
    assert kind_of(b"<br />\n<b>Warning</b>: x in y.php\n" + body, content_type) == "pdf"


def font(differences, to_unicode=""):
    return (
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+X /Encoding << /Type /Encoding /Differences"
        f" [{differences}] >> {to_unicode} >>"
    )


GLYPHS = {
    "numbered from ! on": ("33 " + " ".join(f"/g{n}" for n in range(18, 50)), "!\"#$% '&", False),
    "numbered from 1 on": ("1 " + " ".join(f"/C{n}" for n in range(1, 30)), "\x01\x02\x03", False),
    "codes of letters": ("65 /g1 /g2 97 /g3 101 /g4 110 /g5 116 /g6", "Aa ent", True),
    "all letters": ("32 " + " ".join(f"/g{n}" for n in range(95)), "Ten words", True),
    "names of letters": ("33 /A /B /C /D /E /F", '!"#$', True),
}


@pytest.mark.parametrize("name", GLYPHS)
def test_glyphs_that_are_only_numbered_are_counted_as_unknown(name):
    differences, shown, is_text = GLYPHS[name]
    page = text(12, 72, 700, "Known words.", "F1") + text(12, 72, 680, shown, "F2")
    document = convert(pdf(page, fonts={"F1": writers.HELVETICA, "F2": font(differences)}), "pdf")
    assert ("fonts do not map them to text" in document.note) is not is_text
    assert (document.markdown.strip() == "Known words.") is not is_text


WHOLE = {
    "docx": docx(p("the words")),
    "xlsx": xlsx({"S": "<sheetData><row><c t='str'><v>the words</v></c></row></sheetData>"}),
    "pptx": pptx("<p:sp><p:txBody><a:p><a:r><a:t>the words</a:t></a:r></a:p></p:txBody></p:sp>"),
    "odt": ODT,
    "epub": BOOK,
    "rtf": rb"{\rtf1\ansi{\info{\title T}}{\b the} words\par{\footnote\u8364? n}\trowd\cellx9 a\cell\row}",
    "pdf": pdf(text(12, 72, 700, "the words")),
    "mail": b"Subject: T\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nthe words\n--b--\n",
    "feed": b"<rss><channel><title>T</title><item><title>the words</title></item></channel></rss>",
    "notebook": b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["the words"]}]}',
}


@pytest.mark.parametrize("kind", WHOLE)
def test_each_beginning_of_a_document_is_text_or_an_error_with_a_code(kind):
    body = WHOLE[kind]
    assert "the" in convert(body, kind).markdown
    for end in range(0, len(body), 1 if len(body) < 1500 else 3):
        code, document = writers.outcome(body[:end], kind)
        assert document or code in ("EXTRACT_FAILED", "UNSUPPORTED_CONTENT")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("content_type", [None, "text/csv", "application/octet-stream"])
def test_utf_16_without_a_byte_order_mark_is_text(encoding, content_type):
    body = "name,city\r\nAnna,Köln\r\n".encode(encoding)
    assert convert(body, kind_of(body, content_type), content_type).markdown == "name,city\nAnna,Köln\n"


def test_a_mail_in_utf_16_is_read():
    body = "Subject: Tide\n\nhigh water\n".encode("utf-16-le")
    assert convert(body, kind_of(body, "message/rfc822")).markdown == "# Tide\n\nhigh water\n"


def test_binary_data_with_nuls_is_no_utf_16():
    assert kind_of(b"\x01\0\x02\0\x03\0\x04\0\x05\0") == "binary"
    assert kind_of(bytes(100)) == "binary"


@pytest.mark.parametrize(
    ("body", "kind"),
    [(pptx("", ""), "pptx"), (odf("presentation", "<draw:page/><draw:page/>"), "odp")],
)
def test_slides_after_the_deadline_are_named_in_a_note(body, kind):
    assert convert(body, kind, deadline=time.monotonic()).note == "Only 0 of 2 slides were read before the deadline."
