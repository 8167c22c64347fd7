"""Waiting under a deadline: how long, what for, and how it is given up."""

import time

import pytest

from webtool.errors import Cancelled, FetchTimeout
from webtool.net.watch import POLL, Watch


def test_a_watch_says_how_long_and_what_was_going_on():
    watch = Watch(time.monotonic() + 100)
    assert 99 < watch.remaining("x") <= 100
    assert watch.step("x") > 99
    with pytest.raises(FetchTimeout, match="reading it") as caught:
        Watch(time.monotonic() - 1).step("reading it")
    assert caught.value.retryable


def test_a_watched_call_is_looked_at_often_and_can_be_given_up():
    assert Watch(time.monotonic() + 100, lambda: False).step("x") == POLL
    with pytest.raises(Cancelled):
        Watch(time.monotonic() + 100, lambda: True).step("x")
