"""Schemas of tools. In: a schema, a request. Out: arguments that fit it, or InvalidArgument; the text of --schema.

arguments.py checks requests, text.py writes what --schema prints, host_rules.py has the rules that agent hosts apply
to it. The schemas themselves stand in webtool.tools.
"""
