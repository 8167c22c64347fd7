"""Which rules belong to a page. In: its host, its generator, the user's folder. Out: Rules or None.

A file is named after a host (example.com.txt, used for www.example.com too) or, with a dot before it, after a domain
and all hosts below (.example.com.txt). Any file of the user's comes before the built-in ones, and of those of one
folder the longer name; together they are one set of rules, to which the user's global.txt is added. Where no host
fits, software that many sites run is recognised by <meta name=generator>.
"""

from __future__ import annotations

import os

from webtool.settings import read_small

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.siteconfig.rules import Rules

MAX_FILE = 262144  # bytes
_SUFFIX = ".txt"
_GLOBAL = "global"
_MOST_FILES = 50_000  # of a folder that are looked through for a name in other letters
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")
# Built-in rules that are called as the generator's name begins.
GENERATORS = ("discourse", "wordpress", "mediawiki", "docusaurus", "mkdocs", "sphinx")


def find(
    host: str, folder: str = "", *, chosen: str = "", generator: str = "", or_global: bool = False
) -> Rules | None:
    """The rules for a host; `chosen` is the id of a file to use whatever the host.

    What the first file does not find is looked for by those behind it, the user's global.txt last, unless it says
    autodetect_on_failure: no. `or_global` gives global.txt where there is no other.
    """
    names = [chosen] if chosen else [*names_of(host), *filter(generator.lower().startswith, GENERATORS)]
    folders = _Folder(folder)
    found = [
        (data, name)
        for read in (folders.read, _built_in)
        for name in names
        if _is_safe(name) and (data := read(name)) is not None
    ]
    if not chosen and (found or or_global):
        data = folders.read(_GLOBAL)
        found += [] if data is None else [(data, _GLOBAL)]
    if not found:
        return None
    from webtool.siteconfig.rules import merged, parse  # with XPath, a thirtieth of an open

    return merged([parse(data[:MAX_FILE].decode("utf-8", "replace"), name) for data, name in found])


def _is_safe(name: str) -> bool:
    """Whether the name is that of a file in the folder, and not a way out of it."""
    return bool(name) and _SAFE.issuperset(name.lower()) and ".." not in name


def names_of(host: str) -> list[str]:
    """The file names that a host may have, the most exact first."""
    host = host.lower().rstrip(".")
    if not host or not _SAFE.issuperset(host):
        return []
    labels = host.split(".")
    names = [host]
    if labels[0] == "www" and len(labels) > 2:
        names.append(".".join(labels[1:]))
    elif len(labels) > 1 and not labels[-1].isdigit():
        names.append("www." + host)  # how many of the files out there are called
    names += ["." + ".".join(labels[start:]) for start in range(len(labels) - 1)]
    return names


class _Folder:
    """The user's files, whose names may have capitals: host names have none (RFC 4343)."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._names: dict[str, str] | None = None

    def read(self, name: str) -> bytes | None:
        """The file of that name, None where there is none."""
        if not self._path:
            return None
        data = _file(os.path.join(self._path, name + _SUFFIX))
        if data is None:
            other = self._others().get((name + _SUFFIX).lower())
            data = _file(os.path.join(self._path, other)) if other else None
        return data

    def _others(self) -> dict[str, str]:
        if self._names is None:
            try:
                listed = sorted(os.listdir(self._path)[:_MOST_FILES])
            except (OSError, ValueError):
                listed = []
            self._names = {name.lower(): name for name in listed if name != name.lower()}
        return self._names


def _file(path: str) -> bytes | None:
    try:
        return read_small(path, MAX_FILE)
    except (OSError, ValueError):
        return None


def _built_in(name: str) -> bytes | None:
    """From the package, which may lie inside the archive."""
    path = os.path.join(os.path.dirname(__file__), "sites", name + _SUFFIX)
    loader = globals().get("__loader__")
    try:
        data: bytes = loader.get_data(path)  # type: ignore[union-attr]
    except (OSError, AttributeError):
        return None
    return data
