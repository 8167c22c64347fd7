"""The insertion modes from "initial" to "after head": what tree a source gives. HTML Standard, 13.2.6.4.1 to .6."""

import pytest
from trees import document_html

# 13.2.6.4.1, "initial": white space is dropped, comments are kept, the DOCTYPE decides the mode.
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


# 13.2.6.4.2, "before html": a head, body, html or br end tag makes the root, others are ignored.
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


# 13.2.6.4.4, "in head": metadata is inserted, anything else opens the body.
IN_HEAD = [
    (
        "<head><meta charset=x><link><base><basefont><bgsound>",
        '<html><head><meta charset="x"><link><base><basefont><bgsound></head><body></body></html>',
    ),
    ("<head> \n<title> a</title> ", "<html><head> \n<title> a</title> </head><body></body></html>"),
    (
        "<head><title><b>&amp;</b></title>",
        "<html><head><title>&lt;b&gt;&amp;&lt;/b&gt;</title></head><body></body></html>",
    ),
    ("<title>a</title><title>b</title>", "<html><head><title>a</title><title>b</title></head><body></body></html>"),
    ("<head>x", "<html><head></head><body>x</body></html>"),
    ("<head> x", "<html><head> </head><body>x</body></html>"),
    ("<head><p>", "<html><head></head><body><p></p></body></html>"),
    ("<head></p><meta>", "<html><head><meta></head><body></body></html>"),
    ("<head></br>", "<html><head></head><body><br></body></html>"),
    ("<head></html>", "<html><head></head><body></body></html>"),
    ("<head></body>", "<html><head></head><body></body></html>"),
    ("<head><head a=b><meta>", "<html><head><meta></head><body></body></html>"),
    (
        '<head><style><b></style><script>"</b>"</script>',
        '<html><head><style><b></style><script>"</b>"</script></head><body></body></html>',
    ),
    ("<head><noframes><p></noframes>", "<html><head><noframes><p></noframes></head><body></body></html>"),
    ("<head></template>", "<html><head></head><body></body></html>"),
    ("<head><template>a</template><meta>", "<html><head><template>a</template><meta></head><body></body></html>"),
    ("<head><!--a--></head>", "<html><head><!--a--></head><body></body></html>"),
    ("<head><title>x", "<html><head><title>x</title></head><body></body></html>"),
    ("<head><script>x", "<html><head><script>x</script></head><body></body></html>"),
    ("<head><style>", "<html><head><style></style></head><body></body></html>"),
    ("<head></title><meta>", "<html><head><meta></head><body></body></html>"),
    ("<head><object>", "<html><head></head><body><object></object></body></html>"),
    ("<head><DIV>x</DIV></head>", "<html><head></head><body><div>x</div></body></html>"),
    ("<meta><html a=b>", '<html a="b"><head><meta></head><body></body></html>'),
]


# 13.2.6.4.5, "in head noscript", with scripting off.
NOSCRIPT = [
    (
        "<head><noscript><meta><style>a</style><link></noscript><meta>",
        "<html><head><noscript><meta><style>a</style><link></noscript><meta></head><body></body></html>",
    ),
    ("<head><noscript> <!--a--> </noscript>", "<html><head><noscript> <!--a--> </noscript></head><body></body></html>"),
    ("<head><noscript>x", "<html><head><noscript></noscript></head><body>x</body></html>"),
    ("<head><noscript><p>", "<html><head><noscript></noscript></head><body><p></p></body></html>"),
    ("<head><noscript></p><meta>", "<html><head><noscript><meta></noscript></head><body></body></html>"),
    ("<head><noscript></br>", "<html><head><noscript></noscript></head><body><br></body></html>"),
    (
        "<head><noscript><head><noscript><meta></noscript>",
        "<html><head><noscript><meta></noscript></head><body></body></html>",
    ),
    ("<head><noscript><html a=b>", '<html a="b"><head><noscript></noscript></head><body></body></html>'),
    (
        "<head><noscript><noframes><b></noframes>",
        "<html><head><noscript><noframes><b></noframes></noscript></head><body></body></html>",
    ),
    ("<head><noscript>", "<html><head><noscript></noscript></head><body></body></html>"),
    (
        "<noscript><basefont><bgsound></noscript>",
        "<html><head><noscript><basefont><bgsound></noscript></head><body></body></html>",
    ),
]


# 13.2.6.4.6, "after head": late metadata is put into the head.
AFTER_HEAD = [
    ("<head></head> <!--a--> <body>", "<html><head></head> <!--a--> <body></body></html>"),
    ("<head></head><meta><title>a</title><body>", "<html><head><meta><title>a</title></head><body></body></html>"),
    ("<head></head><script>a</script><p>", "<html><head><script>a</script></head><body><p></p></body></html>"),
    (
        "<head></head><template><p></template><body>",
        "<html><head><template><p></p></template></head><body></body></html>",
    ),
    ("<head></head>x", "<html><head></head><body>x</body></html>"),
    ("<head></head></p><p>", "<html><head></head><body><p></p></body></html>"),
    ("<head></head></br>", "<html><head></head><body><br></body></html>"),
    ("<head></head><head><body>", "<html><head></head><body></body></html>"),
    ("<head></head></head><link>", "<html><head><link></head><body></body></html>"),
    ("<head></head><body id=b>", '<html><head></head><body id="b"></body></html>'),
    ("<head></head><html a=b>", '<html a="b"><head></head><body></body></html>'),
    ("<head></head></body>x", "<html><head></head><body>x</body></html>"),
    ("<head></head></template>", "<html><head></head><body></body></html>"),
    ("<head></head> \n x", "<html><head></head> \n <body>x</body></html>"),
    ("<head></head><style>a", "<html><head><style>a</style></head><body></body></html>"),
    ("<head></head><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<head></head><base><link><bgsound>", "<html><head><base><link><bgsound></head><body></body></html>"),
]


@pytest.mark.parametrize(("source", "tree"), [*INITIAL, *BEFORE_HTML, *BEFORE_HEAD, *IN_HEAD, *NOSCRIPT, *AFTER_HEAD])
def test_every_source_gives_its_tree(source, tree):
    assert document_html(source) == tree
