"""Write webtool/setup/rare_functions.txt: the functions that hardly any page calls. An archive reads their bodies late.

    python3 tests/bench/rare.py [--every 30]

Needs the built file (python3 build.py) and the corpus. It runs each command of WAYS on every 30th page and notes which
functions are called. A function is rare if no command calls it on more than one page in 25. Short functions are left
out, because a function that reads its body late costs as much as a short body. An outdated list costs speed alone.
"""

import argparse
import ast
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

from costs import ARCHIVE, ROOT, corpus_pages, need_archive
from servers import NOT_FOUND, Server

LIST = ROOT / "webtool" / "setup" / "rare_functions.txt"
RARE = 0.04  # the share of pages on which a function is called
MIN_LINES = 4

# The words of a command and its stdin; each is run twice, so that the second run finds the page in the cache.
WAYS = {
    "open": (["open", "URL"], ""),
    "fetch": (["fetch", "URL"], ""),
    "json": (["fetch", "URL", "--json"], ""),
    "host": (["fetch"], "URL"),
}

# Runs the archive as its start line does, and writes (file, first line) of each function that was called.
TRACED = """
import os, sys
out = sys.argv.pop(1)
del sys.argv[0]
sys.path.insert(0, sys.argv[0])
codes, leave = set(), os._exit
def note(frame, event, _):
    if event == "call":
        codes.add(frame.f_code)
def write(status):
    sys.setprofile(None)
    with open(out, "w") as file:
        file.writelines(f"{code.co_filename}:{code.co_firstlineno}\\n" for code in codes)
    leave(status)
os._exit = write
sys.setprofile(note)
import webtool.__main__
"""


def main():
    """Measure, and write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=30)
    options = parser.parse_args()
    need_archive()
    pages = [gzip.decompress(path.read_bytes()) for path in corpus_pages(options.every)]
    most = collections.Counter()
    for name in WAYS:
        counts = calls(name, pages)
        print(f"{name}: {len(counts)} functions called")
        for place, count in counts.items():
            most[place] = max(most[place], count / len(pages))
    lines = []
    modules = set((ROOT / "webtool").rglob("*.py"))
    modules.remove(ROOT / "webtool" / "rare_functions.py")  # it reads the others' functions, so it needs its own
    for path in sorted(modules):
        rare = [name for name, places in functions(path) if all(most[place] <= RARE for place in places)]
        if rare:
            parts = path.relative_to(ROOT).with_suffix("").parts
            lines.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts) + ": " + " ".join(rare) + "\n")
    LIST.write_text("".join(lines), encoding="ascii")
    print(f"{sum(line.count(' ') for line in lines)} rare functions in {LIST.relative_to(ROOT)}")


def calls(way, pages):
    """Count for each (file, line) of a function the pages on which a command calls it."""
    words, text = WAYS[way]
    counts = collections.Counter()

    def answer(request):
        return 200, {"Content-Type": "text/html"}, pages[int(request.path[1:])]

    with Server({"*": answer, "/robots.txt": NOT_FOUND}) as server, tempfile.TemporaryDirectory() as home:
        out = os.path.join(home, "out")
        environment = {"PATH": os.environ["PATH"], "HOME": home, "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1"}
        for number in range(len(pages)):
            url = f"{server.url}/{number}"
            command = [sys.executable, "-I", "-S", "-c", TRACED, out, str(ARCHIVE)]
            command += [word.replace("URL", url) for word in words]
            stdin = json.dumps({"url": url}) if text else ""
            for _ in range(2):
                subprocess.run(command, input=stdin.encode(), capture_output=True, env=environment, timeout=60)
                with open(out, encoding="utf-8") as file:
                    counts.update({place for line in file if (place := place_of(line))})
    return counts


def place_of(line):
    """Return (path in the package, line) of a line that TRACED wrote."""
    name, _, number = line.rstrip().rpartition(":")
    return name[name.rindex("webtool/") if "webtool/" in name else 0 :], int(number)


def functions(path):
    """Yield (qualified name, places where its code may begin) of a module's functions and its classes' methods."""
    inside = str(path.relative_to(ROOT)).replace(os.sep, "/")
    tree = ast.parse(path.read_bytes())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for prefix, body in [("", tree.body), *((node.name + ".", node.body) for node in classes)]:
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 >= MIN_LINES:
                lines = {node.lineno, *(decorator.lineno for decorator in node.decorator_list)}
                yield prefix + node.name, [(inside, line) for line in lines]


if __name__ == "__main__":
    main()
