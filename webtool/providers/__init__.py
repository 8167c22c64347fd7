"""Search engines. In: a query with its options. Out: results in one form, whichever engine answered.

One module an engine (request(query) and results(body), both pure), `driver` sends and retries, `pace` keeps the
distance between requests, `credentials` finds keys. How results are written is left to webtool.tools.
"""
