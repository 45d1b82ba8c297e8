"""`accord numbers check`: do the figures that a paper prints obey their own arithmetic?"""

import argparse
from pathlib import Path

from pandera.typing import DataFrame

from accord import command_line, commands
from accord.analyse.numbers import checked
from accord.analyse.published.inconsistent import inconsistent
from accord.analyse.tables.numbers import Numbers
from accord.errors import all_problems
from accord.text.nouns import counted

HELP = {"check": "check tables of published figures (docs/published-figures.md describes them)"}


def main(argv: list[str]) -> int:
    """Print what does not hold, once for each likely reason, and how many rules do; 1 if any is broken.

    Raises AccordError with all that can't be read, when what can be is printed.
    """
    flags = parser().parse_args(argv)
    with all_problems() as problems:
        return _told(checked(flags.tables, problems), flags)


def _told(found: DataFrame[Numbers], flags: argparse.Namespace) -> int:
    rows = inconsistent(found)
    lines = [line for row in rows.to_dict("records") for line in _lines(row)]
    hold, broken, undefined = ((found["state"] == state).sum() for state in ("holds", "broken", "undefined"))
    holds = "holds" if hold == 1 else "hold"
    lines.append(f"{counted(len(found), 'rule')}: {hold:,} {holds}, {broken:,} broken, {undefined:,} undefined")
    told = {"rules": len(found), "hold": hold, "broken": broken, "undefined": undefined, "inconsistent": rows}
    command_line.say(told, "\n".join(lines), flags)
    return command_line.FAILED if broken else command_line.DONE


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("numbers")
    check = command_line.actions(made, HELP, dest="action")["check"]
    check.add_argument(
        "tables", type=Path, nargs="+", metavar="FILE", help="CSV file with columns name, value, rule, source"
    )
    command_line.json_flag(check)
    return made


def _lines(row: dict) -> list[str]:
    source = f" ({row['source']})" if row["source"] else ""
    head = f"{row['file']}, line {row['line']}, {row['name']}: {row['state']}: {row['rule']}{source}"
    fail = "fails" if row["like_it"] == 1 else "fail"
    last = f"the last on line {row['last_line']}"
    more = f" {counted(row['like_it'], 'more rule')} {fail} for the same reason, {last}." if row["like_it"] else ""
    below = [row["note"], f"{row['reason']}.{more}"] if row["reason"] else [row["note"]]
    return [head, *(f"    {line}" for line in below)]
