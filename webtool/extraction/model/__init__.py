"""The learned model: features of blocks, forest, scores. In: a cut page. Out: a probability for each block."""
