"""The browser's command line and environment. In: profile folder, proxy port, settings. Out: strings.

What the flags are for: no window and no dialogs, a profile of its own, no way to the network but our proxy, no look-ups
of its own, nothing that calls home, and no program features (popups, sync, extensions) that a page could use.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from webtool.settings import Settings

# The size of a common screen: pages choose their desktop layout.
VIEWPORT = (1280, 1024)

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    # No request without our proxy, loopback included, and no address looked up or connected to without it.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
    # Nothing calls home.
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
    # Nothing a page needs to be read.
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
    # A page in the background is rendered like one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-renderer-backgrounding",
    "--disable-dev-shm-usage",  # containers give 64 MB, too little for one large page
    "--force-color-profile=srgb",
    "--disable-features=AutofillServerCommunication,BackForwardCache,CertificateTransparencyComponentUpdater,"
    "DialMediaRouteProvider,GlobalMediaControls,InterestFeedContentSuggestions,IsolateSandboxedIframes,MediaRouter,"
    "OptimizationHints,PreloadTopChromeWebUI,Prerender2,Translate,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,WebUIOmniboxPopup",
)

# What a browser needs to run; keys and tokens of ours are no business of a process that runs strangers' scripts.
_KEPT_VARIABLES = (
    *"HOME LANG LANGUAGE LD_LIBRARY_PATH LOGNAME PATH TZ USER XDG_RUNTIME_DIR".split(),
    *"APPDATA COMSPEC LOCALAPPDATA PATHEXT ProgramData ProgramFiles ProgramFiles(x86)".split(),  # these on Windows
    *"SystemDrive SystemRoot TEMP TMP USERPROFILE windir".split(),
)


def command_line(browser: str, profile: str, proxy_port: int, settings: Settings) -> list[str]:
    """argv of the browser."""
    own = [
        f"--user-data-dir={profile}",
        f"--proxy-server=http://127.0.0.1:{proxy_port}",
        "--window-size={},{}".format(*VIEWPORT),
    ]
    if settings.browser_no_sandbox:
        own.append("--no-sandbox")
    return [browser, *FLAGS, *own, "about:blank"]


def environment(environ: Mapping[str, str], profile: str, platform: str) -> dict[str, str]:
    """The browser's environment. On Linux its temporary files go into the profile too, so that they go with it."""
    kept = {name: environ[name] for name in _KEPT_VARIABLES if name in environ}
    kept.update((name, value) for name, value in environ.items() if name.startswith("LC_"))
    if platform.startswith("linux"):
        kept["TMPDIR"] = profile
        kept["XDG_CONFIG_HOME"] = kept["XDG_CACHE_HOME"] = os.path.join(profile, "xdg")
    return kept
