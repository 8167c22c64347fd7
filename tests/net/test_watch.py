"""Waits under a deadline: how long one may take, the message of a timeout, and cancellation."""

import time

import pytest

from webtool.errors import Cancelled, FetchTimeout
from webtool.net.dial import POLL, Watch


def test_a_timeout_says_what_did_not_happen_in_how_many_seconds():
    watch = Watch(time.monotonic() + 100)
    assert 99 < watch.remaining("x") <= 100
    assert watch.step("x") > 99
    with pytest.raises(FetchTimeout, match="reading it") as caught:
        Watch(time.monotonic() - 1).step("reading it")
    assert caught.value.retryable


def test_a_cancellable_wait_checks_often():
    assert Watch(time.monotonic() + 100, lambda: False).step("x") == POLL
    with pytest.raises(Cancelled):
        Watch(time.monotonic() + 100, lambda: True).step("x")
