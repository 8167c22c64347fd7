"""Emails and saved pages: headers, the HTML of alternatives, the names of attachments."""

import base64
import time

import pytest
from documents.writers import outcome
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert, kind_of
from webtool.errors import ExtractFailed

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


@pytest.mark.parametrize(
    "inner",
    [
        b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(2000)),
        b"Content-Type: multipart/mixed; boundary*=a; boundary*0=b\n\nx",
    ],
)
def test_a_damaged_message_that_is_attached_in_base64_is_shown_as_text(inner):
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    assert "boundary" in convert(head + base64.encodebytes(inner), "mail").markdown


def test_a_message_with_too_many_parts_is_refused_at_once():
    began = time.process_time()
    parts = b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(20_000))
    assert outcome(parts, "mail")[0] == "EXTRACT_FAILED"
    folded = parts.replace(b"boundary=", b"boundary*0=").replace(b"; ", b";\n ")
    assert outcome(folded, "mail")[0] == "EXTRACT_FAILED"
    quoted = b"Subject: a log\n\n" + b"> Content-Type: multipart/mixed; boundary=x\n" * 300
    assert outcome(quoted, "mail")[0] == ""
    assert outcome(b"Subject: " + b"=?utf-8?q?a?= " * 100_000 + b"\n\nx", "mail")[0] == ""
    assert time.process_time() - began < 10


LINES = b"--a|--a--||Content-Type: multipart/mixed; boundary=a|Content-Type: text/html|<b>x|\xff|text".split(b"|")
LINES += b"Content-Transfer-Encoding: base64|Content-Disposition: attachment|Subject: =?utf-8?q?=?=".split(b"|")


@given(st.lists(st.sampled_from(LINES), max_size=30))
def test_any_lines_are_a_mail_or_an_error(lines):
    assert outcome(b"\n".join(lines), "mail")[0] in ("", "EXTRACT_FAILED")


def part(kind, content, *headers):
    """Return one MIME part."""
    return "\n".join((f"Content-Type: {kind}", *headers, "", content))


def multipart(kind, *parts, boundary="b", headers=()):
    """Return a multipart entity; `kind` may have parameters."""
    lines = [*headers, f'Content-Type: multipart/{kind}; boundary="{boundary}"', ""]
    for item in parts:
        lines += [f"--{boundary}", item]
    return "\n".join([*lines, f"--{boundary}--", ""])


INNER = f"Subject: Inner\nFrom: b@x.example\n{part('text/html', '<p>inner words</p>')}"
FILE = "Content-Disposition: attachment; filename="
# RFC 2046: what a reader sees of the parts of a mail.
STRUCTURES = {
    "an attached message is a section below the text of the outer one": (
        multipart("mixed", part("text/plain", "outer words"), part("message/rfc822", INNER), part("text/plain", "end")),
        "outer words\n\nend\n\n## Inner\n\n- From: b@x.example\n\ninner words\n",
    ),
    "messages in messages have deeper headings": (
        multipart("mixed", part("message/rfc822", f"Subject: A\n{part('message/rfc822', INNER)}")),
        "## A\n\n### Inner\n\n- From: b@x.example\n\ninner words\n",
    ),
    "a digest is a list of messages": (
        multipart("digest", f"\n{INNER}", "\nSubject: Two\n\nsecond words"),
        "## Inner\n\n- From: b@x.example\n\ninner words\n\n## Two\n\nsecond words\n",
    ),
    "a disclaimer in HTML does not replace the text": (
        multipart("mixed", part("text/plain", "the text"), part("text/html", "<p>disclaimer</p>")),
        "the text\n\ndisclaimer\n",
    ),
    "a list's footer does not vanish next to HTML": (
        multipart("mixed", part("text/html", "<p>the text</p>"), part("text/plain", "footer")),
        "the text\n\nfooter\n",
    ),
    "all halves around a picture are shown": (
        multipart(
            "mixed", part("text/html", "<p>one</p>"), part("image/png; name=p.png", "x"), part("text/html", "two")
        ),
        "one\n\ntwo\n\nAttached:\n\n- p.png\n",
    ),
    "the best alternative is shown, whatever its place": (
        multipart("alternative", part("text/html", "<p>rich</p>"), part("text/plain", "plain")),
        "rich\n",
    ),
    "an alternative without text gives way": (
        multipart("alternative", part("text/plain", "plain"), part("text/html", "<img src='cid:1'>")),
        "plain\n",
    ),
    "an alternative may be a mixed body": (
        multipart(
            "alternative",
            part("text/plain", "plain"),
            multipart("mixed", part("text/html", "<p>rich</p>"), part("text/html", "more"), boundary="c"),
        ),
        "rich\n\nmore\n",
    ),
    "an alternative of pictures gives way, as newsletters have it": (
        multipart(
            "alternative",
            part("text/plain", "plain"),
            multipart("related", part("text/html", "<img src='cid:1'>"), part("image/png", "x"), boundary="c"),
        ),
        "plain\n",
    ),
    "an alternative with its pictures is shown once": (
        multipart(
            "alternative",
            part("text/plain", "plain"),
            multipart("related", part("text/html", "<p>rich</p>"), part("image/png", "x"), boundary="c"),
            part("application/pdf", "%PDF-", f"{FILE}r.pdf"),
        ),
        "rich\n\nAttached:\n\n- r.pdf\n",
    ),
    "a calendar is shown beside a file": (
        multipart(
            "alternative",
            part("text/calendar", "BEGIN:VCALENDAR"),
            part("application/pdf", "%PDF-", "Content-Disposition: inline; filename=r.pdf\n"),
        ),
        "BEGIN:VCALENDAR\n\nAttached:\n\n- r.pdf\n",
    ),
    "a calendar is not shown beside text": (
        multipart("alternative", part("text/plain", "Meet us"), part("text/calendar", "BEGIN:VCALENDAR")),
        "Meet us\n",
    ),
    "only the root of a related body is shown": (
        multipart(
            "related; start='<r@x>'",
            part("text/html", "<p>frame</p>", "Content-ID: <f@x>"),
            part("text/html", "<p>root</p>", "Content-ID: <r@x>"),
        ).replace("'", '"'),
        "root\n",
    ),
    "a signed text is shown without its signature": (
        multipart("signed", part("text/plain", "signed words"), part("application/pgp-signature; name=s.asc", "iQ")),
        "signed words\n\nAttached:\n\n- s.asc\n",
    ),
    "a delivery report is shown as text": (
        multipart(
            "report",
            part("text/plain", "not delivered"),
            part("message/delivery-status", "Reporting-MTA: dns; x.example\n\nAction: failed\nStatus: 5.1.1\n"),
            part("message/rfc822", INNER),
        ),
        "not delivered\n\nReporting-MTA: dns; x.example\n\nAction: failed\nStatus: 5.1.1\n\n## Inner\n\n"
        "- From: b@x.example\n\ninner words\n",
    ),
    "attached texts are read": (
        multipart(
            "mixed",
            part("text/plain", "see the file"),
            part("text/csv", "a,b\n1,2", f"{FILE}t.csv"),
            part("application/octet-stream", "# not a heading", f"{FILE}n.txt"),
            part("text/html", "<p>a <b>page</b></p>", f"{FILE}p.html"),
            part("application/pdf", "%PDF-", f"{FILE}r.pdf"),
        ),
        "see the file\n\nAttached:\n\n- t.csv\n- n.txt\n- p.html\n- r.pdf\n\n## t.csv\n\n```\na,b\n1,2\n```\n\n"
        "## n.txt\n\n```\n# not a heading\n```\n\n## p.html\n\na **page**\n",
    ),
    "an attached message in base64": (
        multipart("mixed", part("message/rfc822", "U3ViamVjdDogQgoKYm9keQ==", "Content-Transfer-Encoding: base64")),
        "## B\n\nbody\n",
    ),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_reader_sees_the_parts_that_mail_programs_show(name):
    body, markdown = STRUCTURES[name]
    assert convert(f"MIME-Version: 1.0\n{body}".encode(), "mail").markdown == markdown


def test_hidden_text_of_a_mail_is_counted():
    assert convert(MIXED, "mail").note == "Left out: 1 hidden word (1 not shown by their HTML)."


@pytest.mark.parametrize("count", [150, 1000, 20_000])
def test_messages_in_each_other_are_sections_up_to_a_bound(count):
    body = b"".join(b"Subject: S%d\nContent-Type: message/rfc822\n\n" % n for n in range(count))
    document = convert(body + b"Subject: last\n\nthe end", "mail")
    assert "# S0\n" in document.markdown
    assert "the end" in document.markdown
    assert document.note == "Only the first 100 attached messages have sections of their own."


def test_an_encrypted_mail_is_an_error_that_says_so():
    with pytest.raises(ExtractFailed, match="is encrypted"):
        convert(multipart("encrypted", part("application/pgp-encrypted", "Version: 1")).encode(), "mail")


@pytest.mark.parametrize(
    "word", ["=?unicode_escape?q?=5Cud800?=", "=?utf-7?q?+2AA-?=", "=?raw_unicode_escape?b?XHVkODAw?="]
)
def test_headers_have_no_lone_surrogates(word):
    message = f"Subject: Hello {word}\nTo: {word}\n\nText\n".encode()
    document = convert(message, "mail")
    assert "Hello" in document.title
    assert "\ufffd" in document.title
    assert "\ufffd" in document.markdown
    (document.title + document.markdown).encode()


DAMAGED = [
    b"Content-Type: multipart/mixed; boundary*=a; boundary*0=b\n\n--b\n\nhello\n--b--",
    b"Content-Type: image/png; name*=a; name*0=b\n\nhello",
    b"Content-Type: multipart/related; boundary=b; start*=a; start*0=b\n\n--b\n\nhello\n--b--",
    b'Content-Type: text/plain; charset="\0"\n\nhello \xff',
]


@pytest.mark.parametrize("message", DAMAGED)
def test_damaged_parameters_cost_a_name_or_a_code(message):
    code, made = outcome(b"Subject: x\n" + message, "mail")
    assert code == "EXTRACT_FAILED" or made.title == "x"


# The body of a format=flowed text, DelSp, the text without its soft line breaks (RFC 3676).
FLOWED = [
    ("one \ntwo \nthree\nfour\n", "no", "one two three\nfour"),
    ("lon \ng word\n", "yes", "long word"),
    ("> one \n> two\n>> deep \n>> er\nmine\n", "no", "> one two\n>> deep er\nmine"),
    ("> one \nmine\n", "no", "> one \nmine"),
    (" From me\n  code\n", "no", "From me\n code"),
    ("text \n-- \nAda\n", "no", "text \n-- \nAda"),
    ("one \n\ntwo \n\n>\n", "no", "one \n\ntwo \n\n>"),  # an empty line divides paragraphs all the same
    (">" * 3 + "\n", "no", ">>>"),
]


@pytest.mark.parametrize(("body", "delsp", "text"), FLOWED)
def test_lines_of_a_flowed_paragraph_are_joined(body, delsp, text):
    header = f"Content-Type: text/plain; format=Flowed; delsp={delsp}\n\n"
    assert convert((header + body).encode(), "mail").markdown.rstrip("\n") == text
    fixed = convert(f"Content-Type: text/plain\n\n{body}".encode(), "mail").markdown
    assert fixed.rstrip("\n") == body.rstrip("\n")


# Headers that are not ASCII: RFC 6532, and programs that write windows-1251 or windows-1252 as it is.
@pytest.mark.parametrize("codec", ["utf-8", "cp1252"])
def test_headers_and_file_names_may_have_bytes_beyond_ascii(codec):
    attachment = 'Content-Type: application/pdf\nContent-Disposition: attachment; filename="Müsli.pdf"\n\n%PDF'
    head = f"Subject: Grüße aus Köln\nFrom: Jürgen <j@x.example>\nSubject: zwei {chr(0xFC)}\n"
    body = head + f'Content-Type: multipart/mixed; boundary="b"\n\n--b\n{attachment}\n--b--\n'
    document = convert(body.encode(codec), "mail")
    assert document.title == "Grüße aus Köln"
    assert "- From: Jürgen \\<j@x.example>\n" in document.markdown
    assert "- Müsli.pdf" in document.markdown


LINE = b"From ada@x.example Thu May  2 10:00:00 2024\n"
MAILBOX = LINE + b"Subject: A\n\none\n\n>From the sea\n>>From\n\n" + LINE + b"Subject: B\n\nFrom here: on\n"


@pytest.mark.parametrize(
    ("content_type", "url"), [("application/mbox", ""), (None, "a.mbox"), ("text/plain", "a.mbox")]
)
def test_a_mailbox_is_its_emails_in_order(content_type, url):
    for body in (MAILBOX, MAILBOX.replace(b"\n", b"\r\n")):
        document = convert(body, kind_of(body, content_type, url))
        assert document.title == "A"
        assert document.markdown == "# A\n\none\n\nFrom the sea\n>>From\n\n# B\n\nFrom here: on\n"


def test_of_two_headers_with_one_name_the_first_is_shown():
    document = convert("Subject: plain\nSubject: zwei \xfc\n\nx\n".encode(), "mail")
    assert document.title == "plain"


def test_encoded_words_are_read_beside_other_characters():
    message = "Subject: \xfc =?utf-8?q?Caf=C3=A9?= \xfc\n\nx\n".encode()
    assert convert(message, "mail").title == "\xfc Caf\xe9 \xfc"


def test_an_unreadable_email_costs_no_other_email_of_a_mailbox():
    damaged = LINE + b"Subject: x\nContent-Type: multipart/mixed; boundary*=a; boundary*0=b\n\ntwo\n\n"
    document = convert(MAILBOX + b"\n" + damaged + LINE + b"Subject: C\n\nc\n", "mail")
    assert document.markdown.endswith("# B\n\nFrom here: on\n\n# C\n\nc\n")
    assert document.note == "Left out: 1 unreadable email."


def test_a_large_mailbox_is_cut_with_a_note():
    document = convert((LINE + b"Subject: A\n\none\n\n") * 1200, "mail")
    assert document.markdown.count("# A\n") == 1000
    assert document.note == "Only the first 1,000 of 1,200 emails are shown."


def test_a_deadline_leaves_the_first_email():
    document = convert(MAILBOX, "mail", deadline=time.monotonic() + 1)
    assert document.markdown == "# A\n\none\n\nFrom the sea\n>>From\n"
    assert document.note == "Only 1 of 2 emails were read before the deadline."
    assert convert(b"Subject: A\n\none\n", "mail", deadline=time.monotonic() - 1).title == "A"


def test_one_message_may_begin_with_the_line_of_a_mailbox():
    assert convert(LINE + b"Subject: A\n\n>From the sea\n", "mail").markdown == "# A\n\nFrom the sea\n"
    assert convert(b"Subject: A\n\ntext\n" + LINE + b"Subject: B\n\nb\n", "mail").markdown.count("#") == 1
