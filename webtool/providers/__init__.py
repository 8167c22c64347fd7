"""Search engines. In: a query with its options. Out: results in one form, whichever provider answered.

table.py has one record for each provider. A provider's module is pure and has ENGINE, an Engine of results.py. A module
whose URL or headers depend on more than one setting has account(settings, secrets) -> Account too, which may name
another engine for another API.

chain.py asks providers in turn, driver.py asks one, credentials.py finds URLs and keys, queries.py checks queries. The
schemas of the search tools are left to webtool.tools.

Tests: tests/providers/test_table.py
"""
