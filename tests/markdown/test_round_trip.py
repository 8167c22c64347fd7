"""The property that everything else serves: what is written renders to the same document, in two renderers."""

import re

from hypothesis import given, settings
from strategies import markdown_documents

from webtool.html import parse_html
from webtool.markdown import to_markdown

# 300 in a normal run, 5,000 with WEBTOOL_TEST_PROFILE=nightly.
_EXAMPLES = max(300, settings().max_examples)


# Spaces at the end of a struck text are passed over by the comparison; those of a link or mark around it are written
# behind it, where they count.
_LAST_SPACES = re.compile(r"([ \n]+)(</del>(?:</(?:a|em|strong|b|i)>)+)")
_BLANK_LINE = re.compile(r"<br>((?:\s|<(?!br>)[^>]+>)*)<br>")


@settings(max_examples=_EXAMPLES)
@given(source=markdown_documents())
def test_a_document_renders_to_itself(source, to_html, outline):
    while _BLANK_LINE.search(source):  # two line breaks are written as two paragraphs
        source = _BLANK_LINE.sub("<br>\\1", source)
    source = _LAST_SPACES.sub(r"\2\1", source)
    assert outline(to_html(to_markdown(parse_html(source)))) == outline(source)
