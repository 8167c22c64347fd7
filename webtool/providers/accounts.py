"""Where a provider is asked, and with which secrets. In: a Context and a provider's name. Out: an Account.

Secrets come from webtool.providers.credentials, URLs from the settings. A provider whose URL or headers depend on more
than that has a function account() in its module, which calls at_setting().

Tests: tests/providers/test_driver.py
"""

from __future__ import annotations

from webtool import urls
from webtool.context import Context
from webtool.errors import InvalidArgument, InvalidUrl
from webtool.lean.imports import load
from webtool.net.messages import basic
from webtool.providers import credentials
from webtool.providers.results import Account
from webtool.providers.table import PROVIDERS
from webtool.settings import Settings
from webtool.urls.hosts import percent_decode


def account_of(ctx: Context, name: str) -> Account:
    """Return the endpoint and secrets of a provider.

    Raises AuthMissing, and InvalidArgument for an unknown provider or an unusable URL.
    """
    provider = PROVIDERS.get(name)
    if provider is None:
        raise InvalidArgument(f"unknown provider {name[:40]!r}", hint=f"Use one of: {', '.join(PROVIDERS)}.")
    secrets = credentials.require(ctx, provider)
    make_account = getattr(load(f"webtool.providers.{provider.module}"), "account", None)
    account: Account
    if make_account is None:
        account = at_setting(ctx.settings, provider.settings[0], *secrets.values())
    else:
        account = make_account(ctx.settings, secrets)
    return account._replace(module=account.module or provider.module)


def at_setting(settings: Settings, name: str, key: str = "", engine_id: str = "") -> Account:
    """Return the account at the URL in a setting. Raises InvalidArgument unless it is an http(s) URL.

    Name and password in the URL become an Authorization header (RFC 7617): URLs appear in messages, headers do not.
    `https://me:secret@searx.example/` -> `https://searx.example/` with `Authorization: Basic ...`.
    """
    endpoint: str = getattr(settings, name)
    try:
        url = urls.parse(endpoint)
    except InvalidUrl:
        url = None
    if url is None or url.scheme not in ("http", "https"):
        problem = "is not an absolute http or https URL" if endpoint else "is not set"
        raise InvalidArgument(
            f"the setting {name} {problem}", hint=f"Set WEBTOOL_{name.upper()} to the endpoint's URL."
        )
    if not url.username and not url.password:
        return Account(endpoint, key, engine_id, setting=name)
    without_user = url._replace(username="", password="").href
    authorization = basic(percent_decode(url.username), percent_decode(url.password))
    return Account(without_user, key, engine_id, (("Authorization", authorization),), name)
