"""Search the web. In: a query with its options. Out: results in one form, whichever search engine answered.

A provider is a search engine. table.py has one record for each. A provider's module is pure and has ENGINE, an Engine
of results.py. If its URL or headers depend on more than one setting, the module also has
account(settings, secrets) -> Account, which may name another engine for another API.

chain.py asks providers in turn, driver.py asks one, credentials.py finds URLs and keys, queries.py checks queries. The
schemas of the search tools are left to webtool.tools.

Tests: tests/providers/test_table.py
"""
