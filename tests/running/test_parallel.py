"""Jobs on threads, outcomes in order."""

import threading
import time

import pytest

from webtool.errors import Cancelled, FetchTimeout, InternalError, InvalidUrl
from webtool.running import parallel
from webtool.running.parallel import Jobs


def test_outcomes_come_in_order_whatever_ends_first():
    jobs = Jobs(range(20), lambda n: time.sleep(0.002 * (20 - n)) or n * n, 6)
    assert list(jobs.in_order()) == [(n, n * n) for n in range(20)]
    assert list(Jobs([], abs, 4).in_order()) == []


def test_errors_are_outcomes_and_bugs_are_internal_errors():
    def work(n):
        if n == 1:
            raise InvalidUrl("no")
        return 10 // (n - 2)

    outcomes = [outcome for _, outcome in Jobs(range(4), work, 2).in_order()]
    assert outcomes[0] == -5
    assert isinstance(outcomes[1], InvalidUrl)
    assert isinstance(outcomes[2], InternalError)
    assert "ZeroDivisionError" in outcomes[2].message
    assert outcomes[3] == 10


def test_the_deadline_passes_over_jobs_that_do_not_end():
    release = threading.Event()
    jobs = Jobs([0, 1], lambda n: release.wait(20) if n == 0 else n, 2, deadline=time.monotonic() + 1)
    outcomes = [outcome for _, outcome in jobs.in_order()]
    release.set()
    assert isinstance(outcomes[0], FetchTimeout)
    assert outcomes[1] == 1


def test_a_job_that_feels_the_cancellation_first_ends_them_all():
    def work(n):
        raise Cancelled("felt")

    with pytest.raises(Cancelled, match="felt"):
        list(Jobs(range(3), work, 1).in_order())


def test_cancellation_stops_the_wait_and_what_has_not_begun():
    begun, release = [], threading.Event()

    def work(n):
        begun.append(n)
        return release.wait(20)

    jobs = Jobs(range(10), work, 1, is_cancelled=lambda: bool(begun))
    with pytest.raises(Cancelled):
        list(jobs.in_order())
    release.set()
    time.sleep(0.05)
    assert begun == [0]


class Threads:
    """A system that gives so many threads and no more."""

    def __init__(self, count, start=parallel.start_new_thread):
        self.left = count
        self._start = start

    def __call__(self, work, arguments):
        if not self.left:
            raise RuntimeError("can't start new thread")
        self.left -= 1
        self._start(work, arguments)


def test_fewer_threads_than_asked_for_do_all_the_work(monkeypatch):
    monkeypatch.setattr(parallel, "start_new_thread", Threads(1))
    assert list(Jobs(range(5), abs, 4).in_order()) == [(n, n) for n in range(5)]


def test_no_thread_at_all_is_an_error_and_no_wait(monkeypatch):
    monkeypatch.setattr(parallel, "start_new_thread", Threads(0))
    with pytest.raises(InternalError, match="no thread"):
        Jobs(range(5), abs, 4)


def test_work_does_not_run_far_ahead_of_what_is_taken():
    begun = []
    outcomes = Jobs(range(100), begun.append, 4, ahead=8).in_order()
    next(outcomes)
    time.sleep(0.1)
    assert len(begun) <= 9
    assert len(list(outcomes)) == 99
    assert len(begun) == 100
