"""robots.txt by RFC 9309: own cases after its text, the shared table, properties."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_cases import rows

from webtool import robots

SITE = "http://site.example"

# (file, path, allowed for webtool)
CASES = [
    ("", "/x", True),
    # Section 2.2.2: the longest match wins, allow wins a tie.
    ("user-agent: *\ndisallow: /a\nallow: /a/b", "/a/b/c", True),
    ("user-agent: *\nallow: /a\ndisallow: /a/b", "/a/b/c", False),
    ("user-agent: *\ndisallow: /a\nallow: /a", "/a", True),
    # Section 2.2.1: the crawler's own group only; groups of the same token are merged.
    ("user-agent: webtool\nallow: /\nuser-agent: *\ndisallow: /", "/x", True),
    ("user-agent: WebTool/2.0\ndisallow: /x", "/x", False),
    ("user-agent: webtool-extra\ndisallow: /x", "/x", True),
    ("user-agent: webtool\ndisallow: /x\n\nuser-agent: webtool\ndisallow: /y", "/y", False),
    ("user-agent: other\nuser-agent: webtool\ndisallow: /x", "/x", False),
    # Section 2.2.3: special characters.
    ("user-agent: *\ndisallow: /*.pdf$", "/a/b.pdf", False),
    ("user-agent: *\ndisallow: /*.pdf$", "/a/b.pdf?x", True),
    ("user-agent: *\ndisallow: /a*/c$", "/ab/c/c", False),
    ("user-agent: *\ndisallow: /$", "/", False),
    ("user-agent: *\ndisallow: /$", "/x", True),
    ("user-agent: *\ndisallow: /a%2Ab", "/a*b", False),
    ("user-agent: *\ndisallow: /a%2Ab", "/axb", True),
    ("user-agent: *\ndisallow: /a$b", "/a$b", False),
    ("user-agent: *\ndisallow: *", "/x", False),
    ("user-agent: *\ndisallow: **$", "/x", False),
    # Section 2.2.2: octets compare in one encoding.
    ("user-agent: *\ndisallow: /%7ea", "/~a", False),
    ("user-agent: *\ndisallow: /\u00e9", "/%c3%a9", False),
    ("user-agent: *\ndisallow: /a%2fb", "/a/b", True),
    # What people write.
    ("\ufeffuser-agent: *\r\ndisallow: /x # why\r\n", "/x", False),
    ("user-agent: *\rdisallow: /x\r", "/x", False),
    ("disallow: /x\nuser-agent: *\n", "/x", True),
    ("user-agent: *\ncrawl-delay: 5\ndisallow: /x", "/x", False),
    ("user-agent *\ndissallow /x", "/x", False),
    ("<html><body>Not found</body></html>", "/x", True),
    ("user-agent: *\ndisallow: /", "/robots.txt", True),
]


@pytest.mark.parametrize(("text", "path", "allowed"), CASES)
def test_rule_decides(text, path, allowed):
    assert robots.parse(text).allows("webtool", SITE + path) is allowed


# Where the sources of the shared table disagree and the RFC does not decide: product tokens beyond ASCII or with a
# space or digit are no tokens here, so such an agent gets the group for everybody, or is told that nothing is said.
CONTESTED_AND_DIFFERENT = {
    "rb-3dc86dcd84", "rb-31754695ed", "rb-32b452d557", "rb-6e0d256cd5", "rb-f5e637fca7", "rb-25dac026ab",
    "rb-c54763ae88",
}  # fmt: skip


@pytest.mark.parametrize("row", rows("robots.json", "cases"))
def test_shared_case(row):
    got = robots.parse(row["robots"]).allows(row["agent"], row["url"])
    is_different = row["id"] in CONTESTED_AND_DIFFERENT
    assert not is_different or row["level"] == "contested"
    assert (got == row["allowed"]) is not is_different


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (401, True), (403, True), (429, True), (500, False)])
def test_status_alone_decides(status, allowed):
    rules = robots.for_status(status)
    assert rules is not None
    assert rules.allows("webtool", SITE + "/x") is allowed


def test_a_file_that_came_is_read():
    assert robots.for_status(200) is None


def test_only_the_first_500_kib_are_read():
    filler = b"# filler\n" * 60000
    assert robots.parse(filler + b"user-agent: *\ndisallow: /\n").allows("webtool", SITE + "/x")


@given(st.one_of(st.binary(), st.text()), st.text())
def test_any_file_and_any_url_give_an_answer(data, url):
    assert robots.parse(data).allows("webtool", url) in (True, False)


@given(st.text(alphabet="abc*$%2A/", max_size=12), st.text(alphabet="abc/", max_size=12))
def test_wildcards_match_as_a_slow_matcher_does(rule, path):
    import re

    anchored = rule.endswith("$")
    pieces = [robots.normalise_path(piece) for piece in (rule[:-1] if anchored else rule).split("*")]
    pattern = ".*".join(map(re.escape, pieces)) + ("$" if anchored else "")
    expected = re.match("/" + pattern, f"/{path}") is not None
    text = f"user-agent: *\ndisallow: /{rule}"
    assert robots.parse(text).allows("webtool", f"{SITE}/{path}") is not expected


def test_many_rules_and_wildcards_are_quick():
    text = "user-agent: *\n" + "disallow: /*a*a*a*a*a*a*a*ab\n" * 20000
    begun = time.process_time()
    assert robots.parse(text).allows("webtool", SITE + "/" + "a" * 3000)
    assert time.process_time() - begun < 5
