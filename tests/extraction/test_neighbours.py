"""One text, and not what stands beside it."""

import pytest

from webtool.extraction import extract

STORY = {
    "en": "The ferry left the harbour at six, an hour after the fog had lifted, with forty people and a dog on board.",
    "de": "Die Fähre verließ den Hafen um sechs Uhr, eine Stunde nachdem der Nebel sich gelichtet hatte",
    "fr": "Le bac a quitté le port à six heures, une heure après que le brouillard se fut levé.",
    "es": "El transbordador salió del puerto a las seis, una hora después de que la niebla se levantara.",
    "ru": "Паром вышел из гавани в шесть утра, через час после того, как рассеялся туман над водой и берегом.",
}


def page(inside="", below="", language="en", title="A slow crossing"):
    paragraphs = [f"<p>{STORY[language]} ({i}.)</p>" for i in range(1, 13)]
    middle = "".join(paragraphs[:6]) + inside + "".join(paragraphs[6:])
    return (
        f"<html lang={language}><title>{title}</title><body><nav><a href=/>Start</a> <a href=/n>News</a></nav>"
        f"<main><article><h1>{title}</h1>{middle}</article>{below}</main><footer>© 2024 The Paper</footer>"
    )


def text_of(source, address="https://x.example/news/crossing"):
    return extract(source, address).text


# What stands between paragraphs, and a word of it that must not be in the text.
INSIDE = [
    ("en", "<p>Read also: <a href=/1>Gulls take over the old pier</a></p>", "Gulls"),
    ("en", "<p><strong>Related stories</strong></p><ul><li><a href=/1>Gulls take the pier</a></ul>", "Gulls"),
    ("en", "<div><h3>Recommended by the editors</h3><a href=/1>Gulls</a> <a href=/2>Eels</a></div>", "Gulls"),
    ("de", "<p>Lesen Sie auch: <a href=/1>Möwen erobern die alte Mole</a></p>", "Möwen"),
    ("fr", "<div><b>À lire aussi</b><ul><li><a href=/1>Les mouettes de la jetée</a></ul></div>", "mouettes"),
    ("es", "<p><b>Lea también:</b> <a href=/1>Las gaviotas del viejo muelle</a></p>", "gaviotas"),
    (
        "ru",
        "<p>Читайте также: <a href=/1>Чайки у старого пирса</a></p>",
        "Чайки",
    ),
    (
        "en",
        "<div><p>Get our best stories by mail.</p><form><input type=email><button>Sign up</button></form></div>",
        "best",
    ),
    ("en", "<p>1,204 shares</p>", "1,204"),
    ("en", "<p>10/28/2026 06:00 PM 10/28/2026 08:00 PM America/New_York Ferry day at the pier</p>", "New_York"),
    ("en", '[vc_row css=".x{top:0}"][vc_column width="1/2"]', "vc_"),
    ("en", '<p>[vc_row][vc_column_text el_class="a"]Ropes were cast.[/vc_column_text][/vc_row]</p>', "vc_"),
]


@pytest.mark.parametrize(("language", "inside", "word"), INSIDE)
def test_what_interrupts_a_text_is_dropped(language, inside, word):
    text = text_of(page(inside, language=language))
    assert word not in text
    assert all(f"({i}.)" in text for i in range(1, 13))


NEXT = (
    f"<article><h1>Eels return</h1><time>2024-05-06</time>{('<p>' + STORY['en'].replace('ferry', 'eel')) * 8}</article>"
)
BOX = "<p>Ida Lind has written of ships and harbours for thirty years and lives in a lighthouse.</p>"
POST = "<p>I was on that ferry, and the dog was mine. What a morning it was, I would do it again.</p>"
BELOW = [
    (NEXT, "eel"),
    (f"<section><h2>About the author</h2>{BOX}</section>", "lighthouse"),
    (f"<div><h3>Über die Autorin</h3>{BOX}</div>".replace("Über die Autorin", "Zur Person"), "lighthouse"),
    (f"<section><h2>3 Comments</h2><ol><li><b>Ann</b>{POST}<li><b>Bo</b>{POST}</ol></section>", "morning"),
    (f"<div><h3>Leave a reply</h3>{POST}</div>", "morning"),
]


@pytest.mark.parametrize(("below", "word"), BELOW)
def test_what_follows_a_text_is_dropped(below, word):
    text = text_of(page(below=below))
    assert word not in text
    assert "(12.)" in text


def test_posts_stay_where_people_discuss():
    posts = "".join(f"<article><h2>Re: A slow crossing</h2>{POST * 4} ({i}th)</article>" for i in range(5))
    text = text_of(page(below=f"<section><h2>5 replies</h2>{posts}</section>"), "https://x.example/forum/t/12")
    assert text.count("What a morning") == 20


def test_the_parts_of_a_text_stay():
    parts = f"<h2>More from the harbour</h2><p>{STORY['en']}</p><h2>About the ferry</h2><p>{STORY['en']}</p>"
    text = text_of(page(parts))
    assert text.count("forty people") == 14


def test_a_list_of_texts_is_kept_whole():
    entries = "".join(
        f"<article><h2><a href=/{i}>Ferry number {i}</a></h2><p>{STORY['en']} ({i}.)</p></article>" for i in range(9)
    )
    text = text_of(f"<title>Ferries | The Paper</title><main><h1>Ferries</h1>{entries}</main>", "https://x.example/c/f")
    assert all(f"({i}.)" in text for i in range(9))


def test_marks_that_a_text_speaks_of_stay():
    text = text_of(
        page("<p>Write <code>[vc_row]</code> or [sic] or re[in]vent.</p><pre>[my_code a='1'][/my_code]</pre>")
    )
    assert "[vc_row]" in text
    assert "[sic]" in text
    assert "[my_code a='1'][/my_code]" in text


def test_code_in_a_line_keeps_its_marks():
    found = extract(page("<p>Write <code>[my_code a='1'][/my_code]</code> there."), "https://x.example/a")
    assert "[my_code a='1'][/my_code]" in found.text
    assert "`[my_code a='1'][/my_code]`" in found.markdown
