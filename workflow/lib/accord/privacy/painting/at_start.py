"""Whether a run has what it needs to paint, before its first job: annotated regions are known by then."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.engine import resources
from accord.errors import AccordError, Collector
from accord.intake.delivered import columns, delivery, files
from accord.intake.delivered.files import FileRefusedError
from accord.intake.reading.images import MAX_ANNOTATION
from accord.privacy import permitted
from accord.privacy.painting import chosen

STEP = "privacy_paint"


def check(workflow: Any, config: dict[str, Any]) -> None:
    """Raises AccordError where a run is going to paint annotated regions, and its model isn't here or may not.

    workflow: Snakemake's, which knows what will run. Regions that checks or people add are known later.
    """
    if any(job.rule.name == STEP for job in workflow.dag.needrun_jobs()):
        require(config)


def require(config: dict[str, Any]) -> None:
    """Raises AccordError where deliveries have annotated regions that the configured model can't paint."""
    painter, problems = chosen.read(config, resources.schema("models.schema.yaml")), Collector()
    for root in map(Path, config["intake"]["deliveries"]):
        said = delivery.describe(root, delivery.SCHEMA, Collector()) or {}
        is_refused = config["privacy"]["model"] == chosen.EMBEDDED and not delivery.is_rendered(said)
        if (painter.absent or is_refused) and any(_regions(root)):
            if is_refused:
                problems.add(
                    f"delivery {root.name}",
                    f"has regions to paint, and {permitted.NOT_RENDERED}",
                    f"{chosen.FETCH}; {permitted.MARK}",
                )
            problems += [problem for problem in painter.absent if problem not in problems]
    if problems:
        raise AccordError(problems)


def _regions(root: Path) -> Iterator[bool]:
    """Of each image of a delivery, whether its annotation file has regions; files that can't be read have none."""
    try:
        paths = [path for (path,) in columns.read(root, "images.csv", ("annotations",))]
    except (OSError, FileRefusedError, ValueError, StopIteration):
        return
    for path in paths:
        try:
            document = json.loads(files.read(root, path, MAX_ANNOTATION))
        except (OSError, FileRefusedError, ValueError, RecursionError):
            continue
        yield isinstance(document, dict) and bool(document.get("regions"))
