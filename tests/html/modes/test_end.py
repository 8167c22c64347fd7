"""Templates, framesets and what follows the body. HTML Standard, 13.2.6.4.16 to .21."""

import pytest
from trees import document_html

# 13.2.6.4.16, "in template": the contents choose their mode.
TEMPLATE = [
    ("<template>a</template>", "<html><head><template>a</template></head><body></body></html>"),
    ("<template><td>a</template>", "<html><head><template><td>a</td></template></head><body></body></html>"),
    (
        "<template><tr><td>a</template>",
        "<html><head><template><tr><td>a</td></tr></template></head><body></body></html>",
    ),
    ("<template><tbody><tr>", "<html><head><template><tbody><tr></tr></tbody></template></head><body></body></html>"),
    ("<template><col><col></template>", "<html><head><template><col><col></template></head><body></body></html>"),
    (
        "<template><caption>a</template>",
        "<html><head><template><caption>a</caption></template></head><body></body></html>",
    ),
    (
        "<template><td>a<div>b<td>c",
        "<html><head><template><td>a<div>b</div></td><td>c</td></template></head><body></body></html>",
    ),
    ("<template><div>a<td>b", "<html><head><template><div>ab</div></template></head><body></body></html>"),
    ("<template><div><tr>a", "<html><head><template><div>a</div></template></head><body></body></html>"),
    ("<template><tr>a<p>b", "<html><head><template><tr></tr>a<p>b</p></template></head><body></body></html>"),
    ("<template><col>a<td>", "<html><head><template><col></template></head><body></body></html>"),
    (
        "<template><meta><title>a</title><style></style>",
        "<html><head><template><meta><title>a</title><style></style></template></head><body></body></html>",
    ),
    ("<template><body a=b><p>", "<html><head><template><p></p></template></head><body></body></html>"),
    ("<template><html a=b>", "<html><head><template></template></head><body></body></html>"),
    ("<template><frameset>", "<html><head><template></template></head><body></body></html>"),
    ("<template><head>a", "<html><head><template>a</template></head><body></body></html>"),
    ("<template></p>a", "<html><head><template>a</template></head><body></body></html>"),
    ("<template></div></template>a", "<html><head><template></template></head><body>a</body></html>"),
    (
        "<template><template>a</template>b</template>c",
        "<html><head><template><template>a</template>b</template></head><body>c</body></html>",
    ),
    (
        "<template><select><option>a",
        "<html><head><template><select><option>a</option></select></template></head><body></body></html>",
    ),
    (
        "<template><form><input></form><form>",
        "<html><head><template><form><input></form><form></form></template></head><body></body></html>",
    ),
    (
        "<form><template><form>",
        "<html><head></head><body><form><template><form></form></template></form></body></html>",
    ),
    ("<template><b>a</template>b", "<html><head><template><b>a</b></template></head><body>b</body></html>"),
    ("<template>", "<html><head><template></template></head><body></body></html>"),
    ("<template><svg><p>a", "<html><head><template><svg></svg><p>a</p></template></head><body></body></html>"),
    ("<body><template><p>a</template>b", "<html><head></head><body><template><p>a</p></template>b</body></html>"),
    (
        "<table><template><tr><td>a</template><td>b",
        "<html><head></head><body><table><template><tr><td>a</td></tr></template><tbody><tr><td>b</td>"
        "</tr></tbody></table></body></html>",
    ),
    ("<template><table>a", "<html><head><template>a<table></table></template></head><body></body></html>"),
    (
        "<template><table><form></form><tr>",
        "<html><head><template><table><form></form><tbody><tr></tr></tbody></table></template></head>"
        "<body></body></html>",
    ),
    ("</template>a", "<html><head></head><body>a</body></html>"),
    ("<div><template></div>a", "<html><head></head><body><div><template>a</template></div></body></html>"),
    ("<template><!--a--> x", "<html><head><template><!--a--> x</template></head><body></body></html>"),
    ("<template></td><td>", "<html><head><template><td></td></template></head><body></body></html>"),
    ("<template><li>a<li>b", "<html><head><template><li>a</li><li>b</li></template></head><body></body></html>"),
    ("<p><template><p>a</template>b", "<html><head></head><body><p><template><p>a</p></template>b</p></body></html>"),
    ("<template><col>a b", "<html><head><template><col> </template></head><body></body></html>"),
    (
        "<template><colgroup>a b</colgroup></template>",
        "<html><head><template><colgroup></colgroup>a b</template></head><body></body></html>",
    ),
    (
        "<template><tr></tr>a<td>b",
        "<html><head><template><tr></tr>a<tr><td>b</td></tr></template></head><body></body></html>",
    ),
    ("<template><td>a</td><tr>b", "<html><head><template><td>a</td>b</template></head><body></body></html>"),
    (
        "<template><tbody>a<tr><td>b",
        "<html><head><template><tbody><tr><td>b</td></tr></tbody>a</template></head><body></body></html>",
    ),
    (
        "<template><select><option>a</template>b",
        "<html><head><template><select><option>a</option></select></template></head><body>b</body></html>",
    ),
    (
        "<template><form><form>a</template>",
        "<html><head><template><form><form>a</form></form></template></head><body></body></html>",
    ),
    ("<p><template>a</p></template>b", "<html><head></head><body><p><template>a</template>b</p></body></html>"),
    (
        "<table><tr><template><td>a</template><td>b",
        "<html><head></head><body><table><tbody><tr><template><td>a</td></template><td>b</td></tr></tbody></table></body></html>",
    ),
    (
        "<table><template><tr><td>a</template>",
        "<html><head></head><body><table><template><tr><td>a</td></tr></template></table></body></html>",
    ),
    (
        "<template><svg><template>a",
        "<html><head><template><svg><template>a</template></svg></template></head><body></body></html>",
    ),
]


# 13.2.6.4.17 and .20, "after body" and "after after body".
AFTER_BODY = [
    ("<p></body><!--a-->", "<html><head></head><body><p></p></body><!--a--></html>"),
    ("<p></body></html><!--a-->", "<html><head></head><body><p></p></body></html><!--a-->"),
    ("<p></body> x", "<html><head></head><body><p> x</p></body></html>"),
    ("<p></body>\n", "<html><head></head><body><p>\n</p></body></html>"),
    ("<p></html>\n", "<html><head></head><body><p>\n</p></body></html>"),
    ("<p></body><div>", "<html><head></head><body><p></p><div></div></body></html>"),
    ("<p></html><div>", "<html><head></head><body><p></p><div></div></body></html>"),
    ("<p></body></div>a", "<html><head></head><body><p>a</p></body></html>"),
    ("<body></body><html a=b>", '<html a="b"><head></head><body></body></html>'),
    ("<p></html></p>", "<html><head></head><body><p></p></body></html>"),
    ("<!DOCTYPE html><p></html><!DOCTYPE html> ", "<!DOCTYPE html><html><head></head><body><p> </p></body></html>"),
    ("<body></body><body a=b>", '<html><head></head><body a="b"></body></html>'),
    ("a</body></body>b", "<html><head></head><body>ab</body></html>"),
    ("a</html></html>b", "<html><head></head><body>ab</body></html>"),
    ("<p></html>x<!--a-->", "<html><head></head><body><p>x<!--a--></p></body></html>"),
    ("a</body>b", "<html><head></head><body>ab</body></html>"),
    ("a</body> b", "<html><head></head><body>a b</body></html>"),
    ("a</body></html> b", "<html><head></head><body>a b</body></html>"),
    ("<p>a</body><p>b", "<html><head></head><body><p>a</p><p>b</p></body></html>"),
    ("a</body></p>", "<html><head></head><body>a<p></p></body></html>"),
    ("a</body></html></br>", "<html><head></head><body>a<br></body></html>"),
    ("a</body><!--b--></html><!--c-->d", "<html><head></head><body>ad</body><!--b--></html><!--c-->"),
    ("a</html><!--b--> <!--c-->", "<html><head></head><body>a </body></html><!--b--><!--c-->"),
    ("a</body></html><!--b--><p>c</body><!--d-->", "<html><head></head><body>a<p>c</p></body><!--d--></html><!--b-->"),
]


# 13.2.6.4.18, .19 and .21: framesets.
FRAMESET = [
    ("<frameset><frame><frame></frameset>", "<html><head></head><frameset><frame><frame></frameset></html>"),
    ("<frameset> a <frame> b", "<html><head></head><frameset>  <frame> </frameset></html>"),
    (
        "<frameset><frameset><frame></frameset></frameset>",
        "<html><head></head><frameset><frameset><frame></frameset></frameset></html>",
    ),
    (
        "<frameset><noframes><p></noframes></frameset>",
        "<html><head></head><frameset><noframes><p></noframes></frameset></html>",
    ),
    ("<frameset></frameset> a <!--b-->", "<html><head></head><frameset></frameset>  <!--b--></html>"),
    ("<frameset></frameset></html> a <!--b-->", "<html><head></head><frameset></frameset>  </html><!--b-->"),
    (
        "<frameset></frameset></html><noframes>a</noframes>",
        "<html><head></head><frameset></frameset><noframes>a</noframes></html>",
    ),
    ("<frameset><p>a</p><frame>", "<html><head></head><frameset><frame></frameset></html>"),
    ("<frameset></frameset><p>a", "<html><head></head><frameset></frameset></html>"),
    ("<frameset></frameset><html a=b>", '<html a="b"><head></head><frameset></frameset></html>'),
    ("<frameset></p></frameset></frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<frameset><html a=b><frame>", '<html a="b"><head></head><frameset><frame></frameset></html>'),
    ("<frameset><!--a--></frameset>", "<html><head></head><frameset><!--a--></frameset></html>"),
    ("<html><frameset cols=2>", '<html><head></head><frameset cols="2"></frameset></html>'),
    (
        "<frameset></frameset><noframes>x</noframes> ",
        "<html><head></head><frameset></frameset><noframes>x</noframes> </html>",
    ),
    ("<frameset><frame></frame><frame>", "<html><head></head><frameset><frame><frame></frameset></html>"),
    ("<frameset>\n<frame>\n</frameset>\n</html>\n", "<html><head></head><frameset>\n<frame>\n</frameset>\n\n</html>"),
    ("<svg>&#0;</svg><frameset>", "<html><head></head><body><svg>\ufffd</svg></body></html>"),
    ("<svg>\0</svg><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<p> </p><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<p>a</p><frameset>", "<html><head></head><body><p>a</p></body></html>"),
    ("<input type=hidden><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<input><frameset>", "<html><head></head><body><input></body></html>"),
    ("<template></template></body><frameset>", "<html><head><template></template></head><body></body></html>"),
    ("<frameset><frame></frameset></html>a<!--b-->", "<html><head></head><frameset><frame></frameset></html><!--b-->"),
    ("<frameset></frameset><!--a--> b", "<html><head></head><frameset></frameset><!--a--> </html>"),
    (
        "<frameset> a<noframes>b<p></noframes>",
        "<html><head></head><frameset> <noframes>b<p></noframes></frameset></html>",
    ),
]


@pytest.mark.parametrize(("source", "tree"), [*TEMPLATE, *AFTER_BODY, *FRAMESET])
def test_every_source_gives_its_tree(source, tree):
    assert document_html(source) == tree
