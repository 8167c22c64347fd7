"""Results equal the json module's, for every text and value."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.lean import jsontext


def values(floats):
    return st.recursive(
        st.none() | st.booleans() | st.integers() | floats | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )


VALUES = values(st.floats())
JSON_VALUES = values(st.floats(allow_nan=False, allow_infinity=False))


@given(VALUES)
def test_values_are_written_as_json_writes_them(value):
    assert jsontext.dumps(value) == json.dumps(value, ensure_ascii=False)


@given(JSON_VALUES, st.sampled_from(["", " ", "\n\t "]), st.sampled_from([None, 2]))
def test_texts_are_read_as_json_reads_them(value, space, indent):
    text = space + json.dumps(value, indent=indent) + space
    assert repr(jsontext.loads(text)) == repr(json.loads(text))


WRONG = [
    "", " ", "{", "[1,]", "{'a': 1}", '{"a" 1}', "01", "1 2", "tru", '"\n"', '"\\x"', "\ufeff{}",
    "[1}", "-", "1.", '{"a":1,}',
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_json_refuses_is_refused_with_its_words(text):
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(text)
    with pytest.raises(json.JSONDecodeError) as found:
        jsontext.loads(text)
    assert str(found.value) == str(expected.value)


@given(st.text(alphabet='{}[]",:0123456789.eE+- \\untrfalse', max_size=30))
def test_any_text_has_the_same_fate(text):
    try:
        expected = repr(json.loads(text))
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            jsontext.loads(text)
        return
    assert repr(jsontext.loads(text)) == expected


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", {(1, 2): 3}])
def test_what_is_no_json_is_refused(value):
    with pytest.raises(TypeError):
        jsontext.dumps(value)


def test_without_the_c_parts_json_does_the_work(monkeypatch):
    monkeypatch.setattr(jsontext, "_make_scanner", None)
    assert jsontext.loads('{"a": [1]}') == {"a": [1]}
    assert jsontext.dumps({"a": "\u00e9"}) == '{"a": "\u00e9"}'


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', " NaN x"])
def test_numbers_that_are_none_are_no_json(text):
    with pytest.raises(ValueError, match="not a JSON value"):
        jsontext.loads(text)


def test_a_scanner_that_wants_to_know_more_is_left_to_json(monkeypatch):
    def scanner(options):
        return options.of_a_later_python

    monkeypatch.setattr(jsontext, "_make_scanner", scanner)
    assert jsontext.loads(' {"a": [1, "b"]} ') == {"a": [1, "b"]}


def test_an_encoder_with_other_arguments_is_left_to_json(monkeypatch):
    def encoder(markers, default):
        raise AssertionError("never called with so few arguments")

    monkeypatch.setattr(jsontext, "_make_encoder", encoder)
    assert jsontext.dumps({"a": [1, "ü"]}) == '{"a": [1, "ü"]}'


@pytest.mark.skipif(jsontext._make_scanner is None, reason="a Python without C parts of json")
def test_the_c_parts_do_the_work_on_this_python(monkeypatch):
    monkeypatch.setattr(jsontext, "_plain_loads", None)
    monkeypatch.setattr(jsontext, "_plain_dumps", None)
    assert jsontext.loads(jsontext.dumps({"a": [1, None]})) == {"a": [1, None]}


@pytest.mark.parametrize("value", ["plain", '\u6f22 \x1f"', [1, 2.5, None, True], {"a": {"b": []}}, {1: "x"}])
def test_text_is_written_as_json_writes_it(value):
    assert jsontext.dumps(value) == json.dumps(value, ensure_ascii=False)
