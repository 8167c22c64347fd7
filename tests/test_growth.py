"""Hostile pages are converted in time that grows linearly with their size.

Each shape is a page that repeats one thing many times: the part between « and » is repeated, and @ in it is replaced by
its number. WEBTOOL_TEST_PROFILE=nightly uses larger sizes.
"""

import os
import re
import time

import pytest
from growing import growth

from webtool import extract, outline, to_markdown
from webtool.pages.answer import facts_members
from webtool.pages.stored_copies import extraction_facts

ARTICLE = (
    "<title>Tide tables</title><h1>Tide tables</h1><p>The first paragraph says what the article is about, at length,"
    " so that nobody takes it for a menu.</p><p>Sentinel paragraph alpha follows, with a second sentence. It is long"
    " enough to count as text of its own.</p>"
)
SCALE = 8 if os.environ.get("WEBTOOL_TEST_PROFILE") == "nightly" else 1
CHEAP = 0.005  # seconds of 100 things: there are more of those that cost little, so that work for each pair shows
LD = "<script type=application/ld+json>"
# Of one element, of itself within itself, of what refers to another, and of attributes, rules, entities and scripts.
SHAPES = {
    "pictures": "«<picture><source srcset='/a@.webp 1x, /b@.webp 2x'><img src=/a@.png alt=@></picture>»",
    "pictures in noscript": "«<img data-src=/a@.png src=data:,><noscript><img src=/a@.png alt=@></noscript>»",
    "pull quotes": "«<p>Twelve words of a sentence that is long enough to be one, number @.</p>"
    "<div>\u201cNobody counts the waves of @ days\u201d</div>»",
    "amendments": "«<p>Twelve words of a sentence that is long enough to be one, number @.</p>"
    "<div>Correction of @: it was not the sea.</div>»",
    "pictures in links": "«<a href=/p@><img src=/a@.png alt='text @'></a>»",
    "candidates of a picture": "<img alt=x srcset='«/a@.png @w, »/b.png 9w'>",
    "sources of a picture": "<picture>«<source srcset='/a@.png @w'>»<img src=/x alt=x></picture>",
    "named by one text": "<div id=i>«<b>name</b> »</div>«<img src=/x.png aria-labelledby=i>»",
    "described by one text": "<div id=i>«<b>name</b> »</div>«<table aria-labelledby=i><tr><td>a<td>b</table>»",
    "named by many": "«<div id=i@>name</div>»<section aria-labelledby='«i@ »'>text</section>",
    "named each by its own": "«<div id=i@>name @</div><section aria-labelledby=i@>text @</section>»",
    "areas of a map": "«<img src=/x usemap=#m@ alt=x><map name=m@><area href=/x@ alt='a @'></map>»",
    "figures": "«<figure><img src=/a@.png alt=@><figcaption>caption @</figcaption></figure>»",
    "listings in figures": "«<figure><figcaption>c @</figcaption><div><pre>code @</pre></div>»",
    "figures in figures": "«<figure><img src=/a.png alt=x><figcaption>x»",
    "details": "«<details><summary>s @</summary>text @</details>»",
    "details in details": "«<details><summary>x</summary>y»",
    "labels": "«<label for=i@>label @</label><input id=i@>»",
    "labels of one field": "«<label for=i>label @</label>»<input id=i>",
    "radio buttons": "<form>«<input type=radio name=a id=r@><label for=r@>o @</label>»</form>",
    "fields": "<form>«<input name=a@ value=@><select name=s@><option selected>a<option>b</select>»</form>",
    "options": "<select>«<option value=@>o @»</select>",
    "selected content": "«<select><button><selectedcontent></selectedcontent></button><option selected>a @</select>»",
    "buttons": "«<button>b @»",
    "panels": "«<button aria-controls=i@ aria-expanded=false>b @</button><div id=i@ hidden>panel @</div>»",
    "controls of one panel": "<div id=i hidden>panel</div>«<button aria-controls=i aria-expanded=false>b</button>»",
    "panels in panels": "«<button aria-controls=p>q</button><div class=tab hidden id=p>»",
    "tabs": "<div role=tablist>«<a role=tab aria-controls=i@ href=#i@>t</a>»</div>"
    "«<div role=tabpanel id=i@ style=display:none>panel @</div>»",
    "accordions": "«<div class=accordion-item><h3><button aria-expanded=false>q @</button></h3>"
    "<div class=accordion-body style='display:none'>answer @</div></div>»",
    "headings": "«<h2>heading @</h2>»",
    "headlines and headings": "«<h1>x @</h1>»«<h2>part @</h2>»",
    "headings and texts": "«<h2>heading</h2><p>words @»",
    "contents": "<ul>«<li><a href=#h@>heading @</a>»</ul>«<h2 id=h@>heading @</h2><p>words @»",
    "headings in sections": "«<section><h2>h</h2>x »",
    "links": "«<a href=/x>link @</a> »",
    "links of blocks": "«<a href=/x@><div>x</div><p>y</a>»",
    "links of headings": "«<a href=/x@><h2>A heading of its own, number @</h2>»",
    "open links": "«<div><a href=/x>x»",
    "cards": "«<div class=card><a href=/x@><img src=/i@.png><h3>card @</h3></a><p>teaser of @</p></div>»",
    "navigation": "«<nav><a href=/x@>n @</a></nav>»",
    "paragraphs": "«<p>par @ some words.»",
    "paragraphs alike": "«<div><p>some words of a sentence that says it.</p><p>and others.</p></div>»",
    "copies": "<div>«<p>par @ some words of it.</p>»</div><div>«<p>par @ some words of it.</p>»</div>",
    "calls to read more": "«<p>Read more</p><p>some words here»",
    "tables": "«<table><caption>c @</caption><tr><th>a<th>b<tr><td>@<td>x</table>»",
    "rows": "<table>«<tr><td rowspan=9>a @<td>b @»</table>",
    "columns": "<table><tr>«<td>@»</table>",
    "groups of rows": "<table>«<tbody><tr><th>g @<tr><td headers=h@>x<th id=h@>y</tbody>»</table>",
    "cells that span": "«<table><tr><td colspan=1000 rowspan=9>a<td>b<tr>»",
    "tables in tables": "«<table><tr><td>x»",
    "tables of roles": "«<div role=table><div role=row><i role=cell>a»",
    "before tables": "<table>«x @<b>y</b>»",
    "lists": "«<ul><li>a @<li>b</ul>»",
    "items": "<ol reversed>«<li>a @»</ol>",
    "lists in lists": "«<ul><li>x»",
    "open items": "<ul>«<li><div>x»",
    "terms": "<dl>«<dt>t @<dd>d @»</dl>",
    "terms in terms": "«<dl><dt>x<dd>y»",
    "notes": "«<p>t <sup class=reference id=r@><a href=#n@>[@]</a></sup>»<ol class=references>"
    "«<li id=n@><a href=#r@>^</a> note @»</ol>",
    "notes of one": "«<p>t <sup><a href=#n id=r@>1</a></sup>»<ol><li id=n>note «<a href=#r@>back</a>»</ol>",
    "rules": "<style>«.c@{display:none}»</style>«<p class=c@>t @»",
    "rules for one class": "<style>«div .c@ p{display:none}»</style>«<div><p class=d@>t @</p></div>»",
    "rules about siblings": "<style>.a ~ .b{display:none} h1 ~ .b + p{opacity:0} p:has(+ .b){opacity:0}</style>"
    "«<p class=b>t @»",
    "rules about ancestors": "<style>.a .b .b{display:none} h1 > .b b{opacity:0}</style>«<div class=b>t »",
    "rules about attributes": "<style>«[data-x='@']{display:none}»</style>«<p data-x=@y>t @»",
    "selectors of a rule": "<style>«.c@,»b{display:none}</style>«<p class=d@>t @»",
    "rules in rules": "<style>«@media screen{».c{display:none}«}»</style>",
    "variables": "<style>:root{«--v@:var(--w@);»} .a{display:var(--v0)}</style><p class=a>x",
    "escaped quotes": "<style>.a«\\'»{display:none}</style>«<p class=a>t»",
    "a name of dashes": "<style>.a{«-»}</style><p class=a style='«-»'>x",
    "style sheets": "«<style>.c@{display:none}</style><p class=c@>t»",
    "inline styles": "«<p style='color:red;display:block;font-size:@px'>t @»",
    "a long style": "<p style='«color:red;»'>t",
    "hidden": "«<p hidden>x @</p><p aria-hidden=true>y @</p><span class=sr-only>x @</span>»",
    "hidden in hidden": "«<div hidden>x»",
    "faded panels": "«<div class=tab style='opacity:0'>»",
    "boxes without a word": "«<div><b>q</b><p class=a aria-hidden=true>»",
    "attributes": "<p «a@=@ »>t",
    "attributes of the page": "«<html a@=@>»",
    "classes": "«<p class='c@ d-@'>t»",
    "classes of one": "<p class='«a@ »'>t",
    "ids": "«<p id=i@>t»«<p id=i>t»",
    "entities": "<p>«&amp;&lt;&notit;&#x41;&CounterClockwiseContourIntegral;&foo &; &#;»",
    "less-thans": "«<<<<<<<<<<»",
    "comments": "«<!-- c @ --> --!> <!->»",
    "end tags": "<div>«<div>»«</x></b>»",
    "unknown elements": "«<x-a@>t @</x-a@>»",
    "divisions": "«<div>x »",
    "spans": "«<span>x »",
    "bold and italic": "«<b><i>x»",
    "bold and italic, ended crosswise": "«<b><i>x</b></i>»",
    "bold in words": "«a<b>b</b>»",
    "empty bold": "«<b>&nbsp;</b>»",
    "open bold": "«<i>a<p>»",
    "quotations": "«<blockquote>x»",
    "quotes": "«<q>a»",
    "line breaks": "«x<br><br>»",
    "one line": "<p>«word word word word word word »",
    "one word": "<p>«aaaaaaaaaaaaaaaaaaaa»",
    "spaces": "<p>x«                »y",
    "signs": "<p>«*_`[](!#\\|~»",
    "backticks": "<p>«`a``b```c»",
    "lines of code": "<pre><code>«<span class=k>a@</span> \n»</code></pre>",
    "empty lines of code": "<pre>x«\n\n\n\n\n\n»y</pre>",
    "code in cells": "<table>«<tr><td class=lineno>@<td><pre>code @</pre>»</table>",
    "code in code": "«<code>»",
    "superscripts": "«x<sup><b>@»",
    "ruby": "<ruby>«<rt>x<rp>y»",
    "ruby in divisions": "«<ruby><rt><div>a»",
    "rows of a formula": "<math><mrow>«<mi>x</mi><mo>+</mo><mn>@</mn>»</mrow></math>",
    "fractions": "<math>«<mfrac><mn>1</mn><mrow>»",
    "formulas": "«<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x_@</annotation></math>»",
    "boxes of formulas": "«<span class=math>»",
    "drawings": "«<svg><title>t @</title><use href=#i@></svg>»",
    "frames": "«<iframe src=/v@ title='t @'></iframe><embed src=/v@.swf><object data=/v@>x</object>»",
    "films": "«<video src=/v@.mp4 poster=/p@.png><track src=/t@></video><audio><source src=/v@.mp3></audio>»",
    "templates": "«<template>x»",
    "shadow trees": "«<x-a><template shadowrootmode=open><slot>»",
    "slots": "<div><template shadowrootmode=open>«<slot name=a@></slot>»</template>«<p slot=a@>x @»</div>",
    "callouts": "«<div class='admonition note'><p class=admonition-title>Note @</p>»",
    "posts": "«<div class=comment id=c@><span class=author>u @</span><p>comment @ of some words</p></div>»",
    "replies": "«<ul><li class=comment><span class=author>u</span><p>comment »",
    "bylines": "«<p class=byline>By Author @<a rel=author href=/u@>by</a><time datetime=2020-01-01>x</time></p>»",
    "microdata": "«<div itemscope itemtype=http://schema.org/Product><b itemprop=name>p<b itemprop=price>@</div>»",
    "microdata in microdata": "«<div itemscope itemtype=https://schema.org/Article itemprop=x><b itemprop=name>p</b>»",
    "microdata elsewhere": "<p id=a>«<b itemprop=name>x</b>»</p>"
    "«<i itemscope itemtype=https://schema.org/Article itemref=a></i>»",
    "meta elements": "«<meta name=author content='a @'><meta property=og:image content=/i@>»",
    "JSON-LD": LD + "[«{'@type':'NewsArticle','headline':'h @','author':{'@id':'#@'}},»0]</script>",
    "JSON-LD in JSON-LD": LD + "«{'a':»1«}»</script>",
    "lists in JSON-LD": LD + "«[[[[[[[[[[»</script>",
    "a body in JSON-LD": LD + "{'@type':'NewsArticle','articleBody':'«some words. »'}</script>«<p>some words. @»",
    "products in JSON-LD": LD + "[«{'@type':'Product','name':'@','offers':{'@type':'Offer','price':'@'}},»0]</script>",
    "less-thans in noscript": "<noscript>«<<<<<<<<<<»</noscript>",
    "no-script texts": "«<noscript>text @</noscript>»",
    "a shell's data": "<div id=__next></div>"
    "<script id=__NEXT_DATA__ type=application/json>{«'a@':{'b':'c @'},»'d':0}</script>",
}  # fmt: skip
WORK = {
    "markdown": lambda page: to_markdown(page, "https://x.example/"),
    "extract": lambda page: extract(page, "https://x.example/"),
}


def page_of(shape, size):
    source = SHAPES[shape].replace("'", '"') if LD in SHAPES[shape] or "__NEXT" in shape else SHAPES[shape]
    page = re.sub("«(.*?)»", lambda one: "".join(one[1].replace("@", str(n)) for n in range(size)), source, flags=re.S)
    return ARTICLE + page


def seconds(work, page):
    start = time.process_time()
    result = WORK[work](page)
    text = result if work == "markdown" else result.markdown
    facts = () if work == "markdown" else facts_members(extraction_facts(result), True, [])
    outline(text)
    spent = time.process_time() - start
    assert "Sentinel paragraph alpha" in text or "Sentinel paragraph alpha" in str(facts)
    assert len(text) < 15 * len(page)  # nested quotations have a prefix in each line, 8 times their page
    return spent


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_linearly_with_the_size(shape, work):
    first = seconds(work, page_of(shape, 100))
    assert not growth(lambda size: seconds(work, page_of(shape, size)), SCALE * (1000 if first > CHEAP else 2500))
