"""Colours of pictures as sRGB, whatever their ICC profile, transparency and depth, a strip of rows at a time."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageCms

from accord.imaging.formats.parts import refused

LARGEST_PROFILE = 1 << 22
"""Bytes; those of printers, the largest there are, have 0.5 to 3 MiB."""
MODES = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}
"""Pillow's mode of a picture by its profile's colour space."""
FITTING = {"RGB": ("1", "L", "LA", "I;16", "P", "RGB", "RGBA"), "GRAY": ("1", "L", "LA", "I;16"), "CMYK": ("CMYK",)}
"""Pillow's modes of pictures that a profile of a colour space can belong to."""
STEP, ROUNDING = 15, 1
"""Distance of the colours that are tried, and how far one may move where a profile is sRGB by another name."""
INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC
FLAGS = ImageCms.Flags.BLACKPOINTCOMPENSATION
STRIP = 1 << 17
"""Pixels of a strip: it stays in the processor's cache on its way through Pillow's copies."""
WHITE, FULL, DEEPEST = 255, 255, 65535
PROFILE, CMYK, DEPTH, ALPHA = "icc_to_srgb", "cmyk_to_rgb", "16_to_8_bit", "alpha_over_white"
HINT = "export it in sRGB"


class Conversion(NamedTuple):
    """A way to sRGB, from pictures of a mode of Pillow's."""

    mode: str
    transform: ImageCms.ImageCmsTransform


def conversion(picture: Image.Image) -> Conversion | None:
    """The way from a picture's ICC profile to sRGB; None where there is none, or nothing to do.

    Relative colorimetric with black point compensation: colours that sRGB has stay what they were, skin among them;
    the perceptual intent would move all of them. Raises AccordError where the profile is broken, huge, or doesn't fit.
    """
    if "icc_profile" not in picture.info:
        return None
    profile = picture.info["icc_profile"] or b""
    if len(profile) > LARGEST_PROFILE:
        raise refused(f"has a colour profile of more than {LARGEST_PROFILE >> 20} MiB", HINT)
    space, found = _conversion(profile)
    if picture.mode not in FITTING[space]:
        raise refused("has a colour profile for pictures of another kind", HINT)
    return found


@lru_cache(16)
def _conversion(profile: bytes) -> tuple[str, Conversion | None]:
    """A profile's colour space, and the way from there to sRGB."""
    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        space = opened.profile.xcolor_space.strip()
        mode = MODES[space]
        made = ImageCms.buildTransform(opened, ImageCms.createProfile("sRGB"), mode, "RGB", INTENT, FLAGS)
    except Exception:
        # littleCMS by way of Pillow raises several kinds of exceptions on broken profiles.
        raise refused("has a colour profile that can't be read", HINT) from None
    return space, None if _changes_nothing(mode, made) else Conversion(mode, made)


def _changes_nothing(mode: str, transform: ImageCms.ImageCmsTransform) -> bool:
    """Whether no colour moves by more than rounding: sRGB is written by many programs, each in its own bytes."""
    if mode == "CMYK":
        return False
    tried = np.arange(0, 256, STEP, dtype=np.uint8)
    cube = np.stack(np.meshgrid(*[tried] * (3 if mode == "RGB" else 1), indexing="ij"), axis=-1)
    colours = Image.fromarray(cube.reshape(1, -1, 3) if mode == "RGB" else cube.reshape(1, -1))
    there = np.asarray(ImageCms.applyTransform(colours, transform), int)
    return bool(np.abs(there - np.asarray(colours.convert("RGB"), int)).max() <= ROUNDING)


def as_seen(picture: Image.Image, way: Conversion | None) -> tuple[np.ndarray, bool]:
    """A picture's pixels over white, uint8 sRGB (H, W, 3), and whether anything shone through.

    Strips keep memory at the picture's own and three bytes for each pixel.
    """
    pixels, shone = np.empty((picture.height, picture.width, 3), np.uint8), False
    rows = max(1, STRIP // picture.width)
    for top in range(0, picture.height, rows):
        strip, place = picture.crop((0, top, picture.width, min(top + rows, picture.height))), slice(top, top + rows)
        if not strip.has_transparency_data:
            pixels[place] = _colours(strip, way)
            continue
        clear = strip.convert("RGBA")
        alpha = np.asarray(clear.getchannel("A"))
        pixels[place] = _over_white(_colours(clear.convert("RGB"), way), alpha)
        shone |= bool(alpha.min() < FULL)
    return pixels, shone


def convert(pixels: np.ndarray, way: Conversion) -> None:
    """Turn pixels, uint8 RGB (H, W, 3), into sRGB where they are."""
    rows = max(1, STRIP // pixels.shape[1])
    for top in range(0, len(pixels), rows):
        pixels[top : top + rows] = _colours(Image.fromarray(pixels[top : top + rows]), way)


def _colours(strip: Image.Image, way: Conversion | None) -> np.ndarray:
    if strip.mode == "I;16":
        strip = Image.fromarray(((np.asarray(strip, np.uint32) * FULL + DEEPEST // 2) // DEEPEST).astype(np.uint8))
    if way is None:
        return np.asarray(strip if strip.mode == "RGB" else strip.convert("RGB"))
    fitting = strip if strip.mode == way.mode else strip.convert("RGB").convert(way.mode)
    return np.asarray(ImageCms.applyTransform(fitting, way.transform))


def _over_white(pixels: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    share = alpha[..., None].astype(np.uint32)
    return ((pixels * share + WHITE * (FULL - share) + FULL // 2) // FULL).astype(np.uint8)
