"""Emails and saved pages: headers, the HTML of alternatives, the names of attachments."""

import time

import pytest
from documents.writers import outcome
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert, kind_of

PLAIN = b"""From: =?utf-8?q?J=C3=BCrgen?= <j@x.example>\r
To: a@x.example\r
Subject: =?utf-8?b?R3LDvMOfZQ==?=\r
Date: Mon, 2 Mar 2026 10:00:00 +0100\r
Content-Type: text/plain; charset=iso-8859-1\r
Content-Transfer-Encoding: quoted-printable\r
\r
Gr=FC=DFe aus\r
K=F6ln\r
"""
HEADER = "# Grüße\n\n- From: Jürgen \\<j@x.example>\n- To: a@x.example\n- Date: Mon, 2 Mar 2026 10:00:00 +0100\n\n"
MIXED = b"""Subject: Two
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain

the plain form
--a
Content-Type: text/html; charset=utf-8

<p>The <b>rich</b> form</p><p style="display:none">unseen</p>
--a--
--m
Content-Type: application/pdf; name="r.pdf"
Content-Disposition: attachment; filename="report.pdf"

xx
--m--
"""
SAVED = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://x.example/dir/page
Subject: A page
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable
Content-Location: https://x.example/dir/page

<title>A page</title><h1>Head</h1><a href=3D"other">on</a>
--b
Content-Type: image/png
Content-Location: https://x.example/a.png

xx
--b--
"""
MAILS = [
    (PLAIN, "Grüße", HEADER + "Grüße aus\nKöln\n"),
    (MIXED, "Two", "# Two\n\nThe **rich** form\n\nAttached:\n\n- report.pdf\n"),
    (SAVED, "A page", "# Head\n\n[on](https://x.example/dir/other)\n"),
    (b"Subject: =?x-none?b?!?=\nContent-Type: text/plain; charset=none\n\nbody\n", "=?x-none?b?!?=", None),
]


@pytest.mark.parametrize(("body", "title", "markdown"), MAILS)
def test_an_email_becomes_headers_text_and_attachments(body, title, markdown):
    document = convert(body, kind_of(body, "message/rfc822"))
    assert (document.kind, document.title) == ("mail", title)
    assert markdown is None or document.markdown == markdown


def test_links_of_a_saved_page_are_resolved_against_its_url():
    assert "(https://x.example/dir/other)" in convert(SAVED, "mail", None, "https://y.example/saved.mhtml").markdown


def test_a_message_with_too_many_parts_is_refused_at_once():
    began = time.process_time()
    parts = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(20_000))
    assert outcome(parts, "mail")[0] == "EXTRACT_FAILED"
    assert outcome(b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\n\nx", "mail")[0] == ""
    assert time.process_time() - began < 10


LINES = b"--a|--a--||Content-Type: multipart/mixed; boundary=a|Content-Type: text/html|<b>x|\xff|text".split(b"|")
LINES += b"Content-Transfer-Encoding: base64|Content-Disposition: attachment|Subject: =?utf-8?q?=?=".split(b"|")


@given(st.lists(st.sampled_from(LINES), max_size=30))
def test_any_lines_are_a_mail_or_an_error(lines):
    assert outcome(b"\n".join(lines), "mail")[0] in ("", "EXTRACT_FAILED")
