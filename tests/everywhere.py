"""One file on every Python at hand: the same commands, the same bytes, and what a start costs. Prints a table.

    python3 tests/everywhere.py                             the Pythons on PATH and those of pyenv
    python3 tests/everywhere.py --python COMMAND            one more, any number of times; a command and its arguments:
        --python pypy3
        --python "chroot /srv/sid python3.15"               files are put into the chroot's /tmp
        --python "wine C:/Python/python.exe"                CPython for Windows
    python3 tests/everywhere.py --archive webtool.pyz       another file than dist/webtool.pyz
    python3 tests/everywhere.py --only WORD                 only commands whose words have this one; prints differences

Every Python runs COMMANDS on the same file against one server on loopback. What it prints on stdout and stderr and its
exit status are compared, byte by byte, with what the Python that runs this prints; only times and the temporary folder
are taken out before. A start is the CPU time of `fetch --schema` and of `fetch` of a page, as a multiple of an empty
start of the same Python, the least of several runs. Exit status 1 where anything differs.

How to get Pythons that a package manager does not have: a Debian release in a chroot (debootstrap --variant=minbase
--include=python3 RELEASE DIR; --arch=i386 for 32 bits); another processor likewise, by qemu-user-static (debootstrap
--foreign --arch=arm64, its packages unpacked with dpkg-deb -x, qemu-aarch64-static copied to DIR/usr/bin; then
--python "chroot DIR qemu-aarch64-static /usr/bin/python3.11"; s390x has the other byte order); CPython for Windows
without its installer from the folder deploy_libs of a Windows wheel of panda3d on PyPI (python3x.dll and the
extension modules) with the Lib folder of the same version and a python.exe that calls Py_Main; CPython with musl or
without the GIL from the Debian source package (CC=musl-gcc PKG_CONFIG=false ./configure, and ./configure
--disable-gil).
"""

import argparse
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from servers import Server, page  # noqa: E402

SECONDS = 120
CASES = ROOT / "tests" / "cases" / "extraction"
ARTICLE = (CASES / "article.html").read_text(encoding="utf-8")
TABLE = (
    "<title>Tides \u2013 \u6f6e</title><h1>T\u00e9st</h1>"
    "<table><tr><th>a<th>b<tr><td>1|2<td>x</table><pre>code\n  more</pre>"
)
FEED = (
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One</title>'
    "<link>https://e.example/1</link><description>First &amp; last</description></item></channel></rss>"
)
ROBOTS = "User-agent: *\nDisallow: /private\n"
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "everywhere", "version": "1"}}


def rpc(*calls: tuple[str, dict[str, object]]) -> bytes:
    """Return what an MCP client sends in a session: the greeting and these requests, one a line."""
    messages: list[dict[str, object]] = [{"method": "initialize", "params": HELLO, "id": 0}]
    messages.append({"method": "notifications/initialized"})
    messages += [{"method": method, "params": params, "id": number} for number, (method, params) in enumerate(calls, 1)]
    return b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages)


def extract_call(text: str) -> tuple[str, dict[str, object]]:
    return "tools/call", {"name": "web_extract", "arguments": {"html": text, "base_url": "https://e.example/"}}


# The words after the file's name, with URL for the server's address, and stdin.
COMMANDS: list[tuple[str, bytes]] = [
    ("--help", b""),
    ("help settings", b""),
    ("help fetch", b""),
    ("help open", b""),
    ("completion bash", b""),
    ("completion zsh", b""),
    ("fetch --schema", b""),
    ("fetch --schema=full", b""),
    ("brave --schema", b""),
    ("open --schema=full", b""),
    ("fetch URL/article", b""),
    ("fetch URL/article --json", b""),
    ("fetch URL/article --offset 3 --limit 4 --json", b""),
    ("fetch URL/article --outline", b""),
    ("fetch URL/article --find the", b""),
    ("fetch URL/table", b""),
    ("fetch URL/table --links refs", b""),
    ("fetch URL/moved", b""),
    ("fetch URL/latin", b""),
    ("fetch URL/gzip", b""),
    ("fetch URL/feed", b""),
    ("fetch URL/data.json", b""),
    ("fetch URL/data.csv", b""),
    ("fetch URL/missing", b""),
    ("fetch URL/private/page", b""),
    ("fetch http://169.254.169.254/", b""),
    ("fetch file:///etc/hostname", b""),
    ("fetch", json.dumps({"url": "URL/table"}).encode()),
    ("fetch", b"{not json"),
    ("fetch", b'{"url": 5}'),
    ("open URL/article", b""),
    ("open URL/article --mode full", b""),
    ("open URL/article --query tides --max-tokens 200", b""),
    ("extract - --base-url https://e.example/", ARTICLE.encode()),
    ("extract - --strategy dom_smoothie", ARTICLE.encode()),
    ("extract -", json.dumps({"html": TABLE}).encode()),
    ("cite 'Harbour pilots, who measure ice' URL/article --note ice --json", b""),
    ("batch URL/table URL/feed URL/missing", b""),
    ("brave tides", b""),
    ("duckduckgo", b'{"query": "tides"}'),
    ("search tides --provider nowhere", b""),
    ("fetsh x", b""),
    ("fetch --no-such-flag URL/table", b""),
    ("cache purge --domain nowhere.example", b""),
    ("cache get 0000", b""),
    ("mcp", rpc(("tools/list", {}), extract_call(ARTICLE), extract_call(TABLE), ("prompts/list", {}), ("nothing", {}))),
    ("mcp", b"not json\n" + rpc(("tools/call", {"name": "web_open", "arguments": {"url": "URL/table"}}))),
]


def routes() -> dict[str, object]:
    """Return the routes of the server."""
    import gzip

    results = (ROOT / "tests" / "fixtures" / "duckduckgo_results.html").read_bytes()
    return {
        "/robots.txt": (200, {"Content-Type": "text/plain"}, ROBOTS.encode()),
        "/article": page(ARTICLE),
        "/table": page(TABLE),
        "/moved": (301, {"Location": "/table"}, b""),
        "/latin": (200, {"Content-Type": "text/html"}, "<h1>na\u00efve</h1><p>\u00fcber caf\u00e9".encode("cp1252")),
        "/gzip": lambda request: (
            page(TABLE)
            if "gzip" not in request.headers.get("Accept-Encoding", "")
            else (200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(TABLE.encode(), 6))
        ),
        "/feed": (200, {"Content-Type": "application/rss+xml"}, FEED.encode()),
        "/data.json": (200, {"Content-Type": "application/json"}, b'{"a": [1, 2]}'),
        "/data.csv": (200, {"Content-Type": "text/csv"}, b"a,b\n1,2\n"),
        "/private/page": page("<p>secret"),
        "/html/": (200, {"Content-Type": "text/html"}, results),
    }


class Place(NamedTuple):
    """A Python, and where it sees our files."""

    command: list[str]
    name: str  # as the table shows it: "CPython 3.13, Linux x86_64"
    folder: pathlib.Path  # holds the copy of the file, as this process sees it
    inside: str  # the same folder as that Python sees it: in a chroot without the chroot's path


class Answer(NamedTuple):
    """The result of a command."""

    status: int
    stdout: bytes
    stderr: bytes


_ABOUT = (
    "import sys, platform, struct, sysconfig; "
    "print(platform.python_implementation(), '%d.%d' % sys.version_info[:2] + "
    "('t' if sysconfig.get_config_var('Py_GIL_DISABLED') else ''), platform.system(), "
    "platform.machine(), struct.calcsize('P') * 8, getattr(sys.implementation, '_multiarch', '-') or '-')"
)


def place_of(command: list[str], archive: pathlib.Path) -> "Place | None":
    """Return a Python, with a copy of the file where it can read it; None if it does not run."""
    root = command[1] if command[0] == "chroot" else ""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="webtool-", dir=root + "/tmp" if root else None))
    folder.chmod(0o755)
    shutil.copy(archive, folder / "webtool.pyz")
    try:
        done = subprocess.run([*command, "-I", "-c", _ABOUT], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        implementation, version, system, machine, bits, multiarch = done.stdout.decode().split()
    except (OSError, ValueError, subprocess.SubprocessError):
        shutil.rmtree(folder)
        return None
    libc = " musl" if multiarch.endswith("musl") else ""
    name = f"{implementation} {version}, {system}{libc} {'i386' if bits == '32' else machine}"
    return Place(command, name, folder, str(folder)[len(root) :])


def environment(place: Place, url: str) -> dict[str, str]:
    """Return the environment of a command: of this machine's only what programs need to start."""
    kept = ("PATH", "SYSTEMROOT", "WINEPREFIX", "WINEDEBUG", "LD_LIBRARY_PATH")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "HOME": place.inside,
        "XDG_CACHE_HOME": place.inside,
        "XDG_CONFIG_HOME": place.inside,
        "WEBTOOL_CACHE_PATH": f"{place.inside}/cache.sqlite3",
        "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
        "WEBTOOL_DUCKDUCKGO_URL": f"{url}/html/",
        "WEBTOOL_SEARCH_INTERVAL": "0",
        "WEBTOOL_DEADLINE": "60",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run(place: Place, url: str, words: str, stdin: bytes, options: "tuple[str, ...]" = ()) -> Answer:
    """Run one command, and return its answer as neutral() writes it."""
    command = [*place.command, *options, f"{place.inside}/webtool.pyz", *shlex.split(words.replace("URL", url))]
    for old in place.folder.glob("cache.sqlite3*"):
        old.unlink()
    data, env = stdin.replace(b"URL", url.encode()), environment(place, url)
    try:
        if words == "mcp":
            return talk(command, data, place, env)
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, env=env)
    except subprocess.TimeoutExpired:
        return Answer(-1, b"", b"did not end")
    return Answer(done.returncode, neutral(done.stdout, place), neutral(done.stderr, place))


def talk(command: list[str], data: bytes, place: Place, env: dict[str, str]) -> Answer:
    """Run a session with an MCP server, which stays until every request has its answer."""
    answer_count = sum(b"notifications/" not in line for line in data.splitlines())
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=env)
        timer = threading.Timer(SECONDS, process.kill)
        timer.start()
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.write(data)
            process.stdin.flush()
            lines = [process.stdout.readline() for _ in range(answer_count)]
            process.stdin.close()
            lines.append(process.stdout.read())
        status = process.wait()
        timer.cancel()
        log.seek(0)
        return Answer(status, neutral(b"".join(lines), place), neutral(log.read(), place))


def neutral(printed: bytes, place: Place) -> bytes:
    """Take out what differs by nature: times, the folder, the marker around untrusted text, what wine itself says."""
    printed = re.sub(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", b"TIME", printed)
    printed = re.sub(rb'("?(?:fetch_ms|elapsed_ms|age|age_seconds|ms)"?: ?)\d+', rb"\1N", printed)
    printed = re.sub(rb"(?<=<<<)[0-9a-f]{16}|[0-9a-f]{16}(?=>>>)", b"MARKER", printed)
    printed = re.sub(rb"(?m)^error: XDG_RUNTIME_DIR[^\n]*\n", b"", printed)
    # A Python without sqlite3 notes that once a page.
    printed = re.sub(rb"(?m)^[^\n]*no cache: [^\n]*this Python was built without sqlite3[^\n]*\n", b"", printed)
    for folder in (place.inside, place.inside.replace("/", "\\")):
        printed = printed.replace(folder.encode(), b"FOLDER")
    if printed.startswith(b'{"jsonrpc"'):  # answers come as they are ready
        printed = b"".join(sorted(printed.splitlines(keepends=True)))
    return printed


def cost(place: Place, url: str, runs: int = 5) -> str:
    """Return the CPU time of two starts as multiples of an empty start: "1.2, 3.4"."""
    import resource

    def least(*words: str) -> float:
        times = []
        for _ in range(runs):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [*place.command, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment(place, url)
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return max(min(times), 0.001)

    file = f"{place.inside}/webtool.pyz"
    start = "import sys;del sys.argv[0];f=sys.argv[0];sys.path[:0]=['%s/%s-%d.%d'%((f,sys.implementation.name)+"
    start += "sys.version_info[:2]),f];import webtool.__main__"
    base = least("-I", "-S", "-c", "pass")
    shown = [least("-I", "-S", "-c", start, file, *words.split()) for words in ("fetch --schema", f"fetch {url}/table")]
    return f"{shown[0] / base:.1f}, {shown[1] / base:.1f}"


def pythons(given: list[list[str]]) -> list[list[str]]:
    """Return commands: this Python first, then the given ones, then what PATH and pyenv have."""
    folders = [*os.get_exec_path(), *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/*/bin")))]
    names = [f"python3.{minor}{more}" for minor in range(9, 16) for more in ("", "t")] + ["pypy3"]
    commands = [[os.path.join(folder, name)] for folder in folders for name in names]
    return [[sys.executable], *given, *(command for command in commands if os.access(command[0], os.X_OK))]


# Options of Python under which each command must print the same; run with the Python that runs this.
MODES: tuple[tuple[str, ...], ...] = (("-O",), ("-OO",), ("-bb",), ("-W", "error"), ("-X", "dev"), ("-I", "-S"))


def main() -> int:
    """Print the table and the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--archive", type=pathlib.Path, default=ROOT / "dist" / "webtool.pyz")
    parser.add_argument("--python", metavar="COMMAND", action="append", default=[], type=shlex.split)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-search", action="store_true", help="only this Python and the given ones")
    parser.add_argument("--no-cost", action="store_true")
    given = parser.parse_args()
    commands = [(words, stdin) for words, stdin in COMMANDS if given.only in words]
    candidates = [[sys.executable], *given.python] if given.no_search else pythons(given.python)
    places: dict[str, Place] = {}
    for command in candidates:
        place = place_of(command, given.archive)
        if place is not None and places.setdefault(place.name, place) is not place:
            shutil.rmtree(place.folder)
    failures = 0
    with Server(routes()) as server:
        first = next(iter(places.values()))
        expected = [run(first, server.url, words, stdin) for words, stdin in commands]
        print(f"| Python | system | {len(commands)} commands | start: schema, page |\n|---|---|---|---|")
        rows = [(place, ()) for place in places.values()] + [(first, mode) for mode in MODES]
        for place, options in rows:
            began = time.monotonic()
            different = []
            for (words, stdin), answer in zip(commands, expected):
                got = run(place, server.url, words, stdin, options)
                if got != answer:
                    different.append(words)
                    if given.only or os.environ.get("WEBTOOL_TEST_VERBOSE"):
                        print(f"--- {words}\n expected {answer}\n got      {got}", file=sys.stderr)
            failures += len(different)
            python, _, system = place.name.partition(", ")
            result = "the same" if not different else f"{len(different)} differ: " + "; ".join(different)
            paid = "" if given.no_cost or options or os.name != "posix" else cost(place, server.url)
            print(f"| {' '.join((python, *options))} | {system} | {result} | {paid} |", flush=True)
            print(f"{place.name} {options}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    for place in places.values():
        shutil.rmtree(place.folder, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
