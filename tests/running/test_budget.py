"""A budget counts until it is spent, and stays spent."""

import pytest

from webtool.running.budget import DEFAULT, Budget, Spent


def test_what_fits_is_counted_without_a_word():
    budget = Budget(10)
    budget.take(4)
    budget.take(6)
    assert (budget.left, budget.is_spent, budget.note()) == (0, False, "")


def test_what_does_not_fit_raises_then_and_ever_after():
    budget = Budget(10)
    with pytest.raises(Spent):
        budget.take(11)
    with pytest.raises(Spent):
        budget.take(0)
    assert budget.is_spent
    assert "more than 10 characters" in budget.note()


def test_the_default_is_eight_times_what_is_fetched_by_default():
    from webtool.settings import Settings

    assert 8 * Settings().max_bytes == DEFAULT
