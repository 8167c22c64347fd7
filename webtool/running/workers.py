"""Run functions in a pool of worker processes, one per core. In: a function's name, arguments. Out: its result.

A hostile page can keep a parser busy for minutes or a regular expression for years, and fill the memory. A thread
cannot be stopped then, but a process can be killed. So a server or batch converts pages here:
`call("module:function", ...)` ends by its deadline, ends at once when cancelled, and uses limited memory.

A worker is a new Python, not a fork, so threads and __main__ do not matter. It is reused for later calls, and it does
not get the environment's keys. If no process can be started, the function runs on the caller's thread
(threads.run_here). Words: a worker is busy while it has a task, idle between tasks, and whole if it can be reused: it
answered in time and used little memory.
Tests: tests/running/test_workers.py
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

from webtool import __version__
from webtool.errors import Cancelled, ExtractFailed, FetchTimeout, WebtoolError
from webtool.running.threads import Job, Watchdog, deadline_passed, run_here
from webtool.running.worker import Task, read_frame, write_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen

MEMORY = 700 << 20  # bytes that one task may use by default
_MAX_START = 15.0  # seconds for a worker to start; after that it is killed
_STEP = 0.1  # seconds between two checks of the cancellation flag while all workers are busy
_SIGALRM = 14  # on every POSIX system; importing signal takes 1 ms
_GRACE = 0.3  # seconds after the deadline in which a task that watches the clock may still answer
# Variables that a Python needs to start. Workers do not get any others, above all no credentials.
_ENVIRON = "PATH SYSTEMROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH TMPDIR TEMP TMP TZ WEBTOOL_DEBUG".split()
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from webtool.running.worker import main; main()"


def count_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return os.cpu_count() or 1


class Dead(Exception):
    """The worker process has ended for an unknown reason."""


class _Worker:
    """One process. Raises OSError if the system starts none, Dead if another program than webtool starts."""

    def __init__(self, watchdog: Watchdog) -> None:
        from subprocess import PIPE, Popen

        environ = {name: os.environ[name] for name in _ENVIRON if name in os.environ}
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        command = [sys.executable, "-I", "-S", "-c", _BOOT, root]
        # In its own session: Ctrl-C at a terminal must reach only the parent, which ends the workers.
        self._process: Popen[bytes] = Popen(
            command, stdin=PIPE, stdout=PIPE, bufsize=0, env=environ, start_new_session=True
        )
        self.is_used = False
        watch = watchdog.watch(self.kill, time.monotonic() + _MAX_START, lambda: False)
        try:
            self._require_ready()
        finally:
            watch.close()

    def _require_ready(self) -> None:
        """Wait for the ready frame of this version. Raises Dead."""
        try:
            is_ready = self.read() == ("ready", __version__)
        except Exception:  # another program may print anything
            is_ready = False
        if not is_ready:
            self.close()
            raise Dead

    def write(self, value: object) -> None:
        """Send one frame. Raises Dead if the process has ended."""
        try:
            write_frame(self._process.stdin.fileno(), value)  # type: ignore[union-attr]
        except OSError:
            raise Dead from None

    def read(self) -> tuple[str, object]:
        """Read one frame. Raises Dead if the process has ended."""
        try:
            return read_frame(self._process.stdout.fileno())  # type: ignore[union-attr,return-value]
        except (OSError, EOFError):
            raise Dead from None

    def kill(self) -> None:
        """Kill the process; any thread may call this."""
        try:
            self._process.kill()
        except OSError:
            pass

    def close(self) -> int:
        """Kill the process, close its pipes and return its exit status."""
        self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            stream.close()  # type: ignore[union-attr]
        return self._process.wait()


class Workers:
    """A pool of workers, each started when first needed. Thread-safe."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or count_cores()  # limit of calls at the same time
        self._watchdog = Watchdog()
        self._changed = threading.Condition()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._starting = 0  # workers being started, which are neither idle nor busy yet
        self._is_forbidden = not sys.executable  # True: this system cannot start workers
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
        """Run the function in a worker and return its result. `deadline` is a reading of the monotonic clock.

        With `answer`, the function gets `ask` as a last argument: ask(value) calls answer(value) in this process.
        Raises what the function raises if that is a WebtoolError (anything else becomes an InternalError),
        FetchTimeout, Cancelled, FetchTooLarge past `memory` bytes, ExtractFailed if the process dies.
        """
        job = Job(target, arguments, deadline + _GRACE, is_cancelled, memory, answer)
        worker = self._take(job)
        if worker is not None and worker.is_used:
            try:
                return self._run(worker, job)
            except Dead:  # it may have died while it was idle: use another one
                worker = self._take(job)
        if worker is None:
            return run_here(self._watchdog, job)
        try:
            return self._run(worker, job)
        except Dead as dead:
            message = f"the process that converted the page ended ({dead})"
            # Retryable: the system may have killed it because other processes used the memory.
            raise ExtractFailed(message, hint=_DIED_HINT, retryable=True) from None

    def close(self) -> None:
        """End all workers; calls that wait for one are cancelled."""
        with self._changed:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
            self._changed.notify_all()
        for worker in idle:
            worker.close()

    def _run(self, worker: _Worker, job: Job) -> object:
        """Run the job in this worker. Raises Dead if the worker died by itself."""
        watch = self._watchdog.watch(worker.kill, job.ends_at, job.is_cancelled)
        is_whole = False
        try:
            worker.is_used = True
            worker.write(Task(job.target, job.arguments, job.ends_at - time.monotonic(), job.memory, bool(job.answer)))
            kind, value = worker.read()
            while kind == "ask":
                worker.write(_answer_to(job, value))
                kind, value = worker.read()
            is_whole = kind in ("done", "failed")  # not "spent done": then the worker ends
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
        """Return the error for a worker that ended without being killed by the watchdog."""
        if self._is_closed:
            return Cancelled(_ENDING)
        status = worker.close()
        if status == -_SIGALRM:
            return deadline_passed()
        return Dead(f"by signal {-status}" if status < 0 else f"with status {status}")

    def _take(self, job: Job) -> _Worker | None:
        """Return an idle or new worker, waiting while all are busy; None if workers cannot be started.

        Raises FetchTimeout and Cancelled.
        """
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
            else:  # no break: workers cannot be started
                return None
        return self._start()

    def _start(self) -> _Worker | None:
        """Start a worker and mark it busy; None if that fails."""
        worker = None
        try:
            worker = _Worker(self._watchdog)
        except (OSError, MemoryError):  # too many processes or descriptors, or no memory, for now
            pass
        except (Dead, ImportError):  # ImportError: a Python without the modules that subprocess needs
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
        """Take a worker back: make it idle, or end it if it is not whole."""
        with self._changed:
            self._busy.discard(worker)
            is_reusable = is_whole and not self._is_closed
            if is_reusable:
                self._idle.append(worker)
            self._changed.notify()
        if not is_reusable:
            worker.close()


_ENDING = "webtool is ending"
_DIED_HINT = "Try again; if it ends each time, open a smaller page, or with mode raw."


def _answer_to(job: Job, value: object) -> tuple[str, object]:
    try:
        return "done", job.answer(value) if job.answer else None
    except WebtoolError as error:
        return "failed", error.with_traceback(None)
