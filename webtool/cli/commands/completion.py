"""completion SHELL: print a script for bash, zsh or fish that completes commands, flags and their values.

In: the name of a shell. Out: the script on stdout, and the exit status. The script contains the words themselves, made
from the registry, the schemas and the settings, because completing must not start Python.

Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool import registry, settings
from webtool.cli import flags, page_options
from webtool.cli.commands import batch, crawl
from webtool.cli.topics import TOPICS
from webtool.errors import InvalidArgument
from webtool.lean.imports import load
from webtool.lean.typing import Any
from webtool.output import write_all
from webtool.setup import mcp_hosts

_BASH = """\
_webtool() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{commands}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{commands}"
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ -z "${{COMPREPLY[*]}}" ] && COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -F _webtool webtool webtool.pyz
"""
_ZSH = "#compdef webtool webtool.pyz\nautoload -U +X bashcompinit && bashcompinit\n"
SHELLS = ("bash", "zsh", "fish")
OPTIONS: dict[str, bool] = {}


def main(words: list[str]) -> int:
    """Print the script for the shell. Returns 0. Raises InvalidArgument."""
    if len(words) != 1 or words[0] not in SHELLS:
        raise InvalidArgument("completion takes the name of a shell", hint=f"Use one of: {', '.join(SHELLS)}.")
    text = {"bash": _bash, "zsh": lambda: _ZSH + _bash(), "fish": _fish}[words[0]]()
    write_all(1, text.encode("utf-8"))
    return 0


def flags_of(command: str) -> list[str]:
    """Return the flags of a tool: members of its schema, and options."""
    if command in _BULK:
        return ["--" + name.replace("_", "-") for name in (*_properties(command), *_BULK[command].OPTIONS)]
    tool = registry.load(command)
    parameters = tool.SCHEMA["parameters"]
    own = page_options.OPTIONS if "url" in parameters.get("required", ()) else {}
    names = [*parameters["properties"], *flags.OPTIONS, *own, *tool.CLI_OPTIONS]
    return ["--" + name.replace("_", "-") for name in names]


def words_of(command: str) -> list[str]:
    """Return what may follow a command that is not a tool: its options, and names of shells or MCP hosts."""
    module = load(f"webtool.cli.commands.{registry.COMMANDS[command][0]}")
    names = {"mcp": mcp_hosts.HOSTS, "completion": SHELLS}.get(command, ())
    own = flags_of(command) if command in _BULK else ["--" + name.replace("_", "-") for name in module.OPTIONS]
    return [*own, *names]


_BULK: dict[str, Any] = {"batch": batch, "crawl": crawl}  # commands whose flags are not those of a tool


def _properties(command: str) -> dict[str, dict[str, Any]]:
    """Return the members that the flags of a command fill, with their schemas."""
    parameters = _BULK[command].parameters() if command in _BULK else registry.load(command).SCHEMA["parameters"]
    return parameters["properties"]  # type: ignore[no-any-return]


def values_of(command: str) -> dict[str, list[str]]:
    """Return the flags whose values are known, with the values. "" stands for any command: only settings."""
    values = {}
    for setting in settings.Settings._fields:
        choices = settings.choices_of(setting)
        if choices:
            values["--" + setting.replace("_", "-")] = list(choices)
    if not command:
        return values
    for member, schema in _properties(command).items():
        if "enum" in schema:
            values["--" + member.replace("_", "-")] = [str(value) for value in schema["enum"]]
    return values


def _commands() -> list[str]:
    names = [name for name in registry.TOOLS if " " not in name]
    return [*names, "cache", *registry.COMMANDS, "help", "--help", "--version"]


def _cache_commands() -> list[str]:
    """Return the second words of the commands that begin with cache."""
    return [name.split()[1] for name in registry.TOOLS if name.startswith("cache ")]


def _bash() -> str:
    cases = [f"   {_case(name, flags_of(name))}" for name in registry.TOOLS if " " not in name]
    inner = "".join(_case(name, flags_of(f"cache {name}")) for name in _cache_commands())
    cases.append(f'    cache) case "${{COMP_WORDS[2]}}" in{inner}{_case("*", _cache_commands())} esac ;;')
    cases += [f"   {_case(name, words_of(name))}" for name in registry.COMMANDS]
    cases.append(f"   {_case('help', [*_commands()[:-2], *TOPICS])}")
    values = "\n".join(_value_cases())
    return _BASH.format(cases="\n".join(cases), commands=" ".join(_commands()), values=values)


def _case(pattern: str, words: list[str]) -> str:
    """Return a branch of a case statement of the shell: ` fetch) words="--offset --limit" ;;`."""
    return f' {pattern}) words="{" ".join(words)}" ;;'


def _value_cases() -> Iterator[str]:
    """Yield what may follow a flag: first flags whose values depend on the command, then the others."""
    common = values_of("")
    for name in dict.fromkeys((*registry.TOOLS, *_BULK)):
        for flag, words in values_of(name).items():
            if words != common.get(flag):
                yield f'    "{name.split()[0]} {flag}") words="{" ".join(words)}" ;;'
    for flag, words in common.items():
        yield f'    *" {flag}") words="{" ".join(words)}" ;;'


def _fish() -> str:
    words = {name: flags_of(name) for name in registry.TOOLS}
    words.update((name, words_of(name)) for name in registry.COMMANDS)
    words.update(cache=_cache_commands(), help=list(TOPICS))
    lines = []
    for program in ("webtool", "webtool.pyz"):
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(_commands())}'")
        for name, following in words.items():
            seen = f"complete -c {program} -n '__fish_seen_subcommand_from {name.split()[-1]}'"
            values = values_of(name if name in registry.TOOLS or name in _BULK else "")
            for word in following:
                choices = f" -x -a '{' '.join(values[word])}'" if word in values else ""
                lines.append(f"{seen} -l {word[2:]}{choices}" if word.startswith("--") else f"{seen} -f -a {word}")
    return "\n".join(lines) + "\n"
