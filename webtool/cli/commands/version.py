"""--version: webtool, Python, OpenSSL; --json for programs, which also hear what is inside the file."""

from __future__ import annotations

import platform
import sys

from webtool import __version__
from webtool.cli import flags
from webtool.errors import InvalidArgument
from webtool.output import write_all


def versions() -> dict[str, str]:
    """What runs here."""
    try:
        import ssl

        openssl = ssl.OPENSSL_VERSION
    except ImportError:
        openssl = "OpenSSL: none (https will not work)"
    python = f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    return {"webtool": __version__, "python": python, "openssl": openssl}


def inside() -> dict[str, object]:
    """What the running file consists of: the Pythons it has bytecode for, and everything that is not webtool's own."""
    compiled = []
    path = getattr(globals().get("__loader__"), "archive", "")
    if path:
        import zipfile

        with zipfile.ZipFile(path) as archive:
            ending = "-start.bin"
            names = [name[len("webtool/") :] for name in archive.namelist() if name.endswith(ending)]
        compiled = sorted(name[: -len(ending)] for name in names)
    return {"file": path or None, "compiled_for": compiled, "requires": "Python >= 3.9", "third_party": []}


def main(words: list[str]) -> int:
    """Print the versions. Raises InvalidArgument."""
    parsed = flags.parse(words, {}, {"json": False, "help": False})
    if parsed.plain:
        raise InvalidArgument(f"version takes no word {parsed.plain[0]!r}", hint="Use: webtool --version [--json]")
    found = versions()
    if "json" in parsed.options:
        import json

        text = json.dumps({**found, **inside()})
    else:
        text = f"webtool {found['webtool']}\nPython {found['python']}\n{found['openssl']}"
    write_all(1, (text + "\n").encode("utf-8", "replace"))
    return 0
