"""The headline of a text is above it, once, wherever its page has it."""

import re

import pytest
from choices import run_rows

from webtool.extraction import extract
from webtool.extraction.page import cutting, head
from webtool.extraction.rules import headings, headlines
from webtool.extraction.rules.choice import Choice
from webtool.html import parse_html

TEXTS = {
    "en": "The ferry left the harbour at six, an hour after the fog had lifted, with forty people and a dog on board.",
    "zh": "渡轮在清晨六点离开港口，那时雾已经散去一个小时，船上有四十个人和一条狗，大家都很高兴。",
    "ru": "Паром вышел из гавани в шесть утра, через час после того, как рассеялся туман над водой и берегом.",
}
TITLES = [("en", "Tides"), ("en", "A slow crossing"), ("zh", "潮汐"), ("ru", "Медленная переправа")]
NAV = "<nav><a href=/>Start</a> <a href=/n>News</a></nav>"
# % is the headline, & the paragraphs.
SHAPES = {
    "above the article": f"<header>{NAV}</header><header class=page-header><h1>%</h1></header><article>&</article>",
    "beside a path": f"{NAV}<div><h1>%</h1><ul><li><a href=/>Home</a><li>%</ul></div><div>&</div>",
    "no heading": f"{NAV}<div class=post><div class=headline>%</div><div class=body>&</div></div>",
    "no names": f"{NAV}<div class=x1a><div class=c9><span class=c7>%</span></div><div class=p1>&</div></div>",
    "above a picture": f"{NAV}<h1>%</h1><figure><img src=/h.jpg width=900 height=600>"
    "<figcaption>Photo: Ann Lee</figcaption></figure><div class=share><a href=/s>Share</a></div><article>&</article>",
    "on a picture": f"{NAV}<section class='hero banner'><h1>%</h1><p>12 May 2024</section><section>&</section>",
    "below a kicker": f"{NAV}<div><p class=kicker><a href=/h>Harbour</a><h1>%</h1><p>By Ann Lee</div><main>&</main>",
    "below the site's name": f"<h1><a href=/>The Paper</a></h1>{NAV}<div class=entry><h2>%</h2>&</div>",
    "a link": f"{NAV}<div class=post><h1><a href=/x>%</a></h1><div>&</div></div>",
    "in a span": f"{NAV}<article><h1><span>%</span></h1><div class=lead></div>&</article>",
    "a table": f"<table><tr><td>{NAV}</td><td><font size=5><b>%</b></font><br><br>&</td></tr></table>",
}


@pytest.mark.parametrize(
    ("above", "shown"),
    [
        ("Life at sea", True),
        ("<a href=/s>Life at sea</a>", False),
        ("2 May", False),
        ("a line of words that are many", False),
    ],
)
def test_a_few_words_that_begin_the_element_of_the_headline_are_its_kicker(above, shown):
    root = parse_html(f"<title>Tides</title><main><article><span>{above}</span><h1>Tides</h1><p>{TEXTS['en']}</p>")
    page = cutting.cut(root)
    keep = [False, False, True]
    run_rows("keep_headline", "keep_standfirst", page, keep, head.read(root))
    assert keep == [shown, True, True]
    assert page.headline == ((0, 1) if shown else (1,))


@pytest.mark.parametrize(
    "names",
    [
        ("c-overline", "b-subheadline"),
        ("Head__Topline-3z", "v-a-sub-t"),
        ("occhiello-art", "sommario"),
        ("kicker", "lead"),
        ("kicker", "documentDescription"),
    ],
)
def test_kicker_and_standfirst_are_found_by_class(names):
    over, under = names
    text = "".join(f"<p>{TEXTS['en']} ({i})</p>" for i in range(1, 11))
    extraction = extract(
        f"<title>Tides | The Paper</title>{NAV}<main><div class={over}>The bay</div><h1>Tides</h1>"
        f"<h2 class={under}>Water comes, and it goes.</h2><p class=date>12 May 2024</p><div>{text}</div></main>"
    )
    assert re.match(r"The bay\s+# Tides\s+## Water comes, and it goes\.", extraction.markdown)
    assert extraction.text.startswith("Water comes, and it goes.\n\n")


@pytest.mark.parametrize(("name", "shown"), [("post-excerpt", True), ("with-excerpt", False)])
def test_a_class_that_says_with_excerpt_is_not_a_standfirst(name, shown):
    root = parse_html(f"<title>Tides</title><h1>Tides</h1><div class={name}>Ann knows it.</div><p>{TEXTS['en']}</p>")
    page = cutting.cut(root)
    keep = [False, False, True]
    run_rows("keep_headline", "keep_standfirst", page, keep, head.read(root))
    assert keep == [True, shown, True]


def test_a_second_line_of_its_own_rank_comes_with_the_headline():
    text = "".join(f"<p>{TEXTS['en']} ({i})</p>" for i in range(1, 11))
    extraction = extract(
        f"<title>Tides | The Paper</title>{NAV}<main><h1>Tides</h1><h2>Water comes and goes twice a day</h2>"
        f"<p class=by>Ann Lee</p><p class=date>12 May 2024</p><div>{text}</div></main>"
    )
    assert extraction.markdown.startswith("# Tides\n\n## Water comes and goes twice a day\n")


LEAD = "Water comes and goes twice a day here, and nobody on the island asks the clock."


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        (f"<p>{LEAD}", True),
        (f"<div class=c4><div class=c9>{LEAD}</div></div>", True),
        (f"<p>{LEAD[:-1]}", False),
        (f"<p>{LEAD} <a href=/a>All that Ann Lee has written of it</a>", False),
        (f"<p>{LEAD} Posted by gull at 11:40.", False),
        (f"<figure><img src=a.jpg><figcaption>{LEAD}</figcaption></figure>", False),
        (f"<p>{LEAD} Support our journalism.", False),
        (f"<p>{LEAD * 6}", False),
        (f"<p>12 May 2024<p>{LEAD}", False),
    ],
)
def test_a_sentence_right_below_the_headline_is_its_standfirst(below, shown):
    root = parse_html(f"<title>Tides</title><div><h1>Tides</h1>{below}</div><p>{TEXTS['en']}</p>")
    page = cutting.cut(root)
    keep = [block.text == TEXTS["en"] for block in page.blocks]
    run_rows("keep_headline", "keep_standfirst", page, keep, head.read(root))
    assert keep == [True, *[shown] * (len(keep) - 2), True]


DESCRIPTION = "Water comes and goes twice a day here, and nobody on the island asks the clock for it."
CHINESE_DESCRIPTION = "海湾每天有两次潮汐，岛上的人从来不看时钟，他们只看水面，渔民们说这样就足够了，不需要别的东西。"


@pytest.mark.parametrize(
    ("description", "below", "is_kept"),
    [
        (DESCRIPTION, f"<p>{DESCRIPTION}", True),
        (DESCRIPTION, f"<p>{DESCRIPTION} Ann Lee was there.", True),
        (f"{DESCRIPTION} Ann Lee was there.", f"<p>{DESCRIPTION}", True),
        (CHINESE_DESCRIPTION, f"<p>{CHINESE_DESCRIPTION}", True),
        (DESCRIPTION, "<p>Ann Lee spent a year on the island of which nobody has heard.", False),
        (DESCRIPTION, f"<ul><li>{DESCRIPTION}</ul>", False),
        (DESCRIPTION, f"<p><a href=/a>{DESCRIPTION}</a>", False),
        ("Water comes", "<p>Water comes", False),
    ],
)
def test_a_line_below_the_headline_that_the_description_repeats_is_kept(description, below, is_kept):
    below = f"<p>By Ann Lee</p>{below}"
    root = parse_html(f"<title>Tides</title><meta name=description content='{description}'><h1>Tides</h1>{below}")
    page = cutting.cut(root)
    keep = [False] * len(page.blocks)
    headlines.keep_described_lead(Choice(page, head.read(root), "", keep))
    assert keep == [False, False, is_kept]


def test_the_search_for_a_described_lead_ends_at_the_text():
    below = f"<p>{TEXTS['en']}<p>{DESCRIPTION}"
    root = parse_html(f"<title>Tides</title><meta name=description content='{DESCRIPTION}'><h1>Tides</h1>{below}")
    page = cutting.cut(root)
    keep = [False, True, False]
    headlines.keep_described_lead(Choice(page, head.read(root), "", keep))
    assert keep == [False, True, False]


@pytest.mark.parametrize(("role", "shown"), [("main", True), ("presentation", False)])
def test_the_only_heading_around_the_text_is_the_headline_whatever_the_title_says(role, shown):
    source = f"<title>The Paper</title>{NAV}<div role={role}><h1>Tides</h1><div><p>{TEXTS['en']}</div></div>"
    page = cutting.cut(parse_html(source))
    keep = [block.text == TEXTS["en"] for block in page.blocks]
    run_rows("keep_headline", "keep_standfirst", page, keep, head.read(parse_html(source)))
    assert [block.text for block, is_kept in zip(page.blocks, keep) if is_kept] == [*["Tides"][:shown], TEXTS["en"]]


def page(shape, title, language="en", meta=""):
    text = "".join(f"<p>{TEXTS[language]} ({i})</p>" for i in range(1, 11))
    body = SHAPES[shape].replace("%", title).replace("&", text)
    return (
        f"<html lang={language}><title>{title} | The Paper</title>{meta}<body>{body}<footer>© 2024 The Paper</footer>"
    )


def lines_of(markdown):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return [line.strip("#* ") for line in plain.split("\n") if line]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("language", "title"), TITLES)
def test_the_headline_is_above_the_text_once(shape, language, title):
    extraction = extract(page(shape, title, language), "https://paper.example/news/x-1")
    lines = lines_of(extraction.markdown)
    assert lines.count(title) == 1
    assert lines.index(title) < lines.index(f"{TEXTS[language]} (1)")
    assert f"{TEXTS[language]} (10)" in lines
    assert f"{TEXTS[language]} (10)" in extraction.text


def test_an_added_headline_is_in_the_plain_text_of_products_only():
    article = extract(page("on a picture", "Tides"), "https://paper.example/news/x-1")
    product = extract(page("on a picture", "Tides", meta="<meta property=og:type content=product>"))
    assert TEXTS["en"] in article.text
    assert "Tides" not in article.text
    assert product.text.startswith("Tides\n\n")


def test_a_breadcrumb_that_ends_with_the_headline_has_no_marker():
    path = "<ol class=breadcrumb><li><a href=/a>News</a><li><a href><h1>Tides</h1></a></ol>"
    extraction = extract(
        page("on a picture", "Tides").replace("<h1>Tides</h1>", path), "https://paper.example/news/x-1"
    )
    assert extraction.markdown.splitlines()[0].startswith("# ")


def test_a_column_that_is_a_list_item_has_no_marker():
    text = "".join(f"<p>{TEXTS['en']} ({i})</p>" for i in range(1, 11))
    side = "<li class=side><h3>Most read</h3><a href=/1>Gulls</a> <a href=/2>Eels</a> <a href=/3>Mud</a></li>"
    extraction = extract(f"<title>Tides</title>{NAV}<ul><li class=main><h3>Tides</h3>{text}</li>{side}</ul>")
    assert extraction.markdown.startswith("### Tides\n\nThe ferry")


def test_a_table_of_facts_that_begins_with_the_name_is_below_the_headline():
    facts = "<table><tr><th>Tides</th></tr><tr><td>Depth of the bay: 9 m</td></tr></table>"
    root = parse_html(f"<title>Tides - The Book of Bays</title><h1>Tides</h1>{facts}<p>{TEXTS['en']}")
    keep = [False, True, True, True]
    run_rows("keep_headline", "keep_standfirst", cutting.cut(root), keep, head.read(root))
    assert keep[0]


@pytest.mark.parametrize("joint", ["_", "-", "\u2014", " - "])
@pytest.mark.parametrize("tag", ["div", "h4"])
def test_a_title_joined_to_the_site_name_names_the_headline(joint, tag):
    text = "".join(f"<p>{TEXTS['zh']} ({i})</p>" for i in range(1, 11))
    extraction = extract(
        f"<html lang=zh><title>渡轮清晨离开港口{joint}海湾新闻中心网站</title>{NAV}"
        f"<div class=top><{tag}>渡轮清晨离开港口</{tag}><div>2024-05-12</div></div><div class=c>{text}</div>"
    )
    assert extraction.title == "渡轮清晨离开港口"
    assert extraction.markdown.startswith(("渡轮清晨离开港口\n", "#### 渡轮清晨离开港口\n"))


def test_a_site_name_in_a_title_is_not_a_headline():
    text = "".join(f"<p>{TEXTS['en']} ({i})</p>" for i in range(1, 11))
    title = "<title>[On water] A slow crossing - The Paper</title>"
    meta = "<meta property=og:title content='[On water] A slow crossing'>"
    extraction = extract(f"{title}{meta}<h2 class=x>The Paper</h2>{NAV}<div><h3>A slow crossing</h3>{text}</div>")
    assert extraction.markdown.startswith("### A slow crossing\n")


HEADS = [
    ("<h1>Tides</h1><div>&</div>", "Tides"),
    ("<h1><a href=/>The Paper</a></h1><main><h1>Moons and mud</h1>&</main>", "Moons and mud"),  # the only one there
    ("<main><h1>Mud</h1><h1>Moons</h1>&</main>", ""),
    ("<ul><li>Start<li>Tides</ul>&", ""),  # a step of a path
    ("<p><a href=/t>Tides</a></p>&", ""),
    ("<ul><li>Shop<div><div><h5>Tides</h5></div><ul><li>Clocks</ul></div></ul>&", ""),  # a menu's
    ("<p>Tides</p>&<p>Tides</p>", "Tides"),
    ("&<h1>Tides</h1>", ""),
]


@pytest.mark.parametrize(("source", "kept"), HEADS)
def test_the_nearest_line_that_a_title_names_is_the_headline(source, kept):
    cut = cutting.cut(parse_html(source.replace("&", f"<p>{TEXTS['en']}</p>")))
    keep = [block.text == TEXTS["en"] for block in cut.blocks]
    about = head.read(parse_html("<title>Tides | The Paper</title><meta property=og:type content=product>"))
    run_rows("keep_headline", "keep_standfirst", cut, keep, about)
    assert [block.text for block, is_kept in zip(cut.blocks, keep) if is_kept] == ([kept] if kept else []) + [
        TEXTS["en"]
    ]


# (title element, og:title, lines that are a part of a title, lines that are not)
TITLE_PARTS = [
    ("Tides | The Paper", "Tides", ["Tides", "tides | the paper"], ["The Paper"]),
    ("The Start | Art", "The Start", ["The start"], ["Art"]),  # "art" is a piece of a word of og:title
    ("Tides: ebb and flow | The Paper", "Tides: ebb and flow", ["Tides", "Ebb and flow"], ["The Paper"]),
    ("Slow_Tides", "", ["Slow tides"], ["Slow"]),
    ("Tides | The Paper", "", ["Tides", "The Paper"], []),
]


@pytest.mark.parametrize(("title", "og_title", "named", "unnamed"), TITLE_PARTS)
def test_parts_of_a_title_leave_out_the_sites_name(title, og_title, named, unnamed):
    parts, _words = headings.title_parts((title, og_title))
    assert {headings.letters(line) for line in named} <= parts
    assert parts.isdisjoint(headings.letters(line) for line in unnamed)


def test_vowel_signs_belong_to_words():
    # Hindi, Tamil, Thai, Arabic with vowels: none of these words are two
    assert headings.words_of("\u0939\u093f\u0928\u094d\u0926\u0940 \u0ba4\u0bae\u0bbf\u0bb4\u0bcd") == [
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd",
    ]
    assert headings.words_of("\u0e17\u0e35\u0e48 \u0643\u064e\u062a\u064e\u0628\u064e") == [
        "\u0e17\u0e35\u0e48",
        "\u0643\u064e\u062a\u064e\u0628\u064e",
    ]


@pytest.mark.parametrize("heading", ["Read also", "Read<br><br>also"])
@pytest.mark.parametrize("around", ["%", "<div>%</div>"])
def test_the_part_below_a_heading_ends_with_the_next_heading_of_its_rank(heading, around):
    heading = around.replace("%", f"<h3>{heading}</h3>")
    page = cutting.cut(parse_html(f"<body><p>Tea</p>{heading}<h4>One</h4><p>Two</p><h3>Three</h3>"))
    texts = [block.text for block in page.blocks]
    assert headings.end_of_part(page, 1, lambda end: end < texts.index("Three")) == texts.index("Three")
