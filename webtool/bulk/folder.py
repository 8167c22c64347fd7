"""Keep the pages of a site as files of a folder. In: URLs, texts. Out: files, a manifest.

The folder's manifest has a line of JSON for each address: first what is crawled, then rows with `url`, `status` and
what STATUSES says. A row is appended as soon as its page is written, so a run that was killed is resumed; the end of a
run writes the manifest anew, with one row for each address.

A file's name follows its URL and is never that of another URL, also where capitals, accents or endings do not count
(Windows, macOS). Nothing is written outside of the folder: each part of a path must be a real folder, not a link.
Tests: tests/bulk/test_folder.py
"""

from __future__ import annotations

import json
import os
import posixpath
import stat
import unicodedata
from collections.abc import Iterable
from contextlib import suppress

from webtool import urls
from webtool.bulk.files import unusable
from webtool.cache.tables import digest
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.output import lock, open_to_append, replace_file, write_all
from webtool.urls.hosts import percent_decode

MANIFEST, INDEX = "manifest.ndjson", "index.md"
STATUSES = {
    "saved": "file has the page",
    "duplicate": "the page is saved under another address, same_as; a file that it had is removed",
    "gone": "the server says that the page is gone (404, 410); file has its last copy",
    "missing": "a dead link: its address has no page (404, 410), and never had one",
    "skipped": "not a page, or robots.txt, Content-Signal or the folder of the crawl forbids it",
    "failed": "the page could not be opened this time",
    "left": "not opened, because the crawl stopped before; file, if there is one, has its last copy",
    "sitemap": "the address of a sitemap",
}
ABOUT_FILE = ("file", "title", "sha256", "depth")  # members of a row that stay while it has a file of an earlier run
# Members of the manifest's lines and their types. A line may be damaged: any other member or value is ignored.
_TYPES = {
    **dict.fromkeys(("url", "status", "file", "title", "sha256", "body_sha256", "same_as", "start", "base"), str),
    **dict.fromkeys(("error", "error_code"), str), **dict.fromkeys(("run", "depth"), int),
    **dict.fromkeys(("links", "sitemaps", "options"), list), "is_whole": bool,
}  # fmt: skip
Row = dict[str, Any]
_FORMAT = "webtool_crawl"  # first member of the manifest's first line
_BEGIN = b'{"webtool_crawl"'
_is_partial = patterns.compile(r".+\.(?:md|ndjson)\.[0-9a-f]{16}\.part").fullmatch  # guide.md.0123456789abcdef.part
_MAX_PART = 100  # bytes of one part of a path
_MAX_PATH = 200  # characters of a path inside the folder, as Windows allows 260 in all
_MAX_READ = 64 << 20  # bytes of a saved page that are read again
_HTML_ENDINGS = (".html", ".htm", ".xhtml", ".md")
_RESERVED = patterns.compile(r"(?i)(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\xb9\xb2\xb3])(?:\.|\Z)")
# Characters that some file system or shell does not allow in names, and invisible ones.
_UNFIT = patterns.compile(
    '[\x00-\x20<>:"/\\\\|?*\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]+'
)
_NOT_IN_LINKS = patterns.compile(r"[\x00-\x20%#?()<>\[\]\\`*]")  # what a markdown link has percent-encoded
_HASH_BYTES = 13  # "-", 10 digits, one "_" that _part() may add at the start and one that _tidy() may add at the end
_HINT = "Give an empty or new folder to -o."


class Folder:
    """The folder of one crawl and the rows of its manifest. open() and close() it.

    `head` is the manifest's first line: among others `run`, which numbers the crawls of this folder, and `is_whole`,
    which is true if the last one came to its end.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows: dict[str, Row] = {}
        self.head: Row = {}
        self._urls: dict[str, str] = {}  # folded name of a file: its URL
        self._fd = -1

    def open(self) -> None:
        """Create the folder, or read its manifest and lock it. Raises InvalidArgument."""
        try:
            os.makedirs(self.path, exist_ok=True)
            self.path = os.path.realpath(self.path)
            manifest = os.path.join(self.path, MANIFEST)
            is_new = not os.path.lexists(manifest)
            if is_new and os.listdir(self.path):
                raise InvalidArgument(f"{self.path} has files that webtool did not write there", hint=_HINT)
            if not is_new and not stat.S_ISREG(os.lstat(manifest).st_mode):
                raise InvalidArgument(f"{manifest} is not a file", hint=_HINT)
            self._fd = open_to_append(manifest)
            is_locked = lock(self._fd)
            # A run that ended between opening and locking has replaced the file, or it was removed.
            is_current = os.path.lexists(manifest) and os.path.samestat(os.fstat(self._fd), os.lstat(manifest))
        except (OSError, ValueError) as exc:
            reason = "it is not a folder" if os.path.isfile(self.path) else exc
            raise unusable(self.path, "written", reason, _HINT) from exc
        if not is_locked:
            raise InvalidArgument(f"{self.path} is being written by another run", hint="Wait for its end.")
        if not is_current:
            raise InvalidArgument(f"{self.path} was just written by another run", hint="Run the command again.")
        with open(self._fd, "r+b", closefd=False) as file:
            whole_bytes = 0  # of the lines that have their ends
            for line in file:
                is_beginning = line.startswith(_BEGIN) or _BEGIN.startswith(line)  # a killed run may have cut it
                if not whole_bytes and not is_beginning:
                    raise InvalidArgument(f"{self.path} has a {MANIFEST} that webtool did not write", hint=_HINT)
                if not line.endswith(b"\n"):  # a killed run wrote a part of it
                    file.truncate(whole_bytes)
                    break
                whole_bytes += len(line)
                try:
                    self._keep(json.loads(line))
                except (ValueError, RecursionError):
                    pass
        for folder, _, names in os.walk(self.path):  # temporary files of a killed run; links are not followed
            for name in filter(_is_partial, names):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _keep(self, line: object) -> None:
        """Take a line of the manifest, without members that are damaged.

        A file name that file_name() would never give ("", "../a.md"), or that another address has, is forgotten, so
        that nothing is written there.
        """
        if not isinstance(line, dict):
            return
        is_head = _FORMAT in line
        row: Row = {name: value for name, value in line.items() if type(value) is _TYPES.get(name)}
        if is_head:
            self.head = row
        elif "url" in row and row.get("status") in STATUSES:
            for member in row.keys() & {"links", "sitemaps"}:
                row[member] = [url for url in row[member] if isinstance(url, str)]
            name = row.get("file", "")
            if _tidy(name) != name or not self._reserve(name, row["url"]):
                row.pop("file", None)
            if row["status"] == "saved" and not {"file", "sha256"} <= row.keys():
                row["status"] = "left"
            self.rows[row["url"]] = row

    def _reserve(self, name: str, url: str) -> bool:
        """Give a name to a URL; return False if it is another URL's."""
        return self._urls.setdefault(_folded(name), url) == url

    def begin(self, **head: object) -> None:
        """Append what is crawled, and the number of the run."""
        self.head = {_FORMAT: 1, **head}
        write_all(self._fd, _line(self.head))

    def record(self, row: Row) -> None:
        """Append a row, which replaces an earlier one of its URL."""
        self.rows[row["url"]] = row
        write_all(self._fd, _line(row))

    def finish(self, rows: Iterable[Row]) -> None:
        """Write the manifest anew with these rows and `is_whole`, and close it."""
        if os.name == "nt":  # Windows replaces no open file
            self.close()
        self._replace(MANIFEST, b"".join(map(_line, ({**self.head, "is_whole": True}, *rows))))
        self.close()

    def file_for(self, url: str, folder: str) -> str:
        """Return the name of a URL's file, the one that it had before if it had one. `folder` is the crawl's path."""
        known = self.rows.get(url, {}).get("file")
        if known:
            return str(known)
        name = file_name(url, folder)
        if not self._reserve(name, url):
            name = f"{name[:-3]}-{digest(url)[:10]}.md"
            self._urls[_folded(name)] = url
        return name

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a page's file, None if it is missing or a link leads to it."""
        path = os.path.join(self.path, *name.split("/"))
        try:
            if not _is_real(path) or not stat.S_ISREG(os.lstat(path).st_mode):
                return None
            with open(path, "rb") as file:
                return file.read(_MAX_READ)
        except OSError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, unless it has these bytes already. Raises InvalidArgument."""
        if self.read(name) != data:
            self._replace(name, data)

    def remove(self, name: str) -> None:
        """Remove a page's file, and its folder if that is empty then."""
        if self.read(name) is not None:
            path = os.path.join(self.path, *name.split("/"))
            with suppress(OSError):
                os.unlink(path)
                os.removedirs(os.path.dirname(path))

    def _replace(self, name: str, data: bytes) -> None:
        """Write a file below the folder, whose parents are created. Raises InvalidArgument."""
        *parents, last = name.split("/")
        path = self.path
        try:
            for part in parents:
                path = os.path.join(path, part)
                if not os.path.lexists(path):
                    os.mkdir(path)
                if not _is_real(path) or not os.path.isdir(path):
                    raise InvalidArgument(
                        f"{path} is a link or a file, not a folder: nothing is written there", hint=_HINT
                    )
            replace_file(os.path.join(path, last), data)
        except OSError as exc:
            hint = "Make room or allow writing; the same command goes on from there."
            raise InvalidArgument(f"{name} cannot be written in {self.path}: {exc.strerror or exc}", hint=hint) from exc


def _is_real(path: str) -> bool:
    """Return whether no part of a path is a link; the folder's own path is resolved already."""
    return os.path.normcase(os.path.realpath(path)) == os.path.normcase(path)


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


# --- Names of files ---


def _folded(name: str) -> str:
    """Return a name in the form in which file systems that ignore case and composition compare it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).casefold()


def _tidy(name: str) -> str:
    """Return a path with every part in the form that file_name() gives, always below the folder, never INDEX.

    "a.md/b" -> "a.md_/b.md", as a page may be a.md. "index.md" -> "index.md.md", as the list of pages is index.md.
    """
    *folders, last = [_part(part) for part in name.split("/") if part] or [""]
    folders = [f"{part}_" if part.lower().endswith(".md") else part for part in folders]
    name = "/".join([*folders, last])
    return name if name.endswith(".md") and _folded(name) != INDEX else f"{name}.md"


def _part(text: str) -> str:
    """Return one part of a path that every file system accepts: no reserved name, no dot or space at an end."""
    text = unicodedata.normalize("NFC", _UNFIT.sub("-", text))
    text = text.rstrip(". ") if text.strip(". ") else "-"
    return f"_{text}" if text[0] in ".-~" or _RESERVED.match(text) else text


def _shortened(part: str, limit: int = _MAX_PART) -> str:
    """Return a part of at most `limit` bytes; the end of a longer one becomes a hash, as another may begin alike."""
    data = part.encode("utf-8")
    if len(data) <= limit:
        return part
    return _part(data[: limit - _HASH_BYTES].decode("utf-8", "ignore") + "-" + digest(part)[:10])


def file_name(url: str, folder: str) -> str:
    """Return the file for a URL below the crawl's folder: /docs/api/ -> api/index.md, /docs/ itself -> home.md.

    /docs, the only page of a crawl that is not below its folder, is home.md too.
    """
    parsed = urls.parse(url)
    path = parsed.path
    inside = path[len(folder) :] if path.startswith(folder) else ""
    parts = [_part(percent_decode(part)) for part in inside.split("/")[:-1] if part]
    last = percent_decode(inside.rpartition("/")[2]) or "index"
    for ending in _HTML_ENDINGS:
        if last.lower().endswith(ending) and len(last) > len(ending):
            last = last[: -len(ending)]
            break
    if not parts and _folded(last) == "index":
        last = "home"
    if parsed.query:
        last += "_" + patterns.compile(r"[^\w.-]+").sub("-", percent_decode(parsed.query))
    parts = [*map(_shortened, parts), _shortened(_part(last))]
    name = _tidy("/".join(parts) + ".md")
    if len(name) > _MAX_PATH:
        name = _tidy(f"{_shortened(parts[-1], 60)}-{digest(url)[:10]}.md")
    return name


def relative(target: str, name: str) -> str:
    """Return the link that leads from one file of the folder to another."""
    path = posixpath.relpath(target, posixpath.dirname(name) or ".")
    return _NOT_IN_LINKS.sub(lambda match: f"%{ord(match[0]):02X}", path)
