"""Code blocks: a pre element (or a highlighter's table) in, the exact code and its language out.

Line numbers, copy buttons and markup are no code. Specification: CommonMark 0.31 section 4.5; class names of the usual
highlighters (highlight.js, Prism, Rouge, Pygments, Chroma, SyntaxHighlighter, GitHub, Shiki).
"""

from __future__ import annotations

from webtool.html.node import Element
from webtool.lean import patterns
from webtool.markdown import escape, scripts
from webtool.markdown.invisible import clean_code

_GUTTER = frozenset((
    "linenos", "lineno", "linenodiv", "linenumber", "line-number", "linenumbers", "lnt", "ln", "gutter", "gl",
    "hljs-ln-numbers", "hljs-ln-line-number", "line-numbers-rows", "code-line-number", "blob-num",
    "react-syntax-highlighter-line-number", "linenum", "line_numbers", "lines-number", "ln-num",
    "codehilite-linenos", "crayon-nums", "crayon-num", "rouge-gutter", "copy-btn", "copy-button", "clipboard-copy",
    "code-block-line-number", "shcode-line-number", "prettyprint-linenum", "toolbar-item", "line-numbers-wrapper",
    "test-arrow", "diff-line-num", "lines-num", "ltx_listing_data", "ltx_tag_listingline", "boring",
))  # fmt: skip
_ROWS = frozenset(("table", "thead", "tbody", "tr"))  # the text between their cells is none
_LINES = frozenset(("div", "p", "li", "tr", "dd", "dt"))
_NOT_CODE = frozenset(("button", "script", "style", "template", "clipboard-copy", "#comment", "svg"))

_language = patterns.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|mw-highlight-lang|highlight|hl|ltx_lst_language|code|syntax|src)[-:_](?!_)|brush:?\s*)"
    r"(?P<name>(?!source-|text-)[\w+#.\-]+)"
).search
_UNNAMED = frozenset(("none", "plaintext", "nohighlight", "no-highlight", "auto", "undefined", "unknown"))
_NO_LANGUAGE = _UNNAMED | frozenset((
    "text", "plain", "default", "block", "wrapper", "box", "container", "toolbar", "toolbar-item", "snippet",
    "highlight", "code", "example", "output", "line", "lines", "copy", "light", "dark", "theme", "generic",
    "raw",
))  # fmt: skip
# Class names beside a highlighter's own ("hljs python", "prettyprint java", "sourceCode haskell", "highlight ruby").
_HIGHLIGHTERS = frozenset((
    "hljs", "prettyprint", "prettyprinted", "sourcecode", "highlight", "chroma", "shiki", "codehilite", "rouge",
    "syntaxhighlighter", "rust-example-rendered", "item-decl",
))  # fmt: skip
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


def text_of(pre: Element) -> str:
    """The code of a pre element, byte for byte, without gutters and buttons; <br> and line boxes end lines."""
    out: list[str] = []
    numbers: list[int] = []  # which of these may number a line
    stack: list[tuple[object, bool]] = [(iter(pre.children), False)]
    while stack:
        rest, ends_line = stack[-1]
        for node in rest:  # type: ignore[attr-defined]
            tag = node.tag
            if tag is None:
                if node.parent.tag not in _ROWS:
                    is_short = len(node.text) < _LONG_NUMBER and len(node.parent.children) == 1
                    if is_short and (not out or out[-1][-1:] == "\n") and _number_of(node.text):
                        numbers.append(len(out))
                    out.append(node.text)
            elif tag == "br":
                out.append("\n")
            elif tag in scripts.SIGNS and scripts.is_base(out[-1] if out else ""):
                text = node.text
                out.append(scripts.written(scripts.SIGNS[tag], text, has_base=True) or text)
            elif tag not in _NOT_CODE and not is_gutter(node):
                style = node.attrs.get("style", "")
                ends = tag in _LINES or ("display" in style and _line_display(style) is not None)
                if ends:
                    _end_line(out)
                sign = _sign_of(node.attrs) if node.attrs else ""
                if sign:
                    out.append(sign)
                stack.append((iter(node.children), ends))
                break
        else:
            stack.pop()
            if ends_line:
                _end_line(out)
    return clean_code(_unnumbered(out, numbers) if len(numbers) > 1 else "".join(out))


_number_of = patterns.compile(r" *0*([1-9][0-9]*)(?:[:.|] ?| +)").fullmatch
_LONG_NUMBER = 12  # characters


def _unnumbered(texts: list[str], numbers: list[int]) -> str:
    """Code without its lines' numbers, where each line begins with the next one, as the text of an element."""
    lines = "".join(texts).removesuffix("\n").split("\n")
    marks = [texts[i] for i in numbers]
    counted = [int(_number_of(mark)[1]) for mark in marks]  # type: ignore[index]
    is_each = len(marks) == len(lines) and all(map(str.startswith, lines, marks))
    if not is_each or counted != list(range(counted[0], counted[0] + len(counted))):
        return "".join(texts)
    lines = [line[len(mark) :] for line, mark in zip(lines, marks)]
    is_apart = all(line[:1] in ("", " ") for line in lines)
    return "\n".join([line[1:] for line in lines] if is_apart and marks[0][-1] != " " else lines)


def _sign_of(attrs: dict[str, str]) -> str:
    """What the style sheets of GitHub, Gitea, GitLab and VitePress write before a line that was added or removed."""
    sign = attrs.get("data-code-marker", attrs.get("data-type-marker", ""))
    names = attrs.get("class", "") if not sign else ""
    if names.startswith("line diff "):
        return _SIGNS.get(names.split()[2], "")
    if "line_content" not in names:
        return sign
    return next((_SIGNS[name] for name in names.split() if name in _SIGNS), " ")


_SIGNS = {"old": "-", "new": "+", "match": "", "remove": "- ", "add": "+ "}


def _end_line(out: list[str]) -> None:
    for text in reversed(out):
        if text:
            if not text.endswith("\n"):
                out.append("\n")
            return


_line_display = patterns.compile(r"display\s*:\s*(?:block|table-row|flex|grid)").search


def is_gutter(element: Element) -> bool:
    """Whether an element inside a code block holds line numbers or buttons instead of code."""
    attrs = element.attrs
    if not attrs:
        return False
    if "data-line-number" in attrs and not element.text.strip():
        return True
    names = attrs.get("class", "")
    return bool(names) and not _GUTTER.isdisjoint(names.lower().split())


def language_of(pre: Element) -> str:
    """The info string: the language named by the element, its code child or the boxes around it; "" if none is."""
    inner = [node for node in pre.children if node.tag is not None and node.tag != "#comment"]
    if len(inner) == 1 and inner[0].tag == "pre":  # mdBook
        pre = inner[0]  # type: ignore[assignment]
        inner = [node for node in pre.children if node.tag is not None and node.tag != "#comment"]
    candidates = [pre]
    if len(inner) == 1 and inner[0].tag in ("code", "samp", "span", "div"):
        candidates.insert(0, inner[0])  # type: ignore[arg-type]
        word = _info_word(inner[0].attrs.get("class", "")) if inner[0].tag == "code" else None
        if word and word[1].lower() not in _UNNAMED:  # as renderers of Markdown write it, whatever it is
            return escape.info_string(word[1])
    parent, steps = pre.parent, 0
    while parent is not None and steps < 3 and parent.tag in ("div", "figure", "td", "span", "code"):
        if parent.tag == "td":
            steps -= 1
        candidates.append(parent)
        parent, steps = parent.parent, steps + 1
    for element in candidates:
        language = _named_by(element.attrs) if element.attrs else ""
        if language:
            return language
        if _is_plain(element.attrs.get("class", "")):
            return ""
    # GitHub writes <pre lang="python"><code>; elsewhere it is the language of people.
    named = pre.attrs.get("lang", "") if candidates[0].tag == "code" else ""
    return escape.info_string(named) if _is_word(named) and not _is_spoken(named) else ""


_is_spoken = patterns.compile(
    r"(?i)(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr"
    r"|sv|ta|th|tr|uk|vi|zh)(?:[-_]\w+)*\Z|[a-z]{2}-[a-z]{2}\Z"
).match
_is_word = patterns.compile(r"[^\s`]{1,40}\Z").match
_info_word = patterns.compile(r"language-(\S{1,40})\Z").match
_is_plain = patterns.compile(r"(?:^|\s)lang(?:uage)?-(?:none|text|plain|plaintext|txt)(?:\s|$)").search


def _named_by(attrs: dict[str, str]) -> str:
    for name in (
        "data-lang",
        "data-language",
        "data-code-language",
        "data-enlighter-language",
        "data-code-block-lang",
        "lang" if "hljs" in attrs.get("class", "") else "",
    ):
        value = attrs.get(name, "").strip().lower()
        if value and _usable(value):
            return value
    names = attrs.get("class", "") + " " + attrs.get("data-syntaxhighlighter-params", "")
    if _is_plain(names):
        return ""
    words = names.lower().replace(";", " ").split()
    if not _HIGHLIGHTERS.isdisjoint(words):
        for word in words:  # before "code-with-copy"
            if word in _KNOWN:
                return word
    match = _language(names)
    return match["name"] if match and _usable(match["name"].lower()) else ""


def code_table(table: Element) -> tuple[str, str]:
    """The code of a highlighter's table of line numbers and lines, and its language."""
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
    return text_of(table), language_of(block)


_safe = patterns.compile(r"[\w+#.\-]{1,40}\Z").match


def _usable(name: str) -> bool:
    return name not in _NO_LANGUAGE and "__" not in name and _safe(name) is not None  # code-block__x: a CSS module


_fence_runs = {mark: patterns.compile(rf"(?:^|\n)[ ]{{0,3}}({mark}{{3,}})").findall for mark in "`~"}


def fenced(code: str, language: str) -> str:
    """A fenced code block; its fence is longer than any at a line start inside."""
    mark = "~" if "`" in language else "`"  # which no info string behind backticks can hold
    fence = mark * (max([2, *map(len, _fence_runs[mark](code))]) + 1)
    if code and not code.endswith("\n"):
        code += "\n"
    return f"{fence}{language}\n{code}{fence}"
