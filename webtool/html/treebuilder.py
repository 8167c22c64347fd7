"""Construct the tree: the tokenizer's calls in, a tree of nodes out.

This module has the parser's state, hands each token to the current insertion mode (or to the rules for foreign content)
and resets the insertion mode. insertion.py has the operations on the stack of open elements and on the tree,
formatting.py those on the list of active formatting elements. The rules of the modes are tables in modes/ and
foreign.py.
Spec: the HTML Standard, 13.2.4 (parse state) and 13.2.6 (tree construction).
"""

from __future__ import annotations

from itertools import islice

from webtool.html import foreign, selectedcontent
from webtool.html.doctype import DoctypeToken
from webtool.html.insertion import MAX_SEARCH, Insertion
from webtool.html.modes import MODES, Mode, document, table
from webtool.html.node import Comment, Document, Element, ProcessingInstruction, around
from webtool.html.tokenizer import PLAINTEXT, RAWTEXT, RCDATA, SCRIPT_DATA, Tokenizer

# Context element of a fragment -> content model of the fragment.
_CONTENT_MODELS = {
    **dict.fromkeys(("title", "textarea"), RCDATA),
    **dict.fromkeys(("style", "xmp", "iframe", "noembed", "noframes"), RAWTEXT),
    "script": SCRIPT_DATA,
    "plaintext": PLAINTEXT,
}
# Open element -> insertion mode, for "reset the insertion mode appropriately".
_MODE_OF = {
    "td": "in cell", "th": "in cell", "head": "in head", "tr": "in row", "tbody": "in table body",
    "thead": "in table body", "tfoot": "in table body", "caption": "in caption", "colgroup": "in column group",
    "table": "in table", "body": "in body", "frameset": "in frameset",
}  # fmt: skip

_NOT_LAST = frozenset(("td", "th", "head"))  # these do not count if they are the context of a fragment
_RESETS = frozenset((*_MODE_OF, "template", "html"))


class TreeBuilder(Insertion, Tokenizer):
    """Build `document` of a text. With `context` it runs the fragment parsing algorithm."""

    def __init__(self, context: Element | None = None, scripting: bool = False) -> None:
        Tokenizer.__init__(self)
        # The document is at the bottom of the stack, so that there always is a current node; the root is stack[1].
        Insertion.__init__(self, Document("#document" if context is None else "#document-fragment"))
        self.formatting: list[Element | None] = []  # the list of active formatting elements; None is a marker
        self.template_modes: list[str] = []  # the stack of template insertion modes
        self.head: Element | None = None  # the head element pointer
        self.form: Element | None = None  # the form element pointer
        self.context = context
        self.scripting = scripting
        self.frameset_ok = True
        self.open_templates = 0  # template elements on the stack
        self.clones = 0  # elements made by reconstruction; limited, see formatting.py
        self.original_mode = MODES["in body"]  # the mode to return to from "text" and "in table text"
        self.table_text: list[str] = []  # the pending table character tokens
        self.selectedcontents: list[Element] = []  # filled when the tree is complete
        self.mode: Mode = MODES["initial"]
        if context is not None:
            self._start_fragment(context)

    def _start_fragment(self, context: Element) -> None:
        """Prepare the state as the HTML fragment parsing algorithm does (13.4).

        The root copies a foreign context element, so that it can serve as the adjusted current node.
        """
        is_html = context.namespace == "html"
        root = Element("html") if is_html else Element(context.tag, context.attrs.copy(), context.namespace)
        self.document.append(root)
        self.stack.append(root)
        if is_html:
            self.content_model = _CONTENT_MODELS.get(context.tag, "")
            if context.tag == "noscript" and self.scripting:
                self.content_model = RAWTEXT
            if context.tag == "template":
                self.template_modes.append("in template")
            self.form = next((node for node in (context, *around(context, -1)) if node.tag == "form"), None)
        self.reset_insertion_mode()

    def build(self, text: str) -> None:
        """Process a text and the end of the file. The tree is complete afterwards."""
        self.tokenize(text)
        while not self.mode.eof(self):
            pass
        self.join_texts()
        if self.selectedcontents:
            selectedcontent.fill(self.selectedcontents, 2 * len(self.inserted))
            self.is_in_order = False

    # Tokens (13.2.6, tree construction dispatcher)

    def handle_starttag(self, tag: str, attrs: dict[str, str]) -> None:
        """Process a start tag by the current insertion mode, or by the rules for foreign content."""
        node = self.stack[-1]
        if node.namespace != "html" and not foreign.is_html_start(node, tag):
            foreign.start_tag(self, tag, attrs)
            return
        mode = self.mode
        (mode.start.get(tag) or mode.other_start)(self, tag, attrs)

    def handle_startendtag(self, tag: str, attrs: dict[str, str]) -> None:
        """Process a start tag with the self-closing flag, which counts for foreign elements only."""
        count = len(self.inserted)
        self.handle_starttag(tag, attrs)
        node = self.stack[-1]
        is_new = len(self.inserted) > count and node is self.inserted[-1]
        if is_new and node.namespace != "html":
            self.pop()

    def handle_endtag(self, tag: str) -> None:
        """Process an end tag by the current insertion mode, or by the rules for foreign content."""
        node = self.stack[-1]
        if node.namespace != "html":
            foreign.end_tag(self, tag)
            return
        mode = self.mode
        if node.tag == tag and tag in mode.plain_end:  # end tags that only pop
            self.stack.pop()
        else:
            (mode.end.get(tag) or mode.other_end)(self, tag)

    def handle_data(self, data: str) -> None:
        """Process characters."""
        node = self.stack[-1]
        if node.namespace != "html" and not foreign.is_html_text(node):
            foreign.characters(self, data)
        else:
            self.mode.characters(self, data)

    def handle_comment(self, data: str) -> None:
        """Process a comment."""
        if self.stack[-1].namespace != "html":
            self.insert_comment(data)
        else:
            self.mode.comment(self, data)

    def handle_pi(self, data: str) -> None:
        """Process a processing instruction: it is inserted where a comment would be."""
        self.comment_type = ProcessingInstruction
        self.handle_comment(data)
        self.comment_type = Comment

    def handle_decl(self, token: DoctypeToken) -> None:
        """Process a DOCTYPE. It counts at the very beginning only."""
        if self.mode.name == "initial":
            document.initial_doctype(self, token)
        elif self.mode.name == "in table text":
            table.flush_table_text(self)

    def allows_cdata(self) -> bool:
        """Whether the adjusted current node is a foreign element."""
        return self.stack[-1].namespace != "html"

    # The insertion mode

    def switch(self, name: str) -> None:
        """Switch the insertion mode."""
        self.mode = MODES[name]

    def reset_insertion_mode(self) -> None:
        """Reset the insertion mode appropriately."""
        for node in islice(reversed(self.stack), MAX_SEARCH):
            if node.tag in _RESETS:
                name = self._mode_for(node)
                if name:
                    self.switch(name)
                    return
        self.switch("in body")

    def _mode_for(self, node: Element) -> str | None:
        """Return the insertion mode that an open element asks for, or None."""
        last = node is self.stack[1]
        if last and self.context is not None:
            node = self.context
        tag = node.tag
        if node.namespace != "html":
            return None
        if tag == "template":
            return self.template_modes[-1]
        if tag == "html":
            return "before head" if self.head is None else "after head"
        if last and tag in _NOT_LAST:
            return None
        return _MODE_OF.get(tag)

    def start_text(self, name: str, attrs: dict[str, str], model: str) -> None:
        """Run the generic raw text or RCDATA element parsing algorithm; scripts use it too."""
        self.insert_element(name, attrs)
        self.content_model = model
        self.last_start_tag = name
        self.original_mode = self.mode
        self.mode = MODES["text"]

    def is_template_content(self) -> bool:
        """Whether the contents of a template are parsed: the form element pointer is not used there."""
        return bool(self.open_templates) or (self.context is not None and self.context.tag == "template")
