"""A system that gives few threads, or none."""

import sys
import threading

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
