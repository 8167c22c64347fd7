"""Opening a page: which requests are sent, what is stored, and which copy is served, with a fake client and cache."""

import re

import pytest
from fakes import Clock, FakeCache, FakeClient

from webtool import pages
from webtool.browser.behaviour import Rendered
from webtool.context import Context
from webtool.errors import (
    CacheMiss,
    FetchTimeout,
    FetchTooLarge,
    HttpError,
    InvalidUrl,
    NetworkError,
    RenderFailed,
    RobotsDisallowed,
    UnsupportedContent,
)
from webtool.pages import alternates, citation
from webtool.pages.stored_copies import stored_facts
from webtool.settings import Settings
from webtool.tools import cache_get

URL = "https://site.example/page"
HTML = {"Content-Type": "text/html"}
NO_ROBOTS = {"https://other.example/robots.txt": (404, {}, "")}
ROBOTS = {"https://site.example/robots.txt": (200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /no\n")}


def context(answers, **changes):
    return Context(Settings(**changes), FakeClient({**ROBOTS, **answers}), FakeCache(), environ={}, now=Clock())


def open_(ctx, url=URL, **fields):
    return pages.open_page(ctx, pages.PageRequest(url, **fields))


def test_a_page_is_converted_and_stored():
    ctx = context({URL: (200, HTML, "<title> A\n page </title><h1>Hi</h1>")})
    page = open_(ctx)
    assert (page.snapshot.title, page.snapshot.markdown.strip(), page.cache_hit) == ("A page", "# Hi", False)
    again = open_(ctx)
    assert (again.snapshot, again.cache_hit) == (page.snapshot, True)
    assert ctx.client.urls() == [URL]


def test_each_mode_is_stored_under_its_own_key():
    ctx = context({URL: (200, HTML, "<p>text of the page")})
    assert open_(ctx, mode="raw").snapshot.text == "<p>text of the page"
    assert open_(ctx, mode="full").snapshot.markdown.strip() == "text of the page"
    assert len(ctx.cache.rows) == 2


def test_a_stale_copy_is_validated_and_lives_on():
    def answer(request):
        if ("If-None-Match", '"v1"') in request.headers:
            return 304, {"ETag": '"v1"'}, ""
        return 200, {**HTML, "ETag": '"v1"', "Cache-Control": "max-age=60"}, "<p>one"

    ctx = context({URL: answer})
    first = open_(ctx)
    ctx.now.time += 3600
    second = open_(ctx)
    assert second.snapshot.markdown == first.snapshot.markdown
    assert second.cache_hit
    assert second.snapshot.expires_at > first.snapshot.expires_at
    assert len(ctx.client.urls()) == 2
    open_(ctx)
    assert len(ctx.client.urls()) == 2


def test_a_changed_page_replaces_the_copy():
    answers = iter(["<p>one", "<p>two"])
    ctx = context({URL: lambda request: (200, {**HTML, "Cache-Control": "max-age=60"}, next(answers))})
    open_(ctx)
    ctx.now.time += 3600
    assert open_(ctx).snapshot.markdown.strip() == "two"
    assert open_(ctx).cache_hit


def test_force_asks_although_fresh():
    ctx = context({URL: (200, HTML, "<p>x")})
    open_(ctx)
    open_(ctx, force=True)
    assert len(ctx.client.urls()) == 2


def test_a_stored_copy_is_served_if_the_server_is_down():
    ctx = context({URL: (200, {**HTML, "Cache-Control": "max-age=60"}, "<p>one")})
    open_(ctx)
    ctx.now.time += 3600
    ctx.client.pages[URL] = NetworkError("refused")
    page = open_(ctx)
    assert (page.snapshot.markdown.strip(), page.stale) == ("one", True)
    assert "refused" in page.notes[0]


def test_a_page_with_no_store_is_not_stored_and_its_old_copy_is_deleted():
    ctx = context({URL: (200, {**HTML, "Cache-Control": "max-age=60"}, "<p>one")})
    open_(ctx)
    ctx.now.time += 3600
    ctx.client.pages[URL] = (200, {**HTML, "Cache-Control": "no-store"}, "<p>two")
    assert open_(ctx).snapshot.markdown.strip() == "two"
    assert ctx.cache.rows == {}


def test_an_error_status_is_an_error():
    ctx = context({URL: (404, HTML, "<p>no")})
    with pytest.raises(HttpError) as caught:
        open_(ctx)
    assert caught.value.status_code == 404
    assert ctx.cache.rows == {}


def test_offline_answers_from_the_cache_whatever_its_age():
    ctx = context({URL: (200, {**HTML, "Cache-Control": "max-age=60"}, "<p>one")})
    open_(ctx)
    ctx.now.time += 10**7
    ctx.settings = ctx.settings._replace(offline=True)
    page = open_(ctx)
    assert page.cache_hit
    assert "offline" in page.notes[0]
    with pytest.raises(CacheMiss):
        open_(ctx, "https://site.example/other")
    assert ctx.client.urls() == [URL]


def test_robots_is_asked_first_and_obeyed():
    ctx = context({"https://site.example/no": (200, HTML, "secret")})
    with pytest.raises(RobotsDisallowed):
        open_(ctx, "https://site.example/no")
    assert ctx.client.urls() == []


def test_an_error_of_robots_txt_names_the_page():
    unreachable = NetworkError("nobody answers", url="https://site.example/robots.txt")
    ctx = context({"https://site.example/robots.txt": unreachable})
    with pytest.raises(NetworkError) as caught:
        open_(ctx, URL + "?token=abc")
    assert caught.value.url == URL + "?token=***"


def test_a_note_says_that_robots_txt_was_not_asked():
    ctx = context({"https://site.example/no": (200, HTML, "<p>open")}, respect_robots=False)
    page = open_(ctx, "https://site.example/no")
    assert "robots.txt was not asked" in page.notes[0]


ALTERNATE = '<link rel="alternate" type="text/markdown" href="/page.md"><p>HTML text'


def test_the_markdown_alternate_is_used_when_asked_for():
    answers = {
        URL: (200, HTML, ALTERNATE),
        "https://site.example/page.md": (200, {"Content-Type": "text/markdown"}, "# From markdown\n"),
    }
    assert open_(context(answers), accept="text/markdown").snapshot.markdown.strip() == "# From markdown"
    assert open_(context(answers)).snapshot.markdown.strip() == "HTML text"


def test_an_alternate_that_is_html_is_refused():
    answers = {
        URL: (200, HTML, ALTERNATE),
        "https://site.example/page.md": (200, {"Content-Type": "text/markdown"}, "<!doctype html><html><p>not found"),
    }
    page = open_(context(answers), accept="text/markdown")
    assert page.snapshot.markdown.strip() == "HTML text"
    assert "turned out to be HTML" in page.notes[-1]


MARKDOWN = {"Content-Type": "text/markdown"}


def test_readable_mode_takes_the_markdown_that_the_page_names_and_says_so():
    answers = {URL: (200, HTML, ALTERNATE), "https://site.example/page.md": (200, MARKDOWN, "# From markdown\n")}
    ctx = context(answers)
    page = open_(ctx, mode="readable")
    assert page.snapshot.markdown.strip() == "# From markdown"
    assert page.notes == ("this is the page's own markdown, https://site.example/page.md",)
    assert (page.snapshot.url, page.snapshot.final_url) == (URL, "https://site.example/page.md")
    again = open_(ctx, mode="readable")
    assert again.cache_hit
    assert again.notes == page.notes
    assert open_(ctx, mode="readable", select="p").snapshot.markdown.strip() == "HTML text"


def test_a_link_header_field_names_the_markdown_too():
    answers = {
        URL: (
            200,
            {**HTML, "Link": '</other>; rel=next, <page.md>; rel="alternate"; type="text/markdown"'},
            "<p>HTML text",
        ),
        "https://site.example/page.md": (200, MARKDOWN, "# From markdown\n"),
    }
    page = open_(context(answers), mode="readable")
    assert page.snapshot.markdown.strip() == "# From markdown"
    assert page.notes == ("this is the page's own markdown, https://site.example/page.md",)
    assert "HTML text" in open_(context(answers), mode="full").snapshot.markdown


@pytest.mark.parametrize("answer", [(404, HTML, "gone"), (200, MARKDOWN, "<!doctype html><p>x"), (200, MARKDOWN, " ")])
def test_an_alternate_that_is_not_markdown_is_ignored_with_a_note(answer):
    page = open_(context({URL: (200, HTML, ALTERNATE), "https://site.example/page.md": answer}), mode="readable")
    assert "HTML text" in page.snapshot.markdown
    assert "the markdown alternate https://site.example/page.md" in page.notes[-1]


def test_accept_markdown_opens_the_markdown_file_beside_a_page():
    plain = "<p>HTML text of a page that names no alternate"
    answers = {
        "https://site.example/guide.html": (200, HTML, plain),
        "https://site.example/guide.md": (200, MARKDOWN, "# Twin"),
    }
    assert (
        open_(context(answers), "https://site.example/guide.html", accept="text/markdown").snapshot.markdown == "# Twin"
    )
    assert "HTML text" in open_(context(answers), "https://site.example/guide.html").snapshot.markdown
    start = {"https://site.example/": (200, HTML, plain), "https://site.example/llms.txt": (200, {}, "# Site\n\n- a")}
    assert "# Site" in open_(context(start), "https://site.example/", accept="text/markdown").snapshot.markdown
    shell = {**start, "https://site.example/llms.txt": (200, HTML, "<!doctype html><p>app")}
    assert "HTML text" in open_(context(shell), "https://site.example/", accept="text/markdown").snapshot.markdown


TWINS = [
    ("https://a.example/x/y", ["https://a.example/x/y.md"]),
    ("https://a.example/x/y.html?q=1#f", ["https://a.example/x/y.md"]),
    ("https://a.example/x/", ["https://a.example/x/index.md", "https://a.example/x.md"]),
    ("https://a.example", ["https://a.example/index.md", "https://a.example/llms.txt"]),
    ("https://a.example/x.pdf", []),
]


@pytest.mark.parametrize(("url", "expected"), TWINS)
def test_twins_lie_beside_the_page(url, expected):
    assert alternates.twins(url) == expected


def test_llms_txt_that_is_html_is_refused():
    ctx = context({"https://site.example/llms.txt": (200, HTML, "<!doctype html><p>single-page app")})
    with pytest.raises(UnsupportedContent, match=r"llms\.txt is not the text file"):
        open_(ctx, "https://site.example/llms.txt")
    ctx = context({"https://site.example/llms.txt": (200, {"Content-Type": "text/plain"}, "# Site\n")})
    assert open_(ctx, "https://site.example/llms.txt").snapshot.markdown.strip() == "# Site"


def signpost(content, text="Redirecting"):
    return {
        URL: (200, HTML, f'<meta http-equiv="refresh" content="{content}"><p>{text}'),
        "https://site.example/next": (200, HTML, "<p>the text"),
    }


@pytest.mark.parametrize("content", ["0; url=/next", "5;URL='/next'", "0,next", "0 ; url = /next", "2; /next"])
def test_a_refresh_of_a_page_without_text_is_followed(content):
    assert open_(context(signpost(content))).snapshot.markdown.strip() == "the text"


@pytest.mark.parametrize("content", ["0", "60; url=/next", "; url=/next", "x; url=/next", "0; url=/page", ""])
def test_other_refreshes_are_not(content):
    assert open_(context(signpost(content))).snapshot.markdown.strip() == "Redirecting"


def test_a_page_with_text_stays_although_it_refreshes():
    page = open_(context(signpost("0; url=/next", "long text " * 100)))
    assert page.snapshot.markdown.startswith("long text")


def refreshing(*names):
    """Return pages that each refresh to the next: the first is at URL."""
    addresses = [URL, *[f"https://site.example/{name}" for name in names]]
    return {
        address: (200, HTML, f'<meta http-equiv="refresh" content="0; url={after}"><p>Redirecting')
        for address, after in zip(addresses, addresses[1:])
    }


def test_refreshes_are_followed_one_after_the_other():
    text = {"https://site.example/1.2/": (200, HTML, "<p>the text")}
    ctx = context({**refreshing("latest/", "1.2/"), **text})
    page = open_(ctx)
    assert (page.snapshot.markdown.strip(), page.snapshot.final_url) == ("the text", "https://site.example/1.2/")


def test_a_refresh_leads_to_markdown_too():
    html = (200, HTML, '<link rel=alternate type=text/markdown href="/next.md"><p>text')
    markdown = (200, {"Content-Type": "text/markdown"}, "# Text\n")
    answers = {"https://site.example/next": html, "https://site.example/next.md": markdown}
    page = open_(context({**refreshing("next"), **answers}), mode="readable")
    assert page.snapshot.markdown.strip() == "# Text"


LINKING = [
    '<meta http-equiv="refresh" content="0; url={}"><p>Redirecting',
    '<link rel=alternate type=text/markdown href="{}"><p>text',
]


@pytest.mark.parametrize("text", LINKING)
def test_the_callers_header_fields_stay_at_the_origin_of_the_page(text):
    field = ("X-Key", "1")
    for target, is_own in (("https://site.example/b", True), ("https://other.example/b", False)):
        markdown = (200, {"Content-Type": "text/markdown"}, "# b")
        ctx = context({**NO_ROBOTS, URL: (200, HTML, text.format(target)), target: markdown})
        ctx.headers = (field,)
        assert open_(ctx, mode="readable").snapshot.markdown.strip() == "# b"
        sent = {request.url: field in request.headers for request in ctx.client.asked}
        assert (sent[URL], sent[target]) == (True, is_own)


def test_header_fields_do_not_come_back_from_another_origin():
    back = "https://site.example/back"
    refresh = '<meta http-equiv="refresh" content="0; url={}"><p>Redirecting'
    other = "https://other.example/"
    pages_ = {URL: (200, HTML, refresh.format(other)), other: (200, HTML, refresh.format(back))}
    ctx = context({**NO_ROBOTS, **pages_, back: (200, HTML, "<p>text")})
    ctx.headers = (("X-Key", "1"),)
    open_(ctx)
    sent = {request.url: ("X-Key", "1") in request.headers for request in ctx.client.asked}
    assert [sent[url] for url in (URL, other, back)] == [True, False, False]


def test_refreshes_in_a_circle_end():
    ctx = context(refreshing("next", "page"))
    assert open_(ctx).snapshot.markdown.strip() == "Redirecting"
    assert len(ctx.client.urls()) == 6


@pytest.mark.parametrize("first", ["full", "readable", "raw"])
@pytest.mark.parametrize("second", ["full", "readable"])
def test_a_stored_page_that_refreshes_leads_to_its_target(first, second):
    ctx = context(signpost("0; url=/next"))
    open_(ctx, mode=first)
    assert open_(ctx, mode=second).snapshot.markdown.strip() == "the text"
    assert ctx.client.urls().count(URL) == 1
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    assert open_(offline, mode=second).snapshot.markdown.strip() == "the text"
    assert "http-equiv" in open_(offline, mode="raw").snapshot.text


def test_a_page_that_refreshes_is_not_stored_against_its_will():
    html = {**HTML, "Cache-Control": "no-store"}
    ctx = context({**signpost("0; url=/next"), URL: (200, html, signpost("0; url=/next")[URL][2])})
    open_(ctx)
    assert [row.url for row in ctx.cache.rows.values()] == ["https://site.example/next"]


def test_user_info_is_refused_and_not_repeated():
    ctx = context({URL: (200, HTML, "<p>x")})
    with pytest.raises(InvalidUrl) as caught:
        open_(ctx, "https://someone:hunter2@site.example/page")
    assert "hunter2" not in repr(caught.value.to_dict())
    assert ctx.client.asked == []


def test_a_document_in_readable_mode_is_asked_for_once():
    ctx = context({URL: (200, {"Content-Type": "text/csv"}, "a,b\n1,2\n")})
    first = open_(ctx, mode="readable")
    assert open_(ctx, mode="readable").cache_hit
    assert open_(ctx, mode="readable", accept_age=900.0).snapshot == first.snapshot
    assert ctx.client.urls() == [URL]


WALLS = [
    ("<!doctype html><title>t</title><body></body>", "has no text"),
    ("<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>", "need a browser"),
    ("<h1>Sign in</h1><form><input type=Password><button>Go</button></form>", "asks for a login"),
    ("<h1>Sign up</h1><form><input type=password></form>" + "<p>A page with words enough of its own.</p>" * 40, ""),
]
READABLE_WALLS = [
    ("<title>Gone</title><h1>Page not found</h1><p>The page you asked for may have been removed.</p>", "an error page"),
    ("<title>Forum</title><p>You must be logged in to view this topic.</p><a href=/l>Log in</a>", "asks for a login"),
    ("<title>Check</title><h1>Verify you are human</h1><p>Complete the security check.</p>", "whether a person asks"),
]


@pytest.mark.parametrize(("page", "note"), READABLE_WALLS)
def test_pages_without_content_are_noted_in_readable_mode(page, note):
    ctx = Context(Settings(), FakeClient({URL: (200, HTML, page), **ROBOTS}), FakeCache(), now=Clock())
    for _ in range(2):  # from the server, then from the cache
        opened = pages.open_page(ctx, pages.PageRequest(URL, "readable"))
        assert note in "; ".join(opened.notes)
        assert stored_facts(opened.snapshot)["confidence"] < 0.1


@pytest.mark.parametrize("mode", ["full", "readable"])
@pytest.mark.parametrize(("page", "note"), WALLS, ids=["empty", "shell", "login", "page"])
def test_login_walls_and_shells_are_noted_in_every_mode(page, note, mode):
    ctx = Context(Settings(), FakeClient({URL: (200, HTML, page), **ROBOTS}), FakeCache(), now=Clock())
    for _ in range(2):  # from the server, then from the cache
        notes = "; ".join(pages.open_page(ctx, pages.PageRequest(URL, mode)).notes)
        assert bool(notes) == bool(note)
        assert re.search(note, notes)


@pytest.mark.parametrize("mode", ["full", "readable"])
def test_a_shell_is_given_with_a_note_while_a_warc_file_is_written(mode, tmp_path):
    shell = WALLS[1][0]
    ctx = context({URL: (200, HTML, shell)}, render="auto", warc=str(tmp_path / "x.warc.gz"))
    assert "not kept in a WARC file" in "; ".join(open_(ctx, mode=mode).notes)


class BrowserWithoutHtml:
    """A browser to which the site sends a PDF, whatever it sends to others."""

    def __init__(self):
        self.calls = 0

    def render(self, url, **_options):
        self.calls += 1
        return Rendered("", url, "", 200, "application/pdf", None)


@pytest.mark.parametrize("mode", ["full", "readable", "rendered"])
def test_a_shell_of_which_the_browser_gets_no_html_is_given_as_it_is(mode):
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto")
    ctx._browser = BrowserWithoutHtml()
    assert "application/pdf" in "; ".join(open_(ctx, mode=mode).notes)
    assert ctx._browser.calls <= 2


class BrowserThatFails:
    def __init__(self, error):
        self.error = error

    def render(self, _url, **_options):
        raise self.error


@pytest.mark.parametrize("mode", ["full", "readable"])
@pytest.mark.parametrize(
    "error",
    [RenderFailed("it ended"), FetchTimeout("it took too long"), NetworkError("no route"), FetchTooLarge("3 GB")],
)
def test_a_shell_that_the_browser_cannot_open_is_given_as_the_server_sent_it(mode, error):
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto")
    ctx._browser = BrowserThatFails(error)
    assert error.message in "; ".join(open_(ctx, mode=mode).notes)


def test_an_answer_that_is_cut_replaces_no_whole_copy():
    answers = iter(["<p>one, whole", "<p>tw"])
    ctx = context({URL: lambda request: (200, {**HTML, "Cache-Control": "max-age=60"}, next(answers))})
    whole = open_(ctx).snapshot
    ctx.now.time += 3600
    fetch = ctx.client.fetch
    ctx.client.fetch = lambda request, **options: fetch(request, **options)._replace(truncated=True)
    assert open_(ctx).snapshot.markdown.strip() == "tw"
    assert ctx.cache.get(whole.hash) == whole


def test_offline_a_stored_shell_is_given_as_no_browser_may_be_asked():
    ctx = context({URL: (200, HTML, WALLS[1][0])})
    open_(ctx, mode="raw")
    offline = ctx.derive(settings=ctx.settings._replace(offline=True, render="auto"))
    page = open_(offline, mode="readable")
    assert (page.cache_hit, page.notes) == (True, ("the page has no text",))


def test_a_stale_body_of_another_mode_is_called_offline_only_offline():
    headers = {**HTML, "Cache-Control": "max-age=60, stale-while-revalidate=3600"}
    ctx = context({URL: (200, headers, "<p>one")})
    open_(ctx, mode="raw")
    ctx.now.time += 120
    page = open_(ctx)
    assert (page.stale, page.notes) == (True, ())
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    ctx.now.time += 120
    page = open_(offline, mode="readable")
    assert page.stale
    assert "offline: this copy is 240 s old" in page.notes


class BrowserThatShows:
    """A browser in which a page shows a text, and hides another. The server names another encoding."""

    def render(self, url, headers=(), **_options):
        self.headers = headers
        html = '<title>T</title><p>Caf\u00e9 words of the page, quite a lot of them.</p><p m="x">Obey me.</p>'
        return Rendered(html, url, "", 200, "text/html; charset=iso-8859-1", None, mark="m")


@pytest.mark.parametrize("again", [{"mode": "readable"}, {"mode": "full", "drop": "b"}])
def test_what_a_browser_showed_is_read_again_as_the_browser_gave_it(again):
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto")
    ctx._browser = BrowserThatShows()
    assert "Caf\u00e9" in open_(ctx, mode="full").snapshot.markdown
    page = open_(ctx, **again)
    assert "Caf\u00e9" in page.snapshot.markdown
    assert "Obey" not in page.snapshot.markdown


@pytest.mark.parametrize(("mode", "headers"), [("full", ()), ("readable", (("referer", "x"),))])
def test_a_browser_sends_header_fields_of_site_rules_only_in_modes_with_rules(mode, headers, tmp_path):
    (tmp_path / "site.example.txt").write_text("http_header(referer): x\n")
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto", siteconfig_dir=str(tmp_path))
    ctx._browser = BrowserThatShows()
    open_(ctx, mode=mode)
    assert ctx._browser.headers == headers


def test_mode_raw_and_citations_have_nothing_that_a_browser_showed():
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto")
    ctx._browser = BrowserThatShows()
    open_(ctx, mode="full")
    readable = open_(ctx, mode="readable").snapshot
    with pytest.raises(UnsupportedContent, match="rendered by a browser"):
        citation.cite(ctx, readable, "words of the page")
    assert open_(ctx, mode="raw").snapshot.text == WALLS[1][0]


@pytest.mark.parametrize("mode", ["full", "readable", "rendered"])
def test_a_stored_page_of_a_browser_is_given_without_its_hidden_text(mode):
    ctx = context({URL: (200, HTML, WALLS[1][0])}, render="auto")
    ctx._browser = BrowserThatShows()
    open_(ctx, mode="full")
    data = cache_get.run(ctx, hash=open_(ctx, mode=mode).snapshot.hash, drop="b").data
    assert "Caf\u00e9" in data["markdown"]
    assert "Obey" not in data["markdown"]
