"""Front matter is valid YAML for any title."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.cache.front_matter import scalar, with_header
from webtool.cache.tables import Snapshot

URL = "https://e.example/end"
SNAPSHOT = Snapshot("k", "https://e.example/?a=b#c", URL, "readable", None, 200, "2026-01-02T03:04:05Z")

# (title, how it is written)
TITLES = [
    ("Plain words", "Plain words"),
    ("", '""'),
    ('A "quoted" title', '"A \\"quoted\\" title"'),
    ("Colon: here", '"Colon: here"'),
    ("two\nlines\tand more", "two lines and more"),
    ("\N{WATER WAVE} emoji", '"\N{WATER WAVE} emoji"'),
    ("yes", '"yes"'),
    ("null", '"null"'),
    ("1.5", '"1.5"'),
    ("2026-01-01", '"2026-01-01"'),
    ("- item", '"- item"'),
    ("# heading", '"# heading"'),
    ("---", '"---"'),
    ("back\\slash", '"back\\\\slash"'),
    ("half \ud800", '"half \\uFFFD"'),
    ("turned \u202e around", '"turned \\u202E around"'),
]


@pytest.mark.parametrize(("title", "written"), TITLES)
def test_titles_are_quoted_only_if_needed(title, written):
    assert scalar(title) == written


def test_front_matter_has_five_fields_in_order():
    full = SNAPSHOT._replace(title="T", extractor_name="webtool", extractor_version="1", siteconfig_id="e.example")
    assert with_header(full, "") == (
        "---\ntitle: T\nsource: https://e.example/end\nfetched_at: 2026-01-02T03:04:05Z\nextractor: webtool@1\n"
        "siteconfig: e.example\n---\n"
    )
    assert with_header(SNAPSHOT, "text").endswith("siteconfig: none\n---\ntext")


@pytest.mark.peers("yaml")
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_title_reads_back(title, more):
    import yaml

    snapshot = SNAPSHOT._replace(title=title, siteconfig_id=more or None)
    read = yaml.safe_load(with_header(snapshot, "").strip("-\n"))
    expected = " ".join("".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in title).split())
    assert read["title"] == expected
    assert list(read) == ["title", "source", "fetched_at", "extractor", "siteconfig"]
    assert read["siteconfig"] == (" ".join(more.split()) or ("" if more else "none"))
