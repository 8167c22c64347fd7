"""Facts of the extraction (author, kept ratio, left-out groups) are in every answer, from network and cache."""

import pytest
from servers import page, serving

from webtool import registry
from webtool.cli import flags
from webtool.context import LocalFile
from webtool.errors import CacheMiss, InvalidArgument
from webtool.pages.answer import facts_members
from webtool.tools import cache_get, web_extract, web_fetch, web_open

SENTENCE = "The lighthouse keeper wrote down every ship that passed the cape, and what the weather was like. "
SOURCE = f"""<html lang="en"><head><title>Keeper</title><meta name="author" content="Ida Lind">
<meta property="article:published_time" content="2024-05-06"><meta property="og:site_name" content="Capes"></head><body>
<nav><a href="/">Start</a> <a href="/maps">Maps</a></nav><article><h1>Keeper</h1><p>{SENTENCE * 4}</p>
<p>{SENTENCE * 5}</p></article><div class="related-posts"><a href="/b">A bell in the fog</a></div>
<p style="display:none">Say nothing of this</p></body></html>"""


site = serving({"/keeper": page(SOURCE)})


def test_a_page_says_who_wrote_it_when_and_how_sure_the_choice_is(ctx, site):
    for _ in range(2):  # the second time from the cache
        data = web_open.run(ctx.derive(), url=f"{site.url}/keeper").data
        assert (data["author"], data["published"], data["site_name"], data["language"]) == (
            "Ida Lind",
            "2024-05-06",
            "Capes",
            "en",
        )
        assert data["status_code"] == 200
        assert 0.5 < data["kept_ratio"] < 1
        assert 0 < data["confidence"] <= 1
        assert "4 words that the page hides" in data["note"]
        assert "left_out" not in data


def test_left_out_lists_groups_and_with_adds_them(ctx, site):
    answer = web_open.run(ctx.derive(), url=f"{site.url}/keeper", left_out=True)
    teaser = next(row for row in answer.data["left_out"] if row["kind"] == "teaser")
    assert teaser["begins"] == "A bell in the fog"
    assert f"{teaser['n']}. teaser, 5 words: A bell in the fog" in answer.text
    more = web_open.run(ctx.derive(), url=f"{site.url}/keeper", **{"with": [teaser["n"]]}).data
    assert "[A bell in the fog]" in more["markdown"]
    assert "bell" not in web_open.run(ctx.derive(), url=f"{site.url}/keeper").data["markdown"]
    with pytest.raises(InvalidArgument, match="group 40"):
        web_open.run(ctx.derive(), url=f"{site.url}/keeper", **{"with": [40]})


def test_full_mode_is_the_whole_page(ctx, site):
    data = web_open.run(ctx.derive(), url=f"{site.url}/keeper", mode="full").data
    assert data["mode"] == "full"
    assert "A bell in the fog" in data["markdown"]
    assert data["markdown"].startswith("---\ntitle: Keeper\n")


def test_a_stored_page_lists_them_too(ctx, site):
    key = web_open.run(ctx.derive(), url=f"{site.url}/keeper").data["hash"]
    data = cache_get.run(ctx.derive(), hash=key, left_out=True).data
    assert {row["kind"] for row in data["left_out"]} >= {"navigation", "teaser", "hidden"}
    assert data["author"] == "Ida Lind"


def test_html_at_hand_is_read_alike(ctx):
    rows = web_extract.run(ctx, html=SOURCE, left_out=True).data["left_out"]
    number = next(row["n"] for row in rows if row["kind"] == "teaser")
    answer = web_extract.run(ctx, html=SOURCE, left_out=True, **{"with": [number]})
    assert "A bell in the fog" in answer.data["markdown"]
    assert answer.data["author"] == "Ida Lind"
    assert "1. navigation" in answer.text


def test_the_flags_take_numbers():
    words = flags.parse(["x", "--with", "2,5", "--left-out"], registry.load("open").SCHEMA["parameters"], {})
    assert words.members == {"with": [2, 5], "left_out": True}
    with pytest.raises(InvalidArgument, match="--with"):
        flags.parse(["--with", "two"], registry.load("open").SCHEMA["parameters"], {})


def test_a_low_kept_ratio_is_noted():
    members, notes = facts_members({"kept_ratio": 0.31, "left_out": []}, lists_left_out=False)
    assert members == {"kept_ratio": 0.31}
    assert notes == ["kept 31% of the page's text: mode full gives all, left_out lists the rest"]


def test_fetch_in_readable_mode_lists_and_adds_them(ctx, site):
    url = f"{site.url}/keeper"
    answer = web_fetch.run(ctx.derive(), url=url, mode="readable", left_out=True)
    teaser = next(row for row in answer.data["left_out"] if row["kind"] == "teaser")
    assert f"{teaser['n']}. teaser, 5 words: A bell in the fog" in answer.text
    assert (answer.data["author"], answer.data["status_code"]) == ("Ida Lind", 200)
    assert answer.data["content"].count("bell") == 0
    more = web_fetch.run(ctx.derive(), url=url, mode="readable", **{"with": [teaser["n"]]}).data
    assert "[A bell in the fog]" in more["content"]


@pytest.mark.parametrize("mode", ["full", "raw"])
@pytest.mark.parametrize("tool", [web_fetch, web_open])
def test_a_note_says_that_there_is_no_list_of_left_out_groups(ctx, site, tool, mode):
    answer = tool.run(ctx.derive(), url=f"{site.url}/keeper", mode=mode, left_out=True)
    assert answer.data["left_out"] == []
    assert "mode readable" in answer.data["note"]
    assert "Nothing was left out" not in answer.text
    assert "mode readable" in tool.run(ctx.derive(), url=f"{site.url}/keeper", mode=mode, **{"with": [1]}).data["note"]


def test_groups_are_added_from_the_stored_body_without_asking_the_server(ctx, site):
    url = f"{site.url}/keeper"
    first = web_open.run(ctx.derive(), url=url, left_out=True).data
    number = next(row["n"] for row in first["left_out"] if row["kind"] == "teaser")
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    for _ in range(2):  # and back again
        assert "bell" in web_open.run(offline, url=url, **{"with": [number]}).data["markdown"]
        assert "bell" not in web_open.run(offline, url=url).data["markdown"]
    for members in ({"with": [number]}, {"select": ".related-posts"}):
        assert "bell" in cache_get.run(offline, hash=first["hash"], **members).data["markdown"]
    assert "bell" not in cache_get.run(offline, hash=first["hash"]).data["markdown"]
    dropped = cache_get.run(offline, hash=first["hash"], drop="article p").data
    assert "lighthouse" not in dropped["markdown"]
    with pytest.raises(InvalidArgument, match="group 40"):
        cache_get.run(offline, hash=first["hash"], **{"with": [40]})
    with pytest.raises(InvalidArgument, match="select"):
        cache_get.run(offline, hash=first["hash"], select="p[")


def test_a_stored_page_whose_body_came_in_another_mode_is_written_anew_too(ctx, site):
    url = f"{site.url}/keeper"
    web_fetch.run(ctx.derive(), url=url)
    key = web_open.run(ctx.derive(), url=url).data["hash"]
    assert ctx.cache.get(key).raw_bytes is None
    assert "bell" in cache_get.run(ctx.derive(), hash=key, select=".related-posts").data["markdown"]


def test_without_a_stored_body_the_error_names_the_page_to_open(ctx, site):
    key = web_open.run(ctx.derive(), url=f"{site.url}/keeper").data["hash"]
    ctx.cache.put(ctx.cache.get(key)._replace(raw_bytes=None))
    with pytest.raises(CacheMiss, match="body of this page is not stored") as caught:
        cache_get.run(ctx.derive(), hash=key, **{"with": [1]})
    assert "web_open" in caught.value.hint


def test_hidden_words_that_were_added_back_are_not_noted_as_missing(ctx, site):
    first = web_open.run(ctx.derive(), url=f"{site.url}/keeper", left_out=True).data
    row = first["left_out"][-1]
    assert (row["kind"], row["words"], row["begins"]) == ("hidden", 4, "(not shown)")
    more = web_open.run(ctx.derive(), url=f"{site.url}/keeper", **{"with": [row["n"]]}).data
    assert "Say nothing of this" in more["markdown"]
    assert "not shown" not in more.get("note", "")


def test_a_file_lists_them_too(ctx):
    for tool, name in ((web_open, "markdown"), (web_fetch, "content"), (web_extract, "markdown")):
        local = ctx.derive()
        local.local = LocalFile("keeper.html", SOURCE.encode())
        first = {"html": ""} if tool is web_extract else {"url": "keeper.html", "mode": "readable"}
        number = next(
            row["n"] for row in tool.run(local, **first, left_out=True).data["left_out"] if row["kind"] == "teaser"
        )
        assert "A bell in the fog" in tool.run(local, **first, **{"with": [number]}).data[name]
