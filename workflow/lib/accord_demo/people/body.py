"""A parametric body: MakeHuman's CC0 morphs and linear blend skinning, in decimetres."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from accord.engine import resources

ASSETS = resources.beside(__name__).parent / "assets" / "assets.npz"
SKIN_VERTICES = 13380  # the vertices after them are helpers: eyes, teeth, lashes, skirt, joints


@dataclass(frozen=True)
class Build:
    """The shape of a body: all in 0..1, `age` from 25 to 90 years, `mix` of the three face shapes."""

    gender: float  # 0 feminine, 1 masculine
    age: float
    muscle: float
    weight: float
    height: float
    mix: tuple[float, float, float]  # MakeHuman's base shapes; they say nothing of anyone's ancestry
    morphs: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Pose:
    """Rotations (n, 3, 3) and translations (n, 3) of all bones, and where their heads were at rest."""

    R: np.ndarray
    t: np.ndarray
    heads: np.ndarray


class Body:
    """The base mesh with its morph targets, rig and weights."""

    def __init__(self, path: Path = ASSETS):
        with np.load(path, allow_pickle=False) as archive:
            data = {name: archive[name] for name in archive.files}
        self.V, self.VT, self.F, self.FT = data["V"], data["VT"], data["F"], data["FT"]
        self.groups = {str(name): np.flatnonzero(data["G"] == i) for i, name in enumerate(data["gnames"])}
        self.targets = {str(key): i for i, key in enumerate(data["tkeys"])}
        self._offset, self._index = data["toff"], data["tidx"]
        self._delta = data["tdelta"].astype(np.float32)
        self.bones = [str(name) for name in data["bones"]]
        self.bone = {name: i for i, name in enumerate(self.bones)}
        self.parent = data["parent"].astype(int)
        heads, starts = data["hv"], data["hvo"]
        self._head_vertices = [heads[a:b] for a, b in pairwise(starts)]
        self.bone_index, self.bone_weight = data["wi"].astype(int), data["ww"].astype(np.float32)
        self.masks = {n: data[f"mask_{n}"].astype(np.float32) / 255 for n in ("lips", "eyelids")}

    def triangles(self, group: str):
        """Triangles of a group: vertex ids (m, 3) and texture coordinate ids (m, 3)."""
        f, ft = self.F[self.groups[group]], self.FT[self.groups[group]]
        t = np.concatenate([f[:, [0, 1, 2]], f[:, [0, 2, 3]]])
        u = np.concatenate([ft[:, [0, 1, 2]], ft[:, [0, 2, 3]]])
        proper = (t[:, 1] != t[:, 2]) & (t[:, 0] != t[:, 2])
        return t[proper], u[proper]

    def shape(self, build: Build, expression: Mapping[str, float]) -> np.ndarray:
        """Vertices (n, 3) of a body at rest, with the face units of an expression."""
        V = self.V.copy()
        for key, weight in _macro_targets(build):
            self._add(V, key, weight)
        for key, weight in build.morphs:
            self._add(V, key, weight)
        for key, weight in expression.items():
            self._add(V, "fu/" + key, weight)
        return V

    def _add(self, V, key, weight):
        if key not in self.targets or abs(weight) < 1e-4:
            return
        i = self.targets[key]
        s = slice(self._offset[i], self._offset[i + 1])
        V[self._index[s]] += np.float32(weight) * self._delta[s]

    def heads(self, V) -> np.ndarray:
        """Where the bones begin (n, 3): each joint is the mean of a few vertices."""
        return np.array([V[ids].mean(0) for ids in self._head_vertices])

    def pose(self, heads, rotations: Mapping[str, np.ndarray]) -> Pose:
        """Turn bones about their heads, each on top of its parent; rotations are in world axes."""
        R, t = np.zeros((len(heads), 3, 3)), np.zeros((len(heads), 3))
        for i, bone in enumerate(self.bones):
            p, local = self.parent[i], rotations.get(bone, np.eye(3))
            shift = heads[i] - local @ heads[i]
            if p < 0:
                R[i], t[i] = local, shift
            else:
                R[i], t[i] = R[p] @ local, R[p] @ shift + t[p]
        return Pose(R, t, heads)

    def joint(self, pose: Pose, bone: str) -> np.ndarray:
        """Where a bone's head is in a pose."""
        i = self.bone[bone]
        return pose.R[i] @ pose.heads[i] + pose.t[i]

    def skin(self, V, pose: Pose) -> np.ndarray:
        """Move vertices with their four bones each (linear blend skinning)."""
        R, t = pose.R.astype(np.float32), pose.t.astype(np.float32)
        moved = np.zeros_like(V)
        for k in range(self.bone_index.shape[1]):
            bone = self.bone_index[:, k]
            moved += self.bone_weight[:, k : k + 1] * (np.einsum("nij,nj->ni", R[bone], V) + t[bone])
        loose = self.bone_weight.sum(1) < 0.5
        moved[loose] = V[loose]
        return moved


def _three(x: float, low: str, middle: str, high: str) -> dict[str, float]:
    return {low: max(0, 1 - 2 * x), middle: 1 - abs(2 * x - 1), high: max(0, 2 * x - 1)}


def _macro_targets(build: Build):
    """The macro targets of a build with their weights, in a fixed order."""
    genders = {"female": 1 - build.gender, "male": build.gender}
    ages = {"young": 1 - build.age, "old": build.age}
    mix = np.asarray(build.mix, float) / sum(build.mix)
    shapes = dict(zip(("african", "asian", "caucasian"), mix, strict=True))
    muscles = _three(build.muscle, "minmuscle", "averagemuscle", "maxmuscle")
    weights = _three(build.weight, "minweight", "averageweight", "maxweight")
    heights = _three(build.height, "minheight", "", "maxheight")
    proportions = {"idealproportions": 0.24, "": 0.76}
    cups = _three(0.42, "mincup", "averagecup", "maxcup")
    for (g, wg), (a, wa) in product(genders.items(), ages.items()):
        mean, w = f"{g}-{a}-averagemuscle-averageweight", wg * wa
        yield from ((f"race/{s}-{g}-{a}", w * ws) for s, ws in shapes.items())
        yield from ((f"prop/{mean}-{p}", w * wp) for p, wp in proportions.items())
        if g == "female":
            yield from ((f"breast/{mean}-{c}-averagefirmness", w * wc) for c, wc in cups.items())
        yield from ((f"height/{mean}-{h}", w * wh) for h, wh in heights.items())
        for (m, wm), (k, wk) in product(muscles.items(), weights.items()):
            yield f"univ/{g}-{a}-{m}-{k}", w * wm * wk


def rotation(axis, degrees: float) -> np.ndarray:
    """Rotation about an axis (Rodrigues' formula)."""
    a = np.asarray(axis, float)
    a = a / np.linalg.norm(a)
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    r = np.deg2rad(degrees)
    return np.eye(3) + np.sin(r) * K + (1 - np.cos(r)) * K @ K


def aligning(u, v) -> np.ndarray:
    """The smallest rotation that takes direction u to direction v."""
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    axis = np.cross(u, v)
    sine = np.linalg.norm(axis)
    if sine < 1e-8:
        return np.eye(3)
    return rotation(axis, np.rad2deg(np.arctan2(sine, u @ v)))
