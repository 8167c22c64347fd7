"""README against the code: commands, tools, errors, settings."""

import ast
import os
import pathlib
import re
import shlex
import subprocess

import pytest
from fake_providers import Providers
from servers import Server, page

from webtool import __version__, errors, registry, settings
from webtool.cli import flags, page_options, topics
from webtool.setup import mcp_hosts

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_is_short():
    assert len(README.splitlines()) <= 170
    assert len(README) <= 11000


def test_the_running_version_is_in_the_sample_and_in_the_changes():
    assert f"extractor: webtool@{__version__}\n" in README
    assert f"\n- {__version__}: " in README
    assert f"\n## {__version__}\n" in (ROOT / ".github" / "CHANGES.md").read_text(encoding="utf-8")


def test_every_tool_has_its_row():
    for command, (name, text) in registry.TOOLS.items():
        assert f"| `{command}` | `{name}` | {text} |" in README


def error_classes(base=errors.WebtoolError):
    for error in base.__subclasses__():
        yield error
        yield from error_classes(error)


def test_help_has_every_error_with_its_status_and_when_it_occurs():
    table = dict(re.findall(r"^  ([A-Z_]+) +(\d+ +\S.*)$", topics.text_of("errors"), re.M))
    expected = {error.code: error.exit_status for error in error_classes() if "code" in vars(error)}
    expected.pop("CANCELLED")  # MCP clients and Ctrl-C only: nobody is left to read it
    assert {code: int(text.split()[0]) for code, text in table.items()} == expected
    assert "`webtool help errors`" in README


def test_the_two_commands_are_there():
    blocks = [block.strip() for block in re.findall(r"```sh\n(.*?)```", README, re.S)]
    build, test = [block for block in blocks if block.startswith("python3 ")]
    assert build == "python3 build.py && python3 dist/webtool.pyz fetch --demo"
    assert test.endswith("python3 -m pytest")
    assert "-r tests/requirements.txt" in test


def commands():
    """Every command of webtool in a shell block or between backquotes, without the program's name."""
    for block in re.findall(r"```sh\n(.*?)```", README, re.S):
        for line in block.splitlines():
            yield from re.findall(r"^(?:\w+=\S+ )*webtool (.*?)(?:  +#.*)?$", line)
    yield from re.findall(r"`webtool ([^`]*)`", README)


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_every_command_exists_with_its_flags(line):
    words = shlex.split(line)
    name = " ".join(words[:2]) if " ".join(words[:2]) in registry.TOOLS else words[0]
    rest = words[len(name.split()) :]
    if name in registry.TOOLS:
        tool = registry.load(name)
        options = {**flags.OPTIONS, **page_options.OPTIONS, **getattr(tool, "CLI_OPTIONS", {})}
        flags.parse(rest, tool.SCHEMA["parameters"], options)  # raises for an unknown flag
    elif name == "mcp" and rest:
        assert (rest[0] == "--install" and rest[1] in mcp_hosts.HOSTS) or (rest[0] == "--http" and rest[1].isdigit())
    else:
        assert name in (*registry.COMMANDS, "--help", "help", "batch")
        assert name != "help" or not rest or rest[0] in topics.TOPICS


def test_the_commands_are_found():
    assert len(set(commands())) >= 12


# What the addresses of README lead to here.
PAGE = """<!doctype html><html lang="en"><head><title>Example Domain</title></head><body><div><h1>Example Domain</h1>
<p>This domain is for use in documentation examples without needing permission. Avoid use in operations.</p>
<p><a href="https://iana.org/domains/example">Learn more</a></p></div></body></html>"""
GUIDE = "<title>Guide</title><main><h1>Guide</h1>" + "".join(
    f"<h2>{title}</h2><p>{text} This is for use in documents, and there is a time-out of an hour.</p>"
    for title, text in (("Setup", "How to set it up."), ("Sessions", "A session is kept for an hour."))
).replace("</p><h2>Sessions", "</p><h3>Linux</h3><p>Install it with the package manager of yours.</p><h2>Sessions")
RESULT = re.compile(r"^\d\. (.*)\n   (\S+)\n   (?:(\d{4}-\d\d-\d\d) - )?(.*)$", re.M)


@pytest.fixture(scope="module")
def shell(archive, tmp_path_factory):
    """Run a line of README in a home of its own: its addresses lead to loopback, its search to a played provider."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "bin").mkdir()
    (folder / "bin" / "webtool").symlink_to(archive)
    (folder / "page.html").write_text(PAGE)
    zipped = (200, {"Content-Type": "application/zip"}, b"PK\x03\x04\x00")
    with Server({"/": page(PAGE), "/guide": page(GUIDE), "/a.zip": zipped}) as web, Providers() as providers:
        # What `webtool open 1` opens is the first result.
        results = [{"title": f"Title {n}", "url": f"{web.url}/?{n}", "description": "Some words."} for n in range(3)]
        providers.answer("brave", 200, {"web": {"results": results}})
        (folder / "urls.txt").write_text(f"{web.url}/\n")

        def run(line):
            # A page of two sentences has no sections and no matches.
            path = "guide" if any(flag in line for flag in ("--outline", "--section", "--find")) else ""
            line = line.partition("  #")[0].replace("https://example.com/", f"{web.url}/{path}")
            line = line.replace("localhost:8000", f"localhost:{web.port}").replace("KEY=...", "KEY=k")
            environ = {
                **providers.environ(),
                "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(folder),
                "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            }
            done = subprocess.run(["sh", "-c", line], capture_output=True, env=environ, cwd=folder, timeout=120)
            text = done.stdout.decode().replace(f"{web.url}/", "https://example.com/").replace(str(folder), "/home/me")
            return done.returncode, text, done.stderr.decode()

        yield run


def blocks():
    """(lines of a shell block, what is shown below it or "")"""
    blocks = re.findall(r"```sh\n(.*?)```\n(?:```\n(.*?)```\n)?", README, re.S)
    return [(lines.splitlines(), shown) for lines, shown in blocks if "webtool" in lines and "python3 " not in lines]


@pytest.mark.skipif(os.name == "nt", reason="a shell as POSIX has it")
@pytest.mark.parametrize(("lines", "shown"), blocks())
def test_every_command_does_what_is_shown(shell, lines, shown):
    for number, line in enumerate(lines):
        status, out, err = shell(line)
        assert status == (1 if line.startswith("webtool doctor") and status else 0), (line, out, err)
        if shown and number == 0:
            out = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-11-22T09:30:00Z", out)
            out = "\n".join(one for one in out.splitlines() if not one.startswith(("  with ", "  not copied: ")))
            if "webtool search" in line:  # other results than README's, in the form that it shows
                out, shown = RESULT.sub("RESULT", out), RESULT.sub("RESULT", shown)
            assert out.strip() == shown.strip()


def test_the_library_does_what_is_shown(archive, monkeypatch):
    """Line by line, up to those that need the internet."""
    block = re.search(r"```python\n(.*?)```", README, re.S)[1]
    assert "webtool.pyz" in block
    names = {}
    for line in block.splitlines()[1:]:
        if re.search(r"webtool\.(?:fetch|open|search)\(", line):
            continue
        exec(line, names)
    value, answer_text = re.search(r"^(webtool\.to_markdown\(.*?\)) +# (.*)$", block, re.M).groups()
    assert eval(value, names) == ast.literal_eval(answer_text)
    extraction = names["webtool"].extract(names["html"])
    for name in re.findall(r"\.(\w+)", re.search(r"# main content, with (.*)", block)[1]):
        assert hasattr(extraction, name)


def test_help_has_the_other_names_of_settings():
    text = topics.text_of("settings")
    assert set(re.findall(r"MCP_WEB_\w+", text)) == {*settings.ALIASES}


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"(?:tests|webtool|\.github)/[\w/]+\.(?:py|md|bin|txt)", README)))
)
def test_every_file_it_names_exists(path):
    assert (ROOT / path).is_file()


MAPS = {path: (ROOT / path).read_text(encoding="utf-8") for path in ("webtool/README.md", "tests/README.md")}


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (document, path)
        for document, text in MAPS.items()
        for path in sorted(set(re.findall(r"(?:tests|webtool)/[\w/]+(?:\.(?:py|md|bin|txt)|/)", text)))
        if not re.search(r"NNNN|PATH|NAME|TOPIC", path)
    ],
)
def test_every_file_that_a_map_names_exists(document, path):
    assert (ROOT / path).exists(), f"{document} names {path}"


def test_the_map_names_every_room():
    rooms = {path.parent.name for path in (ROOT / "webtool").glob("*/__init__.py")}
    named = set(re.findall(r"`(\w+)/`", MAPS["webtool/README.md"].partition("## One URL")[0]))
    assert rooms <= named, rooms - named
    assert named - rooms <= {"help", "page", "model", "rules", "metadata", "output", "labels", "question"}


def modules_in_walk():
    """The names like `net/client` in the walk of one URL: modules, or functions of a module after a dot."""
    walk = MAPS["webtool/README.md"].partition("## One URL")[2].partition("## Mechanisms")[0]
    return sorted(set(re.findall(r"`((?:\w+/)+\w+)", walk)))


@pytest.mark.parametrize("name", modules_in_walk())
def test_every_module_in_the_walk_exists(name):
    tops = (ROOT / "webtool", ROOT / "webtool" / "extraction")  # parts of extraction are named by their own folder
    assert any((top / f"{name}.py").exists() or (top / name).is_dir() for top in tops), name
