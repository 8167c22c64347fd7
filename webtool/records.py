"""NamedTuple without the typing module. In: an annotated class body. Out: a named tuple class.

Importing typing costs more than a whole GET does, so everything on the path of one fetch uses this instead:

    TYPE_CHECKING = False
    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from webtool.records import NamedTuple

Type checkers see the real thing. The module that uses it must say `from __future__ import annotations`.
"""

from __future__ import annotations

from collections import namedtuple


class _RecordType(type):
    """Turns the annotations of a class body into the fields of a named tuple, defaults included."""

    def __new__(cls, name, bases, namespace):  # type: ignore[no-untyped-def]
        if not bases:
            return super().__new__(cls, name, bases, namespace)
        fields = list(namespace.get("__annotations__", ()))
        defaults = [namespace.pop(field) for field in fields if field in namespace]
        base = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])  # type: ignore[misc]
        namespace["__slots__"] = ()
        return type(name, (base,), namespace)


class NamedTuple(metaclass=_RecordType):
    """Base class; see the module's first lines for how to import it."""
