"""Make TLS contexts and do handshakes. In: a connected socket and a host name. Out: an encrypted socket, or TlsError.

The error names the cause and the setting to change. Certificates are always verified. Trusted authorities come from
SSL_CERT_FILE, REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE (the first that is set) and SSL_CERT_DIR, else from the system.
This module imports ssl, which is slow, so others import it only for https.
Spec: RFC 8446, RFC 9525 (names), RFC 7301 (ALPN http/1.1).
Tests: tests/net/test_client.py, tests/net/test_tls.py
"""

from __future__ import annotations

import os
import socket  # ssl imports it anyway
from collections.abc import Callable, Mapping

from webtool.errors import NetworkError, TlsError
from webtool.lean.typing import Any
from webtool.net.dial import Watch

try:
    import ssl
except ImportError as _missing:
    raise TlsError(
        "this Python was built without ssl, which https needs",
        hint="Run webtool with another python3 (webtool doctor shows which one runs).",
    ) from _missing

FILE_VARIABLES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_MIN_ROOTS = 40  # hashed certificates; a system folder with fewer is considered incomplete and not used
# Bundles of certificate authorities on common systems.
_SYSTEM_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
)
_IGNORE_UNEXPECTED_EOF = 0x80  # SSL_OP_IGNORE_UNEXPECTED_EOF; Python before 3.10 has no name for it
_NO_END = "no end of the TLS handshake"  # begins the message of a timeout

# X509_V_ERR_* numbers of OpenSSL: (cause, hint).
_ADD_CA = "If this certificate authority is meant to be trusted, name its file in SSL_CERT_FILE."
_CLOCK = "Nothing but the site can mend this; check this machine's clock too."
_CAUSES = {
    2: ("the certificate's issuer is unknown", _ADD_CA),
    7: ("the certificate's signature is wrong", _ADD_CA),
    9: ("the certificate is not valid yet", _CLOCK),
    10: ("the certificate has expired", _CLOCK),
    18: ("the certificate is self-signed", "If it is meant to be trusted, name its file in SSL_CERT_FILE."),
    19: ("the certificate chain ends in an unknown self-signed root", _ADD_CA),
    20: ("the certificate's issuer is unknown", _ADD_CA),
    21: ("the certificate's issuer is unknown (the server sends an incomplete chain)", _ADD_CA),
    23: ("the certificate was revoked", "The site must replace it."),
    62: ("the certificate is for another host", "Check the spelling of the host name."),
    64: ("the certificate is for another address", "Use the host name instead of the address."),
}
_STRICT_HINT = "If it breaks only the strict X.509 rules of newer Pythons, the setting tls_relaxed accepts it."
# Reasons of ssl.SSLError if the server answers the handshake in plain text.
_PLAIN_HTTP = frozenset(("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNKNOWN_PROTOCOL"))


def make_context(environ: Mapping[str, str], is_relaxed: bool) -> ssl.SSLContext:
    """Return a verifying client context. Raises TlsError if a variable names unusable certificates."""
    variable = next((name for name in FILE_VARIABLES if environ.get(name)), "")
    file, folder = environ.get(variable) or None, environ.get("SSL_CERT_DIR") or None
    if file is not None and os.path.isdir(file):  # the library requests accepts a folder too
        file, folder = None, file
    if file is None and folder is None:
        folder = _hashed_folder()
    try:
        # OpenSSL says nothing of a folder that does not exist.
        if file is None and folder and not any(map(os.path.isdir, folder.split(os.pathsep))):
            raise FileNotFoundError(folder)
        context = ssl.create_default_context(cafile=file, capath=folder)
    except OSError as exc:  # ssl.SSLError is an OSError
        name = variable or "SSL_CERT_DIR"
        hint = f"Correct or unset {name}."
        raise TlsError(f"{name} names {file or folder}, which has no usable certificates", hint=hint) from exc
    if file is None and folder is None and not context.cert_store_stats()["x509_ca"]:
        _load_system_file(context)
    if is_relaxed:
        context.verify_flags &= ~getattr(ssl, "VERIFY_X509_STRICT", 0)
    if ssl.OPENSSL_VERSION_INFO >= (3,):
        # A connection that ends without close_notify may have been cut by an attacker; some Pythons ignore that.
        context.options &= ~_IGNORE_UNEXPECTED_EOF
    context.set_alpn_protocols(["http/1.1"])
    return context


def _hashed_folder() -> str | None:
    """Return the system's folder of hashed certificates; None if it is incomplete.

    A file there is named after the hash of its certificate's subject, so OpenSSL reads only the root that a site needs.
    That is faster than to parse a bundle with all roots (OpenSSL, X509_LOOKUP_hash_dir).
    """
    folder = ssl.get_default_verify_paths().capath
    try:
        names = os.listdir(folder) if folder else []
    except OSError:
        return None
    return folder if sum(name.endswith(".0") for name in names) >= _MIN_ROOTS else None


def _load_system_file(context: ssl.SSLContext) -> None:
    """Load a system bundle: some Pythons are built without the path of this system's certificates."""
    for path in _SYSTEM_FILES:
        if os.path.exists(path):
            context.load_verify_locations(cafile=path)
            return


def wrap(connection: socket.SocketType, host: str, context: ssl.SSLContext, watch: Watch) -> ssl.SSLSocket:
    """Return the encrypted connection after its handshake. Takes over the given socket and closes it on errors."""
    plain = socket.socket(connection.family, connection.type, connection.proto, fileno=connection.detach())
    name = host.strip("[]").rstrip(".")
    try:
        encrypted = context.wrap_socket(
            plain,
            # As bytes: a str would import the idna codec, although the name is ASCII already.
            server_hostname=name.encode("ascii"),
            do_handshake_on_connect=False,
            suppress_ragged_eofs=False,
        )
    except (OSError, ValueError) as exc:  # raised if the peer has closed the connection already
        plain.close()
        raise NetworkError("the connection closed before the TLS handshake") from exc
    except BaseException:
        plain.close()
        raise
    try:
        _handshake(encrypted, host, watch)
    except BaseException:
        encrypted.close()
        raise
    return encrypted


def _handshake(encrypted: ssl.SSLSocket | Tunnel, host: str, watch: Watch) -> None:
    """Do the handshake by the deadline. Raises TlsError, NetworkError, FetchTimeout, Cancelled."""
    while True:
        encrypted.settimeout(watch.step(_NO_END))
        try:
            encrypted.do_handshake()
            return
        except (TimeoutError, socket.timeout):
            continue
        except OSError as exc:
            if isinstance(exc, ssl.SSLError) and not is_ragged_end(exc):
                if "timed out" in str(exc):  # so some Pythons report the end of the timeout
                    continue
                raise handshake_error(exc, host) from exc
            message = f"{host} ended the connection inside the TLS handshake"
            hint = "Try again; if it happens each time, the server, or a filter before it, refuses this connection."
            raise TlsError(message, hint=hint, retryable=True) from exc


def is_ragged_end(exc: OSError) -> bool:
    """Return whether the peer closed TCP without ending TLS (no close_notify)."""
    return isinstance(exc, ssl.SSLEOFError) or getattr(exc, "reason", "") == "UNEXPECTED_EOF_WHILE_READING"


def handshake_error(exc: ssl.SSLError, host: str) -> NetworkError:
    """Translate an error of the handshake, with its cause in words."""
    if isinstance(exc, ssl.SSLCertVerificationError):
        number, text = exc.verify_code, exc.verify_message
        cause, hint = _CAUSES.get(number, (f"the certificate was not accepted: {text}", _STRICT_HINT))
        return TlsError(f"TLS certificate of {host}: {cause}", hint=hint)
    if exc.reason in _PLAIN_HTTP:
        return NetworkError(
            f"{host} does not speak TLS on this port", hint="Try the same URL with http.", retryable=False
        )
    return TlsError(
        f"TLS handshake with {host} failed: {_reason(exc)}",
        hint="The server may offer only outdated protocol versions or ciphers.",
    )


def broken_connection(exc: OSError) -> TlsError:
    """Translate an ssl.SSLError after the handshake. In TLS 1.3 the server may refuse the client only then."""
    hint = "Something on the way may damage the data. Try again, or look for the same text elsewhere."
    is_refusal = "CERTIFICATE_REQUIRED" in (getattr(exc, "reason", None) or "")
    if is_refusal:
        hint = "The server wants a certificate of the client, and webtool sends none. Look for another source."
    return TlsError(f"the TLS connection failed: {_reason(exc)}", hint=hint, retryable=not is_refusal)


def _reason(exc: OSError) -> str:
    """Return OpenSSL's reason in words: "bad record mac"."""
    return (getattr(exc, "reason", None) or "").replace("_", " ").lower() or "the connection ended"


class Tunnel:
    """TLS to a server inside the TLS connection to an https proxy.

    An SSLSocket cannot be wrapped again, so the inner TLS runs over two memory buffers, which `_run` fills and `_flush`
    empties. After a timeout no byte is lost: the next call of any method sends the rest first. Closing `outer` is the
    caller's task, also if the handshake fails here.
    """

    def __init__(self, outer: ssl.SSLSocket, host: str, context: ssl.SSLContext, watch: Watch) -> None:
        self._outer = outer
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._unsent = bytearray()  # encrypted bytes that the outer connection has not taken yet
        name = host.strip("[]").rstrip(".")
        self._inner = context.wrap_bio(self._incoming, self._outgoing, server_hostname=name.encode("ascii"))
        _handshake(self, host, watch)

    def do_handshake(self) -> None:
        """Try the handshake; after a timeout, the next call continues it."""
        self._run(self._inner.do_handshake)
        self._flush()

    def recv(self, size: int) -> bytes:
        """Return decrypted bytes, b"" at the end."""
        data: bytes = self._run(self._inner.read, size)
        return data

    def send(self, data: bytes) -> int:
        """Encrypt the data and send as much as the timeout allows; return how many bytes of it were taken."""
        written: int = self._run(self._inner.write, data)
        try:
            self._flush()
        except socket.timeout:
            pass  # The inner TLS took these bytes, so they must not be given to it again.
        return written

    def _run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Call the function of the inner TLS until it needs no more bytes from the outer connection.

        Bytes are sent before each call only: a timeout afterwards would lose what the function returned.
        """
        while True:
            self._flush()
            try:
                return function(*arguments)
            except ssl.SSLWantReadError:
                self._flush()
                data = self._outer.recv(65536)
                if data:
                    self._incoming.write(data)
                else:
                    self._incoming.write_eof()

    def _flush(self) -> None:
        """Send what the inner TLS has written. Raises socket.timeout, and keeps what was not sent by then."""
        self._unsent += self._outgoing.read()
        while self._unsent:
            del self._unsent[: self._outer.send(self._unsent)]

    def settimeout(self, seconds: float | None) -> None:
        """Set the timeout of the outer socket."""
        self._outer.settimeout(seconds)

    def fileno(self) -> int:
        """Return the descriptor of the outer socket."""
        return self._outer.fileno()

    def close(self) -> None:
        """Close the outer connection."""
        self._outer.close()
