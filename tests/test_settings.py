"""Settings from the environment, the configuration file and aliases."""

import json
import os

import pytest

from webtool import settings
from webtool.errors import InvalidArgument

# (variable, text, field, value)
READ = [
    (
        "WEBTOOL_ALLOW_PRIVATE_HOSTS",
        "127.0.0.1, localhost,10.0.0.0/8",
        "allow_private_hosts",
        ("127.0.0.1", "localhost", "10.0.0.0/8"),
    ),
    ("WEBTOOL_DEADLINE", "2.5", "deadline", 2.5),
    ("WEBTOOL_MAX_BYTES", "1000", "max_bytes", 1000),
    ("WEBTOOL_RESPECT_ROBOTS", "0", "respect_robots", False),
    ("WEBTOOL_RESPECT_ROBOTS", "Yes", "respect_robots", True),
    ("WEBTOOL_CACHE", "off", "cache", False),
    ("WEBTOOL_RENDER", "1", "render", "on"),
    ("WEBTOOL_RENDER", "auto", "render", "auto"),
    ("WEBTOOL_MAX_OUTPUT_BYTES", "0", "max_output_bytes", 0),
    ("WEBTOOL_USER_AGENT", "x/1", "user_agent", "x/1"),
    ("WEBTOOL_MAX_BYTES", "", "max_bytes", 5242880),
    ("MCP_WEB_DB_PATH", "/tmp/x.sqlite", "cache_path", "/tmp/x.sqlite"),
    ("MCP_WEB_TIMEOUT_MS", "1500", "deadline", 1.5),
    ("MCP_WEB_RENDER_ENABLED", "true", "render", "on"),
    ("MCP_WEB_DENYLIST_DOMAINS", "a.example,b.example", "deny_domains", ("a.example", "b.example")),
]


@pytest.mark.parametrize(("variable", "text", "field", "value"), READ)
def test_variable_is_read(variable, text, field, value):
    assert getattr(settings.from_environ({variable: text}), field) == value


REFUSED = [
    ("WEBTOOL_DEADLINE", "soon"),
    ("WEBTOOL_DEADLINE", "0"),
    ("WEBTOOL_DEADLINE", "nan"),
    ("WEBTOOL_DEADLINE", "inf"),
    ("WEBTOOL_MAX_BYTES", "-1"),
    ("WEBTOOL_MAX_BYTES", "5.5"),
    ("WEBTOOL_CACHE", "perhaps"),
    ("WEBTOOL_RENDER", "sometimes"),
    ("WEBTOOL_SEARCH_PROVIDER", "altavista"),
    ("WEBTOOL_DEADLINE", "1e15"),
    ("WEBTOOL_RENDER_DEADLINE", "1e9"),
    ("WEBTOOL_SEARCH_INTERVAL", "1e9"),
    ("WEBTOOL_USER_AGENT", "x/1\r\nCookie: a=b"),
    ("WEBTOOL_CONTACT", "me\x00"),
    ("WEBTOOL_CONTACT", "jürgen@example.com"),
    ("WEBTOOL_USER_AGENT", "\u65e5\u672c/1"),
    ("MCP_WEB_TIMEOUT_MS", "0"),
    ("MCP_WEB_TIMEOUT_MS", "-5"),
    ("MCP_WEB_TIMEOUT_MS", "nan"),
]


@pytest.mark.parametrize(("variable", "text"), REFUSED)
def test_an_unusable_value_is_refused_with_the_name_of_its_variable(variable, text):
    with pytest.raises(InvalidArgument, match=variable):
        settings.from_environ({variable: text})


def test_environment_wins_over_file_and_file_over_default(tmp_path):
    folder = tmp_path / "webtool"
    folder.mkdir()
    members = {"max_bytes": 7, "deadline": 3, "allow_domains": ["a.example"], "cache": False, "unknown": 1}
    (folder / "config.json").write_text(json.dumps(members), encoding="utf-8")
    current = settings.from_environ({"XDG_CONFIG_HOME": str(tmp_path), "WEBTOOL_DEADLINE": "9"})
    assert (current.max_bytes, current.deadline, current.allow_domains, current.cache) == (
        7,
        9.0,
        ("a.example",),
        False,
    )
    assert current.max_redirects == 5


def test_the_name_of_webtool_wins_over_the_alias():
    current = settings.from_environ({"MCP_WEB_MAX_BYTES": "5", "WEBTOOL_MAX_BYTES": "6"})
    assert current.max_bytes == 6


BROKEN = [
    "{",
    "",
    "[]",
    '{"max_bytes": [1]}',
    '{"max_bytes": "many"}',
    '{"cache_path": true}',
    '{"allow_domains": false}',
    '{"deadline": true}',
    "\xff",
    "[" * 100000,
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_named(tmp_path, text):
    folder = tmp_path / "webtool"
    folder.mkdir()
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidArgument, match=r"config\.json"):
        settings.from_environ({"XDG_CONFIG_HOME": str(tmp_path)})


def test_without_a_home_there_is_no_cache_path():
    assert settings.cache_path(settings.Settings(), {}) == ""
    assert settings.cache_path(settings.Settings(), {"HOME": "/h"}).endswith("cache.sqlite3")
    assert settings.cache_path(settings.Settings(cache_path="/x"), {"HOME": "/h"}) == "/x"


@pytest.mark.parametrize("folder", [".", "cch", "./cch", "../cch", "~/cch"])
def test_relative_folders_of_the_environment_are_ignored(folder):
    environ = {"XDG_CACHE_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": os.path.abspath(os.sep)}
    paths = settings.cache_path(settings.Settings(), environ), settings.config_path(environ)
    for path in (*paths, settings.credentials_folder(environ)):
        assert os.path.isabs(path)
    assert settings.cache_path(settings.Settings(), {"HOME": folder}) == settings.config_path({"HOME": folder}) == ""


def test_a_very_long_value_is_cut_in_the_message():
    with pytest.raises(InvalidArgument) as caught:
        settings.from_environ({"WEBTOOL_MAX_BYTES": "9" * 100000 + "x"})
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("value", [100, 100.0, "100"])
def test_a_whole_number_in_the_file_is_read_in_any_form(tmp_path, value):
    (tmp_path / "webtool").mkdir()
    (tmp_path / "webtool" / "config.json").write_text(json.dumps({"max_bytes": value}), encoding="utf-8")
    assert settings.from_environ({"XDG_CONFIG_HOME": str(tmp_path)}).max_bytes == 100


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_instead_of_the_file_is_not_read(tmp_path):
    (tmp_path / "webtool").mkdir()
    os.mkfifo(tmp_path / "webtool" / "config.json")
    assert settings.from_environ({"XDG_CONFIG_HOME": str(tmp_path)}) == settings.Settings()


def test_a_relative_home_gives_way_to_the_profile_of_windows(tmp_path):
    assert settings.home_folder({"HOME": "relative", "USERPROFILE": str(tmp_path)}) == str(tmp_path)


FOLDERS = [
    ("linux", {"HOME": "H", "LOCALAPPDATA": "L"}, "", "H/.cache"),
    ("win32", {"USERPROFILE": "H", "LOCALAPPDATA": "L"}, "", "L"),
    ("win32", {"USERPROFILE": "H"}, "", "H/.cache"),
    ("win32", {"USERPROFILE": "H", "LOCALAPPDATA": "L"}, "H/.cache/webtool", "H/.cache"),
    ("darwin", {"HOME": "H"}, "", "H/.cache"),
    ("darwin", {"HOME": "H"}, "H/Library/Caches/webtool", "H/Library/Caches"),
    ("darwin", {}, "", ""),
]


@pytest.mark.parametrize(("system", "environ", "existing", "expected"), FOLDERS)
def test_folders_follow_the_conventions_of_the_system(system, environ, existing, expected, tmp_path):
    home = {name: str(tmp_path / ("home" if value == "H" else "local")) for name, value in environ.items()}
    if existing:
        (tmp_path / "home" / existing[2:]).mkdir(parents=True)
    places = {"H": str(tmp_path / "home"), "L": str(tmp_path / "local"), "": ""}
    expected = places[expected[:1]] + expected[1:]
    assert settings._base(home, ".cache", "LOCALAPPDATA", "Caches", system) == expected
