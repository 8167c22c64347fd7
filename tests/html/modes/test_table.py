"""The insertion modes of tables. HTML Standard, 13.2.6.4.9 to .12."""

import pytest
from trees import body_html, quirks_html

# 13.2.6.4.9, "in table".
IN_TABLE = [
    ("<table><tr><td>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><tbody><td>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    (
        "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><td>c",
        "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody><tfoot><tr><td>c"
        "</td></tr></tfoot></table>",
    ),
    ("<table><caption>a<tr><td>b", "<table><caption>a</caption><tbody><tr><td>b</td></tr></tbody></table>"),
    (
        "<table><colgroup><col><col><tr><td>a",
        "<table><colgroup><col><col></colgroup><tbody><tr><td>a</td></tr></tbody></table>",
    ),
    ("<table><col><td>a", "<table><colgroup><col></colgroup><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table>a<td>b", "a<table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table> <td>a", "<table> <tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table>a b<tr>c", "a bc<table><tbody><tr></tr></tbody></table>"),
    ("<table><b>a<tr><td>b", "<b>a</b><table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><p>a<tr><td>b", "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><div>a</div>b", "<div>a</div>b<table></table>"),
    ("<table><table>a", "<table></table>a<table></table>"),
    ("<table><td><table>a", "<table><tbody><tr><td>a<table></table></td></tr></tbody></table>"),
    ("<table></p>a", "<p></p>a<table></table>"),
    ("<table></body>a", "a<table></table>"),
    (
        "<table><input type=hidden><input type=HiDdEn><input>",
        '<input><table><input type="hidden"><input type="HiDdEn"></table>',
    ),
    ("<table><form><input></form><tr><td>", "<input><table><form></form><tbody><tr><td></td></tr></tbody></table>"),
    (
        "<table><style>a</style><script>b</script><tr>",
        "<table><style>a</style><script>b</script><tbody><tr></tr></tbody></table>",
    ),
    ("<table><template><td></template>", "<table><template><td></td></template></table>"),
    ("<table><!--a--><tr>", "<table><!--a--><tbody><tr></tr></tbody></table>"),
    ("<table><!DOCTYPE html><tr>", "<table><tbody><tr></tr></tbody></table>"),
    ("<table></table>a", "<table></table>a"),
    ("</table>a", "a"),
    ("<table><br>a", "<br>a<table></table>"),
    ("<table><a>b<tr><a>c", "<a>b</a><a>c</a><table><tbody><tr></tr></tbody></table>"),
    ("<table><select><option>a", "<select><option>a</option></select><table></table>"),
    ("<table><svg><p>a", "<svg></svg><p>a</p><table></table>"),
    ("<table><textarea>\na</textarea>", "<textarea>a</textarea><table></table>"),
    ("<table>a<!--b-->c", "ac<table><!--b--></table>"),
    ("<table>\0a", "a<table></table>"),
    ("<table>&nbsp;", "&nbsp;<table></table>"),
    ("<div><table>a</div>b</table>", "<div>ab<table></table></div>"),
    ("<table><hr>", "<hr><table></table>"),
    ("<table><li>a<li>b<tr>", "<li>a</li><li>b</li><table><tbody><tr></tr></tbody></table>"),
    ("<table><td></table></table>a", "<table><tbody><tr><td></td></tr></tbody></table>a"),
    (
        "<table><caption><table><td>a",
        "<table><caption><table><tbody><tr><td>a</td></tr></tbody></table></caption></table>",
    ),
]


# 13.2.6.4.10, "in table text": white space is inserted, other text is fostered as a whole.
TABLE_TEXT = [
    ("<table> \n<tr> <td>", "<table> \n<tbody><tr> <td></td></tr></tbody></table>"),
    ("<table> a <tr>", " a <table><tbody><tr></tr></tbody></table>"),
    ("<table><tr> a<td>b", " a<table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><tr>a <!--b--> c<td>", "a  c<table><tbody><tr><!--b--><td></td></tr></tbody></table>"),
    ("<table><tbody>a</tbody>b</table>c", "ab<table><tbody></tbody></table>c"),
    ("<table> <b> a", "<b> a</b><table> </table>"),
    ("<table>a</table>", "a<table></table>"),
    ("<table>&#x20;<tr>&#x61;", "a<table> <tbody><tr></tr></tbody></table>"),
    ("<table>a&lt;b<td>", "a&lt;b<table><tbody><tr><td></td></tr></tbody></table>"),
    ("<table><tr>\0<td>", "<table><tbody><tr><td></td></tr></tbody></table>"),
]


# 13.2.6.4.11, "in caption".
CAPTION = [
    ("<table><caption>a</caption>b", "b<table><caption>a</caption></table>"),
    ("<table><caption><p>a<td>b", "<table><caption><p>a</p></caption><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><caption>a</table>b", "<table><caption>a</caption></table>b"),
    ("<table><caption>a<caption>b", "<table><caption>a</caption><caption>b</caption></table>"),
    ("<table><caption><b>a<col>", "<table><caption><b>a</b></caption><colgroup><col></colgroup></table>"),
    ("<table><caption></td></tr>a", "<table><caption>a</caption></table>"),
    ("<table><caption><div>a</caption>b", "b<table><caption><div>a</div></caption></table>"),
    ("<table><caption><table></caption>a", "<table><caption>a<table></table></caption></table>"),
    ("</caption>a", "a"),
]


# 13.2.6.4.12, "in column group".
COLGROUP = [
    ("<table><colgroup> <!--a--> <col></colgroup>", "<table><colgroup> <!--a--> <col></colgroup></table>"),
    ("<table><colgroup>a", "a<table><colgroup></colgroup></table>"),
    ("<table><colgroup><p>a", "<p>a</p><table><colgroup></colgroup></table>"),
    ("<table><colgroup></col></colgroup>", "<table><colgroup></colgroup></table>"),
    ("<table><colgroup></p>a", "<p></p>a<table><colgroup></colgroup></table>"),
    ("<table><colgroup><template><col></template>", "<table><colgroup><template><col></template></colgroup></table>"),
    ("<table><col></colgroup><col>", "<table><colgroup><col></colgroup><colgroup><col></colgroup></table>"),
    (
        "<table><colgroup><colgroup><tr>",
        "<table><colgroup></colgroup><colgroup></colgroup><tbody><tr></tr></tbody></table>",
    ),
    ("<table><colgroup> a", "a<table><colgroup> </colgroup></table>"),
    ("<table><colgroup></table>a", "<table><colgroup></colgroup></table>a"),
    ("<table><colgroup><html a=b><col>", "<table><colgroup><col></colgroup></table>"),
]


# Without a DOCTYPE a p stays open around a table.
QUIRKS = [("<p>a<table><tr><td>b</table>c", "<p>a<table><tbody><tr><td>b</td></tr></tbody></table>c</p>")]


@pytest.mark.parametrize(("source", "tree"), [*IN_TABLE, *TABLE_TEXT, *CAPTION, *COLGROUP])
def test_every_source_gives_its_tree(source, tree):
    assert body_html(source) == tree


@pytest.mark.parametrize(("source", "tree"), QUIRKS)
def test_quirks_mode_keeps_p_open(source, tree):
    assert quirks_html(source) == tree
