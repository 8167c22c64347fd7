"""The worker process: it runs tasks for its parent. In: frames on stdin. Out: frames on stdout.

A frame is its length in eight bytes, then a pickle. Both ends are the same program, so unpickling is safe. Frames out:

- ("ready", version), once at the start;
- ("ask", value) while a task runs, any number of times; the parent answers each with one frame;
- ("done", value) or ("failed", error) at the end of each task;
- ("spent done", value) or ("spent failed", error) instead, if the task used so much memory that the worker ends, as
  Python rarely returns memory to the system.

A frame in is a Task, or an answer. The worker also ends when its input ends, and when a task's time is over: an alarm
kills it, since nothing else can stop a regular expression.
Tests: tests/running/test_workers.py
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable

from webtool import __version__
from webtool.errors import FetchTooLarge, WebtoolError, of_bug
from webtool.lean.imports import resolve
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.output import take_streams, write_all

MAX_REUSED_MEMORY = 256 << 20  # bytes; a worker whose peak memory was higher ends after its task
_GRACE = 0.2  # seconds after a task's time at which the alarm kills the worker, if the parent has not done it
_READ_BYTES = 1 << 20  # bytes read from stdin at a time


class Task(NamedTuple):
    """A function call for the worker."""

    target: str  # the function, as "module:function"
    arguments: tuple[object, ...]
    seconds: float  # its time limit
    memory: int  # bytes that it may use; 0 is unlimited
    asks: bool  # True: the function gets a last argument ask(value), which returns the parent's answer


def write_frame(fd: int, value: object) -> None:
    """Write one value. Raises BrokenPipeError or CannotWrite, and what pickle raises."""
    data = pickle.dumps(value, 5)
    write_all(fd, len(data).to_bytes(8, "big"))
    write_all(fd, data)


def read_frame(fd: int) -> object:
    """Read one value. Raises EOFError if the other side has closed the pipe."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers
    try:
        write_frame(sink, ("ready", __version__))
        while _serve(source, sink):
            pass
    except (EOFError, OSError):
        pass  # the parent has ended


def _serve(source: int, sink: int) -> bool:
    """Run one task; return whether the worker can run another one."""
    task: Task = read_frame(source)  # type: ignore[assignment]
    kind, value = _outcome(task, lambda value: _ask(source, sink, value))
    is_spent = _peak_memory() > MAX_REUSED_MEMORY
    write_frame(sink, ("spent " + kind if is_spent else kind, value))
    return not is_spent


def _outcome(task: Task, ask: Callable[[object], object]) -> tuple[str, object]:
    """Run the task within its limits; return ("done", result) or ("failed", error)."""
    try:
        _set_limits(max(task.seconds, 0) + _GRACE, task.memory)
        extra = (ask,) if task.asks else ()
        return "done", resolve(task.target)(*task.arguments, *extra)
    except WebtoolError as error:
        return "failed", error.with_traceback(None)
    except MemoryError as exc:
        return "failed", of_bug(exc) if _is_short_of(task.memory) else too_large(task.memory)
    except Exception as exc:
        return "failed", of_bug(exc)
    finally:
        _set_limits(0, 0)


def too_large(memory: int) -> FetchTooLarge:
    """Return the error for a page that uses more memory than allowed."""
    return FetchTooLarge(
        f"the page takes more than {memory >> 20} MB of memory", hint="Open a smaller page, or use mode raw."
    )


def _is_short_of(memory: int) -> bool:
    """Return whether the system allows this process less than a task's memory (ulimit -v)."""
    resource = _resource()
    limit = resource.getrlimit(resource.RLIMIT_AS)[0] if resource is not None else -1
    return limit != -1 and limit <= memory


def _ask(source: int, sink: int, value: object) -> object:
    """Ask the parent and return its answer. Raises the WebtoolError that it sends instead."""
    write_frame(sink, ("ask", value))
    answer: tuple[str, Any] = read_frame(source)  # type: ignore[assignment]
    if answer[0] == "failed":
        raise answer[1]
    return answer[1]


def _set_limits(seconds: float, memory: int) -> None:
    """Limit time and memory of what follows; 0 removes a limit."""
    import signal

    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    _set_memory(memory)


_ARENAS = 2 << 30  # bytes of address space that the allocator of a free-threaded Python reserves, used or not


def _set_memory(limit: int) -> None:
    """Limit the heap if the system can; past the limit Python raises MemoryError. 0 removes the limit."""
    resource = _resource()
    if resource is None:
        return
    if limit and "free-threading" in sys.version:
        limit += _ARENAS
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    is_allowed = hard == resource.RLIM_INFINITY or limit < hard
    soft = limit if limit and is_allowed else hard
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    except (ValueError, OSError):
        pass  # this system does not support the limit


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if the system does not tell."""
    try:
        # Not ru_maxrss: on Linux a child inherits its parent's, so each worker of a large program would look spent.
        with open("/proc/self/status", "rb") as status:
            return next((int(line.split()[1]) << 10 for line in status if line.startswith(b"VmHWM:")), 0)
    except OSError:
        resource = _resource()
    if resource is None:
        return 0
    peak: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _resource() -> Any:
    """Return the module resource, or None on Windows."""
    try:
        import resource
    except ImportError:
        return None
    return resource
