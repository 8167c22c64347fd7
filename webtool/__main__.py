"""Start webtool: for `python3 -m webtool`, `python3 webtool.pyz` and the archive's own start line.

build.py puts a copy at the archive's root. Every Python since 2.7 can read this file, so that an old one prints a clear
message instead of a syntax error.
Tests: tests/test_dispatch.py
"""

import os
import sys


def too_old(arguments):  # type: ignore[no-untyped-def]
    """Write a clear message, for the -tool names also the error object; return the exit status."""
    version = "%d.%d" % sys.version_info[:2]
    message = "webtool needs Python 3.9 or newer; this is Python %s (%s)" % (version, sys.executable)
    sys.stderr.write(message + "\n")
    if os.path.basename(arguments[0]).endswith("-tool"):
        text = message.replace("\\", "\\\\").replace('"', '\\"')
        hint = "Install Python 3.9 or newer as python3."
        line = '{"success": false, "error": "%s", "error_code": "INTERNAL_ERROR", "retryable": false, "hint": "%s"}\n'
        sys.stdout.write(line % (text, hint))
        chosen = os.environ.get("WEBTOOL_EXIT_ZERO", "").lower()
        if chosen in ("1", "true", "yes", "on") or (chosen in ("", "auto") and "IKIGAI_AGENT_ID" in os.environ):
            return 0
    return 70


if sys.version_info < (3, 9):
    sys.exit(too_old(sys.argv))

from webtool.dispatch import run  # noqa: E402

run(sys.argv)
