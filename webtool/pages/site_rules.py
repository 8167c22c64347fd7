"""A page under site rules: the kept body as markdown, further pages joined. In: a tree and Rules. Out: columns.

webtool.siteconfig decides what is kept; where rules name no body, the learned model chooses from what they leave. Here
further pages are fetched (single_page_link, next_page_link), each through the client and robots.txt like the first,
within the same deadline. Whatever goes wrong with one is a note.
"""

from __future__ import annotations

import json
import time

from webtool import documents, extraction, html, siteconfig, urls
from webtool.errors import CacheMiss, Cancelled, HttpError, InvalidArgument, UnsupportedContent, WebtoolError
from webtool.html.head_links import base_of, generator_of
from webtool.markdown import to_markdown
from webtool.net.messages import Request
from webtool.pages.policy import robots_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from webtool.context import Context
    from webtool.extraction import Extraction
    from webtool.html.node import Document
    from webtool.running.budget import Budget
    from webtool.siteconfig import Applied, Rules
else:
    from webtool.lean.records import NamedTuple

MAX_PAGES = 10
LEAST_SHARE = 0.2
"""Of the text that the learned model finds, what rules must find to be believed."""
_LEAST_TIME = 2.0  # seconds; with less left before the deadline no further page is begun
_RESERVE = 1.0  # seconds of the deadline that are left for answering with what there is


class Kept(NamedTuple):
    """What the rules gave: the columns of a snapshot, {} where their text cannot be trusted, and notes."""

    columns: dict[str, object]
    notes: tuple[str, ...] = ()
    said: dict[str, object] = {}  # noqa: RUF012 (never changed)
    """What the rules read of the page beside its text: author, published."""


class _Part(NamedTuple):
    """The text of one page."""

    markdown: str
    text: str
    links: tuple[dict[str, str], ...]


def rules_for(ctx: Context, url: str, chosen: str = "") -> Rules | None:
    """The rules for the URL's host, or those chosen by id. Raises InvalidArgument where there are none of that id."""
    rules = siteconfig.find(urls.hostname(url), ctx.settings.siteconfig_dir, chosen=chosen)
    if chosen and rules is None:
        raise InvalidArgument(
            f"there are no site rules {chosen[:60]!r}",
            hint="Name a file of siteconfig_dir or a built-in one, without .txt.",
        )
    return rules


def rules_of_generator(ctx: Context, root: Document) -> Rules | None:
    """The rules for the software that made the page."""
    generator = generator_of(root)
    return siteconfig.find("", ctx.settings.siteconfig_dir, generator=generator or "", or_global=True)


def keep(ctx: Context, rules: Rules, page: tuple[Document, str], found: Extraction, budget: Budget) -> Kept:
    """The page (its tree, which is used up, and its URL) as the rules say. `found` is what the learned model finds on
    it, `budget` bounds the text of all pages that are joined."""
    return _Keeping(ctx, rules, found, budget).keep(*page)


class _Keeping:
    """One page under its rules, and the pages that it goes on with."""

    def __init__(self, ctx: Context, rules: Rules, found: Extraction, budget: Budget) -> None:
        self._ctx = ctx
        self._rules = rules
        self._found = found
        self._budget = budget
        self._problems = list(rules.problems)
        self._url = ""

    def keep(self, root: Document, url: str) -> Kept:
        """Columns and notes."""
        self._url = url
        applied, part = self._applied(root, url, self._found)
        if applied.single_page:
            applied, part, url = self._single_page(applied, part, url)
        if part is None or len(part.text) < len(self._found.text) * LEAST_SHARE:
            return Kept({}, self._notes())  # the site has changed since the rules were written
        parts = [part, *self._next_pages(applied, url)]
        links = {(link["text"], link["href"]): link for one in parts for link in one.links}
        columns: dict[str, object] = {
            "title": applied.title or self._found.title or None,
            "markdown": "\n".join(one.markdown for one in parts),
            "text": "\n\n".join(one.text for one in parts),
            "links_json": json.dumps(list(links.values()), ensure_ascii=False),
            "siteconfig_id": self._rules.id,
        }
        said: dict[str, object] = {"author": applied.author, "published": applied.date}
        return Kept(columns, self._notes(), {name: value for name, value in said.items() if value})

    def _notes(self) -> tuple[str, ...]:
        return tuple(f"site rules: {problem}" for problem in dict.fromkeys(self._problems))

    def _applied(self, root: Document, url: str, found: Extraction | None = None) -> tuple[Applied, _Part | None]:
        """One page's text by the rules; `found`, what the learned model made of it, if that is known."""
        base = base_of(root, url)
        applied = siteconfig.apply(self._rules, root, url)
        self._problems += applied.problems
        if applied.body is not None:
            plain = extraction.extract(applied.body, base, strategy="plain_text")
            markdown = to_markdown(applied.body, base, keep_nav=not self._rules.prune, budget=self._budget)
            return applied, _Part(markdown, plain.text, plain.links)
        if self._rules.body:
            return applied, None
        learned = found if found is not None and not applied.is_stripped else extraction.extract(root, url)
        return applied, _Part(learned.markdown, learned.text, learned.links)

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
        whole, whole_part = self._applied(root, target)
        if whole_part is None:
            return applied, part, url
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
        response = ctx.client.fetch(
            Request(url, "GET", headers),
            deadline=ctx.deadline - _RESERVE,
            check_hop=robots_check(ctx),
            is_cancelled=ctx.is_cancelled,
        )
        if response.status >= 400:
            raise HttpError(f"the server answered {response.status}", status_code=response.status)
        content_type = response.headers.get("content-type")
        if documents.kind_of(response.body, content_type, response.url) != "html":
            raise UnsupportedContent("it is not an HTML page")
        text = siteconfig.replaced(self._rules, html.decode(response.body, content_type)[0])
        return html.parse_html(text), response.url


def _bare(url: str) -> str:
    """The URL without its fragment: one page."""
    return url.partition("#")[0]
