"""A worker: one process that computes for another. In: frames on stdin. Out: frames on stdout.

A frame is its length in eight bytes and a pickle; both ends are the same program, so a pickle is not a risk here. A
frame in is a Task; frames out are ("ready", version) once, then for each task any number of ("ask", value), each
answered by one frame, and one ("done", value) or ("failed", error). The worker ends when its input ends, when a task's
time is over (an alarm kills it: nothing else stops a regular expression), and after a task that took much memory, as
Python seldom gives that back: its last frame is ("spent done", value) or ("spent failed", error) then.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable

from webtool import __version__
from webtool.errors import FetchTooLarge, WebtoolError, of_bug
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.output import take_streams, write_all
from webtool.running.interrupting import resolve

SPENT = 256 << 20
"""Bytes of memory that a worker may have taken at its worst moment and still be used again."""
_GRACE = 0.2  # seconds after which the alarm rings, for a parent that is not there any more to do it
_READ_BYTES = 1 << 20


class Task(NamedTuple):
    """What a worker is to do: call `target` ("module:function") with the arguments."""

    target: str
    arguments: tuple[object, ...]
    seconds: float
    """The time it has."""
    memory: int
    """Bytes that it may take; 0 is unlimited."""
    asks: bool
    """Whether the function gets `ask` as its last argument, by which it calls back."""


def write_frame(fd: int, value: object) -> None:
    """Write one value. Raises BrokenPipeError or CannotWrite, and what pickle raises."""
    data = pickle.dumps(value, 5)
    write_all(fd, len(data).to_bytes(8, "big"))
    write_all(fd, data)


def read_frame(fd: int) -> object:
    """The next value. Raises EOFError where the other side has gone."""
    return pickle.loads(_exactly(fd, int.from_bytes(_exactly(fd, 8), "big")))


def _exactly(fd: int, length: int) -> bytearray:
    data = bytearray()
    while len(data) < length:
        piece = os.read(fd, min(length - len(data), _READ_BYTES))
        if not piece:
            raise EOFError
        data += piece
    return data


def main() -> None:
    """Serve until the input ends."""
    import signal

    source, sink = take_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    try:
        write_frame(sink, ("ready", __version__))
        while _serve(source, sink):
            pass
    except (EOFError, OSError):
        pass  # the parent is gone


def _serve(source: int, sink: int) -> bool:
    """Do one task; whether the worker is good for another one."""
    task: Task = read_frame(source)  # type: ignore[assignment]
    kind, value = _outcome(task, lambda value: _ask(source, sink, value))
    is_spent = _peak_memory() > SPENT
    write_frame(sink, ("spent " + kind if is_spent else kind, value))
    return not is_spent


def _outcome(task: Task, ask: Callable[[object], object]) -> tuple[str, object]:
    try:
        _limit(max(task.seconds, 0) + _GRACE, task.memory)
        extra = (ask,) if task.asks else ()
        return "done", resolve(task.target)(*task.arguments, *extra)
    except WebtoolError as error:
        return "failed", error.with_traceback(None)
    except MemoryError:
        return "failed", too_large(task.memory)
    except Exception as exc:
        return "failed", of_bug(exc)
    finally:
        _limit(0, 0)


def too_large(memory: int) -> FetchTooLarge:
    """The error of a page that takes more memory than it may."""
    return FetchTooLarge(f"the page takes more than {memory >> 20} MB of memory", hint="Open a smaller page, or raw.")


def _ask(source: int, sink: int, value: object) -> object:
    """What the other process answers. Raises the WebtoolError that it sends."""
    write_frame(sink, ("ask", value))
    answer: tuple[str, Any] = read_frame(source)  # type: ignore[assignment]
    if answer[0] == "failed":
        raise answer[1]
    return answer[1]


def _limit(seconds: float, memory: int) -> None:
    """Bound what follows; 0 is without a bound."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    _set_memory(memory)


_ARENAS = 2 << 30  # bytes of address space that the allocator of a free-threaded Python sets aside, used or not


def _set_memory(limit: int) -> None:
    """What the heap may grow to, where the system can say so; past it Python raises MemoryError."""
    resource = _resource()
    if resource is None:
        return
    if limit and "free-threading" in sys.version:
        limit += _ARENAS
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = limit if limit and (hard == resource.RLIM_INFINITY or limit < hard) else hard
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    except (ValueError, OSError):
        pass  # a limit that this system does not know is none


def _peak_memory() -> int:
    """Bytes that this process held at its worst moment; 0 where the system cannot say."""
    try:
        # Not ru_maxrss, which Linux hands on to a child: below a large program every worker looked spent.
        with open("/proc/self/status", "rb") as status:
            return next((int(line.split()[1]) << 10 for line in status if line.startswith(b"VmHWM:")), 0)
    except OSError:
        resource = _resource()
    if resource is None:
        return 0
    peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _resource() -> Any:
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource
