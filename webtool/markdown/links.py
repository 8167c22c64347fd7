"""Resolve the addresses of links and images.

In: attribute values. Out: absolute URLs, or None for what must not be followed (scripts, inline data).

Resolution itself is webtool.urls (WHATWG URL). This module adds: the schemes that become text; shortcuts for the usual
forms, because a page has hundreds of links; the targets of redirect pages (google.com/url?q=...); and limits, because a
long base URL would be repeated in each of 20,000 links.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import WebtoolError
from webtool.html.elements import ASCII_SPACE
from webtool.lean import patterns
from webtool.running.budget import Budget
from webtool.urls.hosts import percent_decode

# Scripts and inline data. Browsers ignore tabs and line ends inside a scheme, so this does too.
_UNSAFE = patterns.compile(r"(?i)[\x00-\x20]*(?:(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t|d\s*a\s*t\s*a)\s*:")
_is_clean_absolute = patterns.compile(r"https?://[a-z0-9.-]+(?:/[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~#]*)?\Z").match
_is_clean_path = patterns.compile(r"/(?!/)[!$%&'()*+,\-0-9:;=?@A-Z_a-z~#/]*\Z").match  # has no dots, so no ".."
# Redirect pages (they warn or count): host and path -> query fields that may have the target.
_REDIRECTS = {
    "www.google.com/url": ("q", "url"), "www.youtube.com/redirect": ("q",), "l.facebook.com/l.php": ("u",),
    "lm.facebook.com/l.php": ("u",), "l.instagram.com/": ("u",), "duckduckgo.com/l/": ("uddg",),
    "steamcommunity.com/linkfilter/": ("u", "url"), "vk.com/away.php": ("to",), "link.zhihu.com/": ("target",),
    "slack-redir.net/link": ("url",), "www.linkedin.com/safety/go": ("url",), "t.umblr.com/redirect": ("z",),
    "link.juejin.cn/": ("target",), "safelinks.protection.outlook.com/": ("url",),
}  # fmt: skip
_REDIRECT = patterns.compile(r"https?://(?:[a-z0-9]+\.(?=safelinks\.))?([^?#]+)\?([^#]*)")
_origin = patterns.compile(r"https?://[^/?#]+").match
_NOWHERE = ("#", "#!")  # the top of the page; such links are buttons for scripts
_MAX_LENGTH = 8192  # characters of an address; longer ones are inline data or an attack, and are dropped
_MAX_CODE = 4000  # hexadecimal digits of a protected mail address that are decoded
_MAX_BASE = 4096  # characters of a base URL; a longer one is not used


def protected_address(code: str) -> str:
    """Decode a mail address that Cloudflare hides: each byte of the hexadecimal code is XORed with the first one.

    Returns "" if the result is not a mail address.
    """
    try:
        key, *letters = bytes.fromhex(code[:_MAX_CODE])
        text = bytes([letter ^ key for letter in letters]).decode()
    except ValueError:
        return ""
    return text if ("@" in text or text[:1] == "?") and text.isprintable() else ""


def _redirect_target(url: str) -> str:
    """Return the target of a redirect page's URL; any other URL is returned as it is."""
    match = _REDIRECT.match(url)
    fields = _REDIRECTS.get(match[1].lower(), ()) if match else ()
    pairs = match[2].split("&") if match and fields else []
    for pair in pairs:
        name, _, value = pair.partition("=")
        target = percent_decode(value) if name in fields else ""
        if target[:8].lower().startswith(("http://", "https://")):
            try:
                return urls.parse(target).href
            except WebtoolError:
                break
    return url


class Links:
    """Resolve references of a document. `how` says how links are written: "inline", "refs" (numbered) or "none"."""

    def __init__(
        self, base_url: str | None, base_href: str | None = None, budget: Budget | None = None, how: str = "inline"
    ) -> None:
        self.base = base_url or ""
        if base_href and not _UNSAFE.match(base_href):
            joined = self._join(base_href.strip()) if self.base else base_href.strip()
            if joined[:7].lower() == "http://" or joined[:8].lower() == "https://":
                self.base = joined
        self._page = (base_url or "").partition("#")[0]
        match = _origin(self.base)
        self._origin = match[0] if match and len(match[0]) <= _MAX_BASE else ""
        if len(self.base) > _MAX_BASE:
            self.base = ""
        self._joined: dict[str, str] = {}  # cache: reference -> URL
        self._budget = budget
        self._numbers: dict[str, int] | None = {} if how == "refs" else None  # URL -> number
        self.are_written = how != "none"
        self.are_numbered = how == "refs"

    def resolve(self, reference: str) -> str | None:
        """Return the absolute URL, or None for a script, inline data, a lone "#", or an address that is too long.

        "#id" stays as it is. Raises Spent if the document's addresses exceed its budget.
        """
        reference = reference.strip(ASCII_SPACE)
        if self._origin and len(reference) <= _MAX_LENGTH and _is_clean_path(reference):
            url: str | None = self._origin + reference
        else:
            url = self._resolved(reference)
            if url is not None and "=http" in url:
                url = _redirect_target(url)
        if url is not None and self._budget is not None:
            self._budget.take(len(url))
        return url

    def _resolved(self, reference: str) -> str | None:
        """Resolve a reference that is not a plain path."""
        if len(reference) > _MAX_LENGTH:
            return None
        if _is_clean_absolute(reference):
            return self._same_page(reference) if "#" in reference else reference
        if _UNSAFE.match(reference):
            return None
        if reference[:1] == "#" or not self.base:
            return None if reference in _NOWHERE else reference
        if not reference:
            return self._page if len(self._page) <= _MAX_LENGTH else ""
        joined = self._joined.get(reference)
        if joined is None:
            joined = self._joined[reference] = self._same_page(self._join(reference))
        return joined if len(joined) <= _MAX_LENGTH else reference

    def _same_page(self, url: str) -> str:
        """Shorten a URL to "#fragment" if the rest is the page itself."""
        page, mark, fragment = url.partition("#")
        return mark + fragment if fragment and page == self._page else url

    def _join(self, reference: str) -> str:
        try:
            return urls.join(self.base, reference)
        except WebtoolError:
            return reference

    def number(self, url: str) -> str:
        """Return the number of a URL in the list at the end, or "" if links are written in place."""
        if self._numbers is None:
            return ""
        return str(self._numbers.setdefault(url, len(self._numbers) + 1))

    def numbered(self) -> dict[str, int]:
        """Return the numbered URLs with their numbers."""
        return self._numbers or {}
