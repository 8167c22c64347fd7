"""Apply the domain lists of a search: check them, filter results, add operators to the query.

In: the lists allowed_domains and blocked_domains. Out: canonical lists, a yes or no for each URL, a query. A domain
matches a host that equals it or ends in "." + it. Case, IDNA form, port, user information and trailing dot do not
matter. Blocked wins over allowed; an empty list does not filter.
"""

from __future__ import annotations

from collections.abc import Iterable

from webtool import urls
from webtool.errors import InvalidArgument
from webtool.lean import patterns

# Characters that are safe inside a provider's rules and operators, because they separate and quote nothing there.
_NAME = patterns.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_MAX_NAME = 253  # characters of a host name (RFC 1035 section 3.1)
_DOMAINS = {"type": "array", "items": {"type": "string"}}
# The schema of the members of a search tool that hold such lists.
PROPERTIES = {
    "allowed_domains": {**_DOMAINS, "description": "Only include search results from these domains"},
    "blocked_domains": {**_DOMAINS, "description": "Never include search results from these domains"},
}


def canonical(domains: Iterable[object], member: str) -> tuple[str, ...]:
    """Return the domains as host names in ASCII without duplicates: `["*.Bücher.example"]` -> `xn--bcher-kva.example`.

    Raises InvalidArgument, naming `member` and the position in the list.
    """
    return tuple(dict.fromkeys(_name(domain, f"{member}[{index}]") for index, domain in enumerate(domains)))


def _name(domain: object, where: str) -> str:
    """Return the host name in a domain or URL. Raises InvalidArgument, naming `where`."""
    text = domain.strip() if isinstance(domain, str) else ""
    # A URL parser drops line ends and tabs, so two domains in one string would silently become a third.
    name = urls.hostname(text.removeprefix("*").lstrip(".")) if text and len(text.split()) == 1 else ""
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name) or ".." in name:
        shown = repr(domain if len(str(domain)) <= 60 else f"{str(domain)[:60]}...")
        raise InvalidArgument(
            f"{where} is {shown}, not a domain", hint="Give domains such as example.com or docs.python.org."
        )
    return name


def is_allowed(url: str, allowed: tuple[str, ...], blocked: tuple[str, ...]) -> bool:
    """Return whether the lists let a result at this URL pass; both are as canonical() returns them."""
    if not allowed and not blocked:
        return True
    name = f".{urls.hostname(url)}"
    if any(name.endswith(f".{domain}") for domain in blocked):
        return False
    return not allowed or any(name.endswith(f".{domain}") for domain in allowed)


def with_operators(text: str, allowed: tuple[str, ...], blocked: tuple[str, ...], longest: int) -> str:
    """Append `site:` operators to the query while it has at most `longest` characters.

    `tides`, `("a.example",)`, `("b.example",)` -> `tides site:a.example -site:b.example`. Operators only help the
    provider: is_allowed() filters the results in any case.
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
