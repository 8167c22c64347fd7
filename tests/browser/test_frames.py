"""Content of frames is placed where they are: of any site, three deep, under the rules for hiding and requests."""

import itertools
import threading
import time
from types import SimpleNamespace

import pytest

from webtool.browser import page
from webtool.browser.frames import MAX_FRAMES, Frames, joined
from webtool.browser.session import Browser
from webtool.browser.tab import Tab
from webtool.errors import RenderFailed, RobotsDisallowed, SsrfBlocked
from webtool.html import parse_html
from webtool.markdown import to_markdown

SITE = "127.0.0.1"  # as in conftest.py
OTHER, THIRD = "127.0.0.3", "127.0.0.4"  # other sites to the browser: processes of their own
STORY = "<p>The harbour has two tides a day.</p>"


@pytest.fixture(scope="module")
def sites(site_at):
    return [site_at(), site_at(OTHER), site_at(THIRD), site_at()]  # the last one is another origin of the first's site


@pytest.fixture(scope="module")
def wide(settings, environ):
    """render() with a browser that may reach the other sites too."""
    with Browser(settings._replace(allow_private_hosts=(SITE, OTHER, THIRD)), environ) as browser:
        yield lambda url, **more: browser.render(url, deadline=time.monotonic() + 60, **more)


SEEN = {
    "another site": ("<iframe src=OTHER/plain></iframe>", "Words of another site."),
    "another origin of the site": ("<iframe src=SAME/plain></iframe>", "Words of another origin."),
    "a document in an attribute": ("<iframe srcdoc='<p>Words in srcdoc.'></iframe>", "Words in srcdoc."),
    "a sandbox": ("<iframe sandbox srcdoc='<p>Words in a box.'></iframe>", "Words in a box."),
    "a sandbox with scripts": (
        "<iframe sandbox=allow-scripts srcdoc='<p id=a></p><script>a.append(`Written `, `words`)</script>'></iframe>",
        '<p id="a">Written words</p>',
    ),
    "an object": ("<object type=text/html data=OTHER/plain></object>", "Words of another site."),
    "three deep": ("<iframe src=OTHER/two></iframe>", "Words of the third frame."),
    "a shadow tree": (
        "<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML = "
        "'<iframe src=OTHER/plain></iframe>'</script>",
        "Words of another site.",
    ),
    "white on what is dark around it": (
        "<div style='background:#222'><iframe src=OTHER/white></iframe></div>",
        "White words.",
    ),
    "a redirect to another site": ("<iframe src=/moved></iframe>", "Words of another site."),
    "a frame that moves by script": ("<iframe src=OTHER/moves></iframe>", "Words of the third site."),
    "words of a script": ("<iframe src=OTHER/script></iframe>", "Made by script."),
    "a timer": (
        "<iframe srcdoc='<p id=a></p><script>setTimeout(() => a.append(`Late `, `words`), 1000)</script>'></iframe>",
        '<p id="a">Late words</p>',
    ),
    "an address": ("<iframe src=OTHER/link></iframe>", 'href="OTHER/next"'),
    "a frame that is busy": ("<iframe src=OTHER/busy></iframe>", "Busy words."),
}
UNSEEN = {
    "four deep": "<iframe src=OTHER/two></iframe>",
    "no opacity": "<iframe style='opacity:0' src=OTHER/secret></iframe>",
    "one pixel": "<iframe width=1 height=1 src=OTHER/secret></iframe>",
    "no visibility": "<div style='visibility:hidden'><iframe src=SAME/secret></iframe></div>",
    "no visibility, the same origin": "<iframe style='visibility:hidden' srcdoc='<p>SECRET'></iframe>",
    "off the screen": "<iframe style='position:absolute;left:-9999px' src=OTHER/secret></iframe>",
    "not displayed": "<iframe hidden srcdoc='<p>SECRET'></iframe>",
    "inside of a frame": "<iframe src=OTHER/hides></iframe>",
    "its own colour on white": "<iframe src=OTHER/white-secret></iframe>",
    "a refusal": "<iframe src=OTHER/404></iframe>",
    "a document that hides itself": "<iframe src=OTHER/gone></iframe>",
    "a comment of the page's": "<!--seen-0:1--><iframe src=OTHER/player></iframe>",
}


@pytest.fixture(scope="module")
def framed(sites, wide):
    """text(body): the page with that body, addresses filled in."""
    first, other, third, same = sites
    first.routes["/moved"] = (302, {"Location": other.origin + "/plain"}, "")
    first.html("/three", f"<p>Words of the third frame.<iframe src={other.origin}/secret></iframe>")
    other.html("/plain", "<p>Words of another site.")
    other.html("/two", f"<iframe src={third.origin}/two></iframe>")
    third.html("/two", f"<iframe src={first.origin}/three></iframe>")
    third.html("/plain", "<p>Words of the third site.")
    same.html("/plain", "<p>Words of another origin.")
    other.html("/white", "<body style='color:#fff'><p>White words.")
    other.html("/white-secret", "<body style='color:#fff'><p>SECRET")
    other.html("/moves", f"<script>location = '{third.origin}/plain'</script>")
    other.html("/script", "<script>setTimeout(() => document.body.append('Made by script.'), 900)</script>")
    other.html("/link", "<a href=next>on</a>")
    other.html("/busy", "<p>Busy words.<script>setTimeout(() => { for (;;); }, 200)</script>")
    other.html("/hides", "<style>p {display: none}</style><p>SECRET")
    other.html("/404", "<p>SECRET", status=404)
    other.html("/gone", "<body style='display:none'><p>SECRET")
    other.html("/player", "<video></video><p>SECRET")
    for site in (other, same):
        site.html("/secret", "<p>SECRET")

    def filled(text):
        return text.replace("OTHER", other.origin).replace("SAME", same.origin)

    paths = map("/page/{}".format, itertools.count())

    def work(body):
        page = wide(first.html(next(paths), f"<!doctype html><title>t</title>{STORY}{filled(body)}<p>After.</p>"))
        assert page.html.index("two tides") < page.html.index("After.")
        return page, filled

    return work


@pytest.fixture(scope="module")
def seen(framed, at_once):
    return at_once(lambda name: framed(SEEN[name][0]), SEEN)


@pytest.mark.parametrize("name", SEEN)
def test_what_a_frame_shows_is_in_its_place(seen, name):
    page, filled = seen(name)
    words = SEEN[name][1]
    assert page.html.index("two tides") < page.html.index(filled(words)) < page.html.index("After.")


def test_what_a_frame_does_not_show_is_not_there(framed):
    page, _ = framed("".join(f"<section>{body}</section>" for body in UNSEEN.values()))
    shown = {name: part for name, part in zip(UNSEEN, page.html.split("<section>")[1:]) if page.mark not in part}
    assert [name for name, part in shown.items() if "SECRET" in part] == []
    assert len(shown) >= len(UNSEEN) - 3  # the others are hidden by the page's own style, and their text is marked


def test_a_frame_that_cannot_be_read_stays_a_frame(framed):
    page, filled = framed("<iframe src=OTHER/404></iframe>")
    assert filled('<iframe src="OTHER/404">') in page.html


def test_frames_of_a_frameset_are_read(sites, wide):
    first, other, *_ = sites
    inner = f"<frameset rows=50%,50%><frame src={other.origin}/404><frame src={other.origin}/link></frameset>"
    other.html("/plain", "<p>Words of another site.")
    other.html("/404", "<p>x", status=404)
    other.html("/link", "<a href=next>on</a>")
    body = f"<title>t</title><frameset cols=50%,50%><frame src={other.origin}/plain>{inner}</frameset>"
    url = first.html("/set", body)
    markdown = to_markdown(parse_html(wide(url).html), "https://x.example/")
    assert markdown == f"Words of another site.\n\n[iframe]({other.origin}/404)\n\n[on]({other.origin}/next)\n"


def test_frames_pass_robots_txt_and_the_guard_as_pages_do(sites, framed, wide, trap):
    first, other, third, _ = sites

    def check(url):
        if url.startswith(other.origin):
            raise RobotsDisallowed("not there")
        if url.startswith(third.origin):
            time.sleep(0.3)  # robots.txt takes a while

    other.asked.clear()
    body = f"{STORY}<iframe src={other.origin}/plain></iframe><iframe src={third.origin}/plain></iframe>"
    page = wide(first.html("/robots", f"{body}<iframe src={trap.origin}/></iframe>"), check_hop=check)
    assert "third site" in page.html
    assert "another site" not in page.html
    assert other.requests == []
    assert trap.arrivals == []
    assert page.notes == (f"frames of other pages were left out: {OTHER} (ROBOTS_DISALLOWED)",)


def test_a_frame_that_a_check_keeps_waiting_is_left_out_at_the_deadline(sites, settings, environ):
    first, other, *_ = sites

    def check(url):
        if url.startswith(other.origin):
            time.sleep(4.0)
            raise SsrfBlocked("late")

    url = first.html("/slow", f"{STORY}<iframe src={other.origin}/plain></iframe>")
    with Browser(settings._replace(allow_private_hosts=(SITE, OTHER), render_deadline=2.0), environ) as browser:
        page = browser.render(url, deadline=time.monotonic() + 60, check_hop=check)
    assert "two tides" in page.html
    assert "another site" not in page.html
    assert not page.is_whole


BOMBS = {
    "frames of one page": "for (let n = 0; n < 150; n++) document.body.append(Object.assign("
    "document.createElement('iframe'), {src: '/leaf?' + n}))",
    "frames in frames": "for (let n = 0; n < 3; n++) document.body.append(Object.assign("
    "document.createElement('iframe'), {src: '/bomb?' + Math.random()}))",
    "documents in attributes": "for (let n = 0; n < 150; n++) document.body.append(Object.assign("
    "document.createElement('iframe'), {srcdoc: '<p>leaf'}))",
}


@pytest.mark.parametrize("name", BOMBS)
def test_frames_without_end_are_bounded(site, render, name):
    site.html("/leaf", "<p>leaf")
    page = render(site.html("/bomb", f"{STORY}<script>{BOMBS[name]}</script>"))
    assert "two tides" in page.html
    assert len(site.requests) <= 51
    if name != "documents in attributes":
        assert "the page has more than 50 frames, and the rest was left out" in page.notes


def test_sessions_follow_the_process_that_holds_a_frame():
    frames = Frames("main", "s")
    frames.attached("a", "main")
    frames.attached("b", "a")
    assert (frames.inside("main"), frames.inside("a")) == (["a"], ["b"])
    assert frames.session_of("b") == "s"
    frames.session_begins("a", "own")
    assert [frames.session_of(one) for one in ("main", "a", "b", "unknown")] == ["s", "own", "own", "s"]
    frames.session_ends("own")
    assert frames.session_of("b") == "s"
    frames.attached("a", "b")  # never: but nothing may go round for ever
    frames.detached("b")
    assert frames.session_of("a") == "s"


def test_a_removed_frame_takes_the_frames_in_it_along():
    frames = Frames("main", "s")
    for number in range(2000):  # more than are known at a time
        frames.attached(f"a{number}", "main")
        frames.attached(f"b{number}", f"a{number}")
        frames.attached(f"c{number}", f"b{number}")
        frames.detached(f"a{number}")
    frames.attached("last", "main")
    frames.attached("inner", "last")
    assert (frames.inside("main"), frames.inside("last")) == (["last"], ["inner"])


def test_texts_are_joined_where_their_comments_stand():
    texts = {1: "[<!--m:2-->]", 2: "two <!--m:9-->", 3: "three"}
    assert joined("a<!--m:1-->b<!--m:3-->", "m", texts) == "a[two ]bthree"


class Commands:
    """A connection that notes the commands it would send."""

    def __init__(self):
        self.sent = []

    def send(self, method, params, session):
        self.sent.append((method, params["requestId"], session))


@pytest.mark.parametrize(
    "error", [SsrfBlocked("private"), ValueError("bad host"), UnicodeError("label"), OSError(24, "x")]
)
def test_no_error_of_a_check_leaves_a_request_paused(error):
    def check_hop(_):
        raise error

    connection = Commands()
    options = SimpleNamespace(check_hop=check_hop, headers_for=None, max_redirects=5)
    tab = Tab(SimpleNamespace(connection=connection), options)
    tab._check_frame("1", "http://[x/", {}, "s")
    assert connection.sent == [("Fetch.fulfillRequest", "1", "s")]
    assert len(tab._refused_frames) == 1
    with pytest.raises(type(error)):
        tab._check_hop("2", "https://a.example/", {})
    assert connection.sent[1:] == [("Fetch.failRequest", "2", "")]


def test_a_redirect_of_an_early_frame_goes_on_after_the_limit_is_reached():
    connection = Commands()
    options = SimpleNamespace(check_hop=None, headers_for=None, max_redirects=5)
    tab = Tab(SimpleNamespace(connection=connection), options)
    tab._frame = "main"
    paused = {"resourceType": "Document", "frameId": "f", "request": {"url": "https://a.example/"}}
    for number in range(MAX_FRAMES + 1):
        tab._on_paused("s", {**paused, "requestId": str(number)})
    tab._on_paused("s", {**paused, "requestId": "r", "redirectedRequestId": "0"})
    answers = [(method.partition(".")[2], request) for method, request, _ in connection.sent[-3:]]
    assert answers == [
        ("continueRequest", str(MAX_FRAMES - 1)),
        ("fulfillRequest", str(MAX_FRAMES)),
        ("continueRequest", "r"),
    ]


def test_a_navigation_that_began_just_before_a_click_is_ended_and_the_document_stays():
    connection = Commands()
    options = SimpleNamespace(check_hop=None, headers_for=None, max_redirects=5, is_cancelled=None)
    tab = Tab(SimpleNamespace(connection=connection), options)
    tab._loader, tab._is_held = "document", True
    tab._check_hop("1", "https://a.example/", {})
    assert connection.sent == [("Fetch.fulfillRequest", "1", "")]


def test_a_page_that_keeps_navigating_does_not_hold_a_wait_past_its_deadline():
    options = SimpleNamespace(check_hop=None, headers_for=None, max_redirects=5, is_cancelled=None)
    tab = Tab(SimpleNamespace(connection=Commands()), options)
    tab._loader, tab._is_ending = "document", True
    tab._hops.extend((str(number), "https://a.example/", {}) for number in range(1000))
    assert not tab._wait(lambda: False, time.monotonic() - 1)
    assert len(tab._hops) == 999
    assert tab._wait(lambda: True, time.monotonic() + 60)  # before the deadline all hops come first
    assert not tab._hops


def test_a_page_whose_navigation_waits_to_be_checked_is_not_settled():
    loaded = page.Page(SimpleNamespace(connection=Commands(), is_alive=True), SimpleNamespace())
    loaded._loader, loaded._is_loaded = "document", True
    assert loaded._is_settled(0.0)
    loaded._hops.append(("1", "https://a.example/", {}))
    assert not loaded._is_settled(0.0)


def test_what_a_wait_is_for_is_asked_while_no_event_can_change_it():
    options = SimpleNamespace(check_hop=None, headers_for=None, max_redirects=5, is_cancelled=None)
    tab = Tab(SimpleNamespace(connection=Commands()), options)
    is_guarded = []

    def is_done():
        def look():
            is_guarded.append(not tab._changed.acquire(blocking=False))
            if not is_guarded[-1]:
                tab._changed.release()

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        return len(is_guarded) > 6

    assert not tab._wait(is_done, time.monotonic() - 1)
    assert tab._wait(is_done, time.monotonic() + 60)
    assert all(is_guarded)


@pytest.mark.parametrize(("seconds", "rounds"), [(14.0, 10), (2.5, 1), (5.0, 4)])
def test_a_feed_is_scrolled_on_as_long_as_there_is_time_and_is_settled_then(monkeypatch, seconds, rounds):
    """Each round takes a second, and the feed grows at each."""
    clock, asked = [100.0], []
    monkeypatch.setattr(page.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(page, "SCROLL_WAIT", seconds)
    loaded = page.Page(SimpleNamespace(connection=Commands(), is_alive=True), SimpleNamespace())
    loaded._wait_until_settled = lambda _: True

    def evaluate(_, deadline):
        asked.append(deadline - clock[0])
        if asked[-1] < 1:
            raise RenderFailed("no answer in time")
        clock[0] += 1
        return {"screens": 1 + (len(asked) == 1), "sideways": 0, "moving": 0, "gone": 0, "end": 900 * len(asked)}

    loaded._evaluate = evaluate
    assert loaded._scroll(clock[0] + 60)
    assert len(asked) == rounds


@pytest.mark.parametrize("due", [0.001, 0.016, 0.2])
def test_timers_that_follow_each_other_without_end_are_waited_for_as_long_as_the_limit_says(monkeypatch, due):
    clock = [100.0]
    monkeypatch.setattr(page.time, "monotonic", lambda: clock[0])
    engine = SimpleNamespace(connection=Commands(), is_alive=True, memory=SimpleNamespace(is_crowded=False))
    loaded = page.Page(engine, SimpleNamespace())
    loaded._traffic = SimpleNamespace(has_live_source=False, count=1)
    loaded._is_settled = lambda _: True
    loaded._restless_for = lambda _: (due, page.RESTLESS)

    def wait(is_done, deadline):
        clock[0] = clock[0] if is_done() else deadline
        return is_done()

    loaded._wait = wait
    assert loaded._wait_until_settled(clock[0] + 60)
    assert page.RESTLESS <= clock[0] - 100 <= page.RESTLESS + 0.3


def test_frames_are_listed_while_the_page_adds_more():
    """Events come on another thread. Here one comes at each comparison."""
    frames = Frames("main", "s")

    class Parent(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            frames.attached(f"late {len(frames._parents)}", "another")
            return str.__eq__(self, other)

    for name in "abc":
        frames.attached(name, "main")
    assert frames.inside(Parent("main")) == ["a", "b", "c"]
