"""The host protocol: one JSON object on stdin, one on stdout, an exit status, one line on stderr for a failure.

In: the command and whether it was started under a -tool name. Out: the exit status. Nothing but the answer is ever
written to stdout.
"""

from __future__ import annotations

import os

from webtool import registry, settings
from webtool.answers import capping
from webtool.context import Context
from webtool.errors import AuthMissing, InvalidRequest, WebtoolError, of_bug
from webtool.lean import jsontext
from webtool.output import is_terminal, one_line, write_all, write_error
from webtool.running import deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.settings import Settings

# The largest request that makes sense is a page's HTML for `extract`.
MAX_REQUEST_BYTES = 64 * 1024 * 1024
_READ_BYTES = 1 << 16


def main(command: str, is_host_name: bool) -> int:
    """Answer the request on stdin; the exit status tells success or the kind of failure."""
    if is_host_name and is_terminal(0):
        write_error("webtool: waiting for one JSON object on stdin (Ctrl-D ends it; --schema describes it)\n")
    current = settings.Settings()
    try:
        current = settings.from_environ(os.environ)
        ends_at = deadline.start(current.deadline)
        data = _answer(command, Context(current, environ=os.environ, deadline=ends_at))
        deadline.stop()
    except WebtoolError as error:
        return _fail(error, current, command, is_host_name)
    except Exception as exc:
        return _fail(of_bug(exc, current.debug), current, command, is_host_name)
    write_all(1, capping.fit(data, current.max_output_bytes if is_host_name else 0))
    return 0


def _answer(command: str, ctx: Context) -> dict[str, object]:
    data = _read_stdin()
    request = parse_request(data, _LISTS.get(command, "")) if _is_due(command, data) else {}
    try:
        return registry.call(command, ctx, request).data
    finally:
        ctx.close()


def _is_due(command: str, data: bytes) -> bool:
    return bool(data.strip()) or command not in registry.WITHOUT_REQUEST


# What people send to these commands, who forget the dash.
_LISTS = {"batch": " A list of URLs is read by: webtool batch -", "extract": " HTML is read by: webtool extract -"}


def parse_request(data: bytes, further: str = "") -> dict[str, object]:
    """The request's members. Raises InvalidRequest, its hint ending in `further`, for anything but one JSON object."""
    hint = 'Send one JSON object on stdin, e.g. {"url": "https://..."}; --schema shows the members.' + further
    if not data.strip():
        raise InvalidRequest("the request is empty", hint=hint)
    try:
        request = jsontext.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"))
    except UnicodeDecodeError as exc:
        raise InvalidRequest(f"the request is not UTF-8: {exc.reason} at byte {exc.start}", hint=hint) from exc
    except (ValueError, RecursionError) as exc:
        what = "a number has too many digits" if "int_max_str_digits" in str(exc) else exc
        raise InvalidRequest(f"the request is not JSON: {what}", hint=hint) from exc
    if not isinstance(request, dict):
        raise InvalidRequest(f"the request is not a JSON object but {_KINDS.get(type(request), 'null')}", hint=hint)
    return request


_KINDS = {list: "an array", str: "a string", int: "a number", float: "a number", bool: "true or false"}


def _read_stdin() -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        try:
            chunk = os.read(0, _READ_BYTES)
        except OSError as exc:
            raise InvalidRequest(
                f"stdin cannot be read: {exc.strerror}", hint="Send one JSON object on stdin."
            ) from exc
        if not chunk:
            return b"".join(chunks)
        size += len(chunk)
        if size > MAX_REQUEST_BYTES:
            raise InvalidRequest(f"the request is larger than {MAX_REQUEST_BYTES} bytes", hint="Send a smaller one.")
        chunks.append(chunk)


def _fail(error: WebtoolError, current: Settings, command: str, is_host_name: bool) -> int:
    deadline.stop()
    # Where the settings themselves are wrong, this one still counts: the host would not see the error otherwise.
    exit_zero = is_host_name and (current.exit_zero or settings.is_on(os.environ, "WEBTOOL_EXIT_ZERO"))
    data = error_object(error, command)
    event = error.event if isinstance(error, AuthMissing) else None
    write_error(f"webtool: {error.code}: {one_line(error.message)}\n")
    if event and exit_zero:
        data["_event"] = event
    elif event:
        write_error(event_line(event))
    write_all(1, capping.fit(data, current.max_output_bytes if is_host_name else 0))
    return 0 if exit_zero else error.exit_status


def error_object(error: WebtoolError, command: str) -> dict[str, object]:
    """The error object, with the members that this tool gives on errors too (registry.ERROR_MEMBERS)."""
    data = error.to_dict()
    for name, default in registry.ERROR_MEMBERS.get(command, {}).items():
        given = error.request.get(name)
        data.setdefault(name, given if type(given) is type(default) else default)
    return data


def event_line(event: dict[str, object]) -> str:
    """The event for the user as one line of JSON; its data is a string that holds JSON."""
    members = {"kind": event["kind"], "content": event["content"], "data_json": jsontext.dumps(event["data"])}
    return jsontext.dumps(members) + "\n"
