"""Answer one request of an agent host: a JSON object on stdin, a JSON object on stdout, an exit status.

In: the command, and whether webtool was started under a -tool name. Out: the exit status. Only the answer is written to
stdout. A failure also writes one line to stderr and, if a key is missing, the event for the user. Under a -tool name
stderr is ASCII and short: ikigai, a host of such executables, keeps 255 bytes of it and aborts if they end inside a
UTF-8 character.
"""

from __future__ import annotations

import os

from webtool import registry, settings
from webtool.answers import budget
from webtool.context import Context
from webtool.errors import AuthMissing, InvalidRequest, WebtoolError, of_bug
from webtool.lean import jsontext
from webtool.output import is_terminal, one_line, write_all, write_error
from webtool.running import deadline
from webtool.schemas import surfaces
from webtool.settings import Settings

MAX_REQUEST_BYTES = 64 * 1024 * 1024  # a larger request is refused; the largest are pages of HTML for `extract`
MAX_STDERR_BYTES = 240  # bytes of the line that a -tool name writes before the event; the rest is cut
_READ_BYTES = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # in UTF-8; PowerShell writes it to a pipe
_KINDS = {list: "an array", str: "a string", int: "a number", float: "a number", bool: "true or false"}
# Command: a hint added to every malformed request, as `webtool batch -` may have been meant.
_DASH_HINTS = {"batch": " A list of URLs is read by: webtool batch -", "extract": " HTML is read by: webtool extract -"}
# Required member of a tool: its value in the example of a request, "..." for any other.
_EXAMPLES = {
    "url": '"https://..."', "query": '"words to search for"', "items": '[{"url": "https://..."}]',
    "html": '"<p>...</p>"', "hash": '"3f9a6c..."', "page": '"https://..."',
}  # fmt: skip


def main(command: str, is_host_name: bool) -> int:
    """Answer the request on stdin. Returns the exit status, which says whether it succeeded or how it failed."""
    if is_host_name and is_terminal(0):
        write_error("webtool: waiting for one JSON object on stdin (Ctrl-D ends it; --schema describes it)\n")
    current = settings.Settings()
    warnings: list[str] = []  # written after the error, because a host may read the first bytes of stderr only
    try:
        current = settings.from_environ(os.environ)
        ends_at = deadline.start(current.deadline)
        data = _answer(command, Context(current, environ=os.environ, deadline=ends_at, warn=warnings.append))
        deadline.stop()
        status = 0
    except Exception as exc:
        error = exc if isinstance(exc, WebtoolError) else of_bug(exc, current.debug)
        data, status = _failure(error, current, command, is_host_name)
    for warning in warnings:
        _write_line(warning, is_host_name)
    write_all(1, budget.fit_bytes(data, current.max_output_bytes if is_host_name else 0))
    return status


def _write_line(message: str, is_host_name: bool) -> None:
    """Write one line to stderr; under a -tool name in ASCII and at most MAX_STDERR_BYTES long."""
    line = f"webtool: {one_line(message)}"
    if is_host_name:
        line = line.encode("ascii", "backslashreplace")[: MAX_STDERR_BYTES - 1].decode("ascii")
    write_error(f"{line}\n")


def _answer(command: str, ctx: Context) -> dict[str, object]:
    data = _read_stdin().removeprefix(_BYTE_ORDER_MARK)
    request = parse_request(data, command) if data.strip() or _required(command) else {}
    try:
        return surfaces.members_of("host", registry.call(command, ctx, request).data)
    finally:
        ctx.close()


def parse_request(data: bytes, command: str = "fetch") -> dict[str, object]:
    """Return the members of the request. Raises InvalidRequest, with an example, if it is not a JSON object."""
    try:
        return _parsed(data)
    except InvalidRequest as error:
        example = ", ".join([f'"{name}": ' + _EXAMPLES.get(name, '"..."') for name in _required(command)])
        error.hint = f"Send one JSON object on stdin, e.g. {{{example}}}; --schema shows the members."
        error.hint += _DASH_HINTS.get(command, "")
        raise


def _required(command: str) -> list[str]:
    """Return the members that a request of the tool must have; without any, empty stdin is an empty request."""
    required: list[str] = registry.load(command).SCHEMA["parameters"].get("required", [])
    return required


def _parsed(data: bytes) -> dict[str, object]:
    """Return the object in the bytes. Raises InvalidRequest, without a hint."""
    if not data.strip():
        raise InvalidRequest("the request is empty")
    try:
        request = jsontext.loads(data.decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise InvalidRequest(f"the request is not UTF-8: {exc.reason} at byte {exc.start}") from exc
    except (ValueError, RecursionError) as exc:
        problem = "a number has too many digits" if "int_max_str_digits" in str(exc) else exc
        raise InvalidRequest(f"the request is not JSON: {problem}") from exc
    if not isinstance(request, dict):
        raise InvalidRequest(f"the request is not a JSON object but {_KINDS.get(type(request), 'null')}")
    return request


def _read_stdin() -> bytes:
    """Return all of stdin. Raises InvalidRequest if it cannot be read or is too large."""
    chunks: list[bytes] = []
    size = 0
    while True:
        try:
            chunk = os.read(0, _READ_BYTES)
        except OSError as exc:
            raise InvalidRequest(
                f"stdin cannot be read: {exc.strerror or exc}", hint="Send one JSON object on stdin."
            ) from exc
        if not chunk:
            return b"".join(chunks)
        size += len(chunk)
        if size > MAX_REQUEST_BYTES:
            raise InvalidRequest(f"the request is larger than {MAX_REQUEST_BYTES} bytes", hint="Send a smaller one.")
        chunks.append(chunk)


def _failure(error: WebtoolError, current: Settings, command: str, is_host_name: bool) -> tuple[dict[str, object], int]:
    """Write the failure to stderr; return its error object and the exit status."""
    deadline.stop()
    exit_zero = is_host_name and _exits_zero(current)
    data = error_object(error, command)
    event = error.event if isinstance(error, AuthMissing) else None
    _write_line(f"{error.code}: {error.message}", is_host_name)
    if event and exit_zero:
        data["_event"] = event
    elif event:
        write_error(_in_ascii(event_line(event)) if is_host_name else event_line(event))
    return data, 0 if exit_zero else error.exit_status


def _exits_zero(current: Settings) -> bool:
    """Return whether a failure exits 0: if the setting is on or, by default, in ikigai (it drops stdout on failure).

    If another setting is invalid, `current` has defaults only ("auto"). So the variable is read from the environment:
    the host must see that error, too.
    """
    if current.exit_zero != "auto":
        return current.exit_zero == "on"
    chosen = os.environ.get("WEBTOOL_EXIT_ZERO", "").strip().lower()
    return settings.is_on(os.environ, "WEBTOOL_EXIT_ZERO") or (
        chosen in ("", "auto") and "IKIGAI_AGENT_ID" in os.environ
    )


def _in_ascii(line: str) -> str:
    """Escape the non-ASCII characters of JSON as UTF-16 code units (RFC 8259 section 7): `⚠` -> `\\u26a0`."""
    units = line.encode("utf-16-be", "surrogatepass")
    pairs = ((units[index] << 8) + units[index + 1] for index in range(0, len(units), 2))
    return "".join([chr(unit) if unit < 0x80 else f"\\u{unit:04x}" for unit in pairs])


def error_object(error: WebtoolError, command: str, surface: str = "host") -> dict[str, object]:
    """Return the error object, with the members that the tool has on errors too (registry.ERROR_MEMBERS)."""
    data = surfaces.members_of(surface, error.to_dict())
    for name, default in registry.ERROR_MEMBERS.get(command, {}).items():
        requested = error.request.get(name)
        data.setdefault(name, requested if type(requested) is type(default) else default)
    return data


def event_line(event: dict[str, object]) -> str:
    """Return the event for the user as one line of JSON; its data is a string that holds JSON."""
    members = {"kind": event["kind"], "content": event["content"], "data_json": jsontext.dumps(event["data"])}
    return jsontext.dumps(members) + "\n"
