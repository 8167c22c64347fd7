"""A page under site rules: the kept body as markdown, further parts joined. In: a tree and Rules. Out: columns.

webtool.siteconfig decides what is kept; here further pages are fetched (single_page_link, next_page_link), each through
the client and robots.txt like the first, within the same deadline.
"""

from __future__ import annotations

import json
import time

from webtool import documents, extraction, html, siteconfig, urls
from webtool.errors import InvalidArgument, WebtoolError
from webtool.html.head_links import base_of, generator_of
from webtool.markdown import to_markdown
from webtool.net.messages import Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NamedTuple

    from webtool.context import Context
    from webtool.html.node import Document
    from webtool.siteconfig import Applied, Rules
else:
    from webtool.records import NamedTuple

MAX_PAGES = 10
LEAST_SHARE = 0.2
"""Of the text that the learned model finds, what rules must find to be believed."""
_LEAST_TIME = 2.0  # seconds; with less left before the deadline no further page is begun


class Kept(NamedTuple):
    """What the rules gave: the columns of a snapshot, and notes."""

    columns: dict[str, object]
    notes: tuple[str, ...]


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
    return siteconfig.find("", ctx.settings.siteconfig_dir, generator=generator) if generator else None


def keep(ctx: Context, rules: Rules, root: Document, url: str, check_hop: Callable[[str], None] | None) -> Kept | None:
    """The page as the rules say, or None where they find no text (what they strip is gone from the tree even so)."""
    found = extraction.extract(root, url) if rules.body else None
    base = base_of(root, url)
    applied = siteconfig.apply(rules, root, url)
    problems = [*rules.problems, *applied.problems]
    if applied.single_page:
        applied, url, base = _single_page(ctx, rules, applied, url, base, check_hop)
    if applied.body is None or found is None:
        return None
    problems += _join_next_pages(ctx, rules, applied, url, check_hop)
    markdown = to_markdown(applied.body, base, keep_nav=not rules.prune)
    plain = extraction.extract(applied.body, base, strategy="plain_text")
    if len(plain.text) < len(found.text) * LEAST_SHARE:
        return None  # the site has changed since the rules were written
    columns: dict[str, object] = {
        "title": applied.title or found.title or None,
        "markdown": markdown,
        "text": plain.text,
        "links_json": json.dumps(plain.links, ensure_ascii=False),
        "siteconfig_id": rules.id,
    }
    return Kept(columns, tuple(f"site rules: {problem}" for problem in problems))


def _single_page(
    ctx: Context, rules: Rules, applied: Applied, url: str, base: str, check_hop: Callable[[str], None] | None
) -> tuple[Applied, str, str]:
    """The whole text on one page, if the site has it and it can be had."""
    try:
        root, target = _fetch(ctx, rules, applied.single_page, check_hop)
    except WebtoolError as error:
        problem = f"the single page {urls.redact(applied.single_page)} could not be had: {error.message}"
        return applied._replace(problems=(*applied.problems, problem)), url, base
    whole = siteconfig.apply(rules, root, target)
    if whole.body is None:
        return applied, url, base
    return whole._replace(title=whole.title or applied.title), target, base_of(root, target)


def _join_next_pages(
    ctx: Context, rules: Rules, applied: Applied, url: str, check_hop: Callable[[str], None] | None
) -> list[str]:
    """Append the following pages to the body; returns why it ended early."""
    seen = {url.partition("#")[0]}
    target = applied.next_page
    for _ in range(MAX_PAGES - 1):
        if not target or target.partition("#")[0] in seen:
            return []
        if ctx.deadline - time.monotonic() < _LEAST_TIME:
            return [f"time ran out before {urls.redact(target)}"]
        seen.add(target.partition("#")[0])
        try:
            root, address = _fetch(ctx, rules, target, check_hop)
        except WebtoolError as error:
            return [f"the next page {urls.redact(target)} could not be had: {error.message}"]
        part = siteconfig.apply(rules, root, address)
        if part.body is None:
            return []
        for node in part.body.children:
            applied.body.append(node)  # type: ignore[union-attr]
        target = part.next_page
    return [f"only the first {MAX_PAGES} pages are here; it goes on at {urls.redact(target)}"] if target else []


def _fetch(ctx: Context, rules: Rules, url: str, check_hop: Callable[[str], None] | None) -> tuple[Document, str]:
    response = ctx.client.fetch(
        Request(url, "GET", rules.http_headers),
        deadline=ctx.deadline,
        check_hop=check_hop,
        is_cancelled=ctx.is_cancelled,
    )
    if response.status >= 400:
        raise WebtoolError(f"the server answered {response.status}")
    content_type = response.headers.get("content-type")
    if documents.kind_of(response.body, content_type, response.url) != "html":
        raise WebtoolError("it is no HTML page")
    text = siteconfig.replaced(rules, html.decode(response.body, content_type)[0])
    return html.parse_html(text), response.url
