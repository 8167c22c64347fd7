"""Rewrite the syntax trees of modules, so that less is run and read at a start. In: source text. Out: code objects.

Each function here takes out one kind of thing:

    tree()                what only type checkers read, from a module's tree
    without_imports()     the import statements that begin a module, which webtool/bundle.py carries out faster
    without_functions()   functions that hardly any page calls, whose bodies are read when they are called
    code()                docstrings and assertions, while it compiles a tree
    without_lines()       line numbers and qualified names, from compiled code

A release applies them in this order.
Tests: tests/test_build.py
"""

from __future__ import annotations
import __future__

import ast
import importlib
import sys

from webtool import rare_functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from types import CodeType
    from typing import Any

    Import = tuple[str, tuple[tuple[str, str], ...]]  # module, and (local name, attribute or "") for each name

_WRAPPERS = ("operator", "struct", "bisect")  # modules of the standard library that wrap one in C
_TYPES = ("__future__", "collections.abc", "webtool.lean.typing")  # modules that annotations take their names from


# --- What only type checkers read ---


def tree(text: bytes, path: str) -> ast.Module:
    """Parse a module and drop what only type checkers read: annotations, their imports, `if TYPE_CHECKING`.

    `from __future__ import annotations` becomes a compiler flag. An import of collections.abc for annotations alone is
    dropped, because it loads all of collections, which costs 2 ms. The fields of records and TypedDicts stay.
    """
    module = ast.parse(text, path)
    module.body = [statement for node in module.body for statement in _without_types(node)]
    names_in_code: set[str] = set()
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            names_in_code.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _drop_annotations(node)
        elif isinstance(node, ast.Module) or (isinstance(node, ast.ClassDef) and not _has_fields(node)):
            node.body = [_without_annotation(inner) for inner in node.body]
        waiting += _nodes_that_run(node)
    module.body = [node for node in module.body if not _is_import_for_types(node, names_in_code)]
    return module


def _nodes_that_run(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node, without annotations and without empty ones such as ast.Load."""
    children: list[ast.AST] = []
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, list):
            children += [inner for inner in value if isinstance(inner, ast.AST)]
        elif isinstance(value, ast.AST) and value._fields and field != "annotation":
            children.append(value)
    return children


def _drop_annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    function.returns = None
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    for argument in every:
        if argument is not None:
            argument.annotation = None


def _without_types(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements that run of `if TYPE_CHECKING: ... else: ...`; any other statement as it is."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return node.orelse
    return [node]


def _has_fields(node: ast.ClassDef) -> bool:
    """Return whether Python reads the annotations of a class when it makes the class, as for a NamedTuple."""
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
    return bool(bases & {"NamedTuple", "TypedDict"} or node.keywords or node.decorator_list)


def _without_annotation(node: ast.stmt) -> ast.stmt:
    """Turn `name: type = value` into `name = value`, and `name: type` into `pass`."""
    if not isinstance(node, ast.AnnAssign):
        return node
    plain = ast.Assign([node.target], node.value) if node.value else ast.Pass()
    return ast.fix_missing_locations(ast.copy_location(plain, node))


def _is_import_for_types(node: ast.stmt, names_in_code: set[str]) -> bool:
    """Return whether a statement imports, for annotations alone, from a module that has types."""
    if not isinstance(node, ast.ImportFrom) or node.module not in _TYPES:
        return False
    return names_in_code.isdisjoint(alias.asname or alias.name for alias in node.names)


# --- Import statements ---


def without_imports(module: ast.Module, known: set[str]) -> list[Import]:
    """Remove and return the imports that a module begins with, for bundle.bind().

    `known` are the modules that ran before. An import of another module of webtool stays: it is part of a cycle.
    """
    table: dict[str, list[tuple[str, str]]] = {}
    kept: list[ast.stmt] = []
    for position, node in enumerate(module.body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # the docstring
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            kept += module.body[position:]
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
    module.body = kept
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

    `from operator import mul` would run operator.py first; the three of _WRAPPERS cost web_open 1.5 % of its CPU time.
    """
    if source not in _WRAPPERS:
        return source
    try:
        inner = importlib.import_module("_" + source)
    except ImportError:
        return source  # not CPython
    is_inner = vars(inner).get(name) is vars(importlib.import_module(source))[name]
    return "_" + source if is_inner else source


# --- Functions that are read late ---


def without_functions(module: ast.Module, rare: Set[str]) -> dict[str, ast.FunctionDef]:
    """Replace the `rare` functions by rarely(), and return them; one that needs its class stays.

    The module then begins with `_rarely = _rarely_in(globals())`; its importer has to define _rarely_in.
    """
    removed: dict[str, ast.FunctionDef] = {}
    for prefix, body in rare_functions.scopes(module):
        defined = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        class_names = _names_bound(body) if prefix else set()
        for position, node in enumerate(body):
            if not isinstance(node, ast.FunctionDef) or prefix + node.name not in rare:
                continue
            if defined.count(node.name) > 1 or _needs_its_class(node, class_names):
                continue
            removed[prefix + node.name] = node
            body[position] = _call_of_rarely(node, prefix + node.name)
    if removed:
        module.body[:0] = ast.parse("_rarely = _rarely_in(globals())").body
    return removed


def _call_of_rarely(function: ast.FunctionDef, path: str) -> ast.Assign:
    """Return `function = decorator(_rarely(name, path))`, and take the decorators from the function."""
    names: list[ast.expr] = [ast.Constant(function.name), ast.Constant(path)]
    value: ast.expr = ast.Call(ast.Name("_rarely", ast.Load()), names, [])
    for decorator in reversed(function.decorator_list):
        value = ast.Call(decorator, [value], [])
    function.decorator_list = []
    assignment = ast.Assign([ast.Name(function.name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(assignment, function))


def _names_bound(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that the statements of a class define."""
    bound: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        else:
            bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return bound


def _needs_its_class(function: ast.FunctionDef, class_names: Set[str]) -> bool:
    """Return whether a method needs its class: `def m(self, n=LIMIT)` if that has a LIMIT, or super()."""
    defaults = [node for node in (*function.args.defaults, *function.args.kw_defaults) if node is not None]
    if any(isinstance(node, ast.Name) and node.id in class_names for value in defaults for node in ast.walk(value)):
        return True
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    names.update(node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute))
    return any(map(_is_bound_to_class, names))


def _is_bound_to_class(name: str) -> bool:
    """Return whether a name means something else outside a class: super, __class__, and private names (__name)."""
    return name in ("super", "__class__") or (name.startswith("__") and not name.endswith("__"))


# --- Compiled code ---


def code(module: ast.Module, path: str) -> CodeType:
    """Compile a tree without docstrings and assertions."""
    flags = __future__.annotations.compiler_flag
    compiled: CodeType = compile(module, path, "exec", flags, dont_inherit=True, optimize=2)
    return compiled


def without_lines(compiled: CodeType) -> CodeType:
    """Return code whose instructions, and those of the functions in it, are all in the first line of their function.

    Its functions lose their qualified names, too: "Cache.get" becomes "get", a string that the code has anyway.
    """
    constants = tuple(
        [without_lines(value) if isinstance(value, type(compiled)) else value for value in compiled.co_consts]
    )
    table = "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"
    changes: dict[str, Any] = {"co_consts": constants, table: _one_line(len(compiled.co_code))}
    if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
        changes["co_qualname"] = compiled.co_name
    return compiled.replace(**changes)


def _one_line(size: int) -> bytes:
    """Return the line table of `size` bytes of instructions that are all in the first line.

    Each Python has its own format (Objects/locations.md, lnotab_notes.txt in CPython's sources).
    """
    full, rest = divmod(size, 16)  # an entry is for at most 8 instructions of 2 bytes
    if sys.version_info >= (3, 11):
        # An entry is 0xE8 + number of instructions - 1 ("without columns"), then the change of the line: 0.
        return b"\xef\x00" * full + (bytes([0xE8 + rest // 2 - 1, 0]) if rest else b"")
    if sys.version_info >= (3, 10):  # an entry is the bytes of its instructions, then the change of the line
        return b"\x10\x00" * full + (bytes([rest, 0]) if rest else b"")
    return b""
