"""Compile the modules and patterns of an archive for one Python. In: an archive. Out: a section, as archive members.

webtool/bundle.py describes sections and groups. Each Python compiles its own section: make() starts it, writes the
archive to its stdin and reads the section from its stdout. This needs no files in common, so that Python may run in a
container or an emulator.

GROUPS names the modules that begin a group; whatever these import, and no earlier group has, joins it. The last two
groups have the rest. Equal archives and Pythons give equal bytes: the child hashes sets with a fixed seed and gets a
fixed environment.

Tests: tests/test_build.py
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import importlib.util
import marshal
import os
import subprocess
import sys

from webtool import bundle
from webtool.lean import datafiles
from webtool.providers.table import PROVIDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from types import CodeType
    from typing import Any

    Code = dict[str, tuple[bool, CodeType]]
    Import = tuple[str, tuple[tuple[str, str], ...]]
    Quick = tuple[CodeType, tuple[Import, ...], dict[str, CodeType]]  # code, imports, rare functions

WRAPPERS = ("operator", "struct", "bisect")  # modules of the standard library that wrap one in C
TYPES = ("__future__", "collections.abc", "webtool.lean.typing")  # modules that annotations take their names from
SECONDS = 300.0  # a Python that takes longer for its section is given up; an emulated one takes a minute

# Group: the modules that it is built from, with everything that they import and no earlier group has. Modules that are
# imported inside functions have to be named here. Each start reads the groups that it needs, in this order.
GROUPS = {
    "start": ("webtool.dispatch", "webtool.registry", "webtool._schemas"),
    "front": ("webtool.cli.main", "webtool.cli.host", "webtool.schemas.arguments"),
    "http": (
        "webtool.tools", "webtool.net.messages", "webtool.net.statuses", "webtool.cache.snapshot",
        "webtool.cache.freshness", "webtool.lean.optional", "webtool.net.decode", "webtool.answers.budget",
    ),
    "cache": ("webtool.cache.store", "webtool.cache.full_text"),
    "net": ("webtool.net.client", "webtool.robots.gate"),
    "html": ("webtool.html",),
    "page": (
        "webtool.tools.web_fetch", "webtool.tools.web_open", "webtool.visibility.hidden", "webtool.html.shell",
        "webtool.markdown", "webtool.html.head_links", "webtool.cache.front_matter", "webtool.pages.elements",
    ),
    "open": ("webtool.extraction", "webtool.siteconfig"),
    "rules": ("webtool.pages.site_rule_pages",),
    "ask": (
        "webtool.tools.web_extract", "webtool.html.prescan", "webtool.html.guessing",
        "webtool.bulk.sources", "webtool.pages.local_file",
        "webtool.cli.demo", "webtool.mcp.stdio", "webtool.mcp.tools",
        "webtool.tools.web_search", "webtool.tools.cache_search", "webtool.cli.page_options",
        *[f"webtool.providers.{provider.module}" for provider in PROVIDERS.values()],
        "webtool.answers.outline", "webtool.answers.finding", "webtool.answers.question.excerpt",
        "webtool.answers.question.quotes", "webtool.answers.views", "webtool.answers.sql", "webtool.answers.outside",
        "webtool.pages.citation",
    ),
    "screen": ("webtool.cli.terminal.screen", "webtool.cli.terminal.stderr"),
    "rest": (),
    "seldom": (),
}  # fmt: skip
# Modules of the last group: of commands that run for seconds or once, and of rare formats. A release has only their
# source, which a start compiles in at most 0.2 s.
SELDOM = (
    "webtool.browser.", "webtool.bulk.", "webtool.setup.", "webtool.mcp.http_", "webtool.cli.parquet",
    *[f"webtool.documents.{name}" for name in "epub mail notebook odf pptx rtf".split()],
    *[f"webtool.cli.commands.{name}" for name in "cite completion config crawl doctor install pack".split()],
)  # fmt: skip

FIRST = ("webtool", "webtool.__main__")  # the modules that zipimport reads at every start

# The program of the child: its stdin is the archive, its stdout the section.
_CHILD = """
import os, sys, tempfile
sys.path[:] = [path for path in sys.path if path]
folder = tempfile.mkdtemp()
path = os.path.join(folder, "webtool.pyz")
try:
    with open(path, "wb") as file:
        file.write(sys.stdin.buffer.read())
    sys.path.insert(0, path)
    from webtool.setup import bytecode
    made = bytecode.section(*sys.argv[1:])
finally:
    os.unlink(path)
    os.rmdir(folder)
import marshal
sys.stdout.buffer.write(marshal.dumps(made, 2))
"""
_KEPT_VARIABLES = ("PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def make(python: Sequence[str], archive: bytes, with_lines: bool = True) -> dict[str, bytes]:
    """Return the section that `python` (a command and its first arguments) compiles: {member name: bytes}.

    Without lines, which are a seventh of a section, a traceback names the first line of each function.
    Raises OSError if it does not run, fails, or takes more than SECONDS.
    """
    # no_debug_ranges leaves out the column of each instruction, a third of the bytes; line numbers stay.
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    command = [*python, "-X", "no_debug_ranges", "-S", "-s", "-c", _CHILD, *([] if with_lines else ["without lines"])]
    try:
        done = subprocess.run(
            command, input=archive, capture_output=True, timeout=SECONDS, env={**environment, "PYTHONHASHSEED": "0"}
        )
    except subprocess.TimeoutExpired as exc:
        raise OSError(f"{' '.join(python)} did not end in {SECONDS:g} s") from exc
    if done.returncode:
        error_lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it printed no error"]
        raise OSError(f"{' '.join(python)} cannot compile webtool: {error_lines[-1]}")
    try:
        members: dict[str, bytes] = marshal.loads(done.stdout)
    except (EOFError, ValueError, TypeError) as exc:
        raise OSError(f"{' '.join(python)} returned no section: {exc}") from exc
    return members


def section(lines: str = "with lines") -> dict[str, bytes]:
    """Compile this Python's section of the archive that runs, with or "without lines": {member name: bytes}.

    It imports every module and patches the regular expression compiler, so it needs a process of its own.
    """
    importer = next(finder for finder in sys.meta_path if type(finder).__name__ == "Importer")
    sources: dict[str, tuple[bool, bytes]] = importer.sources()  # type: ignore[attr-defined]
    code: Code = {name: (is_package, compiled(name, is_package, text)) for name, (is_package, text) in sources.items()}
    importer.use(code)  # type: ignore[attr-defined]
    groups, patterns, needed = _imported(code, importer)
    source, pattern_files = _compiled_patterns(patterns, needed)
    code["webtool._patterns"] = (False, compiled("webtool._patterns", False, source.encode("ascii")))
    whole = b"".join(name.encode("ascii") + text for name, (_, text) in sorted(sources.items()))
    quick = _quick(sources, groups)
    if lines == "without lines":
        code = {name: (is_package, without_lines(body)) for name, (is_package, body) in code.items()}
        quick = {
            name: (without_lines(body), imports, {key: without_lines(rare) for key, rare in functions.items()})
            for name, (body, imports, functions) in quick.items()
        }
    members = _members(code, groups, hashlib.sha256(whole).digest()[:8], quick)
    # The start line puts a folder with these modules on sys.path, before the archive itself.
    for name in FIRST:
        path = _path(name, sources[name][0])
        members[f"{bundle.SECTION}/{path}c"] = _pyc(code[name][1], sources[name][1])
    return {**members, **{f"webtool/{name}": data for name, data in pattern_files.items()}}


def compiled(name: str, is_package: bool, text: bytes) -> CodeType:
    """Compile a module without docstrings and without what only type checkers read."""
    path = _path(name, is_package)
    return _code(_tree(text, path), path)


def _code(tree: ast.Module, path: str) -> CodeType:
    code: CodeType = compile(tree, path, "exec", __future__.annotations.compiler_flag, dont_inherit=True, optimize=2)
    return code


def without_lines(code: CodeType) -> CodeType:
    """Return code whose instructions, and those of the functions in it, are all in the first line of their function."""
    constants = tuple(without_lines(value) if isinstance(value, type(code)) else value for value in code.co_consts)
    units, size = divmod(len(code.co_code), 16)
    changes: dict[str, Any] = {"co_consts": constants}
    if sys.version_info >= (3, 11):  # pairs (kind of entry and count of up to 8 instructions, change of the line)
        changes["co_linetable"] = b"\xef\x00" * units + (bytes([0xE7 + size // 2, 0]) if size else b"")
    elif sys.version_info >= (3, 10):  # pairs (bytes of instructions, change of the line)
        changes["co_linetable"] = b"\x10\x00" * units + (bytes([size, 0]) if size else b"")
    else:
        changes["co_lnotab"] = b""
    return code.replace(**changes)


def _tree(text: bytes, path: str) -> ast.Module:
    """Parse a module and drop what only type checkers read: annotations, their imports, `if TYPE_CHECKING`.

    `from __future__ import annotations` becomes a compiler flag. An import of collections.abc for annotations alone is
    dropped, because it loads all of collections, which costs 2 ms. The fields of records and TypedDicts stay.
    """
    tree = ast.parse(text, path)
    tree.body = [kept for node in tree.body for kept in _without_types(node)]
    names_in_code: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names_in_code.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given, node.returns = node.args, None
            for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if argument is not None:
                    argument.annotation = None
        elif isinstance(node, ast.Module) or (isinstance(node, ast.ClassDef) and not _has_fields(node)):
            node.body = [_without_annotation(inner) for inner in node.body]
        for field in node._fields:
            value = getattr(node, field)
            if isinstance(value, list):
                waiting += [inner for inner in value if isinstance(inner, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields and field != "annotation":
                waiting.append(value)
    tree.body = [node for node in tree.body if not _is_import_for_types(node, names_in_code)]
    return tree


def _without_types(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements that run of `if TYPE_CHECKING: ... else: ...`; any other statement as it is."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return node.orelse
    return [node]


def _has_fields(node: ast.ClassDef) -> bool:
    """Whether the annotations of a class mean something when it is made, as those of a NamedTuple do."""
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return bool(bases & {"NamedTuple", "TypedDict"} or node.keywords or node.decorator_list)


def _without_annotation(node: ast.stmt) -> ast.stmt:
    """Turn `name: type = value` into `name = value`, and `name: type` into `pass`."""
    if not isinstance(node, ast.AnnAssign):
        return node
    plain = ast.Assign([node.target], node.value) if node.value else ast.Pass()
    return ast.fix_missing_locations(ast.copy_location(plain, node))


def _is_import_for_types(node: ast.stmt, names_in_code: set[str]) -> bool:
    """Whether a statement imports, for annotations alone, from a module that has types."""
    if not isinstance(node, ast.ImportFrom) or node.module not in TYPES:
        return False
    return names_in_code.isdisjoint(alias.asname or alias.name for alias in node.names)


def _path(name: str, is_package: bool) -> str:
    return name.replace(".", "/") + ("/__init__.py" if is_package else ".py")


def _imported(code: Code, importer: object) -> tuple[dict[str, list[str]], object, int]:
    """Import everything; return ({group: module names}, the module webtool.lean.patterns, number of needed patterns).

    The names of a group are in the order in which the modules finished running, so that each comes after those that it
    imports. webtool.lean.patterns has recorded every pattern that a module asked for; those of the groups in WHOLE
    come first, and are the needed ones.
    """
    check_groups(set(code) | {"webtool._schemas"})
    ran: dict[str, None] = {}
    run = importer.exec_module  # type: ignore[attr-defined]
    importer.exec_module = lambda module: (run(module), ran.setdefault(module.__name__))  # type: ignore[attr-defined]
    for name in list(sys.modules):
        if name.startswith("webtool.") and name not in ("webtool.bundle", __name__):
            del sys.modules[name]
    for name in GROUPS["start"]:
        _try_import(name)
    start = set(sys.modules)  # the group "start" compiles no pattern, so recording begins after it
    patterns = importlib.import_module("webtool.lean.patterns")
    patterns.seen = {}  # type: ignore[attr-defined]
    placed = {"webtool", "webtool.bundle", "webtool.__main__"}
    groups: dict[str, list[str]] = {}
    needed = 0
    for group, names in GROUPS.items():
        for name in names or sorted(code):
            _try_import(name)
        if group in bundle.WHOLE:
            needed = len(patterns.seen)
        known = start if group == "start" else set(sys.modules)
        if group == "rest":
            members = {name for name in code if not name.startswith(SELDOM)}
        else:
            members = (known | set(names)) & set(code) - {__name__} if names else set(code)
        groups[group] = [name for name in ran if name in members - placed] + sorted(members - placed - set(ran))
        placed |= members
    home = next(group for group, names in groups.items() if "webtool.lean.patterns" in names)
    groups[home].insert(0, "webtool._patterns")
    groups["start"].insert(0, "webtool.bundle")  # the first, because it reads the others
    return groups, patterns, needed


def check_groups(modules: set[str]) -> None:
    """Raise LookupError if GROUPS names a module that is not in `modules`: its group would lack what it imports."""
    for group, names in GROUPS.items():
        missing = set(names) - modules
        if missing:
            raise LookupError(f"group {group} names {', '.join(sorted(missing))}, which does not exist")


def _quick(sources: dict[str, tuple[bool, bytes]], groups: dict[str, list[str]]) -> dict[str, Quick]:
    """Return what bundle.py needs to run each module of the groups in WHOLE without its import statements.

    A module may take from those that ran before it, and from the standard library.
    """
    quick: dict[str, Quick] = {}
    known: set[str] = set()
    rare = _rare_names()
    for group, names in groups.items():
        for name in names:
            if group in bundle.WHOLE and name in sources:
                is_package, text = sources[name]
                path = _path(name, is_package)
                tree = _tree(text, path)
                functions = _without_functions(tree, rare.get(name, frozenset()))
                imports = _without_imports(tree, known)
                if functions:
                    imports.append(("webtool.bundle", (("_rarely", "rarely"),)))
                defined = {key: _code(ast.Module([node], []), path) for key, node in functions.items()}
                quick[name] = (_code(tree, path), tuple(imports), defined)
            known.add(name)
    return quick


def _without_imports(tree: ast.Module, known: set[str]) -> list[Import]:
    """Remove the import statements that begin a module; return them as bundle.bind() takes them.

    Imports of modules of webtool that are not in `known` stay: they are part of a cycle.
    """
    table: dict[str, list[tuple[str, str]]] = {}
    kept: list[ast.stmt] = []
    for position, node in enumerate(tree.body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # the docstring
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            kept += tree.body[position:]
            break
        if isinstance(node, ast.Import) and any("." in alias.name and not alias.asname for alias in node.names):
            kept.append(node)  # `import a.b` binds a, and bind() would not import b
            continue
        names = _imported_names(node)
        if any(source.split(".")[0] == "webtool" and source not in known for source, _, _ in names):
            kept.append(node)
            continue
        for source, local, attribute in names:
            table.setdefault(source, []).append((local, attribute))
    tree.body = kept
    return [(source, tuple(names)) for source, names in table.items()]


def _imported_names(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str, str]]:
    """Return (module, local name, attribute) for each name of an import statement; "" is the module itself."""
    names = []
    for alias in node.names:
        local = alias.asname or alias.name.partition(".")[0]
        if isinstance(node, ast.Import):
            names.append((alias.name if alias.asname else local, local, ""))
            continue
        source = node.module or ""
        submodule = f"{source}.{alias.name}"
        if submodule in sys.modules and vars(sys.modules[source]).get(alias.name) is sys.modules[submodule]:
            names.append((submodule, local, ""))
        else:
            names.append((_in_c(source, alias.name), local, alias.name))
    return names


def _in_c(source: str, name: str) -> str:
    """Return the module in C that a module of the standard library takes this function from, or its own name.

    `from operator import mul` would run operator.py first; the three of WRAPPERS cost an open 1.5 % of its CPU.
    """
    if source in WRAPPERS:
        inner = importlib.import_module("_" + source)
        if vars(inner).get(name) is vars(importlib.import_module(source))[name]:
            return "_" + source
    return source


def _without_functions(tree: ast.Module, rare: Set[str]) -> dict[str, ast.FunctionDef]:
    """Replace the functions named in `rare` ("name", "Class.method") by calls of bundle.rarely(); return them.

    A function that needs its class (super(), a private name with two underscores, an attribute as a default) stays.
    """
    removed: dict[str, ast.FunctionDef] = {}
    for prefix, body in bundle.scopes(tree):
        defined = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        of_class = _names_bound(body) if prefix else set()
        for position, node in enumerate(body):
            if not isinstance(node, ast.FunctionDef) or prefix + node.name not in rare:
                continue
            if defined.count(node.name) > 1 or _needs_its_class(node, of_class):
                continue
            removed[prefix + node.name] = node
            value: ast.expr = ast.Call(ast.Name("_rarely", ast.Load()), [ast.Constant(prefix + node.name)], [])
            for decorator in reversed(node.decorator_list):
                value = ast.Call(decorator, [value], [])
            node.decorator_list = []
            body[position] = ast.fix_missing_locations(
                ast.copy_location(ast.Assign([ast.Name(node.name, ast.Store())], value), node)
            )
    return removed


def _names_bound(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that the statements of a class define."""
    bound: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        else:
            bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return bound


def _needs_its_class(function: ast.FunctionDef, of_class: Set[str]) -> bool:
    """Whether a method means something else outside its class, which defines the names `of_class`."""
    defaults = [node for node in (*function.args.defaults, *function.args.kw_defaults) if node is not None]
    if any(isinstance(node, ast.Name) and node.id in of_class for value in defaults for node in ast.walk(value)):
        return True
    for node in ast.walk(function):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name == "super" or (name.startswith("__") and not name.endswith("__")) or name == "__class__":
            return True
    return False


def _rare_names() -> dict[str, frozenset[str]]:
    """Return {module: names of its rare functions} from rare_functions.txt, which tests/bench/rare.py writes."""
    lines = datafiles.read(__name__, "rare_functions.txt").decode("ascii").splitlines()
    return {module: frozenset(names.split()) for module, _, names in (line.partition(":") for line in lines)}


def _members(code: Code, groups: dict[str, list[str]], digest: bytes, quick: dict[str, Quick]) -> dict[str, bytes]:
    """Return the groups as archive members {name: bytes}; the group "start" begins with the head."""
    indexes: dict[str, dict[str, tuple[bool, str, int, int]]] = {}
    data: dict[str, bytes] = {}
    rare: dict[str, bytes] = {}
    for group, names in groups.items():
        indexes[group], data[group] = {}, b""
        if group in bundle.WHOLE:
            whole = {name: (code[name][0], *quick.get(name, (code[name][1], (), {}))[:2]) for name in names}
            data[group] = marshal.dumps(whole)
            indexes[group] = {name: (code[name][0], group, 0, len(data[group])) for name in names}
            functions = {name: marshal.dumps(quick[name][2]) for name in names if name in quick and quick[name][2]}
            if functions:
                rare[group + "-rare"] = marshal.dumps(functions)
            continue
        for name in names:
            marshalled = marshal.dumps(code[name][1])
            indexes[group][name] = (code[name][0], group, len(data[group]), len(data[group]) + len(marshalled))
            data[group] += marshalled
    start = indexes.pop("start")
    others = marshal.dumps({name: place for index in indexes.values() for name, place in index.items()}, 2)
    start[""] = (False, "start", len(data["start"]), len(data["start"]) + len(others))
    index = marshal.dumps(start, 2)
    head = importlib.util.MAGIC_NUMBER + digest + len(index).to_bytes(4, "little") + index
    data["start"] = head + data["start"] + others
    return {f"webtool/{bundle.SECTION}-{group}.bin": content for group, content in {**data, **rare}.items()}


def _pyc(code: CodeType, text: bytes) -> bytes:
    """Return a module's .pyc file as zipimport reads it: hash-based and unchecked (PEP 552)."""
    head = importlib.util.MAGIC_NUMBER + (0b01).to_bytes(4, "little") + importlib.util.source_hash(text)
    return head + marshal.dumps(code)


def _try_import(name: str) -> None:
    if name.endswith("__main__"):
        return
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # for example a Python without sqlite3: such modules are compiled, but their patterns are not


def _compiled_patterns(patterns: object, needed: int) -> tuple[str, dict[str, bytes]]:
    """Compile every pattern that webtool.lean.patterns has recorded; the first `needed` ones go to a file of their own.

    Returns the source of the module _patterns, and the files that it reads, {name: bytes}. A name has the digest of the
    bytes, so that Pythons which compile patterns alike (3.11 to 3.15 do) share the files.
    """
    keys = list(patterns.seen)  # type: ignore[attr-defined]
    files: dict[str, bytes] = {}
    for part in (keys[:needed], keys[needed:]):
        data = marshal.dumps({key: _compiled_pattern(key[2], key[1]) for key in sorted(part)}, 2)
        files[f"patterns-{hashlib.sha256(data).hexdigest()[:8]}.bin"] = data
    engine: tuple[object, ...] = patterns.ENGINE  # type: ignore[attr-defined]
    source = f"""import marshal
ENGINE = {engine!r}
FILES = {list(files)!r}
def read():
    return marshal.loads(__loader__.get_data(__file__[:-{len("_patterns.py")}] + FILES.pop(0)))
"""
    return source, files


def _compiled_pattern(pattern: str | bytes, flags: int) -> tuple[object, ...]:
    """Return what Python's compiler hands to the matching engine: flags, code, number of groups, their names."""
    import _sre  # type: ignore[import-not-found]
    import struct

    if sys.version_info >= (3, 11):
        import re._compiler as compiler
    else:
        import sre_compile as compiler
    arguments: list[object] = []

    class Engine:
        """Replaces the engine while one pattern is compiled, and records the arguments of the call."""

        MAGIC = _sre.MAGIC
        __getattr__ = staticmethod(lambda name: getattr(_sre, name))  # type: ignore[misc]

        @staticmethod
        def compile(_pattern: object, all_flags: int, code: list[int], *rest: object) -> None:
            arguments.extend((int(all_flags), struct.pack(f"={len(code)}I", *code), *rest))

    real, compiler._sre = compiler._sre, Engine()  # type: ignore[attr-defined]
    try:
        compiler.compile(pattern, flags)
    finally:
        compiler._sre = real  # type: ignore[attr-defined]
    return tuple(arguments)
