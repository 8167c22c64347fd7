"""robots.txt: which paths may this crawler fetch? In: the file's bytes or text, a product token, a URL. Out: yes or no.

Spec: RFC 9309. Nothing is fetched here; see webtool.robots.gate. Beyond the RFC, as the large search engines do: a
missing colon and the common misspellings of "disallow" are understood. Matching takes time linear in rule and path.
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

MAX_BYTES = 512000  # section 2.5: at least 500 KiB are to be parsed; the rest is ignored
_MAX_WORK = 100_000_000  # characters of a path that all rules of a token together look at, some tenths of a second
_MIN_PATH_LIMIT = 2048  # characters of a path that always count
_NO_RULE = (0, False)
_MAX_LINE = 16664  # characters; longer lines are cut, as no rule is that long (2,083 x 8, the limit Google uses)

_LINE_ENDS = patterns.compile(r"\r\n|\r|\n")
_RECORD = patterns.compile(r"(?s)\s*([A-Za-z][A-Za-z-]*(?: agent)?)\s*(?::\s*|\s+)(.*)")
_TOKEN = patterns.compile(r"[A-Za-z_-]+")
_NUMBER = patterns.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_DISALLOW = frozenset(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"))
_USER_AGENT = frozenset(("user-agent", "useragent", "user agent"))

_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Neither unreserved nor reserved in RFC 3986: compared in their encoded form.
_ENCODED = patterns.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")


class Rule(NamedTuple):
    """One allow or disallow line: its pieces between wildcards, normalised."""

    pieces: tuple[str, ...]
    is_anchored: bool
    """Whether it ends in $: the path must end there."""
    allow: bool
    length: int
    """Octets of the rule as written and normalised; the longest matching rule wins."""

    @property
    def rank(self) -> tuple[int, bool]:
        """Length, whether it forbids. The smaller, the stronger: the longest match wins, and allow wins a tie."""
        return -self.length, not self.allow

    def matches(self, path: str) -> bool:
        """Whether the rule matches a normalised path; wildcards are matched greedily from the left, never twice."""
        first, *rest = self.pieces
        if not path.startswith(first):
            return False
        if not rest:
            return not self.is_anchored or len(path) == len(first)
        position = len(first)
        last = rest.pop() if self.is_anchored else ""
        for piece in rest:
            found = path.find(piece, position)
            if found < 0:
                return False
            position = found + len(piece)
        return not self.is_anchored or (len(path) - len(last) >= position and path.endswith(last))


class Robots(NamedTuple):
    """The groups of one file, by product token in lower case; "*" is for everybody without a group of their own.

    Groups share their rules, as one may be for thousands of tokens. The rules of each stand in the order of their rank.
    """

    groups: dict[str, tuple[tuple[Rule, ...], ...]]
    delays: dict[str, float] = {}  # noqa: RUF012
    """Crawl-delay in seconds by product token: not in the RFC, and what many sites say all the same."""

    def delay(self, agent: str) -> float:
        """Seconds that the site asks a crawler of that product token to wait between two pages."""
        agent = agent.lower()
        return self.delays.get(agent, 0.0) if agent in self.groups else self.delays.get("*", 0.0)

    def allows(self, agent: str, url: str) -> bool:
        """Whether a crawler of that product token may fetch the URL (section 2.2.2)."""
        groups = self.groups.get(agent.lower())
        if groups is None:
            groups = self.groups.get("*", ())
        target = target_of(url)
        if target == "/robots.txt":
            return True
        path = normalise_path(target)
        # What a rule says about the end of a path that is longer than this is not worth the time of all rules.
        path = path[: max(_MIN_PATH_LIMIT, _MAX_WORK // (1 + sum(map(len, groups))))]
        best = [next((rule for rule in rules if rule.matches(path)), None) for rules in groups]
        return not min((rule.rank for rule in best if rule is not None), default=_NO_RULE)[1]


def target_of(url: str) -> str:
    """Path and query of an absolute URL; anything else is taken as it is (a rule matches it if it begins with /)."""
    try:
        return urls.parse(url).target or "/"
    except InvalidUrl:
        return url


ALLOW_ALL = Robots({})
DISALLOW_ALL = Robots({"*": ((Rule(("/",), False, False, 1),),)})


def for_status(status: int) -> Robots | None:
    """What a status alone says (section 2.3.1): None for 2xx, where the file is to be read."""
    if 200 <= status < 300:
        return None
    return DISALLOW_ALL if status >= 500 else ALLOW_ALL


def parse(data: bytes | str) -> Robots:
    """The rules of a file; whatever is not a rule is skipped, so that any input gives a result."""
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    if len(data) > MAX_BYTES:  # without its last line: a rule that is cut short would match more than it should
        data = data[: max(data.rfind(b"\n", 0, MAX_BYTES), data.rfind(b"\r", 0, MAX_BYTES), 0)]
    text = data.decode("utf-8", "replace")
    found: dict[str, list[list[Rule]]] = {}
    group: list[Rule] = []  # those of the tokens named last
    every: list[list[Rule]] = [group]
    delays: dict[str, float] = {}
    tokens: list[str] = []  # those named last
    has_rules = False
    for line in _LINE_ENDS.split(text.removeprefix("\ufeff")):
        match = _RECORD.match(line[:_MAX_LINE].partition("#")[0])
        if match is None:
            continue
        key, value = match[1].lower(), match[2].strip()
        if key in _USER_AGENT:
            # A group begins with one or more such lines; other records in between do not count (section 2.2.4).
            if has_rules:
                group, has_rules, tokens = [], False, []
                every.append(group)
            tokens.append(_group_token(value))
            groups = found.setdefault(tokens[-1], [])
            if not groups or groups[-1] is not group:
                groups.append(group)
        elif (key == "allow" or key in _DISALLOW) and found:
            has_rules = True
            rule = _rule(value, key == "allow")
            if rule is not None:
                group.append(rule)
        elif key == "crawl-delay":
            delays.update((token, _seconds(value)) for token in tokens if token not in delays)
    ordered = {id(rules): tuple(sorted(rules, key=lambda rule: rule.rank)) for rules in every}
    return Robots({token: tuple(ordered[id(rules)] for rules in groups) for token, groups in found.items()}, delays)


def _seconds(value: str) -> float:
    match = _NUMBER.match(value)
    return float(match[0]) if match else 0.0


def _group_token(value: str) -> str:
    if value.startswith("*") and (len(value) == 1 or value[1].isspace()):
        return "*"
    match = _TOKEN.match(value)
    return match[0].lower() if match else "\0"  # no crawler's name


def _rule(value: str, allow: bool) -> Rule | None:
    if value[:1] not in ("/", "*"):  # an empty value says nothing; another beginning matches no path
        return None
    is_anchored = value.endswith("$")
    body = value[:-1] if is_anchored else value
    pieces = tuple(normalise_path(piece) for piece in body.split("*"))
    kept = (pieces[0], *(piece for piece in pieces[1:-1] if piece), *pieces[1:][-1:])
    return Rule(kept, is_anchored, allow, sum(map(len, pieces)) + len(pieces) - 1 + is_anchored)


def normalise_path(path: str) -> str:
    """One form for paths that mean the same: unreserved characters plain, all others that may be encoded are.

    Section 2.2.2. Characters that are special in rules are encoded too, so that %2A and %24 mean them literally.
    """
    if "%" in path:
        path = _ESCAPE.sub(_canonical_escape, path)
    if _ENCODED.search(path):
        path = _ENCODED.sub(
            lambda match: "".join([f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace")]), path
        )
    return path.replace("*", "%2A").replace("$", "%24") if "*" in path or "$" in path else path


def _canonical_escape(match: Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()
