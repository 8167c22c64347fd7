"""HTTP over sockets. In: a Request. Out: a Response with its body decoded, or an error of webtool.errors.

client.py puts it together: the guard against private addresses, proxies, TLS, redirects, retries and bounds. What a
response means for a page, and what is stored of it, is left to webtool.pages and webtool.cache.
"""
