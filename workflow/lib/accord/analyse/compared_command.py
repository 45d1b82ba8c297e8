"""`accord compare`: did scores change from before to after, or differ between two models, and by more than a margin?"""

import argparse
import contextlib
from pathlib import Path

import pandas as pd

from accord import command_line, commands
from accord.analyse.compared import Case, comparisons, versions
from accord.analyse.comparing.matched_ids import DOUBT
from accord.analyse.scoring import score_files
from accord.analyse.tables.compared import VERSIONS, Compared
from accord.errors import AccordError, Problem
from accord.statistics.cohort import tests
from accord.text.nouns import counted


def main(argv: list[str]) -> int:
    """Print a line for each comparison; write the table where `--out` says."""
    chosen = parser().parse_args(argv)
    before, after = (score_files.read(path) for path in (chosen.before, chosen.after))
    found = comparisons(cases(before, after, chosen.models), chosen.margin, seed=chosen.seed)
    rows = found.to_dict("records")
    doubts = dict.fromkeys(
        f"Warning: {row['note']}. Replaced images are not tested." for row in rows if DOUBT in row["note"]
    )
    command_line.say(found, "\n".join([*doubts, *(line for row in rows for line in _lines(row))]), chosen)
    if chosen.out:
        from accord.engine import table

        with command_line.writing(chosen.out):
            table.write(found, Compared, chosen.out)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("compare")
    made.add_argument("before", type=Path, help="score table: Parquet, or CSV with image, subject, value")
    made.add_argument(
        "after", type=Path, help="score table to compare with; the same file to compare two of its models"
    )
    made.add_argument(
        "--models",
        nargs=2,
        metavar=("BEFORE", "AFTER"),
        help="model in each table (default: models with the same name)",
    )
    made.add_argument("--margin", type=margin, default=0.05, help="equivalence margin (default: 0.05)")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--out", type=Path, help="Parquet file for the comparison table")
    command_line.json_flag(made)
    return made


def margin(text: str) -> float:
    """A margin as a command line has it. Raises ArgumentTypeError where it is none."""
    with contextlib.suppress(ValueError):
        if 0 < float(text) < float("inf"):
            return float(text)
    raise argparse.ArgumentTypeError("must be a number above 0, since two means are never exactly equal")


def cases(before: pd.DataFrame, after: pd.DataFrame, named: list[str] | None) -> list[Case]:
    """What to compare: of each task and metric the two models `named`; else models of equal names, or the only ones.

    Raises AccordError where nothing is left to compare.
    """
    if named is None:
        only = [sorted(set(some["model"])) for some in (before, after)]
        found = list(versions(before, after))
        if found or [len(models) for models in only] != [1, 1]:
            return found or _nothing("the tables share no task, model and metric")
        named = [models[0] for models in only]
    sides = [{(t, metric): some for (t, m, metric), some in tests(scores) if m == name} for scores, name in
             zip((before, after), named, strict=True)]  # fmt: skip
    shared = sorted(set(sides[0]) & set(sides[1]))
    made = [Case(VERSIONS, *key, (named[0], named[1]), sides[0][key], sides[1][key]) for key in shared]
    return made or _nothing(f"{named[0]!r} before and {named[1]!r} after share no task and metric")


def _nothing(why: str) -> list[Case]:
    raise AccordError(Problem("accord compare", why, "choose two models with --models BEFORE AFTER"))


def _lines(row: dict) -> list[str]:
    models = dict.fromkeys(part for part in (row["model_before"], row["model_after"]) if part)
    name = ", ".join(part for part in (row["task"], " -> ".join(models), row["metric"]) if part)
    images = f"{row['images_before']:,} and {counted(row['images_after'], 'image')}"
    counts = f"{images}, {counted(row['subjects'], 'subject')}"
    better = f", {row['better']} is better" if row["better"] else ""
    head = f"{name}, {row['images']} ({counts}): {row['verdict']}{better}"
    change = f"{row['change']:+.4f} [90% interval {row['low']:+.4f}, {row['high']:+.4f}]"
    ranks = "" if row["p_ranks"] != row["p_ranks"] else f", by ranks {row['p_ranks']:.3g}"
    if not row["images_before"] and not row["images_after"]:
        return [head.partition(":")[0] + f": {row['note']}"]
    figures = f"    {row['before']:.4f} -> {row['after']:.4f}: {change}, margin {row['margin']:g}"
    tests_ = (
        f"; p changed {row['p_changed']:.3g}{ranks}, p same {row['p_same']:.3g}" if DOUBT not in row["note"] else ""
    )
    return [head, figures + tests_ + (f" ({row['note']})" if row["note"] else "")]
