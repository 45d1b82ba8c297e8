"""`accord steps`: the steps of the workflow, a line each. They are read, not imported: that takes no time."""

import argparse
import ast
import itertools
import re
from pathlib import Path
from typing import NamedTuple

from accord import command_line, commands

ROOT = Path(__file__).parent
RUN = "\ndef run("


class Step(NamedTuple):
    """A step: its name `room.step`, and what it does, the first sentence of its docstring."""

    name: str
    line: str


def main(argv: list[str]) -> int:
    """List the steps by room."""
    flags = parser().parse_args(argv)
    found = [Step(name, line(name)) for name in names()]
    command_line.say(found, text(found), flags)
    return command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("steps", "`accord room.step --help` shows the arguments of a step.")
    command_line.json_flag(made)
    return made


def names() -> list[str]:
    """The names of all steps: modules in a room with a public `run`."""
    files = sorted(ROOT.glob("*/*.py"))
    return [f"{f.parent.name}.{f.stem}" for f in files if RUN in f.read_text()]


def exists(name: str) -> bool:
    """Whether there is a step of that name."""
    parts = name.split(".")
    file = ROOT.joinpath(*parts).with_suffix(".py") if all(map(str.isidentifier, parts)) else ROOT
    return len(parts) > 1 and file.is_file() and RUN in file.read_text()


def line(name: str) -> str:
    """The first sentence of the docstring of a step's `run`, in one line; "" where it has none."""
    tree = ast.parse(ROOT.joinpath(*name.split(".")).with_suffix(".py").read_text())
    runs = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run"]
    told = (ast.get_docstring(runs[-1]) or "") if runs else ""
    first = " ".join(told.partition("\n\n")[0].split())
    return re.split(r"(?<=[\w)`'][.;])\s", first, maxsplit=1)[0].removesuffix(";")


def text(found: list[Step]) -> str:
    """The steps, those of a room under its name."""
    rooms = itertools.groupby(found, key=lambda step: step.name.partition(".")[0])
    blocks = [[room, *(f"  {step.name:34}{step.line}".rstrip() for step in of)] for room, of in rooms]
    return "\n\n".join("\n".join(block) for block in blocks)
