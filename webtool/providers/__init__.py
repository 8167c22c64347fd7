"""Search engines. In: a query with its options. Out: results in one form, whichever provider answered.

table.py has one record for each provider. A provider's module is pure and has NAME (for messages), OPTIONS (that it
understands), MAX_COUNT (results of one page), first(query) -> position, request(query, account, position) -> Request
and results(response, query, position, now) -> Page. It may have account(settings, secrets) -> Account, unused(options)
-> reasons, FURTHER_PAGES, and READS_REDIRECTS if results() accepts a redirect.

chain.py asks providers in turn, driver.py asks one, credentials.py finds URLs and keys. The schemas of the search tools
are left to webtool.tools.

Tests: tests/providers/test_table.py
"""
