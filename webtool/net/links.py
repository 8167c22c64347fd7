"""Read the links in a response's header: Refresh (or its meta element) and Link. In: a response. Out: a URL, or None.

refresh_target() returns the page that a refresh leads to; the caller decides whether to follow it, and it is checked
like a redirect. alternate() returns the same page in another media type, such as markdown.
Spec: HTML Standard section 4.2.5.3 ("shared declarative refresh steps"); RFC 8288 section 3. Of a link only the first
rel and type count, and a link with an anchor is skipped, as it is about another resource.
Tests: tests/net/test_links.py
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.lean import media_types, patterns
from webtool.net.messages import Response

MAX_REFRESH_DELAY = 30  # seconds; a page that refreshes later than this is meant to be read
_MAX_SEARCHED = 16384  # bytes of the document searched for a meta element
_MAX_REFRESH_VALUE = 4096  # characters of a refresh value
_MAX_LINK_VALUE = 16384  # characters of all Link fields together
_META = patterns.compile(rb"(?i)<meta\s[^<>]{0,2000}>")
_IS_REFRESH = patterns.compile(rb"(?i)\shttp-equiv\s*=\s*[\"']?refresh[\"'\s/>]")
_CONTENT = patterns.compile(rb"(?i)\scontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_COMMENT = patterns.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_DELAY = patterns.compile(r"([0-9]{1,9})[.0-9]*")
_URL = patterns.compile(r"(?i)url\s*=\s*")
_LINK = patterns.compile(r"<([^<>]*)>((?:\s*;\s*[^\s;=,\"<>]+(?:\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"<>]*))?)*)")
_PARAMETER = patterns.compile(r";\s*([^\s;=,\"<>]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"<>]*))")


def refresh_target(response: Response) -> str | None:
    """Return the absolute URL that the page refreshes to within MAX_REFRESH_DELAY, or None."""
    value = response.headers.get("refresh") or ""
    if not value and response.media_type in ("text/html", "application/xhtml+xml", ""):
        value = _meta_refresh(response.body[:_MAX_SEARCHED])
    return parse_refresh(value, response.url)


def parse_refresh(value: str, base: str) -> str | None:
    """Return the absolute URL of a Refresh value: "0; url=/next" -> https://a.example/next.

    None if it is malformed, has a long delay, or reloads the same page.
    """
    value = value[:_MAX_REFRESH_VALUE].strip()
    delay = _DELAY.match(value)
    if delay is None or int(delay[1]) > MAX_REFRESH_DELAY:
        return None
    if value[delay.end() : delay.end() + 1] not in (";", ",", " "):
        return None
    reference = value[delay.end() + 1 :].lstrip(" \t;,")
    name = _URL.match(reference)
    reference = reference[name.end() :] if name else reference
    if reference[:1] in ('"', "'"):
        reference = reference[1:].partition(reference[0])[0]
    try:
        url = urls.parse(reference, base)
    except InvalidUrl:
        return None
    target = url.without_fragment
    return target if url.scheme in ("http", "https") and target != base else None


def _meta_refresh(start: bytes) -> str:
    """Return the content of the first <meta http-equiv=refresh> with a content attribute, else ""."""
    for element in _META.findall(_COMMENT.sub(b"", start)):
        content = _CONTENT.search(element) if _IS_REFRESH.search(element) else None
        if content is not None:
            from webtool.html.charrefs import decode_attribute

            value: bytes = next(part for part in content.groups() if part is not None)
            return decode_attribute(value.decode("utf-8", "replace"))
    return ""


def alternate(response: Response, media_type: str) -> str | None:
    """Return the URL of the first Link with rel=alternate and this type, or None."""
    value = ", ".join(response.headers.get_all("link"))[:_MAX_LINK_VALUE]
    for target, parameter_text in _LINK.findall(value):
        parameters: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(parameter_text):
            parameters.setdefault(name.lower(), quoted or token)
        link_type = media_types.extract(parameters.get("type"))[0]
        is_alternate = "alternate" in parameters.get("rel", "").lower().split()
        if link_type != media_type or not is_alternate or "anchor" in parameters:
            continue
        try:
            return urls.parse(target.strip(), response.url).without_fragment
        except InvalidUrl:
            continue
    return None
