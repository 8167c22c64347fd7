"""Bytes to stdout and stderr: UTF-8 whatever the locale, every byte, nothing in between.

What a page wrote may move a cursor, hide a line or answer for its reader. A terminal gets such characters in a visible
form, and so does stderr; pipes and files get what there is.
"""

from __future__ import annotations

import os
import sys
import time

_LOCKED_BYTE = 1 << 40  # behind the end of any file: on Windows nobody can read a byte that is locked
_PAUSE = 0.01  # seconds between two looks at a file that another process has


class CannotWrite(OSError):
    """stdout does not take the answer (a full disk, say); no bug, and nothing more can be said on stdout."""


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, to a terminal on stdout in visible form; os.write may take only some of them.

    Raises BrokenPipeError or CannotWrite.
    """
    if fd == 1 and is_terminal(1):
        data = printable(data.decode("utf-8", "replace")).encode("utf-8", "replace")
    if os.name == "nt" and is_terminal(fd) and _write_console(fd, data):
        return
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BrokenPipeError:
            raise
        except OSError as exc:
            raise CannotWrite(exc.errno, exc.strerror) from exc


def printable(text: str) -> str:
    """The text with control characters as pictures of them; line ends and tabs stay."""
    if text.isprintable():
        return text
    pictures = {code: 0x2400 + code for code in range(32) if code not in (9, 10)}
    pictures.update({0x7F: 0x2421, **dict.fromkeys(range(0x80, 0xA0), 0xFFFD)})
    return text.replace("\r\n", "\n").translate(pictures)


def _write_console(fd: int, data: bytes) -> bool:
    """Text for a Windows console, whose code page may be any: Python's own stream hands it over as UTF-16.

    False where there is no such stream.
    """
    stream = {1: sys.stdout, 2: sys.stderr}.get(fd)
    if stream is None or not hasattr(stream, "buffer"):
        return False
    try:
        stream.flush()
        stream.buffer.write(data.decode("utf-8", "replace").encode("utf-8"))
        stream.buffer.flush()
    except OSError as exc:
        raise CannotWrite(exc.errno, exc.strerror) from exc
    return True


def write_error(text: str) -> None:
    """Write to stderr, control characters in visible form; a closed stderr loses it."""
    write_status(printable(text))


def write_status(text: str) -> None:
    """Write to stderr what is webtool's own and may move the cursor; a closed stderr loses it."""
    try:
        write_all(2, text.encode("utf-8", "replace"))
    except OSError:
        pass


def one_line(text: str, limit: int = 300) -> str:
    """Text for one line of stderr: no line ends, not endless."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def is_terminal(fd: int) -> bool:
    """Whether a person sits at this file descriptor."""
    try:
        return os.isatty(fd)
    except OSError:
        return False


def take_streams() -> tuple[int, int]:
    """Copies of 0 and 1 that child processes do not inherit. What prints by mistake goes to stderr then, what reads
    finds nothing."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return source, sink


def replace_file(path: str, data: bytes, mode: int | None = None) -> None:
    """Write beside and rename over: the old file stays until the new one is whole, and a process that runs the old one
    keeps it. Without `mode` the rights are those of any new file. Raises OSError, and leaves nothing behind then.
    """
    partial = f"{path}.{os.getpid()}.part"
    try:
        with open(
            partial, "wb", opener=lambda name, flags: os.open(name, flags, 0o666 if mode is None else mode)
        ) as file:
            file.write(data)
        if mode is not None:
            os.chmod(partial, mode)
        os.replace(partial, path)
    except BaseException:
        try:
            os.unlink(partial)
        except OSError:
            pass
        raise


def open_to_append(path: str) -> int:
    """A descriptor of the file, which is made where there is none, for reading and for writing at its end. Raises
    OSError and ValueError."""
    # Without O_BINARY, which only Windows has, every line end would become two bytes there.
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)


def lock(fd: int, seconds: float = 0.0) -> bool:
    """Have a file alone until unlock() or the process's end; False where another has it for so long. Not every system
    and not every file can tell: then nobody is held up."""
    until = time.monotonic() + seconds
    while not _try_lock(fd):
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    return True


def unlock(fd: int) -> None:
    """Let others have it."""
    try:
        if sys.platform == "win32":
            _lock_byte(fd, "LK_UNLCK")
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_UN)
    except (OSError, ImportError):
        pass


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            _lock_byte(fd, "LK_NBLCK")
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (OSError, ImportError):
        pass
    return True


def _lock_byte(fd: int, how: str) -> None:
    if sys.platform == "win32":
        import msvcrt

        at = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, getattr(msvcrt, how), 1)
        finally:
            os.lseek(fd, at, os.SEEK_SET)


def write_file(path: str, data: bytes) -> None:
    """Write the whole file or leave the old one as it was; what is not a plain file, say /dev/null, is written to."""
    target = os.path.realpath(path)
    try:
        if os.path.lexists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:
                file.write(data)
        else:
            replace_file(target, data)
    except OSError as exc:
        from webtool.errors import InvalidArgument

        hint = f"Give another file, where you may write and {len(data):,} bytes find room."
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror}", hint=hint) from exc
