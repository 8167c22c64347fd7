"""A change that is made whole or not at all. In: a connection in autocommit mode. Out: COMMIT, or ROLLBACK.

The write lock is taken at once: a transaction that reads first cannot wait for another one when it comes to write.
"""

from __future__ import annotations

from webtool.lean.typing import Connection


class Transaction:
    """with Transaction(db): ...; raises what SQLite raises."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._roll_back()  # an earlier one that could not be
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            self._roll_back()

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
