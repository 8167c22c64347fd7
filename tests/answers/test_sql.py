"""SQL over the tables of a page: its answers, its types, and what it refuses."""

import json
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webtool.answers import parts, sql, tables
from webtool.answers.blocks import parse
from webtool.answers.cell_values import date_of, number_of, typed_columns
from webtool.errors import InvalidArgument, UnsupportedContent, WebtoolError

PAGE = parse(
    "# Quakes\n\n| Place | Mag | Depth (km) | Date | Damage | Share |\n|---|---|---|---|---|---|\n"
    "| [Alta](https://a.example) | 5.1 | 10 | 3 May 2024 | $1,200 | 12 % |\n"
    "| Boro \\| North | 6.3 | 7.5 | May 12, 2023 | $90 | 3 % |\n"
    "| Cerro | **4.9** | – | 2022-01-05 | $15,000 | 85 % |\n\n"
    "| Place | Code |\n|---|---|\n| Alta | 007 |\n| Cerro | x9 |\n"
)
ASKED = [
    ("select place, mag from t1 order by mag desc limit 1", [["Boro | North", 6.3]]),
    ("SELECT count(*), sum(damage), max(share), min(depth_km) FROM t1", [[3, 16290, 85, 7.5]]),
    ("select place from t1 where date > '2023' order by date", [["Boro | North"], ["Alta"]]),
    ("select damage_text, date_text, line from t1 where place = 'Alta'", [["$1,200", "3 May 2024", 5]]),
    ("select t2.code from t1 join t2 using (place) order by 1", [["007"], ["x9"]]),
    ("with big as (select * from t1 where mag > 5) select count(*) from big", [[2]]),
    ("with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select sum(i) from n", [[6]]),
    ("select group_concat(place, '; ') from t2", [["Alta; Cerro"]]),
    ("select group_concat(distinct code) from t2 where code = 'x9'", [["x9"]]),
    ("select depth_km from t1 where place = 'Cerro'", [[None]]),
    ('select "Place" from t1 where "Depth (km)" > 8', [["Alta"]]),
    ('select [Mag] as "The size" from t1 order by `Depth (km)` desc, "The size" limit 1', [[5.1]]),
    ('select \'a "b" c\', date_text /* "x" */ from t1 limit 1 -- "y"', [['a "b" c', "3 May 2024"]]),
]


@pytest.mark.parametrize(("query", "rows"), ASKED)
def test_a_query_is_answered(query, rows):
    assert sql.run(PAGE, query).rows == rows


@pytest.mark.parametrize(
    "query", ['select place from t1 order by "depth"', 'select place from t1 where place = "Alta"']
)
def test_an_unknown_name_in_quotes_is_no_text(query):
    with pytest.raises(InvalidArgument) as caught:
        sql.run(PAGE, query)
    assert "no such column" in caught.value.message
    assert "depth_km" in caught.value.hint


REFUSED = [
    "insert into t1 values (1)", "delete from t1", "drop table t1", "create table x (a)", "pragma table_info(t1)",
    "attach ':memory:' as other", "select * from sqlite_master", "select sql from sqlite_schema", "vacuum",
    "select load_extension('x')", "select zeroblob(1000000000)", "select randomblob(9)", "select printf('%d', 1)",
    "select format('%d', 1)", "select replace('a', 'a', 'b')", "select hex(randomblob(9))", "select 1; select 2",
    "select * from pragma_table_info('t1')", "select * from json_each('[1]')", "select nothing from t1", "selec",
    "update t1 set mag = 9", "begin", "select * from t9", "explain select 1", "select * from generate_series(1, 9)",
    "select sqlite_version()", "select quote(place) from t1", "", "-- nothing", "select writefile('a', 'b')",
    "with recursive n(s) as (select place from t1 union all select s || s from n) select max(length(s)) from n",
    "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
    "with recursive n(i) as (select 1 union all select i + 1 from n limit 100000) select group_concat(i) from n",
    "select count(*) from t1 a, t1 b, t1 c, t1 d, t1 e, t1 f, t1 g, t1 h, t1 i, t1 j, t1 k, t1 l, t1 m, t1 n, t1 o",
]  # fmt: skip


@pytest.mark.parametrize("query", REFUSED)
def test_anything_else_is_refused_in_time(query):
    begin = time.monotonic()
    with pytest.raises(InvalidArgument) as caught:
        sql.run(PAGE, query, seconds=0.3)
    assert caught.value.hint
    assert time.monotonic() - begin < 5


@given(st.text(max_size=80), st.text(alphabet="|ab1$,.% -\n\\", max_size=200))
def test_any_text_is_answered_or_refused(query, page):
    for text in (query, "select * from t1"):
        try:
            sql.run(parse("|a|b|\n|-|-|\n" + page), text)
        except WebtoolError:
            pass


def test_rows_are_cut_to_the_tokens_and_counted():
    page = "| n | name |\n|---|---|\n" + "".join(f"| {n} | name {n} |\n" for n in range(1000))
    part = parts.give(page, {"sql": "select * from t1"}, max_tokens=300)
    assert part.members["total_rows"] == 1000
    assert part.members["columns"] == ["n", "name", "line"]
    assert part.members["rows"][0] == [0, "name 0", 3]
    assert 5 < len(part.members["rows"]) < 100
    assert "of 1,000 rows" in part.notes[0]


def test_the_outline_lists_tables_with_columns_and_rows():
    text = "\n".join(PAGE.lines)
    part = parts.give(text, {"outline": True})
    assert part.members["tables"][0] == {
        "name": "t1", "line": 3, "rows": 3, "columns": ["place", "mag", "depth_km", "date", "damage", "share"],
        "heading": "Quakes",
    }  # fmt: skip
    assert "t1 (line 3, 3 rows): place, mag" in part.text


def test_columns_have_distinct_names():
    assert sql.column_names(["Port", "Port", "", "Depth (m)", "2024", "Line", "Größe"]) == [
        "port", "port_2", "c3", "depth_m", "c_2024", "line_2", "grosse",
    ]  # fmt: skip


NUMBERS = [
    ("1,234.5", 1234.5), ("€ 12", 12), ("12 %", 12), ("(3)", -3), ("−4.5", -4.5), ("$1,200[2]", 1200), ("3 kg", 3),
    ("1 234", 1234), ("USD 5", 5), ("12 May", None), ("v1.2.3", None), ("abc", None), ("", None), ("1.2.3", None),
    ("12 marks", 12), ("3 decks", 3), ("5 Sept.", None), ("3 juli", None), ("1, 2", None), ("1 2 3", None),
    ("12,34,567", 1234567), ("1,2", None), (".5", 0.5), ("1'234.50", 1234.5), ("1,234,", None), ("9" * 31, None),
    ("1.234.567", None), ("-1 234 567.25", -1234567.25), ("6.626 070 15", 6.62607015), ("1.5 2.5", None),
    ("9.109\u00a0383\u00a07139", 9.1093837139), ("1.5 200", None),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "value"), NUMBERS)
def test_numbers_are_read(cell, value):
    assert number_of(cell) == value


@pytest.mark.parametrize(
    ("cell", "date"),
    [("3 May 2024", "2024-05-03"), ("May 3rd, 2024", "2024-05-03"), ("03.05.2024", "2024-05-03"), ("2024", None),
     ("2024-05-03T10:00:00Z", "2024-05-03 10:00:00"), ("Maybe 3 2024", "2024-05-03"), ("soon", None),
     ("2024-05-03 9:05", "2024-05-03 09:05"), ("2024-05-03 9:05:07", "2024-05-03 09:05:07"), ("2024/05", "2024-05"),
     ("3.19.2024", None), ("39.1.2024", None), ("0 May 2024", None), ("2024-13-01", None), ("2024-00", None)],
)  # fmt: skip
def test_dates_are_read(cell, date):
    assert date_of(cell) == date or cell.startswith("Maybe")


# cells of columns, and the dates of the first column: None if it stays text
SLASHED = [
    ([["05/03/2023", "28/03/2023"]], ["2023-03-05", "2023-03-28"]),
    ([["05/03/2023", "3/28/2023"]], ["2023-05-03", "2023-03-28"]),
    ([["05-03-2023", "28-3-2023", ""]], ["2023-03-05", "2023-03-28", None]),
    ([["05/03/2023 9:30", "28/03/2023, 17:00"]], ["2023-03-05 09:30", "2023-03-28 17:00"]),
    ([["05/03/2023 9:05:00", "28/03/2023 17:00:00"]], ["2023-03-05 09:05:00", "2023-03-28 17:00:00"]),
    ([["05/03/2023", "06/03/2023"]], None),
    ([["05/03/2023", "06/03/2023"], ["28/03/2023", "29/03/2023"]], ["2023-03-05", "2023-03-06"]),
    ([["28/03/2023", "03/28/2023", "05/03/2023"]], None),
    ([["05/03/2023", "see below", "soon"]], None),
    ([["2023/03/05", "2023/03/28"]], ["2023-03-05", "2023-03-28"]),
]


@pytest.mark.parametrize(("columns", "dates"), SLASHED)
def test_dates_with_slashes_are_read_by_column(columns, dates):
    names = [f"c{number}" for number in range(len(columns))]
    assert typed_columns(names, columns).columns[0] == (dates or columns[0])


def test_dates_that_may_be_of_two_orders_stay_text_with_a_note():
    page = "| Sent | Size |\n|---|---|\n| 05/03/2023 | 7 |\n| 06/03/2023 | 9 |"
    part = parts.give(page, {"sql": "select sent from t1"})
    assert part.members["rows"] == [["05/03/2023"], ["06/03/2023"]]
    assert part.notes == ("t1.sent is text: no date of it says whether the day or the month comes first",)
    assert parts.give(page, {"sql": "select size, count(*) from t1"}).notes == ()


def test_decimal_commas_are_read_by_column():
    names, columns, _ = typed_columns(["a", "b"], [["1.234,50", "3,5", "7"], ["1,234", "3,500", "7"]])
    assert (columns[0], columns[1]) == ([1234.5, 3.5, 7], [1234, 3500, 7])
    assert names == ["a", "b", "a_text", "b_text"]


def test_values_of_different_units_stay_text():
    assert typed_columns(["value"], [["183 g", "$499"]])[1] == [["183 g", "$499"]]
    assert typed_columns(["time"], [["1 day", "12 days"]])[1][0] == [1, 12]


@pytest.mark.parametrize("cells", [["1.2M", "900"], ["$1.2m", "900"], ["3k", "40"], ["2 bn", "5", "6"]])
def test_values_with_and_without_a_scale_stay_text(cells):
    assert typed_columns(["value"], [cells])[1] == [cells]


GROUPED = [
    (["1.234.567", "1.234", "900"], [1234567, 1234, 900]),
    (["1.234,500", "12"], [1234.5, 12]),
    (["12,34,567", "1,00,000"], [1234567, 100000]),
    (["192.168.100.101", "192.168.100.102"], ["192.168.100.101", "192.168.100.102"]),
    (["1,2,3", "4,5,6"], ["1,2,3", "4,5,6"]),
    (["1, 2", "3, 4"], ["1, 2", "3, 4"]),
    (["1.2M", "900K"], ["1.2M", "900K"]),
    (["1.2M", "3M"], [1.2, 3]),
]


@pytest.mark.parametrize(("cells", "values"), GROUPED)
def test_points_and_commas_of_thousands_are_read_by_column(cells, values):
    assert typed_columns(["a"], [cells]).columns[0] == values


def test_a_word_among_numbers_is_null_and_never_the_largest():
    prices = ["$ 9", "$1,299.00", "$ 12.50", "$ 7", "free"]
    rows = "\n".join(f"| Lamp {n} | {price} |" for n, price in enumerate(prices))
    page = parse(f"| Lamp | Price |\n|---|---|\n{rows}")
    assert sql.run(page, "select price_text from t1 order by price desc limit 1").rows == [["$1,299.00"]]
    assert sql.run(page, "select max(price), count(*) from t1").rows == [[1299, 5]]
    assert sql.run(page, "select lamp from t1 where price is null and price_text = 'free'").rows == [["Lamp 4"]]


def test_codes_with_leading_zeros_stay_text():
    assert typed_columns(["zip"], [["00712", "01234", "90210"]])[1] == [["00712", "01234", "90210"]]


def test_a_row_is_split_as_gfm_says():
    assert tables.cells("| *a* | b \\| c | `d` |") == ["a", "b | c", "`d`"]


@pytest.mark.parametrize(("query", "value"), [("1e999", "Infinity"), ("-1e308 * 10", "-Infinity"), ("1.5", 1.5)])
def test_every_number_of_an_answer_fits_into_json(query, value):
    rows = sql.run(PAGE, f"select {query}").rows
    assert json.loads(json.dumps(rows, allow_nan=False)) == [[value]]


def test_rows_that_are_not_searched_are_named(monkeypatch):
    monkeypatch.setattr(sql, "MAX_TABLE_ROWS", 3)
    text = "| a |\n|---|\n" + "| 1 |\n" * 5 + "\n| b |\n|---|\n| 1 |\n"
    part = parts.give(text, {"sql": "select count(*) from t1"})
    assert part.members["rows"] == [[3]]
    assert part.notes == ("only the first 3 of the 5 rows of t1 are searched",)


def test_a_python_without_sqlite_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    with pytest.raises(UnsupportedContent, match="sqlite3") as caught:
        sql.run(PAGE, "select 1 from t1")
    assert caught.value.hint


def test_names_of_tables_count_in_any_case_and_quotes():
    assert sql.run(PAGE, 'select count(*) from T1, "t2", main.[t2] x').rows == [[12]]


def test_rows_of_a_query_after_with_are_counted():
    query = (
        'with a as materialized (select * from t2), "B"(c) as (select 1 union select 2) select count(*) from a, a x, b'
    )
    assert sql.run(PAGE, query).rows == [[8]]


@pytest.mark.parametrize("name", ["sqlite_master", "sqlite_schema", "json_each('[1]')", "pragma_table_info('t1')"])
def test_rows_of_other_tables_are_not_counted(name):
    with pytest.raises(InvalidArgument):
        sql.run(PAGE, f"select count(*) from {name}")


VALUES = [
    ("name,size\nrope,12\nchain,7\n", "select name from t1 where size < 10", [["chain"]]),
    ("name;size\nrope;1,5\nchain;7,25\n", "select name, line from t1 order by size_text", [["rope", 2], ["chain", 3]]),
    ("name\tsize\nrope\t12\nchain\t7", "select sum(size) from t1", [[19]]),
    ('\n"name, full","size"\n"a ""b"" c",1\n\n"x,y",2', "select name_full from t1", [['a "b" c'], ["x,y"]]),
    ('a,b\n"two\nlines",1\nlast,2', "select a, line from t1", [["two lines", 2], ["last", 4]]),
    ("a,b\n*1* [x](y) | z,`2`\n", "select a, b from t1", [["*1* [x](y) | z", "`2`"]]),
    ("a,b,c\n1\n1,2,3,4\n", "select a, b, c from t1", [[1, None, None], [1, 2, 3]]),
]


@pytest.mark.parametrize(("text", "query", "rows"), VALUES)
def test_a_csv_file_is_a_table(text, query, rows):
    assert parts.give(text, {"sql": query, "is_csv": True}).members["rows"] == rows


def test_the_outline_of_a_csv_file_has_its_table():
    part = parts.give("name,size\nrope,12\n", {"outline": True, "is_csv": True})
    assert part.members["tables"] == [{"name": "t1", "line": 1, "rows": 1, "columns": ["name", "size"], "heading": ""}]


@pytest.mark.parametrize("text", ["", "one\ntwo\n", "a,b\n", "\n\n"])
def test_a_file_without_rows_or_columns_has_no_table(text):
    with pytest.raises(InvalidArgument, match="no tables"):
        parts.give(text, {"sql": "select 1", "is_csv": True})


@given(st.text())
def test_any_text_is_read_as_values(text):
    page = tables.page_of_values(text)
    assert len(page.lines) == len(text.split("\n"))
    assert all(len(table.head) >= 1 for table in tables.tables(page))


def test_a_field_without_an_end_ends_the_table():
    page = tables.page_of_values("a,b\n1,2\n3,4\n" + '"' + "x" * 200_000)
    assert [len(table.row_lines) for table in tables.tables(page)] == [2]


def test_columns_that_are_not_searched_are_counted():
    head = " | ".join(f"c{n}" for n in range(130))
    page = f"| {head} |\n|{'---|' * 130}\n| {' | '.join(map(str, range(130)))} |\n"
    notes = parts.give(page, {"sql": "select c99 from t1"}).notes
    assert notes == ("only the first 100 of the 130 columns of t1 are searched",)


def test_a_lone_surrogate_in_a_cell_is_a_question_mark():
    page = parse("| a | b |\n|---|---|\n| \ud800 | 1 |\n")
    assert sql.run(page, "select a, b from t1").rows == [["?", 1]]
