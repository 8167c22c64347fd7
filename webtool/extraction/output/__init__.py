"""From kept blocks to the answer. In: a cut page, kept blocks. Out: a tree, pictures, groups that were left out."""
