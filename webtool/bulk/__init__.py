"""Many pages in one run: archives, lists, crawls. In: names of files, streams, (URL, HTML) pairs. Out: rows.

many.py converts pages in worker processes; crawl.py and polite.py fetch from many hosts at once and keep each host's
limits; sources.py and files.py find the pages that words of the command line name; warc/ reads and writes archives.
One page from URL to snapshot is left to webtool.pages.
"""
