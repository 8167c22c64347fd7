"""Whatever a page scripts, nothing arrives at an address that the guard refuses.

The trap listens on TCP and UDP at an address that the settings do not let through; a positive control shows that it
would notice. Names come from a network of the tests' own, so no look-up leaves the machine.
"""

import time

import pytest

from webtool.browser.proxy import Dialer
from webtool.browser.session import Browser
from webtool.errors import SsrfBlocked
from webtool.net.dial import Network
from webtool.urls import hosts

SITE = "127.0.0.1"  # as in conftest.py
TRAP = "127.0.0.2"


class Names(Network):
    """DNS from a table: {name: [answers]}; everything else does not exist."""

    def __init__(self, table):
        self.table = table
        self.asked = []

    def resolve(self, host, port, watch):
        self.asked.append(host)
        return self.table.get(host) or super().resolve("name.invalid", port, watch)


# What a page does with TRAP (an http origin), HOST and PORT.
ATTEMPTS = {
    "fetch": "fetch('TRAP/').then(r => r.text()).then(t => say('got ' + t), () => say('refused'))",
    "fetch without cors": "fetch('TRAP/', {mode: 'no-cors'}).then(() => say('got'), () => say('refused'))",
    "fetch with a body": "fetch('TRAP/', {method: 'POST', body: 'x'.repeat(9999), mode: 'no-cors'}).catch(() => 0)",
    "fetch kept alive": "fetch('TRAP/', {keepalive: true, mode: 'no-cors'}).catch(() => 0)",
    "request": "const x = new XMLHttpRequest(); x.open('GET', 'TRAP/'); x.onerror = () => say('refused'); x.send();",
    "redirected fetch": "fetch('/to-trap').then(() => say('got'), () => say('refused'))",
    "beacon": "navigator.sendBeacon('TRAP/', 'x')",
    "websocket": "new WebSocket('ws://HOST:PORT/').onerror = () => say('refused')",
    "secure websocket": "new WebSocket('wss://HOST:PORT/').onerror = () => say('refused')",
    "event source": "new EventSource('TRAP/').onerror = () => say('refused')",
    "image": "{ const i = new Image(); i.onerror = () => say('refused'); i.src = 'TRAP/x.png'; }",
    "video": "add('video', {src: 'TRAP/x.mp4'}).play()",
    "font": "new FontFace('x', 'url(TRAP/x.woff)').load().catch(() => say('refused'))",
    "script": "add('script', {src: 'TRAP/x.js'})",
    "module": "import('TRAP/x.js').catch(() => say('refused'))",
    "style": "add('link', {rel: 'stylesheet', href: 'TRAP/x.css'})",
    "frame": "add('iframe', {src: 'TRAP/'})",
    "object": "add('object', {data: 'TRAP/', type: 'text/html'})",
    "embed": "add('embed', {src: 'TRAP/', type: 'text/html'})",
    "frame with a document": "add('iframe', {srcdoc: '<img src=TRAP/x.png><script src=TRAP/x.js></' + 'script>'})",
    "prefetch": "add('link', {rel: 'prefetch', href: 'TRAP/'})",
    "preload": "add('link', {rel: 'preload', as: 'script', href: 'TRAP/x.js'})",
    "module preload": "add('link', {rel: 'modulepreload', href: 'TRAP/x.js'})",
    "preconnect": "add('link', {rel: 'preconnect', href: 'TRAP/'})",
    "dns prefetch": "add('link', {rel: 'dns-prefetch', href: '//HOST:PORT'})",
    "prerender": "add('link', {rel: 'prerender', href: 'TRAP/'})",
    "speculation rules": "add('script', {type: 'speculationrules', textContent: "
    '\'{"prerender": [{"urls": ["TRAP/"], "eagerness": "immediate"}]}\'})',
    "manifest": "add('link', {rel: 'manifest', href: 'TRAP/m.json'})",
    "icon": "add('link', {rel: 'icon', href: 'TRAP/i.ico'})",
    "ping": "{ const a = add('a', {href: '#x', ping: 'TRAP/'}); a.click(); }",
    "form in a frame": "{ add('iframe', {name: 'f'}); const f = add('form', {action: 'TRAP/', target: 'f', "
    "method: 'post'}); f.submit(); }",
    "popup": "open('TRAP/')",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('TRAP/').catch(() => postMessage(1))`])))"
    ".onmessage = () => say('refused')",
    "worker's script": "try { new Worker('TRAP/w.js') } catch (e) { say('refused') }",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('TRAP/')`])))",
    "worker's transports": "work(`new WebSocket('ws://HOST:PORT/'); new WebTransport('https://HOST:PORT/')`)",
    "worker's import": "work(`importScripts('TRAP/x.js')`)",
    "worker's imported script": "work(`importScripts(location.origin + '/imported.js')`)",
    "worker's worker": 'work(`new Worker(URL.createObjectURL(new Blob([\'fetch("TRAP/"); '
    'new WebTransport("https://HOST:PORT/")\'])))`)',
    "module of a worker": "work(`import 'TRAP/x.js'`, {type: 'module'})",
    "transport of a module": "work(`new WebTransport('https://HOST:PORT/'); await fetch('TRAP/')`, {type: 'module'})",
    "event source of a worker": "work(`new EventSource('TRAP/')`)",
    "names of a new frame": "{ const w = add('iframe', {}).contentWindow; w.fetch('TRAP/').catch(() => 0); "
    "new w.WebSocket('ws://HOST:PORT/'); new w.Worker(URL.createObjectURL(new Blob([`fetch('TRAP/')`]))); }",
    "sandboxed frame": "add('iframe', {sandbox: 'allow-scripts', srcdoc: `<script>fetch('TRAP/'); "
    "new WebTransport('https://HOST:PORT/'); new RTCPeerConnection({iceServers: [{urls: 'stun:HOST:PORT'}]})"
    ".createDataChannel('x')</` + 'script>'})",
    "frame of data": "add('iframe', {src: `data:text/html,<img src=TRAP/x.png><script>fetch('TRAP/')</` + 'script>'})",
    "frame of a blob": "add('iframe', {src: URL.createObjectURL(new Blob([`<img src=TRAP/x.png><script>"
    "fetch('TRAP/')</` + 'script>'], {type: 'text/html'}))})",
    "redirected frame": "add('iframe', {src: '/to-trap'})",
    "redirected image": "new Image().src = '/to-trap'",
    "refreshed frame": "add('iframe', {srcdoc: `<meta http-equiv=refresh content='0;url=TRAP/'>`})",
    "service worker": "navigator.serviceWorker.register('/sw.js')",
    "web transport": "new WebTransport('https://HOST:PORT/').ready.catch(() => say('refused'))",
    "stun": "{ const p = new RTCPeerConnection({iceServers: [{urls: 'stun:HOST:PORT'}]}); "
    "p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)); }",
    "turn over tcp": "{ const p = new RTCPeerConnection({iceServers: [{urls: 'turn:HOST:PORT?transport=tcp', "
    "username: 'u', credential: 'c'}]}); p.createDataChannel('x'); "
    "p.createOffer().then(o => p.setLocalDescription(o)); }",
    "report": "add('meta', {httpEquiv: 'Content-Security-Policy', content: \"img-src 'none'; report-uri TRAP/\"})",
    "svg": "document.body.insertAdjacentHTML('beforeend', "
    "'<svg><image href=TRAP/x.svg /><use href=TRAP/y.svg#a /></svg>')",
    "css": "add('style', {textContent: '@import \"TRAP/x.css\"; body { background: url(TRAP/x.png) }'})",
    "upgraded frame": "add('iframe', {src: 'http://HOST:PORT/', sandbox: ''})",
}

PAGE = """<!doctype html><title>page</title><body><script>
const said = [];
const say = (text) => { said.push(text); document.title = said.join(' '); };
const work = (text, more) => new Worker(URL.createObjectURL(new Blob([text], {type: 'text/javascript'})), more);
const add = (tag, members) => { const e = document.createElement(tag);
  for (const [name, value] of Object.entries(members))
    if (name in e && name !== 'style') try { e[name] = value } catch (x) { e.setAttribute(name, value) }
    else e.setAttribute(name, value);
  document.body.append(e); return e; };
%s
</script><p>read to the end</p>"""


def attempt(name, trap):
    return ATTEMPTS[name].replace("TRAP", trap.origin).replace("HOST", trap.address).replace("PORT", str(trap.port))


def attempts(trap):
    lines = [attempt(name, trap) for name in ATTEMPTS]
    return PAGE % "\n".join(f"try {{ {line} }} catch (e) {{ /* not there */ }}" for line in lines)


@pytest.fixture
def baited(site, trap):
    """The site with a page that tries everything, and what its attempts lean on."""
    site.routes["/to-trap"] = (302, {"Location": trap.origin + "/"}, "")
    site.routes["/sw.js"] = (200, "text/javascript", f"fetch('{trap.origin}/')")
    script = f"fetch('{trap.origin}/'); new WebTransport('https://{trap.address}:{trap.port}/')"
    site.routes["/imported.js"] = (200, "text/javascript", script)
    site.html("/bait", attempts(trap))
    return site


def test_trap_notices_when_it_is_let_through(baited, trap, settings, environ):
    with Browser(settings._replace(allow_private_hosts=(SITE, TRAP)), environ) as browser:
        browser.render(baited.origin + "/bait", deadline=time.monotonic() + 90)
    asked = b"".join(data.partition(b"\r\n")[0] for _, data in trap.arrivals)
    assert len(trap.arrivals) >= 15
    for part in (b"GET / ", b"/x.js", b"/x.css", b"POST / "):
        assert part in asked


def test_nothing_arrives_at_a_refused_address(baited, trap, render):
    page = render(baited.origin + "/bait", screenshot=True)
    assert "read to the end" in page.html
    assert trap.arrivals == []
    assert "refused" in page.title
    assert "got" not in page.title


@pytest.mark.parametrize("name", ["fetch", "fetch without cors", "redirected fetch", "request", "websocket", "worker"])
def test_refusal_is_an_error_to_the_page(site, trap, render, name):
    site.routes["/to-trap"] = (302, {"Location": trap.origin + "/"}, "")
    page = render(site.html("/", PAGE % attempt(name, trap)))
    assert page.title == "refused"
    assert trap.arrivals == []


def test_webrtc_of_a_page_that_finds_it_is_proxied_too(site, trap, settings, environ, monkeypatch):
    """Without the script that takes the names away: the flags alone must hold."""
    from webtool.browser import scripts

    monkeypatch.setattr(scripts, "WITHOUT_WAYS_OUT", "0;")
    lines = [attempt(name, trap) for name in ("stun", "turn over tcp", "web transport")]
    remote = f"candidate:1 1 udp 2113937151 {trap.address} {trap.port} typ host"
    lines.append(
        "{ const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x');"
        "(async () => { await a.setLocalDescription(await a.createOffer()); await b.setRemoteDescription("
        "a.localDescription); await b.setLocalDescription(await b.createAnswer()); await a.setRemoteDescription("
        f"b.localDescription); await a.addIceCandidate({{candidate: '{remote}', sdpMid: '0'}}); "
        f"await a.addIceCandidate({{candidate: '{remote.replace('udp', 'tcp')} tcptype passive', sdpMid: '0'}}); "
        "say('tried'); })(); }"
    )
    site.hang("/hold")
    lines.append("fetch('/hold')")
    with Browser(settings._replace(render_deadline=4.0), environ) as browser:
        page = browser.render(site.html("/", PAGE % "\n".join(lines)), deadline=time.monotonic() + 90)
    assert "tried" in page.title
    assert trap.arrivals == []


@pytest.mark.parametrize("path", ["/", "/page?x=1"])
def test_refused_page_is_reported_as_such(trap, render, path):
    with pytest.raises(SsrfBlocked, match="not a public address"):
        render(trap.origin + path)
    with pytest.raises(SsrfBlocked, match="not a public address"):
        render(trap.origin.replace("http:", "https:") + path)
    assert trap.arrivals == []


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:9/",
        "http://metadata.google.internal/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:8080/",
        "http://[::ffff:127.0.0.2]:8080/",
        "http://2130706434:8080/",
        "http://0.0.0.0:8080/",
        "http://10.0.0.1/",
    ],
)
def test_private_names_and_number_forms_are_refused(render, url):
    with pytest.raises(SsrfBlocked):
        render(url)


def test_page_that_leads_to_a_refused_address_is_refused(site, trap, render):
    site.routes["/status"] = (302, {"Location": trap.origin + "/"}, "")
    for url in (site.origin + "/status", site.html("/script", f"<script>location = '{trap.origin}/'</script>")):
        with pytest.raises(SsrfBlocked):
            render(url)
    assert trap.arrivals == []


def test_name_that_turns_private_is_refused_each_time(site, trap, settings, environ):
    """DNS rebinding: the proxy asks and checks anew for every connection and dials what it checked."""
    names = Names({"good.example": [SITE], "bad.example": [TRAP], "mixed.example": [SITE, TRAP]})
    dial = Dialer(settings, environ, names)
    site.html("/", "<!doctype html><title>by name</title>")
    body = "".join(
        f"fetch('http://{name}:{trap.port}/', {{mode: 'no-cors'}}).then(() => say('got'), () => say('refused'));"
        for name in ("bad.example", "mixed.example", "none.example")
    )
    site.html("/names", PAGE % body)
    with Browser(settings, environ, dial) as browser:
        page = browser.render(f"http://good.example:{site.port}/names", deadline=time.monotonic() + 90)
    assert page.title == "refused refused refused"
    assert trap.arrivals == []
    assert {"good.example", "bad.example", "mixed.example"} <= set(names.asked)


def test_browsers_own_proxy_is_no_target(site, browser, render):
    render(site.html("/", "<p>x"))
    own = browser.engine.proxy.port
    line = f"fetch('http://127.0.0.1:{own}/', {{mode: 'no-cors'}}).then(() => say('got'), () => say('refused'))"
    assert render(site.html("/", PAGE % line)).title == "refused"


def test_domain_lists_hold_for_parts_of_a_page(site, trap, settings, environ):
    other = f"fetch('http://127.0.0.2:{trap.port}/', {{mode: 'no-cors'}}).then(() => say('got'), () => say('refused'))"
    settings = settings._replace(allow_private_hosts=(SITE, TRAP), deny_domains=(TRAP,))
    with Browser(settings, environ) as browser:
        page = browser.render(site.html("/", PAGE % other), deadline=time.monotonic() + 90)
    assert page.title == "refused"
    assert trap.arrivals == []
    assert hosts.parse_address(TRAP) is not None
