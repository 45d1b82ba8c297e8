"""`accord rapid`: how well recognition services work, and for whom, from their scores alone. No picture is read."""

import argparse
from collections.abc import Callable
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem

SMALLEST = 1e-9
"""The smallest FMR: a million million pairs of people."""


def main(argv: list[str]) -> int:
    """Print what the services' scores tell, and write the tables as CSV."""
    flags = parser().parse_args(argv)
    if flags.out is not None and flags.out.exists() and not flags.out.is_dir():
        raise AccordError(Problem(str(flags.out), "is a file", "give a folder for the tables"))
    from accord.analyse.identities import inputs, over_time, rapid_test
    from accord.analyse.identities.labelling import Rules
    from accord.analyse.identities.service_curves import How
    from accord.analyse.identities.words import lines

    given = inputs.typed(inputs.read(flags.confidences, flags.faces, flags.queries, flags.hand, flags.before))
    rules = Rules(flags.rule, flags.calibration, flags.min_faces, flags.min_positive, seed=flags.seed)
    how = How(tuple(flags.fmr), flags.min_queries, flags.bootstraps, flags.seed)
    found = rapid_test.run(given, rapid_test.Settings(rules, how))
    missing = [] if given.before is None else over_time.not_compared(given.before, given.confidences, given.faces)
    written = _write(found._asdict(), flags.out) if flags.out else []
    command_line.say(
        found, "\n".join([*lines(found), *missing, *inputs.unmatched(given, flags.queries), *map(str, written)]), flags
    )
    return command_line.DONE


def _write(tables: dict, out: Path) -> list[Path]:
    from accord.files import replace
    from accord.text.spreadsheets import csv_text

    made = {out / f"{name}.csv": csv_text(table).encode() for name, table in tables.items()}
    with command_line.writing(out):
        out.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            replace(path, text)
    return list(made)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("rapid", "It reads tables of scores (CSV or Parquet), no pictures, and asks no service.")
    made.add_argument("confidences", type=Path, help="a row per pair of faces: service, left, right, score")
    made.add_argument(
        "--faces", type=Path, required=True, help="a row per face: face, query; may have pictures (old or new)"
    )
    made.add_argument("--queries", type=Path, help="a row per query: query, and a column per attribute")
    made.add_argument("--hand", type=Path, help="hand labels: face, label (1, 0, or -1 for can't tell)")
    made.add_argument("--before", type=Path, help="scores of an earlier test, of the same services and faces")
    made.add_argument("--rule", choices=("published", "strangers"), default="published", help="default: published")
    made.add_argument("--calibration", choices=("mixture", "across"), default="mixture", help="default: mixture")
    made.add_argument("--fmr", nargs="+", type=_rate, default=[0.01, 0.001], help="default: 0.01 0.001")
    made.add_argument("--min-faces", type=_least(2), default=8, help="minimum number of faces of a query (default: 8)")
    made.add_argument(
        "--min-positive", type=_least(2), default=5, help="minimum number of faces of its person (default: 5)"
    )
    made.add_argument(
        "--min-queries", type=_least(2), default=10, help="minimum number of queries of a group (default: 10)"
    )
    made.add_argument(
        "--bootstraps", type=_least(100), default=400, help="bootstrap resamples of queries (default: 400)"
    )
    made.add_argument("--seed", type=_least(0), default=1, help="random seed (default: 1)")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="folder for the result tables (default: none)")
    command_line.json_flag(made)
    return made


def _least(least: int) -> Callable[[str], int]:
    """A type of whole numbers of at least so much."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not SMALLEST <= rate < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a rate between {SMALLEST:g} and 1")
    return rate
