"""Fields over the canonical mesh (n,) that are positive where a garment is; roughly in decimetres."""

import numpy as np

from accord_demo.people.outfit import SLEEVE, Outfit
from accord_demo.people.template import Template


def top_cut(t: Template, outfit: Outfit) -> tuple[np.ndarray, np.ndarray]:
    """A top with its neckline, sleeves and hem; and how far it hangs off the waist."""
    y, arm, sleeve = t.canonical[:, 1], t.along_arm, SLEEVE[outfit.top]
    neckline = (t.from_neck - (1.28 if outfit.top == "tank" else 1.02)) * 0.6
    field = np.minimum.reduce([
        np.where(arm > 0, (sleeve - arm) * 4, 1),
        neckline,
        np.where(t.arm_weight > 0.5, 1, (y - (0.9 if outfit.dress else outfit.hem)) * 0.8),
        np.where(y > 6.15, -1, 1),
    ])  # fmt: skip
    if sleeve < 0.9:
        field = np.where(t.is_hand, -1, field)
    return field, np.where(t.arm_weight > 0.5, 0.03, 0.08 * np.clip((3.6 - y) / 2, 0, 1)).astype(np.float32)


def jacket_cut(t: Template, outfit: Outfit) -> np.ndarray:
    """A jacket that is open at the front."""
    x, y, z = np.abs(t.canonical[:, 0]), t.canonical[:, 1], t.canonical[:, 2]
    gap = 0.30 + 0.10 * np.clip((5.2 - y) / 4, 0, 1)
    front = np.where((z > 0.35 - 0.02 * y) & (x < 0.9), (x - gap) * 0.9, 1)
    end = 0.2 if outfit.dress else outfit.hem - 0.35
    return np.minimum.reduce([
        np.where(t.along_arm > 0, (0.99 - t.along_arm) * 4, 1),
        (t.from_neck - 1.0) * 0.6,
        np.where(t.arm_weight > 0.5, 1, (y - end) * 0.8),
        np.where(t.arm_weight > 0.4, 1, front),
        np.where(y > 6.2, -1, 1),
    ])  # fmt: skip


def bottom_cut(t: Template, outfit: Outfit) -> tuple[np.ndarray, np.ndarray]:
    """Trousers or shorts, and how loose they are."""
    y, short = t.canonical[:, 1], outfit.bottom == "shorts"
    field = np.minimum((outfit.hem + 0.35 - y) * 0.8, (y - (-3.3 if short else -7.35)) * 0.8)
    loose = (0.10 if outfit.bottom == "jeans" else 0.19) * (1.6 if short else 1)
    grow = loose * np.clip((0.3 - y) / 2.5, 0, 1)
    return np.where(t.arm_weight > 0.3, -1, field), grow.astype(np.float32)


def under_cut(t: Template, outfit: Outfit) -> np.ndarray:
    """What is under a skirt or the lower half of a dress."""
    y = t.canonical[:, 1]
    waist = 1.75 if outfit.dress else outfit.hem + 0.35
    return np.where(t.arm_weight > 0.3, -1, np.minimum((waist - y) * 0.8, (y + 0.9) * 0.8))


def shoe_cut(t: Template) -> np.ndarray:
    """A shoe up to the ankle."""
    return np.minimum((-7.25 - t.canonical[:, 1]) * 0.9, 1)
