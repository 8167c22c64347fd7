"""Translate presentation MathML to TeX.

In: a math element. Out: TeX. Each element has a rule in _RULES; a rule gets the TeX of the children and the element,
and returns the element's TeX. Specification: MathML Core; the LaTeX names of its operators.
Tests: tests/markdown/test_cases.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webtool.html.node import Element, Node
from webtool.lean import patterns
from webtool.lean.typing import Any

# Operator characters -> TeX. Invisible operators (U+2061 to U+2064) are dropped.
_OPERATORS = {
    "\u2211": r"\sum", "\u220f": r"\prod", "\u222b": r"\int", "\u222e": r"\oint", "\u221e": r"\infty",
    "\u2264": r"\le", "\u2265": r"\ge", "\u2260": r"\ne", "\u2248": r"\approx", "\u2261": r"\equiv", "\u223c": r"\sim",
    "\u00d7": r"\times", "\u00b7": r"\cdot", "\u22c5": r"\cdot", "\u00f7": r"\div", "\u00b1": r"\pm", "\u2213": r"\mp",
    "\u2212": "-", "\u2217": "*", "\u2208": r"\in", "\u2209": r"\notin", "\u2282": r"\subset", "\u2286": r"\subseteq",
    "\u222a": r"\cup", "\u2229": r"\cap", "\u2205": r"\emptyset", "\u2200": r"\forall", "\u2203": r"\exists",
    "\u00ac": r"\neg", "\u2227": r"\land", "\u2228": r"\lor", "\u2192": r"\to", "\u21d2": r"\Rightarrow",
    "\u21d4": r"\Leftrightarrow", "\u2190": r"\leftarrow", "\u21a6": r"\mapsto", "\u2202": r"\partial",
    "\u2207": r"\nabla", "\u2026": r"\ldots", "\u22ef": r"\cdots", "\u2032": "'", "\u2033": "''", "\u2034": "'''",
    "\u2225": r"\|", "\u2016": r"\|",
    "\u27e8": r"\langle", "\u27e9": r"\rangle", "\u230a": r"\lfloor", "\u230b": r"\rfloor", "\u2308": r"\lceil",
    "\u2309": r"\rceil", "\u2297": r"\otimes", "\u2295": r"\oplus", "\u2218": r"\circ", "\u221d": r"\propto",
    "\u2243": r"\simeq", "\u2245": r"\cong", "\u22a5": r"\perp", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&",
    "#": r"\#", "$": r"\$", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u00a0": " ",
}  # fmt: skip
_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "omicron", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
# Greek letters that look like Latin ones have no command in LaTeX.
_LATIN_LOOKING = dict(zip(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03bf",
    ("A", "B", "E", "Z", "H", "I", "K", "M", "N", "O", "P", "T", "X", "o"),
))  # fmt: skip
_LETTERS = {chr(0x3B1 + i): f"\\{name}" for i, name in enumerate(_GREEK)}
_LETTERS.update({chr(0x391 + i): f"\\{name.capitalize()}" for i, name in enumerate(_GREEK) if name != "varsigma"})
_LETTERS.update({greek: f"\\mathrm{{{latin}}}" for greek, latin in _LATIN_LOOKING.items()})
_LETTERS.update({"\u03d5": r"\phi", "\u03f5": r"\epsilon", "\u03d1": r"\vartheta", "\u210f": r"\hbar",
                 "\u2113": r"\ell", "\u211d": r"\mathbb{R}", "\u2115": r"\mathbb{N}",
                 "\u2124": r"\mathbb{Z}", "\u211a": r"\mathbb{Q}",
                 "\u2102": r"\mathbb{C}", "\u2135": r"\aleph"})  # fmt: skip
# Function names that are TeX commands.
FUNCTIONS = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "lim", "max", "min", "sup", "inf", "det", "dim",
    "ker", "gcd", "arg", "deg", "sinh", "cosh", "tanh",
))  # fmt: skip
# What is above a base -> TeX accent. The keys are TeX, as the children of a mover are translated before it: a vector's
# arrow has become \to. The other signs are in no table of translations.
_ACCENTS = {
    "^": "hat", "\u02c6": "hat", "\u0302": "hat", "~": "tilde", "\u02dc": "tilde", "\u0303": "tilde", "\u00af": "bar",
    "\u203e": "overline", "_": "bar", r"\to": "vec", "\u20d7": "vec", "\u02d9": "dot", ".": "dot", "\u00a8": "ddot",
    "\u23de": "overbrace", "\u2015": "overline",
}  # fmt: skip

# mathvariant -> TeX command.
_VARIANTS = {"bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak"}

_space = patterns.compile(r"\s+").sub
_special = patterns.compile(r"[%#$&_{}]").sub
_ends_in_command = patterns.compile(r"\\[A-Za-z]+\Z").search
_is_command = patterns.compile(r"\\[A-Za-z]+\Z").match
# Operators with limits, besides the functions. The union over all i is mostly written with the small sign of a union.
_BIG = frozenset((r"\sum", r"\prod", r"\int", r"\oint", r"\cup", r"\cap"))
_PRIMES = frozenset(("'", "''", "'''"))
# Notation of menclose -> TeX's command.
_NOTATIONS = {
    "top": "overline", "actuarial": "overline", "bottom": "underline", "box": "boxed", "roundedbox": "boxed",
    "radical": "sqrt", "updiagonalstrike": "cancel", "downdiagonalstrike": "bcancel", "horizontalstrike": "sout",
}  # fmt: skip


def element_of(tag: str, parts: Sequence[Node]) -> Element:
    """Return a new element with these children. The readers of drawn formulas write MathML with it."""
    element = Element(tag, {})
    for part in parts:
        element.append(part)
    return element


def translated(math: Element) -> str:
    """Return MathML as TeX. It works bottom-up over an explicit stack, because formulas nest as deep as pages do."""
    stack: list[tuple[Any, Any, list[str]]] = [(math, iter(math.children), [])]
    while True:
        element, rest, parts = stack[-1]
        for node in rest:
            if node.tag is None:
                if node.text.strip():
                    parts.append(node.text)
            # No comments; and of semantics only the first child: the formula. The further ones annotate it.
            elif node.tag[0] != "#" and not (element.tag == "semantics" and parts):
                stack.append((node, iter(node.children), []))
                break
        else:
            stack.pop()
            written = _RULES.get(element.tag, _row)(parts, element)
            if not stack:
                return written
            stack[-1][2].append(written)


def _row(parts: list[str], _: Element) -> str:
    """Join parts, with a space between a TeX command and a letter after it."""
    last = ""
    pieces = []
    for part in parts:
        pieces.append(" " + part if last[-1:].isalpha() and part[:1].isalpha() and _ends_in_command(last) else part)
        last = part
    return "".join(pieces)


def _identifier(parts: list[str], element: Element) -> str:
    """Translate mi: a letter, a name or a function."""
    text = "".join(parts).strip()
    if text in FUNCTIONS:
        return f"\\{text} "
    if len(text) > 1 and text.isalpha() and element.attrs.get("mathvariant") not in _VARIANTS:
        return f"\\mathrm{{{text}}}"
    text = _LETTERS[text] if text in _LETTERS else _OPERATORS.get(text, _escaped(text))
    variant = _VARIANTS.get(element.attrs.get("mathvariant", ""))
    return f"\\{variant}{{{text}}}" if variant else text


def _operator(parts: list[str], _: Element) -> str:
    """Translate mo: an operator, with the spaces around it."""
    text = "".join(parts).strip()
    if text in FUNCTIONS:
        return f"\\{text} "
    operator = _OPERATORS.get(text, _LETTERS.get(text, text))
    if operator[:1] == "\\" and operator[-1:].isalpha():
        return f"{operator} "
    return f" {operator} " if operator in ("=", "<", ">", "+") else operator


def _words(parts: list[str], _: Element) -> str:
    """Translate mtext: words with the spaces between them."""
    text = _space(" ", "".join(parts))
    return f"\\text{{{_escaped(text)}}}" if text.strip() else " "


def _escaped(text: str) -> str:
    """Put a backslash before the signs that TeX would read as its own: "50%" -> 50\\%."""
    return _special(r"\\\g<0>", text)


def _group(text: str) -> str:
    """Put braces around TeX, unless it is one character or one command."""
    text = text.strip()
    return text if len(text) == 1 or _is_command(text) else f"{{{text}}}"


def _from_template(template: str) -> Callable[[list[str], Element], str]:
    """Return a rule that fills the parts into a template."""

    def rule(parts: list[str], element: Element) -> str:
        if len(parts) < template.count("{}"):
            return _row(parts, element)
        return template.format(*map(_group, parts))

    return rule


def _fraction(parts: list[str], element: Element) -> str:
    """Translate mfrac; without a line it is a binomial coefficient."""
    if len(parts) < 2:
        return _row(parts, element)
    above, below = parts[0].strip(), parts[1].strip()
    thickness = element.attrs.get("linethickness", "").strip().lower().rstrip("abcdefghijklmnopqrstuvwxyz%")
    is_bare = thickness != "" and not thickness.strip("0.")  # "0", "0.0pt"; not "0.4pt" or "thin"
    return f"{{{{{above}}} \\atop {{{below}}}}}" if is_bare else f"\\frac{{{above}}}{{{below}}}"


def _root(parts: list[str], element: Element) -> str:
    if len(parts) < 2:
        return _square_root(parts, element)
    return f"\\sqrt[{parts[1].strip()}]{{{parts[0].strip()}}}"


def _square_root(parts: list[str], element: Element) -> str:
    return f"\\sqrt{{{_row(parts, element).strip()}}}"


def _over(parts: list[str], element: Element) -> str:
    """Translate mover: an accent, an upper limit or something set above."""
    if len(parts) < 2:
        return _row(parts, element)
    base, over = parts[0].strip(), parts[1].strip()
    accent = _ACCENTS.get(over)
    if accent:
        return f"\\{accent}{{{base}}}"
    return f"{base}^{_group(over)}" if _has_limits(base) else f"\\overset{{{over}}}{{{base}}}"


def _under(parts: list[str], element: Element) -> str:
    """Translate munder: a lower limit or something set below."""
    if len(parts) < 2:
        return _row(parts, element)
    base, under = parts[0].strip(), parts[1].strip()
    return f"{base}_{_group(under)}" if _has_limits(base) else f"\\underset{{{under}}}{{{base}}}"


def _has_limits(base: str) -> bool:
    """Whether what is above and below this TeX is written with ^ and _."""
    return base in _BIG or (base[:1] == "\\" and base[1:] in FUNCTIONS)


def _superscript(parts: list[str], element: Element) -> str:
    """Translate msup, and msubsup, whose parts are base, index and exponent. A prime is one already: f'."""
    template = "{}^{}" if element.tag == "msup" else "{}_{}^{}"
    if len(parts) == template.count("{}") and parts[-1].strip() in _PRIMES:
        return template.removesuffix("^{}").format(*map(_group, parts)) + parts[-1].strip()
    return _from_template(template)(parts, element)


def _fenced(parts: list[str], element: Element) -> str:
    """Translate mfenced: brackets with separators. Of several separators the first is taken for all places."""
    attrs = element.attrs
    opening = _operator([attrs.get("open", "(")], element)
    closing = _operator([attrs.get("close", ")")], element)
    separator = attrs.get("separators", ",").strip()[:1]
    return opening + separator.join([part.strip() for part in parts]) + closing.rstrip()


def _number(parts: list[str], _: Element) -> str:
    """Translate mn: digits, perhaps with a sign that TeX would read otherwise, as in 50%."""
    return _escaped("".join(parts).strip())


def _enclosed(parts: list[str], element: Element) -> str:
    """Translate menclose: what is drawn around or through a term. A notation without a command draws nothing."""
    text = _row(parts, element)
    for notation in element.attrs.get("notation", "").split():
        if notation in _NOTATIONS:
            text = f"\\{_NOTATIONS[notation]}{{{text.strip()}}}"
    return text


_RULES: dict[str, Callable[[list[str], Element], str]] = {
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    **dict.fromkeys(("mtext", "ms"), _words),
    **dict.fromkeys(("msup", "msubsup"), _superscript),
    "msub": _from_template("{}_{}"),
    "munderover": _from_template("{}_{}^{}"),
    "mfrac": _fraction,
    "msqrt": _square_root,
    "mroot": _root,
    "mover": _over,
    "munder": _under,
    "mfenced": _fenced,
    "mtable": lambda parts, _: "\\begin{matrix} " + " \\\\ ".join(parts) + " \\end{matrix}",
    **dict.fromkeys(("mtr", "mlabeledtr"), lambda parts, _: " & ".join([part.strip() for part in parts])),
    "mspace": lambda _, __: " ",
    **dict.fromkeys(("annotation", "annotation-xml", "mphantom"), lambda _, __: ""),
    "menclose": _enclosed,
}
