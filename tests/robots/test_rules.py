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
    # What hardly anybody writes.
    (b"\xef\xbb\xbfUser-agent: *\nDisallow: /a", "/a", False),
    (b"\xff\xfeU\x00s\x00", "/a", True),
    ("User-agent: *\r\nDisallow: /a\r\rAllow: /a/b\n\n\n", "/a/b", True),
    ("User-agent: *\u2028Disallow: /a", "/a", True),
    ("User-agent: *\x0bDisallow: /a", "/a", True),
    ("User-agent:*\nDisallow:/a", "/a", False),
    ("  User-agent : * \n\tDisallow\t:\t/a\t# c", "/a", False),
    ("user-AGENT: *\ndisALLOW: /a", "/a", False),
    ("User-agent: *\nDisallow: /a#b", "/a", False),
    ("User-agent: *\nDisallow: /a b", "/a%20b", False),
    ("User-agent: *\nDisallow: /a%20b", "/a b", False),
    ("User-agent: *\nDisallow:", "/a", True),
    ("User-agent: *\nDisallow: ", "/", True),
    ("User-agent: *\nAllow:\nDisallow: /", "/a", False),
    ("User-agent: *\nDisallow: a", "/a", True),
    ("User-agent: *\nDisallow: **a", "/xa", False),
    ("User-agent: *\nDisallow: */", "/a", False),
    ("User-agent: *\nDisallow: $", "/", True),
    ("User-agent: *\nDisallow: /a$b", "/a%24b", False),
    ("User-agent: *\nDisallow: /a%24", "/a$", False),
    ("User-agent: *\nDisallow: /a%24", "/ab", True),
    ("User-agent: *\nDisallow: /a$$", "/a", True),
    ("User-agent: *\nDisallow: /a$$", "/a$", False),
    ("User-agent: *\nDisallow: /a*", "/a*", False),
    ("User-agent: *\nDisallow: /a*$", "/abc", False),
    ("User-agent: *\nDisallow: /*.php", "/x.php5", False),
    ("User-agent: *\nDisallow: /*a*a*a$", "/aaa", False),
    ("User-agent: *\nDisallow: /*a*a*a$", "/aa", True),
    ("User-agent: *\nDisallow: /fish*\nAllow: /fish", "/fish", False),
    ("User-agent: *\nAllow: /p\nDisallow: /p", "/p", True),
    ("User-agent: *\nAllow: /p$\nDisallow: /", "/p", True),
    ("User-agent: *\nAllow: /$\nDisallow: /", "/page", False),
    ("User-agent: *\nAllow: /page\nDisallow: /*.htm", "/page.htm", False),
    ("User-agent: *\nAllow: /pages\nDisallow: /*.htm", "/pages.htm", True),
    ("User-agent: *\nAllow: /pagess\nDisallow: /*.htm", "/pagess.htm", True),
    ("User-agent: *\nDisallow: /caf%C3%A9", "/caf\xe9", False),
    (b"User-agent: *\nDisallow: /caf\xe9", "/caf%E9", True),
    ("User-agent: *\nDisallow: /%61", "/a", False),
    ("User-agent: *\nDisallow: /a", "/%61", False),
    ("User-agent: *\nDisallow: /a%2fb", "/a%2Fb", False),
    ("User-agent: *\nDisallow: /a/b", "/a%2Fb", True),
    ("User-agent: *\nDisallow: /%zz", "/%zz", False),
    ("User-agent: *\nDisallow: /a?b", "/a?b=c", False),
    ("User-agent: *\nDisallow: /*?", "/a?", False),
    ("User-agent: *\nDisallow: /a;b", "/a%3Bb", True),
    ("User-agent: *\nDisallow: /A", "/a", True),
    ("User-agent: webtool\nDisallow: /a\nUser-agent: *\nDisallow: /", "/b", True),
    ("User-agent: webtoolbot\nDisallow: /a", "/a", True),
    ("User-agent: web\nDisallow: /a", "/a", True),
    ("User-agent: webtool bot\nDisallow: /a", "/a", False),
    ("User-agent: webtool\nUser-agent: x\nDisallow: /a", "/a", False),
    ("User-agent: webtool\n\nDisallow: /a", "/a", False),
    ("User-agent: webtool\nSitemap: x\nUser-agent: x\nDisallow: /a", "/a", False),
    ("User-agent: webtool\nCrawl-delay: 1\nUser-agent: x\nDisallow: /a", "/a", False),
    ("User-agent: webtool\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: webtool\nDisallow: /c", "/c", False),
    ("User-agent: webtool\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: webtool\nDisallow: /c", "/a", False),
    ("User-agent: webtool\nUser-agent: *\nDisallow: /", "/a", False),
    ("User-agent: webtool\nDisallow:\nUser-agent: *\nDisallow: /", "/a", True),
    ("User-agent: webtool\nUser-agent: *\nDisallow: /", "/robots.txt", True),
    ("# c\n#\nUser-agent: * # all\nDisallow: /a # no", "/a", False),
    ("User-agent: *\nDisallow /a", "/a", False),
    ("User-agent *\nDisallow: /a", "/a", False),
    ("User-agent: *\nNoindex: /\nDisallow: /b", "/b", False),
    ("User-agent: * \nDisallow: /a\x00b", "/a%00b", False),
    ("User-agent: *\nDisallow: https://x.example/a", "/a", True),
    ("User-agent: *\nDisallow: //a", "//a", False),
    ("User-agent: *\nDisallow: /a//", "/a//b", False),
    ("User-agent: *\nDisallow: /" + "a" * 3000, "/" + "a" * 3000, False),
    ("User-agent: *\nDisallow: /" + "a" * 3000, "/" + "a" * 2999, True),
    ("User-agent: *\nDisallow: /" + "*" * 5000 + "z", "/abcz", False),
    ("#" + "x" * 100000 + "\nUser-agent: *\nDisallow: /a", "/a", False),
    ("User-agent: *\nDisallow: /a\n" + "x" * 600000, "/a", False),
]


@pytest.mark.parametrize(("text", "path", "allowed"), CASES, ids=range(len(CASES)))
def test_rule_decides(text, path, allowed):
    assert robots.parse(text).allows("webtool", SITE + path) is allowed


# Where the sources of the shared table disagree and the RFC does not decide: product tokens beyond ASCII or with a
# space or digit are not tokens here, so such an agent gets the group for everybody, or learns that nothing is said.
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
    rules = robots.of_response(status, b"")
    assert rules is not None
    assert rules.allows("webtool", SITE + "/x") is allowed


def test_a_file_that_came_is_read():
    assert robots.of_response(200, b"user-agent: *\ndisallow: /") == robots.DISALLOW_ALL


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


def many_agents():
    """Tokens without end, all of one group, and rules without end for them: 500 KiB."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"user-agent:{a}{b}{c}\n" for a in letters for b in letters for c in letters]
    return "user-agent:webtool\n" + "".join(names[:16000]) + "disallow:/x\n" * 20000


# (file, path): what costs the product of two of its sizes if done one by one
COSTLY = [
    (many_agents(), "/y"),
    ("user-agent: webtool\nallow: /a\n" * 15000, "/y"),
    ("user-agent: *\n" + f"disallow:/*{'a' * 30}b\n" * 11000, "/" + "a" * 60000),
    ("user-agent: *\n" + "disallow:/*ab\n" * 33000, "/" + "a" * 60000),
]


@pytest.mark.parametrize(("text", "path"), COSTLY, ids=range(len(COSTLY)))
def test_no_file_keeps_a_fetch_busy(text, path):
    begun = time.process_time()
    assert robots.parse(text).allows("webtool", SITE + path)
    assert time.process_time() - begun < 5


def test_a_value_that_is_too_long_matches_nothing():
    rules = robots.parse(f"user-agent: *\ndisallow: /{'a' * 17000}\ndisallow: /b{' ' * 17000}# {'c' * 17000}")
    assert rules.allows("webtool", f"{SITE}/{'a' * 16999}b")
    assert not rules.allows("webtool", f"{SITE}/b")


def test_a_rule_for_the_end_is_compared_with_the_end_of_a_long_path(monkeypatch):
    monkeypatch.setattr(robots, "_MAX_WORK", 0)
    rules = robots.parse("user-agent: *\ndisallow: /*a$\ndisallow: /*xy")
    assert rules.allows("webtool", f"{SITE}/{'a' * 9000}b")
    assert not rules.allows("webtool", f"{SITE}/{'b' * 9000}a")
    assert rules.allows("webtool", f"{SITE}/{'b' * 2046}x{'c' * 5000}y{'d' * 2047}")  # x and y stand at the gap's sides


def test_a_long_path_is_still_judged_where_rules_are_few():
    rules = robots.parse("user-agent: *\ndisallow: /*secret$")
    assert not rules.allows("webtool", f"{SITE}/{'a' * 60000}secret")
    assert rules.allows("webtool", f"{SITE}/{'a' * 60000}secrets")


def test_rules_of_several_groups_of_one_token_compete():
    rules = robots.parse(
        "user-agent: a\nuser-agent: webtool\ndisallow: /x\nuser-agent: b\ndisallow: /\n"
        "user-agent: webtool\nallow: /x/y\nuser-agent: WEBTOOL\ndisallow: /x/y/z"
    )
    found = [rules.allows("webtool", SITE + path) for path in ("/", "/x", "/x/y", "/x/y/z")]
    assert found == [True, False, True, False]
    assert not rules.allows("b", f"{SITE}/q")
    assert rules.allows("a", f"{SITE}/q")


# Crawl-delay is not a part of RFC 9309; what many files have it for is meant all the same.
DELAYS = [
    ("user-agent: *\ncrawl-delay: 2.5\ndisallow: /a", "x", 2.5),
    ("user-agent: *\ndisallow: /a\nCrawl-Delay:10 # slowly", "x", 10.0),
    ("user-agent: x\ncrawl-delay: 1\ndisallow:\n\nuser-agent: *\ncrawl-delay: 9\ndisallow: /", "X", 1.0),
    ("user-agent: x\ndisallow:\n\nuser-agent: *\ncrawl-delay: 9\ndisallow: /", "x", 0.0),
    ("user-agent: y\nuser-agent: x\ncrawl-delay: 3\n\nuser-agent: *\ndisallow:", "x", 3.0),
    ("crawl-delay: 3\nuser-agent: *\ndisallow: /", "x", 0.0),
    ("user-agent: *\ncrawl-delay: soon", "x", 0.0),
    ("user-agent: *\ncrawl-delay: -5", "x", 0.0),
]


@pytest.mark.parametrize(("text", "agent", "seconds"), DELAYS)
def test_a_crawl_delay_is_read(text, agent, seconds):
    assert robots.parse(text).delay(agent) == seconds


def test_groups_of_many_tokens_with_many_records_take_linear_time():
    names = [str(number).translate(str.maketrans("0123456789", "abcdefghij")) for number in range(12_000)]
    tokens = "".join(f"user-agent: {name}\n" for name in names)
    begin = time.process_time()
    rules = robots.parse(tokens + "crawl-delay: 2\n" + "crawl-delay: 3\n" * 10_000 + "content-signal: x\n" * 5_000)
    assert time.process_time() - begin < 5
    assert (rules.delay(names[-1]), rules.signal(names[0])) == (2.0, "x")


def test_sitemaps_and_content_signals_are_kept():
    text = "Sitemap: https://x.example/a.xml\nUser-agent: *\nContent-Signal: ai-input=no\nDisallow: /a\n\n"
    rules = robots.parse(f"{text}User-agent: webtool\nDisallow:\nsitemap:/b.xml")
    assert rules.sitemaps == ("https://x.example/a.xml", "/b.xml")
    assert (rules.signal("other"), rules.signal("webtool")) == ("ai-input=no", "")
