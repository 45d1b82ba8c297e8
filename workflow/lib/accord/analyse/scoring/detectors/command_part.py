"""`accord analyse --fairness`: its flags, and what it prints."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from accord import command_line
from accord.errors import AccordError, Problem
from accord.grouping import WHOLE

OWN = ("threshold", "features", "pairs")
"""Flags that go with --fairness alone."""
UNUSED = ("report", "score", "image", "y_pred", "metrics", "task", "model", "metric", "separator", "correction",
          "lower_is_better", "min_subjects")  # fmt: skip
PAIRS = 10_000_000_000
ENDS = ("value", "low", "high", "floor")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "--fairness",
        action="store_true",
        help="AI-Face's metrics of a detector of fakes: --y-true, --y-score, --attributes (docs/ai-face.md)",
    )
    parser.add_argument("--threshold", type=float, default=0.5, help="called fake from here on (default: 0.5)")
    parser.add_argument(
        "--features", nargs="+", default=(), metavar="COLUMN", help="columns of features for F_IND ('f*')"
    )
    parser.add_argument(
        "--pairs", type=int, default=PAIRS, help=f"F_IND draws pairs above so many (default: {PAIRS:,})"
    )


def check(flags: dict[str, Any], default: Callable[[str], Any], chosen: bool) -> None:
    """Raise AccordError of all flags that don't go with --fairness, or without it."""
    others, word = (UNUSED, "with") if chosen else (OWN, "without")
    wrong = [f"--{name.replace('_', '-')}" for name in others if flags[name] != default(name)]
    if wrong:
        hints = {"--score": "the score is --y-score"} if chosen else {}
        raise AccordError(
            [Problem(name, f"is not used {word} --fairness", hints.get(name, "leave it out")) for name in wrong]
        )


def run(file: Path, flags: dict[str, Any], as_json: bool, write: Callable[[Any], list[Path]]) -> int:
    """Print the figures of a table, and write them."""
    from accord.analyse.scoring.detectors.of_table import analyse_fairness

    given = {name: value for name, value in flags.items() if name not in UNUSED}
    given |= {name: given[name] or "" for name in ("y_true", "y_score")}
    found = analyse_fairness(file, **given)
    written = write(found)
    print(command_line.as_json(found) if as_json else "\n".join([*lines(found), *map(str, written)]))
    return command_line.DONE


def lines(found: Any) -> list[str]:
    """What was found, as lines of text: figures in percent."""
    head = ("faces", "fakes", "AUC", "ACC", "AP", "EER", "FPR", "TPR")
    told = ["Utility (%)", _line("attribute, group", head)]
    told += [_of_group(row) for row in found.utility.to_dict("records")]
    told += ["", "Fairness (%; 0 is the fairest)", _line("attribute, metric", ENDS)]
    told += [_of_metric(row) for row in found.unfairness.to_dict("records")]
    return [*told, "", *map(printable, found.remarks)]


def _of_group(row: dict) -> str:
    cells = [f"{row[name]:,}" for name in ("faces", "fakes")]
    cells += [percent(row[name]) for name in ("auc", "accuracy", "ap", "eer", "fpr", "tpr")]
    return _line(WHOLE if row["attribute"] == WHOLE else f"{row['attribute']}: {row['group']}", cells, row["note"])


def _of_metric(row: dict) -> str:
    left = f"without {row['left_out']}, where a label is missing" if row["left_out"] else ""
    note = "; ".join(filter(None, (row["note"], left)))
    return _line(f"{row['attribute']}: {row['metric'].upper()}", [percent(row[name]) for name in ENDS], note)


def percent(value: float) -> str:
    """A fraction in percent, - for none."""
    return "-" if value != value else f"{100 * value:.3f}"


def printable(text: str) -> str:
    """A text of somebody's table on one line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _line(name: str, cells: Iterable[str], note: str = "") -> str:
    return f"{printable(name):<36}{''.join(f'{cell:>10}' for cell in cells)}{f'  ({printable(note)})' if note else ''}"
