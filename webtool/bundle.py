"""Import webtool's modules from an archive that packs them into a few members. In: the archive. Out: an importer.

Reading the directory of a zip archive costs 10 microseconds an entry, and importing a module from one costs 0.3 ms. So
build.py packs modules that are used together into one member. Words used here:

group     modules that are packed into one member, as marshalled code
section   All groups for one Python version. webtool/__init__.py finds the section of the running Python and runs this
          module from it. setup/bytecode.py writes sections.
release   the archive that is given away, with a section for each Python
rare      A rare function reads its body when it is first called (rare_functions.py). Rare functions are a fifth of the
          bytes that `webtool open` would read.

The members of an archive for CPython 3.13, below webtool/:

cpython-3.13-start.bin       the group `start`: the modules that `webtool --schema` needs, this one first
cpython-3.13-page.bin        the group `page`: what opening a page (`webtool open`) needs besides
cpython-3.13-page-rare.bin   the bodies of the rare functions in the group `page`
_sources.zip                 the source of every module, for tracebacks and for a Python that has no section
_data.zip                    the small data files: help, scripts, site rules
patterns-HASH.bin            the compiled regular expressions of the groups in WHOLE, shared by Pythons that agree
patterns-HASH-rest.bin       the compiled regular expressions of all other groups
bundle.py, __init__.py ...   the modules in SINGLE, as source and bytecode, which zipimport finds

A group begins in one of three ways:

start           HEADER bytes: the magic number of its Python (4 bytes), the digest of the sources (8), the length of
                the index that follows (4). An index is {module name: (is a package, group, begin, end)}: where each
                module's code lies in its group. The entry "" of this index is the place of a second index in the
                group `start`, which has the modules of all other groups.
a group in      One marshalled {module name: (is a package, code, imports)}, in the order in which the modules need
WHOLE           each other. Importing one of them runs them all, which spares importlib's look-ups and locks: 16 ms
                instead of 22 for `webtool open`. `imports` are the import statements at the top of a module as a
                table: ((module, ((local name, attribute or ""), ...)), ...). bind() carries them out. As statements,
                their 1,700 names cost 2 % of `webtool open`.
other groups    the marshalled code of each module, concatenated

A release is packed tighter. It deflates sources and groups, and packs those that few commands need by LZMA. It leaves
out the group `seldom`, whose modules are compiled from source. A traceback from its code names the first line of each
function; with WEBTOOL_DEBUG the sources run instead and give exact lines.
Tests: tests/test_build.py
"""

from __future__ import annotations

import marshal
import os
import sys
from _thread import _count as other_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, ModuleType
    from typing import Any

    Imports = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

# Modules that are members of their own, so that zipimport finds them.
SINGLE = ("__init__", "__main__", "bundle", "lean/inflate")
# Groups that run completely when one of their modules is imported.
WHOLE = ("front", "http", "cache", "net", "html", "page", "open", "styles", "rules")
HEADER = 16  # bytes before the first index in the group "start"
SECTION = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
SOURCES, DATA = "_sources.zip", "_data.zip"


class Importer:
    """A finder and loader for sys.meta_path (importlib.abc: MetaPathFinder, InspectLoader, ResourceLoader).

    Threads need no lock: reading a group or an index a second time gives an equal value.
    """

    def __init__(self, archive: Any, start: bytes) -> None:
        self.archive: str = archive.archive  # its path, as zipimporter spells it
        self._archive = archive
        self._folder = os.path.join(self.archive, "webtool")
        # Module -> (is a package, code, imports). _whole() adds the groups that it reads, and use() replaces it. A
        # module in it is never looked up in _modules or _texts.
        self._compiled: dict[str, tuple[bool, CodeType, Imports]] = {}
        self._modules: dict[str, tuple[bool, str, int, int]] = {}  # the indexes that were read
        self._texts: dict[str, tuple[bool, bytes]] = {}  # sources(); {} until one is needed
        self._groups: dict[str, memoryview] = {}  # group -> its bytes
        self._rare: dict[str, dict[str, bytes]] = {}  # group -> {module: its rare functions, marshalled}
        self._ran: set[str] = set()  # groups in WHOLE that ran
        self._data: dict[str, bytes] = {}  # members of _data.zip; {} until one is asked for
        if start:
            codes = HEADER + int.from_bytes(start[12:HEADER], "little")
            self._modules = marshal.loads(start[HEADER:codes])
            self._groups["start"] = memoryview(start)[codes:]
        else:
            self._texts = self.sources()

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        """Return the spec of a module of webtool, or None for any other module."""
        if not name.startswith("webtool."):
            return None
        modules = self._modules
        if name not in modules and "" in modules:  # no change in place: another thread may be here, too
            _, group, begin, end = modules[""]
            others = marshal.loads(self._group(group)[begin:end])
            self._modules = {**others, **{known: place for known, place in modules.items() if known}}
        for table in (self._compiled, self._modules, self._texts):
            if name in table:
                return self._spec(name, is_package=table[name][0])
        return None

    def _spec(self, name: str, is_package: bool) -> Any:
        spec = _ModuleSpec(name, self, origin=self._path(name, is_package), is_package=is_package)
        spec.has_location = True
        return spec

    def create_module(self, _spec: object) -> None:
        """Let importlib create an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code; if its group is in WHOLE, run the code of the whole group."""
        name = module.__name__
        group = self._modules[name][1] if name in self._modules else ""
        # _run_group() puts a module into sys.modules before it runs, without importlib's locks. Another thread could
        # take it from there unfinished. So while other threads run, importlib imports a group's modules one by one.
        may_run_group = group in WHOLE and group not in self._ran and not other_threads()
        if may_run_group and self._run_group(group, module):
            return
        code, imports = self._code(name)
        bind(imports, module.__dict__)
        exec(code, module.__dict__)

    def _run_group(self, group: str, first: ModuleType) -> bool:
        """Run all modules of a group. `first` is the one that importlib has created. Return whether `first` has run."""
        self._ran.add(group)
        try:
            whole = self._whole(group)
        except Exception:  # the group cannot be read: _code() compiles the source and says why
            return False
        first_name = first.__name__  # importlib has put it into sys.modules
        # No module is imported twice here, as each comes after all that it imports (tests/test_layers.py: no circles).
        names = [name for name in whole if name == first_name or name not in sys.modules]
        modules = {name: first if name == first_name else self._new_module(name, whole[name][0]) for name in names}
        # A package's __init__ often imports its modules, so these come before it and run first. Running a module needs
        # its package in sys.modules, so all packages are put there before anything runs.
        sys.modules.update({name: module for name, module in modules.items() if whole[name][0]})
        ran: set[str] = set()
        try:
            for name, module in modules.items():
                sys.modules[name] = module
                _, code, imports = whole[name]
                bind(imports, module.__dict__, quick=True)
                exec(code, module.__dict__)
                parent, _, child = name.rpartition(".")
                if parent not in sys.modules:
                    __import__(parent)
                setattr(sys.modules[parent], child, module)
                ran.add(name)
        except ImportError:
            pass  # for example a Python without sqlite3: the modules that work without it are imported one by one
        finally:
            for name in names:
                if name not in ran and name != first_name:
                    sys.modules.pop(name, None)
        return first_name in ran

    def _new_module(self, name: str, is_package: bool) -> ModuleType:
        """Create a module as importlib does, except for __cached__, which would name a file that does not exist."""
        spec = self._spec(name, is_package)
        # Each import statement looks this up; without it, it raises and drops an AttributeError (1.7 % of an open).
        spec._initializing = False
        module = type(sys)(name)
        names = {"__spec__": spec, "__loader__": self, "__package__": spec.parent, "__file__": spec.origin}
        if is_package:
            names["__path__"] = spec.submodule_search_locations
        module.__dict__.update(names)
        return module

    def get_data(self, path: str) -> bytes:
        """Return the bytes of a data file beside a module. `path` begins with the archive's path, or is absolute."""
        folder = self.archive + os.sep
        if not path.startswith(folder):
            folder = os.path.abspath(self.archive) + os.sep
        member = path[len(folder) :] if path.startswith(folder) else path
        try:
            return self._inflated(member)
        except OSError:
            if not self._data:
                self._data = dict(_stored(self._inflated(os.path.join(self._folder, DATA))))
            member = member.replace(os.sep, "/")
            if member not in self._data:
                raise
        return self._data[member]

    def get_source(self, name: str) -> str | None:
        """Return a module's source, for tracebacks; None for a module without one."""
        self._texts = self._texts or self.sources()
        return self._texts[name][1].decode("utf-8") if name in self._texts else None

    def sources(self) -> dict[str, tuple[bool, bytes]]:
        """Return {module name: (is a package, source)} for every module."""
        texts = {}
        for path, text in _stored(self._inflated(os.path.join(self._folder, SOURCES))):
            name = path[: -len(".py")].replace("/", ".")
            is_package = name.endswith(".__init__")
            texts[name[: -len(".__init__")] if is_package else name] = (is_package, text)
        return texts

    def _inflated(self, path: str) -> bytes:
        """Return the bytes of a member that a release deflates as PATH.deflate. Raises OSError if it is missing."""
        try:
            packed: bytes = self._archive.get_data(path)
            return packed
        except OSError:
            packed = self._archive.get_data(path + ".deflate")
        try:
            import zlib

            return zlib.decompress(packed, -15)
        except ImportError:
            namespace: dict[str, Any] = {"__name__": "webtool.lean.inflate"}
            exec(self._archive.get_data(os.path.join(self._folder, "lean", "inflate.py")), namespace)
            inflated: bytes = namespace["inflate"](packed)
            return inflated

    def use(self, compiled: dict[str, tuple[bool, CodeType]]) -> None:
        """From now on run this code: {module name: (is a package, result of compile())}.

        setup/bytecode.py calls this in an archive without sections, to compile one. rare() no longer works then.
        """
        self._modules = {}
        self._compiled = {name: (is_package, code, ()) for name, (is_package, code) in compiled.items()}

    def rare(self, name: str) -> dict[str, CodeType]:
        """Return the rare functions of a module: {name: code that defines it}. Raises an error if they are damaged."""
        group = self._modules[name][1]
        if group not in self._rare:
            self._rare[group] = marshal.loads(self.unpacked(self._member(group + "-rare")))
        functions: dict[str, CodeType] = marshal.loads(self._rare[group][name])
        return functions

    def _member(self, group: str) -> str:
        return os.path.join(self._folder, f"{SECTION}-{group}.bin")

    def _path(self, name: str, is_package: bool) -> str:
        path = self.archive + os.sep + name.replace(".", os.sep)
        return f"{path}{os.sep}__init__.py" if is_package else path + ".py"

    def _code(self, name: str) -> tuple[CodeType, Imports]:
        """Return a module's code, and the imports that it needs before it runs."""
        if name in self._compiled:
            return self._compiled[name][1:]
        if name in self._modules:
            _, group, begin, end = self._modules[name]
            try:
                if group in WHOLE:
                    return self._whole(group)[name][1:]
                code: CodeType = marshal.loads(self._group(group)[begin:end])
                return code, ()
            except Exception:  # it is left out or damaged, or compressed and this Python has no zlib or lzma
                self._texts = self._texts or self.sources()
        if name not in self._texts:  # webtool._patterns, the table of compiled patterns, exists as bytecode only
            raise ImportError(f"no source of {name}")
        is_package, text = self._texts[name]
        return compile(text, self._path(name, is_package), "exec", dont_inherit=True), ()

    def _whole(self, group: str) -> dict[str, tuple[bool, CodeType, Imports]]:
        """Read a group in WHOLE, and remember its modules for _code(), which imports one by one what could not run."""
        whole: dict[str, tuple[bool, CodeType, Imports]] = marshal.loads(self.unpacked(self._member(group)))
        self._compiled.update(whole)
        return whole

    def _group(self, group: str) -> memoryview:
        if group not in self._groups:
            self._groups[group] = memoryview(self.unpacked(self._member(group)))
        return self._groups[group]

    def unpacked(self, path: str) -> Any:
        """Return the bytes of a group or of patterns.

        A release stores those that few commands need as .xz: a fifth smaller, 5 to 10 ms to unpack.
        """
        try:
            return self._archive.get_data(path)
        except OSError:
            packed = self._archive.get_data(path + ".xz")
        from _lzma import LZMADecompressor  # importing lzma itself would cost half as much as the unpacking

        return LZMADecompressor().decompress(packed)


def install(archive: Any, start: bytes) -> None:
    """Register an Importer for `archive`, the zipimporter of an archive that build.py made.

    `start` is the group "start" of this Python's section. It is b"" if no such section exists; then each module is
    compiled from its source when it is imported.
    """
    if start and os.environ.get("WEBTOOL_DEBUG", "") not in ("", "0") and _is_release(archive):
        start = b""
    sys.meta_path.insert(0, Importer(archive, start))


def _is_release(archive: Any) -> bool:
    try:
        archive.get_data(os.path.join(archive.archive, "webtool", SOURCES + ".deflate"))
    except OSError:
        return False
    return True


def bind(imports: Imports, namespace: dict[str, Any], quick: bool = False) -> None:
    """Carry out import statements given as a table: put what they import into a module's namespace.

    `quick` takes a module that is in sys.modules as it is: no other thread can be importing it.
    """
    modules = sys.modules
    for source, names in imports:
        if not quick or source not in modules:
            try:
                __import__(source)
            except ImportError:
                if not source.startswith("_"):
                    raise
                source = source[1:]  # a Python without _bisect has bisect
                __import__(source)
        module = modules[source]
        for local, attribute in names:
            try:
                namespace[local] = getattr(module, attribute) if attribute else module
            except AttributeError as exc:
                raise ImportError(str(exc), name=source) from None


_ModuleSpec = sys.modules["_frozen_importlib"].ModuleSpec


def _stored(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) of each member of an uncompressed zip archive.

    It reads the local file headers (APPNOTE.TXT section 4.3.7), because importing the zipfile module costs 10 ms.
    """
    header = 0  # position of the current local file header
    while archive[header : header + 4] == b"PK\3\4":
        name_end = header + 30 + int.from_bytes(archive[header + 26 : header + 28], "little")
        begin = name_end + int.from_bytes(archive[header + 28 : header + 30], "little")
        end = begin + int.from_bytes(archive[header + 18 : header + 22], "little")
        yield archive[header + 30 : name_end].decode("ascii"), archive[begin:end]
        header = end
