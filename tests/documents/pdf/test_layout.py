"""Positions of text on the page: columns, tables, running heads, spaces, superscripts."""

import time

import pytest
from documents.writers import COURIER, HELVETICA, lines, pdf, text
from growing import growth

from webtool.documents import convert
from webtool.documents.pdf import paths
from webtool.documents.pdf.layout import Segment
from webtool.documents.pdf.layout.gutters import table_rows
from webtool.documents.pdf.layout.headings import levels
from webtool.documents.pdf.layout.page_breaks import Body, joined_tables, with_last_rows
from webtool.documents.pdf.layout.paragraphs import Block, blocks_of
from webtool.documents.pdf.state import ANNOTATION, IDENTITY, UNTAGGED


def markdown(*contents):
    return convert(pdf(*contents), "pdf").markdown


def test_texts_of_one_baseline_are_joined_on_both_sides_of_a_rounding_step():
    left = Segment(70, 10.49, 90, 10, [("left", "")], "left", False, False, -1)
    right = left._replace(x=100, y=10.51, end=125, runs=[("right", "")], text="right")
    assert [block.text for block in blocks_of([right, left])] == ["left right"]
    table = Block("table", [], rows=[[[("a", "")], [("b", "")]]], columns=((70.0, 90.0), (100.0, 125.0)))
    joined, rest = with_last_rows(table, [left, right])
    assert (joined.rows[1:], rest) == ([[[("left", "")], [("right", "")]]], [])


def test_a_form_fields_value_is_no_heading_even_if_it_equals_a_title_of_the_outline():
    value = Block("text", [("Background", "")], tag=ANNOTATION)
    assert levels([value, value._replace(tag=UNTAGGED)], {"background": 1}) == [0, 1]


def turned(content, x, y=100):
    """Return a text that runs upwards from a point, as along the margin."""
    return b"BT /F1 12 Tf 0 1 -1 0 %d %d Tm (%s) Tj ET " % (x, y, content.encode())


@pytest.mark.parametrize("turn", [b"0 1 -1 0 792 0", b"-1 0 0 -1 612 1400", b"0 -1 1 0 -400 500"])
def test_a_turned_table_has_the_cells_of_its_lines(turn):
    assert markdown(b"q " + turn + b" cm " + MERGED + b"Q") == MERGED_MARKDOWN + "\n"


def test_turned_text_keeps_its_link():
    link = "/Annots [<< /Subtype /Link /Rect [30 90 45 300] /A << /URI (https://x.example/a) >> >>]"
    turned_lines = turned("to the harbour", 40) + turned("and no link", 60)
    made = convert(pdf(turned_lines, extra=link), "pdf").markdown
    assert "[to the harbour](https://x.example/a)" in made
    assert "[and" not in made


def test_text_goes_on_over_a_page_break_beside_text_along_the_margin():
    above = lines("The harbour has two tides a day and", "the second one comes later than", "the first of the", x=100)
    below = lines("morning did. It was a good year.", "The pier was built in the spring of it.", x=100)
    pages = markdown(above + turned("downloaded from the library", 40), below + turned("downloaded from home", 40))
    assert pages.split("\n\n")[0].startswith("The harbour has two tides a day and the second one")
    assert "the first of the morning did." in pages
    assert pages.count("\n\ndownloaded from ") == 2


def test_text_goes_on_over_two_page_breaks_beside_text_along_the_margin():
    texts = (
        lines("The harbour has two tides a day and", "the second one comes later than", "the first of the", x=100),
        lines("morning did, while the boats that are", "built near the old pier of the town", "wait for the", x=100),
        lines("high water in the evening.", x=100),
    )
    pages = markdown(*(text + turned(f"downloaded on day {n}", 40) for n, text in enumerate(texts)))
    assert "the first of the morning did, while" in pages
    assert "wait for the high water in the evening.\n" in pages


def test_a_table_goes_on_over_two_page_breaks_beside_text_along_the_margin():
    rows = ("Anna Berlin Spree", "Bella Cuxhaven Elbe", "Clara Bremen Weser"), ("Dora Emden Ems",), ("Emma Kiel Eider",)
    pages = []
    for page in rows:
        cells = b"".join(
            text(12, x, 700 - 20 * n, word)
            for n, row in enumerate(page)
            for x, word in zip((100, 250, 400), row.split())
        )
        pages.append(cells + turned("downloaded", 40))
    assert "| Dora | Emden | Ems |\n| Emma | Kiel | Eider |\n" in markdown(*pages)


def test_a_turned_table_does_not_continue_an_upright_one():
    def upright(top, rows):
        cells = [("Name of boat", 100), ("Name of port", 250), ("Name of quay", 400)]
        return b"".join(lines(*[f"{cell} {n}" for n in rows], x=x, y=top, step=20) for cell, x in cells)

    beside = b"".join(turned(str(n), 300 + 20 * n, y) for n in range(3) for y in (100, 250, 400))
    tables = markdown(upright(500, range(5)), upright(700, [5]) + beside)
    assert "| Name of boat 5 | Name of port 5 | Name of quay 5 |\n\n" in tables


def test_joining_tables_changes_neither():
    above = Block("table", [], rows=[[[("a", "")], [("b", "")], [("c", "")]]])
    below = Block("table", [], rows=[[[], [("d", "")]]])
    assert joined_tables(above, below).rows == [[[("a", "")], [("b d", "")], [("c", "")]]]
    assert below.rows == [[[], [("d", "")]]]


def rules(*heights, left=70, right=470):
    """Return operators that draw level lines."""
    return b"".join(b"%d %d m %d %d l S " % (left, y, right, y) for y in heights)


def stroke(*path):
    return " ".join(f"{a} {b} m {c} {d} l S" for a, b, c, d in path).encode() + b" "


# The cell at the top left spans two rows, the one beside it two columns, and the last row is one cell.
MERGED_LINES = stroke(
    (70, 720, 370, 720), (170, 700, 370, 700), (70, 680, 370, 680), (70, 660, 370, 660), (70, 640, 370, 640),
    (70, 640, 70, 720), (170, 660, 170, 720), (270, 660, 270, 700), (370, 640, 370, 720),
)  # fmt: skip
MERGED = (
    MERGED_LINES + lines("Name", x=80, y=696) + lines("Measures", x=240, y=706)
    + lines("Height", "170", x=200, y=686, step=20) + lines("Weight", "65", x=300, y=686, step=20)
    + lines("Anna", x=80, y=666) + lines("Everything else in one cell", x=150, y=646)
)  # fmt: skip
MERGED_MARKDOWN = """| Name | Measures |  |
| --- | --- | --- |
|  | Height | Weight |
| Anna | 170 | 65 |
| Everything else in one cell |  |  |"""

INNER = b"140 660 m 140 720 l S 210 660 m 210 720 l S 70 700 m 290 700 l S 70 680 m 290 680 l S "
FRAMES = b"".join(
    b"%d %d 98 18 re %d %d 100 20 re f* " % (x + 1, y + 1, x, y) for x in (70, 172) for y in (700, 678)
)  # fmt: skip

LONG = "what it does, said at some length"
PROSE = ["left side line which is filled up"] * 5, ["right side line which is filled too"] * 5
WORDS = ["oak", "ash", "elm", "fir", "yew", "box", "bay", "fig", "sloe", "pear"]

TABLES = {
    "cells that are one": (MERGED, MERGED_MARKDOWN),
    "a filled frame around each cell": (
        FRAMES + lines("a", "c", x=80, y=706, step=22) + lines("b", "d", x=182, y=706, step=22),
        "| a | b |\n| --- | --- |\n| c | d |",
    ),
    "inner lines only": (
        INNER + lines("Fox", "Hare", "Seal", x=72, y=706, step=20) + lines("two", "6", "9", x=152, y=706, step=20)
        + lines("red", "8", "5", x=222, y=706, step=20),
        "| Fox | two | red |\n| --- | --- | --- |\n| Hare | 6 | 8 |\n| Seal | 9 | 5 |",
    ),
    "a grid without a left border, and cells of several lines": (
        b"140 640 m 140 720 l S 210 640 m 210 720 l S 290 640 m 290 720 l S "
        b"70 720 m 290 720 l S 70 700 m 290 700 l S 70 640 m 290 640 l S "
        + lines("1", x=80, y=706) + lines("two", x=152, y=706) + lines("red", x=222, y=706)
        + lines("2", x=80, y=686) + lines("a cell", "of more", x=152, y=686) + lines("than", "one", x=222, y=686),
        "1 2\n\n| two | red |\n| --- | --- |\n| a cell of more | than one |",
    ),
    "an upright line and one under the head": (
        b"140 640 m 140 720 l S 70 700 m 290 700 l S " + lines("Fox", x=72, y=706) + lines("two", x=152, y=706)
        + lines("Hare", "Seal", "Crow", x=72, y=686) + lines("6", "9", "7", x=152, y=686),
        "| Fox | two |\n| --- | --- |\n| Hare | 6 |\n| Seal | 9 |\n| Crow | 7 |",
    ),
    "lines under each row, the head above": (
        rules(694, 656, 636)
        + lines("Option", x=72) + lines("Meaning", x=150) + lines("Default", x=420)
        + lines("jobs", x=72, y=680) + lines(LONG, LONG, x=150, y=680) + lines("4", x=420, y=680)
        + lines("out", x=72, y=642) + lines(LONG, x=150, y=642) + lines("-", x=420, y=642),
        f"| Option | Meaning | Default |\n| --- | --- | --- |\n| jobs | {LONG} {LONG} | 4 |\n| out | {LONG} | - |",
    ),
    "lines under each row, text right above the head": (
        lines("The prices:", x=72, y=718) + rules(694, 656, 636)
        + lines("Option", x=72) + lines("Meaning", x=150) + lines("Default", x=420)
        + lines("jobs", x=72, y=680) + lines(LONG, LONG, x=150, y=680) + lines("4", x=420, y=680)
        + lines("out", x=72, y=642) + lines(LONG, x=150, y=642) + lines("-", x=420, y=642),
        "The prices:\n\n"
        f"| Option | Meaning | Default |\n| --- | --- | --- |\n| jobs | {LONG} {LONG} | 4 |\n| out | {LONG} | - |",
    ),
    "lines above, below and under the head": (
        lines("Table 1: a caption that is as wide as the table itself is", y=726)
        + rules(714, 694, 640)
        + lines("Method", "one", "two", "three") + lines("Recall", "0.1", "0.2", "0.3", x=250)
        + lines("Time", "7", "8", "9", x=400),
        "Table 1: a caption that is as wide as the table itself is\n\n"
        "| Method | Recall | Time |\n| --- | --- | --- |\n| one | 0.1 | 7 |\n| two | 0.2 | 8 |\n| three | 0.3 | 9 |",
    ),
    "columns of prose between lines": (
        rules(720, 712, 600, right=540) + lines(*PROSE[0]) + lines(*PROSE[1], x=320),
        f"{' '.join(PROSE[0])} {' '.join(PROSE[1])}",
    ),
    "paragraphs between lines": (
        rules(720, 680, 640) + lines("One paragraph of", "two lines.") + lines("Another one of", "two lines.", y=660),
        "One paragraph of two lines.\n\nAnother one of two lines.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_tables_drawn_with_lines_are_tables(name):
    content, expected = TABLES[name]
    assert markdown(content) == f"{expected}\n"


def test_a_narrow_gutter_separates_columns():
    """One line ends at the gutter; the shorter lines show where the next column starts."""
    left = [
        "left lines are set ragged, most",
        "of them reach less far, and only",
        "one is so full that it ends here wi",
        "a gap that is hardly wider than",
        "the gaps between its words are,",
        "which must not join the lines of",
        "two columns",
    ]
    right = [
        "right hand lines begin at one place",
        "all of them do so on every line of",
        "this page, and what they say goes",
        "on below until there is no more to",
        "be said, which is here and not in",
        "the column at the left of it, which",
        "is read first",
    ]
    content = lines(*left) + lines(*right, x=252)
    assert " ".join(markdown(content).split()) == " ".join([*left, *right])


def test_a_gutter_beside_a_drop_cap_separates_columns():
    """The gutter is as wide as a space of the drop cap, and far wider than one of the lines."""
    left = ["So that boats leave at another hour"] * 12
    right = ["In winter the pier is closed for all"] * 15
    beside = lines("he harbour has two tides a", "day, the second one comes", "later than the first one did.", x=104)
    columns = text(44, 72, 672, "T") + beside + lines(*left, y=658) + lines(*right, x=268)
    for line in markdown(columns).splitlines():
        assert "winter" not in line or "harbour" not in line


def test_a_column_keeps_a_line_above_the_start_of_the_other_column():
    right = ["this line stands higher than the other column", *["right side line which is filled"] * 4]
    content = lines(*PROSE[0], y=686) + lines(*right, x=320)
    assert " ".join(markdown(content).split()) == " ".join([*PROSE[0], *right])


def test_running_heads_of_two_pages_are_kept_once():
    pages = [
        text(10, 72, 760, "A running head") + lines("The text of a page", "has lines.") + text(10, 300, 30, str(number))
        for number in (1, 2)
    ]
    assert markdown(*pages) == "A running head\n\nThe text of a page has lines.\n\nThe text of a page has lines.\n"


def test_first_lines_that_two_pages_share_stay():
    pages = [lines("The same beginning", f"but other text, {word}.") for word in ("first", "second")]
    assert markdown(*pages).count("The same beginning") == 2


SPACES = [
    # Ghostscript writes a space between two letters as character spacing.
    (b"BT /F1 10 Tf 72 700 Td (a fe) Tj 2.5 Tc 16.7 0 Td (ww) Tj 0 Tc 16.94 0 Td (ords) Tj ET", "a few words"),
    # A letterspaced heading is one word.
    (b"BT /F1 10 Tf 3 Tc 72 700 Td (CHAPTER) Tj ET", "CHAPTER"),
    # A distance at the start of an array is before the first string.
    (b"BT /F1 10 Tf 72 700 Td [(see)] TJ [-250 (BELOW)] TJ ET", "see BELOW"),
]


@pytest.mark.parametrize(("content", "words"), SPACES)
def test_distances_become_spaces(content, words):
    assert markdown(content) == f"{words}\n"


# Browsers show each letter of a letterspaced text apart, and the space between two words, too.
SPACED = [
    ("The end", 3, "The end"),
    ("TIDES", 3, "TIDES"),
    ("a b c d e f", 3, "a b c d e f"),
    ("1234567", 3, "1 2 3 4 5 6 7"),
    ("abcd", 3, "a b c d"),
    ("The end", 0, "The end"),
]


@pytest.mark.parametrize(("crosses", "shown"), [(19, "| a | b |\n| --- | --- |\n| c | d |"), (20, "a b c d")])
def test_a_page_with_many_crosses_has_no_tables_of_inner_lines(crosses, shown):
    cross = "{0} {1} m {0} {2} l S {3} {4} m {5} {4} l S ".format
    marks = "".join(cross(x, 90, 110, x - 10, 100, x + 10) for x in range(40, 25 * crosses + 40, 25))
    words = lines("a", "c", x=80, y=706) + lines("b", "d", x=92, y=706)  # too close to be columns without lines
    assert markdown((marks + cross(90, 680, 720, 70, 702, 110)).encode() + words) == f"{shown}\n"


@pytest.mark.parametrize(("shown", "gap", "words"), SPACED)
def test_letterspaced_words_stay_words(shown, gap, words):
    content = [f"BT /F1 10 Tf {72 + at * (5 + gap)} 700 Td ({letter}) Tj ET " for at, letter in enumerate(shown)]
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar 32 /LastChar 122 /Widths [250 {'500 ' * 90}] >>"
    assert convert(pdf("".join(content).encode(), fonts={"F1": font}), "pdf").markdown == f"{words}\n"


@pytest.mark.parametrize(
    ("above", "below", "rows"), [((3, 4), (3, 4), 2), ((3, 4), (3, 5), 3), ((3, 3), (3, 3), 3), ((-1, -1), (-1, -1), 3)]
)
def test_a_line_in_the_elements_of_the_row_above_continues_its_cells(above, below, rows):
    def band(y, tags, *texts):
        cells = zip((0, 200), tags, texts)
        return [Segment(x, y, x + 80, 10, [(words, "")], words, False, False, tag) for x, tag, words in cells]

    bands = (
        band(100, (1, 2), "One", "Two"),
        band(80, above, "long text that", "Text of"),
        band(68, below, "goes on", "two"),
    )
    assert len(table_rows(list(bands), [150, float("inf")])) == rows


def test_a_single_line_with_a_long_dash_names_who_is_quoted():
    assert markdown(lines("The tide is late.") + lines("— Jane Doe", y=660)) == "The tide is late.\n\n— Jane Doe\n"
    assert markdown(lines("— the tide", "— the moon")) == "- the tide\n- the moon\n"


def test_lettered_items_nest_below_numbered_ones():
    content = lines("1. one") + lines("a. inner", "b. other", x=100, y=686) + lines("2. two", y=658)
    assert markdown(content) == "1. one\n   - a. inner\n   - b. other\n2. two\n"


def test_a_heading_under_the_columns_belongs_to_the_text_below():
    below = ["And here the text goes over the whole width of the page again, as it", "did in the beginning of it all."]
    content = lines(*PROSE[0]) + lines(*PROSE[1], x=320) + lines("Full width", y=615, size=16) + lines(*below, y=595)
    assert " ".join(markdown(content).split()) == " ".join([*PROSE[0], *PROSE[1], "# Full width", *below])


def test_a_last_line_of_usual_size_stays_in_its_column_beside_small_type():
    """Half of the lines are small, so only type larger than the larger half would be a heading."""
    left = [f"left line {letter} is filled up to its end" for letter in "abcdefgh"]
    right = [f"right line {letter} is filled" for letter in "abcdefgh"]
    below = ["And here the text goes over the whole width of the page again, as it", "did in the beginning of it all."]
    content = lines(*left, size=8) + lines("left end", y=588) + lines(*right, x=320) + lines(*below, y=560)
    assert " ".join(markdown(content).split()) == " ".join([*left, "left end", *right, *below])


def test_a_table_at_the_top_of_a_column_stays_in_it():
    table = b"1 w 320 700 160 40 re S 320 720 m 480 720 l S 420 700 m 420 740 l S "
    cells = lines("a", "c", x=330, y=726, step=20) + lines("b", "d", x=430, y=726, step=20)
    right = ["right side text below its table"] * 5
    content = table + cells + lines(*PROSE[0]) + lines(*right, x=320, y=680)
    expected = [*PROSE[0], "| a | b | | --- | --- | | c | d |", *right]
    assert " ".join(markdown(content).split()) == " ".join(expected)


def test_a_justified_line_with_wide_spaces_is_not_a_table():
    spread = text(12, 72, 672, "was decided") + text(12, 150, 672, "to wait") + text(12, 200, 672, "now")
    spread += text(12, 72, 658, "nobody") + text(12, 150, 658, "came") + text(12, 200, 658, "all.")
    content = lines("the first line of it is justified", "and the second one is it too:") + spread
    content += lines("the rest of the paragraph follows.", y=644)
    expected = (
        "the first line of it is justified and the second one is it too: was decided to wait now nobody came all."
    )
    assert " ".join(markdown(content).split()) == f"{expected} the rest of the paragraph follows."


def grid(*rows, top=740, x=70):
    """Return a drawn table of two columns."""
    heights = [top - 20 * at for at in range(len(rows) + 1)]
    drawn = b"".join(b"%d %d m %d %d l S " % (x, y, x + 300, y) for y in heights)
    drawn += b"".join(b"%d %d m %d %d l S " % (at, heights[-1], at, top) for at in (x, x + 150, x + 300))
    cells = [text(12, x + 10 + 150 * at, top - 14 - 20 * line, word) for line, row in enumerate(rows)
             for at, word in enumerate(row)]  # fmt: skip
    return drawn + b"".join(cells)


def test_a_table_continues_over_a_page_break():
    head, rows = ("Item", "Price"), [(f"item {name}", f"price {name}") for name in "abcd"]
    expected = "| Item | Price |\n| --- | --- |\n" + "\n".join(f"| {a} | {b} |" for a, b in rows) + "\n"
    assert markdown(grid(head, *rows[:2]), grid(*rows[2:])) == expected
    assert markdown(grid(head, *rows[:2]), grid(head, *rows[2:])) == expected
    assert markdown(grid(head, *rows[:2]), grid(*rows[2:], x=120)).count("---") == 4
    between = lines("Another table follows.")
    assert markdown(grid(head, *rows[:2]), between + grid(*rows[2:], top=600)).count("---") == 4


STATEMENT = [("Date", "For", "Amount")] + [(f"0{day} May", f"Rent of boat {day}", f"{day}2.00") for day in range(1, 6)]


def statement(*rows, xs=(72, 200, 400), top=700):
    return b"".join(
        text(12, x, top - 20 * line, word) for line, row in enumerate(rows) for x, word in zip(xs, row) if word
    )


@pytest.mark.parametrize("count", [1, 2])
def test_the_last_rows_of_a_table_without_lines_follow_those_of_the_page_before(count):
    end = lines("The sum at the end of May is given below this line of text.", y=700 - 20 * count - 40)
    rows = [*STATEMENT[:1], ("---",) * 3, *STATEMENT[1:]]
    expected = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    made = markdown(statement(*STATEMENT[:-count]), statement(*STATEMENT[-count:]) + end)
    assert made == f"{expected}\n\nThe sum at the end of May is given below this line of text.\n"


def test_a_table_with_a_repeated_head_continues_though_its_columns_are_elsewhere():
    made = markdown(statement(*STATEMENT[:4]), statement(STATEMENT[0], *STATEMENT[4:], xs=(72, 250, 450)))
    assert made.count("| Date |") == made.count("| --- | --- | --- |") == 1
    assert "| 05 May | Rent of boat 5 | 52.00 |" in made


def test_columns_of_text_after_a_table_are_not_its_rows():
    left = lines(*["The tide turns in the", "harbour at noon, and", "the boats lie there"] * 3, y=700, x=72)
    right = lines(*["Sand is dry at dusk,", "and the ferry waits", "for the next flood."] * 3, y=700, x=330)
    rows = [("Port", "Depth")] + [(f"Port {n}", f"{n} metres") for n in range(4)]
    made = markdown(statement(*rows, xs=(72, 330)), left + right)
    assert "| Port 3 | 3 metres |\n\nThe tide turns in the harbour" in made


def test_a_small_table_among_short_lines_is_not_a_column():
    prose = [f"A short line with number {at}" for at in range(9)]
    page = (
        lines(*prose, y=700, step=30)
        + lines("A", "1", "2", x=72, y=400, step=16)
        + text(12, 320, 400, "B")
        + text(12, 320, 368, "x")
        + lines("Behind the table it goes on", "for one line more", y=330, step=30)
    )
    made = markdown(page)
    assert "| A | B |\n| --- | --- |\n| 1 |  |\n| 2 | x |\n\nBehind the table" in made
    assert made.index("number 8") < made.index("| A")


# Browsers print vertical text as upright letters, each below the one before.
VERTICAL = ("吾輩は猫である。名前はまだ無い。", "どこで生れたかとんと見当が", "つかぬ。")


def test_letters_below_each_other_are_vertical_lines_read_from_the_right():
    font = "<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UCS2-H /DescendantFonts [<< >>] >>"
    shown = "".join(
        f"BT /F9 12 Tf {400 - 24 * column} {700 - 12 * row} Td <{ord(letter):04x}> Tj ET "
        for column, line in enumerate(VERTICAL)
        for row, letter in enumerate(line)
    )
    assert convert(pdf(shown.encode(), fonts={"F9": font}), "pdf").markdown == "".join(VERTICAL) + "\n"


def test_a_sentence_close_below_a_table_is_not_a_row():
    cells = b"".join(lines(*(f"cell {row}.{at}" for row in range(5)), x=72 + 110 * at) for at in range(4))
    below = lines("What the table says, in words that reach", "into its columns", y=630)
    made = markdown(cells + below).rstrip("\n").split("\n")
    assert made[0] == "| cell 0.0 | cell 0.1 | cell 0.2 | cell 0.3 |"
    assert made[-1] == "What the table says, in words that reach into its columns"


def test_entries_of_contents_keep_the_numbers_of_their_chapters():
    numbers = lines("1", "2", "3", "A", x=72)
    titles = lines(
        *(f"{title} . . . . . . . . . . . . . {at}" for at, title in enumerate(["In", "On", "By", "App"])), x=98
    )
    assert markdown(numbers + titles) == "1 In … 0\n\n2 On … 1\n\n3 By … 2\n\nA App … 3\n"


def test_text_far_from_its_dash_is_an_item():
    made = markdown(lines("What is to do:", y=740) + lines("-", "-", "-") + lines("one", "two", "three", x=90))
    assert made == "What is to do:\n\n- one\n- two\n- three\n"


def disc(x, y, paint=b"f", radius=2):
    """Return operators that draw a disc or circle as browsers do: four curves."""
    r, k = radius, radius * 0.55
    ends = [(r, k, k, r, 0, r), (-k, r, -r, k, -r, 0), (-r, -k, -k, -r, 0, -r), (k, -r, r, -k, r, 0)]
    curves = b"".join(
        b"%.2f %.2f %.2f %.2f %.2f %.2f c " % tuple(v + (x, y)[i % 2] for i, v in enumerate(e)) for e in ends
    )
    return b"%.2f %.2f m " % (x + r, y) + curves + paint + b" "


def square(x, y, size=4):
    return b"%d %d %d %d re f " % (x - size // 2, y - size // 2, size, size)


def test_drawn_discs_circles_and_squares_before_lines_are_bullets():
    outer = disc(80, 743) + placed("Oak, felled in", 90, 740) + disc(80, 701) + placed("Pine", 90, 698)
    inner = disc(100, 729, b"S") + placed("winter", 110, 726) + square(100, 715) + placed("spring", 110, 712)
    assert markdown(outer + inner) == "- Oak, felled in\n  - winter\n  - spring\n- Pine\n"


def test_a_drawn_bullet_is_found_above_hundreds_of_single_letters():
    letters = [placed("x", 90 + 6 * (n % 80), 726 - 8 * (n // 80)) for n in range(480)]
    assert markdown(disc(80, 743) + placed("Oak", 90, 740) + b"".join(letters)).startswith("- Oak")


@pytest.mark.parametrize(
    "drawn",
    [
        disc(80, 743, b"n"),  # only clips
        disc(80, 755),  # above the letters
        disc(30, 743),  # far from the text
        disc(110, 743),  # between two words
        b"1 g " + disc(80, 743) + b"0 g ",  # white
        b"1 g 1 G " + disc(80, 743, b"B") + b"0 g 0 G ",  # white with a white edge
        disc(80, 743, radius=8),
    ],
    ids=["clip", "above", "far", "between", "white", "white edge", "large"],
)
def test_other_dots_are_not_bullets(drawn):
    assert markdown(drawn + placed("Oak", 90, 740) + placed("and pine", 118, 740)) == "Oak and pine\n"


@pytest.mark.parametrize(
    "circle",
    [
        b"1 g 0 G " + disc(80, 743, b"B") + b"0 g ",  # filled with white, with an edge
        b"1 1 1 rg " + disc(80, 743, b"b*") + b"0 g ",
        b"1 g " + disc(80, 743) + disc(80, 743, b"S") + b"0 g ",  # first the area, then the edge
        b"1 g " + disc(80, 743, b"s") + b"0 g ",
    ],
)
def test_hollow_circles_filled_with_white_are_bullets(circle):
    assert markdown(circle + placed("Oak", 90, 740)) == "- Oak\n"


@pytest.mark.parametrize("between", ["", " ", "  "])
def test_the_letter_o_in_a_fixed_pitch_font_is_a_bullet(between):
    # Word's bullet of the second level is an "o" in Courier New.
    made = b"".join(
        lines("•", x=72, y=y) + lines(f"item {y}", x=90, y=y)
        + lines("o", x=108, y=y - 14, font="F3") + lines(between, x=116, y=y - 14) + lines("inner", x=126, y=y - 14)
        for y in (700, 670)
    )  # fmt: skip
    assert markdown(made) == "- item 700\n  - inner\n- item 670\n  - inner\n"


@pytest.mark.parametrize(
    "row",
    [
        text(10, 72, 700, "o", "F3") + text(10, 90, 700, "= object()", "F3"),  # code
        text(10, 72, 700, "o") + text(10, 90, 700, "in the font of the text"),
        text(10, 72, 700, "Set") + text(10, 91, 700, "o", "F3") + text(10, 99.5, 700, "first"),  # within a sentence
    ],
)
def test_other_letters_o_are_no_bullets(row):
    assert "o " in markdown(row)


def test_a_blank_to_fill_in_ends_its_line():
    made = markdown(placed("Signature: ____________", 72, 740) + placed("Remarks: ....................", 72, 726))
    assert made == "Signature: …\n\nRemarks: …\n"


def test_lines_of_an_address_at_the_right_stay_apart_and_those_of_a_quote_do_not():
    address = [(346, "Tideway Ltd"), (323, "12 Harbour Road"), (351, "4000 Porto")]  # all end at 400
    quote = [(324, "The tide waits for"), (345, "no man, she"), (323, "said at the bridge")]
    made = markdown(
        *(b"".join(text(10, x, 740 - 12 * n, line) for n, (x, line) in enumerate(rows)) for rows in (address, quote))
    )
    assert made == "Tideway Ltd\n\n12 Harbour Road\n\n4000 Porto\n\nThe tide waits for no man, she said at the bridge\n"


def test_labels_and_values_beside_an_address_are_a_table():
    sender, buyer = ["12 Quay Street", "4000 Porto"], ["Bill to:", "Dunes & Sons", "7 Mill Lane", "Bergen"]
    content = lines(*sender, y=720, step=12, size=10) + lines(*buyer, y=660, step=12, size=10)
    content += lines("Invoice no.", "Date", "Due date", x=380, y=710, size=10)
    made = markdown(content + lines("815-4711", "3 May", "2 June", x=500, y=710, size=10))
    table = "| Invoice no. | 815-4711 |\n| --- | --- |\n| Date | 3 May |\n| Due date | 2 June |\n"
    assert made == "\n\n".join([*sender, *buyer, table])


def test_a_narrow_heading_of_three_lines_is_one():
    assert markdown(lines("Tide Tables", "For The Year", "2024 And On", font="F2")).count("\n") == 1


def test_a_narrow_paragraph_with_small_letters_at_starts_of_lines_is_one():
    prose = lines("Ferries leave at 9", "from the pier near", "Mill Lane. At 10 the", "next one leaves.", size=10)
    assert markdown(prose).count("\n") == 1


def test_a_narrow_german_paragraph_with_nouns_at_starts_of_lines_is_one():
    prose = lines("Die Stadt hat 2026 den", "Hafen neu gebaut und die", "Boote liegen seither am", "Kai vor dem Wind.")
    assert markdown(prose).count("\n") == 1


def test_a_paragraph_goes_on_after_the_footnotes_of_its_page():
    first = lines("The ferry leaves the harbour at dawn and returns", "before the tide turns, which", y=740)
    notes = text(8, 72, 430, "1 See the tide tables.") + text(8, 72, 415, "2 In May.")
    made = markdown(first + notes, lines("the captain has done for thirty years.", y=740))
    text_of_both_pages, *notes_of_first = made.split("\n\n")
    assert text_of_both_pages.endswith("before the tide turns, which the captain has done for thirty years.")
    assert notes_of_first == ["1 See the tide tables.", "2 In May.\n"]


def test_a_listing_goes_on_over_a_page_break():
    def page(*code):
        return lines("Chapter 3", y=770) + lines(*code, y=740, font="F3")

    made = markdown(page("for x in y:", "    print(x)"), page("    save(x)", "    return"))
    assert "```\nfor x in y:\n    print(x)\n" in made
    assert made.count("```") == 2


@pytest.mark.parametrize("shift", [0, 0.3])
def test_days_without_a_year_are_cells_and_not_numbers_of_sections(shift):
    days = lines("Date", "01.05.", x=72.3) + lines("12.11.", x=72.3 + shift, y=672) + lines("03.12.", x=72.3, y=658)
    cells = lines("Text", "Rent", "Salary", "Card", x=122) + lines("Sum", "7.00", "9.00", "1.00", x=200)
    made = markdown(days + cells)
    assert made.split("\n")[2:] == [
        "| 01.05. | Rent | 7.00 |",
        "| 12.11. | Salary | 9.00 |",
        "| 03.12. | Card | 1.00 |",
        "",
    ]


def test_an_overfull_line_does_not_divide_paragraphs():
    made = markdown(lines(*["Line number ten ends."] * 9, "This line is much longer than all the others are."))
    assert made.count("\n") == 1


def test_bullets_in_cells_are_text():
    rows = ["plain", "round", "square"], ["■", "●", "▲"], ["no corner", "no end", "four corners"]
    cells = b"".join(
        b"BT /F4 12 Tf %d %d Td (%c) Tj ET " % (130, 700 - 14 * at, sign) for at, sign in enumerate(b"nls")
    )
    content = lines(*rows[0], x=72) + cells + lines(*rows[2], x=180)
    dingbats = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>"
    made = convert(pdf(content, fonts={"F1": HELVETICA, "F4": dingbats}), "pdf").markdown
    assert made.split("\n")[0] == "| plain | ■ | no corner |"


def placed(words, x, y=700, size=12):
    return text(size, x, y, words)


SCRIPTS = [
    (placed("10", 72) + placed("6", 86, 706, 8) + placed(" bytes", 91), "10⁶ bytes"),
    (placed("10", 72) + placed("-6", 86, 706, 8) + placed(" metres", 94), "10⁻⁶ metres"),
    (placed("CO", 72) + placed("2", 91, 697, 8) + placed(" falls", 96), "CO₂ falls"),
    (placed("H", 72) + placed("2", 80.7, 694, 9.6) + placed("O", 86, 700), "H₂O"),
    (placed("10", 72) + placed("-", 86, 706, 8) + placed("3", 89, 706, 8) + placed(" bits", 94), "10⁻³ bits"),
    (placed("said", 72) + placed("12", 94, 706, 7) + placed(" so", 102), "said¹² so"),
    (placed("the 1", 72) + placed("st", 99, 706, 8) + placed(" time", 106), "the 1st time"),
    (placed("Chapter", 72, size=16) + placed("3", 134, 700, 10), "Chapter 3"),
]


@pytest.mark.parametrize(("content", "line"), SCRIPTS)
def test_superscripts_and_subscripts_stay_separate_from_numbers(content, line):
    assert markdown(content + lines("Some words.", "Others.", y=600)).split("\n")[0].lstrip("# ") == line


# TeX with fonts without accented letters: the accent, a step back, the letter; over capitals a separate accent.
ACCENTED = [
    (b"BT /F1 12 Tf 72 700 Td [(M\xa8)520(unchen)]TJ ET", "München"),
    (b"BT /F1 12 Tf 72 700 Td [(G\xa8)500(odel)]TJ ET", "Gödel"),
    (placed("Ecole", 72) + placed("´", 74, 703), "École"),
    (placed("The Ange", 72) + placed("´", 96.5, 703), "The Ánge"),
    (placed("5", 72) + placed("´", 73, 703) + placed(" away", 79), "´5 away"),
]


@pytest.mark.parametrize(("content", "words"), ACCENTED)
def test_accents_set_over_letters_are_part_of_them(content, words):
    assert markdown(content + lines("Some words.", "Others.", y=600)).lstrip("# ").startswith(words)


@pytest.mark.parametrize(("sign", "items"), [("•", ["-", "-", "-", "-"]), ("{}.", ["1.", "2.", "3.", "4."])])
@pytest.mark.parametrize("words", ["short", "a line that goes on to where it ends, as long lines of text do on a page"])
@pytest.mark.parametrize("between", ["", " "])
def test_items_far_from_their_bullets_are_items(sign, items, words, between):
    rows = [
        (lines(sign.format(at), x=72, y=y) + lines(between, x=82, y=y), lines(words, x=105, y=y))
        for at, y in enumerate(range(670, 550, -30), 1)
    ]
    # Some programs write all bullets, then all texts.
    content = b"".join(label for label, _ in rows) + b"".join(item for _, item in rows)
    assert markdown(content) == "".join(f"{item} {words}\n" for item in items)


def test_a_grid_with_only_spaces_is_not_a_table():
    grid = b"".join(
        b"%d 600 m %d 660 l S 72 %d m 272 %d l S " % (x, x, y, y) for x, y in zip((72, 172, 272), (600, 630, 660))
    )
    blanks = b"".join(text(12, x, y, " ") for x in (80, 180) for y in (610, 640))
    assert markdown(grid + blanks + text(12, 72, 400, "Below.")) == "Below.\n"


def test_cells_of_many_lines_in_a_table_without_lines_stay_whole():
    """Lines of a cell are closer together than rows, and the table continues on the next page."""
    expected = "| Code | What it is | Price |\n| --- | --- | --- |\n"
    pages = []
    for page in range(2):
        content = (
            lines("Code", y=720) + lines("What it is", x=130, y=720) + lines("Price", x=466, y=720) if not page else b""
        )
        for at in range(4):
            words = [f"thing {page} {at} of which there is more to say than", "one line has room for", "or two"][
                : 1 + at % 3
            ]
            label, price = ["Item", f"{page} {at}"], f"{10 ** (at + page)}.00"
            content += lines(*label, y=690 - 60 * at) + lines(*words, x=130, y=690 - 60 * at)
            content += lines(price, x=500 - 6.67 * len(price), y=690 - 60 * at)
            expected += f"| {' '.join(label)} | {' '.join(words)} | {price} |\n"
        pages.append(content)
    assert markdown(*pages) == expected


def test_lines_of_single_letters_beside_a_larger_line_stay_separate():
    def letters(words, x, y):
        return b"".join(text(10, x + 6 * at, y, letter, "F3") for at, letter in enumerate(words) if letter != " ")

    content = (
        letters("the first of two lines", 72, 706)
        + letters("is shown by letters", 72, 694)
        + text(18, 320, 698, "Side")
    )
    made = markdown(content)
    assert "the first of two lines" in made
    assert "is shown by letters" in made


def test_bitmap_fonts_of_tex_name_their_glyphs_by_the_codes():
    font = "<< /Type /Font /Subtype /Type3 /Encoding << /Differences [71 /a71 73 /a73] >> >>"
    assert convert(pdf(text(12, 72, 700, "GI"), fonts={"F1": font}), "pdf").markdown == "GI\n"


# Codes of a text font: the Cork encoding if some are above 127 (ligatures start at 27), else OT1.
@pytest.mark.parametrize(
    ("codes", "expected"),
    [([71, 114, 246, 255, 101, 44, 27, 46], "Größe,ff."), ([114, 101, 13, 101, 120, 46], "reflex.")],
)
def test_bitmap_text_fonts_of_tex_have_their_letters_and_ligatures(codes, expected):
    names = " ".join(f"{code} /a{code}" for code in sorted(set(codes)))
    font = f"<< /Type /Font /Subtype /Type3 /Encoding << /Differences [{names}] >> >>"
    content = f"BT /F1 12 Tf 72 700 Td <{bytes(codes).hex()}> Tj ET".encode()
    assert convert(pdf(content, fonts={"F1": font}), "pdf").markdown == f"{expected}\n"


CITIES = (
    lines("City", "Bergen", "Lisbon", "Oslo", y=680) + lines("Rain", "812", "120", "210", x=150, y=680)
    + lines("Sun", "310", "890", "640", x=230, y=680) + lines("Rain", "990", "230", "330", x=310, y=680)
    + lines("Sun", "120", "560", "250", x=390, y=680)
)  # fmt: skip
CITIES_ROWS = """| City | Rain | Sun | Rain | Sun |
| Bergen | 812 | 310 | 990 | 120 |
| Lisbon | 120 | 890 | 230 | 560 |
| Oslo | 210 | 640 | 330 | 250 |
"""
SPANNING_HEADS = lines("Spring of the year", x=158, y=698) + lines("Autumn of the year", x=318, y=698)


@pytest.mark.parametrize("rulings", [b"", rules(712, 676, 626, left=70, right=440)])
def test_heads_that_span_columns_are_in_the_first_of_them(rulings):
    head = "|  | Spring of the year |  | Autumn of the year |  |\n| --- | --- | --- | --- | --- |\n"
    assert markdown(rulings + SPANNING_HEADS + CITIES) == head + CITIES_ROWS


def test_a_head_above_the_first_line_comes_before_heads_below_it_that_span_columns():
    lines_of_table = rules(712, 660, 640, 600, right=450)
    head = b"".join(text(12, x, 716, word) for x, word in zip((72, 150, 230, 310, 390), ("City", "a", "b", "c", "d")))
    spanning = text(12, 150, 698, "Spring of the year") + text(12, 310, 698, "Autumn of the year")
    rows = [("Bergen", 680), ("Bonn", 664), ("Lisbon", 644), ("Oslo", 610)]
    cells = b"".join(
        text(12, x, y, word) for city, y in rows for x, word in zip((72, 150, 230, 310, 390), (city, *"1234"))
    )
    assert markdown(lines_of_table + head + spanning + cells).startswith(
        "| City | a | b | c | d |\n| --- | --- | --- | --- | --- |\n"
        "|  | Spring of the year |  | Autumn of the year |  |\n| Bergen"
    )


def test_headings_and_sentences_below_a_table_are_not_rows():
    below = lines("Next part", y=600, size=18) + lines("A short sentence", y=570)
    table = CITIES_ROWS.replace("\n", "\n| --- | --- | --- | --- | --- |\n", 1)
    assert markdown(CITIES + below) == f"{table}\n# Next part\n\nA short sentence\n"
    assert markdown(CITIES + lines("A sentence", y=605)) == f"{table}\nA sentence\n"


def test_tables_below_headings_have_their_own_columns():
    """A heading crosses the gutters that the tables above and below it have in common."""
    other = lines("Option", "-a", "-b", "-c", y=570) + lines("Meaning of it", "all", "bare", "count", x=230, y=570)
    other += lines("Default", "on", "off", "0", x=390, y=570)
    output = markdown(CITIES + lines("A new heading", y=605, size=20) + other + lines("Words. " * 12, y=400))
    table = CITIES_ROWS.replace("\n", "\n| --- | --- | --- | --- | --- |\n", 1)
    rows = "| Option | Meaning of it | Default |\n| --- | --- | --- |\n| -a | all | on |\n| -b | bare | off |\n"
    assert output.startswith(f"{table}\n# A new heading\n\n{rows}| -c | count | 0 |\n\nWords.")


def test_rows_without_a_first_cell_are_rows_if_they_have_all_other_cells():
    content = lines("Gnat", "", "Gnu", "Emu") + lines("per gram", "each", "stuffed", "stuffed", x=150)
    content += lines("13.65", "0.01", "92.50", "33.33", x=250)
    rows = "| Gnat | per gram | 13.65 |\n| --- | --- | --- |\n|  | each | 0.01 |\n| Gnu | stuffed | 92.50 |\n"
    assert markdown(content) == f"{rows}| Emu | stuffed | 33.33 |\n"


def test_formulas_beside_short_lines_leave_the_columns_in_order():
    """The number of a formula is right of the lines above it; the lines of its fraction are close together."""
    left = ["A line of the left column goes on here."] * 14
    right = ["A line of the other column goes on, too."] * 5
    content = lines(*left) + lines(*right, "Let x be so.", x=320)
    content += text(12, 360, 607, "g h") + text(12, 340, 600, "v =") + text(12, 365, 593, "2n")
    content += text(12, 560, 600, "(1)") + lines(*right, x=320, y=574)
    expected = [" ".join(left), " ".join([*right, "Let x be so."]), "g h v = (1) 2n", " ".join(right)]
    assert markdown(content).rstrip().split("\n\n") == expected


@pytest.mark.parametrize("numbers", [["(1)"], ["(1)", "(2)"]])
def test_formula_numbers_beside_the_last_of_two_columns_leave_the_columns_in_order(numbers):
    """The first line of the page has a number, so that the gutter before it is one of the page's."""
    left = [*["A line of the left column goes on"] * 13, "A line that ends the left column."]
    right = ["a line of the other column does"] * 4
    content, y = lines(*left), 700
    for number in numbers:
        content += text(12, 360, y, "v = gt") + text(12, 560, y, number) + lines(*right, x=320, y=y - 24)
        y -= 98
    expected = [" ".join(left), *(part for number in numbers for part in (f"v = gt {number}", " ".join(right)))]
    assert markdown(content).rstrip().split("\n\n") == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a three-", "dimensional space", "three-dimensional space"),  # both parts occur elsewhere
        ("a well-", "known word", "well-known word"),  # the whole occurs elsewhere
        ("a mea-", "surement of it", "measurement of it"),
        ("state-of-", "the-art things", "state-of-the-art things"),  # its parts occur elsewhere
        ("the over-", "view of it", "overview of it"),  # as it does elsewhere without the hyphen
    ],
)
def test_hyphens_at_line_ends_stay_only_in_compounds(first, second, expected):
    elsewhere = lines("A two-dimensional overview of three things, well-known all over, the one view.", y=500)
    assert expected in markdown(lines(first, second) + elsewhere)


def test_words_that_ghostscript_kerns_are_whole():
    """Ghostscript moves back between two letters with a space or with letter spacing."""
    content = b"BT /F1 12 Tf 72 700 Td -4 Tw -1 Tc (PA TT) Tj 26 0 Td 0 Tw 0 Tc (ERN here) Tj ET "
    assert markdown(content + lines("Some words.", "Others.", y=600)).lstrip("# ").startswith("PATTERN here")


def test_wide_word_spaces_separate_the_cells_of_a_row():
    grid = stroke(*((x, 660, x, 720) for x in (70, 130, 190)), *((70, y, 190, y) for y in (660, 690, 720)))
    words = b"BT /F1 12 Tf 74 700 Td 20 Tw (Oak tree) Tj 0 -30 Td 15 Tw (Rose shrub) Tj ET "
    assert markdown(grid + words) == "| Oak | tree |\n| --- | --- |\n| Rose | shrub |\n"


def test_an_article_beside_short_lines_is_not_a_table():
    left = ["This is one of the full lines of the left column,"] * 14
    right = [
        *["This is a full line of the right column, too, as"] * 4,
        "Short",
        "lines",
        "follow",
        "it",
        "and",
        "go",
        "on",
    ]
    assert markdown(lines(*left) + lines(*right, x=340)).startswith(" ".join(left))


def test_columns_with_lines_at_different_heights_are_not_a_table():
    """Cards and newsletters: both columns have short lines, and the second one starts at another height."""
    left = [f"Left line {letter}" for letter in "abcdefghij"]
    right = [f"Right line {letter}" for letter in "abcdefghij"]
    made = markdown(lines(*left) + lines(*right, x=320, y=694))
    assert made == f"{' '.join(left)}\n\n{' '.join(right)}\n"


def test_an_index_is_read_by_its_columns():
    left, right = ([f"{letter}-term {word}, {at}" for at, word in enumerate(WORDS, 3)] for letter in "ab")
    made = markdown(lines(*left) + lines(*right, x=300))
    assert "|" not in made
    assert made.index(left[-1]) < made.index(right[0])


def test_a_flush_right_column_is_a_column_of_a_table():
    descriptions = [f"what the {word} of them does for you and your file" for word in WORDS]
    calls = [f"call{'x' * (5 * at % 17)}" for at in range(len(WORDS))]
    width = {"c": 6.0, "a": 6.672, "l": 2.664, "x": 6.0}
    right = b"".join(text(12, 540 - sum(map(width.get, call)), 700 - 14 * at, call) for at, call in enumerate(calls))
    rows = [f"| {row} | {call} |" for row, call in zip(descriptions, calls)]
    assert markdown(lines(*descriptions) + right) == "\n".join([rows[0], "| --- | --- |", *rows[1:]]) + "\n"


def test_page_numbers_stay_with_their_entries_beside_another_column():
    entries = ["Introduction", "News of the commands", "Code improvements", "Bugs that we fixed"]
    pages = [1, 1, 2, 3]
    prose = ["This is a full line of the right column, as wide as all"] * 12
    contents = lines(*entries, step=20) + lines(*map(str, pages), x=280, step=20)
    output = markdown(contents + lines(*prose, x=320)).split(" ".join(prose))[0]
    assert [line.strip("| ") for line in output.splitlines() if "-" not in line and line] == [
        f"{entry} | {page}" if "|" in output else f"{entry} {page}" for entry, page in zip(entries, pages)
    ]


def test_entries_of_contents_are_lines_of_their_own():
    entries = ("2 Installation 2", "2.1 Fonts . . . . . . . . 3", "aov . . . . . . . 5, 12", "bind . . . . . . . 9")
    assert markdown(lines(*entries)).split("\n\n") == [
        "2 Installation 2", "2.1 Fonts … 3", "aov … 5, 12", "bind … 9\n"
    ]  # fmt: skip


def test_margin_notes_are_on_the_line_that_they_are_about():
    """Dates of a CV: between two of them there is text with nothing beside it."""
    sentence = "What was done there in these years,"
    posts = [line for word in WORDS[:4] for line in (f"Engineer at {word}", sentence, "and why it was done.")]
    dates = b"".join(text(12, 470, 700 - 42 * at, f"201{at} - 201{at + 1}") for at in range(4))
    made = markdown(lines(*posts) + dates)
    assert all(f"Engineer at {word} 201{at} - 201{at + 1}" in made for at, word in enumerate(WORDS[:4]))


def test_a_heading_continues_below_its_words_rather_than_its_number():
    heading = text(18, 72, 700, "2.7 Other ways to start the in-") + text(18, 98, 678, "staller of it?")
    made = markdown(heading + lines("This is the text of the section, longer than its heading is.", y=650))
    assert made.startswith("# 2.7 Other ways to start the installer of it?\n\nThis")


@pytest.mark.parametrize("step_up", [-1, 0, 1])
def test_hanging_options_start_the_lines_of_their_text(step_up):
    rows = ["sort by time of last modification, newest first,", "and show it", "list entries by columns, not by lines"]
    for_c, for_l = " ".join(rows[:2]), rows[2]
    assert markdown(lines("-c", "", "-C") + lines(*rows, x=110, y=700 + step_up)) == f"-c {for_c}\n\n-C {for_l}\n"


def test_years_at_the_left_of_a_cv_are_on_the_lines_of_their_posts():
    posts = [("Experience", "2019 - 2024", "Pilot in the port"), ("", "2012 - 2019", "Mate on the ferry"),
             ("Education", "2008 - 2012", "Nautical science")]  # fmt: skip
    content, y = b"", 700
    for heading, years, post in posts:
        if heading:
            content += text(12, 72, y, heading, "F2")
            y -= 24
        content += text(12, 72, y, years) + lines(post, "What was done there in these years, in a sentence,", "and "
                                                  "why it was done.", x=170, y=y)  # fmt: skip
        y -= 52
    made = [line for line in markdown(content).split("\n") if line]
    sentence = "What was done there in these years, in a sentence, and why it was done."
    assert made == [
        "# Experience", "2019 - 2024 Pilot in the port", sentence, "2012 - 2019 Mate on the ferry", sentence,
        "# Education", "2008 - 2012 Nautical science", sentence,
    ]  # fmt: skip


def test_wide_labels_in_the_middle_of_their_cells_are_not_put_between_the_lines_of_the_text():
    rows = ["what the first program does, and how it does", "this in the end", "what the second program does, and how"]
    made = markdown(lines("alien program", "calibre", y=686, step=14) + lines(*rows, x=170))
    assert rows[0] + " " + rows[1] in made


def test_a_hanging_label_in_another_font_is_not_preformatted():
    rows = ["the manual of the program, in its package", "and its index", "the manual of the other program"]
    body = pdf(lines("-c", "", "-C") + lines(*rows, x=110, font="F2"), fonts={"F1": HELVETICA, "F2": COURIER})
    assert convert(body, "pdf").markdown == f"-c {rows[0]}\n\n```\n{rows[1]}\n```\n\n-C {rows[2]}\n"


def test_a_number_in_the_line_above_is_not_the_chapter_of_an_entry():
    entry = lines(" ", y=690) + lines("Tides ............ 12", x=120, y=690)
    assert markdown(lines("Chapter 3", x=300, y=720) + entry) == "Chapter 3\n\nTides … 12\n"


def test_cells_that_fill_their_column_are_separate():
    rows = (
        ("City", "Pop.", "Area"),
        ("Rome", "2,761,632", "1,285"),
        ("Paris", "2,102,650", "105"),
        ("Ghent", "265", "156"),
    )
    table = b"".join(lines(*cells, x=x, step=30) for cells, x in zip(zip(*rows), (58, 147, 210)))
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    assert markdown(table) == "\n".join((head, "| --- | --- | --- |", *others)) + "\n"


def test_sums_below_a_table_are_rows_and_a_sentence_far_below_is_text():
    rows = [
        ["1", "Consulting", "10", "1,000.00"],
        ["2", "Hosting, one year", "1", "240.00"],
        ["3", "Travel", "2", "9.00"],
    ]
    table = b"".join(lines(*cells, x=x, step=16) for cells, x in zip(zip(*rows), (72, 110, 330, 400)))
    sums = lines("Subtotal", "Tax", x=330, y=644) + lines("1,249.00", "237.31", x=400, y=644)
    made = markdown(table + sums + lines("Please pay within 30 days, without any discount.", y=590))
    lines_of_table = [
        f"| {' | '.join(row)} |" for row in (*rows, ["", "", "Subtotal", "1,249.00"], ["", "", "Tax", "237.31"])
    ]
    expected = "\n".join([lines_of_table[0], "| --- | --- | --- | --- |", *lines_of_table[1:]])
    assert made == f"{expected}\n\nPlease pay within 30 days, without any discount.\n"


NARROW_WIDTHS = " ".join("180" if letter in "il" else "450" for letter in "abcdefghijklmnopqrstuvwxyz")
NARROW = f"<< /Type /Font /Subtype /TrueType /BaseFont /Narrow /FirstChar 97 /LastChar 122 /Widths [{NARROW_WIDTHS}] >>"


def test_equal_scripts_above_each_other_are_both_kept():
    """The lower "2" is not the upper one, shown again in fake bold."""
    scripts = text(7, 77, 704, "2") + text(7, 77, 698, "2")
    assert markdown(text(10, 72, 700, "x") + scripts + text(10, 82, 700, "= 9")) == "x²₂ = 9\n"


@pytest.mark.parametrize("word", ["will", "filling", "illicit", "wiille"])
@pytest.mark.parametrize("offset", [0, 0.4])
def test_narrow_double_letters_are_not_fake_bold(word, offset):
    """Each letter is shown by an operator of its own, or twice by two."""
    content, x = b"", 72.0
    for letter in word:
        content += text(12, x, 700, letter, "F9") + (text(12, x + offset, 700, letter, "F9") if offset else b"")
        x += 12 * (0.18 if letter in "il" else 0.45)
    assert convert(pdf(content, fonts={"F9": NARROW}), "pdf").markdown == f"{word}\n"


INFINITY = float("inf")


def bands_of(*rows):
    """Return bands from rows of (y, texts of the columns); "" is an empty cell."""
    places = (70, 200, 330, 460)
    return [
        [
            Segment(places[column], y, places[column] + 60, 10, [(text, "")], text, False, False, -1)
            for column, text in enumerate(texts)
            if text
        ]
        for y, texts in rows
    ]


def texts_of(rows):
    return [[" ".join(segment.text for segment in cell) for cell in row] for row in rows]


# No column has one line in most rows, so the lines of a cell are found by the missing first cell.
ROWS = [
    ("a cell of two lines", [(100, "a b"), (88, " c")], ["a|b c"]),
    ("a line further down", [(100, "a b"), (80, " c")], ["a|b", "|c"]),
    ("two rows of sums", [(100, "a b c"), (80, " d e"), (68, " f g")], ["a|b|c", "|d|e", "|f|g"]),
    (
        "a head centred between its column and the next",
        [(100, "a b "), (80, "c  d"), (60, "e  f")],
        ["a|b", "c|d", "e|f"],
    ),
]


@pytest.mark.parametrize(("name", "lines", "rows"), ROWS)
def test_lines_become_rows_of_a_table(name, lines, rows):
    bands = bands_of(*((y, line.split(" ")) for y, line in lines))
    columns = [*range(165, 165 + 130 * (len(lines[0][1].split(" ")) - 1), 130), INFINITY]
    assert ["|".join(row) for row in texts_of(table_rows(bands, columns))] == rows


def table(*rows):
    return Block("table", [], rows=[[[(text, "")] if text else [] for text in row] for row in rows])


def test_a_row_that_the_page_break_divides_is_joined():
    above = table(("Option", "Meaning", "Default"), ("jobs", "how many", "4"))
    joined = joined_tables(above, table(("", "run at once", ""), ("out", "where", "-")))
    assert [["".join(text for text, _ in cell) for cell in row] for row in joined.rows] == [
        ["Option", "Meaning", "Default"], ["jobs", "how many run at once", "4"], ["out", "where", "-"],
    ]  # fmt: skip
    assert len(joined_tables(above, table(("Option", "Meaning", "Default"), ("out", "where", "-"))).rows) == 3


def test_a_divided_row_keeps_the_cells_that_its_second_half_lacks():
    above = table(("Option", "Meaning", "Default", "Since"), ("jobs", "how many", "2", "1.4"))
    joined = joined_tables(above, table(("", "run at once"), ("out", "where", "-", "1.0")))
    texts = ["".join(text for text, _ in cell) for cell in joined.rows[1]]
    assert texts == ["jobs", "how many run at once", "2", "1.4"]


def test_a_divided_row_keeps_the_cells_that_its_first_half_lacks():
    above = table(("Option", "Meaning", "Default", "Since"), ("jobs", "how many", "2"))
    joined = joined_tables(above, table(("", "", "", "1.4")))
    assert [[text for text, _ in cell] for cell in joined.rows[1]] == [["jobs"], ["how many"], ["2"], ["1.4"]]


@pytest.mark.parametrize("is_fixed_pitch", [False, True])
def test_a_paragraph_or_listing_over_many_pages_is_joined_in_linear_time(is_fixed_pitch):
    words = "of salt and reeds " * 1000
    line = Segment(70, 700, 90_000, 10, [(words, "")], words, False, is_fixed_pitch, -1)

    def seconds(count):
        body = Body({})
        began = time.process_time()
        for _ in range(count):
            body.add_page(1, [], [[line, line._replace(y=690)]])
        assert len(body.blocks()) == 1
        return time.process_time() - began

    assert growth(seconds, 400) == ""


def test_many_texts_on_one_line_are_joined_in_linear_time():
    def seconds(count):
        texts = [Segment(25 * i, 700, 25 * i + 20, 10, [("tide", "")], "tide", False, False, -1) for i in range(count)]
        began = time.process_time()
        assert [block.text for block in blocks_of(texts)] == [" ".join(["tide"] * count)]
        return time.process_time() - began

    assert growth(seconds, 6000) == ""


def test_texts_of_a_cell_are_from_left_to_right_if_their_baselines_differ_a_little():
    content = b""
    for row in range(5):
        y = 700.4 - 20 * row
        content += text(12, 72, y, f"Row {row}") + text(12, 480, y, f"{row}.5")
        if row == 2:
            content += text(12, 250, y, "left") + text(12, 330, y + 0.2, "right")
        else:
            content += text(12, 250, y, "wide text over both")
    assert "| Row 2 | left right | 2.5 |" in convert(pdf(content), "pdf").markdown


@pytest.mark.parametrize("end", [b"m S ", b"g "])
def test_a_long_number_in_a_path_is_read_in_linear_time(end):
    def seconds(count):
        began = time.process_time()
        paths.rulings(b"1" * count + end, IDENTITY)
        paths.ends_white(b"1" * count + end, False, True)
        return time.process_time() - began

    assert growth(seconds, 4000) == ""
