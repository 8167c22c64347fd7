"""Give the part of a page that a call asks for. In: markdown, and arguments that name the part. Out: a PagePart.

Every tool that gives a page's text takes the arguments in PROPERTIES and answers with the same members, whatever the
page is: HTML, a PDF, a feed. Lines are numbered from 1, as `offset` counts them. The modules that find parts are
imported on first use: most calls want the whole page, and importing them takes 10 ms.
"""

from __future__ import annotations

from collections.abc import Mapping

from webtool.answers import budget
from webtool.errors import InvalidArgument
from webtool.lean.records import NamedTuple

QUESTIONS: dict[str, dict[str, object]] = {
    "outline": {"type": "boolean", "description": "Headings with lines and tokens"},
    "section": {"type": "string", "description": "Heading, A > B, or line"},
    "find": {"type": "string", "description": "Words or /regex/i"},
    "query": {"type": "string", "description": "Best passages for a question (max_tokens 800)"},
    "verify": {"type": "string", "description": "A quote to check"},
    "sql": {"type": "string", "description": "SELECT over t1, t2 ..."},
}  # arguments that ask for a part, as properties of a JSON schema; a call has at most one of them
PROPERTIES: dict[str, dict[str, object]] = {
    **QUESTIONS,
    "context": {"type": "integer", "minimum": 0, "description": "Lines around a find (2)"},
    "links": {"type": "string", "enum": ["inline", "refs", "none"], "description": "In text"},
    "images": {"type": "string", "enum": ["keep", "alt", "none"], "description": "In text"},
}  # QUESTIONS, and arguments that say how links and images are written


def without_descriptions(schemas: Mapping[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Return the schemas without descriptions, for tools that are listed after web_open, which has them.

    A model reads the list of tools at every start, so repeating them would cost tokens.
    """
    return {
        name: {member: value for member, value in schema.items() if member != "description"}
        for name, schema in schemas.items()
    }


FLAG_HELP = {
    "outline": "Show the headings, with their lines and the tokens below them",
    "section": "Show what is below this heading; give a path (A > B) or a line if several have the same name",
    "find": "Show the lines that hold these words, or match /a regular expression/i",
    "query": "Show the passages that answer this, in at most --max-tokens (800)",
    "sql": "Answer one SELECT over the page's tables t1, t2 ...; --outline lists them with their columns",
    "verify": "Say whether the page has this quote: verbatim, normalised or absent",
    "context": "Lines to show around each match of --find (2)",
    "links": "Links as inline (default), refs (numbered, their addresses once at the end) or none (text only)",
    "max_tokens": "Cut the answer after about this many tokens (four bytes each; query: 800)",
    "images": "Pictures as keep (default), alt (their description) or none",
}
_OUTSIDE_TABLES = "the tables are outside the main content: their lines are those of mode full"
_MAX_HEADINGS = 300  # of an outline; the deepest levels are left out first
_MAX_TITLE = 120  # characters of a heading in an outline; a longer one ends in an ellipsis
_MAX_TABLES, _MAX_COLUMNS = 30, 40  # that an outline lists
_HEADING_TOKENS = 8  # of a heading in an outline, besides its title
_MAX_CONTEXT = 50  # lines around a match
_MAX_CUT_TABLES = 3  # tables whose number of rows a note says
_MATCH_TOKENS = 12  # of a match, besides its text and heading


class PagePart(NamedTuple):
    """A part of a page."""

    text: str  # the part for a reader: markdown for section and query, else a list or a verdict
    members: dict[str, object]  # the part for a program: outline, section, matches, passages or verdict
    is_text: bool = False  # the text is the page's own: section and query
    notes: tuple[str, ...] = ()
    about: str = ""  # the answer in webtool's own words: a verdict, or that no line matches
    is_missed: bool = False  # the page has nothing of what the call asks for


def is_asked(members: Mapping[str, object]) -> bool:
    """Return whether the arguments ask for a part. Raises InvalidArgument if they ask for two."""
    asked = [name for name in QUESTIONS if members.get(name)]
    if len(asked) > 1:
        raise InvalidArgument(f"{asked[0]} and {asked[1]} are two questions", hint="Ask for one part in a call.")
    return bool(asked)


def viewed(text: str | None, members: Mapping[str, object]) -> str:
    """Return the markdown with links and images as the arguments want them; "" for None."""
    links, images = members.get("links") or "inline", members.get("images") or "keep"
    if not text or (links, images) == ("inline", "keep"):
        return text or ""
    from webtool.answers.reading import view

    return view(text, str(links), str(images))


LOOKS_BESIDE = ("find", "query", "verify", "sql", "outline")
"""Questions that look through the whole page, whatever the mode."""


def give(text: str, members: Mapping[str, object], offset: int = 1, max_tokens: int = 0, whole: str = "") -> PagePart:
    """Return the part of the text that the arguments ask for.

    `is_csv` of the arguments says that the text is a file of comma- or tab-separated values.
    `whole` is the markdown of the whole page if the text is only its main content. What only the whole page has is
    marked `outside_main`, and its lines are those of mode full.
    `offset` is for section only. `max_tokens` 0 is unlimited, for query 800. Raises InvalidArgument if the page has no
    such section, or the pattern or quote cannot be used.
    """
    name = next(name for name in QUESTIONS if members.get(name))
    value, is_csv = str(members[name]), bool(members.get("is_csv"))
    if name == "outline":
        return _outline(text, max_tokens, whole, is_csv)
    if name == "section":
        return _section(text, value, offset, max_tokens)
    if name == "find":
        context = members.get("context")
        lines_around = 2 if context is None else min(int(str(context)), _MAX_CONTEXT)
        return _find(text, value, max_tokens, whole, lines_around, is_csv)
    if name == "query":
        return _query(text, value, max_tokens, whole, is_csv)
    if name == "sql":
        return _sql(text, value, max_tokens, whole, is_csv)
    return _verify(text, value, whole)


def _sql(text: str, query: str, max_tokens: int, whole: str, is_csv: bool = False) -> PagePart:
    """Answer a SELECT over the page's tables, as a table."""
    from webtool.answers import blocks, sql, tables

    page = tables.page_of_values(text) if is_csv else blocks.parse(text)
    shapes = sql.shapes(page)
    is_outside = bool(whole) and not shapes
    if is_outside:
        page = blocks.parse(whole)
        shapes = sql.shapes(page)
    answer = sql.run(page, query, max_tokens)
    lines: list[list[object]] = [[*answer.columns], ["---"] * len(answer.columns), *answer.rows]
    texts = [["" if value is None else str(value) for value in line] for line in lines]
    shown = ["| " + " | ".join(" ".join(text.replace("|", "\\|").split()) for text in line) + " |" for line in texts]
    notes = tuple(
        f"only the first {sql.MAX_TABLE_ROWS:,} of the {shape.rows:,} rows of {shape.name} are searched"
        for shape in shapes
        if shape.rows > sql.MAX_TABLE_ROWS
    )[:_MAX_CUT_TABLES]
    notes += tuple(
        f"only the first {sql.MAX_COLUMNS} of the {shape.total_columns} columns of {shape.name} are searched"
        for shape in shapes
        if shape.total_columns > len(shape.columns)
    )[:_MAX_CUT_TABLES]
    notes += tuple(
        f"{column} is text: no date of it says whether the day or the month comes first"
        for column in answer.ambiguous[:_MAX_CUT_TABLES]
    )
    if len(answer.rows) < answer.total:
        notes += (f"{len(answer.rows):,} of {answer.total:,} rows are shown",)
    members: dict[str, object] = {"columns": answer.columns, "rows": answer.rows, "total_rows": answer.total}
    if is_outside:
        members["outside_main"] = True
        notes += (_OUTSIDE_TABLES,)
    return PagePart("\n".join(shown), members, notes=notes, is_missed=not answer.rows)


def _verify(text: str, quote: str, whole: str) -> PagePart:
    """Check a quote: its verdict, its lines, and the nearest passage if it is absent."""
    from webtool.answers.question import quotes

    verdict = quotes.verify(text, quote)
    if whole and verdict["verdict"] == quotes.ABSENT:
        outside = quotes.verify(whole, quote)
        if outside["verdict"] != quotes.ABSENT:
            verdict = {**outside, "outside_main": True}
    about = str(verdict["verdict"])
    lines = verdict.get("lines")
    if isinstance(lines, list):
        first, last = lines
        place = f"lines {first} to {last}" if last > first else f"line {first}"
        about += f" (nearest: {place})" if "nearest" in verdict else f": {place}"
    if "outside_main" in verdict:
        about += " of mode full, outside the main content"
    is_missed = verdict["verdict"] == quotes.ABSENT
    return PagePart(str(verdict.get("nearest", "")), dict(verdict), about=about, is_missed=is_missed)


def _outline(text: str, max_tokens: int, whole: str, is_csv: bool = False) -> PagePart:
    """List the headings. If they are too many, the deepest levels are left out, then the last ones."""
    from webtool.answers import outline

    entries: list[dict[str, object]] = [
        {**dict(entry), "title": budget.shortened(entry["title"], _MAX_TITLE)} for entry in outline.outline(text)
    ]
    notes: tuple[str, ...] = ()
    shown = entries
    fitting = _fitting(shown, max_tokens)
    while len(fitting) < len(shown) and len({entry["level"] for entry in shown}) > 1:
        deepest = max(int(str(entry["level"])) for entry in shown)
        shown = [entry for entry in shown if entry["level"] != deepest]
        fitting = _fitting(shown, max_tokens)
    shown = fitting
    if len(shown) < len(entries):
        notes = (f"{len(shown)} of {len(entries)} headings are shown: find and section reach the others",)
    top = min((int(str(entry["level"])) for entry in shown), default=1)
    lines = [
        f"{'  ' * (int(str(entry['level'])) - top)}- {entry['title']} (line {entry['line']}, {entry['tokens']} tokens)"
        for entry in shown
    ]
    members: dict[str, object] = {"outline": shown}
    if is_csv or "|" in text or "|" in whole:
        table_rows = _tables(text, is_csv)
        if not table_rows and whole:
            table_rows = _tables(whole)
            notes += (_OUTSIDE_TABLES,) if table_rows else ()
        lines += [f"- {row['name']} (line {row['line']}, {row['rows']} rows): {row['columns']}" for row in table_rows]
        for row in table_rows:
            row["columns"] = str(row["columns"]).split(", ")
        if table_rows:
            members["tables"] = table_rows
    return PagePart("\n".join(lines), members, notes=notes)


def _tables(text: str, is_csv: bool = False) -> list[dict[str, object]]:
    """Return the page's tables, as sql names them, with their columns in one text."""
    from webtool.answers import blocks, sql, tables

    return [
        {
            "name": shape.name,
            "line": shape.line,
            "rows": shape.rows,
            "columns": ", ".join(shape.columns[:_MAX_COLUMNS]),
            "heading": budget.shortened(shape.caption, _MAX_TITLE),
        }
        for shape in sql.shapes(tables.page_of_values(text) if is_csv else blocks.parse(text))[:_MAX_TABLES]
    ]


def _fitting(entries: list[dict[str, object]], max_tokens: int) -> list[dict[str, object]]:
    """Return as many of the first headings as _MAX_HEADINGS and the tokens allow; at least one."""
    sizes = (budget.estimate_tokens(str(entry["title"])) + _HEADING_TOKENS for entry in entries[:_MAX_HEADINGS])
    return entries[: max(budget.count_fitting(sizes, max_tokens or _MAX_HEADINGS * _MAX_TITLE), 1)]


def _section(text: str, name: str, offset: int, max_tokens: int) -> PagePart:
    from webtool.answers import outline

    section = outline.find_section(text, name)
    last = section.last_line
    if offset > last:
        raise InvalidArgument(
            f"offset {offset} is after the end of the section", hint=f"It ends with line {last}; leave out section."
        )
    text_to_end = "\n".join(text.split("\n")[:last])
    lines = budget.take_lines(text_to_end, max(offset, section.first_line), max_tokens)
    members: dict[str, object] = {
        "section": {"title": section.title, "path": section.path, "first_line": section.first_line, "last_line": last}
    }
    notes: tuple[str, ...] = ()
    if lines.next_offset is not None:
        members["next_offset"] = lines.next_offset
        notes = (f"the section goes on to line {last}: go on with offset {lines.next_offset}",)
    return PagePart(lines.text, members, is_text=True, notes=notes)


def _find(text: str, pattern: str, max_tokens: int, whole: str, context: int, is_csv: bool = False) -> PagePart:
    """List the lines that match, as many as fit; at least one."""
    from webtool.answers import blocks, finding, tables

    search = finding.search(tables.page_of_values(text, as_written=True) if is_csv else text, pattern, context)
    windows, total, inside = search.windows, search.total, search.inside
    if whole:
        beside = finding.search(whole, pattern, context, blocks.outside_of(text))
        inside += beside.inside
        # Lines with whole words win: those with longer words, in the main content or beside it, are only counted.
        if search.is_inside and beside.total and not beside.is_inside:
            windows, total, inside = [], 0, inside + total
        if total and beside.is_inside and not search.is_inside:
            inside += beside.total
        else:
            windows = (windows + [{**window, "outside_main": True} for window in beside.windows])[: finding.MAX_MATCHES]
            total += beside.total
    if max_tokens:
        sizes = (budget.estimate_tokens(f"{window['text']}{window['own']}{window['headings']}") for window in windows)
        fitting = budget.count_fitting((size + _MATCH_TOKENS for size in sizes), max_tokens)
        windows = windows[:fitting] or [_shortened_window(window, max_tokens) for window in windows[:1]]
    shown = []
    for window in windows:
        lines: list[int] = window["lines"]  # type: ignore[assignment]
        label = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
        where = " outside the main content (mode full)" if "outside_main" in window else ""
        shown.append(f"{_heading_of(window)}, {label}{where}:\n{window['text']}".lstrip(", "))
    matches = finding.matches_of(windows)
    notes: tuple[str, ...] = (f"{len(matches)} of {total} matches are shown",) if len(matches) < total else ()
    if inside:
        longer = "1 more line has" if inside == 1 else f"{inside} more lines have"
        notes += (f"{longer} these words only inside longer words: find takes /a regular expression/i for them",)
    members: dict[str, object] = {"matches": matches, "total_matches": total}
    about = "" if matches else "no line matches"
    return PagePart("\n\n".join(shown), members, notes=notes, about=about, is_missed=not matches)


def _shortened_window(window: dict[str, object], max_tokens: int) -> dict[str, object]:
    """Return a window that does not fit with its first match only, and a beginning of its text."""
    firsts = {name: window[name][:1] for name in ("lines", "own", "headings")}  # type: ignore[index]
    room = max(max_tokens - budget.estimate_tokens(_heading_of(window)) - _MATCH_TOKENS, max_tokens // 2)
    return {**window, **firsts, "text": budget.cut_to_tokens(str(window["text"]), room)}


def _heading_of(window: dict[str, object]) -> str:
    return str(window["headings"][0])  # type: ignore[index]


def _query(text: str, query: str, max_tokens: int, whole: str, is_csv: bool = False) -> PagePart:
    """Give the passages that answer a query, each with the line to go on from."""
    from webtool.answers import blocks, tables
    from webtool.answers.question import excerpt

    page, main_lines = blocks.merged(text, whole) if whole else (blocks.parse(text), 0)
    if is_csv:
        page, main_lines = tables.page_of_values(text, as_written=True), 0
    min_share = 0.0 if max_tokens else excerpt.MIN_SHARE
    selected = excerpt.select(page, query, max_tokens or excerpt.MAX_TOKENS, main_lines, min_share)
    last = text.rstrip("\n").count("\n") + 1
    passages: list[dict[str, object]] = []
    notes: tuple[str, ...] = ()
    for passage in selected.passages:
        row = dict(passage._asdict())
        if main_lines and passage.first_line > main_lines:
            first, end = passage.first_line - main_lines - 1, passage.last_line - main_lines - 1
            row.update(first_line=first, last_line=end, outside_main=True)
        elif passage.last_line < last:
            row["next_offset"] = passage.last_line + 1
        passages.append(row)
    beside = sum("outside_main" in row for row in passages)
    if beside:
        which = "the last passage is" if beside == 1 else f"the last {beside} passages are"
        which = "all passages are" if beside == len(passages) else which
        notes += (f"{which} outside the main content: the lines are those of mode full",)
    if not selected.is_found:
        notes += ("no word of the query is on the page: this is its beginning",)
    elif selected.absent_words:
        notes += (f"not on the page: {', '.join(word[:60] for word in selected.absent_words[:10])}",)
    if selected.cut_tables:
        names = {table.line: table.name for table in tables.tables(page)}
        for table in selected.cut_tables[:_MAX_CUT_TABLES]:
            name = names.get(table.line, "a table")
            notes += (f"{table.shown:,} of {table.total:,} rows of {name} are shown: sql searches all rows",)
    members: dict[str, object] = {"passages": passages, "absent_words": list(selected.absent_words)}
    return PagePart(selected.text, members, True, notes, is_missed=not selected.is_found)
