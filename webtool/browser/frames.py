"""Know the frames of one page, and put their documents in place. In: frame events; HTML texts. Out: ids; one text.

Pure. A frame of another site runs in a process of its own. It has a session of its own: a target of type "iframe",
whose id is the frame's. All other frames share the session of the frame around them. Frames are known by protocol
ids; in texts they are known by numbers, which Reader._numbered gives them.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

MAX_DEPTH = 3  # levels of frames in frames; deeper ones are not read
MAX_FRAMES = 50  # frames of one page that are fetched, and that are read
_MAX_KNOWN = 1000  # frames of one page; further ones are ignored


class Framed(NamedTuple):
    """A frame in a document that was read: what is needed to read the frame too."""

    number: int
    frame_id: str  # the protocol's id
    depth: int  # 1 for a frame of the main document
    is_shown: bool  # nothing around the frame hides it, so the styles in its document decide what can be seen
    ground: list[float] | None  # background colour (red, green, blue, alpha); None if a picture may be there
    element: str  # the empty element, which stays if the frame's document cannot be read


class Frames:
    """The parent and the session of each frame."""

    def __init__(self, main: str, session: str) -> None:
        self._main, self._session = main, session
        self._parents: dict[str, str] = {}
        self._own: dict[str, str] = {}  # frame -> its session, for those that have one

    def attached(self, frame: str, parent: str) -> None:
        """Note a new frame inside `parent`."""
        if frame != self._main and len(self._parents) < _MAX_KNOWN:
            self._parents[frame] = parent

    def detached(self, frame: str) -> None:
        """Forget a frame that was removed from its document, and the frames in it.

        The browser reports frames inside a frame of another process in that frame's session, which ends first.
        """
        gone = {frame}
        for child, parent in self._parents.items():  # a frame is attached, and so listed, after the one around it
            if parent in gone:
                gone.add(child)
        for name in gone:
            self._parents.pop(name, None)

    def session_begins(self, frame: str, session: str) -> None:
        """Note that the frame now has its own process and session."""
        self._own[frame] = session

    def session_ends(self, session: str) -> None:
        """Note that a frame's session has ended, because its process ended or the frame moved to another process."""
        self._own = {frame: own for frame, own in self._own.items() if own != session}

    def session_of(self, frame: str) -> str:
        """Return the session that takes commands for a frame: its own, or that of the nearest frame around it."""
        for _ in range(len(self._parents) + 1):
            if frame in self._own or frame not in self._parents:
                break
            frame = self._parents[frame]
        return self._own.get(frame, self._session)

    def sessions(self) -> list[str]:
        """Return the sessions of all frames that have one of their own."""
        return list(self._own.values())

    def inside(self, parent: str) -> list[str]:
        """Return the frames directly inside `parent`, at most MAX_FRAMES."""
        known = list(self._parents.items())  # a copy: another thread may add frames meanwhile
        return [frame for frame, above in known if above == parent][:MAX_FRAMES]


def listed(rows: list[list[Any]], numbers: Mapping[int, str], depth: int) -> list[Framed]:
    """Read the list of frames that snapshot.js returned for a document. `numbers` maps numbers to frame ids.

    A row is [number, is_shown, ground, element]. A row with a number that is not in `numbers` is dropped.
    """
    return [
        Framed(int(number), numbers[int(number)], depth, bool(is_shown), ground, str(element))
        for number, is_shown, ground, element in rows
        if int(number) in numbers
    ]


def joined(text: str, mark: str, texts: Mapping[int, str]) -> str:
    """Replace every comment "mark:number" in the text by texts[number], recursively.

    `<!--m:3-->` becomes the HTML of frame 3. No page can guess the mark, and snapshot.js writes such a comment whole or
    not at all. Each number is in one document only, so the recursion ends.
    """
    first, *rest = text.split(f"<!--{mark}:")
    parts = [first]
    for part in rest:
        number, _, after = part.partition("-->")
        parts += [joined(texts.get(int(number), ""), mark, texts), after]
    return "".join(parts)
