"""Choose and cut the text that is sent. In: markdown or an answer, and what is asked for. Out: what fits. Pure.

parts.py gives the part that a call asks for: outline.py, finding.py, sql.py and question/ find it. blocks.py and
reading.py parse markdown for them, budget.py keeps to tokens and bytes. Which
page it is, and how it came here, is left to webtool.pages.
"""
