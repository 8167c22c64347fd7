"""Pages that send their reader on: the Refresh header and its meta element. In: a response. Out: the URL, or None.

Only who asks for it gets these followed, and every such hop is checked like a redirect. Spec: HTML Standard, "shared
declarative refresh steps" (section 4.2.5.3).
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.net.messages import Response

LONGEST_DELAY = 30  # seconds; a page that stays longer than this is meant to be read
_LOOKED_AT = 16384  # bytes of the document
_META = patterns.compile(rb"(?i)<meta\s[^<>]{0,2000}>")
_IS_REFRESH = patterns.compile(rb"(?i)\shttp-equiv\s*=\s*[\"']?refresh[\"'\s/>]")
_CONTENT = patterns.compile(rb"(?i)\scontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_COMMENT = patterns.compile(rb"(?s)<!--.*?(?:-->|\Z)")
_DELAY = patterns.compile(r"([0-9]{1,9})[.0-9]*")
_URL = patterns.compile(r"(?i)url\s*=\s*")


def target(response: Response) -> str | None:
    """The absolute URL that the page sends its reader on to; None where it does not, or not soon."""
    value = response.headers.get("refresh") or ""
    if not value and response.media_type in ("text/html", "application/xhtml+xml", ""):
        value = _from_meta(response.body[:_LOOKED_AT])
    return parse(value, response.url)


def parse(value: str, base: str) -> str | None:
    """The absolute URL in a Refresh value such as `0; url=/next`; None for one that reloads, waits long or is wrong."""
    value = value[:4096].strip()
    delay = _DELAY.match(value)
    if delay is None or int(delay[1]) > LONGEST_DELAY or value[delay.end() : delay.end() + 1] not in (";", ",", " "):
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
    found = url.without_fragment
    return found if url.scheme in ("http", "https") and found != base else None


def _from_meta(start: bytes) -> str:
    for element in _META.findall(_COMMENT.sub(b"", start)):
        content = _CONTENT.search(element) if _IS_REFRESH.search(element) else None
        if content is not None:
            from webtool.html.charrefs import decode_attribute

            return decode_attribute(
                next(part for part in content.groups() if part is not None).decode("utf-8", "replace")
            )
    return ""
