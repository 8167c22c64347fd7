"""The cache stores more than a page's text: notes come back with it, and an error is not requested twice."""

import json

import pytest
from fakes import Clock, FakeClient

from webtool import pages
from webtool.cache.store import open_cache
from webtool.cache.tables import Snapshot
from webtool.context import Context
from webtool.errors import CacheMiss, HttpError, NetworkError, RobotsDisallowed
from webtool.net.messages import Headers
from webtool.pages import stored_copies
from webtool.settings import Settings

URL = "https://site.example/page"
HTML = "text/html"
SHELL = "<title>App</title><div id=root></div><script src=a.js></script><noscript>Enable JavaScript</noscript>"


@pytest.fixture
def open_(tmp_path):
    """open_(answers, **settings) -> (context, opener)."""
    caches = []

    def make(answers, **settings):
        caches.append(open_cache(str(tmp_path / "cache.sqlite3"), Settings(), pytest.fail))
        client = FakeClient(answers)
        ctx = Context(Settings(respect_robots=False, **settings), client, caches[-1], environ={}, now=Clock())
        return ctx, lambda **fields: pages.open_page(ctx, pages.PageRequest(URL, **fields))

    yield make
    for cache in caches:
        cache.close()


def test_notes_of_a_page_are_there_again_from_the_cache(open_):
    answer = {"Content-Type": HTML, "Cache-Control": "max-age=60", "ETag": '"a"'}
    ctx, get = open_({URL: (200, answer, SHELL)})
    first = get(mode="readable")
    notes = tuple(note for note in first.notes if "browser" in note)
    assert len(notes) == 1
    again = get(mode="readable")
    assert again.cache_hit
    assert again.notes == notes
    ctx.client.pages[URL] = (304, {"ETag": '"a"'}, b"")
    ctx.now.time += 3600
    renewed = get(mode="readable")
    assert renewed.cache_hit
    assert renewed.notes == notes
    ctx.client.pages[URL] = NetworkError("gone")
    ctx.now.time += 3600
    assert get(mode="readable").notes[:1] == notes
    members = json.loads(first.snapshot.extract_cfg_json)
    assert members["notes"] == list(notes)
    assert members["strategy_used"]


UNREADABLE = ['{"notes"', '{"notes": 1}', '["notes"]', '{"x": "\\"notes\\""}', '{"notes": [1, null]}', "{}", "", None]


@pytest.mark.parametrize("text", UNREADABLE)
def test_notes_that_cannot_be_read_are_none(text):
    row = Snapshot("k", "u", "u", "raw", None, 200, "", extract_cfg_json=text)
    assert stored_copies.notes_of(row) == ()
    assert stored_copies.with_notes(row, ()) is row


GONE = (404, {"Content-Type": HTML, "Cache-Control": "max-age=60", "Retry-After": "5"}, "<p>No such page")


def status_of(get, **fields):
    with pytest.raises(HttpError) as caught:
        get(**fields)
    return caught.value


def test_a_storable_error_is_not_requested_again_until_it_expires(open_):
    ctx, get = open_({URL: GONE})
    first = status_of(get)
    again = status_of(get)
    assert len(ctx.client.asked) == 1
    assert (again.code, again.status_code, again.url) == (first.code, 404, first.url)
    assert again.message.startswith(first.message)
    assert "2027-01-15T08:00:00Z" in again.message
    assert "force_refresh" in again.hint
    status_of(get, force=True)
    assert len(ctx.client.asked) == 2
    ctx.now.time += 61
    status_of(get)
    assert len(ctx.client.asked) == 3
    assert ctx.cache.listing(9)[0].title == "HTTP 404"


def test_parts_of_a_page_do_not_come_from_an_error_that_has_expired(open_):
    ctx, get = open_({URL: GONE})
    status_of(get)
    ctx.now.time += 100
    ctx.client.pages[URL] = (200, {"Content-Type": "text/plain"}, "here again")
    assert get(accept_age=900.0).snapshot.markdown.strip() == "here again"
    assert get().cache_hit


def test_an_expired_error_is_not_served_offline(open_):
    _, get = open_({URL: GONE})
    status_of(get)
    offline, get_offline = open_({}, offline=True)
    assert status_of(get_offline).status_code == 404
    offline.now.time += 61
    with pytest.raises(CacheMiss, match="offline"):
        get_offline()


def test_an_error_never_costs_a_copy(open_):
    ctx, get = open_({URL: (200, {"Content-Type": "text/plain", "Cache-Control": "max-age=1"}, "the text")})
    get()
    ctx.now.time += 10
    ctx.client.pages[URL] = GONE
    status_of(get)
    status_of(get)
    assert len(ctx.client.asked) == 3
    _, get_offline = open_({}, offline=True)
    assert get_offline().snapshot.markdown.strip() == "the text"


@pytest.mark.parametrize(
    ("robots", "stands_in"), [((503, {}, ""), True), ((200, {}, "User-agent: *\nDisallow: /"), False)]
)
def test_a_copy_is_served_if_robots_txt_fails_but_not_if_it_forbids(open_, robots, stands_in):
    fields = {"Content-Type": "text/plain", "Cache-Control": "max-age=1, stale-if-error=600"}
    ctx, get = open_({URL: (200, fields, "the text"), "https://site.example/robots.txt": robots})
    get()
    ctx.now.time += 10
    ctx.settings = ctx.settings._replace(respect_robots=True)
    if stands_in:
        page = get()
        assert page.stale
        assert "robots.txt cannot be read (HTTP 503)" in page.notes[-1]
    else:
        with pytest.raises(RobotsDisallowed):
            get()


def test_a_bot_wall_is_not_stored(open_):
    fields = {"Content-Type": HTML, "Cache-Control": "max-age=60", "cf-mitigated": "challenge"}
    ctx, get = open_({URL: (403, fields, "")})
    status_of(get)
    status_of(get)
    assert len(ctx.client.asked) == 2


def test_temporary_redirects_are_requested_again_and_permanent_ones_are_not(open_):
    ctx, get = open_({URL: (200, {"Content-Type": "text/plain"}, "today")})
    fetch = ctx.client.fetch

    def redirected(request, **options):
        return fetch(request, **options)._replace(hops=((ctx.client.status, Headers()),))

    ctx.client.fetch = redirected
    for status, asked in ((302, 2), (301, 3)):
        ctx.client.status = status
        get(force=status == 301)
        get()
        assert len(ctx.client.asked) == asked
    assert get(accept_age=900.0).cache_hit
