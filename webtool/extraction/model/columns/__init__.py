"""Features of blocks. In: a cut page. Out: columns of bytes, a byte for each block; features.py orders them. Pure."""
