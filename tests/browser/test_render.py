"""A real browser renders pages of a loopback site: what comes out, and what a page cannot hold up."""

import contextlib
import json
import socket
import ssl
import subprocess
import threading
import time

import pytest

from webtool.browser import tab
from webtool.browser.session import Browser
from webtool.errors import (
    Cancelled,
    FetchTimeout,
    HttpError,
    InvalidUrl,
    NetworkError,
    RenderDisabled,
    RenderFailed,
    SsrfBlocked,
    TlsError,
)
from webtool.settings import Settings

CLIENT_SIDE_APP = """<!doctype html><title>Loading</title><div id=root></div><script>
fetch('/api').then(r => r.json()).then(data => {
  document.title = data.title;
  document.getElementById('root').innerHTML = '<h1>' + data.title + '</h1>' + data.items.map(i => '<p>' + i).join('');
});</script>"""


def page_took_its_whole_time(started):
    return time.monotonic() - started >= Settings().render_deadline


def test_client_side_app_is_built_before_it_is_read(site, render):
    site.routes["/api"] = (200, "application/json", json.dumps({"title": "Fruit", "items": ["apple", "pear"]}))
    page = render(site.html("/", CLIENT_SIDE_APP))
    assert page.title == "Fruit"
    assert "<h1>Fruit</h1><p>apple</p><p>pear</p>" in page.html
    assert page.html.startswith("<!DOCTYPE html><html>")
    assert (page.status, page.content_type, page.screenshot) == (200, "text/html; charset=utf-8", None)
    assert page.final_url == site.origin + "/"
    assert page.elapsed_ms > 0


def test_page_in_quirks_mode_gets_no_doctype(site, render):
    assert render(site.html("/", "<p>old")).html.startswith("<html>")


def test_modules_and_chained_requests_are_waited_for(site, render):
    site.routes["/m.js"] = (200, "text/javascript", "import {word} from '/n.js'; document.body.append(word);")
    site.routes["/n.js"] = (200, "text/javascript", "export const word = await (await fetch('/word')).text();")
    site.routes["/word"] = (200, "text/plain", "chained")
    assert "chained" in render(site.html("/", "<!doctype html><script type=module src=/m.js></script>")).html


def test_lazy_parts_are_loaded_by_scrolling(site, render):
    body = """<!doctype html><style>section {height: 3000px}</style><section>top</section><section id=far></section>
    <script>new IntersectionObserver((entries, observer) => { for (const entry of entries) if (entry.isIntersecting) {
      observer.disconnect();
      fetch('/far').then(r => r.text()).then(text => { document.getElementById('far').textContent = text; });
    } }).observe(document.getElementById('far'));</script>"""
    site.routes["/far"] = (200, "text/plain", "came into view")
    assert "came into view" in render(site.html("/", body)).html


def test_infinite_spinner_ends_at_the_render_deadline(site, settings, environ):
    site.hang("/never")
    url = site.html("/", "<!doctype html><p>Here<script>fetch('/never')</script>")
    started = time.monotonic()
    with Browser(settings._replace(render_deadline=1.5), environ) as browser:
        page = browser.render(url, deadline=started + 90)
    assert "<p>Here" in page.html


def test_blocked_load_event_ends_at_the_render_deadline(site, settings, environ):
    site.hang("/never.js")
    url = site.html("/", "<!doctype html><p>Here</p><script async src=/never.js></script>")
    with Browser(settings._replace(render_deadline=1.5), environ) as browser:
        assert "<p>Here</p>" in browser.render(url, deadline=time.monotonic() + 90).html


def test_endless_script_is_ended_and_the_page_read(site, render):
    body = "<!doctype html><p>Before</p><script>setTimeout(() => { for (;;); }, 50)</script>"
    assert "<p>Before</p>" in render(site.html("/", body), seconds=6).html


def test_page_that_never_answers_is_a_time_out(site, render):
    site.hang("/never")
    with pytest.raises(FetchTimeout):
        render(site.origin + "/never", seconds=3)


def test_redirects_by_status_script_and_refresh_lead_to_the_last_page(site, render):
    site.routes["/1"] = (302, {"Location": "/2"}, "")
    site.html("/2", "<script>location.replace('/3')</script>")
    site.html("/3", "<meta http-equiv=refresh content='0; url=/4'>")
    site.html("/4", "<!doctype html><title>Last</title>")
    page = render(site.origin + "/1")
    assert (page.title, page.final_url) == ("Last", site.origin + "/4")


def test_endless_redirects_by_script_are_an_error(site, render):
    started = time.monotonic()
    site.html("/", "<script>location.replace('/?' + Math.random())</script>")
    with pytest.raises(NetworkError, match="redirects"):
        render(site.origin + "/")
    assert len(site.requests) == 6
    assert not page_took_its_whole_time(started)


def test_check_hop_sees_every_document_and_can_refuse_it(site, render):
    site.routes["/1"] = (302, {"Location": "/2"}, "")
    site.html("/2", "<!doctype html><iframe src=/frame></iframe>")
    site.html("/frame", "<p>in a frame")
    seen = []
    render(site.origin + "/1", check_hop=seen.append)
    assert seen == [site.origin + "/1", site.origin + "/2", site.origin + "/frame"]

    def refuse(url):
        if url.endswith("/2"):
            raise SsrfBlocked("not there")

    site.asked.clear()
    with pytest.raises(SsrfBlocked, match="not there"):
        render(site.origin + "/1", check_hop=refuse)
    assert site.requests == ["/1"]


def test_dialogs_are_dismissed(site, render):
    body = """<!doctype html><script>
    onbeforeunload = (event) => { event.preventDefault(); return 'stay'; };
    alert('one'); const yes = confirm('two'), said = prompt('three', 'x');
    document.title = `${yes} ${said}`;</script>"""
    assert render(site.html("/", body)).title == "false null"


def test_open_shadow_trees_are_read_as_they_are_seen(site, render):
    body = """<!doctype html><body><my-card><b slot=head>Head</b>Body</my-card><template><i>not</i></template><script>
    customElements.define('my-note', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'open'}).innerHTML = '<style>p { display: none }</style><em>nested</em>'; } });
    customElements.define('my-card', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'open'}).innerHTML =
        '<h2><slot name=head></slot></h2><p><slot></slot></p><slot name=x>fallback</slot><my-note></my-note>'; } });
    </script>"""
    html = render(site.html("/", body)).html
    assert '<h2><slot name="head"><b slot="head">Head</b></slot></h2><p><slot>Body</slot></p>' in html
    assert '<slot name="x">fallback</slot><my-note><em>nested</em></my-note></my-card>' in html


def test_ten_thousand_nodes_arrive_whole(site, render):
    body = """<!doctype html><ul id=list></ul><script>
    for (let i = 0; i < 10000; i++) {
      const item = document.createElement('li'); item.textContent = 'item ' + i; list.append(item);
    }</script>"""
    page = render(site.html("/", body))
    assert page.html.count("<li>") == 10000
    assert "item 9999</li>" in page.html


@pytest.mark.parametrize(
    "words",
    [
        "'é'.repeat(600000)",  # fewer characters than max_bytes, more bytes
        "'x'.repeat(4 << 20)",
        "'&'.repeat(300000)",  # five bytes each when they are written
        "...Array.from({length: 40000}, (_, n) => { const p = document.createElement('p'); "
        "p.title = '<'.repeat(n % 50); p.append('item ' + n); return p; })",
    ],
)
def test_page_above_the_bound_is_given_as_far_as_it_goes(site, render, words):
    page = render(site.html("/", f"<!doctype html><p>First.<script>document.body.append({words})</script>"))
    assert "<p>First." in page.html
    assert 600_000 < len(page.html.encode()) <= 1 << 20
    assert not page.is_whole
    assert any("larger than" in note and "WEBTOOL_MAX_BYTES" in note for note in page.notes)


def test_members_that_a_page_puts_in_the_place_of_a_document_s_own_change_nothing(site, render):
    names = ("documentElement", "body", "title", "implementation", "compatMode", "getElementsByTagName", "contentType")
    images = "".join(f"<img name={name}>" for name in names)
    names = ("childNodes", "nodeType", "localName", "attributes", "appendChild", "shadowRoot", "hasAttribute")
    fields = "".join(f"<input name={name}>" for name in names)
    page = render(site.html("/", f"<!doctype html><title>True</title>{images}<form>{fields}<p>Inside</form><p>After"))
    assert page.title == "True"
    assert "<p>Inside</p></form><p>After</p>" in page.html


def test_page_cannot_forge_what_is_read(site, render):
    body = """<!doctype html><title>True</title><p>real</p><script>
    for (const name of ['outerHTML', 'innerHTML'])
      Object.defineProperty(Element.prototype, name, {get: () => 'forged'});
    Object.defineProperty(document, 'documentElement', {get: () => ({outerHTML: 'forged'})});
    Object.defineProperty(Document.prototype, 'title', {get: () => 'forged'});</script>"""
    page = render(site.html("/", body))
    assert "<p>real</p>" in page.html
    assert page.title == "True"


def test_half_a_surrogate_pair_becomes_the_replacement_character(site, render):
    page = render(site.html("/", "<!doctype html><p id=p></p><script>p.textContent = 'a\\ud800b'</script>"))
    assert '<p id="p">a�b</p>' in page.html
    page.html.encode()


def test_images_and_media_load_for_a_screenshot_only(site, render):
    pixel = bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b")
    site.routes["/i.gif"] = (200, "image/gif", pixel)
    site.routes["/favicon.ico"] = (200, "image/gif", pixel)
    url = site.html("/", "<!doctype html><img src=/i.gif width=50 height=2000><video src=/v.mp4 autoplay></video>")
    render(url)
    assert site.requests == ["/"]
    page = render(url, screenshot=True)
    assert "/i.gif" in site.requests
    assert "/v.mp4" not in site.requests
    assert page.screenshot.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(page.screenshot[at : at + 4], "big") for at in (16, 20))
    assert width >= 1280
    assert height >= 2000


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "application/pdf"}, b"%PDF-1.4\n%%EOF"),
        ({"Content-Type": "application/json"}, b"{}"),
        ({"Content-Type": "text/plain"}, b"plain"),
        ({"Content-Type": "application/zip"}, b"PK\x05\x06" + b"\0" * 18),
        ({"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n"),
    ],
)
def test_other_documents_are_named_and_not_read(site, render, headers, body):
    site.routes["/x"] = (200, headers, body)
    page = render(site.origin + "/x")
    assert (page.html, page.status, page.content_type) == ("", 200, headers["Content-Type"])
    assert page.final_url == site.origin + "/x"


def test_attachment_is_no_page_and_not_kept(site, browser, render):
    headers = {"Content-Type": "text/html", "Content-Disposition": "attachment; filename=x.html"}
    site.routes["/x"] = (200, headers, b"<p>x")
    assert render(site.origin + "/x").html == ""


def test_download_link_that_a_script_clicks_changes_nothing(site, render):
    site.routes["/file"] = (200, {"Content-Type": "application/octet-stream"}, b"x" * 1000)
    body = "<!doctype html><p>Stay</p><a id=a href=/file download>d</a><script>a.click()</script>"
    page = render(site.html("/", body))
    assert "<p>Stay</p>" in page.html


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
def test_error_status_is_an_error(site, render, status):
    headers = {"Content-Type": "text/html", "WWW-Authenticate": 'Basic realm="x"'}
    site.routes["/"] = (status, headers if status == 401 else "text/html", "<p>no")
    with pytest.raises(HttpError) as caught:
        render(site.origin + "/")
    assert caught.value.status_code == status


def test_error_status_without_a_body_is_an_error(site, render):
    site.routes["/"] = (404, {}, b"")
    with pytest.raises(HttpError):
        render(site.origin + "/")


def test_error_page_that_leads_on_by_script_is_not_the_end(site, render):
    site.html("/", "<script>location.replace('/app')</script>", status=404)
    site.html("/app", "<!doctype html><title>App</title>")
    assert render(site.origin + "/").title == "App"


def test_refused_connection_is_a_network_error(site, render):
    port = site.port
    site.close()
    with pytest.raises(NetworkError):
        render(f"http://127.0.0.1:{port}/")
    site.__init__()


def test_answer_that_is_not_http_is_a_network_error(render):
    server = socket.create_server(("127.0.0.1", 0))

    def answer():
        for _ in range(3):
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connection.recv(1000)
            connection.sendall(b"SSH-2.0-x\r\n")
            connection.close()

    threading.Thread(target=answer, daemon=True).start()
    try:
        with pytest.raises(NetworkError):
            render(f"http://127.0.0.1:{server.getsockname()[1]}/")
    finally:
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for a connection
        server.close()


def test_untrusted_certificate_is_a_tls_error(site, render, openssl, tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    site._server.socket = context.wrap_socket(site._server.socket, server_side=True)
    with pytest.raises(TlsError, match="CERT"):
        render(f"https://127.0.0.1:{site.port}/")


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("file:///etc/passwd", InvalidUrl),
        ("chrome://version", InvalidUrl),
        ("data:text/html,x", InvalidUrl),
        ("about:blank", InvalidUrl),
        ("javascript:1", InvalidUrl),
        ("http://a:b@127.0.0.1/", InvalidUrl),
        ("relative", InvalidUrl),
    ],
)
def test_only_http_urls_are_opened(render, url, kind):
    with pytest.raises(kind):
        render(url)


def test_off_is_off(environ, settings):
    with pytest.raises(RenderDisabled):
        Browser(settings._replace(render="off"), environ).render("http://127.0.0.1/", deadline=time.monotonic() + 60)


def test_cancelled_call_ends_soon(site, render):
    site.hang("/never")
    started = time.monotonic()
    with pytest.raises(Cancelled):
        render(site.origin + "/never", is_cancelled=lambda: time.monotonic() > started + 0.5)
    assert time.monotonic() - started < 20


def test_pages_share_no_cookies_or_storage(site, render):
    body = """<!doctype html><script>
    document.title = document.cookie + '|' + localStorage.getItem('a');
    document.cookie = 'a=1; max-age=1000'; localStorage.setItem('a', '1');</script>"""
    url = site.html("/", body)
    assert [render(url).title for _ in range(2)] == ["|null", "|null"]


def test_several_threads_share_one_browser(site, render):
    site.routes["/slow"] = (200, "text/plain", "done")
    urls = [
        site.html(f"/{n}", f"<!doctype html><script>fetch('/slow').then(() => document.title = 'p{n}')</script>")
        for n in range(6)
    ]
    titles = {}

    def work(number, url):
        titles[number] = render(url, seconds=60).title

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(urls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert titles == {n: f"p{n}" for n in range(6)}


def test_user_agent_names_webtool_unless_set(site, settings, environ, render):
    site.html("/", "<p>x")
    render(site.origin + "/")
    assert " webtool/" in site.headers["/"]["User-Agent"]
    assert site.headers["/"]["User-Agent"].startswith("Mozilla/5.0")
    with Browser(settings._replace(user_agent="mine/1"), environ) as browser:
        browser.render(site.origin + "/", deadline=time.monotonic() + 90)
    assert site.headers["/"]["User-Agent"] == "mine/1"


def test_header_fields_of_the_user_leave_those_of_the_browser(site, render):
    site.html("/", "<p>x")
    render(site.origin + "/")
    plain = dict(site.headers["/"])
    render(site.origin + "/", headers=(("X-Mine", "yes"),))
    assert site.headers["/"] == {**plain, "X-Mine": "yes", "x-mine": "yes"}


def test_redirects_of_a_frame_do_not_count_as_frames(site, render, monkeypatch):
    monkeypatch.setattr(tab, "MAX_FRAMES", 2)
    site.html("/", "<!doctype html><p>x<iframe src=/a></iframe><iframe src=/b></iframe>")
    for name in "ab":
        site.routes[f"/{name}"] = (302, {"Location": f"/{name}2"}, "")
        site.html(f"/{name}2", f"<p>words of frame {name}")
    page = render(site.origin + "/")
    assert page.notes == ()
    assert "words of frame a" in page.html
    assert "words of frame b" in page.html


def test_page_after_many_frames_and_workers_is_still_read(site, render):
    site.routes["/w.js"] = (200, "text/javascript", "postMessage('from a worker')")
    site.html("/f", "<p>frame")
    body = """<!doctype html><p id=p></p><script>
    for (let i = 0; i < 20; i++) {
      const f = document.createElement('iframe'); f.src = '/f?' + i; document.body.append(f);
    }
    new Worker('/w.js').onmessage = (event) => { p.textContent = event.data; };</script>"""
    assert "from a worker" in render(site.html("/", body)).html


def test_workers_that_end_before_they_begin_hold_nothing_up(site, render):
    body = """<!doctype html><p>here are more than twenty characters<script>for (let i = 0; i < 20; i++) {
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
      if (i % 2) worker.terminate();
    }</script>"""
    page = render(site.html("/", body))
    assert "<p>here" in page.html
    assert page.notes == ()


WORKERS = {"plain": "", "module": ", {type: 'module'}"}


@pytest.mark.parametrize("kind", WORKERS)
def test_workers_have_no_transport_past_the_proxy(site, render, kind):
    site.routes["/inner.js"] = (200, "text/javascript", "postMessage(typeof WebTransport)")
    outer = f"""new Worker('/inner.js'{WORKERS[kind]}).onmessage = (inner) =>
      postMessage(`${{typeof WebTransport}} ${{inner.data}} ${{typeof fetch}}`)"""
    site.routes["/outer.js"] = (200, "text/javascript", outer)
    body = f"<script>new Worker('/outer.js'{WORKERS[kind]}).onmessage = (event) => document.title = event.data</script>"
    assert render(site.html("/", f"<!doctype html>{body}")).title == "undefined undefined function"


def test_service_workers_are_not_there(site, render):
    body = "<!doctype html><script>document.title = String('serviceWorker' in navigator)</script>"
    assert render(site.html("/", body)).title == "false"


def test_popups_stay_closed(site, render):
    site.html("/popup", "<p>popup")
    body = """<!doctype html><a id=a href=/popup target=_blank rel=opener>x</a><script>
    const opened = window.open('/popup'); a.click(); document.title = String(opened)</script>"""
    render(site.html("/", body))
    assert "/popup" not in site.requests


def test_file_urls_are_out_of_reach(site, render, tmp_path):
    (tmp_path / "secret.html").write_text("<p>secret")
    body = f"""<!doctype html><iframe src="file://{tmp_path}/secret.html"></iframe><p id=p></p><script>
    fetch('file://{tmp_path}/secret.html').then(r => r.text()).then(t => p.textContent = t, () => p.textContent = 'no');
    setTimeout(() => {{ location = 'file://{tmp_path}/secret.html' }}, 100);</script>"""
    page = render(site.html("/", body))
    assert "secret</p>" not in page.html
    assert '<p id="p">no</p>' in page.html
    assert page.final_url == site.origin + "/"


NOWHERE = {
    "a file by refresh": "<meta http-equiv=refresh content='0;url=file:///etc/passwd'><p>stays",
    "data by refresh": "<meta http-equiv=refresh content='0;url=data:text/html,<p>no'><p>stays",
    "data by script": "<script>location = 'data:text/html,<p>no'</script><p>stays",
    "the browser's own pages": "<script>location = 'chrome://version'</script><p>stays",
}


@pytest.mark.parametrize("name", NOWHERE)
def test_pages_that_lead_to_what_is_no_web_stay_where_they_are(site, render, name):
    url = site.html("/", "<!doctype html>" + NOWHERE[name])
    page = render(url)
    assert page.final_url == url
    assert "stays</p>" in page.html


def test_document_that_a_page_makes_itself_has_the_pages_url(site, render):
    made = "new Blob(['<title>made</title><p>here'], {type: 'text/html'})"
    page = render(site.html("/", f"<!doctype html><script>location = URL.createObjectURL({made})</script>"))
    assert (page.title, page.final_url) == ("made", site.origin + "/")


def test_page_that_does_not_want_to_be_left_is_left(site, render):
    site.html("/next", "<title>next</title>")
    body = """<!doctype html><script>onbeforeunload = (event) => { event.preventDefault(); return 'stay' };
    setTimeout(() => { location = '/next' }, 100)</script>"""
    assert render(site.html("/", body)).title == "next"


def test_page_that_reloads_for_ever_is_read_as_it_stands(site, render):
    started = time.monotonic()
    page = render(site.html("/", "<!doctype html><meta http-equiv=refresh content=0><p>again"))
    assert not page_took_its_whole_time(started)
    assert "again" in page.html
    assert any("leads to another" in note for note in page.notes)


def test_thousand_windows_stay_closed(site, render, browser):
    site.html("/popup", "<p>popup")
    body = "<!doctype html><script>for (let i = 0; i < 1000; i++) open('/popup', i); document.title = 'done'</script>"
    assert render(site.html("/", body)).title == "done"
    assert "/popup" not in site.requests


def test_notifications_and_other_permissions_are_denied(site, render):
    body = """<!doctype html><script>(async () => {
    document.title = [await Notification.requestPermission(),
      await navigator.permissions.query({name: 'geolocation'}).then(p => p.state)].join(' ')})()</script>"""
    assert "granted" not in render(site.html("/", body)).title


def test_renderer_without_memory_is_reported(site, render, browser):
    """The renderer is ended from within, as a crash does."""
    url = site.html("/", "<!doctype html><script>fetch('/never')</script>")
    site.hang("/never")

    def crash():
        for _ in range(200):
            if "/never" in site.requests:
                break
            time.sleep(0.05)
        connection = browser.engine.connection
        session = connection._handlers
        page_session = next(key for key in list(session) if key)
        connection.send("Page.crash", None, page_session)

    thread = threading.Thread(target=crash)
    thread.start()
    with pytest.raises(RenderFailed, match="crashed"):
        render(url)
    thread.join()
    assert render(site.html("/", "<title>again</title>")).title == "again"
