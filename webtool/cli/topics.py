"""The manual: what `webtool help TOPIC` and `webtool --help` print. In: a topic. Out: its text.

Each text is a file webtool/help/TOPIC.md. A placeholder such as {{mcp_hosts}} is replaced by a list that another module
owns; FACTS has one function for each, so a text cannot name less than there is.
"""

from __future__ import annotations

import ast
import json
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator

from webtool import errors, registry, settings
from webtool.bulk import columns
from webtool.bulk.folder import STATUSES
from webtool.documents.formats import FORMATS
from webtool.lean import patterns
from webtool.lean.typing import Any
from webtool.mcp import tools as mcp_tools
from webtool.providers.table import PROVIDERS, Credential
from webtool.setup import mcp_hosts
from webtool.siteconfig.rules import DIRECTIVES

# Topics that the overview lists, in its order. Commands have a text of their name too, and a row in the registry.
TOPICS = {
    "settings": "every setting: its flag, its environment variable, its default",
    "credentials": "keys for search, and where they are looked for",
    "parts": "an outline, a section, passages or lines of a page",
    "rules": "site rules of your own",
    "hosts": "header fields, cookies and servers on this machine",
    "documents": "PDF, Office and other files; what main content is",
    "rendered": "pages whose text scripts write",
    "batch": "many pages at once",
    "clusters": "many pages on Spark, Dask, Ray, Airflow; the columns of rows",
    "mcp": "webtool as an MCP server, and hosts that use it",
    "host": "for authors of hosts: JSON in, JSON out",
    "python": "the library",
    "limits": "safety, and what happens at each limit",
    "errors": "codes and exit statuses",
}
_PLACEHOLDER = patterns.compile(r"\{\{(\w+)\}\}")
_WORD = patterns.compile(r"\w+")


def text_of(topic: str) -> str:
    """Return the text of a topic or command with its placeholders filled, "" if no such text exists."""
    return _PLACEHOLDER.sub(lambda match: FACTS[match[1]](), raw_text(topic))


def raw_text(topic: str) -> str:
    """Return the text of webtool/help/TOPIC.md as it is, "" if no such file exists."""
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "help", f"{topic}.md")
    loader = globals().get("__loader__")
    try:
        data: bytes = loader.get_data(path)  # type: ignore[union-attr]  # webtool may be inside an archive
    except OSError:
        return ""
    return data.decode("utf-8").replace("\r\n", "\n")


def documented_settings() -> list[tuple[str, object, str]]:
    """Return name, default and text of every setting.

    The text is the docstring of the field in Settings, followed by the possible values if it does not name them all.
    The source is read, because built files have no docstrings.
    """
    source = settings.__loader__.get_source(settings.__name__)  # type: ignore[union-attr]
    classes: dict[str, Any] = {
        node.name: node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef)
    }
    body = classes["Settings"]
    documented = []
    for field, docstring in zip(body, body[1:]):  # each statement and the next one
        if not isinstance(field, ast.AnnAssign):
            continue
        name: str = field.target.id  # type: ignore[union-attr]
        text = " ".join(docstring.value.value.split())
        choices = settings.choices_of(name)
        if not set(choices) <= set(_WORD.findall(text)):
            number = "Any" if isinstance(settings.Settings._field_defaults[name], tuple) else "One"
            text += f" {number} of: {', '.join(choices)}."
        documented.append((name, ast.literal_eval(field.value), text))  # type: ignore[arg-type]
    return documented


def _settings() -> str:
    """List every setting with flag, environment variable, default and text."""
    lines = []
    for name, default, text in documented_settings():
        shown = {True: "on", False: "off"}[default] if isinstance(default, bool) else default
        names = f"  --{name.replace('_', '-')}, WEBTOOL_{name.upper()}"
        lines += [f"{names} (default {shown})" if shown else names, f"      {text}"]
    return "\n".join(lines)


def _setting_aliases() -> str:
    """List the names that other programs have for settings."""
    units = {alias: ", in milliseconds" for alias in settings.ALIASES if alias.endswith("_MS")}
    return "\n".join(f"  {alias:<28}{name}{units.get(alias, '')}" for alias, name in settings.ALIASES.items())


def _errors() -> str:
    """List every error code with its exit status and the docstring of its class, which is read from the source."""
    source = errors.__loader__.get_source(errors.__name__)  # type: ignore[union-attr]
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    texts = {node.name: " ".join((ast.get_docstring(node) or "").split()) for node in classes}
    rows = [error for error in _error_classes() if error is not errors.Cancelled]  # nobody is left to read about it
    return "\n".join(f"  {error.code:<20}{error.exit_status:<6}{texts[error.__name__]}" for error in rows)


def _error_classes(base: type[errors.WebtoolError] = errors.WebtoolError) -> Iterator[type[errors.WebtoolError]]:
    """Yield the error classes of errors.py that have a code of their own."""
    for error in base.__subclasses__():
        if "code" in vars(error) and error.__module__ == errors.__name__:
            yield error
        yield from _error_classes(error)


def _providers() -> str:
    """List every search provider with its variables, the page that gives out keys, and a note."""
    lines = []
    for provider in PROVIDERS.values():
        column = f"  {provider.title:<13}"
        variables = " and ".join(provider.variables) or "no key"
        for text in (variables, provider.signup_url, *provider.about.splitlines()):
            if text:
                lines.append(column + text)
                column = " " * len(column)
    return "\n".join(lines)


def _credential_form() -> str:
    form: dict[str, Any] = {}
    for credential in _credentials():
        members = form
        for name in credential.path[:-1]:
            members = members.setdefault(name, {})
        members[credential.path[-1]] = "..."
    return json.dumps(form)


def _credentials() -> list[Credential]:
    return [credential for provider in PROVIDERS.values() for credential in provider.credentials]


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    """List names with their texts in two columns."""
    return "\n".join(f"  {name:<13}{text}" for name, text in rows)


# Commands as `webtool` alone lists them. Each command is in one group.
_GROUPS = {
    "search": ("search", *PROVIDERS, "recall"),
    "pages": ("open", "fetch", "batch", "crawl", "extract", "verify", "cite", "pack"),
    "cache": ("cache list", "cache get", "cache info", "cache purge", "cache clear"),
    "set up": ("mcp", "install", "config", "doctor", "tools", "completion"),
}


def _command_groups() -> str:
    """List the names of all commands, one group on a line."""
    commands = {*registry.TOOLS, *registry.COMMANDS}  # not every provider is a command
    return _rows((group, ", ".join(name for name in names if name in commands)) for group, names in _GROUPS.items())


# Placeholder: what fills it.
FACTS: dict[str, Callable[[], str]] = {
    "any_age_providers": lambda: ", ".join(row.title for row in PROVIDERS.values() if not row.default_age),
    "command_groups": _command_groups,
    "commands": lambda: _rows(registry.COMMANDS.items()),
    "crawl_statuses": lambda: _rows(STATUSES.items()),
    "credential_files": lambda: ", ".join(credential.file for credential in _credentials()),
    "credential_form": _credential_form,
    "directives": lambda: "\n".join(f"  {directive.form:<28}{directive.help}" for directive in DIRECTIVES),
    "document_kinds": lambda: textwrap.fill(", ".join(row.name for row in FORMATS if row.name), 118),
    "errors": _errors,
    "mcp_hosts": lambda: ", ".join(mcp_hosts.HOSTS),
    "mcp_tools": lambda: textwrap.fill(
        f"The server has {len(mcp_tools.COMMANDS)} tools: {', '.join(mcp_tools.COMMANDS)}.", 118
    ),
    "mcp_variables": lambda: ", ".join(mcp_hosts.provider_variables()),
    "provider_names": lambda: ",".join(PROVIDERS),
    "provider_order": lambda: ", ".join(provider.title for provider in PROVIDERS.values()),
    "providers": _providers,
    "setting_aliases": _setting_aliases,
    "row_columns": columns.described,
    "settings": _settings,
    "tools": lambda: _rows((name, row[1]) for name, row in registry.TOOLS.items()),
    "topic_names": lambda: textwrap.fill(", ".join(TOPICS), 76, initial_indent="  ", subsequent_indent="  "),
    "topics": lambda: _rows(TOPICS.items()),
}
