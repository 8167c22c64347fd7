"""JSON-RPC 2.0 lines, and a request on its way. In: the bytes of one line, or a message. Out: messages with their
faults, or bytes; all but Call are pure.

A line that is not a message yields an error response to send, never an exception; what a client may send is bounded by
the loop, what it may nest by the parser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from webtool.lean.records import NamedTuple
from webtool.mcp.protocol import INVALID_REQUEST, PARSE_ERROR

MAX_BATCH = 1000
"""Messages on one line; a line of small ones would else take a hundred times its size."""


class Message(NamedTuple):
    """One message from the client. A request has an `id`; a notification has none; `fault` is the answer to neither."""

    method: str = ""
    params: Mapping[str, object] = {}
    id: str | int | float | None = None
    fault: dict[str, object] | None = None

    @property
    def is_request(self) -> bool:
        """Whether an answer is due."""
        return self.id is not None and self.fault is None


class Line(NamedTuple):
    """What one line held: its messages, and whether they came as a batch."""

    messages: list[Message]
    is_batch: bool = False


def decode(line: bytes) -> Line:
    """The messages of one line."""
    try:
        value = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse, parse_float=_finite)
    except UnicodeDecodeError as exc:
        return Line([_faulty(None, PARSE_ERROR, f"Parse error: not UTF-8 ({exc.reason} at byte {exc.start})")])
    except (ValueError, RecursionError) as exc:
        return Line([_faulty(None, PARSE_ERROR, f"Parse error: {exc}")])
    if not isinstance(value, list):
        return Line([_message(value)])
    if not value:
        return Line([_faulty(None, INVALID_REQUEST, "Invalid Request: an empty batch")])
    if len(value) > MAX_BATCH:
        return Line([_faulty(None, INVALID_REQUEST, f"Invalid Request: a batch has at most {MAX_BATCH} messages")])
    return Line([_message(member) for member in value], is_batch=True)


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise ValueError(f"{digits[:40]} is larger than any number here")
    return number


def _message(value: object) -> Message:
    if not isinstance(value, dict):
        return _faulty(None, INVALID_REQUEST, "Invalid Request: a message is a JSON object")
    number = value.get("id")
    if number is not None and (isinstance(number, bool) or not isinstance(number, (str, int, float))):
        return _faulty(None, INVALID_REQUEST, "Invalid Request: id is a string or an integer")
    if value.get("jsonrpc") != "2.0":
        return _faulty(number, INVALID_REQUEST, 'Invalid Request: jsonrpc is "2.0"')
    if "method" not in value and ("result" in value or "error" in value):
        return Message()  # a response: this server asks nothing, so there is nothing to match
    return _call(value, number)


def _call(value: Mapping[str, object], number: str | float | None) -> Message:
    method, params = value.get("method"), value.get("params", {})
    if not isinstance(method, str):
        return _faulty(number, INVALID_REQUEST, "Invalid Request: method is a string")
    if "id" in value and number is None:
        return _faulty(None, INVALID_REQUEST, "Invalid Request: id is not null")
    if params is not None and not isinstance(params, dict):
        return _faulty(number, INVALID_REQUEST, "Invalid Request: params is an object")
    return Message(method, params or {}, number)


def _faulty(number: object, code: int, message: str) -> Message:
    return Message(fault=error(number, code, message))


def result(number: object, value: Mapping[str, object]) -> dict[str, object]:
    """The response to a request that succeeded."""
    return {"jsonrpc": "2.0", "id": number, "result": value}


def error(number: object, code: int, message: str, data: object = None) -> dict[str, object]:
    """The response to a request that failed; `id` is null where it could not be read."""
    members: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        members["data"] = data
    return {"jsonrpc": "2.0", "id": number, "error": members}


def encode(message: object) -> bytes:
    """One line in UTF-8. Lone surrogates become U+FFFD; line separators are escaped, as some readers split there."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")
    return data.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029") + b"\n"


class Call:
    """One request on its way: who asked, whether it was taken back, how far it got."""

    def __init__(self, message: Message, version: str, send: Callable[[object], None]) -> None:
        self.message = message
        self.key = key_of(message.id)
        self.version = version
        self.is_cancelled = False
        self._send = send
        meta = message.params.get("_meta")
        self.meta: Mapping[str, object] = meta if isinstance(meta, dict) else {}
        self._progress = 0.0

    def progress(self, done: int, total: int, text: str) -> None:
        """Tell the client how far the call is, if it asked for that."""
        token = self.meta.get("progressToken")
        if self.is_cancelled or token is None or isinstance(token, bool) or not isinstance(token, (str, int, float)):
            return
        if done <= self._progress:  # the protocol wants it to increase
            return
        self._progress = done
        params: dict[str, object] = {"progressToken": token, "progress": done, "total": total}
        if self.version >= "2025-03-26":
            params["message"] = text
        self.notify("notifications/progress", params)

    def notify(self, method: str, params: Mapping[str, object]) -> None:
        """Send a notification that belongs to this call."""
        if not self.is_cancelled:
            self._send({"jsonrpc": "2.0", "method": method, "params": params})


def key_of(number: object) -> tuple[bool, object]:
    """What tells one id from another: 1 and 1.0 are the same number, the text "1" is something else."""
    return isinstance(number, str), number
