"""Hard cases: rows of FHIBE's tables, and what a model answers."""

from typing import NamedTuple


class Cases(NamedTuple):
    """rows: of a table of an archive; outputs: task -> path of a picture -> its entry of model_outputs.json."""

    rows: list[dict]
    outputs: dict[str, dict]


def common(row: int) -> dict:
    """What the API wants of every row, and a label that makes the row a group of its own."""
    return {"age": 30, "location_country": "Kenya", "hairstyle": f"{row}. row"}
