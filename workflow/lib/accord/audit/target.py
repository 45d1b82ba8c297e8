"""What is audited: a file, a row, a figure, a release, or everything."""

from pathlib import Path

from accord.audit import everything, figure, file, release, row
from accord.audit.checks import Check, Found, ordered, verdict
from accord.audit.lineage import Node
from accord.audit.places import Places
from accord.errors import AccordError, Problem
from accord.release import seal


class Audit:
    """An audit: its target in words, its checks by theme, the facts behind them, the lineage if it has one."""

    def __init__(self, target: str, root: Node | None, found: Found):
        self.target, self.root, self.sections = target, root, found.sections
        self.checks: list[Check] = ordered(found.checks)
        self.verdict = verdict(self.checks)


def audit(path: Path | None, places: Places, row_of: dict[str, str] | None = None, figure_of: str = "") -> Audit:
    """Audit what is named; without a path, everything. Raises AccordError where there is no such thing."""
    if path is None:
        return Audit("everything", *everything.audit(places))
    if path.is_dir():
        if not (path / seal.ENVELOPE).exists() and not (path / "leaves.jsonl").exists():
            hint = "name a file, a release's folder, or nothing for everything"
            raise AccordError(Problem(path.as_posix(), "is no release", hint))
        return Audit(f"release {path.as_posix()}", *release.audit(path, places))
    if row_of:
        keys = ", ".join(f"{name}={value}" for name, value in row_of.items())
        return Audit(f"{path.as_posix()}, row {keys}", *row.audit(path, row_of, places))
    if figure_of:
        return Audit(f"{path.as_posix()}, figure {figure_of}", *figure.audit(path, figure_of, places))
    root, checks = file.checks(path, places)
    if root.story and root.story["step"] == figure.STEP:
        checks += figure.redrawn(path, places)
    return Audit(path.as_posix(), root, Found(checks))
