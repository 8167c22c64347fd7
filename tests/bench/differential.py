"""webtool.html against a real Chromium: python3 tests/bench/differential.py [COUNT] [--seed N] [--markup TEXT ...].

Parses COUNT mutated pages (2,000) with webtool and with Chromium's DOMParser, compares the trees, and prints how many
agree and the first that do not, cut down to the least that still differs. The pages are pieces of ../shared/corpus
where it is there, mixed with tags that move one another; --markup compares the given texts instead. Chromium is the
first on the PATH.
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

from costs import CORPUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TAGS = (
    "a b i p div nobr table tr td th tbody caption col colgroup marquee select option optgroup li ul dd dt button form "
    "h1 h2 svg math desc foreignObject title template font em applet object frameset ruby rt rp hr br input textarea "
    "pre head body html span center iframe noscript style script plaintext mi mtext annotation-xml details image"
).split()
# In the page: each text's tree, one line a node, as outline() below writes it.
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
    """Make the texts, ask both, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markup", nargs="+")
    options = parser.parse_args()
    browser = found_browser()
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


def found_browser() -> str:
    """The browser's path."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        path = shutil.which(name)
        if path:
            return path
    sys.exit("No Chromium on the PATH.")


def mutants(count: int, chance: random.Random) -> Iterator[str]:
    """Texts of tags in any order, half of them in pieces of real pages."""
    files = sorted(glob.glob(str(CORPUS / "*.gz")))
    for number in range(count):
        parts = []
        for _ in range(chance.randint(2, 14)):
            tag = chance.choice(TAGS)
            tags = [f"<{tag}>", f"<{tag}>", f"</{tag}>", f"<{tag} a=b>"]
            parts.append(chance.choice([*tags, "x", " ", "<!--c-->", "&amp"]))
        if files and number % 2:
            page = gzip.decompress(pathlib.Path(chance.choice(files)).read_bytes()).decode("utf-8", "replace")
            at = chance.randrange(max(1, len(page) - 3000))
            piece = page[at : at + chance.randint(100, 3000)].replace("\r", "")
            parts.insert(chance.randrange(len(parts)), piece)
        yield "".join(parts).replace("\0", "")


def chromium_trees(browser: str, texts: list[str]) -> list[str]:
    """What Chromium makes of the texts."""
    data = base64.b64encode(json.dumps(texts).encode()).decode()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(f'<!doctype html><meta charset=utf-8><script>const DATA = "{data}";{SCRIPT}</script>')
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=120)
    found = re.search(r"\[.*\]", done.stdout, re.S)
    trees: list[str] = json.loads(found[0]) if found else []
    return trees


def webtool_tree(text: str) -> str:
    """The same of webtool."""
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
    """The text without the tokens that the difference does not need."""
    tokens = re.findall(r"<[^>]*>|[^<]+|<", text)
    size = max(1, len(tokens) // 2)
    while size:
        tries = [tokens[:at] + tokens[at + size :] for at in range(0, len(tokens), size)]
        texts = ["".join(one) for one in tries]
        trees = chromium_trees(browser, texts)
        better = next((one for one, t, tree in zip(tries, texts, trees) if t and tree != webtool_tree(t)), None)
        tokens, size = (better, min(size, len(better))) if better else (tokens, size // 2)
    return "".join(tokens)


if __name__ == "__main__":
    sys.exit(main())
