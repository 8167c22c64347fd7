"""The parts of a page on every tool that gives a page: the same members, the same answers, from one snapshot."""

import json
import os
import subprocess
import sys

import pytest
from servers import page, serving

from webtool import registry
from webtool.answers import budget, parts
from webtool.errors import ExtractFailed, InvalidArgument
from webtool.mcp import tools as mcp_tools
from webtool.pages import answer
from webtool.pages.stored_copies import with_rendered_body
from webtool.tools import cache_get

TEXT = "".join(
    f"<p>The harbour of town {n} has {n} berths, and the ferry calls there on day {n}.</p>" for n in range(60)
)
FEES = "<h2>Fees</h2><p>A yacht pays <a href=/fees>twelve crowns</a> a night, water included.</p>"
HTML = f"<title>Ports</title><article><h1>Ports</h1><h2>North</h2>{TEXT}{FEES}</article>"
MANY = "<title>M</title><article>" + "".join(f"<h2>Part {n}</h2><h3>Sub {n}</h3><p>Text.</p>" for n in range(400))
ROUTES = {
    "/ports": page(HTML),
    "/many": page(MANY),
    "/rows.csv": (200, {"Content-Type": "text/csv"}, b"port,berths\n" + b"Skagen,12\nHirtshals,30\n" * 40),
}


site = serving(ROUTES)


@pytest.fixture
def asking(ctx, site):
    """tool name -> a call of it about the page of ports."""

    def ask(name, **members):
        if name == "web_extract":
            return registry.call("extract", ctx, {"html": HTML, **members}).data
        url = f"{site.url}/ports"
        if name == "cache_get":
            key = registry.call("open", ctx, {"url": url}).data["hash"]
            return registry.call("cache get", ctx, {"hash": key, **members}).data
        return registry.call({"web_open": "open", "web_fetch": "fetch"}[name], ctx, {"url": url, **members}).data

    return ask


TOOLS = ["web_open", "web_fetch", "cache_get", "web_extract"]


@pytest.mark.parametrize("name", TOOLS)
def test_outline_section_find_query_and_verify_on_every_tool(asking, name):
    titles = [(one["level"], one["title"]) for one in asking(name, outline=True)["outline"]]
    assert titles[-2:] == [(2, "North"), (2, "Fees")]
    text = "content" if name == "web_fetch" else "markdown"
    section = asking(name, section="fees")
    assert section["section"]["path"] in ("Ports > Fees", "Fees")  # main content may go without the page's title
    assert section[text].rstrip().endswith("a night, water included.")
    assert "town 3" not in section[text]
    matches = asking(name, find="twelve")
    assert (matches["total_matches"], matches["matches"][0]["heading"]) == (1, section["section"]["path"])
    assert matches["matches"][0]["line"] == section["section"]["last_line"]
    query = asking(name, query="what does a yacht pay", max_tokens=100)
    assert "pays twelve crowns a night" in query[text]
    assert section["section"]["path"] in [passage["heading"] for passage in query["passages"]]
    assert len(query[text]) < 800
    verdict = asking(name, verify="A yacht pays twelve crowns a night")
    assert (verdict["verdict"], verdict["lines"]) == ("verbatim", [section["section"]["last_line"]] * 2)
    assert asking(name, verify="A yacht pays ten crowns")["verdict"] == "absent"
    if name != "web_extract":
        assert len(verdict["hash"]) == 64
        assert verdict["fetched_at"]


@pytest.mark.parametrize("name", TOOLS)
def test_two_parts_in_one_call_are_refused(asking, name):
    with pytest.raises(InvalidArgument, match="outline and find") as caught:
        asking(name, outline=True, find="x")
    assert caught.value.exit_status == 2
    with pytest.raises(InvalidArgument, match="unknown section"):
        asking(name, section="Tariffs")


def test_parts_come_from_one_snapshot(ctx, site):
    site.asked.clear()
    first = registry.call("open", ctx, {"url": f"{site.url}/ports"}).data
    for members in ({"outline": True}, {"find": "ferry"}, {"query": "ferry"}, {"section": "North"}):
        assert registry.call("open", ctx, {"url": f"{site.url}/ports", **members}).data["hash"] == first["hash"]
    assert sum("/ports" in str(asked) for asked in site.asked) == 1


def test_a_long_section_is_paged(ctx, site):
    url = f"{site.url}/ports"
    part = registry.call("open", ctx, {"url": url, "section": "North", "max_tokens": 300}).data
    assert "go on with offset" in part["note"]
    rest = registry.call("open", ctx, {"url": url, "section": "North", "offset": part["next_offset"]}).data
    assert "town 59" in rest["markdown"]
    assert "yacht" not in rest["markdown"]


def test_a_page_of_many_headings_shows_the_upper_ones(ctx, site):
    data = registry.call("open", ctx, {"url": f"{site.url}/many", "outline": True}).data
    assert len(data["outline"]) <= 300
    assert {one["level"] for one in data["outline"]} == {2}
    assert "of 800 headings" in data["note"]


def test_documents_have_parts_too(ctx, site):
    data = registry.call("fetch", ctx, {"url": f"{site.url}/rows.csv", "find": "hirtshals"}).data
    assert data["total_matches"] == 40
    assert (
        "Skagen"
        in registry.call("fetch", ctx, {"url": f"{site.url}/rows.csv", "query": "Skagen berths"}).data["content"]
    )


def test_an_mcp_answer_to_a_query_has_eight_hundred_tokens(ctx, site):
    result = mcp_tools.call(ctx, "web_open", {"url": f"{site.url}/ports", "query": "ferry harbour"}, "2025-06-18")
    data = result["structuredContent"]
    assert budget.estimate_tokens(data["markdown"]) < 1100
    assert data["passages"]


def test_the_members_stand_in_the_schemas_of_all_four_tools():
    for command in ("open", "fetch", "extract", "cache get"):
        properties = registry.load(command).SCHEMA["parameters"]["properties"]
        assert {name: properties[name]["type"] for name in parts.PROPERTIES} == {
            name: schema["type"] for name, schema in parts.PROPERTIES.items()
        }


CHOSEN = page(
    "<title>C</title><base href=/deep/><style>.off{display:none}</style><nav><a href=/n>Menu</a></nav>"
    "<main><h1>Head</h1>"
    "<p class=lead>The <a href=x>lead</a> paragraph says what the page is about.</p><p class=off>Hidden.</p>"
    "<ul><li class=y>yes<li>no</ul><aside class=ad>Buy this now, dear reader, while it lasts.</aside>"
    "<p>The second paragraph is longer, so that there is a main content to be found here.</p></main>"
)


chosen_site = serving({"/c": CHOSEN, "/t.txt": (200, {"Content-Type": "text/plain"}, b"plain words")})


def test_select_keeps_and_drop_takes_out(ctx, chosen_site):
    chosen_site.asked.clear()

    def content(**members):
        return registry.call("fetch", ctx, {"url": f"{chosen_site.url}/c", **members}).data["content"]

    lead = f"The [lead]({chosen_site.url}/deep/x) paragraph says what the page is about."
    assert "Buy this" in content()
    assert content(select=".lead") == lead
    assert content(select="li.y, nav a").split("\n\n") == [f"[Menu]({chosen_site.url}/n)", "- yes"]
    assert content(select=".off") == ""
    assert "Buy this" not in content(drop="aside, .lead")
    assert "lead" not in content(drop="aside, .lead")
    assert content(select=".lead") == lead  # from the cache: not mistaken for the whole page
    assert sum("/c" in str(asked) for asked in chosen_site.asked) == 1  # all from the one body that was fetched
    data = registry.call("open", ctx, {"url": f"{chosen_site.url}/c", "select": "h1", "links": "none"}).data
    assert data["markdown"].endswith("---\n# Head\n")
    html = CHOSEN[2].decode()
    assert registry.call("extract", ctx, {"html": html, "select": "h1"}).data["markdown"] == "# Head\n"
    assert "Buy this" not in registry.call("extract", ctx, {"html": html, "drop": ".ad"}).data["markdown"]


def test_a_selector_that_matches_nothing_or_is_invalid_is_an_error(ctx, chosen_site):
    url = f"{chosen_site.url}/c"
    with pytest.raises(ExtractFailed, match="finds nothing"):
        registry.call("fetch", ctx, {"url": url, "select": ".absent"})
    chosen_site.asked.clear()
    with pytest.raises(InvalidArgument, match="select: the selector"):
        registry.call("open", ctx, {"url": url, "select": "p:hover"})
    assert chosen_site.asked == []
    note = registry.call("fetch", ctx, {"url": f"{chosen_site.url}/t.txt", "select": "p"}).data["note"]
    assert "select and drop are for HTML" in note


@pytest.mark.parametrize("name", TOOLS)
def test_links_and_images_are_written_as_asked(asking, name):
    text = "content" if name == "web_fetch" else "markdown"
    assert "pays twelve crowns a night" in asking(name, links="none")[text]
    refs = asking(name, links="refs")[text]
    assert "pays [twelve crowns][1] a night" in refs
    assert refs.rstrip("\n").split("\n")[-1].startswith("[1]: ")
    assert "pays twelve crowns" in asking(name, links="none", section="fees")[text]
    with pytest.raises(InvalidArgument, match="links"):
        asking(name, links="all")


def test_each_passage_has_the_line_to_read_on_from(asking):
    passages = asking("web_fetch", query="berths in town 40 and town 7", max_tokens=100)["passages"]
    assert len(passages) > 1
    for passage in passages:
        assert passage["next_offset"] == passage["last_line"] + 1
        assert asking("web_fetch", offset=passage["next_offset"], limit=4)["content"]
    everything = asking("web_fetch", query="yacht a night", max_tokens=5000)["passages"]
    assert "next_offset" not in everything[-1]


@pytest.mark.parametrize(
    "members", [{"outline": True}, {"find": "part"}, {"query": "part text"}, {"section": "Part 3"}]
)
def test_every_part_keeps_to_its_tokens(ctx, site, members):
    data = registry.call("fetch", ctx, {"url": f"{site.url}/many", "max_tokens": 150, **members}).data
    asked = next(data[name] for name in ("outline", "matches", "content") if data.get(name))
    assert 0 < budget.estimate_tokens(json.dumps(asked) if isinstance(asked, list) else asked) <= 2 * 150


def test_a_fetch_ends_after_its_tokens_and_goes_on_from_there(ctx, site):
    url = f"{site.url}/ports"
    whole = registry.call("fetch", ctx, {"url": url}).data["content"]
    read, offset = [], 1
    while offset:
        part = registry.call("fetch", ctx, {"url": url, "offset": offset, "max_tokens": 300}).data
        assert budget.estimate_tokens(part["content"]) <= 300
        read.append(part["content"])
        offset = part.get("next_offset")
    assert len(read) > 2
    assert "\n".join(read) == whole
    short = registry.call("fetch", ctx, {"url": url, "limit": 3, "max_tokens": 300}).data
    assert (short["lines_read"], short["next_offset"]) == (3, 4)
    begun = registry.call("fetch", ctx, {"url": url, "offset": 5, "max_tokens": 5}).data
    assert "longer than max_tokens" in begun["note"]


BESIDE = page(
    "<title>Phone</title><nav><a href=/a>Home</a> <a href=/b>Shop</a></nav><main><article><h1>The Orca phone</h1>"
    + "".join(
        f"<p>Paragraph {n} says at some length how the Orca feels in the hand of a reviewer.</p>" for n in range(9)
    )
    + "</article></main><footer><table><tr><th>Part<th>Value<tr><td>Weight<td>183 g<tr><td>Price<td>$499</table>"
    "<p>Warranty lasts 24 months.</p></footer>"
)
beside_site = serving({"/orca": BESIDE})


@pytest.fixture
def orca(ctx, beside_site):
    def ask(**members):
        return registry.call("open", ctx, {"url": f"{beside_site.url}/orca", **members})

    return ask


def test_the_whole_page_is_searched_and_what_is_outside_is_marked(orca):
    assert "Warranty" not in orca().data["markdown"]
    matches = orca(find="warranty").data["matches"]
    assert [(match["outside_main"], "24 months" in match["text"]) for match in matches] == [(True, True)]
    found = orca(query="how long is the warranty of the Orca?")
    assert "Warranty lasts 24 months." in found.data["markdown"]
    assert found.data["passages"][-1]["outside_main"]
    assert "outside the main content" in found.data["note"]
    assert "outside_main" not in orca(query="how does the Orca feel in the hand").data["passages"][0]
    assert orca(verify="Warranty lasts 24 months.").data["outside_main"]
    assert orca(verify="Warranty lasts 25 months.").data["verdict"] == "absent"
    full = orca(mode="full").data["markdown"].split("---\n", 2)[2].split("\n")
    assert "Warranty" in full[matches[0]["line"] - 1]
    assert orca(sql="select value from t1 where part = 'Weight'").data["rows"] == [["183 g"]]


def test_words_that_are_nowhere_on_the_page_are_named(orca):
    data = orca(query="does the Orca support satellite messaging?").data
    assert data["absent_words"] == ["support", "satellite", "messaging"]
    assert "not on the page: support, satellite, messaging" in data["note"]
    assert orca(query="Orca warranty").data["absent_words"] == []


def test_webtools_own_words_come_before_the_frame(ctx, beside_site):
    def text(**members):
        arguments = {"url": f"{beside_site.url}/orca", **members}
        return mcp_tools.call(ctx, "web_open", arguments, "2025-06-18")["content"][0]["text"]

    assert "no line matches" in text(find="quagga").partition("<<<")[0]
    assert "absent" in text(verify="It sinks.").partition("<<<")[0]
    before, _, inside = text(query="satellite warranty", max_tokens=200).partition("<<<")
    assert "note: " in before
    assert "satellite" in before
    assert "note: " not in inside
    digits = before.partition("hash: ")[2].split("\n")[0]
    assert len(digits) == 12
    assert before.count("T") == 1  # one time


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_looks_beside_the_main_content(ctx, beside_site, name):
    def ask(**members):
        if name == "web_extract":
            return registry.call("extract", ctx, {"html": BESIDE[2].decode(), **members}).data
        url = f"{beside_site.url}/orca"
        if name == "cache_get":
            key = registry.call("open", ctx, {"url": url}).data["hash"]
            return registry.call("cache get", ctx, {"hash": key, **members}).data
        tool = {"web_open": "open", "web_fetch": "fetch"}[name]
        return registry.call(tool, ctx, {"url": url, "mode": "readable", **members}).data

    text = "content" if name == "web_fetch" else "markdown"
    assert ask(find="warranty")["matches"][0]["outside_main"]
    assert "Warranty lasts 24 months." in ask(query="how long is the warranty")[text]
    assert ask(verify="Warranty lasts 24 months.")["outside_main"]
    assert ask(sql="select value from t1 where part = 'Price'")["rows"] == [["$499"]]
    assert ask(find="warranty", select="main")["matches"] == []


def test_groups_that_are_added_back_do_not_end_the_search_of_the_whole_page(orca):
    groups = [row["n"] for row in orca(left_out=True).data["left_out"]]
    assert "24 months" in str(orca(find="warranty", **{"with": groups[:1]}).data["matches"])


def test_verify_looks_through_the_whole_of_a_stored_page(ctx, orca):
    key = orca().data["hash"]
    data = registry.call("verify", ctx, {"quote": "Warranty lasts 24 months.", "page": key}).data
    assert (data["verdict"], data["outside_main"]) == ("verbatim", True)


def test_a_batch_takes_one_question_for_all_pages(ctx, beside_site, site):
    items = [{"url": f"{beside_site.url}/orca"}, {"url": f"{site.url}/ports"}]
    data = registry.call("batch", ctx, {"items": items, "query": "warranty", "max_tokens": 1200}).data
    first, second = data["items"]
    assert "Warranty lasts 24 months." in first["markdown"]
    assert first["passages"][-1]["outside_main"]
    assert second["absent_words"] == ["warranty"]
    data = registry.call("batch", ctx, {"items": items, "find": "twelve"}).data
    assert [item["total_matches"] for item in data["items"]] == [0, 1]
    with pytest.raises(InvalidArgument, match="find and query"):
        registry.call("batch", ctx, {"items": items, "find": "a", "query": "b"})


def test_what_webtool_says_of_each_page_of_a_batch_comes_before_the_frame(ctx, beside_site, site):
    orca, ports = f"{beside_site.url}/orca", f"{site.url}/ports"

    def text(**members):
        arguments = {"items": [{"url": orca}, {"url": ports}], **members}
        return mcp_tools.call(ctx, "web_batch_open", arguments, "2025-06-18")["content"][0]["text"]

    before, _, inside = text(find="twelve").partition("<<<")
    assert before == f"{orca}: no line matches\n"
    assert orca not in inside
    assert f"{ports}\nline " in inside
    before = text(query="warranty").partition("<<<")[0]
    assert f"{orca}: all passages are outside the main content" in before
    assert f"{ports}: no word of the query is on the page" in before


def test_command_lines_take_sql_and_context(archive, tmp_path):
    path = tmp_path / "orca.html"
    path.write_bytes(BESIDE[2])

    def run(*words):
        command = [sys.executable, "-S", str(archive), "open", str(path), *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
        return done.returncode, done.stdout

    code, shown = run("--sql", "select value, part from t1 where part = 'Weight'", "--json")
    assert (code, json.loads(shown)["rows"]) == (0, [["183 g", "Weight"]])
    windows = [json.loads(run("--find", "Paragraph 4", "--context", n, "--json")[1])["matches"] for n in ("0", "2")]
    assert ["Paragraph 3" in window[0]["text"] for window in windows] == [False, True]
    assert run("--find", "quagga")[0] == 1


def test_the_whole_of_a_rendered_page_comes_from_the_body_of_the_browser(ctx, orca):
    stored = cache_get.find(ctx.cache, orca().data["hash"])
    rendered = with_rendered_body(stored._replace(mode="rendered", hash="0" * 64), BESIDE[2], "")
    for name, is_searched in (("find", True), ("query", True), ("verify", True), ("section", False)):
        whole = answer.whole_text(ctx, rendered, answer.read_choice({name: "warranty"}))
        assert ("Warranty lasts 24 months." in whole) is is_searched


def test_the_command_line_asks_one_question_of_all_pages(site, beside_site, tmp_path, archive):
    private = {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "WEBTOOL_CACHE_PATH": str(tmp_path / "cache.sqlite3")}
    for flag, words in (("--query", "how long is the warranty"), ("--find", "warranty")):
        pages = [f"{beside_site.url}/orca", f"{site.url}/ports"]
        command = [sys.executable, "-S", str(archive), "batch", *pages, flag, words]
        environment = {**os.environ, **private}
        done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=60, check=False, env=environment)
        first, second = map(json.loads, done.stdout.splitlines())
        assert "24 months" in str(first.get("markdown") or first["matches"])
        assert second.get("matches") == [] or "warranty" in second["absent_words"]
