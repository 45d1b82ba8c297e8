"""`accord numbers check`: do the figures that a paper prints obey their own arithmetic?"""

import argparse
from pathlib import Path

from accord.analyse.inconsistent import inconsistent
from accord.analyse.numbers import run
from accord.nouns import counted

BROKEN = 1


def main(argv: list[str]) -> int:
    """Print what does not hold, once for each likely reason, and how many rules do; 1 if any is broken."""
    parser = argparse.ArgumentParser(prog="accord numbers", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="check tables of published figures (docs/statistics.md describes them)")
    check.add_argument("tables", type=Path, nargs="+", metavar="FILE", help="a CSV file: name,value,rule,source")
    found = run(parser.parse_args(argv).tables)
    for row in inconsistent(found).to_dict("records"):
        print("\n".join(_lines(row)))
    hold, broken, undefined = ((found["state"] == state).sum() for state in ("holds", "broken", "undefined"))
    holds = "holds" if hold == 1 else "hold"
    print(f"{counted(len(found), 'rule')}: {hold:,} {holds}, {broken:,} broken, {undefined:,} undefined")
    return BROKEN if broken else 0


def _lines(row: dict) -> list[str]:
    source = f" ({row['source']})" if row["source"] else ""
    head = f"{row['file']}, line {row['line']}, {row['name']}: {row['state']}: {row['rule']}{source}"
    fail = "fails" if row["like_it"] == 1 else "fail"
    last = f"the last in line {row['last_line']}"
    more = f" {counted(row['like_it'], 'more rule')} {fail} for the same reason, {last}." if row["like_it"] else ""
    below = [row["note"], f"{row['reason']}.{more}"] if row["reason"] else [row["note"]]
    return [head, *(f"    {line}" for line in below)]
