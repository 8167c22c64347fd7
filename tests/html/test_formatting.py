"""The list of active formatting elements. HTML Standard, 13.2.4.3."""

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


# The Noah's Ark clause counts equal names and attributes behind the last marker.
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
