"""Find the site rules for a page: by its URL, by the caller's choice, or by the software that made it.

In: a Context, and a URL or a tree. Out: Rules, or None. site_rule_pages.py applies them.

Tests: tests/siteconfig/test_sites.py
"""

from __future__ import annotations

from webtool import siteconfig, urls
from webtool.context import Context
from webtool.errors import InvalidArgument
from webtool.html.head_links import generator_of
from webtool.html.node import Document
from webtool.pages.request import PageRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.siteconfig.rules import Rules


def rules_for(ctx: Context, url: str, chosen: str = "") -> Rules | None:
    """Return the rules of the id `chosen`, or those for the URL's host. Raises InvalidArgument for an unknown id."""
    rules = siteconfig.find(urls.hostname(url), ctx.settings.siteconfig_dir, chosen=chosen)
    if chosen and rules is None:
        raise InvalidArgument(
            f"unknown site rules {chosen[:60]!r}",
            hint="Name a file of siteconfig_dir or a built-in one, without .txt.",
        )
    return rules


def headers_for(ctx: Context, request: PageRequest) -> tuple[tuple[str, str], ...]:
    """Return the header fields that the rules of the requested site set; () if rules are not to be used."""
    rules = rules_for(ctx, request.url, request.siteconfig_id) if request.use_siteconfig else None
    return rules.http_headers if rules is not None else ()


def rules_of_generator(ctx: Context, root: Document) -> Rules | None:
    """Return the rules for the software that <meta name=generator> names, such as WordPress, or the global rules."""
    generator = generator_of(root)
    return siteconfig.find("", ctx.settings.siteconfig_dir, generator=generator or "", or_global=True)
