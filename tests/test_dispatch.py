"""The start: program names, schemas and what they import; help, version, unknown commands; closed files."""

import importlib
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest
from fake_providers import Providers
from servers import Server, page

from webtool import dispatch, registry, settings
from webtool.pages import answer
from webtool.schemas import printed

SEEDS = pathlib.Path(__file__).resolve().parents[2] / "shared" / "seeds"
ROOT = pathlib.Path(__file__).resolve().parents[1]

PROGRAMS = [
    ("web-fetch-tool", "web-fetch-tool"),
    ("/opt/x/web-fetch-tool", "web-fetch-tool"),
    ("./webtool.pyz", "webtool"),
    ("dist/fetch.py", "fetch"),
    ("BRAVE.EXE", "BRAVE"),
    ("-c", "-c"),
    ("", ""),
]


@pytest.mark.parametrize(("argv0", "name"), PROGRAMS)
def test_the_program_name_is_the_last_part_without_suffix(argv0, name):
    assert dispatch.program_name(argv0) == name


def schemas_of_seed():
    """Return the schemas of the seed byte for byte, with the name of the parser replaced by ours."""
    text = (
        (SEEDS / "tool-schemas.md")
        .read_text(encoding="utf-8")
        .replace("using libxml2.", "using a built-in HTML parser.")
    )
    return re.findall(r"### Schema Output.*?```json\n(.*?)```", text, re.S)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not here")
@pytest.mark.parametrize(("command", "index"), [("brave", 0), ("google", 1), ("fetch", 2)])
def test_each_schema_equals_the_seed_byte_for_byte(command, index):
    assert registry.schema_text(command) == schemas_of_seed()[index]


def test_the_two_search_schemas_differ_in_name_and_provider_only():
    brave, google = registry.schema_text("brave"), registry.schema_text("google")
    assert (
        brave.replace("web_search_brave", "web_search_google").replace("Brave Search API", "Google Custom Search API")
        == google
    )


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("command", registry.TOOLS)
def test_every_schema_passes_the_six_rules(command, full):
    text = registry.schema_text(command, full).encode()
    name, problems = printed.check(text)
    assert (name, problems) == (registry.TOOLS[command][0], [])
    assert len(text) <= 8191 or full


def further(command, name):
    """Return arguments that run() accepts as **members (common to tools) or **options (passed to a provider)."""
    if name == "members":
        return answer.PARAMETERS
    return {
        "allowed_domains",
        "blocked_domains",
        *importlib.import_module(f"webtool.providers.{command}").ENGINE.options,
    }


@pytest.mark.parametrize("command", registry.TOOLS)
def test_run_accepts_the_arguments_of_the_schema(command):
    tool = registry.load(command)
    parameters = inspect.signature(tool.run).parameters
    named = {name.rstrip("_"): one.default for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY}
    properties, required = tool.SCHEMA["parameters"]["properties"], tool.SCHEMA["parameters"].get("required", [])
    more = set().union(*(further(command, name) for name, one in parameters.items() if one.kind is one.VAR_KEYWORD))
    assert [name for name in named if name in properties] == [name for name in properties if name in named]
    assert set(named) <= {*properties, *tool.UNLISTED} <= {*named, *more}
    assert [name for name in named if named[name] is inspect.Parameter.empty] == required
    for name in set(properties) & set(named):
        if "default" in properties[name] and named[name] is not None:  # None: the value comes from the settings
            assert named[name] == properties[name]["default"], name
    assert set(tool.HOST_MEMBERS) <= set(properties)
    assert not tool.HOST_MEMBERS or set(required) <= set(tool.HOST_MEMBERS)


def test_printing_a_schema_imports_almost_nothing(archive):
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules); from webtool import dispatch;"
        "dispatch.main(['web-fetch-tool', '--schema']); print(sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(archive)], capture_output=True, text=True, timeout=60
    )
    loaded = set(eval(done.stderr))
    files = {"os", "stat", "posixpath", "ntpath", "genericpath", "_stat", "os.path", "abc", "_abc", "_collections_abc"}
    ours = {"webtool", "webtool.bundle", "webtool.dispatch", "webtool.registry", "webtool.output", "webtool._schemas"}
    allowed = files | ours | {"__future__", "zlib", "zipimport", "gc"}
    assert {name for name in loaded if not name.startswith("encodings")} <= allowed
    assert json.loads(done.stdout)["name"] == "web_fetch"


def run(archive, *words, **options):
    return subprocess.run(
        [str(archive), *words], capture_output=True, timeout=60, **{"stdin": subprocess.DEVNULL, **options}
    )


def test_help_names_every_command(archive):
    for words in ([], ["--help"], ["help"]):
        done = run(archive, *words)
        assert done.returncode == 0
        for command in (*registry.TOOLS, *registry.COMMANDS):
            pattern = rf"^  {command} " if words else rf"^  .*\b{command}\b"
            assert re.search(pattern, done.stdout.decode(), re.M), command


# batch takes a list of URLs instead of the tool's items, and has a text of its own.
@pytest.mark.parametrize("command", [command for command in registry.TOOLS if command != "batch"])
def test_help_of_a_tool_names_its_flags(archive, command):
    done = run(archive, *command.split(), "--help")
    assert done.returncode == 0, done.stderr
    for name in registry.load(command).SCHEMA["parameters"]["properties"]:
        assert re.search(rf"^  --(\[no-\])?{name.replace('_', '-')}\b", done.stdout.decode(), re.M)


@pytest.mark.parametrize("command", [command for command in registry.TOOLS if command != "batch"])
def test_every_flag_has_a_help_text(archive, command):
    lines = run(archive, *command.split(), "--help").stdout.decode().split("\n")
    flags = lines[lines.index("Output:") + 1 :] if "Flags:" not in lines else lines[lines.index("Flags:") + 1 :]
    for flag, below in zip(flags, flags[1:]):
        if flag.startswith("  --"):
            help_text = flag[30:] if flag[29:30] == " " else below[30:]
            assert re.match("[A-Za-z]", help_text), (flag, help_text)


def test_help_settings_lists_every_setting(archive):
    text = run(archive, "help", "settings").stdout.decode()
    for name, default in settings.Settings._field_defaults.items():
        shown = {True: "on", False: "off"}[default] if isinstance(default, bool) else default
        beside = f" (default {shown})" if shown not in ("", ()) else ""
        assert f"  --{name.replace('_', '-')}, WEBTOOL_{name.upper()}{beside}\n      " in text


@pytest.mark.parametrize("words", [["cache", "--help"], ["cache", "-h"], ["help", "cache"]])
def test_help_of_the_first_of_two_words_names_the_second(archive, words):
    done = run(archive, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    for command in ("cache get", "cache purge", "cache info"):
        assert f"\n  {command} " in done.stdout.decode()


@pytest.mark.parametrize(("command", "usage"), [("open", "open URL"), ("search", "QUERY"), ("cache get", "HASH")])
def test_a_missing_word_is_named_with_the_usage(archive, command, usage):
    done = run(archive, *command.split(), "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"] == f"{usage.split()[-1].lower()} is required"
    assert usage in done.stderr.decode()


def test_version_takes_no_further_words(archive):
    for words in (["--version", "x"], ["version", "--jsn"]):
        done = run(archive, *words)
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 2)


def test_version_names_webtool_python_and_openssl(archive):
    text = run(archive, "--version").stdout.decode()
    assert re.fullmatch(r"webtool \d+\.\d+\.\d+\nPython CPython 3\.\d+.*\nOpenSSL .*\n", text)


@pytest.mark.skipif(os.name != "posix", reason="shell redirections")
def test_closed_standard_files_cause_no_error_and_no_overwriting(archive, tmp_path):
    for redirect in (">&-", "2>&-", ">&- 2>&- <&-"):
        command = f"'{archive}' fetch --demo {redirect}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, cwd=tmp_path)
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="shell pipes")
def test_a_reader_that_closes_the_pipe_early_is_not_an_error(archive):
    command = f"'{archive}' fetch --demo | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
    assert done.stderr == b""


def test_a_checkout_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "webtool", "fetch", "--schema"], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.stdout == registry.schema_text("fetch")


def test_tools_without_required_arguments_accept_an_empty_request(archive, tmp_path):
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    assert json.loads(run(archive, "cache", "info", env=environ).stdout)["snapshots"] == 0
    assert json.loads(run(archive, "cache", "purge", env=environ).stdout) == {"deleted": 0}


@pytest.mark.skipif(os.name != "posix", reason="HOME as POSIX has it")
def test_without_a_home_folder_only_cache_tools_mention_the_cache(archive):
    environ = {"PATH": os.environ["PATH"]}
    with Server({"/": page("<p>text")}) as web:
        request = json.dumps({"url": web.url}).encode()
        options = {"stdin": None, "input": request, "env": {**environ, "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}}
        assert run(archive, "fetch", **options).stderr == b""
    done = run(archive, "cache", "info", env=environ)
    assert json.loads(done.stdout)["error_code"] == "CACHE_ERROR"
    assert b"no home folder is known" in done.stdout
    assert b"no cache: no home folder is known" in run(archive, "mcp", env=environ).stderr


@pytest.mark.parametrize(("command", "sent"), [("batch", b"https://e.example/\n"), ("extract", b"<p>text")])
def test_piped_input_without_a_dash_gets_a_hint(archive, command, sent):
    done = run(archive, command, stdin=None, input=sent)
    assert done.returncode == 2
    assert json.loads(done.stdout)["hint"].endswith(f"webtool {command} -")


def test_a_person_searches_pages_of_any_age_and_a_host_those_of_a_week(archive, tmp_path):
    with Providers() as providers:
        environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **providers.environ()}
        for words in ([], ["--freshness", "any"], ["--freshness", "py"]):
            done = run(archive, "search", "tides", *words, env=environ)
            assert (done.returncode, done.stderr) == (0, b""), words
        assert run(archive, "search", env=environ, stdin=None, input=b'{"query": "tides"}').stderr == b""
        ages = [request.parameters.get("freshness") for request in providers.sent("brave")]
    assert ages == [None, "py", "pw"]  # the second search came from the cache
