"""URLs by the WHATWG URL Standard: own cases after its text, the shared table, properties."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shared_cases import rows

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.urls import hosts

BASE = "http://a.example/b/c?d#e"

# (reference, base, serialised)
JOINED = [
    ("g", BASE, "http://a.example/b/g"),
    ("./g/", BASE, "http://a.example/b/g/"),
    ("/g", BASE, "http://a.example/g"),
    ("//g", BASE, "http://g/"),
    ("?y", BASE, "http://a.example/b/c?y"),
    ("#s", BASE, "http://a.example/b/c?d#s"),
    ("", BASE, "http://a.example/b/c?d"),
    ("../../../g", BASE, "http://a.example/g"),
    ("a/%2E%2e/b", BASE, "http://a.example/b/b"),
    ("\\g\\h", BASE, "http://a.example/g/h"),
    ("HTTPS://B.Example:443/x", BASE, "https://b.example/x"),
    ("x y", BASE, "http://a.example/b/x%20y"),
    ("mailto:a@b.example", BASE, "mailto:a@b.example"),
    ("tel:+1 2", BASE, "tel:+1 2"),
    ("data:text/html,<p>", BASE, "data:text/html,<p>"),
    ("file:///C:/x/../y", None, "file:///C:/y"),
    ("file://server/share", None, "file://server/share"),
    ("file:\\a?\\", None, "file:///a?\\"),
    ("\ud800", BASE, "http://a.example/b/%EF%BF%BD"),
    ("#f", "mailto:a@b.example", "mailto:a@b.example#f"),
    ("x", "foo://h/a/b", "foo://h/a/x"),
    ("x/../y?q", "foo://h", "foo://h/y?q"),
    ("?q", "foo://h", "foo://h?q"),
    ("http://[1:0:0:2::]", None, "http://[1:0:0:2::]/"),
    ("web+x:/..//p", None, "web+x:/.//p"),
]


@pytest.mark.parametrize(("reference", "base", "href"), JOINED)
def test_reference_is_joined(reference, base, href):
    assert urls.parse(reference, base).href == href
    if base is not None:
        assert urls.join(base, reference) == href


REFUSED = [
    "", "example.com", "http://", "http:///", "https://a b/", "http://a%00b/", "http://1.2.3.256/", "http://[::1",
    "http://a:99999/", "http://a:x/", "http://xn--\u00df/", "http://\u2028/", "http://[1::2::3]/", "http://[1]/",
    "http://0x100000000/", "http://a@/", "foo://:/", "foo://:80/",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_browsers_refuse_is_refused(text):
    with pytest.raises(InvalidUrl):
        urls.parse(text)


def test_a_relative_reference_to_an_opaque_base_is_refused():
    with pytest.raises(InvalidUrl):
        urls.join("mailto:a@b.example", "x")
    assert urls.join_or_empty("mailto:a@b.example", "x") == ""
    assert urls.join_or_empty("https://a.example/", "x") == "https://a.example/x"


@pytest.mark.parametrize("row", rows("urls.json", "cases"))
def test_shared_case(row):
    if row.get("failure"):
        with pytest.raises(InvalidUrl):
            urls.parse(row["input"], row["base"])
        return
    url = urls.parse(row["input"], row["base"])
    assert url.href == row["href"]
    if row["base"] is not None:
        assert urls.join(row["base"], row["input"]) == row["href"]
    if row.get("hostname") is not None:
        assert url.host == row["hostname"]
        assert ("" if url.port is None else str(url.port)) == row["port"]


@pytest.mark.parametrize("row", rows("urls.json", "to_ascii"))
def test_shared_domain_to_ascii(row):
    if row["output"] is None:
        with pytest.raises(InvalidUrl):
            hosts.parse_host(row["input"])
    else:
        assert hosts.parse_host(row["input"]) == row["output"]


# (as given, as fetched)
NORMALISED = [
    ("example.com", "https://example.com/"),
    ("Example.COM/a?b#c", "https://example.com/a?b"),
    ("localhost:8080/x", "https://localhost:8080/x"),
    ("//example.com/x", "https://example.com/x"),
    ("http:example.com", "http://example.com/"),
    ("HTTP://example.com:80/../x", "http://example.com/x"),
    (" https://example.com/a b\n", "https://example.com/a%20b"),
    ("b\u00fccher.example", "https://xn--bcher-kva.example/"),
    ("127.0.0.1:80", "https://127.0.0.1:80/"),
    ("[::1]/x", "https://[::1]/x"),
    ("http://http/x", "http://http/x"),  # a machine of this name
    ("https.example/a//b", "https://https.example/a//b"),
]


@pytest.mark.parametrize(("text", "url"), NORMALISED)
def test_normalise_gives_one_form(text, url):
    assert urls.normalise(text) == url
    assert urls.normalise(url) == url


@pytest.mark.parametrize(
    "text", ["", "  ", "/etc/passwd", "?q", "#f", "ftp://a/", "javascript:x", "http://u:p@a/", "mailto:a@b", "."]
)
def test_normalise_refuses_what_is_no_http_url(text):
    with pytest.raises(InvalidUrl) as caught:
        urls.normalise(text)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["https//a.example/b?c", "https://https//a.example/b?c", "https://https://a.example/b?c", "http:https://a.example/b?c"]
)  # fmt: skip
def test_a_scheme_that_is_there_twice_or_without_its_colon_is_no_host(text):
    with pytest.raises(InvalidUrl, match="scheme twice") as caught:
        urls.normalise(text)
    assert caught.value.hint.endswith(" https://a.example/b?c")


# (host or URL, domain, matches)
DOMAINS = [
    ("example.com", "example.com", True),
    ("www.example.com", "example.com", True),
    ("WWW.Example.Com.", "example.com", True),
    ("https://user:pw@www.example.com:8443/x", "example.com", True),
    ("notexample.com", "example.com", False),
    ("example.com.evil.example", "example.com", False),
    ("b\u00fccher.example", "xn--bcher-kva.example", True),
    ("xn--bcher-kva.example", "B\u00dcCHER.example.", True),
    ("a.example.com", "*.example.com", True),
    ("a.example.com", ".example.com", True),
    ("a.example.com", "https://example.com/path", True),
    ("a.example.com", "example.com:443", True),
    ("example.com", "", False),
    ("", "example.com", False),
    ("exa mple.com", "example.com", False),
    ("10.0.0.1", "0.0.1", False),
    ("www.example.com/?u=https://other.example/", "example.com", True),
    ("example.com?u=a://b", "example.com", True),
    ("example.com/a://b", "example.com", True),
]


@pytest.mark.parametrize(("host", "domain", "matches"), DOMAINS)
def test_domain_matches_itself_and_what_lies_below(host, domain, matches):
    assert urls.matches_domain(host, domain) is matches


# Written from the text of the standard: (URL, serialised or None for an error).
RARE = [
    ("http://example.com:0/", "http://example.com:0/"),
    ("http://example.com:65535/", "http://example.com:65535/"),
    ("http://example.com:65536/", None),
    ("http://example.com:00000000000080/", "http://example.com/"),
    ("http://example.com:0000065536/", None),
    ("http://example.com:8 0/", None),
    ("http://example.com:80:80/", None),
    ("http://example.com:\u0668\u0660/", None),
    ("http://example.com:-1/", None),
    ("http://example.com:+80/", None),
    ("http://:80/", None),
    ("http://@/", None),
    ("http://a@/", None),
    ("http://a:b@:80/", None),
    ("http://@example.com/", "http://example.com/"),
    ("http://:@example.com/", "http://example.com/"),
    ("http://a@b@c/", "http://a%40b@c/"),
    ("http://a:b:c@d/", "http://a:b%3Ac@d/"),
    ("http://a b@c/", "http://a%20b@c/"),
    ("http://user@/www.example.com", None),
    ("http://ex%61mple.com/", "http://example.com/"),
    ("http://ex%2Fample.com/", None),
    ("http://ex%3Aample.com/", None),
    ("http://ex%40mple.com/", None),
    ("http://%65xample%2Ecom/", "http://example.com/"),
    ("http://a%2eb/", "http://a.b/"),
    ("http://%/", None),
    ("http://%zz/", None),
    ("http://a%00b/", None),
    ("http://%C3%A4.example/", "http://xn--4ca.example/"),
    ("http://%ff.example/", None),
    ("http://%31%32%37.0.0.1/", "http://127.0.0.1/"),
    ("http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1/"),
    ("http://127\u30020\u30020\u30021/", "http://127.0.0.1/"),
    ("http://0x7F.1/", "http://127.0.0.1/"),
    ("http://0X7f000001/", "http://127.0.0.1/"),
    ("http://017700000001/", "http://127.0.0.1/"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://127.0.1/", "http://127.0.0.1/"),
    ("http://127.65536/", "http://127.1.0.0/"),
    ("http://1.2.3.256/", None),
    ("http://256/", "http://0.0.1.0/"),
    ("http://4294967295/", "http://255.255.255.255/"),
    ("http://4294967296/", None),
    ("http://1.2.3.4.5/", None),
    ("http://1..2/", None),
    ("http://1.2.3.4./", "http://1.2.3.4/"),
    ("http://1.2.3.08/", None),
    ("http://1.2.3.09/", None),
    ("http://foo.0x/", None),
    ("http://foo.0xg/", "http://foo.0xg/"),
    ("http://0x/", "http://0.0.0.0/"),
    ("http://0x./", "http://0.0.0.0/"),
    ("http://foo.2/", None),
    ("http://foo.2./", None),
    ("http://foo.2../", "http://foo.2../"),
    ("http://1e3/", "http://1e3/"),
    ("http://[::]/", "http://[::]/"),
    ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
    ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
    ("http://[1:0:0:2:0:0:3:4]/", "http://[1::2:0:0:3:4]/"),
    ("http://[0:1:0:1:0:1:0:1]/", "http://[0:1:0:1:0:1:0:1]/"),
    ("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    ("http://[::127.0.0.1]/", "http://[::7f00:1]/"),
    ("http://[::127.0.0.01]/", None),
    ("http://[::127.0.0]/", None),
    ("http://[::127.0.0.256]/", None),
    ("http://[1:2:3:4:5:6:127.0.0.1]/", "http://[1:2:3:4:5:6:7f00:1]/"),
    ("http://[1:2:3:4:5:6:7:127.0.0.1]/", None),
    ("http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/"),
    ("http://[::1:2:3:4:5:6:7]/", "http://[0:1:2:3:4:5:6:7]/"),
    ("http://[1:2:3:4:5:6:7:8::]/", None),
    ("http://[:::]/", None),
    ("http://[:1]/", None),
    ("http://[1:]/", None),
    ("http://[::1%25lo]/", None),
    ("http://[::1%lo]/", None),
    ("http://[0001::00001]/", None),
    ("http://[::FFFF]/", "http://[::ffff]/"),
    ("http://[v1.x]/", None),
    ("http://[www.google.com]/", None),
    ("http://[::1]a/", None),
    ("http://[::1]:/", "http://[::1]/"),
    ("http://[::1]:81x/", None),
    ("http://a[::1]/", None),
    ("http://[::1].example/", None),
    ("http://%5B::1%5D/", None),
    ("http://exa_mple.com/", "http://exa_mple.com/"),
    ("http://-a-.example/", "http://-a-.example/"),
    ("http://a..b/", "http://a..b/"),
    ("http://.example/", "http://.example/"),
    ("http://example../", "http://example../"),
    ("http://EXAMPLE.com./", "http://example.com./"),
    ("http://ex!am$pl&e'(a)*+,;=~`{}.com/", "http://ex!am$pl&e'(a)*+,;=~`{}.com/"),
    ("http://a^b/", None),
    ("http://a|b/", None),
    ("http://a<b/", None),
    ("http://a>b/", None),
    ("http://a%7Fb/", None),
    ("http://a%20b/", None),
    ("http://\xadexample.com/", "http://example.com/"),
    ("http://\u2060example.com/", "http://example.com/"),
    ("http://\xdf.example/", "http://xn--zca.example/"),
    ("http://\u03c2.example/", "http://xn--3xa.example/"),
    ("http://a\u200db.example/", None),
    ("http://xn--/", "http://xn--/"),
    ("http://xn--ASDF/", "http://xn--asdf/"),
    ("http://\u2603.xn--a/", None),
    ("http://\u2603.xn--n3h/", "http://xn--n3h.xn--n3h/"),
    ("http://\u2139.example/", "http://i.example/"),
    ("http://\u2177.example/", "http://viii.example/"),
    ("http://\u2488com/", None),
    ("http://example.com\uff0fevil/", None),
    ("http://example\u2024com/", None),
    ("http:/example.com/", "http://example.com/"),
    ("http:example.com/", "http://example.com/"),
    ("http:///example.com", "http://example.com/"),
    ("http:\\\\example.com\\x", "http://example.com/x"),
    ("http://example.com\\@evil.com/", "http://example.com/@evil.com/"),
    ("  http://x/  ", "http://x/"),
    ("ht\ntp://x\t/\r", "http://x/"),
    ("\x00http://x/\x1f", "http://x/"),
    ("http://x\x00/", None),
    ("http://x\x0b/", None),
    ("HTTP://X/", "http://x/"),
    ("ws://x:80/", "ws://x/"),
    ("ftp://x:21/", "ftp://x/"),
    ("foo://X/%41", "foo://X/%41"),
    ("foo://a b", None),
    ("foo:/..//x", "foo:/.//x"),
]


@pytest.mark.parametrize(("text", "href"), RARE)
def test_rare_forms_are_taken_as_browsers_take_them(text, href):
    if href is not None:
        assert urls.parse(text).href == href
        return
    with pytest.raises(InvalidUrl):
        urls.parse(text)


# (reference, what it is at BASE)
RARE_REFERENCES = [
    ("http:example.com/", "http://a.example/b/example.com/"),
    ("https:example.com/", "https://example.com/"),
    ("http:/x", "http://a.example/x"),
    ("\\\\x\\y", "http://x/y"),
    ("/\\x", "http://x/"),
    ("///x/y", "http://x/y"),
    ("////x", "http://x/"),
    ("?", "http://a.example/b/c?"),
    ("#", "http://a.example/b/c?d#"),
    ("?#", "http://a.example/b/c?#"),
    (".", "http://a.example/b/"),
    ("..", "http://a.example/"),
    ("../..", "http://a.example/"),
    ("./x/..", "http://a.example/b/"),
    ("%2e%2E/x", "http://a.example/x"),
    (".%2e", "http://a.example/"),
    ("%2e", "http://a.example/b/"),
    ("%2e%2e%2f", "http://a.example/b/%2e%2e%2f"),
    ("x/.", "http://a.example/b/x/"),
    ("x/..;y", "http://a.example/b/x/..;y"),
    ("...", "http://a.example/b/..."),
    ("a//b/../c", "http://a.example/b/a//c"),
    ("a//../b", "http://a.example/b/a/b"),
    ("/..//x", "http://a.example//x"),
    ("?'", "http://a.example/b/c?%27"),
    ('?"<>` {}|^\\[]', "http://a.example/b/c?%22%3C%3E`%20{}|^\\[]"),
    ('#"<>` {}|^', "http://a.example/b/c?d#%22%3C%3E%60%20{}|^"),
    ('/"<>` {}|^\\[]', "http://a.example/%22%3C%3E%60%20%7B%7D|%5E/[]"),
    ("/\x7f\x80\xe9", "http://a.example/%7F%C2%80%C3%A9"),
    ("/\ud800", "http://a.example/%EF%BF%BD"),
    ("/%zz%2", "http://a.example/%zz%2"),
    ("http\u200b://x/", "http://a.example/b/http%E2%80%8B://x/"),
    ("1http://x/", "http://a.example/b/1http://x/"),
    ("a+b-c.d:x", "a+b-c.d:x"),
    (":x", "http://a.example/b/:x"),
    ("x:80", "x:80"),
    ("javascript:alert(1)//\n", "javascript:alert(1)//"),
    ("mailto:x@y?s=a b#f", "mailto:x@y?s=a%20b#f"),
    ("data: x ", "data: x"),
]


@pytest.mark.parametrize(("reference", "href"), RARE_REFERENCES)
def test_rare_references_are_joined_as_browsers_join_them(reference, href):
    assert urls.join(BASE, reference) == href
    assert urls.parse(reference, urls.parse(BASE)).href == href


# (text, what must be gone, what must stay)
SECRETS = [
    ("https://user:hunter2@a.example/x", "hunter2", "a.example/x"),
    ("https://a.example/?api_key=hunter2&q=cats", "hunter2", "q=cats"),
    ("https://a.example/?q=cats&X-Amz-Signature=hunter2#x", "hunter2", "q=cats"),
    ("https://a.example/#access_token=hunter2", "hunter2", "a.example"),
    ("https://a.example/?keyword=cats&author=x&code=US&monkey=1", "***", "keyword=cats"),
    ("https://a.example/?AWSAccessKeyId=hunter2&x_key=hunter2&sessionId=hunter2", "hunter2", "a.example"),
    ("https://a.example/@name?x=a@b", "***", "@name?x=a@b"),
    # An @ in a path is not user information: packages, maps, accounts.
    ("https://a.example/react@18.2.0/umd/x.js", "***", "a.example/react@18.2.0/umd/x.js"),
    ("https://a.example/maps/place/X/data@52.5,13.4,9z", "***", "/data@52.5,13.4,9z"),
    ("https://a.example:8080/x/me@home/", "***", ":8080/x/me@home/"),
    ("see https://user:hunter2@a.example/react@18 there", "hunter2", "https://a.example/react@18 there"),
    ("https://b.example/web/2020/https://u:hunter2@a.example/", "hunter2", "b.example/web/2020/https://a.example/"),
    ("//user:hunter2@a.example/x", "hunter2", "//a.example/x"),
    ("https:/user:hunter2@a.example/x", "hunter2", "a.example/x"),
    ("https:user:hunter2@a.example/x", "hunter2", "a.example/x"),
    ("https://b.example/?next=https%3A%2F%2Fu%3Ahunter2%40a.example%2F&q=cats", "hunter2", "next=***&q=cats"),
    ("https://b.example/?next=https%253A%252F%252Fu%253Ahunter2%2540a.example", "hunter2", "b.example/"),
    ("https://b.example/?next=%2F%40name&mail=a%40b.example", "***", "?next=%2F%40name&mail=a%40b.example"),
    ("https://b.example/?u=https%3A%2F%2Fa.example%2F%40name", "***", "?u=https%3A%2F%2Fa.example%2F%40name"),
]


@pytest.mark.parametrize(("text", "gone", "kept"), SECRETS)
def test_secrets_are_redacted_and_nothing_else(text, gone, kept):
    assert gone not in urls.redact(text)
    assert kept in urls.redact(text)


@pytest.mark.parametrize(
    "text", ["http://user:hunter2@a b/", "user:hunter2@host/", "http://u:hunter2@[x/", "x:hunter2@"]
)
def test_no_message_shows_user_information(text):
    with pytest.raises(InvalidUrl) as caught:
        urls.normalise(text)
    assert "hunter2" not in str(caught.value.to_dict())


# (URL as given, as a message shows it)
SHOWN = [
    ("mailto:a@b.example", "mailto:a@b.example"),
    ("user:hunter2@host.example/x", "***@host.example/x"),
    ("http://u:hunter2 x@h.example:y/", "http://h.example:y/"),
    ("http://u:hunter2/x@h.example", "http://h.example"),
    ("http://u:hunter2#x@h.example", "http://h.example"),
    ("http://u:hunter2@[::", "http://[::"),
    ("https://u:p@hunter2@h.example:x/", "https://h.example:x/"),
    ("u:hun//hunter2@h.example", "***@h.example"),
    ("http://a b:80/?x=a@b", "http://a b:80/?x=a@b"),
    ("http://[::1/@x", "http://[::1/@x"),
    ("foo@bar.example", "foo@bar.example"),
    ("x" * 500, "x" * 200 + "..."),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_messages_show_a_url_in_part_and_without_credentials(text, shown):
    assert urls.shortened(text) == shown


def test_port_0_is_not_the_default_port():
    assert urls.parse("http://a.example:0/").effective_port == 0
    assert urls.parse("http://a.example/").effective_port == 80


TEXTS = st.one_of(st.text(), st.text(alphabet="htps:/\\@?#[]%.0129afxX-_ \t\n\u00df\u3002\u200d|"))


@given(TEXTS, st.sampled_from([None, BASE, "https://u:p@x.example:8/y/", "mailto:x", "file:///a/b", "foo:/a"]))
@example("//[", BASE)
def test_any_text_parses_or_is_refused(text, base):
    try:
        url = urls.parse(text, base)
    except InvalidUrl:
        return
    again = urls.parse(url.href)
    assert again.href == url.href
    if url.scheme in ("http", "https"):
        assert url.host
        assert url.href.isascii()
        assert url.href.isprintable()


@given(TEXTS)
def test_normalise_is_idempotent_and_domains_never_raise(text):
    urls.matches_domain(text, "example.com")
    urls.matches_domain("example.com", text)
    urls.redact(text)
    try:
        once = urls.normalise(text)
    except InvalidUrl:
        return
    assert urls.normalise(once) == once


@given(
    st.text(alphabet="abc/.%2eE?#-_~:@\\'\t", max_size=20),
    st.sampled_from([BASE, "https://u:p@a.example:8/x/../y/z?q", "http://[::1]", "mailto:a@b", "file:///a/b"]),
)
def test_the_short_cuts_for_plain_references_give_the_same(text, base):
    for reference in (text, f"/{text}", f"https://a.example/{text}"):
        try:
            expected = urls.parse(reference, base).href
        except InvalidUrl:
            continue
        assert urls.join(base, reference) == expected


def test_long_urls_take_linear_time():
    texts = ["../" * 200000, "%2e/" * 200000, "a" * 2000000, "?" * 500000, "@" * 500000, "//" * 500000]
    for text in (*texts, "@" + "http:" * 100000, "@" + "//" * 100000):
        try:
            urls.join("http://a.example/", text)
        except InvalidUrl:
            pass
        urls.redact("http://a.example/?" + text)


# (an address with marks around it, the address alone)
MARKED = [
    ('"https://a.example/x"', "https://a.example/x"),
    ("'http://a.example/'", "http://a.example/"),
    ("<https://a.example/x?y=1>", "https://a.example/x?y=1"),
    ("[A title](https://a.example/x)", "https://a.example/x"),
    ("![](https://a.example/x.png)", "https://a.example/x.png"),
    ("`https://a.example/`", "https://a.example/"),
    ("\u201chttps://a.example/\u201d", "https://a.example/"),
    ("(https://a.example/)", "https://a.example/"),
    ('"a.example"', "https://example.com/page"),
]


@pytest.mark.parametrize(("text", "alone"), MARKED)
def test_marks_around_an_address_are_named_with_the_address_alone(text, alone):
    with pytest.raises(InvalidUrl, match="has marks around the URL") as caught:
        urls.normalise(text)
    assert caught.value.hint.endswith(f" {alone}")


def test_the_brackets_of_an_ipv6_host_are_no_marks():
    assert urls.normalise("[2001:db8::1]:8080/a") == "https://[2001:db8::1]:8080/a"
