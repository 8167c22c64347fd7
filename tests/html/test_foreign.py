"""Build foreign content. HTML Standard, 13.2.6.5."""

import pytest
from trees import body_outline

from webtool.html import foreign, parse_html
from webtool.html.insertion import MAX_SEARCH

# 13.2.6.5, foreign content.
CONTENT = [
    ("<svg><g><path/></g></svg>a", "svg:svg(svg:g(svg:path)) 'a'"),
    ("<math><mi>a</mi><mo>b</mo></math>", "math:math(math:mi('a') math:mo('b'))"),
    ("<svg/>a", "svg:svg 'a'"),
    ("<math/>a", "math:math 'a'"),
    ("<svg><circle/>a", "svg:svg(svg:circle 'a')"),
    ("<svg>a\0b", "svg:svg('a\ufffdb')"),
    ("<svg><![CDATA[a<b]]>c", "svg:svg('a<bc')"),
    ("<math><![CDATA[&amp;]]>", "math:math('&amp;')"),
    ("<![CDATA[a]]>", ""),
    ("<svg><!--a-->", "svg:svg(<!--a-->)"),
    ("<svg><?a b?>", "svg:svg(<?a b?>)"),
    ("<svg><!DOCTYPE html>a", "svg:svg('a')"),
    ("<svg></g></svg>a", "svg:svg 'a'"),
    ("<svg><g></svg>a", "svg:svg(svg:g) 'a'"),
    ("<svg></p>a", "svg:svg p 'a'"),
    ("<svg></br>a", "svg:svg br 'a'"),
    ("<svg><g></div>a", "svg:svg(svg:g('a'))"),
    ("<div><svg></div>a", "div(svg:svg) 'a'"),
    ("<svg><title>a<b>c</title>d", "svg:svg(svg:title('a' b('cd')))"),
    ("<svg><style>a<b>c", "svg:svg(svg:style('a')) b('c')"),
    ("<svg><script>a<b></script>c", "svg:svg(svg:script('a')) b('c')"),
    ("<svg><script/>a", "svg:svg(svg:script 'a')"),
    ("<svg><textarea>a", "svg:svg(svg:textarea('a'))"),
    ("<svg><g><svg><g>a", "svg:svg(svg:g(svg:svg(svg:g('a'))))"),
    ("<svg><x><y></x>a", "svg:svg(svg:x(svg:y) 'a')"),
    ("<SVG><G></G>", "svg:svg(svg:g)"),
    ("<svg><g/>a<g>b", "svg:svg(svg:g 'a' svg:g('b'))"),
    ("<svg>a</svg>&#0;", "svg:svg('a') '\ufffd'"),
    ("<svg>&#0;a", "svg:svg('\ufffda')"),
    ("<svg><![CDATA[a]]b]]>c", "svg:svg('a]]bc')"),
    ("<svg><![CDATA[a]]]>b", "svg:svg('a]b')"),
    ("<svg><![CDATA[]]>a", "svg:svg('a')"),
    ("<svg><![CDATA[a", "svg:svg('a')"),
    ("<svg><![cdata[a]]>b", "svg:svg(<!--[cdata[a]]--> 'b')"),
    ("<svg><desc><![CDATA[a]]>b", "svg:svg(svg:desc('ab'))"),
    ("<svg><desc><svg><![CDATA[a]]>b", "svg:svg(svg:desc(svg:svg('ab')))"),
    ("<div><![CDATA[a]]>b</div>", "div(<!--[CDATA[a]]--> 'b')"),
    ("<math><annotation-xml><![CDATA[a]]>", "math:math(math:annotation-xml('a'))"),
    ("<svg><g><foreignObject></g>a", "svg:svg(svg:g(svg:foreignObject) 'a')"),
    ("<svg><a><g></a>b", "svg:svg(svg:a(svg:g) 'b')"),
    ("<math><mi><svg></mi>a", "math:math(math:mi(svg:svg) 'a')"),
]


# Start tags that end foreign content.
BREAKOUT = [
    ("<svg><p>a", "svg:svg p('a')"),
    ("<svg><g><div>a", "svg:svg(svg:g) div('a')"),
    ("<math><b>a", "math:math b('a')"),
    ("<svg><font>a", "svg:svg(svg:font('a'))"),
    ("<svg><font color=x>a", "svg:svg font color=x('a')"),
    ("<svg><font FACE=x>a", "svg:svg font face=x('a')"),
    ("<svg><font size=1>a", "svg:svg font size=1('a')"),
    ("<math><table><td>a", "math:math table(tbody(tr(td('a'))))"),
    ("<svg><ul><li>a", "svg:svg ul(li('a'))"),
    ("<svg><h1>a", "svg:svg h1('a')"),
    ("<svg><span>a", "svg:svg span('a')"),
    ("<svg><img>a", "svg:svg img 'a'"),
    ("<svg><body a=b>c", "svg:svg 'c'"),
    ("<svg><head>a", "svg:svg 'a'"),
    ("<svg><br>a", "svg:svg br 'a'"),
    ("<math><mi><p>a", "math:math(math:mi(p('a')))"),
    ("<svg><desc><p>a", "svg:svg(svg:desc(p('a')))"),
    ("<svg><a>b<p>c", "svg:svg(svg:a('b')) p('c')"),
    ("<svg><code>a", "svg:svg code('a')"),
    ("<svg><center>a", "svg:svg center('a')"),
    ("<svg><meta>a", "svg:svg meta 'a'"),
    ("<svg><nobr>a", "svg:svg nobr('a')"),
    ("<svg><html a=b>c", "svg:svg(svg:html a=b('c'))"),
    ("<svg><tr><td>a", "svg:svg(svg:tr(svg:td('a')))"),
    ("<svg><sub>a<sup>b", "svg:svg sub('a' sup('b'))"),
    ("<math><var>a", "math:math var('a')"),
    ("<svg><ruby>a", "svg:svg ruby('a')"),
    ("<svg><rt>a", "svg:svg(svg:rt('a'))"),
    ("<svg><a><em>b", "svg:svg(svg:a) em('b')"),
    ("<svg><font foo=1>a", "svg:svg(svg:font foo=1('a'))"),
    ("<math><annotation-xml><p>a", "math:math(math:annotation-xml) p('a')"),
    ("<math><annotation-xml encoding=text/html><p>a", "math:math(math:annotation-xml encoding=text/html(p('a')))"),
    ("<math><annotation-xml encoding=TEXT/html><p>a", "math:math(math:annotation-xml encoding=TEXT/html(p('a')))"),
    ("<math><annotation-xml><svg><p>a", "math:math(math:annotation-xml(svg:svg)) p('a')"),
    ("<math><mtext><table><tr><td>a", "math:math(math:mtext(table(tbody(tr(td('a'))))))"),
    ("<math><mo><mglyph/>a", "math:math(math:mo(math:mglyph 'a'))"),
    ("<math><mo><b/><mglyph/>a", "math:math(math:mo(b(mglyph('a'))))"),
    ("<svg><title><svg><p>a", "svg:svg(svg:title(svg:svg p('a')))"),
    ("<div><svg><g></div><p>a", "div(svg:svg(svg:g)) p('a')"),
    ("<table><tr><td><svg><tr>a", "table(tbody(tr(td(svg:svg(svg:tr('a'))))))"),
    ("<table><svg><p>a", "svg:svg p('a') table"),
    ("<select><svg><p>a", "select(svg:svg p('a'))"),
]


# The content of integration points is HTML.
INTEGRATION = [
    ("<svg><foreignObject><p>a</p></foreignObject><g>", "svg:svg(svg:foreignObject(p('a')) svg:g)"),
    ("<svg><desc><b>a", "svg:svg(svg:desc(b('a')))"),
    ("<svg><title><p>a", "svg:svg(svg:title(p('a')))"),
    ("<math><mi>a<b>c", "math:math(math:mi('a' b('c')))"),
    ("<math><mo><svg>", "math:math(math:mo(svg:svg))"),
    ("<math><mi><mglyph><malignmark>a", "math:math(math:mi(math:mglyph(math:malignmark('a'))))"),
    ("<math><mtext><p>a<mglyph>", "math:math(math:mtext(p('a' mglyph)))"),
    ("<math><annotation-xml><svg>a", "math:math(math:annotation-xml(svg:svg('a')))"),
    (
        "<math><annotation-xml encoding=application/XHTML+xml><div>a",
        "math:math(math:annotation-xml encoding=application/XHTML+xml(div('a')))",
    ),
    ("<math><annotation-xml encoding=x><p>a", "math:math(math:annotation-xml encoding=x) p('a')"),
    ("<svg><foreignObject><math><mi>a", "svg:svg(svg:foreignObject(math:math(math:mi('a'))))"),
    ("<svg><foreignObject></svg>a", "svg:svg(svg:foreignObject) 'a'"),
    ("<math><ms><b>a</ms>c", "math:math(math:ms(b('ac')))"),
    ("<math><mn>1<i>2</math>3", "math:math(math:mn('1' i('23')))"),
    ("<svg><desc><svg><p>a", "svg:svg(svg:desc(svg:svg p('a')))"),
    ("<p><svg><foreignObject><p>a", "p(svg:svg(svg:foreignObject(p('a'))))"),
    ("<svg><foreignObject><td>a", "svg:svg(svg:foreignObject('a'))"),
    ("<math><mi></p>a", "math:math(math:mi(p 'a'))"),
    ("<svg><desc></p>a", "svg:svg(svg:desc(p 'a'))"),
    ("<svg><foreignObject>a\0b", "svg:svg(svg:foreignObject('ab'))"),
]


# Names and attributes get their proper case.
ADJUSTED = [
    (
        "<svg viewbox=1 preserveaspectratio=2><clippath><lineargradient>",
        "svg:svg viewBox=1 preserveAspectRatio=2(svg:clipPath(svg:linearGradient))",
    ),
    ("<svg><FOREIGNOBJECT>a", "svg:svg(svg:foreignObject('a'))"),
    ("<math definitionurl=a viewbox=b>", "math:math definitionURL=a viewbox=b"),
    ("<svg definitionurl=a>", "svg:svg definitionurl=a"),
    ("<svg xlink:href=a xml:lang=b xmlns:xlink=c>", "svg:svg xlink:href=a xml:lang=b xmlns:xlink=c"),
    ("<svg><textpath startoffset=1>", "svg:svg(svg:textPath startOffset=1)"),
    (
        "<svg><fegaussianblur stddeviation=1 /><animatetransform>",
        "svg:svg(svg:feGaussianBlur stdDeviation=1 svg:animateTransform)",
    ),
    ("<svg><a xlink:HREF=x>", "svg:svg(svg:a xlink:href=x)"),
    ("<svg VIEWBOX=a>", "svg:svg viewBox=a"),
    ("<math><mi xlink:type=simple>", "math:math(math:mi xlink:type=simple)"),
    (
        "<svg><radialgradient gradientunits=a spreadmethod=b>",
        "svg:svg(svg:radialGradient gradientUnits=a spreadMethod=b)",
    ),
    ("<svg><altglyph/><glyphref/>", "svg:svg(svg:altGlyph svg:glyphRef)"),
]


@pytest.mark.parametrize(("source", "tree"), [*CONTENT, *BREAKOUT, *INTEGRATION, *ADJUSTED])
def test_every_source_gives_its_tree(source, tree):
    assert body_outline(source) == tree


class CountingTag(str):
    """A tag name that counts how often it is compared."""

    count = 0

    def lower(self):
        CountingTag.count += 1
        return super().lower()


def test_an_end_tag_searches_a_limited_part_of_the_stack(monkeypatch):
    monkeypatch.setitem(foreign._SVG_TAGS, "g", CountingTag("g"))
    parse_html("<svg>" + "<g>" * (3 * MAX_SEARCH) + "</x>" * 10)
    assert 0 < CountingTag.count <= 10 * MAX_SEARCH
