"""The archive: same input, same bytes; runs from anywhere, under any name, on a machine that offers little."""

import ast
import builtins
import contextlib
import email
import functools
import hashlib
import io
import json
import marshal
import ntpath
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import time
import tokenize
import types
import zipfile
import zlib

import pytest
from servers import Server, page

import build as build_script
import webtool
from webtool import bundle, errors, rare_functions
from webtool.setup import bytecode, distributions, syntax_trees, tool_links, zip_archive

ROOT = pathlib.Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
HOME = pathlib.Path.home()  # each test has one of its own
NAMES = ["web-search-brave-tool", "web-search-google-tool", "web-search-duckduckgo-tool", "web-fetch-tool"]
# Modules that build.py writes: a checkout does not have them.
WRITTEN = {"webtool/_schemas.py", "webtool/extraction/labels/_ready.py"}
posix = pytest.mark.skipif(os.name != "posix", reason="symlinks and shells of POSIX")


def run(command, **options):
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], **options.pop("env", {})}
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(command, capture_output=True, timeout=300, env=environment, **options)


def build(folder, python=sys.executable, **environment):
    """Copy the checkout, so that its files have other dates, and build the archive there."""
    shutil.copytree(ROOT / "webtool", folder / "webtool", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "build.py", folder)
    for path in (folder / "webtool").rglob("*.py"):
        os.utime(path)
    done = run([python, "build.py"], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return folder / "dist" / "webtool.pyz"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """An archive of a copy; nobody changes it."""
    return build(tmp_path_factory.mktemp("built"))


def test_two_builds_have_equal_bytes(built, archive):
    assert built.read_bytes() == archive.read_bytes()


def members_of(archive):
    """The uncompressed members of an archive, by name."""
    return {name: archive.read(name) for name in archive.namelist()}


@functools.cache
def other_python():
    """A Python of another version than this one, or a reason to skip."""
    folders = [pathlib.Path(folder) for folder in os.get_exec_path()]
    folders += sorted(HOME.glob(".pyenv/versions/*/bin"))
    for minor in {*range(9, 16)} - {sys.version_info[1]}:
        for path in (folder / f"python3.{minor}" for folder in folders):
            if path.exists():
                done = run([str(path), "-c", "import sys; print(sys.executable)"])  # pyenv has a script there
                if done.returncode == 0:
                    return done.stdout.decode().strip()
    pytest.skip("only one Python here")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A release for this Python and another one: (the archive, the other Python)."""
    other, folder = other_python(), tmp_path_factory.mktemp("release")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
        patch.setattr(build_script, "DIST", str(folder))
        patch.setenv("HOME", "/")  # the machine's other Pythons are left out
        patch.setenv("PATH", "")
        assert build_script.main(["--release", "--python", other]) == 0
    assert printed.getvalue().count("with cpython-3.") == 2, printed.getvalue()
    return folder / "webtool.pyz", other


@pytest.fixture(scope="module")
def installed(archive, tmp_path_factory):
    """An archive that another Python installed, with bytecode for this one and that one."""
    folder = tmp_path_factory.mktemp("installed")
    done = run([other_python(), str(archive), "install", str(folder)])
    assert (done.returncode, done.stderr) == (0, b"")
    return folder / "webtool.pyz"


def test_builds_with_another_python_have_equal_bytes_too(archive, installed, tmp_path):
    """Whatever the seed of its hashes; only the sections differ, and each is that which an installation adds."""
    with zipfile.ZipFile(build(tmp_path, other_python(), PYTHONHASHSEED="1")) as file:
        foreign = members_of(file)
    with zipfile.ZipFile(archive) as file:
        own = members_of(file)
    with zipfile.ZipFile(installed) as file:
        section = {name: data for name, data in members_of(file).items() if name not in own}
    assert any(name.endswith("-start.bin") for name in section)
    assert {name: foreign[name] for name in section} == section
    written = (*section, *(name for name in own if "cpython-3" in name or "patterns-" in name or name.endswith(".pyc")))
    both = own.keys() & foreign.keys() - {*written}
    assert {"webtool/_data.zip", "webtool/_sources.zip"} <= both
    assert {name: own[name] for name in both} == {name: foreign[name] for name in both}


def test_seven_pythons_fit_into_a_release(release):
    """With as many bytes for each as this Python's section has; those of 3.9 and 3.10 are a tenth smaller."""
    with zipfile.ZipFile(release[0]) as file:
        sizes = [(info.filename, info.compress_size + 2 * len(info.filename) + 76) for info in file.infolist()]
    own = sum(size for name, size in sizes if bundle.SECTION in name)
    common = sum(size for name, size in sizes if "cpython-3" not in name)
    assert common + (6.8 if sys.version_info >= (3, 11) else 7.5) * own < build_script.MAX_BYTES


# Prints, for each module, what its rare functions are called.
RARE = """
import sys
sys.modules["_lzma"] = None if sys.argv[2] == "no lzma" else sys.modules.get("_lzma") or __import__("_lzma")
sys.path.insert(0, sys.argv[1])
import webtool
from webtool import rare_functions
importer = sys.meta_path[0]
importer.find_spec("webtool.net")  # reads the index
for name, (_, group, *_) in sorted(importer._modules.items()):
    if group in ("page", "net"):
        try:
            functions = rare_functions.of_module(importer, name, name)
        except KeyError:
            continue
        for key, code in sorted(functions.items()):
            space = {"_Any": None}
            try:
                exec(code, space)
                print(name, key, space[key.rpartition(".")[2]].__code__.co_varnames)
            except NameError:
                pass  # of a default
"""


def test_rare_functions_come_from_the_source_where_lzma_is_missing(release):
    with_lzma, without = (
        set(run([sys.executable, "-c", RARE, str(release[0]), way]).stdout.decode().splitlines())
        for way in ("", "no lzma")
    )
    assert len(with_lzma) > 40
    assert with_lzma <= without


# A function that fails, compiled without lines; prints the line that the traceback names.
FAILING = """
import sys, traceback
def fail(n):
    n += 1
    for value in range(n):
        def inner(x): return (

            x / value)
        try:
            inner(1)
        except ZeroDivisionError as exc:
            return [line for _, line in traceback.walk_tb(exc.__traceback__)], "".join(traceback.format_exception(
                type(exc), exc, exc.__traceback__))
"""


def test_code_without_lines_names_the_first_line_of_each_function():
    space = {}
    exec(syntax_trees.without_lines(compile(FAILING, "failing.py", "exec")), space)
    lines, text = space["fail"](3)
    assert lines == [3, 6]
    assert 'File "failing.py", line 6, in inner' in text


@pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info < (3, 11), reason="code has no qualified name to replace"
)
def test_functions_of_code_without_lines_have_plain_names():
    space = {}
    exec(
        syntax_trees.without_lines(compile("class Cache:\n    def get(self): return lambda: 1", "c.py", "exec")), space
    )
    method = space["Cache"].get
    assert (space["Cache"].__qualname__, method.__qualname__, method(0).__qualname__) == ("Cache", "get", "<lambda>")


def test_a_release_runs_its_sources_where_webtool_debug_asks_for_tracebacks(release):
    script = "import sys; sys.path.insert(0, sys.argv[1])\nimport webtool\nwebtool.to_markdown(5)"
    lines = []
    for debug in ("0", "1"):
        done = run([sys.executable, "-c", script, str(release[0])], env={"WEBTOOL_DEBUG": debug})
        lines.append(
            int(re.findall(r"library\.py., line (\d+), in to_markdown", done.stderr.decode().replace('"', "'"))[0])
        )
    source = (ROOT / "webtool" / "library.py").read_text("utf-8").split("\n")
    assert source[lines[0] - 1].startswith("def to_markdown(")
    assert source[lines[1] - 1].startswith("    ")


def test_what_a_release_has_as_source_alone_runs(release, tmp_path):
    done = run([sys.executable, "-I", str(release[0]), "install", str(tmp_path)])
    assert (done.returncode, done.stderr) == (0, b"")
    with zipfile.ZipFile(release[0]) as file:
        assert not any("-seldom." in name for name in file.namelist())


# Ends as the start line's process does, and says which groups of modules were read.
GROUPS = """
import os, sys
leave = os._exit
def print_groups(status):
    print("slow:", {"collections", "functools", "operator", "re", "struct", "typing"} & {*sys.modules}, file=sys.stderr)
    importer = next(one for one in sys.meta_path if type(one).__name__ == "Importer")
    print(*sorted({*importer._groups, *(importer._modules[name][1] for name in importer._compiled)}), file=sys.stderr)
    sys.stderr.flush()
    leave(status)
os._exit = print_groups
del sys.argv[0]
sys.path.insert(0, sys.argv[0])
import webtool.__main__
"""


@pytest.mark.parametrize(("words", "groups"), [
    ("fetch --schema", "start"),
    ("fetch --demo", "ask front html http net page start styles"),
    ("extract -", "ask front html http net open page start"),
    ("open http://127.0.0.1:9/", "cache front html http net open page start"),
    ("mcp", "ask front http start"),
    ("search tides --offline", "ask cache front html http start"),
])  # fmt: skip
def test_a_start_reads_only_what_it_needs(archive, words, groups):
    done = run([sys.executable, "-I", "-S", "-c", GROUPS, str(archive), *words.split()], input=b"<p>Words.", stdin=None)
    assert done.stderr.decode().splitlines()[-1] == groups


ARTICLE = "<title>Tides</title><h1>Tides</h1>" + "<p>The moon draws the water up the estuary twice a day.</p>" * 9


@pytest.mark.parametrize(("words", "groups"), [
    ("fetch URL/page", "cache front html http net page start"),
    ("open URL/page", "cache front html http net open page start"),
    ("open URL/page --mode full --json", "cache front html http net page start"),
])  # fmt: skip
def test_a_page_is_opened_without_reading_the_groups_of_rare_modules(archive, tmp_path, words, groups):
    """A module that moves out of its group's imports lands in `rest`, which costs each open some milliseconds more."""
    env = {"WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1", "WEBTOOL_CACHE_PATH": str(tmp_path / "cache.sqlite3")}
    with Server({"/robots.txt": (404, {}, b""), "/page": page(ARTICLE)}) as server:
        argv = [sys.executable, "-I", "-S", "-c", GROUPS, str(archive), *words.replace("URL", server.url).split()]
        done = run(argv, env=env)
    assert b"The moon draws the water" in done.stdout, done.stderr
    assert done.stderr.decode().splitlines()[-2:] == ["slow: set()", groups]


def test_a_group_that_names_a_module_which_does_not_exist_is_refused(monkeypatch):
    modules = {name for names in bytecode.GROUPS.values() for name in names}
    monkeypatch.setitem(bytecode.GROUPS, "front", ("webtool.cli.moved_away",))
    with pytest.raises(LookupError, match=r"group front names webtool\.cli\.moved_away"):
        bytecode.check_groups(modules)


def test_a_group_that_is_read_in_parts_before_one_that_runs_as_a_whole_is_refused(monkeypatch):
    groups = [*bytecode.GROUPS.items()]
    groups[1:1] = [("ask2", ())]
    monkeypatch.setattr(bytecode, "GROUPS", dict(groups))
    with pytest.raises(LookupError, match="does not begin with start"):
        bytecode.check_groups(set().union(*bytecode.GROUPS.values()))


# Every module of the groups that run as a whole: by one import of each group, and by an import of its own.
RUN = """
import sys, threading
from importlib import import_module
sys.path.insert(0, sys.argv[1])
import webtool
from webtool import bundle, errors
importer = sys.meta_path[0]
importer.find_spec("webtool.net")  # reads the index
modules = {name: place[1] for name, place in importer._modules.items() if place[1] in sys.argv[2:]}
if sys.argv[2:] == ["net"]:  # as with a thread that may be importing too
    threading.Thread(target=threading.Event().wait, daemon=True).start()
names = list(modules)
first = {group: name for name, group in reversed(modules.items())}
for name in first.values():
    import_module(name)
at_once = len([name for name in names if name in sys.modules])
assert at_once == len(names) or sys.argv[2:] == ["net"], set(names) - set(sys.modules)
for name in names:
    module = import_module(name)
    parent, _, child = name.rpartition(".")
    assert module is sys.modules[name] and hasattr(sys.modules[parent], child)
    spec = module.__spec__
    assert spec is not None and module.__name__ == name
    assert (module.__name__, module.__file__, module.__package__) == (spec.name, spec.origin, spec.parent), name
    assert module.__loader__ is importer and getattr(module, "__path__", None) == spec.submodule_search_locations
print(at_once == len(names), len(names) > 10)
"""


@pytest.mark.parametrize(("groups", "at_once"), [("front http cache net html page open rules", True), ("net", False)])
def test_modules_that_are_needed_together_run_together_where_no_other_thread_is(archive, groups, at_once):
    done = run([sys.executable, "-I", "-S", "-c", RUN, str(archive), *groups.split()])
    assert done.stdout.decode().split() == [str(at_once), "True"], done.stderr


# Functions whose bodies an archive reads late: (source, names in the list, names that are read late, calls).
RARELY = """
import sys
LIMIT = 2
def top(a, /, b=LIMIT, *rest, c: int = 3, **named):
    return [a, b, rest, c, named, [n for n in range(LIMIT)]]
def each(n):
    yield from range(n)
class Base:
    def name(self):
        return "base"
class Thing(Base):
    SIZE = 5
    def __init__(self, n=1):
        self.n = n
    @property
    def half(self):
        return self.n / 2
    @staticmethod
    def double(n):
        return 2 * n
    @classmethod
    def made(cls, *, n):
        return cls(n)
    def sized(self, n=SIZE + 1):
        return n
    def sizes(self, *, n=(lambda: 0, double)):
        return len(n)
    def name(self):
        return super().name() + "d"
    def _hidden(self):
        return self.__private
    __private = 7
def twice(f):
    return lambda *a: f(f(*a))
@twice
def add(n):
    return n + 1
"""
LATE = ["Thing.__init__", "Thing.double", "Thing.half", "Thing.made", "add", "each", "top"]


def test_a_function_that_is_read_late_is_the_function_of_the_source(monkeypatch):
    """Defaults, keywords, generators, methods and decorators work; what needs its class stays where it is."""
    names = {
        "top",
        "each",
        "add",
        *(f"Thing.{name}" for name in ("__init__", "half", "double", "made", "sized", "sizes", "name", "_hidden")),
    }
    tree = syntax_trees.tree(RARELY.encode(), "rarely.py")
    functions = syntax_trees.without_functions(tree, names)
    assert sorted(functions) == LATE
    late = {key: syntax_trees.code(ast.Module([node], []), "rarely.py") for key, node in functions.items()}
    read = []

    class Loader:
        @staticmethod
        def rare(name):
            read.append(name)
            return late

    space = {"__name__": "rarely", "__file__": "rarely.py", "__loader__": Loader}
    space["_rarely_in"] = rare_functions.rarely_in
    exec(syntax_trees.code(tree, "rarely.py"), space)
    assert read == []
    for _ in range(2):
        assert space["top"](1) == [1, 2, (), 3, {}, [0, 1]]
        assert space["top"](1, 4, 5, c=6, d=7) == [1, 4, (5,), 6, {"d": 7}, [0, 1]]
        assert list(space["each"](3)) == [0, 1, 2]
        assert space["add"](1) == 3
        thing = space["Thing"].made(n=8)
        assert (thing.half, thing.double(4), thing.name(), thing._hidden()) == (4.0, 8, "based", 7)
        assert (thing.sized(), thing.sizes()) == (6, 2)
        with pytest.raises(TypeError, match="unexpected keyword argument 'm'"):
            thing.double(m=1)
    assert len(read) == len(LATE)
    assert space["top"].__name__ == "top"


def test_imports_become_a_table_up_to_the_first_other_statement():
    imports = "import os, time as clock\nfrom webtool import urls\nfrom webtool.errors import Cancelled as C\n"
    tree = syntax_trees.tree(f"{imports}X = 1\nimport re\n".encode(), "x.py")
    table = syntax_trees.without_imports(tree, {"webtool.errors"})
    assert table == [("os", (("os", ""),)), ("time", (("clock", ""),)), ("webtool.errors", (("C", "Cancelled"),))]
    assert [ast.unparse(node) for node in tree.body] == ["from webtool import urls", "X = 1", "import re"]
    space = {}
    bundle.bind(table, space)
    assert space == {"os": os, "clock": time, "C": errors.Cancelled}
    with pytest.raises(ImportError, match="no_such"):
        bundle.bind((("os", (("x", "no_such"),)),), {})
    submodule = syntax_trees.tree(b"import importlib.util\n", "x.py")
    assert syntax_trees.without_imports(submodule, set()) == []
    assert len(submodule.body) == 1


def test_a_module_that_cannot_be_imported_runs_once_and_its_private_name_is_tried_as_the_public_one(
    tmp_path, monkeypatch
):
    (tmp_path / "fails_at_import.py").write_text("runs = __import__('builtins').runs\nruns.append(1)\nimport no_such\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(builtins, "runs", [], raising=False)
    with pytest.raises(ImportError, match="no_such"):
        bundle.bind((("fails_at_import", (("x", "x"),)),), {})
    assert builtins.runs == [1]
    monkeypatch.setitem(sys.modules, "_bisect", None)
    space = {}
    bundle.bind((("_bisect", (("left", "bisect_left"),)),), space)
    assert space["left"]([1, 3], 2) == 1


EMPTY_INDEX = marshal.dumps({})


def test_a_data_file_on_another_drive_is_a_missing_file(monkeypatch):
    class Archive:
        archive = "C:\\tools\\webtool.pyz"

        def get_data(self, path):
            if path.endswith(bundle.DATA):
                return b""
            raise FileNotFoundError(path)

    start = b"\0" * 12 + len(EMPTY_INDEX).to_bytes(4, "little") + EMPTY_INDEX
    importer = bundle.Importer(Archive(), start)
    monkeypatch.setattr(bundle, "os", types.SimpleNamespace(path=ntpath, sep="\\"))
    with pytest.raises(OSError, match="help"):
        importer.get_data("D:\\help\\topic.md")


def test_a_wrapper_of_a_module_in_c_is_only_replaced_where_there_is_one(monkeypatch):
    source = b"from bisect import bisect_left\n"
    assert syntax_trees.without_imports(syntax_trees.tree(source, "x.py"), set())[0][0] == "_bisect"
    monkeypatch.setitem(sys.modules, "_bisect", None)
    assert syntax_trees.without_imports(syntax_trees.tree(source, "x.py"), set())[0][0] == "bisect"


def test_an_import_for_types_goes_only_if_its_name_is_not_read():
    source = b"from collections.abc import Set as AbstractSet\nfrom collections.abc import Sequence\nX = AbstractSet\n"
    assert [ast.unparse(node) for node in syntax_trees.tree(source, "x.py").body] == [
        "from collections.abc import Set as AbstractSet",
        "X = AbstractSet",
    ]


# Prints the first line of the source that an importer has of a module, or None.
SOURCE_OF = """
import sys
sys.path.insert(0, sys.argv[1])
import webtool
source = sys.meta_path[0].get_source(sys.argv[2])
print(source and source.splitlines()[0])
"""


@pytest.mark.parametrize(("module", "line"), [("webtool.urls", '"""'), ("webtool._patterns", "None")])
def test_a_module_that_has_no_source_says_so(archive, module, line):
    done = subprocess.run([sys.executable, "-c", SOURCE_OF, archive, module], capture_output=True, text=True)
    assert done.stdout.startswith(line), done.stderr


# What a module of webtool was made from: its section's bytecode (no docstring there) or the source.
ORIGIN = "import sys; sys.path.insert(0, sys.argv[1]); import webtool.errors; print(webtool.errors.__doc__ is None)"


def test_a_release_has_bytecode_for_every_python_it_was_built_for(release):
    archive, other = release
    for python in (sys.executable, other):
        assert run([python, "-I", "-c", ORIGIN, str(archive)]).stdout == b"True\n"
        page = run([python, str(archive), "extract", "-"], input=b"<h1>T</h1><p>Words.", stdin=None)
        assert b"Words." in page.stdout, page.stderr
    assert archive.stat().st_size < 8 << 20


def test_a_release_has_the_statements_of_each_module_in_their_lines_and_no_comment(release):
    with zipfile.ZipFile(release[0]) as archive:
        packed = zlib.decompress(archive.read("webtool/_sources.zip.deflate"), -15)
    with zipfile.ZipFile(io.BytesIO(packed)) as sources:
        bare = {name: sources.read(name).decode() for name in sources.namelist() if name not in WRITTEN}
    whole = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in (ROOT / "webtool").rglob("*.py")}
    assert bare.keys() == whole.keys()
    for name, text in bare.items():
        assert statements(text) == statements(whole[name]), name
        if "#" in text:  # in a string
            kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(text).readline)]
            assert tokenize.COMMENT not in kinds, name


def statements(source):
    """Keep each string with its line, except docstrings."""
    tokens = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            node.value.value = ""
        if isinstance(node, ast.stmt):
            tokens.append((type(node), node.lineno))
        elif isinstance(node, ast.Constant):
            tokens.append((node.value, node.lineno))
    return tokens


def test_a_release_prints_help_with_the_text_of_each_setting(release):
    text = run([sys.executable, str(release[0]), "help", "settings"]).stdout.decode()
    assert "Host names, addresses and CIDR blocks that may be fetched although they are not public." in text
    assert "move_into(XPATH)" in run([sys.executable, str(release[0]), "help", "rules"]).stdout.decode()


@pytest.mark.parametrize(("blocked", "is_bytecode"), [("", True), ("_lzma", False), ("zlib", False)])
def test_what_few_starts_need_is_there_whatever_the_python_can_unpack(release, blocked, is_bytecode):
    script = f"import sys; sys.modules[{blocked!r}] = None; sys.path.insert(0, sys.argv[1]);"
    script += "import webtool.documents.pdf as pdf; print(pdf.__doc__ is None)"
    done = run([sys.executable, "-I", "-c", script, str(release[0])])
    assert done.stdout.decode().strip() == str(is_bytecode), done.stderr


def test_a_release_has_a_bundle_for_mcp_hosts_and_a_wheel(release, tmp_path):
    folder = release[0].parent
    with zipfile.ZipFile(folder / "webtool.mcpb") as bundle:
        manifest = json.loads(bundle.read("manifest.json"))
        bundle.extractall(tmp_path)
    assert (tmp_path / "webtool.pyz").read_bytes() == release[0].read_bytes()
    config = manifest["server"]["mcp_config"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    words = [word.replace("${__dirname}", str(tmp_path)) for word in config["args"]]
    done = run([sys.executable, *words], input=message.encode() + b"\n", stdin=None)
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["version"] == manifest["version"]
    assert not (folder / "server.json").exists(), "it would have to name a repository"
    assert len(list(folder.glob("*.whl"))) == 1


PIP = [sys.executable, "-m", "pip", "-q", "--no-input", "--disable-pip-version-check"]
QUIET = {"PIP_ROOT_USER_ACTION": "ignore", "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder of an unpacked source distribution."""
    folder = tmp_path_factory.mktemp("source")
    name = build_script.build_sdist(str(folder))
    with tarfile.open(folder / name) as file:
        file.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return folder / name[: -len(".tar.gz")]


@pytest.fixture(scope="module")
def wheel(unpacked):
    """The wheel that `pip wheel` makes by the hooks of build.py, which `pip install .`, uv and pipx call too."""
    folder = unpacked.parent / "pip"
    done = run([*PIP, "wheel", "--wheel-dir", str(folder), str(unpacked)], env=QUIET)
    assert done.returncode == 0, done.stderr
    return next(folder.iterdir())


def test_a_source_distribution_builds_the_wheel_of_the_checkout(unpacked, wheel, tmp_path):
    name = build_script.build_wheel(str(tmp_path))
    assert wheel.name == name
    assert wheel.read_bytes() == (tmp_path / name).read_bytes()
    assert (unpacked / "PKG-INFO").read_bytes() == distributions.metadata()
    again = tmp_path / "again"
    again.mkdir()
    script = "import sys; sys.path.insert(0, '.'); import build; print(build.build_sdist(sys.argv[1]))"
    done = run([sys.executable, "-c", script, str(again)], cwd=unpacked)
    packed = again / done.stdout.decode().strip()
    assert packed.read_bytes() == (unpacked.parent / packed.name).read_bytes()


def test_a_source_distribution_has_what_git_has(unpacked):
    done = run(["git", "ls-files", *distributions.SOURCE_PATHS], cwd=ROOT) if shutil.which("git") else None
    if done is None or done.returncode or not done.stdout:
        pytest.skip("this folder is not a git checkout")
    held = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert set(done.stdout.decode().split()) <= held


def test_an_installed_checkout_has_its_commands_its_version_and_its_model(wheel, tmp_path):
    target = tmp_path / "site"
    done = run([*PIP, "install", "--target", str(target), str(wheel)], env=QUIET)
    assert done.returncode == 0, done.stderr
    assert (target / "webtool/extraction/model/model.bin").exists()
    page = run(
        [str(target / "bin" / "webtool"), "extract", "-"],
        input=b"<h1>T</h1><p>Words.",
        stdin=None,
        env={"PYTHONPATH": str(target)},
    )
    assert b"Words." in page.stdout, page.stderr
    schema = run([str(target / "bin" / "web-fetch-tool"), "--schema"], env={"PYTHONPATH": str(target)})
    assert json.loads(schema.stdout)["name"] == "web_fetch"
    script = "import importlib.metadata as m, webtool; print(m.version('webtool-pyz') == webtool.__version__)"
    assert run([sys.executable, "-c", script], env={"PYTHONPATH": str(target)}).stdout == b"True\n"


def test_an_editable_wheel_names_this_checkout(tmp_path):
    with zipfile.ZipFile(tmp_path / build_script.build_editable(str(tmp_path))) as wheel:
        assert wheel.read("webtool_pyz.pth").decode() == f"{ROOT}\n"
        assert not any(name.startswith("webtool/") for name in wheel.namelist())


def test_an_editable_wheel_names_a_checkout_beyond_ascii_in_every_locale(monkeypatch):
    monkeypatch.setattr(distributions, "CHECKOUT", "/b\xfccher/\u65e5's")
    line = distributions.editable_files()["webtool_pyz.pth"].decode("ascii")
    monkeypatch.setattr(sys, "path", [])
    exec(line)
    assert line.startswith("import ")  # site runs such lines of a .pth file
    assert sys.path == ["/b\xfccher/\u65e5's"]


def test_the_metadata_is_that_of_pyproject_toml():
    tomllib = pytest.importorskip("tomllib", reason="tomllib is part of Python from 3.11 on")
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    read = distributions.project()
    assert table.pop("dynamic") == ["version", "scripts"]
    assert read.pop("dynamic")
    assert read.pop("version") == [webtool.__version__]
    table["authors"] = [author["name"] for author in table["authors"]]
    assert read == {key: value if isinstance(value, list) else [value] for key, value in table.items()}
    fields = email.message_from_bytes(distributions.metadata())
    assert fields["Author"] in (ROOT / "LICENSE").read_text("utf-8")
    assert fields["License-File"] == "LICENSE"
    assert fields.get_all("Classifier") == table["classifiers"]
    assert distributions.metadata().decode().endswith("\n\n" + README)
    assert set(distributions.METADATA_FIELDS) == {*table, "version"} - {"readme"}


def test_readme_renders_in_an_index_which_has_no_files_beside_it():
    assert re.findall(r"!\[|\]\((?!https://)|<img", README) == []


def test_project_urls_are_only_where_a_repository_is_named():
    assert b"Project-URL" not in distributions.metadata()
    fields = email.message_from_bytes(distributions.metadata({"repository": "https://github.com/north/kiln"}))
    assert "Source, https://github.com/north/kiln" in fields.get_all("Project-URL")
    assert all((ROOT / path).exists() for path in re.findall(r"/blob/HEAD/(\S+)", str(fields)))


def test_server_json_is_written_for_a_repository_and_that_of_an_older_bundle_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(build_script, "DIST", str(tmp_path))
    build_script.write_for_mcp(b"program", ("north", "kiln"))
    digest = hashlib.sha256((tmp_path / "webtool.mcpb").read_bytes()).hexdigest()
    assert json.loads((tmp_path / "server.json").read_bytes())["packages"][0]["fileSha256"] == digest
    build_script.write_for_mcp(b"another program", None)
    assert [path.name for path in tmp_path.iterdir()] == ["webtool.mcpb"]


def test_server_json_names_the_bundle_of_a_github_release_by_its_digest():
    owner, name = build_script.github_repository("https://github.com/north/kiln.git")
    server = json.loads(distributions.server_json(owner, name, b"bundle"))
    package = server["packages"][0]
    assert server["name"] == "io.github.north/kiln"
    assert package["registryType"] == "mcpb"
    assert package["fileSha256"] == hashlib.sha256(b"bundle").hexdigest()
    assert package["identifier"].startswith("https://github.com/north/kiln/releases/download/v")
    assert package["identifier"].endswith("/webtool.mcpb")


@pytest.mark.parametrize("url", ["http://github.com/a/b", "https://github.com/a", "https://git.example/a/b", "webtool"])
def test_server_json_is_refused_for_what_is_not_a_github_repository(url, capsys):
    with pytest.raises(SystemExit, match="2"):
        build_script.main(["--release", "--repository", url])
    assert "is not https://github.com/OWNER/REPO" in capsys.readouterr().err


# An installer's words before the first one that is not an option; a name after them is looked up in an index.
BY_NAME = re.compile(
    r"(?:\bpipx?3? install|\buvx|\buv tool install|\bpipx run)((?: -\S+(?: [./]\S+)?)*) (?!-)([a-z]\S*)"
)
TAKES_A_FILE = ("-r", "--from", "--requirement", "-e")


def installs_by_name(text):
    """The installer lines in a text that name a package instead of a file, a folder or a git URL.

    `pip install pyarrow` counts; `pip install -r tests/requirements.txt`, `pip install dist/a.whl`,
    `pip install git+https://...` and the metavariable `pip install FILE` do not.
    """
    lines = []
    for match in BY_NAME.finditer(text):
        options, target = match[1].split(), match[2].rstrip(".,;:`'\")")
        is_path = "/" in target or target.endswith((".whl", ".txt", ".zip", ".pyz"))
        if not is_path and not any(option in TAKES_A_FILE for option in options):
            lines.append(match[0].rstrip(".,;:`'\")"))
    return lines


def test_a_package_name_after_an_installer_is_recognised():
    assert installs_by_name("run pip install webtool; pipx install tides or uvx kiln mcp") == [
        "pip install webtool", "pipx install tides", "uvx kiln",
    ]  # fmt: skip
    by_path = "pip install -q dist/a.whl; pip install git+https://a.example/b; pip install -r tests/requirements.txt"
    assert installs_by_name(by_path + "; uvx --from dist/a.whl webtool; pip install FILE") == []


@pytest.mark.parametrize(
    "path",
    [
        *sorted((ROOT / "webtool").rglob("*.py")),
        *sorted((ROOT / "webtool").rglob("*.md")),
        *sorted((ROOT / "tests").rglob("*.md")),
        *sorted((ROOT / "tests" / "bench").rglob("*.py")),
        *sorted(ROOT.glob(".github/**/*.yml")),
        ROOT / "README.md",
        ROOT / "build.py",
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_nothing_installs_from_an_index_by_name(path):
    text = path.read_text(encoding="utf-8")
    assert installs_by_name(text) == []
    assert not re.search(r"""registryType["']?\s*:\s*["']pypi""", text)


def test_the_wheel_is_not_called_webtool_which_is_another_package_in_the_index():
    assert distributions.project()["name"] != ["webtool"]


def test_version_names_what_is_inside(release):
    done = run([sys.executable, str(release[0]), "--version", "--json"])
    report = json.loads(done.stdout)
    assert len(report["compiled_for"]) == 2
    assert report["third_party"] == []
    assert re.search("WCXB.*CC-BY-4.0", str(report["model"]))


@posix
def test_install_compiles_for_a_python_that_the_archive_has_nothing_for(archive, installed):
    other = other_python()
    assert run([other, "-I", "-c", ORIGIN, str(archive)]).stdout == b"False\n"
    done = run([other, str(installed), "install", str(installed.parent)])  # over itself
    assert (done.returncode, done.stderr) == (0, b"")
    for python in (sys.executable, other):
        assert run([python, "-I", "-c", ORIGIN, str(installed)]).stdout == b"True\n"
    with zipfile.ZipFile(installed) as file:
        names = file.namelist()
    assert len(names) == len(set(names))
    assert json.loads(run([str(installed.parent / "web-fetch-tool"), "--schema"]).stdout)["name"] == "web_fetch"


def test_check_tells_an_archive_of_this_source_from_others(built, tmp_path, monkeypatch, capsys):
    shutil.copytree(built.parents[1], tmp_path, symlinks=True, dirs_exist_ok=True)
    archive = tmp_path / "dist" / "webtool.pyz"
    monkeypatch.setattr(zip_archive, "CHECKOUT", str(tmp_path))
    monkeypatch.setattr(build_script, "DIST", str(archive.parent))

    def check():
        return build_script.main(["--check"]), capsys.readouterr().out

    assert check() == (0, "")
    digest = archive.with_name("webtool.pyz.sha256")
    kept = digest.read_bytes()
    digest.write_bytes(b"0" * 64 + b"  webtool.pyz\n")
    status, printed = check()
    assert (status, "webtool.pyz.sha256" in printed) == (1, True)
    digest.write_bytes(kept)
    module = tmp_path / "webtool" / "errors.py"
    module.write_text(module.read_text() + "# changed\n")
    status, printed = check()
    assert (status, "is not built from this source" in printed) == (1, True)
    archive.unlink()
    assert check()[0] == 1


def test_the_digest_file_is_one_that_sha256sum_reads(archive):
    if not shutil.which("sha256sum"):
        pytest.skip("no sha256sum here")
    done = run(["sha256sum", "-c", "webtool.pyz.sha256"], cwd=ROOT / "dist")
    assert done.stdout == b"webtool.pyz: OK\n", done.stderr


LAUNCHER = tool_links.launcher("webtool.pyz", "C:\\Program Files\\Python\\python.exe").decode("ascii").split("\r\n")


def test_the_launcher_of_windows_has_a_python_and_another_way():
    assert LAUNCHER[1] == 'if exist "C:\\Program Files\\Python\\python.exe" goto found'
    assert LAUNCHER[2].startswith("py -3 -I -S -c ")
    folder = tool_links.launcher("webtool.pyz", "C:\\100%\\python.exe").decode("ascii")
    assert folder.count('"C:\\100%%\\python.exe"') == 2  # a single % would begin a variable
    assert all("%" not in line.replace("%~dp0", "").replace("%~f0", "").replace("%*", "") for line in LAUNCHER[:3])


def test_what_the_launcher_runs_starts_the_tool_that_its_name_says(archive, tmp_path):
    script = LAUNCHER[2].split(' -c "')[1].split('" "')[0]
    done = run([sys.executable, "-I", "-S", "-c", script, str(archive), "C:web-fetch-tool.cmd", "--schema"])
    assert done.returncode != 0  # a name with a backslash or a drive counts on Windows alone
    done = run([sys.executable, "-I", "-S", "-c", script, str(archive), "/x/web-fetch-tool.cmd", "--schema"])
    assert json.loads(done.stdout)["name"] == "web_fetch"


def test_source_date_epoch_is_on_every_entry(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    with zipfile.ZipFile(io.BytesIO(zip_archive.archive())) as file:
        assert {info.date_time for info in file.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        names = [info.filename for info in file.infolist()]
    assert names == sorted(names)


@posix
def test_the_names_are_relative_links_to_one_file(built):
    for name in NAMES:
        assert os.readlink(built.parent / name) == "webtool.pyz"
    assert stat.S_IMODE(built.stat().st_mode) == 0o755


@posix
def test_install_puts_one_copy_and_links(archive, tmp_path):
    target = tmp_path / "a folder with spaces and ü"
    for _ in range(2):
        done = run([str(archive), "install", str(target)])
        assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in target.iterdir()) == sorted([*NAMES, "webtool.pyz"])
    assert (target / "webtool.pyz").read_bytes() == archive.read_bytes()
    assert not (target / "webtool.pyz").is_symlink()
    assert os.readlink(target / "web-fetch-tool") == "webtool.pyz"
    done = run([str(target / "web-fetch-tool"), "--schema"])
    assert json.loads(done.stdout)["name"] == "web_fetch"


FOREIGN = {
    "a script": lambda path: path.write_text("#!/bin/sh\n"),
    "a link elsewhere": lambda path: path.symlink_to("/etc/hostname"),
    "a zip archive": lambda path: zipfile.ZipFile(path, "w").close(),
}


@posix
@pytest.mark.parametrize("name", ["webtool.pyz", "web-search-brave-tool"])
@pytest.mark.parametrize("make", FOREIGN.values(), ids=FOREIGN)
def test_install_leaves_a_tool_of_another_origin_alone(archive, tmp_path, name, make):
    make(tmp_path / name)
    before = os.lstat(tmp_path / name).st_ino
    done = run([str(archive), "install", str(tmp_path)])
    assert done.returncode == 2
    assert name in done.stderr.decode()
    assert b"--force" in done.stderr
    assert os.listdir(tmp_path) == [name]
    assert os.lstat(tmp_path / name).st_ino == before
    assert run([str(archive), "install", str(tmp_path), "--force"]).returncode == 0
    assert len(os.listdir(tmp_path)) == 5


@posix
def test_install_over_itself_and_over_copies_is_no_question(archive, tmp_path):
    (tmp_path / "web-fetch-tool").write_bytes(archive.read_bytes())
    assert run([str(archive), "install", str(tmp_path)]).returncode == 0
    assert run([str(tmp_path / "webtool.pyz"), "install", str(tmp_path)]).returncode == 0
    assert (tmp_path / "web-fetch-tool").is_symlink()


@posix
def test_install_knows_the_home_folder_without_a_shell(archive, tmp_path):
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run([str(archive), "install", "~/tools"], capture_output=True, env=environ, timeout=60)
    assert done.returncode == 0
    assert (tmp_path / "tools" / "web-fetch-tool").is_symlink()


def test_install_says_what_is_wrong(archive, tmp_path):
    (tmp_path / "file").write_text("")
    done = run([sys.executable, str(archive), "install", str(tmp_path / "file" / "below")])
    assert done.returncode == 2
    assert b"INVALID_ARGUMENT: cannot install into" in done.stderr


# A folder and an environment that the tool must not mind.
@posix
@pytest.mark.parametrize("name", ["plain", "with space", "ümläut-日本", "quote'and\"quote", "dollar$HOME"])
def test_runs_from_any_path_through_a_link(archive, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    os.symlink(archive, folder / "web-fetch-tool")
    done = run([str(folder / "web-fetch-tool"), "--schema"])
    assert json.loads(done.stdout)["name"] == "web_fetch"


@posix
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX"},
        {"LANG": "xx_YY.ISO-8859-1"},
        {"PYTHONPATH": "/nowhere", "PYTHONSTARTUP": "/x"},
    ],
)
def test_runs_whatever_the_environment_says(archive, environment):
    done = run([str(archive), "fetch", "--demo"], env=environment)
    assert done.returncode == 0, done.stderr
    assert "# webtool at work" in done.stdout.decode("utf-8")


@posix
def test_runs_without_home_from_a_read_only_folder(archive, tmp_path):
    shutil.copy(archive, tmp_path / "webtool.pyz")
    os.chmod(tmp_path, 0o555)
    try:
        done = subprocess.run(
            [str(tmp_path / "webtool.pyz"), "fetch", "--demo"],
            capture_output=True, timeout=60, env={"PATH": os.environ["PATH"]}, cwd=tmp_path,
        )  # fmt: skip
    finally:
        os.chmod(tmp_path, 0o755)
    assert done.returncode == 0, done.stderr
    assert b"# webtool at work" in done.stdout


WAYS = [
    lambda archive: [str(archive)],
    lambda archive: [sys.executable, str(archive)],
    lambda archive: [sys.executable, "-I", "-S", str(archive)],
    lambda archive: [sys.executable, "-I", "-S", "-W", "error", str(archive)],
    lambda archive: [sys.executable, "-m", "webtool"],
]


@posix
@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_starting_gives_the_same(archive, way):
    for arguments in (["fetch", "--schema"], ["brave", "--schema=full"]):
        done = run(way(archive) + arguments, cwd=ROOT)
        reference = run([str(archive), *arguments])
        assert done.returncode == 0, done.stderr
        assert done.stdout == reference.stdout
        assert done.stderr == b""


RELATIVE = ["tools/webtool.pyz", "./webtool.pyz", "../tools/webtool.pyz", "tools/web-fetch-tool"]


@posix
@pytest.mark.parametrize("start", RELATIVE)
def test_data_beside_modules_is_found_where_the_archive_is_named_by_a_relative_path(archive, tmp_path, start):
    """The learned model and the site rules are files of the archive."""
    folder = tmp_path / "tools"
    folder.mkdir()
    shutil.copy(archive, folder / "webtool.pyz")
    os.symlink("webtool.pyz", folder / "web-fetch-tool")
    below = {"./": folder, "..": folder}.get(start[:2], tmp_path)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import webtool; from webtool import siteconfig\n"
        "print(webtool.extract('<main><p>' + 'The sea rises and falls. ' * 40).markdown[:12])\n"
        "print(siteconfig.find('www.rfc-editor.org').id)\n"
    )
    done = run([sys.executable, "-I", "-S", "-c", script, start], cwd=below)
    assert done.stdout.decode().split("\n")[:2] == ["The sea rise", "rfc-editor.org"], done.stderr


@posix
@pytest.mark.parametrize("shell", ["sh", "dash", "bash", pytest.param("busybox", marks=pytest.mark.peers("busybox"))])
def test_the_start_line_works_in_every_shell(archive, shell):
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    command = [path, "sh"] if shell == "busybox" else [path]
    done = run([*command, str(archive), "fetch", "--schema"])
    assert json.loads(done.stdout)["name"] == "web_fetch"


def empty_path(tmp_path):
    """A PATH with a shell and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    os.symlink(shutil.which("sh"), folder / "sh")
    return str(folder)


@posix
def test_without_python_there_is_one_clear_line(archive, tmp_path):
    done = run([str(archive), "fetch", "x"], env={"PATH": empty_path(tmp_path)})
    assert (done.returncode, done.stdout) == (70, b"")
    assert done.stderr == b"webtool needs Python 3.9 or newer, and there is no python3 on PATH\n"


@posix
def test_without_python_a_tool_name_still_answers_in_json(archive, tmp_path):
    path = empty_path(tmp_path)
    tool = archive.parent / "web-fetch-tool"
    done = run([str(tool)], env={"PATH": path})
    assert done.returncode == 70
    assert json.loads(done.stdout)["error_code"] == "INTERNAL_ERROR"
    done = run([str(tool)], env={"PATH": path, "WEBTOOL_EXIT_ZERO": "1"})
    assert done.returncode == 0
    assert json.loads(done.stdout)["success"] is False


def old_pythons():
    """Pythons before 3.9 on this machine."""
    for version in ("2.7", "3.6", "3.7", "3.8"):
        yield from (str(path) for path in HOME.glob(f".pyenv/versions/{version}*/bin/python{version}"))
        program = shutil.which(f"python{version}")
        if program and "shims" not in program:
            yield program


@posix
def test_an_old_python_gets_one_clear_line(archive):
    pythons = sorted(set(old_pythons()))
    if not pythons:
        pytest.skip("no Python older than 3.9 on this machine")
    for python in pythons:
        done = run([python, str(archive.parent / "web-fetch-tool")])
        assert done.returncode == 70, (python, done.stderr)
        assert done.stderr.startswith(b"webtool needs Python 3.9 or newer; this is Python"), python
        assert done.stderr.count(b"\n") == 1
        assert json.loads(done.stdout)["success"] is False


@posix
def test_an_old_python_gets_one_clear_line_from_the_package_too():
    pythons = sorted(set(old_pythons()))
    if not pythons:
        pytest.skip("no Python older than 3.9 on this machine")
    for python in pythons:
        done = run([python, "-B", "-m", "webtool", "fetch"], cwd=ROOT)
        assert (done.returncode, done.stderr.count(b"\n")) == (70, 1), (python, done.stderr)


def test_the_library_for_clusters_is_the_package_alone(archive):
    """Dask runs a __main__ that it finds in an archive, which would end its worker."""
    with zipfile.ZipFile(ROOT / "dist" / "webtool.zip") as library, zipfile.ZipFile(archive) as whole:
        names = library.namelist()
        assert {name.partition("/")[0] for name in names} == {"webtool"}
        assert all(library.read(name) == whole.read(name) for name in names)
        assert "webtool/_sources.zip" in names
    script = "import importlib, webtool; importlib.reload(webtool); print(webtool.to_markdown('<b>x</b>'))"
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "dist" / "webtool.zip")}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environ, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("**x**", "")


@posix
@pytest.mark.parametrize(("has_tools", "answer"), [(True, "the stub"), (False, "another")])
def test_on_macos_the_stub_that_opens_a_dialog_is_passed_over(archive, tmp_path, has_tools, answer):
    line = archive.read_bytes().partition(b"PK")[0].decode()
    system = tmp_path / "System"
    system.mkdir()
    line = line.replace("/System/Library/CoreServices", str(system)).replace(
        "/usr/bin/python3)", f"{tmp_path}/python3)"
    )
    scripts = {"python3": "echo the stub", "python3.12": "echo another", "xcode-select": f"exit {int(not has_tools)}"}
    for name, text in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "webtool").write_text(line)
    done = run(["/bin/sh", str(tmp_path / "webtool")], env={"PATH": str(tmp_path)})
    assert done.stdout.decode().strip() == answer, done.stderr


def test_a_python_is_asked_with_what_it_needs_to_start_and_no_more(monkeypatch):
    monkeypatch.setenv("DYLD_LIBRARY_PATH", "/opt/lib")
    monkeypatch.setenv("BRAVE_API_KEY", "k")
    script = "import marshal, os, sys; sys.stdout.buffer.write(marshal.dumps(dict(os.environ)))"
    environment = bytecode.make([sys.executable, "-c", script], b"")
    assert environment["DYLD_LIBRARY_PATH"] == "/opt/lib"
    assert "BRAVE_API_KEY" not in environment


def test_what_is_no_section_is_refused():
    with pytest.raises(OSError, match="returned no section"):
        bytecode.make([sys.executable, "-c", "import marshal, sys; sys.stdout.buffer.write(marshal.dumps([]))"], b"")


@pytest.mark.parametrize(("fault", "is_refused"), [("webtool.moved_away", True), ("_no_such_library", False)])
def test_a_section_lacks_modules_of_missing_libraries_and_none_of_a_broken_import(
    monkeypatch, capsys, fault, is_refused
):
    sources, data = zip_archive.read_package()
    sources["webtool/cli/demo.py"] += f"\nimport {fault}\n".encode()
    monkeypatch.setattr(zip_archive, "read_package", lambda: (dict(sources), dict(data)))
    with zipfile.ZipFile(io.BytesIO(build_script.for_this_python())) as file:
        assert any(bundle.SECTION in name for name in file.namelist()) is not is_refused
    refusal = f"cannot compile webtool: ModuleNotFoundError: No module named '{fault}'"
    assert (refusal in capsys.readouterr().err) is is_refused


# How the member of a group is damaged: (name's ending, bytes)
DAMAGED = {
    "marshalled": ("", lambda data: b"\0" + data[1:]),
    "cut off": ("", lambda data: data[: len(data) // 2]),
    "packed by LZMA": (".xz", lambda _: b"\xfd7zXZ\0\0\4" + bytes(99)),
    "deflated": ("", lambda data: data),
}


@pytest.mark.parametrize("how", DAMAGED)
@pytest.mark.parametrize("group", ["start", "html", "page", "ask"])
def test_sources_run_where_a_group_is_damaged(archive, tmp_path, group, how):
    if group == "start" and how != "deflated":
        pytest.skip("a start reads this group as it is")
    ending, damaged = DAMAGED[how]
    path = tmp_path / "webtool.pyz"
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(path, "w") as copy:
        for name, data in members_of(whole).items():
            if name == f"webtool/{bundle.SECTION}-{group}.bin":
                kind = zipfile.ZIP_DEFLATED if how == "deflated" else zipfile.ZIP_STORED
                copy.writestr(name + ending, damaged(data), kind)
                place = copy.getinfo(name + ending)
            else:
                copy.writestr(name, data)
    if how == "deflated":
        with path.open("r+b") as file:
            file.seek(place.header_offset + 30 + len(place.filename))
            file.write(b"\xff" * 40)  # 0xff begins a block of a kind that does not exist
    done = run([sys.executable, "-I", "-S", str(path), "extract", "-"], input=b"<p>Words.", stdin=None)
    assert done.stdout.strip() == b"Words.", done.stderr


# (path below the checkout, whether the archive and the wheel hold it)
PACKED = [
    ("webtool/help/rules.md", True),
    ("webtool/help/README.md", False),
    ("webtool/README.md", False),
    ("webtool/extraction/README.md", False),
    ("webtool/browser/scripts/clicks.js", True),
    ("webtool/extraction/labels/read_also.txt", False),  # in the module _ready
    ("webtool/answers/question/synonyms.txt", True),
    ("webtool/answers/question/languages.txt", False),  # as languages.marshal
]


def test_help_texts_and_scripts_are_packed_and_readmes_are_not(monkeypatch, tmp_path):
    for path, _ in PACKED:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text")
    monkeypatch.setattr(zip_archive, "CHECKOUT", str(tmp_path))
    _, data = zip_archive.read_package()
    packed = [path for path, is_packed in PACKED if is_packed]
    assert sorted(data) == sorted([*packed, "webtool/answers/question/languages.marshal"])
