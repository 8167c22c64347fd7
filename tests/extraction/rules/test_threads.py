"""Names and days of posts are kept, and furniture beside them is dropped."""

import pytest
from choices import run_rows

from webtool.extraction.page import cutting
from webtool.html import parse_html

FORUM = "https://x.example/forum/lamps"
MEMBERS = ("Nia", "tern_42", "Ode", "Nia")
TEXT = "The lamp went out at the third bell and nobody has found the key since, say number"
WHO = "<a href='/members/nia.{i}/'>{name}</a>"
POSTS = {
    "elements": "<div><h4 class=username>{name}</h4><i><time>{day}</time></i><p>{text}</p><a>Reply</a></div>",
    "one line": f"<div class=post><p class=author>by {WHO} » {{day}}</p><div>{{text}}</div></div>",
    "profile": f"<li><dl class=postprofile><dt>{WHO}<dd>Posts: 12<dd>May 2, 2009</dl><div>{{day}}</div><p>{{text}}",
    "no classes": f"<div><div>{WHO}</div><div>{{day}}</div><div>{{text}}</div><div>Quote</div></div>",
    "table": f"<table class=post><tr><td>{{day}}<td>#{{i}}<tr><td>{WHO}</a><td>{{text}}</table>",
}


def left(form, after="", chosen=lambda block: block.words > 10):
    """Return the kept lines of a thread whose posts alone were chosen."""
    posts = "".join(
        form.format(i=i, name=name, day=f"March {i + 3}, 2021", text=f"{TEXT} {i}") for i, name in enumerate(MEMBERS)
    )
    page = cutting.cut(parse_html(f"<h1>The lamp</h1><div>{posts}</div>{after}"))
    keep = [chosen(block) for block in page.blocks]
    run_rows("keep_posters_and_days", "keep_posters_and_days", page, keep, address=FORUM)
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


@pytest.mark.parametrize("form", POSTS)
@pytest.mark.parametrize("chosen", [lambda block: block.words > 10, lambda block: True])
def test_posts_have_name_and_day_and_no_profile(form, chosen):
    text = "\n".join(left(POSTS[form], chosen=chosen))
    for i, name in enumerate(MEMBERS):
        assert all(part in text for part in (f"{name}", f"March {i + 3}, 2021", f"{TEXT} {i}"))
    assert not any(part in text for part in ("Posts: 12", "2009", "Reply", "Quote"))


def test_a_line_of_several_words_is_not_its_own_post():
    lines = "".join(f"<div><a>Reply to this post</a></div><p>{i}</p>" for i in range(4))
    texts = left(POSTS["elements"], after=f"<section>{lines}</section>", chosen=lambda block: block.words > 3)
    assert texts.count("Reply to this post") == 4


def test_names_below_posts_are_not_heads():
    assert left(f"<div class=answer><p>{{text}}</p><div class=user>{WHO}</div></div>") == [
        f"{TEXT} {i}" for i in range(len(MEMBERS))
    ]


def test_days_below_posts_are_not_kept_if_some_of_them_are():
    form = "<div class=answer><p>{text}</p><div class=day>Posted on {day}</div></div>"
    texts = left(form, chosen=lambda block: block.words > 3 and "March 6" not in block.text)
    assert [text for text in texts if "Posted" in text] == [f"Posted on March {i}, 2021" for i in (3, 4, 5)]


REPLIES = {  # a post with a long text and a short one, in languages and layouts of forums
    "bulletin board": "<div class=postbody><div class=content>{}</div></div>",
    "threaded": "<li class=comment><div class=body><p>{}</p></div></li>",
    "table": "<tr class=post><td class=text>{}</td></tr>",
}
LONG_POSTS = [
    "Den Docht habe ich im Frühjahr gewechselt, aber die Lampe rußt weiter, obwohl das Öl frisch ist, Nummer",
    "Я сменил фитиль весной, но лампа всё равно коптит, хотя масло свежее и стекло я вымыл, номер",
    f"{TEXT} and everybody who was on the pier that night",
]
SHORT_POSTS = ["Bei mir auch.", "У меня тоже.", "Same here, sadly."]


@pytest.mark.parametrize("form", REPLIES)
@pytest.mark.parametrize(("long", "short"), [*zip(LONG_POSTS, SHORT_POSTS)])
def test_short_replies_are_kept_with_the_long_ones(form, long, short):
    def texts(chosen_posts):
        posts = "".join(REPLIES[form].format(f"{long} {i}") for i in range(8)) + REPLIES[form].format(short)
        page = cutting.cut(parse_html(f"<h1>Lamp</h1><table>{posts}</table><p class=tip>{short} Read the tips.</p>"))
        keep = [any(f"{long} {i}" == block.text for i in chosen_posts) for block in page.blocks]
        run_rows("keep_all_posts", "keep_all_posts", page, keep, address=FORUM)
        return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]

    assert texts(range(5)) == [*(f"{long} {i}" for i in range(8)), short]
    assert len(texts(range(3))) == 3


def test_rows_of_links_are_not_posts():
    post = f"<div class=post><p>{TEXT} and so on</p></div>" * 4 + "<div class=post><p><a href=/a>Reply to all</a></div>"
    page = cutting.cut(parse_html(post))
    keep = ["Reply" not in block.text for block in page.blocks]
    run_rows("keep_all_posts", "keep_all_posts", page, keep, address=FORUM)
    assert keep == [True] * 4 + [False]
