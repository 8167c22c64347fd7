"""Which label a short line is: examples of each kind in several languages."""

import pytest

from webtool.extraction.rules import part_labels

LABELS = [
    ("Read also", "teaser"),
    ("Lesen Sie auch:", "teaser"),
    ("Läs också", "teaser"),
    ("Les også", "teaser"),
    ("相关阅读", "teaser"),
    ("MOST READ", "teaser"),
    ("Nächster Artikel", "teaser"),
    ("About the author", "author"),
    ("12 Kommentare", "comments"),
    ("Leave a reply", "comments"),
    ("全部评论 12条", "comments"),
    ("Subscribe now", "call"),
    ("Reading for beginners", ""),
    ("The author", ""),
]


@pytest.mark.parametrize(("text", "label"), LABELS)
def test_a_label_is_known_by_its_words(text, label):
    assert part_labels.LABEL[text] == label


SERVICES = [
    ("Share on Facebook", True),
    ("1.2k shares", True),
    ("5 tsd. mal geteilt", True),
    ("Reading time: 4 min", True),
    ("Photo: Ann Lee", True),
    ("The harbour at dawn (photo: Ann Lee)", True),
    ("Facebook Twitter Telegram", True),
    ("Följ oss på Instagram", True),
    ("Facebook and others were fined", False),
    ("All rights reserved", True),
    ("2026-05-01 18:00 2026-05-01 20:00 Europe/Berlin", True),
    ("The harbour wakes before the town does.", False),
]


@pytest.mark.parametrize(("text", "is_service"), SERVICES)
def test_a_line_about_the_page_is_told_from_text(text, is_service):
    assert part_labels.IS_SERVICE[text] is is_service


@pytest.mark.parametrize(
    "text", ["you'll love", "You’ll also like these", "You may also like", "Customers also bought"]
)
def test_headings_of_other_products_are_known(text):
    assert part_labels.PRODUCTS.fullmatch(part_labels.folded(text))


@pytest.mark.parametrize(
    "text",
    [
        "An earlier version of this article gave a wrong date.",
        "Em uma versão anterior, o nome estava errado.",
        "Numa versão anterior, o nome estava errado.",
        "Correction: the date was wrong.",
    ],
)
def test_correction_notices_are_known(text):
    assert part_labels.AMENDED.search(text)


def test_capital_i_with_a_dot_is_folded_to_one_letter():
    assert part_labels.folded("\u0130LGİLİ HABER") == "ilgili haber"
