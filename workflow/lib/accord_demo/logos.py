"""The logos that the demo's renderer paints, as a gallery: every brand with every sign, once."""

from typing import Any

import numpy as np

from accord_demo.scene.signs import BRANDS, make_sign

SIGNS = 3
DRAWS = 1000


def gallery() -> dict[str, object]:
    """File name -> Pillow image. Colours count for nothing: logos are compared in grey."""
    found: dict[tuple[str, bytes], Any] = {}
    for seed in range(DRAWS):
        sign = make_sign("logo", np.random.default_rng(seed))
        left = np.asarray(sign.image.convert("L"))[:, :160] < 200
        found.setdefault((sign.text, left.tobytes()), sign.image)
        if len(found) == SIGNS * len(BRANDS):
            break
    numbered = sorted(found, key=lambda key: (key[0], key[1]))
    return {f"{brand.lower()}_{at % SIGNS + 1}.png": found[brand, shape] for at, (brand, shape) in enumerate(numbered)}
