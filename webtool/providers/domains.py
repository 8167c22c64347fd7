"""Domain lists of a search: which results stay, and what a provider is asked. In: lists as given. Out: canonical lists,
yes or no, operators for the query.

A domain matches a host that equals it or ends in "." + it; case, IDNA form, port, user information and trailing dot do
not count (webtool.urls knows hosts). Blocked wins over allowed; an empty list is not a list.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.errors import InvalidArgument
from webtool.lean import patterns

# What goes into a provider's rules and operators: nothing in here separates or quotes anything there.
_NAME = patterns.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_MAX_NAME = 253  # RFC 1035 section 3.1, as text
_DOMAINS = {"type": "array", "items": {"type": "string"}}
PROPERTIES = {
    "allowed_domains": {**_DOMAINS, "description": "Only include search results from these domains"},
    "blocked_domains": {**_DOMAINS, "description": "Never include search results from these domains"},
}
"""The members of a search tool that take such lists."""


def canonical(domains: Iterable[object], member: str) -> tuple[str, ...]:
    """The domains as host names in ASCII, each once. Raises InvalidArgument naming the member and the position."""
    return tuple(dict.fromkeys(_name(domain, f"{member}[{index}]") for index, domain in enumerate(domains)))


def _name(domain: object, where: str) -> str:
    text = domain.strip() if isinstance(domain, str) else ""
    # A URL parser drops line ends and tabs: two domains in one string would become one that nobody meant.
    name = urls.hostname(text.removeprefix("*").lstrip(".")) if text and len(text.split()) == 1 else ""
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name) or ".." in name:
        shown = repr(domain if len(str(domain)) <= 60 else f"{str(domain)[:60]}...")
        raise InvalidArgument(
            f"{where} is {shown}, not a domain", hint="Give domains such as example.com or docs.python.org."
        )
    return name


def is_wanted(url: str, allowed: tuple[str, ...], blocked: tuple[str, ...]) -> bool:
    """Whether a result at this URL stays; both lists as canonical() gives them."""
    if not allowed and not blocked:
        return True
    name = f".{urls.hostname(url)}"
    below = [any(name.endswith(f".{domain}") for domain in domains) for domains in (allowed, blocked)]
    return not below[1] and (below[0] or not allowed)


def with_operators(text: str, allowed: tuple[str, ...], blocked: tuple[str, ...], longest: int) -> str:
    """The query with `site:` operators behind it, as far as they leave it at most `longest` characters.

    Operators are a help only: the lists are applied to what comes back in any case.
    """
    sites = " OR ".join([f"site:{domain}" for domain in allowed])
    if len(allowed) > 1:
        sites = f"({sites})"
    if sites and len(text) + 1 + len(sites) <= longest:
        text = f"{text} {sites}"
    for domain in blocked:
        if len(text) + len(domain) + 7 > longest:
            break
        text = f"{text} -site:{domain}"
    return text
