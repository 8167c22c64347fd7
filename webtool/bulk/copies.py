"""Copies among the pages of a site: one page at several addresses. In: addresses and digests. Out: the first address.

Two pages that share one of these traits are one page:
- path and text: /list?view=a and /list?view=b
- name, names of the folders above, and body: /a/b/page and /a/b/a/page, as a link back to /a/ makes without end
  (a symbolic link on the server, or a wrong relative link)
Tests: tests/bulk/test_site.py
"""

from __future__ import annotations

from webtool import urls

_INDEX_NAMES = ("index.", "default.", "home.")


class Copies:
    """The traits of the pages that were saved."""

    def __init__(self) -> None:
        self._urls: dict[tuple[str, str], str] = {}  # trait -> address of the first page with it

    def add(self, url: str, sha256: str, body_sha256: str) -> str:
        """Add a page; return the address of the page that it is a copy of, or its own."""
        traits = _traits(url, sha256, body_sha256)
        original = next((self._urls[trait] for trait in traits if trait in self._urls), url)
        if original == url:
            self._urls.update(dict.fromkeys(traits, url))
        return original


def _traits(url: str, sha256: str, body_sha256: str) -> list[tuple[str, str]]:
    """Return the traits of a page: see the top of the module. `body_sha256` is "" if the body is unknown."""
    place = _place(url)
    traits = [(place, sha256)]
    if body_sha256:
        *folders, name = place.split("/")
        traits.append((f"{'/'.join(sorted(set(folders)))}:{name}", body_sha256))
    return traits


def _place(url: str) -> str:
    """Return a URL's path without the name of a folder's index: /docs/index.html -> /docs/."""
    folder, slash, last = urls.parse(url).path.rpartition("/")
    return folder + slash + ("" if last.lower().startswith(_INDEX_NAMES) else last)
