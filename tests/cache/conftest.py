"""Fixtures: a cache in its own folder, and its warnings."""

import pytest

from webtool.cache.store import open_cache
from webtool.settings import Settings


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "folder" / "cache.sqlite3")


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def cache(path, warnings):
    opened = open_cache(path, Settings(), warnings.append)
    yield opened
    opened.close()
