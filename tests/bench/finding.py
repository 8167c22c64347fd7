"""Measure how often an excerpt has the answer to a question: python3 tests/bench/finding.py [--missed TOKENS].

Reads ../shared/cases/finding/questions.jsonl and the pages of ../shared/corpus that the questions are about. A question
is answered if every part of its answer is in the excerpt as a reader sees it. Prints the share of answered questions at
300, 800 and 2,000 tokens (four bytes each), by kind and form of question: for the whole page and for its main content.
Prints also the milliseconds of CPU for a query, from markdown to excerpt. --missed lists the questions that an excerpt
of that many tokens does not answer.
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
        if name == "main content":
            questions = [question for question in questions if question["in_readable"]]
        print_table(name, questions, {page: texts[number] for page, texts in pages.items()})
    return 0


def body_of(page: str) -> bytes:
    """Return the HTML of a page of the corpus; `page` is "CORPUS/NAME"."""
    corpus, _, name = page.partition("/")
    return gzip.decompress((SHARED / f"corpus/{corpus}/html/{name}.html.gz").read_bytes())


def markdown_of(page: str) -> tuple[str, str]:
    """Return the page's markdown: the whole page, and its main content."""
    import webtool

    body = body_of(page)
    return webtool.to_markdown(body, "https://a.example/"), webtool.extract(body, "https://a.example/").markdown


def print_table(name: str, questions: list[dict[str, object]], pages: dict[str, str]) -> None:
    """Print the shares of answered questions by kind and form, with a column for each budget."""
    from webtool.answers.question.excerpt import excerpt

    begin = time.process_time()
    shown: dict[int, list[str]] = {}
    for budget in BUDGETS:
        shown[budget] = [excerpt(pages[str(row["page"])], str(row["query"]), budget) for row in questions]
    cost = (time.process_time() - begin) / len(questions) / len(BUDGETS) * 1000
    print(f"{name}: {len(questions)} questions, {cost:.1f} ms of CPU a query")
    groups: dict[str, list[list[bool]]] = collections.defaultdict(list)
    for number, question in enumerate(questions):
        answered = [is_answered(shown[budget][number], budget, question) for budget in BUDGETS]
        for group in ("all", f"  {question['kind']}", f"  {question['form']}", f"  {question['lang']}"):
            groups[group].append(answered)
    for group, rows in groups.items():
        shares = "".join(f"{100 * sum(column) / len(rows):8.1f}" for column in zip(*rows))
        print(f"{group:18}{len(rows):5}{shares}")


def missed(questions: list[dict[str, object]], pages: dict[str, tuple[str, str]], budget: int) -> None:
    """Print the questions whose answers are not in the excerpt of the whole page."""
    from webtool.answers.question.excerpt import excerpt

    for question in questions:
        text = excerpt(pages[str(question["page"])][0], str(question["query"]), budget)
        if not is_answered(text, budget, question):
            print(question["id"], question["kind"], question["query"], question["answer"], sep=" | ")


def is_answered(text: str, budget: int, question: dict[str, object]) -> bool:
    """Return whether all parts of the answer are in the text, which is cut at its budget of tokens."""
    visible = visible_text(text.encode()[: 4 * budget].decode("utf-8", "ignore"))
    return all(has_words(visible, visible_text(answer)) for answer in question["answer"])  # type: ignore[attr-defined]


def has_words(text: str, answer: str) -> bool:
    """Return whether the answer is in the text and neither begins nor ends inside a longer word."""
    start = text.find(answer)
    while start >= 0:
        edges = (text[start - 1 : start] + answer[0], answer[-1] + text[start + len(answer) :][:1])
        if not any(len(pair) == 2 and pair.isascii() and pair.isalnum() for pair in edges):
            return True
        start = text.find(answer, start + 1)
    return False


def visible_text(markdown: str) -> str:
    """Return what a reader sees: no link targets, marks and bars; plain quotes and dashes; NFKC, lower case."""
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\))?[^()]*\)", r"\1", markdown)
    text = re.sub(r"(?m)^\s*(?:[-*+>#]+|\d+[.)])\s+", "", text)
    text = re.sub(r"[*`|#\\]|(?<!\w)_+|_+(?!\w)", "", text)
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES).translate(_DASHES)).casefold()
    return " ".join(text.split())


if __name__ == "__main__":
    sys.exit(main())
