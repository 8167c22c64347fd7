"""Read formulas as TeX and write them between dollar signs.

In: MathML, or what KaTeX, MathJax and MediaWiki leave in a page. Out: TeX in one of GitHub's two notations: $x$ if a
Markdown reader without formulas leaves the TeX alone, $`x`$ if it would take it for markup.

The author's own TeX is preferred, if the page still has it (annotation, alttext, script type="math/tex", alt).
Otherwise presentation MathML is translated (mathml.py), or the boxes that KaTeX draws (katex.py).
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from webtool.html.node import Element, short_text
from webtool.lean import patterns
from webtool.markdown.escape import code_span

# Attributes in which pages keep the TeX that a script will draw: `<span data-math="x^2"></span>`.
_TEX_ATTRIBUTES = ("data-math", "data-tex", "data-formula", "data-equation", "data-katex", "data-expr", "data-latex")
has_tex_attribute = frozenset(_TEX_ATTRIBUTES).intersection  # true for attributes that may hold TeX: the set of them
_FORMULA_CLASS = patterns.compile(
    r"(?:^|\s)(?:katex|katex-display|mwe-math-element|MathJax(?:_Display|_Preview|_SVG|_CHTML)?|mjx-chtml|math|arithmatex"
    r"|math-container|math-tex)(?:\s|$)"
)
_looks_like_tex = patterns.compile(r"[\\^_{}]").search
_MAX_ATTRIBUTE = 2000  # characters of an attribute that may be TeX
_DRAWS_TEX = patterns.compile(
    r"(?:^|\s)(?:latex|latexcenter|tex|texrender|mathtex)(?:\s|$)|(?:latex\.php|codecogs\.com/|(?:math|mime)tex\.cgi)"
)
_WRAPPER = patterns.compile(r"(?s)(\{)?\\(?:displaystyle|textstyle)(?![A-Za-z])\s*(.*)(?(1)\})")
_comments = patterns.compile(r"(?s)(\\.)|%[^\n]*\n").sub  # for lines that all end: else it takes quadratic time
_signs_in = patterns.compile(r"(?s)\\.|\$+|[{}]").findall
_space = patterns.compile(r"\s+").sub
_numbered = patterns.compile(r"(?s)(?:\(([\w.]{1,12})\)[^\w\\$]{0,3}(?=\\\[|\$\$))?(.*)").match
# TeX that a Markdown reader without formulas would take for markup.
_MARKUP = patterns.compile(r"\\[!-/:-@\[-`{-~]|[*`~]|<[A-Za-z/!?]|&#?\w+;|(?<![A-Za-z0-9])_|\]\(|\$|https?:|www\.|\\\Z")


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
    display = element.attrs.get("display") in ("block", "true") or "isplay" in element.attrs.get("class", "")
    math = element if element.tag == "math" else None
    stack = [iter((element,))]
    while stack:
        for node in stack[-1]:
            tag = node.tag
            if "data-latex" in node.attrs:  # MathJax 4
                return _tidied(node.attrs["data-latex"]), display
            if tag == "annotation" and "tex" in node.attrs.get("encoding", "").lower().replace("text", ""):
                return _tidied(node.text), display
            if tag == "math":
                math = math or node
                display = display or node.attrs.get("display") == "block"
            if tag == "img" and "alt" in node.attrs and math is None and element.tag != "math":
                return _tidied(node.attrs["alt"]), display
            if node.children:
                stack.append(iter(node.children))  # type: ignore[arg-type]
                break
        else:
            stack.pop()
    if math is not None:
        from webtool.markdown import mathml  # imported late: few formulas come without TeX

        return _tidied(math.attrs.get("alttext") or mathml.translated(math)), display
    if element.tag == "mjx-container":
        from webtool.markdown import mathjax  # imported late

        return _tidied(mathjax.translated(element)), display
    if "katex" in element.attrs.get("class", ""):
        from webtool.markdown import katex  # imported late

        return _tidied(katex.translated(element)), display
    tex = _delimited(element.text)
    return tex, display or element.text.rstrip().endswith(("\\]", "$$"))


def of_attributes(element: Element) -> str:
    r"""Return the TeX in an attribute of an element that has no text of its own, or whose text is that TeX; else ""."""
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
            if not _ends_early(tex, right.replace("$$", "$")):
                return tex + (rf" \tag{{{number}}}" if number else "")
    return ""


def inline(tex: str) -> str:
    """Return an inline formula."""
    return "$" + code_span(tex) + "$" if _MARKUP.search(tex) else f"${tex}$"


def block(tex: str) -> str:
    """Return a display formula as a block."""
    return f"```math\n{tex}\n```" if _MARKUP.search(tex) else f"$${tex}$$"
