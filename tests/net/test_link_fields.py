"""The Link header field; RFC 8288 section 3."""

import pytest

from webtool.net import link_fields
from webtool.net.messages import Headers, Response


def answer(fields, url="https://a.example/"):
    return Response(url, 200, "OK", Headers(fields), b"")


FIELDS = [
    ('<page.md>; rel="alternate"; type="text/markdown"', "https://a.example/x/page.md"),
    ("</p.md>;rel=alternate;type=text/markdown", "https://a.example/p.md"),
    ('</p.md>; type="text/markdown; charset=utf-8"; title="a, <b>; \\"c\\""; rel="next alternate"', "https://a.example/p.md"),
    ('</feed>; rel="alternate"; type="application/rss+xml", </p.md>; REL=Alternate; Type=Text/Markdown', "https://a.example/p.md"),
    ('</a,b.md>; rel=alternate; type="text/markdown"', "https://a.example/a,b.md"),
    ('</p.md>; rel=alternate; rel=next; type="text/markdown"', "https://a.example/p.md"),
    ('</p.md>; rel=next; rel=alternate; type="text/markdown"', None),
    ('</p.md>; rel=alternate; type="text/markdown"; anchor="#part"', None),
    ("</p.md>; rel=alternate", None),
    ("/p.md; rel=alternate; type=text/markdown", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("value", "found"), FIELDS)
def test_the_markdown_alternate_is_found(value, found):
    response = answer([("Link", value)], "https://a.example/x/page")
    assert link_fields.alternate(response, "text/markdown") == found


def test_several_fields_are_one_list_and_a_hostile_one_is_quick():
    fields = [("Link", "</o>; rel=next"), ("link", "</p.md>; rel=alternate; type=text/markdown")]
    assert link_fields.alternate(answer(fields), "text/markdown")
    for value in ("<a>" + ";x=" * 8000, "<a>" + '; t="\\' * 4000, "<" * 20000, "<a>" + " ;" * 9000):
        assert link_fields.alternate(answer([("Link", value)]), "x/y") is None
