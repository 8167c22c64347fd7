"""Times as HTTP and ISO 8601 write them."""

import pytest
from http_dates import to_http
from hypothesis import given
from hypothesis import strategies as st

from webtool.lean import dates

NOW = 1_800_000_000.0  # in 2027

# RFC 9110 section 5.6.7: three forms, and what is nearly one of them but not quite
HTTP = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784111777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784111777),
    ("Sun Nov  6 08:49:37 1994", 784111777),
    ("Sun Nov 16 08:49:37 1994", 784975777),
    ("Thursday, 01-Jan-70 00:00:00 GMT", 3155760000),
    ("Thursday, 01-Jan-78 00:00:00 GMT", 252460800),
    (" Sun, 06 Nov 1994 08:49:37 GMT ", 784111777),
    ("Mon, 29 Feb 2016 00:00:60 GMT", 1456704060),
    ("Sun, 06 Nov 1994 08:49:37 UTC", None),
    ("Sun, 06 Nov 1994 08:49:37 +0000", None),
    ("Sun, 6 Nov 1994 08:49:37 GMT", None),
    ("Sun, 06 Nov 94 08:49:37 GMT", None),
    ("Sun 06 Nov 1994 08:49:37 GMT", None),
    ("Sun, 06 nov 1994 08:49:37 GMT", None),
    ("Sun, 06 Nov 1994 8:49:37 GMT", None),
    ("Sun, 06 Nov 1994 24:49:37 GMT", None),
    ("Sun, 31 Feb 1994 08:49:37 GMT", None),
    ("Sun, 00 Nov 1994 08:49:37 GMT", None),
    ("Sun, 06 Nov 1994 08:49 GMT", None),
    ("Xxx, 06 Nov 1994 08:49:37 GMT", None),
    ("Sun, 06 Nov \u0661\u0669\u0669\u0664 08:49:37 GMT", None),
    ("0", None),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("text", "seconds"), HTTP)
def test_http_dates(text, seconds):
    assert dates.from_http(text, NOW) == seconds


ISO = [
    ("1994-11-06T08:49:37Z", 784111777),
    ("1994-11-06T08:49:37.25Z", 784111777),
    ("1994-11-06 08:49:37", 784111777),
    ("1994-11-06T08:49:37+00:00", 784111777),
    ("1994-11-06T08:49:37+01:00", None),
    ("1994-13-06T08:49:37Z", None),
    ("1994-11-06", None),
    ("soon", None),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("text", "seconds"), ISO)
def test_iso_dates(text, seconds):
    assert dates.from_iso(text) == seconds


@given(st.integers(0, dates.MAX_TIME))
def test_what_is_written_reads_back(seconds):
    assert dates.from_iso(dates.iso(seconds)) == seconds
    assert dates.from_http(to_http(seconds), NOW) == seconds


@given(st.text())
def test_any_text_is_a_date_or_none(text):
    dates.from_http(text, NOW)
    dates.from_iso(text)


def test_times_beyond_four_digit_years_are_clamped():
    assert dates.iso(1e30) == "9999-12-31T23:59:59Z"
    assert dates.iso(-5) == "1970-01-01T00:00:00Z"
