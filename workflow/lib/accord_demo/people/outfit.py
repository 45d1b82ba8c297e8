"""What a person wears in one picture, drawn from a seed."""

from dataclasses import dataclass

import numpy as np

from accord_demo.people.palette import CLOTH, SHOES, linear
from accord_demo.people.person import Colour, Person

SLEEVE = {"tshirt": 0.36, "longsleeve": 0.97, "shirt": 0.97, "tank": -0.02}  # share of the arm covered


@dataclass(frozen=True)
class Outfit:
    """Garments by name, and their colours (linear RGB)."""

    top: str  # of SLEEVE
    pattern: str  # plain, stripes, check or dots
    bottom: str  # jeans, trousers, shorts, skirt or dress
    jacket: bool
    top_rgb: Colour
    pattern_rgb: Colour
    bottom_rgb: Colour
    jacket_rgb: Colour
    shoe_rgb: Colour
    head_rgb: Colour
    hem: float  # lower end of the top, canonical decimetres
    skirt_end: float  # lower end of skirt or dress

    @property
    def dress(self) -> bool:
        """Whether one garment covers the whole body."""
        return self.bottom == "dress"


def _rgb(values: np.ndarray) -> Colour:
    red, green, blue = (float(c) for c in values)
    return red, green, blue


def draw_outfit(seed: int, person: Person) -> Outfit:
    """The clothes of a seed; the person's presentation sets the odds."""
    rng = np.random.default_rng([seed, person.seed, 2])

    def colour(names=CLOTH) -> Colour:
        return _rgb(linear(str(rng.choice(names))))

    top = str(rng.choice(list(SLEEVE), p=[0.4, 0.3, 0.22, 0.08]))
    top_rgb, pattern_rgb = colour(), colour()
    pattern = str(rng.choice(["plain", "stripes", "check", "dots"], p=[0.55, 0.18, 0.15, 0.12]))
    feminine = person.presentation == "feminine"
    odds = [0.36, 0.2, 0.12, 0.16, 0.16] if feminine else [0.5, 0.33, 0.17, 0, 0]
    bottom = str(rng.choice(["jeans", "trousers", "shorts", "skirt", "dress"], p=odds))
    denim = _rgb(linear("#33496b") * rng.uniform(0.5, 1.3))
    bottom_rgb = {"jeans": denim, "dress": top_rgb}.get(bottom) or colour()
    return Outfit(
        top=top,
        pattern=pattern,
        bottom=bottom,
        jacket=bool(rng.random() < 0.28),
        top_rgb=top_rgb,
        pattern_rgb=pattern_rgb,
        bottom_rgb=bottom_rgb,
        jacket_rgb=colour(),
        shoe_rgb=colour(SHOES),
        head_rgb=colour(),
        hem=-4.0 if bottom == "dress" else float(rng.uniform(0.7, 1.1)),
        skirt_end=float(rng.uniform(-4.6, -3.2)),
    )
