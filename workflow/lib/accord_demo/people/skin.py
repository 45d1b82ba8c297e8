"""The paint of a head: albedo, bumps and segment labels, layer upon layer over the head's atlas."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from accord_demo import labels as L
from accord_demo.people.atlas import HeadAtlas, beard_field, bilinear, hair_field, head_atlas
from accord_demo.people.features import paint_eyebrows, paint_eyes, paint_lips
from accord_demo.people.noise import ValueNoise, gaussian, smoothstep
from accord_demo.people.palette import skin_albedo
from accord_demo.people.person import Person
from accord_demo.people.wrinkles import paint_age
from accord_demo.scene.part import Fragments, Surface


@dataclass
class Canvas:
    """The texels being painted: canonical coordinates (k,), noises, and the three layers."""

    atlas: HeadAtlas
    person: Person
    noise: ValueNoise

    def __post_init__(self):
        self.at = self.atlas.at
        self.x, self.y, self.z = self.at.T
        self.ax = np.abs(self.x)
        self.front = self.z > 0.7
        self.base = skin_albedo(self.person.tone, self.person.skin.undertone)
        self.coarse = self.noise.fbm(self.at, 2.3, 3)
        self.middle = self.noise.fbm(self.at + 7, 14, 2)
        self.fine = self.noise(self.at + 3, 60)
        speckle = 1 + 0.07 * self.coarse + 0.05 * self.middle + 0.035 * self.fine
        self.albedo = self.base * speckle[:, None]
        self.height = 0.020 * self.fine + 0.03 * self.middle
        self.label = np.full(len(self.x), L.FACE_SKIN, np.uint8)

    def darken(self, amount):
        """Multiply the albedo by 1 - amount, amounts (k,)."""
        self.albedo *= (1 - amount)[:, None]

    def blend(self, amount, colour):
        """Move the albedo towards a colour, amounts (k,) in 0..1."""
        self.albedo = self.albedo * (1 - amount[:, None]) + np.asarray(colour) * amount[:, None]


@lru_cache(maxsize=24)
def head_paint(person: Person, density: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Textures of a head: albedo (h, w, 3) linear, bump (h, w), segment label (h, w)."""
    atlas = head_atlas(density)
    canvas = Canvas(atlas, person, ValueNoise(np.random.default_rng([person.seed, 6]), 32))
    _complexion(canvas)
    paint_age(canvas)
    _marks(canvas)
    _regions(canvas)
    paint_lips(canvas)
    paint_eyes(canvas)
    paint_eyebrows(canvas)
    _stubble(canvas)
    _scalp(canvas)
    albedo = np.clip(canvas.albedo, 0.004, 0.95).astype(np.float32)
    return atlas.image(albedo), atlas.image(canvas.height.astype(np.float32)), atlas.image(canvas.label)


def head_material(person: Person, density: int):
    """The material of the head, which reads the painted textures."""
    atlas = head_atlas(density)
    albedo, bump, label = head_paint(person, density)

    def material(fragments: Fragments) -> Surface:
        u, v = atlas.locate(fragments.attributes["uv"])
        row = np.clip(v.astype(int), 0, label.shape[0] - 1)
        column = np.clip(u.astype(int), 0, label.shape[1] - 1)
        height = bilinear(bump, u, v) * 0.10
        return Surface(bilinear(albedo, u, v), label[row, column], 0.42, 0.032, skin=True, bump=height)

    return material


def _complexion(c: Canvas):
    """Ruddy cheeks, nose, ears and chin; shade under eyes, in sockets and nostrils."""
    _x, y, z, ax, skin = c.x, c.y, c.z, c.ax, c.person.skin
    red = 0.55 * gaussian(ax, y, 0.42, 6.98, 0.2, 0.2) + 0.5 * gaussian(ax, y, 0, 6.95, 0.16, 0.16) * (z > 1.3)
    red = red + 0.35 * ((ax > 0.7) & (y > 6.8) & (y < 7.4) & (z < 0.7))
    red = red + 0.25 * gaussian(ax, y, 0, 6.35, 0.25, 0.12) + 0.18 * c.coarse
    tint = np.array([1.06, 0.86, 0.84]) if c.base.mean() > 0.2 else np.array([1.10, 0.94, 0.9])
    c.albedo = c.albedo * (1 + (tint - 1) * np.clip(red * skin.ruddy, 0, 1.4)[:, None])
    c.darken(0.22 * skin.under_eye * gaussian(ax, y, 0.30, 7.17, 0.17, 0.07) * c.front)
    c.darken(0.18 * gaussian(ax, y, 0.23, 7.30, 0.10, 0.10) * c.front)
    c.darken(0.55 * gaussian(ax, y, 0.085, 6.865, 0.05, 0.035) * (z > 1.2))


def _marks(c: Canvas):
    """Freckles and moles."""
    skin = c.person.skin
    if skin.freckles > 0:
        band = np.exp(-(((c.y - 7.05) / 0.25) ** 2)) * smoothstep(0.65, 0.45, c.ax) * c.front
        freckles = smoothstep(0.45, 0.62, c.noise(c.at + 11, 24)) * band
        c.albedo *= 1 - freckles[:, None] * skin.freckles * np.array([0.25, 0.4, 0.5])
    for x, y, radius in skin.moles:
        c.darken(0.7 * gaussian(c.x, c.y, x, y, radius, radius) * (c.z > 0.9))


def _regions(c: Canvas):
    """Labels of nose and neck."""
    y, z = c.y, c.z
    c.label[gaussian(c.ax, y, 0.0, 6.98, 0.17, 0.34) * (z > 1.25) * (y > 6.82) > 0.35] = L.NOSE
    jaw = np.interp(z, [0.6, 0.9, 1.2, 1.5], [6.55, 6.26, 6.16, 6.12])
    neck = (y < 6.08) | ((z < 0.72) & (y < 6.72)) | ((z < 0.3) & (y < 7.0)) | (y < jaw)
    ear = (c.ax > 0.665) & (z > 0.26) & (z < 0.72) & (y > 6.74) & (y < 7.44)
    c.label[neck & ~ear] = L.UPPER_BODY_SKIN


def _stubble(c: Canvas):
    """The shadow of a beard on the skin; a label of its own is not needed: it is face skin."""
    strength = c.person.skin.stubble
    if strength > 0:
        zone = smoothstep(-0.02, 0.10, beard_field(c.at))
        dots = zone * strength * (0.55 + 0.45 * (c.noise(c.at + 5, 85) > -0.1))
        c.darken(0.62 * dots)
        c.albedo = c.albedo + np.array(c.person.hair_rgb) * 0.35 * dots[:, None]


def _scalp(c: Canvas):
    """Hair roots on the scalp, unless the head is bald."""
    if c.person.hair == "bald":
        return
    field = hair_field(c.at, c.person.receding) + 0.05 * c.noise(c.at, 11)
    roots = np.array(c.person.hair_rgb) * (0.55 + 0.3 * c.fine[:, None])
    c.blend(smoothstep(-0.02, 0.10, field), roots)
    c.label[(field > 0.03) & np.isin(c.label, (L.FACE_SKIN, L.UPPER_BODY_SKIN))] = L.HEAD_HAIR
