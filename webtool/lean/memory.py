"""Answers that are remembered, without functools: what lru_cache counts to keep the newest, pages do not need.

In: a function of one text. Out: a mapping that calls it once for each text.

Tests: tests/urls/test_urls.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")
else:
    Answer = object


MAX_TEXT = 500  # characters of a text whose answer is not remembered: hostile pages would fill the memory


class Remembered(dict[str, Answer]):
    """`Remembered(ask)[text]` is ask(text); when there are `most` answers, all are forgotten.

    What is made for one page must not be asked through its own methods: a cycle waits for the garbage collector.
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
