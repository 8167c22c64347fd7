"""A budget counts until it is spent, and stays spent."""

import pytest

from webtool.running.budget import DEFAULT_LIMIT, Budget, Spent


def test_text_within_the_budget_is_only_counted():
    budget = Budget(10)
    budget.take(4)
    budget.take(6)
    assert (budget.left, budget.is_spent, budget.note()) == (0, False, "")


def test_text_over_the_budget_raises_now_and_later():
    budget = Budget(10)
    with pytest.raises(Spent):
        budget.take(11)
    with pytest.raises(Spent):
        budget.take(0)
    assert budget.is_spent
    assert "more than 10 characters" in budget.note()


def test_the_default_budget_is_eight_times_max_bytes():
    from webtool.settings import Settings

    assert 8 * Settings().max_bytes == DEFAULT_LIMIT
