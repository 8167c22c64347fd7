# ruff: noqa: E501 (cases read best on one line)
"""Documents written by real programs; the text is compared with that of pdftotext and pandoc.

Producers are packages of PyPI and programs. Where a producer is missing, its test is skipped; the documents that it
wrote once are kept in fixtures/documents, and read everywhere.
"""

import os
import pathlib
import re
import subprocess
from collections import Counter

import pytest

from webtool.documents import convert, kind_of
from webtool.errors import ExtractFailed

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "fixtures" / "documents"
WORDS = re.compile(r"[^\W_]+")
PARAGRAPHS = [
    "The quick brown fox jumps over the lazy dog while the committee considers its position on maritime law and other "
    "matters that were left open at the last meeting, which nobody could attend because of the snow.",
    "Sphinx of black quartz, judge my vow: pack my box with five dozen liquor jugs, and do it before the end of the day "
    "so that naïve cafés in Zürich and Ærø have something to write home about.",
]
TABLE = [["Name", "Count", "Price"], ["Apple", "3", "1.20"], ["Pear", "12", "0.80"], ["Plum jam", "1", "4.00"]]
TABLE_MARKDOWN = (
    "| Name | Count | Price |\n| --- | --- | --- |\n| Apple | 3 | 1.20 |\n| Pear | 12 | 0.80 |\n| Plum jam | 1 | 4.00 |"
)


def run(*command, timeout=120, env=None):
    done = subprocess.run(command, capture_output=True, timeout=timeout, env=env)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


KEPT = sorted(path for path in FOLDER.iterdir() if path.suffix != ".md")


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_a_document_that_a_program_wrote_once_reads_as_then(path):
    """`report.pdf.md` is the markdown of `report.pdf`, or the error where a password is needed."""
    expected = path.with_name(f"{path.name}.md").read_text(encoding="utf-8")
    try:
        text = read(path).markdown
    except ExtractFailed as exc:
        text = f"{exc.message}\n"
    assert text == expected


def words_of(text):
    return WORDS.findall(re.sub(r"https?://\S+|[*_\\]", " ", text).replace("ﬁ", "fi").replace("ﬂ", "fl").lower())


def read(path):
    body = path.read_bytes()
    return convert(body, kind_of(body), None, "https://x.example/")


def overlap(ours, theirs):
    """Return the share of words, with repetitions, that two texts have in common."""
    mine, yours = Counter(words_of(ours)), Counter(words_of(theirs))
    return 2 * sum((mine & yours).values()) / (sum(mine.values()) + sum(yours.values()))


def assert_like_pdftotext(path, least=0.97):
    theirs = run("pdftotext", "-enc", "UTF-8", str(path), "-").decode()
    theirs = re.sub(r"-\n(?=[a-z])", "", theirs)
    assert overlap(read(path).markdown, theirs) >= least


@pytest.fixture
def report(tmp_path):
    """Return a PDF by reportlab: headings, paragraphs, a link, a list, a table, code."""
    from reportlab import platypus
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet

    style = getSampleStyleSheet()
    body = style["BodyText"]
    story = [
        platypus.Paragraph("Report on Foxes", style["Title"]),
        platypus.Paragraph("Introduction", style["Heading2"]),
        *[platypus.Paragraph(text, body) for text in PARAGRAPHS],
        platypus.Paragraph('See <a href="https://example.com/x">this link</a> here.', body),
        platypus.ListFlowable(
            [platypus.Paragraph(text, body) for text in ("First item", "Second item")], bulletType="bullet"
        ),
        platypus.Table(TABLE, style=[("GRID", (0, 0), (-1, -1), 1, colors.black)]),
        platypus.Preformatted("def f(x):\n    return x", style["Code"]),
        platypus.PageBreak(),
        platypus.Paragraph("Results", style["Heading2"]),
        platypus.Paragraph(PARAGRAPHS[0] * 3, body),
    ]
    path = tmp_path / "report.pdf"
    platypus.SimpleDocTemplate(str(path), title="Fox report").build(story)
    return path


@pytest.mark.peers("reportlab")
def test_reportlab_structure(report):
    document = read(report)
    assert document.title == "Fox report"
    assert document.markdown.startswith("# Report on Foxes\n\n## Introduction\n\nThe quick brown fox")
    for part in (
        *PARAGRAPHS,
        "See [this link](https://example.com/x) here.",
        "- First item\n- Second item",
        TABLE_MARKDOWN,
        "```\ndef f(x):\n    return x\n```",
        "## Results",
    ):
        assert part in document.markdown


@pytest.mark.peers("reportlab", "pdftotext")
def test_reportlab_against_pdftotext(report):
    assert_like_pdftotext(report)


@pytest.mark.peers("reportlab", "pypdf")
@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"])
def test_pypdf_encryption(report, tmp_path, algorithm):
    import pypdf

    writer = pypdf.PdfWriter(clone_from=str(report))
    writer.encrypt("", "owner", algorithm=algorithm)
    path = tmp_path / "encrypted.pdf"
    writer.write(str(path))
    assert read(path).markdown == read(report).markdown


@pytest.mark.peers("reportlab", "pypdf")
@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_a_password_is_a_coded_error(report, tmp_path, algorithm):
    import pypdf

    writer = pypdf.PdfWriter(clone_from=str(report))
    writer.encrypt("secret", "owner", algorithm=algorithm)
    path = tmp_path / "locked.pdf"
    writer.write(str(path))
    with pytest.raises(ExtractFailed, match="needs a password"):
        read(path)


QPDF = [
    ["--object-streams=generate"],
    ["--object-streams=generate", "--linearize"],
    ["--stream-data=uncompress", "--object-streams=disable"],
    ["--qdf"],
    ["--allow-weak-crypto", "--encrypt", "", "o", "128", "--use-aes=n", "--"],
    ["--allow-weak-crypto", "--encrypt", "", "o", "128", "--use-aes=y", "--"],
    ["--encrypt", "", "o", "256", "--", "--object-streams=generate"],
]


@pytest.mark.peers("reportlab", "qpdf")
@pytest.mark.parametrize("options", QPDF, ids=" ".join)
def test_qpdf_rewrites(report, tmp_path, options):
    path = tmp_path / "rewritten.pdf"
    run("qpdf", *options, str(report), str(path))
    assert read(path).markdown == read(report).markdown


@pytest.mark.peers("fpdf")
def test_fpdf2(tmp_path):
    import fpdf

    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    for text in PARAGRAPHS:
        pdf.multi_cell(0, text=text)
        pdf.ln(8)
    path = tmp_path / "f.pdf"
    pdf.output(str(path))
    assert read(path).markdown == "\n\n".join(PARAGRAPHS) + "\n"


@pytest.mark.peers("reportlab")
def test_two_columns_by_reportlab(tmp_path):
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

    path = tmp_path / "columns.pdf"
    document = BaseDocTemplate(str(path), pagesize=(595, 842))
    frames = [Frame(50, 50, 240, 600, id="a"), Frame(305, 50, 240, 600, id="b")]
    document.addPageTemplates(PageTemplate(frames=frames))
    style = getSampleStyleSheet()["BodyText"]
    texts = [f"Paragraph {number}. {PARAGRAPHS[number % 2]} {PARAGRAPHS[0]}" for number in range(12)]
    document.build([Paragraph(text, style) for text in texts])
    assert " ".join(read(path).markdown.split()) == " ".join(" ".join(texts).split())


PAGE = f"""<!doctype html><title>Rich</title><h1>Rich page</h1><p>{PARAGRAPHS[0]}</p><h2>More</h2>
<ul><li>First</li><li>Second</li></ul><table border=1>{"".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) for r in TABLE)}</table>
<p>See <a href="https://example.com/q">the site</a>. office affine difficult</p>"""


@pytest.mark.browser
def test_chromium(tmp_path):
    browser = "chromium"
    source, path = tmp_path / "page.html", tmp_path / "page.pdf"
    source.write_text(PAGE)
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    options = ["--headless", "--no-sandbox", "--disable-gpu", profile, f"--print-to-pdf={path}"]
    run(
        browser, *options, source.as_uri(), env={**os.environ, "TMPDIR": "/tmp"}
    )  # longer paths may exceed the limit of its sockets
    markdown = read(path).markdown
    for part in (
        "# Rich page",
        PARAGRAPHS[0],
        "## More",
        "- First\n- Second",
        TABLE_MARKDOWN,
        "[the site](https://example.com/q)",
    ):
        assert part in markdown
    assert "office affine difficult" in markdown


SOURCE = """---
title: A document
---

# Head *one*

Text with a note[^1] and **bold**, `code`, ~~gone~~ and a [link](https://example.com/p).

[^1]: The *note* text.

1. one
2. two
   - inner
3. three

> quoted

```
def f():
    return 1
```

| A | B |
|---|---|
| 1 | 2 |

## Second

The end.
"""
PANDOC_PARTS = (
    "# Head *one*",
    "Text with a note[^1] and **bold**, `code`, ~~gone~~ and a [link](https://example.com/p).",
    "1. one\n2. two\n   - inner\n3. three",
    "> quoted",
    "```\ndef f():\n    return 1\n```",
    "| A | B |\n| --- | --- |\n| 1 | 2 |",
    "## Second\n\nThe end.",
    "[^1]: The *note* text.",
)


def from_pandoc(tmp_path, kind):
    source, path = tmp_path / "a.md", tmp_path / f"a.{kind}"
    source.write_text(SOURCE)
    run("pandoc", "-s", str(source), "-o", str(path))
    return path


@pytest.mark.peers("pandoc")
@pytest.mark.parametrize("kind", ["docx", "odt"])
def test_pandoc_structure(tmp_path, kind):
    document = read(from_pandoc(tmp_path, kind))
    assert (document.title, document.kind) == ("A document", kind)
    for part in PANDOC_PARTS:
        assert part in document.markdown


@pytest.mark.peers("pandoc")
def test_pandoc_writes_rich_text_that_we_read(tmp_path):
    document = read(from_pandoc(tmp_path, "rtf"))
    for part in (PANDOC_PARTS[2], PANDOC_PARTS[5], PANDOC_PARTS[6], PANDOC_PARTS[0], "a note[^1] and **bold**"):
        assert part in document.markdown


@pytest.mark.peers("pandoc")
@pytest.mark.parametrize("kind", ["docx", "odt", "epub"])
def test_pandoc_reads_the_same_words(tmp_path, kind):
    path = from_pandoc(tmp_path, kind)
    theirs = run("pandoc", str(path), "-t", "plain", "--wrap=none").decode()
    assert overlap(read(path).markdown, theirs) > 0.9


@pytest.mark.peers("pandoc", "soffice", "pdftotext")
@pytest.mark.parametrize("kind", ["docx", "odt"])
def test_libreoffice_exports_what_we_read(tmp_path, kind):
    path = from_pandoc(tmp_path, kind)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    office = "soffice"
    run(office, profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(path), timeout=240)
    exported = path.with_suffix(".pdf")
    assert_like_pdftotext(exported, 0.93)
    assert overlap(read(exported).markdown, read(path).markdown) > 0.9


@pytest.mark.peers("docx")
def test_python_docx(tmp_path):
    import docx

    made = docx.Document()
    made.core_properties.title = "The title"
    made.add_heading("Main", 0)
    made.add_heading("Chapter", 1)
    paragraph = made.add_paragraph("Plain and ")
    paragraph.add_run("bold").bold = True
    made.add_paragraph("First", style="List Bullet")
    made.add_paragraph("Inner", style="List Bullet 2")
    made.add_paragraph("One", style="List Number")
    table = made.add_table(rows=2, cols=2)
    for row, values in zip(table.rows, (("a", "b"), ("c", "d"))):
        for cell, value in zip(row.cells, values):
            cell.text = value
    path = tmp_path / "a.docx"
    made.save(str(path))
    document = read(path)
    assert document.title == "The title"
    assert document.markdown == (
        "# Main\n\n# Chapter\n\nPlain and **bold**\n\n- First\n  - Inner\n\n1. One\n\n| a | b |\n| --- | --- |\n| c | d |\n"
    )


@pytest.mark.peers("openpyxl")
def test_openpyxl(tmp_path):
    import datetime

    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sales"
    sheet.append(["Name", "Day", "Share"])
    sheet.append(["Anna|B", datetime.date(2024, 5, 6), 0.125])
    sheet["C2"].number_format = "0.0%"
    sheet["A2"].hyperlink = "https://example.com/a"
    path = tmp_path / "a.xlsx"
    book.save(str(path))
    assert read(path).markdown == (
        "## Sales\n\n| Name | Day | Share |\n| --- | --- | --- |\n| [Anna\\|B](https://example.com/a) | 2024-05-06 | 12.5% |\n"
    )


@pytest.mark.peers("pptx")
def test_python_pptx(tmp_path):
    import pptx

    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Points"
    frame = slide.placeholders[1].text_frame
    frame.text = "One"
    inner = frame.add_paragraph()
    inner.text, inner.level = "Inner", 1
    slide.notes_slide.notes_text_frame.text = "Say this."
    path = tmp_path / "a.pptx"
    deck.save(str(path))
    assert read(path).markdown == "## Points\n\n- One\n  - Inner\n\n**Notes:**\n\nSay this.\n"


@pytest.mark.peers("odf")
def test_odfpy(tmp_path):
    from odf import opendocument
    from odf.text import H, P

    made = opendocument.OpenDocumentText()
    made.text.addElement(H(outlinelevel=2, text="Heading"))
    made.text.addElement(P(text="Paragraph"))
    path = tmp_path / "a.odt"
    made.save(str(path))
    assert read(path).markdown == "## Heading\n\nParagraph\n"


@pytest.mark.peers("ebooklib")
def test_ebooklib(tmp_path):
    from ebooklib import epub

    book = epub.EpubBook()
    book.set_title("The Book")
    chapter = epub.EpubHtml(title="Intro", file_name="intro.xhtml", content="<h1>Intro</h1><p>Hello <b>world</b></p>")
    for item in (chapter, epub.EpubNcx(), epub.EpubNav()):
        book.add_item(item)
    book.spine = ["nav", chapter]
    path = tmp_path / "a.epub"
    epub.write_epub(str(path), book)
    document = read(path)
    assert (document.title, document.markdown) == ("The Book", "## The Book\n\n# Intro\n\nHello **world**\n")
