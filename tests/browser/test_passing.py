"""A page is read as a reader passes it: text that shows itself in view, moving numbers, inner boxes, code editors."""

import json
import time

import pytest

from webtool.browser import scripts
from webtool.browser.behaviour import PageOptions
from webtool.browser.page import Page
from webtool.extraction import extract
from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import take_marks

TEXT = "Some sentences of plain text that belong to the page, with commas, and more words than a menu has. "
OBSERVED = (
    "<script>const o = new IntersectionObserver((es) => es.forEach((e) => SHOW), {threshold: .1});"
    "document.querySelectorAll('.r').forEach((e) => o.observe(e))</script>"
)
TOGGLED = OBSERVED.replace("SHOW", "e.target.classList.toggle('in', e.isIntersecting)")


def _sections(style, script):
    sections = "".join(
        f"<section class=r><h2>Part {n}</h2><p>Words of part {n}. {TEXT}</p></section>" for n in range(6)
    )
    return f"<style>.r {{min-height: 600px}} {style}</style><h1>Parts</h1><p>{TEXT * 9}</p>{sections}{script}"


def _moving(show, text="0"):
    return (
        f"<h1>Numbers</h1><p>{TEXT * 4}</p><div style='height: 1500px'></div><p>We have <b class=r>{text}</b> customers.</p>"
        + OBSERVED.replace("SHOW", show)
    )


COUNT = (
    "const n = e.target, t = performance.now(); (function f() { const k = Math.min(1, (performance.now() - t) / 1500);"
)
COUNT += " n.textContent = Math.round(12345 * k).toLocaleString('en'); if (k < 1) n.x = requestAnimationFrame(f) })()"
EDITOR_STYLE = "<style>.s {display: flex; font-family: monospace} .c {white-space: pre} .l {position: absolute}</style>"
CODE = ["def area(r):", "    if r < 0:", "        return 0", "", "    return 3 * r"]


def _line(text, attributes=""):
    return (
        f"<div {attributes}><span>{text.replace('<', '&lt;')}</span></div>" if text else f"<div {attributes}><br></div>"
    )


NUMBERS = "".join(f"<div>{n}</div>" for n in range(1, 6))
CODEMIRROR = (
    f"{EDITOR_STYLE}<p>{TEXT}</p><div class=s><div aria-hidden=true><div style='visibility: hidden; height: 0'>9</div>{NUMBERS}"
    "</div><div class=c role=textbox contenteditable=true data-language=python>"
    + "".join(map(_line, CODE))
    + f"</div></div><p>{TEXT}</p>"
)
_PLACED = [_line(text.replace(" ", "\u00a0"), f"class=l style='top: {19 * n}px'") for n, text in enumerate(CODE)]
MONACO = (
    f"{EDITOR_STYLE}<p>{TEXT}</p><div role=code data-uri='inmemory://1/area.py' style='position: relative; height: 120px'>"
    f"<div aria-hidden=true>{NUMBERS}</div><div class=c style='font-family: monospace; position: relative'>"
    + "".join(_PLACED[::-1])
    + f"</div><textarea></textarea></div><p>{TEXT}</p>"
)

FOLDED = "".join(f"<div>{n}{'<i>⌄</i>' * (n < 3)}</div>" for n in range(1, 6))
ACE = (
    f"{EDITOR_STYLE}<p>{TEXT}</p><div style='position: relative; height: 120px; font-family: monospace'><textarea style='opacity: 0'></textarea>"
    f"<div aria-hidden=true><div class=c>{FOLDED}</div></div><div class=c style='position: relative'>"
    + "".join(_line(text, f"class=l style='top: {19 * n}px'") for n, text in enumerate(CODE))
    + f"</div></div><p>{TEXT}</p>"
)
CODEJAR = (
    f"{EDITOR_STYLE}<p>{TEXT}</p><div contenteditable=plaintext-only class='c language-python' style='font-family: monospace'>"
    "<b>def</b> area(r):\n    if r &lt; 0:\n        return 0\n\n    return 3 * r</div>"
)
OVERLAY = (
    f"<style>.o {{position: absolute; inset: 0; margin: 0; font: 14px monospace; white-space: pre}}</style><p>{TEXT}</p><div "
    "style='position: relative; height: 150px'><textarea class=o style='color: transparent; background: none'></textarea><pre "
    f"class=o aria-hidden=true style='pointer-events: none'>{chr(10).join(CODE)}</pre></div><script>const [t] = "
    "document.querySelectorAll('textarea'); t.value = t.nextSibling.textContent</script>"
)
# (numbers, sign, code) of the lines of a diff.
CHANGES = [
    ("1", "1", "", "def area(r):"),
    ("2", "", "-", "    return 3 * r"),
    ("", "2", "+", "    return 3.14 * r * r"),
]
DIFF = "```diff\n def area(r):\n-    return 3 * r\n+    return 3.14 * r * r"
DIFF_STYLE = (
    "<style>table {font-family: monospace} i {font-style: normal; white-space: pre} .d i::before {content: '-'}"
)
DIFF_STYLE += " .a i::before {content: '+'}</style>"


def _diff(row):
    """A diff view of three changed lines and an empty one; `row(change)` is a line of it."""
    return f"{DIFF_STYLE}<p>{TEXT}</p><table>{''.join(map(row, [*CHANGES, ('3', '3', '', '')]))}</table><p>{TEXT}</p>"


def _wheel(kind, digit):
    """A wheel of the digits 0 to 9 that shows one of them."""
    if kind == "hidden":
        rows = "".join(f"<span style='{'' if n == digit else 'display: none'}'>{n}</span>" for n in range(10))
        return f"<span style='display: inline-block'>{rows}</span>"
    rows = "".join(f"<span style='display: block; height: 20px; line-height: 20px'>{n}</span>" for n in range(10))
    box = "display: inline-block; height: 20px; overflow: hidden; vertical-align: bottom"
    return (
        f"<span style='{box}'><span style='display: block; transform: translateY({-20 * digit}px)'>{rows}</span></span>"
    )


DRAWN = (
    "<svg width=400 height=200 id=c><rect width=90 height=0 id=b></rect></svg><script>const t = performance.now(); (function f() {"
    " const k = Math.min(1, (performance.now() - t) / 1800); b.setAttribute('height', 150 * k); if (k < 1) requestAnimationFrame(f);"
    " else c.insertAdjacentHTML('beforeend', '<text x=9 y=20>Oil: 12 t</text><text x=9 y=90>Fish: 7 t</text>') })()</script>"
)
POPUP = (
    "<div class=leaflet-container style='position: relative; height: 300px'><div class=leaflet-popup style='position: absolute'>"
    "<div class=leaflet-popup-content><b>Harbour office</b><br>12 Quay Street</div></div></div>"
)

# Name -> (body, texts of the markdown, texts that are not in it).
PAGES = {
    "sections that fade out of view": (
        _sections(".r {opacity: 0; transition: opacity .3s} .in {opacity: 1}", TOGGLED),
        [f"Words of part {n}" for n in range(6)],
        [],
    ),
    "sections that appear slowly, by their children": (
        _sections(".r p {opacity: 0; transition: opacity .7s} .in p {opacity: 1}", TOGGLED),
        [f"Words of part {n}" for n in range(6)],
        [],
    ),
    "sections whose visibility is hidden out of view": (
        _sections(".r p {visibility: hidden} .in p {visibility: visible}", TOGGLED),
        [f"Words of part {n}" for n in range(6)],
        [],
    ),
    "a section that is never shown": (
        _sections(".r {opacity: 0} .in {opacity: .01}", TOGGLED),
        [],
        ["Words of part 1"],
    ),
    "older lines of a chat that begins at its end": (
        "<h1>Chat</h1><div id=c style='height: 400px; overflow: auto'></div><script>let n = 60; const add = () => { for (let i = 0; i < 15 && n; "
        "i++) { const p = document.createElement('p'); p.textContent = `Line ${n--}.`; c.prepend(p) } }; add(); c.scrollTop = 9999; c.onscroll "
        "= () => { const {scrollHeight} = c; if (c.scrollTop < 40 && n) { add(); c.scrollTop += c.scrollHeight - scrollHeight } }</script>",
        ["Line 1.\n\nLine 2.\n", "Line 60."],
        [],
    ),
    "a chat in reverse": (
        "<h1>Chat</h1><div id=c style='height: 400px; overflow: auto; display: flex; flex-direction: column-reverse'></div><script>let n = 40;"
        "const add = () => { for (let i = 0; i < 15 && n; i++) { const p = document.createElement('p'); p.textContent = `Line ${n--}.`; "
        "c.append(p) } }; add(); c.onscroll = () => { if (c.scrollHeight - c.clientHeight + c.scrollTop < 40) add() }</script>",
        ["Line 1.\n\nLine 2.\n", "Line 40."],
        [],
    ),
    "a strip whose parts are filled when they come into view": (
        f"<h1>Years</h1><p>{TEXT * 30}</p><div style='height: 900px'></div><div id=t style='display: flex; overflow-x: auto'>"
        + "<div style='flex: 0 0 500px; height: 100px' class=y></div>" * 9
        + "</div><script>const o = new IntersectionObserver((es) => es.forEach((e) => { if (e.isIntersecting) e.target.textContent = "
        "`Year ${[...t.children].indexOf(e.target)}.` })); for (const y of t.children) o.observe(y)</script>",
        ["Year 0.\n\nYear 1.", "Year 7.\n\nYear 8."],
        [],
    ),
    "a form that scrolls and has fields with the names of members": (
        "<h1>Form</h1><form id=f style='height: 300px; overflow: auto'><p style='height: 900px'>Terms.</p><p id=p></p>"
        + "".join(
            f"<input type=hidden name={name}>"
            for name in ("scrollTop", "scrollHeight", "clientHeight", "clientWidth", "scrollBy", "scrollTo", "matches")
        )
        + "</form><script>new IntersectionObserver((es) => { if (es[0].isIntersecting) p.textContent = 'The last term.' }).observe(p)</script>",
        ["Terms.", "The last term."],
        [],
    ),
    "lazy parts of a box that scrolls": (
        "<body style='margin: 0'><main style='overflow-y: auto; height: 100vh'>"
        + _sections("", OBSERVED.replace("SHOW", "e.isIntersecting && (e.target.lastChild.textContent = 'Loaded.')"))
        + "</main>",
        ["Part 5\n\nLoaded."],
        ["Words of part"],
    ),
    "a number that counts up in view": (_moving(f"{{ if (e.isIntersecting) {{ {COUNT} }} }}"), ["**12,345**"], []),
    "a number that returns to 0 out of view": (
        _moving(
            f"{{ cancelAnimationFrame(e.target.x); if (e.isIntersecting) {{ {COUNT} }} else e.target.textContent = '0' }}"
        ),
        ["**12,345**"],
        [],
    ),
    "a text that is typed": (
        f"<h1>T</h1><p>{TEXT * 4}</p><p id=t></p><script>const s = 'The whole sentence is typed.'; let n = 0;"
        "const i = setInterval(() => { t.textContent = s.slice(0, ++n); if (n === s.length) clearInterval(i) }, 50)</script>",
        ["The whole sentence is typed."],
        [],
    ),
    "texts that are typed one after the other": (
        f"<h1>T</h1><p>{TEXT * 4}</p><p>We build <b id=t></b>.</p><script>const s = ['boats', 'piers']; let n = 0; setInterval(() => {{ "
        "const k = n % 12; t.textContent = s[Math.floor(n++ / 12) % 2].slice(0, k < 6 ? k + 1 : 12 - k) }, 50)</script>",
        ["We build **"],
        ["**b**", "**bo**", "**boa**", "**boat**", "**p**", "**pi**", "**pie**", "**pier**"],
    ),
    "a status that is emptied": (
        f"<p>{TEXT * 4}</p><p>Status: <b id=t></b>.</p><script>for (const [n, s] of ['One', 'Two', 'Three', ''].entries()) "
        "setTimeout(() => { t.textContent = s }, 250 * n)</script>",
        ["Status: ."],
        [],
    ),
    "boxes that a script ticks": (
        "<ul><li><input type=checkbox id=t> Milk<li><input type=checkbox id=u checked> Tea</ul><script>t.checked = true; u.checked = "
        "false</script>",
        ["- [x] Milk\n- [ ] Tea"],
        [],
    ),
    "CodeMirror": (CODEMIRROR, ["```python\n" + "\n".join(CODE) + "\n```"], ["\n1", "9"]),
    "Monaco": (MONACO, ["```py\n" + "\n".join(CODE) + "\n```"], ["\n1"]),
    "Ace, with marks beside its numbers": (ACE, ["```\n" + "\n".join(CODE) + "\n```"], ["\n1", "⌄"]),
    "CodeJar": (CODEJAR, ["```python\n" + "\n".join(CODE) + "\n```"], []),
    "a text area under highlighted code": (OVERLAY, ["```\n" + "\n".join(CODE) + "\n```"], []),
    "CodeMirror 5, a line a <pre>": (
        f"<style>.c pre {{margin: 0; position: relative}} .g {{position: absolute}}</style><p>{TEXT}</p><div class=c>"
        + "".join(f"<div><div class=g>{n}</div><pre>{line or chr(0x200B)}</pre></div>" for n, line in enumerate(CODE))
        + "</div>",
        ["```\n" + "\n".join(CODE) + "\n```"],
        ["\n0"],
    ),
    "a terminal, a box a line": (
        "<style>.l {display: block}</style><pre><span class=l>$ <b>make</b> boats</span><span class=l></span><span class=l>  ok</span></pre>",
        ["```\n$ make boats\n\n  ok\n```"],
        [],
    ),
    "blocks of code one below the other": (
        "<pre>one</pre><pre>two</pre><div><pre>three</pre></div><p>End.</p>",
        ["```\none\n```", "```\ntwo\n```"],
        ["one\ntwo"],
    ),
    "what is typed into fields": (
        "<textarea id=t>old</textarea><textarea id=u style='opacity: 0'></textarea><textarea id=v style='color: #fff'></textarea>"
        "<textarea></textarea><script>t.value = 'server {\\n  listen 80;\\n}'; u.value = v.value = 'Planted'</script>",
        ["```\nserver {\n  listen 80;\n}\n```"],
        ["Planted", "old"],
    ),
    "verse, which is not code": (
        "<p style='white-space: pre-line'>Two tides\na day</p><div style='white-space: pre-wrap'>Three\nwinds</div>",
        ["Two tides", "winds"],
        ["```"],
    ),
    "a diff with its signs in cells": (
        _diff(lambda change: f"<tr><td>{change[0]}<td>{change[1]}<td>{change[2]}<td><i>{change[3]}</i>"),
        [f"{DIFF}\n```"],
        ["| 1"],
    ),
    "a diff with its signs in the style": (
        _diff(
            lambda change: (
                f"<tr class={' da'['-+'.find(change[2]) + 1 if change[2] else 0]}><td>{change[0]}<td>{change[1]}<td>"
                f"<i>{change[3]}</i>"
            )
        ),
        [f"{DIFF}\n```"],
        ["| 1"],
    ),
    "a diff side by side": (
        f"{DIFF_STYLE}<p>{TEXT}</p><table><tr><td>1<td><i>def area(r):</i><td>1<td><i>def area(r):</i><tr><td>2<td class=deleted><i>"
        "    return 3 * r</i><td>2<td class=inserted><i>    return 3.14 * r * r</i><tr><td>3<td><i>end</i><td>3<td><i>end</i></table>",
        [f"{DIFF}\n end\n```"],
        ["| 1"],
    ),
    "a table of numbers, which is not a diff": (
        "<table><tr><th>Year<th>Change<tr><td>2024<td>-<tr><td>2025<td>+<tr><td>2026<td>-</table>",
        ["| 2025 | + |"],
        ["```"],
    ),
    "wheels of digits": (
        f"<p>Sold: {_wheel('hidden', 4)}{_wheel('hidden', 2)}, rented: {_wheel('cut', 7)}{_wheel('cut', 0)} boats</p>",
        ["Sold: 42, rented: 70 boats"],
        ["012"],
    ),
    "a list of digits": ("<ul style='overflow: hidden'><li>1<li>2<li>3</ul>", ["- 1\n- 2\n- 3"], []),
    "a chart that draws itself": (f"<p>{TEXT}</p>{DRAWN}", ["- Oil: 12 t\n- Fish: 7 t"], []),
    "a box in a paragraph": (
        "<p>The plan costs <x-tip><template shadowrootmode=open><div><slot></slot></div></template><b>20 euros</b></x-tip>"
        " a month.</p>",
        ["The plan costs **20 euros** a month."],
        [],
    ),
    "a list in a paragraph": (
        "<p id=p>Before.</p><script>p.append(document.createElement('ul')); p.lastChild.innerHTML = '<li>one<li>two'</script>",
        ["Before.\n\n- one\n- two"],
        [],
    ),
    "boxes of a paragraph": (
        "<p id=p></p><script>for (const n of ['One.', 'Two.']) { const d = document.createElement('div'); d.append(n); "
        "p.append(d) }</script>",
        ["One.\n\nTwo."],
        [],
    ),
    "a row that is an element of its own": (
        "<table><thead><tr><th>Name<th>Price</thead><tbody id=t></tbody></table><script>const r = document.createElement('x-row')"
        "; r.style.display = 'contents'; const tr = document.createElement('tr'); tr.innerHTML = '<td>Oil</td><td>4</td>';"
        "r.append(tr); t.append(r)</script>",
        ["| Oil | 4 |"],
        [],
    ),
    "a link in a link": (
        "<p><a href=/1 id=a>Outer </a></p><script>const i = document.createElement('a'); i.href = '/2'; i.append('inner');"
        "a.append(i, ' end')</script>",
        ["[Outer inner end](/1)"],
        [],
    ),
    "slides of which one is in view": (
        "<div style='display: flex; width: 400px; overflow: hidden'>"
        + "".join(
            f"<div style='flex: 0 0 400px; backface-visibility: hidden; transform: translateZ(0)'>Slide {n}</div>"
            for n in range(4)
        )
        + "</div>",
        [f"Slide {n}" for n in range(4)],
        [],
    ),
    "a chart": (
        f"<p>{TEXT}</p><svg width=400 height=200><title>Sales</title><g transform='translate(30 150)'><text y=9>2024</text>"
        "<text x=90 y=9>2025</text></g><text x=20 y=20>4.1 M</text><text x=110 y=20>5.9 M</text><text y=99 opacity=0>Planted</text>"
        f"<text y=80 fill=none>Empty</text></svg><p>{TEXT}</p>",
        ["- Sales\n- 4.1 M · 5.9 M\n- 2024 · 2025"],
        ["Planted", "Empty"],
    ),
    "a diagram": (
        "<p>Steps: <svg width=400 height=200><g transform='translate(10 90)'><foreignObject width=90 height=20><div>End here"
        "</div></foreignObject></g><foreignObject width=90 height=20><div><span>Start</span> here</div></foreignObject></svg></p>",
        ["- Start here\n- End here"],
        [],
    ),
    "a narrow diagram": (
        "<svg width=80 height=200><text y=20>Moored</text><text y=90>casts off</text><text y=160>Sailing</text></svg>",
        ["- Moored\n- casts off\n- Sailing"],
        [],
    ),
    "labels that are drawn with an outline": (
        "<svg width=400 height=200 aria-label=Fish><text y=20>Fish</text><text y=50><tspan stroke=#000>23<tspan>&#8203;</tspan></tspan>"
        "23</text><text y=80>Cod</text><text y=120>2424</text></svg>",
        ["- Fish\n- 23\n- Cod\n- 2424\n"],
        [],
    ),
    "the label of a drawing": (
        f"<p>{TEXT}</p><canvas width=400 height=200 aria-label='Catch: 12 t'>Planted</canvas><canvas hidden aria-label=Planted>"
        "</canvas><canvas width=20 height=20 aria-label=Planted></canvas>",
        ["Catch: 12 t"],
        ["Planted"],
    ),
    "components that are a tree": (
        "<x-tree role=tree><x-item role=treeitem>Boats<div role=group><x-item role=treeitem>Sailing boats</x-item></div></x-item>"
        "<x-item role=treeitem>Nets</x-item></x-tree>",
        ["- Boats\n  - Sailing boats\n- Nets"],
        [],
    ),
    "text that a search in the page finds": (
        "<h3>Where?</h3><div hidden=until-found><p>At the pier.</p></div><div hidden=until-found style='display: none'>Planted</div>",
        ["### Where?\n\nAt the pier."],
        ["Planted"],
    ),
    "a logo": (
        "<a href=/><svg width=200 height=60><text y=30>Acme</text></svg></a><svg width=200 height=60><text y=30>A</text><text "
        "x=30 y=30>B</text><text x=60 y=30>C</text></svg>",
        [],
        ["- Acme", "A · B"],
    ),
    "the back of a card": (
        "<div style='backface-visibility: hidden; transform: rotateY(180deg)'>The back of it</div><p>The front of it</p>",
        ["The front"],
        ["The back"],
    ),
}


@pytest.fixture(scope="module")
def passed(site_at, browser, at_once):
    site = site_at()

    def work(name):
        path = f"/{list(PAGES).index(name)}"
        url = site.html(path, f"<!doctype html><meta charset=utf-8><title>T</title>{PAGES[name][0]}")
        page = browser.render(url, deadline=time.monotonic() + 90)
        root = parse_html(page.html)
        take_marks(root, page.mark)
        return to_markdown(root), page

    return at_once(work, PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_what_a_reader_who_scrolls_reads_is_there(passed, name):
    markdown, page = passed(name)
    _, present, absent = PAGES[name]
    assert [text for text in present if text not in markdown] == []
    assert [text for text in absent if text in markdown] == []
    assert page.is_whole


@pytest.mark.parametrize(("milliseconds", "has_passed_all"), [(50, False), (60_000, True)])
def test_a_page_whose_time_for_scrolling_ran_up_was_not_passed_to_its_end(
    site, browser, render, milliseconds, has_passed_all
):
    url = site.html("/", "<!doctype html><div style='height: 6000px'>Words</div>")
    render(url)  # starts the browser
    with Page(browser.engine, PageOptions("agent", 1 << 20, 5)) as page:
        deadline = time.monotonic() + 90
        page.open(deadline)
        page._wait_for_document(page._start("Page.navigate", {"url": url}), url, deadline)
        page._wait(lambda: page._is_loaded, deadline)
        options = json.dumps({"screens": 12, "time": milliseconds, "isRestless": False, "start": 0})
        passed = page._evaluate(f"{scripts.SCROLL_DOWN}({options})", deadline)
    assert (passed["end"] >= 6000) is has_passed_all


def test_a_feed_that_shows_a_part_at_a_time_is_noted(site, render):
    rows = (
        "const row = (n) => `<p style='position: absolute; top: ${300 * n}px'>The words of post number ${n}, here</p>`;"
    )
    show = "const at = Math.floor(scrollY / 300); f.innerHTML = Array.from({length: 6}, (_, n) => row(at + n)).join('')"
    body = f"<div id=f style='position: relative; height: 12000px'></div><script>{rows} function show() {{ {show} }} show();"
    page = render(site.html("/", f"<!doctype html>{body} addEventListener('scroll', show)</script>"))
    assert "post number 0" in page.html
    assert any("shows a part at a time" in note for note in page.notes)


# Pages whose main content is asked for: name -> (body, its markdown).
MAIN = {
    "the open popup of a map": (
        f"<main><h1>Port</h1><p>{TEXT}</p>{POPUP}<p>{TEXT}</p></main>",
        "**Harbour office**\\\n12 Quay Street",
    ),
    "tooltips of a map that stay open": (
        f"<main><h1>Port</h1><p>{TEXT}</p><div class=leaflet-container style='height: 300px'><div class='leaflet-pane leaflet-tooltip-pane'>"
        "<div class=leaflet-tooltip role=tooltip id=leaflet-tooltip-8>North pier cafe, open all year</div></div></div>"
        f"<p>{TEXT}</p></main>",
        "North pier cafe, open all year",
    ),
    "a dialog whose title is in larger letters": (
        f"<main><h1>Photos</h1><p>{TEXT}</p></main><div role=dialog aria-modal=true class=v-dialog><div class=v-card><div "
        f"style='font-size: 20px'>Rules of the pier</div><div>Nobody fishes here at night, {TEXT}</div><button>Close</button></div></div>",
        "## Rules of the pier\n\nNobody fishes here",
    ),
    "a dialog that is the page": (
        "<main><h1>Photos</h1><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></main><div role=dialog class=modal style='position: "
        f"fixed; inset: 40px; background: #fff'><h2>The lighthouse</h2><p>{TEXT}</p><p>{TEXT}</p><button>Close</button></div>",
        "## The lighthouse\n\n",
    ),
}


@pytest.mark.parametrize("name", MAIN)
def test_what_is_open_over_a_page_is_main_content(site, render, name):
    body, words = MAIN[name]
    page = render(site.html("/", f"<!doctype html><meta charset=utf-8><title>T</title><body>{body}"))
    root = parse_html(page.html)
    take_marks(root, page.mark)
    assert words in extract(root).markdown
