"""TABLE: every rule that corrects the first choice, one row each, in the order in which they run.

In: a Choice. Out: its `keep` changed. With a `report`, run() also names what each rule dropped or kept.
To add a rule: write a function that takes a Choice and add its row here. Then add a page that makes it fire to PAGES in
tests/extraction/rules/test_table.py. tests/bench/extraction/ablate.py --rows NAME says what the rule is worth.
"""

from __future__ import annotations

from itertools import groupby

from webtool.extraction.rules import (
    cards,
    class_names,
    consent,
    copies,
    headlines,
    interruptions,
    labelled_parts,
    manuals,
    notes,
    products,
    structured_text,
    threads,
    whole_units,
)
from webtool.extraction.rules.choice import Choice
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Callable, Iterator

MAX_LINE_CHARACTERS = 160  # of the line that says what a rule did; the rest of the text is cut


class Rule(NamedTuple):
    """One decision about which blocks are main content."""

    name: str
    apply: Callable[[Choice], None]
    when: Callable[[Choice], bool]
    help: str


class Change(NamedTuple):
    """One run of adjacent blocks that a rule dropped or kept."""

    rule: str
    change: str  # dropped or kept
    words: int
    text: str  # the text of the blocks, with a line end between two

    def line(self) -> str:
        """Return the change in one line, cut after MAX_LINE_CHARACTERS."""
        plural = "" if self.words == 1 else "s"
        line = f"{self.rule} {self.change} {self.words} word{plural}: {' '.join(self.text.split())}"
        return line if len(line) <= MAX_LINE_CHARACTERS else f"{line[: MAX_LINE_CHARACTERS - 1]}\u2026"


Report = Callable[[Change], None]


def always(_choice: Choice) -> bool:
    """Run on every page."""
    return True


def on_forums(choice: Choice) -> bool:
    """Run on pages where people discuss."""
    return choice.is_forum


def off_forums(choice: Choice) -> bool:
    """Run on all other pages."""
    return not choice.is_forum


def with_story(choice: Choice) -> bool:
    """Run if the page has a text, and not just entries of a list."""
    return choice.has_story


def with_titled_story_off_forums(choice: Choice) -> bool:
    """Run if the page is named after the headline of its text and is not a forum."""
    return choice.has_story and not choice.is_forum and choice.titled >= 0


TABLE = tuple(
    Rule(apply.__name__, apply, when, help_text)
    for apply, when, help_text in (
        (consent.drop_consent_boxes, always, "cookie boxes; first, because it chooses again"),
        # Units of markup
        (manuals.keep_reference, manuals.is_scored_manual, "signatures and examples of a page about code"),
        (whole_units.keep_short_pages_whole, always, "paragraphs of a page of few words"),
        (whole_units.keep_or_drop_whole, always, "tables, rows, lists and code: all or nothing"),
        (whole_units.keep_code_and_tables, always, "code and tables of data between kept blocks"),
        (whole_units.keep_aria_grids_whole, always, "tables made of elements with roles"),
        (whole_units.keep_openers, always, "questions and tab names whose panels are kept"),
        (whole_units.match_headings, always, "headings with their sections"),
        # Furniture on any page
        (copies.drop_copied_regions, always, "regions made again for another device"),
        (copies.drop_repeated_texts, always, "texts shown twice near by"),
        (cards.complete_cards, always, "names with their prices; the list that a page is about"),
        (class_names.drop_overlays, always, "tooltips and dialogs"),
        (class_names.drop_post_furniture, on_forums, "signatures and profiles of posts"),
        (class_names.drop_reader_comments, off_forums, "comments below a text, by class"),
        (labelled_parts.drop_address_forms, always, "newsletter forms"),
        # Around a text
        (headlines.keep_described_lead, with_titled_story_off_forums, "the standfirst that the description repeats"),
        (labelled_parts.drop_labelled_parts, with_story, "teasers, author boxes, comments, appeals, by label"),
        (labelled_parts.drop_service_lines, always, "buttons, photo credits, copyright lines"),
        (labelled_parts.drop_teaser_lines, with_story, "lines that lead to another text"),
        (labelled_parts.drop_disclaimers, with_story, "whose opinion a text is"),
        (labelled_parts.keep_corrections, with_story, "correction notices"),
        # Threads
        (threads.keep_all_posts, on_forums, "posts, if most words of their kind are kept"),
        (threads.keep_posters_and_days, on_forums, "who wrote a post and when; no labels around it"),
        # Articles
        (interruptions.drop_excerpts, off_forums, "excerpts of other texts"),
        (interruptions.drop_cards, interruptions.has_body, "cards between sentences"),
        (interruptions.drop_appeals, interruptions.has_body, "appeals for money or an address"),
        (structured_text.keep_questions_and_recipes, off_forums, "questions and recipes that JSON-LD repeats"),
        # Products
        (products.drop_others, products.is_product_page, "reviews and other products"),
        (products.keep_tables, products.is_product_page, "tables and terms of a product"),
        (whole_units.drop_outside_main, always, "what is kept beside the only main element"),
        # Headlines
        (headlines.keep_headline, always, "the headline above the text"),
        (headlines.keep_kicker, headlines.has_editorial_headline, "the line above the headline"),
        (headlines.keep_standfirst, headlines.has_editorial_headline, "the lead below the headline"),
        # Last, because a mark counts only if it stays
        (notes.keep_notes, notes.may_have_notes, "notes that kept marks point at"),
    )
)


def run(choice: Choice, report: Report | None = None, rules: tuple[Rule, ...] = ()) -> None:
    """Apply TABLE, or some other `rules`, in order. Without `report` this costs nothing beside the rules themselves."""
    for rule in rules or TABLE:
        if rule.when(choice):
            before = choice.keep[:] if report else None
            rule.apply(choice)
            if report and before is not None:
                for change in _changes(rule.name, choice, before):
                    report(change)


def _changes(name: str, choice: Choice, before: list[bool]) -> Iterator[Change]:
    """Yield one Change for each run of adjacent blocks that a rule dropped or kept."""
    start = 0
    differences = [after - flag for flag, after in zip(before, choice.keep)]  # -1 dropped, 1 kept, 0 as before
    for difference, run_of_blocks in groupby(differences):
        end = start + len(list(run_of_blocks))
        if difference:
            blocks = choice.page.blocks[start:end]
            words, texts = sum([block.words for block in blocks]), [block.text for block in blocks]
            yield Change(name, "kept" if difference > 0 else "dropped", words, "\n".join(texts))
        start = end
