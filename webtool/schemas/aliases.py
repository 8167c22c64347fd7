"""Arguments under other names than ours: those of the models' own tools, other spellings, and what nobody knows.

In: a schema's `parameters` and a request. Out: the request in the schema's names, and notes on what was not understood.
Models write what their own tools are called with (Claude's WebSearch and web_fetch, Gemini's google_web_search and
web_fetch, OpenAI's search, open, find and fetch, gpt-oss' browser), whatever a schema says.

    {"q": "tides", "topn": 5, "colour": "red"}  ->  {"query": "tides", "count": 5}, "unknown argument colour ..."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from webtool.errors import InvalidArgument, cut
from webtool.lean import patterns

# Our names, the first that the tool has counts; and what others call the same, folded (see _folded).
_GROUPS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("query",), "q search searchquery searchterm searchterms searchtext searchstring keyword keywords question input"),
    (("url",), "link uri href address webpage website pageurl sourceurl targeturl webpageurl id refid documentid"),
    (("items",), "urls links uris pages urllist"),
    (("hash",), "id key sha256 snapshot"),
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
# Members that say what kind of tool it is: lines are counted on pages only, results by searches only.
_ONLY_BESIDE = {"count": "query", "num": "query", "max_results": "query", "limit": "url", "offset": "url"}
_MOST_NAMED = 5  # unknown arguments that a note names
_LONGEST_NAME = 60
_URL = patterns.compile(r"(?i)https?://[^\s<>\"'`)\]]+")


def spelled(
    parameters: Mapping[str, object], request: Mapping[str, object], path: str = ""
) -> tuple[dict[str, object], list[str]]:
    """The request in the schema's names, and a note for each argument that nothing was done with."""
    properties: Mapping[str, Mapping[str, object]] = parameters["properties"]  # type: ignore[assignment]
    given = {name: value for name, value in request.items() if name in properties}
    notes: list[str] = []
    for name, value in request.items():
        if name in properties or value is None:
            continue
        target = _target(name, properties)
        if target and given.get(target) is None:
            given[target] = _converted(name, target, value, properties[target])
        else:
            notes += _unused(name, value, target, path, properties, given)
    for name, value in given.items():
        given[name], inner = _inside(properties[name], value, f"{path}{name}")
        notes += inner
    return given, notes


def refuse_unknown(parameters: Mapping[str, object], request: Mapping[str, object]) -> None:
    """For tools that delete: what is not understood might have been a limit. Raises InvalidArgument."""
    known: Mapping[str, object] = parameters["properties"]  # type: ignore[assignment]
    for name in request:
        if name not in known:
            hint = nearest(str(name), known) or f"Give some of: {', '.join(known)}."
            raise InvalidArgument(f"unknown argument {_shown(name)}; nothing was deleted", hint=hint)


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known word, or "" when none is near."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(word[:_LONGEST_NAME], names, n=1, cutoff=0.6)
    return f"Did you mean {near[0]}?" if near else ""


def _inside(schema: Mapping[str, object], value: object, path: str) -> tuple[object, list[str]]:
    """What is nested: a list of objects may be given as the strings that they are about."""
    if isinstance(value, dict) and "properties" in schema:
        return spelled(schema, value, f"{path}.")
    inner: Mapping[str, object] = schema.get("items") or {}  # type: ignore[assignment]
    if not isinstance(value, list) or "properties" not in inner:
        return value, []
    first = next(iter(inner.get("required", ())), "")  # type: ignore[call-overload]
    rows: list[object] = []
    notes: list[str] = []
    for index, row in enumerate(value):
        whole = {first: row} if isinstance(row, str) and first else row
        listed, more = _inside(inner, whole, f"{path}[{index}]")
        rows.append(listed)
        notes += more[: _MOST_NAMED - len(notes)]
    return rows, notes


def _folded(name: str) -> str:
    """What `maxResults`, `max-results` and `max_results` have in common."""
    return name.replace("_", "").replace("-", "").lower()


def _target(name: str, properties: Mapping[str, object]) -> str:
    """The tool's own name for an argument, "" where it has none."""
    folded = _folded(str(name)[:_LONGEST_NAME])
    for own in properties:
        if _folded(own) == folded:
            return own
    for ours, others in _GROUPS:
        if folded in others.split():
            for own in ours:
                if own in properties and _ONLY_BESIDE.get(own, own) in properties:
                    return own
    return ""


def _converted(name: str, target: str, value: object, schema: Mapping[str, object]) -> object:
    """The value as our member takes it, where the other name has another form; anything else as it is."""
    change = _CONVERSIONS.get(target)
    if change is not None:
        value = change(name, value)
    if schema.get("type") == "array" and isinstance(value, str):
        return [value]
    return value


def _freshness(_name: str, value: object) -> object:
    """A number of days, or the name of a span."""
    if isinstance(value, int) and not isinstance(value, bool):
        return next(code for days, code in ((1, "pd"), (7, "pw"), (31, "pm"), (value, "py")) if value <= days)
    return _SPANS.get(value.lower(), value) if isinstance(value, str) else value


_SPANS = {
    **dict.fromkeys(("d", "day", "24h", "today"), "pd"),
    **dict.fromkeys(("w", "week", "7d"), "pw"),
    **dict.fromkeys(("m", "month", "30d"), "pm"),
    **dict.fromkeys(("y", "year", "1y"), "py"),
    **dict.fromkeys(("all", "any", "none", "anytime"), ""),
}


def _country(_name: str, value: object) -> object:
    """Claude's user_location is an object with a country."""
    return value.get("country", value) if isinstance(value, dict) else value


def _refresh(name: str, value: object) -> object:
    """`use_cache: false` is a refresh."""
    return not value if _folded(name) == "usecache" and isinstance(value, bool) else value


_CONVERSIONS: dict[str, Callable[[str, object], object]] = {
    "freshness": _freshness,
    "country": _country,
    "force_refresh": _refresh,
}


def _unused(
    name: str, value: object, target: str, path: str, properties: Mapping[str, object], given: dict[str, object]
) -> list[str]:
    """The note on an argument that is not one of ours; the address in a prompt is taken from it."""
    if target:
        return [f"argument {path}{_shown(name)} was not used, as {target} is given"]
    if "url" in properties and isinstance(value, str) and not given.get("url"):
        found = _URL.search(value[:10000])  # Gemini's web_fetch has the address in its prompt
        if found:
            given["url"] = found[0].rstrip(".,;:!?")
            return [f"argument {path}{_shown(name)}: only the address in it was used"]
    hint = "query finds passages" if _folded(name) == "prompt" and "query" in properties else nearest(name, properties)
    return [f"unknown argument {path}{_shown(name)} was ignored. {hint}".rstrip(". ")]


def _shown(name: object) -> str:
    return cut(" ".join(str(name).split()), _LONGEST_NAME)
