"""Judge blocks by a learned model. In: a cut page. Out: for each block the probability that it is main content.

columns/ measures the blocks, lexicon scores words and class names, forest turns the measures into scores, and scoring
turns scores into probabilities and a choice. rules/ correct that choice afterwards.
"""
