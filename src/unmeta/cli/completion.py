"""`unmeta completion`: let a shell complete commands, options and the names of entries."""

from __future__ import annotations

import re

from unmeta.cli.door import OK

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

SAYS = "Print the script that lets a shell complete this command."
EXAMPLES = """\
  eval "$(unmeta completion bash)"                          in ~/.bashrc
  eval "$(unmeta completion zsh)"                           in ~/.zshrc, after compinit
  unmeta completion fish > ~/.config/fish/completions/unmeta.fish"""
SHELLS = {
    "bash": """\
_unmeta() {
  local IFS=$'\\n'
  COMPREPLY=($(unmeta completion --for "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _unmeta unmeta
""",
    "zsh": """\
_unmeta() {
  local -a found
  found=(${(f)"$(unmeta completion --for "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#found )) && compadd -a found || _files
}
compdef _unmeta unmeta
""",
    "fish": """\
complete -c unmeta -a '(unmeta completion --for (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
""",
}
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("shell", choices=list(SHELLS))


def quick(words: Sequence[str]) -> int | None:
    """Print what may stand where the last of the words after `--for` does."""
    if words[:1] != ["--for"]:
        return None
    for candidate in candidates(words[1:]):
        print(candidate)
    return OK


def run(arguments: argparse.Namespace) -> int:
    """Print a script."""
    print(SHELLS[arguments.shell], end="")
    return OK


def candidates(words: Sequence[str]) -> list[str]:
    """What may stand for the last word: commands, options of the command, names of entries."""
    from unmeta.cli import COMMANDS, help_of
    from unmeta.cli.lookup import entries

    last = words[-1] if words else ""
    if len(words) < 2:
        known = [*COMMANDS, "--help", "--version"]
    elif last.startswith("-") and words[0] in COMMANDS:
        known = sorted(set(_OPTION.findall(help_of(words[0]))))
    elif words[0] in ("show", "rename", "preview"):
        known = sorted(entries())
    else:
        known = list(SHELLS) if words[0] == "completion" else []
    return [word for word in known if word.startswith(last)]
