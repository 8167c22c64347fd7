"""Convert hostile shapes of ../shared/cases/hostile_html/shapes.json: smaller ones here, full size in the nightly
run.
"""

import os
import time

import pytest
from shared_cases import rows

from webtool.html import parse_html
from webtool.markdown import invisible, to_markdown

NIGHTLY = os.environ.get("WEBTOOL_TEST_PROFILE") == "nightly"
SCALE = 1 if NIGHTLY else 20
SENTINEL = "Sentinel paragraph alpha"
ARTICLE = f"<title>T</title><article><h1>T</h1><p>{SENTINEL} one.</p><p>{SENTINEL} two.</p></article>"


def _nest(tag, depth, close=True, inner="word"):
    tags = tag.split("-")
    opened = "".join(f"<{name}>" for name in tags)
    closed = "".join(f"</{name}>" for name in reversed(tags))
    return opened * depth + inner + (closed * depth if close else "")


# Shapes by name: functions from the parameters of a row to HTML. `n` scales a size.
MADE = {
    "nest": lambda p, n: _nest(p["tag"], n(p["depth"]), p.get("close", True)),
    "nest-cycle": lambda p, n: "".join(f"<{p['tags'][i % len(p['tags'])]}>" for i in range(n(p["depth"]))) + "word",
    "nest-with-lines": lambda p, n: _nest(p["tag"], n(p["depth"]), inner="<br>".join(["line"] * p["lines"])),
    "flood": lambda p, n: p["text"] * n(p["times"]),
    "attr-long": lambda p, n: f"<p title='{'x' * n(p['bytes'])}'>x</p>",
    "classes": lambda p, n: f"<p class='{' '.join(f'c{i}' for i in range(n(p['n'])))}'>x</p>",
    "style-long": lambda p, n: f"<p style='{'color:red;' * (n(p['bytes']) // 10)}'>x</p>",
    "href-long": lambda p, n: f"<a href='/{'x' * n(p['bytes'])}'>x</a>",
    "alt-long": lambda p, n: f"<img src=x alt='{'x [' * (n(p['bytes']) // 3)}'>",
    "srcset": lambda p, n: f"<img srcset='{', '.join(f'/{i}.png {i}w' for i in range(n(p['n'])))}'>",
    "data-uri": lambda p, n: f"<img src='data:image/png;base64,{'A' * n(p['bytes'])}'>",
    "colspan": lambda p, n: f"<table><tr><td colspan={p['value']}>a<tr><td>b<td>c</table>",
    "rowspan": lambda p, n: f"<table><tr><td rowspan={p['value']}>a<td>b<tr><td>c</table>",
    "colspan-many": lambda p, n: "<table>" + f"<tr><td colspan={p['value']}>a<td>b" * n(p["rows"]) + "</table>",
    "columns": lambda p, n: "<table><tr>" + "<td>a" * n(p["n"]) + "</table>",
    "table-rows": lambda p, n: "<table>" + "<tr><td>a<td>b" * n(p["n"]) + "</table>",
    "table-ragged": lambda p, n: "<table>" + "".join("<tr>" + "<td>a" * i for i in range(n(p["rows"]))) + "</table>",
    "ol-start": lambda p, n: f"<ol start={p['value']}><li>a</ol>",
    "ol-value": lambda p, n: f"<ol><li value={p['value']}>a<li>b</ol>",
    "h-many": lambda p, n: "<h2>x</h2>" * n(p["n"]),
    "links-same": lambda p, n: "<a href=/x>y</a> " * n(p["n"]),
    "base-evil": lambda p, n: f"<base href='{p['href']}'><a href=x>y</a>",
    "base-many": lambda p, n: "<base href=/x>" * n(p["n"]),
    "style-rules": lambda p, n: "<style>" + "".join(f".c{i} .d{{display:none}}" for i in range(n(p["n"]))) + "</style>",
    "pre-long-line": lambda p, n: f"<pre>{'x' * n(p['bytes'])}</pre>",
    "code-in-table": lambda p, n: "<table>" + "<tr><td><pre>a|b\nc</pre><td><code>|</code>" * n(p["rows"]) + "</table>",
    "footnotes": lambda p, n: "".join(f"<a class=footnote-ref href=#f{i}>{i}</a>" for i in range(n(p["n"])))
    + "<section class=footnotes><ol>" + "".join(f"<li id=f{i}>n" for i in range(n(p["n"]))) + "</ol></section>",
    "misnested": lambda p, n: "<b><p></b></p>" * n(p["n"]),
    "foster": lambda p, n: "<table>" + "x<b>y</b>" * n(p["n"]) + "<tr><td>z</table>",
    "select-in-table": lambda p, n: "<table><tr><td><select><option>a" * n(p["n"]),
    "template-nest": lambda p, n: _nest("template", n(p["depth"])),
    "noscript-nest": lambda p, n: _nest("noscript", n(p["depth"])),
    "words": lambda p, n: "<p>" + "word " * n(p["n"]),
    "one-para-links": lambda p, n: "<p>" + "a <a href=/x>b</a> <b>c</b>d" * n(p["n"]),
    "similar-blocks": lambda p, n: "<div class=a><p>Similar text.</p></div>" * n(p["n"]),
    "dense-divs": lambda p, n: "<div><div><span>x</span></div></div>" * n(p["n"]),
}  # fmt: skip


def _page(row, scale):
    return ARTICLE + MADE[row["shape"]](row["params"], lambda size: max(size // scale, 1))


SHAPES = rows("hostile_html/shapes.json", "shapes", lambda row: row["shape"] in MADE)


@pytest.mark.parametrize("row", SHAPES)
def test_shape_gives_the_article_and_no_explosion(row):
    page = _page(row, SCALE)
    markdown = to_markdown(parse_html(page), "https://site.example/")
    if row.get("want", "text") == "text":
        assert SENTINEL in markdown
    assert len(markdown) < 60 * len(page) + 400_000


def test_a_line_break_after_a_task_box_leaves_it_a_task():
    html = "<ul><li><input type=checkbox> <br>foo</ul>"
    assert to_markdown(parse_html(html)) == "- [ ] \\\n  foo\n"  # GFM 5.3: a space follows the box


# Variation selectors after characters that nobody sees could carry a message. An icon beside one is a space too.
@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\u2060\ufe0f\u2060\ufe0e\u202a\ufe0fb", "ab"),
        ("a\u2764\ufe0f b\u2026\ufe0f", "a\u2764\ufe0f b\u2026\ufe0f"),
        ("\u200b\ue001", " "),
    ],
)
def test_what_nobody_sees_is_removed(text, cleaned):
    assert invisible.clean(text) == cleaned


# Nodes that would be looked at again for each one beside them or around them.
AGAIN = [
    "<pre>" + "<div class=line>" * 500 + "<i></i>" * 20_000 + "x",
    "<pre>" + "<div data-line-number=1>" * 500 + "<i></i>" * 20_000 + "x",
    "<b></b>" * 6_000 + "<code>a<br>b</code>" * 6_000,
    "<li>" + "<x-y></x-y>" * 6_000 + "<input type=checkbox>" * 6_000,
]


@pytest.mark.parametrize("html", AGAIN, ids=range(len(AGAIN)))
def test_many_neighbours_take_linear_time(html):
    root = parse_html(html)
    begin = time.process_time()
    to_markdown(root)
    assert time.process_time() - begin < 4
