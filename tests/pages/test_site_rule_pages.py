"""Pages with site rules: ids and notes, joined pages, rules that fail, and the cache."""

import json
import time

import pytest
from fakes import FakeCache, FakeClient

from webtool import pages
from webtool.browser.behaviour import Rendered
from webtool.context import Context
from webtool.errors import Cancelled, ExtractFailed, InvalidArgument
from webtool.pages import conversion
from webtool.pages.answer import read_choice
from webtool.pages.request import Source
from webtool.pages.site_rule_pages import MAX_PAGES
from webtool.pages.stored_copies import stored_facts
from webtool.settings import Settings
from webtool.tools import web_open

HTML = {"Content-Type": "text/html; charset=utf-8"}
HOST = "https://site.example"
ROBOTS = {f"{HOST}/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /no\n")}
PROSE = "The harbour office tells of tides, wind and weather at some length, day after day. "
RULES = "title: //h2\nbody: //div[@id='text']\nnext_page_link: //a[@rel='next']/@href\n"


def page(text, more="", side=""):
    return f"<title>T</title><h2>Ruled</h2><div id=text><p>{text} {PROSE * 3}</p></div><div>{side}</div>{more}"


def following(target):
    return f'<p><a rel=next href="{target}">on</a></p>'


@pytest.fixture
def folder(tmp_path):
    def write(name, text):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
        return str(tmp_path)

    return write


def context(answers, directory, **changes):
    answers = {f"{HOST}{path}": (200, HTML, body) if isinstance(body, str) else body for path, body in answers.items()}
    settings = Settings(siteconfig_dir=directory)
    return Context(settings, FakeClient({**ROBOTS, **answers}), FakeCache(), environ={}, **changes)


def open_(ctx, path="/1", **fields):
    fields.setdefault("mode", "readable")
    return pages.open_page(ctx, pages.PageRequest(HOST + path, **fields))


def test_the_rules_of_the_host_are_used_and_named(folder):
    ctx = context({"/1": page("kept", side="<p>aside</p>")}, folder("site.example", RULES))
    opened = open_(ctx)
    assert (opened.snapshot.siteconfig_id, opened.snapshot.title, opened.notes) == ("site.example", "Ruled", ())
    assert opened.snapshot.markdown.startswith("kept The harbour")
    assert "aside" not in opened.snapshot.markdown
    answer = web_open.whole_answer(opened, read_choice({}), 1, 0, 10**6)
    assert "\nsiteconfig: site.example\n---\nkept" in answer.data["markdown"]
    assert json.loads(opened.snapshot.extract_cfg_json)["strategy_used"] == "site rules"


def test_full_and_raw_mode_use_no_site_rules(folder):
    ctx = context({"/1": page("kept", side="<p>aside</p>")}, folder("site.example", RULES + "http_header(referer): x"))
    for mode in ("full", "raw"):
        snapshot = open_(ctx, mode=mode).snapshot
        assert snapshot.siteconfig_id is None
        assert "aside" in (snapshot.markdown or snapshot.text)
    assert all(name != "referer" for request in ctx.client.asked for name, _ in request.headers)


def test_following_pages_are_joined_each_with_its_own_base(folder):
    ctx = context(
        {
            "/1": page("one", following("deep/2")),
            "/deep/2": page("two <a href=x>link</a>", following("/3")),
            "/3": page("three"),
        },
        folder("site.example", RULES),
    )
    opened = open_(ctx)
    text = opened.snapshot.markdown
    assert text.index("one ") < text.index("two ") < text.index("three ")
    assert f"[link]({HOST}/deep/x)" in text
    assert {"text": "link", "href": f"{HOST}/deep/x"} in json.loads(opened.snapshot.links_json)
    assert [name in opened.snapshot.text for name in ("one", "two", "three")] == [True] * 3
    assert ctx.client.urls() == [f"{HOST}/1", f"{HOST}/deep/2", f"{HOST}/3"]
    assert opened.notes == ()


def test_at_most_ten_pages_are_joined_and_a_note_names_the_next_address(folder):
    answers = {f"/{n}": page(f"part-{n}.", following(f"/{n + 1}")) for n in range(1, 20)}
    ctx = context(answers, folder("site.example", RULES))
    opened = open_(ctx)
    assert len(ctx.client.urls()) == MAX_PAGES == 10
    assert "part-10." in opened.snapshot.markdown
    assert "part-11." not in opened.snapshot.markdown
    assert opened.notes == (f"site rules: only 10 pages are joined; it goes on at {HOST}/11",)


LOOPS = [{"/1": "/2", "/2": "/1"}, {"/1": "/1#x"}, {"/1": "/2", "/2": "/2"}, {"/1": "/2", "/2": "/3", "/3": "/2#top"}]


@pytest.mark.parametrize("links", LOOPS)
def test_no_page_is_joined_twice(folder, links):
    ctx = context(
        {path: page(f"part{path}.", following(target)) for path, target in links.items()}, folder("site.example", RULES)
    )
    opened = open_(ctx)
    assert len(ctx.client.urls()) == len(links)
    assert opened.snapshot.markdown.count("part/1.") == 1
    assert opened.notes == ()


# the response for the second page, a part of the note
FAILURES = [
    ((404, HTML, "gone"), "HTTP_ERROR: the server answered 404"),
    ((500, HTML, "oh"), "HTTP_ERROR"),
    ((200, {"Content-Type": "application/pdf"}, b"%PDF-1.4"), "UNSUPPORTED_CONTENT: it is not an HTML page"),
    (None, "NETWORK_ERROR"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "note"), FAILURES)
def test_a_following_page_that_fails_is_a_note(folder, answer, note):
    answers = {"/1": page("one", following("/2"))}
    ctx = context({**answers, "/2": answer} if answer else answers, folder("site.example", RULES))
    opened = open_(ctx)
    assert "one " in opened.snapshot.markdown
    assert len(opened.notes) == 1
    assert opened.notes[0].startswith(f"site rules: the next page {HOST}/2 could not be had (")
    assert note in opened.notes[0]


def test_robots_txt_is_asked_for_following_pages_too(folder):
    ctx = context({"/1": page("one", following("/no/2")), "/no/2": page("two")}, folder("site.example", RULES))
    opened = open_(ctx)
    assert "ROBOTS_DISALLOWED" in opened.notes[0]
    assert f"{HOST}/no/2" not in ctx.client.urls()


def test_no_further_page_is_fetched_when_time_is_short(folder):
    ctx = context({"/1": page("one", following("/2")), "/2": page("two")}, folder("site.example", RULES))
    ctx.deadline = time.monotonic() + 1.5
    opened = open_(ctx)
    assert opened.notes == (f"site rules: time ran out before the next page {HOST}/2",)
    assert ctx.client.urls() == [f"{HOST}/1"]


def test_cancelling_ends_the_call_instead_of_adding_a_note(folder):
    ctx = context({"/1": page("one", following("/2"))}, folder("site.example", RULES))
    ctx.client.pages[f"{HOST}/2"] = Cancelled("stop")
    with pytest.raises(Cancelled):
        open_(ctx)


def test_the_single_page_replaces_the_parts(folder):
    rules = "body: //div[@id='text']\nsingle_page_link: //a[@class='all']\n"
    ctx = context(
        {"/1": page("part", "<a class=all href=/all>all</a>"), "/all": page("whole <a href=y>y</a>")},
        folder("site.example", rules),
    )
    text = open_(ctx).snapshot.markdown
    assert "whole " in text
    assert "part " not in text
    missing = context({"/1": page("part", "<a class=all href=/all>all</a>")}, folder("site.example", rules))
    opened = open_(missing)
    assert "part " in opened.snapshot.markdown
    assert f"the single page {HOST}/all could not be had (NETWORK_ERROR" in opened.notes[0]


@pytest.mark.parametrize(
    ("head", "lines", "sources"),
    [
        ("", "author: //b\ndate: //time\n", {"author": "site rules", "published": "site rules"}),
        (
            "<meta name=author content='Ann Lee'><meta property=article:published_time content=2024-05-03>",
            "",
            {"author": "meta", "published": "meta"},
        ),
    ],
    ids=["by rules", "by the model"],
)
def test_the_first_page_gives_the_facts_that_the_single_page_lacks(folder, head, lines, sources):
    rules = f"{lines}body: //div[@id='text']\nsingle_page_link: //a[@class='all']\n"
    first = head + page("part", "<a class=all href=/all>all</a><b>Ann Lee</b><time>2024-05-03</time>")
    ctx = context({"/1": first, "/all": page("whole").replace("<title>T</title>", "")}, folder("site.example", rules))
    snapshot = open_(ctx).snapshot
    facts = stored_facts(snapshot)
    assert "whole " in snapshot.markdown
    assert (facts["author"], facts["published"]) == ("Ann Lee", "2024-05-03")
    assert facts["read_from"] == sources


def test_the_single_page_gives_its_own_author(folder):
    rules = "author: //b\nbody: //div[@id='text']\nsingle_page_link: //a[@class='all']\n"
    first = page("part", "<a class=all href=/all>all</a><b>Ann Lee</b>")
    ctx = context({"/1": first, "/all": page("whole", "<b>Bo Lund</b>")}, folder("site.example", rules))
    assert stored_facts(open_(ctx).snapshot)["author"] == "Bo Lund"


def test_the_page_that_names_the_single_page_is_not_joined_to_it(folder):
    rules = "body: //div[@id='text']\nsingle_page_link: //a[@class='all']\nnext_page_link: //a[@rel='next']/@href\n"
    ctx = context(
        {"/1": page("part", "<a class=all href=/all>all</a>"), "/all": page("whole", following("/1"))},
        folder("site.example", rules),
    )
    assert "part " not in open_(ctx).snapshot.markdown
    assert ctx.client.urls() == [f"{HOST}/1", f"{HOST}/all"]


def test_the_text_of_joined_pages_is_bounded_where_the_model_chooses(folder):
    links = "".join(f"<p>Some words of plain text about <a href=x{i}>page {i}</a> of it.</p>" for i in range(25))
    body = f"<base href='{HOST}/{'a' * 1500}/'><article>{links}</article>"
    rules = folder("site.example", "next_page_link: //a[@rel='next']/@href\n")
    pages_ = {f"/{n}": body + following(f"{HOST}/{n + 1}") for n in range(1, 8)}
    ctx = context({**pages_, "/8": body}, rules)
    ctx.settings = ctx.settings._replace(max_bytes=13_000)
    text = open_(ctx).snapshot.markdown
    assert "page 24" in text
    assert len(text) < 9 * ctx.settings.max_bytes


def test_a_page_that_scripts_fill_is_reported_although_the_site_has_rules(folder):
    shell = "<title>T</title><div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>"
    shell += "<script src=/app.js></script>"
    opened = open_(context({"/1": shell}, folder("site.example", "http_header(referer): x\n")))
    assert "this page seems to need a browser" in "; ".join(opened.notes)


def test_rules_that_find_almost_nothing_are_not_believed(folder):
    ctx = context(
        {"/1": page("kept", side=f"<p>{PROSE * 40}</p>")}, folder("site.example", "body: //h2\nstrip: //div\n")
    )
    opened = open_(ctx)
    assert opened.snapshot.siteconfig_id is None
    assert "kept" in opened.snapshot.markdown  # although the rules strip it
    assert len(ctx.client.urls()) == 1


def test_rules_without_body_strip_and_leave_the_choice_to_the_model(folder):
    rules = "title: //h2\nstrip: //p[@class='x']\nnext_page_link: //a[@rel='next']/@href\n"
    answers = {
        "/1": page("one", following("/2") + f"<p class=x>stripped {PROSE}</p>"),
        "/2": page("two", f"<p class=x>stripped {PROSE}</p>"),
    }
    opened = open_(context(answers, folder("site.example", rules)))
    assert (opened.snapshot.siteconfig_id, opened.snapshot.title) == ("site.example", "Ruled")
    assert "one " in opened.snapshot.markdown
    assert "two " in opened.snapshot.markdown
    assert "stripped" not in opened.snapshot.markdown


def test_with_autodetect_off_failing_rules_are_an_error(folder):
    ctx = context({"/1": page("kept")}, folder("site.example", "body: //none\nautodetect_on_failure: no\n"))
    with pytest.raises(ExtractFailed, match=r"site rules site\.example find no text"):
        open_(ctx)
    assert "kept" in open_(ctx, use_siteconfig=False).snapshot.markdown


def test_bad_lines_of_rules_are_noted_even_if_the_rules_fail(folder):
    directory = folder("site.example", "body: //div[\nbodi: //p\n")
    opened = open_(context({"/1": page("kept")}, directory))
    assert "kept" in opened.snapshot.markdown
    assert len(opened.notes) == 2
    assert opened.notes[0].startswith("site rules: site.example.txt, line 1: ")
    assert opened.notes[1] == "site rules: site.example.txt, line 2: unknown directive bodi"


def test_too_much_work_is_a_note_and_the_model_answers(folder):
    deep = "<div>" * 500 + "x" + "</div>" * 500
    rules = "body: //div[.//div[.//div[.//p]]]\n"
    opened = open_(context({"/1": page("kept", side=deep)}, folder("site.example", rules)))
    assert "kept" in opened.snapshot.markdown
    assert any("too much work" in note for note in opened.notes)


def test_replacements_and_header_fields_reach_every_page(folder):
    rules = RULES + "replace_string(<b-r>): <br>\nhttp_header(user-agent): Reader/9\n"
    ctx = context(
        {"/1": page("one<b-r>line", following("/2")), "/2": page("two<b-r>line")}, folder("site.example", rules)
    )
    text = open_(ctx).snapshot.markdown
    assert "one\\\nline" in text
    assert "two\\\nline" in text
    asked = [request for request in ctx.client.asked if not request.url.endswith("robots.txt")]
    assert all(("user-agent", "Reader/9") in request.headers for request in asked)


def test_rules_are_chosen_by_id(folder):
    folder("mine", "title: //title\nbody: //div[@id='text']\n")
    ctx = context({"/1": page("kept")}, folder("site.example", RULES))
    assert open_(ctx, siteconfig_id="mine").snapshot.title == "T"
    for name in ("no-such", "../mine", "/etc/passwd", ""):
        if name:
            with pytest.raises(InvalidArgument, match="unknown site rules"):
                open_(ctx, siteconfig_id=name)


def test_the_generator_tells_the_rules():
    article = f"<article class=md-content__inner><h1>Q<a class=headerlink>¶</a></h1><p>{PROSE * 3}</p></article>"
    body = f"<meta name=generator content='MkDocs 1.6'>{article}"
    opened = open_(context({"/1": body}, ""))
    assert (opened.snapshot.siteconfig_id, opened.snapshot.title) == ("mkdocs", "Q")
    assert open_(context({"/1": body}, ""), use_siteconfig=False).snapshot.siteconfig_id is None


# choices of the stored copy, choices of the request, whether the stored copy is used
KEPT = [
    ({}, {}, True),
    ({}, {"use_siteconfig": False}, False),
    ({"use_siteconfig": False}, {}, False),
    ({"use_siteconfig": False}, {"use_siteconfig": False}, True),
    ({}, {"siteconfig_id": "mine"}, False),
    ({"siteconfig_id": "mine"}, {"siteconfig_id": "mine"}, True),
    ({"siteconfig_id": "mine"}, {}, False),
    ({"siteconfig_id": "mine"}, {"siteconfig_id": "site.example"}, False),
    ({"siteconfig_id": "mine"}, {"use_siteconfig": False}, False),
]


@pytest.mark.parametrize(("before", "now", "serves"), KEPT)
def test_a_stored_copy_is_used_only_for_the_choices_it_was_made_with(folder, before, now, serves):
    folder("mine", "title: //title\nbody: //div[@id='text']\n")
    ctx = context({"/1": page("kept", side="<p>aside</p>")}, folder("site.example", RULES))
    open_(ctx, **before)
    again = open_(ctx, **now)
    assert again.cache_hit is serves
    expected = None if now.get("use_siteconfig") is False else now.get("siteconfig_id", "site.example")
    assert again.snapshot.siteconfig_id == expected


@pytest.mark.parametrize("before", [{}, {"use_siteconfig": False}])
def test_a_page_without_rules_is_stored_once_for_calls_with_and_without_rules(before):
    ctx = context({"/1": page("kept")}, "")
    open_(ctx, **before)
    assert open_(ctx, use_siteconfig=False).cache_hit


def test_a_failed_choice_of_rules_is_remembered_too(folder):
    folder("mine", "body: //none\n")
    ctx = context({"/1": page("kept")}, folder("other", RULES))
    assert open_(ctx, siteconfig_id="mine").snapshot.siteconfig_id is None
    assert open_(ctx, siteconfig_id="mine").cache_hit


LEAVINGS = [
    RULES,  # a body is named
    "strip: //div[@class='related']\n",  # what is left is the learned model's to choose from
]


@pytest.mark.parametrize("rules", LEAVINGS)
def test_groups_that_rules_leave_out_are_listed_and_can_be_added_back(folder, rules):
    side = "<div class=related><p>A bell in the fog</p></div><p style='display:none'>unseen words</p>"
    ctx = context({"/1": page("kept " + PROSE * 3, side=side)}, folder("site.example", rules))
    url = f"{HOST}/1"
    answer = web_open.run(ctx, url=url, left_out=True)
    groups = {row["kind"]: row for row in answer.data["left_out"]}
    assert groups["teaser"]["begins"] == "A bell in the fog"
    assert groups["hidden"]["words"] == 2
    assert 0.8 < answer.data["kept_ratio"] < 1
    assert "bell" not in answer.data["markdown"]
    more = web_open.run(ctx, url=url, **{"with": [groups["teaser"]["n"]]}).data
    assert "A bell in the fog" in more["markdown"]
    assert "kept The harbour" in more["markdown"]
    assert "unseen" not in more["markdown"]
    assert "unseen" in web_open.run(ctx, url=url, **{"with": [groups["hidden"]["n"]]}).data["markdown"]
    with pytest.raises(InvalidArgument, match="group 9"):
        web_open.run(ctx, url=url, **{"with": [9]})
    assert ctx.client.urls() == [url]


def test_groups_are_added_back_if_the_rules_find_nothing(folder):
    ctx = context({"/1": page("kept", side="<nav>A bell in the fog</nav>")}, folder("site.example", "body: //main\n"))
    rows = web_open.run(ctx, url=f"{HOST}/1", left_out=True).data["left_out"]
    number = next(row["n"] for row in rows if row["kind"] == "navigation")
    assert "A bell in the fog" in web_open.run(ctx, url=f"{HOST}/1", **{"with": [number]}).data["markdown"]


def test_the_changes_of_rules_are_reported_for_one_tree(folder):
    noise = "<p>Subscribe to our newsletter: <input type=email><button>Sign up</button></p>"
    directory = folder("site.example", "body: //main\n")
    settings = Settings(siteconfig_dir=directory, debug=True)
    ctx = Context(settings, FakeClient({}), FakeCache(), environ={})
    source = Source(page("kept", more=noise, side="<nav>A bell in the fog</nav>"), None, f"{HOST}/1")
    whole = conversion.convert_html(ctx, pages.PageRequest(f"{HOST}/1"), source)
    groups = conversion.convert_html(ctx, pages.PageRequest(f"{HOST}/1", with_groups=(1,)), source)
    assert len(set(whole.changes)) == len(whole.changes)
    assert groups.changes == whole.changes


def test_a_note_about_a_further_page_of_a_browser_shows_no_secret(folder):
    class Browser:
        def render(self, url, **_options):
            if url.endswith("/1"):
                return Rendered(page("part", following("/2")), url, "", 200, "text/html", None)
            return Rendered(page("more"), f"{url}?token=s3cret", "", 200, "text/html", None, notes=("no pictures",))

    ctx = context({}, folder("site.example", RULES))
    ctx.settings, ctx._browser = ctx.settings._replace(render="on"), Browser()
    opened = open_(ctx, mode="rendered")
    assert f"{HOST}/2?token=***: no pictures" in opened.notes
    assert "more" in opened.snapshot.markdown
