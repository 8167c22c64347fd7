"""Consent is refused and the main text opened where the user lets it, and no click does anything else."""

import itertools
import re
import time
from types import SimpleNamespace

import pytest

from webtool.browser import clicks
from webtool.browser.session import Browser

OTHER = "127.0.0.3"  # another site to the browser
STORY = "<p>The harbour has two tides a day, and the second one comes later.</p>"
SAID = "It was clicked."
# done() writes the words; the page does not have them otherwise.
PAGE = """<!doctype html><title>t</title><main>{}<p id=said></p></main><script>
const done = () => said.append(['It', 'was', 'clicked.'].join(' '));</script>{}"""
BOX = "<div style='position:fixed;bottom:0'><p>We use cookies for a better experience.</p>{}</div>"
BUTTON = "<button onclick=done()>{}</button>"

REFUSALS = {
    "en": "Reject all|Decline|Refuse optional cookies|Only necessary cookies|Continue without accepting|I decline",
    "de": "Alle ablehnen|Nur notwendige Cookies|Ablehnen und schließen|Einwilligung verweigern",
    "fr": "Tout refuser|Continuer sans accepter →|Je refuse",
    "es": "Rechazar todas|Denegar|Solo cookies necesarias",
    "pt": "Rejeitar tudo|Recusar|Apenas necessários",
    "it": "Rifiuta tutto|Continua senza accettare|Solo necessari",
    "nl": "Alles weigeren|Alleen noodzakelijke cookies|Afwijzen",
    "pl": "Odrzuć wszystkie|Odmawiam|Tylko niezbędne",
    "sv": "Avvisa alla|Endast nödvändiga",
    "da": "Afvis alle|Kun nødvendige",
    "no": "Avvis alle|Kun nødvendige",
    "fi": "Hylkää kaikki|Vain välttämättömät",
    "cs": "Odmítnout vše|Nesouhlasím",
    "hu": "Összes elutasítása",
    "ro": "Respinge tot|Refuz",
    "el": "Απόρριψη όλων",
    "tr": "Tümünü reddet",
    "ru": "Отклонить все|Только необходимые",
    "uk": "Відхилити все",
    "ja": "すべて拒否|同意しない",
    "zh": "全部拒绝|拒絕",
    "ko": "모두 거부",
    "ar": "رفض الكل",
}
# Answers that are not a refusal, or are more than one.
KEPT = (
    "Accept all|Accept|Allow all|OK|Got it|Agree and close|Alle akzeptieren|Zustimmen|Tout accepter|Aceptar|Aceitar"
    "|Accetta tutto|Akkoord|Akceptuję|Godkänn alla|Принять все|同意する|接受|동의|Manage options|Settings"
    "|Reject and subscribe|Ablehnen und Abo abschließen|Reject all and pay|Accept only necessary|Login or reject"
)
NOT_MORE = "Less|Moreland council|Show Moreland|Read only mode|Expanded view|See allergens"
MORES = (
    "Show more|Read more|See more|Load 20 more|Continue reading|Show full article|Mehr anzeigen|Weiterlesen"
    "|Weitere Kommentare laden|Lire la suite|Afficher plus|Leer más|Seguir leyendo|Ler mais|Continuar lendo|Leggi tutto"
    "|Mostra altro|Lees meer|Toon meer|Czytaj więcej|Pokaż więcej|Läs mer|Visa mer|Læs mere|Vis mer|Lue lisää|Číst dále"
    "|Tovább|Citește mai mult|Περισσότερα|Devamını oku|Читать далее|Показать ещё|Читати далі|もっと見る|続きを読む"
    "|显示更多|展开|閱讀全文|더 보기|اقرأ المزيد"
)

GOOD = {
    "a dialog": "<div role=dialog><p>Your consent</p><button onclick=1>Accept</button>" + BUTTON.format("Reject all"),
    "an element dialog": f"<dialog id=d>Cookies?<form method=dialog>{BUTTON.format('Decline')}</form></dialog>"
    "<script>d.showModal()</script>",
    "a fixed box": BOX.format("<a href='#' onclick=done()>Refuse</a>"),
    "a link with a script": BOX.format("<a href='javascript:done()'>Refuse</a>"),
    "a bar that speaks of cookies itself": BUTTON.format("Reject additional cookies"),
    "a name only": BOX.format("<button aria-label='Reject all' onclick=done()><svg width=9 height=9></svg></button>"),
    "a shadow tree": "<x-a style='position:fixed'></x-a><script>const a = document.querySelector('x-a')"
    ".attachShadow({mode: 'open'}); a.innerHTML = '<p>Cookies and consent</p><button>Deny</button>';"
    "a.querySelector('button').onclick = done</script>",
    "a dialog that comes late": "<script>setTimeout(() => { const b = document.createElement('div'); b.role = 'dialog';"
    "b.innerHTML = 'Cookies <button>Reject</button>'; b.lastChild.onclick = () => setTimeout(() => fetch('/part').then("
    "done), 300); document.body.append(b) }, 500)</script>",
    "a frame of another site": "<iframe style='position:fixed' src=OTHER/consent></iframe><script>onmessage = done;"
    "</script>",
    "names that hide the document's own": BOX.format(BUTTON.format("Reject"))
    + "<img name=querySelectorAll><img name=body><img name=head>",
}
GOOD_MORE = {
    "a button": BUTTON.format("Show more"),
    "a button that is not of a form's": "<form><button type=button onclick=done()>Read more</button></form>",
    "a link to nowhere": "<a href='#' onclick=done()>Read more …</a>",
    "an element with a role": "<span role=button tabindex=0 onclick=done()>See more</span>",
    "a part that is not open": "<div aria-expanded=false onclick=done()>Show all answers</div>",
    "what is asked for": "<button onclick=\"fetch('/part').then((r) => r.text()).then((t) => this.replaceWith(t))\">"
    "Load more</button>",
    "one that brings another": "<button onclick=\"this.outerHTML = '<button onclick=done()>Show more</button>'\">"
    "Show more</button>",
}
# Left alone: a click would do what no handler has to ask for, or what nobody let us.
BAD = {
    "a link with an address": BOX.format("<a href=/away>Reject all</a>"),
    "a link to a file": BOX.format("<a href='#' download=x>Reject all</a>"),
    "a link under another base": "<base href=/away/>" + BOX.format("<a href='#x'>Reject all</a>"),
    "a form": BOX.format("<form action=/away method=post><button>Reject all</button></form>"),
    "a form elsewhere": BOX.format("<button form=f>Reject all</button>") + "<form id=f action=/away></form>",
    "within a link": BOX.format("<a href=/away><span role=button>Reject all</span></a>"),
    "within a label": BOX.format(f"<label>{BUTTON.format('Reject all')}<input type=checkbox></label>"),
    "not about consent": f"<div role=dialog>Join us?{BUTTON.format('Decline')}</div>",
    "not seen": f"<div role=dialog style='opacity:0'>Cookies{BUTTON.format('Reject')}</div>",
    "a page in a fixed box": f"<div style='position:fixed'>{'Cookies. ' * 1000}{BUTTON.format('Decline')}</div>",
    "more with an address": "<article><a href=/away>Read more</a></article>",
    "more that is sent": "<article><form action=/away><button>Show more</button></form></article>",
    "more beside the text": f"<nav>{BUTTON.format('Show more')}</nav><div>{BUTTON.format('Show more')}</div>",
    "more of a menu": "<article><button aria-haspopup=menu onclick=done()>More</button></article>",
    "more that is open": "<article><button aria-expanded=true onclick=done()>Show more</button></article>",
    "a subscription": f"<article>{BUTTON.format('Continue reading: subscribe now')}</article>",
}
# What is clicked, and tries what a click must not do.
EVIL = {
    "goes elsewhere": "location = '/away'",
    "goes elsewhere later": "setTimeout(() => location.replace('/away'), 400)",
    "loads itself anew": "location.reload()",
    "goes back": "history.back()",
    "sends a form": "const f = document.createElement('form'); f.action = '/away'; f.method = 'post';"
    " document.body.append(f); f.submit()",
    "sends a form into a frame": "document.body.insertAdjacentHTML('beforeend', '<iframe name=i></iframe><form id=f "
    "action=/away target=i method=post></form>'); f.submit()",
    "opens a window": "open('/away')",
    "opens a link in a window": "Object.assign(document.createElement('a'), {href: '/away', target: '_blank'}).click()",
    "loads a file": "Object.assign(document.createElement('a'), {href: '/away', download: 'x'}).click()",
    "asks": "alert(1); confirm(2); prompt(3)",
    "prints": "print()",
    "changes something in the user's name": "fetch('/away', {method: 'POST', body: 'x'})",
}


# What takes the page away in a way that cannot be refused.
AWAY = {
    "nowhere": "'about:blank'",
    "a page that the page makes itself": "window.URL.createObjectURL(new Blob(['<p>no'], {type: 'text/html'}))",
}
LASTING = {
    "a part that does not come": "fetch('/hang')",
    "a handler that does not end": "for (;;);",
    "a page that goes on": "setInterval(() => fetch('/part'), 30)",
}
TABLES = {
    "good": GOOD,
    "more": {name: f"<article>{body}</article>" for name, body in GOOD_MORE.items()},
    "bad": BAD,
    "evil": {
        name: BOX.format(f"<button id=r>Reject all</button><script>r.onclick = () => {{ {script} }}</script>")
        for name, script in EVIL.items()
    },
    "away": {name: BOX.format(f'<button onclick="location = {to}">Reject all</button>') for name, to in AWAY.items()},
    "lasting": {
        name: f'<main>{STORY}<button onclick="{script}">Show more</button></main>' for name, script in LASTING.items()
    },
}


@pytest.fixture(scope="module")
def served(site_at):
    site, other = site_at(), site_at(OTHER)
    site.routes["/part"] = (200, "text/plain", "It was clicked.")
    site.hang("/hang")
    site.html("/away", "<p>Elsewhere.")
    button = "<button onclick=\"parent.postMessage(1, '*')\">Reject all</button>"
    other.html("/consent", f"<p>Cookies and your consent</p>{button}")
    site.other = other.origin
    return site


@pytest.fixture(scope="module")
def clicked(served, settings, environ):
    """clicked(body): the page after the clicks, and what it asked its server for below its own path."""
    changed = settings._replace(allow_private_hosts=("127.0.0.1", OTHER), render_clicks=True, render_deadline=12.0)
    paths = map("/{}/".format, itertools.count())
    with Browser(changed, environ) as browser:

        def work(body):
            path = next(paths)
            body = body.replace("OTHER", served.other).replace("/away", f"{path}away")
            url = served.html(path, PAGE.format(STORY, body))
            user = (("Authorization", "Bearer x"),)
            page = browser.render(url, deadline=time.monotonic() + 60, headers=user)
            assert page.final_url.rstrip("#") == url
            assert "two tides a day" in page.html
            return page, [one.replace(path, "/") for one in served.requests if one.startswith(path)]

        yield work


@pytest.fixture(scope="module")
def found(clicked, at_once):
    """found((table, name)): the same of a row of a table."""
    rows = {(table, name): body for table, bodies in TABLES.items() for name, body in bodies.items()}
    return at_once(lambda row: clicked(rows[row]), rows)


def is_told(page):
    return any(note.startswith("clicked in the page") for note in page.notes)


@pytest.mark.parametrize("name", GOOD)
def test_consent_is_refused(found, name):
    page, _ = found(("good", name))
    assert SAID in page.html
    assert any("(consent refused)" in note for note in page.notes)
    assert page.is_whole


@pytest.mark.parametrize("name", GOOD_MORE)
def test_the_main_text_is_opened(found, name):
    page, _ = found(("more", name))
    assert SAID in page.html
    assert is_told(page)
    assert page.is_whole


@pytest.mark.parametrize("name", BAD)
def test_what_could_do_more_is_left_alone(found, name):
    page, asked = found(("bad", name))
    assert SAID not in page.html
    assert asked == ["/"]
    assert page.notes == ()


@pytest.mark.parametrize("name", EVIL)
def test_a_click_does_no_harm(found, name):
    page, asked = found(("evil", name))
    assert asked == ["/"]
    assert is_told(page)
    is_held = name not in ("goes back", "opens a window", "opens a link in a window", "asks", "prints")
    assert any("wanted to lead elsewhere" in note for note in page.notes) == is_held


@pytest.mark.parametrize("name", AWAY)
def test_a_click_that_takes_the_page_away_is_undone(found, name):
    page, _ = found(("away", name))
    assert any("led the page away" in note for note in page.notes)


def test_each_click_has_its_own_time_to_load(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(clicks, "time", SimpleNamespace(monotonic=lambda: clock.now))
    waits = []

    def settle(until):
        waits.append(until - clock.now)
        clock.now += 3.0
        return True

    tab = SimpleNamespace(_options=SimpleNamespace(clicks=True), _frame="f", _click=lambda _, left, *__: min(left, 2))
    assert clicks.Clicker._show_more(tab, settle, deadline=107.0)
    assert waits == [clicks.CLICK_WAIT, clicks.CLICK_WAIT, 1.0]


@pytest.mark.parametrize("name", LASTING)
def test_a_click_whose_work_never_ends_holds_nothing_up(found, name):
    page, _ = found(("lasting", name))
    assert is_told(page)
    assert page.elapsed_ms < 20_000


def test_labels_of_many_languages_are_known(clicked, monkeypatch):
    monkeypatch.setattr(clicks, "MAX_REFUSAL_CLICKS", 1000)
    monkeypatch.setattr(clicks, "MAX_MORE_CLICKS", 1000)
    refusals = [label for labels in REFUSALS.values() for label in labels.split("|")]
    lines = "".join(
        f"<button onclick='this.className = 1'>{label}</button><br>" for label in (*refusals, *KEPT.split("|"))
    )
    html = clicked(f"<div role=dialog>Cookies {lines}</div>")[0].html
    assert [label for label in refusals if f'class="1">{label}<' not in html] == []
    assert [label for label in KEPT.split("|") if f'class="1">{label}<' in html] == []
    labels = f"{MORES}|{NOT_MORE}".split("|")
    lines = "".join(f"<button onclick='this.className = 1'>{label}</button><br>" for label in labels)
    html = clicked(f"<article>{lines}</article>")[0].html
    assert [label for label in MORES.split("|") if f'class="1">{label}<' not in html] == []
    assert [label for label in NOT_MORE.split("|") if f'class="1">{label}<' in html] == []


def test_nothing_is_clicked_unless_the_user_lets_it(served, render):
    body = f"<article>{GOOD_MORE['a button']}</article>{GOOD['a fixed box']}"
    page = render(served.html("/", PAGE.format(STORY, body)))
    assert SAID not in page.html
    assert page.notes == ()


def test_a_file_without_words_of_a_kind_matches_no_label(monkeypatch):
    monkeypatch.setattr(clicks.scripts, "file", lambda name: "# comment\n\nen: show more\n")
    assert clicks._words("more") == "show more"
    assert not re.search(clicks._words("more", is_unspaced=True), "Buy now")
