"""Our entry in the settings of MCP hosts: put in, taken out, nothing else touched."""

import json
import os
import pathlib
import stat
import sys
import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool.cli import commands
from webtool.errors import InvalidArgument
from webtool.setup import mcp_entries, mcp_hosts, settings_text, toml_tables

JSON_HOSTS = [name for name, host in mcp_hosts.HOSTS.items() if not host.is_toml]


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME", *mcp_hosts.provider_variables()):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def file_of(name):
    return pathlib.Path(mcp_hosts.path_of(name, os.environ, sys.platform))


def run(capfd, *words):
    assert commands.run("mcp", list(words)) == 0
    return capfd.readouterr().out


def read(name):
    text = file_of(name).read_text(encoding="utf-8")
    if not mcp_hosts.HOSTS[name].is_toml:
        return settings_text.loads(text)
    tomllib = pytest.importorskip("tomllib", reason="this Python reads no TOML")
    return tomllib.loads(text)


PLACES = [
    ("claude-code", "linux", "/h/.claude.json"),
    ("claude-desktop", "linux", "/h/.config/Claude/claude_desktop_config.json"),
    ("claude-desktop", "darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", "/h/AppData/Roaming/Claude/claude_desktop_config.json"),
    ("cursor", "linux", "/h/.cursor/mcp.json"),
    ("vscode", "linux", "/h/.config/Code/User/mcp.json"),
    ("vscode", "darwin", "/h/Library/Application Support/Code/User/mcp.json"),
    ("windsurf", "win32", "/h/.codeium/windsurf/mcp_config.json"),
    ("zed", "darwin", "/h/.config/zed/settings.json"),
    ("zed", "win32", "/h/AppData/Roaming/Zed/settings.json"),
    ("gemini", "linux", "/h/.gemini/settings.json"),
    ("codex", "linux", "/h/.codex/config.toml"),
]


@pytest.mark.parametrize(("name", "platform", "path"), PLACES)
def test_each_host_has_its_settings_file(name, platform, path):
    assert mcp_hosts.path_of(name, {"HOME": "/h"}, platform).replace(os.sep, "/") == path


def test_variables_move_the_files():
    environ = {"HOME": "/h", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d", "XDG_CONFIG_HOME": "/x"}
    paths = [mcp_hosts.path_of(name, environ, "linux") for name in ("codex", "claude-code", "zed")]
    assert [path.replace(os.sep, "/") for path in paths] == [
        "/c/config.toml",
        "/d/.claude.json",
        "/x/zed/settings.json",
    ]


@pytest.mark.parametrize("name", mcp_hosts.HOSTS)
def test_an_entry_is_added_to_no_file_and_removed_again(home, capfd, name):
    output = run(capfd, "--install", name, "--env", "BRAVE_API_KEY=k-secret")
    assert str(file_of(name)) in output
    assert "k-secret" not in output
    assert ".bak" not in output
    entry = read(name)[mcp_hosts.HOSTS[name].member]["webtool"]
    assert entry["env"]["BRAVE_API_KEY"] == "k-secret"
    assert entry["args"][-1] == "mcp"
    assert os.path.isabs(entry["command"])
    if os.name == "posix":
        assert stat.S_IMODE(file_of(name).stat().st_mode) == 0o600
    before = file_of(name).read_bytes()
    assert "already there, nothing changed" in run(capfd, "--install", name, "--env", "BRAVE_API_KEY=k-secret")
    assert file_of(name).read_bytes() == before
    assert mcp_entries.installed(os.environ, sys.platform).keys() == {name}
    run(capfd, "--uninstall", name)
    assert "webtool" not in str(read(name))
    assert "not there" in run(capfd, "--uninstall", name)


COMMENTED = """\
// my settings
{
    /* a block */
    "theme": "One, \\"Dark\\" // no comment", // the good one
    "{member}": {
        "other": {
            "command": "x", // keep
            "env": {"TOKEN": "t-secret"},
        },
    },
    "last": [1, 2, {"a": null}], // last comment
}
"""


@pytest.mark.parametrize("name", JSON_HOSTS)
def test_text_of_others_is_not_changed(home, capfd, name):
    text = COMMENTED.replace("{member}", mcp_hosts.HOSTS[name].member)
    file_of(name).parent.mkdir(parents=True, exist_ok=True)
    file_of(name).write_text(text, encoding="utf-8")
    file_of(name).chmod(0o644)
    output = run(capfd, "--install", name)
    backup = pathlib.Path(output.partition("(as it was: ")[2].partition(")")[0])
    assert backup.read_text(encoding="utf-8") == text
    new = file_of(name).read_text(encoding="utf-8")
    kept = new.splitlines()
    assert [line for line in text.splitlines() if line not in kept] == []
    assert read(name)[mcp_hosts.HOSTS[name].member].keys() == {"other", "webtool"}
    if os.name == "posix":
        assert stat.S_IMODE(file_of(name).stat().st_mode) == 0o644
    run(capfd, "--uninstall", name)
    assert read(name) == settings_text.loads(text)


TOML = """\
model = "gpt" # the good one
notice = \"\"\"
[mcp_servers.webtool]
is only text here
\"\"\"

[mcp_servers.other]
command = "x"

[mcp_servers.webtool]
command = "old"
startup_timeout_sec = 20

[mcp_servers.webtool.env]
OLD = "1"

[profiles.fast]
model = "small"
"""


def test_a_toml_table_is_replaced_in_its_place(home, capfd):
    tomllib = pytest.importorskip("tomllib", reason="this Python reads no TOML")
    path = file_of("codex")
    path.parent.mkdir()
    path.write_text(TOML, encoding="utf-8")
    run(capfd, "--install", "codex", "--env", "NEW=2")
    entries = read("codex")
    entry = entries["mcp_servers"].pop("webtool")
    assert (entry["startup_timeout_sec"], entry["env"]["OLD"], entry["env"]["NEW"]) == (20, "1", "2")
    expected = tomllib.loads(TOML)
    del expected["mcp_servers"]["webtool"]
    assert entries == expected
    assert "# the good one" in path.read_text(encoding="utf-8")
    run(capfd, "--uninstall", "codex")
    assert read("codex") == expected


# Settings before; after `command` became "/p"; after webtool was removed again.
EDITED = {
    "comments": (
        """# Mine\n[s.webtool]  # on\ncommand = "old"\n# off = true\n\n# The other\n[s.other]\ncommand = "x"\n""",
        """# Mine\n[s.webtool]  # on\ncommand = "/p"\n# off = true\n\n# The other\n[s.other]\ncommand = "x"\n""",
        """# Mine\n# off = true\n\n# The other\n[s.other]\ncommand = "x"\n""",
    ),
    "other members, on any Python": (
        '[s.webtool]\nargs = [\n  "a", # one\n]\nwait = 20\n\n# env\n[s.webtool.env]\nK = "v" # key\n\n[z]\n',
        '[s.webtool]\nargs = [\n  "a", # one\n]\nwait = 20\ncommand = "/p"\n'
        '\n# env\n[s.webtool.env]\nK = "v" # key\n\n[z]\n',
        "[z]\n",
    ),
    "a member of several lines": (
        '[s.webtool]\ncommand = """\n[a]\n"""\nurl = "u"\n\n# end\n',
        '[s.webtool]\ncommand = "/p"\n\n# end\n',
        "# end\n",
    ),
    "only a table below it": (
        '[s.webtool.env]\nK = "v"\n',
        '[s.webtool.env]\nK = "v"\n\n[s.webtool]\ncommand = "/p"\n',
        "",
    ),
    "a header of the servers": ("[s]\n", '[s]\n\n[s.webtool]\ncommand = "/p"\n', "[s]\n"),
    "brackets in a name": (
        '[s.webtool]\n[projects."/a[b].c"]\nx = 1\n',
        '[s.webtool]\ncommand = "/p"\n[projects."/a[b].c"]\nx = 1\n',
        '[projects."/a[b].c"]\nx = 1\n',
    ),
    "lines without an empty one": (
        "a = 1\n[s.webtool]\n[b]\n",
        'a = 1\n[s.webtool]\ncommand = "/p"\n[b]\n',
        "a = 1\n[b]\n",
    ),
    "no line end": ("[s.webtool]\nx = 1", '[s.webtool]\nx = 1\ncommand = "/p"\n', ""),
    "dots in a quoted name": (
        '[s."webtool.x"]\nx = 1\n[s."webtool"]\n"command.x" = 2\n"url.y" = 3\n',
        '[s."webtool.x"]\nx = 1\n[s."webtool"]\n"command.x" = 2\n"url.y" = 3\ncommand = "/p"\n',
        '[s."webtool.x"]\nx = 1\n',
    ),
    "line ends of Unicode in a string": (
        'a = "\u2028[s.webtool]"\n[s.webtool]\nb = "c\x85d"\n[z]\n',
        'a = "\u2028[s.webtool]"\n[s.webtool]\nb = "c\x85d"\ncommand = "/p"\n[z]\n',
        'a = "\u2028[s.webtool]"\n[z]\n',
    ),
    "a comment at the end": ("a = 1\n# end\n", 'a = 1\n# end\n\n[s.webtool]\ncommand = "/p"\n', "a = 1\n# end\n"),
}


@pytest.mark.parametrize("name", EDITED)
def test_members_and_comments_of_a_toml_file_stay(name):
    before, changed, left = EDITED[name]
    assert toml_tables.put_table(before, ("s", "webtool"), {"command": "/p"}, ("url",)) == changed
    assert toml_tables.remove_table(changed, ("s", "webtool")) == left


ENTRY = """{
\t"servers": {
\t\t// mine
\t\t"webtool": {
\t\t\t"env": { /* keys */ "K": "v" },
\t\t\t"command": "old", // why
\t\t\t// later
\t\t\t"disabled": true,
\t\t},
\t},
}
"""


def test_comments_in_an_entry_stay(home, capfd):
    file_of("vscode").parent.mkdir(parents=True)
    file_of("vscode").write_text(ENTRY, encoding="utf-8")
    run(capfd, "--install", "vscode", "--env", "NEW=2")
    new = file_of("vscode").read_text(encoding="utf-8")
    assert [line for line in ENTRY.splitlines() if line not in new and "old" not in line] == [
        '\t\t\t"env": { /* keys */ "K": "v" },'
    ]
    assert all(comment in new for comment in ("/* keys */", "// why", "// later", "// mine"))
    assert read("vscode")["servers"]["webtool"]["env"]["NEW"] == "2"


@pytest.mark.parametrize("name", ["vscode", "codex"])
def test_a_byte_order_mark_stays(home, capfd, name):
    text = {"vscode": '{\r\n  "a": 1\r\n}\r\n', "codex": "[a]\r\nb = 1\r\n"}[name]
    file_of(name).parent.mkdir(parents=True)
    file_of(name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    run(capfd, "--install", name)
    new = file_of(name).read_bytes()
    assert new.startswith(b"\xef\xbb\xbf")
    assert b"webtool" in new
    assert new.count(b"\n") == new.count(b"\r\n")
    assert "already there" in run(capfd, "--install", name)
    run(capfd, "--uninstall", name)
    assert b"webtool" not in file_of(name).read_bytes()


def test_the_last_toml_server_is_removed_from_a_file_with_a_header_of_the_servers(home, capfd):
    file_of("codex").parent.mkdir()
    file_of("codex").write_text("[mcp_servers]\n", encoding="utf-8")
    run(capfd, "--install", "codex")
    run(capfd, "--uninstall", "codex")
    assert file_of("codex").read_text(encoding="utf-8") == "[mcp_servers]\n"


REFUSED = [
    ("cursor", '{"mcpServers": [1]}'),
    ("cursor", '{"mcpServers": {'),
    ("cursor", "[]"),
    ("cursor", "hello"),
    ("codex", 'mcp_servers = { other = { command = "x" } }\n'),
    ("codex", "a = = 1\n"),
]


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_a_file_that_cannot_be_edited_without_loss_is_not_changed(home, name, text):
    if name == "codex":
        pytest.importorskip("tomllib", reason="this Python reads no TOML")
    file_of(name).parent.mkdir(parents=True)
    file_of(name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgument, match="cannot be edited") as caught:
        commands.run("mcp", ["--install", name])
    assert "Nothing was changed" in caught.value.hint
    assert file_of(name).read_text(encoding="utf-8") == text
    assert os.listdir(file_of(name).parent) == [file_of(name).name]


def test_a_dry_run_shows_the_change_without_keys_and_makes_none(home, capfd):
    output = run(capfd, "--install", "cursor", "--dry-run", "--env", "BRAVE_API_KEY=k-secret")
    assert "would change" in output
    assert '+      "command": ' in output
    assert "k-secret" not in output
    assert not file_of("cursor").exists()


@pytest.mark.parametrize(
    "line",
    ['"A_KEY": "s3cret" }', "token = 's3cret'", '"x": "' + "y" * 180 + '", "A_TOKEN": "s3cret', '"KEY":"a\\"s3cret"'],
)
def test_a_dry_run_shows_no_key_that_is_quoted_otherwise_or_cut_off(line):
    assert "s3cret"[:3] not in mcp_entries._difference(line + "more\n", "")


def test_keys_of_the_environment_are_copied_unless_no_env_is_given(home, capfd, monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "k-secret")
    output = run(capfd, "--install", "cursor")
    assert "with BRAVE_API_KEY" in output
    assert read("cursor")["mcpServers"]["webtool"]["env"]["BRAVE_API_KEY"] == "k-secret"
    run(capfd, "--install", "gemini", "--no-env")
    assert "k-secret" not in file_of("gemini").read_text(encoding="utf-8")


def test_settings_that_are_not_copied_are_named(home, capfd, monkeypatch):
    monkeypatch.setenv("WEBTOOL_DEADLINE", "7")
    monkeypatch.setenv("WEBTOOL_OFFLINE", "0")
    monkeypatch.setenv("WEBTOOL_NO_SUCH", "x")
    monkeypatch.setenv("MCP_WEB_TIMEOUT_MS", "7000")
    names = "MCP_WEB_TIMEOUT_MS, WEBTOOL_DEADLINE, WEBTOOL_OFFLINE"
    assert f"  not copied: {names} (use --env NAME, or config.json)\n" in run(capfd, "--install", "cursor", "--dry-run")
    monkeypatch.delenv("MCP_WEB_TIMEOUT_MS")
    shown = run(capfd, "--install", "cursor", "--env", "WEBTOOL_DEADLINE", "--env", "WEBTOOL_OFFLINE")
    assert "not copied" not in shown
    assert read("cursor")["mcpServers"]["webtool"]["env"]["WEBTOOL_DEADLINE"] == "7"


@pytest.mark.parametrize(
    "words", [["--install", "cursor"], ["--install", "codex", "--dry-run"], ["--print-config", "zed"]]
)
def test_a_temporary_environment_is_not_installed(home, monkeypatch, words):
    monkeypatch.setattr(sys, "executable", "/home/me/.cache/uv/archive-v0/Zx1/bin/python")
    with pytest.raises(InvalidArgument, match="temporary environment") as caught:
        commands.run("mcp", list(words))
    assert "pipx" in caught.value.hint
    assert not file_of("cursor").exists()


def test_a_project_has_its_own_settings(home, capfd, monkeypatch):
    folder = home / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    run(capfd, "--install", "claude-code", "vscode", "--project")
    assert json.loads((folder / ".mcp.json").read_text())["mcpServers"]["webtool"]["type"] == "stdio"
    assert json.loads((folder / ".vscode/mcp.json").read_text())["servers"]["webtool"]["type"] == "stdio"
    with pytest.raises(InvalidArgument, match="no settings for a project"):
        commands.run("mcp", ["--install", "windsurf", "--project"])


@pytest.mark.skipif(os.name != "posix", reason="links need a right on Windows")
def test_a_link_stays_a_link(home, capfd):
    real = home / "dotfiles.json"
    real.write_text("{}")
    file_of("cursor").parent.mkdir()
    file_of("cursor").symlink_to(real)
    run(capfd, "--install", "cursor")
    assert file_of("cursor").is_symlink()
    assert "webtool" in real.read_text()


WRONG = [
    ["--install"],
    ["--install", "emacs"],
    ["--install", "--uninstall", "cursor"],
    ["--install", "cursor", "--frobnicate"],
    ["--install", "cursor", "--env"],
    ["--install", "cursor", "--env", "NOT_SET_ANYWHERE"],
]


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words_are_refused_by_name(home, words):
    with pytest.raises(InvalidArgument) as caught:
        commands.run("mcp", list(words))
    assert caught.value.hint
    assert not file_of("cursor").exists()


NAMES = st.sampled_from(["a", "b", "webtool", "mcpServers", "é"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(tuple)


@given(st.dictionaries(NAMES, VALUES, max_size=4), PATHS, VALUES, st.sampled_from([None, 2, "\t"]))
def test_a_member_set_is_the_only_change(there, path, value, indent):
    text = json.dumps(there, indent=indent)
    inner = before = json.loads(text)
    for name in path[:-1]:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            with pytest.raises(ValueError, match="object"):
                settings_text.put(text, path, value)
            return
    inner[path[-1]] = value
    new = settings_text.put(text, path, value)
    assert json.loads(new) == before
    del inner[path[-1]]
    assert json.loads(settings_text.remove(new, path)) == before


@given(st.text(alphabet='{}[]",:/*ab1 \n\\', max_size=30))
def test_any_text_is_edited_or_refused(text):
    try:
        there = settings_text.loads(text)
        new = settings_text.put(text, ("a",), 1)
    except ValueError:
        return
    assert settings_text.loads(new) == {**there, "a": 1}


@pytest.mark.parametrize(
    "text", ["s = {}\n", 's.webtool.command = "x"\n', 'a = 1\n"s" = { b = 2 }\n', "[s]\nwebtool = {}\n"]
)
def test_toml_that_defines_the_servers_otherwise_is_refused_on_every_python(text):
    with pytest.raises(ValueError, match="does not understand"):
        toml_tables.put_table(text, ("s", "webtool"), {"command": "x"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cursor", b'{\r\n  "a": 1,\r\n  "mcpServers": {}\r\n}\r\n'),
        ("codex", b'a = """\r\nx"""\r\n[b]\r\nc = 1\r\n'),
    ],
)
def test_lines_of_windows_stay_so(home, capfd, name, text):
    file_of(name).parent.mkdir(parents=True, exist_ok=True)
    file_of(name).write_bytes(text)
    run(capfd, "--install", name)
    changed = file_of(name).read_bytes()
    assert b"webtool" in changed
    assert changed.count(b"\n") == changed.count(b"\r\n")
    run(capfd, "--uninstall", name)
    assert file_of(name).read_bytes().rstrip() == text.rstrip()


def test_a_file_that_is_nested_too_deeply_is_refused():
    with pytest.raises(ValueError, match="nested"):
        settings_text.loads('{"a":' * 100_000)


@pytest.mark.parametrize("text", ['"""', "'''\"\"\"", "[a", "\n", "# ", "''\"\"", '"""\\\\', '\\"'])
def test_toml_is_edited_in_linear_time(text):
    def cost(size):
        begun = time.perf_counter()
        toml_tables.put_table(text * size, ("s", "webtool"), {"command": "x"})
        return time.perf_counter() - begun

    assert growth(cost, 4000) == ""


@pytest.mark.parametrize(
    ("line", "quote", "after"),
    [
        ('a = """b', "", '"""'),
        ('a = """b"""', "", ""),
        ("b''' # \"\"\"", "'''", ""),
        ("b", '"""', '"""'),
        ("c = '''\"\"\"", "", "'''"),
        ('a = ["#", """b', "", '"""'),
        ('a = "b" # """', "", ""),
        ('a = \'"""\'', "", ""),
        ('a = "\\"\\"\\""', "", ""),
        ('a = """b\\"""c', "", '"""'),
        ('a = """b\\"""c"""', "", ""),
        ('a = """b""""" # """', "", ""),
        ("a = '''b\\'''", "", ""),
        ("b\\\n", '"""', '"""'),
    ],
)
def test_the_string_that_is_open_at_the_end_of_a_line(line, quote, after):
    assert toml_tables._open_at_end(line, quote, 0)[0] == after


@pytest.mark.parametrize(
    ("line", "depth", "after"),
    [
        ("[a.b] # [", 0, 0),
        ("a = [", 0, 1),
        ("  ['[', \"[\"],", 1, 1),
        ("  [[", 1, 3),
        ("]]", 3, 1),
        ('a = ["""[""", \'\'\'[', 0, 1),
        ('"]" = "[', 0, 0),
    ],
)
def test_the_arrays_that_are_open_at_the_end_of_a_line(line, depth, after):
    assert toml_tables._open_at_end(line, "", depth)[1] == after


def test_a_line_in_an_array_is_no_header_of_a_table():
    rest = '[o]\nrows = [\n  ["s", "webtool"],\n  ["s.webtool"]\n]\n'
    table = '[s.webtool]\nrows = [\n  ["a"],\n  ["b"]\n]\nafter = 1\n\n'
    assert toml_tables.remove_table(table + rest, ("s", "webtool")) == rest
    assert toml_tables.put_table(rest, ("s", "webtool"), {"x": 1}) == f"{rest}\n[s.webtool]\nx = 1\n"


def test_toml_without_a_table_gets_one_at_the_end():
    assert toml_tables.put_table('a = "x"', ("s", "webtool"), {"command": 'q"', "args": ["-m"]}) == (
        'a = "x"\n\n[s.webtool]\ncommand = "q\\""\nargs = ["-m"]\n'
    )


@pytest.mark.parametrize(
    "text", ['a = """\ns = 1\n"""\n', "a = [\n  s.x,\n]\n", "[a]\ns = 1\n", "[s]\na = {}\n", "[s.a]\nwebtool = 1\n"]
)
def test_a_name_of_another_table_or_in_a_string_is_not_a_definition(text):
    assert toml_tables.put_table(text, ("s", "webtool"), {"x": 1}) == f"{text}\n[s.webtool]\nx = 1\n"


def test_keys_of_toml_have_quotes_if_they_need_them():
    assert toml_tables.put_table("", ("s", "a b"), {"c d": 1}) == '[s."a b"]\n"c d" = 1\n'


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ('{\n  "a": 1 /* one\n two */\n}\n', '{\n  "a": 1, /* one\n two */\n  "b": 2\n}\n'),
        ('{\n  "a": 1, /* one\n two */\n}\n', '{\n  "a": 1, /* one\n two */\n  "b": 2,\n}\n'),
        ('{"a": 1 /* one */}', '{"a": 1, /* one */\n  "b": 2\n}'),
        ('{"a": 1, // one\n}', '{"a": 1, // one\n  "b": 2,\n}'),
        (
            '{\n    // "\n    "a": {\n        "c": 1\n    }\n}',
            '{\n    // "\n    "a": {\n        "c": 1\n    },\n    "b": 2\n}',
        ),
    ],
)
def test_a_member_is_put_below_the_comment_after_the_last_one(text, new):
    assert settings_text.put(text, ("b",), 2) == new


TAKEN_OUT = [
    ('{\n  "a": 1, /* keep */\n  "w": {"x": 1}\n}\n', '{\n  "a": 1 /* keep */\n}\n'),
    ('{"a":1, // one\n"w":2}', '{"a":1 // one\n}'),
    ('{\n  // top\n  "w": 1\n}', "{\n  // top\n}"),
    ('{"a": 1,\n  // ours\n  "w": 2, // two\n}', '{"a": 1,\n  // ours\n // two\n}'),
    ('{"s": {}, "w": {}}', '{"s": {}}'),
    ('{\n  "w": 1,\n}\n', "{}\n"),
    ('{\n  "w": 1, // one\n  // about b\n  "b": 2\n}', '{\n  // one\n  // about b\n  "b": 2\n}'),
    ('{"w": 1 /* one */, "b": 2}', '{/* one */ "b": 2}'),
    ("", ""),
]


@pytest.mark.parametrize(("text", "left"), TAKEN_OUT)
def test_comments_around_a_removed_member_stay(text, left):
    rest = settings_text.remove(text, ("w",))
    assert rest == left
    assert "w" not in settings_text.loads(rest)


URL = "http://127.0.0.1:8000/mcp"
HEADER = {"Authorization": "Bearer t0ken"}
# Host: the entry for a server over HTTP with a token; None where the host's settings take none.
HTTP_ENTRIES = {
    "claude-code": {"type": "http", "url": URL, "headers": HEADER},
    "claude-desktop": None,
    "cursor": {"url": URL, "headers": HEADER},
    "vscode": {"type": "http", "url": URL, "headers": HEADER},
    "windsurf": {"serverUrl": URL, "headers": HEADER},
    "zed": {"url": URL, "headers": HEADER},
    "gemini": {"httpUrl": URL, "headers": HEADER},
    "codex": {"url": URL, "http_headers": HEADER},
}


@pytest.mark.parametrize("name", mcp_hosts.HOSTS)
def test_an_entry_over_http_takes_the_place_of_one_that_starts_a_server_and_back(home, capfd, monkeypatch, name):
    expected, host = HTTP_ENTRIES[name], mcp_hosts.HOSTS[name]
    monkeypatch.setenv("WEBTOOL_MCP_TOKEN", "t0ken")
    monkeypatch.setenv("BRAVE_API_KEY", "k")
    run(capfd, "--install", name)
    started = read(name)
    assert "t0ken" not in file_of(name).read_text()
    if expected is None:
        with pytest.raises(InvalidArgument, match="over HTTP"):
            commands.run("mcp", ["--install", name, "--http", "8000"])
        return
    assert "t0ken" not in run(capfd, "--install", name, "--http", "8000", "--dry-run")
    assert "t0ken" not in run(capfd, "--install", name, "--http", "8000")
    assert read(name)[host.member] == {"webtool": expected}
    assert "already there" in run(capfd, "--install", name, "--http", URL)
    assert mcp_entries.installed(os.environ, sys.platform)[name] == URL
    run(capfd, "--install", name, "--http", "https://mcp.example/mcp", "--no-env")
    without = {member: value for member, value in expected.items() if value is not HEADER}
    kept = {member: HEADER for member, value in expected.items() if value is HEADER}  # what others may have added stays
    moved = {member: "https://mcp.example/mcp" if value == URL else value for member, value in without.items()}
    assert read(name)[host.member] == {"webtool": {**moved, **kept}}
    run(capfd, "--install", name)
    assert read(name) == started
    run(capfd, "--uninstall", name)
    assert "webtool" not in str(read(name))


@pytest.mark.parametrize(("place", "url"), [("8000", URL), ("[::1]:80", "http://[::1]:80/mcp"), (URL, URL)])
def test_settings_over_http_are_printed(home, capfd, place, url):
    assert json.loads(run(capfd, "--print-config", "cursor", "--http", place)) == {
        "mcpServers": {"webtool": {"url": url}}
    }
    printed = run(capfd, "--print-config", "cursor", "--http", place, "--env", "WEBTOOL_MCP_TOKEN=t0ken")
    assert json.loads(printed)["mcpServers"]["webtool"]["headers"] == HEADER


WRONG_HTTP_WORDS = [
    ["--print-config", "cursor", "--http", "nowhere"],
    ["--print-config", "cursor", "--http", "8000", "--env", "BRAVE_API_KEY=k"],
    ["--print-config", "cursor", "--http", "8000", "--timeout", "5"],
    ["--print-config", "claude-desktop", "--http", "8000"],
    ["--http", "8000", "--env", "A=b"],
    ["--http", "8000", "cursor"],
]


@pytest.mark.parametrize("words", WRONG_HTTP_WORDS)
def test_words_that_do_not_go_with_http(home, words):
    with pytest.raises(InvalidArgument):
        commands.run("mcp", list(words))


@pytest.mark.parametrize("text", ["// servers", "/* servers */ \n", "", " \n"])
def test_a_file_of_only_comments_gets_an_object_below_them(text):
    assert settings_text.remove(text, ("a", "b")) == text
    new = settings_text.put(text, ("a", "b"), 1)
    assert new.startswith(f"{text.strip()}\n{{" if text.strip() else "{")
    assert settings_text.loads(new) == {"a": {"b": 1}}
