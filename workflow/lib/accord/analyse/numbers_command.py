"""`accord numbers check`: do the figures that a paper prints obey their own arithmetic?"""

import argparse
from pathlib import Path

from accord.analyse.numbers import run

BROKEN = 1


def main(argv: list[str]) -> int:
    """Print every rule that is broken or can't be worked out, and how many hold; 1 if any is broken."""
    parser = argparse.ArgumentParser(prog="accord numbers", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="check tables of published figures (docs/statistics.md describes them)")
    check.add_argument("tables", type=Path, nargs="+", metavar="FILE", help="a CSV file: name,value,rule,source")
    found = run(parser.parse_args(argv).tables)
    for row in found[found["state"] != "holds"].to_dict("records"):
        source = f" ({row['source']})" if row["source"] else ""
        print(f"{row['file']}, line {row['line']}, {row['name']}: {row['state']}: {row['rule']}{source}")
        print(f"    {row['note']}")
    hold, broken, undefined = ((found["state"] == state).sum() for state in ("holds", "broken", "undefined"))
    print(f"{len(found)} rules: {hold} hold, {broken} broken, {undefined} undefined")
    return BROKEN if broken else 0
