"""Many pages in one call: rows in order, plain values, and pages that exceed a limit without affecting others."""

import contextlib
import json
import os
import time

import pytest
from processes import HAS_PROC, children_of

import webtool
from webtool.bulk import many
from webtool.errors import InvalidArgument
from webtool.running.workers import Workers

WORDS = "<p>" + "Some words of this page that are worth to be read by everybody. " * 9
PAGES = [
    (f"https://a.example/{n}", f"<title>Page {n}</title><h1>Page {n}</h1>{WORDS}<a href=/x>x</a>".encode())
    for n in range(40)
]
PLAIN = (str, int, float, bool, type(None))


def is_plain(value):
    if type(value) is list:
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(type(key) is str and is_plain(one) for key, one in value.items())
    return type(value) in PLAIN


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_rows_equal_those_of_single_pages_in_order(workers):
    rows = list(webtool.extract_many(PAGES, workers))
    for (url, html), row in zip(PAGES, rows):
        assert row == {"url": url, "success": True, **webtool.extract(html, url).to_dict()}
        assert is_plain(row)
        assert json.loads(json.dumps(row)) == row
    assert len(rows) == 40
    rows = list(webtool.to_markdown_many(PAGES[:5], workers))
    assert [row["markdown"] for row in rows] == [webtool.to_markdown(html, url) for url, html in PAGES[:5]]
    assert [row["title"] for row in rows] == [f"Page {n}" for n in range(5)]


ODD = [
    (None, "INVALID_ARGUMENT"),
    (("https://a.example/",), "INVALID_ARGUMENT"),
    (("https://a.example/", None), "INVALID_ARGUMENT"),
    (("https://a.example/", 5), "INVALID_ARGUMENT"),
    (("https://a.example/", b"%PDF-1.7 broken"), "EXTRACT_FAILED"),
    (("https://a.example/", b"\x89PNG\r\n\x1a\n" + bytes(99), "image/png"), "UNSUPPORTED_CONTENT"),
]


@pytest.mark.parametrize("workers", [0, 1])
def test_errors_are_rows(workers):
    rows = list(webtool.extract_many([page for page, _ in ODD] + PAGES[:1], workers))
    assert [row.get("error_code") for row in rows] == [code for _, code in ODD] + [None]
    assert [row["success"] for row in rows] == [False] * len(ODD) + [True]
    assert all(row["error"] and row["hint"] for row in rows[:-1])


def test_pages_of_every_form_are_accepted():
    pages = [
        (None, WORDS),
        ["u", bytearray(WORDS.encode())],
        ("u", WORDS.replace("Some", "Größe").encode("latin-1"), "text/html; charset=latin-1"),
        ("u", b"a,b\n1,2\n", "text/csv"),
        ("u", b""),
    ]
    rows = list(webtool.extract_many(iter(pages), 1))
    assert [row["success"] for row in rows] == [True] * 5
    assert rows[0]["url"] == ""
    assert rows[2]["markdown"].startswith("Größe words")
    assert "a,b" in rows[3]["text"]


def test_wrong_arguments_are_refused_at_once():
    for arguments in ({"strategy": "no such"}, {"workers": -1}, {"workers": "2"}):
        with pytest.raises(InvalidArgument):
            webtool.extract_many([], **arguments)


# What a worker is made to do for a page, and what becomes of the page.
FATES = {
    b"fine": (("builtins:dict", [("a", 1)]), None),
    b"die": (("os:_exit", 3), "EXTRACT_FAILED"),
    b"hang": (("re:match", r"(a+)+$", "a" * 60 + "b"), "FETCH_TIMEOUT"),
    b"eat": (("builtins:bytearray", 2 << 30), "FETCH_TOO_LARGE"),
    b"bug": (("operator:truediv", 1, 0), "INTERNAL_ERROR"),
}


def test_a_page_that_kills_its_worker_fails_alone():
    pool = Workers(2)

    def call(url, body, content_type):
        target, *arguments = FATES[body][0]
        return pool.call(target, *arguments, deadline=time.monotonic() + 3, memory=600 << 20)

    bodies = [b"fine", b"die", b"fine", b"hang", b"fine", b"eat", b"fine", b"bug", b"die", b"die", b"fine"]
    rows = list(many._in_order(((str(n), body) for n, body in enumerate(bodies)), pool, call))
    assert [row["url"] for row in rows] == [str(n) for n in range(len(bodies))]
    assert [row.get("error_code") for row in rows] == [FATES[body][1] for body in bodies]
    assert all(row["a"] == 1 for row, body in zip(rows, bodies) if body == b"fine")


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see other processes")
def test_pages_are_read_as_needed_and_workers_end_with_the_caller():
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield PAGES[len(taken) % 40]

    with contextlib.closing(webtool.extract_many(endless(), 2)) as rows:
        assert next(rows)["success"]
        assert len(taken) <= 2 * many.AHEAD + 2
        before = children_of(os.getpid())
    assert len(before - children_of(os.getpid())) >= 2


def test_an_error_of_the_page_iterator_is_raised_to_the_caller():
    def broken():
        yield PAGES[0]
        raise OSError("the disk is gone")

    rows = webtool.extract_many(broken(), 1)
    with pytest.raises(OSError, match="the disk is gone"):
        list(rows)


def test_the_library_exports_both_functions():
    assert {"extract_many", "to_markdown_many", "records"} <= set(dir(webtool))
    assert webtool.archives.records is webtool.records
