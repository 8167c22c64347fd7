"""Stand in for names that only annotations need. In: nothing. Out: the names; at run time they mean nothing.

They are from typing, types, sqlite3 and xml. From collections.abc come those that aliases of types are made of:
`Rule = Callable[[str], bool]`. Importing typing costs 14 ms, and annotations are never evaluated if a module says
`from __future__ import annotations`. Type checkers see the real names. records.py has NamedTuple, patterns.py has Match
and Pattern.

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
    from typing import Union as Union
    from xml.etree.ElementTree import Element

    XmlElement = Element
else:
    Any = BinaryIO = Connection = ModuleType = XmlElement = object

    class Union:
        """Give object for any subscript: Union[str, None] is object."""

        __class_getitem__ = classmethod(lambda _class, _types: object)

    Callable = Container = Iterator = Optional = Sequence = Union
