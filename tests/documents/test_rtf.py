"""Rich text as markdown; hidden text is counted, hostile files are read in bounded time."""

import time
import tracemalloc

import pytest
from documents.writers import mutated, outcome
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert, kind_of

STYLES = rb"{\stylesheet{\ql Normal;}{\s1\b heading 1;}{\s2 Title;}{\s3\outlinelevel2 Unterpunkt;}}"


def rtf(text, head=rb"\ansi\ansicpg1252"):
    return rb"{\rtf1" + head + b" " + (text if isinstance(text, bytes) else text.encode("cp1252")) + b"}"


TEXTS = [
    (r"one\par two\line three\par", "one\n\ntwo\\\nthree\n"),
    ("one\\\ntwo\\\n", "one\n\ntwo\n"),
    (r"{\strike\striked0 gone} {\striked1\strike0 too} {\striked1\striked0 here}", "~~gone~~ ~~too~~ here\n"),
    (r"a {\b bold} and {\i slant {\b both}} and {\strike gone}", "a **bold** and *slant* **_both_** and ~~gone~~\n"),
    (r"10{\super 6} H{\sub 2}O", "10⁶ H₂O\n"),
    (r"caf\'e9 \emdash  \ldblquote x\rdblquote \~y \{z\}", "café — “x” y {z}\n"),
    # The characters after \u are for readers without Unicode; \uc gives their number.
    (r"\u8364?5 {\uc2\u8364\'80\'80}6 \uc0\u945 z \u-10179 \u-8704 ", "€5 €6 αz 😀\n"),
    (r"\uc-1 a\u945 bc\b  d", "aαbc **d**\n"),  # a negative number of fallback characters is taken as 0
    (r"{\fonttbl{\f0 A;}{\f1\fcharset204 A;}{\f2\fcharset2 Symbol;}}\f1\'cc\'e8\'f0 \f2\'b7 \f0\'cc", "Мир • Ì\n"),
    (r"{\fonttbl{\f0\fcharset128 X;}}\f0\'93\'fa\'96\'7b", "日本\n"),
    # Text without a font has the default one (\deff), a title does not.
    (r"\deff1{\fonttbl{\f0 A;}{\f1\fcharset204 A;}}\'cc\'e8\'f0 {\f0\'cc \plain\'cc}", "Мир Ì М\n"),
    (r"\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 A;}}\'cc", "Ì\n"),
    (r'see {\field{\*\fldinst HYPERLINK "https://e.example/a"}{\fldrslt the {\b page}}}.',
     "see [the **page**](https://e.example/a).\n"),
    (r"see https://e.example/a, or (http://e.example/b)",
     "see [https://e.example/a](https://e.example/a), or ([http://e.example/b](http://e.example/b))\n"),
    (r"{\info{\author Bo}{\title The Title}}text{\pict\pngblip 89504e470d}{\*\unknown gone} more", "text more\n"),
    (rb"a\bin5 {}}{{b", "ab\n"),
    # OpenOffice wrote a character style as if it were a destination; in the stylesheet it is one.
    (r"a {\f0\*\cs7 quick fox} b {\*\cs7 styled} c\*\ts3 d", "a quick fox b styled cd\n"),
    (r"{\stylesheet{\*\cs7 heading 1 char;}}plain\par", "plain\n"),
    (r"a {\*}{\b bold} {\*{\i slanted}} {\*}\i slanted", "a **bold** *slanted* *slanted*\n"),  # a brace ends the star
    # Code and quotations by the names of their styles; the spaces of code stay.
    (rb"{\stylesheet{\s5 Source Code;}{\s6 Quotations;}}\pard\s5 if a:\par     b *c*\par\par\pard\s6 Said\par\pard d",
     "```\nif a:\n    b *c*\n```\n\n> Said\n\nd\n"),
    # Word writes further names of a style behind its own.
    (rb"{\stylesheet{\s5 heading 2,h2,Part;}{\s6 Quote,q;}}\pard\s5 One\par\pard\s6 Said\par", "## One\n\n> Said\n"),
    # Headings by the name of a style, by its outline level and by that of the paragraph.
    (STYLES + rb"\pard\s1 First\par\pard\s3 Deep\par\pard plain\par\pard\outlinelevel1 Second\par",
     "# First\n\n### Deep\n\nplain\n\n## Second\n"),
    (r"\pard\outlinelevel0{\listtext (1)\tab}First\par{\listtext\'95\tab}Second\par", "# (1) First\n\n# Second\n"),
    # Lists by their labels, or by indents and tabulators.
    (r"\pard{\listtext\'95\tab}one\par\pard{\listtext o\tab}\ilvl1 two\par\pard{\listtext\'95\tab}three\par",
     "- one\n  - two\n- three\n"),
    (r"\pard{\pntext 3.\tab}three\par{\pntext 4.\tab}four\par\pard text", "3. three\n4. four\n\ntext\n"),
    (r"\pard{\listtext a)\tab}one\par", "- a) one\n"),
    (r"\pard{\listtext 1.\tab}one\par{\listtext 2.\tab}two\par{\listtext 1.\tab}other\par",
     "1. one\n2. two\n\n1) other\n"),
    (r"\pard\li360\fi-360 1.\tab one\par\pard\li720\fi-360 \bullet\tab two\par\pard\fi-360 Term\tab text",
     "1. one\n   - two\n\nTerm text\n"),
    (r"\pard\li-720\fi-360 1.\tab one\par\pard\fi-360 2.\tab two\par", "1. one\n2. two\n"),
    # The last paragraph of a cell ends with the cell.
    (r"\trowd\cellx1\cellx2\intbl{\listtext 1.\tab}a\par{\listtext 2.\tab}b\cell\li360\fi-360 (c)\tab d\cell\row\pard",
     "| 1. a<br>2. b | (c) d |\n| --- | --- |\n"),
    # Tables; cells with the same right edge are in one column.
    (r"\trowd\cellx100\cellx200\pard\intbl a\par b\cell c\cell\row\pard\intbl d\cell\cell\row\pard end",
     "| a<br>b | c |\n| --- | --- |\n| d |  |\n\nend\n"),
    (r"\trowd\cellx2\cellx3\intbl wide\cell c\cell\row\trowd\cellx1\cellx2\cellx3 1\cell 2\cell 3\cell\row\pard",
     "| wide |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n"),
    # Notes, comments, text boxes, page headers.
    (r"a{\super\chftn}{\footnote\chftn  the {\i note}\par} b", "a[^1] b\n\n[^1]: the *note*\n"),
    (r"a{\v b{\footnote\pard\plain c {\i d}\par}} e{\footnote f}", "a e[^1]\n\n[^1]: f\n"),  # a note in hidden text
    (r"\uc0 a{\footnote \u945 bc} d", "a[^1] d\n\n[^1]: αbc\n"),  # a note inherits \uc
    (r"\trowd\cellx1\cellx2\pard\intbl a{\footnote\pard x\par}\par b\cell c\cell\row\pard",
     "| a[^1]<br>b | c |\n| --- | --- |\n\n[^1]: x\n"),
    (r"a{\*\atnid X}{\*\atnauthor Bo}\chatn{\*\annotation\pard why?}", "a[^1]\n\n[^1]: Comment (Bo): why?\n"),
    (r"a\par{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt in a box\par}}{\shprslt again}}b", "a\n\nin a box\n\nb\n"),
    # Formulas, whose parts are groups; the picture of a formula for older readers is left out.
    (r"so {\mmath{\*\moMath{\mf{\mfPr}{\mnum{\mr\mscr0 a+1}}{\mden{\mr 2}}}}{\mmathPict{\pict 8950}x}} it is",
     "so $\\frac{a + 1}{2}$ it is\n"),
    (r"{\*\moMath{\mnary{\mnaryPr{\mchr \u8721?}}{\msub{\mr i}}{\msup{\mr n}}{\me{\mr i}{\mr\mnor if}}}}",
     "$$\\sum_i^ni\\text{if}$$\n"),
    (r"{\*\moMath{\mf{\mnum{\mr sin}{\mr x}}{\mden{\mr 2}}}}", "$$\\frac{\\sin x}{2}$$\n"),
    # A paragraph with the left indent of the list item before it belongs to the item.
    (r"\pard\li360\fi-360 1.\tab one\par\pard\li360\fi0 more\par\pard\li360\fi-360 2.\tab two\par\pard end",
     "1. one\n\n   more\n\n2. two\n\nend\n"),
    (r"\pard\li360\fi-360 1.\tab one\par\pard\li720 other\par\pard\li360 not\par\pard end",
     "1. one\n\nother\n\nnot\n\nend\n"),
    (r"\pard{\listtext 1.\tab}one\par\pard more\par", "1. one\n\nmore\n"),
    (r"{\header ACME Ltd\par}{\footer ACME Ltd\par}{\footerf 3\par}text", "ACME Ltd\n\ntext\n\nACME Ltd\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "markdown"), TEXTS)
def test_rich_text_becomes_markdown(text, markdown):
    body = rtf(text)
    assert kind_of(body, "application/octet-stream") == "rtf"
    assert convert(body, "rtf").markdown == markdown


TITLES = {
    "of the file": (rb"{\info{\title The Title}{\author A}}\outlinelevel0 Head\par", "The Title"),
    "in the code page of the file": (rb"\deff0{\fonttbl{\f0\fcharset204 A;}}{\info{\title \'cc}}text", "Ì"),
    "of the file, in Unicode": (rb"{\info{\upr{\title Te?}{\*\ud{\title Te\u351?}}}}text\par", "Teş"),
    "with a formula": (rb"{\info{\title The {\*\moMathPara{\*\moMath{\mr x}}} axis}}text\par", "The x axis"),
    "the first heading": (STYLES + rb"plain\par\pard\s2 Head\par", "Head"),
    "not that of an object": (rb"{\object{\title Sheet}}{\*\unknown{\title Other}}text\par", ""),
}


@pytest.mark.parametrize("name", TITLES)
def test_the_title_is_that_of_the_file_else_the_first_heading(name):
    text, title = TITLES[name]
    assert convert(rtf(text), "rtf").title == title


FONTS = (
    r"{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern\fprq1 Courier New;}{\f2\fnil\fprq1 Menlo;}"
    r"{\f3\fmodern\fprq2 Modern;}{\f4\fmodern\fcharset128\fprq1 MS Mincho;}}"
)
CODE_STYLES = (
    r"{\stylesheet{\s1\b heading 1;}{\s2\b\i heading 2;}{\s5\f1 HTML Preformatted;}{\s6 Quote;}}"
    r"\pard\plain Words around the code. "
)
CODE = [
    (r"Call {\f1 f(x)} or {\f2 g}.", "Call `f(x)` or `g`.\n"),
    (r"Not {\f3 Modern} or {\f4 Mincho}.", "Not Modern or Mincho.\n"),
    (r"Text\par{\f1 if a:\line\line   b}\par\pard\plain End", "Text\n\n```\nif a:\n\n  b\n```\n\nEnd\n"),
    (r"\par\f1 a\par\par b\par\par\f0 End", "\n\n```\na\n\nb\n```\n\nEnd\n"),
    (r"\par\trowd\cellx1\intbl\f1 a\cell\row\pard\f0 End", "\n\n| `a` |\n| --- |\n\nEnd\n"),
    (r"\par{\pntext\f1 1.\tab}\f1 a\par\pard\plain End", "\n\n1. `a`\n\nEnd\n"),
    (
        r'\par{\f1{\field{\*\fldinst HYPERLINK "https://e.example/"}{\fldrslt go}}}\par\pard End',
        "\n\n[`go`](https://e.example/)\n\nEnd\n",
    ),
    (r"\par\s6\f1 a\par\pard\plain End", "\n\n> `a`\n\nEnd\n"),
    (r"\par\s5\f1 \par\pard\plain End", "\n\nEnd\n"),  # an empty paragraph in a style of code
    (r"\par\s5\f1 \par a\par\par\pard\plain End", "\n\n```\na\n```\n\nEnd\n"),
    (r"\par\s2\b\i {\listtext 1.1\tab}Two {\b0 words}\par\pard\plain End", "\n\n## 1.1 Two words\n\nEnd\n"),
    (r"\par\s1\b One {\i slanted}\par\pard\plain End", "\n\n# One *slanted*\n\nEnd\n"),
]


@pytest.mark.parametrize(("text", "markdown"), CODE)
def test_styles_and_fonts_of_equal_width_make_code(text, markdown):
    body = rtf(FONTS + CODE_STYLES + text)
    assert convert(body, "rtf").markdown == f"Words around the code. {markdown}".replace(" \n", "\n")


@pytest.mark.parametrize("size", [5, 500])
def test_most_of_a_typewritten_text_is_not_code(size):
    body = rtf(rf"{FONTS}\f0 Letter\par\f1 {'word ' * size}{{\v unseen}}{{\f0 Arial}}\par\par end\par")
    document = convert(body, "rtf")
    assert document.markdown == f"Letter\n\n{'word ' * size}Arial\n\nend\n"
    assert document.note == "Left out: 1 hidden word (1 marked as hidden)."


def test_a_starred_header_is_a_header():
    text = rb"{\*\headerl\pard The head}one{\*\shptxt\pard A box}\par"
    assert convert(rtf(text), "rtf").markdown == "The head\n\nA box\n\none\n"


def test_a_comment_has_no_author_of_an_empty_one_before_it():
    text = rb"a{\*\atnauthor Ada}{\*\annotation\pard}b{\*\annotation\pard Really?}{\*\atnauthor Eve}{\*\annotation c}"
    made = convert(rtf(text), "rtf").markdown
    assert made == "ab[^1][^2]\n\n[^1]: Comment: Really?\n\n[^2]: Comment (Eve): c\n"


def test_hidden_text_is_left_out_and_counted():
    document = convert(rtf(r"seen {\v not shown}{\deleted taken away}{\v\v0  again}"), "rtf")
    assert (document.markdown, document.note) == ("seen again\n", "Left out: 4 hidden words (4 marked as hidden).")


def test_text_that_is_hidden_stays_hidden_if_it_is_not_deleted():
    document = convert(rtf(r"seen {\v gone\deleted0  too \v0 again}"), "rtf")
    assert (document.markdown, document.hidden_words) == ("seen again\n", 2)


def test_a_formula_in_hidden_text_is_left_out_and_counted():
    document = convert(rtf(r"seen {\v {\*\moMath{\mr secret}}}{\*\moMath{\mr a}{\mr\v b}}"), "rtf")
    assert (document.markdown, document.hidden_words) == ("seen $a$\n", 2)


def test_a_deadline_cuts_the_text_with_a_note():
    body = rtf(r"a\par " * 10_000)
    document = convert(body, "rtf", deadline=time.monotonic() - 1)
    assert document.note.startswith("Only ")
    assert document.markdown.startswith("a\n\na\n")


def test_a_spent_budget_keeps_the_text_before_it():
    document = convert(rtf(r"first\par second " + r"{\b}x\par" * 1000), "rtf", max_bytes=1)
    assert document.markdown.startswith("first\n\nsecond x\n\nx\n")


def test_hostile_files_are_read_in_bounded_time():
    began = time.process_time()
    assert outcome(b"{\\rtf1" + b"{" * 1_000_000, "rtf")[0] == "EXTRACT_FAILED"
    for part in rb"} {\b~x} \cell \cellx1\cellx2\cell\row \' {\footnote~x} \u1 \bin9".split():
        code, document = outcome(rtf(part.replace(b"~", b" ") * 20_000), "rtf")
        assert (code, document is not None) == ("", True)
    assert time.process_time() - began < 24


PIECES = rb"{ } x \ \par \cell \row \intbl \trowd \cellx5 \u9 \'e9 \v \pard {\footnote {\header {\stylesheet".split()
PIECES += rb"{\listtext 1.\tab} {\*\fldinst {\*\moMath {\mf {\mr".split()
PIECES += [b" ", b"\xff"]


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_sequence_of_words_and_groups_is_read(pieces):
    assert convert(rtf(b"".join(pieces)), "rtf").kind == "rtf"


@given(st.data())
def test_damaged_files_only_fail_with_a_code(data):
    body = rtf(" ".join(text for text, _ in TEXTS if isinstance(text, str)))
    assert outcome(body[:6] + mutated(data, body[6:], 30), "rtf")[0] in ("", "EXTRACT_FAILED")


@pytest.mark.parametrize("words", [rb"\red", rb"\red1"])
def test_a_huge_table_of_colours_costs_little_memory(words):
    body = rtf(rb"{\colortbl" + words * 100_000 + rb"}words")
    convert(rtf(b"words"), "rtf")  # imports what it needs
    tracemalloc.start()
    made = convert(body, "rtf")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert made.markdown == "words\n"
    assert peak < 2_000_000
