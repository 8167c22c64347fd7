"""Compare parsing speed with other parsers: python3 tests/bench/parsing.py [--pages N] [--hostile].

Parses N pages (60) of ../shared/corpus with each parser in turn, best of three, and prints MB/s and the time as a
multiple of webtool's. Without the corpus it parses generated pages. The first run installs the other parsers into a
virtual environment below the temporary folder. --hostile needs no peers: it repeats each of many pieces of markup to
200 KB and to 400 KB and prints both times and their ratio; a ratio of 2 is linear.
"""

from __future__ import annotations

import argparse
import glob
import gzip
import os
import subprocess
import sys
import tempfile
import time
import venv

from costs import ROOT, leave

CORPUS = os.path.join(os.path.dirname(ROOT), "shared", "corpus", "*", "html", "*.html.gz")
PEERS = ("justhtml", "html5lib", "beautifulsoup4", "lxml")
ROUNDS = 3


def main() -> None:
    """Run in the environment of the peers."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--hostile", action="store_true")
    options = parser.parse_args()
    if options.hostile:
        print_hostile()
        return
    python = peers_python()
    if os.path.realpath(sys.prefix) != os.path.realpath(os.path.dirname(os.path.dirname(python))):
        sys.exit(subprocess.call([python, __file__, "--pages", str(options.pages)]))
    print_table(pages(options.pages))


def peers_python() -> str:
    """Return the Python of the environment with the peers, which is made at the first call."""
    name = "webtool-bench-parsing-{}.{}".format(*sys.version_info[:2])
    folder = os.path.join(tempfile.gettempdir(), name)
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    if not os.path.exists(os.path.join(folder, "ready")):
        try:
            venv.create(folder, with_pip=True)
            subprocess.check_call([python, "-m", "pip", "install", "-q", *PEERS], stderr=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError):
            leave(f"cannot install {', '.join(PEERS)} into {folder}: pip failed")
        open(os.path.join(folder, "ready"), "w").close()
    return python


def pages(count: int) -> list[str]:
    """Return `count` real pages, spread evenly over the corpus, or generated ones."""
    files = sorted(glob.glob(CORPUS))
    if not files:
        return [generated_page(number) for number in range(count)]
    texts = []
    for path in files[:: max(1, len(files) // count)][:count]:
        with gzip.open(path) as file:
            texts.append(file.read().decode("utf-8", "replace"))
    return texts


def generated_page(number: int) -> str:
    """Generate a page with a menu, an article and a table."""
    menu = "".join(f'<li class="item"><a href="/page/{i}?a=1&amp;b=2">Page {i}</a></li>' for i in range(40))
    words = " ".join(f"word{(number * i) % 97} &amp; <b>more</b>" for i in range(60))
    rows = "".join(f"<tr><td>{i}<td>{i * number}</tr>" for i in range(50))
    text = f"<h1>Title {number}</h1>" + f"<p class=text>{words}</p>" * 20
    return f"<!DOCTYPE html><title>{number}</title><ul>{menu}</ul><article>{text}<table>{rows}</table></article>"


def parsers() -> dict[str, object]:
    """Return the parsers by name: functions that parse a text."""
    import warnings
    from html.parser import HTMLParser

    import bs4
    import html5lib
    import justhtml
    import lxml.html

    from webtool.html import parse_html

    warnings.simplefilter("ignore")

    def only_events(text: str) -> None:
        parser = HTMLParser()
        parser.feed(text)
        parser.close()

    return {
        "webtool.html": parse_html,
        "html.parser, no tree": only_events,
        "justhtml": lambda text: justhtml.JustHTML(text, sanitize=False),
        "html5lib": html5lib.parse,
        "BeautifulSoup (html.parser)": lambda text: bs4.BeautifulSoup(text, "html.parser"),
        "lxml (C)": lambda text: lxml.html.fromstring(text.encode()),
    }


def print_table(texts: list[str]) -> None:
    """Parse every page with every parser in turn and print the sums of the best times."""
    functions = parsers()
    seconds = dict.fromkeys(functions, 0.0)
    for text in texts:
        best = dict.fromkeys(functions, float("inf"))
        for _ in range(ROUNDS):
            for name, function in functions.items():
                start = time.process_time()
                function(text)
                best[name] = min(best[name], time.process_time() - start)
        for name in functions:
            seconds[name] += best[name]
    megabytes = sum(map(len, texts)) / 1e6
    print(f"{len(texts)} pages, {megabytes:.1f} million characters, Python {sys.version.split()[0]}\n")
    print("| parser | MB/s | webtool's speed, times |\n|---|---:|---:|")
    for name, taken in seconds.items():
        print(f"| {name} | {megabytes / taken:.1f} | {taken / seconds['webtool.html']:.2f} |")


PIECES = (
    *("<", "</", "<a ", "<a b='", "&", "&#", "<!--", "<![CDATA[", "<?", "</p>", "x</y>", "<td>", "<div>", "<b>", "<a>"),
    *("<p>", "<li>", "<font>", "<b><p>", "<a><div>", "<b></p>", "<table>", "<table><tr><td>", "<table>x", "<select>"),
    *("<option>", "<template>", "<svg>", "<svg><desc>", "<math><mi>", "<button>", "<nobr>", "<marquee><b>", "<form>"),
    *("<script><!--", "<title></", "<textarea>", "<b><i></b>", "<body x=1>", "<frameset>", "<rt>", "<ruby><rt>", "\0"),
)


def print_hostile() -> None:
    """Print the CPU seconds for each piece, repeated to 200 and to 400 KB, and their ratio."""
    from webtool.html import parse_html

    print("| repeated | s, 200 KB | s, 400 KB | ratio |\n|---|---:|---:|---:|")
    for piece in PIECES:
        taken = []
        for size in (200_000, 400_000):
            text = piece * (size // len(piece))
            best = float("inf")
            for _ in range(ROUNDS):
                start = time.process_time()
                parse_html(text)
                best = min(best, time.process_time() - start)
            taken.append(best)
        print(f"| `{piece!r}` | {taken[0]:.3f} | {taken[1]:.3f} | {taken[1] / taken[0]:.2f} |")


if __name__ == "__main__":
    main()
