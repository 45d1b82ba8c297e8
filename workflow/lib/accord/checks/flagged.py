"""Hold back all images of a delivery in which known abuse material was found, until the officer clears it."""

from pathlib import Path
from typing import Any

import pandas as pd
from pandera.typing import DataFrame

from accord.abuse import quarantine
from accord.checks.deciding.limits import Finding, failed, passed
from accord.checks.looking.known import CHECK as KNOWN
from accord.checks.tables.findings import Findings, Images
from accord.engine import table
from accord.engine.parameter_types import Private
from accord.findings import FAIL

CHECK = "safety_delivery"


def run(
    images: DataFrame[Images], findings: DataFrame[Findings], *, cleared: list, vault: Private
) -> DataFrame[Findings]:
    """Finding safety_delivery of each image. `cleared`: deliveries, `vendor/delivery`, that the officer looked into.

    What matched, and what else there is of its subject, stays out of those too.
    """
    return judged(images, findings, cleared, vault)


def judged(images: pd.DataFrame, findings: pd.DataFrame, cleared: list, vault: Path) -> DataFrame[Findings]:
    """What `run` returns, of images, or of videos."""
    matched = findings.loc[(findings["check"] == KNOWN) & (findings["verdict"] == FAIL), "image"]
    names = images["vendor"] + "/" + images["delivery"]
    records = quarantine.records(vault)
    recorded = {f"{one['vendor']}/{one['delivery']}" for one in records}
    bad = (recorded | set(names[images["image"].isin(matched)])) - set(cleared)
    subjects = {one["subject"] for one in records}
    rows = pd.DataFrame({"image": images["image"], "subject": images["subject"], "name": names}).sort_values("image")
    return table.rows((_finding(row, bad, subjects) for row in rows.itertuples(index=False)), Findings)


def _finding(row: Any, deliveries: set[str], subjects: set[str]) -> Finding:
    """`subjects`: of whom something was found, in an image or a video; no clearance of a delivery is one of theirs."""
    if row.subject in subjects:
        return failed(row.image, CHECK, "known abuse material of its subject was found")
    if row.name in deliveries:
        return failed(row.image, CHECK, "known abuse material was found in its delivery")
    return passed(row.image, CHECK, "no match in its delivery, or cleared by the safety officer")
