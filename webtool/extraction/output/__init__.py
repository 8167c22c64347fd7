"""Write what was chosen. In: a cut page and which of its blocks are kept. Out: a tree, text, pictures, a receipt.

The receipt lists the parts that were left out. It leaves markdown to webtool/markdown.
"""
