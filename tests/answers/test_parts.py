"""One part of a page: the text for a reader, the members for a program, and whether anything was found."""

import pytest

from webtool.answers import parts
from webtool.errors import InvalidArgument

TEXT = "# Tides\n\nSee [a link](https://a.example/) and ![a picture](p.png).\n\n## Spring\n\nHigh.\n\n## Neap\n\nLow"


def test_empty_arguments_ask_for_no_part():
    assert not parts.is_asked({"links": "refs", "outline": False, "find": ""})
    assert parts.is_asked({"find": "x"})
    with pytest.raises(InvalidArgument, match="outline and find"):
        parts.is_asked({"outline": True, "find": "x"})


@pytest.mark.parametrize(
    ("members", "changes"),
    [({}, ""), ({"links": None, "images": None}, ""), ({"links": "none"}, "link"), ({"images": "alt"}, "picture")],
)
def test_links_and_pictures_stay_unless_a_member_says_otherwise(members, changes):
    shown = parts.viewed(TEXT, members)
    assert ("](https://a.example/)" in shown) is (changes != "link")
    assert ("![a picture](p.png)" in shown) is (changes != "picture")
    assert parts.viewed(None, members) == ""


def test_only_sections_and_passages_count_as_the_pages_own_text():
    assert parts.give(TEXT, {"section": "Spring"}).is_text
    assert not parts.give(TEXT, {"outline": True}).is_text


@pytest.mark.parametrize(
    ("text", "max_tokens", "titles"),
    [
        ("# Top\n\n" + "## Part\n\n" * 301, 0, ["Top", *["Part"] * 299]),
        ("# A\n\n## B\n\n### C\n\n# D\n\n## E\n\n### F\n", 40, ["A", "B", "D", "E"]),
        ("# A\n\n## B\n\n### C\n\n# D\n\n## E\n\n### F\n", 1, ["A"]),
    ],
    ids=["first of a level", "whole levels", "one"],
)
def test_of_too_many_headings_the_deepest_are_left_out(text, max_tokens, titles):
    part = parts.give(text, {"outline": True}, max_tokens=max_tokens)
    assert [heading["title"] for heading in part.members["outline"]] == titles
    assert "headings are shown" in part.notes[0]


@pytest.mark.parametrize(
    ("words", "shown", "is_missed"), [("high", "High.", False), ("quagga", "no line matches", True)]
)
def test_words_are_found_or_reported_as_missed(words, shown, is_missed):
    part = parts.give(TEXT, {"find": words})
    assert shown in part.about + part.text
    assert ("no line matches" in part.about) is is_missed
    assert part.is_missed is is_missed
    assert part.members["total_matches"] == 1 - is_missed


@pytest.mark.parametrize("max_tokens", [30, 60, 200])
@pytest.mark.parametrize(
    "line",
    ["the needle is here", "words " * 70 + "needle" + " words" * 9, "é" * 400 + " needle " + "é" * 60],
    ids=["short", "long", "two bytes a letter"],
)
@pytest.mark.parametrize("before", [0, 3, 60])
def test_a_window_that_is_too_long_keeps_the_match(line, max_tokens, before):
    around = [f"filler {number} with some words" for number in range(60)]
    text = "\n".join([*around[:before], line, *around])
    part = parts.give(text, {"find": "needle", "context": 50}, max_tokens=max_tokens)
    assert "needle" in part.text
    assert "needle" in part.members["matches"][0]["text"]
    assert len(part.members["matches"][0]["text"].encode()) <= 4 * max_tokens


def test_a_section_is_given_in_pieces():
    text = "# A\n\n" + "\n\n".join(f"Paragraph {n} of the section, with some words in it." for n in range(100))
    first = parts.give(text, {"section": "A"}, max_tokens=200)
    assert "Paragraph 0 " in first.text
    assert "Paragraph 99 " not in first.text
    rest, offset = [first.text], first.members["next_offset"]
    while offset is not None:
        part = parts.give(text, {"section": "A"}, offset, 200)
        rest.append(part.text)
        offset = part.members.get("next_offset")
    assert "\n".join(rest) == text
    with pytest.raises(InvalidArgument, match="after the end of the section"):
        parts.give(text, {"section": "A"}, 1000)


def test_a_line_of_a_section_that_is_cut_is_named():
    part = parts.give("# A\n" + "x" * 5000, {"section": "A"}, offset=2, max_tokens=50)
    assert len(part.text) == 200
    assert part.notes == ("line 2 is longer than max_tokens and ends early: give more max_tokens",)
