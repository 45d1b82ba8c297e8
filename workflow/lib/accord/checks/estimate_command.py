"""`accord estimate`: the interval of a rate that was seen in a sample, and how large a sample must be."""

import argparse

from accord.checks.proportions import exact_finite, sample_size, wilson, wilson_finite
from accord.errors import AccordError, Problem


def main(argv: list[str]) -> int:
    """Print a rate with its intervals, or the size of a sample."""
    parser = argparse.ArgumentParser(prog="accord estimate", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    rate = actions.add_parser("rate", help="the rate in all, from a sample: accord estimate rate 14 400 --of 1981")
    rate.add_argument("hits", type=int, help="how many of the sample have it")
    rate.add_argument("sampled", type=int, help="how many were looked at")
    size = actions.add_parser("size", help="how many to look at: accord estimate size 0.035 0.02 --of 1981")
    size.add_argument("rate", type=float, help="the rate that is expected")
    size.add_argument("half_width", type=float, help="half the width that the interval may have")
    for action in (rate, size):
        action.add_argument("--of", type=int, metavar="N", help="how many there are (left out: no end of them)")
    flags = parser.parse_args(argv)
    print("\n".join(_rate(flags) if flags.action == "rate" else [_size(flags)]))
    return 0


def _rate(flags: argparse.Namespace) -> list[str]:
    hits, sampled, of = flags.hits, flags.sampled, flags.of
    if not 0 <= hits <= sampled or not sampled or (of is not None and of < sampled):
        hint = "hits are at most the sampled, and these at most all there are"
        raise AccordError(Problem("estimate", f"{hits} of {sampled} of {of} can't be", hint))
    lines = [f"{hits} of {sampled}: {_told(hits / sampled, *wilson(hits / sampled, sampled))}, Wilson 95%"]
    if of is not None:
        lines.append(f"of {of} in all: {_told(hits / sampled, *wilson_finite(hits, sampled, of))}, Wilson 95%")
        lines.append(f"of {of} in all: {_told(hits / sampled, *exact_finite(hits, sampled, of))}, hypergeometric 95%")
    return lines


def _size(flags: argparse.Namespace) -> str:
    try:
        size = sample_size(flags.rate, flags.half_width, flags.of)
    except ValueError as error:
        raise AccordError(Problem("estimate", str(error), "write shares: 0.035 for 3.5%")) from None
    return f"{size} for an interval of {flags.rate:.2%} that is {2 * flags.half_width:.2%} wide at most"


def _told(rate: float, low: float, high: float) -> str:
    return f"{rate:.1%} [{low:.1%}, {high:.1%}]"
