"""A quote is verbatim, normalised or absent on a page."""

import time

import pytest
from growing import growth

from webtool.answers.question.quotes import verify
from webtool.errors import InvalidArgument

PAGE = """# Tides

The *spring* tide is “higher” than [the neap](https://a.example/neap) – by 20 %.

- It costs 35 dollars
  a year.

| Port | Height |
| --- | --- |
| Brest | 6.9 m |

`set_height()` is called twice.

潮汐是海水
的涨落。

A half sold.[3] Then a half\u2010sold story — and then… ends.
The half-sold … ends well-
known ports.
"""

VERDICTS = [
    ("It costs 35 dollars", "verbatim", [5, 5]),
    ("is “higher” than [the neap]", "verbatim", [3, 3]),
    ("The spring tide is “higher” than the neap", "verbatim", [3, 3]),
    ('The spring tide is "higher" than the neap - by 20 %.', "normalised", [3, 3]),
    ("costs 35\u00a0dollars a year", "normalised", [5, 6]),
    ("Port Height", "normalised", [8, 8]),
    ("set_height() is called twice", "normalised", [12, 12]),
    ("潮汐是海水的涨落", "normalised", [14, 15]),
    ("“The spring tide is 'higher' than the neap—by 20 %.”", "normalised", [3, 3]),
    ("...tide is higher", "absent", [3, 3]),
    ("... costs 35 dollars ...", "normalised", [5, 5]),
    ("[…] costs 35 dollars […]", "normalised", [5, 5]),
    ("a half-sold story -- and then...", "normalised", [17, 17]),
    ("The half-sold . . . ends", "normalised", [18, 18]),
    ("well-known ports", "normalised", [18, 19]),
    ("A half sold.[3] Then", "verbatim", [17, 17]),
    ("A half sold. Then", "normalised", [17, 17]),
    ("A half sold.[4] Then", "absent", [17, 17]),
    ("The spring tide[1] is “higher”", "normalised", [3, 3]),
    ("It costs 3", "absent", [5, 5]),
    ("The spring tide is lower than the neap", "absent", [3, 3]),
]
STEPS = """## How to sail

1. Tie the rope.
2. Let go
   of 1,000 things at once.

It was cut off by
10. Then it cost 3.5 dollars at 1.50, on 5/6.
"""
NUMBERS = [
    ("Tie the rope. Let go", "normalised"), ("1. Tie the rope. 2. Let go", "normalised"), ("2. Let go", "verbatim"),
    ("2. Tie the rope.", "absent"), ("1984. Tie the rope", "absent"), ("1. Let go", "absent"),
    ("cut off by 10. Then it cost", "normalised"), ("## How to sail 1. Tie", "normalised"),
    ("- Tie the rope", "normalised"), ("cost 3", "absent"), ("5 dollars", "absent"), ("3.5 dollars", "verbatim"),
    ("of 1", "absent"), ("000 things", "absent"), ("of 1,000 things", "verbatim"), ("at 1", "absent"),
    ("on 5", "verbatim"), ("at 1.50", "verbatim"),
]  # fmt: skip


@pytest.mark.parametrize(("quote", "verdict"), NUMBERS)
def test_a_quote_loses_no_number_and_ends_in_none(quote, verdict):
    assert verify(STEPS, quote)["verdict"] == verdict


MARKED = """**What not to flush**\\
\\- Hygiene products\\
\\- Cotton swabs

- One
- Two

```
QUERY PLAN
----------
Index Scan
```

AT&amp;T sells&nbsp;it.

- 5 °C at night
"""
IN_ONE_LINE = [
    ("flush - Hygiene products - Cotton", "normalised"), ("- One - Two", "normalised"), ("One Two", "normalised"),
    ("QUERY PLAN ---------- Index", "normalised"), ("QUERY PLAN Index Scan", "normalised"), ("One + Two", "absent"),
    ("-5 °C at night", "absent"), ("- One - Three", "absent"), ("AT&T sells it", "normalised"),
    ("AT&amp;T sells", "verbatim"),
]  # fmt: skip


@pytest.mark.parametrize(("quote", "verdict"), IN_ONE_LINE)
def test_a_quote_in_one_line_may_have_the_marks_of_lines(quote, verdict):
    assert verify(MARKED, quote)["verdict"] == verdict


@pytest.mark.parametrize(("quote", "verdict", "lines"), VERDICTS)
def test_a_quote_is_verbatim_normalised_or_absent(quote, verdict, lines):
    result = verify(PAGE, quote)
    assert (result["verdict"], result["lines"]) == (verdict, lines)
    assert ("nearest" in result) == (verdict == "absent")


def test_a_quote_that_begins_inside_a_word_is_found_where_it_begins_anew():
    assert verify("Piano no no.", "no no")["verdict"] == "verbatim"


def test_lines_of_dashes_and_repeated_words_take_linear_time():
    def cost(size):
        started = time.process_time()
        verify("a\n" + "-" * size + "x\n" + "no " * size + "\n", "no " * 99 + "n")
        return time.process_time() - started

    assert growth(cost, 20_000) == ""


def test_the_nearest_passage_of_an_absent_quote_is_shown():
    assert "spring tide is “higher”" in verify(PAGE, "the spring tide is always lower")["nearest"]
    assert verify(PAGE, "zebra quagga") == {"verdict": "absent"}


@pytest.mark.parametrize("quote", ["", "  ", "...", "a" * 20001])
def test_empty_and_endless_quotes_are_refused(quote):
    with pytest.raises(InvalidArgument):
        verify(PAGE, quote)


def test_ten_thousand_quotes_of_many_pages_take_seconds():
    pages = [f"{PAGE}\n" + "\n\n".join(f"Sentence {n} of page {i} has words." for n in range(300)) for i in range(50)]
    begin = time.process_time()
    for n in range(500):
        assert verify(pages[n % 50], f"Sentence  {n % 300} of page {n % 50} has words")["verdict"] == "normalised"
    assert time.process_time() - begin < 10
