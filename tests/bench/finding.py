"""How often the answer is in the excerpt: python3 tests/bench/finding.py [--missed TOKENS].

Reads ../shared/cases/finding/questions.jsonl and the pages of ../shared/corpus that it asks about. A question is
answered when every part of its answer is in the excerpt as a reader sees it. Prints the share of answered questions at
300, 800 and 2,000 tokens (four bytes each) over the whole page and over its main content, by kind and form, and
milliseconds of CPU a query, from markdown to excerpt. --missed lists those that this many tokens do not answer.
"""

from __future__ import annotations

import collections
import gzip
import json
import pathlib
import re
import sys
import time
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
QUESTIONS = SHARED / "cases/finding/questions.jsonl"
BUDGETS = (300, 800, 2000)
sys.path.insert(0, str(ROOT))

_QUOTES = {**dict.fromkeys(map(ord, "‘’"), "'"), **dict.fromkeys(map(ord, "“”"), '"')}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")


def main() -> int:
    """Print the tables."""
    if not QUESTIONS.exists():
        sys.exit(f"{QUESTIONS} is not there.")
    questions = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    pages = {page: markdown_of(page) for page in dict.fromkeys(question["page"] for question in questions)}
    if "--missed" in sys.argv:
        missed(questions, pages, int(sys.argv[sys.argv.index("--missed") + 1]))
        return 0
    for number, name in enumerate(("whole page", "main content")):
        asked = questions if not number else [one for one in questions if one["in_readable"]]
        print_table(name, asked, {page: both[number] for page, both in pages.items()})
    return 0


def body_of(page: str) -> bytes:
    """The page as it is in the corpus."""
    corpus, _, name = page.partition("/")
    return gzip.decompress((SHARED / f"corpus/{corpus}/html/{name}.html.gz").read_bytes())


def markdown_of(page: str) -> tuple[str, str]:
    """The page's markdown: whole, and its main content."""
    import webtool

    body = body_of(page)
    return webtool.to_markdown(body, "https://a.example/"), webtool.extract(body, "https://a.example/").markdown


def print_table(name: str, questions: list[dict[str, object]], pages: dict[str, str]) -> None:
    """Shares by kind and form, one column a budget."""
    from webtool.answers.question.excerpt import excerpt

    begin = time.process_time()
    shown = {
        budget: [excerpt(pages[str(one["page"])], str(one["query"]), budget) for one in questions] for budget in BUDGETS
    }
    cost = (time.process_time() - begin) / len(questions) / len(BUDGETS) * 1000
    print(f"{name}: {len(questions)} questions, {cost:.1f} ms of CPU a query")
    groups: dict[str, list[list[bool]]] = collections.defaultdict(list)
    for number, one in enumerate(questions):
        got = [is_answered(shown[budget][number], budget, one) for budget in BUDGETS]
        for group in ("all", f"  {one['kind']}", f"  {one['form']}", f"  {one['lang']}"):
            groups[group].append(got)
    for group, rows in groups.items():
        shares = "".join(f"{100 * sum(column) / len(rows):8.1f}" for column in zip(*rows))
        print(f"{group:18}{len(rows):5}{shares}")


def missed(questions: list[dict[str, object]], pages: dict[str, tuple[str, str]], budget: int) -> None:
    """The questions whose answers are not in the excerpt of the whole page."""
    from webtool.answers.question.excerpt import excerpt

    for one in questions:
        if not is_answered(excerpt(pages[str(one["page"])][0], str(one["query"]), budget), budget, one):
            print(one["id"], one["kind"], one["query"], one["answer"], sep=" | ")


def is_answered(text: str, budget: int, question: dict[str, object]) -> bool:
    """Whether all answers are in the text, cut at its budget."""
    seen = as_seen(text.encode()[: 4 * budget].decode("utf-8", "ignore"))
    return all(holds(seen, as_seen(answer)) for answer in question["answer"])  # type: ignore[attr-defined]


def holds(text: str, answer: str) -> bool:
    """Whether the answer stands in the text, not beginning or ending inside a longer word."""
    at = text.find(answer)
    while at >= 0:
        around = (text[at - 1 : at] + answer[0], answer[-1] + text[at + len(answer) :][:1])
        if not any(len(pair) == 2 and pair.isascii() and pair.isalnum() for pair in around):
            return True
        at = text.find(answer, at + 1)
    return False


def as_seen(markdown: str) -> str:
    """What a reader sees: no link targets, marks, bars; plain quotes and dashes; NFKC, case folded, single spaces."""
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\))?[^()]*\)", r"\1", markdown)
    text = re.sub(r"(?m)^\s*(?:[-*+>#]+|\d+[.)])\s+", "", text)
    text = re.sub(r"[*`|#\\]|(?<!\w)_+|_+(?!\w)", "", text)
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES).translate(_DASHES)).casefold()
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
