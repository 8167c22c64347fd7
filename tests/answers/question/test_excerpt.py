"""Passages that answer a query: their content, their form, and the time they take."""

import json
import pathlib
import re
import time

import pytest
from growing import growth
from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import parts
from webtool.answers.blocks import parse
from webtool.answers.question import units, word_matching
from webtool.answers.question.excerpt import excerpt, select
from webtool.answers.question.query import AnswerKind, content_words, names_in, strength, value_searches
from webtool.answers.question.word_matching import Vocabulary, related_weight
from webtool.answers.words import fold

CASES = pathlib.Path(__file__).resolve().parents[2] / "cases" / "answers"
FILLER = "\n\n".join(f"Nothing of note happened on day {n}; the crew rested and cleaned the deck." for n in range(80))
PAGE = f"""# The voyage of the Petrel

{FILLER}

## Supplies

The ship carried 40 barrels of water. Each barrel held [120 litres](https://a.example/litres).

- Flour was bought in Lisbon.
- Lemons, against scurvy, came from Madeira.

### Prices

| Good | Paid | Seller |
| --- | --- | --- |
| Rope | 12 réis | Alves |
| Sailcloth | 90 réis | Moura |

## Crew

{FILLER}

The cook joined in Funchal. He had sailed twice before.

```
roster --all
roster --only cook
```
"""

# query, words that the excerpt must have, words that it must not have
ASKED = [
    ("How much water did each barrel hold?", ["Each barrel held 120 litres."], ["https://", "Sailcloth"]),
    ("what was the cost of sailcloth", ["| Good | Paid | Seller |", "| Sailcloth | 90 réis | Moura |"], []),
    ("fruit against scurvy", ["- Lemons, against scurvy, came from Madeira."], []),
    ("roster --only", ["```\nroster --all\nroster --only cook\n```"], []),
    (
        "where did the cook join, and who sold the rope",
        ["The cook joined in Funchal.", "| Rope | 12 réis | Alves |"],
        [],
    ),
]


@pytest.mark.parametrize(("query", "held", "not_held"), ASKED)
def test_an_excerpt_holds_the_answer_and_little_else(query, held, not_held):
    text = excerpt(PAGE, query, 150)
    assert len(text.encode()) <= 600
    for part in held:
        assert part in text
    for part in not_held:
        assert part not in text


@pytest.mark.parametrize(
    "quoted", ["os.path", '"os.path"', "\u201cos.path\u201d", "\u2018os.path\u2019?", "(`os.path`)"]
)
def test_a_name_in_a_query_is_read_without_its_quotes(quoted):
    assert names_in(f"is {quoted} there") == ["os.path"]


def test_passages_stand_under_their_headings_with_gaps_between_them():
    selected = select(parse(PAGE), "water barrels and the cook", 120)
    assert selected.text.startswith("[...]")
    assert "## Supplies" in selected.text
    assert selected.text.count("[...]") >= 2
    assert selected.passages[0].heading.startswith("The voyage of the Petrel")
    lines = PAGE.split("\n")
    for passage in selected.passages:
        assert 1 <= passage.first_line <= passage.last_line <= len(lines)
    assert any("barrels of water" in line for p in selected.passages for line in lines[p.first_line - 1 : p.last_line])


def test_words_that_the_page_lacks_give_its_beginning():
    selected = select(parse(PAGE), "zymurgy quux", 100)
    assert not selected.is_found
    assert "day 0" in selected.text


@pytest.mark.parametrize("query", ["", "the", "???", "a" * 5000, "water " * 500])
def test_any_query_is_answered(query):
    assert excerpt(PAGE, query, 100)


@given(
    st.text(alphabet="ab .\n#-|`>[]()*1é中文。", max_size=400),
    st.text(alphabet="ab 1é中文", max_size=10),
    st.integers(1, 60),
)
def test_an_excerpt_never_exceeds_its_budget(text, query, tokens):
    assert len(excerpt(text, query, tokens).encode()) <= 4 * tokens


# For each language a page about a museum, a river and a library, and queries with their answers.
LANGUAGES = json.loads((CASES / "languages.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("language", "query", "answer"), [(one["language"], *pair) for one in LANGUAGES for pair in one["asked"]]
)
def test_languages_with_and_without_spaces_are_answered(language, query, answer):
    page = "\n".join(language["page"] for language in LANGUAGES)  # the answer must be text among all languages
    text = excerpt(page, query, 60)
    assert answer in text, text


def test_one_ideograph_does_not_shorten_the_units_of_a_text_in_letters():
    text = "The word for tea, 茶, reached the coast by two ways, by land and by sea, and so " + "it has two names, " * 9
    assert len(units.cut(parse(text))) == 1
    assert len(units.cut(parse("茶は海と陸の二つの道で伝わった。" * 9))) > 3


def test_a_number_ends_a_sentence_and_an_initial_does_not():
    begin = "The harbour master keeps a book of tides, of winds, and of all that the sea brings in each year, see "
    for last, count in (("chapter 5", 2), ("J", 1), ("e.g", 1)):
        page = parse(f"{begin}{last}. The tide of the spring is higher than all others of the year are, and stays so.")
        assert len(units.cut(page)) == count


FAR = "\n\n".join(f"The author of part {n} says that writing is published by those who wrote it." for n in range(60))
BYLINES = ["By Ada Voss", "[Ada Voss](https://a.example/author/ada)", "Ada Voss · 5 min", "Von: Ada Voss"]


@pytest.mark.parametrize("byline", BYLINES)
@pytest.mark.parametrize("query", ["who wrote this article?", "author of the page"])
def test_a_question_for_the_author_finds_the_byline(query, byline):
    assert "Ada Voss" in excerpt(f"Menu\n\n# Tides\n\n{byline}\n\nPublished March 3, 2024\n\n{FAR}", query, 150)


def test_a_question_for_the_date_finds_the_line_below_the_title():
    page = f"Menu\n\n# Tides\n\nBy Ada Voss\n\nMarch 3, 2024\n\n{FILLER}\n\nA book is published in May."
    assert "March 3, 2024" in excerpt(page, "when was this article published?", 150)


KIN = [
    ("city", "cities", True), ("bake", "baking", True), ("plan", "planning", True), ("validate", "validation", True),
    ("car", "cars", True), ("car", "care", False), ("книга", "книги", True), ("entrada", "entradas", True),
    ("general", "gene", False), ("form", "former", True), ("house", "horse", False),
]  # fmt: skip


@pytest.mark.parametrize(("word", "other", "kin"), KIN)
def test_words_that_differ_in_their_endings_are_kin(word, other, kin):
    assert bool(related_weight(word, other)) is kin


def test_synonyms_and_parts_of_names_are_kin_too():
    related = Vocabulary({"cost", "costs", "serialization_alias", "dog"}).related_words("price")
    assert set(related) == {"cost", "costs"}
    assert set(Vocabulary({"serialization_alias", "dog"}).related_words("alias")) == {"serialization_alias"}


def test_irregular_forms_have_the_synonyms_of_their_base():
    assert "theft" in Vocabulary({"theft", "dog"}).related_words("stole")


@pytest.mark.parametrize(
    "piece", ["a. ", "A. ", "| a | b |\n", "- x\n", "中", "a" * 30 + " ", "# h\n\nwater\n\n", "```\nx\n", "> "]
)
def test_time_grows_with_the_page_and_no_faster(piece):
    def cost(count):
        text, begin = "| water | b |\n| --- | --- |\n" + piece * count, time.process_time()
        excerpt(text, "water a x", 300)
        return time.process_time() - begin

    assert not growth(cost, 5000)


def test_a_name_is_sought_whole_and_in_the_heading_before_longer_names():
    others = "\n\n".join(f"## /srv/data{n}\n\nA folder of part {n}; see also /srv/data." for n in range(30))
    page = f"# Folders\n\n{others}\n\n## /srv/data\n\nWhat users uploaded.\n\n## Rest\n\n{FILLER}"
    assert "What users uploaded." in excerpt(page, "/srv/data", 100)


def test_a_text_that_a_page_repeats_is_given_once():
    card = "Sailcloth of the first quality, sold by the yard at the quay."
    page = f"# Shop\n\n{card}\n\n{FILLER}\n\n## More\n\n{card}\n\n{FILLER}\n\n{card}\n"
    assert excerpt(page, "where is sailcloth sold", 200).count("sold by the yard") == 1


def test_texts_that_differ_only_in_a_number_leave_room_for_others():
    pictures = "\n".join(f"- Kettle of red copper, picture {n}" for n in range(30))
    page = f"# Shop\n\n{pictures}\n\n{FILLER}\n\nThe kettle of red copper holds two litres of water."
    assert "holds two litres" in excerpt(page, "red copper kettle", 100)


IRREGULAR = [
    ("what they wrote down", "the mate writes"),
    ("did they buy rope", "rope was bought"),
    ("two child", "children"),
]


@pytest.mark.parametrize(("query", "sentence"), IRREGULAR)
def test_irregular_forms_are_found(query, sentence):
    page = f"# Log\n\n{FILLER}\n\nIn the evening {sentence} again, as on every day before.\n\n{FILLER}"
    assert sentence in excerpt(page, query, 80)


def test_an_ideograph_of_any_block_is_a_word_by_itself():
    assert {"\u5c71", "\ufa11"} <= set(content_words("\u5c71\ufa11"))


def test_a_page_without_any_word_of_the_query_gives_a_short_beginning():
    text = excerpt("# Tides\n\n" + "\n\n".join(f"The sea rose on day {n}." for n in range(400)), "turquoise submarine")
    assert "day 0." in text
    assert len(text) <= 600


LED = [
    # what introduces a list, its items, and a query that only the introduction answers
    ("The galley of the ship needs these supplies:\n\n", "- flour\n- lemons\n- salt"),
    ("Supplies of the ship's galley\n\n", "1. flour\n2. lemons\n3. salt"),
    ("- Supplies for the galley of the ship\n", "  - flour\n  - lemons\n  - salt"),
    ("For the galley of a ship, the supplies are:\n\n", "```\nflour\nlemons\nsalt\n```"),
    ("Supplies of the ship's galley:\n\n", "| Good |\n|---|\n| flour |\n| lemons |\n| salt |"),
]


@pytest.mark.parametrize(("introduction", "entries"), LED)
def test_entries_of_a_list_are_ranked_by_the_sentence_that_introduces_it(introduction, entries):
    others = "\n\n".join(f"The ship's crew of watch {n} has its own supplies of rope and sail." for n in range(40))
    page = f"{others}\n\n{introduction}{entries}\n\n{FILLER}"
    text = excerpt(page, "which supplies does the ship's galley need", 160)
    assert all(good in text for good in ("flour", "lemons", "salt")), text


def test_a_question_for_a_number_finds_what_is_counted():
    page = "# Homes for sale\n\n436 homes\n\n" + "\n\n".join(
        f"Home for sale in Street {n}, with a garden: one of our homes for sale." for n in range(99)
    )
    assert "436 homes" in excerpt(page, "how many homes are for sale", 100)


def test_a_heading_or_the_head_of_a_table_is_not_given_alone():
    sections = "\n\n".join(
        f"## Rope for mast {n}\n\nIt is {n} fathoms long, and it is dear.\n\n### Care\n\nDry." for n in range(40)
    )
    tables = "\n\n".join(f"| Sail {n} | Size |\n|---|---|\n| jib | {n} |\n| main | {n} |" for n in range(40))
    for query in ("rope", "rope for the mast", "sail", "sail size"):
        lines = [
            line for line in excerpt(f"{sections}\n\n{tables}", query, 200).split("\n") if line not in ("", "[...]")
        ]
        for line, below in zip(lines, [*lines[1:], "## end"]):
            assert not (line.startswith("## Rope") and below.startswith("## ")), lines
            assert not (line.startswith("|---") and not below.startswith("|")), lines


def test_a_query_without_a_budget_ends_where_passages_have_little_of_it():
    watches = "\n\n".join(f"## Watch {n}\n\nThe crew of watch {n} had a ship's biscuit and rope." for n in range(90))
    page = f"# Petrel\n\n{watches}\n\n## Galley\n\nThe galley of the ship burned oak and 12 sacks of coal."
    long = parts.give(page, {"query": "what did the galley of the ship burn"}, max_tokens=800).text
    short = parts.give(page, {"query": "what did the galley of the ship burn"}).text
    assert "12 sacks of coal" in short
    assert "12 sacks of coal" in long
    assert len(short) < len(long) / 2


@pytest.mark.parametrize(("page", "word"), [("The date of the fair.", "data"), ("Each country has a fair.", "paid")])
def test_a_form_of_a_word_does_not_mean_what_it_means_in_another_language(page, word):
    assert parts.give(page, {"query": f"{word} of the fair"}).members["absent_words"] == [word]


def test_a_page_without_a_word_of_the_query_gives_few_near_misses():
    offers = "\n\n".join(f"The Petrel lamp comes with shade {n}, and the lamp is made of brass {n}." for n in range(90))
    given = parts.give(offers, {"query": "price of the Petrel lamp"})
    assert given.members["absent_words"] == ["price"]
    assert len(given.text) <= 1600
    assert len(parts.give(offers, {"query": "price of the Petrel lamp"}, max_tokens=800).text) > 2400


def test_the_rest_of_the_best_paragraph_comes_before_distant_hits():
    options = "\n\n".join(
        f"## core.option{n}\n\nFiles of this size are packed by option {n}. Big files of option {n} are kept apart"
        f" by the program. Nothing else is done with the files of option {n}, whatever their size may be on the disk."
        for n in range(40)
    )
    definition = (
        "## core.bigFileThreshold\n\nThe size of files considered big, which as discussed below changes the behaviour"
        " of numerous commands that work with blobs. The default is 512 MiB and it is rarely changed by anybody at all."
    )
    given = excerpt(f"{options}\n\n{definition}", "How large must files be to be considered big?", 300)
    assert "The default is 512 MiB" in given


# A value answers the word that asks for it, even where the page lacks the word.
VALUES = [
    ("telephone of the harbour office", "Ring the harbour on 07707 984684."),
    ("weight of the lamp", "The lamp: 180 g with its base."),
    ("how much does the lamp cost", "Lamp: $ 24.50 in brass."),
    ("email of the office", "Write to the office, office@harbour.example."),
]


@pytest.mark.parametrize(("query", "answer"), VALUES)
def test_a_value_answers_the_word_that_asks_for_it(query, answer):
    others = "\n\n".join(
        f"The lamp of the harbour office is lit at night by the keeper of pier {n}." for n in range(60)
    )
    assert answer in excerpt(f"# Port\n\n{others}\n\n{answer}\n\n{others}", query, 120)


def test_a_question_for_a_meaning_finds_the_definition():
    others = "\n\n".join(f"Each branch of pier {n} has a lamp, and this branch is lit at night." for n in range(60))
    text = f"# Piers\n\n{others}\n\nA branch is simply a part of a pier.\n\n{others}"
    assert "A branch is simply a part" in excerpt(text, "what is a branch?", 80)


def test_a_question_for_the_author_of_a_thing_on_the_page_is_not_about_the_page():
    papers = "\n\n".join(f"- Paper {n} on ropes and tides of pier {n}\n- Author: Clerk {n}" for n in range(60))
    page = (
        f"# Papers\n\nBy the harbour office, list of authors\n\n{papers}\n\n- Lamps with kerosene burners\n- Ida Brandt"
    )
    assert "Ida Brandt" in excerpt(page, "who wrote the paper about kerosene burners", 80)


def test_records_keep_their_lines_and_wrapped_text_is_joined():
    log = "\n".join(f"2026-01-01 10:00:{n:02} {'WARN disk' if n == 7 else 'INFO request'} {n}" for n in range(40))
    assert "\n2026-01-01 10:00:07 WARN disk 7\n2026-01-01 10:00:08 INFO request 8" in excerpt(log, "disk", 60)
    wrapped = "The quick note was written by a clerk who had no time and\ntherefore wrapped the lines of his text.\n"
    assert "no time and therefore wrapped" in excerpt(wrapped, "clerk", 60)


def test_a_csv_file_gives_its_head_and_lines_as_written():
    values = "station,altitude,since\n" + "\n".join(f"Pier {n},{n + 200},{1900 + n}" for n in range(100))
    part = parts.give(values, {"query": "Pier 41", "is_csv": True}, max_tokens=60)
    assert part.text.startswith("station,altitude,since\n[...]\n")
    assert "\nPier 41,241,1941\n" in part.text
    assert set(part.text.split("\n")) <= {*values.split("\n"), "[...]", ""}
    assert part.members["absent_words"] == []
    assert "100 rows of t1" in part.notes[-1]


@pytest.mark.parametrize("tokens", [1, 5, 10, 20, 40])
def test_a_tiny_budget_leaves_no_fence_open(tokens):
    page = f"## {'Ropes ' * 30}\n\n```conf\n{'rope = 12; ' * 300}\n```"
    text = excerpt(page, "rope", tokens)
    assert text.count("```") % 2 == 0
    assert len(text.encode()) <= tokens * 4


NESTED = "- Galley\n  - stove of iron\n    - a grate for the stove\n  - kettle\n- Hold"
INDENTED = [
    # query, tokens, lines of the list in the excerpt
    ("galley stove grate", 40, ["- Galley", "  - stove of iron", "    - a grate for the stove"]),
    ("grate", 16, []),
]


@pytest.mark.parametrize(("query", "tokens", "lines"), INDENTED)
def test_nested_items_are_indented_below_the_items_above_them(query, tokens, lines):
    text = excerpt(f"{FILLER}\n\n{NESTED}\n\n{FILLER}", query, tokens)
    shown = [line for line in text.split("\n") if line.lstrip().startswith("-")]
    assert shown[: len(lines)] == lines
    assert not shown[0].startswith(" ")


@given(st.lists(st.integers(0, 30), min_size=1, max_size=9), st.integers(10, 60))
def test_indented_items_stay_within_the_budget(indents, tokens):
    page = "\n".join(f"{' ' * indent}- salt {number}" for number, indent in enumerate(indents))
    assert len(excerpt(page, "salt", tokens).encode()) <= tokens * 4


# A page in another language than the query, or in two: query, sentence that answers it
TRANSLATED = [
    ("Passwort des Benutzers", "The password of a user is stored as a hash."),
    ("Что будет, если не задать пароль?", "Without a password the login is closed."),
    ("パスワードの変更", "Use passwd to change the password at any time."),
    ("comment supprimer un fichier", "The command rm deletes a file for good."),
    ("how much does delivery cost", "Die Lieferung ist ab 40 Euro kostenlos."),
    ("密码 用户", "Every user has a password of eight signs."),
]


@pytest.mark.parametrize(("query", "sentence"), TRANSLATED)
def test_a_page_in_another_language_than_the_query_is_answered(query, sentence):
    assert sentence in excerpt(f"# Manual\n\n{FILLER}\n\n{sentence}\n\n{FILLER}", query, 60)


EXTREMES = [
    ("the largest possible interval", "interval.max", "interval.min"),
    ("smallest interval", "interval.min", "interval.max"),
    ("greatest allowed interval", "interval.max", "interval.min"),
    ("shortest interval", "interval.min", "interval.max"),
]


@pytest.mark.parametrize(("query", "answer", "other"), EXTREMES)
def test_words_for_extremes_answer_to_one_another(query, answer, other):
    entries = "".join(f"**interval.{name}**\n\nAn interval of this class.\n\n" for name in ("min", "step", "max"))
    text = excerpt(f"# Intervals\n\n{FILLER}\n\n{entries}{FILLER}", query, 30)
    assert answer in text
    assert other not in text


@pytest.mark.parametrize("name", [*word_matching.FILES, "languages.txt"])
def test_the_words_of_data_files_are_folded_as_those_of_pages_are(name):
    text = (pathlib.Path(word_matching.__file__).parent / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "["))]
    assert [line for line in lines if fold(line) != line] == []


def test_each_kind_of_words_is_used_and_each_unit_fits_its_number():
    folder = pathlib.Path(word_matching.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    names = {kind: kind.replace("_units", "") for kind in word_matching.kinds()}
    assert [kind for kind, name in names.items() if not re.search(f"[\"']{name}[\"']", sources)] == []
    assert any(search("rope: $12") for search in value_searches("much"))  # "how much is the rope"
    searches = value_searches("size")
    for text in ("2,791 sq ft", "30 cm", "4 gb", "12 m2", "80 м"):
        assert any(search(text) for search in searches), text


PAIRS = [("質問", "の質"), ("速い", "が速"), ("ファ", "トを")]  # words or parts of one; the ends of two words


@pytest.mark.parametrize(("pair", "border"), PAIRS)
def test_a_pair_across_the_border_of_two_words_says_little(pair, border):
    assert strength(pair) > 2 * strength(border)


INFLECTED = [("красный", "красного"), ("drivrutin", "drivrutinen"), ("soubory", "souboru"), ("dosyalar", "dosyalari")]


@pytest.mark.parametrize(("word", "other"), INFLECTED)
def test_words_of_further_languages_are_inflected(word, other):
    assert related_weight(fold(word), fold(other)) >= 0.9


@pytest.mark.parametrize("query", ["who is the author", "who is the author?", "when was this published ?"])
def test_a_question_mark_is_no_part_of_the_phrase_before_it(query):
    assert AnswerKind(query).is_about_page
