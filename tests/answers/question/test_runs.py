"""Lines between two gaps of an excerpt are neighbours on the page too."""

import re

from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import budget, finding, outline
from webtool.answers.blocks import parse
from webtool.answers.question import excerpt
from webtool.answers.reading import as_read

MANUAL = "# Manual\n\n" + "\n\n".join(
    f"## Option {n}\n\nIf the value of option {n} is larger,\nit is cut at {n} bytes.\n\n"
    f"```conf\nopt{n} {n}\nend\n```\n\n"
    f"| Name | Size |\n|---|---:|\n| first{n} | {n} |\n| second{n} | {n + 1} |\n| third{n} | {n + 2} |\n"
    for n in range(60)
)
blocks = st.sampled_from(
    [
        "The ship left port at noon. It carried water, salt and rope for the whole crew of forty. It came back late.",
        "- water casks\n- salt\n- rope and sails",
        "| Good | Paid |\n|---|---|\n| water | 12 |\n| salt | 3 |\n| rope | 9 |",
        "```sh\nwater --all\n\nsalt --none\nrope\n```",
        "## Water",
        "**Salt: 30 crowns**",
        "> Water is dear.\n> Salt is cheap.",
        "![](x.png)",
        "---",
        "Rope\n====",
    ]
)


def plain(text):
    """The text as a reader sees it: no marks of blocks, white space collapsed."""
    lines = [line for line in text.split("\n") if not re.fullmatch(r"[\s|:>*_-]*|\s*(```|~~~).*|=+", line)]
    seen = " ".join(re.sub(r"^[\s>#]+", "", as_read(line)) for line in lines)
    return " ".join(re.sub(r"[|*]", " ", seen).split())


def runs_of(text):
    """The runs of lines between gaps and headings."""
    lines, parts = text.split("\n"), [[]]
    for number, line in enumerate(lines):
        if line.startswith("## ") or line == "[...]":
            parts.append([])
        elif number + 1 < len(lines) and re.fullmatch(r"\|[-:|]+\|", lines[number + 1]):
            parts += [[line]]
        elif line:
            pieces = line.split(" [...] ")
            parts[-1].append(pieces[0])
            parts += [[piece] for piece in pieces[1:]]
    return [run for run in (plain("\n".join(part)) for part in parts) if run]


def check(page, text):
    check_runs(page, text)
    assert sum(line.startswith("```") for line in text.split("\n")) % 2 == 0


def check_runs(page, text):
    whole = plain(page)
    for run in runs_of(text):
        assert run in whole, run


@given(st.lists(blocks, min_size=1, max_size=14), st.sampled_from(["water", "salt", "/rope|none/", "Good"]))
def test_windows_sections_and_capped_pages_have_runs_of_the_page(pieces, words):
    page = "\n\n".join(pieces)
    for context in (0, 1, 3):
        for window in finding.search(page, words, context).windows:
            check(page, window["text"])
    for entry in outline.outline(page):
        section = outline.find_section(page, str(entry["line"]))
        check_runs(page, section.text)
        assert section.text == "\n".join(page.split("\n")[section.first_line - 1 : section.last_line])
    for tokens in (5, 20, 60):
        check_runs(page, budget.take_lines(page, 1, tokens).text)


@given(st.lists(blocks, min_size=1, max_size=14), st.sampled_from(["water", "salt rope", "crowns", "none of it"]))
def test_an_excerpt_has_runs_of_the_page(pieces, query):
    page = "\n\n".join(pieces)
    for tokens in (40, 80, 200):
        check(page, excerpt.excerpt(page, query, tokens))
        check(page, excerpt.glance(page, query, tokens)[0])


def test_distant_lines_of_a_manual_are_not_joined():
    for query in ("option 7 larger", "second9 size", "opt12 end", "third50"):
        check(MANUAL, excerpt.excerpt(MANUAL, query, 150))
        check(MANUAL, excerpt.glance(MANUAL, query, 150)[0])


def test_a_table_keeps_its_head_and_code_its_language():
    rows = "| Name | Size |\n|---|---:|\n" + "".join(f"| row{n} of the table | {n} |\n" for n in range(99))
    selected = excerpt.select(parse(rows), "row50", 30)
    assert "| Name | Size |\n|---|---:|\n[...]\n| row50 of the table | 50 |\n" in selected.text
    assert (selected.cut_tables[0].line, selected.cut_tables[0].total) == (1, 99)
    assert "```conf\nopt12 12" in excerpt.excerpt(MANUAL, "opt12", 60)


def test_a_bold_line_or_heading_that_is_the_answer_is_given():
    page = "# Prize\n\n" + "Words about it.\n\n" * 40 + "**Award: $30,000**\n\n" + "More words.\n\n" * 40
    assert "Award: $30,000" in excerpt.excerpt(page, "how much is the award", 60)
    page = "# Prize\n\n" + "Words about it.\n\n" * 40 + "## Open until 3 May\n\n## Rules\n\n" + "More words.\n\n" * 40
    assert "Open until 3 May" in excerpt.excerpt(page, "until when is it open", 60)
