"""The gates of the last release, as the step that looked recorded them."""

import csv
from pathlib import Path

from accord.audit.records import rows_of_images
from accord.audit.telling.checks import About, Check
from accord.errors import Problem
from accord.release.disclosure.aggregates import LEAST, ROUNDED_TO

GATES = About("gates")
NAMES = ("gates.parquet", "videos/gates.parquet")
HINT = "a release that fails a gate can't be made by the workflow: the table or the release was edited"


def checks(results: Path) -> list[Check]:
    """A failure for each gate of images and of videos that was not passed."""
    paths = [path for path in (results / "release" / name for name in NAMES) if path.is_file()]
    if not paths:
        return [GATES.none("gates", "no gates were recorded")]
    read = {path: rows_of_images.rows(path, {}, ("gate", "verdict")) for path in paths}
    if unread := [path for path, rows in read.items() if not rows]:
        return [GATES.failed("gates", "can't be read", unread[0].as_posix(), "rerun the workflow")]
    rows = [row for found in read.values() for row in found]
    problems = [Problem(row["gate"], "did not pass", HINT) for row in rows if row["verdict"] != "pass"]
    return GATES.held("gates", problems, f"{len(rows)} gates passed: {', '.join(row['gate'] for row in rows)}")


def aggregates(folder: Path) -> list[Check]:
    """Whether released counts of people are rounded, and none is of few."""
    path = folder / "data" / "aggregated_results" / "aggregates.csv"
    try:
        with path.open(newline="", encoding="utf-8") as opened:
            counts = [int(row["subjects"]) for row in csv.DictReader(opened)]
    except (OSError, ValueError, KeyError, TypeError):
        return [GATES.none("aggregates", "no readable counts of people", path.as_posix())]
    wrong = sum(count < LEAST or count % ROUNDED_TO != 0 for count in counts)
    problems = [Problem(path.as_posix(), f"{wrong} counts cover too few people, or are not rounded", HINT)][:wrong]
    return GATES.held("aggregates", problems, f"{len(counts)} counts, each of {LEAST} people or more, rounded")
