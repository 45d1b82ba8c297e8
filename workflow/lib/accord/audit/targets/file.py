"""The audit of a file: its lineage, and what it says of code, parameters, weights and random numbers."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from accord.audit.evidence import code, parameters, weights
from accord.audit.evidence.lineage import BROKEN, CHANGED, MISSING, SOURCE, UNKNOWN, Node, trace
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check
from accord.errors import Problem

LINEAGE, RANDOM = About("lineage"), About("randomness")
WRONG = {
    CHANGED: ("differs from what its consumer read (sha256)", "it was changed or made again: run the workflow"),
    MISSING: ("is missing", "restore it, or run the workflow"),
    UNKNOWN: ("has no provenance record", "no step made it, or its record was removed: don't trust it"),
}


def checks(path: Path, places: Places) -> tuple[Node, list[Check]]:
    """The lineage of a file and all checks of it. Raises AccordError where there is no such file."""
    root = trace(path)
    nodes = list(root.walk())
    return root, [*lineage(nodes), *of_records(records(nodes), places)]


def records(nodes: Iterable[Node]) -> list[dict[str, Any]]:
    """The provenance records of all files that have one."""
    return [node.record for node in nodes if node.record]


def of_records(told: list[dict[str, Any]], places: Places) -> list[Check]:
    """What provenance records say, held against checkout, configuration and weights."""
    return [
        *code.checks(told),
        *parameters.checks(told, places.config),
        *weights.checks(told, places.config),
        *randomness(told),
    ]


def lineage(nodes: list[Node]) -> list[Check]:
    """A failure for each file on the way that isn't what was recorded."""
    problems = [Problem(node.path, *WRONG[node.status]) for node in nodes if node.status in BROKEN]
    outside = sum(node.status == SOURCE for node in nodes)
    fine = f"{len(nodes)} files are as recorded; {outside} of them are external inputs"
    return LINEAGE.held("files", problems, fine)


def randomness(told: list[dict[str, Any]]) -> list[Check]:
    """Whether steps that draw random numbers say from which seed."""
    seeds = {(record["step"], record["params"]["seed"]) for record in told if "seed" in record["params"]}
    painted = any(record["step"] == "privacy.paint" for record in told)
    said = [f"{step} from seed {seed}" for step, seed in sorted(seeds, key=str)]
    said += ["privacy.paint from a seed for each region, in its table of edits"] if painted else []
    if not said:
        return [RANDOM.none("seeds", "no upstream step records a seed")]
    return [RANDOM.passed("seeds", f"random numbers were drawn by {'; '.join(said)}")]
