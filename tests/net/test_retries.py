"""Whether and when a request is tried again."""

import pytest

from webtool.net.messages import Headers
from webtool.net.retries import LONGEST_WAIT, retry_after, retry_delay

# (status, Retry-After, seconds left, delay)
RETRIES = [
    (429, "1", 10, 1), (503, "2", 10, 2), (503, "0", 10, 0.1), (500, "1", 10, None), (200, "1", 10, None),
    (429, None, 10, None), (429, "soon", 10, None), (429, "-1", 10, None), (429, "1.5", 10, None),
    (429, str(int(LONGEST_WAIT) + 1), 100, None), (429, "3", 3.5, None), (429, "9" * 400, 100, None),
    (429, "Fri, 31 Dec 1999 23:59:59 GMT", 100, None), (429, "\u0663", 100, None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "value", "left", "delay"), RETRIES)
def test_a_short_wait_is_waited_and_a_long_one_told(status, value, left, delay):
    headers = Headers([] if value is None else [("Retry-After", value)])
    assert retry_delay(status, headers, left) == delay


# RFC 9110 section 10.2.3: (Retry-After, Date, seconds)
MOMENTS = [
    ("Fri, 16 Jan 2026 12:00:30 GMT", "Fri, 16 Jan 2026 12:00:00 GMT", 30.0),
    ("Fri, 16 Jan 2026 12:00:00 GMT", "Fri, 16 Jan 2026 12:00:30 GMT", 0.0),
    ("Friday, 16-Jan-26 12:02:00 GMT", "Friday, 16-Jan-26 12:00:00 GMT", 120.0),
    ("Fri, 16 Jan 2026 12:00:30 GMT", None, None),
    ("Fri, 16 Jan 2026 12:00:30 GMT", "now", None),
    ("in a while", "Fri, 16 Jan 2026 12:00:00 GMT", None),
]


@pytest.mark.parametrize(("value", "date", "seconds"), MOMENTS)
def test_a_moment_to_come_back_is_counted_from_the_servers_own_clock(value, date, seconds):
    pairs = [("Retry-After", value)] + ([("Date", date)] if date else [])
    assert retry_after(Headers(pairs)) == seconds
