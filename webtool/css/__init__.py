"""CSS: read style sheets, match selectors, resolve the cascade. In: sheets, attributes, a tree. Out: declarations.

The room knows what the CSS specifications say. Which elements that hides from a reader is decided in webtool.visibility.
"""
