"""Many items on a few threads: order, retries, pauses of a host, a caller that stops."""

import math
import threading
import time

import pytest

from webtool.bulk import crawl
from webtool.bulk.crawl import Crawl, Manners
from webtool.errors import Cancelled, FetchTimeout, HttpError, InternalError, NetworkError


def run(items, work, **manners):
    hosts = [item.partition("/")[0] for item in items]
    return list(Crawl(items, hosts, work, Manners(**manners)).outcomes())


def test_outcomes_come_in_the_items_order():
    def work(item):
        time.sleep(0.05 if item.endswith("0") else 0)
        return item.upper()

    items = [f"{'abc'[n % 3]}/{n}" for n in range(30)]
    assert run(items, work, concurrency=8) == [(n, item.upper()) for n, item in enumerate(items)]
    assert run([], work) == []


def test_errors_are_outcomes():
    def work(item):
        raise RuntimeError("x") if item == "a/0" else HttpError("no", status_code=404)

    (_, first), (_, second) = run(["a/0", "a/1"], work)
    assert (type(first), type(second)) == (InternalError, HttpError)


def test_a_failing_delay_function_does_not_lose_the_outcome():
    def delay_of(item):
        raise ValueError(item)

    begun = time.monotonic()
    outcomes = Crawl(["a/0", "a/1"], ["a", "a"], str.upper, Manners(), delay_of, deadline=begun + 10).outcomes()
    assert list(outcomes) == [(0, "A/0"), (1, "A/1")]


def test_retryable_failures_are_tried_again(monkeypatch):
    monkeypatch.setattr(crawl, "_BACKOFF", 0.01)
    tries = {}

    def work(item):
        tries[item] = tries.get(item, 0) + 1
        if item == "a/dead" or (item == "a/late" and tries[item] < 3):
            raise NetworkError("refused")
        if item == "a/gone":
            raise HttpError("no", status_code=404)
        return "fine"

    outcomes = dict(run(["a/dead", "a/late", "a/gone", "b/x"], work, retry=2))
    assert tries == {"a/dead": 3, "a/late": 3, "a/gone": 1, "b/x": 1}
    assert [type(outcomes[0]), outcomes[1], type(outcomes[2]), outcomes[3]] == [NetworkError, "fine", HttpError, "fine"]


def test_a_retry_that_is_given_up_delays_no_other_item(monkeypatch):
    monkeypatch.setattr(crawl, "_BACKOFF", 100.0)  # longer than max_wait

    def work(item):
        if item == "a/0":
            raise NetworkError("refused")
        return item

    assert isinstance((outcomes := dict(run(["a/0", "a/1"], work, retry=1, per_host=1)))[0], NetworkError)
    assert outcomes[1] == "a/1"


@pytest.mark.parametrize(
    ("error", "is_slowed"),
    [
        (HttpError("no", status_code=429, retryable=True), True),
        (HttpError("no", status_code=503, retryable=True), True),
        (HttpError("a bot wall", status_code=429, retryable=False), False),
        (HttpError("no", status_code=500, retryable=True), False),
        (HttpError("no", status_code=404, retryable=False), False),
        (NetworkError("reset"), False),
    ],
)
def test_a_host_that_is_overloaded_gets_its_items_further_apart(monkeypatch, error, is_slowed):
    monkeypatch.setattr(crawl, "_SLOW_DELAY", 100.0)  # longer than max_wait: so the others are refused

    def work(item):
        if item == "a/0":
            raise error
        return item

    outcomes = dict(run(["a/0", "a/1", "b/0"], work, per_host=1))
    assert is_slowed or outcomes[0] is error
    assert [getattr(outcomes[number], "code", "") == "RATE_LIMITED" for number in (0, 1)] == [is_slowed] * 2
    assert outcomes[2] == "b/0"


def test_a_host_is_not_slowed_down_before_a_deadline(monkeypatch):
    monkeypatch.setattr(crawl, "_SLOW_DELAY", 100.0)

    def work(item):
        if item == "a/0":
            raise HttpError("no", status_code=429, retryable=True)
        return item

    outcomes = Crawl(["a/0", "a/1"], "aa", work, Manners(), deadline=time.monotonic() + 60).outcomes()
    assert [getattr(outcome, "status_code", outcome) for _, outcome in outcomes] == [429, "a/1"]


def test_what_was_under_way_at_an_overloaded_host_is_tried_again_once(monkeypatch):
    monkeypatch.setattr(crawl, "_SLOW_DELAY", 0.01)
    monkeypatch.setattr(crawl, "_BACKOFF", 0.01)
    both, begun = threading.Barrier(2), []

    def work(item):
        begun.append(item)
        if len(begun) <= 2:
            both.wait(10)
        raise HttpError("no", status_code=429, retryable=True)

    outcomes = run(["a/0", "a/1", "a/2"], work, per_host=2, concurrency=2)
    assert [outcome.status_code for _, outcome in outcomes] == [429] * 3
    assert sorted(begun) == ["a/0", "a/0", "a/1", "a/1", "a/2"]


def test_a_host_that_asks_for_a_pause_does_not_delay_others():
    begun = time.monotonic()
    seen = []

    def work(item):
        seen.append((item, time.monotonic() - begun))
        if item == "a/0" and len([one for one, _ in seen if one == item]) == 1:
            raise HttpError("busy", status_code=503, retry_after=1.0, retryable=True)
        return item

    items = ["a/0", "a/1", "a/2", *(f"b/{n}" for n in range(20))]
    outcomes = run(items, work, retry=1, concurrency=2)
    assert [outcome for _, outcome in outcomes] == items
    assert all(at >= 1.0 for item, at in seen if item in ("a/1", "a/2"))
    assert max(at for item, at in seen if item.startswith("b/")) < min(at for item, at in seen if item == "a/1")


def test_unordered_outcomes_do_not_wait_for_long(monkeypatch):
    monkeypatch.setattr(crawl, "_MAX_HOLD_SECONDS", 0.1)
    release = threading.Event()

    def work(item):
        if item == "a/0":
            release.wait(20)
        return item

    items = ["a/0", "b/1", "b/2", "b/3"]
    outcomes = Crawl(items, ["a", "b", "b", "b"], work, Manners(is_ordered=False)).outcomes()
    assert [next(outcomes)[0] for _ in range(3)] == [1, 2, 3]
    release.set()
    assert list(outcomes) == [(0, "a/0")]


def test_the_number_of_held_outcomes_is_limited(monkeypatch):
    monkeypatch.setattr(crawl, "MAX_HELD", 8)
    done = []
    outcomes = Crawl([f"a/{n}" for n in range(200)], ["a"] * 200, done.append, Manners(per_host=4)).outcomes()
    next(outcomes)
    time.sleep(0.3)
    assert len(done) <= 10
    assert len(list(outcomes)) == 199
    assert len(done) == 200


def test_a_slow_first_item_still_runs_if_the_limit_is_reached(monkeypatch):
    monkeypatch.setattr(crawl, "MAX_HELD", 4)
    items = ["a/0", "a/1", *(f"b/{n}" for n in range(50))]
    hosts = [item[0] for item in items]
    outcomes = Crawl(items, hosts, lambda item: item, Manners(), lambda item: 0.3 if item[0] == "a" else 0.0).outcomes()
    assert [outcome for _, outcome in outcomes] == items


def test_a_cancelled_item_ends_the_crawl():
    def work(item):
        raise Cancelled("the call was cancelled")

    with pytest.raises(Cancelled):
        run(["a/0", "a/1"], work)


def test_threads_end_with_the_caller():
    count = threading.active_count()
    done = []
    outcomes = Crawl([f"a/{n}" for n in range(2000)], ["a"] * 2000, done.append, Manners()).outcomes()
    next(outcomes)
    outcomes.close()
    time.sleep(0.8)
    before = len(done)
    time.sleep(0.2)
    assert len(done) == before < 2000
    assert threading.active_count() <= count


def start(items, work, concurrency, **bounds):
    """Start a crawl in which every item has its own host, so that no host limits it."""
    return Crawl(items, range(len(items)), work, Manners(concurrency), **bounds)


def test_items_that_hang_time_out_at_the_deadline():
    release = threading.Event()
    jobs = start([0, 1], lambda n: release.wait(20) if n == 0 else n, 2, deadline=time.monotonic() + 1)
    outcomes = [outcome for _, outcome in jobs.outcomes()]
    release.set()
    assert isinstance(outcomes[0], FetchTimeout)
    assert outcomes[1] == 1


def test_an_item_that_notices_the_cancellation_first_ends_the_crawl():
    def work(n):
        raise Cancelled("felt")

    with pytest.raises(Cancelled, match="felt"):
        list(start(range(3), work, 1).outcomes())


def test_cancellation_stops_the_wait_and_the_items_not_started():
    begun, release = [], threading.Event()

    def work(n):
        begun.append(n)
        return release.wait(20)

    jobs = start(range(10), work, 1, is_cancelled=lambda: bool(begun))
    with pytest.raises(Cancelled):
        list(jobs.outcomes())
    release.set()
    time.sleep(0.05)
    assert begun == [0]


def test_cancellation_holds_back_outcomes_that_are_ready():
    cancelled, done = threading.Event(), threading.Event()
    jobs = start(range(3), lambda n: n == 2 and done.set(), 1, is_cancelled=cancelled.is_set)
    outcomes = jobs.outcomes()
    next(outcomes)
    assert done.wait(20)
    cancelled.set()
    with pytest.raises(Cancelled):
        next(outcomes)


def failing(**fields):
    error = HttpError("HTTP 429", status_code=429, retryable=True)
    error.retry_after = fields.get("retry_after")
    return error


def test_what_is_not_waited_for_fails_and_other_hosts_go_on():
    items = ["slow/0", "slow/1", "busy/0", "busy/1", "good/0", "good/1"]

    def work(item):
        if item == "busy/0":
            raise failing(retry_after=7200.0)
        return item

    delays = {"slow": 3600.0}
    crawl = Crawl(items, [item[:4] for item in items], work, Manners(), lambda item: delays.get(item[:4], 0.0))
    begun = time.monotonic()
    outcomes = dict(crawl.outcomes())
    assert time.monotonic() - begun < 20
    assert [outcomes[n] for n in (0, 4, 5)] == ["slow/0", "good/0", "good/1"]
    assert [outcomes[n].code for n in (1, 2, 3)] == ["RATE_LIMITED", "HTTP_ERROR", "RATE_LIMITED"]
    assert [outcomes[n].retry_after for n in (1, 2, 3)] == pytest.approx([3600, 7200, 7200], abs=5)
    assert outcomes[1].retryable
    assert ["Crawl-delay" in outcomes[1].message, "Retry-After" in outcomes[3].message] == [True, True]


def test_a_retry_that_would_wait_too_long_is_not_made():
    calls = []

    def work(item):
        calls.append(item)
        raise failing(retry_after=7200.0)

    (outcome,) = dict(Crawl(["a"], ["a"], work, Manners(retry=3)).outcomes()).values()
    assert (outcome.code, len(calls)) == ("HTTP_ERROR", 1)


def test_the_deadline_bounds_waiting_too():
    items, begun = ["a/0", "a/1"], time.monotonic()
    manners = Manners(max_wait=math.inf)
    crawl = Crawl(items, "aa", lambda item: item, manners, lambda _item: 30.0, deadline=begun + 10)
    outcomes = dict(crawl.outcomes())
    assert time.monotonic() - begun < 8
    assert (outcomes[0], outcomes[1].code) == ("a/0", "RATE_LIMITED")


def test_a_wait_is_reported_with_its_host_and_its_seconds():
    waits = []
    crawl = Crawl(
        ["a", "a"], "aa", str, Manners(delay=0.5), on_wait=lambda host, seconds: waits.append((host, seconds))
    )
    assert len(list(crawl.outcomes())) == 2
    assert {host for host, _ in waits} == {"a"}
    assert all(0 <= seconds <= 0.5 for _, seconds in waits)


def test_many_refused_items_of_an_ordered_run_all_get_their_outcome():
    count = 5000
    crawl = Crawl(range(count), ["a"] * count, str, Manners(), lambda _item: 9999.0)
    codes = [getattr(outcome, "code", outcome) for _, outcome in crawl.outcomes()]
    assert codes == ["0", *["RATE_LIMITED"] * (count - 1)]


def test_refused_items_leave_room_for_the_results_of_other_hosts(monkeypatch):
    monkeypatch.setattr(crawl, "MAX_HELD", 8)
    items = ["a/0", "a/1", *(f"b/{n}" for n in range(20)), *(f"c/{n}" for n in range(5))]
    begun, both = threading.Event(), threading.Barrier(2)

    def work(item):
        if item == "a/0":
            assert begun.wait(2)  # until two items of c run at a time
        if item == "c/0":
            time.sleep(0.3)  # the items of b are refused meanwhile
        elif item[0] == "c":
            both.wait(5)
            begun.set()
        return item

    delays = {"a": 0.0, "b": 9999.0, "c": 0.0}
    outcomes = dict(Crawl(items, [item[0] for item in items], work, Manners(), lambda item: delays[item[0]]).outcomes())
    assert [outcomes[number] for number in (0, 1, 2, *range(22, 27))] == [*items[:3], *items[22:]]
    assert {outcomes[number].code for number in range(3, 22)} == {"RATE_LIMITED"}


@pytest.mark.parametrize("delay", [9999, 9999.0])
def test_a_delay_may_be_a_whole_number(delay):
    outcomes = dict(Crawl(["a", "b"], "xx", str, Manners(), lambda _item: delay).outcomes())
    assert [outcomes[0], outcomes[1].code] == ["a", "RATE_LIMITED"]


def test_each_refused_item_has_an_error_of_its_own():
    outcomes = dict(Crawl(range(3), "aaa", str, Manners(), lambda _item: 9999.0).outcomes())
    assert outcomes[1] is not outcomes[2]
    assert outcomes[1].to_dict() == outcomes[2].to_dict()


def test_a_retry_that_is_given_up_is_no_pause_of_its_host():
    def work(item):
        if item == 0:
            raise failing()
        return item

    # The back-off of a second would end after the deadline, so the item is not retried.
    crawl = Crawl(range(3), "aaa", work, Manners(retry=1), deadline=time.monotonic() + 1.9)
    outcomes = dict(crawl.outcomes())
    assert [getattr(outcomes[n], "code", n) for n in range(3)] == ["HTTP_ERROR", 1, 2]


def test_a_report_of_a_wait_that_hangs_stops_no_thread():
    done = threading.Event()

    def work(item):
        if item == "a/1":
            done.set()
        return item

    def on_wait(_host, _seconds):
        assert done.wait(5)  # until the next item is done, which needs the lock

    crawl = Crawl(["a/0", "a/1"], "aa", work, Manners(delay=0.3), on_wait=on_wait)
    assert [outcome for _, outcome in crawl.outcomes()] == ["a/0", "a/1"]
