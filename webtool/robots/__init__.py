"""robots.txt: a file's text, a product token and a URL in; may it be fetched, out. Specification: RFC 9309.

`rules` is pure and is what this room gives by name; `gate` fetches the files and keeps them. When to ask, and what to
say of a refusal, is left to webtool.pages.
"""

from __future__ import annotations

from webtool.robots.rules import ALLOW_ALL, DISALLOW_ALL, MAX_BYTES, Robots, for_status, normalise_path, parse

__all__ = ["ALLOW_ALL", "DISALLOW_ALL", "MAX_BYTES", "Robots", "for_status", "normalise_path", "parse"]
