"""Run our scripts in a page's isolated world, and open closed shadow trees to them. In: a tab. Out: their values.

An isolated world is a set of JavaScript globals that the page cannot touch. The scripts are in webtool/browser/scripts.

Tests: tests/browser/test_frames.py, tests/browser/test_widgets.py
"""

from __future__ import annotations

import json
import time

from webtool.browser import scripts
from webtool.browser.behaviour import WORLD
from webtool.browser.cdp import BrowserGone, NoAnswer, ProtocolError
from webtool.browser.tab import TICK, Tab
from webtool.lean import patterns
from webtool.lean.typing import Any

BUSY_SHARE = 0.6  # share of the time for an answer after which the page's own scripts are ended
MAX_CLOSED_DEPTH = 3  # closed shadow trees in one another that are read
_NOTE = {"functionDeclaration": scripts.NOTE}
_CLOSED = '<template shadowrootmode="closed"'
_closed_hosts = patterns.compile(rf"<([a-z][\w.-]*)(?: [^<>]*)?>{_CLOSED}").findall


class Worlds(Tab):
    """A tab in which our scripts can run."""

    _world = ("", 0)  # loader of the main document, and execution context of our isolated world in it

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

    def _each(
        self, method: str, params: dict[int, dict[str, Any]], session: str, deadline: float
    ) -> dict[int, dict[str, Any]]:
        """Send commands {number: parameters}, all at once. Return {number: answer}, without commands that fail."""
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

    def _raw_call(self, method: str, params: dict[str, Any], session: str, deadline: float) -> dict[str, Any]:
        """Send a command that a page can delay or break, and return its result. Hops are checked meanwhile.

        Raises NoAnswer or ProtocolError if the page did that, so that the caller can try again.
        """
        pending = self._start(method, params, session)
        self._wait(pending.done.is_set, deadline)
        try:
            return pending.result(time.monotonic())
        except BrowserGone:
            raise self._browser_gone() from None

    # Closed shadow trees.

    def _open_closed_trees(self, frame: str, deadline: float) -> None:
        """Let snapshot.js read the closed shadow trees that a frame's HTML declares; scripts' own are open already.

        Only the protocol's DOM domain sees them. Example: <x-a><template shadowrootmode=closed>Words</template></x-a>
        """
        session = self._frames.session_of(frame)
        try:
            context = self._world_of(frame, deadline)
            document = self._object("document", context, session, deadline)
            source = self._raw_call("DOM.getOuterHTML", {**document, "includeShadowDOM": True}, session, deadline)
            html = source["outerHTML"]
            names = sorted(set(_closed_hosts(html))) if _CLOSED in html else []
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
            n: note({"object": objects[n]}, {"objectId": tree["object"]["objectId"]}) for n, tree in resolved.items()
        }
        return bool(self._each("Runtime.callFunctionOn", calls, session, deadline))

    def _object(self, expression: str, context: int, session: str, deadline: float) -> dict[str, Any]:
        """Return {"objectId": ...} of an expression's value in a context. Raises NoAnswer and ProtocolError."""
        params = {"expression": expression, "contextId": context}
        return {"objectId": self._raw_call("Runtime.evaluate", params, session, deadline)["result"]["objectId"]}


def note(element: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of Runtime.callFunctionOn that call note.js on a resolved element."""
    return {**_NOTE, "objectId": element.get("object", {}).get("objectId"), "arguments": [value]}
