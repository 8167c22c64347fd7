"""Compare webtool.html with Chromium: python3 tests/bench/differential.py [COUNT] [--seed N] [--markup TEXT ...].

Parses COUNT generated pages (2,000) with webtool and with Chromium's DOMParser and compares the trees. Prints how many
agree, and the first five that differ, shortened to what is needed for the difference. The pages are random tags that
interfere with each other, half of them mixed with pieces of ../shared/corpus. --markup compares the given texts
instead. It needs a Chromium on the PATH.
"""

from __future__ import annotations

import argparse
import base64
import glob
import gzip
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from costs import CORPUS, leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TAGS = (
    "a b i p div nobr table tr td th tbody caption col colgroup marquee select option optgroup li ul dd dt button form "
    "h1 h2 svg math desc foreignObject title template font em applet object frameset ruby rt rp hr br input textarea "
    "pre head body html span center iframe noscript style script plaintext mi mtext annotation-xml details image"
).split()
# Runs in the page: writes each text's tree with one line for each node, in the form of webtool_tree() below.
SCRIPT = """
const lines = (node, depth, out) => {
  for (const child of (node instanceof HTMLTemplateElement ? node.content : node).childNodes) {
    const pad = ' '.repeat(depth);
    if (child.nodeType === 1) {
      const space = {'http://www.w3.org/2000/svg': 'svg ', 'http://www.w3.org/1998/Math/MathML': 'math '};
      out.push(pad + '<' + (space[child.namespaceURI] || '') + child.localName);
      for (const a of [...child.attributes].map(a => a.name + '=' + a.value).sort()) out.push(pad + ' @' + a);
      lines(child, depth + 1, out);
    } else if (child.nodeType === 3) out.push(pad + '"' + child.data);
    else if (child.nodeType === 8) out.push(pad + '<!--' + child.data);
  }
  return out;
};
const texts = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(DATA), c => c.charCodeAt(0))));
const trees = texts.map(t => lines(new DOMParser().parseFromString(t, 'text/html'), 0, []).join('\\n'));
document.documentElement.textContent = JSON.stringify(
  trees).replace(/[^\\x20-\\x7e]|[<>&]/g, c => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
"""


def main() -> int:
    """Generate the texts, parse them with both, print the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markup", nargs="+")
    options = parser.parse_args()
    browser = browser_path()
    texts = options.markup or list(mutants(options.count, random.Random(options.seed)))
    wrong = []
    for start in range(0, len(texts), 200):
        part = texts[start : start + 200]
        wrong += [text for text, tree in zip(part, chromium_trees(browser, part)) if tree != webtool_tree(text)]
    print(f"{len(texts) - len(wrong)} of {len(texts)} trees agree")
    for text in wrong[:5]:
        short = shortened(browser, text)
        print(f"\n{short!r}\nwebtool:\n{webtool_tree(short)}\nChromium:\n{chromium_trees(browser, [short])[0]}")
    return bool(wrong)


def browser_path() -> str:
    """Return the path of a Chromium; leave with one line if none is installed."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name)
        if path:
            return path
    return leave("no Chromium on the PATH: install chromium or google-chrome")


def mutants(count: int, chance: random.Random) -> Iterator[str]:
    """Yield texts of tags in random order, half of them with a piece of a real page."""
    files = sorted(glob.glob(str(CORPUS / "*.gz")))
    for number in range(count):
        parts = []
        for _ in range(chance.randint(2, 14)):
            tag = chance.choice(TAGS)
            tags = [f"<{tag}>", f"<{tag}>", f"</{tag}>", f"<{tag} a=b>"]
            parts.append(chance.choice([*tags, "x", " ", "<!--c-->", "&amp"]))
        if files and number % 2:
            page = gzip.decompress(pathlib.Path(chance.choice(files)).read_bytes()).decode("utf-8", "replace")
            start = chance.randrange(max(1, len(page) - 3000))
            piece = page[start : start + chance.randint(100, 3000)].replace("\r", "")
            parts.insert(chance.randrange(len(parts)), piece)
        yield "".join(parts).replace("\0", "")


def chromium_trees(browser: str, texts: list[str]) -> list[str]:
    """Return the trees that Chromium makes of the texts."""
    data = base64.b64encode(json.dumps(texts).encode()).decode()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(f'<!doctype html><meta charset=utf-8><script>const DATA = "{data}";{SCRIPT}</script>')
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        process = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    match = re.search(r"\[.*\]", process.stdout, re.S)
    trees: list[str] = json.loads(match[0]) if match else []
    return trees


def webtool_tree(text: str) -> str:
    """Return the tree that webtool makes of the text."""
    from webtool.html import parse_html

    lines: list[str] = []
    stack = [(iter(parse_html(text).children), 0)]
    while stack:
        rest, depth = stack[-1]
        pad = " " * depth
        for node in rest:
            if node.tag is None:
                lines.append(f'{pad}"{node.text}')
            elif node.tag[0] == "#":
                lines.append(f"{pad}<!--{node.text}")
            elif node.tag[0] != "!":
                space = "" if node.namespace == "html" else node.namespace + " "
                lines.append(f"{pad}<{space}{node.tag}")
                lines += sorted(f"{pad} @{name}={value}" for name, value in node.attrs.items())
                stack.append((iter(node.children), depth + 1))
                break
        else:
            stack.pop()
    return "\n".join(lines)


def shortened(browser: str, text: str) -> str:
    """Remove the tokens of the text that the difference does not need."""
    tokens = re.findall(r"<[^>]*>|[^<]+|<", text)
    size = max(1, len(tokens) // 2)
    while size:
        tries = [tokens[:start] + tokens[start + size :] for start in range(0, len(tokens), size)]
        texts = ["".join(candidate) for candidate in tries]
        trees = chromium_trees(browser, texts)
        shorter = next(
            (candidate for candidate, t, tree in zip(tries, texts, trees) if t and tree != webtool_tree(t)), None
        )
        tokens, size = (shorter, min(size, len(shorter))) if shorter else (tokens, size // 2)
    return "".join(tokens)


if __name__ == "__main__":
    sys.exit(main())
