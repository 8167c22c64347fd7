"""Reconstruct active formatting elements, and run the adoption agency algorithm. HTML Standard, 13.2.4.3 and
13.2.6.4.7.
"""

import pytest
from trees import body_html

# 13.2.4.3, reconstruct the active formatting elements.
RECONSTRUCTION = [
    ("<p><b>a</p>b", "<p><b>a</b></p><b>b</b>"),
    ("<p><b><i>a</p><p>b", "<p><b><i>a</i></b></p><p><b><i>b</i></b></p>"),
    ("<div><b></div><img>", "<div><b></b></div><b><img></b>"),
    ("<p><b></p><br>", "<p><b></b></p><b><br></b>"),
    ("<p><b></p><!--a-->x", "<p><b></b></p><!--a--><b>x</b>"),
    ("<p><b></p><span>a", "<p><b></b></p><b><span>a</span></b>"),
    ("<p><b></p><div>a", "<p><b></b></p><div><b>a</b></div>"),
    ("<p><i></p><button>a", "<p><i></i></p><i><button>a</button></i>"),
    ("<p><i></p><select></select>", "<p><i></i></p><i><select></select></i>"),
    ("<p><i></p><svg></svg>", "<p><i></i></p><i><svg></svg></i>"),
    ("<p><i></p><input>", "<p><i></i></p><i><input></i>"),
    ("<p><i></p><textarea></textarea>", "<p><i></i></p><textarea></textarea>"),
    ("<p><i></p><object>a", "<p><i></i></p><i><object>a</object></i>"),
    ("<p><i></p><xmp>a</xmp>", "<p><i></i></p><i><xmp>a</xmp></i>"),
    ("<p><i></p><nobr>a", "<p><i></i></p><i><nobr>a</nobr></i>"),
    ("<p><i></p><param>a", "<p><i></i></p><param><i>a</i>"),
    ("<p><i></p><li>a", "<p><i></i></p><li><i>a</i></li>"),
    ("<p><i></p><hr>a", "<p><i></i></p><hr><i>a</i>"),
    ("<p><i></p><table><td>a", "<p><i></i></p><table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<p><i></p><script></script>a", "<p><i></i></p><script></script><i>a</i>"),
    ("<p><i></p><ruby>a<rt>b", "<p><i></i></p><i><ruby>a<rt>b</rt></ruby></i>"),
    ("<p><i></p>\n", "<p><i></i></p><i>\n</i>"),
    ("<p><i></p><option>a", "<p><i></i></p><i><option>a</option></i>"),
    ("<p><i></p><iframe></iframe>", "<p><i></i></p><iframe></iframe>"),
]


# The Noah's Ark clause counts equal names and attributes after the last marker.
NOAH = [
    ("<p><i><i><i><i></p>a", "<p><i><i><i><i></i></i></i></i></p><i><i><i>a</i></i></i>"),
    (
        "<p><i a=1><i a=1><i a=1><i a=1></p>a",
        '<p><i a="1"><i a="1"><i a="1"><i a="1"></i></i></i></i></p><i a="1"><i a="1"><i a="1">a</i></i></i>',
    ),
    (
        "<p><i a=1 b=2><i b=2 a=1><i a=1 b=2><i a=1 b=2></p>a",
        '<p><i a="1" b="2"><i b="2" a="1"><i a="1" b="2"><i a="1" b="2"></i></i></i>'
        '</i></p><i b="2" a="1"><i a="1" b="2"><i a="1" b="2">a</i></i></i>',
    ),
    (
        "<p><i a=1><i a=2><i a=3><i a=4></p>a",
        '<p><i a="1"><i a="2"><i a="3"><i a="4"></i></i></i></i></p><i a="1"><i a="2">'
        '<i a="3"><i a="4">a</i></i></i></i>',
    ),
    (
        "<p><i><i><i><object><i></object></p>a",
        "<p><i><i><i><object><i></i></object></i></i></i></p><i><i><i>a</i></i></i>",
    ),
    (
        "<p><font><font><font><font><font></p>a",
        "<p><font><font><font><font><font></font></font></font></font></font></p><font><font><font>a"
        "</font></font></font>",
    ),
]


# Markers keep formatting inside cells, captions, objects and templates.
MARKERS = [
    ("<table><td><b>a<td>b", "<table><tbody><tr><td><b>a</b></td><td>b</td></tr></tbody></table>"),
    (
        "<table><caption><b>a</caption><td>b",
        "<table><caption><b>a</b></caption><tbody><tr><td>b</td></tr></tbody></table>",
    ),
    ("<object><b>a</object>b", "<object><b>a</b></object>b"),
    ("<template><b>a</template>b", "b"),
    ("<b><table><td>a</table>b", "<b><table><tbody><tr><td>a</td></tr></tbody></table>b</b>"),
    ("<applet><i>a</applet>b", "<applet><i>a</i></applet>b"),
    ("<marquee><i>a</marquee>b", "<marquee><i>a</i></marquee>b"),
    ("<table><th><i>a</table>b", "<table><tbody><tr><th><i>a</i></th></tr></tbody></table>b"),
]


@pytest.mark.parametrize(("source", "tree"), [*RECONSTRUCTION, *NOAH, *MARKERS])
def test_every_source_gives_its_tree(source, tree):
    assert body_html(source) == tree


# 13.2.6.4.7, the adoption agency algorithm.
ADOPTION = [
    ("<b>1<p>2</b>3</p>", "<b>1</b><p><b>2</b>3</p>"),
    ("<p>1<b>2<i>3</b>4</i>5</p>", "<p>1<b>2<i>3</i></b><i>4</i>5</p>"),
    ("<b>1<p>2</b>3</p>4", "<b>1</b><p><b>2</b>3</p>4"),
    ("<a>1<div>2<div>3</a>4</div>5</div>", "<a>1</a><div><a>2</a><div><a>3</a>4</div>5</div>"),
    ("<table><a>1<p>2</a>3</p>", "<a>1</a><p><a>2</a>3</p><table></table>"),
    ("<b><b><a><p></a>", "<b><b><a></a><p><a></a></p></b></b>"),
    ("<p><b><div>a</p>b", "<p><b></b></p><div><b>a<p></p>b</b></div>"),
    ("<b><i><u><s><p>a</b>b", "<b><i><u><s></s></u></i></b><i><u><s><p><b>a</b>b</p></s></u></i>"),
    ("<b><i><u><s><tt><p>a</b>b", "<b><i><u><s><tt></tt></s></u></i></b><u><s><tt><p><b>a</b>b</p></tt></s></u>"),
    ("<b><div><div><div>a</b>b", "<b></b><div><b></b><div><b></b><div><b>a</b>b</div></div></div>"),
    (
        "<b><div><div><div><div><div><div><div><div><div>a</b>b",
        "<b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b><div><b></b>"
        "<div><b><div>ab</div></b></div></div></div></div></div></div></div></div>",
    ),
    ("<b><span><p>a</b>b", "<b><span></span></b><p><b>a</b>b</p>"),
    ("<i><b><x><p>a</i>b", "<i><b><x></x></b></i><b><p><i>a</i>b</p></b>"),
    ("<b>a<p>b<i>c</b>d</i>e", "<b>a</b><p><b>b<i>c</i></b><i>d</i>e</p>"),
    ("<a><b><p>a</a>b</b>c", "<a><b></b></a><b></b><p><b><a>a</a>b</b>c</p>"),
    ("<em><p>a<em>b</em>c</em>d", "<em></em><p><em>a<em>b</em>c</em>d</p>"),
    ("<b><section><p>a</b>b</section>c", "<b></b><section><b></b><p><b>a</b>b</p></section>c"),
    ("<b><table><td>a</b>b</table>c", "<b><table><tbody><tr><td>ab</td></tr></tbody></table>c</b>"),
    (
        "<a href=1><b><i><div>x<a href=2>y",
        '<a href="1"><b><i></i></b></a><b><i><div><a href="1">x</a><a href="2">y</a></div></i></b>',
    ),
    ("<nobr><table><marquee></table><nobr>", "<nobr><marquee></marquee><table></table></nobr><nobr></nobr>"),
    ("<nobr><div>a</nobr>b</div>c", "<nobr></nobr><div><nobr>a</nobr>b</div>c"),
    (
        "<font><center><font><p>a</font>b</font>c",
        "<font></font><center><font><font></font></font><p><font><font>a</font>b</font>c</p></center>",
    ),
    ("<b><p><i>a</b>b<p>c", "<b></b><p><b><i>a</i></b><i>b</i></p><p><i>c</i></p>"),
    ("<div><b></div></b>a", "<div><b></b></div>a"),
    ("<p><code>a<div></code>b", "<p><code>a</code></p><div>b</div>"),
    ("<b><ul><li>a</b>b", "<b></b><ul><b></b><li><b>a</b>b</li></ul>"),
    ("<strong><div>a<em>b</strong>c</em>d", "<strong></strong><div><strong>a<em>b</em></strong><em>c</em>d</div>"),
    ("<a><a><a>x", "<a></a><a></a><a>x</a>"),
    ("<b>a<aside>b</b>c</aside>d", "<b>a</b><aside><b>b</b>c</aside>d"),
    ("<i>a<h1>b</i>c</h1>d", "<i>a</i><h1><i>b</i>c</h1>d"),
    ("<u>a<dl><dt>b</u>c", "<u>a</u><dl><u></u><dt><u>b</u>c</dt></dl>"),
    ("<small><p>a</small>b</p></small>c", "<small></small><p><small>a</small>b</p>c"),
    ("<b><object></b>a", "<b><object>a</object></b>"),
    ("<p><a><p></a>b", "<p><a></a></p><p>b</p>"),
    ("<b><i><p>a</i></b>b", "<b><i></i></b><p><b><i>a</i></b>b</p>"),
    ("<a>1<table><td>2</a>3<a>4", "<a>1<table><tbody><tr><td>23<a>4</a></td></tr></tbody></table></a>"),
    ("<b>a<button>b</b>c</button>d", "<b>a</b><button><b>b</b>c</button>d"),
    (  # the Noah's Ark clause: three of a kind
        "<p><b class=a><b class=a><b class=a><b class=a>x<p>y",
        '<p><b class="a"><b class="a"><b class="a"><b class="a">x</b></b></b></b></p>'
        '<p><b class="a"><b class="a"><b class="a">y</b></b></b></p>',
    ),
    (  # the earliest of the three goes, what is not equal stays
        "<p><b class=a><b class=b><b class=a><b class=a><b class=a>x<p>y",
        '<p><b class="a"><b class="b"><b class="a"><b class="a"><b class="a">x</b></b></b></b></b></p>'
        '<p><b class="b"><b class="a"><b class="a"><b class="a">y</b></b></b></b></p>',
    ),
    ("<p><b><table></b>x</table>y", "<p><b></b></p>x<table></table>y"),
    ("<i>a<b>b</i>c</b>d", "<i>a<b>b</b></i><b>c</b>d"),
    ("<a><div><div><div></a>b", "<a></a><div><a></a><div><a></a><div><a></a>b</div></div></div>"),
]


@pytest.mark.parametrize(("source", "tree"), ADOPTION)
def test_misnested_end_tags_run_the_adoption_agency(source, tree):
    assert body_html(source) == tree
