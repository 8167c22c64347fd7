"""Bytes to stdout and stderr: UTF-8 whatever the locale, every byte, nothing in between."""

from __future__ import annotations

import os


class CannotWrite(OSError):
    """stdout does not take the answer (a full disk, say); no bug, and nothing more can be said on stdout."""


def write_all(fd: int, data: bytes) -> None:
    """Write every byte; os.write may take only some of them. Raises BrokenPipeError or CannotWrite."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(fd, view) :]
        except BrokenPipeError:
            raise
        except OSError as exc:
            raise CannotWrite(exc.errno, exc.strerror) from exc


def write_error(text: str) -> None:
    """Write to stderr; a closed stderr loses it."""
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


def write_file(path: str, data: bytes) -> None:
    """Write the whole file or leave the old one as it was; what is no plain file, say /dev/null, is written to."""
    target = os.path.realpath(path)
    partial = f"{target}.{os.getpid()}.part"
    in_place = os.path.lexists(target) and not os.path.isfile(target)
    try:
        with open(target if in_place else partial, "wb") as file:
            file.write(data)
        if not in_place:
            os.replace(partial, target)
    except OSError as exc:
        if not in_place:
            try:
                os.unlink(partial)
            except OSError:
                pass
        from webtool.errors import InvalidArgument

        raise InvalidArgument(f"{path} cannot be written: {exc.strerror}", hint="Give another file to -o.") from exc
