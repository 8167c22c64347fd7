"""How a page is to behave, as values: the options of one rendering, and the commands that put them into force.

In: PageOptions and the kind of a session. Out: protocol commands. Nothing is sent here. Spec: the DevTools protocol.
"""

from __future__ import annotations

from webtool.browser import scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NamedTuple
else:
    from webtool.lean.records import NamedTuple

_BLOCKED_ALWAYS = ("Media", "Ping")
_BLOCKED_UNSEEN = ("Image", "Font")  # loaded for a screenshot only


class Snapshot(NamedTuple):
    """A page as it stood: `html` is "" where the main document is no HTML (`content_type` tells what it is)."""

    html: str
    final_url: str
    title: str
    status: int
    content_type: str
    screenshot: bytes | None
    mark: str = ""
    """The attribute that says of an element why it cannot be seen."""
    unseen: int = 0
    """Characters of text that cannot be seen and were left out."""
    canvases: int = 0
    """Large canvas elements, whose text is a picture."""


class PageOptions(NamedTuple):
    """How to treat a page. `check_hop(url)` may raise for a main document's URL before it is asked for."""

    user_agent: str
    max_characters: int
    max_redirects: int
    screenshot: bool = False
    check_hop: Callable[[str], None] | None = None
    is_cancelled: Callable[[], bool] | None = None


def session_commands(kind: str, options: PageOptions) -> list[tuple[str, dict[str, Any]]]:
    """What a new session is told: a page, a frame in a process of its own, or a worker."""
    blocked = _BLOCKED_ALWAYS if options.screenshot else _BLOCKED_ALWAYS + _BLOCKED_UNSEEN
    paused = blocked + (("Document", "Other") if kind == "page" else ())
    patterns = [{"urlPattern": "*", "resourceType": name} for name in paused]
    commands: list[tuple[str, dict[str, Any]]] = [
        ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0}),
        ("Emulation.setUserAgentOverride", {"userAgent": options.user_agent}),
        ("Fetch.enable", {"patterns": patterns}),
    ]
    if kind in ("page", "iframe"):
        commands += [
            ("Network.setBypassServiceWorker", {"bypass": True}),
            ("Page.enable", {}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": scripts.BEFORE_PAGE}),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ]
    follow = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    return [*commands, ("Target.setAutoAttach", follow)]


def is_icon(request: dict[str, Any]) -> bool:
    """A request for the site's icon, which only a browser's window shows."""
    accepted = next((value for name, value in request.get("headers", {}).items() if name.lower() == "accept"), "")
    return str(accepted).startswith("image/")
