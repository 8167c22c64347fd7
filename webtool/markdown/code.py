"""Read the code and the language of code blocks.

In: a pre element, or a highlighter's table of line numbers and lines. Out: the exact code, and the info string ("" if
no language is known). Line numbers ("gutters"), copy buttons and markup are left out. fenced() writes both as a fenced
code block.
Specification: CommonMark 0.31 section 4.5. The class names are those of highlight.js, Prism, Rouge, Pygments, Chroma,
SyntaxHighlighter, GitHub and Shiki.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Container
from itertools import islice

from webtool.html.node import Element, Node, nodes_below, short_text
from webtool.lean import patterns
from webtool.markdown import escape, formulas
from webtool.markdown.invisible import clean_code

# Classes of line numbers and buttons inside a code block.
_GUTTER = frozenset((
    "linenos", "lineno", "linenodiv", "linenumber", "line-number", "linenumbers", "lnt", "gutter",
    "hljs-ln-numbers", "hljs-ln-line-number", "line-numbers-rows", "code-line-number", "blob-num",
    "react-syntax-highlighter-line-number", "linenum", "line_numbers", "lines-number", "ln-num",
    "codehilite-linenos", "crayon-nums", "crayon-num", "rouge-gutter", "copy-btn", "copy-button", "clipboard-copy",
    "code-block-line-number", "shcode-line-number", "prettyprint-linenum", "toolbar-item", "line-numbers-wrapper",
    "test-arrow", "diff-line-num", "lines-num", "ltx_listing_data", "ltx_tag_listingline", "boring",
    "codemirror-gutter-wrapper",
))  # fmt: skip
# Classes of line numbers for some highlighters, and for others of a line (ln) or of underlined code (gl).
_GUTTER_OR_CODE = frozenset(("ln", "gl"))
_ROWS = frozenset(("table", "thead", "tbody", "tr", "ol", "ul"))  # text directly in these is indentation of the HTML
_LINES = frozenset(("div", "p", "li", "tr", "dd", "dt"))  # elements that end a line of code
_NOT_CODE = frozenset(("button", "script", "style", "template", "clipboard-copy", "#comment", "svg"))

# A language in class names: "language-js", "lang:js", "code_js", "brush: js"; but not in "code__block", a part of a CSS
# module, nor in "lang-source-js", an editor's scope.
_LANGUAGE = patterns.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|mw-highlight-lang|highlight|hl|ltx_lst_language|code"
    r"|syntax|src)[-:_](?!_)|brush:?\s*)(?P<name>(?!source-|text-)[\w+#.\-]+)"
)
# Words after "language-" that mean "no language".
_UNNAMED = frozenset(("none", "plaintext", "nohighlight", "no-highlight", "auto", "undefined", "unknown"))
# Words in class names and data attributes that are not languages.
_NO_LANGUAGE = _UNNAMED | frozenset((
    "text", "plain", "default", "block", "wrapper", "box", "container", "toolbar", "toolbar-item", "snippet",
    "highlight", "code", "example", "output", "line", "lines", "copy", "light", "dark", "theme", "generic",
    "raw",
))  # fmt: skip
# Highlighters' class names beside which a language may be a class of its own ("hljs python", "sourceCode haskell").
_HIGHLIGHTERS = frozenset((
    "hljs", "prettyprint", "prettyprinted", "sourcecode", "highlight", "chroma", "shiki", "codehilite", "rouge",
    "syntaxhighlighter", "rust-example-rendered", "item-decl",
))  # fmt: skip
# Languages that may be such a class.
_KNOWN = frozenset((
    "bash", "sh", "shell", "zsh", "console", "powershell", "ps1", "bat", "c", "cpp", "c++", "cs", "csharp", "c#",
    "objc", "objective-c", "java", "kotlin", "scala", "groovy", "clojure", "javascript", "js", "jsx", "typescript",
    "ts", "tsx", "json", "json5", "yaml", "yml", "toml", "ini", "xml", "html", "css", "scss", "sass", "less", "php",
    "python", "py", "ruby", "rb", "perl", "go", "golang", "rust", "rs", "swift", "dart", "lua", "r", "julia",
    "haskell", "hs", "elixir", "erlang", "ocaml", "fsharp", "f#", "sql", "graphql", "http", "diff", "patch",
    "makefile", "cmake", "dockerfile", "docker", "nginx", "apache", "vim", "latex", "tex", "matlab", "fortran",
    "pascal", "delphi", "lisp", "scheme", "racket", "zig", "nim", "crystal", "v", "solidity", "protobuf", "proto",
    "terraform", "hcl", "nix", "asm", "x86asm", "wasm", "awk", "sed", "markdown", "md", "rst", "vb", "vbnet",
    "properties", "svelte", "vue",
))  # fmt: skip
# A line number, with the padding before it and the sign or spaces after it: "1", " 12: ", "3|". Group 1: the number.
_number_of = patterns.compile(r" *0*([1-9][0-9]*)(?:[:.|] ?| +|)").fullmatch
_has_numbers_only = patterns.compile(r"[\s.:|]*\d[\s\d.:|]*\Z").match
_MAX_NUMBER = 11  # characters of a line number with its padding; a longer text is code
_LINE_CLASSES = frozenset((
    "line", "code-line", "codeline", "view-line", "token-line", "cm-line", "row", "cl", "CodeMirror-line", "ace_line",
))  # fmt: skip
_MAX_EMPTY_NODES = 40  # nodes inside an element that may be an empty line; one with more counts as not empty
_MAX_LINES_ASKED = 4  # siblings among which a text between two lines is looked for
_DIFF_MARKERS = {"old": "-", "new": "+", "match": "", "remove": "- ", "add": "+ "}
_LINE_DISPLAY = patterns.compile(r"display\s*:\s*(?:block|table-row|flex|grid)")
_no_select = patterns.compile(r"user-select\s*:\s*none").search
# Class of a bar above code, which has its label and buttons.
_BAR = patterns.compile(r"(?:^|[\s_-])(?:header|head|toolbar|topbar|titlebar|title-bar)(?:\s|$)")
_MAX_BAR = 40  # characters of the label in a header bar
# Values of lang and language that name no programming language: "en", "zh-Hant", "xx-yy".
_HUMAN_LANGUAGE = patterns.compile(
    r"(?i)(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr"
    r"|sv|ta|th|tr|uk|vi|zh)(?:[-_]\w+)*\Z|[a-z]{2}-[a-z]{2}\Z"
)
_is_word = patterns.compile(r"[^\s`]{1,40}\Z").match
_info_word = patterns.compile(r"language-(\S{1,40})\Z").match
# Class of a block that its author says to be in no language.
_PLAIN = patterns.compile(r"(?:^|\s)lang(?:uage)?-(?:none|text|plain|plaintext|txt)(?:\s|$)")
# Attributes with a programming language.
_LANGUAGE_ATTRIBUTES = (
    "data-lang", "data-language", "data-code-language", "data-enlighter-language", "data-code-block-lang", "language",
    "lang",
)  # fmt: skip
_MAX_NUMBERS = 20000  # characters of a column of line numbers; a longer one is not looked at
_MAX_ROWS = 5000  # nodes of a table among which its rows are counted
_is_safe = patterns.compile(r"[\w+#.\-]{1,40}\Z").match
# Fence character -> the runs of it that begin a line of code.
_fence_runs = {mark: patterns.compile(rf"(?:^|\n)[ ]{{0,3}}({mark}{{3,}})").findall for mark in "`~"}


def text_of(pre: Element, hidden: Container[Element] = ()) -> str:
    """Return the code of a pre element, byte for byte, without gutters, buttons and `hidden` elements.

    A <br> and the end of a line box (`<div class=line>`) end lines. Numbers that count the lines are removed, even
    without a class. Elements that only screen readers skip (aria-hidden) stay.
    """
    out: list[str] = []
    numbers: list[int] = []  # indices in `out` of texts that may be line numbers
    stack: list[tuple[object, bool]] = [(iter(pre.children), False)]
    while stack:
        rest, ends_line = stack[-1]
        for node in rest:  # type: ignore[attr-defined]
            tag = node.tag
            if tag is None:
                if node.parent.tag not in _ROWS:
                    is_short = len(node.text) <= _MAX_NUMBER and len(node.parent.children) == 1
                    at_start = not out or out[-1][-1:] == "\n"
                    if is_short and at_start and _is_number(node):
                        numbers.append(len(out))
                    out.append(node.text)
            elif tag == "br":
                out.append("\n")
            elif tag in formulas.SCRIPT_SIGNS and formulas.is_base(out[-1] if out else ""):
                text = node.text
                out.append(formulas.script_text(formulas.SCRIPT_SIGNS[tag], text, has_base=True) or text)
            elif tag not in _NOT_CODE and not is_gutter(node) and not _is_unseen(node, hidden):
                style = node.attrs.get("style", "")
                ends = tag in _LINES or ("display" in style and _LINE_DISPLAY.search(style) is not None)
                if ends:
                    _end_line(out)
                marker = _diff_marker(node.attrs) if node.attrs else ""
                if marker:
                    out.append(marker)
                if ends and _is_empty_line(node):
                    out.append("\n")
                    continue
                stack.append((iter(node.children), ends))
                break
        else:
            stack.pop()
            if ends_line:
                _end_line(out)
    return clean_code(_unnumbered(out, numbers) if len(numbers) > 1 else "".join(out))


def _is_unseen(element: Element, hidden: Container[Element]) -> bool:
    """Whether the page hides an element from those who see it, not only from screen readers."""
    return element in hidden and not (isinstance(hidden, dict) and hidden[element] == "aria-hidden")


def _is_number(text: Node) -> bool:
    """Whether a text may be a line number: "1.", "1 ", or "1" in a cell or in a box with space around it."""
    if not _number_of(text.text):
        return False
    box = text.parent
    is_set_apart = box is not None and (box.tag == "td" or "padding" in box.attrs.get("style", ""))
    return is_set_apart or not text.text[-1:].isdecimal()


def _is_empty_line(element: Element) -> bool:
    """Whether an empty element is an empty line of code, unless line ends are written between elements: `<li></li>`."""
    if element.tag not in ("li", "tr") and _LINE_CLASSES.isdisjoint(element.attrs.get("class", "").split()):
        return False
    nodes = list(islice(nodes_below(element), _MAX_EMPTY_NODES + 1))
    text = "".join([node.text for node in nodes if node.tag is None])
    has_break = "\n" in text or any(node.tag == "br" for node in nodes if node.parent is element)
    if len(nodes) > _MAX_EMPTY_NODES or has_break or text.strip("\u200b\r "):
        return False
    siblings = element.parent.children if element.parent is not None else []
    first = next((node for node in siblings[:_MAX_LINES_ASKED] if node.tag is None), None)
    return first is None or "\n" not in first.text or element.parent.tag in _ROWS  # type: ignore[union-attr]


def _unnumbered(texts: list[str], numbers: list[int]) -> str:
    """Return code without its line numbers; `numbers` are the indices of texts that may be line numbers.

    They are removed only if each line begins with one and they count up by one: "1 a", "2 b" gives the lines "a", "b".
    """
    lines = "".join(texts).removesuffix("\n").split("\n")
    marks = [texts[index] for index in numbers]
    counted = [int(_number_of(mark)[1]) for mark in marks]  # type: ignore[index]
    is_each_line = len(marks) == len(lines) and all(map(str.startswith, lines, marks))
    if not is_each_line or counted != list(range(counted[0], counted[0] + len(counted))):
        return "".join(texts)
    lines = [line[len(mark) :] for line, mark in zip(lines, marks)]
    if not any(lines):  # numbers are all that the code has
        return "".join(texts)
    has_space_after = all(line[:1] in ("", " ") for line in lines)
    ends_in_sign = marks[0][-1] != " " and not marks[0][-1].isdecimal()
    if has_space_after and ends_in_sign:  # "1: a": the space belongs to the number
        lines = [line[1:] for line in lines]
    return "\n".join(lines)


def _diff_marker(attrs: dict[str, str]) -> str:
    """Return the "+", "-" or "" that a style sheet writes before a line of a diff (GitHub, Gitea, VitePress)."""
    marker = attrs.get("data-code-marker", attrs.get("data-type-marker", ""))
    names = attrs.get("class", "") if not marker else ""
    if names.startswith("line diff "):
        return _DIFF_MARKERS.get(names.split()[2], "")
    if "line_content" not in names:
        return marker
    return next((_DIFF_MARKERS[name] for name in names.split() if name in _DIFF_MARKERS), " ")


def _end_line(out: list[str]) -> None:
    """End the line, unless nothing was written since the last line end."""
    for text in reversed(out):
        if text:
            if not text.endswith("\n"):
                out.append("\n")
            return


def is_gutter(element: Element) -> bool:
    """Whether an element inside a code block has line numbers or buttons instead of code."""
    attrs = element.attrs
    if not attrs:
        return False
    if "data-line-number" in attrs and not short_text(element).strip():
        return True
    style = attrs.get("style", "")
    if "user-select" in style and _no_select(style) and short_text(element).strip().isdecimal():
        return True
    names = attrs.get("class", "").lower()
    if not names:
        return False
    words = names.split()
    if not _GUTTER.isdisjoint(words):
        return True
    if not _GUTTER_OR_CODE.isdisjoint(words) and _has_numbers_only(short_text(element)):
        return True
    return _BAR.search(names) is not None and _has_label_only(element)


def _has_label_only(bar: Element) -> bool:
    """Whether a bar above code names only the language, or has a button: `<div class=code-header>bash<button>`."""
    text = short_text(bar).strip()
    has_button = any(node.tag == "button" for node in nodes_below(bar))
    return "\n" not in text and len(text) <= _MAX_BAR and (has_button or text.lower() in _KNOWN)


def language_of(pre: Element) -> str:
    """Return the info string: the language named by the pre element, its code child or the boxes around it, else ""."""
    inner = [node for node in pre.children if node.tag is not None and node.tag != "#comment"]
    if len(inner) == 1 and inner[0].tag == "pre":  # mdBook
        pre = inner[0]  # type: ignore[assignment]
        inner = [node for node in pre.children if node.tag is not None and node.tag != "#comment"]
    candidates = [pre]
    if len(inner) == 1 and inner[0].tag in ("code", "samp", "span", "div"):
        candidates.insert(0, inner[0])  # type: ignore[arg-type]
        # Markdown renderers write any info string so, as the only class. "language-text" may have others beside it.
        names = inner[0].attrs.get("class", "") if inner[0].tag == "code" else ""
        word = _info_word("language-text" if "language-text" in names.split() else names)
        if word and word[1].lower() not in _UNNAMED:
            return escape.info_string(word[1])
    parent, steps = pre.parent, 0  # at most three boxes up; a table cell costs no step
    while parent is not None and steps < 3 and parent.tag in ("div", "figure", "td", "span", "code"):
        if parent.tag == "td":
            steps -= 1
        candidates.append(parent)
        parent, steps = parent.parent, steps + 1
    for element in candidates:
        language = _named_by(element.attrs) if element.attrs else ""
        if language:
            return language
        if _PLAIN.search(element.attrs.get("class", "")):
            return ""
    # GitHub writes <pre lang="python"><code>; on other sites lang is a human language.
    lang = pre.attrs.get("lang", "") if candidates[0].tag == "code" else ""
    return escape.info_string(lang) if _is_word(lang) and not _HUMAN_LANGUAGE.match(lang) else ""


def _named_by(attrs: dict[str, str]) -> str:
    """Return the language that data attributes or class names give, else ""."""
    for name in _LANGUAGE_ATTRIBUTES:
        if name == "lang" and "hljs" not in attrs.get("class", ""):
            continue  # it counts only on elements of highlight.js
        value = attrs.get(name, "").strip().lower()
        may_be_human = name in ("language", "lang") and value not in _KNOWN
        if value and _is_language(value) and not (may_be_human and _HUMAN_LANGUAGE.match(value)):
            return value
    names = attrs.get("class", "") + " " + attrs.get("data-syntaxhighlighter-params", "")
    if _PLAIN.search(names):
        return ""
    words = names.lower().replace(";", " ").split()
    if not _HIGHLIGHTERS.isdisjoint(words):
        for word in words:  # looked at first: "code-with-copy" would match _LANGUAGE
            if word in _KNOWN:
                return word
    match = _LANGUAGE.search(names)
    return match["name"] if match and _is_language(match["name"].lower()) else ""


def code_table(table: Element, hidden: Container[Element]) -> tuple[str, str]:
    """Return the code, without `hidden` elements, and the language of a highlighter's table of numbered lines."""
    table = numbered_code(table) or table
    block = table
    stack = [iter(table.children)]
    while stack:
        for node in stack[-1]:
            if not node.children or is_gutter(node):  # type: ignore[arg-type]
                continue
            if node.tag in ("pre", "code"):
                block = node  # type: ignore[assignment]
            stack.append(iter(node.children))
            break
        else:
            stack.pop()
    return text_of(table, hidden), language_of(block)


def numbered_code(table: Element) -> Element | None:
    """Return the pre with the code if a table is one row of line numbers and code, each in a pre; else None.

    `<tr><td><pre>1\\n2</pre><td><pre>a\\nb</pre>`, as Hugo and GeSHi write it without class names.
    """
    rows = [node for node in islice(nodes_below(table), _MAX_ROWS) if node.tag == "tr"]
    cells = [node for node in rows[0].children if node.tag == "td"] if len(rows) == 1 else []
    pres = [node for cell in cells for node in cell.children if node.tag == "pre"]
    if len(cells) != 2 or [node.parent for node in pres] != cells:
        return None
    numbers = cells[0].text[:_MAX_NUMBERS].split()
    first = int(numbers[0]) if numbers and numbers[0].isdecimal() and len(numbers[0]) < _MAX_NUMBER else -1
    is_count = first >= 0 and numbers == [str(first + index) for index in range(len(numbers))]
    return pres[1] if is_count else None  # type: ignore[return-value]


def _is_language(name: str) -> bool:
    """Whether a name can be an info string. `code-block__x` is a class of a CSS module, not a language."""
    return name not in _NO_LANGUAGE and "__" not in name and _is_safe(name) is not None


def fenced(code: str, language: str) -> str:
    """Return a fenced code block. Its fence is longer than any at a line start inside the code."""
    mark = "~" if "`" in language else "`"  # an info string after backticks cannot have a backtick
    fence = mark * (max([2, *map(len, _fence_runs[mark](code))]) + 1)
    if code and not code.endswith("\n"):
        code += "\n"
    return f"{fence}{language}\n{code}{fence}"
