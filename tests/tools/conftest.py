"""A context of its own for each test: loopback allowed, a new cache file, nothing of the user's."""

import os

import pytest

from webtool.context import Context
from webtool.settings import Settings


@pytest.fixture
def make_context(tmp_path):
    """Contexts that share one cache file; keyword arguments are settings."""
    made = []

    def make(environ=None, now=None, **settings):
        settings.setdefault("cache_path", str(tmp_path / "cache.sqlite3"))
        current = Settings(allow_private_hosts=("127.0.0.1",), search_interval=0.0)._replace(**settings)
        options = {"now": now} if now else {}
        made.append(Context(current, environ={**os.environ, **(environ or {})}, **options))
        return made[-1]

    yield make
    for ctx in made:
        ctx.close()


@pytest.fixture
def ctx(make_context):
    return make_context()
