"""What a page hides from its readers, and what it arranges otherwise than its tags say. In: a tree. Out: the elements,
each with the reason or the kind; nothing is changed.

hidden.py decides and panels.py says what a click shows; arranged.py tells lines, items and tables; sheets.py and
selectors.py read style elements, declarations.py and colours.py their values. Pure.
"""
