"""Check a query for every provider: its text, options and domain lists; filter results by these lists.

In: what the caller gives. Out: a Query, and a yes or no for each URL. A domain matches a host that equals it or ends in
"." + it. Case, IDNA form, port, user information and trailing dot do not matter. Blocked wins over allowed; an empty
list does not filter.
Tests: tests/providers/test_queries.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webtool import urls
from webtool.errors import InvalidArgument
from webtool.lean import dates, patterns
from webtool.providers.results import Query, plain
from webtool.urls import hosts

MIN_QUERY = 2  # characters
MAX_QUERY = 20000  # characters; every provider has a lower limit of its own
_FRESHNESS = patterns.compile(r"(?a)pd|pw|pm|py|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d")
_CODE = patterns.compile(r"[A-Za-z]{2,4}(?:-[A-Za-z0-9]{2,8}){0,2}")
# The options of all providers; each provider has some of them.
OPTIONS = frozenset("offset start freshness country search_lang ui_lang safesearch extra_snippets goggles".split())
_TRADITIONAL = frozenset(("hant", "tw", "hk", "mo"))  # scripts and regions of traditional Chinese
_SAFESEARCH = ("off", "moderate", "strict")
# A host name of characters that separate and quote nothing in a provider's rules and operators.
_HOST_NAME = patterns.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_DOMAINS = {"type": "array", "items": {"type": "string"}}
# The schema of the members of a search tool that hold such lists.
PROPERTIES = {
    "allowed_domains": {**_DOMAINS, "description": "Only include search results from these domains"},
    "blocked_domains": {**_DOMAINS, "description": "Never include search results from these domains"},
}


# Words for the age of a page, as models and people write them -> the value of `freshness`, "" for any age. Blanks,
# underscores and "past" or "last" before them are left out: "Past 24 hours" is 24hours here.
_SPANS = {
    **{age: age for age in ("pd", "pw", "pm", "py")},
    **dict.fromkeys(("d", "day", "1d", "1day", "24h", "24hours", "today"), "pd"),
    **dict.fromkeys(("w", "week", "1w", "1week", "7d", "7days"), "pw"),
    **dict.fromkeys(("m", "month", "1m", "1month", "30d", "30days", "31days"), "pm"),
    **dict.fromkeys(("y", "year", "1y", "1year", "365d", "365days", "12months"), "py"),
    **dict.fromkeys(("all", "any", "none", "null", "anytime", "alltime"), ""),
}
_AGES = {"pd": "the last 24 hours", "pw": "the last 7 days", "pm": "the last 31 days", "py": "the last year"}


def checked(
    query: str,
    count: int = 10,
    allowed_domains: Iterable[str] | None = None,
    blocked_domains: Iterable[str] | None = None,
    **options: object,
) -> Query:
    """Return the query after the checks that hold for all providers. Raises InvalidArgument.

    The names of options are in OPTIONS; `offset` counts pages, `start` results. None counts as not given. A list of
    domains may be the text of a single one.
    """
    text = plain(query, MAX_QUERY)
    if len(text) < MIN_QUERY:
        hint = "Give the words to search for, two characters or more."
        raise InvalidArgument(f"query is shorter than {MIN_QUERY} characters", hint=hint)
    return Query(
        text,
        max(1, _whole_number("count", count)),
        canonical(allowed_domains or (), "allowed_domains"),
        canonical(blocked_domains or (), "blocked_domains"),
        _checked_options({name: value for name, value in options.items() if value is not None}),
    )


def _checked_options(options: dict[str, object]) -> Mapping[str, object]:
    """Return the options in the form that providers expect. Raises InvalidArgument.

    Values go into header fields and cookies, so none may contain a line end or a semicolon. `goggles` is not checked:
    it goes into a parameter as it is.
    """
    for name in options:
        if name not in OPTIONS:
            hint = f"The options are {', '.join(sorted(OPTIONS))}."
            raise InvalidArgument(f"unknown option {name[:40]!r}", hint=hint)
    if options.get("freshness"):
        age = _checked_age(str(options.pop("freshness")).strip())
        if age:
            options["freshness"] = age
    for name in ("offset", "start"):
        if name in options:
            options[name] = _whole_number(name, options[name])
    for name in ("country", "search_lang", "ui_lang"):
        if options.get(name):
            options[name] = str(options[name]).replace("_", "-")  # zh_CN, as locales have it
            if not _CODE.fullmatch(str(options[name])):
                hint = "Use a code such as US, en or en-US."
                raise InvalidArgument(f"{name} is {str(options[name])[:40]!r}", hint=hint)
    if str(options.get("country")).lower() == "uk":  # the country's code is GB (ISO 3166)
        options["country"] = "GB"
    if options.get("safesearch") and options["safesearch"] not in _SAFESEARCH:
        hint = f"Use one of: {', '.join(_SAFESEARCH)}."
        raise InvalidArgument(f"safesearch is {str(options['safesearch'])[:40]!r}", hint=hint)
    return options


def is_traditional(code: str) -> bool:
    """Return whether a language code in small letters is traditional Chinese: `zh-tw`, but not `zh-hans-hk`."""
    parts = code.split("-")
    return parts[0] == "zh" and "hans" not in parts and not _TRADITIONAL.isdisjoint(parts)


def _whole_number(name: str, value: object) -> int:
    """Return a whole number from 0 on, also one that is written as text. Raises InvalidArgument."""
    text = str(value)
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and len(text) < 10):
        hint = f"Give {name} as a number, such as 10."
        raise InvalidArgument(f"{name} is {text[:40]!r}, not a whole number", hint=hint)
    return int(text)


def _checked_age(age: str) -> str:
    """Return an age as pd, pw, pm, py or a range of days, "" for any age. Raises InvalidArgument."""
    given, age = age, "".join(age.lower().replace("_", " ").split())
    span = age.removeprefix("past").removeprefix("last")
    age = _SPANS.get(span, age)  # a range of days is not in the table and stays
    if age and not (_FRESHNESS.fullmatch(age) and (age in _AGES or _is_range(age))):
        hint = "Use pd, pw, pm, py, YYYY-MM-DDtoYYYY-MM-DD, or any for pages of every age."
        raise InvalidArgument(f"freshness is {given[:40]!r}", hint=hint)
    return age


def _is_range(days: str) -> bool:
    """Return whether 2024-01-01to2024-02-01 has two dates of the calendar, the first not after the last."""
    first, _, last = days.partition("to")
    has_dates = all(dates.from_iso(f"{day}T00:00:00Z") is not None for day in (first, last))
    return has_dates and "0001" <= first <= last  # from_iso() reads a year 0000 too


def nothing_found(title: str, query: Query) -> str:
    """Return a note with the filters that may have excluded everything; the reader may not know of the defaults.

    `Brave found nothing; the last 7 days only; freshness any finds any age; only from a.example`.
    """
    options = query.options
    parts = [f"{title} found nothing"]
    age = str(options.get("freshness") or "")
    if age:
        parts.append(f"{_AGES.get(age, f'pages of {age}')} only; freshness any finds any age")
    if query.allowed_domains:
        parts.append(f"only from {', '.join(query.allowed_domains)}")
    if query.blocked_domains:
        parts.append(f"nothing from {', '.join(query.blocked_domains)}")
    parts += [f"{name} {options[name]}" for name in ("country", "search_lang", "offset", "start") if options.get(name)]
    if options.get("goggles"):
        parts.append("ranked by goggles")
    return "; ".join(parts)


def canonical(domains: Iterable[object], member: str) -> tuple[str, ...]:
    """Return the domains as host names in ASCII without duplicates: `["*.Bücher.example"]` -> `xn--bcher-kva.example`.

    Raises InvalidArgument, naming `member` and the position in the list.
    """
    if isinstance(domains, str):
        domains = (domains,)
    return tuple(dict.fromkeys(_host_name(domain, f"{member}[{index}]") for index, domain in enumerate(domains)))


def _host_name(domain: object, where: str) -> str:
    """Return the host name in a domain or URL. Raises InvalidArgument, naming `where`."""
    text = domain.strip() if isinstance(domain, str) else ""
    # A URL parser drops line ends and tabs, so two domains in one string would silently become a third.
    name = urls.hostname(text.removeprefix("*").lstrip(".")) if text and len(text.split()) == 1 else ""
    if len(name) > hosts.MAX_NAME or not _HOST_NAME.fullmatch(name) or ".." in name:
        shown = repr(domain if len(str(domain)) <= 60 else f"{str(domain)[:60]}...")
        hint = "Give domains such as example.com or docs.python.org."
        raise InvalidArgument(f"{where} is {shown}, not a domain", hint=hint)
    return name


def is_allowed(url: str, allowed: tuple[str, ...], blocked: tuple[str, ...]) -> bool:
    """Return whether the lists let a result at this URL pass; both are as canonical() returns them."""
    name = f".{urls.hostname(url)}" if allowed or blocked else ""
    if name.endswith(tuple([f".{domain}" for domain in blocked])):
        return False
    return not allowed or name.endswith(tuple([f".{domain}" for domain in allowed]))


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
        operator = f" -site:{domain}"
        if len(text) + len(operator) > longest:
            break
        text += operator
    return text
