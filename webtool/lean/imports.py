"""Import our modules by name, and by several threads at once. In: a name. Out: the module, or a function in it.

While a module is imported, Python holds a lock of that module. Our modules import each other, so two threads that begin
at different modules wait for each other. Python ends that by raising _DeadlockError in one of them (1 start in 25 with
two threads); until 3.9, and from an archive, it hands out a module half made. make_whole() therefore puts one lock
before all imports of our modules. Whatever starts threads calls it first: the library, a server, a batch. From then on
an import statement takes 0.2 microseconds longer.
"""

from __future__ import annotations

import builtins
import sys
from _thread import RLock

from webtool.lean.typing import Any, Callable, ModuleType

_lock = RLock()
# Seconds that an import waits for the lock; then it goes on without. importlib.import_module() takes Python's lock of a
# module first and this one later: with a thread that does it in the other order, it would wait for ever.
_MAX_WAIT = 10.0


def load(name: str) -> ModuleType:
    """Return the module of this name. importlib.import_module() would import it without the lock."""
    __import__(name)
    return sys.modules[name]


def resolve(target: str) -> Callable[..., object]:
    """Import and return the function named "module:function"."""
    module, _, name = target.partition(":")
    function: Callable[..., object] = getattr(load(module), name)
    return function


def make_whole() -> None:
    """Let only one thread at a time import modules of ours. Call it before the first further thread starts."""
    if getattr(builtins.__import__, "is_whole", False):
        return
    plain = builtins.__import__

    def whole(name: str, *arguments: Any, **named: Any) -> Any:
        if not name.startswith("webtool"):
            return plain(name, *arguments, **named)
        has_lock = _lock.acquire(timeout=_MAX_WAIT)
        try:
            return plain(name, *arguments, **named)
        finally:
            if has_lock:
                _lock.release()

    whole.is_whole = True  # type: ignore[attr-defined]
    builtins.__import__ = whole
