"""The commands that people type. Everything else that is named room.step is a step of the workflow."""

import importlib
import sys
import time
from pathlib import Path

from accord import texts
from accord.errors import AccordError, Problem

COMMANDS = {
    "analyse": "accord.analyse.command",
    "audit": "accord.audit.command",
    "backup": "accord.backup.command",
    "dataset": "accord.analyse.dataset_command",
    "delivery": "accord.delivery.command",
    "demo.deliver": "accord.demo.deliver",
    "estimate": "accord.checks.estimate_command",
    "compare": "accord.analyse.compared_command",
    "consent": "accord.consent.command",
    "holders": "accord.holders.command",
    "privacy": "accord.privacy.command",
    "prune": "accord.release.prune_command",
    "numbers": "accord.analyse.numbers_command",
    "outputs": "accord.evaluate.outputs_command",
    "erase": "accord.erase.command",
    "release": "accord.release.command",
    "report": "accord.report.compare_command",
    "safety": "accord.checks.safety_command",
    "review": "accord.review.command",
    "scan": "accord.audit.scan_command",
    "summary": "accord.report.command",
    "try": "accord.evaluate.try_command",
    "usage": "accord.usage",
    "weights": "accord.evaluate.command",
}
HELP = "usage: accord COMMAND ... | accord room.step ...   (each with --help)"


def main(argv: list[str]) -> int:
    """Run a command or a step; returns the exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(f"{HELP}\n\ncommands: {', '.join(COMMANDS)}\nsteps:    {', '.join(steps())}")
        return 0
    _check(argv)
    name, *rest = argv
    if name in COMMANDS:
        return importlib.import_module(COMMANDS[name]).main(rest) or 0
    from accord import usage
    from accord.step import run_step

    begun = time.monotonic()
    run_step(name, rest)
    print(usage.line(begun), file=sys.stderr)
    return 0


def _check(argv: list[str]) -> None:
    """Raise AccordError where a word of the command line is no text: the shell hands on any bytes."""
    bad = [number for number, word in enumerate(argv, 1) if texts.fault(word)]
    hint = "write it in UTF-8, with no more than 30 combining marks in a row"
    if bad:
        raise AccordError([Problem(f"argument {number}", "is no text in UTF-8", hint) for number in bad])


def steps() -> list[str]:
    """The names of all steps: modules in a room with a public `run`."""
    root = Path(__file__).parent
    files = sorted(root.glob("*/*.py"))
    return [f"{f.parent.name}.{f.stem}" for f in files if "\ndef run(" in f.read_text()]
