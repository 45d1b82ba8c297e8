"""Records: the rows of all tables of intake, collected on the way."""

from dataclasses import dataclass, field

from accord.intake.delivered.refusals import Refusals


@dataclass
class Records:
    """Rows of the tables of intake, as tuples in the order of their columns."""

    images: list[tuple] = field(default_factory=list)
    people: list[tuple] = field(default_factory=list)
    attributes: list[tuple] = field(default_factory=list)
    keypoints: list[tuple] = field(default_factory=list)
    segments: list[tuple] = field(default_factory=list)
    regions: list[tuple] = field(default_factory=list)
    forms: list[tuple] = field(default_factory=list)
    annotators: list[tuple] = field(default_factory=list)
    checked: list[tuple] = field(default_factory=list)
    refused: Refusals = field(default_factory=Refusals)
