"""A site as a folder, on loopback: what is opened, what is saved, what a second run does."""

import gzip
import json
import re

import pytest
from servers import Server, page

from webtool import urls
from webtool.bulk import scope, site_pages
from webtool.bulk.crawl import Manners
from webtool.bulk.folder import Folder
from webtool.bulk.scope import Scope
from webtool.bulk.site import Options, SiteCrawl
from webtool.errors import HttpError, InvalidArgument, InvalidUrl, RobotsDisallowed

WORDS = "has enough words to be the main content of a page, as every page of this manual has."


def html(title, *links, head="", **headers):
    listed = "".join(f'<a href="{link}">{link or "self"}</a> ' for link in links)
    text = f"<p>The page about {title} {WORDS} It says: {listed}</p>"
    return page(
        f"<html><head><title>{title}</title>{head}</head><body><main><h1>{title}</h1>{text}</main></body></html>",
        **headers,
    )


@pytest.fixture
def crawl(make_context, tmp_path):
    """Run a crawl into one folder; the SiteCrawl, with `counts` and `rows` by path."""

    def run(address, path=tmp_path / "site", settings=None, manners=None, stop_after=None, **options):
        folder = Folder(str(path))
        folder.open()
        run = SiteCrawl(
            make_context(**(settings or {})),
            folder,
            Options(address, **options),
            manners or Manners(is_ordered=False),
            print,
        )
        try:
            for number, _ in enumerate(run.rows(), 1):
                if number == stop_after:
                    return run  # as if it had been killed
            run.counts = run.finish()
        finally:
            folder.close()
        base = re.match(r"https?://[^/]+", address)[0]
        run.rows_by_path = {url.replace(base, ""): row for url, row in folder.rows.items()}
        run.status = {path: row["status"] for path, row in run.rows_by_path.items() if row["status"] != "sitemap"}
        return run

    return run


def texts(folder):
    return {str(file.relative_to(folder)): file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.md"))}


SITE = {
    "/docs/": html("Home", "guide/", "api/a.html", "/other/", "https://elsewhere.example/", "zoo.html#top"),
    "/docs/guide/": html("Guide", "install", "../"),
    "/docs/guide/install": html("Install", "../zoo.html#part", "#own", "install#own"),
    "/docs/api/a.html": html("A", "b.html"),
    "/docs/api/b.html": html("B", "../gone.html"),
    "/docs/zoo.html": html("Zoo", "guide/"),
    "/docsextra/": html("Extra"),
    "/other/": html("Other", "/docs/"),
}


def test_the_pages_below_a_url_are_saved_with_relative_links(crawl, tmp_path):
    with Server(SITE) as site:
        run = crawl(f"{site.url}/docs/")
        asked = site.paths()
    saved = texts(tmp_path / "site")
    assert set(saved) == {
        "index.md", "home.md", "guide/index.md", "guide/install.md", "api/a.md", "api/b.md", "zoo.md",
    }  # fmt: skip
    assert "/other/" not in asked
    assert run.status["/docs/gone.html"] == "missing"
    assert (run.counts["saved"], run.counts["missing"], run.counts["changed"], run.stopped_by) == (6, 1, 6, "")
    home = saved["home.md"]
    assert "](guide/index.md)" in home
    assert "](zoo.md#top)" in home
    assert f"]({site.url}/other/)" in home
    assert "](https://elsewhere.example/)" in home
    assert f"source: {site.url}/docs/" in home
    install = saved["guide/install.md"]
    assert "](../zoo.md#part)" in install
    assert install.count("](#own)") == 2
    assert "](../home.md)" in saved["guide/index.md"]
    assert f"]({site.url}/docs/gone.html)" in saved["api/b.md"]
    assert saved["index.md"].splitlines()[4:] == [
        "- [Home](home.md)",
        "- [Guide](guide/index.md)",
        "  - [Install](guide/install.md)",
        "- api/",
        "  - [A](api/a.md)",
        "  - [B](api/b.md)",
        "- [Zoo](zoo.md)",
    ]


@pytest.mark.parametrize("start", ["/docs", "/docs/api/a.html", "/docs/guide"])
def test_a_folder_is_meant_by_a_file_in_it_and_by_its_name(crawl, start):
    routes = {**SITE, "/docs": (301, {"Location": "/docs/"}, b""), "/docs/guide": (302, {"Location": "guide/"}, b"")}
    with Server(routes) as site:
        run = crawl(f"{site.url}{start}")
    prefix = {"/docs": "/docs/", "/docs/api/a.html": "/docs/api/", "/docs/guide": "/docs/guide/"}[start]
    saved = [path for path, status in run.status.items() if status == "saved"]
    assert sorted(saved) == sorted(path for path in SITE if path.startswith(prefix))


# What a start page links to, and the end of the note about a crawl that found no other page.
ALONE = [
    (["/docs/b", "/other"], "/docs/intro/; to save what is beside it, crawl {}/docs/"),
    (["/other", "?", "#top"], "/docs/intro/; to save what is beside it, crawl {}/"),
    (["https://elsewhere.example/docs/"], "/docs/intro/"),
    ([], "the start page has no links to follow; --mode rendered runs its scripts first"),
    (["/docs/intro/more"], ""),
]


@pytest.mark.parametrize(("links", "end"), ALONE, ids=range(len(ALONE)))
def test_a_crawl_that_finds_no_other_page_says_why(crawl, links, end):
    with Server({"/docs/intro": html("Intro", *links), "/docs/intro/more": html("More")}) as site:
        start = f"{site.url}/docs/intro"
        run = crawl(start)
        assert run.note.endswith(end.format(site.url))
        assert bool(run.note) == bool(end)
        assert crawl(start).note == run.note
        assert crawl(start, depth=0).note == ""


def xml(*addresses, kind="urlset"):
    entry = "url" if kind == "urlset" else "sitemap"
    listed = "".join(f"<{entry}><loc>{address}</loc><lastmod>2026-01-01</lastmod></{entry}>" for address in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?><{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</{kind}>'


def test_sitemaps_come_first_with_indexes_and_gzip(crawl, tmp_path):
    with Server({}) as site:
        u = site.url
        first, second = f"{u}/maps/one.xml.gz", f"{u}/maps/two.txt"
        robots = f"User-agent: *\nDisallow: /docs/private\nSitemap: {u}/maps/index.xml\nSitemap: /maps/lost.xml"
        index = xml(first, second, f"{u}/maps/index.xml", kind="sitemapindex")
        listed = [f"{u}/{path}" for path in ("docs/x?a=1&amp;b=2", "docs/only-listed", "other/", "docs/private/p")]
        site.routes.update(
            {
                "/robots.txt": (200, "text/plain", robots),
                "/maps/index.xml": (200, "application/xml", index),
                "/maps/one.xml.gz": (200, "application/gzip", gzip.compress(xml(*listed).encode())),
                "/maps/two.txt": (200, "text/plain", f"{u}/docs/also\n\n{u}/docs/zoo.html\n"),
                "/docs/x": html("X"),
                "/docs/only-listed": html("Listed"),
                "/docs/also": html("Also"),
                **SITE,
            }
        )
        run = crawl(f"{u}/docs/", manners=Manners(concurrency=1, is_ordered=False))  # requests arrive in order
        asked = site.paths()
    assert (asked[0], set(asked[1:3])) == ("/docs/", {"/maps/index.xml", "/maps/lost.xml"})
    assert asked.count("/maps/index.xml") == 1
    assert asked.index("/docs/only-listed") < asked.index("/docs/guide/")
    assert run.status["/docs/x?a=1&b=2"] == "saved"
    assert run.status["/docs/private/p"] == "skipped"
    assert "/docs/private/p" not in asked
    assert "/other/" not in asked
    assert run.counts["saved"] == 9


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (xml("https://a.example/1?a&amp;b"), (["https://a.example/1?a&b"], False)),
        (xml("https://a.example/2", kind="sitemapindex"), (["https://a.example/2"], True)),
        ('<s:urlset xmlns:s="x"><s:loc><![CDATA[https://a.example/3]]></s:loc>', (["https://a.example/3"], False)),
        ("<urlset><loc> https://a.example/4\n</loc><image:loc>i.png</image:loc>", (["https://a.example/4"], False)),
        ("\ufeffhttps://a.example/5\nno address\n", (["https://a.example/5"], False)),
        ("  https://a.example/5\r\n\thttps://a.example/" + "x" * 9000, (["https://a.example/5"], False)),
        ("<html><p>Not found", ([], False)),
        ("<urlset><loc>https://a.example/6", (["https://a.example/6"], False)),
        ("<urlset>" + "<loc>" * 100_000, ([], False)),
        ("", ([], False)),
        ('<urlset><loc changed="1">https://a.example/7</loc><loc >https://a.example/8</loc><location>x', (
            ["https://a.example/7", "https://a.example/8"], False)),
    ],
)  # fmt: skip
def test_sitemaps_are_read(body, expected):
    assert site_pages.addresses_in(body.encode()) == expected


@pytest.mark.parametrize("line", ["http://[", "//", "mailto:a@b.example", ""])
def test_an_unusable_sitemap_line_is_skipped(crawl, line):
    rules = (200, {"Content-Type": "text/plain"}, f"Sitemap: {line}")
    with Server({"/robots.txt": rules, "/docs/": html("Home", "a"), "/docs/a": html("A")}) as site:
        assert crawl(f"{site.url}/docs/").counts["saved"] == 2


def test_with_a_sitemap_the_list_has_the_order_of_the_links(crawl, tmp_path):
    routes = {
        "/docs/": html("Home", "start"),
        "/docs/start": html("Start", "second", "first"),
        "/docs/first": html("First"),
        "/docs/second": html("Second"),
    }
    with Server(routes) as site:
        listed = [f"{site.url}{path}" for path in sorted(routes)]
        site.routes["/sitemap.xml"] = (200, "text/xml", xml(*listed))
        crawl(f"{site.url}/docs/")
    titles = re.findall(r"- \[(\w+)\]", texts(tmp_path / "site")["index.md"])
    assert titles == ["Home", "Start", "Second", "First"]


def test_a_bomb_of_a_sitemap_is_bounded(crawl):
    bomb = gzip.compress(b"<urlset>" + b" " * (60 << 20))
    with Server({**SITE, "/sitemap.xml": (200, "application/gzip", bomb)}) as site:
        assert crawl(f"{site.url}/docs/").counts["saved"] == 6


def test_a_stop_at_max_pages_lists_the_rest_and_can_be_continued(crawl, tmp_path):
    pages = {f"/docs/{n}": html(f"Page {n}", f"{n + 1}", f"{n + 2}") for n in range(30)}
    with Server({"/docs/": html("Home", *map(str, range(12))), **pages}) as site:
        run = crawl(f"{site.url}/docs/", max_pages=5)
        assert run.stopped_by == "--max-pages is 5"
        assert (run.counts["saved"], run.counts["left"]) == (5, 8)
        rows = [json.loads(line) for line in (tmp_path / "site/manifest.ndjson").read_text().splitlines()]
        assert [row["url"] for row in rows if row.get("status") == "left"] == [
            f"{site.url}/docs/{n}" for n in range(4, 12)
        ]
        assert "More were found" in texts(tmp_path / "site")["index.md"]
        before = len(site.paths())
        run = crawl(f"{site.url}/docs/", max_pages=9)
        assert run.counts["saved"] == 9
        asked = [path for path in site.paths()[before:] if "sitemap" not in path]
        assert sorted(asked) == [f"/docs/{n}" for n in range(4, 8)]
        assert crawl(f"{site.url}/docs/", max_pages=9).counts["changed"] == 0  # a refresh of the nine
        assert crawl(f"{site.url}/docs/", max_pages=100).counts["saved"] == 31


def test_depth_counts_links(crawl):
    chain = {f"/docs/{n}": html(f"Page {n}", f"{n + 1}") for n in range(6)}
    with Server({"/docs/": html("Home", "0"), **chain, "/sitemap.xml": (200, "text/xml", xml("x"))}) as site:
        assert crawl(f"{site.url}/docs/", depth=2).counts["saved"] == 3
        assert "/sitemap.xml" not in site.paths()
    with Server(chain) as site, pytest.raises(InvalidArgument, match="has the pages of"):
        crawl(f"{site.url}/docs/", depth=0)


def test_every_page_within_the_depth_is_found(crawl):
    """/docs/list is nearer to the start than /docs/2, but is opened later, and both link to /docs/both."""
    plain = [f"p{n}" for n in range(40)]
    routes = {
        "/docs/": html("Home", "1", *plain, "list?a=1"),
        "/docs/1": html("One", "2"),
        "/docs/2": html("Two", "both", "deep"),
        "/docs/list": html("List", "both"),
        "/docs/both": html("Both", "deep"),
        "/docs/deep": html("Deep"),
        **{f"/docs/{name}": html(name) for name in plain},
    }
    with Server(routes) as site:
        run = crawl(f"{site.url}/docs/", depth=2)
    assert run.status["/docs/both"] == "saved"
    assert "/docs/deep" not in run.status
    assert run.counts["saved"] == 45


FILTERS = [
    ({"include": ["api/"]}, {"/docs/", "/docs/api/a.html", "/docs/api/b.html"}),
    ({"include": ["*.html$"]}, {"/docs/", "/docs/api/a.html", "/docs/api/b.html", "/docs/zoo.html"}),
    ({"include": ["/docs/guide/"], "exclude": ["*install"]}, {"/docs/", "/docs/guide/"}),
    ({"exclude": ["api/", "guide"]}, {"/docs/", "/docs/zoo.html"}),
]


@pytest.mark.parametrize(("filters", "expected"), FILTERS)
def test_filters_choose_pages(crawl, filters, expected):
    with Server(SITE) as site:
        run = crawl(f"{site.url}/docs/", **filters)
    assert {path for path, status in run.status.items() if status == "saved"} == expected
    with pytest.raises(InvalidArgument, match="outside"):
        Scope("https://a.example/docs/", ["https://b.example/docs/x"])


# What a second run does.


def test_a_killed_run_is_resumed(crawl, tmp_path):
    with Server(SITE) as site:
        crawl(f"{site.url}/docs/", stop_after=6)
        manifest = (tmp_path / "site/manifest.ndjson").read_text()
        recorded = re.findall(r'"url": "[^"]*(/docs/[^"]*)", "status": "saved"', manifest)
        assert 1 < len(recorded) < 6
        assert crawl(f"{site.url}/docs/").counts["saved"] == 6
        assert [site.paths().count(path) for path in recorded] == [1] * len(recorded)  # the start page is in the cache
        whole = texts(tmp_path / "site")
        crawl(f"{site.url}/docs/", path=tmp_path / "other")
    assert {name: without_time(text) for name, text in texts(tmp_path / "other").items()} == {
        name: without_time(text) for name, text in whole.items()
    }


def test_a_resumed_run_knows_the_copies_of_saved_pages(crawl):
    """/docs/a/b/page is saved, then the run is killed. Its copy /docs/a/b/a/page says its own address."""
    routes = {"/docs/": html("Home", "a/b/page"), "/docs/a/b/page": html("Page", "../b/a/page")}
    with Server({**routes, "/docs/a/b/a/page": html("Page", "../b/a/page")}) as site:
        crawl(f"{site.url}/docs/", stop_after=4)
        run = crawl(f"{site.url}/docs/")
    assert run.status["/docs/a/b/page"] == "saved"
    assert run.status["/docs/a/b/a/page"] == "duplicate"


WRONG = [5, "x", [], {}, [1], None, True, ["https://elsewhere.example/"]]
DAMAGED = [
    (line, name, value)
    for line, names in (
        (0, ("run", "base", "options", "is_whole")),
        (4, ("status", "run", "file", "sha256", "depth", "links", "title", "body_sha256", "same_as")),
        (2, ("sitemaps", "links", "run")),
    )
    for name in names
    for value in WRONG
]


@pytest.mark.parametrize("part", range(8))
def test_a_damaged_manifest_is_a_manifest_with_less_in_it(crawl, tmp_path, part):
    with Server({"/docs/": html("Home", "a", "b"), "/docs/a": html("A"), "/docs/b": html("B")}) as site:
        crawl(f"{site.url}/docs/")
        rows = [json.loads(line) for line in (tmp_path / "site/manifest.ndjson").read_text().splitlines()]
        rows[0]["is_whole"] = False
        assert [row.get("status") for row in rows[1:]] == ["saved", "sitemap", "sitemap", "saved", "saved"]
        for number, (line, name, value) in enumerate(DAMAGED[part::8]):
            folder = tmp_path / str(number)
            folder.mkdir()
            damaged = [{**row, **({name: value} if at == line else {})} for at, row in enumerate(rows)]
            (folder / "manifest.ndjson").write_text("".join(json.dumps(row) + "\n" for row in damaged))
            if name == "base" and isinstance(value, str):
                with pytest.raises(InvalidUrl):
                    crawl(f"{site.url}/docs/", path=folder)
                continue
            assert crawl(f"{site.url}/docs/", path=folder).counts["saved"] == 3, (name, value)


def test_a_damaged_copy_whose_page_is_unknown_has_failed(crawl, tmp_path):
    with Server({"/docs/": html("Home", "a"), "/docs/a": html("A")}) as site:
        crawl(f"{site.url}/docs/")
        manifest = tmp_path / "site/manifest.ndjson"
        rows = [json.loads(line) for line in manifest.read_text().splitlines()]
        rows[0]["is_whole"] = False
        rows[-1]["status"] = "duplicate"  # without same_as
        manifest.write_text("".join(json.dumps(row) + "\n" for row in rows))
        run = crawl(f"{site.url}/docs/")
    assert run.status == {"/docs/": "saved", "/docs/a": "failed"}


def test_a_run_that_is_killed_twice_keeps_the_order(crawl, tmp_path):
    chain = {f"/docs/{n}": html(f"Page {n}", f"{n + 1}", "z") for n in range(8)}
    with Server({"/docs/": html("Home", "z", "0"), "/docs/z": html("Z"), **chain}) as site:
        crawl(f"{site.url}/docs/", path=tmp_path / "whole")
        for stop_after in (5, 3, None):
            crawl(f"{site.url}/docs/", stop_after=stop_after)
    assert texts(tmp_path / "site")["index.md"] == texts(tmp_path / "whole")["index.md"]


@pytest.mark.parametrize("stop_after", range(1, 6))
def test_a_resumed_run_reads_the_sitemaps_that_are_left(crawl, stop_after):
    """A sitemap index may be read, but not yet what it names. /s2.xml fails once."""
    with Server({"/docs/": html("Home"), "/docs/1": html("One"), "/docs/2": html("Two")}) as site:
        site.routes["/robots.txt"] = (200, "text/plain", f"Sitemap: {site.url}/index.xml")
        for name, listed in {
            "index": xml(f"{site.url}/more.xml", kind="sitemapindex"),
            "more": xml(f"{site.url}/s1.xml", f"{site.url}/s2.xml", kind="sitemapindex"),
            "s1": xml(f"{site.url}/docs/1"),
        }.items():
            site.routes[f"/{name}.xml"] = (200, "text/xml", listed)
        crawl(f"{site.url}/docs/", stop_after=stop_after)
        site.routes["/s2.xml"] = (200, "text/xml", xml(f"{site.url}/docs/2"))
        run = crawl(f"{site.url}/docs/")
        assert run.status == {"/docs/": "saved", "/docs/1": "saved", "/docs/2": "saved"}
        assert site.paths().count("/index.xml") <= 2


def test_a_refresh_asks_for_the_pages_that_it_has(crawl, tmp_path):
    names = [f"p{n}" for n in range(12)]
    routes = {f"/docs/{name}": html(name) for name in names}
    with Server({"/docs/": html("Home", *names), **routes}) as site:
        crawl(f"{site.url}/docs/", max_pages=6)
        before = set(texts(tmp_path / "site"))
        site.routes["/docs/"] = html("Home", *reversed(names))
        run = crawl(f"{site.url}/docs/", max_pages=6)
        assert (run.counts["changed"], run.counts["saved"], run.counts["left"]) == (1, 6, 7)
        assert set(texts(tmp_path / "site")) == before
        index = texts(tmp_path / "site")["index.md"]
        crawl(f"{site.url}/docs/", max_pages=6)
    assert texts(tmp_path / "site")["index.md"] == index


def test_only_the_same_options_resume_a_run(crawl, tmp_path):
    with Server(SITE) as site:
        crawl(f"{site.url}/docs/", include=["guide"], stop_after=4)
        assert crawl(f"{site.url}/docs/").counts["saved"] == 6
        asked = len(site.paths())
        run = crawl(f"{site.url}/docs/", max_pages=2, mode="full")
        assert (run.counts["saved"], run.counts["left"], run.stopped_by) == (2, 4, "--max-pages is 2")
        assert "More were found" not in texts(tmp_path / "site")["index.md"]
        assert crawl(f"{site.url}/docs/", mode="full").counts["saved"] == 6  # goes on, with a larger --max-pages
        again = [path for path in site.paths()[asked:] if path in SITE]
        assert sorted(again) == sorted([*(path for path in SITE if path[:6] == "/docs/"), "/docs/"])


def without_time(text):
    return re.sub(r"fetched_at: .*", "", text)


@pytest.mark.parametrize("cache", [True, False])
def test_a_refresh_writes_only_what_changed(crawl, tmp_path, cache):
    site_folder = tmp_path / "site"

    def times():
        return {name: (site_folder / name).stat().st_mtime_ns for name in texts(site_folder)}

    def validated(handler):
        if handler.headers.get("If-None-Match") == '"1"':
            return 304, {}, b""
        return html("Zoo", "guide/", ETag='"1"')

    with Server({**SITE, "/docs/zoo.html": validated}) as site:
        crawl(f"{site.url}/docs/", settings={"cache": cache})
        first = times()
        assert crawl(f"{site.url}/docs/", settings={"cache": cache}).counts["changed"] == 0
        assert times() == first
        site.routes["/docs/api/b.html"] = html("B, rewritten", "new.html", "../guide/")
        site.routes["/docs/api/new.html"] = html("New", "b.html")
        del site.routes["/docs/guide/install"]
        (site_folder / "zoo.md").unlink()
        run = crawl(f"{site.url}/docs/", settings={"cache": cache})
        assert run.counts["changed"] == 3
        second = times()
        changed = {name for name in second if second[name] != first.get(name)}
        assert changed == {"api/b.md", "api/new.md", "zoo.md", "index.md"}
        assert run.status["/docs/guide/install"] == "gone"
        assert "- [Install (gone from the site)](guide/install.md)" in texts(site_folder)["index.md"]
        assert "](../guide/index.md)" in texts(site_folder)["api/b.md"]
        site.routes["/docs/guide/install"] = SITE["/docs/guide/install"]
        site.routes["/docs/"] = html("Home", "guide/")  # nothing links to the others now
        run = crawl(f"{site.url}/docs/", settings={"cache": cache})
        assert run.status["/docs/guide/install"] == run.status["/docs/api/new.html"] == "saved"


# Pages of a first run that are copies in the second one.
COPIES = {
    "redirect": ("/docs/old/page", (301, {"Location": "/docs/new"}, b""), "old/page.md"),
    "query": ("/docs/new?view=b", html("New", "deep/other"), "new_view-b.md"),
}


@pytest.mark.parametrize(("path", "copy", "name"), COPIES.values(), ids=list(COPIES))
@pytest.mark.parametrize("is_killed", [False, True])
def test_the_file_of_a_page_that_became_a_copy_is_removed(crawl, tmp_path, path, copy, name, is_killed):
    pages = {
        "/docs/": html("Home", path, "new", "deep/other"),
        "/docs/new": html("New", "deep/other"),
        "/docs/deep/other": html("Other", path, f"{path}#part"),
        path: html("Another"),
    }
    with Server({"*": lambda request: pages.get(request.path, (404, {}, b""))}) as site:
        start, folder = f"{site.url}/docs/", tmp_path / "site"
        crawl(start)
        assert f"](../{name})" in texts(folder)["deep/other.md"]
        pages[path] = copy
        if is_killed:
            crawl(start, stop_after=6)  # all rows: two of them are of sitemaps
            assert name in texts(folder)
        run = crawl(start)
        assert run.status[path] == "duplicate"
        saved = texts(folder)
        assert set(saved) == {"index.md", "home.md", "new.md", "deep/other.md"}
        assert not (folder / "old").exists()
        assert "](../new.md)" in saved["deep/other.md"]
        assert "](../new.md#part)" in saved["deep/other.md"]
        assert name not in "".join(saved.values())
        assert crawl(start).counts["changed"] == 0
        assert texts(folder) == saved
        pages[path] = html("Another")  # a page of its own again
        crawl(start)
        assert f"]({name})" in texts(folder)["index.md"]


def test_a_page_that_fails_once_keeps_its_file(crawl, tmp_path):
    with Server(SITE) as site:
        crawl(f"{site.url}/docs/")
        before = texts(tmp_path / "site")["zoo.md"]
        site.routes["/docs/zoo.html"] = (503, {}, b"")
        run = crawl(f"{site.url}/docs/")
        assert run.status["/docs/zoo.html"] == "failed"
        assert texts(tmp_path / "site")["zoo.md"] == before
        assert "[Zoo](zoo.md)" in texts(tmp_path / "site")["index.md"]


# Politeness.


def test_robots_and_signals_are_heeded(crawl, tmp_path):
    with Server(
        {
            "/robots.txt": (200, "text/plain", "User-agent: *\nDisallow: /docs/private/\nCrawl-delay: 0.2"),
            "/docs/": html("Home", "private/a", "no", "open", 'edit" rel="nofollow'),
            "/docs/no": html("No", "hidden", **{"Content-Signal": f"search=yes, {'x=y, ' * 50}ai-input=no"}),
            "/docs/open": html("Open"),
        }
    ) as site:  # fmt: skip
        run = crawl(f"{site.url}/docs/")
        times = [
            at for (path, _), at in zip(site.asked, site.asked_at) if path.startswith("/docs/") and "map" not in path
        ]
        asked = site.paths()
        assert run.status == {
            "/docs/": "saved",
            "/docs/private/a": "skipped",
            "/docs/no": "skipped",
            "/docs/open": "saved",
        }
        assert not {"/docs/private/a", "/docs/edit", "/docs/hidden"} & set(asked)
        assert min(later - earlier for earlier, later in zip(times, times[1:])) >= 0.19
        site.routes["/robots.txt"] = (200, "text/plain", "User-agent: *\nDisallow: /")
    with Server({"/robots.txt": (200, "text/plain", "User-agent: *\nDisallow: /"), **SITE}) as site:
        with pytest.raises(RobotsDisallowed):
            crawl(f"{site.url}/docs/", path=tmp_path / "none")
        assert site.paths() == []


def test_a_host_that_asks_for_an_hour_ends_the_run(crawl):
    busy = (429, {"Retry-After": "3600"}, b"")
    with Server({"/docs/": html("Home", *map(str, range(100))), "/docs/1": busy, "/docs/0": html("0")}) as site:
        run = crawl(f"{site.url}/docs/", manners=Manners(per_host=1, max_wait=5.0))
        assert "/docs/99" not in site.paths()
    assert run.counts["left"] > 30
    assert run.stopped_by


@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_answers_a_sitemap_so_ends_the_run_too(crawl, status):
    busy = (status, {"Retry-After": "3600"}, b"")
    with Server({"/docs/": html("Home", "1"), "/docs/1": html("One"), "/docs/sitemap.xml": busy}) as site:
        run = crawl(f"{site.url}/docs/", manners=Manners(per_host=1, max_wait=5.0))
        assert "/docs/1" not in site.paths()
        assert run.rows_by_path["/docs/sitemap.xml"]["error_code"] == "HTTP_ERROR"
        assert run.stopped_by
        site.routes["/docs/sitemap.xml"] = (404, {}, b"")
        assert crawl(f"{site.url}/docs/").status == {"/docs/": "saved", "/docs/1": "saved"}


def test_no_further_sitemap_is_read_after_a_host_has_ended_the_run(crawl):
    robots = "".join(f"Sitemap: /docs/{number}.xml\n" for number in range(40))
    busy = (429, {"Retry-After": "3600"}, b"")
    routes = {"/robots.txt": (200, "text/plain", robots), "/docs/": html("Home"), "/docs/0.xml": busy}
    with Server(routes) as site:
        run = crawl(f"{site.url}/docs/", manners=Manners(per_host=1, max_wait=5.0))
        assert run.stopped_by
        assert "/docs/31.xml" in run.rows_by_path  # was waiting for its turn
        assert "/docs/39.xml" not in run.rows_by_path


def test_the_start_page_gives_the_index_its_heading_even_if_it_is_listed_late(crawl, tmp_path):
    with Server({"/docs/": html("Kettles", "a"), "/docs/a": html("Spouts")}) as site:
        crawl(f"{site.url}/docs/?lang=en")
    assert texts(tmp_path / "site")["index.md"].startswith("# Kettles\n")


# Traps.


def test_calendars_and_endless_queries_end(crawl):
    def month(handler):
        year, number = map(int, handler.path.split("/")[3:5])
        near = (divmod(year * 12 + number, 12), divmod(year * 12 + number - 2, 12))
        return html(f"Month {year}-{number}", *(f"/docs/cal/{year}/{month + 1:02}" for year, month in near))

    def listed(handler):
        number = int(handler.path.partition("=")[2] or 0)
        return html(f"List {number}", f"?n={number + 1}", "./real")

    def any_page(handler):
        if handler.path.startswith("/docs/cal/"):
            return month(handler)
        if handler.path.startswith("/docs/list"):
            return listed(handler)
        return 404, {}, b""

    plain = {f"/docs/p{n}": html(f"P{n}", f"p{n + 1}") for n in range(30)}
    with Server({"/docs/": html("Home", "cal/2026/05", "list", "p0"), **plain, "*": any_page}) as site:
        run = crawl(f"{site.url}/docs/", max_pages=150)
    assert run.stopped_by == ""
    assert all(run.status[path] == "saved" for path in plain)
    assert 31 < run.counts["saved"] < 100
    assert run.endless


def test_addresses_in_memory_are_bounded(crawl, monkeypatch):
    """Each page has five hundred new links, and only some of all are remembered."""
    monkeypatch.setattr(scope, "_MAX_KNOWN", 25_000)

    def page_of_links(handler):
        return html("Links", *(f"{handler.path[6:]}x{n}" for n in range(500)))

    with Server({"/docs/": html("Home", "0", "1"), "*": page_of_links}) as site:
        run = crawl(f"{site.url}/docs/", max_pages=8)
    assert run.counts["saved"] == 8
    assert run.endless > 2500
    assert sum(len("".join(row.get("links", ()))) for row in run.rows_by_path.values()) < 27_500


def test_addresses_that_a_resumed_run_knows_from_its_manifest_are_bounded(monkeypatch):
    monkeypatch.setattr(scope, "_MAX_KNOWN", 10_000)
    frontier = scope.Frontier(Scope("https://h.example/docs/"), None)
    frontier.skip("https://h.example/docs/")
    followed = frontier.follow("https://h.example/docs/", [f"https://h.example/docs/{n}" for n in range(2000)])
    assert len("".join(followed)) < 10_100
    assert frontier.endless == 2000 - len(followed)


def test_the_links_of_a_page_are_bounded():
    body = "<base href='/%s/'>" % ("b" * 1900) + "".join(f"<a href={n}>" for n in range(9000))
    assert len("".join(site_pages.links_of(body.encode(), "text/html", "https://h.example/a/", ""))) < 3 << 20
    body = "<base href='/%s/'>" % ("b" * 1_000_000) + "".join(f"<a href={n}>" for n in range(9000))
    assert site_pages.links_of(body.encode(), "text/html", "https://h.example/a/", "") == []


def test_session_ids_and_copies_are_saved_once(crawl):
    number = iter(range(1000))

    def visited(title, *links):
        def route(_handler):
            sid = f"{next(number):032x}"
            return html(
                title,
                *(
                    f"{link};jsessionid={sid}" if n % 2 else f"{link}?PHPSESSID={sid}&utm_source=x"
                    for n, link in enumerate(links)
                ),
            )

        return route

    with Server(
        {
            "/docs/": visited("Home", "a", "b"),
            "/docs/a": visited("A", "b", "./", "a"),
            "/docs/b": visited("B", "a", "b", "./"),
        }
    ) as site:
        run = crawl(f"{site.url}/docs/")
        assert sorted(path for path in site.paths() if "map" not in path) == ["/docs/", "/docs/a", "/docs/b"]
    assert run.counts["saved"] == 3


# (addresses, number of pages that are saved for them). All have one text.
FORMS = [
    (("a", "a/"), 1), (("a", "a.html"), 1), (("a/", "a.html", "a", "a/index.html"), 1), (("a/b", "a/b/"), 1),
    (("a_(b)", "a_%28b%29", "%61_(b)"), 1), (("caf%C3%A9", "caf%c3%a9.html"), 1), (("a%2520b", "a%20b"), 2),
    (("a", "b"), 2), (("a", "a.htm5"), 2), (("a", "x/a/"), 2), (("a.html", "b/"), 2), (("a.md", "a.html"), 2),
]  # fmt: skip


@pytest.mark.parametrize(("addresses", "saved"), FORMS, ids=[" ".join(row[0]) for row in FORMS])
def test_a_page_at_several_forms_of_its_address_is_saved_once(crawl, addresses, saved):
    routes = {f"/docs/{address}": html("One", "/docs/") for address in addresses}
    with Server({"/docs/": html("Home", *addresses), **routes}) as site:
        run = crawl(f"{site.url}/docs/")
    assert (run.counts["saved"], run.counts["duplicate"]) == (saved + 1, len(addresses) - saved)


@pytest.mark.parametrize("start", ["/docs", "/docs/"])
def test_pages_at_such_forms_that_differ_are_saved_each(crawl, start):
    routes = {"/docs/a": html("A"), "/docs/a/": html("B"), "/docs/a.html": html("C")}
    home = html("Home", *routes, "/docs/")
    with Server({"/docs": home, "/docs/": home, **routes}) as site:
        assert crawl(f"{site.url}{start}").counts["saved"] == 4


def test_pages_that_differ_in_a_secret_parameter_are_saved_each(crawl, tmp_path):
    """Addresses are shown without such values, but the whole address identifies and requests a page."""

    def shown(handler):
        return html(f"About {handler.path.partition('=')[2]}")

    with Server({"/docs/": html("Home", "p?key=install", "p?key=remove"), "*": shown}) as site:
        assert crawl(f"{site.url}/docs/").counts["saved"] == 3
        assert crawl(f"{site.url}/docs/").counts["changed"] == 0
        assert {path for path in site.paths() if "/p" in path} == {"/docs/p?key=install", "/docs/p?key=remove"}
    assert "# About remove" in texts(tmp_path / "site")["p_key-remove.md"]


def test_no_token_of_an_address_is_written(crawl, tmp_path):
    token = "eyJhbGciOiJIUzI1NiJ9.e30"
    with Server({"/docs/": html("Home", f"a?token={token}"), "/docs/a": html("A", "b")}) as site:
        for _ in range(2):
            assert crawl(f"{site.url}/docs/?key={token}").status["/docs/a"] == "saved"
    assert token not in (tmp_path / "site/manifest.ndjson").read_text()


def test_a_sitemap_may_be_utf_16():
    assert site_pages.addresses_in(xml("https://a.example/9").encode("utf-16")) == (["https://a.example/9"], False)


def test_copies_under_longer_and_longer_paths_end(crawl):
    routes = {"page": html("Page", "x/page", "y/page", "./"), "": html("Folder", "page", "x/", "y/")}
    with Server({"*": lambda handler: routes.get(handler.path.rpartition("/")[2], (404, {}, b""))}) as site:
        run = crawl(f"{site.url}/docs/", max_pages=100)
        assert len(site.asked) < 200
    assert run.stopped_by == ""
    assert run.counts["saved"] <= 8


def test_redirects_stay_in_the_folder(crawl):
    with Server({"/away": html("Away")}) as other, Server(SITE) as site:
        site.routes.update(
            {
                "/docs/": html("Home", "loop1", "out", "away", "in", "in2", "guide/", "canon"),
                "/docs/loop1": (302, {"Location": "loop2"}, b""),
                "/docs/loop2": (302, {"Location": "loop1"}, b""),
                "/docs/out": (302, {"Location": "/other/"}, b""),
                "/docs/away": (302, {"Location": f"{other.url}/away"}, b""),
                "/docs/in": (301, {"Location": "guide/"}, b""),
                "/docs/in2": (301, {"Location": "zoo.html"}, b""),
                "/docs/canon": html("Canon", head=f'<link rel="canonical" href="{other.url}/away">'),
            }
        )
        run = crawl(f"{site.url}/docs/")
        assert other.asked == []
        assert "/other/" not in site.paths()
        assert run.status["/docs/loop1"] == "failed"
        assert run.status["/docs/out"] == run.status["/docs/away"] == "skipped"
        assert run.rows_by_path["/docs/in"]["same_as"] == f"{site.url}/docs/guide/"
        assert run.status["/docs/zoo.html"] == run.status["/docs/canon"] == "saved"
        assert "](guide/index.md)" in texts_of(run)["home.md"]
        assert f"in]({site.url}" not in texts_of(run)["home.md"]


def test_a_page_that_moved_keeps_its_file_until_its_new_place_is_saved(crawl, tmp_path):
    """The second run ends before it opens /docs/b."""
    with Server({"/docs/": html("Home", "a", "c"), "/docs/a": html("The letter A"), "/docs/c": html("C", "a")}) as site:
        crawl(f"{site.url}/docs/")
        site.routes.update(
            {"/docs/": html("Home", "b"), "/docs/a": (301, {"Location": "b"}, b""), "/docs/b": html("B")}
        )
        run = crawl(f"{site.url}/docs/", max_pages=2)
        assert run.status == {"/docs/": "saved", "/docs/a": "left", "/docs/c": "saved"}
        saved = texts(tmp_path / "site")
        assert "[The letter A](a.md)" in saved["index.md"]
        assert "](a.md)" in saved["c.md"]
        run = crawl(f"{site.url}/docs/")
    assert run.status == {"/docs/": "saved", "/docs/a": "duplicate", "/docs/c": "saved", "/docs/b": "saved"}
    assert run.rows_by_path["/docs/a"].keys() == {"url", "status", "run", "same_as"}
    saved = texts(tmp_path / "site")
    assert set(saved) == {"index.md", "home.md", "b.md", "c.md"}
    assert "](b.md)" in saved["c.md"]


def test_a_page_that_moved_keeps_its_file_while_its_new_place_fails(crawl, tmp_path):
    answers = iter([html("B"), (500, {}, b"")])
    with Server({"/docs/": html("Home", "a", "c"), "/docs/a": html("A"), "/docs/c": html("C", "a")}) as site:
        crawl(f"{site.url}/docs/")
        moved = {"/docs/a": (301, {"Location": "b"}, b""), "/docs/b": lambda _: next(answers)}
        site.routes.update({"/docs/": html("Home", "b"), **moved})
        run = crawl(f"{site.url}/docs/")
    assert run.status == {"/docs/": "saved", "/docs/a": "failed", "/docs/c": "saved", "/docs/b": "failed"}
    row = run.rows_by_path["/docs/a"]
    assert (row["error_code"], row["error"]) == ("HTTP_ERROR", f"it leads to {site.url}/docs/b, which is not saved")
    assert (run.counts["left"], run.counts["failed"]) == (0, 2)
    assert "](a.md)" in texts(tmp_path / "site")["index.md"]


def texts_of(run):
    import pathlib

    return texts(pathlib.Path(run._folder.path))


def test_a_start_page_must_be_there_and_in_its_folder(crawl, tmp_path):
    with Server({"/docs/": (302, {"Location": "/other/"}, b""), "/other/": html("Other")}) as site:
        with pytest.raises(InvalidUrl, match="outside of its folder"):
            crawl(f"{site.url}/docs/")
        with pytest.raises(HttpError):
            crawl(f"{site.url}/none/")  # the same folder: nothing was saved there
        assert crawl(f"{site.url}/other/").counts["saved"] == 1


KEYS = [
    ("https://h.example/docs/a#b", "https://h.example/docs/a"),
    ("a?utm_source=x&b=1", "https://h.example/docs/a?b=1"),
    ("a;jsessionid=0A?b", "https://h.example/docs/a?b"),
    ("http://h.example/docs/a", "https://h.example/docs/a"),
    ("https://h.example:8443/docs/a", ""),
    ("https://u:p@h.example/docs/a", ""),
    ("https://x.example/docs/a", ""),
    ("/docs", "https://h.example/docs"),
    ("/docsy", ""),
    ("../", ""),
    ("x/../../docs/a", "https://h.example/docs/a"),
    ("mailto:a@h.example", ""),
    ("javascript:void(0)", ""),
    ("http://[", ""),
    ("a/b/a/b/c", "https://h.example/docs/a/b/a/b/c"),
    ("a/b/a/b/a/b/c", ""),
    ("x/x/x/", ""),
    ("////", ""),
    ("a?x=1&x=1", "https://h.example/docs/a?x=1&x=1"),
    ("a?x=1&x=1&x=1", ""),
    ("a" * 3000, ""),
    ("é" * 900, ""),
    ("?session=2", "https://h.example/docs/?session=2"),
    ("?session=0123456789abcdef01", "https://h.example/docs/"),
    ("?topic=3&sid=d41d8cd98f00b204e9800998ecf8427e", "https://h.example/docs/?topic=3"),
    ("?osCsid=d41d8cd98f00b204e9800998ecf8427e&zenid=x1", "https://h.example/docs/"),
    ("?access_token=eyJhbGciOiJIUzI1NiJ9.e30.x&b=1&_ga=2.1", "https://h.example/docs/?b=1"),
    ("?key=introduction", "https://h.example/docs/?key=introduction"),
    ("(S(lit3py55t21z5v55vlm25s55))/a.aspx", "https://h.example/docs/a.aspx"),
    ("f(S(x))/a", "https://h.example/docs/f(S(x))/a"),
]


@pytest.mark.parametrize(("reference", "key"), KEYS)
def test_each_page_has_one_key(reference, key):
    start = "https://h.example/docs/"
    assert Scope(start).key(urls.join_or_empty(urls.parse(start), reference)) == key


def test_links_of_markdown_and_of_html_are_found():
    body = b"""<base href="/b/"><a href="x#y">1</a><area href=" z "><a rel="external nofollow" href=n>2</a>
        <iframe src=f></iframe><a href="mailto:m">3</a>"""
    assert site_pages.links_of(body, "text/html", "https://h.example/a/", "") == [
        f"https://h.example/b/{name}" for name in "xzf"
    ]
    text = '[a](one.md#x) <https://h.example/two> [b](<three> "t") ![p](four.png)'
    found = site_pages.links_of(b"", None, "https://h.example/d/", text)
    assert found[:3] == ["https://h.example/d/one.md", "https://h.example/two", "https://h.example/d/three"]


def test_markdown_alternates_do_not_hide_the_navigation(crawl, tmp_path):
    nav = '<nav><a href="b">B</a></nav>'
    with Server(
        {
            "/docs/": html("Home", head='<link rel="alternate" type="text/markdown" href="home.txt.md">' + nav),
            "/docs/home.txt.md": (200, "text/markdown", f"# Home\n\n{WORDS} [other](b#x) and [out](../o)\n"),
            "/docs/b": html("B"),
        }
    ) as site:
        run = crawl(f"{site.url}/docs/")
    assert run.counts["saved"] == 2
    home = texts(tmp_path / "site")["home.md"]
    assert "[other](b.md#x)" in home
    assert f"[out]({site.url}/o)" in home


def test_a_link_to_a_start_page_without_a_slash_becomes_relative(crawl, tmp_path):
    with Server({"/docs": html("Home", "/docs/a"), "/docs/a": html("A", "/docs")}) as site:
        crawl(f"{site.url}/docs")
    assert "](../docs" not in texts(tmp_path / "site")["a.md"]
    assert "](home.md)" in texts(tmp_path / "site")["a.md"]
