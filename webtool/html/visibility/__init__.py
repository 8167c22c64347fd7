"""What a page hides from its readers. In: a tree. Out: the hidden elements, each with the reason; nothing is changed.

hidden.py decides and panels.py says what a click shows; sheets.py and selectors.py read style elements, declarations.py
and colours.py their values. Pure.
"""
