"""With a browser, the text has what the browser shows and nothing else, whatever the judgement without one would be."""

import itertools
import json
import time

import pytest
from hiding import (
    INVALID_SELECTORS,
    PAINTED,
    PAINTED_LETTERS,
    SCROLLED,
    UNPAINTED,
    UNPAINTED_LETTERS,
    UNSEEN_STYLES,
    UNUSED_RULES,
    VALID_SELECTORS,
)  # fmt: skip

from webtool.browser import reading
from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import take_marks

SECRET = "Planted words that nobody sees."
STORY = "<h1>Tides</h1><p>The harbour has two tides a day, and the second one comes later.</p>"

# By what hides the secret: the body of a page.
HIDING = {
    "an outer style sheet": f'<link rel=stylesheet href="/x.css"><div class=a>{SECRET}</div>',
    "an imported style sheet": f'<style>@import "/x.css";</style><div class=a>{SECRET}</div>',
    "insertRule": f"<style id=s></style><div class=q>{SECRET}</div><script>s.sheet.insertRule('.q {{display: none}}')</script>",
    "adoptedStyleSheets": f"<div class=q>{SECRET}</div><script>const c = new CSSStyleSheet();"
    "c.replaceSync('.q {opacity: 0}'); document.adoptedStyleSheets = [c];</script>",
    "popover": f"<div popover>{SECRET}</div>",
    ":has()": f"<style>main:has(i) .q {{display: none}}</style><main><i>x</i><div class=q>{SECRET}</div></main>",
    "a shadow tree's styles": "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML ="
    f"'<style>p {{display: none}}</style><p>{SECRET}</p><b>shadow text</b>'; }} }});</script>",
    "a box over the text beside it": f"<div style='position:relative'>{SECRET}"
    "<i style='position:absolute;inset:0;background:#fff'></i></div>",
    "off the screen in a shadow tree": "<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'})"
    f".innerHTML = '<div style=\"position: absolute; left: -9999px\">{SECRET}</div><b>shadow text</b>'</script>",
    "visibility": f"<style>.q {{visibility: hidden}}</style><div class=q>{SECRET}</div>",
    "clip": f"<style>.q {{position: absolute; clip: rect(0 0 0 0); overflow: hidden}}</style><div class=q>{SECRET}</div>",
    "clip-path": f"<style>.q {{clip-path: inset(50%)}}</style><div class=q>{SECRET}</div>",
    "off the screen": f"<style>.q {{position: absolute; left: -9999px}}</style><div class=q>{SECRET}</div>",
    "an indent": f"<style>.q {{text-indent: -9999px; overflow: hidden}}</style><div class=q>{SECRET}</div>",
    "a tiny font": f"<style>.q {{font-size: 1px}}</style><div class=q>{SECRET}</div>",
    "the background's colour": f"<style>.q {{color: #fefefe}}</style><div class=q>{SECRET}</div>",
    "a transparent fill": f"<style>.q {{-webkit-text-fill-color: transparent}}</style><div class=q>{SECRET}</div>",
    "no size": f"<style>.q {{width: 0; height: 0; overflow: hidden}}</style><div class=q>{SECRET}</div>",
    "a scale": f"<style>.q {{transform: scale(0)}}</style><div class=q>{SECRET}</div>",
    "content-visibility": f"<style>.q {{content-visibility: hidden}}</style><div class=q>{SECRET}</div>",
    "a media query": f"<style>@media (min-width: 100px) {{.q {{display: none}}}}</style><div class=q>{SECRET}</div>",
    "overwritten prototypes": "<script>window.getComputedStyle = () => ({display: 'block', opacity: '1'});"
    "Element.prototype.checkVisibility = () => true; Element.prototype.getBoundingClientRect = () => ({width: 99,"
    f"height: 99, right: 99, bottom: 99}});</script><style>.q {{display: none}}</style><div class=q>{SECRET}</div>",
    "text-shade far to the left": f"<style>.q {{color: transparent; text-shadow: -9999px 0 #000}}</style><div class=q>{SECRET}</div>",
    "text-shade far above": f"<style>.q {{color: transparent; text-shadow: 0 -9999px 1px #000}}</style><div class=q>{SECRET}</div>",
    "a mark of its own": f'<style>.q {{display: none}}</style><div class=q seen="" data-seen="">{SECRET}</div>',
}
SHOWN = {
    "a class name that hides elsewhere": "<div class='sr-only hidden'>Shown words all the same.</div>",
    "a flex box of no width": "<div style='display:flex'><div style='flex:1;width:0;overflow:hidden'>Shown words all the same.</div></div>",
    "white on a dark block": "<div style='background:#222'><p style='color:#fff'>Shown words all the same.</p></div>",
    "white on a picture": "<div style='position:relative'><img style='position:absolute' src=/p.png>"
    "<p style='color:#fff;position:relative'>Shown words all the same.</p></div>",
    "a gradient text": "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>Shown words all the same.</p>",
    "a gradient text in a span": "<h2 style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'><span>Shown words</span> all the same.</h2>",
    "a card that turns": "<style>.c {perspective: 900px} .i {position: relative; transform-style: preserve-3d} .c:hover .i {transform: rotateY(180deg)}"
    ".f, .k {position: absolute; backface-visibility: hidden} .k {transform: rotateY(180deg)}</style>"
    "<div class=c><div class=i><div class=f>Front.</div><div class=k>Shown words all the same.</div></div></div>",
    "a slide before the present one": "<style>.o {overflow: hidden} .t {display: flex} .s {flex: 0 0 100%; transform: translateX(-100%)}</style>"
    "<div class=o><div class=t><div class=s>Shown words all the same.</div><div class=s>Two.</div></div></div>",
    "under a link over all of it": "<div style='position:relative'><p>Shown words all the same.</p><a href=/x style='position:absolute;inset:0'></a></div>",
    "a field named like the text of its form": "<div style='position:relative'>Shown words all the same.<form "
    "style='position:absolute;right:0;width:5px;height:5px;background:#fff'><input type=hidden name=innerText></form></div>"
    "<form style='white-space:pre;font-family:monospace'><input type=hidden name=textContent></form>",
    "a fade that has ended": "<style>@keyframes k {from {opacity: 0} to {opacity: 1}} p.f {animation: k .1s forwards}</style><p class=f>Shown words all the same.</p>",
    "a tab's panel": "<div role=tablist><button role=tab aria-controls=p2>Two</button></div><div id=p2 role=tabpanel hidden>Shown words all the same.</div>",
    "a closed details": "<details><summary>More</summary><p>Shown words all the same.</p></details>",
    "a frame of the same origin": "<iframe src=/inner></iframe>",
    "a frame in a frame": "<iframe src=/outer></iframe>",
    "srcdoc": '<iframe srcdoc="<p>Shown words all the same.</p>"></iframe>',
}  # fmt: skip


@pytest.fixture(scope="module")
def text_of(site_at, browser):
    site = site_at()
    site.routes["/x.css"] = (200, "text/css", ".a {display: none}")
    site.routes["/inner"] = (200, "text/html", "<!doctype html><p>Shown words all the same. <a href=next>on</a></p>")
    site.routes["/outer"] = (200, "text/html", "<!doctype html><iframe src=/inner></iframe>")

    paths = map("/{}".format, itertools.count())

    def work(body):
        url = site.html(next(paths), f"<!doctype html><title>Tides</title><body>{STORY}{body}")
        page = browser.render(url, deadline=time.monotonic() + 90)
        root = parse_html(page.html)
        if page.mark:
            take_marks(root, page.mark)
        return to_markdown(root, page.final_url)

    return work


OPEN = "Shown words all the same."
# These share a page, which saves opening one for each. The others have scripts, frames or style sheets of their own.
TOGETHER = {
    name: body
    for name, body in {**HIDING, **SHOWN}.items()
    if not any(part in body for part in ("<script", "/x.css", "<iframe"))
    and (name in HIDING or ("<style" not in body and OPEN in body))
}


@pytest.fixture(scope="module")
def texts(text_of, at_once):
    """texts(name): the text of a case. Those of TOGETHER are in sections of one page, with words and class names of their own."""

    def own(number, body):
        for words in (SECRET, OPEN, ".q", "class=q"):
            body = body.replace(
                words, f"{words[:-1]} {number}{words[-1]}" if words.endswith(".") else f"{words}{number}"
            )
        return f"<section>{body}</section>"

    alone = {name: body for name, body in {**HIDING, **SHOWN}.items() if name not in TOGETHER}
    alone["together"] = "".join(own(number, body) for number, body in enumerate(TOGETHER.values()))
    get = at_once(lambda name: text_of(alone[name]), alone)

    def text(name):
        if name not in TOGETHER:
            return get(name)
        number = list(TOGETHER).index(name)
        found = [line for line in get("together").splitlines() if f" {number}." in line]
        return "\n".join(["two tides a day" if "two tides a day" in get("together") else "", *found]).replace(
            f" {number}.", "."
        )

    return text


@pytest.mark.parametrize("name", HIDING)
def test_unseen_text_is_left_out(texts, name):
    text = texts(name)
    assert "Planted" not in text
    assert "two tides a day" in text
    assert ("shadow text" in text) == ("shadow" in name)


def in_graphics(letters):
    return [f"<svg width=300 height=150>{one}</svg>" for one in letters]


@pytest.fixture(scope="module")
def painted(text_of):
    """Return, for each case, whether its words are in the text of one page that has all cases, numbered."""
    graphics = in_graphics([*UNPAINTED_LETTERS, *PAINTED_LETTERS])
    cases = {style: f"""<p style="{style.replace('"', "'")}">X</p>""" for style in (*UNPAINTED, *PAINTED)}
    cases.update((html, html) for html in (*UNSEEN_STYLES, *graphics))
    words = {case: f"Case {at}." for at, case in enumerate(cases)}
    sections = [f"<section>{html.replace('X', words[case])}</section>" for case, html in cases.items()]
    text = text_of("<style>.unfilled {fill: none}</style>" + "".join(sections))
    return {case: words[case] in text for case in cases}


@pytest.mark.parametrize("case", [*UNPAINTED, *UNSEEN_STYLES, *in_graphics(UNPAINTED_LETTERS)])
def test_unpainted_text_is_left_out(painted, case):
    assert painted[case] is (case in SCROLLED)


@pytest.mark.parametrize("case", [*PAINTED, *in_graphics(PAINTED_LETTERS)])
def test_painted_text_is_written(painted, case):
    assert painted[case]


def test_the_tables_of_rules_that_show_nothing_are_the_browsers(text_of):
    rules = [f".a,{selector}{{display:block}}" for selector in (*INVALID_SELECTORS, *VALID_SELECTORS)]
    text = text_of(
        "<div class=w><p id=i class='a b'>x</p></div><ul id=o></ul><script>"
        f"for (const [number, rule] of {json.dumps([*rules, *UNUSED_RULES])}.entries()) {{"
        "const sheet = new CSSStyleSheet(); sheet.replaceSync('.a{display:none} ' + rule);"
        "document.adoptedStyleSheets = [sheet];"
        "if (getComputedStyle(i).display != 'none') o.innerHTML += `<li>rule ${number};</li>`; }"
        "document.adoptedStyleSheets = [];</script>"
    )
    showing = [number for number in range(len(rules) + len(UNUSED_RULES)) if f"rule {number};" in text]
    assert showing == list(range(len(INVALID_SELECTORS), len(rules)))


def test_a_page_with_too_many_elements_for_the_browser_is_judged_by_its_styles(text_of, monkeypatch):
    monkeypatch.setattr(reading, "JUDGED_ELEMENTS", 5)
    text = text_of(f"<p style='opacity: 0'>{SECRET}</p><iframe srcdoc='<p style=opacity:0>{SECRET}</p>'></iframe>")
    assert "two tides a day" in text
    assert "Planted" not in text


@pytest.mark.parametrize("name", SHOWN)
def test_seen_text_and_text_one_click_away_is_written(texts, name):
    assert OPEN in texts(name)
