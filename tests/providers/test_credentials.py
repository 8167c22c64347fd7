"""Where keys are found, in which order, and the messages about missing or broken ones."""

import json
import os
import time

import pytest

from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.providers import credentials
from webtool.providers.table import PROVIDERS
from webtool.settings import Settings, credentials_folder

BOTH = {"GOOGLE_SEARCH_API_KEY": "gk", "GOOGLE_SEARCH_ENGINE_ID": "ge"}


@pytest.fixture
def context(tmp_path):
    """Makes a context whose ikigai folder is tmp_path, with a list of its warnings."""

    def make(environ=None, files=None, place="IKIGAI_CONFIG_DIR"):
        folder = tmp_path if place == "IKIGAI_CONFIG_DIR" else tmp_path / "ikigai"
        folder.mkdir(exist_ok=True)
        for name, content in (files or {}).items():
            path = folder / name
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
            path.chmod(0o600)
        warnings = []
        ctx = Context(Settings(), environ={place: str(tmp_path), **(environ or {})}, warn=warnings.append)
        ctx.warnings = warnings
        return ctx

    return make


NESTED = {"web_search": {"brave": {"api_key": "nested"}, "google": {"api_key": "gk", "engine_id": "ge"}}}
FLAT = {"BRAVE_API_KEY": "flat", "GOOGLE_SEARCH_API_KEY": "gk", "GOOGLE_SEARCH_ENGINE_ID": "ge"}

# (environment, files, key found)
PLACES = [
    ({"BRAVE_API_KEY": "env"}, {"credentials.json": NESTED, "brave-api-key": b"line"}, "env"),
    ({}, {"credentials.json": {**NESTED, **FLAT}, "brave-api-key": b"line"}, "nested"),
    ({}, {"credentials.json": FLAT, "brave-api-key": b"line"}, "flat"),
    ({}, {"brave-api-key": b"line\n"}, "line"),
    ({}, {"brave-api-key": b"\xef\xbb\xbf  line  \r\nsecond\n"}, "line"),
    ({}, {"credentials.json": b"\xef\xbb\xbf" + json.dumps(FLAT).encode()}, "flat"),
    ({"BRAVE_API_KEY": ""}, {"brave-api-key": b"line"}, "line"),
    ({"BRAVE_API_KEY": "  "}, {"brave-api-key": b"line"}, "line"),
    ({"BRAVE_API_KEY": " env\n"}, {}, "env"),
    ({}, {"credentials.json": {"web_search": {"brave": {"api_key": ""}}, "BRAVE_API_KEY": "flat"}}, "flat"),
    ({}, {"credentials.json": {"web_search": {"brave": {"api_key": None}}}, "brave-api-key": b"line"}, "line"),
    ({"MCP_WEB_BRAVE_API_KEY": "alias"}, {"brave-api-key": b"line"}, "alias"),
    ({"MCP_WEB_BRAVE_API_KEY": "alias", "BRAVE_API_KEY": "env"}, {}, "env"),
    ({}, {"credentials.json": {"web_search": None, "other": [1]}, "brave-api-key": b"line"}, "line"),
    ({}, {"credentials.json": b"", "brave-api-key": b"line"}, "line"),
]


@pytest.mark.parametrize(("environ", "files", "key"), PLACES)
def test_the_first_place_with_a_value_wins(context, environ, files, key):
    ctx = context(environ, files)
    assert credentials.require(ctx, PROVIDERS["brave"]) == {"BRAVE_API_KEY": key}
    assert credentials.is_set_up(ctx, PROVIDERS["brave"]) is True
    assert ctx.warnings == []


def test_the_two_secrets_of_google_may_come_from_different_places(context):
    ctx = context({"GOOGLE_SEARCH_API_KEY": "gk"}, {"google-engine-id": b"ge"})
    assert credentials.require(ctx, PROVIDERS["google"]) == BOTH
    assert credentials.require(context({}, {"credentials.json": NESTED}), PROVIDERS["google"]) == BOTH
    assert (
        credentials.require(context({}, {"google-api-key": b"gk", "google-engine-id": b"ge"}), PROVIDERS["google"])
        == BOTH
    )


FOLDERS = [
    ({"IKIGAI_CONFIG_DIR": "/i", "XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "/i"),
    ({"XDG_CONFIG_HOME": "/x", "HOME": "/h"}, "/x/ikigai"),
    ({"IKIGAI_CONFIG_DIR": "", "XDG_CONFIG_HOME": "", "HOME": "/h"}, "/h/.config/ikigai"),
    ({"USERPROFILE": "/u"}, "/u/.config/ikigai"),
    ({}, ""),
]


@pytest.mark.parametrize(("environ", "folder"), FOLDERS)
def test_the_folder_of_credentials_follows_the_environment(environ, folder):
    assert credentials_folder(environ).replace(os.sep, "/") == folder


def test_xdg_config_home_is_read(context):
    assert credentials.require(context({}, {"brave-api-key": b"line"}, "XDG_CONFIG_HOME"), PROVIDERS["brave"])


def test_without_a_home_the_environment_still_works():
    ctx = Context(Settings(), environ={"BRAVE_API_KEY": "env"})
    assert credentials.require(ctx, PROVIDERS["brave"]) == {"BRAVE_API_KEY": "env"}
    with pytest.raises(WebtoolError) as caught:
        credentials.require(Context(Settings(), environ={}), PROVIDERS["brave"])
    assert caught.value.code == "AUTH_MISSING"
    assert caught.value.event["data"]["config_paths"] == []


# The texts that agent hosts know.
MISSING = [
    (
        "brave",
        "Authentication required: BRAVE_API_KEY not found. Set environment variable or create"
        " ~/.config/ikigai/brave-api-key file. Get API key from https://brave.com/search/api/",
    ),
    (
        "google",
        "Authentication required: GOOGLE_SEARCH_API_KEY or GOOGLE_SEARCH_ENGINE_ID not found. Set environment variables"
        " or create ~/.config/ikigai/google-api-key and ~/.config/ikigai/google-engine-id files. Get credentials from"
        " https://developers.google.com/custom-search",
    ),
]


@pytest.mark.parametrize(("provider", "text"), MISSING)
def test_missing_keys_are_reported_in_the_words_that_hosts_know(context, provider, text):
    ctx = context()
    assert credentials.is_set_up(ctx, PROVIDERS[provider]) is False
    with pytest.raises(WebtoolError) as caught:
        credentials.require(ctx, PROVIDERS[provider])
    assert (caught.value.code, caught.value.exit_status, caught.value.message) == ("AUTH_MISSING", 5, text)


@pytest.mark.parametrize("given_one", BOTH)
def test_one_missing_secret_of_google_is_named(context, given_one):
    ctx = context({given_one: "x"})
    with pytest.raises(WebtoolError) as caught:
        credentials.require(ctx, PROVIDERS["google"])
    (other,) = set(BOTH) - {given_one}
    assert caught.value.event["data"]["missing"] == [other]
    assert other in caught.value.hint
    assert given_one not in caught.value.hint


def test_the_event_says_what_the_user_has_to_do(context, tmp_path):
    with pytest.raises(WebtoolError) as caught:
        credentials.require(context(), PROVIDERS["google"])
    event = caught.value.event
    assert event["kind"] == "config_required"
    assert event["content"].startswith("⚠ Configuration Required\n\n")
    assert event["data"] == {
        "tool": "web_search_google",
        "credentials": ["api_key", "engine_id"],
        "variables": ["GOOGLE_SEARCH_API_KEY", "GOOGLE_SEARCH_ENGINE_ID"],
        "missing": ["GOOGLE_SEARCH_API_KEY", "GOOGLE_SEARCH_ENGINE_ID"],
        "signup_url": "https://developers.google.com/custom-search",
        "config_paths": [str(tmp_path / name) for name in ("credentials.json", "google-api-key", "google-engine-id")],
    }
    assert '{"web_search": {"google": {"api_key": "...", "engine_id": "..."}}}' in event["content"]
    assert str(tmp_path / "credentials.json") in event["content"]
    json.dumps(event)


# (content of credentials.json, line, part of the message)
BROKEN = [
    (b'{\n  "BRAVE_API_KEY": "S3CRET"\n  "x": 1}', 3, "Expecting ',' delimiter"),
    (b'{"a": 1}\n{"S3CRET": 2}', 2, "Extra data"),
    (b"S3CRET", 1, "Expecting value"),
    (b'{"a":\n\n"\xff S3CRET"}', 3, "not UTF-8"),
    (b'["S3CRET"]', 1, "not a JSON object"),
    (b"[" * 60000, 1, ""),
    (b'{"web_search": "S3CRET"}', 1, "web_search is not an object"),
    (b'{\n"web_search": {\n"google": {"api_key": 1},\n"brave": "S3CRET"}}', 4, "web_search.brave is not an object"),
    (b'{"web_search": {\n"google": {"api_key": 1},\n"brave": {\n"api_key": 5}}}', 4, "api_key is not a string"),
    (b'{"a": 1,\n"BRAVE_API_KEY": ["S3CRET"]}', 2, "BRAVE_API_KEY is not a string"),
]


@pytest.mark.parametrize(("content", "line", "what"), BROKEN)
def test_a_broken_file_is_named_with_its_line(context, tmp_path, content, line, what):
    ctx = context({}, {"credentials.json": content, "brave-api-key": b"line"})
    with pytest.raises(WebtoolError) as caught:
        credentials.require(ctx, PROVIDERS["brave"])
    error = caught.value
    assert error.code == "INVALID_ARGUMENT"
    assert error.message.startswith(f"{tmp_path / 'credentials.json'}, line {line}: ")
    assert what in error.message
    assert "S3CRET" not in json.dumps(error.to_dict())
    assert error.__cause__ is None


@pytest.mark.parametrize("value", [5, True, ["S3CRET"], {"a": "S3CRET"}])
@pytest.mark.parametrize("is_flat", [True, False])
def test_a_key_that_is_not_a_string_is_named(context, value, is_flat):
    members = {"BRAVE_API_KEY": value} if is_flat else {"web_search": {"brave": {"api_key": value}}}
    with pytest.raises(
        WebtoolError, match=r"line 1: (BRAVE_API_KEY|web_search\.brave\.api_key) is not a string"
    ) as caught:
        credentials.require(context({}, {"credentials.json": members}), PROVIDERS["brave"])
    assert caught.value.code == "INVALID_ARGUMENT"
    assert "S3CRET" not in caught.value.message


def test_a_file_too_large_for_keys_is_named(context):
    ctx = context({}, {"credentials.json": {"a": "x" * 70000, "BRAVE_API_KEY": "S3CRET"}})
    with pytest.raises(WebtoolError, match=r"credentials\.json is larger than 65536 bytes"):
        credentials.require(ctx, PROVIDERS["brave"])


def test_a_broken_file_does_not_matter_if_the_environment_has_the_key(context):
    ctx = context({"BRAVE_API_KEY": "env"}, {"credentials.json": b"{"})
    assert credentials.require(ctx, PROVIDERS["brave"]) == {"BRAVE_API_KEY": "env"}


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
@pytest.mark.parametrize(("mode", "is_warned"), [(0o600, False), (0o640, True), (0o604, True), (0o622, False)])
def test_a_file_that_others_can_read_is_used_with_a_warning(context, tmp_path, mode, is_warned):
    ctx = context({}, {"brave-api-key": b"S3CRET"})
    (tmp_path / "brave-api-key").chmod(mode)
    assert credentials.require(ctx, PROVIDERS["brave"]) == {"BRAVE_API_KEY": "S3CRET"}
    assert bool(ctx.warnings) is is_warned
    assert all("chmod 600" in warning and "S3CRET" not in warning for warning in ctx.warnings)


def test_a_folder_instead_of_a_file_is_skipped_with_a_warning(context, tmp_path):
    ctx = context({}, {"brave-api-key": b"line"})
    (tmp_path / "credentials.json").mkdir()
    assert credentials.require(ctx, PROVIDERS["brave"]) == {"BRAVE_API_KEY": "line"}
    assert "not a regular file" in ctx.warnings[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")
def test_a_pipe_without_a_writer_does_not_hang(context, tmp_path):
    ctx = context({}, {})
    os.mkfifo(tmp_path / "brave-api-key")
    begun = time.monotonic()
    assert credentials.is_set_up(ctx, PROVIDERS["brave"]) is False
    assert time.monotonic() - begun < 30
    assert "not a regular file" in ctx.warnings[0]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_causes_a_warning(context, tmp_path):
    ctx = context({}, {"brave-api-key": b"line"})
    (tmp_path / "brave-api-key").chmod(0)
    assert credentials.is_set_up(ctx, PROVIDERS["brave"]) is False
    assert "cannot be read" in ctx.warnings[0]


@pytest.mark.parametrize("key", ["two words", "line\r\nX-Evil: 1", "tab\tin", "clé", "nul\0"])
def test_a_value_that_no_header_can_carry_is_refused_without_showing_it(context, key):
    with pytest.raises(WebtoolError) as caught:
        credentials.require(context({}, {"credentials.json": {"BRAVE_API_KEY": key}}), PROVIDERS["brave"])
    assert caught.value.code == "AUTH_INVALID"
    assert key not in json.dumps(caught.value.to_dict(), ensure_ascii=False)


def test_a_file_that_fails_without_an_error_number_is_reported_with_its_text(context, monkeypatch):
    ctx = context(files={"brave-api-key": b"key"})

    def fail(path, *_):
        raise OSError("the share is gone")

    monkeypatch.setattr(credentials.os, "stat", fail)
    with pytest.raises(WebtoolError):
        credentials.account_of(ctx, "brave")
    assert ctx.warnings
    assert all(warning.endswith("cannot be read: the share is gone") for warning in ctx.warnings)
