"""URLs by the WHATWG URL Standard: own cases after its text, the shared table, properties."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shared_cases import rows

from webtool import hosts, urls
from webtool.errors import InvalidUrl

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
    "http://0x100000000/", "http://a@/",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_browsers_refuse_is_refused(text):
    with pytest.raises(InvalidUrl):
        urls.parse(text)


def test_a_relative_reference_to_an_opaque_base_is_refused():
    with pytest.raises(InvalidUrl):
        urls.join("mailto:a@b.example", "x")


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
]


@pytest.mark.parametrize(("host", "domain", "matches"), DOMAINS)
def test_domain_matches_itself_and_what_lies_below(host, domain, matches):
    assert urls.matches_domain(host, domain) is matches


# (text, what must be gone, what must stay)
SECRETS = [
    ("https://user:hunter2@a.example/x", "hunter2", "a.example/x"),
    ("https://a.example/?api_key=hunter2&q=cats", "hunter2", "q=cats"),
    ("https://a.example/?q=cats&X-Amz-Signature=hunter2#x", "hunter2", "q=cats"),
    ("https://a.example/#access_token=hunter2", "hunter2", "a.example"),
    ("https://a.example/?keyword=cats&author=x&code=US&monkey=1", "***", "keyword=cats"),
    ("https://a.example/?AWSAccessKeyId=hunter2&x_key=hunter2&sessionId=hunter2", "hunter2", "a.example"),
    ("https://a.example/@name?x=a@b", "***", "@name?x=a@b"),
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
    for text in ("../" * 200000, "%2e/" * 200000, "a" * 2000000, "?" * 500000, "@" * 500000, "//" * 500000):
        try:
            urls.join("http://a.example/", text)
        except InvalidUrl:
            pass
        urls.redact("http://a.example/?" + text)
