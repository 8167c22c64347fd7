"""Which item may be fetched next, with a clock that the test moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.bulk.turns import Turns


def taken(turns, now, limit=99):
    """Take all items that may go at that time."""
    items = []
    while len(items) < limit and (number := turns.take(now)) is not None:
        items.append(number)
    return items


def test_the_first_item_of_a_host_goes_alone():
    turns = Turns(["a", "a", "a", "a", "b"], per_host=2)
    assert taken(turns, 0) == [0, 4]
    turns.end(0, 1)
    assert taken(turns, 1) == [1, 2]
    turns.end(2, 2)
    assert taken(turns, 2) == [3]
    assert turns.left == 0


def test_a_delay_counts_from_the_end_of_an_item_and_other_hosts_go_on():
    turns = Turns(["a", "a", "b", "b", "a"], per_host=2, delay=10)
    assert taken(turns, 0) == [0, 2]
    turns.end(0, 3)
    turns.end(2, 4)
    assert taken(turns, 12.9) == []
    assert turns.wait(12.9) == (pytest.approx(0.1), "a")
    assert taken(turns, 13) == [1]
    assert taken(turns, 14) == [3]
    assert taken(turns, 99) == []  # one at a time where there is a delay
    turns.end(1, 99)
    assert taken(turns, 109) == [4]


def test_a_hosts_own_delay_applies_after_its_first_page():
    turns = Turns(["a", "a", "a"], per_host=5)
    assert taken(turns, 0) == [0]
    turns.end(0, 1, delay=4)
    assert taken(turns, 4.9) == []
    assert taken(turns, 5) == [1]
    turns.end(1, 6, delay=1e9)
    assert turns.wait(6) == (1e9, "a")


def test_hosts_of_several_types_may_be_due_at_the_same_time():
    """A batch numbers the addresses without a host: "https://" next to "https://a.example/"."""
    turns = Turns(["a", 1, None, "a", 1, None], delay=4)
    assert taken(turns, 0) == [0, 1, 2]
    for number in (2, 1, 0):
        turns.end(number, 1)
    assert turns.wait(1) == (4, "a")
    assert taken(turns, 5) == [3, 4, 5]


def test_a_host_that_asks_for_a_pause_gets_no_item_and_others_do():
    turns = Turns(["a", "b", "a", "b", "a"], per_host=2)
    assert taken(turns, 0) == [0, 1]
    turns.end(0, 1, pause=60, again=True)
    turns.end(1, 1)
    assert taken(turns, 1) == [3]
    assert turns.left == 3
    assert taken(turns, 60.9) == []
    assert taken(turns, 61) == [0, 2]


def test_a_pause_applies_to_a_host_that_was_ready():
    turns = Turns(["a"] * 4, per_host=3)
    turns.take(0)
    turns.end(0, 1)
    assert turns.take(1) == 1
    turns.end(1, 1, pause=5)
    assert taken(turns, 2) == []
    assert taken(turns, 6) == [2, 3]


@given(st.lists(st.sampled_from("abc"), max_size=30), st.integers(1, 4), st.sampled_from([0.0, 0.5, 2.0]), st.randoms())
def test_every_item_goes_once_within_its_hosts_limit(hosts, per_host, delay, random):
    turns = Turns(hosts, per_host, delay)
    now, active, ended, order = 0.0, [], {}, []
    for _ in range(1000):
        number = turns.take(now)
        if number is not None:
            host = hosts[number]
            assert sum(hosts[one] == host for one in active) < per_host
            assert now - ended.get(host, -99) >= delay - 1e-9
            active.append(number)
            order.append(number)
        elif active:
            number = active.pop(random.randrange(len(active)))
            ended[hosts[number]] = now
            turns.end(number, now)
        now += random.choice([0.0, 0.1, 1.0])
        if not turns.left and not active:
            break
    assert sorted(order) == list(range(len(hosts)))
    for host in "abc":
        mine = [number for number in order if hosts[number] == host]
        assert mine == sorted(mine)


def test_the_others_of_a_host_go_as_soon_as_its_delay_is_known():
    turns = Turns(["a", "a", "a", "b", "b"], per_host=3)
    assert taken(turns, 0) == [0, 3]
    assert sorted(turns.unknown()) == [0, 3]
    turns.learn(0, 1, 0.0)
    turns.learn(3, 1, 9.0)
    assert turns.unknown() == []
    assert taken(turns, 1) == [1, 2]  # "b" wants a delay from the end of its first item
    turns.end(3, 2, delay=9.0)
    assert taken(turns, 10.9) == []
    assert taken(turns, 11) == [4]


@pytest.mark.parametrize(("delay", "pause", "is_paused"), [(3600, 0, False), (0, 7200, True), (10, 7200, True)])
def test_the_items_of_a_host_that_would_wait_too_long_are_refused(delay, pause, is_paused):
    turns = Turns(["a", "b", "a", "b", "a"], per_host=2)
    assert taken(turns, 0) == [0, 1]
    turns.learn(0, 0, 0.0)
    turns.end(0, 1, delay=delay, pause=pause)
    assert turns.refuse(0, 1, latest=61) == ([2, 4], max(delay, pause), is_paused)
    turns.end(1, 2)
    assert turns.refuse(1, 2, latest=62) is None
    assert taken(turns, 2) == [3]
    turns.end(3, 3)
    assert (turns.left, turns.wait(3), taken(turns, 9999)) == (0, None, [])


def test_a_refused_host_that_was_ready_does_not_block_an_item_that_is_awaited():
    turns = Turns(["a", "a", "a", "b"], per_host=2)
    turns.learn(0, 0, 0.0)
    assert turns.take(0) == 0
    assert turns.take(0) == 1
    turns.end(0, 1)  # item 2 is ready now
    turns.end(1, 1, pause=999)
    assert turns.refuse(1, 1, latest=2)[0] == [2]
    assert turns.take(1, only=3) == 3


def test_an_item_given_again_comes_before_the_item_that_was_next():
    turns = Turns(["a", "a", "a"], per_host=2)
    assert taken(turns, 0) == [0]
    turns.end(0, 1)
    assert turns.take(1) == 1
    turns.end(1, 1, again=True)
    assert taken(turns, 1) == [1, 2]
    assert turns.left == 0


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=40), st.integers(1, 3), st.integers(1, 3))
def test_each_item_is_given_once_and_once_more_for_each_again(ends, hosts, per_host):
    turns = Turns([number % hosts for number in range(9)], per_host)
    open_items, given_out, agains, now = [], [], [], 0.0
    for index, again in [*ends, *[(0, False)] * 30]:
        now += 1
        for number in taken(turns, now):
            open_items.append(number)
            given_out.append(number)
        if open_items:
            number = open_items.pop(index % len(open_items))
            agains += [number] if again else []
            turns.end(number, now, pause=float(index), again=again)
    for _ in range(200):
        now += 10
        for number in taken(turns, now):
            given_out.append(number)
            turns.end(number, now)
    assert sorted(given_out) == sorted([*range(9), *agains])
    assert turns.left == 0
