"""Error statuses with their own hints, and bot walls distinguished from plain refusals."""

import pytest

from webtool.net.messages import Headers, Response
from webtool.net.statuses import MAX_RETRY_WAIT, challenge_error, error_for, find_wall, retry_after, retry_delay


def answer(status, *fields, body=b"<html><title>No</title>", kind="text/html"):
    return Response(
        "https://a.example/p?token=hunter2", status, "Said so", Headers([("Content-Type", kind), *fields]), body
    )


OWN_HINTS = [401, 402, 403, 404, 407, 410, 429, 451, 500, 502, 503, 504, 511]


def test_each_status_has_its_own_hint():
    hints = {error_for(answer(status)).hint for status in OWN_HINTS}
    assert len(hints) == len(OWN_HINTS)


@pytest.mark.parametrize("status", [400, 418, 499, 599, 600, 999])
def test_any_status_has_a_hint(status):
    error = error_for(answer(status))
    assert error.hint
    assert error.status_code == status
    assert f"HTTP {status}" in error.message


RETRYABLE = [(403, False), (404, False), (408, True), (429, True), (500, True), (503, True), (451, False)]


@pytest.mark.parametrize(("status", "retryable"), RETRYABLE)
def test_retryable_is_true_for_temporary_failures(status, retryable):
    assert error_for(answer(status)).retryable is retryable


def test_an_error_contains_retry_after_but_no_secrets():
    error = error_for(answer(429, ("Retry-After", "120")))
    assert error.retry_after == 120
    assert "hunter2" not in str(error.to_dict())


# (status, fields, body, maker)
WALLS = [
    (403, [("cf-mitigated", "challenge")], b"", "Cloudflare"),
    (403, [("Server", "cloudflare")], b"<title>Attention Required! | Cloudflare</title>", "Cloudflare"),
    (503, [], b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>", "Cloudflare"),
    (403, [("X-DataDome", "protected")], b"", "DataDome"),
    (403, [], b"<script src=https://ct.captcha-delivery.com/c.js>", "DataDome"),
    (403, [("Server", "AkamaiGHost")], b"Access Denied. Reference #18.x https://errors.edgesuite.net/18.x", "Akamai"),
    (403, [], b'<div id="px-captcha"></div><script>window._pxAppId="x"</script>', "PerimeterX (HUMAN)"),
    (403, [("X-Iinfo", "1-2-3")], b"", "Imperva"),
    (405, [("x-amzn-waf-action", "captcha")], b"", "AWS WAF"),
    (429, [("x-kpsdk-ct", "x")], b"", "Kasada"),
    (403, [], b'<script src="https://hcaptcha.com/1/api.js">', "a captcha"),
]


@pytest.mark.parametrize(("status", "fields", "body", "maker"), WALLS)
def test_each_bot_wall_is_recognised(status, fields, body, maker):
    error = error_for(answer(status, *fields, body=body))
    assert error.to_dict()["bot_wall"] == maker
    assert not error.retryable
    assert error.hint != error_for(answer(status)).hint


PLAIN = [
    (403, [("Server", "cloudflare"), ("cf-ray", "x")], b"<h1>Members only</h1>"),
    (403, [("Server", "nginx")], b"<h1>403 Forbidden</h1>"),
    (404, [("cf-mitigated", "challenge")], b""),
    (401, [], b"<form>Log in</form>"),
    (500, [("X-Iinfo", "1")], b"oops"),
]


@pytest.mark.parametrize(("status", "fields", "body"), PLAIN)
def test_a_plain_refusal_is_not_a_bot_wall(status, fields, body):
    assert find_wall(answer(status, *fields, body=body)) is None


def test_a_challenge_with_status_200_is_an_error():
    error = challenge_error(answer(200, body=b"<title>Just a moment...</title>"))
    assert error is not None
    assert error.to_dict()["bot_wall"] == "Cloudflare"
    assert challenge_error(answer(200, body=b"<title>An essay</title><p>About px and captchas")) is None
    assert challenge_error(answer(200, body=b"<title>Just a moment...</title>" + b"x" * 50000)) is None
    assert challenge_error(answer(200, body=b"<title>Just a moment...</title>", kind="text/plain")) is None
    assert challenge_error(answer(403, body=b"<title>Just a moment...</title>")) is None


# (status, Retry-After, seconds left, delay)
RETRIES = [
    (429, "1", 10, 1), (503, "2", 10, 2), (503, "0", 10, 0.1), (500, "1", 10, None), (200, "1", 10, None),
    (429, None, 10, None), (429, "soon", 10, None), (429, "-1", 10, None), (429, "1.5", 10, None),
    (429, str(int(MAX_RETRY_WAIT) + 1), 100, None), (429, "3", 3.5, None), (429, "9" * 400, 100, None),
    (429, "Fri, 31 Dec 1999 23:59:59 GMT", 100, None), (429, "\u0663", 100, None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "value", "left", "delay"), RETRIES)
def test_a_short_retry_after_is_waited_for_and_a_long_one_is_not(status, value, left, delay):
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
def test_a_retry_date_is_compared_with_the_servers_own_clock(value, date, seconds):
    pairs = [("Retry-After", value)] + ([("Date", date)] if date else [])
    assert retry_after(Headers(pairs)) == seconds
