"""Clicks on a loaded page that show more of it and do no harm: consent refused, "show more" in the main text.

In: a tab at rest whose options allow it. Out: the page after them, and a note. Nothing that a click sets off may lead
the tab elsewhere (tab.py refuses it), and each click's effect is waited for like the page itself, but not as long. What
is clicked is in clicks.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from webtool.browser import clicks
from webtool.browser.cdp import NoAnswer, ProtocolError
from webtool.browser.reading import Reader
from webtool.lean.typing import Any

MOST_REFUSALS = 1
MOST_MORE = 5  # controls of the main text that are clicked
MOST_FRAMES = 5  # in which a consent dialog is looked for
CLICK_ANSWER = 1.0  # seconds for the page's handlers; what takes longer is ended
CLICK_WAIT = 4.0  # seconds that what a click set off may take to load


class Clicker(Reader):
    """A tab in which a few things are clicked."""

    def _refuse_consent(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Click one refusal, in the page or in a frame right inside of it. False if the page does not settle after."""
        frames = (self._frame, *self._frames.inside(self._frame)[:MOST_FRAMES]) if self._options.clicks else ()
        for frame in frames:
            if self._click(clicks.REFUSE, MOST_REFUSALS, frame, deadline):
                return settle(min(deadline, time.monotonic() + CLICK_WAIT))
        return True

    def _show_more(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Click what shows more of the main text, and what comes by that once more. False as above."""
        left = MOST_MORE if self._options.clicks else 0
        until = min(deadline, time.monotonic() + CLICK_WAIT)
        while left and (number := self._click(clicks.MORE, left, self._frame, until)):
            left -= number
            if not settle(until):
                return False
        return True

    def _click(self, task: str, most: int, frame: str, deadline: float) -> int:
        """Controls that were clicked. That there are some is known before, as a page may never answer to the click."""
        found = self._run_clicks(task, most, frame, deadline, is_trial=True)
        if not found:
            return 0
        # What was visited before is no way out either.
        self._send("Page.resetNavigationHistory", None, self._session)
        with self._changed:
            self._is_held = True
        clicked = self._run_clicks(task, most, frame, deadline, is_trial=False)
        told = found if clicked is None else clicked
        self._clicked.update((task, words) for words in told)
        self._traffic.last_change = time.monotonic()
        return len(told)

    def _run_clicks(self, task: str, most: int, frame: str, deadline: float, *, is_trial: bool) -> list[str] | None:
        """What the labels say; None where the page's handlers do not come to an end, which they are made to."""
        script = clicks.script(task, most, in_frame=frame != self._frame, is_trial=is_trial)
        until = min(deadline, time.monotonic() + CLICK_ANSWER)
        try:
            found = self._value(script, self._world_of(frame, until), frame, until)
        except NoAnswer:
            self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            return None
        except ProtocolError:
            return []
        return [str(words) for words in found] if isinstance(found, list) else []

    def _notes(self, facts: dict[str, Any]) -> Iterator[str]:
        yield from super()._notes(facts)
        if self._clicked:
            each = (
                f'"{words}"' + (" (consent refused)" if task == clicks.REFUSE else "") + (f" {n} times" * (n > 1))
                for (task, words), n in self._clicked.items()
            )
            yield f"clicked in the page: {', '.join(each)}"
        if self._held_back:
            yield "after the click the page wanted to lead elsewhere, which was refused"
