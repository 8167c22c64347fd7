"""How long a provider asks us to wait."""

import pytest

from webtool.net.messages import Headers, Response
from webtool.providers import retrying


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1", 1.0),
        (" 30 ", 30.0),
        ("1.5s", 1.5),
        ("0", 0.0),
        ("", None),
        ("-1", None),
        ("soon", None),
        (None, None),
        ("9" * 30, None),
        (5, None),
        ("١", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ],
)
def test_seconds(text, seconds):
    assert retrying.seconds(text) == seconds


def test_retry_after_is_read_from_the_header():
    assert retrying.retry_after(Response("u", 429, "", Headers([("retry-after", "2")]), b"")) == 2.0
    assert retrying.retry_after(Response("u", 429, "", Headers(), b"")) is None
