"""The commands that people type: each with its module, and the line that tells what it does, in groups.

The module of a command has `parser()`, which starts from `begun`, and `main(argv)`, which returns the exit code.
"""

import importlib
from types import ModuleType
from typing import NamedTuple

from accord.command_line import Parser, sentence


class Command(NamedTuple):
    """A command: its name, its module below `accord`, and what it does, in a line."""

    name: str
    module: str
    line: str


GROUPS = {
    "Deliveries": (
        Command("delivery", "delivery.command", "create, seal and validate a delivery before it is sent"),
        Command("backup", "backup.command", "encrypted backups of deliveries; destroying a key erases for good"),
        Command("safety", "abuse.command", "known abuse material: what was found, and what was reported"),
    ),
    "People and consent": (
        Command("consent", "consent.command", "record withdrawals and grants; show and verify the ledger"),
        Command("erase", "erase.command", "erase people who withdrew, within the legal deadline"),
        Command("scan", "erase.scan_command", "find what is left of a person under the project's folders"),
    ),
    "Releases": (
        Command("release", "release.command", "verify a release, diff two, make a view for the FHIBE Evaluation API"),
        Command("holders", "holders.command", "who holds which release, and which notices are open"),
        Command("prune", "holders.prune_command", "erase from a copy of a release what its publisher revoked"),
        Command("privacy", "privacy.command", "look for metadata in released pictures"),
    ),
    "Models": (
        Command("weights", "evaluate.command", "list, fetch and lock model weights"),
        Command("try", "evaluate.try_command", "ask a model of models.yaml about a picture"),
        Command("outputs", "evaluate.outputs_command", "export, check or prune predictions as a model_outputs.json"),
    ),
    "Analysis": (
        Command("analyse", "analyse.command", "compare groups in any table of scores: whom does a model serve worse?"),
        Command("compare", "analyse.compared_command", "test whether scores changed, or two models differ"),
        Command("report", "report.compare_command", "compare two runs: what changed, and why"),
        Command("dataset", "analyse.dataset_command", "read public datasets, and compare whom they show"),
        Command("numbers", "analyse.numbers_command", "check the arithmetic of figures that a paper prints"),
    ),
    "Review and audit": (
        Command("summary", "report.command", "where the last run's release and report are, and what waits for people"),
        Command("review", "review.command", "let people decide what the checks leave to them"),
        Command("estimate", "checks.estimate_command", "estimate rates from samples that were reviewed, or plan one"),
        Command("audit", "audit.command", "check that a file, row, figure or release is what it claims to be"),
    ),
    "Workflow and machine": (
        Command("steps", "steps", "list the steps of the workflow"),
        Command("usage", "engine.usage", "time and memory that the steps of a run took"),
        Command("completion", "completion", "print a completion script for bash, zsh or fish"),
    ),
}  # fmt: skip
BY_NAME = {command.name: command for commands in GROUPS.values() for command in commands}


def listed() -> str:
    """All commands in their groups, a line each."""
    groups = ((title, [f"  {one.name:14}{one.line}" for one in of]) for title, of in GROUPS.items())
    return "\n\n".join("\n".join([title, *lines]) for title, lines in groups)


def begun(name: str, more: str = "") -> Parser:
    """The beginning of a command's parser: its name, and what it does. `more`: further sentences."""
    return Parser(prog=f"accord {name}", description=f"{sentence(BY_NAME[name].line)} {more}".strip())


def parser(name: str) -> Parser:
    """The whole parser of a command; imports its module."""
    return _module(name).parser()


def run(name: str, argv: list[str]) -> int:
    """Run a command; returns the exit code."""
    return _module(name).main(argv) or 0


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"accord.{BY_NAME[name].module}")
