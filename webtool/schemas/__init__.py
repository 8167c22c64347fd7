"""Check requests against the schemas of tools. In: a schema, a request. Out: arguments, or InvalidArgument.

aliases.py renames arguments that have other names than the schema's, arguments.py checks types and ranges. printed.py
writes what --schema prints, and checks that as agent hosts do. The schemas are in webtool.tools.
"""
