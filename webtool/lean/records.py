"""Make NamedTuples without the typing module. In: an annotated class body. Out: a tuple class with named fields.

Importing typing costs more than a whole GET does, and collections.namedtuple compiles source for every class. Type
checkers see typing.NamedTuple. A module that uses this one must say `from __future__ import annotations`.
"""

from __future__ import annotations

TYPE_CHECKING = False

try:
    from _collections import _tuplegetter  # type: ignore[import-not-found]  # what namedtuple's fields are in CPython
except ImportError:

    def _tuplegetter(index, doc):  # type: ignore[no-untyped-def]
        return property(lambda self: self[index], doc=doc)


class _RecordType(type):
    """Turns the annotations of a class body into the fields of a tuple, defaults included.

    The class gets the methods of NamedTuple and is a plain subclass of tuple, as typing makes it. Each further class
    to inherit from makes it slower to create, and a fetch creates about 45 such classes.
    """

    def __new__(cls, name, bases, namespace):  # type: ignore[no-untyped-def]
        if bases == (tuple,):
            return super().__new__(cls, name, bases, namespace)  # NamedTuple itself
        fields = tuple(namespace.get("__annotations__", ()))
        namespace["_fields"] = namespace["__match_args__"] = fields
        namespace["_field_defaults"] = {field: namespace[field] for field in fields if field in namespace}
        for index, field in enumerate(fields):
            namespace[field] = _tuplegetter(index, None)
        namespace["__slots__"] = ()
        return type(name, (tuple,), {**_methods, **namespace})  # type: ignore[name-defined]


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(tuple, metaclass=_RecordType):  # type: ignore[type-arg]
        """Base class: `class Point(NamedTuple)` with annotated fields, which may have defaults."""

        def __new__(cls, *values, **named):  # type: ignore[no-untyped-def]
            """The values in the order of the fields, the rest by name or by default. Raises TypeError."""
            if not named and len(values) == len(cls._fields):
                return tuple.__new__(cls, values)
            return tuple.__new__(cls, _completed(cls, values, named))  # type: ignore[no-untyped-call]

        def _replace(self, **changes):  # type: ignore[no-untyped-def]
            pop = changes.pop
            made = tuple.__new__(type(self), [pop(field, value) for field, value in zip(self._fields, self)])
            if changes:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return made

        def _asdict(self):  # type: ignore[no-untyped-def]
            return dict(zip(self._fields, self))

        def __repr__(self):  # type: ignore[no-untyped-def]
            pairs = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self))
            return f"{type(self).__name__}({pairs})"

        def __getnewargs__(self):  # type: ignore[no-untyped-def]
            return tuple(self)

    _methods = {
        name: vars(NamedTuple)[name] for name in ("__new__", "_replace", "_asdict", "__repr__", "__getnewargs__")
    }


def _completed(cls, values, named):  # type: ignore[no-untyped-def]
    fields, defaults = cls._fields, cls._field_defaults
    if len(values) > len(fields):
        raise TypeError(f"{cls.__name__} takes {len(fields)} values, not {len(values)}")
    complete = list(values)
    for field in fields[len(values) :]:
        if field in named:
            complete.append(named.pop(field))
        elif field in defaults:
            complete.append(defaults[field])
        else:
            raise TypeError(f"{cls.__name__} needs {field}")
    if named:
        raise TypeError(f"{cls.__name__} does not take {', '.join(named)}")
    return complete
