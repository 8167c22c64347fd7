"""Insert nodes at the appropriate place, with foster parenting. HTML Standard, 13.2.6.1."""

import pytest
from trees import body_html

# 13.2.6.1, foster parenting.
FOSTER = [
    ("a<table>b", "ab<table></table>"),
    ("<p>a<table>b", "<p>a</p>b<table></table>"),
    ("<table><i>a<b>c</i>d<td>", "<i>a<b>c</b></i><b>d</b><table><tbody><tr><td></td></tr></tbody></table>"),
    ("<table>a<p>b</p>c<tr>d", "a<p>b</p>cd<table><tbody><tr></tr></tbody></table>"),
    ("<table><tr><td></td>a", "a<table><tbody><tr><td></td></tr></tbody></table>"),
    ("<template><table>a", ""),
    ("<table><div><p>a<tr>", "<div><p>a</p></div><table><tbody><tr></tr></tbody></table>"),
    ("<table><a><div>x</a>y", "<a></a><div><a>x</a>y</div><table></table>"),
    (
        "<div><table><tbody>a<i>b</tbody>c</table>d",
        "<div>a<i>b</i><i>c</i><table><tbody></tbody></table><i>d</i></div>",
    ),
    ("<table><tr><b>a<td>b</b>c", "<b>a</b><table><tbody><tr><td>bc</td></tr></tbody></table>"),
    ("<b><table><p>a</b>b", "<b><p>ab</p><table></table></b>"),
    ("<table><em>a</table>b", "<em>a</em><table></table><em>b</em>"),
    ("<table><b><tr><td>x</b></table>y", "<b></b><table><tbody><tr><td>x</td></tr></tbody></table><b>y</b>"),
    ("<ul><table><li>a</table>", "<ul><li>a</li><table></table></ul>"),
    ("<table><b><i>a</b>b</i>c", "<b><i>a</i></b><i>b</i>c<table></table>"),
    ("<table><b><tr>a<td>b", "<b></b><b>a</b><table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<table><select><option>a<tr>b", "<select><option>a</option></select>b<table><tbody><tr></tr></tbody></table>"),
    ("<table><form><input type=hidden>a</form>", 'a<table><form></form><input type="hidden"></table>'),
    ("<table><script>a</script><style>b</style>c", "c<table><script>a</script><style>b</style></table>"),
    ("<table><td><table>a</table>b", "<table><tbody><tr><td>a<table></table>b</td></tr></tbody></table>"),
    ("<table><caption><table>a</table>b", "<table><caption>a<table></table>b</caption></table>"),
    ("<table><tr>a<!--b-->c", "ac<table><tbody><tr><!--b--></tr></tbody></table>"),
    ("<table> a<b> </b> <tr>", " a<b> </b><table> <tbody><tr></tr></tbody></table>"),
    ("<table><textarea>a</textarea>b", "<textarea>a</textarea>b<table></table>"),
]


@pytest.mark.parametrize(("source", "tree"), FOSTER)
def test_content_out_of_place_is_fostered(source, tree):
    assert body_html(source) == tree
