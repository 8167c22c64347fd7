"""A body as markdown or text. In: what is wanted, a body, its type, its URL. Out: the columns of a snapshot, and notes.

documents.kind_of says what the body is; HTML becomes the whole document, or its main content by site rules or by the
learned model; everything else is webtool.documents'.
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool import __version__, documents, html, markdown, urls
from webtool.errors import ExtractFailed, UnsupportedContent
from webtool.html.head_links import base_of
from webtool.html.node import Document, elements
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.pages import reading
from webtool.pages.request import Wanted, chosen_rules
from webtool.running.budget import TIMES, Budget
from webtool.visibility.hidden import find_hidden, take_marks, words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.context import Context
    from webtool.extraction import Extraction

EXTRACTOR = "webtool"
_ENOUGH = 2000  # characters of markdown from which a page needs no word about what is missing


class Converted(NamedTuple):
    """What conversion gives: columns of the snapshot (title, markdown, text, links_json, ...) and notes."""

    columns: dict[str, object]
    notes: tuple[str, ...] = ()
    shell: str = ""
    """Why the page looks as if it needed a browser; "" when it does not."""


def convert(ctx: Context, wanted: Wanted, body: bytes, content_type: str | None, url: str) -> Converted:
    """A body as markdown or text. Raises UnsupportedContent or ExtractFailed."""
    kind = documents.kind_of(body, content_type, url)
    if wanted.mode == "raw":
        if kind != "html" and not documents.is_text(kind):
            raise documents.unsupported(body, content_type, url)
        return Converted({"raw_bytes": body, "text": html.decode(body, content_type)[0], **_extractor("raw")})
    if kind == "html" and url.partition("?")[0].endswith(_TEXT_NAMES):
        raise UnsupportedContent(
            f"{urls.redact(url)} is not the text file that its name says but an HTML page",
            hint="The site has no such file; open its start page instead.",
            url=urls.redact(url),
        )
    if kind == "html":
        return convert_html(ctx, wanted, body, content_type, url)
    most = wanted.max_bytes or ctx.settings.max_bytes
    document = documents.convert(body, kind, content_type, url, deadline=ctx.deadline, max_bytes=most)
    columns = {"title": document.title or None, "markdown": document.markdown, **_extractor(document.kind)}
    notes = [document.note] if document.note else []
    if not document.markdown.strip() and not notes:
        notes.append("the document has no text")
    if wanted.select or wanted.drop:
        notes.append(f"select and drop are for HTML; this is {document.kind}")
    return Converted(columns, tuple(notes))


_TEXT_NAMES = ("/llms.txt", "/llms-full.txt")


def convert_html(ctx: Context, wanted: Wanted, body: str | bytes, content_type: str | None, url: str) -> Converted:
    """An HTML page: the whole document, or its main content by site rules or by the learned model."""
    budget = Budget(TIMES * max(wanted.max_bytes or ctx.settings.max_bytes, len(body)))
    with html.Reading() as trees:
        if wanted.mode != "full":
            return _main_content(ctx, wanted, (body, content_type, url), trees, budget)
        root = trees.keep(html.parse_page(body, content_type))
        _choose(root, wanted)
        hidden = find_hidden(root, keep_panels=True)
        text = markdown.to_markdown(root, url or None, keep_nav=bool(wanted.select), hidden=hidden, budget=budget)
        columns = {"title": title_of(root) or None, "markdown": text, **_extractor("html")}
        shell = "" if len(text) > _ENOUGH else shell_of(root)
        unseen = reading.of_hidden(words_in(hidden), words_in(hidden.doubtful))
        return Converted(columns, (*_walls(ctx, root, text, shell), *unseen))


def _main_content(
    ctx: Context, wanted: Wanted, page: tuple[str | bytes, str | None, str], trees: html.Reading, budget: Budget
) -> Converted:
    from webtool.extraction import article
    from webtool.pages import site_rules

    body, content_type, url = page
    rules = site_rules.rules_for(ctx, url, wanted.siteconfig_id) if wanted.use_siteconfig else None
    text = body if isinstance(body, str) else html.decode(body, content_type)[0]
    if rules is not None:
        from webtool.siteconfig.apply import replaced

        text = replaced(rules, text)
    root = _tree(trees, text, wanted)
    shell = shell_of(root) if wanted.mode == "readable" else ""
    _choose(root, wanted)
    if wanted.select:  # what was chosen is not chosen from again
        text = markdown.to_markdown(root, url or None, keep_nav=True, budget=budget)
        made = {**_extractor("select"), **_configuration("select", wanted, {})}
        return Converted({"title": title_of(root) or None, "markdown": text, **made})
    if rules is None and wanted.use_siteconfig:
        rules = site_rules.rules_of_generator(ctx, root)
    notes: tuple[str, ...] = ()
    groups = wanted.with_groups

    def read(root: Document, groups: Sequence[int]) -> article.Found:
        return article.read(root, url or None, "readability", groups, trees=trees, budget=budget, **wanted.thresholds)  # type: ignore[arg-type]

    found = read(root, () if rules is not None else groups)
    if rules is not None:
        from webtool.pages.site_rule_pages import Keeping

        again = _tree(trees, text, wanted) if groups else None  # as rules change the tree
        if again is not None:
            _choose(again, wanted)
        keeping = Keeping(ctx, rules, found, Budget(budget.limit), trees)
        kept = keeping.keep(root, url, groups, again)
        notes = kept.notes
        if kept.columns:
            made = {**_extractor("site rules"), **_configuration("site rules", wanted, kept.said)}
            return Converted({**made, **kept.columns}, notes)
        if not rules.autodetect_on_failure:
            raise ExtractFailed(f"the site rules {rules.id} find no text", hint="Call again with use_siteconfig false.")
        if again is not None:
            found = read(again, groups)
    notes = (*notes, *_walls(ctx, root, found.found.markdown, shell))
    return Converted(extraction_columns(found.found, wanted), notes, shell)


def _tree(trees: html.Reading, text: str, wanted: Wanted) -> Document:
    root = trees.keep(html.parse_page(text, scripting=False))
    if wanted.mark:
        take_marks(root, wanted.mark)
    return root


def extracted(
    source: str, base_url: str | None, strategy: str, groups: tuple[int, ...], select: str, drop: str
) -> tuple[Extraction, tuple[str, ...]]:
    """webtool.extraction.extract() of HTML at hand, of what was chosen of it, and notes; what `select` keeps is kept
    whole."""
    from webtool import extraction
    from webtool.pages import choosing

    with html.Reading() as trees:
        root = trees.keep(html.parse_page(source, scripting=not (select or drop)))
        shell = shell_of(root)
        choosing.choose(root, select, drop)
        if select:
            found = extraction.extract(root, base_url, "plain_text")
            base = base_of(root, base_url) if base_url else None
            found = found._replace(markdown=markdown.to_markdown(root, base, keep_nav=True), strategy_used="select")
        else:
            found = extraction.extract(root, base_url, strategy, groups)
        return found, _walls(None, root, found.markdown, shell)


def shell_of(root: Document) -> str:
    """Why the page looks as if scripts had to fill it; "" where it does not."""
    from webtool.html.shell import looks_like_js_shell

    return looks_like_js_shell(root) or ""


def _walls(ctx: Context | None, root: Document, text: str, shell: str) -> tuple[str, ...]:
    """What stands between the reader and the page, in a sentence; a page with enough text is not looked at again.

    Without a context it is HTML that somebody has.
    """
    if len(text) > _ENOUGH:
        return ()
    from webtool.html.shell import asks_for_login

    if shell and (ctx is None or ctx.local is not None):
        return (f"this page seems to need a browser ({shell}): open its URL, or give what a browser has made of it",)
    if shell and ctx and ctx.settings.render != "auto":
        return (f"this page seems to need a browser ({shell}): mode rendered would show it, if WEBTOOL_RENDER is on",)
    if asks_for_login(root):
        return ("this page asks for a login: the hosts file can hold headers or cookies for its host",)
    if not text.strip():
        return ("the page has no text",)
    return ()


def _choose(root: Document, wanted: Wanted) -> None:
    if wanted.select or wanted.drop:
        from webtool.pages import choosing

        choosing.choose(root, wanted.select, wanted.drop)


def title_of(root: Document) -> str:
    """The document's title as the DOM has it: the first <title> of HTML, white space collapsed."""
    for element in elements(root):
        if element.tag == "title" and element.namespace == "html":
            return " ".join(element.text.split())
        if element.tag == "body":
            break
    return ""


def extraction_columns(found: Extraction, wanted: Wanted) -> dict[str, object]:
    """The columns of a page whose main content was extracted."""
    return {
        "title": found.title or None,
        "markdown": found.markdown,
        "text": found.text,
        "links_json": jsontext.dumps(found.links),
        **_extractor(found.strategy_used),
        **_configuration(found.strategy_used, wanted, reading.of(found)),
    }


def _configuration(strategy: str, wanted: Wanted, said: dict[str, object]) -> dict[str, object]:
    members = {**wanted.thresholds, **chosen_rules(wanted), "strategy_used": strategy, reading.READING: said}
    if wanted.with_groups:
        members["with"] = list(wanted.with_groups)
    return {"extract_cfg_json": jsontext.dumps(members, is_plain=True)}


def _extractor(configuration: str) -> dict[str, object]:
    """Who made the text, for reproducing it. Letters only, so that no fetch needs a JSON writer for it."""
    return {
        "extractor_name": EXTRACTOR,
        "extractor_version": __version__,
        "extract_cfg_json": f'{{"configuration": "{configuration}"}}',
    }
