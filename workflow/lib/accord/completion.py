"""`accord completion SHELL`: a script that completes commands, actions and flags, made from the parsers.

The script is static: nothing of accord runs while somebody types. Where it knows no word, the shell offers files.
"""

import argparse
import shlex
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accord import command_line, commands, steps
from accord.command_line import Parser
from accord.errors import AccordError

HOW = {
    "bash": "add to ~/.bashrc: source <(accord completion bash)",
    "zsh": "accord completion zsh > a folder of $fpath, as _accord",
    "fish": "accord completion fish > ~/.config/fish/completions/accord.fish",
}
TOP = {"--help": "list all commands", "--version": "show the version"}


class Place(NamedTuple):
    """Where one can be on a line: the words before (`consent`, `consent show`), the words that can follow, each with
    what it means, and the values that flags can have."""

    before: str
    words: dict[str, str]
    values: dict[str, list[str]]


def main(argv: list[str]) -> int:
    """Print the script."""
    print(SCRIPTS[parser().parse_args(argv).shell](list(places())))
    return command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("completion", f"{'; '.join(HOW.values())}.")
    made.add_argument("shell", choices=tuple(HOW), help="shell")
    return made


def places() -> Iterator[Place]:
    """The beginning of a line, all commands, and all their actions; of a step its name alone."""
    told = {one.name: one.line for one in commands.BY_NAME.values()}
    yield Place("", {**told, **TOP, **{name: steps.line(name) for name in steps.names()}}, {})
    for name in commands.BY_NAME:
        try:
            yield from _of(commands.parser(name), name)
        except (ImportError, AccordError):  # what is not installed here completes by its name alone
            continue


def _of(parser: Parser, before: str) -> Iterator[Place]:
    """A parser, and those of its actions."""
    below = {name: one for action in parser.subparsers() for name, one in action.choices.items()}
    words = {name: one.description or "" for name, one in below.items()}
    flags = {flag: action for flag, action in parser.flags().items() if flag.startswith("--")}
    words |= {flag: action.help or "" for flag, action in flags.items()}
    words |= {str(one): "" for action in parser.positionals() for one in action.choices or ()}
    yield Place(before, words, {flag: [*map(str, action.choices)] for flag, action in flags.items() if action.choices})
    for name, one in below.items():
        yield from _of(one, f"{before} {name}")


def bash(found: list[Place]) -> str:
    """For bash: a function that looks at up to two words before, and at the flag before."""
    values = [
        f"    {shlex.quote(f'{place.before} {flag}')}) words={_quoted(known)} ;;"
        for place in found
        for flag, known in place.values.items()
    ]
    words = [f"    {shlex.quote(place.before)}) words={_quoted(place.words)} ;;" for place in found]
    return BASH.format(deep=_quoted(_deep(found)), values="\n".join(values), words="\n".join(words))


def zsh(found: list[Place]) -> str:
    """For zsh: the same, with what each word means beside it."""
    values = [
        f"    {shlex.quote(f'{place.before} {flag}')}) told=({' '.join(map(shlex.quote, known))}) ;;"
        for place in found
        for flag, known in place.values.items()
    ]
    words = []
    for place in found:
        told = (shlex.quote(f"{word.replace(':', chr(92) + ':')}:{_short(line)}") for word, line in place.words.items())
        words.append(f"    {shlex.quote(place.before)}) told=({' '.join(told)}) ;;")
    return ZSH.format(deep=_quoted(_deep(found)), values="\n".join(values), words="\n".join(words))


def fish(found: list[Place]) -> str:
    """For fish: a line for each word, with the place where it can be: right there, or anywhere behind it."""
    lines = ["# accord: completion for fish", FISH]
    for place in found:
        how = "only" if not place.before or place.before in _deep(found) else "behind"
        where = f"-n '__accord_at {how} {place.before}'"
        for word, line in place.words.items():
            known = place.values.get(word)
            what = f"-l {word[2:]}" if word.startswith("--") else f"-f -a {_fish(word)}"
            with_values = f" -x -a {_fish(' '.join(known))}" if known else ""
            lines.append(f"complete -c accord {where} {what}{with_values} -d {_fish(_short(line))}")
    return "\n".join(lines)


def _deep(found: list[Place]) -> list[str]:
    """The commands that have actions."""
    return sorted({place.before.split()[0] for place in found if " " in place.before})


def _quoted(words: Iterable[str]) -> str:
    return shlex.quote(" ".join(words))


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _short(line: str) -> str:
    return " ".join(line.replace("%%", "%").split())


BASH = """# accord: completion for bash; source <(accord completion bash)
_accord() {{
  local here=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} at= words=
  (( COMP_CWORD > 1 )) && at=${{COMP_WORDS[1]}}
  (( COMP_CWORD > 2 )) && [[ " "{deep}" " == *" $at "* ]] && at="$at ${{COMP_WORDS[2]}}"
  COMPREPLY=()
  case "$at" in
{words}
  esac
  case "$at $before" in
{values}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$here") )
}}
complete -o default -F _accord accord"""
ZSH = """#compdef accord
# accord: completion for zsh; keep it as _accord in a folder of $fpath
_accord() {{
  local at= before=${{words[CURRENT-1]}}
  local -a told
  (( CURRENT > 2 )) && at=${{words[2]}}
  (( CURRENT > 3 )) && [[ " "{deep}" " == *" $at "* ]] && at="$at ${{words[3]}}"
  case "$at" in
{words}
  esac
  case "$at $before" in
{values}
  esac
  _describe 'accord' told || _files
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _accord "$@"; else compdef _accord accord; fi"""
FISH = """function __accord_at
    set -l said (commandline -opc)[2..]
    set -l wanted $argv[2..]
    test (count $said) -ge (count $wanted); or return 1
    test $argv[1] = only -a (count $said) -ne (count $wanted); and return 1
    test (count $wanted) -eq 0; or test "$said[1..$(count $wanted)]" = "$wanted"
end"""
SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
