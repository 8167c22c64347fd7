"""Threads and deadlines. In: work and a time by which it must end. Out: its result, FetchTimeout or Cancelled."""
