"""web_open: members of the answer, parts of long pages, what is asked of the server."""

import pytest
from servers import page, serving

from webtool import pages
from webtool.cache.tables import Snapshot
from webtool.errors import FetchTooLarge, HttpError, InvalidArgument, WebtoolError
from webtool.pages.answer import read_choice
from webtool.tools import web_open

PARAGRAPHS = "".join(
    f"<p>Paragraph {n} tells of the tides of harbour {n}, <a href='/h/{n}'>harbour {n}</a>, at length.</p>"
    for n in range(300)
)
ROUTES = {
    "/page": page(f"<title>Tides</title><main><h1>Tides</h1>{PARAGRAPHS}</main>"),
    "/text": (200, {"Content-Type": "text/plain; charset=latin1", "Cache-Control": "max-age=60"}, b"caf\xe9\n" * 50),
    "/one-line": (200, {"Content-Type": "application/json"}, b'["' + b"x" * 50_000 + b'"]'),
    "/gone": (410, {"Content-Type": "text/plain"}, b"gone"),
    "/old": (301, {"Location": "/text"}, b""),
    "/empty": (200, {"Content-Type": "text/plain"}, b""),
    "/private-answer": (200, {"Content-Type": "text/plain", "Cache-Control": "no-store"}, b"not to be kept\n" * 9),
}  # fmt: skip


site = serving(ROUTES)


@pytest.fixture(autouse=True)
def _forget(site):
    site.asked.clear()


def test_a_readable_page_has_header_title_and_links(ctx, site):
    data = web_open.run(ctx, url=f"{site.url}/page").data
    header = f"---\ntitle: Tides\nsource: {site.url}/page\nfetched_at: {data['fetched_at']}\nextractor: webtool@"
    assert data["markdown"].startswith(header)
    assert "\nsiteconfig: none\n---\n" in data["markdown"]
    assert len(data["links"]) == 300
    assert data["links"][7] == {"text": "harbour 7", "href": f"{site.url}/h/7"}
    assert len(data["hash"]) == 64
    assert ctx.report == {"cache_hit": False, "status": 200}


NAMED = [
    ("#h-install", {}, True),
    ("#%C3%BCber", {}, True),
    ("#", {}, False),
    ("#!/path", {}, False),
    ("#:~:text=tides", {}, False),
    ("#install", {"section": "Tides"}, False),
    ("#install", {"outline": True}, False),
    ("#install", {"offset": 3}, False),
    ("#install", {"mode": "raw"}, False),
]


@pytest.mark.parametrize(("fragment", "members", "is_noted"), NAMED)
def test_an_address_that_names_a_section_is_noted(ctx, site, fragment, members, is_noted):
    note = web_open.run(ctx, url=f"{site.url}/page{fragment}", **members).data.get("note", "")
    assert ("this is the whole page" in note) == is_noted
    assert "über" in note or fragment != "#%C3%BCber"


def test_raw_is_the_decoded_body_cut_at_max_bytes(ctx, site):
    data = web_open.run(ctx, url=f"{site.url}/text", mode="raw").data
    assert data["raw"] == "café\n" * 50
    assert data["content_type"] == "text/plain; charset=latin1"
    assert "markdown" not in data
    cut = web_open.run(ctx, url=f"{site.url}/text", mode="raw", max_bytes=13).data
    assert cut["raw"] == "café\ncafé\nc"[: len(cut["raw"])]
    assert len(cut["raw"].encode()) <= 13
    assert "max_bytes" in cut["note"]
    with pytest.raises(FetchTooLarge):
        web_open.run(ctx, url=f"{site.url}/page", max_bytes=100)


def test_url_is_the_requested_and_final_url_the_redirected_address(ctx, site):
    data = web_open.run(ctx, url=f"{site.url}/old", mode="raw").data
    assert (data["url"], data["final_url"]) == (f"{site.url}/old", f"{site.url}/text")


def test_force_refresh_asks_again(ctx, site):
    for force in (False, False, True):
        web_open.run(ctx.derive(), url=f"{site.url}/text", mode="raw", force_refresh=force)
    assert site.paths() == ["/text", "/text"]


def test_an_accept_header_is_sent_and_has_its_own_copy(ctx, site):
    plain = web_open.run(ctx, url=f"{site.url}/text", mode="raw").data
    other = web_open.run(ctx, url=f"{site.url}/text", mode="raw", accept="text/markdown").data
    assert plain["hash"] != other["hash"]
    assert [headers["Accept"] for path, headers in site.asked if path == "/text"][1] == "text/markdown"
    for bad in ("a\r\nX: y", "é", "x" * 1001, "a\x00"):
        with pytest.raises(InvalidArgument):
            web_open.run(ctx, url=f"{site.url}/text", accept=bad)


@pytest.mark.parametrize("max_tokens", [400, 1500, 5000])
def test_parts_of_a_page_join_to_the_whole_and_keep_to_the_limit(ctx, site, max_tokens):
    whole = web_open.run(ctx, url=f"{site.url}/page").data["markdown"]
    body, offset, seen = [], 1, 0
    while offset:
        data = web_open.run(ctx.derive(), url=f"{site.url}/page", offset=offset, max_tokens=max_tokens).data
        header, part = data["markdown"][: whole.index("---\n", 4) + 4], data["markdown"][whole.index("---\n", 4) + 4 :]
        assert whole.startswith(header)
        assert len(str(data)) < 4.5 * max_tokens + 1000
        body.append(part)
        offset, seen = data.get("next_offset"), seen + 1
        assert ("note" in data) == (offset is not None or "more links" in data.get("note", ""))
    assert seen > 1
    assert header + "\n".join(body) == whole
    assert site.paths().count("/page") <= 2  # the second time with If-None-Match or not at all


def test_a_line_longer_than_the_answer_says_so(ctx, site):
    data = web_open.run(ctx, url=f"{site.url}/one-line", mode="raw", max_tokens=1000).data
    assert data["raw"] == '["' + "x" * (len(data["raw"]) - 2)
    assert 2900 < len(data["raw"]) < 4000
    assert "max_tokens" in data["note"]
    assert "next_offset" not in data


def test_an_offset_past_the_end_is_empty_and_says_so(ctx, site):
    data = web_open.run(ctx, url=f"{site.url}/text", mode="raw", offset=1000).data
    assert data["raw"] == ""
    assert "past the end" in data["note"]
    assert web_open.run(ctx, url=f"{site.url}/empty", mode="raw").data["raw"] == ""


def test_a_page_that_must_not_be_stored_is_in_no_file(ctx, site, tmp_path):
    web_open.run(ctx, url=f"{site.url}/private-answer", mode="raw")
    ctx.close()
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert files
    assert not any(b"not to be kept" in data for data in files)


def test_an_error_status_is_an_error(ctx, site):
    with pytest.raises(HttpError) as caught:
        web_open.run(ctx, url=f"{site.url}/gone")
    assert caught.value.status_code == 410


def test_a_cache_that_is_off_changes_nothing_but_the_requests(make_context, site):
    ctx = make_context(cache=False)
    for _ in range(2):
        web_open.run(ctx, url=f"{site.url}/text", mode="raw")
    assert site.paths() == ["/text", "/text"]


def test_offline_answers_from_the_cache_only(make_context, site):
    web_open.run(make_context(), url=f"{site.url}/text", mode="raw")
    ctx = make_context(offline=True, now=lambda: 4e9)
    assert web_open.run(ctx, url=f"{site.url}/text", mode="raw").data["raw"].startswith("café")
    with pytest.raises(WebtoolError) as caught:
        web_open.run(ctx, url=f"{site.url}/page", mode="raw")
    assert caught.value.code == "CACHE_MISS"
    assert site.paths() == ["/text"]


def test_a_ragged_end_of_tls_is_not_called_our_limit():
    kept = Snapshot("h", "https://e.example/", "https://e.example/", "raw", "text/plain", 200, "2026-01-01T00:00:00Z")
    kept = kept._replace(text="some", raw_bytes=b"some", raw_truncated=1)
    note = str(web_open.whole_answer(pages.Page(kept), read_choice({}), 1, 0, 5000).data["note"])
    assert "max_bytes" not in note
    assert "the end may be missing" in note
    assert "max_bytes (4)" in str(web_open.whole_answer(pages.Page(kept), read_choice({}), 1, 0, 4).data["note"])
