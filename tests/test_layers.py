"""Who may import whom: the picture of ranks, the standard library only, and what stays out of the path of one fetch."""

import ast
import functools
import os
import pathlib
import re
import sys
from typing import NamedTuple

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "webtool"

# From the outside in: a room may import those of a line further down or after a ">" in its own. The last line
# has what every room may use. A new edge is a decision, made here.
PICTURE = """
    __main__ > dispatch
    cli > setup > mcp, library, archives
    registry > tools > bulk
    pages, providers
    context
    browser, robots, bulk.warc
    net, cache, extraction, documents, siteconfig
    markdown, xpath
    visibility
    css
    html
    urls, settings, answers, schemas > providers.table
    running > lean
    output, __init__ > errors, bundle, rare_functions, answer_types, _schemas, _patterns
"""
LAYERS = [[name.strip() for name in rank.split(",")] for line in PICTURE.split("\n") for rank in line.split(">")]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names if name}


def room_of(module):
    """The most exact name in the picture that a module's dotted name begins with; "" without one."""
    parts = module.split(".")
    return next((name for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in RANK), "")


# Modules that cost more than they give on the path of one fetch (measured in milliseconds each).
HEAVY = {
    "typing", "dataclasses", "pathlib", "urllib", "http", "email", "logging", "argparse", "asyncio", "concurrent",
    "subprocess", "html", "inspect", "tempfile", "decimal", "shutil",
}  # fmt: skip
FETCH_PATH = [
    "context", "pages", "tools.web_fetch", "html", "markdown", "net", "cache.store", "cache.freshness", "robots",
    "urls", "settings", "errors", "lean", "dispatch", "registry", "cli.host", "schemas.arguments", "answers.budget",
    "documents.__init__", "documents.sniff",
]  # fmt: skip


def modules():
    for path in sorted(map(str, PACKAGE.rglob("*.py"))):
        yield path[len(str(PACKAGE)) + 1 : -len(".py")].replace(os.sep, "."), pathlib.Path(path)


MODULES = dict(modules())


class Facts(NamedTuple):
    """What these tests ask about a module. All syntax trees together are a million objects, so none is kept."""

    imports: list  # the rows of imports()
    targets: set  # the modules of webtool that it imports when it runs
    docstring: str
    templates: list  # lines with a call such as re.sub(pattern, r"<\\1>", text)


@functools.cache
def facts_of(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    return Facts(imports(tree), targets(tree), ast.get_docstring(tree) or "", list(templates(tree)))


def imports(tree, with_names=False):
    """(name, is for types alone, is inside of a function) of every import; `with_names` adds what is taken from it."""
    rows, waiting = [], [(tree, False, False)]
    while waiting:
        node, guarded, lazy = waiting.pop()
        if isinstance(node, ast.expr):
            continue
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            whole = with_names or node.module == "webtool"
            names = [f"{node.module}.{alias.name}" if whole else node.module for alias in node.names]
        rows += [(name, guarded, lazy) for name in names]
        in_function = lazy or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        waiting += [
            (inner, guarded or (for_types and inner in node.body), in_function) for inner in ast.iter_child_nodes(node)
        ]
    return rows


@pytest.mark.parametrize("module", MODULES)
def test_only_the_standard_library_is_imported(module):
    for name, guarded, _ in facts_of(module).imports:
        top = name.partition(".")[0]
        if not guarded and top != "webtool":
            assert top in STANDARD, f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    room = room_of(module)
    assert room, f"{module} has no place in the picture"
    for name, guarded, _ in facts_of(module).imports:
        if guarded or not name.startswith("webtool."):
            continue
        if name == "webtool.__version__":
            continue
        target = room_of(name.partition(".")[2])
        assert target, f"{module} imports {name}, which has no place in the picture"
        assert target == room or RANK[target] > RANK[room], f"{module} imports {name}: the wrong way"


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside of functions count; those for types alone are never run."""
    edges = {name: targets_of(name) - {name} for name in NAMES}
    while any(not found & edges.keys() for found in edges.values()):  # take away what imports nothing that is left
        edges = {name: found for name, found in edges.items() if found & edges.keys()}
    assert not edges, f"circles among {sorted(edges)}"


def room_name(module):
    return module[: -len(".__init__")] if module.endswith(".__init__") else module


NAMES = {room_name(name) for name in MODULES}


def targets(tree):
    """The modules of webtool that a module imports when it runs."""
    found = set()
    for name, guarded, _ in imports(tree, with_names=True):
        while not guarded and name.startswith("webtool."):
            if name[len("webtool.") :] in NAMES:
                found.add(name[len("webtool.") :])
                break
            name = name.rpartition(".")[0]
    return found


TESTS = PACKAGE.parent / "tests"
DOCSTRING_ALONE = re.compile(r'\s*(?:"""(?:(?!""").)*""")?\s*', re.DOTALL)  # modules that need no tests
TESTS_LINE = re.compile(r"^Tests: ((?:tests/\S+\.py(?:, )?)+)$", re.MULTILINE)


def files_with_tests_of(module):
    """The test file of a module's name if there is one, else the files that `Tests:` in its docstring names."""
    folder, _, name = room_name(module).rpartition(".")
    path = TESTS / folder.replace(".", "/") / f"test_{name}.py"
    line = TESTS_LINE.search(facts_of(module).docstring)
    return [PACKAGE.parent / named for named in line[1].split(", ")] if line else [path] if path.exists() else []


def targets_of(name):
    """The modules of webtool that a module imports, by the name that room_name() gives it."""
    return facts_of(name if name in MODULES else f"{name}.__init__").targets


@functools.cache
def needs_of(file):
    """Return the imports of a test file: (modules of webtool, paths of helpers such as tests/trees.py)."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    helpers = {TESTS / f"{name.replace('.', '/')}.py" for name, _, _ in imports(tree)}
    return targets(tree), sorted(path for path in helpers if path.exists())


@functools.cache
def reached_from(path):
    """Every module of webtool that a test file, its conftest files or its helpers import, or that these import."""
    folders = [folder for folder in path.parents if folder == TESTS or TESTS in folder.parents]
    files = [path, *(folder / "conftest.py" for folder in folders if (folder / "conftest.py").exists())]
    waiting, reached = [], set()
    for file in files:  # grows: helpers follow the file that imports them
        modules, helpers = needs_of(file)
        waiting += modules
        files += [helper for helper in helpers if helper not in files]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += targets_of(name)
    return reached


WITH_CODE = [name for name, path in MODULES.items() if not DOCSTRING_ALONE.fullmatch(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("module", WITH_CODE)
def test_each_module_says_where_its_tests_are(module):
    paths = files_with_tests_of(module)
    assert paths, f"add tests/.../test_{module.rpartition('.')[2]}.py or a line `Tests: tests/PATH.py`"
    parts = room_name(module).split(".")
    for path in paths:
        assert path.exists(), f"{module} names {path}, which does not exist"
        reached = reached_from(path)
        # Converters, tools and insertion modes are loaded by their name, so a package above the module counts too.
        is_imported = any(".".join(parts[:end]) in reached for end in range(1, len(parts) + 1))
        text = path.read_text(encoding="utf-8")
        starts_webtool = re.search(r"\barchive\b|\bPeer\(|\bregistry\b|\bwebtool\.run\(|\bload\(", text)
        assert is_imported or starts_webtool, f"{path} does not import {module}"


@pytest.mark.parametrize(
    "module", [name for name in MODULES if any(name == one or name.startswith(one + ".") for one in FETCH_PATH)]
)
def test_the_path_of_a_fetch_imports_nothing_heavy(module):
    for name, guarded, lazy in facts_of(module).imports:
        if not guarded and not lazy:
            assert name.partition(".")[0] not in HEAVY, f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES)
def test_replacing_text_does_not_import_re(module):
    """A template such as r"<\\1>" makes the engine import re, also if nothing matches. A function does not."""
    if not any(name == "re" and not lazy for name, _, lazy in facts_of(module).imports):
        assert not facts_of(module).templates, f"{module} gives templates in these lines; give functions"


def templates(tree):
    """Yield the lines of calls that give a template with a group."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"sub", "subn", "expand"} and node.args:
            template = node.args[0]
            if isinstance(template, ast.Constant) and "\\" in str(template.value):
                yield node.lineno


# sys.stdlib_module_names came with 3.10; _sha2 and the like differ by version.
STANDARD = set(getattr(sys, "stdlib_module_names", ())) | set(sys.builtin_module_names) | {
    "__future__", "_sha2", "_sha256", "_signal", "_socket", "_sqlite3", "_json", "_sre", "_collections", "posixpath",
    "ntpath", "compression", "zlib", "sqlite3", "ssl", "json", "re",
    "os", "sys",
    "time", "socket", "select", "threading", "collections", "bisect", "base64", "binascii", "struct", "unicodedata",
    "zipfile", "math", "errno", "importlib", "platform", "shutil", "subprocess", "tempfile", "difflib", "traceback",
    "urllib", "html", "http", "email", "xml", "io", "marshal", "array", "itertools", "functools", "operator", "heapq",
    "random", "secrets", "hashlib", "hmac", "stat", "string", "textwrap", "types", "typing", "datetime", "calendar",
    "locale", "codecs", "encodings", "ctypes", "signal", "queue", "uuid", "netrc", "atexit", "fcntl", "msvcrt",
    "ast", "winreg", "_scproxy", "_winapi", "contextlib", "copy", "gc", "glob", "gzip", "bz2", "lzma", "warnings",
    "weakref", "site", "tarfile", "tokenize",
    "getpass", "ipaddress", "mimetypes", "quopri", "resource", "shlex", "pkgutil", "zipimport", "plistlib", "cmath",
}  # fmt: skip
