# ruff: noqa: E501 (cases read best on one line)
"""Feeds, sitemaps and outlines as lists of links."""

import gzip

import pytest
from documents.writers import mutated, outcome
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert, kind_of
from webtool.documents.feeds import iso_date
from webtool.errors import ExtractFailed, FetchTooLarge, UnsupportedContent

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:g="urn:other"
  xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>News &amp; more</title><link>https://n.example/</link><description>All of it</description>
<item><title>First &lt;i&gt;story&lt;/i&gt;</title><link>https://n.example/1</link><g:title>not this</g:title>
<pubDate>Tue, 06 May 2025 12:00:00 GMT</pubDate><dc:creator>Ann</dc:creator>
<description><![CDATA[<p>One&nbsp;paragraph.</p><p>Another.</p>]]></description></item>
<item><title>Second</title><guid>https://n.example/2</guid><content:encoded>&lt;p&gt;Body&lt;/p&gt;</content:encoded></item>
<item><title>No link</title><guid isPermaLink="false">https://n.example/3</guid></item>
</channel></rss>"""
RSS_MARKDOWN = """# News & more

All of it

- [First story](https://n.example/1) (2025-05-06, Ann): One paragraph. Another.
- [Second](https://n.example/2): Body
- No link
"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><subtitle>Notes</subtitle>
<link rel="self" href="https://l.example/feed"/>
<entry><title type="html">A &amp;amp; B</title><link rel="enclosure" href="https://l.example/a.mp3"/>
<link href="/a"/><updated>2025-01-02T03:04:05Z</updated><author><name>Bo</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Hello <b>you</b></p><p>One<br/>more</p></div></content></entry>
<entry><title>By its id</title><id>https://l.example/b</id><link rel="edit" href="/edit"/></entry></feed>"""
ATOM_MARKDOWN = """# Log

Notes

- [A & B](https://l.example/a) (2025-01-02, Bo): Hello you One more
- [By its id](https://l.example/b)
"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://r.example/"><title>Old</title></channel>
<item rdf:about="https://r.example/1"><title>Item</title><dc:date>2001-02-03</dc:date></item></rdf:RDF>"""

JSON_FEED = """{"version": "https://jsonfeed.org/version/1.1", "title": "J", "items": [
 {"id": "1", "url": "https://j.example/1", "title": "One", "content_html": "<p>Hi</p>", "date_published": "2025-03-04T00:00:00Z",
  "authors": [{"name": "Cy"}]}, {"id": "2", "content_text": "Only text"}, 7]}"""

FEEDS = [
    (RSS, RSS_MARKDOWN),
    (ATOM, ATOM_MARKDOWN),
    (RDF, "# Old\n\n- [Item](https://r.example/1) (2001-02-03)\n"),
    (JSON_FEED, "# J\n\n- [One](https://j.example/1) (2025-03-04, Cy): Hi\n- Untitled: Only text\n"),
    # Not well-formed: a bare ampersand, an unclosed tag, a document that is cut off.
    (RSS.replace("&amp; more", "& more"), RSS_MARKDOWN),
    (RSS.partition("<item><title>No link")[0], RSS_MARKDOWN.replace("- No link\n", "")),
]


@pytest.mark.parametrize(("text", "markdown"), FEEDS)
def test_a_feed_becomes_a_list_of_links(text, markdown):
    assert kind_of(text.encode(), "text/html" if "<" in text else "application/json") == "feed"
    document = convert(text.encode(), "feed", None, "https://l.example/feed")
    assert document.markdown == markdown
    assert f"# {document.title}\n" in markdown


RSS_ITEM = "<rss><channel><item>{}</item></channel></rss>"
ENTRY = "<feed xmlns='http://www.w3.org/2005/Atom'><entry>{}</entry></feed>"
JSON_ITEM = '{{"version": "https://jsonfeed.org/version/1.1", "items": [{}]}}'
FIELDS = [
    (RSS_ITEM.format("<title>T</title><author>ada@e.example (Ada L.)</author>"), "T (Ada L.)"),
    (RSS_ITEM.format("<title>T</title><author>ada@e.example</author>"), "T (ada@e.example)"),
    (RSS_ITEM.format("<title>T</title><author>ada@e.example ()</author>"), "T (ada@e.example)"),
    (RSS_ITEM.format("<title>T</title><author>Ada (she)</author>"), "T (Ada (she))"),
    (RSS_ITEM.format("<title>T</title><author/><dc:creator>A</dc:creator><dc:creator>B</dc:creator>"), "T (A, B)"),
    (
        ENTRY.format(
            "<title>T</title><author><name>A</name><email>a@e</email></author><author><name>B</name></author>"
        ),
        "T (A, B)",
    ),
    (
        ENTRY.format(
            "<title>T</title>" + "".join(f"<author><name>{name}</name></author>" for name in "ABCDEFGHIJKLMNA")
        ),
        f"T ({', '.join('ABCDEFGHIJ')} and 4 more)",
    ),
    (ENTRY.format("<title type='text'>The &lt;b> &amp;amp; tag</title>"), "The \\<b> \\&amp; tag"),
    (ENTRY.format("<title>The &lt;b>bold&lt;/b> tag</title>"), "The bold tag"),
    (JSON_ITEM.format('{"title": "T", "authors": [{"name": "A"}, {"name": "B"}, {}, 5]}'), "T (A, B)"),
    (JSON_ITEM.format('{"title": "T", "author": {"name": "A"}}'), "T (A)"),
    (JSON_ITEM.format('{"title": "T", "id": "https://e.example/1"}'), "[T](https://e.example/1)"),
    (JSON_ITEM.format('{"title": "T", "id": "1"}'), "T"),
]


@pytest.mark.parametrize(("feed", "line"), FIELDS)
def test_an_entry_names_its_authors_and_its_page(feed, line):
    assert convert(feed.encode(), "feed").markdown == f"- {line}\n"


def test_long_summaries_are_shortened_at_a_word():
    text = f"<rss><channel><item><title>T</title><description>{'word ' * 200}</description></item></channel></rss>"
    line = convert(text.encode(), "feed").markdown
    assert line.endswith(" word…\n")
    assert len(line) < 520


DATES = [
    ("Tue, 06 May 2025 12:00:00 GMT", "2025-05-06"),
    ("6 May 25 12:00 +0200", "2025-05-06"),
    ("1 January 1999", "1999-01-01"),
    ("2025-05-06T12:00:00+02:00", "2025-05-06"),
    ("yesterday", "yesterday"),
    # Forms that feedparser reads, too, and how Drupal writes dates.
    ("May 2, 2024", "2024-05-02"),
    ("Sept. 2nd, 2024", "2024-09-02"),
    ("Thursday, May 2, 2024 - 10:00", "2024-05-02"),
    ("Thu May  2 10:00:00 2024", "2024-05-02"),
    ("Sun Jan 4 16:29:06 UTC 2004", "2004-01-04"),
    ("Mon,02 May 2024 10:00", "2024-05-02"),
    ("2nd May, 2024", "2024-05-02"),
    ("Thu, 02-May-2024 19:48:21 GMT", "2024-05-02"),
    ("2024/05/02 10:00", "2024-05-02"),
    # Others stay: they have no day, may be read in two ways, or have a month in another language.
    ("May 2024", "May 2024"),
    ("2024-05", "2024-05"),
    ("05/02/2024", "05/02/2024"),
    ("Do, 02 Mai 2024", "Do, 02 Mai 2024"),
    ("2024-05-021", "2024-05-021"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "date"), DATES)
def test_dates_become_iso_8601(text, date):
    assert iso_date(text) == date


BOMB = """<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<rss><channel><title>&b;</title></channel></rss>"""


@pytest.mark.parametrize(("kind", "text"), [("feed", BOMB), ("sitemap", BOMB), ("opml", BOMB)])
def test_declared_entities_are_refused(kind, text):
    with pytest.raises(ExtractFailed, match="the entity a is declared"):
        convert(text.encode(), kind)


SITEMAP = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc> https://a.example/x y </loc>
<lastmod>2025-01-02T00:00:00Z</lastmod></url><url><loc>https://a.example/?a=1&amp;b=2</loc></url><url/></urlset>"""
SITEMAP_MARKDOWN = """# Sitemap: 3 pages

- <https://a.example/x%20y> (2025-01-02)
- <https://a.example/?a=1&b=2>
"""
INDEX = "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>"
OPML = """<opml version="2.0"><head><title>Reading</title></head><body><outline text="Tech">
<outline text="A" xmlUrl="https://a.example/f" htmlUrl="https://a.example/"/></outline><outline title="B"/></body></opml>"""
OPML_MARKDOWN = """# Reading

- Tech
  - [A](https://a.example/) ([feed](https://a.example/f))
- B
"""


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (SITEMAP, SITEMAP_MARKDOWN),
        (INDEX, "# Sitemap index: 1 sitemap\n\n- <https://a.example/1.xml>\n"),
        (OPML, OPML_MARKDOWN),
    ],
)
def test_sitemaps_and_outlines_become_lists_of_links(text, markdown):
    kind = kind_of(text.encode(), "application/xml")
    assert convert(text.encode(), kind).markdown == markdown


def test_compressed_sitemap_is_read():
    body = gzip.compress(SITEMAP.encode())
    document = convert(body, kind_of(body), "application/x-gzip", "https://a.example/sitemap.xml.gz")
    assert (document.kind, document.markdown) == ("sitemap", SITEMAP_MARKDOWN)
    half = len(SITEMAP) // 2
    members = gzip.compress(SITEMAP[:half].encode()) + gzip.compress(SITEMAP[half:].encode())  # as cat a.gz b.gz
    assert convert(members, "gzip", None, "https://a.example/sitemap.xml.gz").markdown == document.markdown


def test_compressed_archive_is_unsupported():
    body = gzip.compress(b"\x7fELF" + bytes(100))
    with pytest.raises(UnsupportedContent, match="application/gzip"):
        convert(body, "gzip")


def test_compression_bomb_is_refused():
    body = gzip.compress(bytes(65 * 1024 * 1024))
    with pytest.raises(FetchTooLarge, match="would make more than"):
        convert(body, "gzip")


@given(st.data())
def test_mutated_feeds_only_fail_with_a_code(data):
    body = mutated(data, data.draw(st.sampled_from([RSS, ATOM, RDF, JSON_FEED, SITEMAP, OPML])).encode())
    for kind in ("feed", "sitemap", "opml"):
        assert outcome(body, kind)[0] in ("", "EXTRACT_FAILED", "UNSUPPORTED_CONTENT")


# Feeds as sites write them: xml:base, scripts in descriptions, "<" that is not a tag, media groups, no link.
BASED = """<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://b.example/dir/"><a:title>B</a:title>
<a:entry xml:base="sub/"><a:title>Rel</a:title><a:link href="page.html"/>
<a:summary type="html">&lt;script&gt;alert(1)&lt;/script&gt;Safe &lt;style&gt;p{}&lt;/style&gt;text</a:summary></a:entry>
<a:entry><a:title>x &lt; y, a&amp;lt;b</a:title><a:link href="javascript:alert(1)"/></a:entry></a:feed>"""
PODCAST = """<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>P</title>
<item><title>Sound</title><enclosure url="https://p.example/a.mp3"/></item>
<item><title>Film</title><link>https://p.example/f</link><media:group><media:description>What it shows.</media:description>
</media:group></item></channel></rss>"""
REAL = [
    (BASED, "# B\n\n- [Rel](https://b.example/dir/sub/page.html): Safe text\n- x < y, a\\<b\n"),
    (PODCAST, "# P\n\n- [Sound](https://p.example/a.mp3)\n- [Film](https://p.example/f): What it shows.\n"),
]


@pytest.mark.parametrize(("text", "markdown"), REAL)
def test_irregular_feeds_are_read(text, markdown):
    assert convert(text.encode(), "feed", None, "https://l.example/feed").markdown == markdown


def test_feeds_in_utf16_are_recognised():
    body = RSS.replace("utf-8", "utf-16").encode("utf-16")
    assert kind_of(body, "application/xml") == kind_of(body) == "feed"
    assert convert(body, "feed").markdown == RSS_MARKDOWN


BROKEN_LINKS = [
    (
        "sitemap",
        "<urlset><url><loc>https://a.example/?a=1&b=2</loc></url><url><loc>/rel</loc>",
        "# Sitemap: 2 pages\n\n- <https://a.example/?a=1&b=2>\n- <https://s.example/rel>\n",
    ),
    ("opml", "<opml><body><outline text='a & b'><outline text='c'/></body>", "- a & b\n  - c\n"),
    (
        "sitemap",
        "<urlset xmlns:n='http://www.google.com/schemas/sitemap-news/0.9'><url><loc>https://a.example/</loc>"
        "<n:news><n:title>What *happened*</n:title></n:news></url></urlset>",
        "# Sitemap: 1 page\n\n- <https://a.example/>: What *happened\\*\n",
    ),
]


@pytest.mark.parametrize(("kind", "text", "markdown"), BROKEN_LINKS)
def test_sitemaps_and_outlines_that_are_not_well_formed_are_read(kind, text, markdown):
    assert convert(text.encode(), kind, None, "https://s.example/x/map.xml").markdown == markdown
