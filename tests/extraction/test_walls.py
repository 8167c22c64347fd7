"""Pages without content and short pages about errors, logins and robots: only the first kind has a note."""

import pytest

from webtool.extraction import extract, walls

MENU = "<header><a href=/>Tideway</a><nav><a href=/a>News</a> <a href=/b>Shop</a> <a href=/c>Help</a></nav></header>"
FOOT = "<footer><a href=/p>Privacy</a> <a href=/i>Imprint</a> &copy; 2026 Tideway Ltd. All rights reserved.</footer>"
SEARCH = "<form action=/s><input name=q placeholder=Search><button>Search</button></form>"
LINKS = "<ul><li><a href=/1>Ferries in winter</a><li><a href=/2>Tide tables</a><li><a href=/3>Harbour map</a></ul>"
PASSWORD = (
    "<form><label>E-mail <input name=u></label><label>Password <input type=password></label><button>Log in</button>"
)


def page(title, body):
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body>{MENU}<main>{body}</main>{FOOT}</body></html>"
    )


ERRORS = [
    page("404 Not Found | Tideway", "<h1>404</h1><p>The page you are looking for could not be found.</p>"),
    "<title>502 Bad Gateway</title><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.25.3</center>",
    "<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL /old was not found on this server.</p><hr>"
    "<address>Apache/2.4.57 Server at tideway.example Port 80</address>",
    page("Page not found", f"<h1>Oops! Page not found</h1><p>Sorry, it may have been moved.</p>{SEARCH}{LINKS}"),
    page(
        "Tideway",
        "<h1>This page isn't available</h1><p>The link you followed may be broken, or the page may have been removed."
        "</p><a href=/>Go back to the home page</a>",
    ),
    page("Access Denied", "<h1>Access Denied</h1><p>You don't have permission to access this page on this server.</p>"),
    page("Fehler 404", "<h1>Seite nicht gefunden</h1><p>Die Seite, die Sie suchen, wurde verschoben.</p>"),
    page("Page introuvable", "<h1>Page introuvable</h1><p>La page que vous cherchez a été supprimée.</p>" + LINKS),
    page("Страница не найдена", "<h1>404</h1><p>Запрашиваемая страница удалена.</p>"),
    page(
        "ページが見つかりません", "<h1>ページが見つかりません</h1><p>お探しのページは削除された可能性があります。</p>"
    ),
    page("Tideway", "<h2>Something went wrong</h2><p>Please try again later.</p><p>Error code: 7f3a-22</p>"),
    page(
        "Down for maintenance", "<h1>Down for maintenance</h1><p>We are working on the site and will be back soon.</p>"
    ),
]
LOGINS = [
    page("Log in | Tideway", f"<h1>Log in</h1>{PASSWORD}</form><p>Don't have an account? <a href=/r>Sign up</a></p>"),
    page("Tideway Forum", "<div class=msg>You must be logged in to view this topic.</div><a href=/l>Log in</a>"),
    page("Anna Reed", "<h2>Log in to see more</h2><p>Sign up or log in to see photos and posts of Anna.</p>"),
    page("Mitgliederbereich", "<h1>Bitte anmelden</h1><p>Sie müssen angemeldet sein. Passwort vergessen?</p>"),
    page("Connexion", "<h1>Connexion</h1><p>Vous devez être connecté. Mot de passe oublié ?</p>"),
]
ROBOTS = [
    "<title>Just a moment...</title><h1>tideway.example</h1><p>Checking your browser before accessing the site.</p>",
    "<title>Attention Required!</title><h1>Sorry, you have been blocked</h1><p>Ray ID: 8f2c</p>",
    page("Security check", "<h1>Verify you are human</h1><p>Please complete the security check to go on.</p>"),
]
CONSENT = [
    "<title>Before you continue</title><div><h1>Before you continue</h1><p>We use cookies and data to deliver our "
    "services, to measure how our website is used and to show personalised ads.</p><p>If you choose to reject, we "
    "will not use cookies for these purposes.</p><button>Reject all</button><button>Accept all</button></div>",
    "<title>Tideway</title><div class=wrap><p>Tideway und seine 842 Partner verwenden Cookies, um diese Website zu "
    "finanzieren und zu personalisieren.</p><button>Alle akzeptieren</button><a href=/s>Einstellungen</a></div>",
]
SHELLS = [
    "<title>Tideway</title><div id=root></div><script src=/app.js></script>",
    f"<title>Tideway</title>{MENU}<app-main><p>Loading…</p></app-main>{FOOT}<script src=/app.js></script>",
]
HEAVY_MENU = (
    "<header><a href=/>Tideway</a><nav><ul><li><a href=/b>Boats</a><div><h3>Row or sail</h3><p>Boats for every lake, "
    "with oars that last a lifetime</p></div><li><a href=/r>Ropes</a><div><h3>New in spring</h3><p>Hemp ropes that "
    "float, in seven colours</p></div></ul></nav></header>"
)
SHOWN = "<p>Tideway ships within two working days and takes back what you do not like within a month, at no cost.</p>"
GERMAN = "<p>Alle Preise enthalten die gesetzliche Mehrwertsteuer, zuzüglich Versand, der vom Gewicht abhängt.</p>"
EMPTY = [  # what scripts would fill in is missing, and menus and footers have sentences
    f"<title>Ropes</title>{MENU}<main id=list></main><footer>{SHOWN}<a href=/i>Imprint</a></footer>",
    f"<title>Ropes</title>{HEAVY_MENU}<main></main><footer><a href=/i>Imprint</a></footer>",
    f"<title>Seile</title>{MENU}<div class=content></div><div class=site-footer>{GERMAN}<a href=/i>Impressum</a></div>",
    "<title>縄</title><nav><a href=/>一覧</a></nav><div id=x></div><footer><p>商品は三営業日以内に発送いたします。"
    "返品は到着後一か月以内にご連絡ください。</p></footer>",
    f"<title>Cordes</title>{MENU}<nav><p>Livraison offerte dès 50 €</p></nav><footer><p>Nous expédions vos "
    "cordes sous deux jours ouvrés et reprenons sans frais ce qui ne vous plaît pas.</p></footer>",
    f"<title>Ropes</title>{MENU}<div role=dialog><p>Your cart is empty and waits for its first rope.</p></div>"
    f"<div role=contentinfo>{SHOWN}</div>",
]
AWAY = [
    page("Old browser", "<h1>Your browser is not supported</h1><p>Please use a recent version of Firefox.</p>"),
    page("Tideway", "<h1>JavaScript required</h1><p>Please turn it on in your browser settings and reload.</p>"),
    page("Whisky", "<h1>Are you over 18?</h1><p>You must be of legal drinking age to enter this site.</p>"
         "<button>Yes</button><button>No</button>"),
    page("Kino", "<h1>In Ihrem Land leider nicht verfügbar</h1><p>Die Rechte liegen bei einem Partner.</p>"),
    page("Ciné", "<h1>Cette vidéo n'est pas disponible dans votre pays</h1>"),
    page("Vino", "<p>¿Eres mayor de edad?</p><button>Sí</button><button>No</button>"),
    page("映画", "<h1>お住まいの地域ではご利用いただけません</h1>"),
]  # fmt: skip
LEADS_ON = [
    "<title>Redirecting...</title><p>Redirecting you to a new page. If nothing happens, <a href=/n>click here</a>.</p>",
    "<title>301 Moved Permanently</title><h1>Moved Permanently</h1><p>The document has moved <a href=/n>here</a>.</p>",
    "<title>tideway.example</title><h1>tideway.example</h1><p>This domain is for sale. Buy this domain.</p>",
    "<title>Weiter</title><p>Sie werden weitergeleitet. Falls nicht, <a href=/n>klicken Sie hier</a>.</p>",
    "<title>Домен</title><p>Домен продаётся</p>",
]
MORE_ERRORS = [
    "<title>429 Too Many Requests</title><h1>Too Many Requests</h1><p>You have sent too many requests.</p>",
    page("Rope", "<h1>This listing has been removed</h1><p>The item you are looking for is gone.</p>" + LINKS),
    page("抱歉", "<h1>抱歉，您访问的页面不存在</h1><p>可能已被删除或链接有误。</p>"),
    page("Nenalezeno", "<h1>Stránka nenalezena</h1><p>Požadovaná stránka neexistuje.</p>"),
    page("Pagina", "<h1>Pagina nu a fost găsită</h1>"),
    page("Halaman", "<h1>Halaman tidak ditemukan</h1>"),
    page("Σφάλμα", "<h1>Η σελίδα δεν βρέθηκε</h1>"),
]
MORE_ROBOTS = [
    page("Vérification", "<h1>Êtes-vous un robot ?</h1><p>Veuillez confirmer que vous n'êtes pas un robot.</p>"),
    page("Kontrolle", "<h1>Bist du ein Mensch?</h1><p>Bitte bestätige, dass du kein Roboter bist.</p>"),
    "<title>Please wait</title><h1>Please wait while your request is being verified...</h1>",
]
WITHOUT = [
    *[(text, "it has no text outside") for text in EMPTY],
    *[(text, "it turns away some readers") for text in AWAY],
    *[(text, "it only leads elsewhere") for text in LEADS_ON],
    *[(text, "it is an error page") for text in MORE_ERRORS],
    *[(text, "it checks whether a person asks") for text in MORE_ROBOTS],
    ("<body></body>", "it has no text"),
    ("<title>{{ title }}</title><h1>{{ page.title }}</h1><p>{{ page.body }}</p>", "it needs a browser: its templates"),
    *[(text, "it is an error page") for text in ERRORS],
    *[(text, "it asks for a login") for text in LOGINS],
    *[(text, "it checks whether a person asks") for text in ROBOTS],
    *[(text, "it asks for consent to cookies") for text in CONSENT],
    *[(text, "it needs a browser") for text in SHELLS],
]

ERROR_TEXT = (
    "A proxy sends this status if the server behind it answers with something that the proxy cannot read. Restart the "
    "server first, then look at the time limits of the proxy, which are shorter than those of most servers."
)
WITH = [
    page("502 Bad Gateway - Glossary", f"<h1>502 Bad Gateway</h1><p>{ERROR_TEXT}</p>"),
    page("Page not found: how to word it", f"<h1>Page not found</h1><p>{ERROR_TEXT} {ERROR_TEXT}</p>"),
    page(
        "How to log in", "<h1>How to log in</h1><ol><li>Open the menu at the top right.<li>Enter your name and the "
        "code from the letter.<li>Press the green button.</ol><p>The code changes each spring.</p>",
    ),
    page("Opening hours", "<h1>Opening hours</h1><p>Closed today. Please try again on Monday from nine.</p>"),
    page("The pier", f"<h1>The pier</h1><p>{ERROR_TEXT}</p><p>You must be logged in to post a comment.</p>"),
    page("What is a cookie?", "<h1>What is a cookie?</h1><p>A cookie is a small file that a website stores.</p>"),
    page("Robots", f"<h1>Are robots taking over?</h1><p>{ERROR_TEXT}</p>"),
    page(
        "Captchas", "<h1>Captchas explained</h1><p>Some sites ask readers to verify that they are human. Pictures of "
        "buses and bridges train a machine to see, and the machine is by now better at it than we are.</p>",
    ),
    page("Contact", "<h1>Contact</h1><p>12 Harbour Road, Porto.</p><p>Phone 555 0100, Monday to Friday.</p>"),
    page("Ferry 404", "<h1>Ferry 404</h1><p>Leaves Porto at six and reaches Faro at nine, except on Sundays.</p>"),
    page("500 days at sea", "<h1>500 days at sea</h1><p>Anna Reed came home on Friday after a year and a half.</p>"),
    page("Status", "<h1>All systems work</h1><p>The outage of Friday is over: a disk of the database was full.</p>"),
    page("Lost?", "<h1>Lost in the marsh</h1><p>Two walkers were found by a dog on the morning of the third day.</p>"),
    page("Sign in sheet", "<h1>Sign-in sheet for visitors</h1><p>Write your name, the time and whom you visit.</p>"),
    page("Forbidden", "<h1>Forbidden</h1><p>A novel in four parts by Anna Reed, with woodcuts by her brother. "
         "The first part came out in 1931 and was out of print within the week.</p>"),
    page("Members", "<h1>Members</h1><ul><li>Anna Reed, chair<li>Tom Hale, treasurer<li>Ida Moss, boats</ul>"),
    page("Wartung", "<h1>Wartung der Pumpe</h1><p>Einmal im Jahr das Sieb reinigen und die Dichtung fetten.</p>"),
    page("Ошибка капитана", "<h1>Ошибка капитана</h1><p>Паром сел на мель у входа в гавань, никто не пострадал.</p>"),
    page("App", "<div id=app><h1>Tides</h1><p>High water at 6:40 and 19:05.</p></div><script src=/a.js></script>"),
    f"<title>Rules</title><header><nav><a href=/>Home</a></nav><h1>Rules</h1><p>{ERROR_TEXT}</p></header>",
    "<title>Bread</title><header class=hero><nav><a href=/>Home</a></nav><h2>We bake bread in the mill</h2><p>Rye on "
    f"Monday, wheat on Friday, nothing at all in August.</p></header><footer>{SHOWN}</footer>",
    f"<title>Rules</title>{MENU}<footer><main><p>{ERROR_TEXT}</p></main></footer>",
    f"<title>Tides</title>{HEAVY_MENU}<main><p>High water at six.</p></main><footer>{SHOWN}</footer>",
    page("Old browsers", f"<h1>Old browsers</h1><p>{ERROR_TEXT} Your browser is not supported is all they say.</p>"
         f"<p>{ERROR_TEXT}</p>"),
    page("Moving", "<h1>Moving house</h1><p>The shop has moved to 12 Harbour Road, next to the chandler.</p>"),
    page("Handlebars", "<h1>Handlebars</h1><p>Write {{ name }} where the name goes and run it.</p>"),
    page("Redirect rules", "<h1>Redirects</h1><pre>error_page 404 /404.html;</pre><p>Put this line in the server.</p>"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), WITHOUT)
def test_a_page_without_content_says_why_and_promises_nothing(text, reason):
    extraction = extract(text)
    assert extraction.no_content.startswith(reason)
    assert extraction.confidence is None or extraction.confidence <= walls.CONFIDENCE


@pytest.mark.parametrize("text", WITH)
def test_a_short_page_about_errors_and_logins_has_content(text):
    extraction = extract(text)
    assert extraction.no_content == ""
    assert extraction.markdown.strip()


@pytest.mark.parametrize("text", EMPTY)
def test_menus_and_footers_alone_are_left_out_and_can_be_added_back(text):
    extraction = extract(text)
    assert extraction.text == ""
    assert extraction.strategy_used == "readability"
    every = extract(text, with_groups=[group.n for group in extraction.left_out])
    assert len(every.text) > 30


def test_the_description_of_a_page_of_menus_is_in_the_markdown_alone():
    described = extract("<meta name=description content='Ropes for boats.'>" + EMPTY[0])
    assert (described.text, described.markdown.strip()) == ("", "Ropes for boats.")


def test_a_long_page_is_not_searched_for_walls():
    text = page("404", "<h1>404</h1>" + f"<p>{ERROR_TEXT}</p>" * 9)
    assert extract(text).no_content == ""


def test_a_shell_whose_data_hold_the_article_has_content():
    body = " ".join([ERROR_TEXT] * 5)
    data = f'{{"@type": "NewsArticle", "headline": "Gateways", "articleBody": "{body}"}}'
    text = (
        f"<title>Gateways</title><script type=application/ld+json>{data}</script><div id=root></div><script src=a.js>"
    )
    extraction = extract(text)
    assert extraction.strategy_used == "structured_data"
    assert extraction.no_content == ""
