"""From spans of text with positions to blocks in reading order. In: the segments of pages. Out: Blocks, as a tree."""
