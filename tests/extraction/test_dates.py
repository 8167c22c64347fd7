"""Dates as pages write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction import dates

READ = [
    ("2024-02-11", "2024-02-11"),
    ("2024-02-11T08:30:00+01:00", "2024-02-11T08:30:00+01:00"),
    ("2024-02-11T08:30:00.123Z", "2024-02-11T08:30:00Z"),
    ("2024-02-11 08:30", "2024-02-11T08:30:00"),
    ("20240211", "2024-02-11"),
    ("2024-02-11T08:30:00+0100", "2024-02-11T08:30:00+01:00"),
    ("February 11, 2024", "2024-02-11"),
    ("Feb. 11th, 2024 at noon", "2024-02-11"),
    ("Published 11 February 2024", "2024-02-11"),
    ("Sun, 11 Feb 2024 08:30:00 GMT", "2024-02-11"),
    ("03/04/2025", ""),  # March or April
    ("2024-13-40", ""),
    ("soon", ""),
    (None, ""),
    (20240211, ""),
]


@pytest.mark.parametrize(("value", "expected"), READ)
def test_a_date_is_read_in_one_way_or_not_at_all(value, expected):
    assert dates.iso(value) == expected


def test_dates_in_addresses():
    assert dates.in_address("https://x.example/2024/2/7/title") == "2024-02-07"
    assert dates.in_address("https://x.example/2024/title") == ""


@given(st.text(max_size=120))
def test_any_text_is_a_date_or_none(text):
    assert dates.iso(text) == "" or dates.iso(text)[:2] in ("19", "20")
