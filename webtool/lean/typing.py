"""Names that only annotations need, of typing, types, sqlite3 and xml, and those of collections.abc of which names for
types are made. In: nothing. Out: the names; at run time they mean nothing.

Importing typing costs 14 ms, and annotations are never evaluated where a module says `from __future__ import
annotations`. Type checkers see the real thing. records has NamedTuple, patterns has re's Match and Pattern.

Tests: tests/test_layers.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable as Callable
    from collections.abc import Container as Container
    from collections.abc import Iterator as Iterator
    from collections.abc import Sequence as Sequence
    from sqlite3 import Connection as Connection
    from types import ModuleType as ModuleType
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import Optional as Optional
    from typing import Protocol as Protocol
    from typing import Union as Union
    from xml.etree.ElementTree import Element

    XmlElement = Element
else:
    Any = BinaryIO = Connection = ModuleType = Protocol = XmlElement = object

    class Union:
        """Any subscript of it is object."""

        __class_getitem__ = classmethod(lambda _class, _types: object)

    Callable = Container = Iterator = Optional = Sequence = Union
