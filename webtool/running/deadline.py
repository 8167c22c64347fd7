"""A deadline that holds for everything a one-shot command does, parsing included: an interval timer that raises.

Where the platform has no such timer (Windows) the client's own deadline is all there is.
"""

from __future__ import annotations

import time

from webtool.errors import FetchTimeout
from webtool.lean.imports import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Whatever swallows the first FetchTimeout is told again.
_REPEAT_SECONDS = 0.5
# The client stops by itself at the deadline with a better message; the timer is for the rest.
_GRACE_SECONDS = 0.4


def start(seconds: float) -> float:
    """Arm the timer; returns the deadline as a reading of the monotonic clock."""
    deadline = time.monotonic() + seconds

    def expired(_number: int, _frame: object) -> None:
        raise FetchTimeout(
            f"the deadline of {seconds:g} s passed", hint="Try again, or raise WEBTOOL_DEADLINE (seconds)."
        )

    signal = _module()
    if hasattr(signal, "setitimer"):
        try:
            signal.signal(signal.SIGALRM, expired)
            signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS, _REPEAT_SECONDS)
        except ValueError:  # not the main thread: a program that uses webtool as a library
            pass
    return deadline


def stop() -> None:
    """Disarm the timer, before the answer is written."""
    signal = _module()
    if hasattr(signal, "setitimer"):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        except ValueError:
            pass


def _module() -> Any:
    """What has signals here; the module `signal` costs 1 ms more than _signal, for its enums. None where neither is."""
    for name in ("_signal", "signal"):
        try:
            return load(name)
        except ImportError:
            pass
    return None
