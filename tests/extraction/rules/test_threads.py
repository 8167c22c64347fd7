"""Names and days of posts stay, whatever stands beside them."""

import pytest
from choices import run_rows

from webtool.extraction.page import blocks
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


def test_times_of_day_in_a_live_report_are_kept():
    entries = "".join(f"<article><header>{h}:05</header><p>{TEXT} {h}</p></article>" for h in (16, 15, 14))
    page = blocks.cut(parse_html(f"<h1>The lamp</h1><p>18:30</p>{entries}<footer>12:00</footer>"))
    keep = [block.words > 10 for block in page.blocks]
    run_rows("keep_times", "keep_times", page, keep)
    assert [block.text for block, is_kept in zip(page.blocks, keep) if is_kept and block.words < 4] == [
        "16:05",
        "15:05",
        "14:05",
    ]


def left(form, after="", chosen=lambda block: block.words > 10):
    """The lines that are left of a thread of which only what was said was chosen."""
    posts = "".join(
        form.format(i=i, name=name, day=f"March {i + 3}, 2021", text=f"{TEXT} {i}") for i, name in enumerate(MEMBERS)
    )
    page = blocks.cut(parse_html(f"<h1>The lamp</h1><div>{posts}</div>{after}"))
    keep = [chosen(block) for block in page.blocks]
    run_rows("keep_posters_and_days", "drop_after_posts", page, keep, address=FORUM)
    return [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]


def test_a_post_without_a_head_is_known_by_its_class():
    posts = "".join(f"<div class=post><div>{d}</div><p>{TEXT} {d}</p></div>" for d in ("May 2, 2021", "May 4, 2021"))
    page = blocks.cut(
        parse_html(f"<h1>The lamp</h1>{posts}<div class=post><p>It is found</p></div><div><p>A box</p></div>")
    )
    keep = [True] * len(page.blocks)
    run_rows("keep_posters_and_days", "drop_after_posts", page, keep, address=FORUM)
    assert [block.text for block, is_kept in zip(page.blocks, keep) if is_kept][-1] == "It is found"


@pytest.mark.parametrize("form", POSTS)
@pytest.mark.parametrize("chosen", [lambda block: block.words > 10, lambda block: True])
def test_posts_have_name_and_day_and_no_profile(form, chosen):
    text = "\n".join(left(POSTS[form], chosen=chosen))
    for i, name in enumerate(MEMBERS):
        assert all(part in text for part in (f"{name}", f"March {i + 3}, 2021", f"{TEXT} {i}"))
    assert not any(part in text for part in ("Posts: 12", "2009", "Reply", "Quote"))


def test_names_below_posts_are_not_heads():
    assert left(f"<div class=answer><p>{{text}}</p><div class=user>{WHO}</div></div>") == [
        f"{TEXT} {i}" for i in range(len(MEMBERS))
    ]


def test_blocks_after_the_last_post_are_dropped():
    after = "<div class=box><p>Members who read this thread now, one of them and two guests in all</div>"
    assert left(POSTS["elements"], after)[-1].startswith(TEXT)
    others = "".join(f"<p>{TEXT} {i}" for i in range(10, 20))
    assert left(POSTS["elements"], others)[-1].endswith("19")


def test_a_short_post_is_kept_beside_longer_ones():
    posts = [TEXT, TEXT, "That was the cat, thank you!", TEXT]
    posts = "".join(
        f"<div class=post><b>{i}</b><div class=content>{text} {i}</div></div>" for i, text in enumerate(posts)
    )
    quoted = "<blockquote><p class=content>A line of what was said</p></blockquote>"
    page = blocks.cut(parse_html(f"<h1>The lamp</h1><div>{posts}</div>{quoted}"))
    keep = [block.words > 10 for block in page.blocks]
    run_rows("keep_posters_and_days", "drop_after_posts", page, keep, address=FORUM)
    kept = [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]
    assert "That was the cat, thank you! 2" in kept
    assert "A line of what was said" not in kept


@pytest.mark.parametrize(("who", "is_kept"), [("mudlark:", True), ("The lamp of the harbour is out again", False)])
def test_a_quote_is_kept_with_the_name_of_its_author(who, is_kept):
    quote = f"<aside><div>{who}</div><blockquote><p>It went out early</p></blockquote></aside>"
    page = blocks.cut(parse_html(f"<h1>The lamp</h1><div>{quote}<p>{TEXT}</p></div>"))
    keep = ["It went" not in block.text for block in page.blocks]
    run_rows("keep_posters_and_days", "drop_after_posts", page, keep, address=FORUM)
    assert keep == [True, True, is_kept, True]
