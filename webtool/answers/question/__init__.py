"""Answer a question about a page. In: markdown, and a query or a quote. Out: passages in a budget, or a verdict. Pure.

excerpt.py finds the passages: query.py reads the query, word_matching.py matches its words, units.py cuts the page,
ranking.py scores the units, writing.py writes the chosen ones. quotes.py checks whether the page has a quote.
"""
