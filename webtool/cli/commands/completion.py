"""completion SHELL: a script for bash, zsh or fish that completes commands and flags.

The script holds the words themselves, made from the registry and the schemas: completing must not start Python.
"""

from __future__ import annotations

from webtool import registry
from webtool.cli import flags
from webtool.cli.mcp_hosts import known
from webtool.errors import InvalidArgument
from webtool.output import write_all

_BASH = """\
_webtool() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} words
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{commands}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{commands}"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [ -z "${{COMPREPLY[*]}}" ] && COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -F _webtool webtool webtool.pyz
"""
_ZSH = "#compdef webtool webtool.pyz\nautoload -U +X bashcompinit && bashcompinit\n"
USAGE = """Usage: webtool completion SHELL

Prints a script that completes commands and flags. SHELL is one of:
  bash    webtool completion bash > ~/.local/share/bash-completion/completions/webtool
  zsh     webtool completion zsh > a file _webtool in a folder of $fpath
  fish    webtool completion fish > ~/.config/fish/completions/webtool.fish
"""
SHELLS = ("bash", "zsh", "fish")
# What may follow the commands that are no tools.
_WORDS = {
    "mcp": ("--install", "--uninstall", "--print-config", "--dry-run", "--project", "--env", "--no-env", *known.HOSTS),
    "tools": ("--json",),
    "doctor": ("--json",),
    "install": ("--force",),
    "completion": SHELLS,
}


def main(words: list[str]) -> int:
    """Print the script for the shell named. Raises InvalidArgument."""
    if words in (["--help"], ["-h"]):
        write_all(1, USAGE.encode("utf-8"))
        return 0
    if len(words) != 1 or words[0] not in SHELLS:
        raise InvalidArgument("completion takes the name of a shell", hint=f"Use one of: {', '.join(SHELLS)}.")
    text = {"bash": _bash, "zsh": lambda: _ZSH + _bash(), "fish": _fish}[words[0]]()
    write_all(1, text.encode("utf-8"))
    return 0


def flags_of(command: str) -> list[str]:
    """The flags of a tool."""
    tool = registry.load(command)
    names = [*tool.SCHEMA["parameters"]["properties"], *flags.OPTIONS, *tool.CLI_OPTIONS]
    return ["--" + name.replace("_", "-") for name in names]


def _commands() -> list[str]:
    names = [name for name in registry.TOOLS if " " not in name]
    return [*names, "cache", *registry.COMMANDS, "help", "--help", "--version"]


def _bash() -> str:
    cases = [f'    {name}) words="{" ".join(flags_of(name))}" ;;' for name in registry.TOOLS if " " not in name]
    below = [name.split()[1] for name in registry.TOOLS if name.startswith("cache ")]
    below += dict.fromkeys(flag for name in below for flag in flags_of(f"cache {name}"))
    cases.append(f'    cache) words="{" ".join(below)}" ;;')
    cases += [f'    {name}) words="{" ".join(words)}" ;;' for name, words in _WORDS.items()]
    cases.append(f'    help) words="{" ".join([*_commands()[:-2], "settings"])}" ;;')
    return _BASH.format(cases="\n".join(cases), commands=" ".join(_commands()))


def _fish() -> str:
    lines = []
    for program in ("webtool", "webtool.pyz"):
        lines.append(f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(_commands())}'")
        for name in registry.TOOLS:
            if " " in name:
                first, second = name.split()
                lines.append(f"complete -c {program} -n '__fish_seen_subcommand_from {first}' -f -a {second}")
                continue
            lines += [
                f"complete -c {program} -n '__fish_seen_subcommand_from {name}' -l {flag[2:]}"
                for flag in flags_of(name)
            ]
        for name, words in _WORDS.items():
            seen = f"complete -c {program} -n '__fish_seen_subcommand_from {name}'"
            lines += [f"{seen} -l {word[2:]}" if word.startswith("--") else f"{seen} -f -a {word}" for word in words]
    return "\n".join(lines) + "\n"
