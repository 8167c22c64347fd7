"""The article is kept, labelled parts beside it are dropped."""

import pytest
from choices import run_rows

from webtool.extraction import extract
from webtool.extraction.page import blocks, cutting
from webtool.html import parse_html

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


# Boxes between paragraphs, and a word of each that must not be in the text.
INSIDE = [
    ("en", "<p>Read also: <a href=/1>Gulls take over the old pier</a></p>", "Gulls"),
    ("en", "<p><strong>Related stories</strong></p><ul><li><a href=/1>Gulls take the pier</a></ul>", "Gulls"),
    ("en", "<div><h3>Recommended by the editors</h3><a href=/1>Gulls</a> <a href=/2>Eels</a></div>", "Gulls"),
    ("de", "<p>Lesen Sie auch: <a href=/1>Möwen erobern die alte Mole</a></p>", "Möwen"),
    ("fr", "<div><b>À lire aussi</b><ul><li><a href=/1>Les mouettes de la jetée</a></ul></div>", "mouettes"),
    ("es", "<p><b>Lea también:</b> <a href=/1>Las gaviotas del viejo muelle</a></p>", "gaviotas"),
    ("ru", "<p>Читайте также: <a href=/1>Чайки у старого пирса</a></p>", "Чайки"),
    (
        "en",
        "<div><p>Get our best stories by mail.</p><form><input type=email><button>Sign up</button></form></div>",
        "best",
    ),
    (
        "en",
        "<div><h3>Morning Brief</h3><p>All you need.</p><div><input type=email><button>Go</button></div></div>",
        "Brief",
    ),
    (
        "en",
        "<div><b>Gulls daily</b><p>One gull a day.</p><input placeholder='Your e-mail'><button>Go</button></div>",
        "Gull",
    ),
    ("en", "<div><a href=/1><span>Läs mer</span><span>Måsarna på den gamla piren</span></a></div>", "Måsarna"),
    ("en", "<p>1,204 shares</p>", "1,204"),
    ("en", "<p>214 people shared this</p>", "214"),
    ("en", "<p>1,2 duizend keer gedeeld</p>", "duizend"),
    ("en", "<div><h3>Gulls</h3><p>Our friends keep us afloat.</p><a href=/d>Donate now</a></div>", "Gulls"),
    ("de", "<div><p>Die Möwen bringen jeden Morgen Post.</p><a href=/n>Newsletter abonnieren</a></div>", "Möwen"),
    ("fr", "<h3>Je fais un don</h3><p>Les mouettes vous remercient, une par une.</p><h3>La suite</h3>", "mouettes"),
    ("ru", "<div><p>Чайки пишут письма каждое утро.</p><a href=/n>Подписаться на рассылку</a></div>", "Чайки"),
    ("es", "<figure><img src=a.jpg></figure><p>Foto: Gaviota del Puerto</p>", "Gaviota"),
    ("de", "<p>Artikel teilen</p>", "teilen"),
    ("en", "<div>上一篇：<a href=/1>海鸥</a> 下一篇：<a href=/2>鱻</a></div>", "海鸥"),
    ("en", "<p>Previous article: <a href=/1>Gulls take the pier</a></p>", "Gulls"),
    ("en", "<div>シェアする ツイートする</div>", "シェア"),
    ("ru", "<p>Нашли ошибку? Выделите текст и нажмите Ctrl+Enter</p>", "Ctrl"),
    ("ru", "<p>Подписывайтесь на наш <a href=/t>канал</a>, чтобы не пропустить новости.</p>", "канал"),
    ("en", "<div>Advertisement</div>", "Advert"),
    ("en", "<div><span>LEGGI ANCHE</span> <a href=/1>I gabbiani del molo vecchio</a></div>", "gabbiani"),
    ("en", "<div><a href=/1><span>İLGİLİ HABER</span> <b>Martılar iskeleyi ele geçirdi</b></a></div>", "Martılar"),
    ("en", "<p><a href=/1>[관련기사] 갈매기가 차지한 낡은 부두</a></p>", "갈매기"),
    ("en", "<p>Ακολουθήστε μας στο Google News για όλες τις ειδήσεις.</p>", "Google"),
    ("en", "<p>Haberlere ulaşmak için Telegram kanalımıza katılın</p>", "Telegram"),
    ("en", "<p>© RIPRODUZIONE RISERVATA</p>", "RISERVATA"),
    ("en", "<p>ⓒ 부두일보, 무단 전재 및 재배포 금지</p>", "무단"),
    ("en", "<p>Barracas no cais — Foto: Gaivota do Porto</p>", "Gaivota"),
    ("en", "<p>岸壁の子猫＝４月２８日、海野カモメ撮影</p>", "カモメ"),
    ("en", "<p>Story continues below advertisement</p>", "continues"),
    ("de", "<div>- Anzeige -</div>", "Anzeige"),
    ("de", "<div>Artikel anhören • 3 Minuten</div>", "anhören"),
    ("en", "<div>Add to basket</div>", "basket"),
    ("en", "<p>Image used under license from Gullstock</p>", "Gullstock"),
    ("en", "<div>Visite: 1893</div>", "1893"),
    ("en", "<div><a href=/tags/gulls>#gulls</a></div>", "#gulls"),
    ("en", "<p>यह भी पढ़ें: <a href=/1>घाट पर बैठी चिड़िया</a></p>", "चिड़िया"),
    ("en", "<p>この記事は有料会員限定です。</p>", "会員"),
    ("en", "<p>อ่านเพิ่มเติม: <a href=/1>นกนางนวลที่ท่าเรือ</a></p>", "นกนางนวล"),
    ("en", "<p>Follow us on Facebook, Instagram and YouTube</p>", "Instagram"),
    ("en", "<p>10/28/2026 06:00 PM 10/28/2026 08:00 PM America/New_York Ferry day at the pier</p>", "New_York"),
    ("en", '[vc_row css=".x{top:0}"][vc_column width="1/2"]', "vc_"),
    ("en", '<p>[vc_row][vc_column_text el_class="a"]Ropes were cast.[/vc_column_text][/vc_row]</p>', "vc_"),
]


# Parts below it: the label is plain text that says little, the entries are headings or sentences.
LABELS = [
    ("en", "Related stories", "3 comments"),
    ("de", "Mehr zum Thema", "3 Kommentare"),
    ("fr", "La sélection de la rédaction", "2 commentaires"),
    ("es", "Recomendado por la redacción", "4 comentarios"),
    ("ru", "Выбор редакции", "5 комментариев"),
]
CARDS = "".join(
    f"<div><a href=/{n}>{n} Gulls</a><p>They took the pier, and nobody saw them leave.</p></div>" for n in "12"
)


@pytest.mark.parametrize(("language", "teasers", "comments"), LABELS)
@pytest.mark.parametrize("tag", ["h2", "div"])
def test_labelled_parts_below_a_text_are_dropped(language, teasers, comments, tag):
    below = f"<section><{tag}>{teasers}</{tag}>{CARDS}</section>"
    below += f"<section><{tag}>{comments}</{tag}><p>Gulls do that, in my experience of them.</p></section>"
    text = text_of(page("", below, language))
    assert "Gulls" not in text
    assert all(f"({i}.)" in text for i in range(1, 13))


@pytest.mark.parametrize(
    "line",
    [
        "<p>Follow the instructions on Facebook to close an account that you have.</p>",
        "<p>Four in ten photos of the pier show a gull.</p>",
        "<p>See the <a href=/t>timetable</a>: it hangs beside the door of the office.</p>",
    ],
)
def test_sentences_about_sites_and_pictures_stay(line):
    assert line[-14:-5] in text_of(page(line))


@pytest.mark.parametrize("row", ["<li><span class=label>{}</span> {}</li>", "<div class=field-label>{}</div><p>{}</p>"])
def test_facts_right_below_the_headline_are_kept(row):
    facts = "".join(row.format(*pair) for pair in (("Length", "11 km"), ("Time", "3 hours"), ("Boots", "needed")))
    text = text_of(page().replace("</h1>", f"</h1><div class=facts>{facts}</div>"))
    assert "11 km" in text
    assert "3 hours" in text


def test_related_alone_is_a_label():
    below = "<div><div>Related</div><div><a href=/1>Gulls take over the old pier</a></div></div>"
    story = f"<p>{STORY['en']}</p>" * 9
    cut = cutting.cut(parse_html(f"<h1>A night</h1>{story}{below}"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=["A night"])
    assert keep == [True] * 10 + [False] * 2


def test_a_label_below_each_entry_of_a_list_drops_no_entry():
    entries = "".join(f"<h2>Pier number {n}</h2><p>{STORY['en']}</p><p>Read more</p>" for n in range(6))
    assert all(f"Pier number {n}" in text_of(page(entries)) for n in range(6))


def test_a_button_beside_the_headline_leaves_the_headline():
    source = page().replace("<h1>", "<div><div><a href=/s>Subscribe</a></div><h1>").replace("</h1>", "</h1></div>")
    assert "A slow crossing" in text_of(source)


def test_three_boxes_with_headings_are_not_one_box():
    boxes = "".join(f"<div><h3>Way {n}</h3><p>Row the boat to the other side.</p></div>" for n in range(3))
    text = text_of(page(f"<div>{boxes}<a href=/s>Subscribe</a></div>"))
    assert all(f"Way {n}" in text for n in range(3))


@pytest.mark.parametrize(("language", "inside", "word"), INSIDE)
def test_lines_that_interrupt_a_text_are_dropped(language, inside, word):
    text = text_of(page(inside, language=language))
    assert word not in text
    assert all(f"({i}.)" in text for i in range(1, 13))


BOX = "<p>Ida Lind has written of ships and harbours for thirty years and lives in a lighthouse.</p>"
POST = "<p>I was on that ferry, and the dog was mine. What a morning it was, I would do it again.</p>"
FEED = "".join(
    f"<div class=item><img src={n}.jpg><h3><a href=/{n}>Gulls take the pier for the {n}th time</a></h3>"
    f"<p><a href=/n>News</a> <a href=/t>gulls</a></p><p>{n} hours ago</p></div>"
    for n in range(4, 60)
)
TABS = "".join(f"<li>{name}</li>" for name in "News Sport Money Style Games Motor War Food".split())
POSTS = "".join(f"<div class=sf_comment><p>Gull{n} {n} minutes ago</p><p>{STORY['en']}</p></div>" for n in range(30))
BELOW = [
    ("<div><b>Kļūda rakstā?</b><div>Iezīmējiet to un spiediet Ctrl+Enter, lai nosūtītu to mums.</div></div>", "Ctrl"),
    (f"<div><div><em>为您推荐</em></div><ul>{TABS}</ul><div>{FEED}</div></div>", "Gulls"),
    (f"<div><div>You may also like</div><ul>{TABS}</ul><div>{FEED}</div></div>", "Gulls"),
    (f"<div><h3>Visitor comments</h3>{POSTS}</div>", "Gull1"),
    (f"<div><div>Have your say</div>{POSTS}</div>", "Gull1"),
    (f"<section><h2>About the author</h2>{BOX}</section>", "lighthouse"),
    (f"<div><h3>Über die Autorin</h3>{BOX}</div>".replace("Über die Autorin", "Zur Person"), "lighthouse"),
    (f"<section><h2>3 Comments</h2><ol><li><b>Ann</b>{POST}<li><b>Bo</b>{POST}</ol></section>", "morning"),
    (f"<div><h3>Leave a reply</h3>{POST}</div>", "morning"),
]


@pytest.mark.parametrize(("below", "word"), BELOW, ids=range(len(BELOW)))
def test_parts_that_follow_a_text_are_dropped(below, word):
    text = text_of(page(below=below))
    assert word not in text
    assert "(12.)" in text


OF_SITE = [
    ("<p>特别声明：以上内容为平台用户上传并发布，本平台仅提供信息存储服务。</p>", "声明"),
    ("<p>The views expressed in this article are those of the author and not of The Paper.</p>", "views"),
    ("<p>Las opiniones expresadas en esta columna no reflejan las de este diario.</p>", "opiniones"),
    ("<p>Мнение автора может не совпадать с мнением редакции.</p>", "Мнение"),
    ("<p>本文来源：海湾日报 责任编辑：林海_H2</p>", "责任"),
    ("<p>更多港口新闻，请扫描下方二维码关注</p>", "二维码"),
    ("<p>图片来源：海湾博物馆官网</p>", "图片"),
    ("<div>Facebook X Pinterest LinkedIn Reddit Copy link</div>", "Reddit"),
    ("<p>Please follow Ann Lee on <a href=https://twitter.com/a>Twitter</a>.</p>", "Twitter"),
]


@pytest.mark.parametrize(("line", "word"), OF_SITE)
def test_disclaimers_and_credits_are_dropped(line, word):
    cut = cutting.cut(parse_html(page(below=line)))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=("A slow crossing", ""))
    assert not any(word in block.text for block, is_kept in zip(cut.blocks, keep) if is_kept)


def test_comments_amid_a_manual_stay():
    note = f"<div class=deprecation-comment><p>{STORY['en']} (Deprecated.)</p></div>"
    long = page(note).replace("</h1>", f"</h1><p>{STORY['en'] * 10}")
    cut = cutting.cut(parse_html(long))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=("A slow crossing", ""))
    assert any("Deprecated" in block.text for block, is_kept in zip(cut.blocks, keep) if is_kept)


def test_comments_below_a_short_post_stay():
    cut = cutting.cut(parse_html(f"<h1>A dog on a ferry</h1><p>{STORY['en']}</p><div>{POSTS}</div>"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=("A dog on a ferry", ""))
    assert all(keep)


def test_a_few_labelled_comments_below_a_short_article_are_dropped():
    comments = "<section><h2>2 comments</h2><p>We saw the dog, too.</p><p>What a pity.</p></section>"
    cut = cutting.cut(parse_html(f"<h1>A dog on a ferry</h1><p>{STORY['en']}</p>{comments}"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=("A dog on a ferry", ""))
    assert keep == [True, True, False, False, False]


@pytest.mark.parametrize(
    "parts",
    [
        "<h2>Comments</h2><p>A dog barks.</p><h2>Gulls</h2><p>A gull of the harbour cries all morning.</p>",
        "<h2>About the author</h2><p>" + "Ann Lee writes on ferries. " * 6,  # too large to be dropped
    ],
)
def test_below_a_short_text_a_labelled_part_stays_if_more_follows(parts):
    cut = cutting.cut(parse_html(f"<h1>A dog on a ferry</h1><p>{STORY['en']}</p>{parts}"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=("A dog on a ferry", ""))
    assert all(keep)


def test_replies_stay_on_a_forum():
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


def test_brackets_that_an_author_wrote_stay():
    text = text_of(
        page("<p>Write <code>[vc_row]</code> or [sic] or re[in]vent.</p><pre>[my_code a='1'][/my_code]</pre>")
    )
    assert "[vc_row]" in text
    assert "[sic]" in text
    assert "[my_code a='1'][/my_code]" in text


def test_inline_code_keeps_its_shortcodes():
    extraction = extract(page("<p>Write <code>[my_code a='1'][/my_code]</code> there."), "https://x.example/a")
    assert "[my_code a='1'][/my_code]" in extraction.text
    assert "`[my_code a='1'][/my_code]`" in extraction.markdown


def brief(inside="", below=""):
    head = "<title>A slow crossing</title><nav><a href=/>Start</a> <a href=/n>News</a></nav>"
    story = f"<article class=event><h1>A slow crossing</h1>{inside}<p>{STORY['en']}</p></article>"
    return f"{head}<main>{story}{below}</main><footer>© 2024</footer>"


def test_teasers_below_a_text_of_one_sentence_are_dropped():
    assert "They took the pier" not in text_of(brief(below=f"<section><h2>Related stories</h2>{CARDS}</section>"))


def test_a_table_cell_is_not_a_button():
    rows = "".join(
        f"<tr><td><b>{name}</b><td>${n}9 a month<td>Payroll in 40 countries" for n, name in enumerate(NAMES, 1)
    )
    text = text_of(page(f"<table><tr><th>Software<th>Price<th>Best for{rows}</table>"))
    assert all(f"{name}\t" in text for name in NAMES)


NAMES = ("Rippling", "Deel", "Gusto", "Share")


@pytest.mark.parametrize(
    ("notice", "button"),
    [
        ("We use cookies to improve what you see on this site.", "Accept all"),
        ("Diese Website verwendet Cookies, um Inhalte anzupassen.", "Alle akzeptieren"),
        ("En poursuivant, vous acceptez le dépôt de cookies de mesure.", "Tout accepter"),
        ("当サイトはクッキーを使用しています。詳しくはこちら。", "同意する"),
    ],
)
@pytest.mark.parametrize("form", ["<div><p>{}</p><button>{}</button></div>", "<section><h2>Hi</h2><p>{}<p><a>{}</a>"])
def test_a_cookie_box_on_a_short_page_is_dropped(notice, button, form):
    contact = "<h1>Contact</h1><p>Lime Road 4, Harbour</p><p>Open from nine to five each day</p>"
    cut = cutting.cut(parse_html(f"<main>{contact}</main>{form.format(notice, button)}"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_consent_boxes", "drop_consent_boxes", cut, keep, titles=[])
    assert keep == [True] * 3 + [False] * (len(keep) - 3)
    cut = cutting.cut(parse_html(f"<article>{contact}<p>{notice}</p><p>{notice}</p></article><p>{button}"))
    keep = [True] * 6
    run_rows("drop_consent_boxes", "drop_consent_boxes", cut, keep, titles=[])
    assert keep[:5] == [True] * 5


def test_a_newsletter_form_on_a_page_without_sentences_is_dropped():
    dishes = "".join(f"<li>Dish number {n}, {n}.50</li>" for n in range(30))
    box = "<div><h3>Our letter</h3><ul><li>Dishes of the month</ul><form><input type=email></form></div>"
    cut = cutting.cut(parse_html(f"<h1>Menu</h1><ul>{dishes}</ul>{box}"))
    keep = [True] * len(cut.blocks)
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=[])
    assert keep == [True] * 31 + [False] * 2


def test_the_heading_of_the_last_paragraph_stays():
    story = "".join(f"<p>{STORY['en']} ({n}.)</p>" for n in range(6))
    source = (
        f"<title>Ports</title><article><h1>Ports</h1><h2>North</h2>{story}<h2>Fees</h2><p>Twelve crowns.</p></article>"
    )
    assert "Fees\n\nTwelve crowns." in text_of(source)


def test_a_heading_that_ends_the_text_is_dropped():
    assert "Organized by" not in text_of(brief(below="<h2>Organized by</h2><div><a href=/k>Kettle Trust</a></div>"))


@pytest.mark.parametrize(
    "line",
    [
        "This post may contain affiliate links. Please read our disclosure policy.",
        "Dieser Beitrag enthält Affiliate-Links. Kauft ihr darüber, erhalten wir eine Provision.",
        "Este artículo contiene enlaces de afiliado.",
    ],
)
def test_an_affiliate_disclosure_is_dropped(line):
    assert line not in text_of(page().replace("</h1>", f"</h1><p><em>{line}</em></p>"))


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("Correction: An earlier version of this story misstated the year of the bridge.", True),
        ("This article was amended on 20 March to say who owns the ferry.", True),
        ("In einer früheren Fassung hieß es, die Fähre gehöre der Stadt.", True),
        ("Rättelse: I en tidigare version angavs fel efternamn på kaptenen.", True),
        ("Fe de errores: el transbordador salió a las siete y no a las seis.", True),
        ("訂正： 船は七時に港を出ました。記事の初版では六時としていました。", True),
        ("Updated: 12 May 2024 at five o'clock in the afternoon, local time", False),
        ("Correction fluid is sold at the kiosk of the old harbour every day", False),
    ],
)
def test_a_correction_notice_is_kept(line, stays):
    story = f"<p>{STORY['en']}" * 6
    cut = cutting.cut(parse_html(f"<h1>A slow crossing</h1>{story}<div class=small>{line}</div><p>x"))
    keep = [True] * (len(cut.blocks) - 2) + [False] * 2
    run_rows("drop_reader_comments", "keep_corrections", cut, keep, titles=["A slow crossing"])
    assert keep[-2:] == [stays, False]


@pytest.mark.parametrize(
    ("attrs", "takes"),
    [
        ({"type": "EMAIL"}, True),
        ({"name": "email"}, True),
        ({"type": "", "name": "email"}, True),
        ({"type": "text", "placeholder": "Deine E-Mail"}, True),
        ({"type": "hidden", "name": "mailing"}, False),
        ({"type": "text", "name": "q"}, False),
    ],
)
def test_an_address_field_is_known_by_type_name_or_placeholder(attrs, takes):
    assert blocks.takes_address(attrs) is takes


COUNTERS = ["12{} views", "{} likes", "1.{}k shares"]


@pytest.mark.parametrize("counter", COUNTERS)
def test_counters_of_the_entries_of_a_list_stay(counter):
    counters = [counter.format(n) for n in range(2, 8)]
    topic = "<div class=t><a href=/{0}>How do I mend winch {0} of nine?</a><div class=v>{1}</div></div>"
    rows = "".join(topic.format(n, text) for n, text in enumerate(counters))
    source = f"<title>Boats - Forum</title><main><h1>Boats</h1><div>{rows}</div></main>"
    text = extract(source, "https://x.example/forum/boats").text
    assert [line for line in text.split("\n") if line in counters] == counters


def test_one_counter_of_a_page_is_dropped():
    assert "127 views" not in extract(page(inside="<p class=v>127 views</p>")).text
