"""Functions of an archive that read their bodies when they are first called. In: a function's name. Out: the function.

setup/syntax_trees.py puts `name = rarely("name", "name")` in place of `def name`, for functions that hardly any page
calls; the archive's importer (bundle.py) has their bodies.
Tests: tests/test_build.py
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any


def rarely_in(namespace: dict[str, Any]) -> Callable[[str, str], object]:
    """Return rarely() for the module with this namespace: the functions that it makes have the module's globals."""
    namespace["_first_call"] = first_call
    return _Function(rarely.__code__, namespace)  # type: ignore[no-any-return]


def rarely(name: str, path: str) -> object:
    """Return the function `name`, still without its body. `path` is "name", or "Class.name" for a method.

    The first call reads the body. From then on it is the function that the source defines:

    before the first call   code: that of function(); defaults: _late
    while it is replaced    code: that of function(); defaults: those of the source, and _late
    after the first call    code and defaults: those of the source (an unused _late stays among the defaults)

    Another thread may call the function while it is replaced. Then it gets the source's defaults as arguments and is
    replaced once more by an equal one. A start makes 600 of these functions, so little is done for each here.
    """

    def function(*values: object, _late: Any, **named: object) -> object:
        return _first_call(*_late, values, named)  # type: ignore[name-defined]  # noqa: F821 -- see rarely_in()

    function.__kwdefaults__ = {"_late": (function, path)}
    function.__name__ = name
    return function


def first_call(function: Any, path: str, values: Any, named: Any) -> object:
    """Give a function that rarely() made its body, and call it."""
    namespace = function.__globals__
    defined: dict[str, Any] = {}
    functions = of_module(namespace["__loader__"], namespace["__name__"], namespace["__file__"])
    exec(functions[path], namespace, defined)
    real = defined.popitem()[1]
    function.__defaults__ = real.__defaults__
    function.__kwdefaults__ = {**(real.__kwdefaults__ or {}), "_late": (function, path)}
    function.__code__ = real.__code__
    return function(*values, **named)


_Function: Any = type(first_call)


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
