"""Read DOCTYPEs and the mode that they ask for. HTML Standard, 13.2.5.53 to .68 and 13.2.6.4.1."""

import pytest

from webtool.html import parse_html
from webtool.html.doctype import parse_doctype, quirks_mode

# Source between "<!doctype" and ">": name, public identifier, system identifier, force-quirks flag.
TOKENS = [
    (" html", ("html", None, None, False)),
    ("html", ("html", None, None, False)),
    (" HTML\n", ("html", None, None, False)),
    ("", ("", None, None, True)),
    ("  ", ("", None, None, True)),
    (" html public", ("html", None, None, True)),
    (' html PUBLIC "a"', ("html", "a", None, False)),
    (' html PUBLIC "a" ', ("html", "a", None, False)),
    (" html PUBLIC 'a'\n\t", ("html", "a", None, False)),
    (" html PUBLIC'a'", ("html", "a", None, False)),
    (' html PUBLIC "a" "b"', ("html", "a", "b", False)),
    (" html PUBLIC 'a''b'", ("html", "a", "b", False)),
    (' html PUBLIC "a" b', ("html", "a", None, True)),
    (' html PUBLIC "a', ("html", "a", None, True)),
    (' html PUBLIC "a" "b', ("html", "a", "b", True)),
    (' html SYSTEM "b"', ("html", None, "b", False)),
    (' html SYSTEM "b" x', ("html", None, "b", False)),
    (" html SYSTEM", ("html", None, None, True)),
    (" html SYSTEM x", ("html", None, None, True)),
    (' html PUBLIC ""', ("html", "", None, False)),
    (" html x", ("html", None, None, True)),
    (" html\tpUbLiC\n'a '  \"b\"", ("html", "a ", "b", False)),
    (" a>b"[:2], ("a", None, None, False)),
    (" \xc4B", ("\xc4b", None, None, False)),
    (' html \u017fystem "b"', ("html", None, None, True)),
    (' html publ\u0131c "a"', ("html", None, None, True)),
]

TRANSITIONAL = "-//W3C//DTD HTML 4.01 Transitional//EN"
MODES = [
    ("<!DOCTYPE html>", "no-quirks"),
    ("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", "no-quirks"),
    ("<!DOCTYPE x>", "quirks"),
    ("<!DOCTYPE>", "quirks"),
    ("<!DOCTYPE html PUBLIC>", "quirks"),
    ("<!DOCTYPE html", "quirks"),
    (f'<!DOCTYPE html PUBLIC "{TRANSITIONAL}">', "quirks"),
    (f'<!DOCTYPE html PUBLIC "{TRANSITIONAL}" "http://www.w3.org/TR/html4/loose.dtd">', "limited-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">', "no-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" >', "no-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', "no-quirks"),
    ('<!DOCTYPE html PUBLIC "-//w3c//dtd xhtml 1.0 transitional//EN">', "limited-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Frameset//EN">', "limited-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">', "quirks"),
    ('<!DOCTYPE html PUBLIC "html">', "quirks"),
    ('<!DOCTYPE html PUBLIC "HTML2">', "no-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3O//DTD W3 HTML Strict 3.0//EN//">', "quirks"),
    ('<!DOCTYPE html SYSTEM "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">', "quirks"),
    ('<!DOCTYPE html PUBLIC "-//IETF//DTD HTML//EN//2.0">', "quirks"),
    ("<!doctype HTML>", "no-quirks"),
    ("<!DOCTYPE html SYSTEM>", "quirks"),
    ("<!DOCTYPE html PUBLIC '' ''>", "no-quirks"),
    ("<!DOCTYPE html bogus>", "quirks"),
    (f'<!DOCTYPE html PUBLIC "{TRANSITIONAL}" "">', "limited-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">', "quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN" "x">', "limited-quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">', "quirks"),
    ('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "x">', "quirks"),
    ('<!DOCTYPE html PUBLIC "-/W3C/DTD HTML 4.0 Transitional/EN">', "quirks"),
    ('<!DOCTYPE html SYSTEM "HTTP://WWW.IBM.COM/data/dtd/v11/ibmxhtml1-transitional.dtd">', "quirks"),
]


@pytest.mark.parametrize(("source", "token"), TOKENS)
def test_doctype_gives_its_token(source, token):
    read = parse_doctype(source)
    assert (read.name, read.public_id, read.system_id, read.force_quirks) == token


@pytest.mark.parametrize(("source", "token"), TOKENS)
def test_the_end_of_the_file_forces_quirks(source, token):
    assert parse_doctype(source, ended=False).name == token[0]
    assert parse_doctype(source, ended=False).force_quirks


@pytest.mark.parametrize(("source", "mode"), MODES)
def test_doctype_asks_for_its_mode(source, mode):
    inside = source[9:].rstrip(">")
    assert quirks_mode(parse_doctype(inside, source.endswith(">"))) == mode
    assert parse_html(source).quirks is (mode == "quirks")


@pytest.mark.parametrize(("source", "quirks"), [("<!-- a --> <!DOCTYPE html>", False), ("a<!DOCTYPE html>", True)])
def test_only_a_doctype_at_the_beginning_counts(source, quirks):
    assert parse_html(source).quirks is quirks


def test_the_tree_has_name_and_identifiers():
    doctype = parse_html('<!DOCTYPE Html PUBLIC "a" "b">').children[0]
    assert (doctype.tag, doctype.name, doctype.public_id, doctype.system_id) == ("!doctype", "html", "a", "b")


def test_a_page_without_doctype_is_in_quirks_mode():
    assert parse_html("<p>").quirks
