"""Notes that kept marks point at are kept, however the page writes them."""

import pytest

from webtool.extraction import extract

P = "The harbour was rebuilt after the storm of 1962, and the new pier took four years to finish. Boats moved away."
STORY = "".join(f"<p>{P.replace('four', str(n))}</p>" for n in range(8))
MARKED = (
    '<p>Oak is heavy.<sup><a href="#n1" id=r1>{}</a></sup> Iron is heavier.<a href="#n2" id=r2>{}</a> Both sank.</p>'
)
BOTH = ("Weighed in 1964", "Iron and Sea")
FORMS = {
    "a list of links": "<section class=footnotes><ol><li id=n1>Weighed in 1964.<a href='#r1'>↩</a><li id=n2>"
    "<a href=//b.example/x>Iron and Sea</a> <a href='#r2'>↩</a></ol></section>",
    "Wikidot": "<div class=footnotes-footer><div class=title>Footnotes</div><div class=footnote-footer id=n1>"
    "<a href='#r1'>1</a>. Weighed in 1964.</div><div id=n2><a href='#r2'>2</a>. Iron and Sea</div></div>",
    "Texinfo": "<div class=footnotes-segment><hr><h4>Footnotes</h4><h5><a id=n1 href='#r1'>(1)</a></h5>"
    "<p>Weighed in 1964.</p><h5><a id=n2 href='#r2'>(2)</a></h5><p>Iron and Sea</p></div>",
    "a definition list": "<dl><dt id=n1>[1]<dd>Weighed in 1964.<dt id=n2>[2]<dd>Iron and Sea</dl>",
    "anchors": "<div class=small><a name=n1></a>1. Weighed in 1964.<br><br><a name=n2></a>2. Iron and Sea</div>",
    "a table": "<table><tr><td><a name=n1>1</a><td>Weighed in 1964.<tr><td><a name=n2>2</a><td>Iron and Sea</table>",
    "a footer": "<footer><p id=n1>1. Weighed in 1964.</p><p id=n2>2. Iron and Sea</p></footer>",
    "paragraphs in items": "<ol><li><p id=n1>Weighed in 1964.</p><li><p id=n2>Iron and Sea</p></ol>",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("page", ["<main><article>{}</article></main>", "<main>{}</main><div>{}</div>"])
@pytest.mark.parametrize("marks", [("1", "2"), ("[note 1]", "[note 2]"), ("*", "†"), ("a", "b")])
def test_notes_of_kept_marks_are_kept(form, page, marks):
    parts = (STORY + MARKED.format(*marks), FORMS[form])
    body = page.format("".join(parts)) if page.count("{}") == 1 else page.format(*parts)
    extraction = extract(f"<title>Oak</title><h1>Oak</h1>{body}<footer><p>© 2026 <a href=/i>Imprint</a></p></footer>")
    assert [note for note in BOTH if note not in extraction.markdown or note not in extraction.text] == []
    assert "Imprint" not in extraction.markdown


def test_a_note_may_point_at_a_book():
    books = "<ul><li id=lee>Lee, Ann. Oak and Iron. Port Press.</li></ul>"
    notes = f"<div class=x id=n1>1. <a href='#lee'>Lee 1999</a>, p. 4.</div><div>{books}</div>"
    extraction = extract(f"<title>Oak</title><main><h1>Oak</h1>{STORY}{MARKED.format(1, 2)}</main>{notes}")
    assert "Port Press" in extraction.markdown


@pytest.mark.parametrize(
    "link", ["<p>Subscribe <a href='#box'>below</a> to get it all.</p>", "<p><a href='#box'>Jump to the box</a></p>"]
)
def test_a_link_in_words_keeps_no_box(link):
    box = "<aside id=box class=newsletter><h3>Our letter</h3><form><input type=email></form></aside>"
    assert "Our letter" not in extract(f"<title>Oak</title><main><h1>Oak</h1>{STORY}{link}</main>{box}").markdown
