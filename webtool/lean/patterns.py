"""Compile regular expressions without cost at start. In: a pattern. Out: an object with the methods of re.Pattern.

Python compiles a pattern in 0.1 to 50 ms, at every start of the process. The patterns of one fetch would take longer
than the fetch. So build.py compiles every pattern that a module asks for at import, and stores the result in the
module _patterns, for one version of the matching engine. compile() takes it from there. In a checkout, on another
Python, and for a pattern that is not stored, re compiles it when it is first used. Call compile() at module level.

Tests: tests/lean/test_patterns.py
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

# The engine that stored patterns fit. MAXREPEAT is part of their code, and is smaller on 32-bit systems.
ENGINE = (_sre.MAGIC, _sre.CODESIZE, getattr(_sre, "MAXREPEAT", 0), sys.byteorder)

# A dict while setup/bytecode.py collects patterns, else None. A key is (whether the pattern is bytes, flags, pattern).
seen: dict[tuple[bool, int, str | bytes], None] | None = None

try:
    from webtool import _patterns

    # Names of files not read yet. The first has the patterns of the modules that open a page, the second all others.
    _files: list[str] = _patterns.FILES if _patterns.ENGINE == ENGINE else []
except ImportError:
    _files = []
_stored: dict[tuple[bool, int, str | bytes], tuple[Any, ...]] = {}

IDEOGRAPHS = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters, for use inside [...]
_MAX_CODE = 400  # bytes of code; a pattern with more is made when it is first used, as few pages need it


class _Late:
    """A pattern that is made when one of its methods is first used: from `stored` code, else by re."""

    def __init__(self, pattern: str | bytes, flags: int, stored: tuple[Any, ...] | None) -> None:
        self._arguments, self._code, self._pattern = (pattern, flags), stored, None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy, pickle and inspect look these up
            raise AttributeError(name)
        if self._pattern is None:
            compiled: Any = _from_code(self._arguments[0], *self._code) if self._code else None
            if compiled is None:
                import re

                compiled = re.compile(*self._arguments)
            self._pattern = compiled
        value = getattr(self._pattern, name)
        setattr(self, name, value)  # the next use does not come here
        return value


def _from_code(pattern: str | bytes, flags: int, code: bytes, *rest: Any) -> Any:
    """Hand stored code to the matching engine; return None if the engine refuses it."""
    try:
        # The engine takes a list of unsigned integers of its own size, which are stored as bytes.
        return _sre.compile(pattern, flags, memoryview(code).cast("I").tolist(), *rest)
    except (RuntimeError, TypeError, ValueError, OverflowError):  # an engine of the same name that differs
        return None


class GuardedPattern:
    """Search for a pattern only in texts that have one of the words. Each match must contain one of them.

    `words` are lower case, separated by "|". Looking for seventy words takes a tenth of the time in which a pattern
    with seventy branches finds nothing. Example: GuardedPattern("cookie|consent", r"we use cookies|your consent").
    """

    __slots__ = ("pattern", "words")

    def __init__(self, words: str, pattern: str) -> None:
        self.words = tuple(words.split("|"))
        self.pattern = compile(pattern)

    def search(self, text: str) -> Match[str] | None:
        """Return the first match of the pattern in the text, or None."""
        return self.pattern.search(text) if self.might_match(text.lower()) else None

    def search_lines(self, lower: str) -> bool:
        """Return whether the pattern, searched in each line by itself, matches in a text in lower case."""
        words = [word for word in self.words if word in lower]
        return bool(words) and any(
            any(map(line.__contains__, words)) and self.pattern.search(line) for line in lower.split("\n")
        )

    def might_match(self, lower: str) -> bool:
        """Return whether the text, given in lower case, has one of the words."""
        for word in self.words:  # noqa: SIM110 - takes a third of the time of any()
            if word in lower:
                return True
        return False


def compile(pattern: AnyStr, flags: int = 0) -> Pattern[AnyStr]:  # noqa: A001 -- the name that re has
    """Return the compiled pattern. Errors in the pattern are raised by its first use."""
    # The first item keeps text and bytes apart: comparing them is an error under python -bb.
    key = (isinstance(pattern, bytes), flags, pattern)
    if seen is not None:
        seen[key] = None
    while key not in _stored and _files:
        try:
            _stored.update(_patterns.read())  # takes the next file from the list _files
        except Exception:  # damaged; or compressed, and this Python has no lzma: re compiles the rest
            _files.clear()
    stored = _stored.get(key)
    is_made_now = stored is not None and len(stored[1]) <= _MAX_CODE
    compiled = _from_code(pattern, *stored) if is_made_now else None  # type: ignore[misc]
    return compiled if compiled is not None else _Late(pattern, flags, stored)  # type: ignore[return-value]
