"""Colours of skin, hair, eyes, cloth and make-up, as linear RGB albedos."""

import numpy as np


def linear(hexadecimal: str) -> np.ndarray:
    """Linear RGB of an sRGB colour "#rrggbb" (IEC 61966-2-1)."""
    c = np.array([int(hexadecimal[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _table(**colours: str) -> dict[str, np.ndarray]:
    return {name: linear(value) for name, value in colours.items()}


# One albedo per Monk tone 1..10, tuned by eye: Monk's own swatches are display colours.
SKIN = [
    linear(h)
    for h in (
        "#f3d9cb", "#efcfbb", "#ecc7a9", "#e0b38f", "#cb966d",
        "#a87349", "#87563a", "#67402d", "#4a2e23", "#38241d",
    )
]  # fmt: skip
HAIR = _table(
    black="#1a1614", darkbrown="#33221a", brown="#553624", lightbrown="#7d5636", blond="#b8905a",
    red="#8a3a1c", grey="#8c8884", white="#c9c5bf", dyed="#5a3f8f",
)  # fmt: skip
EYES = _table(darkbrown="#2b1608", brown="#4d2a12", hazel="#6b5527", green="#54703f", blue="#4f7fa6", grey="#7b8890")
CLOTH = (
    "#1d2a44", "#7a1f24", "#2d4a36", "#d8d4c8", "#e9e4da", "#3b3b3f", "#4d6d8f", "#b58a3c",
    "#8a8d91", "#5b3a57", "#c4683f", "#16181b", "#6f8f7a", "#c9b7a0", "#274d7a", "#a63a50",
)  # fmt: skip
SHOES = ("#1a1a1a", "#e8e6e1", "#5a3a22", "#37474f")
LIPSTICKS = ("#a8323e", "#8c2f45", "#b5524f", "#7a2233", "#c0605c")
EYE_SHADOWS = ("#5b4640", "#6b5360", "#3d3a44", "#7a5a48")
FRAMES = ("#141414", "#3a2416", "#6b1d1d", "#8a8d90")


def skin_albedo(tone: float, undertone) -> np.ndarray:
    """Albedo of a Monk tone in [1, 10], between the two nearest swatches, times an undertone."""
    i = int(np.clip(np.floor(tone) - 1, 0, 8))
    return (SKIN[i] + (SKIN[i + 1] - SKIN[i]) * (tone - 1 - i)) * np.array(undertone)
