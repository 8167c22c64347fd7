"""Answers cut to a budget. In: text or an answer, a number of bytes or tokens. Out: what fits.

Pure: cuts are at line ends. What an answer says is left to webtool.tools.
"""
