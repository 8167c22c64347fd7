"""Where a provider is asked, and as whom. In: a Context and a provider. Out: an Account: endpoint, key, headers.

Keys come from webtool.providers.credentials, endpoints from the settings.
"""

from __future__ import annotations

from webtool import __version__, urls
from webtool.context import Context
from webtool.errors import InvalidArgument, InvalidUrl
from webtool.net.messages import basic
from webtool.providers import credentials
from webtool.providers.results import Account
from webtool.settings import Settings
from webtool.urls.hosts import percent_decode

_WEB_SEARCH = "/web/search"
PROVIDERS = ("brave", "google", "duckduckgo", "searxng")


def account(ctx: Context, provider: str) -> Account:
    """Endpoint and secrets. Raises AuthMissing, and InvalidArgument for an unknown provider."""
    settings = ctx.settings
    if provider == "brave":
        account = _endpoint(settings, "brave_url", key=credentials.require(ctx, "brave")["BRAVE_API_KEY"])
        if settings.brave_api == "context" and account.endpoint.endswith(_WEB_SEARCH):
            account = account._replace(endpoint=account.endpoint[: -len(_WEB_SEARCH)] + "/llm/context")
        return account
    if provider == "google":
        found = credentials.require(ctx, "google")
        engine_id = found["GOOGLE_SEARCH_ENGINE_ID"]
        name = "vertex_url" if is_serving_config(engine_id) else "google_url"
        return _endpoint(settings, name, key=found["GOOGLE_SEARCH_API_KEY"], engine_id=engine_id)
    if provider == "duckduckgo":
        account = _endpoint(settings, "duckduckgo_url")
        # Its pages are for browsers and refuse what looks like a script; this still says who asks.
        agent = settings.user_agent or f"Mozilla/5.0 (compatible; webtool/{__version__})"
        return account._replace(headers=(*account.headers, ("User-Agent", agent)))
    if provider == "searxng":
        return _endpoint(settings, "searxng_url")
    raise InvalidArgument(f"there is no provider {provider[:40]!r}", hint=f"Use one of: {', '.join(PROVIDERS)}.")


def _endpoint(settings: Settings, name: str, key: str = "", engine_id: str = "") -> Account:
    """The account at an endpoint that a setting names. Raises InvalidArgument for what is not an http(s) URL.

    Name and password in it become an Authorization header (RFC 7617): URLs are shown, headers are not.
    """
    endpoint: str = getattr(settings, name)
    try:
        url = urls.parse(endpoint)
    except InvalidUrl:
        url = None
    if url is None or url.scheme not in ("http", "https"):
        what = "is not an absolute http or https URL" if endpoint else "is not set"
        raise InvalidArgument(f"the setting {name} {what}", hint=f"Set WEBTOOL_{name.upper()} to the endpoint's URL.")
    if not url.username and not url.password:
        return Account(endpoint, key, engine_id, setting=name)
    bare = url._replace(username="", password="").href
    authorization = basic(percent_decode(url.username), percent_decode(url.password))
    return Account(bare, key, engine_id, (("Authorization", authorization),), name)


def is_serving_config(engine_id: str) -> bool:
    """Whether an engine id names a serving config of Vertex AI Search and no Custom Search engine."""
    return engine_id.removeprefix("//discoveryengine.googleapis.com/").startswith("projects/")
