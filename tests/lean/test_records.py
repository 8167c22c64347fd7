"""Our NamedTuple behaves as typing's does."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from webtool.lean import records


class Ours(records.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """Documented."""
    z: tuple[int, ...] = ()

    @property
    def sum(self):
        return self.x + self.y


class Theirs(typing.NamedTuple):
    x: int
    y: int = 2
    z: tuple = ()

    @property
    def sum(self):
        return self.x + self.y


CALLS = [
    ((1,), {}),
    ((1, 5), {}),
    ((1, 5, (7,)), {}),
    ((), {"x": 1}),
    ((1,), {"z": (3,)}),
    ((), {"z": (), "y": 4, "x": 3}),
]


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_the_same_tuple_comes_of_the_same_call(values, named):
    ours, theirs = Ours(*values, **named), Theirs(*values, **named)
    assert ours == theirs
    assert (ours.x, ours.y, ours.z, ours.sum) == (theirs.x, theirs.y, theirs.z, theirs.sum)
    assert ours._asdict() == theirs._asdict()
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._replace(y=9) == theirs._replace(y=9)
    assert copy.copy(ours) == pickle.loads(pickle.dumps(ours)) == ours
    assert hash(ours) == hash(theirs)


WRONG = [((), {}), ((1, 2, (), 4), {}), ((1,), {"x": 2}), ((1,), {"q": 2}), ((), {"y": 2})]


@pytest.mark.parametrize(("values", "named"), WRONG)
def test_the_same_calls_are_refused(values, named):
    for kind in (Ours, Theirs):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_fields_defaults_and_immutability():
    assert Ours._fields == Theirs._fields
    assert Ours._field_defaults == Theirs._field_defaults
    with pytest.raises(AttributeError):
        Ours(1).x = 5
    with pytest.raises(AttributeError):
        Ours(1).w = 5
    with pytest.raises(ValueError, match="no field q"):
        Ours(1)._replace(q=1)
