"""Reading JSON-LD with the faults that pages have: comments, trailing commas, cut off, nested deep."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction.page import json_ld

READ = [
    ('{"@type":"Article","headline":"A"}', ["A"]),
    ('[{"headline":"A"},{"headline":"B"}]', ["A", "B"]),
    ('{"@graph":[{"headline":"A"},{"author":{"headline":"B"}}]}', ["A", "B"]),
    ('<!-- {"headline":"A"} -->', ["A"]),
    ('//<![CDATA[\n{"headline":"A"}\n//]]>', ["A"]),
    ('<!--\n//<![CDATA[\n{"headline":"A"}\n//]]>\n-->', ["A"]),
    ('<!-- <![CDATA[ {"headline":"A"} ]]> -->', ["A"]),
    ('/* <![CDATA[ */ {"headline":"A"} /* ]]> */', ["A"]),
    ('// <![CDATA[\n{"headline":"A"};\n// ]]>', ["A"]),
    ('<!--//--><![CDATA[//><!--\n{"headline":"A"}\n//--><!]]>', ["A"]),
    ('\ufeff{"headline":"A"}\xa0', ["A"]),
    ("{&quot;headline&quot;:&quot;A &amp;amp; B&quot;}", ["A &amp; B"]),
    ('{"headline":"&quot;A&quot;",}', ["&quot;A&quot;"]),
    ("<!--" * 100_000, []),
    ('{"headline":"A",}', ["A"]),
    ('{"headline":"A"};', ["A"]),
    ('{"headline":"line\nbreak"}', ["line\nbreak"]),
    ('{"headline":"cut', []),
    ("", []),
    ("[" * 100_000, []),
    ("null", []),
]


@pytest.mark.parametrize(("text", "headlines"), READ)
def test_faulty_json_ld_is_read_as_far_as_possible(text, headlines):
    assert [entry["headline"] for entry in json_ld.objects([text]) if "headline" in entry] == headlines


NAMES = [
    ("Ines Varga", "Ines Varga"),
    ({"@type": "Person", "name": " Ines Varga "}, "Ines Varga"),
    ([{"name": "A"}, "B", {"name": "A"}], "A, B"),
    ({"name": ["odd"]}, "odd"),
    ({"givenName": ["Ines"], "familyName": {"@value": "Varga"}}, "Ines Varga"),
    ({"givenName": [], "familyName": "Varga"}, "Varga"),
    ([["nested"]], ""),
    (7, ""),
]


@pytest.mark.parametrize(("value", "name"), NAMES)
def test_a_name_is_found_in_strings_objects_and_lists(value, name):
    assert json_ld.name_of(value) == name


def test_types_lose_their_prefix():
    assert json_ld.types({"@type": ["http://schema.org/NewsArticle", "schema:Thing"]}) == {"newsarticle", "thing"}


@given(st.text(alphabet='{}[]",:abc1\\\n ', max_size=80))
def test_any_text_gives_a_list_of_objects(text):
    assert all(isinstance(entry, dict) for entry in json_ld.objects([text]))
