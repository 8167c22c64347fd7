# Starts webtool: `python3 -m webtool`, `python3 webtool.pyz` (build.py puts a copy at the archive's root) and the
# archive's own start line. Written so that every Python since 2.7 can read it and say what is missing.
import os
import sys


def too_old(arguments):  # type: ignore[no-untyped-def]
    """One clear line, the error object for the -tool names, and the exit status."""
    found = "%d.%d" % sys.version_info[:2]
    message = "webtool needs Python 3.9 or newer; this is Python %s (%s)" % (found, sys.executable)
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
