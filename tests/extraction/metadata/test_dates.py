"""Reading dates as pages write them, in two dozen languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction.metadata import dates

READ = [
    ("2024-02-11", "2024-02-11"),
    ("2024-02-11T08:30:00+01:00", "2024-02-11T08:30:00+01:00"),
    ("2024-02-11T08:30:00.123Z", "2024-02-11T08:30:00Z"),
    ("2024-02-11 08:30", "2024-02-11T08:30:00"),
    ("20240211", "2024-02-11"),
    ("2024-02-11T08:30:00+0100", "2024-02-11T08:30:00+01:00"),
    ("February 11, 2024", "2024-02-11"),
    ("Feb. 11th, 2024 at noon", "2024-02-11"),
    ("Posted on Feb 11,2024", "2024-02-11"),
    ("11 February,2024", "2024-02-11"),
    ("Published 11 February 2024", "2024-02-11"),
    ("Sun, 11 Feb 2024 08:30:00 GMT", "2024-02-11"),
    ("4 marca 2025", "2025-03-04"),
    ("4. b\u0159ezna 2025", "2025-03-04"),
    ("4 d'octubre de 2025", "2025-10-04"),
    ("2025. m\u00e1rcius 4.", "2025-03-04"),
    ("4 Mart 2025", "2025-03-04"),
    ("4. maaliskuuta 2025", "2025-03-04"),
    ("4 \u039c\u03b1\u03c1\u03c4\u03af\u03bf\u03c5 2025", "2025-03-04"),
    ("4 \u0431\u0435\u0440\u0435\u0437\u043d\u044f 2025 \u0440.", "2025-03-04"),
    ("4 \u0645\u0627\u0631\u0633 2025", "2025-03-04"),
    ("4 \u05d1\u05de\u05e8\u05e5 2025", "2025-03-04"),
    ("5 \u0e21\u0e35\u0e19\u0e32\u0e04\u0e21 2567", "2024-03-05"),  # the Buddhist era
    ("ng\u00e0y 5 th\u00e1ng 3 n\u0103m 2024", "2024-03-05"),
    ("4 jui 2025", ""),  # juin or juillet
    ("HealthMARCH 4, 2025Updated", "2025-03-04"),
    ("03/04/2025", ""),  # March or April
    ("Tue, 03/04/2014 - 09:10", "2014-03-04"),  # 3 April 2014 was a Thursday
    ("Thursday, 03/04/2014", "2014-04-03"),
    ("Wed, 03/04/2014", ""),
    ("Satisfied 05/04/2014", ""),  # not a Saturday's name
    ("๔ มีนาคม ๒๕๖๗", "2024-03-04"),  # digits of Thai
    ("\u0664 \u0645\u0627\u0631\u0633 \u0662\u0660\u0662\u0665", "2025-03-04"),  # digits of Arabic
    ("\u0664 \u0645\u0627\u0631\u0633\u060c 2025", "2025-03-04"),
    ("\u4ee4\u548c6\u5e743\u67084\u65e5", "2024-03-04"),
    ("\u4ee4\u548c\u5143\u5e7412\u67084\u65e5", "2019-12-04"),
    ("\u4e2d\u83ef\u6c11\u570b113\u5e743\u67084\u65e5", "2024-03-04"),
    ("2024-13-40", ""),
    ("30 February 2024", ""),
    ("2024-04-31T08:30", ""),
    ("31 April 2024, in fact 1 May 2024", "2024-05-01"),
    ("29 February 2024", "2024-02-29"),
    ("Flight 99 March 2024, posted 4 March 2024", "2024-03-04"),  # an impossible date hides no later one
    ("45.13.2024, 04.03.2024", "2024-03-04"),
    ("39.12.2024, 04.03.2024", "2024-03-04"),
    ("1714820400", "2024-05-04T11:00:00Z"),  # seconds since 1970
    (1714820400, "2024-05-04T11:00:00Z"),
    (1714820400123.0, "2024-05-04T11:00:00Z"),  # milliseconds
    (5551234567, ""),
    (True, ""),
    ("soon", ""),
    (None, ""),
    (20240211, ""),
]


@pytest.mark.parametrize(("value", "expected"), READ)
def test_only_dates_with_one_reading_are_read(value, expected):
    assert dates.iso(value) == expected


def test_a_date_is_read_from_the_path_of_an_address():
    assert dates.in_address("https://x.example/2024/2/7/title") == "2024-02-07"
    assert dates.in_address("https://x.example/2024/october/07/title") == "2024-10-07"
    assert dates.in_address("https://x.example/2024/title") == ""
    assert dates.in_address("https://x.example/2024/photos/07/title") == ""


@given(st.text(max_size=120))
def test_any_text_gives_an_iso_date_or_an_empty_string(text):
    assert dates.iso(text) == "" or dates.iso(text)[:2] in ("19", "20")


@pytest.mark.parametrize(
    ("language", "day"), [("fr", "2025-04-03"), ("en-GB", "2025-04-03"), ("en-US", "2025-03-04"), ("en", "")]
)
def test_the_language_decides_which_number_is_the_day(language, day):
    assert dates.in_text("03/04/2025", dates.is_day_first(language)) == day
