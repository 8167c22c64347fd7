"""Where links and images point: attribute values in, absolute URLs out, None for what must not be followed.

Resolution itself is webtool.urls (WHATWG URL); here are the schemes that become text and the shortcuts for the usual
forms, because a page has hundreds of links.
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import WebtoolError
from webtool.lean import patterns

# Scripts and inline data are no addresses. Browsers drop tabs and line ends inside a scheme before they look at it.
_unsafe = patterns.compile(
    r"(?i)[\x00-\x20]*(?:(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t|d\s*a\s*t\s*a)\s*:"
).match
_is_clean_absolute = patterns.compile(r"https?://[a-z0-9.-]+(?:/[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~#]*)?\Z").match
_is_clean_path = patterns.compile(r"/(?!/)[!$%&'()*+,\-0-9:;=?@A-Z_a-z~#/]*\Z").match  # without dots: no "..", as is
_origin = patterns.compile(r"https?://[^/?#]+").match
_MAX_LENGTH = 8192  # longer addresses are inline data or an attack


class Links:
    """Resolves the references of one document."""

    def __init__(self, base_url: str | None, base_href: str | None = None) -> None:
        self.base = base_url or ""
        if base_href and not _unsafe(base_href):
            joined = self._join(base_href.strip()) if self.base else base_href.strip()
            if joined[:7].lower() == "http://" or joined[:8].lower() == "https://":
                self.base = joined
        self._page = self.base.partition("#")[0]
        match = _origin(self.base)
        self._origin = match[0] if match else ""
        self._joined: dict[str, str] = {}

    def resolve(self, reference: str) -> str | None:
        """The absolute URL, or None when the reference is a script, inline data or too long."""
        reference = reference.strip(" \t\n\r\f")
        if len(reference) > _MAX_LENGTH:
            return None
        if self._origin and _is_clean_path(reference):
            return self._origin + reference
        if _is_clean_absolute(reference):
            return reference
        if _unsafe(reference):
            return None
        if not self.base:
            return reference
        if not reference:
            return self._page
        if reference[0] == "#":
            return self._page + reference
        known = self._joined.get(reference)
        if known is None:
            known = self._joined[reference] = self._join(reference)
        return known

    def _join(self, reference: str) -> str:
        try:
            return urls.join(self.base, reference)
        except WebtoolError:
            return reference
