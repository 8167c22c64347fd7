"""tests/bench/agent.py on its own pages: an agent finds what they say, and hears what they do not say."""

import pathlib
import sqlite3
import subprocess
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[1] / "bench"


def has_fts5():
    try:
        sqlite3.connect(":memory:").execute("create virtual table t using fts5(x)")
    except sqlite3.OperationalError:
        return False
    return True


@pytest.fixture
def agent(monkeypatch, archive):
    """The benchmark, which asks the server under test."""
    if not has_fts5():
        pytest.skip("this Python's SQLite has no FTS5")
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setenv("WEBTOOL_SEARCH_INTERVAL", "0")  # the search engine is on loopback
    import agent

    monkeypatch.setattr(agent, "ARCHIVE", archive)
    return agent


def test_an_agent_finds_the_answers_of_pages_and_tables(agent):
    web = agent.own_pages()
    questions = [question for question in agent.read_questions() if question["page"] in web]
    assert len(questions) == 10
    with agent.RecordedWeb(web) as site, agent.webtool_reader(site.url) as reader:
        asked = [question for question in questions if question["answer"]]
        found = {question["query"]: reader.ask(question) for question in asked}
        assert [query for query, one in found.items() if not one.is_right] == []
        # The search and the page; an outline before sql; further pages if the first answer ended too early.
        assert sum(one.calls for one in found.values()) <= 3 * len(found)
        absent = [question for question in questions if question.get("absent")]
        warned = agent.ask_pages(reader, absent)
        assert (warned.right, warned.missed) == (2, [])


def test_without_its_data_it_says_so_in_one_line(archive, tmp_path):
    command = [sys.executable, str(BENCH / "agent.py"), str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if ended.returncode == 0:
        pytest.skip("the packages are installed here")
    assert ended.returncode == 2
    assert "--fetch" in ended.stdout + ended.stderr
    assert len((ended.stdout + ended.stderr).splitlines()) == 1
