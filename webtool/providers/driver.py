"""Search with one provider: fetch pages, filter, remove duplicates. In: Context, query. Out: Answer.

The provider's module writes each request and reads each response; both are pure. This module sends, waits out one short
rate limit, asks for further pages if filters left too few results, and removes keys from errors.

All processes together send a provider at most one query every search_interval seconds. Each query reserves a slot, a
point in time, in the cache file that the processes share. Without a cache, this process has slots of its own.
Tests: tests/providers/test_driver.py
"""

from __future__ import annotations

import _thread
import time
from collections.abc import Callable

from webtool import urls
from webtool.cache.tables import digest
from webtool.context import Context
from webtool.errors import ApiError, CacheMiss, Cancelled, InvalidUrl, RateLimited, WebtoolError, counted
from webtool.lean.typing import Any
from webtool.net import statuses
from webtool.net.messages import Response
from webtool.providers import credentials, payload, queries
from webtool.providers.results import Account, Answer, Engine, Page, Query, SearchResult

MAX_FURTHER_PAGES = 2  # beyond the first, for an engine without further_pages of its own
MAX_SKIPPED_PAGES = 10  # asked for only because Engine.skipped() results come before the first one
MAX_WAIT = 3.0  # seconds; a rate limit this short is waited out once, a longer one is reported
MIN_SECONDS_LEFT = 1.0  # with less time before the deadline, no further request is sent
MIN_KEY = 8  # characters; a shorter key is hidden only where it is a value, as it may be a part of other words
SEEN_SECONDS = 7 * 86400.0  # how long the setting url_rule=seen allows a result's address
_REDIRECTS = (301, 302, 303, 307, 308)  # statuses that lead to the Location
# Options with little effect, which callers give by default: no note says that a provider does not have them.
_MINOR_OPTIONS = frozenset(("safesearch", "extra_snippets", "offset", "start"))


def search(
    ctx: Context,
    provider: str,
    query: str,
    count: int = 10,
    *,
    sleep: Callable[[float], None] = time.sleep,
    **options: Any,
) -> Answer:
    """Search with one provider; `options` are those of queries.checked(). Raises WebtoolError."""
    return ask(ctx, provider, queries.checked(query, count, **options), sleep)


def ask(ctx: Context, provider: str, query: Query, sleep: Callable[[float], None] = time.sleep) -> Answer:
    """Ask one provider a checked query. Raises WebtoolError, without keys in its texts."""
    if ctx.settings.offline:
        raise CacheMiss("a search needs the network, and the setting offline is on", hint="Search without offline.")
    account = credentials.account_of(ctx, provider)
    engine = account.engine
    assert engine is not None
    try:
        answer = _Run(ctx, provider, engine, account, query, sleep).all_pages()
    except WebtoolError as error:
        raise _without_secrets(error, engine.name, account) from None
    unused = dict.fromkeys(sorted(set(query.options) - engine.options), "it does not have this option")
    unused.update(engine.unused(query.options))
    notes = [*answer.notes]
    notes += [
        f"{engine.name} did not use {name}: {reason}"
        for name, reason in unused.items()
        if query.options.get(name) and name not in _MINOR_OPTIONS
    ]
    if not answer.results and not answer.answers:
        notes.append(queries.nothing_found(engine.name, query))
    _allow_opening(ctx, answer.results)
    return answer._replace(provider=provider, ignored=tuple(unused), notes=tuple(dict.fromkeys(notes)))


def _allow_opening(ctx: Context, results: list[SearchResult]) -> None:
    """Store the results' addresses if url_rule is "seen": then only addresses in stored searches and pages open."""
    if ctx.settings.url_rule == "seen" and ctx.cache is not None and results:
        addresses = "\n".join([result.url for result in results])
        ctx.cache.put_search(digest(addresses), "{}", addresses, ctx.now(), SEEN_SECONDS)


class _Run:
    """One search: fetches pages and collects their results."""

    def __init__(
        self,
        ctx: Context,
        provider: str,
        engine: Engine,
        account: Account,
        query: Query,
        sleep: Callable[[float], None],
    ) -> None:
        self._ctx = ctx
        self._provider = provider
        self._engine = engine
        self._account = account
        self._query = query
        self._sleep = sleep
        self._results: list[SearchResult] = []
        self._page_keys: set[str] = set()  # _page_key() of each result, refused ones included
        self._has_refused = False  # whether the domain lists refused a result

    def all_pages(self) -> Answer:
        """Fetch the first page, and further pages while there are too few results.

        If a further page fails, the results so far are returned with a note.
        """
        query, engine = self._query, self._engine
        skipped = engine.skipped(query)
        last_number = skipped + query.limit  # of the allowed results, counted from 1
        page = self._page(engine.first(query))
        notes = list(page.notes)
        answer = Answer("", query.text, self._results, False, page.request_id, page.altered, answers=page.answers)
        is_new = self._add(page)
        # Pages may cost money. An engine without further_pages is asked for more only if the domain lists refused a
        # result, or if one page cannot hold as many as were asked for.
        needs_pages = engine.further_pages > 0 or last_number > engine.max_count
        skipped_pages = min(skipped // engine.max_count, MAX_SKIPPED_PAGES)
        for _ in range((engine.further_pages or MAX_FURTHER_PAGES) + skipped_pages):
            is_enough = len(self._results) >= last_number or not (needs_pages or self._has_refused)
            # Some providers repeat their last page forever: then nothing on it is new.
            if page.next is None or is_enough or not is_new or self._seconds_left() < MIN_SECONDS_LEFT:
                break
            try:
                page = self._page(page.next)
            except Cancelled:
                raise
            except WebtoolError as error:
                if len(self._results) <= skipped:
                    raise
                failure = _without_secrets(error, self._engine.name, self._account)
                notes.append(f"a further page of results is missing: {failure.message}")
                break
            is_new = self._add(page)
            notes += page.notes
        has_more = page.next is not None or len(self._results) > last_number
        results = self._results[skipped:last_number]
        if page.next is not None and not results and skipped:
            allowed = counted(len(self._results), "allowed result")
            notes.append(f"the pages that were read have {allowed}; number {skipped + 1} was asked for")
        return answer._replace(results=results, more_results_available=has_more, notes=tuple(notes))

    def _add(self, page: Page) -> bool:
        """Add the new results that the domain lists allow; return whether any result is new, refused ones included."""
        before = len(self._page_keys)
        for result in page.results:
            key = _page_key(result.url)
            is_known = key in self._page_keys
            self._page_keys.add(key)
            if not queries.is_allowed(result.url, self._query.allowed_domains, self._query.blocked_domains):
                self._has_refused = True
            elif not is_known:
                self._results.append(result)
        return len(self._page_keys) > before

    def _page(self, position: object) -> Page:
        """Return one page, after waiting out one short rate limit of the provider. Raises WebtoolError."""
        wait_for_turn(self._ctx, self._provider)
        try:
            return self._page_without_waiting(position)
        except RateLimited as error:
            wait = error.retry_after
            if wait is None or wait > MAX_WAIT or wait + MIN_SECONDS_LEFT > self._seconds_left():
                raise
        _pause(self._ctx, wait, self._sleep)
        wait_for_turn(self._ctx, self._provider)
        return self._page_without_waiting(position)

    def _page_without_waiting(self, position: object) -> Page:
        """Send one request and read the response. Raises WebtoolError."""
        request = self._engine.request(self._query, self._account, position)
        ctx = self._ctx
        response = ctx.client.ask(request, deadline=ctx.deadline, is_cancelled=ctx.is_cancelled)
        if not self._engine.reads_redirects:
            self._refuse_redirect(response)
        return self._engine.results(response, self._query, position, ctx.now())

    def _refuse_redirect(self, response: Response) -> None:
        """Raise ApiError for a redirect, naming its target: keys go only where the settings lead."""
        location = response.headers.get("location")
        if response.status not in _REDIRECTS or not location:
            return
        try:
            target = urls.join(self._account.endpoint, location).partition("?")[0]
        except InvalidUrl:
            target = "an unusable address"
        raise ApiError(
            f"{self._engine.name} answered with status {response.status} and leads to {target}",
            hint=f"If that is the endpoint's new place, set WEBTOOL_{self._account.setting.upper()} to it.",
            status_code=response.status,
        )

    def _seconds_left(self) -> float:
        return self._ctx.deadline - time.monotonic()


_PAUSE_STEP = 0.2  # seconds between two checks for cancellation
# Provider: the next free slot, a reading of the monotonic clock. Shared by all threads of the process.
_own_slots: dict[str, float] = {}
_slots_lock = _thread.allocate_lock()


def wait_for_turn(ctx: Context, provider: str) -> None:
    """Wait for the provider's next slot. Raises RateLimited if it is after the deadline, and Cancelled."""
    interval = ctx.settings.search_interval
    if interval <= 0:
        return
    if ctx.cache is not None:
        seconds = ctx.cache.reserve_slot(f"search:{provider}", interval, ctx.deadline)
    else:
        seconds = _reserve_own_slot(provider, interval, ctx.deadline)
    if seconds is None:
        raise RateLimited(
            f"too many searches with {provider} are waiting for their turn",
            retry_after=interval,
            hint=f"One query is sent every {interval:g} s (WEBTOOL_SEARCH_INTERVAL): search again later.",
        )
    _pause(ctx, seconds)


def _pause(ctx: Context, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Sleep in short steps, so that a cancellation takes effect. Raises Cancelled."""
    while seconds > 0:
        if ctx.is_cancelled():
            raise Cancelled("the search was cancelled while it waited for its turn with the provider")
        sleep(min(seconds, _PAUSE_STEP))
        seconds -= _PAUSE_STEP


def _reserve_own_slot(provider: str, interval: float, deadline: float) -> float | None:
    """Reserve a slot of this process. Return the seconds until it begins, or None if it is after the deadline."""
    with _slots_lock:
        now = time.monotonic()
        slot = max(now, _own_slots.get(provider, now))
        if slot > deadline:
            return None
        _own_slots[provider] = slot + interval
        return slot - now


def _page_key(url: str) -> str:
    """Return a key that is equal for two URLs of one page: `https://A.example/a#x` and `https://a.example/a`."""
    scheme, mark, rest = url.partition("://")
    rest = rest.partition("#")[0]
    host = rest.partition("/")[0].partition("?")[0]
    return f"{scheme}{mark}{host}".lower() + rest[len(host) :]


def _hidden(text: str, key: str) -> str:
    """Put *** in place of the key. A short key is hidden only as a value: "key=k", not the k of "DuckDuckGo"."""
    if len(key) >= MIN_KEY:
        return text.replace(key, "***")
    start = 0
    while (place := text.find(key, start)) >= 0:
        end = place + len(key)
        if text[:place].endswith(("=", ":", "'", '"', "/")) and not text[end : end + 1].isalnum():
            text, end = f"{text[:place]}***{text[end:]}", place + 3
        start = end
    return text


def _without_secrets(error: WebtoolError, engine_name: str, account: Account) -> WebtoolError:
    """Return the error with the provider's name in its message, and with *** for the key, encoded or not."""
    secrets = [account.key, payload.quote(account.key)] if account.key else []

    def cleaned(value: object) -> object:
        if isinstance(value, dict):
            return {name: cleaned(item) for name, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [cleaned(item) for item in value]
        if not isinstance(value, str):
            return value
        for secret in secrets:
            value = _hidden(value, secret)
        return urls.redact(value)

    message = str(cleaned(error.message))
    if isinstance(error, statuses.UNANSWERED):
        message = f"{engine_name} search failed: {message.removeprefix(statuses.FAILED)}"
    error.rephrase(message, cleaned(error.hint))  # type: ignore[arg-type]
    error.url, error.members = cleaned(error.url), cleaned(error.members)  # type: ignore[assignment]
    error.__cause__ = error.__context__ = None
    return error
