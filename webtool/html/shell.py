"""Is this page only a shell that its scripts would fill? In: a tree. Out: the reason in a few words, or None. Pure.

A shell has next to no text of its own and scripts to make some: an empty container that a framework fills, a noscript
message that asks for JavaScript, or a handful of scripts around nothing. No standard says this; the container names are
the defaults of the frameworks' own project generators. Stops reading as soon as there is enough text for a page.
"""

from __future__ import annotations

from webtool.html.node import Element, Node
from webtool.lean import patterns

PAGE_TEXT = 600  # characters of text from which a page is a page, whatever else it has
SHELL_TEXT = 300  # as much as a shell's header, cookie line and "Loading" may come to
BARE_TEXT = 80
MANY_SCRIPTS = 3
_MAX_MESSAGE = 2000  # characters of noscript text that are looked at

# fmt: off
_ROOTS = frozenset((
    "root", "app", "__next", "__nuxt", "__layout", "___gatsby", "main-app", "react-root", "reactroot", "app-root",
    "approot", "svelte", "q-app", "mount", "single-spa-application:app", "ember-app", "gatsby-focus-wrapper",
    "application", "vue-app", "react-app", "ng-app",
))
# fmt: on
_SILENT = frozenset(
    ("head", "script", "style", "template", "noscript", "svg", "select", "datalist", "iframe", "object", "canvas")
)
_HEAD_PARTS = frozenset(("script", "noscript", "link"))
_asks_for_scripts = patterns.compile(
    r"(?i)(?:enable|activate|turn(?:ing)? on|allow|requires?|needs?|without|support)\W+(?:\w+\W+){0,4}?java\s?script"
    r"|java\s?script\W+(?:\w+\W+){0,4}?(?:enabled?|disabled|required|necessary|activated?|turned|off|to run|to view)"
).search


def looks_like_js_shell(root: Element) -> str | None:
    """Why the page seems to need a browser, such as "#root is empty until scripts run"; None for a page with text."""
    look = _Look()
    look.read(root)
    if look.text >= PAGE_TEXT or not look.scripts:
        return None
    if look.text < SHELL_TEXT and look.empty_root:
        return f"{look.empty_root} is empty until scripts run"
    if look.text < SHELL_TEXT and _asks_for_scripts(" ".join(look.messages)[:_MAX_MESSAGE]):
        return "it asks for JavaScript"
    if look.text < BARE_TEXT and look.scripts >= MANY_SCRIPTS and not look.has_other_content:
        return f"almost no text and {look.scripts} scripts"
    return None


def asks_for_login(root: Element) -> bool:
    """Whether the page is a form for a password and little else."""
    size, has_password = 0, False
    stack: list[Node] = [root]
    while stack and size < PAGE_TEXT:
        node = stack.pop()
        if node.tag is None:
            size += len(node.text.strip())
        elif node.tag == "input":
            has_password = has_password or node.attrs.get("type", "").strip().lower() == "password"
        elif node.tag not in _SILENT:
            stack.extend(reversed(node.children))
    return has_password and size < PAGE_TEXT


class _Look:
    """One walk over the tree, with a stack of its own."""

    def __init__(self) -> None:
        self.text = 0  # characters outside silent elements
        self.scripts = 0
        self.messages: list[str] = []  # what noscript says, and the text as far as it is short
        self.has_other_content = False
        self.empty_root = ""

    def read(self, root: Element) -> None:
        """Count until the end, or until there is text enough."""
        stack: list[Node | tuple[int, str]] = list(reversed(root.children))
        while stack and self.text < PAGE_TEXT:
            node = stack.pop()
            if isinstance(node, tuple):  # the end of a container: what has been counted since its start?
                start, name = node
                if self.text == start:
                    self.empty_root = self.empty_root or name
                continue
            if node.tag is None:
                self._take_text(node.text)
                continue
            name = self._take_element(node)  # type: ignore[arg-type]
            if name:
                stack.append((self.text, name))
            if node.tag not in _SILENT:
                stack.extend(reversed(node.children))
            elif node.tag == "head":
                stack.extend(child for child in reversed(node.children) if child.tag in _HEAD_PARTS)

    def _take_text(self, text: str) -> None:
        text = text.strip()
        if text:
            self.text += len(text)
            self.messages.append(text[:_MAX_MESSAGE])

    def _take_noscript(self, text: str) -> None:
        """A message for browsers without scripts; some (Discourse, Flarum) put the whole page there."""
        if len(text) > SHELL_TEXT:
            self.text += len(" ".join(text.split()))
        self.messages.append(text[:_MAX_MESSAGE])

    def _take_element(self, element: Element) -> str:
        """The name of a container that scripts fill, "" for other elements."""
        tag, attrs = element.tag, element.attrs
        if tag == "script":
            kind = attrs.get("type", "").strip().lower()
            self.scripts += not kind or "script" in kind or kind == "module"
        elif tag == "link":
            rel, use = attrs.get("rel", "").lower(), attrs.get("as", "").lower()
            self.scripts += rel == "modulepreload" or (rel == "preload" and use == "script")
        elif tag == "noscript":
            self._take_noscript(element.text)
        elif tag in ("frame", "iframe", "embed", "object", "video", "audio") or (tag == "img" and attrs.get("src")):
            self.has_other_content = True
        elif attrs.get("id", "").lower() in _ROOTS:
            return f"#{attrs['id']}"
        elif "-" in tag and element.parent is not None and element.parent.tag == "body":
            return f"<{tag}>"
        return ""
