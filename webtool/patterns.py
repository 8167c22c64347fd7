"""Regular expressions that cost nothing to make. In: a pattern. Out: what re.compile gives.

Python compiles a pattern in Python, 0.2 to 50 ms each, at every start of the process: for the patterns on the path of
one fetch that is more than the fetch. build.py therefore writes down what the compiler made of every pattern that a
module names at import (module _patterns, for exactly one version of the matching engine); elsewhere, and for a pattern
that is not there, re does the work. Use it at module level, with flags inside the pattern, as in "(?i)abc".
"""

from __future__ import annotations

import _sre
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import AnyStr

seen: list[str | bytes] | None = None
"""While build.py collects patterns: those asked for so far."""

try:
    from webtool import _patterns  # type: ignore[attr-defined]

    _made = _patterns.MADE if (sys.version_info[:2], _sre.MAGIC, _sre.CODESIZE) == _patterns.ENGINE else {}
except ImportError:
    _made = {}


def compile(pattern: AnyStr) -> Pattern[AnyStr]:  # noqa: A001 -- the name that everyone knows
    """The compiled pattern; raises re.error as re.compile does."""
    if seen is not None:
        seen.append(pattern)
    made = _made.get(pattern)
    if made is None:
        import re

        return re.compile(pattern)
    flags, code, groups, names, numbers = made
    # The engine wants a list of unsigned integers of its own size; bytes are how they are stored.
    ready: Pattern[AnyStr] = _sre.compile(pattern, flags, memoryview(code).cast("I").tolist(), groups, names, numbers)
    return ready
