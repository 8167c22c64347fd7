"""batch: open every URL of a list; one line of JSON for each, in the list's order.

In: the command's words and a file of URLs. Out: NDJSON, and the exit status. With -o FILE a broken-off run is taken up
where it ended: what the file holds is not opened again, except what failed and may succeed another time.
"""

from __future__ import annotations

import os
import sys
import time

from webtool import registry, settings, urls
from webtool.answers import capping
from webtool.cli import flags
from webtool.context import Context
from webtool.errors import InvalidArgument, WebtoolError
from webtool.output import is_terminal, write_all, write_error
from webtool.running import parallel
from webtool.running.workers import Workers
from webtool.schemas import arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OPTIONS = {"help": False, "output": True, "quiet": False, "json": False}
_PASSED_ON = ("mode", "max_bytes", "force_refresh", "timeout_ms", "accept", "use_siteconfig", "siteconfig_id")
_MAX_LIST = 256 * 1024 * 1024
_SOME_FAILED = 7

USAGE = """Usage: webtool batch [FILE|-|URL]... [flags]

Opens every URL and prints one line of JSON for each, in order: what webtool open gives, or the error.
FILE has one URL on each line; empty lines and lines that begin with # are passed over. - is stdin.

  -o, --output FILE    append to FILE; URLs that it already answers are skipped, so a run can be taken up again
  --concurrency N      pages opened at the same time (default 4, at most 64)
  -q, --quiet          no progress on the terminal
  --mode, --max-bytes, --timeout-ms, --accept, --force-refresh, --use-siteconfig, --siteconfig-id
                       as for webtool open, for every page

Exit status: 0 all opened, 7 some failed.
"""


def main(words: list[str]) -> int:
    """Open the pages; the exit status says whether all could be. Raises WebtoolError."""
    parsed = flags.parse(words, _parameters(), _OPTIONS)
    if "help" in parsed.options:
        write_all(1, USAGE.encode())
        return 0
    members = arguments.check(_parameters(), parsed.members)
    concurrency = int(str(members.pop("concurrency", 4)))
    found = list(dict.fromkeys(_urls(parsed.plain)))
    if not found and not parsed.plain:
        raise InvalidArgument("batch needs a list of URLs", hint="Give a file, - for stdin, or URLs.")
    path = parsed.options.get("output", "-")
    held = _held(path) if path != "-" else set()
    left = [url for url in found if urls.redact(url) not in held]
    ctx = Context(_settings(parsed.settings), environ=os.environ, workers=Workers())
    # Where the lines themselves go to the terminal, they are the progress.
    show = "quiet" not in parsed.options and is_terminal(2) and (path != "-" or not is_terminal(1))
    try:
        with _Sink(path) as sink:
            return _run(ctx, left, members, concurrency, sink, _Progress(len(left), len(found) - len(left), show))
    finally:
        ctx.close()


def _settings(given: dict[str, str]) -> settings.Settings:
    """The environment's settings with those given as flags laid over them."""
    changes = {name: settings.convert(name, text, "--" + name.replace("_", "-")) for name, text in given.items()}
    return settings.from_environ(os.environ)._replace(**changes)  # type: ignore[arg-type]


def _parameters() -> dict[str, object]:
    """web_open's members that can be the same for all pages, and the number of threads."""
    known = registry.load("open").SCHEMA["parameters"]["properties"]
    properties = {name: known[name] for name in _PASSED_ON}
    properties["concurrency"] = {"type": "integer", "minimum": 1, "maximum": parallel.MAX_THREADS}
    return {"type": "object", "properties": properties}


def _run(
    ctx: Context, found: list[str], members: dict[str, object], concurrency: int, sink: _Sink, progress: _Progress
) -> int:
    def work(url: object) -> object:
        alone = ctx.derive(deadline=time.monotonic() + ctx.settings.deadline)
        return registry.call("open", alone, {"url": url, **members}).data

    jobs = parallel.Jobs(found, work, concurrency, ahead=32 * concurrency)
    failed = 0
    for index, outcome in jobs.in_order():
        failed += isinstance(outcome, WebtoolError)
        sink.write(capping.encode(_line(found[index], outcome)))
        progress.show(index + 1, failed)
    progress.end()
    return _SOME_FAILED if failed else 0


def _line(url: str, outcome: object) -> dict[str, object]:
    """One line's members: `input` is the URL as the list has it, which is how a later run knows it again."""
    if isinstance(outcome, WebtoolError):
        return {"input": urls.redact(url), **outcome.to_dict()}
    return {"input": urls.redact(url), "success": True, **outcome}  # type: ignore[dict-item]


def _urls(words: list[str]) -> Iterator[str]:
    for word in words:
        if "://" in word:
            yield word
            continue
        for line in _read(word).decode("utf-8-sig", "replace").splitlines():
            line = line.strip()
            if line and not line.startswith("#"):
                yield line


_HINT = "Give a file of URLs, - for stdin, or URLs with their scheme: https://..."


def _read(path: str) -> bytes:
    try:
        if path == "-":
            data = sys.stdin.buffer.read(_MAX_LIST + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(_MAX_LIST + 1)
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or exc
        raise InvalidArgument(f"{path} cannot be read: {reason}", hint=_HINT) from exc
    if len(data) > _MAX_LIST:
        raise InvalidArgument(f"{path} is larger than {_MAX_LIST} bytes", hint="Give a shorter list.")
    return data


def _held(path: str) -> set[str]:
    """URLs that an output file answers. A last line that was broken off is taken out of the file."""
    import json

    held: set[str] = set()
    try:
        with open(path, "r+b") as file:
            end = 0
            for line in file:
                if not line.endswith(b"\n"):
                    file.truncate(end)
                    break
                end += len(line)
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict) and not entry.get("retryable"):
                    held.add(str(entry.get("input")))
    except FileNotFoundError:
        pass
    except OSError as exc:
        raise InvalidArgument(f"{path} cannot be read: {exc.strerror}", hint="Give another file to -o.") from exc
    return held


class _Sink:
    """Where the lines go: stdout, or the end of a file. Each line is there before the next page is waited for."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = 1

    def __enter__(self) -> _Sink:
        if self._path != "-":
            try:
                self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            except OSError as exc:
                raise InvalidArgument(
                    f"{self._path} cannot be written: {exc.strerror}", hint="Give another file to -o."
                ) from exc
        return self

    def __exit__(self, *exc: object) -> None:
        if self._fd != 1:
            os.close(self._fd)

    def write(self, line: bytes) -> None:
        """Write one whole line."""
        write_all(self._fd, line)


class _Progress:
    """One line on the terminal that is written over."""

    def __init__(self, total: int, skipped: int, is_shown: bool) -> None:
        self._total = total
        self._skipped = skipped
        self._is_shown = is_shown

    def show(self, done: int, failed: int) -> None:
        """Say how far the batch is."""
        if self._is_shown:
            skipped = f", {self._skipped} skipped" if self._skipped else ""
            write_error(f"\r{done}/{self._total} opened, {failed} failed{skipped}\x1b[K")

    def end(self) -> None:
        """Leave the line; where there was nothing to do, say so."""
        if self._is_shown:
            write_error("\n" if self._total else f"nothing left to open: all {self._skipped} are in the file already\n")
