"""Ground truth of a rendered person: keypoints with visibility, boxes and area."""

from dataclasses import dataclass

import numpy as np

from accord_demo.labels import FACE_KEYPOINTS
from accord_demo.people.human import Human
from accord_demo.people.person import Person
from accord_demo.scene.camera import Camera
from accord_demo.scene.compose import Raster

# A keypoint is seen when nothing is nearer to the camera by more than this, decimetres: joints lie inside.
DEPTH_TOLERANCE = np.where(np.isin(np.arange(33), FACE_KEYPOINTS), 0.45, 1.1)

Box = tuple[float, float, float, float]  # x_min, y_min, width, height in pixels


@dataclass(frozen=True)
class Depicted:
    """One person as seen in a picture."""

    role: str  # "subject" or "bystander"
    person: Person
    keypoints: np.ndarray  # (33, 3): x, y in pixels and 0/1 for visible, in FHIBE's order
    face_box: Box | None  # None when no face is seen
    person_box: Box | None  # of the labelled pixels; None when there are none
    area: int  # pixels


def depict(human: Human, person: Person, role: str, number: int, camera: Camera, raster: Raster) -> Depicted:
    """What is seen of the person with a number in the instance map."""
    x, y, inverse = camera.project(human.keypoints)
    visible = _visible(x, y, inverse, raster, DEPTH_TOLERANCE)
    keypoints = np.stack([x, y, visible], 1).astype(np.float64)
    rows, columns = np.nonzero(raster.instances == number)
    box = None
    if len(rows):
        left, top = int(columns.min()), int(rows.min())
        box = (left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top)
    return Depicted(role, person, keypoints, _face_box(human, camera, raster), box, len(rows))


def _visible(x, y, inverse, raster: Raster, tolerance) -> np.ndarray:
    height, width = raster.instances.shape
    scale = raster.inverse_depth.shape[0] // height
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height) & (inverse > 0)
    column = np.clip(x * scale, 0, width * scale - 1).astype(int)
    row = np.clip(y * scale, 0, height * scale - 1).astype(int)
    nearest = raster.inverse_depth[row, column]
    in_front = 1 / np.maximum(nearest, 1e-9) + tolerance < 1 / np.maximum(inverse, 1e-9)
    return inside & ~in_front


def _face_box(human: Human, camera: Camera, raster: Raster) -> Box | None:
    """The face from chin to hair line, clipped to the frame."""
    x, y, inverse = camera.project(human.face)
    if _visible(x, y, inverse, raster, 0.3).mean() < 0.1:
        return None
    height, width = raster.instances.shape
    left, right = np.clip([x.min(), x.max()], 0, width)
    top, bottom = np.clip([y.min(), y.max()], 0, height)
    return (float(left), float(top), float(right - left), float(bottom - top))
