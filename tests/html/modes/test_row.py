"""The insertion modes of a table's rows and cells. HTML Standard, 13.2.6.4.13 to .15."""

import pytest
from trees import body_html

# 13.2.6.4.13, "in table body".
TABLE_BODY = [
    ("<table><tbody><tr><td>a</tbody>b", "b<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><tbody><tbody>", "<table><tbody></tbody><tbody></tbody></table>"),
    ("<table><tbody></tfoot><tr>", "<table><tbody><tr></tr></tbody></table>"),
    ("<table><thead><caption>a", "<table><thead></thead><caption>a</caption></table>"),
    ("<table><tbody></table>a", "<table><tbody></tbody></table>a"),
    ("<table><tbody></td></tr></p>a", "<p></p>a<table><tbody></tbody></table>"),
    ("<table><tbody><th>a", "<table><tbody><tr><th>a</th></tr></tbody></table>"),
    ("<table><tfoot>a<b>c", "a<b>c</b><table><tfoot></tfoot></table>"),
    ("<table><thead><col>", "<table><thead></thead><colgroup><col></colgroup></table>"),
    ("<table><tbody><form></form><tr>", "<table><tbody><form></form><tr></tr></tbody></table>"),
]


# 13.2.6.4.14, "in row".
ROW = [
    ("<table><tr><td>a<th>b", "<table><tbody><tr><td>a</td><th>b</th></tr></tbody></table>"),
    ("<table><tr><tr>", "<table><tbody><tr></tr><tr></tr></tbody></table>"),
    ("<table><tr></table>a", "<table><tbody><tr></tr></tbody></table>a"),
    ("<table><tr></tbody><tr>", "<table><tbody><tr></tr></tbody><tbody><tr></tr></tbody></table>"),
    ("<table><tr></thead><td>", "<table><tbody><tr><td></td></tr></tbody></table>"),
    ("<table><tr></td><td>", "<table><tbody><tr><td></td></tr></tbody></table>"),
    ("<table><tr></tr></tr>a", "a<table><tbody><tr></tr></tbody></table>"),
    ("<table><tr><caption>a", "<table><tbody><tr></tr></tbody><caption>a</caption></table>"),
    ("<table><tr><p>a<td>b", "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><tr><tbody><td>", "<table><tbody><tr></tr></tbody><tbody><tr><td></td></tr></tbody></table>"),
    ("<table><tr></body></html><td>", "<table><tbody><tr><td></td></tr></tbody></table>"),
]


# 13.2.6.4.15, "in cell".
CELL = [
    ("<table><td>a</td>b<td>c", "b<table><tbody><tr><td>a</td><td>c</td></tr></tbody></table>"),
    ("<table><td>a</th>b", "<table><tbody><tr><td>ab</td></tr></tbody></table>"),
    ("<table><td><p>a<td>b", "<table><tbody><tr><td><p>a</p></td><td>b</td></tr></tbody></table>"),
    ("<table><td><b>a</td>b", "b<table><tbody><tr><td><b>a</b></td></tr></tbody></table>"),
    ("<table><td>a<tr><td>b", "<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>"),
    ("<table><td>a</tr>b", "b<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td>a</table>b", "<table><tbody><tr><td>a</td></tr></tbody></table>b"),
    ("<table><td>a</tbody>b", "b<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td></tfoot>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td></body>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td><caption>a", "<table><tbody><tr><td></td></tr></tbody><caption>a</caption></table>"),
    ("<table><td></col>a", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
    ("<table><td><div><td>a", "<table><tbody><tr><td><div></div></td><td>a</td></tr></tbody></table>"),
    ("<table><th><ul><li>a<th>b", "<table><tbody><tr><th><ul><li>a</li></ul></th><th>b</th></tr></tbody></table>"),
    ("<table><td><span>a</table>b", "<table><tbody><tr><td><span>a</span></td></tr></tbody></table>b"),
    ("<td>a</td>b", "ab"),
    ("<table><td><select><td>a", "<table><tbody><tr><td><select></select></td><td>a</td></tr></tbody></table>"),
    (
        "<table><td><svg><desc><td>a",
        "<table><tbody><tr><td><svg><desc></desc></svg></td><td>a</td></tr></tbody></table>",
    ),
]


@pytest.mark.parametrize(("source", "tree"), [*TABLE_BODY, *ROW, *CELL])
def test_every_source_gives_its_tree(source, tree):
    assert body_html(source) == tree
