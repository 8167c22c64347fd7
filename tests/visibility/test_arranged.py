"""Boxes that style sheets lay out as items, lines, tables or struck text, though their tags do not."""

import pytest

import webtool
from webtool.html import parse_html
from webtool.markdown import to_markdown

FLEX = ".row{display:flex} .grid{display:grid;grid-template-columns:repeat(3,1fr)} .line{display:block}"
FLEX += ".t{display:table} .tr{display:table-row} .td{display:table-cell} .side .key{display:block}"


def written(body, css=FLEX):
    return to_markdown(parse_html(f"<style>{css}</style><main><h1>Page</h1>{body}</main>"))[8:-1]


# CSS Display 3 section 2.7: items of a flex or grid container are boxes of their own, whatever their tags.
APART = [
    ("<div class=row><span>Height</span><span>12 cm</span></div>", "Height 12 cm"),
    ('<div style="display:flex"><span>Height</span><span>12 cm</span></div>', "Height 12 cm"),
    ("<div class=row><b>Total</b><b>$99</b></div>", "**Total** **$99**"),
    ("<div class=row><a href=/a>one</a><a href=/b>two</a></div>", "[one](/a) [two](/b)"),
    ("<div class=row><span>width</span>12 cm</div>", "width 12 cm"),
    ("<p><span class=line>one</span><span class=line>two</span></p>", "one\n\ntwo"),
    ("<p class=side><i><b class=key>one</b>two</i></p>", "*__one__*\n\n*two*"),
    ("<div class=row><span>$</span><span>19</span><span>.99</span></div>", "$19.99"),
    ("<div class=row><span>H</span><span>e</span><span>y</span></div>", "Hey"),
    ("<div class=row><span>left</span></div><span>un</span><span>known</span>", "left\n\nunknown"),
    ('<div class="flex flex-col"><span>one</span><span>two</span></div>', "one\n\ntwo"),
    ('<div class="d-flex"><span>one</span><span>two</span></div>', "one two"),
    ('<div class="d-flex" style="flex-direction:column"><span>one</span><span>two</span></div>', "one\n\ntwo"),
    ('<div class=row style="flex-flow:column wrap"><span>one</span><span>two</span></div>', "one\n\ntwo"),
    ('<div class="flex flex-col md:flex-row"><span>one</span><span>two</span></div>', "one two"),
    ("<a href=/a><span class=line>Email us</span><span class=line>at once</span></a>", "[Email us\\\nat once](/a)"),
    ("<p>See <a class=line href=/a>this</a>, and that.</p>", "See [this](/a), and that."),
    ("<ul><li class=row><span>one</span><span>two</span></ul>", "- one two"),
    ('<pre><span class="line">a</span><span class="line">b</span></pre>', None),
]


@pytest.mark.parametrize(("body", "expected"), APART)
def test_items_and_lines_are_separated(body, expected):
    if expected is None:
        assert "```" in written(body)
    else:
        assert written(body) == expected


# Class names of three boxes with two texts each, and whether the boxes are rows of a table.
ROW_NAMES = [
    ("row", True), ("Row", True), ("specs__row", True), ("flex-row", True), ("table-tr", True), ("arrow", False),
    ("row-span-2", False), ("row-gap-2", False), ("flex flex-col lg:flex-row", True),
    ("lg:flex-row flex flex-col", True),
    ("flex lg:flex-col sm:flex-row", False), ("flex sm:flex-row lg:flex-col", False), ("d-flex flex-lg-column", False),
]  # fmt: skip


@pytest.mark.parametrize(("names", "is_table"), ROW_NAMES)
def test_class_names_tell_rows(names, is_table):
    rows = "".join(f"<div class='{names}'><p>{name}</p><p>{n} cm</p></div>" for n, name in enumerate("WHD"))
    assert ("| W | 0 cm |" in written(f"<div>{rows}</div>", "")) is is_table


@pytest.mark.parametrize("beside", ["Loose text", "<pre>code</pre>"])
def test_a_container_with_more_than_rows_is_no_table(beside):
    row = "<div class=tr><div class=td>a</div><div class=td>b</div></div>"
    text = written(f"<div>{row}{row}{row}</div>")
    assert "| a | b |" in text
    text = written(f"<div>{row}{beside}{row}{row}</div>")
    assert "|" not in text
    assert text.index("a") < text.index(beside[5:9] if beside[0] == "<" else beside) < text.rindex("a")


@pytest.mark.parametrize(("attribute", "is_table"), [("hidden", True), ("", False)])
def test_a_hidden_button_may_be_in_a_cell(attribute, is_table):
    rows = "".join(f"<div class=row><p>{n}</p><p>{n} cm <button {attribute}>Copy</button></p></div>" for n in "WHD")
    assert ("| W | W cm |" in written(f"<div>{rows}</div>", "")) is is_table


def test_a_column_of_pictures_is_kept():
    row = "<div class=tr><div class=td><img src=/p.png alt=pic></div><div class=td>a</div><div class=td>b</div></div>"
    assert "| ![pic](/p.png) | a | b |" in written(f"<div>{row}{row}</div>")


TABLES = [
    "<div class=t><div class=tr><div class=td>{}</div><div class=td>{}</div></div>"
    "<div class=tr><div class=td>{}</div><div class=td>{}</div></div></div>",
    "<div class=t><span class=tr><span class=td>{}</span><span class=td>{}</span></span>"
    "<span class=tr><span class=td>{}</span><span class=td>{}</span></span></div>",
    '<div><div class=row style="display:table-row"><p style="display:table-cell">{}</p><p style="display:table-cell">{}'
    '</p></div><div style="display:table-row"><p style="display:table-cell">{}</p>'
    '<p style="display:table-cell">{}</p></div></div>',
]


@pytest.mark.parametrize("body", TABLES)
def test_boxes_with_table_displays_are_a_table(body):
    assert written(body.format("Name", "Price", "Apple", "5")) == "| Name | Price |\n| --- | --- |\n| Apple | 5 |"


def test_tables_in_cells_are_lines_in_whatever_order_rules_are_looked_up():
    line = "<div class=q><span>a</span><span>b</span></div>"
    row = f"<div class=r><span>k</span><div>{line * 3}</div></div>"
    css = ".q{display:flex} .r{display:flex}"
    for first in ("", line):  # the page has the class of the inner rows first
        text = written(f"<div>{first}</div><div>{row * 3}</div>", css)
        assert "| k | a b<br>a b<br>a b |" in text


def test_all_elements_with_one_id_are_arranged():
    item = "<p id=x><span>a</span><span>b</span></p>"
    assert written(item * 2, "#x{display:flex}") == "a b\n\na b"


def test_empty_cells_keep_their_columns():
    rows = "<div class=row><div>a</div><div>b</div><div>c</div></div>"
    rows += "<div class=row><div>d</div><div></div><div>e</div></div>"
    assert written(f"<div>{rows}</div>") == "| a | b | c |\n| --- | --- | --- |\n| d |  | e |"


def test_boxes_named_as_rows_are_a_table_without_a_style_sheet():
    rows = "".join(f'<div class="specs__row"><div>{name}</div><div>{name} mm</div></div>' for name in ("a", "b", "c"))
    assert written(f"<div class=specs>{rows}</div>", "").startswith("| a | a mm |\n| --- | --- |\n| b | b mm |")


@pytest.mark.parametrize(
    "cell", ["<h3>Head</h3>", "<ul><li>x</ul>", "<p>" + "Much text. " * 40, "<img src=/a.png><p>Ann</p>"]
)
def test_rows_that_lay_out_a_page_are_not_a_table(cell):
    row = f"<div class=row><div>{cell}</div><div>{cell}</div></div>"
    assert "| --- |" not in written(f"<div>{row * 3}</div>")


def test_extraction_arranges_what_it_keeps():
    text = "The harbour has two tides a day, and the second one comes later than the first one did. " * 4
    rows = "".join(f"<div class=tr><div class=td>{n}</div><div class=td>{n} metres of it</div></div>" for n in "abc")
    page = f"<style>{FLEX}</style><article><h1>Tides</h1><p>{text}</p><div class=t>{rows}</div><p>{text}</p>"
    page += f"<div class=row><span>Height</span><span>12 metres at the wall</span></div><p>{text}</p></article>"
    found = webtool.extract(page).markdown
    assert "| a | a metres of it |\n| --- | --- |" in found
    assert "Height 12 metres" in found


STRUCK = "<style>.was, .gone a {text-decoration: line-through} .row {display: flex}</style>"


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<p><span class=was>$5</span> $4</p>", "~~$5~~ $4"),
        ("<div class=was>$5</div><div>$4</div>", "~~$5~~\n\n$4"),
        ("<div class=row><span class=was>$5</span><span>$4</span></div>", "~~$5~~ $4"),
        ("<p class=gone>See <a href=/x>this</a></p>", "See [~~this~~](/x)"),
        ("<p><span class='text-sm line-through'>$5</span> $4</p>", "~~$5~~ $4"),
        ("<p><span class='md:line-through'>words</span> more</p>", "~~words~~ more"),
        ("<p><span class=old-price>$5.00</span> <span class=price>$4</span></p>", "~~$5.00~~ $4"),
        ("<p><span class=old-price>Old prices</span></p>", "Old prices"),
        ("<p><s class=was>$5</s> <ins class=was>$4</ins></p>", "~~$5~~ $4"),
        ("<p><span class='price--strike-highlight'>$5</span></p>", "$5"),
    ],
)
def test_text_with_a_line_through_it_is_struck(body, markdown):
    assert webtool.to_markdown(STRUCK + body).strip() == markdown
