"""Stand-ins for slow modules of the standard library, each with what it costs and saves.

In and out as the originals: records for typing.NamedTuple, patterns for re.compile, jsontext for json, dates for
email.utils. Everything else is left to the standard library.
"""
