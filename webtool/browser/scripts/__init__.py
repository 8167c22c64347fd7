"""JavaScript that runs in pages, one file a script. In: the name of a file. Out: its text, an expression or statement.

WITHOUT_WAYS_OUT and BEFORE_PAGE run in the page's own world before its scripts. The others run in an isolated world,
whose prototypes the page cannot touch, and return JSON values. Each file begins with what it does. webtool.browser.page
and webtool.browser.reading run them.

SNAPSHOT uses other functions, each in a file of its own, which it receives as one object: `scripts.dom`.
SCROLL_DOWN, HOSTS and CLICK use dom.js alone.

Tests: tests/browser/test_scripts.py
"""

from __future__ import annotations

from webtool.lean import datafiles

_PARTS = ("dom", "styles", "visible", "code", "widgets", "names", "generated", "order")


def file(name: str) -> str:
    """Return the text of a file of this folder."""
    return datafiles.read(__name__, name).decode("utf-8").rstrip("\n")


def text_of(name: str) -> str:
    """Return the text of NAME.js."""
    return file(f"{name}.js")


WITHOUT_WAYS_OUT = text_of("without_ways_out")
WITHOUT_WAYS_OUT_OF_WORKERS = text_of("without_ways_out_of_workers")
BEFORE_PAGE = text_of("before_page")
BEFORE_LAYOUT = text_of("before_layout")
SCROLL_DOWN = f"{text_of('scroll_down')}({text_of('dom')})"
UNFINISHED = text_of("unfinished")
NOTE = text_of("note")
HOSTS = f"{text_of('hosts')}({text_of('dom')})"
SNAPSHOT = f"{text_of('snapshot')}({{{', '.join(f'{part}: {text_of(part)}' for part in _PARTS)}}})"
CLICK = f"{text_of('click')}({text_of('dom')})"
