"""Where signs go: on free parts of the picture, so that they are seen whole and nobody is in front."""

from dataclasses import dataclass

import numpy as np

from accord_demo.scene.camera import Camera
from accord_demo.scene.part import Part
from accord_demo.scene.scenery import Scenery, random_colour
from accord_demo.scene.shapes import Mesh, box, paint, picture, scenery
from accord_demo.scene.signs import Sign, make_sign
from accord_demo.scene.streets import CAR_TAIL, PLATE_HEIGHT, car

MARGIN = 0.025  # of the frame, between signs and anything else
BOARD_Z = -6.0  # of boards on posts, behind the subjects, decimetres
PLATE = (6.5, 1.55)  # decimetres, half as large again as a real one so that it is legible
SUPPORTED = {
    "plate": (("outdoor",), ("full",)),
    "card": (("indoor",), ("face", "bust", "full")),
    "screen": (("indoor",), ("face", "bust", "full")),
    "logo": (("indoor", "outdoor"), ("face", "bust", "full")),
}


@dataclass(frozen=True)
class SceneObject:
    """A thing to be found: its kind, its text, and its outline (4, 2) in pixels, within the frame."""

    kind: str
    text: str
    polygon: np.ndarray


class NoRoomError(ValueError):
    """The people leave no place for an object."""

    def __init__(self, sign: Sign):
        super().__init__(
            f"object {sign.kind!r}: the frame has no room for it beside the people "
            "(hint: fewer objects or people, a narrower pose, or a larger distance)"
        )


def place_object(kind, camera: Camera, scene: Scenery, busy: np.ndarray, rng) -> tuple[list[Part], SceneObject]:
    """The parts of an object where `busy` pixels (height, width) are not, and what is known of it.

    Raises NoRoomError when the frame has no room for it.
    """
    sign = make_sign(kind, rng)
    if kind == "plate":
        parts, mesh = _parked_car(sign, camera, busy, rng)
    else:
        parts, mesh = _board(sign, camera, scene, busy, rng)
    x, y, _ = camera.project(mesh[0])
    polygon = np.stack([x, y], 1)[[2, 3, 1, 0]]
    wide = max(8, round(float(np.ptp(x)) * 2))
    image = sign.image.resize((wide, max(4, round(wide * sign.image.height / sign.image.width))))
    face = scenery(kind, mesh, picture(image, emission=sign.emission))
    return [*parts, face], SceneObject(kind, sign.text, polygon.clip(0, [camera.width, camera.height]))


def _board(sign: Sign, camera: Camera, scene: Scenery, busy, rng) -> tuple[list[Part], Mesh]:
    """A board on the wall or, outdoors, on a post, turned a little about the vertical."""
    left, top, width, height = _free_rectangle(sign, camera, busy, rng)
    ray = camera.rays([left + width / 2], [top + height / 2])[0]
    plane = scene.back + 3.2 if scene.sky is None else BOARD_Z
    depth = (plane - camera.eye[2]) / ray[2]
    centre, turn = camera.eye + ray * depth, np.deg2rad(rng.uniform(-14, 14))
    right, down, ahead = camera.axes
    right = np.cos(turn) * right + np.sin(turn) * ahead
    half_w, half_h = (0.5 * side * depth / camera.focal * 0.94 for side in (width, height))
    mesh = _panel(centre, right * half_w, -down * half_h)
    back = _panel(centre + ahead * 0.06, right * half_w * 1.04, -down * half_h * 1.04)
    parts = [scenery("board", back, paint([0.05] * 3))]
    if scene.sky is not None:
        post = box((centre[0], centre[1] / 2, centre[2] - 0.5), (0.5, max(0.5, centre[1]), 0.5))
        parts.append(scenery("post", post, paint([0.2] * 3)))
    return parts, mesh


def _panel(centre, right, up) -> Mesh:
    """A rectangle around a centre, given half its sides."""
    corners = np.array([centre - right - up, centre + right - up, centre - right + up, centre + right + up])
    normal = np.cross(right, up)
    uv = np.array([[0, 0], [1, 0], [0, 1], [1, 1.0]])
    return corners, np.array([[0, 1, 3], [0, 3, 2]]), uv, np.tile(normal / np.linalg.norm(normal), (4, 1))


def _free_rectangle(sign: Sign, camera: Camera, busy, rng) -> tuple[int, int, int, int]:
    """Left, top, width and height of the largest free place, high rather than low."""
    total = np.pad(busy.astype(np.int32).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    gap = max(2, round(MARGIN * min(busy.shape)))
    for share in np.arange(sign.widest, sign.narrowest - 0.005, -0.02):
        width = round(share * camera.width)
        height = round(width * sign.image.height / sign.image.width)
        w, h = width + 2 * gap, height + 2 * gap
        if h >= busy.shape[0] or w >= busy.shape[1]:
            continue
        filled = total[h:, w:] - total[:-h, w:] - total[h:, :-w] + total[:-h, :-w]
        top, left = np.nonzero(filled == 0)
        if len(top):
            highest = np.flatnonzero(top <= np.quantile(top, 0.4))
            i = highest[rng.integers(len(highest))]
            return int(left[i]) + gap, int(top[i]) + gap, width, height
    raise NoRoomError(sign)


def _parked_car(sign: Sign, camera: Camera, busy, rng) -> tuple[list[Part], Mesh]:
    """A car behind the people, its plate beside them."""
    z = -2.5 - rng.uniform(0, 2)
    gap = MARGIN * camera.width
    total = np.pad(busy.astype(np.int32).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    free = []
    for x in np.arange(-16, 16.1, 0.4):
        mesh = _panel(np.array([x, PLATE_HEIGHT, z]), np.array([PLATE[0] / 2, 0, 0]), np.array([0, PLATE[1] / 2, 0]))
        px, py, _ = camera.project(mesh[0])
        x0, y0 = int(px.min() - gap), int(py.min() - gap)
        x1, y1 = int(px.max() + gap) + 1, int(py.max() + gap) + 1
        inside = x0 >= 0 and y0 >= 0 and x1 <= camera.width and y1 <= camera.height
        if inside and total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0] == 0:
            free.append((x, mesh))
    if not free:
        raise NoRoomError(sign)
    x, mesh = free[rng.integers(len(free))]
    return car(x, z - CAR_TAIL, random_colour(rng, 0.2, 0.6)), mesh
