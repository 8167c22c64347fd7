"""Which site rules a page has. In: its URL, its tree. Out: Rules or None; ruled.py makes a page as they say."""

from __future__ import annotations

from webtool import siteconfig, urls
from webtool.context import Context
from webtool.errors import InvalidArgument
from webtool.html.head_links import generator_of
from webtool.html.node import Document
from webtool.pages.request import Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.siteconfig.rules import Rules


def rules_for(ctx: Context, url: str, chosen: str = "") -> Rules | None:
    """The rules for the URL's host, or those chosen by id. Raises InvalidArgument where there are none of that id."""
    rules = siteconfig.find(urls.hostname(url), ctx.settings.siteconfig_dir, chosen=chosen)
    if chosen and rules is None:
        raise InvalidArgument(
            f"there are no site rules {chosen[:60]!r}",
            hint="Name a file of siteconfig_dir or a built-in one, without .txt.",
        )
    return rules


def headers_for(ctx: Context, url: str, wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Request fields that the rules of the site set."""
    rules = rules_for(ctx, url, wanted.siteconfig_id) if wanted.use_siteconfig else None
    return rules.http_headers if rules is not None else ()


def rules_of_generator(ctx: Context, root: Document) -> Rules | None:
    """The rules for the software that made the page."""
    generator = generator_of(root)
    return siteconfig.find("", ctx.settings.siteconfig_dir, generator=generator or "", or_global=True)
