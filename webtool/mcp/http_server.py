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
from webtool.mcp import messages
from webtool.mcp.http_access import SESSION_HEADER, Access, host_of, is_loopback, is_stateless, parse_address, preflight
from webtool.mcp.http_request import MAX_HEAD, HttpError, Request, read_body, read_head
from webtool.mcp.loop import MAX_CLEANUP, MAX_FINISH, Pool, Replies, Session, try_for
from webtool.mcp.protocol import INTERNAL_ERROR, METHOD_NOT_FOUND
from webtool.mcp.stdio import warm, warn
from webtool.output import write_error
from webtool.running.threads import MAX_THREADS, start_thread
from webtool.running.workers import Workers

MAX_CONNECTIONS = 1024  # the one that has waited longest for a request is closed for a further one
MAX_CALLS = 512  # running or waiting for a thread; a further one gets an error
MAX_SESSIONS = 4096  # the one that was idle longest ends for a further one
MAX_HELD = 96 * 1024 * 1024  # bytes of messages and answers in memory; a further message gets an error
_ALWAYS = 256 * 1024  # bytes of a message or answer that is taken all the same
_DECODED_FACTOR = 4  # what a byte of a message counts, as it takes more memory when it is decoded
_BUSY = f"The server is busy: at most {MAX_HELD} bytes of messages and answers may be in memory"
_RECEIVE_BUFFER = 64 * 1024  # bytes that the system keeps for each connection until they are read
HEAD_SECONDS = 10.0  # for the head of a request
BODY_SECONDS = 60.0  # for its body
SEND_SECONDS = 60.0  # for a client to read an answer
IDLE_SECONDS = 60.0  # for the next request on an open connection
SESSION_SECONDS = 3600.0  # for the next request of a session
PING_SECONDS = 10.0  # between two comments on a quiet stream, which keep proxies from closing it
GRACE_SECONDS = 2.0  # for the answer to a client that has closed its side of the connection
_LINGER_SECONDS = 2.0  # for a refused client to read why, before its connection is closed
_TOKEN = patterns.compile(r"[!-~]+")


class _Exchange(Replies):
    """The messages that answer one POST: threads put them in, the connection takes them out."""

    def __init__(self, line: messages.Line, is_stateless: bool, service: Service) -> None:
        self.due = line.due  # responses that are still to come
        self.is_batch = line.is_batch
        self.is_over = False
        self._is_stateless = is_stateless
        self.status = 200
        self.arrived: deque[tuple[bytes, bool]] = deque()  # a message, and whether it is a response; b"" if cancelled
        self.changed = asyncio.Event()
        self._service = service
        self._loop = asyncio.get_running_loop()

    def answer(self, message: object) -> None:
        """Take a response. It becomes an error if too many answers are in memory."""
        data = b"" if message is None else messages.encode(message).rstrip(b"\n")
        if isinstance(message, dict) and len(data) > _ALWAYS and self._service.held + len(data) > MAX_HELD:
            message = messages.error(message["id"], INTERNAL_ERROR, _BUSY)
            data = messages.encode(message).rstrip(b"\n")
        if self._is_stateless and isinstance(message, dict) and "error" in message:
            self.status = 404 if message["error"]["code"] == METHOD_NOT_FOUND else 200
        self._put(data, True)

    def send(self, message: object) -> None:
        """Take a notification."""
        self._put(messages.encode(message).rstrip(b"\n"), False)

    def _put(self, data: bytes, is_answer: bool) -> None:
        if self.is_over:
            return
        self.arrived.append((data, is_answer))
        try:
            self._loop.call_soon_threadsafe(self.changed.set)
        except RuntimeError:
            pass  # the server has ended


class Connection:
    """One client's connection."""

    def __init__(self, service: Service, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._service = service
        self._reader = reader
        self.transport = writer.transport
        self._writer = writer
        self.transport.set_write_buffer_limits(high=0)  # so that drain() waits until the client has read everything
        self._address = str(writer.get_extra_info("sockname")[0])
        self._first = b""  # first byte of the next request, if it came before the answer to this one
        self._held = 0
        self._cors: dict[str, str] = {}
        self.waits_since: float | None = time.monotonic()  # for a request; None while one is answered

    async def run(self) -> None:
        """Answer one request after the other until the connection ends."""
        try:
            if not self._service.admit(self):
                raise HttpError(503, f"At most {self._service.max_connections} connections may be open")
            while await self._serve_one():
                pass
        except HttpError as error:
            await self._refuse(error)
        except (OSError, EOFError, asyncio.TimeoutError, asyncio.CancelledError):
            pass  # the client is gone or does not read, or the server ends
        except Exception as exc:
            warn(f"a bug ended a connection: {exc!r}")
        finally:
            self.hold(-self._held)
            self._service.connections.pop(self, None)
            if self.transport.get_write_buffer_size():
                self.transport.abort()
            self._writer.close()

    async def _serve_one(self) -> bool:
        """Answer the next request. Returns whether the connection stays open."""
        if self._service.has_ended:
            return False
        self._cors, self.waits_since = {}, time.monotonic()
        first = self._first or await asyncio.wait_for(self._reader.read(1), IDLE_SECONDS)
        if not first:
            return False
        try:
            request = await asyncio.wait_for(read_head(self._reader, first), HEAD_SECONDS)
        except asyncio.TimeoutError:
            raise HttpError(408, f"The head of a request may take {HEAD_SECONDS:g} s") from None
        self._first = b""
        self._cors = self._service.access.check_names(request.headers, self._address)
        await self._service.answer(request, self)
        await asyncio.wait_for(self._writer.drain(), SEND_SECONDS)
        self.hold(-self._held)
        return request.keeps_alive

    async def _refuse(self, error: HttpError) -> None:
        """Send an error, give the client a moment to read it, and close."""
        self.waits_since = 0.0
        body = messages.encode(messages.error(error.id, error.code, error.message, error.data))
        try:
            self.reply(error.status, body, headers={**error.headers, "Connection": "close"})
            self._writer.write_eof()
            await asyncio.wait_for(self._discard(), _LINGER_SECONDS)
        except (OSError, asyncio.TimeoutError):
            pass

    async def _discard(self) -> None:
        """Read until the client closes: an answer is lost if its connection ends with bytes unread."""
        while await self._reader.read(MAX_HEAD):
            pass

    async def read_body(self, request: Request) -> bytes:
        """Return the body of a request. Raises HttpError if it is too large or comes too slowly."""
        expected = request.headers.get("expect", "100-continue").lower()
        if expected != "100-continue":
            raise HttpError(417, "Expect is 100-continue, or absent")
        if "expect" in request.headers:
            self._writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        try:
            body = await asyncio.wait_for(read_body(self._reader, request.length, self._reserve), BODY_SECONDS)
        except asyncio.TimeoutError:
            raise HttpError(408, f"A message may take {BODY_SECONDS:g} s") from None
        self.waits_since = None
        return body

    def _reserve(self, size: int) -> None:
        """Count bytes of a message before they are read. Raises HttpError if the server holds too many."""
        self.hold(size * _DECODED_FACTOR)
        if self._service.held > MAX_HELD and self._held > _ALWAYS:
            raise HttpError(503, _BUSY, {"Retry-After": "1"})

    def hold(self, size: int) -> None:
        """Count bytes that are in memory for this connection."""
        self._held += size
        self._service.held += size

    def reply(self, status: int, *parts: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Write a whole response, whose body may come in parts."""
        fields = {"Content-Type": "application/json"} if parts else {}
        if status != 204:
            fields["Content-Length"] = str(sum(map(len, parts)))
        self.write_head(status, {**fields, **(headers or {})})
        for part in parts:
            self._writer.write(part)

    def write(self, data: bytes) -> None:
        """Write a part of a response."""
        self._writer.write(data)

    def write_head(self, status: int, headers: Mapping[str, str]) -> None:
        """Write the head of a response."""
        common = {"Date": formatdate(usegmt=True), "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
        lines += [f"{name}: {value}" for name, value in {**common, **self._cors, **headers}.items()]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def respond(self, exchange: _Exchange, request: Request, headers: Mapping[str, str]) -> None:
        """Send the messages of an exchange: as JSON if no notification comes first and it is quick, else as events.

        A client that does not read gets no notifications. Raises EOFError if the client has left.
        """
        next_byte = asyncio.ensure_future(self._next_byte())
        next_byte.add_done_callback(lambda _: exchange.changed.set())
        accept = request.headers.get("accept", "*/*").lower()
        events = _Events(self, request, headers) if "text/event-stream" in accept else None
        answers: list[bytes] = []
        try:
            while exchange.due > 0:
                message, is_answer = b"", False  # a comment for a client that has heard nothing for a while
                is_late = not exchange.arrived and not await _happens(exchange.changed, PING_SECONDS)
                if self._service.has_ended or (next_byte.done() and not next_byte.result()):
                    raise EOFError
                if exchange.arrived:
                    message, is_answer = exchange.arrived.popleft()
                elif not is_late:
                    continue
                self.hold(len(message))
                if len(message) > _ALWAYS and self._reader.at_eof():
                    raise EOFError  # a failed write would keep it in memory until the garbage collector comes
                if is_answer:
                    exchange.due -= 1
                    answers += [message] if message else []
                elif events and not self.transport.get_write_buffer_size():
                    events.write(message)
        finally:
            exchange.is_over = True
            next_byte.cancel()
            await asyncio.wait({next_byte})
        self._first = b"" if next_byte.cancelled() else next_byte.result()
        if events and (events.is_open or ("json" not in accept and "*/*" not in accept)):
            events.end(answers)
            return
        if answers and exchange.is_batch:
            answers = [b"[", *(part for answer in answers for part in (answer, b",")), b"]"]
            del answers[-2]  # the last comma
        self.reply(exchange.status if answers else 202, *answers, headers=headers)

    async def _next_byte(self) -> bytes:
        """Return the first byte of the next request, or b"" some seconds after the client has closed its side.

        Most clients that close their side have left, but some still read.
        """
        try:
            first = await self._reader.read(1)
        except OSError:
            first = b""
        if not first:
            await asyncio.sleep(GRACE_SECONDS)
        return first


class _Events:
    """A response of type text/event-stream. Its head is written with the first event."""

    def __init__(self, connection: Connection, request: Request, headers: Mapping[str, str]) -> None:
        self.is_open = False
        self._connection = connection
        self._is_chunked = not request.is_http_1_0
        self._headers = {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no", **headers}
        if self._is_chunked:
            self._headers["Transfer-Encoding"] = "chunked"

    def write(self, message: bytes) -> None:
        """Write a message, or a comment if it is empty."""
        if not self.is_open:
            self._connection.write_head(200, self._headers)
            self.is_open = True
        event = b"event: message\r\ndata: %b\r\n\r\n" % message if message else b": \r\n\r\n"
        self._connection.write(b"%x\r\n%b\r\n" % (len(event), event) if self._is_chunked else event)

    def end(self, answers: list[bytes]) -> None:
        """Write the answers, and end the response."""
        for answer in answers:
            self.write(answer)
        if not answers:
            self.write(b"")
        if self._is_chunked:
            self._connection.write(b"0\r\n\r\n")


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, and clear it. Returns False if it does not come in time."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
    finally:
        event.clear()
    return True


class Service:
    """The paths, the sessions and the bounds of one server."""

    def __init__(self, ctx: Context, access: Access, max_connections: int = MAX_CONNECTIONS) -> None:
        self.access = access
        self.max_connections = max_connections
        self.connections: dict[Connection, None] = {}
        self.held = 0
        self.has_ended = False  # wait_for() of Python 3.9 to 3.11 may swallow a cancellation, so connections look here
        self.pool = Pool(MAX_CALLS - MAX_THREADS)
        self._ctx = ctx
        self._stateless: set[Session] = set()  # those whose call is under way
        self._sessions: OrderedDict[str, tuple[Session, float]] = OrderedDict()  # the longest idle one first

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client."""
        await Connection(self, reader, writer).run()

    def admit(self, connection: Connection) -> bool:
        """Add a connection; if there are too many, close one that waits for a request. Returns False without one."""
        if len(self.connections) >= self.max_connections:
            waiting = [other for other in self.connections if other.waits_since is not None]
            if not waiting:
                return False
            oldest = min(waiting, key=lambda other: other.waits_since or 0.0)
            del self.connections[oldest]
            oldest.transport.abort()
        self.connections[connection] = None
        return True

    async def answer(self, request: Request, connection: Connection) -> None:
        """Answer one request. Raises HttpError."""
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
        exchange = _Exchange(line, stateless, self)
        if stateless:
            self._stateless.add(session)
        try:
            for message in line.messages:
                session.take(message, exchange)
            # A session begins if `initialize` succeeded, which take() answers at once.
            headers = {SESSION_HEADER: self._keep(session)} if is_new and session.server.version else {}
            if line.due:
                await connection.respond(exchange, request, headers)
            else:
                connection.reply(202)
        finally:
            if stateless:
                session.cancel_all()  # no effect after an answer; a closed connection cancels a stateless request
                self._stateless.discard(session)

    def _session(self, request: Request, line: messages.Line | None) -> Session:
        """Return the session that a request names. Raises HttpError."""
        key = request.headers.get(SESSION_HEADER.lower())
        number = line.messages[0].id if line else None
        error = HttpError(400, f"Bad request: {SESSION_HEADER} is missing; initialize begins a session")
        if key is not None:
            error = HttpError(
                404, f"No such session: it ended, or was idle for {SESSION_SECONDS:g} s; initialize again"
            )
            self._forget_idle()
            session, _ = self._sessions.get(key, (None, 0.0))
            if session:
                self._sessions[key] = session, time.monotonic()
                self._sessions.move_to_end(key)
                return session
        error.id = number
        raise error

    def _forget_idle(self) -> None:
        """Forget the sessions that were idle for too long."""
        now = time.monotonic()
        while self._sessions:
            key, (session, used_at) = next(iter(self._sessions.items()))
            if now - used_at < SESSION_SECONDS:
                return
            if session.is_busy:
                self._sessions[key] = session, now
                self._sessions.move_to_end(key)
            else:
                del self._sessions[key]

    def _keep(self, session: Session) -> str:
        """Keep a new session, and return its name. Raises HttpError if all others are busy."""
        self._forget_idle()
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
            for session in (*self._stateless, *(session for session, _ in self._sessions.values())):
                session.cancel_all()
        self.has_ended = True


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
            sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)  # of each connection
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
    servers = [await asyncio.start_server(service.connect, sock=one, limit=MAX_HEAD) for one in sockets]
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
