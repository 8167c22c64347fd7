"""Render pages in a headless Chromium. In: a URL and a deadline. Out: the page's HTML after its scripts ran.

Every connection of the browser goes through proxy.py, which asks the guard of webtool.net. The browser must be
installed on the machine (launch.py); it is never downloaded. Turning the HTML into text is left to webtool.pages.

Layers, from the bottom: cdp (the protocol); process, launch, memory, proxy (one browser process); engine
(all of these); tab, worlds, reading, clicks, page (one page); session (the interface for other rooms).
"""
