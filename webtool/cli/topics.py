"""What `webtool help TOPIC` prints: texts for people, short enough to be read. In: a topic. Out: its text.

The table of errors is made from the tree of errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool import errors

CREDENTIALS = """\
Keys for search

  Brave        BRAVE_API_KEY                     https://brave.com/search/api/
  Google       GOOGLE_SEARCH_API_KEY and         https://developers.google.com/custom-search
               GOOGLE_SEARCH_ENGINE_ID           (closed to new projects, ends on 2027-01-01; an engine id of the form
                                                 projects/.../servingConfigs/... uses Vertex AI Search)
  SearXNG      WEBTOOL_SEARXNG_URL               an instance of yours with json among its search.formats
  DuckDuckGo   nothing                           blocks addresses that ask too often

Looked for in this order, first found wins:
  1. the environment
  2. credentials.json in $IKIGAI_CONFIG_DIR, else $XDG_CONFIG_HOME/ikigai, else ~/.config/ikigai:
     {"web_search": {"brave": {"api_key": "..."}, "google": {"api_key": "...", "engine_id": "..."}}}
  3. the one-line files brave-api-key, google-api-key, google-engine-id beside it
Keep such files to yourself: chmod 600 FILE.

webtool search asks those that are set up, in this order: Brave, Google, SearXNG, DuckDuckGo. Where one is
rate-limited, out of quota, blocked or down, the next answers, and a note says so. Your own order:
  WEBTOOL_SEARCH_PROVIDERS=searxng,brave     WEBTOOL_SEARCH_PROVIDER=google asks that one only.
WEBTOOL_BRAVE_API=context asks Brave for passages instead of lines (LLM Context, the same key).

webtool doctor shows which keys are found; webtool doctor --online asks each provider whether it takes them.
"""

RULES = """\
Site rules: where a site keeps its text

A text file in the format of Five Filters' site configurations, one `name: value` a line:

  title: //h1
  body: //div[@id='article']
  strip: //aside
  next_page_link: //a[@rel='next']/@href

Names: title, body, author, date, strip, strip_attr (XPath 1.0; the first that finds something counts),
strip_id_or_class, strip_image_src, single_page_link, next_page_link (each may be followed by if_page_contains),
find_string with replace_string or replace_string(find):, http_header(user-agent|referer|accept|accept-language),
prune, tidy, autodetect_on_failure (yes or no), test_url, test_contains.

tidy has no effect; prune: no keeps nav elements. Lines that cannot be used are named with file and line in the
answer's note; the others count.

Files are looked up by host: docs.example.com.txt, without www., then .example.com.txt for all hosts below. Those in
WEBTOOL_SITECONFIG_DIR win over the built-in ones. --siteconfig-id NAME chooses a file, --no-use-siteconfig none.
Where rules find less than a fifth of what the learned model finds, the model's text is given. Up to 10 pages are
joined, within the deadline; each passes robots.txt and the address checks like the first.
Try them: webtool open URL --siteconfig-dir FOLDER
"""

PARTS = """\
Parts of a page, from one snapshot

  webtool open URL --outline               headings, each with its line and the tokens below it
  webtool open URL --section "Install"     a heading and what is below it; also "A > B", or a line
  webtool open URL --find "words"          lines that match, with the lines around; --find "/regex/i"
  webtool open URL --query "what I want to know" --max-tokens 800     the best passages
  webtool open URL --verify "a quote"      whether the page says so
  webtool fetch URL --offset 201 --limit 200      by lines
"""

HOSTS_FILE = """\
What a single host is to be sent

hosts.json beside config.json (or WEBTOOL_HOSTS_FILE) has header fields, cookies and netrc use by host; they reach no
other host, not by a redirect either. An entry holds for https, and for http only where it begins with http://; for
the port it names, or for any; never for robots.txt over http:

  {"docs.example.com": {"headers": {"X-Team": "a"}, "cookies": {"session": "..."}, "netrc": true},
   "*.example.org": {"user_agent": "..."}}

For one call: webtool fetch URL -H 'Authorization: Bearer ...'. What such a call brings is not kept in the cache.
A server on this machine: WEBTOOL_ALLOW_PRIVATE_HOSTS=localhost webtool fetch http://localhost:8000/
"""


WHEN = {
    "INVALID_REQUEST": "the request cannot be read",
    "INVALID_ARGUMENT": "a member or a flag is wrong; the message names it",
    "INVALID_URL": "not an http(s) URL",
    "NETWORK_ERROR": "DNS, connection, proxy or protocol",
    "TLS_ERROR": "certificate or handshake",
    "SSRF_BLOCKED": "not a public address; nothing was sent",
    "ROBOTS_DISALLOWED": "robots.txt says no",
    "RENDER_DISABLED": "rendered mode is off",
    "HTTP_ERROR": "status 400 and above",
    "AUTH_MISSING": "a search provider has no key",
    "AUTH_INVALID": "a search provider refused the key",
    "RATE_LIMITED": "a search provider wants a pause: see retry_after",
    "QUOTA_EXCEEDED": "a search provider's quota is used up",
    "BLOCKED": "a search provider takes us for a robot",
    "API_ERROR": "a search provider failed otherwise",
    "FETCH_TIMEOUT": "the deadline passed, at whatever step",
    "FETCH_TOO_LARGE": "more than max_bytes after decoding",
    "UNSUPPORTED_CONTENT": "not a kind of document that becomes text",
    "EXTRACT_FAILED": "no main content, or nothing that a selector chooses",
    "RENDER_FAILED": "the browser could not show the page",
    "CACHE_ERROR": "the cache file cannot be used",
    "CACHE_MISS": "nothing is stored under that hash, or offline",
    "INTERNAL_ERROR": "a bug",
}
"""Code: when it occurs. Not the docstrings of the errors: those are not in the built file."""


def _errors() -> str:
    """The table of codes, from the tree of errors."""
    rows = [f"  {error.code:<20}{error.exit_status:<6}{WHEN[error.code]}" for error in _classes() if error.code in WHEN]
    head = "Errors: the code for programs, the exit status, when"
    foot = (
        "A batch with some failures exits 7. With --json the error is an object on stdout: success, error,\n"
        "error_code; where they apply status_code, retryable, retry_after (seconds), hint, url. WEBTOOL_DEBUG=1\n"
        "shows the traceback of a bug."
    )
    return "\n".join([head, "", *rows, "", foot, ""])


def _classes(base: type[errors.WebtoolError] = errors.WebtoolError) -> Iterator[type[errors.WebtoolError]]:
    for error in base.__subclasses__():
        if "code" in vars(error):
            yield error
        yield from _classes(error)


TOPICS = {
    "settings": "every setting: its flag, its variable, its default",
    "credentials": "keys for search, and where they are looked for",
    "parts": "an outline, a section, passages or lines of a page",
    "rules": "site rules of your own",
    "hosts": "header fields, cookies and servers on this machine",
    "batch": "many pages at once",
    "mcp": "webtool as an MCP server, and hosts that use it",
    "errors": "codes and exit statuses",
}
"""Topic: what it is about. `settings` is made by help_text; of `batch` and `mcp` the commands themselves say more."""
_TEXTS = {"credentials": CREDENTIALS, "parts": PARTS, "rules": RULES, "hosts": HOSTS_FILE}


def text_of(topic: str) -> str:
    """The text on a topic; "" where there is none."""
    return _errors() if topic == "errors" else _TEXTS.get(topic, "")
