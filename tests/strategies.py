"""Provide Hypothesis strategies that several rooms' tests use."""

import html

from hypothesis import strategies as st

# Documents that GFM can express, for the round trip of webtool.markdown.

_AWKWARD = [
    "*", "**", "_", "__", "`", "``", "```", "~", "~~", "[", "]", "(", ")", "](", "![", "!", "<", ">", "<b>", "</b>",
    "<!--", "&", "&amp;", "&#42;", "&copy", "#", "##", "# ", "+", "+ ", "-", "- ", "--", "---", "===", "=", "1.", "1. ",
    "12) ", ":", "|", "| a |", "|---|", "\\", "\\*", "\\\\", "^", "$", "{", "}", "'", '"', ".", ",", ";", "/", "% ",
    "?",
    "http://a.b/c_d", "https://", "www.a.b", "[x]", "[ ] ", "[x]: y", "~~~", "* * *", "_ _ _", "\t", "  ", "\n", " ",
    "\u00a0", "\u3000", "\u20ac", "\u2192", "\U0001f600", "\u00e9", "\u4e2d", "\u0646", "a", "b", "ab", "1", "2", "x_y",
    "2*3", "e.g.", "\u2014", "\u201c", "\u2026", "-a", "*a", "_a", "a*", "a_", "~a", "a~", "a:", "(a)", " a", "a ",
]  # fmt: skip
_WORDS = ["a", "word", "x y", "1", "\u00e9t\u00e9", "two words", "snake_case"]
_URLS = [
    "/a", "b?c=d&e=f", "/a b", "/(x", "/x)", "/(x)", "#y", "http://a.b/c", "a\\b", "<x>", "/*_*", "/%20", "/&copy;",
    "mailto:x", "",
]  # fmt: skip
_TITLES = [None, None, 'say "x"', "it's", "a\\b", "(x)", "&amp;", "<b>", "t", "*x*", "two\nlines"]
_CODE_LINES = ["a", "  b", "", " ", "\tc", "```", "~~~~", "`x`", "<&>", "- d", "> e", "|", "    f", "1. g"]


def _tag(name, content, **attrs):
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attrs.items() if value is not None)
    return f"<{name}{written}>" if content is None else f"<{name}{written}>{content}</{name}>"


class MarkdownDocument:
    """Build the HTML of one document that GFM can express; `pick(n)` chooses a number below n."""

    def __init__(self, pick):
        self.pick = pick

    def one_of(self, choices):
        return choices[self.pick(len(choices))]

    def some(self, minimum, maximum, make):
        return "".join([make() for _ in range(minimum + self.pick(maximum - minimum + 1))])

    def text(self):
        return self.some(0, 4, lambda: self.one_of(_AWKWARD))

    def inlines(self, around=(), breaks=True, depth=2):
        """Return inline content; `around` has the tags of the spans around it."""
        return self.some(1, 4, lambda: self.inline(around, breaks, depth))

    def inline(self, around, breaks, depth):
        kind = self.pick(9 if depth else 5)
        if kind <= 1:
            return html.escape(self.text())
        if kind == 2:
            return self.one_of(_WORDS)
        if kind == 3:
            if breaks and self.pick(2):
                return "<br>"
            alt = " ".join(self.text().split(" "))
            return _tag("img", None, src=self.one_of(_URLS), alt=" ".join(alt.split()), title=self.one_of(_TITLES))
        if kind == 4:
            text = self.text().replace("\n", " ").replace("\t", " ")
            return _tag("code", html.escape(text))
        tag = "a" if kind == 8 else self.one_of(["strong", "em", "del", "b", "i"])
        same = {"b": "strong", "i": "em"}.get(tag, tag)
        if same in around:  # GFM can express only some spans inside a span of their kind
            return self.one_of(_WORDS)
        if tag == "a":  # a link without text would be named or left out
            content = self.filled(around=(*around, same), breaks=breaks, depth=depth - 1)
            return _tag("a", content, href=self.one_of(_URLS), title=self.one_of(_TITLES))
        content = self.inlines((*around, same), breaks, depth - 1)
        return _tag(tag, content)

    def filled(self, **options):
        """Return inlines with a word at one end, so that they are not empty. Which end decides what begins the
        line.
        """
        word, rest = self.one_of(_WORDS), self.inlines(**options)
        return word + rest if self.pick(2) else rest + word

    def paragraph(self):
        return _tag("p", self.filled())

    def heading(self):
        level = 1 + self.pick(6)
        return _tag(f"h{level}", self.filled(breaks=False))

    def rule(self):
        return "<hr>"

    def code(self):
        lines = self.some(0, 4, lambda: self.one_of(_CODE_LINES) + "\n")
        name = self.one_of([None, None, "language-python", "language-c++"])
        return _tag("pre", _tag("code", html.escape(lines), **{"class": name}))

    def table(self):
        width = 1 + self.pick(3)
        aligns = [self.one_of([None, "left", "center", "right"]) for _ in range(width)]

        def row(tag):
            return _tag("tr", "".join([_tag(tag, self.filled(breaks=bool(self.pick(2))), align=a) for a in aligns]))

        body = "".join([row("td") for _ in range(1 + self.pick(2))])
        return _tag("table", _tag("thead", row("th")) + _tag("tbody", body))

    def quote(self, depth):
        return _tag("blockquote", self.some(1, 3, lambda: self.block(depth - 1)))

    def list(self, items):
        start = self.one_of([None, None, 1, 0, 7, 123456789])
        content = "".join([_tag("li", item) for item in items])
        if start is None:
            return _tag("ul", content)
        return _tag("ol", content, start=None if start == 1 else str(start))

    def tight_list(self, depth):
        return self.list([self.tight_item(depth, first=not number) for number in range(1 + self.pick(3))])

    def tight_item(self, depth, first):
        """Return a text and blocks that can follow a tight text without a blank line."""
        if not first and not self.pick(6):
            return ""
        item = self.filled(depth=1)
        kinds = ["code", "heading", "rule"][: self.pick(4)]
        if kinds and self.pick(2):
            kinds.reverse()
        for kind in kinds:
            item += _tag("h3", self.filled(breaks=False)) if kind == "heading" else getattr(self, kind)()
        if depth and self.pick(2):
            items = [self.filled(depth=1) for _ in range(1 + self.pick(2))]
            item += _tag(self.one_of(["ul", "ol"]), "".join([_tag("li", inner) for inner in items]))
        return item

    def loose_list(self, depth):
        return self.list(
            [self.paragraph() + self.some(0, 2, lambda: self.block(depth - 1)) for _ in range(2 + self.pick(2))]
        )

    def block(self, depth):
        kind = self.pick(10 if depth else 7)
        if kind <= 6:
            leaves = (self.paragraph, self.paragraph, self.paragraph, self.heading, self.code, self.rule, self.table)
            return leaves[kind]()
        return (self.quote, self.tight_list, self.loose_list)[kind - 7](depth)

    def document(self):
        return self.some(1, 4, lambda: self.block(2))


@st.composite
def markdown_documents(draw):
    """Draw HTML of documents that GFM can express."""
    return MarkdownDocument(lambda n: draw(st.integers(0, n - 1))).document()
