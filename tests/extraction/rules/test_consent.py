"""Consent boxes are dropped wherever they are; texts about cookies are kept."""

import pytest

from webtool.extraction import extract

HEAD = "<header><a href=/>Site</a><nav><a href=/a>News</a> <a href=/b>Sport</a></nav></header>"
FOOT = "<footer><p>© 2026 Site</p></footer>"
TEXTS = {
    "long": "".join(
        f"<p>Boat number {n} left the harbour at six, an hour after the fog had lifted, with forty people.</p>"
        for n in range(8)
    ),
    "short": "<p>Boat number 0 does not leave the harbour today.</p>",
}
NOTICES = [
    "We use cookies to give you the best experience on our website.",
    "We and our 842 partners store information on a device, such as cookies, and process personal data.",
    "Wir verwenden Cookies, um die Zugriffe auf unsere Website zu analysieren.",
    "Nous utilisons des cookies pour mesurer l'audience de notre site.",
    "Nasz serwis wykorzystuje pliki cookies w celach statystycznych.",
    "Мы используем файлы cookie, чтобы сайт работал лучше.",
    "当サイトでは、利便性の向上のためクッキーを使用しています。",
    "Vi använder kakor för att webbplatsen ska fungera.",
    "Käytämme evästeitä, jotta sivusto toimisi paremmin.",
    "يستخدم هذا الموقع ملفات تعريف الارتباط لتحسين تجربتك.",
]
ATTRIBUTES = [
    "role=alertdialog", "role=dialog", "class=cookie-banner", "id=onetrust-consent-sdk", "class=govuk-cookie-banner",
    "aria-label='Cookie notice'", "id=CookieConsentBanner", "class=x",
]  # fmt: skip
BUTTONS = ["<button>Save</button>", "<button>Allow selection</button>", "<button>Accept analytics cookies</button>", ""]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("place", [f"{{box}}{HEAD}#{FOOT}", f"{HEAD}{{box}}#{FOOT}", f"{HEAD}#{{box}}{FOOT}"])
@pytest.mark.parametrize("attributes", ATTRIBUTES)
@pytest.mark.parametrize("button", BUTTONS)
def test_consent_boxes_go_and_the_text_stays(text, place, attributes, button):
    for notice in NOTICES:
        box = f"<div {attributes}><div><p>{notice}</p>{button}</div></div>"
        body = place.replace("#", f"<main><h1>Boats</h1>{TEXTS[text]}</main>").replace("{box}", box)
        markdown = extract(f"<!doctype html><title>Boats</title><body>{body}").markdown
        assert notice[:20] not in markdown
        assert "Boat number 0" in markdown


ABOUT = {
    "a recipe": (
        "Cookie crust",
        "<h1>Cookie crust</h1><p>We use chocolate cookies for the base, because they stay crisp for days in a tin.</p>"
        "<div class=cookie-box><p>A box of twelve cookies, packed by hand in our own kitchen every morning.</p>"
        "<button>Add to cart</button></div><p>Our partner bakery sells the same cookies on its website, in boxes.</p>",
        ("chocolate cookies", "partner bakery"),
    ),
    "an article": (
        "How sites track you",
        "<h1>How sites track you</h1><p>A cookie is a small file that a website leaves in your browser, since 1994.</p>"
        "<div class=s><h2>Third-party cookies</h2><p>They are set by advertisers, whose scripts run on many sites, so "
        "your browsing can be followed from site to site.</p></div><blockquote>We use cookies to give you the best "
        "experience on our website.</blockquote><p>Most people accept without reading, as a study found.</p>",
        ("small file", "set by advertisers", "best experience", "as a study found"),
    ),
    "a privacy policy": (
        "Privacy policy",
        "<h1>Privacy policy</h1><section id=data><h2>Data</h2><p>We store your name and address as long as you are our "
        "customer, and no longer.</p></section><section id=cookies class=cookies><h2>Cookies</h2><p>We use cookies "
        "on our website to remember your basket. Some are essential, others are not.</p><p>You can change the "
        "settings at any time.</p><button>Change cookie settings</button></section><section><h2>Contact</h2><p>Write "
        "to our office in Lime Road, and we answer within two weeks of your letter.</p></section>",
        ("name and address", "remember your basket"),
    ),
    "a manual": (
        "Setting cookies in Python",
        "<h1>Setting cookies in Python</h1><p>Call set_cookie before the response is sent, with a name and a value.</p>"
        "<div class=note><p>The browser refuses third-party cookies unless the site uses TLS.</p>"
        "<button>Copy</button></div>",
        ("Call set_cookie", "refuses third-party"),
    ),
}


@pytest.mark.parametrize("shell", ["<main>{}</main>", "<div id=content>{}</div>", "{}"])
@pytest.mark.parametrize("name", ABOUT)
def test_texts_about_cookies_stay(name, shell):
    title, body, parts = ABOUT[name]
    markdown = extract(f"<!doctype html><title>{title}</title><body>{HEAD}{shell.format(body)}{FOOT}").markdown
    assert [part for part in parts if part not in markdown] == []


def test_a_page_that_is_a_consent_box_keeps_it():
    assert "We use cookies" in extract(f"<title>Site</title><div class=cookie-banner><p>{NOTICES[0]}</div>").markdown
