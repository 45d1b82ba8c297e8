"""One body in one pose: the frame in which skin, clothes and hair are built."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord_demo.people.body import Pose, rotation
from accord_demo.people.pose import Stance, rest_shape, strike
from accord_demo.people.template import Template, template
from accord_demo.scene.part import vertex_normals


@dataclass
class Figure:
    """Vertices at rest (n, 3), the pose, and how both get to the world: feet on y = 0, at x = z = 0."""

    t: Template
    V: np.ndarray
    pose: Pose
    facing: np.ndarray  # (3, 3), the yaw of the whole body
    offset: np.ndarray

    def place(self, points) -> np.ndarray:
        """Posed points in the world."""
        return (points @ self.facing.T + self.offset).astype(np.float32)

    def worn(self, V) -> np.ndarray:
        """Vertices that move with the body (n, 3), in the world."""
        return self.place(self.t.body.skin(V.astype(np.float32), self.pose))

    def on_head(self, points) -> np.ndarray:
        """Points fixed to the head, in the world."""
        i = self.t.body.bone["head"]
        return self.place(points @ self.pose.R[i].T + self.pose.t[i])

    def head_direction(self, directions) -> np.ndarray:
        """Directions fixed to the head, in the world."""
        return (directions @ self.pose.R[self.t.body.bone["head"]].T @ self.facing.T).astype(np.float32)

    @cached_property
    def world(self) -> np.ndarray:
        """All vertices in the world (n, 3)."""
        return self.worn(self.V)

    @cached_property
    def rest_normals(self) -> np.ndarray:
        """Normals at rest (n, 3)."""
        return vertex_normals(self.V, self.t.triangles)


def stand_figure(person, stance: Stance, rng: np.random.Generator) -> Figure:
    """The figure of a person in a stance, its feet on the ground."""
    t = template()
    V = rest_shape(t.body, person.build, stance.expression, person.lids)
    pose = strike(t.body, V, stance, rng)
    sole = t.body.skin(V, pose)[np.unique(t.triangles), 1].min()
    return Figure(t, V, pose, rotation([0, 1, 0], stance.yaw), np.array([0, 0.12 - sole, 0]))
