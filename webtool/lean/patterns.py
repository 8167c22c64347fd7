"""Regular expressions that cost nothing to make. In: a pattern. Out: what behaves as re.compile's result does.

Python compiles a pattern in Python, 0.1 to 50 ms each, at every start of the process: for the patterns on the path of
one fetch that is more than the fetch. build.py therefore writes down what the compiler made of every pattern that a
module names at import (module _patterns, for exactly one version of the matching engine). Elsewhere, and for a pattern
that is not there, re does the work when the pattern is first used. Use it at module level.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match as Match
    from re import Pattern as Pattern
    from typing import Any, AnyStr
else:
    Match = Pattern = object  # for annotations, which are never evaluated

ENGINE = (_sre.MAGIC, _sre.CODESIZE, getattr(_sre, "MAXREPEAT", 0), sys.byteorder)
"""What the bytecode of a pattern fits. MAXREPEAT stands in it, and is smaller where addresses have 32 bits."""

seen: dict[tuple[bool, int, str | bytes], None] | None = None
"""While build.py collects patterns: those asked for so far: is it bytes, its flags, the pattern."""

try:
    from webtool import _patterns

    _made = _patterns.MADE if _patterns.ENGINE == ENGINE else {}
except ImportError:
    _made = {}

IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters, for a set in a pattern."""
_METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")


class _Late:
    """Stands for a pattern until something of it is asked for; from then on its methods are the pattern's own."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy, pickle and inspect ask for these
            raise AttributeError(name)
        import re

        compiled: Any = re.compile(*self._arguments)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


class Worded:
    """A pattern each match of which has one of some words: it is searched only where one of them is in the text.

    `words` are lower-case, with bars between. To look for seventy words takes a tenth of the time that a pattern of as
    many branches takes to find nothing.
    """

    __slots__ = ("pattern", "words")

    def __init__(self, words: str, pattern: str) -> None:
        self.words = tuple(words.split("|"))
        self.pattern = compile(pattern)

    def search(self, text: str) -> Match[str] | None:
        """What the pattern's own search() gives."""
        return self.pattern.search(text) if self.may_be_in(text.lower()) else None

    def may_be_in(self, lower: str) -> bool:
        """Whether a lower-cased text has one of the words."""
        for word in self.words:  # noqa: SIM110 - a third of the time of any()
            if word in lower:
                return True
        return False


def compile(pattern: AnyStr, flags: int = 0) -> Pattern[AnyStr]:  # noqa: A001 -- the name that everyone knows
    """The compiled pattern. What re.compile would raise is raised by the first use."""
    # Text and bytes of the same hash are not to be compared: python -bb makes that an error.
    key = (isinstance(pattern, bytes), flags, pattern)
    if seen is not None:
        seen[key] = None
    made = _made.get(key)
    if made is None:
        return _Late(pattern, flags)  # type: ignore[return-value]
    all_flags, code, *rest = made
    try:
        # The engine wants a list of unsigned integers of its own size; bytes are how they are stored.
        ready: Pattern[AnyStr] = _sre.compile(pattern, all_flags, memoryview(code).cast("I").tolist(), *rest)
    except (RuntimeError, TypeError, ValueError, OverflowError):  # an engine that calls itself the same and is not
        return _Late(pattern, flags)  # type: ignore[return-value]
    return ready
