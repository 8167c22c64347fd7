"""Hostile shapes: the shapes of ../shared/cases/hostile_html/shapes.json, made small; full size in the nightly run."""

import gc
import os
import time

import pytest
from shared_cases import rows

from webtool.html import parse_html
from webtool.markdown import to_markdown

NIGHTLY = os.environ.get("WEBTOOL_TEST_PROFILE") == "nightly"
SCALE = 1 if NIGHTLY else 20
SENTINEL = "Sentinel paragraph alpha"
ARTICLE = f"<title>T</title><article><h1>T</h1><p>{SENTINEL} one.</p><p>{SENTINEL} two.</p></article>"


def _nest(tag, depth, close=True, inner="word"):
    tags = tag.split("-")
    opened = "".join(f"<{name}>" for name in tags)
    closed = "".join(f"</{name}>" for name in reversed(tags))
    return opened * depth + inner + (closed * depth if close else "")


# The shapes that are named by their construction, as far as they concern writing: parameters to HTML.
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
# Shapes of this module's own that the list does not have: what could be quadratic in choosing delimiters and cells.
OWN = [
    {"id": "emphasis-in-words", "shape": "flood", "params": {"text": "a<b>b</b>", "times": 40000}},
    {"id": "emphasis-nested-in-words", "shape": "flood", "params": {"text": "a<em>b<em>c</em>d</em>e", "times": 20000}},
    {"id": "empty-spans", "shape": "flood", "params": {"text": "<b>&nbsp;</b>", "times": 60000}},
    {"id": "open-spans", "shape": "flood", "params": {"text": "<i>a<p>", "times": 20000}},
    {
        "id": "spanning-cells",
        "shape": "flood",
        "params": {"text": "<table><tr><td colspan=1000 rowspan=9>a<td>b<tr>", "times": 4000},
    },
    {"id": "formula-boxes", "shape": "flood", "params": {"text": "<span class=math>", "times": 20000}},
    {"id": "code-with-code", "shape": "flood", "params": {"text": "<code>", "times": 20000}},
    {"id": "math", "shape": "nest", "params": {"tag": "mrow", "depth": 20000}},
    {"id": "layout-tables", "shape": "nest", "params": {"tag": "table-tr-td", "depth": 8000}},
    {"id": "data-tables", "shape": "nest", "params": {"tag": "table-tr-th", "depth": 8000}},
    {
        "id": "links-in-tables",
        "shape": "nest",
        "params": {"tag": "a href=/x-table-tr-td", "depth": 8000, "close": False},
    },
    {
        "id": "links-of-lines",
        "shape": "flood",
        "params": {"text": "<a href=/x><div>x</div><p>y</a>", "times": 20000},
    },
    {"id": "links-of-headings", "shape": "flood", "params": {"text": "<a href=/x><h2>x</h2>", "times": 20000}},
    {
        "id": "panels-in-panels",
        "shape": "flood",
        "params": {"text": "<button aria-controls=p>q</button><div class=tab hidden id=p>", "times": 40000},
    },
    {"id": "faded-panels", "shape": "flood", "params": {"text": "<div class=tab style='opacity:0'>", "times": 40000}},
    {
        "id": "silent-boxes",
        "shape": "flood",
        "params": {"text": "<div><b>q</b><p class=a aria-hidden=true>", "times": 40000},
    },
    {"id": "exponents", "shape": "flood", "params": {"text": "<sup><b>a", "times": 40000}},
    {"id": "readings", "shape": "flood", "params": {"text": "<ruby><rt><div>a", "times": 40000}},
    {"id": "callouts", "shape": "flood", "params": {"text": "<div class='admonition note'>", "times": 40000}},
    {
        "id": "shadow-trees",
        "shape": "flood",
        "params": {"text": "<x-a><template shadowrootmode=open><slot>", "times": 40000},
    },
    {
        "id": "roles",
        "shape": "flood",
        "params": {"text": "<div role=table><div role=row><i role=cell>a", "times": 20000},
    },
    {"id": "captions", "shape": "flood", "params": {"text": "<table><caption>x", "times": 20000}},
    {"id": "lists-in-lists", "shape": "nest", "params": {"tag": "ul", "depth": 20000}},
    {
        "id": "footnote-quotes",
        "shape": "nest-with-lines",
        "params": {"tag": "blockquote-ul-li", "depth": 1000, "lines": 200},
    },
]


def _page(row, scale):
    return ARTICLE + MADE[row["shape"]](row["params"], lambda size: max(size // scale, 1))


SHAPES = rows("hostile_html/shapes.json", "shapes", lambda row: row["shape"] in MADE)


@pytest.mark.parametrize("row", [*SHAPES, *(pytest.param(row, id=row["id"]) for row in OWN)])
def test_shape_gives_the_article_and_no_explosion(row):
    page = _page(row, SCALE)
    markdown = to_markdown(parse_html(page), "https://site.example/")
    if row.get("want", "text") == "text":
        assert SENTINEL in markdown
    assert len(markdown) < 60 * len(page) + 400_000


@pytest.mark.skipif(not NIGHTLY, reason="times are measured in the nightly run only")
@pytest.mark.parametrize("row", [*SHAPES, *(pytest.param(row, id=row["id"]) for row in OWN)])
def test_time_grows_as_the_size_does(row):
    def measured(scale):
        page = _page(row, scale)
        root = parse_html(page)
        times = []
        for _ in range(3):  # the best of three: the machine may be busy
            start = time.process_time()
            to_markdown(root, "https://site.example/")
            times.append(time.process_time() - start)
        return len(page), min(times)

    gc.disable()
    try:
        (small_size, small), (large_size, large) = measured(8), measured(2)
    finally:
        gc.enable()
    # Four times the size: sixteen times the time would be quadratic; caches that overflow cost up to twice.
    assert large < 0.1 or large / small < 2.2 * max(large_size / small_size, 4)
