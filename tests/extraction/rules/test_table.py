"""Each row of the rule table fires on one small page, is in the trace, and makes a difference there."""

import json

import pytest

from webtool import html
from webtool.context import Context
from webtool.extraction import extract, trace
from webtool.extraction.page import head, sources
from webtool.extraction.rules import table
from webtool.extraction.rules.choice import Choice
from webtool.pages import in_worker
from webtool.pages.request import PageRequest, Source
from webtool.settings import Settings
from webtool.tools import web_extract

P = "<p>The ferry left the harbour at six, an hour after the fog had lifted, with forty people on board.</p>"
TEXT = "".join(P.replace("six", hour) for hour in "seven eight nine ten eleven noon".split())
LONG = "".join(P.replace("six", f"the {n}th bell") for n in range(1, 16))
TITLE = "<title>Tides</title><h1>Tides</h1>"
ARTICLE = '<meta property="og:type" content="article">'
FORUM = "https://x.example/forum/lamps"


def data(value):
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def cards(count, inside):
    return "".join(f"<div class=card>{inside.replace('#', str(n))}</div>" for n in range(count))


POST = (
    "<div class=post><b class=username>Nia#</b><time>2024-05-0#</time><p>The lamp went out at bell # again.</p></div>"
)
PRODUCT = data({"@type": "Product", "name": "Pot"})
LAST = P.replace("six", "the 16th bell")
BODY = " ".join(P.replace("six", f"the {n}th bell")[3:-4] for n in range(1, 17))
LINES = cards(45, "<p>Boat # of the bay</p>")
MANUAL = "<dt><code>size(#)</code></dt><dd>How many lamps there are of the value #, as code: <code>#</code></dd>"

# By rule: the page, the texts of which the blocks are not chosen at first, the page's address.
PAGES = {
    "drop_consent_boxes": (f"{TEXT}<div><p>We use cookies here.</p><button>Accept all</button></div>", [], ""),
    "keep_reference": (f"<main>{TEXT}<dl>{cards(12, MANUAL)}</dl></main>", ["size(", "How many"], ""),
    "keep_short_pages_whole": (f"<div>{P}<p>It is late.</p></div>", ["It is late"], ""),
    "keep_or_drop_whole": ("<table><tr><td>Tea<td>Oil and a good deal more</table>", ["Tea"], ""),
    "keep_code_and_tables": (f"{TEXT}<pre>x = 1</pre>{P}", ["x = 1"], ""),
    "keep_aria_grids_whole": (
        f"{TEXT}<div role=grid><div role=row><div role=gridcell>Tea</div><div role=gridcell>four</div></div></div>",
        ["four"], "",
    ),
    "keep_openers": (f"{TEXT}<button aria-controls=a>When?</button><div id=a>{P}</div>", ["When?"], ""),
    "match_headings": (f"{TEXT}<h2>Night</h2>{P}", ["Night"], ""),
    "drop_copied_regions": (f"<div class=desktop>{LINES}</div><div class=mobile>{LINES}</div>", [], ""),
    "drop_repeated_texts": (f"{TEXT}<p class=label>Boats of the bay<h3 class=name>Boats of the bay</h3>{P}", [], ""),
    "complete_cards": (f"{TEXT}<div><h3>Mug</h3><span>$ 7.50</span><p>In stock</div>", ["$"], ""),
    "drop_overlays": (f"{TEXT}<div class='modal fade'>Close me</div>", [], ""),
    "drop_post_furniture": (f"{TEXT}<div class=signature>Ode to the lamp</div>", [], FORUM),
    "drop_reader_comments": (f"{LONG}<div id=comments>{P}</div>", [], ""),
    "drop_address_forms": (f"{TEXT}<div><h3>Stay in touch</h3><form><input type=email></form></div>", [], ""),
    "keep_described_lead": (
        f"<meta name=description content='Why all boats of the bay are late, again'>{TITLE}"
        f"<p>Why all boats of the bay are late, again</p><p>By Ann</p>{TEXT}",
        ["Why", "Ann"], "",
    ),
    "drop_labelled_parts": (f"{TEXT}<h3>Read also</h3><ul><li><a href=/e>Eels</a><li><a href=/m>Mud</a></ul>", [], ""),
    "drop_service_lines": (f"{TEXT}<div>Share this story</div>", [], ""),
    "drop_teaser_lines": (f"{TEXT}<p>Read also: <a href=/e>Eels are back in the bay</a></p>{P}", [], ""),
    "drop_disclaimers": (f"{TEXT}<p>The views expressed in this article are those of the author.</p>", [], ""),
    "keep_corrections": (f"{TEXT}<p>Correction: an earlier version named the wrong pier.</p>", ["Correction"], ""),
    "keep_all_posts": (cards(8, P) + "<div class=card><p>Me too.</p></div>", ["Me too"], FORUM),
    "keep_posters_and_days": (cards(4, POST), ["Nia"], FORUM),
    "drop_excerpts": (
        LONG + cards(3, f"<div><a href=/#>Number # of the other stories here</a></div>{P}"), ["other stories"], "",
    ),
    "drop_cards": (
        f"{ARTICLE}<div>{TEXT}<div class=x><a href=/g>No gulls come here</a><p>They know.</div>{TEXT}</div>", [], "",
    ),
    "drop_appeals": (f"{ARTICLE}<div>{TEXT}</div><aside><p>Every gift helps us print.</p></aside>", [], ""),
    "keep_questions_and_recipes": (
        data({"@type": "Question", "name": "How long?", "acceptedAnswer": {"text": "Two days."}})
        + f"{TEXT}<p>How long?</p><p>Two days.</p>",
        ["How long", "Two days"], "",
    ),
    "drop_others": (f"{PRODUCT}<h1>Pot</h1>{TEXT}<h2>Customers also bought</h2><p>Pan</p>", [], ""),
    "keep_tables": (f"{PRODUCT}<h1>Pot</h1>{LONG}<dl><dt>Holds<dd>a litre</dl>", ["Holds", "litre"], ""),
    "drop_outside_main": (f"<div>Earn points with our card.</div><main>{TEXT}</main>", [], ""),
    "keep_headline": (f"{TITLE}<p>By Ann</p>{TEXT}", ["Tides", "By Ann"], ""),
    "keep_kicker": (f"<p class=kicker>The bay</p>{TITLE}{TEXT}", ["The bay"], ""),
    "keep_standfirst": (f"{TITLE}<p class=standfirst>Why it is late.</p><p>Ann</p>{TEXT}", ["Why", "Ann"], ""),
    "keep_notes": (f"{TEXT}<p>Oak is heavy.<a href='#n'>1</a></p><p id=n>Weighed.</p>", ["Weighed"], ""),
}  # fmt: skip


def run(page, rules):
    """Run rules on a page of PAGES. Returns the flags at the end and the names of the rules that changed some."""
    source, left_out, address = page
    root = html.parse_page(source, scripting=True)
    cut, *_ = sources.read(root)
    keep = [not any(text in block.text for text in left_out) for block in cut.blocks]
    names = []
    choice = Choice(cut, head.read(root), address, keep, [0.2] * len(keep))
    table.run(choice, lambda change: names.append(change.rule), rules)
    return keep, names


def test_each_row_has_a_page_that_makes_it_fire():
    assert list(PAGES) == [rule.name for rule in table.TABLE]


@pytest.mark.parametrize("rule", table.TABLE, ids=lambda rule: rule.name)
def test_a_rule_is_named_in_the_trace_unless_it_is_removed(rule):
    with_rule, names = run(PAGES[rule.name], table.TABLE)
    without_rule, names_without = run(PAGES[rule.name], tuple(row for row in table.TABLE if row != rule))
    assert rule.name in names
    assert rule.name not in names_without
    assert with_rule != without_rule


@pytest.mark.parametrize("rule", table.TABLE, ids=lambda rule: rule.name)
def test_a_row_says_what_it_is_about_in_a_few_words(rule):
    assert 2 < len(rule.help) <= 60
    assert rule.apply.__doc__


def test_trace_begins_with_the_attempt_and_names_rules_with_direction_words_and_text():
    changes = trace(f"{TITLE}<main>{LONG}<div>Share this story</div></main>")
    assert changes[0][:2] == ("readability", "chose")
    assert {change.change for change in changes[1:]} <= {"kept", "dropped"}
    for change in changes[1:]:
        assert change.words
        assert change.text
        assert change.line().startswith(f"{change.rule} {change.change} {change.words} word")


def test_tracing_changes_nothing():
    source = f"{TITLE}{LONG}<h3>Read also</h3><ul><li><a href=/e>Eels</a></ul>"
    assert extract(source, report=lambda change: None) == extract(source)


def test_a_long_text_is_cut_in_its_line():
    change = table.Change("drop_cards", "dropped", 900, "gull " * 900)
    assert len(change.line()) == table.MAX_LINE_CHARACTERS
    assert change.line().endswith("…")


SHARED = f"{TITLE}<main>{LONG}<div>Share this story</div></main>"
ANSWERS = {
    "extract": lambda ctx: web_extract.run(ctx, html=SHARED),
    "open": lambda ctx: (
        in_worker.convert(
            ctx,
            PageRequest("https://x.example/", "readable", use_siteconfig=False),
            Source(SHARED, None, ""),
        ).columns
    ),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_debug_warns_of_each_change_and_the_answer_stays_the_same(command, capsys):
    lines, none = [], []
    answer = ANSWERS[command](Context(Settings(debug=True), warn=lines.append))
    assert answer == ANSWERS[command](Context(Settings(), warn=none.append))
    assert lines == [change.line() for change in trace(SHARED)]
    assert none == []
    assert capsys.readouterr().out == ""
