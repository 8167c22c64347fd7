"""Widgets are read as they are shown: fields, boxes, calendars, decks of slides, editors with changes, drawings.

Each page is a small one of its own in the form that a library gives it.
"""

import itertools
import time

import pytest

from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import take_marks

TEXT = "<p>Some sentences of plain text that belong to the page, with commas, and more words than a menu has.</p>"
VALUES = "<script>for (const e of document.querySelectorAll('[id]')) if ('value' in e) e.value = e.dataset.v ?? e.value</script>"
TICKS = (
    "<style>.m {position: relative; display: inline-flex; width: 42px; height: 42px} .m input {position: absolute; opacity: 0}"
    ".v {position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0)} .n {display: none}"
    ".b {display: inline-block; width: 16px; height: 16px; border: 1px solid}</style>"
)
DRAWN_BOXES = (
    "<span class=m><input type=checkbox{}></span>",
    "<input type=checkbox class=v{}><span class=b></span>",
    "<input type=checkbox class=n{}><span class=b></span>",
)
BY_ROLE = "<button role=checkbox aria-checked={}></button>"


def _month(table, headers, rows):
    """A month whose headers and rows are tables in the cells of a table (FullCalendar)."""
    cells = "".join(f"<tr role=row>{''.join(f'<td role=gridcell><div>{c}</div>' for c in row)}" for row in rows)
    heads = "".join(f"<th role=columnheader><div>{c}</div>" for c in headers)
    part = "<tr role=presentation><td role=presentation><div><table role=presentation>{}</table></div>"
    return f"<{table}>{part.format('<tr role=row>' + heads)}{part.format(cells)}</table>"


def _lines(*lines):
    return "".join(f"<div class='{names}'>{text}</div>" for names, text in lines)


EDITOR = "<style>.e {font-family: monospace; white-space: pre} .z {position: absolute} .n {width: 400px; height: 20px}</style>"
UNIFIED = _lines(
    ("l", "def area(r):"),
    ("removed-chunk", "<div><button>Accept</button></div><div>    return 0</div><div>    # old</div>"),
    ("l changed", "    return 3 * r"),
)
_NEW = ["def area(r):", "", "    return 3 * r"]
LAYERS = (
    "<div style='position: relative; height: 90px'><div><div class='z n line-insert' style='top: 60px'></div></div>"
    "<div><div class='e z lines-deleted' style='top: 40px'><div class=n>    return&nbsp;0</div></div></div><div class=e>"
    + "".join(f"<div class='z n' style='top: {top}px'>{text}</div>" for top, text in zip((0, 20, 60), _NEW))
    + "</div></div>"
)
SLIDES = (
    "<style>.future {display: none} .point, aside {visibility: hidden} aside {display: none}</style><div class=slides><section "
    "class=present><h1>Ports</h1></section><section class=future><h2>Tides</h2><p class=fragment style='visibility: hidden'>Second point."
    "</p><aside>Planted</aside></section><section class='stack future'><section><h2>West</h2></section><section class=future>"
    "<h2>East</h2></section></section></div>"
)
COUNTED = (
    "<style>main {counter-reset: h2 r} h2 {counter-reset: h3} h2::before {counter-increment: h2; content: counter(h2) '. '} h3::before "
    "{counter-increment: h3; content: counter(h2) '.' counter(h3) ' '} ol.n {list-style: none; counter-reset: i} ol.n > li {counter-increment: i}"
    "ol.n > li::before {content: counters(i, '.') ') '} .r {counter-increment: r} .r::before {content: counter(r, upper-roman) ' - '}"
    ".s {counter-increment: s; position: relative} .s::before {content: counter(s); position: absolute; left: -20px} .m::marker {content: 'Art. '"
    " counter(list-item) ' '} .l {counter-increment: l; display: block} .l::before {content: counter(l)} .t::after {content: ' of ' counter(s)}"
    ".d {counter-increment: d} .d::before {content: counter(d, disc) 'Buoy '}"
    "</style><main><h2>Scope</h2><h3>Boats</h3><h2 hidden>Planted</h2><h3>Ships</h3><h2>Fees</h2><h3>Daily</h3><ol class=n><li>Alpha<ol class=n>"
    "<li>Beta<li>Gamma</ol><li>Delta</ol><p class=r>Past</p><p class=r>Now</p><p class=s>Sail.</p><p class=s>Land.</p><p class=t>2</p><p class=d>West</p><ul><li"
    " class=m>Peace<li class=m>War</ul><pre><code><span class=l>let x</span><span class=l>let y</span></code></pre></main>"
)
ORDERED = (
    "<style>.r {display: flex; flex-direction: row-reverse} .c {display: flex; flex-direction: column-reverse} .g {display: grid;"
    "grid-template-columns: 1fr 1fr} .a {grid-template-areas: 'h h' 'n m' 'f f'} .v {position: relative; height: 90px} .v div {position:"
    "absolute; height: 20px}</style><div style='display: flex'><p style='order: 2'>o2</p><p>o0</p><p style='order: 1'>o1</p></div>"
    "<div class=r><p>r2</p><p>r1</p><p>r0</p></div><div class=c><p>c1</p><p>c0</p></div><div class='g a'><p style='grid-area: f'>g3</p><p "
    "style='grid-area: m'>g2</p><p style='grid-area: h'>g0</p><p style='grid-area: n'>g1</p></div><div class=g style='align-items: center;"
    "grid-auto-flow: column; grid-template-rows: 1fr 1fr'><p>d0</p><p>d1</p><p>d2</p><p>d3</p></div><div class=v><div style='top: 40px'>v2</div>"
    "<div style='top: 0'>v0</div><div style='top: 20px'>v1</div></div><div class=r dir=rtl><p>l1</p><p>l0</p></div><div class=r><div style="
    "'display: contents'><p>n2</p><p>n1</p></div><p>n0</p></div><div style='display: table'><div style='display: table-footer-group'><p>t1</p></div>"
    "<div style='display: table-header-group'><p>t0</p></div></div><p>By <b style='float: right'>f2 </b><b style='float: right'>f1 </b></p>"
    "<style>.w {display: flex; flex-wrap: wrap; width: 100px; height: 90px} .w p {width: 50px; height: 20px; margin: 0}</style>"
    "<div class=w style='flex-wrap: wrap-reverse'><p>w2</p><p>w3</p><p>w0</p><p>w1</p></div><div class=w style='flex-direction: row-reverse'>"
    "<p>x1</p><p>x0</p><p>x3</p><p>x2</p></div><div class=w style='flex-flow: column wrap-reverse; height: 40px'><p>y2</p><p>y3</p><p>y0</p><p>y1"
    "</p></div><div class=w style='flex-flow: row-reverse wrap-reverse; align-content: start'><p>z3</p><p>z2</p><p>z1</p><p>z0</p></div>"
    "<div class=w dir=rtl style='flex-direction: row-reverse'><p>k1</p><p>k0</p><p>k3</p><p>k2</p></div>"
    "<p>Write to <span style='unicode-bidi: bidi-override; direction: rtl'>elpmaxe@ofni</span></p>"
)
LOOPS = (
    "<style>@keyframes m {to {transform: translateX(-50%)}} @keyframes p {to {opacity: .5}} .m {overflow: hidden} .t {display: flex; width:"
    "max-content; animation: m 20s linear infinite} .p div {animation: p 1s infinite}</style><div class=m><div class=t><b>Alpha</b><b>Beta</b><b>"
    "Alpha</b><b>Beta</b></div></div><div class=m style='display: flex'><ul class=t><li>Zeta</ul><ul class=t aria-hidden=true><li>Zeta</ul></div>"
    "<div class=m><div class=t><img src=/a.png alt=Logo-a><img src=/b.png alt=Logo-b><img src=/a.png alt=Logo-a><img src=/b.png alt=Logo-b></div></div>"
    "<div class=m><div class='t' style='animation: none; transform: translate3d(-9px, 0, 0)'><p class=slide-clone>Iota</p><p>Eta</p><p>Iota</p><p "
    "class=slide-clone>Eta</p></div></div><div class=m><div class=t><div><b>Rho</b> <i>Tau</i></div><b>Rho</b><i>Tau</i><b>Rho</b><i>Tau"
    "</i></div></div><div class='m p'><div>Open</div><div>Open</div></div><ul><li>Yes<li>No<li>Yes<li>No</ul>"
)
DECLARED = (
    "<x-a><template shadowrootmode=closed><p>Words of <slot></slot></p><p style='opacity: 0'>Planted</p><x-b><template shadowrootmode=closed>"
    "<p>Inner words.</p></template></x-b></template>light<i slot=none>Planted</i></x-a><div><template shadowrootmode=closed><p>In a box.</p></template>"
    "Planted</div><x-c><template shadowrootmode=open><x-d><template shadowrootmode=closed><p>In an open tree.</p></template></x-d></template></x-c>"
)
EVENTS = (
    "<style>.w {position: relative; width: 300px; height: 60px} .w [role$=cell], .w [role=columnheader] {position: absolute; width: 100px}"
    ".e {position: absolute; width: 90px; top: 30px}</style><div role=table><div role=row class=w>"
    + "".join(
        f"<div role=columnheader style='left: {100 * n}px'>{day}</div>" for n, day in enumerate(("Mon", "Tue", "Wed"))
    )
    + "</div>"
    + "".join(
        f"<div role=rowgroup><div role=row class=w><div>{cells}</div><div><div class='e my-event' style='{place}'><p>{name}</p></div></div></div></div>"
        for cells, place, name in (
            (
                "".join(f"<div role=cell style='left: {100 * n}px'>{n + 1}</div>" for n in range(3)),
                "left: 105px",
                "Regatta",
            ),
            (
                "".join(f"<div role=cell style='left: {100 * n}px'>{n + 4}</div>" for n in range(3)),
                "left: 5px; width: 190px",
                "Festival",
            ),
        )
    )
    + "</div><div><div class=w><div role=columnheader>8 Thu</div><div role=columnheader style='left: 100px'>9 Fri</div></div><div class=w>"
    "<div class='e event' style='left: 110px'>9:00 Board</div></div></div>"
)
CLOSED = (
    "<div role=tablist><button role=tab aria-controls=a>One</button><button role=tab aria-controls=b>Two</button></div>"
    "<div id=a role=tabpanel>First.</div><div id=b role=tabpanel {}>Second.{}</div>"
)
HIDING = (
    "display: none",
    "opacity: 0",
    "font-size: 0",
    "visibility: hidden",
    "color: #fff",
    "clip-path: inset(50%)",
    "position: absolute; left: -9999px",
    "text-indent: -9999px",
    "transform: scale(0)",
    "height: 0; overflow: hidden",
)
PLANTED = "".join(f"<div style='{style}'>Planted</div>" for style in HIDING)

# Name -> (body, texts of the markdown, texts that are not in it).
PAGES = {
    "values of fields": (
        "<p>Name <input id=a data-v=Berta></p><p>Boat <input id=b value=Old readonly data-v=Swan></p><p>Mail <input type=email id=c "
        "value=x@y.example data-v=''></p><p>Key <input type=password id=d data-v=Planted value=Planted></p><input type=hidden id=e "
        f"data-v=Planted><p>Pin <input id=f style='color: transparent' data-v=Planted></p><p>Sum <input id=g disabled data-v=258> EUR</p>{VALUES}",
        ["Name Berta", "Boat Swan", "Sum 258 EUR", "Mail\n"],
        ["Planted", "Old", "x@y"],
    ),
    "chosen options": (
        "<p>Port <select id=a data-v=Kiel><option>Bremen<option selected>Emden<option>Kiel</select></p><p>Crew <select multiple>"
        f"<option>Anna<option>Berta</select></p>{VALUES}<script>document.querySelectorAll('option')[4].selected = true</script>",
        ["Port Kiel (or Bremen, Emden)", "Crew Berta (or Anna)"],
        [],
    ),
    "boxes that are drawn": (
        f"{TICKS}<table><tr><th>Boat<th>A<th>B<th>C<th>D"
        + "".join(
            f"<tr><td>{boat}" + "".join(f"<td>{box.format(mark)}" for box in DRAWN_BOXES) + f"<td>{BY_ROLE.format(state)}"
            for boat, mark, state in (("Swan", " checked", "true"), ("Gull", "", "false"))
        )
        + f"</table><ul><li>{DRAWN_BOXES[1].format(' checked')} Milk<li><div role=checkbox aria-checked=true>Tea</div></ul>",
        ["| Swan | [x] | [x] | [x] | [x] |", "| Gull | [ ] | [ ] | [ ] | [ ] |", "- [x] Milk\n- [x] Tea"],
        [],
    ),
    "fields that open an answer": (
        "<ul><li><input type=checkbox id=q style='opacity: 0; position: absolute'><label for=q>When is high tide?</label><div>At noon.</div></ul>",
        ["- When is high tide?\n\n  At noon."],
        ["[ ]"],
    ),
    "a month of tables": (
        _month("table role=grid", ("Mon", "Tue"), (("9", "10 Regatta"), ("16", "17"))),
        ["| Mon | Tue |\n| --- | --- |\n| 9 | 10 Regatta |\n| 16 | 17 |"],
        [],
    ),
    "old lines between the lines of an editor": (
        f"{EDITOR}<div class=e contenteditable=true>{UNIFIED}</div>",
        ["```diff\n def area(r):\n-    return 0\n-    # old\n+    return 3 * r\n```"],
        ["Accept"],
    ),
    "old lines in a layer of an editor": (
        EDITOR + LAYERS,
        ["```diff\n def area(r):\n\n-    return 0\n+    return 3 * r\n```"],
        [],
    ),
    "slides of a deck": (
        SLIDES,
        ["# Ports", "## Tides\n\nSecond point.", "## West", "## East"],
        ["Planted"],
    ),
    "a closed panel": (CLOSED.format("hidden", PLANTED), ["**Two**\n\nSecond."], ["Planted"]),
    "a folded panel": (
        CLOSED.format("style='height: 0; overflow: hidden'", PLANTED),
        ["**Two**\n\nSecond."],
        ["Planted"],
    ),
    "a closed panel in a closed panel": (
        CLOSED.format("hidden", CLOSED.replace("=a", "=c").replace("=b", "=d").format("hidden", PLANTED)),
        ["Second."],
        ["Planted"],
    ),
    "words of a style sheet": (
        "<style>.s::before {content: 'State: '} .s::after {content: ' (' attr(data-n) ')'} .b::before {content: 'Price'; display: block}"
        ".h::after {content: 'Planted'; color: #fff} .i::before {content: 'Planted'; font-family: Icons} .t:hover::after "
        "{content: 'Planted'} .a::after {content: 'Planted'; position: absolute; left: -999px} .n::before {content: '*'}</style>"
        "<p class=s data-n=7>open</p><p class=b>12</p><p class=h>One</p><p class=i>Two</p><p class=t>Three</p><p class=a>Four</p>"
        "<p class=n>Five</p><p><b class=s data-n=8></b></p>",
        ["State: open (7)", "Price 12", "One\n", "Two\n", "\n\nFive\n", "**State: (8)**"],
        ["Planted"],
    ),
    "cells that are letters by their tags": (
        "<div role=table style='display: grid; grid-template-columns: 1fr 1fr'><div role=row style='display: contents'><b role=columnheader>"
        "Boat</b><b role=columnheader>Port</b></div><div role=row style='display: contents'><span role=cell>Swan</span><b role=cell>Kiel"
        "</b></div></div>",
        ["| Boat | Port |\n| --- | --- |\n| Swan | Kiel |"],
        [],
    ),
    "labels of two lines": (
        "<svg width=400 height=200><text y=20><tspan x=0>Mean</tspan><tspan x=0 dy=14>depth</tspan></text><text y=90>Lighthouse</text>"
        "<text y=150>4 m</text></svg>",
        ["- Mean depth\n- Lighthouse"],
        [],
    ),
    "a task that comes later": (
        "<p id=p>Soon</p><script>scheduler.postTask(() => { p.textContent = 'The task has run.' }, {delay: 500})</script>",
        ["The task has run."],
        [],
    ),
    "closed shadow trees": (
        "<x-a></x-a><p id=p></p><script>const host = document.querySelector('x-a'); host.attachShadow({mode: 'closed'}).innerHTML = "
        "'<p>Words of a closed tree.</p>'; p.append(String(host.shadowRoot))</script>",
        ["Words of a closed tree.", "null"],
        [],
    ),
    "closed shadow trees in the HTML": (
        DECLARED + "<iframe srcdoc='<x-f><template shadowrootmode=closed><p>In a frame.</p></template></x-f>'></iframe>",
        ["Words of light", "Inner words.", "In a box.", "In an open tree.", "In a frame."],
        ["Planted"],
    ),
    "quotation marks of a style sheet": (
        "<style>.g {quotes: '«' '»' '‹' '›'} .g p::before, .g i::before {content: open-quote} .g p::after, .g i::after {content: close-quote}"
        ".o::before {content: open-quote; font-size: 4em} .u {quotes: none} .v::before, .v::after {content: ''}</style><blockquote class=g>"
        "<p>The sea <i>as it is</i></p></blockquote><p class=o>Ornament</p><p>He said <q>no</q> and <q class=u>“yes”</q>, <q class=v>‘so’</q>.",
        ["> «The sea *‹as it is›*»", "\n\nOrnament\n", 'He said "no" and “yes”, ‘so’.'],
        [],
    ),
    "numbers of counters": (
        COUNTED,
        ["## 1. Scope\n\n### 1.1 Boats\n\n### 1.2 Ships\n\n## 2. Fees\n\n### 2.1 Daily", "1. Alpha\n   1. 1.1) Beta\n   2. 1.2) Gamma\n2. Delta",
         "I - Past\n\nII - Now", "1 Sail.\n\n2 Land.\n\n2 of 2\n\nBuoy West", "- Art. 1 Peace\n- Art. 2 War", "let x\nlet y\n```"],
        ["Planted"],
    ),
    "the order on the screen": (
        ORDERED,
        ["\n\n".join(f"{row}{n}" for n in range(count)) for row, count in (("o", 3), ("r", 3), ("c", 2), ("g", 4), ("d", 4), ("v", 3), ("l", 2), ("n", 3), ("t", 2), ("w", 4), ("x", 4), ("y", 4), ("z", 4), ("k", 4))]
        + ["By **f1** **f2**", "Write to info@example"],
        [],
    ),
    "copies of an endless loop": (
        LOOPS,
        ["**Alpha** **Beta**", "- Zeta", "**Rho** *Tau*\n", "Logo-a", "Logo-b", "Eta", "Iota", "Open\n\nOpen", "- Yes\n- No\n- Yes\n- No"],
        ["Beta** **Alpha", "Tau***", "*Tau* **Rho", "*Tau*\n\n**Rho", "Zeta\n\n- Zeta", "Zeta\n\n* Zeta", "Logo-b](/b.png) ![Logo-a", "Iota\n\nEta\n\nIota\n\nEta", "Iota\n\nEta\n\nIota"],
    ),
    "pictures that give a flex box its size": (
        "<div style='display: flex'><img src=/a.png alt='Logo of Alpha'><img src=/b.png alt=Planted style='width: 0'></div>",
        ["![Logo of Alpha]"],
        ["Planted"],
    ),
    "events over the days of a month and a week": (
        EVENTS,
        ["| Mon | Tue | Wed |\n| --- | --- | --- |\n| 1 | 2<br>Regatta | 3 |\n| 4<br>Festival | 5<br>Festival | 6 |", "8 Thu\n\n9 Fri\n\n9:00 Board"],
        [],
    ),
    "readings over characters": ("<p><ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>だ</p>", ["港(みなと)だ"], []),
    "slides of a track that has moved": (
        "<div style='overflow: hidden'><div style='display: flex; transform: translate3d(-900px, 0, 0)'>"
        + "".join(f"<div class='s s-{n}' style='flex: 0 0 900px; position: relative; transform: translateZ(0)'>Slide {n}</div>" for n in range(3))
        + "</div></div><div style='position: relative; left: -900px; width: 800px'>Planted</div>",
        ["Slide 0", "Slide 1", "Slide 2"],
        ["Planted"],
    ),
    "answers in a folded row of a grid": (
        "<style>.g {display: grid; grid-template-rows: 0fr} .g div {overflow: hidden}</style><button aria-expanded=false aria-controls=g>Fees?</button>"
        "<div class=g id=g><div><p>12 EUR a day.</p></div></div><div class=g><div><p>Planted</p></div></div>",
        ["Fees?", "12 EUR a day."],
        ["Planted"],
    ),
    "answers that a box opens": (
        "<style>.c {max-height: 0; overflow: hidden} input:checked ~ .c {max-height: 99px}</style><div><input type=checkbox id=q hidden>"
        "<label for=q>When is high tide?</label><div class=c>At noon.</div></div>",
        ["When is high tide?\n\nAt noon."],
        [],
    ),
    "code with hidden parts": (
        "<p>Run <code>make<span hidden> planted</span></code> now.</p><pre>$ ls<b style='display: none'> planted</b> -l</pre>",
        ["Run `make` now.", "$ ls -l"],
        ["planted"],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def shown(site_at, browser, at_once):
    site = site_at()

    def work(name):
        path = f"/{list(PAGES).index(name)}"
        url = site.html(path, f"<!doctype html><meta charset=utf-8><title>T</title>{TEXT}{PAGES[name][0]}{TEXT}")
        page = browser.render(url, deadline=time.monotonic() + 90)
        root = parse_html(page.html)
        take_marks(root, page.mark)
        return to_markdown(root)

    return at_once(work, PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_widgets_are_read_as_they_are_shown(shown, name):
    _, present, absent = PAGES[name]
    markdown = shown(name)
    assert [text for text in present if text not in markdown] == []
    assert [text for text in absent if text in markdown] == []


UNREAD = (  # properties whose values are not read on a long page where nothing sets them
    "filter: opacity(0)", "letter-spacing: -1em", "text-indent: -999px", "clip-path: inset(50%)", "opacity: 0", "font-size-adjust: 0",
    "mask-image: linear-gradient(transparent, transparent)", "-webkit-text-security: disc", "-webkit-text-fill-color: #fff",
)  # fmt: skip
PLACES = (
    "<p style='RULE'>Planted</p>",
    "<style>@media all { @supports (color: red) { .p { RULE } } }</style><p class=p>Planted</p>",
    "<p class=p>Planted</p><script>const s = new CSSStyleSheet(); s.replaceSync('.p { RULE }'); document.adoptedStyleSheets = [s]</script>",
    "<style>@keyframes k {to {RULE}} .p {animation: k 1ms both}</style><p class=p>Planted</p>",
)


def test_a_long_page_hides_what_its_rules_hide(site, at_once, render):
    long = "<!doctype html><body>" + "<p>Some <b>words</b> of text.</p>" * 1200
    bodies = {rule: place.replace("RULE", rule) for rule, place in zip(UNREAD, itertools.cycle(PLACES))}

    def work(rule):
        page = render(site.html(f"/{UNREAD.index(rule)}", long + bodies[rule]))
        root = parse_html(page.html)
        take_marks(root, page.mark)
        return to_markdown(root)

    get = at_once(work, bodies)
    assert [rule for rule in bodies if "Planted" in get(rule)] == []


@pytest.mark.parametrize("tree", ["document.body", "document.body.attachShadow({mode: 'open'})"])
def test_a_page_that_only_draws_has_a_note(site, render, tree):
    script = f"const c = document.createElement('canvas'); c.width = 900; c.height = 600; {tree}.append(c)"
    page = render(site.html("/", f"<!doctype html><body><script>{script}</script>"))
    assert any("canvas" in note for note in page.notes)


FEED = (
    "<div id=f></div><div id=s style='height: 20px'></div><script>let n = 0; const add = () => { for (let i = 0; i < 10; i += 1) {"
    " n += 1; f.insertAdjacentHTML('beforeend', `<p style='height: 120px'>The text of post ${n}.</p>`) } }; add(); "
    "new IntersectionObserver(([e]) => { if (e.isIntersecting && n < 40) setTimeout(add, 250) }).observe(s)</script>"
)


def test_a_feed_that_grows_at_its_end_is_scrolled_on(site, render):
    page = render(site.html("/", f"<!doctype html><body>{FEED}"))
    assert [n for n in range(1, 41) if f"The text of post {n}." not in page.html] == []


RECYCLED = (
    "<style>.r {position: absolute; height: 90px}</style><div id=s style='position: relative; height: 5400px'></div><script>const rows = [...Array"
    "(12)].map(() => s.appendChild(Object.assign(document.createElement('p'), {className: 'r'}))); const draw = () => { const first = Math.floor("
    "scrollY / 90); rows.forEach((row, i) => { const n = first + ((i - first) % 12 + 12) % 12; row.style.top = `${90 * n}px`; const text = `The text"
    " of post number ${n}.`; if (row.textContent !== text) row.textContent = text }) }; addEventListener('scroll', draw); draw()</script>"
)


def test_rows_that_are_used_again_have_a_note_and_come_in_order(site, render):
    page = render(site.html("/", f"<!doctype html><body>{RECYCLED}"))
    assert any("it shows a part at a time" in note for note in page.notes)
    text = to_markdown(parse_html(page.html))
    assert "post number 0.\n\nThe text of post number 1.\n\nThe text of post number 2." in text
