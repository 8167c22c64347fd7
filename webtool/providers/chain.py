"""One search with the providers that are set up, one after the other until one answers. In: a Context, what is wanted.
Out: the Answer of the first that gives one, with a note on those that did not; or an error that lists every failure.

`brave,google,searxng,duckduckgo` is the order of `auto`; the setting search_providers is a chain of one's own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from webtool.context import Context
from webtool.errors import CacheMiss, Cancelled, InternalError, WebtoolError
from webtool.providers import credentials, driver
from webtool.providers.driver import Answer
from webtool.providers.results import Query

ORDER = ("brave", "google", "searxng", "duckduckgo")
_LEAST_SHARE = 4.0  # seconds that one provider gets before the next is asked, as far as the deadline has them


def providers(ctx: Context, provider: str = "auto") -> tuple[str, ...]:
    """The providers to ask, in order: the one named, else the settings', else all that are set up.

    Raises InvalidArgument for a broken credentials.json.
    """
    current = ctx.settings
    name = current.search_provider if provider == "auto" else provider
    if name != "auto":
        return (name,)
    if current.search_providers:
        return tuple(dict.fromkeys(current.search_providers))
    has = {name: credentials.has(ctx, name) for name in credentials.PROVIDERS}
    has["searxng"] = bool(current.searxng_url)
    return tuple(name for name in ORDER if has.get(name, True))


def search(ctx: Context, names: tuple[str, ...], query_for: Callable[[str], Query]) -> tuple[Answer, tuple[str, ...]]:
    """The first answer, and notes on who did not give one.

    `query_for` gives what a provider is asked. Raises the first provider's error, with `failures` where more than one
    was asked.
    """
    failures: list[tuple[str, WebtoolError]] = []
    for index, name in enumerate(names):
        wanted = query_for(name)  # what is wrong for all providers is not a failure of one
        attempt = ctx.derive(deadline=_share(ctx.deadline, len(names) - index))
        ctx.report["provider"] = name
        try:
            answer = driver.ask(attempt, name, wanted)
        except (Cancelled, CacheMiss, InternalError):
            raise
        except WebtoolError as error:
            failures.append((name, error))
            continue
        summary = tuple(f"{other} did not answer: {_coded(error)}" for other, error in failures)
        return answer, summary
    ctx.report["provider"] = names[0]
    raise _all(failures)


def _share(deadline: float, left: int) -> float:
    """The time until which one of `left` providers may take: half of what is there, all of it for the last."""
    now = time.monotonic()
    return deadline if left == 1 else min(deadline, now + max((deadline - now) / 2, _LEAST_SHARE))


def _all(failures: list[tuple[str, WebtoolError]]) -> WebtoolError:
    """The first failure, which is that of the provider wanted most, telling of the others too."""
    error = failures[0][1]
    if len(failures) > 1:
        listed: list[Mapping[str, object]] = [
            {"provider": name, "error_code": error.code, "error": error.message} for name, error in failures
        ]
        waits = [one.retry_after for _, one in failures if one.retry_after is not None]
        hints = [f"{name}: {one.hint}" for name, one in failures if one.hint]
        summary = "; ".join(f"{name}: {_coded(one)}" for name, one in failures)
        error.rephrase(f"no search provider answered. {summary}", " ".join(hints))
        error.retry_after = min(waits, default=None)
        error.retryable = any(one.retryable for _, one in failures)
        error.members = {**error.members, "failures": listed}
    return error


def _coded(error: WebtoolError) -> str:
    """The message with the code, which some messages have already."""
    return error.message if error.message.endswith(f"({error.code})") else f"{error.message} ({error.code})"
