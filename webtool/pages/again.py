"""A stored page written anew: with groups added back, or elements chosen. In: a snapshot, choices. Out: a Page.

It is made from the body that was stored with the page, or with the same page in another mode; nothing is fetched.
"""

from __future__ import annotations

from webtool.cache.snapshot import Snapshot
from webtool.cache.store import Cache
from webtool.context import Context
from webtool.errors import CacheMiss
from webtool.pages.apart import convert
from webtool.pages.wanted import Page, Wanted, choices_of, key_of

_WITH_BODY = ("readable", "full", "raw")


def again(ctx: Context, cache: Cache, kept: Snapshot, wanted: Wanted) -> Page:
    """The page as it is wanted: with_groups, select, drop. Raises CacheMiss where no body is stored."""
    body = kept.raw_bytes or _body_elsewhere(cache, kept)
    if body is None:
        raise CacheMiss(
            f"The body of this page is not stored (mode {kept.mode}), so it cannot be written in another way",
            hint=f"Open {kept.url} again with web_open and the same members.",
            url=kept.url,
        )
    choices = choices_of(kept)
    wanted = wanted._replace(
        use_siteconfig=bool(choices.pop("use_siteconfig", True)),
        siteconfig_id=str(choices.pop("siteconfig_id", "")),
        thresholds=choices,
    )
    offline = ctx.derive(settings=ctx.settings._replace(offline=True))
    made = convert(offline, wanted, body, kept.content_type, kept.final_url)
    return Page(kept._replace(**made.columns), cache_hit=True, notes=made.notes)  # type: ignore[arg-type]


def _body_elsewhere(cache: Cache, kept: Snapshot) -> bytes | None:
    """The body that came with the same answer of the server, under the page's key in another mode."""
    for mode in _WITH_BODY if kept.mode in _WITH_BODY else ():
        other = cache.get(key_of(kept.url, Wanted(kept.url, mode)))
        if other is not None and other.fetched_at == kept.fetched_at and other.raw_bytes:
            return other.raw_bytes
    return None
