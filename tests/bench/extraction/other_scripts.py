#!/usr/bin/env python3
"""Extract pages whose words were replaced by invented ones in another script, and compare the figures.

    V/bin/python tests/bench/extraction/train.py --check --folds F   write the models of cross-validation to folder F
    python3 tests/bench/extraction/other_scripts.py F [--every N]    extract every Nth page of the corpus (default: 3)

An extractor that counts words, letters or full stops in one script alone loses text here, as would one that knows
nothing but English labels. Markup, class names, addresses, numbers and the lengths of texts stay as they are. A word
becomes the same word wherever it occurs: in the text, in the ground truth, in the title, in descriptions.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import html
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2])]

import corpus  # noqa: E402

from webtool.extraction import extract  # noqa: E402
from webtool.extraction.model import model_file  # noqa: E402

LANGUAGES = {"as it is": "", "Cyrillic letters": "ru", "Chinese characters": "zh-CN"}
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['\u2019][A-Za-z]+)?")
_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")  # a Chinese character is a word
_MARKUP = re.compile(r"(?is)(<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|<[!/a-z][^>]*>)")
_META = re.compile(r"""(?i)(<meta\b(?=[^>]*(?:title|description))[^>]*\bcontent\s*=\s*)("[^"]*"|'[^']*')""")
_JSON = re.compile(r'("(?:headline|name|description|articleBody|text)"\s*:\s*")((?:[^"\\]|\\.)*)(?=")')
_LANG = re.compile(r"""(?i)(<html\b[^>]*\blang\s*=\s*["']?)[\w-]+""")
_CYRILLIC = str.maketrans(dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувшыьз")))
_MARK = "\ue000"  # around a Chinese word, until the spaces and punctuation beside it are replaced
_CHINESE_ENDS = {", ": "\uff0c", ". ": "\u3002", "? ": "\uff1f", "! ": "\uff01"}


def translated(text: str, lang: str) -> str:
    """Return a text with other words: as many letters in Russian, a character for 2.8 letters in Chinese."""
    if not lang:
        return text
    if lang == "ru":
        return _WORD.sub(lambda match: match[0].lower().translate(_CYRILLIC), text)
    text = _WORD.sub(lambda match: f"{_MARK}{_chinese(match[0])}{_MARK}", text)
    text = re.sub(rf"{_MARK}[ \t]+{_MARK}", "", text)
    for end, mark in _CHINESE_ENDS.items():
        text = re.sub(rf"{_MARK}{re.escape(end[0])}(?: |$)", mark, text)
    return text.replace(_MARK, "")


def _chinese(word: str) -> str:
    size = max(1, round(len(word) / 2.8))
    digest = hashlib.sha256(word.lower().encode()).digest()
    return "".join(chr(0x4E00 + int.from_bytes(digest[2 * i : 2 * i + 2], "big") % 2500) for i in range(min(size, 16)))


def page(source: str, lang: str) -> str:
    """Return an HTML page with all words that readers see, its title and its descriptions translated."""
    if not lang:
        return source
    parts = []
    for i, part in enumerate(_MARKUP.split(source)):
        if i % 2 == 0:
            part = html.escape(translated(html.unescape(part), lang), quote=False)
        elif part[:7].lower() == "<script":
            part = _JSON.sub(lambda match: match[1] + translated(match[2], lang), part)
        else:
            part = _META.sub(lambda match: match[1] + translated(match[2], lang), part)
        parts.append(part)
    return _LANG.sub(rf"\g<1>{lang}", "".join(parts), count=1)


def f1(text: str, truth: str) -> float:
    """Return the F1 of a text's words, counted, against the ground truth's."""
    ours, theirs = (collections.Counter(_TOKEN.findall(part.lower())) for part in (text, truth))
    total = sum(ours.values()) + sum(theirs.values())
    return 2 * sum((ours & theirs).values()) / total if total else 1.0


def main() -> int:
    """Print a table with one row a script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folds", type=pathlib.Path, help="the folder that train.py --folds wrote")
    parser.add_argument("--every", type=int, default=3)
    options = parser.parse_args()
    rows = corpus.rows()[:: options.every]
    if not options.folds.is_dir():
        parser.error(f"{options.folds} is missing: train.py --check --folds {options.folds} writes it")
    models = [model_file.Model((options.folds / f"{group}.bin").read_bytes()) for group in range(corpus.GROUPS)]
    print("| words | pages | F1 | confidence |\n|---|---:|---:|---:|")
    for name, lang in LANGUAGES.items():
        figures = []
        for row in rows:
            model_file.use(models[corpus.group(row)])
            extraction = extract(page(corpus.html(row["id"]).decode("utf-8", "replace"), lang), row["url"])
            figures.append((f1(extraction.text, translated(row["main_content"], lang)), extraction.confidence))
        means = [sum(column) / len(rows) for column in zip(*figures)]
        print(f"| {name} | {len(rows)} | {means[0]:.4f} | {means[1]:.3f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
