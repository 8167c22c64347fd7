"""Corrections of the choice that the model made. In: a cut page, the chosen blocks. Out: the choice, changed."""
