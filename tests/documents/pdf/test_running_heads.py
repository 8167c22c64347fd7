"""Running heads are kept once, page numbers are dropped, and lines that only look like heads stay in place."""

import time

import pytest
from documents.writers import lines, pdf, text
from growing import growth

from webtool.documents import convert
from webtool.documents.pdf.layout import Segment, running_heads


def paged(head, body, foot, count=4):
    """Return a file whose pages have a head, text and a foot; each is a function of the page number."""
    return pdf(*[text(10, 72, 760, head(n)) + lines(*body(n)) + text(10, 72, 40, foot(n)) for n in range(1, count + 1)])


def prose(number):
    name = "one two three four five six".split()[number - 1]
    return [f"This is what {name} says in a sentence", f"that goes over several lines of {name}",
            f"as most sentences of {name} do, because", f"they are those of {name} and not of others,",
            f"so that {name} has lines of its own."]  # fmt: skip


# (head, foot, how often which words are in the text)
HEADS = [
    (lambda _: "Invoice 4711 of 2026-03-01", lambda n: f"Page {n} of 4", {"Invoice 4711 of 2026-03-01": 1, "of 4": 0}),
    (lambda n: f"Order 815, page {n} of 4", lambda _: "Bank of Tests, IBAN DE02", {"Order 815": 1, "IBAN DE02": 1}),
    (lambda n: f"Invoice {4711 + n // 3}", lambda n: f"- {n} -", {"Invoice 4711": 1, "Invoice 4712": 1, "- 1": 0}),
    (lambda n: f"{n}      A Title of a Book", lambda _: "", {"A Title of a Book": 1}),
    (lambda n: f"A Title of a Book {'i' * n if n < 4 else 'iv'}", lambda _: "", {"A Title of a Book": 1, "iii": 0}),
    # Rows of numbers at the same height are data.
    (
        lambda n: f"{n * n + 3} {91 - n * 7}",
        lambda n: f"{7 * n} 1.{n * n}",
        {"4 84": 1, "7 77": 1, "14 1.4": 1, "28 1.16": 1},
    ),
]


@pytest.mark.parametrize(("head", "foot", "counts"), HEADS)
def test_each_running_head_is_kept_once(head, foot, counts):
    shown = convert(paged(head, prose, foot), "pdf").markdown
    assert {words: shown.count(words) for words in counts} == counts
    assert all(" ".join(prose(n)) in shown for n in range(1, 5))


def test_running_heads_with_words_of_the_text_are_dropped():
    def body(number):
        return ["2 On Heads", *prose(number)] if number == 3 else prose(number)

    shown = convert(paged(lambda n: "1 Opening" if n < 3 else "2 On Heads", body, str, 6), "pdf").markdown
    assert (shown.count("1 Opening"), shown.count("2 On Heads")) == (1, 1)


def test_dropped_words_are_counted():
    made = convert(paged(lambda _: "Journal of Tests", prose, lambda n: f"Page {n}"), "pdf")
    assert made.note == "Left out: 17 words of page numbers and running heads that repeat."


def test_tables_at_the_same_height_are_not_running_heads():
    grid = b"".join(b"70 %d m 470 %d l S " % (y, y) for y in (715, 695, 675, 655))
    grid += b"".join(b"%d 655 m %d 715 l S " % (x, x) for x in (70, 270, 470))
    pages = [grid + lines("Item", f"bolt {n}", f"nut {n}", x=80, step=20) +
             lines("Price", f"1.{n}", f"2.{n}", x=280, step=20) for n in range(5)]  # fmt: skip
    shown = convert(pdf(*pages), "pdf").markdown
    assert [f"| nut {n} | 2.{n} |" in shown for n in range(5)] == [True] * 5


MARKED = b"/Artifact << /Type /Pagination >> BDC %s EMC "


def test_a_marked_running_head_on_one_page_is_kept_once():
    assert convert(pdf(MARKED % text(12, 72, 760, "Letter of 2026-03-01") + lines("Text.")), "pdf").markdown == (
        "Letter of 2026-03-01\n\nText.\n"
    )


def test_a_sentence_continues_over_a_new_running_head():
    first = lines(
        "A paragraph that begins here on the first page and", "goes on for some lines until the page ends and"
    )
    second = MARKED % text(10, 72, 760, "New Head") + lines("then goes on here.", "Now it ends.")
    assert convert(pdf(first, second), "pdf").markdown == (
        "A paragraph that begins here on the first page and goes on for some lines until the page ends and then goes on"
        " here. Now it ends.\n\nNew Head\n"
    )


def test_pages_of_one_line_keep_lines_that_differ_in_numbers():
    made = convert(pdf(*(text(12, 72, 700, f"Receipt {number}") for number in range(5))), "pdf")
    assert [made.markdown.count(f"Receipt {number}") for number in range(5)] == [1] * 5
    assert not made.note


def test_a_stamp_on_pages_without_text_is_kept_once():
    made = convert(pdf(*(text(12, 72, 700, "Scanned by the archive") for _ in range(5))), "pdf")
    assert made.markdown.count("Scanned") == 1


def test_pages_that_are_only_numbered_keep_their_numbers():
    assert convert(pdf(*[text(40, 200, 400, f"Page {n}") for n in range(1, 6)]), "pdf").markdown.count("Page") == 5


def test_rows_of_cells_at_the_top_of_all_pages_are_not_running_heads():
    row = b"".join(text(12, 72 + 120 * at, 760, f"A = 0.{7 + at}") for at in range(4))
    made = convert(pdf(*[row + lines(*prose(n)) for n in range(1, 5)]), "pdf")
    assert (made.markdown.count("A = 0.9"), made.note) == (4, "")


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        (lambda n: f"Budget {2020 + n}", [1, 1, 1, 1]),
        (lambda n: f"{2020 + n} in figures, page {n} of 4", [1, 1, 1, 1]),
        (lambda n: f"Seite {2020 + n}", [1, 0, 0, 0]),
        (lambda n: f"Journal of Tests, vol. 7, {440 + n}", [1, 0, 0, 0]),
    ],
)
def test_years_that_follow_each_other_are_not_page_numbers(head, counts):
    shown = convert(paged(head, prose, lambda n: ""), "pdf").markdown
    assert [shown.count(head(n)) for n in range(1, 5)] == counts


def test_two_pages_with_many_texts_in_the_first_line_take_linear_time():
    def seconds(count):
        page = [Segment(25 * i, 700, 25 * i + 20, 10, [("tide", "")], "tide", False, False, -1) for i in range(count)]
        began = time.process_time()
        running_heads.take_out([page, page])
        return time.process_time() - began

    assert growth(seconds, 1000) == ""
