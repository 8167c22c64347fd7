"""Read a page for extraction: its text as blocks, and what it says about itself.

In: the root of a tree. Out: Page (blocks, containers, tables of data), Head (meta elements, JSON-LD), the elements that
stay hidden. It leaves to model/ and rules/ to judge which blocks are the main content.
"""
