"""The published tables of hand labels by estimated ones beside this release's, as shares that are read together."""

import pandas as pd

from accord.report.drawing.blocks import Grid, grid

HERE = "this release"
NAMES = {"person": 1, "other": 0, "untold": -1}
"""How references call labels: who was searched for, somebody else, can't tell or left out."""
PREFIX, ESTIMATED = "faces.", ".estimated_"
COLUMNS = ["test", "faces", "with a label", "labels that agree", "of the people's faces kept"]

Cells = dict[tuple[int, int], int]


def beside(agreement: pd.DataFrame, references: pd.DataFrame) -> Grid | None:
    """A row of this release, and one of each published test; None where nothing was labelled here, or none published.

    agreement: `LabelAgreement`; references: `References`, of all papers.
    """
    found = published(references)
    if agreement.empty or not found:
        return None
    here: Cells = {(row.hand, row.estimated): row.faces for row in agreement.itertuples()}
    rows = [shares(name, cells) for name, cells in {HERE: here, **found}.items()]
    return grid("table-rapid-published", "Labels here, and in the published tests", pd.DataFrame(rows, columns=COLUMNS))


def published(references: pd.DataFrame) -> dict[str, Cells]:
    """Test -> (hand label, estimated label) -> faces."""
    found: dict[str, Cells] = {}
    for row in references.itertuples():
        hand, _, estimated = row.figure.removeprefix(PREFIX).partition(ESTIMATED)
        if row.figure.startswith(PREFIX) and hand in NAMES and estimated in NAMES:
            found.setdefault(row.dataset, {})[NAMES[hand], NAMES[estimated]] = int(row.value)
    return {name: cells for name, cells in found.items() if len(cells) == len(NAMES) ** 2}


def shares(name: str, cells: Cells) -> tuple[str, int, float, float, float]:
    """Faces; the share with a label; of those labelled twice, the share alike; of the people's, those kept."""
    labelled = sum(count for (_, estimated), count in cells.items() if estimated != -1)
    both = sum(cells[hand, estimated] for hand in (1, 0) for estimated in (1, 0))
    own = sum(cells[1, estimated] for estimated in NAMES.values())
    right = cells[1, 1] + cells[0, 0]
    whole = sum(cells.values())
    return name, whole, _share(labelled, whole), _share(right, both), _share(cells[1, 1], own)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
