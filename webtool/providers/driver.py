"""One search with any provider: credentials, pages, filters, duplicates, one retry. In: a Context and what is wanted.
Out: an Answer, or a WebtoolError that holds no key.

What a provider is sent and how its answer is read is the engines' (one module each, pure); this is their only caller.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from webtool import urls
from webtool.cache.snapshot import digest
from webtool.context import Context
from webtool.errors import ApiError, CacheMiss, Cancelled, InvalidArgument, RateLimited, WebtoolError
from webtool.lean import patterns
from webtool.lean.imports import load
from webtool.lean.records import NamedTuple
from webtool.lean.typing import ModuleType
from webtool.net.messages import Response
from webtool.net.statuses import FAILED, UNANSWERED
from webtool.providers import accounts, domains, forms
from webtool.providers import pace as pacing
from webtool.providers.results import Account, Page, Query, SearchResult, plain

FURTHER_PAGES = 2
"""Pages asked for beyond the first where the domain lists, or the size of a provider's pages, left too few results."""
LONGEST_WAIT = 3.0
"""Seconds that a rate limit is waited out, once; longer ones are reported."""
_LEAST_TIME = 1.0  # seconds that an answer may take; with less left, no further request is begun
_MIN_QUERY = 2
_MAX_QUERY = 20000  # no engine takes more; each has its own limit
_FRESHNESS = patterns.compile(r"(?a)pd|pw|pm|py|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d")
_CODE = patterns.compile(r"[A-Za-z]{2,4}(?:-[A-Za-z0-9]{2,8}){0,2}")
_SEEN_SECONDS = 7 * 86400.0
_REDIRECTS = (301, 302, 303, 307, 308)
_SAFESEARCH = ("off", "moderate", "strict")


class Answer(NamedTuple):
    """What a search found. `ignored` names the options that did nothing; `notes` go into the answer."""

    provider: str
    query: str
    results: list[SearchResult]
    more_results_available: bool = False
    request_id: str | None = None
    altered: str | None = None
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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
    wanted = wanted_query(query, count, allowed_domains, blocked_domains, options)
    return ask(ctx, provider, wanted, pace, sleep)


def wanted_query(
    query: str,
    count: int,
    allowed_domains: Iterable[str] | None,
    blocked_domains: Iterable[str] | None,
    options: Mapping[str, object],
) -> Query:
    """What is to be found, checked for all providers alike. Raises InvalidArgument."""
    return Query(
        _checked_text(query),
        max(1, count),
        domains.canonical(allowed_domains or (), "allowed_domains"),
        domains.canonical(blocked_domains or (), "blocked_domains"),
        _checked_options({name: value for name, value in options.items() if value is not None}),
    )


def ask(
    ctx: Context,
    provider: str,
    wanted: Query,
    pace: Callable[[], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Answer:
    """Ask one provider. Raises WebtoolError."""
    if ctx.settings.offline:
        raise CacheMiss("a search needs the network, and the setting offline is on", hint="Search without offline.")
    account = accounts.account(ctx, provider)
    engine = _engine(provider, account)
    run = _Run(ctx, engine, account, wanted, pace or (lambda: pacing.wait(ctx, provider)), sleep)
    try:
        answer = run.all_pages()
    except WebtoolError as error:
        raise _told(error, engine.NAME, account) from None
    given = wanted.options
    idle = dict.fromkeys(sorted(set(given) - engine.OPTIONS), "it has none")
    idle.update(engine.unused(given) if hasattr(engine, "unused") else {})
    told = {name: why for name, why in idle.items() if given.get(name) and name not in _MINOR}
    notes = [*answer.notes, *(f"{engine.NAME} did not use {name}: {why}" for name, why in told.items())]
    if not answer.results:
        notes.append(_nothing(engine.NAME, wanted))
    if ctx.settings.url_rule == "seen" and ctx.cache is not None and answer.results:
        # Where only known addresses may be opened, these are known now (webtool.pages.url_rule reads them).
        addresses = "\n".join([result.url for result in answer.results])
        ctx.cache.put_search(digest(addresses), "{}", addresses, ctx.now(), _SEEN_SECONDS)
    return answer._replace(provider=provider, ignored=tuple(idle), notes=tuple(dict.fromkeys(notes)))


# Options that change little, and that callers give without thinking of them.
_MINOR = frozenset(("safesearch", "extra_snippets", "offset", "start"))


def _nothing(title: str, wanted: Query) -> str:
    """What was asked where nothing was found: the reader may not know of the default that was in the way."""
    options = wanted.options
    age = str(options.get("freshness") or "")
    parts = [f"{_AGES.get(age, f'pages of {age}')} only; freshness empty finds any age"] if age else []
    parts += [f"only from {', '.join(wanted.allowed_domains)}"] if wanted.allowed_domains else []
    parts += [f"nothing from {', '.join(wanted.blocked_domains)}"] if wanted.blocked_domains else []
    parts += [f"{name} {options[name]}" for name in ("country", "search_lang", "offset", "start") if options.get(name)]
    parts += ["ranked by goggles"] if options.get("goggles") else []
    return "; ".join([f"{title} found nothing", *parts])


_AGES = {"pd": "the last 24 hours", "pw": "the last 7 days", "pm": "the last 31 days", "py": "the last year"}


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
        """The first page, and further ones where too few results are left."""
        query = self._query
        page = self._page(self._engine.first(query))
        notes = list(page.notes)
        answer = Answer("", query.text, self._kept, False, page.request_id, page.altered)
        dropped = self._keep(page)
        # Where pages cost money, only what the caller's own words make necessary is asked for.
        allowance = getattr(self._engine, "FURTHER_PAGES", 0)
        wants_more = bool(allowance) or query.limit > self._engine.MAX_COUNT
        for _ in range(allowance or FURTHER_PAGES):
            enough = len(self._kept) >= query.limit or not (dropped or wants_more)
            if page.next is None or enough or self._time_left() < _LEAST_TIME:
                break
            try:
                page = self._page(page.next)
            except Cancelled:
                raise
            except WebtoolError as error:
                if not self._kept:
                    raise
                failure = _told(error, self._engine.NAME, self._account)
                notes.append(f"a further page of results is missing: {failure.message}")
                break
            before = len(self._kept)
            dropped += self._keep(page)
            notes += page.notes
            wants_more = wants_more and len(self._kept) > before  # some engines repeat their last page without end
        has_more = page.next is not None or len(self._kept) > query.limit
        results = self._kept[: query.limit]
        return answer._replace(results=results, more_results_available=has_more, notes=tuple(notes))

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
        pacing.pause(self._ctx, wait, self._sleep)
        return self._ask(position)

    def _ask(self, position: object) -> Page:
        request = self._engine.request(self._query, self._account, position)
        self._pace()
        ctx = self._ctx
        response = ctx.client.ask(request, deadline=ctx.deadline, is_cancelled=ctx.is_cancelled)
        self._refuse_redirect(response)
        page: Page = self._engine.results(response, self._query, position, ctx.now())
        return page

    def _refuse_redirect(self, response: Response) -> None:
        """The error of an endpoint that moved names the new place: keys are not sent where the settings do not lead."""
        location = response.headers.get("location")
        if response.status not in _REDIRECTS or not location or self._account.setting == "duckduckgo_url":
            return
        target = urls.join(self._account.endpoint, location).partition("?")[0]
        raise ApiError(
            f"{self._engine.NAME} answered with status {response.status} and leads to {target}",
            hint=f"If that is the endpoint's new place, set WEBTOOL_{self._account.setting.upper()} to it.",
            status_code=response.status,
        )

    def _time_left(self) -> float:
        return self._ctx.deadline - time.monotonic()


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
    name = provider
    if provider == "google" and accounts.is_serving_config(account.engine_id):
        name = "vertex"
    elif account.endpoint.endswith("/llm/context"):
        name = "brave_context"
    return load(f"webtool.providers.{name}")


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
    if isinstance(error, UNANSWERED):
        message = f"{title} search failed: {message.removeprefix(FAILED)}"
    error.message = message
    error.args = (error.message,)
    error.hint, error.url = cleaned(error.hint), cleaned(error.url)  # type: ignore[assignment]
    error.members = {name: cleaned(value) for name, value in error.members.items()}
    error.__cause__ = error.__context__ = None
    return error
