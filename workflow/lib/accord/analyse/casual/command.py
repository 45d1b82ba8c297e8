"""`accord videos`: Casual Conversations' tables from its annotations and files of one's own. No video is read."""

import argparse
from pathlib import Path

from accord import command_line, commands
from accord.errors import AccordError, Problem

REFERENCES = "config/references/casual-conversations.csv"


def main(argv: list[str]) -> int:
    """Print what the files tell, and write the tables as CSV."""
    flags = parser().parse_args(argv)
    if flags.out is not None and flags.out.exists() and not flags.out.is_dir():
        raise AccordError(Problem(str(flags.out), "is a file", "give a folder for the tables"))
    if bool(flags.submissions) != bool(flags.truth):
        raise AccordError(Problem("accord videos", "needs both --submissions and --truth, or neither"))
    from accord.analyse.casual.plain import tables
    from accord.analyse.casual.words import lines
    from accord.engine import resources

    how = {"min_subjects": flags.min_subjects, "bootstraps": flags.bootstraps, "seed": flags.seed}
    printed = [flags.references or resources.own_or_shipped(REFERENCES)]
    found = tables(flags, printed, how)
    written = _write(found, flags.out) if flags.out else []
    command_line.say(found, "\n".join([*lines(found), *map(str, written)]), flags)
    return command_line.DONE


def _write(tables: dict, out: Path) -> list[Path]:
    from accord.files import replace
    from accord.text.spreadsheets import csv_text

    made = {out / f"{name}.csv": csv_text(table).encode() for name, table in tables.items() if len(table)}
    with command_line.writing(out):
        out.mkdir(parents=True, exist_ok=True)
        for path, text in made.items():
            replace(path, text)
    return list(made)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("videos", "It reads annotations and tables (CSV or Parquet), no videos.")
    made.add_argument("folder", type=Path, help="folder with CasualConversations.json")
    made.add_argument("--votes", type=Path, help="votes on skin: subject, rater, type, uncertain")
    made.add_argument("--scale", choices=("fitzpatrick", "monk"), default="fitzpatrick", help="default: fitzpatrick")
    made.add_argument("--predictions", type=Path, nargs="+", default=[], metavar="FILE",
                      help="what models said of frames, a file each: video, gender, age")  # fmt: skip
    made.add_argument("--submissions", type=Path, nargs="+", default=[], metavar="FILE",
                      help="submissions of deepfake detectors: filename, label")  # fmt: skip
    made.add_argument("--truth", type=Path, help="of their videos: filename, subject, label, and video or lighting")
    made.add_argument("--threshold", type=_threshold, default=0.5, help="called fake from here on (default: 0.5)")
    made.add_argument("--references", type=Path, metavar="FILE", help="published figures (default: the paper's)")
    made.add_argument("--min-subjects", type=int, default=10, help="minimum number of subjects (default: 10)")
    made.add_argument("--bootstraps", type=int, default=1000, help="bootstrap resamples of subjects (default: 1000)")
    made.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    made.add_argument("--out", type=Path, metavar="FOLDER", help="folder for the result tables (default: none)")
    command_line.json_flag(made)
    return made


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not above 0 and at most 1")
    return value
