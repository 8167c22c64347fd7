"""Threads, worker processes, deadlines, budgets of text. In: work and its bounds. Out: its result, FetchTimeout,
Cancelled or Spent. What the work is, others know: a worker is given a function by its name."""
