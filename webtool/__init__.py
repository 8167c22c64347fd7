"""webtool: search, fetch, markdown, extraction, cache and an MCP server in one file, standard library only.

As a library: the functions in __all__, and one that `from webtool import *` leaves out, because a builtin has its name:

    open(url, *, settings=None, **parts)
        Return the main content of a page, kept in the cache: url, title, markdown, links, hash ...

Each is imported on first use; webtool.answer_types has the types of their answers. Every Python since 2.7 can read this
file and __main__.py, so that an old one prints a clear message instead of a syntax error.
Tests: tests/test_library.py
"""

import sys

__version__ = "0.3.0"


def _start_from(loader):  # type: ignore[no-untyped-def]
    """Load webtool.bundle from the archive and let it import the other modules; see webtool/bundle.py."""
    importlib = sys.modules["_frozen_importlib_external"]
    section = "%s-%d.%d" % (sys.implementation.name, sys.version_info[0], sys.version_info[1])
    folder = importlib.path_sep.join((loader.archive, "webtool"))
    try:
        start = loader.get_data(importlib.path_sep.join((folder, section + "-start.bin")))
    except Exception:  # no bytecode for this Python; or it is compressed, and is damaged or this Python has no zlib
        start = b""
    if start[:4] != importlib.MAGIC_NUMBER:  # the bytecode is of a test version of this Python
        start = b""
    if start:
        from marshal import loads

        index_size = int.from_bytes(start[12:16], "little")
        bundle = type(sys)("webtool.bundle")
        exec(loads(start[16 + index_size :]), bundle.__dict__)  # the first module after the index is bundle
        sys.modules["webtool.bundle"] = bundle
    else:
        # The archive's start line may have found this package in a folder of bytecode that has no bundle.
        __path__.append(folder)
    from webtool.bundle import install

    install(loader, start)


if hasattr(globals().get("__loader__"), "archive") and sys.version_info >= (3, 9):
    _start_from(__loader__)  # type: ignore[name-defined,no-untyped-call]

# Public name: the module that defines it.
_LIBRARY = {
    "to_markdown": "library",
    "extract": "library",
    "parse_html": "html",
    "parse_fragment": "html",
    "sniff_encoding": "html",
    "Extraction": "extraction",
    "fetch": "library",
    "open": "library",
    "search": "library",
    "run": "library",
    "outline": "answers.outline",
    "section": "answers.outline",
    "find": "answers.finding",
    "excerpt": "answers.question.excerpt",
    "verify": "answers.question.quotes",
    "extract_many": "bulk.many",
    "to_markdown_many": "bulk.many",
    "records": "bulk.warc",
}

__all__ = [
    "Extraction", "excerpt", "extract", "extract_many", "fetch", "find", "outline", "parse_fragment", "parse_html",
    "records", "run", "search", "section", "sniff_encoding", "to_markdown", "to_markdown_many", "verify",
]  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answers.finding import find as find
    from webtool.answers.outline import outline as outline
    from webtool.answers.outline import section as section
    from webtool.answers.question.excerpt import excerpt as excerpt
    from webtool.answers.question.quotes import verify as verify
    from webtool.bulk.many import extract_many as extract_many
    from webtool.bulk.many import to_markdown_many as to_markdown_many
    from webtool.bulk.warc import records as records
    from webtool.extraction import Extraction as Extraction
    from webtool.html import parse_fragment as parse_fragment
    from webtool.html import parse_html as parse_html
    from webtool.html import sniff_encoding as sniff_encoding
    from webtool.library import extract as extract
    from webtool.library import fetch as fetch
    from webtool.library import open as open  # noqa: A004
    from webtool.library import run as run
    from webtool.library import search as search
    from webtool.library import to_markdown as to_markdown


def __getattr__(name):  # type: ignore[no-untyped-def]
    # PEP 562: `import webtool` must cost nothing, because every command begins with it. `from webtool import x` calls
    # this for submodules too, before it imports them.
    if name in _LIBRARY:
        # A program that uses the library may have threads; webtool/lean/imports.py explains why that matters.
        from importlib import import_module

        imports = import_module("webtool.lean.imports")
        imports.make_whole()
        value = getattr(imports.load("webtool." + _LIBRARY[name]), name)
        globals()[name] = value
        return value
    if name == "archives":  # a public module: webtool.archives.pages() works after `import webtool`
        from importlib import import_module

        return import_module("webtool.archives")
    raise AttributeError("module 'webtool' has no attribute %r" % name)


def __dir__():  # type: ignore[no-untyped-def]
    names = set(globals()).union(_LIBRARY)  # Python 2.7 cannot read {*globals(), *_LIBRARY}
    return sorted(names - {"__dir__", "__getattr__"})  # help(webtool) shows what is listed here
