"""Find a Chromium-based browser; build its command line, environment and profile folder. Nothing is started here.

In: settings, the environment, the platform, the proxy's port. Out: paths and strings. Chromium, Chrome, Edge, Brave and
the headless shell all speak the DevTools protocol.

The flags give the browser no window and no dialogs. They leave it no network but our proxy, not even for look-ups. They
switch off what reports to the vendor, and features that a page could abuse: popups, sync, extensions.

The profile is a new folder that the browser can use and that we can remove. On Linux, temporary files go into it too.
One of them is the socket by which a second start would find the first. Its path must fit sockaddr_un, which has 108
bytes with the final NUL (unix(7)). If it does not, Chromium ends at once with "Socket path too long". Agent hosts and
batch systems set such long folders in TMPDIR.

Tests: tests/browser/test_finder.py, tests/browser/test_traffic.py
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping

from webtool.errors import RenderFailed
from webtool.settings import Settings

# The headless shell is the same engine without a desktop browser around it: it starts faster and needs less memory.
# On Ubuntu, chromium-browser is a script around the snap, which has its own view of /tmp, so it is the last.
NAMES = (
    "chrome-headless-shell chromium-headless-shell chromium google-chrome-stable google-chrome chrome "
    "microsoft-edge-stable microsoft-edge msedge brave-browser brave chromium-browser"
).split()

LINUX_PATHS = (
    "/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave", "/snap/bin/chromium", "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
)  # fmt: skip

MACOS_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)

WINDOWS_PROGRAMS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
WINDOWS_FOLDERS = ("ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "LOCALAPPDATA")

_HINT = "Install Chromium, Chrome or Edge, or set WEBTOOL_BROWSER to the path of one."

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


def find_browser(
    setting: str,
    environ: Mapping[str, str],
    *,
    platform: str = sys.platform,
    is_program: Callable[[str], bool] | None = None,
) -> str:
    """Return the path of the browser: the setting (a path or a name on PATH), else the first candidate that exists.

    Raises RenderFailed if the setting names nothing that can be run, or without a browser.
    """
    runs = is_program or _is_program
    if setting:
        return _from_setting(setting, environ, runs)
    for path in candidates(environ, platform):
        if runs(path):
            return path
    raise RenderFailed("No Chromium, Chrome, Edge or Brave was found on this machine", hint=_HINT)


def candidates(environ: Mapping[str, str], platform: str) -> Iterator[str]:
    """Every path worth a look, the best first."""
    suffix, separator = (".exe", ";") if platform == "win32" else ("", ":")
    folders = [folder for folder in environ.get("PATH", "").split(separator) if folder]
    for name in NAMES:
        for folder in folders:
            yield _join(platform, folder, name + suffix)
    if platform == "win32":
        folders_of = {name.upper(): value for name, value in environ.items()}  # names have no case there
        bases = [base for name in WINDOWS_FOLDERS if (base := folders_of.get(name.upper()))]
        yield from (_join(platform, base, program) for program in WINDOWS_PROGRAMS for base in bases)
    elif platform == "darwin":
        bases = ["/Applications"] + ([environ["HOME"] + "/Applications"] if environ.get("HOME") else [])
        yield from (f"{base}/{program}" for program in MACOS_APPLICATIONS for base in bases)
    else:
        yield from LINUX_PATHS


def _from_setting(setting: str, environ: Mapping[str, str], runs: Callable[[str], bool]) -> str:
    path = os.path.expanduser(setting)
    if os.path.dirname(path):
        if runs(path):
            return path
        reason = "cannot be executed" if os.path.exists(path) else "does not exist"
        raise RenderFailed(f"The browser {path} {reason}", hint=_HINT)
    program = shutil.which(path, path=environ.get("PATH", ""))
    if program is None:
        raise RenderFailed(f"The browser {setting!r} is not on PATH", hint=_HINT)
    return program


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _join(platform: str, folder: str, name: str) -> str:
    return folder.rstrip("\\/") + ("\\" if platform == "win32" else "/") + name


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
