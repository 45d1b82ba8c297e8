"""Who stands where, and where the camera is."""

from dataclasses import dataclass

import numpy as np

from accord_demo.people.human import Human
from accord_demo.scene.camera import Camera

LENS = {"face": 18.0, "bust": 24.0, "full": 34.0}  # vertical field of view, degrees
BESIDE = {"face": 4.9, "bust": 5.4, "full": 6.8}  # between two subjects, decimetres
PAIR = {"face": 1.75, "bust": 1.4, "full": 1.05}  # how much farther the camera is for two subjects
ROOMY = {"face": 1.3, "bust": 1.15, "full": 1.0}  # and to leave room for objects
ASIDE = 0.2  # of the frame's width: how far subjects stand off the middle when room is needed
BYSTANDER_DEPTHS = (-5.0, -7.5, -10.0, -12.5, -15.0)  # z, decimetres


@dataclass(frozen=True)
class View:
    """What the camera should frame."""

    framing: str
    width: int
    height: int
    distance: float
    subjects: int
    roomy: bool


def stand_side_by_side(subjects: list[Human], framing: str) -> None:
    """Put the second subject to the first one's left."""
    if len(subjects) == 2:
        for human, side in zip(subjects, (-0.5, 0.5), strict=True):
            human.move(side * BESIDE[framing], 0.0)


def set_camera(view: View, heads: np.ndarray, top: float, azimuth: float, rng) -> Camera:
    """The camera for subjects with head centres (n, 3) and a highest point, decimetres; azimuth in degrees."""
    eye_level = heads.mean(0) + np.array([0, 0.55, 0])
    a = np.deg2rad(azimuth)
    back, up = np.array([np.sin(a), 0, np.cos(a)]), np.array([0, 1.0, 0])
    if view.framing == "face":
        d, rise = rng.uniform(13, 17), rng.normal(0, 0.9)
        target = eye_level + np.array([rng.normal(0, 0.25), -0.35 + rng.normal(0, 0.1), 0])
    elif view.framing == "bust":
        d, rise = rng.uniform(17, 22), rng.normal(0.6, 1)
        target = eye_level + np.array([rng.normal(0, 0.5), -2.0, 0])
    else:
        d, rise = top * 0.5 / np.tan(np.deg2rad(17)) * rng.uniform(1.12, 1.35), rng.uniform(-1, 4)
        target = np.array([eye_level[0] + rng.normal(0, 0.8), top * 0.5, 0])
    d *= view.distance * max(1, 0.75 * view.height / view.width)
    d *= PAIR[view.framing] if view.subjects == 2 else 1
    d *= ROOMY[view.framing] if view.roomy else 1
    lens, side = LENS[view.framing], rng.choice([-1, 1])
    if view.roomy:
        frame = 2 * d * np.tan(np.deg2rad(lens) / 2) * view.width / view.height
        share = ASIDE * (0.5 if view.subjects == 2 else 1)
        target = target + np.array([side * share * frame, 0, 0])
    return Camera(target + back * d + up * rise, target, lens, view.width, view.height, rng.normal(0, 1.2))


def place_bystander(human: Human, camera: Camera, busy: np.ndarray, back: float, rng) -> None:
    """Move a bystander behind the subjects to where most of them is seen, the head above all.

    `busy` (height, width) are pixels that show somebody already; nobody is put behind z = `back` + 3.
    """
    body, head = human.skin[::40], human.head[::12]
    spots = []
    for z in BYSTANDER_DEPTHS:
        if z < back + 3:
            continue
        reach = (camera.eye[2] - z) * 0.5 * camera.width / camera.focal
        middle = camera.eye[0] + (z - camera.eye[2]) * camera.axes[2][0] / camera.axes[2][2]
        for x in middle + np.linspace(-0.95, 0.95, 25) * reach:
            shift = np.array([x, 0, z]) - human.middle * [1, 0, 1]
            seen = _seen(head + shift, camera, busy), _seen(body + shift, camera, busy)
            spots.append((min(seen[0], 0.97) + 0.5 * min(seen[1], 0.6), shift[0], shift[2]))
    best = max(score for score, _, _ in spots)
    good = [spot for spot in spots if spot[0] >= best - 0.03]
    _, x, z = good[rng.integers(len(good))]
    human.move(float(x), float(z))


def _seen(points, camera: Camera, busy) -> float:
    """Share of points that are in the frame and on a free pixel."""
    x, y, inverse = camera.project(points)
    gap = 2
    inside = (inverse > 0) & (x >= gap) & (y >= gap) & (x < camera.width - gap) & (y < camera.height - gap)
    free = ~busy[y[inside].astype(int), x[inside].astype(int)]
    return float(free.sum()) / len(points)
