"""CSS: read style sheets, match selectors, resolve the cascade. In: sheets, attributes, a tree. Out: declarations.

The room knows what the CSS specifications say. webtool.visibility decides which elements that hides from a reader.
"""
