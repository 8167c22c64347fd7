"""Check the table of cases: exact markdown, and what two renderers make of it. cases/README.md describes the
format.
"""

import pathlib

import pytest

from webtool.html import parse_page
from webtool.markdown import emphasis, escape, to_markdown

_SIGNS = {"⏎": "\n", "⇥": "\t", "·": " ", "⍽": "\u00a0"}


def _cases():
    for path in sorted((pathlib.Path(__file__).parent / "cases").glob("*.txt")):
        rule = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("## "):
                rule = line[3:]
            elif line:
                yield pytest.param(*_fields(line), id=f"{path.stem}:{number} {rule}")


def _fields(line):
    line, _, back = line.partition(" ⇐ ")
    html, _, markdown = line.partition(" ⇒ ")
    renders = not markdown.endswith(" ✗")
    fields = [html, markdown.removesuffix(" ✗") if not renders else markdown, back or html]
    for sign, text in _SIGNS.items():
        fields = [field.replace(sign, text) for field in fields]
    return fields[0], fields[1] or None, fields[2] if renders else None


CASES = list(_cases())


def test_there_are_enough_cases():
    assert len(CASES) >= 400


@pytest.mark.parametrize(("html", "markdown", "back"), CASES)
def test_case_gives_its_markdown(html, markdown, back):
    written = to_markdown(parse_page(html))
    assert written.endswith("\n")
    assert not written.endswith("\n\n")
    if markdown is not None:
        assert written == markdown + "\n"


@pytest.mark.parametrize(("html", "markdown", "back"), CASES)
def test_case_renders_to_its_html(html, markdown, back, to_html, outline):
    if back is None:
        pytest.skip("GFM cannot say all of it, or a renderer needs an extension")
    assert outline(to_html(to_markdown(parse_page(html)))) == outline(back)


def test_an_empty_text_is_no_code_span():
    assert escape.code_span("") == ""


def test_a_good_spelling_with_references_is_kept_if_no_better_one_is_found_in_time(monkeypatch):
    monkeypatch.setattr(emphasis, "_MAX_PASSES", 1)
    assert to_markdown(parse_page("<p>a<em>a<em>a</em>a</em>a</p>")) == "&#x61;*&#x61;_a_&#x61;*&#x61;\n"
