"""The command line and the protocol of agent hosts. In: argv, or a request on stdin. Out: text or JSON, exit status.

main.py is for people: flags.py and page_options.py read their words, help_text.py and topics.py print help. host.py
answers one JSON request. commands/ holds the commands that are not tools. What a tool does is left to webtool.tools;
here its answers and errors are written.
Tests: tests/cli/test_people.py
"""
