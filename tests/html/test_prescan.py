"""Find the encoding that a page declares. HTML Standard, 13.2.3.2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.html.encoding import MAX_PRESCAN, prescan

CASES = [
    (b"<meta charset=gbk>", "gbk"),
    (b'<META CHARSET="KOI8-R">', "koi8-r"),
    (b"<meta charset='big5'/>", "big5"),
    (b"<meta/charset=gbk>", "gbk"),
    (b"<meta\n charset \t=\r\n gbk >", "gbk"),
    (b"<metacharset=gbk>", None),
    (b"<meta charset=nonsense>", None),
    (b"<meta charset=>", None),
    (b"<meta charset=nonsense><meta charset=gbk>", "gbk"),
    (b"<meta charset=gbk charset=big5>", "gbk"),
    (b"<meta charset=utf-16>", "utf-8"),
    (b"<meta charset=utf-16be>", "utf-8"),
    (b"<meta charset=x-user-defined>", "windows-1252"),
    (b"<meta charset=iso-8859-1>", "windows-1252"),
    (b"<meta charset=iso-2022-kr>", "replacement"),
    (b"<meta http-equiv=content-type content='text/html; charset=gbk'>", "gbk"),
    (b"<meta content='text/html; charset=gbk' http-equiv=Content-Type>", "gbk"),
    (b"<meta http-equiv=content-type content='charset = \"gbk\"'>", "gbk"),
    (b"<meta http-equiv=content-type content=charset=gbk;x>", "gbk"),
    (b"<meta http-equiv=content-type content='charset charset=gbk'>", "gbk"),
    (b"<meta http-equiv=content-type content='charset=\"gbk'>", None),
    (b"<meta http-equiv=content-type content=text/html>", None),
    (b"<meta http-equiv=refresh content='charset=gbk'>", None),
    (b"<meta content='charset=gbk'>", None),
    (b"<meta http-equiv=content-type content='charset=gbk' charset=big5>", "big5"),
    (b"<!--<meta charset=gbk>--><meta charset=big5>", "big5"),
    (b"<!--><meta charset=gbk>-->", "gbk"),
    (b"<!-- <meta charset=gbk>", None),
    (b"<p title='<meta charset=gbk>'>", None),
    (b"<p title=<meta charset=gbk>", None),
    (b"<p>x</p><meta charset=gbk>", "gbk"),
    (b"<p <meta charset=gbk>", None),
    (b"</p <meta charset=gbk>><meta charset=big5>", "big5"),
    (b"<!x <meta charset=gbk>", None),
    (b"<!x><meta charset=gbk>", "gbk"),
    (b"<?x?><meta charset=gbk>", "gbk"),
    (b"</ <meta charset=gbk>", None),
    (b"< <meta charset=gbk>", "gbk"),
    (b"<<meta charset=gbk>", "gbk"),
    (b"<script>'<meta charset=gbk>'</script>", "gbk"),
    (b"<meta charset='gbk", None),
    (b"<meta charset=gbk", None),
    (b"<?xml version='1.0' encoding='euc-jp'?><p>", "euc-jp"),
    (b'<?xml encoding="utf-16"?>', "utf-8"),
    (b"<?xml encoding='euc-jp'?><meta charset=gbk>", "gbk"),
    (b" <?xml encoding='euc-jp'?>", None),
    (b"<?xml encoding=euc-jp?>", None),
    (b"<?xml encoding='euc-jp'", None),
    (b"<\0?\0x\0m\0l\0", "utf-16le"),
    (b"\0<\0?\0x\0m\0l", "utf-16be"),
    (b"", None),
    (b"charset=gbk", None),
]


@pytest.mark.parametrize(("data", "name"), CASES)
def test_declaration_names_the_encoding(data, name):
    assert prescan(data) == name


@pytest.mark.parametrize(("data", "name"), [case for case in CASES if case[1] and b"\0" not in case[0]])
def test_a_declaration_counts_within_the_length_only(data, name):
    if not data.startswith(b"<?xml"):
        assert prescan(b" " * (MAX_PRESCAN - len(data)) + data + b"more") == name
        assert prescan(b" " * MAX_PRESCAN + data) is None


@given(
    st.lists(
        st.sampled_from(
            [b"<meta", b" charset=", b"gbk", b"'", b'"', b">", b"<!--", b"-->", b"=", b"/", b"<", b"x", b" "]
        )
    )
)
def test_any_bytes_are_prescanned(parts):
    assert prescan(b"".join(parts)) in (None, "gbk")
