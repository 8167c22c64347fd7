"""Write bytes to stdout, stderr and files: completely, and in UTF-8 whatever the locale.

Text from a page may contain control characters that move the cursor, hide a line or type an answer for the reader. On a
terminal and on stderr these are replaced by visible pictures; pipes and files get the bytes unchanged. A file is
replaced only when the new one is complete; open_to_append() and lock() let several processes write to one file.
Tests: tests/test_output.py
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BINARY = getattr(os, "O_BINARY", 0)  # exists on Windows only, where without it every line end becomes two bytes
_LOCKED_BYTE = 1 << 40  # offset of the byte to lock, beyond any file's end: on Windows a locked byte cannot be read
# Bidirectional embeddings, overrides and isolates; then invisible characters with a direction.
_REORDERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_DIRECTION_MARKS = (0x061C, 0x200E, 0x200F)
_PAUSE = 0.01  # seconds between two tries to lock a file


class CannotWrite(OSError):
    """stdout cannot be written to (a full disk, for example). Not a bug; the error cannot be reported on stdout."""


def write_all(fd: int, data: bytes) -> None:
    """Write every byte (os.write alone may write only some). Raises BrokenPipeError or CannotWrite.

    On a terminal, control characters for stdout are made visible here. For stderr, write_error() does that.
    """
    if fd == 1 and is_terminal(1):
        data = printable(data.decode("utf-8", "replace")).encode("utf-8", "replace")
    if os.name == "nt" and is_terminal(fd) and _write_console(fd, data):
        return
    _write(fd, data)


def _write(fd: int, data: bytes) -> None:
    """Write every byte. Raises BrokenPipeError or CannotWrite."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BrokenPipeError:
            raise
        except OSError as exc:
            raise CannotWrite(exc.errno, exc.strerror or str(exc)) from exc


def printable(text: str) -> str:
    """Replace control characters by their pictures (ESC -> U+241B); line ends and tabs stay.

    Bidirectional controls show text in another order than it has (CVE-2021-42574): embeddings, overrides and isolates
    become U+FFFD, direction marks are removed.
    """
    if text.isprintable():
        return text
    pictures: dict[int, int | None] = {code: 0x2400 + code for code in range(32) if code not in (9, 10)}
    pictures.update({0x7F: 0x2421, **dict.fromkeys((*range(0x80, 0xA0), *_REORDERING), 0xFFFD)})
    pictures.update(dict.fromkeys(_DIRECTION_MARKS))
    return text.replace("\r\n", "\n").translate(pictures)


def write_terminal(text: str) -> None:
    """Write to stdout a text that has webtool's own escape sequences; its other parts must be printable() already."""
    if os.name == "nt" and is_terminal(1) and _write_console(1, text.encode("utf-8", "replace")):
        return
    _write(1, text.encode("utf-8", "replace"))


def _write_console(fd: int, data: bytes) -> bool:
    """Write text to a Windows console through Python's own stream, which works with any code page.

    Return False if no such stream exists.
    """
    stream = {1: sys.stdout, 2: sys.stderr}.get(fd)
    if stream is None or not hasattr(stream, "buffer"):
        return False
    try:
        stream.flush()
        stream.buffer.write(data.decode("utf-8", "replace").encode("utf-8"))
        stream.buffer.flush()
    except OSError as exc:
        raise CannotWrite(exc.errno, exc.strerror or str(exc)) from exc
    return True


def write_error(text: str) -> None:
    """Write a text that may quote a page to stderr, with visible control characters; ignored if stderr is closed."""
    write_status(printable(text))


def write_status(text: str) -> None:
    """Write webtool's own text to stderr, escape sequences included: progress. Ignored if stderr is closed."""
    try:
        write_all(2, text.encode("utf-8", "replace"))
    except OSError:
        pass


def ask(question: str) -> bool:
    """Ask a person on the terminal; return whether the answer is yes. False without a terminal."""
    if not (is_terminal(0) and is_terminal(2)):
        return False
    write_error(f"{question} [y/N] ")
    return os.read(0, 1000).strip().lower() in (b"y", b"yes")


def one_line(text: str, limit: int = 300) -> str:
    """Return the text as one line of at most `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def is_terminal(fd: int) -> bool:
    """Return whether this file descriptor is a terminal."""
    try:
        return os.isatty(fd)
    except OSError:
        return False


def take_streams() -> tuple[int, int]:
    """Return copies of stdin and stdout that child processes do not inherit, and redirect the originals.

    After this, code that prints by mistake writes to stderr, and code that reads stdin finds its end.
    """
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return source, sink


def open_partial(path: str, mode: int | None = None) -> tuple[int, str]:
    """Create a file beside `path` to be renamed over it. Return its descriptor and its name. Raises OSError.

    The name is random and the file must be new (O_EXCL). So nobody can plant a link of that name, which would lead the
    writing to another file: opening it fails.
    """
    partial = f"{path}.{os.urandom(8).hex()}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | getattr(os, "O_NOFOLLOW", 0)
    return os.open(partial, flags, 0o666 if mode is None else mode), partial


def replace_file(path: str, data: bytes | Iterable[bytes], mode: int | None = None, *, is_new: bool = False) -> None:
    """Write a temporary file and rename it over `path`, so that readers see the old or the new file, never a part.

    `data` may come in pieces. Without `mode` the permissions are those of any new file. With `is_new` a file that
    exists by then is kept. Raises OSError, and what `data` raises; the temporary file is removed then.
    """
    fd, partial = open_partial(path, mode)
    try:
        with open(fd, "wb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
        if mode is not None:
            os.chmod(partial, mode)
        if is_new and hasattr(os, "link"):
            try:
                os.link(partial, path)  # unlike a rename, this never replaces a file
                os.unlink(partial)
                return
            except FileExistsError:
                raise
            except OSError:  # a file system without links: an empty file keeps the place
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(partial, path)
    except BaseException:
        try:
            os.unlink(partial)
        except OSError:
            pass
        raise


def open_to_append(path: str) -> int:
    """Open a file, creating it if needed, for reading and for writing at its end. Raises OSError and ValueError."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o666)


def lock(fd: int, seconds: float = 0.0) -> bool:
    """Lock a file until unlock() or the end of the process; return False if another process holds it for `seconds`.

    On a system or file that does not support locks, return True.
    """
    until = time.monotonic() + seconds
    while not _try_lock(fd):
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    return True


def unlock(fd: int) -> None:
    """Release the lock of lock()."""
    try:
        if sys.platform == "win32":
            _lock_byte(fd, "LK_UNLCK")
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_UN)
    except (OSError, ImportError):
        pass


def _try_lock(fd: int) -> bool:
    """Return False if another process has locked the file; True if it is locked now, or cannot be locked."""
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


def _lock_byte(fd: int, mode: str) -> None:
    """Lock or unlock _LOCKED_BYTE on Windows; the file position stays."""
    if sys.platform == "win32":
        import msvcrt

        position = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, getattr(msvcrt, mode), 1)
        finally:
            os.lseek(fd, position, os.SEEK_SET)


def write_file(path: str, data: bytes) -> None:
    """Replace the file, or leave the old one if that fails. A device or pipe is written to: /dev/null, /dev/stdout.

    Raises InvalidArgument.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            replace_file(os.path.realpath(path), data)
    except OSError as exc:
        from webtool.errors import InvalidArgument

        hint = f"Give another file, where you may write and {len(data):,} bytes find room."
        raise InvalidArgument(f"{path} cannot be written: {exc.strerror or exc}", hint=hint) from exc
