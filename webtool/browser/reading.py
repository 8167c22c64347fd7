"""Read a loaded page as HTML, with the documents of its frames put in their places. In: a tab. Out: a Rendered.

`snapshot.js` (webtool/browser/scripts) returns `facts`: the HTML, its title, counts, and a list of frames. In that HTML
a comment "mark:number" replaces each visible frame. Each frame is read by the same script in the frame's own session,
until depth, count or time run out. Then frames.joined puts the texts together. Notes name what could not be read in
time.

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
from webtool.browser.behaviour import JUDGED_ELEMENTS, Rendered
from webtool.browser.cdp import NoAnswer, ProtocolError
from webtool.browser.launch import VIEWPORT
from webtool.browser.tab import MAX_FETCHES
from webtool.browser.traffic import MainDocument
from webtool.browser.worlds import Worlds, note
from webtool.errors import abridged
from webtool.lean.characters import without_surrogates
from webtool.lean.typing import Any

COPY_SHARE = 0.4  # share of the time that snapshot.js may spend on copying; serialising and sending take the rest
FRAME_WAIT, FRAMES_WAIT = 1.0, 4.0  # seconds for reading one frame, and for all frames together
TREES_WAIT = 3.0  # seconds for opening closed shadow trees
MIN_CHARACTERS = 100  # a page rendered without its scripts that has less text is an error
MIN_TAKEN_OUT = 5  # texts that a page takes out while it is scrolled; feeds that show a few rows take out more
MAX_NAMED_HOSTS = 3  # hosts of refused frames that a note names; it counts the others
MAX_SCREENSHOT_HEIGHT = 16000  # CSS pixels; what is further down is cut off
_ENVELOPE = 1000  # bytes of the byte limit that are reserved for the doctype and the outer elements
_WHITE = [255, 255, 255, 1]
_CUT = {
    "size": "the page is larger than {} bytes (WEBTOOL_MAX_BYTES), and this is its beginning",
    "time": "the page is too large to be read in the time there is, and this is its beginning",
}


class Reader(Worlds):
    """A tab whose page can be read."""

    unfinished = ""  # why the page is read before it was ready, for a note; "" if it was ready
    not_awaited = ""  # what was not waited for although the page looked unfinished; for a note
    moving = 0  # places whose text never came to rest
    texts_taken_out = 0  # texts that the page showed while it was scrolled, and took out again
    _next_number = 0  # the number that _numbered() gives to the next frame

    def snapshot(self, deadline: float) -> Rendered:
        """Return the page in its present state. Raises RenderFailed if the browser does not answer.

        Raises NetworkError for a page without text whose scripts lead from document to document.
        """
        # `mark` is the attribute by which snapshot.js marks hidden elements. It is random, so that no page can use it.
        mark = "seen-" + binascii.hexlify(os.urandom(12)).decode()
        options = {
            "mark": mark,
            "limit": self._options.max_bytes - _ENVELOPE,
            "most": JUDGED_ELEMENTS,
            "inFrame": False,
            "judged": True,
            "ground": _WHITE,
        }
        numbers = self._numbered(self._frame, min(deadline, time.monotonic() + FRAME_WAIT))
        if deadline - time.monotonic() > FRAME_WAIT:  # the page answers
            self._open_closed_trees(self._frame, min(deadline, time.monotonic() + TREES_WAIT))
        facts = self._evaluate(_script(options, deadline), deadline)
        document = self.document()
        if self.has_too_many_documents:
            if not facts["words"]:
                raise self._redirect_error()
            self.unfinished = "the page leads to another again and again, and this is how it stood"
        elif not self._options.with_scripts and facts["words"] < MIN_CHARACTERS:
            raise self._failed("The page has no text without its scripts")
        elif facts["cut"]:
            self.unfinished = self.unfinished or _CUT[facts["cut"]].format(self._options.max_bytes)
        html = self._with_frames(facts, numbers, options, min(deadline, time.monotonic() + FRAMES_WAIT))
        doctype = "" if facts["quirks"] else "<!DOCTYPE html>"
        # A blob: URL works only in this browser: report the URL of the page that made it.
        is_web = facts["url"].startswith(("http://", "https://"))
        return Rendered(
            html=doctype + without_surrogates(html) if html else "",
            final_url=facts["url"] if is_web else self._traffic.last_asked,
            title=without_surrogates(facts["title"]),
            status=document.status if document else 0,
            content_type=document.content_type if document else facts["type"],
            screenshot=self._screenshot(deadline) if self._options.screenshot else None,
            headers=document.headers if document else (),
            mark=mark if facts["isJudged"] else "",
            notes=tuple(self._notes(facts)),
            is_whole=not self.unfinished,
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
        with self._changed:
            hosts = [f"{host} ({code})" for host, code in self._refused_frames.items()]
        if hosts:
            yield f"frames of other pages were left out: {abridged(hosts, MAX_NAMED_HOSTS)}"
        if self._frame_requests > frames.MAX_FRAMES:
            yield f"the page has more than {frames.MAX_FRAMES} frames, and the rest was left out"
        if self._script_requests > MAX_FETCHES:
            yield f"the page's scripts asked for more than {MAX_FETCHES} addresses, and the rest was refused"

    # Frames: each document is read by itself and then put in the place of its frame.

    def _with_frames(
        self, facts: dict[str, Any], numbers: dict[int, str], options: dict[str, Any], deadline: float
    ) -> str:
        """Return the main document's HTML with the frames' HTML in place. Adds the frames' counts to `facts`.

        Frames are read breadth first. They share the byte limit and the number of elements whose style is checked.
        A frame that cannot be read, or answered with status 400 and above, is left as an empty element.
        """
        texts: dict[int, str] = {}
        elements_left = JUDGED_ELEMENTS - facts["count"] if facts["isJudged"] else 0
        bytes_left = options["limit"] - len(facts["html"].encode("utf-8", "surrogatepass"))
        queue = deque(frames.listed(facts["frames"], numbers, 1))
        while queue:
            framed = queue.popleft()
            texts[framed.number] = framed.element
            is_over = len(texts) > frames.MAX_FRAMES or time.monotonic() >= deadline
            if is_over or self._traffic.is_refusal(framed.frame_id):
                continue
            numbers = self._numbered(framed.frame_id, deadline) if framed.depth < frames.MAX_DEPTH else {}
            frame_options = {**options, "limit": bytes_left, "most": elements_left, "inFrame": True}
            frame_options.update(judged=framed.is_shown and facts["isJudged"], ground=framed.ground)
            frame_facts = self._read_frame(framed.frame_id, frame_options, deadline)
            if frame_facts is None or not frame_facts["html"].strip():
                continue
            if frame_options["judged"] and not frame_facts["isJudged"]:
                continue
            texts[framed.number] = frame_facts["html"]
            bytes_left -= len(frame_facts["html"].encode("utf-8", "surrogatepass"))
            elements_left -= frame_facts["count"]
            for name in ("unseen", "canvases"):
                facts[name] += frame_facts[name]
            queue += frames.listed(frame_facts["frames"], numbers, framed.depth + 1)
        return frames.joined(facts["html"], options["mark"], texts)

    def _numbered(self, frame: str, deadline: float) -> dict[int, str]:
        """Number the frames directly inside `frame` and return {number: frame id}.

        `note.js` stores each number with the frame's element, where snapshot.js finds it. A frame for which a
        command fails gets no number, and is not read.
        """
        inside = dict(enumerate(self._frames.inside(frame), self._next_number))
        self._next_number += len(inside)
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
        calls = {n: note(element, {"value": n}) for n, element in elements.items()}
        return {n: inside[n] for n in self._each("Runtime.callFunctionOn", calls, *target)}

    def _read_frame(self, frame: str, options: dict[str, Any], deadline: float) -> dict[str, Any] | None:
        """Return the facts of a frame's document, or None. If its scripts keep it busy, end them and try once more."""
        self._open_closed_trees(frame, min(deadline, time.monotonic() + FRAME_WAIT))
        for _ in range(2):
            until = min(deadline, time.monotonic() + FRAME_WAIT)
            try:
                facts = self._value(_script(options, until), self._world_of(frame, until), frame, until)
            except NoAnswer:
                self._send("Runtime.terminateExecution", None, self._frames.session_of(frame))
            except ProtocolError:
                return None
            else:
                return facts if isinstance(facts, dict) else None
        return None

    def _screenshot(self, deadline: float) -> bytes:
        """Return the page as PNG, at most four viewports wide and MAX_SCREENSHOT_HEIGHT high."""
        size = self._call("Page.getLayoutMetrics", None, self._session, deadline).get("cssContentSize", {})
        width, height = (max(1, int(size.get(name, 0) or least)) for name, least in zip(("width", "height"), VIEWPORT))
        clip = {"x": 0, "y": 0, "width": min(width, 4 * VIEWPORT[0]), "height": min(height, MAX_SCREENSHOT_HEIGHT)}
        params = {"format": "png", "captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        return binascii.a2b_base64(self._call("Page.captureScreenshot", params, self._session, deadline)["data"])


def _script(options: dict[str, Any], deadline: float) -> str:
    """Return the expression that calls snapshot.js with `options`, and lets it copy for COPY_SHARE of the time left."""
    seconds = max(0.0, deadline - time.monotonic()) * COPY_SHARE
    return f"{scripts.SNAPSHOT}({json.dumps({**options, 'time': int(1000 * seconds)})})"
