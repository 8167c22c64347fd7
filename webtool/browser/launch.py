"""Build the browser's command line, environment and profile folder. In: settings and the proxy's port. Out: strings.

The flags give the browser no window and no dialogs. They leave it no network but our proxy, not even for look-ups. They
switch off what reports to the vendor, and features that a page could abuse: popups, sync, extensions.

The profile is a new folder that the browser can use and that we can remove. On Linux, temporary files go into it too.
One of them is the socket by which a second start would find the first. Its path must fit sockaddr_un, which has 108
bytes with the final NUL (unix(7)). If it does not, Chromium ends at once with "Socket path too long". Agent hosts and
batch systems set such long folders in TMPDIR.

Tests: tests/browser/test_traffic.py
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping

from webtool.settings import Settings

VIEWPORT = (1280, 1024)  # CSS pixels: the size of a common screen, so that pages choose their desktop layout

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    # Every request goes through our proxy, loopback included. A request that went past the proxy would find no name.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    # Nothing is reported to the vendor, and nothing is updated.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-service-autorun",
    # No first window opens. It and the spare process, also switched off below, take a quarter of the CPU of a start.
    "--no-startup-window",
    # Features that reading a page does not need.
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-notifications",
    "--disable-print-preview",
    "--disable-search-engine-choice-screen",
    "--disable-shared-workers",
    "--disable-speech-api",
    "--hide-scrollbars",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    # A page in a background tab runs and is rendered like one in the foreground.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-renderer-backgrounding",
    "--disable-dev-shm-usage",  # containers give 64 MB, too little for one large page
    "--force-color-profile=srgb",
    "--disable-features=AutofillServerCommunication,BackForwardCache,CertificateTransparencyComponentUpdater,"
    "DialMediaRouteProvider,GlobalMediaControls,InterestFeedContentSuggestions,IsolateSandboxedIframes,MediaRouter,"
    "OptimizationHints,PreloadTopChromeWebUI,Prerender2,SpareRendererForSitePerProcess,Translate,WebUIOmniboxAimPopup,"
    "WebUIOmniboxFullPopup,WebUIOmniboxPopup",
)

SHORT_FOLDER = "/tmp"
_PREFIX = "webtool-"
# Bytes of the path of the folder that holds the profile: in a longer one the socket's path does not fit.
_MAX_FOLDER = 107 - len(f"/{_PREFIX}12345678/org.chromium.Chromium.123456/SingletonSocket")

# Environment variables that a browser needs to run. All others, API keys among them, are withheld: it runs scripts
# of strangers. The second line is for Windows, whose names have no case.
_PASSED_VARIABLES = frozenset(
    (
        "HOME LANG LANGUAGE LD_LIBRARY_PATH LOGNAME PATH TZ USER XDG_RUNTIME_DIR "
        "APPDATA COMSPEC LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) SYSTEMDRIVE SYSTEMROOT TEMP "
        "TMP USERPROFILE WINDIR"
    ).split()
)


def command_line(browser: str, profile: str, proxy_port: int, settings: Settings) -> list[str]:
    """Return argv of the browser, which opens no page."""
    variable_flags = [
        f"--user-data-dir={profile}",
        f"--proxy-server=http://127.0.0.1:{proxy_port}",
        "--window-size={},{}".format(*VIEWPORT),
    ]
    if settings.browser_no_sandbox:
        variable_flags.append("--no-sandbox")
    return [browser, *FLAGS, *variable_flags]


def environment(environ: Mapping[str, str], profile: str, platform: str) -> dict[str, str]:
    """Return the browser's environment. On Linux its temporary files go into the profile, and are removed with it."""
    passed = {
        name: value for name, value in environ.items() if name.upper() in _PASSED_VARIABLES or name.startswith("LC_")
    }
    if platform.startswith("linux"):
        passed["TMPDIR"] = profile
        passed["XDG_CONFIG_HOME"] = passed["XDG_CACHE_HOME"] = os.path.join(profile, "xdg")
    return passed


def make_profile(browser: str, environ: Mapping[str, str]) -> str:
    """Make a new folder that only we can open (mode 0700) and return its path. Raises OSError."""
    return tempfile.mkdtemp(prefix=_PREFIX, dir=_folder_for_snap(browser, environ) or _folder_if_too_long())


def _folder_for_snap(browser: str, environ: Mapping[str, str]) -> str | None:
    """Return the folder for profiles of a browser that is a snap, or None. A snap has a /tmp that we cannot see.

    Its path may be long: snap-confine sets TMPDIR to that /tmp, so the socket is there and not in the profile.
    """
    program = os.path.realpath(browser)
    if not program.startswith("/snap/") and program != "/usr/bin/snap":
        return None
    shared = os.path.join(environ.get("HOME", ""), "snap", "chromium", "common")
    return shared if os.path.isdir(shared) else None


def _folder_if_too_long() -> str | None:
    """Return SHORT_FOLDER if the usual temporary folder has too long a path for the socket, else None."""
    usual = os.fsencode(tempfile.gettempdir())
    if not sys.platform.startswith("linux") or len(usual) <= _MAX_FOLDER:
        return None
    return SHORT_FOLDER if os.access(SHORT_FOLDER, os.W_OK | os.X_OK) else None
