"""A loaded page as text: its document and those of its frames, read where nothing of the page's own can interfere.

In: a tab. Out: a Rendered. Every script runs in an isolated world; what a frame holds is read in the frame's own
session and put in its place. What cannot be read in time is left out, and the notes say so.
"""

from __future__ import annotations

import binascii
import json
import os
import time
from collections import deque
from collections.abc import Iterator

from webtool.browser import frames, scripts
from webtool.browser.behaviour import JUDGED_ELEMENTS, WORLD, Rendered
from webtool.browser.cdp import BrowserGone, NoAnswer, ProtocolError
from webtool.browser.flags import VIEWPORT
from webtool.browser.tab import TICK, Tab
from webtool.browser.traffic import MainDocument
from webtool.lean.typing import Any

BUSY_SHARE = 0.6  # of the time for an answer: when it has passed, the page's own scripts are ended
COPY_SHARE = 0.4  # of the time for reading, for copying one document; the rest is for writing and sending it
FRAME_WAIT, FRAMES_WAIT = 1.0, 4.0  # seconds for reading a frame, and for all of them
LEAST_WORDS = 100  # characters that make a page without its scripts worth having
MAX_SCREENSHOT_HEIGHT = 16000  # CSS pixels
_ENVELOPE = 1000  # bytes of a page that are not its copied part
_TO_NAME = {"functionDeclaration": scripts.NAME_FRAME}
_WHITE = [255, 255, 255, 1]
_CUT = {
    "size": "the page is larger than {} bytes (WEBTOOL_MAX_BYTES), and this is its beginning",
    "time": "the page is too large to be read in the time there is, and this is its beginning",
}


class Reader(Tab):
    """A tab that can be read."""

    def snapshot(self, deadline: float) -> Rendered:
        """The page as it stands now. Raises RenderFailed where the browser cannot be made to tell."""
        # No page can guess the name, so none can say of its own text that it is hidden or seen.
        mark = "seen-" + binascii.hexlify(os.urandom(12)).decode()
        order = {
            "mark": mark,
            "limit": self._options.max_characters - _ENVELOPE,
            "most": JUDGED_ELEMENTS,
            "inFrame": False,
            "judged": True,
            "ground": _WHITE,
        }
        numbers = self._named(self._frame, min(deadline, time.monotonic() + FRAME_WAIT))
        facts = self._evaluate(_script(order, deadline), deadline)
        document = self.document()
        if self.is_led_on:
            if not facts["words"]:
                raise self._led_on()
            self.unfinished = "the page leads to another again and again, and this is how it stood"
        elif not self._options.with_scripts and facts["words"] < LEAST_WORDS:
            raise self._failed("The page has no text without its scripts")
        elif facts["cut"]:
            self.unfinished = self.unfinished or _CUT[facts["cut"]].format(self._options.max_characters)
        html = self._with_frames(facts, numbers, order, min(deadline, time.monotonic() + FRAMES_WAIT))
        return Rendered(
            ("" if facts["quirks"] else "<!DOCTYPE html>") + _well_formed(html) if html else "",
            # A script may lead to a blob: URL, which nobody else can open: the page that made it is where it is from.
            facts["url"] if facts["url"].startswith(("http://", "https://")) else self._traffic.last_asked,
            _well_formed(facts["title"]),
            document.status if document else 0,
            document.content_type if document else facts["type"],
            self._screenshot(deadline) if self._options.screenshot else None,
            document.headers if document else (),
            mark if facts["isJudged"] else "",
            tuple(self._notes(facts)),
            not self.unfinished,
        )

    def bare_snapshot(self) -> Rendered:
        """What is known of a main document that is not HTML."""
        document = self.document() or MainDocument(self._traffic.last_asked, 0, "", "")
        return Rendered("", document.url, "", document.status, document.content_type, None)

    def document(self) -> MainDocument | None:
        """The main document's response, None where none is known."""
        return self._traffic.document(self._loader) or (self._traffic.latest() if not self._loader else None)

    def _notes(self, facts: dict[str, Any]) -> Iterator[str]:
        if self.unfinished:
            yield self.unfinished
        if facts["unseen"]:
            yield f"{facts['unseen']} characters that the page does not show were left out"
        if facts["canvases"]:
            yield f"the page draws on {facts['canvases']} canvas elements, and text in a picture is not here"
        yield from self.refused()

    # Frames: each document is read by itself and then put where its frame stands.

    def _with_frames(
        self, facts: dict[str, Any], numbers: dict[int, str], order: dict[str, Any], deadline: float
    ) -> str:
        """The text of the main document with those of its frames; their counts are added to `facts`."""
        texts: dict[int, str] = {}
        most = JUDGED_ELEMENTS - facts["count"] if facts["isJudged"] else 0
        left = order["limit"] - len(facts["html"].encode("utf-8", "surrogatepass"))
        waiting = deque(frames.listed(facts["frames"], numbers, 1))
        while waiting:
            framed = waiting.popleft()
            texts[framed.number] = framed.element
            is_over = len(texts) > frames.MAX_FRAMES or time.monotonic() >= deadline
            if is_over or self._traffic.is_refusal(framed.frame):
                continue
            numbers = self._named(framed.frame, deadline) if framed.depth < frames.DEEPEST else {}
            asked = {**order, "limit": left, "most": most, "inFrame": True}
            asked.update(judged=framed.is_judged and facts["isJudged"], ground=framed.ground)
            found = self._read_frame(framed.frame, asked, deadline)
            if found is None or not found["html"].strip() or (asked["judged"] and not found["isJudged"]):
                continue
            texts[framed.number] = found["html"]
            left -= len(found["html"].encode("utf-8", "surrogatepass"))
            most -= found["count"]
            for name in ("unseen", "canvases"):
                facts[name] += found[name]
            waiting += frames.listed(found["frames"], numbers, framed.depth + 1)
        return frames.joined(facts["html"], order["mark"], texts)

    def _named(self, frame: str, deadline: float) -> dict[int, str]:
        """Give numbers to the frames right inside of one, which its document's SNAPSHOT then knows by their elements.

        Whatever fails leaves a frame without one: then it is not read.
        """
        inside = {self._named_frames + at: child for at, child in enumerate(self._frames.inside(frame))}
        self._named_frames += len(inside)
        if not inside:
            return {}
        try:
            context = self._world_of(frame, deadline)
        except (NoAnswer, ProtocolError):
            return {}
        where = (self._frames.session_of(frame), deadline)
        owners = self._each("DOM.getFrameOwner", {n: {"frameId": child} for n, child in inside.items()}, *where)
        nodes = {
            n: {"backendNodeId": owner.get("backendNodeId"), "executionContextId": context}
            for n, owner in owners.items()
        }
        elements = self._each("DOM.resolveNode", nodes, *where)
        calls = {
            n: {**_TO_NAME, "objectId": element.get("object", {}).get("objectId"), "arguments": [{"value": n}]}
            for n, element in elements.items()
        }
        return {n: inside[n] for n in self._each("Runtime.callFunctionOn", calls, *where)}

    def _each(
        self, method: str, params: dict[int, dict[str, Any]], session: str, deadline: float
    ) -> dict[int, dict[str, Any]]:
        """One command for each number, all under way at once; the answers of those that succeed."""
        pending = {number: self._start(method, one, session) for number, one in params.items()}
        answers = {}
        for number, one in pending.items():
            try:
                answers[number] = one.result(deadline)
            except (NoAnswer, ProtocolError):
                continue
            except BrowserGone:
                raise self._gone() from None
        return answers

    def _read_frame(self, frame: str, order: dict[str, Any], deadline: float) -> dict[str, Any] | None:
        """The facts of a frame's document; None where it does not give them. Scripts that hold it up are ended."""
        for _ in range(2):
            until = min(deadline, time.monotonic() + FRAME_WAIT)
            try:
                found = self._value(_script(order, until), self._world_of(frame, until), frame, until)
            except NoAnswer:
                self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            except ProtocolError:
                return None
            else:
                return found if isinstance(found, dict) else None
        return None

    # Scripts in an isolated world.

    def _evaluate(self, expression: str, deadline: float) -> Any:
        """The value of an expression in the main document. A busy page's scripts are ended once to get an answer."""
        is_ended = False
        while True:
            # Enough of the time is kept to ask again once the page's scripts have been ended.
            share = 1.0 if is_ended else BUSY_SHARE
            until = time.monotonic() + max(0.0, deadline - time.monotonic()) * share
            try:
                return self._value(expression, self._main_world(until), self._frame, until)
            except NoAnswer:
                if is_ended or time.monotonic() >= deadline:
                    raise self._failed("The page's scripts keep the browser busy") from None
                is_ended = True
                self._send("Runtime.terminateExecution", None, self._session)
            except ProtocolError as exc:  # the page moved on while it was asked: ask the new one
                self._world = ("", 0)
                if time.monotonic() + TICK >= deadline:
                    raise self._failed(f"The page could not be read: {exc}") from exc
                self._wait(lambda: False, time.monotonic() + TICK)

    def _main_world(self, deadline: float) -> int:
        if self._world[0] != self._loader or not self._world[1]:
            loader = self._loader
            self._world = (loader, self._world_of(self._frame, deadline))
        return self._world[1]

    def _world_of(self, frame: str, deadline: float) -> int:
        """The execution context of our world in a frame's document, made where there is none."""
        where = {"frameId": frame, "worldName": WORLD}
        session = self._frames.session_of(frame)
        return int(self._raw_call("Page.createIsolatedWorld", where, deadline, session)["executionContextId"])

    def _value(self, expression: str, context: int, frame: str, deadline: float) -> Any:
        params = {"expression": expression, "contextId": context, "returnByValue": True, "awaitPromise": True}
        answer = self._raw_call("Runtime.evaluate", params, deadline, self._frames.session_of(frame))
        if "exceptionDetails" in answer:
            raise ProtocolError(str(answer["exceptionDetails"].get("text", "a script failed")))
        return answer["result"].get("value")

    def _screenshot(self, deadline: float) -> bytes:
        size = self._call("Page.getLayoutMetrics", None, self._session, deadline).get("cssContentSize", {})
        width, height = (max(1, int(size.get(name, 0) or least)) for name, least in zip(("width", "height"), VIEWPORT))
        clip = {"x": 0, "y": 0, "width": min(width, 4 * VIEWPORT[0]), "height": min(height, MAX_SCREENSHOT_HEIGHT)}
        params = {"format": "png", "captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        return binascii.a2b_base64(self._call("Page.captureScreenshot", params, self._session, deadline)["data"])


def _script(order: dict[str, Any], deadline: float) -> str:
    """SNAPSHOT with its order; the copy takes a part of the time that is left."""
    seconds = max(0.0, deadline - time.monotonic()) * COPY_SHARE
    return f"{scripts.SNAPSHOT}({json.dumps({**order, 'time': int(1000 * seconds)})})"


def _well_formed(text: str) -> str:
    """Scripts can leave half a surrogate pair, which no encoding takes: U+FFFD stands for it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
