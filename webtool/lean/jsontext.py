"""Read and write JSON without the json module. In: text or values. Out: what json.loads and json.dumps give.

The package json costs 5 ms to import, most of it for regular expressions that its C functions do not need. If those
functions are missing or take other arguments (another Python implementation), json does the work.
"""

from __future__ import annotations

from collections.abc import Callable

try:
    from _json import encode_basestring as _quote
    from _json import encode_basestring_ascii as _quote_ascii
    from _json import make_encoder as _make_encoder
    from _json import make_scanner as _make_scanner
except ImportError:
    _make_scanner = None  # type: ignore[assignment,misc]

_WHITE_SPACE = " \t\n\r"
# What the C functions raise if this Python's version wants other attributes or arguments than those given here.
_NOT_AS_EXPECTED = (AttributeError, TypeError)


class _Options:
    """Hold the settings that the scanner asks for: json.JSONDecoder's defaults, but NaN and infinities are refused."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None  # since 3.15
    parse_float = float
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012 -- what the scanner expects

    @staticmethod
    def parse_constant(name: str) -> float:
        """Refuse NaN and the infinities, which json.loads takes although they are not JSON (RFC 8259 section 6)."""
        raise ValueError(f"{name} is not a JSON value")


class _Lenient(_Options):
    """Take control characters in strings, NaN and the infinities, as json.loads(text, strict=False) does."""

    strict = False
    parse_constant = staticmethod(float)  # type: ignore[assignment]


def loads(text: str, *, is_lenient: bool = False) -> object:
    """Return the value of a JSON text. Raises ValueError (json.JSONDecodeError with its message) for any other text.

    `is_lenient` allows line breaks in strings, NaN and the infinities. Raises RecursionError for thousands of levels.
    """
    options = _Lenient if is_lenient else _Options
    if _make_scanner is None:
        return _plain_loads(text, options)
    end = len(text)
    start = end - len(text.lstrip(_WHITE_SPACE))
    try:
        value, stop = _make_scanner(options)(text, start)  # type: ignore[arg-type]
    except (StopIteration, SystemError, *_NOT_AS_EXPECTED):
        # The scanner raises SystemError if json.decoder, which has the error's class, is not imported yet.
        return _plain_loads(text, options)
    return _plain_loads(text, options) if text[stop:].strip(_WHITE_SPACE) else value


def members(text: str | None) -> dict[str, object] | None:
    """Return the members of the object in a text, {} for no text; None for any other value or text."""
    try:
        value = loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def dumps(value: object, *, is_plain: bool = False) -> str:
    """Return a value as JSON on one line. `is_plain` escapes characters beyond ASCII and sorts members."""
    if _make_scanner is None:
        return _plain_dumps(value, is_plain)
    quote = _quote_ascii if is_plain else _quote
    if isinstance(value, str):
        return quote(value)
    try:
        encode: Callable[[object, int], tuple[str, ...]] = _make_encoder(
            {}, _refuse, quote, None, ": ", ", ", is_plain, False, True
        )
        return "".join(encode(value, 0))
    except _NOT_AS_EXPECTED:
        return _plain_dumps(value, is_plain)


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _plain_loads(text: str, options: type[_Options]) -> object:
    import json

    value: object = json.loads(text, strict=options.strict, parse_constant=options.parse_constant)
    return value


def _plain_dumps(value: object, is_plain: bool) -> str:
    import json

    return json.dumps(value, ensure_ascii=is_plain, sort_keys=is_plain)
