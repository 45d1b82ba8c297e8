"""The commands of the command line, in groups: each with its module and a one-line description.

The module of a command has `parser()`, which starts from `begun`, and `main(argv)`, which returns the exit code.
"""

import importlib
from types import ModuleType
from typing import NamedTuple

from accord.command_line import Parser, sentence


class Command(NamedTuple):
    """A command: its name, its module below `accord`, and a one-line description."""

    name: str
    module: str
    line: str


GROUPS = {
    "Deliveries": (
        Command("delivery", "delivery.command", "create, seal and validate a delivery before it is sent"),
        Command("backup", "backup.command", "back up deliveries, encrypted; destroying a key erases for good"),
        Command("safety", "abuse.command", "manage matches of known abuse material, and their reports"),
    ),
    "People and consent": (
        Command("consent", "consent.command", "record withdrawals and grants; show and verify the ledger"),
        Command("erase", "erase.command", "erase people who withdrew, within the legal deadline"),
        Command("search", "erase.search_command", "list people to search the web for; opt-outs; erase a search"),
        Command("records", "erase.records_command", "draft the record of processing activities (GDPR, Article 30)"),
        Command("scan", "erase.scan_command", "find remaining data about a person in the project's folders"),
    ),
    "Releases": (
        Command("release", "release.command", "verify a release, diff two, view or export one"),
        Command("holders", "holders.command", "track recipients of releases, and notify them of erasures"),
        Command("prune", "holders.prune_command", "erase revoked data from a copy of a release"),
        Command("privacy", "privacy.command", "check released pictures for metadata"),
    ),
    "Models": (
        Command("weights", "evaluate.command", "list, fetch and lock model weights"),
        Command("model", "evaluate.model_command", "begin a model of your own: adapter, entry and test"),
        Command("try", "evaluate.try_command", "run a model of models.yaml on pictures, and draw what it finds"),
        Command("outputs", "evaluate.outputs_command", "export, check or prune predictions as a model_outputs.json"),
    ),
    "Analysis": (
        Command("analyse", "analyse.command", "compare groups in a table of scores"),
        Command("compare", "analyse.compared_command", "test whether scores changed, or whether two models differ"),
        Command("rapid", "analyse.rapid_command", "test face recognition services by their scores, without labels"),
        Command("videos", "analyse.casual.command", "make Casual Conversations' tables: votes, precision, deepfakes"),
        Command("report", "report.compare_command", "compare the results of two runs"),
        Command("look", "look.command", "show the pictures that a model did worst on, in a local browser"),
        Command("dataset", "analyse.dataset_command", "read public datasets, and compare their composition"),
        Command("numbers", "analyse.numbers_command", "check the arithmetic of published figures"),
    ),
    "Review and audit": (
        Command("summary", "report.command", "show the last run's release and report, and pending reviews"),
        Command("review", "review.command", "review images that the checks can't decide"),
        Command("estimate", "checks.estimate_command", "estimate rates from samples, a sample's size, or a run's cost"),
        Command("audit", "audit.command", "verify the authenticity of a file, row, figure or release"),
    ),
    "Workflow and machine": (
        Command("steps", "steps", "list the steps of the workflow"),
        Command("failures", "engine.failures", "say why the last run failed, each reason once, with a hint"),
        Command("usage", "engine.usage", "show the time and memory used by the steps of a run"),
        Command("completion", "completion", "print a completion script for bash, zsh or fish"),
    ),
}  # fmt: skip
ELSEWHERE = {("consent", "access"): "erase.access.command"}
"""Actions that need more than their command's package may import: command and action -> module."""
BY_NAME = {command.name: command for commands in GROUPS.values() for command in commands}


def listed() -> str:
    """All commands in their groups, a line each."""
    groups = ((title, [f"  {one.name:14}{one.line}" for one in of]) for title, of in GROUPS.items())
    return "\n\n".join("\n".join([title, *lines]) for title, lines in groups)


def begun(name: str, more: str = "") -> Parser:
    """A command's parser with its name and description, without arguments. `more`: further sentences."""
    return Parser(prog=f"accord {name}", description=f"{sentence(BY_NAME[name].line)} {more}".strip())


def parser(name: str) -> Parser:
    """The complete parser of a command; imports its module."""
    return _module(name).parser()


def run(name: str, argv: list[str]) -> int:
    """Run a command; returns the exit code."""
    elsewhere = ELSEWHERE.get((name, argv[0] if argv else ""))
    module = importlib.import_module(f"accord.{elsewhere}") if elsewhere else _module(name)
    return module.main(argv) or 0


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"accord.{BY_NAME[name].module}")
