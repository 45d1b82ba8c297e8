"""`accord estimate`: what the samples of the last run say, the interval of a rate that was seen in a sample, how
large a sample must be, and what a run of some size costs."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from accord import command_line, commands
from accord.checks.costs import action
from accord.checks.estimates import ALL
from accord.checks.tables.summary import REMAINING, Estimates
from accord.engine import configuration, table
from accord.errors import AccordError, Problem, all_problems
from accord.review.drawn.drawings import ANNOTATIONS
from accord.statistics.describing.proportions import exact_finite, sample_size, wilson, wilson_finite

WHAT = dict.fromkeys((REMAINING, *ANNOTATIONS), "wrong") | {REMAINING: "to be excluded"}
"""Sample -> what its rate is of."""
ALL_OF = "the size of the population; leave it out if it is unlimited"
SHARES = "write shares: 0.035 for 3.5%"
ESTIMATES = "checks/estimates.parquet"
HELP = {
    "rate": "the rate in the population, from a sample: accord estimate rate 14 400 --of 2017",
    "size": "the required sample size: accord estimate size 0.035 0.02 --of 2017",
    "show": "the estimates of the last run, from its reviewed samples",
    "cost": "CPU hours, GPU hours, disk and days of a run: accord estimate cost --images 10000 --megapixels 12",
}


def main(argv: list[str]) -> int:
    """Print estimates, a rate with its intervals, the size of a sample, or what a run costs."""
    flags = parser().parse_args(argv)
    told, lines = {"rate": _rate, "size": _size, "show": _shown, "cost": action.told}[flags.action](flags)
    command_line.say(told, "\n".join(lines), flags)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("estimate")
    rate, size, show, cost = command_line.actions(made, HELP, dest="action").values()
    action.arguments(cost)
    rate.add_argument("hits", type=int, help="hits in the sample")
    rate.add_argument("sampled", type=int, help="size of the sample")
    size.add_argument("rate", type=float, help="the expected rate")
    size.add_argument("half_width", type=float, help="half the maximum width of the interval")
    for one in (rate, size):
        one.add_argument("--of", type=int, metavar="N", help="size of the population (default: unlimited)")
    show.add_argument("--results", type=Path, help="results folder (default: as configured)")
    command_line.config_flag(show)
    show.add_argument("--strata", action="store_true", help="also list each stratum")
    for one in (rate, size, show, cost):
        command_line.json_flag(one)
    return made


def _shown(flags: argparse.Namespace) -> tuple[pd.DataFrame, list[str]]:
    config = configuration.read(configuration.used(flags.config))
    file = configuration.folder(config, "results", flags.results) / ESTIMATES
    if not file.is_file():
        raise AccordError(Problem(str(file), "is missing", "run the workflow, or give its results with --results"))
    found = table.read([file], Estimates)
    found = found if flags.strata else found[found["stratum"] == ALL]
    return found, [_line(row) for row in found.itertuples()]


def _line(row: Any) -> str:
    of = "" if row.stratum == ALL else f", {row.stratum}"
    return f"{row.sample.replace('_', ' ')}, {WHAT[row.sample]}{of}: {_estimate(row)}"


def _estimate(row: Any) -> str:
    seen = f"{row.hits} of {row.looked} reviewed ({row.sampled} drawn of {row.population})"
    if pd.isna(row.rate):
        return f"{seen}; {row.note}"
    note = f"; {row.note}" if row.note else ""
    return f"{_told(row.rate, row.low, row.high)}, Wilson 95%; {seen}{note}"


def _rate(flags: argparse.Namespace) -> tuple[dict, list[str]]:
    hits, sampled, of = flags.hits, flags.sampled, flags.of
    _check_counts(hits, sampled, of)
    rate, whole = hits / sampled, f"of {of} in all"
    found = [("wilson", f"{hits} of {sampled}", "Wilson", wilson(rate, sampled))]
    if of is not None:
        found.append(("wilson_finite", whole, "Wilson", wilson_finite(hits, sampled, of)))
        found.append(("hypergeometric", whole, "hypergeometric", exact_finite(hits, sampled, of)))
    intervals = {name: {"low": low, "high": high} for name, _, _, (low, high) in found}
    told = {"hits": hits, "sampled": sampled, "of": of, "rate": rate, "intervals": intervals}
    return told, [f"{what}: {_told(rate, *interval)}, {method} 95%" for _, what, method, interval in found]


def _check_counts(hits: int, sampled: int, of: int | None) -> None:
    with all_problems() as problems:
        if hits < 0:
            problems.add("hits", f"{hits} is less than 0")
        if sampled < 1:
            problems.add("sampled", f"{sampled} is less than 1", "the sample must have at least one")
        elif hits > sampled:
            hint = "give the hits first, then the sample size"
            problems.add("hits", f"{hits} is more than the sample size {sampled}", hint)
        fewest = max(sampled, 1)
        if of is not None and of < fewest:
            problems.add("--of", f"{of} is less than {fewest}, the minimum", ALL_OF)


def _size(flags: argparse.Namespace) -> tuple[dict, list[str]]:
    with all_problems() as problems:
        if not 0 <= flags.rate <= 1:
            problems.add("rate", f"{flags.rate} must be between 0 and 1", SHARES)
        if not 0 < flags.half_width < 1:
            problems.add("half_width", f"{flags.half_width} must be above 0 and below 1", SHARES)
        if flags.of is not None and flags.of < 1:
            problems.add("--of", f"{flags.of} is less than 1", ALL_OF)
    size = sample_size(flags.rate, flags.half_width, flags.of)
    told = {"rate": flags.rate, "half_width": flags.half_width, "of": flags.of, "size": size}
    return told, [f"{size} for an interval of {flags.rate:.2%} that is {2 * flags.half_width:.2%} wide at most"]


def _told(rate: float, low: float, high: float) -> str:
    return f"{rate:.1%} [{low:.1%}, {high:.1%}]"
