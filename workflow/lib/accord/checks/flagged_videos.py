"""Hold back all videos of a delivery in which known abuse material was found, until the officer clears it."""

from pandera.typing import DataFrame

from accord.checks import flagged
from accord.checks.tables.findings import Findings
from accord.engine.parameter_types import Private
from accord.intake.tables import Videos


def run(
    videos: DataFrame[Videos], findings: DataFrame[Findings], *, cleared: list, vault: Private
) -> DataFrame[Findings]:
    """Finding safety_delivery of each video, as checks.flagged says it of images.

    findings: on images and videos; whatever matched, both are held back.
    """
    return flagged.judged(videos, findings, cleared, vault)
