"""CSS selectors as XPath. In: a selector list, such as `main > p.lead, nav a[href^="/"]`. Out: an XPath expression.

Type, universal, id, class and attribute selectors with all their operators, the four combinators, and the structural
pseudo-classes :first-child, :last-child, :only-child, :nth-child(), :nth-last-child(), :first-of-type, :last-of-type,
:nth-of-type(), :empty, :root, :not() of a compound, and :has() of a relative one. Specification: Selectors 4.
"""

from __future__ import annotations

from collections.abc import Callable

from webtool.lean import patterns
from webtool.xpath.lexer import XPathError

MAX_LENGTH = 1000
"""Characters of a selector list."""

_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\.)+"
_XML_NAME = r"[A-Za-z_][\w-]*"
_part = patterns.compile(
    rf"(?P<universal>\*)|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<attribute>{_XML_NAME})\s*(?:(?P<operator>[~|^$*]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|{_NAME})\s*(?P<flag>[iIsS])?\s*)?\]"
    rf"|::?(?P<pseudo>[\w-]+)(?P<open>\()?|(?P<type>{_XML_NAME})"
).match
_combinator = patterns.compile(r"\s*([>+~])\s*|\s+").match
_an_plus_b = patterns.compile(r"\s*(?:(odd|even)|([+-]?[0-9]*)n\s*(?:([+-])\s*([0-9]+))?|([+-]?[0-9]+))\s*\Z").match
_AXES = {None: "/descendant::", ">": "/child::", "+": "/following-sibling::*[1]/self::", "~": "/following-sibling::"}
_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"

_PLAIN: dict[str, str] = {
    "first-child": "not(preceding-sibling::*)",
    "last-child": "not(following-sibling::*)",
    "only-child": "not(preceding-sibling::*) and not(following-sibling::*)",
    "empty": "not(node())",
    "root": "not(parent::*)",
}


def to_xpath(selectors: str) -> str:
    """The expression that selects the same elements. Raises XPathError for what is not a selector or not understood."""
    if len(selectors) > MAX_LENGTH:
        raise XPathError(f"the selector is longer than {MAX_LENGTH} characters")
    paths = _Reader(selectors).paths("")
    return " | ".join(paths)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._at = 0

    def paths(self, until: str, start: str = "") -> list[str]:
        """A list of complex selectors, up to the character `until` or the end."""
        paths = []
        while True:
            paths.append(self._complex(until, start))
            if self._at < len(self._text) and self._text[self._at] == ",":
                self._at += 1
                self._skip()
                continue
            if self._text[self._at : self._at + 1] == until:
                return paths
            raise self._wrong()

    def _complex(self, until: str, start: str) -> str:
        path, axis = start, _AXES[None]
        if start:  # relative, as in :has(> p)
            first = _combinator(self._text, self._at)
            if first:
                self._at, axis = first.end(), _AXES[first[1]]
        while True:
            path += axis + self._compound()
            joined = _combinator(self._text, self._at)
            end = joined.end() if joined else self._at
            if end >= len(self._text) or self._text[end] in (",", until):
                if joined and joined[1]:
                    raise self._wrong("it ends with a combinator")
                self._at = end
                return path
            if not joined:
                raise self._wrong()
            axis, self._at = _AXES[joined[1]], end

    def _compound(self) -> str:
        name, conditions, begin = "*", [], self._at
        while True:
            match = _part(self._text, self._at)
            if not match or (match["type"] and self._at > begin):
                break
            self._at = match.end()
            if match["type"]:
                name = match["type"].lower()
            elif match["pseudo"]:
                conditions.append(self._pseudo(match["pseudo"].lower(), bool(match["open"]), name))
            elif not match["universal"]:
                conditions.append(_condition(match.groupdict()))
        if self._at == begin:
            raise self._wrong()
        return name + "".join(f"[{condition}]" for condition in conditions)

    def _pseudo(self, name: str, has_argument: bool, tag: str) -> str:
        if not has_argument:
            if name in _PLAIN:
                return _PLAIN[name]
            if name in ("first-of-type", "last-of-type") and tag != "*":
                return f"not({'preceding' if name[0] == 'f' else 'following'}-sibling::{tag})"
            raise self._wrong(f"it has :{name}")
        if name in ("not", "is", "where"):
            self._skip()
            tests = [path.replace("/descendant::", "self::", 1) for path in self.paths(")")]
            self._at += 1
            if any("/" in test.partition("[")[0] for test in tests):
                raise self._wrong(f":{name}() takes compound selectors")
            either = " or ".join(tests)
            return f"not({either})" if name == "not" else f"({either})"
        if name == "has":
            self._skip()
            tests = [path.removeprefix("./") for path in self.paths(")", ".")]
            self._at += 1
            return " or ".join(tests)
        end = self._text.find(")", self._at)
        argument, self._at = self._text[self._at : max(end, self._at)], end + 1
        return self._nth(name, argument, tag)

    def _nth(self, name: str, argument: str, tag: str) -> str:
        of = "*" if name.endswith("child") else tag
        if name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type") or (of == "*") != (
            name.endswith("child")
        ):
            raise self._wrong(f"it has :{name}()")
        match = _an_plus_b(argument)
        if not match:
            raise self._wrong(f"{argument!r} is not an an+b")
        if match[1]:
            step, first = 2, int(match[1] == "odd")
        elif match[5]:
            step, first = 0, int(match[5])
        else:
            step = int(match[2] + "1" if match[2] in ("", "+", "-") else match[2])
            first = int((match[3] or "") + (match[4] or "0"))
        place = f"(count({'following' if 'last' in name else 'preceding'}-sibling::{of}) + 1)"
        if step == 0:
            return f"{place} = {first}"
        sign = ">=" if step > 0 else "<="
        return f"{place} {sign} {first} and ({place} - {first}) mod {abs(step)} = 0"

    def _skip(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _wrong(self, why: str = "") -> XPathError:
        where = self._text[max(self._at, 0) :][:30]
        return XPathError(f"the selector is not understood{': ' + why if why else ''}, at {where!r}")


def _condition(part: dict[str, str | None]) -> str:
    if part["id"]:
        return f"@id = {_literal(_unescaped(part['id']))}"
    if part["class"]:
        return _has_word("@class", _literal(_unescaped(part["class"])))
    name = f"@{(part['attribute'] or '').lower()}"
    if not part["operator"]:
        return name
    value = part["value"] or ""
    value = value[1:-1] if value[:1] in ("'", '"') else _unescaped(value)
    if (part["flag"] or "").lower() == "i":
        name, value = f"translate({name}, '{_UPPER}', '{_LOWER}')", value.lower()
    return _OPERATORS[part["operator"]](name, _literal(value), value)


def _has_word(name: str, literal: str) -> str:
    return f"contains(concat(' ', normalize-space({name}), ' '), concat(' ', {literal}, ' '))"


def _ends(name: str, literal: str, value: str) -> str:
    # XPath 1.0 has no ends-with(): the attribute's last characters are compared.
    return f"substring({name}, string-length({name}) - {len(value) - 1}) = {literal}" if value else "false()"


_OPERATORS: dict[str, Callable[[str, str, str], str]] = {
    "=": lambda name, literal, _: f"{name} = {literal}",
    "~=": lambda name, literal, _: _has_word(name, literal),
    "|=": lambda name, literal, _: f"{name} = {literal} or starts-with({name}, concat({literal}, '-'))",
    "^=": lambda name, literal, value: f"starts-with({name}, {literal})" if value else "false()",
    "$=": _ends,
    "*=": lambda name, literal, value: f"contains({name}, {literal})" if value else "false()",
}


def _unescaped(name: str) -> str:
    parts = name.split("\\")
    return parts[0] + "".join(parts[1:])


def _literal(text: str) -> str:
    """An XPath string: it has no escapes, so a text with both quotes is put together."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    pieces = ', "\'", '.join(f"'{piece}'" for piece in text.split("'"))
    return f"concat({pieces})"
