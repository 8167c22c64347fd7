"""Ask providers one after the other until one answers. In: a Context and the query for each. Out: Answer and notes.

The order of `auto` is that of the table (webtool.providers.table), without providers that are not set up. The setting
search_providers replaces it. Notes name the providers that failed; if all fail, the error lists every failure.
Tests: tests/providers/test_chain.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from webtool.context import Context
from webtool.errors import CacheMiss, Cancelled, InternalError, WebtoolError
from webtool.providers import credentials, driver
from webtool.providers.results import Answer, Query
from webtool.providers.table import PROVIDERS

MIN_SECONDS = 4.0  # a provider gets this long even if half of the time left is less; the deadline holds in any case


def providers(ctx: Context, provider: str = "auto") -> tuple[str, ...]:
    """Return the names of the providers to ask, in order.

    `provider` comes first, then the settings search_provider and search_providers, then all that are set up.
    Raises InvalidArgument for a broken credentials.json.
    """
    settings = ctx.settings
    name = settings.search_provider if provider == "auto" else provider
    if name != "auto":
        return (name,)
    if settings.search_providers:
        return tuple(dict.fromkeys(settings.search_providers))
    return tuple(name for name, record in PROVIDERS.items() if credentials.is_set_up(ctx, record))


def search(ctx: Context, names: tuple[str, ...], query_for: Callable[[str], Query]) -> tuple[Answer, tuple[str, ...]]:
    """Return the first answer, and one note for each provider that failed before it.

    `query_for(name)` makes the query for one provider; its errors are not failures of the provider. If all fail, raises
    the first provider's error, whose member `failures` lists all of them if there are several.
    """
    failures: list[tuple[str, WebtoolError]] = []
    for index, name in enumerate(names):
        query = query_for(name)
        attempt = ctx.derive(deadline=_deadline_for_one(ctx.deadline, len(names) - index))
        ctx.report["provider"] = name
        try:
            answer = driver.ask(attempt, name, query)
        except (Cancelled, CacheMiss, InternalError):
            raise
        except WebtoolError as error:
            failures.append((name, error))
            continue
        return answer, tuple(f"{failed} did not answer: {_with_code(error)}" for failed, error in failures)
    ctx.report["provider"] = names[0]
    raise _combined(failures)


def _deadline_for_one(deadline: float, left: int) -> float:
    """Return the deadline of the next of `left` providers: half of the time that is left, or all for the last one."""
    now = time.monotonic()
    return deadline if left == 1 else min(deadline, now + max((deadline - now) / 2, MIN_SECONDS))


def _combined(failures: list[tuple[str, WebtoolError]]) -> WebtoolError:
    """Return the first provider's error. If others failed too, its message, hint and `failures` name them all."""
    first = failures[0][1]
    if len(failures) == 1:
        return first
    listed: list[Mapping[str, object]] = [
        {"provider": name, "error_code": error.code, "error": error.message} for name, error in failures
    ]
    waits = [error.retry_after for _, error in failures if error.retry_after is not None]
    hints = [f"{name}: {error.hint}" for name, error in failures if error.hint]
    summary = "; ".join(f"{name}: {_with_code(error)}" for name, error in failures)
    is_retryable = any(error.retryable for _, error in failures)
    first.rephrase(f"no search provider answered. {summary}", " ".join(hints))
    first.retry_after = min(waits, default=None)
    first.retryable = is_retryable
    first.members = {**first.members, "failures": listed}
    return first


def _with_code(error: WebtoolError) -> str:
    """Return the message and, in brackets, the error's code; some messages end with it already."""
    return error.message if error.message.endswith(f"({error.code})") else f"{error.message} ({error.code})"
