"""The published columns hold every member of a row, and every row fits them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webtool
from webtool.bulk import columns
from webtool.errors import FetchTooLarge

NAMES = [column.name for column in columns.COLUMNS]
TEXTS = st.text(st.characters(), max_size=9)  # lone surrogates too
VALUES = st.recursive(st.none() | st.booleans() | TEXTS, lambda inner: st.lists(inner, max_size=3), max_leaves=5)


def test_every_field_of_an_extraction_has_a_column():
    row = next(webtool.extract_many([("https://a.example/", "<title>T</title><p>Tides.")], workers=0))
    assert set(row) <= set(NAMES)
    assert set(webtool.Extraction._fields) <= set(NAMES)


def test_every_column_says_what_it_holds():
    assert len(set(NAMES)) == len(NAMES)
    assert all(column.meaning and column.kind for column in columns.COLUMNS)
    assert len(columns.described().splitlines()) == len(NAMES)


def test_members_of_an_error_without_a_column_are_in_more():
    error = FetchTooLarge("too large", retry_after=3.0, path="/a").to_dict()
    row = columns.fit(error)
    assert (row["success"], row["error_code"]) == (False, "FETCH_TOO_LARGE")
    assert json.loads(row["more"]) == {"retry_after": 3.0, "path": "/a"}


@given(st.dictionaries(st.sampled_from([*NAMES[:-1], "path", "x"]), VALUES))
def test_a_row_of_any_values_fits_and_loses_no_member(row):
    fitted = columns.fit({"input": "i", **row}, ("input",))
    assert list(fitted) == ["input", *NAMES]
    json.dumps(fitted, ensure_ascii=False).encode()
    assert set(json.loads(fitted["more"] or "{}")) == row.keys() - set(NAMES)


@pytest.mark.peers("pyarrow")
def test_the_arrow_schema_takes_rows_of_every_kind():
    import pyarrow

    page = "<title>T</title><meta name=author content='A B'><p>" + "Tides rise and fall. " * 40 + "<a href=/x>x</a>"
    rows = [columns.fit(row) for row in webtool.extract_many([("https://a.example/", page), ("", None)], workers=0)]
    table = pyarrow.Table.from_pylist(rows, schema=columns.arrow_schema())
    assert table.column_names == NAMES
    assert [row["success"] for row in table.to_pylist()] == [True, False]
    assert table.schema.field("digest").metadata[b"comment"].startswith(b"WARC-Payload-Digest")
