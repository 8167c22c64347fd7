"""Rename arguments that have other names than the schema's, and note those that are unknown.

In: a schema's `parameters` and a request. Out: the request in the schema's names, and notes on arguments not used.
Whatever a schema says, models use the names of their own tools (Claude's WebSearch and web_fetch, Gemini's
google_web_search and web_fetch, OpenAI's search, open, find and fetch, gpt-oss' browser).

    {"q": "tides", "topn": 5, "colour": "red"}  ->  {"query": "tides", "count": 5}, "unknown argument colour ..."
Tests: tests/schemas/test_aliases.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from webtool.errors import InvalidArgument, cut
from webtool.lean import patterns
from webtool.schemas.arguments import from_text

# Names in our schemas, and the other names that models use for them, as _folded() writes them. If a tool has several of
# our names, the first one is meant, also of several rows: "id" means `url`, and `hash` in a tool without `url`.
_GROUPS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("query",), "q search searchquery searchterm searchterms searchtext searchstring keyword keywords question input"),
    (("url",), "link uri href address webpage website pageurl sourceurl targeturl webpageurl id refid documentid"),
    (("items",), "urls links uris pages urllist url"),
    (("base_url",), "url uri link address pageurl sourceurl"),
    (("hash",), "id key sha256 snapshot uri"),
    (("count", "num", "max_results"),
     "n count num limit size k topn topk maxresults numresults numberofresults resultcount maxcount pagesize"),
    (("limit",), "lines numlines maxlines linecount"),
    (("offset",), "line lineno linenumber startline fromline firstline loc"),
    (("allowed_domains", "domain_allowlist"),
     "alloweddomains domainallowlist includedomains includeddomains domains domain site sites domainfilter"),
    (("blocked_domains",), "excludedomains excludeddomains denydomains blockdomains domainblocklist domaindenylist"),
    (("freshness",), "timerange recency daterange period timeperiod"),
    (("search_lang",), "language lang searchlanguage locale"),
    (("country",), "userlocation region countrycode gl"),
    (("max_tokens",), "maxcontenttokens tokenlimit maxoutputtokens tokens"),
    (("find",), "pattern findtext regex"),
    (("section",), "heading"),
    (("force_refresh",), "refresh nocache forcefetch usecache"),
    (("html",), "content text source body page document"),
)  # fmt: skip
# Our name: another argument that the tool must have, else other names do not mean ours. "n" is `count` only in a tool
# with `query`, as only searches have a number of results; "line" is `offset` only in a tool with `url`.
_NEEDS = {"count": "query", "num": "query", "max_results": "query", "limit": "url", "offset": "url"}
# Arguments whose text may hold the address to open: Gemini's web_fetch has it in its prompt.
_PROSE = frozenset(
    "prompt userprompt text message request task instruction instructions goal description content".split()
)
_MAX_NOTES = 20  # on the arguments of a request; looking for a similar name takes long
_MAX_ROW_NOTES = 5  # on the arguments of all rows of a list
_MAX_NAME = 60  # characters of an argument's name; the rest is ignored
_MAX_PROMPT = 10000  # characters of a text in which an address is looked for
_URL = patterns.compile(r"(?i)https?://[^\s<>\"`]+")
# A sign that ends an address in prose: the sign which, earlier in the address, makes it a part of the address, as in
# .../Mercury_(planet). The apostrophe has none, so it always ends the address.
_ENDS = {")": "(", "]": "[", "'": ""}


def rename_arguments(
    parameters: Mapping[str, object], request: Mapping[str, object], path: str = "", max_notes: int = _MAX_NOTES
) -> tuple[dict[str, object], list[str]]:
    """Return the request in the schema's names, and notes on the first `max_notes` arguments that were not used.

    `path` comes before names in notes: "items[2]." for an argument inside a list.
    """
    properties: Mapping[str, Mapping[str, object]] = parameters["properties"]  # type: ignore[assignment]
    arguments = {
        name: _converted(name, name, value, properties[name]) for name, value in request.items() if name in properties
    }
    notes: list[str] = []
    unused: list[tuple[str, str]] = []  # name, and the schema's name for it or ""
    for name, value in request.items():
        if name in properties or value is None:
            continue
        own_name = _own_name(name, properties)
        if own_name and arguments.get(own_name) is None:
            arguments[own_name] = _converted(name, own_name, value, properties[own_name])
        else:
            unused.append((name, own_name))
    for name, own_name in unused:  # after all others: only now it is known whether `url` is given by any name
        needs_url = not own_name and "url" in properties and not arguments.get("url")
        address = _address_in(name, request[name]) if needs_url else ""
        if address:
            arguments["url"] = address
            notes.append(f"argument {path}{_shown(name)}: only the address in it was used")
        elif len(notes) < max_notes:
            notes.append(_unused(name, own_name, path, properties))
    for name, value in arguments.items():
        arguments[name], nested_notes = _nested(
            properties[name], value, f"{path}{name}", min(max_notes, _MAX_ROW_NOTES)
        )
        notes += nested_notes
    return arguments, notes[:max_notes]


def refuse_unknown(parameters: Mapping[str, object], request: Mapping[str, object]) -> None:
    """Raise InvalidArgument for an unknown argument of a tool that deletes: it might have been a limit."""
    known: Mapping[str, object] = parameters["properties"]  # type: ignore[assignment]
    for name in request:
        if name not in known:
            hint = nearest(str(name), known) or f"Give some of: {', '.join(known)}."
            raise InvalidArgument(f"unknown argument {_shown(name)}; nothing was deleted", hint=hint)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a sentence that names the most similar known word, or "" if none is similar."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(word[:_MAX_NAME], names, n=1, cutoff=0.6)
    return f"Did you mean {near[0]}?" if near else ""


def _nested(schema: Mapping[str, object], value: object, path: str, max_notes: int) -> tuple[object, list[str]]:
    """Return a value with the arguments inside it renamed. A string in a list of objects becomes an object.

    items: ["https://a.example/"] -> [{"url": "https://a.example/"}]
    """
    if isinstance(value, dict) and "properties" in schema:
        return rename_arguments(schema, value, f"{path}.", max_notes)
    row_schema: Mapping[str, object] = schema.get("items") or {}  # type: ignore[assignment]
    if not isinstance(value, list) or "properties" not in row_schema:
        return value, []
    main_name = next(iter(row_schema.get("required", ())), "")  # type: ignore[call-overload]
    rows: list[object] = []
    notes: list[str] = []
    for index, row_or_text in enumerate(value):
        row = from_text(row_schema, row_or_text)
        row_object = {main_name: row} if isinstance(row, str) and main_name else row
        renamed, row_notes = _nested(row_schema, row_object, f"{path}[{index}]", max_notes - len(notes))
        rows.append(renamed)
        notes += row_notes
    return rows, notes


def _folded(name: str) -> str:
    """Return a name without case and separators: maxResults, max-results and max_results -> maxresults."""
    return name.replace("_", "").replace("-", "").lower()


def _own_name(name: str, properties: Mapping[str, object]) -> str:
    """Return the schema's name for an argument, or "" if the tool has no such argument."""
    folded = _folded(str(name)[:_MAX_NAME])
    for own_name in properties:
        if _folded(own_name) == folded:
            return own_name
    for own_names, other_names in _GROUPS:
        if folded in other_names.split():
            for own_name in own_names:
                needed = _NEEDS.get(own_name, own_name)
                if own_name in properties and needed in properties:
                    return own_name
    return ""


def _converted(name: str, own_name: str, value: object, schema: Mapping[str, object]) -> object:
    """Return the value in the schema's form. Text that was given under our own name has it already."""
    value = from_text(schema, value)
    convert = _CONVERSIONS.get(own_name)
    return value if convert is None or (name == own_name and isinstance(value, str)) else convert(name, value)


def _freshness(_name: str, value: object) -> object:
    """Convert a number of days: 7 -> pw. Words such as "week" stay: providers.queries reads them."""
    value = from_text({"type": "integer"}, value)
    if isinstance(value, int) and not isinstance(value, bool):
        for days, code in ((1, "pd"), (7, "pw"), (31, "pm")):
            if value <= days:
                return code
        return "py"
    return value


def _country(_name: str, value: object) -> object:
    """Take the country out of an object such as Claude's user_location."""
    value = from_text({"type": "object"}, value)
    return value.get("country", value) if isinstance(value, dict) else value


def _refresh(name: str, value: object) -> object:
    """Convert use_cache into its opposite, force_refresh."""
    return not value if _folded(name) == "usecache" and isinstance(value, bool) else value


_CONVERSIONS: dict[str, Callable[[str, object], object]] = {
    "freshness": _freshness,
    "country": _country,
    "force_refresh": _refresh,
}


def _address_in(name: str, value: object) -> str:
    """Return the first address in an argument that has prose, such as `prompt`, or ""."""
    if _folded(name) not in _PROSE or not isinstance(value, str):
        return ""
    address = _URL.search(value[:_MAX_PROMPT])
    return _without_end(address[0]) if address else ""


def _unused(name: str, own_name: str, path: str, properties: Mapping[str, object]) -> str:
    """Return the note on an argument that was not used. Looking for a similar name takes long."""
    if own_name:
        return f"argument {path}{_shown(name)} was not used, as {own_name} is given"
    hint = "query finds passages" if _folded(name) == "prompt" and "query" in properties else nearest(name, properties)
    return f"unknown argument {path}{_shown(name)} was ignored. {hint}".rstrip(". ")


def _without_end(address: str) -> str:
    """Return an address in prose without what follows it: "(see https://a.example/x)." -> "https://a.example/x"."""
    depths = dict.fromkeys(_ENDS.values(), 0)  # opening sign: how many are open
    end = len(address)
    for i, sign in enumerate(address):
        if sign in depths:
            depths[sign] += 1
        elif sign in _ENDS and depths[_ENDS[sign]]:
            depths[_ENDS[sign]] -= 1
        elif sign in _ENDS:
            end = i
            break
    return address[:end].rstrip(".,;:!?")


def _shown(name: object) -> str:
    """Return a name on one line, cut to _MAX_NAME characters."""
    return cut(" ".join(str(name).split()), _MAX_NAME)
