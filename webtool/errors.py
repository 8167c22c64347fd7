"""The error tree. Every interface (host JSON, command line, MCP, library) reports these errors and no others.

WebtoolError
|- RequestError: InvalidRequest, InvalidArgument, InvalidUrl
|- NetworkError: TlsError
|- PolicyError: SsrfBlocked, RobotsDisallowed, RenderDisabled
|- HttpError
|- ProviderError: AuthMissing, AuthInvalid, RateLimited, QuotaExceeded, Blocked, ApiError
|- FetchTimeout
|- FetchTooLarge, UnsupportedContent, ExtractFailed, RenderFailed, CacheError, CacheMiss
|- Cancelled
`- InternalError

Each class has an error code, an exit status and whether a retry may help. The message says what happened to what; the
hint says what to do next. The docstring of a class with a code is the text of `webtool help errors`. This module
imports nothing at its top, as every command loads it.
Tests: tests/net/test_failures.py
"""

from __future__ import annotations

_MAX_TEXT = 2000  # characters of a message, hint or URL; the rest is cut, as pages and callers may send endless ones


class WebtoolError(Exception):
    """A failure that webtool expects. `members` are added to the error object as they are (path, robots_url)."""

    code = "INTERNAL_ERROR"
    exit_status = 1
    retryable = False
    default_hint: str | None = None

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        url: str | None = None,
        status_code: int | None = None,
        retry_after: float | None = None,
        retryable: bool | None = None,
        **members: object,
    ) -> None:
        super().__init__(cut(message))
        self.message = cut(message)
        self.hint = self.default_hint if hint is None else hint
        self.url = url
        self.status_code = status_code
        self.retry_after = retry_after
        if retryable is not None:
            self.retryable = retryable
        self.members = members
        self.request: dict[str, object] = {}  # the tool's arguments, for tools that repeat some of them on errors

    def rephrase(self, message: str, hint: str | None = None) -> None:
        """Replace the message, and the hint unless it is None. For callers that know more than the raiser."""
        self.message = cut(message)
        self.args = (self.message,)
        self.hint = self.hint if hint is None else hint

    def to_dict(self) -> dict[str, object]:
        """Return the error object for JSON; fields without a value are left out."""
        error: dict[str, object] = {"success": False, "error": self.message, "error_code": self.code}
        optional = {
            "status_code": self.status_code,
            "retryable": self.retryable,
            "retry_after": self.retry_after,
            "hint": self.hint and cut(self.hint),
            "url": self.url and cut(self.url),
        }
        error.update((name, value) for name, value in optional.items() if value is not None)
        for name, value in self.members.items():
            error[name] = cut(value) if isinstance(value, str) else value
        return error


def cut(text: str, length: int = _MAX_TEXT) -> str:
    """Return the text; if it is longer than `length`, its beginning and three dots."""
    return text if len(text) <= length else f"{text[:length]}..."


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 word", "2,000 words"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def abridged(names: list[str], limit: int) -> str:
    """Return names for a message, with how many come after the first `limit`: "a, b and 7 more"."""
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")


def quoted(value: object) -> str:
    """Return a value in quotes for a message, cut after 60 characters."""
    return repr(cut(str(value), 60))


class RequestError(WebtoolError):
    """The request is malformed or cannot be done as stated."""

    exit_status = 2


class InvalidRequest(RequestError):
    """The request cannot be read: it is not a JSON object."""

    code = "INVALID_REQUEST"


class InvalidArgument(RequestError):
    """A field of the request, a flag or a setting has a wrong value; the message names it."""

    code = "INVALID_ARGUMENT"


class InvalidUrl(RequestError):
    """The URL is not an absolute http(s) URL."""

    code = "INVALID_URL"
    default_hint = "Give an absolute URL, such as https://example.com/page."


class NetworkError(WebtoolError):
    """DNS, connection, proxy or protocol failed before a usable answer."""

    code = "NETWORK_ERROR"
    exit_status = 3
    retryable = True
    default_hint = "Try again; if it fails again, check the host name and this machine's connection."


class TlsError(NetworkError):
    """The TLS handshake or the certificate failed; the message names the cause."""

    code = "TLS_ERROR"
    retryable = False
    default_hint = "Check the URL's scheme and port; SSL_CERT_FILE names a private certificate authority."


class PolicyError(WebtoolError):
    """webtool refused the request and did not send it."""

    exit_status = 4


class SsrfBlocked(PolicyError):
    """The target is not a public address; nothing was sent."""

    code = "SSRF_BLOCKED"
    default_hint = "Only public addresses are fetched; WEBTOOL_ALLOW_PRIVATE_HOSTS names exceptions."


class RobotsDisallowed(PolicyError):
    """robots.txt disallows the URL; fields `path` and `robots_url`."""

    code = "ROBOTS_DISALLOWED"
    default_hint = "The site does not want this page fetched by programs. Look for the same text elsewhere."


class RenderDisabled(PolicyError):
    """Rendered mode was requested but is not enabled."""

    code = "RENDER_DISABLED"


class HttpError(WebtoolError):
    """The server answered with a status of 400 or above; field `status_code`."""

    code = "HTTP_ERROR"
    exit_status = 5


class ProviderError(WebtoolError):
    """A search provider did not give results."""

    exit_status = 5


class AuthMissing(ProviderError):
    """A search provider needs a key, and none is set."""

    code = "AUTH_MISSING"

    def __init__(self, message: str, *, event: dict[str, object] | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.event = event  # a message for the user: {kind, content, data}


class AuthInvalid(ProviderError):
    """A search provider rejected the key."""

    code = "AUTH_INVALID"


class RateLimited(ProviderError):
    """A search provider asks for a pause; field `retry_after` in seconds."""

    code = "RATE_LIMITED"
    retryable = True


class QuotaExceeded(ProviderError):
    """The daily or monthly quota of a search provider is used up."""

    code = "QUOTA_EXCEEDED"


class Blocked(ProviderError):
    """A search provider answered with a bot check instead of results."""

    code = "BLOCKED"


class ApiError(ProviderError):
    """A search provider failed, or its answer has an undocumented form."""

    code = "API_ERROR"


class FetchTimeout(WebtoolError):
    """The deadline passed, at any step."""

    code = "FETCH_TIMEOUT"
    exit_status = 6
    retryable = True
    default_hint = "Try again, or give more time: timeout_ms where the tool has it, or WEBTOOL_DEADLINE in seconds."


class FetchTooLarge(WebtoolError):
    """The decoded body is larger than max_bytes."""

    code = "FETCH_TOO_LARGE"
    default_hint = "Raise max_bytes (or WEBTOOL_MAX_BYTES), or open a smaller page; mode raw gives the beginning."


class UnsupportedContent(WebtoolError):
    """The content cannot be converted to text; the message names its type and size."""

    code = "UNSUPPORTED_CONTENT"


class ExtractFailed(WebtoolError):
    """The document could not be converted to text, or a selector found nothing."""

    code = "EXTRACT_FAILED"
    default_hint = "Try another copy of the document."


class RenderFailed(WebtoolError):
    """The browser is missing, crashed, hung or refused the page; the message says which."""

    code = "RENDER_FAILED"


class CacheError(WebtoolError):
    """The cache file cannot be used (only the cache tools report this)."""

    code = "CACHE_ERROR"
    default_hint = "Check the file named by WEBTOOL_CACHE_PATH; webtool doctor shows it."


class CacheMiss(WebtoolError):
    """Nothing is stored under this hash, or the page is not stored and offline is on."""

    code = "CACHE_MISS"


class Cancelled(WebtoolError):
    """The user or the client cancelled the call."""

    code = "CANCELLED"
    exit_status = 130


class InternalError(WebtoolError):
    """A bug in webtool, or the machine has no memory or descriptor left."""

    code = "INTERNAL_ERROR"
    exit_status = 70


# ENFILE and EMFILE. 0 is what zipimport gives if it cannot open the archive for a group of modules.
_NO_DESCRIPTOR = (0, 23, 24)


def _memory_limit() -> str:
    """Return the limit of this process's address space for a message: "; its limit is 60 MB". "" without a limit."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    except (ImportError, OSError, MemoryError):
        return ""
    return f"; its limit is {limit >> 20} MB" if limit not in (resource.RLIM_INFINITY, -1) else ""


def of_bug(exc: Exception, with_traceback: bool = False) -> InternalError:
    """Return an unexpected exception as an InternalError. With WEBTOOL_DEBUG the traceback is written to stderr."""
    if isinstance(exc, OSError) and exc.errno in _NO_DESCRIPTOR:
        return InternalError(
            f"this process can open no further file: {exc}", hint="Raise its limit of open files: ulimit -n 256."
        )
    if isinstance(exc, MemoryError) or (type(exc) is RuntimeError and "start new thread" in str(exc)):
        return InternalError(
            f"this process got no further memory from the system{_memory_limit()}",
            hint="Raise its limit (ulimit -v, the container's memory), or open a smaller page.",
        )
    from os import environ

    if with_traceback or environ.get("WEBTOOL_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(type(exc), exc, exc.__traceback__)
    return InternalError(
        f"a bug in webtool: {type(exc).__name__}: {exc}",
        hint="Run again with WEBTOOL_DEBUG=1 for the traceback, and report it.",
    )
