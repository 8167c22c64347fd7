"""HTTP over sockets. In: a Request. Out: a Response with its body decoded, or an error of webtool.errors.

client.py combines the parts: the guard against private addresses, proxies, TLS, redirects, retries and limits. What a
response means for a page is left to webtool.pages, and what of it is stored to webtool.cache.
"""
