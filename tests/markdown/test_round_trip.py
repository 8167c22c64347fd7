"""Check the property that the room is for: the markdown renders to the same document, in two renderers."""

import re

from hypothesis import Phase, given, settings
from strategies import markdown_documents

from webtool.html import parse_html
from webtool.markdown import to_markdown

# 300 in a normal run, 5,000 with WEBTOOL_TEST_PROFILE=nightly.
_EXAMPLES = max(300, settings().max_examples)


_BLANK_LINE = re.compile(r"<br>((?:\s|<(?!br>)[^>]+>)*)<br>")


@settings(max_examples=_EXAMPLES, phases=(Phase.explicit, Phase.generate))
@given(source=markdown_documents())
def test_a_document_renders_to_itself(source, to_html, outline):
    while _BLANK_LINE.search(source):  # two line breaks are written as two paragraphs
        source = _BLANK_LINE.sub("<br>\\1", source)
    assert outline(to_html(to_markdown(parse_html(source)))) == outline(source)
