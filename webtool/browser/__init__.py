"""A headless Chromium. In: a URL and a deadline. Out: the page as the browser holds it after its scripts ran.

Every connection of the browser goes through proxy.py, which asks the guard of webtool.net. What the page becomes is
left to webtool.pages; the browser is found on the machine (finder.py), never fetched.
"""
