"""completion SHELL: a script for bash, zsh or fish that completes commands and flags.

The script holds the words themselves, made from the registry and the schemas: completing must not start Python.
"""

from __future__ import annotations

from collections.abc import Iterator

from webtool import registry, settings
from webtool.cli import flags, page_options
from webtool.cli.commands import batch
from webtool.cli.topics import TOPICS
from webtool.errors import InvalidArgument
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
# What may follow the commands that are no tools.
_WORDS = {
    "mcp": (
        "--install",
        "--uninstall",
        "--print-config",
        "--dry-run",
        "--project",
        "--env",
        "--no-env",
        *mcp_hosts.HOSTS,
    ),
    "tools": ("--json",),
    "doctor": ("--json", "--online"),
    "install": ("--force",),
    "completion": SHELLS,
}


def main(words: list[str]) -> int:
    """Print the script for the shell named. Raises InvalidArgument."""
    if len(words) != 1 or words[0] not in SHELLS:
        raise InvalidArgument("completion takes the name of a shell", hint=f"Use one of: {', '.join(SHELLS)}.")
    text = {"bash": _bash, "zsh": lambda: _ZSH + _bash(), "fish": _fish}[words[0]]()
    write_all(1, text.encode("utf-8"))
    return 0


def flags_of(command: str) -> list[str]:
    """The flags of a tool, or of a command that has others."""
    if command == "batch":
        return ["--" + name.replace("_", "-") for name in (*batch.parameters()["properties"], *batch.OPTIONS)]
    tool = registry.load(command)
    parameters = tool.SCHEMA["parameters"]
    own = page_options.OPTIONS if "url" in parameters.get("required", ()) else {}
    names = [*parameters["properties"], *flags.OPTIONS, *own, *tool.CLI_OPTIONS]
    return ["--" + name.replace("_", "-") for name in names]


def values_of(command: str) -> dict[str, list[str]]:
    """Flag: the values that it takes, where they are known; those of the settings are the same for all commands."""
    found = {}
    for setting in settings.Settings._fields:
        choices = settings.choices_of(setting)
        if choices:
            found["--" + setting.replace("_", "-")] = list(choices)
    name = "open" if command == "batch" else command
    for member, schema in registry.load(name).SCHEMA["parameters"]["properties"].items() if name else ():
        if "enum" in schema:
            found["--" + member.replace("_", "-")] = [str(value) for value in schema["enum"]]
    return found


def _commands() -> list[str]:
    names = [name for name in registry.TOOLS if " " not in name]
    return [*names, "cache", *registry.COMMANDS, "help", "--help", "--version"]


def _below() -> list[str]:
    """The second words of the commands of two."""
    return [name.split()[1] for name in registry.TOOLS if name.startswith("cache ")]


def _bash() -> str:
    cases = [f'    {name}) words="{" ".join(flags_of(name))}" ;;' for name in registry.TOOLS if " " not in name]
    inner = "".join(f' {name}) words="{" ".join(flags_of(f"cache {name}"))}" ;;' for name in _below())
    cases.append(f'    cache) case "${{COMP_WORDS[2]}}" in{inner} *) words="{" ".join(_below())}" ;; esac ;;')
    cases += [f'    {name}) words="{" ".join(words)}" ;;' for name, words in _WORDS.items()]
    cases.append(f'    help) words="{" ".join([*_commands()[:-2], *TOPICS])}" ;;')
    values = "\n".join(_value_cases())
    return _BASH.format(cases="\n".join(cases), commands=" ".join(_commands()), values=values)


def _value_cases() -> Iterator[str]:
    """What may follow a flag: of one command first, then of all."""
    common = values_of("")
    for name in registry.TOOLS:
        for flag, words in values_of(name).items():
            if words != common.get(flag):
                yield f'    "{name.split()[0]} {flag}") words="{" ".join(words)}" ;;'
    for flag, words in common.items():
        yield f'    *" {flag}") words="{" ".join(words)}" ;;'


def _fish() -> str:
    lines = []
    for program in ("webtool", "webtool.pyz"):
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(_commands())}'")
        for name in registry.TOOLS:
            seen = f"complete -c {program} -n '__fish_seen_subcommand_from {name.split()[-1]}'"
            if " " in name:
                first, second = name.split()
                lines.append(f"complete -c {program} -n '__fish_seen_subcommand_from {first}' -f -a {second}")
            values = values_of(name)
            for flag in flags_of(name):
                choices = f" -x -a '{' '.join(values[flag])}'" if flag in values else ""
                lines.append(f"{seen} -l {flag[2:]}{choices}")
        for name, words in {**_WORDS, "help": tuple(TOPICS)}.items():
            seen = f"complete -c {program} -n '__fish_seen_subcommand_from {name}'"
            lines += [f"{seen} -l {word[2:]}" if word.startswith("--") else f"{seen} -f -a {word}" for word in words]
    return "\n".join(lines) + "\n"
