"""Poses and expressions, and the bone rotations that strike them."""

from dataclasses import dataclass

import numpy as np

from accord_demo.people.body import Body, Build, Pose, aligning, rotation

DOWN = ((0.22, -1, 0), (0.12, -1, 0.15))  # upper arm, forearm
# Directions of the left limbs' upper and lower parts, then of the right ones, in the body's frame:
# x to the subject's left, y up, z to the front. Legs that are not named stand.
POSES = {
    "stand": {"arms": (DOWN, ((-0.22, -1, 0), (-0.12, -1, 0.15)))},
    "hips": {"arms": (((0.75, -0.8, -0.15), (-0.75, -0.75, 0.25)), ((-0.75, -0.8, -0.15), (0.75, -0.75, 0.25)))},
    "wave": {"arms": (((0.25, -1, 0), (0.12, -1, 0.2)), ((-0.8, -0.25, 0.15), (-0.25, 1, 0.25)))},
    "point": {"arms": (((0.9, 0.05, 0.35), (1, 0.15, 0.3)), ((-0.22, -1, 0), (-0.12, -1, 0.15)))},
    "handsup": {"arms": (((0.75, 0.65, 0.1), (0.15, 1, 0.1)), ((-0.75, 0.65, 0.1), (-0.15, 1, 0.1)))},
    "walk": {
        "arms": (((0.2, -1, -0.35), (0.1, -1, 0.05)), ((-0.2, -1, 0.35), (-0.1, -0.9, 0.6))),
        "legs": (((0.03, -1, 0.32), (0.03, -1, 0.1)), ((-0.03, -1, -0.18), (-0.03, -1, -0.45))),
    },
    "hold": {"arms": (((0.3, -1, 0.15), (-0.35, -0.1, 1)), ((-0.3, -1, 0.15), (0.35, -0.1, 1)))},
    "think": {"arms": (((0.3, -1, 0.2), (-0.9, 0.1, 0.5)), ((-0.25, -0.95, 0.35), (0.25, 0.95, 0.45)))},
    "lean": {
        "arms": (DOWN, ((-0.7, -0.8, -0.1), (0.7, -0.7, 0.3))),
        "legs": (((0.12, -1, 0.05), (0.05, -1, 0)), ((0, -1, 0.02), (-0.02, -1, 0))),
    },
}
NARROW_POSES = ("stand", "hold", "walk", "think")  # arms close to the body: two fit side by side
LEGS = (((0.055, -1, 0.0), (0.03, -1, -0.02)), ((-0.055, -1, 0.0), (-0.03, -1, -0.02)))


def _both(**units: float) -> dict[str, float]:
    return {name + side: weight for name, weight in units.items() for side in ("Left", "Right")}


EXPRESSIONS = {
    "neutral": {},
    "smile": _both(mouthSmile=0.7, cheekSquint=0.3),
    "laugh": _both(mouthSmile=0.9, mouthUpperUp=0.35, eyeSquint=0.4) | {"jawOpen": 0.32},
    "serious": _both(browDown=0.4, mouthPress=0.3),
    "surprise": _both(browOuterUp=0.6, eyeWide=0.5) | {"browInnerUp": 0.7, "jawOpen": 0.35},
    "sad": _both(mouthFrown=0.5) | {"browInnerUp": 0.5},
}


@dataclass(frozen=True)
class Stance:
    """How a person stands in one picture; angles in degrees, yaw towards the person's left."""

    pose: str = "stand"
    expression: str = "neutral"
    yaw: float = 0.0  # of the whole body
    head_pitch: float = 0.0  # positive: bowed
    head_yaw: float = 0.0  # on top of the body's
    head_roll: float = 0.0


def rest_shape(body: Body, build: Build, expression: str, lids: float) -> np.ndarray:
    """Vertices of a person at rest with an expression; lids droop a little, but not in surprise."""
    units = dict(EXPRESSIONS[expression])
    droop = 0.0 if expression == "surprise" else lids
    for name, share in _both(eyeBlink=1.0, eyeSquint=0.8).items():
        units[name] = units.get(name, 0) + share * droop
    return body.shape(build, units)


def strike(body: Body, V, stance: Stance, rng: np.random.Generator) -> Pose:
    """The bones of a stance; limbs and fingers vary a little with the generator."""
    heads = body.heads(V)
    goals = _limb_goals(stance.pose, rng)
    absolute: list[np.ndarray] = []
    rotations = {}
    for i, bone in enumerate(body.bones):
        p = body.parent[i]
        above = np.eye(3) if p < 0 else absolute[p]
        rotations[bone] = _turn(body, heads, bone, above, goals, stance, rng)
        absolute.append(above @ rotations[bone])
    return body.pose(heads, rotations)


def _limb_goals(pose: str, rng) -> dict[str, tuple[str, np.ndarray]]:
    """Bone -> (the bone at its end, the direction it should take)."""
    arms, legs = POSES[pose]["arms"], POSES[pose].get("legs", LEGS)
    chains = [("upperarm01", "lowerarm01", "wrist", arms), ("upperleg01", "lowerleg01", "foot", legs)]
    goals = {}
    for upper, lower, end, limbs in chains:
        for side, (first, second) in zip("LR", limbs, strict=True):
            goals[f"{upper}.{side}"] = (f"{lower}.{side}", np.asarray(first) + rng.normal(0, 0.045, 3))
            goals[f"{lower}.{side}"] = (f"{end}.{side}", np.asarray(second) + rng.normal(0, 0.045, 3))
    return goals


def _turn(body, heads, bone, above, goals, stance: Stance, rng) -> np.ndarray:
    """The local rotation of one bone, under a parent that is turned by `above`."""
    sign = 1 if bone.endswith("L") else -1
    if bone in goals:
        end, direction = goals[bone]
        now = above @ (heads[body.bone[end]] - heads[body.bone[bone]])
        return above.T @ aligning(now, direction) @ above
    if bone.startswith("shoulder01."):
        direction = goals["upperarm01." + bone[-1]][1]
        up = direction[1] / np.linalg.norm(direction)
        return rotation([0, 0, 1], sign * (8 * up - 2 + 14 * max(0, up)))
    if bone in ("neck02", "head"):
        yaw, pitch = rotation([0, 1, 0], stance.head_yaw * 0.5), rotation([1, 0, 0], stance.head_pitch * 0.5)
        return yaw @ pitch @ rotation([0, 0, 1], stance.head_roll * 0.5)
    if bone.startswith("foot."):
        return above.T @ rotation([0, 1, 0], 6 * sign)
    if bone.startswith("finger") and bone[6] in "2345":
        return rotation([0, 0, 1], -sign * rng.uniform(6, 16))
    if bone == "spine03":
        return rotation([0, 1, 0], rng.normal(0, 3)) @ rotation([0, 0, 1], rng.normal(0, 1.5))
    return np.eye(3)
