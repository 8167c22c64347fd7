"""Where a page sends its reader on to, or is found in another form: the Refresh header with its meta element, the Link
header. In: a response. Out: an absolute URL, or None.

Refreshes are followed only for who asks for that, and every such hop is checked like a redirect. Spec: HTML Standard,
"shared declarative refresh steps" (section 4.2.5.3); RFC 8288 section 3, of which only the first rel and type of a link
count, and a link with an anchor is about something else.
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


_MAX_VALUE = 16384  # characters of all such fields together
_LINK = patterns.compile(r"<([^<>]*)>((?:\s*;\s*[^\s;=,\"<>]+(?:\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"<>]*))?)*)")
_PARAMETER = patterns.compile(r";\s*([^\s;=,\"<>]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"<>]*))")


def alternate(response: Response, media_type: str) -> str | None:
    """The URL of `<...>; rel="alternate"; type="..."` with that type; None where no field names one."""
    value = ", ".join(response.headers.get_all("link"))[:_MAX_VALUE]
    for target, listed in _LINK.findall(value):
        parameters: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(listed):
            parameters.setdefault(name.lower(), quoted or token)
        kind = parameters.get("type", "").partition(";")[0].strip().lower()
        if (
            kind == media_type
            and "alternate" in parameters.get("rel", "").lower().split()
            and "anchor" not in parameters
        ):
            try:
                return urls.parse(target.strip(), response.url).without_fragment
            except InvalidUrl:
                continue
    return None
