"""Number formats of spreadsheets. In: a format's code, a number. Out: the number as the program shows it.

Dates are in ISO 8601, whatever their format; fractions and what is not understood are shown without one.
Specification: ECMA-376 part 1, clauses 18.8.31 (numFmts), 18.17.4 (dates).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import lru_cache

from webtool.lean import patterns
from webtool.lean.records import NamedTuple

_MAX_DECIMALS = 15
_MAX_DIGITS = 30
_MAX_EXACT = 1e15  # cells keep 15 digits
# Quoted text, an escaped character, a space as wide as a character, a character that fills the cell, [Red], [$€-407].
_TOKEN = patterns.compile(r'"([^"]*)"|\\(.)|_(.)|\*.|\[([^\]]*)\]|([#0?.,%]+|[eE][+-])|(.)')
_QUOTED = patterns.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_ELAPSED_MARK = patterns.compile(r"(?i)\[(?:h+|m+|s+)\]")
_MAX_DATE = 2_958_466  # the day after 9999-12-31
_EXPONENT = patterns.compile(r"[eE][+-]")


class _Section(NamedTuple):
    """One part of a format: what stands before and behind the digits, and how they look."""

    prefix: str
    suffix: str
    digits: str
    percents: int


def shown(value: str, code: str, is_1904: bool = False) -> str:
    """What a cell holds in a format; text as it is. Days count from 1900 or from 1904."""
    try:
        number = float(value)
    except ValueError:
        return value
    kind = _kind(code) if code else "number"
    if kind == "elapsed" and abs(number) < _MAX_DATE:
        minutes, seconds = divmod(round(abs(number) * 86400), 60)
        return f"{'-' if number < 0 else ''}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if kind in ("date", "time", "datetime") and 0 <= number < _MAX_DATE:
        epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        moment = epoch + timedelta(days=int(number), seconds=round(number % 1 * 86400))
        if kind == "time" or number < 1:
            return moment.strftime("%H:%M:%S")
        return moment.date().isoformat() if kind == "date" and not number % 1 else moment.isoformat(" ")
    return formatted(code, number) if code and kind == "number" else general(number)


@lru_cache(maxsize=1000)
def _kind(code: str) -> str:
    """What a format shows: date, time, datetime, elapsed, number; general for numbers without a format."""
    if _ELAPSED_MARK.search(code):
        return "elapsed"
    first = _QUOTED.sub("", code.partition(";")[0]).lower()
    if "general" in first or code == "@":
        return "general"
    has_date = any(letter in first for letter in "yd")
    has_time = any(letter in first for letter in "hs")
    if has_date or has_time or first.strip("/- .,:") in ("m", "mm", "mmm", "mmmm"):
        return "datetime" if has_date and has_time else "time" if has_time else "date"
    return "number"


def general(number: float) -> str:
    """A number without a format, with as many digits as a cell keeps."""
    return f"{number:.15g}"


def formatted(code: str, number: float) -> str:
    """A number in a format, e.g. `$1,234.50` for `"$"#,##0.00`."""
    parts = _sections(code)
    index = 1 if number < 0 and len(parts) > 1 else 2 if number == 0 and len(parts) > 2 else 0
    section = parts[index]
    if section is None or abs(number) >= _MAX_EXACT:
        return general(number)
    if not section.digits or (number == 0 and "0" not in section.digits):
        return (section.prefix + section.suffix).strip() or general(number)
    sign = "-" if number < 0 and index == 0 else ""
    try:
        return f"{sign}{section.prefix}{_digits(section, abs(number))}{section.suffix}".strip()
    except (ValueError, OverflowError):  # scaled by more than a number can be
        return general(number)


@lru_cache(maxsize=1000)
def _sections(code: str) -> list[_Section | None]:
    """The parts for positive and negative numbers, zero and text; semicolons in quotes part nothing."""
    parts = [""]
    for match in _TOKEN.finditer(code[:1000]):
        if match.group(6) == ";":
            parts.append("")
        else:
            parts[-1] += match.group()
    return [_section(part) for part in parts]


def _section(code: str) -> _Section | None:
    """The part of a format taken apart; None for fractions, dates and conditions."""
    before: list[str] = []
    after: list[str] = []
    digits: list[str] = []
    for match in _TOKEN.finditer(code):
        quoted, escaped, space, bracket, placeholder, other = match.groups()
        text = quoted or escaped or (" " if space else "") or other or ""
        if bracket is not None:
            if bracket[:1] in "<>=":
                return None
            text = bracket[1:].partition("-")[0] if bracket[:1] == "$" else ""
        if placeholder:
            if after and any(item.strip() for item in after) and placeholder.strip("%"):
                return None  # digits on both sides of something: a telephone number, a fraction
            digits.append(placeholder)
        elif other and (other.isalpha() or other in "/?@"):
            return None
        elif text:
            (after if digits else before).append(text)
    figures = "".join(digits)
    percents = figures.count("%")
    suffix = "%" * percents + "".join(after)
    return _Section("".join(before), suffix, figures.replace("%", ""), percents)


def _digits(section: _Section, number: float) -> str:
    digits = section.digits
    number *= 100**section.percents
    if _EXPONENT.search(digits):
        mantissa, exponent = f"{number:.{_decimals(_EXPONENT.split(digits)[0].partition('.')[2])}E}".split("E")
        return f"{mantissa}E{int(exponent):+03d}"
    whole, _, fraction = digits.partition(".")
    stripped = whole.rstrip(",")
    # Commas behind all digits scale by a thousand each; those between digits group them.
    number /= 1000 ** (len(whole) - len(stripped) + fraction.count(","))
    shown = f"{number:{',' if ',' in stripped else ''}.{_decimals(fraction)}f}"
    return _padded(_without_optional(shown, fraction.replace(",", "")), min(stripped.count("0"), _MAX_DIGITS))


def _decimals(fraction: str) -> int:
    return min(_MAX_DECIMALS, sum(fraction.count(sign) for sign in "0#?"))


def _without_optional(shown: str, fraction: str) -> str:
    """Without the zeros at the end that the format only shows where they are something else."""
    optional = len(fraction) - len(fraction.rstrip("#?"))
    while optional and shown.endswith("0") and "." in shown:
        shown = shown[:-1]
        optional -= 1
    return shown.rstrip(".") if "." in shown else shown


def _padded(shown: str, least: int) -> str:
    whole, point, fraction = shown.partition(".")
    missing = least - sum(letter.isdigit() for letter in whole)
    return f"{'0' * max(0, missing)}{whole}{point}{fraction}"
