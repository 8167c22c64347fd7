"""Parse a page for its text, whatever its noscript elements contain."""

import pytest

from webtool.html import parse_html, parse_page

TEXT = "<p>What the page says.</p>"
PAGES = [
    (f"<body><noscript><iframe src=x height=0></noscript>{TEXT}", "a frame without end"),
    (f"<body><noscript><iframe src=x></iframe></noscript>{TEXT}", "a frame with an end"),
    (f"<body><NOSCRIPT><Iframe src=x></NoScript>{TEXT}", "capitals"),
    (f"<body><noscript><img src=x></noscript>{TEXT}", "a picture"),
    (f"<body><noscript>{TEXT}", "no end"),
]


@pytest.mark.parametrize("page", [page for page, _ in PAGES], ids=[name for _, name in PAGES])
def test_content_after_a_noscript_element_is_kept(page):
    for source in (page, page.encode()):
        tree = parse_page(source)
        paragraphs = [node for node in tree.children[-1].children[-1].children if node.tag in ("p", "noscript")]
        assert paragraphs[-1].text.endswith("What the page says.")


def test_other_pages_are_parsed_with_scripting_off():
    page = "<body><noscript><p>a</noscript><p>b"
    assert repr(parse_page(page).children) == repr(parse_html(page).children)
