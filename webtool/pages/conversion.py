"""Convert a body to markdown or text. In: a PageRequest and a Source. Out: columns of a snapshot, and notes.

documents.kind_of says what the body is. HTML becomes the whole document (mode full) or its main content (readable,
rendered): by site rules if the site has some, else by the learned model. Other kinds are converted by
webtool.documents. Mode raw only decodes. A "shell" is a page whose text is filled in by scripts: it needs a browser.
Tests: tests/pages/test_bounds.py
"""

from __future__ import annotations

from collections.abc import Sequence

from webtool import __version__, documents, html, markdown, urls
from webtool.errors import ExtractFailed, UnsupportedContent, counted
from webtool.html.head_links import base_of, generator_of
from webtool.html.node import Document, elements
from webtool.lean import jsontext
from webtool.lean.records import NamedTuple
from webtool.lean.typing import Any
from webtool.pages.request import PageRequest, Source
from webtool.pages.stored_copies import READING, choices_json, extraction_facts
from webtool.running.budget import MAX_GROWTH, Budget
from webtool.visibility.hidden import find_hidden, take_marks
from webtool.visibility.text_lengths import words_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.context import Context
    from webtool.extraction import Extraction, article
    from webtool.siteconfig.rules import Rules

EXTRACTOR = "webtool"
_ENOUGH_TEXT = 2000  # characters of markdown; with more, no note asks for a browser or a login
_MIN_HIDDEN_WORDS = 4  # with fewer hidden words no note is made: "(new window)" says nothing to an agent
_TEXT_FILE_NAMES = ("/llms.txt", "/llms-full.txt")  # a site that lacks them often answers with an HTML page


class Converted(NamedTuple):
    """The result of a conversion."""

    columns: dict[str, object]  # columns of the snapshot: title, markdown, text, links_json, extractor_name, ...
    notes: tuple[str, ...] = ()
    shell: str = ""  # why the page looks as if scripts had to fill it; "" if it does not
    changes: tuple[str, ...] = ()
    """With the setting debug: one line for each block that an extraction rule dropped or kept."""


def convert(ctx: Context, request: PageRequest, source: Source) -> Converted:
    """Convert a body of any kind; one that is text is HTML. Raises UnsupportedContent or ExtractFailed."""
    body, content_type, url, _ = source
    if isinstance(body, str):
        return convert_html(ctx, request, source)
    kind = documents.kind_of(body, content_type, url)
    if request.mode == "raw":
        if kind != "html" and not documents.is_text(kind):
            raise documents.unsupported(body, content_type, url)
        decoded = html.read(body, content_type)
        columns = {"raw_bytes": body, "text": decoded.text, **_extractor("raw")}
        return Converted(columns, (decoded.note,) if decoded.note else ())
    if kind == "html":
        if url.partition("?")[0].endswith(_TEXT_FILE_NAMES):
            raise UnsupportedContent(
                f"{urls.redact(url)} is not the text file that its name says but an HTML page",
                hint="The site has no such file; open its start page instead.",
                url=urls.redact(url),
            )
        return convert_html(ctx, request, source)
    max_bytes = request.max_bytes or ctx.settings.max_bytes
    document = documents.convert(body, kind, content_type, url, deadline=ctx.deadline, max_bytes=max_bytes)
    columns = {"title": document.title or None, "markdown": document.markdown, **_extractor(document.kind)}
    if document.hidden_words:
        left_out = [{"n": 1, "kind": "hidden", "words": document.hidden_words, "begins": "(not shown)"}]
        configuration = {"configuration": document.kind, READING: {"left_out": left_out}}
        columns["extract_cfg_json"] = jsontext.dumps(configuration, is_plain=True)
    notes = [document.note] if document.note else []
    if not document.markdown.strip() and not notes:
        notes.append("the document has no text")
    if request.select or request.drop:
        notes.append(f"select and drop are for HTML; this is {document.kind}")
    if request.with_groups:
        notes.append(f"with is for HTML; hidden text of {document.kind} is not added back")
    return Converted(columns, tuple(notes))


def convert_html(ctx: Context, request: PageRequest, source: Source) -> Converted:
    """Convert HTML: the whole document in mode full, else its main content. Raises ExtractFailed."""
    budget = Budget(MAX_GROWTH * max(request.max_bytes or ctx.settings.max_bytes, len(source.body)))
    notes: tuple[str, ...] = ()
    if isinstance(source.body, bytes):
        decoded = html.read(source.body, source.content_type)
        source = source._replace(body=decoded.text)
        notes = (decoded.note,) if decoded.note else ()
    with html.Reading() as trees:
        if request.mode == "full":
            converted = _whole_document(ctx, request, source, trees, budget)
        else:
            converted = _MainContent(ctx, request, source, trees, budget).convert()
    return converted._replace(notes=(*notes, *converted.notes))


def _whole_document(
    ctx: Context, request: PageRequest, source: Source, trees: html.Reading, budget: Budget
) -> Converted:
    """Convert all of a page, whose body is text."""
    root = trees.keep(html.parse_page(str(source.body)))
    if source.mark:
        take_marks(root, source.mark)
    _choose(root, request.select, request.drop)
    hidden = find_hidden(root, keep_panels=True)
    text = markdown.to_markdown(root, source.url or None, keep_nav=bool(request.select), hidden=hidden, budget=budget)
    columns = {"title": title_of(root) or None, "markdown": text, **_extractor("html")}
    shell = "" if len(text) > _ENOUGH_TEXT or source.mark else shell_of(root)
    hidden_notes = hidden_words_notes(words_in(hidden), words_in(hidden.doubtful))
    return Converted(columns, (*_missing_text_notes(ctx, root, text, shell), *hidden_notes), shell)


class _MainContent:
    """The main content of one HTML page, whose body is text.

    `trees` frees the parsed trees at the end; `budget` bounds the text that is made.
    """

    def __init__(self, ctx: Context, request: PageRequest, source: Source, trees: html.Reading, budget: Budget) -> None:
        from webtool import siteconfig

        self._ctx, self._request, self._source, self._trees, self._budget = ctx, request, source, trees, budget
        self._base_url = source.url or None
        self._changes: list[str] = []  # see Converted.changes
        self._rules: Rules | None = None
        if request.use_siteconfig:
            folder, host = ctx.settings.siteconfig_dir, urls.hostname(source.url)
            self._rules = siteconfig.find(host, folder, chosen=request.siteconfig_id)
        self._text = str(source.body)
        if self._rules is not None:
            from webtool.siteconfig.apply import replaced

            self._text = replaced(self._rules, self._text)

    def convert(self) -> Converted:
        """Convert by `select`, by site rules, or by the learned model. Raises ExtractFailed."""
        request = self._request
        root = self._parse()
        shell = shell_of(root) if request.mode == "readable" else ""
        _choose(root, request.select, request.drop)
        if request.select:  # the caller chose the content, so nothing else chooses
            text = markdown.to_markdown(root, self._base_url, keep_nav=True, budget=self._budget)
            columns = {"title": title_of(root) or None, "markdown": text, **_made_by("select", request, {})}
            shell = "" if len(text) > _ENOUGH_TEXT else shell
            return Converted(columns, _missing_text_notes(self._ctx, root, text, shell), shell)
        if self._rules is None and request.use_siteconfig:
            from webtool import siteconfig

            folder, generator = self._ctx.settings.siteconfig_dir, generator_of(root) or ""
            self._rules = siteconfig.find("", folder, generator=generator, or_global=True)
        notes: tuple[str, ...] = ()
        if self._rules is None:
            extraction = self._read(root, request.with_groups).extraction
        else:
            converted, extraction = self._by_rules(self._rules, root)
            if converted.columns:
                return converted
            notes = converted.notes
        notes = (*notes, *_missing_text_notes(self._ctx, root, extraction.markdown, shell, extraction.no_content))
        columns = {
            "title": extraction.title or None,
            "markdown": extraction.markdown,
            "text": extraction.text,
            "links_json": jsontext.dumps(extraction.links),
            **_made_by(extraction.strategy_used, request, extraction_facts(extraction)),
        }
        return Converted(columns, notes, shell, tuple(self._changes))

    def _by_rules(self, rules: Rules, root: Document) -> tuple[Converted, Extraction]:
        """Apply site rules to a tree, which they change. Return the page, and the main content that the model chooses.

        A page without columns says that the rules found no text. Raises ExtractFailed if they forbid the model's choice
        then (autodetect_on_failure). Groups are added back from a second tree.
        """
        from webtool.pages.site_rule_pages import SiteRuleReader

        request, groups = self._request, self._request.with_groups
        choice = self._read(root, ())
        second_tree = self._parse() if groups else None
        if second_tree is not None:
            _choose(second_tree, request.select, request.drop)
        reader = SiteRuleReader(self._ctx, rules, choice, Budget(self._budget.limit), self._trees)
        ruled = reader.read(root, self._source.url, groups, second_tree)
        if ruled.columns:
            columns = {**_made_by("site rules", request, ruled.facts), **ruled.columns}
            return Converted(columns, ruled.notes), choice.extraction
        if not rules.autodetect_on_failure:
            raise ExtractFailed(f"the site rules {rules.id} find no text", hint="Call again with use_siteconfig false.")
        if second_tree is not None:
            self._changes.clear()  # those of the first tree
            choice = self._read(second_tree, groups)
        return Converted({}, ruled.notes), choice.extraction

    def _parse(self) -> Document:
        root = self._trees.keep(html.parse_page(self._text, scripting=False))
        if self._source.mark:
            take_marks(root, self._source.mark)
        return root

    def _read(self, root: Document, groups: Sequence[int]) -> article.Extracted:
        """Choose the main content by the learned model; `groups` of what it leaves out are added back."""
        from webtool.extraction import article

        limits: dict[str, Any] = dict(self._request.thresholds)
        if self._ctx.settings.debug:
            limits["report"] = lambda change: self._changes.append(change.line())
        return article.read(
            root, self._base_url, "readability", groups, trees=self._trees, budget=self._budget, **limits
        )


def extract_html(
    text: str, base_url: str | None, strategy: str, groups: tuple[int, ...], select: str, drop: str, debug: bool
) -> tuple[Extraction, tuple[str, ...], list[str]]:
    """Extract the main content of HTML that the caller has, after `select` and `drop`.

    Returns it with notes about missing text and, with `debug`, one line for each change that an extraction rule made.
    Selected elements are kept whole: no strategy chooses among them.
    """
    from webtool import extraction

    changes: list[str] = []
    report = (lambda change: changes.append(change.line())) if debug else None
    with html.Reading() as trees:
        root = trees.keep(html.parse_page(text, scripting=not (select or drop)))
        shell = shell_of(root)
        _choose(root, select, drop)
        if select:
            result = extraction.extract(root, base_url, "plain_text")
            base = base_of(root, base_url) if base_url else None
            whole = markdown.to_markdown(root, base, keep_nav=True)
            result = result._replace(markdown=whole, strategy_used="select")
        else:
            result = extraction.extract(root, base_url, strategy, groups, report=report)
        return result, _missing_text_notes(None, root, result.markdown, shell, result.no_content), changes


def shell_of(root: Document) -> str:
    """Return why the page looks as if scripts had to fill it; "" if it does not."""
    from webtool.html.shell import looks_like_js_shell

    return looks_like_js_shell(root) or ""


def _missing_text_notes(
    ctx: Context | None, root: Document, text: str, shell: str, no_content: str = ""
) -> tuple[str, ...]:
    """Return a note on why a page has little text: it needs a browser or a login, is an error page, or is empty.

    A page with more than _ENOUGH_TEXT gets none. `ctx` is None for HTML that the caller has; `no_content` is what
    extraction says.
    """
    if len(text) > _ENOUGH_TEXT:
        return ()
    from webtool.html.shell import asks_for_login

    if shell and (ctx is None or ctx.local is not None):
        return (f"this page seems to need a browser ({shell}): open its URL, or give what a browser has made of it",)
    if shell and ctx and ctx.settings.render != "auto":
        effect = "shows it" if ctx.settings.render == "on" else "would show it, if WEBTOOL_RENDER is on"
        return (f"this page seems to need a browser ({shell}): mode rendered {effect}",)
    if asks_for_login(root) or no_content.endswith("login"):
        return ("this page asks for a login: the hosts file can hold headers or cookies for its host",)
    if not text.strip():
        return ("the page has no text",)
    return (f"this page has no content: {no_content}",) if no_content and not shell else ()


def hidden_words_notes(hidden: object, doubtful: object) -> list[str]:
    """Return notes on the numbers of words that the page hides, and that it may hide."""
    notes = []
    if isinstance(hidden, int) and hidden >= _MIN_HIDDEN_WORDS:
        notes.append(f"not shown: {hidden} words that the page hides")
    if isinstance(doubtful, int) and doubtful:
        notes.append(f"{counted(doubtful, 'word')} may be hidden on the page: its styles do not decide it")
    return notes


def _choose(root: Document, select: str, drop: str) -> None:
    """Remove what `select` and `drop` do not keep."""
    if select or drop:
        from webtool.pages import elements as chosen_elements

        chosen_elements.choose(root, select, drop)


def title_of(root: Document) -> str:
    """Return the document's title as the DOM has it: the first <title> of HTML, white space collapsed."""
    for element in elements(root):
        if element.tag == "title" and element.namespace == "html":
            return " ".join(element.text.split())
        if element.tag == "body":
            break
    return ""


def _made_by(strategy: str, request: PageRequest, facts: dict[str, object]) -> dict[str, object]:
    """Return the columns that say how main content was made: extractor, version, choices, facts."""
    return {**_extractor(strategy), "extract_cfg_json": choices_json(strategy, request, facts)}


def _extractor(configuration: str) -> dict[str, object]:
    """Return the columns that say which program made the text. `configuration` needs no escapes in JSON."""
    return {
        "extractor_name": EXTRACTOR,
        "extractor_version": __version__,
        "extract_cfg_json": f'{{"configuration": "{configuration}"}}',
    }
