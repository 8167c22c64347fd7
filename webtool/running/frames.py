"""Values through a pipe between two processes of webtool. In: a descriptor, a value. Out: the value on the other side.

A frame is its length in eight bytes and a pickle. Both ends are the same program, so a pickle is not a risk here.
"""

from __future__ import annotations

import os
import pickle
import struct

from webtool.output import write_all

_LENGTH = struct.Struct(">Q")
_READ_BYTES = 1 << 20


def write(fd: int, value: object) -> None:
    """Write one value. Raises BrokenPipeError or CannotWrite, and what pickle raises."""
    data = pickle.dumps(value, 5)
    write_all(fd, _LENGTH.pack(len(data)))
    write_all(fd, data)


def read(fd: int) -> object:
    """The next value. Raises EOFError where the other side has gone."""
    length: int = _LENGTH.unpack(_exactly(fd, _LENGTH.size))[0]
    return pickle.loads(_exactly(fd, length))


def _exactly(fd: int, length: int) -> bytearray:
    data = bytearray()
    while len(data) < length:
        piece = os.read(fd, min(length - len(data), _READ_BYTES))
        if not piece:
            raise EOFError
        data += piece
    return data
