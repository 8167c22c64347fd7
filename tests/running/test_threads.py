"""A system that gives few threads, or none."""

import sys
import threading
import time

import pytest

from webtool.bulk.crawl import Crawl, Manners
from webtool.errors import InternalError
from webtool.running import threads


class Threads:
    """A system that allows a limited number of threads."""

    def __init__(self, count, start=threads.start_new_thread):
        self.left = count
        self._start = start

    def __call__(self, work, arguments):
        if not self.left:
            raise RuntimeError("can't start new thread")
        self.left -= 1
        self._start(work, arguments)


def test_a_bug_is_an_outcome_and_its_traceback_is_shown_on_request(monkeypatch, capsys):
    assert isinstance(threads.attempt(int, "x"), InternalError)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("WEBTOOL_DEBUG", "1")
    threads.attempt(int, "x")
    assert "Traceback" in capsys.readouterr().err


def test_without_ctypes_nothing_is_raised_anywhere(monkeypatch):
    monkeypatch.setitem(sys.modules, "ctypes", None)
    threads.raise_in(threading.get_ident(), KeyboardInterrupt)
    assert sum(range(1000)) == 499500


@pytest.mark.parametrize("lack", [RuntimeError, MemoryError])
def test_a_thread_that_cannot_start_is_reported(monkeypatch, lack):
    def refuse(work, arguments):
        raise lack

    monkeypatch.setattr(threads, "start_new_thread", refuse)
    assert not threads.start_thread(print)


def test_fewer_threads_than_requested_do_all_the_work(monkeypatch):
    monkeypatch.setattr(threads, "start_new_thread", Threads(1))
    assert list(Crawl(range(5), range(5), abs, Manners()).outcomes()) == [(n, n) for n in range(5)]


def test_a_system_without_threads_is_an_error_at_once(monkeypatch):
    monkeypatch.setattr(threads, "start_new_thread", Threads(0))
    with pytest.raises(InternalError, match="cannot start a thread"):
        Crawl(range(5), range(5), abs, Manners())


def fail():
    raise OSError("a callback's bug")


# `end` and `is_cancelled` of the first work; the first one is over by its deadline or when it is cancelled.
@pytest.mark.parametrize(("end", "is_cancelled"), [(fail, lambda: True), (print, fail), (fail, fail)])
def test_work_is_ended_after_the_callbacks_of_other_work_failed(end, is_cancelled):
    watchdog, ended = threads.Watchdog(), threading.Event()
    failing = watchdog.watch(end, time.monotonic() + 0.2, is_cancelled)
    until = time.monotonic() + 30
    while failing.error is None and time.monotonic() < until:
        time.sleep(0.01)
    assert failing.error is not None
    watchdog.watch(ended.set, time.monotonic(), lambda: False)
    assert ended.wait(30)
