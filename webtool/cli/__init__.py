"""The command line and the protocol of hosts. In: argv, or a request on stdin. Out: text or JSON on stdout, a status.

main.py is for people, host.py for agent hosts, commands/ has what is not a tool. What a tool does is left to
webtool.tools; here are flags, help, and the form of answers and errors.
"""
