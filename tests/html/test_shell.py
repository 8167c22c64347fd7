"""Recognise pages that only scripts would fill, and pages that look like them but have content."""

import gzip
import json
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html import parse_html
from webtool.html.shell import looks_like_js_shell

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpus" / "wcxb-dev"

TEXT = "A paragraph with enough words to be read by somebody who came for it. " * 12
SCRIPTS = "<script src=/a.js></script><script src=/b.js></script><script>start()</script>"

SHELLS = [
    ("<!doctype html><title>App</title><div id=root></div><script src=/main.js></script>", "#root is empty"),
    ("<div id=app><!-- built later --></div><script type=module src=/a.js></script>", "#app is empty"),
    ("<div id=__next></div><script id=d type=application/json>{}</script><script src=/n.js></script>", "#__next"),
    ("<body><app-root></app-root><script src=/main.js type=module></script>", "<app-root> is empty"),
    ("<header>Shop</header><div id=app></div><footer>(c) Shop</footer><script src=/a.js></script>", "#app is empty"),
    ("<div id=root><div class=spinner></div></div><link rel=modulepreload href=/c.js>", "#root is empty"),
    ("<head><link rel=preload as=script href=/c.js></head><div id=__nuxt></div>", "#__nuxt is empty"),
    (
        "<noscript>You need to enable JavaScript to run this app.</noscript><p>Loading</p><script src=a></script>",
        "asks",
    ),
    ("<p>Please turn on JavaScript and reload the page.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<p>This site requires Javascript.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<p>JavaScript is disabled in your browser.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<div class=loading>Loading...</div>" + SCRIPTS, "only says that it is loading"),
    ("<p>Our app</p>" + SCRIPTS, "almost no text and 3 scripts"),
    ("<div id=elm-node></div><script src=/elm.js></script>", "no text until scripts run"),
    ("<script type=module src=/assets/index.js></script>", "no text until scripts run"),
    ("<redoc spec-url=/openapi.json></redoc><script src=/redoc.js></script>", "no text until scripts run"),
    ("<app-root id=app>Loading...</app-root><script src=/a.js></script>", "#app is empty"),
    ("<div id=app><div class=splash>Please wait, the application is loading</div></div><script></script>", "#app is"),
    ("<div id=root><p>Wird geladen …</p></div><script src=/a.js></script>", "#root is empty"),
    ("<div id=app>読み込み中</div><script src=/a.js></script>", "#app is empty"),
    (f"<nav><a href=/a>{TEXT}</a></nav><div id=root></div><footer>{TEXT}</footer><script src=a></script>", "#root is"),
    (
        f"<header>{TEXT}</header><div class=outlet></div><footer>{TEXT}</footer><script src=a></script>",
        "no text outside",
    ),
    (f"<div role=navigation>{TEXT}</div><x-main></x-main><script src=a></script>", "<x-main> is empty"),
]

PAGES = [
    f"<div id=root><p>{TEXT}</p></div>{SCRIPTS}",
    f"<div id=root></div><main><p>{TEXT}</p></main>{SCRIPTS}",
    f"<p>{TEXT}</p><noscript>Please enable JavaScript for comments.</noscript>{SCRIPTS}",
    "<p>Short, but complete.</p>",
    "<p>Short, but complete, and counted.</p><script src=/count.js></script>",
    "<p>How to enable JavaScript in your browser</p>",
    "<div id=root></div>",
    "<div id=root>Short text</div><script src=/a.js></script>",
    "<h1>Sign in</h1><form><input type=email><input type=password><button>Go</button></form><script src=a></script>",
    "<form><input type=search name=q></form><script src=a.js></script>",
    "<p>Closed today.</p><script src=a.js></script>",
    "<h1>Loading dock rules</h1><p>Trucks stop at the gate.</p><script src=a.js></script>",
    "<p>Loading bays are closed.</p><p>Come again.</p><script src=a.js></script>",
    "<h1>What JavaScript is</h1><p>JavaScript is a language. Browsers run it.</p><script src=a.js></script>",
    "<video src=a.mp4></video><script src=a.js></script>",
    f"<nav>{TEXT}</nav><main>The shop opens at nine.</main><footer>{TEXT}</footer><script src=a.js></script>",
    f"<noscript><main>{TEXT}</main></noscript><discourse-app></discourse-app>{SCRIPTS}",
    f"<img src=photo.jpg>{SCRIPTS}",
    f"<iframe src=/reader></iframe>{SCRIPTS}",
    "<script type=application/ld+json>{}</script><script type=text/template><p></p></script><p>Data</p>" * 3,
    "",
]


@pytest.mark.parametrize(("page", "reason"), SHELLS)
def test_shell_is_recognised_with_its_reason(page, reason):
    assert reason in looks_like_js_shell(parse_html(page))


@pytest.mark.parametrize("page", PAGES)
def test_page_with_content_is_not_a_shell(page):
    assert looks_like_js_shell(parse_html(page)) is None


def test_deep_pages_do_not_recurse():
    page = "<div>" * 20000 + "<div id=root></div>" + SCRIPTS
    assert looks_like_js_shell(parse_html(page)) == "#root is empty until scripts run"


PARTS = [*"<script> </script> <noscript> </noscript> <x-y> <p> word".split(), "<div id=app>", "enable javascript"]


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=20)))
def test_any_page_gets_an_answer(parts):
    answer = looks_like_js_shell(parse_html("".join(parts)))
    assert answer is None or answer


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside this checkout")
def test_real_pages_with_an_article_are_not_shells():
    """The corpus was fetched without a browser, so pages with a text to extract are not shells."""
    with gzip.open(CORPUS / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = {row["id"]: row["main_content"] or "" for row in map(json.loads, file)}
    seen, wrong = 0, []
    for name, text in list(texts.items())[::20]:
        page = gzip.decompress((CORPUS / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        words = {word for word in text.split() if word.isalpha() and len(word) > 3}
        # Some pages were read with a browser and stored without: their text is not in the file. Large ones take long.
        if len(page) > 200_000 or len(words) < 30 or sum(word in page for word in words) < 0.8 * len(words):
            continue
        seen += 1
        if looks_like_js_shell(parse_html(page)):
            wrong.append(name)
    assert seen > 20
    assert wrong == []
