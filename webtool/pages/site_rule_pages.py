"""A page under site rules: the kept body as markdown, further pages joined. In: a tree and Rules. Out: columns.

webtool.siteconfig decides what is kept; where rules name no body, the learned model chooses from what they leave. Here
further pages are fetched (single_page_link, next_page_link), each through the client and robots.txt like the first,
within the same deadline. Whatever goes wrong with one is a note.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from webtool import documents, extraction, html, urls
from webtool.context import Context
from webtool.errors import CacheMiss, Cancelled, HttpError, UnsupportedContent, WebtoolError
from webtool.extraction import article
from webtool.extraction.article import Found
from webtool.extraction.output import receipt
from webtool.extraction.page import sources
from webtool.html.head_links import base_of
from webtool.html.node import Document, walk
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.markdown import to_markdown
from webtool.net.messages import Request
from webtool.pages import policy, reading
from webtool.running.budget import Budget
from webtool.siteconfig.apply import Applied, apply, replaced
from webtool.siteconfig.rules import Rules
from webtool.visibility.hidden import find_hidden, take_marks, words_in

MAX_PAGES = 10
LEAST_SHARE = 0.2
"""Of the text that the learned model finds, what rules must find to be believed."""
_LEAST_TIME = 2.0  # seconds; with less left before the deadline no further page is begun


class Kept(NamedTuple):
    """What the rules gave: the columns of a snapshot, {} where their text cannot be trusted, and notes."""

    columns: dict[str, object]
    notes: tuple[str, ...] = ()
    said: dict[str, object] = {}  # noqa: RUF012 (never changed)
    """What is told of the page beside its text: author, published, what was left out."""


class _Part(NamedTuple):
    """The text of one page."""

    markdown: str
    text: str
    links: tuple[dict[str, str], ...]
    nodes: frozenset[int] = frozenset()
    """Identities of the page's text nodes that are in it."""


class Keeping:
    """One page under its rules, and the pages that it goes on with. `read` is what the learned model finds on it;
    `budget` bounds the text of all pages that are joined, `trees` takes them apart."""

    def __init__(self, ctx: Context, rules: Rules, read: Found, budget: Budget, trees: html.Reading) -> None:
        self._ctx = ctx
        self._rules = rules
        self._read = read
        self._budget = budget
        self._trees = trees
        self._problems = list(rules.problems)
        self._url = ""

    def keep(self, root: Document, url: str, groups: Sequence[int], again: Document | None) -> Kept:
        """The page as the rules say; the tree is used up.

        `groups` of what the rules leave out are kept too, taken from `again`, the same tree. Raises InvalidArgument for
        an unknown group.
        """
        self._url = url
        first = self._read
        applied, part = self._applied(root, url, first)
        if applied.single_page:
            applied, part, url = self._single_page(applied, part, url)
        found = self._read.found
        if part is None or len(part.text) < len(first.found.text) * LEAST_SHARE:
            return Kept({}, self._notes())  # the site has changed since the rules were written
        flags = [any(id(node) in part.nodes for node in block.nodes) for block in self._read.page.blocks]
        left_out = receipt.groups(self._read.page, flags, self._read.hidden)
        shown = self._read.page, flags, self._read.hidden
        if again is not None and self._read is first:
            page, hidden, _ = sources.read(again)
            shown = receipt.with_groups(page, flags, hidden, left_out, groups)
            part = _Part(*article.written(*shown, base_of(again, url), self._trees, self._budget))
        elif groups:
            self._problems.append("with is passed over, as the text is that of the single page")
        parts = [part, *self._next_pages(applied, url)]
        links = {(link["text"], link["href"]): link for one in parts for link in one.links}
        columns: dict[str, object] = {
            "title": applied.title or found.title or None,
            "markdown": "\n".join(one.markdown for one in parts),
            "text": "\n\n".join(one.text for one in parts),
            "links_json": jsontext.dumps(list(links.values())),
            "siteconfig_id": self._rules.id,
        }
        said = {**reading.of_page(found), "hidden_words": words_in(shown[2])}
        said.update({name: value for name, value in (("author", applied.author), ("published", applied.date)) if value})
        said.update(kept_ratio=article.kept_ratio(*shown[:2]), left_out=reading.rows(left_out))
        return Kept(columns, self._notes(), said)

    def _notes(self) -> tuple[str, ...]:
        return tuple(f"site rules: {problem}" for problem in dict.fromkeys(self._problems))

    def _applied(self, root: Document, url: str, read: Found | None = None) -> tuple[Applied, _Part | None]:
        """One page's text by the rules; `read`, what the learned model made of it, if that is known."""
        base = base_of(root, url)
        _drop_unseen(root)
        applied = apply(self._rules, root, url)
        self._problems += applied.problems
        if applied.body is not None:
            plain = extraction.extract(applied.body, base, strategy="plain_text")
            markdown = to_markdown(applied.body, base, keep_nav=not self._rules.prune, budget=self._budget)
            nodes = frozenset(id(node) for event, node in walk(applied.body) if event == "text")
            return applied, _Part(markdown, plain.text, plain.links, nodes)
        if self._rules.body:
            return applied, None
        if read is None or applied.is_stripped:
            read = article.read(root, url, trees=self._trees)
        pairs = zip(read.page.blocks, read.kept)
        nodes = frozenset(id(node) for block, is_kept in pairs if is_kept for node in block.nodes)
        return applied, _Part(read.found.markdown, read.found.text, read.found.links, nodes)

    def _single_page(self, applied: Applied, part: _Part | None, url: str) -> tuple[Applied, _Part | None, str]:
        """The whole text on one page, if the site has it and it can be had."""
        try:
            root, target = self._fetch(applied.single_page)
        except Cancelled:
            raise
        except WebtoolError as error:
            address = urls.redact(applied.single_page)
            self._problems.append(f"the single page {address} could not be had ({error.code}: {error.message})")
            return applied, part, url
        read = article.read(root, target, trees=self._trees)
        whole, whole_part = self._applied(root, target, read)
        if whole_part is None:
            return applied, part, url
        self._read = read
        return whole._replace(title=whole.title or applied.title), whole_part, target

    def _next_pages(self, applied: Applied, url: str) -> list[_Part]:
        """The parts of the following pages; the problems say why it ended early."""
        parts: list[_Part] = []
        seen = {_bare(url)}
        target = applied.next_page
        while target and _bare(target) not in seen and not self._budget.is_spent:
            if len(parts) == MAX_PAGES - 1:
                self._problems.append(f"only {MAX_PAGES} pages are joined; it goes on at {urls.redact(target)}")
                break
            if self._ctx.deadline - time.monotonic() < _LEAST_TIME:
                self._problems.append(f"time ran out before the next page {urls.redact(target)}")
                break
            seen.add(_bare(target))
            try:
                root, address = self._fetch(target)
            except Cancelled:
                raise
            except WebtoolError as error:
                where = urls.redact(target)
                self._problems.append(f"the next page {where} could not be had ({error.code}: {error.message})")
                break
            if _bare(address) in seen - {_bare(target)}:
                break
            seen.add(_bare(address))
            applied, part = self._applied(root, address)
            if part is None:
                break
            if urls.hostname(address) != urls.hostname(url):
                self._problems.append(f"the text goes on at another host, {urls.hostname(address)}")
            parts.append(part)
            target = applied.next_page
        return parts

    def _fetch(self, url: str) -> tuple[Document, str]:
        ctx = self._ctx
        if ctx.settings.offline:
            raise CacheMiss("further pages are not kept, and the setting offline lets nothing be asked")
        # A cookie of the rules is the site's own; a further page may lie elsewhere.
        is_ours = urls.hostname(url) == urls.hostname(self._url)
        headers = tuple(pair for pair in self._rules.http_headers if is_ours or pair[0] != "cookie")
        response = policy.fetch(ctx, Request(url, "GET", headers), reserve=policy.RESERVE)
        if response.status >= 400:
            raise HttpError(f"the server answered {response.status}", status_code=response.status)
        content_type = response.headers.get("content-type")
        if documents.kind_of(response.body, content_type, response.url) != "html":
            raise UnsupportedContent("it is not an HTML page")
        text = replaced(self._rules, html.decode(response.body, content_type)[0])
        root = html.parse_page(text, scripting=False)
        if response.mark:
            take_marks(root, response.mark)
        return self._trees.keep(root), response.url


def _drop_unseen(root: Document) -> None:
    """Take out what a browser said that it does not show, so that no rule chooses it."""
    if root.unseen:
        unseen = find_hidden(root, keep_panels=True)
        for parent in {element.parent for element in unseen if element.parent is not None}:
            parent.children[:] = [node for node in parent.children if node not in unseen]
        root.unseen = {}


def _bare(url: str) -> str:
    """The URL without its fragment: one page."""
    return url.partition("#")[0]
