"""Measure the blocks of a page for the model. In: a cut page, its head, the lexicon. Out: one column per feature.

A column is a bytes object with a figure from 0 to 255 for each block. features.py joins the columns of the other
modules in the order that the model was trained on; a change of any figure needs a new model.bin.
"""
