"""One search with any provider: credentials, pages, filters, duplicates, one retry. In: a Context and what is wanted.
Out: an Answer, or a WebtoolError that holds no key.

What a provider is sent and how its answer is read is the engines' (one module each, pure); this is their only caller.
"""

from __future__ import annotations

import sys
import time

from webtool import urls
from webtool.errors import CacheMiss, Cancelled, InvalidArgument, RateLimited, WebtoolError
from webtool.lean import patterns
from webtool.providers import accounts, credentials, domains, forms
from webtool.providers import pace as pacing
from webtool.providers.results import Query, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType
    from typing import NamedTuple

    from webtool.context import Context
    from webtool.providers.results import Account, Page, SearchResult
else:
    from webtool.lean.records import NamedTuple

FURTHER_PAGES = 2
"""Pages asked for beyond the first where the domain lists left too few results."""
LONGEST_WAIT = 3.0
"""Seconds that a rate limit is waited out, once; longer ones are reported."""
_LEAST_TIME = 1.0  # seconds that an answer may take; with less left, no further request is begun
_MIN_QUERY = 2
_MAX_QUERY = 20000  # each engine says how many characters it takes; none takes so many
_FRESHNESS = patterns.compile(r"(?a)pd|pw|pm|py|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d")
_CODE = patterns.compile(r"[A-Za-z]{2,4}(?:-[A-Za-z0-9]{2,8}){0,2}")
_FETCHING = "Failed to fetch URL: "  # how the client begins a message; here it is a search that failed
_SAFESEARCH = ("off", "moderate", "strict")


class Answer(NamedTuple):
    """What a search found. `ignored` names the options that this provider does not have."""

    provider: str
    query: str
    results: list[SearchResult]
    more_results_available: bool = False
    request_id: str | None = None
    altered: str | None = None
    ignored: tuple[str, ...] = ()


def choose(ctx: Context, provider: str = "auto") -> str:
    """The provider to ask: the one named, else the setting's, else Brave if it has a key and DuckDuckGo if not."""
    name = ctx.settings.search_provider if provider == "auto" else provider
    if name == "auto":
        return "brave" if credentials.has(ctx, "brave") else "duckduckgo"
    return name


def search(
    ctx: Context,
    provider: str,
    query: str,
    count: int = 10,
    *,
    allowed_domains: Iterable[str] | None = None,
    blocked_domains: Iterable[str] | None = None,
    pace: Callable[[], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
    **options: object,
) -> Answer:
    """Search with one provider. Options that are None count as not given.

    Options, as far as the provider has them: offset (pages), start, freshness, country, search_lang, ui_lang,
    safesearch, extra_snippets, goggles. `pace` is called before every request; without it the setting search_interval
    is kept, together with all other processes.
    Raises WebtoolError.
    """
    given = {name: value for name, value in options.items() if value is not None}
    wanted = Query(
        _checked_text(query),
        max(1, count),
        domains.canonical(allowed_domains or (), "allowed_domains"),
        domains.canonical(blocked_domains or (), "blocked_domains"),
        _checked_options(given),
    )
    if ctx.settings.offline:
        raise CacheMiss("a search needs the network, and the setting offline is on", hint="Search without offline.")
    account = accounts.account(ctx, provider)
    engine = _engine(provider, account)
    run = _Run(ctx, engine, account, wanted, pace or (lambda: pacing.wait(ctx, provider)), sleep)
    try:
        answer = run.all_pages()
    except WebtoolError as error:
        raise _told(error, engine.NAME, account) from None
    return answer._replace(provider=provider, ignored=tuple(sorted(set(given) - engine.OPTIONS)))


class _Run:
    """The state of one search: what was kept and seen so far."""

    def __init__(
        self,
        ctx: Context,
        engine: ModuleType,
        account: Account,
        query: Query,
        pace: Callable[[], None],
        sleep: Callable[[float], None],
    ) -> None:
        self._ctx = ctx
        self._engine = engine
        self._account = account
        self._query = query
        self._pace = pace
        self._sleep = sleep
        self._kept: list[SearchResult] = []
        self._seen: set[str] = set()

    def all_pages(self) -> Answer:
        """The first page, and further ones as long as the domain lists leave too few results."""
        query = self._query
        page = self._page(self._engine.first(query))
        answer = Answer("", query.text, self._kept, False, page.request_id, page.altered)
        dropped = self._keep(page)
        for _ in range(FURTHER_PAGES):
            if page.next is None or not dropped or len(self._kept) >= query.limit or self._time_left() < _LEAST_TIME:
                break
            try:
                page = self._page(page.next)
            except Cancelled:
                raise
            except WebtoolError as error:
                if not self._kept:
                    raise
                failure = _told(error, self._engine.NAME, self._account)
                self._ctx.warn(f"a further page of results is missing: {failure.message}")
                break
            dropped += self._keep(page)
        has_more = page.next is not None or len(self._kept) > query.limit
        return answer._replace(results=self._kept[: query.limit], more_results_available=has_more)

    def _keep(self, page: Page) -> int:
        """Keep what the lists allow and what is new; returns how many results the lists refused."""
        dropped = 0
        for result in page.results:
            key = _same(result.url)
            if not domains.is_wanted(result.url, self._query.allowed_domains, self._query.blocked_domains):
                dropped += 1
            elif key not in self._seen:
                self._seen.add(key)
                self._kept.append(result)
        return dropped

    def _page(self, position: object) -> Page:
        """One page; a short rate limit is waited out once."""
        try:
            return self._ask(position)
        except RateLimited as error:
            wait = error.retry_after
            if wait is None or wait > LONGEST_WAIT or wait + _LEAST_TIME > self._time_left():
                raise
        self._wait(wait)
        return self._ask(position)

    def _ask(self, position: object) -> Page:
        request = self._engine.request(self._query, self._account, position)
        self._pace()
        ctx = self._ctx
        response = ctx.client.ask(request, deadline=ctx.deadline, is_cancelled=ctx.is_cancelled)
        page: Page = self._engine.results(response, self._query, position, ctx.now())
        return page

    def _time_left(self) -> float:
        return self._ctx.deadline - time.monotonic()

    def _wait(self, seconds: float) -> None:
        """Sleep in steps short enough for a cancellation to be felt."""
        while seconds > 0:
            if self._ctx.is_cancelled():
                raise Cancelled("the search was cancelled while it waited for the provider's rate limit")
            self._sleep(min(seconds, 0.2))
            seconds -= 0.2


def _checked_text(query: str) -> str:
    text = plain(query, _MAX_QUERY)
    if len(text) < _MIN_QUERY:
        raise InvalidArgument(
            f"query is shorter than {_MIN_QUERY} characters",
            hint="Give the words to search for, two characters or more.",
        )
    return text


def _checked_options(options: Mapping[str, object]) -> Mapping[str, object]:
    """Options of the right form: what goes into headers, cookies and goggles must not be able to end them."""
    freshness = options.get("freshness")
    if freshness and not _FRESHNESS.fullmatch(str(freshness)):
        raise InvalidArgument(
            f"freshness is {str(freshness)[:40]!r}", hint="Use pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD."
        )
    for name in ("country", "search_lang", "ui_lang"):
        if options.get(name) and not _CODE.fullmatch(str(options[name])):
            raise InvalidArgument(f"{name} is {str(options[name])[:40]!r}", hint="Use a code such as US, en or en-US.")
    if options.get("safesearch") and options["safesearch"] not in _SAFESEARCH:
        raise InvalidArgument(
            f"safesearch is {str(options['safesearch'])[:40]!r}", hint=f"Use one of: {', '.join(_SAFESEARCH)}."
        )
    return options


def _engine(provider: str, account: Account) -> ModuleType:
    """The provider's module, the only one imported."""
    name = "vertex" if provider == "google" and accounts.is_serving_config(account.engine_id) else provider
    module = f"webtool.providers.{name}"
    __import__(module)
    return sys.modules[module]


def _same(url: str) -> str:
    """What two results have in common that lead to the same page."""
    head, mark, rest = url.partition("://")
    host, slash, path = rest.partition("#")[0].partition("/")
    return f"{head}{mark}{host}".lower() + slash + path


def _told(error: WebtoolError, title: str, account: Account) -> WebtoolError:
    """The same error, naming the provider, its texts free of the key in whatever form somebody repeated it."""
    secrets = [account.key, forms.quote(account.key)] if account.key else []

    def cleaned(text: object) -> object:
        if not isinstance(text, str):
            return text
        for secret in secrets:
            text = text.replace(secret, "***")
        return urls.redact(text)

    message = str(cleaned(error.message))
    if message.startswith(_FETCHING):
        message = f"{title} search failed: {message[len(_FETCHING) :]}"
    error.message = message
    error.args = (error.message,)
    error.hint, error.url = cleaned(error.hint), cleaned(error.url)  # type: ignore[assignment]
    error.members = {name: cleaned(value) for name, value in error.members.items()}
    error.__cause__ = error.__context__ = None
    return error
