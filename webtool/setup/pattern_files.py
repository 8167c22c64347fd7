"""Compile regular expressions for a release. In: the patterns that modules asked for. Out: files of compiled patterns.

webtool.lean.patterns records every pattern that is asked for while modules are imported, and reads these files later,
because compiling all patterns of an open takes longer than the rest of it. Two files are written: one with the patterns
of modules that run at every start of their group, one with the others. A file is a marshalled {key: arguments of
Python's matching engine}. Its name has the digest of its bytes, so that Pythons which compile patterns alike
(3.11 to 3.15 do) share it.
Tests: tests/test_build.py, tests/lean/test_patterns.py
"""

from __future__ import annotations

import hashlib
import marshal
import sys


def compile_patterns(patterns: object, needed: int) -> tuple[str, dict[str, bytes]]:
    """Compile the patterns that the module `patterns` has recorded; the first `needed` ones go to a file of their own.

    Returns the source of the module webtool._patterns, and the files that it reads, {name: bytes}.
    """
    keys = list(patterns.seen)  # type: ignore[attr-defined]
    files: dict[str, bytes] = {}
    for part in (keys[:needed], keys[needed:]):
        data = marshal.dumps({key: _compiled_pattern(key[2], key[1]) for key in sorted(part)}, 2)
        files[f"patterns-{hashlib.sha256(data).hexdigest()[:8]}.bin"] = data
    engine: tuple[object, ...] = patterns.ENGINE  # type: ignore[attr-defined]
    source = f"""import marshal
ENGINE = {engine!r}
FILES = {list(files)!r}
def read():
    return marshal.loads(__loader__.get_data(__file__[:-{len("_patterns.py")}] + FILES.pop(0)))
"""
    return source, files


def _compiled_pattern(pattern: str | bytes, flags: int) -> tuple[object, ...]:
    """Return what Python's compiler hands to the matching engine: flags, code, number of groups, their names."""
    import _sre  # type: ignore[import-not-found]
    import struct

    if sys.version_info >= (3, 11):
        import re._compiler as compiler
    else:
        import sre_compile as compiler
    arguments: list[object] = []

    class Engine:
        """Replaces the engine while one pattern is compiled, and records the arguments of the call."""

        MAGIC = _sre.MAGIC
        __getattr__ = staticmethod(lambda name: getattr(_sre, name))  # type: ignore[misc]

        @staticmethod
        def compile(_pattern: object, all_flags: int, code: list[int], *rest: object) -> None:
            arguments.extend((int(all_flags), struct.pack(f"={len(code)}I", *code), *rest))

    real, compiler._sre = compiler._sre, Engine()  # type: ignore[attr-defined]
    try:
        compiler.compile(pattern, flags)
    finally:
        compiler._sre = real  # type: ignore[attr-defined]
    return tuple(arguments)
