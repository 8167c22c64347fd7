"""Find what a reader sees of a page. In: a tree. Out: the hidden elements with reasons; boxes unlike their tags.

hidden.py finds the hidden elements, reasons.py decides on each reason, panels.py finds those that a click shows.
arranged.py finds the elements that style sheets lay out as lines, items or tables. The tree is changed in one way:
overriding.py puts text beside a visible descendant of a hidden element into a span, which is then hidden alone. Reading
style sheets is left to webtool.css, and writing text to webtool.markdown.
"""
