"""Optional content: which layers of a file show. In: a PdfFile. Out: whether a group of it, or several, are off.

States that depend on the zoom or on printing are left out.
Specification: ISO 32000-1 section 8.11.
"""

from __future__ import annotations

from webtool.documents.pdf.objects import Ref
from webtool.documents.pdf.objects.file import PdfFile
from webtool.lean.typing import Any

_MAX_DEPTH = 3  # of expressions in each other, each of at most so many terms
_MAX_TERMS = 12


class Layers:
    """The layers of one file as its default configuration shows them (section 8.11.4.3)."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._known: dict[int, bool] = {}
        properties = file.dict_of(file.root.get("OCProperties"))
        defaults = file.dict_of(properties.get("D"))
        self._off = self._numbers(defaults.get("OFF"))
        if file.resolve(defaults.get("BaseState")) == "OFF":
            self._off |= self._numbers(properties.get("OCGs")) - self._numbers(defaults.get("ON"))

    def hide(self, value: Any) -> bool:
        """Whether what belongs to a group or to a membership dictionary (section 8.11.2.2) is not shown."""
        if type(value) is not Ref or not self._off:
            return False
        if value.number not in self._known:
            self._known[value.number] = value.number in self._off or self._is_hidden(self._file.dict_of(value))
        return self._known[value.number]

    def _is_hidden(self, attrs: dict[str, Any]) -> bool:
        if attrs.get("Type") != "OCMD":
            return False
        expression = self._file.list_of(attrs.get("VE"))
        if expression:
            return not self._is_true(expression)
        groups = attrs.get("OCGs")
        own = {groups.number} if type(groups) is Ref and not self._file.list_of(groups) else self._numbers(groups)
        off = len(own & self._off)
        hidden_by = {"AllOn": off > 0, "AnyOff": off == 0, "AllOff": off < len(own)}
        return bool(own) and hidden_by.get(str(attrs.get("P")), off == len(own))

    def _is_true(self, value: Any, depth: int = 0) -> bool:
        """Whether a visibility expression (section 8.11.2.2), or a group in one, shows what belongs to it."""
        items = self._file.list_of(value)
        if not items or depth > _MAX_DEPTH:
            return not (type(value) is Ref and value.number in self._off)
        terms = (self._is_true(item, depth + 1) for item in items[1:_MAX_TERMS])
        operator = str(self._file.resolve(items[0]))
        return any(terms) if operator == "Or" else not any(terms) if operator == "Not" else all(terms)

    def _numbers(self, groups: Any) -> set[int]:
        return {group.number for group in self._file.list_of(groups) if type(group) is Ref}
