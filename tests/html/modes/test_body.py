"""The insertion mode "in body": what tree a source gives. HTML Standard, 13.2.6.4.7."""

import pytest
from trees import body_html, document_html, quirks_html

# 13.2.6.4.7, "in body": characters.
CHARACTERS = [
    ("a\0b", "ab"),
    ("\0", ""),
    (" a ", "a "),
    ("a<!--b-->c", "a<!--b-->c"),
    ("a<!DOCTYPE html>b", "ab"),
    ("\t\n", ""),
]


# Blocks close an open p in button scope.
PARAGRAPHS = [
    ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<p>a<div>b", "<p>a</p><div>b</div>"),
    ("<p>a<ul><li>b", "<p>a</p><ul><li>b</li></ul>"),
    ("<p><b>a<p>b", "<p><b>a</b></p><p><b>b</b></p>"),
    ("<p><button>a<p>b", "<p><button>a<p>b</p></button></p>"),
    ("<p>a<address>b<p>c</address>d", "<p>a</p><address>b<p>c</p></address>d"),
    ("</p>", ""),
    ("a</p>b", "a<p></p>b"),
    ("<div></p></div>", "<div><p></p></div>"),
    ("<p><span>a</p>b", "<p><span>a</span></p>b"),
    ("<p>a<h1>b", "<p>a</p><h1>b</h1>"),
    ("<p>a<pre>b", "<p>a</p><pre>b</pre>"),
    ("<p>a<hr>b", "<p>a</p><hr>b"),
    ("<p>a<form>b", "<p>a</p><form>b</form>"),
    ("<p>a<table><td>b", "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>"),
    ("<p><object><p>a</object>b", "<p><object><p>a</p></object>b</p>"),
    ("<p>a<details><summary>b", "<p>a</p><details><summary>b</summary></details>"),
    ("<p>a<search>b</search>c", "<p>a</p><search>b</search>c"),
    ("<p>a<dialog>b", "<p>a</p><dialog>b</dialog>"),
    ("<p>a<xmp><b></xmp>", "<p>a</p><xmp><b></xmp>"),
    ("<p>a<plaintext><p>b", "<p>a</p><plaintext><p>b</plaintext>"),
    ("<p>a<article>b</p>c", "<p>a</p><article>b<p></p>c</article>"),
    ("<p><marquee><p>a", "<p><marquee><p>a</p></marquee></p>"),
    ("<p>a<fieldset><legend>b", "<p>a</p><fieldset><legend>b</legend></fieldset>"),
    ("<p>a<main>b<section>c", "<p>a</p><main>b<section>c</section></main>"),
    ("<p>a<center>b</center>c", "<p>a</p><center>b</center>c"),
    ("<p>a<dir>b", "<p>a</p><dir>b</dir>"),
]


# A heading closes an open heading.
HEADINGS = [
    ("<h1>a<h2>b", "<h1>a</h1><h2>b</h2>"),
    ("<h1>a</h2>b", "<h1>a</h1>b"),
    ("<h1><span>a<h2>b", "<h1><span>a<h2>b</h2></span></h1>"),
    ("<h1><div><h2>a", "<h1><div><h2>a</h2></div></h1>"),
    ("</h1>a", "a"),
    ("<h1>a</h6>b", "<h1>a</h1>b"),
    ("<div><h3>a</div>b", "<div><h3>a</h3></div>b"),
    ("<h2><p>a</h3>b", "<h2><p>a</p></h2>b"),
    ("<h1><table><td></h1>a", "<h1><table><tbody><tr><td>a</td></tr></tbody></table></h1>"),
]


# li, dd and dt.
LISTS = [
    ("<ul><li>a<li>b", "<ul><li>a</li><li>b</li></ul>"),
    ("<ul><li>a<ul><li>b</ul><li>c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    ("<li>a<li>b", "<li>a</li><li>b</li>"),
    ("<ul><li><div>a<li>b", "<ul><li><div>a</div></li><li>b</li></ul>"),
    ("<ul><li><p>a<li>b", "<ul><li><p>a</p></li><li>b</li></ul>"),
    ("<ul><li><span>a<li>b", "<ul><li><span>a</span></li><li>b</li></ul>"),
    ("<ul><li><address>a<li>b", "<ul><li><address>a</address></li><li>b</li></ul>"),
    ("<ul><li><section>a<li>b", "<ul><li><section>a<li>b</li></section></li></ul>"),
    ("<dl><dt>a<dd>b<dt>c", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
    ("<dl><dt><p>a<dd>b", "<dl><dt><p>a</p></dt><dd>b</dd></dl>"),
    ("<dl><dd><div><dd>a", "<dl><dd><div></div></dd><dd>a</dd></dl>"),
    ("<dl><dt><dl><dd>a</dl><dd>b", "<dl><dt><dl><dd>a</dd></dl></dt><dd>b</dd></dl>"),
    ("<ul><li>a</li></li>b", "<ul><li>a</li>b</ul>"),
    ("<ol></li>a", "<ol>a</ol>"),
    ("<li><ol></li>a", "<li><ol>a</ol></li>"),
    ("<dd></dt>a", "<dd>a</dd>"),
    ("<dl><dt>a</dd>b", "<dl><dt>ab</dt></dl>"),
    ("<dl><dd>a</dt>b</dd>c", "<dl><dd>ab</dd>c</dl>"),
    ("<ul></ul></ul>a", "<ul></ul>a"),
    ("<li><button><li>a", "<li><button><li>a</li></button></li>"),
    ("<ul><li><b>a<li>c</ul>d", "<ul><li><b>a</b></li><li><b>c</b></li></ul><b>d</b>"),
    ("<dt><em>a</dt>b", "<dt><em>a</em></dt><em>b</em>"),
]


# pre, listing and textarea drop a line feed at their beginning.
NEWLINES = [
    ("<pre>\na", "<pre>a</pre>"),
    ("<pre>\n\na", "<pre>\na</pre>"),
    ("<pre>&#10;a", "<pre>a</pre>"),
    ("<pre>&#xA;\na", "<pre>\na</pre>"),
    ("<pre> \na", "<pre> \na</pre>"),
    ("<pre>\r\na", "<pre>a</pre>"),
    ("<listing>\na", "<listing>a</listing>"),
    ("<textarea>\na</textarea>", "<textarea>a</textarea>"),
    ("<textarea>\n\na</textarea>", "<textarea>\na</textarea>"),
    ("<pre><b>\na", "<pre><b>\na</b></pre>"),
    ("<pre>&#13;a", "<pre>\ra</pre>"),
    ("<textarea>&#10;a</textarea>", "<textarea>a</textarea>"),
    ("<pre>\n", "<pre></pre>"),
    ("<div>\na", "<div>\na</div>"),
]


# The form element pointer, and what form controls do.
FORMS = [
    ("<form>a<form>b</form>c</form>d", "<form>ab</form>cd"),
    ("<form><div></form>a", "<form><div>a</div></form>"),
    ("<form><p>a</form>b", "<form><p>a</p></form>b"),
    ("</form>a", "a"),
    ("<form><table><td></form>a</table>", "<form><table><tbody><tr><td>a</td></tr></tbody></table></form>"),
    ("<form>a</form><form>b", "<form>a</form><form>b</form>"),
    ("<button>a<button>b", "<button>a</button><button>b</button>"),
    ("<button><p>a</button>b", "<button><p>a</p></button>b"),
    ("<button><div><button>a", "<button><div></div></button><button>a</button>"),
    ("</button>a", "a"),
    ("<input><input type=hidden>a", '<input><input type="hidden">a'),
    ("<textarea><b>&lt;</textarea>a", "<textarea>&lt;b&gt;&lt;</textarea>a"),
    ("<textarea>a", "<textarea>a</textarea>"),
    ("<p><input>a</p>", "<p><input>a</p>"),
    ("<form><template><form>a</form></template></form>", "<form><template><form>a</form></template></form>"),
    ("<keygen>a", "<keygen>a"),
    ("<label><input>a</label>", "<label><input>a</label>"),
]


# Formatting elements: opened again after blocks, at most three of a kind.
FORMATTING = [
    ("<b>a</b>b", "<b>a</b>b"),
    ("<b><i>a</b>b</i>c", "<b><i>a</i></b><i>b</i>c"),
    ("<p><b><b><b><b>a<p>b", "<p><b><b><b><b>a</b></b></b></b></p><p><b><b><b>b</b></b></b></p>"),
    (
        "<p><b id=a><b id=a><b><b id=a><b id=a>x<p>y",
        '<p><b id="a"><b id="a"><b><b id="a"><b id="a">x</b></b></b></b></b></p><p>'
        '<b id="a"><b><b id="a"><b id="a">y</b></b></b></b></p>',
    ),
    ("<b>a<div>b</b>c</div>", "<b>a</b><div><b>b</b>c</div>"),
    ("<a>a<a>b", "<a>a</a><a>b</a>"),
    ("<a>a<p>b<a>c", "<a>a</a><p><a>b</a><a>c</a></p>"),
    ("<a>a<table><td><a>b</table>c", "<a>a<table><tbody><tr><td><a>b</a></td></tr></tbody></table>c</a>"),
    ("<a><div>a</a>b", "<a></a><div><a>a</a>b</div>"),
    ("<nobr>a<nobr>b", "<nobr>a</nobr><nobr>b</nobr>"),
    ("<nobr><p>a<nobr>b", "<nobr></nobr><p><nobr>a</nobr><nobr>b</nobr></p>"),
    ("<font size=1><p>a</font>b", '<font size="1"></font><p><font size="1">a</font>b</p>'),
    ("<em><strong>a</em>b</strong>", "<em><strong>a</strong></em><strong>b</strong>"),
    ("<b><object>a</b>b</object>c", "<b><object>ab</object>c</b>"),
    ("<b><marquee>a</b>b</marquee>c", "<b><marquee>ab</marquee>c</b>"),
    ("<applet>a</applet>b", "<applet>a</applet>b"),
    ("<object><p>a</object>b", "<object><p>a</p></object>b"),
    ("</object>a", "a"),
    ("<b><em>a<p>b</b>c", "<b><em>a</em></b><em><p><b>b</b>c</p></em>"),
    ("<code><p>a</code>b", "<code></code><p><code>a</code>b</p>"),
    ("<tt><u>a</tt>b", "<tt><u>a</u></tt><u>b</u>"),
    ("<big><small>a</big>b", "<big><small>a</small></big><small>b</small>"),
    ("<s><strike>a</s>b", "<s><strike>a</strike></s><strike>b</strike>"),
    ("<i>a<!--b--></i>", "<i>a<!--b--></i>"),
    ("<b>a<li>b</b>", "<b>a</b><li><b>b</b></li>"),
    ("<b></b></b>a", "<b></b>a"),
    ("<i><b><p>a", "<i><b><p>a</p></b></i>"),
    ("<p><b><i>a</p> <p>b", "<p><b><i>a</i></b></p><b><i> <p>b</p></i></b>"),
]


# Void elements; image, br.
EMPTY = [
    ("<br>a", "<br>a"),
    ("</br>a", "<br>a"),
    ("</br a=b>c", "<br>c"),
    ("<img>a", "<img>a"),
    ("<image src=x>a", '<img src="x">a'),
    ("<area><embed><wbr>a", "<area><embed><wbr>a"),
    ("<param><source><track>a", "<param><source><track>a"),
    ("<p><hr>a", "<p></p><hr>a"),
    ("<hr/>a", "<hr>a"),
    ("<img/>a", "<img>a"),
    ("<div/>a", "<div>a</div>"),
    ("<b/>a", "<b>a</b>"),
    ("</img>a", "a"),
    ("</hr>a", "a"),
    ("<b><br></b>a", "<b><br></b>a"),
    ("<col><tr><td>a", "a"),
    ("<frame>a", "a"),
    ("<head>a", "a"),
    ("<caption>a</caption>b", "ab"),
]


# Elements whose content is text.
RAW = [
    ("<xmp><b></xmp>a", "<xmp><b></xmp>a"),
    ("<iframe><p></iframe>a", "<iframe><p></iframe>a"),
    ("<noembed><b></noembed>a", "<noembed><b></noembed>a"),
    ("<noframes><p></noframes>a", "a"),
    ("<style><p></style>a", "a"),
    ("<script><p></script>a", "a"),
    ("<plaintext></plaintext>a", "<plaintext></plaintext>a</plaintext>"),
    ("<title><b></title>a", "a"),
    ("<noscript><p>a</noscript>b", "<p>ab</p>"),
    ("<xmp>a", "<xmp>a</xmp>"),
    ("<iframe>", "<iframe></iframe>"),
    ("<style></style\n>a", "a"),
    ("<script></SCRIPT>a", "a"),
]


# Since 2025 a select may contain anything.
SELECT = [
    ("<select><option>a<option>b", "<select><option>a</option><option>b</option></select>"),
    (
        "<select><optgroup><option>a<optgroup><option>b",
        "<select><optgroup><option>a</option></optgroup><optgroup><option>b</option></optgroup></select>",
    ),
    ("<select><div>a</div><p>b", "<select><div>a</div><p>b</p></select>"),
    ("<select><b>a</select>b", "<select><b>a</b></select><b>b</b>"),
    ("<select>a<select>b", "<select>a</select>b"),
    ("<select><input>a", "<select></select><input>a"),
    ("<select><option>a<hr>b", "<select><option>a</option><hr>b</select>"),
    ("<select><optgroup><option>a<hr>b", "<select><optgroup><option>a</option></optgroup><hr>b</select>"),
    ("<select><textarea>a</textarea>", "<select><textarea>a</textarea></select>"),
    ("<select><table><td>a", "<select><table><tbody><tr><td>a</td></tr></tbody></table></select>"),
    ("<option>a<option>b", "<option>a</option><option>b</option>"),
    ("<optgroup>a<option>b<optgroup>c", "<optgroup>a<option>b</option><optgroup>c</optgroup></optgroup>"),
    ("<option><p>a<option>b", "<option><p>a<option>b</option></p></option>"),
    ("<select><option><b>a<option>b", "<select><option><b>a<option>b</option></b></option></select>"),
    ("<select><button><div>a</button><option>b", "<select><button><div>a</div></button><option>b</option></select>"),
    ("<p><select><p>a", "<p><select><p>a</p></select></p>"),
    ("</select>a", "a"),
    ("<select><option>a</option></select>b", "<select><option>a</option></select>b"),
    ("<select><svg><g>a", "<select><svg><g>a</g></svg></select>"),
    ("<select><option><optgroup>a", "<select><option></option><optgroup>a</optgroup></select>"),
    ("<div><select></div>a", "<div><select>a</select></div>"),
    ("<select><script>a</script><template>b</template>", "<select><script>a</script><template>b</template></select>"),
    ("<select><keygen>a", "<select><keygen>a</select>"),
    ("<select></option></optgroup>a", "<select>a</select>"),
    ("<select><option>a<div><option>b", "<select><option>a<div><option>b</option></div></option></select>"),
    ("<select><a>b<a>c", "<select><a>b</a><a>c</a></select>"),
    ("<select><li>a<li>b", "<select><li>a</li><li>b</li></select>"),
    ("<select><b><option>a</b>b", "<select><b><option>a</option></b>b</select>"),
    ("<table><tr><td><select><td>a", "<table><tbody><tr><td><select></select></td><td>a</td></tr></tbody></table>"),
    ("<select><form>a</form></select>b", "<select><form>a</form></select>b"),
    ("<select><image>", "<select><img></select>"),
    ("<select><table></select>a", "<select>a<table></table></select>"),
]


# Ruby.
RUBY = [
    ("<ruby>a<rt>b<rt>c", "<ruby>a<rt>b</rt><rt>c</rt></ruby>"),
    ("<ruby>a<rp>(<rt>b<rp>)", "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>"),
    ("<ruby><rb>a<rb>b<rtc><rt>c<rt>d", "<ruby><rb>a</rb><rb>b</rb><rtc><rt>c</rt><rt>d</rt></rtc></ruby>"),
    ("<ruby><rtc>a<rb>b", "<ruby><rtc>a</rtc><rb>b</rb></ruby>"),
    ("<rt>a<rt>b", "<rt>a<rt>b</rt></rt>"),
    ("<ruby><p>a<rt>b", "<ruby><p>a</p><rt>b</rt></ruby>"),
    ("<ruby><rtc><rp>a<rt>b", "<ruby><rtc><rp>a</rp><rt>b</rt></rtc></ruby>"),
    ("<rb>a<rtc>b", "<rb>a<rtc>b</rtc></rb>"),
    ("<ruby>a<rt>b</ruby>c", "<ruby>a<rt>b</rt></ruby>c"),
    ("<ruby><span>a<rt>b", "<ruby><span>a<rt>b</rt></span></ruby>"),
    ("<ruby><dd>a<rb>b", "<ruby><dd>a</dd><rb>b</rb></ruby>"),
    ("<ruby>a<rtc>b<rt>c<rp>d", "<ruby>a<rtc>b<rt>c</rt><rp>d</rp></rtc></ruby>"),
    ("<ruby>a<rt><b>b<rt>c", "<ruby>a<rt><b>b<rt>c</rt></b></rt></ruby>"),
    ("<ruby><rtc>a</ruby>b", "<ruby><rtc>a</rtc></ruby>b"),
    ("<ruby><button><rt>a<rt>b", "<ruby><button><rt>a</rt><rt>b</rt></button></ruby>"),
]


# html, body and frameset inside the body.
ROOTS = [
    ("<body a=1><body a=2 b=3>", '<html><head></head><body a="1" b="3"></body></html>'),
    ("<p><html c=1>", '<html c="1"><head></head><body><p></p></body></html>'),
    ("<body><frameset>", "<html><head></head><body></body></html>"),
    ("<p><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<p>x<frameset>", "<html><head></head><body><p>x</p></body></html>"),
    ("<br><frameset>", "<html><head></head><body><br></body></html>"),
    ("<input type=hidden><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<input><frameset>", "<html><head></head><body><input></body></html>"),
    ("<svg></svg><frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<p> <frameset>", "<html><head></head><frameset></frameset></html>"),
    ("\0<frameset>", "<html><head></head><frameset></frameset></html>"),
    ("<table><frameset>", "<html><head></head><body><table></table></body></html>"),
    ("<li><frameset>", "<html><head></head><body><li></li></body></html>"),
    ("<body><p></body>x", "<html><head></head><body><p>x</p></body></html>"),
    ("<body></body><p>x", "<html><head></head><body><p>x</p></body></html>"),
    ("</body></html> <p>", "<html><head></head><body> <p></p></body></html>"),
    ("<div></body>x", "<html><head></head><body><div>x</div></body></html>"),
    ("<template></body>", "<html><head><template></template></head><body></body></html>"),
    ("<script></script><frameset>", "<html><head><script></script></head><frameset></frameset></html>"),
]


# A table closes an open p, except in quirks mode.
QUIRKS = [
    ("<p>a<table><td>b", "<p>a<table><tbody><tr><td>b</td></tr></tbody></table></p>"),
    ("<p><table></p>", "<p><p></p><table></table></p>"),
    ("<p>a<div>b", "<p>a</p><div>b</div>"),
]


@pytest.mark.parametrize(
    ("source", "tree"),
    [*CHARACTERS, *PARAGRAPHS, *HEADINGS, *LISTS, *NEWLINES, *FORMS, *FORMATTING, *EMPTY, *RAW, *SELECT, *RUBY],
)
def test_every_source_gives_its_tree(source, tree):
    assert body_html(source) == tree


@pytest.mark.parametrize(("source", "tree"), ROOTS)
def test_html_body_and_frameset_inside_the_body(source, tree):
    assert document_html(source) == tree


@pytest.mark.parametrize(("source", "tree"), QUIRKS)
def test_quirks_mode_keeps_p_open(source, tree):
    assert quirks_html(source) == tree
