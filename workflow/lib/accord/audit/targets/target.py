"""What is audited: a file, a row, a figure, a release, or everything."""

from pathlib import Path

from accord.audit.evidence.lineage import Node
from accord.audit.records import reproduce
from accord.audit.records.reproduce import Tell, silent
from accord.audit.targets import everything, figure, file, release, row
from accord.audit.targets.places import Places
from accord.audit.telling.checks import Check, Found, ordered, verdict
from accord.errors import AccordError, Problem
from accord.release.seal import seal

NOTHING = "the results it was made from are missing"


class Audit:
    """An audit: its target in words, its checks by theme, the facts behind them, the lineage if it has one."""

    def __init__(self, target: str, root: Node | None, found: Found):
        self.target, self.root, self.sections = target, root, found.sections
        self.checks: list[Check] = ordered(found.checks)
        self.verdict = verdict(self.checks)


def audit(
    path: Path | None, places: Places, row_of: dict[str, str] | None = None, figure_of: str = "", tell: Tell = silent
) -> Audit:
    """Audit what is named; without a path, everything. Raises AccordError where there is no such thing.

    `tell`: takes lines on how far it is, where steps are done again.
    """
    if path is None:
        return Audit("everything", *everything.audit(places, tell))
    told, root, found = _named(path, places, row_of, figure_of)
    if places.again:
        more = reproduce.checks(root.walk(), places, tell) if root else [reproduce.AGAIN.none("reproduced", NOTHING)]
        found = found._replace(checks=[*found.checks, *more])
    return Audit(told, root, found)


def _named(path: Path, places: Places, row_of: dict[str, str] | None, figure_of: str) -> tuple[str, Node | None, Found]:
    """What a path names, in words, its lineage, and what was found."""
    name = path.as_posix()
    if path.is_dir():
        if not (path / seal.ENVELOPE).exists() and not (path / "leaves.jsonl").exists():
            hint = "give a file, a release's folder, or nothing to audit everything"
            raise AccordError(Problem(name, "is not a release", hint))
        return f"release {name}", *release.audit(path, places)
    if row_of:
        keys = ", ".join(f"{column}={value}" for column, value in row_of.items())
        return f"{name}, row {keys}", *row.audit(path, row_of, places)
    if figure_of:
        return f"{name}, figure {figure_of}", *figure.audit(path, figure_of, places)
    root, checks = file.checks(path, places)
    if root.record and root.record["step"] in figure.STEPS:
        checks += figure.redrawn(path, places)
    return name, root, Found(checks)
