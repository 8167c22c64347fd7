"""pack FILE.warc.gz [CITATION.json ...]: write cited pages and their citations into one archive.

In: files of citations (- or none: standard input), and the cache. Out: a new archive, and the exit status.

Tests: tests/cli/commands/test_evidence.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from webtool.bulk import evidence, files
from webtool.cli import flags, page_options
from webtool.context import Context
from webtool.errors import InvalidArgument, counted
from webtool.output import is_terminal, replace_file, write_error

OPTIONS = {"force": False, "quiet": False, "json": False}
_USE = "Use: webtool pack FILE.warc.gz CITATION.json ...; - is standard input."
_ENDINGS = (".warc", ".warc.gz")


def main(words: list[str]) -> int:
    """Write the archive. Returns 0. Raises WebtoolError."""
    parsed = flags.parse(words, {}, OPTIONS)
    if not parsed.plain or not parsed.plain[0].lower().endswith(_ENDINGS):
        problem = (
            f"{parsed.plain[0]} is not a name for an archive" if parsed.plain else "pack needs the name of an archive"
        )
        raise InvalidArgument(problem, hint=f"It has to end in {' or '.join(_ENDINGS)}. {_USE}")
    path, *names = parsed.plain
    if not names and is_terminal(0):
        raise InvalidArgument("pack needs citations", hint=_USE)
    citations = list(_citations(names or ["-"]))
    is_new = not os.path.lexists(path)
    page_options.require_new(path, is_forced="force" in parsed.options)
    ctx = Context(flags.settings_of(parsed), environ=os.environ)
    try:
        records = evidence.pack(ctx, citations, path.lower().endswith(".gz"))
        replace_file(path, records, is_new=is_new)
    except FileExistsError:
        raise InvalidArgument(
            f"{path} was written by another program meanwhile", hint="Give the name of another file."
        ) from None
    except OSError as exc:
        raise InvalidArgument(
            f"{path} cannot be written: {exc.strerror}", hint="Give a file in a folder of yours."
        ) from exc
    finally:
        ctx.close()
    if "quiet" not in parsed.options:
        pages = len({(citation["url"], citation["body_sha256"]) for citation in citations})
        number = f"{counted(len(citations), 'citation')} of {counted(pages, 'page')}"
        write_error(
            f"webtool: wrote {path}, {number}, {os.path.getsize(path):,} bytes; webtool verify {path} checks it\n"
        )
    return 0


def _citations(names: list[str]) -> Iterator[evidence.Citation]:
    """Yield the citations of the files. Raises InvalidArgument."""
    hint = "Give files that webtool cite --json wrote."
    for name in names:
        data = files.read(name, files.MAX_LIST, hint).body
        yield from evidence.read_citations(data, "standard input" if name == "-" else name)
