"""Compile the modules and patterns of an archive for one Python. In: an archive. Out: a section, as archive members.

webtool/bundle.py describes sections and groups. Each Python compiles its own section: make() starts it, writes the
archive to its stdin and reads the section from its stdout. No files are shared, so that Python may run in a container
or an emulator. syntax_trees.py takes out what a start does not need.

Equal archives and Pythons give equal bytes: the child hashes sets with a fixed seed and gets a fixed environment, so
even what depends on reference counts is equal (marshal writes an object that is used twice as a reference). What other
Pythons read too, such as patterns, is marshalled in version 2, which has no references.
Tests: tests/test_build.py, tests/lean/test_patterns.py
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import marshal
import os
import struct
import subprocess
import sys

from webtool import bundle
from webtool.lean import datafiles
from webtool.providers.table import PROVIDERS
from webtool.setup import syntax_trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType
    from typing import Any

    Code = dict[str, tuple[bool, CodeType]]  # module: is it a package, its code
    Index = dict[str, tuple[bool, str, int, int]]  # module: is it a package, its group, begin and end in the group
    # A module of a group in bundle.WHOLE, as _quick() prepares it: its code without imports and rare functions, its
    # imports for bundle.bind(), the code of its rare functions.
    Quick = tuple[CodeType, tuple[syntax_trees.Import, ...], dict[str, CodeType]]

SECONDS = 300.0  # a Python that takes longer for its section is given up; an emulated one takes a minute

# Group: the modules that begin it. Whatever these import, and no earlier group has, joins it. A module that is imported
# inside a function has to be named here. Each start reads the groups that it needs, in this order: `start`, then those
# in bundle.WHOLE, then the others. `rest` and `seldom` share the modules that are in no other group.
GROUPS = {
    "start": ("webtool.dispatch", "webtool.registry", "webtool._schemas"),
    "front": ("webtool.rare_functions", "webtool.cli.main", "webtool.cli.host", "webtool.schemas.arguments"),
    "http": (
        "webtool.tools", "webtool.net.messages", "webtool.net.statuses", "webtool.cache.tables",
        "webtool.cache.freshness", "webtool.lean.optional", "webtool.lean.typing", "webtool.net.decode",
        "webtool.answers.budget",
    ),
    "cache": ("webtool.cache.store", "webtool.cache.full_text"),
    "net": ("webtool.net.client", "webtool.robots.gate"),
    "html": ("webtool.html",),
    "page": (
        "webtool.tools.web_fetch", "webtool.tools.web_open", "webtool.visibility.hidden", "webtool.html.shell",
        "webtool.markdown", "webtool.html.head_links", "webtool.cache.front_matter",
    ),
    "open": ("webtool.extraction", "webtool.siteconfig"),
    "styles": ("webtool.css.sheets", "webtool.pages.elements"),
    "rules": ("webtool.pages.site_rule_pages",),
    "ask": (
        "webtool.tools.web_extract", "webtool.bulk.sources", "webtool.pages.local_file", "webtool.pages.url_rule",
        "webtool.cli.demo", "webtool.mcp.stdio", "webtool.mcp.tools",
        "webtool.tools.web_search", "webtool.tools.cache_search", "webtool.cli.page_options",
        *[f"webtool.providers.{provider.module}" for provider in PROVIDERS.values()],
        "webtool.answers.outline", "webtool.answers.finding", "webtool.answers.question.excerpt",
        "webtool.answers.question.quotes", "webtool.answers.sql", "webtool.pages.citation",
    ),
    "screen": ("webtool.cli.terminal.screen", "webtool.cli.terminal.stderr"),
    "rest": (),
    "seldom": (),
}  # fmt: skip
# Beginnings of module names. A module that no earlier group has goes to `seldom` if its name begins with one of these,
# else to `rest`. They belong to rare formats, to formulas without TeX, to help, and to commands that run for seconds or
# once. A release has only their source; a command that needs them compiles it in at most 0.2 s.
SELDOM = (
    "webtool.browser.", "webtool.bulk.", "webtool.setup.", "webtool.mcp.http_", "webtool.markdown.katex",
    "webtool.markdown.mathjax", "webtool.cli.terminal", "webtool.cli.help_text", "webtool.cli.topics",
    *[f"webtool.documents.{name}" for name in "bullets docx.styles drawings epub feeds formulas mail".split()],
    *[f"webtool.documents.{name}" for name in "number_formats odf pptx rtf sheets xlsx".split()],
    *[f"webtool.cli.commands.{name}" for name in "completion config doctor evidence extract_many tools".split()],
    "webtool.answer_types",  # which only type checkers read
    "webtool.documents.pdf.objects.aes",  # for encrypted files, whose decryption takes longer than compiling it
    "webtool.html.guessing",  # for bytes that declare no encoding and are not UTF-8
)  # fmt: skip

ZIPIMPORTED = ("webtool", "webtool.__main__")  # at every start; the group "start" comes after them

# The program of the child: its stdin is the archive, its stdout the section.
_CHILD = """
import marshal, os, sys, tempfile
sys.path[:] = [path for path in sys.path if path]
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "webtool.pyz")
    with open(path, "wb") as file:
        file.write(sys.stdin.buffer.read())
    sys.path.insert(0, path)
    from webtool.setup import bytecode
    made = bytecode.section(*sys.argv[1:])
sys.stdout.buffer.write(marshal.dumps(made, 2))
"""
_KEPT_VARIABLES = ("PATH", "HOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def make(python: Sequence[str], archive: bytes, with_lines: bool = True) -> dict[str, bytes]:
    """Return the section that `python` (a command with arguments) compiles: {member name: bytes}. Raises OSError.

    Without lines, which are a seventh of a section, a traceback names the first line of each function.
    """
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment["PYTHONHASHSEED"] = "0"
    # no_debug_ranges leaves out the column of each instruction, a third of the bytes; line numbers stay.
    command = [*python, "-X", "no_debug_ranges", "-S", "-s", "-c", _CHILD, *([] if with_lines else ["without lines"])]
    try:
        done = subprocess.run(command, input=archive, capture_output=True, timeout=SECONDS, env=environment)
    except subprocess.TimeoutExpired as exc:
        raise OSError(f"{' '.join(python)} did not end in {SECONDS:g} s") from exc
    if done.returncode:
        error_lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it printed no error"]
        raise OSError(f"{' '.join(python)} cannot compile webtool: {error_lines[-1]}")
    try:
        return {**marshal.loads(done.stdout)}
    except (EOFError, ValueError, TypeError) as exc:
        raise OSError(f"{' '.join(python)} returned no section: {exc}") from exc


def section(lines: str = "with lines") -> dict[str, bytes]:
    """Compile the section of the archive that runs. It patches the regex compiler, so it needs its own process."""
    importer = next(finder for finder in sys.meta_path if type(finder).__name__ == "Importer")
    sources: dict[str, tuple[bool, bytes]] = importer.sources()  # type: ignore[attr-defined]
    code: Code = {name: (is_package, _compiled(name, is_package, text)) for name, (is_package, text) in sources.items()}
    importer.use(code)  # type: ignore[attr-defined]
    groups, patterns, needed = _imported(code, importer)
    source, files = compile_patterns(patterns, needed)
    code["webtool._patterns"] = (False, _compiled("webtool._patterns", False, source.encode("ascii")))
    every_source = b"".join(name.encode("ascii") + text for name, (_, text) in sorted(sources.items()))
    quick = _quick(sources, groups)
    if lines == "without lines":
        code = {name: (is_package, syntax_trees.without_lines(body)) for name, (is_package, body) in code.items()}
        for name, (body, imports, functions) in quick.items():
            rare = {key: syntax_trees.without_lines(function) for key, function in functions.items()}
            quick[name] = (syntax_trees.without_lines(body), imports, rare)
    members = _members(code, groups, hashlib.sha256(every_source).digest()[:8], quick)
    # The archive's start line (PREAMBLE in zip_archive.py) puts the folder SECTION on sys.path, before the archive.
    for name in ZIPIMPORTED:
        members[f"{bundle.SECTION}/{_path(name, sources[name][0])}c"] = _pyc(code[name][1], sources[name][1])
    return {**members, **{f"webtool/{name}": data for name, data in files.items()}}


def _compiled(name: str, is_package: bool, text: bytes) -> CodeType:
    """Compile a module without docstrings and without what only type checkers read."""
    path = _path(name, is_package)
    return syntax_trees.code(syntax_trees.tree(text, path), path)


def _path(name: str, is_package: bool) -> str:
    return name.replace(".", "/") + ("/__init__.py" if is_package else ".py")


def _imported(code: Code, importer: Any) -> tuple[dict[str, list[str]], ModuleType, int]:
    """Import everything; return ({group: module names}, the module webtool.lean.patterns, number of needed patterns).

    Names come after those that they import. The needed patterns are those of groups in bundle.WHOLE; these groups come
    first, so their patterns are the first that are recorded.
    """
    check_groups(set(code) | {"webtool._schemas"})
    ran: dict[str, None] = {}
    run = importer.exec_module
    importer.exec_module = lambda module: (run(module), ran.setdefault(module.__name__))
    for name in list(sys.modules):
        if name.startswith("webtool.") and name not in ("webtool.bundle", __name__):
            del sys.modules[name]
    placed = {"webtool", "webtool.bundle", "webtool.__main__"}
    groups: dict[str, list[str]] = {}
    needed = 0
    for group, names in GROUPS.items():
        for name in names or sorted(set(code) - set(ZIPIMPORTED)):
            try:
                importlib.import_module(name)
            except ImportError as exc:
                if (exc.name or "webtool").startswith("webtool"):
                    raise  # else a Python without sqlite3: it compiles the modules that need it, but not their patterns
        if group == "rest":
            members = {name for name in code if not name.startswith(SELDOM)}
        elif group == "seldom":
            members = set(code)
        else:
            # `names` too: a module that this Python cannot import belongs to its group nevertheless.
            members = (set(code) - {__name__}) & {*sys.modules, *names}
        members -= placed
        groups[group] = [name for name in ran if name in members] + sorted(members - set(ran))
        placed |= members
        if group == "start":  # it compiles no pattern, so that recording may begin after it
            patterns = importlib.import_module("webtool.lean.patterns")
            patterns.seen = {}  # type: ignore[attr-defined]
        if group in bundle.WHOLE:
            needed = len(patterns.seen)
    home = next(group for group, names in groups.items() if "webtool.lean.patterns" in names)
    groups[home].insert(0, "webtool._patterns")
    groups["start"].insert(0, "webtool.bundle")  # the first, because it reads the others
    return groups, patterns, needed


def check_groups(modules: set[str]) -> None:
    """Raise LookupError if groups in WHOLE do not come first, or if a name in GROUPS is not one of the modules."""
    if tuple(GROUPS)[: len(bundle.WHOLE) + 1] != ("start", *bundle.WHOLE):
        raise LookupError("GROUPS does not begin with start and the groups of bundle.WHOLE in their order")
    for group, names in GROUPS.items():
        missing = set(names) - modules
        if missing:
            raise LookupError(f"group {group} names {', '.join(sorted(missing))}, which does not exist")


def _quick(sources: dict[str, tuple[bool, bytes]], groups: dict[str, list[str]]) -> dict[str, Quick]:
    """Return what bundle.py needs to run each module of the groups in WHOLE without its import statements.

    Its imports may be of modules that ran before it, and of the standard library.
    """
    quick: dict[str, Quick] = {}
    known: set[str] = set()
    rare = _rare_names()
    for group, names in groups.items():
        for name in names:
            if group in bundle.WHOLE and name in sources:
                is_package, text = sources[name]
                path = _path(name, is_package)
                tree = syntax_trees.tree(text, path)
                imports = syntax_trees.without_imports(tree, known)
                functions = syntax_trees.without_functions(tree, rare.get(name, frozenset()))
                if functions:
                    imports.append(("webtool.rare_functions", (("_rarely_in", "rarely_in"),)))
                bodies = {key: syntax_trees.code(ast.Module([node], []), path) for key, node in functions.items()}
                quick[name] = (syntax_trees.code(tree, path), tuple(imports), bodies)
            known.add(name)
    return quick


def _rare_names() -> dict[str, frozenset[str]]:
    """Return {module: names of its rare functions} from rare_functions.txt, which tests/bench/rare.py writes."""
    lines = datafiles.read(__name__, "rare_functions.txt").decode("ascii").splitlines()
    return {module: frozenset(names.split()) for module, _, names in (line.partition(":") for line in lines)}


def _members(code: Code, groups: dict[str, list[str]], digest: bytes, quick: dict[str, Quick]) -> dict[str, bytes]:
    """Return the groups as archive members {name: bytes}; the group "start" begins with the head."""
    contents: dict[str, bytes] = {}
    indexes: dict[str, Index] = {}
    for group, names in groups.items():
        if group in bundle.WHOLE:
            contents[group], indexes[group] = _whole_group(group, names, code, quick)
            functions = {name: marshal.dumps(quick[name][2]) for name in names if name in quick and quick[name][2]}
            if functions:
                contents[group + "-rare"] = marshal.dumps(functions)
        else:
            contents[group], indexes[group] = _concatenated_group(group, names, code)
    start = indexes.pop("start")
    others = marshal.dumps({name: place for index in indexes.values() for name, place in index.items()}, 2)
    end = len(contents["start"])
    start[""] = (False, "start", end, end + len(others))  # the place of the second index, that of all other groups
    index = marshal.dumps(start, 2)
    head = importlib.util.MAGIC_NUMBER + digest + len(index).to_bytes(4, "little") + index
    contents["start"] = head + contents["start"] + others
    return {f"webtool/{bundle.SECTION}-{group}.bin": content for group, content in contents.items()}


def _whole_group(group: str, names: list[str], code: Code, quick: dict[str, Quick]) -> tuple[bytes, Index]:
    """Return the bytes and the index of a group whose modules run together: {name: (is a package, code, imports)}."""
    modules = {}
    for name in names:
        is_package, body = code[name]
        body, imports, _ = quick.get(name, (body, (), {}))
        modules[name] = (is_package, body, imports)
    content = marshal.dumps(modules)
    return content, {name: (code[name][0], group, 0, len(content)) for name in names}


def _concatenated_group(group: str, names: list[str], code: Code) -> tuple[bytes, Index]:
    """Return the bytes and the index of a group whose modules are read one by one."""
    content = b""
    index: Index = {}
    for name in names:
        is_package, body = code[name]
        marshalled = marshal.dumps(body)
        index[name] = (is_package, group, len(content), len(content) + len(marshalled))
        content += marshalled
    return content, index


def _pyc(code: CodeType, text: bytes) -> bytes:
    """Return a module's .pyc file as zipimport reads it: hash-based and unchecked (PEP 552)."""
    head = importlib.util.MAGIC_NUMBER + (0b01).to_bytes(4, "little") + importlib.util.source_hash(text)
    return head + marshal.dumps(code)


# --- Regular expressions ---
#
# Compiling all patterns of an `open` takes longer than the rest of it. So webtool.lean.patterns reads them compiled, as
# {key: arguments of the matching engine}. The digest in the name of their file lets Pythons share it.


def compile_patterns(patterns: ModuleType, needed: int) -> tuple[str, dict[str, bytes]]:
    """Compile the recorded patterns; return (source of the module _patterns, {file name: bytes}).

    The first `needed` patterns have a file of their own. Its name is the first in FILES. read() of the module returns
    the content of the first file, then that of the other.
    """
    keys = list(patterns.seen)
    files: dict[str, bytes] = {}
    for part, end in ((keys[:needed], ".bin"), (keys[needed:], "-rest.bin")):
        data = marshal.dumps({key: _compiled_pattern(key[2], key[1]) for key in sorted(part)}, 2)
        files[f"patterns-{hashlib.sha256(data).hexdigest()[:8]}{end}"] = data
    source = f"""import marshal
ENGINE = {patterns.ENGINE!r}
FILES = {list(files)!r}
def read():
    folder = __file__[:-len("_patterns.py")]
    return marshal.loads(__loader__.unpacked(folder + FILES.pop(0)))
"""
    return source, files


def _compiled_pattern(pattern: str | bytes, flags: int) -> tuple[object, ...]:
    """Return what Python's compiler hands to the matching engine: flags, code, number of groups, their names."""
    import _sre  # type: ignore[import-not-found]

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
