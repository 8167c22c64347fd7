"""Apply robots.txt (RFC 9309). In: the file, a product token and a URL. Out: whether the URL may be fetched.

`rules` is pure and exported here. `gate` fetches and caches the files. webtool.pages decides when to ask.

Tests: tests/robots/test_gate.py
"""

from __future__ import annotations

from webtool.robots.rules import ALLOW_ALL, DISALLOW_ALL, MAX_BYTES, Robots, for_status, normalise_path, parse

__all__ = ["ALLOW_ALL", "DISALLOW_ALL", "MAX_BYTES", "Robots", "for_status", "normalise_path", "parse"]
