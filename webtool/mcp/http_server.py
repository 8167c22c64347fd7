"""Run the server over HTTP. In: an address and settings. Out: responses to many clients, until a signal comes.

One thread runs an event loop with all connections (http_connection.py); the threads of a Pool answer calls. Service
knows the paths: POST /mcp takes messages, whose answers http_exchange.py sends; DELETE /mcp ends a session; GET /health
says that the server runs. Clients of handshake revisions begin a session with `initialize` (Sessions). A stateless
request has a Session of its own, so that the ids of different clients never meet; it is cancelled when its connection
closes.
Specification: MCP, Streamable HTTP.
Tests: tests/mcp/test_http_server.py
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time

from webtool import settings
from webtool.context import Context
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.mcp import http_request, messages
from webtool.mcp.http_connection import MAX_CONNECTIONS, Connection, Connections
from webtool.mcp.http_exchange import JSON_RANGES, Exchange, respond
from webtool.mcp.http_request import SESSION_HEADER, Access, HttpError, Request, host_of, is_loopback
from webtool.mcp.loop import MAX_CLEANUP, MAX_FINISH, Pool, Session, try_for
from webtool.mcp.stdio import warm, warn
from webtool.output import write_error
from webtool.running.threads import MAX_THREADS, start_thread
from webtool.running.workers import Workers

MAX_SESSIONS = 4096  # a further one ends the session that was idle longest
SESSION_SECONDS = 3600.0  # without a request, after which a session ends


class Sessions:
    """The open sessions of one server, by the names that clients send back.

    A session ends after SESSION_SECONDS without a request, or for a further one if there are MAX_SESSIONS. One that
    still runs calls ("busy") does not end.
    """

    def __init__(self) -> None:
        # Name -> session and the time of its last request, the longest idle one first.
        self._sessions: dict[str, tuple[Session, float]] = {}

    def all(self) -> list[Session]:
        return [session for session, _ in self._sessions.values()]

    def named(self, key: str | None) -> Session:
        """Return the session that a request names. Raises HttpError."""
        if key is None:
            raise HttpError(400, f"Bad request: {SESSION_HEADER} is missing; initialize begins a session")
        self._forget_idle()
        if key not in self._sessions:
            ended = f"No such session: it ended, or was idle for {SESSION_SECONDS:g} s; initialize again"
            raise HttpError(404, ended)
        session, _ = self._sessions[key]
        self._touch(key, session)
        return session

    def add(self, session: Session) -> str:
        """Add a session, and return its name. Raises HttpError if there are too many and all are busy."""
        self._forget_idle()
        while len(self._sessions) >= MAX_SESSIONS:
            idle = next((key for key, (other, _) in self._sessions.items() if not other.is_busy), "")
            if not idle:
                raise HttpError(503, f"At most {MAX_SESSIONS} sessions may be open")
            del self._sessions[idle]
        key = os.urandom(16).hex()
        self._touch(key, session)
        return key

    def end(self, key: str | None) -> None:
        """Cancel the calls of a session, and forget it. Raises HttpError."""
        self.named(key).cancel_all()
        del self._sessions[key or ""]

    def _touch(self, key: str, session: Session) -> None:
        self._sessions.pop(key, None)  # so that it comes last
        self._sessions[key] = session, time.monotonic()

    def _forget_idle(self) -> None:
        now = time.monotonic()
        while self._sessions:
            key, (session, used_at) = next(iter(self._sessions.items()))
            if now - used_at < SESSION_SECONDS:
                return
            if session.is_busy:
                self._touch(key, session)
            else:
                del self._sessions[key]


MAX_CALLS = 512  # running or waiting for a thread; a further one gets an error
_RECEIVE_BUFFER = 64 * 1024  # bytes that the system keeps for each connection until they are read
_MIN_OTHER_FILES = 200  # file descriptors that are left for other things than connections
_TOKEN = patterns.compile(r"[!-~]+")


class Service(Connections):
    """The paths of one server, and the calls that they begin."""

    def __init__(self, ctx: Context, access: Access, max_connections: int = MAX_CONNECTIONS) -> None:
        super().__init__(access, max_connections)
        self.pool = Pool(MAX_CALLS - MAX_THREADS)
        self._ctx = ctx
        self._stateless: set[Session] = set()  # those whose call is under way
        self._sessions = Sessions()

    async def answer(self, request: Request, connection: Connection) -> None:
        if request.method != "POST" and request.length:
            raise HttpError(400, f"Bad request: {request.method} has no body")
        if request.path == "/health" and request.method in ("GET", "HEAD"):
            body = b'{"status":"ok"}\n'
            parts = (body,) if request.method == "GET" else ()
            connection.reply(200, *parts, headers={"Content-Length": str(len(body))})
            return
        if request.path.rstrip("/") != "/mcp":
            raise HttpError(404, "Not found: the server is at /mcp")
        if request.method == "OPTIONS":
            connection.reply(204, headers=http_request.PREFLIGHT)
            return
        self.access.check_token(request.headers)
        if request.method == "DELETE":
            self._sessions.end(request.headers.get(SESSION_HEADER.lower()))
            connection.reply(204)
            return
        if request.method != "POST":
            raise HttpError(
                405, "Method not allowed: this server opens no stream of its own", {"Allow": "POST, DELETE"}
            )
        await self._post(request, connection)

    async def _post(self, request: Request, connection: Connection) -> None:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpError(415, "Content-Type is application/json")
        if request.accepted.isdisjoint((*JSON_RANGES, "text/event-stream")):
            raise HttpError(406, "Accept names application/json and text/event-stream")
        line = messages.decode(await connection.read_body(request))
        first = line.messages[0]
        if first.fault and not line.is_batch:
            raise http_request.refusal(first.fault, first.id)
        if http_request.is_stateless(request.headers, line):
            await self._answer_stateless(line, request, connection)
            return
        begins_session = not line.is_batch and first.method == "initialize"
        session = Session(self._ctx, self.pool) if begins_session else self._session_of(request, line)
        exchange = self._exchange(session, line, connection, is_stateless=False)
        # A session begins if `initialize` succeeded, which is answered at once.
        is_new = begins_session and session.server.version
        headers = {SESSION_HEADER: self._sessions.add(session)} if is_new else {}
        await respond(exchange, request, headers)

    async def _answer_stateless(self, line: messages.Line, request: Request, connection: Connection) -> None:
        """Answer a message in a session of its own, which ends with it or with the connection. Raises HttpError."""
        session = Session(self._ctx, self.pool)
        try:
            self._stateless.add(session)
            await respond(self._exchange(session, line, connection, is_stateless=True), request, {})
        finally:
            session.cancel_all()  # no effect after an answer
            self._stateless.discard(session)

    def _exchange(
        self, session: Session, line: messages.Line, connection: Connection, *, is_stateless: bool
    ) -> Exchange:
        """Hand the messages of a POST to a session. Raises HttpError if it refuses them."""
        problem = session.refusal(line)
        if problem:
            raise HttpError(400, problem)
        exchange = Exchange(line, is_stateless, connection)
        for message in line.messages:
            session.take(message, exchange)
        return exchange

    def _session_of(self, request: Request, line: messages.Line) -> Session:
        """Return the session that a POST names. Raises HttpError with the id of its first message."""
        try:
            return self._sessions.named(request.headers.get(SESSION_HEADER.lower()))
        except HttpError as error:
            error.id = line.messages[0].id
            raise

    async def finish(self) -> None:
        """Give running calls a moment to answer, then cancel them and give them a moment to end."""
        for seconds in (MAX_FINISH, MAX_CLEANUP):
            end = time.monotonic() + seconds
            while self.pool.is_busy and time.monotonic() < end:
                await asyncio.sleep(0.02)
            self.pool.clear()
            for session in (*self._stateless, *self._sessions.all()):
                session.cancel_all()
        self.has_ended = True


def serve(address: str, current: settings.Settings) -> int:
    """Serve until SIGINT or SIGTERM comes; return the exit status. Raises InvalidArgument."""
    host, port = http_request.parse_address(address)
    token = os.environ.get("WEBTOOL_MCP_TOKEN", "").strip()
    if token and not _TOKEN.fullmatch(token):
        raise InvalidArgument("WEBTOOL_MCP_TOKEN has a space or a letter beyond ASCII", hint="Use letters and digits.")
    sockets = _listen(host, port, bool(token))
    names = {entry if "://" in entry else host_of(entry) for entry in (*current.mcp_hosts, host)}
    workers = Workers()
    ctx = Context(current, environ=os.environ, warn=warn, workers=workers)
    start_thread(lambda: warm(workers))
    try:
        asyncio.run(_serve(ctx, Access(token, frozenset(names - {""})), sockets))
    except KeyboardInterrupt:
        pass
    try_for(MAX_CLEANUP, ctx.close)
    return 0


def _listen(host: str, port: int, has_token: bool) -> list[socket.socket]:
    """Return listening sockets for every address of a host. Raises InvalidArgument."""
    sockets: list[socket.socket] = []
    try:
        records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        addresses = list(dict.fromkeys((family, address) for family, _, _, _, address in records))
        if not port:
            del addresses[1:]  # the system chooses a port, which would be another one for each address
        for family, place in addresses:
            if not has_token and not is_loopback(str(place[0])):
                hint = "Set WEBTOOL_MCP_TOKEN to a long random text, or leave the host out."
                raise InvalidArgument(f"{host} is not a loopback address, so clients need a token", hint=hint)
            sockets.append(socket.create_server(place[:2], family=family, backlog=512))
            sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)  # of each connection
    except (OSError, UnicodeError) as exc:  # the latter for a name with a label of 64 letters or more
        hint = "Take another host or port, or end the program that has this one."
        reason = getattr(exc, "strerror", None) or exc
        raise InvalidArgument(f"{host}:{port} cannot be served: {reason}", hint=hint) from exc
    return sockets


async def _serve(ctx: Context, access: Access, sockets: list[socket.socket]) -> None:
    """Accept connections until a signal comes."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except (NotImplementedError, RuntimeError):
            pass  # Windows: KeyboardInterrupt ends the loop
    service = Service(ctx, access, _max_connections())
    limit = http_request.MAX_HEAD
    servers = [await asyncio.start_server(service.connect, sock=listener, limit=limit) for listener in sockets]
    for listener in sockets:
        host, port = listener.getsockname()[:2]
        write_error(f"webtool: MCP server at http://{f'[{host}]' if ':' in host else host}:{port}/mcp\n")
    await stop.wait()
    for server in servers:
        server.close()
    await service.finish()


def _max_connections() -> int:
    """Return how many connections may be open, after asking the system for enough file descriptors."""
    try:
        import resource
    except ImportError:
        return MAX_CONNECTIONS  # Windows
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = 2 * MAX_CONNECTIONS
    if soft != resource.RLIM_INFINITY and soft < enough:
        raised = enough if hard == resource.RLIM_INFINITY else min(enough, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
            soft = raised
        except (OSError, ValueError):
            pass  # macOS allows fewer than its "infinite" hard limit says
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else max(min(MAX_CONNECTIONS, soft - _MIN_OTHER_FILES), 8)
