"""Jupyter notebooks as markdown: cells, outputs, damaged files."""

import json
import time

import pytest
from documents.writers import outcome
from hypothesis import given
from hypothesis import strategies as st

from webtool.documents import convert
from webtool.errors import ExtractFailed

OUTPUTS = [
    {"output_type": "stream", "text": ["1\n", "2\n"]},
    {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}},
    {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}},
    *(
        {"output_type": "display_data", "data": {kind: content, "text/plain": "<IPython.core.display.X object>"}}
        for kind, content in (("text/markdown", "**hi**"), ("text/html", ["<b>bold</b>", "<script>x</script>"]))
    ),
    {"output_type": "stream", "text": "10 %\r100 %\r\ndone\n"},
    {"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": ["\x1b[31mno\x1b[0m"]},
]
CELLS = [
    {"cell_type": "markdown", "source": ["# Title\n", "Text ![plot](attachment:a.png) here"]},
    {"cell_type": "code", "source": "print('```')", "outputs": OUTPUTS},
    {"cell_type": "code", "source": "", "outputs": []},
    {"cell_type": "raw", "source": "raw"},
]
BOOK = {"cells": CELLS, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
MARKDOWN = """# Title
Text plot here

````python
print('```')
````

```
1
2
```

```
<Figure>
```

**hi**

**bold**

```
100 %
done
```

```
ValueError: bad
```

raw
"""


def test_cells_are_written_in_order():
    document = convert(json.dumps(BOOK).encode(), "notebook")
    assert (document.title, document.markdown) == ("Title", MARKDOWN)


def test_cells_in_worksheets_of_format_3_are_read():
    cells = [{"cell_type": "heading", "level": 2, "source": "Head"}, {"cell_type": "code", "input": "x"}]
    body = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode()
    assert convert(body, "notebook").markdown == "## Head\n\n```\nx\n```\n"


@pytest.mark.parametrize(
    ("language", "shown"), [("python", "python"), ("C++", "C++"), ("C#", "C#"), ("a b", ""), ("`", ""), (5, "")]
)
def test_code_has_the_language_of_the_notebook(language, shown):
    book = {"cells": [{"cell_type": "code", "source": "x"}], "metadata": {"kernelspec": {"language": language}}}
    assert convert(json.dumps(book).encode(), "notebook").markdown == f"```{shown}\nx\n```\n"


def test_an_output_in_a_form_that_is_not_shown_has_no_empty_block():
    data = {"application/json": {"a": 1}, "text/plain": "<IPython.core.display.JSON object>"}
    cell = {"cell_type": "code", "source": "x", "outputs": [{"output_type": "display_data", "data": data}]}
    assert convert(json.dumps({"cells": [cell]}).encode(), "notebook").markdown == "```\nx\n```\n"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"cells": 7}', b"[" * 100_000])
def test_json_without_cells_is_an_error(body):
    with pytest.raises(ExtractFailed):
        convert(body, "notebook")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "source", "outputs", "data", "text/plain", "level"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(values)
def test_any_json_is_a_notebook_or_an_error(value):
    body = json.dumps({"cells": [value, {"cell_type": "code", "outputs": value, "source": value}]}).encode()
    assert outcome(body, "notebook")[0] in ("", "EXTRACT_FAILED")


def test_unclosed_pictures_are_read_in_linear_time():
    source = "![a](data:" * 50_000 + "\n![b](attachment:x.png) and ![c](https://e.example/c.png)"
    start = time.process_time()
    made = convert(
        json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": source}]}).encode(), "notebook"
    )
    assert made.markdown.endswith("\nb and ![c](https://e.example/c.png)\n")
    assert time.process_time() - start < 2


def test_lone_surrogates_become_replacement_characters():
    cells = b'[{"cell_type": "markdown", "source": ["# a\\ud800b \\ud83c\\udf0a"]}]'
    made = convert(b'{"cells": ' + cells + b"}", "notebook")
    assert (made.title, made.markdown) == ("a\ufffdb \U0001f30a", "# a\ufffdb \U0001f30a\n")
