"""Imports by several threads at once. In: the name of a module. Out: the module, whole.

A package of ours imports its modules, and they import each other, while Python locks each module by itself: two threads
that begin at different ends wait for each other, and Python ends that by raising _DeadlockError in one (1 start in 25
with two threads) or, until 3.9 and from an archive, by handing out a module half made. So from the first use by a
library's user, a server or a batch on, our modules are imported under one lock, taken before Python's own. A start
without threads does not come here and pays nothing; an import statement pays 0.2 microseconds afterwards.
"""

from __future__ import annotations

import builtins
import sys
from _thread import RLock

from webtool.lean.typing import Any, Callable, ModuleType

# Somebody who holds Python's lock of a module of ours (importlib.import_module does) and waits for this one, while its
# holder wants that module, would wait for ever.
_PATIENCE = 10.0

_lock = RLock()


def load(name: str) -> ModuleType:
    """The module of this name; unlike importlib.import_module by way of the import statement, so under the lock."""
    __import__(name)
    return sys.modules[name]


def resolve(target: str) -> Callable[..., object]:
    """Import and return the function named "module:function"."""
    module, _, name = target.partition(":")
    function: Callable[..., object] = getattr(load(module), name)
    return function


def make_whole() -> None:
    """Let only one thread at a time import modules of ours; call it before threads do."""
    if getattr(builtins.__import__, "is_whole", False):
        return
    plain = builtins.__import__

    def whole(name: str, *arguments: Any, **named: Any) -> Any:
        if not name.startswith("webtool"):
            return plain(name, *arguments, **named)
        is_ours = _lock.acquire(timeout=_PATIENCE)
        try:
            return plain(name, *arguments, **named)
        finally:
            if is_ours:
                _lock.release()

    whole.is_whole = True  # type: ignore[attr-defined]
    builtins.__import__ = whole
