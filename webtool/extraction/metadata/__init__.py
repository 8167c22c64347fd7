"""Title, author, date, site name and price of a page. In: head, cut page, address. Out: Metadata."""
