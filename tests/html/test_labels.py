"""Look up encoding labels. Encoding Standard, 4.2."""

import codecs

import pytest

from webtool.html.decoding import _LABELS, CODECS, encoding_for_label

LABELS = [
    ("utf8", "utf-8"),
    (" UTF-8\n", "utf-8"),
    ("latin1", "windows-1252"),
    ("ISO-8859-1", "windows-1252"),
    ("ascii", "windows-1252"),
    ("iso-8859-9", "windows-1254"),
    ("tis-620", "windows-874"),
    ("gb2312", "gbk"),
    ("gb18030", "gb18030"),
    ("big5-hkscs", "big5"),
    ("sjis", "shift_jis"),
    ("ks_c_5601-1987", "euc-kr"),
    ("logical", "iso-8859-8-i"),
    ("visual", "iso-8859-8"),
    ("unicode", "utf-16le"),
    ("hz-gb-2312", "replacement"),
    ("x-user-defined", "x-user-defined"),
    ("utf-7", None),
    ("utf-32", None),
    ("cp437", None),
    ("", None),
    ("\xa0utf-8", None),
]


@pytest.mark.parametrize(("label", "name"), LABELS)
def test_label_names_its_encoding(label, name):
    assert encoding_for_label(label) == name


def test_number_of_labels_is_the_standards():
    labels = [label for text in _LABELS.values() for label in text.split()]
    assert len(labels) == len(set(labels)) == 228
    assert len(_LABELS) == 40


@pytest.mark.parametrize("name", sorted(_LABELS))
def test_every_encoding_is_its_own_label_and_has_a_codec(name):
    assert encoding_for_label(name.upper()) == name
    if name not in ("replacement", "x-user-defined"):
        codecs.lookup(CODECS.get(name, name))
