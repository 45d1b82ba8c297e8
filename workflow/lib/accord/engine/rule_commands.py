"""The commands of the workflow's rules, derived from the signatures of their steps; no step is imported for it.

A rule gives each parameter of its step's `run` under the parameter's name: tables and files as `input`, sinks as
`output`, all else as `params`. What `run` returns is the rule's `output`: one, or one by each field's name. Inputs
without a name are waited for only; a param more than the step takes reruns the rule when it changes.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any

from accord.command_line import meant
from accord.engine import source
from accord.engine.ast_digest import meaning
from accord.errors import Problem, all_problems

OPTIONAL = " | None"
SINK, FORMER = "Sink", "Former"
FILES = ("Path", "list[Path]")
TABLE = "DataFrame["
SINGLE = ("Files", "Typed", "dict", "str")
"""What is returned to one `--out`, besides a table."""

MOST_ON_A_LINE = 256
"""Shards whose files a command line names: 8 kB of paths for each, where it may have 2 MiB, as mostly on Linux."""

PLACES = ("input", "output", "params")
NAMED = re.compile(rf"{{({'|'.join(PLACES)})\.(\w+)")
STEP = re.compile(r"python -m accord (\w+\.\w+) ")


def command(step: str, without: Collection[str] = (), extra: str = "") -> str:
    """`room.step --flag {input.flag:q} ...`: what follows `python -m accord` in the shell command of a step's rule.

    without: parameters that keep their defaults; extra: flags that aren't given under their own names. Raises
    ValueError where there is no such step, or where it has no parameter of a name in `without`.
    """
    run, outs = signature(step)
    if unknown := set(without) - run.keys():
        raise ValueError(f"The step {step} has no parameter {', '.join(sorted(unknown))}")
    said = {*without, *(name.replace("-", "_") for name in re.findall(r"--([\w-]+)", extra))}
    flags = [_flag(name, kind or "") for name, (kind, _) in run.items() if name not in said and kind != FORMER]
    made = [f"--{name.replace('_', '-')} {{{place}:q}}" for name, place in outs.items() if name not in said]
    return " ".join([step, *flags, *filter(None, [extra]), *made])


def from_file(command: str) -> str:
    """A command of `command` that hands the step its flags in a file (`argument_files`): they may be any number.

    printf is a part of bash, so that no process is started with them, and no limit of Linux applies.
    """
    step, flags = command.split(" ", 1)
    return f"{step} @<(printf '%s\\0' {flags})"


@cache
def signature(step: str) -> tuple[dict[str, list[str | None]], dict[str, str]]:
    """Parameter -> annotation and default of a step's `run`; flag of what it returns -> where a rule names its file.

    Raises ValueError where there is no such step.
    """
    file = source.file_of(step)
    told = meaning(file).run
    run = {name: of for name, of in told.items() if name != "return"}
    returns, _ = told.get("return", (None, None))
    if returns in (None, "None"):
        return run, {}
    if returns in SINGLE or returns.startswith(TABLE):
        return run, {"out": "output"}
    return run, {f"out_{field}": f"output.{field}" for field in source.fields(file, returns)}


def place(annotation: str) -> str:
    """Where a rule gives a parameter of an annotation: `input`, `output` or `params`."""
    kind = annotation.removesuffix(OPTIONAL)
    if kind == SINK:
        return "output"
    return "input" if kind in FILES or kind.startswith(TABLE) else "params"


def _flag(name: str, annotation: str) -> str:
    # A text may begin with a dash.
    joint = "=" if annotation == "str" else " "
    return f"--{name.replace('_', '-')}{joint}{{{place(annotation)}.{name}:q}}"


def check(rules: Iterable[Any]) -> None:
    """Raise AccordError with all that Snakemake's rules don't give to their steps, or give and no step takes."""
    with all_problems() as problems:
        for rule in rules:
            shell = getattr(rule, "shellcmd", None)
            if shell and (step := STEP.search(shell)):
                given = {name: set(getattr(rule, name).keys()) for name in PLACES}
                problems += mismatches(f"{rule.snakefile}, rule {rule.name}", step[1], shell, given)


def mismatches(where: str, step: str, shell: str, given: dict[str, set[str]]) -> list[Problem]:
    """What the shell command of a rule asks for and the rule doesn't give, and the other way round.

    given: `input`, `output` and `params` -> the names that the rule has there.
    """
    asked = {name: {of for at, of in NAMED.findall(shell) if at == name} for name in PLACES}
    found = []
    for name in PLACES:
        spare = sorted(given[name] - asked[name])
        for of in sorted(asked[name] - given[name]):
            hint = f"list it in {name}, or write step({step!r}, without=[{of!r}]) to use its default"
            found.append(Problem(where, f"{name} has no {of!r}, which {step} requires{meant(of, spare)}", hint))
        whole = name == "params" or f"{{{name}:" in shell
        for of in [] if whole else spare:
            hint = f"remove it; see the signature of {step}'s run for its parameters and outputs"
            found.append(Problem(where, f"{name} has {of!r}, which {step} doesn't {_verb(name)}", hint))
    return found


def _verb(place: str) -> str:
    return "return" if place == "output" else "take"
