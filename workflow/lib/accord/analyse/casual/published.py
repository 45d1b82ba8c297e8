"""What the paper printed of Casual Conversations, under the names of config/references."""

import math
from pathlib import Path

from accord.analyse.describing import references
from accord.grouping import WHOLE

DATASET = "Casual Conversations v1"
CALLED = {
    "age_range": "age",
    "gender": "gender",
    "fitzpatrick": "skin",
    "voted_fitzpatrick": "skin",
    "lighting": "light",
}
"""Attribute -> what its groups are called in the names of figures."""


class Published(dict[str, float]):
    """Figure -> what was printed."""

    def of(self, name: str) -> float:
        """What was printed under a name; NaN where nothing was."""
        return self.get(name, math.nan)

    def of_group(self, start: str, attribute: str, group: str) -> float:
        """What was printed of a group, `start` being the name before it: as deepfakes.ln_wp.wm; NaN for nothing."""
        if attribute == WHOLE:
            return self.of(f"{start}.{WHOLE}")
        called = CALLED.get(attribute, "")
        return self.of(f"{start}.{called}.{group.lower().replace('-', '_')}") if called else math.nan


def read(files: list[Path]) -> Published:
    """The figures of the paper in files of published figures. Raises AccordError as `references.read` does."""
    return Published((row["figure"], row["value"]) for row in references.read(files) if row["dataset"] == DATASET)
