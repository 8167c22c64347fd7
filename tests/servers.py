"""A loopback HTTP server for tests: routes are data, and all requests are recorded."""

import contextlib
import http.server
import selectors
import socket
import sys
import threading
import time

NOT_FOUND = (404, {"Content-Type": "text/plain"}, b"no such page")


class _Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    is_ended = False

    def run(self):
        """Accept connections until end() wakes it; serve_forever() would notice the end at its next poll only."""
        with selectors.DefaultSelector() as selector:
            selector.register(self, selectors.EVENT_READ)
            while not self.is_ended:
                selector.select()
                self._handle_request_noblock()

    def verify_request(self, request, client_address):
        return not self.is_ended

    def end(self, thread):
        """Close the server whose run() is in `thread`."""
        self.is_ended = True
        with contextlib.suppress(OSError):
            socket.create_connection(self.server_address[:2], timeout=5).close()
        thread.join()
        self.server_close()

    def handle_error(self, request, client_address):
        """Ignore connections that clients break off; show errors that a route raises."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Server:
    """Serves `routes`: path -> (status, headers or content type, body), or a function of the request that returns that.

    What a route returns as None closes the connection.
    """

    def __init__(self, routes, address="127.0.0.1"):
        self.routes = dict(routes)
        self.asked = []
        self.asked_at = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                length = int(self.headers.get("Content-Length") or 0)
                self.body = self.rfile.read(length)
                outer.asked.append((self.path, dict(self.headers)))
                outer.asked_at.append(time.monotonic())
                route = outer.routes.get(self.path.partition("?")[0], outer.routes.get("*", NOT_FOUND))
                answer = route(self) if callable(route) else route
                if answer is None:
                    self.close_connection = True
                    return
                status, headers, body = answer
                headers = {"Content-Type": headers} if isinstance(headers, str) else headers
                body = body.encode() if isinstance(body, str) else body
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers and "Transfer-Encoding" not in headers:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *args):
                pass

        self._server = _Listener((address, 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://{address}:{self.port}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def paths(self):
        """Return the requested paths without robots.txt."""
        return [path for path, _ in self.asked if path != "/robots.txt"]

    def close(self):
        self._server.end(self._thread)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def serving(routes, scope="module"):
    """Return a pytest fixture that serves these routes; with scope "function" each test may change them."""
    import pytest  # here, so that benchmarks use the server without pytest

    @pytest.fixture(scope=scope)
    def server():
        with Server(routes) as started:
            yield started

    return server


def page(html, **headers):
    """Return a response with status 200 and HTML."""
    return 200, {"Content-Type": "text/html; charset=utf-8", **headers}, html.encode("utf-8")


def closed_port():
    """Return a port on which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
