"""Each of the thirteen detectors, narrow, on the demo's grid forgeries at 64 px: AUC on other people, seconds to train.

Then Xception on labels that were shuffled among the training pictures, whose AUC is 0.5 but for chance.
Run: python -m accord_demo.forgeries build/ai-face
     OMP_NUM_THREADS=1 python benchmarks/detectors.py build/ai-face [names]
"""

import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from time import process_time
from types import SimpleNamespace

import numpy as np
import pandas as pd

from accord.imaging.bundle import BundleWriter
from accord.train.learning.plan import of_epochs
from accord.train.learning.training import in_process
from accord.train.pictures.reading import Place
from accord.train.planning import models

SIDE = 64
SETTINGS = {"side": SIDE, "batch": 32, "epochs": 18, "rate": 0.05, "decay": 0.0005, "schedule": "cosine", "every": 1000}
NARROW = {"width": 1 / 16, "middle": 1}
TINY = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
        "image_size": SIDE, "patch_size": 8}  # fmt: skip
CLIP = {**TINY, "projection_dim": 64}
OF = {
    "EfficientB4": {"options": {"width_coefficient": 0.2, "depth_coefficient": 0.2, "hidden_dim": 256,
                                "drop_connect_rate": 0.0}},
    "ViT-B/16": {"options": TINY},
    "F3Net": {"options": {**NARROW, "side": SIDE}},
    "UnivFD": {"options": CLIP},
    "CLIP+MLP": {"options": {**CLIP, "hidden": [64, 64]}},
    "DAW-FDD": {"rate": 0.02}, "DAG-FDD": {"rate": 0.02}, "SRM": {"rate": 0.01},
    "UCF": {"rate": 0.01}, "PG-FDD": {"rate": 0.01},
}  # fmt: skip
"""Detector -> what is other than SETTINGS and NARROW of it."""


def main() -> None:
    """Train each, and print what it does on people that it hasn't seen."""
    faces, names = Path(sys.argv[1]), sys.argv[2:] or list(models.published())
    with tempfile.TemporaryDirectory() as folder:
        shown, where = pictures(faces, Path(folder))
        print(f"{(shown['split'] == 'train').sum()} pictures to learn, {(shown['split'] != 'train').sum()} of others")
        for name in names:
            tell(name, trained(name, shown, where, Path(folder)))
        mine = shown["split"] == "train"
        shuffled = shown.copy()
        shuffled.loc[mine, "label"] = np.random.default_rng(0).permutation(shown.loc[mine, "label"])
        tell("Xception, shuffled", trained("Xception", shuffled, where, Path(folder)))


def tell(name: str, found: tuple[float, float]) -> None:
    print(f"{name}: AUC {found[0]:.3f}, {found[1]:.0f} s", flush=True)


def trained(name: str, shown: pd.DataFrame, where: list[Place], folder: Path) -> tuple[float, float]:
    """AUC on the validation after the last step, and processor seconds."""
    entry = {"detector": name, **SETTINGS, "options": NARROW, **OF.get(name, {})}
    spec = models.specs({"models": {"small": entry}, "experiments": []})["small"]
    plan, began = of_epochs(spec, int((shown["split"] == "train").sum())), process_time()
    model = folder / f"{blake2b(f'{name}{shown.label.sum()}'.encode(), digest_size=8).hexdigest()}/model.safetensors"
    model.parent.mkdir(exist_ok=True)
    history = in_process(shown, where, spec, plan, name, model, 10_000)
    model.with_name("checkpoint.safetensors.partial").unlink()
    return float(history["metric"].iloc[-1]), process_time() - began


def pictures(faces: Path, folder: Path) -> tuple[pd.DataFrame, list[Place]]:
    """Real faces and those with a grid, by person: 6 of 10 people to learn from, the others to watch by."""
    told = pd.read_csv(faces / "annotations.csv").set_index("Image Path")
    found = sorted([*faces.glob("real/*/*.png"), *faces.glob("fake/grid/*/*.png")])
    people = sorted({path.parent.name for path in found})
    learnt = set(people[: len(people) * 6 // 10])
    rows, where = [], []
    with BundleWriter(folder / "files.tar") as writer:
        for number, path in enumerate(found):
            fake, row = int("grid" in path.parts), told.loc[path.relative_to(faces).as_posix()]
            split = "train" if path.parent.name in learnt else "validation"
            rows.append((str(number), fake, "grid" if fake else "none", split, f"{row['Gender']}"))
            member = writer.add(f"{number}.png", path.read_bytes())
            where.append(Place(folder / "files.tar", SimpleNamespace(**member._asdict())))
    return pd.DataFrame(rows, columns=["image", "label", "method", "split", "group"]), where


if __name__ == "__main__":
    main()
