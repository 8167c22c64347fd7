"""Bytes over a connected socket, in steps that each end in time. In: socket, Watch. Out: bytes. Raises OSError as it
comes, FetchTimeout and Cancelled."""

from __future__ import annotations

import _socket

from webtool.net.pool import Socket
from webtool.net.watch import Watch

_RECEIVE = 65536  # bytes asked for at a time


def send(connection: Socket, message: bytes, watch: Watch) -> None:
    """Send all of it."""
    sent = 0
    while sent < len(message):
        connection.settimeout(watch.step("the server did not take the request"))
        try:
            sent += connection.send(message[sent:] if sent else message)
        except _socket.timeout:
            continue


def receive(connection: Socket, watch: Watch, doing: str) -> bytes:
    """Some bytes, b"" at the end of the stream."""
    while True:
        connection.settimeout(watch.step(doing))
        try:
            return connection.recv(_RECEIVE)
        except _socket.timeout:
            continue
