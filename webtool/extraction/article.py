"""Find the main content of a page: try ATTEMPTS in order until one loses nothing.

In: HTML or a tree. Out: Extraction. The learned model comes first. If it keeps next to nothing of a page that has text,
classical scoring tries, and at last the whole visible text is given. If the page's JSON-LD or scripts hold a text that
the page itself lacks, that text is taken. strategy_used says which it was. After each attempt but the last, the rules
of rules/table.py correct the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from webtool import html, markdown, urls
from webtool.errors import InvalidArgument
from webtool.extraction import classic, walls
from webtool.extraction.metadata import fields, offers
from webtool.extraction.model import model_file, scoring
from webtool.extraction.output import kept, receipt
from webtool.extraction.output.receipt import Group
from webtool.extraction.page import cutting, embedded_text, head, sources
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import consent, products, structured_text, table
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element, elements
from webtool.lean import patterns
from webtool.lean.records import NamedTuple
from webtool.running.budget import Budget
from webtool.visibility.text_lengths import words_in

MIN_WORDS = 25  # kept words; fewer are a loss if MIN_TIMES_LOST as many are outside of links and consent boxes
MIN_TIMES_LOST = 10
MIN_VISIBLE_WORDS = 80  # of the page; with fewer, its data are searched for a text
_SCRIPTED = patterns.compile(r"(?i)\s*(?:javascript|data|vbscript|blob|about):")  # an address that leads to no page
_CUT_SHORT = ""  # in place of an attempt's name: the JSON-LD has an article far longer than what is kept


class Extraction(NamedTuple):
    """The main content of a page and what the page says about itself; "" if it says nothing."""

    title: str
    markdown: str
    text: str
    """Plain text. Headlines that the model did not choose, prices from JSON-LD, and the description of a page that
    shows menus and footers alone are in the markdown only."""
    links: tuple[dict[str, str], ...]
    """{text, href} of each link in the main content; href is absolute if the base URL is known."""
    strategy_used: str
    """readability, dom_smoothie, plain_text, or structured_data for a text from the page's data."""
    byline: str = ""
    published: str = ""
    language: str = ""
    site_name: str = ""
    excerpt: str = ""
    confidence: float | None = None
    """Expected word F1 of the choice, 0 to 1, calibrated by cross-validation; None if the model was not asked."""
    kept_ratio: float = 1.0
    """Share of the page's words that is kept, 0 to 1."""
    left_out: tuple[Group, ...] = ()
    """The blocks that are not kept, in groups; with_groups adds some of them back."""
    read_from: tuple[tuple[str, str], ...] = ()
    """(author or published, its source: json-ld, meta, element, time, address, text, update or first post)."""
    hidden_words: int = 0
    """Words that the page hides from its readers; they are the last of the groups."""
    doubtful_words: int = 0
    """Words that the page may hide: its styles do not decide it, so the words count as visible."""
    no_content: str = ""
    """Why the page holds no content, "it is an error page" for example; "" if it holds some."""

    def to_dict(self) -> dict[str, object]:
        """Return the fields as str, int, float, bool, None, list and dict alone, for json, Arrow and pandas."""
        groups = [
            {"n": group.n, "kind": group.kind, "words": group.words, "begins": group.begins} for group in self.left_out
        ]
        links = [dict(link) for link in self.links]
        return {**self._asdict(), "links": links, "left_out": groups, "read_from": dict(self.read_from)}


class Extracted(NamedTuple):
    """An extraction with the cut page that it comes from."""

    extraction: Extraction
    page: Page
    kept: list[bool]
    """One flag a block."""
    hidden: set[Element]
    """The elements that the page hides and that were not cut."""


class Written(NamedTuple):
    """Kept blocks as markdown, as text, and their links."""

    markdown: str
    text: str
    links: tuple[dict[str, str], ...]


class _Work(NamedTuple):
    """A page, and the limits of classical scoring, for the attempts."""

    page: Page
    head: Head
    hidden: set[Element]
    doubtful: list[Element]
    """The elements that may be hidden and are in the page all the same."""
    address: str
    char_threshold: int
    max_top_candidates: int
    chances: list[float]
    """The model's probability of each block; empty until the model was asked."""


def _by_model(work: _Work) -> list[bool]:
    """Choose by the learned model. On the page of one product, parts about other products have no chance."""
    work.chances[:] = scoring.probabilities(work.page, work.head, model_file.load())
    for first, last in products.others(work.page, work.head, work.address, work.chances):
        work.chances[first:last] = [0.0] * (last - first)
    return scoring.choose(work.page, work.chances)


ATTEMPTS: tuple[tuple[str, Callable[[_Work], list[bool]]], ...] = (
    ("readability", _by_model),
    ("dom_smoothie", lambda work: classic.choose(work.page, work.char_threshold, work.max_top_candidates)),
    ("plain_text", lambda work: [True] * len(work.page.blocks)),
)
_NAMES = tuple(name for name, _ in ATTEMPTS)


def check_strategy(strategy: str) -> None:
    """Raise InvalidArgument for an unknown strategy."""
    if strategy not in _NAMES:
        raise InvalidArgument(f"strategy is {strategy!r}", hint=f"Use one of: {', '.join(_NAMES)}.")


def extract(
    source: str | bytes | Element,
    base_url: str | None = None,
    strategy: str = "readability",
    with_groups: Sequence[int] = (),
    *,
    char_threshold: int = classic.CHAR_THRESHOLD,
    max_top_candidates: int = classic.MAX_TOP_CANDIDATES,
    budget: Budget | None = None,
    report: table.Report | None = None,
) -> Extraction:
    """Extract the main content of a page.

    - source: HTML, or a parsed document, which stays as it is.
    - base_url: the address that the page came from.
    - strategy: the first of ATTEMPTS to try.
    - with_groups: numbers of Extraction.left_out whose blocks are kept as well.
    - char_threshold, max_top_candidates: limits of classical scoring, see classic.choose().
    - budget: bounds the markdown.
    - report: called with each Change that a rule makes.

    Raises InvalidArgument for an unknown strategy or group.
    """
    with html.Reading() as trees:
        root = trees.keep(html.parse_page(source, scripting=True)) if isinstance(source, (str, bytes)) else source
        thresholds = {"char_threshold": char_threshold, "max_top_candidates": max_top_candidates}
        return read(
            root, base_url, strategy, with_groups, trees=trees, budget=budget, report=report, **thresholds
        ).extraction


def trace(source: str | bytes | Element, base_url: str | None = None) -> list[table.Change]:
    """Return what the model and then each rule did to the page: (rule, change, words, text), in order.

    The first entry is the attempt: ("readability", "chose", 1230, "34 of 80 blocks"). Then come rules, such as
    ("drop_service_lines", "dropped", 3, "Share this story"). A block that no rule names was decided by the attempt.
    """
    changes: list[table.Change] = []
    extract(source, base_url, report=changes.append)
    return changes


def read(
    root: Element,
    base_url: str | None = None,
    strategy: str = "readability",
    with_groups: Sequence[int] = (),
    *,
    trees: html.Reading,
    budget: Budget | None = None,
    char_threshold: int = classic.CHAR_THRESHOLD,
    max_top_candidates: int = classic.MAX_TOP_CANDIDATES,
    report: table.Report | None = None,
) -> Extracted:
    """Extract like extract(), and return the cut page too. `trees` frees the trees that are made on the way."""
    check_strategy(strategy)
    page, hidden, doubtful = sources.read(root)
    address = base_url or ""
    work = _Work(page, head.read(root), hidden, doubtful, address, char_threshold, max_top_candidates, [])
    used, keep = _attempt(work, strategy, report)
    is_poor = used != strategy or page.words[-1] < MIN_VISIBLE_WORDS  # a later attempt, or _CUT_SHORT
    if is_poor and strategy != "plain_text":
        embedded = embedded_text.tree(work.head)
        if embedded is not None:
            work = work._replace(page=cutting.cut(embedded), hidden=set(), doubtful=[], chances=[])
            used, keep = "structured_data", [True] * len(work.page.blocks)
    left_out = receipt.groups(work.page, keep, work.hidden)
    shown_page, shown, still_hidden = receipt.with_groups(work.page, keep, work.hidden, left_out, with_groups)
    base = _absolute(work.head.base, address) if work.head.base else address
    extraction = _extraction(work, address, written(shown_page, shown, still_hidden, base, trees, budget))
    no_content = "" if used == "structured_data" else walls.reason(page, work.head, keep)
    is_wall = bool(no_content) and used == "readability"
    hidden_words = sum([group.words for group in left_out if group.kind == receipt.HIDDEN])
    return Extracted(
        extraction._replace(
            strategy_used=used,
            confidence=walls.CONFIDENCE if is_wall else _confidence(work, keep),
            kept_ratio=kept_ratio(shown_page, shown),
            left_out=left_out,
            hidden_words=hidden_words if still_hidden else 0,
            no_content=no_content,
        ),
        work.page,
        keep,
        work.hidden,
    )


def _confidence(work: _Work, keep: list[bool]) -> float | None:
    """Return Extraction.confidence of a choice."""
    if not work.chances:
        return None
    kind = scoring.kind_of(work.head, work.address)
    return scoring.confidence(work.page, work.chances, keep, kind, model_file.load().calibration)


def _attempt(work: _Work, strategy: str, report: table.Report | None) -> tuple[str, list[bool]]:
    """Return the name of the first attempt from `strategy` on that loses nothing, and which blocks it keeps.

    The name is _CUT_SHORT if the JSON-LD holds the text instead.
    """
    page = work.page
    keep: list[bool] = []
    name = strategy
    for name, choose in ATTEMPTS[_NAMES.index(strategy) :]:
        keep = choose(work)
        if report:
            blocks = f"{sum(keep)} of {len(keep)} blocks"
            report(table.Change(name, "chose", page.words_of(keep)[-1], blocks))
        if name != "plain_text":
            choice = Choice(page, work.head, work.address, keep, work.chances)
            table.run(choice, report)
            if walls.keeps_furniture_alone(page, keep):
                return name, [False] * len(keep)
            if not choice.is_forum and embedded_text.is_cut_short(page, keep, work.head):
                return _CUT_SHORT, keep
        elif name != strategy:  # the last resort
            for first, last in consent.find(page, work.head):
                keep[first:last] = [False] * (last - first)
        if not _is_lost(work, keep):
            break
    return name, keep


def _is_lost(work: _Work, keep: list[bool]) -> bool:
    """Return whether next to nothing is kept of a page that has text outside of links and consent boxes."""
    page = work.page
    words = page.words_of(keep)[-1]
    if not words:
        return bool(page.blocks)
    if words >= MIN_WORDS:
        return False
    in_consent_boxes = sum([page.words[last] - page.words[first] for first, last in consent.find(page, work.head)])
    return page.words[-1] - page.links[-1] - in_consent_boxes >= MIN_TIMES_LOST * words


def _extraction(work: _Work, address: str, content: Written) -> Extraction:
    """Return the content with metadata, and with what only the page's data say: prices, the times of a recipe.

    A description is put before a text of fewer than MIN_WORDS words if it is twice as long.
    """
    facts = fields.read(work.head, work.page, address)
    words = content.text.count(" ") + 1 if content.text else 0
    if words < MIN_WORDS:
        description = embedded_text.description(work.head) or ("" if words else facts.excerpt)
        if description.count(" ") > 2 * words:
            content = content._replace(markdown=f"{description}\n\n{content.markdown}".rstrip())
            if words or not work.page.blocks:  # the plain text of a page that shows menus alone stays empty
                content = content._replace(text=f"{description}\n\n{content.text}".rstrip())
    lines = [
        *structured_text.lines(work.head, content.text),
        *offers.lines(work.head, work.page, content.text, address),
    ]
    if lines:  # not on the visible page, so they stay out of the text
        block = "\n".join(lines)
        content = content._replace(markdown=f"{content.markdown.rstrip()}\n\n{block}\n")
    return Extraction(
        title=facts.title,
        markdown=content.markdown,
        text=content.text,
        links=content.links,
        strategy_used="",
        byline=facts.byline,
        published=facts.published,
        language=facts.language,
        site_name=facts.site_name,
        excerpt=facts.excerpt,
        read_from=facts.read_from,
        doubtful_words=words_in(work.doubtful),
    )


def written(
    page: Page,
    keep: list[bool],
    hidden: Collection[Element],
    base: str,
    trees: html.Reading,
    budget: Budget | None = None,
) -> Written:
    """Write the kept blocks as markdown and text, and list their links."""
    tree = trees.keep(kept.tree(page, keep, hidden))
    content = markdown.to_markdown(tree, base or None, keep_nav=True, hidden=(), budget=budget)
    return Written(content, kept.text(page, keep), tuple(_links(tree, base)))


def kept_ratio(page: Page, keep: list[bool]) -> float:
    """Return the share of the page's words that is kept, 0 to 1."""
    words = page.words[-1]
    return round(page.words_of(keep)[-1] / words, 3) if words else 1.0


def _links(root: Element, base_url: str) -> list[dict[str, str]]:
    """Return the links of a tree as {text, href}, absolute, each pair once.

    Fragments of the page, scripts and links without a text are left out.
    """
    by_key: dict[tuple[str, str], dict[str, str]] = {}
    for element in elements(root):
        href = element.attrs.get("href") if element.tag == "a" else None
        if not href or _SCRIPTED.match(href) or href.lstrip().startswith("#"):
            continue
        children = element.children
        has_one_text = len(children) == 1 and children[0].tag is None  # as most links do
        label = " ".join((children[0].text if has_one_text else element.text).split())
        address = _absolute(href, base_url)
        if label and address:
            by_key.setdefault((label, address), {"text": label, "href": address})
    return list(by_key.values())


def _absolute(href: str, base_url: str) -> str:
    """Return the absolute URL of a reference; the reference itself without a base, "" if it is not a URL."""
    return urls.join_or_empty(base_url, href) if base_url else href.strip()
