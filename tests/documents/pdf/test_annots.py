"""Annotations: text of form fields and stamps, comments, layers; hidden annotations are not read."""

import io

import pytest
from documents.writers import page_objects, stream, text, with_table

from webtool.documents import convert

FONT = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
APPEARANCE = stream(
    b"/Tx BMC q BT /F1 10 Tf 2 4 Td (Ada Lovelace) Tj ET Q EMC", f"/Subtype /Form /BBox [0 0 200 20] {FONT}"
)

BLANK = stream(b"/Tx BMC EMC", "/Subtype /Form /BBox [0 0 200 20]")


def shown(annotation, appearance=APPEARANCE):
    objects = page_objects([text(12, 72, 700, "Name:")], extra="/Annots [10 0 R]")
    return convert(
        with_table({**objects, 10: f"<< /Type /Annot {annotation} >>", 11: appearance, 12: BLANK}), "pdf"
    ).markdown


PLACED = "/Subtype /Widget /FT /Tx /Rect [130 696 330 716]"
FIELDS = [
    (f"{PLACED} /V (Ada) /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    # A field directly after its label.
    (f"{PLACED.replace('130', '105')} /V (Ada) /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    (f"{PLACED} /AS /On /AP << /N << /On 11 0 R /Off 12 0 R >> >>", "Name: Ada Lovelace\n"),
    (f"{PLACED} /AS /Off /AP << /N << /On 11 0 R /Off 12 0 R >> >>", "Name:\n"),
    (f"{PLACED} /F 2 /AP << /N 11 0 R >>", "Name:\n"),
    (f"{PLACED} /V <feff004500f1>", "Name: Eñ\n"),
    # The program that filled in the form left the appearance empty.
    (f"{PLACED} /V (Bo) /AP << /N 12 0 R >>", "Name: Bo\n"),
    (f"{PLACED.replace('/Tx', '/Ch')} /V (b) /Opt [(a) (b)]", "Name: b\n"),
    (f"{PLACED.replace('/Tx', '/Ch')} /V () /Opt [(one) [(2) (two)]]", "Name: one two\n"),
    (f"{PLACED.replace('/Tx', '/Ch')} /Ff 131072 /Opt [(one) (two)]", "Name:\n"),
    ("/Subtype /Widget /Rect [130 696 330 716] /Parent << /FT /Tx /V (Ada) >>", "Name: Ada\n"),
    ("/Subtype /Widget /Rect [130 696 330 716] /FT /Btn /V /Yes", "Name: ☑\n"),
    ("/Subtype /Widget /Rect [130 696 330 716] /FT /Btn /Ff 65536 /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    ("/Subtype /FreeText /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
    ("/Subtype /FreeText /Rect [130 696 330 716] /Contents (Seen on Monday)", "Name: Seen on Monday\n"),
    ("/Subtype /Popup /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name:\n"),
    (f"{PLACED} /AP << /N 10 0 R >>", "Name:\n"),
    ("/Subtype << >> /F << >> /Rect [130 696 330 716] /AP << /N 11 0 R >>", "Name: Ada Lovelace\n"),
]


def test_a_field_over_the_same_text_on_the_page_is_read_once():
    again = stream(b"BT /F1 12 Tf 2 4 Td (Name:) Tj ET", f"/Subtype /Form /BBox [0 0 200 20] {FONT}")
    assert shown(f"{PLACED.replace('130', '70').replace('330', '270')} /AP << /N 11 0 R >>", again) == "Name:\n"


@pytest.mark.parametrize(("annotation", "words"), FIELDS)
def test_form_fields_show_their_values(annotation, words):
    assert shown(annotation).lstrip("# ") == words


@pytest.mark.parametrize("place", [PLACED, PLACED.replace("130", "330").replace("330 716", "530 716")])
def test_values_of_fields_in_large_type_are_not_headings(place):
    large = stream(b"BT /F1 18 Tf 2 4 Td (Ada Lovelace) Tj ET", f"/Subtype /Form /BBox [0 0 200 20] {FONT}")
    body = [text(12, 72, 640 - 14 * n, "A line of the form's own text, as long as most of them.") for n in range(4)]
    objects = page_objects([text(18, 72, 760, "Application") + b"".join(body)], extra="/Annots [10 0 R]")
    made = convert(with_table({**objects, 10: f"<< /Type /Annot {place} /AP << /N 11 0 R >> >>", 11: large}), "pdf")
    assert made.markdown.startswith("# Application\n\nAda Lovelace\n\nA line")


STATES = "/AP << /N << /Red 11 0 R /Off 11 0 R >> >>"
BUTTONS = [
    (f"/AS /Red {STATES}", "☑"),
    (f"/AS /Off {STATES}", "☐"),
    (f"/V /Red {STATES}", "☑"),
    (STATES, "☐"),
    (f"/Ff 32768 /AS /Red {STATES}", "◉"),
    (f"/Ff 32768 /AS /Off {STATES}", "◯"),
    (f"/Ff 32768 /Parent << /V /Red >> {STATES}", "◉"),
    (f"/Ff 32768 /Parent << /V /Green >> {STATES}", "◯"),
    (f"/Parent << /FT /Btn /Ff 32768 /V /Red >> {STATES}", "◉"),
]


@pytest.mark.parametrize(("attrs", "sign"), BUTTONS)
def test_check_boxes_and_radio_buttons_show_their_state(attrs, sign):
    kind = "" if "/FT" in attrs else "/FT /Btn"
    assert shown(f"/Subtype /Widget {kind} /Rect [130 696 142 708] {attrs}").lstrip("# ") == f"Name: {sign}\n"


def test_check_boxes_with_labels_become_list_items():
    words = text(12, 90, 700, "Gift wrap") + text(12, 90, 680, "Express")
    objects = page_objects([words], extra="/Annots [10 0 R 11 0 R]")
    for number, (bottom, state) in enumerate(((698, "Yes"), (678, "Off")), 10):
        objects[number] = f"<< /Subtype /Widget /FT /Btn /AS /{state} /Rect [72 {bottom} 84 {bottom + 12}] >>"
    assert convert(with_table(objects), "pdf").markdown == "- ☑ Gift wrap\n- ☐ Express\n"


GROUPS = "/OCProperties << /OCGs [20 0 R 21 0 R] /D << {} >> >>"
OFF = "/OFF [21 0 R]"
LAYERS = [
    ("20 0 R", OFF, True),
    ("21 0 R", OFF, False),
    ("20 0 R", "/BaseState /OFF /ON [20 0 R]", True),
    ("21 0 R", "/BaseState /OFF /ON [20 0 R]", False),
    ("<< /Type /OCMD /OCGs [20 0 R 21 0 R] >>", OFF, True),
    ("<< /Type /OCMD /OCGs 21 0 R >>", OFF, False),
    ("<< /Type /OCMD /OCGs [20 0 R 21 0 R] /P /AllOn >>", OFF, False),
    ("<< /Type /OCMD /OCGs [20 0 R 21 0 R] /P /AnyOff >>", OFF, True),
    ("<< /Type /OCMD /OCGs [20 0 R] /P /AnyOff >>", OFF, False),
    ("<< /Type /OCMD /OCGs [20 0 R 21 0 R] /P /AllOff >>", OFF, False),
    ("<< /Type /OCMD /OCGs [] >>", OFF, True),
    ("<< /Type /OCMD /OCGs 20 0 R /VE [/Not 20 0 R] >>", OFF, False),
    ("<< /Type /OCMD /VE [/Not [/And 20 0 R 21 0 R]] >>", OFF, True),
    ("<< /Type /OCMD /OCGs 21 0 R /VE [/Or 21 0 R [/And 20 0 R]] >>", OFF, True),
]


@pytest.mark.parametrize(("group", "configuration", "is_shown"), LAYERS)
def test_only_visible_layers_are_read(group, configuration, is_shown):
    layer = group if group.endswith("R") else "22 0 R"
    content = text(12, 72, 700, "Always") + b"/OC /L BDC " + text(12, 72, 600, "layer one") + b"EMC /Fm Do"
    objects = page_objects(
        [content], extra="/Annots [11 0 R]", resources=f"/Properties << /L {layer} >> /XObject << /Fm 10 0 R >>"
    )
    form = b"BT /F1 12 Tf 72 500 Td (layer two) Tj ET"
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {GROUPS.format(configuration)} >>"
    objects[10] = stream(form, f"/Subtype /Form /BBox [0 0 600 800] /OC {layer} {FONT}")
    objects[11] = f"<< /Subtype /FreeText /Rect [72 400 200 420] /Contents (layer three) /OC {layer} >>"
    objects.update({20: "<< /Type /OCG >>", 21: "<< /Type /OCG >>", 22: group if layer != group else "null"})
    made = convert(with_table(objects), "pdf")
    assert made.markdown.count("layer") == (3 if is_shown else 0)
    assert ("(4 outside of the page" in made.note) is not is_shown


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
def test_comments_are_listed_after_the_text(annotation, item):
    empty = stream(b"", "/Subtype /Form /BBox [0 0 20 20]")
    made = shown(f"{annotation} /Rect [300 600 320 620]", empty).lstrip("# ")
    assert made == ("Name:\n" + (f"\nComments:\n\n- {item}\n" if item else ""))


def test_comments_on_a_page_without_text_are_text():
    objects = page_objects([b""], extra="/Annots [10 0 R]")
    note = "<< /Type /Annot /Subtype /Text /Rect [1 1 20 20] /Contents (Scanned twice) >>"
    assert "- Page 1, Scanned twice" in convert(with_table({**objects, 10: note}), "pdf").markdown


def test_the_end_of_another_mark_does_not_show_a_hidden_form():
    objects = page_objects([text(12, 72, 700, "Always") + b"/Fm Do"], resources="/XObject << /Fm 10 0 R >>")
    form = b"EMC BT /F1 12 Tf 72 500 Td (layer) Tj ET"
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {GROUPS.format(OFF)} >>"
    objects[10] = stream(form, f"/Subtype /Form /BBox [0 0 600 800] /OC 21 0 R {FONT}")
    objects.update({20: "<< /Type /OCG >>", 21: "<< /Type /OCG >>"})
    assert convert(with_table(objects), "pdf").markdown == "Always\n"


def test_the_end_of_a_mark_that_is_nested_too_deep_shows_no_hidden_layer():
    nested = b"/Span BMC " * 300 + b"EMC " * 300
    content = text(12, 72, 700, "Always") + b"/OC /L BDC " + nested + text(12, 72, 600, "layer") + b"EMC "
    objects = page_objects([content + text(12, 72, 500, "after")], resources="/Properties << /L 21 0 R >>")
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {GROUPS.format(OFF)} >>"
    objects.update({20: "<< /Type /OCG >>", 21: "<< /Type /OCG >>"})
    assert convert(with_table(objects), "pdf").markdown == "Always\n\nafter\n"


def test_an_appearance_is_moved_into_its_rectangle():
    moved = stream(b"BT /F1 5 Tf 101 102 Td (turned) Tj ET", f"/Subtype /Form /BBox [100 100 200 110] {FONT}")
    below = shown("/Subtype /Stamp /Rect [72 600 272 620] /AP << /N 11 0 R >>", moved)
    assert below.replace("# ", "") == "Name:\n\nturned\n"


@pytest.mark.peers("pypdf", "reportlab")
def test_a_form_filled_by_pypdf_shows_its_values():
    import pypdf
    from reportlab.pdfgen import canvas

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
