"""Correct the first choice of blocks: one rule, one decision, one row of table.py.

In: a Choice, which is a cut page and a flag for each block. Out: the flags changed in place.
A rule says why a block is dropped or kept, and `WEBTOOL_DEBUG=1` shows it. A rule stays if some figure is worse
without it (tests/bench/extraction/ablate.py), or if a case fails without it.
Tests: tests/extraction/rules/test_table.py
"""
