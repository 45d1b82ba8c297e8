"""Body parts by BlazePose: a part is seen as surely as the best visible of its keypoints."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord import vocabularies
from accord.models.adapters.blazepose import BlazePose
from accord.models.protocols import Pose

EYES, MOUTH = ("Left eye", "Right eye"), ("Mouth left", "Mouth right")
KNUCKLES = tuple(f"{side} {finger} knuckle" for side in ("Left", "Right") for finger in ("pinky", "index", "thumb"))
KEYPOINTS = {
    "Face": ("Nose", *EYES, *MOUTH),
    "Face skin": ("Nose", *EYES, *MOUTH),
    "Nose": ("Nose",),
    "Left eye": ("Left eye",),
    "Right eye": ("Right eye",),
    "Upper lip": MOUTH,
    "Lower lip": MOUTH,
    "Hand": KNUCKLES,
}
"""Part -> the keypoints that show it. Clothes, hair and skin of limbs have no keypoints, and are left out."""


class BlazeParts:
    """Eight parts of the face and the hand; all improbable where the detector sees nobody in the box."""

    def __init__(self, weights: dict[str, Path], min_score: float = 0.5):
        self._poses = BlazePose(weights, min_score)
        numbers = {vocabularies.text(label): number for number, label in enumerate(vocabularies.KEYPOINTS)}
        self._numbers = {part: [numbers[name] for name in names] for part, names in KEYPOINTS.items()}

    def parts(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> list[dict[str, float]]:
        return [self._seen(pose) for pose in self._poses.estimate(pictures, boxes)]

    def _seen(self, pose: Pose) -> dict[str, float]:
        score = dict(zip(pose.keypoints.tolist(), pose.scores.tolist(), strict=True))
        return {part: max(score.get(number, 0.0) for number in numbers) for part, numbers in self._numbers.items()}
