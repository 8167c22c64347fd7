"""List the search providers, one record each: every list of providers in webtool is made from these.

Out: PROVIDERS, by name, in the order in which `auto` asks them. The settings and their choices, the chain, credentials,
doctor, the keys handed to MCP hosts, help and completion read it. To add a provider, write its record here, its module
(webtool/providers/__init__.py describes its ENGINE) and a field of Settings for its URL.

The settings import this module at every start, so it imports almost nothing.

Tests: tests/providers/test_table.py
"""

from __future__ import annotations

from webtool.lean.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Credential(NamedTuple):
    """One secret and the three places where it may be."""

    variable: str  # environment variable; also the name of a flat member of credentials.json
    path: tuple[str, ...]  # names on the way to the nested member of credentials.json
    file: str  # file that holds nothing else, in the folder of credentials.json


class Provider(NamedTuple):
    """Everything about a search provider that other modules need, except how to talk to it."""

    name: str  # value of the argument `provider` and of the setting search_provider
    title: str  # name in messages and help
    module: str  # module in webtool.providers that writes requests and reads answers
    settings: tuple[str, ...]  # settings that change what the provider is asked; the first is the URL to ask
    credentials: tuple[Credential, ...] = ()  # secrets without which it cannot be asked
    tool: str = ""  # tool that asks only this provider, or ""
    signup_url: str = ""  # page where users get the credentials
    is_self_hosted: bool = False
    """Whether the provider has no public URL, so that it is set up only if its first setting is not empty."""
    default_age: str = "pw"
    """Value of `freshness` that web_search uses if the caller gives none: "pw", the past week, or "" for any age."""
    mcp_codes: Mapping[str, str] = {}  # error code: the code that the MCP server gives instead, for older clients
    about: str = ""  # lines for `webtool help credentials`

    @property
    def is_keyless(self) -> bool:
        """Whether anybody can ask it without setting up anything."""
        return not self.credentials and not self.is_self_hosted

    @property
    def variables(self) -> tuple[str, ...]:
        """Environment variables that set the provider up."""
        variables = [secret.variable for secret in self.credentials]
        if self.is_self_hosted:
            variables.append(f"WEBTOOL_{self.settings[0].upper()}")
        return tuple(variables)


_BRAVE = Provider(
    name="brave",
    title="Brave",
    module="brave",
    settings=("brave_url", "brave_api"),
    credentials=(Credential("BRAVE_API_KEY", ("web_search", "brave", "api_key"), "brave-api-key"),),
    tool="web_search_brave",
    signup_url="https://brave.com/search/api/",
    mcp_codes={
        "AUTH_MISSING": "BRAVE_AUTH_ERROR",
        "AUTH_INVALID": "BRAVE_AUTH_ERROR",
        "RATE_LIMITED": "BRAVE_RATE_LIMITED",
        "QUOTA_EXCEEDED": "BRAVE_RATE_LIMITED",
    },
    about="WEBTOOL_BRAVE_API=context asks for passages instead of results (LLM Context, with the same key).",
)
_GOOGLE = Provider(
    name="google",
    title="Google",
    module="google",
    settings=("google_url", "vertex_url"),
    credentials=(
        Credential("GOOGLE_SEARCH_API_KEY", ("web_search", "google", "api_key"), "google-api-key"),
        Credential("GOOGLE_SEARCH_ENGINE_ID", ("web_search", "google", "engine_id"), "google-engine-id"),
    ),
    tool="web_search_google",
    signup_url="https://developers.google.com/custom-search",
    about="Closed to new projects; ends on 2027-01-01.\n"
    "An engine id of the form projects/.../servingConfigs/... uses Vertex AI Search.",
)
_SEARXNG = Provider(
    name="searxng",
    title="SearXNG",
    module="searxng",
    settings=("searxng_url",),
    is_self_hosted=True,
    default_age="",  # most engines of an instance cannot filter by age and would be left out
    about="An instance of yours, with json among its search.formats.",
)
_DUCKDUCKGO = Provider(
    name="duckduckgo",
    title="DuckDuckGo",
    module="duckduckgo",
    settings=("duckduckgo_url",),
    tool="web_search_duckduckgo",
    about="Blocks addresses that ask too often.",
)
PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in (_BRAVE, _GOOGLE, _SEARXNG, _DUCKDUCKGO)}


def keyless_tool() -> str:
    """Return the tool of the first provider that needs no setup."""
    return next(provider.tool for provider in PROVIDERS.values() if provider.is_keyless and provider.tool)


def key_advice() -> str:
    """Return how to search with the first provider that takes a key: "set BRAVE_API_KEY and search with Brave"."""
    provider = next(provider for provider in PROVIDERS.values() if provider.credentials)
    return f"set {' and '.join(provider.variables)} and search with {provider.title}"


def instance_advice() -> str:
    """Return how to search with an instance of one's own: "set WEBTOOL_SEARXNG_URL"."""
    return "set " + next(provider.variables[0] for provider in PROVIDERS.values() if provider.is_self_hosted)
