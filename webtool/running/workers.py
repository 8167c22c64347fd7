"""Computing in other processes, as many as there are cores. In: a function's name, arguments. Out: what it returns.

A page that a stranger wrote may keep a parser busy for minutes, or a regular expression for years, and fill the memory.
A thread cannot be stopped there, and holds up all others; a process is killed. So whatever a server or a batch does
with a page is done here: `call("module:function", ...)` ends by its deadline, ends at once when cancelled, and takes a
bounded memory. Workers are started anew (never forked, so threads, __main__ and platforms do not matter), kept for the
next call, and know nothing of the environment's keys. Where no process can be started the caller's thread does it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

from webtool import __version__
from webtool.errors import Cancelled, ExtractFailed, FetchTimeout, WebtoolError
from webtool.running import interrupting
from webtool.running.interrupting import Job
from webtool.running.watchdog import Watchdog, deadline_passed
from webtool.running.worker import Task, read_frame, write_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

MEMORY = 700 << 20
"""Bytes that one task may take unless it is given more."""
_START_SECONDS = 15.0  # that Python may take to start; later than that it will not
_STEP = 0.1  # seconds between two looks at the cancellation flag while all workers are busy
_SIGALRM = 14  # on every POSIX system; the module signal costs 1 ms
_GRACE = 0.3  # seconds after the deadline in which a task that looks at the clock may still answer by itself
# What a Python needs to start. Everything else, credentials above all, stays here.
_ENVIRON = "PATH SYSTEMROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH TMPDIR TEMP TMP TZ WEBTOOL_DEBUG".split()
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from webtool.running.worker import main; main()"


def count_cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


class Dead(Exception):
    """The worker has ended, nobody knows why."""


class _Worker:
    """One process. Raises OSError where the system starts none, Dead where what it starts is not webtool."""

    def __init__(self, watchdog: Watchdog) -> None:
        from subprocess import PIPE, Popen

        environ = {name: os.environ[name] for name in _ENVIRON if name in os.environ}
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        command = [sys.executable, "-I", "-S", "-c", _BOOT, root]
        # A session of its own: a terminal's Ctrl-C is for us, who end it.
        self._process: Popen[bytes] = Popen(
            command, stdin=PIPE, stdout=PIPE, bufsize=0, env=environ, start_new_session=True
        )
        self.is_used = False
        watch = watchdog.watch(self.kill, time.monotonic() + _START_SECONDS, lambda: False)
        try:
            self._require_ready()
        finally:
            watch.close()

    def _require_ready(self) -> None:
        try:
            is_ready = self.read() == ("ready", __version__)
        except Exception:  # what another program prints is anything but a frame
            is_ready = False
        if not is_ready:
            self.close()
            raise Dead

    def write(self, value: object) -> None:
        """Send one frame. Raises Dead."""
        try:
            write_frame(self._process.stdin.fileno(), value)  # type: ignore[union-attr]
        except OSError:
            raise Dead from None

    def read(self) -> tuple[str, object]:
        """The next frame. Raises Dead."""
        try:
            return read_frame(self._process.stdout.fileno())  # type: ignore[union-attr,return-value]
        except (OSError, EOFError):
            raise Dead from None

    def kill(self) -> None:
        """End the process whatever it does; any thread may call this."""
        try:
            self._process.kill()
        except OSError:
            pass

    def close(self) -> int:
        """End the process and put everything away; how it ended."""
        self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            stream.close()  # type: ignore[union-attr]
        return self._process.wait()


class Workers:
    """A pool of workers; each is started when it is first needed. Any thread may call."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or count_cores()
        """Most calls that compute at the same time."""
        self._watchdog = Watchdog()
        self._changed = threading.Condition()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._starting = 0  # these are not in the sets yet
        self._is_forbidden = not sys.executable
        self._is_closed = False

    def call(
        self,
        target: str,
        *arguments: object,
        deadline: float,
        is_cancelled: Callable[[], bool] = lambda: False,
        memory: int = MEMORY,
        answer: Callable[[object], object] | None = None,
    ) -> object:
        """What the function returns. `deadline` is a reading of the monotonic clock.

        With `answer` the function gets one argument more, `ask`: what it asks there is answered here, by `answer`.
        Raises what the function raises if that is a WebtoolError (anything else becomes an InternalError),
        FetchTimeout, Cancelled, FetchTooLarge past `memory` bytes, ExtractFailed where the process dies.
        """
        job = Job(target, arguments, deadline + _GRACE, is_cancelled, memory, answer)
        worker = self._take(job)
        if worker is not None and worker.is_used:
            try:
                return self._run(worker, job)
            except Dead:  # it may have died while it had nothing to do
                worker = self._take(job)
        if worker is None:
            return interrupting.call(self._watchdog, job)
        try:
            return self._run(worker, job)
        except Dead as dead:
            said = f"the process that converted the page ended ({dead})"
            # The system may have killed it for memory that others took.
            raise ExtractFailed(said, hint=_DIED_HINT, retryable=True) from None

    def close(self) -> None:
        """End all workers; calls that are waiting for one are cancelled."""
        with self._changed:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
            self._changed.notify_all()
        for worker in idle:
            worker.close()

    def _run(self, worker: _Worker, job: Job) -> object:
        """The task through one worker. Raises Dead where the worker died of itself."""
        watch = self._watchdog.watch(worker.kill, job.ends_at, job.is_cancelled)
        is_whole = False
        try:
            worker.is_used = True
            worker.write(Task(job.target, job.arguments, job.ends_at - time.monotonic(), job.memory, bool(job.answer)))
            kind, value = worker.read()
            while kind == "ask":
                worker.write(_answered(job, value))
                kind, value = worker.read()
            is_whole = kind in ("done", "failed")  # else the worker has taken much memory, and ends
        except Dead:
            watch.close()
            raise watch.error or self._why_ended(worker) from None
        finally:
            watch.close()
            self._give(worker, is_whole and watch.error is None)
        if kind.endswith("failed"):
            raise value  # type: ignore[misc]
        return value

    def _why_ended(self, worker: _Worker) -> Exception:
        if self._is_closed:
            return Cancelled(_ENDING)
        status = worker.close()
        if status == -_SIGALRM:
            return deadline_passed()
        return Dead(f"by signal {-status}" if status < 0 else f"with status {status}")

    def _take(self, job: Job) -> _Worker | None:
        """A worker that has nothing to do, None where none can be had. Raises FetchTimeout and Cancelled."""
        with self._changed:
            while not self._is_forbidden:
                if self._is_closed or job.is_cancelled():
                    raise Cancelled(_ENDING if self._is_closed else "the call was cancelled")
                if time.monotonic() > job.ends_at:
                    raise FetchTimeout("the deadline passed while other pages were being converted")
                if self._idle:
                    worker = self._idle.pop()
                    self._busy.add(worker)
                    return worker
                if len(self._busy) + self._starting < self.count:
                    self._starting += 1
                    break
                self._changed.wait(_STEP)
            else:
                return None
        return self._start()

    def _start(self) -> _Worker | None:
        worker = None
        try:
            worker = _Worker(self._watchdog)
        except (OSError, MemoryError):  # no process, descriptor or memory for now
            pass
        except (Dead, ImportError):  # also a Python without what subprocess needs
            self._is_forbidden = True
        with self._changed:
            self._starting -= 1
            if worker is not None:
                self._busy.add(worker)
            self._changed.notify()
        if worker is not None and self._is_closed:
            self._give(worker, False)
            raise Cancelled(_ENDING)
        return worker

    def _give(self, worker: _Worker, is_whole: bool) -> None:
        """Take a worker back, for the next task or to end it."""
        with self._changed:
            self._busy.discard(worker)
            is_kept = is_whole and not self._is_closed
            if is_kept:
                self._idle.append(worker)
            self._changed.notify()
        if not is_kept:
            worker.close()


_ENDING = "webtool is ending"
_DIED_HINT = "Try again; if it ends each time, open a smaller page, or with mode raw."


def _answered(job: Job, value: object) -> tuple[str, object]:
    try:
        return "done", job.answer(value) if job.answer else None
    except WebtoolError as error:
        return "failed", error.with_traceback(None)
