"""--version: show the versions of webtool, Python and OpenSSL; with --json also what the running file contains.

Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

import platform
import sys

from webtool import __version__
from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all

_START = "-start.bin"  # an archive has one file `webtool/<python tag>-start.bin` for each Python with bytecode


def versions() -> dict[str, str]:
    """Return the versions of what runs here."""
    try:
        import ssl

        openssl = ssl.OPENSSL_VERSION
    except ImportError:
        openssl = "OpenSSL: none (https will not work)"
    python = f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    return {"webtool": __version__, "python": python, "openssl": openssl}


def contents() -> dict[str, object]:
    """Return what the running file contains: the Pythons that it has bytecode for, third-party code and data."""
    import json

    from webtool.extraction.model import model_file

    compiled: list[str] = []
    path = getattr(globals().get("__loader__"), "archive", "")
    if path:
        import zipfile

        with zipfile.ZipFile(path) as archive:
            names = [name[len("webtool/") :] for name in archive.namelist() if name.endswith(_START)]
        compiled = sorted(name[: -len(_START)] for name in names)
    provenance = json.loads(model_file.load().provenance)
    return {
        "file": path or None,
        "compiled_for": compiled,
        "requires": "Python >= 3.9",
        "third_party": [],
        "model": {key: provenance[key] for key in ("corpus", "pages", "licence")},
    }


def main(words: list[str]) -> int:
    """Print the versions. Returns 0. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, {"json": False, "help": False})
    if parsed.plain:
        raise InvalidArgument(f"version takes no word {parsed.plain[0]!r}", hint="Use: webtool --version [--json]")
    running = versions()
    if "json" in parsed.options:
        import json

        text = json.dumps({**running, **contents()})
    else:
        text = f"webtool {running['webtool']}\nPython {running['python']}\n{running['openssl']}"
    write_all(1, (text + "\n").encode("utf-8", "replace"))
    return 0
