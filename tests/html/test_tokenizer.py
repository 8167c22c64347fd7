"""Check the tokenizer's events. HTML Standard, 13.2.5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html.tokenizer import PLAINTEXT, RAWTEXT, RCDATA, SCRIPT_DATA, Tokenizer

MODELS = {"title": RCDATA, "style": RAWTEXT, "script": SCRIPT_DATA, "plaintext": PLAINTEXT}


class Recorder(Tokenizer):
    """Record the calls; texts are joined, because how they are cut is not defined."""

    def __init__(self, cdata=False):
        super().__init__()
        self.events = []
        self.cdata = cdata

    def handle_starttag(self, tag, attrs):
        self.events.append(("<", tag, attrs) if attrs else ("<", tag))
        self.content_model = MODELS.get(tag, "")
        self.last_start_tag = tag

    def handle_startendtag(self, tag, attrs):
        self.events.append(("</>", tag, attrs) if attrs else ("</>", tag))

    def handle_endtag(self, tag):
        self.events.append(("</", tag))

    def handle_data(self, data):
        assert data
        if self.events and self.events[-1][0] == "text":
            data = self.events.pop()[1] + data
        self.events.append(("text", data))

    def handle_comment(self, data):
        self.events.append(("!--", data))

    def handle_pi(self, data):
        self.events.append(("?", data))

    def handle_decl(self, token):
        self.events.append(("doctype", token.name))

    def allows_cdata(self):
        return self.cdata


def events(text, cdata=False):
    recorder = Recorder(cdata)
    recorder.tokenize(text)
    return recorder.events


# 13.2.5.1 data, .6 tag open, .7 end tag open, .8 tag name.
TAGS = [
    ("<p>a</p>", [("<", "p"), ("text", "a"), ("</", "p")]),
    ("<P></P>", [("<", "p"), ("</", "p")]),
    ("<p\n></p\t\f >", [("<", "p"), ("</", "p")]),
    ("<p/>", [("</>", "p")]),
    ("</p/>", [("</", "p")]),
    ("</p a=b>", [("</", "p")]),
    ("<p / >", [("<", "p")]),
    ("<a<b>", [("<", "a<b")]),
    ("<h1.x:y>", [("<", "h1.x:y")]),
    ("<a\0>", [("<", "a\ufffd")]),
    ("<\xc4>", [("text", "<\xc4>")]),
    ("<a\u0130B>", [("<", "a\u0130b")]),
    ("<p", []),
    ("a<p", [("text", "a")]),
    ("<", [("text", "<")]),
    ("</", [("text", "</")]),
    ("<3", [("text", "<3")]),
    ("a < b", [("text", "a < b")]),
    ("< p>", [("text", "< p>")]),
    ("<<p>", [("text", "<"), ("<", "p")]),
    ("<=<=<=", [("text", "<=<=<=")]),
    ("</>a", [("text", "a")]),
    ("</ p>a", [("!--", " p"), ("text", "a")]),
    ("</3>", [("!--", "3")]),
    ("a\0b", [("text", "a\0b")]),
    ("<p>" * 2 + "</p>" * 2, [("<", "p")] * 2 + [("</", "p")] * 2),
    ("a\rb\r\nc\n\rd", [("text", "a\nb\nc\n\nd")]),
]

# 13.2.5.32 to .40: attributes.
ATTRIBUTES = [
    ("<a b=c>", {"b": "c"}),
    ("<a b='c'>", {"b": "c"}),
    ('<a b="c">', {"b": "c"}),
    ("<a b>", {"b": ""}),
    ("<a b=>", {"b": ""}),
    ("<a b= >", {"b": ""}),
    ("<a b = c>", {"b": "c"}),
    ("<a b\n=\n'c'>", {"b": "c"}),
    ('<a b="c"d="e">', {"b": "c", "d": "e"}),
    ("<a b='c'd>", {"b": "c", "d": ""}),
    ("<a B=C>", {"b": "C"}),
    ("<a b=1 B=2 b=3>", {"b": "1"}),
    ("<a/b/c=d/>", {"b": "", "c": "d/"}),
    ("<a b=c/>", {"b": "c/"}),
    ("<a =b>", {"=b": ""}),
    ("<a ==b>", {"=": "b"}),
    ("<a b==c>", {"b": "=c"}),
    ("<a b\"c='d'>", {'b"c': "d"}),
    ("<a <b>", {"<b": ""}),
    ("<a b=c\"d'e<f=g`h>", {"b": "c\"d'e<f=g`h"}),
    ("<a b='>'>", {"b": ">"}),
    ("<a b='\n'>", {"b": "\n"}),
    ("<a b=&amp; c='&lt;' d=\"&gt;\">", {"b": "&", "c": "<", "d": ">"}),
    ("<a b='?c&copy=1'>", {"b": "?c&copy=1"}),
    ("<a b='?c&copy;=1'>", {"b": "?c\xa9=1"}),
    ("<a b='\0' \0c=\0>", {"b": "\ufffd", "\ufffdc": "\ufffd"}),
    ("<a \xc4=\xe4>", {"\xc4": "\xe4"}),
    ("<a A\u0130=x>", {"a\u0130": "x"}),
    ("<a b=c  d = 'e'  f>", {"b": "c", "d": "e", "f": ""}),
    ("<a data-x-1='1' x:y=2 @z=3 #w>", {"data-x-1": "1", "x:y": "2", "@z": "3", "#w": ""}),
    ("<a b='" + "x" * 1000 + "'>", {"b": "x" * 1000}),
]

# 13.2.5.41 to .52: comments and what is read as one.
COMMENTS = [
    ("<!--a-->", [("!--", "a")]),
    ("<!-->b", [("!--", ""), ("text", "b")]),
    ("<!--->b", [("!--", ""), ("text", "b")]),
    ("<!---->b", [("!--", ""), ("text", "b")]),
    ("<!----->b", [("!--", "-"), ("text", "b")]),
    ("<!--a--!>b", [("!--", "a"), ("text", "b")]),
    ("<!----!>b", [("!--", ""), ("text", "b")]),
    ("<!---!>b-->", [("!--", "-!>b")]),
    ("<!--!>b-->", [("!--", "!>b")]),
    ("<!--a--!b-->", [("!--", "a--!b")]),
    ("<!--a--!-->", [("!--", "a--!")]),
    ("<!--a--b-->", [("!--", "a--b")]),
    ("<!--a-- >-->", [("!--", "a-- >")]),
    ("<!--a->-->", [("!--", "a->")]),
    ("<!--a--->", [("!--", "a-")]),
    ("<!--a<!--b-->", [("!--", "a<!--b")]),
    ("<!--a<!-b<!c-->", [("!--", "a<!-b<!c")]),
    ("<!--a\0-->", [("!--", "a\ufffd")]),
    ("<!--", [("!--", "")]),
    ("<!---", [("!--", "")]),
    ("<!----", [("!--", "")]),
    ("<!----!", [("!--", "")]),
    ("<!--a", [("!--", "a")]),
    ("<!--a-", [("!--", "a")]),
    ("<!--a--", [("!--", "a")]),
    ("<!--a---", [("!--", "a-")]),
    ("<!--a--!", [("!--", "a")]),
    ("<!--a--!b", [("!--", "a--!b")]),
    ("<!>", [("!--", "")]),
    ("<!", [("!--", "")]),
    ("<!a>b", [("!--", "a"), ("text", "b")]),
    ("<!-a>b", [("!--", "-a"), ("text", "b")]),
    ("<!a", [("!--", "a")]),
    ("<!a\0>", [("!--", "a\ufffd")]),
    ("<![CDATA[a]]>", [("!--", "[CDATA[a]]")]),
    ("<!doctype html>", [("doctype", "html")]),
    ("<!DocType HTML", [("doctype", "html")]),
    ("<!doctyp>", [("!--", "doctyp")]),
]

# Processing instructions, part of the standard since 2026.
INSTRUCTIONS = [
    ("<?a b?>", [("?", "a b")]),
    ("<?a b>", [("?", "a b")]),
    ("<?a?>", [("?", "a ")]),
    ("<?a>", [("?", "a ")]),
    ("<?a \n b c?>d", [("?", "a b c"), ("text", "d")]),
    ("<?a?b?>", [("?", "a ?b")]),
    ("<?a ???>", [("?", "a ??")]),
    ("<?A-_1 b>", [("?", "A-_1 b")]),
    ("<?a b\0>", [("?", "a b\ufffd")]),
    ("<?a b>c?>", [("?", "a b"), ("text", "c?>")]),
    ("<?xml version='1.0'?>", [("!--", "?xml version='1.0'?")]),
    ("<?XML-Stylesheet a>", [("!--", "?XML-Stylesheet a")]),
    ("<?xmlx a>", [("?", "xmlx a")]),
    ("<?>", [("!--", "?")]),
    ("<??>", [("!--", "??")]),
    ("<? a>", [("!--", "? a")]),
    ("<?1>", [("!--", "?1")]),
    ("<?a.b c>", [("!--", "?a.b c")]),
    ("<?a/>", [("!--", "?a/")]),
    ("<?a", []),
    ("<?a b", []),
    ("<?", []),
]

# 13.2.5.2 to .31: raw text up to the appropriate end tag.
RAW = [
    ("<title><b>&amp;</title>a", [("<", "title"), ("text", "<b>&"), ("</", "title"), ("text", "a")]),
    ("<title></titlex></title>", [("<", "title"), ("text", "</titlex>"), ("</", "title")]),
    ("<title></TITLE\n>", [("<", "title"), ("</", "title")]),
    ("<title></title/>", [("<", "title"), ("</", "title")]),
    ("<title></title a='>'>b", [("<", "title"), ("</", "title"), ("text", "b")]),
    ("<title>a</title", [("<", "title"), ("text", "a</title")]),
    ("<title>a\0", [("<", "title"), ("text", "a\ufffd")]),
    ("<title></</ti</title>", [("<", "title"), ("text", "</</ti"), ("</", "title")]),
    ("<style>&amp;<p></style>", [("<", "style"), ("text", "&amp;<p>"), ("</", "style")]),
    ("<style></script></style>", [("<", "style"), ("text", "</script>"), ("</", "style")]),
    ("<script>a</script>", [("<", "script"), ("text", "a"), ("</", "script")]),
    ("<script><!--a</script>b", [("<", "script"), ("text", "<!--a"), ("</", "script"), ("text", "b")]),
    ("<script><!--<script>a</script>b", [("<", "script"), ("text", "<!--<script>a</script>b")]),
    (
        "<script><!--<script>a</script>b</script>c",
        [("<", "script"), ("text", "<!--<script>a</script>b"), ("</", "script"), ("text", "c")],
    ),
    (
        "<script><!--<script>-->a</script>b",
        [("<", "script"), ("text", "<!--<script>-->a"), ("</", "script"), ("text", "b")],
    ),
    (
        "<script><!--><script>a</script>b",
        [("<", "script"), ("text", "<!--><script>a"), ("</", "script"), ("text", "b")],
    ),
    (
        "<script><!---><script>a</script>b",
        [("<", "script"), ("text", "<!---><script>a"), ("</", "script"), ("text", "b")],
    ),
    (
        "<script><!--<scriptx>a</script>b",
        [("<", "script"), ("text", "<!--<scriptx>a"), ("</", "script"), ("text", "b")],
    ),
    (
        "<script><!--<SCRIPT/>a</SCRIPT\n></script>b",
        [("<", "script"), ("text", "<!--<SCRIPT/>a</SCRIPT\n>"), ("</", "script"), ("text", "b")],
    ),
    ("<script><!--a--></script>", [("<", "script"), ("text", "<!--a-->"), ("</", "script")]),
    ("<script><script></script>b", [("<", "script"), ("text", "<script>"), ("</", "script"), ("text", "b")]),
    ("<script>", [("<", "script")]),
    ("<plaintext><p></plaintext>&amp;", [("<", "plaintext"), ("text", "<p></plaintext>&amp;")]),
    ("<style>a\r\nb", [("<", "style"), ("text", "a\nb")]),
]

CDATA = [
    ("<![CDATA[a<b>&amp;]]>c", [("text", "a<b>&amp;c")]),
    ("<![CDATA[]]>", []),
    ("<![CDATA[a]]b]]]>", [("text", "a]]b]")]),
    ("<![CDATA[a", [("text", "a")]),
    ("<![cdata[a]]>", [("!--", "[cdata[a]]")]),
]


@pytest.mark.parametrize(("text", "expected"), TAGS + COMMENTS + INSTRUCTIONS + RAW)
def test_text_gives_its_events(text, expected):
    assert events(text) == expected


@pytest.mark.parametrize(("text", "attrs"), ATTRIBUTES)
def test_tag_has_its_attributes(text, attrs):
    assert events(text) == [("</>" if text == "<a/b/c=d />" else "<", "a", attrs)]


@pytest.mark.parametrize(("text", "attrs"), ATTRIBUTES)
def test_a_tag_that_the_input_ends_in_is_dropped(text, attrs):
    assert attrs
    assert events("x" + text[:-1]) == [("text", "x")]


@pytest.mark.parametrize(("text", "expected"), CDATA)
def test_cdata_sections_are_text_only_in_foreign_content(text, expected):
    assert events(text, cdata=True) == expected


def test_equal_tags_get_dicts_of_their_own():
    first, second = events("<a b=c><a b=c>")
    assert first == second
    assert first[2] is not second[2]


class Changer(Recorder):
    """Record the attributes, then add one to the dict."""

    def handle_starttag(self, tag, attrs):
        self.events.append(dict(attrs))
        attrs["added"] = ""


@pytest.mark.parametrize("tag", ['<a b="c">', "<a b=c>"])
def test_a_handler_that_changes_its_dict_does_not_change_later_tags(tag):
    changer = Changer()
    changer.tokenize(tag * 3)
    assert changer.events == [{"b": "c"}] * 3


PIECES = st.sampled_from((
    "<", "</", "<!--", "-->", "--", ">", "/", "=", '"', "'", " ", "\n", "a", "B", "&", "&amp", ";", "\0", "<title>",
    "</title>", "<script>", "</script>", "<![CDATA[", "]]>", "<?", "<!doctype", "\u0130", "&#", "1", "x", "p",
))  # fmt: skip


@given(st.lists(PIECES, max_size=20).map("".join))
def test_both_ways_of_reading_a_tag_agree(inside):
    # A null, which becomes U+FFFD, sends a tag to the step-by-step path.
    inside = inside.replace(">", "")
    assert events(f"<a {inside} \0>") == events(f"<a {inside} \ufffd>")


@given(st.text(max_size=60) | st.lists(PIECES, max_size=30).map("".join))
def test_tokenizing_twice_gives_the_same(text):
    assert events(text) == events(text)
