"""The gates of the last release, as the step that looked recorded them."""

from pathlib import Path

from accord.audit import item
from accord.audit.checks import About, Check
from accord.errors import Problem

GATES = About("gates")
HINT = "a release that fails a gate must not have been made: was the table edited, or the release made otherwise?"


def checks(results: Path) -> list[Check]:
    """A failure for each gate that was not passed."""
    path = results / "release" / "gates.parquet"
    if not path.is_file():
        return [GATES.none("gates", "no gates were recorded")]
    rows = item.rows(path, {}, ("gate", "verdict"))
    if not rows:
        return [GATES.failed("gates", "can't be read", path.as_posix(), "run the workflow again")]
    problems = [Problem(row["gate"], "was not passed", HINT) for row in rows if row["verdict"] != "pass"]
    return GATES.held("gates", problems, f"{len(rows)} gates were passed: {', '.join(row['gate'] for row in rows)}")
