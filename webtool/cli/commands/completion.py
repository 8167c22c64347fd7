"""completion SHELL: print a script for bash, zsh or fish that completes commands, flags and their values.

In: the name of a shell. Out: the script on stdout, and the exit status. The script contains the words themselves, made
from the registry, the schemas and the settings, because completing must not start Python.
Tests: tests/cli/commands/test_others.py
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool import registry, settings
from webtool.cli import flags, page_options
from webtool.cli.commands import COMMANDS
from webtool.cli.topics import TOPICS
from webtool.errors import InvalidArgument
from webtool.lean.typing import Any
from webtool.output import write_all
from webtool.setup import mcp_hosts

_BASH = """\
_webtool() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words
  [ "$prev" = = ] && prev=${{COMP_WORDS[COMP_CWORD-2]}}  # bash makes three words of --mode=full
  [ "$command" = cache ] && command+=" ${{COMP_WORDS[2]}}"
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{commands}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{commands}"
  [ "$cur" = = ] && cur= words=
  case "$command $prev" in
{values}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _webtool webtool webtool.pyz
"""
_ZSH = "#compdef webtool webtool.pyz\nautoload -U +X bashcompinit && bashcompinit\n"
SHELLS = ("bash", "zsh", "fish")


def main(parsed: flags.Words) -> int:
    """Print the script for the shell. Returns 0. Raises InvalidArgument."""
    if len(parsed.plain) != 1 or parsed.plain[0] not in SHELLS:
        raise InvalidArgument("completion takes the name of a shell", hint=f"Use one of: {', '.join(SHELLS)}.")
    text = {"bash": _bash, "zsh": lambda: _ZSH + _bash(), "fish": _fish}[parsed.plain[0]]()
    write_all(1, text.encode("utf-8"))
    return 0


def _flags_of(command: str) -> list[str]:
    """Return the flags of a command: members of its schema, and options."""
    if _is_tool(command):
        tool = registry.load(command)
        is_page = "url" in tool.SCHEMA["parameters"].get("required", ())
        options = [*flags.OPTIONS, *(page_options.OPTIONS if is_page else ()), *tool.CLI_OPTIONS]
    else:
        options = [*COMMANDS[command].options]
    return ["--" + name.replace("_", "-") for name in (*_properties(command), *options)]


def _is_tool(command: str) -> bool:
    """Return whether a command's flags are those of its tool; `batch` has flags of its own."""
    return command in registry.TOOLS and command != "batch"


def _words_of(command: str) -> list[str]:
    """Return what may follow a command: its flags, and names of shells or MCP hosts."""
    return [*_flags_of(command), *{"mcp": mcp_hosts.HOSTS, "completion": SHELLS}.get(command, ())]


def _properties(command: str) -> dict[str, dict[str, Any]]:
    """Return the members that the flags of a command fill, with their schemas."""
    is_tool = _is_tool(command)
    schema = registry.load(command).SCHEMA["parameters"] if is_tool else COMMANDS[command].parameters()
    return schema["properties"]  # type: ignore[no-any-return]


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
    names = [name for name in (*registry.TOOLS, *registry.COMMANDS) if " " not in name]
    cases = [f"   {_case(name, _words_of(name))}" for name in names]
    inner = "".join(_case(name, _flags_of(f"cache {name}")) for name in _cache_commands())
    cases.append(f'    cache) case "${{COMP_WORDS[2]}}" in{inner}{_case("*", _cache_commands())} esac ;;')
    explained = [name for name in _commands() if not name.startswith("--")]
    cases.append(f"   {_case('help', [*explained, *TOPICS])}")
    values = "\n".join(_value_cases())
    return _BASH.format(cases="\n".join(cases), commands=" ".join(_commands()), values=values)


def _case(pattern: str, words: list[str]) -> str:
    """Return a branch of a case statement of the shell: ` fetch) words="--offset --limit" ;;`."""
    return f' {pattern}) words="{" ".join(words)}" ;;'


def _value_cases() -> Iterator[str]:
    """Yield what may follow a flag: first flags whose values depend on the command, then the others."""
    common = values_of("")
    for name in (*registry.TOOLS, *registry.COMMANDS):
        for flag, words in values_of(name).items():
            if words != common.get(flag):
                yield f'    "{name} {flag}") words="{" ".join(words)}" ;;'
    for flag, words in common.items():
        yield f'    *" {flag}") words="{" ".join(words)}" ;;'


def _fish() -> str:
    words = {name: _words_of(name) for name in (*registry.TOOLS, *registry.COMMANDS)}
    words.update(cache=_cache_commands(), help=list(TOPICS))
    lines = []
    for program in ("webtool", "webtool.pyz"):
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(_commands())}'")
        for name, following in words.items():
            first, _, second = name.partition(" ")
            seen = f"complete -c {program} -n '__fish_seen_subcommand_from {first}"
            if second:
                seen += f"; and __fish_seen_subcommand_from {second}"
            elif first == "cache":
                seen += f"; and not __fish_seen_subcommand_from {' '.join(_cache_commands())}"
            seen += "'"
            values = values_of("" if name in ("cache", "help") else name)
            for word in following:
                choices = f" -x -a '{' '.join(values[word])}'" if word in values else ""
                lines.append(f"{seen} -l {word[2:]}{choices}" if word.startswith("--") else f"{seen} -f -a {word}")
    return "\n".join(lines) + "\n"
