"""Where links and images point: attribute values in, URLs out, None for what must not be followed.

Resolution itself is webtool.urls (WHATWG URL); here are the schemes that become text, the shortcuts for the usual
forms, because a page has hundreds of links, and the bounds: one long base would be written with each of 20,000 links.
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import WebtoolError
from webtool.lean import patterns
from webtool.running.budget import Budget
from webtool.urls.hosts import percent_decode

# Scripts and inline data are no addresses. Browsers drop tabs and line ends inside a scheme before they look at it.
_unsafe = patterns.compile(
    r"(?i)[\x00-\x20]*(?:(?:j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t|d\s*a\s*t\s*a)\s*:"
).match
_is_clean_absolute = patterns.compile(r"https?://[a-z0-9.-]+(?:/[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~#]*)?\Z").match
_is_clean_path = patterns.compile(r"/(?!/)[!$%&'()*+,\-0-9:;=?@A-Z_a-z~#/]*\Z").match  # without dots: no "..", as is
# Pages that only lead on, after a warning or a count: host and path, and the field of the query that says where to.
_WAYS = {
    "www.google.com/url": ("q", "url"), "www.youtube.com/redirect": ("q",), "l.facebook.com/l.php": ("u",),
    "lm.facebook.com/l.php": ("u",), "l.instagram.com/": ("u",), "duckduckgo.com/l/": ("uddg",),
    "steamcommunity.com/linkfilter/": ("u", "url"), "vk.com/away.php": ("to",), "link.zhihu.com/": ("target",),
    "slack-redir.net/link": ("url",), "www.linkedin.com/safety/go": ("url",), "t.umblr.com/redirect": ("z",),
    "link.juejin.cn/": ("target",), "safelinks.protection.outlook.com/": ("url",),
}  # fmt: skip
_way = patterns.compile(r"https?://(?:[a-z0-9]+\.(?=safelinks\.))?([^?#]+)\?([^#]*)").match
_origin = patterns.compile(r"https?://[^/?#]+").match
_NOWHERE = ("#", "#!")  # the top of the page: what scripts act on is written so
_MAX_LENGTH = 8192  # longer addresses are inline data or an attack
_MAX_CODE = 4000  # hexadecimal digits of a protected address
_MAX_BASE = 4096  # a base that is longer is not put before other addresses


def protected_address(code: str) -> str:
    """What Cloudflare hides of a link to a mail address, as its script decodes it: each byte with the first one XORed;
    "" for what is none."""
    try:
        key, *letters = bytes.fromhex(code[:_MAX_CODE])
        text = bytes([letter ^ key for letter in letters]).decode()
    except ValueError:
        return ""
    return text if ("@" in text or text[:1] == "?") and text.isprintable() else ""


def _behind(url: str) -> str:
    """Where a link leads that a page which only leads on stands before."""
    match = _way(url)
    fields = _WAYS.get(match[1].lower(), ()) if match else ()
    for pair in match[2].split("&") if match and fields else ():
        name, _, value = pair.partition("=")
        target = percent_decode(value) if name in fields else ""
        if target[:8].lower().startswith(("http://", "https://")):
            try:
                return urls.parse(target).href
            except WebtoolError:
                break
    return url


class Links:
    """Resolves the references of one document. `how` they are written: "inline", "refs" (at the end) or "none"."""

    def __init__(
        self, base_url: str | None, base_href: str | None = None, budget: Budget | None = None, how: str = "inline"
    ) -> None:
        self.base = base_url or ""
        if base_href and not _unsafe(base_href):
            joined = self._join(base_href.strip()) if self.base else base_href.strip()
            if joined[:7].lower() == "http://" or joined[:8].lower() == "https://":
                self.base = joined
        self._page = (base_url or "").partition("#")[0]
        match = _origin(self.base)
        self._origin = match[0] if match and len(match[0]) <= _MAX_BASE else ""
        if len(self.base) > _MAX_BASE:
            self.base = ""
        self._joined: dict[str, str] = {}
        self._budget = budget
        self._numbers: dict[str, int] | None = {} if how == "refs" else None
        self.are_written = how != "none"
        self.are_numbered = how == "refs"

    def resolve(self, reference: str) -> str | None:
        """The absolute URL, or None for a script, inline data, a lone "#" or what is too long. "#id" stays what it is.

        Raises Spent when the addresses of a document are more than its budget.
        """
        reference = reference.strip(" \t\n\r\f")
        if self._origin and len(reference) <= _MAX_LENGTH and _is_clean_path(reference):
            url: str | None = self._origin + reference
        else:
            url = self._resolved(reference)
            if url is not None and "=http" in url:
                url = _behind(url)
        if url is not None and self._budget is not None:
            self._budget.take(len(url))
        return url

    def _resolved(self, reference: str) -> str | None:
        if len(reference) > _MAX_LENGTH:
            return None
        if _is_clean_absolute(reference):
            return self._same_page(reference) if "#" in reference else reference
        if _unsafe(reference):
            return None
        if reference[:1] == "#" or not self.base:
            return None if reference in _NOWHERE else reference
        if not reference:
            return self._page if len(self._page) <= _MAX_LENGTH else ""
        known = self._joined.get(reference)
        if known is None:
            known = self._joined[reference] = self._same_page(self._join(reference))
        return known if len(known) <= _MAX_LENGTH else reference

    def _same_page(self, url: str) -> str:
        page, mark, fragment = url.partition("#")
        return mark + fragment if fragment and page == self._page else url

    def _join(self, reference: str) -> str:
        try:
            return urls.join(self.base, reference)
        except WebtoolError:
            return reference

    def number(self, url: str) -> str:
        """The number under which a URL is written at the end; "" where links are written in their place."""
        if self._numbers is None:
            return ""
        return str(self._numbers.setdefault(url, len(self._numbers) + 1))

    def numbered(self) -> dict[str, int]:
        """The URLs that were numbered."""
        return self._numbers or {}
