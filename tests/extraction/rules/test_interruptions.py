"""Cards, appeals and excerpts without a label are dropped from articles."""

import pytest
from choices import run_rows

from webtool.extraction import extract
from webtool.extraction.page import cutting
from webtool.html import parse_html

STORIES = {
    "de": "Der alte Leuchtturm am Kap bekommt nach dreißig Jahren wieder eine Lampe, sagte die Wärterin.",
    "fr": "Le vieux phare du cap reçoit enfin une lampe après trente ans, a dit la gardienne du port.",
    "zh": "海角的老灯塔在三十年后终于换上了新的灯，守塔人说，渔船又能在夜里看见回家的路了。",
    "da": "Det gamle fyr på næsset får efter tredive år en ny lampe, siger den sidste fyrmester i havnen.",
    "ru": "Старый маяк на мысе через тридцать лет снова получил лампу, сказала смотрительница порта журналистам.",
}
ASKING = {
    "de": "Dafür brauchen wir Ihre Hilfe: Schon drei Euro im Monat machen den Unterschied.",
    "fr": "Ce journal vit grâce à ses lecteurs : vos dons sont déductibles de vos impôts.",
    "zh": "每天早上为您精选五篇报道，发送到您的邮箱，免费订阅我们。",
    "da": "Få adgang til alle artikler for 1 krone den første måned.",
    "ru": "Главные истории недели в одном письме, отписаться можно в любой момент.",
}


WINGED = ("Möwen", "Schwalben")


def left(inside="", below="", language="de", above="", is_article=True):
    """Return the text that the rules leave of an article whose blocks were all chosen."""
    text = [f"<p>{STORIES[language]} ({i})" for i in range(1, 13)]
    page = cutting.cut(parse_html(f"<div>{above}{''.join(text[:6])}{inside}{''.join(text[6:])}{below}</div>"))
    keep = [True] * len(page.blocks)
    run_rows("drop_excerpts", "drop_appeals", page, keep, meta={"og:type": "article"} if is_article else {})
    return "\n".join(block.text for block, is_kept in zip(page.blocks, keep) if is_kept)


@pytest.mark.parametrize("language", STORIES)
def test_an_appeal_in_a_box_is_dropped_and_in_a_paragraph_stays(language):
    asking = ASKING[language]
    assert asking not in left(f"<div class=box><p class=plea>{asking}</p></div>", language=language)
    assert asking in left(f"<p>{asking}", language=language)


@pytest.mark.parametrize(
    "line",
    [
        "Support slow journalism. Members get four printed issues and no adverts.",
        "Bliv medlem for 20 kroner om måneden",
        "Prenumerata cyfrowa Głosu Doliny teraz o połowę taniej przez trzy miesiące.",
        "Ladda ner vår app och välj vilka orter du vill följa.",
        "Spendenkonto: DE00 1234 0000 5678 0000 99, Moorbund e.V.",
        "Devenez adhérent et recevez la revue du phare",
    ],
)
def test_an_appeal_for_members_is_dropped(line):
    assert line not in left(f"<div class=box><h4>Kap</h4><p class=plea>{line}</p><a href=/m>Kap</a></div>")


def test_a_box_is_dropped_with_its_heading_and_button():
    box = f"<div class=box><h3>Guten Morgen</h3><p class=plea>{ASKING['de']}</p><a href=/s>Mitmachen</a></div>"
    text = left(box)
    assert "Guten Morgen" not in text
    assert "Mitmachen" not in text


def test_a_card_of_one_line_is_dropped_unless_it_links_within_the_page():
    card = "<div class=teaser><a href=%s>Die Schafe auf dem Deich</a></div>"
    assert "Schafe" not in left(card % "/schafe")
    assert "Schafe" in left(card % "#answer-1")


CARD = (
    "<div class=box><a href=/n>Warum die Möwen nicht mehr kommen</a><p class=t>Forscher zählen seit Jahren.</p></div>"
)


def test_each_of_two_cards_in_one_box_is_dropped():
    cards = [f"<div class=box><a href=/{n}>Warum die {n} nicht mehr kommen</a><p>{n}<p>zum Text</div>" for n in WINGED]
    text = left(f"<div class=row>{''.join(cards)}</div>")
    assert not any(name in text for name in WINGED)


@pytest.mark.parametrize("is_article", [True, False])
def test_a_card_that_interrupts_is_dropped(is_article):
    assert "Möwen" not in left(CARD, is_article=is_article)


@pytest.mark.parametrize("number", ["Warum die 9 Möwen", "Vor 9 Jahren war das, sagen sie"])
def test_a_number_in_a_headline_or_a_sentence_is_not_a_rank(number):
    assert "Möwen" not in left(CARD.replace("Warum die Möwen", number).replace("Forscher", number))


@pytest.mark.parametrize(
    "cards",
    [
        CARD * 5,
        CARD.replace("seit", "für 9 € seit"),
        CARD.replace("Forscher zählen seit Jahren", "Mai 2021"),
        CARD.replace("Warum", "9. Warum"),
        CARD.replace("<a href=/n>", "<b>"),
    ],
)
def test_cards_that_the_text_is_about_stay(cards):
    assert "Möwen" in left(cards)


DIGEST = (
    "<div class='story story-%d'><h3><a href=/n/%d>Number %d of the other stories here</a></h3>"
    "<p>The ferry to the islands runs again after the storm, but only twice a day until the pier is mended.</p></div>"
)


@pytest.mark.parametrize(
    ("count", "chosen", "below"),
    [(3, False, False), (2, False, True), (3, True, True)],
    ids=["excerpts in a row", "a pair", "with their headlines"],
)
def test_excerpts_below_linked_headlines_that_were_not_chosen_are_dropped(count, chosen, below):
    story = "".join(f"<p>{STORIES['de']} ({i})" for i in range(1, 13))
    digest = "".join(DIGEST % (i, i, i) for i in range(count))
    page = cutting.cut(parse_html(f"<article>{story}</article><div>{digest}</div>"))
    keep = [chosen or not block.links for block in page.blocks]
    run_rows("drop_excerpts", "drop_appeals", page, keep, meta={"og:type": "article"})
    texts = [block.text for block, is_kept in zip(page.blocks, keep) if is_kept]
    assert any(STORIES["de"] in text for text in texts)
    assert any("ferry" in text for text in texts) == below


OFFERS = {
    "de": "Jetzt 4 Wochen gratis lesen, danach monatlich kündbar und ohne Risiko",
    "en": "Read every story for one pound a month and cancel any time you like",
    "es": "Todo el diario por un euro al mes, cancela cuando quieras desde casa",
    "fr": "Le journal en ligne dès un euro par mois, sans engagement de durée",
    "it": "Leggi tutto per un euro al mese, disdici quando vuoi senza spiegazioni",
    "nl": "Lees alles voor een euro per week, maandelijks opzegbaar en zonder gedoe",
    "pl": "Czytaj bez limitu za złotówkę i zrezygnuj w dowolnym momencie bez opłat",
    "ru": "Читайте без ограничений и оформите подписку на месяц за один рубль сегодня",
    "sv": "Läs allt för en krona i månaden och avsluta när du vill utan krångel",
}


@pytest.mark.parametrize("language", OFFERS)
def test_an_offer_of_a_subscription_amid_an_article_is_dropped(language):
    text = "The harbour was rebuilt after the storm of 1962, and the new pier took four years and two winters to finish"
    paragraphs = [f"<p>{text}, as page {n} of the report says.</p>" for n in range(8)]
    offer = f"<div class=bx><h4>Torsk</h4><p>{OFFERS[language]}.</p></div>"
    source = f"<html lang={language}><title>Pier</title><article><h1>Pier</h1>{{}}</article>"
    extraction = extract(source.format("".join([*paragraphs[:4], offer, *paragraphs[4:]])))
    assert OFFERS[language] not in extraction.text
    assert all(f"page {n} of" in extraction.text for n in range(8))
