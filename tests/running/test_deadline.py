"""A one-shot command ends at its deadline, even without an interval timer."""

import signal
import threading
import time

import pytest

from webtool.errors import FetchTimeout
from webtool.running import deadline


def test_without_a_timer_a_thread_interrupts_a_computation(monkeypatch):
    monkeypatch.setattr(deadline, "_module", lambda: None)
    monkeypatch.setattr(deadline, "_GRACE_SECONDS", 0.0)
    deadline.start(0.05)
    try:
        with pytest.raises(FetchTimeout, match=r"the deadline of 0\.05 s passed"):
            for _ in range(10**9):
                pass
    finally:
        deadline.stop()
    time.sleep(0.6)  # longer than the pause before it repeats the message
    assert deadline._timers == []


def test_without_a_timer_a_swallowed_timeout_is_raised_again(monkeypatch):
    monkeypatch.setattr(deadline, "_module", lambda: None)
    monkeypatch.setattr(deadline, "_GRACE_SECONDS", 0.0)
    monkeypatch.setattr(deadline, "_REPEAT_SECONDS", 0.02)
    deadline.start(0.01)
    try:
        for _ in range(2):
            with pytest.raises(FetchTimeout):
                for _ in range(10**9):
                    pass
    finally:
        deadline.stop()


def test_without_a_timer_work_that_ends_in_time_is_not_interrupted(monkeypatch):
    monkeypatch.setattr(deadline, "_module", lambda: None)
    monkeypatch.setattr(deadline, "_GRACE_SECONDS", 0.0)
    deadline.start(0.2)
    deadline.stop()
    end = time.monotonic() + 0.4
    while time.monotonic() < end:
        pass


class LateLock:
    """The lock of a thread whose wait ends just before another thread calls stop()."""

    def acquire(self, timeout=None):
        if timeout is not None:
            deadline.stop()
        return timeout is None

    def release(self):
        pass


def test_without_a_timer_nothing_is_raised_after_the_stop(monkeypatch):
    raised = []
    monkeypatch.setattr(deadline, "_module", lambda: None)
    monkeypatch.setattr(deadline._thread, "allocate_lock", LateLock)
    monkeypatch.setattr(deadline._thread, "start_new_thread", lambda work, _: work())

    def raise_in(_ident, kind):
        raised.append(kind)
        raise kind

    monkeypatch.setattr("webtool.running.threads.raise_in", raise_in)
    deadline.start(0.01)
    assert raised == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_stopping_leaves_the_timer_of_the_host_program():
    deadline.stop()
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        deadline.stop()  # never started
        worker = threading.Thread(target=lambda: (deadline.start(5), deadline.stop()))  # not the main thread
        worker.start()
        worker.join()
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class RingingModule:
    """The module with signals, whose timer rings once while it is being disarmed."""

    SIGALRM = ITIMER_REAL = 0
    is_armed = has_rung = False

    def signal(self, _number, _handler):
        return None

    def setitimer(self, _which, seconds, _interval=0.0):
        if not seconds and not self.has_rung:
            self.has_rung = True
            raise FetchTimeout("rings")
        self.is_armed = seconds > 0


def test_a_timer_that_rings_while_it_is_disarmed_is_disarmed_next_time(monkeypatch):
    module = RingingModule()
    monkeypatch.setattr(deadline, "_module", lambda: module)
    deadline.start(5)
    with pytest.raises(FetchTimeout):
        deadline.stop()
    deadline.stop()
    assert not module.is_armed
    assert deadline._armed == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer")
def test_the_handler_of_the_host_program_comes_back():
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        deadline.start(5)
        assert signal.getsignal(signal.SIGALRM) is not signal.SIG_IGN
        deadline.stop()
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)
