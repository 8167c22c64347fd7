"""Functions of an archive that read their bodies when they are first called. In: a function's name. Out: the function.

setup/syntax_trees.py puts `name = rarely("name")` in place of `def name`, for functions that hardly any page calls;
the archive's importer (bundle.py) has their bodies.
Tests: tests/test_build.py
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any


def rarely(name: str) -> Callable[..., object]:
    """Return the function `name` ("Class.name" for a method) of the calling module, still without its body.

    The first call reads the body. From then on it is the function that the source defines:

    before the first call   code: that of _unread(); defaults: _first_call
    while it is replaced    code: that of _unread(); defaults: those of the source, and _first_call
    after the first call    code and defaults: those of the source (an unused _first_call stays among the defaults)

    Another thread may call the function while it is replaced. Then _unread() gets the source's defaults as arguments
    and replaces the function once more by an equal one.
    """
    namespace = sys._getframe(1).f_globals

    def first_call(values: Any, named: Any) -> object:
        defined: dict[str, Any] = {}
        functions = of_module(namespace["__loader__"], namespace["__name__"], namespace["__file__"])
        exec(functions[name], namespace, defined)
        real = defined.popitem()[1]
        function.__defaults__ = real.__defaults__
        function.__kwdefaults__ = {**(real.__kwdefaults__ or {}), "_first_call": first_call}
        function.__code__ = real.__code__
        return function(*values, **named)

    function: Any = _Function(_UNREAD, namespace, name.rpartition(".")[2])
    function.__kwdefaults__ = {"_first_call": first_call}
    return function  # type: ignore[no-any-return]


def _unread(*values: object, _first_call: Any, **named: object) -> object:
    return _first_call(values, named)


_Function: Any = type(_unread)
_UNREAD = _unread.__code__


def of_module(loader: Any, module: str, path: str) -> dict[str, CodeType]:
    """Return {name or "Class.name": code that defines the function}: the module's rare functions, or all of them."""
    try:
        return loader.rare(module)  # type: ignore[no-any-return]
    except Exception:  # the bodies are left out or damaged, or compressed and this Python has no lzma
        return _compiled(loader.get_source(module), path)


def _compiled(source: str, path: str) -> dict[str, CodeType]:
    """Compile each function and method of a module by itself."""
    import __future__

    import ast

    codes: dict[str, CodeType] = {}
    flags = __future__.annotations.compiler_flag
    for prefix, body in scopes(ast.parse(source, path)):
        for node in body:
            if isinstance(node, ast.FunctionDef):
                node.decorator_list = []
                codes[prefix + node.name] = compile(ast.Module([node], []), path, "exec", flags, dont_inherit=True)
    return codes


def scopes(tree: Any) -> list[tuple[str, list[Any]]]:
    """Return the statements of a module and of each of its classes: [("", ...), ("Class.", ...)]."""
    import ast

    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [("", tree.body), *((f"{node.name}.", node.body) for node in classes)]
