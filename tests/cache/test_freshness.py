"""RFC 9111 decisions: a shared table of whole conversations, and tables of our own for single rules."""

import time

import pytest
from growing import growth
from http_dates import response_headers, to_http
from hypothesis import given
from hypothesis import strategies as st
from shared_cases import rows

from webtool.cache import freshness, headers
from webtool.cache.tables import Snapshot, snapshot_hash
from webtool.lean import dates

NOW = 1_800_000_000.0
SENT = (("Accept", "*/*"), ("User-Agent", "webtool/test"), ("Accept-Encoding", "gzip"))

# Rows that say what this cache does not want to do.
LEFT_OUT = {"hc-headers-store-Set-Cookie2": "cookies are never written down"}
TABLE = rows(
    "http_cache.json", "cases", lambda case: case["level"] in ("must", "should") and case["id"] not in LEFT_OUT
)


class Conversation:
    """A private cache as the pipeline uses it, a server that follows the steps, and a clock that does not move."""

    def __init__(self):
        self.now = NOW
        self.kept = {}
        self.answers = 0
        self.answered_at = NOW

    def step(self, step):
        """Ask once; returns (what happened, body, header fields the caller sees, header fields the server saw)."""
        key = snapshot_hash("https://e.example/?" + step.get("query", ""), "", "raw")
        kept = self.kept.get(key)
        plan = freshness.plan(kept, SENT, self.now)
        if plan.action == "use":
            return "cached", kept.text, response_headers(kept, self.now), {}
        seen_headers = dict(plan.conditions)
        how = {"If-None-Match": "etag_validated", "If-Modified-Since": "lm_validated"}.get(
            next(iter(seen_headers), ""), "not_cached"
        )
        if step.get("disconnect") or step.get("truncate"):
            if freshness.may_serve_stale(kept, None, self.now):
                return "cached", kept.text, response_headers(kept, self.now), {}
            return "error", None, {}, seen_headers
        return self.answer(step, key, kept, how, seen_headers)

    def answer(self, step, key, kept, how, seen_headers):
        self.answers += 1
        status = step.get("status") or (304 if step.get("expect", "").endswith("validated") else 200)
        asked_at = self.answered_at = self.now
        pairs = [(name, self.value(value)) for name, value in step.get("headers", [])]
        self.now += step.get("delay", 0)
        fetch_ms = int((self.now - asked_at) * 1000)
        if status == 304:
            newer = freshness.refreshed(kept, pairs, SENT, self.now, fetch_ms) if kept and seen_headers else None
            if newer is None:
                return "error", None, {}, seen_headers
            self.kept[key] = newer
            return how, newer.text, response_headers(newer, self.now), seen_headers
        body = step.get("body") or f"body {self.answers}"
        snapshot = Snapshot(key, "u", "u", "raw", None, 0, "", text=body)
        snapshot = snapshot._replace(**freshness.columns(status, pairs, SENT, self.now, fetch_ms))
        self.kept.pop(key, None)
        if freshness.is_storable(status, pairs, SENT):
            self.kept[key] = snapshot
        return "not_cached" if how != "not_cached" else how, body, response_headers(snapshot, self.now), seen_headers

    def value(self, value):
        """Return a header value; a date counts from the server's last response."""
        return to_http(self.answered_at + value["date"]) if isinstance(value, dict) else value


@pytest.mark.parametrize("case", TABLE)
def test_each_conversation_gives_the_expected_answers(case):
    cache, first = Conversation(), None
    for step in case["steps"]:
        happened, body, headers, seen_headers = cache.step(step)
        expected = step.get("expect", "any")
        if step.get("expect_error"):
            assert happened == "error"
        elif expected != "any" and not (expected == "not_cached" and happened.endswith("validated")):
            assert happened == expected
        if expected in ("cached", "etag_validated", "lm_validated") and not step.get("any_body"):
            assert body == first
        for name, value in step.get("expect_sent", []):
            assert seen_headers[name] == value
        check_headers(step, headers, cache)
        first = body if happened == "not_cached" else first
        cache.now += step.get("wait", 0)


def check_headers(step, headers, cache):
    """Check headers. A row is [name, value], [name, ">", number], a required name, or a name that must be absent."""
    for expected in step.get("expect_headers", []):
        expected = [expected] if isinstance(expected, str) else expected
        assert expected[0].lower() in headers
        if len(expected) == 3 and expected[1] == ">":
            assert int(headers[expected[0].lower()]) > expected[2]
        elif len(expected) == 2:
            assert headers[expected[0].lower()] == cache.value(expected[1])
    for unwanted in step.get("expect_no_headers", []):
        name = unwanted if isinstance(unwanted, str) else unwanted[0]
        assert name.lower() not in headers


def kept(*pairs, status=200, now=NOW, sent=SENT, fetch_ms=0, ttl=freshness.TTL_OPEN):
    snapshot = Snapshot("k", "u", "u", "raw", None, status, "", text="body")
    return snapshot._replace(**freshness.columns(status, pairs, sent, now, fetch_ms, ttl=ttl))


# RFC 9111 section 4.2.1 and 4.2.2: (header fields, seconds for which the answer is used without asking)
LIFETIMES = [
    ([("Cache-Control", "max-age=60")], 60),
    ([("Cache-Control", "max-age=60, s-maxage=600")], 60),
    ([("Cache-Control", "max-age=60"), ("Age", "20")], 40),
    ([("Cache-Control", "max-age=60, max-age=600")], 60),
    ([("Cache-Control", 'max-age="60"')], 60),
    ([("Cache-Control", "private, max-age=60")], 60),
    ([("Cache-Control", "no-cache, max-age=60")], 0),
    ([("Cache-Control", "max-age=-1")], 0),
    ([("Cache-Control", "max-age=1e3")], 0),
    ([("Expires", to_http(NOW + 90))], 90),
    ([("Expires", to_http(NOW + 90)), ("Date", to_http(NOW + 30))], 60),
    ([("Expires", "0")], 0),
    ([("Cache-Control", "max-age=5"), ("Expires", to_http(NOW + 90))], 5),
    ([("Last-Modified", to_http(NOW - 1000))], 900),
    ([("Last-Modified", to_http(NOW + 1000))], 900),
    ([("ETag", '"a"')], 900),
    ([("ETag", '"a"'), ("Age", "1000")], 900),
    ([("ETag", '"a"'), ("Cache-Control", "must-revalidate")], 900),
    ([], freshness.TTL_OPEN),
    ([("Last-Modified", to_http(NOW - 1e9))], 900),
]


@pytest.mark.parametrize(("pairs", "seconds"), LIFETIMES)
def test_the_freshness_lifetime_follows_the_headers(pairs, seconds):
    copy = kept(*pairs)
    assert dates.from_iso(copy.expires_at) == NOW + seconds
    for moment in (NOW, NOW + seconds - 1, NOW + seconds, NOW + seconds + 1):
        plan = freshness.plan(copy, SENT, max(moment, NOW))
        assert (plan.action == "use") == (max(moment, NOW) < NOW + seconds)


# RFC 9111 section 3: (status, header fields, may it be kept)
STORABLE = [
    (200, [], True),
    (200, [("Cache-Control", "no-store")], False),
    (200, [("Cache-Control", "NO-STORE, max-age=60")], False),
    (200, [("Cache-Control", 'x="no-store"')], True),
    (200, [("Cache-Control", "private")], True),
    (206, [("Cache-Control", "max-age=60")], False),
    (302, [], False),
    (302, [("Cache-Control", "max-age=60")], True),
    (404, [], True),
    (500, [], False),
    (500, [("Expires", to_http(NOW + 60))], True),
    (101, [("Cache-Control", "max-age=60")], False),
    (199, [("Cache-Control", "max-age=60")], False),
    (599, [("Cache-Control", "max-age=60")], True),
    (600, [("Cache-Control", "max-age=60")], False),
]


@pytest.mark.parametrize(("status", "pairs", "allowed"), STORABLE)
def test_a_response_is_stored_only_if_its_headers_allow(status, pairs, allowed):
    assert freshness.is_storable(status, pairs, SENT) is allowed


# RFC 9111 sections 3 and 4.2.2: (status, header fields, seconds for which the error is kept; None: not at all)
ERRORS = [
    (404, [("Cache-Control", "max-age=60")], 60),
    (404, [("Cache-Control", "max-age=100000")], 3600),
    (410, [("Expires", to_http(NOW + 120))], 120),
    (503, [("Cache-Control", "max-age=100000")], 300),
    (405, [("Last-Modified", to_http(NOW - 1000))], 300),
    (501, [("Last-Modified", to_http(NOW - 86400))], 300),
    (404, [("Cache-Control", "max-age=0")], 0),
    (404, [], None),
    (404, [("ETag", '"a"')], None),
    (404, [("Cache-Control", "no-store, max-age=60")], None),
    (502, [("Last-Modified", to_http(NOW - 1000))], None),
    (401, [("Cache-Control", "max-age=60")], None),
    (429, [("Cache-Control", "max-age=60")], None),
]


@pytest.mark.parametrize(("status", "pairs", "seconds"), ERRORS)
def test_an_error_is_stored_briefly_if_its_server_states_a_lifetime(status, pairs, seconds):
    assert freshness.is_storable_error(status, iter(pairs), SENT) is (seconds is not None)
    if seconds is not None:
        cap = freshness.error_cap(status)
        snapshot = freshness.columns(status, pairs, SENT, NOW, 0, ttl=cap, cap=cap)
        assert dates.from_iso(snapshot["expires_at"]) == NOW + seconds


# RFC 9110 section 15.4: (redirects on the way, seconds for which they hold)
FOREVER = freshness.MAX_LIFETIME
WAYS = [
    ([], FOREVER),
    ([(301, [])], FOREVER),
    ([(308, [("ETag", '"a"')])], FOREVER),
    ([(301, [("Cache-Control", "max-age=60")])], 60),
    ([(301, [("Cache-Control", "no-cache")])], 0),
    ([(301, [("Cache-Control", "no-store")])], 0),
    ([(302, [])], 0),
    ([(303, [])], 0),
    ([(307, [("Expires", to_http(NOW + 30))])], 30),
    ([(302, [("Cache-Control", "max-age=60"), ("Age", "20")])], 40),
    ([(302, [("Cache-Control", "max-age=60"), ("Age", "90")])], 0),
    ([(302, [("Cache-Control", "max-age=60")]), (301, [])], 60),
    ([(301, []), (302, [("Cache-Control", "max-age=60")]), (302, [("Cache-Control", "max-age=9")])], 9),
]


@pytest.mark.parametrize(("hops", "seconds"), WAYS)
def test_a_page_is_not_fresher_than_its_redirects(hops, seconds):
    assert freshness.cap_of(hops, NOW) == seconds
    snapshot = freshness.columns(200, [("Cache-Control", "max-age=600")], SENT, NOW, 0, cap=freshness.cap_of(hops, NOW))
    assert dates.from_iso(snapshot["expires_at"]) == NOW + min(seconds, 600)


def test_a_request_that_forbids_storing_is_heeded():
    assert not freshness.is_storable(200, [], (("Cache-Control", "no-store"),))


# (header fields, request conditions): the entity tag first, then the date, and neither if it could not be sent
CONDITIONS = [
    ([("ETag", '"a"'), ("Last-Modified", to_http(NOW))], (("If-None-Match", '"a"'),)),
    ([("Last-Modified", to_http(NOW))], (("If-Modified-Since", to_http(NOW)),)),
    ([("Last-Modified", "yesterday")], ()),
    ([("ETag", 'W/"a b"')], (("If-None-Match", 'W/"a b"'),)),
    ([("ETag", '"a\r\nX: y"')], ()),
    ([("ETag", '"\u20ac"')], ()),
    ([], ()),
]


@pytest.mark.parametrize(("pairs", "conditions"), CONDITIONS)
def test_a_copy_is_validated_by_etag_or_else_by_date(pairs, conditions):
    copy = kept(*pairs)
    assert freshness.plan(copy, SENT, NOW, force=True).conditions == conditions


def test_force_revalidates_a_fresh_copy_and_offline_never_asks():
    copy = kept(("Cache-Control", "max-age=60"), ("ETag", '"a"'))
    assert freshness.plan(copy, SENT, NOW, force=True).action == "validate"
    assert freshness.plan(copy, SENT, NOW + 1e6, offline=True) == freshness.Plan("use", age=1000000, stale=True)
    assert freshness.plan(kept(("Cache-Control", "max-age=60")), SENT, NOW, force=True).action == "fetch"


def test_a_copy_from_the_future_is_revalidated():
    copy = kept(("Cache-Control", "max-age=60"), ("ETag", '"a"'))
    assert freshness.plan(copy, SENT, NOW - 59).action == "use"
    for past in (61, 1e6, 1e9):
        assert freshness.plan(copy, SENT, NOW - past, accept_age=900).action == "validate"
        assert freshness.plan(copy, SENT, NOW - past, offline=True)[::3] == ("use", True)


def test_a_young_copy_serves_parts_even_if_stale():
    copy = kept(("Cache-Control", "no-cache"), ("Vary", "*"))
    assert freshness.plan(copy, SENT, NOW + 899, accept_age=900).action == "use"
    assert freshness.plan(copy, SENT, NOW + 900, accept_age=900).action == "fetch"
    assert freshness.plan(copy, SENT, NOW + 1, accept_age=900, force=True).action == "fetch"


def test_a_copy_for_other_request_headers_is_not_used():
    copy = kept(("Vary", "Accept, user-agent"), ("Cache-Control", "max-age=60"))
    assert freshness.plan(copy, SENT, NOW).action == "use"
    assert freshness.plan(copy, (("ACCEPT", "*/*"), ("User-Agent", "webtool/test")), NOW).action == "use"
    assert freshness.plan(copy, (("Accept", "text/plain"),), NOW).action == "fetch"
    assert "webtool/test" not in copy.headers_json


# RFC 9111 section 4.2.4 and RFC 5861: (Cache-Control, status or none, seconds past freshness, may it be used)
STALE = [
    ("max-age=0", None, 3600, True),
    ("max-age=0", None, 8 * 86400, False),
    ("max-age=0, stale-if-error=10", None, 9, True),
    ("max-age=0, stale-if-error=10", None, 11, False),
    ("max-age=0, must-revalidate", None, 1, False),
    ("no-cache", None, 1, False),
    ("max-age=0", 503, 1, False),
    ("max-age=0, stale-if-error=10", 503, 9, True),
    ("max-age=0, stale-if-error=10", 503, 11, False),
    ("max-age=0, stale-if-error=10", 404, 9, False),
    ("max-age=0, stale-if-error=10, must-revalidate", 500, 1, False),
]


@pytest.mark.parametrize(("control", "status", "past", "allowed"), STALE)
def test_a_stale_copy_replaces_a_failure_only_if_allowed(control, status, past, allowed):
    assert freshness.may_serve_stale(kept(("Cache-Control", control)), status, NOW + past) is allowed
    assert freshness.may_serve_stale(None, status, NOW) is False


def test_stale_while_revalidate_allows_a_stale_copy_and_marks_it():
    copy = kept(("Cache-Control", "max-age=1, stale-while-revalidate=60"))
    assert freshness.plan(copy, SENT, NOW + 30) == freshness.Plan("use", age=30, stale=True)
    assert freshness.plan(copy, SENT, NOW + 62).action == "fetch"
    long = kept(("Cache-Control", "max-age=1, stale-while-revalidate=86400"))
    assert freshness.plan(long, SENT, NOW + 300).action == "use"
    assert freshness.plan(long, SENT, NOW + 302).action == "fetch"


def test_a_304_updates_the_headers_but_not_those_of_the_body():
    copy = kept(("ETag", '"a"'), ("Content-Type", "text/html"), ("X-Old", "1"), ("Age", "5"))
    newer = freshness.refreshed(
        copy,
        [("ETag", 'W/"a"'), ("Content-Type", "text/plain"), ("Cache-Control", "max-age=60"), ("Set-Cookie", "a=b")],
        SENT,
        NOW + 100,
        0,
    )
    headers = response_headers(newer, NOW + 110)
    assert headers["content-type"] == "text/html"
    assert headers["x-old"] == "1"
    assert headers["age"] == "10"
    assert "set-cookie" not in headers
    assert newer.expires_at == dates.iso(NOW + 160)
    assert newer.text == copy.text


def test_a_304_without_a_date_was_sent_when_it_arrived():
    """RFC 9110 section 6.6.1: a server without a clock sends no Date; the recipient's clock replaces it."""
    stored_fields = ("Date", to_http(NOW)), ("ETag", '"a"'), ("Cache-Control", "max-age=60")
    newer = freshness.refreshed(kept(*stored_fields), [("ETag", '"a"')], SENT, NOW + 1000, 0)
    assert newer.expires_at == dates.iso(NOW + 1060)
    assert freshness.plan(newer, SENT, NOW + 1059) == freshness.Plan("use", age=59)


def test_a_304_with_another_etag_is_rejected():
    assert freshness.refreshed(kept(("ETag", '"a"')), [("ETag", '"b"')], SENT, NOW, 0) is None


def test_secret_and_hop_by_hop_fields_are_not_stored():
    pairs = [
        ("Set-Cookie", "sid=secret"), ("WWW-Authenticate", 'Basic realm="secret"'), ("Connection", "close, X-Hop"),
        ("X-Hop", "1"), ("Proxy-Authenticate", "secret"), ("X-Long", "x" * 5000), ("X-Kept", "yes"),
    ]  # fmt: skip
    sent = (*SENT, ("Cookie", "secret"), ("Authorization", "secret"))
    copy = kept(*pairs, ("Vary", "Cookie, Authorization"), sent=sent)
    assert "secret" not in copy.headers_json
    fields = response_headers(copy, NOW)
    assert fields == {"x-kept": "yes", "vary": "Cookie, Authorization", "age": "0"}


def test_unreadable_columns_make_a_copy_unusable_not_an_error():
    copy = kept(("Cache-Control", "max-age=60"))
    for broken in (
        copy._replace(headers_json="{"),
        copy._replace(headers_json="[1]"),
        copy._replace(headers_json=None, expires_at=None),
        copy._replace(expires_at="soon", fetched_at="once"),
        copy._replace(headers_json="[" * 100000),
    ):
        assert freshness.plan(broken, SENT, NOW + 1e6).action in ("fetch", "validate", "use")
        freshness.may_serve_stale(broken, None, NOW)
        response_headers(broken, NOW)


FIELDS = st.lists(
    st.tuples(
        st.sampled_from(
            ["Cache-Control", "Age", "Date", "Expires", "ETag", "Last-Modified", "Vary", "Connection", "X"]
        ),
        st.one_of(st.text(max_size=40), st.sampled_from(["max-age=1", "no-cache", to_http(NOW), "*", '"a"'])),
    ),
    max_size=8,
)


@given(FIELDS, st.integers(100, 599), st.floats(0, 1e11), st.floats(0, 1e11))
def test_any_headers_give_a_decision(pairs, status, now, later):
    snapshot = Snapshot("k", "u", "u", "raw", None, status, "")._replace(
        **freshness.columns(status, pairs, SENT, now, 5)
    )
    freshness.is_storable(status, pairs, SENT)
    plan = freshness.plan(snapshot, SENT, later)
    assert plan.action in ("use", "validate", "fetch")
    assert plan.age >= 0
    assert all("\n" not in value and "\r" not in value for _, value in plan.conditions)
    freshness.refreshed(snapshot, pairs, SENT, later, 5)


@pytest.mark.parametrize("noise", [", ", "=", '"', 'a="', "\t", "\\"])
def test_reading_directives_takes_linear_time(noise):
    def cost(count):
        start = time.process_time()
        for _ in range(20):
            headers.directives(noise * (count // len(noise)))
        return time.process_time() - start

    assert not growth(cost, 2000)
