"""CSS without layout. In: style sheets and a tree. Out: for each element, the Style that its declarations give it.

Text is read by rules (sheets into rules), selectors, declarations, colours and media. properties.py is the table of all
properties; boxes.py and paint.py test their values. cascade.py matches rules, sheets.py puts everything together.
Which elements that hides from a reader is left to webtool.visibility. Style sheets are never fetched here.
"""
