"""Remember answers, without functools: it takes longer to import than a small page to read.

Remembered: in a function of one text, out a mapping that calls it once for each text. cached: a property that is worked
out once for each instance. functools.lru_cache also notes which answer was used last; pages do not need that.

Tests: tests/urls/test_urls.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")
    cached = property
else:
    Answer = object

    class cached:  # noqa: N801 - named like the decorator that it is
        """A property that is worked out once; then its value replaces it on the instance, which has no __slots__."""

        def __init__(self, work):
            self.work = work
            self.__doc__ = work.__doc__

        def __get__(self, instance, owner):
            value = instance.__dict__[self.work.__name__] = self.work(instance)
            return value


MAX_TEXT = 500  # characters of a text whose answer is not remembered: hostile pages would fill the memory


class Remembered(dict[str, Answer]):
    """`Remembered(ask)[text]` is ask(text); when there are `most` answers, all are forgotten.

    `ask` must not be a method of the object that holds the mapping: both would refer to each other, and their memory
    would wait for the garbage collector.
    """

    def __init__(self, ask: Callable[[str], Answer], most: int = 5000) -> None:
        super().__init__()
        self._ask, self._most = ask, most

    def __missing__(self, text: str) -> Answer:
        if len(self) >= self._most:
            self.clear()
        answer = self._ask(text)
        if len(text) <= MAX_TEXT:
            self[text] = answer
        return answer
