"""Read JSON-LD as pages really write it. In: the texts of script elements. Out: the objects in them, flat, in order.

Pages put comments, CDATA marks, raw line breaks and trailing commas into it, nest it without end, or cut it off. A
script that cannot be read is left out; nothing here raises. Spec: JSON-LD 1.1 in HTML, schema.org for the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from webtool.lean import jsontext, patterns

MAX_OBJECTS = 3000  # of a page; later ones are left out
MAX_NAMES = 10  # of persons in a list; later ones are left out
# What pages write around JSON, in any order: `<!--//--><![CDATA[//><!--` is how Drupal 7 begins a script.
_MARKS_BEFORE = (*" \t\r\n\f\xa0\ufeff", "<!--", "-->", "<![CDATA[", "//", "/*", "*/", ">")
_MARKS_AFTER = (*" \t\r\n\f\xa0\ufeff;", "-->", "]]>", "<!", "//", "/*", "*/")
_TRAILING_COMMA = patterns.compile(r",\s*(?=[}\]])")


def objects(texts: list[str]) -> list[dict[str, object]]:
    """Return every JSON object in the texts, outer before inner."""
    values = (value for text in texts for value in walk(load(text)))
    return list(islice((value for value in values if isinstance(value, dict)), MAX_OBJECTS))


def load(text: str) -> object:
    """Return the value of one script, repaired if need be; None if it is not JSON."""
    for prepare in (str, _repaired):
        try:
            return jsontext.loads(prepare(text), is_lenient=True)
        except (ValueError, RecursionError):
            continue
    return None


def _repaired(text: str) -> str:
    """Remove comment and CDATA marks around a script and commas before a closing bracket: `<!-- {"a": 1,} -->`."""
    start, end = 0, len(text)
    while mark := next((mark for mark in _MARKS_BEFORE if text.startswith(mark, start)), ""):
        start += len(mark)
    while mark := next((mark for mark in _MARKS_AFTER if text.endswith(mark, start, end)), ""):
        end -= len(mark)
    text = text[start:end]
    if '"' not in text:  # written as if it were HTML
        text = text.replace("&quot;", '"').replace("&#34;", '"').replace("&amp;", "&")
    return _TRAILING_COMMA.sub("", text)


def walk(value: object) -> Iterator[object]:
    """Yield a value and all values inside it in order, outer before inner, without recursion."""
    stack = [value]
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, dict):
            stack.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def types(value: dict[str, object]) -> set[str]:
    """Return an object's schema.org types, lower-cased, without prefix: {"newsarticle"} for schema.org/NewsArticle."""
    kinds = value.get("@type")
    names = kinds if isinstance(kinds, list) else [kinds]
    return {name.rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for name in names if isinstance(name, str)}


def scalar(value: object) -> object:
    """Return the first of a list, and what a value object holds: "a" for ["a", "b"] and {"@value": "a"}."""
    if isinstance(value, list):
        value = value[0] if value else None
    return value.get("@value") if isinstance(value, dict) else value


def name_of(value: object) -> str:
    """Return the name in a string, in an object, or in a list of these (joined by commas), else "".

    An object has a "name", a given and a family name, or is a value object: {"@value": "Ann Lee"}.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        if name := value.get("name", value.get("@value")):
            return ", ".join(_texts(name))
        return " ".join(_texts(value.get("givenName")) + _texts(value.get("familyName")))
    if isinstance(value, list):
        names = [name_of(entry) for entry in value[:MAX_NAMES] if not isinstance(entry, list)]
        return ", ".join(dict.fromkeys(name for name in names if name))
    return ""


def _texts(value: object) -> list[str]:
    """Return the texts of a value or of a list of values."""
    values = value[:MAX_NAMES] if isinstance(value, list) else [value]
    return [text.strip() for text in map(scalar, values) if isinstance(text, str)]
