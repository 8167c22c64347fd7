"""What of a text is sent. In: markdown or an answer, and what is wanted of it. Out: what fits. Pure.

capping and tokens fit an answer into bytes and tokens, at line ends; outline, finding, excerpt and quotes give the
parts of a page that contract section 10 names. Which page it is, and how it came here, is left to webtool.pages.
"""
