"""Real applications of real frameworks, installed from npm into a folder for temporary files and built there.

Where npm, node or the network is missing, or the installation takes too long, the tests are skipped with the reason;
what npm has fetched is kept for the next run.
"""

import hashlib
import mimetypes
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from webtool.extraction import extract
from webtool.html import parse_html
from webtool.markdown import to_markdown
from webtool.visibility.hidden import take_marks

SOURCES = pathlib.Path(__file__).parent / "applications"
INSTALL_SECONDS = 120
# As they were before the tests put their own folders in place: npm finds its settings by them.
ENVIRON = dict(os.environ)
ABOVE = tempfile.gettempdir()


def _run(argv, folder, seconds):
    """None, or why it did not work."""
    try:
        done = subprocess.run(argv, cwd=folder, env=ENVIRON, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"{argv[0]} took longer than {seconds} s"
    return None if done.returncode == 0 else f"{argv[0]}: {(done.stderr or done.stdout).strip()[-200:]}"


@pytest.fixture(scope="session")
def packages():
    """The folder with the packages and the built applications."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no npm and node to build applications with")
    described = (SOURCES / "package.json").read_bytes()
    folder = pathlib.Path(ABOVE, f"webtool-applications-{hashlib.sha256(described).hexdigest()[:12]}")
    folder.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
        pytest.skip(f"{folder} is another user's")
    if not (folder / "installed").exists():
        (folder / "package.json").write_bytes(described)
        argv = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        reason = _run(argv, folder, INSTALL_SECONDS)
        if reason:
            pytest.skip(f"the applications could not be installed: {reason}")
        (folder / "installed").touch()
    reason = _run([node, str(SOURCES / "build.mjs"), str(SOURCES), str(folder)], folder, 60)
    assert reason is None, reason
    return folder


@pytest.fixture
def text_of(site, browser, packages, render):
    """text_of(body, name=""): a page with a built application, as markdown, its title and its notes."""

    def file(handler):
        path = packages / handler.path.partition("?")[0].lstrip("/")
        kind = mimetypes.guess_type(path.name)[0] or "text/plain"
        return (200, kind, path.read_bytes()) if path.is_file() else (404, "text/plain", "no such file")

    class Files(dict):
        """The site's routes, then the packages."""

        def get(self, path, _=None):
            return super().get(path, file)

    site.routes = Files()

    def work(body, name=""):
        script = f"<script src=/app-{name}.js></script>" if name else ""
        url = site.html("/", f"<!doctype html><meta charset=utf-8><title>App</title>{body}{script}")
        page = render(url, max_bytes=8 << 20)
        root = parse_html(page.html)
        take_marks(root, page.mark)
        return to_markdown(root, page.final_url), page

    return work


def test_react_with_suspense_portal_skeleton_route_tabs_and_feed(text_of):
    text, page = text_of("<div id=root></div><div id=notices></div>", "react")
    assert page.title == "Harbour today"
    assert page.final_url.endswith("/harbour/today")
    for words in ("The lazy part has come.", "The boats came in at noon.", "A notice through a portal."):
        assert words in text
    assert "All about tides" in text
    assert "All about winds" in text
    assert "News item 40." in text
    assert "placeholder" not in text


def test_vue_with_suspense_teleport_transition_and_accordion(text_of):
    text, _ = text_of("<div id=root></div><div id=notices></div>", "vue")
    assert "| Cedar | 21 m |" in text
    for words in ("The async component has come.", "A notice by teleport.", "A line that fades in.", "a metre a year"):
        assert words in text
    assert "placeholder" not in text
    assert "Never rendered" not in text


def test_svelte_with_awaited_part_and_details(text_of):
    text, _ = text_of("<div id=root></div>", "svelte")
    assert "- red\n- green\n- white" in text
    assert "They are lit at dusk." in text
    assert "The keeper lights them." in text
    assert "placeholder" not in text


def test_lit_components_are_read_through_their_slots(text_of):
    text, _ = text_of("<harbour-card><b slot=title>Boats at anchor</b><p>Slotted words.</p></harbour-card>", "lit")
    assert "## **Boats at anchor**\n\nSlotted words.\n\n- Anna\n- Berta\n\nNested and slotted: in the foot" in text
    assert "Planted" not in text


def test_ag_grid_is_one_table_over_its_pinned_parts(text_of):
    text, page = text_of('<h1>Register</h1><div id=grid style="height:400px"></div>', "aggrid")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows[:5] == [line for line in extract(page.html).markdown.splitlines() if line.startswith("|")][:5]
    assert rows[0] == "| Boat | Port | Length (m) | Afloat | Year |"
    assert rows[2:5] == [
        f"| Boat {n} | Port {n - 1} | {n + 4} | [{'x '[n % 2 == 0]}] | {1949 + n} |" for n in (1, 2, 3)
    ]
    assert f"*Showing {len(rows) - 2} of 1,000 rows*" in text
    assert "Page Size" not in text


def test_tabulator_is_a_table(text_of):
    sheet = "<link rel=stylesheet href=/node_modules/tabulator-tables/dist/css/tabulator.min.css>"
    text, page = text_of(f"{sheet}<div id=grid></div>", "tabulator")
    assert text.startswith("| Light | Colour | Height |")
    assert "| Light 2 | green | 4 |" in text
    assert extract(page.html).markdown.startswith("| Light | Colour | Height |")


WORDS = "Some sentences of plain text that belong to the page, with commas, and more words than a menu has."


def test_code_of_editors_and_diffs_is_fenced_without_line_numbers(text_of):
    sheet = "<link rel=stylesheet href=/node_modules/diff2html/bundles/css/diff2html.min.css>"
    text, _ = text_of(
        f"{sheet}<p>{WORDS}</p><div id=editor></div><p>{WORDS}</p><div id=changes></div><div id=merged></div>",
        "editors",
    )
    assert "```python\ndef area(r):\n    if r < 0:\n        return 0\n\n    return 3 * r\n```" in text
    assert "-    return 3 * r\n+    return 3.14 * r * r\n```" in text
    assert (
        "```diff\n def area(r):\n     if r < 0:\n         return 0\n\n-    return 3 * r\n+    return 3.14 * r * r\n```"
        in text
    )
    assert "⌄" not in text
    assert "\n1\n" not in text


def test_months_and_weeks_of_calendars_have_events_at_their_days(text_of):
    sheet = "<link rel=stylesheet href=/node_modules/react-big-calendar/lib/css/react-big-calendar.css>"
    boxes = "".join(f"<div id=react-{view} style='height: 600px'></div>" for view in ("month", "week"))
    text, _ = text_of(f"{sheet}<div id=month></div>{boxes}", "calendar")
    assert (
        "| Sun | Mon | Tue | Wed | Thu | Fri | Sat |\n| --- | --- | --- | --- | --- | --- | --- |\n| 26 | 27 |" in text
    )
    assert "| 3 | 4 | 5 | 6 | 7 | 8 | 9<br>Regatta |\n| 10 | 11 | 12<br>Harbour board | 13 |" in text
    assert "| 03 | 04 | 05 | 06 | 07 | 08 | 09<br>Regatta |\n| 10 | 11 | 12<br>Harbour board | 13 |" in text
    assert "| 14<br>Festival | 15<br>Festival | 16 |" in text
    assert "12 Tue\n\n9:00 AM – 10:00 AM\n\nHarbour board\n\n13 Wed\n\n14 Thu\n\nFestival" in text


def test_all_slides_of_a_deck_are_read_and_its_notes_are_not(text_of):
    sheet = "<link rel=stylesheet href=/node_modules/reveal.js/dist/reveal.css>"
    slides = "".join(f"<section><h2>Slide {n}</h2><p class=fragment>Point {n}.</p></section>" for n in range(9))
    inner = (
        "<section><section><h2>West</h2><aside class=notes>Planted</aside></section><section><h2>East</h2></section>"
    )
    text, _ = text_of(f"{sheet}<div class=reveal><div class=slides>{slides}{inner}</section></div></div>", "deck")
    assert [n for n in range(9) if f"## Slide {n}\n\nPoint {n}." not in text] == []
    assert "## West\n\n## East" in text
    assert "Planted" not in text


def test_popup_slides_and_turning_digits_are_read(text_of):
    sheets = "".join(
        f"<link rel=stylesheet href=/node_modules/{path}>" for path in ("leaflet/dist/leaflet.css", "swiper/swiper.css")
    )
    slides = "".join(f"<div class=swiper-slide><p>Words of guest {n}.</p></div>" for n in range(4))
    body = f"<p>{WORDS}</p><div id=map style='height: 300px'></div><div class=swiper><div class=swiper-wrapper>{slides}"
    text, page = text_of(
        f"{sheets}<main>{body}</div></div><p>Sold: <b id=sold></b> boats</p><p>{WORDS}</p></main>", "place"
    )
    assert [n for n in range(4) if f"Words of guest {n}." not in text] == []
    assert "Sold: **4,321** boats" in text
    root = parse_html(page.html)
    take_marks(root, page.mark)
    assert "**Harbour office**\\\n12 Quay Street" in extract(root).markdown
    assert "Ferries to the islands" in extract(root).markdown


def test_dialog_that_is_the_page_comes_with_its_heading(text_of):
    _, page = text_of("<div id=root></div>", "dialog")
    root = parse_html(page.html)
    take_marks(root, page.mark)
    assert extract(root).markdown.startswith("## The lighthouse\n\nTaken at dusk from the pier.\n\nThe keeper climbs")


FORMULAS = r"""<p>The area is \(\int_0^1 x^2\,dx = \frac{1}{3}\), and in full</p>
<p>$$\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}$$</p><p>so it ends.</p>"""
OWN_TEX = (r"\int_0^1 x^2\,dx = \frac{1}{3}", r"\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}")
TRANSLATED = (r"\int_0^1x^2 dx = \frac{1}{3}", r"\sum_{n = 1}^\infty\frac{1}{n^2} = \frac{\pi^2}{6}")
BOXES = (r"\int_0^1x^2dx = \frac{1}{3}", r"\sum_{n = 1}^\infty\frac{1}{n^2} = \frac{\pi^2}{6}")
KATEX = "/node_modules/katex/dist/"
TYPESETTERS = {
    "MathJax 2 CHTML": ("/node_modules/mathjax2/MathJax.js?config=TeX-MML-AM_CHTML", "", OWN_TEX),
    "MathJax 2 SVG": ("/node_modules/mathjax2/MathJax.js?config=TeX-MML-AM_SVG", "", OWN_TEX),
    "MathJax 3 CHTML": ("/node_modules/mathjax3/es5/tex-mml-chtml.js", "", TRANSLATED),
    "MathJax 3 SVG": ("/node_modules/mathjax3/es5/tex-svg.js", "", TRANSLATED),
    "MathJax 4 CHTML": ("/node_modules/mathjax4/tex-chtml.js", "", OWN_TEX),
    "MathJax 4 SVG": ("/node_modules/mathjax4/tex-svg.js", "", OWN_TEX),
    "KaTeX": (
        f"{KATEX}katex.min.js",
        f"<link rel=stylesheet href={KATEX}katex.min.css><script defer src={KATEX}contrib/auto-render.min.js "
        "onload='renderMathInElement(document.body)'></script>",
        OWN_TEX,
    ),
    "KaTeX without MathML": (
        f"{KATEX}katex.min.js",
        f"<link rel=stylesheet href={KATEX}katex.min.css><script defer src={KATEX}contrib/auto-render.min.js "
        "onload='renderMathInElement(document.body, {output: `html`})'></script>",
        BOXES,
    ),
}


@pytest.mark.parametrize("name", TYPESETTERS)
def test_formulas_are_tex_whoever_set_them(text_of, name):
    script, more, (inline, display) = TYPESETTERS[name]
    text, page = text_of(f"<script defer src='{script}'></script>{more}{FORMULAS}")
    assert_formulas(text, inline, display)
    assert_formulas(extract(f"<main><h1>Areas</h1>{page.html}").markdown, inline, display)  # saved, and read again


def assert_formulas(text, inline, display):
    assert text.count(inline) == 1
    assert text.count(display) == 1
    assert f"\n\n$${display}$$\n\n" in text
