"""How many passers-by whom nobody annotated detectors find, by their height (benchmarks/passers_by.py)."""

from typing import NamedTuple


class HeightRecall(NamedTuple):
    """Of people as high as that share of a picture's longer side: how many were found, and of how many."""

    height: float
    detected: int
    people: int


SHARP = (
    HeightRecall(0.05, 1, 40), HeightRecall(0.08, 32, 37), HeightRecall(0.12, 30, 30), HeightRecall(0.18, 27, 27),
    HeightRecall(0.27, 26, 26), HeightRecall(0.4, 24, 24),
)  # fmt: skip
"""People pasted into photographs, upright and facing the camera."""
BLURRED = (HeightRecall(0.05, 0, 41), HeightRecall(0.08, 24, 39), HeightRecall(0.12, 33, 33))
"""The same, out of focus by a hundredth of their height."""
BACKGROUND = 2, 20
"""How many were found, and of how many at least, of those who were in the background of four photographs already."""


def recall_sentence() -> str:
    """What reviewers and readers of a datasheet are told."""
    detected, people = BACKGROUND
    return (
        "Detectors miss passers-by whom nobody annotated. Of people pasted into photographs, facing the camera, they "
        f"found with the default settings, by height in percent of the longer side, {_rates(SHARP)}; out of focus "
        f"{_rates(BLURRED)}; of people who were in the background already, small, blurred or turned away, {detected} "
        f"of at least {people}."
    )


def _rates(rows: tuple[HeightRecall, ...]) -> str:
    return ", ".join(f"{row.detected} of {row.people} at {row.height:.0%}" for row in rows)
