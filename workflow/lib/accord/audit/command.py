"""`accord audit [TARGET]`: whether a file, a row, a figure, a release, or everything is what it claims to be."""

import argparse
import json
import os
import sys
from pathlib import Path

from accord import command_line, commands
from accord.audit.evidence import lineage
from accord.audit.records import attest, receipts
from accord.audit.targets import places
from accord.audit.targets.places import Places
from accord.audit.telling import reading
from accord.audit.telling.checks import FAIL
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.files import replace
from accord.text import days

CONFIG = f"{command_line.CONFIG}; results are compared with them only if files are given"
MOST_JOBS = 8
"""Steps done again at a time, unless told otherwise: each takes the memory of a step."""


def main(argv: list[str]) -> int:
    """Look, tell, and give the verdict as exit code: 0 pass (also with warnings), 1 fail, 2 there is no such target."""
    flags = parser().parse_args(argv)
    if flags.target is not None and flags.all:
        raise AccordError(Problem("--all", "can't be combined with a target", "give either a target or --all"))
    if (flags.row or flags.figure) and flags.target is None:
        raise AccordError(Problem("--row, --figure", "require a target", "give the table or the report as the target"))
    lineage.forget()
    reading.forget()
    where = _places(flags)
    if flags.attest:
        return _attest(where, flags)
    from accord.audit.targets import target  # not needed to attest, which every run ends with
    from accord.audit.telling import page, render

    audit = target.audit(flags.target, where, dict(flags.row), flags.figure, _tell)
    if flags.page:
        with command_line.writing(flags.page, "--page"):
            replace(flags.page, page.render(audit).encode())
    print(json.dumps(render.document(audit), indent=1) if flags.json else render.text(audit))
    return command_line.FAILED if audit.verdict == FAIL else command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = commands.begun("audit", "Without a target, everything is audited.")
    parser.add_argument(
        "target", type=Path, nargs="?", help="an output file, or a release's folder (default: everything)"
    )
    parser.add_argument("--all", action="store_true", help="audit everything (the default without a target)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--row", type=_pair, action="append", default=[], metavar="COLUMN=VALUE", help="a row of a table")
    what.add_argument("--figure", default="", metavar="ID", help="a figure or table of a report")
    what.add_argument("--attest", action="store_true", help="record the state of all results in the signed receipt log")
    parser.add_argument(
        "--if-due",
        action="store_true",
        help="with --attest: only if a version was published since, or results were added",
    )
    command_line.config_flag(parser, CONFIG)
    for name in ("results", "releases", "vault"):
        parser.add_argument(f"--{name}", type=Path, help=f"{name} folder (default: as configured)")
    parser.add_argument(
        "--on", type=_day, default=days.today(), metavar="DAY", help="date to use as today (default: today's date)"
    )
    parser.add_argument(
        "--noted", nargs="+", default=[], metavar="HASH", help="ledger heads or log roots noted earlier"
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="rerun the steps and compare outputs, except large models, training and archives",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=_cores(),
        help=f"steps to rerun in parallel (default: number of cores, at most {MOST_JOBS})",
    )
    command_line.json_flag(parser)
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write the result as an HTML page")
    return parser


def _places(flags: argparse.Namespace) -> Places:
    """Where to look; without --config, folders are those of config/config.yaml, and nothing is held against it."""
    named = {name: getattr(flags, name) for name in ("results", "releases", "vault")}
    config = configuration.said(flags.config) if flags.config else None
    usual = config if config is not None else configuration.read(configuration.used([]))
    folders = places.of(usual, named)
    return Places(
        **folders, config=config, today=flags.on, noted=tuple(flags.noted), again=flags.again, jobs=flags.jobs
    )


def _attest(where: Places, flags: argparse.Namespace) -> int:
    known = receipts.read(where.vault)
    if flags.if_due and not attest.is_due(where, known):
        command_line.say({"attested": None}, "", flags)
        return 0
    if known.key is None:
        raise AccordError([Problem(check.where or check.theme, check.what, check.hint) for check in known.checks])
    entry = attest.attest(where, known)
    told = {"files": entry["body"]["files"], "entries": entry["size"], "root": entry["root"]}
    lines = [
        f"attested: {told['files']} outputs; the receipt log has {told['entries']} entries, root {told['root']}",
        "Note the root elsewhere: `accord audit --noted ROOT` shows whether the log was rolled back since.",
    ]
    command_line.say({"attested": told}, "\n".join(lines), flags)
    return 0


def _tell(line: str) -> None:
    print(f"accord audit: {line}", file=sys.stderr, flush=True)


def _cores() -> int:
    return min(MOST_JOBS, len(os.sched_getaffinity(0)))


def _pair(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name:
        raise argparse.ArgumentTypeError(f"must be COLUMN=VALUE, not {text!r}")
    return name, value


def _day(text: str) -> str:
    return command_line.day(text).isoformat()
