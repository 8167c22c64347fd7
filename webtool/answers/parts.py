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
from webtool.lean.typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from webtool.answers.blocks import Page
    from webtool.answers.sql import Shape

# Arguments that ask for a part, as properties of a JSON schema; a call has at most one of them.
QUESTIONS: dict[str, dict[str, object]] = {
    "outline": {"type": "boolean", "description": "Headings with lines and tokens"},
    "section": {"type": "string", "description": "Heading, A > B, or line"},
    "find": {"type": "string", "description": "Words or /regex/i"},
    "query": {"type": "string", "description": "Best passages for a question (max_tokens 800)"},
    "verify": {"type": "string", "description": "A quote to check"},
    "sql": {"type": "string", "description": "SELECT over t1, t2 ..."},
}
# Questions that also search what is beside the main content, so that callers give the whole page too.
LOOKS_BESIDE = ("find", "query", "verify", "sql", "outline")
# QUESTIONS, and arguments that say how links and images are written.
PROPERTIES: dict[str, dict[str, object]] = {
    **QUESTIONS,
    "context": {"type": "integer", "minimum": 0, "description": "Lines around a find (2)"},
    "links": {"type": "string", "enum": ["inline", "refs", "none"], "description": "In text"},
    "images": {"type": "string", "enum": ["keep", "alt", "none"], "description": "In text"},
}


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
_MAX_HEADINGS = 300  # of an outline
_MAX_TITLE = 120  # characters of a heading in an outline; a longer one ends in an ellipsis
_MAX_TABLES, _MAX_COLUMNS = 30, 40  # that an outline lists
_HEADING_TOKENS = 8  # of a heading in an outline, besides its title
_CONTEXT, _MAX_CONTEXT = 2, 50  # lines around a match
_MAX_CUT_TABLES = 3  # notes on one limit ("only the first 900 rows of t1 are searched"); further tables get none


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


class _Asked(NamedTuple):
    """The page of a call, and what every question uses."""

    main: str  # the page's main content, or all of it
    whole: str  # all of the page if `main` is less, else ""
    is_csv: bool  # `main` is a file of comma- or tab-separated values
    offset: int  # for section only: the first line to give
    context: int  # for find only: lines around a match
    max_tokens: int  # 0 is unlimited


def give(text: str, members: Mapping[str, object], offset: int = 1, max_tokens: int = 0, whole: str = "") -> PagePart:
    """Return the part of the text that the arguments ask for.

    `is_csv` of the arguments says that the text is a file of comma- or tab-separated values.
    `whole` is the markdown of the whole page if the text is only its main content. What only the whole page has is
    marked `outside_main`, and its lines are those of mode full.
    `offset` is for section only. `max_tokens` 0 is unlimited, for query 800. Raises InvalidArgument if the page has no
    such section, or the pattern or quote cannot be used.
    """
    name, value = next((name, str(members[name])) for name in QUESTIONS if members.get(name))
    context = members.get("context")
    lines_around = _CONTEXT if context is None else min(int(str(context)), _MAX_CONTEXT)
    asked = _Asked(text, whole, bool(members.get("is_csv")), offset, lines_around, max_tokens)
    givers = {
        "outline": _outline, "section": _section, "find": _find, "query": _query, "verify": _verify, "sql": _sql,
    }  # fmt: skip
    return givers[name](asked, value)


def _sql(asked: _Asked, query: str) -> PagePart:
    """Answer a SELECT over the page's tables, as a table."""
    from webtool.answers import sql

    page, shapes, is_outside = _tables(asked)
    answer = sql.run(page, query, asked.max_tokens)
    rows: list[list[object]] = [[*answer.columns], ["---"] * len(answer.columns), *answer.rows]
    texts = [["" if value is None else str(value) for value in row] for row in rows]
    lines = ["| " + " | ".join(" ".join(text.replace("|", "\\|").split()) for text in row) + " |" for row in texts]
    notes = [
        f"only the first {sql.MAX_TABLE_ROWS:,} of the {shape.rows:,} rows of {shape.name} are searched"
        for shape in shapes
        if shape.rows > sql.MAX_TABLE_ROWS
    ][:_MAX_CUT_TABLES]
    notes += [
        f"only the first {sql.MAX_COLUMNS} of the {shape.total_columns} columns of {shape.name} are searched"
        for shape in shapes
        if shape.total_columns > len(shape.columns)
    ][:_MAX_CUT_TABLES]
    for column in answer.ambiguous[:_MAX_CUT_TABLES]:
        notes.append(f"{column} is text: no date of it says whether the day or the month comes first")
    if len(answer.rows) < answer.total:
        notes.append(f"{len(answer.rows):,} of {answer.total:,} rows are shown")
    members: dict[str, object] = {"columns": answer.columns, "rows": answer.rows, "total_rows": answer.total}
    if is_outside:
        members["outside_main"] = True
        notes.append(_OUTSIDE_TABLES)
    return PagePart("\n".join(lines), members, notes=tuple(notes), is_missed=not answer.rows)


def _tables(asked: _Asked) -> tuple[Page, list[Shape], bool]:
    """Return the page whose tables sql reads, its tables, and whether only the whole page has tables."""
    from webtool.answers import blocks, sql, tables

    page = tables.page_of_values(asked.main) if asked.is_csv else blocks.parse(asked.main)
    shapes = sql.shapes(page)
    if shapes or not asked.whole:
        return page, shapes, False
    page = blocks.parse(asked.whole)
    shapes = sql.shapes(page)
    return page, shapes, bool(shapes)


def _verify(asked: _Asked, quote: str) -> PagePart:
    """Check a quote: its verdict, its lines, and the nearest passage if it is absent."""
    from webtool.answers.question import quotes

    verdict = quotes.verify(asked.main, quote)
    if asked.whole and verdict["verdict"] == quotes.ABSENT:
        outside = quotes.verify(asked.whole, quote)
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


def _outline(asked: _Asked, _value: str) -> PagePart:
    """List the headings and tables. If the headings are too many, the deepest are left out, the last of them first."""
    from webtool.answers import outline

    headings: list[dict[str, Any]] = [
        {**heading, "title": budget.shortened(heading["title"], _MAX_TITLE)} for heading in outline.outline(asked.main)
    ]
    by_level = sorted(headings, key=lambda heading: heading["level"])  # of one level in the page's order
    shown = sorted(_fitting(by_level, asked.max_tokens), key=lambda heading: heading["line"])
    notes = []
    if len(shown) < len(headings):
        notes.append(f"{len(shown)} of {len(headings)} headings are shown: find and section reach the others")
    top = min((heading["level"] for heading in shown), default=1)
    lines = [
        f"{'  ' * (heading['level'] - top)}- {heading['title']} (line {heading['line']}, {heading['tokens']} tokens)"
        for heading in shown
    ]
    members: dict[str, object] = {"outline": shown}
    if asked.is_csv or "|" in asked.main or "|" in asked.whole:
        _, shapes, is_outside = _tables(asked)
        notes += [_OUTSIDE_TABLES] if is_outside else []
        rows = []
        for name, line, count, columns, caption, _ in shapes[:_MAX_TABLES]:
            columns, heading = columns[:_MAX_COLUMNS], budget.shortened(caption, _MAX_TITLE)
            rows.append({"name": name, "line": line, "rows": count, "columns": columns, "heading": heading})
            lines.append(f"- {name} (line {line}, {count} rows): {', '.join(columns)}")
        if rows:
            members["tables"] = rows
    return PagePart("\n".join(lines), members, notes=tuple(notes))


def _fitting(headings: list[dict[str, Any]], max_tokens: int) -> list[dict[str, Any]]:
    """Return as many of the first headings as _MAX_HEADINGS and the tokens allow; at least one."""
    listed = headings[:_MAX_HEADINGS]
    if max_tokens:
        sizes = (budget.estimate_tokens(heading["title"]) + _HEADING_TOKENS for heading in listed)
        listed = listed[: max(budget.count_fitting(sizes, max_tokens), 1)]
    return listed


def _section(asked: _Asked, name: str) -> PagePart:
    """Give the section with this heading, from line `offset` on if that is inside of it."""
    from webtool.answers import outline

    section = outline.find_section(asked.main, name)
    last = section.last_line
    if asked.offset > last:
        raise InvalidArgument(
            f"offset {asked.offset} is after the end of the section",
            hint=f"It ends with line {last}; leave out section.",
        )
    text_to_end = "\n".join(asked.main.split("\n")[:last])
    lines = budget.take_lines(text_to_end, max(asked.offset, section.first_line), asked.max_tokens)
    members: dict[str, object] = {
        "section": {"title": section.title, "path": section.path, "first_line": section.first_line, "last_line": last}
    }
    notes = budget.cut_notes(lines)
    if lines.next_offset is not None:
        members["next_offset"] = lines.next_offset
        notes.append(f"the section goes on to line {last}: go on with offset {lines.next_offset}")
    return PagePart(lines.text, members, is_text=True, notes=tuple(notes))


def _find(asked: _Asked, pattern: str) -> PagePart:
    """List the lines that match, as many as fit; at least one."""
    from webtool.answers import finding, tables

    main = tables.page_of_values(asked.main, as_written=True) if asked.is_csv else asked.main
    windows, total, in_longer, _ = finding.search_both(main, asked.whole, pattern, asked.context)
    if asked.max_tokens:
        sizes = (budget.estimate_tokens(f"{window['text']}{window['own']}{window['headings']}") for window in windows)
        fitting = budget.count_fitting((size + finding.MATCH_TOKENS for size in sizes), asked.max_tokens)
        shown = windows[:fitting]
        windows = shown or [finding.shortened_window(window, pattern, asked.max_tokens) for window in windows[:1]]
    texts = []
    for window in windows:
        label = f"line{'s' if len(window['lines']) > 1 else ''} {', '.join(map(str, window['lines']))}"
        where = " outside the main content (mode full)" if "outside_main" in window else ""
        texts.append(f"{window['headings'][0]}, {label}{where}:\n{window['text']}".lstrip(", "))
    matches = finding.matches_of(windows)
    notes = [f"{len(matches)} of {total} matches are shown"] if len(matches) < total else []
    if in_longer:
        lines = "1 more line has" if in_longer == 1 else f"{in_longer} more lines have"
        notes.append(f"{lines} these words only inside longer words: find takes /a regular expression/i for them")
    members: dict[str, object] = {"matches": matches, "total_matches": total}
    about = "" if matches else "no line matches"
    return PagePart("\n\n".join(texts), members, notes=tuple(notes), about=about, is_missed=not matches)


def _query(asked: _Asked, query: str) -> PagePart:
    """Give the passages that answer a query, each with the line to go on from."""
    from webtool.answers import blocks, tables
    from webtool.answers.question import excerpt

    main_lines = 0  # lines of main content at the beginning of `page`, if the whole page follows: blocks.merged()
    if asked.is_csv:
        page = tables.page_of_values(asked.main, as_written=True)
    elif asked.whole:
        page, main_lines = blocks.merged(asked.main, asked.whole)
    else:
        page = blocks.parse(asked.main)
    # Who names a number of tokens wants that many; else passages end when they add little.
    min_share = 0.0 if asked.max_tokens else excerpt.MIN_SHARE
    selected = excerpt.select(page, query, asked.max_tokens or excerpt.MAX_TOKENS, main_lines, min_share)
    last = asked.main.rstrip("\n").count("\n") + 1
    passages: list[dict[str, object]] = []
    for passage in selected.passages:
        row = dict(passage._asdict())
        if main_lines and passage.first_line > main_lines:
            shift = main_lines + 1
            row.update(first_line=passage.first_line - shift, last_line=passage.last_line - shift, outside_main=True)
        elif passage.last_line < last:
            row["next_offset"] = passage.last_line + 1
        passages.append(row)
    notes = []
    outside = sum("outside_main" in row for row in passages)
    if outside:
        which = "the last passage is" if outside == 1 else f"the last {outside} passages are"
        which = "all passages are" if outside == len(passages) else which
        notes.append(f"{which} outside the main content: the lines are those of mode full")
    if not selected.is_found:
        notes.append("no word of the query is on the page: this is its beginning")
    elif selected.absent_words:
        notes.append(f"not on the page: {', '.join(word[:60] for word in selected.absent_words[:10])}")
    names = {table.line: table.name for table in tables.tables(page)} if selected.cut_tables else {}
    for table in selected.cut_tables[:_MAX_CUT_TABLES]:
        name = names.get(table.line, "a table")
        notes.append(f"{table.shown:,} of {table.total:,} rows of {name} are shown: sql searches all rows")
    members: dict[str, object] = {"passages": passages, "absent_words": list(selected.absent_words)}
    return PagePart(selected.text, members, True, tuple(notes), is_missed=not selected.is_found)
