"""Read the settings of webtool. In: environment variables and config.json. Out: Settings.

A setting is one field of Settings: its name gives the variable WEBTOOL_<NAME> and the flag --name, its default gives
the type, its docstring the text of help and README. A variable wins over config.json, and that over the default. The
command line applies its flags to the result.

Tests: tests/test_settings.py
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Mapping

from webtool.errors import InvalidArgument, quoted
from webtool.lean.records import NamedTuple
from webtool.providers.table import PROVIDERS


class Settings(NamedTuple):
    """Everything that a user can configure. Read once per process and passed on in Context, never a global."""

    allow_private_hosts: tuple[str, ...] = ()
    """Host names, addresses and CIDR blocks that may be fetched although they are not public."""
    allow_domains: tuple[str, ...] = ()
    """Only these domains and their sub-domains may be fetched; empty allows all."""
    deny_domains: tuple[str, ...] = ()
    """These domains and their sub-domains are never fetched; deny wins over allow."""
    deadline: float = 25.0
    """Seconds for one whole call of a tool, including redirects and retries."""
    max_bytes: int = 5242880
    """Largest body after decoding, in bytes."""
    url_rule: str = "any"
    """Addresses that agents may open: any, or seen (given by a person, found by a search, linked on an opened page)."""
    max_redirects: int = 5
    """Number of redirects that one fetch follows."""
    respect_robots: bool = True
    """Whether robots.txt is checked before a page is fetched."""
    user_agent: str = ""
    """The whole User-Agent header; empty gives webtool/<version> with the contact."""
    contact: str = ""
    """URL or email address of the operator of webtool, sent in the User-Agent."""
    cache: bool = True
    """Whether pages and searches are stored in the cache file."""
    cache_path: str = ""
    """The cache file; empty gives $XDG_CACHE_HOME/webtool/cache.sqlite3."""
    cache_max_bytes: int = 1073741824
    """Size in bytes above which old pages are deleted from the cache file."""
    warc: str = ""
    """WARC file to which requests and responses are appended (.gz compresses); no page comes from the cache then."""
    warc_secrets: str = "blank"
    """Cookies, tokens and secret query values in the WARC file: blank or keep."""
    offline: bool = False
    """Answer from the cache only, whatever the age of a page; nothing is sent."""
    max_output_bytes: int = 60000
    """Maximum size in bytes of one answer of web-fetch-tool and the other -tool commands; 0 is unlimited."""
    max_answer_tokens: int = 12000
    """Maximum tokens (of four bytes) of one answer of the MCP server, unless a call sets max_tokens."""
    mcp_hosts: tuple[str, ...] = ()
    """Names under which the MCP server over HTTP is reached, and origins whose web pages may use it."""
    exit_zero: str = "auto"
    """Whether a failing -tool command exits 0 and puts its event into the error object: on, off, auto (in ikigai)."""
    render: str = "off"
    """Rendered mode: off, on, or auto (pages that need a browser get one)."""
    browser: str = ""
    """Path of the Chromium, Chrome or Edge to use; empty looks in the usual places."""
    browser_no_sandbox: bool = False
    """Run the browser without its sandbox, which root in a container needs."""
    render_deadline: float = 15.0
    """Maximum seconds that a rendered page takes to load."""
    render_clicks: bool = False
    """Click twice in a rendered page: refuse consent in its dialog, and "show more" in the main text."""
    search_provider: str = "auto"
    """Provider of web_search; auto asks those that are set up, one after the other, until one answers."""
    search_providers: tuple[str, ...] = ()
    """Providers that auto asks, in your own order, separated by commas."""
    search_interval: float = 1.0
    """Minimum seconds between two queries to one provider, among all processes; 0 is unlimited."""
    searxng_url: str = ""
    """Base URL of a SearXNG instance with the JSON format enabled."""
    brave_url: str = "https://api.search.brave.com/res/v1/web/search"
    """Endpoint of the Brave Search API."""
    brave_api: str = "web"
    """Which API of Brave is asked: web (results) or context (LLM Context: passages for a model; the same key)."""
    google_url: str = "https://customsearch.googleapis.com/customsearch/v1"
    """Endpoint of Google's Custom Search JSON API."""
    vertex_url: str = "https://discoveryengine.googleapis.com/v1"
    """Base URL of Vertex AI Search."""
    duckduckgo_url: str = "https://html.duckduckgo.com/html/"
    """DuckDuckGo's HTML page."""
    siteconfig_dir: str = ""
    """Folder with your own site rules, which come before the built-in ones."""
    hosts_file: str = ""
    """JSON file with headers, cookies and netrc use by host; empty gives hosts.json beside config.json."""
    tls_relaxed: bool = False
    """Accept certificates that are valid except for strict X.509 rules; verification is never skipped."""
    color: str = "auto"
    """Colour on a terminal: auto, always or never. NO_COLOR in the environment turns auto off."""
    pager: bool = True
    """Whether a text longer than the screen is shown in a pager: PAGER, else less."""
    debug: bool = False
    """Show the traceback of a bug, and on stderr what each extraction rule dropped or kept."""


# Environment variable of another program: the setting that it sets. One that ends in _MS is in milliseconds.
ALIASES = {
    "MCP_WEB_DB_PATH": "cache_path", "MCP_WEB_USER_AGENT": "user_agent", "MCP_WEB_MAX_BYTES": "max_bytes",
    "MCP_WEB_RESPECT_ROBOTS": "respect_robots", "MCP_WEB_RENDER_ENABLED": "render",
    "MCP_WEB_ALLOWLIST_DOMAINS": "allow_domains", "MCP_WEB_DENYLIST_DOMAINS": "deny_domains",
    "MCP_WEB_TIMEOUT_MS": "deadline",
}  # fmt: skip
_TRUE = frozenset(("1", "true", "yes", "on"))
_FALSE = frozenset(("0", "false", "no", "off"))
_SWITCHES = ("render", "exit_zero")  # settings with more values than on and off
# Setting: the values that it may have. choices_of() adds those of the search settings.
_CHOICES = {
    "render": ("off", "on", "auto"), "exit_zero": ("auto", "on", "off"), "url_rule": ("any", "seen"),
    "brave_api": ("web", "context"), "warc_secrets": ("blank", "keep"), "color": ("auto", "always", "never"),
}  # fmt: skip
# Setting: the least and the greatest number that it may be.
_MINIMUM = {
    "deadline": 0.001, "max_bytes": 1, "max_redirects": 0, "max_output_bytes": 0, "max_answer_tokens": 1000,
    "cache_max_bytes": 0, "render_deadline": 0.001, "search_interval": 0,
}  # fmt: skip
_MAXIMUM = {"deadline": 86400, "render_deadline": 86400, "search_interval": 3600}  # seconds; waits cannot be longer
_OTHER_VARIABLES = ("WEBTOOL_MCP_TOKEN",)  # a secret, so no setting; read by the MCP server over HTTP
_OF_TESTS = ("WEBTOOL_TEST_", "WEBTOOL_BENCH_")
_HEADERS = frozenset(("user_agent", "contact"))  # settings that are sent in a header field


def from_environ(environ: Mapping[str, str]) -> Settings:
    """Return the settings of this process: environment over config.json over defaults.

    Raises InvalidArgument for a value that cannot be used, naming the variable, or the member and its file.
    """
    path = config_path(environ)
    members = (read_members(path) or {}).items()
    values = {name: _from_json(name, value, path) for name, value in members if name in Settings._fields}
    for alias, name in ALIASES.items():
        text = environ.get(alias)
        if text and alias.endswith("_MS"):
            values[name] = _checked(name, _number(alias, text, float) / 1000, f"{alias}, in seconds,")
        elif text:
            values[name] = convert(name, text, alias)
    for name in Settings._fields:
        variable = f"WEBTOOL_{name.upper()}"
        if environ.get(variable):
            values[name] = convert(name, environ[variable], variable)
    return Settings(**values)  # type: ignore[arg-type]


def is_on(environ: Mapping[str, str], variable: str) -> bool:
    """Return whether an environment variable is switched on. Works even if other settings cannot be read."""
    return environ.get(variable, "").strip().lower() in _TRUE


def config_path(environ: Mapping[str, str]) -> str:
    """Return the path of config.json, "" if no home folder is known."""
    base = xdg_folder(environ, "XDG_CONFIG_HOME") or _base(environ, ".config", "APPDATA", "Application Support")
    return os.path.join(base, "webtool", "config.json") if base else ""


def cache_path(settings: Settings, environ: Mapping[str, str]) -> str:
    """Return the path of the cache file, "" if no setting names one and no home folder is known."""
    if settings.cache_path:
        return settings.cache_path
    base = xdg_folder(environ, "XDG_CACHE_HOME") or _base(environ, ".cache", "LOCALAPPDATA", "Caches")
    return os.path.join(base, "webtool", "cache.sqlite3") if base else ""


def xdg_folder(environ: Mapping[str, str], variable: str) -> str:
    """Return the folder that a variable names, "" if its path is relative: the XDG specification ignores such."""
    folder = environ.get(variable, "")
    return folder if os.path.isabs(folder) else ""


def home_folder(environ: Mapping[str, str]) -> str:
    """Return the home folder, "" if none is known. A relative path would be another folder for each caller."""
    homes = (environ.get("HOME", ""), environ.get("USERPROFILE", ""))
    return next((home for home in homes if os.path.isabs(home)), "")


def last_search_path(settings: Settings, environ: Mapping[str, str]) -> str:
    """Return the path of the file with the last search's addresses, "" without a folder for it."""
    cache = cache_path(settings, environ)
    return os.path.join(os.path.dirname(cache), "last-search.json") if cache else ""


def _base(environ: Mapping[str, str], unix: str, windows: str, mac: str, system: str = sys.platform) -> str:
    """Return the system's folder for one kind of files. Those of webtool are in the folder `webtool` in it.

    `unix` is a folder below home (".cache"), `mac` one below ~/Library ("Caches"), `windows` a variable that names one.
    On every system the one below home is taken if it has a folder `webtool` already. It is also taken on Windows if the
    variable is not set, and on a Mac if the one below Library has no folder `webtool`.
    """
    below_home = _below_home(environ, unix)
    if below_home and os.path.isdir(os.path.join(below_home, "webtool")):
        return below_home
    if system == "win32" and environ.get(windows):
        return environ[windows]
    library = _below_home(environ, os.path.join("Library", mac)) if system == "darwin" else ""
    return library if library and os.path.isdir(os.path.join(library, "webtool")) else below_home


def credentials_folder(environ: Mapping[str, str]) -> str:
    """Return ikigai's configuration folder, which may hold keys; "" if no home folder is known."""
    if environ.get("IKIGAI_CONFIG_DIR"):
        return environ["IKIGAI_CONFIG_DIR"]
    base = xdg_folder(environ, "XDG_CONFIG_HOME") or _below_home(environ, ".config")
    return os.path.join(base, "ikigai") if base else ""


def convert(name: str, text: str, where: str) -> object:
    """Return the value of a setting from its text: `convert("max_bytes", "100", ...)` -> 100.

    Raises InvalidArgument, whose message names `where`.
    """
    default = Settings._field_defaults[name]
    value: object = text.strip()
    word = text.strip().lower()
    if isinstance(default, bool):
        if word not in _TRUE | _FALSE:
            raise InvalidArgument(f"{where} is {quoted(text)}, not on or off", hint=f"Set {where} to 1 or 0.")
        value = word in _TRUE
    elif isinstance(default, int):
        value = _number(where, text, int)
    elif isinstance(default, float):
        value = _number(where, text, float)
    elif isinstance(default, tuple):
        value = tuple(part.strip() for part in text.split(",") if part.strip())
    elif name in _SWITCHES and word in _TRUE | _FALSE:
        value = "on" if word in _TRUE else "off"
    return _checked(name, value, where)


def choices_of(name: str) -> tuple[str, ...]:
    """Return the values that a setting may have, () if every value of its type is possible."""
    if name == "search_provider":
        return ("auto", *PROVIDERS)
    return tuple(PROVIDERS) if name == "search_providers" else _CHOICES.get(name, ())


def _checked(name: str, value: object, where: str) -> object:
    """Return the value if the setting may have it. Raises InvalidArgument, naming `where`."""
    choices = choices_of(name)
    if choices:
        for part in value if isinstance(value, tuple) else (value,):
            if part not in choices:
                raise InvalidArgument(f"{where} is {quoted(str(part))}", hint=f"Use one of: {', '.join(choices)}.")
    minimum = _MINIMUM.get(name)
    if minimum is not None and not value >= minimum:  # type: ignore[operator]
        raise InvalidArgument(f"{where} is {value}, below {minimum}", hint=f"Use {minimum} or more.")
    maximum = _MAXIMUM.get(name)
    if maximum is not None and value > maximum:  # type: ignore[operator]
        raise InvalidArgument(f"{where} is {value}, above {maximum}", hint=f"Use {maximum} or less.")
    if name in _HEADERS and not (str(value).isascii() and str(value).isprintable()):
        raise InvalidArgument(f"{where} contains characters that a header cannot have", hint="Write one line of ASCII.")
    return value


def _number(where: str, text: str, kind: type) -> float:
    """Return a finite number of this type. Raises InvalidArgument."""
    try:
        number: float = kind(text.strip())
    except ValueError:
        noun = "a whole number" if kind is int else "a number"
        raise InvalidArgument(f"{where} is {quoted(text)}, not {noun}", hint=f"Set {where} to {noun}.") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise InvalidArgument(f"{where} is {quoted(text)}, not a finite number", hint=f"Set {where} to a number.")
    return number


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Return the variables named like a setting that are not one: WEBTOOL_DEADLIN. Those of tests are left out."""
    known = {f"WEBTOOL_{name.upper()}" for name in Settings._fields}.union(_OTHER_VARIABLES)
    names = (name for name in environ if name.startswith("WEBTOOL_") and environ[name])
    return sorted(name for name in names if name not in known and not name.startswith(_OF_TESTS))


def unknown_members(path: str) -> list[str]:
    """Return the names in config.json that are not settings; a newer webtool may know them. Raises InvalidArgument."""
    return [name for name in read_members(path) or () if name not in Settings._fields]


def read_members(path: str) -> dict[str, object] | None:
    """Return the members of a JSON file, None if it cannot be read. Raises InvalidArgument if it is not an object."""
    try:
        data = read_small(path)
    except (OSError, ValueError):
        return None
    import json  # only users with a configuration file pay for it

    try:
        members = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as exc:
        raise InvalidArgument(f"{path} is not JSON: {exc}", hint="Correct or remove the file.") from exc
    if not isinstance(members, dict):
        raise InvalidArgument(f"{path} does not hold a JSON object", hint="Correct or remove the file.")
    return members


def read_small(path: str, limit: int = 1 << 20) -> bytes:
    """Return at most `limit` bytes of a regular file. Raises OSError and ValueError.

    Other files are refused: a pipe would wait for a writer.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with open(path, "rb") as file:
        return file.read(limit)


def _from_json(name: str, value: object, path: str) -> object:
    """Return the value of a setting from its member of config.json. Raises InvalidArgument."""
    where = f"{name} in {path}"
    default = Settings._field_defaults[name]
    if isinstance(default, tuple) and isinstance(value, list):
        return _checked(name, tuple(str(part) for part in value), where)
    if isinstance(value, bool) and (isinstance(default, bool) or name in _SWITCHES):
        return convert(name, "on" if value else "off", where)
    if isinstance(value, float) and value.is_integer():  # 100.0 and 100 are the same number in JSON
        value = int(value)
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return convert(name, str(value), where)
    raise InvalidArgument(f"{where} has a wrong type", hint="webtool help settings shows the form of each setting.")


def _below_home(environ: Mapping[str, str], name: str) -> str:
    home = home_folder(environ)
    return os.path.join(home, name) if home else ""
