"""Pages that never finish are read as far as they are, with a note, and soon after their time is over."""

import time

import pytest

from webtool.browser.session import Browser

STORY = "<p>The harbour has two tides a day, and the second one comes later.</p>"
SECONDS = 3.0  # render_deadline of these tests
LATE = 6.0  # seconds past it that a slow machine may take; what nothing ends takes four and more
HANGING = {
    "a script in the head that never ends": "<script>while (1);</script>" + STORY,
    "a script in the body that never ends": STORY + "<script>while (1);</script><p>After it.</p>",
    "scripts that never end, one after the other": "<script>while (1);</script><script>while (1);</script>" + STORY,
    "scripts that never end, again and again": STORY + "<script>setInterval(() => { for (;;); }, 1)</script>",
    "an expression that goes back without end": STORY
    + "<script>setInterval(() => /^(a+)+$/.test('a'.repeat(40) + '!'), 20)</script>",
    "a call that cannot be ended": STORY * 2
    + "<script>setTimeout(() => { const a = []; a.length = 2 ** 32 - 1; a.fill(1) }, 50)</script>",
    "a script that does not come": "<script src=/hang></script>" + STORY,
    "a style sheet that does not come": "<link rel=stylesheet href=/hang>" + STORY,
    "a page that always loads": STORY + "<script>setInterval(() => fetch('/ping'), 60)</script>",
    "a part that is asked for by scrolling and does not come": STORY
    + "<div style='height: 5000px'></div><p id=a>.<script>"
    "new IntersectionObserver((all) => all[0].isIntersecting && fetch('/hang')).observe(a)</script>",
    "a timer that never rests": STORY + "<script>(function f() { fetch('/ping').then(f) })()</script>",
}
ENDING = {
    "a password asked for by a frame": STORY + "<iframe src=/secret></iframe>",
    "a password asked for by a script": STORY + "<script>fetch('/secret')</script>",
    "a navigation that is a download": STORY + "<script>setTimeout(() => location = '/file', 50)</script>",
    "a picture": STORY + "<img src=/none.png onerror='document.body.innerHTML = \"\"'>",
}


@pytest.fixture(scope="module")
def served(site_at):
    site = site_at()
    site.routes["/ping"] = (200, "text/plain", "x")
    site.routes["/hang"] = lambda handler: site.held.wait(30) and None
    site.routes["/secret"] = (401, {"WWW-Authenticate": 'Basic realm="x"', "Content-Type": "text/html"}, "no")
    site.routes["/file"] = (200, {"Content-Disposition": "attachment", "Content-Type": "application/x-y"}, "x" * 100)
    return site


@pytest.fixture(scope="module")
def hurried(served, settings, environ):
    with Browser(settings._replace(render_deadline=SECONDS), environ) as browser:
        browser.render(served.html("/first", STORY), deadline=time.monotonic() + 60)  # it starts
        yield lambda url, **more: browser.render(url, deadline=time.monotonic() + 25, **more)


@pytest.fixture(scope="module")
def opened(served, hurried):
    bodies = {**HANGING, **ENDING}
    paths = {name: f"/{number}" for number, name in enumerate(bodies)}

    def work(name):
        return hurried(served.html(paths[name], f"<!doctype html><title>t</title><body>{bodies[name]}"))

    return work


@pytest.fixture(scope="module")
def ended(opened, at_once):
    return at_once(opened, {**HANGING, **ENDING}, tabs=2)  # two processors are not enough for more that never rest


@pytest.mark.parametrize("name", HANGING)
def test_a_page_that_hangs_is_read_as_far_as_it_came_and_told(ended, opened, name):
    page = ended(name)
    assert "two tides a day" in page.html
    assert any("still loading" in note or "without its scripts" in note for note in page.notes)
    assert not page.is_whole
    if page.elapsed_ms >= 1000 * (SECONDS + LATE):  # opening a tab counts, which takes long while other tabs are busy
        page = opened(name)
    assert page.elapsed_ms < 1000 * (SECONDS + LATE)


@pytest.mark.parametrize("name", ENDING)
def test_what_needs_a_person_holds_nothing_up(ended, name):
    page = ended(name)
    assert "two tides a day" in page.html
    assert page.notes == ()
    assert page.is_whole


def test_a_page_that_leads_to_itself_is_read_as_it_stands(served, hurried):
    page = hurried(served.html("/", f"<!doctype html>{STORY}<script>setTimeout(() => location.reload(), 100)</script>"))
    assert "two tides a day" in page.html
    assert any("again and again" in note for note in page.notes)


def test_short_timers_are_waited_for(served, hurried):
    script = "setTimeout(() => setTimeout(() => { a.textContent = 'later words' }, 700), 900)"
    page = hurried(served.html("/", f"<!doctype html>{STORY}<p id=a></p><script>{script}</script>"))
    assert "later words" in page.html


def test_header_fields_go_to_the_page_s_origin(served, hurried):
    served.html("/", f"<!doctype html>{STORY}<script>fetch('/ping')</script>")
    hurried(served.origin + "/", headers=(("X-Probe", "seen"),))
    assert served.headers["/"]["X-Probe"] == served.headers["/ping"]["X-Probe"] == "seen"
