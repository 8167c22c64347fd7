"""What a Link header field says of other forms of a page. In: a response. Out: an absolute URL, or None.

Spec: RFC 8288 section 3. Only the first rel and type of a link count; a link with an anchor is about something else.
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.net.messages import Response

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
