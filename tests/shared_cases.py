"""Read cases from ../shared/cases, beside the checkout. Tests that read them are skipped where they are missing."""

import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "shared" / "cases"


def rows(file, member, keep=lambda row: True):
    """Return the rows of a list in a file of cases as pytest parameters; one skipped parameter without a file."""
    path = FOLDER / file
    if not path.exists():
        return [pytest.param(None, id="absent", marks=pytest.mark.skip(reason=f"../shared/cases/{file} is not there"))]
    found = json.loads(path.read_text(encoding="utf-8"))[member]
    return [pytest.param(row, id=str(row.get("id", number))) for number, row in enumerate(found) if keep(row)]
