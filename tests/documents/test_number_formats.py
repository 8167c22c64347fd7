"""Numbers in the formats of spreadsheets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents.number_formats import format_value, formatted, general

CASES = [
    ("0", 3.7, "4"),
    ("0.00", 2, "2.00"),
    ("0.0#", 1.25, "1.25"),
    ("0.0#", 1.5, "1.5"),
    ("#,##0", 1234567.891, "1,234,568"),
    ("#,##0.00", -1234.5, "-1,234.50"),
    ("00000", 501, "00501"),
    ('"$"#,##0.00', 1234.5, "$1,234.50"),
    ("#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]", -1234.567, "-1,234.57 €"),
    ("[$USD] 0", 4, "USD 4"),
    ("0;(0)", -5, "(5)"),
    ('0;-0;"none"', 0, "none"),
    ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', 0, "-"),
    ("0.00%", 0.12345, "12.35%"),
    ("0.00E+00", 123456789, "1.23E+08"),
    ('0.0,,"M"', 1234567, "1.2M"),
    ('"No. "0', 12, "No. 12"),
    ('0 "kg; net"', 12, "12 kg; net"),
    ("0\\°", 5, "5°"),
    # Halves are rounded up, of the 15 digits that a cell has.
    ("0", 2.5, "3"),
    ('"$"#,##0;("$"#,##0)', -1234.5, "($1,235)"),
    ("0.00", 1.005, "1.01"),
    ("0.00", 0.125, "0.13"),
    ("0%", 0.285, "29%"),
    ("0.0", 0.25 - 2**-40, "0.2"),
    ("0", 999_999_999_999_999, "999999999999999"),
    ("0.000", 123_456_789_012.345, "123456789012.345"),
    ("0.0000", 727_444_337_392.219, "727444337392.2190"),
    ("0.0E+00", 125e12, "1.3E+14"),
    ("0.00E+00", 9.995, "1.00E+01"),
    ("0.000000000000000E+00", 0.95, "9.500000000000000E-01"),
    # Not understood, or more digits than a cell has: the number itself.
    ("# ?/?", 0.5, "0.5"),
    ("000-00-0000", 123456789, "123456789"),
    ("[>=1000]0;0", 7, "7"),
    ("0", 12345678901234567890, "1.23456789012346e+19"),
    ("General", 7, "7"),
    ("", 7, "7"),
    (";;;", 7, "7"),
]


@pytest.mark.parametrize(("code", "number", "shown"), CASES)
def test_a_number_is_shown_in_its_format(code, number, shown):
    assert formatted(code, number) == shown


@given(st.text(alphabet='0#?.,%;E+-eg$[]"\\_* aM@/', max_size=40), st.floats())
def test_any_format_shows_something(code, number):
    assert formatted(code, number)


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_keep_their_digits(number):
    assert formatted("0", number) == general(number) == str(number)


@pytest.mark.parametrize(
    ("value", "is_1904", "shown"),
    [
        ("2958465.5", False, "9999-12-31 12:00:00"),
        ("2958465.9999999", False, "2958465.9999999"),
        ("1", False, "1900-01-01"),
        ("59", False, "1900-02-28"),
        ("59.9999999", False, "1900-02-29 00:00:00"),
        ("60", False, "1900-02-29"),
        ("60.5", False, "1900-02-29 12:00:00"),
        ("60.9999999", False, "1900-03-01 00:00:00"),
        ("61", False, "1900-03-01"),
        ("60", True, "1904-03-01"),
        ("1", True, "1904-01-02"),
        ("2957003", True, "9999-12-31"),
        ("2957004", True, "2957004"),
        ("-1", False, "-1"),
    ],
)
def test_a_day_number_is_shown_as_a_date_up_to_the_year_9999(value, is_1904, shown):
    assert format_value(value, "yyyy-mm-dd", is_1904) == shown
