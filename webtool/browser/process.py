"""The browser as a process group that cannot outlive us. In: a command line and a profile folder. Out: two pipe ends.

The browser reads commands from descriptor 3 and writes answers to descriptor 4 (--remote-debugging-pipe); on Windows
the same two pipes are inherited handles (--remote-debugging-io-pipes). A reaper, one /bin/sh that only waits for the
end of a pipe of ours, kills the group and removes the profile if we die without having said that we are done, be it
by SIGKILL.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from webtool.errors import RenderFailed

if sys.platform != "win32":
    import fcntl  # here, as importing it later takes a descriptor when there may be none

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

MAX_STDERR = 8192  # bytes of the browser's last words that are kept
EXIT_WAIT = 5.0  # seconds for a killed process to be gone
_FIRST_FREE_FD = 10  # our ends move above the numbers that the child's ends take

# Lines in: profile folder, process group, and at an orderly end anything at all. End of file before that: clean up.
_REAPER = """trap '' HUP INT TERM
IFS= read -r folder || exit 0
if IFS= read -r group; then
  IFS= read -r done && exit 0
  kill -9 "-$group"
fi
rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }"""


class Reaper:
    """The shell that cleans up after us when we cannot; does nothing where there is no /bin/sh."""

    def __init__(self, folder: str) -> None:
        self._fd = -1
        self._pid = 0
        if not hasattr(os, "posix_spawn") or not os.access("/bin/sh", os.X_OK) or "\n" in folder:
            return
        try:
            ours, theirs = _pipe(child_reads=True)
        except OSError:  # no descriptor left: the browser's own start says so
            return
        try:
            self._pid = _spawn(["/bin/sh", "-c", _REAPER], {"PATH": "/usr/bin:/bin"}, {0: theirs})
            self._fd = ours
            self._tell(folder)
        except OSError:
            os.close(ours)
            self._fd = -1
        finally:
            os.close(theirs)

    def watch(self, group: int) -> None:
        """Name the process group to kill."""
        self._tell(str(group))

    def dismiss(self) -> None:
        """An orderly end: the reaper exits and touches nothing."""
        if self._fd < 0:
            return
        self._tell("closed")
        os.close(self._fd)
        self._fd = -1
        _wait(partial(_poll, self._pid), time.monotonic() + EXIT_WAIT)

    def _tell(self, line: str) -> None:
        if self._fd >= 0:
            try:
                os.write(self._fd, os.fsencode(line) + b"\n")
            except OSError:
                return


class Process:
    """A running browser: `commands` and `answers` are our ends of its two pipes, owned by the caller."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], reaper: Reaper) -> None:
        self._exit_status: int | None = None
        self._lock = threading.Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        self._words = bytearray()
        try:
            start = self._start_windows if sys.platform == "win32" else self._start_posix
            errors = start(list(argv), dict(environ))
        except OSError as exc:
            reason = exc.strerror or exc
            raise RenderFailed(f"The browser {argv[0]} could not be started: {reason}", hint=_START_HINT) from exc
        if sys.platform != "win32":
            reaper.watch(self.pid)
        self._drain = threading.Thread(target=self._keep_last_words, args=(errors,), daemon=True)
        try:
            self._drain.start()
        except RuntimeError as exc:
            self.kill()
            for fd in (errors, self.commands, self.answers):
                os.close(fd)
            raise RenderFailed("The system gives no thread to the browser", hint=_START_HINT) from exc

    def _start_posix(self, argv: list[str], environ: dict[str, str]) -> int:
        if not hasattr(os, "posix_spawn"):
            raise RenderFailed("This Python has no posix_spawn to start a browser with", hint="Use CPython.")
        pairs = _pipes((True, False, False))
        (self.commands, their_commands), (self.answers, their_answers), (errors, their_errors) = pairs
        try:
            self.pid = _spawn(argv, environ, {2: their_errors, 3: their_commands, 4: their_answers})
        except OSError:
            for ours, _ in pairs:
                os.close(ours)
            raise
        finally:
            for _, theirs in pairs:
                os.close(theirs)
        return errors

    def _start_windows(self, argv: list[str], environ: dict[str, str]) -> int:
        if sys.platform != "win32":
            raise AssertionError
        import msvcrt
        import subprocess

        their_commands, self.commands = os.pipe()
        self.answers, their_answers = os.pipe()
        handles = [msvcrt.get_osfhandle(fd) for fd in (their_commands, their_answers)]
        for handle in handles:
            os.set_handle_inheritable(handle, True)
        argv.insert(1, f"--remote-debugging-io-pipes={handles[0]},{handles[1]}")
        try:
            self._popen = subprocess.Popen(
                argv,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                startupinfo=subprocess.STARTUPINFO(lpAttributeList={"handle_list": handles}),
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW,
            )
        except OSError:
            os.close(self.commands)
            os.close(self.answers)
            raise
        finally:
            os.close(their_commands)
            os.close(their_answers)
        self.pid = self._popen.pid
        assert self._popen.stderr is not None
        return os.dup(self._popen.stderr.fileno())

    def exit_status(self) -> int | None:
        """The wait status, or None while the browser runs."""
        with self._lock:
            if self._exit_status is None:
                if self._popen is not None:
                    self._exit_status = self._popen.poll()
                else:
                    self._exit_status = _poll(self.pid)
            return self._exit_status

    def wait(self, deadline: float) -> bool:
        """Whether the browser is gone before the deadline (a reading of the monotonic clock)."""
        return _wait(self.exit_status, deadline)

    def kill(self) -> None:
        """Kill the whole group, also what the browser left behind when it crashed, and wait for the browser itself."""
        if sys.platform == "win32":
            if self._popen is not None and self._popen.poll() is None:
                self._popen.kill()
        else:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # macOS says EPERM for a group of zombies
                pass
        self.wait(time.monotonic() + EXIT_WAIT)

    def last_words(self) -> str:
        """What the browser printed last to its standard error, without the browser's line prefixes."""
        self._drain.join(0.5)
        text = bytes(self._words).decode("utf-8", "replace")
        lines = [line.rpartition("] ")[2].strip() for line in text.splitlines()]
        return " ".join(line for line in lines if line)[-400:]

    def _keep_last_words(self, fd: int) -> None:
        try:
            while True:
                chunk = os.read(fd, 4096)
                if not chunk:
                    return
                self._words += chunk
                del self._words[:-MAX_STDERR]
        except OSError:
            return
        finally:
            os.close(fd)


_START_HINT = "Check that it runs by hand, or set WEBTOOL_BROWSER to another browser."


def remove_folder(folder: str) -> None:
    """Remove the profile. Processes that were just killed may still hold or write files for a moment."""
    for pause in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0):
        time.sleep(pause)
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return


def _pipes(directions: Sequence[bool]) -> list[tuple[int, int]]:
    """A pipe for each direction (does the child read?): all of them, or OSError and no descriptor left open."""
    made: list[tuple[int, int]] = []
    try:
        for child_reads in directions:
            made.append(_pipe(child_reads=child_reads))
    except OSError:
        for fd in (fd for pair in made for fd in pair):
            os.close(fd)
        raise
    return made


def _pipe(*, child_reads: bool) -> tuple[int, int]:
    """(our end, the child's end); both above the numbers that the child's ends will have, both close-on-exec."""
    low = os.pipe()
    moved: list[int] = []
    try:
        for fd in low:
            moved.append(fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD))
    except OSError:
        for fd in moved:
            os.close(fd)
        raise
    finally:
        for fd in low:
            os.close(fd)
    reading, writing = moved
    return (writing, reading) if child_reads else (reading, writing)


def _spawn(argv: list[str], environ: dict[str, str], descriptors: dict[int, int]) -> int:
    """Start a process group leader with these descriptors ({child's number: ours}); the standard ones else are null."""
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2) if number not in descriptors
    ]
    actions += [(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in descriptors.items()]
    # Python ignores SIGPIPE and children would inherit that.
    return os.posix_spawn(argv[0], argv, environ, file_actions=actions, setpgroup=0, setsigdef=[signal.SIGPIPE])


def _poll(pid: int) -> int | None:
    try:
        done, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # somebody else waited for it
        return 0
    return status if done else None


def _wait(status: Callable[[], int | None], deadline: float) -> bool:
    """Whether there is a status before the deadline."""
    pause = 0.002
    while status() is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    return True
