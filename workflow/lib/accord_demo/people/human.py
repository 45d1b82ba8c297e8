"""A whole human: parts to draw, and the points that ground truth is made of."""

from dataclasses import dataclass

import numpy as np

from accord_demo import labels as L
from accord_demo.people.body import SKIN_VERTICES
from accord_demo.people.eyes import eye_parts
from accord_demo.people.figure import Figure, stand_figure
from accord_demo.people.garments import dress_figure
from accord_demo.people.glasses import glasses_part
from accord_demo.people.hair import hair_parts
from accord_demo.people.headwear import RIM, scarf_field
from accord_demo.people.outfit import Outfit
from accord_demo.people.palette import skin_albedo
from accord_demo.people.person import Person
from accord_demo.people.pose import Stance
from accord_demo.people.skin import head_material
from accord_demo.scene.part import Fragments, Part, Surface, vertex_normals

JOINTS = (
    "upperarm01", "lowerarm01", "wrist", "finger5-1", "finger2-1", "finger1-2",
    "upperleg01", "lowerleg01", "foot",
)  # fmt: skip


@dataclass
class Human:
    """Parts in the world, keypoints (33, 3) in FHIBE's order, and vertices of face, head and body."""

    parts: list[Part]
    keypoints: np.ndarray
    face: np.ndarray
    head: np.ndarray
    skin: np.ndarray
    head_centre: np.ndarray

    def move(self, x: float, z: float) -> None:
        """Shift the human over the ground, decimetres."""
        shift = np.array([x, 0, z], np.float32)
        for part in self.parts:
            part.P = part.P + shift
        for name in ("keypoints", "face", "head", "skin", "head_centre"):
            setattr(self, name, getattr(self, name) + shift)

    @property
    def middle(self) -> np.ndarray:
        """The mean of the body's vertices."""
        return self.skin.mean(0)


def make_human(
    person: Person, outfit: Outfit, stance: Stance, seed: int, density: int, whole=True, detail=1.0
) -> Human:
    """A person in clothes and a stance; `density` of the head's texture, `whole` with legs dressed."""
    rng = np.random.default_rng([seed, person.seed, 3])
    figure = stand_figure(person, stance, rng)
    t, world = figure.t, figure.world
    normals = vertex_normals(world, t.triangles)
    eyes = eye_parts(person, figure.V, world, rng)
    garments, covered = dress_figure(figure, outfit, whole)
    head = _head(figure, person, normals, density)
    body = _bare_body(figure, person, normals, covered)
    hair = hair_parts(figure, person, outfit, detail)
    glasses = [glasses_part(figure, person)] if person.glasses else []
    on_head, at = np.unique(t.head_triangles), t.canonical[np.unique(t.head_triangles)]
    above_chin = at[:, 1] > 6.2
    face = (at[:, 2] > 0.75) & above_chin & (at[:, 1] < 8.0)
    centre = figure.place(t.body.joint(figure.pose, "head")[None])[0]
    return Human(
        [head, body, *eyes, *garments, *hair, *glasses], _keypoints(figure),
        world[on_head[face]], world[on_head[above_chin]], world[:SKIN_VERTICES], centre,
    )  # fmt: skip


def _head(figure: Figure, person: Person, normals, density) -> Part:
    t = figure.t
    T, uv = t.head_triangles, t.corner_uv[t.is_head]
    if person.hair == "hijab":
        shown = ~(scarf_field(t.canonical) > RIM)[T].all(1)
        T, uv = T[shown], uv[shown]
    return Part(
        "head", figure.world, T, head_material(person, density), L.FACE_SKIN, N=normals, corner_uv=uv,
        attributes={"at": t.canonical},
    )  # fmt: skip


def _bare_body(figure: Figure, person: Person, normals, covered) -> Part:
    """The skin below the head, where no garment covers it."""
    t, base = figure.t, skin_albedo(person.tone, person.skin.undertone)
    T = t.triangles[~t.is_head]
    T = T[~covered[T].all(1)]

    def material(fragments: Fragments) -> Surface:
        at = fragments.at
        blotches = t.noise.fbm(at, 3, 2)
        albedo = base * (0.97 + 0.06 * blotches + 0.03 * t.noise(at, 40))[:, None]
        label = t.label[T[fragments.triangle][:, 0]]
        return Surface(albedo, label, 0.5, 0.025, skin=True, bump=0.002 * blotches)

    return Part("body", figure.world, T, material, N=normals, attributes={"at": t.canonical})


def _keypoints(figure: Figure) -> np.ndarray:
    """The 33 keypoints in the world: landmarks of the skin, joints, and the eyes' apexes."""
    t, world = figure.t, figure.world
    point = {name: world[i] for name, i in t.landmark.items()}
    for side in ("left", "right"):
        point[f"{side}_eye"] = _apex(figure, side[0])
        bones = zip(JOINTS, L.KEYPOINTS[11:29:2], strict=True)
        for bone, right in [*bones, ("toe1-2", "right_foot_index")]:
            joint = t.body.joint(figure.pose, f"{bone}.{side[0].upper()}")
            point[right.replace("right", side)] = figure.place(joint)
    return np.array([point[name] for name in L.KEYPOINTS])


def _apex(figure: Figure, side: str) -> np.ndarray:
    """The foremost point of an eyeball, found in the rest pose."""
    ids = np.unique(figure.t.body.F[figure.t.body.groups[f"helper-{side}-eye"]])
    d = figure.V[ids] - figure.V[ids].mean(0)
    off_axis = np.hypot(d[:, 0], d[:, 1]) - d[:, 2]
    return figure.world[ids[np.argsort(off_axis)[:4]]].mean(0)
