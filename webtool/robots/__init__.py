"""Parse robots.txt and match URLs against it. In: the file's text, a product token, a URL. Out: allowed or not.

A group is the rules for one or more product tokens. The longest matching rule decides, and allow wins a tie (RFC 9309
section 2.2.2). Beyond the RFC, a missing colon and common misspellings of "disallow" are accepted, as large search
engines do. Matching takes time linear in rule and path. Nothing is fetched here: webtool.robots.gate fetches and caches
the files, and webtool.pages decides when to ask.

Tests: tests/robots/test_rules.py
"""

from __future__ import annotations

from webtool import urls
from webtool.errors import InvalidUrl
from webtool.lean import patterns
from webtool.lean.patterns import Match
from webtool.lean.records import NamedTuple

MAX_BYTES = 512000  # section 2.5 demands at least 500 KiB; the rest of a longer file is ignored
_MAX_WORK = 100_000_000  # characters compared for one URL (some tenths of a second); longer paths are cut to fit
_MIN_PATH_LIMIT = 2048  # characters that are kept at the beginning of a longer path, and at its end
_MAX_SITEMAPS = 500  # Sitemap lines of one file that are kept
_MAX_VALUE = 16664  # characters; a longer value counts as empty (2,083 x 8, Google's limit for a line)

_LINE_ENDS = patterns.compile(r"\r\n|\r|\n")
_RECORD = patterns.compile(r"(?s)\s*([A-Za-z][A-Za-z-]*(?: agent)?)\s*(?::\s*|\s+)(.*)")
_TOKEN = patterns.compile(r"[A-Za-z_-]+")
_NUMBER = patterns.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_DISALLOW = frozenset(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"))
_USER_AGENT = frozenset(("user-agent", "useragent", "user agent"))

_ESCAPE = patterns.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# Characters that are neither unreserved nor reserved in RFC 3986. They are compared in percent-encoded form.
_ENCODED = patterns.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")


class Rule(NamedTuple):
    """One allow or disallow line. `/a*b$` has the pieces ("/a", "b") and is anchored."""

    pieces: tuple[str, ...]  # normalised texts between the wildcards
    is_anchored: bool  # it ends in $, so the path must end there
    allow: bool
    length: int  # of the normalised rule

    @property
    def rank(self) -> tuple[int, bool]:
        """The sort key by which the winning rule comes first: longest first, allow before disallow."""
        return -self.length, not self.allow

    def matches(self, path: str) -> bool:
        """Return whether the rule matches a normalised path. Each piece takes the first place that fits."""
        first, *rest = self.pieces
        if not path.startswith(first):
            return False
        if not rest:
            return not self.is_anchored or len(path) == len(first)
        position = len(first)
        last = rest.pop() if self.is_anchored else ""
        for piece in rest:
            start = path.find(piece, position)
            if start < 0:
                return False
            position = start + len(piece)
        return not self.is_anchored or (len(path) - len(last) >= position and path.endswith(last))


class Robots(NamedTuple):
    """The groups of one file by product token in lower case. "*" is for crawlers without a group of their own.

    A token may have several groups, and a group may have thousands of tokens, which share one tuple of rules. Each
    tuple is sorted by rank.
    """

    groups: dict[str, tuple[tuple[Rule, ...], ...]]
    delays: dict[str, float] = {}  # noqa: RUF012 -- Crawl-delay in seconds by product token; not in the RFC, but common
    signals: dict[str, str] = {}  # noqa: RUF012 -- Content-Signal by product token: "search=yes, ai-input=no"
    sitemaps: tuple[str, ...] = ()  # values of Sitemap lines, which belong to no group

    def delay(self, agent: str) -> float:
        """Return the Crawl-delay in seconds for the crawler with this product token, or 0."""
        return self.delays.get(self._group_of(agent), 0.0)

    def signal(self, agent: str) -> str:
        """Return the Content-Signal for the crawler with this product token, or ""."""
        return self.signals.get(self._group_of(agent), "")

    def _group_of(self, agent: str) -> str:
        return agent.lower() if agent.lower() in self.groups else "*"

    def allows(self, agent: str, url: str) -> bool:
        """Return whether the crawler with this product token may fetch the URL (section 2.2.2)."""
        groups = self.groups.get(self._group_of(agent), ())
        target = target_of(url)
        if target == "/robots.txt":
            return True
        path = normalise_path(target)
        # Cut the middle out of a very long path, so that a hostile file with many rules costs limited time. No rule has
        # a NUL, so none matches across the gap; a rule that ends in $ is compared with the real end.
        limit = max(_MIN_PATH_LIMIT, _MAX_WORK // (1 + sum(map(len, groups))))
        if len(path) > limit:
            path = f"{path[:limit]}\0{path[limit:][-_MIN_PATH_LIMIT:]}"
        best = [next((rule for rule in rules if rule.matches(path)), None) for rules in groups]
        winner = min((rule for rule in best if rule is not None), key=lambda rule: rule.rank, default=None)
        return winner is None or winner.allow


def target_of(url: str) -> str:
    """Return path and query of an absolute URL. Any other text is returned unchanged, so that paths work too."""
    try:
        return urls.parse(url).target or "/"
    except InvalidUrl:
        return url


ALLOW_ALL = Robots({})
DISALLOW_ALL = Robots({"*": ((Rule(("/",), False, False, 1),),)})


def of_response(status: int, body: bytes) -> Robots:
    """Return the rules that follow from the HTTP status (section 2.3.1): those of the file only for 2xx."""
    if 200 <= status < 300:
        return parse(body)
    return DISALLOW_ALL if status >= 500 else ALLOW_ALL


def parse(data: bytes | str) -> Robots:
    """Parse a file. Lines that are not understood are skipped, so any input gives a result."""
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    if len(data) > MAX_BYTES:  # drop the incomplete last line: a rule that was cut would match too much
        data = data[: max(data.rfind(b"\n", 0, MAX_BYTES), data.rfind(b"\r", 0, MAX_BYTES), 0)]
    text = data.decode("utf-8", "replace")
    rules_by_token: dict[str, list[list[Rule]]] = {}
    group: list[Rule] = []  # the rules of the current group
    all_groups: list[list[Rule]] = [group]
    # Records that count once for a token: record -> product token -> the first value that was stated for it.
    stated: dict[str, dict[str, str]] = {"crawl-delay": {}, "content-signal": {}}
    # Record -> tokens of the current group for which no value has been stated yet. Going through all tokens for each
    # record would take quadratic time.
    unstated: dict[str, list[str]] = {key: [] for key in stated}
    sitemaps: list[str] = []
    has_rules = False
    for line in _LINE_ENDS.split(text.removeprefix("\ufeff")):
        match = _RECORD.match(line.partition("#")[0])
        if match is None:
            continue
        key, value = match[1].lower(), match[2].strip()
        if len(value) > _MAX_VALUE:
            value = ""
        if key in _USER_AGENT:
            # A group starts with one or more User-agent lines. Other records between them are ignored (section 2.2.4).
            if has_rules:
                group, has_rules, unstated = [], False, {key: [] for key in stated}
                all_groups.append(group)
            token = _group_token(value)
            for tokens in unstated.values():
                tokens.append(token)
            groups = rules_by_token.setdefault(token, [])
            if not groups or groups[-1] is not group:
                groups.append(group)
        elif (key == "allow" or key in _DISALLOW) and rules_by_token:
            has_rules = True
            rule = rule_of(value, key == "allow")
            if rule is not None:
                group.append(rule)
        elif key == "sitemap" and value and len(sitemaps) < _MAX_SITEMAPS:
            sitemaps.append(value)
        elif key in stated:
            for token in unstated[key]:
                stated[key].setdefault(token, value)
            unstated[key] = []
    ordered = {id(rules): tuple(sorted(rules, key=lambda rule: rule.rank)) for rules in all_groups}
    by_token = {token: tuple(ordered[id(rules)] for rules in groups) for token, groups in rules_by_token.items()}
    delays = {token: _seconds(value) for token, value in stated["crawl-delay"].items()}
    return Robots(by_token, delays, stated["content-signal"], tuple(sitemaps))


def _seconds(value: str) -> float:
    match = _NUMBER.match(value)
    return float(match[0]) if match else 0.0


def _group_token(value: str) -> str:
    if value.startswith("*") and (len(value) == 1 or value[1].isspace()):
        return "*"
    match = _TOKEN.match(value)
    return match[0].lower() if match else "\0"  # a token that no crawler has: these rules apply to nobody


def rule_of(value: str, allow: bool) -> Rule | None:
    """Return the rule of an allow or disallow line, or None if its value matches no path."""
    if value[:1] not in ("/", "*"):  # an empty value has no effect; other beginnings match no path
        return None
    is_anchored = value.endswith("$")
    body = value[:-1] if is_anchored else value
    pieces = tuple(normalise_path(piece) for piece in body.split("*"))
    first, *others = pieces
    # Empty pieces in the middle (`**`) change nothing. An empty last one is kept: the rule ends in *.
    needed = (first, *filter(None, others[:-1]), *others[-1:])
    asterisks = len(others)
    return Rule(needed, is_anchored, allow, sum(map(len, pieces)) + asterisks + is_anchored)


def normalise_path(path: str) -> str:
    """Give equivalent paths one form (section 2.2.2): "/%7Ea b" -> "/~a%20b".

    Unreserved characters are decoded, others that need it are encoded. `*` and `$` are encoded too, because they are
    special in rules: there %2A and %24 mean the literal characters.
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
