"""web_batch_open: order, failures apart, one deadline, cancellation, progress."""

import json
import threading
import time

import pytest
from servers import Server, page

from webtool.errors import Cancelled, InvalidArgument
from webtool.running.workers import Workers
from webtool.tools import web_batch_open


class Site(Server):
    """`/n/<number>` answers later the smaller the number; `/stuck` when released."""

    def __init__(self):
        self.release = threading.Event()
        self.running = self.most = 0
        self.awaited = 0  # how many requests wait for one another
        self.together = threading.Event()
        self.lock = threading.Lock()
        super().__init__({"/stuck": self.stuck, "*": self.answer})

    def answer(self, request):
        if request.path == "/robots.txt":
            return 404, {}, b""
        if request.path.startswith("/bad"):
            return 500, {"Content-Type": "text/plain"}, b""
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
            if self.running >= self.awaited:
                self.together.set()
        if self.awaited:
            self.together.wait(10)
        else:
            time.sleep(0.05 / (1 + int(request.path.rpartition("/")[2])))
        with self.lock:
            self.running -= 1
        return 200, {"Content-Type": "text/plain"}, request.path.encode()

    def stuck(self, request):
        self.release.wait(60)
        return 200, {"Content-Type": "text/plain"}, b"late"


@pytest.fixture
def site():
    with Site() as server:
        yield server
        server.release.set()


def items(site, *paths):
    return [{"url": path if "://" in path else site.url + path, "mode": "raw"} for path in paths]


def test_results_keep_the_order_and_failures_stand_apart(ctx, site):
    progress = []
    ctx.progress = lambda done, total, text: progress.append((done, total))
    paths = ["/n/0", "/bad/1", "/n/2", "ftp://x/", "/n/4", "/n/0", "http://10.0.0.1/"]
    data = web_batch_open.run(ctx, items=items(site, *paths), concurrency=3).data
    assert [page["raw"] for page in data["items"]] == ["/n/0", "/n/2", "/n/4", "/n/0"]
    assert [entry["error_code"] for entry in data["failed"]] == ["HTTP_ERROR", "INVALID_URL", "SSRF_BLOCKED"]
    assert all(entry["url"] and entry["error"] and "success" not in entry for entry in data["failed"])
    assert progress == [(n, 7) for n in range(1, 8)]


def test_no_more_pages_at_once_than_allowed(ctx, site):
    web_batch_open.run(ctx, items=items(site, *[f"/n/{n}" for n in range(12)]), concurrency=2)
    assert site.most <= 2


def test_one_deadline_holds_for_the_whole_batch(ctx, site):
    ctx.deadline = time.monotonic() + 2
    begun = time.monotonic()
    data = web_batch_open.run(ctx, items=items(site, "/stuck", "/n/1", "/stuck", "/stuck"), concurrency=2).data
    assert time.monotonic() - begun < 20
    assert [page["raw"] for page in data["items"]] == ["/n/1"]
    assert {entry["error_code"] for entry in data["failed"]} == {"FETCH_TIMEOUT"}


def test_a_cancelled_batch_ends_at_once(ctx, site):
    begun = time.monotonic()
    ctx.is_cancelled = lambda: time.monotonic() > begun + 0.3
    with pytest.raises(Cancelled):
        web_batch_open.run(ctx, items=items(site, "/stuck", "/stuck"), concurrency=1)
    assert time.monotonic() - begun < 20


def test_the_tokens_of_an_answer_are_shared(ctx, site):
    site.routes["/long"] = (200, {"Content-Type": "text/plain"}, b"a line of text\n" * 5000)
    data = web_batch_open.run(ctx, items=items(site, "/long?1", "/long?2"), max_tokens=2000).data
    assert len(data["items"]) == 2
    assert len(str(data)) < 10_000
    assert all(page["next_offset"] > 1 for page in data["items"])


def size(data):
    return len(json.dumps(data, ensure_ascii=False).encode()) // 4


@pytest.mark.parametrize("path", ["/n/1?{}", "/bad/{}", "/long?{}", "/n/1?{}" + "x" * 300, "/titled?{}"])
def test_an_answer_never_passes_its_tokens_and_says_how_to_go_on(ctx, site, path):
    site.routes["/long"] = (200, {"Content-Type": "text/plain"}, b"a line of text\n" * 5000)
    site.routes["/titled"] = page("<title>" + "word " * 5000 + "</title><p>" + "A sentence of some length. " * 40)
    all_items = [{"url": site.url + path.format(n)} for n in range(60)]
    answered, first = [], 0
    for _ in range(60):
        data = web_batch_open.run(ctx, items=all_items[first:], concurrency=16, max_tokens=4000).data
        assert size(data) < 4000
        answered += [entry["url"] for entry in data["items"] + data["failed"]]
        if "next_item" not in data:
            break
        assert f"from number {data['next_item']} on" in data["note"]
        first += data["next_item"] - 1
        assert first == len(answered)
    assert answered == [entry["url"] for entry in all_items]


def test_one_item_is_always_answered_and_without_a_limit_all_are(ctx, site):
    all_items = items(site, "/n/0", "/n/1")
    data = web_batch_open.run(ctx, items=all_items, max_tokens=1).data
    assert (len(data["items"]), data["next_item"]) == (1, 2)
    assert list(web_batch_open.run(ctx, items=all_items).data) == ["items", "failed"]


def test_too_many_items_are_refused_and_an_empty_list_is_allowed(ctx):
    with pytest.raises(InvalidArgument):
        web_batch_open.run(ctx, items=[{"url": "https://e.example"}] * 501)
    assert web_batch_open.run(ctx, items=[]).data == {"items": [], "failed": []}


def test_pages_that_hang_leave_time_for_the_others(ctx, site):
    ctx.deadline = time.monotonic() + 3
    data = web_batch_open.run(ctx, items=items(site, "/stuck?1", "/stuck?2", "/n/1", "/n/2"), concurrency=2).data
    assert [page["raw"] for page in data["items"]] == ["/n/1", "/n/2"]
    assert [entry["error_code"] for entry in data["failed"]] == ["FETCH_TIMEOUT"] * 2


@pytest.mark.parametrize("has_workers", [False, True])
def test_pages_are_converted_in_workers_on_every_surface(ctx, site, monkeypatch, has_workers):
    calls, closed = [], []

    class Recorded(Workers):
        def call(self, target, *arguments, **bounds):
            calls.append((target, bounds["memory"]))
            return super().call(target, *arguments, **bounds)

        def close(self):
            closed.append(self)
            super().close()

    monkeypatch.setattr(web_batch_open, "Workers", Recorded)
    ctx.workers = Recorded(1) if has_workers else None
    site.routes["/page"] = page("<title>T</title><main><h1>T</h1><p>" + "A sentence of words. " * 20)
    data = web_batch_open.run(ctx, items=[{"url": f"{site.url}/page"}]).data
    assert data["items"][0]["title"] == "T"
    assert calls == [("webtool.pages.in_worker:run_conversion", 700 << 20)]
    assert len(closed) == (0 if has_workers else 1)  # a server's workers live on
    if has_workers:
        ctx.workers.close()


@pytest.mark.parametrize(("seconds", "codes"), [("1", [None] * 3), ("3600", [None, "RATE_LIMITED", "RATE_LIMITED"])])
def test_a_crawl_delay_is_obeyed_within_the_deadline(ctx, seconds, codes):
    times = []

    def noted(_request):
        times.append(time.monotonic())
        return 200, {"Content-Type": "text/plain"}, b"page"

    robots = (200, {"Content-Type": "text/plain"}, f"User-agent: *\nCrawl-delay: {seconds}\n".encode())
    with Server({"/robots.txt": robots, "*": noted}) as server:
        listed = items(server, "/0", "/1", "/2")
        begun = time.monotonic()
        data = web_batch_open.run(ctx, items=listed, concurrency=3).data
    assert time.monotonic() - begun < 20
    assert [entry["error_code"] for entry in data["failed"]] == [code for code in codes if code]
    assert [entry.get("retry_after") for entry in data["failed"]] == [3600 for code in codes if code]
    assert len(times) == codes.count(None)
    assert all(later - earlier >= 0.95 for earlier, later in zip(times, times[1:]))


def test_pages_of_one_host_are_fetched_at_once_if_it_asks_for_no_pause(ctx, site):
    site.awaited = 3
    web_batch_open.run(ctx, items=items(site, *[f"/n/{n}" for n in range(12)]), concurrency=4)
    assert site.most >= 3
