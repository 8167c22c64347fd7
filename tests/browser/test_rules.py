"""Rendered pages under site rules: their fields reach the first page, and further pages come from the same browser."""

import time

import pytest

from webtool import pages
from webtool.context import Context

OTHER = "127.0.0.3"
RULES = """body: //article
next_page_link: //a[@rel='next']/@href
http_header(accept-language): nl
http_header(cookie): reader=one
"""
PART = """<!doctype html><title>Tides</title><style>.q {{opacity: 0}}</style><div id=root></div><script>
root.innerHTML = `<article><h1>Tides</h1>${{'<p>Part {number} of the story, made by a script.</p>'.repeat(9)}}
<p class=q>Planted words.</p></article>{next}`;</script>"""


@pytest.fixture
def opened(site, site_at, settings, environ, tmp_path):
    (tmp_path / "127.0.0.1.txt").write_text(RULES)
    site.hang("/hang")
    changes = {"siteconfig_dir": str(tmp_path), "allow_private_hosts": ("127.0.0.1", OTHER), "cache": False}
    ctx = Context(settings._replace(respect_robots=False, **changes), environ=environ, deadline=time.monotonic() + 60)

    def work(*hosts):
        """The page of as many parts as hosts, each at its host."""
        for number, (host, after) in enumerate(zip(hosts, (*hosts[1:], None)), 1):
            link = f"<a rel=next href={after.origin}/{number + 1}>next</a>" if after else ""
            host.html(f"/{number}", PART.format(number=number, next=link))
        return pages.open_page(ctx, pages.PageRequest(f"{hosts[0].origin}/1", "rendered"))

    yield work
    ctx.close()


def test_further_pages_are_opened_in_the_browser(site, site_at, opened):
    other = site_at(OTHER)
    page = opened(site, site, other)
    for number in (1, 2, 3):
        assert page.snapshot.markdown.count(f"Part {number} of the story") == 9
    assert "Planted" not in page.snapshot.markdown
    assert [host.headers[path]["accept-language"] for host, path in ((site, "/1"), (site, "/2"), (other, "/3"))] == (
        ["nl"] * 3
    )
    assert site.headers["/1"]["cookie"] == site.headers["/2"]["cookie"] == "reader=one"
    assert "cookie" not in other.headers["/3"]
    assert "Mozilla" in site.headers["/2"]["User-Agent"]
    assert any(f"the text goes on at another host, {OTHER}" in note for note in page.notes)


def test_a_further_page_that_cannot_be_had_is_told(site, opened, monkeypatch):
    gone = '<a rel="next" href="/gone">next</a>'
    monkeypatch.setattr(f"{__name__}.PART", PART.replace("{next}", gone))
    page = opened(site)
    assert "Part 1 of the story" in page.snapshot.markdown
    assert any("/gone could not be had" in note for note in page.notes)
