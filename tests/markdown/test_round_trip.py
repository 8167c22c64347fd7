"""The property that everything else serves: what is written renders to the same document, in two renderers."""

from hypothesis import given, settings
from strategies import markdown_documents

from webtool.html import parse_html
from webtool.markdown import to_markdown

# 300 in a normal run, 5,000 with WEBTOOL_TEST_PROFILE=nightly.
_EXAMPLES = max(300, settings().max_examples)


@settings(max_examples=_EXAMPLES)
@given(source=markdown_documents())
def test_a_document_renders_to_itself(source, to_html, outline):
    assert outline(to_html(to_markdown(parse_html(source)))) == outline(source)
