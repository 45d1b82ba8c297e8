"""Logos that an outside service sees."""

from collections.abc import Iterable
from typing import Any

from accord.checks.brands.vision_answers import LOGO
from accord.checks.personal.proposals import Seen

SERVICE = "google_vision"
REASON = "an external service detects a logo"


def seen(answers: Iterable[Any], threshold: float) -> list[Seen]:
    """The logos among what Google Vision says of an image (rows of table Answers), from a score on."""
    said = (row for row in answers if row.kind == LOGO and row.score >= threshold)
    return [Seen("logo", tuple(row.polygon), SERVICE, row.score, threshold, REASON) for row in said]
