"""One request on its way. In: a message, its protocol revision, a way to send. Out: notifications that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from webtool.mcp import messages
from webtool.mcp.messages import Message


class Call:
    """One request on its way: who asked, whether it was taken back, how far it got."""

    def __init__(self, message: Message, version: str, send: Callable[[object], None]) -> None:
        self.message = message
        self.key = key_of(message.id)
        self.version = version
        self.is_cancelled = False
        self.is_held = False  # stays unanswered until one side ends it
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
            self._send(messages.notification(method, params))


def key_of(number: object) -> tuple[bool, object]:
    """What tells one id from another: 1 and 1.0 are the same number, the text "1" is something else."""
    return isinstance(number, str), number
