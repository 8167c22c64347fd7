"""The shared table of cache conversations, through the whole pipeline and a real cache file."""

import pytest
from http_dates import response_headers, to_http
from shared_cases import rows

from webtool import pages
from webtool.cache.store import open_cache
from webtool.context import Context
from webtool.errors import HttpError, NetworkError, WebtoolError
from webtool.net.messages import Headers, Response
from webtool.settings import Settings

NOW = 1_800_000_000.0


def applies_to_us(case):
    """Return whether the case applies to this cache, which never stores cookies."""
    return case["level"] in ("must", "should") and case["id"] != "hc-headers-store-Set-Cookie2"


class Server:
    """A client that plays the server of one conversation."""

    def __init__(self):
        self.now = NOW
        self.answered_at = NOW
        self.step = {}
        self.seen = []

    def fetch(self, request, **_):
        self.seen.append(dict(request.headers))
        step = self.step
        if step.get("disconnect"):
            raise NetworkError("the server hung up")
        self.answered_at = self.now
        self.now += step.get("delay", 0)
        status = step.get("status") or (304 if step.get("expect", "").endswith("validated") else 200)
        pairs = [(name, self.value(value)) for name, value in step.get("headers", [])]
        pairs.append(("Content-Type", "text/plain"))
        body = (step.get("body") or f"body {len(self.seen)}") if status == 200 else ""
        elapsed = int((self.now - self.answered_at) * 1000)
        return Response(request.url, status, "", Headers(pairs), body.encode(), elapsed_ms=elapsed)

    def value(self, value):
        return to_http(self.answered_at + value["date"]) if isinstance(value, dict) else value

    def close(self):
        pass


@pytest.mark.parametrize("case", rows("http_cache.json", "cases", applies_to_us))
def test_each_conversation_through_the_pipeline_gives_the_expected_answers(case, tmp_path):
    server, first = Server(), None
    cache = open_cache(str(tmp_path / "cache.sqlite3"), Settings(), pytest.fail)
    ctx = Context(Settings(respect_robots=False), server, cache, environ={}, now=lambda: server.now)
    for step in case["steps"]:
        server.step, before = step, len(server.seen)
        url = f"https://e.example/?{step.get('query', '')}#{step.get('fragment', '')}"
        try:
            page = pages.open_page(ctx, pages.PageRequest(url, "raw"))
        except HttpError:
            assert step.get("expect_error") or step["status"] >= 400
            assert len(server.seen) - before == (0 if step.get("expect") == "cached" else 1)
            server.now += step.get("wait", 0)
            continue
        except WebtoolError:
            assert step.get("expect_error") or step.get("disconnect")
            continue
        assert not step.get("expect_error")
        asked = server.seen[before:]
        check(step, asked, page, first, server)
        first = first if page.cache_hit else page.snapshot.text
        server.now += step.get("wait", 0)
    cache.close()


def check(step, asked, page, first, server):
    """Compare what reached the server and what came back with the expectations of the step."""
    expected = step.get("expect", "any")
    if expected == "cached":
        assert asked == []
    elif expected != "any":
        assert len(asked) == 1
    condition = {"etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since"}.get(expected)
    if condition:
        assert condition in asked[0]
    if expected in ("cached", "etag_validated", "lm_validated") and not step.get("any_body"):
        assert page.snapshot.text == first
    for name, value in step.get("expect_sent", []):
        assert asked[0][name] == value
    headers = response_headers(page.snapshot, server.now)
    for name, *value in step.get("expect_headers", []):
        assert name.lower() in headers
        if len(value) == 1 and name.lower() not in ("content-type", "age"):
            assert headers[name.lower()] == server.value(value[0])
