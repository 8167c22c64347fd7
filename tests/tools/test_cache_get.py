"""cache_get, cache_purge, cache_info."""

import pytest
from servers import Server

from webtool.cache.tables import Snapshot
from webtool.errors import CacheError, CacheMiss, InvalidArgument
from webtool.tools import cache_clear, cache_get, cache_info, cache_list, cache_purge, web_extract, web_open

KEY = "ab12" * 16
KEPT = Snapshot(
    KEY, "https://e.example/", "https://e.example/end", "readable", "text/html", 200, "2026-01-01T00:00:00Z",
    title="A: b", markdown="one\ntwo\nthree",
    links_json='[{"text": "t", "href": "h"}]', headers_json='{"etag": "x", ":selected": "y"}',
    extractor_name="webtool", extractor_version="1",
)  # fmt: skip

FEED = f"<rss version='2.0'><channel><title>{'t' * 100000}</title><item><title>One</title></item></channel></rss>"


def test_a_stored_page_comes_with_its_metadata(ctx):
    ctx.cache.put(KEPT)
    data = cache_get.run(ctx, hash=KEY).data
    assert data["markdown"] == (
        '---\ntitle: "A: b"\nsource: https://e.example/end\nfetched_at: 2026-01-01T00:00:00Z\nextractor: webtool@1\n'
        "siteconfig: none\n---\none\ntwo\nthree"
    )
    assert data["headers"] == {"etag": "x"}
    assert data["links_count"] == 1
    assert data["status_code"] == 200
    assert cache_get.run(ctx, hash=KEY[:6].upper()).data == data
    assert cache_get.run(ctx, hash=f"resource://cache/{KEY}").data == data
    assert cache_get.run(ctx, hash=KEY, offset=3).data["markdown"].endswith("---\nthree")
    part = cache_get.run(ctx, hash=KEY, max_tokens=2).data
    assert part["next_offset"] == 2
    assert part["markdown"].endswith("---\none")


@pytest.mark.parametrize("key", ["", "19", "ab12z", "%"])
def test_a_hash_may_be_too_short(ctx, key):
    ctx.cache.put(KEPT)
    with pytest.raises(InvalidArgument, match="give 6 or more of its digits"):
        cache_get.run(ctx, hash=key)


@pytest.mark.parametrize("key", ["0" * 64, "ab12cd", "x' OR 1=1 --"])
def test_an_unknown_hash_is_a_miss(ctx, key):
    ctx.cache.put(KEPT)
    with pytest.raises(CacheMiss) as caught:
        cache_get.run(ctx, hash=key)
    assert "web_open" in caught.value.hint


def test_a_prefix_of_two_hashes_finds_no_page(ctx):
    ctx.cache.put(KEPT)
    ctx.cache.put(KEPT._replace(hash=KEY[:-1] + "0"))
    with pytest.raises(CacheMiss):
        cache_get.run(ctx, hash=KEY[:10])


def test_purge_and_info(ctx):
    ctx.cache.put(KEPT)
    info = cache_info.run(ctx).data
    assert info["snapshots"] == 1
    assert info["size_bytes"] > 0
    assert info["counters"]["stores"] == 1
    assert cache_purge.run(ctx, domain="other.example").data == {"deleted": 0}
    assert cache_purge.run(ctx, domain="e.example").data == {"deleted": 1}
    assert cache_info.run(ctx).data["snapshots"] == 0


def test_without_a_cache_the_tools_say_so(make_context):
    ctx = make_context(cache=False)
    for work in (lambda: cache_get.run(ctx, hash=KEY), lambda: cache_purge.run(ctx), lambda: cache_info.run(ctx)):
        with pytest.raises(CacheError):
            work()


def test_a_long_title_is_cut_if_the_answer_is_limited(ctx):
    ctx.cache.put(KEPT._replace(title="t" * 100000))
    assert len(cache_get.run(ctx, hash=KEY, max_tokens=2000).data["title"]) == 500
    assert len(cache_get.run(ctx, hash=KEY).data["title"]) == 100000
    with Server({"/": (200, {"Content-Type": "application/rss+xml"}, FEED.encode())}) as web:
        assert len(web_open.run(ctx, url=web.url, max_tokens=2000).data["title"]) == 500
    extracted = web_extract.run(ctx, html=f"<title>{'t' * 100000}</title><p>text", max_tokens=2000).data
    assert len(extracted["title"]) == 500


def test_list_shows_what_get_takes(ctx):
    for number in range(3):
        ctx.cache.put(
            KEPT._replace(hash=f"{number}b12" * 16, fetched_at=f"2026-01-0{number + 1}T10:20:30Z", title=None)
        )
    result = cache_list.run(ctx, limit=2)
    assert [row["hash"][0] for row in result.data["pages"]] == ["2", "1"]
    assert (result.data["total"], result.data["next_offset"]) == (3, 2)
    assert result.text.split("\n")[0] == "2b122b122b12  2026-01-03 10:20  readable      1 KB  https://e.example/"
    assert cache_get.run(ctx, hash=result.text.split()[0]).data["hash"] == "2b12" * 16
    assert cache_list.run(ctx, limit=2, offset=2).data["pages"][0]["hash"] == "0b12" * 16
    assert "next_offset" not in cache_list.run(ctx, limit=2, offset=2).data


def test_clear_says_if_the_last_search_stays(ctx, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(cache_clear.os, "unlink", refuse)
    with pytest.raises(CacheError, match="last search"):
        cache_clear.run(ctx, yes=True)


def test_clear_empties_everything_but_only_with_yes(ctx):
    ctx.cache.put(KEPT)
    ctx.cache.put_search("k", "{}", "{}", ctx.now(), 100.0)
    ctx.cache.put_robots("https://e.example", b"", 200, ctx.now())
    with pytest.raises(InvalidArgument):
        cache_clear.run(ctx)
    assert cache_info.run(ctx).data["snapshots"] == 1
    assert cache_clear.run(ctx, yes=True).data == {"deleted": 1}
    info = cache_info.run(ctx).data
    assert (info["snapshots"], info["searches"], info["robots"]) == (0, 0, 0)
    assert ctx.cache.recall("one", 10, "", float("inf")).hits == []


def test_an_address_that_is_not_stored_is_named_without_its_secrets(ctx):
    with pytest.raises(CacheMiss, match=r"token=\*\*\*") as caught:
        cache_get.run(ctx, hash="https://e.example/x?token=hunter2")
    assert "hunter2" not in str(caught.value.to_dict())
