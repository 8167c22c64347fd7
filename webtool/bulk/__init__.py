"""Process many pages in one run: archives, lists, crawls. In: file names, streams, (URL, HTML) pairs. Out: rows.

many.py converts pages in worker processes. crawl.py fetches from many hosts at once, turns.py keeps to the limits of
each host. evidence.py packs citations with their pages, evidence_check.py checks such a pack.
sources.py and files.py find the pages that the words of a command line name. warc/ reads and writes archives.
site.py saves the pages of a site in the folder of folder.py; scope.py decides which addresses belong to the site.
One page from URL to snapshot is left to webtool.pages.
"""
