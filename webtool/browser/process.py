"""Start the browser as a process group that cannot outlive us. In: argv and a profile folder. Out: two pipe ends.

The browser reads commands from descriptor 3 and writes answers to descriptor 4 (--remote-debugging-pipe). On Windows,
two inherited handles replace them (--remote-debugging-io-pipes). The reaper is a /bin/sh that reads from a pipe of
ours. If the pipe ends without a line that says we are done, we have died, even by SIGKILL. Then the reaper kills the
process group and removes the profile.

Tests: tests/browser/test_lifetime.py
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
    import fcntl  # here, as importing it later takes a descriptor, and all may be in use

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

MAX_STDERR = 8192  # bytes; only the end of what the browser prints to standard error is remembered
EXIT_WAIT = 5.0  # seconds for a killed process to be gone
_FIRST_FREE_FD = 10  # our descriptors are at or above it, so that they never clash with 0 to 4 of the child

# Reads three lines: the profile folder, the process group, and any line at an orderly end. At an earlier end of file
# it cleans up.
_REAPER = """trap '' HUP INT TERM
IFS= read -r folder || exit 0
if IFS= read -r group; then
  IFS= read -r done && exit 0
  kill -9 "-$group"
fi
rm -rf -- "$folder" || { sleep 1; rm -rf -- "$folder"; }"""


class Reaper:
    """The shell that cleans up after us if we are killed. Without /bin/sh it does nothing."""

    def __init__(self, folder: str) -> None:
        self._fd = -1
        self._pid = 0
        if not hasattr(os, "posix_spawn") or not os.access("/bin/sh", os.X_OK) or "\n" in folder:
            return
        try:
            ours, theirs = _pipe(child_reads=True)
        except OSError:  # no descriptor is left: starting the browser will fail and report it
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
        """Tell the reaper which process group to kill."""
        self._tell(str(group))

    def dismiss(self) -> None:
        """Let the reaper exit without cleaning up. Safe to call twice."""
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
    """A running browser. `commands` and `answers` are our ends of its two pipes; the caller closes them."""

    def __init__(self, argv: Sequence[str], environ: Mapping[str, str], reaper: Reaper) -> None:
        self._exit_status: int | None = None
        self._lock = threading.Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        self._stderr_tail = bytearray()
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
        """Start the browser by posix_spawn, and return the descriptor of its standard error."""
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
        """Start the browser by subprocess, and return the descriptor of its standard error."""
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
        """Return the wait status, or None while the browser runs."""
        with self._lock:
            if self._exit_status is None:
                if self._popen is not None:
                    self._exit_status = self._popen.poll()
                else:
                    self._exit_status = _poll(self.pid)
            return self._exit_status

    def wait(self, deadline: float) -> bool:
        """Wait until the browser has ended (True) or the deadline on the monotonic clock has passed (False)."""
        return _wait(self.exit_status, deadline)

    def kill(self) -> None:
        """Kill the process group, including children of a browser that crashed. Wait for the browser to end."""
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
        """Return the last 400 characters of the browser's standard error, without the line prefixes "[...] "."""
        self._drain.join(0.5)
        text = bytes(self._stderr_tail).decode("utf-8", "replace")
        lines = [line.rpartition("] ")[2].strip() for line in text.splitlines()]
        return " ".join(line for line in lines if line)[-400:]

    def _keep_last_words(self, fd: int) -> None:
        try:
            while True:
                chunk = os.read(fd, 4096)
                if not chunk:
                    return
                self._stderr_tail += chunk
                del self._stderr_tail[:-MAX_STDERR]
        except OSError:
            return
        finally:
            os.close(fd)


_START_HINT = "Check that it runs by hand, or set WEBTOOL_BROWSER to another browser."


def remove_folder(folder: str) -> None:
    """Remove the profile. Tries for two seconds: processes that were just killed may still write files."""
    for pause in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0):
        time.sleep(pause)
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return


def _pipes(directions: Sequence[bool]) -> list[tuple[int, int]]:
    """Open a pipe for each direction (True: the child reads). After an OSError none of them is open."""
    pairs: list[tuple[int, int]] = []
    try:
        for child_reads in directions:
            pairs.append(_pipe(child_reads=child_reads))
    except OSError:
        for fd in (fd for pair in pairs for fd in pair):
            os.close(fd)
        raise
    return pairs


def _pipe(*, child_reads: bool) -> tuple[int, int]:
    """Open a pipe and return (our end, the child's end), both from _FIRST_FREE_FD on and close-on-exec."""
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
    """Start a process as leader of a new group and return its id.

    `descriptors` maps the child's number to ours. Standard descriptors that it lacks are opened on /dev/null.
    """
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2) if number not in descriptors
    ]
    actions += [(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in descriptors.items()]
    # Python ignores SIGPIPE and children would inherit that.
    return os.posix_spawn(argv[0], argv, environ, file_actions=actions, setpgroup=0, setsigdef=[signal.SIGPIPE])


def _poll(pid: int) -> int | None:
    """Return the wait status of a child that has ended, else None."""
    try:
        done, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # another part of the program has waited for it already
        return 0
    return status if done else None


def _wait(status: Callable[[], int | None], deadline: float) -> bool:
    """Poll `status` with growing pauses. Return whether it gives a status before the deadline."""
    pause = 0.002
    while status() is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    return True
