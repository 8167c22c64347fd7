"""Threads, deadlines, budgets of text. In: work and its bounds. Out: its result, FetchTimeout, Cancelled or Spent."""
