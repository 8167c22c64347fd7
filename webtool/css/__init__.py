"""CSS without layout. In: style sheets and a tree. Out: for each element, the Style that its declarations give it.

Text is read by rules (sheets into rules), selectors, declarations, colours and media. properties.py is the table of all
properties; clipping, transforms, positions and paint test their values. cascade matches rules, sheets applies them.
Which elements that hides from a reader is left to webtool.visibility. Style sheets are never fetched here.
"""
