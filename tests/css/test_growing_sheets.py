"""Style sheets that repeat one construct are read in time that grows linearly with their size.

In each shape the part between « and » is repeated, and @ in it is replaced by its number. What is repeated outside of
the style sheet multiplies what is repeated in it: rules by elements, nested rules by selectors, uses by values.
"""

import re
import time

import pytest
from growing import growth

from webtool.css import cascade, elements
from webtool.html import parse_html
from webtool.visibility.hidden import find_hidden

SHAPES = {
    "nested rules": (".a«,.a:not(.x@)»{«b:not(.y@){display:none}»}", "«<p class=a><b>x</b>»"),
    "nested rules of a long list": (".a«,.b»{«.a{left:@px;display:none}»}", "<p class=a>x"),
    "nested conditions": (".a«,.a»{«@media all{left:@px;display:none}»}", "<p class=a>x"),
    "nested declarations": (".a«,.a»{«b{}left:@px;display:none;»}", "<p class=a>x"),
    "lists in lists": (".a«,.a»{.a«,.a»{display:none}}", "<p class=a>x"),
    "nesting selectors": (".a«,.l@»{«&&&&&& .a{left:@px;display:none}»}", "<p class=a>x"),
    "rules in rules": ("«" + ".a{" * 9 + "display:none" + "}" * 9 + "»", "<p class=a>x"),
    "keyframes in keyframes": ("@keyframes k{from«,from»{«a{}opacity:0;»}} .a{animation:k infinite}", "<p class=a>x"),
    "scopes": ("«@scope (.a) to (.b@){.c@{display:none}}»", "«<div class=a><p class=c@>x»"),
    "limits of a scope": ("@scope (.a) to (.b«,.b@»){«.c@{display:none}»}", "«<div class=a><p class=c@>x»"),
    "a list in brackets": ("«p:not(.x«,.y»){left:@px;display:none}»", "«<p class=x>x»"),
    "a long list": ("«.a:not(.x@),».b{display:none}", "«<p class=a>x»"),
    "registered variables": ("@property --v{«initial-value :».a{display:none}", "<p class=a>x"),
    "spaces in a condition": ("@media (min-a«    »x){.a{display:none}}", "<p class=a>x"),
    "a word in a condition": ("@supports «aaaaaaaaaaaaaaaa»{.a{display:none}}", "<p class=a>x"),
    "options of a list": (".a«:valid»{display:none}", "<select class=a required>«<option>»</select>"),
    "animations": ("@keyframes k0{from{opacity:0}to{opacity:0}}.a{animation:«k@ »infinite}", "«<p class=a id=i@>x»"),
    "long classes": ("«.c@ .z{display:none}»", "<div class='«c@ »'>«<p class=z>x»"),
    "comments": ("«.a:empty:not(.x@){display:none}»", "<p class=a>«<!---->»"),
    "words of an attribute": ("«.a[title~=x@]{display:none}»", "<p class=a title='«y@ »'>x"),
    "attributes of a compound": ("«.a" + "[title^=a]" * 40 + "{left:@px;display:none}»", "«<p class=a title=ab>x»"),
    "places among elements of a class": ("«.a:nth-child(@ of .a:not(.x@)){display:none}»", "<div>«<p class=a>x</p>»"),
    "languages": ("«p:lang(x@){display:none}»", "«<div><p>x»"),
    "siblings": ("«" + ".a ~ " * 9 + ".a:not(.x@){left:@px;display:none}»", "«<p class=a>x»"),
    "later siblings": ("«.a:has(~ .x:not(.y@)){display:none}»", "<b class=x></b>«<p class=a>x»"),
    "reverted layers": ("«@layer l@{.a{all:revert-layer;left:@px}}»", "«<p class=a id=i@ style='all:revert-layer'>x»"),
    "local variables": ("«.b{--v@:none}.a{display:var(--v@)}»", "«<p class=b style=--x:@><b class=a id=i@>x</b></p>»"),
    "nested variables": ("«.b{--v@:none}.a{display:var(--v@)}»", "<p class=a>«<div class=b style=--x:@>»<p class=a>x"),
    "digits of escapes": ("p[«\\11»!]{display:none}", "<p>x"),
    "spaces after escapes": ("p::part(«\\1  »!){display:none}", "<p>x"),
    "rules of many classes": ("«.c@:not(.x){left:@px;display:none}»", "«<p id=i@ class='c1 c2 c3 c4 c5 c6 c7'>x»"),
}  # fmt: skip


def page_of(shape, size):
    def repeated(match):
        return "".join(match[1].replace("@", str(number)) for number in range(size))

    css, html = (re.sub("«([^«»]*)»", repeated, text) for text in SHAPES[shape])
    return parse_html(f"<section>Sentinel text that is seen.</section><style>{css}</style>{html}")


def seconds(shape, size):
    root = page_of(shape, size)
    start = time.process_time()
    hidden = find_hidden(root)
    spent = time.process_time() - start
    assert all("Sentinel" not in str(element.children) for element in hidden)
    return spent


# Shapes of which 2,000 take long: the size to measure instead.
SIZES = {
    "limits of a scope": 150, "attributes of a compound": 200, "places among elements of a class": 200,
    "siblings": 75, "later siblings": 75,
    **dict.fromkeys((
        "nested rules", "nested rules of a long list", "nested conditions", "nested declarations", "nesting selectors",
        "rules in rules", "a long list", "rules of many classes", "languages",
    ), 400),
}  # fmt: skip
# The time of these grows with the square of their size until a limit ends the work.
LIMITED = {"attributes of a compound", "places among elements of a class", "siblings", "later siblings"}


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_size_takes_at_most_eight_times_the_time(monkeypatch, shape):
    if shape in LIMITED:
        monkeypatch.setattr(cascade, "_MAX_MATCHINGS", cascade._MAX_MATCHINGS // 4)
        monkeypatch.setattr(elements, "_MAX_HAS_STEPS", elements._MAX_HAS_STEPS // 4)
    assert not growth(lambda size: seconds(shape, size), SIZES.get(shape, 2000))
