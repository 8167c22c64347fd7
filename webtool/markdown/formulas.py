"""Write formulas as TeX between dollar signs, and exponents and indices (sup and sub), for which GFM has no markup.

In: MathML, or what KaTeX, MathJax and MediaWiki leave in a page. Out: TeX in one of GitHub's two notations. That is $x$
if a Markdown reader without formulas shows the TeX unchanged: $a+b$. Where it would take the TeX for markup, as in
$`a*b*c`$, it is $`x`$.

The author's own TeX is preferred, if the page still has it (annotation, alttext, script type="math/tex", alt).
Otherwise presentation MathML is translated (mathml.py), or the boxes that are drawn by KaTeX (katex.py) or MathJax 3
(mathjax.py).

script_text() gets the text of a sup or sub element, and whether it follows a base (a number, letter or bracket). It
returns Unicode's superscripts or subscripts if the text has at most one letter and all characters exist there; else the
text after ^ or _, as in "2^(n-1)", which would read as "2n-1" otherwise. Ordinals ("1st"), trademark signs and marks of
notes ("[a]", "*") stay plain; numbers of notes ("1, 2") become superscripts.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from itertools import islice

from webtool.html.node import Element, nodes_below, short_text
from webtool.lean import patterns
from webtool.lean.characters import is_alnum, is_new
from webtool.markdown.escape import code_span

# Attributes in which pages keep the TeX that a script will draw: `<span data-math="x^2"></span>`.
_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-formula", "data-equation", "data-katex", "data-expr", "data-latex")
_has_no_tex = frozenset(_TEX_ATTRIBUTES).isdisjoint
_FORMULA_CLASS = patterns.compile(
    r"(?:^|\s)(?:katex|katex-display|mwe-math-element|MathJax(?:_Display|_Preview|_SVG|_CHTML)?|mjx-chtml|math|arithmatex"
    r"|math-container|math-tex)(?:\s|$)"
)
# Signs that TeX has and prose has not.
_looks_like_tex = patterns.compile(r"[\\^_{}]").search
_MAX_ATTRIBUTE = 2000  # characters of an attribute that may be TeX
# Class or address of an image that a server draws from the TeX in its description.
_DRAWS_TEX = patterns.compile(
    r"(?:^|\s)(?:latex|latexcenter|tex|texrender|mathtex)(?:\s|$)|(?:latex\.php|codecogs\.com/|(?:math|mime)tex\.cgi)"
)
_WRAPPER = patterns.compile(r"(?s)(\{)?\\(?:displaystyle|textstyle)(?![A-Za-z])\s*(.*)(?(1)\})")
_comments = patterns.compile(r"(?s)(\\.)|%[^\n]*\n").sub  # for lines that all end: else it takes quadratic time
_signs_in = patterns.compile(r"(?s)\\.|\$+|[{}]").findall
_space = patterns.compile(r"\s+").sub
# Group 1: the number before a displayed formula, "3" of `(3) \[x\]`. Group 2: the rest, or all of a text without one.
_numbered = patterns.compile(r"(?s)(?:\(([\w.]{1,12})\)[^\w\\$]{0,3}(?=\\\[|\$\$))?(.*)").match
# TeX that a Markdown reader without formulas would take for markup.
_MARKUP = patterns.compile(r"\\[!-/:-@\[-`{-~]|[*`~]|<[A-Za-z/!?]|&#?\w+;|(?<![A-Za-z0-9])_|\]\(|\$|https?:|www\.|\\\Z")

# Exponents and indices. SCRIPT_SIGNS: tag -> the sign before its text.
SCRIPT_SIGNS = {"sup": "^", "sub": "_"}
_SCRIPT_TABLES = {
    "^": str.maketrans(
        "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyz",
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207b\u207c\u207d\u207e"
        "\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0\u1d4d\u02b0\u2071\u02b2\u1d4f\u02e1\u1d50\u207f\u1d52\u1d56\u02b3"
        "\u02e2\u1d57\u1d58\u1d5b\u02b7\u02e3\u02b8\u1dbb",
    ),
    "_": str.maketrans(
        "0123456789+-\u2212\u2013=()aehijklmnoprstuvx",
        "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208b\u208c\u208d\u208e"
        "\u2090\u2091\u2095\u1d62\u2c7c\u2096\u2097\u2098\u2099\u2092\u209a\u1d63\u209b\u209c\u1d64\u1d65\u2093",
    ),
}
# Tags of what a sup or sub element may contain; None is a text.
_IN_SCRIPT = frozenset((
    None, "sup", "sub", "i", "em", "b", "strong", "var", "span", "font", "small", "cite", "u", "bdi", "mark",
))  # fmt: skip
_MAX_SCRIPT = 40  # characters of an exponent or index; longer texts are written as they are
_MAX_SCRIPT_NODES = 60  # nodes inside a sup or sub; script_content() returns "more" if it has more
_ORDINAL = patterns.compile(r"(?i)st|nd|rd|th|er|ers|re|e|es|ème|ère|o|os|a|mme|me|lle|gr")
_NOTE_MARK = patterns.compile(r"\[[^\[\]]*\]|[*\u2020\u2021\u00a7\u00b6#\u00ae\u00a9\u2122\u2120\u2032\u2033\u00b0]+")
_is_list_of_numbers = patterns.compile(r"[0-9]{1,3}(?:,\s*[0-9]{1,3})*,?").fullmatch
_ABBREVIATIONS = {"TM": "\u2122", "SM": "\u2120", "R": "\u00ae"}


def is_formula(class_names: str) -> bool:
    """Whether a class attribute is that of a typesetter's box (KaTeX, MathJax, MediaWiki)."""
    # A part of each name is searched first: that is faster than the expression, and nearly always enough.
    is_likely = "ath" in class_names or "atex" in class_names or "mjx" in class_names
    return is_likely and _FORMULA_CLASS.search(class_names) is not None


def is_code(element: Element) -> bool:
    """Whether a code element is a formula, as GitLab, Gitea and Markdown renderers write it."""
    attrs = element.attrs
    return "data-math-style" in attrs or "language-math" in attrs.get("class", "").split()


def tex_of(element: Element) -> tuple[str, bool]:
    """Return the TeX of a math element or a typesetter's box ("" without one), and whether it is displayed."""
    is_display = element.attrs.get("display") in ("block", "true") or "isplay" in element.attrs.get("class", "")
    math = element if element.tag == "math" else None
    stack = [iter((element,))]
    while stack:
        for node in stack[-1]:
            tag = node.tag
            if "data-latex" in node.attrs:  # MathJax 4
                return _tidied(node.attrs["data-latex"]), is_display
            # encoding="application/x-tex", "LaTeX"; not "text/plain"
            if tag == "annotation" and "tex" in node.attrs.get("encoding", "").lower().replace("text", ""):
                return _tidied(node.text), is_display
            if tag == "math":
                math = math or node
                is_display = is_display or node.attrs.get("display") == "block"
            if tag == "img" and "alt" in node.attrs and math is None and element.tag != "math":
                return _tidied(node.attrs["alt"]), is_display
            if node.children:
                stack.append(iter(node.children))  # type: ignore[arg-type]
                break
        else:
            stack.pop()
    if math is not None:
        from webtool.markdown import mathml  # imported late: few formulas come without TeX

        return _tidied(math.attrs.get("alttext") or mathml.translated(math)), is_display
    if element.tag == "mjx-container":
        from webtool.markdown import mathjax  # imported late

        return _tidied(mathjax.translated(element)), is_display
    if "katex" in element.attrs.get("class", ""):
        from webtool.markdown import katex  # imported late

        return _tidied(katex.translated(element)), is_display
    tex = _delimited(element.text)
    return tex, is_display or element.text.rstrip().endswith(("\\]", "$$"))


def of_attributes(element: Element) -> str:
    r"""Return the TeX in an attribute of an element that has no text of its own, or whose text is that TeX; else ""."""
    if _has_no_tex(element.attrs):
        return ""
    value = next((element.attrs[name] for name in _TEX_ATTRIBUTES if element.attrs.get(name)), "").strip()
    if not value or len(value) > _MAX_ATTRIBUTE or value.lower() in ("true", "false", "inline", "block"):
        return ""
    text = short_text(element).strip()
    is_tex = not text or text == value or _looks_like_tex(value)
    return (_delimited(value) or _tidied(value)) if is_tex else ""


def of_picture(image: Element) -> str:
    """Return the TeX that the image of a formula has as its description; "" for other images."""
    attrs = image.attrs
    names = attrs.get("class", "") + " " + attrs.get("src", "")
    if "alt" not in attrs or ("tex" not in names and "codecogs" not in names) or not _DRAWS_TEX.search(names):
        return ""
    return _delimited(attrs["alt"]) or _tidied(attrs["alt"])


def _tidied(tex: str) -> str:
    r"""Collapse the white space of TeX and remove an outer \displaystyle or \textstyle."""
    tex = _collapsed(tex)
    match = _WRAPPER.fullmatch(tex)
    return match[2].strip() if match and not (match[1] and _ends_early(match[2], "}")) else tex


def _collapsed(tex: str) -> str:
    """Collapse white space. Comments are removed with it: without their line end they would hide the rest."""
    lines, end, last = tex.rpartition("\n")
    if "%" in lines:
        tex = _comments(lambda match: match[1] or " ", lines + end) + last
    return _space(" ", tex).strip()


def _ends_early(tex: str, end: str) -> bool:
    """Return whether the TeX has an end sign outside braces: `a}+{b` and "}", `a$ and $b` and "$"."""
    depth = 0
    for sign in _signs_in(tex):
        if depth <= 0 and sign.startswith(end):
            return True
        depth += (sign == "{") - (sign == "}")
    return False


def _delimited(text: str) -> str:
    r"""Return the TeX inside \(...\), \[...\] or dollar signs, or "" for other text, as for `$a$ and $b$`.

    An equation number before the delimiters becomes a \tag: `(3) \[x\]` gives `x \tag{3}`.
    """
    number, text = _numbered(_collapsed(text)).groups("")  # type: ignore[union-attr]
    for left, right in (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")):
        if text.startswith(left) and text.endswith(right) and len(text) > len(left) + len(right):
            tex = text[len(left) : -len(right)].strip()
            end = "$" if right == "$$" else right  # even a single dollar sign ends $$...$$
            if not _ends_early(tex, end):
                return tex + (rf" \tag{{{number}}}" if number else "")
    return ""


def inline(tex: str) -> str:
    """Return an inline formula."""
    return "$" + code_span(tex) + "$" if _MARKUP.search(tex) else f"${tex}$"


def block(tex: str) -> str:
    """Return a display formula as a block."""
    return f"```math\n{tex}\n```" if _MARKUP.search(tex) else f"$${tex}$$"


def script_content(element: Element) -> str:
    """Return what a sup or sub element contains: "text", "scripts" (other sup or sub elements), or "more"."""
    tags = [node.tag for node in islice(nodes_below(element), _MAX_SCRIPT_NODES + 1)]
    if len(tags) > _MAX_SCRIPT_NODES or not _IN_SCRIPT.issuperset(tags):
        return "more"
    return "text" if SCRIPT_SIGNS.keys().isdisjoint(tags) else "scripts"


def script_text(sign: str, raw: str, *, has_base: bool) -> str | None:
    """Return `raw` as a superscript (sign "^") or subscript ("_"), or None if it should be written as it is."""
    text = " ".join(raw.split())
    if not text or len(text) > _MAX_SCRIPT:
        return None
    if sign == "^":
        is_exponent = has_base and len(text) == 1 and text != "R"  # x^e; "Acme" with a raised R has a trademark sign
        if (text in _ABBREVIATIONS or _ORDINAL.fullmatch(text)) and not is_exponent:
            return _ABBREVIATIONS.get(text, text)
        if _NOTE_MARK.fullmatch(text):
            return None
    table = _SCRIPT_TABLES[sign]
    # With more than one letter Unicode's signs are hard to read. Letters that only newer Pythons know are not counted,
    # so that all Pythons write the same.
    if sum(char.isalpha() and not is_new(char) for char in text) <= 1 and all(ord(char) in table for char in text):
        return text.translate(table)
    if _is_list_of_numbers(text):
        return text.translate(table)
    if not has_base:
        return None
    return f"{sign}{text}" if len(text) == 1 or all(map(is_alnum, text)) else f"{sign}({text})"


def is_base(before: str) -> bool:
    """Whether a text ends in something that can have an exponent: a number, a letter or a bracket."""
    return bool(before) and (is_alnum(before[-1]) or before[-1] in ")]}|'\u2032")
