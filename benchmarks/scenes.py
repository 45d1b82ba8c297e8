"""How often the pixels of photographs tell a wrong label of indoors or outdoors, and contradict a right one.

    python benchmarks/scenes.py PHOTOGRAPHS

PHOTOGRAPHS has two folders of JPEGs, `indoors` and `outdoors`. Each is judged twice: by its label, and by the other.
"""

import json
import sys
from pathlib import Path

import numpy as np

from accord.checks.files.scenes import seen_outdoors
from accord.imaging.decode import decode
from accord.models import loading, registry
from traces import wilson

ROOT = Path(__file__).parents[1]
PLACES = ("indoors", "outdoors")


def main(folder: Path) -> None:
    settings = {"models": str(ROOT / "config/models.yaml"), "run": ["efficientnet"]}
    spec = registry.read(settings, ROOT / "workflow/schemas/models.schema.yaml").spec("efficientnet")
    classifier = loading.load(json.loads(spec), Path(), "logits")
    for place in PLACES:
        paths = sorted((folder / place).glob("*.jp*g"))
        pixels = [classifier.logits([decode(path.read_bytes())])[0] for path in paths]
        support = np.array([seen_outdoors(one) for one in pixels]) * (1 if place == "outdoors" else -1)
        print(f"{place}: wrong label told {wilson(int((support > 1).sum()), len(paths))}")
        print(f"{place}: right label contradicted {wilson(int((support < -1).sum()), len(paths))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
