"""What a page says on a question. In: markdown, and a query or a quote. Out: passages in a budget, or a verdict. Pure.

excerpt.py finds the passages: asking.py reads the query, kinship.py and terms.py match its words, units.py cuts the
page, ranking.py scores, packing.py chooses, writing.py writes. quotes.py checks whether the page has a quote.
"""
