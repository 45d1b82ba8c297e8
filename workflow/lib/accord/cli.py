"""The command line: `accord COMMAND ...` as people type it, `accord room.step ...` as the workflow does."""

import subprocess
import sys
import time
import tomllib

from accord import commands, steps
from accord.command_line import DONE, UNUSABLE, meant
from accord.engine import resources
from accord.errors import AccordError, Problem
from accord.text import unicode

HEAD = "usage: accord COMMAND ...\n       accord room.step ...      a step of the workflow; `accord steps` lists them"
TAIL = "`accord COMMAND --help` shows the arguments; `accord --version` the version. Exit codes: docs/commands.md."
FLAGS = ("--help", "--version", "-h")


def main(argv: list[str]) -> int:
    """Run a command or a step; returns the exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(f"{HEAD}\n\n{commands.listed()}\n\n{TAIL}")
        return DONE
    if argv[0] == "--version":
        print(f"accord {version()}")
        return DONE
    _check(argv)
    name, *rest = argv
    if name in commands.BY_NAME:
        return commands.run(name, rest)
    return _step(name, rest) if steps.exists(name) else _unknown(name)


def version() -> str:
    """The version of this package; of a checkout with its commit."""
    project = resources.shipped("pyproject.toml")
    if not project.is_file():
        from importlib import metadata

        return metadata.version("accord")
    stated = tomllib.loads(project.read_text())["project"]["version"]
    if not resources.shipped(".git").exists():
        return stated
    asked = ["git", "-C", str(resources.root()), "rev-parse", "--short=12", "HEAD"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return stated
    return f"{stated} (commit {told})"


def _step(name: str, argv: list[str]) -> int:
    from accord.engine import usage
    from accord.engine.step import run_step

    begun = time.monotonic()
    run_step(name, argv)
    print(usage.line(begun), file=sys.stderr)
    return DONE


def _unknown(name: str) -> int:
    known = FLAGS if name.startswith("-") else (*commands.BY_NAME, *steps.names())
    kind = "flag" if name.startswith("-") else "command or step"
    print(f"accord: unknown {kind} {name!r}{meant(name, known)}; see `accord --help`", file=sys.stderr)
    return UNUSABLE


def _check(argv: list[str]) -> None:
    """Raise AccordError where a word of the command line is no text: the shell hands on any bytes."""
    bad = [number for number, word in enumerate(argv, 1) if unicode.fault(word)]
    hint = "write it in UTF-8, with no more than 30 combining marks in a row"
    if bad:
        raise AccordError([Problem(f"argument {number}", "is not valid UTF-8 text", hint) for number in bad])
