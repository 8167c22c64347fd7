"""What doctor --online finds by asking: names, connections, and each search provider with one query. In: a Context.
Out: (state, text) by name, in the form of doctor's own checks.

Nothing of this runs without the flag: a query may cost money, and a look-up tells somebody that webtool is here.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from functools import partial

from webtool import urls
from webtool.context import Context
from webtool.errors import WebtoolError
from webtool.net.messages import Request
from webtool.providers import accounts, chain, driver
from webtool.providers.table import PROVIDERS

Finding = tuple[str, str]

_SECONDS = 10.0  # for one thing asked
_QUERY = "webtool"


def checks(ctx: Context) -> dict[str, Callable[[], Finding]]:
    """What can be asked: the names of the endpoints, a connection, and each provider that is set up."""
    names = chain.providers(ctx)
    asked = {name: partial(_ask, ctx, name) for name in names}
    return {"dns": partial(_dns, ctx, names), "connection": partial(_connect, ctx, names), **asked}


def _endpoint(ctx: Context, name: str) -> str:
    try:
        return accounts.account(ctx, name).endpoint
    except WebtoolError:
        return str(getattr(ctx.settings, PROVIDERS[name].settings[0]))


def _dns(ctx: Context, names: tuple[str, ...]) -> Finding:
    """Whether the endpoints' names are known here; behind a proxy they need not be."""
    hosts = {host for name in names if (host := urls.hostname(_endpoint(ctx, name)))}
    unknown = []
    for host in sorted(hosts):
        try:
            socket.getaddrinfo(host, 443)
        except OSError as exc:
            unknown.append(f"{host} ({exc.strerror or exc})")
    if unknown:
        return "bad", f"not found: {', '.join(unknown)}. Behind a proxy that looks names up this does no harm."
    return "ok", f"found: {', '.join(sorted(hosts))}"


def _connect(ctx: Context, names: tuple[str, ...]) -> Finding:
    """A connection to the first endpoint: proxy, handshake and certificate; whatever it answers is an answer."""
    url = f"{urls.parse(_endpoint(ctx, names[0])).origin}/"
    begun = time.monotonic()
    response = ctx.client.ask(Request(url), deadline=begun + _SECONDS)
    return "ok", f"{url} answered with status {response.status} in {_ms(begun)}"


def _ask(ctx: Context, name: str) -> Finding:
    begun = time.monotonic()
    wanted = driver.checked_query(_QUERY, 1, None, None, {})
    answer = driver.ask(ctx.derive(deadline=begun + _SECONDS), name, wanted)
    return "ok", f"answered with {len(answer.results)} result in {_ms(begun)}"


def _ms(begun: float) -> str:
    return f"{(time.monotonic() - begun) * 1000:.0f} ms"
