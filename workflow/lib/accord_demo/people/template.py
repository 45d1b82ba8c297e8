"""The base mesh with all that is known of it before anyone is shaped: regions, landmarks, neighbours.

"Canonical" coordinates are those of the base mesh, decimetres: fields over them follow every morph.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accord_demo import labels as L
from accord_demo.people.body import SKIN_VERTICES, Body
from accord_demo.people.noise import ValueNoise

HEAD_UV = (0.635, 1.0, 0.14, 0.87)  # the head's island: u from, u to, v from, v to (v runs down)
LANDMARKS = {
    "nose": (0, 6.95, 1.66), "chin": (0, 6.2, 1.42), "cap_front": (0, 7.78, 1.5), "shoulder": (0.9, 5.75, 0.1),
    "left_eye_inner": (0.19, 7.275, 1.33), "left_eye_outer": (0.455, 7.285, 1.22), "left_ear": (0.74, 7.13, 0.60),
    "right_eye_inner": (-0.19, 7.275, 1.33), "right_eye_outer": (-0.455, 7.285, 1.22),
    "right_ear": (-0.74, 7.13, 0.60), "mouth_left": (0.258, 6.612, 1.42), "mouth_right": (-0.258, 6.612, 1.42),
}  # fmt: skip


@dataclass(frozen=True)
class Template:
    """Fields over the base mesh's vertices (n,), and its triangles split into head and body."""

    body: Body
    triangles: np.ndarray  # (m, 3) of the skin
    corner_uv: np.ndarray  # (m, 3, 2), v runs down
    is_head: np.ndarray  # (m,)
    along_arm: np.ndarray  # 0 shoulder .. 1 wrist, -1 elsewhere
    arm_weight: np.ndarray  # how much arm bones move a vertex
    is_hand: np.ndarray
    from_neck: np.ndarray  # 1 on an ellipsoid about the neck
    label: np.ndarray  # segment class of bare skin
    smoother: object  # sparse (n, n): mean of the neighbours
    landmark: dict[str, int]
    noise: ValueNoise

    @property
    def canonical(self) -> np.ndarray:
        """Canonical positions of all vertices (n, 3), decimetres."""
        return self.body.V

    @property
    def head_triangles(self) -> np.ndarray:
        """Triangles (k, 3) of the head's texture island."""
        return self.triangles[self.is_head]


@cache
def template() -> Template:
    """The one template, read on first use."""
    body = Body()
    T, U = body.triangles("body")
    uv = body.VT[U].copy()
    uv[..., 1] = 1 - uv[..., 1]
    arm_weight = _bone_weight(body, ("upperarm", "lowerarm", "wrist", "finger", "metacarpal"))
    is_hand = _bone_weight(body, ("wrist", "finger", "metacarpal")) > 0.5
    x, y, z = body.V.T
    return Template(
        body=body,
        triangles=T,
        corner_uv=uv,
        is_head=inside_head_island(uv) & (body.V[T][..., 1].mean(1) > 5.3),
        along_arm=_along_arm(body),
        arm_weight=arm_weight,
        is_hand=is_hand,
        from_neck=np.sqrt((x / 0.62) ** 2 + ((y - 5.95) / 0.62) ** 2 + ((z - 0.25) / 0.75) ** 2),
        label=_skin_labels(body.V, arm_weight > 0.5),
        smoother=_neighbour_mean(T, len(body.V)),
        landmark=_landmarks(body.V),
        noise=ValueNoise(np.random.default_rng(7)),
    )


def inside_head_island(uv) -> np.ndarray:
    """Triangles (m,) whose texture coordinates (m, 3, 2) all lie in the head's island."""
    u, v = uv[..., 0], uv[..., 1]
    return (u > HEAD_UV[0]).all(1) & (v > HEAD_UV[2]).all(1) & (v < HEAD_UV[3]).all(1)


def _bone_weight(body: Body, prefixes: tuple[str, ...]) -> np.ndarray:
    ids = [i for i, bone in enumerate(body.bones) if bone.startswith(prefixes)]
    return np.where(np.isin(body.bone_index, ids), body.bone_weight, 0).sum(1)


def _along_arm(body: Body) -> np.ndarray:
    heads = body.heads(body.V)
    shoulder, elbow, wrist = (heads[body.bone[b]] for b in ("upperarm01.L", "lowerarm01.L", "wrist.L"))
    points = np.abs(body.V) * [1, 0, 0] + body.V * [0, 1, 1]
    upper, lower = np.linalg.norm(elbow - shoulder), np.linalg.norm(wrist - elbow)
    s_upper, s_lower = (points - shoulder) @ (elbow - shoulder) / upper, (points - elbow) @ (wrist - elbow) / lower
    along = np.where(s_lower > 0, upper + s_lower, s_upper) / (upper + lower)
    return np.where((points[:, 0] < shoulder[0] - 0.25) | (points[:, 1] > 6.3), -1, along)


def _skin_labels(V, is_arm) -> np.ndarray:
    left, y = V[:, 0] > 0, V[:, 1]
    label = np.full(len(V), L.UPPER_BODY_SKIN, np.uint8)
    leg = (y < 0.1) & ~is_arm
    label[leg] = np.where(left, L.LEFT_LEG_SKIN, L.RIGHT_LEG_SKIN)[leg]
    label[is_arm] = np.where(left, L.LEFT_ARM_SKIN, L.RIGHT_ARM_SKIN)[is_arm]
    return label


def _neighbour_mean(T, n: int):
    import scipy.sparse as sparse

    a, b = T.ravel(), np.roll(T, -1, axis=1).ravel()
    pairs = (np.ones(2 * len(a)), (np.r_[a, b], np.r_[b, a]))
    neighbours = sparse.coo_matrix(pairs, (n, n)).tocsr()
    neighbours.data[:] = 1
    degree = np.maximum(np.asarray(neighbours.sum(1)).ravel(), 1)
    return (sparse.diags(1 / degree) @ neighbours).tocsr()


def _landmarks(V) -> dict[str, int]:
    skin = V[:SKIN_VERTICES]
    found = {name: int(np.argmin(((skin - p) ** 2).sum(1))) for name, p in LANDMARKS.items()}
    for name, side in (("left_heel", 1), ("right_heel", -1)):
        foot = np.flatnonzero((skin[:, 1] < -7.7) & (skin[:, 0] * side > 0))
        found[name] = int(foot[np.argmin(skin[foot, 2])])
    return found
