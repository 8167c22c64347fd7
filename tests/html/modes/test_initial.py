"""The insertion modes of a document's beginning. HTML Standard, 13.2.6.4.1 to .3."""

import pytest
from trees import document_html

# 13.2.6.4.1, "initial": white space goes, comments stay, the DOCTYPE decides the mode.
INITIAL = [
    ("", "<html><head></head><body></body></html>"),
    (" \n\t", "<html><head></head><body></body></html>"),
    ("<!--a--><!DOCTYPE html><!--b--> ", "<!--a--><!DOCTYPE html><!--b--><html><head></head><body></body></html>"),
    ("  <!DOCTYPE html>", "<!DOCTYPE html><html><head></head><body></body></html>"),
    ("x", "<html><head></head><body>x</body></html>"),
    ("</p>x", "<html><head></head><body>x</body></html>"),
    ("<!DOCTYPE html><!DOCTYPE svg>x", "<!DOCTYPE html><html><head></head><body>x</body></html>"),
    ("<!DOCTYPE potato>", "<!DOCTYPE potato><html><head></head><body></body></html>"),
    ("<!doctype>", "<!DOCTYPE ><html><head></head><body></body></html>"),
    ("<?a b?><!DOCTYPE html>", "<?a b?><!DOCTYPE html><html><head></head><body></body></html>"),
    ("\0<p>", "<html><head></head><body><p></p></body></html>"),
]


# 13.2.6.4.2, "before html": a head, body, html or br end tag makes the root, others go.
BEFORE_HTML = [
    ("<!DOCTYPE html></p></div>", "<!DOCTYPE html><html><head></head><body></body></html>"),
    ("<!DOCTYPE html></head>", "<!DOCTYPE html><html><head></head><body></body></html>"),
    ("<!DOCTYPE html></br>", "<!DOCTYPE html><html><head></head><body><br></body></html>"),
    ("<!DOCTYPE html></body>x", "<!DOCTYPE html><html><head></head><body>x</body></html>"),
    ("<!DOCTYPE html></html>", "<!DOCTYPE html><html><head></head><body></body></html>"),
    (
        "<!DOCTYPE html> <!--a--> <html lang=en>",
        '<!DOCTYPE html><!--a--><html lang="en"><head></head><body></body></html>',
    ),
    ("<!DOCTYPE html><html a=1><html a=2 b=3>", '<!DOCTYPE html><html a="1" b="3"><head></head><body></body></html>'),
    ("<!DOCTYPE html><head>", "<!DOCTYPE html><html><head></head><body></body></html>"),
    ("<html><!--x--></html>", "<html><!--x--><head></head><body></body></html>"),
]


# 13.2.6.4.3, "before head".
BEFORE_HEAD = [
    ("<html> <!--a--> <head id=h>", '<html><!--a--><head id="h"></head><body></body></html>'),
    ("<html><p>", "<html><head></head><body><p></p></body></html>"),
    ("<html></p>", "<html><head></head><body></body></html>"),
    ("<html></br>", "<html><head></head><body><br></body></html>"),
    ("<html></body>", "<html><head></head><body></body></html>"),
    ("<html>x", "<html><head></head><body>x</body></html>"),
    ("<html>\n<body>", "<html><head></head><body></body></html>"),
    ("<html><!DOCTYPE html><head>", "<html><head></head><body></body></html>"),
    ("<html><html a=b><head>", '<html a="b"><head></head><body></body></html>'),
]


@pytest.mark.parametrize(("source", "tree"), [*INITIAL, *BEFORE_HTML, *BEFORE_HEAD])
def test_every_source_gives_its_tree(source, tree):
    assert document_html(source) == tree
