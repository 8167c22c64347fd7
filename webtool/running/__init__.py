"""Run work within limits: threads, worker processes, deadlines, budgets of text.

In: a function and its limits. Out: its result, or FetchTimeout, Cancelled, Spent. This room knows nothing about the
work: a worker is given a function by its name.
"""
