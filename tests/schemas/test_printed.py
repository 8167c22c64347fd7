"""The six rules by which agent hosts accept a schema."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webtool.schemas import printed

GOOD = {
    "name": "file_edit",
    "description": "Edit a file.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "items": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}},
        },
        "required": ["path"],
    },
}

# what to change, and a part of the reason
BROKEN = [
    ({"name": None}, "alphanumeric"),
    ({"name": "file-edit"}, "alphanumeric"),
    ({"name": ""}, "alphanumeric"),
    ({"name": "é"}, "alphanumeric"),
    ({"description": 5}, "description"),
    ({"parameters": []}, "not an object"),
    ({"parameters": {"type": "array", "properties": {}}}, "type is not 'object'"),
    ({"parameters": {"type": "object"}}, "properties is missing"),
    ({"parameters": {"type": "object", "properties": {"a": {}}}}, "parameters.a has no valid type"),
    ({"parameters": {"type": "object", "properties": {"a": {"type": "text"}}}}, "parameters.a has no valid type"),
    ({"parameters": {"type": "object", "properties": {"a": {"type": ["string"]}}}}, "parameters.a has no valid type"),
    ({"parameters": {"type": "object", "properties": {}, "required": ["a"]}}, "'a', which is not a property"),
    ({"parameters": {"type": "object", "properties": {}, "required": "a"}}, "required is not an array"),
    (
        {"parameters": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "x"}}}}},
        r"parameters.a\[\] has no valid type",
    ),
]


def test_a_good_schema_passes():
    assert printed.check(json.dumps(GOOD).encode()) == ("file_edit", [])


@pytest.mark.parametrize(("change", "reason"), BROKEN)
def test_each_broken_rule_is_named(change, reason):
    _, problems = printed.check(json.dumps({**GOOD, **change}).encode())
    assert len(problems) == 1
    assert __import__("re").search(reason, problems[0])


@pytest.mark.parametrize("name", ["name", "description", "parameters"])
def test_a_missing_field_is_named(name):
    schema = {key: value for key, value in GOOD.items() if key != name}
    _, problems = printed.check(json.dumps(schema).encode())
    assert problems == [f"{name!r} is missing"]


@pytest.mark.parametrize("output", [b"", b"{", b"[]", b"\xff", b"5", b"[" * 100000])
def test_a_schema_that_is_not_an_object_is_refused(output):
    name, problems = printed.check(output)
    assert name == ""
    assert len(problems) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "properties", "required", "items", "a"]), inner)
    ),
    max_leaves=12,
)


@example({"type": "object", "properties": {}, "required": [[]]})
@given(JSON)
def test_any_parameters_are_judged_without_an_exception(parameters):
    printed.check(json.dumps({**GOOD, "parameters": parameters}).encode())
