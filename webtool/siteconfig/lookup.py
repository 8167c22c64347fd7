"""Which rules belong to a page. In: its host, its generator, the user's folder. Out: Rules or None.

A file is named after a host (example.com.txt, used for www.example.com too) or, with a dot before it, after a domain
and all hosts below (.example.com.txt). Any file of the user's comes before the built-in ones, and of those of one
folder the longer name. Where no host fits, software that many sites run is recognised by <meta name=generator>.
"""

from __future__ import annotations

import os

from webtool.siteconfig.rules import MAX_FILE, Rules, parse

_SUFFIX = ".txt"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")
# The beginning of the generator's name -> built-in rules.
GENERATORS = {
    "discourse": "discourse",
    "wordpress": "wordpress",
    "mediawiki": "mediawiki",
    "docusaurus": "docusaurus",
    "mkdocs": "mkdocs",
    "sphinx": "sphinx",
}


def find(host: str, folder: str = "", *, chosen: str = "", generator: str = "") -> Rules | None:
    """The rules for a host; `chosen` is the id of a file to use whatever the host."""
    names = [chosen] if chosen else [*names_of(host), *_of_generator(generator)]
    for read in (lambda name: _from_folder(folder, name), _built_in):
        for name in names:
            data = read(name) if _is_safe(name) else None
            if data is not None:
                return parse(data[:MAX_FILE].decode("utf-8", "replace"), name)
    return None


def _of_generator(generator: str) -> list[str]:
    return [name for beginning, name in GENERATORS.items() if generator.lower().startswith(beginning)]


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
    names += ["." + ".".join(labels[start:]) for start in range(len(labels) - 1)]
    return names


def _from_folder(folder: str, name: str) -> bytes | None:
    if not folder:
        return None
    try:
        with open(os.path.join(folder, name + _SUFFIX), "rb") as file:
            return file.read(MAX_FILE)
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
