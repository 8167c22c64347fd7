"""A provider is one record: a made-up one is known everywhere, and no other code names a provider."""

import ast
import json
import os
import pathlib
import re
import sys
import types

import pytest
from servers import Server

import webtool
from webtool import settings
from webtool.cli import topics
from webtool.cli.commands import completion, doctor
from webtool.context import Context
from webtool.errors import AuthInvalid
from webtool.net.messages import Request
from webtool.providers import chain, payload
from webtool.providers.results import Engine, Page, checked
from webtool.providers.table import PROVIDERS, Credential, Provider
from webtool.setup import mcp_hosts
from webtool.tools import web_search

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "webtool"
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

    def request(query, account, position):
        url = payload.with_query(account.endpoint, [("q", query.text)])
        return Request(url, headers=(("X-Key", account.key),))

    def results(response, query, position, now):
        if response.status == 401:
            raise AuthInvalid("AltaVista refused the key", status_code=401)
        rows = payload.decode(response, "AltaVista")["rows"]
        return Page([checked(row, "A page", "Found.") for row in rows])

    module.ENGINE = Engine("AltaVista", frozenset(), 10, lambda query: 0, request, results)
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
    answer = webtool.search("tides", provider="altavista")
    assert (answer["provider"], answer["results"][0]["url"]) == ("altavista", "https://found.example/")


def test_auto_asks_it_last_once_its_key_is_there(made_up, monkeypatch):
    assert chain.providers(Context(settings.Settings()))[-1] == "altavista"
    monkeypatch.delenv("ALTAVISTA_KEY")
    assert "altavista" not in chain.providers(Context(settings.Settings()))


def test_the_search_tool_asks_it_and_remembers_its_answer(only, tmp_path):
    ctx = Context(current()._replace(cache_path=str(tmp_path / "cache.sqlite3")))
    answers = [web_search.run(ctx, query="tides").data for _ in range(2)]
    ctx.close()
    assert [(one["source"], one["debug"]["cache_hit"]) for one in answers] == [
        ("altavista", False),
        ("altavista", True),
    ]


def test_the_settings_accept_its_name(made_up, monkeypatch):
    monkeypatch.setenv("WEBTOOL_SEARCH_PROVIDER", "altavista")
    assert current().search_provider == "altavista"
    assert "altavista" in settings.choices_of("search_providers")
    assert f"{', '.join(PROVIDERS)}." in topics.text_of("settings")


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
    states = doctor._online(current())
    assert states["altavista"][0] == state
    assert text in states["altavista"][1]
    assert {"dns", "connection"} <= set(states)


def test_mcp_hosts_are_handed_its_key(made_up):
    assert "ALTAVISTA_KEY" in mcp_hosts.provider_variables()


def test_help_says_how_to_get_its_key(made_up):
    text = topics.text_of("credentials")
    for fact in ("AltaVista", "ALTAVISTA_KEY", "https://altavista.example/keys", "Made up by a test.", "altavista-key"):
        assert fact in text


def test_completion_offers_its_name(made_up):
    assert "altavista" in completion.values_of("")["--search-provider"]


def test_every_record_is_whole():
    for name, provider in PROVIDERS.items():
        assert provider.name == name
        assert set(provider.settings) <= set(settings.Settings._fields)
        assert provider.about
        assert bool(provider.signup_url) == bool(provider.credentials)
        assert len({credential.path[:-1] for credential in provider.credentials}) <= 1


# Modules that may name a provider, and why.
MAY_NAME = {
    "providers/table.py": "the table",
    "registry.py": "the tools and commands have the names that hosts know",
    "browser/launch.py": "Brave is a browser too",
    "markdown/links.py": "the addresses of redirects",
    "net/guard.py": "Google runs a cloud too",
}


def own_modules():
    """The modules of providers themselves: that of a record, and those of its other endpoints."""
    for provider in PROVIDERS.values():
        for name in (provider.name, *(setting.removesuffix("_url") for setting in provider.settings)):
            yield from (f"providers/{path.name}" for path in PACKAGE.glob(f"providers/{name}*.py"))


def names_in(tree):
    """Yield identifiers and strings, docstrings excepted, with their lines."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        for field in ("id", "attr", "arg", "name"):
            if isinstance(getattr(node, field, None), str):
                yield getattr(node, "lineno", 0), getattr(node, field)


def test_no_other_code_names_a_provider():
    pattern = re.compile(rf"(?<![a-z0-9])({'|'.join(PROVIDERS)})(?![a-z0-9.])", re.I)
    excepted = {*MAY_NAME, *own_modules()}
    places = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE).as_posix()
        if inside in excepted or inside.startswith("tools/web_search"):  # schemas have the words that hosts know
            continue
        source = path.read_text(encoding="utf-8")
        if not any(provider in source.lower() for provider in PROVIDERS):
            continue
        for line, text in names_in(ast.parse(source)):
            if pattern.search(text) and not (inside == "settings.py" and text in settings.Settings._fields):
                places.append(f"{inside}:{line}: {text[:60]}")
    assert not places, "\n".join(places)
