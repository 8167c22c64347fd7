"""From probabilities to a choice: groups that stay together, and the best cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.extraction.model import model_file, scoring
from webtool.extraction.model.lexicon import Lexicon
from webtool.extraction.page import cutting, head
from webtool.html import parse_html

chances = st.floats(0, 1, allow_nan=False)


def cut(words):
    """Return a page with blocks of these numbers of words."""
    return cutting.cut(parse_html("".join(f"<p>{'word ' * count}</p>" for count in words)))


def test_blocks_in_equal_containers_are_a_group():
    card = "<div class=card><h3>Name</h3><p class=price>$1</p></div>"
    page = cutting.cut(parse_html(f"<main>{card * 3}<p>Other text</p></main>"))
    name, price, other = 0, 1, 2
    assert scoring.groups(page) == [name, price, name, price, name, price, other]


def test_blocks_with_different_inline_classes_are_different_groups():
    page = cutting.cut(parse_html("<ul><li><b class=x>1</b><li><b class=y>2</b><li><b class=x>3</b></ul>"))
    assert scoring.groups(page) == [0, 1, 0]


def test_groups_of_three_move_towards_their_mean_and_smaller_ones_do_not():
    found = scoring.even_out([0.9, 0.3, 0.3, 0.9, 0.1], [0, 0, 0, 1, 1])
    assert found == pytest.approx([0.9 - 0.4 * scoring.EVENNESS, *[0.3 + 0.2 * scoring.EVENNESS] * 2, 0.9, 0.1])


class Even:
    """A model that gives every block a probability of one half."""

    lexicon = Lexicon({}, {}, {})

    class forest:  # noqa: N801
        @staticmethod
        def scores(columns):
            return [0.0] * len(columns[0])


@pytest.mark.parametrize(
    ("types", "chance"),
    [
        ({"newsarticle"}, 3 / 7),
        ({"productgroup"}, 3 / 7),
        ({"newsarticle", "collectionpage"}, 0.5),
        ({"discussionforumposting"}, 0.5),
        (set(), 0.5),
    ],
)
def test_doubtful_blocks_become_less_likely_on_articles_and_products(types, chance):
    known = head.Head()
    known.schema_types = types
    assert scoring.probabilities(cut([20, 20]), known, Even) == pytest.approx([chance] * 2)


def test_rows_and_code_stay_as_likely_as_they_are():
    known = head.Head()
    known.schema_types = {"newsarticle"}
    page = cutting.cut(parse_html("<p>Text</p><table><tr><th>Year<td>1951</tr></table><pre>run</pre>"))
    assert scoring.probabilities(page, known, Even) == pytest.approx([3 / 7, 0.5, 0.5, 0.5])


def test_the_choice_has_the_greatest_expected_f1():
    # 0.35 among likely blocks of equal size lowers the expectation; among unlikely ones it raises it
    assert scoring.choose(cut([10] * 4), [0.9, 0.9, 0.35, 0.0]) == [True, True, False, False]
    assert scoring.choose(cut([10] * 4), [0.4, 0.4, 0.35, 0.0]) == [True, True, True, False]
    assert scoring.choose(cut([10] * 2), [0.0, 0.0]) == [False, False]
    assert scoring.choose(cut([0, 10]), [0.0, 0.0]) == [False, False]


@given(st.lists(st.tuples(st.integers(1, 50), chances), max_size=12))
def test_no_left_out_block_is_likelier_than_a_chosen_one(rows):
    page = cut([words for words, _ in rows])
    values = [chance for _, chance in rows]
    kept = scoring.choose(page, values)
    taken = [chance for chance, is_kept in zip(values, kept) if is_kept]
    left = [chance for chance, is_kept in zip(values, kept) if not is_kept]
    assert len(kept) == len(values)
    assert not taken or not left or min(taken) >= max(left)


@given(st.lists(st.tuples(chances, st.integers(0, 3)), max_size=20))
def test_evening_out_keeps_the_mean_of_each_group(rows):
    values = [chance for chance, _ in rows]
    group_of = [group for _, group in rows]
    found = scoring.even_out(values, group_of)
    for group in set(group_of):
        before = [value for value, of in zip(values, group_of) if of == group]
        after = [value for value, of in zip(found, group_of) if of == group]
        assert sum(after) == pytest.approx(sum(before))
        assert all(min(before) - 1e-9 <= value <= max(before) + 1e-9 for value in after)


@pytest.mark.parametrize(
    ("rows", "is_chosen"),
    [
        ("<tr><th>Tide<th>Time<tr><td>High<td>Six", True),
        ("<tr><th>Tide<td><p>Time<p>High<p>Six", True),  # a text with the name of what it is about
        ("<tr><td>Tide<p>Time<p>High<p>Six", False),
    ],
)
def test_a_data_table_amid_chosen_text_is_chosen_and_a_layout_table_is_not(rows, is_chosen):
    text = f"<p>{'word ' * 40}"
    page = cutting.cut(parse_html(f"<div>{text * 3}<table>{rows}</table>{text * 3}</div>"))
    chosen = scoring.choose(page, [0.99] * 3 + [0.3] * 4 + [0.99] * 3)
    assert chosen == [True] * 3 + [is_chosen] * 4 + [True] * 3


KINDS = [
    ({"discussionforumposting"}, "", "forum"),
    ({"product"}, "", "product"),
    ({"newsarticle"}, "", "article"),
    (set(), "https://x.example/forum/viewtopic.php?t=1", "forum"),
    (set(), "https://x.example/", "other"),
]


@pytest.mark.parametrize(("types", "address", "kind"), KINDS)
def test_the_kind_of_a_page_is_read_from_its_data_and_address(types, address, kind):
    known = head.Head()
    known.schema_types = types
    assert scoring.KINDS[scoring.kind_of(known, address)] == kind


def test_confidence_is_what_the_table_of_the_kind_says_for_a_promise():
    page = cut([10, 10])
    tables = [step // divisor for divisor in (1, 2, 4, 5) for step in range(scoring.STEPS)]
    answers = [scoring.confidence(page, [1.0, 0.0], [True, False], kind, tables) for kind in range(4)]
    assert answers == [1.0, 0.5, 0.25, 0.2]


def test_the_model_has_a_rising_table_for_each_kind_of_page():
    calibration = model_file.load().calibration
    assert len(calibration) == scoring.STEPS * len(scoring.KINDS)
    for kind in range(len(scoring.KINDS)):
        table = calibration[scoring.STEPS * kind : scoring.STEPS * (kind + 1)]
        assert list(table) == sorted(table)
        assert max(table) <= 100
