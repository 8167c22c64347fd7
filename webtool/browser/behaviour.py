"""Turn the options of one rendering into protocol commands. In: PageOptions, the kind of a session. Out: commands.

Pure: nothing is sent here. It also has the result type Rendered, and the stub responses for images and fonts. Spec:
the DevTools protocol.

Tests: tests/browser/test_scripts.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webtool.browser import scripts
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

_BLOCKED_ALWAYS = ("Media", "Ping")
_BLOCKED_UNSEEN = ("Image", "Font")  # loaded only for a screenshot
_SCRIPT_REQUESTS = ("XHR", "Fetch")  # passed on with the user's header fields


def _stub(kind: str, body: str) -> dict[str, Any]:
    fields = {"Content-Type": kind, "Access-Control-Allow-Origin": "*", "Timing-Allow-Origin": "*"}
    headers = [{"name": name, "value": value} for name, value in fields.items()]
    return {"responseCode": 200, "responseHeaders": headers, "body": body}


# Responses for images and fonts that are not loaded, so that no page sees an error: a transparent picture of 32 by 24
# pixels, so that a box which clips it does not look folded, and a TrueType font without characters, for which the
# browser falls back to another.
STUBS = {
    "Image": _stub(
        "image/gif",
        "R0lGODlhIAAYAIEAAP///wAAAAAAAAAAACH5BAEAAAAALAAAAAAgABgAQAgvAAEIHEiwoMGDCBMqXMiwocOHECNKnEixosWLGDNq3Mixo8ePIE"
        "OKHEmypMmNAQEAOw==",
    ),
    "Font": _stub(
        "font/ttf",
        "AAEAAAAKAIAAAwAgT1MvMkE2P7QAAAEoAAAAYGNtYXAADABGAAABjAAAACxnbHlmFwMyOQAAAbwAAAAUaGVhZF8XPTkAAACsAAAANmhoZWEAMw"
        "BxAAAA5AAAACRobXR4AEAAAAAAAYgAAAAEbG9jYQAAAAoAAAG4AAAABG1heHAAAwAFAAABCAAAACBuYW1lAAYAAAAAAdAAAAAGcG9zdAADAAAA"
        "AAHYAAAAIAABAAAAAQAANeE+G18PPPUAAwBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQABAAAAAwACAAAAAAAAAAEAAAAw//AAAABAAAAAPwABAA"
        "EAAAAAAAAAAAAAAAAAAAABAAEAAAABAAMAAQAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAwBAAZAABQAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPz8/PwAAAAAAAAAwAAAAAAAwABAAAAAAAAAAAAAAAAAAAAAgAAAAQAAAAAAAAgAAAAMAAAAUAAMAAQ"
        "AAABQABAAYAAAAAgACAAAAAP//AAD//wABAAAAAAAKAAEAAAAAAAEAAQACAAAxNRcBAQEAAAAAAAYAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAA",
    ),
}
# Sent at the start although they change nothing: without them, going offline later would not end open requests. The
# throughput is higher than any network's.
CONDITIONS = {"offline": False, "latency": 0, "downloadThroughput": 1e9, "uploadThroughput": 1e9}

WORLD = "webtool"  # name of our isolated world in a page, whose prototypes the page cannot touch
JUDGED_ELEMENTS = 150_000  # a page with more elements is read without checking styles, which takes 2 s for this many


class Rendered(NamedTuple):
    """A page after its scripts ran.

    `html` is the serialised document element, or "" if the main document is not HTML. Then `content_type` names its
    type, and a plain fetch can get it. `status` is the main document's. `screenshot` is PNG, if one was requested.
    """

    html: str
    final_url: str
    title: str
    status: int
    content_type: str
    screenshot: bytes | None
    headers: tuple[tuple[str, str], ...] = ()  # the main document's response header fields
    mark: str = ""  # the attribute whose value says why an element of `html` is invisible. No page can guess its name.
    notes: tuple[str, ...] = ()  # sentences about what did not load, and what is missing in `html`
    is_whole: bool = True  # whether time, memory and size sufficed. A page that was cut is not cached.
    elapsed_ms: int = 0


class PageOptions(NamedTuple):
    """How to treat a page. `check_hop(url)` may raise for a main document's URL before it is asked for."""

    user_agent: str
    max_bytes: int  # of the HTML, frames included; the rest is cut off
    max_redirects: int  # main documents that may follow the first one
    screenshot: bool = False  # whether a picture is taken; then images and fonts are loaded
    check_hop: Callable[[str], None] | None = None
    is_cancelled: Callable[[], bool] | None = None
    headers_for: Callable[[str], Sequence[tuple[str, str]]] | None = None
    """Request header fields for a URL, as the user set them for its host."""
    with_scripts: bool = True
    clicks: bool = False  # whether consent is refused, and more of the main text shown, by clicks


def session_commands(kind: str, options: PageOptions) -> list[tuple[str, dict[str, Any]]]:
    """Return the commands for a new session of this kind: "page", "iframe" (with its own process) or "worker"."""
    blocked = _BLOCKED_ALWAYS if options.screenshot else _BLOCKED_ALWAYS + _BLOCKED_UNSEEN
    paused = blocked + _SCRIPT_REQUESTS + (("Document", "Other") if kind != "worker" else ())
    patterns = [{"urlPattern": "*", "resourceType": name} for name in paused]
    commands: list[tuple[str, dict[str, Any]]] = [
        ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}),
        ("Emulation.setUserAgentOverride", {"userAgent": options.user_agent}),
        ("Fetch.enable", {"patterns": patterns, "handleAuthRequests": True}),
    ]
    # A frame with its own process has its document already, and waits for us before its scripts run.
    has_document = {"runImmediately": kind == "iframe"}
    if kind in ("page", "iframe"):
        if not options.screenshot:  # hides a page that is too large to be laid out; a screenshot has to show it
            source = scripts.BEFORE_LAYOUT.replace("MOST", str(JUDGED_ELEMENTS))
            script = {"source": source, "worldName": WORLD, **has_document}
            commands.append(("Page.addScriptToEvaluateOnNewDocument", script))
        if not options.with_scripts:
            commands.append(("Emulation.setScriptExecutionDisabled", {"value": True}))
        commands += [
            ("Network.setBypassServiceWorker", {"bypass": True}),
            ("Network.emulateNetworkConditions", CONDITIONS),
            ("Page.enable", {}),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": scripts.WITHOUT_WAYS_OUT + scripts.BEFORE_PAGE, **has_document},
            ),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ]
    if kind == "worker":
        commands.append(("Runtime.evaluate", {"expression": scripts.WITHOUT_WAYS_OUT_OF_WORKERS}))
    else:  # a worker that ends before it has started is reported by this alone
        commands.append(("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "worker"}]}))
    follow = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    return [*commands, ("Target.setAutoAttach", follow)]


def is_icon(request: dict[str, Any]) -> bool:
    """Return whether a request is for the site's icon, which only a browser's window shows."""
    accepted = next((value for name, value in request.get("headers", {}).items() if name.lower() == "accept"), "")
    return str(accepted).startswith("image/")
