"""Site rules: files in which people say where a site has its title, text and next page.

In: a page's host, its generator, the user's folder. Out: the page's Rules, or None. find() looks for the
files, rules.py reads them, apply.py uses them on a page. Most pages have no rules and need find() only. Fetching
further pages is left to webtool.pages.site_rule_pages.

A file is named after a host (example.com.txt, which www.example.com uses too) or, with a leading dot, after a domain
and all hosts below it (.example.com.txt). All files that fit are merged: the user's come before the built-in ones, and
in each folder longer names before shorter ones; the user's global.txt is last. If no host fits, software that runs many
sites is recognised by <meta name=generator>.
Format: the site configuration files of Five Filters' Full-Text RSS.
Tests: tests/siteconfig/test_lookup.py
"""

from __future__ import annotations

import os
from collections.abc import Callable

from webtool.errors import InvalidArgument
from webtool.lean import datafiles
from webtool.settings import read_small
from webtool.urls.hosts import MAX_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.siteconfig.rules import Rules

MAX_FILE = 262144  # bytes; the rest of a longer file is not read
MAX_FILES = 50_000  # of a folder; further ones are not considered for names with capitals
_SUFFIX = ".txt"
_GLOBAL = "global"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")
# Built-in rules for software. Each name is how the value of <meta name=generator> begins.
GENERATORS = ("discourse", "wordpress", "mediawiki", "docusaurus", "mkdocs", "sphinx")


def find(
    host: str, folder: str = "", *, chosen: str = "", generator: str = "", or_global: bool = False
) -> Rules | None:
    """Return the merged rules for a host, or None without any. Raises InvalidArgument if no file has the id `chosen`.

    `chosen` is the id of a file that is used for any host. `or_global` uses the user's global.txt even if no other file
    fits. A file that says `autodetect_on_failure: no` is the last one that counts.
    """
    names = [chosen] if chosen else [*names_of(host), *filter(generator.lower().startswith, GENERATORS)]
    users = _Folder(folder)
    files = _files(users.read, names) + _files(_built_in, names)
    if not chosen and (files or or_global):
        files += _files(users.read, [_GLOBAL])
    if chosen and not files:
        raise InvalidArgument(
            f"unknown site rules {chosen[:60]!r}", hint="Name a file of siteconfig_dir or a built-in one, without .txt."
        )
    if not files:
        return None
    from webtool.siteconfig.rules import merge, parse  # importing XPath takes a thirtieth of an open

    return merge([parse(data[:MAX_FILE].decode("utf-8", "replace"), name) for name, data in files])


def _files(read: Callable[[str], bytes | None], names: list[str]) -> list[tuple[str, bytes]]:
    """Return name and content of the files that exist, in the order of the names."""
    files = []
    for name in names:
        data = read(name) if _is_safe(name) else None
        if data is not None:
            files.append((name, data))
    return files


def _is_safe(name: str) -> bool:
    """Whether the name can only be that of a file in the folder: it has no separators and no `..`."""
    return bool(name) and _SAFE.issuperset(name.lower()) and ".." not in name


def names_of(host: str) -> list[str]:
    """Return the names of files for a host, the most specific first.

    `www.a.example` -> `www.a.example`, `a.example`, `.www.a.example`, `.a.example`.
    """
    host = host.lower().rstrip(".")
    if not 0 < len(host) <= MAX_NAME or not _SAFE.issuperset(host):
        return []
    labels = host.split(".")
    names = [host]
    if labels[0] == "www" and len(labels) > 2:
        names.append(".".join(labels[1:]))
    elif len(labels) > 1 and not labels[-1].isdigit():
        names.append("www." + host)  # many published files are named so
    names += ["." + ".".join(labels[start:]) for start in range(len(labels) - 1)]
    return names


class _Folder:
    """The user's folder. File names may have capitals, which host names do not distinguish (RFC 4343)."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._capitalised: dict[str, str] | None = None

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None without a file of that name."""
        if not self._path:
            return None
        data = _read(os.path.join(self._path, name + _SUFFIX))
        if data is None:
            capitalised = self._names_with_capitals().get((name + _SUFFIX).lower())
            data = _read(os.path.join(self._path, capitalised)) if capitalised else None
        return data

    def _names_with_capitals(self) -> dict[str, str]:
        """Return the file names that contain capitals, by their form in small letters."""
        if self._capitalised is None:
            try:
                listed = sorted(os.listdir(self._path)[:MAX_FILES])
            except (OSError, ValueError):
                listed = []
            self._capitalised = {name.lower(): name for name in listed if name != name.lower()}
        return self._capitalised


def _read(path: str) -> bytes | None:
    """Return a file's content, or None if it cannot be read."""
    try:
        return read_small(path, MAX_FILE)
    except (OSError, ValueError):
        return None


def _built_in(name: str) -> bytes | None:
    """Return the content of a built-in file, or None without a file for this name."""
    try:
        return datafiles.read(__name__, os.path.join("sites", name + _SUFFIX))
    except OSError:
        return None
