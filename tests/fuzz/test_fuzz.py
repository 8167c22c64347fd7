"""Inputs that fuzzing found stay mended, and each target survives a short run. loop.py makes long runs."""

import os

import pytest
from fuzz import loop, targets

CASES = sorted(
    os.path.relpath(os.path.join(folder, name), loop.CASES)
    for folder, _, names in os.walk(loop.CASES)
    for name in names
)


@pytest.mark.parametrize("case", CASES)
def test_what_once_broke_stays_mended(case):
    with open(os.path.join(loop.CASES, case), "rb") as file:
        data = file.read()
    problem, _ = loop.problem_of(targets.TARGETS[case.partition(os.sep)[0]], data)
    assert not problem, problem


@pytest.mark.parametrize("name", targets.TARGETS)
def test_a_moment_of_fuzzing(name):
    _, edges, found = loop.fuzz(targets.TARGETS[name], 0.4, seed=1)
    assert not found, found[0][1]
    assert edges > 20
