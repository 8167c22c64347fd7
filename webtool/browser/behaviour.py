"""How a page is to behave, as values: the options of one rendering, and the commands that put them into force.

In: PageOptions and the kind of a session. Out: protocol commands. Nothing is sent here. Spec: the DevTools protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webtool.browser import scripts
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any

_BLOCKED_ALWAYS = ("Media", "Ping")
_BLOCKED_UNSEEN = ("Image", "Font")  # loaded for a screenshot only
_ASKED_BY_SCRIPTS = ("XHR", "Fetch")  # passed on, with the user's headers; a challenge for a password is refused


def _stub(kind: str, body: str) -> dict[str, Any]:
    fields = {"Content-Type": kind, "Access-Control-Allow-Origin": "*", "Timing-Allow-Origin": "*"}
    headers = [{"name": name, "value": value} for name, value in fields.items()]
    return {"responseCode": 200, "responseHeaders": headers, "body": body}


# What a picture or font that is not loaded is answered with, so that no page takes it for lost: one transparent pixel,
# and a font (TrueType) without any character, for which others stand in.
STUBS = {
    "Image": _stub("image/gif", "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
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
# Without a limit the browser does not look after requests under way, and could not end them all at once later.
CONDITIONS = {"offline": False, "latency": 0, "downloadThroughput": 1e9, "uploadThroughput": 1e9}


WORLD = "webtool"  # the name of our own world in a page, whose prototypes the page cannot touch
JUDGED_ELEMENTS = 150_000  # whose style is asked for; that takes 2 s, and larger pages are judged by their text


class Rendered(NamedTuple):
    """A page after its scripts ran.

    `html` is the document element serialised, "" where the main document is not HTML: `content_type` then says what it
    is, and a plain fetch is the way to it. `status` is the main document's, `screenshot` PNG bytes if asked for.
    """

    html: str
    final_url: str
    title: str
    status: int
    content_type: str
    screenshot: bytes | None
    headers: tuple[tuple[str, str], ...] = ()
    """The main document's response header fields."""
    mark: str = ""
    """The attribute that says of an element of `html` why it cannot be seen; no page can guess its name."""
    notes: tuple[str, ...] = ()
    """What the page did not come to, or what of it is not in `html`, in sentences."""
    is_whole: bool = True
    """Whether the page came to its end: its time, memory and size were enough. What was cut is not kept."""
    elapsed_ms: int = 0


class PageOptions(NamedTuple):
    """How to treat a page. `check_hop(url)` may raise for a main document's URL before it is asked for."""

    user_agent: str
    max_characters: int
    max_redirects: int
    screenshot: bool = False
    check_hop: Callable[[str], None] | None = None
    is_cancelled: Callable[[], bool] | None = None
    headers_for: Callable[[str], Sequence[tuple[str, str]]] | None = None
    """Request header fields for a URL, as the user set them for its host."""
    with_scripts: bool = True
    clicks: bool = False
    """Whether consent is refused, and more of the main text shown, by clicks."""


def session_commands(kind: str, options: PageOptions) -> list[tuple[str, dict[str, Any]]]:
    """The commands for a new session: a page, a frame in a process of its own, or a worker."""
    blocked = _BLOCKED_ALWAYS if options.screenshot else _BLOCKED_ALWAYS + _BLOCKED_UNSEEN
    paused = blocked + _ASKED_BY_SCRIPTS + (("Document", "Other") if kind != "worker" else ())
    patterns = [{"urlPattern": "*", "resourceType": name} for name in paused]
    commands: list[tuple[str, dict[str, Any]]] = [
        ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}),
        ("Emulation.setUserAgentOverride", {"userAgent": options.user_agent}),
        ("Fetch.enable", {"patterns": patterns, "handleAuthRequests": True}),
    ]
    if kind in ("page", "iframe"):
        if not options.screenshot:
            source = scripts.BEFORE_LAYOUT.replace("MOST", str(JUDGED_ELEMENTS))
            commands.append(("Page.addScriptToEvaluateOnNewDocument", {"source": source, "worldName": WORLD}))
        if not options.with_scripts:
            commands.append(("Emulation.setScriptExecutionDisabled", {"value": True}))
        commands += [
            ("Network.setBypassServiceWorker", {"bypass": True}),
            ("Network.emulateNetworkConditions", CONDITIONS),
            ("Page.enable", {}),
            # A frame that gets a process of its own has its document already; it waits for us before its scripts run.
            (
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": scripts.WITHOUT_WAYS_OUT + scripts.BEFORE_PAGE, "runImmediately": kind == "iframe"},
            ),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ]
    if kind == "worker":
        commands.append(("Runtime.evaluate", {"expression": scripts.WITHOUT_WAYS_OUT_OF_WORKERS}))
    else:  # the end of a worker that ends before it has begun is told in no other way
        commands.append(("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "worker"}]}))
    follow = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    return [*commands, ("Target.setAutoAttach", follow)]


def is_icon(request: dict[str, Any]) -> bool:
    """A request for the site's icon, which only a browser's window shows."""
    accepted = next((value for name, value in request.get("headers", {}).items() if name.lower() == "accept"), "")
    return str(accepted).startswith("image/")
