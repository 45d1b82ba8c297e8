"""Light on surfaces: ambient from everywhere, a key light with shadows, gloss, hair and eyes."""

from dataclasses import dataclass

import numpy as np

from accord_demo.scene.camera import DepthMap
from accord_demo.scene.gbuffer import Screen, Surfaces
from accord_demo.scene.part import Part
from accord_demo.scene.scenery import Scenery

SHARED = ("shell", "beard")  # layers of hair: all take the ambient light of the first
SUBSURFACE = np.array([0.26, 0.10, 0.05], np.float32)  # how far light wraps around skin


@dataclass(frozen=True)
class Shadow:
    """A depth map of the key light, valid within `radius` of `centre` (None: everywhere)."""

    depth: DepthMap
    spread: float
    centre: np.ndarray | None = None
    radius: float = 0.0

    def covers(self, points) -> np.ndarray:
        """Where the map is the one to use."""
        if self.centre is None:
            return np.ones(len(points), bool)
        return np.linalg.norm(points - self.centre, axis=1) < self.radius


def gather_ambient(parts: list[Part], environment, directions, centre, radius, size, bias) -> None:
    """Set each part's ambient light per vertex: the sky's radiance from every direction that is not
    occluded within a sphere, found with one depth map per direction."""
    first: dict[str, Part] = {}
    own = [p for p in parts if p.name not in SHARED or first.setdefault(p.name, p) is p]
    used = [np.unique(p.T) for p in own]
    normals = [p.normals()[u] for p, u in zip(own, used, strict=True)]
    points = [p.P[u] + n * 0.03 for p, u, n in zip(own, used, normals, strict=True)]
    total = [np.zeros((len(u), 3), np.float32) for u in used]
    blockers = [(p.P, p.T, p.alpha if p.name in ("shell", "skirt") else None) for p in parts if p.occludes and p.casts]
    for d, radiance in zip(directions.astype(np.float32), environment(directions), strict=True):
        depth = DepthMap(d, centre, radius, size).build(blockers)
        for P, N, light in zip(points, normals, total, strict=True):
            cosine = N @ d
            i = np.flatnonzero(cosine > 0)
            if len(i):
                light[i] += (depth.lit(P[i], bias) * cosine[i])[:, None] * radiance
    for part, u, light in zip(own, used, total, strict=True):
        part.ambient = np.zeros((len(part.P), 3), np.float32)
        part.ambient[u] = light * (4.0 / len(directions))
    for part in parts:
        part.ambient = first.get(part.name, part).ambient


def shade(screen: Screen, s: Surfaces, scenery: Scenery, shadows: list[Shadow], bumps: bool) -> np.ndarray:
    """Radiance (k, 3) of the samples of a screen."""
    if not len(s.samples):
        return np.zeros((0, 3), np.float32)
    camera, f32 = screen.camera, np.float32
    normal = _bumped(screen, s) if bumps else s.normal
    view = _unit(camera.eye.astype(f32) - s.position)
    towards, colour = scenery.key_direction.astype(f32), scenery.key_colour.astype(f32)
    facing = normal @ towards
    lit = _lit(s, facing, shadows, scenery.key_softness)
    wrap = np.where(s.is_skin[:, None], SUBSURFACE, f32(0))
    wrap = np.where(s.is_hair[:, None], f32(0.35), wrap)
    diffuse = np.clip((facing[:, None] + wrap) / (1 + wrap), 0, 1) * lit[:, None]
    ambient = _ambient(s, normal, scenery)
    half = _unit(view + towards)
    to_view = np.clip(np.einsum("ij,ij->i", normal, view), 0.05, 1)
    grazing = np.where(s.is_hair, f32(0), (1 - s.specular) * f32(0.5) * (1 - to_view) ** 5)
    fresnel = s.specular + grazing
    gloss = _gloss(s, normal, half) * fresnel * np.clip(facing, 0, 1) * lit / (4 * np.maximum(0.25, to_view))
    mirror = 2 * np.einsum("ij,ij->i", normal, view)[:, None] * normal - view
    reflected = scenery.environment(mirror).astype(f32)
    share = np.clip(ambient.mean(1, keepdims=True) / max(1e-3, float(reflected.mean())), 0, 1)
    out = s.albedo * (ambient + colour * diffuse) + colour * gloss[:, None]
    out += reflected * (fresnel * (1 - 0.75 * s.roughness))[:, None] * share
    _add_hair_light(out, s, half, lit * np.clip(facing + 0.3, 0, 1), colour)
    _add_catch_light(out, s, mirror)
    return out + s.albedo * s.emission[:, None] * f32(1.6)


def _unit(a):
    return a / np.maximum(np.linalg.norm(a, axis=1, keepdims=True), 1e-9)


def _bumped(screen: Screen, s: Surfaces) -> np.ndarray:
    """Normals tilted by the differences of bump heights between neighbouring samples of one part."""
    camera, width = screen.camera, screen.buffers.width
    height = np.zeros(len(screen.buffers.triangle), np.float32)
    part = np.full(len(height), -1, np.int16)
    height[s.samples], part[s.samples] = s.bump, s.part_of
    height, part = height.reshape(-1, width), part.reshape(-1, width)
    dx, dy = np.zeros_like(height), np.zeros_like(height)
    dx[:, 1:-1] = np.where(part[:, 2:] == part[:, :-2], height[:, 2:] - height[:, :-2], 0) * 0.5
    dy[1:-1] = np.where(part[2:] == part[:-2], height[2:] - height[:-2], 0) * 0.5
    per_unit = np.float32(camera.focal * screen.scale) * screen.buffers.inverse_depth[s.samples]
    right, down = camera.axes[:2].astype(np.float32)
    tilt_x, tilt_y = ((d.ravel()[s.samples] * per_unit).clip(-0.6, 0.6)[:, None] for d in (dx, dy))
    return _unit(s.normal - tilt_x * right - tilt_y * down)


def _lit(s: Surfaces, facing, shadows: list[Shadow], softness: int) -> np.ndarray:
    """Fraction of the key light that reaches each sample; later maps override earlier ones."""
    lit = np.ones(len(facing), np.float32)
    for shadow in shadows:
        i = np.flatnonzero(shadow.covers(s.position) & (facing > -0.36))
        lit[i] = shadow.depth.lit(s.position[i] + s.normal[i] * 0.05, 0.10, softness, shadow.spread)
    return lit


def _ambient(s: Surfaces, normal, scenery: Scenery) -> np.ndarray:
    """Gathered ambient light, or an estimate where none was gathered."""
    bare = s.ambient.sum(1) == 0
    ambient = s.ambient.copy()
    mean = 0.5 * scenery.environment(np.array([[0, 1.0, 0], [0, 0, 1.0]])).mean(0)
    ambient[bare] = mean * (0.75 + 0.25 * normal[bare][:, 1:2])
    return ambient


def _gloss(s: Surfaces, normal, half) -> np.ndarray:
    """The distribution of microfacets (Trowbridge and Reitz 1975), capped."""
    cosine = np.clip(np.einsum("ij,ij->i", normal, half), 0, 1)
    a2 = np.clip(s.roughness, 0.05, 1) ** 4
    return np.minimum(a2 / (np.pi * (cosine * cosine * (a2 - 1) + 1) ** 2), 40)


def _add_hair_light(out, s: Surfaces, half, lit, colour) -> None:
    """A white and a coloured highlight along strands (Kajiya and Kay 1989)."""
    i = np.flatnonzero(s.is_hair)
    along = np.einsum("ij,ij->i", _unit(s.tangent[i]), half[i])
    sine = np.sqrt(np.clip(1 - along**2, 0, 1))
    white, tinted = 0.06 * sine**60 * lit[i], 0.7 * sine**12 * lit[i]
    out[i] += white[:, None] * colour + s.albedo[i] * tinted[:, None] * colour


def _add_catch_light(out, s: Surfaces, mirror) -> None:
    """The small bright reflection that makes eyes look alive."""
    i = np.flatnonzero(s.is_eye)
    out[i] += 0.75 * np.clip(mirror[i] @ np.array([0.25, 0.55, 0.8]) / 1.003, 0, 1)[:, None] ** 350
