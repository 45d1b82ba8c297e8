"""`accord analyse`: whom does a model serve worse? Of a plain table of scores and attributes, without the workflow."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.analyse.scoring.detectors import command_part
from accord.errors import AccordError, Problem


def main(argv: list[str]) -> int:
    """Compare the groups of a table (CSV or Parquet), print what was found, and write the tables in its format."""
    made = parser()
    flags = vars(made.parse_args(argv))
    of_detector = flags.pop("fairness")
    command_part.check(flags, made.get_default, of_detector)
    file, out, report, as_json = (flags.pop(name) for name in ("table", "out", "report", "json"))
    if out is not None and out.exists() and not out.is_dir():
        raise AccordError(Problem(str(out), "is a file", "give a folder for the tables"))
    if out is not None:
        with command_line.writing(out):  # said before the work, not after it
            out.mkdir(parents=True, exist_ok=True)
    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise AccordError(Problem("--report", f"{report} is not an HTML file", "give a name such as report.html"))
    if report is not None and not report.parent.is_dir():
        hint = "create it, or correct the path"
        raise AccordError(Problem("--report", f"{report} can't be written: its folder doesn't exist", hint))
    if of_detector:
        return command_part.run(file, flags, as_json, lambda found: _written(found.tables(), out, file))
    from accord.analyse.plain.compare_table import analyse
    from accord.analyse.plain.showing.words import lines

    found = analyse(file, **{name: value for name, value in flags.items() if name not in command_part.OWN})
    written = _written(found.tables(), out, file)
    if report is not None:
        written.append(found.report(report, f"Groups of {file.name}", "--report"))
    print(command_line.as_json(found) if as_json else "\n".join([*lines(found), *map(str, written)]))
    return 0


def _written(tables: dict, out: Path | None, file: Path) -> list[Path]:
    """The files of the tables in the folder, in the format of the file that was read; none without a folder."""
    from accord.files import replace
    from accord.text.spreadsheets import csv_text

    if out is None:
        return []
    as_csv = file.suffix.lower() == ".csv"
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
    made.add_argument(
        "table", type=Path, help="CSV or Parquet with a row per image and subject (in long format, also per metric)"
    )
    made.add_argument(
        "--report", type=Path, metavar="FILE", help="write a page with the four answers and plots (FILE.html)"
    )
    made.add_argument(
        "--score",
        nargs="+",
        default=(),
        metavar="COLUMN",
        help="score columns, one per metric (default: columns with a usual name, such as score)",
    )
    made.add_argument(
        "--subject", default="", metavar="COLUMN", help="column of subject ids (default: a usual name, else each row)"
    )
    made.add_argument(
        "--image", default="", metavar="COLUMN", help="column of image ids (default: a usual name, else each row)"
    )
    made.add_argument(
        "--attributes",
        nargs="+",
        default=(),
        metavar="COLUMN",
        help="attributes to compare (default: all other columns but outcomes, ids and measurements)",
    )
    for name, line in (("true", "true labels"), ("pred", "predicted labels"), ("score", "predicted probabilities")):
        made.add_argument(f"--y-{name}", metavar="COLUMN", help=f"column of {line}, in place of --score")
    made.add_argument(
        "--metrics",
        nargs="+",
        metavar="NAME",
        help="metrics of true and predicted labels, by scikit-learn's names (default: accuracy)",
    )
    made.add_argument("--pos-label", default=1, metavar="LABEL", help="the positive label (default: 1)")
    for name in ("task", "model", "metric"):
        made.add_argument(f"--{name}", default="", metavar="COLUMN", help=f"column of the {name}, in long format")
    made.add_argument("--separator", default="", metavar="TEXT", help="separator of multiple values in a cell")
    made.add_argument(
        "--crossed",
        nargs="+",
        default=(),
        metavar="COLUMN",
        help="attributes to combine into intersections (default: all)",
    )
    made.add_argument(
        "--most", type=int, default=1, help="maximum number of attributes in an intersection, 1 to 4 (default: 1)"
    )
    made.add_argument(
        "--correction", default="bonferroni", help="correction of p-values: bonferroni (default), holm or bh"
    )
    made.add_argument(
        "--lower-is-better", nargs="+", default=(), metavar="METRIC", help="metrics that are errors or distances"
    )
    made.add_argument(
        "--min-subjects", type=int, default=10, help="minimum number of subjects in a group (default: 10)"
    )
    made.add_argument(
        "--bootstraps", type=int, default=1000, help="bootstrap resamples of subjects for intervals (default: 1000)"
    )
    made.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    command_part.add(made)
    made.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder for the result tables (default: don't write them)"
    )
    command_line.json_flag(made)
    return made
