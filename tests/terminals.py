"""Open a pseudo-terminal for a test, or skip the test: without /dev/pts it cannot be opened."""

import os
import re
import struct
import subprocess
import threading

import pytest

SEQUENCE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;;[^\x1b\x07]*\x1b\\")


def open_terminal(columns=0, lines=0):
    """Return (the person's side, the program's side) as file descriptors."""
    try:
        person, terminal = os.openpty()
    except (OSError, AttributeError) as exc:
        pytest.skip(f"no pseudo-terminals here: {exc}")
    if columns:
        import fcntl
        import termios

        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    return person, terminal


def on_terminal(argv, *, environ, typed=b"", columns=80, lines=24, streams=(0, 1, 2), cwd=None):
    """Run a program on a terminal; return (exit status, what the person saw). `streams` are those that are there."""
    person, terminal = open_terminal(columns, lines)
    seen = []

    def read():
        try:
            while chunk := os.read(person, 65536):
                seen.append(chunk)
        except OSError:  # how Linux says that nobody has the terminal open any more
            pass

    reader = threading.Thread(target=read)
    reader.start()
    kinds = {number: terminal if number in streams else subprocess.DEVNULL for number in (0, 1, 2)}
    process = subprocess.Popen(
        argv, stdin=kinds[0], stdout=kinds[1], stderr=kinds[2], env=environ, cwd=cwd, start_new_session=True
    )
    os.write(person, typed)
    try:
        status = process.wait(60)
    finally:
        os.close(terminal)
        reader.join(10)
        os.close(person)
    return status, b"".join(seen).decode("utf-8", "replace").replace("\r\n", "\n")


def visible(text):
    """Return the text without escape sequences for attributes and links."""
    return SEQUENCE.sub("", text)
