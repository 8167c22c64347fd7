"""Hostile shapes: an answer, with the article, in time that grows with the size and not faster."""

import time

import pytest

from webtool.extraction import extract

ARTICLE = (
    "<title>Tide tables</title><h1>Tide tables</h1><p>The first paragraph says what the article is about, at length,"
    " so that nobody takes it for a menu.</p><p>Sentinel paragraph alpha follows, with a second sentence. It is long"
    " enough to count as text of its own.</p>"
)
SHAPES = {
    "deep div": lambda n: "<div>" * n + "x" + "</div>" * n,
    "deep lists": lambda n: "<ul><li>x" * n,
    "deep tables": lambda n: "<table><tr><td>x" * (n // 4),
    "deep blockquotes": lambda n: "<blockquote>x" * n,
    "deep inline": lambda n: "<b><i>x" * (n // 2),
    "paragraphs": lambda n: "<p>x" * n,
    "links": lambda n: "<a href=x>y</a> " * n,
    "headings": lambda n: "<h2>x</h2>" * n,
    "cells": lambda n: "<table><tr>" + "<td>x" * n + "</table>",
    "classes": lambda n: "".join(f"<p class='c{i} d-{i}'>x</p>" for i in range(n // 2)),
    "one class": lambda n: "<p class='" + "a-b " * n + "'>x</p>",
    "line breaks": lambda n: "x<br><br>" * n,
    "one line": lambda n: "<p>" + "word " * (20 * n),
    "labels": lambda n: "<p>Read more</p><p>some words here" * (2 * n),
    "less-thans": lambda n: "<" * (10 * n),
    "nested details": lambda n: "<details><summary>x</summary>y" * (n // 2),
    "noscript": lambda n: "<noscript>" + "<" * (10 * n) + "</noscript>",
    "json-ld": lambda n: '<script type="application/ld+json">' + "[" * (10 * n) + "</script>",
    "json-ld objects": lambda n: '<script type="application/ld+json">' + '{"a":' * n + "1" + "}" * n + "</script>",
}


def seconds(shape, size):
    page = ARTICLE + SHAPES[shape](size)
    start = time.process_time()
    found = extract(page, "https://x.example/")
    assert "Sentinel paragraph alpha" in found.text or "Sentinel paragraph alpha" in found.markdown
    return time.process_time() - start


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_size_takes_no_more_than_eight_times(shape):
    seconds(shape, 100)
    small = min(seconds(shape, 1000) for _ in range(3))
    assert min(seconds(shape, 4000) for _ in range(2)) < 8 * max(small, 0.02)
