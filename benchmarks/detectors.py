"""Each of the thirteen detectors, narrow, on the demo's grid and low-resolution forgeries at 64 px: AUC of each kind on
other people, and seconds to train.

Then the same detector on labels that were shuffled among the training pictures, three times for a sixth of the epochs.
Their mean is 0.5 but for chance, which is large: what a network sees of forgeries it can take for either label.
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
from sklearn.metrics import roc_auc_score

from accord.imaging import decode
from accord.imaging.bundle import BundleWriter
from accord.train.learning.plan import of_epochs
from accord.train.learning.training import in_process
from accord.train.models.predicting import Trained
from accord.train.pictures.reading import Place
from accord.train.planning import models

SIDE = 64
REAL = "none"
SHUFFLES = 3
KINDS = {"grid": "fake/grid", "low resolution": "fake/coarse"}
"""Kind of fakes -> its folder."""
SETTINGS = {"side": SIDE, "batch": 32, "epochs": 18, "rate": 0.05, "decay": 0.0005, "schedule": "cosine", "every": 1000}
NARROW = {"width": 1 / 16, "middle": 1}
TINY = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
        "image_size": SIDE, "patch_size": 8}  # fmt: skip
CLIP = {**TINY, "projection_dim": 64}
OF = {
    "EfficientB4": {"options": {"width_coefficient": 0.2, "depth_coefficient": 0.2, "hidden_dim": 256,
                                "drop_connect_rate": 0.0, "batch_norm_momentum": 0.1},
                    "epochs": 54},
    "ViT-B/16": {"options": TINY, "epochs": 90},
    "F3Net": {"options": {**NARROW, "side": SIDE}},
    "UnivFD": {"options": CLIP},
    "CLIP+MLP": {"options": {**CLIP, "hidden": [64, 64]}},
    "DAW-FDD": {"rate": 0.02}, "DAG-FDD": {"rate": 0.02}, "SRM": {"rate": 0.01},
    "UCF": {"rate": 0.01}, "PG-FDD": {"rate": 0.01},
}  # fmt: skip
"""Detector -> what is other than SETTINGS and NARROW of it."""


def main() -> None:
    """Train each on true labels and on shuffled ones, and print what it does on people that it hasn't seen."""
    faces, names = Path(sys.argv[1]), sys.argv[2:] or list(models.published())
    with tempfile.TemporaryDirectory() as folder:
        shown, where, seen = pictures(faces, Path(folder))
        mine = shown["split"] == "train"
        print(f"{mine.sum()} pictures to learn, {(~mine).sum()} of others", flush=True)
        for name in names:
            began = process_time()
            model = trained(name, shown, where, Path(folder) / "true")
            took = process_time() - began
            told = [f"{kind} {auc(model, shown, seen, kind):.3f}" for kind in KINDS]
            chance = [auc(by_chance(name, shown, where, Path(folder), n), shown, seen, *KINDS) for n in range(SHUFFLES)]
            told.append(f"shuffled {np.mean(chance):.3f} ({min(chance):.3f}-{max(chance):.3f})")
            print(f"{name}: {', '.join(told)}; {took:.0f} s", flush=True)


def by_chance(name: str, shown: pd.DataFrame, where: list[Place], folder: Path, number: int) -> Path:
    """A detector of labels that say nothing."""
    mine, shuffled = shown["split"] == "train", shown.copy()
    shuffled.loc[mine, "label"] = np.random.default_rng(number).permutation(shown.loc[mine, "label"])
    return trained(name, shuffled, where, folder / f"shuffled{number}", epochs=SETTINGS["epochs"] // 6, seed=number)


def trained(name: str, shown: pd.DataFrame, where: list[Place], folder: Path, **other: int) -> Path:
    """The file of a detector, trained as OF and SETTINGS have it, but for `other` settings."""
    entry = {"detector": name, **SETTINGS, "options": NARROW, **OF.get(name, {}), **other}
    spec = models.specs({"models": {"small": entry}, "experiments": []})["small"]
    plan = of_epochs(spec, int((shown["split"] == "train").sum()))
    model = folder / f"{blake2b(name.encode(), digest_size=8).hexdigest()}/model.safetensors"
    model.parent.mkdir(parents=True)
    in_process(shown, where, spec, plan, name, model, 10_000)
    return model


def auc(model: Path, shown: pd.DataFrame, seen: list[np.ndarray], *kinds: str) -> float:
    """Of other people's real faces, and their fakes of some kinds."""
    judged = (shown["split"] != "train") & shown["method"].isin([REAL, *kinds])
    some = np.flatnonzero(judged)
    parts, asked = np.array_split(some, 1 + len(some) // 64), Trained(model)
    scores = [score for part in parts for score in asked.score([seen[place] for place in part])]
    return float(roc_auc_score(shown["label"].to_numpy()[some], scores))


def pictures(faces: Path, folder: Path) -> tuple[pd.DataFrame, list[Place], list[np.ndarray]]:
    """Real faces (half of each person's) and fakes, by person: 6 of 10 people to learn from, the others to watch by. A
    fake of two people who are apart is in neither."""
    told = pd.read_csv(faces / "annotations.csv").set_index("Image Path")
    people = sorted(path.name for path in (faces / "real").iterdir())
    learnt = set(people[: len(people) * 6 // 10])
    files = [path for who in people for path in sorted((faces / "real" / who).glob("*.png"))[::2]]
    files += [path for part in KINDS.values() for path in sorted((faces / part).glob("*/*.png"))]
    rows, where, seen = [], [], []
    with BundleWriter(folder / "files.tar") as writer:
        for path in files:
            sides = {who in learnt for who in path.parent.name.split("_")}
            if len(sides) > 1:
                continue
            kind = next((name for name, part in KINDS.items() if part in path.as_posix()), REAL)
            gender = told.loc[path.relative_to(faces).as_posix(), "Gender"]
            name, split = str(len(rows)), "train" if sides == {True} else "validation"
            rows.append((name, int(kind != REAL), kind, split, f"{gender}"))
            member = writer.add(f"{name}.png", path.read_bytes())
            where.append(Place(folder / "files.tar", SimpleNamespace(**member._asdict())))
            seen.append(decode.decode(path.read_bytes()))
    return pd.DataFrame(rows, columns=["image", "label", "method", "split", "group"]), where, seen


if __name__ == "__main__":
    main()
