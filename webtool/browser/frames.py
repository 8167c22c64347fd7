"""The frames of one page: which there are, where each is spoken to, and their texts put in their places.

In: frame events of the protocol; the texts of documents. Out: sessions, children, one text. No I/O. A frame of another
site lives in a process of its own and has a session of its own (a target of type "iframe", whose id is the frame's);
every other one is spoken to in the session of the frame around it.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_DEPTH = 3  # frames in frames that are read
MAX_FRAMES = 50  # whose documents are asked for, and as many that are read
_MAX_KNOWN = 1000


class Framed(NamedTuple):
    """A frame as the document around it shows it: what has to be known to read it."""

    number: int
    frame: str
    depth: int
    is_judged: bool
    """Whether nothing around it is hidden, so that what is in it is seen or not by its own style."""
    ground: list[float] | None
    """The colour behind it (red, green, blue, alpha), None where a picture may be there."""
    element: str
    """The empty element, for where its document cannot be read."""


class Frames:
    """Whose child each frame is, and its session."""

    def __init__(self, main: str, session: str) -> None:
        self._main, self._session = main, session
        self._parents: dict[str, str] = {}
        self._own: dict[str, str] = {}  # frame -> its session, for those that have one

    def attached(self, frame: str, parent: str) -> None:
        """A frame came to be in another."""
        if frame != self._main and len(self._parents) < _MAX_KNOWN:
            self._parents[frame] = parent

    def detached(self, frame: str) -> None:
        """It was taken out of its document."""
        self._parents.pop(frame, None)

    def session_begins(self, frame: str, session: str) -> None:
        """The frame has moved to a process of its own."""
        self._own[frame] = session

    def session_ends(self, session: str) -> None:
        """That process has gone or holds the frame no longer."""
        self._own = {frame: own for frame, own in self._own.items() if own != session}

    def session_of(self, frame: str) -> str:
        """Where to speak to a frame."""
        for _ in range(len(self._parents) + 1):
            if frame in self._own or frame not in self._parents:
                break
            frame = self._parents[frame]
        return self._own.get(frame, self._session)

    def sessions(self) -> list[str]:
        """Those of frames that have one of their own."""
        return list(self._own.values())

    def inside(self, parent: str) -> list[str]:
        """The frames right inside of one, at most MAX_FRAMES."""
        return [frame for frame, above in self._parents.items() if above == parent][:MAX_FRAMES]


def listed(rows: list[list[Any]], numbers: Mapping[int, str], depth: int) -> list[Framed]:
    """What a document says of the frames in it; `numbers` are those that they were given."""
    return [
        Framed(int(number), numbers[int(number)], depth, bool(judged), ground, str(element))
        for number, judged, ground, element in rows
        if int(number) in numbers
    ]


def joined(text: str, mark: str, texts: Mapping[int, str]) -> str:
    """The text with every comment "mark:number" replaced by that number's text, whose own are replaced as well.

    No page can guess the mark. A frame's number is found in one document only, so this ends.
    """
    first, *rest = text.split(f"<!--{mark}:")
    parts = [first]
    for part in rest:
        number, _, after = part.partition("-->")
        parts += [joined(texts.get(int(number), ""), mark, texts), after]
    return "".join(parts)
