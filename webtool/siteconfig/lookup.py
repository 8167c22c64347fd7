"""Which rules belong to a page. In: its host, its generator, the user's folder. Out: Rules or None.

A file is named after a host (example.com.txt, used for www.example.com too) or, with a dot before it, after a domain
and all hosts below (.example.com.txt). The user's folder comes before the built-in one, a longer name before a shorter.
Where no host fits, software that many sites run is recognised by <meta name=generator>.
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
    names = [chosen] if chosen else names_of(host)
    for name in names:
        text = read(name, folder)
        if text is not None:
            return parse(text, name)
    if chosen:
        return None
    for beginning, name in GENERATORS.items():
        if generator.lower().startswith(beginning):
            text = read(name, folder)
            return None if text is None else parse(text, name)
    return None


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


def read(name: str, folder: str = "") -> str | None:
    """The text of a file of rules, the user's before the built-in one; None where there is neither."""
    if not name or not _SAFE.issuperset(name.lower()) or ".." in name:
        return None
    data = _from_folder(os.path.join(folder, name + _SUFFIX)) if folder else None
    if data is None:
        data = _built_in(name + _SUFFIX)
    return None if data is None else data[:MAX_FILE].decode("utf-8", "replace")


def _from_folder(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_FILE)
    except OSError:
        return None


def _built_in(name: str) -> bytes | None:
    """From the package, which may lie inside the archive."""
    path = os.path.join(os.path.dirname(__file__), "sites", name)
    loader = globals().get("__loader__")
    try:
        data: bytes = loader.get_data(path)  # type: ignore[union-attr]
    except (OSError, AttributeError):
        return None
    return data
