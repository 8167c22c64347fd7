"""Every built-in file of rules on a page as its site makes them: what is kept, what is not, and who answers."""

import pathlib

import pytest
from fakes import FakeCache, FakeClient

from webtool import pages, siteconfig
from webtool.context import Context
from webtool.settings import Settings
from webtool.siteconfig.apply import apply

HERE = pathlib.Path(__file__).parent / "pages"
SITES = pathlib.Path(siteconfig.__file__).parent / "sites"
# Where pages of sites are that only their generator tells.
GENERATED = {"discourse", "docusaurus", "mediawiki", "mkdocs", "sphinx", "wordpress"}
QUESTION = [
    "every second one",
    "thread of its own",
    "zero unless you say",
    "```py\nwhile True:\n    line = port.readline()\n```",
]
QUESTION_LEFT = ["Log in", "Share", "Which baud", "collective", "sorted by", "Linked and", "Questions Tags"]

# id -> (host, title, what the markdown has in this order, what it has not)
EXPECTED = {
    ".readthedocs.io": (
        "tides.readthedocs.io",
        "Advanced use",
        ["`Station`", '```python\nimport tides\nstation = tides.Station("north")\n```'],
        ["Installation", "Edit on", "Next", "Built with", "¶"],
    ),
    ".stackexchange.com": ("unix.stackexchange.com", "How do I read a tide gauge?", QUESTION[:3], QUESTION_LEFT),
    ".wikipedia.org": (
        "en.wikipedia.org",
        "Tide gauge",
        ["**tide gauge**", "## History", "Poles with marks", "| Float | 10 mm |"],
        ["citations", "Contents", "edit", "Authority", "Oceanography", "Random", "licence", "Category", "[1]"],
    ),
    "arxiv.org": (
        "arxiv.org",
        "Tides of small lakes",
        ["eight kilometres", "12 pages"],
        ["Abstract:", "Submission", "Access Paper", "Advanced"],
    ),
    "datatracker.ietf.org": (
        "datatracker.ietf.org",
        "RFC 9999: Tide Tables over HTTP",
        ["media type for tide tables", "A tide table lists"],
        ["Working groups", "shepherd"],
    ),
    "developer.mozilla.org": (
        "developer.mozilla.org",
        "Harbour: tide() method",
        ["returns a promise", "```js\nconst height = await harbour.tide();\nconsole.log(height);\n```"],
        ["Subscribe", "In this article", "Help improve", "Related topics", "42px", "Copy"],
    ),
    "discourse": (
        "forum.example",
        "Which gauge for a small harbour?",
        [
            "gauge",
            "February 1, 2026",
            "forty berths and no gauge",
            "lock_keeper",
            "float in a pipe",
            "```ini\n[gauge]\nkind = float\n```",
        ],
        ["Related topics", "Likes", "Linked from", "automatically closed", "> forty", "next page"],
    ),
    "docs.python.org": (
        "docs.python.org",
        "tides — Heights of water",
        ["harmonic constants", "Return the height", "height(noon)\n1.52"],
        ["modules", "Previous topic", "Foundation", "¶"],
    ),
    "docs.rs": (
        "docs.rs",
        "Crate tides",
        ["without allocation", "let h = tides::height(noon);", "Structs", "A place with"],
        ["All Items", "Expand", "Source", "Copy item", "§", "Settings"],
    ),
    "docusaurus": (
        "docs.example",
        "Getting started",
        ["Install the reader", "npx tides read north"],
        ["Sidebar entry", "breadcrumb", "On this page", "Copy code", "Edit this", "Next page of"],
    ),
    "gist.github.com": (
        "gist.github.com",
        "Tide table in awk",
        ["height of the water", "total += $2"],
        ["All gists", "Raw", "Terms"],
    ),
    "github.com": (
        "github.com",
        "harbour/tides: Heights of water",
        ["# Tides", "draws the curve", "```shell\npip install tides\ntides north\n```"],
        ["Sign in", "Folders", "Copied", "Stars", "permalink"],
    ),
    "learn.microsoft.com": (
        "learn.microsoft.com",
        "Read a tide gauge",
        ["This quickstart", "## Run the reader", "```powershell\nGet-Tide -Station north\n```"],
        ["Table of contents", "Facebook", "authorization", "In this article", "Copy", "helpful"],
    ),
    "lwn.net": (
        "lwn.net",
        "Tides in the kernel",
        ["ten years", "user space", "echo 1 > /sys/tides/north/enable"],
        ["Subscribe to", "keep this site", "Log in"],
    ),
    "man7.org": (
        "man7.org",
        "tide(1) — Linux manual page",
        ["## NAME", "print the height", "## SYNOPSIS", "station"],
        ["project home", "section link", "rendering by", "top"],
    ),
    "mediawiki": (
        "wiki.example",
        "Moorings",
        ["let by the season", "## Chains", "```\nchain --check --minimum 12mm\n```"],
        ["Recent changes", "Contents", "edit", "Category", "Retrieved"],
    ),
    "mkdocs": (
        "docs.example",
        "Queries",
        ["names a station", '```python\nquery("north")\n```'],
        ["Edit this page", "Sidebar", "helpful", "Material", "¶"],
    ),
    "news.ycombinator.com": (
        "news.ycombinator.com",
        "Tides without an ocean",
        [
            "(https://tides.example/post)",
            "lake of eight",
            "lock_keeper",
            "1 hour ago",
            "less than a millimetre",
            "Wind moves it more",
            "gauge",
            "two pressure sensors",
        ],
        ["reply", "new | past", "hide", "next", "[–]", "Guidelines"],
    ),
    "npmjs.com": (
        "www.npmjs.com",
        "tides",
        ["Reads tide gauges", "```js\nconst tides = require('tides')\ntides.read('north')\n```"],
        ["Pricing", "link icon", "Weekly", "12,345"],
    ),
    "old.reddit.com": (
        "old.reddit.com",
        "Tides in a lake",
        ["gauge", "two pressure sensors", "lock_keeper", "12 points", "Wind moves", "setup = wind ** 2 / depth"],
        ["subreddit", "permalink", "save", "11 points", "13 points", "1 child", "[–]"],
    ),
    "pkg.go.dev": (
        "pkg.go.dev",
        "tides",
        ["Tides for Go", "Package tides computes", "func Height(at time.Time) float64", "in metres"],
        ["Why Go", "Copy path", "added in", "Imported by", "¶"],
    ),
    "pypi.org": (
        "pypi.org",
        "tides 2.1.0",
        ["Heights of water for harbours", "# Tides", 'import tides\ntides.read("north")'],
        ["sponsors", "Statistics", "operational", "pip install"],
    ),
    "rfc-editor.org": (
        "www.rfc-editor.org",
        "Tide Tables",
        ["This document defines", "## 1. Introduction", "A tide table lists", "12:00  1.52 m"],
        ["Running header", "metadata stream", "Table of Contents", "entry", "¶"],
    ),
    "sphinx": (
        "manual.example",
        "Curves",
        ["sum of its constituents", "hours=24", "curve(station, hours=6)"],
        ["index", "Table of Contents", "Copy", "Created using", "¶"],
    ),
    "stackoverflow.com": ("stackoverflow.com", "How do I read a tide gauge?", QUESTION[:3], QUESTION_LEFT),
    "wordpress": (
        "blog.example",
        "How we chose a gauge",
        ["painted pole", "two metres forty", "three gauges for a winter"],
        ["About us", "Older post", "Share this", "Recent", "Proudly"],
    ),
}


def markup(name):
    return (HERE / f"{name}.html").read_text(encoding="utf-8")


def opened(name, **settings):
    host = EXPECTED[name][0]
    url = f"https://{host}/page"
    client = FakeClient({url: (200, {"Content-Type": "text/html; charset=utf-8"}, markup(name))})
    ctx = Context(Settings(respect_robots=False, **settings), client, FakeCache(), environ={})
    return pages.open_page(ctx, pages.PageRequest(url, mode="readable"))


def test_every_file_has_a_page_and_an_expectation():
    names = {path.name[: -len(".txt")] for path in SITES.iterdir()}
    assert names == {path.name[: -len(".html")] for path in HERE.iterdir()} == set(EXPECTED)
    assert len(names) >= 20


@pytest.mark.parametrize("name", EXPECTED)
def test_every_line_of_a_file_can_be_used(name):
    rules = siteconfig.find("", chosen=name)
    assert rules.id == name
    assert rules.problems == ()


@pytest.mark.parametrize("name", EXPECTED)
def test_the_text_stays_in_order_and_the_rest_is_removed(name):
    _, title, kept, left = EXPECTED[name]
    snapshot = opened(name).snapshot
    assert snapshot.siteconfig_id == name
    assert snapshot.title == title
    place = 0
    for part in kept:
        position = snapshot.markdown.find(part, place)
        assert position >= 0, f"{part!r} is not in, or not at this place of:\n{snapshot.markdown}"
        place = position + len(part)
    for part in left:
        assert part not in snapshot.markdown.replace(title, ""), part
        assert part not in snapshot.text.replace(title, ""), part


@pytest.mark.parametrize("name", EXPECTED)
def test_built_in_rules_cause_no_problems(name):
    notes = opened(name).notes
    assert [note for note in notes if "next page" not in note] == ["robots.txt was not asked (respect_robots is off)"]


def test_author_and_date_are_found():
    facts = {}
    for name in EXPECTED:
        from webtool import parse_html

        applied = apply(siteconfig.find("", chosen=name), parse_html(markup(name)), "https://x.example/")
        facts[name] = (applied.author, applied.date)
    assert facts["discourse"] == ("gauge", "2026-02-01T10:00:00Z")
    assert facts["arxiv.org"] == ("A. Gauge, B. Lock", "2026/02/01")
    assert facts["wordpress"] == ("Gauge Keeper", "2026-01-05T08:00:00+00:00")
    assert facts["old.reddit.com"] == ("gauge", "2026-03-04T18:58:32+00:00")
    assert facts["news.ycombinator.com"] == ("gauge", "2026-02-26T10:00:00 1772000000")
    assert facts["lwn.net"] == ("Gauge Keeper", "")
    assert facts["stackoverflow.com"] == ("harbour_master", "2024-01-04T11:30:23")
    assert facts["learn.microsoft.com"] == ("", "2026-02-01T10:00:00Z")


@pytest.mark.parametrize("name", set(EXPECTED) - {"wordpress"})
def test_pages_that_rules_do_not_fit_are_left_to_the_learned_model(name):
    host = EXPECTED[name][0]
    prose = "<p>The harbour office tells of tides, wind and weather at some length, day after day.</p>" * 20
    generator = f"<meta name=generator content={name}>" if name in GENERATED else ""
    page = f"<title>Else</title>{generator}<section><i class=q>new design</i>{prose}</section>"
    client = FakeClient({f"https://{host}/else": (200, {"Content-Type": "text/html"}, page)})
    ctx = Context(Settings(respect_robots=False), client, FakeCache(), environ={})
    snapshot = pages.open_page(ctx, pages.PageRequest(f"https://{host}/else", mode="readable")).snapshot
    assert "wind and weather" in snapshot.markdown
    assert snapshot.siteconfig_id is None
