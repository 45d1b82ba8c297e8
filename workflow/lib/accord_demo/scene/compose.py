"""The picture: light gathered, background and foreground drawn, blurred, exposed and encoded."""

from dataclasses import dataclass

import numpy as np

from accord_demo.labels import UNLABELLED
from accord_demo.people.human import Human
from accord_demo.scene.camera import Camera, DepthMap
from accord_demo.scene.gbuffer import Screen
from accord_demo.scene.light import Shadow, gather_ambient, shade
from accord_demo.scene.scenery import Scenery, sphere_directions

SAMPLES = 2  # per pixel and axis, in the foreground
BLUR = {"face": 5.0, "bust": 2.6, "full": 0.8}  # of the background, pixels in a frame 768 high
GRAIN = 0.008
HAZE = np.array([0.8, 0.87, 0.95])


@dataclass(frozen=True)
class Raster:
    """Pixels (h, w, 3) uint8, segment labels and instances (h, w) uint8, inverse depth per sample."""

    pixels: np.ndarray
    labels: np.ndarray
    instances: np.ndarray
    inverse_depth: np.ndarray


def light_people(humans: list[Human], scenery: Scenery, close: bool, small: bool) -> list[Shadow]:
    """Gather ambient light on people and the ground by them; returns the shadows of the key light."""
    ground = [p for p in scenery.parts if p.name in ("floor", "ground")]
    size, bias = (256, 0.10) if close else (320, 0.2)
    if small:
        size = size * 3 // 4
    for i, human in enumerate(humans):
        directions = sphere_directions(32 if i == 0 else 20)
        centre = human.head_centre - np.array([0, 1.5, 0]) if close else human.middle
        lit = human.parts + (ground if i == 0 and not close else [])
        gather_ambient(lit, scenery.environment, directions, centre, 5.2 if close else 11.0, size, bias)
    if humans:
        _even_out_ground(ground, humans[0], scenery.environment)
    return _shadows(humans, scenery, close, 512 if small else 1024)


def _even_out_ground(ground, human: Human, environment) -> None:
    """Away from the first person the ground gets open light."""
    directions = sphere_directions(40)
    up = np.clip(directions[:, 1:2], 0, 1)
    open_light = (environment(directions) * up).sum(0) * (4 / 40)
    for part in ground:
        if part.ambient is not None:
            distance = np.linalg.norm(part.P[:, [0, 2]] - human.middle[[0, 2]], axis=1)
            far = np.clip((distance - 6) / 4, 0, 1)[:, None]
            part.ambient = (part.ambient * (1 - far) + far * open_light).astype(np.float32)


def _shadows(humans, scenery: Scenery, close: bool, size: int) -> list[Shadow]:
    people = [(p.P, p.T, p.alpha if p.name != "beard" else None) for h in humans for p in h.parts if p.casts]
    things = [(p.P, p.T, None) for p in scenery.parts if p.casts]
    centre = humans[0].middle if humans else np.array([0, 8.0, 0])
    far = max((float(np.linalg.norm(h.middle - centre)) for h in humans), default=0.0)
    wide = DepthMap(scenery.key_direction, centre, 12 + far, size).build(people + things)
    shadows = [Shadow(wide, 1.6)]
    for human in humans if close else []:
        head = human.head_centre
        fine = DepthMap(scenery.key_direction, head + np.array([0, 0.4, 0]), 3.4, size).build(people)
        shadows.append(Shadow(fine, 3.0, head, 3.0))
    return shadows


def draw_background(scenery: Scenery, camera: Camera, shadows, blur: float):
    """Radiance (h, w, 3) of the background, and its inverse depth (h, w)."""
    screen = Screen(camera, 1).add(scenery.parts)
    seen = screen.resolve()
    width, height = camera.width, camera.height
    image = np.zeros((width * height, 3), np.float32)
    if scenery.sky is not None:
        y, x = np.mgrid[:height, :width]
        rays = camera.rays(x.ravel() + 0.5, y.ravel() + 0.5)
        image[:] = scenery.sky(rays / np.linalg.norm(rays, axis=1, keepdims=True))
    image[seen.samples] = shade(screen, seen, scenery, shadows[:1], bumps=False)
    if scenery.sky is not None:
        depth = 1 / np.maximum(screen.buffers.inverse_depth[seen.samples], 1e-6)
        haze = (1 - np.exp(-depth / 2500))[:, None]
        image[seen.samples] = image[seen.samples] * (1 - haze) + haze * HAZE
    sigma = max(blur * height / 768, 0.45)
    return _blurred(image.reshape(height, width, 3), sigma), screen.buffers.inverse_depth.reshape(height, width)


def compose(screen: Screen, scenery, shadows, background, behind, exposure, metering, seed) -> Raster:
    """Put the foreground of a screen over a background and develop the picture.

    `exposure` in EV; `metering` "people" exposes for people and background, "scene" for the background.
    """
    height, width, s = *background.shape[:2], screen.scale
    seen = screen.resolve()
    cover = np.zeros((height * s * width * s, 4), np.float32)
    cover[seen.samples, :3], cover[seen.samples, 3] = shade(screen, seen, scenery, shadows, bumps=True), 1
    nearest = np.repeat(np.repeat(behind, s, 0), s, 1).ravel()[seen.samples]
    hidden = (nearest > screen.buffers.inverse_depth[seen.samples] * 1.0001) & (seen.instance > 0)
    cover[seen.samples[hidden]] = 0
    people = seen.samples[~hidden & (seen.instance > 0)]
    gain = 2.0**exposure * _gain(background, cover[people, :3] if metering == "people" else cover[:0, :3])
    blocks = cover.reshape(height, s, width, s, 4)
    share = blocks[..., 3].mean((1, 3))[..., None]
    radiance = (_tone(blocks[..., :3], gain) * blocks[..., 3:]).mean((1, 3)) + _tone(background, gain) * (1 - share)
    pixels = _encode(radiance, np.random.default_rng([seed, 99]))
    labels, instances = _majority(seen, ~hidden, (height, width, s))
    return Raster(pixels, labels, instances, screen.buffers.inverse_depth.reshape(height * s, width * s))


def _gain(background, people) -> float:
    """Exposure from geometric mean luminances."""
    mean = float(np.exp(np.mean(np.log(0.02 + background.mean(2)))))
    of_people = float(np.exp(np.mean(np.log(0.02 + people.mean(1))))) if len(people) else mean
    return 0.43 / (0.45 * of_people + 0.55 * mean + 0.03)


def _tone(radiance, gain):
    return 1 - np.exp(-np.maximum(radiance, 0) * np.float32(gain))


def _encode(linear, rng) -> np.ndarray:
    """sRGB bytes with a lens's softness and a sensor's grain."""
    display = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-6) ** (1 / 2.4) - 0.055)
    noisy = _blurred(display, 0.35) + rng.normal(0, GRAIN, display.shape)
    return (np.clip(noisy, 0, 1) * 255 + 0.5).astype(np.uint8)


def _blurred(image, sigma: float):
    from scipy import ndimage

    return ndimage.gaussian_filter(image, (sigma, sigma, 0), mode="nearest")


def _majority(seen, shown, shape):
    """Label and instance of pixels at least half covered by people: those of the first such sample."""
    height, width, s = shape
    layers = []
    for values, empty in ((seen.label, UNLABELLED), (seen.instance, 0)):
        full = np.full(height * s * width * s, empty, np.uint8)
        keep = shown & (seen.instance > 0)
        full[seen.samples[keep]] = values[keep]
        layers.append(full.reshape(height, s, width, s).transpose(0, 2, 1, 3).reshape(height, width, -1))
    labels, instances = layers
    pick = (instances > 0).argmax(2)[..., None]
    half = (instances > 0).mean(2) >= 0.5
    labels = np.where(half, np.take_along_axis(labels, pick, 2)[..., 0], UNLABELLED)
    return labels.astype(np.uint8), np.where(half, np.take_along_axis(instances, pick, 2)[..., 0], 0).astype(np.uint8)
