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


def test_groups_of_a_rendered_page_are_added_back_without_the_browser(site, settings, environ, tmp_path):
    text = "The harbour has two tides a day, and the second one comes later than the first one did. "
    aside = (
        "<aside class=related><h2>Related</h2><ul>"
        + "<li><a href=/r>Another story of the sea</a>" * 9
        + "</ul></aside>"
    )
    style = "<style>.q {opacity: 0}</style>"
    body = f"<article><h1>Tides</h1><p>{text}</p><p class=q>Planted words.</p><p>{text}</p></article>{aside}"
    site.html(
        "/tides",
        f"<!doctype html><title>Tides</title>{style}<div id=root></div><script>root.innerHTML = `{body}`</script>",
    )
    changes = {"cache_path": str(tmp_path / "cache.sqlite3"), "respect_robots": False}
    ctx = Context(settings._replace(**changes), environ=environ, deadline=time.monotonic() + 60)
    try:
        first = pages.open_page(ctx, pages.PageRequest(f"{site.origin}/tides", "rendered"))
        asked = len(site.requests)
        again = pages.open_page(ctx, pages.PageRequest(f"{site.origin}/tides", "rendered", with_groups=(1,)))
    finally:
        ctx.close()
    assert "Another story" not in first.snapshot.markdown
    assert "Another story" in again.snapshot.markdown
    assert "Planted" not in again.snapshot.markdown
    assert again.cache_hit
    assert len(site.requests) == asked


@pytest.mark.parametrize("mode", ["full", "readable"])
def test_shells_are_opened_in_a_browser_where_render_is_auto(site, settings, environ, mode):
    text = "The harbour has two tides a day, and the second one comes later than the first one did. " * 3
    script = f"root.innerHTML = '<main><h1>Tides</h1><p>{text}</p></main>'"
    site.html("/shell", f"<!doctype html><title>Tides</title><div id=root></div><script>{script}</script>")
    changes = {"render": "auto", "cache": False, "respect_robots": False}
    ctx = Context(settings._replace(**changes), environ=environ, deadline=time.monotonic() + 60)
    try:
        page = pages.open_page(ctx, pages.PageRequest(f"{site.origin}/shell", mode))
    finally:
        ctx.close()
    assert "# Tides\n\nThe harbour has two tides" in page.snapshot.markdown


def test_a_shell_comes_with_a_note_where_the_browser_fails(site, settings, environ, tmp_path):
    site.html("/shell", "<!doctype html><title>Tides</title><div id=root></div><script>1</script>")
    changes = {"render": "auto", "cache": False, "respect_robots": False, "browser": str(tmp_path / "none")}
    ctx = Context(settings._replace(**changes), environ=environ, deadline=time.monotonic() + 60)
    try:
        page = pages.open_page(ctx, pages.PageRequest(f"{site.origin}/shell", "full"))
    finally:
        ctx.close()
    assert any("#root is empty until scripts run" in note for note in page.notes)
