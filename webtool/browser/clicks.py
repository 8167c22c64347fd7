"""Click what shows more of a loaded page and does no harm: "reject cookies", and "show more" in the main text.

In: a tab at rest whose options allow clicks. Out: the page after them, and a note that names each label clicked.

Only two tasks exist: REFUSE refuses consent in a dialog that speaks of cookies; MORE shows text that the page folds.
A control is clicked only if all it can do by itself is to run the page's own handlers. It is not a link with an address
and no button that sends a form. If a handler tries to lead the page elsewhere or to open a window, tab.py refuses that.
The click grants no user activation (HTML Standard, "activation notification"), so the page gains no rights. Each task
runs twice in an isolated world: a trial that only lists the controls, then the clicks. After each click the page may
load for CLICK_WAIT seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

from webtool.browser import scripts
from webtool.browser.cdp import NoAnswer, ProtocolError
from webtool.browser.reading import Reader
from webtool.lean.typing import Any

MAX_REFUSAL_CLICKS = 1  # clicks of "reject" in one page
MAX_MORE_CLICKS = 5  # clicks of "show more" in one page
MAX_CONSENT_FRAMES = 5  # frames that are searched for a consent dialog
CLICK_ANSWER = 1.0  # seconds for the page's click handlers; then they are ended
CLICK_WAIT = 4.0  # seconds to load what a click started

REFUSE, MORE = "refuse", "more"  # the two tasks

_MAX_LABEL = 60  # characters; a longer text is a sentence, not a label
_MAX_DIALOG = 6000  # characters; a box with more text is the page itself, not a dialog
_NO_MATCH = "(?!)"  # the pattern for a list without words: an empty pattern would match every label


def _words(kind: str, *, is_unspaced: bool = False) -> str:
    """Return the pattern of the words in the file scripts/KIND.txt.

    A line of it has languages and words: `de fr: ausklappen|lire`. Lines like `* zh: 展开` have the languages that
    write words without spaces between them. `is_unspaced` takes these lines, else they are left out.
    """
    lines = [line for line in scripts.file(f"{kind}.txt").splitlines() if line[:1] not in ("", "#")]
    return "|".join(line.partition(": ")[2] for line in lines if (line[0] == "*") is is_unspaced) or _NO_MATCH


def click_script(task: str, most: int, *, in_frame: bool = False, is_trial: bool = False) -> str:
    """Return the JavaScript expression that clicks at most `most` controls. Its value is the list of their labels.

    With `is_trial` it only lists them.
    """
    is_refusal = task == REFUSE
    words, unspaced = _words(task), _words(task, is_unspaced=True)
    if is_refusal:
        # "No, rejecting all": the word may be anywhere in the label. Its ending belongs to the match, which is noted.
        pattern = f"(?<!\\p{{L}})(?:{words})\\p{{L}}{{0,8}}|{unspaced}"
    else:  # "Show more", but not "Buy and show more"
        pattern = f"^(?:{words}|{unspaced})"
    options = {
        "isRefusal": is_refusal,
        "words": pattern,
        "never": f"(?<!\\p{{L}})(?:{_words('never')})|{_words('never', is_unspaced=True)}",
        "about": _words("about"),
        "longest": _MAX_LABEL,
        "largest": _MAX_DIALOG,
        "most": most,
        "inFrame": in_frame,
        "isTrial": is_trial,
    }
    return f"{scripts.CLICK}({json.dumps(options)})"


class Clicker(Reader):
    """A tab in which controls can be clicked. `settle(deadline)` waits for the page and returns whether it settled.

    Reader has the tab's state: the session, the frames, the options, `_is_held` (tab.py then refuses navigations),
    `_clicked` and `_held_back` (what the notes name).
    """

    def _refuse_consent(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Refuse consent once, in the page or a frame directly inside it. Return False if the page then stays busy."""
        if not self._options.clicks:
            return True
        for frame in (self._frame, *self._frames.inside(self._frame)[:MAX_CONSENT_FRAMES]):
            if self._click(REFUSE, MAX_REFUSAL_CLICKS, frame, deadline):
                return settle(min(deadline, time.monotonic() + CLICK_WAIT))
        return True

    def _show_more(self, settle: Callable[[float], bool], deadline: float) -> bool:
        """Click "show more" in the main text, and where a click reveals another. Return False if it then stays busy."""
        left = MAX_MORE_CLICKS if self._options.clicks else 0
        while left and (number := self._click(MORE, left, self._frame, deadline)):
            left -= number
            if not settle(min(deadline, time.monotonic() + CLICK_WAIT)):
                return False
        return True

    def _click(self, task: str, most: int, frame: str, deadline: float) -> int:
        """Click at most `most` controls in a frame, and return how many. After a click the page stays held.

        A trial finds the labels first: if the page's handlers never return, the labels of the trial are noted.
        """
        trial_labels = self._run_clicks(task, most, frame, deadline, is_trial=True)
        if not trial_labels:
            return 0
        # Without a history, handlers cannot go back to an earlier page either.
        self._send("Page.resetNavigationHistory", None, self._session)
        with self._changed:
            self._is_held = True
        clicked_labels = self._run_clicks(task, most, frame, deadline, is_trial=False)
        labels = trial_labels if clicked_labels is None else clicked_labels
        self._clicked.update((task, label) for label in labels)
        self._traffic.last_change = time.monotonic()
        return len(labels)

    def _run_clicks(self, task: str, most: int, frame: str, deadline: float, *, is_trial: bool) -> list[str] | None:
        """Run the click script and return the labels. None if the page's handlers had to be ended."""
        script = click_script(task, most, in_frame=frame != self._frame, is_trial=is_trial)
        until = min(deadline, time.monotonic() + CLICK_ANSWER)
        try:
            labels = self._value(script, self._world_of(frame, until), frame, until)
        except NoAnswer:
            self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            return None
        except ProtocolError:
            return []
        return [str(label) for label in labels] if isinstance(labels, list) else []

    def _notes(self, facts: dict[str, Any]) -> Iterator[str]:
        yield from super()._notes(facts)
        if self._clicked:
            each = (
                f'"{words}"' + (" (consent refused)" if task == REFUSE else "") + (f" {n} times" * (n > 1))
                for (task, words), n in self._clicked.items()
            )
            yield f"clicked in the page: {', '.join(each)}"
        if self._held_back:
            yield "after the click the page wanted to lead elsewhere, which was refused"
