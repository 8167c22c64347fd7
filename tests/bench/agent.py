#!/usr/bin/env python3
"""Measure how an agent finds answers with webtool's MCP server: right answers, calls, tokens.

    python3 build.py && python3 tests/bench/agent.py FOLDER [--fetch] [--missed]

A recorded web on loopback has 60 pages of documentation packages of Debian 12 and 11 pages of agent_web/; its search
endpoint answers as SearXNG does, from an index in SQLite (FTS5). FOLDER has the unpacked packages, each in a folder of
its name; --fetch downloads missing ones with apt-get (about 40 MB); packages that are installed are found in
/usr/share/doc. agent_web/questions.jsonl has 30 questions whose answers were found by reading the pages' sources; four
of them have no answer.

Prints two tables. In the first, each question is put to its page, by web_open with `query`: how many pages answer in
this one call, the tokens of a page, and how many questions without an answer came without a warning that names the
missing word. In the second, a reader searches, opens up to three results and stops at the answer: right answers, calls,
tokens of the pages' answers. It is printed for webtool, and for mcp-server-fetch and trafilatura where they are
installed. A token is four bytes. --missed lists the questions without a right answer.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import queue
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from typing import NamedTuple

from costs import ARCHIVE, fetch_packages, leave, need_archive
from finding import has_words, visible_text
from mcp_peer import Peer
from recorded_web import PACKAGES, RecordedWeb, debian_pages, own_pages, read_questions

BUDGETS = (300, 500, 800)
RESULTS = 3  # results of a search that a reader opens
MORE_TOKENS = 2000  # of the second call on a page that has not answered
PATIENCE = 120_000  # milliseconds for a page: a long PDF file takes a busy machine half a minute
FETCHES = 8  # calls of mcp-server-fetch on one page, of 5,000 characters each
PAGE_SECONDS = 60.0  # for all of them on one page


class Found(NamedTuple):
    """How a reader fared with one question."""

    is_right: bool
    calls: int
    tokens: int


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="where the unpacked packages are")
    parser.add_argument("--fetch", action="store_true", help="download missing packages with apt-get")
    parser.add_argument("--missed", action="store_true", help="list the questions without a right answer")
    options = parser.parse_args()
    need_archive()
    if options.fetch:
        fetch_packages(options.folder, PACKAGES)
    web = {**debian_pages(options.folder), **own_pages()}
    questions = read_questions()
    lacking = sorted({question["page"].split("/")[0] for question in questions if question["page"] not in web})
    if lacking:
        leave(f"{', '.join(lacking)}: not in {options.folder} and not installed; --fetch downloads them")
    print(f"{len(web)} pages, {len(questions)} questions")
    with RecordedWeb(web) as site:
        with webtool_reader(site.url) as reader:
            print_pages(reader, questions, options.missed)
        print("\nfrom a search            right   calls  tokens")
        for name, open_reader in READERS.items():
            with open_reader(site.url) as reader:
                if reader is None:
                    print(f"{name} is not installed")
                else:
                    print_search(name, reader, questions, options.missed)
    return 0


# Readers


class Reader:
    """Searches, opens the results in turn and stops at the answer. Subclasses say how a page is read."""

    def __init__(self, url: str) -> None:
        self.url = url

    def search(self, words: str) -> list[str]:
        """Return the names of the first pages that the search finds."""
        with urllib.request.urlopen(f"{self.url}/search?format=json&q={urllib.parse.quote(words)}") as answer:
            urls = [result["url"] for result in json.load(answer)["results"]]
        return [url[len(self.url) + 1 :] for url in urls][:RESULTS]

    def texts(self, page: str, question: dict[str, object], is_again: bool) -> Iterator[str]:
        """Yield the text of one call after the other. `is_again`: no page had the answer, so ask this one for more."""
        raise NotImplementedError

    def ask(self, question: dict[str, object]) -> Found:
        """Search and read until the answer is there."""
        pages = self.search(str(question["search"]))
        calls, tokens = 1, 0
        for page, is_again in [(page, False) for page in pages] + [(page, True) for page in pages[:1]]:
            seen = ""
            for text in self.texts(page, question, is_again):
                seen += text
                calls, tokens = calls + 1, tokens + tokens_of(text)
                if is_right(seen, question):
                    return Found(True, calls, tokens)
        return Found(False, calls, tokens)


class McpReader(Reader):
    """Reads through an MCP server."""

    def __init__(self, peer: Peer, url: str) -> None:
        super().__init__(url)
        self.peer, self._number = peer, 100

    def call(self, tool: str, seconds: float = PATIENCE / 1000, **arguments: object) -> dict[str, object]:
        """Call a tool and wait for its result; notifications are passed over. Raises queue.Empty."""
        self._number += 1
        self.peer.request(self._number, "tools/call", name=tool, arguments=arguments)
        while (answer := self.peer.hear(seconds)).get("id") != self._number:
            pass
        return answer["result"]


class Webtool(McpReader):
    """webtool: asks each page with `query`, or with `outline` and `sql` where a table has the answer."""

    def open(self, page: str, **arguments: object) -> dict[str, object]:
        """Return the result of web_open for a page."""
        return self.call("web_open", url=f"{self.url}/{page}", timeout_ms=PATIENCE, **arguments)

    def search(self, words: str) -> list[str]:
        """Return the names of the first pages that web_search finds."""
        results = self.call("web_search", query=words)["structuredContent"].get("results", [])
        return [result["url"][len(self.url) + 1 :] for result in results][:RESULTS]

    def texts(self, page: str, question: dict[str, object], is_again: bool) -> Iterator[str]:
        """Yield the passages for the query."""
        if question.get("sql") and page == question["page"]:
            yield text_of(self.open(page, outline=True))
            yield text_of(self.open(page, sql=question["sql"]))
        elif is_again:
            yield text_of(self.open(page, query=question["query"], mode="full", max_tokens=MORE_TOKENS))
        else:
            yield text_of(self.open(page, query=question["query"]))


class FetchServer(McpReader):
    """mcp-server-fetch: reads a page from its start, 5,000 characters a call.

    It converts the whole page for each call, a manual in a minute. So each part is fetched once, whatever the number of
    questions that read it. A page whose parts take longer than PAGE_SECONDS together ends there, which is said; the
    server is started again, as it would go on with that page before the next one.
    """

    def __init__(self, start: Callable[[], Peer], url: str) -> None:
        super().__init__(start(), url)
        self._start = start
        self._parts: dict[tuple[str, int], str] = {}
        self._seconds: dict[str, float] = {}  # by page: that its parts took

    def texts(self, page: str, question: dict[str, object], is_again: bool) -> Iterator[str]:
        """Yield the next part of the page, until its end or FETCHES calls."""
        for number in range(0 if is_again else FETCHES):
            text = self._part(page, number)
            yield text
            if "start_index" not in text:  # the server names it if more follows
                return

    def _part(self, page: str, number: int) -> str:
        """Return part `number` of a page; "" if it does not come in time."""
        if (page, number) not in self._parts:
            begin, left = time.monotonic(), max(PAGE_SECONDS - self._seconds.get(page, 0.0), 0.1)
            text = ""
            try:
                text = text_of(self.call("fetch", left, url=f"{self.url}/{page}", start_index=5000 * number))
            except queue.Empty:
                print(f"    {page}: took longer than {PAGE_SECONDS:.0f} s up to part {number + 1}")
                self.peer.process.kill()
                self.peer.end()
                self.peer = self._start()
            self._parts[page, number] = text
            self._seconds[page] = PAGE_SECONDS - left + time.monotonic() - begin
        return self._parts[page, number]


class Trafilatura(Reader):
    """trafilatura: the main text of whole pages."""

    def texts(self, page: str, question: dict[str, object], is_again: bool) -> Iterator[str]:
        """Yield the page's text."""
        import trafilatura

        if not is_again:
            with urllib.request.urlopen(f"{self.url}/{page}") as answer:
                body = answer.read()
            yield trafilatura.extract(body, output_format="markdown", include_tables=True) or ""


@contextlib.contextmanager
def webtool_reader(url: str) -> Iterator[Webtool]:
    """Start webtool's MCP server with an empty cache and the recorded web's search."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {
            "WEBTOOL_CACHE_PATH": f"{folder}/cache.sqlite3",
            "WEBTOOL_ALLOW_PRIVATE_HOSTS": "127.0.0.1",
            "WEBTOOL_SEARCH_PROVIDER": "searxng",
            "WEBTOOL_SEARXNG_URL": url,
        }
        with Peer(ARCHIVE, **environ) as peer:
            peer.shake_hands()
            yield Webtool(peer, url)


@contextlib.contextmanager
def fetch_reader(url: str) -> Iterator[FetchServer | None]:
    """Start mcp-server-fetch, if it is installed."""
    if importlib.util.find_spec("mcp_server_fetch") is None:
        yield None
        return
    command = [sys.executable, "-m", "mcp_server_fetch"]
    usage = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False).stdout
    flags = [flag for flag in ("--ignore-robots-txt", "--allow-private-ips") if flag in usage]  # of newer versions

    def start() -> Peer:
        peer = Peer(ARCHIVE, [*command, *flags])
        peer.shake_hands()
        return peer

    reader = FetchServer(start, url)
    try:
        yield reader
    finally:
        reader.peer.process.kill()
        reader.peer.end()


@contextlib.contextmanager
def trafilatura_reader(url: str) -> Iterator[Trafilatura | None]:
    """Return the reader with trafilatura, if it is installed."""
    try:
        import trafilatura  # noqa: F401
    except ImportError:  # or a part of it is missing
        yield None
    else:
        yield Trafilatura(url)


READERS = {"webtool": webtool_reader, "mcp-server-fetch": fetch_reader, "trafilatura": trafilatura_reader}


# Figures


def text_of(result: dict[str, object]) -> str:
    """Return the text of a result of tools/call, which is what the model is shown."""
    return "\n".join(block.get("text", "") for block in result["content"])


def tokens_of(text: str) -> int:
    """Return the tokens of a text: four bytes each."""
    return len(text.encode()) // 4


def is_right(text: str, question: dict[str, object]) -> bool:
    """Return whether all parts of the answer are in the text; False for a question without an answer."""
    visible = visible_text(text)
    parts = [visible_text(part) or part for part in question["answer"]]
    return bool(parts) and all(has_words(visible, part) for part in parts)


class Asked(NamedTuple):
    """How questions fared with their own pages."""

    right: int
    tokens: int
    """Tokens of the texts of all answers."""
    object_tokens: int
    """Tokens of structuredContent as JSON, which Claude Code and VS Code show the model in place of the text."""
    missed: list[str]


def ask_pages(reader: Webtool, questions: list[dict[str, object]], **arguments: object) -> Asked:
    """Put each question to its page, in one call.

    A question without an answer is missed if no line above the frame names its word.
    """
    right, tokens, object_tokens, missed = 0, 0, 0, []
    for question in questions:
        result = reader.open(str(question["page"]), query=question["query"], **arguments)
        text = text_of(result)
        tokens += tokens_of(text)
        object_tokens += tokens_of(json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":")))
        warning = text.partition("<<<")[0].lower()
        if is_right(text, question) or (question.get("absent") and str(question["absent"]) in warning):
            right += 1
        else:
            missed.append(f"    {question['page']}: {question['query']}")
    return Asked(right, tokens, object_tokens, missed)


def print_pages(reader: Webtool, questions: list[dict[str, object]], with_missed: bool) -> None:
    """Print how the questions fare with their own page, in both modes and with several budgets; not those for sql."""
    asked = [question for question in questions if question["answer"] and not question.get("sql")]
    absent = [question for question in questions if question.get("absent")]
    print(
        f"\none call on its page   of {len(asked)}  tokens a page  as an object  warned of {len(absent)}  tokens a page"
    )
    for mode in ("readable", "full"):
        for budget in (*BUDGETS, None):
            arguments = {"mode": mode, **({"max_tokens": budget} if budget else {})}
            found, warned = ask_pages(reader, asked, **arguments), ask_pages(reader, absent, **arguments)
            figures = f"{found.right:8}{found.tokens / len(asked):15.0f}{found.object_tokens / len(asked):14.0f}"
            name = f"{mode}, {budget or 'default'}"
            print(f"{name:20}{figures}{warned.right:13}{warned.tokens / len(absent):15.0f}")
            if with_missed and budget is None:
                print(*found.missed, *warned.missed, sep="\n")


def print_search(name: str, reader: Reader, questions: list[dict[str, object]], with_missed: bool) -> None:
    """Print how a reader fares that has to search for the page."""
    rows = [(question, reader.ask(question)) for question in questions]
    answerable = sum(bool(question["answer"]) for question in questions)
    right = sum(found.is_right for _, found in rows)
    calls, tokens = sum(found.calls for _, found in rows), sum(found.tokens for _, found in rows)
    print(f"{name:20}{right:3} of {answerable}{calls:8}{tokens:8,}")
    for question, found in rows:
        if with_missed and question["answer"] and not found.is_right:
            print(f"    {question['page']}: {question['query']}")


if __name__ == "__main__":
    sys.exit(main())
