"""Arguments are checked against schemas; errors name the argument."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.errors import InvalidArgument
from webtool.schemas import arguments

PARAMETERS = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 2},
        "count": {"type": "integer", "minimum": 1, "maximum": 20},
        "ratio": {"type": "number", "minimum": 0},
        "deep": {"type": "boolean"},
        "section": {"type": "string"},
        "mode": {"type": "string", "enum": ["full", "raw"]},
        "domains": {"type": "array", "items": {"type": "string"}},
        "numbers": {"type": "array", "items": {"type": "integer"}},
        "filter": {
            "type": "object",
            "properties": {"include": {"type": "string"}, "depth": {"type": "integer", "maximum": 3}},
            "required": ["include"],
        },
    },
    "required": ["query"],
}

REFUSED = [
    ({}, "query is required"),
    ({"query": 5}, "query must be a string, not the number 5"),
    ({"query": None}, "query is required"),
    ({"query": "x"}, "query is shorter than 2"),
    ({"query": "xx", "count": "five"}, "count must be an integer, not a string"),
    ({"query": "xx", "count": "1.5"}, "count must be an integer, not a string"),
    ({"query": "xx", "count": "21"}, "count is 21, above 20"),
    ({"query": "xx", "ratio": "nan"}, "ratio must be a number, not a string"),
    ({"query": "xx", "count": True}, "count must be an integer, not true"),
    ({"query": "xx", "count": 1.5}, "count must be an integer"),
    ({"query": "xx", "count": float("inf")}, "count must be an integer"),
    ({"query": "xx", "count": 0}, "count is 0, below 1"),
    ({"query": "xx", "count": 21}, "count is 21, above 20"),
    ({"query": "xx", "ratio": -0.1}, "ratio is -0.1, below 0"),
    ({"query": "xx", "ratio": float("nan")}, "ratio must be a number"),
    ({"query": "xx", "ratio": False}, "ratio must be a number, not false"),
    ({"query": "xx", "deep": 1}, "deep must be true or false, not the number 1"),
    ({"query": "xx", "mode": "half"}, "mode is 'half'"),
    ({"query": "xx", "domains": '["a.example"'}, "domains must be an array, not a string"),
    ({"query": "xx", "domains": 5}, "domains must be an array, not the number 5"),
    ({"query": "xx", "domains": "[5]"}, r"domains\[0\] must be a string"),
    ({"query": "xx", "domains": "[" * 100000}, "domains must be an array, not a string"),
    ({"query": "xx", "numbers": "two"}, r"numbers\[0\] must be an integer, not a string"),
    ({"query": "xx", "filter": "[]"}, "filter must be an object, not a string"),
    ({"query": "xx", "filter": "{}"}, "filter.include is required"),
    ({"query": "xx", "filter": "all"}, "filter must be an object, not a string"),
    ({"query": "xx", "count": "9" * 5000}, "count must be an integer, not a string"),
    ({"query": "xx", "count": "1e999"}, "count must be an integer, not a string"),
    ({"query": "xx", "count": "[5]"}, "count must be an integer, not a string"),
    ({"query": "xx", "deep": "1"}, "deep must be true or false, not a string"),
    ({"query": "xx", "domains": ["a.example", 3]}, r"domains\[1\] must be a string"),
    ({"query": "xx", "filter": []}, "filter must be an object, not an array"),
    ({"query": "xx", "filter": {}}, "filter.include is required"),
    ({"query": "xx", "filter": {"include": "a", "depth": 4}}, "filter.depth is 4, above 3"),
    ({"query": "xx", "count": 2**64}, "count is 18446744073709551616, above 20"),
    ({"query": "xx", "count": -(10**5000)}, "count is longer than 40 digits, below 1"),
    ({"query": "xx", "domains": ["a.example", 10**5000]}, r"domains\[1\] must be a string, not an integer"),
    ({"query": "xx", "section": 10**5000}, "section must be a string, not an integer"),
]


@pytest.mark.parametrize(("request_", "message"), REFUSED)
def test_wrong_members_are_refused_by_name(request_, message):
    with pytest.raises(InvalidArgument, match=message) as caught:
        arguments.check(PARAMETERS, request_)
    assert caught.value.hint


def test_known_members_pass_and_unknown_ones_are_left_out():
    request = {"query": "xx", "count": 20, "domains": ["a"], "filter": {"include": "a", "x": 1}, "other": None}
    checked = arguments.check(PARAMETERS, request)
    assert checked == {"query": "xx", "count": 20, "domains": ["a"], "filter": {"include": "a"}}


def test_null_is_absent_and_digits_are_numbers():
    request = {"query": "xx", "count": "7", "ratio": "0.5", "mode": None, "filter": {"include": "a", "depth": None}}
    checked = arguments.check(PARAMETERS, request)
    assert checked == {"query": "xx", "count": 7, "ratio": 0.5, "filter": {"include": "a"}}


# (a member of the request, its checked form: None if it counts as not given). Many clients send every value as text.
FROM_TEXT = [
    ({"count": " 7 "}, 7),
    ({"count": "5.0"}, 5),
    ({"count": "1e1"}, 10),
    ({"ratio": "2e-1"}, 0.2),
    ({"deep": " false "}, False),
    ({"domains": '["a.example", "b.example"]'}, ["a.example", "b.example"]),
    ({"domains": "a.example"}, ["a.example"]),
    ({"domains": "[]"}, []),
    ({"numbers": "[1, 2]"}, [1, 2]),
    ({"numbers": '["1", "2"]'}, [1, 2]),
    ({"numbers": "2"}, [2]),
    ({"filter": '{"include": "a", "depth": "2"}'}, {"include": "a", "depth": 2}),
    ({"filter": {"include": "[a]", "depth": ""}}, {"include": "[a]"}),
    ({"mode": ""}, None),
    ({"count": ""}, None),
    ({"ratio": " "}, None),
    ({"deep": ""}, None),
    ({"deep": "null"}, None),
    ({"domains": ""}, None),
    ({"filter": ""}, None),
    ({"note": ""}, ""),
    ({"note": "[1]"}, "[1]"),
    ({"note": "null"}, "null"),
]


@pytest.mark.parametrize(("member", "taken"), FROM_TEXT)
def test_text_is_read_as_the_type_that_the_schema_wants(member, taken):
    parameters = {**PARAMETERS, "properties": {**PARAMETERS["properties"], "note": {"type": "string"}}}
    checked = arguments.check(parameters, {"query": "xx", **member})
    (name,) = member
    assert checked.get(name) == taken
    assert (name in checked) == (taken is not None)
    assert type(checked.get(name)) is type(taken)


def test_an_empty_text_does_not_stand_for_a_required_member():
    parameters = {"properties": {"items": {"type": "array"}}, "required": ["items"]}
    with pytest.raises(InvalidArgument, match="items is required"):
        arguments.check(parameters, {"items": ""})


def test_a_number_without_fraction_is_an_integer():
    checked = arguments.check(PARAMETERS, {"query": "xx", "count": 5.0})
    assert checked["count"] == 5
    assert isinstance(checked["count"], int)


@pytest.mark.parametrize(("given_", "taken"), [(-5, 1), (0, 1), (7, 7), (999, 20)])
def test_clamped_members_are_moved_into_the_range(given_, taken):
    assert arguments.check(PARAMETERS, {"query": "xx", "count": given_}, clamped=("count",))["count"] == taken


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(PARAMETERS["properties"])), JSON))
def test_any_request_passes_or_is_refused(request_):
    try:
        checked = arguments.check(PARAMETERS, request_)
    except InvalidArgument:
        return
    assert arguments.check(PARAMETERS, checked) == checked


def test_a_wrong_enum_value_is_shown_whole_up_to_60_characters():
    parameters = {"properties": {"mode": {"type": "string", "enum": ["full"]}}}
    for length, shown in ((60, repr("m" * 60)), (61, repr("m" * 60 + "..."))):
        with pytest.raises(InvalidArgument) as caught:
            arguments.check(parameters, {"mode": "m" * length})
        assert shown in caught.value.message


def test_text_may_be_empty_without_a_minimum_length():
    assert arguments.check({"properties": {"q": {"type": "string"}}}, {"q": ""}) == {"q": ""}


def test_the_hint_of_a_missing_member_begins_small():
    parameters = {"properties": {"page": {"type": "string", "description": "The URL of a page"}}, "required": ["page"]}
    with pytest.raises(InvalidArgument) as caught:
        arguments.check(parameters, {})
    assert "the URL of a page" in f"{caught.value.message} {caught.value.hint}"


def test_booleans_and_lines_as_models_write_them_are_accepted():
    parameters = {"properties": {"deep": {"type": "boolean"}, "section": {"type": "string"}}}
    assert arguments.check(parameters, {"deep": "True", "section": 12}) == {"deep": True, "section": "12"}
    for wrong in ({"deep": "yes"}, {"section": True}, {"section": 1.5}):
        with pytest.raises(InvalidArgument):
            arguments.check(parameters, wrong)


@pytest.mark.parametrize("huge", [2**63, 10**400, 1e300])
def test_a_huge_number_counts_as_the_largest_one(huge):
    parameters = {"properties": {"offset": {"type": "integer", "minimum": 1}, "days": {"type": "number"}}}
    for sign, member in ((1, "offset"), (1, "days"), (-1, "days")):
        assert arguments.check(parameters, {member: sign * huge}) == {member: sign * (2**63 - 1)}
