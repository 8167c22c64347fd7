"""A page cut into blocks, and what it says outside its text. In: a tree. Out: Page, Grids, Head, JSON-LD objects."""
