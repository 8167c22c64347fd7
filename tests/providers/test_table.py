"""A provider is one record: a made-up one is known everywhere."""

import json
import os
import sys
import types

import pytest
from servers import Server

import webtool
from webtool import settings
from webtool.cli.commands import completion, doctor
from webtool.context import Context
from webtool.errors import AuthInvalid
from webtool.net.messages import Request
from webtool.providers import chain, payload
from webtool.providers.results import Page, checked
from webtool.providers.table import PROVIDERS, Credential, Provider
from webtool.setup import mcp_hosts
from webtool.tools import web_search

KEY = "key0of1altavista"
RECORD = Provider(
    name="altavista",
    title="AltaVista",
    module="altavista",
    settings=("vertex_url",),  # borrowed: settings are the fields of one class
    credentials=(Credential("ALTAVISTA_KEY", ("web_search", "altavista", "api_key"), "altavista-key"),),
    signup_url="https://altavista.example/keys",
    about="Made up by a test.",
)


def make_module():
    """The smallest module that a provider can have."""
    module = types.ModuleType("webtool.providers.altavista")
    module.NAME = "AltaVista"
    module.OPTIONS = frozenset()
    module.MAX_COUNT = 10
    module.first = lambda query: 0
    module.request = lambda query, account, position: Request(
        payload.with_query(account.endpoint, [("q", query.text)]), headers=(("X-Key", account.key),)
    )

    def results(response, query, position, now):
        if response.status == 401:
            raise AuthInvalid("AltaVista refused the key", status_code=401)
        rows = payload.decode(response, "AltaVista")["rows"]
        return Page([checked(row, "A page", "Found.") for row in rows])

    module.results = results
    return module


def answer(handler):
    if handler.headers["X-Key"] != KEY:
        return 401, {}, b""
    return 200, {"Content-Type": "application/json"}, json.dumps({"rows": ["https://found.example/"]}).encode()


@pytest.fixture
def made_up(monkeypatch):
    """Add the provider: a record and a module. Its server is on loopback and accepts KEY."""
    monkeypatch.setitem(PROVIDERS, "altavista", RECORD)
    monkeypatch.setitem(sys.modules, "webtool.providers.altavista", make_module())
    with Server({"*": answer}) as server:
        monkeypatch.setenv("WEBTOOL_VERTEX_URL", server.url)
        monkeypatch.setenv("WEBTOOL_SEARCH_INTERVAL", "0")
        monkeypatch.setenv("ALTAVISTA_KEY", KEY)
        yield


@pytest.fixture
def only(made_up, monkeypatch):
    """Let `auto` ask nobody else."""
    monkeypatch.setenv("WEBTOOL_SEARCH_PROVIDERS", "altavista")


def current():
    return settings.from_environ(os.environ)


def test_a_search_can_name_it(made_up):
    found = webtool.search("tides", provider="altavista")
    assert (found["provider"], found["results"][0]["url"]) == ("altavista", "https://found.example/")


def test_auto_asks_it_last_once_its_key_is_there(made_up, monkeypatch):
    assert chain.providers(Context(settings.Settings()))[-1] == "altavista"
    monkeypatch.delenv("ALTAVISTA_KEY")
    assert "altavista" not in chain.providers(Context(settings.Settings()))


def test_the_search_tool_asks_it_and_remembers_its_answer(only, tmp_path):
    ctx = Context(current()._replace(cache_path=str(tmp_path / "cache.sqlite3")))
    found = [web_search.run(ctx, query="tides").data for _ in range(2)]
    ctx.close()
    assert [(one["source"], one["debug"]["cache_hit"]) for one in found] == [("altavista", False), ("altavista", True)]


def test_the_settings_accept_its_name(made_up, monkeypatch):
    monkeypatch.setenv("WEBTOOL_SEARCH_PROVIDER", "altavista")
    assert current().search_provider == "altavista"
    assert "altavista" in settings.choices_of("search_providers")


def test_doctor_looks_for_its_key(made_up, monkeypatch):
    assert "altavista found" in doctor.CHECKS["keys"]()[1]
    monkeypatch.delenv("ALTAVISTA_KEY")
    state, text = doctor.CHECKS["keys"]()
    assert (state, "altavista missing" in text) == ("note", True)


@pytest.mark.parametrize(
    ("key", "state", "text"),
    [(KEY, "ok", "answered with 1 result"), ("wrong", "bad", "AUTH_INVALID"), ("", "bad", "AUTH_MISSING")],
)
def test_doctor_online_asks_it_with_any_key(only, monkeypatch, key, state, text):
    monkeypatch.setenv("ALTAVISTA_KEY", key)
    found = doctor._online(current())
    assert found["altavista"][0] == state
    assert text in found["altavista"][1]
    assert {"dns", "connection"} <= set(found)


def test_mcp_hosts_are_handed_its_key(made_up):
    assert "ALTAVISTA_KEY" in mcp_hosts.provider_variables()


def test_completion_offers_its_name(made_up):
    assert "altavista" in completion.values_of("")["--search-provider"]


def test_every_record_is_whole():
    for name, provider in PROVIDERS.items():
        assert provider.name == name
        assert set(provider.settings) <= set(settings.Settings._fields)
        assert provider.about
        assert bool(provider.signup_url) == bool(provider.credentials)
        assert len({credential.path[:-1] for credential in provider.credentials}) <= 1
