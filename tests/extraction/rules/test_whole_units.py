"""From chosen blocks to tree, text and links."""

import re

import pytest
from choices import run_rows

from webtool.extraction import extract
from webtool.extraction.output import kept as writer
from webtool.extraction.output import pictures
from webtool.extraction.page import sources
from webtool.html import parse_html
from webtool.markdown import to_markdown


def kept(source, *chosen_parts):
    """Markdown of the blocks that contain one of the given strings."""
    page, *_ = sources.read(parse_html(source))
    chosen = [any(part in block.text for part in chosen_parts) for block in page.blocks]
    run_rows("keep_or_drop_whole", "drop_repeated_texts", page, chosen)
    return to_markdown(writer.tree(page, chosen)).strip(), writer.text(page, chosen)


def test_dropped_items_leave_no_markers():
    assert kept("<ul><li>one<li>two<li>three</ul>", "one", "three")[0] == "- one\n- three"


def test_rows_are_whole():
    table = "<table><tr><th>a<th>b<tr><td>c<td>d d d d</table>"
    assert kept(table, "a", "b", "d")[0].count("|") == kept(table, "a", "b", "c", "d")[0].count("|")
    assert kept(table, "a", "b", "d")[1] == "a\tb\n\nc\td d d d"


def test_code_is_whole_or_not_at_all():
    code = "<pre><div>first line of code</div><div>second line of code</div><div>}</div></pre><p>after"
    assert kept(code, "first", "second")[1].startswith("first line of code\n\nsecond line of code")
    assert "}" in kept(code, "first", "second")[1]
    assert kept(code, "}", "after")[1] == "after"


@pytest.mark.parametrize("island", ["<pre>x = 1</pre>", "<table><tr><th>Item<th>Cost<tr><td>Tea<td>5 dollars</table>"])
def test_code_and_tables_of_data_between_kept_paragraphs_are_kept(island):
    page = f"<p>Python</p>{island}<p>Copy</p>"
    assert kept(f"<p>kept one</p>{page}<p>kept two</p>", "kept")[0].count("\n\n") == 2
    assert kept(f"<p>kept one</p><p>kept two</p>{page}", "kept")[0] == "kept one\n\nkept two"
    linked = page.replace("x = 1", "<a href=/a>x = 1</a>").replace("Tea<td>5 dollars", "<a href=/a>Tea in bags</a><td>")
    assert kept(f"<p>kept one</p>{linked}<p>kept two</p>", "kept")[0] == "kept one\n\nkept two"


def test_output_right_below_kept_code_is_kept():
    cells = "<p>kept one</p><div><pre>kept 1 + 1</pre></div><div class=output><pre>2</pre></div>"
    assert kept(f"{cells}<p>Copy</p><pre>3</pre>", "kept")[1] == "kept one\n\nkept 1 + 1\n\n2"


def test_code_keeps_its_lines():
    assert kept("<pre>a\n  b\n</pre>", "a")[1] == "a\n  b"


def test_inline_markup_and_links_survive():
    assert kept("<p>see <a href=/x><b>this</b></a></p><p>not", "see")[0] == "see [**this**](/x)"


def test_repeated_text_stays():
    chorus = "the same long enough line of text"
    steps = f"<ol><li>Open the shop and look around there</li><li>{chorus}</li></ol>"
    assert (
        kept(f"<p>{chorus}</p><p>verse</p><p>{chorus}</p>{steps}{steps}", "same", "verse", "Open")[1].count(chorus) == 4
    )


def test_an_empty_cell_keeps_its_column():
    table = (
        "<table><tr><th>Item<th>Note<th>Cost<tr><td>Tea<td><td>5 dollars"
        "<tr><td>Cup<td><img src=/i/tick.png class=icon width=16 alt=yes><td>7 dollars</table>"
    )
    assert kept(table, "Tea", "5 d", "Cup", "7 d")[0].splitlines()[2:] == [
        "| Tea |  | 5 dollars |",
        "| Cup | ![yes](/i/tick.png) | 7 dollars |",
    ]


def test_a_kept_row_brings_header_row_and_caption():
    table = "<table><caption>Costs<tr><th>Item<th>Cost<tr><td>Tea that is green<td>5 dollars</table>"
    assert kept(table, "Tea", "5 d")[0].startswith("Costs\n\n| Item | Cost |")


def test_formulas_keep_their_tex():
    hidden = '<span class="mwe-math-mathml-inline" style="display:none"><math><mi>x</mi>{}</math></span>'
    tex = '<annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation>'
    picture = '<img class="mwe-math-fallback-image-inline" alt="x" src="/x.svg">'
    box = f'<span class="mwe-math-element">{hidden.format(tex)}{picture}</span>'
    assert kept(f"<p>Let {box} be</p><p>not", "Let")[0] == "Let $x^{2}$ be"
    start = '<mjx-container display="true"><mjx-math aria-hidden="true"></mjx-math>'
    display = start + "<mjx-assistive-mml>{}</mjx-assistive-mml>"
    maths = display.format('<math display="block"><mi>a</mi><mo>=</mo><mi>b</mi></math>')
    assert kept(f"<p>So</p>{maths}</mjx-container><p>not", "So", "a=b")[0] == "So\n\n$$a = b$$"


def test_images_of_kept_content_survive_and_icons_do_not():
    source = (
        "<div><p>kept words here</p><figure><img src=/photo.jpg alt=Photo></figure><img src=/icon.png></div>"
        "<div><p>dropped</p><img src=/other.jpg></div>"
    )
    markdown = kept(source, "kept")[0]
    assert "![Photo](/photo.jpg)" in markdown
    assert "icon" not in markdown
    assert "other" not in markdown


def test_a_picture_is_shown_once_whatever_its_query():
    source = "<div><p>kept words here</p><div><img src=/a.jpg?w=1 alt=A><img src=/a.jpg?w=2 alt=A></div></div>"
    assert kept(source, "kept")[0].count("](/a.jpg") == 1


def test_pictures_of_a_script_differ_in_their_query():
    images = "".join(f"<img src='/attachment.php?id={i}' alt='View {i}'>" for i in (1, 2, 2))
    assert kept(f"<div><p>kept words here</p><div>{images}</div></div>", "kept")[0].count("attachment.php") == 2


def test_a_picture_of_a_dropped_row_is_shown_where_it_comes_again():
    wall = "".join(f"<img src=/{i}.jpg>" for i in range(pictures.MAX_NAMELESS + 1))
    source = f"<div><p>kept words here</p>{wall}<p>kept words</p><div><img src=/1.jpg></div><p>kept words</p></div>"
    assert kept(source, "kept")[0].count(".jpg") == 1


def test_a_wall_of_pictures_without_text_is_left_out():
    def wall(size, alt):
        return "<div>" + "".join(f"<img src=/{i}.jpg alt='{alt}'>" for i in range(size)) + "</div>"

    few, many = pictures.MAX_NAMELESS, pictures.MAX_NAMELESS + 1
    for size, alt, shown in ((few, "", few), (many, "", 0), (many, "A view", many)):
        markdown = kept(f"<div><p>kept words here</p>{wall(size, alt)}</div>", "kept")[0]
        assert markdown.count(".jpg)") == shown


@pytest.mark.parametrize(("target", "shown"), [("/large/1.jpg", 12), ("/photo.WebP?w=9", 12), ("/shop/1", 0), ("", 0)])
def test_a_gallery_of_pictures_that_are_shown_larger_stays(target, shown):
    cards = "".join(f"<a href='{target}'><div><img src=/{i}.jpg></div><p>Tent {i} in red</a>" for i in range(12))
    text = "<p>kept words here and more of them, for a text that is as long as what all of the captions below say"
    assert kept(f"<main>{text}<div>{cards}</div>{text}</main>", "kept")[0].count(".jpg)") == shown


def test_cells_of_a_layout_table_are_judged_by_themselves():
    source = "<table><tr><td>Home<br><br>Links<td>one paragraph<br><br>another paragraph<br><br>a third one</table>"
    assert kept(source, "paragraph", "third")[1] == "one paragraph\n\nanother paragraph\n\na third one"


STORY = "".join(
    f"<p>The ferry left the harbour at six, an hour after the fog had lifted, on day {i}.</p>" for i in range(12)
)


@pytest.mark.parametrize(
    "figure",
    [
        "<picture><source srcset=/b.webp><img src=/b.jpg width=900></picture>",
        "<div><picture><img src=/b.jpg alt='A ferry'></picture></div>",
        "<div><figure><img src=/b.jpg><figcaption>Photo: I. Lind</figcaption></figure></div>",
        "<figure><div><a href=/b><picture><img src=/b.jpg></picture></a></div><figcaption>Ferry</figcaption></figure>",
        "<div>" + "".join(f"<figure><img src=/{c}.jpg></figure>" for c in "abcdef") + "</div>",
    ],
)
def test_a_figure_in_a_text_is_kept_in_any_wrapping(figure):
    markdown = extract(f"<title>Crossing</title><main><h1>Crossing</h1>{STORY}{figure}{STORY}</main>").markdown
    assert "](/b.jpg)" in markdown


BELONGING = [
    "<div class=wp-caption><img src=/b.jpg><p>The ferry at dawn</div>",
    "<div class=columns><div><figure><img src=/b.jpg><figcaption>One</figcaption></figure></div><div><figure>"
    "<img src=/c.jpg><figcaption>Two</figcaption></figure></div></div>",
    "<noscript><div><img src=/b.jpg alt=Ferry></div></noscript>",
    "<noscript>&lt;IMG SRC=/b.jpg ALT=Ferry&gt;</noscript>",
    "<div class=lazy><img src=data:image/gif;base64,R0 data-src=/b.jpg><span>The ferry</span></div>",
    "<div class=wp-caption><img src=/b.jpg><p>(<a href=/i>I. Lind</a>)</div>",
    "<div><img src=/b.jpg><p><a href=/i>I. Lind</a></div>",
    "<div aria-hidden=true><picture><img src=/b.jpg></picture></div>",
    "<style>img{opacity:0}</style><div><img src=/b.jpg loading=lazy></div>",
    "<div><img src=/b.jpg class=harbour-icon width=640 height=480></div>",
    "<div><img src=/b.jpg class='wp-image-7 badge'></div>",
    "<div><img src=/b.jpg class=partner-logo alt='Ferries of Ystad logo'></div>",
    "<div class=gallery>"
    + "".join(f"<div><img src=/{c}.jpg width=640 height=480></div>" for c in "abcdefg")
    + "</div>",
]
FOREIGN = [
    "<div><a href=/next><img src=/b.jpg> Ten harbours that you should see</a></div>",
    "<div class=PostAuthor_box><img src=/b.jpg><p>Ida writes about boats</div>",
    "<form><img src=/b.jpg><p>Get our letter</form>",
    "<aside><img src=/b.jpg><p>In other news</aside>",
    "<noscript><img src=/b.jpg width=1 height=1></noscript>",
    "<noscript><img src=/b.jpg alt=Ferry style='display: none'></noscript>",
    "<noscript><div hidden><p><img src=/b.jpg alt=Ferry></div></noscript>",
    "<noscript style='display: none'><img src=/b.jpg alt=Ferry></noscript>",
    "<div aria-hidden=true><img src=/b.jpg> An offer that nobody should read</div>",
    "<div hidden><img src=/b.jpg></div>",
    "<div class=author-photo><img src=/b.jpg></div>",
    "<div><img src=/b.jpg class=avatar width=120 height=120></div>",
    "<div><img src=/b.jpg class=partner-logo alt='Our logo icon'></div>",
    "<div class=share><a href=/x><img src=/b.jpg alt=Post></a></div>",
]


@pytest.mark.parametrize(("between", "count"), [(one, 1) for one in BELONGING] + [(one, 0) for one in FOREIGN])
def test_a_picture_between_kept_paragraphs_is_kept_unless_it_is_furniture(between, count):
    markdown = kept(f"<main><p>kept words one</p>{between}<p>kept words two</p></main>", "kept")[0]
    assert markdown.count("](/b.jpg)") == count


def test_a_picture_is_kept_if_its_neighbours_are_kept():
    comments = "".join(f"<p>A reader found the harbour of {town} far nicer</p>" for town in ["Ystad"] * 10)
    page = (
        f"<main><p>kept one</p><p><img src=/a.jpg></p><p>kept two</p>{comments}<p><img src=/b.jpg></p>{comments}</main>"
    )
    markdown = kept(page, "kept")[0]
    assert markdown == "kept one\n\n![](/a.jpg)\n\nkept two"


LEAD = "<head><meta property=og:image content=https://x.example/up/ferry-1200x630.jpg></head>"
TWO_LEADS = LEAD.replace("</head>", "<meta name=twitter:image content=/up/ferry-small.jpg></head>")


@pytest.mark.parametrize(
    ("above", "shown"),
    [
        ("<section class=hero><p>By boat</p><img src=/up/ferry-640x480.jpg.webp></section>", True),
        ("<header><img src='/_next/image?url=%2Fup%2Fferry.jpg&amp;w=640'></header>", True),
        ("<header><img src='/_next/image?url=https%3A%2F%2Fc.example%2Fferry.jpg%3Fw%3D8&amp;w=640'></header>", True),
        ("<header><img src='/_next/image?url=%2Fattachment.php%3Fid%3D7&amp;w=640'></header>", False),
        ("<section class=hero><p>By boat</p><img src=/up/another.jpg></section>", False),
        ("<nav><img src=/up/ferry.jpg></nav>", False),
        ("<div class=site-logo><p>By boat</p><img src=/up/ferry.jpg></div>", False),
        ("<div><img src=/up/ferry.jpg width=64 height=64>Boats</div>", False),
    ],
)
def test_the_picture_that_a_page_gives_to_others_is_the_one_above_its_text(above, shown):
    markdown = kept(f"{LEAD}<body>{above}<p>A letter about boats, weekly</p><main><p>kept words</p></main>", "kept")[0]
    assert ("![](" in markdown) == shown


@pytest.mark.parametrize("attributes", ["property='' name=twitter:image", "property=image name=og:image"])
def test_a_lead_picture_is_named_by_name_or_property(attributes):
    head = f"<head><meta {attributes} content=/up/ferry.jpg></head>"
    above = "<section class=hero><p>By boat</p><img src=/up/ferry.jpg></section>"
    markdown = kept(f"{head}<body>{above}<p>A letter about boats</p><main><p>kept words</p></main>", "kept")[0]
    assert "![](/up/ferry.jpg)" in markdown


@pytest.mark.parametrize(("number", "shown"), [(7, True), (9, False)])
def test_a_lead_picture_of_a_script_is_known_by_its_query(number, shown):
    head = LEAD.replace("/up/ferry-1200x630.jpg", "/attachment.php?id=7")
    assert head != LEAD
    above = f"<section class=hero><p>By boat</p><img src='/attachment.php?id={number}'></section>"
    markdown = kept(f"{head}<body>{above}<p>A letter about boats</p><main><p>kept words</p></main>", "kept")[0]
    assert ("![](" in markdown) == shown


def test_a_lead_picture_is_not_shown_again_in_the_size_of_its_banner():
    images = "<div class=banner><p>By boat</p><img src=/up/ferry.jpg></div>"
    text = "<main><p>kept one</p><img src=/up/ferry-300x200.jpg><p>kept two</p></main>"
    assert kept(f"{LEAD}<body>{images}{text}", "kept")[0].count("![](") == 1
    assert kept(f"{TWO_LEADS}<body>{images}{text}", "kept")[0].count("![](") == 1


def test_a_lead_picture_is_shown_if_its_twin_is_dropped_with_a_row_of_decoration():
    images = "<div class=banner><p>By boat</p><img src=/up/ferry.jpg></div>"
    row = "".join(f"<img src=/up/{name}-300x200.jpg>" for name in ("ferry", "a", "b", "c", "d"))
    text = f"<main><p>kept one</p>{row}<p>kept two</p></main>"
    assert kept(f"{LEAD}<body>{images}{text}", "kept")[0].count("![](") == 1


def test_a_picture_above_the_button_of_a_long_card_belongs_to_it():
    numbers = " ".join(map(str, range(60)))
    card = f"<div><p>kept words</p><p>{numbers}</p><div><img src=/a.jpg><a href=/a>Visit Ystad</a></div></div>"
    assert "](/a.jpg)" not in kept(f"<main><p>kept one</p>{card}<p>kept two</p></main>", "kept")[0]
    card = card.replace("kept words", "kept words " * 20)
    assert "](/a.jpg)" in kept(f"<main><p>kept one</p>{card}<p>kept two</p></main>", "kept")[0]


def test_a_kept_card_has_its_picture_and_a_dropped_one_has_not():
    cards = "".join(f"<li><img src=/{name}.jpg alt={name}><h3>{name}</h3><p>from 7 harbours</li>" for name in "ab")
    assert "](/a.jpg)" in kept(f"<ul>{cards}</ul>", "a")[0]
    markdown = kept(f"<h1>kept words</h1><div>{cards.replace('<h3>a', '<h3>cup')}</div>", "kept", "cup")[0]
    assert ("](/a.jpg)" in markdown, "](/b.jpg)" in markdown) == (True, False)


def test_a_noscript_twin_is_not_shown_beside_its_image():
    twin = "<img src=/b-small.jpg alt=Ferry><noscript><img src=/b.jpg alt=Ferry></noscript>"
    assert kept(f"<div><p>kept words</p>{twin}</div>", "kept")[0].count("![Ferry]") == 1


def test_a_caption_that_is_not_kept_names_its_image():
    figure = "<figure><picture><img src=/b.jpg></picture><figcaption>The ferry</figcaption></figure>"
    markdown, text = kept(f"<main><p>one</p>{figure}<p>two</p></main>", "one", "two")
    assert "![The ferry](/b.jpg)" in markdown
    assert "ferry" not in text


def test_the_cells_of_a_grid_by_role_stay_together_in_their_columns():
    def row(role, *cells):
        return "<div role=row>" + "".join(f"<div role={role}>{cell}</div>" for cell in cells) + "</div>"

    rows = "".join(row("gridcell", f"The boat of keeper {n}", "" if n == 3 else n, f"Port {n}") for n in range(12))
    grid = f"<div role=grid>{row('columnheader', 'Boat', 'No', 'Port')}{rows}</div>"
    text = extract(f"<main><h1>Boats</h1>{grid}</main><nav><a href=/a>Menu</a></nav>").markdown
    assert "| Boat | No | Port |" in text
    assert "| The boat of keeper 3 |  | Port 3 |" in text
    assert "Menu" not in text


def test_an_empty_cell_by_role_outside_of_a_grid_is_passed_over():
    grid = "<div role=grid><div role=row><div role=gridcell>Boat</div><div role=gridcell>Port</div></div></div>"
    assert "Boat" in extract(f"<div role=gridcell></div><main><h1>Boats</h1>{TIDES * 3}{grid}</main>").markdown


def test_tex_that_mathjax_left_in_scripts_is_kept():
    script = "<script type='math/tex'>x_i^2</script>"
    page = f"<p>The area is <span class=MathJax_Preview>x2</span>{script}, as everybody at the harbour knows.</p>"
    assert "The area is $x_i^2$, as everybody" in extract(f"<main><h1>Areas</h1>{page * 3}</main>").markdown


TIDES = "<p>The harbour has two tides a day, and the second one comes later than the first one did.</p>"


BOXES = (
    ("<input type=checkbox checked disabled>", "<input type=checkbox disabled>"),
    ("<div class='checkbox checkbox-on'></div>", "<div class='checkbox checkbox-off'></div>"),
    ("<label><input type=checkbox checked>", "<p><input type=checkbox>"),
)


@pytest.mark.parametrize(("done", "open_"), BOXES)
def test_tasks_stay_done_or_not(done, open_):
    tasks = f"<ul><li>{done} The first tide is over by noon</li><li>{open_} The second tide comes late</li></ul>"
    markdown = extract(f"<main><h1>Tides</h1>{TIDES * 3}{tasks}{TIDES * 3}</main>").markdown
    assert "- [x] The first tide" in markdown
    assert re.search(r"- \[ \]\s+The second tide", markdown)


SENTENCES = {
    "en": "The ferry left the harbour at six, an hour after the fog had lifted, with forty people on board",
    "fi": "Lautta lähti satamasta kuudelta, tunti sen jälkeen kun sumu oli hälvennyt, ja kyydissä oli väkeä paljon",
    "ja": "霧が晴れてから一時間後の六時に、四十人を乗せた渡し船が港を出て、島へ向かった",
}
TAGLINES = {
    "en": "Boats and ropes for every lake of the country",
    "fi": "Veneitä ja köysiä maan jokaiselle järvelle",
    "ja": "国中のすべての湖に船と縄を",
}


def left_beside(source):
    """Return the lines that are kept of a page whose blocks were all chosen."""
    page, *_ = sources.read(parse_html(source))
    keep = [True] * len(page.blocks)
    run_rows("drop_outside_main", "drop_outside_main", page, keep)
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("home", ["<main>{}</main>", "<div role=main>{}</div>", "<div><article>{}</article></div>"])
def test_sentences_of_menus_and_promotions_are_dropped_beside_the_main_element(language, home):
    body = "".join(f"<p>{SENTENCES[language]} {i}</p>" for i in range(9))
    line = f"<div class=x><p>{TAGLINES[language]}</p></div>"
    texts = left_beside(f"{line}<h1>Tea</h1>{home.format(body)}{line}")
    assert texts == ["Tea", *(f"{SENTENCES[language]} {i}" for i in range(9))]


def test_the_standfirst_between_the_headline_and_the_main_element_stays():
    body = "".join(f"<p>{SENTENCES['en']} {i}</p>" for i in range(9))
    texts = left_beside(f"<p>Shop</p><h1>Tea</h1><p>{TAGLINES['en']}</p><article>{body}</article><p>More</p>")
    assert texts[:2] == ["Tea", TAGLINES["en"]]
    assert len(texts) == 11


@pytest.mark.parametrize("source", ["<article>{}</article><article>{}</article>", "<main><p>Tea</p></main>{}", "{}"])
def test_a_text_in_several_elements_or_beside_them_stays(source):
    body = "".join(f"<p>{SENTENCES['en']} {i}</p>" for i in range(3))
    texts = left_beside(f"<p>Shop</p>{source.format(body, body)}")
    assert "Shop" in texts
    assert len(texts) > 3


NOTICES = [
    "The shop is closed on Friday.|We repair the roof that the storm of Tuesday took with it, and nobody can be let in "
    "until the beams are dry.|Orders are sent on Monday.|Ida Moss, for the team",
    "La tienda cierra el viernes.|Reparamos el tejado que se llevó la tormenta del martes, y nadie puede entrar hasta "
    "que se sequen las vigas.|Los pedidos salen el lunes.|Ida Moss, por el equipo",
    "Магазин закрыт в пятницу.|Мы чиним крышу, которую унесла буря во вторник, и никого не можем впустить, пока не "
    "высохнут балки.|Заказы отправим в понедельник.|Ида Мосс, от всей команды",
    "金曜日は休業します。|火曜日の嵐で飛ばされた屋根を直しており、梁が乾くまではどなたも店内に入れません。|"
    "ご注文は月曜日に発送します。|店員一同 井田",
]
SHORT_PAGES = [
    "<div class=c><h2>{}</h2><p>{}</p><div class=note>{}</div><p class=sig>{}</p></div>",
    "<article><h1>News</h1><p class=lead>{}</p><div class=text><p>{}</p><p>{}</p></div><p>{}</p></article>",
    "<div id=content><div class=intro>{}</div><p>{}</p><div class=outro><span>{}</span></div><em>{}</em></div>",
]


def test_a_heading_above_a_kept_paragraph_of_a_short_page_is_kept():
    source = "<div><h2>The lighthouse</h2><p>Taken at dusk.</p><p>The keeper climbs it.</p><h2>More</h2></div>"
    page, *_ = sources.read(parse_html(source))
    keep = [block.text == "The keeper climbs it." for block in page.blocks]
    run_rows("keep_short_pages_whole", "keep_short_pages_whole", page, keep)
    assert keep == [True, True, True, False]


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("form", SHORT_PAGES)
def test_first_and_last_lines_of_a_short_page_are_kept(form, notice):
    lines = notice.split("|")
    menus = "<header><a href=/>Shop</a><nav><a href=/p>Boats</a> <a href=/t>Ropes</a></nav></header>"
    foot = "<form><input name=q><button>Search</button></form><footer><p>© 2026 Shop. <a href=/i>Imprint</a></footer>"
    consent = "<div class=cookie-banner><p>This site uses cookies for statistics.</p><button>Accept all</button></div>"
    extraction = extract(f"<title>News | Shop</title>{menus}{consent}{form.format(*lines)}{consent}{foot}")
    assert all(line in extraction.markdown for line in lines)
    assert not any(word in extraction.markdown for word in ("Boats", "Search", "2026", "cookies"))


def test_brackets_in_code_are_kept_however_deep_the_text_is():
    page = "<p>Write <code><span>[vc_row a='1']</span></code> here</p><p>Other [vc_row a='1'] text</p>"
    assert "[vc_row" in kept(page, "Write")[1]
    assert "[vc_row" not in kept(page, "Other")[1]
