"""Names of the typing module that annotations need. In: nothing. Out: the names; at run time they mean nothing.

Importing typing costs 14 ms, and annotations are never evaluated where a module says `from __future__ import
annotations`. Type checkers see the real thing. records has NamedTuple, patterns has re's Match and Pattern.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as Any
    from typing import BinaryIO as BinaryIO
    from typing import Protocol as Protocol
else:
    Any = BinaryIO = Protocol = object
