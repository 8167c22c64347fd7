"""Convert a page by its site rules and join its further pages. In: a tree and Rules. Out: columns of a snapshot.

webtool.siteconfig applies the rules to the tree. If the rules name no body, the learned model chooses among what they
leave. Further pages (single_page_link: the whole text on one page; next_page_link: the next part) are fetched like the
first one, under robots.txt and within the same deadline. Whatever goes wrong with a further page becomes a note.
Tests: tests/pages/test_site_rule_pages.py
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from webtool import documents, extraction, html, urls
from webtool.context import Context
from webtool.errors import CacheMiss, Cancelled, HttpError, UnsupportedContent, WebtoolError
from webtool.extraction import article
from webtool.extraction.output import receipt
from webtool.extraction.page import sources
from webtool.html.head_links import base_of
from webtool.html.node import Document, walk
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.markdown import to_markdown
from webtool.net.messages import Request
from webtool.pages import policy
from webtool.pages.stored_copies import group_rows, page_facts
from webtool.running.budget import Budget
from webtool.siteconfig.apply import Applied, apply, replaced
from webtool.siteconfig.rules import Rules
from webtool.visibility.hidden import find_hidden, take_marks
from webtool.visibility.text_lengths import words_in

MAX_PAGES = 10  # pages that are joined, the first included; a note names the address of the next one
MIN_SHARE = 0.2  # of the characters that the learned model finds; if rules find less, the site has changed
_MIN_SECONDS = 2.0  # with less time before the deadline, no further page is fetched


class RuledPage(NamedTuple):
    """A page as its rules make it."""

    columns: dict[str, object]  # columns of the snapshot; {} if the rules' text cannot be trusted
    notes: tuple[str, ...] = ()
    facts: dict[str, object] = {}  # noqa: RUF012 (never changed)
    """Author, date, left-out groups: what stored_copies stores as "reading"."""


class _PageText(NamedTuple):
    """The text of one page."""

    markdown: str
    text: str
    links: tuple[dict[str, str], ...]
    node_ids: frozenset[int] = frozenset()  # id() of the page's text nodes that the text consists of


class SiteRuleReader:
    """One page under its rules, and the pages that continue it.

    `model_choice` is what the learned model finds on the page. `budget` bounds the text of all joined pages together.
    `trees` frees the parsed trees at the end.
    """

    def __init__(
        self, ctx: Context, rules: Rules, model_choice: article.Extracted, budget: Budget, trees: html.Reading
    ) -> None:
        self._ctx = ctx
        self._rules = rules
        self._model_choice = model_choice
        self._budget = budget
        self._trees = trees
        self._problems = list(rules.problems)
        self._first_url = ""

    def read(self, root: Document, url: str, groups: Sequence[int], second_tree: Document | None) -> RuledPage:
        """Return the page as the rules make it. This changes the tree.

        `groups` are numbers of left-out groups to add back; they are taken from `second_tree`, the page parsed again.
        Raises InvalidArgument for an unknown group.
        """
        self._first_url = url
        choice = first_choice = self._model_choice
        applied, page_text = self._applied(root, url, first_choice)
        single = self._single_page(applied) if applied.single_page else None
        if single is not None:
            applied, page_text, url, choice = single
        min_characters = len(first_choice.extraction.text) * MIN_SHARE
        if page_text is None or not page_text.markdown.strip() or len(page_text.text) < min_characters:
            return RuledPage({}, self._notes())
        page, hidden = choice.page, choice.hidden
        kept = [any(id(node) in page_text.node_ids for node in block.nodes) for block in page.blocks]
        left_out = receipt.groups(page, kept, hidden)
        if second_tree is not None and single is None:
            page, hidden, _ = sources.read(second_tree)
            page, kept, hidden = receipt.with_groups(page, kept, hidden, left_out, groups)
            base = base_of(second_tree, url)
            page_text = _PageText(*article.written(page, kept, hidden, base, self._trees, self._budget))
        elif groups:
            self._problems.append("with has no effect: the text is that of the single page")
        page_texts = [page_text, *self._next_pages(applied, url)]
        links = {(link["text"], link["href"]): link for page_text in page_texts for link in page_text.links}
        columns: dict[str, object] = {
            "title": applied.title or choice.extraction.title or first_choice.extraction.title or None,
            "markdown": "\n".join(page_text.markdown for page_text in page_texts),
            "text": "\n\n".join(page_text.text for page_text in page_texts),
            "links_json": jsontext.dumps(list(links.values())),
            "siteconfig_id": self._rules.id,
        }
        # The first page has the facts that the single page lacks: a version for printing often has no metadata.
        facts = {**page_facts(first_choice.extraction), **page_facts(choice.extraction)}
        read_from = dict((*first_choice.extraction.read_from, *choice.extraction.read_from))
        for name, value in (("author", applied.author), ("published", applied.date)):
            if value:
                facts[name], read_from[name] = value, "site rules"
        if read_from:
            facts["read_from"] = read_from
        facts["hidden_words"] = words_in(hidden)
        facts.update(kept_ratio=article.kept_ratio(page, kept), left_out=group_rows(left_out))
        return RuledPage(columns, self._notes(), facts)

    def _notes(self) -> tuple[str, ...]:
        return tuple(f"site rules: {problem}" for problem in dict.fromkeys(self._problems))

    def _applied(
        self, root: Document, url: str, model_choice: article.Extracted | None = None
    ) -> tuple[Applied, _PageText | None]:
        """Apply the rules to one page. Return its text too, None if the rules name a body that is not there.

        `model_choice` is what the learned model finds on this page, if that is known already.
        """
        base = base_of(root, url)
        _remove_unseen(root)
        applied = apply(self._rules, root, url)
        self._problems += applied.problems
        if applied.body is not None:
            plain = extraction.extract(applied.body, base, strategy="plain_text")
            markdown = to_markdown(applied.body, base, keep_nav=not self._rules.prune, budget=self._budget)
            node_ids = frozenset(id(node) for event, node in walk(applied.body) if event == "text")
            return applied, _PageText(markdown, plain.text, plain.links, node_ids)
        if self._rules.body:
            return applied, None
        if model_choice is None or applied.is_stripped:
            model_choice = article.read(root, url, trees=self._trees, budget=self._budget)
        kept_blocks = [block for block, is_kept in zip(model_choice.page.blocks, model_choice.kept) if is_kept]
        node_ids = frozenset(id(node) for block in kept_blocks for node in block.nodes)
        chosen = model_choice.extraction
        return applied, _PageText(chosen.markdown, chosen.text, chosen.links, node_ids)

    def _single_page(self, first: Applied) -> tuple[Applied, _PageText, str, article.Extracted] | None:
        """Return the page that has the whole text: its rules applied, text, URL, model's choice; None if unusable."""
        fetched = self._fetched(first.single_page, "single")
        if fetched is None:
            return None
        root, url = fetched
        choice = article.read(root, url, trees=self._trees, budget=self._budget)
        applied, page_text = self._applied(root, url, choice)
        if page_text is None:
            return None
        title, author, date = applied.title or first.title, applied.author or first.author, applied.date or first.date
        return applied._replace(title=title, author=author, date=date), page_text, url, choice

    def _next_pages(self, applied: Applied, url: str) -> list[_PageText]:
        """Return the texts of the following pages; a problem is noted if one cannot be fetched."""
        page_texts: list[_PageText] = []
        visited = {_without_fragment(url), _without_fragment(self._first_url)}
        next_url = applied.next_page
        while next_url and _without_fragment(next_url) not in visited and not self._budget.is_spent:
            if not self._may_continue(len(page_texts), next_url):
                break
            visited.add(_without_fragment(next_url))
            fetched = self._fetched(next_url, "next")
            if fetched is None:
                break
            root, final_url = fetched
            if _without_fragment(final_url) in visited - {_without_fragment(next_url)}:
                break  # it redirects to a page that is joined already
            visited.add(_without_fragment(final_url))
            applied, page_text = self._applied(root, final_url)
            if page_text is None:
                break
            if urls.hostname(final_url) != urls.hostname(url):
                self._problems.append(f"the text goes on at another host, {urls.hostname(final_url)}")
            page_texts.append(page_text)
            next_url = applied.next_page
        return page_texts

    def _may_continue(self, count: int, next_url: str) -> bool:
        """Return whether one more page may be fetched after `count` further ones; if not, a problem says why."""
        if count == MAX_PAGES - 1:
            self._problems.append(f"only {MAX_PAGES} pages are joined; it goes on at {urls.redact(next_url)}")
            return False
        if self._ctx.deadline - time.monotonic() < _MIN_SECONDS:
            self._problems.append(f"time ran out before the next page {urls.redact(next_url)}")
            return False
        return True

    def _fetched(self, url: str, which: str) -> tuple[Document, str] | None:
        """Return tree and final URL of the `which` page ("single", "next"); a problem is noted if it is not usable."""
        try:
            return self._fetch(url)
        except Cancelled:
            raise
        except WebtoolError as error:
            reason = f"{error.code}: {error.message}"
            self._problems.append(f"the {which} page {urls.redact(url)} could not be had ({reason})")
            return None

    def _fetch(self, url: str) -> tuple[Document, str]:
        """Fetch and parse a further page. Returns its tree and final URL. Raises WebtoolError."""
        ctx = self._ctx
        if ctx.settings.offline:
            raise CacheMiss("further pages are not kept, and the setting offline lets nothing be asked")
        # A cookie in the rules is for the site itself; a further page may be on another host.
        is_same_host = urls.hostname(url) == urls.hostname(self._first_url)
        headers = tuple(pair for pair in self._rules.http_headers if is_same_host or pair[0] != "cookie")
        response = policy.fetch(ctx, Request(url, "GET", headers), reserve=policy.RESERVE)
        if response.status >= 400:
            raise HttpError(f"the server answered {response.status}", status_code=response.status)
        content_type = response.content_type
        if documents.kind_of(response.body, content_type, response.url) != "html":
            raise UnsupportedContent("it is not an HTML page")
        text = replaced(self._rules, html.decode(response.body, content_type)[0])
        root = html.parse_page(text, scripting=False)
        if response.mark:
            take_marks(root, response.mark)
        return self._trees.keep(root), response.url


def _remove_unseen(root: Document) -> None:
    """Remove elements that a browser marked as not shown, so that no rule chooses them."""
    if root.unseen:
        unseen = find_hidden(root, keep_panels=True)
        for parent in {element.parent for element in unseen if element.parent is not None}:
            parent.children[:] = [node for node in parent.children if node not in unseen]
        root.unseen = {}


def _without_fragment(url: str) -> str:
    """Return the URL without its fragment: "/a#b" and "/a" are one page."""
    return url.partition("#")[0]
