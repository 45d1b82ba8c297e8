"""The orders in which networks name keypoints, and FHIBE's numbers for them."""

import numpy as np

from accord import vocabularies

COCO17 = (
    *("Nose", "Left eye", "Right eye", "Left ear", "Right ear", "Left shoulder", "Right shoulder", "Left elbow"),
    *("Right elbow", "Left wrist", "Right wrist", "Left hip", "Right hip", "Left knee", "Right knee", "Left ankle"),
    "Right ankle",
)
"""The person's own left and right."""


def fhibe_numbers(names: tuple[str, ...] = COCO17) -> np.ndarray:
    """(k,) FHIBE's number of each name. Raises KeyError for a name that FHIBE doesn't have."""
    known = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}
    return np.array([known[name] for name in names])
