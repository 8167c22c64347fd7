"""Run the server over HTTP. In: an address and settings. Out: responses to many clients, until a signal comes.

One thread runs an event loop with all connections; the threads of a Pool answer calls. A Connection reads one request
after the other and writes the answer: JSON, or a stream of events if a notification comes first or the call takes
long. Service knows the paths, the sessions of the handshake family, and the bounds. A stateless request has a Session
of its own, so that the ids of different clients never meet. Specification: MCP, Streamable HTTP; RFC 9112.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus

from webtool import settings
from webtool.context import Context
from webtool.errors import InvalidArgument
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.mcp import messages
from webtool.mcp.http_access import SESSION_HEADER, Access, host_of, is_loopback, is_stateless, parse_address, preflight
from webtool.mcp.http_request import MAX_HEAD, Body, HttpError, Request, has_bare_lf, parse_head
from webtool.mcp.loop import MAX_CLEANUP, MAX_FINISH, Pool, Replies, Session, try_for
from webtool.mcp.protocol import METHOD_NOT_FOUND
from webtool.mcp.stdio import warm, warn
from webtool.output import write_error
from webtool.running.threads import MAX_THREADS, start_thread
from webtool.running.workers import Workers

MAX_CONNECTIONS = 1024  # the one that has waited longest for a request is closed for a further one
MAX_CALLS = 512  # running or waiting for a thread; a further one gets an error
MAX_SESSIONS = 4096  # the one that was idle longest ends for a further one
MAX_HELD = 96 * 1024 * 1024  # bytes of messages and answers in memory; a further message gets an error
MAX_READ_AHEAD = 64 * 1024  # bytes that a client may send while its request is answered; the connection ends after
HEAD_SECONDS = 10.0  # for the head of a request
BODY_SECONDS = 60.0  # for its body
SEND_SECONDS = 60.0  # for a client to read an answer
IDLE_SECONDS = 60.0  # for the next request on an open connection
SESSION_SECONDS = 3600.0  # for the next request of a session
PING_SECONDS = 10.0  # between two comments on a quiet stream, which keep proxies from closing it
_LINGER_SECONDS = 2.0  # for a refused client to read why, before its connection is closed
_TOKEN = patterns.compile(r"[!-~]+")


class _Gone(Exception):
    """The client has closed the connection, or does not read what it asked for."""


class _Arrival(NamedTuple):
    """A message for a client."""

    data: bytes
    """Empty for the missing response to a cancelled request."""
    is_answer: bool
    error_code: int = 0


class _Exchange(Replies):
    """The messages that answer one POST: threads put them in, the connection takes them out."""

    def __init__(self, due: int, is_batch: bool, connection: Connection) -> None:
        self.due = due  # responses that are still to come
        self.is_batch = is_batch
        self.arrived: deque[_Arrival] = deque()
        self.is_over = False
        self._connection = connection

    def answer(self, message: object) -> None:
        """Take a response."""
        error = message.get("error") if isinstance(message, dict) else None
        data = b"" if message is None else messages.encode(message).rstrip(b"\n")
        self._put(_Arrival(data, True, error["code"] if error else 0))

    def send(self, message: object) -> None:
        """Take a notification."""
        self._put(_Arrival(messages.encode(message).rstrip(b"\n"), False))

    def _put(self, arrival: _Arrival) -> None:
        if not self.is_over:
            self.arrived.append(arrival)
            self._connection.wake()


class Connection(asyncio.Protocol):
    """One client's connection."""

    transport: asyncio.Transport

    def __init__(self, service: Service) -> None:
        self._service = service
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._buffer = bytearray()
        self._is_gone = False
        self._is_sending = False  # bytes wait for the client to read them
        self._is_reading = True  # whether what comes is part of a request
        self._held = 0
        self.waits_since: float | None = self._loop.time()  # for a request; None while one is answered
        self._cors: dict[str, str] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.set_write_buffer_limits(high=0)  # so that pause_writing says whether anything is unread
        self.local_address = str(transport.get_extra_info("sockname")[0])
        is_welcome = self._service.admit(self)
        self._task = self._loop.create_task(self._run(is_welcome))

    def data_received(self, data: bytes) -> None:
        if not self._is_reading:
            return
        self._buffer += data
        if self.waits_since is None and len(self._buffer) > MAX_READ_AHEAD:
            self.end()
        self._changed.set()

    def eof_received(self) -> None:
        self.connection_lost(None)

    def connection_lost(self, _exc: Exception | None) -> None:
        self._is_gone = True
        self._changed.set()

    def pause_writing(self) -> None:
        self._is_sending = True

    def resume_writing(self) -> None:
        self._is_sending = False
        self._changed.set()

    def wake(self) -> None:
        """Tell the connection, from any thread, that an answer has come."""
        try:
            self._loop.call_soon_threadsafe(self._changed.set)
        except RuntimeError:
            pass  # the server has ended

    def end(self) -> None:
        """Close the connection at once."""
        self._is_gone = True
        self.transport.abort()
        self._changed.set()

    async def _changes(self, end: float) -> bool:
        """Wait for bytes, answers, or room to write. Returns False at the time `end`. Raises _Gone."""
        if self._is_gone:
            raise _Gone
        try:
            await asyncio.wait_for(self._changed.wait(), max(end - self._loop.time(), 0))
        except asyncio.TimeoutError:
            return False
        finally:
            self._changed.clear()
        if self._is_gone:
            raise _Gone
        return True

    async def _run(self, is_welcome: bool) -> None:
        """Answer one request after the other until the connection ends."""
        try:
            if not is_welcome:
                raise HttpError(503, f"At most {self._service.max_connections} connections may be open")
            while await self._serve_one():
                pass
        except HttpError as error:
            await self._refuse(error)
        except _Gone:
            pass
        except Exception as exc:
            warn(f"a bug ended a connection: {exc!r}")
        finally:
            self._hold(-self._held)
            self._service.connections.pop(self, None)
            if self._is_sending:
                self.transport.abort()
            self.transport.close()

    async def _serve_one(self) -> bool:
        """Answer the next request. Returns whether the connection stays open."""
        self._cors, self.waits_since = {}, self._loop.time()
        head = await self._read_head()
        if head is None:
            return False
        request = parse_head(head)
        self._cors = self._service.access.check_names(request.headers, self.local_address)
        await self._service.answer(request, self)
        await self._sent(SEND_SECONDS)
        self._hold(-self._held)
        return request.keeps_alive

    async def _refuse(self, error: HttpError) -> None:
        """Send an error, wait until the client has had time to read it, and close."""
        body = messages.error(error.id, error.code, error.message, error.data)
        self._buffer.clear()
        self._is_reading, self.waits_since = False, 0.0
        try:
            self.reply(error.status, messages.encode(body), {**error.headers, "Connection": "close"})
            await self._sent(_LINGER_SECONDS)
            self.transport.write_eof()
            end = self._loop.time() + _LINGER_SECONDS
            while await self._changes(end):
                pass
        except (_Gone, OSError):
            pass

    async def _read_head(self) -> bytes | None:
        """Return the next head, None if the client sends none in time."""
        end = self._loop.time() + IDLE_SECONDS
        while True:
            if self._buffer[:2] == b"\r\n":  # some clients end a body with one line end too many
                del self._buffer[:2]
            size = self._buffer.find(b"\r\n\r\n", 0, MAX_HEAD)
            if size >= 0:
                head = bytes(self._buffer[:size])
                del self._buffer[: size + 4]
                return head
            if len(self._buffer) >= MAX_HEAD:
                raise HttpError(431, f"The head of a request has at most {MAX_HEAD} bytes")
            if has_bare_lf(self._buffer):
                raise HttpError(400, "Bad request: a line ends with LF instead of CR LF")
            if self._buffer:
                end = min(end, self._loop.time() + HEAD_SECONDS)
            if not await self._changes(end):
                if self._buffer:
                    raise HttpError(408, f"The head of a request may take {HEAD_SECONDS:g} s")
                return None

    async def read_body(self, request: Request) -> bytes:
        """Return the body of a request. Raises HttpError if it is too large or comes too slowly."""
        expected = request.headers.get("expect")
        if expected is not None and expected.lower() != "100-continue":
            raise HttpError(417, "Expect is 100-continue, or absent")
        body = Body(request.length)
        end = self._loop.time() + BODY_SECONDS
        is_complete = body.feed(self._buffer)
        if expected and not is_complete:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        while True:
            self._hold(len(body.data) - self._held, MAX_HELD)
            if is_complete:
                self.waits_since = None
                return bytes(body.data)
            if not await self._changes(end):
                raise HttpError(408, f"A message may take {BODY_SECONDS:g} s")
            is_complete = body.feed(self._buffer)

    def _hold(self, size: int, limit: int = 0) -> None:
        """Count bytes that are in memory for this connection. Raises HttpError above the limit of the server."""
        self._held += size
        self._service.held += size
        if limit and self._service.held > limit:
            raise HttpError(
                503, f"The server is busy: at most {limit} bytes of messages in memory", {"Retry-After": "1"}
            )

    async def _sent(self, seconds: float) -> None:
        """Wait until the client has read everything. Raises _Gone if it takes longer."""
        end = self._loop.time() + seconds
        while self._is_sending:
            if not await self._changes(end):
                raise _Gone

    def reply(self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Write a whole response."""
        fields = {"Content-Type": "application/json"} if body else {}
        if status >= 200 and status != 204:
            fields["Content-Length"] = str(len(body))
        self._write_head(status, {**fields, **(headers or {})})
        self.transport.write(body)

    def _write_head(self, status: int, headers: Mapping[str, str]) -> None:
        common = {"Date": formatdate(usegmt=True), "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
        lines += [f"{name}: {value}" for name, value in {**common, **self._cors, **headers}.items()]
        self.transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def respond(self, exchange: _Exchange, request: Request, headers: Mapping[str, str], stateless: bool) -> None:
        """Send the messages of an exchange: as JSON if no notification comes first and it is quick, else as events."""
        accept = request.headers.get("accept", "*/*").lower()
        stream = _EventStream(self, request, headers) if "text/event-stream" in accept else None
        is_only_stream = stream is not None and "application/json" not in accept and "*/*" not in accept
        answers: list[_Arrival] = []
        while exchange.due > 0:
            is_quiet = not exchange.arrived and not await self._changes(self._loop.time() + PING_SECONDS)
            if stream and is_quiet and not self._is_sending:
                stream.write(b": \r\n\r\n")
            while exchange.arrived:
                arrival = exchange.arrived.popleft()
                exchange.due -= arrival.is_answer
                self._hold(len(arrival.data))
                if stream and not arrival.is_answer and not self._is_sending:
                    stream.event(arrival.data)
                elif arrival.is_answer and arrival.data:
                    answers.append(arrival)
        if stream and (stream.is_open or is_only_stream):
            for arrival in answers:
                stream.event(arrival.data)
            stream.close()
            return
        bodies = [arrival.data for arrival in answers]
        is_unknown = stateless and bool(answers) and answers[0].error_code == METHOD_NOT_FOUND
        body = b"[" + b",".join(bodies) + b"]" if exchange.is_batch else b"".join(bodies)
        self.reply(404 if is_unknown else 200 if bodies else 202, body if bodies else b"", headers)


class _EventStream:
    """A response of type text/event-stream; its head is written with the first bytes."""

    def __init__(self, connection: Connection, request: Request, headers: Mapping[str, str]) -> None:
        self.is_open = False
        self._connection = connection
        self._is_chunked = not request.is_http_1_0
        self._headers = {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no", **headers}
        if self._is_chunked:
            self._headers["Transfer-Encoding"] = "chunked"

    def event(self, message: bytes) -> None:
        """Write one message."""
        self.write(b"event: message\r\ndata: " + message + b"\r\n\r\n")

    def write(self, data: bytes) -> None:
        """Write a part of the stream."""
        if not self.is_open:
            self.is_open = True
            self._connection._write_head(200, self._headers)
        self._connection.transport.write(b"%x\r\n%b\r\n" % (len(data), data) if self._is_chunked else data)

    def close(self) -> None:
        """End the stream."""
        if self._is_chunked:
            self._connection.transport.write(b"0\r\n\r\n")


class Service:
    """The paths, the sessions and the bounds of one server."""

    def __init__(self, ctx: Context, access: Access, max_connections: int = MAX_CONNECTIONS) -> None:
        self.access = access
        self.max_connections = max_connections
        self.connections: dict[Connection, None] = {}
        self.held = 0
        self.pool = Pool(MAX_CALLS - MAX_THREADS)
        self._ctx = ctx
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # the longest idle one first

    def admit(self, connection: Connection) -> bool:
        """Add a connection; if there are too many, close one that waits for a request. Returns False without one."""
        if len(self.connections) >= self.max_connections:
            waiting = [other for other in self.connections if other.waits_since is not None]
            if not waiting:
                return False
            oldest = min(waiting, key=lambda other: other.waits_since or 0.0)
            del self.connections[oldest]
            oldest.end()
        self.connections[connection] = None
        return True

    async def answer(self, request: Request, connection: Connection) -> None:
        """Answer one request. Raises HttpError."""
        if request.method != "POST" and request.length:
            raise HttpError(400, f"Bad request: {request.method} has no body")
        if request.path == "/health" and request.method in ("GET", "HEAD"):
            body = b'{"status":"ok"}\n'
            length = {"Content-Length": str(len(body))}
            connection.reply(200, body if request.method == "GET" else b"", length)
            return
        if request.path.rstrip("/") != "/mcp":
            raise HttpError(404, "Not found: the server is at /mcp")
        if request.method == "OPTIONS":
            connection.reply(204, headers=preflight())
            return
        self.access.check_token(request.headers)
        if request.method == "DELETE":
            self._session(request, None).cancel_all()
            del self._sessions[request.headers[SESSION_HEADER.lower()]]
            connection.reply(204)
            return
        if request.method != "POST":
            raise HttpError(
                405, "Method not allowed: this server opens no stream of its own", {"Allow": "POST, DELETE"}
            )
        await self._post(request, connection)

    async def _post(self, request: Request, connection: Connection) -> None:
        """Handle the messages of a POST. Raises HttpError."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise HttpError(415, "Content-Type is application/json")
        accept = request.headers.get("accept", "*/*").lower()
        if not any(kind in accept for kind in ("*/*", "application/*", "application/json", "text/event-stream")):
            raise HttpError(406, "Accept names application/json and text/event-stream")
        line = messages.decode(await connection.read_body(request))
        fault = line.messages[0].fault
        if fault and not line.is_batch:
            raise _of_fault(fault)
        stateless = is_stateless(request.headers, line)
        is_new = not stateless and not line.is_batch and line.messages[0].method == "initialize"
        session = Session(self._ctx, self.pool) if stateless or is_new else self._session(request, line)
        refusal = session.refusal(line)
        if refusal:
            raise HttpError(400, refusal)
        exchange = _Exchange(line.due, line.is_batch, connection)
        for message in line.messages:
            session.take(message, exchange)
        headers = {SESSION_HEADER: self._keep(session)} if is_new and session.server.version else {}
        if not line.due:
            connection.reply(202)
            return
        try:
            await connection.respond(exchange, request, headers, stateless)
        finally:
            exchange.is_over = True
            if stateless:
                session.cancel_all()  # no effect after an answer; a closed connection cancels a stateless request

    def _session(self, request: Request, line: messages.Line | None) -> Session:
        """Return the session that a request names. Raises HttpError."""
        key = request.headers.get(SESSION_HEADER.lower())
        number = line.messages[0].id if line else None
        error = HttpError(400, f"Bad request: {SESSION_HEADER} is missing; initialize begins a session")
        if key is not None:
            error = HttpError(
                404, f"No such session: it ended, or was idle for {SESSION_SECONDS:g} s; initialize again"
            )
            session, used_at = self._sessions.get(key, (None, 0.0))
            if session and (session.is_busy or time.monotonic() - used_at < SESSION_SECONDS):
                self._sessions[key] = session, time.monotonic()
                self._sessions.move_to_end(key)
                return session
        error.id = number
        raise error

    def _keep(self, session: Session) -> str:
        """Keep a new session, and return its name. Raises HttpError if all others are busy."""
        while len(self._sessions) >= MAX_SESSIONS:
            idle = next((key for key, (other, _) in self._sessions.items() if not other.is_busy), "")
            if not idle:
                raise HttpError(503, f"At most {MAX_SESSIONS} sessions may be open")
            del self._sessions[idle]
        key = os.urandom(16).hex()
        self._sessions[key] = session, time.monotonic()
        return key

    async def finish(self) -> None:
        """Give running calls a moment to answer, then cancel them."""
        for seconds in (MAX_FINISH, MAX_CLEANUP):
            end = time.monotonic() + seconds
            while self.pool.is_busy and time.monotonic() < end:
                await asyncio.sleep(0.02)
            self.pool.clear()
            for session, _ in self._sessions.values():
                session.cancel_all()


def _of_fault(fault: Mapping[str, object]) -> HttpError:
    """Return the refusal of a body that is not a message."""
    members: Mapping[str, object] = fault["error"]  # type: ignore[assignment]
    error = HttpError(400, str(members["message"]), code=int(str(members["code"])))
    error.id = fault["id"]
    return error


def serve(address: str, current: settings.Settings) -> int:
    """Serve until SIGINT or SIGTERM comes; return the exit status. Raises InvalidArgument."""
    host, port = parse_address(address)
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
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        addresses = list(dict.fromkeys((family, address) for family, _, _, _, address in found))
        for family, place in addresses[: None if port else 1]:
            if not has_token and not is_loopback(str(place[0])):
                hint = "Set WEBTOOL_MCP_TOKEN to a long random text, or leave the host out."
                raise InvalidArgument(f"{host} is not a loopback address, so clients need a token", hint=hint)
            sockets.append(socket.create_server(place[:2], family=family, backlog=512))
            sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, MAX_READ_AHEAD)  # of each connection
    except OSError as exc:
        hint = "Take another port, or end the program that has it."
        raise InvalidArgument(f"{host}:{port} cannot be served: {exc.strerror}", hint=hint) from exc
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
    servers = [await loop.create_server(lambda: Connection(service), sock=one) for one in sockets]
    for one in sockets:
        host, port = one.getsockname()[:2]
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
    wanted = 2 * MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * MAX_CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else max(min(MAX_CONNECTIONS, soft - 200), 8)
