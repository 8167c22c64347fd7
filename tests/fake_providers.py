"""A server on loopback that plays every provider in the table, and records the requests that it receives.

    with Providers() as providers:
        providers.answer("brave", 429, "brave_rate_limited.json", {"X-RateLimit-Reset": "1, 3600"})
        ... run webtool with providers.environ() ...
        assert providers.sent("brave")[0].parameters["q"] == "tides"

By default each provider answers with its page of results from tests/fixtures. `answer()` takes the name of a file there
(or in ../shared/fixtures/providers, see shared()), a dict or list (sent as JSON), text or bytes. Several answers are
sent one after the other; the last one is repeated.
"""

import json
import pathlib
import threading
import urllib.parse
from typing import NamedTuple

from servers import Server

from webtool import settings
from webtool.context import Context
from webtool.net.messages import Headers, Response
from webtool.providers.table import PROVIDERS
from webtool.schemas import arguments

FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
SHARED = pathlib.Path(__file__).resolve().parents[2] / "shared" / "fixtures" / "providers"


class Place(NamedTuple):
    """Where a provider is found on the server."""

    path: str  # that of the setting's default; one that users host themselves gets its name instead
    variable: str  # environment variable that leads there
    fixture: str  # file in tests/fixtures with its page of results

    @property
    def root(self):
        """First part of the path; everything below belongs to the provider."""
        return "/" + self.path.split("/")[1]


def _places():
    """Yield name and Place of every endpoint in the table of providers: a setting `x_url` is the endpoint x."""
    for provider in PROVIDERS.values():
        for setting in provider.settings:
            name = setting.removesuffix("_url")
            if name != setting:
                default = settings.Settings._field_defaults[setting]
                path = urllib.parse.urlsplit(default).path if default else f"/{name}"
                fixture = next((file.name for file in FIXTURES.glob(f"{name}_results.*")), "")
                assert fixture, f"add tests/fixtures/{name}_results.json: what {provider.title} answers to a query"
                yield name, Place(path, f"WEBTOOL_{setting.upper()}", fixture)


PLACES = dict(_places())
# Made-up keys in the form of real ones; tests look for them in every output.
BRAVE_KEY = "BSAtest0key1for2webtool3only4zz"
GOOGLE_KEY = "AIzaTestKey0for1webtool2only3-_zzzzzzzz"
GOOGLE_ENGINE = "0a1b2c3d4e5f60718"
VERTEX_ENGINE = (
    "projects/webtool-test/locations/global/collections/default_collection/engines/sites/servingConfigs/default_search"
)


class Sent(NamedTuple):
    """One request as it was received."""

    provider: str
    method: str
    path: str
    query: str
    headers: dict
    body: bytes

    @property
    def parameters(self):
        """Return the last value of each parameter, of the URL or of a form in the body."""
        return dict(self.pairs)

    @property
    def pairs(self):
        """Return all parameters in order, of the URL and of a form in the body."""
        pairs = urllib.parse.parse_qsl(self.query, keep_blank_values=True)
        if self.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            pairs += urllib.parse.parse_qsl(self.body.decode("ascii"), keep_blank_values=True)
        return pairs

    @property
    def json(self):
        """Return the JSON value in the body."""
        return json.loads(self.body)


class Answer(NamedTuple):
    """One answer of a provider. A status of 0 closes the connection without sending anything."""

    status: int
    body: bytes
    headers: dict


def shared(name):
    """Return the path of a sample answer in ../shared, or None if no such folder exists."""
    path = SHARED / name
    return path if path.is_file() else None


class Providers:
    """The server, as a context manager."""

    def __init__(self):
        self._lock = threading.Lock()
        self._answers = {name: [_answer(200, place.fixture, {})] for name, place in PLACES.items()}
        self._sent = []
        self._server = Server({"*": self._handle})
        self.origin = self._server.url

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._server.close()

    def url(self, provider):
        """Return the provider's endpoint."""
        return self.origin + PLACES[provider].path

    def environ(self, keys=True, **more):
        """Return environment variables that lead webtool to this server only; `keys` adds test keys."""
        variables = {place.variable: self.origin + place.path for place in PLACES.values()}
        variables["WEBTOOL_SEARCH_INTERVAL"] = "0"
        if keys:
            variables.update(
                BRAVE_API_KEY=BRAVE_KEY, GOOGLE_SEARCH_API_KEY=GOOGLE_KEY, GOOGLE_SEARCH_ENGINE_ID=GOOGLE_ENGINE
            )
        variables.update(more)
        return variables

    def answer(self, provider, status=200, body=None, headers=None):
        """Let this provider answer so from now on; the default body is its page of results."""
        self.answers(provider, (status, body, headers))

    def answers(self, provider, *answers):
        """Let this provider give these answers in turn, the last one repeatedly. Each is (status, body, headers)."""
        made = []
        for answer in answers:
            status, body, headers = (*answer, None, None)[:3]
            made.append(_answer(status, PLACES[provider].fixture if body is None else body, headers or {}))
        with self._lock:
            self._answers[provider] = made

    def sent(self, provider=None):
        """Return the requests so far, to one provider or to all."""
        with self._lock:
            return [one for one in self._sent if provider in (None, one.provider)]

    def _handle(self, handler):
        path, _, query = handler.path.partition("?")
        provider = next((name for name, place in PLACES.items() if _is_below(path, place.root)), None)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._lock:
            self._sent.append(Sent(provider, handler.command, path, query, headers, handler.body))
            queue = self._answers.get(provider) or [Answer(404, b"no provider lives here", {})]
            answer = queue.pop(0) if len(queue) > 1 else queue[0]
        return (answer.status, answer.headers, answer.body) if answer.status else None


def run_tool(providers, tool, request, *, keys=True, **environ):
    """Return the Result of a search tool that is called as a host calls it."""
    variables = providers.environ(keys=keys, **environ)
    ctx = Context(settings.from_environ(variables), environ=variables, warn=lambda message: None)
    try:
        return tool.run(ctx, **arguments.check(tool.SCHEMA["parameters"], request, getattr(tool, "CLAMPED", ())))
    finally:
        ctx.close()


def received(body, status=200, headers=(), url="https://provider.example/"):
    """Return a response as a provider's module receives it; a body that is not bytes becomes JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(url, status, "", Headers(headers), data)


def _is_below(path, place):
    return path == place or path.startswith(place.rstrip("/") + "/")


def _answer(status, body, headers):
    media_type = "application/json; charset=utf-8"
    if isinstance(body, str) and body.endswith((".json", ".html")) and "\n" not in body:
        path = FIXTURES / body if (FIXTURES / body).is_file() else SHARED / body
        media_type = "text/html; charset=UTF-8" if body.endswith(".html") else media_type
        body = path.read_bytes()
    elif isinstance(body, (dict, list)):
        body = json.dumps(body).encode("utf-8")
    elif isinstance(body, str):
        media_type = "text/html; charset=UTF-8"
        body = body.encode("utf-8")
    return Answer(status, body, {"Content-Type": media_type, **headers})
