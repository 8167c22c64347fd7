"""Who may import whom: the table of layers, the standard library only, and what stays out of the path of one fetch."""

import ast
import pathlib
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "webtool"

# From the outside in: a module may import its own room and rooms further down. A new edge is a decision, made here.
LAYERS = [
    {"__main__"},
    {"dispatch"},
    {"cli"},
    {"mcp"},
    {"host"},
    {"help_text", "library", "commands", "deadline"},
    {"registry"},
    {"tools", "schema_text", "_schemas"},
    {"demo"},
    {"pages", "search"},
    {"credentials"},
    {"context"},
    {"browser"},
    {"robots_gate"},
    {"net", "cache"},
    {"parallel", "tokens", "extraction", "documents", "siteconfig", "capping", "flags", "arguments", "tool_rules"},
    {"xpath", "markdown"},
    {"html"},
    {"robots"},
    {"urls", "settings"},
    {"hosts", "output", "dates"},
    {"domain_names"},
    {"patterns", "jsontext"},
    {"__init__"},
    {"errors", "records", "_patterns", "bundle"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}

# Modules that cost more than they give on the path of one fetch (measured in milliseconds each).
HEAVY = {
    "typing", "dataclasses", "pathlib", "urllib", "http", "email", "logging", "argparse", "asyncio", "concurrent",
    "subprocess", "html", "inspect", "tempfile", "decimal", "shutil",
}  # fmt: skip
FETCH_PATH = [
    "context", "pages", "tools.fetch", "html", "markdown", "net", "cache.store", "cache.freshness", "robots",
    "robots_gate", "urls", "settings", "errors", "records", "dispatch", "registry", "host", "arguments", "capping",
    "documents.__init__", "documents.sniff",
]  # fmt: skip


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(parts), ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())


def imports(tree):
    """(top name, whole name, is at module level and really executed) of every import."""
    guarded = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    lazy = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for inner in ast.walk(node)
        if inner is not node
    }
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" if node.module == "webtool" else node.module for alias in node.names]
        for name in names:
            yield name, id(node) in guarded, id(node) in lazy


@pytest.mark.parametrize("module", MODULES)
def test_only_the_standard_library_is_imported(module):
    for name, guarded, _ in imports(MODULES[module]):
        top = name.partition(".")[0]
        if not guarded and top != "webtool":
            assert top in STANDARD, f"{module} imports {name}"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    room = module.partition(".")[0]
    assert room in RANK, f"{room} has no place in LAYERS"
    for name, guarded, _ in imports(MODULES[module]):
        if guarded or not name.startswith("webtool."):
            continue
        target = name.split(".")[1]
        if target == "__version__":
            continue
        assert target in RANK, f"{module} imports {name}, which has no place in LAYERS"
        assert target == room or RANK[target] > RANK[room], f"{module} imports {name}: the wrong way"


@pytest.mark.parametrize(
    "module", [name for name in MODULES if any(name == one or name.startswith(one + ".") for one in FETCH_PATH)]
)
def test_the_path_of_a_fetch_imports_nothing_heavy(module):
    for name, guarded, lazy in imports(MODULES[module]):
        if not guarded and not lazy:
            assert name.partition(".")[0] not in HEAVY, f"{module} imports {name}"


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
    "weakref",
    "getpass", "ipaddress", "mimetypes", "quopri", "resource", "shlex", "pkgutil", "zipimport", "plistlib", "cmath",
}  # fmt: skip
