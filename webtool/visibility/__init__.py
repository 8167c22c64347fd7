"""Which elements a reader sees, and which are laid out as another kind than their tag says. In: a tree. Out: reasons.

hidden.py finds the hidden elements, panels.py those that a click shows, arranged.py the elements that a style sheet
lays out as lines, items or tables. The tree is not changed. Reading style sheets is left to webtool.css.
"""
