"""Recognise pages that only scripts would fill, and pages that look like them but have content."""

import gzip
import json
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html import parse_html
from webtool.html.shell import looks_like_js_shell

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpus" / "wcxb-dev"

TEXT = "A paragraph with enough words to be read by somebody who came for it. " * 12
SCRIPTS = "<script src=/a.js></script><script src=/b.js></script><script>start()</script>"

SHELLS = [
    ("<!doctype html><title>App</title><div id=root></div><script src=/main.js></script>", "#root is empty"),
    ("<div id=app><!-- built later --></div><script type=module src=/a.js></script>", "#app is empty"),
    ("<div id=__next></div><script id=d type=application/json>{}</script><script src=/n.js></script>", "#__next"),
    ("<body><app-root></app-root><script src=/main.js type=module></script>", "<app-root> is empty"),
    ("<header>Shop</header><div id=app></div><footer>(c) Shop</footer><script src=/a.js></script>", "#app is empty"),
    ("<div id=root><div class=spinner></div></div><link rel=modulepreload href=/c.js>", "#root is empty"),
    ("<head><link rel=preload as=script href=/c.js></head><div id=__nuxt></div>", "#__nuxt is empty"),
    (
        "<noscript>You need to enable JavaScript to run this app.</noscript><p>Loading</p><script src=a></script>",
        "asks",
    ),
    ("<p>Please turn on JavaScript and reload the page.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<p>This site requires Javascript.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<p>JavaScript is disabled in your browser.</p><script src=/check.js></script>", "asks for JavaScript"),
    ("<div class=loading>Loading...</div>" + SCRIPTS, "only says that it is loading"),
    ("<p>Our app</p>" + SCRIPTS, "almost no text and 3 scripts"),
    ("<div id=elm-node></div><script src=/elm.js></script>", "no text until scripts run"),
    ("<script type=module src=/assets/index.js></script>", "no text until scripts run"),
    ("<redoc spec-url=/openapi.json></redoc><script src=/redoc.js></script>", "no text until scripts run"),
    ("<app-root id=app>Loading...</app-root><script src=/a.js></script>", "#app is empty"),
    ("<div id=app><div class=splash>Please wait, the application is loading</div></div><script></script>", "#app is"),
    ("<div id=root><p>Wird geladen …</p></div><script src=/a.js></script>", "#root is empty"),
    ("<div id=app>読み込み中</div><script src=/a.js></script>", "#app is empty"),
    (f"<nav><a href=/a>{TEXT}</a></nav><div id=root></div><footer>{TEXT}</footer><script src=a></script>", "#root is"),
    (
        f"<header>{TEXT}</header><div class=outlet></div><footer>{TEXT}</footer><script src=a></script>",
        "no text outside",
    ),
    (f"<div role=navigation>{TEXT}</div><x-main></x-main><script src=a></script>", "<x-main> is empty"),
    ("<h1>Orders</h1><table><tr><th>No.<th>Total<tbody id=rows></tbody></table><script src=a></script>", "a list"),
    ("<p>Redirecting...</p><script>location = '/app'</script>", "only says that it is loading"),
    ("<div hx-get=/list><img src=/spinner.svg> Loading list...</div><script src=/h.js></script>", "only says"),
    (
        "<p>We're sorry but Shop needs JavaScript enabled to work properly. Please turn it on to go on.</p>" + SCRIPTS,
        "asks for JavaScript",
    ),
]

PAGES = [
    f"<div id=root><p>{TEXT}</p></div>{SCRIPTS}",
    f"<div id=root></div><main><p>{TEXT}</p></main>{SCRIPTS}",
    f"<p>{TEXT}</p><noscript>Please enable JavaScript for comments.</noscript>{SCRIPTS}",
    "<p>Short, but complete.</p>",
    "<p>Short, but complete, and counted.</p><script src=/count.js></script>",
    "<p>How to enable JavaScript in your browser</p>",
    "<div id=root></div>",
    "<h1>What it is</h1><p>JavaScript must be enabled for many sites. It is a language that runs in browsers and makes "
    "pages move.</p><script src=a></script>",
    "<site-head></site-head><article><h1>Nets</h1><p>They are mended on the quay on Monday.</p></article>" + SCRIPTS,
    f"<noscript>Please enable JavaScript.</noscript><h1>Hours</h1><p>We are open from nine to five.</p>{SCRIPTS}",
    f"<p>All systems operational</p><p>Updated 2 minutes ago</p>{SCRIPTS}",
    "<p>Redirecting to <a href=/new>the new page</a>.</p><script>location = '/new'</script>",
    "<h1>Boats</h1><ul class=list><li>Rowing boat</ul><script src=a></script>",
    "<div id=root>Short text</div><script src=/a.js></script>",
    "<h1>Sign in</h1><form><input type=email><input type=password><button>Go</button></form><script src=a></script>",
    "<form><input type=search name=q></form><script src=a.js></script>",
    "<p>Closed today.</p><script src=a.js></script>",
    "<h1>Loading dock rules</h1><p>Trucks stop at the gate.</p><script src=a.js></script>",
    "<p>Loading bays are closed.</p><p>Come again.</p><script src=a.js></script>",
    "<h1>What JavaScript is</h1><p>JavaScript is a language. Browsers run it.</p><script src=a.js></script>",
    "<video src=a.mp4></video><script src=a.js></script>",
    f"<nav>{TEXT}</nav><main>The shop opens at nine.</main><footer>{TEXT}</footer><script src=a.js></script>",
    f"<noscript><main>{TEXT}</main></noscript><discourse-app></discourse-app>{SCRIPTS}",
    f"<img src=photo.jpg>{SCRIPTS}",
    f"<iframe src=/reader></iframe>{SCRIPTS}",
    "<script type=application/ld+json>{}</script><script type=text/template><p></p></script><p>Data</p>" * 3,
    "",
]


# Frameworks, splash screens and empty frames, written before the rules were tried on them.
MORE_SHELLS = [
    (
        "<!doctype html><head><title>Dash</title><script defer src=/static/main.8f.js></script></head><div "
        "class='app-shell'><div class='skeleton'></div><div class='skeleton'></div></div>"
    ),
    (
        "<head><base href=/><title>Shop</title></head><shop-root><img src=/logo.svg "
        "alt=Shop><p>Loading…</p></shop-root><script src=polyfills.js type=module></script><script src=main.js "
        "type=module></script>"
    ),
    ("<div id='app' data-page='{&quot;component&quot;:&quot;Home&quot;}'></div><script src=/js/app.js defer></script>"),
    (
        "<body><noscript>This application needs scripts to be on.</noscript><div id=portal></div><script "
        "src=/portal.js></script>"
    ),
    (
        "<body class=loading><div class=lds-ring><div></div><div></div></div><script "
        "type=module>import('/x.js')</script>"
    ),
    (
        "<header><a href=/>News</a><a href=/about>About</a></header><main></main><footer>© 2026 News Ltd. All "
        "rights reserved.</footer><script src=/feed.js></script>"
    ),
    (
        "<nav><ul><li><a href=/a>Docs</a><li><a href=/b>Blog</a></ul></nav><div id=content><div class=spinner "
        "role=status><span class=sr-only>Loading...</span></div></div><footer>Imprint Privacy</footer><script "
        "src=/c.js></script>"
    ),
    "<flt-glass-pane></flt-glass-pane><script src=flutter_bootstrap.js async></script>",
    "<div id=root><style>.s{}</style><svg><circle r=5></circle></svg></div><script src=/a.js></script>",
    "<div id=__nuxt><div class=nuxt-progress>0%</div></div><script type=module src=/_nuxt/e.js></script>",
    "<h1 class=visually-hidden>App</h1><div id=app></div><script src=/a.js></script>",
    "<ion-app><ion-router-outlet></ion-router-outlet></ion-app><script type=module src=/a.js></script>",
    "<div id=container>Loading application, please wait a moment</div><script src=/a.js></script>",
    (
        "<div id=root></div><div id=cookie>We use cookies to make this site better. <a href=/p>Privacy "
        "policy</a></div><script src=/a.js></script>"
    ),
    "<gradio-app></gradio-app><script type=module crossorigin src=/gradio.js></script>",
    "<div id=main><p>Cargando...</p></div><script src=/a.js></script>",
    "<div data-reactroot></div><script>window.__STATE__={a:1}</script><script src=/b.js></script>",
]

MORE_PAGES = [
    "<h1>404</h1><p>The page you asked for is not here.</p><script src=/a.js></script>",
    "<h1>Opening hours</h1><p>Monday to Friday 9 to 17.</p><script src=/ga.js></script>",
    (
        "<nav>Home About</nav><main><h1>Contact</h1><p>12 Harbour Road, Porto. Phone 555 "
        "0100.</p></main><footer>(c)</footer><script src=/a.js></script>"
    ),
    (
        "<form action=/login method=post><label>User <input name=u></label><label>Password <input type=password "
        "name=p></label><button>Log in</button></form><script src=/l.js></script>"
    ),
    (
        "<h1>Enable JavaScript in Firefox</h1><ol><li>Open about:config.<li>Search for "
        "javascript.enabled.<li>Set it to true.</ol><p>Most sites need it, and some do not work without it at "
        "all, so keep it on unless you know why you want it to be off. Blocking scripts page by page is possible "
        "with an extension, and that is what careful people do when they read pages of strangers on the web "
        "every day of the week.</p><script src=/a.js></script>"
    ),
    "<img src=/map.png alt='Map of the island'><script src=/zoom.js></script>",
    "<h1>Results</h1><table><tr><td>Ana<td>12<tr><td>Bo<td>9</table><script src=/sort.js></script>",
    (
        "<h1>We are moving</h1><p>The shop is closed until 1 May.</p><script src=/a.js></script><script "
        "src=/b.js></script><script src=/c.js></script>"
    ),
    "<div id=app><h1>Tides</h1><p>High water at 6:40.</p></div><script src=/a.js></script>",
    "<main><video src=/v.mp4 controls></video></main><script src=/p.js></script>",
    "<p>Redirecting to <a href=/new>the new page</a>.</p><script>location='/new'</script>",
    "<iframe src=/map></iframe><script src=/a.js></script>",
    "<canvas id=c></canvas><p>Use the arrow keys to move the ship.</p><script src=/game.js></script>",
    (
        "<my-header>Acme</my-header><main><p>We repair boats of all sizes since 1950.</p></main><script "
        "src=/wc.js type=module></script>"
    ),
    (
        "<header><h1>Jana's photos</h1></header><main><figure><img src=1.jpg><img "
        "src=2.jpg></figure></main><script src=/l.js></script>"
    ),
    "<h1>Search</h1><form><input type=search name=q><button>Go</button></form><script src=/s.js></script>",
    "<pre>GET /v1/ping\n200 OK</pre><script src=/hl.js></script>",
]


# Written before the rules were tried on them, by what they show.
NAMED_SHELLS = {
    "TanStack Start/vite with splash svg": (
        "<head><title>Board</title><link rel=icon href=/f.svg><script type=module crossorigin "
        "src=/assets/index-1a2b.js></script><link rel=stylesheet href=/assets/i.css></head><div "
        "id=root><div class=splash><svg viewBox='0 0 24 24'><path d='M0 "
        "0'/></svg><h1>Board</h1></div></div>"
    ),
    "Blazor WASM .NET 8": (
        "<div id=app><svg class=loading-progress><circle r=40% cx=50% cy=50% /></svg><div "
        "class=loading-progress-text></div></div><div id=blazor-error-ui>An unhandled error has "
        "occurred. <a href=. class=reload>Reload</a> <span class=dismiss>🗙</span></div><script "
        "src=_framework/blazor.webassembly.js></script>"
    ),
    "Salesforce community": (
        "<div class=auraMsgBox id=auraLoadingBox><div class=logo></div><div "
        "class=spinner></div></div><div id=auraErrorMask><div id=auraError><span "
        "id=auraErrorMessage>Sorry to interrupt</span><a href=#>Refresh</a></div></div><script "
        "src=/s/sfsites/auraFW.js></script><script src=/s/app.js></script><script "
        "src=/s/boot.js></script>"
    ),
    "Streamlit": (
        "<head><title>Streamlit</title><script type=module "
        "src=./static/js/main.js></script></head><noscript>You need to enable JavaScript to run this "
        "app.</noscript><div id=root></div>"
    ),
    "Jupyter viewer with navbar": (
        "<div id=header role=navigation><a href=/>Home</a><a href=/hub>Hub</a><a "
        "href=/logout>Logout</a></div><div id=site></div><script "
        "src=/static/notebook/main.min.js></script><script>requirejs(['main'])</script>"
    ),
    "docsify": (
        "<nav><a href=#/>EN</a><a href=#/zh>中文</a></nav><div id=app>Please "
        "wait...</div><script>window.$docsify={name:'x'}</script><script src=//cdn/docsify.js></script>"
    ),
    "Stoplight elements": (
        "<elements-api apiDescriptionUrl=/openapi.yaml router=hash "
        "layout=sidebar></elements-api><script "
        "src=https://unpkg.com/@stoplight/elements/web-components.min.js></script>"
    ),
    "Scalar": (
        "<script id=api-reference data-url=/openapi.json></script><script "
        "src=https://cdn.jsdelivr.net/npm/@scalar/api-reference></script>"
    ),
    "htmx feed with heading": (
        "<header><h1>Tickets</h1></header><main><h2>Open tickets</h2><div id=tickets hx-get=/tickets "
        "hx-trigger=load hx-swap=innerHTML><span class=htmx-indicator>Fetching "
        "tickets…</span></div></main><footer>© 2026</footer><script src=/htmx.min.js></script>"
    ),
    "Turbo frame lazily loaded": (
        "<nav><a href=/>Home</a></nav><main><turbo-frame id=posts src=/posts loading=eager><p>Loading "
        "posts...</p></turbo-frame></main><script type=module src=/turbo.js></script>"
    ),
    "Elm reactor": (
        "<pre id=elm></pre><script "
        "src=elm.js></script><script>Elm.Main.init({node:document.getElementById('elm')})</script>"
    ),
    "Outlook-like": (
        "<div id=preloadDiv><div id=loadingScreen><div id=loadingLogo></div><div "
        "id=MSLogo></div></div></div><div id=app role=application></div><script>var s=1</script><script "
        "src=/owa/boot.js></script>"
    ),
    "qwik-less sapper": (
        "<div id=sapper></div><script>__SAPPER__={baseUrl:''}</script><script src=/client/legacy/client.js></script>"
    ),
    "SwaggerUI w/ topbar": (
        "<div class=topbar><img src=/logo.png alt=Logo><form><input "
        "placeholder=url><button>Explore</button></form></div><div id=swagger-ui></div><script "
        "src=./swagger-ui-bundle.js></script>"
    ),
    "Dashboard skeleton text": (
        "<aside class=sidebar><a href=/d>Dashboard</a><a href=/r>Reports</a></aside><div "
        "class=content><div class='card skeleton'>&nbsp;</div><div class='card "
        "skeleton'>&nbsp;</div><div class='card skeleton'>&nbsp;</div></div><script "
        "src=/dash.js></script>"
    ),
    "angular splash with brand": (
        "<head><title>Ledger - Accounts</title></head><ledger-root><div class=brand>Ledger</div><div "
        "class=bar></div></ledger-root><script src=runtime.js type=module></script><script src=main.js "
        "type=module></script>"
    ),
    "unpoly": (
        "<header>Shop</header><main up-main></main><div up-defer up-href=/cart></div><script src=/unpoly.js></script>"
    ),
    "aria busy table": (
        "<h1>Invoices</h1><table aria-busy=true><thead><tr><th>No.<th>Total</thead><tbody><tr><td "
        "colspan=2>Loading invoices</td></tr></tbody></table><script src=/i.js></script>"
    ),
    "MUI skeleton": (
        "<div class=layout><span class='MuiSkeleton-root MuiSkeleton-text'></span><span "
        "class='MuiSkeleton-root'></span></div><script src=/static/js/main.js></script>"
    ),
    "bootstrap placeholder cards": (
        "<div class=row><div class=card aria-hidden=true><h5 class='card-title placeholder-glow'><span "
        "class='placeholder col-6'></span></h5></div></div><script src=/c.js></script>"
    ),
    "spinner with pct": (
        "<div class=wrap><div class=pct>0 %</div><div class=msg>Initializing…</div></div><script src=/u.js></script>"
    ),
    "cookie text + root": (
        "<div id=root></div><div class=consent><p>This website uses cookies to improve your "
        "experience.</p><button>OK</button></div><script src=/m.js></script>"
    ),
    "japanese": "<div id=app>しばらくお待ちください</div><script src=/m.js></script>",
    "dutch": ("<div id=wrapper><p>Even geduld, de pagina wordt geladen...</p></div><script src=/m.js></script>"),
    "phoenix liveview": (
        "<div id=phx-F1 data-phx-main data-phx-session=x class=phx-loading></div><script defer "
        "src=/assets/app.js></script>"
    ),
    "webpack dev": "<app></app><script src=bundle.js></script>",
}
NAMED_PAGES = {
    "countdown": "<h1>Launch in 3 days</h1><div id=timer></div><script src=/count.js></script>",
    "poll": (
        "<main><h1>Which boat is best?</h1><form><label><input type=radio "
        "name=a>Cedar</label><label><input type=radio "
        "name=a>Elm</label><button>Vote</button></form></main><script src=/poll.js></script>"
    ),
    "link list": (
        "<h1>Links</h1><ul><li><a href=/a>Annual report</a></li><li><a "
        "href=/b>Budget</a></li></ul><script src=/a.js></script>"
    ),
    "thanks": (
        "<div id=root><div class=card><h2>Thank you!</h2><p>Your order 1234 has been "
        "placed.</p></div></div><script src=/a.js></script>"
    ),
    "calculator": (
        "<h1>Tip calculator</h1><label>Bill <input id=b></label><output "
        "id=o></output><script>b.oninput=()=>o.value=b.value*.1</script>"
    ),
    "poem": "<div class=poem>The tide<br>comes in<br>and out</div><script src=/a.js></script>",
    "status": (
        "<div id=app><header>Status</header><div class=ok>All systems are up and "
        "running.</div></div><script src=/s.js></script>"
    ),
    "loading docks": (
        "<main><h1>Loading zones</h1><p>Loading is allowed from 6 to 9.</p></main><script src=/a.js></script>"
    ),
    "svg page": (
        "<svg width=400 height=300><title>Plan of the harbour</title><text x=9 y=9>Pier "
        "A</text><text>Pier B</text><text>Slipway</text></svg><script src=/zoom.js></script>"
    ),
    "definition": "<dl><dt>Port</dt><dd>The left side of a ship.</dd></dl><script src=/a.js></script>",
    "phone": "<div id=content><p>Call 555 0100</p></div><script src=/a.js></script>",
    "nav and article in custom element": (
        "<site-nav></site-nav><page-body><h1>Nets</h1><p>We mend nets on the "
        "quay.</p></page-body><script type=module src=/c.js></script>"
    ),
    "frameset": "<frameset cols=50%,50%><frame src=a.html><frame src=b.html></frameset>",
    "maintenance": "<div class=maintenance>Down for maintenance. Back at 14:00.</div><script src=/r.js></script>",
    "gallery": (
        "<div class=grid><a href=/1><img src=1.jpg alt='Boat at dawn'></a><a href=/2><img src=2.jpg "
        "alt='Pier'></a></div><script src=/lb.js></script>"
    ),
    "wait page": ("<h1>Please wait to be seated</h1><p>A short film by Ana Bell, 2019.</p><script src=/a.js></script>"),
    "recipe card": (
        "<div id=root><h1>Flat bread</h1><ul><li>Flour</li><li>Water</li></ul></div><script src=/a.js></script>"
    ),
    "title only once heading": (
        "<head><title>Kite</title></head><main><h1>Kite</h1><p>A toy that flies.</p></main><script src=/a.js></script>"
    ),
    "busy field": (
        "<h1>Transfer</h1><p>Your transfer of 40 EUR was sent to Anna.</p><div "
        "aria-busy=true></div><script src=/a.js></script>"
    ),
    "skeleton article": (
        "<h1>On the human skeleton</h1><p class=skeleton>The skeleton has 206 bones.</p><script src=/a.js></script>"
    ),
    "htmx page with text": (
        "<h1>Boats</h1><ul><li>Cedar, 21 m, in port since Monday</li><li>Elm, 9 m</li></ul><div "
        "hx-get=/more hx-trigger=revealed></div><script src=/h.js></script>"
    ),
    "preparing": "<h1>Preparing fish</h1><p>Scale it first.</p><script src=/a.js></script>",
    "starting": "<p>Starting at 7 pm: jazz on the quay.</p><script src=/a.js></script>",
    "fetching": "<h2>Fetching records</h2><p>Use GET.</p><pre>GET /a</pre><script src=/a.js></script>",
    "price": ("<div class=p>Cedar plank</div><div class=v>40 EUR</div><button>Buy</button><script src=/a.js></script>"),
    "empty result": "<h1>Search</h1><p>No results for “xyz”.</p><ul class=results></ul><script src=/a.js></script>",
    "chart": "<h1>Catch</h1><svg><text>2024</text><text>12 t</text></svg><script src=/a.js></script>",
    "waiting room": "<h1>You are in line</h1><p>There are 12 people before you.</p><script src=/q.js></script>",
}


LATER_SHELLS = {
    "unity": (
        "<body><div id=unity-container class=unity-desktop><canvas id=unity-canvas width=960 "
        "height=600></canvas><div id=unity-loading-bar><div id=unity-logo></div><div "
        "id=unity-progress-bar-empty><div id=unity-progress-bar-full></div></div></div><div "
        "id=unity-warning></div><div id=unity-footer><div id=unity-webgl-logo></div><div "
        "id=unity-fullscreen-button></div><div id=unity-build-title>Tides</div></div></div><script>var "
        "s=document.createElement('script')</script></body>"
    ),
    "flutter canvaskit": (
        "<html><head><base href=/><title>tides</title></head><body><picture id=splash><img class=center "
        "src=splash/img/light-1x.png alt=''></picture><script src=flutter_bootstrap.js "
        "async></script></body></html>"
    ),
    "de laden": (
        "<body><div class=wrapper><div id=main-app>Die Anwendung wird geladen …</div></div><script "
        "src=/a.js></script></body>"
    ),
    "title + loading + cookie": (
        "<body><div class=splash><h1>Harbour Portal</h1><p>Please wait while we prepare your session</p><div "
        "class=bar></div></div><div class=cookie-banner>We use cookies. <button>OK</button></div><script "
        "src=/a.js></script></body>"
    ),
    "marko dashboards": (
        "<body class=theme-dark><div class=layout><aside class=sidebar><ul><li><a href=#/a>Overview</a><li><a "
        "href=#/b>Alerts</a><li><a href=#/c>Settings</a></ul></aside><section class=content data-bind='template: "
        "view'></section></div><script src=/require.js data-main=/main></script></body>"
    ),
    "godot": (
        "<body><canvas id=canvas>Your browser does not support the canvas tag.</canvas><div id=status><img "
        "id=status-splash src=index.png alt=''><progress id=status-progress></progress><div "
        "id=status-notice></div></div><script src=index.js></script></body>"
    ),
    "tabs of empties": (
        "<body><div role=tablist><button>Map</button><button>List</button></div><div id=map></div><div "
        "id=list></div><script type=module src=/a.js></script></body>"
    ),
    "table body empty": (
        "<body><h1>Departures</h1><table id=dep><thead><tr><th>Time<th>Ship<th>Pier</thead><tbody "
        "id=rows></tbody></table><script src=/dep.js></script></body>"
    ),
    "list with a comment": "<h1>Hits</h1><ul class=results> <!-- rows --> </ul><script src=/a.js></script>",
    "view with white space": "<h1>Hits</h1><div id=results>\n</div><script src=/a.js></script>",
    "es": (
        "<body><div id=caja><h2>Mi Puerto</h2><p>Cargando datos, espere por favor...</p></div><script "
        "src=/a.js></script></body>"
    ),
    "site needs js": (
        "<body><p class=nojs>We're sorry, but this site does not work without JavaScript. Please enable "
        "it.</p><div id=x></div><script src=/a.js></script></body>"
    ),
    "blazor wasm": (
        "<body><div id=app><svg class=loading-progress><circle r=40% cx=50% cy=50% /></svg><div "
        "class=loading-progress-text></div></div><div id=blazor-error-ui>An unhandled error has occurred. <a "
        "href='' class=reload>Reload</a> <a class=dismiss>🗙</a></div><script "
        "src=_framework/blazor.webassembly.js></script></body>"
    ),
    "gmail like": (
        "<body><div id=loading><div class=cont><div class=msg>Loading Harbour Mail</div><div "
        "class=bar></div></div><div class=submsg>Too slow? <a href=/basic>Load basic "
        "HTML</a></div></div><script src=/m.js></script></body>"
    ),
    "pl": "<body><div id=kontener>Trwa ładowanie danych</div><script src=/a.js></script></body>",
    "zh": "<body><div class=tip>页面加载中，请稍候</div><script src=/a.js></script></body>",
    "aria busy": "<body><main aria-busy=true><h1>Reports</h1></main><script src=/a.js></script></body>",
    "auth gate": "<body><div id=auth>Checking your session…</div><script src=/a.js></script></body>",
    "data grid": (
        "<body><h2>Invoices</h2><div class=toolbar><button>New</button><button>Export</button></div><div "
        "id=grid class=ag-theme></div><script src=/grid.js></script></body>"
    ),
    "tv": (
        "<body><div class=splash-screen><img class=logo src=/logo.png alt='Port TV'></div><script "
        "src=/tv.js></script></body>"
    ),
    "three.js": (
        "<body><div id=info>Drag to rotate</div><canvas id=scene></canvas><script "
        "type=importmap>{}</script><script type=module src=/scene.js></script></body>"
    ),
}
LATER_PAGES = {
    "about js": (
        "<body><h1>Do I need JavaScript?</h1><p>Most pages work without JavaScript, but maps do not. Turn it on "
        "in the settings if a map stays empty.</p><script src=/a.js></script></body>"
    ),
    "load word in text": (
        "<body><h1>Loading ramp</h1><p>Loading takes two hours. Trucks wait at gate 4.</p><script "
        "src=/a.js></script></body>"
    ),
    "wait text": (
        "<body><h1>Ferry queue</h1><p>Please wait in lane 4. Boarding begins at 9:15.</p><script "
        "src=/a.js></script></body>"
    ),
    "loading heading": (
        "<body><h1>Loading cargo</h1><ul><li>Check the crane.<li>Close the hatch.</ul><script "
        "src=/a.js></script></body>"
    ),
    "js course": (
        "<body><h1>JavaScript for sailors</h1><p>Learn to enable and disable timers.</p><script "
        "src=/a.js></script></body>"
    ),
    "de status": "<body><h1>Status</h1><p>Der Kran wird am Montag gewartet.</p><script src=/a.js></script></body>",
    "canvas game text": (
        "<body><h1>Snake</h1><canvas id=c></canvas><p>Arrow keys steer, space pauses the game.</p><script "
        "src=/g.js></script></body>"
    ),
    "cookie text page": (
        "<body><h1>Cookies</h1><p>We use two cookies, one for your language and one for your basket.</p><script "
        "src=/a.js></script></body>"
    ),
    "button page": (
        "<body><h1>Vote</h1><p>Which boat is best?</p><button>Swan</button><button>Gull</button><script "
        "src=/a.js></script></body>"
    ),
    "aside note": (
        "<body><main><p>The pier is open.</p></main><aside><p>Dogs on a lead.</p></aside><script "
        "src=/a.js></script></body>"
    ),
    "ssr svelte": (
        "<body><div style='display: contents'><h1>Count: 4</h1><button>+</button></div><script type=module "
        "src=/_app/s.js></script></body>"
    ),
    "math": "<body><math><mi>x</mi><mo>=</mo><mn>2</mn></math><script src=/mj.js></script></body>",
    "loading spec": (
        "<body><h2>Please wait states</h2><p>Use them for tasks over one second.</p><script src=/a.js></script></body>"
    ),
    "docs js": (
        "<body><h1>enableJavaScript(flag)</h1><p>Turns scripts on or "
        "off.</p><pre>enableJavaScript(true)</pre><script src=/a.js></script></body>"
    ),
    "quote de": "<body><p>Das Schiff wird morgen beladen.</p><script src=/a.js></script></body>",
    "ip": "<body>203.0.113.7<script src=/a.js></script></body>",
}


@pytest.mark.parametrize(("page", "reason"), SHELLS)
def test_shell_is_recognised_with_its_reason(page, reason):
    assert reason in looks_like_js_shell(parse_html(page))


@pytest.mark.parametrize("page", [*MORE_SHELLS, *NAMED_SHELLS.values(), *LATER_SHELLS.values()])
def test_further_shells_are_recognised(page):
    assert looks_like_js_shell(parse_html(page))


@pytest.mark.parametrize("page", [*PAGES, *MORE_PAGES, *NAMED_PAGES.values(), *LATER_PAGES.values()])
def test_page_with_content_is_not_a_shell(page):
    assert looks_like_js_shell(parse_html(page)) is None


PARAGRAPHS = "<p>" + "words of a text " * 30 + "</p>"


@pytest.mark.parametrize(
    "around", ["nav", "div role=navigation", "div role=' Navigation none'", "template", "footer", "header"]
)
def test_paragraphs_of_menus_and_silent_elements_are_not_the_text_of_a_page(around):
    page = f"<{around}><div>{PARAGRAPHS * 3}</div></{around.split()[0]}><div id=root></div>{SCRIPTS}"
    assert looks_like_js_shell(parse_html(page))
    assert looks_like_js_shell(parse_html(page + PARAGRAPHS * 3)) is None


def test_deep_pages_do_not_recurse():
    page = "<div>" * 20000 + "<div id=root></div>" + SCRIPTS
    assert looks_like_js_shell(parse_html(page)) == "#root is empty until scripts run"


PARTS = [*"<script> </script> <noscript> </noscript> <x-y> <p> word".split(), "<div id=app>", "enable javascript"]


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=20)))
def test_any_page_gets_an_answer(parts):
    answer = looks_like_js_shell(parse_html("".join(parts)))
    assert answer is None or answer


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside this checkout")
def test_real_pages_with_an_article_are_not_shells():
    """The corpus was fetched without a browser, so pages with a text to extract are not shells."""
    with gzip.open(CORPUS / "ground-truth.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = {row["id"]: row["main_content"] or "" for row in map(json.loads, file)}
    seen, wrong = 0, []
    for name, text in list(texts.items())[::20]:
        page = gzip.decompress((CORPUS / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        words = {word for word in text.split() if word.isalpha() and len(word) > 3}
        # Some pages were read with a browser and stored without: their text is not in the file. Large ones take long.
        if len(page) > 200_000 or len(words) < 30 or sum(word in page for word in words) < 0.8 * len(words):
            continue
        seen += 1
        if looks_like_js_shell(parse_html(page)):
            wrong.append(name)
    assert seen > 20
    assert wrong == []
