"""A condition on one feature: `sharpness <= 104`, `visible_mask = yes`."""

from dataclasses import dataclass

import numpy as np

from accord.analyse.explaining.encoded import NUMBER, Encoded

OPPOSITE = {"<=": ">", ">": "<=", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class Condition:
    """side: <= or > `number`, or = or != `label`."""

    feature: str
    side: str
    number: float = float("nan")
    label: str = ""

    def __str__(self) -> str:
        return f"{self.feature} {self.side} {self.label if self.side in ('=', '!=') else f'{self.number:g}'}"

    def opposite(self) -> "Condition":
        return Condition(self.feature, OPPOSITE[self.side], self.number, self.label)

    def holds(self, features: Encoded) -> np.ndarray:
        """(n,) bool: for which rows; unknown numbers count as the median of the known."""
        index = features.names.index(self.feature)
        columns = features.columns_of(index)
        if features.kinds[index] == NUMBER:
            low = features.matrix[:, columns[0]] <= self.number
            return low if self.side == "<=" else ~low
        column = next(c for c in columns if features.labels[c] == self.label)
        has = features.matrix[:, column] > 0
        return has if self.side == "=" else ~has


def of_split(features: Encoded, column: int, threshold: float) -> Condition:
    """What holds to the left of a tree's split of a column: a number is rounded to four digits."""
    index = features.owner[column]
    if features.kinds[index] == NUMBER:
        return Condition(features.names[index], "<=", number=float(f"{threshold:.4g}"))
    return Condition(features.names[index], "!=", label=features.labels[column])
