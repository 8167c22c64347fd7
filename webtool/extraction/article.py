"""The main content of a page: ATTEMPTS in order, the first that loses nothing wins. In: a tree. Out: Extraction.

The learned model comes first. When what it keeps looks wrong (next to nothing, although the page has text), the
classical scoring is asked, and at last the whole visible text is given, unless the page holds a text as data, for its
scripts to show; strategy_used says which it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from webtool import html, markdown
from webtool.errors import InvalidArgument
from webtool.extraction import classic
from webtool.extraction.metadata import fields, offers
from webtool.extraction.model import model_file, scoring
from webtool.extraction.output import kept_text, kept_tree, receipt
from webtool.extraction.output.receipt import Group
from webtool.extraction.page import blocks, embedded_text, head, sources
from webtool.extraction.page.blocks import Page
from webtool.extraction.page.head import Head
from webtool.extraction.rules import products, structured_text, table
from webtool.extraction.rules.choice import Choice
from webtool.html.node import Element
from webtool.lean.records import NamedTuple
from webtool.running.budget import Budget
from webtool.visibility.hidden import words_in

LEAST_WORDS = 25
"""Fewer kept words than that are a loss when the page has ten times as many outside of links; none at all always is."""
FEW_WORDS = 80
"""A page with fewer visible words is asked for text that it holds as data."""


class Extraction(NamedTuple):
    """The main content of a page and what the page says about itself; "" where it says nothing."""

    title: str
    markdown: str
    text: str
    """The same without marks, prices that only data have, and a headline that the model did not choose."""
    links: tuple[dict[str, str], ...]
    """{text, href} of each link in the main content, href absolute where the base is known."""
    strategy_used: str
    """readability, dom_smoothie or plain_text; another than asked for when that one lost the content, and
    structured_data when it did, or the page has next to no text, and the page holds one as data."""
    byline: str = ""
    published: str = ""
    language: str = ""
    site_name: str = ""
    excerpt: str = ""
    confidence: float | None = None
    """The word F1 that the choice is expected to have, 0 to 1, as cross-validation found it for choices like this; None
    where the learned model was not asked."""
    kept_ratio: float = 1.0
    """The share of the page's words that is kept."""
    left_out: tuple[Group, ...] = ()
    """The blocks that are not kept, in groups; with_groups adds some of them back."""
    read_from: tuple[tuple[str, str], ...] = ()
    """(author or published, where it was read: json-ld, meta, element, time, address, text, update or first post)."""
    hidden_words: int = 0
    """Words that the page hides from its readers and that are not shown; they are the last of the groups."""
    doubtful_words: int = 0
    """Words that it may hide: what it declares does not decide it, so they were taken for visible."""

    def to_dict(self) -> dict[str, object]:
        """The same in str, int, float, bool, None, list and dict alone, as json, Arrow and pandas take it."""
        groups = [{"n": one.n, "kind": one.kind, "words": one.words, "begins": one.begins} for one in self.left_out]
        links = [dict(link) for link in self.links]
        return {**self._asdict(), "links": links, "left_out": groups, "read_from": dict(self.read_from)}


class Found(NamedTuple):
    """What was found, and the cut page on which it rests."""

    found: Extraction
    page: Page
    kept: list[bool]
    hidden: set[Element]


class Written(NamedTuple):
    """Kept blocks as markdown, as text, and their links."""

    markdown: str
    text: str
    links: tuple[dict[str, str], ...]


class _Work(NamedTuple):
    """A page being worked on."""

    page: Page
    head: Head
    hidden: set[Element]
    doubtful: list[Element]
    address: str
    char_threshold: int
    max_top_candidates: int
    chances: list[float]
    """Of each block, once the model was asked."""


def _learned(work: _Work) -> list[bool]:
    work.chances[:] = scoring.probabilities(work.page, work.head, model_file.load())
    for first, last in products.others(work.page, work.head, work.address, work.chances):
        work.chances[first:last] = [0.0] * (last - first)
    return scoring.choose(work.page, work.chances)


ATTEMPTS: tuple[tuple[str, Callable[[_Work], list[bool]]], ...] = (
    ("readability", _learned),
    ("dom_smoothie", lambda work: classic.choose(work.page, work.char_threshold, work.max_top_candidates)),
    ("plain_text", lambda work: [True] * len(work.page.blocks)),
)
_NAMES = tuple(name for name, _ in ATTEMPTS)


def check_strategy(strategy: str) -> None:
    """Raises InvalidArgument for an unknown one."""
    if strategy not in _NAMES:
        raise InvalidArgument(f"strategy is {strategy!r}", hint=f"Use one of: {', '.join(_NAMES)}.")


def extract(
    source: str | bytes | Element,
    base_url: str | None = None,
    strategy: str = "readability",
    with_groups: Sequence[int] = (),
    *,
    char_threshold: int | None = None,
    max_top_candidates: int | None = None,
    budget: Budget | None = None,
    report: table.Report | None = None,
) -> Extraction:
    """The main content of a page.

    `source` is HTML or a parsed document (which stays as it is), `base_url` the address it came from, `strategy` where
    to begin in ATTEMPTS. The two thresholds act on the classical scoring: characters that are enough, and how many of
    the best candidates are compared. `with_groups` are numbers of Extraction.left_out whose blocks are kept as well;
    `budget` bounds the markdown.
    Raises InvalidArgument for an unknown strategy or group.
    """
    with html.Reading() as trees:
        root = trees.keep(html.parse_page(source, scripting=True)) if isinstance(source, (str, bytes)) else source
        thresholds = {"char_threshold": char_threshold, "max_top_candidates": max_top_candidates}
        return read(
            root, base_url, strategy, with_groups, trees=trees, budget=budget, report=report, **thresholds
        ).found


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
    char_threshold: int | None = None,
    max_top_candidates: int | None = None,
    report: table.Report | None = None,
) -> Found:
    """What extract() does, with the page as it was cut. `trees` takes apart what is made on the way."""
    check_strategy(strategy)
    page, hidden, doubtful = sources.read(root)
    work = _Work(
        page,
        head.read(root),
        hidden,
        doubtful,
        base_url or "",
        classic.CHAR_THRESHOLD if char_threshold is None else char_threshold,
        classic.MAX_TOP_CANDIDATES if max_top_candidates is None else max_top_candidates,
        [],
    )
    used, kept = _attempt(work, strategy, report)
    is_poor = used != strategy or page.words[-1] < FEW_WORDS
    if is_poor and strategy != "plain_text":
        held = embedded_text.tree(work.head)
        if held is not None:
            work = work._replace(page=blocks.cut(held), hidden=set(), doubtful=[], chances=[])
            used, kept = "structured_data", [True] * len(work.page.blocks)
    left_out = receipt.groups(work.page, kept, work.hidden)
    shown = receipt.with_groups(work.page, kept, work.hidden, left_out, with_groups)
    address = base_url or ""
    base = kept_text.absolute(work.head.links["base"], address) if "base" in work.head.links else address
    found = _extraction(work, address, written(*shown, base, trees, budget))
    return Found(
        found._replace(
            strategy_used=used,
            confidence=scoring.confidence(page, work.chances, kept, model_file.load()) if work.chances else None,
            kept_ratio=kept_ratio(shown[0], shown[1]),
            left_out=left_out,
            hidden_words=sum([group.words for group in left_out if shown[2] and group.kind == receipt.HIDDEN]),
        ),
        work.page,
        kept,
        work.hidden,
    )


def _attempt(work: _Work, strategy: str, report: table.Report | None) -> tuple[str, list[bool]]:
    """Return the attempt that loses nothing and the blocks it keeps; "" if the page's data hold a longer text."""
    page = work.page
    keep: list[bool] = []
    name = strategy
    for name, choose in ATTEMPTS[_NAMES.index(strategy) :]:
        keep = choose(work)
        if report:
            report(_first_choice(name, page, keep))
        if name != "plain_text":
            choice = Choice(page, work.head, work.address, keep, work.chances)
            table.run(choice, report)
            if not choice.is_forum and embedded_text.is_cut_short(page, keep, work.head):
                return "", keep
        if not _is_lost(page, keep):
            break
    return name, keep


def _first_choice(name: str, page: Page, keep: list[bool]) -> table.Change:
    return table.Change(name, "chose", page.words_of(keep)[-1], f"{sum(keep)} of {len(keep)} blocks")


def _is_lost(page: Page, kept: list[bool]) -> bool:
    """Whether next to nothing is kept of a page that has text besides links: menus are no loss."""
    words = page.words_of(kept)[-1]
    if not words:
        return bool(page.blocks)
    return words < LEAST_WORDS and page.words[-1] - page.links[-1] >= 10 * words


def _extraction(work: _Work, address: str, content: Written) -> Extraction:
    known = fields.read(work.head, work.page, address)
    words = content.text.count(" ") + 1 if content.text else 0
    if words < LEAST_WORDS:  # a page without a text: what it says about itself is all there is
        said = embedded_text.description(work.head) or ("" if words else known.excerpt)
        if said.count(" ") > 2 * words:
            content = content._replace(
                markdown=f"{said}\n\n{content.markdown}".rstrip(), text=f"{said}\n\n{content.text}".rstrip()
            )
    if data := [
        *structured_text.lines(work.head, content.text),
        *offers.lines(work.head, work.page, content.text, address),
    ]:
        said = "\n".join(data)  # for readers: it does not stand on the page
        content = content._replace(markdown=f"{content.markdown.rstrip()}\n\n{said}\n")
    return Extraction(
        title=known.title,
        markdown=content.markdown,
        text=content.text,
        links=content.links,
        strategy_used="",
        byline=known.byline,
        published=known.published,
        language=known.language,
        site_name=known.site_name,
        excerpt=known.excerpt,
        read_from=known.read_from,
        doubtful_words=words_in(work.doubtful),
    )


def written(
    page: Page,
    kept: list[bool],
    hidden: Collection[Element],
    base: str,
    trees: html.Reading,
    budget: Budget | None = None,
) -> Written:
    """The kept blocks as readers get them."""
    tree = trees.keep(kept_tree.tree(page, kept, hidden))
    content = markdown.to_markdown(tree, base or None, keep_nav=True, hidden=(), budget=budget)
    return Written(content, kept_text.text(page, kept), tuple(kept_text.links(tree, base)))


def kept_ratio(page: Page, kept: list[bool]) -> float:
    """The share of the page's words that is kept, 0 to 1."""
    words = page.words[-1]
    return round(page.words_of(kept)[-1] / words, 3) if words else 1.0
