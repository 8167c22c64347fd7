"""Dates as providers and pages write them, and text that is not a date."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.providers.payload import iso_date, leading_date

NOW = 1795300000  # 2026-11-21T22:26:40Z

DATES = [
    ("2026-11-03T09:41:27", "2026-11-03T09:41:27Z"),
    ("2026-11-18T22:10:05Z", "2026-11-18T22:10:05Z"),
    ("2026-11-19T16:05:00+00:00", "2026-11-19T16:05:00Z"),
    ("2026-03-29T01:30:00+02:00", "2026-03-28T23:30:00Z"),
    ("2026-03-29 01:30 -0530", "2026-03-29T07:00:00Z"),
    ("2026-03-29T01:30+09", "2026-03-28T16:30:00Z"),
    ("2026-11-19T00:00:00.0000000", "2026-11-19T00:00:00Z"),
    ("  2025-07-21 ", "2025-07-21T00:00:00Z"),
    ("2025-7-1", "2025-07-01T00:00:00Z"),
    ("2026/05/30", "2026-05-30T00:00:00Z"),
    ("2026.05.30", "2026-05-30T00:00:00Z"),
    ("20260530", "2026-05-30T00:00:00Z"),
    ("20260530T101112Z", "2026-05-30T10:11:12Z"),
    ("D:20220109101500Z", "2022-01-09T10:15:00Z"),
    ("D:20220109101500Z00'00'", "2022-01-09T10:15:00Z"),
    ("D:19991231235959-05'00'", "2000-01-01T04:59:59Z"),
    ("1795242612", "2026-11-21T06:30:12Z"),
    ("1795242612345", "2026-11-21T06:30:12Z"),
    (1795242612, "2026-11-21T06:30:12Z"),
    (1795242612.75, "2026-11-21T06:30:12Z"),
    ("January 12, 2024", "2024-01-12T00:00:00Z"),
    ("Mar 6, 2024", "2024-03-06T00:00:00Z"),
    ("Friday, January 12, 2024", "2024-01-12T00:00:00Z"),
    ("sept. 1st 2024", "2024-09-01T00:00:00Z"),
    ("6 March 2024", "2024-03-06T00:00:00Z"),
    ("Tue, 15 Nov 1994 08:12:31 GMT", "1994-11-15T08:12:31Z"),
    ("Tuesday, 15-Nov-1994 08:12:31 +0100", "1994-11-15T07:12:31Z"),
    ("2 days ago", "2026-11-19T00:00:00Z"),
    ("1 week ago", "2026-11-14T00:00:00Z"),
    ("14 hours ago", "2026-11-21T08:00:00Z"),
    ("an hour ago", "2026-11-21T21:00:00Z"),
    ("5 minutes ago", "2026-11-21T22:21:00Z"),
]


@pytest.mark.parametrize(("text", "expected"), DATES)
def test_a_date_becomes_iso_8601_in_utc(text, expected):
    assert iso_date(text, NOW) == expected


NO_DATES = [
    *["", "   ", "not a date", "soon", "2024", "March 2024", "2 months ago", "yesterday", "today", "2019-02-30"],
    *["2026-13-01", "2026-01-01T25:00:00", "0001-01-01T00:00:00", "9999-12-31", "1899-12-30", "2026-11-19 or so"],
    *["03/06/2024", "2026-01/02", "12345", "x" * 100, "2026-11-19T16:05:00+99:99", "Smarch 3, 2024", "0 d ago", "D:"],
    *[None, True, [], {}, float("nan"), float("inf"), -5, 10**40],
]


@pytest.mark.parametrize("text", NO_DATES)
def test_text_that_is_not_certainly_a_date_gives_none(text):
    assert iso_date(text, NOW) is None


LEADING = [
    ("Nov 19, 2026 ... A TaskGroup collects.", "2026-11-19T00:00:00Z"),
    ("14 hours ago ... Each socket.", "2026-11-21T08:00:00Z"),
    ("2025/07/21 ... 子タスク", "2025-07-21T00:00:00Z"),
    ("Mar 6, 2024 — Half as high.", "2024-03-06T00:00:00Z"),
    ("Mar 6, 2024 was a day", None),
    ("It was ... Mar 6, 2024", None),
    ("", None),
]


@pytest.mark.parametrize(("snippet", "expected"), LEADING)
def test_the_date_before_a_snippet_is_read_only_with_its_dots(snippet, expected):
    assert leading_date(snippet, NOW) == expected


@given(st.one_of(st.text(max_size=80), st.from_regex(r"[0-9TZ:+\-/. D']{0,40}", fullmatch=True)))
def test_any_text_is_a_date_or_none_and_a_date_stays_the_same(text):
    found = iso_date(text, NOW)
    assert found is None or iso_date(found, NOW) == found


@given(st.datetimes(min_value=__import__("datetime").datetime(1900, 1, 2)))
def test_every_moment_of_the_known_years_survives(moment):
    if moment.year <= 2100:
        text = moment.replace(microsecond=0).isoformat()
        assert iso_date(text, NOW) == text + "Z"
