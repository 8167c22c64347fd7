"""Read a page's metadata: title, author, date, site, description, price. In: a cut page and its head. Out: Metadata.

Each fact is looked for in structured data first (JSON-LD, meta elements), then in elements and lines beside the
headline. It leaves the text itself to model/ and rules/.
"""
