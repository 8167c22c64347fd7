"""Measure a rendered page, in wall and CPU time, in turn with playwright over the same Chromium.

    python3 tests/bench/rendering.py [--rounds 9] [--playwright PYTHON] [--packages FOLDER]

The pages are made here and served on loopback. --playwright names a Python in which playwright is installed; without it
only webtool is measured. --packages names a folder in which npm has installed react, react-dom, vue and esbuild: two
applications of 300 components are built with them. playwright takes `page.content()` when the page has loaded and has
its words. CPU is that of all processes of a run: this one becomes the parent of those of the browser
that outlive their own (prctl(2), PR_SET_CHILD_SUBREAPER), so none is missed.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time

from costs import ROOT, cost, cpu, leave
from servers import Server, page

PAGE = (
    "<!doctype html><title>Tides</title><link rel=stylesheet href=/a.css><div id=root></div>"
    + "<p>The harbour has two tides a day.</p>" * 20
    + "<script>fetch('/data').then((r) => r.text()).then((t) => { root.innerHTML = '<h1>' + t + '</h1>' })</script>"
)
LONG = "<!doctype html><title>Tides</title><h1>Fruit</h1>" + "".join(
    f"<p>Paragraph {n} says that the <b>harbour</b> has two <a href=/{n}>tides</a> a day, and why.</p>"
    for n in range(6000)
)
STYLE = (
    "<style>* {box-sizing: border-box} body {font: 16px/1.5 Georgia, serif; margin: 0} nav {padding: 1em}"
    " nav a {color: #06c} main {max-width: 42em; margin: 0 auto} figure {opacity: .95} .hide {display: none}"
    " .card {border: 1px solid #ddd; padding: 1em; border-radius: 8px} button {transition: background .2s}"
    " .grid {display: grid; grid-template-columns: repeat(3, 1fr); gap: 1em}</style>"
)
SENTENCE = "The harbour master said on Monday that tides of more than four metres had moved the northern pier. "
MENU = "".join(f"<a href=/s/{n}>Section {n}</a> " for n in range(20))
ARTICLE = (
    f"<!doctype html><title>Fruit</title>{STYLE}<nav>{MENU}</nav><main><h1>Fruit</h1>"
    + "".join(
        f"<h2>Part {n}</h2>{f'<p>{SENTENCE * 5}<a href=/n/{n}>Note {n}</a> and <em>more</em>.</p>' * 5}"
        f"<figure><img src=/p.png width=400 height=200><figcaption>The pier, {n}</figcaption></figure>"
        for n in range(28)
    )
    + "</main><footer>End</footer>"
)
CHARTS = """
const S = 'http://www.w3.org/2000/svg', add = (to, name, at, text) => {
  const e = to.appendChild(document.createElementNS(S, name));
  for (const [key, value] of Object.entries(at)) e.setAttribute(key, value);
  if (text) e.textContent = text;
};
fetch('/rows').then((r) => r.json()).then((rows) => { for (let c = 0; c < 12; c += 1) {
  const box = document.querySelector('.grid').appendChild(document.createElement('section'));
  const svg = document.createElementNS(S, 'svg'), row = (n) => `<tr><td>Pier ${n}<td>${n * 3}<td>${n * c} %`;
  box.className = 'card';
  box.innerHTML = `<h3>Station ${c}</h3><table>${rows.slice(0, 10).map(row).join('')}</table>`;
  svg.setAttribute('width', 400); svg.setAttribute('height', 200);
  for (let i = 0; i < 40; i += 1) add(svg, 'rect', {x: i * 10, y: 50, width: 8, height: 30 + rows[i] * 3});
  for (let i = 0; i < 8; i += 1) add(svg, 'text', {x: i * 50, y: 196}, `W${i}`);
  box.append(svg);
} });
"""
DASHBOARD = f"<!doctype html><title>Fruit</title>{STYLE}<h1>Fruit</h1><div class=grid></div><script>{CHARTS}</script>"
REACT = """
import {createElement as e, useEffect, useState} from 'react';
import {createRoot} from 'react-dom/client';
const Card = ({n}) => {
  const [count, setCount] = useState(0);
  useEffect(() => setCount(n * 3), [n]);
  return e('section', {className: 'card'},
    e('h3', null, 'Berth ' + n), e('p', null, 'It has ', e('b', null, count), ' moorings.'),
    e('ul', null, ['north', 'south'].map((side) => e('li', {key: side}, `${side} side: ${n * 7 % 40} m`))),
    e('button', {onClick: () => setCount(count + 1)}, 'Book'));
};
const App = () => {
  const [rows, setRows] = useState([]);
  useEffect(() => { fetch('/rows').then((r) => r.json()).then(setRows); }, []);
  return e('main', null, e('h1', null, 'Fruit'), rows.map((n) => e(Card, {key: n, n})));
};
createRoot(document.getElementById('root')).render(e(App));
"""
VUE = """
import {createApp, h, onMounted, ref} from 'vue/dist/vue.runtime.esm-bundler.js';
const Card = {props: ['n'], setup(props) {
  const count = ref(0);
  onMounted(() => { count.value = props.n * 3; });
  return () => h('section', {class: 'card'}, [
    h('h3', 'Berth ' + props.n), h('p', ['It has ', h('b', count.value), ' moorings.']),
    h('ul', ['north', 'south'].map((side) => h('li', {key: side}, `${side} side: ${props.n * 7 % 40} m`))),
    h('button', {onClick: () => { count.value += 1; }}, 'Book')]);
}};
createApp({setup() {
  const rows = ref([]);
  onMounted(async () => { rows.value = await (await fetch('/rows')).json(); });
  return () => h('main', [h('h1', 'Fruit'), ...rows.value.map((n) => h(Card, {key: n, n}))]);
}}).mount('#root');
"""
SHELL = f"<!doctype html><title>Fruit</title>{STYLE}<div id=root></div>"
APPLICATIONS = {"react": REACT, "vue": VUE}
ROUTES = {
    "/long": page(LONG),
    "/article": page(ARTICLE),
    "/dashboard": page(DASHBOARD),
    "/rows": (200, {"Content-Type": "application/json"}, json.dumps(list(range(1, 301))).encode()),
    "/a.css": (200, {"Content-Type": "text/css"}, b"p {color: #333}"),
    "/data": (200, {"Content-Type": "text/plain"}, b"Fruit"),
    "*": page(PAGE),
}
PEER = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    browser = p.chromium.launch(executable_path=sys.argv[1], args=['--no-sandbox'])
    page = browser.new_page()
    page.goto(sys.argv[2])
    page.wait_for_selector(sys.argv[3])
    assert 'Fruit' in page.content()
    browser.close()
"""
OURS = """
import os, sys, time
sys.path.insert(0, sys.argv[3])
from webtool.browser.session import Browser
from webtool.settings import Settings
options = {'max_bytes': 1 << 23, 'allow_private_hosts': ('127.0.0.1',), 'browser_no_sandbox': True}
settings = Settings(render='on', browser=sys.argv[1], **options)
with Browser(settings, os.environ) as browser:
    assert 'Fruit' in browser.render(sys.argv[2], deadline=time.monotonic() + 60).html
"""


PR_SET_CHILD_SUBREAPER = 36


def whole_cost(command):
    """Return (wall, CPU) seconds of a command and all processes that it started."""
    before = cpu()
    wall, _ = cost(command)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    return wall, cpu() - before


def cold(browser, url, options):
    """A browser's start, one page, its end: in pairs."""
    ready = "h1" if url.endswith(("/", "/long", "/article")) else "h3"
    print(f"{url.rpartition('/')[2] or 'small'}:")
    rows = []
    for _ in range(options.rounds):
        ours = whole_cost([sys.executable, "-c", OURS, browser, url, str(ROOT)])
        rows.append(
            (ours, whole_cost([options.playwright, "-c", PEER, browser, url, ready]) if options.playwright else None)
        )
    for name, index in (("wall", 0), ("CPU", 1)):
        print(f"cold, {name}: {statistics.median(ours[index] for ours, _ in rows):.2f} s", end="")
        if options.playwright:
            theirs = statistics.median(peer[index] for _, peer in rows)
            ratio = statistics.median(ours[index] / peer[index] for ours, peer in rows)
            print(f", playwright {theirs:.2f} s, median of the pairs' ratios {ratio:.2f}", end="")
        print()


def warm(browser, url, options):
    """Measure one browser for pages in sequence, and for 30 pages in four tabs."""
    from webtool.browser.session import Browser
    from webtool.settings import Settings

    settings = Settings(render="on", browser=browser, allow_private_hosts=("127.0.0.1",), browser_no_sandbox=True)
    with Browser(settings, os.environ) as kept:

        def render(number):
            started = time.monotonic()
            kept.render(f"{url}?{number}", deadline=started + 60)
            return time.monotonic() - started

        render(0)
        times = sorted(render(number) for number in range(max(10, options.rounds)))
        print(f"warm: {statistics.median(times):.2f} s, fastest {times[0]:.2f} s")
        started = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(render, range(30)))
        print(f"30 pages in four tabs: {30 / (time.monotonic() - started):.1f} pages a second")


def bundled(source, folder):
    """Return the script that esbuild makes of a module, with the packages of a folder."""
    command = [os.path.join(folder, "node_modules", ".bin", "esbuild"), "--bundle", "--minify", "--log-level=error"]
    command.append('--define:process.env.NODE_ENV="production"')
    return subprocess.run(command, input=source.encode(), cwd=folder, check=True, capture_output=True).stdout


def main():
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--playwright", default="")
    parser.add_argument("--packages", default="")
    options = parser.parse_args()
    from webtool.browser.launch import find_browser
    from webtool.errors import RenderFailed

    try:
        browser = find_browser("", os.environ)
    except RenderFailed as exc:
        leave(str(exc))
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    routes = dict(ROUTES)
    for name, source in APPLICATIONS.items() if options.packages else ():
        routes[f"/{name}"] = page(
            f"<!doctype html><title>Fruit</title>{STYLE}<div id=root></div><script src=/{name}.js></script>"
        )
        routes[f"/{name}.js"] = (200, {"Content-Type": "text/javascript"}, bundled(source, options.packages))
    with Server(routes) as server:
        warm(browser, f"{server.url}/", options)
        for path in (
            "/",
            "/long",
            "/article",
            "/dashboard",
            *(f"/{name}" for name in APPLICATIONS if options.packages),
        ):
            cold(browser, server.url + path, options)


if __name__ == "__main__":
    main()
