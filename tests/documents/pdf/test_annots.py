"""Text that stands in annotations: form fields, stamps; what is hidden stays so."""

import io

import pytest
from documents.writers import page_objects, stream, text, with_table

from webtool.documents import convert

FONT = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
APPEARANCE = stream(
    b"/Tx BMC q BT /F1 10 Tf 2 4 Td (Ada Lovelace) Tj ET Q EMC", f"/Subtype /Form /BBox [0 0 200 20] {FONT}"
)


def shown(annotation, appearance=APPEARANCE):
    objects = page_objects([text(12, 72, 700, "Name:")], extra="/Annots [10 0 R]")
    return convert(with_table({**objects, 10: f"<< /Type /Annot {annotation} >>", 11: appearance}), "pdf").markdown


PLACED = "/Subtype /Widget /FT /Tx /Rect [130 696 330 716]"
FIELDS = [
    (f"{PLACED} /V (Ada) /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    (f"{PLACED} /AS /On /AP << /N << /On 11 0 R /Off 12 0 R >> >>", "Name: Ada Lovelace\n"),
    (f"{PLACED} /AS /Off /AP << /N << /On 11 0 R /Off 12 0 R >> >>", "Name:\n"),
    (f"{PLACED} /F 2 /AP << /N 11 0 R >>", "Name:\n"),
    (f"{PLACED} /V <feff004500f1>", "Name: Eñ\n"),
    ("/Subtype /Widget /Rect [130 696 330 716] /Parent << /FT /Tx /V (Ada) >>", "Name: Ada\n"),
    ("/Subtype /Widget /Rect [130 696 330 716] /FT /Btn /V /Yes", "Name:\n"),
    ("/Subtype /FreeText /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    ("/Subtype /FreeText /Rect [130 696 330 716] /Contents (Seen on Monday)", "Name: Seen on Monday\n"),
    ("/Subtype /Popup /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name:\n"),
    (f"{PLACED} /AP << /N 10 0 R >>", "Name:\n"),
    ("/Subtype << >> /F << >> /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
]


@pytest.mark.parametrize(("annotation", "words"), FIELDS)
def test_fields(annotation, words):
    assert shown(annotation).lstrip("# ") == words


COMMENTS = [
    ("/Subtype /Text /T (Bo) /Contents (Is this *right*?)", "Page 1, Bo: Is this *right\\*?"),
    ("/Subtype /Highlight /Contents <feff00e9>", "Page 1, é"),
    ("/Subtype /Text /Contents (two\\rlines) /AP << /N 11 0 R >>", "Page 1, two lines"),
    ("/Subtype /Text /F 2 /Contents (hidden)", ""),
    ("/Subtype /Text /Contents ( )", ""),
    ("/Subtype /Popup /Contents (again)", ""),
    ("/Subtype /Highlight /Contents << >>", ""),
]


@pytest.mark.parametrize(("annotation", "item"), COMMENTS)
def test_notes_on_a_page_are_listed_behind_its_text(annotation, item):
    empty = stream(b"", "/Subtype /Form /BBox [0 0 20 20]")
    made = shown(f"{annotation} /Rect [300 600 320 620]", empty).lstrip("# ")
    assert made == ("Name:\n" + (f"\nComments:\n\n- {item}\n" if item else ""))


def test_notes_on_a_picture_are_text():
    objects = page_objects([b""], extra="/Annots [10 0 R]")
    note = "<< /Type /Annot /Subtype /Text /Rect [1 1 20 20] /Contents (Scanned twice) >>"
    assert "- Page 1, Scanned twice" in convert(with_table({**objects, 10: note}), "pdf").markdown


def test_an_appearance_is_moved_into_its_rectangle():
    moved = stream(b"BT /F1 5 Tf 101 102 Td (turned) Tj ET", f"/Subtype /Form /BBox [100 100 200 110] {FONT}")
    below = shown("/Subtype /Stamp /Rect [72 600 272 620] /AP << /N 11 0 R >>", moved)
    assert below.replace("# ", "") == "Name:\n\nturned\n"


def test_a_form_that_pypdf_filled():
    pypdf = pytest.importorskip("pypdf")
    canvas = pytest.importorskip("reportlab.pdfgen.canvas")
    blank, filled = io.BytesIO(), io.BytesIO()
    page = canvas.Canvas(blank)
    page.drawString(72, 700, "Given name")
    page.acroForm.textfield(name="given", x=200, y=690, width=200, height=20)
    page.showPage()
    page.save()
    writer = pypdf.PdfWriter(clone_from=blank)
    writer.update_page_form_field_values(writer.pages[0], {"given": "Grace Hopper"})
    writer.write(filled)
    assert convert(filled.getvalue(), "pdf").markdown.split() == ["Given", "name", "Grace", "Hopper"]
