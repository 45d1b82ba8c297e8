"""`accord analyse`: whom does a model serve worse? Of a plain table of scores and attributes, without the workflow."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem


def main(argv: list[str]) -> int:
    """Compare the groups of a table (CSV or Parquet), print what was found, and write the tables in its format."""
    flags = vars(parser().parse_args(argv))
    file, out, as_json = flags.pop("table"), flags.pop("out"), flags.pop("json")
    if out is not None and out.exists() and not out.is_dir():
        raise AccordError(Problem(str(out), "is a file", "name a folder for the tables"))
    if out is not None:
        with command_line.writing(out):  # said before the work, not after it
            out.mkdir(parents=True, exist_ok=True)
    from accord.analyse.plain.compare_table import analyse
    from accord.analyse.plain.words import lines

    found = analyse(file, **flags)
    written = _write(found._asdict(), out, file.suffix.lower() == ".csv") if out is not None else []
    print(command_line.as_json(found) if as_json else "\n".join([*lines(found), *map(str, written)]))
    return 0


def _write(tables: dict, out: Path, as_csv: bool) -> list[Path]:
    from accord.files import replace
    from accord.text.spreadsheets import csv_text

    paths = {name: out / f"{name}.{'csv' if as_csv else 'parquet'}" for name in tables}
    for name, path in paths.items():
        table = tables[name]
        text = csv_text(table).encode() if as_csv else table.to_parquet(index=False)
        with command_line.writing(out):
            replace(path, text)
    return list(paths.values())


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("analyse", "It needs a table (CSV or Parquet) and no workflow.")
    made.add_argument("table", type=Path, help="CSV or Parquet: a row per image and subject, or also per metric")
    made.add_argument("--score", nargs="+", required=True, metavar="COLUMN", help="columns of scores, a metric each")
    made.add_argument("--subject", required=True, metavar="COLUMN", help="who is in the image")
    made.add_argument("--image", default="", metavar="COLUMN", help="which image; without it each row is one")
    made.add_argument(
        "--attributes", nargs="+", default=(), metavar="COLUMN", help="whose groups to compare; else all others"
    )
    for name in ("task", "model", "metric"):
        made.add_argument(f"--{name}", default="", metavar="COLUMN", help=f"names the {name} of a row, in a long table")
    made.add_argument("--separator", default="", metavar="TEXT", help="between the values of a cell that holds several")
    made.add_argument("--crossed", nargs="+", default=(), metavar="COLUMN", help="attributes to combine; else all")
    made.add_argument("--most", type=int, default=1, help="how many attributes an intersection combines, up to 4")
    made.add_argument("--correction", default="bonferroni", help="for all pairs: bonferroni, holm or bh")
    made.add_argument(
        "--lower-is-better", nargs="+", default=(), metavar="METRIC", help="metrics that are errors or distances"
    )
    made.add_argument("--min-subjects", type=int, default=10, help="fewest subjects of a group that is compared")
    made.add_argument("--bootstraps", type=int, default=1000, help="draws of subjects for an interval")
    made.add_argument("--seed", type=int, default=1, help="of the random numbers")
    made.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where to write the tables; without it nothing is written"
    )
    command_line.json_flag(made)
    return made
