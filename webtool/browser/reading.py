"""Read a loaded page as HTML, with the documents of its frames put in their places. In: a tab. Out: a Rendered.

Our scripts (webtool/browser/scripts) run in an isolated world: a set of JavaScript globals that the page cannot touch.
`snapshot.js` returns `facts`: the HTML, its title, counts, and a list of frames. In that HTML a comment "mark:number"
replaces each visible frame. Each frame is read by the same script in the frame's own session, until depth, count or
time run out. Then frames.joined puts the texts together. Notes name what could not be read in time.

Tests: tests/browser/test_frames.py
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
from webtool.browser.launch import VIEWPORT
from webtool.browser.tab import TICK, Tab
from webtool.browser.traffic import MainDocument
from webtool.lean import patterns
from webtool.lean.typing import Any

BUSY_SHARE = 0.6  # share of the time for an answer after which the page's own scripts are ended
COPY_SHARE = 0.4  # share of the time that snapshot.js may spend on copying; serialising and sending take the rest
FRAME_WAIT, FRAMES_WAIT = 1.0, 4.0  # seconds for reading one frame, and for all frames together
MIN_CHARACTERS = 100  # a page rendered without its scripts that has less text is an error
MIN_TAKEN_OUT = 5  # texts that a page takes out while it is scrolled; feeds that show a few rows take out more
MAX_SCREENSHOT_HEIGHT = 16000  # CSS pixels; what is further down is cut off
_ENVELOPE = 1000  # bytes of the byte limit that are reserved for the doctype and the outer elements
_NOTE = {"functionDeclaration": scripts.NOTE}
_closed_hosts = patterns.compile(r'<([a-z][\w.-]*)(?: [^<>]*)?><template shadowrootmode="closed"').findall
MAX_CLOSED_DEPTH = 3  # closed shadow trees in one another that are read
_WHITE = [255, 255, 255, 1]
_CUT = {
    "size": "the page is larger than {} bytes (WEBTOOL_MAX_BYTES), and this is its beginning",
    "time": "the page is too large to be read in the time there is, and this is its beginning",
}


class Reader(Tab):
    """A tab whose page can be read."""

    unfinished = ""  # why the page is read before it was ready, for a note; "" if it was ready
    not_awaited = ""  # what was not waited for although the page looked unfinished; for a note
    moving = 0  # places whose text never came to rest
    texts_taken_out = 0  # texts that the page showed while it was scrolled, and took out again
    _named_frames = 0  # numbers that _named() gave to frames so far
    _world = ("", 0)  # loader and execution context of our isolated world

    def snapshot(self, deadline: float) -> Rendered:
        """Return the page in its present state. Raises RenderFailed if the browser does not answer.

        Raises NetworkError for a page without text whose scripts lead from document to document.
        """
        # `mark` is the attribute by which snapshot.js marks hidden elements. It is random, so that no page can use it.
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
        self._open_closed_trees(self._frame, min(deadline, time.monotonic() + FRAME_WAIT))
        facts = self._evaluate(_script(order, deadline), deadline)
        document = self.document()
        if self.is_led_on:
            if not facts["words"]:
                raise self._redirect_error()
            self.unfinished = "the page leads to another again and again, and this is how it stood"
        elif not self._options.with_scripts and facts["words"] < MIN_CHARACTERS:
            raise self._failed("The page has no text without its scripts")
        elif facts["cut"]:
            self.unfinished = self.unfinished or _CUT[facts["cut"]].format(self._options.max_characters)
        html = self._with_frames(facts, numbers, order, min(deadline, time.monotonic() + FRAMES_WAIT))
        return Rendered(
            ("" if facts["quirks"] else "<!DOCTYPE html>") + _well_formed(html) if html else "",
            # A blob: URL works only in this browser: report the URL of the page that made it.
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
        """Return URL, status and content type of a main document that is not HTML, without text."""
        document = self.document() or MainDocument(self._traffic.last_asked, 0, "", "")
        return Rendered("", document.url, "", document.status, document.content_type, None)

    def document(self) -> MainDocument | None:
        """Return the main document's response, or None before one has come."""
        return self._traffic.document(self._loader) or (self._traffic.latest() if not self._loader else None)

    def _notes(self, facts: dict[str, Any]) -> Iterator[str]:
        if self.unfinished:
            yield self.unfinished
        if self.not_awaited:
            yield self.not_awaited
        if self.moving:
            places = "1 place" if self.moving == 1 else f"{self.moving} places"
            yield f"text was still changing in {places} when the page was read"
        if self.texts_taken_out >= MIN_TAKEN_OUT:
            count = self.texts_taken_out
            yield f"{count} texts that the page showed while it was scrolled are gone: it shows a part at a time"
        if facts["unseen"]:
            yield f"{facts['unseen']} characters that the page does not show were left out"
        if facts["canvases"]:
            yield f"the page draws on {facts['canvases']} canvas elements, and text in a picture is not here"
        yield from self.refusal_notes()

    # Frames: each document is read by itself and then put in the place of its frame.

    def _with_frames(
        self, facts: dict[str, Any], numbers: dict[int, str], order: dict[str, Any], deadline: float
    ) -> str:
        """Return the main document's HTML with the frames' HTML in place. Adds the frames' counts to `facts`.

        Frames are read breadth first. They share the byte limit and the number of elements whose style is checked.
        A frame that cannot be read, or answered with status 400 and above, is left as an empty element.
        """
        texts: dict[int, str] = {}
        elements_left = JUDGED_ELEMENTS - facts["count"] if facts["isJudged"] else 0
        bytes_left = order["limit"] - len(facts["html"].encode("utf-8", "surrogatepass"))
        queue = deque(frames.listed(facts["frames"], numbers, 1))
        while queue:
            framed = queue.popleft()
            texts[framed.number] = framed.element
            is_over = len(texts) > frames.MAX_FRAMES or time.monotonic() >= deadline
            if is_over or self._traffic.is_refusal(framed.frame):
                continue
            numbers = self._named(framed.frame, deadline) if framed.depth < frames.MAX_DEPTH else {}
            frame_order = {**order, "limit": bytes_left, "most": elements_left, "inFrame": True}
            frame_order.update(judged=framed.is_judged and facts["isJudged"], ground=framed.ground)
            frame_facts = self._read_frame(framed.frame, frame_order, deadline)
            if frame_facts is None or not frame_facts["html"].strip():
                continue
            if frame_order["judged"] and not frame_facts["isJudged"]:
                continue
            texts[framed.number] = frame_facts["html"]
            bytes_left -= len(frame_facts["html"].encode("utf-8", "surrogatepass"))
            elements_left -= frame_facts["count"]
            for name in ("unseen", "canvases"):
                facts[name] += frame_facts[name]
            queue += frames.listed(frame_facts["frames"], numbers, framed.depth + 1)
        return frames.joined(facts["html"], order["mark"], texts)

    def _named(self, frame: str, deadline: float) -> dict[int, str]:
        """Number the frames directly inside `frame` and return {number: frame id}.

        `note.js` stores each number with the frame's element, where snapshot.js finds it. A frame for which a
        command fails gets no number, and is not read.
        """
        children = enumerate(self._frames.inside(frame), self._named_frames)
        inside = dict(children)
        self._named_frames += len(inside)
        if not inside:
            return {}
        try:
            context = self._world_of(frame, deadline)
        except (NoAnswer, ProtocolError):
            return {}
        target = (self._frames.session_of(frame), deadline)
        owners = self._each("DOM.getFrameOwner", {n: {"frameId": child} for n, child in inside.items()}, *target)
        nodes = {
            n: {"backendNodeId": owner.get("backendNodeId"), "executionContextId": context}
            for n, owner in owners.items()
        }
        elements = self._each("DOM.resolveNode", nodes, *target)
        calls = {n: _note(element, {"value": n}) for n, element in elements.items()}
        return {n: inside[n] for n in self._each("Runtime.callFunctionOn", calls, *target)}

    def _open_closed_trees(self, frame: str, deadline: float) -> None:
        """Let snapshot.js read the closed shadow trees that a frame's HTML declares; scripts' own are open already.

        Only the protocol's DOM domain sees them. Example: <x-a><template shadowrootmode=closed>Words</template></x-a>
        """
        session = self._frames.session_of(frame)
        try:
            context = self._world_of(frame, deadline)
            document = self._object("document", context, session, deadline)
            source = self._raw_call("DOM.getOuterHTML", {**document, "includeShadowDOM": True}, session, deadline)
            names = sorted(set(_closed_hosts(source["outerHTML"])))
            for _ in range(MAX_CLOSED_DEPTH if names else 0):
                hosts = self._object(f"{scripts.HOSTS}({json.dumps(names)})", context, session, deadline)
                listed = self._raw_call("Runtime.getProperties", {**hosts, "ownProperties": True}, session, deadline)
                if not self._note_trees(listed["result"], context, session, deadline):
                    break
        except (NoAnswer, ProtocolError, KeyError):
            return  # a page that does not answer is read without these trees

    def _note_trees(self, hosts: list[dict[str, Any]], context: int, session: str, deadline: float) -> bool:
        """Note the closed shadow tree of each host that has one. Return whether there was any."""
        objects = {n: host["value"] for n, host in enumerate(hosts) if host["value"].get("subtype") == "node"}
        described = {n: {"objectId": value["objectId"]} for n, value in objects.items()}
        trees = {
            n: {"backendNodeId": tree["backendNodeId"], "executionContextId": context}
            for n, answer in self._each("DOM.describeNode", described, session, deadline).items()
            for tree in answer["node"].get("shadowRoots", ())
            if tree.get("shadowRootType") == "closed"
        }
        resolved = self._each("DOM.resolveNode", trees, session, deadline)
        calls = {
            n: _note({"object": objects[n]}, {"objectId": tree["object"]["objectId"]}) for n, tree in resolved.items()
        }
        return bool(self._each("Runtime.callFunctionOn", calls, session, deadline))

    def _object(self, expression: str, context: int, session: str, deadline: float) -> dict[str, Any]:
        """Return {"objectId": ...} of an expression's value in a context. Raises NoAnswer and ProtocolError."""
        params = {"expression": expression, "contextId": context}
        return {"objectId": self._raw_call("Runtime.evaluate", params, session, deadline)["result"]["objectId"]}

    def _each(
        self, method: str, params: dict[int, dict[str, Any]], session: str, deadline: float
    ) -> dict[int, dict[str, Any]]:
        """Send one command for each number, all at once, and return {number: answer} of those that succeed."""
        pending = {number: self._start(method, command, session) for number, command in params.items()}
        answers = {}
        for number, answer in pending.items():
            try:
                answers[number] = answer.result(deadline)
            except (NoAnswer, ProtocolError):
                continue
            except BrowserGone:
                raise self._browser_gone() from None
        return answers

    def _read_frame(self, frame: str, order: dict[str, Any], deadline: float) -> dict[str, Any] | None:
        """Return the facts of a frame's document, or None. If its scripts keep it busy, end them and try once more."""
        for _ in range(2):
            until = min(deadline, time.monotonic() + FRAME_WAIT)
            self._open_closed_trees(frame, until)
            try:
                facts = self._value(_script(order, until), self._world_of(frame, until), frame, until)
            except NoAnswer:
                self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            except ProtocolError:
                return None
            else:
                return facts if isinstance(facts, dict) else None
        return None

    # Scripts in an isolated world.

    def _evaluate(self, expression: str, deadline: float) -> Any:
        """Return the value of an expression in the main document. Raises RenderFailed at the deadline.

        If the page's scripts keep it busy, they are ended and the expression is evaluated once more. If the page
        navigates meanwhile, its new document is asked.
        """
        is_ended = False
        while True:
            share = 1.0 if is_ended else BUSY_SHARE  # the first try leaves time for the second
            until = time.monotonic() + max(0.0, deadline - time.monotonic()) * share
            try:
                return self._value(expression, self._main_world(until), self._frame, until)
            except NoAnswer:
                if is_ended or time.monotonic() >= deadline:
                    raise self._failed("The page's scripts keep the browser busy") from None
                is_ended = True
                self._send("Runtime.terminateExecution", None, self._session)
            except ProtocolError as exc:  # the page has navigated: ask its new document
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
        """Return the execution context of our isolated world in a frame's document. Makes the world if needed."""
        params = {"frameId": frame, "worldName": WORLD}
        session = self._frames.session_of(frame)
        return int(self._raw_call("Page.createIsolatedWorld", params, session, deadline)["executionContextId"])

    def _value(self, expression: str, context: int, frame: str, deadline: float) -> Any:
        """Return the value of an expression in an execution context. Raises NoAnswer and ProtocolError."""
        params = {"expression": expression, "contextId": context, "returnByValue": True, "awaitPromise": True}
        answer = self._raw_call("Runtime.evaluate", params, self._frames.session_of(frame), deadline)
        if "exceptionDetails" in answer:
            raise ProtocolError(str(answer["exceptionDetails"].get("text", "a script failed")))
        return answer["result"].get("value")

    def _screenshot(self, deadline: float) -> bytes:
        """Return the page as PNG, at most four viewports wide and MAX_SCREENSHOT_HEIGHT high."""
        size = self._call("Page.getLayoutMetrics", None, self._session, deadline).get("cssContentSize", {})
        width, height = (max(1, int(size.get(name, 0) or least)) for name, least in zip(("width", "height"), VIEWPORT))
        clip = {"x": 0, "y": 0, "width": min(width, 4 * VIEWPORT[0]), "height": min(height, MAX_SCREENSHOT_HEIGHT)}
        params = {"format": "png", "captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        return binascii.a2b_base64(self._call("Page.captureScreenshot", params, self._session, deadline)["data"])


def _note(element: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of Runtime.callFunctionOn that call note.js on a resolved element."""
    return {**_NOTE, "objectId": element.get("object", {}).get("objectId"), "arguments": [value]}


def _script(order: dict[str, Any], deadline: float) -> str:
    """Return the expression that calls snapshot.js with `order`, and lets it copy for COPY_SHARE of the time left."""
    seconds = max(0.0, deadline - time.monotonic()) * COPY_SHARE
    return f"{scripts.SNAPSHOT}({json.dumps({**order, 'time': int(1000 * seconds)})})"


def _well_formed(text: str) -> str:
    """Replace half surrogate pairs, which scripts can leave in a text and UTF-8 cannot encode, by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
