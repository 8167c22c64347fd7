"""When a page is at rest: what it does a moment after its network is quiet is waited for, and nothing else is."""

import time

import pytest

from webtool.browser import page
from webtool.browser.traffic import MainDocument

WAITED_FOR = {
    "a timer of 0.7 s": "setTimeout(show, 700)",
    "a timer of 1 s": "setTimeout(show, 1000)",
    "a timer of 2.5 s on a page without text": "setTimeout(show, 2500)",
    "an interval of 2 s on a page without text": "const n = setInterval(() => { clearInterval(n); show() }, 2000)",
    "a worker that takes a second": "new Worker('/slow.js').onmessage = show",
    "timers that follow each other": "setTimeout(() => setTimeout(() => setTimeout(show, 400), 700), 300)",
    "an interval's first turn": "const n = setInterval(() => { clearInterval(n); show() }, 800)",
    "a timer, and what it asks for": "setTimeout(() => fetch('/slow').then(show), 600)",
    "frames of animation": "let n = 0; function f() { s.textContent = ++n; n < 30 ? requestAnimationFrame(f) : show() }"
    " f()",
    "frames of animation on a page that keeps its events": "addEventListener('DOMContentLoaded', (event) => event."
    "stopImmediatePropagation(), true); let m = 0; function g() { s.textContent = ++m;"
    " m < 30 ? requestAnimationFrame(g) : show() } g()",
    "changes of a document that is written anew and stays open": "setTimeout(() => { document.open(); document.write("
    "'<p id=p>'); let k = 0; (function h() { document.title = ++k; k < 30 ? requestAnimationFrame(h)"
    " : document.write('It has ' + 'come.</p>') })() }, 50)",
    "a picture that has loaded": "const i = new Image(); i.onload = () => setTimeout(show, 300); i.src = '/p.png'",
    "a font that has loaded": "new FontFace('F', 'url(/f.woff2)').load().then(show)",
    "fonts of the document": "document.head.insertAdjacentHTML('beforeend', '<style>@font-face {font-family: F; src: "
    "url(/f.woff2)}</style>'); document.fonts.load('1em F').then((found) => found.length && show())",
    "a message of a worker": "new Worker('/w.js').onmessage = show",
    "a stream of events": "new EventSource('/events').onmessage = show",
}


@pytest.mark.parametrize("name", WAITED_FOR)
def test_what_comes_a_moment_later_is_waited_for(rested, name):
    assert "It has come.</p>" in rested(name).html


def test_figures_whose_pictures_are_not_loaded_stay(site, render):
    body = "<figure><img src=/p.png onerror='this.parentElement.remove()'><figcaption>The harbour</figcaption></figure>"
    assert "The harbour" in render(site.html("/", f"<!doctype html>{body}")).html
    assert "/p.png" not in site.requests


# Script -> the note that it leads to, "" for none.
RESTLESS = {
    "setInterval(() => { p.textContent = Date.now() }, 100)": "text was still changing in 1 place",
    "(function f() { p.textContent = performance.now(); requestAnimationFrame(f) })()": "text was still changing",
    "(function f() { setTimeout(f, 200) })()": "",
    "setTimeout(() => 0, 5000); setInterval(() => 0, 9000)": "a timer that is due in 4",
    "clearTimeout(setTimeout(() => 0, 1100))": "",
    "clearTimeout(setTimeout(() => 0, 2100)); clearInterval(setInterval(() => 0, 2500))": "",
}


@pytest.fixture(scope="module")
def rested(site_at, browser, at_once):
    site = site_at()
    site.routes["/slow"] = (200, "text/plain", "x")
    site.routes["/w.js"] = (200, "text/javascript", "setTimeout(() => postMessage(1), 300)")
    site.routes["/slow.js"] = (200, "text/javascript", "setTimeout(() => postMessage(1), 1200)")
    site.routes["/events"] = (200, "text/event-stream", "data: x\n\n")
    scripts = {**WAITED_FOR, **{script: script for script in RESTLESS}}
    paths = {name: f"/{number}" for number, name in enumerate(scripts)}
    # The page has the words only while they are shown.
    body = "<p id=s></p><p id=p></p><b>here</b><script>const show = () => p.replaceChildren('It has ', 'come.');"

    def work(name):
        url = site.html(paths[name], f"<!doctype html>{body}{scripts[name]}</script>")
        return browser.render(url, deadline=time.monotonic() + 90)

    return at_once(work, scripts)


@pytest.mark.parametrize("name", RESTLESS)
def test_page_that_never_rests_is_read_soon(rested, name):
    rendered = rested(name)
    assert "<b>here</b>" in rendered.html
    assert RESTLESS[name] in "".join(rendered.notes)
    assert bool(rendered.notes) is bool(RESTLESS[name])


def test_page_whose_scripts_are_forbidden_is_at_rest(site, render):
    site.routes["/"] = (200, {"Content-Type": "text/html", "Content-Security-Policy": "sandbox"}, "<h1>Report</h1>")
    rendered = render(site.origin + "/")
    assert "<h1>Report</h1>" in rendered.html
    assert not rendered.notes  # scrolling, which waits for timers, would last until "the page was still loading"


@pytest.mark.parametrize(
    ("policy", "forbids"),
    [
        ("sandbox", True),
        ("default-src 'none'; Sandbox allow-same-origin;", True),
        ("script-src 'self', sandbox", True),
        ("sandbox allow-forms allow-scripts", False),
        ("script-src sandbox", False),
        ("", False),
    ],
)
def test_sandbox_in_a_policy_forbids_scripts(policy, forbids):
    headers = (("Content-security-policy", policy),)
    document = MainDocument("https://x.example/", 200, "text/html", "text/html", headers=headers)
    assert page._forbids_scripts(document) is forbids


def test_timer_that_a_busy_page_is_late_to_run_is_still_due(site, render):
    """On a slow machine every timer is late, and a page whose timers follow each other was read between two of them."""
    script = (
        "setTimeout(() => 0, 50); scheduler.postTask(() => 0, {delay: 50}); while (performance.now() - begun < 600);"
    )
    body = f"<p id=p></p><script>const begun = performance.now(); {script} p.textContent = webtoolRest</script>"
    html = render(site.html("/", f"<!doctype html>{body}")).html
    due = float(html.partition('<p id="p">')[2].partition(" ")[0])
    assert due > 0, html
