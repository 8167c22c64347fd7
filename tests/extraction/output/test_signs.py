"""Small pictures in a sentence are read as words: icons, emoji, formulas. Decoration is not."""

import pytest

from webtool.extraction import extract

P = "<p>The harbour was rebuilt after the storm of 1962, and the new pier took years to finish. Boats moved away.</p>"
# The paragraph's HTML; what markdown has of it.
SENTENCES = [
    ('Press the <img src="/i.png" alt="gear icon" width="18" height="18"> button.', "Press the gear icon button."),
    ('The value <img src="/e.png" alt="f(x) = 2" width="224" height="18"> is given.', "The value f(x) = 2 is given."),
    ('<img class=emoji alt="😀" src=e.svg> Good work, all of you.', "😀 Good work, all of you."),
    ('Good work, all of you <img class=emoji alt="😀" src=e.svg>', "Good work, all of you 😀"),
    ('Set <img class=latex alt="x^2" src=l.png> to one at noon.', "Set $x^2$ to one at noon."),
    ('<img alt="x+y" height=18 src=f.png> is a sum of two numbers.', "x+y is a sum of two numbers."),
    ('Tap <a href=/x><img alt="menu" width=20 src=m.png></a> twice, then wait.', "Tap [menu](/x) twice, then wait."),
    ('Water is H<img alt="2" height=10 src=2.png>O here at the port.', "Water is H2O here at the port."),
    ('<b>Keys:</b> <img alt="Ctrl" height=20 src=k.png> + C copies.', "**Keys:** Ctrl + C copies."),
    ('See <a href=/d>docs <img alt="external link" width=12 src=x.png></a> for more.', "See [docs](/d) for more."),
    ('By <img alt="Ann Lee" width=24 src=a.png> Ann Lee, in the port.', "By Ann Lee, in the port."),
    ('<img alt="Phone" width=20 src=p.png> 0123 456 is our number now.', "0123 456 is our number now."),
    ('A side <img alt="bar" width="²" src=p.png> without a number.', "A side ![bar](p.png) without a number."),
    ('A gap <img alt="" width=20 src=p.png> says nothing at all here.', "A gap says nothing at all here."),
    ('A bar <img alt="bar" aria-hidden=true width=20 src=p.png> is hidden here.', "A bar is hidden here."),
]


@pytest.mark.parametrize(("source", "expected"), SENTENCES)
def test_small_pictures_are_words(source, expected):
    extraction = extract(f"<title>Tides</title><main><h1>Tides</h1>{P * 4}<p>{source}</p>{P * 2}</main>")
    lines = [line for line in extraction.markdown.split("\n") if line and "harbour" not in line]
    assert lines[-1] == expected


def test_a_caption_joins_the_text_alternative():
    figure = (
        "<figure><img src=/b.jpg alt=crane width=600><figcaption>Model of the pier. Photo: Port</figcaption></figure>"
    )
    page = f"<meta property=og:type content=article><title>T</title><main><h1>T</h1>{P * 4}{figure}{P * 4}</main>"
    extraction = extract(page)
    assert "Model of the pier" in extraction.markdown


def test_lists_inside_lists_keep_the_words_above_them():
    items = "<li>Asia<ul><li>China<li>Japan</ul><li>Europe<ul><li>Spain<li>Italy</ul><li>Africa"
    extraction = extract(f"<title>Tides</title><main><h1>Tides</h1>{P}<ul>{items}</ul></main>")
    assert "- Asia\n  - China\n  - Japan\n- Europe\n  - Spain\n  - Italy\n- Africa" in extraction.markdown


@pytest.mark.parametrize("last", ["It uses the <code>read</code> command.", "The plan is <x-b>new</x-b> since May."])
def test_the_last_paragraph_of_a_short_page_is_kept(last):
    source = f"<title>Input</title><main><h1>Input</h1>{P}<pre><code>read -p name</code></pre><p>{last}</p></main>"
    assert last[-8:] in extract(source).markdown


def test_verses_that_lead_to_notes_are_text():
    verses = "".join(f"<a href=/{n}>I never meant to sail {n}<br>I only came for the light</a><br>" for n in range(8))
    notes = "".join(P.replace("years", f"{n} years") for n in range(7))
    parts = f"<div><p>{verses}</p></div><div><h3>About</h3>{notes}</div>"
    extraction = extract(f"<title>Grey</title><main><div>{parts}</div></main>")
    assert [
        n for n in range(8) if f"to sail {n}" not in extraction.text or f"to sail {n}" not in extraction.markdown
    ] == []


def test_custom_elements_in_a_paragraph_do_not_part_it():
    sentence = (
        "<p>The plan costs <x-tip><span>twenty euros</span></x-tip> a month, and is <x-b>new</x-b> since May.</p>"
    )
    extraction = extract(f"<title>Plan</title><main><h1>Plan</h1>{P * 3}{sentence}</main>")
    assert "The plan costs twenty euros a month, and is new since May." in extraction.text
